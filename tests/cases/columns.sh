# shellcheck shell=sh disable=SC2016  # $1 is a column
# columns.sh - lines of text in columns, -O columns=.
try 'bad lines are told with line and column, skipped and counted' "trace-filter -O columns=msr 'event?'" '0.000000000\th/1\tR\t0\t512\t0.000000100' \
	'trace-filter: <stdin>:1: column 1 (time): "x": not a number\ntrace-filter: <stdin>:3: column 4 (event): "Reed": not one of the names of values\ntrace-filter: <stdin>:4: column 6 (size): this column is missing\ntrace-filter: <stdin>:5: column 5 (addr): "-1": less than 0\ntrace-filter: <stdin>:6: column 6 (size): "0.5": not a whole number\ntrace-filter: <stdin>:7: column 1 (time): "1": the time is before 1970\ntrace-filter: <stdin>: 6 records skipped' 2 \
	'x,h,1,Read,0,512,1\n128166372003061629,h,1,Read,0,512,1\n128166372003061629,h,1,Reed,0,512,1\n128166372003061629,h,1,Read,0\n128166372003061629,h,1,Read,-1,512,1\n128166372003061629,h,1,Read,1,0.5,1\n1,h,1,Read,0,512,1\n'
try 'numbers that are too large' "trace-filter -O columns='time=\$1*s event=\$2 addr=\$3*512' 'event?'" '9223372036.000000000\t-\ta\t18446744073709551104\t-\t-' \
	'trace-filter: <stdin>:2: column 1 (time): "9223372037": longer than 292 years: has it another unit, as [*]ms, [*]us or [*]100ns, or epoch=1601[?]\ntrace-filter: <stdin>:3: column 1 (time): "99999999999999999999": longer than 292 years: *\ntrace-filter: <stdin>:4: column 3 (addr): "36028797018963968": greater than 2^64-1, in its unit\ntrace-filter: <stdin>: 3 records skipped' 2 \
	'9223372036,a,36028797018963967\n9223372037,a,0\n99999999999999999999,a,0\n1,a,36028797018963968\n'
try 'dates: zones, fractions, leap days; and those that are none' "trace-filter -A -O columns='sep=| time=\$1:iso event=e' 'event?'" \
	'951782400.000000000\t-\te\t-\t-\t-\n1172746800.500000000\t-\te\t-\t-\t-\n1172752200.123456789\t-\te\t-\t-\t-\n9214646399.000000000\t-\te\t-\t-\t-' \
	'trace-filter: <stdin>:5: *: "2100-02-29T00:00:00": YYYY-MM-DD*\ntrace-filter: <stdin>:6: *: a zone must be Z*\ntrace-filter: <stdin>:7: *: digits are expected*\ntrace-filter: <stdin>:8: *: the time is before 1970\ntrace-filter: <stdin>:9: *: YYYY*\ntrace-filter: <stdin>:10: *: other text follows the time\ntrace-filter: <stdin>: 6 records skipped' 2 \
	'2000-02-29 00:00:00\n2007-03-01T12:00:00,5+0100\n2007-03-01T12:00:00.1234567899-00:30\n2261-12-31T23:59:59Z\n2100-02-29T00:00:00\n2007-03-01T12:00:00+1\n2007-03-01T12:00:00.\n1970-01-01T00:00:00+01:00\n2262-01-01T00:00:00\n2007-03-01T12:00:00Zx\n'
try 'a number is no date, behind one either' "trace-filter -O columns='time=\$1:iso event=e' 'event?'" '0.000000000\t-\te\t-\t-\t-' 'trace-filter: <stdin>:2: column 1 (time): "5": YYYY*\ntrace-filter: <stdin>: 1 record skipped' 2 '2026-01-01T00:00:00\n5\n'
try 'quotes, CRLF, blanks around; a quote that stays open' "trace-filter -O columns='time=\$1 event=\$2 x=\$3' 'event?'" \
	'1.000000000\t-\ta,b\t-\t-\t-\tx=q"r\n2.000000000\t-\tc\t-\t-\t-\tx=""' \
	'trace-filter: <stdin>:3: a quote is not closed in this line\ntrace-filter: <stdin>:4: text follows a quoted column\ntrace-filter: <stdin>: 2 records skipped' 2 \
	'"1" , "a,b" ,"q""r"\r\n 2,c , \r\n3,"c,d\n4,"c"d,e\n'
try 'a column by its name; one that the header does not have' "trace-filter -O columns='time=\$t event=e size=\${the size}' 'event?'; trace-filter -O columns='time=\$u event=e' 'event?' < /dev/null; echo 'a,b' | trace-filter -O columns='time=\$u event=e' 'event?'" '1.000000000\t-\te\t-\t2\t-' \
	'trace-filter: <stdin>: the first line has no column "u"' 2 'the size,"t"\n2,1\n'
try 'times in TSC ticks of 7 ns; a word for all events; hex' "trace-filter -O columns='sep=| time=\$2*7ns event=load addr=\$1:hex' 'event?'" '0.000000014\t-\tload\t0xfff0\t-\t-' '' 0 'fff0|2\n'
try 'what may be absent' "trace-filter -O columns='time=\$1 event=e size=\$2? dur=\$3*us?? n=\$4?' 'event?'" \
	'1.000000000\t-\te\t-\t-\t-\n2.000000000\t-\te\t-\t5\t0.000002500\tn=x\n3.000000000\t-\te\t-\t5\t-' 'trace-filter: <stdin>:4: column 2 (size): "z": not a number\ntrace-filter: <stdin>: 1 record skipped' 2 '1\n2,5,2.5,x\n3,5,z,-\n4,z\n'
try 'arguments: texts, times, numbers' "trace-filter -O columns='time=\$1 event=e a=\$2 b=\$3*ms c=\$4*2' 'event?'" '1.000000000\t-\te\t-\t-\t-\ta=7\tb=0.001500000\tc=6' '' 0 '1,7,1.5,3\n'
try 'an argument that is a number compares as one' "trace-filter -O columns='time=\$1 event=e a=\$2' -c 'a > 9'" '1' '' 0 '1,10\n1,9\n'
try 'native output leaves lines as they stand' "trace-filter -n -O columns=alibaba R" '1, R ,0,512,1577808000000626' '' 0 '1, R ,0,512,1577808000000626\n1,W,0,512,1577808000000626\n'
try 'without a description, and with two' "trace-filter -f columns 'event?' < /dev/null; trace-filter -O columns=msr -O columns='time=\$1 event=a' a" '' \
	'trace-filter: <stdin>: -O columns=NAME says what the columns are (-O columns=list; columns-layout(5))\ntrace-filter: -O columns: a description is for all inputs; use -O columns:FILE=... for one input' 2
try 'an option of columns, but another format is asked for' "trace-filter -f spc -O columns=msr -c R Financial1.spc" '*' 'trace-filter: -O columns: no input is of the format columns' 0
try 'no description: time=$1' 'trace-filter -O columns="time=\$1" a' '' 'trace-filter: -O columns: event= is missing' 2
try 'no description: event=a' 'trace-filter -O columns="event=a" a' '' 'trace-filter: -O columns: time= is missing' 2
try 'no description: end=$1 event=a' 'trace-filter -O columns="end=\$1 event=a" a' '' 'trace-filter: -O columns: end= needs dur= or time=' 2
try 'no description: time=$1 end=$2 dur=$3 event=a' 'trace-filter -O columns="time=\$1 end=\$2 dur=\$3 event=a" a' '' 'trace-filter: -O columns: time=, end= and dur=: leave one of them out' 2
try 'no description: time=$0 event=a' 'trace-filter -O columns="time=\$0 event=a" a' '' 'trace-filter: -O columns: "time=$0": "0": a column is a number from 1 to 1023' 2
try 'no description: time=$1024 event=a' 'trace-filter -O columns="time=\$1024 event=a" a' '' 'trace-filter: -O columns: "time=$1024": "1024": a column is a number from 1 to 1023' 2
try 'no description: time=$1*5x event=a' 'trace-filter -O columns="time=\$1*5x event=a" a' '' 'trace-filter: -O columns: "time=$1[*]5x": "5x": a unit is *' 2
try 'no description: time=$1*11s event=a' 'trace-filter -O columns="time=\$1*11s event=a" a' '' 'trace-filter: -O columns: *: a unit is at most 10s, or 10000000000' 2
try 'no description: time=1 event=a' 'trace-filter -O columns="time=1 event=a" a' '' 'trace-filter: -O columns: "time=1": "1": a column is expected: *' 2
try 'no description: time=$1 event=$2{a:b' 'trace-filter -O columns="time=\$1 event=\$2{a:b" a' '' 'trace-filter: -O columns: *: } is missing' 2
try 'no description: time=$1 event=a addr=$2{a:b}' 'trace-filter -O columns="time=\$1 event=a addr=\$2{a:b}" a' '' 'trace-filter: -O columns: *: numbers have no names of values' 2
try 'no description: time=$1 event=a addr=$2*ms' 'trace-filter -O columns="time=\$1 event=a addr=\$2*ms" a' '' 'trace-filter: -O columns: *: ns, us, ms and s are units of times' 2
try 'no description: time=$1? event=a' 'trace-filter -O columns="time=\$1? event=a" a' '' 'trace-filter: -O columns: *: no event is without a time and a name' 2
try 'no description: time=$1 event=a loc=a:$1/$2' 'trace-filter -O columns="time=\$1 event=a loc=a:\$1/\$2" a' '' 'trace-filter: -O columns: all parts of loc have names, or none' 2
try 'no description: time=$1 event=a sep=xy' 'trace-filter -O columns="time=\$1 event=a sep=xy" a' '' 'trace-filter: -O columns: *: comma, tab, semicolon, blank or a sign is expected' 2
try 'no description: time=$1 event=a 1x=$2' 'trace-filter -O columns="time=\$1 event=a 1x=\$2" a' '' 'trace-filter: -O columns: *: not a name of at most 31 letters and digits' 2
try 'no description: time=$1 event=a x' 'trace-filter -O columns="time=\$1 event=a x" a' '' 'trace-filter: -O columns: "x": NAME=VALUE is expected' 2
try 'no description: time=$1:iso epoch=1601 event=a' 'trace-filter -O columns="time=\$1:iso epoch=1601 event=a" a' '' 'trace-filter: -O columns: dates have no epoch=1601' 2
try 'no description: time=$1 epoch=1980 event=a' 'trace-filter -O columns="time=\$1 epoch=1980 event=a" a' '' 'trace-filter: -O columns: *: epoch=1970 of Unix or epoch=1601 of Windows is expected' 2
try 'no description: time=$1 event=a size=$2?$3' 'trace-filter -O columns="time=\$1 event=a size=\$2?\$3" a' '' 'trace-filter: -O columns: *: = is expected' 2
try 'no description: time=$1:hex event=a' 'trace-filter -O columns="time=\$1:hex event=a" a' '' 'trace-filter: -O columns: *: a type is iso, clock or time of a time, or hex of addr or size' 2
try 'no description: time=$1 event=a block=0' 'trace-filter -O columns="time=\$1 event=a block=0" a' '' 'trace-filter: -O columns: *: block: not a number from 1 to 1073741824' 2
try 'a default log of fio: its last column is a priority, not an address' "trace-filter -O columns=fio-log 'event?'" '0.000000000\t-\tW\t-\t4096\t0.001000000\tpriority=0\n0.000000000\t-\tR\t512\t4096\t0.001000000\tpriority=0x0004' \
	'trace-filter: <stdin>:2: column -1 (priority): "8192": not one of the names of values\ntrace-filter: <stdin>: -O columns=fio-log reads *, fio-log-old *\ntrace-filter: <stdin>:4: 4 to 6 columns are expected\ntrace-filter: <stdin>:5: 4 to 6 columns are expected\ntrace-filter: <stdin>: 3 records skipped' 2 \
	'1, 1000000, 1, 4096, 0\n1, 1000000, 1, 4096, 8192\n1, 1000000, 0, 4096, 512, 0x0004\n1, 2, 1\n1, 2, 1, 4, 5, 0, 7\n'
try 'so many columns, and no others' "trace-filter -O columns='columns=2 time=\$1 event=\$2' 'event?'" '1.000000000\t-\ta\t-\t-\t-' \
	'trace-filter: <stdin>:2: 2 columns are expected\ntrace-filter: <stdin>:3: 2 columns are expected\ntrace-filter: <stdin>: 2 records skipped' 2 '1,a\n2\n3,a,\n'
try 'absent unless a column begins so; names that begin so' "trace-filter -O columns='time=\$1 event=\$2{ab*:A,c*,*:o} size=\$3?\$-1=x* n=\$4?\$4=*' 'event?'" \
	'1.000000000\t-\tA\t-\t5\t-\tn=xy\n2.000000000\t-\tcd\t-\t-\t-\tn=yx\n3.000000000\t-\to\t-\t-\t-' '' 0 '1,abc,5,xy\n2,cd,5,yx\n3,a,5\n'
for bad in columns=0 columns=3-2 columns=a columns=2-3x columns=1022-1023; do
	try "no description: $bad" "trace-filter -O columns='time=\$1 event=a $bad' a" '' 'trace-filter: -O columns: "columns=*": *' 2
done
try 'no preset' 'trace-filter -O columns=mrs a' '' 'trace-filter: -O columns: mrs: no preset, no description, and no file: No such file or directory' 2
try 'no description: size=$3/' 'trace-filter -O columns="time=\$1 event=\$2 size=\$3/" a' '' 'trace-filter: -O columns: "size=$3/": "/": no text can follow here' 2
try 'no description: loc=$3x' 'trace-filter -O columns="time=\$1 event=\$2 loc=\$3x" a' '' 'trace-filter: -O columns: "loc=$3x": "x": no text can follow here' 2
try 'columns from the end: names of a line with more columns are not those of others' \
	'trace-filter -O columns='\''time=$1 event=$-1{a:A}'\'' "*" | cut -f 1,3' '1.000000000\tA\n2.000000000\tA' \
	'trace-filter: <stdin>:3: column -1 (event): "z": not one of the names of values\ntrace-filter: <stdin>: 1 record skipped' 0 \
	'1,q,a\n2,q,z,a\n3,q,z\n'
try 'pass-through requests of blkparse have no address, and their summary is no record' "trace-filter -O columns=blkparse 'event?' | cut -f 1-5" \
	'0.100000000\t8,0/1\tD\t-\t-\n0.200000000\t8,0/1\tC\t-\t-\n0.300000000\t8,0/1\tI\t-\t-\n0.400000000\t8,0/1\tD\t360\t4096\n0.500000000\t8,0/1\tX\t360\t-' 'trace-filter: <stdin>: 6 lines held no event' 0 \
	'8,0 1 5 0.1 77 D R 36 (12 00 00 00 24 00) [inq]\n  8,0 1 6 0.2 0 C R (12 00 00 00 24 00) [0]\n8,0 1 7 0.3 77 I R 36 [inq]\n8,0 1 8 0.4 77 D R 360 + 8 [dd]\n8,0 1 9 0.5 77 X R 360 / 368 [dd]\nCPU1 (8,0):\n PC Reads Queued:           1,        0KiB\t PC Writes Queued:           0,        0KiB\n PC Read Disp.:          20,        4KiB\t PC Write Disp.:          0,        0KiB\n PC Reads Req.:           7\t\t PC Writes Req.:           0\n PC Reads Compl.:        13\t\t PC Writes Compl.:        0\n Read depth:             1        \t Write depth:             1\n'
try 'a request of biosnoop without a disk: the process is no disk' "trace-filter -O columns=biosnoop 'event?'" '0.000000000\txvda1\tW\t8\t4096\t0.001000000\tcommand=dd\tpid=19\n1.000000000\t-\tW\t8\t4096\t0.001000000\tcommand=dd' '' 0 \
	'0.001  dd  19  xvda1  W 8  4096  1.00\n1.001  dd  19         W 8  4096  1.00\n'
try 'and of biosnoop -Q' "trace-filter -O columns=biosnoop-queue 'event?'" '1.000000000\t-\tW\t8\t4096\t0.001000000\tcommand=dd\tqueued=0.000500000' '' 0 '1.001  dd  19         W 8  4096  0.5  1.00\n'
try 'no event is named -' "trace-filter -O columns='time=\$1 event=-' 'event?'" '' 'trace-filter: -O columns: "event=-": "-": no event has this name' 2
try 'a name of a value that is -' "trace-filter -O columns='time=\$1 event=\$2{a:-,*}' 'event?'" '2.000000000\t-\tb\t-\t-\t-' 'trace-filter: <stdin>:1: column 2 (event): "a": the value is empty\ntrace-filter: <stdin>: 1 record skipped' 2 '1,a\n2,b\n'
try 'whole numbers are whole to their last digit' "trace-filter -O columns='time=\$1 event=e size=\$2' 'event?' | cut -f 5" '52\n52\n0' \
	'*:1: column 2 (size): "52.000000000159": not a whole number\n*:2: *: not a whole number\n*:4: *: not a whole number\n*:6: *: not a whole number\ntrace-filter: <stdin>: 4 records skipped' 0 \
	'1,52.000000000159\n2,51.99999999999999999999\n3,52.0000000000000000\n4,520000000000000001e-16\n5,5.2e1\n6,1e-30\n7,0e-30\n'
try 'an argument that is a point in time counts from where the times do; one with a unit alone is a duration' \
	"trace-filter -O columns='epoch=1970 time=\$1 event=e till=\$2:time*ms for=\$3*s? on=\$4:iso?' 'event?'" '0.000000000\t-\te\t-\t-\t-\ttill=0.500000000\tfor=7.000000000\ton=200.000000000\n1.000000000\t-\te\t-\t-\t-\ttill=-0.500000000' '' 0 \
	'1000,1000500,7,1970-01-01T00:20:00\n1001,999500,,\n'
try 'and with the time of Windows' "trace-filter -O columns='epoch=1601 time=\$1*100ns event=e till=\$2:time*100ns' 'event?'" '0.000000000\t-\te\t-\t-\t-\ttill=1.000000000' '*:2: column 2 (till): "5": the time is before 1970\n*: 1 record skipped' 2 \
	'128166372003061629,128166372013061629\n128166372003061629,5\n'
try 'a date of an argument where times are none' "trace-filter -O columns='time=\$1 event=e till=\$2:iso' a" '' 'trace-filter: -O columns: an argument is a date: time must be one, or epoch=1970' 2
try 'numbers as people write them' "trace-filter -O columns='time=\$1 event=e size=\$2' 'event?'" '' \
	'*"+7": not a number: remove the +\n*".5": not a number: a digit must stand in front of the point\n*"4X": no such unit (ns us ms s m h, K M G T, kB MB GB TB)\n*"<7>": not a number: remove the signs around it\n*"1,234": not a number: remove the commas, or write decimal=comma\n*"12:30": not a number\n*: 6 records skipped' 2 \
	'1,+7\n1,.5\n1,4X\n1,<7>\n1,"1,234"\n1,12:30\n'
try 'a mark of UTF-8 in front' "trace-filter -O columns='time=\$t event=e' 'event?'" '1.000000000\t-\te\t-\t-\t-' '' 0 '\0357\0273\0277t\n1\n'
try 'a mark of UTF-8 in front of the first record, of a part' "cat > mark; for k in 1/2 2/2; do trace-filter --chunk \$k -O columns='time=\$1 event=e' 'event?' mark; done" '1.000000000\t-\te\t-\t-\t-\n2.000000000\t-\te\t-\t-\t-' '' 0 '\0357\0273\02771\n2\n'
try 'lines that carriage returns end' "trace-filter -O columns='time=\$1 event=\$2' 'event?'" '' "*: lines end in carriage returns: convert it first with tr '?r' '?n'" 2 '1,R\r2,W\r'
try 'a mistake: time=1 event=a' "trace-filter -O columns='time=1 event=a' a" '' 'trace-filter: -O columns: "time=1": "1": a column is expected: $1' 2
try 'a mistake: time=when event=a' "trace-filter -O columns='time=when event=a' a" '' 'trace-filter: -O columns: "time=when": "when": a column is expected: $when' 2
try 'a mistake: time= event=a' "trace-filter -O columns='time= event=a' a" '' 'trace-filter: -O columns: "time=": a column is expected: $3; a shell leaves it as it is in single quotes' 2
try 'a mistake: a backslash and a t, time=$1 event=a' "trace-filter -O columns='sep=\\t time=\$1 event=a' a" '' 'trace-filter: -O columns: "sep=?x5ct": "?x5ct": sep=tab is expected' 2
try 'a mistake: time=$1*1e-7 event=a' "trace-filter -O columns='time=\$1*1e-7 event=a' a" '' 'trace-filter: -O columns: *: a unit is a whole number, ns, us, ms, s, B, or both, as in [*]100ns' 2
try 'a mistake: time=$1 event=$2{Read=R}' "trace-filter -O columns='time=\$1 event=\$2{Read=R}' a" '' 'trace-filter: -O columns: *: "Read=R": names stand after a colon: {Read:R}' 2
try 'a mistake: timestamp=$1 event=a' "trace-filter -O columns='timestamp=\$1 event=a' a" '' 'trace-filter: -O columns: time= is missing; names other than time, end, loc, event, addr, size and dur are arguments' 2
try 'a mistake: time-col=2,obj-id-col=5' "trace-filter -O columns='time-col=2,obj-id-col=5' a" '' 'trace-filter: -O columns: *: "time-col": write time=$2 addr=$5 event=R, with your columns' 2
try 'a mistake: time=$1,event=a' "trace-filter -O columns='time=\$1,event=a' a" '' 'trace-filter: -O columns: *: ",event=a": blanks stand between words, no commas' 2
for time in '128166372003061629 $1*100ns' '1577808000000626 $1' '128166372003061629 $1'; do
	try "a time of another unit: $time" "echo ${time% *} | trace-filter -O columns='epoch=1970 event=a time=${time#* }' a" '' '*: longer than 292 years: has it another unit, as [*]ms, [*]us or [*]100ns, or epoch=1601[?]\n*: 1 record skipped' 2
done
for bad in 'cloudphysics 1538323200,12910952128,8,0,1063' 'cloudphysics 0, 1000000, 1, 4096, 0' 'cloudphysics 1, 1000000, 1, 4096, 0' 'blkparse 89967404893312 4892 syslogd 904265560 8 W 6 0 md5hash' \
	'iolog 89967404893312 4892 syslogd 904265560 8 W 6 0 md5hash' 'blkparse X_POSIX 0 write 0 0 1048576 0.0042 0.0051 [OST: 1]' 'blkparse 0.000004 supervise 1950 xvda1 W 13092560 4096 0.74'; do
	try "lines of another form: $bad" "echo '${bad#* }' | trace-filter -O columns=${bad%% *} 'event?' 2> err; echo \$?; grep -v 'skipped\$\\|>:1:' err" \
		"2\ntrace-filter: <stdin>: the lines do not fit -O columns=${bad%% *}" '' 0
done
try 'the rest of a line that begins with - is there' "trace-filter -O columns='time=\$1 event=a x=\$2-?' 'event?'" '1.000000000\t-\ta\t-\t-\t-\tx=b,c\n2.000000000\t-\ta\t-\t-\t-\tx=-,4096\n3.000000000\t-\ta\t-\t-\t-\tx=,4\n4.000000000\t-\ta\t-\t-\t-\n5.000000000\t-\ta\t-\t-\t-' '' 0 \
	'1,b,c\n2,-,4096\n3,,4\n4,-\n5,\n'
MSR='128166372003061629,h,1,Read,0,512,1\n'
try 'lines of one preset alone need no option' "trace-filter 'event?'" '0.000000000\th/1\tR\t0\t512\t0.000000100' '' 0 "$MSR"
try 'lines of several presets, or of one that could be any, name the option' "trace-filter 'event?'" '' \
	'trace-filter: <stdin>: no known format begins like this (its lines fit -O columns=tencent)' 2 '1538323200,8,16,0,7\n1538323201,8,16,1,7\n'
try 'a time that no trace has is of no preset' "trace-filter 'event?'" '' 'trace-filter: <stdin>: no known format begins like this (-O columns=NAME says *, -O columns=auto guesses: columns-layout(5))' 2 '7,R,4096,512,15\n'
try 'a wrong line among the first is of no preset without the option' "trace-filter 'event?'" '' 'trace-filter: <stdin>: no known format *' 2 "${MSR}128166372003061629,h,1,Reed,0,512,1\n"
try 'a wrong line behind the first 20 is told, and of the preset' "{ echo fio version 3 iolog; seq 22 | sed 's|.*|& /f read & 512|'; echo 23 /f reed 1 2; } | trace-filter -c 'event?'" 22 'trace-filter: <stdin>:24: column 3 (event): "reed": not one of the names of values\ntrace-filter: <stdin>: 1 record skipped' 2
try 'with the option it is told' "trace-filter -c -O columns=msr 'event?'" '1' 'trace-filter: <stdin>:2: column 4 (event): "Reed": not one of the names of values\ntrace-filter: <stdin>: 1 record skipped' 2 "${MSR}128166372003061629,h,1,Reed,0,512,1\n"
try 'a preset beside another format; several presets' "printf '7,R,8,512,1577808000000001\n' > a; printf '1,R,8,512,2\n' > c; trace-stats -O columns=msr -O columns=alibaba -a count,'max(addr)' - a \$FIX/spc/Financial1-head.spc | tail -1; trace-filter -O columns=alibaba -c 'event?' c" \
	'*' '' 0 "$MSR"
try 'a description for one file, by its name or the shell'"'"'s signs' "mkdir d; printf '1;a\n' > d/x.csv; printf '0,1,8,r,2.0\n' > y.spc; for f in x.csv '*.csv' d/x.csv; do trace-filter -O columns:\"\$f\"='sep=; time=\$1 event=\$2' 'event?' d/x.csv y.spc; done" \
	'1.000000000\t-\ta\t-\t-\t-\n2.000000000\t0\tR\t1\t8\t-\n1.000000000\t-\ta\t-\t-\t-\n2.000000000\t0\tR\t1\t8\t-\n1.000000000\t-\ta\t-\t-\t-\n2.000000000\t0\tR\t1\t8\t-'
try 'a file for an option that has none' 'trace-filter -O release:x=1 a' '' 'trace-filter: -O release: the option cannot be set for a single file (try trace-filter --help)' 2
try 'a preset with other fields and settings' "trace-filter -A -O columns='tencent sep=; size=\$3 host=\$6 time=\$1*ms' 'event?'" '1538323200.000000000\t7\tR\t8\t16\t-\thost=h' '' 0 '1538323200000;8;16;0;7;h\n'
try 'a preset with time= where it has end=' "trace-filter -O columns='fio-log time=\$1*ms' 'event?'" '5.000000000\t-\tR\t-\t512\t1.000000000\tpriority=0' '' 0 '5000, 1000000000, 0, 512, 0\n'
try 'a preset with a word that is none' "trace-filter -O columns='msr xyz' a" '' 'trace-filter: -O columns: "xyz": NAME=VALUE is expected' 2
try 'a preset with a field twice' "trace-filter -O columns='msr size=\$1 size=\$2' a" '' 'trace-filter: -O columns: "size=\$2": "size": the field is there already' 2
try 'lines without times; an empty one is none' "trace-filter -O columns='time=line event=\$1' 'event?'" '1.000000000\t-\ta\t-\t-\t-\n3.000000000\t-\tb\t-\t-\t-' 'trace-filter: <stdin>: times were made up: one second a line' 0 'a\n\nb\n'
W='fio version 2 iolog\n/d add\n/d read 0 512\n/d wait 1500 0\n/e write 8 512\n/d wait 2500 0\n/d sync 0 0\n'
try 'iolog of version 2: a wait is the time of what follows' "trace-filter -A 'event?'" \
	'0.000000000\t/d\tadd\t-\t-\t-\n0.000000000\t/d\tR\t0\t512\t-\n1.500000000\t/e\tW\t8\t512\t-\n2.500000000\t/d\tsync\t0\t0\t-' '' 0 "$W"
try 'iolog of version 2: without a wait all is at once, which is told' "trace-filter -F time 'event?'" '0.000000000\n0.000000000' 'trace-filter: <stdin>: no line has a time: all times are 0' 0 'fio version 2 iolog\n/d add\n/d read 0 512\n'
try 'iolog of version 2: its waits come back' "trace-export -T fio --v2 --replay-file /d" 'fio version 2 iolog\n/d add\n/d open\n/d read 0 512\n/d wait 1500 0\n/d write 8 512\n/d wait 2500 0\n/d sync 0 0\n/d close\n' 'trace-export: fio has no place for: loc of 4 events' 0 "$W"
try 'a time may be absent where a head has it' "trace-filter -O columns='head={# \$at} time=\$at? event=\$1' 'event?'" '0.000000000\t-\ta\t-\t-\t-\n2.000000000\t-\tb\t-\t-\t-' '' 0 'a\n# 2\nb\n'
M='key,op,size,op_count,key_size\nk1,GET,10,1,3\nk2,SET,20,2,3\nk1,GET,10,1,3\n'
R='*: times were made up: one second a line'
try 'times that were made up: reports, exports and their streams say so' 'cat > m.csv
	trace-stats m.csv | grep made; trace-stats -J m.csv | grep -c "times were made up: one second a line"
	trace-filter -H "event?" m.csv | trace-stats | grep made; trace-filter -bH "event?" m.csv | trace-stats | grep made
	trace-stats -p m.csv > p; trace-stats -m p | grep made
	trace-export -T csv --fields key m.csv | wc -l; trace-convert -O columns="header time=line event=\$op{GET:R,SET:W} addr=\$size*512 size=\$size" --target spc m.csv | wc -l; trace-filter -c "event?" m.csv' \
	'note            times were made up: one second a line\n1\nnote            times were made up: one second a line\nnote            times were made up: one second a line\nnote            times were made up: one second a line\n4\n3\n3\n' \
	"$R\n$R\n$R\n$R\n$R\n$R\n$R\n$R\n$R\n$R" 0 "$M"
try 'times that were made up: pictures and pages' 'trace-plot rate --terminal m.csv | tail -n 1; trace-plot rate -o m.svg m.csv; grep -c "times were made up: one second a line" m.svg
	trace-plot -p rate m.csv > p; trace-plot -m rate --terminal p | tail -n 1; trace-report -o m.html m.csv; grep -q "times were made up: one second a line" m.html && trace-report --terminal m.csv | grep -q "times were made up: one second a line" && echo both' \
	'times were made up: one second a line\n1\ntimes were made up: one second a line\nboth' "$R\n$R\n$R\n$R\n$R" 0
try 'a duration is the difference of two columns' "trace-filter -O columns='time=\$1 event=e dur=\$2-\$3*ms x=\$2-\$1*us?'  'event?'" '1.000000000\t-\te\t-\t-\t0.001500000\tx=0.000002500' \
	'trace-filter: <stdin>:2: column 2 (dur): "1": less than the subtracted column\ntrace-filter: <stdin>:3: column 2 (dur): "3": the subtracted column is missing\ntrace-filter: <stdin>: 2 records skipped' 2 '1,3.5,2\n2,1,3\n2,3\n'
try 'a condition by the name of a column' "trace-filter -O columns='time=\$t event=e size=\$n?\$op=read' 'event?'" '1.000000000\t-\te\t-\t5\t-\n2.000000000\t-\te\t-\t-\t-' '' 0 't,op,n\n1,read,5\n2,write,5\n'
try 'no description: a difference that is no duration' "trace-filter -O columns='time=\$1 event=e size=\$2-\$1' a" '' 'trace-filter: -O columns: *: only durations are a difference: dur=$2-$1, x=$2-$1[*]s' 2
SHAPED="line={\$t# \$who- [\$cpu] \$e: \$rest-} time=\$t event=\$e loc=\$cpu who=\$who rest=\$rest"
try 'shapes: words, numbers, anything, blanks' "trace-filter -O columns='$SHAPED' 'event?'" \
	'1.500000000\t3\ta:b\t-\t-\t-\twho=w\trest=c:\x20d\n2.000000000\t4]\tx\t-\t-\t-\twho=a\x20b\x20[z]\trest=""' 'trace-filter: <stdin>:3: the line fits no line=: $t# and what follows it do not fit "3x w ?3? e: r"\ntrace-filter: <stdin>:4: the line fits no line=: $e and what follows it do not fit "e:r"\ntrace-filter: <stdin>: 2 records skipped' 2 \
	'1.5   w\t[3] a:b: c: d \n  2 a b [z] [4]] x:\n3x w [3] e: r\n4 w [3] e:r\n\n'
try 'shapes: which came farthest of several, and where' "trace-filter -O columns='line={\$t# [\$c] \$e} line={\$t# \$c- put \$n#} time=\$t event=x' 'event?'" '' \
	'trace-filter: <stdin>:1: the line fits no line=: $t# and what follows it do not fit "10:00 ?c? x"\ntrace-filter: <stdin>:2: the line fits no line=: $n# and what follows it do not fit "many"\ntrace-filter: <stdin>:3: the line fits no line=: $e and what follows it do not fit "a b"\ntrace-filter: <stdin>: 3 records skipped' 2 '10:00 [c] x\n1 d put many\n1 [c] a b\n'
for bad in '10:00:00.1 read(3) = 0' '7 10:00:00 read(3) = 0' '[pid  7] 10:00:00 read(3) = 0' '31592 brk(NULL) = 0x558634acb000' 'brk(NULL) = 0x558634acb000' '     0.000037 brk(NULL) = 0' '7 0.000037 brk(NULL) = 0'; do
	try "strace and ltrace with other times: one message: $bad" "cat > other; for p in strace ltrace; do trace-stats -O columns=\$p -g event -a count other; done" '#event\tcount\n#event\tcount' \
		'trace-stats: other: no line fits -O columns=strace: its times must be those of -ttt; columns-layout(5) has awk lines\ntrace-stats: other: no line fits -O columns=ltrace: *' 2 "strace: Process 7 attached\n$bad\n$bad\n$bad\n"
done
try 'shapes: heads hold until the next one; others are skipped' "trace-filter -O columns='head={# \$file-} skip=# sep=blank time=\$1 event=\$2 loc=file:\$file' 'event?'" \
	'1.000000000\ta\x20b\tx\t-\t-\t-\n2.000000000\ta\x20b\ty\t-\t-\t-\n3.000000000\tc\tz\t-\t-\t-' 'trace-filter: <stdin>: 1 line held no event' 0 '# a b\n1 x\n#--\n2 y\n# c\n3 z\n'
PARTS="line={\$p \$t# \$e} line={\$p \$t# \$e ...} begun={\$p \$a- ...} resumed={\$p \$ .. \$b-} time=\$t event=\$e loc=\$p"
try 'shapes: lines that go on in others; one that does not, one without a begin, one begun twice' "trace-filter -O columns='$PARTS' 'event?'" \
	'2.000000000\tq\tb\t-\t-\t-\n1.000000000\tp\tax\t-\t-\t-\n5.000000000\tr\tr2\t-\t-\t-' 'trace-filter: <stdin>:4: the line that this line resumes is missing\ntrace-filter: <stdin>:6: a previous unfinished line is never resumed\ntrace-filter: <stdin>: 2 records skipped' 2 \
	'p 1 a ...\nq 2 b\np 3 .. x\nz 3 .. x\nr 4 r1 ...\nr 5 r2 ...\n'
try 'shapes: 32768 lines wait at once' "seq 32769 | sed 's/.*/& & x .../' | trace-filter -c -O columns='$PARTS' 'event?'" 32768 'trace-filter: <stdin>:32769: too many unfinished lines wait to be resumed\ntrace-filter: <stdin>: 1 record skipped' 2
try 'shapes: no part of such a file, and no lines of it' "printf 'p 1 a\n' > f; trace-filter -O columns='$PARTS' --chunk 1/2 'event?' f; trace-filter -n -O columns='$PARTS' 'event?' f" '' 'trace-filter: f: --chunk: the format columns cannot be cut into parts\ntrace-filter: f: the format columns has no native form that can be written' 2
for bad in 'line={$t$e}|text is expected between two columns' 'line=$t|braces are expected around the shape: *' 'line={$t} time=$1|columns of a line= have names, not numbers' 'line={$t} time=$u|no line= has a column "u"' \
	'begun={$ $t-}|the shape needs a column with a name before the last column, and a - after the last' 'open={$t}|the shape must have a column with a -' 'moved={a}|the shape must have a column' 'bytes=u3|u or i and 1, 2, 4 or 8 bytes are expected, at most 32 times' 'bytes=u4 time=$2|a record of bytes= has 1 columns' \
	'bytes=u4 header time=$1|records of bytes have no lines' 'bytes=u4 time=$1 a=$1-|records of bytes have no lines' 'line={$t} header time=$t|lines that have a shape have no header'; do
	try "no description: ${bad%%|*}" "trace-filter -O columns='event=a ${bad%%|*}' a" '' "trace-filter: -O columns: *${bad#*|}*" 2
done
try 'records of bytes: signs, widths; one that is cut' "printf '\001\377\377\002\000\000\000\200\377\377\377\377\377\377\377\377\002\000' | trace-filter -O columns='bytes=u1,i2,u4,i1,u8 time=\$1 event=e a=\$2*1?? b=\$4*1?? addr=\$5 size=\$3' 'event?'" \
	'1.000000000\t-\te\t18446744073709551615\t2\t-' 'trace-filter: <stdin>:2: the last record has 2 of 16 bytes\ntrace-filter: <stdin>: 1 record skipped' 2
try 'records of bytes: names of values and places of the first integer, and a difference' "printf '\001\002\003\007' | trace-filter -O columns='bytes=u1,u1 time=\$2*ns event=\$1{1:one,*} loc=\$1 dur=\$2-\$1*ns' 'event?'" \
	'0.000000002\t1\tone\t-\t-\t0.000000001\n0.000000007\t3\t3\t-\t-\t0.000000004'
try 'a guess: names of a header, units, what may be absent' "trace-filter -O columns=auto 'event?'" \
	'# guessed from 4 lines of <stdin>\nsep=comma\nheader\ntime=$ts_us*us epoch=1970\t# "1577808000000001", "1577808000000002", "1577808000000009"\nevent=$op{Read:R,Write:W,*}\t# "Read", "Write"\naddr=$offset\t# "8", "16", "24"\nsize=${io size}??\t# "512", "x"\ndur=${lat(ms)}*ms\t# "1.5", "2"\nloc=disk:$disk\t# "a", "b"\nnote=$note?\t# "n"' '' 0 \
	'ts_us,op,offset,io size,lat(ms),disk,note\n1577808000000001,Read,8,512,1.5,a,n\n1577808000000002,Write,16,-,2,b,-\n1577808000000009,Read,24,x,2,a,n\n'
try 'a guess: a preset that fits' "trace-filter -O columns=auto 'event?' | tail -3" 'dur=$7*100ns??\ntime=$1*100ns\nepoch=1601' '' 0 "$MSR"
try 'a guess: no columns' "trace-filter -O columns=auto 'event?'" '' 'trace-filter: <stdin>: found no separator of columns; *' 2 'abc\ndef\n'
try 'a guess: the event is the column with words of requests, not the first one with words' "trace-filter -O columns=auto 'event?' | grep event" 'event=$3{read:R,write:W,*}\t# "read", "write"' '' 0 '1,red,read\n2,blue,write\n3,green,read\n'
try 'a guess: blanks between columns; what gives more columns' "trace-filter -O columns=auto 'event?' | grep sep; printf '1,x,a;b;c;d\n2,x,a;b;c;e\n3,x,a;b;c;f\n' | trace-filter -O columns=auto 'event?' | grep sep" 'sep=blank\nsep=semicolon' '' 0 '1 read 5\n2 write 6\n3 read 7\n'
for size in '1024 size=$3' '1024.5 column3=$3' '1610612736 column3=$3*1'; do
	try "a guess: sizes are whole blocks of 512, and not above a GiB: ${size% *}" "trace-filter -O columns=auto 'event?' | sed -n '5s/	.*//p'" "${size#* }" '' 0 "1,R,512\n2,W,${size% *}\n3,R,512\n"
done
try 'a place that hangs on another column, and one that is the rest of the line, of many lines' "seq 9000 | awk '{ print \$1 \",x,\" (\$1 % 3 ? \"+\" : \"-\") }' > many; for loc in '\$2?\$3=+' '\$2-'; do trace-filter -O columns=\"time=\\\$1 event=e loc=\$loc\" -F loc '*' many; done |
	uniq -c | awk '{ n[\$2] += \$1 } END { print n[\"x\"], n[\"-\"], n[\"x,+\"], n[\"x,-\"] }'" '6000 3000 6000 3000'
try 'a number that is there under a condition' "trace-filter -O columns='time=\$1 event=e size=\$2?\$3=w n=\$2*1?\$3=r' 'event?'" \
	'1.000000000\t-\te\t-\t5\t-\n2.000000000\t-\te\t-\t-\t-\tn=6\n3.000000000\t-\te\t-\t7\t-' '' 0 '1,5,w\n2,6,r\n3,7,w\n'
try 'a guess: blocks by their name' "trace-filter -O columns=auto 'event?' | grep block" 'block=512\t# addr counts these, by its name' '' 0 't,lba,len\n1.5,100,512\n2.5,200,512\n3.5,300,512\n'
try 'a guess: a column of a few numbers holds no names of events' "trace-filter -O columns=auto 'event?' | grep event" 'event=event\t# no column has names' '' 0 't,lba,flag\n1.5,100,0\n2.5,200,1\n3.5,300,1\n4.5,400,0\n'
AT=1700000000.00000
try 'strace on a terminal: a call goes on in the next line, by the process that is left, and of its own name' "trace-filter -O columns=strace 'event?'" \
	"0.000000000\t8\tvfork\t-\t-\t0.000020000\targs=\"\"\tret=9\n0.000002000\t9\tclone\t-\t-\t0.000010000\targs=a,\\x20b\tret=5\n0.000001000\t8\twait4\t-\t-\t0.000070000\targs=-1,\\x20[9]\tret=9\n0.000006000\t8\tclose\t-\t-\t-\targs=3\tret=0" \
	'trace-filter: <stdin>:8: the line that this line resumes is missing\ntrace-filter: <stdin>: 1 record skipped' 2 \
	"${AT}0 vfork(strace: Process 9 attached\n <unfinished ...>\n[pid 8] ${AT}1 <... vfork resumed>) = 9 <0.000020>\n[pid 8] ${AT}1 wait4(-1,  <unfinished ...>\n[pid 9] ${AT}2 clone(a, bstrace: Process 5 attached\n) = 5 <0.000010>\n[pid 9] ${AT}3 +++ exited with 0 +++\n${AT}4 <... vfork resumed>) = 9 <0.000716>\n${AT}5 <... wait4 resumed>[9]) = 9 <0.000070>\n${AT}6 close(3) = 0\n"
try 'strace: a call of another process, of the only one that is known, of one of two' "trace-filter -O columns=strace 'event?' | cut -f 1-3,6" \
	'0.000000000\t7\tread\t0.100000000\n0.000001000\t8\tread\t-\n0.000002000\t9\tread\t-' '*:2: the line that this line resumes is missing\n*:6: the line that this line resumes is missing\n*: 2 records skipped' 0 \
	"[pid 7] ${AT}0 read(3,  <unfinished ...>\n[pid 8] ${AT}1 <... read resumed>) = 1 <0.1>\n${AT}1 <... read resumed>) = 1 <0.1>\n[pid 8] ${AT}1 read(3,  <unfinished ...>\n[pid 9] ${AT}2 read(3,  <unfinished ...>\n${AT}3 <... read resumed>) = 1 <0.2>\n"
try 'strace: a program writes to the terminal within a call, between calls, and in front of one' "trace-filter -O columns=strace 'event?' | cut -f 2-6" \
	'-\twrite\t-\t4\t0.100000000\n8\tclose\t-\t-\t0.100000000\n8\tread\t-\t-\t-' '*:5: the previous line has no end\n*:6: the line fits no line=*\n*: 3 lines held no event\n*: 2 records skipped' 0 \
	"${AT}0 write(2, \"ab\", 4a\nb\n) = 4 <0.1>\n${AT}1 read(3, x\ntwo words[pid 8] ${AT}2 close(1) = 0 <0.1>\n${AT}3 garbage\n12 words\nread(7\n${AT}4 read(1, \"\" <unfinished ...>\n"
try 'strace: a line that is cut off at the end is lost' "trace-filter -c -O columns=strace 'event?'" 1 '*:2: the previous line has no end\n*: 1 record skipped' 2 "${AT}0 close(3) = 0\n${AT}1 read(0, \"ab"
try 'strace: what is open does not wait for ever' "{ echo '${AT}0 read(0, '; seq 100000; echo ') = 1'; echo '${AT}1 close(0) = 0'; } | trace-filter -c -O columns=strace 'event?'" 1 '*: the previous line has no end\n*: * lines held no event\n*: 1 record skipped' 2
try 'strace: a thread that executes a program takes the place of its process' "trace-filter -O columns=strace 'event?' | cut -f 2-3,6" '7\tfutex\t-\n9\texecve\t0.100000000' '' 0 \
	"7 ${AT}0 futex(1 <unfinished ...>\n9 ${AT}1 execve(\"a\" <unfinished ...>\n7 ${AT}2 <... futex resumed>) = ?\n7 ${AT}3 +++ superseded by execve in pid 9 +++\n7 ${AT}4 <... execve resumed>) = 0 <0.1>\n"
try 'strace -y: a path with blanks; strace -p that ends' "trace-filter -O columns=strace 'event?' | cut -f 3-" 'openat\t-\t-\t0.100000000\targs="a\\x20b"\tret=3\nread\t-\t-\t-\targs=0' '' 0 \
	"${AT}0 openat(\"a b\") = 3</a b> <0.1>\n${AT}1 read(0strace: Process 5 detached\n <detached ...>\n"
BLK='8,0 1 1 0.1 7 Q R 8 + 8 [a]\n8,0 1 2 0.2 7 D R 8 + 8 [a]\n'
try 'blkparse: which presets make requests: exports, trace-access' "cat > blk; trace-access -O columns=blkparse blk | tail -1; trace-export -T fio -O columns=blkparse blk" 'nested          0         0      -        0\nfio version 3 iolog' \
	'*: no event is a read or a write with an addr and a size\ntrace-access: requests are read by -O columns=blkparse-q, blkparse-d or blkparse-c\n*: 2 events not written: the name is neither a read *\ntrace-export: fio: requests are read by -O columns=blkparse-q, blkparse-d or blkparse-c' 2 "$BLK"
try 'blkparse-c of a file without C; of Q and D one each' "cat > blk; trace-filter -c -O columns=blkparse-q '*' blk; trace-filter -O columns=blkparse-d '*' blk; trace-filter -O columns=blkparse-c '*' blk" '1\n0.200000000\t8,0\tR\t8\t4096\t-\tcpu=1\tseq=2\tpid=7\trwbs=R\tcommand=[a]' \
	'trace-filter: blk: 1 line held no event: blkparse-q reads action Q, blkparse-d D, blkparse-c C\n*: blkparse-q reads *\ntrace-filter: blk: the lines do not fit -O columns=blkparse-c: *' 2 "$BLK"
try 'blkparse-q: a broken line of its action is told, those of others are not' "trace-filter -c -O columns=blkparse-q '*'" 1 '*:3: column 7 (event): "X": not one of the names of values\n*\n*: 1 line held no event*\n*: 1 record skipped' 2 '8,0 1 1 0.1 7 Q R 8 + 8 [a]\n8,0 1 2 0.2 7 D X x + 8 [a]\n8,0 1 1 0.1 7 Q X 8 + 8 [a]\n'
try 'a condition of a record: of many lines, by a name, from the end' "seq 3000 | awk 'BEGIN { print \"t,n\" } { print \$1 \",\" (\$1 % 3 ? \"a\" : \"bc\") }' > many; trace-filter -c -O 'columns=record=\$1?\$2=a time=\$1 event=\$2' '*' many; trace-filter -c -O 'columns=record=\$t?\$n=b* time=\$t event=\$n' '*' many; trace-filter -c -O 'columns=record=\$1?\$-1=a|bc time=\$1 event=\$2' '*' many" '2000\n1000\n3000' '*: 1000 lines held no event\n*: 2000 lines held no event'
for magic in '\0007tae' 'eat\0007' '\0005tae'; do
	try "a binary trace of blktrace is named: $magic" "trace-stats -a count" '#count' 'trace-stats: <stdin>: offset 0: this is a binary trace of blktrace: blkparse -i FILE | ...' 2 "$magic\\0000\\0000\\0001\\0002"
done
try 'a text that begins with eat is none' "trace-filter '*'" '' '*: no known format begins like this*' 2 'eat\nx\n'
try 'dxt: POSIX and MPI-IO are not added up' "cat > dxt; for p in dxt dxt-mpi; do trace-stats -O columns=\$p -a 'count,sum(size)' dxt | tail -1; done; trace-stats dxt | sed -n 4p" '2\t1000\n1\t1000\nbytes           1000' \
	'trace-stats: dxt: 1 line held no event: dxt reads X_POSIX, dxt-mpi X_MPIIO\n*: 2 lines held no event: dxt reads X_POSIX, dxt-mpi X_MPIIO\n*' 0 '# darshan log version: 3.41\n# DXT, file_id: 1, file_name: /a\n# DXT, rank: 0, hostname: h\n X_MPIIO 0 write 0 0 1000 0.1 0.2\n X_POSIX 0 write 0 0 512 0.1 0.2\n X_POSIX 0 write 0 512 488 0.1 0.2\n'
FT='bash-1 [000] .... 1.5: x: y'
for bad in 'CPU:1 [LOST 123 EVENTS]\nCPU:7 [204600 EVENTS DROPPED]| 204723 events' 'CPU:1 [LOST 1 EVENTS]| 1 event' 'CPU:7 [EVENTS DROPPED]\nCPU:1 [LOST 2 EVENTS]| 2 events, and others whose number is unknown' 'CPU:1 [LOST EVENTS]| events, whose number is unknown'; do
	try "ftrace: events that were lost, ${bad#*| }" "trace-filter -c -O columns=ftrace '*'" 1 "trace-filter: <stdin>: the recorder lost${bad#*|}" 2 "$FT\n${bad%%|*}\n"
done
try 'ftrace: lost events in the stream, a report, parts' "cat > ft; trace-filter -H -O columns=ftrace '*' ft | tail -1; trace-stats -O columns=ftrace ft | sed -n 3p; for k in 1 2; do trace-filter -c --chunk \$k/2 -O columns=ftrace '*' ft; done" \
	'##error\tevents=2\tlost=5\treason=ft:\\x20the\\x20recorder\\x20lost\\x205\\x20events\nskipped         5\n1\n1' '*: the recorder lost 5 events\n*: the recorder lost 5 events\n*: the recorder lost 5 events' 0 "$FT\nCPU:1 [LOST 2 EVENTS]\nCPU:2 [3 EVENTS DROPPED]\n$FT\n"
try 'ftrace without a first line of trace-cmd, and with old ones: found, and not as perf' "trace-filter '*' | cut -f 2-3" '001/0\tsched_wakeup\n000/3082\tvfs_read' '*: the recorder lost 4 events' 0 \
	'version = 6\nCPU:1 [LOST 4 EVENTS]\n  <idle>-0  [001] d..1.  5012.345678: sched_wakeup: comm=a\n  bash-3082 [000] .....  5012.345700: vfs_read <-ksys_read\n'
try 'perf: processes and threads, and none' "trace-filter -O columns=perf '*' | cut -f 2-3,7-" '003/13\tx\tcommand=a\x20b\tpid=12\targs=y\n003/-\tx\tcommand=:-1\targs=y\n-/7\tx\tcommand=c\tperiod=5\targs=y' '*: the recorder lost 9 events' 0 \
	' a b 12/13 [003] 1.5: x: y\n :-1    -1 [003] 1.6: x: y\n swapper 0 [000] 1.7: PERF_RECORD_LOST lost 9\n c 7 1.8: 5 x: y\n'
try 'ltrace: what a new process returns from, and a call that is interrupted' "trace-filter -O columns=ltrace 'event?' | cut -f 2-3,6" '7\tfork\t0.300000000\n8\tputs\t0.100000000\n7\texit\t-' '*: 1 line held no event' 0 \
	"7 ${AT}0 fork( <unfinished ...>\n8 ${AT}1 <... fork resumed> ) = 0 <0.1>\n7 ${AT}2 <... fork resumed> ) = 8 <0.3>\n8 ${AT}3 puts(\"a\" <no return ...>\n8 ${AT}4 <... puts resumed> ) = 2 <0.1>\n7 ${AT}5 exit(0 <no return ...>\n7 ${AT}6 +++ exited (status 0) +++\n"
try 'a guess: capital letters name events too' "trace-filter -O columns=auto 'event?' | grep event" 'event=$3{READ:R,*}\t# "READ"' '' 0 '1,zz,READ,4096,8\n2,zz,READ,8192,8\n3,zy,READ,4096,8\n'
try 'a number of nine digits may be meant as a column, one of ten is none' "trace-filter -O columns='time=123456789 event=a'; trace-filter -O columns='time=1234567890 event=a'" '' '*: a column is expected: $123456789\n*: a column is expected: $3, $-1, $name, ${a name}' 2 '1,2\n'
try 'times count from the end of the first record where ends are given' "trace-filter -H -O columns='end=\$1 event=\$2 dur=\$3 epoch=1970' '*' | sed -n '3p;5,6p'" '##clock\ts\torigin=1795176305.000000000\n-2.000000000\t-\ta\t-\t-\t2.000000000\n0.000000000\t-\ta\t-\t-\t1.000000000' '' 0 '1795176305,a,2\n1795176306,a,1\n'

seq 300 | awk '{ printf "%d.5 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa %d bbbbbbbbbbbbbbbbbbbb W\n", $1, $1 }' > long.ws
try 'blanks between: columns that lie across 64 bytes, of many lines' "trace-filter -O 'columns=sep=blank time=\$1 event=\$5 size=\$3' -F time,event,size '*' long.ws |
	awk '\$1 == NR \".500000000\" && \$2 == \"W\" && \$3 == NR { n++ } END { print n }'" 300
seq 300 | awk '{ print "0," $1 ".5,W," ($1 % 2 ? "-" : $1 * 8) "," $1 }' > odd.csv
try 'a number that is absent hides none behind it, of many lines' "trace-filter -O 'columns=time=\$2 event=\$3 addr=\$4? size=\$5' -F time,addr,size '*' odd.csv |
	awk '\$1 == NR \".500000000\" && \$2 == (NR % 2 ? \"-\" : NR * 8) && \$3 == NR { n++ } END { print n }'" 300
try 'in parts: every line once' "for k in 1 2 3; do trace-filter -F size --chunk \$k/3 -O 'columns=time=\$2 event=\$3 size=\$5' '*' odd.csv; done | cmp - parts" '' '' 0 "$(seq 300 > parts)"
try 'a column that no line has, where events stand in the last' "trace-filter -c -O 'columns=time=\$2 event=\$-1 addr=\$9' '*' odd.csv 2>&1 | tail -n 1" 0
try 'a guess: a column of numbers and others' "trace-filter -O columns=auto '*' | grep flag" 'flag=$flag*1??\t# "7", "x", "9", ...' '' 0 't,lba,len,flag\n1.5,100,512,7\n2.5,200,512,x\n3.5,300,512,-\n4.5,400,512,9\n5.5,500,512,8\n'
try 'a guess: blanks in names of columns mean nothing' "trace-filter -O columns=auto '*' | grep =.{" 'time=${start time}\t# "1.5", "2.5", "3.5"\nloc=${disk number}\t# "1", "2"' '' 0 'start time,disk number,lba\n1.5,1,100\n2.5,2,200\n3.5,1,300\n'
try 'a slash in a place of one column' "trace-filter -O 'columns=time=\$1 event=\$2 loc=\$3' -F loc '*'" 'a/b' '' 0 '1.5,W,a/b\n'
try 'bytes of 0: no columns are proposed' "trace-filter '*'" '' '*: no known format begins like this (-f FORMAT sets one)' 2 'zz\0000\0002,b\n'
awk 'BEGIN { for (i = 0; i < 50; i++) print "1.5,W,ab,3\n2.5,W,-,3\n3.5,W,\"\",3\n4.5,W,a,3" }' > short.csv
try 'texts of a byte or two, of many lines' "trace-filter -O 'columns=time=\$1 event=\$2 x=\$3' '*' short.csv | cut -f 7 | sort | uniq -c | awk '{ print \$1, \$2 }'" '50 x=""\n50 x=\\x2d\n50 x=a\n50 x=ab'
{ seq 100 | sed 's/$/.5,W,5/'; echo 9999999999,W,6; seq 100 | sed 's/$/.5,W,5/'; } > late.csv
try 'a time too large is told where nobody asks for times' "trace-filter -F size -O 'columns=time=\$1 event=\$2 size=\$3' '*' late.csv | sort | uniq -c | awk '{ print \$1, \$2 }'" '200 5' '*late.csv:101: column 1 (time): "9999999999": longer than 292 years*\n*1 record skipped'
try 'digits in front of the point: none, too many' "trace-filter -O 'columns=time=\$1 event=e size=\$2' '*'" '1234567890.345600000\t-\te\t-\t5\t-' \
	'*:1: column 1 (time): "12345678901234567890.5": longer than 292 years*\n*:2: column 1 (time): ".5": not a number: a digit must stand in front of the point\n*2 records skipped' 2 '12345678901234567890.5,3\n.5,4\n1234567890.3456,5\n'
try 'hexadecimal digits: zeros, and more than 16' "trace-filter -F addr -O 'columns=time=\$1 event=e addr=\$2:hex' '*'" '0x0\n0x0\n0x1f' '*:4: column 2 (addr): "11111111111111111": more than 16 hexadecimal digits\n*:5: column 2 (addr): "": the value is empty\n*2 records skipped' 2 \
	'1.5,0\n2.5,000\n3.5,0000000000000000001f\n4.5,11111111111111111\n5.5,\n'
try 'skip= is all of a line' "trace-filter -c -O 'columns=time=\$1 event=\$2 skip=#' '*'" 1 '*: 2 lines held no event' 0 '#\n1.5,W\n#x\n#\n'
try 'one * of a name' "trace-filter -O 'columns=time=\$1 event=\$2{*:c,*:d}' '*'" '' '*: "event=$2{\*:c,\*:d}": "\*": \* may be given once' 2
try 'a guess: blanks stand in text' "trace-filter -O columns=auto '*' | grep -v '#'" 'sep=comma' '' 0 '1.5,a b c d,4096\n2.5,b c d e,8192\n3.5,c d e f,4096\n'
try 'a guess: names of events, of which some read and write' "trace-filter -O columns=auto '*' | grep event" 'event=$3{READ:R,WRITE:W,*}\t# "FLUSH", "READ", "WRITE"' '' 0 '1,zz,FLUSH,4096,8\n2,zz,READ,8192,8\n3,zy,READ,4096,8\n4,zz,WRITE,8,8\n'
try 'a guess: of two separators of as many columns the comma' "trace-filter -O columns=auto '*' | grep -v '#'" 'sep=comma' '' 0 '1.5,R;W\n2.5,R;R\n3.5,W;R\n'
awk 'BEGIN { for (i = 0; i < 50; i++) printf "1.5,W,a\177b\n2.5,W,a~b\n3.5,W,a b\n4.5,W,a%c%cb\n", 92, 92 }' > odd-text.csv
try 'texts with bytes that are escaped, of many lines' "trace-filter -O 'columns=time=\$1 event=\$2 x=\$3' '*' odd-text.csv | cut -f 7 | sort | uniq -c | awk '{ print \$1, \$2 }'" '50 x=a\\x20b\n50 x=a\\x5c\\x5cb\n50 x=a\\x7fb\n50 x=a~b'
for time in '157780800 time=$1 epoch=1970' '157780800012 time=$1*ms epoch=1970' '157780800012345 time=$1*us epoch=1970' '157780800012345678 time=$1*ns epoch=1970' '13222310400000000 time=$1*100ns epoch=1601'; do
	at=${time%% *}
	try "a guess: since when a time counts, and in what, by its digits: ${at}1" "trace-filter -O columns=auto '*' | grep time | cut -f 1" "${time#* }" '' 0 "${at}1,R,4096,512\n${at}2,W,4096,512\n${at}3,R,8192,512\n"
done
awk 'BEGIN { for (i = 0; i < 200; i++) printf "n%d,d%d,%d.5,R,12\n", i % 2, i % 3, i }' > places.csv
try 'a place of the first two columns, of many lines' "trace-filter -O 'columns=loc=\$1/\$2 time=\$3 event=\$4 size=\$5' '*' places.csv | cut -f 2 | sort | uniq -c | awk '{ print \$1, \$2 }'" '34 n0/d0\n33 n0/d1\n33 n0/d2\n33 n1/d0\n34 n1/d1\n33 n1/d2'
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%d.%s,R,%s\n", i, i == 100 ? "2.5" : "5", i == 150 ? "12.5" : "12" }' > two-points.csv
try 'two points in a time, one in a size, in many lines' "trace-filter -O 'columns=time=\$1 event=\$2 size=\$3' -c 'size = 12' two-points.csv" 198 \
	'trace-filter: two-points.csv:101: column 1 (time): "100.2.5": not a number\ntrace-filter: two-points.csv:151: column 3 (size): "12.5": not a whole number\ntrace-filter: two-points.csv: 2 records skipped' 2
try 'a name of a column that ends in a 9' "trace-filter -O 'columns=time=\$1 event=e b9=\$2' -F b9 '*'" 2 '' 0 '1,2\n'
awk 'BEGIN { for (i = 1; i <= 70000; i++) printf "%d 1577808000.%06d read(3 <unfinished ...>\n%d 1577808000.%06d <... read resumed>, \"x\", 1) = 1 <0.000001>\n", i, i, i, i + 1 }' > many-pids
try 'more processes than waiting lines are known by at a time' 'trace-stats -O columns=strace -g event -a count many-pids' '#event\tcount\nread\t70000'
awk 'BEGIN { for (i = 0; i < 100; i++) printf "%s,R,4096\n", i == 50 ? ".5" : i == 70 ? "" : i ".25" }' > no-digits.csv
try 'a time without a digit in front of its point, in many lines, whose times are not asked for' "trace-filter -O 'columns=time=\$1 event=\$2 size=\$3' -c 'size = 4096' no-digits.csv" 98 \
	'trace-filter: no-digits.csv:51: column 1 (time): ".5": not a number: *\ntrace-filter: no-digits.csv:71: column 1 (time): "": the value is empty\ntrace-filter: no-digits.csv: 2 records skipped' 2
try 'half a nanosecond is rounded up, less is not' "trace-filter -O 'columns=time=\$1 event=\$2 dur=\$3' -F time,dur R" '1.000000001\t0.000000001\n1.000000000\t1.000000000' '' 0 '1.0000000005,R,0.0000000005\n1.0000000004999,R,1.0000000004999\n'
awk 'BEGIN { for (i = 0; i < 100; i++) printf "1,R,ab,xxxxxxxxxxxxxxxxxxxxxxxxx\n" }' > long-behind.csv
try 'a short text before a long column' "trace-filter -O 'columns=time=\$1 event=\$2 x=\$3' '*' long-behind.csv | cut -f 7 | sort -u" 'x=ab'
try 'half a nanosecond of a microsecond with more than nine decimals' "trace-filter -O 'columns=time=\$1*us event=\$2 dur=\$3*us' -F time,dur R" '0.000001001\t0.000001001\n0.000001000\t0.000002000' '' 0 '1.0005000000,R,1.0005000000\n1.00049999,R,2.000499999\n'
try '0x in front of hexadecimal numbers, and zeros' "trace-filter -O columns='time=line event=\$2 addr=\$1:hex a=\$1:hex' 'event?'" '1.000000000\t-\tR\t0x7fc205d61700\t-\t-\ta=0x7fc205d61700\n2.000000000\t-\tR\t0x1f\t-\t-\ta=0x1f\n3.000000000\t-\tR\t0xff\t-\t-\ta=0xff\n4.000000000\t-\tR\t0xfff\t-\t-\ta=0xfff' \
	'*:5: column 1 (addr): "0x": not a hexadecimal number\n*:6: column 1 (addr): "0x12345678901234567": more than 16 hexadecimal digits\n*: times were made up: one second a line\n*: 2 records skipped' 2 '0x00007fc205d61700,R\n0X1f,R\n00000000000000000000fF,R\nfff,R\n0x,R\n0x12345678901234567,R\n'
try '0x in front of an addr without a type' "trace-filter -O columns='time=line event=e addr=\$1' 'event?'" '1.000000000\t-\te\t31\t-\t-' '*: times were made up: one second a line' 0 '0x1f\n'
try 'sizes with units' "trace-filter -O columns='time=line event=e size=\$1*512 n=\$1*3' -F size,n 'event?'" '512\t3\n12288\t12288\n1572864\t1572864\n12288\t12288\n3000\t3000\n1288490189\t1288490189\n2048\t2048\n7\t7' \
	'*:9: column 1 (size): "12ms": a time stands where a size is expected\n*:10: *: "12.3B": not a whole number\n*:11: *: "16777216T": greater than 2^64-1\n*: times were made up: one second a line\n*: 3 records skipped' 2 '1\n12K\n1.5M\n12 KiB\n3kB\n1.2G\n2k\n7B\n12ms\n12.3B\n16777216T\n'
try 'times and durations with units' "trace-filter -O columns='time=\$1 event=e dur=\$1*us x=\$1*ms' 'event?'" \
	'0.012000000\t-\te\t-\t-\t0.012000000\tx=0.012000000\n1.500000000\t-\te\t-\t-\t1.500000000\tx=1.500000000\n0.000003000\t-\te\t-\t-\t0.000003000\tx=0.000003000\n120.000000000\t-\te\t-\t-\t120.000000000\tx=120.000000000\n3600.000000000\t-\te\t-\t-\t3600.000000000\tx=3600.000000000\n0.000000007\t-\te\t-\t-\t0.000000007\tx=0.000000007\n7.000000000\t-\te\t-\t-\t0.000007000\tx=0.007000000' \
	'*:8: column 1 (time): "4K": a size stands where a time is expected\n*:9: column 1 (time): "1m30s": no such unit *\n*: 2 records skipped' 2 '12ms\n1.5 s\n3\0302\0265s\n2min\n1h\n7ns\n7\n4K\n1m30s\n'
try 'an addr in blocks has no unit of bytes' "trace-filter -O columns='time=line event=e addr=\$1 block=512' 'event?'" '' '*: column 1 (addr): "4K": not a number: remove the unit *\n*: times were made up: one second a line\n*: 1 record skipped' 2 '4K\n'
try 'a date and a time of day in two columns' "trace-filter -A -O columns='sep=blank time=\$1+\$2:iso event=\$3 till=\$4+\$5:iso?' 'event?'" '1793606400.500000000\t-\tINFO\t-\t-\t-\n1793606401.123000000\t-\tWARN\t-\t-\t-\ttill=0.500000000' \
	'*:3: column 1 (time): "2026-11-02 8:00": YYYY-MM-DD*\n*:4: column 1 (time): this column is missing\n*: 2 records skipped' 2 '2026-11-02 08:00:00.5 INFO\n2026-11-02 08:00:01,123 WARN 2026-11-02 08:00:01\n2026-11-02 8:00 X\n2026-11-02\n'
try 'and between commas, one of which begins a fraction; with a zone' "printf '2026-11-02,08:00:01,1\n2026-11-02,\"08:00:01,25\",2\n' | trace-filter -A -O columns='time=\$1+\$2:iso event=\$3' 'event?'; printf '2026-11-02 08:00:00,123,a\n' | trace-filter -A -O columns='time=\$1+\$2:iso event=\$3' 'event?'; printf 'd;t;z\n2026-11-02;09:00:00;+0100\n' | trace-filter -A -O columns='sep=; time=\$d+\$t+\${z}:iso event=e' 'event?'" \
	'1793606401.000000000\t-\t1\t-\t-\t-\n1793606401.250000000\t-\t2\t-\t-\t-\n1793606400.123000000\t-\ta\t-\t-\t-\n1793606400.000000000\t-\te\t-\t-\t-'
try 'a date in a head, and times of day' "trace-filter -A -O columns='head={# day \$day} sep=blank time=\$day+\$1:iso event=\$2' 'event?'" '1793606400.250000000\t-\tx\t-\t-\t-' '' 0 '# day 2026-11-02\n08:00:00.25 x\n'
try 'a difference of dates' "trace-filter -O columns='time=\$s:iso event=x dur=\$e:iso-\$s:iso y=\$e-\$s:iso?? z=\$e:iso-\$s?' 'event?'" '0.000000000\t-\tx\t-\t-\t5.500000000\ty=5.500000000\tz=5.500000000' \
	'*:3: column 2 (dur): "Unknown": YYYY*\n*:4: column 2 (dur): "2026-11-02T07:00:05.5": less than the subtracted column\n*: 2 records skipped' 2 's,e\n2026-11-02T08:00:00,2026-11-02T08:00:05.5\n2026-11-02T08:00:00,Unknown\n2026-11-02T08:00:00,2026-11-02T07:00:05.5\n'
try 'a difference of dates of two columns each' "trace-filter -O columns='sep=blank time=\$1+\$2:iso dur=\$3+\$4:iso-\$1+\$2:iso event=e' 'event?'" '0.000000000\t-\te\t-\t-\t86401.000000000' '' 0 '2026-11-02 08:00:00 2026-11-03 08:00:01\n'
try 'the error of a column that is taken off' "trace-filter -O columns='time=\$1 event=e dur=\$2-\$3' 'event?'" '' '*:1: column 3 (dur): "x": not a number\n*: 1 record skipped' 2 '1,2,x\n'
try 'a difference of times of Windows' "trace-filter -O columns='epoch=1601 time=\$1*100ns event=e dur=\$2-\$1*100ns' 'event?'" '0.000000000\t-\te\t-\t-\t1.000000000' '' 0 '128166372003061629,128166372013061629\n'
try 'time and end make a duration' "trace-filter -O columns='time=\$1*ms end=\$2*ms? event=a' 'event?'; trace-filter -O columns='time=\$s:iso end=\$e:iso?? event=a' -c 'dur = 2s' < /dev/null" '0.001000000\t-\ta\t-\t-\t0.004000000\n0.003000000\t-\ta\t-\t-\t-\n0' '*:2: column 2 (dur): "1": less than the subtracted column\n*: 1 record skipped' 1 '1,5\n2,1\n3,-\n'
for bad in 'time=$1*ms end=$2|time= and end= must have the same type and unit' 'end=$1? dur=$2|time= is not given, so end= must have a value in each record' 'time=$1+$2|only dates have several columns: $1+$2:iso' 'time=$1,$2:iso|a date in two columns is $1+$2:iso' 'time=$1 dur=$2:iso|a duration is a difference of dates: $End-$Start:iso' \
	'time=$1+$2+$3+$4:iso|a date has at most 3 columns' 'time=$1 decimal=,|decimal=point or decimal=comma is expected' 'time=$1 till=$2:iso-$1:time|one column is a date, the other one is not'; do
	try "no description: ${bad%%|*}" "trace-filter -O columns='event=a ${bad%%|*}' a" '' "trace-filter: -O columns: *${bad#*|}" 2
done
try 'numbers with a decimal comma' "trace-filter -O columns='sep=; decimal=comma time=\$1 dur=\$2 event=a size=\$3 record=\$1' 'event?'" '1.500000000\t-\ta\t-\t7\t0.500000000\n1.500000000\t-\ta\t-\t1536\t0.003000000\n2.000000000\t-\ta\t-\t1\t0.250000000' \
	'*:3: column 2 (dur): "1.5": not a number: it has a point in spite of decimal=comma\n*:4: column 3 (size): "1,5": not a whole number\n*: 1 line held no event\n*: 2 records skipped' 2 '1,5;0,5;7\n1,5;3 ms;1,5K\n1,5;1.5;3\n1,5;3;1,5\n2;0,25;1\n1.5;1;1\n'
try 'integers of bytes as hexadecimal arguments' "trace-filter -O columns='bytes=u1,u2 time=\$1 event=e addr=\$2:hex' 'event?'" '1.000000000\t-\te\t0x10\t-\t-' '' 0 '\001\020\000'
try 'times of day: midnight begins a day, and a late line is still of the day before' "trace-filter -O columns='time=\$1:clock event=\$2' -F time,event 'event?'" '86399.000000000\ta\n86400.500000000\tb\n86399.900000000\tc\n86401.000000000\td\n136800.000000000\te\n172801.000000000\tf' '' 0 \
  '23:59:59,a\n00:00:00.5,b\n23:59:59.9,c\n00:00:01,d\n14:00:00,e\n00:00:01,f\n'
try 'no time of day' "trace-filter -O columns='time=\$1:clock event=\$2' 'event?'" '' '*: column 1 (time): "24:00:00": not a time of day, as 23:59:59.5\n*: column 1 (time): "12": not a time of day, as 23:59:59.5\n*: 2 records skipped' 2 '24:00:00,a\n12,b\n'
try 'no description: an argument is no time of day' 'trace-filter -O columns="time=\$1 till=\$2:clock event=a" a' '' 'trace-filter: -O columns: *: a type is iso, clock or time of a time, or hex of addr or size' 2
try 'a day, and its time of day in the next column: what to write' "trace-filter -O columns='sep=blank time=\$1:iso event=e' 'event?'" '' '*: column 1 (time): "2026-11-02": no seconds: if they are in the next column, write $1+$2:iso\n*: 1 record skipped' 2 '2026-11-02 08:00:00\n'
for call in 'openat(AT_FDCWD, "x") = 3' '10:00:00 read(3, "", 1) = 0' '7 10:00:00.123456 read(3, "", 1) = 0 <0.1>' '     0.000123 close(3) = 0' '[pid    75] 10:00:00 open("x") = -1 ENOENT (No)'; do
	try "strace without -ttt, and without the option: what to do: $call" "trace-stats" '' 'trace-stats: <stdin>: no known format begins like this (lines of strace need the times of -ttt: columns-layout(5) has awk lines for others)' 2 "$call\n"
done
try 'trace-reuse of all steps of requests: what reads requests' "cat > x; trace-reuse --at 1 -O columns=blkparse x; trace-reuse --at 1 -e 'event = Q' -O columns=blkparse x; trace-reuse --at 1 -O columns=blkparse-q x" '#size\tmisses\tratio\tsample\n1\t1\t0.5\t1\n#size\tmisses\tratio\tsample\n1\t1\t1\t1\n#size\tmisses\tratio\tsample\n1\t1\t1\t1' \
	'trace-reuse: each step of a request was counted: requests are read by -O columns=blkparse-q, blkparse-d or blkparse-c\n*: 1 line held no event: *' 0 '8,0 1 1 0.000000000 697 Q WS 2048 + 8 [dd]\n8,0 1 2 0.000001000 697 D WS 2048 + 8 [dd]\n'
