/* tables.h - the tables of trace-reuse. */
#ifndef SPOOR_REUSE_TABLES_H
#define SPOOR_REUSE_TABLES_H

#include "trace-reuse/reuse.h"
#include "summary/section.h"

enum reuse_table {
	REUSE_CURVE,
	REUSE_HIST,
	REUSE_WORKING_SET,
	REUSE_WINDOWS,
	REUSE_SUMMARY
};

struct reuse_options {
	enum reuse_table table;
	enum table_style style;
	bool bare;    /* no line of names */
	bool bytes;   /* sizes are in bytes */
	bool objects; /* objects have sizes: columns of bytes */
	bool no_cold; /* first references are not misses */
	bool apart;   /* misses of reads and of writes in columns of their own */
	bool all;     /* sizes: each one */
	unsigned log; /* sizes per octave */
	uint64_t *at; /* given sizes, ascending */
	size_t n, cap;
	uint64_t *edge; /* for reuse_edges() */
	size_t nedges, edge_cap;
};

/* Reads --at: "all", "log", "log:K", or sizes with commas between them, of blocks of `block` bytes, or of other keys
 * if `block` is 0. Dies if it is wrong. opts->at is never freed. */
void reuse_sizes(struct reuse_options *opts, const char *text, uint64_t block);
/* Sets the edges of q, for objects, to the sizes that the table may show. Dies if the table needs all sizes. The
 * caller frees opts->edge at the end. */
void reuse_edges(struct reuse_options *opts, struct reuse_question *q);
/* Reads the rate of --sample. Returns the smallest level that samples no more than the rate. Dies if the text
 * is not a rate. */
unsigned reuse_rate(const char *text);
/* Writes the table; no reference may be added to x afterwards. */
void reuse_put(struct reuse *x, const struct reuse_options *opts, struct out *o);

#endif
