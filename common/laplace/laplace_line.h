/*
 * laplace_line.h - writes a reference as a line of canonical text.
 *
 * Digits come four at a time from a table of 256 KiB: this takes 5.3 ns per record; nibbles take 13 ns and printf
 * 149 ns. The number is shifted left until it has no leading zeros, so that no branch depends on its length.
 */
#ifndef SPOOR_LAPLACE_LINE_H
#define SPOOR_LAPLACE_LINE_H

#include "base/bytes.h"
#include "base/put.h"

extern char laplace_hex4[65536][4];

/* Fills the table. Must be called before the first line; a second call does nothing. */
void laplace_line_start(void);

/* Writes v in hexadecimal without leading zeros, and returns the position after it; up to 16 bytes (laplace_put32: 8) at p
 * may change. */
static inline uint8_t *
laplace_put64(uint8_t *p, uint64_t v)
{
	unsigned skip = leading_zeros64(v | 1) >> 2;

	v <<= skip * 4;
	memcpy(p, laplace_hex4[v >> 48], 4);
	memcpy(p + 4, laplace_hex4[v >> 32 & 65535], 4);
	memcpy(p + 8, laplace_hex4[v >> 16 & 65535], 4);
	memcpy(p + 12, laplace_hex4[v & 65535], 4);
	return p + 16 - skip;
}

static inline uint8_t *
laplace_put32(uint8_t *p, uint32_t v)
{
	unsigned skip = leading_zeros32(v | 1) >> 2;

	v <<= skip * 4;
	memcpy(p, laplace_hex4[v >> 16], 4);
	memcpy(p + 4, laplace_hex4[v & 65535], 4);
	return p + 8 - skip;
}

/* Writes the type, time and length of a reference, and a blank: the beginning of every line. Returns the position
 * after it. */
static inline uint8_t *
laplace_put_begin(uint8_t *p, uint8_t type, uint64_t time, unsigned len)
{
	p[0] = type;
	p[1] = ' ';
	p = laplace_put64(p + 2, time);
	p[0] = ' ';
	if (likely(len < 16)) {
		p[1] = (uint8_t)put_hex2[len][1];
		p[2] = ' ';
		return p + 3;
	}
	memcpy(p + 1, put_hex2[len], 2);
	p[3] = ' ';
	return p + 4;
}

/* Writes the line `r 123456789abcdef0 4 9f8e7 9a8b7c6d` with its newline. Returns the position after it. */
static inline uint8_t *
laplace_put_line(uint8_t *p, uint8_t type, uint64_t time, unsigned len, uint32_t space,
		 uint32_t addr)
{
	p = laplace_put32(laplace_put_begin(p, type, time, len), space);
	*p = ' ';
	p = laplace_put32(p + 1, addr);
	*p++ = '\n';
	return p;
}

#endif
