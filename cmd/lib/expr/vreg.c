/* vreg.c - see vreg.h: values are stored as numbers while all are of one kind. */
#include <stdlib.h>
#include <string.h>

#include "expr/vreg.h"

void
vreg_room(struct vreg *r)
{
	if (!r->there) {
		r->there = xmalloc(BATCH);
		r->n = xmalloc(BATCH * sizeof *r->n);
		r->r = xmalloc(BATCH * sizeof *r->r);
	}
	r->constant = false;
	r->v = (struct vec){.there = r->there, .n = r->n, .r = r->r, .any = r->any};
}

void
vreg_free(struct vreg *r)
{
	free(r->there);
	free(r->n);
	free(r->r);
	free(r->any);
}

struct val
vec_val(const struct vec *v, uint32_t j)
{
	struct val x = {.kind = v->kind};

	if (v->kind == VAL_KINDS)
		return v->any[j];
	if (v->kind == VAL_NONE || (!v->all && !v->there[j]))
		return (struct val){.kind = VAL_NONE};
	if (v->kind == VAL_REAL)
		x.r = v->r[j];
	else
		x.n = i128_i64(v->n[j]);
	return x;
}

struct val
vreg_val(const struct vreg *r, uint32_t k)
{
	if (r->constant)
		return r->c;
	if (r->v.kind == REG_TRUTH)
		return val_i64(r->v.there[k]);
	return vec_val(&r->v, k);
}

void
vreg_begin(struct vreg *r, uint32_t n)
{
	vreg_room(r);
	r->v.kind = VAL_NONE;
	memset(r->there, 0, n);
	memset(r->n, 0, n * sizeof *r->n);
}

/* Moves all values to any[], where each has its own kind. */
static COLD void
to_any(struct vreg *r, uint32_t n)
{
	struct vec v = r->v;

	if (!r->any)
		r->any = xmalloc(BATCH * sizeof *r->any);
	r->v.any = r->any;
	for (uint32_t k = 0; k < n; k++)
		r->any[k] = vec_val(&v, k);
	r->v.kind = VAL_KINDS;
}

void
vreg_put_odd(struct vreg *r, uint32_t n, uint32_t k, const struct val *v)
{
	bool number =
	    v->kind == VAL_REAL ||
	    ((v->kind == VAL_WHOLE || v->kind == VAL_TIME || v->kind == VAL_DECIMAL) &&
	     i128_is_i64(v->n));

	if (v->kind == VAL_NONE && r->v.kind != VAL_KINDS) {
		r->there[k] = 0;
		return;
	}
	if (r->v.kind == VAL_NONE && number)
		r->v.kind = v->kind;
	if (r->v.kind != VAL_KINDS && (!number || r->v.kind != v->kind))
		to_any(r, n);
	if (r->v.kind == VAL_KINDS)
		r->any[k] = *v;
	else if (v->kind == VAL_REAL)
		r->r[k] = v->r;
	else
		r->n[k] = (int64_t)v->n.lo;
	r->there[k] = v->kind != VAL_NONE;
}

void
vreg_scatter(struct vreg *to, uint32_t n, const uint32_t *which, const struct vreg *from,
	     uint32_t nfrom)
{
	const struct vec *v = &from->v;

	if (!from->constant && v->kind - 1u < VAL_DECIMAL &&
	    (to->v.kind == VAL_NONE || to->v.kind == v->kind)) {
		to->v.kind = v->kind;
		for (uint32_t k = 0; k < nfrom; k++)
			to->n[which[k]] = v->n[k];
		for (uint32_t k = 0; k < nfrom; k++)
			to->there[which[k]] = v->all || v->there[k];
		return;
	}
	for (uint32_t k = 0; k < nfrom; k++) {
		struct val x = vreg_val(from, k);

		vreg_put(to, n, which[k], &x);
	}
}

void
vreg_end(struct vreg *r, uint32_t n)
{
	r->v.all = !memchr(r->there, 0, n);
	if (r->v.kind == VAL_NONE)
		r->v.kind = VAL_WHOLE;
}

void
vreg_gather(struct vreg *to, const struct vreg *from, const uint32_t *j, uint32_t n)
{
	const struct vec *v = &from->v;

	vreg_begin(to, n);
	if (!from->constant && v->kind <= VAL_DECIMAL) {
		to->v.kind = v->kind;
		for (uint32_t k = 0; k < n; k++)
			to->n[k] = v->n[j[k]];
		if (v->all)
			memset(to->there, 1, n);
		else
			for (uint32_t k = 0; k < n; k++)
				to->there[k] = v->there[j[k]];
	} else
		for (uint32_t k = 0; k < n; k++) {
			struct val x = vreg_val(from, j[k]);

			vreg_put(to, n, k, &x);
		}
	vreg_end(to, n);
}
