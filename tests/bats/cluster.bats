#!/usr/bin/env bats
# The recipes of spoor-cluster(7), run: one answer from many processes, byte for byte that of one.
load ../helpers

QUESTION=(-g event -a 'count,sum(size),p99(size),p50(gap)')

setup() {
	enter
	mkdir traces
	for i in 1 2 3 4 5 6 7 8; do
		awk -v s=$i 'BEGIN { srand(s); for (i = 0; i < 2000; i++) { t += int(rand() * 4000)
			printf "%d,%d,%d,%s,%d.%06d\n", rand() * 4, rand() * 1e6, 512 * int(1 + rand() * 40), rand() < 0.3 ? "R" : "W", t / 1e6, t % 1e6 } }' > traces/t$i.spc
	done
	awk 'BEGIN { srand(9); for (i = 0; i < 20000; i++) { t += int(rand() * 4000)
		printf "%d,%d,%d,%s,%d.%06d\n", rand() * 4, rand() * 1e6, 512 * int(1 + rand() * 40), rand() < 0.3 ? "R" : "W", t / 1e6, t % 1e6 } }' > big.spc
	trace-stats "${QUESTION[@]}" traces/*.spc > files
	trace-stats "${QUESTION[@]}" big.spc > one
}

teardown() {
	[ ! -e slurm/slurm.conf ] || sh "$ROOT/tests/cluster/slurm.sh" stop "$PWD/slurm"
}

need() {
	local c
	for c; do
		command -v "$c" >/dev/null || skip "$c is not installed (.ci/run installs what it may)"
	done
}

@test "GNU parallel: a partial of each file, then a merge" {
	need parallel
	printf '%s\n' traces/*.spc |
		parallel --will-cite -j 2 "trace-stats -p -g event -a 'count,sum(size),p99(size),p50(gap)' -o {}.part {}" 2>/dev/null
	trace-stats -m traces/*.part | same - files
	# Compressed, without a change but in the names.
	gzip traces/*.spc
	printf '%s\n' traces/*.gz |
		parallel --will-cite -j 2 "trace-stats -p -g event -a 'count,sum(size),p99(size),p50(gap)' -o {}.whole {}" 2>/dev/null
	trace-stats -m traces/*.whole | same - files
}

@test "make -j: run again, it makes only what is missing" {
	# Lines of a recipe begin with a TAB.
	sed 's/^+/\t/' > Makefile <<'END'
PARTS != for k in 1 2 3 4 5 6 7 8; do echo part.$$k; done
result: $(PARTS)
+trace-stats -m -o $@ $(PARTS)
$(PARTS): big.spc
+trace-stats -p -g event -a 'count,sum(size),p99(size),p50(gap)' --chunk $(@:part.%=%)/8 -o $@ big.spc
+@echo $@ >> made
END
	env -u MAKEFLAGS -u MAKELEVEL make -j2 >/dev/null
	same result one
	[ "$(wc -l < made)" = 8 ]
	rm part.3 result
	env -u MAKEFLAGS -u MAKELEVEL make -j2 >/dev/null
	same result one
	[ "$(wc -l < made)" = 9 ]
}

@test "mpirun: a part for each rank, each into its own file" {
	need mpirun
	cat > rank.sh <<-'END'
		k=$((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} + 1)) n=${OMPI_COMM_WORLD_SIZE:-$PMI_SIZE}
		exec trace-stats -p -g event -a 'count,sum(size),p99(size),p50(gap)' --chunk "$k/$n" -o "part.$k" big.spc
	END
	for mpirun in mpirun mpirun.openmpi mpirun.mpich; do
		command -v $mpirun > /dev/null || continue
		more=
		# Open MPI alone has the option, and needs it where there are fewer processors.
		$mpirun --version 2>&1 | grep -qi 'hydra\|mpich' || more=--oversubscribe
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader \
			$mpirun $more -np 3 sh rank.sh 2>mpi.log || { cat mpi.log; false; }
		ls part.1 part.2 part.3 > /dev/null
		trace-stats -m part.? | same - one
		rm part.?
	done
}

@test "Slurm: an array of 8 tasks, one fails and is run again, then a merge" {
	need sbatch slurmctld slurmd munged
	[ "$(id -u)" = 0 ] || skip "Slurm on one machine is set up by root"
	sh "$ROOT/tests/cluster/slurm.sh" start "$PWD/slurm" >slurm.log 2>&1 || { cat slurm.log; skip "Slurm does not start here"; }
	export SLURM_CONF=$PWD/slurm/slurm.conf
	cat > map.sbatch <<-END
		#!/bin/sh
		#SBATCH --output=$PWD/out.%a
		cd $PWD
		PATH=$PATH
		k=\$SLURM_ARRAY_TASK_ID
		[ "\$k" != 5 ] || [ -e again ] || exit 3
		trace-stats -p -g event -a 'count,sum(size),p99(size),p50(gap)' --chunk "\$k/8" -o "part.\$k" big.spc
	END
	if sbatch --wait --array=1-8 map.sbatch >/dev/null; then
		false
	fi
	# Not all parts are there; those that are missing are asked for again.
	missing=
	for k in 1 2 3 4 5 6 7 8; do
		[ -e part.$k ] || missing=$missing${missing:+,}$k
	done
	[ "$missing" = 5 ]
	: > again
	sbatch --wait --array="$missing" map.sbatch >/dev/null
	trace-stats -m part.1 part.2 part.3 part.4 part.5 part.6 part.7 part.8 | same - one
	# A compressed file for each task.
	gzip traces/*.spc
	sed "s|--chunk .*|-o whole.\$k traces/t\$k.spc.gz|" map.sbatch > each.sbatch
	sbatch --wait --array=1-8 each.sbatch > /dev/null
	trace-stats -m whole.? | same - files
}

@test "srun: a part for each process" {
	need sbatch srun slurmctld slurmd munged
	[ "$(id -u)" = 0 ] || skip "Slurm on one machine is set up by root"
	sh "$ROOT/tests/cluster/slurm.sh" start "$PWD/slurm" >slurm.log 2>&1 || { cat slurm.log; skip "Slurm does not start here"; }
	export SLURM_CONF=$PWD/slurm/slurm.conf
	cat > rank.sh <<-'END'
		k=$((SLURM_PROCID + 1)) n=$SLURM_NTASKS
		exec trace-stats -p -g event -a 'count,sum(size),p99(size),p50(gap)' --chunk "$k/$n" -o "part.$k" big.spc
	END
	srun -n4 sh rank.sh
	trace-stats -m part.1 part.2 part.3 part.4 | same - one
}

@test "Hadoop Streaming's contract: mapper, sort, combiner, sort, reducer" {
	for f in traces/*.spc; do
		trace-stats -p "${QUESTION[@]}" < "$f" | sort | trace-stats -m -p > "$f.map"
	done
	# Of no input, and of a combiner's: the first and the last line.
	trace-stats -p "${QUESTION[@]}" < /dev/null | sort | trace-stats -m -p > traces/empty.map
	[ -s traces/empty.map ]
	# A task that gets no lines at all has lost some.
	status_is 2 trace-stats -m -p < /dev/null
	cat traces/*.map | sort | trace-stats -m | same - files
}

@test "Hadoop Streaming with several reducers: cat, and one merge of what they wrote" {
	for f in traces/*.spc; do
		trace-stats -p "${QUESTION[@]}" < "$f" | sort | trace-stats -m -p > "$f.map"
	done
	# Keys are dealt out to three reducers, whichever way: here by their length.
	cat traces/*.map | sort | awk -F'\t' '{ print > "out." length($1) % 3 }'
	cat out.? | sort | trace-stats -m | same - files
	# One that lacks the header does not guess.
	grep -v '^#' traces/t1.spc.map > headless
	status_is 2 trace-stats -m headless
	has "$stderr" 'header is missing'
}

@test "Spark's pipe(): partitions through a program, some of them empty" {
	for f in traces/*.spc /dev/null; do
		trace-stats -p "${QUESTION[@]}" < "$f"
	done | trace-stats -m | same - files
}
