/* ovni_meta.c - reads the JSON files of the streams, and clock-offsets.txt. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "input/fault.h"
#include "ovni/ovni_trace.h"

#define OFFSETS_NAME "/clock-offsets.txt"
#define OFFSETS_MOST (16u << 20) /* limit of its bytes: 100,000 nodes */
#define CPUS_MOST (1u << 16)	 /* limit of the processors in the list of a file */
#define ROWS_SAID 10		 /* limit of messages about bad rows; the rest is counted */

/* Returns the bytes of a small file and a NUL, to be freed by the caller, and their number in *n: more than `most`
 * if the file is too long. `root` is as in ovni_may_read. Returns NULL with errno set if it cannot be read. */
static char *
slurp(const struct source *s, const char *root, const char *path, size_t most, size_t *n)
{
	struct buf b = {0};
	ssize_t got;
	int fd;

	if ((errno = ovni_may_read(s, root, path)))
		return NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
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

struct meta_file {
	struct source *s;
	struct ovni *o;
	struct ovni_stream *st;
	ovni_meta_fn *fn;
	void *arg;
	char key[3072]; /* "loom/pid/tid:" and the path of a value */
	size_t prefix;
	bool process;		   /* the file is a process's metadata.json */
	unsigned long first, last; /* known versions of such files */
	char version[96];	   /* error of the version, or "" */
	struct ovni_cpus cpus;
	unsigned long cpu; /* number of the last processor in the list */
};

static void
on_version(struct meta_file *f, enum json_kind kind, const char *value, size_t n)
{
	unsigned long v = strtoul(value, NULL, 10);

	f->version[0] = '\0';
	if (kind != JSON_NUMBER || strspn(value, "0123456789") != n)
		strcpy(f->version, "the version is not a whole number");
	else if (v < f->first || v > f->last)
		snprintf(f->version, sizeof f->version,
			 "version %.20s is unknown: read as version %lu", value, f->last);
	/* Releases up to 1.4.1 wrote this version. */
	f->o->maybe_old |= f->process && v == 1;
}

/* Takes a value of the list of processors. `path` is its path after the list's name, such as ".N.index". */
static void
on_cpu(struct meta_file *f, const char *path, enum json_kind kind, const char *value,
       size_t n)
{
	struct ovni_cpus *c = &f->cpus;
	uint64_t v = UINT32_MAX;
	unsigned long number;
	char *end;

	c->given = true;
	if (!*path) { /* not a list, or an empty one */
		c->broken |= kind != JSON_EMPTY;
		return;
	}
	number = strtoul(path + 1, &end, 10);
	if (!c->n || number != f->cpu) {
		if (c->n == CPUS_MOST)
			c->broken = true;
		else
			*PUSH(c->v, c->n, c->cap) = UINT64_MAX;
	}
	f->cpu = number;
	if (kind == JSON_NUMBER && n < 10 && strspn(value, "0123456789") == n)
		v = strtoul(value, NULL, 10);
	if (!strcmp(end, ".index"))
		c->v[c->n - 1] = v << 32 | (uint32_t)c->v[c->n - 1];
	else if (!strcmp(end, ".phyid"))
		c->v[c->n - 1] = (c->v[c->n - 1] & ~(uint64_t)UINT32_MAX) | v;
}

/* Takes a value that is read from every metadata file: the names of the loom, process and
 * thread, and values that are checked. */
static void
on_own(struct meta_file *f, const char *path, enum json_kind kind, const char *value,
       size_t n)
{
	struct ovni_stream *st = f->st;
	const char *own = f->process ? path : !strncmp(path, "ovni.", 5) ? path + 5 : "";
	const char *cpus = f->process ? "cpus" : "loom_cpus", **id = NULL;
	size_t list = strlen(cpus);

	if (!strcmp(path, "version"))
		on_version(f, kind, value, n);
	if (!strncmp(own, cpus, list) && (own[list] == '.' || !own[list]))
		on_cpu(f, own + list, kind, value, n);
	if (!strcmp(own, "app_id"))
		id = &st->app_id;
	else if (!strcmp(own, "rank"))
		id = &st->rank;
	else if (f->process)
		return;
	else if (!strcmp(own, "loom"))
		id = &st->loom;
	else if (!strcmp(own, "pid"))
		id = &st->pid;
	else if (!strcmp(own, "tid"))
		id = &st->tid;
	if (id && n && n < 1024 && kind == (id == &st->loom ? JSON_STRING : JSON_NUMBER))
		*id = arena_str(&f->o->mem, value, strlen(value));
}

static void
on_leaf(void *arg, const char *path, enum json_kind kind, const char *value, size_t n)
{
	struct meta_file *f = arg;

	if (!f->prefix) { /* the first reading of the file */
		on_own(f, path, kind, value, n);
		return;
	}
	snprintf(f->key + f->prefix, sizeof f->key - f->prefix, "%s", path);
	f->fn(f->arg, f->key, value);
}

static void
on_name(void *arg, const char *path, enum json_kind kind, const char *value, size_t n)
{
	struct meta_file *f = arg;

	if (kind == JSON_STRING)
		ovni_names_meta(f->s, f->st, path, value, n);
}

/* Reports the error of a file. Returns true if it has none. */
static bool
is_good(struct meta_file *f, const char *path, const char *why, size_t at, bool object)
{
	struct source *s = f->s;

	if (why)
		fault(s, "ovni-meta-json", COST_STATUS, path, at, "not JSON: %s", why);
	else if (!object)
		fault(s, "ovni-meta-json", COST_STATUS, path, 0, "not an object");
	else if (f->version[0])
		fault(s, "ovni-meta-version", COST_STATUS, path, 0, "%s", f->version);
	else
		return true;
	return false;
}

static void
read_json(struct meta_file *f, const char *path)
{
	struct source *s = f->s;
	struct ovni_stream *st = f->st;
	bool again = f->o->meta_read, object = false;
	const char *why;
	size_t n, at;
	char *text = slurp(s, st->root, path, JSON_MOST, &n);

	if (!text) {
		st->meta_bad = true;
		if (again)
			return;
		/* A run that crashed leaves no metadata, but its events are good. */
		if (errno == ENOENT)
			fault(s, "ovni-meta-missing", COST_NONE, path, NOWHERE,
			      "%s; its events are read nevertheless", strerror(errno));
		else
			fault(s, "ovni-meta-missing", COST_STATUS, path, 0, "%s",
			      ovni_why(errno));
		return;
	}
	strcpy(f->version, "the version is missing");
	/* Read the file twice: first for the names of loom, process and thread, which are part of the keys of its
	 * pairs. */
	f->prefix = 0;
	f->cpus.n = 0;
	f->cpus.given = f->cpus.broken = false;
	why = json_read(text, n, on_leaf, f, &at, &object);
	if (!again) {
		if (!is_good(f, path, why, at, object))
			st->meta_bad = true;
		ovni_check_cpus(s, st, &f->cpus, f->process);
	}
	/* Few files have names of marks and counters. */
	if (!again && (strstr(text, "mark") || strstr(text, "hwc")))
		json_read(text, n, on_name, f, &at, &object);
	if (f->fn) {
		f->prefix =
		    (size_t)snprintf(f->key, sizeof f->key,
				     "%.1000s/%.200s%s%.200s:", st->loom ? st->loom : "-",
				     st->pid ? st->pid : "-", f->process ? "" : "/",
				     f->process ? ""
				     : st->tid	? st->tid
						: "-");
		json_read(text, n, on_leaf, f, &at, &object);
	}
	free(text);
}

void
ovni_load_meta(struct source *s, ovni_meta_fn *fn, void *arg)
{
	struct ovni *o = s->state;
	const char *process = "";
	struct meta_file f = {.s = s, .o = o, .fn = fn, .arg = arg};

	for (size_t i = 0; i < o->n; i++) {
		struct ovni_stream *st = f.st = &o->st[i];

		if (st->proc_json && strcmp(process, st->proc_json) != 0) {
			process = st->proc_json;
			f.process = true;
			f.first = 1;
			f.last = 2;
			read_json(&f, process);
		}
		if (st->json && (!st->proc_json || access(st->json, F_OK) == 0)) {
			f.process = false;
			f.first = f.last = st->proc_json ? 2 : 3;
			read_json(&f, st->json);
		}
	}
	free(f.cpus.v);
	if (!o->meta_read)
		ovni_check_meta(s);
	o->meta_read = true;
}

/* A row of clock-offsets.txt: a host, and the offset of its clock. */
struct clock_offset {
	const char *host;
	int64_t median;
	bool used;
	uint64_t line;
};

struct offsets {
	struct source *s;
	const char *path, *root;
	bool unused; /* raw_clock: rows are only read, and their errors are not reported */
	uint64_t said;
	struct strtab hosts;
	struct clock_offset *row; /* rows, in the order of hosts */
	size_t cap;
};

/* Reports an error of a row with its line number, up to ROWS_SAID of them. */
static void
bad_row(struct offsets *f, uint64_t line, const char *why)
{
	char place[4400];

	if (f->unused)
		return;
	f->s->stop |= f->s->opt->strict;
	if (f->said++ >= ROWS_SAID)
		return;
	snprintf(place, sizeof place, "%.4300s:%llu", f->path, (unsigned long long)line);
	fault(f->s, "ovni-offsets", COST_STATUS, place, NOWHERE, "%s", why);
}

/* Reads a row of rank, host, median, mean and deviation. Returns NULL, or the error. */
static const char *
parse_row(char *line, struct clock_offset *r)
{
	char *field[5], *save, *end, *p = strtok_r(line, " \t\r", &save);
	int n = 0;

	for (; p && n < 5; p = strtok_r(NULL, " \t\r", &save))
		field[n++] = p;
	if (n < 5)
		return "fewer than five fields: rank, host, median, mean, deviation";
	r->host = field[1];
	errno = 0;
	r->median = strtoll(field[2], &end, 10);
	/* Decimals of nanoseconds are dropped. */
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	if (end == field[2] || *end || errno || r->median >= INT64_MAX / 4 ||
	    r->median <= -INT64_MAX / 4)
		return "the median is not a number of nanoseconds";
	for (int i = 0; i < 5; i += i ? 1 : 3) {
		strtod(field[i], &end);
		if (end == field[i] || *end)
			return "the rank, mean or deviation is not a number";
	}
	return NULL;
}

static void
add_row(struct offsets *f, struct clock_offset r)
{
	uint32_t known = f->hosts.n, id = strtab_id(&f->hosts, r.host, strlen(r.host));

	if (id < known) {
		if (f->row[id].median != r.median)
			bad_row(f, r.line,
				"a previous row has another median for the same host, "
				"which is used");
		return;
	}
	GROW(f->row, f->cap, id + 1u);
	r.host = f->hosts.v[id].s;
	f->row[id] = r;
}

/* Sets the clock offsets of the streams below the path, after all rows were read. Reports looms without a row, and
 * with `whole` also rows without a loom. */
static void
apply_rows(struct offsets *f, bool whole)
{
	struct ovni *o = f->s->state;
	const char *last = "";

	for (size_t i = 0; i < o->n; i++) {
		struct ovni_stream *st = &o->st[i];
		uint32_t id;
		bool found;

		if (!st->loom)
			continue;
		found = strtab_find(&f->hosts, st->loom, strcspn(st->loom, "."), &id);
		if (found)
			f->row[id].used = true;
		if (st->root != f->root)
			continue;
		if (found) {
			st->offset = f->row[id].median;
			st->corrected = true;
		} else if (!f->unused && strcmp(st->loom, last) != 0) {
			fault(f->s, "ovni-offsets", COST_STATUS, f->path, 0,
			      "loom %.100s has no row: its clocks are not corrected",
			      st->loom);
			last = st->loom;
		}
	}
	/* In a part of a trace, rows of other hosts are normal. */
	for (uint32_t id = 0; whole && id < f->hosts.n; id++) {
		char why[160];

		if (f->row[id].used)
			continue;
		snprintf(why, sizeof why, "no loom of the trace is on host %.100s",
			 f->row[id].host);
		bad_row(f, f->row[id].line, why);
	}
}

static void
read_offsets(struct source *s, const char *path, char *text, size_t n, const char *root,
	     bool whole)
{
	const struct ovni *o = s->state;
	struct offsets f = {.s = s, .path = path, .root = root, .unused = o->opt.raw_clock};
	uint64_t line = 0;

	for (char *p = text, *next; p < text + n; p = next, line++) {
		char *nl = memchr(p, '\n', (size_t)(text + n - p));
		struct clock_offset r = {.line = line + 1};
		const char *why;

		next = nl ? nl + 1 : text + n;
		*(nl ? nl : text + n) = '\0';
		if (p == text || !p[strspn(p, " \t\r")]) /* the heading, or an empty line */
			continue;
		why = parse_row(p, &r);
		if (why)
			bad_row(&f, r.line, why);
		else
			add_row(&f, r);
	}
	apply_rows(&f, whole);
	if (f.said > ROWS_SAID)
		fault(s, "ovni-offsets", COST_STATUS, path, NOWHERE,
		      "%llu more rows have errors",
		      (unsigned long long)(f.said - ROWS_SAID));
	strtab_free(&f.hosts);
	free(f.row);
}

void
ovni_load_offsets(struct source *s, const char *root)
{
	struct ovni *o = s->state;
	char *real = realpath(root, NULL), *path, *base;
	bool whole = true; /* the path is the whole trace, not a part of it */
	size_t n;

	if (!real) {
		/* A missing path has been reported already. The path "-" does not exist
		 * either. */
		if (errno != ENOENT && errno != ENOTDIR)
			fault(s, NULL, COST_STATUS, root, 0,
			      "cannot look for clock offsets: %s", strerror(errno));
		return;
	}
	path = xmalloc(strlen(real) + sizeof OFFSETS_NAME);
	strcpy(path, real);
	free(real);
	/* If the path is a loom, a process or a thread, look in the directories above. */
	for (;;) {
		size_t len = strlen(path);
		char *text;

		memcpy(path + len, OFFSETS_NAME, sizeof OFFSETS_NAME);
		text = slurp(s, NULL, path, OFFSETS_MOST, &n);
		if (text && n <= OFFSETS_MOST) {
			read_offsets(s, path, text, n, root, whole);
			free(text);
			free(path);
			return;
		}
		if (!o->opt.raw_clock && (text || (errno != ENOENT && errno != ENOTDIR)))
			fault(s, NULL, COST_STATUS, path, 0, "%s",
			      text ? "too long" : ovni_why(errno));
		free(text);
		path[len] = '\0';
		base = strrchr(path, '/');
		if (!base || (strncmp(base, "/loom.", 6) && strncmp(base, "/proc.", 6) &&
			      strncmp(base, "/thread.", 8) && strncmp(base, "/stream.", 8)))
			break;
		*base = '\0';
		whole = false;
	}
	o->unsynced = true;
	free(path);
}
