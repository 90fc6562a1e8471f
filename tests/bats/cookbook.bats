#!/usr/bin/env bats
# cookbook.bats - the pipelines of spoor-cookbook(7), each of which prints what the page shows.

load ../helpers
load ../examples

setup() {
	enter
}

@test "every pipeline of the cookbook prints what the page shows" {
	examples_same "$ROOT/man/spoor-cookbook.7"
}

@test "the cookbook answers at least fifteen questions, by all programs; there or in its page each format is read" {
	examples "$ROOT/man/spoor-cookbook.7"
	[ "$(sed -n '/^\.Sh RECIPES/,/^\.Sh SEE/p' "$ROOT/man/spoor-cookbook.7" | grep -c '^\.Bd')" -ge 15 ]
	[ "$examples" -ge 15 ]
	for ((i = 1; i <= examples; i++)); do
		[ -s "$i.want" ] || echo "$i"
	done > silent # commands that only make what a later one reads
	[ $((examples - $(wc -l < silent))) -ge 15 ]
	cat ./*.cmd > all
	for p in "$BIN"/*; do
		grep -q "$(basename "$p") " all || { echo "$p"; return 1; }
	done
	status_is 2 trace-filter -f none x
	formats=$(grep -o '(binary[^)]*)' <<<"$stderr" | tr -s '(), ' '\n' | grep . | grep -vx 'binary\|text')
	[ "$(wc -w <<<"$formats")" -ge 6 ]
	sh "$ROOT/tests/make/examples.sh" samples
	cd samples
	for f in $formats; do
		seen=
		for input in *; do
			grep -qF "$input" ../all || continue
			[ "$(trace-filter -H 'event?' "$input" 2>&- | sed -n 's/^##format	//p')" != "$f" ] || seen=$input
		done
		[ -n "$seen" ] || grep -qs '^\$ ' "$ROOT/man/${f%%-*}-trace.5" "$ROOT/man/$f-layout.5" || { echo "$f"; return 1; }
	done
}

@test "the index names a section of the page for each question, and every section of it" {
	page=$ROOT/man/spoor-cookbook.7
	sed -n '/^\.Sh QUESTIONS/,/^\.Sh RECIPES/s/^\.It Sx //p' "$page" > named
	[ "$(sed -n '/^\.Sh QUESTIONS/,/^\.Sh RECIPES/p' "$page" | grep -c '[?]$')" -ge 100 ]
	sed -n '/^\.Sh RECIPES/,/^\.Sh SEE/s/^\.Ss //p' "$page" | sort > sections
	# The recipe of CONTRIBUTING.md adds a section.
	sort -u named | comm -13 sections - | same /dev/null -
	sort -u named | comm -23 sections - | grep -vx Toys | same /dev/null -
}

@test "the runs that the pages ask about are what their generator writes" {
	# shellcheck disable=SC2086  # CC may hold flags
	$CC -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -o gen "$ROOT/tests/gen/gen_runs.c"
	./gen runs
	n=0
	while read -r f; do
		same "$FIX/runs/$f" "runs/$f"
		n=$((n + 1))
	done < <(cd runs && find . -type f)
	[ "$n" = 13 ]
}

@test "fio begins with the first request of a cut, without a wait for the time before" {
	command -v fio > /dev/null || skip 'fio is not installed'
	cp "$FIX/spc/Financial1-head.spc" .
	trace-export -T fio --from 5s --to 5.5s Financial1-head.spc > cut.log
	fio --name=x --ioengine=null --read_iolog=cut.log --output-format=json > did
	awk '$1 == "\"runtime\"" { n++; if ($3 + 0 > 4000) late = $0 } $1 == "\"total_ios\"" { ios += $3 } END { exit !(n && ios && !late) }' did
}

# recipe NAME [K]: the K-th display of that part of spoor-cluster(7), as a reader copies it.
recipe() {
	awk -v name="$1" -v k="${2:-1}" '
		/^\.S[sh] / { on = $0 == ".Ss " name }
		/^\.Bd/ && on { inside = ++n == k; next }
		/^\.Ed/ { inside = 0 }
		inside { gsub(/\\e/, "\\"); print }' "$ROOT/man/spoor-cluster.7"
}

@test "spoor-cluster(7): the recipes print what one process does, as they stand" {
	cp "$FIX/spc/Financial1-head.spc" big.spc
	grep -F ".Dl trace-stats -g event" "$ROOT/man/spoor-cluster.7" | cut -c5- > one
	[ "$(wc -l < one)" = 2 ]
	mkdir traces
	for k in 1 2 3; do trace-filter -n --chunk $k/3 'event?' big.spc > traces/t$k.spc; done
	sh <(sed -n 1p one) > files
	sh <(sed -n 2p one) > want
	[ "$(wc -l < want)" = 3 ]
	same files want
	recipe make > Makefile
	env -u MAKEFLAGS -u MAKELEVEL make -j2 > /dev/null
	same want result
	rm part.*
	# What a scheduler would start, one task after the other.
	recipe Slurm > map
	for ((k = 1; k <= 64; k++)); do SLURM_ARRAY_TASK_ID=$k sh map; done
	recipe Slurm 2 | sed 's/^sbatch .*/true \&\&/' > reduce
	sh reduce | same want -
	[ "$(sed -n 's/.*--array=1-\([0-9]*\) .*/\1/p' <(recipe Slurm 2))" = 64 ]
	rm part.*
	srun() { for ((SLURM_PROCID = 0; SLURM_PROCID < 5; SLURM_PROCID++)); do "$@"; done; }
	export -f srun
	SLURM_NTASKS=5 SLURM_PROCID='' bash <(recipe Slurm 4)
	trace-stats -m part.1 part.2 part.3 part.4 part.5 | same want -
	rm part.*
	mpirun() { for ((OMPI_COMM_WORLD_RANK = 0; OMPI_COMM_WORLD_RANK < $2; OMPI_COMM_WORLD_RANK++)); do "${@:3}"; done; }
	export -f mpirun
	OMPI_COMM_WORLD_SIZE=8 OMPI_COMM_WORLD_RANK='' bash <(recipe MPI)
	sh <(recipe MPI 2) | same want -
	command -v parallel > /dev/null || skip 'parallel is not installed'
	sh <(recipe 'GNU parallel') 2> /dev/null | same want -
}

@test "requests in flight: the recipe agrees with Python, at times that coincide, too; hours of the day" {
	examples "$ROOT/man/spoor-cookbook.7"
	# Whole tenths of seconds coincide often. No request takes no time.
	seq 400 | awk 'BEGIN { srand(3) } { t += int(rand() * 4); print t / 10 "," int(rand() * 5) ",GET," (1 + int(rand() * 12)) / 10 }' |
	    sed '1i at,who,op,took' > web.csv
	for ((i = 1; i <= examples; i++)); do
		# shellcheck disable=SC2016
		if grep -q 'web.layout' "$i.cmd"; then cat "$i.cmd"; fi
	done > recipe
	[ "$(grep -c 'trace-' recipe)" = 2 ]
	cat > depth.py <<'P'
import csv
from fractions import Fraction
rows = [(Fraction(r['at']), Fraction(r['took'])) for r in csv.DictReader(open('web.csv'))]
steps = sorted([(t, 1) for t, d in rows] + [(t + d, -1) for t, d in rows])
depth = most = area = 0
last = steps[0][0]
for t, s in steps:
    area += depth * (t - last)
    last = t
    depth += s
    most = max(most, depth)
assert area == sum(d for t, d in rows)
print(float(area / (steps[-1][0] - steps[0][0])), most, sep='\t')
P
	python3 depth.py > want
	sh recipe | sed 1d | awk -F '\t' '{ getline l < "want"; split(l, w, "\t"); exit !($2 == w[2] && ($1 - w[1]) ^ 2 < 1e-11 && $2 > 5) }'
	# The clock of the day: dates of half a year, of which Python takes the hours.
	python3 -c '
import datetime, random, collections
random.seed(4)
n = collections.Counter()
with open("days.csv", "w") as f:
    f.write("at,op,took\n")
    for t in sorted(random.randrange(15000000) for _ in range(300)):
        d = datetime.datetime(2026, 1, 31, 17, 3, 9) + datetime.timedelta(seconds=t)
        n[d.hour] += 1
        f.write(d.isoformat() + ",GET,1\n")
open("want", "w").write("".join("%d\t%d\n" % k for k in sorted(n.items())))'
	# shellcheck disable=SC2016
	trace-filter -bA -O columns='header time=$at:iso event=$op dur=$took' '*' days.csv |
	    trace-stats -g 'hour = time % 24h // 1h' -a count --no-header | same want -
}
