/* spec_agg.c - the option -a of trace-stats: aggregates, and their columns. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/accumulator.h"

/* Percentiles are stored in units of 10^-8: p99.999999 is the finest. */
#define PERCENT 1000000
#define TOP_MOST 1000

const char *
spec_aggregate(size_t i)
{
	static const char *const percentiles[] = {"p50", "p90", "p99", NULL};

	for (const struct aggregate *a = aggregates; a->name; a++)
		if (!i--)
			return a->name;
	return i < 3 ? percentiles[i] : NULL;
}

const struct aggregate *
aggregate_named(const char *s, size_t n, uint64_t *num)
{
	const struct aggregate *a = aggregates;
	struct num v;

	*num = 50 * PERCENT; /* for median */
	for (; a->name; a++)
		if (strlen(a->name) == n && !memcmp(a->name, s, n))
			return a;
	if (n < 2 || *s != 'p' || s[1] < '0' || s[1] > '9' ||
	    !num_parse(s + 1, n - 1, NUM_BARE, &v, NULL) || v.whole > 100 ||
	    (v.whole == 100 && v.nano))
		return NULL;
	*num = v.whole * PERCENT + v.nano / 1000;
	for (a = aggregates; a->kind != AGG_PERCENTILE;)
		a++;
	return a;
}

int
spec_measure(const char *name, size_t n, bool bare)
{
	uint64_t part;
	const struct aggregate *named = aggregate_named(name, n, &part);

	if (!bare &&
	    ((n == 3 && !memcmp(name, "all", n)) || (n == 4 && !memcmp(name, "most", n))))
		return FUNC_JOINED | AGGREGATE_OF_ROWS;
	return !named || (bare && !named->bare) ? -1 : (int)named->measure;
}

/* Parses the number between comma and parenthesis: top's K, or hist's width. Dies if it is wrong. */
static uint64_t
agg_number(const char *text, const char *s, size_t n, const char *comma, enum agg_kind kind,
	   enum unit *unit)
{
	const char *why = NULL;
	struct num v;
	uint64_t num;

	if (!num_parse(comma + 1, (size_t)(s + n - 1 - comma - 1), NUM_TYPED, &v, &why))
		die("-a %s: %s", text, why);
	num = v.whole;
	*unit = v.unit;
	if (v.unit == UNIT_TIME) {
		num = v.whole * 1000000000 + v.nano;
		if (v.whole > UINT64_MAX / 1000000000 - 1)
			why = "the time is too long";
	} else if (v.nano)
		why = "a whole number is expected";
	if (v.neg || !num || (kind == AGG_TOP && num > TOP_MOST))
		why = kind == AGG_TOP ? "top takes 1 to 1000"
				      : "the width must be greater than 0";
	if (why)
		die("-a %s: %s", text, why);
	return num;
}

static bool
measures_time(const struct spec *p, const char *field)
{
	enum field_kind kind = field_column(field, strlen(field));

	for (size_t i = 0; i < p->ncomputed; i++)
		if (!strcmp(p->computed[i].name, field))
			return p->computed[i].time;
	return kind == FIELD_TIME || kind == FIELD_DUR || kind == FIELD_END ||
	       !strcmp(field, "gap") || !strcmp(field, SPEC_INSIDE);
}

bool
spec_agg_time(const struct spec *p, const struct agg *a)
{
	return a->is->measure == M_TIME || (a->is->measure == FUNC_JOINED && a->col >= 0 &&
					    measures_time(p, p->col[a->col].name));
}

/* Parses the field and the argument after the parenthesis `open`: sets a->col and a->num. Dies if they are wrong. */
static void
agg_field(struct spec *p, struct agg *a, const struct aggregate *named, const char *s,
	  size_t n, const char *open, const char *when)
{
	const char *end = s + n - 1, *comma = memchr(open, ',', (size_t)(s + n - open));
	enum unit unit = UNIT_NONE;
	struct buf name = {0};
	const char *field, *hint;

	hint = memchr(open, ')', (size_t)(end - open)) || *end != ')' || open[1] == '*'
		   ? expr_hint(a->text, SIZE_MAX, true)
		   : NULL;
	if (*end != ')' || end == open + 1 || !named->acc || hint)
		die("-a %s: %s%s%s", a->text,
		    named->acc ? "NAME(FIELD) is expected" : "the aggregate takes no field",
		    hint ? ": " : "", hint ? hint : "");
	if (comma && !named->arg)
		die("-a %s: the aggregate takes one field", a->text);
	if (comma) {
		a->num = agg_number(a->text, s, n, comma, a->is->kind, &unit);
		end = comma;
	} else if (a->is->kind == AGG_TOP)
		a->num = 10;
	if (end == open + 1)
		die("-a %s: a field is missing", a->text);
	/* An argument with the name of a column of spoor's own needs its long name. */
	if (spec_own(open + 1, (size_t)(end - open - 1)))
		buf_str(&name, "arg.");
	buf_add(&name, open + 1, (size_t)(end - open - 1));
	buf_byte(&name, '\0');
	field = (const char *)name.p;
	if (a->is->kind == AGG_HIST) {
		/* Values are counted by intervals, in a separate column. */
		struct col *col = spec_col_add(p, field);

		col->acc = ACC_NUM | ACC_HIST;
		col->when = when ? xstrdup(when) : NULL;
		col->powers = !a->num;
		col->time = measures_time(p, field);
		col->div = a->num + !a->num;
		col->div_time = unit == UNIT_TIME;
		a->col = (int)(col - p->col);
	} else
		a->col = spec_col(p, field, when, named->acc);
	buf_free(&name);
}

/* Returns the bytes of the unit that the n bytes at s tell. Dies if it is wrong. */
static uint64_t
unit_bytes(const struct aggregate *named, const char *all, const char *s, size_t n)
{
	struct num v;

	if (*s < '0' || *s > '9')
		die("-a %s: the aggregate uses addr and size, and takes only a unit: "
		    "%s(4K)",
		    all, named->name);
	if (!num_parse(s, n, NUM_TYPED, &v, NULL) || v.neg || v.nano ||
	    v.unit == UNIT_TIME || !v.whole)
		die("-a %s: the unit must be a number of bytes: 4096, 4K", all);
	return v.whole;
}

/* Returns the column of footprint(addr,size,UNIT), footprint(UNIT), sequential, or unaligned(UNIT), which is added
 * if it is new. text: for messages. */
static int
request_col(struct spec *p, const struct aggregate *named, const char *s, const char *text,
	    const char *when)
{
	static const char both[] = "addr,size";
	const char *name = named->column, *arg = strchr(s, '('), *end = s + strlen(s);
	uint64_t unit = 4096;
	struct col *col;

	if (arg && *--end != ')')
		die("-a %s: %s(...) is expected", text, named->name);
	arg = arg ? arg + 1 : end;
	if (arg < end && !named->arg)
		die("-a %s: the aggregate takes no field", text);
	if (named->acc & ACC_PAGES && (size_t)(end - arg) >= sizeof both - 1 &&
	    !memcmp(arg, both, sizeof both - 1)) {
		arg += sizeof both - 1;
		arg += *arg == ',';
	}
	if (arg < end)
		unit = unit_bytes(named, text, arg, (size_t)(end - arg));
	for (size_t i = 0; i < p->ncols; i++)
		if (!strcmp(p->col[i].name, name) && p->col[i].div == unit &&
		    same_events(p->col[i].when, when))
			return (int)i;
	col = spec_col_add(p, name);
	col->acc = named->acc;
	col->when = when ? xstrdup(when) : NULL;
	col->div = unit;
	return (int)(col - p->col);
}

/* Returns the aggregate named by the first `name` bytes of s. Dies if there is none. */
static const struct aggregate *
agg_wanted(const char *s, size_t n, size_t name, uint64_t *num)
{
	const struct aggregate *named = aggregate_named(s, name, num);
	char list[256] = "";
	const char *hint;

	if (named)
		return named;
	for (named = aggregates; named->name; named++)
		strcat(strcat(list, named->name), " ");
	hint = expr_hint(s, SIZE_MAX, true);
	die("-a %.*s: no such aggregate (%spN)%s%s", (int)n, s, list, hint ? ": " : "",
	    hint ? hint : "");
}

void
spec_agg(struct spec *p, const char *s, size_t n, const char *text, const char *when)
{
	const char *open = memchr(s, '(', n);
	struct agg a = {.col = -1};
	enum col_kind kind;
	const struct aggregate *named =
	    agg_wanted(s, n, open ? (size_t)(open - s) : n, &a.num);

	a.is = named;
	if (a.is->kind != AGG_PERCENTILE)
		a.num = 0;
	a.text = xstrdup(text);
	a.plain = xstrndup(s, n);
	if (named->column)
		a.col = request_col(p, named, a.plain, text, when);
	else if (open)
		agg_field(p, &a, named, s, n, open, when);
	else if (named->kind == AGG_SPAN) {
		a.col = spec_col(p, "time", NULL, ACC_NUM);
		spec_col(p, "end", NULL, ACC_NUM);
	} else if (named->of == KEPT_DEPTH) {
		/* The events of a group are swept over all its windows. */
		a.col = spec_col(p, "dur", NULL, ACC_DEPTH);
		p->depths = p->chains = true;
	} else if (p->spread && named->shared && named->bare)
		a.col = spec_col(p, ".event", when, ACC_NUM);
	else if (!named->bare)
		die("-a %.*s: a field is missing: %.*s(FIELD)", (int)n, s, (int)n, s);
	kind = a.col >= 0 ? p->col[a.col].kind : COL_GAP;
	if (p->spread &&
	    (!named->shared ||
	     (kind != COL_EVENT && (kind != COL_FIELD || named->kind == AGG_COUNT))))
		die("-a %s: --spread divides only count, and sum, rate and share of a "
		    "field",
		    text);
	if (a.is->kind == AGG_TOP && a.num > p->top)
		p->top = (unsigned)a.num;
	p->rates |= a.is->kind == AGG_RATE;
	if (a.is->kind == AGG_MODE && !p->top)
		p->top = 1;
	p->ordered |= a.is->kind == AGG_MODE || a.is->kind == AGG_TOP || p->depths;
	*PUSH(p->agg, p->naggs, p->agg_cap) = a;
}
