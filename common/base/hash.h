/*
 * hash.h - places in hash tables, by a key that is chosen anew in each process: who makes
 * an input cannot make its names and numbers collide. Nothing that is printed, merged or
 * sampled hangs on these; see datum.h for hashes that stay.
 */
#ifndef SPOOR_HASH_H
#define SPOOR_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The key. The second word is odd: multiplying by it loses nothing. Zero and one until
 * hash_seed: fuzz harnesses want the same tables each time. */
extern uint64_t hash_key[2];

/* Chooses the key; once, before there are tables or threads. */
void hash_seed(void);

/* Of n bytes: SipHash-1-3 (Aumasson, Bernstein: "SipHash: a fast short-input PRF", 2012,
 * with one round a word and three at the end). */
uint32_t hash_bytes(const void *p, size_t n);

/* One more number into a hash, which begins with any. Its high bits are the best ones. */
static inline uint64_t
hash_add(uint64_t h, uint64_t v)
{
	h = (h ^ v ^ hash_key[0]) * hash_key[1];
	return h ^ h >> 32;
}

/* Where a hash of hash_add begins in a table. Of numbers that can be chosen it needs two,
 * one after the other: those whose low bits are zero have one place, whatever the key. */
static inline uint32_t
hash_slot(uint64_t h)
{
	return (uint32_t)(h * hash_key[1] >> 32);
}

#endif
