/*
 * ranks.c - the files of a trace's ranks: finds them among the paths of a command line, and reads ten thousand of
 * them at once.
 *
 * Each rank has a small buffer. If there are too many ranks, it has no descriptor, and its file is opened for
 * every read. All buffers together take some 32 MiB.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unpack.h"
#include "dumpi/dumpi_trace.h"
#include "input/fault.h"

#define ROOM_ALL (32u * 1024 * 1024)
#define ROOM_LEAST 4096
/* Descriptors that are kept for the rest of the program. */
#define FDS_SPARE 24
/* Limits for a .meta file: of its ranks, and of messages about missing ranks. */
/* Bound: dumpi | ranks of a .meta file | numprocs | 1048576 | taken as 1048576 */
#define RANKS_MOST (1u << 20)
#define MISSING_SAID 10

int64_t
dumpi_rank_of(const char *path)
{
	const struct pack *k = pack_named(path);
	size_t n = strlen(path) - (k ? strlen(k->suffix) : 0), i;
	int64_t v = 0;

	if (n < 4 || memcmp(path + n - 4, ".bin", 4) != 0)
		return -1;
	for (i = n - 4; i && isdigit((unsigned char)path[i - 1]); i--)
		;
	if (i == n - 4 || !i || path[i - 1] != '-' || n - 4 - i > 9)
		return -1;
	for (; i < n - 4; i++)
		v = v * 10 + (path[i] - '0');
	return v;
}

static void
own_room(struct in *in, size_t cap)
{
	uint8_t *old = in->buf ? in->buf - IN_MARGIN : NULL;
	size_t n = in->buf ? in_left(in) : 0;

	if (in->buf && in->p != in->buf) {
		in->base += (uint64_t)(in->p - in->buf);
		memmove(in->buf, in->p, n);
	}
	if (cap != in->cap) {
		in->buf = (uint8_t *)xrealloc(old, cap + 2 * IN_MARGIN, 1) + IN_MARGIN;
		in->cap = cap;
		memset(in->buf + cap, 0, IN_MARGIN);
		if (!old)
			memset(in->buf - IN_MARGIN, 0, IN_MARGIN);
	}
	in->p = in->buf;
	in->end = in->buf + n;
}

bool
dumpi_more(struct source *s, struct dumpi_rank *r)
{
	struct in *in = r->in;
	size_t cap = r->room;
	int fd = r->file.fd;
	size_t got = 0, most;
	uint64_t at;

	if (in == &s->in)
		return in_more(in);
	if (in->eof)
		return false;
	while (cap <= in_left(in))
		cap *= 2;
	own_room(in, cap);
	at = in->base + in_left(in);
	most = cap - in_left(in);
	if (most > r->limit - at)
		most = (size_t)(r->limit - at);
	if (fd < 0)
		fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		in->err = errno;
	else
		got = in_at(fd, in->end, most, at, &in->err);
	if (in->err)
		fault(s, NULL, COST_STATUS, r->name, NOWHERE, "%s", strerror(in->err));
	in->end += got;
	in->eof = got == 0 || in->err;
	if (fd >= 0 && r->file.fd < 0)
		close(fd);
	return got > 0;
}

void
dumpi_rank_close(struct dumpi_rank *r)
{
	if (r->in == &r->own) {
		if (r->file.fd >= 0)
			close(r->file.fd);
		if (r->own.buf)
			free(r->own.buf - IN_MARGIN);
		free((char *)(uintptr_t)r->name);
	}
	free(r->address);
	dumpi_sections_free(&r->sec);
}

/* Returns true if the compressed file begins like a rank. Also returns true if it cannot be read: its reader then
 * reports the error. */
static bool
begins(const char *path)
{
	struct in in;
	bool more, is = in_open_room(&in, path, ROOM_LEAST) &&
			(in_need(&in, 8) ? !memcmp(in.p, DUMPI_MAGIC, 8) ||
					       pack_of(in.p, in_left(&in), &more)
					 : in.err != 0);

	in_close(&in);
	return is;
}

/* The result of looking at a path: it cannot be read, it is another file, or it is a DUMPI file. */
enum look {
	LOOK_NOTHING,
	LOOK_OTHER,
	LOOK_DUMPI
};

/* Looks at the file `path`, and stores its stat(2) in *st, with the size -1 if it is compressed. Sets errno if it
 * returns LOOK_NOTHING. */
static enum look
look(const char *path, struct stat *st)
{
	char first[8] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), err = 0;
	enum look is = LOOK_OTHER;

	if (fd < 0)
		return LOOK_NOTHING;
	if (fstat(fd, st) != 0)
		err = errno;
	else if (S_ISREG(st->st_mode) && in_at(fd, first, 8, 0, &err) == 8 &&
		 !memcmp(first, DUMPI_MAGIC, 8))
		is = LOOK_DUMPI;
	else if (S_ISREG(st->st_mode) && pack_of_file(fd) && begins(path)) {
		is = LOOK_DUMPI;
		st->st_size = -1;
	}
	close(fd);
	errno = err;
	return err ? LOOK_NOTHING : is;
}

/* Returns the reason why a path is not a rank. */
static const char *
why_not(enum look is, const struct stat *st)
{
	return is == LOOK_NOTHING      ? strerror(errno)
	       : !S_ISREG(st->st_mode) ? "this is no regular file"
	       : !st->st_size	       ? "the file is empty, as after a run that died"
			      : "this is no DUMPI file: it does not begin with the magic";
}

bool
dumpi_takes(const char *path, const struct read_options *opt)
{
	struct dumpi_meta m;
	bool is = dumpi_meta_read(&m, path);

	(void)opt;
	dumpi_meta_free(&m);
	return is;
}

struct list {
	struct dumpi_rank *v;
	size_t n, cap;
	struct dumpi_jobs *jobs;
	bool again; /* a file that is named more than once was reported */
};

static void
ranks_add(struct list *l, const char *path, const struct stat *st, int64_t number)
{
	struct dumpi_rank *r = PUSH(l->v, l->n, l->cap);

	r->name = xstrdup(path);
	r->file.fd = -1;
	r->limit = UINT64_MAX;
	r->file.size = (uint64_t)st->st_size;
	r->file.dev = (uint64_t)st->st_dev;
	r->file.ino = (uint64_t)st->st_ino;
	r->number = number;
}

/* ---- a .meta file and the ranks beside it ---- */

/* The paths to try for the ranks of a .meta file: in its directory, with its own name or with the prefix inside. */
struct beside {
	const char *path;
	int dir, own;	    /* lengths of its directory, and of the path without ".meta" */
	const char *prefix; /* last component of fileprefix=, or NULL */
	char *name;	    /* last path that was tried */
	size_t room;
};

/* Looks for the file b->name, or for a compressed one with that name. */
static enum look
look_packed(const struct beside *b, struct stat *st)
{
	enum look is = look(b->name, st);
	size_t n = strlen(b->name);

	for (const struct pack *k = packs;
	     is == LOOK_NOTHING && errno == ENOENT && k->program; k++)
		if (k->suffix) {
			snprintf(b->name + n, b->room - n, "%s", k->suffix);
			is = look(b->name, st);
		}
	if (is == LOOK_NOTHING)
		b->name[n] = '\0';
	return is;
}

/* Looks for a rank's file, and returns the result of look. b->name is the path, or the last one tried. */
static enum look
look_beside(const struct beside *b, unsigned long rank, struct stat *st)
{
	enum look is;

	snprintf(b->name, b->room, "%.*s-%04lu.bin", b->own, b->path, rank);
	is = look_packed(b, st);
	if (is == LOOK_NOTHING && errno == ENOENT && b->prefix) {
		snprintf(b->name, b->room, "%.*s%s-%04lu.bin", b->dir, b->path, b->prefix,
			 rank);
		is = look_packed(b, st);
	}
	return is;
}

/* Returns the number of ranks in the directory of the .meta file: the largest rank plus 1. */
static unsigned long
ranks_beside(struct source *s, const struct beside *b)
{
	const char *own = b->path + b->dir, *names[] = {own, b->prefix};
	size_t length[] = {(size_t)(b->own - b->dir), b->prefix ? strlen(b->prefix) : 0};
	unsigned long most = 0;
	struct dirent *e;
	DIR *d;

	snprintf(b->name, b->room, "%.*s", b->dir ? b->dir : 1, b->dir ? b->path : ".");
	if (!(d = opendir(b->name))) {
		fault(s, NULL, COST_STATUS, b->name, NOWHERE, "%s", strerror(errno));
		return 0;
	}
	while (errno = 0, (e = readdir(d))) {
		int64_t rank = dumpi_rank_of(e->d_name);

		for (int i = 0; i < 2 && rank >= 0; i++)
			if (names[i] && !strncmp(e->d_name, names[i], length[i]) &&
			    e->d_name + length[i] == strrchr(e->d_name, '-') &&
			    (unsigned long)rank >= most)
				most = (unsigned long)rank + 1;
	}
	if (errno)
		fault(s, NULL, COST_STATUS, b->name, NOWHERE, "%s", strerror(errno));
	closedir(d);
	return most;
}

/* Returns the number of ranks in the run according to its .meta file; if it has no valid number, the number of
 * ranks in its directory. */
static unsigned long
count_ranks(struct source *s, const struct beside *b, const struct dumpi_meta *m)
{
	const char *count = dumpi_meta_value(m, "numprocs");
	unsigned long ranks = 0;
	struct stat st;

	for (const char *p = count; p && *p; p++) {
		ranks =
		    isdigit((unsigned char)*p) ? ranks * 10 + (unsigned long)(*p - '0') : 0;
		if (!ranks || ranks > RANKS_MOST)
			break;
	}
	if (ranks > RANKS_MOST) {
		fault(s, "dumpi-meta", COST_STATUS, b->path, NOWHERE,
		      "numprocs=%s: taken as %u", count, RANKS_MOST);
		return RANKS_MOST;
	}
	if (ranks) {
		if (look_beside(b, ranks, &st) == LOOK_DUMPI)
			fault(s, "dumpi-meta", COST_STATUS, b->path, NOWHERE,
			      "numprocs=%s, but there is a rank %s: %s", count, count,
			      b->name);
		return ranks;
	}
	ranks = ranks_beside(s, b);
	if (count)
		fault(s, "dumpi-meta", COST_STATUS, b->path, NOWHERE,
		      "numprocs=%s is no number of ranks; reading the %lu ranks beside the "
		      "file",
		      count, ranks);
	else
		fault(s, "dumpi-meta", COST_NONE, b->path, NOWHERE,
		      "numprocs= is missing; reading the %lu ranks beside the file", ranks);
	return ranks;
}

/* Adds the ranks that the .meta file `path` names to l. Reports ranks that are missing or cannot be read. */
static void
add_meta(struct source *s, struct list *l, const char *path, struct dumpi_meta *meta)
{
	const char *slash = strrchr(path, '/'),
		   *prefix = dumpi_meta_value(meta, "fileprefix");
	struct beside b = {.path = path, .own = (int)strlen(path) - 5};
	unsigned long ranks, missing = 0, there;
	struct stat st;

	dumpi_job_add(l->jobs, path, strlen(path))->meta = *meta;
	if (meta->odd && !s->opt->quiet)
		warn("%s:%zu: expected KEY=VALUE", path, meta->odd);
	b.dir = slash ? (int)(slash + 1 - path) : 0;
	/* The directory in fileprefix= is relative to where the program ran, so only its last component is used. */
	slash = prefix ? strrchr(prefix, '/') : NULL;
	b.prefix = slash ? slash + 1 : prefix;
	b.room = strlen(path) + (b.prefix ? strlen(b.prefix) : 0) + 32;
	b.name = xmalloc(b.room);
	ranks = count_ranks(s, &b, meta);
	there = ranks;
	for (unsigned long i = 0; i < ranks; i++) {
		enum look is = i < there ? look_beside(&b, i, &st) : LOOK_NOTHING;

		if (is == LOOK_DUMPI)
			ranks_add(l, b.name, &st, (int64_t)i);
		else if (missing++ < MISSING_SAID)
			fault(s, "dumpi-ranks", COST_STATUS, path, NOWHERE,
			      "rank %lu: %s: %s", i, b.name, why_not(is, &st));
		else if (missing == MISSING_SAID + 1)
			/* A .meta file may claim a million ranks: from now on look only for ranks up to the
			 * largest one in the directory. */
			there = ranks_beside(s, &b);
	}
	if (missing > MISSING_SAID)
		fault(s, "dumpi-ranks", COST_NONE, path, NOWHERE,
		      "%lu more ranks are missing", missing - MISSING_SAID);
	free(b.name);
}

/* Gives each rank a buffer, and a descriptor if there are enough of them. */
static void
share_out(struct source *s, struct list *l)
{
	size_t room = ROOM_ALL / (l->n ? l->n : 1);
	struct rlimit lim = {0, 0};
	char said[PACK_SAID];
	struct stat st;
	bool keep = !s->opt->separate && !source_shares(s) &&
		    getrlimit(RLIMIT_NOFILE, &lim) == 0 && lim.rlim_cur > l->n + FDS_SPARE;

	room = room > IN_SIZE ? IN_SIZE : room < ROOM_LEAST ? ROOM_LEAST : room;
	room &= ~(size_t)(ROOM_LEAST - 1);
	for (size_t i = 0; i < l->n; i++) {
		struct dumpi_rank *r = &l->v[i];

		r->in = &r->own;
		r->own.fd = -1;
		r->own.name = r->name;
		r->room = room;
		if (keep || r->file.size == UINT64_MAX)
			r->file.fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (r->file.size != UINT64_MAX || r->file.fd < 0)
			continue;
		r->file.fd = unpack_file(r->file.fd, said);
		r->unpacked = true;
		if (fstat(r->file.fd, &st) == 0)
			r->file.size = (uint64_t)st.st_size;
		r->told = *said;
		if (*said)
			fault(s, NULL, COST_STATUS, r->name, NOWHERE, "%s", said);
	}
}

/* Returns true if the file of a rank belongs to a .meta file that is also an operand, as with run*. */
static bool
has_meta(const struct read_options *opt, const char *path)
{
	const char *dash = strrchr(path, '-'), *meta, *ranks;
	int64_t rank = dumpi_rank_of(path);
	struct dumpi_meta m;

	for (size_t i = 0; rank >= 0 && i < opt->operands; i++) {
		meta = opt->operand[i] + (strncmp(opt->operand[i], "./", 2) ? 0 : 2);
		if (strncmp(meta, path, (size_t)(dash - path)) != 0 ||
		    strcmp(meta + (dash - path), ".meta") != 0 ||
		    !dumpi_meta_read(&m, meta))
			continue;
		ranks = dumpi_meta_value(&m, "numprocs");
		if (ranks && strtoll(ranks, NULL, 10) > 0 &&
		    rank >= strtoll(ranks, NULL, 10))
			rank = -1; /* the .meta file does not have this rank */
		dumpi_meta_free(&m);
		return rank >= 0;
	}
	return false;
}

/* Adds the rank's file `path` to l, or reports that it cannot be read. Returns false if it is a trace of its own:
 * a pipe, or a file of another format. */
static bool
add_file(struct source *s, struct list *l, const char *path)
{
	struct stat st;
	enum look is = strcmp(path, "-") ? look(path, &st) : LOOK_OTHER;

	if (is == LOOK_DUMPI && has_meta(s->opt, path + (strncmp(path, "./", 2) ? 0 : 2))) {
		if (!l->again)
			fault(s, NULL, COST_NONE, path, NOWHERE,
			      "the file is named more than once, but read once");
		l->again = true;
	} else if (is == LOOK_DUMPI)
		ranks_add(l, path, &st, dumpi_rank_of(path));
	else if (is == LOOK_NOTHING || (l->n && strcmp(path, "-") && S_ISREG(st.st_mode) &&
					!st.st_size && dumpi_rank_of(path) >= 0))
		fault(s, is == LOOK_NOTHING ? NULL : "dumpi-empty", COST_STATUS, path,
		      NOWHERE, "%s", why_not(is, &st));
	else
		return false;
	return true;
}

size_t
dumpi_ranks_open(struct source *s, struct dumpi_rank **ranks, size_t *n,
		 struct dumpi_jobs *jobs)
{
	struct list l = {.jobs = jobs};
	struct dumpi_meta meta;
	size_t taken;

	for (taken = 0; taken < s->npaths; taken++) {
		const char *path = s->paths[taken];

		if (dumpi_meta_read(&meta, path))
			add_meta(s, &l, path, &meta);
		else if (errno)
			fault(s, NULL, COST_STATUS, path, NOWHERE, "%s", strerror(errno));
		else if (!add_file(s, &l, path))
			break;
	}
	/* A single file that the source has already open, and may stay open, is read as it is. */
	if (s->in.buf && taken <= !s->opt->separate && !l.again) {
		for (size_t i = 0; i < l.n; i++)
			free((char *)(uintptr_t)l.v[i].name);
		free(l.v);
		return 0;
	}
	if (!jobs->n)
		l.n = dumpi_jobs_find(s, l.v, l.n, jobs);
	share_out(s, &l);
	if (s->in.buf)
		in_shut(&s->in);
	*ranks = l.v;
	*n = l.n;
	return taken;
}
