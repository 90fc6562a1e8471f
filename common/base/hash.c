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

/* Returns SipHash of the n bytes at p with `rounds` rounds a word, and two more at the end. */
static inline uint64_t
siphash(const uint64_t key[2], const uint8_t *p, size_t n, int rounds)
{
	uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
			 key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
	uint64_t last = (uint64_t)n << 56, w;

	for (bool more = true; more;) {
		more = n >= 8;
		if (more) {
			w = le64(p);
			p += 8;
			n -= 8;
		} else {
			while (n) {
				n--;
				last |= (uint64_t)p[n] << 8 * n;
			}
			w = last;
		}
		v[3] ^= w;
		for (int i = 0; i < rounds; i++)
			sip_round(v);
		v[0] ^= w;
	}
	v[2] ^= 0xff;
	for (int i = 0; i < rounds + 2; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint32_t
hash_bytes(const void *p, size_t n)
{
	return (uint32_t)siphash(hash_key, p, n, 1);
}

uint64_t
siphash24(const uint64_t key[2], const void *p, size_t n)
{
	return siphash(key, p, n, 2);
}
