#!/usr/bin/env bats
# cookbook.bats - the pipelines of spoor(7), each of which prints what the page shows.

load helpers
load examples

setup() {
	enter
}

@test "every pipeline of the cookbook prints what the page shows" {
	examples_same "$ROOT/man/spoor.7"
}

@test "the cookbook answers at least fifteen questions, by all programs; there or in its page each format is read" {
	examples "$ROOT/man/spoor.7"
	[ "$(sed -n '/^\.Sh COOKBOOK/,/^\.Sh SEE/p' "$ROOT/man/spoor.7" | grep -c '^\.Bd')" -ge 15 ]
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
