/*
 * check_charisma.c - the rules of CHARISMA: see check.h.
 *
 * Records of different clients are not in order of time, so rules about order look at each client alone. Owners of
 * descriptors are clients and applications: an application is its number plus 2^63.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "trace-check/check_charisma.h"

static const struct rule rows[] = {CHARISMA_RULES(RULE_ROW)};
static const struct rules rules = {rows, sizeof rows / sizeof *rows};

static const char *const args[] = {"appl_id",
				   "file_desc",
				   "file",
				   "file_id",
				   "file_size",
				   "async_id",
				   "original_size",
				   "new_size",
				   "new_link_count",
				   "creation_date",

				   "loc",
				   "name",
				   "path",
				   "clients",
				   "open_flags",
				   "operation_type",
				   "request",
				   "system_type",
				   "start_date",
				   "gmt_offset",
				   "num_processors",
				   "num_disks",
				   "num_IO_nodes",
				   NULL};

#define DAY (86400 * 1000000000ull)
/* Bytes of a name of a program, and of a path, in the generic header. */
#define NAME_BYTES 32
/* Bound: trace-check | applications, clients, files and open requests of CHARISMA | records | 65536 of each | more than 65536 */
#define STATES (1u << 16)

static void *
charisma_begin(struct check_run *c, struct source *s)
{
	struct charisma_check *x = xcalloc(1, sizeof *x);
	struct number_map *maps[] = {&x->app,	&x->client, &x->open, &x->file,
				     &x->async, &x->shared, &x->busy};
	static const char *const what[] = {"applications", "clients",	    "open files",
					   "files",	   "open requests", "open files",
					   "open requests"};

	(void)c;
	(void)s;
	x->arguments.events = charisma_events;
	x->arguments.args = args;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		*maps[i] = (struct number_map){.what = what[i], .most = STATES};
	return x;
}

static void
take_header(struct check_run *c, struct charisma_check *x, struct source *s,
	    const struct charisma_event *e)
{
	static const enum record_arg counts[] = {A_PROCESSORS, A_DISKS, A_IO_NODES};
	const char *type = charisma_text(x, s, e, A_SYSTEM);
	uint64_t v = 0, gmt = 0;
	int64_t offset;

	if (*type >= '0' && *type <= '9')
		find(c, CHR_SYSTYPE, e->at, "system_type %s is not known", type);
	argument_number(&x->arguments, s, e->rec, A_STARTED, &v);
	argument_number(&x->arguments, s, e->rec, A_GMT, &gmt);
	offset = (int64_t)gmt;
	if ((int64_t)v < 473385600 || (int64_t)v > (int64_t)time(NULL))
		find(c, CHR_DATE, e->at, "start_date %lld is not between 1985 and now",
		     (long long)v);
	if (offset > 14 * 3600 || offset < -14 * 3600 || offset % 900)
		find(c, CHR_DATE, e->at, "gmt_offset %lld is that of no time zone",
		     (long long)offset);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (argument_number(&x->arguments, s, e->rec, counts[i], &v) &&
		    (int64_t)v <= 0)
			find(c, CHR_CONFIG, e->at, "%s is %lld", args[counts[i]],
			     (long long)v);
}

/* Makes a client a client of an application. */
static void
bind_client(struct check_run *c, struct charisma_check *x, const struct charisma_event *e,
	    uint64_t client, uint64_t app)
{
	struct map_entry *known = map_find(&x->client, client, 0, 0), *other;

	other = known && known->v[0] ? map_find(&x->app, known->v[0] - 1, 0, 0) : NULL;
	if (known && known->v[0] && known->v[0] != app + 1 && other && !other->v[0])
		find_with(c, CHR_CLIENT_UNIQUE, e->at, known->at,
			  "client %llu is of application %llu, too",
			  (unsigned long long)client, (unsigned long long)known->v[0] - 1);
	known = known ? known : map_add(c, &x->client, client, 0, 0, e->at);
	if (known) {
		known->v[0] = app + 1;
		known->at = e->at;
	}
}

static void
take_load(struct check_run *c, struct charisma_check *x, struct source *s,
	  const struct charisma_event *e)
{
	uint64_t id = e->owner & ~APP;
	struct map_entry *app = map_find(&x->app, id, 0, 0);
	const char *p = charisma_text(x, s, e, A_CLIENTS);
	char *clients = xstrdup(p), *end;
	uint64_t *seen = NULL;
	size_t n = 0, cap = 0;

	if (app)
		find_with(c, CHR_APP_UNIQUE, e->at, app->at,
			  "application %llu is loaded again", (unsigned long long)id);
	app = app ? app : map_add(c, &x->app, id, 0, 0, e->at);
	if (app)
		app->v[0] = 0;
	for (p = clients; *p; p = *end == ',' ? end + 1 : end) {
		uint64_t client = strtoull(p, &end, 10);

		if (end == p)
			break;
		bind_client(c, x, e, client, id);
		*PUSH(seen, n, cap) = client;
	}
	if (n)
		qsort(seen, n, sizeof *seen, u64_ascending);
	for (size_t i = 1; i < n; i++)
		if (seen[i] == seen[i - 1]) {
			find(c, CHR_CLIENTS, e->at, "client %llu is named twice",
			     (unsigned long long)seen[i]);
			break;
		}
	free(seen);
	free(clients);
}

/* Looks whether the application and the client of a record may act. */
static void
take_owner(struct check_run *c, struct charisma_check *x, const struct charisma_event *e)
{
	uint64_t owner = e->owner, id;
	struct map_entry *client = NULL, *app;

	if (!(owner & APP)) {
		client = map_find(&x->client, owner, 0, 0);
		if (!client && e->kind != R_JOIN) {
			find(c, CHR_CLIENT_KNOWN, e->at,
			     "client %llu was in no load and no join",
			     (unsigned long long)owner);
			client = map_add(c, &x->client, owner, 0, 0, e->at);
		}
	}
	if (e->kind == R_JOIN || e->kind == R_LEAVE || !charisma_app(x, owner))
		return;
	id = charisma_app(x, owner) - 1;
	app = map_find(&x->app, id, 0, 0);
	if (!app) {
		find(c, CHR_APP_LOAD, e->at, "application %llu was not loaded",
		     (unsigned long long)id);
		map_add(c, &x->app, id, 0, 0, e->at);
	} else if (app->v[0] && !(owner & APP)) {
		find_with(c, CHR_EXIT_QUIET, e->at, app->at,
			  "%s of client %llu after the exit of its application %llu",
			  charisma_events[e->kind], (unsigned long long)owner,
			  (unsigned long long)id);
	}
}

/* Looks at the times of a record. */
static void
take_time(struct check_run *c, struct charisma_check *x, const struct charisma_event *e)
{
	int64_t now = e->rec->time, last = x->last;
	uint64_t apart =
	    now > last ? (uint64_t)now - (uint64_t)last : (uint64_t)last - (uint64_t)now;
	bool sync = e->kind != R_READ && e->kind != R_WRITE;
	struct map_entry *client;

	if (now < 0)
		find(c, CHR_TIME_START, e->at, "the record is older than the header");
	if (x->any && apart > 30 * DAY)
		find(c, CHR_TIME_FAR, e->at,
		     "the time is more than 30 days from the one before it");
	x->any = true;
	x->last = now;
	client =
	    e->has_owner && !(e->owner & APP) ? map_find(&x->client, e->owner, 0, 0) : NULL;
	/* A request is written at its end. */
	if (!client || (!sync && !(e->rec->has & HAS_DUR)) || e->kind == R_ASYNC_END)
		return;
	if (client->v[2] && now < (int64_t)client->v[1])
		find(c, CHR_TIME_NODE, e->at, "the time of client %llu goes back",
		     (unsigned long long)e->owner);
	client->v[1] = (uint64_t)now;
	client->v[2] = 1;
}

static void
take_member(struct check_run *c, struct charisma_check *x, const struct charisma_event *e)
{
	uint64_t app = e->a[A_APP];
	struct map_entry *client = map_find(&x->client, e->owner, 0, 0),
			 *known = map_find(&x->app, app, 0, 0);
	bool is = client && client->v[0] == app + 1;

	x->joins = true;
	if (e->kind == R_JOIN) {
		if (client && client->v[3])
			find_with(c, CHR_JOIN, e->at, client->at, "client %llu joins again",
				  (unsigned long long)e->owner);
		else if (!known || known->v[0])
			find(c, CHR_JOIN, e->at,
			     "client %llu joins application %llu, which does not live",
			     (unsigned long long)e->owner, (unsigned long long)app);
		bind_client(c, x, e, e->owner, app);
		client = map_find(&x->client, e->owner, 0, 0);
		if (client)
			client->v[3] = 1;
		return;
	}
	if (!is)
		find(c, CHR_JOIN, e->at,
		     "client %llu leaves application %llu, and is not in it",
		     (unsigned long long)e->owner, (unsigned long long)app);
	if (client)
		client->v[0] = client->v[3] = 0;
}

static void
take_exit(struct check_run *c, struct charisma_check *x, const struct charisma_event *e)
{
	struct map_entry *app = map_find(&x->app, e->owner & ~APP, 0, 0);

	for (size_t i = 0; i < x->open.n; i++) {
		struct map_entry *f = &x->open.e[i];

		if (!f->live || f->v[3] != (e->owner & ~APP) + 1)
			continue;
		if (!f->v[2] && wants(c, CHR_FD_LEFT))
			find_with(c, CHR_FD_LEFT, e->at, f->at,
				  "descriptor %llu was not closed before the exit",
				  (unsigned long long)f->key[1]);
		map_drop(&x->open, f);
	}
	if (app) {
		app->v[0] = 1;
		app->at = e->at;
	}
}

/* Looks at the names of a record. */
static void
take_names(struct check_run *c, struct charisma_check *x, struct source *s,
	   const struct charisma_event *e)
{
	static const enum record_arg names[] = {A_NAME, A_PATH};

	for (size_t i = 0; i < 2; i++) {
		const char *name = charisma_text(x, s, e, names[i]);

		if (strchr(name, '\\') ||
		    (names[i] == A_NAME && strlen(name) >= NAME_BYTES))
			find(c, CHR_STRINGS, e->at, "%s %.60s %s", args[names[i]], name,
			     strchr(name, '\\') ? "is not printable" : "has no NUL byte");
	}
}

static void
take_record(struct check_run *c, struct charisma_check *x, struct source *s,
	    const struct charisma_event *e)
{
	if (e->has_owner && e->kind != R_LOAD)
		take_owner(c, x, e);
	if (e->kind != R_HEADER)
		take_time(c, x, e);
	if (e->kind == R_LOAD || e->kind == R_OPEN)
		take_names(c, x, s, e);
	switch (e->kind) {
	case R_HEADER: take_header(c, x, s, e); break;
	case R_LOAD: take_load(c, x, s, e); break;
	case R_EXIT: take_exit(c, x, e); break;
	case R_JOIN:
	case R_LEAVE: take_member(c, x, e); break;
	default: charisma_file(c, x, s, e); break;
	}
}

static void
charisma_batch(struct check_run *c, void *state, struct source *s, const struct batch *b)
{
	struct charisma_check *x = state;

	for (uint32_t i = 0; i < b->n; i++) {
		struct charisma_event e = {.rec = batch_rec(b, i)};
		int kind = event_index(&x->arguments, s, e.rec);
		const char *loc;
		char *end;

		if (kind < 0)
			continue;
		e.kind = (enum charisma_kind)kind;
		e.at = place_of(c, s, b, i);
		for (unsigned a = 0; a <= A_CREATED; a++)
			e.has[a] = argument_number(&x->arguments, s, e.rec, a, &e.a[a]);
		loc = charisma_text(x, s, &e, A_LOC);
		if (!strncmp(loc, "app:", 4)) {
			e.owner = strtoull(loc + 4, &end, 10) | APP;
			e.has_owner = end > loc + 4;
		} else {
			e.owner = strtoull(loc, &end, 10) & ~APP;
			e.has_owner = end > loc;
		}
		take_record(c, x, s, &e);
	}
}

static void
charisma_end(struct check_run *c, void *state, struct source *s)
{
	struct charisma_check *x = state;
	struct number_map *maps[] = {&x->app,	&x->client, &x->open, &x->file,
				     &x->async, &x->shared, &x->busy};

	(void)s;
	for (size_t i = 0; i < x->app.n; i++)
		if (x->app.e[i].live && !x->app.e[i].v[0])
			find(c, CHR_APP_EXIT, x->app.e[i].at,
			     "application %llu does not exit",
			     (unsigned long long)x->app.e[i].key[0]);
	for (size_t i = 0; i < x->async.n; i++)
		if (x->async.e[i].live)
			find(c, CHR_ASYNC_LEFT, x->async.e[i].at,
			     "the request with the async_id %llu does not end",
			     (unsigned long long)x->async.e[i].key[0]);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		map_free(maps[i]);
	arguments_free(&x->arguments);
	free(x);
}

const struct checker check_charisma = {" charisma ",   &rules,	       NEED_ARGS,
				       charisma_begin, charisma_batch, charisma_end};
