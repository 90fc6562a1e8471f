/*
 * text_write.c - writes events as lines.
 *
 * A line is written by a plan (text_plan.c). Seconds and locations are cached as text. Rare values are written in
 * the general way, by value.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "event/value.h"
#include "stream/text_plan.h"

#define FEW 32 /* limit of the bytes that put_few writes in hex */

static inline uint8_t *
text_room(struct out *o, uint8_t *p)
{
	if (unlikely(p + PART > o->lim + OUT_SLACK)) {
		o->p = p;
		out_spill(o);
		p = o->p;
	}
	return p;
}

/* Writes a value in the general way. */
static uint8_t *
put_value(struct text_writer *w, const struct tables *t, uint8_t *p, const struct rec *r,
	  const struct arg *a)
{
	w->scratch.n = 0;
	value_arg(&w->scratch, t, r, a);
	/* An empty buffer has no address, which memcpy() does not accept. */
	if (w->scratch.n == 0)
		return p;
	if (w->scratch.n > PART - 2 * LIT)
		return out_bytes_at(w->out, p, w->scratch.p, w->scratch.n);
	memcpy(p, w->scratch.p, w->scratch.n);
	return p + w->scratch.n;
}

/* Writes a cached text. After a long one there is as much room as at the begin of a line. */
static INLINE uint8_t *
put_kept(struct out *o, uint8_t *p, const struct cached_text *t)
{
	copy16s(p, t->p, CACHED_TEXT_FAST);
	return likely(t->n <= CACHED_TEXT_FAST) ? p + t->n : out_bytes_at(o, p, t->p, t->n);
}

static uint8_t *
put_symbol(struct text_writer *w, const struct tables *t, uint8_t *p, const struct rec *r,
	   const struct arg *a)
{
	uint32_t sym = ld32((const uint8_t *)r + a->off);

	if (likely(sym < t->str.n)) {
		if (unlikely(!w->symbols.v[sym].p))
			text_symbol_build(w, t, r, a, sym);
		return put_kept(w->out, p, &w->symbols.v[sym]);
	}
	return put_value(w, t, p, r, a);
}

/* Returns an integer that fits in an int64_t. */
static inline int64_t
narrow_int(const uint8_t *p, unsigned kind)
{
	switch (kind) {
	case K_I8: return (int8_t)*p;
	case K_I16: return (int16_t)ld16(p);
	case K_I32: return (int32_t)ld32(p);
	case K_I64: return (int64_t)ld64(p);
	case K_U8: return *p;
	case K_U16: return ld16(p);
	default: return ld32(p);
	}
}

/* Writes an integer whose value may have a name. */
static inline uint8_t *
put_label(uint8_t *p, const struct text_labels *l, int64_t v)
{
	uint64_t at = (uint64_t)v - (uint64_t)l->lo;

	if (at < l->n && l->v[at].n) {
		copy16s(p, l->v[at].text, LIT);
		return p + l->v[at].n;
	}
	return put_i64(p, v);
}

/* Writes an array of integers with commas between. */
static uint8_t *
put_integers(struct text_writer *w, uint8_t *p, const struct rec *r,
	     const struct arg_segment *g)
{
	unsigned kind = g->arg->kind;
	uint32_t width = g->width;
	struct part part;
	const uint8_t *v;

	memcpy(&part, (const uint8_t *)r + g->off, sizeof part);
	if (!part.n || part.off > r->len || (uint64_t)part.n * width > r->len - part.off)
		return p; /* empty, or from a damaged binary stream, whose reader has reported it */
	v = (const uint8_t *)r + part.off;
	for (;;) {
		if (g->labels)
			p = put_label(p, g->labels, narrow_int(v, kind));
		else if (likely(kind == K_I32))
			p = put_i32(p, (int32_t)ld32(v));
		else if (likely(kind == K_I8))
			p = put_i32(p, (int8_t)*v);
		else
			p = put_i64(p, narrow_int(v, kind));
		if (!--part.n)
			return p;
		*p++ = ',';
		v += width;
		p = text_room(w->out, p);
	}
}

/* Writes a few bytes in hex, four at a time: their nibbles are spread over eight bytes. */
static inline uint8_t *
put_few(uint8_t *p, const uint8_t *from, uint32_t n)
{
	const uint64_t ones = 0x0101010101010101u;

	memcpy(p, "0x", 2);
	for (uint32_t i = 0; i < n; i += 4) {
		uint64_t v = le32(from + i);

		v = (v | v << 16) & 0x0000ffff0000ffffu;
		v = (v | v << 8) & 0x00ff00ff00ff00ffu;
		v = (v >> 4 & ones * 15) | (v & 0x000f000f000f000fu) << 8;
		v += ones * '0' + ((v + ones * 6) >> 4 & ones) * ('a' - '9' - 1);
		st64(p + 2 + 2 * (size_t)i, HOST_BIG ? swap64(v) : v);
	}
	return p + 2 + 2 * (size_t)n;
}

static uint8_t *
put_bytes(struct text_writer *w, const struct tables *t, uint8_t *p, const struct rec *r,
	  const struct arg *a)
{
	const uint8_t *from;
	uint32_t n;

	if (likely(rec_span(r, a, &from, &n) && n <= FEW))
		return put_few(p, from, n);
	return put_value(w, t, p, r, a);
}

static uint8_t *
put_args(struct text_writer *w, const struct tables *t, uint8_t *p,
	 const struct text_plan *pl, const struct rec *r)
{
	struct arg_segment *g = pl->segment, *end = g + pl->nsegments;
	bool many = pl->many;

	for (; g < end; g++) {
		const uint8_t *v = (const uint8_t *)r + g->off;

		if (unlikely(many))
			p = text_room(w->out, p);
		if (likely(g->n)) {
			copy16s(p, g->lit, LIT);
			if (g->n > LIT)
				copy16s(p + LIT, g->lit + LIT, LIT);
			p += g->n;
		} else {
			*p++ = '\t';
			p = out_bytes_at(w->out, p, g->arg->name, strlen(g->arg->name));
			*p++ = '=';
		}
		switch (g->kind) {
		case K_U8: p = put_u32(p, *v); break;
		case K_U16: p = put_u32(p, ld16(v)); break;
		case K_U32: p = put_u32(p, ld32(v)); break;
		case K_I32: p = put_i32(p, (int32_t)ld32(v)); break;
		case K_U64: p = put_u64(p, ld64(v)); break;
		case K_I16: p = put_i32(p, (int16_t)ld16(v)); break;
		case K_NS: p = put_ns(p, &g->second, (int64_t)ld64(v)); break;
		case G_LABEL:
			p = put_label(p, g->labels, narrow_int(v, g->arg->kind));
			break;
		case G_LABEL16: p = put_label(p, g->labels, (int16_t)ld16(v)); break;
		case G_LABEL32: p = put_label(p, g->labels, (int32_t)ld32(v)); break;
		case G_ARRAY:
			p = put_integers(w, p, r, g);
			/* An array may have used the room that the next arguments need. */
			p = out_room_at(w->out, p);
			break;
		case K_SYM: p = put_symbol(w, t, p, r, g->arg); break;
		case K_BYTES: p = put_bytes(w, t, p, r, g->arg); break;
		case K_CONST: break;
		case 0: p = put_value(w, t, p, r, g->arg); break;
		default: p = value_put_int(p, g->kind, value_int(v, g->kind));
		}
	}
	return text_room(w->out, p);
}

/* Writes addr, size and dur of any type. */
static uint8_t *
put_columns(struct text_writer *w, enum clock clock, uint8_t *p, const struct type *ty,
	    const struct rec *r)
{
	if (!(r->has & HAS_ADDR))
		*p++ = '-';
	else if (ty->addr_hex) {
		memcpy(p, "0x", 2);
		p = put_hex(p + 2, r->addr);
	} else
		p = put_u64(p, r->addr);
	*p++ = '\t';
	if (r->has & HAS_SIZE)
		p = put_u64(p, r->size);
	else
		*p++ = '-';
	*p++ = '\t';
	if (!(r->has & HAS_DUR))
		*p++ = '-';
	else if (clock == CLOCK_NS)
		p = put_ns(p, &w->dur_second, r->dur);
	else
		p = put_u64(p, (uint64_t)r->dur);
	return p;
}

void
text_head(struct text_writer *w, struct source *s)
{
	const struct head *h = &s->head;
	struct out *o = w->out;
	int64_t origin = w->absolute ? 0 : h->origin;
	struct buf *b = &w->scratch;

	if (w->open)
		text_finish(w, 0, NULL);
	w->head_serial = s->head_serial;
	if (w->piece)
		return;
	/* After a header every other source needs its own; otherwise its events would seem to belong to the
	 * previous one. */
	if (!w->header && !h->given && !w->headed)
		return;
	w->headed = true;
	out_str(o, "##spoor\t1\n##format\t");
	out_str(o, h->format);
	out_str(o, h->clock == CLOCK_NS ? "\n##clock\ts\torigin=" : "\n##clock\tticks");
	if (h->clock == CLOCK_NS) {
		b->n = 0;
		value_time(b, CLOCK_NS, origin);
		out_bytes(o, b->p, b->n);
	}
	for (unsigned i = 0; i < h->nlocparts; i++) {
		out_str(o, i ? "/" : "\n##loc\t");
		out_str(o, h->locpart[i]);
	}
	for (size_t i = 0; i < h->nmeta; i++) {
		b->n = 0;
		buf_to(b, put_escaped(buf_room(b, 4 * strlen(h->meta[i].key)),
				      h->meta[i].key, strlen(h->meta[i].key)));
		buf_byte(b, '=');
		value_str(b, h->meta[i].value, strlen(h->meta[i].value));
		out_str(o, "\n##meta\t");
		out_bytes(o, b->p, b->n);
	}
	out_str(o, "\n#time\tloc\tevent\taddr\tsize\tdur\targs\n");
	w->open = true;
	w->events = 0;
}

void
text_put(struct text_writer *w, struct source *s, const struct batch *b,
	 const uint32_t *pick, uint32_t n)
{
	const struct tables *t = &s->t;
	enum clock clock = s->head.clock;
	int64_t shift = head_shift(&s->head, w->absolute);
	struct second_cache second;
	struct out *o = w->out;
	uint8_t *p;

	if (!cache_holds(&w->plan_cache, s))
		w->labels = NULL;
	if (w->head_serial != s->head_serial)
		text_head(w, s);
	CACHE(w->plan, w->plan_cache, s, s->t.ntypes);
	cached_text_bind(&w->places, s);
	cached_text_bind(&w->symbols, s);
	second = w->second;
	p = out_room(o);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		struct text_plan *pl = &w->plan[r->type];
		const struct type *ty = &t->type[r->type];
		const struct cached_text *at = &w->places.v[r->loc];

		p = out_room_at(o, p);
		if (unlikely(!pl->built))
			text_plan_build(w, pl, ty);
		if (unlikely(!at->p))
			text_place_build(w, t, r->loc);
		if (likely(clock == CLOCK_NS))
			p = put_ns(p, &second,
				   unlikely(shift) ? time_plus(CLOCK_NS, r->time, shift)
						   : r->time);
		else
			p = put_u64(p, (uint64_t)r->time);
		p = put_kept(o, p, at);
		if (likely(pl->event_n)) {
			copy16s(p, pl->event, LIT);
			p += pl->event_n;
		} else {
			p = out_bytes_at(o, p, ty->event, ty->event_len);
			*p++ = '\t';
		}
		if (pl->bare) {
			if (pl->nsegments) {
				p = put_args(w, t, p, pl, r);
				*p++ = '\n';
			}
			continue;
		}
		if (pl->fixed) {
			p = put_u64(p, r->addr);
			*p++ = '\t';
			p = put_u64(p, r->size);
			memcpy(p, "\t-\n", 4);
			p += 3;
			continue;
		}
		p = put_columns(w, clock, p, ty, r);
		if (pl->nsegments)
			p = put_args(w, t, p, pl, r);
		*p++ = '\n';
	}
	w->second = second;
	w->events += n;
	o->p = p;
	if (o->line)
		out_flush(o);
}

void
text_copy(struct text_writer *w, struct source *s, const struct batch *b,
	  const uint32_t *pick, uint32_t n)
{
	struct out *o = w->out;
	uint8_t *p;

	if (w->head_serial != s->head_serial)
		text_head(w, s);
	p = out_room(o);
	for (uint32_t i = 0; i < n; i++) {
		struct span raw = b->raw[pick ? pick[i] : i];

		p = out_room_at(o, p);
		/* Most lines are shorter than 64 bytes: copy 64 without a check. */
		memcpy(p, raw.p, 16);
		memcpy(p + 16, raw.p + 16, 16);
		memcpy(p + 32, raw.p + 32, 16);
		memcpy(p + 48, raw.p + 48, 16);
		if (unlikely(raw.n > 64))
			p = out_bytes_at(o, p, raw.p, raw.n);
		else
			p += raw.n;
	}
	w->events += n;
	o->p = p;
	if (o->line)
		out_flush(o);
}

void
text_finish(struct text_writer *w, uint64_t lost, const char *error)
{
	struct buf *b = &w->scratch;

	if (!w->open)
		return;
	b->n = 0;
	buf_add(b, error ? "##error\tevents=" : "##end\tevents=", error ? 15 : 13);
	buf_to(b, put_u64(buf_room(b, 128), w->events));
	if (error) {
		buf_add(b, "\tlost=", 6);
		buf_to(b, put_u64(buf_room(b, 128), lost));
		buf_add(b, "\treason=", 8);
		value_str(b, error, strlen(error));
	}
	buf_byte(b, '\n');
	out_bytes(w->out, b->p, b->n);
	w->open = false;
}

void
text_free(struct text_writer *w)
{
	cache_free(w->plan, &w->plan_cache);
	cached_text_free(&w->places);
	cached_text_free(&w->symbols);
	buf_free(&w->scratch);
	memset(w, 0, sizeof *w);
}
