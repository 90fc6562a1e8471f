#!/bin/sh
# make fuzz [SECONDS=60] [JOBS=n] [NAMES="text binary ..."] [SEED=n]: every harness for so long, as
# many at a time as there are processors, with libFuzzer, AddressSanitizer and
# UndefinedBehaviorSanitizer, and a meter of memory and CPU (meter.c). Starts from the fixtures, tests/fuzz/corpus/NAME and what the last run
# left in build/fuzz/NAME/corpus, with the words of tests/fuzz/NAME.dict; each run goes another way.
# With SEED, all go the same way, and no further on a fast machine: from an empty corpus, by number of
# executions, what a machine needs some 1 to 12 seconds for. Prints a row for each; what it finds is left in build/fuzz/NAME/found
# and belongs into tests/fuzz/corpus/NAME once it is mended.
set -eu
cd "$(dirname "$0")/../.."
cc=${FUZZ_CC:-clang}
san='-fsanitize=address,undefined -fno-sanitize-recover=all'

# The longest input: of what compares several ways, a short one.
longest() {
	case $1 in
	expr) echo 1000 ;;
	draw) echo 2000 ;;
	reuse) echo 2500 ;;
	same | derive | convert | export) echo 4000 ;;
	partial) echo 8000 ;;
	dumpi) echo 32000 ;;
	*) echo 16000 ;;
	esac
}

# Executions with SEED.
executions() {
	case $1 in
	draw) echo 90 ;;
	check | dumpi_encode | ovni | same) echo 170 ;;
	dumpi | export | match | reuse) echo 250 ;;
	convert | derive | charisma | expr) echo 500 ;;
	partial) echo 1300 ;;
	*) echo 3000 ;;
	esac
}

# one NAME SECONDS TIMEOUT: builds a harness and runs it; an input may take TIMEOUT seconds.
one() {
	dir=build/fuzz/$1
	echo "$1: $2 s" >&2
	rm -rf "$dir/found"
	[ -z "${SEED:-}" ] || rm -rf "$dir/corpus"
	mkdir -p "$dir/corpus" "$dir/found"
	source=tests/fuzz/fuzz_$1.c
	[ -f "$source" ] || source="-DFUZZ_FORMAT=fmt_$1 tests/fuzz/format.c"
	# shellcheck disable=SC2086
	$cc -std=c11 -D_XOPEN_SOURCE=700 -g1 -O1 -fsanitize=fuzzer $san -Icommon -Icmd/lib -Icmd -Itests/fuzz -Wl,--wrap=LLVMFuzzerTestOneInput \
		-o "$dir/harness" $source tests/fuzz/meter.c build/libfuzzer/libcmd.a build/libfuzzer/libspoor.a -pthread -lm
	sh tests/fuzz/seeds.sh "$1" "$dir/corpus"
	[ ! -d "tests/fuzz/corpus/$1" ] || cp "tests/fuzz/corpus/$1"/* "$dir/corpus/"
	dict=
	words=$1
	[ "$1" != draw ] || words='export' # its options are such words, too
	[ ! -f "tests/fuzz/$words.dict" ] || dict=-dict=tests/fuzz/$words.dict
	found=0 fixed="-max_total_time=$2" way='' from=$dir/corpus
	if [ -n "${SEED:-}" ]; then
		# Addresses get into what is tried, and so do the order of files and what else comes into the folder.
		find "$dir/corpus" -type f | LC_ALL=C sort | paste -s -d , - | tr -d '\n' > "$dir/seeds"
		fixed="-seed=$SEED -reload=0 -runs=$(executions "$1")"
		[ ! -s "$dir/seeds" ] || fixed="$fixed -seed_inputs=@$dir/seeds"
		from=$dir/new
		rm -rf "$from"
		mkdir "$from"
		! setarch -R true 2> /dev/null || way='setarch -R'
	fi
	# A request of 36 bytes may have a million blocks: the meter, not the clock, says what is too slow.
	[ "$1" != reuse ] || set -- "$1" "$2" 60
	# A small quarantine: memory that is used again is in the cache.
	# shellcheck disable=SC2086  # words, or none
	ASAN_OPTIONS=quarantine_size_mb=16 $way "$dir/harness" $dict $fixed -timeout="$3" \
		-rss_limit_mb=512 -max_len="$(longest "$1")" -print_final_stats=1 \
		-artifact_prefix="$dir/found/" "$from" > "$dir/log" 2>&1 || found=1
	awk -v name="$1" -v found="$found" '
		/ cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") cov = $(i + 1); if ($i == "ft:") ft = $(i + 1) } }
		/^#[0-9]/ { n = substr($1, 2) }
		/number_of_executed_units/ { n = $2 }
		/average_exec_per_sec/ { speed = $2 }
		END { printf "%-16s %10d executions, %6d a second, coverage %5d/%-6d finds %d\n", name, n, speed, cov, ft, found }' \
		"$dir/log"
	if [ "$found" = 1 ]; then
		echo "fuzz: $1 FOUND SOMETHING: see $dir/log and $dir/found" >&2
		grep -a 'ERROR\|SUMMARY\|Test unit written' "$dir/log" >&2 || tail -5 "$dir/log" >&2
		return 1
	fi
	rm "$dir/harness" # it is large
}

if [ "${1:-}" = --one ]; then
	one "$2" "$3" "$4"
	exit
fi
seconds=${1:-60}
mkdir -p build/fuzz
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n);
int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n > 9999; }' > build/fuzz/probe.c
# shellcheck disable=SC2086  # flags
$cc -fsanitize=fuzzer $san -o build/fuzz/probe build/fuzz/probe.c 2> build/fuzz/probe.log || {
	echo "fuzz: skipped: $cc cannot link libFuzzer (Debian: clang, libclang-rt-dev)" >&2
	exit "${FUZZ_MUST:-0}"
}
# fuzzer-no-link: the library is instrumented, the harness brings main.
${MAKE:-make} -j"$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)" B=build/libfuzzer BIN=build/libfuzzer/bin CC="$cc" \
	CFLAGS="-g1 -O1 -fsanitize=fuzzer-no-link $san" build/libfuzzer/libcmd.a build/libfuzzer/libspoor.a
names=${NAMES:-$(sh tests/fuzz/names.sh)}
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
jobs=${JOBS:-$processors}
# Ten seconds of a processor; where several share one, it is by the clock that they are counted.
timeout=$((10 * (jobs + processors - 1) / processors))
# shellcheck disable=SC2086  # names
printf '%s\n' $names | xargs -n 1 -P "$jobs" sh -c 'sh tests/fuzz/run.sh --one "$2" "$0" "$1" || exit 1' "$seconds" "$timeout" || exit 1
