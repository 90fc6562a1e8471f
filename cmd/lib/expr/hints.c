/*
 * hints.c - hints for people who write expressions as in another language.
 *
 * An expression with an error gets the hint of the first row that matches at the place of the error. The rows from
 * QUIET on also apply to a valid expression that no event passed.
 */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "expr/expr_tree.h"

/* Bytes of an expression that are searched before and after the place. */
#define WINDOW 100

#define WORD "[^ ()<>=!~&|,{}\"]+"
#define UNITS "(ns|us|ms|s|m|h|B|[kKMGT]|[kKMGT]i?B)"
#define FUNCTIONS \
	"(abs|base|bit|coalesce|date|floor|hash|if|len|log2|lower|max|min|part|sub|total)"
#define AGGREGATES "(sum|mean|avg|min|max|median|sd|var|mode|distinct|p[0-9.]+)"

static const struct hint {
	const char *ere, *say;
} hints[] = {
    {"=~", "the operator is ~"},
    {"<>", "not equal is !="},
    {"=>", "at least is >="},
    {"=<", "at most is <="},
    {"[-+*/]=", "there is no assignment"},
    {" in +[[(]", "a set has braces: in {a, b..c}"},
    {" in +" WORD "\\.\\.", "a range has braces: in {a..b}"},
    {" (not +)?between ", "a range is in {a..b}"},
    {" is +not +(null|NULL|None|none|absent)", "write FIELD? for what is there"},
    {" is +(null|NULL|None|none|absent)", "write not FIELD? for what is absent"},
    {" is ", "equal is =, and not equal is !="},
    {" (i?like|LIKE|contains|has|startswith|endswith|starts|ends|regexp?|matches) ",
     "~ matches a regular expression, anywhere in the text"},
    {"(contains|startswith|endswith|regexp?|match|matches|like|strstr|index) *\\(",
     "FIELD ~ \"text\" is true where the text is in it"},
    {"(^|[ )])(AND|OR|NOT|IN)( |$|\\()", "and, or, not and in have small letters"},
    {" (xor|XOR) ", "either of two is (A) != (B)"},
    {"[0-9] +" UNITS "( |$|[,)}])", "no blank stands before a unit: 4K, 1ms"},
    {"[0-9],[0-9][0-9][0-9]", "numbers have no commas: 4096"},
    {FUNCTIONS " +\\(", "no blank stands before the parenthesis of a call"},
    {"(length|strlen|size|char_length) *\\(", "the length of a text is len(x)"},
    {"(substr|substring|mid|left|right|split|split_part|extract) *\\(",
     "part(text, separator, number), base(path) and sub(text, expression, new) take texts "
     "apart"},
    {"(upper|ucase|toupper|tolower|lcase) *\\(", "lower(text) makes small letters"},
    {"(round|ceil|ceiling|int|trunc) *\\(",
     "floor(x) and x // y round down: floor(x + 0.5)"},
    {"(sqrt|pow|power|exp|ln|log|log10) *\\(",
     "the functions of numbers are abs, floor, log2, max, min"},
    {"(concat|format|printf) *\\(", "-F writes several values side by side"},
    {"(hour|minute|second|day|weekday|month|year|strftime|date_trunc|time_bucket) *\\(",
     "date(time) is a text, and time // 1h counts hours"},
    {"(isnull|is_null|ifnull|nvl|isnan) *\\(",
     "FIELD? says whether it is there, coalesce(x, y) is the first that is"},
    {"(case|CASE) +(when|WHEN)", "write if(test, x, y)"},
    {" \\? .* : ", "write if(test, x, y)"},
    {" (\\*\\*|\\^) ", "there are no powers: x * x"},
    {"&[^&]* =",
     "x & 1 is a test by itself: they have a bit in common; bit(x, 1) is a number"},
    {"[<>]=? *" WORD " *[<>]=?", "a chain has and: a < x and x < b, or x in {a..b}"},
    {WORD "[.](gt|lt|eq|ge|le) *\\(", "x > 5 compares"},
    /* Aggregates. */
    {"count *\\( *\\* *\\)", "count stands alone: it counts events"},
    {"count *\\(? *distinct|(nunique|count_distinct|approx_count_distinct) *\\(",
     "distinct(x) counts different values"},
    {"(percentile|quantile|percentile_cont|quantile_cont|approx_quantile|pct) *\\(",
     "write p95(x), p99.9(x), p50(x)"},
    {"(count_?if|sum_?if|avg_?if) *\\(",
     "sum(test) counts, and sum(if(test, x, 0)) adds up"},
    {"(first_value|any_value|arg_min|arg_max) *\\(", "first(x) and last(x) are by time"},
    {"(stdev|stddev_samp|stddev_pop|variance) *\\(", "write sd(x), var(x)"},
    {" as +" WORD, "the name stands in front: NAME = ..."},
    {" over *\\(", "all(x) is the sum over all rows, most(x) the greatest"},
    {" where ", "-e EXPR chooses events"},
    {" (group|order) +by |^ *group +by ", "-g KEYS groups, -S COLUMN orders"},
    {"^ *" AGGREGATES " +" WORD, "the field has parentheses: sum(size)"},
    {"(\\)|count|[0-9])[-+*/%][-+*/(a-z0-9]",
     "blanks around an operator make it arithmetic"},
#define QUIET "~ */[^/]*/ *$"
    {QUIET, "slashes are a part of the expression: write ~ \"...\""},
    {"=+ *\"?[^ \"]*[*?]",
     "= compares with the text as it stands; ~ matches a regular expression"},
    {"[=!]= *(null|NULL|None|nil)( |$)|= *(null|NULL|None|nil)( |$)",
     "write not FIELD? for what is absent"},
    {"(^|[ (])\\$[0-9]", "columns have names: FIELD > 5"},
    {"(^|[ (])(true|false|TRUE|FALSE)( |$|\\))",
     "a test is true or false by itself; event? is always true"},
};

const char *
expr_hint(const char *text, size_t at, bool error)
{
	char window[2 * WINDOW + 1];
	size_t from = at != SIZE_MAX && at > WINDOW ? at - WINDOW : 0;
	bool quiet = false;

	/* The automaton of the C library grows with the text, so only the text around the place is searched. */
	snprintf(window, sizeof window, "%s", text + from);
	text = window;
	at = at == SIZE_MAX ? at : at - from;
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
		regmatch_t m = {0};
		regex_t re;
		bool found = false;

		quiet |= !strcmp(hints[i].ere, QUIET);
		if (!error && !quiet)
			continue;
		if (regcomp(&re, hints[i].ere, REG_EXTENDED))
			continue;
		/* A row may match before the place of the error, and again at it. */
		for (from = 0;
		     !found && !regexec(&re, text + from, 1, &m, from ? REG_NOTBOL : 0);
		     from += (size_t)m.rm_so + 1) {
			found = at == SIZE_MAX || (from + (size_t)m.rm_so <= at + 1 &&
						   at <= from + (size_t)m.rm_eo + 1);
			if (!text[from + (size_t)m.rm_so])
				break;
		}
		regfree(&re);
		if (found)
			return hints[i].say;
	}
	return NULL;
}
