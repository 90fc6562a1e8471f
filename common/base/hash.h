/*
 * hash.h - places in hash tables. Each process chooses a key of its own, so that it is not
 * possible to make an input whose names or numbers collide. Results that are printed, merged or sampled
 * do not depend on these hashes; they use fixed ones: mix64, and the hashes of datum.h (cmd/lib/stats).
 */
#ifndef SPOOR_HASH_H
#define SPOOR_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The key. The second word is odd, so that multiplying by it loses nothing. Before
 * hash_seed the words are 0 and 1, so that fuzz harnesses get the same tables each time. */
extern uint64_t hash_key[2];

/* Chooses a random key. Must be called once, before there are tables or threads. Cannot fail: if the system has no
 * random bytes, the key is made of the clock, the process id and addresses. */
void hash_seed(void);

/* Returns the hash of the n bytes at p: SipHash-1-3 (Aumasson, Bernstein: "SipHash: a fast short-input PRF", 2012,
 * with one round a word and three at the end). */
uint32_t hash_bytes(const void *p, size_t n);

/* Returns SipHash-2-4 of the n bytes at p, the same on every machine: two rounds a word and four at the end. The key is
 * two little-endian words of 8 bytes. */
uint64_t siphash24(const uint64_t key[2], const void *p, size_t n);

/* Returns the hash h with the number v added. The first h may be any number. The high bits of the result are the most
 * random ones. */
static inline uint64_t
hash_add(uint64_t h, uint64_t v)
{
	h = (h ^ v ^ hash_key[0]) * hash_key[1];
	return h ^ h >> 32;
}

/* Returns the place in a table for a hash of hash_add: as many low bits as the table needs. This is the second
 * multiplication by the key. With only one, an input could choose numbers that share a place whatever the key is: those
 * whose low bits are zero. */
static inline uint32_t
hash_slot(uint64_t h)
{
	return (uint32_t)(h * hash_key[1] >> 32);
}

/* Returns a hash of v that is the same in every process: the finisher of splitmix64. It is a bijection, and each of its
 * bits depends on all bits of v. */
static inline uint64_t
mix64(uint64_t v)
{
	v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9u;
	v = (v ^ v >> 27) * 0x94D049BB133111EBu;
	return v ^ v >> 31;
}

#endif
