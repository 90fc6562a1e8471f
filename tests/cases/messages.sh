# shellcheck shell=sh disable=SC2016  # shapes and columns are no variables
# messages.sh - messages that no other test provokes, each by the smallest command or input.
try 'a prefix is a word in quotes' 'trace-filter '\''alias(loc, 3) = a'\'' Financial1.spc' '' 'trace-filter: a prefix is a word in quotes\n  alias(loc, 3) = a\n             ^' 2
try 'a whole number is expected' 'trace-stats -a '\''hist(size,1.5)'\'' Financial1.spc' '' 'trace-stats: -a hist(size,1.5): a whole number is expected' 2
try 'the time is too long' 'trace-stats -a '\''hist(dur,99999999999h)'\'' Financial1.spc' '' 'trace-stats: -a hist(dur,99999999999h): the time is too long' 2
try '--html is for reports: name several sections, or none' 'trace-access --html hot Financial1.spc' '' 'trace-access: --html is for reports: name several sections, or none (try trace-access --help)' 2
try '--first compares one input with one other' 'trace-diff --first a b c' '' 'trace-diff: --first compares one input with one other (try trace-diff --help)' 2
try '--follow: runs that have ended are compared' 'trace-diff --follow a b' '' 'trace-diff: --follow: runs that have ended are compared (try trace-diff --help)' 2
try '--ignore is for --first' 'trace-diff --ignore dur a b' '' 'trace-diff: --ignore is for --first (try trace-diff --help)' 2
try 'must be at least 1' 'trace-diff --ratio 0.5 a b' '' 'trace-diff: --ratio 0.5: must be at least 1 (try trace-diff --help)' 2
try 'must not be negative' 'trace-diff --min -1 a b' '' 'trace-diff: --min -1: must not be negative (try trace-diff --help)' 2
try '--align must be first, origin or none, not ...' 'trace-merge --align x a' '' 'trace-merge: --align must be first, origin or none, not x (try trace-merge --help)' 2
try '--resort ...: beyond 292 years' 'trace-merge --resort 999999999h a' '' 'trace-merge: --resort 999999999h: beyond 292 years (try trace-merge --help)' 2
try '--resort ...: more than ... events' 'trace-merge --resort 99999999999 a' '' 'trace-merge: --resort 99999999999: more than 1073741824 events (try trace-merge --help)' 2
try '--scale ...: a number above 0 and below 1000000000 is expected' 'trace-merge --scale a=0 a' '' 'trace-merge: --scale a=0: a number above 0 and below 1000000000 is expected (try trace-merge --help)' 2
try '-a ...: addr can only draw sum(size)' 'trace-plot addr -a count Financial1.spc' '' 'trace-plot: -a count: addr can only draw sum(size)' 2
try '-a ...: flame can only draw sum(dur)' 'trace-plot flame -a count solver.meta' '' 'trace-plot: -a count: flame can only draw sum(dur)' 2
try '...: one expression is expected, not a list' 'trace-plot hist -y '\''size,dur'\'' Financial1.spc' '' 'trace-plot: size,dur: one expression is expected, not a list' 2
try '-a ...: rate can only draw count or sum(size)' 'trace-plot rate -a '\''sum(dur)'\'' Financial1.spc' '' 'trace-plot: -a sum(dur): rate can only draw count or sum(size)' 2
try '-a ...: timeline can only draw sum(dur)' 'trace-plot timeline -a count solver.meta' '' 'trace-plot: -a count: timeline can only draw sum(dur)' 2
try 'has time, and shares of it, which are linear: --log takes z' 'trace-plot timeline --log x solver.meta' '' 'trace-plot: timeline has time, and shares of it, which are linear: --log takes z (try trace-plot --help)' 2
try '-a ...: ... draws count or sum(FIELD)' 'trace-plot heat -a '\''p50(size)'\'' Financial1.spc' '' 'trace-plot: -a p50(size): heat draws count or sum(FIELD)' 2
try 'dates and hexadecimal numbers have no unit' 'trace-stats -O columns='\''time=$a:iso*s event=x'\'' t.csv' '' 'trace-stats: -O columns: "time=$a:iso?s": "s": dates and hexadecimal numbers have no unit' 2
try 'loc has at most ... parts' 'trace-stats -O columns='\''time=$a event=x loc=$1/$2/$1/$1/$1/$1/$1/$1/$1'\'' t.csv' '' 'trace-stats: -O columns: loc has at most 8 parts' 2
try 'integers are expected: u4,u8' 'trace-stats -O columns='\''bytes= time=$1 event=x'\'' t.csv' '' 'trace-stats: -O columns: "bytes=": integers are expected: u4,u8' 2
try 'skip: the begin of a line is expected, at most ...' 'trace-stats -O columns='\''skip= time=$1 event=x'\'' t.csv' '' 'trace-stats: -O columns: skip: the begin of a line is expected, at most 8' 2
try 'offset 0: this is a zip archive: unzip -p FILE | ...' 'printf '\''PK\003\004xxxxxxxxxxxxxxxxxxxxxxxx'\'' > z.zip; trace-stats z.zip' '' 'trace-stats: z.zip: offset 0: this is a zip archive: unzip -p FILE | ...' 2
try 'not a hexadecimal number of 64 bits' 'printf '\''1.0\ta\tx\t0x11111111111111111\t-\t-\n'\'' | trace-filter '\''event?'\''' '' 'trace-filter: <stdin>:1: field 4 (addr): "0x11111111111111111": not a hexadecimal number of 64 bits\ntrace-filter: <stdin>: 1 record skipped' 2
try 'digits expected after the point' 'trace-stats --head 1. Financial1.spc' '' 'trace-stats: --head: 1.: digits expected after the point' 2
try 'hexadecimal digits expected after 0x' 'trace-filter '\''size = 0x'\'' Financial1.spc' '' 'trace-filter: 0x: hexadecimal digits expected after 0x\n  size = 0x\n         ^' 2
try '-a ...: hist can only draw count' 'trace-plot hist -a '\''sum(size)'\'' Financial1.spc' '' 'trace-plot: -a sum(size): hist can only draw count' 2
try '--offset ...: a time is expected' 'trace-merge --offset Financial1.spc=1K Financial1.spc' '' 'trace-merge: --offset Financial1.spc=1K: a time is expected (try trace-merge --help)' 2
try '... was given more than ... times' 'b=; for i in 1 2 3 4 5 6 7 8 9; do b="$b --begin a$i --end b$i"; done; trace-pair $b $b $b $b $b $b $b $b $b $b $b $b $b $b $b Financial1.spc' '' 'trace-pair: --begin was given more than 32 times (try trace-pair --help)' 2
try '--arrows ...: the clock has another unit than the traces' 'printf '\''1\ta\tm\t-\t-\t-\tto=b\n'\'' > am; trace-plot timeline --arrows am solver.meta' '' 'trace-plot: --arrows am: the clock has another unit than the trace?s' 2
try '...: not drawn: the clock has another unit than the previous inputs' 'trace-plot rate Financial1.spc refs.bin' '*' 'trace-plot: refs.bin: not drawn: the clock has another unit than the previous inputs?' 2
try 'a date, and x has none' 'printf '\''x\ty\n1\t2\n2\t3\n'\'' | trace-plot line --mark 2020-01-01=a' '*' 'trace-plot: --mark 2020-01-01=a: not drawn: a date, and x has none' 0
try 'the clock has another unit than the previous partial results' 'trace-plot rate -p Financial1.spc > p1; trace-plot rate -p refs.bin > p2; trace-plot rate -m p1 p2' '' 'trace-plot: p2:1: the clock has another unit than the previous partial results?' 2
try 'draws all rows: it takes no --all' 'trace-plot line --all am' '' 'trace-plot: line draws all rows: it takes no --all (try trace-plot --help)' 2
try 'something follows the object' 'printf '\''{"a":1}x\n'\'' | trace-stats -O columns='\''json time=$a event=x'\''' '' 'trace-stats: <stdin>:1: something follows the object\ntrace-stats: <stdin>: 1 record skipped' 2
try 'a byte is not UTF-8' 'printf '\''{"a":1,"b":"\377"}\n'\'' | trace-stats -O columns='\''json time=$a event=$b'\''' '' 'trace-stats: <stdin>:1: a byte is not UTF-8\ntrace-stats: <stdin>: 1 record skipped' 2
try 'the names that lead to a value are too long' 'awk '\''BEGIN { s = ""; for (i = 0; i < 1100; i++) s = s "n"; printf "{\"%s\":{\"%s\":1}}\n", s, s }'\'' | trace-stats -O columns='\''json time=$a event=x *'\''' '' 'trace-stats: <stdin>:1: the names that lead to a value are too long\ntrace-stats: <stdin>: 1 record skipped' 2
try '...: only ... descriptions can be given' 'trace-stats $(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do echo -O columns:f$i=msr; done) Financial1.spc' '' 'trace-stats: -O columns: only 8 descriptions can be given' 2
try 'the first line: ...' 'printf '\''"a\n1\n'\'' > hd2; trace-stats -O columns='\''header time=$a event=x'\'' hd2' '' 'trace-stats: hd2: the first line: a quote is not closed in this line' 2
try 'a column is $name or ${name}, at most 16 in a shape, and 64 names in all' 'trace-stats -O columns='\''line={$a $b $c $d $e $f $g $h $i $j $k $l $m $n $o $p $q $r} time=$a event=x'\'' t.csv' '' 'trace-stats: -O columns: "line={$a $b $c $d $e $f $g $h $i $j $k $l $"...: "{$a $b $c $d $e $f $g $h $i $j $k $l $m $n "...: a column is $name or ${name}, at most 16 in a shape, and 64 names in all' 2
try 'there are more than 64 shapes of lines' 'trace-stats -O "columns=time=\$a event=x $(for i in $(seq 65); do printf '\''line={$a x%d} '\'' $i; done)" t.csv' '' 'trace-stats: -O columns: "line={$a x65}": "{$a x65}": there are more than 64 shapes of lines' 2
try 'a column is expected after $' 'trace-stats -O columns='\''time=$a event=$+'\'' t.csv' '' 'trace-stats: -O columns: "event=$+": "+": a column is expected after $' 2
try '} is expected after a name' 'trace-stats -O columns='\''time=$a event=${b'\'' t.csv' '' 'trace-stats: -O columns: "event=${b": "b": } is expected after a name' 2
try 'longer than 64 KiB' 'awk '\''BEGIN { printf "time=$1 event=x "; for (i = 0; i < 9000; i++) printf "# comment\n" }'\'' > long.layout; trace-stats -O columns=long.layout t.csv' '' 'trace-stats: long.layout: longer than 64 KiB' 2
