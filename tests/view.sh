#!/bin/sh
# view.sh FILE... - a field means the same to every program and in every form of the same events.
#
# For each file and each name that its events, its parts of loc and its metadata know: -F gives a table,
# the same of native records, text and binary; a group key gives the texts of that table and how often
# each one stands in it; and a filter that asks for a text takes as many events. Says what disagrees;
# ends with how many fields and values were held against each other. Needs bin/ in PATH.
set -eu
export LC_ALL=C
dir=$(mktemp -d)
# shellcheck disable=SC2064  # now is meant
trap "rm -rf '$dir'" EXIT
bad=0 fields=0 values=0
wrong() {
	echo "$*"
	bad=$((bad + 1))
}

# names FORM: of a text stream with a header.
names() {
	printf '%s\n' time loc event addr size dur end loc1 loc2
	awk -F'\t' '/^##loc/ { n = split($2, a, "/"); for (i = 1; i <= n; i++) print a[i] }
		/^##meta/ && /:/ { sub(/=.*/, "", $2); sub(/.*:/, "", $2); print $2 }
		/^#/ { next }
		NF > 6 { for (i = 7; i <= NF; i++) { sub(/=.*/, "", $i); print $i } print "arg." $7 }' "$1" |
		awk '!seen[$0]++ && !/[^A-Za-z0-9._-]/'
}

for file; do
	trace-filter -t -H '*' "$file" > "$dir/text"
	trace-filter -b '*' "$file" > "$dir/binary"
	names "$dir/text" > "$dir/names"
	list=$(paste -sd, "$dir/names")
	for form in "$file" "$dir/text" "$dir/binary"; do
		trace-filter -F "$list" '*' "$form" > "$dir/got"
		[ "$form" != "$file" ] || mv "$dir/got" "$dir/table"
		[ "$form" = "$file" ] || cmp -s "$dir/got" "$dir/table" || wrong "$form: -F $list"
	done
	column=0
	while read -r name; do
		column=$((column + 1)) fields=$((fields + 1))
		cut -f$column "$dir/table" | sort | uniq -c | awk '{ print $2 "\t" $1 }' > "$dir/counts"
		# The first and the last text, and those that are most and least frequent.
		{ sed -n '1p;$p' "$dir/counts"; sort -k2n "$dir/counts" | sed -n '1p;$p'; } | sort -u |
			awk '!/[\\"]/ && !/^\t/' > "$dir/some"
		for form in "$file" "$dir/text" "$dir/binary"; do
			trace-stats -g "$name" -a count "$form" | sed 1d | sort > "$dir/groups"
			cmp -s "$dir/counts" "$dir/groups" || wrong "$form: -g $name"
			while read -r value count; do
				values=$((values + 1))
				case $value in
				-) set -- "not $name?" ;;
				0x*) set -- "\"$name\" = $value" ;;
				*[!0-9.-]*) set -- "\"$name\" = \"$value\"" ;;
				*) set -- "\"$name\" = $value" ;;
				esac
				[ "$(trace-filter -c "$1" "$form" 2> "$dir/said")" = "$count" ] || wrong "$form: $1, not $count: $(head -1 "$dir/said")"
			done < "$dir/some"
		done
	done < "$dir/names"
done
echo "$fields fields, $values values, $bad differ"
[ $bad = 0 ]
