# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# export.sh - trace-export: values, names, options, what a target cannot carry.
E='1.000000000\t3/a\\x20b\tR\t4096\t512\t0.500000000\tx=5\tfile=/a,b\tq=a"b\\x09c\\x5cd\n2.000000000\t-\tW\t-\t-\t-\tfile=""\tsize=7\tnl=a\\x0ab\tna=NA\tz=007\tneg=-5\te=\\xff\\xc3\\xa9\n'
R='0.000000000\t0\tR\t8\t4096\t0.001000000\n1.500000000\t1\tw\t100\t1000\t-\tx=1\n'

# csv, tsv: a column for each argument; RFC 4180.
try 'csv: a column for each argument of any event, texts without escapes, quotes where they must be' 'trace-export -T csv' \
	'time,loc,event,addr,size,dur,x,file,q,arg.size,nl,na,z,neg,e\n1.000000000,3/a b,R,4096,512,0.500000000,5,"/a,b","a""b\tc\\d",,,,,,\n2.000000000,,W,,,,,"",,7,"a\nb",NA,007,-5,\0377\0303\0251\n' '' 0 "$E"
try 'csv: --null has quotes where a cell needs them' "trace-export -T csv --null 'a,\"b' --fields loc,size" 'loc,size\n1,"a,""b"' '' 0 '0.5\t1\tx\t-\t-\t-\n'
try 'tsv: --null has no TAB; a backslash is its own' "trace-export -T tsv --null '\\N	' --fields loc,size" 'loc\tsize\n1\t\\N\\x09' '' 0 '0.5\t1\tx\t-\t-\t-\n'
try 'csv: a text that looks as if it were absent has quotes' 'trace-export -T csv --null NA | sed -n "\$p"' 'b","NA",007,-5,\0377\0303\0251\n' '' 0 "$E"
F='-1.000000000\t-lo\t=ev\t5\t6\t-\ta==1+1\tb=+x\tc=-5\td=-5e\te=@s\tf=\\x09t\tg=\\x0dr\th=\\x0an\ti=\xef\xbc\x9dx\tj=-0.5\tk=it=1,2\tl=-1e3\t@m==\n'
try 'csv: a text that may be a formula stands as it is' 'trace-export -T csv --fields event,a' 'event,a\n=ev,=1+1\n' '' 0 "$F"
try 'csv --safe-cells: no text begins as a formula does; numbers and the middle of a text are the same' 'trace-export -T csv --safe-cells' \
	"time,loc,event,addr,size,dur,a,b,c,d,e,f,g,h,i,j,k,l,'@m\n-1.000000000,'-lo,'=ev,5,6,,'=1+1,'+x,-5,'-5e,'@s,'\tt,\"'\rr\",\"'\nn\",'\0357\0274\0235x,-0.5,\"it=1,2\",-1e3,'=\n" '' 0 "$F"
try 'tsv --safe-cells, computed values' "trace-export -T tsv --safe-cells --fields 'x = 0 - size, y = lower(a), z = addr - 7'" "x\ty\tz\n-6\t'=1+1\t-2\n" '' 0 "$F"
try 'tsv: no quotes, and no byte that would need them' 'trace-export -T tsv' \
	'time\tloc\tevent\taddr\tsize\tdur\tx\tfile\tq\targ.size\tnl\tna\tz\tneg\te\n1.000000000\t3/a b\tR\t4096\t512\t0.500000000\t5\t/a,b\ta\\x22b\\x09c\\x5cd\t\t\t\t\t\t\n2.000000000\t\tW\t\t\t\t\t\t\t7\ta\\x0ab\tNA\t007\t-5\t\0377\0303\0251\n' '' 0 "$E"
try 'only arguments of events that are written are columns' 'trace-export -T csv -e R | head -n 1' 'time,loc,event,addr,size,dur,x,file,q\n' '' 0 "$E"
try 'no events: the names alone' 'trace-export -T csv' 'time,loc,event,addr,size,dur\n'
try 'of several inputs, and one of them a pipe' 'spc-cat Financial1.spc > f.txt; trace-export -T csv f.txt - | sed -n "1p;162,\$p"' \
	'time,loc,event,addr,size,dur,x\n6.166937000,1,W,55710,3072,,\n0.000000000,0,R,8,4096,0.001000000,\n1.500000000,1,w,100,1000,,1\n' '' 0 "$R"
try 'a file from where standard input stands' '(read -r line; trace-export -T csv) < f.txt | wc -l' '161\n'
try 'a named pipe cannot be read twice' 'mkfifo p; trace-export -T csv p' '' 'trace-export: p: is read twice, so it must be a file, or standard input' 2
try 'but once, with --fields' '{ cat f.txt > p & trace-export -T csv --fields event p | wc -l; wait; }' '162\n'
try '-e with prev is the same in both readings' "trace-export -T csv -e 'addr = prev.addr + 1' -k '' | cut -d, -f4" 'addr\n2\n4\n' '' 0 '1.0\t-\tR\t1\t-\t-\n2.0\t-\tR\t2\t-\t-\n3.0\t-\tR\t3000\t-\t-\n4.0\t-\tR\t3\t-\t-\n5.0\t-\tR\t4\t-\t-\n'
try 'broken records: told once, the others are written' 'trace-export -T csv example.spc > o; s=$?; wc -l < o; (exit $s)' '11\n' 'trace-export: example.spc:9: *\ntrace-export: example.spc: 1 record skipped' 2
try 'times with the origin' 'trace-export -T csv -A --fields time,end' 'time,end\n12.000000000,12.500000000\n' '' 0 '##spoor\t1\n##format\t-\n##clock\ts\torigin=10.000000000\n2.000000000\t-\tR\t-\t-\t0.500000000\n##end\tevents=1\n'
try '--fields: fields, parts and computed values' "trace-export -T csv --fields 'loc2, size, kb = size / 1024, t = time + 1' -e R" 'loc2,size,kb,t\na b,512,0.5,2.000000000\n' '' 0 "$E"
try '--fields: no row is an empty line' 'trace-export -T csv --fields x' 'x\n5\n""\n' '' 0 "$E"
try 'an empty text is not what is absent' 'trace-export -T csv --null NA --fields file,x' 'file,x\n"/a,b",5\n"",NA\n' '' 0 "$E"
try '--fields: a field that no event had' 'trace-export -T csv --fields time,sise' 'time,sise\n1.000000000,\n2.000000000,\n' 'trace-export: no event had a field sise (the nearest name is size); there were *' 2 "$E"
try '--fields: and where another is computed' "trace-export -T csv --fields 'time + 0, sise'" '*' 'trace-export: no event had a field sise *' 2 "$E"
try 'more arguments than columns' "awk 'BEGIN { for (i = 0; i < 4100; i++) printf \"1.0\\t-\\tR\\t-\\t-\\t-\\ta%d=1\\n\", i }' | trace-export -T csv > o; s=\$?; head -n 1 o | tr ',' '\n' | wc -l; (exit \$s)" '4102\n' \
	'trace-export: more than 4096 different arguments: left out the others; use -F or -T jsonl' 2

# jsonl: what jq reads is what stands there.
try 'jsonl: numbers, strings, and nothing of what is absent' 'trace-export -T jsonl' \
	'{"time":1.000000000,"loc":"3/a b","event":"R","addr":4096,"size":512,"dur":0.500000000,"x":5,"file":"/a,b","q":"a\\u0022b\\u0009c\\u005cd"}\n{"time":2.000000000,"event":"W","file":"","arg.size":7,"nl":"a\\u000ab","na":"NA","z":"007","neg":-5,"e":"\\u00ff\0303\0251"}\n' '' 0 "$E"
try 'jsonl --fields: null' "trace-export -T jsonl --fields 'loc, dur, n = size / 0'" '{"loc":"3/a b","dur":0.500000000,"n":null}\n{"loc":null,"dur":null,"n":null}\n' '' 0 "$E"
try 'jsonl: integers to 2^53 are numbers, and greater ones strings' 'trace-export -T jsonl --fields addr,size,dur,a,b,c,d,e' \
	'{"addr":9007199254740992,"size":"9007199254740993","dur":"9223372036.854775807","a":"-9007199254740993","b":"18446744073709551615","c":0.1,"d":"0.12345678901234567890","e":"1e400"}\n' '' 0 \
	'1.0\t-\tR\t9007199254740992\t9007199254740993\t9223372036.854775807\ta=-9007199254740993\tb=18446744073709551615\tc=0.1\td=0.12345678901234567890\te=1e400\n'
try 'jsonl --numbers: as numbers' 'trace-export -T jsonl --numbers --fields size,dur,b' '{"size":9007199254740993,"dur":9223372036.854775807,"b":18446744073709551615}\n' '' 0 \
	'1.0\t-\tR\t-\t9007199254740993\t9223372036.854775807\tb=18446744073709551615\n'
try 'jsonl: addresses in hex are strings, ticks integers' 'trace-export -T jsonl' '{"time":100,"loc":"7","event":"r","addr":"0xff","size":4,"dur":3}\n' '' 0 '100\t7\tr\t0xff\t4\t3\n'
try 'jsonl: of two arguments of one name the first, and those behind them' 'trace-export -T jsonl' '{"time":1.000000000,"event":"R","x":1,"y":3}\n' '' 0 '1.0\t-\tR\t-\t-\t-\tx=1\tx=2\ty=3\n'

try 'an argument called arg.x has a name of its own' 'cat > in; for t in csv jsonl; do trace-export -T $t in; done' \
	'time,loc,event,addr,size,dur,arg.addr,arg.arg.addr\n1.000000000,,R,7,,,3,9\n{"time":1.000000000,"event":"R","addr":7,"arg.addr":3,"arg.arg.addr":9}\n' '' 0 '1.0\t-\tR\t7\t-\t-\taddr=3\targ.addr=9\n'

# Requests: what is left out is told, what cannot be written costs the status.
try 'fio: a file for each place; what is left out is told' 'trace-export -T fio --addr-unit 1' \
	'fio version 3 iolog\n1 /spoor/0 add\n1 /spoor/0 open\n1 /spoor/0 read 8 4096\n1500001 /spoor/1 add\n1500001 /spoor/1 open\n1500001 /spoor/1 write 100 1000\n1500001 /spoor/0 close\n1500001 /spoor/1 close\n' \
	'trace-export: fio has no place for: dur of 1 event, x of 1 event' 0 "$R"
try 'fio --v2 --replay-file' 'trace-export -T fio --addr-unit 1 --v2 --replay-file /dev/null' \
	'fio version 2 iolog\n/dev/null add\n/dev/null open\n/dev/null read 8 4096\n/dev/null wait 1500 0\n/dev/null write 100 1000\n/dev/null close\n' \
	'trace-export: fio has no place for: loc of 2 events, dur of 1 event, x of 1 event' 0 "$R"
try 'fio: names of places that are no name of a file' 'trace-export -T fio --addr-unit 1 > o; s=$?; cut -d " " -f 2 o | sort -u; (exit $s)' '/spoor/3-a\\x20b\nversion\n' '*has no place for*\n*1 event not written: no addr' 2 "$E"
try 'fio: a name with a blank' "trace-export -T fio --replay-file 'a b'" '' 'trace-export: --replay-file a b: fio takes a name of at most 255 bytes without a blank' 2
try 'fio: blocks become bytes' "printf '0,3,512,r,1.000001\n' | trace-export -T fio | sed -n 4p" '1000002 /spoor/0 read 1536 512\n'
try 'fio: or units of -O block=' "printf '0,3,512,r,1.000001\n' | trace-export -T csv -O block=4096 -T fio | sed -n 4p" '1000002 /spoor/0 read 12288 512\n'
T="printf '%s\n' fio blktrace mqsim disksim din 'libcachesim --split 1K' 'oracle --split 1K' | while read -r t"
try 'addresses whose unit nobody says are no bytes: status 2, and nothing is written' "spc-cat Financial1.spc > t; trace-filter -b 'event?' t > t.b; $T; do for f in t t.b; do trace-export -T \$t \$f 2> m; echo \$? \$(cat m); done; done | sort | uniq -c | tr -s ' '" \
	' 7 2 trace-export: t.b: the unit of addr is unknown: give --addr-unit 1 or 512, or write the stream with -H\n 7 2 trace-export: t: the unit of addr is unknown: give --addr-unit 1 or 512, or write the stream with -H\n'
try 'with --addr-unit, or a header, they are those of the trace' "spc-cat -H Financial1.spc > h; $T; do trace-export -T \$t Financial1.spc > a; trace-export -T \$t h | cmp a -; trace-export -T \$t --addr-unit 512 t | cmp a - && trace-export -T \$t --addr-unit 4096 Financial1.spc | cmp a - && echo same; done 2>&1 | grep -v 'no place for' | sort | uniq -c | tr -s ' '" ' 7 same\n'
try 'fio: bytes are blocks of 512' 'trace-export -T fio --addr-unit 512 t | awk "\$3 ~ /read|write/ { print \$4, \$5 }" > a; awk -F, "{ printf \"%.0f %d\\n\", \$2 * 512, \$3 }" Financial1.spc | cmp - a'
try 'where addr stands as it is, its unit is not asked for' 'for t in perfetto chrome csv tsv jsonl oracle libcachesim; do trace-export -T $t t > a || echo $t; done'
try 'libcachesim: with --split one for each page that is touched' 'trace-export -T libcachesim --addr-unit 1 --split 1K' \
	'time,op,loc,obj,size\n0.000000000,read,0,0:0,1024\n0.000000000,read,0,0:1,1024\n0.000000000,read,0,0:2,1024\n0.000000000,read,0,0:3,1024\n0.000000000,read,0,0:4,1024\n1.500000000,write,1,1:0,1024\n1.500000000,write,1,1:1,1024\n' \
	'trace-export: libcachesim has no place for: dur of 1 event, x of 1 event' 0 "$R"
try 'oracle: the next access of each' 'trace-export -T oracle | od -A n -v -t d4 -w24 | tr -s " "' \
	' 0 8 0 512 3 0\n 1 8 256 512 -1 -1\n 2 8 0 512 4 0\n 3 8 0 512 -1 -1\n' '' 0 '0.5\t-\tR\t8\t512\t-\n1.5\t1\tR\t8\t512\t-\n2.5\t0\tW\t8\t512\t-\n3.5\t0\tR\t8\t512\t-\n'
try 'oracle: and without' 'trace-export -T oracle --no-next | od -A n -v -t d4 -w24 | tr -s " "' ' 0 8 0 512 -1 -1\n 1 8 0 512 -1 -1\n' '' 0 '0.5\t-\tR\t8\t512\t-\n1.5\t0\tR\t8\t512\t-\n'
try 'mqsim, disksim: whole sectors' 'cat > in; trace-export -T mqsim --addr-unit 1 in; trace-export -T disksim --addr-unit 1 in' '0 0 0 9 1\n1500000000 1 0 3 0\n0.000000 0 0 9 1\n1500.000000 1 0 3 0\n' \
	'*no place for*\n*mqsim: addr or size of 2 events became whole sectors of 512 bytes\n*no place for*\n*disksim: addr or size of 2 events *' 0 "$R"
try 'disksim: a block is an int' 'trace-export -T disksim --addr-unit 1' '1000.000000 0 2147483645 1 1\n' '*1 event not written: a number is too large' 2 '1.0\t-\tR\t1099511626240\t512\t-\n2.0\t-\tR\t1099511627264\t512\t-\n'
try 'din: addresses of 64 bits, without sizes' 'trace-export -T din' '2 ffffffffffffffff\n' 'trace-export: din has no place for: time of 1 event, loc of 1 event' 0 '1.0\t7\ti\t0xffffffffffffffff\t-\t-\n'
try 'events that are no requests are counted' 'trace-export -T mqsim --addr-unit 1' '1000000000 2 2 1 0\n' \
	'*2 events not written: the name is neither a read nor a write\n*1 event not written: no addr\n*2 events not written: no size\n*1 event not written: the time is below 0\n*1 event not written: a number is too large\n*2 events not written: loc is no number, or is too large' 2 \
	'1.0\t2\tWrite\t1024\t512\t-\n1.0\t2\topen\t1024\t512\t-\n1.0\t2\ti\t1024\t512\t-\n1.0\t2\tR\t-\t512\t-\n1.0\t2\tR\t1\t-\t-\n1.0\t2\tR\t1\t-\t-\n-1.0\t2\tR\t1\t1\t-\n1.0\t2\tR\t18446744073709551615\t1\t-\n1.0\ta\tR\t1\t1\t-\n1.0\t3000000000\tR\t1\t1\t-\n'
try 'a clock of ticks needs --hz' 'trace-export -T fio --addr-unit 1' 'fio version 3 iolog\n' 'trace-export: fio: 1 event not written: the clock counts ticks of unknown length; give --hz N' 2 '100\t-\tr\t1\t4\t-\n'
try '--hz' 'trace-export -T csv --hz 1000 -T mqsim --addr-unit 1' '0 0 1 1 1\n50000000 0 8 1 1\n' '*became whole sectors*' 0 '100\t-\tr\t512\t4\t-\n150\t-\tr\t4096\t512\t-\n'
try 'a time that goes back' 'trace-export -T disksim --addr-unit 1' '2000.000000 0 0 1 1\n2000.000000 0 1 1 1\n3000.000000 0 2 1 1\n' 'trace-export: disksim: 1 event went back in time: written at the time of the previous event' 2 \
	'2.0\t-\tR\t0\t512\t-\n1.0\t-\tR\t512\t512\t-\n3.0\t-\tR\t1024\t512\t-\n'
try 'blktrace: a size above 32 bits' 'trace-export -T blktrace' '' 'trace-export: blktrace: 1 event not written: a number is too large' 2 '1.0\t-\tR\t0\t4294967296\t-\n'

# fio: what its log has besides reads and writes; what it cannot replay.
L='fio version 3 iolog\n100 /d add\n100 /d open\n200 /d trim 8192 4096\n300 /d sync\n400 /d read 0 4096\n500 /d datasync 0 0\n600 /d close\n700 /d open\n800 /d write 0 512\n900 /d close\n'
try 'fio: a log of fio is a log of fio again' 'trace-export -T fio' \
	'fio version 3 iolog\n101 /spoor/-d add\n101 /spoor/-d open\n201 /spoor/-d trim 8192 4096\n301 /spoor/-d sync 0 0\n401 /spoor/-d read 0 4096\n501 /spoor/-d datasync 0 0\n601 /spoor/-d close\n701 /spoor/-d open\n801 /spoor/-d write 0 512\n901 /spoor/-d close\n' '' 0 "$L"
try 'fio: the same in a stream of it, by threads and of version 2' 'cat > v3; trace-export -T fio v3 > a; trace-filter -tH "event?" v3 | trace-export -T fio | cmp - a; trace-filter -bH "event?" v3 | trace-export -T fio | cmp - a; trace-export -T fio --v2 v3' \
	'fio version 2 iolog\n/spoor/-d add\n/spoor/-d open\n/spoor/-d trim 8192 4096\n/spoor/-d sync 0 0\n/spoor/-d read 0 4096\n/spoor/-d datasync 0 0\n/spoor/-d wait 1 0\n/spoor/-d close\n/spoor/-d open\n/spoor/-d write 0 512\n/spoor/-d close\n' '' 0 "$L"
try 'fio: a file is added and open before it is used, once' 'trace-export -T fio | cut -d " " -f 2-' \
	'version 3 iolog\n/spoor/a add\n/spoor/a open\n/spoor/a read 0 512\n/spoor/b add\n/spoor/b open\n/spoor/b write 0 512\n/spoor/a close\n/spoor/a open\n/spoor/a read 0 512\n/spoor/a close\n/spoor/b close\n' '' 0 \
	'1.0\ta\tR\t0\t512\t-\n1.1\ta\topen\t-\t-\t-\n1.2\ta\tadd\t-\t-\t-\n1.3\tb\topen\t-\t-\t-\n1.4\tb\tW\t0\t512\t-\n1.5\tc\tclose\t-\t-\t-\n1.6\ta\tclose\t-\t-\t-\n1.7\ta\tclose\t-\t-\t-\n1.8\ta\tR\t0\t512\t-\n'
try 'fio: what it has no action for' 'trace-export -T fio' 'fio version 3 iolog\n' 'trace-export: fio: 2 events not written: the name is neither a read nor a write' 2 'fio version 3 iolog\n1 /d wait 9 0\n2 /d sync_file_range 0 1\n'
try 'fio, mqsim: requests of no bytes would stop them' 'cat > in; for t in fio mqsim; do trace-export -T $t --addr-unit 1 in | sed "/add/d;/open/d;/close/d"; done' \
	'fio version 3 iolog\n1 /spoor/0 read 0 512\n3 /spoor/0 write 512 512\n0 0 0 1 1\n2000 0 1 1 0\n' '*fio: 2 events not written: the size is 0\n*mqsim: 2 events not written: the size is 0' 0 \
	'0.000000\t0\tR\t0\t512\t-\n0.000001\t0\tR\t512\t0\t-\n0.000002\t0\tW\t512\t512\t-\n0.000003\t0\tW\t512\t0\t-\n'
try 'fio: a size above 32 bits' 'trace-export -T fio --addr-unit 1' 'fio version 3 iolog\n1000001 /spoor/- add\n1000001 /spoor/- open\n1000001 /spoor/- sync 0 0\n1000001 /spoor/- close\n' 'trace-export: fio: 1 event not written: a number is too large' 2 '1.0\t-\tR\t0\t4294967296\t-\n1.0\t-\tsync\t-\t-\t-\n'
try 'fio --v2: milliseconds since the first request, rounded, that rise' 'trace-export -T fio --v2 --addr-unit 1 | grep wait' \
	'/spoor/0 wait 2000 0\n/spoor/1 wait 2001 0\n/spoor/0 wait 2500 0\n' '' 0 \
	'5.0\t0\tR\t0\t512\t-\n7.0\t0\tR\t8\t512\t-\n7.0004\t0\tR\t8\t512\t-\n7.0005\t1\tR\t8\t512\t-\n7.0006\t0\tR\t8\t512\t-\n7.5\t0\tR\t16\t512\t-\n'
try 'blktrace: times begin at 1 ns' 'trace-export -T blktrace --addr-unit 1 | od -A n -v -t u8 -w48 | tr -s " " | cut -d " " -f 3' '1\n1000000001\n' '' 0 '0.0\t0\tR\t0\t512\t-\n1.0\t0\tR\t512\t512\t-\n'

# Caches: what the object is.
K='0,k1,2,10,3,get,0\n1,"a,b",2,10,3,gets,0\n2,k1,2,10,3,set,0\n3,k1,2,10,4,cas,0\n4,7,2,10,4,incr,0\n5,07,2,1,1,add,0\n'
try 'libcachesim -K: texts and numbers as objects' 'trace-export -T libcachesim -O columns=twitter -K key' \
	'time,op,loc,obj,size\n0.000000000,read,3,k1,10\n1.000000000,read,3,a\\x2cb,10\n2.000000000,write,3,k1,10\n3.000000000,write,4,k1,10\n4.000000000,write,4,7,10\n5.000000000,write,1,7,1\n' \
	'*no place for: key_size of 6 events, ttl of 6 events' 0 "$K"
try 'oracle -K: numbers as they are, texts as hash() has them' "cat > in; trace-filter -O columns=twitter -F 'time // 1, if(key = 7, 7, hash(key)), size' 'event?' in | tr '\t' ' ' > want; trace-export -T oracle -O columns=twitter --object key in | od -A n -v -t u8 -w24 | awk '{ print NF }' | uniq; trace-export -T oracle -O columns=twitter -K key in > o; trace-filter -O columns=oracle -F 'time // 1, addr, size' 'event?' o | tr '\t' ' ' | cmp - want; trace-filter -O columns=oracle -F next 'event?' o" \
	'3\n3\n-\n4\n-\n6\n-\n' '*no place for: loc of 6 events, key_size *\n*no place for: loc of 6 events, key_size *' 0 "$K"
try 'without a key there is no object' 'trace-export -T libcachesim -O columns=twitter' 'time,op,loc,obj,size\n' 'trace-export: libcachesim: 6 events not written: no addr: -K KEY says what the object is' 2 "$K"
try 'an event without a value of -K; a delete' 'trace-export -T libcachesim -K x' 'time,op,loc,obj,size\n1.000000000,read,-,5,1\n' '*not written: the name is neither a read nor a write\n*1 event not written: -K has no value' 2 '1.0\t-\tGET\t-\t1\t-\tx=5\n2.0\t-\tGET\t-\t1\t-\n3.0\t-\tdelete\t-\t1\t-\tx=5\n'
try 'a key that no event has' 'trace-export -T oracle -K nokey' '' '*-K has no value\n*no event had a field nokey*' 2 '1.0\t-\tGET\t-\t1\t-\tx=5\n'
try '-K: one value, no pages, no other target' 'trace-export -T oracle -K key,loc; trace-export -T oracle -K key --split 4K; trace-export -T fio -K addr' '' \
	'trace-export: -K: give one value as the key\ntrace-export: -K and --split contradict each other *\ntrace-export: -T fio takes no --object *' 2
try '-K by prev, and -k' "trace-export -T oracle --no-next -K 'prev.addr' -k '' | od -A n -v -t d4 -w24 | tr -s ' '; trace-export -T oracle --chunk 1/2 -K prev.addr in" ' 2 8 0 512 -1 -1\n' '*no place for: loc of 1 event, addr of 1 event\n*1 event not written: -K has no value\ntrace-export: -K: prev, nth and total need all previous events: do not use --chunk' 2 \
	'1.0\ta\tR\t8\t512\t-\n2.0\tb\tR\t9\t512\t-\n'
try 'oracle: without a loc addr has 64 bits, and no other loc may go with it' 'trace-export -T oracle | od -A n -v -t d4 -w24 | tr -s " "' \
	' 1 -1 -1 512 2 0\n 2 -1 -1 512 -1 -1\n 4 8 0 512 -1 -1\n' 'trace-export: oracle: 1 event not written: a number is too large' 0 '1.0\t-\tR\t18446744073709551615\t512\t-\n2.0\t-\tR\t18446744073709551615\t512\t-\n3.0\t7\tR\t8\t512\t-\n4.0\t0\tR\t8\t512\t-\n'

# Each input has numbers of its own for types and places.
printf '1.0\t7\tR\t0\t512\t-\tx=1\n' > in1
printf '2.0\t9\tW\t0\t512\t-\ty=2\n3.0\t7\tR\t0\t512\t-\n' > in2
for t in 'mqsim --addr-unit 1' 'fio --addr-unit 1' libcachesim csv jsonl; do eval "trace-export -T $t in1 in2" 2> /dev/null; done > both
try 'two inputs' 'cat both' '1000000000 7 0 1 1\n2000000000 9 0 1 0\n3000000000 7 0 1 1\nfio version 3 iolog\n1000001 /spoor/7 add\n1000001 /spoor/7 open\n1000001 /spoor/7 read 0 512\n2000001 /spoor/9 add\n2000001 /spoor/9 open\n2000001 /spoor/9 write 0 512\n3000001 /spoor/7 read 0 512\n3000001 /spoor/7 close\n3000001 /spoor/9 close\ntime,op,loc,obj,size\n1.000000000,read,7,7:0,512\n2.000000000,write,9,9:0,512\n3.000000000,read,7,7:0,512\ntime,loc,event,addr,size,dur,x,y\n1.000000000,7,R,0,512,,1,\n2.000000000,9,W,0,512,,,2\n3.000000000,7,R,0,512,,,\n{"time":1.000000000,"loc":"7","event":"R","addr":0,"size":512,"x":1}\n{"time":2.000000000,"loc":"9","event":"W","addr":0,"size":512,"y":2}\n{"time":3.000000000,"loc":"7","event":"R","addr":0,"size":512}\n'

# The command line.
try 'the default is perfetto' 'trace-export Financial1.spc > a; trace-export -T perfetto Financial1.spc | cmp - a'
try 'no such target' 'trace-export -T nosuch' '' 'trace-export: -T nosuch: no such target (--list prints all) (try trace-export --help)' 2
try 'an option of another target' 'trace-export -T fio --split 4K' '' 'trace-export: -T fio takes no --split (try trace-export --help)' 2
try 'of two' 'trace-export -T din -A --fields x' '' 'trace-export: -T din takes no --fields (try trace-export --help)' 2
try 'actions' 'trace-export -T blktrace --actions C' '' 'trace-export: --actions C: Q or QDC is expected' 2
try 'pages of nothing' 'trace-export -T oracle --split 0' '' 'trace-export: --split: *' 2
try '--list' 'trace-export --list | cut -f 1,3 | sed -n "1p;/csv/p;/oracle/p"' 'target\toptions\ncsv\tfields,null,safe-cells,absolute\noracle\taddr-unit,split,no-next,object\n'
try '--list and a target' 'trace-export -T csv --list' '' 'trace-export: *contradict each other *' 2
try '--chunk of what is drawn' 'trace-export --chunk 1/2 Financial1.spc' '' 'trace-export: -T perfetto takes no --chunk (try trace-export --help)' 2
try 'chrome, ctf: a format of any name' 'cat > in; trace-export -T chrome in; trace-export -T ctf -o d in; grep -o "format = .*" d/metadata' \
	'{"otherData":{"format":"x\\u0022y\\u005cz"},"traceEvents":[\n{"ph":"M","pid":4194305,"name":"process_name","args":{"name":"x\\u0022y\\u005cz"}},\n{"ph":"M","pid":4194305,"tid":1,"name":"thread_name","args":{"name":"a"}},\n{"ph":"M","pid":4194305,"tid":1,"name":"thread_sort_index","args":{"sort_index":1}},\n{"ph":"i","s":"t","pid":4194305,"tid":1,"ts":5000000.000,"cat":"x\\u0022y\\u005cz","name":"e"}\n]}\nformat = "x\\"y\\\\z"; };\n' \
	'' 0 '##spoor\t1\n##format\tx"y\\z\n##clock\ts\n5\ta\te\t-\t-\t-\n##end\tevents=1\n'
try 'chrome: a moment, a slice, ticks' 'trace-export -T chrome -C x' '{"otherData":{"format":"-"},"traceEvents":[\n{"ph":"M","pid":4194305,"name":"process_name","args":{"name":"- (ticks)"}},\n{"ph":"M","pid":4194305,"tid":1,"name":"thread_name","args":{"name":"a"}},\n{"ph":"M","pid":4194305,"tid":1,"name":"thread_sort_index","args":{"sort_index":1}},\n{"ph":"i","s":"t","pid":4194305,"tid":1,"ts":0.005,"cat":"-","name":"e","args":{"x":7}},\n{"ph":"C","pid":4194305,"ts":0.005,"name":"x","args":{"value":7}},\n{"ph":"X","pid":4194305,"tid":1,"ts":1.006,"dur":0.003,"cat":"-","name":"f","args":{"size":4}}\n]}\n' '' 0 '5\ta\te\t-\t-\t-\tx=7\n1006\ta\tf\t-\t4\t3\n'
# Threads are shown in the order of their numbers: those of ranks, 0 as that of its process. Others are counted.
try 'chrome: numbers of threads are those of ranks; a second lane stands with its place' "trace-export -T chrome | grep thread_ | tr -d '{}\"'" \
	'ph:M,pid:4194305,tid:3,name:thread_name,args:name:3,\nph:M,pid:4194305,tid:3,name:thread_sort_index,args:sort_index:3,\nph:M,pid:4194305,tid:4194305,name:thread_name,args:name:0,\nph:M,pid:4194305,tid:4194305,name:thread_sort_index,args:sort_index:0,\nph:M,pid:4194305,tid:8388611,name:thread_name,args:name:3 (2),\nph:M,pid:4194305,tid:8388611,name:thread_sort_index,args:sort_index:3,\nph:M,pid:4194305,tid:8388612,name:thread_name,args:name:07,\nph:M,pid:4194305,tid:8388612,name:thread_sort_index,args:sort_index:8388612,\nph:M,pid:4194306,tid:1,name:thread_name,args:name:x,\nph:M,pid:4194306,tid:1,name:thread_sort_index,args:sort_index:1,\nph:M,pid:4194306,tid:2,name:thread_name,args:name:b,\nph:M,pid:4194306,tid:2,name:thread_sort_index,args:sort_index:2,\nph:M,pid:4194306,tid:8388615,name:thread_name,args:name:3,\nph:M,pid:4194306,tid:8388615,name:thread_sort_index,args:sort_index:8388615,\n' '' 0 \
	'0.0\t3\te\t-\t-\t2\n0.0\t0\te\t-\t-\t2\n1.0\t3\te\t-\t-\t2\n1.0\t07\te\t-\t-\t-\n1.0\tp/x\te\t-\t-\t-\n1.0\tp/b\te\t-\t-\t-\n1.0\tp/3\te\t-\t-\t-\n'
