/* values.h - a list of expressions that a form computes of events: of each batch at once. */
#ifndef SPOOR_VALUES_H
#define SPOOR_VALUES_H

#include "expr/exprs.h"
#include "output/sink.h"

/* Zeroed struct = no list. */
struct values {
	struct exprs *list;
	bool before;  /* it is run over all events, not over those that are written */
	bool refused; /* it cannot be asked of this source */
};

/* For a form's begin: takes over the list, with the key `keys` of prev, nth and total (NULL = loc); sets in *opt what it needs.
 * Dies where a part is read alone, and the list needs all events before. */
void values_begin(struct values *v, struct exprs *list, const char *keys,
		  struct read_options *opt);
/* For a form's see. */
void values_see(struct values *v, struct source *s, const struct batch *b);
/* For a form's put, before its events. False where the list cannot be asked. */
bool values_put(struct values *v, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n);
/* The number, for vec_val, of the j-th event that is written, `at` of the batch. */
static inline uint32_t
values_at(const struct values *v, uint32_t at, uint32_t j)
{
	return v->before ? at : j;
}
/* Frees. Gives ST_TROUBLE where something was wrong with the list, as exprs_finish; not of a
 * part. */
int values_close(struct values *v, const struct sink *k);

#endif
