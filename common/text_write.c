/*
 * text_write.c - events as lines.
 *
 * A line is made from a plan, one per type, built when the type is first seen: what stands
 * between two values is one literal of constant size that is copied whole. Seconds and
 * locations are kept as text. The general way, value.c, makes what is rare.
 */
#include <stdlib.h>
#include <string.h>

#include "put.h"
#include "text.h"
#include "value.h"

#define LIT 32
#define FEW 32 /* bytes that are written in hex at once */
#define BARE "-\t-\t-\n"

struct segment {
	uint8_t lit[LIT]; /* "\tname=" */
	uint32_t n;	  /* its length, or 0: longer than LIT, so take the name itself */
	uint32_t off;
	uint8_t kind; /* 0: the general way */
	const struct arg *arg;
};

struct text_plan {
	bool built;
	uint8_t event[LIT]; /* "EVENT\t" */
	uint32_t event_n;   /* 0: longer */
	bool fixed;	    /* exactly addr and size, no arguments: the commonest shape */
	bool bare;	    /* no addr, size or dur: the three "-" are in event[] */
	uint32_t nsegments;
	struct segment *segment;
};

struct text_place {
	uint8_t text[LIT - 4]; /* "\tLOC\t" */
	uint32_t n;	       /* 0: not made yet; LONG: does not fit */
};
#define LONG UINT32_MAX

/* A line is begun with OUT_SLACK bytes of room; each part looks that this much is left. */
#define PART (LIT + 96)

static inline uint8_t *
room(struct out *o, uint8_t *p)
{
	if (unlikely(p + PART > o->lim + OUT_SLACK)) {
		o->p = p;
		out_spill(o);
		p = o->p;
	}
	return p;
}

static uint8_t *
long_bytes(struct out *o, uint8_t *p, const void *s, size_t n)
{
	o->p = p;
	out_bytes(o, s, n);
	return out_room(o);
}

static uint8_t *
long_place(struct text_writer *w, uint8_t *p, const struct str *s)
{
	struct buf *b = &w->scratch;

	b->n = 0;
	b->n = (size_t)(put_name(buf_room(b, 4 * (size_t)s->len), s->s, s->len) - b->p);
	if (!b->n)
		buf_add(b, "\"\"", 2); /* no column is empty */
	return long_bytes(w->out, p, b->p, b->n);
}

static void
build_segment(struct segment *g, const struct arg *a)
{
	size_t n = strlen(a->name);

	memset(g, 0, sizeof *g);
	g->arg = a;
	g->off = a->off;
	if (n + 2 <= LIT) {
		g->lit[0] = '\t';
		memcpy(g->lit + 1, a->name, n);
		g->lit[n + 1] = '=';
		g->n = (uint32_t)n + 2;
	}
	if (!a->array && !a->labels &&
	    (kind_is_int(a->kind) || a->kind == K_NS || a->kind == K_BYTES))
		g->kind = a->kind;
}

static void
build_plan(struct text_plan *pl, const struct type *ty)
{
	memset(pl, 0, sizeof *pl);
	pl->built = true;
	if (ty->event_len + 1 <= LIT) {
		memcpy(pl->event, ty->event, ty->event_len);
		pl->event[ty->event_len] = '\t';
		pl->event_n = ty->event_len + 1;
	}
	pl->nsegments = ty->nargs;
	pl->segment = xcalloc(ty->nargs, sizeof *pl->segment);
	for (uint32_t i = 0; i < ty->nargs; i++)
		build_segment(&pl->segment[i], &ty->args[i]);
	/* The shape of runtime events; where there are no arguments, the whole rest of the
	 * line. */
	pl->bare = pl->event_n && !ty->may && pl->event_n + sizeof BARE - 1 <= LIT;
	if (pl->bare) {
		memcpy(pl->event + pl->event_n, BARE, sizeof BARE - 1);
		pl->event_n += (uint32_t)sizeof BARE - 1 - (ty->nargs > 0);
	}
	/* The shape of block I/O and memory references: address and size, and no more. */
	pl->fixed = pl->event_n && !ty->nargs && !ty->addr_hex && ty->must == ty->may &&
		    ty->must == (HAS_ADDR | HAS_SIZE);
}

static void
forget(struct text_writer *w)
{
	for (size_t i = 0; i < w->nplans; i++)
		free(w->plan[i].segment);
	if (w->nplans)
		memset(w->plan, 0, w->nplans * sizeof *w->plan);
	if (w->nplaces)
		memset(w->place, 0, w->nplaces * sizeof *w->place);
}

static void
build_place(struct text_place *pl, const struct str *s)
{
	uint8_t text[4 * sizeof pl->text], *end;

	pl->n = LONG;
	if (!s->len || s->len + 2 > sizeof pl->text)
		return;
	end = put_name(text, s->s, s->len);
	if ((size_t)(end - text) + 2 > sizeof pl->text)
		return;
	pl->text[0] = '\t';
	memcpy(pl->text + 1, text, (size_t)(end - text));
	pl->n = (uint32_t)(end - text) + 2;
	pl->text[pl->n - 1] = '\t';
}

/* A few bytes in hex, four at a time: their nibbles are spread over eight bytes. */
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

static INLINE uint8_t *
put_args(struct text_writer *w, const struct tables *t, uint8_t *p,
	 const struct text_plan *pl, const struct rec *r)
{
	for (uint32_t i = 0; i < pl->nsegments; i++) {
		const struct segment *g = &pl->segment[i];
		const uint8_t *v = (const uint8_t *)r + g->off;

		p = room(w->out, p);
		if (likely(g->n)) {
			copy16s(p, g->lit, LIT);
			p += g->n;
		} else {
			*p++ = '\t';
			p = long_bytes(w->out, p, g->arg->name, strlen(g->arg->name));
			*p++ = '=';
		}
		switch (g->kind) {
		case K_U8: p = put_u32(p, *v); break;
		case K_U16: p = put_u32(p, ld16(v)); break;
		case K_U32: p = put_u32(p, ld32(v)); break;
		case K_I32: p = put_i64(p, (int32_t)ld32(v)); break;
		case K_U64: p = put_u64(p, ld64(v)); break;
		case K_NS: p = put_ns(p, &w->dur_second, (int64_t)ld64(v)); break;
		case K_BYTES: {
			uint32_t off = ld32(v), n = ld32(v + 4);

			if (likely(n <= FEW && off <= r->len && n <= r->len - off)) {
				p = put_few(p, (const uint8_t *)r + off, n);
				break;
			}
		}
			/* fall through */
		case 0:
			w->scratch.n = 0;
			value_arg(&w->scratch, t, r, g->arg);
			if (w->scratch.n <= PART - LIT) {
				memcpy(p, w->scratch.p, w->scratch.n);
				p += w->scratch.n;
			} else
				p = long_bytes(w->out, p, w->scratch.p, w->scratch.n);
			break;
		default: p = value_put_int(p, g->kind, value_int(v, g->kind));
		}
	}
	return room(w->out, p);
}

/* addr, size and dur, of any type. */
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
	w->heads = s->heads;
	if (!w->header && !h->given)
		return;
	out_str(o, "##spoor\t1\n##format\t");
	out_str(o, h->format);
	out_str(o, h->clock == CLOCK_NS ? "\n##clock\ts\torigin=" : "\n##clock\tticks");
	if (h->clock == CLOCK_NS) {
		b->n = 0;
		value_time(b, CLOCK_NS, origin);
		out_bytes(o, b->p, b->n);
	}
	if (h->nlocparts) {
		for (unsigned i = 0; i < h->nlocparts; i++) {
			out_str(o, i ? "/" : "\n##loc\t");
			out_str(o, h->locpart[i]);
		}
	}
	for (size_t i = 0; i < h->nmeta; i++) {
		b->n = 0;
		b->n = (size_t)(put_escaped(buf_room(b, 4 * strlen(h->meta[i].key)),
					    h->meta[i].key, strlen(h->meta[i].key)) -
				b->p);
		buf_add(b, "=", 1);
		value_str(b, h->meta[i].value, strlen(h->meta[i].value));
		out_str(o, "\n##meta\t");
		out_bytes(o, b->p, b->n);
	}
	out_str(o, "\n#time\tloc\tevent\taddr\tsize\tdur\targs\n");
	w->open = true;
	w->events = 0;
}

static void
refresh(struct text_writer *w, struct source *s)
{
	if (w->heads != s->heads || w->epoch != s->t.epoch) {
		forget(w);
		w->epoch = s->t.epoch;
		if (w->heads != s->heads)
			text_head(w, s);
	}
	w->plan = grow(w->plan, &w->nplans, s->t.ntypes, sizeof *w->plan);
	w->place = grow(w->place, &w->nplaces, s->t.str.n, sizeof *w->place);
}

void
text_put(struct text_writer *w, struct source *s, const struct batch *b,
	 const uint32_t *pick, uint32_t n)
{
	const struct tables *t = &s->t;
	enum clock clock = s->head.clock;
	uint64_t add = w->absolute && clock == CLOCK_NS ? (uint64_t)s->head.origin : 0;
	struct second second;
	struct out *o = w->out;
	uint8_t *p;

	refresh(w, s);
	second = w->second;
	p = out_room(o);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		struct text_plan *pl = &w->plan[r->type];
		struct text_place *at = &w->place[r->loc];

		if (p >= o->lim) {
			o->p = p;
			out_spill(o);
			p = o->p;
		}
		if (unlikely(!pl->built))
			build_plan(pl, &t->type[r->type]);
		if (unlikely(!at->n))
			build_place(at, &t->str.v[r->loc]);
		if (likely(clock == CLOCK_NS))
			p = put_ns(p, &second, (int64_t)((uint64_t)r->time + add));
		else
			p = put_u64(p, (uint64_t)r->time);
		if (likely(at->n != LONG)) {
			copy16s(p, (const uint8_t *)at, LIT);
			p += at->n;
		} else {
			*p++ = '\t';
			p = long_place(w, p, &t->str.v[r->loc]);
			*p++ = '\t';
		}
		if (likely(pl->event_n)) {
			copy16s(p, pl->event, LIT);
			p += pl->event_n;
		} else {
			p = long_bytes(o, p, t->type[r->type].event,
				       t->type[r->type].event_len);
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
		p = put_columns(w, clock, p, &t->type[r->type], r);
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

	if (w->heads != s->heads)
		text_head(w, s);
	p = out_room(o);
	for (uint32_t i = 0; i < n; i++) {
		struct span raw = b->raw[pick ? pick[i] : i];

		if (p >= o->lim) {
			o->p = p;
			out_spill(o);
			p = o->p;
		}
		/* Most lines are shorter than 64 bytes: copied whole, without looking. */
		memcpy(p, raw.p, 16);
		memcpy(p + 16, raw.p + 16, 16);
		memcpy(p + 32, raw.p + 32, 16);
		memcpy(p + 48, raw.p + 48, 16);
		if (unlikely(raw.n > 64))
			p = long_bytes(o, p, raw.p, raw.n);
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

	if (w->open) {
		b->n = 0;
		buf_add(b, error ? "##error\tevents=" : "##end\tevents=", error ? 15 : 13);
		b->n = (size_t)(put_u64(buf_room(b, 128), w->events) - b->p);
		if (error) {
			buf_add(b, "\tlost=", 6);
			b->n = (size_t)(put_u64(buf_room(b, 128), lost) - b->p);
			buf_add(b, "\treason=", 8);
			value_str(b, error, strlen(error));
		}
		buf_add(b, "\n", 1);
		out_bytes(w->out, b->p, b->n);
		w->open = false;
	}
}

void
text_free(struct text_writer *w)
{
	forget(w);
	free(w->plan);
	free(w->place);
	buf_free(&w->scratch);
	memset(w, 0, sizeof *w);
}
