# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# convert.sh - trace-convert: events as native traces.
try 'SPC comes back as it was: lower case, through text' 'spc-cat -H Financial1.spc | trace-convert -T spc | cmp - Financial1.spc'
try 'through the binary stream' 'spc-cat -b Financial1.spc | trace-convert -T spc | cmp - Financial1.spc'
try 'at once' 'trace-convert -T spc Financial1.spc | cmp - Financial1.spc'
try 'upper case' 'spc-cat -H WebSearch2.spc | trace-convert -T spc | cmp - WebSearch2.spc'
head -n 8 example.spc > whole.spc
try 'optional fields' 'spc-cat -H whole.spc | trace-convert -T spc | cmp - whole.spc'
printf '0,1,512,w,0.5\n0,2,512,w,0.6,a b,, c' > bare.spc
try 'one decimal, and no newline at the end, which is written' '{ cat bare.spc; echo; } > bare1; spc-cat -H bare.spc | trace-convert -T spc | cmp - bare1'
printf '0,1,512,R,1.0\n0,9,512,W,2.0' > n.spc
try 'parts of a trace without one, joined, are the whole' 'trace-convert -T spc --to 1.5s n.spc > n1; trace-convert -T spc --from 1.5s n.spc | cat n1 - > n; for k in 1 2; do trace-convert -T spc --chunk $k/2 n.spc; done | cmp - n; spc-cat -b n.spc | trace-filter -H "W or R" | trace-convert -T spc | cmp - n; { cat n.spc; echo; } | cmp - n; awk -F, "{ n[\$4]++ } END { print n[\"R\"], n[\"W\"], NR }" n; trace-stats -g event -a count n' \
	'1 1 2\n#event\tcount\nR\t1\nW\t1'
printf '0,1,512,W,0.500000\r\n0,2,512,W,0.600000,a b,, c\r\n' > crlf.spc
try 'carriage returns' 'spc-cat -H crlf.spc | trace-convert -T spc | cmp - crlf.spc && spc-cat -H crlf.spc | grep spc[.]' '##meta\tspc.newline=crlf'
printf '0,1,512,r,0.5\r\n0,2,512,w,0.7' > ends.spc
printf '0,1,512,W,0.500000,a\r\r\n' > own.spc
try 'and no newline at the end' '{ cat ends.spc; printf "\r\n"; } > ends1; spc-cat -b ends.spc | trace-convert -T spc | cmp - ends1 && spc-cat -H ends.spc | grep spc[.]n' '##meta\tspc.newline=crlf'
try 'a carriage return of the last field, before that of the line' 'trace-convert -T spc own.spc | cmp - own.spc'
try 'that before another trace: a time that goes back is written, and told' 'trace-convert -T spc bare.spc WebSearch2.spc > all; s=$?; head -n 3 all; exit $s' \
	'0,1,512,w,0.5\n0,2,512,w,0.6,a b,, c\n0,21741712,24576,R,0.000774' 'trace-convert: WebSearch2.spc: event 1: the time goes back' 2
try 'but with -O unordered' 'trace-convert -T spc -O unordered bare.spc WebSearch2.spc | wc -l | tr -d " "' '12'
try 'what a header says is in the metadata' "spc-cat -H bare.spc | grep spc[.]" '##meta\tspc.case=lower\n##meta\tspc.decimals=1'
try 'what is canonical is not' "spc-cat -H WebSearch2.spc | grep -c spc[.]" '0' '' 1
try 'nine decimals where six do not hold the time' 'trace-convert -T spc --addr-unit 512' '3,8,4096,R,0.123456789\n0,8,4096,W,0.500000' '' 0 \
	'0.123456789\t3\tR\t8\t4096\t-\n0.5\t0\tW\t8\t4096\t-\n'
try 'other names of R and W; the defaults of ASU and size' 'trace-convert -T spc --addr-unit 512' '0,8,0,R,0.100000\n7,8,1,W,0.200000\n31,9,1,R,0.300000' '' 0 \
	'0.1\t-\tread\t8\t-\t-\n0.2\t7\twrite\t8\t1\t-\n0.3\t0x1f\tr\t0x9\t1\t-\n'
try 'in upper case, too, and of all targets alike' 'trace-convert -T spc --addr-unit 512 > a; cat a; trace-convert -T charisma a > b; trace-filter -H "*" a >c; sed "s/\tR\t/\tREAD\t/; s/\tW\t/\tWrite\t/" <c >d; trace-convert -T charisma d | cmp - b' '0,8,0,R,0.100000\n7,8,1,W,0.200000' '' 0 \
	'0.1\t-\tREAD\t8\t-\t-\n0.2\t7\tWrite\t8\t1\t-\n'
try 'what cannot be written is skipped, counted, and told once for each reason' 'trace-convert -T spc --addr-unit 512' '0,8,1,R,0.100000' \
	'trace-convert: <stdin>: event 1 is skipped: an SPC record must be R or W\ntrace-convert: <stdin>: 2 events are skipped: no addr (event 2 is the first)\ntrace-convert: <stdin>: event 4 is skipped: loc is not a number, as an ASU is\ntrace-convert: <stdin>: event 5 is skipped: the time is before 0' 2 \
	'0.1\t0\ti\t8\t1\t-\n0.1\t0\tR\t-\t1\t-\n0.1\t0\tR\t-\t1\t-\n0.1\ta\tR\t8\t1\t-\n-0.1\t0\tR\t8\t1\t-\n0.1\t0\tR\t8\t1\t-\n'
try 'a time that no reader takes' 'trace-convert -T spc --addr-unit 512' '0,8,1,R,9223372035.999999999' '*: event 2 is skipped: the time is later than 292 years' 2 \
	'9223372035.999999999\t0\tR\t8\t1\t-\n9223372036.0\t0\tR\t8\t1\t-\n'
V='time=$1 loc=$2 event=$3 addr=$4 size=$5'
try 'bytes of another format become blocks' "trace-convert -T spc -O columns='$V'" '3,2048,4096,R,0.500000\n3,1,7,W,1.000000' 'trace-convert: <stdin>: 1 event lost a part that spc cannot hold: where in its block a request begins' 0 '0.5,3,R,1048576,4096\n1,3,W,1000,7\n'
try 'blocks of it, too' "trace-convert -T spc -O columns='$V block=4096'" '3,2048,4096,R,0.500000\n' '' 0 '0.5,3,R,256,4096\n'
try 'blocks of -O block' "trace-convert -T spc -O block=2048 -O columns='$V'" '3,512,4096,R,0.500000\n' '' 0 '0.5,3,R,1048576,4096\n'
try 'SPC keeps its blocks' 'spc-cat --block 4096 -H | trace-convert -T spc' '3,5,512,R,1.000000' '' 0 '3,5,512,R,1.000000\n'
try 'blocks of SPC become bytes' 'trace-convert -T charisma Financial1.spc > a.chr; charisma-dump --preset lp64-le --no-state a.chr | awk "\$3 ~ /read|write/ { print \$4 }" > a; awk -F, "{ printf \"%.0f\\n\", \$2 * 512 }" Financial1.spc | cmp - a; wc -l < a' '161\n'
try 'bytes beyond 2^64' 'trace-convert -T laplace-text --addr-unit 512 -O references' 'r 3b9aca00 0 0 1fffffe00\n' '*: event 2 is skipped: the addr in bytes is 2^64 or more' 2 '1.0\t0\tr\t16777215\t-\t-\n1.0\t0\tr\t36028797018963968\t-\t-\n'
try 'an addr of a stream without a header: what addr counts is unknown' 'spc-cat Financial1.spc | trace-convert -T spc' '' 'trace-convert: <stdin>: the unit of addr is unknown: *' 2
try 'in hex it is bytes' 'trace-convert -T laplace-text -O references' 'r 1 8 7 1000\n' '' 0 '1\t7\tr\t0x1000\t8\t-\n'
try 'ticks are no seconds' 'trace-convert -T spc --addr-unit 512' '' 'trace-convert: <stdin>: event 1 is skipped: the time counts ticks of unknown length; give --hz N' 2 '5\t0\tR\t8\t1\t-\n'
try '--hz tells' 'trace-convert --hz 1k -T spc --addr-unit 512' '0,8,1,R,0.000000\n0,9,1,R,0.005000' '' 0 '5\t0\tR\t8\t1\t-\n10\t0\tR\t9\t1\t-\n'
try 'a dur is left out, which is told once; other arguments are ignored' 'trace-convert -T spc --addr-unit 512' '0,8,1,R,0.100000,a\n0,8,1,R,0.200000' \
	'trace-convert: <stdin>: 2 events lost a part that spc cannot hold: dur' 0 '0.1\t0\tR\t8\t1\t0.5\tx=3\tx1=a\tx01=4\n0.2\t0\tR\t8\t1\t0.5\n'
try 'optional fields by their numbers; one that is missing is empty' 'trace-convert -T spc --addr-unit 512' '0,8,1,R,0.100000,a b,,c' '' 0 '0.1\t0\tR\t8\t1\t-\tx3=c\tx1=a\\x20b\n'
try 'optional fields that would not be read back' 'trace-convert -T spc --addr-unit 512' '' \
	'trace-convert: <stdin>: 2 events are skipped: an optional field has a comma or a newline (event 1 is the first)\ntrace-convert: <stdin>: event 3 is skipped: the last optional field ends in a carriage return' 2 \
	'0.1\t0\tR\t8\t1\t-\tx1=a,b\n0.1\t0\tR\t8\t1\t-\tx1=a\\x0ab\n0.1\t0\tR\t8\t1\t-\tx1=a\\x0d\n'
try '-e' "trace-convert -T spc -e 'size = 4096' example.spc" '0,7695360,4096,R,2.346628\n1,10274472,4096,R,2.436645\n2,30845544,4096,W,2.449733\n1,10356592,4096,W,2.449733' '*\n*skipped' 2
try '-T is needed' 'trace-convert Financial1.spc' '' 'trace-convert: the format to write is missing: -T NAME (try trace-convert --help)' 2
try 'a format that cannot be written' 'trace-convert -T text Financial1.spc' '' 'trace-convert: -T text: no format that can be written (*) (try trace-convert --help)' 2

# Laplace: references and the kernel's events.
try 'references come back: binary' 'trace-filter -H "event?" refs.bin | trace-convert -T laplace | cmp - refs.bin'
try 'their text from them, and back' 'trace-convert -T laplace-text refs.bin > refs.txt; laplace-bin2txt refs.bin | cmp - refs.txt; trace-convert -T laplace refs.txt | cmp - refs.bin'
try 'in the other byte order' 'trace-convert -T laplace -O order=big refs.bin > big; trace-filter -O order=big -H "event?" big | trace-convert -T laplace | cmp - big; laplace-bin2txt --order big big > a; laplace-bin2txt refs.bin | cmp - a'
try 'one record of each order' 'trace-convert -T laplace --addr-unit 1 -O order=big > a; od -An -tx1 a; trace-filter -O order=big -b "event?" a | trace-convert -T laplace --addr-unit 1 -O order=little | od -An -tx1' \
	' 72 00 00 00 00 00 00 00 05 08 00 00 00 07 00 00\n 10 00\n 72 05 00 00 00 00 00 00 00 08 07 00 00 00 00 10\n 00 00' '' 0 '5\t7\tr\t4096\t8\t-\n'
try 'kernel events come back, with a plain last line' 'trace-filter -H "event?" kernel.txt | trace-convert -T laplace-text > a; sed "s/^c.*/c/" kernel.txt | cmp - a'
try 'all kinds of them' 'trace-convert -T laplace-text tags.txt > a; sed "s/^c.*/c/" tags.txt | cmp - a'
try 'what a record lacks is 0, a file -, the end c' 'trace-convert -T laplace-text --addr-unit 1' 'X a 3 0 0 0 -\n< f 0 0 0 0 200 0\nr 10 0 0 40\nc' '' 0 \
	'10\t3\texec\t-\t-\t-\n15\t-\tread\t512\t-\t-\n16\t-\tr\t0x40\t-\t-\n'
try 'only one end' 'trace-convert -T laplace-text' 's a 3\nc' '' 0 '10\t3\tschedule\t-\t-\t-\n10\t-\tend\t-\t-\t-\n'
try 'arguments in hex, decimal, and beyond' 'trace-convert -T laplace-text' 'A a 3 ff\nA a 3 ff\nc' '*: 2 events are skipped: an argument is not a whole number from 0 (event 3 is the first)' 2 \
	'10\t3\tspace\t-\t-\t-\tspace=0xff\n10\t3\tspace\t-\t-\t-\tspace=255\tother=5\n10\t3\tspace\t-\t-\t-\tspace=-1\n10\t3\tspace\t-\t-\t-\tspace=me\n'
try 'columns that a record has no place for' 'trace-convert -T laplace-text --addr-unit 1' 's a 3\nc' '*: 1 event lost a part that laplace-text cannot hold: addr\n*: size\n*: dur' 0 '10\t3\tschedule\t5\t6\t7\n'
try 'what no reference can be' 'trace-convert -T laplace --addr-unit 1 > a; s=$?; laplace-bin2txt a; exit $s' 'r 5 8 7 1000' \
	"*: event 1 is skipped: the event of a reference must be one letter\n*: event 2 is skipped: no addr\n*: event 3 is skipped: addr is wider than 32 bits\n*: event 4 is skipped: size is greater than 255\n*: event 5 is skipped: loc is wider than 32 bits\n*: event 6 is skipped: loc is not a number" 2 \
	'5\t7\tread\t4096\t8\t-\n5\t7\tr\t-\t8\t-\n5\t7\tr\t0x100000000\t8\t-\n5\t7\tr\t4096\t256\t-\n5\t0x100000000\tr\t4096\t8\t-\n5\ta\tr\t4096\t8\t-\n5\t7\tr\t4096\t8\t-\n'
try 'a reference of 255 bytes, the most' 'trace-convert -T laplace --addr-unit 1 > a; laplace-bin2txt a' 'r 5 ff 7 1000' '' 0 '5\t7\tr\t4096\t255\t-\n'
try 'a clock that goes back is written, and told' 'trace-convert -T laplace-text --addr-unit 1' 'r 6 8 7 1000\nr 5 8 7 1000' '*: event 2: the clock goes back' 2 '6\t7\tr\t4096\t8\t-\n5\t7\tr\t4096\t8\t-\n'
try 'seconds are counted in ns, not before 0' 'trace-convert -T laplace-text --addr-unit 1' 'r 1dcd6500 8 7 1000' '*: event 1 is skipped: the time is before 0' 2 '-0.1\t7\tr\t4096\t8\t-\n0.5\t7\tr\t4096\t8\t-\n'
try 'a letter that is a tag' 'trace-convert -T laplace-text --addr-unit 1' 'T 5 8 7 1000' '*: event 1 is skipped: the letter is the tag of a kernel event; *' 2 '5\t7\ts\t4096\t8\t-\n5\t7\tT\t4096\t8\t-\n'
try 'that with -O references' 'trace-convert -T laplace-text --addr-unit 1 -O references' 's 5 8 7 1000' '*: event 2 is skipped: the format has no record of this name' 2 '5\t7\ts\t4096\t8\t-\n5\t7\texit\t-\t-\t-\n'
try 'a kernel trace that was cut off gets no end' 'trace-convert -T laplace-text' 's 1 1' '*: the kernel trace was cut off: *' 2 's 1 1\n'
try 'nor does one of which an input is missing' 'trace-convert -T laplace-text - none' 's 1 1' '*none: No such file*' 2 '1\t1\tschedule\t-\t-\t-\n'
printf '1\t1\tschedule\t-\t-\t-\n2\t2\tschedule\t-\t-\t-\n' > chunks
try 'of chunks the last has it' 'for k in 1 2; do trace-convert -T laplace-text --chunk $k/2 chunks; done' 's 1 1\ns 2 2\nc'
try 'names of files that a line cannot hold' 'trace-convert -T laplace-text' 'X 5 7 0 0 0  a b\nc' '*: 2 events are skipped: a name has a newline, or ends in a carriage return (event 1 is the first)' 2 \
	'5\t7\texec\t-\t-\t-\tfile=a\\x0ab\n5\t7\texec\t-\t-\t-\tfile=a\\x0d\n5\t7\texec\t-\t-\t-\tfile=\\x20a\\x20b\n'

# CHARISMA: records of any layout.
try 'CHARISMA comes back as it was: big-endian' 'trace-filter -H "event?" trace.chr | trace-convert -T charisma | cmp - trace.chr'
try 'packed, little-endian' 'f=$FIX/charisma/packed-lp64-le.chr; trace-filter -b "event?" $f | trace-convert -T charisma | cmp - $f' '' '*not known to be open*'
try 'the short request of the iPSC/860' 'f=$FIX/charisma/ipsc860.chr; trace-convert -T charisma $f | cmp - $f'
try 'without its header event: from the metadata' 'trace-filter -H "not header" trace.chr | trace-convert -T charisma | cmp - trace.chr'
try 'without a header, and of another layout: the events' 'charisma-dump --preset cm5 trace.chr | cut -f 1-8 > a; charisma-dump --preset cm5 trace.chr | trace-convert -T charisma --addr-unit 1 -O preset=packed-lp64-be | charisma-dump --preset packed-lp64-be | cut -f 1-8 | cmp - a'
try 'what a record lacks' 'trace-convert -T charisma --addr-unit 1 -o a.chr && charisma-dump --preset lp64-le a.chr | sed 1d' \
	'0.500000000\t3\tread\t4096\t8\t0.250000000\tby=client\tfile_desc=0\toperation_type=CLIENTREQUEST\tasync_id=0\tmemory_offset=0\n0.600000000\tapp:2\twrite\t8192\t100\t-\tby=app\tfile_desc=0\toperation_type=ASYNCHRONOUS,WRITE\tasync_id=4\tappl_id=2\tmemory_offset=0\n0.800000000\tapp:2\tapp-load\t-\t-\t-\tname=x\tpath=""\tuser_id=0\tinitial_load_size=0\tclients=1,2,3\n0.900000000\t2\tjoin\t-\t-\t-\tappl_id=2' \
	'*not known to be open*' 0 \
	'0.5\t3\tread\t4096\t8\t0.25\n0.6\tapp:2\tW\t8192\t100\t9.0\tasync_id=4\toperation_type=ASYNCHRONOUS\n0.8\tapp:2\tapp-load\t-\t-\t-\tname=x\tclients=1,2,3\n0.9\t2\tjoin\t-\t-\t-\tappl_id=2\n'
try 'several requests of a record' 'trace-convert -T charisma --addr-unit 1 -o a.chr && charisma-dump --preset lp64-le --no-state a.chr | cut -f 2,4,12- | sed 1d' \
	'5\t1\trequest=1/2\n6\t1\trequest=2/2\n7\t2\n-\t-\n8\t9' '*do not name exactly one client*' 0 \
	'1.0\t5\tread\t1\t2\t-\tfile_desc=3\trequest=1/3\n1.0\t6\tread\t1\t2\t-\tfile_desc=3\trequest=3/3\n1.0\t7\tread\t2\t2\t-\tfile_desc=3\trequest=2/3\n1.0\t-\tread\t-\t-\t-\trequest=0/0\n1.0\t8\tread\t9\t2\t-\trequest=1/1\n'
try 'whose open it is' 'trace-convert -T charisma -o a.chr && charisma-dump --preset lp64-le a.chr | cut -f 2,3,7 | sed 1d' '3\topen\tby=client\napp:2\topen\tby=app\napp:2\topen\tby=app' '' 0 \
	'1.0\t3\topen\t-\t-\t-\n1.0\tapp:2\topen\t-\t-\t-\n1.0\tapp:2\topen\t-\t-\t-\tby=app\n'
try 'what no record can be' 'trace-convert -T charisma --addr-unit 1 > a; s=$?; charisma-dump --preset lp64-le a | wc -l | tr -d " "; exit $s' '2' \
	'*: event 1 is skipped: the format has no record of this name\n*: event 2 is skipped: no addr\n*: event 3 is skipped: no time stamp can hold the time\n*: 2 events are skipped: a field cannot hold its number (event 4 is the first)\n*: event 5 is skipped: a text is longer than its field\n*: event 7 is skipped: the flags have an unknown name\n*: event 8 is skipped: an argument is not a whole number\n*: event 9 is skipped: loc is not the number of a client*\n*: 1 event lost a part that charisma cannot hold: dur' 2 \
	'1.0\t3\tfoo\t-\t-\t-\n1.0\t3\tread\t-\t-\t-\n-1.0\t3\tread\t5\t-\t-\n1.0\t3\tread\t5\t-\t-\tfile_desc=4294967296\n1.0\t3\topen\t-\t-\t-\tname=012345678901234567890123456789012\n1.0\t3\tread\t5\t-\t-\tmemory_offset=-1\n1.0\t3\topen\t-\t-\t-\topen_flags=NO\n1.0\t3\tjoin\t-\t-\t-\tappl_id=me\n1.0\tx\tjoin\t-\t-\t-\n1.0\t3\tjoin\t-\t-\t0.5\n'
try 'a layout that only a file describes' 'trace-convert -T charisma' '' 'trace-convert: <stdin>: the layout my.layout is described in a file: -O layout=FILE tells which' 2 \
	'##spoor\t1\n##format\tcharisma\n##meta\tlayout=my.layout\n1.0\t3\tread\t5\t-\t-\n##end\n'
try 'the unit of time stamps, and their zero' 'trace-convert -T charisma -o a.chr && charisma-dump --preset lp64-le -A a.chr | cut -f 1,19 && trace-convert -T charisma a.chr | cmp - a.chr' \
	'10.000000000\ttimestamp_unit=0.001\n12.500000000' '*not known*\n*not known*' 0 '##spoor\t1\n##format\tcharisma\n##clock\ts\torigin=10.0\n##meta\ttimestamp_unit=1e-3\n##meta\tstart_date=10\n##meta\ttimestamp=7\n2.5\t3\tread\t5\t-\t-\n##end\n'
try 'the origin of another format becomes the date' 'trace-convert -T charisma -o a.chr && charisma-dump --preset lp64-le -A a.chr | cut -f 1' '10.000000000\n13.000000000' '*' 0 \
	'##spoor\t1\n##format\tdumpi\n##clock\ts\torigin=10.5\n2.5\t3\tread\t5\t-\t-\n##end\n'
try 'two traces: the second one by its own header record, which is told' 'trace-convert -T charisma trace.chr trace.chr > a; s=$?; charisma-dump --preset cm5 a 2> /dev/null | grep -c header; exit $s' '2' '*: event 1: there is a second header record' 2

try 'references: the largest space, and what is beyond' 'trace-convert -T laplace > got; status=$?; wc -c < got; (exit $status)' 18 '*: event 2 is skipped: addr is wider than 32 bits\n*: event 3 is skipped: loc is wider than 32 bits' 2 \
	'1.0\t4294967295\tr\t0x1000\t8\t-\n1.0\t4294967295\tr\t0x100000000\t8\t-\n1.0\t4294967296\tr\t0x1000\t8\t-\n'
try 'references as text: the largest size' 'trace-convert -T laplace-text -O references' 'r 3b9aca00 ff 0 1000\n' '*: event 2 is skipped: *255*' 2 '1.0\t0\tr\t0x1000\t255\t-\n1.0\t0\tr\t0x1000\t256\t-\n'
