/* laplace_encode.c - events as Laplace's binary references, and as its text. */
#include <string.h>

#include "base/put.h"
#include "trace-convert/encode.h"
#include "laplace/laplace.h"

static const char back[] = "the clock goes back";
static const char early[] = "the time is before 0";
static const char no_addr[] = "no addr";
static const char no_loc[] = "loc is not a number";
static const char wide_space[] = "loc is wider than 32 bits";
static const char wide_addr[] = "addr is wider than 32 bits";
static const char long_size[] = "size is greater than 255";

/* Returns the letter that is an event's name, or 0. */
static uint8_t
letter_of(const struct type *ty)
{
	uint8_t name[4];

	if (ty->event_len > sizeof name || unescape(name, ty->event, ty->event_len) != 1)
		return 0;
	return laplace_letter(*name) ? *name : 0;
}

/* Sets *t to a time of either clock in ticks. Returns false if it is before 0. */
static INLINE bool
ticks_of(const struct encode *e, const struct rec *r, uint64_t *t)
{
	*t = (uint64_t)r->time;
	return r->time >= 0 || e->s->head.clock == CLOCK_TICKS;
}

struct laplace_binary {
	uint64_t last;
	bool big, chosen; /* byte order; chosen: it is known */
};

/* Chooses the byte order: from the option, or else from the first input, if it is such a trace. */
static void
binary_head(struct encode *e)
{
	struct laplace_binary *c = e->state;
	const struct laplace_options *o = e->options;
	const char *order = strcmp(e->s->head.format, e->fmt->name)
				? NULL
				: head_value(&e->s->head, "order");

	e->unit = 1;
	if (!c->chosen)
		c->big = o->order ? o->order == ORDER_BIG : order && !strcmp(order, "big");
	c->chosen = true;
}

static void
binary_plan(struct encode *e, const struct type *ty, void *plan)
{
	(void)e;
	*(uint8_t *)plan = letter_of(ty);
}

/* Returns NULL, or why r is not written. */
static const char *
binary_refused(struct encode *e, const struct rec *r, uint8_t letter)
{
	const struct encode_place *space = encode_place(e, r->loc);
	uint64_t t;

	if (!letter)
		return "the event of a reference must be one letter";
	if (!ticks_of(e, r, &t))
		return early;
	if (!(r->has & HAS_ADDR))
		return no_addr;
	if (space->kind > PLACE_NUMBER)
		return no_loc;
	if (space->number > UINT32_MAX)
		return wide_space;
	return r->addr > UINT32_MAX ? wide_addr : r->size > 255 ? long_size : NULL;
}

static void
binary_put(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t n)
{
	struct laplace_binary *c = e->state;
	struct out *o = e->out;
	uint8_t *p = out_room(o);
	uint64_t durs = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);
		const struct encode_place *space = encode_place(e, r->loc);
		uint8_t letter = *(uint8_t *)encode_plan(e, r->type);
		struct reference to = {letter, 0, (uint8_t)r->size, (uint32_t)space->number,
				       (uint32_t)r->addr};

		if (unlikely(!letter || !ticks_of(e, r, &to.time) || !(r->has & HAS_ADDR) ||
			     space->kind > PLACE_NUMBER || r->size > 255 ||
			     (r->addr | space->number) >> 32)) {
			encode_skip(e, b, at, binary_refused(e, r, letter));
			continue;
		}
		if (unlikely(to.time < c->last))
			encode_wrong(e, b, at, back);
		c->last = to.time;
		durs += (r->has & HAS_DUR) != 0;
		p = out_room_at(o, p);
		laplace_store(p, &to, c->big);
		p += LAPLACE_RECORD;
	}
	o->p = p;
	encode_drop(e, "dur", durs);
}

const struct encoder laplace_encoder = {
    .format = &fmt_laplace,
    .need = NEED_ALL,
    .state = sizeof(struct laplace_binary),
    .plan_size = 1,
    .head = binary_head,
    .plan = binary_plan,
    .put = binary_put,
};

#define ROWS_MOST 32

struct laplace_text_state {
	uint64_t last;
	/* kernel: there was a kernel event; ended: the last event was the end */
	bool kernel, ended;
	struct laplace_row row[ROWS_MOST];
	unsigned nrows;
};

struct laplace_text_plan {
	const struct laplace_row *row;
	uint8_t tag; /* 0: no record has this name */
	const char *why;
	struct field field[LAPLACE_FIELDS]; /* fields of arguments */
	bool drops_addr, drops_size;
};

static void
text_begin(struct encode *e)
{
	const struct laplace_text_options *o = e->options;
	const struct schema *s = e->fmt->schema;
	struct laplace_text_state *c = e->state;

	e->unit = 1;
	/* The first row is for references. */
	for (size_t i = 0; i < (o->references ? 1 : s->n); i++)
		laplace_compile(&c->row[c->nrows++], schema_row(s, i));
}

/* Returns the record for events of this name, or NULL, with the reason in *why. */
static const struct laplace_row *
type_row(const struct encode *e, const struct type *ty, uint8_t *tag, const char **why)
{
	const struct laplace_text_state *c = e->state;
	uint8_t letter = letter_of(ty);

	for (unsigned i = 1; i < c->nrows; i++)
		if (!strcmp(ty->event, c->row[i].event)) {
			*tag = c->row[i].tag;
			return &c->row[i];
		}
	*tag = letter;
	*why = "the format has no record of this name";
	/* T with five words is a reference, and c with any number of words. */
	for (unsigned i = 1; i < c->nrows; i++)
		if (letter && letter == c->row[i].tag && letter != 'T' && letter != 'c') {
			*why = "the letter is the tag of a kernel event; -O references "
			       "writes references alone";
			return NULL;
		}
	return letter ? c->row : NULL;
}

static void
text_plan(struct encode *e, const struct type *ty, void *plan)
{
	struct laplace_text_plan *pl = plan;
	const struct laplace_field *f;
	char name[20];

	pl->row = type_row(e, ty, &pl->tag, &pl->why);
	if (!pl->row)
		return;
	pl->drops_addr = pl->drops_size = true;
	for (unsigned i = 0; i < pl->row->n; i++) {
		f = &pl->row->field[i];
		pl->drops_addr &= f->place != P_ADDR;
		pl->drops_size &= f->place != P_SIZE;
		if (f->place != P_ARG && f->place != P_REST)
			continue;
		memcpy(name, "arg.", 4);
		memcpy(name + 4, f->name.p, f->name.n);
		name[4 + f->name.n] = '\0';
		pl->field[i] = field_find(name, &e->s->head, ty);
	}
}

/* Sets *v to field i of r, a number. Returns NULL, or why there is none. */
static const char *
text_number(struct encode *e, const struct laplace_text_plan *pl, unsigned i,
	    const struct rec *r, uint64_t *v)
{
	const struct laplace_field *f = &pl->row->field[i];
	const struct encode_place *place;
	bool neg = false;

	*v = 0;
	switch (f->place) {
	case P_LOC:
		place = encode_place(e, r->loc);
		*v = place->number;
		return place->kind > PLACE_NUMBER ? no_loc : NULL;
	case P_ADDR: *v = r->addr; return r->has & HAS_ADDR ? NULL : no_addr;
	case P_SIZE:
		*v = r->size;
		return f->kind == K_U8 && r->size > 255 ? long_size : NULL;
	default:
		if (pl->field[i].kind == FIELD_NONE)
			return NULL;
		return encode_number(e, r, &pl->field[i], false, v, &neg) && !neg
			   ? NULL
			   : "an argument is not a whole number from 0";
	}
}

/* Writes a blank and the name of a file, which ends the line. Returns NULL, or why it cannot. */
static const char *
put_file(struct encode *e, const struct laplace_text_plan *pl, unsigned i,
	 const struct rec *r, uint8_t **to)
{
	const struct field *f = &pl->field[i];
	struct span v = {0};

	if (f->kind == FIELD_ARG && !encode_text(e, r, f->arg, &v))
		return "an argument is damaged";
	if (!v.n)
		v = (struct span){(const uint8_t *)"-", 1};
	if (memchr(v.p, '\n', v.n) || v.p[v.n - 1] == '\r')
		return "a name has a newline, or ends in a carriage return";
	if (v.n > IN_LONGEST - 512)
		return "the line would be too long";
	*(*to)++ = ' ';
	*to = out_bytes_at(e->out, *to, v.p, v.n);
	return NULL;
}

/* Writes r at *to, and moves *to after it. Returns NULL, or why it is not possible. */
static const char *
encode_row(struct encode *e, const struct laplace_text_plan *pl, const struct rec *r,
	   uint8_t **to)
{
	struct laplace_text_state *c = e->state;
	uint8_t *p = *to;
	const char *why;
	uint64_t v;

	if (!pl->row)
		return pl->why;
	if (!ticks_of(e, r, &v))
		return early;
	*p++ = pl->tag;
	if (pl->row->tag != 'c') {
		*p++ = ' ';
		p = put_hex(p, v);
	}
	for (unsigned i = 0; i < pl->row->n; i++) {
		if (pl->row->field[i].place == P_REST)
			why = put_file(e, pl, i, r, &p);
		else {
			why = text_number(e, pl, i, r, &v);
			*p++ = ' ';
			p = put_hex(p, v);
		}
		if (why)
			return why;
	}
	*p++ = '\n';
	*to = p;
	c->kernel |= pl->row->tag != 0;
	c->ended = pl->row->tag == 'c';
	return NULL;
}

static void
text_put(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t n)
{
	struct laplace_text_state *c = e->state;
	uint8_t *p = out_room(e->out);
	uint64_t addrs = 0, sizes = 0, durs = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);
		const struct laplace_text_plan *pl = encode_plan(e, r->type);
		const char *why;

		p = out_room_at(e->out, p);
		why = encode_row(e, pl, r, &p);
		if (unlikely(why)) {
			encode_skip(e, b, at, why);
			continue;
		}
		if (unlikely((uint64_t)r->time < c->last) && !c->ended)
			encode_wrong(e, b, at, back);
		if (!c->ended)
			c->last = (uint64_t)r->time;
		addrs += pl->drops_addr && r->has & HAS_ADDR;
		sizes += pl->drops_size && r->has & HAS_SIZE;
		durs += (r->has & HAS_DUR) != 0;
	}
	e->out->p = p;
	encode_drop(e, "addr", addrs);
	encode_drop(e, "size", sizes);
	encode_drop(e, "dur", durs);
}

/* Ends a kernel trace, unless the input is incomplete: a trace without its last line was cut off. */
static void
text_end(struct encode *e)
{
	const struct laplace_text_state *c = e->state;

	if (c->kernel && !c->ended && !e->cut)
		out_str(e->out, "c\n");
}

const struct encoder laplace_text_encoder = {
    .format = &fmt_laplace_text,
    .need = NEED_ALL,
    .state = sizeof(struct laplace_text_state),
    .plan_size = sizeof(struct laplace_text_plan),
    .begin = text_begin,
    .plan = text_plan,
    .put = text_put,
    .end = text_end,
};
