/* charisma_encode_header.c - the layout and the header record of a trace that is written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-convert/charisma_encode.h"
#include "event/value.h"

#define LAYOUT_DEFAULT "lp64-le"
#define UNIT_DEFAULT "1e-09"

/* Returns a value of the metadata, if the input is a CHARISMA trace, or NULL. */
static const char *
meta(const struct encode *e, const char *key)
{
	return strcmp(e->s->head.format, e->fmt->name) ? NULL
						       : head_value(&e->s->head, key);
}

void
charisma_out_layout(struct encode *e)
{
	struct charisma_out *c = e->state;
	const struct charisma_options *o = e->options;
	const char *name = meta(e, "layout"), *tail = meta(e, "tail"),
		   *order = meta(e, "order");

	if (o->layout)
		c->l = *o->layout;
	else if (!layout_preset(&c->l, name ? name : LAYOUT_DEFAULT))
		die("%s: the layout %s is described in a file: -O layout=FILE tells which",
		    e->s->name, name);
	/* A layout that was asked for has its own tail. */
	if (tail && !o->layout)
		c->l.tail = !strcmp(tail, "idiom")   ? TAIL_IDIOM
			    : !strcmp(tail, "nopad") ? TAIL_NOPAD
						     : c->l.tail;
	c->big = c->l.order ? c->l.order == 'b' : order && !strcmp(order, "big");
	c->no_client = number_of_none(&c->l, false, c->big);
	c->no_app = number_of_none(&c->l, true, c->big);
}

/* Returns the text for a field of the header: from the event, or else from the metadata, or NULL. Valid until
 * the next call. */
static const char *
charisma_header_value(struct encode *e, const struct rec *r, const struct type *ty,
		      const char *name)
{
	const struct arg *a = r ? arg_named(ty, name) : NULL;
	struct charisma_out *c = e->state;
	struct span v;

	if (!a || !encode_text(e, r, a, &v))
		return meta(e, name);
	c->record.n = 0;
	buf_add(&c->record, v.p, v.n);
	buf_byte(&c->record, '\0');
	return (const char *)c->record.p;
}

/* Stores the text as field f of the header at p. Returns false if the field cannot hold it. */
static bool
store_text(const struct charisma_out *c, uint8_t *p, const struct layout_field *f,
	   const char *text)
{
	const struct layout_type *t = &c->l.type[f->type];
	const struct labels *labels = charisma_labels(&c->l, f);
	struct load_spec at = layout_load_of(&c->l, f, 0, c->big);
	size_t n = strlen(text);
	uint64_t v;
	bool neg = false;

	if (t->class == CLASS_CHAR) {
		if (n > f->size)
			return false;
		memset(p + f->off, 0, f->size);
		memcpy(p + f->off, text, n);
		return true;
	}
	if (t->class == CLASS_FLOAT)
		return charisma_store(p, &at, charisma_float_bits(strtod(text, NULL), &at),
				      c->big);
	for (uint32_t i = 0; labels && i < labels->n; i++)
		if (!strcmp(labels->v[i].name, text))
			return charisma_store(p, &at, (uint64_t)labels->v[i].value, c->big);
	return encode_whole(text, n, false, &v, &neg) &&
	       charisma_sign_fits(t->class, v, neg) && charisma_store(p, &at, v, c->big);
}

/* Fills a field that metadata lacks: with the date of the origin, nanoseconds, or a machine with one processor
 * of the first known kind. */
static void
set_default(const struct encode *e, uint8_t *p, const struct layout_field *f)
{
	char date[24];
	int64_t ns = e->s->head.clock == CLOCK_NS ? e->s->head.origin : 0;
	const char *text = "0";

	if (!strcmp(f->name, "start_date")) {
		snprintf(date, sizeof date, "%lld",
			 (long long)(ns / 1000000000 - (ns % 1000000000 < 0)));
		text = date;
	} else if (!strcmp(f->name, "timestamp_unit"))
		text = UNIT_DEFAULT;
	else if (!strcmp(f->name, "system_type") || !strcmp(f->name, "num_processors"))
		text = "1";
	else if (!strcmp(f->name, "release_data"))
		text = "";
	store_text(e->state, p, f, text);
}

/* Sets the clock that converts times to time stamps from the header record at p. */
static void
set_clock(struct encode *e, const uint8_t *p, const struct rec *r)
{
	struct charisma_out *c = e->state;
	struct load_spec at = layout_header_load(&c->l, "timestamp_unit", c->big);

	c->clock.bias = c->l.type[TYPE_TIMESTAMP].class == CLASS_SIGNED ? 1ull << 63 : 0;
	c->clock.zero = header_num(&c->l, p, "timestamp", c->big) ^ c->clock.bias;
	/* Without a usable unit a time stamp is a nanosecond, or a tick. */
	if (at.none || !charisma_unit(&c->clock, load_float(p, &at, c->big)))
		c->clock.num = c->clock.den = 1;
	c->start = (int64_t)header_num(&c->l, p, "start_date", c->big);
	if (r)
		c->first = r->time;
	else
		c->first = (int64_t)((uint64_t)c->start * 1000000000 -
				     (uint64_t)e->s->head.origin);
}

const char *
charisma_out_header(struct encode *e, const struct rec *r, const struct type *ty)
{
	struct charisma_out *c = e->state;
	const struct layout_record *h = layout_kind(&c->l, KIND_HEADER);
	size_t n = (size_t)layout_bytes(&c->l, h, 0);
	const char *wrong = NULL;
	uint8_t *p = xcalloc(n + 8, 1);

	/* The type of a header record is 0. */
	for (uint32_t i = 1; i < h->nfields; i++) {
		const char *text = charisma_header_value(e, r, ty, h->field[i].name);

		if (text && store_text(c, p, &h->field[i], text))
			continue;
		set_default(e, p, &h->field[i]);
		if (text)
			wrong = "a value of the header that its field cannot hold";
	}
	if (!c->begun)
		charisma_frame(e->out, c->big);
	out_bytes(e->out, p, n);
	set_clock(e, p, r);
	c->begun = true;
	free(p);
	return wrong;
}
