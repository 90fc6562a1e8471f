/*
 * find.c - finds the streams in a directory, in every layout that ovni has used, and their locations.
 *
 *	loom.NAME/proc.PID/thread.TID		until 1.0.0; before, without a header
 *	loom.NAME/proc.PID/thread.TID.obs	until 1.10.0
 *			and, from 1.5.0 on, thread.TID.json
 *	any directory/stream.obs + stream.json	since 1.11.0
 *
 * The emulator writes files such as thread.prv into the same tree, so an old stream is `thread.` and only digits.
 *
 * A trace may come from a stranger, and its links may lead anywhere. A link out of the directory of the command
 * line is followed only with --follow-links.
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE /* d_type */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/put.h"
#include "input/fault.h"
#include "ovni/ovni_trace.h"

/* Limit of the entries that ovni_takes looks at before it decides that a directory is not a trace. A directory of
 * other files may be huge. */
#define LOOK_MOST 20000
/* Limit of nested directories. */
/* Bound: ovni | directories one in another | the directory | 256 | File name too long */
#define DEPTH_MOST 256
/* Limit of messages about links that are not followed; the rest is counted. */
#define LINKS_SAID 10

enum ovni_file_kind {
	OTHER,
	OLD,	  /* thread.TID */
	OBS,	  /* thread.TID.obs */
	OBS_JSON, /* thread.TID.json */
	STREAM,	  /* stream.obs */
	STREAM_JSON,
};

static enum ovni_file_kind
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

/* An entry of a directory. */
struct entry {
	char *name;
	bool regular; /* the directory entry shows that it is a regular file */
};

/* The entries of a directory, sorted by name: the order in which a file system returns them differs from machine
 * to machine. */
struct listing {
	struct entry *v;
	size_t n, cap, at;
	size_t len; /* length of the directory's path */
	int err;    /* errno if not all entries were read */
};

/* A walk over a tree without recursion. Each directory is entered once, so links cannot cause loops. */
struct dir_walk {
	struct listing dir[DEPTH_MOST];
	unsigned depth;
	char path[4096];
	/* Real path of the root, out of which no link may lead; NULL = any link may. */
	char *within;
	struct strtab seen;  /* device and inode of each directory so far */
	size_t looked, most; /* looked: entries so far; most: their limit */
	int err;	     /* error of looking at w->path */
};

static bool
is_regular(const struct dirent *e)
{
#ifdef DT_REG
	return e->d_type == DT_REG;
#else
	(void)e;
	return false;
#endif
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static void
list(struct listing *l, DIR *dir, size_t most)
{
	const struct dirent *e;

	while (l->n < most && (errno = 0, e = readdir(dir))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		*PUSH(l->v, l->n, l->cap) =
		    (struct entry){xstrdup(e->d_name), is_regular(e)};
	}
	l->err = l->n < most ? errno : 0;
	if (l->n > 1)
		qsort(l->v, l->n, sizeof *l->v, by_name);
}

static void
listing_free(struct listing *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].name);
	free(l->v);
}

const char *
ovni_why(int err)
{
	return err == EXDEV
		   ? "the link leads out of the trace: not followed without --follow-links"
		   : strerror(err);
}

/* Returns 0 if a path is within a directory whose real path is `within`; EXDEV if it is
 * outside; or the errno of resolving it. */
static int
outside(const char *within, const char *path)
{
	char *real = realpath(path, NULL);
	size_t n = strlen(within);
	int err = !real ? errno : 0;

	n -= n == 1; /* the root directory: "/" */
	if (real && (strncmp(real, within, n) != 0 || (real[n] && real[n] != '/')))
		err = EXDEV;
	free(real);
	return err;
}

int
ovni_may_read(const struct source *s, const char *root, const char *path)
{
	const struct ovni *o = s->state;
	const char *slash = strrchr(path, '/');
	char *dir, *within;
	struct stat st;
	int err;

	if (o->opt.follow_links || lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return 0;
	if (root && stat(root, &st) == 0 && S_ISDIR(st.st_mode))
		dir = xstrdup(root);
	else if (slash) {
		dir = xstrdup(path);
		dir[slash - path + 1] = '\0';
	} else
		dir = xstrdup(".");
	within = realpath(dir, NULL);
	err = within ? outside(within, path) : errno;
	free(within);
	free(dir);
	return err;
}

/* Sets *st to the file at w->path; a link is followed. Returns 0, an errno, or EXDEV if the
 * link leads out of the trace and must not be followed. */
static int
look_at_file(const struct dir_walk *w, enum ovni_file_kind kind, struct stat *st)
{
	if (lstat(w->path, st) < 0)
		return errno;
	if (!S_ISLNK(st->st_mode))
		return 0;
	if (stat(w->path, st) < 0)
		return errno;
	/* Files without a name of ovni's are not read here; the code that reads metadata checks them itself. */
	if (!w->within ||
	    (!S_ISDIR(st->st_mode) && kind != OLD && kind != OBS && kind != STREAM))
		return 0;
	return outside(w->within, w->path);
}

/* Enters the directory w->path, whose length is `len`. Returns false with errno set; errno is 0 if the directory
 * was entered before. */
static bool
enter(struct dir_walk *w, size_t len, const struct stat *st)
{
	uint64_t id[2] = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
	uint32_t n = w->seen.n;
	DIR *dir;

	errno = 0;
	if (strtab_id(&w->seen, id, sizeof id) < n)
		return false;
	if (w->depth == DEPTH_MOST) {
		errno = ENAMETOOLONG;
		return false;
	}
	dir = opendir(w->path);
	if (!dir)
		return false;
	w->dir[w->depth] = (struct listing){.len = len};
	list(&w->dir[w->depth++], dir, w->most - w->looked);
	closedir(dir);
	return true;
}

/* Finds the next regular file whose name is one of ovni's; its path is in w->path. Returns OTHER after an error,
 * with w->err set, or at the end, with an empty w->path. */
static enum ovni_file_kind
next_file(struct dir_walk *w)
{
	while (w->depth) {
		struct listing *l = &w->dir[w->depth - 1];
		const struct entry *e;
		size_t len = l->len, n;
		struct stat st;

		w->path[len] = '\0';
		if (l->at == l->n) {
			w->err = l->err;
			listing_free(l);
			w->depth--;
			if (w->err)
				return OTHER;
			continue;
		}
		e = &l->v[l->at++];
		w->looked++;
		n = strlen(e->name);
		if (len + n + 2 > sizeof w->path) {
			w->err = ENAMETOOLONG;
			return OTHER;
		}
		w->path[len] = '/';
		memcpy(w->path + len + 1, e->name, n + 1);
		if (!e->regular && (w->err = look_at_file(w, file_kind(e->name), &st))) {
			/* A link that leads nowhere. */
			if (w->err == ENOENT || w->err == ELOOP)
				continue;
			return OTHER;
		}
		if (!e->regular && S_ISDIR(st.st_mode)) {
			if (!enter(w, len + 1 + n, &st) && errno) {
				w->err = errno;
				return OTHER;
			}
		} else if (file_kind(e->name) != OTHER)
			return file_kind(e->name);
	}
	w->path[0] = '\0';
	return OTHER;
}

static bool
walk_start(struct dir_walk *w, const char *path, size_t most, bool follow)
{
	size_t n = strlen(path);
	struct stat st;

	memset(w, 0, sizeof *w);
	w->most = most;
	if (n >= sizeof w->path || stat(path, &st) < 0 ||
	    (!follow && !(w->within = realpath(path, NULL))))
		return false;
	memcpy(w->path, path, n + 1);
	while (n > 1 && w->path[n - 1] == '/')
		w->path[--n] = '\0';
	return enter(w, n, &st);
}

static void
walk_end(struct dir_walk *w)
{
	while (w->depth)
		listing_free(&w->dir[--w->depth]);
	strtab_free(&w->seen);
	free(w->within);
}

bool
ovni_takes(const char *path, const struct read_options *opt)
{
	const struct ovni_options *own = format_options(opt, &fmt_ovni);
	struct dir_walk *w;
	struct stat st;
	bool found = false;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return false;
	w = xmalloc(sizeof *w);
	if (walk_start(w, path, LOOK_MOST, own->follow_links))
		do
			found = next_file(w) != OTHER;
		while (!found && w->path[0] && w->looked < LOOK_MOST);
	walk_end(w);
	free(w);
	return found;
}

bool
ovni_alone(const char *path, const struct read_options *opt)
{
	static const char *const part[] = {"loom.", "proc.", "thread."};
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	while (n && path[n - 1] != '/')
		n--;
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		if (!strncmp(path + n, part[i], strlen(part[i])))
			return false;
	return ovni_takes(path, opt);
}

static const char *
keep(struct ovni *o, const char *s)
{
	return arena_str(&o->mem, s, strlen(s));
}

static struct ovni_stream *
find_add(struct source *s, const char *root, const char *path, const char *shown)
{
	struct ovni *o = s->state;
	struct ovni_stream *st = PUSH(o->st, o->n, o->cap);

	st->root = root;
	st->path = keep(o, path);
	st->shown = keep(o, shown);
	st->fd = -1;
	return st;
}

/* Returns NAME of the last component PREFIXNAME of a path, or NULL if there is none. */
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

/* Returns a copy of the path, with all its upper directories if it is relative. */
static char *
real_path(struct ovni *o, const char *path)
{
	char *real = *path == '/' ? NULL : realpath(path, NULL), *copy;

	copy = arena_str(&o->mem, real ? real : path, strlen(real ? real : path));
	free(real);
	return copy;
}

/* Sets the loom, process and thread of a stream from the names in `path`, and the paths of its metadata. */
static void
identify(struct ovni *o, struct ovni_stream *st, enum ovni_file_kind kind, const char *path)
{
	char full[8192], *slash;
	size_t n;

	st->loom = component(o, path, "loom.");
	st->pid = component(o, path, "proc.");
	st->tid = component(o, path, "thread.");
	if (st->tid)
		st->tid = arena_str(&o->mem, st->tid, strspn(st->tid, "0123456789"));
	if (st->tid && !*st->tid)
		st->tid = NULL;
	st->obs = kind == OBS || kind == STREAM;
	n = strlen(st->path);
	slash = strrchr(st->path, '/');
	if (kind == STREAM || (n > 4 && !strcmp(st->path + n - 4, ".obs"))) {
		snprintf(full, sizeof full, "%.*s.json", (int)(n - 4), st->path);
		/* A stream with any other name may have been copied without its metadata. */
		if (kind != OTHER || access(full, F_OK) == 0)
			st->json = keep(o, full);
	}
	if (kind == OLD || kind == OBS) {
		snprintf(full, sizeof full, "%.*smetadata.json",
			 slash ? (int)(slash - st->path + 1) : 0, st->path);
		st->proc_json = keep(o, full);
	}
}

/* Adds all streams below a directory. */
static void
find_below(struct source *s, const char *path)
{
	struct ovni *o = s->state;
	struct dir_walk *w = xmalloc(sizeof *w);
	const char *above = real_path(o, path);
	struct buf full = {0};
	size_t root, links = 0;

	if (!walk_start(w, path, SIZE_MAX, o->opt.follow_links))
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, "%s", strerror(errno));
	root = strlen(w->path);
	root += root && w->path[root - 1] != '/';
	for (;;) {
		enum ovni_file_kind kind = next_file(w);
		struct ovni_stream *st;
		struct stat sb;
		size_t n;

		if (!w->path[0])
			break;
		if (kind == OTHER) {
			s->trouble = true;
			if (w->err != EXDEV || links++ < LINKS_SAID)
				fault(s, NULL, COST_STATUS, w->path, NOWHERE, "%s",
				      ovni_why(w->err));
			continue;
		}
		if (kind == STREAM_JSON || kind == OBS_JSON) {
			/* Metadata without a stream: a run has left only one of the two files. */
			full.n = 0;
			buf_add(&full, w->path, strlen(w->path) - 5);
			buf_add(&full, ".obs", 5);
			if (stat((char *)full.p, &sb) < 0)
				fault(s, "ovni-meta-missing", COST_STATUS, (char *)full.p,
				      NOWHERE,
				      "the stream is missing; its metadata is there");
			continue;
		}
		st = find_add(s, path, w->path, w->path + root);
		full.n = 0;
		buf_add(&full, above, strlen(above));
		buf_byte(&full, '/');
		buf_add(&full, st->shown, strlen(st->shown) + 1);
		identify(o, st, kind, (const char *)full.p);
		/* ovnidump shows the directory of a stream.obs, so do the same. */
		n = strlen(st->shown);
		if (kind == STREAM)
			st->shown = n > 11 ? arena_str(&o->mem, st->shown, n - 11) : ".";
	}
	if (links > LINKS_SAID)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "%zu more links lead out of the trace: not followed",
		      links - LINKS_SAID);
	buf_free(&full);
	walk_end(w);
	free(w);
}

void
ovni_find(struct source *s, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat sb;

	if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
		find_below(s, path);
	else
		identify(s->state, find_add(s, path, path, path),
			 file_kind(slash ? slash + 1 : path), real_path(s->state, path));
}

void
ovni_once(struct source *s)
{
	struct ovni *o = s->state;
	struct strtab seen = {0};
	/* Paths of the command line. first[k]: the one of file k. */
	const char **first = NULL, *root = NULL, *before = NULL;
	size_t cap = 0, n = 0, twice = 0;

	for (size_t i = 0; i < o->n; i++) {
		const struct ovni_stream *st = &o->st[i];
		uint32_t known = seen.n, k = known;
		uint64_t id[2];
		struct stat sb;

		if (stat(st->path, &sb) == 0 && S_ISREG(sb.st_mode)) {
			id[0] = (uint64_t)sb.st_dev;
			id[1] = (uint64_t)sb.st_ino;
			k = strtab_id(&seen, id, sizeof id);
			GROW(first, cap, seen.n);
		}
		/* Links within one directory are intended by its owner. */
		if (k < known && first[k] != st->root) {
			root = st->root;
			before = first[k];
			twice++;
			continue;
		}
		if (k == known && seen.n > known)
			first[k] = st->root;
		o->st[n++] = *st;
	}
	o->n = n;
	if (twice)
		ovni_remark(s, NULL, root,
			    "%zu of the streams belong%s to %.300s too: each is read once",
			    twice, twice == 1 ? "s" : "", before);
	strtab_free(&seen);
	free(first);
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

void
ovni_put_part(struct buf *b, const char *p)
{
	if (!p)
		p = "-";
	for (; *p; p++) {
		uint8_t *q = buf_room(b, 4);

		if (*p == '/') {
			memcpy(q, "\\x2f", 4);
			b->n += 4;
		} else
			b->n += (size_t)(put_escaped(q, p, 1) - q);
	}
}

void
ovni_number_locs(struct source *s)
{
	struct ovni *o = s->state;
	struct buf b = {0};

	for (size_t i = 0; i < o->n; i++) {
		struct ovni_stream *st = &o->st[i];

		b.n = 0;
		if (o->opt.paths)
			buf_to(&b, put_escaped(buf_room(&b, 4 * strlen(st->shown)),
					       st->shown, strlen(st->shown)));
		else if (st->loom || st->pid || st->tid) {
			ovni_put_part(&b, st->loom);
			buf_byte(&b, '/');
			ovni_put_part(&b, st->pid);
			buf_byte(&b, '/');
			ovni_put_part(&b, st->tid);
		}
		st->loc = b.n ? strtab_id(&s->t.str, b.p, b.n) : 0;
	}
	buf_free(&b);
}
