/* bytes.h - loads and stores at any address, in either byte order. */
#ifndef SPOOR_BYTES_H
#define SPOOR_BYTES_H

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* ldNN: the number of NN bits at p, at any address, in the machine's own byte order. */
static inline uint16_t
ld16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, 2);
	return v;
}

static inline uint32_t
ld32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return v;
}

static inline uint64_t
ld64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return v;
}

/* stNN: stores v at p, at any address, in the machine's own byte order. */
static inline void
st16(void *p, uint16_t v)
{
	memcpy(p, &v, 2);
}

static inline void
st32(void *p, uint32_t v)
{
	memcpy(p, &v, 4);
}

static inline void
st64(void *p, uint64_t v)
{
	memcpy(p, &v, 8);
}

/* swapNN: v with its bytes in reverse order. */
static inline uint16_t
swap16(uint16_t v)
{
	return (uint16_t)(v << 8 | v >> 8);
}

static inline uint32_t
swap32(uint32_t v)
{
	return v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
}

static inline uint64_t
swap64(uint64_t v)
{
	return (uint64_t)swap32((uint32_t)v) << 32 | swap32((uint32_t)(v >> 32));
}

/* leNN, beNN: the little- or big-endian number of NN bits at p, at any address. */
#define LOADS(bits)                                                      \
	static inline uint##bits##_t le##bits(const void *p)             \
	{                                                                \
		return HOST_BIG ? swap##bits(ld##bits(p)) : ld##bits(p); \
	}                                                                \
	static inline uint##bits##_t be##bits(const void *p)             \
	{                                                                \
		return HOST_BIG ? ld##bits(p) : swap##bits(ld##bits(p)); \
	}
LOADS(16)
LOADS(32)
LOADS(64)
#undef LOADS

/* st_leNN: stores v at p, at any address, the least significant byte first. */
static inline void
st_le16(void *p, uint16_t v)
{
	st16(p, HOST_BIG ? swap16(v) : v);
}

static inline void
st_le32(void *p, uint32_t v)
{
	st32(p, HOST_BIG ? swap32(v) : v);
}

static inline void
st_le64(void *p, uint64_t v)
{
	st64(p, HOST_BIG ? swap64(v) : v);
}

/*
 * Copies n bytes (at least 16 are copied) in pieces of 16: both sides need 15 bytes of
 * slack. gcc 12 turns a memcpy of bounded length into `rep movs`, which takes 25 to 35 ns;
 * it leaves pieces of constant size alone.
 */
static inline void
copy16s(uint8_t *to, const uint8_t *from, uint32_t n)
{
	uint32_t i = 0;

	do
		memcpy(to + i, from + i, 16);
	while ((i += 16) < n);
}

#endif
