#!/usr/bin/env bats
# limits.bats - each row of the table of limits in SECURITY.md: the worst small input that meets the limit. The program
# ends, says what the row says, and takes no more memory and time than it may.

load ../helpers

setup_file() {
	for c in worst peak; do
		# shellcheck disable=SC2086  # CC may hold flags
		$CC -std=c11 -O2 -o "$BATS_FILE_TMPDIR/$c" "$ROOT/tests/unit/$c.c" || return
	done
}

setup() {
	enter
	PATH=$BATS_FILE_TMPDIR:$PATH
}

# lines N FORMAT: that many lines, by awk's printf, whose arguments are i and 2 * i.
lines() {
	awk -v n="$1" -v form="$2\n" 'BEGIN { for (i = 0; i < n; i++) printf form, i, i * 2 }'
}

# letters N: so many.
letters() {
	awk -v n="$1" 'BEGIN { for (s = "x"; length(s) < n; s = s s); printf "%s", substr(s, 1, n) }'
}

# stream TID [JSON]: makes the directory of a stream in `in`, from standard input.
stream() {
	local d=in/loom.l/proc.1/thread.$1
	mkdir -p "$d"
	cat > "$d/stream.obs"
	echo "{\"version\":3,\"ovni\":{\"tid\":$1,\"pid\":1,\"loom\":\"l\",\"app_id\":1,\"loom_cpus\":[{\"index\":0,\"phyid\":0}]${2-}}" > "$d/stream.json"
}

# enters N MCV...: an ovni stream of N events of each code, with a clock of their own.
enters() {
	perl -e '$n = shift; print "ovni", pack("V", 1); for $m (@ARGV) { for (1..$n) { print pack("Ca3Q<", 0, $m, $t += 16) } }' "$@"
}

# ovni_lines N FORMAT: a text stream of N events of ovni, from the place on.
ovni_lines() {
	printf '##spoor\t1\n##format\tovni\n##clock\ts\n##loc\tloom/pid/tid\n'
	awk -v n="$1" -v form="%d.0\t$2\n" 'BEGIN { for (i = 1; i <= n; i++) printf form, i, i }'
	printf '##end\tevents=%d\n' "$1"
}

# calls: lines "RANK<TAB>CALL<TAB>ARGUMENTS" become the text stream of a run of two ranks.
calls() {
	awk -F '\t' -v OFS='\t' 'BEGIN { print "##spoor", 1; print "##format", "dumpi"; print "##clock", "s"; print "##loc", "rank/thread"; print "##meta", "meta.numprocs=2" }
		{ r = $1; c = $2; sub(/^[^\t]*\t[^\t]*\t/, ""); printf "%.9f\t%s\t%s\t-\t8\t0.000000500\t%s\trec=%d\n", NR / 1000, r, c, $0, NR }
		END { print "##end", "events=" NR }'
}

# numbers N FORMAT: N lines, in turns of enter and leave, of 22 arguments of one digit, which take twice as many bytes in
# memory; of a place, by awk's printf.
numbers() {
	awk -v n="$1" -v form="$2" 'BEGIN { for (k = 1; k <= 22; k++) args = args "\t" substr("abcdefghijklmnopqrstuv", k, 1) "=1"
		for (i = 1; i < n; i++) printf "%d\t" form "\t%s\t-\t-\t-%s\n", i, i - (i + 1) % 2, i % 2 ? "enter" : "leave", i % 2 ? args : "" }'
}

SEND='count=1\tdatatype=MPI_DOUBLE\tdest=1\ttag=3\tcomm=MPI_COMM_WORLD'
RECV='count=1\tdatatype=MPI_DOUBLE\tsource=0\ttag=3\tcomm=MPI_COMM_WORLD'

# meet PROGRAM WHAT: makes `in`, and sets run. most: MiB that it may take. each: milliseconds of CPU for a byte. any: other
# errors may come besides. short: the input only grows as fast as its
# bytes can, because meeting the limit takes some 50 MB or 10 s. Status 1 for a row that nobody knows.
meet() {
	case "$1: $2" in
	'all: one line or record')
		most=$((64 + 12 * 16))
		{ printf '0.5\t1\tR\t5\t6\t-\n1.5\t1\tR\t5\t6\t-\ta='; letters 17000000; echo; } > in
		run=(trace-filter '*') ;;
	'columns: members of a JSON object')
		awk 'BEGIN { printf "{\"ts\":1,\"name\":\"a\""; for (i = 0; i < 1100; i++) printf ",\"k%d\":1", i; print "}" }' > in
		run=(trace-filter -O 'columns=json time=$ts event=$name *' '*') ;;
	'binary stream: strings')
		most=256
		worst binary-short 4196000 > in
		run=(trace-filter '*') ;;
	'binary stream: bytes of strings')
		# 64 MiB take as many bytes. One string more, and it is told: see the row above.
		most=256 short=1
		worst binary-strings 2000000 > in
		run=(trace-filter '*') ;;
	'binary stream: bytes of types')
		most=256
		worst binary-types 1100000 > in
		run=(trace-filter '*') ;;
	'charisma: clients and applications')
		worst charisma-joins 600000 > in
		run=(charisma-dump) ;;
	'charisma: open files and their names')
		worst charisma-opens 90000 > in
		run=(charisma-dump) ;;
	'columns: columns of a line')
		for i in 1 2; do lines 1024 '1,' | tr -d '\n'; echo 1; done > in
		run=(trace-filter -O 'columns=time=$1 event=$2 x=$-1' '*') ;;
	'dumpi: communicators and groups of all ranks')
		most=64 each=30 # the .meta file is all that is counted
		awk -v OFS='\t' 'BEGIN { for (r = 0; r < 2; r++) for (i = 0; i < 60000; i++) {
			print i ".5", r, "MPI_Comm_split", "-", "-", "0.1", "oldcomm=MPI_COMM_WORLD", "color=0", "key=0", "newcomm=4"
			print i ".7", r, "MPI_Alltoall", "-", "-", "0.1", "sendcount=1", "sendtype=MPI_BYTE", "recvcount=1", "recvtype=MPI_BYTE", "comm=4" } }' |
			sort -s -n | trace-convert --target dumpi -o run 2> err
		mv run/* .
		in=$(echo ./*.meta)
		run=(dumpi2txt) ;;
	'dumpi: ranks of a .meta file')
		printf 'numprocs=1048577\nfileprefix=r\n' > in
		mv in r.meta
		ln -s r.meta in.meta
		in=r.meta
		run=(dumpi2txt) ;;
	'filter expressions: tests or terms')
		echo $'0.5\tl\te\t-\t-\t-' > in
		run=(trace-filter "$(lines 10001 'or c' | tr '\n' ' ' | sed 's/^or //')") ;;
	'ovni: a label')
		worst ovni-backwards 2 | stream 1 ",\"mark\":{\"1\":{\"title\":\"$(letters 4097)\"}}}"
		run=(ovni-dump) ;;
	'ovni: types, tasks and labels')
		worst ovni-backwards 2 | stream 1 ",\"mark\":{\"1\":{\"title\":\"a\",\"labels\":{\"0\":\"b\"$(lines 131072 ',"1%d":"b"' | tr -d '\n')}}}}"
		run=(ovni-dump) ;;
	'ovni: app_id and rank of processes')
		worst ovni-backwards 2 > one
		long=$(letters 1000)
		for i in {1..1950}; do echo in/loom.l/proc.1/thread.$i; done > names
		xargs mkdir -p < names
		while read -r d; do
			ln one "$d/stream.obs"
			i=${d##*.}
			echo "{\"version\":3,\"ovni\":{\"tid\":$i,\"pid\":$i,\"loom\":\"$long\",\"app_id\":1,\"rank\":$i,\"nranks\":2000}}" > "$d/stream.json"
		done < names
		run=(trace-filter -H '*') ;;
	'ovni: directories one in another')
		worst ovni-backwards 2 | stream 1 '}'
		mkdir -p "in$(printf '/a%.0s' {1..258})"
		run=(ovni-dump) ;;
	'ovni: events that wait in memory')
		enters 400000 'VU[' 'OB.' | stream 1 '}'
		most=64 any=1
		run=(ovni-dump -O durations) ;;
	'ovni: metadata of all streams')
		for t in 1 2; do worst ovni-backwards 2 | stream $t "},\"y\":[0$(lines 60 ",\"$(letters 60000)$t%d\"" | tr -d '\n')]"; done
		run=(trace-filter -H '*') ;;
	'ovni: one stream.json')
		worst ovni-backwards 2 | stream 1 '}'
		worst json-string 4194304 > in/loom.l/proc.1/thread.1/stream.json
		run=(ovni-dump) ;;
	'ovni: states that are open')
		enters 140000 'VU[' 'VU]' | stream 1 '}'
		run=(ovni-dump -O durations) ;;
	'ovni: states that -O cpu cuts')
		{
			printf '##spoor\t1\n##format\tovni\n##clock\ts\torigin=0.000000000\n##loc\tloom/pid/tid\n'
			lines 70 '0.000%06d\tnode/1/1\tVAs\t-\t-\t-'
			printf '0.1\tnode/1/1\tOAs\t-\t-\t-\tcpu=1\n##end\tevents=71\n'
		} > text
		trace-convert -T ovni -o t text
		in=t
		run=(trace-stats -O cpu t) ;;
	'text stream: metadata of an input')
		worst text-metadata 130000 > in
		run=(trace-filter '*') ;;
	'text stream: names in tables')
		worst text-events 70000 > in
		run=(trace-filter '*') ;;
	'trace-access: blocks of all files')
		# A sample of so many takes 64 MiB, and a request of 26 bytes may have a million blocks.
		most=176 each=12
		for i in 0 1 2 3; do echo "0,$((i * 4194304)),2147483648,R,$i.0"; done > in
		run=(trace-access) ;;
	'trace-access: blocks of one request')
		echo '0,0,4294967295,R,1.0' > in
		run=(trace-access --unit 512) ;;
	'trace-access: ranges of bytes')
		# 4194304 requests have 80 MB.
		most=176 short=1
		lines 600000 '0,%.0f0,1,R,1.0' > in
		run=(trace-access) ;;
	'trace-diff: runs of a side')
		lines 3 '%d.0\tl\te\t-\t-\t-' > in
		run=(trace-diff -a count) # and operands
		for i in {0..30}; do run+=(in); done ;;
	'trace-diff: the table of a run')
		# The table is longer than the trace.
		most=256
		lines 600000 '%d.0\t%d\te\t-\t-\t-' > in
		run=(trace-diff -g 'loc,a = loc,b = loc' -a count in) ;;
	'trace-diff --first: events that wait')
		most=160 any=1
		lines 600000 '%d.0\tl%d\te\t-\t-\t-' > in
		run=(bash -c 'tac in | trace-diff --first in - || exit' bash) ;;
	'trace-export --split: pages of one request')
		echo '0,0,4294967295,R,0.5' > in
		run=(trace-export -T oracle --split 512) ;;
	'trace-export blktrace: requests that wait for their end')
		awk 'BEGIN { for (i = 0; i < 66000; i++) printf "%.6f\t1\tread\t0\t512\t100.0\n", i / 1e5 }' > in
		run=(trace-export -T blktrace --actions QDC) ;;
	'trace-export chrome: flows')
		lines 263000 '%d.0\t1\tR\t-\t-\t0.5\tflow=%d' > in
		run=(trace-export -T chrome) ;;
	'trace-export csv: columns')
		lines 4200 '%d.0\t1\tR\t-\t-\t-\tk%d=1' > in
		run=(trace-export -T csv) ;;
	'trace-export ctf: kinds of events')
		lines 65600 '%d.0\tl\te%d\t0\t512\t-' > in
		run=(trace-export -T ctf -o out) ;;
	'trace-export fio: files')
		lines 65600 '%d.0\tl%d\tread\t0\t512\t-' > in
		run=(trace-export -T fio) ;;
	'trace-export paraver: texts')
		lines 65600 '%d.0\tl\te\t0\t512\t-\tk=t%d' > in
		run=(trace-export -T paraver -o out) ;;
	'trace-export parquet: what the footer says of groups')
		# 64 MiB of footer are some 30000 groups.
		short=1
		lines 4000 '%d.0\t1\tR\t-\t-\t-\tk%d=1' > in
		run=(trace-export -T parquet) ;;
	'trace-export parquet, arrow: columns')
		lines 4200 '%d.0\t1\tR\t-\t-\t-\tk%d=1' > in
		run=(trace-export -T arrow) ;;
	'trace-export parquet, arrow: texts of some 512 events')
		letters 200000 > name
		awk '{ for (i = 0; i < 600; i++) printf "%d.0\t%s\tR\t-\t-\t-\n", i, $0 }' name | trace-filter -b 'event?' > in
		run=(trace-export -T parquet) ;;
	'trace-export perfetto: events at a time in one place')
		awk 'BEGIN { for (i = 0; i < 1030; i++) printf "%d.0\tl\te\t-\t-\t%d.0\n", i, 5000 + i * 2 }' > in
		run=(trace-export -T perfetto) ;;
	'trace-export perfetto: one text')
		{ printf '0.5\t1\tR\t5\t6\t-\tname='; letters 70000; echo; } > in
		run=(trace-export -T perfetto) ;;
	'trace-match: calls of --critical in memory')
		lines 1200000 '%d.0\t0\tMPI_Test\t-\t-\t0.5' > in
		run=(trace-match --critical) any=1 ;; # no call is about a message
	'trace-match: names of calls of --critical')
		lines 20000 '%d.0\t0\tn%d\t-\t-\t0.5' > in
		run=(trace-match --critical) ;;
	'trace-match: calls searched before threads of --critical')
		lines 2000 '9%05d.0\t0/0\tMPI_Test\t-\t-\t0.5\n1.0\t0/%d1\tMPI_Test\t-\t-\t0.5' > in
		run=(trace-match --critical) any=1 ;; # no call is about a message
	'trace-match: events that wait in memory')
		# Some 70 MB of calls wait for one that never ends.
		short=1 any=1
		{ printf "0\tMPI_Irecv\t$RECV\trequest=9\n"; lines 60000 "0\tMPI_Isend\t$SEND\trequest=%d"; } | calls > in
		run=(trace-match) ;;
	'trace-match: groups made of groups')
		awk 'BEGIN { OFS = "\t"
			for (r = 0; r < 2; r++) {
				print r, "MPI_Comm_group", "comm=MPI_COMM_WORLD", "group=4"
				for (i = 1; i <= 300; i++) print r, "MPI_Group_incl", "group=" 3 + i, "count=2", "ranks=0,1", "newgroup=" 4 + i
				print r, "MPI_Comm_create", "oldcomm=MPI_COMM_WORLD", "group=304", "newcomm=9"
			}
			print 0, "MPI_Send", "count=1", "datatype=MPI_DOUBLE", "dest=1", "tag=3", "comm=9"
			print 1, "MPI_Recv", "count=1", "datatype=MPI_DOUBLE", "source=0", "tag=3", "comm=9" }' | calls > in
		run=(trace-match) ;;
	'trace-match: messages of --clocks in memory')
		# 1048576 messages have 200 MB.
		short=1
		lines 50000 "0\tMPI_Send\t$SEND\n1\tMPI_Recv\t$RECV" | calls > in
		run=(trace-match --clocks) ;;
	'trace-match: receives searched at once')
		# Those of another tag are in front.
		any=1
		{
			lines 66000 "1\tMPI_Irecv\t${RECV/source=0/source=-1}\trequest=1%d"
			printf "0\tMPI_Send\t$SEND\n1\tMPI_Recv\t$RECV\n"
		} | calls > in
		run=(trace-match) ;;
	'trace-match: requests of one number')
		{
			lines 5000 "0\tMPI_Send_init\t$SEND\trequest=7"
			printf "0\tMPI_Isend\t$SEND\trequest=7\n1\tMPI_Recv\t$RECV\n0\tMPI_Wait\trequest=7\n"
		} | calls > in
		run=(trace-match) ;;
	'trace-merge: events of --match')
		lines 1100000 '%d\t1\tR\t-\t-\t-\tk=%d' > in
		# 16 bytes for each event, in arrays that double.
		most=128
		ln in in2
		run=(trace-merge --match k in2) ;;
	'trace-merge: events of a resort window')
		{ lines 70000 '1%d.0\tl\te\t-\t-\t-' | sort -n; echo $'0.5\tl\te\t-\t-\t-'; } > in
		run=(bash -c 'trace-merge <(cat "$1") <(cat "$1")' bash) ;;
	'trace-merge: metadata of all inputs')
		for i in 1 2; do
			{ printf '##spoor\t1\n'; for k in 1 2 3 4 5; do printf '##meta\tk%d=%d' $k $i; letters 1000000; echo; done; printf '0.5\tl\te\t-\t-\t-\n##end\tevents=1\n'; } > in$i
		done
		cat in1 in2 > in
		run=(bash -c 'trace-merge in1 in2' bash) ;;
	'trace-check: tasks, spaces, files and pages of Laplace')
		{ echo s 0 1; awk 'BEGIN { for (i = 1; i < 140000; i++) printf "B %x %x000\n", i, i }'; echo c; } > in
		run=(trace-check) ;;
	'trace-check: mapped regions of Laplace')
		{ echo s 0 1; awk 'BEGIN { for (i = 1; i < 70000; i++) printf "m %x 1 %x000 1000\n", i, i * 2 }'; echo c; } > in
		run=(trace-check -W laplace-overlap) ;;
	'trace-check: applications, clients, files and open requests of CHARISMA')
		{
			printf '##spoor\t1\n##format\tcharisma\n##clock\ts\torigin=760000000.000000000\n##loc\tclient\n'
			awk 'BEGIN { for (i = 1; i < 70000; i++) printf "0.5\tapp:%d\tapp-load\t-\t-\t-\tname=a\tclients=1\n", i; print "##end\tevents=69999" }'
		} > in
		run=(trace-check) ;;
	'trace-check: looms, processes and threads of ovni')
		ovni_lines 17000 'l/1/%d\tOHx\t-\t-\t-' > in
		run=(trace-check) ;;
	'trace-check: open regions of ovni')
		enters 300000 MUi | stream 1
		run=(trace-check) ;;
	'trace-check: task bodies of ovni')
		ovni_lines 270000 'l/1/1\tVTx\t-\t-\t-\ttaskid=%d\tbodyid=0' > in
		run=(trace-check) ;;
	'trace-check: types, cpus, ranks and labels of ovni')
		ovni_lines 70000 'l/1/1\tVYc\t-\t-\t-\ttypeid=%d\tlabel=a' > in
		run=(trace-check) ;;
	'trace-check: functions of DUMPI')
		awk 'BEGIN { for (i = 0; i < 65540; i++) printf "0\tFunction_enter\tfn=0x%x\tname=f\n", i }' | calls > in
		run=(trace-check) ;;
	'trace-check: handles of MPI')
		awk 'BEGIN { for (i = 28; i < 131130; i++) print "0\tMPI_Type_contiguous\tcount=1\toldtype=MPI_INT\tnewtype=" i }' | calls > in
		run=(trace-check) ;;
	'trace-check: requests of MPI')
		awk -v s="${SEND/dest=1/dest=-2}" 'BEGIN { for (i = 2; i < 131080; i++) print "0\tMPI_Isend\t" s "\trequest=" i }' | calls > in
		run=(trace-check) ;;
	'trace-check: calls of MPI without a partner')
		awk -v s="$SEND" 'BEGIN { for (i = 2; i < 131080; i++) print "0\tMPI_Send\t" s }' | calls > in
		run=(trace-check) ;;
	'trace-check: streams of messages of MPI')
		awk 'BEGIN { for (i = 2; i < 32780; i++) print "0\tMPI_Sendrecv\tsendcount=1\tsendtype=MPI_INT\tdest=1\tsendtag=" i "\trecvcount=1\trecvtype=MPI_INT\tsource=0\trecvtag=" i "\tcomm=MPI_COMM_WORLD" }' | calls > in
		run=(trace-check -W mpi-deadlock) ;;
	'trace-check: ASUs of SPC')
		{ echo 0,1,512,R,0.5; echo 65536,1,512,R,0.5; } > in
		run=(trace-check) ;;
	'trace-anonymise and alias(): new names')
		most=700
		lines 4200000 '%d.0\tl\te\t-\t-\t-\tf=x%d' > in
		run=(trace-anonymise -b) ;;
	'trace-pair: events that wait in memory')
		# Events alone are 64 MiB, and tables lie beside them.
		most=128
		{ echo $'0.5\tl\tenter\t-\t-\t-'; numbers 600000 m%.0s; } > in
		run=(trace-pair --begin 'event = enter' --end 'event = leave') ;;
	'trace-pair: names')
		most=128
		{ echo $'0.5\tl\tenter\t-\t-\t-'; numbers 600000 m%.0s; lines 40000 '6%06d\tl%0250d\tenter\t-\t-\t-'; } > in
		run=(trace-pair --begin 'event = enter' --end 'event = leave') ;;
	'trace-pair: pairs of a key that cross')
		# The first begin ends before all others.
		any=1
		{ echo $'0.5\tl\tfirst\t-\t-\t-'; lines 5000 '1%04d\tl\tenter\t-\t-\t-'; printf '2000%d\tl\t%s\t-\t-\t-\n' 0 last 1 leave; } > in
		run=(trace-pair --self --begin 'event = enter' --end 'event = leave' --begin 'event = first' --end 'event = last') ;;
	'trace-plot: lanes')
		lines 100000 '%d.0\tl%d\te\t0\t512\t1.0' > in
		run=(trace-plot timeline) ;;
	'trace-plot: states in memory')
		# What is sorted in memory, twice: as an array, and as the sort of the library copies it.
		lines 1000000 '%d.0\tl\te\t0\t512\t1.0' | tac > in
		run=(trace-plot timeline -o x.svg) ;;
	'trace-plot: columns of a table')
		lines 100000 '%d\t1' | cut -f 1 | paste -sd '\t' - > in
		run=(trace-plot line --bins) any=1 ;;
	'trace-plot: lines')
		lines 100000 '%d\tg%d\t1' > in
		run=(trace-plot line --bins) ;;
	'trace-plot: groups of heat -g')
		lines 1000 '%d.0\tl\te%d\t0\t512\t1.0' > in
		run=(trace-plot heat -g event) ;;
	'trace-plot: messages')
		printf '0.0\t1\tc\t-\t-\t100000.0\n' > c
		lines 100000 '%d.0\t1\tm\t-\t-\t1.0\tto=1' > in
		run=(trace-plot timeline c --arrows) ;;
	'trace-plot: names of -g')
		lines 100000 '%d.0\tl\te%d\t0\t512\t1.0' > in
		run=(trace-plot timeline -g event) ;;
	'trace-report: files of requests')
		lines 1100000 '%d,0,512,R,1.0' > in
		run=(trace-report -j 1) ;;
	'trace-reuse: blocks of one event')
		echo '0,0,4294967295,R,1.0' > in
		run=(trace-reuse --unit 512) ;;
	'trace-reuse: keys of exact distances')
		for i in {0..11}; do echo "0,$((i * 8388608)),4294967295,R,$i.0"; done > in
		run=(trace-reuse --exact) ;;
	'trace-reuse: references of --policy opt, lru-entry')
		# The same 500000 blocks again and again.
		most=640 each=20000
		for i in {0..269}; do echo "0,0,256000000,R,$i.0"; done > in
		run=(trace-reuse --policy opt --unit 512) ;;
	'trace-reuse: samples of all groups')
		awk 'BEGIN { for (i = 0; i < 20000; i++) for (g = 0; g < 64; g++) printf "%d,%d,1,R,%d.0\n", g, i * 8, i }' > in
		any=1
		run=(trace-reuse -g asu --summary) ;;
	'trace-stats -a depth: order')
		# The last of 1048577 events is the first by time.
		awk 'BEGIN { for (i = 1; i <= 1048577; i++) print i ".0\tl\te\t-\t-\t1.0"; print "0.5\tl\te\t-\t-\t1.0" }' > in
		run=(trace-stats -a depth) ;;
	'trace-stats -a depth: events in progress')
		awk 'BEGIN { for (i = 1; i <= 1048577; i++) print i ".0\tl\te\t-\t-\t2000000.0" }' > in
		run=(trace-stats -a depth) ;;
	'trace-stats -a depth: rows')
		most=640 each=100000
		awk 'BEGIN { for (i = 0; i < 20; i++) printf "%d.0\tl%d\te\t-\t-\t250.0\n", i, i }' > in
		run=(trace-stats -g loc -w 1ms -a depth) ;;
	'trace-stats --spread: events')
		echo $'0.0\tl\te\t-\t-\t1000000000.0' > in
		run=(trace-stats -w 1ms --spread -a count) ;;
	'trace-stats --spread: rows')
		most=512 each=100000
		awk 'BEGIN { for (i = 0; i < 20; i++) printf "%d.0\tl%d\te\t-\t-\t250.0\n", i, i }' > in
		run=(trace-stats -g loc -w 1ms --spread -a count) ;;
	'trace-stats --wide: columns')
		lines 1002 '%d.0\tl%d\te\t-\t-\t-' > in
		run=(trace-stats -g event,loc --wide loc -a count) ;;
	*) return 1 ;;
	esac
}

# keeps PROGRAM WHAT MESSAGE: the program over the input of this row keeps the promises.
keeps() {
	local in=in most=64 each=2 short='' any='' run=() bytes want=2 words=${3%% (*} got
	rm -rf ./*
	meet "$1" "$2" || { echo 'no case in limits.bats'; return; }
	bytes=$(du -sLb $in | cut -f 1)
	case $3 in -) want=0 ;; *'status 0)') want=0 ;; esac
	case "$1: $2" in
	*'calls of --critical'*) ;; # as others: the input is much larger than what it takes
	trace-match:*) most=$((8 + 50 * bytes / 1048576)); [ $most -gt 64 ] || most=64 ;;
	esac
	got=$(peak . $in -- sh -c '"$@" 2> err; echo $? > status' sh "${run[@]}") || { echo 'no end'; return; }
	awk -v most=$most -v each=$each -v bytes="$bytes" '
		$1 > bytes * each / 1000 + 0.2 { printf "%.2f s CPU for %d bytes\n", $1, bytes }
		$2 > most * 1024 { printf "%.0f MiB, more than %d\n", $2 / 1024, most }' <<<"$got"
	[ -z "${SPOOR_LIMITS-}" ] || echo "$1: $2: $bytes bytes, $got" >&3
	[ "$(<status)" -le 2 ] || { echo "status $(<status)"; return; }
	[ -z "$short" ] || return 0
	[ "$any" ] || [ "$(<status)" = $want ] || { echo "status $(<status), expected $want"; tail -n 3 err | cut -c 1-300; }
	[ "$3" = - ] || grep -Fq -- "$words" err || { echo "no message: $words"; tail -n 3 err | cut -c 1-300; }
}

@test "each limit of the table: the worst small input ends in time, in its memory, and with its message" {
	need_native
	needs perl
	sh "$ROOT/tests/make/bounds.sh" --rows > "$BATS_FILE_TMPDIR/rows"
	while IFS='|' read -r _ program what _ _ message _; do
		program=${program# } what=${what# } message=${message# }
		said=$(keeps "${program% }" "${what% }" "${message% }" < /dev/null)
		[ -z "$said" ] || echo "$program: $what: $said"
	done < "$BATS_FILE_TMPDIR/rows" > "$BATS_FILE_TMPDIR/bad"
	cat "$BATS_FILE_TMPDIR/bad"
	[ ! -s "$BATS_FILE_TMPDIR/bad" ]
	[ "$(wc -l < "$BATS_FILE_TMPDIR/rows")" -gt 40 ]
}
