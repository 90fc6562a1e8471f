/* ctf.c - a directory in the Common Trace Format, version 1.8: babeltrace2, Trace Compass.
 *
 * There is one stream, "stream", of packets in order of time, and "metadata", a text that describes the bytes
 * of events. A class of events is a type with the columns that the event has, so that absent columns need no
 * bytes. Integers are stored as in the record: adjacent ones are copied at once. */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "trace-export/ctf.h"

#define PACKET (64u * 1024)
#define PACKET_HEAD 40
#define EVENT_HEAD 10
#define SLACK 64 /* bytes after data that copy16s() may write */
#define SECOND 1000000000
#define TIME_MOST (INT64_MAX - 2 * (int64_t)SECOND)

/* Returns the end of the packet, with room for n bytes and SLACK. */
static INLINE uint8_t *
ctf_room(struct ctf *x, size_t n)
{
	if (unlikely(x->packet.cap - x->packet.n < n + SLACK))
		buf_room(&x->packet, n + SLACK);
	return x->packet.p + x->packet.n;
}

/* Appends n bytes to the packet. There must be slack after p. */
static INLINE void
ctf_bytes(struct ctf *x, const void *p, size_t n)
{
	uint8_t *to = ctf_room(x, n);

	if (likely(n <= CACHED_TEXT_FAST))
		copy16s(to, p, CACHED_TEXT_FAST);
	else
		memcpy(to, p, n);
	x->packet.n += n;
}

/* Returns the text of a string of the tables, which is made once. */
static struct cached_text
string_text(struct ctf *x, const struct source *s, struct text_cache *kept, uint32_t id)
{
	const struct str *str;

	id = id < s->t.str.n ? id : 0; /* larger in a damaged stream */
	str = &s->t.str.v[id];
	if (likely(kept->v[id].p))
		return kept->v[id];
	if (kept == &x->locs)
		ctf_value(x, str->s, str->len);
	else
		ctf_raw(x, (const uint8_t *)str->s, str->len);
	return cached_text_set(kept, id, &x->raw);
}

static void
put_step(struct ctf *x, const struct source *s, const struct rec *r,
	 const struct ctf_step *st)
{
	const uint8_t *p = (const uint8_t *)r + st->off;
	struct cached_text text;
	uint32_t n;

	switch (st->kind) {
	case COPY: ctf_bytes(x, p, st->n); break;
	case CONST: ctf_bytes(x, st->at, st->n); break;
	case LOC:
	case SYMBOL:
		text = string_text(x, s, st->kind == LOC ? &x->locs : &x->symbols, ld32(p));
		ctf_bytes(x, text.p, text.n);
		break;
	case ARRAY:
		if (!rec_span(r, st->at, &p, &n))
			n = 0;
		st32(ctf_room(x, 4), n);
		x->packet.n += 4;
		memcpy(ctf_room(x, (size_t)n * st->n), p, (size_t)n * st->n);
		x->packet.n += (size_t)n * st->n;
		break;
	default:
		x->text.n = 0;
		value_arg(&x->text, &s->t, r, st->at);
		buf_room(&x->text, 1);
		ctf_value(x, x->text.p, x->text.n);
		buf_room(&x->raw, SLACK);
		ctf_bytes(x, x->raw.p, x->raw.n);
	}
}

/* Writes the packet, whose first n bytes are whole events, and begins the next packet with the rest. */
static void
send(struct ctf *x, size_t n)
{
	uint8_t *p = x->packet.p;

	st32(p, 0xc1fc1fc1);
	st32(p + 4, 0); /* number of the stream */
	st64(p + 8, (uint64_t)x->begin);
	st64(p + 16, (uint64_t)x->last);
	st64(p + 24, n * 8);
	st64(p + 32, n * 8);
	out_bytes(&x->stream, p, n);
	memmove(p + PACKET_HEAD, p + n, x->packet.n - n);
	x->packet.n -= n - PACKET_HEAD;
}

/* Sets *time to the time of r in the stream. Returns SKIPS, or why r is not written. The first event of the
 * input has the smallest time, which may be negative: all times are shifted by it. */
static INLINE enum skip
time_of(struct ctf *x, const struct rec *r, uint64_t *time)
{
	int64_t t = r->time, origin = x->head.origin;

	if (x->head.clock == CLOCK_TICKS && t < 0)
		return SKIP_LARGE;
	if (unlikely(!x->begun))
		x->shift = t < 0 ? 0 - (uint64_t)t : 0;
	*time = (uint64_t)t + x->shift;
	/* Readers count from 1970, or from the origin, and overflow at the last second. */
	if (unlikely(t > (origin > 0 ? TIME_MOST - origin : TIME_MOST) ||
		     t < (origin < 0 ? -TIME_MOST - origin : -TIME_MOST) ||
		     (t > 0 && *time > TIME_MOST)))
		return SKIP_LARGE;
	if (unlikely(x->begun && (int64_t)*time < x->last)) {
		x->tally.late++;
		*time = (uint64_t)x->last;
	}
	return SKIPS;
}

static INLINE enum skip
ctf_event(struct ctf *x, const struct source *s, const struct rec *r)
{
	unsigned has = (r->has & HAS_ALL) | (r->loc ? HAS_LOC : 0);
	struct event_class *c = &x->class[r->type * COLUMNS + has];
	size_t before = x->packet.n;
	uint64_t time;
	enum skip skip = time_of(x, r, &time);
	uint8_t *p;

	if (unlikely(skip != SKIPS))
		return skip;
	if (unlikely(!c->step))
		ctf_class(x, &s->t.type[r->type], has, c);
	if (unlikely(c->id == CLASSES_MOST))
		return SKIP_TYPES;
	p = ctf_room(x, EVENT_HEAD);
	st16(p, (uint16_t)c->id);
	st64(p + 2, time);
	x->packet.n += EVENT_HEAD;
	for (uint32_t i = 0; i < c->n; i++)
		put_step(x, s, r, &c->step[i]);
	if (unlikely(x->packet.n > PACKET) && before > PACKET_HEAD) {
		send(x, before);
		before = PACKET_HEAD;
	}
	if (before == PACKET_HEAD)
		x->begin = (int64_t)time;
	x->last = (int64_t)time;
	x->begun = true;
	return SKIPS;
}

static void
ctf_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	uint32_t n)
{
	struct ctf *x = k->state;

	CACHE(x->class, x->class_cache, s, (size_t)s->t.ntypes * COLUMNS);
	cached_text_bind(&x->locs, s);
	cached_text_bind(&x->symbols, s);
	tally_bind(&x->tally, s);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		enum skip skip = ctf_event(x, s, r);

		if (likely(skip == SKIPS))
			tally_event(&x->tally, r);
		else
			tally_skip(&x->tally, skip);
	}
}

static void
ctf_begin(struct sink *k, struct read_options *opt)
{
	struct ctf *x = tally_open(k, opt, sizeof *x);

	out_open_in(&x->stream, k->dir, "stream");
	out_open_in(&x->meta, k->dir, "metadata");
	memset(buf_room(&x->packet, PACKET), 0, PACKET_HEAD);
	x->packet.n = PACKET_HEAD;
}

static void
ctf_head(struct sink *k, struct source *s)
{
	struct ctf *x = k->state;

	if (*x->head.format)
		return;
	memcpy(x->head.format, s->head.format, sizeof x->head.format);
	x->head.clock = s->head.clock;
	x->head.origin = s->head.clock == CLOCK_NS ? s->head.origin : 0;
}

static int
close_ctf(struct sink *k)
{
	struct ctf *x = k->state;
	int status;

	if (x->packet.n > PACKET_HEAD)
		send(x, x->packet.n);
	ctf_metadata(x);
	status = out_close(&x->stream, ST_OK);
	status = out_close(&x->meta, status);
	strtab_free(&x->classes);
	cache_free(x->class, &x->class_cache);
	cached_text_free(&x->locs);
	cached_text_free(&x->symbols);
	buf_free(&x->packet);
	buf_free(&x->steps);
	buf_free(&x->text);
	buf_free(&x->raw);
	buf_free(&x->name);
	buf_free(&x->length);
	return tally_form_close(k) == ST_OK ? status : ST_TROUBLE;
}

static const struct form form = {.begin = ctf_begin,
				 .head = ctf_head,
				 .put = ctf_put,
				 .close = close_ctf,
				 .directory = "ctf"};

const struct target target_ctf = {
    .name = "ctf",
    .about = "the Common Trace Format 1.8, a directory: babeltrace2, Trace Compass",
    .carries = NEED_COLUMNS | NEED_ARGS,
    .lasts = true,
    .form = &form,
};
