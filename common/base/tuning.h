/*
 * tuning.h - what tests set, so that a small input goes the ways that only a large one or another
 * machine would go. `--tune NAME=VALUE` of every program sets it; no page documents it.
 */
#ifndef SPOOR_TUNING_H
#define SPOOR_TUNING_H

#include <stdbool.h>
#include <stdint.h>

/* A member that is 0 or NULL changes nothing. */
struct tuning {
	const char
	    *simd; /* slow, plain, sse2 or avx2: no better way to read lines (masks.h) */
	uint64_t read;	/* the most bytes of one read(2) */
	uint64_t wait;	/* bytes of events that wait in memory (wait.h) */
	uint64_t worth; /* bytes of a file from which several threads read it (threads.h) */
};
extern struct tuning tuning;

/* Sets the member that `text`, "NAME=VALUE", names; of a number, as strtoull(3) reads it. `text` must
 * stay. Returns false if there is no such member. */
bool tuning_set(const char *text);

#endif
