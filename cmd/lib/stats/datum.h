/* datum.h - values as they are shown, and their hashes. */
#ifndef SPOOR_DATUM_H
#define SPOOR_DATUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"

/*
 * A value is a whole number or a decimal fraction held in 10^-9 parts (times, and text such
 * as 1.5), each with its sign apart; anything else is text.
 */
enum {
	INT_POS,
	INT_NEG,
	NANO_POS,
	NANO_NEG,
	TEXTS,
	CLASSES,
	INT_HEX = CLASSES /* written as 0x and hex: only in a struct datum */
};

/* A fixed hash of the n bytes at p. */
uint64_t hash64(const void *p, size_t n);

/* A value as it is written. It is a number if the number is always written like that, else
 * a text: 2.0 and 02 are texts, and values are the same where their texts are. */
struct datum {
	uint8_t class;
	uint64_t v; /* its magnitude; of a text, its length */
	char *text; /* of a text */
};

/* Returns the value that is written as the n bytes at p, which it may point to. */
struct datum datum_of_text(const char *p, size_t n);
/* A copy of d, with a text of its own. */
struct datum datum_copy(const struct datum *d);
/* Frees its text. */
void datum_free(struct datum *d);
/* < 0, 0, > 0 as a stands before, at, behind b: by class, then value, then text. */
int datum_cmp(const struct datum *a, const struct datum *b);

/* Returns a hash of the value, the same in every process. */
static inline uint64_t
datum_hash(const struct datum *d)
{
	static const uint64_t tag[] = {[INT_NEG] = 0x6a09e667f3bcc908u,
				       [NANO_POS] = 0xbb67ae8584caa73bu,
				       [NANO_NEG] = 0x3c6ef372fe94f82bu,
				       [INT_HEX] = 0xa54ff53a5f1d36f1u};

	return d->class == TEXTS ? hash64(d->text, (size_t)d->v)
				 : mix64(d->v ^ tag[d->class]);
}

/* Returns where a value begins in a table; hangs on the process's key. */
static inline uint32_t
datum_slot(const struct datum *d)
{
	return d->class == TEXTS ? hash_bytes(d->text, (size_t)d->v)
				 : hash_slot(hash_add(d->class, d->v));
}

#endif
