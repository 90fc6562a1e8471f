/* datum.h - values as they are printed, and their hashes. */
#ifndef SPOOR_DATUM_H
#define SPOOR_DATUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"

/* The classes of values: whole numbers, and decimal fractions in units of 10^-9 (times, and texts such as 1.5),
 * each with a class for negative ones; everything else is a text. */
enum {
	INT_POS,
	INT_NEG,
	NANO_POS,
	NANO_NEG,
	TEXTS,
	CLASSES,
	INT_HEX = CLASSES /* whole number in hex, as 0x10; only in a struct datum */
};

/* Returns a hash of the n bytes at p, equal in every process. */
uint64_t hash64(const void *p, size_t n);

/* A value as it is written. It is a number only if the number's text is the same: 2.0 and 02 are texts. Values are
 * equal if their texts are. */
struct datum {
	uint8_t class;
	uint64_t v; /* magnitude; length of a text */
	char *text; /* of a text, else NULL */
};

/* Returns the value that is written as the n bytes at p. Its text, if it is one, may be p. */
struct datum datum_of_text(const char *p, size_t n);
/* Returns a copy of d with its own text. datum_free frees the text. */
struct datum datum_copy(const struct datum *d);
/* Frees the text of d. */
void datum_free(struct datum *d);
/* Returns a number below, equal to or above 0 if a sorts before, equal to or after b: by class, then value, then
 * text. */
int datum_cmp(const struct datum *a, const struct datum *b);

/* Returns a hash of the value, equal in every process. */
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

/* Returns the slot for a value in a hash table, which depends on the key of the process. */
static inline uint32_t
datum_slot(const struct datum *d)
{
	return d->class == TEXTS ? hash_bytes(d->text, (size_t)d->v)
				 : hash_slot(hash_add(d->class, d->v));
}

#endif
