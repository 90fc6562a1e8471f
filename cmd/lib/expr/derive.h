/*
 * derive.h - events with the values of expressions appended as arguments: what trace-derive
 * writes.
 */
#ifndef SPOOR_DERIVE_H
#define SPOOR_DERIVE_H

#include "expr/exprs.h"

struct derive;

/*
 * Appends the values of `l`, which d takes over, each as the argument of its name. A name that
 * an argument has takes its place; one that is a column's (time, loc, event, addr, size, dur)
 * sets that column. `NAME =` alone drops a column or an argument. A value that is absent
 * appends nothing, and drops an argument of its name. Values that a column cannot hold are
 * reported as faults of the source.
 */
struct derive *derive_new(struct exprs *l);
/* Adds metadata to the heads of the sources that d gives, in place of those of that key; none with an
 * empty value. Both strings stay the caller's, as long as d is there. */
void derive_meta(struct derive *d, const char *key, const char *value);
/* Frees d, and its list. */
void derive_free(struct derive *d);
/* Returns which fields the readers must fill in: NEED_*. */
unsigned derive_need(const struct derive *d);
/*
 * Makes new events from the events pick[0..n) of b, a batch of s (pick NULL: the first n). *out and the source that it
 * returns hold the new events until the next call. That source has the head of s, changed by derive_meta, and types of
 * its own; its errors count as errors of s. Returns NULL if s is refused: see exprs_run.
 */
struct source *derive_run(struct derive *d, struct source *s, const struct batch *b,
			  const uint32_t *pick, uint32_t n, const struct batch **out);
/* Does so with values that the caller has computed, v[i] in place of the i-th of the list. */
struct source *derive_given(struct derive *d, struct source *s, const struct batch *b,
			    const uint32_t *pick, uint32_t n, const struct vec *v,
			    const struct batch **out);
/* Takes over which fields another run of the same values, which said nothing, has seen. */
void derive_merge(struct derive *d, struct derive *from);
/* At the end of all input: see exprs_finish. Says of each column how many events kept their
 * own value, or lost it. */
int derive_finish(struct derive *d);

#endif
