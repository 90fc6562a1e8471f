# shellcheck shell=sh disable=SC2016  # $FIX is the driver's
# cookbook.sh - what spoor-cookbook(7) claims beside its examples, each by awk on the same events.
spc-cat Financial1.spc > disk
trace-filter -t '*' solver.meta > calls
ovni-dump tasks > states
trace-filter -t '*' trace.chr > files
trace-filter -t '*' kernel.txt > kernel

# Block I/O
try 'top is exact up to 256 addresses, and they are fewer' 'cut -f 4 disk | sort | uniq -c | sort -k 1rn -k 2n | head -3 | awk "{ print \$2 \":\" \$1 }" | paste -s -d , -; cut -f 4 disk | sort -u | wc -l' \
	'240840:14,55596:3,55602:3\n105'
{ yes 5 | head -n 9; printf '7\n7\n'; seq 1000 1999; } | awk '{ print NR ".0\ta\tR\t" $1 "\t1\t-" }' > many
try 'with more a count may be too high and an address wrong, which the output says' "trace-stats -a 'top(addr,2)' many | sed 's/1[0-9]*:[0-9]*-[0-9]*/wrong/; s/most .*/most N/'" \
	'#top(addr,2)\n5:9,wrong' 'trace-stats: top(addr,2): a count written A-B is too high by at most B; values without a counter have at most *'
try 'more counters find the address that was missing' "trace-stats -a 'top(addr,300)' many | sed -n '2s/,1.*//p'" '5:9,7:2'
try 'the row of run says how many runs are at least that long' \
	'awk -F "\t" "{ n = \$4 == end[\$2] ? run[\$2] + 1 : 1; run[\$2] = n; rows[n]++; end[\$2] = \$4 + int(\$5 / 512) } END { for (n = 1; n in rows; n++) print n, rows[n] }" disk | head -n 4' '1 109\n2 4\n3 1\n4 1' '' 0
try 'a sample by a hash has all requests of its blocks, and about a tenth of them' \
	"trace-filter -F addr 'hash(addr) % 10 = 0' Financial1.spc | sort > in; trace-filter -F addr 'hash(addr) % 10 != 0' Financial1.spc | sort > out; comm -12 in out; seq 0 99999 | sed 's/.*/0\\ta\\tR\\t&\\t1\\t-/' | trace-filter -c 'hash(addr) % 10 = 0' | awk '{ print (\$1 > 9500 && \$1 < 10500) }'" 1
try 'how long a unit had no request, by the size of the next one' \
	"awk -F '\\t' '\$2 in at { d = \$1 - at[\$2]; c = int(log(\$5) / log(2) + 1e-9); n[c]++; if (d > most[c]) most[c] = d } { at[\$2] = \$1 } END { for (c = 9; c <= 13; c++) if (c in n) printf \"%d %.9f\\n\", c, most[c] }' disk > want; trace-stats -k asu -g 'class = floor(log2(size))' -a 'm = max(time - prev.time)' --no-header Financial1.spc | tr '\\t' ' ' | cmp - want"

# MPI
try 'who waits least is the one that most messages were late from' \
	"trace-stats -e 'MPI_Waitall or MPI_Allreduce' -g rank -a 'w = sum(dur)' -S w --no-header --head 1 solver.meta | cut -f 1; trace-match solver.meta | trace-stats -e message -g loc -a 'l = sum(late_sender)' -S -l --no-header --head 1 | cut -f 1" '2\n2'
try 'computation on the critical path is no more than what a rank computes, and is all of rank 2' \
	"trace-match --critical solver.meta | trace-stats -e compute -g loc -a 'c = sum(dur)' -S -c --no-header --head 1" '2\t0.076386782'
try 'the greatest sum over the mean one' "awk -F '\\t' '\$3 ~ /Waitall|Allreduce/ { s[\$2] += \$6; all += \$6 } END { for (r in s) if (s[r] > m) m = s[r]; printf \"%.9f\\n\", m * 4 / all }' calls" '1.346602051'
try 'what a rank computes' "awk -F '\\t' '\$2 in end { s[\$2] += \$1 - end[\$2] } { end[\$2] = \$1 + \$6 } END { for (r = 0; r < 4; r++) printf \"%d %.9f\\n\", r, s[r] }' calls" '0 0.052564150\n1 0.053117556\n2 0.076388394\n3 0.052816519'
try 'a request lasts from its call to the end of the MPI_Waitall that completes it' \
	"awk -F '\\t' '{ q = \"\"; for (i = 7; i <= NF; i++) if (\$i ~ /^requests?=/) { q = \$i; sub(/.*=/, \"\", q) } }
		\$3 ~ /MPI_I(send|recv)/ { at[\$2, q] = \$1; of[\$2, q] = \$3 }
		\$3 == \"MPI_Waitall\" { n = split(q, r, \",\"); for (i = 1; i <= n; i++) { k = \$2 SUBSEP r[i]; d = \$1 + \$6 - at[k]; c[of[k]]++; s[of[k]] += d; if (d > m[of[k]]) m[of[k]] = d } }
		END { for (e in c) printf \"%s %d %.9f %.9f\\n\", e, c[e], s[e], m[e] }' calls | sort > want; trace-pair solver.meta | trace-stats -g event -a 'count(dur),sum(dur),max(dur)' --no-header | tr '\\t' ' ' | cmp - want"
try 'as many requests are in flight' \
	"awk -F '\\t' '\$3 ~ /MPI_I(send|recv)/ { n[\$2]++ } \$3 == \"MPI_Waitall\" { sub(/count=/, \"\", \$7); n[\$2] -= \$7 } n[\$2] > m[\$2] { m[\$2] = n[\$2] } END { for (r = 0; r < 4; r++) print m[r] }' calls" '2\n4\n4\n2'
try 'a send and its receive have the same sender, receiver and tag, and no other has' \
	"trace-filter -F rank,peer,tag MPI_Isend solver.meta | sort > s; trace-filter -F peer,rank,tag MPI_Irecv solver.meta | sort | cmp - s; uniq -d s | wc -l; wc -l < s" '0\n48'
try 'each arrow has two ends with one number' \
	"trace-match -b solver.meta > m.bin; trace-derive -b -e message -k event 'flow = total(1)' dur= m.bin > sent.bin; trace-derive -b -e message -k event 'flow = total(1)' 'time = end' 'loc = to' dur= m.bin > received.bin
	trace-export -T chrome solver.meta sent.bin received.bin > arrows; for k in s t; do grep '\"ph\":\"'\$k'\"' arrows | grep -o '\"id\":[\"0-9a-fx]*' | sort > \$k.ids; sort -u \$k.ids | wc -l; done; cmp s.ids t.ids" '51\n51'

# Task runtimes
try 'a state of a thread lasts until the next one' \
	"awk -F '\\t' '\$3 ~ /^OH/ { if (\$2 in at) s[\$2 \" \" of[\$2]] += \$1 - at[\$2]; at[\$2] = \$1; of[\$2] = \$3 } END { for (k in s) printf \"%s %.9f\\n\", k, s[k] }' states | sort > want; trace-stats -O durations -e 'OH* and dur?' -g loc,event -a 'sum(dur)' --no-header tasks | tr '\\t' ' ' | cmp - want"
try 'a task lasts from its begin to its end, and has the label of its type' \
	"awk -F '\\t' '\$3 == \"VYc\" { split(\$7, a, \"=\"); split(\$8, b, \"=\"); p = \$2; sub(/[^\\/]*\$/, \"\", p); label[p, a[2]] = b[2] } \$3 ~ /VTc/ { split(\$7, a, \"=\"); split(\$8, b, \"=\"); p = \$2; sub(/[^\\/]*\$/, \"\", p); type[p, a[2]] = label[p, b[2]] }
		\$3 == \"VTx\" { at[\$2] = \$1 } \$3 == \"VTe\" { split(\$7, a, \"=\"); p = \$2; sub(/[^\\/]*\$/, \"\", p); k = type[p, a[2]]; n[k]++; s[k] += \$1 - at[\$2] } END { for (k in n) printf \"%s %d %.9f\\n\", k, n[k], s[k] }' states | sort > want
	ovni-dump -b -D tasks | trace-stats -e VTx -g type -a 'count,sum(dur)' --no-header | tr '\\t' ' ' | cmp - want"

# Memory and kernel, parallel file systems
try 'a fetch that does not follow the one before' \
	"trace-filter -F 'addr + 0,size' i refs.bin | awk 'NR > 1 && \$1 != end { n++ } { end = \$1 + \$2 } END { print n }'; trace-filter -k event -c 'i and addr != prev.addr + prev.size' refs.bin" '21\n21'
try 'a process runs until the next schedule' "laplace-merge -b three.ref three.kern | trace-filter -t schedule | awk -F '\\t' 'NR > 1 { printf \"%.0f %s %d\\n\", at, who, \$1 - at } { at = \$1; who = \$2; sub(/\\/.*/, \"\", who) }'" '68719476736 257 200000\n68719676736 258 200000\n68719876736 259 200000'
try 'a file is open from its open to its close' "awk -F '\\t' '\$3 == \"open\" { split(\$0, a, \"file_desc=\"); at[\$2, a[2] + 0] = \$1 } \$3 == \"close\" { split(\$0, a, \"file_desc=\"); printf \"%s %.9f\\n\", \$2, \$1 - at[\$2, a[2] + 0] }' files" '64 0.003750000\n65 0.003750000\napp:1 0.003750000'
try 'bytes for each second of waiting' "awk -F '\\t' '/by=client/ && \$6 != \"-\" { s[\$2] += \$5; d[\$2] += \$6 } END { for (l = 64; l < 66; l++) printf \"%d %.9f\\n\", l, s[l] / d[l] / 1e6 }' files" '64 4.080557858\n65 5.175085691'

# Any trace
try 'a merge of one file puts it in order' "awk -F '\\t' 'NR > 1 && \$1 + 0 < t + 0 { n++ } { t = \$1 } END { print n + 0 }' files; trace-merge -t trace.chr | awk -F '\\t' 'NR > 1 && \$1 + 0 < t + 0 { n++ } { t = \$1 } END { print n + 0 }'" '33\n0'
try 'half the load: the same requests at twice the time' "trace-derive 'time = time * 2' Financial1.spc | awk -F '\\t' '{ printf \"%.6f %s %s %s %s\\n\", \$1 / 2, \$2, \$3, \$4, \$5 }' > half; awk -F '\\t' '{ printf \"%.6f %s %s %s %s\\n\", \$1, \$2, \$3, \$4, \$5 }' disk | cmp - half"
try 'addresses that trace-derive divided are divided twice with a header' \
	"printf 'at,disk,op,offset,bytes\\n0.5,2,R,1048576,4096\\n' > one.csv; trace-derive -H -O columns='header time=\$at loc=\$disk event=\$op addr=\$offset size=\$bytes' 'addr = addr // 512' one.csv | trace-convert -T spc" '2,4,4096,R,0.500000'

# Other programs
try 'MQSim: 23 reads of 55808 bytes, in sectors, 1 is a read' "trace-export -T mqsim Financial1.spc | awk '\$5 == 1 { n++; b += \$4 * 512 } END { print n, b }'" '23 55808'
try 'as many requests are for what is asked for again as a cache without end has hits' \
	"awk -F '\\t' 'seen[\$2, \$4]++ { n++ } END { print n }' disk; trace-export -T oracle Financial1.spc | od -A n -v -t u4 -w24 | awk '\$5 != 4294967295' | wc -l | tr -d ' '" '55\n55'
try 'borders that each rank sends' "grep MPI_Isend calls | cut -f 2 | sort | uniq -c | awk '{ print \$1, \$2 }'" '8 0\n16 1\n16 2\n8 3'
try 'Paraver: the length in nanoseconds and the rows; the first call of rank 3, from 0 on' \
	"awk -F '\\t' '\$1 + \$6 > m { m = \$1 + \$6 } END { printf \"%.0f_ns\\n\", m * 1e9 }' calls; head -n 1 calls | cut -f 1-3; trace-export -T paraver -o solver.prv solver.meta; sed -n '1s/.*):\\([0-9]*_ns\\):.*/\\1/p;2p' solver.prv/trace.prv | cut -d : -f 1-6" '117763830_ns\n0.000000000\t3\tMPI_Init\n117763830_ns\n2:0:1:4:1:0'
