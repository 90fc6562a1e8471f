#!/bin/sh
# make check: every test, a file more at a time than there are processors, the longest first. Prints what each
# file's tests say when it has ended; the last line is "N passed, N failed[, N skipped]".
# Usage: check.sh [-q] [FILE.bats... tests/cases/FILE.sh...]; -q prints what failed.
set -eu
cd "$(dirname "$0")/../.."

# one FILE: runs its tests. Their lines and the status go to a file of $SPOOR_RUN, whose name is printed at the end.
if [ "${1:-}" = --one ]; then
	out=$SPOOR_RUN/out.$(basename "$2")
	begun=$(date +%s)
	{
		case $2 in
		*.sh) sh tests/cases.sh "$2" && got=0 || got=$? ;;
		*) bats --tap "$2" && got=0 || got=$? ;;
		esac
		echo "ended: $got"
		echo "took: $(($(date +%s) - begun))"
	} 2>&1 | if [ "${3:-}" = live ]; then tee "$out"; else cat > "$out"; echo "$out"; fi
	exit
fi

quiet=
[ "${1:-}" != -q ] || { quiet=1; shift; }
if ! command -v bats >/dev/null; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo 'installing bats' >&2
		{ apt-get update && apt-get install -y --no-install-recommends bats; } >/dev/null 2>&1 || :
	fi
	command -v bats >/dev/null || {
		echo 'check: bats (bats-core) is needed: install the package bats' >&2
		exit 2
	}
fi

# These take longest, and the longest file that begins last would be waited for alone.
LONGEST='follow failure hostile net safe attacks portable contract contributing'
# These look at the clock: nothing else runs beside them.
ALONE='plot merge-time'

SPOOR_RUN=$PWD/build/check.$$
export SPOOR_RUN
# What is linked with sanitizers takes 5 MB each, and is linked anew in seconds: only its objects stay.
linked=
# shellcheck disable=SC2064  # now is meant
trap "rm -rf '$SPOOR_RUN' $linked" EXIT
trap 'exit 2' HUP INT TERM
mkdir -p "$SPOOR_RUN"
: > "$SPOOR_RUN/log"
if [ $# -eq 0 ]; then
	linked='build/asan/bin build/asan/fuzz_*'
	# shellcheck disable=SC2064
	trap "rm -rf '$SPOOR_RUN' $linked" EXIT
	# Here, with all processors: files that begin at the same time would both make it.
	sh tests/make/asan.sh all harnesses > "$SPOOR_RUN/asan" 2>&1 || [ $? = 1 ] || cat "$SPOOR_RUN/asan"
	set -- tests/cases/*.sh tests/bats/*.bats
fi

# listed LIST FILE: its name is in the list.
listed() {
	base=${2##*/}
	case " $1 " in *" ${base%.bats} "*) return 0 ;; esac
	return 1
}

# failures FILE: of what tests said, that of those that failed.
failures() {
	awk '/^ok |^1[.][.]|^ended: 0|^took: / { on = 0; next } /^not ok |^ended: / { on = 1 } on' "$1"
}

# run JOBS FILE...: runs them, so many at a time, and prints what they say.
run() {
	jobs=$1
	shift
	[ $# -gt 0 ] || return 0
	if [ $# = 1 ] && [ ! "$quiet" ]; then
		# Of one file a line as soon as there is one.
		sh tests/make/check.sh --one "$1" live | while IFS= read -r line; do
			case $line in
			1..*) echo "${line#1..} tests" ;;
			'ended: 0' | 'took: '*) ;;
			*) printf '%s\n' "$line" ;;
			esac
		done
		cat "$SPOOR_RUN/out.$(basename "$1")" >> "$SPOOR_RUN/log"
		return
	fi
	printf '%s\n' "$@" | xargs -n 1 -P "$jobs" sh tests/make/check.sh --one | while IFS= read -r out; do
		cat "$out" >> "$SPOOR_RUN/log"
		if [ "$quiet" ]; then
			failures "$out"
		else
			sed -e "s/^1[.][.]/${out##*/out.}: /" -e '/^ended: 0$/d' -e 's/^took: \(.*\)/\1 s/' "$out"
		fi
	done
}

first='' rest='' alone=''
for file; do
	if listed "$ALONE" "$file"; then
		alone="$alone $file"
	elif ! listed "$LONGEST" "$file"; then
		rest="$rest $file"
	fi
done
for name in $LONGEST; do
	for file; do
		! listed "$name" "$file" || first="$first $file"
	done
done
# shellcheck disable=SC2086  # no blanks in our names
{
	# One more than there are processors: tests that wait for others, or for a clock, hold one up.
	run $(($(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1) + 1)) $first $rest
	run 1 $alone
}

# Once more, where they are found.
[ "$quiet" ] || failures "$SPOOR_RUN/log"
# A test that never reported, and a runner that died, have failed.
awk -F '[.][.]' -v files=$# '
	function end() { failed += planned > seen ? planned - seen : 0; planned = seen = 0 }
	/^1[.][.]/ { planned += $2 }
	/^ok / { seen++; passed++ }
	/^ok .* # skip/ { skipped++ }
	/^not ok / { seen++; failed++ }
	/^ended: / { n++; bad = failed; end(); if ($0 != "ended: 0" && failed == bad && !told[n]) ended++ }
	END {
		failed += files - n
		if (ended && !failed) failed = 1
		printf "%d passed, %d failed%s\n", passed - skipped, failed, skipped ? ", " skipped " skipped" : ""
		exit failed != 0
	}' "$SPOOR_RUN/log"
