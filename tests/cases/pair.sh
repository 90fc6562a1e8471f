# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# pair.sh - trace-pair: what goes with what, what is said of the rest, and options.
two='1.000000000\ta\tB\t8\t-\t-\tid=1\tx=a\n2.000000000\ta\tB\t-\t-\t-\tid=2\n3.000000000\ta\tE\t-\t-\t-\tid=1\tx=b\tz=3\n4.000000000\ta\tE\t-\t-\t0.5\tid=2\n'
try 'the innermost begin; arguments of the end that differ' 'trace-pair --begin B --end E' \
	'1.000000000\ta\tB\t8\t-\t3.500000000\tid=1\tx=a\tend.id=2\n2.000000000\ta\tB\t-\t-\t1.000000000\tid=2\tend.id=1\tend.x=b\tend.z=3' '' 0 "$two"
try '--pairing queue: the oldest' 'trace-pair --pairing queue --begin B --end E' \
	'1.000000000\ta\tB\t8\t-\t2.000000000\tid=1\tx=a\tend.x=b\tend.z=3\n2.000000000\ta\tB\t-\t-\t2.500000000\tid=2' '' 0 "$two"
try '-k: fields in common' 'trace-pair -k id,loc --begin B --end E' \
	'1.000000000\ta\tB\t8\t-\t2.000000000\tid=1\tx=a\tend.x=b\tend.z=3\n2.000000000\ta\tB\t-\t-\t2.500000000\tid=2' '' 0 "$two"
try '--by-end and --name' 'trace-pair --by-end --name P --begin B --end E | cut -f 1,3' '2.000000000\tP\n1.000000000\tP' '' 0 "$two"
try '--self: without inner pairs' 'trace-pair --self --begin B --end E | grep -o self=.*' 'self=2.500000000\nself=1.000000000' '' 0 "$two"
try '--self: inner pairs that cross, each time once' 'trace-pair --self --pairing queue --begin b --end e --begin c --end f | cut -f 1,3,6,7' \
	'0.000000000\tb\t4.000000000\tself=3.000000000\n1.000000000\tb\t4.000000000\tself=3.000000000\n2.000000000\tc\t1.000000000\tself=1.000000000' '' 0 \
	'0.0\tp\tb\t-\t-\t-\n1.0\tp\tb\t-\t-\t-\n2.0\tp\tc\t-\t-\t-\n3.0\tp\tf\t-\t-\t-\n4.0\tp\te\t-\t-\t-\n5.0\tp\te\t-\t-\t-\n'
try 'names, one for each' 'trace-pair --begin "id = 1 and B" --end "id = 1 and E" --begin "id = 2 and B" --end "id = 2 and E" --name p --name q | cut -f 3,6' \
	'p\t2.000000000\nq\t2.500000000' '' 0 "$two"
try 'what has no partner' 'trace-pair -k id --begin B --end E | cut -f 1,3,6-' \
	'1.000000000\tB\t-\tid=1\tunpaired=begin\n2.000000000\tB\t1.000000000\tid=2\n2.500000000\tE\t-\tid=7\tunpaired=end' \
	'trace-pair: <stdin>: 1 begin without an end, 1 end without a begin' 0 \
	'1.0\ta\tB\t-\t-\t-\tid=1\n2.0\ta\tB\t-\t-\t-\tid=2\n2.5\ta\tE\t-\t-\t-\tid=7\n3.0\ta\tE\t-\t-\t-\tid=2\n'
try '--no-unpaired drops it' 'trace-pair --no-unpaired -k id --begin B --end E | wc -l' '1' \
	'trace-pair: <stdin>: 0 begins without an end, 1 end without a begin: dropped' 0 '1.0\ta\tB\t-\t-\t-\tid=1\n2.0\ta\tE\t-\t-\t-\tid=1\n3.0\ta\tE\t-\t-\t-\tid=1\n'
try 'an event that ends and begins' 'trace-pair --begin W --end W | cut -f 1,6-' '1.000000000\t1.000000000\n2.000000000\t-\tunpaired=begin' \
	'trace-pair: <stdin>: 1 begin without an end, 0 ends without a begin' 0 '1.0\ta\tW\t-\t-\t-\n2.0\ta\tW\t-\t-\t-\n'
try 'an end before its begin: no time' 'trace-pair --begin B --end E | cut -f 6' '0.000000000' '' 0 '2.0\ta\tB\t-\t-\t-\n1.0\ta\tE\t-\t-\t-\n'
try 'numbers are equal as numbers' 'trace-pair -k x --begin B --end E | cut -f 6-' '1.000000000\tx=0x10\tend.x=16' '' 0 '1.0\ta\tB\t-\t-\t-\tx=0x10\n2.0\ta\tE\t-\t-\t-\tx=16\n'
try 'numbers below 0 and beyond 2^63, too' 'trace-pair -k x --begin B --end E | cut -f 6-' '1.000000000\tx=-7\tend.x=-007\n2.000000000\tx=18446744073709551615\tend.x=018446744073709551615' '' 0 \
	'1.0\ta\tB\t-\t-\t-\tx=-7\n2.0\ta\tE\t-\t-\t-\tx=-007\n3.0\ta\tB\t-\t-\t-\tx=18446744073709551615\n5.0\ta\tE\t-\t-\t-\tx=018446744073709551615\n'
try "-k '': one key for all" "trace-pair -k '' --begin B --end E | cut -f 2,6" 'a\t1.000000000' '' 0 '1.0\ta\tB\t-\t-\t-\n2.0\tb\tE\t-\t-\t-\n'
try 'what is neither is dropped' 'trace-pair --begin B --end E' '' '' 0 '1.0\ta\tx\t-\t-\t-\n'
try 'ticks' 'trace-filter -b "time >= 0" kernel.txt | trace-pair -t --no-unpaired | grep open' '1961191673506\t3691\topen\t-\t-\t16906\tinode=409608\tmajor=254\tminor=0\tfile=ld.so.cache' 'trace-pair: <stdin>: *dropped'
try 'of formats: open files of CHARISMA' 'trace-pair trace.chr | grep -c open' 3
try 'of formats: requests of DUMPI' 'trace-pair solver.meta | wc -l; trace-filter -c "MPI_Isend or MPI_Irecv" solver.meta' '96\n96'
try 'marks of ovni: those of a type, by their values; a mark that is set lasts until the next of its type' 'trace-pair | grep -v "^#" | cut -f 1,3,6,7 | sed s/000000000/0/g' \
	'1.0\tOM=\t2.0\tvalue=5\n2.0\tOM=\t-\tvalue=6\n3.0\tOM=\t-\tvalue=7\n4.0\tOM[\t2.0\tvalue=7\n5.0\tOM[\t2.0\tvalue=8\n6.0\tOM]\t-\tvalue=-9' \
	'trace-pair: <stdin>: 2 begins without an end, 1 end without a begin' 0 \
	'##spoor\t1\n##format\tovni\n1.0\t0\tOM=\t-\t-\t-\tvalue=5\ttype=1\n2.0\t0\tOM=\t-\t-\t-\tvalue=6\ttype=2\n3.0\t0\tOM=\t-\t-\t-\tvalue=7\ttype=1\n4.0\t0\tOM[\t-\t-\t-\tvalue=7\ttype=3\n5.0\t0\tOM[\t-\t-\t-\tvalue=8\ttype=4\n6.0\t0\tOM]\t-\t-\t-\tvalue=7\ttype=3\n6.0\t0\tOM]\t-\t-\t-\tvalue=-9\ttype=3\n7.0\t0\tOM]\t-\t-\t-\tvalue=8\ttype=4\n##end\n'
try 'of formats: states of ovni, as ovni-dump -D has them' "ovni-dump -D -b tasks | trace-filter -t 'dur?' > want; trace-pair tasks 2>/dev/null | cmp - want"
try 'a stream says its format' 'dumpi2txt -b solver.meta | trace-pair > got; trace-pair -b solver.meta | cmp - got'
try 'no header: no format' 'trace-pair' '' 'trace-pair: <stdin>: a text stream without header does not say its format: give --begin and --end' 2 '1.0\ta\tB\t-\t-\t-\n'
try 'a format without pairs' 'trace-pair Financial1.spc' '' 'trace-pair: Financial1.spc: the format spc has no events that are pairs: give --begin and --end' 2
try 'a field that there is not' 'trace-pair -k sise --begin B --end E' '1.000000000\ta\tB\t-\t-\t1.000000000' 'trace-pair: no event had a field sise *' 2 '1.0\ta\tB\t-\t-\t-\n2.0\ta\tE\t-\t-\t-\n'
try 'a begin without an --end' 'trace-pair --begin B' '' 'trace-pair: 1 --begin, but 0 --end: *' 2
try 'names that are too many' 'trace-pair --begin B --end E --name a --name b' '' 'trace-pair: 2 --name for 1 --begin: *' 2
try '--pairing of something else' 'trace-pair --pairing heap --begin B --end E' '' 'trace-pair: --pairing must be stack or queue, not heap *' 2
try 'a name in -k is missing' 'trace-pair -k a,,b --begin B --end E' '' 'trace-pair: a field or an expression is expected\n*\n*' 2
try '--chunk is refused' 'trace-pair --chunk 1/2 --begin B --end E Financial1.spc' '' 'trace-pair: --chunk: *' 2
try 'pairs do not reach into the next input' 'printf "1\ta\tB\t-\t-\t-\n" > b; printf "2\ta\tE\t-\t-\t-\n" > e; trace-pair --begin B --end E b e | cut -f 3,7-' \
	'B\tunpaired=begin\nE\tunpaired=end' 'trace-pair: b: 1 begin *\ntrace-pair: e: 0 begins *'
try 'nor from one stream of an input into the next' 'for f in b e; do trace-filter -b "time >= 0" $f; done | trace-pair -t --begin B --end E | cut -f 3,7-' \
	'B\tunpaired=begin\nE\tunpaired=end' 'trace-pair: <stdin>: 1 begin *\ntrace-pair: <stdin>: 0 begins *'
try 'arrays of strings, of a begin and of an end' 'trace-pair --self --no-unpaired --begin "MPI_Init and argc = 2" --end MPI_Comm_spawn $FIX/dumpi/small-0002.bin | grep -o "[^	]*argv=[^	]*"' \
	'argv=a124.2.0,a124.2.1\nend.argv=a135.5.0' 'trace-pair: *: dropped'
try 'computed keys are those of an argument with the same value' \
	"trace-pair --no-unpaired -k 'loc, addr // 4096' --begin W --end R Financial1.spc" \
	"$(trace-derive 'p=addr // 4096' Financial1.spc | trace-pair --no-unpaired -k 'loc,p' --begin W --end R 2> /dev/null | sed 's/\tp=[0-9]*//')" '*'
try 'a key that is no expression' "trace-pair -k 'loc, addr //' --begin W --end R Financial1.spc" '' 'trace-pair: *\n*\n*' 2
try 'a key by the event before' "trace-pair -k 'prev.addr + 0' --begin W --end R Financial1.spc" '' 'trace-pair: -k: *' 2
try 'a computed key of a field that no event has' "trace-pair --no-unpaired -k 'adr // 4096' --begin W --end R Financial1.spc" '*' '*\n*no event had a field adr*' 2
try 'an input without events has no field, and lacks none' 'trace-pair -k id --begin B --end E' '' '' 0 ''
# (A text that grows a number at a time takes mawk the square of it.)
try 'chosen of 200,000 requests: no longer than it takes' '{ printf "##spoor\t1\n##format\tdumpi\n1.0\t0\tMPI_Irecv\t-\t-\t0.1\trequest=199999\n2.0\t0\tMPI_Waitsome\t-\t-\t0.1\trequests=%s\tindices=%s\n##end\tevents=2\n" \
	"$(seq -s , 0 199999)" "$(seq -s , 199999 -1 0)"; } | timeout 60 trace-pair -t | grep Irecv | cut -f 6' '1.100000000'
try 'what has no partner has no duration: count counts it, count(dur) counts the pairs' "trace-pair kernel.txt 2>&- | trace-stats -g event -a 'count,count(dur)' | sed -n '/fork/p;/exit/p'; trace-pair --no-unpaired kernel.txt 2>&- | trace-stats -g event -a 'count,count(dur)'" \
	'exit\t2\t0\nfork\t4\t2\n#event\tcount\tcount(dur)\nfork\t2\t2\nopen\t1\t1'
# A number is the same key with a sign and without one.
printf '0.1\ta\tB\t-\t-\t-\tx=7\n' | trace-derive -b 'id = x - 2' > signed.bin
try 'a key that is signed in one event and not in the other' 'trace-merge -b signed.bin - | trace-pair -t --begin B --end E -k id' \
	'0.100000000\ta\tB\t-\t-\t0.100000000\tx=7\tid=5' '' 0 '0.2\ta\tE\t-\t-\t-\tid=5\n'
# A record of an application has requests of several clients, and one end.
for f in lp64-le cm5 ilp32-be-esize; do
	try "CHARISMA: durations of asynchronous requests are those of the reader: $f" "charisma-dump $FIX/charisma/$f.chr 2>&- | grep ASYNC | cut -f 1-6 | sort > a; trace-pair $FIX/charisma/$f.chr 2>&- | grep ASYNC | cut -f 1-6 | sort | cmp - a"
done
awk 'BEGIN { for (t = 0; t < 2; t++) for (i = 0; i < 60000; i++) printf "%d.%06d\ta\t%s\t-\t-\t-\tid=%d\n", t + 1, i, t ? "E" : "B", i }' > many
try 'many keys that end in the order in which they began' "trace-pair --begin B --end E -k id many | awk '\$6 == \"1.000000000\" { n++ } END { print n, NR }'" '60000 60000'
awk 'BEGIN { for (t = 0; t < 4; t++) { printf "%d.0\ta\t%s\t-\t-\t-", t, t % 2 ? "E" : "B"; for (i = 0; i < 70; i++) printf "\ta%d=%d", i, t == 1 && i == 64 || t == 3 && i == 0 ? 7 : 5; print "" } }' > wide
try 'more than 64 arguments: which of an end are others' 'trace-pair --begin B --end E wide | grep -o "end[.].*"' 'end.a64=7\nend.a0=7'
# Places of 40,000 small records are free when 900 large ones come: what is still open moves.
awk 'BEGIN {
	for (i = 0; i < 40000; i++) printf "1.%06d\tn\tB\t%d\t-\t-\tid=%d\n", i, i, i
	for (i = 0; i < 40000; i++) if (i % 9999 != 5) printf "2.%06d\tn\tE\t-\t-\t-\tid=%d\n", i, i
	for (i = 0; i < 900; i++) { printf "3.%06d\tn\tB\t%d\t-\t-\tid=%d", i, i, 50000 + i; for (k = 0; k < 250; k++) printf "\ta%d=%d", k, i + k; print "" }
	for (i = 0; i < 900; i++) printf "4.%06d\tn\tE\t-\t-\t-\tid=%d\n", i, 50000 + i
	for (i = 0; i < 40000; i++) if (i % 9999 == 5) printf "5.%06d\tn\tE\t-\t-\t-\tid=%d\n", i, i
}' > small-large
cat > small-large.awk <<'A'
BEGIN { FS = "\t" }
{
	split($7, id, "=")
	sum += id[2]
	last = id[2] >= 50000 ? 1 : id[2] % 9999 == 5 ? 4 : 1
	if ($4 != id[2] % 50000 || $6 != last ".000000000") bad++
	for (k = 0; id[2] >= 50000 && k < 250; k++) if ($(8 + k) != "a" k "=" id[2] - 50000 + k) bad++
}
END { printf "%d %d %.0f\n", NR, bad, sum }
A
for o in '' --by-end; do for held in 300000 100000000; do
	try "small records, then large ones: $o, $held" "trace-pair --tune wait=$held $o --begin B --end E -k id small-large | awk -f small-large.awk" '40900 0 845384550'
done; done
try '0x without digits is a text' "trace-pair --begin B --end E -k x | cut -f 3,6,7" 'B\t-\tx=0x\nE\t-\tx=0' '*1 begin*1 end*' 0 '1.0\ta\tB\t-\t-\t-\tx=0x\n2.0\ta\tE\t-\t-\t-\tx=0\n'
