#!/usr/bin/env bats
# ovni.bats - ovni traces, and ovni-dump. The traces of tests/gen/gen_ovni.c hold every layout; the
# collection's hold what real releases wrote.

load ../helpers

setup_file() {
	export FX=$BATS_FILE_TMPDIR/fx
	local gen=$BATS_FILE_TMPDIR
	"${CC:-cc}" -O1 -I"$ROOT/common" -I"$ROOT/cmd/lib" -I"$ROOT/cmd" -o "$gen/gen" "$ROOT/tests/gen/gen_ovni.c"
	"${CC:-cc}" -O2 -o "$gen/big" "$ROOT/tests/bench/gen_ovni.c"
	"$gen/gen" "$FX"
}

setup() {
	enter
}

LAYOUTS='v0 v1 v1obs v2 v3 big'

# Of each directory a line with its name, and behind it what `ovni-dump OPTION... DIR/ovni` prints.
dumped() { # OPTIONS DIR...
	sh -c 'options=$1; shift
		for d; do echo "== $d"; ovni-dump $options "$d/ovni"; done' sh "$@"
}

# Whole traces against what is known of them: every event of every thread, in its order, twice. All at
# once, a line with the trace it is of: with processes for each this would take most of the time.
reproduces() { # DIR..., each with ovni/ and events.tsv
	local tab=$'\t'
	awk '{ d = FILENAME; sub(/\/events\.tsv$/, "", d); print d "\t" $0 }' "${@/%//events.tsv}" |
		sort -s -t "$tab" -k1,1 -k2,2n > want
	# What --compat prints, as an events.tsv by thread: tid, clock, MCV, payload.
	dumped '-s --compat' "$@" | awk '/^== / { d = substr($0, 4); next }
		{ n = split($3, p, "/"); t = p[n]; sub(/^thread\./, "", t); sub(/\.obs$/, "", t)
		h = $4; gsub(":", "", h); print d "\t" t "\t" $1 "\t" $2 "\t" (h == "" ? "-" : h) }' |
		sort -s -t "$tab" -k1,1 -k2,2n > got
	same want got
	# And the event stream: as many, the same letters in the same order for each thread.
	dumped '-s --raw-clock -A' "$@" | awk -F'\t' '/^== / { d = substr($0, 4); next }
		{ split($2, l, "/"); gsub(/\./, "", $1)
		sub(/^0+/, "", $1); print d "\t" l[3] "\t" $1 "\t" $3 }' | sort -s -t "$tab" -k1,1 -k2,2n > got
	cut -f 1-4 want > want3
	same want3 got
}

# judged OUT DIR COMMAND... < TABLE: runs it on DIR/NAME/ovni of each NAME that begins a line of the table;
# OUT/NAME.out and OUT/NAME.err are what it prints, OUT/statuses has a line NAME STATUS for each.
judged() {
	mkdir "$1"
	# shellcheck disable=SC2016  # the other shell's
	sh -c 'out=$1 dir=$2; shift 2
		while read -r name rest; do
			got=0
			"$@" "$dir/$name/ovni" < /dev/null > "$out/$name.out" 2> "$out/$name.err" || got=$?
			echo "$name $got"
		done' sh "$@" > "$1/statuses"
}

# same_files A B: two directories have the same files, byte for byte; shows the first differences.
same_files() {
	diff -r "$1" "$2" > differ || { head -20 differ | cut -c1-200; return 1; }
}

# Bytes of an event stream as hex.
bytes() {
	# shellcheck disable=SC2059  # the format is the bytes
	printf "$(tr -d ' \t\n' <<<"$1" | sed 's/../\\x&/g')"
}

@test "the seed's long dump: twelve events without a header, found out" {
	bytes '0f4f487858c1b0b59543110000000000
		ffffffff000000000000000000365372
		abcbb0b5954311000036537378c3b9b5
		954311000036534087a4c2b595431100
		003653689c4bcbb59543110000365366
		8544d4b5954311000036535bcbe7dcb5
		954311000036535dcfcae5b595431100
		003653758cdbeeb59543110000365355
		5a70f8b5954311000036555b1bae01b6
		954311000036555daa190bb695431100' > thread.1
	out=$(trace-filter 'time >= 0' thread.1 | cut -f 3 | tr '\n' ' ')
	[ "$out" = 'OHx 6Sr 6Ss 6S@ 6Sh 6Sf 6S[ 6S] 6Su 6SU 6U[ 6U] ' ]
}

@test "every layout: every event of the table with its arguments, as it was written" {
	local dirs=()
	for l in $LAYOUTS; do
		dirs+=("$FX/$l"/{all,payload,ties,unsorted,pairs,empty})
	done
	reproduces "${dirs[@]}"
}

@test "the layouts say the same, the other byte order included" {
	sh -e -c 'for l; do
			mkdir "$l"
			for t in all payload ties unsorted pairs; do ovni-dump --raw-clock "$FX/$l/$t/ovni" > "$l/$t"; done
		done' sh $LAYOUTS
	# There the payloads are bytes, and numbers in another order.
	rm big/payload
	cp v0/payload big
	for l in $LAYOUTS; do
		same_files v0 "$l"
	done
	[ "$(ovni-dump "$FX/v3/all/ovni" | wc -l)" = 365 ]
	status_is 0 ovni-dump "$FX/big/all/ovni"
	has "$output" $'\tOHx\t-\t-\t-\tcpu=-[0-9]+\ttid=-[0-9]+\ttag=[0-9]+$'
	has "$output" $'\tVYc\t-\t12\t-\ttypeid=[0-9]+\tlabel=a\\\\x20label'
}

@test "many streams merge the same in either byte order, damage in each of them included" {
	"$BATS_FILE_TMPDIR/big" whole 60 120000 1
	# Each stream with bytes that are no event behind every 100th, and so with every number turned
	# round: the payload is of u32.
	cat > damage.c <<-'EOF'
		#include <stdio.h>
		static void put(FILE *f, const unsigned char *p, int n, int turn)
		{
			for (int i = 0; i < n; i++) putc(p[turn ? n - 1 - i : i], f);
		}
		static int damage(const char *from, const char *to, int turn)
		{
			unsigned char p[28];
			FILE *in = fopen(from, "rb"), *f = fopen(to, "wb");
			if (!in || !f || fread(p, 1, 8, in) != 8) return 1;
			fwrite(p, 1, 4, f);
			put(f, p + 4, 4, turn);
			for (int k = 1; fread(p, 1, 12, in) == 12; k++) {
				int n = p[0] ? p[0] + 1 : 0;
				n = (int)fread(p + 12, 1, n, in);
				fwrite(p, 1, 4, f);
				put(f, p + 4, 8, turn);
				for (int i = 0; i < n; i += 4) put(f, p + 12 + i, 4, turn);
				for (int i = 0; k % 100 == 0 && i < 7500; i++) putc(0xff, f);
			}
			fclose(in);
			return fclose(f);
		}
		/* Each path below whole/ is written below this/ and other/. */
		int main(int argc, char **argv)
		{
			char from[4096], to[4096];
			for (int i = 1; i < argc; i++)
				for (int turn = 0; turn < 2; turn++) {
					snprintf(from, sizeof from, "whole/%s", argv[i]);
					snprintf(to, sizeof to, "%s/%s", turn ? "other" : "this", argv[i]);
					if (damage(from, to, turn)) return perror(to), 1;
				}
			return argc < 2;
		}
	EOF
	$CC -o damage damage.c
	cp -r whole this
	cp -r whole other
	(cd whole && find . -name stream.obs) > names
	[ "$(wc -l < names)" = 60 ]
	xargs ./damage < names
	ovni-dump whole > want
	status_is 2 ovni-dump this
	same want - <<< "$output"
	status_is 2 ovni-dump other
	same want - <<< "$output"
}

@test "payloads of every length: arguments as far as they go, the rest in hex" {
	status_is 0 ovni-dump "$FX/v3/payload/ovni"
	has "$output" $'Zz~\t-\t-\t-$'
	has "$output" $'Zz~\t-\t-\t-\tpayload=0x5051525354$'
	has "$output" $'Zz~\t-\t-\t-\tpayload=0x000102030405060708090a0b0c0d0e0f$'
	has "$output" $'VTx\t-\t-\t-\trest=0x2021$'
	has "$output" $'VTx\t-\t-\t-\ttaskid=1128415552$'
	has "$output" $'VTx\t-\t-\t-\ttaskid=[0-9]+\tbodyid=[0-9]+\trest=0xc8c9cacb$'
	has "$output" $'OHp\t-\t-\t-\trest=0x2021$'
	has "$output" $'VYc\t-\t0\t-$'
	has "$output" $'VYc\t-\t7\t-\ttypeid=1936879984\tlabel=tuv$'
}

@test "merged by clock; ties by path; -s one after the other" {
	ovni-dump -s "$FX/v3/ties/ovni" > lie
	ovni-dump "$FX/v3/ties/ovni" > got
	sort -s -k1,1 lie > want
	same want got
	[ "$(cut -f 2 lie | uniq | tr '\n' ' ')" = 'node0.1/10/100 node0.1/10/101 node1.1/20/200 ' ]
}

@test "forty streams come in order of time, and one event alone behind all others" {
	mkdir -p t/loom.n/proc.1
	awk 'function r(n) { x = x * 16807 % 2147483647; return x % n }
		function oct(n, k,   s) { for (s = ""; k--; n = int(n / 256)) s = s sprintf("\\%04o", n % 256); return s }
		function event(name, t) { line = line "\\0000" name oct(t, 8); print t, 100 + i > "want" }
		BEGIN {
			for (x = 3; i < 40; i++) {
				line = "ovni" oct(1, 4)
				t = i
				for (k = 0; k < 5; k++)
					event("OF[", t += r(50) * 97)
				if (i == 17) event("OF]", 900000)
				print 100 + i, line
			}
		}' | while read -r i line; do printf '%b' "$line" > t/loom.n/proc.1/thread.$i.obs; done
	timeout 20 ovni-dump -A t | awk -F '[\t/]' '{ sub(/^0\.0*/, ""); print $1 + 0, $4 }' > got
	sort -s -n -k1,1 -k2,2 want | same - got
}

@test "clock offsets: by the loom's host; not with --raw-clock; from any directory inside" {
	status_is 0 ovni-dump "$FX/v3/ties/ovni"
	[ "$(head -1 <<<"$output")" = $'0.000000000\tnode1.1/20/200\tMS[\t-\t-\t-' ]
	[ "$(grep -m1 node0 <<<"$output")" = $'0.000004000\tnode0.1/10/100\tMS[\t-\t-\t-' ]
	ovni-dump -A "$FX/v3/ties/ovni/loom.node1.1/proc.20" > got
	[ "$(head -1 got)" = $'0.000001000\tnode1.1/20/200\tMS[\t-\t-\t-' ]
	ovni-dump -A --raw-clock "$FX/v3/ties/ovni/loom.node1.1/proc.20/thread.200/stream.obs" > got
	[ "$(head -1 got)" = $'0.000005000\tnode1.1/20/200\tMS[\t-\t-\t-' ]
	ovni-dump -A "$FX/v3/ties/ovni/loom.node1.1/proc.20/thread.200/stream.obs" > got
	[ "$(head -1 got)" = $'0.000001000\tnode1.1/20/200\tMS[\t-\t-\t-' ]
}

@test "broken rows of clock-offsets.txt are said, the others count" {
	cp -r "$FX/v3/ties/ovni" t
	printf 'rank host median mean std\n0 node0 xyz 0 0\n0 node0 0 0 0\n1 node1 -4000 0 0\n' \
		> t/clock-offsets.txt
	status_is 2 ovni-dump t
	has "$stderr" 'clock-offsets.txt:2: the median is not a number'
	has "$output" $'^0.000000000\tnode1.1/20/200'
	[ "$(wc -l <<<"$output")" = 300 ]
}

@test "regions of late events come in their time, in all layouts and from a pipe" {
	for l in $LAYOUTS; do
		status_is 0 ovni-dump "$FX/$l/unsorted/ovni"
		[ -z "$stderr" ]
		sort -s -k1,1 <<<"$output" > want
		same want <(echo "$output")
		[ "$(wc -l <<<"$output")" = 135 ]
	done
	one=$FX/v3/unsorted/ovni/loom.node0.1/proc.10/thread.100/stream.obs
	ovni-dump "$FX/v3/unsorted/ovni" | grep '10/100' | cut -f 1,3- > want
	ovni-dump - < "$one" | cut -f 1,3- > got
	same want got
	# Longer than what is read at once, so that it must be kept elsewhere.
	"$BATS_FILE_TMPDIR/big" t 1 40000 1
	big=$(find t -name '*.obs')
	tail -c +9 "$one" > events
	cat "$big" events > long
	ovni-dump - < long > want 2> err || [ $? = 2 ]
	# shellcheck disable=SC2002  # a pipe is what it is about
	cat long | ovni-dump > got 2> err2 || [ $? = 2 ]
	same want got
	has "$(cat err2)" '<stdin>: offset [0-9]+: the clock goes back'
}

@test "of equal clocks what lies before a region, in it and behind it come in this order" {
	bytes '6f766e6901000000 004f422e0500000000000000 004f555b0a00000000000000 004b4f5b0500000000000000
		004b4f5d0a00000000000000 004f555d0a00000000000000 004f422e0a00000000000000' > s
	[ "$(ovni-dump s | cut -f 3 | tr '\n' ' ')" = 'OB. KO[ OU[ KO] OU] OB. ' ]
}

# waiting_regions N: 2^N of three events each, all at one clock, into the file s.
waiting_regions() {
	bytes '004f555b0a00000000000000 004b4f5b0500000000000000 004f555d0a00000000000000' > region
	for ((i = 0; i < $1; i++)); do cat region region > two; mv two region; done
	{ bytes '6f766e6901000000'; cat region; } > s
}

@test "regions that all wait for one clock take as much memory as they are long" {
	need_native
	waiting_regions 12
	[ "$(ulimit -v 65536; ovni-dump s | wc -l)" = $((3 * 4096)) ]
}

@test "regions that all wait for one clock take as much time as they are long" {
	need_native
	waiting_regions 15
	# Of the processor: a twentieth of a second.
	[ "$(ulimit -t 1; ovni-dump s | wc -l)" = $((3 * 32768)) ]
}

@test "-s leaves regions as they lie, and does not call that a clock that goes back" {
	status_is 0 ovni-dump -s "$FX/v3/unsorted/ovni"
	[ -z "$stderr" ]
	has "$(grep -A1 'OU\[' <<<"$output" | sed -n 2p)" $'^0.000000025\tnode0.1/10/100\tKCO'
}

@test "what trace-filter and trace-stats say of a directory" {
	[ "$(trace-filter -c 'loc3 = 101' "$FX/v2/ties/ovni")" = 100 ]
	[ "$(trace-filter -c 'tid = 101' "$FX/v2/ties/ovni")" = 100 ]
	[ "$(trace-filter -F event,tid,arg.tid OHx "$FX/v3/all/ovni" | sort -u)" = "$(ovni-dump "$FX/v3/all/ovni" |
		awk -F'[\t/]' '$5 == "OHx" { for (i = 9; i <= NF; i++) if ($i ~ /^tid=/) print "OHx\t" $4 "\t" substr($i, 5) }')" ]
	[ "$(trace-filter -c 'pid = 20' "$FX/v2/ties/ovni")" = 100 ]
	trace-stats -g loom -a count "$FX/v1/ties/ovni" | grep -v '^#' > got
	printf 'node0.1\t200\nnode1.1\t100\n' > want
	same want got
	mkdir wants gots
	sh -e -c 'for l; do
			for t in all unsorted payload; do
				ovni-dump "$FX/$l/$t/ovni" | trace-stats -g event -a count > wants/$l.$t
				trace-stats -g event -a count "$FX/$l/$t/ovni" > gots/$l.$t
			done
		done' sh $LAYOUTS
	same_files wants gots
}

@test "-b and back gives the same lines" {
	mkdir want got
	sh -e -c 'for l in v0 v3 big; do
			for t in all payload ties unsorted; do
				ovni-dump -N -H "$FX/$l/$t/ovni" > want/$l.$t
				ovni-dump -N -b "$FX/$l/$t/ovni" | trace-filter -t -H "time >= 0 or time < 0" > got/$l.$t
			done
		done'
	same_files want got
	ovni-dump -D -b "$FX/v3/pairs/ovni" | trace-filter -t 'time >= 0' > pairs.got
	ovni-dump -D "$FX/v3/pairs/ovni" > pairs.want
	same pairs.want pairs.got
}

@test "native events make a valid stream, with a header where there was one" {
	one=$FX/v3/all/ovni/loom.node0.1/proc.10/thread.100/stream.obs
	trace-filter -n 'time >= 0' "$FX/v3/all/ovni" > got
	same "$one" got
	trace-filter -n 'time >= 0' "$FX/v0/all/ovni" > got
	same "$FX/v0/all/ovni/loom.node0.1/proc.10/thread.100" got
	one=$FX/big/all/ovni/loom.node0.1/proc.10/thread.100/stream.obs
	trace-filter -n 'time >= 0' "$FX/big/all/ovni" > got
	same "$one" got
	trace-filter -n 'event == OB.' "$FX/v3/ties/ovni" > got.obs
	[ "$(ovni-dump got.obs | cut -f 3 | sort | uniq -c | tr -s ' ')" = ' 150 OB.' ]
	trace-filter -n 'event == none' "$FX/v3/ties/ovni" > got.obs || [ $? = 1 ]
	[ "$(wc -c < got.obs)" = 8 ]
}

@test "-D: enter and leave become one event; what stays open says so" {
	for l in $LAYOUTS; do
		ovni-dump -D "$FX/$l/pairs/ovni" | cut -f 1,3,6- > got
		cat > want <<-E
			0.000000000	MS[	0.000000300	self=0.000000300	running=0.000000000
			0.000000100	VAs	0.000000300	self=0.000000270	running=0.000000000
			0.000000150	VS[	0.000000030	self=0.000000030	running=0.000000000
			0.000000500	MR]	-
			0.000000600	MW[	-	open=1	self=0.000000200	running=0.000000000
			0.000000700	MT[	0.000000200	self=0.000000100	running=0.000000000
			0.000000800	MS[	-	open=1	self=0.000000100	running=0.000000000
			0.000001000	OHp	-	open=1
		E
		same want got
	done
}

@test "-D over a long trace: the same as a stack in awk" {
	"$BATS_FILE_TMPDIR/big" t 5 300000 3
	ovni-dump -s -D t | awk -F'\t' '$6 != "-" && $3 !~ /^VP/ { n[$2 $3]++; s[$2 $3] += $6
			match($0, /self=[0-9.]*/); own[$2 $3] += substr($0, RSTART + 5, RLENGTH - 5) }
		END { for (k in n) printf "%s %d %.9f %.9f\n", k, n[k], s[k], own[k] }' | sort > got
	ovni-dump -s t | awk -F'\t' 'BEGIN { split("VU[ VU] VAs VAS VS[ VS] VMa VMA VMf VMF VAw VAW VTx VTe", p, " ")
		for (i = 1; i < 14; i += 2) { enter[p[i]] = 1; of[p[i + 1]] = p[i] } }
		enter[$3] { d[$2]++; e[$2, d[$2]] = $3; t[$2, d[$2]] = $1; inner[$2, d[$2]] = 0 }
		$3 in of && d[$2] && e[$2, d[$2]] == of[$3] { k = $2 of[$3]; dur = $1 - t[$2, d[$2]]
			n[k]++; s[k] += dur; own[k] += dur - inner[$2, d[$2]]; d[$2]--; inner[$2, d[$2]] += dur }
		END { for (k in n) printf "%s %d %.9f %.9f\n", k, n[k], s[k], own[k] }' | sort > want
	same want got
	[ "$(wc -l < want)" -ge 30 ]
}

@test "-N: a dotted name of each event, no two alike" {
	ovni-dump -N "$FX/v3/all/ovni" | sed 's/.*\tname=//; s/\t.*//' > names
	[ "$(sort -u names | wc -l)" = 365 ]
	[ "$(grep -Evc '^[a-z0-9]+(\.[a-z0-9_-]+)+$' names)" = 0 ]
	status_is 0 ovni-dump -N "$FX/v3/all/ovni"
	has "$output" $'\tOHx\t-\t-\t-\tname=ovni.thread.execute\tcpu='
	has "$output" $'\tMS\\[\t-\t-\t-\tname=mpi.send.enter$'
	has "$(ovni-dump -N "$FX/v3/payload/ovni")" $'\tZz~\t-\t-\t-$'
}

@test "-M and -H: what the JSON files and the offsets say" {
	ovni-dump -M "$FX/v3/ties/ovni" > got
	has "$(cat got)" $'^node0.1/10/101:ovni.tid\t101$'
	has "$(cat got)" $'^node0.1/10/101:ovni.loom_cpus.0.phyid\t0$'
	has "$(cat got)" $'^node0.1/10/100:ovni.mark.7.title\ta\\\\x20é\\\\x20"b"$'
	has "$(cat got)" $'^node1.1:clock_offset\t-4000$'
	ovni-dump -M "$FX/v2/ties/ovni" > got
	has "$(cat got)" $'^node0.1/10:cpus.0.phyid\t3$'
	has "$(cat got)" $'^node0.1/10/101:ovni.require.ovni\t1.0.0$'
	has "$(ovni-dump -M "$FX/v0/ties/ovni")" $'^node1.1/20:nranks\t2$'
	status_is 0 ovni-dump -H "$FX/v3/ties/ovni"
	has "$output" $'^##meta\tnode1.1:clock_offset=-4000$'
	has "$output" $'^##loc\tloom/pid/tid$'
	[ "$(tail -1 <<<"$output")" = $'##end\tevents=300' ]
}

@test "damage: whole events around it, the other stream complete, a message with the offset" {
	cat > table <<-'E'
		jumbo-lie 2 37 OHe OHp OHx VYc
		jumbo-0 0 - OHe OHp OHx VYc
		jumbo-1 0 - OHe OHp OHx VYc
		jumbo-2g-1 2 20 OHe OHp OHx
		jumbo-2g 2 20 OHe OHp OHx
		jumbo-4g-16 2 20 OHe OHp OHx
		jumbo-4g-1 2 20 OHe OHp OHx
		torn-clock 2 20 OHx
		torn-payload 2 20 OHx
		torn-jumbo 2 20 OHx
		reserved 2 20 OHe OHp OHx
		jumbo-nibble 2 20 OHe OHp OHx
		zeros 2 20 OHx
		back 2 20 OHe OHp OHp OHx
		bit63 2 20 OHe OHp OHp OHx
		newline-mcv 0 - OHe OHp OHx O\x0aH
		nul-mcv 0 - OH\x00 OHe OHp OHx
		high-mcv 0 - OHe OHp OHx \x01\x00\xff
		label 0 - OHe OHp OHx VYc
		no-nul 0 - OHe OHp OHx VYc
		json-garbage 2 2 OHe OHp OHx
		json-cut 2 34 OHe OHp OHx
		json-array 2 0 OHe OHp OHx
		json-empty 2 0 OHe OHp OHx
		json-no-version 2 0 OHe OHp OHx
		json-deep 2 32 OHe OHp OHx
		json-version 2 0 OHe OHp OHx
	E
	judged bad "$FX/bad" ovni-dump < table
	awk 'NR == FNR { got[$1] = $2; next }
		{
			name = $1; offset = $3
			mine = $0; sub(/^[^ ]* [^ ]* [^ ]* /, "", mine)
			whole = said = k = 0
			while ((getline line < ("bad/" name ".out")) > 0) {
				whole += line ~ /10\/100/
				if (line ~ /OB\./) continue
				split(line, f, "\t")
				for (i = ++k; i > 1 && e[i - 1] "" > f[3] ""; i--) e[i] = e[i - 1]
				e[i] = f[3]
			}
			for (i = 1; i <= k; i++) all = all (i > 1 ? " " : "") e[i]
			while ((getline line < ("bad/" name ".err")) > 0)
				said += line ~ ("stream.(obs|json): offset " offset ": ")
			if (got[name] != $2 || whole != 10 || all != mine || ($2 && !said)) {
				print name ": status " got[name] ", " whole " events of 10/100, " all ", want " $0
				system("head -20 bad/" name ".out bad/" name ".err")
				bad = 1
			}
			all = ""
		}
		END { exit bad || FNR != 27 }' bad/statuses table
}

@test "truncated at every byte: the whole events before, never more, never a crash" {
	one=$FX/v3/payload/ovni/loom.node0.1/proc.10/thread.100/stream.obs
	head -c 700 "$one" > s
	ovni-dump -A s > whole 2> err || :
	mkdir got want
	sh -e -c 'for n in $(seq 8 23 700) 699; do
			head -c $n s > torn
			ovni-dump -A torn > got/$n 2> err || [ $? = 2 ] || { echo "cut at $n"; cat err; exit 1; }
		done'
	# As many of the whole ones as there are of each.
	wc -l got/* > counts
	awk 'FILENAME == "whole" { line[FNR] = $0; next }
		$2 != "total" { f = $2; sub(/got/, "want", f); printf "" > f
			for (i = 1; i <= $1; i++) print line[i] > f
			close(f) }' whole counts
	same_files want got
}

@test "jumbo data of 2 GiB that are there: the event without them, and it is said" {
	{
		bytes '6f766e6901000000 13565963e803000000000000 00000080 07000000'
		head -c 12 /dev/zero
	} > s
	truncate -s $((8 + 16 + 0x80000000)) s
	bytes '004f4865d007000000000000' >> s
	status_is 2 ovni-dump s
	has "$stderr" 's: offset 8: jumbo data of 2147483648 bytes'
	has "$output" $'VYc\t-\t2147483648\t-\ttypeid=7$'
	has "$output" $'^0.000001000\t-\tOHe'
}

@test "missing metadata is a warning, the events still come" {
	cp -r "$FX/v3/ties/ovni" t
	rm t/loom.node0.1/proc.10/thread.101/stream.json
	status_is 0 ovni-dump t
	has "$stderr" 'thread.101/stream.json: No such file'
	[ "$(grep -c 'node0.1/10/101' <<<"$output")" = 100 ]
	rm t/loom.node0.1/proc.10/thread.100/stream.obs
	status_is 2 ovni-dump t
	has "$stderr" 'thread.100/stream.obs: the stream is missing'
	[ "$(wc -l <<<"$output")" = 200 ]
}

@test "a stream that cannot be opened does not stop the others" {
	cp -r "$FX/v1obs/ties/ovni" t
	rm t/loom.node0.1/proc.10/thread.101.obs
	ln -s nowhere t/loom.node0.1/proc.10/thread.101.obs
	mkfifo t/loom.node0.1/proc.10/thread.102.obs
	status_is 2 ovni-dump t
	has "$stderr" 'thread.102.obs: '
	[ "$(wc -l <<<"$output")" = 200 ]
}

@test "links that loop, files of the emulator, read-only traces" {
	cp -r "$FX/v0/ties/ovni" t
	ln -s .. t/loom.node0.1/up
	ln -s ../../t t/loom.node1.1/round
	: > t/loom.node0.1/thread.prv
	: > t/loom.node0.1/proc.10/thread.row
	mkdir t/cfg
	chmod -R a-w t
	ovni-dump t > got
	chmod -R u+w t
	ovni-dump --raw-clock "$FX/v0/ties/ovni" > want
	same want got
}

@test "single streams, several paths, a whole trace as one of them" {
	cd "$FX/v1/ties/ovni"
	ovni-dump loom.node0.1/proc.10/thread.100 loom.node0.1/proc.10/thread.101 \
		loom.node1.1/proc.20 > "$BATS_TEST_TMPDIR/got"
	ovni-dump . > "$BATS_TEST_TMPDIR/want"
	same "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
	cd loom.node0.1/proc.10
	[ "$(ovni-dump thread.101 | head -1 | cut -f 2)" = node0.1/10/101 ]
	status_is 2 ovni-dump /nowhere thread.101
	[ "$(wc -l <<<"$output")" = 100 ]
}

@test "many streams, few and many descriptors, random turns and long ones: the order of a sort" {
	for shape in '8 20000 1' '8 20000 100' '33 20000 1' '300 30000 2'; do
		rm -rf t
		# shellcheck disable=SC2086
		"$BATS_FILE_TMPDIR/big" t $shape
		ovni-dump -s t | sort -s -k1,1 > want
		ovni-dump t > got
		same want got
	done
	(ulimit -n 64 && ovni-dump t) > got
	same want got
}

@test "a pipe behind a stream is a trace of its own" {
	s=$FX/v3/ties/ovni/loom.node0.1/proc.10/thread.100/stream.obs
	status_is 0 ovni-dump -A "$s" <(cat "$s")
	[ "$(wc -l <<<"$output")" = 200 ]
}

@test "a directory too deep to be walked is said" {
	d=$(printf 'd/%.0s' {1..300})
	mkdir -p "$d"
	cp "$FX/v3/ties/ovni/loom.node0.1/proc.10/thread.100/stream.obs" d
	status_is 2 ovni-dump d
	has "$stderr" 'too long'
	[ "$(wc -l <<<"$output")" = 100 ]
}

@test "nothing in it: an empty directory, an empty file" {
	mkdir d
	: > f
	status_is 2 ovni-dump d
	status_is 0 ovni-dump f
	status_is 0 ovni-dump "$FX/v0/empty/ovni"
	[ -z "$output" ]
}

@test "--compat contradicts what it cannot print; --strict stops" {
	status_is 2 ovni-dump --compat -b "$FX/v3/ties/ovni"
	status_is 2 ovni-dump --strict "$FX/bad/reserved/ovni"
	[ "$(wc -l <<<"$output")" -lt 13 ]
}

@test "-N gives the names of the table" {
	trace-filter --events -f ovni | tail -n +2 | cut -f 2,4 > want
	[ "$(wc -l < want)" = 365 ]
	ovni-dump -N "$FX/v3/all/ovni" | awk -F'\t' '{ print $3 "\t" substr($7, 6) }' | same want -
}

@test "the collection: every events.tsv, every dump" {
	need_traces ovni
	local dirs=() dumps=()
	for d in "$TRACES"/ovni/v*/*/; do
		d=${d%/}
		[ -f "$d/events.tsv" ] || continue
		# These releases' own dump refused a crashed run; its eleven events are there.
		case $d in */v[01]/nofree) continue ;; esac
		dirs+=("$d")
		[ ! -f "$d/dump-x.txt" ] || dumps+=("$d")
	done
	reproduces "${dirs[@]}" 2> err
	dumped --compat "${dumps[@]}" | awk '/^== / { d = substr($0, 4); next } { print d "\t" $0 }' | sort -s -k1,1 -k4,4 > got
	awk '{ d = FILENAME; sub(/\/dump-x\.txt$/, "", d); print d "\t" $0 }' "${dumps[@]/%//dump-x.txt}" | sort -s -k1,1 -k4,4 > want
	same want got
	status_is 0 ovni-dump "$TRACES/ovni/v0/nofree/ovni"
	[ "$(wc -l <<<"$output")" = 11 ]
}

@test "the collection: malformed traces" {
	need_traces ovni
	cat > table <<-E
		clock-bit63 2 3
		extra-payload 0 3
		header-only 0 0
		json-array 2 8
		json-garbage 2 8
		json-no-version 2 8
		json-version-3.7 2 8
		json-version-string 2 8
		jumbo-label-not-nul 0 3
		jumbo-size-7fffffff 2 2
		jumbo-size-fffffff0-loop 2 2
		jumbo-too-small-for-args 0 3
		label-with-newline 0 1
		magic-wrong 2 1
		newline-mcv 0 3
		nonprint-mcv 0 3
		nul-in-mcv 0 3
		obs-missing 2 0
		reserved-flag-20 2 2
		short-payload 0 3
		trailing-zeros 2 8
		trailing-zeros-12 2 8
		trunc-11-of-event 2 1
		trunc-jumbo-data 2 1
		trunc-payload 2 1
		unknown-model 0 3
		version-2 2 1
		zero-bytes 2 0
	E
	judged bad "$TRACES/ovni/malformed" timeout 10 ovni-dump < table
	awk 'NR == FNR { got[$1] = $2; next }
		{
			lines = said = 0
			while ((getline line < ("bad/" $1 ".out")) > 0) lines += line != ""
			while ((getline line < ("bad/" $1 ".err")) > 0) said += line ~ /offset [0-9]+: /
			if (got[$1] != $2 || lines != $3 || ($2 && $1 != "obs-missing" && !said)) {
				print $1 ": status " got[$1] ", " lines " lines, want " $0
				system("head -20 bad/" $1 ".out bad/" $1 ".err")
				bad = 1
			}
		}
		END { exit bad || FNR != 28 }' bad/statuses table
}

@test "what once broke a reader ends, with a message" {
	# shellcheck disable=SC2016  # the other shell's
	sh -c 'fails() { echo "status $got, $message: $*"; head -20 err; exit 1; }
		for f; do
			for o in -t -b -s -D --compat; do
				got=0
				timeout 10 ovni-dump $o "$f" < /dev/null > out 2> err || got=$?
				message=1; grep -Eq "offset [0-9]+: " err || message=none
				[ "$got$message" = 21 ] || fails $o "$f"
			done
			got=0
			timeout 10 trace-stats -f ovni -g event -a count "$f" > out 2> err || got=$?
			[ $got = 2 ] || fails "$f"
		done' sh "$ROOT"/tests/fuzz/corpus/ovni/*
}

@test "a directory is read by the decoder of its format only" {
	mkdir -p d/loom.l/proc.1
	cp "$FIX/ovni/seed.stream" d/loom.l/proc.1/thread.1
	status_is 2 spc-cat d
	has "$stderr" 'd: is a directory: try trace-stats'
	[ -z "$output" ]
	status_is 0 trace-stats -a count d
}

@test "of two links to one directory the first by name is read, in whatever order they were made" {
	mkdir -p a/proc.1/thread.1 one two
	cp "$FX/v3/ties/ovni/loom.node1.1/proc.20/thread.200/stream.obs" a/proc.1/thread.1/stream.obs
	for l in b c; do ln -s ../a one/loom.$l; done
	for l in c b; do ln -s ../a two/loom.$l; done
	ovni-dump --follow-links one > want 2>/dev/null || :
	[ "$(cut -f2 want | sort -u)" = b/1/1 ]
	ovni-dump --follow-links two 2>/dev/null | same want -
}
