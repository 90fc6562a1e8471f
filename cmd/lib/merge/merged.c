/* merged.c - see merged.h */
#include <stdlib.h>
#include <string.h>

#include "merge/merged_state.h"
#include "input/slice.h"

#define NAMES_MOST (3u << 20) /* bytes of the tables at which they start anew */

const struct merge_settings merge_by_time = {
    .is.each = trace_merged, .align = ALIGN_ORIGIN, .rescale = true, .direct = true};

const char *
merge_option(void *read, const char *none)
{
	((struct read_options *)read)->merge = &merge_by_time.is;
	return none;
}

/* Fills the area with the events that are left, input after input; all have the greatest key. Returns false if
 * there are none. */
static bool
give_last(struct merged *m)
{
	m->m.nentries = m->m.at = 0;
	m->m.full = false;
	for (size_t i = 0; i < m->n; i++)
		while (merged_pending(m->in[i]) && m->m.nentries < BATCH && !m->m.full)
			merged_take(m, (uint32_t)i, MERGE_END, 1);
	m->m.ready = m->m.nentries;
	return m->m.ready > 0;
}

static void
renew_rec(void *arg, struct rec *r)
{
	struct merged *m = ((void **)arg)[0];
	struct tables *old = ((void **)arg)[1];

	import_rec(&m->all, old, &old->type[r->type], r,
		   import_type(&m->all, old, r->type));
}

static size_t
names_bytes(const struct tables *t)
{
	return t->bytes + t->str.bytes + 64 * (size_t)t->str.n;
}

/* Starts the tables of waiting records anew, with only the types and strings that these records name. Called when
 * the tables are full. */
static COLD void
renew_tables(struct merged *m)
{
	struct tables *t = &m->held, old = *t;
	void *arg[2] = {m, &old};
	size_t bytes;

	memset(t, 0, sizeof *t);
	tables_reset(t);
	old.epoch = serial();
	import_from(&m->all, &old);
	for (uint32_t i = m->m.at; i < m->m.nentries; i++)
		renew_rec(arg,
			  (struct rec *)(void *)(m->m.area.p + (uint32_t)m->m.entry[i]));
	for (size_t i = 0; i < m->n; i++) {
		if (m->in[i]->windowed)
			resort_each(&m->in[i]->w, renew_rec, arg);
		if (m->in[i]->open)
			merged_renumber(m, m->in[i]);
	}
	tables_free(&old);
	bytes = names_bytes(t);
	while (m->names_most < 2 * bytes)
		m->names_most *= 2;
}

/* Gives the events of a batch the numbers of `out`, in their order. So the numbers depend on the order of the
 * output alone, not on when an event was read, and the output is always the same. */
static void
give_numbers(struct merged *m, struct batch *b)
{
	struct tables *t = &m->out.t;
	uint32_t n = b->n;

	if (tables_full(t))
		tables_reset(t);
	import_from(&m->give, &m->held);
	for (uint32_t i = 0; i < n; i++) {
		struct rec *r = (struct rec *)(void *)(m->m.area.p + b->off[i]);
		uint32_t known = t->ntypes + t->str.n,
			 to = r->type < m->give.typecap ? m->give.type[r->type] : 0;

		if (unlikely(!to))
			to = import_type(&m->give, &m->held, r->type) + 1;
		import_rec(&m->give, &m->held, &m->held.type[r->type], r, to - 1);
		/* Full tables start anew after the same event, however the events were divided into batches. */
		if (unlikely(t->ntypes + t->str.n != known) && tables_full(t)) {
			b->n = i + 1;
			m->m.at -= n - b->n;
			return;
		}
	}
}

/* Fills b with the next events of all inputs. Returns false at the end. */
static bool
merged_next(struct merged *m, struct batch *b)
{
	while (m->m.at == m->m.ready) {
		if (m->stop)
			return false;
		merge_keep(&m->m);
		if (names_bytes(&m->held) > m->names_most)
			renew_tables(m);
		if (!merge_next(&m->m) && !give_last(m))
			return false;
	}
	merge_give(&m->m, b);
	give_numbers(m, b);
	m->out.count.events += b->n;
	return true;
}

/* Notes the place of lost events when one of several streams of an input has ended. */
static void
head_done(void *arg, struct source *s)
{
	struct merged *m = arg;

	for (size_t i = 0; i < m->n; i++)
		if (&m->in[i]->s == s && !m->in[i]->lost_where[0])
			memcpy(m->in[i]->lost_where, s->faults.where,
			       sizeof s->faults.where);
}

static void
close_all(struct merged *m, bool cut)
{
	for (size_t i = 0; i < m->n; i++) {
		m->in[i]->s.stop |= cut;
		merged_end_input(m, m->in[i]);
		if (!m->out.faults.where[0])
			memcpy(m->out.faults.where, m->in[i]->lost_where,
			       sizeof m->out.faults.where);
	}
}

static void
free_all(struct merged *m)
{
	for (size_t i = 0; i < m->n; i++) {
		resort_free(&m->in[i]->w);
		free(m->in[i]);
	}
	free(m->in);
	free(m->spare.v);
	buf_free(&m->spare.bytes);
	free(m->head);
	merge_free(&m->m);
	import_free(&m->all);
	import_free(&m->give);
	tables_free(&m->held);
	head_free(&m->out.head);
	arena_free(&m->out.meta);
	tables_free(&m->out.t);
}

/* Prints how much of all inputs has been read, after a signal has asked for it. */
static void
say_progress(struct merged *m)
{
	m->out.count.bytes_before = m->closed;
	for (size_t i = 0; i < m->n; i++)
		if (m->in[i]->open && m->in[i]->s.in.buf)
			m->out.count.bytes_before +=
			    in_offset(&m->in[i]->s.in, m->in[i]->s.in.p);
	source_say_progress(&m->out);
}

/* Passes on the batches of the only input, which is in order and whose first batch has been read. Returns false if
 * the consumer wants no more. */
static bool
pass_on(struct merged *m, const struct consumer *to)
{
	struct merge_input *in = m->in[0];
	bool more, stop;

	do {
		merged_check(in);
		m->out.count.events += in->b->n;
		stop = in->s.stop;
		more = (!m->slice || slice_keep(&in->s, m->slice, in->b)) &&
		       to->batch(to->arg, &in->s, in->b) && in->s.stop == stop;
		if (progress_due)
			say_progress(m);
	} while (more && merged_read(m, in));
	m->out.slice.last = in->s.slice.last;
	return more;
}

int
trace_merged(const struct read_options *opt, char *const *paths, size_t n,
	     const struct consumer *to)
{
	static const char *const standard_input[] = {"-"};
	struct merged m = {
	    .opt = *opt, .opts = (const void *)opt->merge, .slice = opt->slice};
	struct batch *b = xcalloc(1, sizeof *b);
	bool more = true, passes;

	if (opt->follow)
		die("--follow: cannot write a file that grows in order of time");
	m.opt.streams_pass = false;
	m.opt.head_done = head_done;
	m.opt.head_arg = &m;
	m.opt.rereads = 2 * opt->rereads + 1;
	m.opt.need |= NEED_TIME | NEED_ORDER;
	m.paths = n ? (const char *const *)paths : standard_input;
	m.npaths = n ? n : 1;
	inputs_name(&m.opt, m.paths, m.npaths);
	inputs_begin(&m.opt, m.paths, m.npaths);
	/* the slice is cut from the merged events, by their common clock */
	m.opt.slice = NULL;
	m.names_most = NAMES_MOST;
	merged_open(&m);
	passes = m.n == 1 && m.opts->direct && m.in[0]->in_order && !m.in[0]->changes &&
		 merged_pending(m.in[0]);
	if (passes)
		more = pass_on(&m, to);
	while (!passes && to->batch && more && merged_next(&m, b)) {
		more = (!m.slice || slice_keep(&m.out, m.slice, b)) &&
		       to->batch(to->arg, &m.out, b);
		/* If one stream stops the reading, no other can continue. */
		more &= !m.out.stop;
		if (progress_due)
			say_progress(&m);
	}
	close_all(&m, !more || m.stop);
	if (to->end)
		to->end(to->arg, &m.out);
	if (more)
		format_unused(opt);
	more = m.out.trouble;
	free_all(&m);
	free(b);
	return more ? ST_TROUBLE : ST_OK;
}
