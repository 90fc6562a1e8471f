/*
 * check_charisma.c - the rules of CHARISMA: see check.h.
 *
 * Records of different clients are not in order of time, so rules about order look at each client alone. Owners of
 * descriptors are clients and applications.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "trace-check/check_charisma.h"

#define RECORD_FUNCTION(kind, name, take) take,
static void (*const takers[])(struct check_run *c, const struct charisma_event *e) = {
    CHARISMA_RECORDS(RECORD_FUNCTION)};
static const char *const args[] = {CHARISMA_ARGS(LIST_TEXT) NULL};

#define DAY (86400 * 1000000000ull)
/* Bytes of a name of a program, and of a path, in the generic header. */
#define NAME_BYTES 32
/* Bound: trace-check | applications, clients, files and open requests of CHARISMA | records | 65536 of each | more than 65536 */
#define STATES (1u << 16)
static const struct map_kind maps[] = {
    [APPS] = {"applications", STATES},	  [CLIENTS] = {"clients", STATES},
    [OPENS] = {"open files", STATES},	  [FILES] = {"files", STATES},
    [ASYNCS] = {"open requests", STATES}, [LATEST] = {"open files", STATES},
    [BUSY] = {"open requests", STATES},	  {0},
};

struct charisma_check {
	int64_t last; /* time of the last record */
	bool any;
};

void
chr_header(struct check_run *c, const struct charisma_event *e)
{
	const char *type = argument_text(c, A_SYSTEM);
	uint64_t v = 0, gmt = 0;
	int64_t offset;

	(void)e;
	if (*type >= '0' && *type <= '9')
		find(c, CHR_SYSTYPE, "system_type %s is not known", type);
	argument_number(c, A_STARTED, &v);
	argument_number(c, A_GMT, &gmt);
	offset = (int64_t)gmt;
	if ((int64_t)v < 473385600 || (int64_t)v > (int64_t)time(NULL))
		find(c, CHR_DATE, "start_date " I64 " is not between 1985 and now",
		     (int64_t)v);
	if (offset > 14 * 3600 || offset < -14 * 3600 || offset % 900)
		find(c, CHR_DATE, "gmt_offset " I64 " is that of no time zone", offset);
	for (unsigned a = A_PROCESSORS; a <= A_IO_NODES; a++)
		if (argument_number(c, a, &v) && (int64_t)v <= 0)
			find(c, CHR_CONFIG, "%s is " I64, args[a], (int64_t)v);
}

/* Makes a client a client of an application. */
static void
bind_client(struct check_run *c, uint64_t client, uint64_t app)
{
	struct map_entry *known = map_put(c, CLIENTS, client);
	uint64_t was = known->v[CLIENT_APP];
	const struct map_entry *other;

	other = was && was != app + 1 ? map_find(c, APPS, was - 1) : NULL;
	if (other && !other->v[EXITED])
		find_with(c, CHR_CLIENT_UNIQUE, known->at,
			  "client " U64 " is of application " U64 ", too", client, was - 1);
	known->v[CLIENT_APP] = app + 1;
	known->at = c->here;
}

void
chr_load(struct check_run *c, const struct charisma_event *e)
{
	uint64_t id = e->owner & ~APP;
	/* Kept for all loads: half a megabyte that is freed each time would leave holes of 8 MB in the heap. */
	static uint64_t *seen;
	static size_t cap;
	struct map_entry *app = map_find(c, APPS, id);
	size_t n = 0;
	char *end;

	if (app)
		find_with(c, CHR_APP_UNIQUE, app->at, "application " U64 " is loaded again",
			  id);
	map_put(c, APPS, id)->v[EXITED] = 0;
	for (const char *p = argument_text(c, A_CLIENTS); *p; p = end + (*end == ',')) {
		uint64_t client = strtoull(p, &end, 10);

		if (end == p)
			break;
		bind_client(c, client, id);
		*PUSH(seen, n, cap) = client;
	}
	if (n)
		qsort(seen, n, sizeof *seen, u64_ascending);
	for (size_t i = 1; i < n; i++)
		if (seen[i] == seen[i - 1]) {
			find(c, CHR_CLIENTS, "client " U64 " is named twice", seen[i]);
			break;
		}
}

void
chr_exit(struct check_run *c, const struct charisma_event *e)
{
	uint64_t id = e->owner & ~APP;
	struct map_entry *app = map_find(c, APPS, id), *f = NULL;

	while ((f = map_next(c, OPENS, f))) {
		if (f->v[OPEN_APP] != id + 1)
			continue;
		if (!f->v[CLOSED])
			find_with(c, CHR_FD_LEFT, f->at,
				  "descriptor " U64 " was not closed before the exit",
				  f->key[1]);
		map_drop(c, OPENS, f);
	}
	if (app) {
		app->v[EXITED] = 1;
		app->at = c->here;
	}
}

void
chr_join(struct check_run *c, const struct charisma_event *e)
{
	uint64_t id = e->a[A_APP];
	struct map_entry *client = map_find(c, CLIENTS, e->owner),
			 *app = map_find(c, APPS, id);

	if (client && client->v[JOINED])
		find_with(c, CHR_JOIN, client->at, "client " U64 " joins again", e->owner);
	else if (!app || app->v[EXITED])
		find(c, CHR_JOIN,
		     "client " U64 " joins application " U64 ", which does not live",
		     e->owner, id);
	bind_client(c, e->owner, id);
	map_put(c, CLIENTS, e->owner)->v[JOINED] = 1;
}

void
chr_leave(struct check_run *c, const struct charisma_event *e)
{
	struct map_entry *client = map_find(c, CLIENTS, e->owner);

	if (!client || client->v[CLIENT_APP] != e->a[A_APP] + 1)
		find(c, CHR_JOIN,
		     "client " U64 " leaves application " U64 ", and is not in it",
		     e->owner, e->a[A_APP]);
	if (client)
		client->v[CLIENT_APP] = client->v[JOINED] = 0;
}

/* Looks whether the application and the client of a record may act. */
static void
check_owner(struct check_run *c, const struct charisma_event *e)
{
	bool client = !(e->owner & APP);
	const struct map_entry *app;
	uint64_t id;

	if (client && e->kind != R_JOIN && !map_find(c, CLIENTS, e->owner)) {
		find(c, CHR_CLIENT_KNOWN, "client " U64 " was in no load and no join",
		     e->owner);
		map_add(c, CLIENTS, e->owner);
	}
	id = chr_app(c, e->owner) - 1;
	if (e->kind == R_JOIN || e->kind == R_LEAVE || id == UINT64_MAX)
		return;
	app = map_find(c, APPS, id);
	if (!app) {
		find(c, CHR_APP_LOAD, "application " U64 " was not loaded", id);
		map_add(c, APPS, id);
	} else if (app->v[EXITED] && client)
		find_with(c, CHR_EXIT_QUIET, app->at,
			  "%s of client " U64 " after the exit of its application " U64,
			  charisma_events[e->kind], e->owner, id);
}

/* Looks at the times of a record. */
static void
check_time(struct check_run *c, const struct charisma_event *e)
{
	struct charisma_check *x = c->own;
	int64_t now = e->rec->time, last = x->last;
	uint64_t apart =
	    now > last ? (uint64_t)now - (uint64_t)last : (uint64_t)last - (uint64_t)now;
	bool sync = e->kind != R_READ && e->kind != R_WRITE;
	struct map_entry *client = NULL;

	if (now < 0)
		find(c, CHR_TIME_START, "the record is older than the header");
	if (x->any && apart > 30 * DAY)
		find(c, CHR_TIME_FAR,
		     "the time is more than 30 days from the one before it");
	x->any = true;
	x->last = now;
	if (e->has_owner && !(e->owner & APP))
		client = map_find(c, CLIENTS, e->owner);
	/* A request is written at its end. */
	if (!client || (!sync && !(e->rec->has & HAS_DUR)) || e->kind == R_ASYNC_END)
		return;
	if (client->v[TIMED] && now < (int64_t)client->v[TIME])
		find(c, CHR_TIME_NODE, "the time of client " U64 " goes back", e->owner);
	client->v[TIME] = (uint64_t)now;
	client->v[TIMED] = 1;
}

/* Looks at the names of a record. */
static void
check_names(struct check_run *c)
{
	for (unsigned a = A_NAME; a <= A_PATH; a++) {
		const char *name = argument_text(c, a);
		bool odd = strchr(name, '\\') != NULL;

		if (odd || (a == A_NAME && strlen(name) >= NAME_BYTES))
			find(c, CHR_STRINGS, "%s %.60s %s", args[a], name,
			     odd ? "is not printable" : "has no NUL byte");
	}
}

static void
charisma_batch(struct check_run *c)
{
	for (c->i = 0; c->i < c->b->n; c->i++) {
		struct charisma_event e = {.rec = batch_rec(c->b, c->i)};
		int kind = event_index(c);
		const char *loc;
		char *end;

		if (kind < 0)
			continue;
		e.kind = (enum charisma_kind)kind;
		c->here = event_place(c);
		for (unsigned a = 0; a <= A_CREATED; a++)
			e.has[a] = argument_number(c, a, &e.a[a]);
		loc = argument_text(c, A_LOC);
		e.owner = !strncmp(loc, "app:", 4) ? APP : 0;
		loc += e.owner ? 4 : 0;
		e.owner |= strtoull(loc, &end, 10) & ~APP;
		e.has_owner = end > loc;
		if (e.has_owner && e.kind != R_LOAD)
			check_owner(c, &e);
		if (e.kind != R_HEADER)
			check_time(c, &e);
		if (e.kind == R_LOAD || e.kind == R_OPEN)
			check_names(c);
		takers[kind](c, &e);
	}
}

static void
charisma_end(struct check_run *c)
{
	const struct map_entry *e = NULL;

	while ((e = map_next(c, APPS, e)))
		if (!e->v[EXITED])
			find_at(c, CHR_APP_EXIT, e->at, "application " U64 " does not exit",
				e->key[0]);
	while ((e = map_next(c, ASYNCS, e)))
		find_at(c, CHR_ASYNC_LEFT, e->at,
			"the request with the async_id " U64 " does not end", e->key[0]);
}

const struct checker check_charisma = {
    .formats = " charisma ",
    .rules = (const struct rule[]){CHARISMA_RULES(RULE_ROW){0}},
    .own_size = sizeof(struct charisma_check),
    .maps = maps,
    .events = charisma_events,
    .args = args,
    .need = NEED_ARGS,
    .batch = charisma_batch,
    .end = charisma_end,
};
