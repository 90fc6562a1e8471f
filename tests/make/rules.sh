#!/bin/sh
# Writes $B/rules.mk: a rule for every object, program and fuzz harness, and what the compiler knows
# beyond the standard's options. The Makefile calls it with CC, B (objects) and BIN (programs) set.
# shellcheck disable=SC2016  # what stands in single quotes is make's
set -eu
mkdir -p "$B"
tmp=$B/rules.mk.$$

# object SOURCE [FLAG [NAME]]: sets $o, which lies in a folder of B as the source does here, or as NAME says.
object() {
	o=$B/${3:-${1%.c}}.o
	printf '%s: %s $(HEADERS)%s\n\t$(SAY_CC) CC %s\n\t@mkdir -p %s\n' "$o" "$1" "${with:+ $with}" "$1" "${o%/*}"
	printf '\t$(Q)$(CC) $(ALL_CFLAGS) $(NOTES) %s-c -o $@ %s\n' "${2:+$2 }" "$1"
}

# program FILE OBJECTS
program() {
	printf '%s: %s $(LIBS)\n\t$(SAY) LD %s\n\t@mkdir -p %s\n' "$1" "$2" "$1" "${1%/*}"
	printf '\t$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ %s $(LIBS) -lm\n' "$2"
}

# known FLAG...: whether the compiler takes them, and in silence.
known() {
	said=$($CC "$@" -o "$B/probe" "$B/probe.c" 2>&1) && [ ! "$said" ]
}

{
	# Two directories give the same bytes. And gcc makes `rep movs` of short copies of bounded length,
	# 25 to 35 ns each; not of calls.
	echo 'int main(void) { return 0; }' > "$B/probe.c"
	# This directory may have a name with blanks, quotes, and what means something to make.
	flags=
	for flag in "-ffile-prefix-map=$PWD=." -mstringop-strategy=libcall; do
		! known "$flag" || flags="$flags '$(printf '%s\n' "$flag" | sed "s/'/'\\\\''/g; s/[$]/\$\$/g; s/#/\\\\#/g")'"
	done
	# Where doubles would have more bits on their way than in memory (i386), results are not those of
	# other machines.
	! known -msse2 -mfpmath=sse || flags="$flags -msse2 -mfpmath=sse"
	printf 'KNOWN =%s\n' "$flags"
	# As many jobs as there are processors, unless the user says how many.
	printf 'JOBS = -j%s\n' "$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)"
	# The headers that each file includes; otherwise all files depend on all headers.
	rm -f "$B/probe.d"
	if known -c -MMD -MP -MF "$B/probe.d" && [ -s "$B/probe.d" ]; then
		rm "$B/probe.d"
		printf 'NOTES = -MMD -MP -MT $@ -MF $@.d\n'
	else
		printf 'HEADERS = %s\n' "$(find common cmd -name '*.h' | sort | tr '\n' ' ')"
	fi

	objects='' cmd_objects='' mains='' programs='' harnesses=''
	for c in common/*/*.c cmd/lib/*/*.c cmd/*/*.c cmd/*.c; do
		[ -f "$c" ] || continue
		folder=${c%/*}
		if [ "$folder" = cmd ] || [ "$folder" = "cmd/$(basename "$c" .c)" ]; then
			mains="$mains $c"
			continue
		fi
		# Where the version is.
		with=
		! grep -q SPOOR_VERSION "$c" || with=Makefile
		object "$c"
		case $c in
		common/*) objects="$objects $o" ;;
		*) cmd_objects="$cmd_objects $o" ;;
		esac
	done
	with=
	all="$objects $cmd_objects"
	for c in $mains; do
		object "$c"
		all="$all $o"
		p=$BIN/$(basename "$c" .c)
		# The table of its readers, in place of that of all formats.
		reads=$(sed -n "s/^READS_${p##*/} = //p" Makefile)
		if [ "$reads" ]; then
			mkdir -p "$B/reads"
			table=$B/reads/${p##*/}.c
			{
				printf '#include "cli/cli_formats.h"\nconst struct format *const formats[] = {'
				for f in ${reads#none}; do printf '&fmt_%s, ' "$f"; done
				echo 'NULL};'
				[ "$reads" != none ] || echo 'const struct sniffer *const sniffers[] = {NULL};'
			} > "$table.new"
			if cmp -s "$table.new" "$table"; then rm "$table.new"; else mv "$table.new" "$table"; fi
			own=$o
			object "$table" '' "reads/${p##*/}"
			all="$all $o"
			o="$own $o"
		fi
		program "$p" "$o"
		programs="$programs $p"
	done
	object tests/fuzz/main.c
	main=$o
	all="$all $o"
	for name in $(sh tests/fuzz/names.sh); do
		c=tests/fuzz/fuzz_$name.c
		if [ -f "$c" ]; then
			object "$c" -Itests/fuzz
		else
			object tests/fuzz/format.c "-Itests/fuzz -DFUZZ_FORMAT=fmt_$name" "${c%.c}"
		fi
		program "$B/fuzz_$name" "$o $main"
		harnesses="$harnesses $B/fuzz_$name"
		all="$all $o"
	done
	printf 'LIB_OBJECTS =%s\nCMD_OBJECTS =%s\nPROGRAMS =%s\nHARNESSES =%s\n' "$objects" "$cmd_objects" "$programs" "$harnesses"
	# Headers only: the rules name the sources, of which one may have moved since.
	for o in $all; do
		[ ! -f "$o.d" ] || sed -e 's/ [^ ]*\.c / /' -e 's/ [^ ]*\.c$//' "$o.d"
	done
} > "$tmp"
if cmp -s "$tmp" "$B/rules.mk"; then rm "$tmp"; else mv "$tmp" "$B/rules.mk"; fi
