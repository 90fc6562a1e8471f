/*
 * ovni_find.c - which streams a directory holds, in every layout there has been.
 *
 *	loom.NAME/proc.PID/thread.TID		until 1.0.0; before, without a header
 *	loom.NAME/proc.PID/thread.TID.obs	until 1.10.0; from 1.5.0 on with
 *thread.TID.json any directory/stream.obs + stream.json	since 1.11.0
 *
 * The emulator writes thread.prv and others into the same tree: an old stream is `thread.`
 * and digits only.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ovni_trace.h"

/* What `takes` looks at before it says no: a directory of something else may be huge. */
#define LOOK_MOST 20000
/* Deeper than any path that the system takes. */
#define DEPTH_MOST 256

enum file {
	OTHER,
	OLD,	  /* thread.TID */
	OBS,	  /* thread.TID.obs */
	OBS_JSON, /* thread.TID.json */
	STREAM,	  /* stream.obs */
	STREAM_JSON,
};

static enum file
file_kind(const char *name)
{
	size_t n;

	if (!strcmp(name, "stream.obs"))
		return STREAM;
	if (!strcmp(name, "stream.json"))
		return STREAM_JSON;
	if (strncmp(name, "thread.", 7) != 0)
		return OTHER;
	n = strspn(name + 7, "0123456789");
	if (!n)
		return OTHER;
	name += 7 + n;
	return !*name			? OLD
	       : !strcmp(name, ".obs")	? OBS
	       : !strcmp(name, ".json") ? OBS_JSON
					: OTHER;
}

/* A walk over a tree without recursion; each directory once, so links cannot loop. */
struct walk {
	DIR *dir[DEPTH_MOST];
	size_t len[DEPTH_MOST]; /* of the path of each */
	unsigned depth;
	char path[4096];
	struct strtab seen; /* device and inode */
	size_t looked;
};

static bool
enter(struct walk *w, size_t len)
{
	struct stat st;
	uint64_t id[2];
	uint32_t n = w->seen.n;

	if (w->depth == DEPTH_MOST || stat(w->path, &st) < 0)
		return false;
	id[0] = (uint64_t)st.st_dev;
	id[1] = (uint64_t)st.st_ino;
	if (strtab_id(&w->seen, id, sizeof id) < n)
		return false;
	w->dir[w->depth] = opendir(w->path);
	if (!w->dir[w->depth])
		return false;
	w->len[w->depth++] = len;
	return true;
}

/* The next regular file that has to do with ovni; its path is in w->path. */
static enum file
next_file(struct walk *w)
{
	while (w->depth) {
		size_t len = w->len[w->depth - 1], n;
		struct dirent *e = readdir(w->dir[w->depth - 1]);
		struct stat st;

		w->path[len] = '\0';
		if (!e) {
			closedir(w->dir[--w->depth]);
			continue;
		}
		w->looked++;
		n = strlen(e->d_name);
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    len + n + 2 > sizeof w->path)
			continue;
		w->path[len] = '/';
		memcpy(w->path + len + 1, e->d_name, n + 1);
		if (stat(w->path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode)) {
			if (!enter(w, len + 1 + n) && errno == EACCES)
				return OTHER;
		} else if (file_kind(e->d_name) != OTHER)
			return file_kind(e->d_name);
	}
	w->path[0] = '\0';
	return OTHER;
}

static bool
walk_start(struct walk *w, const char *path)
{
	size_t n = strlen(path);

	memset(w, 0, sizeof *w);
	if (n >= sizeof w->path)
		return false;
	memcpy(w->path, path, n + 1);
	while (n > 1 && w->path[n - 1] == '/')
		w->path[--n] = '\0';
	errno = 0;
	return enter(w, n);
}

static void
walk_end(struct walk *w)
{
	while (w->depth)
		closedir(w->dir[--w->depth]);
	strtab_free(&w->seen);
}

bool
ovni_takes(const char *path)
{
	struct walk *w;
	struct stat st;
	bool found = false;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return false;
	w = xmalloc(sizeof *w);
	if (walk_start(w, path)) {
		do {
			enum file f = next_file(w);

			found = f != OTHER;
		} while (!found && w->path[0] && w->looked < LOOK_MOST);
	}
	walk_end(w);
	free(w);
	return found;
}

static const char *
keep(struct ovni *o, const char *s)
{
	return arena_str(&o->mem, s, strlen(s));
}

static struct ovni_stream *
add(struct source *s, const char *root, const char *path, const char *shown)
{
	struct ovni *o = s->state;
	struct ovni_stream *st;

	o->st = grow(o->st, &o->cap, o->n + 1, sizeof *o->st);
	st = &o->st[o->n++];
	st->root = root;
	st->path = keep(o, path);
	st->shown = keep(o, shown);
	st->fd = -1;
	return st;
}

/* "NAME" of the last component PREFIX.NAME of a path; NULL when there is none. */
static const char *
component(struct ovni *o, const char *path, const char *prefix)
{
	const char *found = NULL;
	size_t n = strlen(prefix), len = 0;

	for (const char *p = path; *p;) {
		size_t k = strcspn(p, "/");

		if (k > n && !strncmp(p, prefix, n)) {
			found = p + n;
			len = k - n;
		}
		p += k;
		p += *p == '/';
	}
	return found ? arena_str(&o->mem, found, len) : NULL;
}

/* Whose a stream is, as its path tells; and where its metadata lies. */
static void
identify(struct ovni *o, struct ovni_stream *st, enum file kind)
{
	char full[8192], real[4096], *slash;
	size_t n;

	/* Only a relative path may hide its upper directories. */
	if (*st->path == '/' || !realpath(st->path, real) || strlen(real) >= sizeof real)
		snprintf(real, sizeof real, "%s", st->path);
	st->loom = component(o, real, "loom.");
	st->pid = component(o, real, "proc.");
	st->tid = component(o, real, "thread.");
	if (st->tid)
		st->tid = arena_str(&o->mem, st->tid, strspn(st->tid, "0123456789"));
	if (st->tid && !*st->tid)
		st->tid = NULL;
	st->obs = kind == OBS || kind == STREAM;
	n = strlen(st->path);
	slash = strrchr(st->path, '/');
	if (kind == STREAM || (n > 4 && !strcmp(st->path + n - 4, ".obs"))) {
		snprintf(full, sizeof full, "%.*s.json", (int)(n - 4), st->path);
		/* A stream of any other name may have been copied without it. */
		if (kind != OTHER || access(full, F_OK) == 0)
			st->json = keep(o, full);
	}
	if (kind == OLD || kind == OBS) {
		snprintf(full, sizeof full, "%.*smetadata.json",
			 slash ? (int)(slash - st->path + 1) : 0, st->path);
		st->proc_json = keep(o, full);
	}
}

/* Metadata without its stream: a run that left one and not the other. */
static void
check_orphan(struct source *s, const char *json)
{
	const char *name = s->name;
	size_t n = strlen(json);
	char obs[4200];
	struct stat st;

	snprintf(obs, sizeof obs, "%.*s.obs", (int)(n - 5), json);
	if (stat(obs, &st) == 0)
		return;
	s->name = obs;
	source_trouble(s, "the stream is missing; its metadata is there");
	s->name = name;
}

void
ovni_find(struct source *s, const char *path)
{
	struct ovni *o = s->state;
	struct walk *w;
	struct stat sb;
	size_t root;

	if (stat(path, &sb) < 0 || !S_ISDIR(sb.st_mode)) {
		const char *slash = strrchr(path, '/');

		identify(o, add(s, path, path, path), file_kind(slash ? slash + 1 : path));
		return;
	}
	w = xmalloc(sizeof *w);
	if (!walk_start(w, path))
		source_trouble(s, "%s", strerror(errno));
	root = strlen(w->path);
	root += root && w->path[root - 1] != '/';
	for (;;) {
		enum file kind = next_file(w);

		if (!w->path[0])
			break;
		if (kind == OTHER) {
			const char *name = s->name;

			s->name = w->path;
			source_trouble(s, "%s", strerror(EACCES));
			s->name = name;
		} else if (kind == STREAM_JSON || kind == OBS_JSON)
			check_orphan(s, w->path);
		else {
			struct ovni_stream *st = add(s, path, w->path, w->path + root);
			size_t n = strlen(st->shown);

			identify(o, st, kind);
			/* ovnidump shows the directory of a stream.obs. */
			if (kind == STREAM)
				st->shown =
				    n > 11 ? arena_str(&o->mem, st->shown, n - 11) : ".";
		}
	}
	walk_end(w);
	free(w);
}

static int
by_path(const void *a, const void *b)
{
	const struct ovni_stream *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void
ovni_sort(struct ovni *o)
{
	if (o->n > 1)
		qsort(o->st, o->n, sizeof *o->st, by_path);
}
