/* plot_partial.c - partial results of plots: see plot_partial.h. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "trace-plot/plot_partial.h"

#define MAGIC "spoor-plot 8"

/* Words of a header, after "#" and MAGIC; the last may contain anything. */
enum {
	P_KIND = 2,
	P_Y,
	P_KEY,
	P_SUM,
	P_EVEN, /* 1: --linear of values; 2: --spread */
	P_STEP,
	P_FORMAT,
	P_CLOCK,
	P_ORIGIN,
	P_K,
	P_ANY,
	P_FIRST,
	P_LAST,
	P_EVENTS,
	P_ABSENT,
	P_BELOW,
	P_FRACTIONS, /* of y; P_CUT has the number for the sum */
	P_CUT,
	P_WHOLE,
	P_MADE_UP,
	P_STATUS,
	P_SOURCES, /* separated by slashes */
	P_WORDS,
};

struct plot_writer {
	struct parts_writer out;
	const struct bins *bins;
};

static const char *
dash(const char *s)
{
	return s && *s ? s : "-";
}

/* Writes the sums of one series. */
static void
put_series(void *arg, uint32_t slot, const char *lane, const char *name, unsigned sum)
{
	struct plot_writer *w = arg;

	EACH_BIN (w->bins, i) {
		uint64_t v = bins_at(w->bins, i)[slot];

		if (v)
			parts_line(&w->out, "%i\t%n\t%n\t%u\t%u", i, dash(lane), dash(name),
				   (uint64_t)sum, v);
	}
}

/* Writes the time from the first begin to the last end of a row. */
static void
put_span_line(struct parts_writer *w, const struct plot *p, uint32_t row,
	      struct nest_span span)
{
	if (span.end > span.first)
		parts_line(w, "@\t%n\t%u\t%u", dash(p->row.text.v[row].s),
			   (uint64_t)span.first, (uint64_t)span.end);
}

/* Warns that some names were merged: which names depends on the order of events. */
static void
say_others(const struct plot *p)
{
	if (p->key.more || p->row.more || p->others)
		warn("too many names: some were merged into \"others\"; merged parts "
		     "may differ there from a single run");
}

#define EVEN_OF(opts) ((opts).even | (opts).spread * UINT64_C(2))

void
plot_partial(struct plot *p, struct out *o, int status)
{
	struct plot_writer w = {{.o = o}, &p->bins};
	struct touched_block block[TOUCHED_MOST];
	uint32_t blocks = touched_all(&p->density.blocks, block);
	struct buf sources = {0};

	if (p->shared)
		die("-p: more than %u rows have names: write partial results of fewer "
		    "events "
		    "with -e",
		    p->kind->lanes);
	say_others(p);
	bins_settle(&p->bins);
	for (uint32_t i = 0; i < p->sources.n; i++) {
		const char *s = dash(p->sources.v[i].s);

		buf_to(&sources,
		       put_escaped(buf_room(&sources, 4 * strlen(s)), s, strlen(s)));
		buf_byte(&sources, '/');
	}
	buf_byte(&sources, '\0');
	parts_line(
	    &w.out,
	    "#\t" MAGIC "\t%n\t%e\t%e\t%e\t%u\t%u\t%n\t%u\t%i\t%u\t%u\t%u\t%u\t%u\t%u\t%"
	    "u\t%u\t%u\t%u\t%u\t%u\t%s",
	    dash(p->kind->name), dash(p->opts.y ? p->opts.y : p->y.name), dash(p->opts.key),
	    dash(p->opts.sum), EVEN_OF(p->opts), p->opts.step, dash(p->format),
	    (uint64_t)p->clock, p->origin, (uint64_t)p->bins.k, (uint64_t)p->any,
	    (uint64_t)p->first, (uint64_t)p->last, p->events, p->y.absent, p->y.below,
	    p->y.fractions, p->sum.fractions, (uint64_t)p->whole, (uint64_t)p->made_up,
	    (uint64_t)status, (char *)sources.p);
	buf_free(&sources);
	w.out.lines = 0;
	p->kind->each(p, put_series, &w);
	for (size_t i = 0; i < p->nest.spans; i++)
		put_span_line(&w.out, p, (uint32_t)i, p->nest.span[i]);
	for (size_t i = 0; i < p->nheld; i++)
		put_span_line(&w.out, p, p->held[i].row, p->held[i].span);
	for (uint32_t i = 0; i < blocks; i++)
		parts_line(&w.out, "+\t%u\t%u\t%u", (uint64_t)p->density.blocks.j,
			   block[i].at, p->density.count[block[i].row]);
	percentiles_lines(p, &w.out);
	parts_line(&w.out, "~\t%u", w.out.lines);
	buf_free(&w.out.line);
}

struct plot_reader {
	struct parts_reader in;
	struct plot *p;
	const struct plot_kind *kind;
	const struct plot_options *opts;
	bool opened;
	unsigned k;
	bool fine; /* its bins count 2^-FINE, the plot's bins whole numbers */
	int status;
	char *word[P_WORDS];
};

#define refuse(r, ...) parts_refuse(&(r)->in, __VA_ARGS__)

static uint64_t
plot_number(const struct plot_reader *r, unsigned i)
{
	const char *s = r->word[i];
	uint64_t v;

	if (digits_u64((const uint8_t *)s, strlen(s), &v) != NULL)
		refuse(r, "not a number of a partial result");
	return v;
}

static int64_t
signed_number(struct plot_reader *r, unsigned i)
{
	bool neg = *r->word[i] == '-';
	uint64_t v = (r->word[i] += neg, plot_number(r, i));

	if (v > (uint64_t)INT64_MAX + neg)
		refuse(r, "not a number of a partial result");
	return (int64_t)(neg ? 0 - v : v);
}

static const char *
word(const struct plot_reader *r, unsigned i)
{
	return strcmp(r->word[i], "-") != 0 ? r->word[i] : NULL;
}

static bool
same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Checks the options in a header. The first header opens the plot; all others must have the same options. */
static void
header_question(struct plot_reader *r)
{
	struct plot_options opts = *r->opts;
	struct plot *p = r->p;

	if (strcmp(r->word[1], MAGIC) != 0)
		refuse(r, "not a partial result of trace-plot");
	if (strcmp(r->word[P_KIND], r->kind->name) != 0)
		refuse(r, "a partial result of %s, not of %s", r->word[P_KIND],
		       r->kind->name);
	if (!r->opened) {
		opts.y = word(r, P_Y) ? xstrdup(word(r, P_Y)) : NULL;
		opts.key = word(r, P_KEY) ? xstrdup(word(r, P_KEY)) : NULL;
		opts.sum = word(r, P_SUM) ? xstrdup(word(r, P_SUM)) : NULL;
		opts.even = plot_number(r, P_EVEN) & 1;
		opts.spread = plot_number(r, P_EVEN) & 2;
		opts.step = plot_number(r, P_STEP);
		plot_open(p, r->kind, &opts);
		p->own = true;
		r->opened = true;
	}
	if (p->kind->measures && !p->any && !p->opts.y && word(r, P_Y)) {
		/* The previous parts had no events, so that they did not know y. */
		p->opts.y = xstrdup(word(r, P_Y));
		plot_measure_as(p, p->opts.y);
	}
	if ((plot_number(r, P_ANY) && !same(p->opts.y, word(r, P_Y))) ||
	    !same(p->opts.key, word(r, P_KEY)) || !same(p->opts.sum, word(r, P_SUM)) ||
	    EVEN_OF(p->opts) != plot_number(r, P_EVEN) ||
	    p->opts.step != plot_number(r, P_STEP))
		refuse(
		    r,
		    "the partial result answers another question than the previous ones");
}

/* Reads the width of bins, and folds the bins of the plot to it. If one of both counts whole numbers, the plot
 * does. */
static void
header_bins(struct plot_reader *r)
{
	struct plot *p = r->p;
	bool whole = plot_number(r, P_WHOLE);
	unsigned k = r->k;

	if (whole && !(p->kind->whole && p->opts.even && p->y.fine))
		refuse(r, "not a partial result: its values are no fractions");
	if (whole && !p->whole)
		p->kind->whole(p);
	r->fine = p->whole && !whole;
	if (r->fine)
		k = k > FINE ? k - FINE : 0;
	for (unsigned i = 0; p->bins.widths && i <= k; i++)
		if (!p->bins.widths[i])
			refuse(r, "not a partial result: bins of width %u", k);
	while (p->bins.any && p->bins.k < k)
		bins_fold(&p->bins);
	if (!p->bins.any)
		p->bins.k = k;
}

static void
header(struct plot_reader *r)
{
	struct plot *p = r->p;
	int64_t first, last;

	for (unsigned i = P_Y; i <= P_SUM; i++)
		r->word[i][unescape((uint8_t *)r->word[i], r->word[i],
				    strlen(r->word[i]))] = '\0';
	header_question(r);
	r->in.header = true;
	r->k = (unsigned)plot_number(r, P_K);
	if (r->k > 63)
		refuse(r, "not a partial result: bins of width %u", r->k);
	if (plot_number(r, P_STATUS) != ST_OK)
		r->status = ST_TROUBLE;
	p->made_up |= plot_number(r, P_MADE_UP) != 0;
	p->y.absent += plot_number(r, P_ABSENT);
	p->y.below += plot_number(r, P_BELOW);
	p->y.fractions += plot_number(r, P_FRACTIONS);
	p->sum.fractions += plot_number(r, P_CUT);
	p->events += plot_number(r, P_EVENTS);
	if (!plot_number(r, P_ANY))
		return;
	first = (int64_t)plot_number(r, P_FIRST);
	last = (int64_t)plot_number(r, P_LAST);
	if (p->any && p->clock != (enum clock)plot_number(r, P_CLOCK))
		refuse(r, "the clock has another unit than the previous partial results'");
	if (p->any && !p->mix && strcmp(p->format, r->word[P_FORMAT]) != 0) {
		p->mix = true;
		p->traits = traits_of("");
		p->words = p->traits->words;
	}
	plot_source(p, r->word[P_FORMAT], plot_number(r, P_CLOCK) ? CLOCK_TICKS : CLOCK_NS);
	plot_origin(p, signed_number(r, P_ORIGIN));
	for (char *at = r->word[P_SOURCES], *end; (end = strchr(at, '/')); at = end + 1)
		strtab_id(&p->sources, at, unescape((uint8_t *)at, at, (size_t)(end - at)));
	p->first = p->any && p->first < first ? p->first : first;
	p->last = p->any && p->last > last ? p->last : last;
	p->any = true;
	header_bins(r);
}

/* Takes a line BIN, LANE, NAME, SUM, VALUE. */
static void
cell(struct plot_reader *r)
{
	uint64_t sum = plot_number(r, 3);
	struct plot *p = r->p;
	const struct bins own = {.widths = p->bins.widths, .zero = p->bins.zero, .k = r->k};
	int64_t i = signed_number(r, 0), x = bins_low(&own, i);
	uint64_t *to, v;
	uint32_t slot;

	if (bins_index(&own, x) != i || sum > UINT32_MAX ||
	    (x < 0 && p->kind->whole && p->y.fine && (r->fine || !p->whole)) ||
	    (p->bins.fixed && (r->k || (uint64_t)i >= p->bins.fixed)))
		refuse(r, "not a bin of this partial result");
	slot = p->kind->slot(p, r->word[1], r->word[2], (unsigned)sum);
	if (slot == NO_SLOT)
		refuse(r, "not a sum of %s", p->kind->name);
	if (r->fine)
		x = (x >> FINE) + INT64_MIN;
	to = bins_row(&p->bins, x) + slot;
	v = plot_number(r, 4);
	*to = p->bins.lasting ? *to + v : add_most(*to, v);
}

static int
by_row(const void *x, const void *y)
{
	const struct plot_held *a = x, *b = y;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->span.first < b->span.first ? -1 : a->span.first > b->span.first;
}

/* Dies if states of one row overlap in two parts, because their nesting is then unknown. */
static void
check_spans(const struct plot *p)
{
	char text[64];

	if (p->nheld)
		qsort(p->held, p->nheld, sizeof *p->held, by_row);
	for (size_t i = 1; i < p->nheld; i++) {
		const struct plot_held *h = &p->held[i];
		const struct str *name = &p->row.text.v[h->row];

		if (h->row == h[-1].row && h->span.first < h[-1].span.end)
			die("events of %s last from one part into another: cut the input "
			    "by "
			    "locations instead",
			    quoted(text, name->s, name->len));
	}
}

/* Takes a line of a partial result. */
static void
plot_line(void *reader, char *s, char *end)
{
	struct plot_reader *r = reader;
	struct plot *p = r->p;
	uint64_t j;
	size_t n;
	char kind;

	*end = '\0';
	n = parts_cut(s, '\t', r->word, P_WORDS);
	kind = *r->word[0] && !r->word[0][1] ? *r->word[0] : 0;
	if (n == P_WORDS && kind == '#') {
		header(r);
		return;
	}
	if (n == 2 && kind == '~') {
		r->in.announced += plot_number(r, 1);
		r->in.trailer = true;
		return;
	}
	r->in.lines++;
	if (!r->in.header || n < 4 || n > 5 || (n == 4 && kind != '+' && kind != '@'))
		refuse(r, "not a line of a partial result of trace-plot");
	if (n == 5 && kind != '=')
		cell(r);
	else if (n == 5) {
		/* =, NAME, WHAT, NUMBER, TIMES */
		if (!percentiles_line(p, r->word[1], r->word[2], plot_number(r, 3),
				      plot_number(r, 4)))
			refuse(r, "not a percentile of %s", p->kind->name);
	} else if (kind == '+') {
		/* +, J, BLOCK, EVENTS */
		j = plot_number(r, 1);
		if (j > 63 || !density_block(&p->density, (unsigned)j, plot_number(r, 2),
					     plot_number(r, 3)))
			refuse(r, "not a block of time");
	} else {
		/* @, ROW, FIRST, END */
		if (!p->kind->lasts)
			refuse(r, "nothing lasts in %s", p->kind->name);
		*PUSH(p->held, p->nheld, p->held_cap) = (struct plot_held){
		    names_id(&p->row, r->word[1], strlen(r->word[1])),
		    {(int64_t)plot_number(r, 2), (int64_t)plot_number(r, 3)}};
	}
}

int
plot_merge_partials(struct plot *p, const struct plot_kind *kind,
		    const struct plot_options *opts, char *const *paths, size_t n)
{
	struct plot_reader r = {.in.take = plot_line, .p = p, .kind = kind, .opts = opts};

	for (size_t i = 0; i < n || (!n && !i); i++)
		if (!parts_read(&r.in, n ? paths[i] : "-") || !r.in.header ||
		    !r.in.trailer || r.in.lines != r.in.announced)
			refuse(&r, "the partial result is cut");
	if (p->events && !p->bins.any)
		refuse(&r, "the partial result has events but no sums");
	check_spans(p);
	say_others(p);
	if (r.status != ST_OK)
		warn("errors occurred when a part was read: see the messages of that run");
	return r.status;
}
