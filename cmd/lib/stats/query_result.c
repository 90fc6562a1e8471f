/* query_result.c - the tables of one run: see query_result.h. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/accumulator.h"
#include "view/traits.h"

/* -a and -w of the tables of a report that belong to no question. */
static const struct {
	const char *aggs, *window;
} report_of[REPORTS] = {
    [REPORT_ALL] = {"count,p50(gap)", NULL},
    [REPORT_RATE] = {"count,sum(size)", "1s"},
};

/* Returns the limit of groups in a report's table, so that a report stays within 64 MiB whatever the input: groups
 * take up to 90 KiB with distributions, else some 300 bytes; seconds take 70. Arrays double, so a batch is
 * subtracted to stay within a power of two. */
static uint32_t
groups_most(const struct spec *p)
{
	unsigned acc = 0;

	for (size_t i = 0; i < p->ncols; i++)
		acc |= p->col[i].acc;
	if (p->pane)
		return 65536 - BATCH;
	/* Groups that a hidden key keeps apart have small sets of values. */
	if (p->nhidden)
		return 32768 - BATCH;
	if (acc & ACC_HIST || accumulators_taking(acc))
		return 384;
	return 16384 - BATCH;
}

/* Returns true if an expression uses previous events. */
static bool
looks_back(const char *text)
{
	struct exprs *l = exprs_parse(text, PARSE_GAP, NULL);
	bool yes = exprs_in_order(l);

	exprs_free(l);
	return yes;
}

/* Returns the key of prev: -k, or those keys of -g that do not use previous events. NULL: one key for all events. */
static struct exprs *
key_of_prev(const struct query_result *a)
{
	const struct spec *p = &a->spec[0];
	struct exprs *l = NULL;
	struct buf b = {0};

	if (a->q.before)
		return exprs_key_parse(a->q.before);
	for (size_t i = 0; i < p->nkeys - p->nhidden; i++) {
		const char *text = spec_text(p, p->key[i]);

		if (!strcmp(text, SPEC_INPUT) || looks_back(text))
			continue;
		if (b.n)
			buf_byte(&b, ',');
		buf_add(&b, text, strlen(text));
	}
	buf_byte(&b, '\0');
	if (b.n > 1)
		l = exprs_parse((const char *)b.p, 0, NULL);
	buf_free(&b);
	return l;
}

/* Returns true if a column adds or sorts values of the i-th computed field. */
static bool
is_added(const struct spec *p, size_t i)
{
	for (size_t c = 0; c < p->ncols; c++)
		if (!strcmp(p->col[c].name, p->computed[i].name) &&
		    p->col[c].acc != accumulators_taking(p->col[c].acc))
			return true;
	return false;
}

/* Parses the expressions of the computed fields of a table. */
static void
open_computed(struct query_result *a, size_t table)
{
	struct spec *p = &a->spec[table];
	const struct expr_tree *t;
	struct buf b = {0};

	for (size_t i = 0; i < p->ncomputed; i++) {
		if (i)
			buf_byte(&b, ',');
		buf_add(&b, p->computed[i].text, strlen(p->computed[i].text));
	}
	buf_byte(&b, '\0');
	a->computed[table] = exprs_parse((const char *)b.p, PARSE_GAP, NULL);
	t = exprs_tree(a->computed[table]);
	for (size_t i = 0; i < p->ncomputed; i++)
		p->times |= t->nodes[t->lets[i].root].measure == M_TIME && is_added(p, i);
	if (exprs_in_order(a->computed[table]))
		exprs_key(a->computed[table], key_of_prev(a));
	buf_free(&b);
}

void
result_table(struct query_result *a, size_t i)
{
	struct spec *p = &a->spec[i];

	if (a->st[i].spec)
		return;
	if (!a->q.report)
		spec_parse(p, a->q.keys, a->q.aggs, a->q.window, a->q.spread, a->q.bits);
	else if (a->question[i])
		query_spec(a->question[i], p, a->q.bits);
	else
		spec_parse(p, NULL, report_of[i].aggs, report_of[i].window, false,
			   a->q.bits);
	p->groups_most = a->q.report ? groups_most(p) : 0;
	p->span |= a->q.report && i == REPORT_ALL;
	if (a->q.from)
		spec_from(p, a->q.from);
	p->empty = a->q.empty && !a->q.report;
	stats_open(&a->st[i], p);
	if (p->ncomputed)
		open_computed(a, i);
}

/* Begins an answer to q, with no table open. */
static void
begin(struct query_result *a, const struct query *q)
{
	size_t n;
	const struct format_query *x = queries(&n), *end = x + n;

	*a = (struct query_result){.q = *q, .ntables = q->report ? REPORTS : 1};
	for (bool more = false; q->report && x < end; more = query_more(x++))
		if (!more)
			a->question[a->ntables++] = x;
}

void
result_open(struct query_result *a, const struct query *q)
{
	begin(a, q);
	/* Other tables are opened by inputs of their formats. */
	for (size_t i = 0; i < a->ntables; i++)
		if (!a->question[i] || !a->question[i]->format)
			result_table(a, i);
}

void
result_free(void *answer)
{
	struct query_result *a = answer;

	for (size_t i = 0; i < sizeof a->own / sizeof *a->own; i++)
		free(a->own[i]);
	for (size_t i = 0; i < a->ntables; i++) {
		if (!a->st[i].spec)
			continue;
		stats_free(&a->st[i]);
		spec_free(&a->spec[i]);
		exprs_free(a->computed[i]);
	}
	strtab_free(&a->trouble);
	strtab_free(&a->asked);
	strtab_free(&a->had);
}

/* Returns the columns that table i needs. */
static unsigned
table_need(const struct query_result *a, size_t i)
{
	return spec_need(&a->spec[i]) | (a->computed[i] ? exprs_need(a->computed[i]) : 0);
}

unsigned
result_need(const struct query_result *a)
{
	unsigned need = 0;

	for (size_t i = 0; i < a->ntables; i++)
		if (a->st[i].spec)
			need |= table_need(a, i);
	return need;
}

/* Returns true if a table does not count events of a format. */
static bool
idle(const struct query_result *a, size_t table, const char *format)
{
	const struct format_query *x = a->question[table];
	bool wanted = !x;

	if (x)
		do
			wanted = query_takes(x, format);
		while (!wanted && query_more(x) && x++);
	return !wanted;
}

/* By table, the columns that its questions need. */
static unsigned needs[TABLES_MOST];

static void
learn_needs(void)
{
	struct query_result a;

	begin(&a, &(struct query){.report = true, .bits = SPEC_BITS});
	for (size_t i = REPORTS; i < a.ntables; i++) {
		result_table(&a, i);
		needs[i] = table_need(&a, i);
	}
	result_free(&a);
}

unsigned
queries_need(const struct source *s)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	unsigned need = 0;
	struct query_result a;

	pthread_once(&once, learn_needs);
	begin(&a, &(struct query){.report = true, .bits = SPEC_BITS});
	for (size_t i = REPORTS; i < a.ntables; i++)
		need |= idle(&a, i, s->head.format) ? 0 : needs[i];
	result_free(&a);
	return need;
}

void
result_add(void *answer, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	struct query_result *a = answer;
	const char *format = s->head.format;

	for (size_t i = 0; i < a->ntables; i++) {
		if (idle(a, i, format) ||
		    (a->q.report && i == REPORT_RATE && s->head.clock == CLOCK_TICKS))
			continue;
		result_table(a, i);
		if (a->computed[i] && !exprs_run(a->computed[i], s, b, pick, n))
			return;
		stats_add(&a->st[i], s, b, pick, n, a->computed[i]);
	}
	if (n && a->head_serial != s->head_serial) {
		a->head_serial = s->head_serial;
		a->made_up |= head_made_up(&s->head);
	}
	if (n && strcmp(s->head.format, a->format) != 0)
		result_format(a, s->head.format);
	if (a->added)
		a->added(a->added_arg, s, b, pick, n);
}

/* Keeps the last and the first format by name, so that the order of merging does not matter. */
void
result_format(struct query_result *a, const char *format)
{
	if (!*format || !strcmp(format, a->format))
		return;
	if (strcmp(format, a->format) > 0) {
		if (!*a->other)
			memcpy(a->other, a->format, sizeof a->other);
		snprintf(a->format, sizeof a->format, "%s", format);
	} else if (!*a->other || strcmp(format, a->other) < 0)
		snprintf(a->other, sizeof a->other, "%s", format);
}

void
result_trouble(struct query_result *a, const char *what)
{
	if (a->trouble.n < TROUBLES)
		strtab_id(&a->trouble, what, strlen(what));
}

void
result_asked(struct query_result *a, const char *field, bool had)
{
	strtab_id(&a->asked, field, strlen(field));
	if (had)
		strtab_id(&a->had, field, strlen(field));
}

void
result_done(void *answer, struct source *s)
{
	struct query_result *a = answer;

	for (size_t i = 0; i < a->ntables; i++)
		if (i == 0 || !idle(a, i, s->head.format)) {
			result_table(a, i);
			stats_done(&a->st[i], s);
		}
	a->lost += s->faults.lost;
	if (s->trouble && s->faults.where[0])
		result_trouble(a, s->faults.where);
}

void
result_merge(void *answer, const void *other)
{
	struct query_result *a = answer;
	const struct query_result *from = other;

	for (size_t i = 0; i < a->ntables; i++) {
		if (!from->st[i].spec)
			continue;
		result_table(a, i);
		stats_merge(&a->st[i], &from->st[i]);
		if (a->computed[i])
			exprs_merge(a->computed[i], from->computed[i]);
	}
	result_format(a, from->format);
	result_format(a, from->other);
	a->lost += from->lost;
	a->made_up |= from->made_up;
}

bool
result_stitch(void *answer, bool say)
{
	struct query_result *a = answer;
	bool good = true;

	for (size_t i = 0; i < a->ntables; i++)
		good &= stats_stitch(&a->st[i], say && i == 0);
	return good;
}

bool
result_whole(const struct query_result *a)
{
	/* All tables have the same parts. */
	return stats_whole(&a->st[0]);
}

bool
result_in_order(const struct query_result *a)
{
	return a->computed[0] && exprs_in_order(a->computed[0]);
}

bool
result_exact(const void *answer)
{
	const struct query_result *a = answer;

	for (size_t i = 0; i < a->ntables; i++)
		if (a->st[i].over_count)
			return false;
	return true;
}

/* Returns true if any group has a value in a column. */
static bool
has_values(const struct stats *st, size_t c)
{
	for (unsigned acc = st->spec->col[c].acc; acc; acc &= acc - 1) {
		unsigned i = trailing_zeros64(acc);

		for (unsigned k = 0; k < accumulators[i]->arrays; k++) {
			const struct elements *kept = &st->col[c].kept[i][k];
			const uint8_t *p = kept->v;

			/* Elements without values are zero. */
			for (size_t n = kept->cap * accumulators[i]->size; n; n--)
				if (p[n - 1])
					return true;
		}
	}
	return false;
}

/* Reports a column of durations without values, if the format tells how to get them, or if events in progress were
 * asked for. */
static void
check_durations(const struct query_result *a)
{
	const struct traits *f = traits_of(a->format);
	const struct stats *st = &a->st[0];

	/* Check only columns that an aggregate names: span also uses ends, which may be missing. */
	for (size_t c = 0; c < st->spec->ncols; c++) {
		const char *name = st->spec->col[c].name;
		enum field_kind kind = field_column(name, strlen(name));
		bool depth = st->spec->col[c].acc & ACC_DEPTH;
		size_t i = 0;

		while (i < st->spec->naggs && st->spec->agg[i].col != (int)c)
			i++;
		if (i < st->spec->naggs && (kind == FIELD_DUR || kind == FIELD_END) &&
		    (depth ? st->any && !depth_durations(st)
			   : f->durations && !has_values(st, c))) {
			warn("no event had a field %s%s%s", name, f->durations ? ": " : "",
			     f->durations ? f->durations : "");
			return;
		}
	}
}

int
result_check(struct query_result *a)
{
	int status = ST_OK;
	uint32_t id;

	if (!a->q.report) {
		check_durations(a);
		status = stats_check(&a->st[0], a->format);
		if (a->computed[0] && exprs_finish(a->computed[0], false) != ST_OK)
			status = ST_TROUBLE;
	}
	for (uint32_t i = 0; i < a->asked.n; i++) {
		if (strtab_find(&a->had, a->asked.v[i].s, a->asked.v[i].len, &id) ||
		    stats_argument(a->format, a->asked.v[i].s))
			continue;
		view_missing(&a->st[0].view, a->asked.v[i].s);
		status = ST_TROUBLE;
	}
	return status;
}
