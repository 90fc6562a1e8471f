/* perfetto.c - traces for Perfetto: protocol buffers, a packet for each begin and each end.
 *
 * Messages and numbers of fields are in protos/perfetto/trace/ of Perfetto. Names are sent once, and have a
 * number from then on. Only packets with the same time depend on their order in the file. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "trace-export/perfetto.h"

static void
flush(struct perfetto *x, struct out *o)
{
	if (x->packets.n)
		out_bytes(o, x->packets.p, x->packets.n);
	x->packets.n = 0;
	if (o->line)
		out_flush(o);
}

static void
new_process(void *arg, uint32_t process, const char *name)
{
	struct perfetto *x = arg;

	perfetto_field(&x->body, PROCESS_PID, tracks_pid(process));
	perfetto_put_name(x, &x->body, PROCESS_NAME, name);
	perfetto_field(&x->packet, TRACK_UUID, UUID_PROCESS + process);
	perfetto_put_body(x, TRACK_PROCESS);
	perfetto_send(x, PACKET_TRACK, 0);
}

/* Sends the track of a lane. The first lane is the thread's own; the others are tracks with its name below it,
 * which the UI draws as one. */
static void
new_lane(void *arg, const struct track_place *p, uint32_t n)
{
	struct perfetto *x = arg;
	uint32_t id = p->lane[n].id;

	perfetto_field(&x->packet, TRACK_UUID, id);
	if (n) {
		perfetto_field(&x->packet, TRACK_PARENT, p->lane[0].id);
		perfetto_put_name(x, &x->packet, TRACK_NAME, p->name);
	} else {
		perfetto_field(&x->body, THREAD_PID, tracks_pid(p->process));
		perfetto_field(&x->body, THREAD_TID, p->lane[0].tid);
		perfetto_put_name(x, &x->body, THREAD_NAME, p->name);
		perfetto_put_body(x, TRACK_THREAD);
	}
	perfetto_send(x, PACKET_TRACK, 0);
}

static void
lane_text(void *arg, const struct track_place *p, const struct track_lane *l, bool lasts,
	  struct buf *to)
{
	(void)arg;
	(void)p;
	perfetto_field(to, EVENT_TYPE, lasts ? TYPE_BEGIN : TYPE_INSTANT);
	perfetto_field(to, EVENT_TRACK, l->id);
}

/* Begins a packet of an event at the end of x->packets. Returns the place for the event's fields, with room for
 * a few. */
static inline uint8_t *
begin_event(struct perfetto *x, int64_t time)
{
	static const uint8_t fields[8] = {PACKET_SEQUENCE, 1, PACKET_FLAGS, FLAG_NEEDS,
					  PACKET_EVENT};
	uint8_t *p = x->packets.p + x->packets.n;

	p = perfetto_room(x, p, ROOM);
	p[0] = TRACE_PACKET;
	p[2] = PACKET_TIME;
	p = perfetto_varint(p + 3, (uint64_t)time);
	memcpy(p, fields, 8);
	return p + 6;
}

/* Ends a packet: p is the end of the event's fields, which begin at `body`. Their length and the packet's
 * length have one byte each; longer ones move the fields. */
static inline void
end_event(struct perfetto *x, size_t body, uint8_t *p)
{
	uint8_t *from = x->packets.p + x->packets.n, *event = x->packets.p + body,
		n[2][NUMBER];
	size_t inner = (size_t)(p - event), all = (size_t)(p - from) - 2, k, m;

	if (unlikely(all > 127)) {
		k = (size_t)(perfetto_varint(n[0], inner) - n[0]);
		m = (size_t)(perfetto_varint(n[1], all + k - 1) - n[1]);
		p = perfetto_room(x, p, 2 * NUMBER);
		from = x->packets.p + x->packets.n;
		event = x->packets.p + body;
		memmove(event + k + m - 2, event, inner);
		memcpy(event - 1 + m - 1, n[0], k);
		memmove(from + 1 + m, from + 2, (size_t)(event - 1 - from) - 2);
		memcpy(from + 1, n[1], m);
		p += k + m - 2;
	} else {
		event[-1] = (uint8_t)inner;
		from[1] = (uint8_t)all;
	}
	x->packets.n = (size_t)(p - x->packets.p);
}

static void
lane_ends(void *arg, const struct track_lane *l, int64_t time)
{
	struct perfetto *x = arg;
	uint8_t *p = begin_event(x, time);
	size_t body = (size_t)(p - x->packets.p);

	copy16s(p, l->slice.p, CACHED_TEXT_FAST);
	p[1] = TYPE_END;
	end_event(x, body, p + l->slice.n);
}

/* Writes one event. Returns SKIPS, or why it is not written. */
static enum skip
perfetto_event(struct perfetto *x, struct source *s, const struct rec *r)
{
	struct perfetto_plan *pl = &x->plan[r->type];
	const struct cached_text *t;
	const struct track_lane *l;
	int64_t begin, end;
	struct track_place *place;
	enum skip skip;
	uint8_t *p;
	size_t body;

	if (unlikely(!pl->head_n))
		perfetto_plan(x, pl, s, &s->t.type[r->type]);
	skip = drawing_event(&x->drawing, s, r, &begin, &end, &place, &l);
	if (unlikely(skip != SKIPS))
		return skip;
	p = begin_event(x, begin);
	body = (size_t)(p - x->packets.p);
	t = r->has & HAS_DUR ? &l->slice : &l->moment;
	copy16s(p, t->p, CACHED_TEXT_FAST);
	p += t->n;
	copy16s(p, pl->head, SLACK);
	p += pl->head_n;
	for (uint32_t i = 0; i < pl->n; i++) {
		struct annotation *a = &pl->v[i];

		if (likely(a->kind == A_UINT && !(a->f.bit & ~r->has)))
			p = put_int(x, p, a, ANNOTATION_UINT,
				    ld64((const uint8_t *)r + a->f.off));
		else
			p = perfetto_annotate(x, p, s, r, a);
	}
	end_event(x, body, p);
	return SKIPS;
}

/* Sends a value of -C: draw_counter. */
static void
put_counter(void *arg, const struct track_place *place, size_t i, const char *label,
	    int64_t time, const char *text, bool whole)
{
	struct perfetto *x = arg;
	size_t n = exprs_tree(x->drawing.values.list)->nlets, at = place->process * n + i,
	       body;
	uint8_t *p;

	x->counted = grow(x->counted, &x->ncounted, at + 1, 1);
	if (!x->counted[at]) {
		x->counted[at] = 1;
		perfetto_field(&x->packet, TRACK_UUID, UUID_COUNTER + at);
		perfetto_field(&x->packet, TRACK_PARENT, UUID_PROCESS + place->process);
		perfetto_put_name(x, &x->packet, TRACK_NAME, label);
		perfetto_bytes(&x->packet, TRACK_COUNTER, "", 0);
		perfetto_send(x, PACKET_TRACK, 0);
	}
	p = begin_event(x, time);
	body = (size_t)(p - x->packets.p);
	p = put_field(p, EVENT_TYPE, TYPE_COUNTER);
	p = put_field(p, EVENT_TRACK, UUID_COUNTER + at);
	if (whole)
		p = put_field(p, EVENT_COUNTER, (uint64_t)strtoll(text, NULL, 10));
	else
		p = put_real(p, EVENT_REAL_COUNTER, strtod(text, NULL));
	end_event(x, body, p);
}

static void
perfetto_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	     uint32_t n)
{
	struct perfetto *x = k->state;

	if (!cache_holds(&x->plan_cache, s))
		x->category =
		    perfetto_name(x, &x->categories, NAMES_CATEGORY, s->head.format);
	cache_bound(&x->plan_cache);
	cache_bound(&x->symbols.cache);
	CACHE(x->plan, x->plan_cache, s, s->t.ntypes);
	cached_text_bind(&x->symbols, s);
	drawing_bind(&x->drawing, s, b, pick, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);

		drawing_done(&x->drawing, s, r, perfetto_event(x, s, r), at, i);
	}
	/* A quarter of the output's buffer is written without another copy. */
	if (x->packets.n >= OUT_SIZE / 4 || k->out.line)
		flush(x, &k->out);
}

static void
perfetto_begin(struct sink *k, struct read_options *opt)
{
	struct perfetto *x = k->state = xcalloc(1, sizeof *x);

	drawing_begin(
	    &x->drawing, k, opt,
	    &(struct track_writer){new_process, new_lane, lane_text, lane_ends, x},
	    put_counter, x);
	perfetto_send(x, 0, FLAG_CLEARED);
}

/* Sends the time of day at time 0. */
static void
perfetto_head(struct sink *k, struct source *s)
{
	struct perfetto *x = k->state;
	const uint64_t clock[2][2] = {{ID_BOOTTIME, 0},
				      {ID_REALTIME, (uint64_t)s->head.origin}};

	sink_no_terminal(k);
	if (x->drawing.headed || !head_dated(&s->head) || s->head.origin < 0)
		return;
	x->drawing.headed = true;
	for (int i = 0; i < 2; i++) {
		perfetto_field(&x->body, CLOCK_ID, clock[i][0]);
		perfetto_field(&x->body, CLOCK_TIME, clock[i][1]);
		perfetto_put_body(x, CLOCKS_CLOCK);
	}
	perfetto_send(x, PACKET_CLOCKS, 0);
}

static int
close_perfetto(struct sink *k)
{
	struct perfetto *x = k->state;
	int status;

	tracks_end(&x->drawing.tracks);
	flush(x, &k->out);
	if (x->cut)
		warn("perfetto: %llu value%s cut after %d bytes",
		     (unsigned long long)x->cut, x->cut == 1 ? " is" : "s are", TEXT_MOST);
	status = drawing_close(&x->drawing, k);
	cache_free(x->plan, &x->plan_cache);
	cached_text_free(&x->symbols);
	free(x->counted);
	strtab_free(&x->categories);
	strtab_free(&x->events);
	strtab_free(&x->names);
	buf_free(&x->packets);
	buf_free(&x->packet);
	buf_free(&x->body);
	buf_free(&x->value);
	buf_free(&x->text);
	buf_free(&x->raw);
	free(x);
	return status;
}

static const struct form form_perfetto = {
    .need = NEED_ALL,
    .binary = true,
    .begin = perfetto_begin,
    .head = perfetto_head,
    .see = drawing_see,
    .put = perfetto_put,
    .close = close_perfetto,
};

const struct target target_perfetto = {
    .name = "perfetto",
    .about = "slices of tracks, protocol buffers: ui.perfetto.dev, trace_processor",
    .takes = TAKES(COUNTERS),
    .carries = NEED_COLUMNS | NEED_ARGS,
    .lasts = true,
    .form = &form_perfetto,
};
