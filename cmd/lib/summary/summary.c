/* summary.c - the report of trace-stats: writes the sections of an answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "summary/asked.h"
#include "base/num.h"
#include "stats/accumulator.h"
#include "summary/row_values.h"
#include "view/traits.h"

struct summary_writer {
	struct query_result *a;
	struct section_writer *to;
	const char *format; /* format whose variants of questions are shown */
	uint64_t events;
	struct swide bytes;
	bool sizes;		   /* sizes can be added up, and some event has one */
	const struct asker *asker; /* NULL: sections have no commands */
};

/* Appends the command that asks question x alone. */
static void
put_command(struct buf *b, const struct format_query *x, const struct asker *asker)
{
	struct buf columns = {0};
	char most[24];

	query_columns(&columns, x);
	buf_byte(&columns, '\0');
	snprintf(most, sizeof most, "%u", x->most);
	buf_str(b, "trace-stats");
	command_events(b, asker, x->test);
	command_option(b, "-g", x->keys);
	command_option(b, "-a", (const char *)columns.p);
	command_option(b, "-S", x->sort);
	command_option(b, "--head", x->most && x->most != EVERY ? most : NULL);
	command_inputs(b, asker);
	buf_free(&columns);
}

/* Passes the answers to the questions of a table to `take`: the sections, or with `head` those that belong to the
 * head of the report. */
static void
put_table(const struct summary_writer *w, size_t table, bool head, section_taker *take,
	  void *arg)
{
	struct stats *st = &w->a->st[table];
	const struct format_query *x = w->a->question[table], *first = x;
	struct asked_rows rows = {.spec = {.nshown = 0}};

	for (bool more = st->any; more; more = query_more(x++)) {
		struct section s = {.name = NULL};

		rows = (struct asked_rows){.x = x,
					   .column = rows.column + rows.spec.nshown,
					   .st = st,
					   .format = w->a->format,
					   .people = !w->to->style || w->to->style == 'H',
					   .gaps = &w->a->st[REPORT_ALL].col[0]};
		asked_open(&rows);
		if (!x->name == head && (first->format || query_takes(x, w->format)) &&
		    asked_section(&rows, &s)) {
			if (w->asker && !head)
				put_command(&s.command, x, w->asker);
			take(arg, &s);
		} else
			section_free(&s);
	}
}

/* Takes a section of one row, whose cells become rows of the head. */
static void
take_head(void *arg, struct section *row)
{
	for (unsigned k = 1; k < row->ncolumns; k++) {
		const char *value = cell_raw(&row->cell[k]);

		if (strcmp(value, "-") != 0 &&
		    (strcmp(value, "0") != 0 || !strstr(row->column[k], "unknown")))
			*section_pair(arg, row->column[k]) = row->cell[k];
	}
	section_free(row);
}

/* Returns the table that counts all events by the key `keys`. */
static const struct stats *
table_by(const struct query_result *a, const char *keys)
{
	size_t i = REPORTS;

	while (a->question[i]->format || strcmp(a->question[i]->keys, keys) != 0)
		i++;
	return &a->st[i];
}

/* Returns the number of events that are earlier than the previous one: the negative gaps. */
static uint64_t
gone_back(const struct query_result *a)
{
	const struct stats *st = &a->st[REPORT_ALL];
	size_t n;
	uint64_t back = 0;
	struct slice *v = column_slices(&st->col[0], 0, st->spec->bits, &n);

	for (size_t i = 0; i < n && v[i].low.class % 2; i++)
		back += v[i].count;
	free(v);
	return back;
}

/* Finds the greatest count and bytes of any second, or of any window of 2^shift seconds. */
static void
peak(const struct stats *st, uint64_t *events, struct swide *bytes)
{
	*events = 0;
	*bytes = swide_u64(0);
	for (uint32_t g = 0; g < st->ngroups; g++) {
		bool nano;
		struct swide sum = column_sum(&st->col[0], g, &nano);

		*events = st->count[g] > *events ? st->count[g] : *events;
		if (wide_cmp(&sum.m, &bytes->m) > 0)
			*bytes = sum;
	}
}

/* Appends the range of units `from` to `to` to the text; "..." if there is no room for it.
 * Returns the new end; n when the text is full. */
static size_t
add_units(char *text, size_t n, size_t at, uint64_t from, uint64_t to)
{
	char one[64];
	int k = snprintf(one, sizeof one, from == to ? "%s%llu" : "%s%llu-%llu",
			 at ? "," : "", (unsigned long long)from, (unsigned long long)to);

	if (at >= n)
		return at;
	if (at + (size_t)k + sizeof ",..." > n) {
		snprintf(text + at, n - at, at ? ",..." : "...");
		return n;
	}
	memcpy(text + at, one, (size_t)k + 1);
	return at + (size_t)k;
}

/* Writes to text[0..n) the units from 0 to the greatest that have no record. Writes nothing if none is missing, if
 * a place is no number, or if some places were not kept. */
static void
missing_units(const struct stats *st, char *text, size_t n)
{
	uint64_t *v = xcalloc(st->ngroups + 1u, sizeof *v), next = 0;
	char space[KEY_SPACE];
	size_t k = 0, at = 0;
	struct str s;

	*text = '\0';
	for (uint32_t g = 0; g < st->ngroups && !st->over_count; g++) {
		if (!st->count[g])
			continue;
		s = keytab_text(&st->text, st->key[g], space);
		if (digits_u64((const uint8_t *)s.s, s.len, &v[k])) {
			k = 0;
			break;
		}
		k++;
	}
	qsort(v, k, sizeof *v, u64_ascending);
	for (size_t i = 0; i < k; i++) {
		if (v[i] > next)
			at = add_units(text, n, at, next, v[i] - 1);
		next = v[i] + 1;
	}
	free(v);
}

/* Adds events and bytes per second, the mean and the busiest second. span must not be 0. */
static void
put_rates(const struct summary_writer *w, struct section *s, uint64_t span, bool sizes)
{
	const struct stats *st = &w->a->st[REPORT_RATE];
	uint64_t most, seconds = 1ull << st->shift;
	/* In a span of less than a second the busiest second would be below the mean. */
	bool whole = span / 1000000000 >= seconds;
	struct swide peak_bytes, rate = swide_u64(w->events);
	struct wide length = wide_u64(span), window = wide_u64(seconds);
	struct ratio ratio;

	peak(st, &most, &peak_bytes);
	rate.m = wide_scale(rate.m, 9);
	ratio = ratio_of(&rate, &length);
	*ratio_put((uint8_t *)section_pair(s, "events/s")->shown, &ratio) = '\0';
	rate = swide_u64(most);
	ratio = ratio_of(&rate, &window);
	if (whole)
		*ratio_put((uint8_t *)section_pair(s, "events/s, peak")->shown, &ratio) =
		    '\0';
	if (sizes) {
		rate = w->bytes;
		rate.m = wide_scale(rate.m, 9);
		rate.m = wide_div_round(&rate.m, &length);
		cell_wide(section_pair(s, "bytes/s"), &rate);
		peak_bytes.m = wide_div_round(&peak_bytes.m, &window);
		if (whole)
			cell_wide(section_pair(s, "bytes/s, peak"), &peak_bytes);
	}
	if (whole && st->shift)
		cell_u64(section_pair(s, "peaks over, s"), seconds);
}

static void
put_summary(struct summary_writer *w)
{
	const struct query_result *a = w->a;
	const struct stats *st = &a->st[REPORT_ALL];
	bool ns = st->clock == CLOCK_NS;
	const char *missing = traits_of(a->format)->missing;
	uint64_t span = st->tmax - st->tmin, missed = 0, back = gone_back(a);
	struct section s = {.name = "trace",
			    .column = {"trace", "value"},
			    .heading = {"", ""},
			    .ncolumns = 2,
			    .pairs = true};
	struct cell *row, units = {"", ""};

	snprintf(section_pair(&s, *a->other ? "formats" : "format")->shown, 48, "%s%s%s",
		 a->format, *a->other ? " and " : "", a->other);
	cell_u64(section_pair(&s, "events"), w->events);
	if (a->lost)
		cell_u64(section_pair(&s, "skipped"), a->lost);
	if (missing) {
		missing_units(table_by(a, "loc"), units.raw, sizeof units.raw);
		missing_units(table_by(a, "loc"), units.shown, sizeof units.shown);
		if (*units.raw)
			*section_pair(&s, missing) = units;
	}
	row = section_pair(&s, ns ? "span" : "ticks");
	cell_value(row, (struct class_value){ns ? NANO_POS : INT_POS, span});
	snprintf(row->shown, sizeof row->shown, "%.40s", row->raw);
	if (back)
		cell_u64(section_pair(&s, "back in time"), back);
	for (size_t i = REPORTS; i < a->ntables; i++)
		put_table(w, i, true, take_head, &s);
	if (w->sizes)
		cell_wide(section_pair(&s, "bytes"), &w->bytes);
	for (size_t i = 0; i < a->ntables; i++)
		missed = a->st[i].over_count > missed ? a->st[i].over_count : missed;
	if (missed)
		cell_u64(section_pair(&s, "missed"), missed);
	if (ns && span)
		put_rates(w, &s, span, w->sizes);
	if (a->made_up)
		strcpy(section_pair(&s, "note")->shown, TIMES_REMARK);
	if (w->to->style) {
		section_put(w->to, &s);
		return;
	}
	for (size_t i = 0; i < s.nrows; i++) {
		char line[128];

		snprintf(line, sizeof line, "%-15s %s%s\n", s.cell[2 * i].shown,
			 s.cell[2 * i + 1].shown,
			 !strcmp(s.cell[2 * i].shown, "span") ? " s" : "");
		out_str(w->to->o, line);
	}
	section_free(&s);
}

static void
put_report(struct summary_writer *w)
{
	struct query_result *a = w->a;
	const struct stats *st = table_by(a, "event");
	size_t size = spec_col_named(st->spec, "size", NULL), n;
	/* The first question is about all events of formats whose sizes can be added up. */
	const struct format_query *first = queries(&n);
	bool nano;

	w->format = a->format;
	for (size_t i = REPORTS; i < a->ntables; i++) {
		const char *format = a->question[i]->format;

		if (a->st[i].any && format && !query_takes(first, format))
			w->format = format;
	}
	for (uint32_t g = 0; g < st->ngroups; g++) {
		struct swide bytes = column_sum(&st->col[size], g, &nano);

		w->events += st->count[g];
		w->bytes = swide_add(&w->bytes, &bytes);
		w->sizes |= column_numbers(&st->col[size], g) != 0;
	}
	w->sizes &= query_takes(first, w->format);
	if (!w->events)
		return;
	put_summary(w);
	for (size_t i = REPORTS; i < a->ntables; i++)
		put_table(w, i, false, section_put, w->to);
}

static void
write_report(struct query_result *a, struct out *o, int style, const struct asker *asker)
{
	const char *no_color = getenv("NO_COLOR");
	struct section_writer to = {.o = o,
				    .style = style,
				    .bars = !style && isatty(o->fd) &&
					    !(no_color && *no_color)};

	out_str(o, style == 'J' ? "{" : "");
	put_report(&(struct summary_writer){.a = a, .to = &to, .asker = asker});
	out_str(o, style == 'J' ? "}\n" : "");
}

void
summary_check(struct summary *opts, const struct query_result *a)
{
	struct table t = {.out = NULL};
	const struct spec *spec = &a->spec[0];

	if (opts->steps &&
	    (spec->nshown != 1 || !spec->shown[0].plain ||
	     (spec->agg[0].is->kind != AGG_HIST && spec->agg[0].is->kind != AGG_CDF)))
		die("--long needs a table with one hist or cdf and nothing else: -a "
		    "'hist(size)'");
	if (opts->wide) {
		char *name = expr_label(xstrdup(opts->wide));

		while (opts->wide_key < spec->nkeys - spec->nhidden &&
		       strcmp(spec_key_label(spec, opts->wide_key), name) != 0)
			opts->wide_key++;
		if (opts->wide_key == spec->nkeys - spec->nhidden)
			die("--wide %s: no such key of -g", opts->wide);
		free(name);
	} else if (opts->nsort) {
		stats_table_names(&(struct stats_table){.to = &t, .summary = opts}, spec);
		summary_sort(opts, &t);
		table_end(&t);
	}
	if (opts->having)
		opts->keeps = having_open(opts->having, spec);
}

bool
summary_put(struct query_result *a, struct out *o, struct summary *opts)
{
	struct table t = {.out = o,
			  .style = opts->style == 'J'	? TABLE_JSON
				   : opts->style == 'C' ? TABLE_CSV
				   : opts->style == 'S' ? TABLE_TSV
							: TABLE_TABS,
			  .bare = opts->bare,
			  .by = opts->by,
			  .nby = opts->nsort,
			  .most = opts->most};
	bool whole;

	if (a->q.report) {
		write_report(a, o, opts->style, opts->asker);
		return true;
	}
	whole = stats_table_put(&a->st[0], &t, opts);
	table_end(&t);
	if (opts->style == 'J')
		out_str(o, "\n");
	return whole;
}
