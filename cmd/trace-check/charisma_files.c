/* charisma_files.c - the rules of CHARISMA about descriptors, files and requests: see check_charisma.h. */
#include <string.h>

#include "base/hash.h"
#include "trace-check/check_charisma.h"

const char *const charisma_events[] = {
    "header", "app-load",  "app-exit", "join",	 "leave", "open",   "close", "read",
    "write",  "async-end", "truncate", "extend", "link",  "unlink", "fcntl", NULL};

bool
charisma_flag(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; p && (p = strstr(p, word)); p += n)
		if ((p == list || p[-1] == ',') && (p[n] == '\0' || p[n] == ','))
			return true;
	return false;
}

bool
charisma_unknown(const char *list)
{
	return strstr(list, "0x") || (*list >= '1' && *list <= '9');
}

const char *
charisma_text(struct charisma_check *x, const struct source *s,
	      const struct charisma_event *e, enum record_arg arg)
{
	const char *text = argument_text(&x->arguments, s, e->rec, arg);

	return text ? text : "";
}

uint64_t
charisma_app(const struct charisma_check *x, uint64_t owner)
{
	const struct map_entry *client;

	if (owner & APP)
		return (owner & ~APP) + 1;
	client = map_find(&x->client, owner, 0, 0);
	return client ? client->v[0] : 0;
}

/* Returns the open file of a descriptor: of the owner, of its application, or of another client of it; or NULL. */
static struct map_entry *
opened(const struct charisma_check *x, const struct charisma_event *e)
{
	uint64_t app = charisma_app(x, e->owner), fd = e->a[A_FD];
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
		buf_str(&b, charisma_text(x, s, e, parts[i]));
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
	const char *flags = charisma_text(x, s, e, A_FLAGS);
	unsigned reads = charisma_flag(flags, "READ"),
		 writes = charisma_flag(flags, "WRITE"), both = charisma_flag(flags, "RW");
	bool trunc = charisma_flag(flags, "TRUNC");
	struct map_entry *f = map_find(&x->open, e->owner, e->a[A_FD], 0), *file, *shared;
	uint64_t name;

	if (reads + writes + both != 1 || charisma_unknown(flags))
		find(c, CHR_OPEN_MODE, e->at,
		     "open_flags %s: one of READ, RW and WRITE is expected", flags);
	if (((trunc || charisma_flag(flags, "APPEND")) && reads) ||
	    (trunc && e->a[A_FILE_SIZE]))
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
		f->v[3] = charisma_app(x, e->owner);
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
		     charisma_events[e->kind], (unsigned long long)e->a[A_FD]);
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
	const char *operation = charisma_text(x, s, e, A_OPERATION);
	bool async = charisma_flag(operation, "ASYNCHRONOUS");
	uint64_t id = e->a[A_ASYNC], app = charisma_app(x, e->owner);
	struct map_entry *open;

	if (charisma_unknown(operation))
		find(c, CHR_OP_BITS, e->at, "operation_type %s has unknown bits",
		     operation);
	if (!async && id)
		find(c, CHR_ASYNC_SYNC, e->at,
		     "a synchronous request has the async_id %llu", (unsigned long long)id);
	if (!charisma_flag(operation, "CLIENTREQUEST")) {
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
	const char *request = charisma_text(x, s, e, A_REQUEST), *of = strchr(request, '/');
	const struct rec *r = e->rec;
	struct map_entry *f, *file;
	uint64_t end = r->addr + r->size;

	if (!strcmp(request, "0/0"))
		find(c, CHR_RW_NONE, e->at, "an application's request names no client");
	else if (of && strcmp(of, "/1") != 0 &&
		 charisma_flag(charisma_text(x, s, e, A_OPERATION), "CLIENTREQUEST"))
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
			  "%s of a descriptor that was opened with %s",
			  charisma_events[e->kind], e->kind == R_READ ? "WRITE" : "READ");
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
	if (open->v[0] != e->owner &&
	    charisma_app(x, open->v[0]) != charisma_app(x, e->owner))
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
		find(c, CHR_TRUNC, e->at, "%s from %llu to %llu bytes",
		     charisma_events[e->kind], (unsigned long long)was,
		     (unsigned long long)now);
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
			  charisma_events[e->kind], (unsigned long long)links,
			  (unsigned long long)file->v[3] - 1);
	file->v[3] = links + 1;
	file->at = e->at;
}

void
charisma_file(struct check_run *c, struct charisma_check *x, struct source *s,
	      const struct charisma_event *e)
{
	switch (e->kind) {
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
	default: break;
	}
}
