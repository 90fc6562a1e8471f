#!/usr/bin/env bats
# decoders.bats - what a decoder says of a file that is not of its format, and what it links.

load ../helpers

DECODERS='charisma-dump dumpi2txt laplace-bin2txt ovni-dump spc-cat'

# Makes a file of each format, whose name is the program that decodes it, and ten that are of none.
inputs() {
	mkdir known foreign
	cp "$FIX/charisma/lp64-le.chr" known/charisma-dump
	cp "$FIX/dumpi/small-0002.bin" known/dumpi2txt
	cp "$FIX/laplace/seed.ref" known/laplace-bin2txt
	cp "$FIX/laplace/seed.reftxt" 'known/laplace-bin2txt -r'
	cp "$FIX/ovni/seed.stream" known/ovni-dump
	cp "$FIX/spc/Financial1-head.spc" known/spc-cat
	spc-cat -b known/spc-cat > known/trace-filter
	(
		cd foreign || return
		printf '%s\n' 128166372003061629,hm,0,Read,383496192,32768,413 128166372016382155,hm,0,Write,310983168,20480,5131 > msr.csv
		printf '%s\n' '0.000000 0 8192 16 0' '0.010000 0 16384 8 1' '0.020000 1 512 8 1' > disksim.txt
		printf '%s\n' '{"ts":1,"name":"read","dur":5}' '{"ts":2,"name":"write","dur":7}' > events.jsonl
		printf '%s\n' '12:00:01.000001 read(3, "a", 4096) = 1 <0.000010>' '12:00:01.000100 close(3) = 0 <0.000005>' > strace.log
		printf '%s\n' '0, 1521, 0, 4096, 0' '1, 1600, 1, 4096, 8192' '2, 98, 0, 4096, 16384' > fio_lat.log
		printf '%s\n' '  8,0    1        1     0.000000000   697  Q   W 223490 + 8 [kjournald]' > blkparse.txt
		printf '%s\n' 'a,b,c' '1,2,3' '4,5,6' > table.csv
		printf '%s\n' 'int main(void)' '{' '	return 0;' '}' > hello.c
		printf '%s\n' '<?xml version="1.0"?>' '<svg xmlns="http://www.w3.org/2000/svg"/>' > picture.svg
		printf '%s\n' 'Nov 28 10:00:01 host kernel: [1.0] sd 0:0:0:0: attached' 'Nov 28 10:00:02 host cron[7]: run' > syslog
	)
}

@test "a file of another format is named with the program to use; other text is no known format" {
	inputs
	for p in $DECODERS; do
		for f in known/*; do
			own=${f#known/}
			[ "$own" != "$p" ] || { status_is 0 "$p" "$f"; [ "$output" ]; continue; }
			status_is 2 "$p" "$f"
			[ ! "$output" ]
			has "$stderr" "^$p: $f: this is [a-zA-Z' ]*: use $own\$"
			# The program that it names reads it.
			case $own in trace-filter) own='trace-filter event?' ;; esac
			# shellcheck disable=SC2086
			status_is 0 $own "$f"
			[ "$output" ]
		done
		n=0
		for f in foreign/*; do
			for from in "$f" -; do
				status_is 2 "$p" "$from" < "$f"
				[ ! "$output" ]
				has "$stderr" "^$p: (.*): no known format: try trace-stats FILE \\(-f [a-z]* reads it anyway\\)\$"
				[ "$(wc -l <<<"$stderr")" = 1 ]
			done
			n=$((n + 1))
		done
		[ $n = 10 ]
		# What was asked for is read, whatever it is.
		status_is 2 "$p" -f "$(sed -n 's/.*(-f \([a-z]*\) .*/\1/p' <<<"$stderr")" foreign/hello.c
		! grep 'no known format' <<<"$stderr" || return 1
	done
}

@test "options and formats of another format are refused by a decoder" {
	trace-filter -O list | awk '{ sub(/=.*/, "", $1); print $1, $2 }' > all
	for p in $DECODERS; do
		"$p" -O list | awk '{ sub(/=.*/, "", $1); print $1 }' > own
		n=0
		while read -r name format; do
			! grep -qx "$name" own || continue
			status_is 2 "$p" -O "$name" /dev/null
			has "$stderr" "^$p: -O $name: no format has such an option \\(-O list\\)"
			! grep -q "^$format$" <("$p" -O list | awk '{ print $2 }') || return 1
			n=$((n + 1))
		done < all
		[ $n -gt 10 ]
		status_is 2 "$p" -f text /dev/null
		has "$stderr" "^$p: -f text: only [a-z, -]* is read here"
	done
}

@test "an old stream of ovni, without a header, is recognised by every event of the table" {
	# The sniffer has models and categories of its own, since programs that do not read ovni link no table.
	trace-filter --events -f ovni | awk -F '\t' 'NR > 1 { print $3; if ($6 != "-") print $6 }' | sort -u > codes
	[ "$(wc -l < codes)" -gt 300 ]
	while read -r code; do
		[ "${#code}" = 3 ] || { echo "no code: $code"; return 1; }
		# Four events of 12 bytes: flags, model, category, value, and a clock that goes on.
		for i in 1 2 3 4; do printf "\\0%s\\$i\\0\\0\\0\\0\\0\\0\\0" "$code"; done
	done < codes > all
	split -b 48 -a 3 all one.
	n=0
	for f in one.*; do
		spc-cat "$f" 2> err > out && return 1
		grep -q ': this is an ovni trace: use ovni-dump$' err || { head -c 4 "$f"; cat err; return 1; }
		n=$((n + 1))
	done
	[ $n = "$(wc -l < codes)" ]
	# A model or category that there is not.
	for code in XHx OZx 6zx '6 x'; do
		for i in 1 2 3 4; do printf "\\0%s\\$i\\0\\0\\0\\0\\0\\0\\0" "$code"; done > none
		status_is 2 spc-cat none
		! grep 'ovni' <<<"$stderr" || return 1
	done
}

@test "what each program links stays within its bound, and a bound that is exceeded is told" {
	[ -x "$ROOT/bin/spc-cat" ] && readelf --debug-dump=info --dwarf-depth=1 "$ROOT/bin/spc-cat" | grep -q DW_AT_name || skip 'no line information'
	(cd "$ROOT" && sh tests/make/link.sh -v) > said
	for p in $(programs); do grep -q "^$p: [0-9]* lines, [0-9]* bytes$" said; done
	! grep '^link:' said || return 1
	# No decoder links expressions, encoders, or the reader of another format.
	for p in $DECODERS; do
		sed -n "/^$p: /,/^[a-z]/p" said | grep '^	' > folders
		! grep -E 'cmd/(lib/(expr|stats|summary)|trace)' folders || return 1
	done
	# A tree whose table allows less.
	mkdir -p tree/tests/make tree/cmd
	cp "$ROOT/tests/make/link.sh" tree/tests/make
	cp -R "$ROOT/common" tree
	cp -R "$ROOT/build/reads" tree
	mkdir tree/build
	mv tree/reads tree/build
	cp "$ROOT/cmd/spc-cat.c" tree/cmd
	printf '| program | lines | bytes |\n|---|---|---|\n| `spc-cat` | 1,000 | 2,000 |\n' > tree/CONTRIBUTING.md
	BIN=$ROOT/bin status_is 1 sh tree/tests/make/link.sh
	has "$output" 'link: spc-cat links [0-9]* lines, more than 1000'
	[ "$(uname -m)" != x86_64 ] || has "$output" 'link: spc-cat has [0-9]* bytes, more than 2000'
}
