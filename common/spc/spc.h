/* spc.h - options of the SPC reader, and the line parser that its fast paths share. */
#ifndef SPOOR_SPC_H
#define SPOOR_SPC_H

#include "input/lines.h"

#define SPC_BLOCK 512
#define SPC_DECIMALS 6 /* decimals of a time in canonical form */

/* Options of the format. */
struct spc_options {
	/* Bytes of a block, noted in the metadata; the LBA stays in blocks. 0 = SPC_BLOCK. */
	int64_t block;
	bool unordered; /* times may go back */
};

extern const struct format fmt_spc;

/* The thousandth optional field holds the rest of the line. */
#define SPC_OPTIONAL_MOST 1000

/* Returns true if c is white space within a line. */
static inline bool
spc_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* ASUs below this limit have a table; traces have some tens of ASUs. */
#define SPC_ASUS 1024

struct spc_fast {
	const uint8_t *p, *end; /* whole lines */
	struct batch *b;
	unsigned need;
	/*
	 * The smallest time that does not go back: the time of the last record, rounded up.
	 * It is negative if times may go back; or'ing `free` to each time keeps it
	 * negative.
	 */
	int64_t last, free;
	uint32_t type[2];    /* types of R and W without optional fields */
	const uint32_t *asu; /* loc of each ASU below SPC_ASUS; 0 = not seen yet */
	uint32_t ahead;	     /* lines that are likely to be of the common shape */
};

/* Reads lines of the common shape with AVX2 or AVX-512. Stops before the first line of another shape, or if the
 * batch is full. */
void spc_fast_avx2(struct spc_fast *f);
void spc_fast_avx512(struct spc_fast *f);

/* Parses the line at p, with the masks m, into *r. Reads only lines of the shape
 * `digits,digits,digits,X,digits.digits\n` with at most 64 bytes. Returns the length of the line, or 0 for any
 * other line, which the slow parser must read. A field that is not needed is checked by the masks and not
 * converted. */
static INLINE unsigned
spc_line(struct spc_fast *f, const uint8_t *p, struct masks m, struct rec *r)
{
	uint64_t below = m.newline ^ (m.newline - 1), nd = m.nondigit & below;
	uint64_t cm = m.sep & below, touching = nd & (nd << 1 | 1), x = nd ^ cm, c;
	unsigned c0, c1, op, dot, nl, size_n, sec_n, frac_n, letter, bad_length;
	int64_t time;

	if (unlikely(!m.newline))
		return 0;
	/* The opcode, the point and the newline are the only bytes that are neither a digit nor a comma. */
	op = low_bit(x);
	x &= x - 1;
	dot = low_bit(x);
	x &= x - 1;
	nl = low_bit(m.newline);
	c0 = low_bit(cm);
	c = cm & (cm - 1);
	c1 = low_bit(c);
	c &= c - 1;
	letter = p[op] & 0xdf;
	size_n = op - c1 - 2;
	sec_n = dot - op - 2;
	frac_n = nl - dot - 1;
	/* Lengths within their limits: ASU 8 digits, LBA 16, size 8, seconds 8, fraction 9. */
	bad_length = ((c0 + 119) | (c1 - c0 + 110) | (size_n + 119) | (sec_n + 119) |
		      (frac_n + 118)) &
		     ~127u;
	if ((c ^ 5ull << ((op - 1) & 63))    /* two commas around the opcode, and no more */
	    | (touching ^ 3ull << (op & 63)) /* no other field is empty */
	    | (x ^ (m.newline & -m.newline)) /* no other byte */
	    | (uint64_t)((letter - 'R') * (letter - 'W')) | (uint64_t)(p[dot & 63] ^ '.') |
	    bad_length)
		return 0;
	time = (int64_t)digits_before(p + dot, sec_n) * 1000000000 +
	       (int64_t)digits_left(p + dot + 1, frac_n < 8 ? frac_n : 8) * 10 +
	       (frac_n == 9 ? p[nl - 1] - '0' : 0);
	if (unlikely(time < f->last))
		return 0;
	f->last = time | f->free;
	r->len = REC_HEAD;
	r->type = f->type[letter == 'W'];
	r->loc = 0;
	r->has = HAS_ADDR | HAS_SIZE;
	r->time = time;
	if (f->need & NEED_LOC) {
		uint32_t asu = digits_before(p + c0, c0);

		if (unlikely(asu >= SPC_ASUS || !f->asu[asu]))
			return 0;
		r->loc = f->asu[asu];
	}
	r->addr = f->need & NEED_ADDR ? digits16_before(p + c1, c1 - c0 - 1) : 0;
	r->size = f->need & NEED_SIZE ? digits_before(p + op - 1, size_n) : 0;
	r->dur = 0;
	return nl + 1;
}

#define SPC_FAST_LOOP(f, masks_of) LINES_LOOP(f, masks_of, ',', spc_line(f, p, m, r))

#endif
