/* laplace_merge_run.c - merges two inputs in order of time, and applies events to references. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "input/fault.h"
#include "input/sniff.h"
#include "laplace-merge/laplace_merge_run.h"

/* Space of a process whose space is unknown. */
#define NO_SPACE UINT64_MAX

/* Returns the greater confidence of the two sniffers, so that no more is read than they need. */
static int
refs_sniff(const uint8_t *p, size_t n, bool whole)
{
	int text = sniff_laplace_text.sniff(p, n, whole),
	    binary = sniff_laplace.sniff(p, n, whole);

	return text > binary ? text : binary;
}

/* Opens text or binary references. A binary record has bytes that text has not, at least in its time. Input
 * that neither format recognizes, for example a damaged one, is opened as binary. */
static void
refs_open(struct source *s)
{
	const uint8_t *p = s->in.p;
	size_t n = in_left(&s->in), i = 0;

	while (i < n && i < LAPLACE_RECORD &&
	       ((p[i] >= ' ' && p[i] <= '~') || memchr("\r\n", p[i], 2)))
		i++;
	s->fmt = i == n || i == LAPLACE_RECORD ||
			 sniff_laplace_text.sniff(p, n, s->in.eof) >
			     sniff_laplace.sniff(p, n, s->in.eof)
		     ? &fmt_laplace_text
		     : &fmt_laplace;
	s->fmt->open(s);
}

/* Format of references, text or binary. */
static const struct format refs_format = {
    .name = "laplace", .about = "Laplace: memory references", .open = refs_open};
static const struct format *const of_refs[] = {&refs_format, NULL};
static const struct sniffer sniff_refs = {.format = "laplace", .sniff = refs_sniff};

/* Writes the sniffers for references to `to`: first sniff_refs, which wins against both of Laplace, then all
 * others. */
static void
refs_sniffers(const struct sniffer *to[SNIFFERS_MOST + 2], const struct sniffer *const *all)
{
	*to++ = &sniff_refs;
	for (size_t i = 0; i < SNIFFERS_MOST && all[i]; i++)
		*to++ = all[i];
	*to = NULL;
}

/* Ends an input, and adds its errors to the merge. */
static void
merge_end_input(struct laplace_merge *m, struct source *in)
{
	struct source *s = m->of;

	source_end(in);
	s->trouble |= in->trouble;
	s->stop |= in->stop;
	s->faults.lost += in->faults.lost;
	s->faults.upstream += in->faults.lost; /* already reported */
	if (!s->faults.where[0])
		memcpy(s->faults.where, in->faults.where, sizeof in->faults.where);
	source_close(in);
}

static void
missing(struct source *s, const char *path)
{
	source_missing(s, path);
	s->stop |= s->opt->strict;
}

/* Opens the next kernel trace that can be opened. Returns false after the last one. */
static bool
open_kernel(struct laplace_merge *m)
{
	static const char *const standard_input[] = {"-"};
	struct source *s = m->of;
	const char *const *paths = s->npaths > 1 ? s->paths + 1 : standard_input;
	size_t n = s->npaths > 1 ? s->npaths - 1 : 1;

	m->kernel_open = false;
	while (!m->kernel_open && m->kernel_at < n && !s->stop) {
		const char *const *path = paths + m->kernel_at++;

		m->kernel_open = source_open(&m->kernel, &m->kernel_options, path, 1);
		if (!m->kernel_open)
			missing(s, *path);
	}
	return m->kernel_open;
}

static void
end_kernel(struct laplace_merge *m)
{
	struct source *k = &m->kernel;

	if (m->strays)
		fault(k, NULL, COST_STATUS, k->name, NOWHERE,
		      "skipped memory references among the events of the kernel: %llu",
		      (unsigned long long)m->strays);
	m->strays = 0;
	if (!k->count.events && !k->faults.lost && !k->stop && !k->in.err)
		fault(k, "laplace-end", COST_STATUS, k->name, NOWHERE,
		      "the kernel trace is empty: it does not end with a line c");
	merge_end_input(m, k);
	m->kernel_open = false;
}

void
laplace_merge_open(struct laplace_merge *m, struct source *s)
{
	memset(m, 0, sizeof *m);
	m->opt = format_options(s->opt, &fmt_laplace_merge);
	m->of = s;
	laplace_state_start(&m->state);
	m->state.canon.keep = m->opt->table != NULL;
	m->events = xcalloc(1, sizeof *m->events);
	m->cache = xcalloc(PAGES_RECENT, sizeof *m->cache);
	m->own = xmalloc((size_t)BATCH * LAPLACE_RECORD);
	m->generation = 1;
	m->refs_options = *s->opt;
	m->refs_options.known = of_refs;
	refs_sniffers(m->sniffers, s->opt->sniffers);
	m->refs_options.sniffers = m->sniffers;
	m->refs_options.expect = &refs_format;
	m->refs_options.only = m->opt->refs;
	m->refs_options.hz = 0; /* the source of the merge has these */
	m->refs_options.slice = NULL;
	m->kernel_options = m->refs_options;
	m->kernel_options.only = &fmt_laplace_text;
	m->kernel_options.values = NULL;
	m->kernel_options.need = NEED_ALL | NEED_RAW;
	m->refs_open = source_open(&m->refs, &m->refs_options, s->paths, 1);
	if (!m->refs_open)
		missing(s, *s->paths);
	open_kernel(m);
}

void
laplace_merge_close(struct laplace_merge *m)
{
	if (m->refs_open)
		source_close(&m->refs);
	if (m->kernel_open)
		source_close(&m->kernel);
	laplace_state_free(&m->state);
	buf_free(&m->events->own);
	buf_free(&m->end);
	free(m->events);
	free(m->cache);
	free(m->own);
}

/* Returns whether there is a reference that was not returned yet. Reads more if necessary. */
static bool
have_refs(struct laplace_merge *m)
{
	/* Order of a record's bytes for the other byte order. */
	static const uint8_t at[LAPLACE_RECORD] = {0, 8,  7,  6,  5,  4,  3,  2,  1,
						   9, 13, 12, 11, 10, 17, 16, 15, 14};
	struct source *s = &m->refs;
	const uint8_t *p;

	if (m->at < m->n)
		return true;
	m->at = m->n = 0;
	if (!m->refs_open || s->stop)
		return false;
	if (s->fmt == &fmt_laplace_text) {
		m->block = m->own;
		m->n = laplace_read_lines(s, m->own, BATCH, false, &m->place);
		return m->n > 0;
	}
	source_progress(s);
	s->in.p += m->raw;
	p = m->block = laplace_block(s, &m->n);
	m->place = p ? in_offset(&s->in, p) : 0;
	if (p && laplace_is_big(s)) {
		m->n = m->n < BATCH ? m->n : BATCH;
		m->block = m->own;
		for (size_t i = 0; i < m->n; i++)
			for (size_t k = 0; k < LAPLACE_RECORD; k++)
				m->own[i * LAPLACE_RECORD + k] =
				    p[i * LAPLACE_RECORD + at[k]];
	}
	m->raw = m->n * LAPLACE_RECORD;
	s->count.events += m->n;
	return m->n > 0;
}

/* Returns the offset of a reference in a file of records, or its line in a text. */
static uint64_t
input_offset(const struct laplace_merge *m, size_t at)
{
	return m->place + (m->refs.fmt->text ? at : at * LAPLACE_RECORD);
}

/* Returns the record of the next event, or NULL. Puts the line that ends the trace aside. */
static const struct rec *
next_event(struct laplace_merge *m)
{
	const struct source *s = &m->kernel;
	struct batch *b = m->events;

	for (;;) {
		const struct rec *r;
		const struct type *ty;

		if (m->event == b->n) {
			m->event = b->n = 0;
			if (!m->kernel_open)
				return NULL;
			source_progress(s);
			if (!source_next(&m->kernel, b)) {
				b->n = 0;
				if (s->stop)
					return NULL;
				end_kernel(m);
				open_kernel(m);
				continue;
			}
		}
		r = batch_rec(b, m->event);
		ty = &s->t.type[r->type];
		if (ty->event_len == 1 || *ty->event == '\\') {
			m->strays++;
			m->event++;
			continue;
		}
		if (*b->raw[m->event].p != 'c' || m->end_waits)
			return r;
		buf_add(&m->end, b->raw[m->event].p, b->raw[m->event].n);
		m->end_waits = true;
		m->event++;
	}
}

static bool
give_end(struct laplace_merge *m, struct laplace_step *step)
{
	uint64_t last = m->last_event > m->last ? m->last_event : m->last;

	step->refs = NULL;
	step->rec = NULL;
	step->raw = (struct span){m->end.p, m->end.n};
	step->event = (struct kernel_event){
	    .tag = 'c', .time = last, .process = NOBODY, .space = NOBODY, .file = NOBODY};
	m->end.n = 0;
	m->end_waits = false;
	return true;
}

static bool
give_event(struct laplace_merge *m, struct laplace_step *step, const struct rec *r)
{
	struct kernel_event *e = &step->event;

	if (m->end_waits)
		return give_end(m, step);
	step->refs = NULL;
	step->rec = r;
	step->raw = m->events->raw[m->event++];
	kernel_event_read(e, &m->kernel, r, step->raw);
	m->last_event = e->time;
	laplace_state_apply(&m->state, e);
	/* Pages may change now. */
	if (memchr("MmSUuDCPp", e->tag, 9) && ++m->generation == 4096) {
		memset(m->cache, 0, PAGES_RECENT * sizeof *m->cache);
		m->generation = 1;
	}
	return true;
}

/* Finds the page of a reference that is not in the cache. */
static COLD void
find_page(struct laplace_merge *m, struct cached *c, uint64_t key, uint64_t time)
{
	struct laplace_state *t = &m->state;
	uint32_t vpn = (uint32_t)key & (TREE_PAGES - 1);
	uint64_t id = (uint32_t)(key >> 20);

	if (!m->found || t->space[m->found_space].id != id) {
		m->found_space = laplace_state_space(t, id);
		m->found = true;
	}
	c->page = canon_touch(&t->canon, &t->space[m->found_space].root, id, vpn, time,
			      vpn >= m->opt->kernel_base >> PAGE_BITS, &c->region);
	c->key = key;
}

/* Finds the number and region of the page of each reference. */
static void
find_pages(struct laplace_merge *m, struct laplace_step *step)
{
	const uint8_t *p = step->refs;
	uint64_t generation = (uint64_t)m->generation << 52, outside = 0;

	for (uint32_t i = 0; i < step->n; i++, p += LAPLACE_RECORD) {
		uint32_t space = le32(p + 10), vpn = le32(p + 14) >> PAGE_BITS;
		uint64_t key = generation | (uint64_t)space << 20 | vpn;
		struct cached *c =
		    &m->cache[(space * 0x9E3779B1u ^ vpn) & (PAGES_RECENT - 1)];

		if (unlikely(c->key != key))
			find_page(m, c, key, le64(p + 1));
		step->page[i] = c->page;
		step->region[i] = c->region;
		outside += c->region == REGION_NONE;
	}
	m->outside += outside;
}

/* Returns in *step the references up to the time `until`, at most `most`; there must be one. Returns false if
 * reading stops instead. */
static bool
give_refs(struct laplace_merge *m, struct laplace_step *step, uint64_t until, uint32_t most)
{
	const uint8_t *p = m->block + m->at * LAPLACE_RECORD;
	size_t left = m->n - m->at, n = left < most ? left : most, i;
	uint64_t last = m->last, space = NO_SPACE, others = 0;
	const struct laplace_process *current;

	if (m->state.current != NOBODY) {
		if (m->state.process[m->state.current].space == NOBODY)
			laplace_state_learn(&m->state, m->state.current, le32(p + 10));
		current = &m->state.process[m->state.current];
		space = m->state.space[current->space].id;
	}
	step->refs = p;
	for (i = 0; i < n; i++, p += LAPLACE_RECORD) {
		uint64_t time = le64(p + 1);

		if (unlikely(time > until || !laplace_letter(*p)))
			break;
		if (unlikely(time < last)) {
			laplace_clock_back(&m->refs, input_offset(m, m->at + i),
					   &m->back_said);
			if (m->refs.stop)
				break;
		}
		last = time;
		others += le32(p + 10) != space;
	}
	m->last = last;
	m->mismatches += space == NO_SPACE ? 0 : others;
	m->at += i;
	step->n = (uint32_t)i;
	if (m->opt->pages)
		find_pages(m, step);
	return i > 0;
}

bool
laplace_merge_next(struct laplace_merge *m, struct laplace_step *step, uint32_t most)
{
	while (!m->of->stop && !m->refs.stop && !m->kernel.stop) {
		bool refs = have_refs(m);
		const struct rec *r = next_event(m);
		uint64_t until = r ? (uint64_t)r->time : UINT64_MAX, time;
		const uint8_t *p;

		if (!refs && !r)
			return m->end_waits && give_end(m, step);
		if (!refs)
			return give_event(m, step, r);
		p = m->block + m->at * LAPLACE_RECORD;
		time = le64(p + 1);
		if (r && (m->opt->kernel_first ? time >= until : time > until))
			return give_event(m, step, r);
		if (unlikely(!laplace_letter(*p))) {
			laplace_bad_type(&m->refs, input_offset(m, m->at++), *p);
			continue;
		}
		if (give_refs(m, step, until - (r && m->opt->kernel_first), most))
			return true;
	}
	return false;
}

static void
warn_count(uint64_t n, const char *one, const char *many)
{
	if (n)
		warn("%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

void
laplace_merge_end(struct laplace_merge *m)
{
	if (m->refs_open)
		merge_end_input(m, &m->refs);
	if (m->kernel_open)
		end_kernel(m);
	m->refs_open = false;
	warn_count(m->mismatches, "reference has another space than the running process",
		   "references have another space than the running process");
	warn_count(m->outside, "reference lies outside of all regions",
		   "references lie outside of all regions");
	warn_count(m->state.no_range,
		   "duplicated range ends before it begins, and is ignored",
		   "duplicated ranges end before they begin, and are ignored");
	if (m->opt->table)
		canon_table(&m->state.canon, m->opt->table);
}
