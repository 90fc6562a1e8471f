/* match_calls.h - recognises events as calls of MPI, by their names. */
#ifndef SPOOR_MATCH_CALLS_H
#define SPOOR_MATCH_CALLS_H

#include "view/field.h"
#include "input/cache.h"
#include "input/source.h"
#include "mpi/mpi_calls.h"

#define CALLS_KNOWN 128

/* MPI calls with the same arguments. */
struct call_row {
	/* names without MPI_: after | a call of the same kind, after , a call of the next kind */
	const char *calls;
	enum call_kind kind;
	const int8_t *args; /* list of enum call_arg; -1 ends it */
	bool synchronous;
};

/* The calls of an input, by type of event. */
struct calls {
	/* additional calls for one reader, or NULL; a row without names ends them */
	const struct call_row *more;
	struct call_plan **plan; /* by type; NULL: a call that does not matter */
	struct cache plan_cache;
	struct buf text;
};

/* Reads the call that event r of s is into *c, whose lists keep their memory. */
void calls_read(struct calls *k, const struct source *s, const struct rec *r,
		struct call *c);
/* Frees what k holds. */
void calls_free(struct calls *k);

#endif
