/* paraver.c - a directory with a trace for Paraver: trace.prv, records in order of time; trace.pcf, the names
 * of types and values; trace.row, the names of rows.
 *
 * The first line of trace.prv has the length of the trace, and the number of threads of each task; so the
 * inputs are read twice. A task is a process of tracks.h, or a place that is one by itself, such as a rank; a
 * thread is one of its lanes. A state is a value of the type "state"; when it ends, the state around it
 * follows. Ends wait in a heap until their time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "event/value.h"
#include "trace-export/paraver.h"

/* Limits of names of events, of arguments, and of texts: of each this number, and their bytes. */
/* Bound: trace-export paraver | texts | texts of events | 65536 | are left out: there are more than (status 0) */
#define TEXTS_MOST 65536
#define TEXT_BYTES (4u << 20)

static void
learn_batch(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	    uint32_t n)
{
	struct paraver *x = k->state;

	tracks_bind(&x->first.tracks, s);
	for (uint32_t i = 0; i < n; i++) {
		int64_t from, to;
		struct track_place *place;
		const struct track_lane *lane;

		if (drawing_event(&x->first, s, batch_rec(b, pick ? pick[i] : i), &from,
				  &to, &place, &lane) == SKIPS &&
		    to > x->length)
			x->length = to;
	}
}

/* Returns the number of a text, from 1, or 0 if there are too many. */
static uint32_t
table_number(struct strtab *t, const void *p, size_t n)
{
	uint32_t id;

	if ((t->n == TEXTS_MOST || t->bytes + n > TEXT_BYTES) && !strtab_find(t, p, n, &id))
		return 0;
	return strtab_id(t, p, n) + 1;
}

/* Notes the names of values of a type. Returns false if a value already has another name: in one argument,
 * MPI's requests and file requests differ. */
static bool
add_names(struct paraver *x, uint32_t type, const struct labels *l)
{
	struct buf *b = &x->names[type], key = {0};
	bool same = true;
	char value[48];
	uint32_t id;

	for (unsigned add = 0; add < 2 && same; add++)
		for (uint32_t i = 0; l && i < l->n; i++) {
			int n = snprintf(value, sizeof value, "%u %lld ", type,
					 (long long)l->v[i].value);
			bool known = strtab_find(&x->named, value, (size_t)n, &id);

			key.n = 0;
			buf_add(&key, value, (size_t)n);
			value_str(&key, l->v[i].name, strlen(l->v[i].name));
			if (known && !strtab_find(&x->named, key.p, key.n, &id))
				same &= add; /* the first name in a table is used */
			if (known || !add)
				continue;
			strtab_id(&x->named, value, (size_t)n);
			strtab_id(&x->named, key.p, key.n);
			buf_byte(&key, '\n');
			id = (uint32_t)(strchr(value, ' ') + 1 - value);
			buf_add(b, key.p + id, key.n - id);
		}
	buf_free(&key);
	return same;
}

/* Returns the number of the type of a column or an argument, from 1, or 0 if there are too many. */
static uint32_t
paraver_type_of(struct paraver *x, const char *name, const struct field *f,
		const struct labels *labels)
{
	bool number = f->load == LOAD_INT;
	uint32_t type;

	x->text.n = 0;
	buf_byte(&x->text, number ? 'n' : 't');
	buf_add(&x->text, name, strlen(name) + 1);
	do {
		type = table_number(&x->types, x->text.p, x->text.n);
		GROW(x->names, x->names_cap, x->types.n);
		/* Try another type with this name. */
		buf_byte(&x->text, '\0');
	} while (type && number && !add_names(x, type - 1, labels));
	return type;
}

/* Adds a column or an argument to the plan that is being made. */
static void
paraver_add(void *arg, const char *name, const struct field *f)
{
	struct paraver *x = arg;
	struct paraver_plan *pl = x->making;
	const struct labels *labels = f->kind == FIELD_ARG ? f->arg->labels : NULL;
	struct paraver_value *v = &pl->v[pl->n];
	struct arg plain;
	uint32_t type;

	v->f = *f;
	if (labels && !f->arg->array) {
		plain = *f->arg;
		plain.labels = NULL;
		v->f = field_of_arg(&plain);
		v->f.arg = f->arg;
	}
	v->number = v->f.load == LOAD_INT;
	type = paraver_type_of(x, name, &v->f, labels);
	if (!type) {
		x->types_lost++;
		return;
	}
	v->text_n =
	    (uint8_t)snprintf((char *)v->text, sizeof v->text, ":%u:", FIRST + type - 1);
	pl->n++;
}

static void
make_paraver_plan(struct paraver *x, const struct source *s, const struct type *ty,
		  struct paraver_plan *pl)
{
	char room[STATE_ROOM];
	const char *name = drawing_name(s, ty, room);

	x->making = pl;
	pl->name = table_number(&x->events, name, strlen(name));
	if (!pl->name)
		return;
	pl->v =
	    arena_get(&x->plan_cache.mem, (ty->nargs + DRAWING_COLUMNS) * sizeof *pl->v);
	drawing_fields(s, ty, paraver_add, x);
}

/* Writes the beginning of a record: row, time, type and value. */
static INLINE uint8_t *
paraver_record(uint8_t *p, const struct open_states *lane, int64_t time, unsigned type,
	       uint32_t value)
{
	memcpy(p, lane->text, sizeof lane->text);
	p = put_u64(p + lane->text_n, (uint64_t)time);
	*p++ = ':';
	*p++ = (uint8_t)('0' + type);
	*p++ = ':';
	return put_u32(p, value);
}

/* Writes the ends of states until `time`. */
static void
end_until(struct paraver *x, int64_t time)
{
	struct state_end e;

	while (x->open.n && dues_first(&x->open)->time <= (uint64_t)time) {
		struct open_states *lane;
		uint8_t *p;
		uint32_t n;

		dues_pop(&x->open, &e, sizeof e);
		lane = &x->lane[e.lane];
		n = --lane->n;
		p = paraver_record(out_room(&x->prv), lane, (int64_t)e.due.time, STATE,
				   n ? lane->value[n - 1] : 0);
		*p++ = '\n';
		x->prv.p = p;
	}
}

/* Writes the columns and arguments of an event. */
static uint8_t *
paraver_values(struct paraver *x, uint8_t *p, const struct source *s, const struct rec *r,
	       const struct paraver_plan *pl)
{
	for (uint32_t i = 0; i < pl->n; i++) {
		const struct paraver_value *v = &pl->v[i];
		uint64_t number;

		if (v->number) {
			if (!field_load(&v->f, r, &number))
				continue;
			if (unlikely(!v->f.sign && number > INT64_MAX)) {
				x->large++;
				continue;
			}
		} else {
			x->text.n = 0;
			if (!field_text(&x->text, &s->head, &s->t, r, &v->f))
				continue;
			number = table_number(&x->texts, x->text.p, x->text.n);
			if (!number) {
				x->texts_lost++;
				continue;
			}
		}
		p = out_room_at(&x->prv, p);
		memcpy(p, v->text, sizeof v->text);
		p = put_i64(p + v->text_n, (int64_t)number);
	}
	return p;
}

static INLINE enum skip
paraver_event(struct paraver *x, const struct source *s, const struct rec *r)
{
	struct paraver_plan *pl = &x->plan[r->type];
	bool lasts = r->has & HAS_DUR;
	int64_t from, to;
	struct track_place *place;
	const struct track_lane *l;
	struct open_states *lane;
	enum skip skip = drawing_event(&x->drawing, s, r, &from, &to, &place, &l);
	uint8_t *p;

	if (unlikely(skip != SKIPS))
		return skip;
	if (unlikely(l->id >= x->lanes || to > x->length)) {
		x->missed++;
		return SKIPS;
	}
	if (unlikely(!pl->name))
		make_paraver_plan(x, s, &s->t.type[r->type], pl);
	if (unlikely(!pl->name))
		return SKIP_TYPES;
	if (unlikely(from < x->now)) {
		x->drawing.tally.late++;
		from = x->now;
		to = to > from ? to : from;
	}
	end_until(x, from);
	x->now = from;
	lane = &x->lane[l->id];
	p = paraver_record(out_room(&x->prv), lane, from, lasts ? STATE : MOMENT, pl->name);
	p = paraver_values(x, p, s, r, pl);
	*p++ = '\n';
	x->prv.p = p;
	if (lasts) {
		*PUSH(lane->value, lane->n, lane->cap) = pl->name;
		dues_push(&x->open, &(struct state_end){{(uint64_t)to, ~x->ends++}, l->id},
			  sizeof(struct state_end));
	}
	return SKIPS;
}

static void
paraver_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	    uint32_t n)
{
	struct paraver *x = k->state;

	CACHE(x->plan, x->plan_cache, s, s->t.ntypes);
	drawing_bind(&x->drawing, s, b, pick, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);

		drawing_done(&x->drawing, s, r, paraver_event(x, s, r), at, i);
	}
}

static void
paraver_begin(struct sink *k, struct read_options *opt)
{
	struct paraver *x = k->state = xcalloc(1, sizeof *x);

	drawing_begin(&x->drawing, k, opt, &(struct track_writer){0}, NULL, NULL);
	out_open_in(&x->prv, k->dir, "trace.prv");
}

static void
paraver_heading(struct sink *k, struct source *s)
{
	struct paraver *x = k->state;

	(void)s;
	if (!x->drawing.headed)
		paraver_head(x, k->dir);
	x->drawing.headed = true;
}

/* Warns that n of something are left out, and why. */
static void
warn_skipped(uint64_t n, const char *what, const char *why)
{
	if (n)
		warn("paraver: %llu %s%s %s left out%s", (unsigned long long)n, what,
		     n == 1 ? "" : "s", n == 1 ? "is" : "are", why);
}

static void
free_all(struct paraver *x)
{
	for (uint32_t i = 0; i < x->lanes; i++)
		free(x->lane[i].value);
	for (uint32_t i = 0; i < x->types.n; i++)
		buf_free(&x->names[i]);
	free(x->lane);
	free(x->open.v);
	free(x->names);
	cache_free(x->plan, &x->plan_cache);
	strtab_free(&x->events);
	strtab_free(&x->types);
	strtab_free(&x->texts);
	strtab_free(&x->named);
	buf_free(&x->text);
	free(x);
}

static int
close_paraver(struct sink *k)
{
	struct paraver *x = k->state;
	int status = x->missed ? ST_TROUBLE : ST_OK;

	paraver_heading(k, NULL);
	end_until(x, INT64_MAX);
	out_close(&x->prv, ST_OK);
	paraver_pcf(x, k->dir);
	warn_skipped(x->large, "number", ": 2^63 and above");
	warn_skipped(x->texts_lost, "text",
		     ": there are more than 65536, or 4 MiB of them");
	warn_skipped(x->types_lost, "name",
		     " of arguments: there are more than 65536, or 4 MiB of them");
	warn_skipped(x->missed, "event", ": the input was another when it was read first");
	x->drawing.no_browser = true;
	if (drawing_close(&x->drawing, k) != ST_OK)
		status = ST_TROUBLE;
	free_all(x);
	return status;
}

static const struct form form = {
    .need = NEED_ALL,
    .begin = paraver_begin,
    .head = paraver_heading,
    .put = paraver_put,
    .close = close_paraver,
    .directory = "paraver",
};

const struct target target_paraver = {
    .name = "paraver",
    .about = "a directory with a .prv, its .pcf and its .row: Paraver",
    .carries = NEED_COLUMNS | NEED_ARGS,
    .lasts = true,
    .form = &form,
    .learn = learn_batch,
    .learns = NEED_TIME | NEED_LOC | NEED_DUR | NEED_ORDER,
};
