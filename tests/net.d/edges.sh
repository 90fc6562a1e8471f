# shellcheck shell=sh disable=SC2016,SC2086,SC2154
# edges.sh - a part of tests/net.sh: records that are just within and just beyond what a reader takes.

inputs_edges() {
	# Threads of a rank, whose times go back.
	i=0
	for b in 3 59 60 61 62 200; do
		for m in 0x4f 0x47 0x45 0x4b; do
			i=$((i + 1))
			"$work/gen_dumpi" random 13.0.0 8 $m 0 18,20,36,124 $i $b > rb$i-0010.bin
		done
	done
	for b in 1 5; do
		"$work/gen_dumpi" random 13.0.0 8 0x47 0 $(seq -s, 1 308) $b $b > rs$b-0010.bin
	done
	# What comes late: events, fields, places, kinds of values.
	awk 'BEGIN {
			print "##spoor\t1\n##clock\ts\torigin=0.000000000\n##loc\thost/pid\n##meta\th0:rank=3"
			for (i = 0; i < 30000; i++) {
				late = i > 29000
				printf "%d.%03d\th%d/%d\t%s\t-\t%d\t%s\ta=%s%s\n", i / 100, i % 100, late * (i % 3), late * i, late ? "MPI_Sent" i % 3 : "W", i % 50,
					late && i % 2 ? "0.5" : "-", late && i % 5 == 1 ? "x" : i % 7, late ? "\tbytes=" i : ""
			}
			print "##end\tevents=30000"
		}' > late.txt
	trace-filter -b 'event?' late.txt > late.b
	# Partials with each kind of number at bounds.
	trace-stats -p -a 'distinct(addr),p50(size),hist(w),top(addr,2),footprint,first(size),last(loc),mode(loc),cdf(v),sum(gap),sequential,var(dur)' pages.txt > np 2> /dev/null
	awk -F'\t' '
		{ line[NR] = $0; kind = $1; gsub(/[0-9]+/, "", kind); split($2, w, " "); kind = kind " " w[1]; gsub(/[0-9]+/, "", kind) }
		seen[kind]++ < 2 { rest = $0; at = 0
			while (match(rest, /[0-9]+/)) {
				n++
				row[n] = NR
				head[n] = substr($0, 1, at + RSTART - 1)
				tail[n] = substr($0, at + RSTART + RLENGTH)
				at += RSTART + RLENGTH - 1
				rest = substr($0, at + 1)
			}
		}
		END {
			m = split("0 1 63 64 65 255 1024 4096 8191 8192 8193 65536 4294967296 9223372036854775807 18446744073709551615 18446744073709551616", v, " ")
			for (i = 1; i <= n; i++) for (k = 1; k <= m; k++) {
				if ((i + k) % 3 && (k < 9 || k > 11)) continue
				to = "np." i "." k
				for (j = 1; j <= NR; j++) print j == row[i] ? head[i] v[k] tail[i] : line[j] > to
				close(to)
			}
		}' np
	# Lines of a header of every odd kind.
	i=0
	while IFS= read -r line; do
		i=$((i + 1))
		{ printf '##spoor\t1\n%b\n' "$line"; sed -n 4,9p many.txt; printf '%b\n##end\tevents=6\n' "$line"; } > hd.$i.txt
		{ printf '%b\n' "$line"; sed -n 4,9p many.txt; } > he.$i.txt
	done <<-'END'
		##error
		##error\tlost=5
		##error\tlost=x\treason=why
		##error\treason=
		##error\treason=a\\x20b\tlost=18446744073709551615
		##error\tlost=18446744073709551616\treason
		##clock
		##clock\tns
		##clock\ts
		##clock\ts\torigin=
		##clock\ts\torigin=-1.5
		##clock\ts\torigin=9223372037
		##clock\ts\torigin=9223372036.854775807
		##clock\ts\tx=1\torigin=2.000000001
		##clock\tticks\torigin=5
		##clock\tticks
		##clock\ts\torigin=x
		##loc
		##loc\thost
		##loc\ta/b/c/d/e/f/g/h/i/j
		##loc\ta//b
		##loc\ttime/event
		##format
		##format\tspc
		##format\tnosuch
		##format\tdumpi\tmore
		##meta
		##meta\tx
		##meta\th0:x=1
		##meta\th0/1:rank=7\tx=
		##meta\t=5
		##meta\t:=
		##meta\ta\\x3db=c\\x09d
		##end
		##end\tevents=5
		##end\tevents=x
		##end\tevents=6\tmore=1
		##spoor
		##spoor\t2
		##spoor\t1\t1
		##nosuch\tx=1
		##
		#
		##unit\tv=bytes
	END
	# Streams beyond what is kept.
	compile gen_wide "$ROOT/tests/gen/gen_wide.c"
	while read -r f w; do
		"$work/gen_wide" $w > $f.obs
	done <<-'END'
		w.a regions 140000
		w.b open 140000
		w.c labels 2300 4000
		w.d labels 70000 8
		w.e long 20000000
		w.f long 16777100
		w.g names 70000
		w.h regions 300
	END
	head -c 19000000 w.e.obs > w.i.obs
	# Places without end, which begin and end something.
	awk 'BEGIN {
			x = sprintf("%0110d", 7)
			print "##spoor\t1\n##clock\ts\torigin=0.000000000\n##loc\thost/thread"
			for (i = 0; i < 90000; i++) printf "%d.%03d\tn%d/%s%d\t%s\t-\t%d\t-\n", i / 100, i % 100, int(i / 2) % 3, x, i - i % 2, i % 50 == 7 ? "x" : i % 2 ? "E" : "B", i
			print "##end\tevents=90000"
		}' > places.txt
}

commands_edges() {
	for o in '' -n '--align start' --compat; do
		p "each 'rb*-0010.bin' dumpi2txt $o | cksum; dumpi2txt $o rb1-0010.bin rb5-0010.bin | cksum"
	done
	for o in '' -D '-s -b'; do
		p "for f in w.?.obs; do ovni-dump $o \$f | cksum; done"
	done
	for o in -D -N --compat; do
		p "for f in w.[b-h].obs; do cat \$f | ovni-dump $o | cksum; done"
	done
	for f in 'w.[c-i].obs' "\$ovni" 'ro/*' 'ovni/v3/* ovni/v1/*' linked; do
		p "each \"$f\" trace-filter -n -O durations 'event?' | cksum"
	done
	p "each 'w.[b-i].obs' ovni-dump --tune read=3000 | cksum; ovni-dump --tune read=100 w.h.obs; each 'w.[bgh].obs' trace-pair | cksum"
	for o in '' --by-end --self '--pairing queue' '-k loc1'; do
		p "trace-pair --begin B --end E $o places.txt | cksum; trace-pair --tune wait=9000 --begin B --end E $o places.txt | cksum"
	done
	# Names that only come late, and those that are near to them.
	for e in MPI_Sent MPI_sent1 w 'byte? and a' 'rnk = 3' 'event in {MPI_Sen1, W}' 'a > 5 and dur?' 'prev.bytes < bytes' 'dur * 2 = 1'; do
		p "trace-derive -e '$e' 'y = bytes + 1' 'a = if(a = \"x\", dur, a)' late.b | cksum; merged 2 late.txt -e '$e' -g event; trace-pair --begin '$e' --end MPI_Sent0 late.b | cksum; trace-filter --head 3 -F bytes,rank,a,byte,loc1 '$e' late.txt; cat late.b | trace-filter -n '$e' | cksum"
	done
	p "each 'np np.*' trace-stats -m -p | cksum"
	p "each 'hd.*.txt he.*.txt' trace-filter -H 'event?'; each 'hd.*.txt he.*.txt' trace-stats -g loc1,rank,x -a 'count,first(time)'; for f in hd.*.txt he.*.txt; do cat \$f; done | trace-filter -H 'event?'; each 'hd.*.txt' trace-stats --tsv | cksum"
}
