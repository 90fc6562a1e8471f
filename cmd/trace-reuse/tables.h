/* tables.h - what trace-reuse prints. */
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
	bool bare;    /* without names */
	bool bytes;   /* sizes are in bytes */
	bool no_cold; /* first references are no misses */
	bool apart;   /* those that write by themselves */
	bool all;     /* sizes: each; */
	unsigned log; /* or so many an octave; */
	uint64_t *at; /* or these, ascending */
	size_t n, cap;
};

/* Reads --at: "all", "log", "log:K", or sizes with commas between: blocks of so many bytes, or, 0, other keys.
 * Dies where it is wrong. */
void reuse_sizes(struct reuse_options *opts, const char *text, uint64_t block);
/* Reads the rate of --sample. Returns the smallest level that samples no more than the rate. Dies if the text is no
 * rate. */
unsigned reuse_rate(const char *text);
/* Writes the table; x gets no more references. */
void reuse_put(struct reuse *x, const struct reuse_options *opts, struct out *o);

#endif
