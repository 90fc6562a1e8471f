#!/usr/bin/env bats
# plot-outliers.bats - pictures of traces of which a few events are far away in time: they are named, not drawn.

load ../helpers

MARK='class="w p9" d="M[0-9.]* [0-9.]*L[0-9.]* [0-9.]*"/>'
AXES='rate heat timeline addr' # the kinds with an axis of time

# events N STEP: N reads of 4 KiB, one each STEP s from 0 on, as a text stream.
events() { awk -v n="$1" -v step="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%.3f\td%d\tR\t%d\t4096\t-\n", i * step, i % 3, i % 7 * 4096 }'; }
# event SECONDS: one more.
event() { printf '%s.000000000\td0\tR\t4096\t4096\t-\n' "$1"; }
DAYS=8640000000 # 100,000 days in seconds

# headed [CLOCK [ORIGIN]]: the stream with a head, which says what times and addresses count: requests of SPC.
headed() {
	printf '##spoor\t1\n##format\tspc\n##clock\t%s\torigin=%s\n' "${1:-s}" "${2:-0}"
	awk '{ print } END { print "##end\tevents=" NR }'
}

# plain FILE: a picture without what tells of the events that are not drawn.
plain() { grep -v -e 'not shown' -e "$MARK" "$1"; }

@test "1,000 events in 29 s and one after 100,000 days: the picture is that of the 1,000" {
	mkdir far near
	events 1000 0.029 | headed > near/t
	{ events 1000 0.029; event $DAYS; } | headed > far/t
	for k in $AXES; do
		status_is 0 trace-plot "$k" -o far.svg far/t
		has "$stderr" '^trace-plot: 1 request at \+100,000 d is not shown, nor counted \(--all\)$'
		grep -q '>1 request at +100,000 d is not shown, nor counted (--all)</text>' far.svg
		[ "$(grep -c "$MARK" far.svg)" = 2 ]
		status_is 0 trace-plot "$k" -o near.svg near/t
		[ -z "$stderr" ]
		plain far.svg > got
		same near.svg got
		grep -q '<desc.*· 1,000 requests · 28.97 s' near.svg
		# The terminal's picture has the same line.
		trace-plot "$k" --terminal near/t > near.txt
		{ cat near.txt; echo '1 request at +100,000 d is not shown, nor counted (--all)'; } > want
		trace-plot "$k" --terminal far/t 2>/dev/null | same want -
	done
}

@test "--all draws all; tables hold all" {
	{ events 1000 0.029; event $DAYS; } | headed > t
	for k in $AXES; do
		status_is 0 trace-plot "$k" --all t
		[ -z "$stderr" ]
		[[ $output == *'· 1,001 requests · 100,000 d'* && $output != *'not shown'* ]]
		[ "$(grep -c "$MARK" <<< "$output")" = 0 ]
		has "$output" '>40,000 d</text>'
		trace-plot "$k" --bins t 2>/dev/null > bins
		[ "$(awk -F '\t' 'NR > 1 { last = $2 } END { print (last > 8600000000) }' bins)" = 1 ]
	done
	trace-plot rate --bins t 2>/dev/null | awk -F '\t' 'NR > 1 { n += $4; b += $5 } END { printf "%d %.0f\n", n, b }' > got
	echo "1001 $((1001 * 4096))" | same got -
	status_is 0 trace-plot hist --all t
	[[ $output == *'· 1,001 requests ·'* ]]
}

@test "ticks are where their times are" {
	{ events 1000 0.029; event $DAYS; } | headed > t
	# The frame reaches from 92 to 850; the last event of the part is at 28.971 s.
	ticks() { # UNIT LAST
		sed -n "s|^<text x=\"\([0-9.]*\)\" y=\"[0-9.]*\" class=\"t n\" text-anchor=\"middle\">\([0-9,]*\) $1</text>|\1 \2|p" svg |
			awk -v last="$2" '{ gsub(",", "", $2); x = 92 + 758 * $2 / last; if (x - $1 > 0.02 || $1 - x > 0.02) print } END { if (NR < 4) print "few:", NR }'
	}
	trace-plot rate t > svg 2>/dev/null
	ticks s 28.971 | same /dev/null -
	trace-plot rate --all t | grep -v '>100,000 d<' > svg # the last one makes room for itself
	ticks d 100000 | same /dev/null -
}

@test "events on both sides, and several of them" {
	{ event -4320000; events 1000 0.029; event $DAYS; } > two
	status_is 0 trace-plot rate two
	has "$stderr" ': 1 event at −50 d and 1 event at \+100,000 d are not shown, nor counted \(--all\)$'
	[[ $output == *'· 1,000 events · 28.97 s'* ]]
	[ "$(grep -c "$MARK" <<< "$output")" = 4 ]
	{ event -4320000; events 1000 0.029; event $((DAYS - 864000000)); event $((DAYS - 864)); event $DAYS; } > many
	status_is 0 trace-plot rate many
	has "$stderr" ': 1 event at −50 d and 3 events from \+90,000 d to \+100,000 d are not shown'
	# At one time.
	{ events 1000 0.029; for i in 1 2 3; do event 7000; done; } > same
	status_is 0 trace-plot rate same
	has "$stderr" ': 3 events at \+7,000 s are not shown'
	# By the clock.
	headed s 1700000000 < same > dated
	status_is 0 trace-plot rate -A dated
	has "$stderr" ': 3 requests at 2023-11-15 00:10:00 are not shown'
	# By ticks.
	awk 'BEGIN { for (i = 0; i < 1000; i++) print i "\t-\tR\t-\t-\t-"; print 90000000 "\t-\tR\t-\t-\t-" }' | headed ticks > ticks
	status_is 0 trace-plot rate ticks
	has "$stderr" ': 1 request at 90,000,000 is not shown'
}

@test "the rule: 99 % of all events in half a percent of the time, and of what lasts" {
	far() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%.9f\td\tR\t-\t-\t-\n", 3000 + i * 100 }'; }
	{ events 990 0.01; far 10; } > t
	status_is 0 trace-plot rate t
	has "$stderr" ': 10 events from \+3,000 s to \+3,900 s are not shown'
	{ events 989 0.01; far 11; } > t
	status_is 0 trace-plot rate t
	[ -z "$stderr" ]
	[[ $output == *'· 1,000 events ·'* ]]
	# 29 s are more than a 200th of 5,000 s, and less than one of 7,000 s: only then they would be too narrow.
	{ events 1000 0.029; event 5000; } > t
	status_is 0 trace-plot rate t
	has "$stderr" 'over 99 % of all lies in 5 % of the time: --to '
	[[ $output == *'· 1,001 events ·'* ]]
	{ events 1000 0.029; event 7000; } > t
	status_is 0 trace-plot rate t
	[[ $output == *'· 1,000 events ·'* ]]
	# A state that comes late, and lasts as long as others, is what one looks for.
	awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%d.0\t%d\twait\t-\t-\t40.0\n", i == 519 ? 900 : 50, i }' > t
	status_is 0 trace-plot timeline t
	[[ $output == *'· 1,000 events ·'* ]]
}

@test "events that are not drawn have no say" {
	# 5,000 events without a duration in 1 s, and 50 with one over 5,000 s: all 50 are drawn.
	{
		awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%.6f\td\tR\t-\t-\t-\n", i / 5000 }'
		awk 'BEGIN { for (i = 0; i < 50; i++) printf "%d.000000000\td\tR\t-\t-\t0.001\n", i * 100 }'
	} > t
	for k in 'heat -y dur' timeline; do
		# shellcheck disable=SC2086
		status_is 0 trace-plot $k t
		[[ $output == *'· 50 events ·'* && $stderr != *'not shown'* ]]
		has "$stderr" ': over 99 % of all lies in 5 % of the time: --to '
	done
}

@test "a pipe cannot be read again: the line tells the options" {
	{ events 1000 0.029; event $DAYS; } | headed > t
	for k in $AXES; do
		trace-plot "$k" - < t > got 2> err
		has "$(<err)" '^trace-plot: over 99 % of all lies in 5 % of the time: --to [0-9.]* shows it$'
		grep -q '· 1,001 requests · 100,000 d' <(sed 's/<desc id="d">/&· /' got)
		# These options draw the part.
		to=$(sed 's/.* --to \([0-9.]*\) .*/\1/' err)
		trace-plot "$k" --to "$to" t > want 2>/dev/null
		trace-plot "$k" t 2>/dev/null > svg
		plain svg | same want -
	done
}

@test "partials hold all, and merged ones tell the options" {
	{ events 1000 0.029; event $DAYS; } | headed > t
	for k in $AXES; do
		trace-plot "$k" -p t > part 2> err
		[ ! -s err ]
		trace-plot "$k" -m part > got 2> err
		has "$(<err)" 'over 99 % of all lies in 5 % of the time'
		trace-plot "$k" --all t > all
		plain all | sed 's|over 99 .* shows it||' > want
		grep -v 'over 99 %' got | same want -
	done
}

@test "threads, filters, several inputs, states in any order: the same picture" {
	mkdir far near
	events 40000 0.001 > near/t
	{ cat near/t; event $DAYS; } > far/t
	trace-plot rate -j 1 far/t > want 2>/dev/null
	trace-plot rate -j 2 far/t 2>/dev/null | same want -
	trace-plot rate -e 'loc = "d0"' far/t > far.svg 2>/dev/null
	plain far.svg > got
	trace-plot rate -e 'loc = "d0"' near/t | same got -
	event $DAYS > far/u
	trace-plot rate far/u near/t 2>/dev/null > got
	has "$(<got)" '<desc id="d">t and 1 more · 40,000 events · 40 s'
	# Each state of 1 ms begins at a number of 1 to 1009 by a permutation.
	awk 'BEGIN { for (i = 1; i < 1009; i++) printf "%.3f\td\ts%d\t-\t-\t0.0005\n", i * 11 % 1009 / 1000, i % 2 }' > near/s
	{ cat near/s; printf '%d.0\td\ts0\t-\t-\t0.004\n' $DAYS; } > far/s
	status_is 0 trace-plot timeline -o far.svg far/s
	has "$stderr" '^trace-plot: 1 event at \+100,000 d is not shown, nor counted \(--all\)$'
	plain far.svg > got
	trace-plot timeline near/s | same got -
}

@test "a damaged trace: each message once, and status 2" {
	{ events 1000 0.029; echo 'x y z'; event $DAYS; } > t
	status_is 2 trace-plot rate t
	[ "$(wc -l <<< "$stderr")" = "$(sort -u <<< "$stderr" | wc -l)" ]
	has "$stderr" '1 event at \+100,000 d is not shown'
	[[ $output == *'· 1,000 events · 28.97 s'* ]]
}

@test "CHARISMA of a CM-5 with broken times" {
	need_traces charisma
	f=$TRACES/charisma/cm5.chr
	charisma-dump --preset cm5 "$f" 2>/dev/null | awk -F '\t' '$1 < 0 { a++ } $1 >= 0 && $1 < 1000 { n++ } $1 > 1e9 { b++ } END { print a, n, b }' > got
	echo 16 12226 15 | same got -
	status_is 0 trace-plot rate "$f"
	has "$stderr" ': 16 requests at −954,722 s and 15 requests at \+106,752 d are not shown'
	has "$output" '<desc id="d">cm5.chr · 12,226 requests · 29.36 s'
}
