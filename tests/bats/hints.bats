#!/usr/bin/env bats
# hints.bats - what people write who know another language: the message says what they mean.

load ../helpers

# says PROGRAM TEXT STATUS WORDS: with the expression, or -a TEXT of trace-stats.
says() {
	case $1 in
	trace-stats) status_is "$3" trace-stats -a "$2" "$FIX/spc/Financial1-head.spc" ;;
	*) status_is "$3" "$1" -c "$2" "$FIX/spc/Financial1-head.spc" ;;
	esac
	[[ "$stderr" = *"$4"* ]] || { echo "$2: $stderr, not: $4"; return 1; }
}

@test "an error in an expression says what is meant, where that is known" {
	while IFS='|' read -r text words; do
		says trace-filter "$text" 2 "$words"
	done <<'END'
loc =~ /x/|the operator is ~
size <> 512|not equal is !=
size => 512|at least is >=
size =< 512|at most is <=
size += 1|there is no assignment
event in (R, W)|a set has braces
size in 512..8192|a range has braces
size between 1K and 8K|a range is in {a..b}
dur is null|not FIELD?
dur is not null|write FIELD? for
event is R|equal is =
event like "R%"|matches a regular expression
event contains R|matches a regular expression
contains(event, "R")|FIELD ~ "text"
size > 1K AND size < 8K|small letters
NOT W|small letters
size > 4 K|no blank stands before a unit
dur > 1 ms|no blank stands before a unit
size > 4,096|no commas
len (event) > 1|no blank stands before the parenthesis
if (R, 1, 0)|no blank stands before the parenthesis
length(event) > 1|len(x)
substr(event, 1, 2) = "a"|part(text, separator, number)
upper(event) = "R"|lower(text)
round(size / 2) > 1|floor(x + 0.5)
sqrt(size) > 1|abs, floor, log2
hour(time) > 5|time // 1h
isnull(dur)|coalesce(x, y)
size * 2 > 1K ? 1 : 0|if(test, x, y)
size ** 2 > 1|there are no powers
asu & 1 = 1|x & 1 is a test by itself
512 < size < 8192|a chain has and
size.gt(5)|x > 5 compares
END
	# Where nothing is known, nothing is said: the message ends with the error.
	for text in 'size > > 5' '(size > 5' 'size > 10 lt'; do
		status_is 2 trace-filter "$text" /dev/null
		[[ "$(head -1 <<<"$stderr")" =~ (expected|closed)$ ]]
	done
}

@test "an expression that no event passed says what may have been meant" {
	while IFS='|' read -r text status words; do
		says trace-filter "$text" "$status" "$words"
	done <<'END'
loc ~ /n1/|1|slashes are a part
event = R*|1|compares with the text as it stands
dur == null|2|not FIELD?
true|1|true or false by itself
asu = 5kb|1|no such unit
asu = size|1|for the field of that name, write (size)
END
	# Where some event passes, none of it.
	for text in 'event = R* or R' 'asu = size or R'; do
		status_is 0 trace-filter -c "$text" "$FIX/spc/Financial1-head.spc"
		[ -z "$stderr" ]
	done
}

@test "an aggregate that is none says what is meant" {
	while IFS='|' read -r text words; do
		says trace-stats "$text" 2 "$words"
	done <<'END'
count(*)|count stands alone
count distinct size|distinct(x)
count(distinct size)|distinct(x)
nunique(size)|distinct(x)
percentile(size,95)|p95(x)
quantile(size, 0.95)|p95(x)
count_if(R)|sum(test) counts
sum(size)/1e6|blanks around an operator
sum(size)/sum(dur)|blanks around an operator
count/2|blanks around an operator
max(size)-min(size)|blanks around an operator
sum(size) as b|the name stands in front
sum(size) over ()|all(x)
sum(size) where R|-e EXPR
sum size|the field has parentheses
group by asu|-g KEYS
mean(size = 512)|write == for a test
sum(size=512)|write == for a test
END
}

@test "the expression and the definitions come first" {
	cp "$FIX/spc/Financial1-head.spc" a.spc
	status_is 2 trace-filter a.spc R
	has "$stderr" 'a.spc is a file, and R is none: the expression comes first'
	status_is 2 trace-filter a.spc
	has "$stderr" 'the expression comes first'
	status_is 2 trace-derive a.spc x=1
	has "$stderr" 'x=1: definitions come first, and then the files'
}

@test "a size that ends in B is in bytes" {
	cp "$FIX/spc/Financial1-head.spc" a.spc
	trace-reuse --at 1GB,64KiB,4096B --no-header a.spc | cut -f 1 | same <(printf '1\n16\n244140\n') -
	trace-reuse --at 1,16,244140 a.spc | same - <(trace-reuse --at 4096B,64KiB,1GB a.spc)
	status_is 2 trace-reuse -K addr --at 1GB a.spc
	has "$stderr" 'a number of keys'
	trace-reuse -K addr --at 1K a.spc > got
}

@test "an option that another program has says how it is called here" {
	while read -r option words; do
		status_is 2 trace-stats "$option" "$FIX/spc/Financial1-head.spc"
		[[ "$stderr" = *"unknown option $option: $words "* ]] || { echo "$option: $stderr"; return 1; }
	done <<'END'
--limit write --head
--where=R write --expr
--group-by write --group
--select write --aggregates
--order-by write --sort
--jobs write --threads
-5 write -- before an expression that begins with -
END
	# No program has an option that it names in vain.
	status_is 2 trace-derive --limit R
	[[ "$stderr" = 'trace-derive: unknown option --limit (try trace-derive --help)' ]]
	status_is 2 trace-stats --nosuch x
	[[ "$stderr" = 'trace-stats: unknown option --nosuch (try trace-stats --help)' ]]
	status_is 2 trace-stats -a count -g asu -S 'count desc' "$FIX/spc/Financial1-head.spc"
	has "$stderr" ': -COLUMN is the greatest first'
}
