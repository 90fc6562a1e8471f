/* tables.c - see tables.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "summary/summary.h"
#include "trace-reuse/tables.h"

/* Results from fewer keys in a sample are not reliable. */
#define FEW 1000

struct put {
	const struct reuse *x;
	const struct reuse_options *opts;
	struct table to;
	/* Current group. */
	const struct curve *c;
	const uint32_t *key;
	bool few;
	uint64_t larger; /* size of an object that does not fit into a cache of the table */
};

void
reuse_sizes(struct reuse_options *opts, const char *text, uint64_t block)
{
	bool bytes;
	size_t n;

	opts->all = !strcmp(text, "all");
	opts->log = 0;
	if (opts->all)
		return;
	if (!strncmp(text, "log", 3) && (!text[3] || text[3] == ':')) {
		opts->log = text[3] ? (unsigned)num_option("--at log", text + 4, 1, 64) : 1;
		return;
	}
	for (;; text += n + 1) {
		char word[32];

		n = strcspn(text, ",");
		snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : 31, text);
		/* 1GB, 1GiB and 512B are bytes, even if sizes are blocks. */
		bytes = opts->bytes || (n && text[n - 1] == 'B');
		if (bytes && !block)
			die("--at %s: with -K a size is a number of keys, not of bytes",
			    word);
		*PUSH(opts->at, opts->n, opts->cap) =
		    num_option("--at", word, 0, UINT64_MAX / 2) / (bytes ? block : 1);
		if (!text[n])
			break;
	}
	qsort(opts->at, opts->n, sizeof *opts->at, u64_ascending);
}

unsigned
reuse_rate(const char *text)
{
	char *end, *slash;
	double rate = strtod(text, &end);
	unsigned level = 0;

	if (*end == '/') {
		slash = end;
		rate /= strtod(slash + 1, &end);
		if (end == slash + 1)
			rate = 0;
	}
	if (*end || !(rate > 0 && rate <= 1))
		die("--sample %s: a rate above 0 and at most 1 is expected", text);
	while (level < 40 && 1.0 / (double)(1ull << level) > rate)
		level++;
	return level;
}

/* Returns the next size after `size` for a row of a curve that ends at `last`, or 0. `least` is the first size about
 * which something is known. */
static uint64_t
size_after(const struct reuse_options *opts, uint64_t size, uint64_t least, uint64_t last)
{
	uint64_t step, octave;

	if (opts->n) {
		for (size_t i = 0; i < opts->n; i++)
			if (opts->at[i] > size)
				return opts->at[i];
		return 0;
	}
	if (size >= last)
		return 0;
	/* Nothing is known below the first distance of a sample. */
	if (size < least)
		return least < last ? least : last;
	if (opts->all)
		return last - size < least ? last : size + least;
	for (octave = 1; octave <= size / 2; octave *= 2)
		;
	step = octave > opts->log ? octave / opts->log : 1;
	size = size - size % octave + (size % octave / step + 1) * step;
	size = size > 2 * octave ? 2 * octave : size;
	return size < last ? size : last;
}

static uint64_t
next_size(const struct put *p, uint64_t size, uint64_t last)
{
	uint64_t least = curve_least(p->c), first = 1;

	if (!p->opts->objects)
		return size_after(p->opts, size, least, last);
	/* Sizes are powers of two and steps between them. */
	least = p->c->nearest > least ? p->c->nearest : least;
	while (first <= least / 2)
		first *= 2;
	return size_after(p->opts, size, first, last);
}

void
reuse_edges(struct reuse_options *opts, struct reuse_question *q)
{
	uint64_t size = opts->n ? opts->at[0] : 0;

	if (opts->all)
		die("--at all: too many sizes for -K --bytes or --policy opt: use log:K, "
		    "or a "
		    "list");
	do
		*PUSH(opts->edge, opts->nedges, opts->edge_cap) = size;
	while ((size = size_after(opts, size, 1, UINT64_MAX / 4)) != 0);
	q->edge = opts->edge;
	q->nedges = opts->nedges;
}

static void
row_share(struct put *p, uint64_t part, uint64_t all)
{
	struct swide a = swide_u64(part);
	struct wide b = wide_u64(all);

	table_ratio(&p->to, &a, &b);
}

/* Writes the values of -g; in a table of windows, first the window. */
static void
cells_of_group(struct put *p, int64_t window)
{
	const struct stats *st = &p->x->ids.st[0];
	struct stats_table t = {.st = st, .to = &p->to};

	stats_table_keys(&t, p->key, window,
			 p->x->q.value ? SIZE_MAX : st->spec->nkeys - 1);
}

/* Ends a row with the sampling rate. */
static void
row_end(struct put *p)
{
	p->few |= p->c->level && p->c->lru.n < FEW;
	table_sample(&p->to, p->c->level);
	table_row(&p->to);
}

static uint64_t
in_unit(const struct put *p, uint64_t keys)
{
	uint64_t block = p->opts->bytes && !p->opts->objects ? p->x->q.block : 1;

	return keys > UINT64_MAX / block ? UINT64_MAX : keys * block;
}

/* Sets *all to the references that count, and *misses to the misses of a cache of `size` keys: all references
 * if `size` is 0. Returns false if the sample is too small for this size. */
static bool
misses_at(const struct put *p, unsigned way, uint64_t size, struct aet *aet, uint64_t *all,
	  uint64_t *misses)
{
	uint64_t cold = curve_cold(p->c, way), of_all = curve_references(p->c, way);

	/* A sample can estimate more cold references than there are references. */
	cold = cold < of_all ? cold : of_all;
	*misses = !size && (!p->opts->objects || p->c->level) ? of_all - cold
		  : p->x->q.flat ? curve_beyond_aet(p->c, aet, size)
				 : curve_beyond(p->c, way, size);
	*all = p->opts->no_cold ? of_all - cold : of_all;
	*misses += p->opts->no_cold ? 0 : cold;
	*misses = *misses < *all ? *misses : *all;
	return !size || size >= curve_least(p->c);
}

static void
cells_of_misses(struct put *p, unsigned way, uint64_t size, struct aet *aet)
{
	uint64_t all, misses;

	if (!misses_at(p, way, size, aet, &all, &misses)) {
		table_text(&p->to, "-");
		table_text(&p->to, "-");
		return;
	}
	table_u64(&p->to, misses);
	row_share(p, misses, all);
}

/* Writes the cells of references, and for objects the cells of bytes. */
static void
cells_of_way(struct put *p, unsigned way, uint64_t size, struct aet *aet)
{
	cells_of_misses(p, way, size, aet);
	if (p->opts->objects)
		cells_of_misses(p, way | REUSE_BYTES, size, NULL);
}

static void
put_curve(struct put *p)
{
	uint64_t last =
	    p->x->q.flat ? curve_cold(p->c, REUSE_WAYS) : curve_size(p->c, 1000);
	struct aet aet = {0};
	uint64_t size = p->opts->n ? p->opts->at[0] : 0;

	do {
		cells_of_group(p, 0);
		table_u64(&p->to, in_unit(p, size));
		cells_of_way(p, REUSE_WAYS, size, &aet);
		for (unsigned way = 0; way < REUSE_WAYS && p->opts->apart; way++)
			cells_of_way(p, way, size, NULL);
		if (size && size < p->c->largest && p->larger < p->c->largest)
			p->larger = p->c->largest;
		row_end(p);
	} while ((size = next_size(p, size, last)) != 0);
}

/* Writes the cells of the references, and for objects of the bytes, with distances up to `high` and above `low`, if
 * `low` is not 0; cold ones if `high` is 0. */
static void
cells_of_hist(struct put *p, uint64_t low, uint64_t high)
{
	for (unsigned way = REUSE_WAYS; way <= REUSE_WAYS + REUSE_BYTES;
	     way += REUSE_BYTES) {
		uint64_t n =
		    !high ? curve_cold(p->c, way)
			  : (low ? curve_beyond(p->c, way, low) : curve_warm(p->c, way)) -
				curve_beyond(p->c, way, high);

		table_u64(&p->to, n);
		row_share(p, n, curve_references(p->c, way));
		if (!p->opts->objects)
			break;
	}
	row_end(p);
}

static void
put_hist(struct put *p)
{
	uint64_t last = curve_size(p->c, 1000), size = 0, before = 0;

	while ((size = next_size(p, size, last)) != 0) {
		cells_of_group(p, 0);
		table_u64(&p->to, in_unit(p, size));
		cells_of_hist(p, before, size);
		before = size;
	}
	cells_of_group(p, 0);
	table_text(&p->to, "cold");
	cells_of_hist(p, 0, 0);
}

static void
row_working_set(struct put *p, const struct reuse_times *tails, uint64_t window)
{
	struct wide sum = curve_working_set(p->c, tails, window);
	struct wide all = wide_u64(curve_references(p->c, REUSE_WAYS)),
		    unit = wide_u64(in_unit(p, 1));

	sum = wide_mul(&sum, &unit);
	table_ratio(&p->to, &(struct swide){sum, false}, &all);
}

static void
put_working_set(struct put *p)
{
	uint64_t last = curve_references(p->c, REUSE_WAYS), size = 0;
	struct reuse_times tails = {0};
	size_t edge = 0;

	curve_tails(p->c, &tails);
	while ((size = next_size(p, size, last)) != 0) {
		uint64_t window;

		/* Greatest window up to the size with an exact working set. */
		while (reuse_edge(edge + 1) <= size)
			edge++;
		window = reuse_edge(edge);
		cells_of_group(p, 0);
		table_u64(&p->to, window);
		row_working_set(p, &tails, window);
		row_end(p);
	}
	free(tails.v);
}

/* Writes a line of the summary up to its value. */
static void
begin_line(struct put *p, const char *name)
{
	cells_of_group(p, 0);
	table_text(&p->to, name);
}

static void
table_line(struct put *p, const char *name, uint64_t v)
{
	begin_line(p, name);
	table_u64(&p->to, v);
	row_end(p);
}

/* Writes how many keys were referenced once, twice or three times, and so on. */
static void
put_counts(struct put *p)
{
	const struct lru *l = &p->c->lru;
	uint64_t n[32] = {0};
	char name[48];

	for (uint32_t i = 0; i < lru_places(l); i++)
		if (l->key[i].slot)
			n[63 - leading_zeros64(l->count[i])] += 1ull << p->c->level;
	for (unsigned i = 0; i < 32; i++) {
		if (!n[i])
			continue;
		snprintf(name, sizeof name,
			 i ? "keys_referenced_%llu_%llu" : "keys_referenced_1", 1ull << i,
			 (2ull << i) - 1);
		table_line(p, name, n[i]);
	}
}

static void
put_mean(struct put *p)
{
	uint64_t sum[2] = {0}, hits = curve_beyond(p->c, REUSE_WAYS, 0),
		 last = curve_size(p->c, 1000);
	uint64_t step = 1ull << p->c->level;
	struct wide w, n = wide_u64(hits);

	/* The sum of distances is the sum, over all d, of the references above d. */
	for (uint64_t d = 0; d < last; d += step) {
		uint64_t more = curve_beyond(p->c, REUSE_WAYS, d) << p->c->level;

		sum[0] += more;
		sum[1] += sum[0] < more;
	}
	w = wide_words(sum, 2);
	begin_line(p, "distance_mean");
	table_ratio(&p->to, &(struct swide){w, false}, &n);
	row_end(p);
}

static void
put_summary(struct put *p)
{
	static const struct {
		const char *name;
		unsigned part;
	} sizes[] = {{"distance_median", 500},
		     {"size_for_50%_of_hits", 500},
		     {"size_for_90%_of_hits", 900},
		     {"size_for_99%_of_hits", 990},
		     {"size_for_all_hits", 1000}};
	struct reuse_times tails = {0};
	char name[48];

	table_line(p, "events", p->c->events);
	table_line(p, "references", curve_references(p->c, REUSE_WAYS));
	for (unsigned way = 0; way < REUSE_WAYS; way++)
		table_line(p, way == REUSE_WRITE ? "references_write" : "references_read",
			   curve_references(p->c, way));
	table_line(p, "keys", curve_cold(p->c, REUSE_WAYS));
	begin_line(p, "cold_ratio");
	row_share(p, curve_cold(p->c, REUSE_WAYS), curve_references(p->c, REUSE_WAYS));
	row_end(p);
	put_counts(p);
	put_mean(p);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		table_line(p, sizes[i].name, in_unit(p, curve_size(p->c, sizes[i].part)));
	curve_tails(p->c, &tails);
	for (uint64_t window = 1024;
	     window <= 1ull << 30 && window <= curve_references(p->c, REUSE_WAYS);
	     window *= 32) {
		snprintf(name, sizeof name, "working_set_of_%llu",
			 (unsigned long long)window);
		begin_line(p, name);
		row_working_set(p, &tails, window);
		row_end(p);
	}
	free(tails.v);
}

static const struct {
	const char *const *names;
	void (*put)(struct put *p);
} tables[] = {
    [REUSE_CURVE] = {(const char *const[]){"size", "misses", "ratio", NULL}, put_curve},
    [REUSE_HIST] = {(const char *const[]){"distance", "references", "ratio", NULL},
		    put_hist},
    [REUSE_WORKING_SET] = {(const char *const[]){"references", "working_set", NULL},
			   put_working_set},
    [REUSE_WINDOWS] = {(const char *const[]){"references", "working_set", "cold", NULL},
		       NULL},
    [REUSE_SUMMARY] = {(const char *const[]){"name", "value", NULL}, put_summary},
};

void
reuse_put(struct reuse *x, const struct reuse_options *opts, struct out *o)
{
	static const char *const apart[] = {
	    "read_misses",  "read_ratio",  "read_missed_bytes",	 "read_byte_ratio",
	    "write_misses", "write_ratio", "write_missed_bytes", "write_byte_ratio"};
	struct put p = {.x = x,
			.opts = opts,
			.to = {.out = o, .style = opts->style, .bare = opts->bare}};
	const struct stats *st = &x->ids.st[0];
	uint32_t n, *order = stats_order(st, &n);
	size_t *done = xcalloc(x->ncurves + 1, sizeof *done);

	if (opts->table == REUSE_WINDOWS)
		table_name(&p.to, "window");
	for (size_t i = 0; i + !x->q.value < st->spec->nkeys; i++)
		table_name(&p.to, spec_key_label(st->spec, i));
	p.to.texts = p.to.cells;
	table_texts(&p.to, tables[opts->table].names);
	if (opts->objects) {
		table_name(&p.to, opts->table == REUSE_HIST ? "bytes" : "missed_bytes");
		table_name(&p.to, "byte_ratio");
	}
	for (size_t i = 0; opts->apart && i < sizeof apart / sizeof *apart; i++)
		if (opts->objects || i % 4 < 2)
			table_name(&p.to, apart[i]);
	table_text(&p.to, "sample");
	table_head(&p.to);
	for (uint32_t i = 0; i < n; i++) {
		struct curve *c = &x->curve[x->group[order[i]]];
		size_t *at = &done[c - x->curve];
		const struct reuse_window *w;

		p.c = c;
		p.key = st->key + order[i] * st->spec->nkeys;
		if (opts->table == REUSE_WINDOWS) {
			/* Windows are the rows; a group has a row in the table for each space. */
			if (*at == c->nwindows ||
			    c->window[*at].number != st->pane[order[i]])
				continue;
			w = &c->window[(*at)++];
			if (!w->references)
				continue;
			cells_of_group(&p, w->number);
			table_u64(&p.to, w->references);
			table_u64(&p.to, in_unit(&p, w->keys));
			table_u64(&p.to, in_unit(&p, w->cold));
			row_end(&p);
		} else if (!*at) {
			curve_settle(c);
			tables[opts->table].put(&p);
			++*at;
		}
	}
	table_end(&p.to);
	if (p.few)
		warn("sample: fewer than 1000 keys: results may be far off; raise --sample "
		     "or --keys");
	if (p.larger)
		warn("--bytes: an object of %llu bytes %s each smaller cache of the table",
		     (unsigned long long)p.larger,
		     x->q.policy == REUSE_LRU ? "empties" : "does not enter");
	free(done);
	free(order);
}
