/* ovni_meta.c - what lies beside the streams: JSON files and clock-offsets.txt. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "ovni/ovni_trace.h"

#define OFFSETS_NAME "/clock-offsets.txt"
#define OFFSETS_MOST (16u << 20) /* bytes of one: 100,000 nodes */

/* A small file whole. NULL with errno set. */
static char *
slurp(const char *path, size_t most, size_t *n)
{
	struct buf b = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return NULL;
	do {
		got = read(fd, buf_room(&b, 8192), 8192);
		b.n += got > 0 ? (size_t)got : 0;
	} while ((got > 0 || (got < 0 && errno == EINTR)) && b.n <= most);
	if (got < 0) {
		int err = errno;

		buf_free(&b);
		close(fd);
		errno = err;
		return NULL;
	}
	close(fd);
	*n = b.n;
	*buf_room(&b, 1) = '\0';
	return (char *)b.p;
}

struct file {
	struct source *s;
	struct ovni *o;
	struct ovni_stream *st;
	ovni_meta_fn *fn;
	void *arg;
	char key[3072]; /* "loom/pid/tid:" and the path */
	size_t prefix;
	const char *version; /* what is wrong with it, or NULL */
};

static void
on_leaf(void *arg, const char *path, enum json_kind kind, const char *value, size_t n)
{
	struct file *f = arg;
	struct ovni_stream *st = f->st;
	const char **id = NULL;

	if (!strcmp(path, "version"))
		f->version = kind == JSON_NUMBER && strspn(value, "0123456789") == n
				 ? NULL
				 : "the version is not a whole number";
	if (!strcmp(path, "ovni.loom"))
		id = &st->loom;
	else if (!strcmp(path, "ovni.pid"))
		id = &st->pid;
	else if (!strcmp(path, "ovni.tid"))
		id = &st->tid;
	if (id && n && n < 1024 && kind == (id == &st->loom ? JSON_STRING : JSON_NUMBER))
		*id = arena_str(&f->o->mem, value, strlen(value));
	if (!f->prefix) /* the first of two times */
		return;
	snprintf(f->key + f->prefix, sizeof f->key - f->prefix, "%s", path);
	f->fn(f->arg, f->key, value);
}

static void
on_name(void *arg, const char *path, enum json_kind kind, const char *value, size_t n)
{
	struct file *f = arg;

	if (kind == JSON_STRING)
		ovni_names_meta(f->s, f->st, path, value, n);
}

/* "LOOM/PID:" of a process, "LOOM/PID/TID:" of a thread. */
static void
set_prefix(struct file *f, bool process)
{
	const struct ovni_stream *st = f->st;

	f->prefix = (size_t)snprintf(f->key, sizeof f->key,
				     "%.1000s/%.200s%s%.200s:", st->loom ? st->loom : "-",
				     st->pid ? st->pid : "-", process ? "" : "/",
				     process   ? ""
				     : st->tid ? st->tid
					       : "-");
}

static void
read_json(struct file *f, const char *path, bool process)
{
	struct source *s = f->s;
	bool again = f->o->meta_read, object = false;
	const char *why;
	size_t n, at;
	char *text = slurp(path, JSON_MOST, &n);

	if (!text && errno != ENOENT) {
		if (!again)
			source_note_in(s, path, 0, "%s", strerror(errno));
		return;
	}
	if (!text) {
		/* A run that crashed has none: the events are as good. */
		if (!again)
			warn("%s: %s; its events are read all the same", path,
			     strerror(errno));
		return;
	}
	f->version = "the version is missing";
	/* Twice: it says whose it is, and under that name goes what it says. */
	f->prefix = 0;
	why = json_read(text, n, on_leaf, f, &at, &object);
	if (!again) {
		if (why)
			source_note_in(s, path, at, "not JSON: %s", why);
		else if (!object)
			source_note_in(s, path, 0, "not an object");
		else if (f->version)
			source_note_in(s, path, 0, "%s", f->version);
	}
	/* Names of marks and counters, which few have. */
	if (!again && (strstr(text, "mark") || strstr(text, "hwc")))
		json_read(text, n, on_name, f, &at, &object);
	if (f->fn) {
		set_prefix(f, process);
		json_read(text, n, on_leaf, f, &at, &object);
	}
	free(text);
}

void
ovni_load_meta(struct source *s, ovni_meta_fn *fn, void *arg)
{
	struct ovni *o = s->state;
	const char *process = "";

	for (size_t i = 0; i < o->n; i++) {
		struct ovni_stream *st = &o->st[i];
		struct file f = {.s = s, .o = o, .st = st, .fn = fn, .arg = arg};

		if (st->proc_json && strcmp(process, st->proc_json) != 0) {
			process = st->proc_json;
			read_json(&f, process, true);
		}
		if (st->json && (!st->proc_json || access(st->json, F_OK) == 0))
			read_json(&f, st->json, false);
	}
	o->meta_read = true;
}

/* One row: rank, host, median, mean, deviation. False where it is no row. */
static bool
row(char *line, char **host, int64_t *median)
{
	char *save, *end, *rank = strtok_r(line, " \t\r", &save), *m;

	*host = rank ? strtok_r(NULL, " \t\r", &save) : NULL;
	m = *host ? strtok_r(NULL, " \t\r", &save) : NULL;
	if (!m)
		return false;
	errno = 0;
	*median = strtoll(m, &end, 10);
	/* A part of a nanosecond is dropped. */
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	return end != m && !*end && !errno && *median < INT64_MAX / 4 &&
	       *median > -INT64_MAX / 4;
}

static void
apply(struct ovni *o, const char *root, const char *host, int64_t median, bool *known)
{
	size_t n = strlen(host);

	for (size_t i = 0; i < o->n; i++) {
		const char *loom = o->st[i].loom;

		if (loom && o->st[i].root == root && strcspn(loom, ".") == n &&
		    !strncmp(loom, host, n)) {
			o->st[i].offset = median;
			known[i] = true;
		}
	}
}

static void
read_offsets(struct source *s, const char *path, char *text, size_t n, const char *root)
{
	struct ovni *o = s->state;
	bool *known = xcalloc(o->n, sizeof *known);
	const char *last = "";
	uint64_t at = 0;

	for (char *p = text, *next; p < text + n; at += (uint64_t)(next - p), p = next) {
		char *nl = memchr(p, '\n', (size_t)(text + n - p)), *host;
		int64_t median;

		next = nl ? nl + 1 : text + n;
		*(nl ? nl : text + n) = '\0';
		if (p == text || !p[strspn(p, " \t\r")]) /* the heading; an empty line */
			continue;
		if (row(p, &host, &median))
			apply(o, root, host, median, known);
		else
			source_note_in(s, path, at, "not a row of clock offsets");
	}
	for (size_t i = 0; i < o->n; i++) {
		const char *loom = o->st[i].loom;

		if (!known[i] && loom && o->st[i].root == root && strcmp(loom, last) != 0) {
			source_note_in(s, path, 0,
				       "no row for loom %.100s: its clocks stay", loom);
			last = loom;
		}
	}
	free(known);
}

void
ovni_load_offsets(struct source *s, const char *root)
{
	char *real = realpath(root, NULL), *path, *base;
	size_t n;

	if (!real) {
		/* What is not there has been said; "-" is none. */
		if (errno != ENOENT && errno != ENOTDIR)
			source_note_in(s, root, 0, "no clock offsets are looked for: %s",
				       strerror(errno));
		return;
	}
	path = xmalloc(strlen(real) + sizeof OFFSETS_NAME);
	strcpy(path, real);
	free(real);
	/* The trace is above what belongs to one loom, process or thread. */
	for (;;) {
		size_t len = strlen(path);
		char *text;

		memcpy(path + len, OFFSETS_NAME, sizeof OFFSETS_NAME);
		text = slurp(path, OFFSETS_MOST, &n);
		if (text && n <= OFFSETS_MOST) {
			read_offsets(s, path, text, n, root);
			free(text);
			break;
		}
		if (text || (errno != ENOENT && errno != ENOTDIR))
			source_note_in(s, path, 0, "%s",
				       text ? "longer than is read" : strerror(errno));
		free(text);
		path[len] = '\0';
		base = strrchr(path, '/');
		if (!base || (strncmp(base, "/loom.", 6) && strncmp(base, "/proc.", 6) &&
			      strncmp(base, "/thread.", 8) && strncmp(base, "/stream.", 8)))
			break;
		*base = '\0';
	}
	free(path);
}
