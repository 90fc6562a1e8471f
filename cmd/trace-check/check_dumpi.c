/* check_dumpi.c - the rules of DUMPI: reads the calls of all ranks for the rules of check_mpi*.c, and checks each
 * record alone. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "trace-check/check_mpi.h"

static const struct rule rows[] = {DUMPI_RULES(RULE_ROW)};
static const struct rules rules = {rows, sizeof rows / sizeof *rows};

#define SECOND 1000000000ll
/* The clock of a record begins again after 65,536 seconds. A gap of almost that length is a step back. */
#define CLOCK_ROUND (65536 * SECOND)
#define CLOCK_LONG (64800 * SECOND)
/* Bound: trace-check | functions that calls of MPI entered | entries without exits | 65536 | more than 65536 entered functions */
#define FUNCTIONS_MOST 65536u

/* The checks of an argument. */
enum item_check {
	CHECK_NONE,
	CHECK_COUNT,
	CHECK_HANDLE,
	CHECK_ENUM, /* a constant of a closed list */
	CHECK_REQUEST,
};

struct mpi_item {
	struct field field, plain; /* plain: without names of values */
	const struct dumpi_arg *arg;
	uint8_t role, check, kind;
	bool out, list, status;
	int8_t len; /* index of the item that counts this list, or -1 */
};

struct mpi_plan {
	unsigned call, n;
	struct field cpudur;
	struct mpi_item item[DUMPI_ARGS];
};

/* The names of handles' types, in the order of enum mpi_kind. */
static const char *const kinds[KINDS] = {"datatype", "comm",   "group",	     "op",  "win",
					 "file",     "keyval", "errhandler", "info"};

static const struct {
	const char *name;
	enum mpi_role role;
} roles[] = {
    {"count", SEND_COUNT},
    {"sendcount", SEND_COUNT},
    {"origincount", SEND_COUNT},
    {"datatype", SEND_TYPE},
    {"sendtype", SEND_TYPE},
    {"origintype", SEND_TYPE},
    {"recvcount", RECV_COUNT},
    {"targetcount", RECV_COUNT},
    {"recvtype", RECV_TYPE},
    {"targettype", RECV_TYPE},
    {"newtype", NEW_TYPE},
    {"oldtype", OLD_TYPE},
    {"blocklength", LENGTH},
    {"op", OP},
    {"win", WINDOW},
    {"size", TOLD},
    {"rank", TOLD},
    {"provided", PROVIDED},
    {"fn", FUNCTION},
    {"request", REQUEST},
    {"sendcounts", SEND_COUNTS},
    {"recvcounts", RECV_COUNTS},
    {"sendtypes", SEND_TYPES},
    {"recvtypes", RECV_TYPES},
    {"lengths", LENGTHS},
    {"blocklengths", LENGTHS},
    {"oldtypes", OLD_TYPES},
};

/* Sets what is checked of an argument. */
static void
plan_item(struct mpi_item *to, const struct dumpi_arg *a, bool out)
{
	static const char closed[] = " combiner comparison distribution locktype ordering "
				     "threadlevel topology typeclass whence ";
	const char *type = a->type->name, *at = strstr(closed, type);

	to->role = NO_ROLE;
	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (!strcmp(roles[i].name, a->name))
			to->role = roles[i].role;
	to->kind = KINDS;
	for (uint8_t i = 0; i < KINDS; i++)
		if (!strcmp(kinds[i], type))
			to->kind = i;
	to->check = to->kind < KINDS		       ? CHECK_HANDLE
		    : !strcmp(type, "request")	       ? CHECK_REQUEST
		    : at && at[strlen(type)] == ' '    ? CHECK_ENUM
		    : strstr(a->name, "count") && !out ? CHECK_COUNT
						       : CHECK_NONE;
}

/* Makes the plan of a type of events. */
static struct mpi_plan *
make_plan(struct mpi_check *x, const struct type *ty)
{
	struct mpi_plan *p = arena_zeros(&x->plan_cache.mem, sizeof *p);
	const struct dumpi_call *k = dumpi_calls;
	int8_t index[DUMPI_ARGS];
	const char *fields;
	struct schema_field f;

	while (k < dumpi_calls + DUMPI_END && strcmp(k->name, ty->event) != 0)
		k++;
	p->call = dumpi_number(k);
	p->cpudur = field_find("arg.cpudur", &x->s->head, ty);
	if (p->call == DUMPI_END)
		return p;
	fields = schema_row(&dumpi_schema, p->call)->fields;
	for (uint8_t i = 0; i < k->nargs; i++) {
		const struct dumpi_arg *a = &k->arg[i];
		struct mpi_item *to = &p->item[p->n];
		char name[48] = "arg.";
		bool out = false;
		struct word note;

		schema_field(&fields, &f);
		while (schema_note(&f.notes, &note))
			out |= word_is(note, "out");
		index[i] = -1;
		to->status = a->shape == SHAPE_STATUS;
		strcat(strcat(name, a->name), to->status ? ".bytes" : "");
		to->field = field_find(name, &x->s->head, ty);
		if (to->field.kind != FIELD_ARG)
			continue;
		to->plain = to->field;
		if (!to->field.arg->array && kind_is_int(to->field.arg->kind)) {
			struct arg plain = *to->field.arg;

			plain.labels = NULL;
			to->plain = field_of_arg(&plain);
		}
		to->arg = a;
		to->out = out;
		to->list = a->shape == SHAPE_ARRAY || (to->status && a->brackets);
		to->len = a->len >= 0 ? index[a->len] : -1;
		plan_item(to, a, out);
		index[i] = (int8_t)p->n;
		/* Only the root has these arguments; others have any value. */
		if ((p->call == 55 && to->role == RECV_TYPE) ||
		    (p->call == 57 && to->role == SEND_TYPE))
			to->kind = KINDS, to->check = CHECK_NONE;
		p->n += a->shape == SHAPE_ONE || to->list || to->status;
	}
	return p;
}

/* Reads a number, or the name of a constant of the argument's type. */
static int64_t
parse_value(const struct mpi_item *m, const char *p, size_t n)
{
	const struct labels *l = &m->arg->type->labels;
	bool minus = n && *p == '-';
	uint64_t v = 0;

	for (uint32_t i = 0; i < l->n; i++)
		if (strlen(l->v[i].name) == n && !memcmp(l->v[i].name, p, n))
			return l->v[i].value;
	if (n > 2 && p[1] == 'x')
		hex_u64((const uint8_t *)p + 2, n - 2, &v);
	else
		digits_u64((const uint8_t *)p + minus, n - minus, &v);
	return minus ? -(int64_t)v : (int64_t)v;
}

/* Returns the number of elements of a list, or of the statuses of a status. Stores the elements in *to unless it is
 * NULL. */
static uint32_t
read_elements(struct mpi_check *x, const struct mpi_item *m, struct call_list *to)
{
	const struct arg *a = m->field.arg;
	const uint8_t *p;
	const char *q;
	uint32_t n = 0, width = kind_width(a->kind);
	size_t left, one;

	if (a->array && kind_is_int(a->kind) && rec_span(x->r, a, &p, &n)) {
		for (uint32_t i = 0; to && i < n; i++, p += width)
			*PUSH(to->v, to->n, to->cap) = width == 4   ? (int32_t)ld32(p)
						       : width == 2 ? (int16_t)ld16(p)
								    : *p;
		return n;
	}
	x->text.n = 0;
	if (!field_text(&x->text, &x->s->head, &x->s->t, x->r, &m->field))
		return 0;
	left = x->text.n;
	q = (const char *)x->text.p;
	if (left == 2 && !memcmp(q, "\"\"", 2))
		left = 0;
	for (; left; n++, q += one, left -= one) {
		const char *comma = memchr(q, ',', left);

		one = comma ? (size_t)(comma - q) : left;
		if (to)
			*PUSH(to->v, to->n, to->cap) = parse_value(m, q, one);
		one += comma != NULL;
	}
	return n;
}

/* Reads an argument that is one number. */
static bool
read_value(struct mpi_check *x, const struct mpi_item *m, int64_t *v)
{
	uint64_t u;

	if (likely(m->plain.load == LOAD_INT && field_load(&m->plain, x->r, &u))) {
		*v = (int64_t)u;
		return true;
	}
	x->text.n = 0;
	if (!field_text(&x->text, &x->s->head, &x->s->t, x->r, &m->field))
		return false;
	*v = parse_value(m, (const char *)x->text.p, x->text.n);
	return true;
}

static COLD void
odd_value(struct mpi_check *x, const struct mpi_item *m, int64_t v)
{
	if (m->check == CHECK_COUNT) {
		find(x->c, BAD_MPI_COUNT, mpi_here(x), "%s: %s is %lld",
		     dumpi_calls[x->k].name, m->arg->name, (long long)v);
	} else {
		const char *word = v < 0 ? NULL : label_of(&m->arg->type->labels, v);

		find(x->c, BAD_DUMPI_ENUM, mpi_here(x), "%s: %s is %lld%s%s%s",
		     dumpi_calls[x->k].name, m->arg->name, (long long)v, word ? " (" : "",
		     word ? word : "", word ? ")" : ", which no constant of its type is");
	}
}

/* Checks a value of an argument. */
static inline void
check_value(struct mpi_check *x, const struct mpi_item *m, int64_t v)
{
	switch (m->check) {
	case CHECK_COUNT:
		if (unlikely(v < 0))
			odd_value(x, m, v);
		break;
	case CHECK_HANDLE:
		/* An operation's number has 8 bits, so that of the program's own may be 0. */
		if (unlikely(v < 0 || (v == 0 && m->kind <= KIND_GROUP)))
			odd_value(x, m, v);
		else
			mpi_handle(x, (enum mpi_kind)m->kind, v, m->out, m->arg->name);
		break;
	case CHECK_ENUM:
		if (unlikely(v == 0 || !label_of(&m->arg->type->labels, v)))
			odd_value(x, m, v);
		break;
	case CHECK_REQUEST:
		if (unlikely(v <= 0))
			odd_value(x, m, v);
		break;
	default: break;
	}
}

/* Reads the arguments of the current call, and checks each alone. */
static void
read_arguments(struct mpi_check *x, const struct mpi_plan *p)
{
	int64_t v[DUMPI_ARGS];

	x->has = 0;
	for (unsigned i = 0; i < p->n; i++) {
		const struct mpi_item *m = &p->item[i];
		struct call_list *to;
		uint32_t n, most;

		v[i] = 0;
		if (likely(!m->list && !m->status)) {
			if (!read_value(x, m, &v[i]))
				continue;
			if (m->role < ROLES) {
				x->v[m->role] = v[i];
				x->has |= 1u << m->role;
			}
			check_value(x, m, v[i]);
			continue;
		}
		to = &x->list[m->role - ROLES];
		if (m->role < LISTS)
			x->has |= 1u << m->role;
		to->n = 0;
		n = read_elements(x, m,
				  m->role < LISTS || (m->check && !m->status) ? to : NULL);
		for (uint32_t j = 0; j < to->n && !m->status; j++)
			check_value(x, m, to->v[j]);
		if (m->list && m->len < 0)
			continue;
		most = !m->list ? 1 : v[m->len] > 0 ? (uint32_t)v[m->len] : 0;
		if (likely(!n || n == most) ||
		    /* Any of several file requests: each has a status, or one. */
		    (m->status && x->k >= 286 && x->k <= 287))
			continue;
		if (m->status)
			find(x->c, BAD_DUMPI_STATUS_COUNT, mpi_here(x),
			     "%s: %u statuses, but %u requests", dumpi_calls[x->k].name, n,
			     most);
		else
			find(x->c, BAD_DUMPI_ARRAY_COUNT, mpi_here(x),
			     "%s: %s has %u elements, its count is %u",
			     dumpi_calls[x->k].name, m->arg->name, n, most);
	}
}

/* ---- ranks, threads, times ---- */

struct trace_place
mpi_place(const struct mpi_check *x, uint32_t rank, uint64_t n)
{
	const char *file = x->rank[rank].file;

	return (struct trace_place){file ? file : x->s->name,
				    x->native ? AT_OFFSET : AT_EVENT, n};
}

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
	for (size_t i = 0; i < n; i++) {
		const struct dumpi_rank *d = dumpi_rank(x->s, (x->native_next + i) % n);
		char text[DUMPI_RANK_TEXT];
		size_t len = dumpi_rank_text(text, dumpi_jobs(x->s), d);

		if (!strncmp(text, loc, len) && (!loc[len] || loc[len] == '/')) {
			x->native_next += i + 1;
			r->native = d;
			r->file = d->name;
			return;
		}
	}
}

/* Returns the thread of the current event, whose process is known. */
static struct mpi_thread *
thread_of(struct mpi_check *x)
{
	const char *loc = x->s->t.str.v[x->r->loc].s, *slash = loc;
	uint64_t number = 0;
	size_t i = 0;

	CACHE(x->thread_of, x->loc_cache, x->s, x->r->loc + (size_t)1);
	if (likely(x->thread_of[x->r->loc]))
		return &x->thread[x->thread_of[x->r->loc] - 1];
	if (x->proc >= x->nranks) {
		GROW(x->rank, x->rank_cap, x->proc + (size_t)1);
		x->nranks = x->proc + (size_t)1;
	}
	if (!x->rank[x->proc].file)
		begin_rank(x, &x->rank[x->proc], loc);
	for (unsigned k = x->s->head.nlocparts; k > 1 && slash; k--)
		slash = strchr(slash + (slash != loc), '/');
	if (slash && *slash == '/')
		digits_u64((const uint8_t *)slash + 1, strlen(slash + 1), &number);
	while (i < x->nthreads &&
	       (x->thread[i].rank != x->proc || x->thread[i].number != number))
		i++;
	if (i == x->nthreads)
		*PUSH(x->thread, x->nthreads, x->thread_cap) =
		    (struct mpi_thread){.rank = x->proc, .number = (uint32_t)number};
	x->thread_of[x->r->loc] = (uint32_t)i + 1;
	return &x->thread[i];
}

static double
seconds(int64_t ns)
{
	return (double)ns * 1e-9;
}

/* Checks the times of the current call. */
static void
check_times(struct mpi_check *x, const struct mpi_plan *p, struct mpi_thread *t)
{
	struct mpi_rank *r = &x->rank[x->proc];
	const char *name = dumpi_calls[x->k].name;
	int64_t start = x->r->time, dur = x->r->dur, stop, cpu, gap;
	uint64_t u;

	if (p->cpudur.kind && field_load(&p->cpudur, x->r, &u)) {
		cpu = (int64_t)u;
		if (unlikely(cpu < 0 || cpu >= CLOCK_LONG))
			find(x->c, BAD_DUMPI_STOP_START, mpi_here(x),
			     "%s stops %.9f s of CPU time before it starts", name,
			     seconds(cpu < 0 ? -cpu : CLOCK_ROUND - cpu));
	}
	if (!(x->r->has & HAS_DUR) || x->s->head.clock != CLOCK_NS)
		return;
	if (unlikely(dur < 0 || dur >= CLOCK_LONG)) {
		find(x->c, BAD_DUMPI_STOP_START, mpi_here(x),
		     "%s stops %.9f s before it starts", name,
		     seconds(dur < 0 ? -dur : CLOCK_ROUND - dur));
		dur = 0;
	}
	stop = time_plus(CLOCK_NS, start, dur);
	if (t->called) {
		gap = time_plus(CLOCK_NS, start, -t->stop);
		r->several |= t->number != r->first_thread;
		if (unlikely(stop < t->stop || gap > CLOCK_ROUND - 60 * SECOND)) {
			if (!r->several)
				find(x->c, BAD_DUMPI_TIME_ORDER, mpi_here(x),
				     "%s returns %.9f s before the previous call", name,
				     seconds(stop < t->stop ? t->stop - stop
							    : CLOCK_ROUND - gap));
		} else if (unlikely(gap < 0))
			find(x->c, BAD_DUMPI_OVERLAP, mpi_here(x),
			     "%s starts %.9f s before the previous call of its thread "
			     "stopped",
			     name, seconds(-gap));
		if (unlikely(gap > CLOCK_LONG))
			find(x->c, BAD_DUMPI_ROLLOVER, mpi_here(x),
			     "%s starts %.0f s after the previous call", name,
			     seconds(gap));
	} else if (r->stop == INT64_MIN)
		r->first_thread = t->number;
	r->several |= t->number != r->first_thread;
	/* MPI_THREAD_SERIALIZED: calls of threads do not overlap. */
	if (unlikely(r->level == 3 && t->number != r->last_thread && start < r->stop &&
		     !r->told_overlap)) {
		find(x->c, BAD_MPI_THREAD_LEVEL, mpi_here(x),
		     "%s of thread %u starts before that of thread %u stops, but the level "
		     "is "
		     "MPI_THREAD_SERIALIZED",
		     name, t->number, r->last_thread);
		r->told_overlap = true;
	}
	r->last_thread = t->number;
	r->stop = stop > r->stop ? stop : r->stop;
	t->stop = stop;
	t->called = true;
}

/* Takes an entry to a function, or an exit. */
static void
check_function(struct mpi_check *x, struct mpi_thread *t, const struct type *ty)
{
	uint64_t fn = (uint64_t)x->v[FUNCTION];
	size_t n = t->nfunctions;

	if (!has(x, FUNCTION))
		return;
	if (x->k == 291) {
		bool named = false;

		for (uint32_t i = 0; i < ty->nargs; i++)
			named |= !strcmp(ty->args[i].name, "name");
		if (!named)
			find(x->c, BAD_DUMPI_FUNCS, mpi_here(x),
			     "the function at 0x%llx has no name", (unsigned long long)fn);
		if (x->functions == FUNCTIONS_MOST) {
			check_limit(x->c, "entered functions", FUNCTIONS_MOST);
			return;
		}
		x->functions++;
		*PUSH(t->function, t->nfunctions, t->cap) = fn;
		return;
	}
	while (n && t->function[n - 1] != fn)
		n--;
	if (n != t->nfunctions || !n)
		find(x->c, BAD_DUMPI_FUNCS, mpi_here(x),
		     n ? "the exit from the function at 0x%llx comes before %zu inner exits"
		       : "the exit from the function at 0x%llx has no entry",
		     (unsigned long long)fn, t->nfunctions - n);
	if (n) {
		x->functions -= t->nfunctions - n + 1;
		t->nfunctions = n - 1;
	}
}

/* ---- events ---- */

static void
take_event(struct mpi_check *x, const struct batch *b, uint32_t i)
{
	const struct mpi_plan *p;
	struct mpi_thread *t;
	struct mpi_rank *r;

	x->r = batch_rec(b, i);
	x->call = match_read(x->match, x->s, x->r);
	x->proc = match_proc(x->match);
	t = thread_of(x);
	r = &x->rank[x->proc];
	x->at = x->c->before + i + 1;
	if (x->native) {
		x->at = r->offset;
		r->offset += b->raw[i].n;
	}
	CACHE(x->plan, x->plan_cache, x->s, x->r->type + (size_t)1);
	if (unlikely(!x->plan[x->r->type]))
		x->plan[x->r->type] = make_plan(x, &x->s->t.type[x->r->type]);
	p = x->plan[x->r->type];
	x->k = p->call;
	if (x->k == DUMPI_END)
		return;
	if (x->native) {
		uint8_t mask =
		    b->raw[i].p[2] & (MASK_CPU | MASK_WALL | MASK_THREAD | MASK_PERF);

		if (unlikely(mask != r->mask) && x->at != DUMPI_RECORDS)
			find(x->c, BAD_DUMPI_MASK_SAME, mpi_here(x),
			     "%s: the mask has bits 0x%02x, that of the previous record "
			     "0x%02x",
			     dumpi_calls[x->k].name, mask, r->mask);
		r->mask = mask;
	}
	check_times(x, p, t);
	read_arguments(x, p);
	if (unlikely(x->k > 290)) {
		check_function(x, t, &x->s->t.type[x->r->type]);
		return;
	}
	mpi_order(x);
	if (unlikely(r->level == 1 || r->level == 2) && t->number != r->first_thread &&
	    !r->told_level) {
		find(x->c, BAD_MPI_THREAD_LEVEL, mpi_here(x),
		     "%s of thread %u, but the level is %s", dumpi_calls[x->k].name,
		     t->number,
		     r->level == 1 ? "MPI_THREAD_SINGLE" : "MPI_THREAD_FUNNELED");
		r->told_level = true;
	}
	mpi_call(x);
	mpi_requests(x);
	mpi_match(x);
}

static void *
dumpi_begin(struct check_run *c, struct source *s)
{
	struct mpi_check *x = xcalloc(1, sizeof *x);
	static const char key[] = "datatype.";

	dumpi_table();
	x->c = c;
	x->s = s;
	x->native = !is_stream(s);
	for (int i = 0; i < DUMPI_BUILTIN; i++)
		x->sizes[i] = UNKNOWN;
	/* The sizes of datatypes are in the metadata, of the first rank that has any. */
	for (size_t i = s->head.nmeta; i--;) {
		const char *at = strstr(s->head.meta[i].key, key);
		const struct labels *l = &dumpi_type_named("datatype", 8)->labels;
		uint64_t v;

		for (uint32_t t = 2; at && t < l->n; t++)
			if (!strcmp(l->v[t].name, at + strlen(key)) &&
			    !digits_u64((const uint8_t *)s->head.meta[i].value,
					strlen(s->head.meta[i].value), &v) &&
			    v)
				x->sizes[t] = v;
	}
	mpi_handles_begin(x);
	mpi_requests_begin(x);
	mpi_match_begin(x);
	return x;
}

static void
dumpi_events(struct check_run *c, void *state, struct source *s, const struct batch *b)
{
	(void)c;
	(void)s;
	for (uint32_t i = 0; i < b->n; i++)
		take_event(state, b, i);
}

static void
dumpi_end(struct check_run *c, void *state, struct source *s)
{
	struct mpi_check *x = state;

	if (x->native)
		dumpi_check_files(x);
	if (!c->reads) {
		mpi_handles_end(x);
		mpi_requests_end(x);
	}
	mpi_match_end(x);
	cache_free(x->plan, &x->plan_cache);
	cache_free(x->thread_of, &x->loc_cache);
	for (size_t i = 0; i < x->nthreads; i++)
		free(x->thread[i].function);
	for (unsigned i = 0; i < LISTS - ROLES + 1; i++)
		free(x->list[i].v);
	free(x->thread);
	free(x->rank);
	map_free(&x->handles);
	map_free(&x->requests);
	buf_free(&x->text);
	free(x);
	(void)s;
}

const struct checker check_dumpi = {" dumpi ",	 &rules,       NEED_ARGS | NEED_ORDER,
				    dumpi_begin, dumpi_events, dumpi_end};
