/* partial_read.c - reads and merges partial results: files, headers, keys; and checks the sum of all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats_partial.h"
#include "stats/partial_reader.h"

/* Returns the value of the option NAME=VALUE in a header, unescaped; NULL if there is none. The caller frees it. */
static char *
option(const struct partial_reader *r, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < r->nwords; i++) {
		char *s = r->word[i];

		if (!strncmp(s, name, n) && s[n] == '=') {
			s += n + 1;
			s[unescape((uint8_t *)s, s, strlen(s))] = '\0';
			return xstrdup(s);
		}
	}
	return NULL;
}

/* Gives the answer the question of the first header. */
static void
open_question(struct partial_reader *r)
{
	struct query q = {.empty = true};
	char *bits = option(r, "accuracy"), *empty = option(r, "empty"), *own[6];
	char *spread = option(r, "spread");
	const struct result_more *more = r->a->more;
	void *arg = r->a->more_arg;

	q.report = r->nwords > 2 && !strcmp(r->word[2], "report");
	q.keys = own[0] = option(r, "keys");
	q.aggs = own[1] = option(r, "aggregates");
	q.window = own[2] = option(r, "window");
	q.from = own[3] = option(r, "from");
	q.before = own[4] = option(r, "key");
	q.more = own[5] = option(r, "more");
	q.bits = bits ? (unsigned)strtoul(bits, NULL, 10) : 0;
	q.empty = !empty;
	q.spread = spread != NULL;
	free(bits);
	free(empty);
	free(spread);
	if (q.bits < 1 || q.bits > 16)
		partial_refuse(r, "the header is damaged");
	if (!q.more != !more)
		partial_refuse(r, "a partial result of another program");
	result_open(r->a, &q);
	memcpy(r->a->own, own, sizeof own);
	if (r->a->spec[0].depths)
		partial_refuse(r, "depth, depth_most and busy of parts cannot be merged");
	r->a->more = more;
	r->a->more_arg = arg;
	if (more)
		more->opened(arg);
}

/* Reads a header: opens the question of an answer that has none yet, else checks that it is the same. */
static void
header(struct partial_reader *r, const char *field)
{
	struct buf mine = {0};
	bool first = !*r->opened;

	if (strncmp(field, PARTIAL_MAGIC " ", sizeof PARTIAL_MAGIC) != 0)
		partial_refuse(
		    r, "not a partial result of trace-stats -p, or of another version");
	if (first)
		open_question(r);
	*r->opened = r->in.header = true;
	partial_question(&mine, &r->a->q);
	buf_byte(&mine, '\0');
	if (strcmp((char *)mine.p, field) != 0)
		partial_refuse(r,
			       first
				   ? "not a partial result of this version: %.200s"
				   : "this partial result answers another question: %.200s",
			       first ? field : field + sizeof PARTIAL_MAGIC);
	buf_free(&mine);
}

/* Finds the group of a key TABLE=[PANE ]TEXT... */
static void
find_group(struct partial_reader *r)
{
	struct stats *st = partial_table(r, r->key[0]);
	size_t n = strlen(r->key), nk = st->spec->nkeys;
	size_t pane = st->spec->pane ? 1 : 0, most = pane + nk;
	char *p = r->key + 2, *word[SPEC_KEYS + 1], **text = word + pane;
	uint32_t texts[SPEC_KEYS];
	int64_t window = 0;

	if (r->last && r->last_key.n == n && !memcmp(r->last_key.p, r->key, n))
		return;
	r->last_key.n = 0;
	buf_add(&r->last_key, r->key, n);
	if (!most && *p)
		partial_refuse(r, "a key that should be empty: %.40s", p);
	n = most ? parts_cut(p, ' ', word, most) : 0;
	if (pane)
		window = strcmp(p, "*") != 0 ? partial_signed(r, p) : NO_PANE;
	if (n > most)
		partial_refuse(r, "the key has more than %zu parts", nk);
	if (n < most)
		partial_refuse(r, "the key has %zu parts of %zu", n - pane, nk);
	r->last = st;
	stats_bound(st);
	for (size_t k = 0; k < nk; k++)
		texts[k] = keytab_id(&st->text, text[k], strlen(text[k]));
	r->group = stats_group(st, texts, stats_pane_floor(st, window));
}

/* Opens the table of a line, whose key is %TABLE or TABLE=... */
static void
open_table(struct partial_reader *r)
{
	size_t i = (size_t)((r->key[0] == '%' ? r->key[1] : r->key[0]) - 'a');

	if (i < r->a->ntables)
		result_table(r->a, i);
}

/* Splits a line, and handles it. */
static void
partial_line(void *reader, char *p, char *end)
{
	struct partial_reader *r = reader;
	char *part[3], *whole = NULL;

	*end = '\0';
	if (memchr(p, '\0', (size_t)(end - p)))
		partial_refuse(r, "not a partial result: a NUL byte");
	if (parts_cut(p, '\t', part, 3) != 3)
		partial_refuse(
		    r,
		    "not a partial result of trace-stats: KEY, FIELD and INTEGER with TABs "
		    "between are expected");
	r->key = part[0];
	r->number = part[2];
	if (!strcmp(r->key, "#"))
		whole = xstrdup(part[1]);
	r->nwords = parts_cut(part[1], ' ', r->word, PARTIAL_WORDS);
	if (r->nwords > PARTIAL_WORDS)
		partial_refuse(r, "too many words in the second field");
	if (whole)
		header(r, whole);
	else if (!strcmp(r->key, "~")) {
		if (strcmp(r->word[0], "lines") != 0)
			partial_refuse(r, "not a line of a partial result");
		r->in.announced += partial_number(r, r->number);
		r->in.trailer = true;
	} else if (!r->in.header)
		partial_refuse(r,
			       "not a partial result: its header is missing (was it sorted "
			       "without LC_ALL=C?)");
	else if (r->key[0] == '%') {
		open_table(r);
		partial_table_line(r);
		r->in.lines++;
	} else if (r->key[0] && r->key[1] == '=') {
		open_table(r);
		find_group(r);
		partial_group_line(r);
		r->in.lines++;
	} else
		partial_refuse(r, "not a line of a partial result");
	free(whole);
}

void
partial_read(struct query_result *a, bool *opened, const char *path)
{
	struct partial_reader r = {.in.take = partial_line, .a = a, .opened = opened};

	if (!parts_read(&r.in, path)) {
		r.in.line++;
		partial_refuse(&r, "the partial result is cut: the last line has no end");
	}
	if (!r.in.line)
		die("%s: not a partial result: the file is empty", r.in.name);
	if (!r.in.trailer)
		partial_refuse(&r, "the partial result is cut: its trailer is missing");
	if (r.in.lines != r.in.announced || !r.in.header)
		partial_refuse(&r,
			       "the partial result is cut, or lines were added: its "
			       "trailers count %llu "
			       "lines, there are %llu",
			       (unsigned long long)r.in.announced,
			       (unsigned long long)r.in.lines);
	buf_free(&r.last_key);
}

static _Noreturn void
contradiction(const char *what)
{
	die("the partial results are damaged: %s", what);
}

/* Checks a column of one group. */
static void
check_column(const struct stats *st, size_t c, uint32_t g)
{
	const struct col *spec = &st->spec->col[c];
	/* whole numbers and fractions share a scale */
	bool one_scale = spec->powers && !spec->time;
	uint64_t counted[CLASSES] = {0};
	struct slice *v;
	size_t n;

	v = column_slices(&st->col[c], g, spec_bits(st->spec, c), &n);
	for (size_t i = 0; i < n; i++)
		counted[v[i].low.class] += v[i].count;
	for (unsigned k = NANO_POS; one_scale && k < TEXTS; k++) {
		bool whole = column_tally(&st->col[c], k % 2, g)->n;

		/* The distribution of both is counted as one of whole numbers. */
		if (column_tally(&st->col[c], k, g)->n)
			counted[k] = counted[k % 2];
		if (!whole)
			counted[k % 2] = 0;
	}
	free(v);
	for (unsigned k = 0; k < CLASSES; k++) {
		const struct class_sum *t = column_tally(&st->col[c], k, g);

		if (!t->n && (t->lo || t->hi || t->not_min || t->max))
			contradiction("a sum, a least or a greatest value of no values");
		if (k != TEXTS && st->spec->col[c].acc & ACC_HIST && !counted[k] != !t->n)
			contradiction(
			    "values without a distribution, or one without values");
	}
}

void
partial_check(const struct query_result *a)
{
	for (size_t i = 0; i < a->ntables; i++) {
		const struct stats *st = &a->st[i];

		if (!st->any && (st->ngroups || st->timed || st->over_count))
			contradiction("a table does not tell its clock");
		for (uint32_t g = 0; g < st->ngroups; g++) {
			/* A column that depends on the previous event has a group for all windows together,
			 * without a count; other groups have a count. */
			bool together = st->pane && st->pane[g] == NO_PANE;

			if (!st->count[g] && !together)
				contradiction("a group has no count");
			if (st->count[g] && together)
				contradiction("events are in no window");
			if (st->pane && !together && !stats_pane_possible(st, st->pane[g]))
				contradiction("a window is beyond all times");
			for (size_t c = 0; c < st->spec->ncols; c++)
				check_column(st, c, g);
		}
	}
}

int
partial_merge(struct query_result *a, char *const *paths, size_t n, bool whole)
{
	int status = ST_OK;
	bool opened = false;

	for (size_t i = 0; i < n; i++)
		partial_read(a, &opened, paths[i]);
	if (!n)
		partial_read(a, &opened, "-");
	partial_check(a);
	if (!result_stitch(a, true) || (whole && !result_whole(a)))
		status = ST_TROUBLE;
	for (uint32_t i = 0; i < a->trouble.n; i++) {
		warn("when the partial results were made: %s", a->trouble.v[i].s);
		status = ST_TROUBLE;
	}
	if (a->lost) {
		warn("%llu records were skipped when the partial results were made",
		     (unsigned long long)a->lost);
		status = ST_TROUBLE;
	}
	return status;
}

void
partial_note(struct query_result *a, const struct expr *e, int status)
{
	const char *field;
	bool seen;

	if (status != ST_OK && !a->trouble.n)
		result_trouble(a, "an input could not be read");
	for (size_t i = 0; e && (field = expr_field(e, i, &seen)); i++)
		result_asked(a, field, seen);
	for (size_t c = 0; c < a->spec[0].ncols; c++)
		for (size_t i = 0; a->st[0].col_when[c] &&
				   (field = expr_field(a->st[0].col_when[c], i, &seen));
		     i++)
			result_asked(a, field, seen);
	for (size_t i = 0;
	     a->computed[0] && (field = exprs_field(a->computed[0], i, &seen)); i++)
		result_asked(a, field, seen);
}
