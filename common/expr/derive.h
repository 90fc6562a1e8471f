/*
 * derive.h - events with the values of expressions appended as arguments: what trace-derive
 * writes, and what stands behind computed fields of tables and statistics.
 */
#ifndef SPOOR_DERIVE_H
#define SPOOR_DERIVE_H

#include "expr/exprs.h"

struct derive;

/*
 * Appends the values of `l`, each as the argument of its name (names[i]). With `columns`, a
 * name that is a column's (time, loc, event, addr, size, dur) sets that column instead, and a
 * name that an argument has takes its place. `bare`: of the native arguments none is kept but
 * those in `keep`.
 */
struct derive *derive_new(struct exprs *l, const char *const *names, bool columns);
/* Frees d, and its list. */
void derive_free(struct derive *d);
/* What the readers must fill in: NEED_*. */
unsigned derive_need(const struct derive *d);
/*
 * Makes of the events pick[0..n) of b, a batch of s, new ones (pick NULL: the first n). *out
 * and the source it gives hold them until the next call: same head, types of their own. NULL
 * where the source is refused: see exprs_run. What a consumer says of that source
 * (fault, stop) counts for s.
 */
struct source *derive_run(struct derive *d, struct source *s, const struct batch *b,
			  const uint32_t *pick, uint32_t n, const struct batch **out);
/* At the end of all input: see exprs_finish. */
int derive_finish(struct derive *d, bool partial);

#endif
