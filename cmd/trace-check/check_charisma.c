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
#include "base/hash.h"
#include "trace-check/check_state.h"
#include "trace-check/rules_charisma.h"

enum {
	CHARISMA_RULES(RULE_NAME)
};
static const struct rule rows[] = {CHARISMA_RULES(RULE_ROW)};
static const struct rules rules = {rows, sizeof rows / sizeof *rows};

enum charisma_kind {
	R_HEADER,
	R_LOAD,
	R_EXIT,
	R_JOIN,
	R_LEAVE,
	R_OPEN,
	R_CLOSE,
	R_READ,
	R_WRITE,
	R_ASYNC_END,
	R_TRUNCATE,
	R_EXTEND,
	R_LINK,
	R_UNLINK,
	R_FCNTL
};
static const char *const events[] = {
    "header", "app-load",  "app-exit", "join",	 "leave", "open",   "close", "read",
    "write",  "async-end", "truncate", "extend", "link",  "unlink", "fcntl", NULL};

enum record_arg {
	A_APP,
	A_FD,
	A_FILE,
	A_FILE_ID,
	A_FILE_SIZE,
	A_ASYNC,
	A_ORIGINAL,
	A_NEW,
	A_LINKS,
	A_CREATED, /* the last one that is a number of each record */
	A_LOC,
	A_NAME,
	A_PATH,
	A_CLIENTS,
	A_FLAGS,
	A_OPERATION,
	A_REQUEST,
	A_SYSTEM,
	A_STARTED,
	A_GMT,
	A_PROCESSORS,
	A_DISKS,
	A_IO_NODES
};
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

#define APP (1ull << 63)
#define DAY (86400 * 1000000000ull)
/* Bytes of a name of a program, and of a path, in the generic header. */
#define NAME_BYTES 32
/* Bound: trace-check | applications, clients, files and open requests of CHARISMA | records | 65536 of each | more than 65536 */
#define STATES (1u << 16)

struct charisma_check {
	struct arguments arguments;
	struct number_map app; /* number: has exited */
	struct number_map
	    client; /* number: its application + 1, greatest time, has a time */
	struct number_map
	    open; /* owner, descriptor: file, mode, is closed, the application of the owner */
	struct number_map file;	 /* id: size, is known, hash of name and date, links + 1 */
	struct number_map async; /* id: owner, start, descriptor */
	struct number_map
	    shared; /* application + 1, descriptor: the last owner that opened it */
	struct number_map busy; /* owner, descriptor: open requests, the last of them */
	int64_t last;
	bool any, joins;
};

/* A record, with what all rules need. */
struct charisma_event {
	enum charisma_kind kind;
	const struct rec *rec;
	struct trace_place at;
	uint64_t a[A_CREATED + 1];
	bool has[A_CREATED + 1];
	uint64_t owner; /* of the record: a client, or an application */
	bool has_owner;
};

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
	x->arguments.events = events;
	x->arguments.args = args;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		*maps[i] = (struct number_map){.what = what[i], .most = STATES};
	return x;
}

/* Returns true if the list of words with commas between has the word. */
static bool
has_flag(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; p && (p = strstr(p, word)); p += n)
		if ((p == list || p[-1] == ',') && (p[n] == '\0' || p[n] == ','))
			return true;
	return false;
}

/* Returns true if a list of flags has a number, which stands for unknown bits. */
static bool
has_unknown(const char *list)
{
	return strstr(list, "0x") || (*list >= '1' && *list <= '9');
}

/* Returns the text of an argument, or "" if it is absent. */
static const char *
text_of(struct charisma_check *x, const struct source *s, const struct charisma_event *e,
	enum record_arg arg)
{
	const char *text = argument_text(&x->arguments, s, e->rec, arg);

	return text ? text : "";
}

/* Returns the application of an owner plus 1, or 0 if it is not known. */
static uint64_t
app_of(const struct charisma_check *x, uint64_t owner)
{
	const struct map_entry *client;

	if (owner & APP)
		return (owner & ~APP) + 1;
	client = map_find(&x->client, owner, 0, 0);
	return client ? client->v[0] : 0;
}

static void
take_header(struct check_run *c, struct charisma_check *x, struct source *s,
	    const struct charisma_event *e)
{
	static const enum record_arg counts[] = {A_PROCESSORS, A_DISKS, A_IO_NODES};
	const char *type = text_of(x, s, e, A_SYSTEM);
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
	const char *p = text_of(x, s, e, A_CLIENTS);
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
	if (e->kind == R_JOIN || e->kind == R_LEAVE || !app_of(x, owner))
		return;
	id = app_of(x, owner) - 1;
	app = map_find(&x->app, id, 0, 0);
	if (!app) {
		find(c, CHR_APP_LOAD, e->at, "application %llu was not loaded",
		     (unsigned long long)id);
		map_add(c, &x->app, id, 0, 0, e->at);
	} else if (app->v[0] && !(owner & APP)) {
		find_with(c, CHR_EXIT_QUIET, e->at, app->at,
			  "%s of client %llu after the exit of its application %llu",
			  events[e->kind], (unsigned long long)owner,
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

/* Returns the open file of a descriptor: of the owner, of its application, or of another client of it; or NULL. */
static struct map_entry *
opened(const struct charisma_check *x, const struct charisma_event *e)
{
	uint64_t app = app_of(x, e->owner), fd = e->a[A_FD];
	struct map_entry *f = map_find(&x->open, e->owner, fd, 0), *by_app, *by_other;

	if ((f && !f->v[2]) || !app)
		return f;
	by_app = map_find(&x->open, (app - 1) | APP, fd, 0);
	if (by_app && !by_app->v[2])
		return by_app;
	by_other = map_find(&x->shared, app, fd, 0);
	if (by_other)
		by_other = map_find(&x->open, by_other->v[0], fd, 0);
	if (by_other && !by_other->v[2])
		return by_other;
	return f ? f : by_app;
}

/* Looks at a size of a file, and keeps it. */
static void
take_size(struct check_run *c, struct charisma_check *x, const struct charisma_event *e,
	  uint64_t id, uint64_t size)
{
	struct map_entry *file = map_put(c, &x->file, id, 0, 0, e->at);

	if (!file)
		return;
	if (file->v[1] && size < file->v[0])
		find_with(c, CHR_SIZE, e->at, file->at,
			  "file %llu has %llu bytes, and had %llu before",
			  (unsigned long long)id, (unsigned long long)size,
			  (unsigned long long)file->v[0]);
	file->v[0] = size;
	file->v[1] = 1;
	file->at = e->at;
}

/* Returns a number for what names a file: its name, path and date. */
static uint64_t
name_number(struct charisma_check *x, struct source *s, const struct charisma_event *e)
{
	static const enum record_arg parts[] = {A_NAME, A_PATH, A_CREATED};
	static const uint64_t key[2] = {0};
	struct buf b = {0};
	uint64_t hash;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		buf_str(&b, text_of(x, s, e, parts[i]));
		buf_byte(&b, '\0');
	}
	hash = siphash24(key, b.p, b.n);
	buf_free(&b);
	return hash;
}

static void
take_open(struct check_run *c, struct charisma_check *x, struct source *s,
	  const struct charisma_event *e)
{
	const char *flags = text_of(x, s, e, A_FLAGS);
	unsigned reads = has_flag(flags, "READ"), writes = has_flag(flags, "WRITE"),
		 both = has_flag(flags, "RW");
	bool trunc = has_flag(flags, "TRUNC");
	struct map_entry *f = map_find(&x->open, e->owner, e->a[A_FD], 0), *file, *shared;
	uint64_t name;

	if (reads + writes + both != 1 || has_unknown(flags))
		find(c, CHR_OPEN_MODE, e->at,
		     "open_flags %s: one of READ, RW and WRITE is expected", flags);
	if (((trunc || has_flag(flags, "APPEND")) && reads) || (trunc && e->a[A_FILE_SIZE]))
		find(c, CHR_OPEN_TRUNC, e->at, "open_flags %s with a file_size of %llu",
		     flags, (unsigned long long)e->a[A_FILE_SIZE]);
	if (f && !f->v[2])
		find_with(c, CHR_FD_TWICE, e->at, f->at, "descriptor %llu is open already",
			  (unsigned long long)e->a[A_FD]);
	f = f ? f : map_add(c, &x->open, e->owner, e->a[A_FD], 0, e->at);
	if (f) {
		f->v[0] = e->a[A_FILE_ID];
		f->v[1] = reads ? 1 : writes ? 2 : 3;
		f->v[2] = 0;
		f->v[3] = app_of(x, e->owner);
		f->at = e->at;
		shared = map_put(c, &x->shared, f->v[3], e->a[A_FD], 0, e->at);
		if (shared)
			shared->v[0] = e->owner;
	}
	file = map_find(&x->file, e->a[A_FILE_ID], 0, 0);
	if (file && file->v[3] == 1) {
		find_with(c, CHR_LINK, e->at, file->at, "file %llu is opened without links",
			  (unsigned long long)e->a[A_FILE_ID]);
		map_drop(&x->file, file);
		file = NULL;
	}
	name = name_number(x, s, e);
	if (file && file->v[2] && file->v[2] != name)
		find_with(c, CHR_FILE_NAME, e->at, file->at,
			  "file %llu had another name or creation date",
			  (unsigned long long)e->a[A_FILE_ID]);
	if (trunc && file)
		file->v[1] = 0;
	take_size(c, x, e, e->a[A_FILE_ID], e->a[A_FILE_SIZE]);
	file = map_find(&x->file, e->a[A_FILE_ID], 0, 0);
	if (file)
		file->v[2] = name;
}

/* Looks at a descriptor that is used. Returns its open file, or NULL. */
static struct map_entry *
use_descriptor(struct check_run *c, struct charisma_check *x,
	       const struct charisma_event *e)
{
	struct map_entry *f = opened(x, e);

	if (f && f->v[2] && e->kind == R_CLOSE)
		find_with(c, CHR_FD_CLOSE, e->at, f->at, "descriptor %llu is closed again",
			  (unsigned long long)e->a[A_FD]);
	else if (!f || f->v[2])
		find(c, CHR_FD_OPEN, e->at, "%s of descriptor %llu, which is not open",
		     events[e->kind], (unsigned long long)e->a[A_FD]);
	return f && !f->v[2] ? f : NULL;
}

static void
take_close(struct check_run *c, struct charisma_check *x, const struct charisma_event *e)
{
	struct map_entry *f = use_descriptor(c, x, e),
			 *busy = map_find(&x->busy, e->owner, e->a[A_FD], 0);

	if (busy && busy->v[0])
		find_with(c, CHR_CLOSE_ASYNC, e->at, busy->at,
			  "request %llu of descriptor %llu is open",
			  (unsigned long long)busy->v[1], (unsigned long long)e->a[A_FD]);
	if (busy)
		map_drop(&x->busy, busy);
	if (!f)
		return;
	take_size(c, x, e, f->v[0], e->a[A_FILE_SIZE]);
	f->v[2] = 1;
	f->at = e->at;
}

/* Looks at the operation of a request: asynchronous ones wait for their end. */
static void
take_operation(struct check_run *c, struct charisma_check *x, struct source *s,
	       const struct charisma_event *e)
{
	const char *operation = text_of(x, s, e, A_OPERATION);
	bool async = has_flag(operation, "ASYNCHRONOUS");
	uint64_t id = e->a[A_ASYNC], app = app_of(x, e->owner);
	struct map_entry *open;

	if (has_unknown(operation))
		find(c, CHR_OP_BITS, e->at, "operation_type %s has unknown bits",
		     operation);
	if (!async && id)
		find(c, CHR_ASYNC_SYNC, e->at,
		     "a synchronous request has the async_id %llu", (unsigned long long)id);
	if (!has_flag(operation, "CLIENTREQUEST")) {
		if (!e->has[A_APP])
			find(c, CHR_RW_APP, e->at,
			     "an application's request names no application");
		else if (app && app != e->a[A_APP] + 1)
			find(
			    c, CHR_RW_APP, e->at,
			    "the request is of application %llu, its client of another one",
			    (unsigned long long)e->a[A_APP]);
	}
	if (!async)
		return;
	open = map_find(&x->async, id, 0, 0);
	if (open && open->at.n != e->at.n)
		find_with(c, CHR_ASYNC_AGAIN, e->at, open->at,
			  "the async_id %llu is that of an open request",
			  (unsigned long long)id);
	open = open ? open : map_add(c, &x->async, id, 0, 0, e->at);
	if (open) {
		open->v[0] = e->owner;
		open->v[1] = (uint64_t)e->rec->time;
		open->v[2] = e->a[A_FD];
		open->at = e->at;
	}
	open = map_put(c, &x->busy, e->owner, e->a[A_FD], 0, e->at);
	if (open) {
		open->v[0]++;
		open->v[1] = id;
		open->at = e->at;
	}
}

static void
take_request(struct check_run *c, struct charisma_check *x, struct source *s,
	     const struct charisma_event *e)
{
	const char *request = text_of(x, s, e, A_REQUEST), *of = strchr(request, '/');
	const struct rec *r = e->rec;
	struct map_entry *f, *file;
	uint64_t end = r->addr + r->size;

	if (!strcmp(request, "0/0"))
		find(c, CHR_RW_NONE, e->at, "an application's request names no client");
	else if (of && strcmp(of, "/1") != 0 &&
		 has_flag(text_of(x, s, e, A_OPERATION), "CLIENTREQUEST"))
		find(c, CHR_RW_ONE, e->at, "a client's request names several clients");
	take_operation(c, x, s, e);
	f = use_descriptor(c, x, e);
	if (r->addr > INT64_MAX || r->size > INT64_MAX || end > INT64_MAX)
		find(c, CHR_OFFSET, e->at, "offset %llu and IO_size %llu exceed 63 bits",
		     (unsigned long long)r->addr, (unsigned long long)r->size);
	if (!f)
		return;
	if (f->v[1] == (e->kind == R_READ ? 2 : 1))
		find_with(c, CHR_MODE_READ, e->at, f->at,
			  "%s of a descriptor that was opened with %s", events[e->kind],
			  e->kind == R_READ ? "WRITE" : "READ");
	file = map_find(&x->file, f->v[0], 0, 0);
	if (!file || !(r->has & HAS_ADDR) || end > INT64_MAX)
		return;
	if (e->kind == R_READ && file->v[1] && end > file->v[0])
		find_with(c, CHR_READ_END, e->at, file->at,
			  "the read ends at %llu, the file at %llu",
			  (unsigned long long)end, (unsigned long long)file->v[0]);
	if (e->kind == R_WRITE && file->v[1] && end > file->v[0])
		file->v[0] = end;
}

static void
take_end(struct check_run *c, struct charisma_check *x, const struct charisma_event *e)
{
	struct map_entry *open = map_find(&x->async, e->a[A_ASYNC], 0, 0), *busy;

	if (!open) {
		find(c, CHR_ASYNC_END, e->at, "no request with the async_id %llu is open",
		     (unsigned long long)e->a[A_ASYNC]);
		return;
	}
	if (open->v[0] != e->owner && app_of(x, open->v[0]) != app_of(x, e->owner))
		find_with(c, CHR_ASYNC_END, e->at, open->at,
			  "the request with the async_id %llu is of another client",
			  (unsigned long long)e->a[A_ASYNC]);
	if (e->rec->time < (int64_t)open->v[1])
		find_with(c, CHR_ASYNC_TIME, e->at, open->at,
			  "the request ends before it starts");
	busy = map_find(&x->busy, open->v[0], open->v[2], 0);
	if (busy && busy->v[0])
		busy->v[0]--;
	map_drop(&x->async, open);
}

static void
take_resize(struct check_run *c, struct charisma_check *x, const struct charisma_event *e)
{
	uint64_t was = e->a[A_ORIGINAL], now = e->a[A_NEW];
	struct map_entry *file = map_put(c, &x->file, e->a[A_FILE_ID], 0, 0, e->at);

	if (e->kind == R_TRUNCATE ? now > was : now < was)
		find(c, CHR_TRUNC, e->at, "%s from %llu to %llu bytes", events[e->kind],
		     (unsigned long long)was, (unsigned long long)now);
	if (!file)
		return;
	if (file->v[1] && file->v[0] != was)
		find_with(c, CHR_TRUNC_ORIG, e->at, file->at,
			  "original_size %llu, while the file has %llu bytes",
			  (unsigned long long)was, (unsigned long long)file->v[0]);
	file->v[0] = now;
	file->v[1] = 1;
	file->at = e->at;
}

static void
take_link(struct check_run *c, struct charisma_check *x, const struct charisma_event *e)
{
	uint64_t links = e->a[A_LINKS];
	struct map_entry *file = map_put(c, &x->file, e->a[A_FILE_ID], 0, 0, e->at);

	if (!file)
		return;
	if (file->v[3] &&
	    links + 1 != (e->kind == R_LINK ? file->v[3] + 1 : file->v[3] - 1))
		find_with(c, CHR_LINK, e->at, file->at, "%s leaves %llu links after %llu",
			  events[e->kind], (unsigned long long)links,
			  (unsigned long long)file->v[3] - 1);
	file->v[3] = links + 1;
	file->at = e->at;
}

/* Looks at the names of a record. */
static void
take_names(struct check_run *c, struct charisma_check *x, struct source *s,
	   const struct charisma_event *e)
{
	static const enum record_arg names[] = {A_NAME, A_PATH};

	for (size_t i = 0; i < 2; i++) {
		const char *name = text_of(x, s, e, names[i]);

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
	case R_OPEN: take_open(c, x, s, e); break;
	case R_CLOSE: take_close(c, x, e); break;
	case R_READ:
	case R_WRITE: take_request(c, x, s, e); break;
	case R_ASYNC_END: take_end(c, x, e); break;
	case R_TRUNCATE:
	case R_EXTEND: take_resize(c, x, e); break;
	case R_LINK:
	case R_UNLINK: take_link(c, x, e); break;
	case R_FCNTL: use_descriptor(c, x, e); break;
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
		loc = text_of(x, s, &e, A_LOC);
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
