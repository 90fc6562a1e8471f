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

# differ WANT GOT: shows lines that do, and counts them.
differ() {
	cmp -s "$1" "$2" && return
	diff "$1" "$2" | grep '^[<>]' > "$dir/differ" || :
	head -40 "$dir/differ"
	bad=$((bad + $(wc -l < "$dir/differ")))
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

# Starting a process takes longer than what it does here. So what is run for each field and each value is
# only what is tested, in one form after the other; what is wanted and what came is written for all of a
# file, each line with the form and the field that it is of, and held against each other at once.
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
	fields=$((fields + $(wc -l < "$dir/names")))

	# For each field its texts in the table and how often each one stands there.
	awk -F'\t' 'FNR == NR { name[++n] = $0; next }
		{ for (i = 1; i <= n; i++) count[i "\t" name[i] "\t" $i]++ }
		END { for (k in count) printf "%s\t%d\n", k, count[k] }' "$dir/names" "$dir/table" |
		sort -t '	' -k1,1n -k3 > "$dir/counts"
	for form in native text binary; do
		sed "s/^/$form	/" "$dir/counts"
	done | sort > "$dir/want"
	for form in "$file" "$dir/text" "$dir/binary"; do
		while read -r name; do
			printf '\001%s\n' "$name"
			trace-stats -g "$name" -a count "$form" || :
		done < "$dir/names"
	done | awk -v fields="$(wc -l < "$dir/names")" 'BEGIN { split("native text binary", form) }
		/^\001/ { i = n % fields + 1; f = form[(n - n % fields) / fields + 1]; n++; name = substr($0, 2); head = 1; next }
		head { head = 0; next }
		{ print f "\t" i "\t" name "\t" $0 }' | sort > "$dir/got"
	differ "$dir/want" "$dir/got"

	# Filters: the first and the last text, and those that are most and least frequent.
	awk -F'\t' 'function some(   k) {
			pick[first]; pick[last]; pick[least]; pick[most]
			for (k in pick) if (k !~ /[\\"]/ && k !~ /\t\t/) print k
			split("", pick)
		}
		$1 != column { if (NR > 1) some(); column = $1; few = many = $4; first = least = most = $2 FS $3 FS $4 }
		{ last = $2 FS $3 FS $4 }
		$4 + 0 < few + 0 { few = $4; least = last }
		$4 + 0 >= many + 0 { many = $4; most = last }
		END { some() }' "$dir/counts" > "$dir/some"
	: > "$dir/said"
	for form in "$file" "$dir/text" "$dir/binary"; do
		# A line is ended here, whether or not there is a number.
		while IFS='	' read -r name value count; do
			case $value in
			-) expr="not $name?" ;;
			0x*) expr="\"$name\" = $value" ;;
			*[!0-9.-]*) expr="\"$name\" = \"$value\"" ;;
			*) expr="\"$name\" = $value" ;;
			esac
			echo "$form: $expr: $count" >&3
			printf '%s: %s: ' "$form" "$expr"
			trace-filter -c "$expr" "$form" 2>> "$dir/said" || [ $? = 1 ] || echo "status above 1"
		done < "$dir/some"
	done > "$dir/got" 3> "$dir/want"
	values=$((values + $(wc -l < "$dir/want")))
	cmp -s "$dir/want" "$dir/got" || head -20 "$dir/said"
	differ "$dir/want" "$dir/got"
done
echo "$fields fields, $values values, $bad differ"
[ $bad = 0 ]
