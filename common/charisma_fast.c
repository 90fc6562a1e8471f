/*
 * charisma_fast.c - RW records of one synchronous request: nearly all there are.
 *
 * Every number is loaded as eight bytes, turned and shifted, by offsets that were worked
 * out once; what a loop of moves stores in rising order overlaps into the next field,
 * which is stored after it. Anything else (several requests, asynchronous, a descriptor
 * that is not open, a time that does not fit) is left to the slow way, which is the
 * definition.
 */
#include <string.h>

#include "charisma.h"
#include "lines.h"

/* Loads reach seven bytes behind a record; IN_MARGIN covers them. Stores do the same. */

static uint32_t
arg_place(const struct type *ty, const char *name)
{
	for (uint32_t i = 0; i < ty->nargs; i++)
		if (!strcmp(ty->args[i].name, name))
			return ty->args[i].off;
	return 0;
}

/* A place in the record of the only request, seen from the record's start. */
static struct load
fold(const struct plan *pl, const struct source_field *f)
{
	struct load v = f->from;

	if (f->element)
		v.off += pl->rec->field[pl->rec->nfields - 1].off;
	return v;
}

void
fast_make(struct source *s)
{
	struct charisma *c = s->state;
	struct fast *f = &c->fast;
	struct plan *pl = c->rw;
	const struct type *ty;
	uint32_t plain, file;

	memset(f, 0, sizeof *f);
	if (!pl || simd_slow() || c->l.comp >= 0 || c->clock.ticks || pl->end.from.none ||
	    pl->time.element || pl->end.element || pl->op.element ||
	    pl->op.from.shift != 56 || pl->addr.from.none || pl->size.from.none ||
	    pl->client.from.none || pl->desc.from.none ||
	    (pl->rec->repeat && !layout_kind(&c->l, KIND_REQUEST)))
		return;
	f->args = c->need & NEED_ARGS;
	f->bytes = (uint32_t)layout_bytes(&c->l, pl->rec, 1);
	f->type_is = c->big == HOST_BIG ? KIND_RW : swap16(KIND_RW);
	f->counted = pl->rec->repeat;
	f->count = pl->count;
	f->start = pl->time.from;
	f->end = pl->end.from;
	f->addr = fold(pl, &pl->addr);
	f->size = fold(pl, &pl->size);
	f->client = fold(pl, &pl->client);
	f->desc = pl->desc.from;
	f->op_off = pl->op.from.off;
	plain = plan_type(s, pl, 4, f->args ? 0 : V_BARE);
	file = f->args ? plan_type(s, pl, 4, V_FILE) : plain;
	f->len[0] = s->t.type[plain].fixed;
	f->len[1] = s->t.type[file].fixed;
	ty = &s->t.type[file];
	for (uint32_t i = 0; f->args && i < pl->nargs; i++) {
		const struct plan_arg *a = &pl->arg[i];
		struct source_field from = {a->from, a->element};

		if (a->with || a->op == ARG_CONST)
			continue;
		if (a->op != ARG_INT)
			return;
		f->move[f->nmoves].from = fold(pl, &from);
		f->move[f->nmoves++].to = arg_place(ty, a->name);
	}
	f->file_to = f->args ? arg_place(ty, "file") : 0;
	f->name_to = f->args ? arg_place(ty, "name") : 0;
	f->usable = true;
}

/* big, args and columns are constants in each copy of this loop. */
static INLINE void
run(struct source *s, struct batch *b, bool big, bool args, bool columns)
{
	struct charisma *c = s->state;
	const struct fast *f = &c->fast;
	const struct charisma_clock *k = &c->clock;
	const uint8_t *p = s->in.p, *last = s->in.end - f->bytes;
	const uint32_t *types = c->rw->type;
	unsigned need = c->need, ops = need & (NEED_DUR | NEED_ARGS) ? 6 : 7;
	uint32_t n = b->n, epoch = s->t.epoch;
	uint8_t *to = b->own.p + b->own.n;
	bool files = args && c->files_on;

	for (; n < BATCH && p <= last; p += f->bytes) {
		struct rec *r = (struct rec *)(void *)to;
		struct descriptor *d = NULL;
		uint64_t client = 0, start;
		uint32_t type, loc = 0;
		unsigned op = p[f->op_off];
		int64_t time = 0, dur = 0;

		if (unlikely(ld16(p) != f->type_is || op & ~ops))
			break;
		if (f->counted && unlikely(load_num(p, &f->count, big) != 1))
			break;
		if (columns && need & (NEED_TIME | NEED_DUR)) {
			start = load_num(p, &f->start, big) ^ k->bias;
			if (unlikely(!clock_between(k, k->zero, start, &time)))
				break;
			if (!(op & 1) &&
			    unlikely(!clock_between(
				k, start, load_num(p, &f->end, big) ^ k->bias, &dur)))
				break;
		}
		if (columns && need & (NEED_LOC | NEED_ARGS)) {
			uint32_t slot;

			client = load_num(p, &f->client, big);
			slot = (uint32_t)(client * 0x9E3779B97F4A7C15u >> 32) % LOCS;
			loc = c->loc[slot].loc;
			if (unlikely(c->loc[slot].client != client || !loc ||
				     client == c->no_client))
				break;
		}
		if (files) {
			uint64_t fd = load_num(p, &f->desc, big);

			if (unlikely(!(op & 4)))
				break; /* the application's: its id is looked for */
			d = state_find(&c->state, false, client, fd);
			if (unlikely(!d || d->epoch != epoch))
				break;
		}
		type =
		    types[args ? rw_index(op, files ? V_FILE : 0) : rw_index(op, V_BARE)];
		if (unlikely(!type))
			break;
		r->len = f->len[files];
		r->type = type - 1;
		r->loc = loc;
		r->has = HAS_ADDR | HAS_SIZE | (op & 1 ? 0 : HAS_DUR);
		r->time = time;
		if (columns) {
			r->addr = load_num(p, &f->addr, big);
			r->size = load_num(p, &f->size, big);
		} else
			r->addr = r->size = 0;
		r->dur = dur;
		if (args) {
			for (uint32_t i = 0; i < f->nmoves; i++)
				st64(to + f->move[i].to,
				     load_num(p, &f->move[i].from, big));
			if (files) {
				st64(to + f->file_to, d->file);
				st32(to + f->name_to, d->sym);
			}
		}
		b->off[n] = (uint32_t)(to - b->own.p);
		b->raw[n] = (struct span){p, f->bytes};
		to += f->len[files];
		n++;
	}
	b->n = n;
	b->own.n = (size_t)(to - b->own.p);
	s->in.p = (uint8_t *)(uintptr_t)p;
}

void
fast_run(struct source *s, struct batch *b)
{
	struct charisma *c = s->state;
	bool columns = c->need & (NEED_COLUMNS | NEED_ARGS);

	if (in_left(&s->in) < c->fast.bytes)
		return;
	buf_room(&b->own, (size_t)(BATCH - b->n) * c->fast.len[1] + REC_SLACK);
	b->base = b->own.p;
	if (c->big && c->fast.args)
		run(s, b, true, true, true);
	else if (c->fast.args)
		run(s, b, false, true, true);
	else if (!columns)
		run(s, b, c->big, false, false);
	else if (c->big)
		run(s, b, true, false, true);
	else
		run(s, b, false, false, true);
}
