/* merged_input.c - reads the events of one input of a merge, moves their times, and sorts them. */
#include <stdlib.h>
#include <string.h>

#include "view/field.h"
#include "merge/lateness.h"
#include "merge/merged_state.h"

#define AREA_MOST (4u << 20) /* bytes of records taken at a time */

/* Adds a type of an input to `held`, with the arguments trace= and input= if they are wanted. Returns its number
 * there plus 1. */
static COLD uint32_t
new_type(struct merged *m, struct merge_input *in, uint32_t type)
{
	const struct type *from = &in->s.t.type[type];
	/* With --by-time no event is written, so the input's name gets a key of its own if an argument is called
	 * `input`. */
	bool beside = m->opts->direct && arg_named(from, "input");
	const char *const name[] = {"trace", beside ? FIELD_INPUT_KEY : "input"};
	const bool asked[] = {m->opts->trace, m->opt.need & NEED_INPUT};
	struct type ty = *from;
	struct arg *args = xcalloc(ty.nargs + 2, sizeof *args);
	uint32_t id, n = 0;

	for (size_t i = 0; i < 2; i++)
		if (asked[i] && !arg_named(from, name[i]))
			args[from->nargs + n++] = (struct arg){
			    .name = name[i], .kind = K_CONST, .text = in->s.input};
	if (from->nargs)
		memcpy(args, from->args, from->nargs * sizeof *args);
	ty.args = args;
	ty.nargs += n;
	id = import_type_as(&in->import, type, &ty);
	free(args);
	return id + 1;
}

/* Adds a location of an input, with the input's name before it, to `held`. Returns its number there. A / in the
 * input's name is escaped, because it would separate parts. */
static COLD uint32_t
new_place(struct merged *m, struct merge_input *in, uint32_t loc)
{
	const struct str *from = loc < in->s.t.str.n ? &in->s.t.str.v[loc] : NULL;
	struct buf b = {0};
	uint32_t id;

	for (const char *p = in->s.input; *p; p++)
		buf_add(&b, *p == '/' ? "\\x2f" : p, *p == '/' ? 4 : 1);
	if (from && loc) {
		buf_byte(&b, '/');
		buf_add(&b, from->s, from->len);
	}
	id = strtab_id(&m->held.str, b.p, b.n);
	buf_free(&b);
	GROW(in->place, in->placecap, loc + 1);
	in->place[loc] = id + 1;
	return id;
}

/* Clears the numbers that are kept for `in` if the numbers of types or strings have changed, in the input or in
 * `held`. */
void
merged_renumber(struct merged *m, struct merge_input *in)
{
	import_from(&in->import, &in->s.t);
	if (in->place_from == in->s.t.epoch && in->place_to == m->held.epoch)
		return;
	in->place_from = in->s.t.epoch;
	in->place_to = m->held.epoch;
	if (in->placecap)
		memset(in->place, 0, in->placecap * sizeof *in->place);
}

/* Sets the duration so that the event's end is moved like its begin. If the end does not fit, the duration stays. */
static void
scale_dur(const struct merged *m, const struct merge_input *in, const struct rec *from,
	  struct rec *to)
{
	int64_t end = time_plus(m->out.head.clock, from->time, from->dur);

	if ((uint64_t)end - (uint64_t)from->time == (uint64_t)from->dur &&
	    merged_move(m, in, &end))
		to->dur = (int64_t)((uint64_t)end - (uint64_t)to->time);
}

/* Copies a record of an input to `to`, with types and strings of `held`, and its time moved. */
static inline void
put_rec(struct merged *m, struct merge_input *in, const struct rec *from, struct rec *to)
{
	uint32_t n = from->type < in->import.typecap ? in->import.type[from->type] : 0;

	copy16s((uint8_t *)to, (const uint8_t *)from, from->len);
	if (unlikely(!n))
		n = new_type(m, in, from->type);
	to->time = in->time;
	if (unlikely(m->opts->scale_dur && in->shift.scale_set && to->has & HAS_DUR))
		scale_dur(m, in, from, to);
	import_rec(&in->import, &in->s.t, &in->s.t.type[from->type], to, n - 1);
	if (unlikely(m->opts->trace_loc)) {
		uint32_t place = from->loc < in->placecap ? in->place[from->loc] : 0;

		to->loc = place ? place - 1 : new_place(m, in, from->loc);
	}
	if (unlikely(in->blocks != 1) && to->has & HAS_ADDR &&
	    !m->held.type[n - 1].addr_hex) {
		if (!in->blocks)
			merged_unit(m, in);
		to->addr *= in->blocks;
	}
}

/* Closes an input, which has ended or of which no more is wanted, after its last messages. */
void
merged_end_input(struct merged *m, struct merge_input *in)
{
	struct source *s = &in->s;
	char number[32];
	uint64_t by = in->late_by;

	if (!in->open)
		return;
	in->open = in->more = false;
	source_end(s);
	if (in->late) {
		lateness_text(number, m->out.head.clock, by);
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "%llu event%s come%s later than the resort window, the first is "
		      "event %llu: --resort %s%s puts all in order%s",
		      (unsigned long long)in->late, in->late == 1 ? "" : "s",
		      in->late == 1 ? "s" : "", (unsigned long long)in->late_at, number,
		      m->out.head.clock == CLOCK_NS ? "s" : "ticks",
		      in->w.over ? "; memory limits the window" : "");
	}
	if (in->skipped) {
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "%llu event%s skipped: the time, or the address, does not fit when "
		      "it is changed",
		      (unsigned long long)in->skipped, in->skipped == 1 ? "" : "s");
		s->faults.lost += in->skipped;
	}
	if (!in->lost_where[0])
		memcpy(in->lost_where, s->faults.where, sizeof in->lost_where);
	m->out.trouble |= s->trouble;
	m->out.faults.lost += s->faults.lost;
	m->out.faults.upstream += s->faults.upstream;
	if (m->opts->late) {
		m->opts->late->events += in->late;
		if (by > m->opts->late->by)
			m->opts->late->by = by;
	}
	m->closed += s->in.buf ? in_offset(&s->in, s->in.end) : 0;
	m->stop |= s->opt->strict && s->stop;
	source_close(s);
	if (in->b)
		buf_free(&in->b->own);
	FREE(in->b);
	import_free(&in->import);
	memset(&in->import, 0, sizeof in->import);
	FREE(in->place);
	in->placecap = 0;
}

/* Reads the next batch of an input. Returns false at its end. */
bool
merged_read(struct merged *m, struct merge_input *in)
{
	while (in->more) {
		in->at = in->b->n = 0;
		in->more = source_next(&in->s, in->b);
		if (!in->more)
			in->b->n = 0;
		else if (m->started && in->s.head_serial != in->head_serial)
			merged_next_head(m, in);
		if (in->b->n) {
			in->any = true;
			merged_renumber(m, in);
			return true;
		}
	}
	if (m->started)
		merged_end_input(m, in);
	return false;
}

/* Moves the time of the current record, in->time. Returns false, and counts the record as skipped, if its time or
 * addr does not fit. */
static bool
move_event(const struct merged *m, struct merge_input *in, const struct rec *r)
{
	if ((!in->moves || merged_move(m, in, &in->time)) &&
	    (in->blocks <= 1 || r->addr <= UINT64_MAX / in->blocks ||
	     in->s.t.type[r->type].addr_hex))
		return true;
	in->skipped++;
	return false;
}

/* Returns true if the arguments of the current record can get new numbers. Else reports the record as skipped. */
static bool
can_import(struct merge_input *in, const struct rec *r)
{
	if (import_apart(&in->s.t.type[r->type], r))
		return true;
	fault(&in->s, NULL, COST_EVENT, in->s.name, NOWHERE,
	      "event %llu is skipped: some of its arguments share their bytes",
	      (unsigned long long)(in->s.count.events - in->b->n + in->at + 1));
	return false;
}

void
merged_check(struct merge_input *in)
{
	bool arrays = in->s.t.holds & HOLDS_SYM_ARRAYS;
	uint32_t n = 0;

	if (likely(!arrays && !in->at))
		return;
	for (; in->at < in->b->n; in->at++)
		if (!arrays || can_import(in, batch_rec(in->b, in->at)))
			in->b->off[n++] = in->b->off[in->at];
	in->b->n = n;
}

/* Finds the next event of an input and stores its key. Returns false at the end. */
static inline bool
next_event(struct merged *m, struct merge_input *in, uint64_t *key)
{
	for (;;) {
		const struct rec *r;

		if (unlikely(!in->b) || (in->at == in->b->n && !merged_read(m, in)))
			return false;
		r = batch_rec(in->b, in->at);
		in->time = r->time;
		if (likely((!in->changes || move_event(m, in, r)) &&
			   (!(in->s.t.holds & HOLDS_SYM_ARRAYS) || can_import(in, r))))
			break;
		in->at++;
	}
	*key = (uint64_t)in->time ^ m->flip;
	return true;
}

/* Counts an event that is later than its window allows. Returns `floor`, the key with which it stays at its place. */
static COLD uint64_t
late_event(struct merge_input *in, uint64_t key, uint64_t floor, uint64_t max)
{
	if (!in->late++)
		in->late_at = in->s.count.events - in->b->n + in->at + 1;
	if (max - key > in->late_by)
		in->late_by = max - key;
	return floor;
}

/* Fills the window until some records may leave. Returns false if there are none left. */
static bool
fill_window(struct merged *m, struct merge_input *in)
{
	struct resort *w = &in->w;
	bool more = true;
	uint64_t key;

	while (w->at == w->ready) {
		if (!more)
			return false;
		while (resort_wants(w) && (more = next_event(m, in, &key))) {
			const struct rec *r = batch_rec(in->b, in->at);

			if (unlikely(key < w->floor))
				key = late_event(in, key, w->floor, w->max);
			put_rec(m, in, r, resort_add(w, key, r->len));
			in->at++;
		}
		resort_sort(w, !more);
	}
	return true;
}

/* Returns the key of the next event of an input. Returns MERGE_END if there is none, or if all events left have
 * that key: see give_last. */
static inline uint64_t
next_key(struct merged *m, struct merge_input *in)
{
	uint64_t key;

	if (in->windowed)
		return in->w.at == in->w.ready && !fill_window(m, in)
			   ? MERGE_END
			   : in->w.v[in->w.at].key;
	if (!next_event(m, in, &key))
		return MERGE_END;
	if (unlikely(key < in->last))
		return late_event(in, key, in->last, in->last);
	return in->last = key;
}

uint64_t
merged_key(struct merged *m, struct merge_input *in)
{
	return next_key(m, in);
}

void
merged_take(void *ctx, uint32_t i, uint64_t below, uint32_t most)
{
	struct merged *m = ctx;
	struct merge_input *in = m->in[i];
	struct buf *area = &m->m.area;
	uint64_t key = m->head[i];

	do {
		const struct rec *r =
		    in->windowed ? resort_first(&in->w) : batch_rec(in->b, in->at);
		size_t need = r->len + REC_SLACK;
		uint8_t *p = likely(area->cap - area->n >= need) ? area->p + area->n
								 : buf_room(area, need);
		struct rec *to = (struct rec *)(void *)p;

		merge_add(&m->m, key, (uint32_t)area->n);
		area->n += r->len;
		if (in->windowed) {
			copy16s((uint8_t *)to, (const uint8_t *)r, r->len);
			resort_leave(&in->w);
		} else {
			put_rec(m, in, r, to);
			in->at++;
		}
		key = next_key(m, in);
	} while (--most && key < below && area->n < AREA_MOST);
	m->m.full = area->n >= AREA_MOST;
	m->head[i] = key;
}

/* Returns true if an event of the input is in memory. */
bool
merged_pending(const struct merge_input *in)
{
	return in->windowed ? in->w.at < in->w.ready : in->b && in->at < in->b->n;
}
