# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# filter.sh - trace-filter: grep's habits, the forms of output, and fields.
spc-cat -b Financial1.spc > f.bin
spc-cat Financial1.spc > f.txt
try '-c counts' 'trace-filter -c R Financial1.spc; grep -c ,r, Financial1.spc' '23\n23'
try 'nothing matched: status 1' "trace-filter 'size > 1G' Financial1.spc" '' '' 1
try '-c of nothing: status 1' "trace-filter -c 'size > 1G' Financial1.spc" '0' '' 1
try '-q says nothing' 'trace-filter -q W Financial1.spc'
try '-q of nothing: status 1' "trace-filter -q 'size > 1G' Financial1.spc" '' '' 1
try '--head ends it' 'trace-filter --head 3 W Financial1.spc' '0.000000000\t0\tW\t303567\t3584\t-\n0.000000000\t1\tW\t55590\t3072\t-\n0.026214000\t0\tW\t303574\t3584\t-'
try '--head with -v' "trace-filter -v --head 2 -F event,addr W Financial1.spc; grep -v ,w, Financial1.spc | head -n 2 | awk -F , '{ print toupper(\$4) \"\\t\" \$2 }'" 'R\t55596\nR\t55602\nR\t55596\nR\t55602'
try '--head with -c: at most so many' 'trace-filter -c --head 5 W Financial1.spc; trace-filter -c --head 999 R Financial1.spc' '5\n23'
try '--head: of all inputs together, and none behind is opened' 'trace-filter -c --head 24 R Financial1.spc Financial1.spc missing' '24'
try '--head 0: nothing matched' 'trace-filter -c --head 0 W Financial1.spc' '0' '' 1
try '--head ends an input without an end' "yes 0,1,512,r,0.5 | trace-filter --head 2 -F addr R" '1\n1'
try '-v passes what does not match' 'trace-filter -v -c W Financial1.spc' '23'
try '--head: an early stop of a binary stream is no cut one' 'trace-filter -t --head 1 W f.bin' '0.000000000\t0\tW\t303567\t3584\t-'
try '--head: a binary stream is whole' 'trace-filter -b --head 1 W f.bin | trace-filter -t W' '0.000000000\t0\tW\t303567\t3584\t-'
try 'a binary stream gives one' "trace-filter 'event?' f.bin | cmp - f.bin"
try 'a text stream gives one' "trace-filter 'event?' f.txt | cmp - f.txt"
try 'a native format gives the text stream' "trace-filter 'event?' Financial1.spc | cmp - f.txt"
try '-t of a binary stream' "trace-filter -t 'event?' f.bin | cmp - f.txt"
try '-n of a native format: the file as it stands' "trace-filter -n 'event?' Financial1.spc | cmp - Financial1.spc"
try '-n: the lines that match as they stand' 'grep ,w, Financial1.spc > want; trace-filter -n W Financial1.spc | cmp - want'
try '-n of a stream' 'trace-filter -n W f.bin' '' 'trace-filter: f.bin: the format binary has no native form that can be written' 2
try '-n and -A contradict each other' 'trace-filter -n -A W Financial1.spc' '' 'trace-filter: -n and -A contradict each other (try trace-filter --help)' 2
try '-n and -H contradict each other' 'trace-filter -n -H W Financial1.spc' '' 'trace-filter: -n and -H contradict each other (try trace-filter --help)' 2
try '-H -F: a heading, and - for what is absent' 'trace-filter -H --head 1 -F asu,end W Financial1.spc' '#asu\tend\n0\t-'
try '-F: a field that no event had' 'trace-filter -F sise R WebSearch2.spc' '-\n-\n-\n-\n-\n-\n-\n-\n-\n-' \
	'trace-filter: no event had a field sise (the nearest name is size); there were time, loc, event, addr, size, dur, end, asu' 2
try '-A -F: absolute times' 'trace-filter -A -F time,end,dur y' '100.500000000\t102.000000000\t1.500000000' '' 0 \
	'##spoor\t1\n##clock\ts\torigin=100.000000000\n0.5\t-\ty\t-\t-\t1.5\n##end\n'
try 'a part of loc that is empty' 'trace-filter -F loc1,loc2,loc3,loc4 y' 'a\t""\tb\t-' '' 0 '0.5\ta//b\ty\t-\t-\t-\n'
try 'a part of loc that is empty is equal to ""' "trace-filter -c 'loc2 = \"\"'" '1' '' 0 '0.5\ta//b\ty\t-\t-\t-\n'
try '-H of a binary stream is text' "printf '1.000000000\\t0\\tR\\t1\\t2\\t-\\ta=5\\n' > a; trace-filter -b R a | trace-filter -H R" \
	'##spoor\t1\n##format\t-\n##clock\ts\torigin=0.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n1.000000000\t0\tR\t1\t2\t-\ta=5\n##end\tevents=1'
try '-H -t of the same' 'trace-filter -H -t R a' \
	'##spoor\t1\n##format\t-\n##clock\ts\torigin=0.000000000\n#time\tloc\tevent\taddr\tsize\tdur\targs\n1.000000000\t0\tR\t1\t2\t-\ta=5\n##end\tevents=1'
try 'a name of loc that a text stream lacks' "trace-filter 'asu = 1' f.txt" '' \
	"trace-filter: no event had a field asu; there were time, loc, event, addr, size, dur, end; a text stream keeps fewer names than its trace had: write it with -b" 2
try 'its number is there' "trace-filter -c 'loc1 = 1' f.txt" '59'

# Where --head or -q ends it early, nothing is said of fields that may come later.
try '--head ends it before the field, in small reads' "trace-filter --tune read=40 --head 1 'schedule or file = 3' kernel.txt" '1960904166627\t3691\tschedule\t-\t-\t-'
try '--head ends it before the field' "trace-filter --tune read=100000 --head 1 'schedule or file = 3' kernel.txt" '1960904166627\t3691\tschedule\t-\t-\t-'
try '-F and --head end it before the field, in small reads' 'trace-filter --tune read=40 -F time,file --head 1 schedule kernel.txt' '1960904166627\t-'
try '-F and --head end it before the field' 'trace-filter --tune read=100000 -F time,file --head 1 schedule kernel.txt' '1960904166627\t-'
try '-q ends it before the field, in small reads' "trace-filter --tune read=40 -q 'schedule or file = 3' kernel.txt"
try '-q ends it before the field' "trace-filter --tune read=100000 -q 'schedule or file = 3' kernel.txt"

# A value that has a name compares by it, in every form; a number there is told.
dumpi2txt "$FIX"/dumpi/small-0002.bin > d.txt; dumpi2txt -b "$FIX"/dumpi/small-0002.bin > d.bin
try 'the name of a value, native' "trace-filter -c 'datatype = MPI_INT' \$FIX/dumpi/small-0002.bin" '1'
try 'the name of a value, binary' "trace-filter -c 'datatype = MPI_INT' d.bin" '1'
try 'the name of a value, text' "trace-filter -c 'datatype = MPI_INT' d.txt" '1'
try 'the number of a value that has a name, native' "trace-filter -c 'datatype = 9' \$FIX/dumpi/small-0002.bin" '0' \
	'trace-filter: datatype: the value 9 has the name MPI_INT, and is compared as that' 1
try 'the number of a value that has a name, binary' "trace-filter -c 'datatype = 9' d.bin" '0' 'trace-filter: datatype: the value 9 has the name MPI_INT, and is compared as that' \
	1
try 'the number of a value that has a name, text' "trace-filter -c 'datatype = 9' d.txt" '0' '' 1
try 'the number of one without a name, native' "trace-filter -c 'datatype = -77' \$FIX/dumpi/small-0002.bin" '3'
try 'the number of one without a name, binary' "trace-filter -c 'datatype = -77' d.bin" '3'
try 'the number of one without a name, text' "trace-filter -c 'datatype = -77' d.txt" '3'

# A time that does not fit is the least or the greatest.
printf '##spoor\t1\n##clock\ts\torigin=9000000000.0\n9000000000.0\t0\tR\t-\t-\t400000000.0\n##end\tevents=1\n' > far
try 'ticks that are too many seconds' "trace-filter --hz 1 -F time 'time > 1'" '9223372036.854775807' '' 0 '0\t0\tR\t1\t2\t5\n10000000000\t0\tR\t1\t2\t5\n'
try '-A -F beyond the greatest time' 'trace-filter -A -F time R far' '9223372036.854775807'
try '-A beyond the greatest time' "trace-filter -A R far | grep -v '^#'" '9223372036.854775807\t0\tR\t-\t-\t400000000.000000000'
try '-A -b beyond the greatest time' 'trace-filter -A -b R far | trace-filter -F time R' '9223372036.854775807'
try 'an end beyond the greatest time' 'trace-filter -F end R far' '9223372036.854775807'
try 'an end beyond the greatest time, as statistics' "trace-stats -g event -a 'max(end)' far" '#event\tmax(end)\nR\t9223372036.854775807'
try 'a number is no test' "trace-filter -c 'asu = 1 or 2' Financial1.spc" '' '*a test is expected, but 2 is a number; write FIELD in {1, 2}, or *\n  asu = 1 or 2\n*^' 2
try 'but in quotes a name' "trace-filter 'x or \"2\"'" '1.0\ta\t2\t-\t-\t-' '' 0 '1.0\ta\t2\t-\t-\t-\n1.0\ta\t3\t-\t-\t-\n'
try '-F as CSV and as JSON: as trace-export writes them' "trace-filter -F 'event,size,dur,x = size / 3' --csv W Financial1.spc | head -n 2; trace-filter -F 'event,size,dur,x = size / 3' -J W Financial1.spc | head -n 1
	trace-filter -F time,event,size --csv W Financial1.spc > a; trace-export -T csv --fields time,event,size -e W Financial1.spc | cmp - a" \
	'event,size,dur,x\nW,3584,,1194.6666666666667\n{"event":"W","size":3584,"dur":null,"x":1194.6666666666667}'
try '--csv without -F' 'trace-filter --csv W Financial1.spc' '' 'trace-filter: --csv needs -F LIST, its columns *' 2
try '-J without -F' 'trace-filter -J W Financial1.spc' '' 'trace-filter: -J needs -F LIST, its columns *' 2
