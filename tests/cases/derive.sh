# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# derive.sh - trace-derive: definitions, columns, names, and what cannot be.
spc-cat Financial1.spc > d.txt
E='1.000000000\t3/a\\x20b\tR\t4096\t512\t0.500000000\tx=5\tfile=/tmp/a\tn=1.500\n2.000000000\t-\tW\t-\t-\t-\tfile=b\n'
try 'a computed argument is appended' "trace-derive 'page = addr // 4096'" \
	'1.000000000\t3/a\\x20b\tR\t4096\t512\t0.500000000\tx=5\tfile=/tmp/a\tn=1.500\tpage=1\n2.000000000\t-\tW\t-\t-\t-\tfile=b\n' '' 0 "$E"
try 'each kind as it is written' "trace-derive 'i = 0 - x' 'u = 18446744073709551615' 'd = n' 'r = size / 3' 't = dur' 's = loc' 'e = sub(\"x\", \"x\", \"\")' 'm = sub(\"x\", \"x\", \"-\")'" \
	'1.000000000\t3/a\\x20b\tR\t4096\t512\t0.500000000\tx=5\tfile=/tmp/a\tn=1.500\ti=-5\tu=18446744073709551615\td=1.500\tr=170.66666666666666\tt=0.500000000\ts=3/a\\x20b\te=""\tm=\\x2d\n2.000000000\t-\tW\t-\t-\t-\tfile=b\tu=18446744073709551615\te=""\tm=\\x2d\n' '' 0 "$E"
try 'an argument of the name is replaced in its place, or dropped where the value is absent' "trace-derive 'x = x + 1' 'file = if(R, base(file), n)' 'n=2'" \
	'1.000000000\t3/a\\x20b\tR\t4096\t512\t0.500000000\tx=6\tfile=a\tn=2\n2.000000000\t-\tW\t-\t-\t-\tn=2\n' '' 0 "$E"
try 'NAME= drops' "trace-derive file= n= x=" \
	'1.000000000\t3/a\\x20b\tR\t4096\t512\t0.500000000\n2.000000000\t-\tW\t-\t-\t-\n' '' 0 "$E"
try 'what is dropped and defined again stands at the end' "trace-derive x= 'x = 1' -- -" \
	'1.000000000\t3/a\\x20b\tR\t4096\t512\t0.500000000\tfile=/tmp/a\tn=1.500\tx=1\n2.000000000\t-\tW\t-\t-\t-\tfile=b\tx=1\n' '' 0 "$E"
try 'columns' "trace-derive 'time = time * 2' 'addr = addr + 1' 'size = 7' 'dur = 0.25' 'loc = part(loc, \"/\", 2)' 'event = if(R, \"read it\", event)'" \
	'2.000000000\ta\\x20b\tread\\x20it\t4097\t7\t0.250000000\tx=5\tfile=/tmp/a\tn=1.500\n4.000000000\t-\tW\t-\t7\t0.250000000\tfile=b\n' '' 0 "$E"
try 'columns are dropped' 'trace-derive addr= size= dur= loc= file= x= n=' '1.000000000\t-\tR\t-\t-\t-\n2.000000000\t-\tW\t-\t-\t-\n' '' 0 "$E"
try 'an address in hex stays so' "trace-derive 'addr = addr + 1'" '1.000000000\t-\tr\t0x100\t-\t-\n' '' 0 '1.000000000\t-\tr\t0xff\t-\t-\n'
try 'a clock of ticks: times are ticks' "trace-derive 'time = time + 5' 'd = time - 1' 'dur = 3'" '105\t-\tr\t-\t-\t3\td=104\n' '' 0 '100\t-\tr\t-\t-\t-\n'
try 'ticks from 2^63 on' "trace-derive 'time = time + 1' 'd = time'" '18446744073709551615\t-\tr\t-\t-\t-\td=18446744073709551615\n' '' 0 '18446744073709551614\t-\tr\t-\t-\t-\n'
try 'a size may be a real number that is whole' "trace-derive 'size = size / 2'" '1.000000000\t-\tr\t-\t256\t-\n' '' 0 '1.000000000\t-\tr\t-\t512\t-\n'

# What a column cannot be: told once, and the status is 2.
try 'no time: the event keeps its own' "trace-derive 'time = x'" '1.000000000\t-\tr\t-\t-\t-\n2.000000000\t-\tr\t-\t-\t-\tx=a\n5.000000000\t-\tr\t-\t-\t-\tx=5\n' \
	'trace-derive: <stdin>: event 1: time cannot be absent: the field stays as it was\ntrace-derive: time: the value did not fit in 2 events' 2 \
	'1.000000000\t-\tr\t-\t-\t-\n2.000000000\t-\tr\t-\t-\t-\tx=a\n3.000000000\t-\tr\t-\t-\t-\tx=5\n'
try 'a time beyond 292 years' "trace-derive 'time = x'" '1.000000000\t-\tr\t-\t-\t-\tx=9223372037\n-1.000000000\t-\tr\t-\t-\t-\tx=-1\n' \
	'trace-derive: <stdin>: event 1: time cannot be "9223372037": the field stays as it was' 2 \
	'1.000000000\t-\tr\t-\t-\t-\tx=9223372037\n1.000000000\t-\tr\t-\t-\t-\tx=-1\n'
try 'a size below 0, or with a fraction' "trace-derive 'size = x'" '1.000000000\t-\tr\t-\t-\t-\tx=-1\n1.000000000\t-\tr\t-\t-\t-\tx=1.5\n1.000000000\t-\tr\t-\t18446744073709551615\t-\tx=18446744073709551615\n1.000000000\t-\tr\t-\t-\t-\n' \
	'trace-derive: <stdin>: event 1: size cannot be "-1": the field becomes absent\ntrace-derive: size: the value did not fit in 2 events' 2 \
	'1.000000000\t-\tr\t-\t9\t-\tx=-1\n1.000000000\t-\tr\t-\t9\t-\tx=1.5\n1.000000000\t-\tr\t-\t9\t-\tx=18446744073709551615\n1.000000000\t-\tr\t-\t9\t-\n'
try 'a name that is empty' "trace-derive 'event = x'" '1.000000000\t-\tr\t-\t-\t-\tx=""\n1.000000000\t-\t\\x2d\t-\t-\t-\tx=\\x2d\n' \
	'trace-derive: <stdin>: event 1: event cannot be "*": the field stays as it was' 2 \
	'1.000000000\t-\tr\t-\t-\t-\tx=""\n1.000000000\t-\tr\t-\t-\t-\tx=\\x2d\n'
try 'trouble reaches whoever reads the stream' "trace-derive -b 'size = 0 - 1' | trace-filter -t r" '1.000000000\t-\tr\t-\t-\t-\n' \
	'trace-derive: <stdin>: event 1: size cannot be "-1": the field becomes absent\ntrace-filter: <stdin>: the producer of this stream had trouble (0 events lost): *' 2 '1.000000000\t-\tr\t-\t-\t-\n'

# Names.
try 'any name, quoted' "trace-derive '\"a b\" = 1' '\"x=y\" = 2' '\"and\" = 3' '\"q\\\"r\"=4'" '1.000000000\t-\tr\t-\t-\t-\ta\\x20b=1\tx\\x3dy=2\tand=3\tq"r=4\n' '' 0 '1.000000000\t-\tr\t-\t-\t-\n'
try 'such a name is read back' "trace-derive -b '\"a b\" = 1' | trace-filter -F '\"a\\\\x20b\"' r" '1\n' '' 0 '1.000000000\t-\tr\t-\t-\t-\n'
try 'an argument called like a column' "trace-derive 'arg.time = 5' 'arg.size = arg.time + 1'" '1.000000000\t-\tr\t-\t-\t-\ttime=5\tsize=6\n' '' 0 '1.000000000\t-\tr\t-\t-\t-\n'
try 'the long name of an argument' "trace-derive 'x = 1' 'y = arg.x + 1' 'loc1 = 7' 'z = arg.loc1'" '1.000000000\t-\tr\t-\t-\t-\tx=1\ty=2\tloc1=7\tz=7\n' '' 0 '1.000000000\t-\tr\t-\t-\t-\n'
try 'a name that no event had, beside a computed key: the fields that there were' "trace-stats -g 'nosuch, p = addr // 8' kernel.txt | wc -l" '*' \
	'trace-stats: no event had a field nosuch; there were time, loc, event, addr, size, dur, end, *file*'
try 'a file with = in its name' 'cp d.txt a=b; trace-derive dur= ./a=b | cmp - a=b; trace-derive dur= -- a=b | cmp - a=b'
try 'no file of that name' 'trace-derive x=addr ./c=d' '' 'trace-derive: ./c=d: No such file or directory' 2
try 'no definition' 'trace-derive d.txt' '' 'trace-derive: a definition is missing: NAME=EXPR (try trace-derive --help)' 2
try 'a comparison is none' 'trace-derive x==1 d.txt' '' 'trace-derive: a definition is missing: NAME=EXPR (try trace-derive --help)' 2
try 'an empty name' "trace-derive '\"\"=1' d.txt" '' 'trace-derive: the name is empty\n  ""=1\n  ^' 2
try 'a keyword is no name' "trace-derive x=1 'and=1' d.txt" '' 'trace-derive: NAME = is expected\n  x=1, and=1\n       ^' 2
try 'time cannot be dropped' 'trace-derive time= d.txt' '' 'trace-derive: cannot drop time: every event needs it\n  time=\n  ^' 2
try 'nor can a name' 'trace-derive x=1 event= d.txt' '' 'trace-derive: cannot drop event: every event needs it\n  x=1, event=\n       ^' 2
try 'end is not set' "trace-derive 'end = 5' d.txt" '' 'trace-derive: end is time + dur: set dur\n  end = 5\n  ^' 2
try 'a time is no size' "trace-derive 'time = size' d.txt" '' 'trace-derive: time must be a time, but this value is none\n  time = size\n  ^' 2
try 'a size is no time' "trace-derive 'addr = dur' d.txt" '' 'trace-derive: addr must be a number, but this value is none\n  addr = dur\n  ^' 2
try 'a field that no event had' "trace-derive 'y = sise' d.txt | head -n 1" '0.000000000\t0\tW\t303567\t3584\t-\n' 'trace-derive: no event had a field sise (the nearest name is size); there were *'
try 'no native form' 'trace-derive -n x=1 d.txt' '' 'trace-derive: unknown option -n (try trace-derive --help)' 2
try '--chunk' "trace-derive --chunk 1/2 'p = addr // 8' Financial1.spc > 1; trace-derive --chunk 2/2 'p = addr // 8' Financial1.spc >> 1; trace-derive 'p = addr // 8' Financial1.spc | cmp - 1"
try '--chunk and prev' "trace-derive --chunk 1/2 'p = prev.addr' Financial1.spc" '' 'trace-derive: --chunk reads a part alone, but prev, nth and total need all previous events (try trace-derive --help)' 2

# -e comes first, and prev sees only what it takes; -k.
P='1.000000000\ta\tR\t1\t-\t-\n2.000000000\ta\tW\t2\t-\t-\n3.000000000\tb\tR\t3\t-\t-\n4.000000000\ta\tR\t4\t-\t-\n'
try 'prev is of the same place' "trace-derive 'p = prev.addr' | cut -f3,4,7" 'R\t1\nW\t2\tp=1\nR\t3\nR\t4\tp=2\n' '' 0 "$P"
try '-e: only these events' "trace-derive -e R 'p = prev.addr' | cut -f3,4,7" 'R\t1\nR\t3\nR\t4\tp=1\n' '' 0 "$P"
try "-k '': one key" "trace-derive -k '' 'p = prev.addr' 'gap = time - prev.time' | cut -f4,7,8" '1\n2\tp=1\tgap=1.000000000\n3\tp=2\tgap=1.000000000\n4\tp=3\tgap=1.000000000\n' '' 0 "$P"
try '-k of a computed key' "trace-derive -k 'addr % 2' 'p = prev.addr' | cut -f4,7" '1\n2\n3\tp=1\n4\tp=2\n' '' 0 "$P"
try 'its own last value: runs' "trace-derive -k '' 'run = if(addr = prev.addr + 1, prev.run + 1, 1)' | cut -f4,7" '1\trun=1\n2\trun=2\n3\trun=3\n4\trun=4\n' '' 0 "$P"
try 'a definition sees the columns that were set before it' "trace-derive 'addr = addr + 10' 'y = addr' | cut -f4,7" '11\ty=11\n12\ty=12\n13\ty=13\n14\ty=14\n' '' 0 "$P"

# trace-filter -F.
try '-F with computed and named fields' "trace-filter -H -F 'time, page = addr // 4096, size / dur, x, file' 'event?'" \
	'#time\tpage\tsize/dur\tx\tfile\n1.000000000\t1\t1024\t5\t/tmp/a\n2.000000000\t-\t-\t-\tb\n' '' 0 "$E"
try '-F: texts are escaped as in the stream' "trace-filter -F 'part(loc, \"/\", 2), lower(event), n' 'event?'" 'a\\x20b\tr\t1.500\n-\tw\t-\n' '' 0 "$E"
try 'a column is absent where its value is, whatever other events have' "trace-derive 'dur = dur + 1s' 'size = size + 1' 'addr = addr + 1'" '1.000000000\ta\tR\t1\t6\t1.500000000\n2.000000000\ta\tR\t-\t6\t-\n3.000000000\ta\tR\t5\t-\t-' '' 0 '1.0\ta\tR\t0\t5\t0.5\n2.0\ta\tR\t-\t5\t-\n3.0\ta\tR\t4\t-\t-\n'
try 'the n of part() is whole, and its separator has a byte' "trace-filter -F 'part(loc, \"/\", d), part(loc, s, 1), part(loc, \"/\", 1)' R" '-\t-\ta' '' 0 '1.0\ta/b\tR\t-\t-\t-\td=0.000000001\ts=""\n'
try '-F: prev sees the events that the test drops' "trace-filter -F 'addr, prev.addr' R" '1\t-\n3\t-\n4\t2\n' '' 0 "$P"
try '-F: and without prev only those are computed' "trace-filter -F 'addr + 1' R" '2\n4\n5\n' '' 0 "$P"
try '-F: a name is missing' "trace-filter -F 'addr,,size' R" '' 'trace-filter: -F addr,,size: a name is empty' 2 "$P"
try '-F: a field that no event had' "trace-filter -F 'addr + 1, sise' R" '2\t-\n4\t-\n5\t-\n' 'trace-filter: no event had a field sise (the nearest name is size); there were *' 2 "$P"
try '-F: prev is refused in parts' "trace-filter --chunk 1/2 -F prev.addr R d.txt" '' 'trace-filter: --chunk reads a part alone, but prev, nth and total need all previous events' 2
try 'a copy keeps its text, where all are whole numbers too' 'trace-derive b=x c=loc1 | cut -f 7-' 'x=007\tb=007\tc=0x1f' '' 0 '1.0\t0x1f\tR\t-\t-\t-\tx=007\n'
try 'prev of a field that is now a number, now a text: 0 too' "trace-derive 'p = prev.k' | sed -n 's/.*p=//p'" '5\nq\n0\n-7\n18446744073709551615' '' 0 \
	'1\ta\tx\t-\t0\t-\tk=5\n2\ta\tx\t-\t0\t-\tk=q\n3\ta\tx\t-\t3\t-\tk=0\n4\ta\tx\t-\t4\t-\tk=-7\n5\ta\tx\t-\t4\t-\tk=18446744073709551615\n6\ta\tx\t-\t4\t-\tk=1\n'

# Options stand where they like.
cp d.txt b=1
try 'what stands behind -- is a file, whatever its name' "trace-derive -t x=1 -- b=1 | trace-filter -c 'x = 1'" "$(grep -c . d.txt)"
try 'options stand between definitions and behind files' "trace-derive x=1 -t y=2 d.txt -e R | trace-filter -c 'x = 1 and y = 2 and event = R'" "$(grep -c '	R	' d.txt)"
try 'behind two lists of operands -- is a file' "trace-derive x=1 -- d.txt --" '*' 'trace-derive: --: No such file*' 2
rm b=1
try '--meta: set, added, dropped' "spc-cat -H Financial1.spc | trace-derive -H --meta block=1 --meta who=a=b --meta spc.case= 'addr = addr * 512' | grep -e '^##meta' -e '^0.000000' | sed 3q" '##meta\tblock=1\n##meta\twho=a=b\n0.000000000\t0\tW\t155426304\t3584\t-'
try '--meta: what addr counts is known from there on' "trace-derive -b --meta block=1 'addr = addr * 512' Financial1.spc | trace-export -T fio > a; trace-export -T fio Financial1.spc | cmp - a"
try '--meta of parts and threads' "trace-derive -H --meta block=1 x=1 Financial1.spc > a; trace-derive --tune worth=1 -j 3 -H --meta block=1 x=1 Financial1.spc | cmp - a"
try '--meta of several streams' "spc-cat -b Financial1.spc > a; cat a a | trace-derive -H --meta block=4 x=1 | grep -c 'block=4'" '2'
try '--meta without a key' "trace-derive --meta =1 x=1 Financial1.spc" '' 'trace-derive: --meta =1: KEY=VALUE is expected*' 2
printf '0.0\ta\topen\t-\t1\t-\tfile=/d/%s\n' 007 7 7.0 0x7 1e3 12345678901234567890123 > named
try 'base keeps its text, and is a number where one is needed' "trace-derive 'f = base(file)' 'g = f + 1' 'file =' named | cut -f 7- | head -n 2" 'f=007\tg=8\nf=7\tg=8'
try 'keys of it are told apart' "trace-stats -g 'f = base(file)' -a count --no-header named | wc -l" '6'
try 'tests of it, by text and by value' "trace-filter -c 'base(file) = \"007\"' named; trace-filter -c 'base(file) = 7' named; trace-filter -c 'base(file) > 5' named" '1\n4\n6'
