#!/bin/sh
# asan.sh TARGET...: makes them under build/asan with AddressSanitizer and UndefinedBehaviorSanitizer, by CC.
# Status 1 where that compiler has no sanitizers; 2 where the targets cannot be made. (The objects of make fuzz
# would do as well, but each comparison is noted for libFuzzer there.)
set -u
cd "$(dirname "$0")/../.." || exit 2
cc=${CC:-cc} san='-fsanitize=address,undefined -fno-sanitize-recover=all'
mkdir -p build/asan
probe=build/asan/probe.$$
echo 'int main(void) { return 0; }' > "$probe.c"
# shellcheck disable=SC2086  # CC may hold flags
$cc $san -o "$probe" "$probe.c" 2> /dev/null && "$probe" 2> /dev/null
got=$?
rm -f "$probe" "$probe.c"
[ "$got" = 0 ] || exit 1
MAKEFLAGS='' ${MAKE:-make} -j"$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)" CC="$cc" \
	B=build/asan BIN=build/asan/bin CFLAGS="-g1 -O1 $san" "$@" || exit 2
