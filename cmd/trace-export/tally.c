/* tally.c - counts what a target cannot hold: see tally.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/put.h"
#include "base/num.h"
#include "view/field.h"
#include "trace-export/tally.h"
#include "view/traits.h"
#include "view/view_request.h"

/* Limit of different names of arguments that are counted; further ones count as OTHERS. */
#define NAMES_MOST 1024
#define OTHERS "others"
/* Limit of names in the message. */
#define NAMES_SAID 8

/* Adds the events of all types to the counts of arguments. */
static void
add_up(struct tally *t)
{
	for (uint32_t i = 0; i < t->type_cache.known; i++) {
		struct tally_type *ty = &t->type[i];

		for (uint32_t k = 0; k < ty->nnames; k++)
			t->count[ty->name[k]] += ty->n;
		ty->n = 0;
	}
}

/* Returns the operation of events of a type, or 0 if the target takes none of them. */
static uint16_t
op_for(const struct target *target, const struct type *ty)
{
	const struct op_name *o = target->names;
	uint16_t op = (uint16_t)(op_of(ty) & target->ops);

	for (; !op && o && o->names; o++)
		for (const char *w = o->names; *w; w += strspn(w, " ")) {
			size_t n = strcspn(w, " ");

			if (n == ty->event_len && !strncasecmp(w, ty->event, n))
				op = o->op;
			w += n;
		}
	return op;
}

static void
new_type(struct tally *t, struct tally_type *to, const struct type *ty)
{
	uint32_t nargs = t->carries & NEED_ARGS ? 0 : ty->nargs;
	bool bytes;

	to->op = op_for(t->target, ty);
	bytes = to->op < OP_SYNC;
	to->needs = (uint8_t)(bytes ? t->needs : 0);
	to->size_least = bytes && t->target->filled;
	to->size_most =
	    t->target->size_most ? t->target->size_most : (uint64_t)INT64_MAX / 2;
	to->unit = ty->addr_hex ? 1 : t->unit;
	/* Except for `wide`, addr + size stays below 2^63. Without a unit only addr 0 fits. */
	if (to->unit)
		to->addr_most =
		    (t->target->wide ? UINT64_MAX : (uint64_t)INT64_MAX / 2) / to->unit;
	to->name = arena_get(&t->type_cache.mem, nargs * sizeof *to->name);
	for (uint32_t i = 0; i < nargs; i++) {
		const char *name = t->names.n < NAMES_MOST ? ty->args[i].name : OTHERS;

		if (t->asked && !strcmp(t->asked, ty->args[i].name))
			continue;
		to->name[to->nnames++] = strtab_id(&t->names, name, strlen(name));
		GROW(t->count, t->count_cap, t->names.n);
	}
}

/* Returns the smallest time that a request may have. tally_first() checks the first request of a part. */
static int64_t
least_of(const struct tally *t)
{
	if (!t->target->timed)
		return INT64_MIN;
	return t->ticks || (t->piece && t->first == INT64_MAX) ? INT64_MAX : 0;
}

void
tally_bind(struct tally *t, const struct source *s)
{
	uint32_t type;

	if (!cache_holds(&t->type_cache, s)) {
		/* The head has the units of addr and of times. */
		add_up(t);
		t->source = s;
		t->requests = source_requests(s) ? source_requests(s) : t->requests;
		t->unit = source_addr_unit(s, t->block);
		t->ticks = s->head.clock == CLOCK_TICKS;
		t->least = least_of(t);
	}
	CACHE(t->loc, t->loc_cache, s, s->t.str.n);
	CACHE(t->type, t->type_cache, s, s->t.ntypes);
	while (cache_next(&t->type_cache, s->t.ntypes, &type))
		new_type(t, &t->type[type], &s->t.type[type]);
}

void
tally_refuse(struct tally *t, const struct rec *r)
{
	const struct tally_type *ty = &t->type[r->type];
	unsigned lacks = ty->needs & ~r->has;

	if (ty->op && !ty->unit && r->addr) {
		t->again = true;
		if (!t->piece)
			source_no_unit(t->source);
	}
	tally_skip(t, !ty->op			 ? SKIP_OP
		      : lacks & HAS_ADDR	 ? SKIP_ADDR
		      : lacks & HAS_SIZE	 ? SKIP_SIZE
		      : r->size < ty->size_least ? SKIP_EMPTY
		      : r->time >= t->least	 ? SKIP_LARGE
		      : t->ticks		 ? SKIP_CLOCK
						 : SKIP_BEFORE);
}

bool
tally_first(struct tally *t, const struct rec *r)
{
	if (!t->piece || t->ticks || t->first != INT64_MAX || r->time < 0 ||
	    !tally_fits(t, r))
		return false;
	t->first = r->time;
	t->least = 0;
	return true;
}

uint64_t
tally_late(struct tally *t)
{
	t->again = true;
	t->late++;
	return (uint64_t)t->last;
}

uint32_t
tally_new_loc(struct tally *t, const struct source *s, uint32_t loc)
{
	const struct str *name = &s->t.str.v[loc];
	struct num v = {0};
	const char *why;

	if (loc && (!num_parse(name->s, name->len, NUM_BARE, &v, &why) || v.neg || v.nano ||
		    v.whole >= LOC_NONE - 1))
		return t->loc[loc] = LOC_NONE;
	return t->loc[loc] = (uint32_t)v.whole + 1;
}

/* Appends "WHAT of N events" to a list. */
static void
add_lack(struct buf *b, const char *what, uint64_t n)
{
	char number[32];

	if (!n)
		return;
	snprintf(number, sizeof number, " of %llu event%s", (unsigned long long)n,
		 n == 1 ? "" : "s");
	if (b->n)
		buf_add(b, ", ", 2);
	buf_to(b, put_name(buf_room(b, 4 * strlen(what)), what, strlen(what)));
	buf_str(b, number);
}

static void
say_lacks(struct tally *t)
{
	static const struct {
		const char *name;
		unsigned need, has;
	} columns[] = {
	    {"time", NEED_TIME, 0},	   {"loc", NEED_LOC, HAS_LOC},
	    {"addr", NEED_ADDR, HAS_ADDR}, {"size", NEED_SIZE, HAS_SIZE},
	    {"dur", NEED_DUR, HAS_DUR},
	};
	unsigned carries = t->carries, said = 0;
	struct buf b = {0};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		uint64_t n = 0;

		for (unsigned k = 0; k < 2 * HAS_LOC; k++)
			n += !columns[i].has || k & columns[i].has ? t->had[k] : 0;
		if (!(carries & columns[i].need))
			add_lack(&b, columns[i].name, n);
	}
	for (uint32_t i = 0; i < t->names.n; i++)
		if (t->count[i] && said++ < NAMES_SAID)
			add_lack(&b, t->names.v[i].s, t->count[i]);
	if (said > NAMES_SAID)
		buf_add(&b, " and more arguments", 19);
	buf_byte(&b, '\0');
	if (b.n > 1)
		warn("%s has no place for: %s", t->target->name, (const char *)b.p);
	buf_free(&b);
}

static int
say_all(struct tally *t)
{
	static const char *const why[SKIPS] = {
	    [SKIP_OP] = "the name is neither a read nor a write",
	    [SKIP_ADDR] = "no addr",
	    [SKIP_SIZE] = "no size",
	    [SKIP_EMPTY] = "the size is 0",
	    [SKIP_OBJECT] = "-K has no value",
	    [SKIP_CLOCK] = "the clock counts ticks of unknown length; give --hz N",
	    [SKIP_BEFORE] = "the time is below 0",
	    [SKIP_LARGE] = "a number is too large",
	    [SKIP_BACK] = "the dur is below 0",
	    [SKIP_LANES] = "more than 1024 events overlap in one place",
	    [SKIP_TYPES] =
		"there are more than 65536 kinds of event, or their names exceed 4 MiB",
	    [SKIP_LOC] = "loc is no number, or is too large",
	    [SKIP_FILES] =
		"there are more than 65536 locs, or one is too long; give --replay-file",
	};
	int status = t->late ? ST_TROUBLE : ST_OK;
	bool keys = t->target->takes & TAKES(OBJECT);

	say_lacks(t);
	for (int i = 0; i < SKIPS; i++) {
		if (!t->skipped[i])
			continue;
		warn("%s: %llu event%s not written: %s", t->target->name,
		     (unsigned long long)t->skipped[i], t->skipped[i] == 1 ? "" : "s",
		     i == SKIP_ADDR && keys ? "no addr: -K KEY says what the object is"
					    : why[i]);
		status = ST_TROUBLE;
	}
	if (t->skipped[SKIP_OP] && t->requests)
		warn("%s: %s", t->target->name, t->requests);
	if (t->rounded)
		warn("%s: addr or size of %llu event%s became whole sectors of 512 bytes",
		     t->target->name, (unsigned long long)t->rounded,
		     t->rounded == 1 ? "" : "s");
	if (t->late)
		warn("%s: %llu event%s went back in time: written at the time of the "
		     "previous event",
		     t->target->name, (unsigned long long)t->late, t->late == 1 ? "" : "s");
	return status;
}

int
tally_close(struct tally *t)
{
	int status;

	add_up(t);
	/* A part is reported with the whole. */
	status = t->piece ? ST_OK : say_all(t);
	if (!t->piece && t->object && exprs_finish(t->object, false) != ST_OK)
		status = ST_TROUBLE;
	exprs_free(t->object);
	arena_free(&t->texts);
	cache_free(t->type, &t->type_cache);
	free(t->count);
	free(t->loc);
	strtab_free(&t->names);
	return status;
}

bool
tally_join(struct sink *k, struct sink *piece)
{
	struct tally *t = k->state, *p = piece->state;

	/* The names that were counted, and the written times, depend on what was before. */
	if (t->names.n + p->names.n > NAMES_MOST || p->again ||
	    (t->target->timed && p->first < t->last))
		return false;
	for (size_t i = 0; i < 2 * HAS_LOC; i++)
		t->had[i] += p->had[i];
	for (size_t i = 0; i < SKIPS; i++)
		t->skipped[i] += p->skipped[i];
	t->rounded += p->rounded;
	if (t->object)
		exprs_merge(t->object, p->object);
	t->requests = p->requests ? p->requests : t->requests;
	add_up(p);
	for (uint32_t i = 0; i < p->names.n; i++) {
		uint32_t id = strtab_id(&t->names, p->names.v[i].s, p->names.v[i].len);

		GROW(t->count, t->count_cap, t->names.n);
		t->count[id] += p->count[i];
		p->count[i] = 0;
	}
	t->last = p->last > t->last ? p->last : t->last;
	memset(p->had, 0, sizeof p->had);
	memset(p->skipped, 0, sizeof p->skipped);
	p->rounded = 0;
	p->first = INT64_MAX;
	p->last = 0;
	p->least = least_of(p);
	return true;
}

void *
tally_open(struct sink *k, struct read_options *opt, size_t size)
{
	struct tally *t = k->state = xcalloc(1, size);
	const char *key = export_asked(k)->object;

	t->target = export_asked(k)->target;
	t->carries = t->target->carries;
	t->needs = t->target->needs;
	if (key) {
		t->asked = key;
		t->object = exprs_parse(key, PARSE_LIST, NULL);
		if (exprs_tree(t->object)->nlets != 1)
			die("-K: give one value as the key");
		if (export_asked(k)->cells.keys)
			exprs_key(t->object, exprs_key_parse(export_asked(k)->cells.keys));
		t->again = exprs_in_order(t->object);
		if (t->again && opt->chunks)
			die("-K: prev, nth and total need all previous events: do not use "
			    "--chunk");
		t->needs &= ~(unsigned)HAS_ADDR;
		t->carries &= ~(unsigned)NEED_ADDR;
		t->carries |= field_column(key, strlen(key)) ? field_need(key) : 0;
		opt->need |= exprs_need(t->object);
	}
	t->block = export_asked(k)->block;
	t->piece = k->whole != NULL;
	t->first = INT64_MAX;
	/* Also fields that are left out, to count them. */
	opt->need |= NEED_ALL;
	return t;
}

int
tally_form_close(struct sink *k)
{
	int status = tally_close(k->state);

	free(k->state);
	return status;
}
