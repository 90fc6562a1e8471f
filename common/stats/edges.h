/*
 * edges.h - what parts of a file leave to their merge where prev looks at the event before.
 *
 * The first event of each key in a part, but the file's first part, is not counted: its prev
 * is in another part. It waits as a line of a text stream, and so is the last one of each key
 * kept. The lines of all parts in order are a stream in which prev is right for those that
 * wait.
 */
#ifndef SPOOR_EDGES_H
#define SPOOR_EDGES_H

#include "expr/exprs.h"
#include "input/source.h"

/* A line of that stream. */
struct edge {
	uint32_t file;	     /* the number of its name */
	uint64_t begin, seq; /* the part's first byte; the line's number in the part */
	bool waits;	     /* an event that is not counted yet */
	char *line;
};

struct edges;

/* Begins; `keys`, which it takes over, are those of prev: NULL is one key for all. */
struct edges *edges_new(struct exprs *keys);
/* Frees e, which may be NULL. */
void edges_free(struct edges *e);
/* Looks at the events pick[0..n) of b, a batch of s (NULL: the first n). Writes which of the n
 * can be counted to `counted`, and gives how many. */
uint32_t edges_add(struct edges *e, struct source *s, const struct batch *b,
		   const uint32_t *pick, uint32_t n, uint32_t counted[BATCH]);
/* At the end of a part: gives its *n lines, without `file`; to be freed, each line too. */
struct edge *edges_done(struct edges *e, struct source *s, size_t *n);

#endif
