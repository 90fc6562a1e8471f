/* check_dumpi.c - the rules of DUMPI about single records, times and functions; reads the calls for check_mpi*.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "trace-check/check_mpi.h"

#define SECOND 1000000000ll
/* The clock of a record begins again after 65,536 s. A gap of almost that length is a step back. */
#define ROUND (65536 * SECOND)
#define LONG (64800 * SECOND)
/* Bound: trace-check | functions of DUMPI | entries without an exit | 65536 | more than 65536 entered functions */
#define FUNCTIONS 65536
/* Bound: trace-check | handles of MPI | datatypes, communicators and others of all ranks | 131072 | more than 131072 handles of MPI */
#define HANDLES_MOST (1u << 17)
/* Bound: trace-check | requests of MPI | requests of all ranks that are not complete | 131072 | more than 131072 requests of MPI */
#define REQUESTS_MOST (1u << 17)
/* Bound: trace-check | streams of messages of MPI | senders, receivers and tags, for mpi-deadlock | 65536 | more than 65536 streams of messages */
#define STREAMS_MOST (1u << 16)
static const struct map_kind maps[] = {
    [HANDLES] = {"handles of MPI", HANDLES_MOST},
    [REQUESTS] = {"requests of MPI", REQUESTS_MOST},
    [STREAMS] = {"streams of messages", STREAMS_MOST},
    {0},
};

/* An argument of a type of events. plain: `field` without names of values. */
struct mpi_item {
	struct field field, plain;
	const struct dumpi_arg *arg;
	uint8_t role, kind;
	bool out, list, count, closed;
	int64_t least;
	int8_t len; /* index of the item that counts this list, or -1 */
};

struct mpi_plan {
	unsigned call, n;
	struct field cpudur, received, name;
	struct mpi_item item[DUMPI_ARGS];
};

static const char *const kinds[KINDS] = {MPI_KINDS(LIST_TEXT)};
static const char *const roles[ROLES] = {MPI_ROLES(LIST_TEXT)};
/* Types without other constants than those that are known. */
static const char closed[] = "|combiner|comparison|distribution|locktype|ordering|"
			     "threadlevel|topology|typeclass|whence|";

static bool
is_among(const char *names, const char *name)
{
	char key[32];

	snprintf(key, sizeof key, "|%s|", name);
	return strstr(names, key) != NULL;
}

/* Sets what is checked of the argument a of call k. */
static void
plan_item(struct mpi_item *to, const struct dumpi_arg *a, unsigned k)
{
	to->arg = a;
	while (to->role < ROLES && !is_among(roles[to->role], a->name))
		to->role++;
	while (to->kind < KINDS && strcmp(kinds[to->kind], a->type->name) != 0)
		to->kind++;
	to->closed = is_among(closed, a->type->name);
	to->count = strstr(a->name, "count") && !to->out;
	/* The number of an operation has 8 bits, so that of the program's own may be 0. */
	to->least = to->closed || to->kind <= IS_GROUP || !strcmp(a->type->name, "request")
			? 1
		    : to->count || to->kind < KINDS ? 0
						    : INT64_MIN;
	/* Only the root has these; others have any value. */
	if ((k == K_GATHERV && to->role == RECV_TYPE) ||
	    (k == K_SCATTERV && to->role == TYPE)) {
		to->kind = KINDS;
		to->least = INT64_MIN;
	}
}

static struct mpi_plan *
make_plan(struct mpi_check *x, const struct type *ty)
{
	struct mpi_plan *p = arena_zeros(&x->plan_cache.mem, sizeof *p);
	int8_t index[DUMPI_ARGS];
	const char *fields;

	while (p->call < DUMPI_END && strcmp(dumpi_calls[p->call].name, ty->event) != 0)
		p->call++;
	p->cpudur = field_find("arg.cpudur", &x->s->head, ty);
	p->received = field_find("arg.recv_bytes", &x->s->head, ty);
	p->name = field_find("arg.name", &x->s->head, ty);
	fields = schema_row(&dumpi_schema, p->call)->fields;
	for (uint8_t i = 0; i < dumpi_calls[p->call].nargs; i++) {
		const struct dumpi_arg *a = &dumpi_calls[p->call].arg[i];
		struct mpi_item *to = &p->item[p->n];
		char name[48];
		struct schema_field f;
		struct word note;
		struct arg plain;

		schema_field(&fields, &f);
		while (schema_note(&f.notes, &note))
			to->out |= word_is(note, "out");
		snprintf(name, sizeof name, "arg.%s%s", a->name,
			 a->shape == SHAPE_STATUS ? ".bytes" : "");
		to->field = field_find(name, &x->s->head, ty);
		index[i] = -1;
		to->list = a->shape == SHAPE_ARRAY || a->shape == SHAPE_STATUS;
		if (to->field.kind != FIELD_ARG || (a->shape != SHAPE_ONE && !to->list))
			continue;
		plain = *to->field.arg;
		plain.labels = NULL;
		to->plain = field_of_arg(&plain);
		to->len = a->len >= 0 ? index[a->len] : -1;
		plan_item(to, a, p->call);
		index[i] = (int8_t)p->n++;
	}
	return p;
}

/* ---- arguments ---- */

/* Reads a number, or the name of a constant of its type. */
static bool
read_value(struct mpi_check *x, const struct mpi_item *m, int64_t *v)
{
	const struct labels *l = &m->arg->type->labels;
	const char *text;
	uint64_t u = 0;

	if (likely(m->plain.load == LOAD_INT && field_load(&m->plain, x->r, &u))) {
		*v = (int64_t)u;
		return true;
	}
	text = field_words(x->c, &m->field);
	for (uint32_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].name, text)) {
			*v = l->v[i].value;
			return true;
		}
	*v = words_number(text, &u) ? (int64_t)u : 0;
	return *text;
}

/* Returns the number of elements of a list. */
static uint32_t
count_elements(struct mpi_check *x, const struct mpi_item *m)
{
	const char *text;
	const uint8_t *p;
	uint32_t n = 0;

	if (m->field.arg->array && rec_span(x->r, m->field.arg, &p, &n))
		return n;
	text = field_words(x->c, &m->field);
	if (!*text || *text == '"')
		return 0;
	for (n = 1; *text; text++)
		n += *text == ',';
	return n;
}

/* Reads the arguments of the current call, and checks each. */
static void
read_arguments(struct mpi_check *x, const struct mpi_plan *p)
{
	int64_t v[DUMPI_ARGS] = {0};

	x->has = 0;
	for (unsigned i = 0; i < p->n; i++) {
		const struct mpi_item *m = &p->item[i];
		bool status = m->arg->shape == SHAPE_STATUS;
		uint32_t n;
		int64_t most;

		if (unlikely(m->list)) {
			n = count_elements(x, m);
			most = m->len >= 0		     ? v[m->len]
			       : status && !m->arg->brackets ? 1
							     : n;
			/* Any of several file requests has one status, or one for each. */
			if (n && n != most && x->k != K_FILE_TESTANY &&
			    x->k != K_FILE_WAITANY)
				find(x->c,
				     status ? BAD_DUMPI_STATUS_COUNT
					    : BAD_DUMPI_ARRAY_COUNT,
				     "%s has %u elements, its count is " I64, m->arg->name,
				     n, most);
			continue;
		}
		if (!read_value(x, m, &v[i]))
			continue;
		if (m->role < ROLES) {
			x->v[m->role] = v[i];
			x->has |= 1u << m->role;
		}
		if (unlikely(v[i] < m->least ||
			     (m->closed && !label_of(&m->arg->type->labels, v[i]))))
			find(x->c, m->count ? BAD_MPI_COUNT : BAD_DUMPI_ENUM, "%s is " I64,
			     m->arg->name, v[i]);
		else if (m->kind < KINDS)
			mpi_handle(x, (enum mpi_kind)m->kind, v[i], m->out);
	}
	if (!p->received.kind || !field_load(&p->received, x->r, &x->received))
		x->received = UNKNOWN;
}

/* ---- ranks, threads, times ---- */

/* Finds the file of a rank, whose events are at `loc`. */
static void
begin_rank(struct mpi_check *x, struct mpi_rank *r, const char *loc)
{
	size_t n = x->native ? dumpi_nranks(x->s) : 0;

	r->file = x->s->name;
	r->offset = DUMPI_RECORDS;
	r->buffer = -1;
	r->stop = INT64_MIN;
	/* Ranks begin in almost the order of their files. */
	for (size_t i = 0; i < n && !r->native; i++) {
		const struct dumpi_rank *d = dumpi_rank(x->s, (x->native_next + i) % n);
		char text[DUMPI_RANK_TEXT];
		size_t len = dumpi_rank_text(text, dumpi_jobs(x->s), d);

		if (strncmp(text, loc, len) != 0 || (loc[len] && loc[len] != '/'))
			continue;
		x->native_next += i + 1;
		r->native = d;
		r->file = d->name;
	}
}

/* Returns the thread of the current event, whose process is known. */
static struct mpi_thread *
thread_of(struct mpi_check *x)
{
	const char *loc = x->s->t.str.v[x->r->loc].s, *at = loc;
	uint64_t number = 0;
	size_t i = 0;

	CACHE(x->thread_of, x->loc_cache, x->s, x->r->loc + (size_t)1);
	if (likely(x->thread_of[x->r->loc]))
		return &x->thread[x->thread_of[x->r->loc] - 1];
	GROW(x->rank, x->rank_cap, x->proc + (size_t)1);
	if (x->proc >= x->nranks)
		x->nranks = x->proc + (size_t)1;
	if (!x->rank[x->proc].file)
		begin_rank(x, &x->rank[x->proc], loc);
	for (unsigned k = x->s->head.nlocparts; k > 1 && at; k--)
		at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL;
	if (at && at != loc)
		digits_u64((const uint8_t *)at, strlen(at), &number);
	while (i < x->nthreads &&
	       (x->thread[i].rank != x->proc || x->thread[i].number != number))
		i++;
	if (i == x->nthreads)
		*PUSH(x->thread, x->nthreads, x->thread_cap) =
		    (struct mpi_thread){.rank = x->proc, .number = (uint32_t)number};
	x->thread_of[x->r->loc] = (uint32_t)i + 1;
	return &x->thread[i];
}

/* Checks that a call stops after it starts, by a clock. Returns its duration. */
static int64_t
check_stop(struct mpi_check *x, int64_t dur, const char *clock)
{
	if (likely(dur >= 0 && dur < LONG))
		return dur;
	find(x->c, BAD_DUMPI_STOP_START, "it stops %.9f s%s before it starts",
	     (double)(dur < 0 ? -dur : ROUND - dur) * 1e-9, clock);
	return 0;
}

/* Checks the times of the current call. */
static void
check_times(struct mpi_check *x, const struct mpi_plan *p, struct mpi_thread *t)
{
	struct mpi_rank *r = &x->rank[x->proc];
	int64_t stop, gap;
	uint64_t cpu;

	if (p->cpudur.kind && field_load(&p->cpudur, x->r, &cpu))
		check_stop(x, (int64_t)cpu, " of CPU time");
	if (!(x->r->has & HAS_DUR) || x->s->head.clock != CLOCK_NS)
		return;
	stop = time_plus(CLOCK_NS, x->r->time, check_stop(x, x->r->dur, ""));
	if (r->stop == INT64_MIN)
		r->first_thread = t->number;
	r->several |= t->number != r->first_thread;
	gap = t->called ? time_plus(CLOCK_NS, x->r->time, -t->stop) : 0;
	if (unlikely(t->called && (stop < t->stop || gap > ROUND - 60 * SECOND))) {
		if (!r->several)
			find(x->c, BAD_DUMPI_TIME_ORDER,
			     "it returns %.9f s before the previous call",
			     (double)(stop < t->stop ? t->stop - stop : ROUND - gap) *
				 1e-9);
	} else if (unlikely(gap < 0))
		find(x->c, BAD_DUMPI_OVERLAP,
		     "it starts %.9f s before the previous call stops",
		     (double)-gap * 1e-9);
	if (unlikely(gap > LONG))
		find(x->c, BAD_DUMPI_ROLLOVER, "it starts %.0f s after the previous call",
		     (double)gap * 1e-9);
	/* Levels 1 to 3: MPI_THREAD_SINGLE, FUNNELED and SERIALIZED. */
	if (unlikely(r->level && r->level < 4 && !r->told_level && x->k < K_ENTER &&
		     (r->level < 3
			  ? t->number != r->first_thread
			  : t->number != r->last_thread && x->r->time < r->stop))) {
		find(x->c, BAD_MPI_THREAD_LEVEL,
		     r->level < 3
			 ? "thread %u calls, but the level allows only one thread"
			 : "thread %u calls before another returns, but the level is "
			   "MPI_THREAD_SERIALIZED",
		     t->number);
		r->told_level = true;
	}
	r->last_thread = t->number;
	r->stop = stop > r->stop ? stop : r->stop;
	t->stop = stop;
	t->called = true;
}

/* Takes an entry to a function, or an exit. */
static void
check_function(struct mpi_check *x, struct mpi_thread *t, bool named)
{
	uint64_t fn = (uint64_t)mpi_value(x, FUNCTION, 0);
	size_t n = t->nfunctions;

	if (x->k == K_ENTER) {
		if (!named)
			find(x->c, BAD_DUMPI_FUNCS, "the function at " X64 " has no name",
			     fn);
		if (x->functions == FUNCTIONS) {
			check_limit(x->c, "entered functions", FUNCTIONS);
			return;
		}
		x->functions++;
		*PUSH(t->function, t->nfunctions, t->cap) = fn;
		return;
	}
	while (n && t->function[n - 1] != fn)
		n--;
	if (n != t->nfunctions || !n)
		find(x->c, BAD_DUMPI_FUNCS,
		     n ? "inner functions of " X64 " have no exit"
		       : "the function at " X64 " has no entry",
		     fn);
	if (n) {
		x->functions -= t->nfunctions - n + 1;
		t->nfunctions = n - 1;
	}
}

/* ---- events ---- */

static void
take_event(struct mpi_check *x, const struct batch *b, uint32_t i)
{
	uint64_t at;
	const struct mpi_plan *p;
	struct mpi_thread *t;
	struct mpi_rank *r;
	uint8_t mask;

	x->r = batch_rec(b, i);
	x->call = match_read(x->match, x->s, x->r);
	x->proc = match_proc(x->match);
	t = thread_of(x);
	r = &x->rank[x->proc];
	CACHE(x->plan, x->plan_cache, x->s, x->r->type + (size_t)1);
	if (unlikely(!x->plan[x->r->type]))
		x->plan[x->r->type] = make_plan(x, &x->s->t.type[x->r->type]);
	p = x->plan[x->r->type];
	x->k = p->call;
	at = x->native ? r->offset : x->c->before + i + 1;
	x->c->here = mpi_place(x, x->proc, at);
	if (x->native) {
		mask = b->raw[i].p[2] & (MASK_CPU | MASK_WALL | MASK_THREAD | MASK_PERF);
		if (unlikely(mask != r->mask) && at != DUMPI_RECORDS)
			find(x->c, BAD_DUMPI_MASK_SAME,
			     "the mask changes from 0x%02x to 0x%02x", r->mask, mask);
		r->mask = mask;
		r->offset += b->raw[i].n;
	}
	if (x->k == DUMPI_END)
		return;
	check_times(x, p, t);
	read_arguments(x, p);
	if (unlikely(x->k >= K_ENTER)) {
		check_function(x, t, p->name.kind);
		return;
	}
	mpi_call(x);
	mpi_requests(x);
	mpi_match(x);
}

static void
dumpi_begin(struct check_run *c)
{
	struct mpi_check *x = c->own;
	const struct source *s = c->s;
	const struct labels *l;

	dumpi_table();
	l = &dumpi_type_named("datatype", 8)->labels;
	x->c = c;
	x->s = c->s;
	x->native = !is_stream(c);
	/* The metadata have the sizes of datatypes, of the first rank last here. */
	for (size_t i = s->head.nmeta; i--;) {
		const char *at = strstr(s->head.meta[i].key, "datatype.");

		for (uint32_t t = 2; at && t < l->n; t++)
			if (!strcmp(l->v[t].name, at + strlen("datatype.")))
				x->sizes[t] = strtoul(s->head.meta[i].value, NULL, 10);
	}
	mpi_match_begin(x);
}

static void
dumpi_batch(struct check_run *c)
{
	for (c->i = 0; c->i < c->b->n; c->i++)
		take_event(c->own, c->b, c->i);
}

static const char *
dumpi_subject(const struct check_run *c)
{
	return dumpi_calls[((const struct mpi_check *)c->own)->k].name;
}

static void
dumpi_end(struct check_run *c)
{
	struct mpi_check *x = c->own;

	if (x->native)
		dumpi_check_files(x);
	if (!c->reads) {
		mpi_call_end(x);
		mpi_requests_end(x);
	}
	mpi_match_end(x);
	cache_free(x->plan, &x->plan_cache);
	cache_free(x->thread_of, &x->loc_cache);
	for (size_t i = 0; i < x->nthreads; i++)
		free(x->thread[i].function);
	free(x->thread);
	free(x->rank);
}

const struct checker check_dumpi = {
    .formats = " dumpi ",
    .rules = (const struct rule[]){DUMPI_RULES(RULE_ROW){0}},
    .own_size = sizeof(struct mpi_check),
    .maps = maps,
    .need = NEED_ARGS | NEED_ORDER,
    .begin = dumpi_begin,
    .batch = dumpi_batch,
    .end = dumpi_end,
    .subject = dumpi_subject,
};
