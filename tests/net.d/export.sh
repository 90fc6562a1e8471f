# shellcheck shell=sh disable=SC2016
# export.sh - a part of tests/net.sh: traces of every format, as trace-export writes them for each target.

version=$(trace-export --version | cut -d" " -f 3)

# exported TARGET ARGUMENT...: what is written; of a directory the names and sums of its files.
exported() {
	rm -rf tmp.exported
	case $1 in
	ctf | paraver) trace-export -o tmp.exported -T "$@" ;;
	# They have the version.
	parquet | arrow) trace-export -T "$@" | LC_ALL=C sed "s/$version/VERSION/g" | cksum ;;
	*) trace-export -T "$@" | cksum ;;
	esac
	[ ! -d tmp.exported ] || (cd tmp.exported && find . -type f | sort | xargs cksum)
	rm -rf tmp.exported
}

inputs_export() {
	# Names and values of every odd kind, places that overlap, times below 0 and back, requests of all sizes.
	awk 'BEGIN {
			print "##spoor\t1\n##clock\ts\torigin=1700000000.000000007\n##loc\thost/rank"
			n = split("-1.5 0 0 0.25 1.5 1.5 0.5 3 9223372035 4 9223372036.854775807", time, " ")
			m = split("R w READ write i fetch x a\\x20b R\\x22 W\\x00", event, " ")
			v = split("- 0 7 512 4096 4294967295 4294967296 9223372036854775807 9223372036854775808 18446744073709551615", value, " ")
			d = split("- 0 0.000000001 0.25 2 -1 9223372036", dur, " ")
			a = split("x=1 x=-5 x=0.5 x= x=\"\" flow=7 addr=3 arg.addr=4 a.b=1 a_b=2 struct=u32 name=a,b name=\\x00\\xff big=18446744073709551615 list=1,2,3 list_length=9 time=5", arg, " ")
			for (i = 0; i < 3000; i++)
				printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", time[i % n + 1], i % 5 ? i % 7 "/" i % 3 : i % 2 ? "-" : "n/a\\x20b", event[i % m + 1],
					value[int(i / 3) % v + 1], value[int(i / 7) % v + 1], dur[int(i / 2) % d + 1], arg[i % a + 1], arg[(i + 5) % a + 1]
			print "##end\tevents=3000"
		}' > ex.txt
	trace-filter -b '*' ex.txt > ex.b
	sed -n '/^#/d; s/^[^\t]*/7/; p' ex.txt > ex.ticks.txt
}

commands_export() {
	for t in perfetto chrome csv tsv jsonl parquet arrow fio blktrace libcachesim oracle mqsim disksim din ctf paraver; do
		p "each \"\$natives\" exported $t"
		p "each \"\$text \$binary ex.txt ex.b ex.ticks.txt empty garbage\" exported $t"
		p "exported $t \$mix; exported $t \$streams; exported $t \$ticks; exported $t nosuch; cat ex.b many.b | exported $t"
		p "exported $t -e 'size? or dur > 1' ex.txt; exported $t -e 'nosuch = 1' ex.txt; exported $t --hz 1000 ex.ticks.txt"
	done
	for f in 'time, loc1, event, size, x' 'kb = size / 1024, d = end - prev.time, n = nth' 'arg.addr, nosuch'; do
		p "each 'ex.txt ex.b many.spc solver.meta' trace-export -T csv -A --null NA --fields '$f' | cksum; each 'ex.b tasks' exported jsonl --numbers --fields '$f'"
	done
	for o in 'perfetto -C size,rate=size/dur' 'chrome -C x,late=time' 'chrome --numbers' 'tsv -A --null -' 'fio --v2' 'fio --replay-file /x' 'blktrace --actions QDC' 'oracle --split 64M' \
		'oracle --no-next' 'oracle --split 64 --no-next' 'libcachesim --split 1M'; do
		p "each 'ex.txt ex.b many.spc trace.chr kernel.txt' exported $o; exported $o \$mix"
	done
	p 'trace-export --list'
}
