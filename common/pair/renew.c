/* renew.c - the engine's tables of types and strings start anew when they are full. */
#include <string.h>

#include "input/fault.h"
#include "pair/pairing.h"

/* A record that is held gets its numbers in new tables. */
static void
renew(void *arg, struct rec *r)
{
	struct pairing *x = arg;
	bool open = r->type & RECORD_OPEN;
	struct import *im = open ? &x->t.import : &x->import;
	struct tables *from = open ? &x->old_held : &x->old;
	uint32_t type = r->type & ~RECORD_OPEN;

	import_rec(im, from, &from->type[type], r, import_type(im, from, type));
	if (open)
		r->type |= RECORD_OPEN;
}

void
pairing_new_tables(struct pairing *x, const struct source *s)
{
	struct tables *t = &x->out.t, *held = &x->t.held;
	size_t bytes;

	if (x->p.w.filed) {
		if (!x->told_many)
			fault((struct source *)(uintptr_t)s, NULL, COST_STATUS, s->name,
			      NOWHERE,
			      "more than %u MiB of names while events wait in a file: "
			      "begins that are open here stay without end",
			      (unsigned)(x->names_most >> 20));
		x->told_many = true;
		pairing_give_up(x);
	}
	/* Both import from tables with the strings of the old ones. */
	x->old = *t;
	x->old_held = *held;
	strtab_free(&x->old_held.str);
	x->old_held.str = x->old.str;
	memset(t, 0, sizeof *t);
	memset(held, 0, sizeof *held);
	pair_types_reset(&x->t);
	tables_reset(t);
	x->import.types = x->import.strings = t;
	x->old.epoch = x->old_held.epoch = serial();
	import_from(&x->import, &x->old);
	import_from(&x->t.import, &x->old_held);
	wait_each(&x->p.w, renew, x);
	import_free(&x->import);
	memset(&x->import, 0, sizeof x->import);
	memset(&x->old_held.str, 0, sizeof x->old_held.str);
	tables_free(&x->old_held);
	tables_free(&x->old);
	import_from(&x->t.import, &s->t);
	bytes = t->bytes + t->str.bytes + 64 * (size_t)t->str.n + held->bytes;
	while (x->names_most < 2 * bytes)
		x->names_most *= 2;
	while (x->types_most < 2 * ((size_t)t->ntypes + held->ntypes))
		x->types_most *= 2;
}
