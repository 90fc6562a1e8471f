/* ovni_encode.c - events as the streams of an ovni trace.
 *
 * Events with the head of an ovni trace are written unchanged: what their payload lacks was missing there, and
 * letters that we do not know were there. All other events become a trace that ovni's own tools accept. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "event/value.h"
#include "trace-convert/ovni_encode.h"
#include "ovni/ovni_trace.h"

#define CPUS_MOST (1u << 16)
#define PAYLOAD_MOST 16 /* bytes, except for jumbo data */

struct ovni_encode_plan {
	/* Records whose arguments have the bytes of the payload are copied. */
	bool fast;
	uint8_t bytes;			/* if fast: size of the event */
	uint32_t models;		/* bit of its model */
	uint32_t key;			/* if fast: first four bytes of the event */
	const char *why;		/* why no event is written, or NULL */
	const struct ovni_event *event; /* NULL: we do not know it */
	uint8_t mcv[3];
	bool clock_free; /* it begins or ends a region */
	bool cpu;	 /* its first argument is a processor */
	unsigned nargs;	 /* number of arguments in the payload */
	struct field arg[OVNI_ARGS];
	uint32_t ncounters;
	const struct arg **counter;
	const struct arg *rest; /* bytes after the arguments, or NULL */
};

static const char not_a_number[] = "an argument is no number, or its field cannot hold it";

/* Finds the arguments that are hardware counters, in order. */
static void
plan_counters(struct encode *e, const struct type *ty, struct ovni_encode_plan *pl)
{
	const struct ovni_out *c = e->state;
	uint32_t id;

	pl->counter = arena_get(&e->plan_cache.mem, (ty->nargs + 1) * sizeof *pl->counter);
	for (uint32_t i = 0; i < ty->nargs; i++)
		if (strtab_find(&c->counters, ty->args[i].name, strlen(ty->args[i].name),
				&id))
			pl->counter[pl->ncounters++] = &ty->args[i];
}

/* Finds out whether records have the payload's bytes at REC_HEAD, and the event's size. */
static void
plan_fast(struct ovni_encode_plan *pl)
{
	uint32_t at = 0;
	uint8_t first[4] = {0, pl->mcv[0], pl->mcv[1], pl->mcv[2]};

	for (unsigned i = 0; i < pl->nargs; i++) {
		const struct arg *a = pl->arg[i].arg;

		if (pl->arg[i].kind != FIELD_ARG || a->array ||
		    a->kind != pl->event->arg[i].kind || a->off != REC_HEAD + at)
			return;
		at += kind_width(a->kind);
	}
	first[0] = at ? (uint8_t)(at - 1) : 0;
	memcpy(&pl->key, first, 4);
	pl->bytes = (uint8_t)(OVNI_EVENT + at);
	pl->fast = at != 1 && at <= PAYLOAD_MOST;
}

static void
ovni_plan(struct encode *e, const struct type *ty, void *plan)
{
	const struct ovni_out *c = e->state;
	const struct ovni_event *ev;
	struct ovni_encode_plan *pl = plan;
	uint8_t name[16];
	char arg[24] = "arg.";
	unsigned most;

	pl->why = "ovni has no event of this name";
	if (ty->event_len >= sizeof name ||
	    unescape(name + 1, ty->event, ty->event_len) != 3 || !ovni_printable(name))
		return;
	memcpy(pl->mcv, name + 1, 3);
	pl->event = ev = ovni_event(pl->mcv);
	if (!ev && !c->own)
		return;
	pl->why = NULL;
	for (unsigned i = 0; i < OVNI_OUT_MODELS; i++)
		if (ovni_out_models[i].letter == pl->mcv[0])
			pl->models = 1u << i;
	pl->clock_free = pl->mcv[0] == 'O' && pl->mcv[1] == 'U';
	if (c->own)
		pl->rest = arg_named(ty, ev ? "rest" : "payload");
	most = ev ? ev->nargs : 0;
	for (unsigned i = 0; i < most; i++) {
		strcpy(arg + 4, ev->arg[i].name);
		pl->arg[i] = field_find(arg, &e->s->head, ty);
		if (!c->own || pl->arg[i].kind)
			pl->nargs = i + 1;
	}
	pl->cpu = most && !strcmp(ev->arg[0].name, "cpu");
	if (ev && ev->counters)
		plan_counters(e, ty, pl);
	if (!pl->rest && !pl->clock_free && !(ev && ev->jumbo) && (c->own || !pl->cpu) &&
	    e->s->head.clock == CLOCK_NS)
		plan_fast(pl);
}

/* Appends a number of `kind` to c->data. Returns false if it does not fit. */
static bool
add_number(struct ovni_out *c, unsigned kind, uint64_t v, bool neg, bool swap)
{
	unsigned width = kind_width(kind), bits = 8 * width;
	bool sign = kind >= K_I8 && kind <= K_I64;
	uint8_t bytes[8];

	if (neg && (!sign || (bits < 64 && ~v >> (bits - 1))))
		return false;
	if (!neg && (sign ? v >> (bits - 1) : bits < 64 && v >> bits))
		return false;
	for (unsigned i = 0; i < width; i++)
		bytes[HOST_BIG != swap ? width - 1 - i : i] = (uint8_t)(v >> 8 * i);
	buf_add(&c->data, bytes, width);
	return true;
}

/* Appends the bytes of an argument, which are bytes or hex digits. Returns false if it is neither. */
static bool
add_bytes(struct encode *e, const struct rec *r, const struct arg *a)
{
	struct ovni_out *c = e->state;
	struct span v;
	uint32_t n;

	if (a->kind == K_BYTES) {
		if (!rec_span(r, a, &v.p, &n))
			return false;
		buf_add(&c->data, v.p, n);
		return true;
	}
	if (!encode_text(e, r, a, &v) || v.n % 2 || v.n < 2 || memcmp(v.p, "0x", 2) != 0)
		return false;
	for (size_t i = 2; i < v.n; i += 2) {
		unsigned high = hex_digit(v.p[i]), low = hex_digit(v.p[i + 1]);

		if (high > 15 || low > 15)
			return false;
		buf_byte(&c->data, (char)(high << 4 | low));
	}
	return true;
}

/* Appends a text and its NUL. Returns NULL, or why it cannot. */
static const char *
add_text(struct encode *e, const struct rec *r, const struct field *f)
{
	struct ovni_out *c = e->state;
	struct span v = {(const uint8_t *)"", 0};

	if (f->kind && !encode_text(e, r, f->arg, &v))
		return "an argument is damaged";
	if (v.n && memchr(v.p, '\0', v.n))
		return "a text has a NUL byte";
	buf_add(&c->data, v.p, v.n);
	buf_byte(&c->data, '\0');
	return NULL;
}

/* Writes the payload of r to c->data. Returns NULL, or why it has none. */
static const char *
make_payload(struct encode *e, const struct ovni_encode_plan *pl, const struct rec *r,
	     bool swap)
{
	struct ovni_out *c = e->state;
	const char *why;
	unsigned kind = 0;
	uint64_t v;
	bool neg;

	c->data.n = 0;
	for (unsigned i = 0; i < pl->nargs && !pl->ncounters; i++) {
		kind = pl->event->arg[i].kind;
		v = 0;
		neg = false;
		if (kind == K_STR) {
			if ((why = add_text(e, r, &pl->arg[i])))
				return why;
			continue;
		}
		if ((pl->arg[i].kind &&
		     !encode_number(e, r, &pl->arg[i], false, &v, &neg)) ||
		    !add_number(c, kind, v, neg, swap))
			return not_a_number;
	}
	for (uint32_t i = 0; i < pl->ncounters; i++) {
		struct field f = field_of_arg(pl->counter[i]);

		if (!encode_number(e, r, &f, false, &v, &neg) ||
		    !add_number(c, K_I64, v, neg, swap))
			return not_a_number;
	}
	if (pl->rest && !add_bytes(e, r, pl->rest))
		return "bytes are not written as 0x and pairs of digits";
	/* A text that ends with its data, without NUL. */
	if (kind == K_STR && !pl->rest && c->own && r->has & HAS_SIZE &&
	    r->size + 1 == c->data.n)
		c->data.n--;
	return c->data.n > OVNI_LONGEST - OVNI_EVENT ? "the event would be too long" : NULL;
}

/* Sets *th and *clock to the thread and the clock of r. Returns NULL, or why it has none. */
static const char *
find_place(struct encode *e, const struct rec *r, struct ovni_out_thread **th,
	   uint64_t *clock)
{
	struct ovni_out *c = e->state;
	const char *why = NULL;

	if (e->s->head.clock == CLOCK_TICKS)
		return "the time counts ticks of unknown length; give --hz N";
	if (c->of[r->loc])
		*th = &c->thread[c->of[r->loc] - 1];
	else if (!(*th = ovni_out_place(e, r->loc, &why)))
		return why;
	*clock = (uint64_t)r->time + (*th)->add;
	/* The sum of two negative numbers can have such a value. */
	if (*clock >= OVNI_KEYS || (r->time < 0 && (*th)->add >> 63))
		why = r->time < 0 || (*th)->add >> 63 ? "the time is before 0"
						      : "the time is too late";
	return why;
}

/* Notes what the event shows of its thread and loom. */
static void
note_event(struct encode *e, const struct ovni_encode_plan *pl, const struct rec *r,
	   struct ovni_out_thread *th)
{
	struct ovni_out *c = e->state;
	uint64_t *ncpus = &c->loom[th->loom].ncpus, cpu;
	bool neg;

	if (pl->clock_free)
		th->region = pl->mcv[2] == '[' || (th->region && pl->mcv[2] != ']');
	th->models |= pl->models;
	if (pl->cpu && !c->own && encode_number(e, r, &pl->arg[0], false, &cpu, &neg) &&
	    !neg && cpu < CPUS_MOST && cpu >= *ncpus)
		*ncpus = cpu + (pl->mcv[1] != 'C'); /* OCn has the number of processors */
}

/* Writes r, of any shape. Returns NULL, or why it is not written. */
static COLD const char *
encode_ovni_event(struct encode *e, const struct batch *b, uint32_t at)
{
	struct ovni_out *c = e->state;
	const struct rec *r = batch_rec(b, at);
	const struct ovni_encode_plan *pl = encode_plan(e, r->type);
	struct ovni_out_thread *th;
	uint8_t head[OVNI_EVENT + 4] = {0};
	const char *why = pl->why;
	uint64_t clock = 0;
	uint32_t size;
	bool jumbo;

	if (why || (why = find_place(e, r, &th, &clock)) ||
	    (why = make_payload(e, pl, r, th->swap)))
		return why;
	jumbo = (pl->event && pl->event->jumbo) || (c->own && r->has & HAS_SIZE);
	size = (uint32_t)c->data.n;
	if (!jumbo && (size == 1 || size > PAYLOAD_MOST))
		return "the payload has one byte, or more than 16";
	head[0] = jumbo ? OVNI_JUMBO | 3 : size ? (uint8_t)(size - 1) : 0;
	memcpy(head + 1, pl->mcv, 3);
	st64(head + 4, th->swap ? swap64(clock) : clock);
	st32(head + OVNI_EVENT, th->swap ? swap32(size) : size);
	outfiles_bytes(&c->files, th->file, head, OVNI_EVENT + (jumbo ? 4 : 0));
	outfiles_bytes(&c->files, th->file, c->data.p, size);
	if (clock >= th->last)
		th->last = clock;
	else if (!th->region)
		encode_wrong(e, b, at, "the clock goes back");
	note_event(e, pl, r, th);
	encode_drop(e, "addr", (r->has & HAS_ADDR) != 0);
	encode_drop(e, "size", !jumbo && r->has & HAS_SIZE);
	encode_drop(e, "dur", (r->has & HAS_DUR) != 0);
	return NULL;
}

/* Writes r by a fast plan. Returns false if its place or time is unusual. */
static INLINE bool
put_fast(struct ovni_out *c, const struct ovni_encode_plan *pl, const struct rec *r)
{
	uint32_t of = c->of[r->loc];
	struct ovni_out_thread *th;
	struct outfiles_file *file;
	uint64_t clock;
	uint8_t *p;

	if (unlikely(!of))
		return false;
	th = &c->thread[of - 1];
	clock = (uint64_t)r->time + th->add;
	if (unlikely((clock | th->add) >> 63 || clock < th->last || th->swap))
		return false;
	file = &c->files.v[th->file];
	p = outfiles_room(&c->files, file);
	st32(p, pl->key);
	st64(p + 4, clock);
	memcpy(p + OVNI_EVENT, (const uint8_t *)r + REC_HEAD, PAYLOAD_MOST);
	file->p = p + pl->bytes;
	th->last = clock;
	th->models |= pl->models;
	return true;
}

static void
ovni_put(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t n)
{
	struct ovni_out *c = e->state;

	CACHE(c->of, c->of_cache, e->s, e->s->t.str.n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);
		const struct ovni_encode_plan *pl = encode_plan(e, r->type);
		const char *why;

		if (unlikely(!pl->fast || r->has || !put_fast(c, pl, r)) &&
		    (why = encode_ovni_event(e, b, at)))
			encode_skip(e, b, at, why);
	}
}

static void
ovni_begin(struct encode *e)
{
	((struct ovni_out *)e->state)->files.dir = e->dir;
}

static void
ovni_end(struct encode *e)
{
	struct ovni_out *c = e->state;

	ovni_out_begin_all(e);
	ovni_out_meta(e);
	outfiles_close(&c->files);
}

static void
ovni_out_close(struct encode *e)
{
	struct ovni_out *c = e->state;

	outfiles_free(&c->files);
	free(c->thread);
	strtab_free(&c->threads);
	strtab_free(&c->looms);
	free(c->loom);
	strtab_free(&c->tree.names);
	free(c->tree.v);
	arena_free(&c->tree.mem);
	strtab_free(&c->counters);
	free(c->of);
	buf_free(&c->data);
}

const struct encoder ovni_encoder = {
    .format = &fmt_ovni,
    .need = NEED_ALL,
    .directory = true,
    .state = sizeof(struct ovni_out),
    .plan_size = sizeof(struct ovni_encode_plan),
    .begin = ovni_begin,
    .head = ovni_out_head,
    .plan = ovni_plan,
    .put = ovni_put,
    .end = ovni_end,
    .close = ovni_out_close,
};
