/* match_calls.h - events as calls of MPI, by their names. */
#ifndef SPOOR_MATCH_CALLS_H
#define SPOOR_MATCH_CALLS_H

#include "view/field.h"
#include "input/cache.h"
#include "input/source.h"
#include "mpi/mpi_calls.h"

#define CALLS_KNOWN 128

/* Calls of MPI that are alike. */
struct call_row {
	const char *
	    calls; /* their names without MPI_; after a | one of the same kind, after a , of the next kind */
	enum call_kind kind;
	const int8_t *args; /* enum call_arg; -1 ends the list */
	bool synchronous;
};

/* Plans of calls, by type of event. */
struct calls {
	const struct call_row *
	    more; /* calls that only this reader needs, or NULL; a row without names ends them */
	struct call_plan **plan; /* NULL: none that matters */
	struct cache plan_cache;
	struct buf text;
};

/* Fills in what event r of s says; *c keeps its lists' memory. */
void calls_read(struct calls *k, const struct source *s, const struct rec *r,
		struct call *c);
void calls_free(struct calls *k);

#endif
