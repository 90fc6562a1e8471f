/* charisma_encode.c - events as CHARISMA records, of any layout: by the plans of charisma_encode_plan.c. */
#include <stdlib.h>
#include <string.h>

#include "trace-convert/charisma_encode.h"
#include "event/value.h"

static const char does_not_fit[] = "a field cannot hold its number";

/* Returns whether an event belongs to an application: by the argument `by`, or else by the location. */
static bool
is_app(const struct charisma_build *m, const struct charisma_out_plan *pl)
{
	struct span text;

	if (pl->by.kind && encode_text(m->e, m->r, pl->by.arg, &text))
		return text.n == 3 && !memcmp(text.p, "app", 3);
	return encode_place(m->e, m->r->loc)->kind == PLACE_OF;
}

/* Returns the shape for an event: client or application. */
static const struct record_shape *
shape_of(const struct charisma_build *m, const struct charisma_out_plan *pl)
{
	return &pl->of[pl->both && (pl->by_is >= 0 ? pl->by_is : is_app(m, pl))];
}

/* Sets *i and *n from request=I/N. Returns false if the event is a record of its own. */
static bool
request_of(struct encode *e, const struct charisma_out_plan *pl, const struct rec *r,
	   uint64_t *i, uint64_t *n)
{
	struct span text;
	const char *slash, *p;
	bool neg;

	if (!pl->request.kind || !encode_text(e, r, pl->request.arg, &text))
		return false;
	p = (const char *)text.p;
	slash = text.n ? memchr(p, '/', text.n) : NULL;
	return slash && encode_whole(p, (size_t)(slash - p), false, i, &neg) && !neg &&
	       encode_whole(slash + 1, (size_t)(p + text.n - slash - 1), false, n, &neg) &&
	       !neg && *i <= *n && *n != 1;
}

/* Returns the size of a record with n elements, n <= most_elements(r). */
static size_t
record_bytes(const struct charisma_out *c, const struct layout_record *r, uint64_t n)
{
	return (size_t)layout_bytes(&c->l, r, n);
}

/* Returns the number of elements that a reader accepts in a record. */
static uint64_t
most_elements(const struct layout_record *r)
{
	return IN_LONGEST / 2 / r->element;
}

/* Writes the record of several requests, if one is held. */
static void
put_many(struct encode *e)
{
	struct charisma_out *c = e->state;
	const struct layout_record *r = c->many;
	struct load_spec count;
	size_t n;

	if (!r)
		return;
	n = record_bytes(c, r, c->requests);
	count = layout_load_of(&c->l, &r->field[r->counter], 0, c->big);
	/* The number fits: it was checked when the last request was added. */
	charisma_store(c->record.p, &count, c->requests, c->big);
	out_bytes(e->out, c->record.p, n);
	c->many = NULL;
}

/* Adds an event to the record of several requests, or begins a new record. Returns NULL, or why it is not
 * possible. */
static const char *
add_request(struct charisma_build *m, const struct record_shape *sh, uint64_t i, uint64_t n)
{
	struct charisma_out *c = m->e->state;
	const struct layout_record *r = sh->rec;
	const struct layout_field *last = &r->field[r->nfields - 1];
	struct load_spec count = layout_load_of(&c->l, &r->field[r->counter], 0, c->big);
	size_t bytes, at;
	uint8_t scratch[16] = {0};
	const char *why = NULL;
	bool first = c->many != r || n != c->of || i <= c->last;

	if (first) {
		put_many(m->e);
		c->requests = 0;
	}
	count.off = 0;
	if (!charisma_store(scratch, &count, c->requests + 1, c->big) ||
	    c->requests >= most_elements(r))
		return "a record cannot count so many requests";
	bytes = record_bytes(c, r, c->requests + 1) + r->element + 8;
	at = last->off + (size_t)c->requests * r->element;
	c->record.n = first ? 0 : at;
	buf_room(&c->record, bytes - c->record.n);
	memset(c->record.p + c->record.n, 0, bytes - c->record.n);
	if (first) {
		memcpy(c->record.p, sh->blank, r->fixed);
		why = charisma_out_steps(m, sh->step, sh->nfixed, c->record.p, NULL);
	}
	/* Steps of a request count from the place of the first request. */
	if (n && !why)
		why = charisma_out_steps(m, sh->step + sh->nfixed, sh->nsteps - sh->nfixed,
					 NULL, c->record.p + c->requests * r->element);
	if (why)
		return why;
	c->many = r;
	c->requests += n != 0;
	c->last = i;
	c->of = n;
	if (i == n)
		put_many(m->e);
	return NULL;
}

/* Writes the record of an application with its clients. Returns NULL, or why it is not possible. */
static const char *
put_load(struct charisma_build *m, const struct record_shape *sh, const struct field *from)
{
	struct charisma_out *c = m->e->state;
	const struct layout_record *r = sh->rec;
	const struct layout_field *last = &r->field[r->nfields - 1];
	struct load_spec to = layout_load_of(&c->l, last, 0, c->big),
			 count = layout_load_of(&c->l, &r->field[r->counter], 0, c->big);
	struct span text = {0};
	uint64_t n = 0, v;
	size_t bytes = record_bytes(c, r, 0) + 8;
	const char *p, *end, *comma, *why;
	struct buf list = {0};
	bool neg;

	if (from->kind && encode_text(m->e, m->r, from->arg, &text))
		buf_add(&list, text.p, text.n);
	c->record.n = 0;
	memset(buf_room(&c->record, bytes), 0, bytes);
	memcpy(c->record.p, sh->blank, r->fixed);
	why = charisma_out_steps(m, sh->step, sh->nsteps, c->record.p, c->record.p);
	p = list.n ? (const char *)list.p : "";
	for (end = p + list.n; p < end && !why; p = comma + 1, n++) {
		comma = memchr(p, ',', (size_t)(end - p));
		comma = comma ? comma : end;
		c->record.n = last->off + (size_t)n * r->element;
		bytes = record_bytes(c, r, n + 1) + r->element + 8;
		memset(buf_room(&c->record, bytes - c->record.n), 0, bytes - c->record.n);
		if (n >= most_elements(r) ||
		    !encode_whole(p, (size_t)(comma - p), false, &v, &neg) ||
		    !charisma_sign_fits(c->l.type[last->type].class, v, neg) ||
		    !charisma_store(c->record.p + n * r->element, &to, v, c->big))
			why = does_not_fit;
	}
	buf_free(&list);
	if (!why && !charisma_store(c->record.p, &count, n, c->big))
		why = "a record cannot count so many clients";
	if (!why)
		out_bytes(m->e->out, c->record.p, record_bytes(c, r, n));
	return why;
}

/* Writes a record that does not hold several requests. Returns NULL, or why it is not possible. */
static const char *
put_plain(struct charisma_build *m, const struct record_shape *sh)
{
	struct charisma_out *c = m->e->state;
	struct out *o = m->e->out;
	uint8_t *p;
	const char *why;

	put_many(m->e);
	if (likely(sh->bytes + 8 <= OUT_SLACK)) {
		p = out_room(o);
		memcpy(p, sh->blank, sh->bytes);
		why = charisma_out_steps(m, sh->step, sh->nsteps, p, p);
		o->p += why ? 0 : sh->bytes;
		return why;
	}
	c->record.n = 0;
	buf_add(&c->record, sh->blank, sh->bytes + 8);
	why = charisma_out_steps(m, sh->step, sh->nsteps, c->record.p, c->record.p);
	if (!why)
		out_bytes(o, c->record.p, sh->bytes);
	return why;
}

/* Writes one event. Returns NULL, or why it is not written. */
static INLINE const char *
encode_event(struct encode *e, const struct charisma_out_plan *pl, const struct rec *r)
{
	struct charisma_build m = {e, r, 0};
	const struct record_shape *sh = shape_of(&m, pl);
	const char *why;
	uint64_t i = 0, n = 1;

	if (unlikely(!sh->rec))
		return "the format has no record of this name";
	if (pl->rw) {
		/* Flags of a request: the flags that it names, or else flags from its name and `by`. */
		if (pl->op_is != UINT64_MAX)
			m.op = pl->op_is;
		else if (!pl->op.kind)
			m.op = is_app(&m, pl) ? 0 : 4;
		else if ((why = charisma_out_flags(&m, &pl->op, false, &m.op)))
			return why;
		m.op = (m.op & ~(uint64_t)2) | (pl->write ? 2 : 0);
		if (unlikely(pl->request.kind) && sh->rec->repeat &&
		    request_of(e, pl, r, &i, &n) && (r->has & HAS_ADDR || !n))
			return add_request(&m, sh, i, n);
		if (unlikely(!(r->has & HAS_ADDR))) {
			put_many(e);
			return pl->comp.rec ? charisma_out_comp(&m, pl) : "no addr";
		}
	} else if (sh->rec->repeat) {
		put_many(e);
		return put_load(&m, sh, &pl->elements);
	}
	return put_plain(&m, sh);
}

static void
charisma_put(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t n)
{
	struct charisma_out *c = e->state;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);
		const struct charisma_out_plan *pl = encode_plan(e, r->type);
		const struct record_shape *sh;
		const struct encode_place *place;
		const char *why;
		bool app;

		if (unlikely(pl->header || !c->begun)) {
			bool again = c->begun;

			put_many(e);
			why = charisma_out_header(e, pl->header ? r : NULL,
						  &e->s->t.type[r->type]);
			if (!why && again)
				why = "there is a second header record";
			if (why)
				encode_wrong(e, b, at, why);
			if (pl->header)
				continue;
		}
		why = encode_event(e, pl, r);
		if (unlikely(why)) {
			encode_skip(e, b, at, why);
			continue;
		}
		/* Report columns for which the record has no field. */
		sh = shape_of(&(struct charisma_build){e, r, 0}, pl);
		place = encode_place(e, r->loc);
		app =
		    place->kind == PLACE_OF || (place->kind <= PLACE_MINUS && !sh->client);
		encode_drop(e, "loc",
			    place->kind != PLACE_NONE && !(app ? sh->app : sh->client));
		encode_drop(e, "addr", !sh->columns && r->has & HAS_ADDR);
		encode_drop(e, "size", !sh->columns && r->has & HAS_SIZE);
		encode_drop(e, "dur", !sh->columns && r->has & HAS_DUR);
	}
}

/* Chooses the layout before the first plan. Later inputs are written with the clock of the first one. */
static void
charisma_head(struct encode *e)
{
	struct charisma_out *c = e->state;
	const struct head *h = &e->s->head;

	e->unit = 1;
	if (!c->begun)
		charisma_out_layout(e);
	else if (strcmp(h->format, "-") != 0)
		c->first = (int64_t)((uint64_t)c->start * 1000000000 - (uint64_t)h->origin);
}

static void
charisma_out_close(struct encode *e)
{
	buf_free(&((struct charisma_out *)e->state)->record);
}

const struct encoder charisma_encoder = {
    .format = &fmt_charisma,
    .need = NEED_ALL,
    .state = sizeof(struct charisma_out),
    .plan_size = sizeof(struct charisma_out_plan),
    .head = charisma_head,
    .plan = charisma_out_plan,
    .put = charisma_put,
    .end = put_many,
    .close = charisma_out_close,
};
