/*
 * fast.c - a fast path for RW records with one synchronous request, which are nearly all records.
 *
 * Every number is loaded as eight bytes, rotated and shifted, from an offset that is computed once. The stores go
 * in rising order, because each may overlap the next field, which is then stored after it. All other records
 * (several requests, asynchronous, a descriptor that is not open, a time that does not fit) are left to the slow
 * path, which defines the result.
 */
#include <limits.h>
#include <string.h>

#include "base/masks.h"
#include "charisma/charisma_trace.h"
#include "event/value.h"

/* Loads and stores reach up to seven bytes after a record; IN_MARGIN and REC_SLACK have room for them. */

/* Returns how to load a field of the record or of its only request, with its offset from the record's start. */
static struct load_spec
seen_from_record(const struct charisma_plan *pl, const struct source_field *f)
{
	struct load_spec v = f->from;

	if (f->element)
		v.off += pl->rec->field[pl->rec->nfields - 1].off;
	return v;
}

/* Prepares one fast path: for requests with an application's id, or with no_app = V_NO_APP for those without. */
static void
make(struct charisma *c, struct fast *f, unsigned no_app)
{
	struct charisma_plan *pl = c->rw;

	memset(f, 0, sizeof *f);
	if (!pl || simd_best() == SIMD_SLOW || c->l.comp >= 0 || c->clock.ticks ||
	    pl->end.from.none || pl->time.element || pl->end.element || pl->op.element ||
	    pl->op.from.shift != 56 || pl->addr.from.none || pl->size.from.none ||
	    pl->client.from.none || pl->desc.from.none ||
	    (pl->rec->repeat && !layout_kind(&c->l, KIND_REQUEST)))
		return;
	f->args = c->need & NEED_ARGS;
	f->exchanged = c->l.words != WORDS_ORDER;
	f->bytes = (uint32_t)layout_bytes(&c->l, pl->rec, 1);
	f->type_is = c->big == HOST_BIG ? KIND_RW : swap16(KIND_RW);
	f->counted = pl->rec->repeat;
	f->count = pl->count;
	f->start = pl->time.from;
	f->end = pl->end.from;
	f->addr = seen_from_record(pl, &pl->addr);
	f->size = seen_from_record(pl, &pl->size);
	f->client = seen_from_record(pl, &pl->client);
	f->desc = pl->desc.from;
	f->app = seen_from_record(pl, &pl->app);
	if (pl->app.from.none && !no_app)
		return;
	f->op_off = pl->op.from.off;
	f->files = f->args && c->files_on;
	f->variant = !f->args ? V_BARE : no_app | (f->files ? V_FILE : 0);
	f->possible = true;
}

void
fast_make(struct source *s)
{
	struct charisma *c = s->state;

	make(c, &c->fast[0], 0);
	make(c, &c->fast[1], V_NO_APP);
}

/* Notes the offsets of the arguments once the slow path has made the type. Returns false until then, or if the
 * fast path cannot be used. */
static bool
ready(struct source *s, struct fast *f)
{
	struct charisma *c = s->state;
	const struct charisma_plan *pl = c->rw;
	uint32_t type = pl->type[rw_index(4, f->variant)];
	const struct arg *to;
	struct fast_move *move;
	const struct type *ty;

	if (!type)
		type = pl->type[rw_index(6, f->variant)];
	if (!type)
		return false;
	ty = &s->t.type[type - 1];
	f->possible = false;
	/* By index, because a record and its request may have fields of one name. */
	to = ty->args;
	for (uint32_t i = 0; f->args && i < pl->nargs; i++) {
		const struct plan_arg *a = &pl->arg[i];
		struct source_field from = {a->from, a->element};

		if ((a->with && !(a->with & f->variant)) || a->without & f->variant)
			continue;
		switch (a->op) {
		case ARG_CONST: break;
		case ARG_FILE: f->file_to = to->off; break;
		case ARG_NAME: f->name_to = to->off; break;
		case ARG_INT:
			move = &f->move[f->nmoves++];
			move->from = seen_from_record(pl, &from);
			move->to = to->off;
			/* The bytes after it may be padding, which must stay zero: do not extend the sign. */
			if (kind_width(to->kind) * 8 == 64u - move->from.shift)
				move->from.sign = 0;
			break;
		default: return false;
		}
		to++;
	}
	f->len = ty->fixed;
	return f->usable = true;
}

/* Notes a client's descriptor. Returns false if the client itself does not have it, or if its name has no number. */
static bool
look_up(const struct charisma *c, struct client *at, uint64_t fd, unsigned epoch)
{
	const struct descriptor *d = state_find(&c->state, OF_CLIENT, at->id, fd);

	if (!d || d->epoch != epoch)
		return false;
	at->fd = fd;
	at->file = d->file;
	at->sym = d->sym;
	at->change = c->state.change;
	return true;
}

/* Properties of all records, which are constants in each copy of the loop below. */
struct way {
	bool big, exchanged;
	bool args;    /* the events have arguments */
	bool columns; /* the consumer needs columns, not only the type */
};

/* A record with one request. */
struct fast_record {
	const uint8_t *p;
	unsigned op;
	struct way way;
};

static INLINE uint64_t
load(const struct fast_record *q, const struct load_spec *f)
{
	return q->way.exchanged ? load_num(q->p, f, q->way.big)
				: load_straight(q->p, f, q->way.big);
}

/* Returns true if the record has one request, and no bits of its operation except `ops`. */
static INLINE bool
is_single(const struct fast_record *q, const struct fast *f, unsigned ops)
{
	return likely(ld16(q->p) == f->type_is && !(q->op & ~ops)) &&
	       (!f->counted || likely(load(q, &f->count) == 1));
}

/* Stores the begin of q in *time and its duration in *dur. Returns false if one does not fit, or if q ends before it
 * begins: the slow path then reports the error. */
static INLINE bool
times_of(const struct fast_record *q, const struct fast *f, const struct charisma_clock *k,
	 int64_t *time, int64_t *dur)
{
	uint64_t start = load(q, &f->start) ^ k->bias, end;

	if (unlikely(!clock_between(k, k->zero, start, time)))
		return false;
	if (q->op & 1)
		return true;
	end = load(q, &f->end) ^ k->bias;
	return likely(end >= start && clock_between(k, start, end, dur));
}

/* Returns the slot of the request's client, and its location in *loc; or NULL if the client has no slot yet. */
static INLINE struct client *
client_of(const struct fast_record *q, const struct fast *f, struct charisma *c,
	  uint32_t *loc)
{
	uint64_t id = load(q, &f->client);
	struct client *at = c->client + client_slot(id);

	*loc = at->loc;
	return likely(at->id == id && *loc && id != c->no_client) ? at : NULL;
}

/* Sets at->file to the request's file. Returns false if only the slow path can find the file. */
static INLINE bool
file_of(const struct fast_record *q, const struct fast *f, const struct charisma *c,
	struct client *at, unsigned epoch)
{
	uint64_t fd = load(q, &f->desc);

	if (unlikely(!(q->op & 4)))
		return false; /* the descriptor is the application's: only the slow path can find it */
	return likely(at->fd == fd && at->change == c->state.change) ||
	       look_up(c, at, fd, epoch);
}

/* Returns the last place at which a complete record that starts before c->limit can begin. At least one record
 * must be in the buffer. */
static INLINE const uint8_t *
last_within(const struct source *s, const struct fast *f)
{
	const struct charisma *c = s->state;
	const uint8_t *last = s->in.end - f->bytes;
	uint64_t left = c->limit - in_offset(&s->in, s->in.p);

	return left <= (uint64_t)(last - s->in.p) ? s->in.p + left - 1 : last;
}

static INLINE void
run(struct source *s, const struct fast *f, struct batch *b, struct way way)
{
	struct charisma *c = s->state;
	const uint8_t *p = s->in.p, *last = last_within(s, f);
	const uint32_t *types = c->rw->type;
	unsigned need = c->need, ops = need & (NEED_DUR | NEED_ARGS) ? 6 : 7;
	uint32_t n = b->n, epoch = s->t.epoch;
	uint8_t *own = b->own.p, *to = own + b->own.n;
	const uint32_t bytes = f->bytes, len = f->len;
	const unsigned time_too = way.columns ? NEED_TIME | NEED_DUR : 0,
		       loc_too = way.columns ? NEED_LOC | NEED_ARGS : 0;
	const struct fast_move *moved = f->move + f->nmoves;
	bool no_app = f->variant & V_NO_APP, files = way.args && f->files,
	     apps = way.args && !f->app.none;
	unsigned variant = way.args ? f->variant : V_BARE;

	for (; n < BATCH && p <= last; p += bytes) {
		struct rec *r = (struct rec *)(void *)to;
		const struct fast_record q = {p, p[f->op_off], way};
		struct client *at = NULL;
		int64_t time = 0, dur = 0;
		uint32_t type, loc = 0;

		if (!is_single(&q, f, ops) ||
		    (need & time_too && !times_of(&q, f, &c->clock, &time, &dur)))
			break;
		if (apps && unlikely((load(&q, &f->app) == c->no_app) != no_app))
			break;
		if (need & loc_too && !(at = client_of(&q, f, c, &loc)))
			break;
		if (files && !file_of(&q, f, c, at, epoch))
			break;
		type = types[rw_index(q.op, variant)];
		if (unlikely(!type))
			break;
		st64(to + len - 8, 0); /* padding at its end */
		r->len = len;
		r->type = type - 1;
		r->loc = loc;
		r->has = HAS_ADDR | HAS_SIZE | (q.op & 1 ? 0 : HAS_DUR);
		r->time = time;
		r->dur = dur;
		r->addr = way.columns ? load(&q, &f->addr) : 0;
		r->size = way.columns ? load(&q, &f->size) : 0;
		for (const struct fast_move *m = f->move; way.args && m < moved; m++)
			st64(to + m->to, load(&q, &m->from));
		if (files) {
			st64(to + f->file_to, at->file);
			st32(to + f->name_to, at->sym);
		}
		b->off[n] = (uint32_t)(to - own);
		b->raw[n] = (struct span){p, bytes};
		to += len;
		n++;
	}
	b->n = n;
	b->own.n = (size_t)(to - own);
	s->in.p = (uint8_t *)(uintptr_t)p;
}

static void
run_one(struct source *s, struct fast *f, struct batch *b)
{
	struct charisma *c = s->state;
	bool columns = c->need & (NEED_COLUMNS | NEED_ARGS);

	if (!(f->usable || (f->possible && ready(s, f))) || in_left(&s->in) < f->bytes)
		return;
	buf_room(&b->own, (size_t)(BATCH - b->n) * f->len + REC_SLACK);
	b->base = b->own.p;
	if (f->exchanged)
		run(s, f, b, (struct way){c->big, true, f->args, columns});
	else if (c->big && f->args)
		run(s, f, b, (struct way){true, false, true, true});
	else if (f->args)
		run(s, f, b, (struct way){false, false, true, true});
	else if (!columns)
		run(s, f, b, (struct way){c->big, false, false, false});
	else if (c->big)
		run(s, f, b, (struct way){true, false, false, true});
	else
		run(s, f, b, (struct way){false, false, false, true});
}

void
fast_run(struct source *s, struct batch *b)
{
	struct charisma *c = s->state;
	const struct fast *any = &c->fast[1];
	uint32_t n;

	/* Runs of requests with an application's id may alternate with runs of requests without one. */
	do {
		const uint8_t *p = s->in.p;
		bool no_app;

		if (!any->bytes || in_left(&s->in) < any->bytes ||
		    in_offset(&s->in, p) >= c->limit || ld16(p) != any->type_is)
			return;
		no_app = any->app.none || !any->args ||
			 load_num(p, &any->app, c->big) == c->no_app;
		n = b->n;
		run_one(s, &c->fast[no_app], b);
	} while (b->n > n && b->n < BATCH && any->args);
}

void
fast_skip(struct source *s)
{
	struct charisma *c = s->state;
	const struct fast *f = &c->fast[1];
	const struct way way = {c->big, f->exchanged, true, true};
	const uint8_t *p = s->in.p, *last;
	uint32_t loc;

	if (!f->bytes || in_left(&s->in) < f->bytes)
		return;
	last = last_within(s, f);
	for (; p <= last; p += f->bytes) {
		const struct fast_record q = {p, p[f->op_off], way};
		struct client *at;

		if (!is_single(&q, f, UINT_MAX))
			break;
		/* The slow path must read the first request on an inherited descriptor: it makes the descriptor
		 * the client's own. */
		if (f->files && (!(at = client_of(&q, f, c, &loc)) ||
				 !file_of(&q, f, c, at, s->t.epoch)))
			break;
	}
	s->in.p = (uint8_t *)(uintptr_t)p;
}
