# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# laplace.sh - Laplace references and kernel events, and laplace-bin2txt.
try "the description's example" 'laplace-bin2txt $FIX/laplace/seed.ref' 'r 123456789abcdef0 4 9f8e7 9a8b7c6d'
try "the description's example, back" 'laplace-bin2txt -r $FIX/laplace/seed.reftxt | cmp - $FIX/laplace/seed.ref'
try '--pad writes every number in its full width' 'laplace-bin2txt --pad $FIX/laplace/seed.ref' 'r 123456789abcdef0 04 0009f8e7 9a8b7c6d'
try '--pad: every line is as long' "laplace-bin2txt --pad refs.bin | awk 'length != 39'"
try '--pad and back' 'laplace-bin2txt --pad refs.bin | laplace-bin2txt -r | cmp - refs.bin'
{ cat "$FIX"/laplace/seed.ref; printf '\001234567890123456789'; head -c 7 "$FIX"/laplace/seed.ref; } > a.ref
try 'a torn last record and a type that cannot be printed are told with their offsets' 'laplace-bin2txt --order little a.ref' 'r 123456789abcdef0 4 9f8e7 9a8b7c6d' \
	'laplace-bin2txt: a.ref: offset 18: the type 0x01 of a record is not a printable letter\nlaplace-bin2txt: a.ref: offset 36: the last record is incomplete: 8 of its 18 bytes are there\nlaplace-bin2txt: a.ref: 2 records skipped' 2
cat refs.bin refs.bin refs.bin > three.ref
try 'a clock that goes back is said once' 'laplace-bin2txt three.ref > three.txt' '' 'laplace-bin2txt: three.ref: offset 3600: the clock goes back here (said once)' 2
try 'and nothing is dropped' "wc -l < three.txt | tr -d ' '" '600'
try 'every kernel event of the description: name, columns and arguments' "trace-filter 'event?' tags.txt | cmp - \$FIX/laplace/seed.kern.txt"
try 'there are 22' "cut -f3 \$FIX/laplace/seed.kern.txt | sort -u | wc -l | tr -d ' '" '22'
try 'native kernel lines come out as they stood' "trace-filter -n 'event?' kernel.txt | cmp - kernel.txt"
try 'native lines of references come out as they stood' "trace-filter -n 'event?' \$FIX/laplace/seed.reftxt | cmp - \$FIX/laplace/seed.reftxt"
try 'native references come out as they stood' "trace-filter -n 'event?' refs.bin | cmp - refs.bin"
try 'text and binary give the same events' "laplace-bin2txt refs.bin > a.reftxt; laplace-bin2txt -t refs.bin > b; trace-filter 'event?' a.reftxt | cmp - b"
try 'a kernel trace without its end was cut off' "grep -v ^c kernel.txt > a.kern; trace-filter -c 'event?' a.kern" '74' \
	'trace-filter: a.kern: the kernel trace was cut off: it does not end with a line c' 2
try 'the end is a line of c alone, or with dashes and blanks behind' "trace-filter -F event 'event?'" 'schedule\nc\nschedule\nend' '' 0 's 10 5\nc 11 4 5 6\ns 12 7\nc - \n'
{ head -c 900 refs.bin; printf ' 23456789012345678'; tail -c +901 refs.bin; } > b.ref
cat refs.bin refs.bin > two.ref
try '--strict stops at the first broken record' 'laplace-bin2txt --order=little --strict -f laplace b.ref > out' '' \
	'laplace-bin2txt: b.ref: offset 900: the type 0x20 of a record is not a printable letter\nlaplace-bin2txt: b.ref: 1 record skipped' 2
try 'what was before it is written' "wc -l < out | tr -d ' '" '50'
try '--strict -t stops there, too' 'laplace-bin2txt -t --strict -f laplace b.ref > out' '' \
	'laplace-bin2txt: b.ref: offset 900: the type 0x20 of a record is not a printable letter\nlaplace-bin2txt: b.ref: 1 record skipped' 2
try 'and has written as much' "wc -l < out | tr -d ' '" '50'
try '--strict stops where the clock goes back' 'laplace-bin2txt --order=little --strict -f laplace two.ref > out' '' \
	'laplace-bin2txt: two.ref: offset 3600: the clock goes back here (said once)' 2
try 'behind 200 records' "wc -l < out | tr -d ' '" '200'
try '--strict -t stops where the clock goes back' 'laplace-bin2txt -t --strict -f laplace two.ref > out' '' \
	'laplace-bin2txt: two.ref: offset 3600: the clock goes back here (said once)' 2
try 'behind 200 events' "wc -l < out | tr -d ' '" '200'
try 'leading zeros do not make a number too long' 'laplace-bin2txt -r | laplace-bin2txt' 'r 10 4 5 6' '' 0 'r 00000000000000000010 004 5 6\n'
try '17 digits do' 'laplace-bin2txt -r -f laplace-text' '' \
	'laplace-bin2txt: <stdin>:1: "r 10000000000000000 4 5 6": longer than 64 bits\nlaplace-bin2txt: <stdin>: 1 record skipped' 2 'r 10000000000000000 4 5 6\n'
try 'broken kernel records: line, field and reason; the rest goes on' "trace-filter -F time,event 'event?'" '16\tschedule\n21\tmmap-anon\n21\tend' \
	'trace-filter: <stdin>:2: field 3 (pid) of fork: "zz": not a hexadecimal number\ntrace-filter: <stdin>:3: field 7 (file) of exec: "": a name is missing\ntrace-filter: <stdin>:4: more fields than schedule has: "6"\ntrace-filter: <stdin>:5: field 3 (pid) of schedule: "": a hexadecimal number is missing\ntrace-filter: <stdin>:7: field 2 (timestamp): "": a hexadecimal number is missing\ntrace-filter: <stdin>: 5 records skipped' 2 's 10 5\nF 11 zz 5\nX 12 5 1 2 3\ns 13 5 6\ns 14\nm 15 5 1000 20\n-\nc--\n'
printf '( 10 5 1 2 3 a b\\c \nc\n' > name.kern
try 'a file name is the rest of its line, blanks and all' "trace-filter -F event,file 'file = \"a b\\\\c \"' name.kern" 'open\ta\\x20b\\x5cc\\x20'
try '-n leaves the blanks of a name' 'trace-filter -n open name.kern' '( 10 5 1 2 3 a b\\c '
try 'T is an exit of the kernel, or a reference where five fields say so' "trace-filter -F event 'event?'" 'exit\nT\nend' '' 0 'T 10 5\nT 11 4 1015a 80b1d32\nc\n'
try 'a time with a unit is an error without --hz' "trace-filter 'time < 1s' refs.bin" '' \
	'trace-filter: refs.bin: the clock counts ticks of unknown length, but 1s is a time: give --hz N' 2
try '--hz turns ticks into seconds' "trace-filter --hz 10 -F time 'time <= 1s'" '0.000000000\n1.000000000\n1.000000000' '' 0 's 10 5\ns 1a 5\nc\n'
printf 's 0 5\ns 77359400 5\nc\n' > hz.kern
try '--hz 2000000000' 'trace-filter --hz 2000000000 -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz 2G' 'trace-filter --hz 2G -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz 2GHz' 'trace-filter --hz 2GHz -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz 2e9' 'trace-filter --hz 2e9 -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz 0x77359400' 'trace-filter --hz 0x77359400 -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz 2000M' 'trace-filter --hz 2000M -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz 2000000k' 'trace-filter --hz 2000000k -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz 2000000KHz' 'trace-filter --hz 2000000KHz -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz 2.0GHz' 'trace-filter --hz 2.0GHz -F time schedule hz.kern' '0.000000000\n1.000000000'
try '--hz: T is no unit' 'trace-filter --hz 2T schedule hz.kern' '' 'trace-filter: --hz: 2T: not a frequency (2400000000, 2.4G, 2.4GHz)' 2
try '--hz: GiB is no unit' 'trace-filter --hz 2GiB schedule hz.kern' '' 'trace-filter: --hz: 2GiB: not a frequency (2400000000, 2.4G, 2.4GHz)' 2
try '--hz: Gs is no unit' 'trace-filter --hz 2Gs schedule hz.kern' '' 'trace-filter: --hz: 2Gs: not a frequency (2400000000, 2.4G, 2.4GHz)' 2
try '--hz: a unit alone' 'trace-filter --hz Hz schedule hz.kern' '' 'trace-filter: --hz: Hz: not a frequency (2400000000, 2.4G, 2.4GHz)' 2
try '--hz 0' 'trace-filter --hz 0 schedule hz.kern' '' 'trace-filter: --hz: 0: a whole number between 1 and 18000000000 is expected' 2
try '--hz below 0' 'trace-filter --hz -1G schedule hz.kern' '' 'trace-filter: --hz: -1G: a whole number between 1 and 18000000000 is expected' 2
try '--hz: no whole number' 'trace-filter --hz 1.5 schedule hz.kern' '' 'trace-filter: --hz: 1.5: a whole number between 1 and 18000000000 is expected' 2
try '--hz of nothing' "trace-filter --hz '' schedule hz.kern" '' 'trace-filter: --hz: : not a frequency (2400000000, 2.4G, 2.4GHz)' 2
try '-t chooses the event stream' 'laplace-bin2txt -t $FIX/laplace/seed.ref' '1311768467463790320\t0x9f8e7\tr\t0x9a8b7c6d\t4\t-'
try '-H chooses the event stream' "laplace-bin2txt -H \$FIX/laplace/seed.ref | grep -v '^#'" '1311768467463790320\t0x9f8e7\tr\t0x9a8b7c6d\t4\t-'
try '-A chooses the event stream' "laplace-bin2txt -A \$FIX/laplace/seed.ref | grep -v '^#'" '1311768467463790320\t0x9f8e7\tr\t0x9a8b7c6d\t4\t-'
try '--hz chooses the event stream' 'laplace-bin2txt --hz 1e9 $FIX/laplace/seed.ref' '0.000000000\t0x9f8e7\tr\t0x9a8b7c6d\t4\t-'
try '--pad and -t contradict each other' 'laplace-bin2txt --pad -t $FIX/laplace/seed.ref' '' 'laplace-bin2txt: --pad and -t contradict each other (try laplace-bin2txt --help)' 2
try '--pad and -H contradict each other' 'laplace-bin2txt --pad -H $FIX/laplace/seed.ref' '' 'laplace-bin2txt: --pad and -H contradict each other (try laplace-bin2txt --help)' 2
try '--pad and -A contradict each other' 'laplace-bin2txt --pad -A $FIX/laplace/seed.ref' '' 'laplace-bin2txt: --pad and -A contradict each other (try laplace-bin2txt --help)' 2
try '--pad and --hz contradict each other' 'laplace-bin2txt --pad --hz 1e9 $FIX/laplace/seed.ref' '' \
	'laplace-bin2txt: --pad and --hz contradict each other (try laplace-bin2txt --help)' 2
try '-r and -t contradict each other' 'laplace-bin2txt -r -t $FIX/laplace/seed.reftxt' '' 'laplace-bin2txt: -r and -t contradict each other (try laplace-bin2txt --help)' 2
try '-r and -H contradict each other' 'laplace-bin2txt -r -H $FIX/laplace/seed.reftxt' '' 'laplace-bin2txt: -r and -H contradict each other (try laplace-bin2txt --help)' 2
try '-r and -A contradict each other' 'laplace-bin2txt -r -A $FIX/laplace/seed.reftxt' '' 'laplace-bin2txt: -r and -A contradict each other (try laplace-bin2txt --help)' 2
try '-r and --hz contradict each other' 'laplace-bin2txt -r --hz 1e9 $FIX/laplace/seed.reftxt' '' \
	'laplace-bin2txt: -r and --hz contradict each other (try laplace-bin2txt --help)' 2
try 'text where records are expected is refused by name' 'laplace-bin2txt tags.txt' '' \
	'laplace-bin2txt: tags.txt: this is a Laplace trace as text: use laplace-bin2txt -r' 2
try 'records where text is expected are refused by name' 'laplace-bin2txt -r refs.bin' '' \
	'laplace-bin2txt: refs.bin: this is a Laplace trace: use laplace-bin2txt' 2
try 'records behind the end of a kernel trace are told' "trace-filter -c 'event?'" '4' 'trace-filter: <stdin>:3: records follow the end of the trace (c)' 0 \
	's 10 5\nc\ns 20 6\nc---\n'
try 'records behind it need an end of their own' "trace-filter -c 'event?'" '3' \
	'trace-filter: <stdin>:3: records follow the end of the trace (c)\ntrace-filter: <stdin>: the kernel trace was cut off: it does not end with a line c' 2 's 10 5\nc\ns 20 6\n'
try 'a trace that ends once' "trace-filter -c 'event?'" '2' '' 0 's 10 5\nc\n'
try 'a line that is its letter alone has no timestamp, and costs itself only' "sed 2s/..*/F/ tags.txt | trace-filter -c 'event?'; trace-filter -c 'event?' tags.txt" '21\n22' \
	'trace-filter: <stdin>:2: field 2 (timestamp): "": a hexadecimal number is missing\ntrace-filter: <stdin>: 1 record skipped'
try 'the first and the last letter that a reference may have' "trace-filter -f laplace-text 'event?' | cut -f 3-5" '!\t0x1000\t4\n~\t0x1000\t4' '' 0 '! 1 4 0 1000\n~ 2 4 0 1000\n'

printf 'r\1\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0\1\2\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0w\3\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0r\4\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0' > odd.bin
try 'a type that is no letter costs its record' 'laplace-bin2txt odd.bin' 'r 1 4 0 1000\nw 3 4 0 1000\nr 4 4 0 1000' '*: odd.bin: offset 18: the type 0x01 of a record is not a printable letter\n*: odd.bin: 1 record skipped' 2
for l in a b c d e f g h i; do printf '%s\1\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0' $l; done > nine
try 'eight letters may be of references, nine are not' "head -c 144 nine > eight; trace-filter -c '*' eight; trace-filter -c '*' nine" '8\n0' '*: nine: no known format begins like this*' 2
for t in 1 5 3 2 4; do printf 'r%b\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0' "\\0$t"; done > unsorted.bin
try '--from and --to of times that go back' 'laplace-bin2txt --from 3 --to 5 unsorted.bin' 'r 3 4 0 1000\nr 4 4 0 1000' '*times go back*\n*offset 36: the clock goes back here (said once)' 2
for t in 1 2 3 4; do printf 'z%b\0\0\0\0\0\0\0\4\0\0\0\0\0\20\0\0' "\\0$t"; done > zs
try 'the last letter' "trace-filter -c 'event?' zs" 4
for t in '\0\0376' '\0\0377' '\01\0' '\01\01'; do printf 'r\0\0\0\0\0\0%b\4\0\0\0\0\0\0\020\0' "$t"; done > be.ref
try 'four records whose times tell the byte order' "trace-filter '*' be.ref | cut -f 1,4" '254\t0x1000\n255\t0x1000\n256\t0x1000\n257\t0x1000'
for t in '\017' '\020' '\021' '\0377'; do printf 'r\1\0\0\0\0\0\0\0%b\0\0\0\0\0\020\0\0' "$t"; done > lengths.bin
try 'lengths of one digit and of two' 'laplace-bin2txt -f laplace lengths.bin' 'r 1 f 0 1000\nr 1 10 0 1000\nr 1 11 0 1000\nr 1 ff 0 1000'
try 'a word of two letters is no type of a reference' 'laplace-bin2txt -r -f laplace-text | laplace-bin2txt' 'r 11 4 5 6' 'laplace-bin2txt: <stdin>:1: "rr 10 4 5 6": a reference begins with one letter\nlaplace-bin2txt: <stdin>: 1 record skipped' 0 'rr 10 4 5 6\nr 11 4 5 6\n'
