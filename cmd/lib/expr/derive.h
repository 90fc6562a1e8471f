/* derive.h - appends the values of expressions to events as arguments: the output of trace-derive. */
#ifndef SPOOR_DERIVE_H
#define SPOOR_DERIVE_H

#include "expr/exprs.h"

struct derive;

/* Returns a new derive that appends the values of the list `l`, which it takes over, each as the argument of its
 * name. A value replaces an argument with its name. A value named like a column (time, loc, event, addr, size,
 * dur) sets that column. `NAME =` alone drops a column or an argument. An absent value appends nothing, and drops
 * the argument of its name. If a column cannot hold a value, this is reported as an error of the source.
 * derive_free frees the result. */
struct derive *derive_new(struct exprs *l);
/* Adds metadata to the heads that d gives; it replaces pairs with this key. An empty value only removes them. The
 * caller keeps both strings until derive_free. */
void derive_meta(struct derive *d, const char *key, const char *value);
/* Frees d and its list. */
void derive_free(struct derive *d);
/* Returns the columns that the readers must fill in: NEED_*. */
unsigned derive_need(const struct derive *d);
/* Makes new events from the events pick[0..n) of b, a batch of s (pick NULL: the first n). *out and the source
 * that it returns hold the new events until the next call. That source has the head of s, changed by derive_meta,
 * and its own types; its errors count as errors of s. Returns NULL if s is refused: see exprs_run. */
struct source *derive_run(struct derive *d, struct source *s, const struct batch *b,
			  const uint32_t *pick, uint32_t n, const struct batch **out);
/* Makes new events as derive_run does, from values that the caller has computed: v[i] is the value of the i-th
 * expression. */
struct source *derive_given(struct derive *d, struct source *s, const struct batch *b,
			    const uint32_t *pick, uint32_t n, const struct vec *v,
			    const struct batch **out);
/* Adds the fields that another run of the same list has seen. That run must not have printed messages. */
void derive_merge(struct derive *d, struct derive *from);
/* Ends all input: see exprs_finish. Reports for each column how many events kept their own value, or lost it. Returns
 * ST_TROUBLE if there are any, or exprs_finish does; else ST_OK. */
int derive_finish(struct derive *d);

#endif
