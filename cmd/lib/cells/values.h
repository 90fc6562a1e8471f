/* values.h - a list of expressions that a form computes, for a whole batch of events at once. */
#ifndef SPOOR_VALUES_H
#define SPOOR_VALUES_H

#include "expr/exprs.h"
#include "output/sink.h"

/* A list and its state. A zeroed struct has no list. */
struct values {
	struct exprs *list;
	/* the list is run over all events, not only those that are written */
	bool before;
	bool refused; /* the list cannot be run on this input */
};

/* Takes over `list`, with the key `keys` of prev, nth and total (NULL = loc), and sets in *opt what it needs. A
 * form's begin calls this. Dies if the list needs all previous events and only a part is read (--chunk). */
void values_begin(struct values *v, struct exprs *list, const char *keys,
		  struct read_options *opt);
/* Runs the list over all events of b, if it needs all. A form's see calls this. */
void values_see(struct values *v, struct source *s, const struct batch *b);
/* Runs the list over the events that will be written. A form's put calls this before it writes the events. Returns
 * false if the list cannot be run on this input. */
bool values_put(struct values *v, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n);
/* Returns the index, for vec_val, of the j-th written event, which is event `at` of the batch. */
static inline uint32_t
values_at(const struct values *v, uint32_t at, uint32_t j)
{
	return v->before ? at : j;
}
/* Frees the list. Returns ST_TROUBLE if exprs_finish reported a problem, else ST_OK; always ST_OK for a part of an
 * input. */
int values_close(struct values *v, const struct sink *k);

#endif
