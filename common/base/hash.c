/* hash.c - see hash.h */
#define _DEFAULT_SOURCE /* syscall */
#if defined(__OpenBSD__)
#define _BSD_SOURCE /* arc4random_buf */
#elif defined(__FreeBSD__)
#define __BSD_VISIBLE 1
#elif defined(__NetBSD__)
#define _NETBSD_SOURCE
#elif defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include "base/bytes.h"
#include "base/hash.h"

uint64_t hash_key[2] = {0, 1};

void
hash_seed(void)
{
	struct timespec now = {0};

	/* For systems without random bytes: numbers that are hard to guess from outside the process. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	hash_key[0] = (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u ^ (uintptr_t)&now;
	hash_key[1] =
	    (uint64_t)now.tv_sec << 32 ^ (uint64_t)getpid() ^ (uintptr_t)hash_seed;
#if defined(__linux__) && defined(SYS_getrandom)
	{
		uint64_t random[2] = {0};

		/* 1 is GRND_NONBLOCK. Early after boot the call fails, because no random bytes are ready. */
		if (syscall(SYS_getrandom, random, sizeof random, 1u) == sizeof random)
			memcpy(hash_key, random, sizeof random);
	}
#elif defined(__OpenBSD__) || defined(__FreeBSD__) || defined(__NetBSD__) || \
    defined(__APPLE__)
	arc4random_buf(hash_key, sizeof hash_key);
#endif
	hash_key[1] |= 1;
}

static inline uint64_t
rotate(uint64_t v, unsigned by)
{
	return v << by | v >> (64 - by);
}

static inline void
sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static inline void
sip_word(uint64_t v[4], uint64_t w)
{
	v[3] ^= w;
	sip_round(v);
	v[0] ^= w;
}

uint32_t
hash_bytes(const void *data, size_t n)
{
	const uint8_t *p = data;
	uint64_t v[4] = {
	    hash_key[0] ^ 0x736f6d6570736575u, hash_key[1] ^ 0x646f72616e646f6du,
	    hash_key[0] ^ 0x6c7967656e657261u, hash_key[1] ^ 0x7465646279746573u};
	uint64_t last = (uint64_t)n << 56;

	for (; n >= 8; p += 8, n -= 8)
		sip_word(v, ld64(p));
	while (n) {
		n--;
		last |= (uint64_t)p[n] << 8 * n;
	}
	sip_word(v, last);
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return (uint32_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}
