/*
 * fmt_laplace.c - reads Laplace's binary reference trace: records of 18 bytes, without a header or a magic number.
 *
 *	 0     1..8        9        10..13          14..17
 *	type  timestamp  length  address space  virtual address
 *
 * Source: the description of Laplace's basic trace format. The description does not state the byte order, and the
 * producer ran on i386. The reader detects the byte order: in the right one, timestamps do not decrease.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "input/fault.h"
#include "input/slice.h"
#include "laplace/laplace.h"
#include "laplace/laplace_line.h"

#define SPACES 1024 /* slots for the address spaces that were seen last */

struct laplace {
	bool big, back_said;
	uint64_t last;	    /* time of the last record */
	uint32_t type[256]; /* type of each letter, plus 1; 0 = not seen */
	struct {
		uint32_t space, loc; /* loc 0 = free slot */
	} slot[SPACES];
};

/* Returns true if the records of s are big-endian, judged by the first 1000 records. */
static bool
find_order(struct source *s)
{
	const uint8_t *p, *last;
	size_t n, big, little;

	in_need(&s->in, 1000 * LAPLACE_RECORD);
	p = s->in.p;
	n = in_left(&s->in) / LAPLACE_RECORD;
	if (n > 1000)
		n = 1000;
	big = laplace_forward(p, n, true);
	little = laplace_forward(p, n, false);
	/* Both byte orders have equally many records in order of time. The right one is the
	 * one in which the clock advances less. */
	if (big == little && n > 1) {
		last = p + (n - 1) * LAPLACE_RECORD;
		return laplace_time(last, true) - laplace_time(p, true) <
		       laplace_time(last, false) - laplace_time(p, false);
	}
	return big > little;
}

static void
laplace_open(struct source *s)
{
	const struct laplace_options *o = format_options(s->opt, s->fmt);
	struct laplace *c = xcalloc(1, sizeof *c);

	s->state = c;
	c->big = o->order ? o->order == ORDER_BIG : find_order(s);
	s->head.locpart[0] = "space";
	s->head.nlocparts = 1;
	source_clock(s, CLOCK_TICKS);
	head_meta(&s->head, &s->meta, "order", c->big ? "big" : "little");
}

bool
laplace_is_big(const struct source *s)
{
	const struct laplace *c = s->state;

	return c->big;
}

/* Sets the last time to the time of the record before the part, so that the first record of the part is checked as
 * in the whole file. */
static void
look_back(struct source *s)
{
	struct laplace *c = s->state;
	uint8_t p[LAPLACE_RECORD];
	int err;

	if (in_at(s->in.fd, p, sizeof p, s->part.begin - sizeof p, &err) == sizeof p)
		c->last = laplace_time(p, c->big);
}

const uint8_t *
laplace_block(struct source *s, size_t *n)
{
	struct in *in = &s->in;

	if (s->part.begin && in_offset(in, in->p) == s->part.begin)
		look_back(s);
	if (!in_need(in, LAPLACE_RECORD)) {
		if (in_left(in) && !in->err && !s->stop) {
			fault(
			    s, "laplace-ref-torn", COST_EVENT, s->name,
			    in_offset(in, in->p),
			    "the last record is incomplete: %zu of its %d bytes are there",
			    in_left(in), LAPLACE_RECORD);
			in->p = in->end;
		}
		*n = 0;
		return NULL;
	}
	*n = in_left(in) / LAPLACE_RECORD;
	return in->p;
}

void
laplace_clock_back(struct source *s, uint64_t place, bool *said)
{
	if (!*said)
		fault(s,
		      s->fmt->text && !strcmp(s->head.locpart[0], "pid")
			  ? "laplace-time"
			  : "laplace-ref-time",
		      COST_STATUS, s->name, place, "the clock goes back here (said once)");
	*said = true;
}

void
laplace_bad_type(struct source *s, uint64_t place, uint8_t type)
{
	fault(s, "laplace-ref-type", COST_EVENT, s->name, place,
	      "the type 0x%02x of a record is not a printable letter", type);
}

static uint32_t
laplace_type_of(struct source *s, uint8_t letter)
{
	struct laplace *c = s->state;
	char name[4];
	struct type ty = {.must = HAS_ADDR | HAS_SIZE, .addr_hex = true, .event = name};

	ty.event_len =
	    (uint32_t)(put_escaped((uint8_t *)name, &letter, 1) - (uint8_t *)name);
	c->type[letter] = type_add(&s->t, &ty) + 1;
	return c->type[letter] - 1;
}

/* Stores the location of an address space in its slot, and returns the location. */
static COLD uint32_t
loc_of(struct source *s, uint32_t space, uint32_t slot)
{
	struct laplace *c = s->state;
	char text[16];

	c->slot[slot].loc = strtab_id(
	    &s->t.str, text, (size_t)snprintf(text, sizeof text, "0x%x", (unsigned)space));
	c->slot[slot].space = space;
	return c->slot[slot].loc;
}

/* Returns the location of the record at p. Sets *added if the slot had to be filled. */
static INLINE uint32_t
loc_at(struct source *s, const uint8_t *p, bool big, bool *added)
{
	const struct laplace *c = s->state;
	uint32_t space = laplace_space(p, big);
	uint32_t slot = space * 0x9E3779B1u >> 22;

	if (likely(c->slot[slot].space == space && c->slot[slot].loc))
		return c->slot[slot].loc;
	*added = true;
	return loc_of(s, space, slot);
}

/* Decodes up to BATCH of the n records at p into b. Returns how many records it read, good or bad. */
static INLINE size_t
decode(struct source *s, struct batch *b, const uint8_t *p, size_t n, bool big,
       bool event_only)
{
	struct laplace *c = s->state;
	unsigned need = s->need;
	uint64_t last = c->last;
	uint8_t *to = b->own.p;
	uint32_t k = 0, most = BATCH;
	size_t i;

	for (i = 0; i < n && k < most; i++, p += LAPLACE_RECORD) {
		struct rec *r = (struct rec *)(void *)(to + (size_t)k * REC_HEAD);
		uint64_t time = laplace_time(p, big);
		uint32_t type = c->type[*p] - 1;

		if (unlikely(time < last)) {
			laplace_clock_back(s, in_offset(&s->in, p), &c->back_said);
			if (s->stop)
				break;
		}
		last = time;
		if (unlikely(type == UINT32_MAX)) {
			if (!laplace_letter(*p)) {
				laplace_bad_type(s, in_offset(&s->in, p), *p);
				if (s->stop)
					break;
				continue;
			}
			type = laplace_type_of(s, *p);
		}
		r->len = REC_HEAD;
		r->type = type;
		r->loc = 0;
		r->has = HAS_ADDR | HAS_SIZE;
		if (!event_only) {
			bool added = false;

			if (need & NEED_LOC)
				r->loc = loc_at(s, p, big, &added);
			/* The tables are emptied after the record that fills them, so that type and string numbers
			 * do not depend on how the input arrives. */
			if (unlikely(added) && tables_full(&s->t))
				most = k + 1;
			r->time = (int64_t)time;
			r->addr = laplace_addr(p, big);
			r->size = p[9];
			r->dur = 0;
			b->raw[k] = (struct span){p, LAPLACE_RECORD};
		}
		b->off[k] = k * REC_HEAD;
		k++;
	}
	c->last = last;
	b->n = k;
	return i;
}

static bool
laplace_next(struct source *s, struct batch *b)
{
	struct laplace *c = s->state;
	const uint8_t *p;
	size_t n, done;

	if (tables_full(&s->t)) {
		tables_reset(&s->t);
		memset(c->slot, 0, sizeof c->slot);
		memset(c->type, 0, sizeof c->type);
	}
	batch_start(b);
	b->base = buf_room(&b->own, BATCH * REC_HEAD + REC_SLACK);
	while (!b->n && !s->stop && (p = laplace_block(s, &n))) {
		if (c->big)
			done = decode(s, b, p, n, true, false);
		else if (s->need == 0)
			done = decode(s, b, p, n, false, true);
		else
			done = decode(s, b, p, n, false, false);
		s->in.p += done * LAPLACE_RECORD;
	}
	b->own.n = b->n * REC_HEAD;
	return b->n > 0;
}

/* In the order of enum laplace_order. */
static const char *const orders[] = {"little", "big", NULL};

static const struct format_option options[] = {
    {0, "order", "ORDER", "byte order, little or big; else it is found out",
     .at = offsetof(struct laplace_options, order), .words = orders},
    {0},
};

static const struct laplace_options defaults;

static bool
laplace_in_order(const struct source *s)
{
	(void)s;
	return true;
}

const struct format fmt_laplace = {
    .name = "laplace",
    .about = "Laplace: memory references, binary",
    .settings = &(const struct format_settings){options, &defaults, sizeof defaults},
    .open = laplace_open,
    .next = laplace_next,
    .schema = &laplace_schema,
    .cutting = &(const struct cutting){.cut_unit = LAPLACE_RECORD,
				       .in_order = laplace_in_order,
				       .marks_disorder = true},
};

/* The four digits of each 16-bit number, for canonical text. */
char laplace_hex4[65536][4];

void
laplace_line_start(void)
{
	put_init();
	if (laplace_hex4[1][3])
		return;
	for (unsigned i = 0; i < 65536; i++) {
		memcpy(laplace_hex4[i], put_hex2[i >> 8], 2);
		memcpy(laplace_hex4[i] + 2, put_hex2[i & 255], 2);
	}
}

static uint8_t *
put_padded(uint8_t *p, const uint8_t *rec, uint64_t time, uint32_t space, uint32_t addr)
{
	*p++ = rec[0];
	*p++ = ' ';
	for (int i = 48; i >= 0; i -= 16, p += 4)
		memcpy(p, laplace_hex4[time >> i & 65535], 4);
	*p++ = ' ';
	memcpy(p, put_hex2[rec[9]], 2);
	p[2] = ' ';
	memcpy(p + 3, laplace_hex4[space >> 16], 4);
	memcpy(p + 7, laplace_hex4[space & 65535], 4);
	p[11] = ' ';
	memcpy(p + 12, laplace_hex4[addr >> 16], 4);
	memcpy(p + 16, laplace_hex4[addr & 65535], 4);
	p[20] = '\n';
	return p + 21;
}

static void
laplace_row_text(struct source *s, struct out *o, const uint8_t *rec, size_t n, bool pad)
{
	struct laplace *c = s->state;
	uint64_t least = s->opt->slice ? s->slice.least : 0,
		 most = s->opt->slice ? s->slice.most : UINT64_MAX;
	bool big = c->big;
	uint8_t *p = out_room(o);
	uint64_t last = c->last;

	laplace_line_start();
	for (; n; n--, rec += LAPLACE_RECORD) {
		uint64_t time = laplace_time(rec, big);
		uint32_t space = laplace_space(rec, big);
		uint32_t addr = laplace_addr(rec, big);

		if (unlikely(!laplace_letter(*rec))) {
			o->p = p;
			laplace_bad_type(s, in_offset(&s->in, rec), *rec);
			if (s->stop)
				return;
			continue;
		}
		if (unlikely(time < last)) {
			laplace_clock_back(s, in_offset(&s->in, rec), &c->back_said);
			if (s->stop) {
				o->p = p;
				return;
			}
		}
		last = time;
		if (unlikely(time < least || time > most))
			continue;
		p = out_room_at(o, p);
		if (unlikely(pad))
			p = put_padded(p, rec, time, space, addr);
		else
			p = laplace_put_line(p, *rec, time, rec[9], space, addr);
	}
	c->last = last;
	o->p = p;
	if (o->line)
		out_flush(o);
}

void
laplace_to_text(struct source *s, struct out *o, bool pad)
{
	const uint8_t *p;
	size_t n;

	if (s->opt->slice && !slice_ready(s, s->opt->slice))
		return;
	while (!s->stop && (p = laplace_block(s, &n))) {
		source_progress(s);
		laplace_row_text(s, o, p, n, pad);
		s->count.events += n;
		s->in.p += n * LAPLACE_RECORD;
	}
}
