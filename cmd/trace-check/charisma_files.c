/* charisma_files.c - the rules of CHARISMA about descriptors, files and requests: see check_charisma.h. */
#include <string.h>

#include "base/hash.h"
#include "trace-check/check_charisma.h"

#define RECORD_TEXT(kind, name, take) name,
const char *const charisma_events[] = {CHARISMA_RECORDS(RECORD_TEXT) NULL};

uint64_t
chr_app(const struct check_run *c, uint64_t owner)
{
	const struct map_entry *client;

	if (owner & APP)
		return (owner & ~APP) + 1;
	client = map_find(c, CLIENTS, owner);
	return client ? client->v[CLIENT_APP] : 0;
}

/* Returns true if the list of words with commas between has the word. */
static bool
has_flag(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; (p = strstr(p, word)); p += n)
		if ((p == list || p[-1] == ',') && (p[n] == '\0' || p[n] == ','))
			return true;
	return false;
}

/* Returns true if a list of flags has a number, which stands for unknown bits. */
static bool
has_number(const char *list)
{
	return strstr(list, "0x") || (*list >= '1' && *list <= '9');
}

/* Returns the open file of a descriptor: of the owner, of its application, or of another client of it; or NULL. */
static struct map_entry *
opened(struct check_run *c, const struct charisma_event *e)
{
	uint64_t app = chr_app(c, e->owner), fd = e->a[A_FD];
	struct map_entry *f = map_find(c, OPENS, e->owner, fd), *by_app, *by_other;

	if ((f && !f->v[CLOSED]) || !app)
		return f;
	by_app = map_find(c, OPENS, (app - 1) | APP, fd);
	if (by_app && !by_app->v[CLOSED])
		return by_app;
	by_other = map_find(c, LATEST, app, fd);
	if (by_other)
		by_other = map_find(c, OPENS, by_other->v[OPENER], fd);
	if (by_other && !by_other->v[CLOSED])
		return by_other;
	return f ? f : by_app;
}

/* Sets the size of a file. */
static void
set_size(struct check_run *c, struct map_entry *file, uint64_t size)
{
	file->v[SIZE] = size;
	file->v[SIZED] = 1;
	file->at = c->here;
}

/* Looks at a size of a file, and keeps it. */
static struct map_entry *
take_size(struct check_run *c, uint64_t id, uint64_t size)
{
	struct map_entry *file = map_put(c, FILES, id);

	if (file->v[SIZED] && size < file->v[SIZE])
		find_with(c, CHR_SIZE, file->at,
			  "file " U64 " has " U64 " bytes, and had " U64 " before", id,
			  size, file->v[SIZE]);
	set_size(c, file, size);
	return file;
}

/* Returns a number for what names a file: its name, path and date. */
static uint64_t
name_number(struct check_run *c)
{
	static const unsigned parts[] = {A_NAME, A_PATH, A_CREATED};
	static const uint64_t key[2] = {0};
	struct buf b = {0};
	uint64_t hash;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		buf_str(&b, argument_text(c, parts[i]));
		buf_byte(&b, '\0');
	}
	hash = siphash24(key, b.p, b.n);
	buf_free(&b);
	return hash;
}

/* Opens a descriptor in a mode: 1 = READ, 2 = WRITE, 3 = both. */
static void
open_descriptor(struct check_run *c, const struct charisma_event *e, unsigned mode)
{
	struct map_entry *f = map_find(c, OPENS, e->owner, e->a[A_FD]);
	uint64_t app = chr_app(c, e->owner);

	if (f && !f->v[CLOSED])
		find_with(c, CHR_FD_TWICE, f->at, "descriptor " U64 " is open already",
			  e->a[A_FD]);
	f = map_put(c, OPENS, e->owner, e->a[A_FD]);
	if (!f->live)
		return;
	f->v[OPEN_FILE] = e->a[A_FILE];
	f->v[MODE] = mode;
	f->v[CLOSED] = 0;
	f->v[OPEN_APP] = app;
	f->at = c->here;
	map_put(c, LATEST, app, e->a[A_FD])->v[OPENER] = e->owner;
}

void
chr_open(struct check_run *c, const struct charisma_event *e)
{
	const char *flags = argument_text(c, A_FLAGS);
	bool reads = has_flag(flags, "READ"), writes = has_flag(flags, "WRITE"),
	     trunc = has_flag(flags, "TRUNC");
	uint64_t id = e->a[A_FILE], size = e->a[A_SIZE], name;
	struct map_entry *file = map_find(c, FILES, id);

	if (reads + writes + has_flag(flags, "RW") != 1 || has_number(flags))
		find(c, CHR_OPEN_MODE,
		     "open_flags %s: one of READ, RW and WRITE is expected", flags);
	if (((trunc || has_flag(flags, "APPEND")) && reads) || (trunc && size))
		find(c, CHR_OPEN_TRUNC, "open_flags %s with a file_size of " U64, flags,
		     size);
	open_descriptor(c, e, reads ? 1 : writes ? 2 : 3);
	if (file && file->v[LINKS] == 1) {
		find_with(c, CHR_LINK, file->at, "file " U64 " is opened without links",
			  id);
		map_drop(c, FILES, file);
		file = NULL;
	}
	name = name_number(c);
	if (file && file->v[NAME] && file->v[NAME] != name)
		find_with(c, CHR_FILE_NAME, file->at,
			  "file " U64 " had another name or creation date", id);
	if (trunc && file)
		file->v[SIZED] = 0;
	take_size(c, id, size)->v[NAME] = name;
}

/* Looks at a descriptor that is used. Returns its open file, or NULL. */
static struct map_entry *
use_descriptor(struct check_run *c, const struct charisma_event *e)
{
	struct map_entry *f = opened(c, e);

	if (f && !f->v[CLOSED])
		return f;
	if (f && e->kind == R_CLOSE)
		find_with(c, CHR_FD_CLOSE, f->at, "descriptor " U64 " is closed again",
			  e->a[A_FD]);
	else
		find(c, CHR_FD_OPEN, "%s of descriptor " U64 ", which is not open",
		     charisma_events[e->kind], e->a[A_FD]);
	return NULL;
}

void
chr_fcntl(struct check_run *c, const struct charisma_event *e)
{
	use_descriptor(c, e);
}

void
chr_close(struct check_run *c, const struct charisma_event *e)
{
	struct map_entry *f = use_descriptor(c, e),
			 *busy = map_find(c, BUSY, e->owner, e->a[A_FD]);

	if (busy && busy->v[COUNT])
		find_with(c, CHR_CLOSE_ASYNC, busy->at,
			  "request " U64 " of descriptor " U64 " is open", busy->v[LAST],
			  e->a[A_FD]);
	if (busy)
		map_drop(c, BUSY, busy);
	if (!f)
		return;
	take_size(c, f->v[OPEN_FILE], e->a[A_SIZE]);
	f->v[CLOSED] = 1;
	f->at = c->here;
}

/* Begins an asynchronous request, which waits for its end. */
static void
begin_async(struct check_run *c, const struct charisma_event *e)
{
	uint64_t id = e->a[A_ASYNC];
	struct map_entry *open = map_find(c, ASYNCS, id);

	if (open && open->at.n != c->here.n)
		find_with(c, CHR_ASYNC_AGAIN, open->at,
			  "the async_id " U64 " is that of an open request", id);
	open = map_put(c, ASYNCS, id);
	open->v[ASYNC_OWNER] = e->owner;
	open->v[START] = (uint64_t)e->rec->time;
	open->v[ASYNC_FD] = e->a[A_FD];
	open->at = c->here;
	open = map_put(c, BUSY, e->owner, e->a[A_FD]);
	open->v[COUNT]++;
	open->v[LAST] = id;
	open->at = c->here;
}

/* Looks at the operation and the clients of a request. */
static void
check_operation(struct check_run *c, const struct charisma_event *e)
{
	uint64_t id = e->a[A_ASYNC], app = chr_app(c, e->owner);
	const char *text = argument_text(c, A_REQUEST), *of = strchr(text, '/');
	bool none = !strcmp(text, "0/0"), several = of && strcmp(of, "/1") != 0, by_client,
	     async;

	text = argument_text(c, A_OPERATION);
	by_client = has_flag(text, "CLIENTREQUEST");
	async = has_flag(text, "ASYNCHRONOUS");
	if (none)
		find(c, CHR_RW_NONE, "an application's request names no client");
	else if (several && by_client)
		find(c, CHR_RW_ONE, "a client's request names several clients");
	if (has_number(text))
		find(c, CHR_OP_BITS, "operation_type %s has unknown bits", text);
	if (!async && id)
		find(c, CHR_ASYNC_SYNC, "a synchronous request has the async_id " U64, id);
	if (!by_client && !e->has[A_APP])
		find(c, CHR_RW_APP, "an application's request names no application");
	else if (!by_client && app && app != e->a[A_APP] + 1)
		find(c, CHR_RW_APP,
		     "the request is of application " U64 ", its client of another one",
		     e->a[A_APP]);
	if (async)
		begin_async(c, e);
}

void
chr_request(struct check_run *c, const struct charisma_event *e)
{
	bool read = e->kind == R_READ;
	const struct rec *r = e->rec;
	struct map_entry *f, *file;
	uint64_t end = r->addr + r->size;

	check_operation(c, e);
	f = use_descriptor(c, e);
	if (r->addr > INT64_MAX || r->size > INT64_MAX || end > INT64_MAX)
		find(c, CHR_OFFSET, "offset " U64 " and IO_size " U64 " exceed 63 bits",
		     r->addr, r->size);
	if (!f)
		return;
	if (f->v[MODE] == (read ? 2 : 1))
		find_with(c, CHR_MODE_READ, f->at,
			  "%s of a descriptor that was opened with %s",
			  charisma_events[e->kind], read ? "WRITE" : "READ");
	file = map_find(c, FILES, f->v[OPEN_FILE]);
	if (!file || !(r->has & HAS_ADDR) || !file->v[SIZED] || end <= file->v[SIZE] ||
	    end > INT64_MAX)
		return;
	if (read)
		find_with(c, CHR_READ_END, file->at,
			  "the read ends at " U64 ", the file at " U64, end, file->v[SIZE]);
	else
		file->v[SIZE] = end;
}

void
chr_async_end(struct check_run *c, const struct charisma_event *e)
{
	uint64_t id = e->a[A_ASYNC];
	struct map_entry *open = map_find(c, ASYNCS, id), *busy;

	if (!open) {
		find(c, CHR_ASYNC_END, "no request with the async_id " U64 " is open", id);
		return;
	}
	if (open->v[ASYNC_OWNER] != e->owner &&
	    chr_app(c, open->v[ASYNC_OWNER]) != chr_app(c, e->owner))
		find_with(c, CHR_ASYNC_END, open->at,
			  "the request with the async_id " U64 " is of another client", id);
	if (e->rec->time < (int64_t)open->v[START])
		find_with(c, CHR_ASYNC_TIME, open->at, "the request ends before it starts");
	busy = map_find(c, BUSY, open->v[ASYNC_OWNER], open->v[ASYNC_FD]);
	if (busy && busy->v[COUNT])
		busy->v[COUNT]--;
	map_drop(c, ASYNCS, open);
}

void
chr_resize(struct check_run *c, const struct charisma_event *e)
{
	uint64_t was = e->a[A_ORIGINAL], now = e->a[A_NEW];
	struct map_entry *file = map_put(c, FILES, e->a[A_FILE]);

	if (e->kind == R_TRUNCATE ? now > was : now < was)
		find(c, CHR_TRUNC, "%s from " U64 " to " U64 " bytes",
		     charisma_events[e->kind], was, now);
	if (file->v[SIZED] && file->v[SIZE] != was)
		find_with(c, CHR_TRUNC_ORIG, file->at,
			  "original_size " U64 ", while the file has " U64 " bytes", was,
			  file->v[SIZE]);
	set_size(c, file, now);
}

void
chr_link(struct check_run *c, const struct charisma_event *e)
{
	uint64_t links = e->a[A_LINKS] + 1;
	struct map_entry *file = map_put(c, FILES, e->a[A_FILE]);

	if (file->v[LINKS] && links != file->v[LINKS] + (e->kind == R_LINK ? 1 : -1ull))
		find_with(c, CHR_LINK, file->at, "%s leaves " U64 " links after " U64,
			  charisma_events[e->kind], links - 1, file->v[LINKS] - 1);
	file->v[LINKS] = links;
	file->at = c->here;
}
