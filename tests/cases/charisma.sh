# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# charisma.sh - CHARISMA's events, and what charisma-dump says of a trace.
charisma-dump "$FIX"/charisma/lp64-le.chr > events 2>/dev/null
cp "$FIX"/charisma/lp64-le.chr .
try 'every event has its name' 'cut -f3 events | sort -u' 'app-exit\napp-load\nasync-end\nclose\nextend\nfcntl\nheader\njoin\nleave\nlink\nopen\nread\ntruncate\nunlink\nwrite'
try 'an application is loaded' "grep '	app-load	' events | head -1" \
	'0.001000000\tapp:1009\tapp-load\t-\t-\t-\tname=solver\tpath=/usr/bin\tuser_id=500\tinitial_load_size=82037\tclients=1,2'
try 'an application opens a file' "grep '	app:1009	open	' events | head -1" \
	'0.001030000\tapp:1009\topen\t-\t-\t-\tby=app\tname=dp.dat\tpath=/cfs/tour\tfile_id=4194428\tfile_desc=64\tfile_size=0\tcreation_date=760086413\topen_flags=RW,CREATE,TRUNC'
try 'a client opens a file, with a flag that has no name' "grep '^0.001230000' events" \
	'0.001230000\t2\topen\t-\t-\t-\tby=client\tname=a\\x20name\\x20that\\x20fills\\x20its\\x20thirty-two\tpath=/cfs/tour\tfile_id=4194424\tfile_desc=3\tfile_size=4096\tcreation_date=760086413\topen_flags=RW,CREATE,0x40\n0.001230000\t1\tread\t0\t512\t0.000250000\tby=client\tfile_desc=3\toperation_type=CLIENTREQUEST\tasync_id=0\tappl_id=1009\tmemory_offset=1572864\tfile=4194304\tname=restart\\x200.in'
try 'a client reads' "grep '^0.001480000' events" \
	'0.001480000\t1\tread\t512\t512\t0.000250000\tby=client\tfile_desc=3\toperation_type=CLIENTREQUEST\tasync_id=0\tappl_id=1009\tmemory_offset=1572864\tfile=4194304\tname=restart\\x200.in'
try 'each request of several has its number' "grep 'request=2/2\$' events" \
	'0.003330000\t2\twrite\t256\t256\t0.000250000\tby=app\tfile_desc=64\toperation_type=WRITE\tasync_id=0\tappl_id=1009\tmemory_offset=1572865\tfile=4194428\tname=dp.dat\trequest=2/2'
try 'a request of the application' "grep '	app:1009	read	.*request=0/0\$' events" \
	'0.003580000\tapp:1009\tread\t-\t-\t0.000250000\tby=app\tfile_desc=64\toperation_type=0\tasync_id=0\tappl_id=1009\tfile=4194428\tname=dp.dat\trequest=0/0'
try 'a file is removed' "grep '	unlink	' events" '0.004730000\t2\tunlink\t-\t-\t-\tfile_id=4194424\tnew_link_count=0'
try 'a time that does not fit stands as it is' "grep 'timestamp=18446744073709551615\$' events" \
	'9223372036.854775807\tapp:1010\tapp-exit\t-\t-\t-\ttimestamp=18446744073709551615'
try 'a file that the application opened, of another client' "grep '	3	read	.*file_desc=64	' events" \
	'0.003830000\t3\tread\t512\t128\t0.000290000\tby=app\tfile_desc=64\toperation_type=ASYNCHRONOUS\tasync_id=5\tappl_id=1009\tmemory_offset=1572866\tfile=4194428\tname=dp.dat\trequest=3/3\n0.004180000\t3\tread\t0\t64\t0.000250000\tby=client\tfile_desc=64\toperation_type=CLIENTREQUEST\tasync_id=0\tmemory_offset=1572864\tfile=4194428\tname=dp.dat'
try 'how many name a file of those that could' "grep -c '	\\(read\\|write\\|close\\)	' events; grep -c '	file=' events" '20\n18'
try 'a descriptor that is not open has no file' "grep '	file_desc=9	' events" \
	'0.004430000\t3\twrite\t0\t64\t0.000250000\tby=client\tfile_desc=9\toperation_type=WRITE,CLIENTREQUEST\tasync_id=0\tappl_id=1009\tmemory_offset=1572864'
try 'that is said, and how often' 'charisma-dump lp64-le.chr > all' '' \
	'charisma-dump: lp64-le.chr: layout lp64-le, because its records fit (-O preset or -O layout sets another)\ncharisma-dump: lp64-le.chr: 2 requests or closes on descriptors not known to be open: they have no file= and name='
try '--no-state: no file, no durations, no word' 'charisma-dump --no-state lp64-le.chr > none' '' \
	'charisma-dump: lp64-le.chr: layout lp64-le, because its records fit (-O preset or -O layout sets another)'
try '--no-state names no file' "grep '	file=' none" '' '' 1
try '--no-state pairs nothing' "awk -F'\\t' '/ASYNC/ && \$6 != \"-\"' none"
try '-A: times since start_date' 'charisma-dump -A lp64-le.chr 2>/dev/null | head -1 | cut -f1' '760086413.000000000'
try '-A --local: times of the machine' 'charisma-dump -A --local lp64-le.chr 2>/dev/null | head -1 | cut -f1' '760068413.000000000'
try '-H: the origin, the layout and the offset of the zone' "charisma-dump -H lp64-le.chr 2>/dev/null | grep '^##clock\\|^##.*=lp64-le\$\\|^##.*gmt_offset'" \
	'##clock\ts\torigin=760086413.000000000\n##meta\tlayout=lp64-le\n##meta\tgmt_offset=-18000'
try '-M: the unit of time' 'charisma-dump -M lp64-le.chr 2>/dev/null | grep unit' 'timestamp_unit\t1e-06'
try '-M: all that is known' "charisma-dump -M lp64-le.chr 2>/dev/null | wc -l | tr -d ' '" '16'
{ head -c 160 lp64-le.chr; printf '\273\275\327\331\337\174\333\075'; tail -c +169 lp64-le.chr; } > unit.chr
try 'a unit of 1e-10 s' 'charisma-dump -M unit.chr 2>/dev/null | grep unit' 'timestamp_unit\t1e-10'
try 'times of it are rounded, not drifting' "charisma-dump unit.chr 2>/dev/null | cut -f1 | sed -n '2,3p;/148\$/p'" '0.000000100\n0.000000102\n0.000000148'
{ cat lp64-le.chr; tail -c +9 lp64-le.chr; } > two.chr; { cat lp64-le.chr; head -c 4096 /dev/zero; } > zeros.chr
try 'a second header record is said' 'charisma-dump -H two.chr > two' '' \
	'charisma-dump: two.chr: offset 3248: a second header record begins: times start anew\ncharisma-dump: two.chr: layout lp64-le, because its records fit (-O preset or -O layout sets another)\ncharisma-dump: two.chr: 4 requests or closes on descriptors not known to be open: they have no file= and name=' 2
try 'times start anew with it' "grep -c '^##spoor' two; grep -v '^#' two > got; cat events events | cmp - got" '2'
try 'zeros in place of a header are said' 'charisma-dump zeros.chr > got' '' \
	'charisma-dump: zeros.chr: offset 3248: a second header record, or zeros: reading stops here\ncharisma-dump: zeros.chr: layout lp64-le, because its records fit (-O preset or -O layout sets another)\ncharisma-dump: zeros.chr: 2 requests or closes on descriptors not known to be open: they have no file= and name=\ncharisma-dump: zeros.chr: 1 record skipped' 2
try 'they are no events' 'cmp events got'
try '-n keeps both headers' "trace-filter -n 'event = link' two.chr 2>/dev/null | charisma-dump 2>/dev/null | cut -f3" 'header\nlink\nheader\nlink'
try '-n keeps the records that match whole' "trace-filter -n 'request = \"2/2\"' lp64-le.chr 2>/dev/null | charisma-dump 2>/dev/null | cut -f3,5" \
	'header\t-\nwrite\t256\nwrite\t256'
