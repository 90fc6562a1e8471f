/*
 * put.h - writes numbers as text, without printf.
 *
 * Each put_* writes v at p and returns the place after it. It may change up to PUT_SLACK bytes
 * after that place. Digits come from a table of four at a time (40 KB, it stays in L2):
 * 3.5 to 4.2 ns a number where printf needs 60, and no branch depends on a number's length
 * below 10^8.
 */
#ifndef SPOOR_PUT_H
#define SPOOR_PUT_H

#include "base/bytes.h"
#include "base/die.h"

#define PUT_SLACK 64

extern char put_d4[10000][4]; /* "0000" to "9999" */
/* Up to three digits in memory order; the last byte is their number. */
extern uint32_t put_d3[1000];
extern char put_hex2[256][2]; /* "00" to "ff" */

/* Fills the tables. Must be called before the first put_*; a second call does nothing. */
void put_init(void);

/* Returns the eight digits of v < 10^8, in memory order. */
static inline uint64_t
put_digits8(uint32_t v)
{
	uint32_t high = v / 10000;
	uint64_t first = ld32(put_d4[high]), second = ld32(put_d4[v - high * 10000]);

	/* Two copies of four bytes would be slower: gcc moves them through a vector register. */
	return HOST_BIG ? first << 32 | second : first | second << 32;
}

/* Writes v in decimal, without leading zeros. */
static inline uint8_t *
put_u32(uint8_t *p, uint32_t v)
{
	uint32_t t, head;
	uint64_t x;
	unsigned zeros;

	if (v < 1000) {
		memcpy(p, &put_d3[v], 4);
		return p + ((const uint8_t *)&put_d3[v])[3];
	}
	if (likely(v < 100000000)) {
		x = put_digits8(v);
		if (HOST_BIG) {
			zeros = leading_zeros64((x ^ 0x3030303030303030u) | 1) & 56;
			st64(p, x << zeros);
		} else {
			zeros =
			    trailing_zeros64((x ^ 0x3030303030303030u) | 1ull << 56) & 56;
			st64(p, x >> zeros);
		}
		return p + 8 - zeros / 8;
	}
	head = v / 100000000;
	t = put_d3[head];
	memcpy(p, &t, 4);
	p += ((const uint8_t *)&put_d3[head])[3];
	st64(p, put_digits8(v - head * 100000000));
	return p + 8;
}

static inline uint8_t *
put_u64(uint8_t *p, uint64_t v)
{
	uint64_t high;

	if (likely(v <= UINT32_MAX))
		return put_u32(p, (uint32_t)v);
	high = v / 100000000;
	p = high <= UINT32_MAX ? put_u32(p, (uint32_t)high) : put_u64(p, high);
	st64(p, put_digits8((uint32_t)(v - high * 100000000)));
	return p + 8;
}

static inline uint8_t *
put_i64(uint8_t *p, int64_t v)
{
	*p = '-';
	return put_u64(p + (v < 0), v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

static inline uint8_t *
put_i32(uint8_t *p, int32_t v)
{
	*p = '-';
	return put_u32(p + (v < 0), v < 0 ? 0 - (uint32_t)v : (uint32_t)v);
}

/* Writes v in hexadecimal, without leading zeros and prefix. */
static inline uint8_t *
put_hex(uint8_t *p, uint64_t v)
{
	uint8_t t[16];
	unsigned skip = leading_zeros64(v | 1) >> 2;

	for (int i = 0; i < 8; i++)
		memcpy(t + 2 * i, put_hex2[v >> (56 - 8 * i) & 255], 2);
	memcpy(p, t + skip, 16 - skip);
	return p + 16 - skip;
}

/* A second and its digits, for put_ns: most events share the second of the previous one. Zeroed struct = none. */
struct second_cache {
	int64_t base; /* first nanosecond of the second */
	char text[16];
	uint32_t n;
};

/* Writes ns as put_ns does, for a second that is not in *s. */
uint8_t *put_ns_slow(uint8_t *p, struct second_cache *s, int64_t ns);

/* Writes ns nanoseconds as seconds with nine decimals. *s keeps the second for the next call; zero it before the
 * first one. */
static inline uint8_t *
put_ns(uint8_t *p, struct second_cache *s, int64_t ns)
{
	/* In unsigned arithmetic a time before the second wraps to a large number. */
	uint64_t rest = (uint64_t)ns - (uint64_t)s->base;
	uint32_t d;

	if (unlikely(rest >= 1000000000 || !s->n))
		return put_ns_slow(p, s, ns);
	memcpy(p, s->text, 16);
	p += s->n;
	d = (uint32_t)rest / 100000000;
	*p = (uint8_t)('0' + d);
	st64(p + 1, put_digits8((uint32_t)rest - d * 100000000));
	return p + 9;
}

#endif
