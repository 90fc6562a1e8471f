/* text_line.h - parses a line of the text stream by masks, for text_read.c and text_avx2.c. */
#ifndef SPOOR_TEXT_LINE_H
#define SPOOR_TEXT_LINE_H

#include "input/lines.h"

/* First size of a table of names, as a power of two. Names of up to 16 bytes are compared as two words. */
#define NAME_BITS_FIRST 4
#define NAME_BITS 10 /* largest size of a table, as a power of two */
#define NAME_TRIES 8 /* number of factors that are tried for each size */

struct name_slot {
	uint64_t k0, k1;
	uint32_t id1; /* number of the name plus 1; 0 = free */
	/* Pads the slot to 32 bytes, so that its address needs only a shift. */
	uint32_t pad[3];
};

/* Names and their numbers. Each name has exactly one slot. If two names need the same slot, another factor of the
 * hash is tried, and then a larger table. */
struct name_table {
	struct name_slot *slot; /* never NULL */
	unsigned bits;		/* 1 = the slots that all empty tables share */
	uint64_t factor;
};

struct text_fast {
	const uint8_t *p, *end;
	struct batch *b;
	unsigned need;
	bool ticks;
	struct name_table event; /* numbers of types without arguments */
	struct name_table loc;
};

/* Reads lines of the common shape, and stops before the first other one or when the batch
 * is full. */
void text_fast_avx2(struct text_fast *f);

/* All bytes before name_window + 17 are 0xff. A name is compared together with the TAB after it, if 16 bytes have
 * room for both. So a NUL at the end of a name differs from the padding of a shorter one. */
extern const uint8_t name_window[32]; /* 17 times 0xff, 15 zeros */

/* Returns the slot of the name whose 16 bytes, padded, are k0 and k1. */
static INLINE struct name_slot *
name_slot(const struct name_table *t, uint64_t k0, uint64_t k1)
{
	return &t->slot[((k0 ^ k1 * 3) * t->factor) >> (64 - t->bits)];
}

/* Returns the number of the name of n bytes at p. Returns UINT32_MAX if the name is new, is
 * too long, or its slot belongs to another name. */
static INLINE uint32_t
name_find(const struct name_table *t, const uint8_t *p, unsigned n)
{
	uint64_t k0, k1;
	const struct name_slot *sl;

	if (unlikely(n > 16))
		return UINT32_MAX;
	k0 = ld64(p) & ld64(name_window + 16 - n);
	k1 = ld64(p + 8) & ld64(name_window + 24 - n);
	sl = name_slot(t, k0, k1);
	return unlikely((sl->k0 ^ k0) | (sl->k1 ^ k1)) ? UINT32_MAX : sl->id1 - 1;
}

/* Gives the name of n bytes at p the number id. In a table of the largest size the name may replace another one. A
 * name of more than 16 bytes is not stored. */
void name_add(struct name_table *t, const uint8_t *p, size_t n, uint32_t id);
/* Removes all names, and frees the table, which is empty then. */
void name_forget(struct name_table *t);

/* Returns a number whose n lowest bits are set, n below 64. */
static INLINE uint64_t
below(unsigned n)
{
	return (1ull << (n & 63)) - 1;
}

/* Returns the number of n digits that ends at `end`, as digits16_before does, but faster
 * for at most eight digits, the usual case. */
static INLINE uint64_t
number_before(const uint8_t *end, unsigned n)
{
	return likely(n <= 8) ? digits_before(end, n) : digits16_before(end, n);
}

/* Returns the length of the line at p, with its newline. */
static INLINE size_t
text_length(const struct text_fast *f, const uint8_t *p, struct masks m)
{
	if (likely(m.newline))
		return low_bit(m.newline) + 1;
	return (size_t)((const uint8_t *)memchr(p + 64, '\n', (size_t)(f->end - p) - 64) +
			1 - p);
}

/* Parses the line at p, with the masks m, into *r, if its six columns are within 64 bytes and have the common
 * shape: a time of at most 17 digits, decimal addr and size of at most 16, each of addr, size and dur possibly
 * "-". Returns the line's length with the newline, or 0 if the slow parser must read it. */
static INLINE size_t
text_line(const struct text_fast *f, const uint8_t *p, struct masks m, struct rec *r,
	  unsigned need, bool ticks)
{
	uint64_t tabs = m.sep, seps, x, want, dashes, dot = 0, bad;
	unsigned t0, t1, t2, t3, t4, e, no_addr, no_size, no_dur, lengths;
	uint32_t type;

	t0 = low_bit(tabs);
	tabs &= tabs - 1;
	t1 = low_bit(tabs);
	tabs &= tabs - 1;
	t2 = low_bit(tabs);
	tabs &= tabs - 1;
	t3 = low_bit(tabs);
	tabs &= tabs - 1;
	t4 = low_bit(tabs);
	tabs &= tabs - 1;
	seps = m.sep | m.newline;
	e = low_bit(tabs | m.newline);
	if (unlikely(e == 64 || t4 >= e))
		return 0;
	no_addr = p[t2 + 1] == '-';
	no_size = p[t3 + 1] == '-';
	no_dur = p[t4 + 1] == '-';
	/* The bytes from addr to dur that may be other than digits: dashes, and the point of dur. */
	dashes = (uint64_t)no_addr << (t2 + 1) | (uint64_t)no_size << (t3 + 1) |
		 (uint64_t)no_dur << (t4 + 1);
	seps &= below(e + 1);
	x = m.nondigit & ~seps & below(e);
	want = dashes;
	lengths = (t3 - t2 + 110) | (t4 - t3 + 110);
	if (likely(!ticks)) {
		/* time and dur: one to eight digits, a point, nine digits */
		dot = (uint64_t)(no_dur ^ 1) << ((e - 10) & 63);
		want |= dot;
		bad = (t0 - 11) & ~7u;
		bad |= (e - t4 - 1 - 11) & ~7u & (no_dur - 1);
		bad |= (x & below(t0)) ^ 1ull << ((t0 - 10) & 63);
		bad |= (uint64_t)(p[(t0 - 10) & 63] ^ '.');
		bad |= (dot != 0) & (p[(e - 10) & 63] != '.');
	} else {
		lengths |= (e - t4 + 110) | (t0 - 1 + 112);
		bad = x & below(t0);
	}
	bad |= (x & ~below(t2)) ^ want;
	bad |= seps & (seps << 1 | 1); /* no column is empty */
	bad |= dashes << 1 & ~seps;    /* a dash is a column of its own */
	bad |= lengths & ~127u;	       /* addr and size have at most 16 digits */
	if (unlikely(bad))
		return 0;
	if (tabs & (1ull << e) && unlikely(need & NEED_ARGS))
		return 0;
	type = name_find(&f->event, p + t1 + 1, t2 - t1 - 1);
	if (unlikely(type == UINT32_MAX))
		return 0;
	r->len = REC_HEAD;
	r->type = type;
	r->loc = 0;
	r->has =
	    (no_addr ^ 1) * HAS_ADDR + (no_size ^ 1) * HAS_SIZE + (no_dur ^ 1) * HAS_DUR;
	if (need & NEED_LOC) {
		r->loc = name_find(&f->loc, p + t0 + 1, t1 - t0 - 1);
		if (unlikely(r->loc == UINT32_MAX))
			return 0;
	}
	if (need & NEED_TIME)
		r->time = ticks
			      ? (int64_t)digits16_before(p + t0, t0)
			      : (int64_t)digits_before(p + t0 - 10, t0 - 10) * 1000000000 +
				    (int64_t)digits_before(p + t0 - 1, 8) * 10 +
				    (p[t0 - 1] - '0');
	if (need & NEED_ADDR)
		r->addr = no_addr ? 0 : number_before(p + t3, t3 - t2 - 1);
	if (need & NEED_SIZE)
		r->size = no_size ? 0 : number_before(p + t4, t4 - t3 - 1);
	if (need & NEED_DUR)
		r->dur =
		    no_dur ? 0
		    : ticks
			? (int64_t)digits16_before(p + e, e - t4 - 1)
			: (int64_t)digits_before(p + e - 10, e - 11 - t4) * 1000000000 +
			      (int64_t)digits_before(p + e - 1, 8) * 10 + (p[e - 1] - '0');
	return text_length(f, p, m);
}

/* Parses only the time of the line at p into *r (NEED_PREVIEW), and ignores the rest of the line. Returns the
 * line's length, or 0 if the slow parser must read it. */
static INLINE size_t
text_glance(const struct text_fast *f, const uint8_t *p, struct masks m, struct rec *r)
{
	unsigned t0 = low_bit(m.sep);
	uint64_t bad = (t0 - 11) & ~7u;

	bad |= (m.nondigit & below(t0)) ^ 1ull << ((t0 - 10) & 63);
	bad |= (uint64_t)(p[(t0 - 10) & 63] ^ '.');
	if (unlikely(bad))
		return 0;
	r->len = REC_HEAD;
	r->type = r->loc = r->has = 0;
	r->time = (int64_t)digits_before(p + t0 - 10, t0 - 10) * 1000000000 +
		  (int64_t)digits_before(p + t0 - 1, 8) * 10 + (p[t0 - 1] - '0');
	return text_length(f, p, m);
}

/* `own` is a copy that nothing else can change, so that its members stay in registers. */
#define TEXT_FAST_RUN(f, masks_of, line)             \
	do {                                         \
		const struct text_fast own = *(f);   \
		LINES_LOOP(f, masks_of, '\t', line); \
	} while (0)

/* The most common need, events and their sizes, has its own loop, which is a tenth faster. */
#define TEXT_FAST_LOOP(f, masks_of)                                                        \
	do {                                                                               \
		unsigned need = (f)->need;                                                 \
		if ((f)->ticks)                                                            \
			TEXT_FAST_RUN(f, masks_of, text_line(&own, p, m, r, need, true));  \
		else if (need & NEED_PREVIEW)                                              \
			TEXT_FAST_RUN(f, masks_of, text_glance(&own, p, m, r));            \
		else if (!(need & ((NEED_COLUMNS | NEED_ARGS) & ~(unsigned)NEED_SIZE)))    \
			TEXT_FAST_RUN(f, masks_of,                                         \
				      text_line(&own, p, m, r, NEED_SIZE, false));         \
		else                                                                       \
			TEXT_FAST_RUN(f, masks_of, text_line(&own, p, m, r, need, false)); \
	} while (0)

#endif
