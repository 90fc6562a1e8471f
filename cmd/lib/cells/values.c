/* values.c - see values.h */
#include "base/die.h"
#include "cells/values.h"

void
values_begin(struct values *v, struct exprs *list, const char *keys,
	     struct read_options *opt)
{
	v->list = list;
	v->before = exprs_in_order(list);
	if (v->before && opt->chunks)
		die("--chunk reads a part alone, but prev, nth and total need all previous "
		    "events");
	if (keys)
		exprs_key(list, exprs_key_parse(keys));
	opt->need |= exprs_need(list);
}

void
values_see(struct values *v, struct source *s, const struct batch *b)
{
	if (v->before)
		v->refused = !exprs_run(v->list, s, b, NULL, b->n);
}

bool
values_put(struct values *v, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	if (v->list && !v->before)
		v->refused = !exprs_run(v->list, s, b, pick, n);
	return !v->refused;
}

int
values_close(struct values *v, const struct sink *k)
{
	int status = v->list && !k->whole ? exprs_finish(v->list, k->cut) : ST_OK;

	exprs_free(v->list);
	return k->part ? ST_OK : status;
}
