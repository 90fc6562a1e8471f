#!/bin/sh
# make lint: what tools say about the pages, the C and the scripts, as many at a time as there are processors.
# Silent when all is well.
# Usage: lint.sh [PART...]; the parts are the functions below.
set -u
cd "$(dirname "$0")/../.." || exit 2
jobs=$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)
# lint.sh --changed PART...: formatting only of what differs from the last commit.
changed=
[ "${1:-}" != --changed ] || { changed=1; shift; }

# need PROGRAM: false, and said, if it is not installed.
need() {
	command -v "$1" > /dev/null || { echo "lint: $1 is not installed: skipped" >&2; return 1; }
}

# files PATTERN...: those of the repository.
files() {
	git ls-files "$@" 2> /dev/null | grep . || find . \( -name build -o -name bin \) -prune -o -type f -print | sed 's|^\./||' | sort
}

# The longest first. Not so: refuse() and bad_row() never return; a record has a view or its parts; what is
# set where `keep` is, is read only there.
lint_cppcheck() {
	need cppcheck || return 0
	cppcheck -q -j "$jobs" --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability \
		--suppress=missingIncludeSystem --suppress=nullPointer:cmd/lib/stats/partial_read.c \
		--suppress=negativeIndex:cmd/lib/stats/partial_read.c --suppress=ctunullpointer:common/base/mem.c \
		--suppress=nullPointer:common/dumpi/make.c --suppress=uninitvar:common/dumpi/make.c \
		-D__GNUC__=12 -U__SSE2__ -Icommon -Icmd/lib -Icmd common cmd
}

# Variables that helpers.bash sets or reads, and a cd that bats itself watches.
lint_bats() {
	need shellcheck || return 0
	shellcheck -s bats -e SC2012,SC2030,SC2031,SC2034,SC2054,SC2059,SC2064,SC2086,SC2094,SC2154,SC2164 tests/bats/*.bats
}

lint_shell() {
	need shellcheck || return 0
	# shellcheck disable=SC2046  # no blanks in our names
	shellcheck $(git ls-files '*.sh' '*.bash' .ci/run 2> /dev/null || ls tests/*.sh tests/*/*.sh .ci/run)
}

# The fuzzers know the library by its names, and nothing else builds them: a name that moved.
lint_harnesses() {
	${MAKE:-make} -s harnesses
}

lint_format() {
	need clang-format || return 0
	set -- common/*/*.[ch] cmd/*.c cmd/*/*.[ch] cmd/lib/*/*.[ch] tests/fuzz/*.[ch] tests/unit/*.c tests/bench/*.c
	if [ "$changed" ]; then
		# shellcheck disable=SC2046  # no blanks in our names
		set -- $({ git diff --name-only HEAD; git ls-files -o --exclude-standard; } | sort > "$work/changed"
			printf '%s\n' "$@" | sort | comm -12 - "$work/changed")
		[ $# -gt 0 ] || return 0
	fi
	clang-format --dry-run -Werror "$@"
}

lint_pages() {
	need mandoc || return 0
	sh tests/make/mandoc.sh
}

lint_rooms() {
	sh tests/make/rooms.sh
}

lint_bounds() {
	sh tests/make/bounds.sh
}

lint_link() {
	sh tests/make/link.sh
}

# A format is named in its room, in cli, and in the programs that are its own. The report's sections are of the
# formats by name: `laplace-merge` is one that streams alone have. Comments may name any, and
# examples of the programs.
lint_formats() {
	# shellcheck disable=SC2046  # no blanks in our names
	awk -v rooms="$(sed -n 's/^	F(\([a-z]*\).*/\1/p' common/cli/cli_formats.h | tr '\n' ' ')" '
		BEGIN {
			n = split(rooms, name, " ")
			for (i = 1; i <= n; i++) {
				all = all "|" name[i]
				# These are words as well.
				if (name[i] !~ /^(binary|text)$/) own = own "|" name[i]
			}
			own = substr(own, 2)
			object = "(^|[^a-z_])fmt_(" substr(all, 2) ")([^a-z]|$)"
			string = "\"([^\"]*[^a-z\"])?(" own ")([^a-z\"][^\"]*)?\""
			include = "^#include \"(" own ")/"
		}
		FNR == 1 { n_parts = split(FILENAME, part, "/"); main = part[1] == "cmd" && (n_parts == 2 || part[2] ".c" == part[3]) }
		{ gsub(/\/\*([^*]|\*[^\/])*\*\//, "") }
		/^[ \t]*(\/\*|\* )/ { next }
		$0 ~ object || (!main && $0 ~ string) || $0 ~ include { print "lint: " FILENAME ":" FNR ": names a format: " $0; bad = 1 }
		END { exit bad || n < 8 }' $(files 'common/*.[ch]' 'cmd/*.[ch]' |
		grep -vE '^(common/(binary|text|stream|delimited|spc|laplace|ovni|dumpi|charisma|cli)/|cmd/(spc|laplace|ovni|dumpi2|charisma|trace-convert/(spc|laplace|ovni|dumpi|charisma)_|trace-convert/encoders|trace-filter/|trace-check/|lib/run/run_words|lib/view/traits))' |
		grep '^\(common\|cmd\)/.*\.[ch]$' | grep -vx cmd/lib/stats/queries.c)
}

# What a reader takes in at once: at most 80 lines, and 25 ways (a switch is one).
lint_size() {
	need pmccabe || return 0
	pmccabe common/*/*.c cmd/*.c cmd/*/*.c cmd/lib/*/*.c | awk '
		$1 > 25 { print "lint: " $6, $7 ": cyclomatic number " $1 ", more than 25"; bad = 1 }
		$5 > 80 { print "lint: " $6, $7 ": " $5 " lines, more than 80"; bad = 1 }
		END { exit bad || !NR }'
}

# Of a list with && bats sees only the last command fail.
lint_lists() {
	! grep -n '^	*\[ .* \] && \[ [^&]*$' tests/bats/*.bats | grep -v '||' ||
		{ echo "lint: two tests in a line: the first one's failure is not seen"; return 1; }
}

# Debian's awk is mawk: there %d of a number above 2^31 is 2147483647, a plain `print` of one has six digits, and
# `print a <= b` is an error. Found are numbers and powers that are written out; what divides is small again.
lint_awk() {
	# shellcheck disable=SC2046  # no blanks in our names
	awk '{
			line = $0
			gsub(/[\/%] *(1e[0-9]+|1000000000|2147483647)|rand\(\) \* 1e9/, "", line)
			large = line ~ /[0-9]e(9|1[0-9])|\^ *3[1-9]|\^ *[4-9][0-9]|[-+*(,] *[1-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]/
		}
		large && line ~ /printf "[^"]*%[0-9]*[diox]/ && line !~ /%\.0f/ { print FILENAME ":" FNR ": %d of a large number: %.0f"; bad = 1 }
		/awk .*[{;] *print [^"(>]*[<>]=/ { print FILENAME ":" FNR ": print (a <= b) wants parentheses"; bad = 1 }
		END { exit bad }' $(files 'tests/bats/*.bats' 'tests/*.sh' 'tests/*.bash' | grep '^tests/.*\.\(bats\|sh\|bash\)$' | grep -v /lint.sh)
}

# Words that readers stumble over: a comment opens with a subject or a verb, and some phrases have plainer ones.
# shellcheck disable=SC2046  # no blanks in our names
lint_words() {
	set -- $(files 'common/*.[ch]' 'cmd/*.[ch]' | grep '^\(common\|cmd\)/.*\.[ch]$')
	bad=0
	awk -v openings='(Of|What|Where|Who|Whether|The same|One more|As|Again)([^a-zA-Z]|$)' '
		$0 ~ "/\\*+[ \t]*" openings || $0 ~ "^[ \t]*\\*[ \t]*" openings {
			print "lint: " FILENAME ":" FNR ": opens without a subject: " $0
			bad = 1
		}
		END { exit bad }' "$@" || bad=1
	if grep -niwE 'but for|is told|are told|nobody says|stands behind|what is not|the least|beyond their bound|of others' "$@" man/* ./*.md > "$work/words"; then
		sed 's/^/lint: plainer words: /' "$work/words"
		bad=1
	fi
	# A backtrace, and an error of make, show the last part of a path alone.
	if git ls-files 'common/*.[ch]' 'cmd/*.[ch]' | sed 's|.*/||' | sort | uniq -d | grep . > "$work/twice"; then
		sed 's/^/lint: two files have the name /' "$work/twice"
		bad=1
	fi
	# The second of two headers with one include guard is dropped silently.
	if grep -h '^#ifndef SPOOR_.*_H$' $(git ls-files '*.h') | sort | uniq -d | grep . > "$work/twice"; then
		sed 's/^/lint: two headers have the guard /' "$work/twice"
		bad=1
	fi
	# A name of a struct, an enum or a union is one thing in the whole tree; that of a static function at most three.
	awk '
		FNR == 1 { static = 0 }
		{
			line = $0
			sub(/^[ \t]*(static )?(const )?/, "", line)
			if (line ~ /^(struct|enum|union) [a-z0-9_]+ \{/ && !seen[FILENAME, line]++) {
				split(line, word, " ")
				tags[word[2]]++
			}
			if (static && $0 ~ /^[a-z0-9_]+\(/) {
				name = $0
				sub(/\(.*/, "", name)
				if (!seen[FILENAME, name]++)
					functions[name]++
			}
			static = $0 ~ /^static /
		}
		END {
			for (name in tags)
				if (tags[name] > 1) {
					print "lint: " tags[name] " structs or enums have the name " name
					bad = 1
				}
			for (name in functions)
				if (functions[name] > 3) {
					print "lint: static functions of " functions[name] " files have the name " name
					bad = 1
				}
			exit bad
		}' "$@" || bad=1
	return $bad
}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
if [ "${1:-}" = --one ]; then
	"lint_$2" > "$work/said" 2>&1 || { cat "$work/said" >&2; echo "lint: $2 failed" >&2; exit 1; }
	cat "$work/said" >&2
	exit
fi
[ $# -gt 0 ] || set -- cppcheck bats harnesses shell format rooms bounds link formats pages size lists awk words
printf '%s\n' "$@" | xargs -n 1 -P "$jobs" sh tests/make/lint.sh ${changed:+--changed} --one || exit 1
