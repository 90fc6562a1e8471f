#!/bin/sh
# seeds.sh NAME DIR: what the harness NAME begins with, besides its corpus, made by the programs.
set -eu
cd "$(dirname "$0")/../.."
fix=tests/fixtures
mkdir -p "$2"
case $1 in
spc) cp $fix/spc/*.spc "$2" ;;
laplace) cp $fix/laplace/*.ref "$2" ;;
laplace_text) cp $fix/laplace/*.kern $fix/laplace/*.reftxt "$2" ;;
dumpi) cp $fix/dumpi/*.bin "$2" ;;
ovni) cp $fix/ovni/*.obs $fix/ovni/*.stream "$2" ;;
charisma)
	# The last byte chooses the layout, or, 0, has it found out: see fuzz_charisma.c.
	for f in "$fix"/charisma/*.chr; do
		for i in 00 60 61 62 63 64 65 66 67 70 71 72 73; do
			{ cat "$f"; printf '%b' "\\00$i"; } > "$2/${f##*/}.$i"
		done
	done
	;;
text)
	cp $fix/*/*.txt "$2"
	bin/trace-filter -H 'event?' $fix/laplace/seed.kern > "$2/header" || :
	;;
binary)
	for f in "$fix"/*/*; do
		case $f in *.txt | *.md | */every*) continue ;; esac
		bin/trace-filter -b 'event?' "$f" > "$2/${f##*/}" 2> "$2/../said" || :
	done
	;;
check)
	for f in "$fix"/*/*.spc "$fix"/*/*.kern "$fix"/*/*.ref "$fix"/*/*.chr "$fix"/*/*.bin "$fix"/*/*.obs; do
		{ printf 0; cat "$f"; } > "$2/${f##*/}"
	done
	;;
partial)
	s=$fix/spc/Financial1-head.spc k=$fix/laplace/seed.kern
	head -8 "$s" > "$2/../eight"
	partial() { # OUT FILE OPTION...
		out=$1 file=$2
		shift 2
		bin/trace-stats -p "$@" "$file" > "$out" 2> /dev/null || :
	}
	aggs='count,sum(size),mean(dur),min(addr),max(addr),var(size),p50(size),mode(size),distinct(addr),first(size),last(addr),rate,share,top(addr,2),hist(size),sum(gap)'
	partial "$2/all" "$2/../eight" -g event,asu -a "$aggs"
	partial "$2/windows" "$2/../eight" -w 1s/500ms -a 'count,sum(size),p99(gap)'
	partial "$2/texts" "$k" -g loc -a 'count,distinct(file),top(file,3),first(file),min(major),sum(nosuch)'
	partial "$2/report" "$2/../eight"
	for f in laplace/seed.kern ovni/seed.stream charisma/packed-lp64-le.chr dumpi/small-0002.bin; do
		partial "$2/report-${f%/*}" "$fix/$f"
	done
	partial "$2/no-empty" "$k" --no-empty -w 7 --accuracy 1 -a 'p50(time),hist(time,5)'
	for k in 1 2; do
		partial "$2/part$k" "$fix/spc/spec-example.spc" --chunk $k/2 -g event -a 'sum(gap),first(addr)'
		partial "$2/prev$k" "$fix/spc/spec-example.spc" --chunk $k/2 -g event -a 'sum(addr - prev.addr),max(prev.size)'
	done
	cat "$2/part1" "$2/part2" > "$2/two-parts"
	rm "$2/part1"
	;;
derive)
	# The first line is definitions, the rest a trace.
	find $fix -type f -size -3k ! -name '*.md' > "$2/../files"
	while read -r f; do
		for defs in 'x=addr' 'p = addr // 8, loc = part(loc, "/", 1), event = lower(event), x =' \
			'size = size * 2, file = , time = time + 1, d = dur / 3' 'r = if(addr = prev.addr, prev.r + 1, 1), n = nth'; do
			n=${f##*/}.$(printf %s "$defs" | cksum | cut -d' ' -f1)
			{ printf '%s\n' "$defs"; cat "$f"; } > "$2/$n"
			{ printf '%s\n' "$defs"; bin/trace-filter -b 'event?' "$f" 2> /dev/null || :; } > "$2/$n.bin"
		done
	done < "$2/../files"
	;;
match)
	# The first byte is options, the rest a trace: of calls by hand, and of small programs that were dealt.
	{ printf 0; cat $fix/mpi/three-ranks.calls; } > "$2/three-ranks"
	for seed in 1 2 3 4 5 6; do
		python3 tests/oracle/match_random.py --write "$2/../run$seed" $seed > /dev/null 2>&1 || break
		for form in -b '-t -H'; do
			# shellcheck disable=SC2086  # words
			{ printf %d $((seed % 4)); bin/dumpi2txt $form "$2/../run$seed/run.meta" | head -c 12000; } > "$2/run$seed${form%% *}"
		done
	done
	;;
export)
	# The first byte is the target, the second its options, the rest a trace.
	find $fix -type f -size -3k ! -name '*.md' > "$2/../files"
	while read -r f; do
		for target in a b c d e f g h i j k l m n o p q r s t u v w x y z; do
			options=$(printf %s "$f.$target" | cksum | cut -c 1)
			{ printf %s "$target$options"; cat "$f"; } > "$2/${f##*/}.$target"
		done
	done < "$2/../files"
	;;
reuse)
	# Two bytes of what is asked, then the trace; and requests that are as large as they can be.
	for i in 1 2 3; do echo "$((i % 3)),$((i * 8388608)),4294967295,R,$i.0"; done > "$2/../huge"
	{ echo "$2/../huge"; find $fix -type f -size -3k ! -name '*.md'; } > "$2/../files"
	while read -r f; do
		for k in 0 1 2 3 4; do
			bits=$(printf %s "$f.$k" | cksum | cut -d ' ' -f 1)
			{ printf '%b' "\\0$(printf %o $((bits & 255)))\\0$(printf %o $(((bits >> 8 & 7) + 8 * k)))"; cat "$f"; } > "$2/${f##*/}.$k"
		done
	done < "$2/../files"
	;;
draw)
	# Six bytes of what is drawn, then the trace: each by every kind, the page and a merge; times at both ends.
	octal() { for i; do printf '\\0%o' $((i & 255)); done; }
	ends=$2/../ends
	printf '9223372036.854775807\t0\tR\t1\t1\t0.5\n-9223372036.854775808\t1\tW\t4096\t8\t9223372036.854775807\n1\t0\tR\t-\t-\t-\n' > "$ends"
	printf '##spoor\t1\n##format\tspc\n##clock\tticks\n18446744073709551615\t0\tR\t1\t1\t-\n0\t1\tW\t18446744073709551615\t1\t5\n' > "$ends.ticks"
	printf '#x\tshare\t2\n1e308\t-1e308\t1e-320\n-1e308\t1e308\t0\n1\t2\t-\n' > "$ends.table"
	{ printf '%s\n' "$ends" "$ends.ticks" "$ends.table"; find $fix -type f -size -3k ! -name '*.md'; } > "$2/../files"
	while read -r f; do
		for kind in 0 1 2 3 4 5 6 7 8 9; do
			bits=$(printf %s "$f.$kind" | cksum | cut -d ' ' -f 1)
			{ printf '%b' "$(octal $kind "$bits" $((bits >> 8)) $((bits >> 16)) $((bits >> 24)) $((bits >> 4)))"; cat "$f"; } > "$2/${f##*/}.$kind"
		done
	done < "$2/../files"
	;;
delimited)
	bin/trace-filter -O columns=list > "$2/../presets"
	for f in tests/columns/*.in; do
		n=${f##*/}
		{ echo "${n%.*}"; cat "$f"; } > "$2/$n"
		{ sed -n "s/^${n%.*}	//p" "$2/../presets"; cat "$f"; } > "$2/$n.text"
	done
	;;
same | convert) find $fix -type f -size -6k ! -name '*.md' -exec cp {} "$2" \; ;;
esac
