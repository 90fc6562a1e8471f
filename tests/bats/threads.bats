#!/usr/bin/env bats
# threads.bats - files that several threads read: the bytes, messages and status of one thread, for every way out, whole or damaged.
bats_require_minimum_version 1.5.0
load ../helpers

# The pieces and threads that alike compares with one thread.
ALIKE=('64 2' '1000 3' '64 8') alike=0

# alike COMMAND...: it does the same with one thread, and with several in pieces of several sizes. Without SPOOR_FULL
# each call takes one of the sizes, and the next call the next one.
alike() {
	local status=0 now j sizes=("${ALIKE[alike++ % 3]}")
	[ -z "${SPOOR_FULL-}" ] || sizes=("${ALIKE[@]}")
	"$@" -j 1 > one.out 2> one.err || status=$?
	for j in "${sizes[@]}"; do
		now=0
		"$@" --tune "worth=${j% *}" -j "${j#* }" > more.out 2> more.err || now=$?
		[ "$now" = "$status" ] && cmp -s one.out more.out && cmp -s one.err more.err && continue
		echo "-j ${j#* } in pieces of ${j% *}: status $now, not $status: $*"
		cmp one.out more.out || true
		diff one.err more.err | head -5
		return 1
	done
}

# ways FILE: every way out.
ways() {
	case $1 in *.csv) set -- "$1" -O 'columns=header time=$time event=$op addr=$lba size=$bytes' ;; esac
	alike trace-filter -c 'size >= 4K' "$@" && alike trace-filter -v -t 'size >= 4K' "$@" && alike trace-filter -H '*' "$@" &&
		alike trace-filter -b 'size >= 4K' "$@" && alike trace-filter -n '*' "$@" &&
		alike trace-filter -H -F 'time,loc,x = size / 3,a?' '*' "$@" && alike trace-filter -F 'time,size' '*' "$@" &&
		alike trace-derive 'big = size > 8K' 'addr = addr * 2' "$@" && alike trace-derive -b 'p = time' "$@" &&
		alike trace-export -T csv "$@" && alike trace-export -T jsonl "$@" && alike trace-export -T tsv --fields 'time,x = size * 2' "$@" &&
		alike trace-filter -A -t --hz 1G '*' "$@" && alike trace-filter --head 600 '*' "$@" && alike trace-stats "$@" &&
		alike trace-derive 'far = size * 1000000000000000000 * 1000' 'a.b = if(event in {A1, R}, size)' "$@" &&
		alike trace-filter -c 'size * 1000000000000000000 * 1000 > 5 or nosuch = 1' "$@" &&
		alike trace-stats -g loc -a 'count,sum(size),p50(size)' "$@" && alike trace-plot rate --bins "$@"
}

# inputs SEED: the files of varied.py, and binary streams of them.
inputs() {
	local f
	python3 "$ROOT/tests/gen/varied.py" "$1"
	for f in whole.text whole.stream whole.refs; do
		trace-filter -b '*' $f > $f.bin
	done
	cat whole.text.bin whole.refs.bin > two.bin
	head -c 150000 whole.stream.bin > cut.bin
	(head -c 90000 whole.stream.bin; printf x; tail -c +90002 whole.stream.bin) > d0.bin
}

@test "with several threads the same bytes, messages and status: whole files, two in one, binary streams" {
	inputs 1
	for f in whole.* two.*; do
		ways $f
	done
}

@test "the same of files with damage" {
	inputs 2
	for f in d?.* cut.bin; do
		ways $f
	done
	for f in whole.refs two.refs d?.refs; do
		alike laplace-bin2txt $f
		alike laplace-bin2txt --pad $f
	done
	for f in whole.spc two.spc d?.spc; do
		alike spc-cat $f
		alike spc-cat -n $f
	done
}

@test "requests for simulators: what was before a piece, and times that go back" {
	inputs 7
	# Of 1,000 requests one is late, behind the first batch, each time at another place; some are none, or have arguments.
	awk 'BEGIN {
		for (f = 0; f < 60; f++) {
			name = "late." f
			print "##spoor\t1\n##clock\ts\torigin=0.000000000\n##meta\tblock=1\n#time\tloc\tevent\taddr\tsize\tdur\targs" > name
			for (i = 0; i < 1000; i++)
				printf "%d.%09d\t%s\t%s\t%s\t%d\t-%s\n", (i == 505 + f ? i - 2 : i) - 3, i % 5, (i % 9 ? i % 70 : "x"),
					(i % 7 ? "R" : i % 3 ? "W" : "other"), (i % 11 ? i * 512 : "-"), i % 13 * 256, (i % 17 ? "" : "\ta" i % 5 "=1") > name
			print "##end\tevents=1000" > name
			close(name)
		}
		# More names than are counted one by one; times at their end; a unit that nobody says.
		for (i = 0; i < 3000; i++) printf "%d.0\t1\tR\t512\t512\t-\tn%d=1\n", i, i > "names"
		for (i = 0; i < 3000; i++) printf "%s\t1\tR\t0\t512\t-\n", (i < 1500 || i > 1600 ? i ".0" : "9223372036.854775807") > "ends"
		for (i = 0; i < 3000; i++) printf "%d.0\t1\tR\t%s\t512\t-\n", i, (i > 2000 ? i : "-") > "unit"
	}'
	for f in whole.* two.* d?.* late.?0 ends unit; do
		case $f in *.csv) continue ;; esac
		for to in mqsim disksim din fio 'fio --v2' libcachesim 'libcachesim --split 1K' 'libcachesim --addr-unit 512'; do
			alike trace-export -T $to $f
		done
		alike trace-export -T mqsim -e 'size > 512' $f
	done
	for f in late.*; do
		alike trace-export -T mqsim $f
		alike trace-export -T fio $f
	done
	alike trace-export -T mqsim --addr-unit 1 -e 'time > 2000' names
	trace-export -T mqsim late.7 2>&1 > /dev/null | grep -q '1 event went back'
}

@test "two streams in a file: one ends where a piece does, one has no end" {
	awk 'BEGIN {
		for (f = 0; f < 40; f++) for (k = 0; k < 2; k++) {
			name = (k ? "open." : "ended.") f
			for (n = 0; n < 2; n++) {
				print "##spoor\t1\n##format\tmine\n#time\tloc\tevent\taddr\tsize\tdur\targs" > name
				for (i = 0; i < 512 + f; i++) printf "%d.123456789\tnode/thread\tREAD_%d\t%d\t512\t0.000000001\n", i, i % 3, i * 4096 > name
				if (n || !k) print "##end\tevents=" 512 + f > name
			}
			close(name)
		}
	}'
	for f in ended.* open.*; do
		alike trace-filter -c 'size > 4' $f
		alike trace-export -T jsonl $f
	done
	status_is 2 trace-filter --tune worth=64 -j 3 -c 'size > 4' open.7
	has "$stderr" 'no ##end before line 523'
}

@test "-q of several threads: the status" {
	inputs 3
	for f in whole.[!c]*; do
		status_is 0 trace-filter --tune worth=64 -j 3 -q 'size > 0' $f
		status_is 1 trace-filter --tune worth=64 -j 3 -q 'size = 7777777' $f
	done
}

@test "a full disk, a pipe that is closed, and -o: with threads as with one" {
	inputs 4
	[ ! -c /dev/full ] || {
		status_is 2 bash -c 'trace-filter --tune worth=64 -j 3 "*" two.text > /dev/full'
		has "$stderr" 'write: No space left'
	}
	run -141 --separate-stderr bash -c 'set -o pipefail; for i in 1 2 3 4; do cat whole.text; done > long; trace-filter --tune worth=64 -j 3 "*" long | head -n 1'
	[ "$output" = "$(head -n 1 whole.text)" ]
	trace-filter --tune worth=64 -j 3 -o got '*' whole.spc
	trace-filter -j 1 '*' whole.spc | same - got
	status_is 2 trace-filter --tune worth=64 -j 3 -o none '*' two.spc
	[ ! -e none ]
}

@test "runs of several threads that are killed at any time, by any signal, leave nothing, or the whole file" {
	awk 'BEGIN { for (i = 0; i < 200000; i++) printf "%d,%d,%d,%s,%d.%06d\n", i % 5, i * 77 % 99991, 512 * (i % 9), i % 3 ? "R" : "W", i / 1000, i }' > long.spc
	local sigs=(HUP INT QUIT ABRT BUS KILL SEGV TERM XCPU) i=0 whole=0 none=0 times=27
	[ -z "${SPOOR_FULL-}" ] || times=60
	mkdir k
	mkfifo tick
	exec 8<> tick
	for c in 'trace-filter *' 'trace-derive x=size' 'trace-stats -g event'; do
		read -ra run <<<"$c"
		"${run[@]}" -j 1 long.spc > want
		# Until it was killed early enough, and has ended by itself.
		while [ $i -lt $times ] || [ $whole = 0 ] || [ $none = 0 ]; do
			[ $i -lt 1000 ]
			rm -f k/out
			env --default-signal "${run[0]}" --tune worth=1000 -j 3 -o k/out "${run[@]:1}" long.spc 2> /dev/null &
			pid=$!
			# (Nobody writes there.)
			read -r -t "0.0$((RANDOM % 5))$((RANDOM % 10))" -u 8 || :
			kill -"${sigs[i % ${#sigs[@]}]}" "$pid" 2> /dev/null || :
			wait "$pid" 2> /dev/null || :
			# The process that gives the name is the last to end.
			waits_for 5 eval '[ "$(ls -A k)" = out ] || [ "$(ls -A k)" = "" ]'
			if [ -e k/out ]; then
				same want k/out
				whole=$((whole + 1))
			else
				none=$((none + 1))
			fi
			i=$((i + 1))
		done
		i=0 whole=0 none=0
	done
}

@test "parts of a binary stream hold every event once" {
	inputs 5
	trace-filter -t '*' whole.stream.bin > all
	for n in 1 2 3 7 50; do
		for k in $(seq $n); do
			trace-filter -t --chunk "$k/$n" '*' whole.stream.bin || [ $? = 1 ]
		done | grep -v '^#' > parts
		grep -v '^#' all | same - parts
	done
	for k in 1 2 3; do
		trace-stats -p -g event -a 'count,sum(size)' --chunk $k/3 whole.stream.bin > part.$k
	done
	trace-stats -m part.? > got
	trace-stats -g event -a 'count,sum(size)' whole.stream.bin | same - got
}

@test "where no threads may be made, fewer do it all" {
	need_native
	inputs 6
	cat > few.c <<-'C'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <errno.h>
		#include <pthread.h>
		#include <stdlib.h>
		int
		pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x)
		{
			static int made;
			int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

			if (made++ >= atoi(getenv("FEW")))
				return EAGAIN;
			*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
			return real(t, a, f, x);
		}
	C
	$CC -shared -fPIC -o few.so few.c -ldl
	for few in 0 1 2; do
		FEW=$few LD_PRELOAD=$PWD/few.so trace-filter --tune worth=64 -j 3 -t 'size > 4K' whole.spc > got
		trace-filter -j 1 -t 'size > 4K' whole.spc | same - got
		FEW=$few LD_PRELOAD=$PWD/few.so trace-stats --tune worth=64 -j 3 -g event -a 'count,sum(size)' whole.spc > got
		trace-stats -j 1 -g event -a 'count,sum(size)' whole.spc | same - got
	done
}

# streams PATH...: what may be done with the streams of a trace one by one, and what not.
streams() {
	alike trace-filter -c 'size >= 100' "$@" && alike trace-filter -c '*' "$@" && alike trace-filter -q 'size = 7777777' "$@" &&
		alike trace-stats -g event -a 'count,sum(size),max(dur),distinct(loc)' "$@" && alike trace-stats -w 1ms -a 'count,sum(dur)' "$@" &&
		alike trace-stats -g loc -a 'min(time),max(time)' --from 1us "$@" && alike trace-stats "$@" &&
		alike trace-stats -g event -a 'p50(dur),sum(recv_bytes)' -e 'size? or nosuch?' "$@" && alike trace-stats --hz 1k -a 'max(time)' "$@" &&
		alike trace-plot rate --bins "$@" && alike trace-plot matrix --bins "$@" && alike trace-plot hist --bins "$@" &&
		alike trace-filter -O serial -H '*' "$@" && alike trace-filter -O serial -b 'size > 100' "$@" &&
		alike trace-filter '*' "$@" && alike trace-derive -O serial 'kb = size // 1024' "$@" &&
		alike trace-export -T csv -O serial "$@" && alike trace-stats -O durations -O gpeer -g event -a 'count,sum(dur)' "$@"
}

@test "ovni and DUMPI: threads that take streams and ranks say and give what one does, of damage too" {
	cp -r "$FIX/runs" . && cd runs
	streams solver.meta
	streams tasks
	printf '\377' | dd of=solver-0002.bin bs=1 seek=1500 conv=notrunc 2> dd.err
	streams solver.meta
	head -c 3000 solver-0001.bin > short && mv short solver-0001.bin
	streams solver.meta
	gzip solver-0003.bin && mv solver-0003.bin.gz solver-0003.bin
	streams solver.meta
	rm solver-0000.bin
	streams solver.meta
	set -- tasks/*/*/*/stream.obs
	head -c 100 "$1" > short && mv short "$1"
	streams tasks
	: > "$2"
	printf '\377\377\377' | dd of="$3" bs=1 seek=60 conv=notrunc 2> dd.err
	streams tasks
	gzip "$1" && mv "$1.gz" "$1"
	streams tasks
}

@test "ovni and DUMPI: several threads there are, where order does not count; parts are what files hold" {
	need_native
	cat > made.c <<-'C'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <pthread.h>
		#include <unistd.h>
		int
		pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x)
		{
			int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

			if (write(2, "made\n", 5) != 5)
				return 1;
			*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
			return real(t, a, f, x);
		}
	C
	$CC -shared -fPIC -o made.so made.c -ldl
	for f in "$FIX/runs/solver.meta" "$FIX/runs/tasks"; do
		for run in 'trace-filter -c *' 'trace-stats -g event -a count' 'trace-plot rate --bins'; do
			set -f
			LD_PRELOAD=$PWD/made.so $run --tune worth=1 -j 2 "$f" 2>&1 > got | grep -c "^made" | same - <(echo 2) || { echo "$run $f"; return 1; }
			set +f
		done
		LD_PRELOAD=$PWD/made.so trace-filter --tune worth=1 -j 2 '*' "$f" 2> made.err > got
		same made.err <(:)
	done
	# Nor are there where a binary stream is written, by whatever option.
	inputs 8
	for run in 'trace-filter -b * whole.spc' 'trace-filter * whole.stream.bin' 'trace-derive x=size whole.stream.bin' 'spc-cat -b whole.spc'; do
		set -f
		LD_PRELOAD=$PWD/made.so $run --tune worth=1 -j 2 2> made.err > got
		set +f
		same made.err <(:)
		head -c 4 got | same - <(printf HEAD)
	done
	LD_PRELOAD=$PWD/made.so trace-filter -t --tune worth=1 -j 2 '*' whole.stream.bin 2>&1 > got | grep -qx made
	# The same sums from each rank's file alone.
	for f in "$FIX"/runs/solver-000?.bin; do
		trace-filter -t -F event,size '*' "$f"
	done | awk '!/^#/ { n[$1]++; s[$1] += $2 } END { for (e in n) print e "\t" n[e] "\t" s[e] }' | sort > want
	for k in 1 2 3; do
		trace-stats -p -g event -a 'count,sum(size)' --chunk $k/3 "$FIX/runs/solver.meta" > part.$k
	done
	trace-stats -m part.? > merged
	grep -v '^#' merged | sed 's/-$/0/' | sort | same - want
	status_is 2 trace-stats -m part.1 part.3
	has "$stderr" 'solver.meta: the part from 1 to 2 is in no partial result'
	status_is 2 trace-stats -m part.1 part.2 part.3 part.2
	has "$stderr" 'solver.meta: two partial results have the part from 1 on'
	alike trace-stats -p -g event -a 'count,sum(size)' "$FIX/runs/solver.meta"
	trace-stats -p -j 2 -g event "$FIX/runs/solver.meta" > whole
	trace-stats -m whole > merged
	for k in 1 2 3 4 5 6 7; do
		trace-stats -p -g event -a count --chunk $k/7 "$FIX/runs/solver.meta" > seven.$k
	done
	trace-stats -m seven.? | same - merged
	for k in 1 2 3; do
		trace-plot rate -p --chunk $k/3 "$FIX/runs/tasks" > part.$k
	done
	trace-plot rate -m --bins part.? > got
	trace-plot rate --bins "$FIX/runs/tasks" | same - got
	# A pipe is opened once.
	for j in 1 2; do
		trace-stats --tune worth=1 -j $j -g event -a count <(cat "$FIX/runs/solver-0000.bin") <(cat "$FIX/runs/solver-0001.bin") > pipes.$j
	done
	same pipes.2 pipes.1
	grep -qx 'MPI_Allreduce	8' pipes.2
	status_is 2 trace-filter --chunk 1/2 '*' "$FIX/runs/tasks"
	has "$stderr" 'ovni cannot be cut into parts, but by streams where their order in time does not count'
}
