/* import.c - copies records between tables: see import.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "import/import.h"

void
import_from(struct import *im, const struct tables *from)
{
	bool anew =
	    im->types_epoch != im->types->epoch || im->strings_epoch != im->strings->epoch;
	struct import *owner = im->shared ? im->shared : im;

	if (owner->types_epoch != im->types->epoch) {
		strtab_free(&owner->known);
		owner->types_epoch = im->types->epoch;
	}
	if (anew) {
		if (owner == im)
			strtab_free(&im->known);
		im->types_epoch = im->types->epoch;
		im->strings_epoch = im->strings->epoch;
	}
	if (!anew && im->from_epoch == from->epoch)
		return;
	im->from_epoch = from->epoch;
	if (im->strcap)
		memset(im->str, 0, im->strcap * sizeof *im->str);
	if (im->typecap)
		memset(im->type, 0, im->typecap * sizeof *im->type);
}

uint32_t
import_new_str(struct import *im, const struct tables *from, uint32_t id)
{
	uint32_t n;

	if (id >= from->str.n) /* of a damaged record */
		return id ? import_str(im, from, 0) : strtab_id(&im->strings->str, "-", 1);
	n = strtab_id(&im->strings->str, from->str.v[id].s, from->str.v[id].len);
	GROW(im->str, im->strcap, id + 1);
	im->str[id] = n + 1;
	return n;
}

/* Returns a copy of labels that lives as long as the tables t. */
static const struct labels *
copy_labels(struct tables *t, const struct labels *l)
{
	struct label *v = arena_get(&t->mem, l->n * sizeof *v + 1);
	struct labels *to = arena_get(&t->mem, sizeof *to);

	for (uint32_t i = 0; i < l->n; i++)
		v[i] = (struct label){
		    l->v[i].value, arena_str(&t->mem, l->v[i].name, strlen(l->v[i].name))};
	*to = (struct labels){v, l->n};
	t->bytes += l->n * (sizeof *v + 16);
	return to;
}

uint32_t
import_more(struct tables *t, const struct type *ty, const struct arg *more, uint32_t n)
{
	uint32_t id = type_more(t, ty, more, n, 0);
	struct arg *a = (struct arg *)(uintptr_t)t->type[id].args;

	for (uint32_t i = 0; i < t->type[id].nargs; i++)
		if (a[i].labels)
			a[i].labels = copy_labels(t, a[i].labels);
	return id;
}

uint32_t
import_type_as(struct import *im, uint32_t type, const struct type *ty)
{
	struct import *owner = im->shared ? im->shared : im;
	struct buf key = {0};
	uint32_t id, known = owner->known.n;

	type_key(&key, ty);
	id = strtab_id(&owner->known, key.p, key.n);
	buf_free(&key);
	GROW(owner->number, owner->numbercap, id + 1);
	if (id == known)
		owner->number[id] = import_more(im->types, ty, NULL, 0);
	GROW(im->type, im->typecap, type + 1);
	im->type[type] = owner->number[id] + 1;
	return owner->number[id];
}

uint32_t
import_type(struct import *im, const struct tables *from, uint32_t type)
{
	if (type < im->typecap && im->type[type])
		return im->type[type] - 1;
	return import_type_as(im, type, &from->type[type]);
}

void
import_args(struct import *im, const struct tables *from, const struct type *ty,
	    struct rec *r)
{
	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];
		uint8_t *p = (uint8_t *)r + a->off;
		const uint8_t *at;
		uint32_t n = 1;

		if (a->kind != K_SYM)
			continue;
		if (a->array) {
			if (!rec_span(r, a, &at, &n))
				continue;
			p = (uint8_t *)r + (at - (const uint8_t *)r);
		}
		for (; n; n--, p += 4)
			st32(p, import_str(im, from, ld32(p)));
	}
}

bool
import_apart(const struct type *ty, const struct rec *r)
{
	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i], *b;
		const uint8_t *p, *q;
		uint32_t n, k;

		if (a->kind != K_SYM || !a->array || !rec_span(r, a, &p, &n) || !n)
			continue;
		if (p < (const uint8_t *)r + ty->fixed)
			return false;
		for (b = ty->args; b < ty->args + ty->nargs; b++)
			if (b != a && kind_is_part(b) && rec_span(r, b, &q, &k) && k &&
			    q < p + 4 * (size_t)n &&
			    p < q + (b->array ? kind_width(b->kind) : 1) * (size_t)k)
				return false;
	}
	return true;
}

void
import_free(struct import *im)
{
	free(im->str);
	free(im->type);
	free(im->number);
	strtab_free(&im->known);
}
