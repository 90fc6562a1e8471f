/* stats_made.c - values of computed fields, by the number of the event in the run that computed them. */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "stats/inside.h"

/* Returns the number of the field in the list of expressions. */
static size_t
aggregate_index(const char *name)
{
	return strtoul(name + strlen(COMPUTED), NULL, 10);
}

bool
made_text(struct stats *st, const struct source *s, const struct rec *r, const char *name,
	  uint32_t i)
{
	const struct val_env env = {.clock = s->head.clock};
	const struct exprs *l = st->made;
	const struct expr_tree *t = exprs_tree(l);
	size_t number = aggregate_index(name);
	const struct expr_let *let = &t->lets[number];
	struct buf *b = &st->scratch;
	struct val v;

	b->n = 0;
	/* An argument alone keeps its text in the stream: 007, 0x10. */
	if (let->field && t->nodes[let->root].op == N_FIELD &&
	    !field_column(let->field, strlen(let->field)))
		return exprs_text(l, number, r, b);
	v = vec_val(exprs_vec(l, number), i);
	if (v.kind == VAL_TEXT)
		value_str(b, v.s, v.len);
	else
		val_put(b, &env, &v);
	return v.kind != VAL_NONE;
}

bool
made_ints(const struct stats *st, const char *name, uint32_t n, uint64_t *v, uint8_t *there,
	  bool *time)
{
	const struct vec *x = exprs_vec(st->made, aggregate_index(name));

	*time = x->kind == VAL_TIME;
	if (x->kind != VAL_WHOLE && x->kind != VAL_TIME)
		return false;
	memcpy(v, x->n, n * sizeof *v);
	if (x->all)
		memset(there, 1, n);
	else
		memcpy(there, x->there, n);
	return true;
}
