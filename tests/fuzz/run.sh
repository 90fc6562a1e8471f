#!/bin/sh
# make fuzz [SECONDS=60]: every harness for so long, with libFuzzer, AddressSanitizer and
# UndefinedBehaviorSanitizer. Starts from tests/fuzz/corpus/NAME and the fixtures. What it finds is
# left in build/fuzz/NAME/ and belongs into tests/fuzz/corpus/NAME once it is mended.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
cc=${FUZZ_CC:-clang}
san='-fsanitize=address,undefined -fno-sanitize-recover=all'
mkdir -p build/fuzz
echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n);
int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n > 9999; }' > build/fuzz/probe.c
# shellcheck disable=SC2086  # flags
$cc -fsanitize=fuzzer $san -o build/fuzz/probe build/fuzz/probe.c || {
	echo "fuzz: $cc cannot link libFuzzer (Debian: clang, libclang-rt-dev)" >&2
	exit 2
}
# fuzzer-no-link: the library is instrumented, the harness brings main.
${MAKE:-make} -s B=build/libfuzzer BIN=build/libfuzzer/bin CC="$cc" \
	CFLAGS="-g -O1 -fsanitize=fuzzer-no-link $san" build/libfuzzer/libspoor.a
status=0
for c in tests/fuzz/fuzz_*.c; do
	name=$(basename "$c" .c)
	name=${name#fuzz_}
	dir=build/fuzz/$name
	mkdir -p "$dir/corpus" "$dir/found"
	# shellcheck disable=SC2086
	$cc -std=c11 -D_XOPEN_SOURCE=700 -g -O1 -fsanitize=fuzzer $san -iquote common -iquote tests/fuzz \
		-o "$dir/harness" "$c" build/libfuzzer/libspoor.a
	find tests/fixtures -type f -size -64k -exec cp {} "$dir/corpus/" \;
	[ ! -d "tests/fuzz/corpus/$name" ] || cp "tests/fuzz/corpus/$name"/* "$dir/corpus/"
	if "$dir/harness" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=512 -max_len=65536 \
		-artifact_prefix="$dir/found/" "$dir/corpus" > "$dir/log" 2>&1; then
		echo "$name: $(grep -a 'DONE' "$dir/log" | tail -1)"
	else
		status=1
		echo "$name: FOUND SOMETHING: see $dir/log" >&2
		tail -20 "$dir/log" >&2
	fi
done
exit $status
