#!/usr/bin/env bats
# charisma-report.bats - what each section of the report says of its limits.
load ../helpers

setup() {
	enter
}

# stream FORMAT LOC < LINES: a text stream with a header.
stream() {
	printf '##spoor\t1\n##format\t%s\n##clock\ts\torigin=0\n##loc\t%s\n' "$1" "$2"
	awk '{ print } END { printf "##end\tevents=%d\n", NR }'
}

@test "an estimate says in its section, in every form of the report, that it is one" {
	awk 'BEGIN { for (i = 0; i < 3000; i++) { t += i * 7919; printf "%d.%09d\t1\tread\t%d\t%d\t-\tfile=1\n", t / 1000000, t % 1000000 * 1000, i, i * 1000 } }' |
		stream charisma client > t
	trace-stats --tsv t > r
	grep -Fxq 'request	(limit)	sizes	1.15 %' r
	grep -Fxq 'request	(limit)	requests	-' r
	for s in size gap; do for p in p50 p90 p99; do grep -Fxq "$s	(limit)	$p	0.39 %" r; done; done
	grep -Fxq 'ties	(limit)	positive	0.39 %' r
	trace-stats t | grep -q '^(limit) .* 1.15 %$'
	trace-stats -J t | grep -q '"(limit)".*"sizes": "1.15 %"'
	trace-stats -p t | trace-stats -m --tsv | same r -
	awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%d.0\t1\tR\t%d\t512\t-\t-\n", i, i * 1024 * 1024 }' | stream spc asu > t
	trace-stats --tsv t > r
	grep -Fxq 'block	(limit)	footprint	3 %' r
	# Without a limit there is no such row.
	sed '1,4d' t | head -300 | stream spc asu > less
	[ "$(trace-stats --tsv less | grep -c '(limit)')" = 0 ]
}

@test "a section whose groups are too many says in each row what the row may miss" {
	awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%d.0\t%d\tR\t%d\t512\t-\t-\n", i, i % 20000, i }' | stream spc asu > t
	trace-stats --tsv t > r
	missed=$(sed -n 's/^trace	missed	value	//p' r)
	[ "$missed" -gt 0 ]
	for s in location block; do
		[ "$(awk -F'\t' -v s=$s '$1 == s && $3 == "missed" && $2 !~ /^(\(|all)/ { print $4 }' r | sort -u)" = "$missed" ]
	done
	trace-stats t > people
	grep -q '^The 10 busiest of more than [0-9]* locations$' people
	grep -q '^(32 of more than [0-9]* rows)$' people
	# Sections without a limit have no such column.
	[ "$(awk -F'\t' '$1 == "event" && $3 == "missed"' r | wc -l)" = 0 ]
	awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%d.0\t1\te%d\t-\t512\t0.5\t-\n", i, i % 2 ? i % 40 : i }' | stream spc asu > t
	trace-stats --tsv t > r
	for s in event size dur gap ties; do
		[ "$(awk -F'\t' -v s=$s '$1 == s && $3 == "missed" && $4 > 0' r | wc -l)" -gt 10 ]
	done
	awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' people
}
