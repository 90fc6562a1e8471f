/* encode.c - shared by all encoders: plans, locations as numbers, values, remarks. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "event/value.h"
#include "trace-convert/encode.h"

bool
encode_whole(const char *s, size_t n, bool ns, uint64_t *v, bool *neg)
{
	const char *why;
	struct num num;

	if (!n || !num_parse(s, n, NUM_BARE, &num, &why) || (num.nano && !ns))
		return false;
	if (ns && num.whole > (uint64_t)INT64_MAX / 1000000000)
		return false;
	*v = ns ? num.whole * 1000000000 + num.nano : num.whole;
	*neg = num.neg;
	if (num.neg && *v > (uint64_t)INT64_MAX + 1)
		return false;
	*v = num.neg ? 0 - *v : *v;
	return true;
}

void
encode_place_new(struct encode *e, uint32_t loc)
{
	const struct str *s = &e->s->t.str.v[loc];
	struct encode_place *p = &e->places[loc];
	const char *colon = memchr(s->s, ':', s->len), *at = colon ? colon + 1 : s->s;
	bool neg = false;

	if (s->len == 1 && *s->s == '-')
		p->kind = PLACE_NONE;
	else if (!encode_whole(at, (size_t)(s->s + s->len - at), false, &p->number, &neg))
		p->kind = PLACE_TEXT;
	else
		p->kind = colon ? PLACE_OF : neg ? PLACE_MINUS : PLACE_NUMBER;
}

void
encode_ready(struct encode *e, struct source *s)
{
	const struct encoder *encoder = e->encoder;
	const struct tables *t = &s->t;
	uint32_t type;

	e->s = s;
	if (encoder->directory && format_inputs(s->fmt)->many) {
		if (e->run && e->run != s->id)
			die("%s: a second run begins, but a trace of %s holds one: convert "
			    "each run alone",
			    s->name, e->fmt->name);
		e->run = s->id;
	}
	if (e->place_cache.head_serial != s->head_serial && encoder->head)
		encoder->head(e);
	CACHE(e->places, e->place_cache, s, t->str.n);
	if (!encoder->plan_size)
		return;
	e->plans = cache_room(e->plans, &e->plan_cache, s, t->ntypes, encoder->plan_size);
	while (cache_next(&e->plan_cache, t->ntypes, &type))
		encoder->plan(e, &t->type[type], encode_plan(e, type));
}

/* Returns the remark with these words. If the array is full, returns the last one. */
static struct remark *
remark(struct encode *e, const char *what)
{
	struct remark *m = e->remark, *end = m + e->nremarks;

	while (m < end && m->what != what)
		m++;
	if (m == end) {
		if (e->nremarks == REMARKS_MOST)
			return m - 1;
		e->nremarks++;
		*m = (struct remark){.what = what};
	}
	return m;
}

void
encode_wrong(struct encode *e, const struct batch *b, uint32_t at, const char *why)
{
	struct remark *m = remark(e, why);

	if (!m->n++)
		m->first = e->s->count.events - b->n + at + 1;
	e->trouble = true;
}

void
encode_skip(struct encode *e, const struct batch *b, uint32_t at, const char *why)
{
	encode_wrong(e, b, at, why);
	remark(e, why)->lost = true;
}

void
encode_drop(struct encode *e, const char *what, uint64_t n)
{
	if (n)
		remark(e, what)->n += n;
}

void
encode_say(struct encode *e)
{
	for (struct remark *m = e->remark; m < e->remark + e->nremarks; m++) {
		unsigned long long n = m->n, first = m->first;

		if (!first)
			warn("%s: %llu event%s lost a part that %s cannot hold: %s",
			     e->s->name, n, n == 1 ? "" : "s", e->fmt->name, m->what);
		else if (n == 1)
			warn("%s: event %llu%s: %s", e->s->name, first,
			     m->lost ? " is skipped" : "", m->what);
		else
			warn("%s: %llu events%s: %s (event %llu is the first)", e->s->name,
			     n, m->lost ? " are skipped" : "", m->what, first);
	}
	e->nremarks = 0;
}

void
encode_free(struct encode *e)
{
	if (e->encoder->close)
		e->encoder->close(e);
	free(e->state);
	cache_free(e->plans, &e->plan_cache);
	free(e->places);
	buf_free(&e->scratch);
}

bool
encode_text(struct encode *e, const struct rec *r, const struct arg *a, struct span *v)
{
	struct buf *b = &e->scratch;
	uint32_t n;

	if (a->kind == K_STR && !a->array) {
		if (!rec_span(r, a, &v->p, &n))
			return false;
		v->n = n;
		return true;
	}
	b->n = 0;
	buf_room(b, 1);
	value_arg(b, &e->s->t, r, a);
	if (b->n == 2 && !memcmp(b->p, "\"\"", 2))
		b->n = 0;
	*v = (struct span){b->p, unescape(b->p, b->p, b->n)};
	return true;
}

bool
encode_number(struct encode *e, const struct rec *r, const struct field *f, bool ns,
	      uint64_t *v, bool *neg)
{
	struct buf *b = &e->scratch;

	if (field_load(f, r, v)) {
		*neg = f->sign && *v >> 63;
		return true;
	}
	if (f->kind == FIELD_ARG && kind_is_int(f->arg->kind) && !f->arg->array) {
		/* An integer whose values have names. */
		*v = value_int((const uint8_t *)r + f->arg->off, f->arg->kind);
		*neg = f->arg->kind >= K_I8 && f->arg->kind <= K_I64 && *v >> 63;
		return true;
	}
	b->n = 0;
	return field_text(b, &e->s->head, &e->s->t, r, f) &&
	       encode_whole((const char *)b->p, b->n, ns, v, neg);
}
