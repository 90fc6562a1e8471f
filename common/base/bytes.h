/* bytes.h - loads and stores at any address, in either byte order. */
#ifndef SPOOR_BYTES_H
#define SPOOR_BYTES_H

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* Returns v with its bytes in reverse order. */
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

/* Accesses at any address p: ldNN and stNN load and store NN bits in the machine's own byte order, leNN and
 * st_leNN with the lowest byte first; beNN loads them with the highest byte first. */
#define ACCESS(bits)                                                     \
	static inline uint##bits##_t ld##bits(const void *p)             \
	{                                                                \
		uint##bits##_t v;                                        \
                                                                         \
		memcpy(&v, p, sizeof v);                                 \
		return v;                                                \
	}                                                                \
	static inline void st##bits(void *p, uint##bits##_t v)           \
	{                                                                \
		memcpy(p, &v, sizeof v);                                 \
	}                                                                \
	static inline uint##bits##_t le##bits(const void *p)             \
	{                                                                \
		return HOST_BIG ? swap##bits(ld##bits(p)) : ld##bits(p); \
	}                                                                \
	static inline uint##bits##_t be##bits(const void *p)             \
	{                                                                \
		return HOST_BIG ? ld##bits(p) : swap##bits(ld##bits(p)); \
	}                                                                \
	static inline void st_le##bits(void *p, uint##bits##_t v)        \
	{                                                                \
		st##bits(p, HOST_BIG ? swap##bits(v) : v);               \
	}
ACCESS(16)
ACCESS(32)
ACCESS(64)
#undef ACCESS

/* Copies n bytes, rounded up to a multiple of 16 and at least 16, so both sides need 16 bytes of slack. gcc 12
 * turns a memcpy of bounded length into `rep movs`, which takes 25 to 35 ns; it does not do so for copies of
 * constant size. */
static inline void
copy16s(uint8_t *to, const uint8_t *from, uint32_t n)
{
	uint32_t i = 0;

	do
		memcpy(to + i, from + i, 16);
	while ((i += 16) < n);
}

#endif
