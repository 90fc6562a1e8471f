# shellcheck shell=sh disable=SC2016  # $1 is a column
# columns.sh - lines of text in columns, -O columns=.
try 'bad lines are told with line and column, skipped and counted' "trace-filter -O columns=msr 'event?'" '0.000000000\th/1\tR\t0\t512\t0.000000100' \
	'trace-filter: <stdin>:1: column 1 (time): "x": not a number\ntrace-filter: <stdin>:3: column 4 (event): "Reed": none of the names of values\ntrace-filter: <stdin>:4: column 7 (dur): this column is missing\ntrace-filter: <stdin>:5: column 5 (addr): "-1": less than 0\ntrace-filter: <stdin>:6: column 6 (size): "0.5": not a whole number\ntrace-filter: <stdin>:7: column 1 (time): "1": a time before 1970\ntrace-filter: <stdin>: 6 records skipped' 2 \
	'x,h,1,Read,0,512,1\n128166372003061629,h,1,Read,0,512,1\n128166372003061629,h,1,Reed,0,512,1\n128166372003061629,h,1,Read,0,512\n128166372003061629,h,1,Read,-1,512,1\n128166372003061629,h,1,Read,1,0.5,1\n1,h,1,Read,0,512,1\n'
try 'numbers that are too large' "trace-filter -O columns='time=\$1*s event=\$2 addr=\$3*512' 'event?'" '9223372036.000000000\t-\ta\t18446744073709551104\t-\t-' \
	'trace-filter: <stdin>:2: column 1 (time): "9223372037": longer than 292 years\ntrace-filter: <stdin>:3: column 1 (time): "99999999999999999999": greater than 2^64-1\ntrace-filter: <stdin>:4: column 3 (addr): "36028797018963968": greater than 2^64-1, in its unit\ntrace-filter: <stdin>: 3 records skipped' 2 \
	'9223372036,a,36028797018963967\n9223372037,a,0\n99999999999999999999,a,0\n1,a,36028797018963968\n'
try 'dates: zones, fractions, leap days; and those that are none' "trace-filter -A -O columns='sep=| time=\$1:iso event=e' 'event?'" \
	'951782400.000000000\t-\te\t-\t-\t-\n1172746800.500000000\t-\te\t-\t-\t-\n1172752200.123456789\t-\te\t-\t-\t-\n9214646399.000000000\t-\te\t-\t-\t-' \
	'trace-filter: <stdin>:5: *: "2100-02-29T00:00:00": YYYY-MM-DD*\ntrace-filter: <stdin>:6: *: a zone is Z*\ntrace-filter: <stdin>:7: *: digits are expected*\ntrace-filter: <stdin>:8: *: a time before 1970\ntrace-filter: <stdin>:9: *: YYYY*\ntrace-filter: <stdin>:10: *: this is too much behind a time\ntrace-filter: <stdin>: 6 records skipped' 2 \
	'2000-02-29 00:00:00\n2007-03-01T12:00:00,5+0100\n2007-03-01T12:00:00.1234567899-00:30\n2261-12-31T23:59:59Z\n2100-02-29T00:00:00\n2007-03-01T12:00:00+1\n2007-03-01T12:00:00.\n1970-01-01T00:00:00+01:00\n2262-01-01T00:00:00\n2007-03-01T12:00:00Zx\n'
try 'quotes, CRLF, blanks around; a quote that stays open' "trace-filter -O columns='time=\$1 event=\$2 x=\$3' 'event?'" \
	'1.000000000\t-\ta,b\t-\t-\t-\tx=q"r\n2.000000000\t-\tc\t-\t-\t-\tx=""' \
	'trace-filter: <stdin>:3: a quote is not closed in this line\ntrace-filter: <stdin>:4: there is text behind a quoted column\ntrace-filter: <stdin>: 2 records skipped' 2 \
	'"1" , "a,b" ,"q""r"\r\n 2,c , \r\n3,"c,d\n4,"c"d,e\n'
try 'a column by its name; one that the header does not have' "trace-filter -O columns='time=\$t event=e size=\${the size}' 'event?'; trace-filter -O columns='time=\$u event=e' 'event?' < /dev/null; echo 'a,b' | trace-filter -O columns='time=\$u event=e' 'event?'" '1.000000000\t-\te\t-\t2\t-' \
	'trace-filter: <stdin>: the first line has no column "u"' 2 'the size,"t"\n2,1\n'
try 'times in TSC ticks of 7 ns; a word for all events; hex' "trace-filter -O columns='sep=| time=\$2*7ns event=load addr=\$1:hex' 'event?'" '0.000000014\t-\tload\t0xfff0\t-\t-' '' 0 'fff0|2\n'
try 'what may be absent' "trace-filter -O columns='time=\$1 event=e size=\$2? dur=\$3*us?? n=\$4?' 'event?'" \
	'1.000000000\t-\te\t-\t-\t-\n2.000000000\t-\te\t-\t5\t0.000002500\tn=x\n3.000000000\t-\te\t-\t5\t-' 'trace-filter: <stdin>:4: column 2 (size): "z": not a number\ntrace-filter: <stdin>: 1 record skipped' 2 '1\n2,5,2.5,x\n3,5,z,-\n4,z\n'
try 'arguments: texts, times, numbers' "trace-filter -O columns='time=\$1 event=e a=\$2 b=\$3*ms c=\$4*2' 'event?'" '1.000000000\t-\te\t-\t-\t-\ta=7\tb=0.001500000\tc=6' '' 0 '1,7,1.5,3\n'
try 'an argument that is a number compares as one' "trace-filter -O columns='time=\$1 event=e a=\$2' -c 'a > 9'" '1' '' 0 '1,10\n1,9\n'
try 'native output leaves lines as they stand' "trace-filter -n -O columns=alibaba R" '1, R ,0,512,1577808000000626' '' 0 '1, R ,0,512,1577808000000626\n1,W,0,512,1577808000000626\n'
try 'without a description, and with two' "trace-filter -f columns 'event?' < /dev/null; trace-filter -O columns=msr -O columns=msr a" '' \
	'trace-filter: <stdin>: -O columns=NAME says what the columns are (-O columns=list; columns-layout(5))\ntrace-filter: -O columns: only one description can be chosen' 2
try 'an option of columns, but another format is asked for' "trace-filter -f spc -O columns=msr -c R Financial1.spc" '*' 'trace-filter: -O columns: no input is of the format columns' 0
try 'no description: time=$1' 'trace-filter -O columns="time=\$1" a' '' 'trace-filter: -O columns: event= is missing' 2
try 'no description: event=a' 'trace-filter -O columns="event=a" a' '' 'trace-filter: -O columns: time= is missing' 2
try 'no description: end=$1 event=a' 'trace-filter -O columns="end=\$1 event=a" a' '' 'trace-filter: -O columns: end= needs dur=' 2
try 'no description: time=$1 end=$2 dur=$3 event=a' 'trace-filter -O columns="time=\$1 end=\$2 dur=\$3 event=a" a' '' 'trace-filter: -O columns: "end=$2": "end": it is there already' 2
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
try 'no description: time=$1 epoch=1980 event=a' 'trace-filter -O columns="time=\$1 epoch=1980 event=a" a' '' 'trace-filter: -O columns: *: epoch=1970 or epoch=1601 is expected' 2
try 'no description: time=$1 event=a size=$2?$3' 'trace-filter -O columns="time=\$1 event=a size=\$2?\$3" a' '' 'trace-filter: -O columns: *: = is expected' 2
try 'no description: time=$1:hex event=a' 'trace-filter -O columns="time=\$1:hex event=a" a' '' 'trace-filter: -O columns: *: iso of a time or hex of addr is expected' 2
try 'no description: time=$1 event=a block=0' 'trace-filter -O columns="time=\$1 event=a block=0" a' '' 'trace-filter: -O columns: *: block: not a number from 1 to 1073741824' 2
try 'a default log of fio: its last column is a priority, not an address' "trace-filter -O columns=fio-log 'event?'" '0.000000000\t-\tW\t-\t4096\t0.001000000\tpriority=0\n0.000000000\t-\tR\t512\t4096\t0.001000000\tpriority=0x0004' \
	'trace-filter: <stdin>:2: column -1 (priority): "8192": none of the names of values\ntrace-filter: <stdin>: -O columns=fio-log is for *, fio-log-old of *\ntrace-filter: <stdin>:4: 4 to 6 columns are expected\ntrace-filter: <stdin>:5: 4 to 6 columns are expected\ntrace-filter: <stdin>: 3 records skipped' 2 \
	'1, 1000000, 1, 4096, 0\n1, 1000000, 1, 4096, 8192\n1, 1000000, 0, 4096, 512, 0x0004\n1, 2, 1\n1, 2, 1, 4, 5, 0, 7\n'
try 'so many columns, and no others' "trace-filter -O columns='columns=2 time=\$1 event=\$2' 'event?'" '1.000000000\t-\ta\t-\t-\t-' \
	'trace-filter: <stdin>:2: 2 columns are expected\ntrace-filter: <stdin>:3: 2 columns are expected\ntrace-filter: <stdin>: 2 records skipped' 2 '1,a\n2\n3,a,\n'
try 'absent unless a column begins so; names that begin so' "trace-filter -O columns='time=\$1 event=\$2{ab*:A,c*,*:o} size=\$3?\$-1=x* n=\$4?\$4=*' 'event?'" \
	'1.000000000\t-\tA\t-\t5\t-\tn=xy\n2.000000000\t-\tcd\t-\t-\t-\tn=yx\n3.000000000\t-\to\t-\t-\t-' '' 0 '1,abc,5,xy\n2,cd,5,yx\n3,a,5\n'
for bad in columns=0 columns=3-2 columns=a columns=2-3x columns=1022-1023; do
	try "no description: $bad" "trace-filter -O columns='time=\$1 event=a $bad' a" '' 'trace-filter: -O columns: "columns=*": *' 2
done
try 'no preset' 'trace-filter -O columns=mrs a' '' 'trace-filter: -O columns: mrs: no preset, no description, and no file: No such file or directory' 2
try 'no description: size=$3/' 'trace-filter -O columns="time=\$1 event=\$2 size=\$3/" a' '' 'trace-filter: -O columns: "size=$3/": "/": this is too much' 2
try 'no description: loc=$3x' 'trace-filter -O columns="time=\$1 event=\$2 loc=\$3x" a' '' 'trace-filter: -O columns: "loc=$3x": "x": this is too much' 2
try 'columns from the end: names of a line with more columns are not those of others' \
	'trace-filter -O columns='\''time=$1 event=$-1{a:A}'\'' "*" | cut -f 1,3' '1.000000000\tA\n2.000000000\tA' \
	'trace-filter: <stdin>:3: column -1 (event): "z": none of the names of values\ntrace-filter: <stdin>: 1 record skipped' 0 \
	'1,q,a\n2,q,z,a\n3,q,z\n'
