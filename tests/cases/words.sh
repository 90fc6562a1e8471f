# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# words.sh - what programs say of a name, a number or a word that is not what was meant.
# An event's name that was none's is told when one that came differs by case or one letter.
trace-filter -b W Financial1.spc > w.bin; trace-filter -t W Financial1.spc > w.txt
try 'an event that is none, in another case' 'trace-filter -t w Financial1.spc' '' 'trace-filter: no event is called w; there is W' 1
try 'the same of a binary stream' 'trace-filter -t w w.bin' '' 'trace-filter: no event is called w; there is W' 1
try 'the same of a text stream' 'trace-filter -t w w.txt' '' 'trace-filter: no event is called w; there is W' 1
try 'an event that is none, in -e' "trace-stats -e w -a 'sum(size)' Financial1.spc" '#sum(size)' 'trace-stats: no event is called w; there is W'
try 'the same in -e, of a binary stream' "trace-stats -e w -a 'sum(size)' w.bin" '#sum(size)' 'trace-stats: no event is called w; there is W'
try 'the same in -e, of a text stream' "trace-stats -e w -a 'sum(size)' w.txt" '#sum(size)' 'trace-stats: no event is called w; there is W'
try 'the same in -e, with threads' 'trace-stats --tune worth=64 -j 3 -e w -g event Financial1.spc' '#event\tcount' 'trace-stats: no event is called w; there is W'
try 'an event that is none, in a set' "trace-filter -c 'W or event in {w}' Financial1.spc" '138' 'trace-filter: no event is called w; there is W'
try 'the same in a set, of a binary stream' "trace-filter -c 'W or event in {w}' w.bin" '138' 'trace-filter: no event is called w; there is W'
try 'the same in a set, of a text stream' "trace-filter -c 'W or event in {w}' w.txt" '138' 'trace-filter: no event is called w; there is W'
try 'an event that none is not' "trace-filter -c 'event != w' Financial1.spc" '161' 'trace-filter: no event is called w; there is W'
try 'the same with !=, of a binary stream' "trace-filter -c 'event != w' w.bin" '138' 'trace-filter: no event is called w; there is W'
try 'the same with !=, of a text stream' "trace-filter -c 'event != w' w.txt" '138' 'trace-filter: no event is called w; there is W'
try 'an event with a letter less' 'trace-filter MPI_rec $FIX/dumpi/small-0002.bin' '' 'trace-filter: no event is called MPI_rec; there is MPI_Recv' 1
try 'an event with a letter more, in quotes' "trace-filter '\"MPI_Recw\"' \$FIX/dumpi/small-0002.bin" '' 'trace-filter: no event is called MPI_Recw; there is MPI_Recv' 1
try 'of several events that are as near the first by its bytes, by any number of threads' 'trace-filter MS' '' 'trace-filter: no event is called MS; there is MDs' 1 '1.0\ta\tMDs\t-\t-\t-\n2.0\ta\tMRS\t-\t-\t-\n'
try 'a glob in another case' "trace-filter 'mpi_*' \$FIX/dumpi/small-0002.bin" '' 'trace-filter: no event is called mpi_?; there is MPI_Cart_get' 1

# No event is named where none is near, none came, or the name was some event's.
try 'no event is near' 'trace-filter Q Financial1.spc' '' '' 1
try 'no event is as long' 'trace-filter RW Financial1.spc' '' '' 1
try 'a regular expression is no name' "trace-filter 'event ~ w' Financial1.spc" '' '' 1
try 'an order of names is no name' "trace-filter 'event < \"B\"' Financial1.spc" '' '' 1
try 'two events at once' "trace-filter 'R and W' Financial1.spc" '' '' 1
try 'no event is near a glob' "trace-filter 'x*' Financial1.spc" '' '' 1
printf '1\t-\tabc\t-\t-\t-\n2\t-\tabd\t-\t-\t-\n' > t
try 'an event that came is no neighbour of another' 'trace-filter -c abc t' '1'
try 'two neighbours that came' "trace-filter -c 'abc or abd' t" '2'
try 'of no events none is near' 'trace-filter -c w /dev/null' '0' '' 1
try 'the neighbour that came' 'trace-filter -c abx t' '0' 'trace-filter: no event is called abx; there is abc' 1
try 'where --head ends it early, the name may come later' "trace-filter --head 1 -F event 'abc or ABD' t" 'abc'
try 'an event that a format knows of, and did not come' 'trace-filter -c w' '0' '' 1 '0,1,512,r,0.5\n0,2,512,r,0.6\n'

# No field is called the nearest where none is near; those that there were are listed.
try 'a field that is none lists those that there are' "trace-filter 'lba > 5' Financial1.spc" '' \
	'trace-filter: no event had a field lba; there were time, loc, event, addr, size, dur, end, asu' 2
try 'a field with a letter changed' "trace-filter 'sise > 5' Financial1.spc" '' \
	'trace-filter: no event had a field sise (the nearest name is size); there were time, loc, event, addr, size, dur, end, asu' 2
try 'a field in another case, in -F' 'trace-filter -F SIZE R WebSearch2.spc' '-\n-\n-\n-\n-\n-\n-\n-\n-\n-' \
	'trace-filter: no event had a field SIZE (the nearest name is size); there were time, loc, event, addr, size, dur, end, asu' 2
try 'a list of fields has an end' "printf '1\\t-\\ta\\t-\\t-\\t-%s\\n' \"\$(seq 30 | sed 's/.*/\\tfield&=1/' | tr -d '\\n')\" | trace-filter 'lba = 1'" '' \
	"trace-filter: no event had a field lba; there were time, loc, event, addr, size, dur, end, field1, field10, field11, field12, field13, field14, field15, field16, field17, field18, field19, field2, field20, field21, field22, field23, field24, field25, field26, field27 and 10 more; a text stream keeps fewer names than its trace had: write it with -b" 2
try "an argument's name with a letter less" "trace-filter 'inod = 3' kernel.txt" '' \
	'trace-filter: no event had a field inod (the nearest name is inode); there were time, loc, event, addr, size, dur, end, file, inode, major, minor, offset, parent, pid, source, space, stop, target' 2
try 'an optional field where there is none' "trace-filter 'x1 = 3' Financial1.spc" '' \
	'trace-filter: no event had a field x1; there were time, loc, event, addr, size, dur, end, asu' 2
try 'of an empty input nothing is said' "trace-filter 'x1 = 3' /dev/null" '' '' 1
try 'a name of loc of a binary stream that had no header' "spc-cat Financial1.spc | trace-filter -b W > t.bin; trace-filter -t 'asu = 1' t.bin" '' \
	'trace-filter: no event had a field asu; there were time, loc, event, addr, size, dur, end' 2
try 'a field of no event in an aggregate' "trace-stats -g event -a 'sum(sizze)' Financial1.spc" '#event\tsum(sizze)\nR\t-\nW\t-' \
	'trace-stats: no event had a field sizze (the nearest name is size); there were time, loc, event, addr, size, dur, end, asu' 2
try 'a field of no event in -e' "trace-stats -e 'sizze > 1' Financial1.spc" '' \
	'trace-stats: no event had a field sizze (the nearest name is size); there were time, loc, event, addr, size, dur, end, asu' 2
try 'gap in an expression' "trace-filter 'gap > 10ms' Financial1.spc" '' \
	'trace-filter: no event had a field gap: gap is made by trace-stats -a alone, as in max(gap); there were time, loc, event, addr, size, dur, end, asu' 2
try 'gap in -F' 'trace-filter -F gap R WebSearch2.spc' '-\n-\n-\n-\n-\n-\n-\n-\n-\n-' \
	'trace-filter: no event had a field gap: gap is made by trace-stats -a alone, as in max(gap); there were time, loc, event, addr, size, dur, end, asu' 2
try 'gap where it is' "trace-stats -a 'max(gap)' Financial1.spc" '#max(gap)\n0.458752000'

# A file where an expression is expected: one is asked for.
cp Financial1.spc W; grep ,r, W > r.spc
try 'a file in place of the expression' 'trace-filter Financial1.spc < /dev/null' '' \
	'trace-filter: Financial1.spc is a file: the expression comes first (try trace-filter --help)' 2
try 'a file in place of the expression, called as an event' 'trace-filter W < /dev/null' '' 'trace-filter: W is a file: the expression comes first (try trace-filter --help)' 2
try 'a file in place of the expression, and events on standard input' 'trace-filter Financial1.spc' '' \
	'trace-filter: Financial1.spc is a file: the expression comes first (try trace-filter --help)' 2 '0,1,512,W,0.5\n'
try 'an event that is called as a file' 'trace-filter -c W < Financial1.spc; grep -c ,w, W' '138\n138'
try 'the same from a pipe' 'cat Financial1.spc | trace-filter -c W' '138'
try 'an event that is called as a file, and did not come' 'trace-filter W' '' 'trace-filter: W is also a file: the expression comes first' 1 '0,1,512,R,0.5\n'
try 'no expression at all' 'trace-filter' '' 'trace-filter: an expression is missing (try trace-filter --help)' 2

# An event where a field is asked for is told as one.
try 'an event that is counted as a field' "trace-stats -a 'count(R)' Financial1.spc" '#count(R)\n0' 'trace-stats: no event had a field R: R is an event: -e R' 2
try 'an event that is summed up as a field' "trace-stats -a 'sum(R)' Financial1.spc" '#sum(R)\n-' 'trace-stats: no event had a field R: R is an event: -e R' 2
try 'an event as a group' 'trace-stats -g R Financial1.spc' '#R\tcount\n-\t161' 'trace-stats: no event had a field R: R is an event: -e R' 2
try 'an event in a percentile' "trace-stats -g event -a 'count,p50(R)' Financial1.spc" '#event\tcount\tp50(R)\nR\t23\t-\nW\t138\t-' \
	'trace-stats: no event had a field R: R is an event: -e R' 2
try "a field of an event's name" "trace-stats -a 'sum(R)'" '#sum(R)\n7' '' 0 '1.0\t0\tR\t-\t-\t-\tR=7\n'
try 'neither a field nor an event' "trace-stats -a 'sum(Q)'" '#sum(Q)\n-' \
	"trace-stats: no event had a field Q; there were time, loc, event, addr, size, dur, end, R; a text stream keeps fewer names than its trace had: write it with -b" 2 '1.0\t0\tR\t-\t-\t-\tR=7\n'
# Threads meet the fields in any order.
for i in $(seq 200); do printf '%s\t-\ta\t-\t-\t-\tq%s=1\n' "$i" "$i"; done > many-fields.txt
printf '1\t-\ta\t-\t-\t-\tzz=1\n' > last-field.txt
try 'fields in their order, with threads' 'for i in 1 2 3 4 5 6 7 8; do trace-stats --tune worth=64 -j 2 -g nosuch last-field.txt many-fields.txt; done 2>&1 | sort | uniq | wc -l | xargs' 3

# Names with signs are listed in the quotes that keep a name one; -n of a run names the program that writes one.
printf '1\tx\te\t-\t-\t-\ta-b=1\tc:d=2\n' > signs
try 'names with signs stand in quotes' "trace-filter 'zz = 1' signs" '' \
	'trace-filter: no event had a field zz; there were *, end, "a-b", "c:d";*' 2
try 'the nearest name with a sign stands in quotes' "trace-filter 'a-c = 1' signs" '' \
	'trace-filter: no event had a field a-c (the nearest name is "a-b"); *' 2
printf '1.0\t0\tMPI_Init\t-\t-\t0.1\targc=0\n1.0\t1\tMPI_Init\t-\t-\t0.1\targc=0\n' | trace-convert -T dumpi -o two
try '-n of two ranks' 'trace-filter -n MPI_Init two/*.meta' '' \
	'trace-filter: two/*.meta: -n writes one rank; write these 2 with trace-convert -T dumpi -o DIR' 2
