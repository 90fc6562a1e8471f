/*
 * spread.h - numbers that are dealt to many parts and wait in a file, each part for itself: how
 * what lies far apart in memory comes together in little of it.
 */
#ifndef SPOOR_EXPORT_SPREAD_H
#define SPOOR_EXPORT_SPREAD_H

#include <stdint.h>

#include "base/compiler.h"

#define SPREAD_PARTS 1024 /* at most: each takes 16 KiB of memory */
#define SPREAD_PER_CHUNK 1023

/* Some numbers of a part, each with the place that it has. */
struct spread_chunk {
	uint64_t
	    before; /* where in the file the part's chunk before lies, and 1; 0: none */
	uint64_t n;
	struct spread_entry {
		uint64_t value, place;
	} v[SPREAD_PER_CHUNK];
};

struct spread {
	int fd;
	uint64_t *end; /* of the file, which several may share */
	struct spread_chunk *part, read;
	uint32_t n[SPREAD_PARTS];	/* numbers in part[] */
	uint64_t written[SPREAD_PARTS]; /* those of the part in the file */
};

void spread_open(struct spread *s, uint32_t parts, int fd, uint64_t *end);
void spread_close(struct spread *s);
/* Writes the part's chunk to the file, and empties it. */
COLD void spread_flush(struct spread *s, uint32_t part);

static INLINE void
spread_add(struct spread *s, uint32_t part, uint64_t value, uint64_t place)
{
	struct spread_entry *to;

	if (unlikely(s->n[part] == SPREAD_PER_CHUNK))
		spread_flush(s, part);
	to = &s->part[part].v[s->n[part]++];
	*to = (struct spread_entry){value, place};
	/* The other parts take all of the cache in between. */
	prefetch(to + 4);
}

/* The last chunk of a part, where c is NULL; the one before c; NULL: there is none. Good until the
 * next call. */
const struct spread_chunk *spread_back(struct spread *s, uint32_t part,
				       const struct spread_chunk *c);

/* Exactly n bytes to, or from, a place in a temporary file; dies where this fails. */
void spread_write(int fd, const void *from, size_t n, uint64_t at);
void spread_read(int fd, void *to, size_t n, uint64_t at);
_Noreturn void spread_no_file(void);

#endif
