/* match_calls.c - see match_calls.h. Calls and arguments have the names that DUMPI gives them, see dumpi-trace(5). */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "match/match_calls.h"

/* The arguments of one type of call. */
struct call_plan {
	const struct call_row *row;
	enum call_kind kind;
	unsigned which;
	unsigned n;
	struct {
		enum call_arg arg;
		struct field field, plain; /* plain: `field` without names of values */
	} v[ARG_ALL];
};

#define FEW(...)                \
	{                       \
		__VA_ARGS__, -1 \
	}

static const int8_t sends[] = FEW(ARG_DEST, ARG_TAG, ARG_COMM, ARG_REQUEST, ARG_BYTES),
		    receives[] =
			FEW(ARG_SOURCE, ARG_TAG, ARG_COMM, ARG_REQUEST, ARG_STATUS_SOURCE,
			    ARG_STATUS_TAG, ARG_STATUS_BYTES, ARG_STATUS_CANCELLED),
		    both[] = FEW(ARG_DEST, ARG_SOURCE, ARG_TAG, ARG_RECV_TAG, ARG_COMM,
				 ARG_STATUS_SOURCE, ARG_STATUS_TAG, ARG_STATUS_BYTES),
		    starts[] = FEW(ARG_REQUEST, ARG_REQUESTS),
		    ends[] =
			FEW(ARG_COUNT, ARG_REQUEST, ARG_REQUESTS, ARG_FLAG, ARG_INDEX,
			    ARG_INDICES, ARG_STATUS_SOURCE, ARG_STATUS_TAG,
			    ARG_STATUS_BYTES, ARG_STATUS_CANCELLED, ARG_STATUSES_SOURCE,
			    ARG_STATUSES_TAG, ARG_STATUSES_BYTES, ARG_STATUSES_CANCELLED),
		    makes[] =
			FEW(ARG_COMM, ARG_NEW_COMM, ARG_COLOR, ARG_KEY, ARG_HIGH, ARG_GROUP,
			    ARG_LOCAL_LEADER, ARG_REMOTE_COMM, ARG_REMOTE_LEADER, ARG_DIMS,
			    ARG_TAG, ARG_NODES, ARG_REORDER),
		    gets[] = FEW(ARG_NEW_COMM), tells[] = FEW(ARG_COMM, ARG_RANK),
		    groups[] =
			FEW(ARG_COMM, ARG_GROUP, ARG_GROUP2, ARG_NEW_GROUP, ARG_RANKS);

static const struct call_row known[] = {
    {"Send|Bsend|Rsend", CALL_SEND, sends, false},
    {"Ssend", CALL_SEND, sends, true},
    {"Isend|Ibsend|Irsend", CALL_ISEND, sends, false},
    {"Issend", CALL_ISEND, sends, true},
    {"Recv,Irecv", CALL_RECV, receives, false},
    {"Send_init|Bsend_init|Rsend_init", CALL_SEND_INIT, sends, false},
    {"Ssend_init", CALL_SEND_INIT, sends, true},
    {"Recv_init", CALL_RECV_INIT, receives, false},
    {"Start|Startall", CALL_START, starts, false},
    {"Sendrecv|Sendrecv_replace", CALL_SENDRECV, both, false},
    {"Wait,Test,Waitany,Testany,Waitall,Testall,Waitsome,Testsome", CALL_WAIT, ends, false},
    {"Request_free,Cancel", CALL_REQUEST_FREE, starts, false},
    {"Comm_dup,Graph_create,Cart_create,Comm_create,Comm_split,Cart_sub,Intercomm_create,"
     "Intercomm_merge",
     CALL_DUP, makes, false},
    {"Comm_spawn|Comm_spawn_multiple|Comm_accept|Comm_connect", CALL_FOREIGN, makes, false},
    {"Comm_get_parent|Comm_join", CALL_FOREIGN, gets, false},
    {"Comm_rank,Comm_size", CALL_COMM_RANK, tells, false},
    {"Comm_group,Comm_remote_group,Group_incl,Group_excl,Group_range_incl,Group_range_excl,"
     "Group_union,Group_intersection,Group_difference",
     CALL_GROUP_OF, groups, false},
    {0},
};

/* Names of arguments, with | between. The first name that a type has counts. */
static const char *const names[ARG_ALL] = {
    [ARG_COUNT] = "outcount|count",
    [ARG_DEST] = "dest",
    [ARG_SOURCE] = "source",
    [ARG_TAG] = "sendtag|tag",
    [ARG_RECV_TAG] = "recvtag",
    [ARG_COMM] = "oldcomm|localcomm|comm",
    [ARG_NEW_COMM] = "newcomm|parent|comm",
    [ARG_REQUEST] = "request",
    [ARG_FLAG] = "flag",
    [ARG_INDEX] = "index",
    [ARG_STATUS_SOURCE] = "status.source",
    [ARG_STATUS_TAG] = "status.tag",
    [ARG_STATUS_BYTES] = "status.bytes",
    [ARG_STATUS_CANCELLED] = "status.cancelled",
    [ARG_COLOR] = "color",
    [ARG_KEY] = "key",
    [ARG_HIGH] = "high",
    [ARG_NODES] = "nodes",
    [ARG_REORDER] = "reorder",
    [ARG_BYTES] = "bytes",
    [ARG_LOCAL_LEADER] = "localleader",
    [ARG_REMOTE_COMM] = "remotecomm",
    [ARG_REMOTE_LEADER] = "remoteleader",
    [ARG_GROUP] = "group1|group",
    [ARG_GROUP2] = "group2",
    [ARG_NEW_GROUP] = "newgroup|group",
    [ARG_ROOT] = "root",
    [ARG_RANK] = "rank|size",
    [ARG_WIN] = "win",
    [ARG_FILE] = "file",
    [ARG_REQUESTS] = "requests",
    [ARG_INDICES] = "indices",
    [ARG_STATUSES_SOURCE] = "statuses.source",
    [ARG_STATUSES_TAG] = "statuses.tag",
    [ARG_STATUSES_BYTES] = "statuses.bytes",
    [ARG_STATUSES_CANCELLED] = "statuses.cancelled",
    [ARG_DIMS] = "remain_dims|dims",
    [ARG_RANKS] = "ranges|ranks",
};

/* A text stream has names in place of these numbers. */
static const struct {
	const char *name;
	int64_t value;
} words[] = {
    {"MPI_COMM_NULL", 1},   {"MPI_COMM_WORLD", 2},   {"MPI_COMM_SELF", 3},
    {"MPI_ANY_SOURCE", -1}, {"MPI_ROOT", -2},	     {"MPI_PROC_NULL", -2},
    {"MPI_ANY_TAG", -1},    {"MPI_REQUEST_NULL", 1}, {"MPI_GROUP_NULL", 1},
    {"MPI_GROUP_EMPTY", 2}, {"MPI_COMM_ERROR", 0},   {"MPI_REQUEST_ERROR", 0},
    {"MPI_GROUP_ERROR", 0}, {"MPI_UNDEFINED", -1},
};

static struct field
find_label(const struct source *s, const struct type *ty, const char *list)
{
	struct field f = {0};
	char name[64];
	size_t n;

	for (; !f.arg && *list; list += n + (list[n] == '|')) {
		n = strcspn(list, "|");
		memcpy(name, "arg.", 4);
		memcpy(name + 4, list, n);
		name[4 + n] = '\0';
		f = field_find(name, &s->head, ty);
	}
	return f;
}

/* Finds the row of a call, its kind, and a number for its name. Returns false if the call has no row. */
static bool
find_row(const struct calls *k, const char *event, struct call_plan *to)
{
	const struct call_row *const list[] = {known, k->more};
	size_t n;

	for (size_t i = 0; i < 2 && !strncmp(event, "MPI_", 4); i++)
		for (to->row = list[i]; to->row && to->row->calls; to->row++) {
			to->kind = to->row->kind;
			for (const char *p = to->row->calls; *p; p += n + (p[n] != '\0')) {
				n = strcspn(p, "|,");
				if (strlen(event + 4) == n && !memcmp(event + 4, p, n))
					return to->which < CALLS_KNOWN;
				to->which++;
				to->kind += p[n] == ',';
			}
		}
	return false;
}

/* Returns the plan of a type; NULL if it is no call that matters. */
static struct call_plan *
make_call_plan(struct calls *k, const struct source *s, const struct type *ty)
{
	struct call_plan at = {0}, *p;

	if (!find_row(k, ty->event, &at))
		return NULL;
	p = arena_zeros(&k->plan_cache.mem, sizeof *p);
	*p = at;
	for (const int8_t *a = p->row->args; *a >= 0; a++) {
		p->v[p->n].arg = (enum call_arg) * a;
		p->v[p->n].field = find_label(s, ty, names[*a]);
		if (p->v[p->n].field.kind == FIELD_ARG) {
			struct arg plain = *p->v[p->n].field.arg;

			plain.labels = NULL;
			p->v[p->n].plain = field_of_arg(&plain);
			p->n++;
		}
	}
	return p;
}

/* Reads a number, or the name of one. Returns false if the text is neither. */
static bool
parse_int(const char *s, size_t n, int64_t *v)
{
	bool minus;
	uint64_t u;

	if (!n)
		return false;
	minus = *s == '-';
	for (size_t i = 0; *s == 'M' && i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].name) == n && !memcmp(words[i].name, s, n)) {
			*v = words[i].value;
			return true;
		}
	if (digits_u64((const uint8_t *)s + minus, n - minus, &u) || u > INT64_MAX)
		return false;
	*v = minus ? -(int64_t)u : (int64_t)u;
	return true;
}

static void
add_item(struct call_list *l, int64_t v)
{
	*PUSH(l->v, l->n, l->cap) = v;
}

/* Returns the number of `width` bytes at p. */
static int64_t
element(const uint8_t *p, uint32_t width)
{
	return width == 4   ? (int32_t)ld32(p)
	       : width == 8 ? (int64_t)ld64(p)
	       : width == 2 ? (int16_t)ld16(p)
			    : (int8_t)*p;
}

/* Reads an argument that is an array of whole numbers. Returns false if it is none. */
static bool
read_array(const struct arg *a, const struct rec *r, struct call_list *l)
{
	const uint8_t *p;
	uint32_t n;

	if (!a->array || !kind_is_int(a->kind) || !rec_span(r, a, &p, &n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		add_item(l, element(p + i * kind_width(a->kind), kind_width(a->kind)));
	return true;
}

/* Sets *p and *n to the text of an argument: in the record if it is a text there, else in k->text. Returns false
 * if there is none. */
static bool
call_text(struct calls *k, const struct source *s, const struct rec *r,
	  const struct field *f, const char **p, size_t *n)
{
	const uint8_t *at;
	uint32_t len;

	if (f->arg->kind == K_TEXT && !f->arg->array) {
		if (!rec_span(r, f->arg, &at, &len))
			return false;
		*p = (const char *)at;
		*n = len;
		return true;
	}
	k->text.n = 0;
	if (!field_text(&k->text, &s->head, &s->t, r, f))
		return false;
	*p = (const char *)k->text.p;
	*n = k->text.n;
	return true;
}

static bool
read_list(struct calls *k, const struct source *s, const struct rec *r,
	  const struct field *f, struct call_list *l)
{
	const char *p;
	size_t n;

	if (read_array(f->arg, r, l))
		return true;
	if (!call_text(k, s, r, f, &p, &n))
		return false;
	/* Read numbers with commas between. */
	while (n) {
		const char *comma = memchr(p, ',', n);
		size_t one = comma ? (size_t)(comma - p) : n;
		int64_t v = 0;

		parse_int(p, one, &v);
		add_item(l, v);
		one += comma != NULL;
		p += one;
		n -= one;
	}
	return true;
}

static bool
read_number(struct calls *k, const struct source *s, const struct rec *r,
	    const struct field *f, const struct field *plain, int64_t *v)
{
	const char *p;
	const uint8_t *at;
	uint64_t u;
	uint32_t elements;
	size_t n;

	if (!f->arg->array && kind_is_int(f->arg->kind) && field_load(plain, r, &u)) {
		*v = (int64_t)u;
		return true;
	}
	/* A status is an array of one element, or of none. */
	if (f->arg->array && kind_is_int(f->arg->kind) &&
	    rec_span(r, f->arg, &at, &elements)) {
		if (elements == 1)
			*v = element(at, kind_width(f->arg->kind));
		return elements == 1;
	}
	return call_text(k, s, r, f, &p, &n) && parse_int(p, n, v);
}

/* Returns the plan of event r of s; NULL if it is no call that matters. */
static const struct call_plan *
plan_of(struct calls *k, const struct source *s, const struct rec *r)
{
	uint32_t i;

	CACHE(k->plan, k->plan_cache, s, s->t.ntypes);
	while (cache_next(&k->plan_cache, s->t.ntypes, &i))
		k->plan[i] = make_call_plan(k, s, &s->t.type[i]);
	return k->plan[r->type];
}

void
calls_read(struct calls *k, const struct source *s, const struct rec *r, struct call *c)
{
	const struct call_plan *p = plan_of(k, s, r);

	c->kind = p ? p->kind : CALL_OTHER;
	if (!p)
		return;
	c->which = p->which;
	c->event = s->t.type[r->type].event;
	c->synchronous = p->row->synchronous;
	c->has = 0;
	for (unsigned i = 0; i < ARG_ALL - ARG_NUMBERS; i++)
		c->list[i].n = 0;
	for (unsigned i = 0; i < p->n; i++) {
		enum call_arg a = p->v[i].arg;
		const struct field *f = &p->v[i].field;

		if (a >= ARG_NUMBERS
			? read_list(k, s, r, f, &c->list[a - ARG_NUMBERS])
			: read_number(k, s, r, f, &p->v[i].plain, &c->number[a]))
			c->has |= 1ull << a;
	}
}

void
calls_free(struct calls *k)
{
	cache_free(k->plan, &k->plan_cache);
	buf_free(&k->text);
}
