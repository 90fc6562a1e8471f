/*
 * hash.h - places in hash tables. Each process chooses a key of its own, so that nobody can
 * make an input whose names or numbers collide. Results that are printed, merged or sampled
 * do not depend on these hashes; they use fixed ones: mix64, and those of datum.h.
 */
#ifndef SPOOR_HASH_H
#define SPOOR_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The key. The second word is odd, so that multiplying by it loses nothing. Before
 * hash_seed the words are 0 and 1, so that fuzz harnesses get the same tables each time. */
extern uint64_t hash_key[2];

/* Chooses the key; once, before there are tables or threads. */
void hash_seed(void);

/* The hash of n bytes at p: SipHash-1-3 (Aumasson, Bernstein: "SipHash: a fast short-input PRF", 2012,
 * with one round a word and three at the end). */
uint32_t hash_bytes(const void *p, size_t n);

/* The hash h with the number v added. The first h may be any number. The high bits of the
 * result are the best ones. */
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

/* A fixed hash of v, the finisher of splitmix64: a bijection, each of whose bits depends on
 * all bits of v. */
static inline uint64_t
mix64(uint64_t v)
{
	v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9u;
	v = (v ^ v >> 27) * 0x94D049BB133111EBu;
	return v ^ v >> 31;
}

#endif
