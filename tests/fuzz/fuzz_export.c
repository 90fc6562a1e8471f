/*
 * fuzz_export.c - events of a trace of any format, as a target of trace-export writes them.
 *
 * The first byte of the input chooses the target of the table, the second its options; the
 * rest is the trace. Where the status is 0, what was written must be what the target's
 * format says: JSON is read, rows have as many values as there are names, requests and
 * records are as many as events, times do not go back, sizes fit. Else it is an abort. Of a
 * target that is not known here, only the sanitizers look. Needs memory files (Linux).
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "own_files.h"
#include "base/die.h"
#include "base/json.h"
#include "base/atomic_file.h"
#include "cli/cli_formats.h"
#include "trace-export/export_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FILES 4

/* What was written: of a directory by name; else the first. */
static struct written {
	char name[32];
	int fd;
	struct buf b;
} file[FILES];
static size_t nfiles;
static bool no_next; /* --no-next */

int
atomic_open(const char *path, bool directory, struct atomic_file **w)
{
	(void)path;
	(void)directory;
	*w = NULL;
	return -1;
}

int
atomic_add_file(struct atomic_file *d, const char *name)
{
	size_t i = 0;

	(void)d;
	while (i < nfiles && strcmp(file[i].name, name) != 0)
		i++;
	if (i == FILES || strlen(name) >= sizeof file[i].name)
		abort();
	if (i == nfiles) {
		strcpy(file[nfiles].name, name);
		file[nfiles++].fd = memfd_create(name, 0);
	}
	return dup(file[i].fd);
}

bool
atomic_close(struct atomic_file *d, bool keep)
{
	(void)d;
	return keep;
}

#define MUST(what)                                                                 \
	do {                                                                       \
		if (!(what)) {                                                     \
			fprintf(stderr, "%s:%d: %s: not %s\n", __FILE__, __LINE__, \
				file[0].name, #what);                              \
			abort();                                                   \
		}                                                                  \
	} while (0)

static uint64_t
le(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	while (n)
		v = v << 8 | p[--n];
	return v;
}

static const struct buf *
written(const char *name)
{
	for (size_t i = 0; i < nfiles; i++)
		if (!strcmp(file[i].name, name))
			return &file[i].b;
	abort();
}

/* How many lines there are, all of them whole. */
static uint64_t
lines(const struct buf *b)
{
	uint64_t n = 0;

	MUST(!b->n || b->p[b->n - 1] == '\n');
	for (size_t i = 0; i < b->n; i++)
		n += b->p[i] == '\n';
	return n;
}

static void
leaf(void *arg, const char *path, enum json_kind kind, const char *value, size_t n)
{
	uint64_t *events = arg;

	if (kind == JSON_STRING && n == 1 && strstr(path, ".ph"))
		*events += *value == 'X' || *value == 'i';
}

static void
json(const uint8_t *p, size_t n, uint64_t *events)
{
	size_t at;
	const char *why = json_read((const char *)p, n, leaf, events, &at, NULL);

	/* Names and texts may be as long as those of the trace. */
	MUST(!why || strstr(why, "too long"));
}

static void
chrome(uint64_t n)
{
	uint64_t events = 0;

	json(file[0].b.p, file[0].b.n, &events);
	(void)n;
}

static void
jsonl(uint64_t n)
{
	const uint8_t *p = file[0].b.p, *end = p + file[0].b.n, *nl;
	uint64_t none;

	MUST(lines(&file[0].b) == n);
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		json(p, (size_t)(nl - p), &none);
	}
}

/* Every row has as many values as the first one, the names. */
static void
rows(uint64_t n, char separator)
{
	const struct buf *b = &file[0].b;
	uint64_t values = 0, names = 0, row = 0;
	bool quoted = false;

	for (size_t i = 0; i < b->n; i++) {
		quoted ^= separator == ',' && b->p[i] == '"';
		if (quoted || (b->p[i] != separator && b->p[i] != '\n'))
			continue;
		values++;
		if (b->p[i] != '\n')
			continue;
		names = row++ ? names : values;
		MUST(values == names);
		values = 0;
	}
	MUST(!quoted && !values && row == (b->n ? n + 1 : 0));
}

static void
csv(uint64_t n)
{
	rows(n, ',');
}

static void
tsv(uint64_t n)
{
	rows(n, '\t');
}

/* Lines of blanks and numbers, of which `column` is a time (-1: none). */
static void
requests(uint64_t n, int column)
{
	const struct buf *b = &file[0].b;
	const char *p = (const char *)b->p;
	double last = 0;

	MUST(lines(b) == n);
	for (uint64_t i = 0; i < n; i++) {
		const char *nl = strchr(p, '\n');

		MUST(strspn(p, "0123456789abcdef. ") == (size_t)(nl - p));
		MUST(column < 0 || strtod(p, NULL) >= last);
		last = column < 0 ? 0 : strtod(p, NULL);
		p = nl + 1;
	}
}

static void
disk(uint64_t n)
{
	requests(n, 0);
}

static void
din(uint64_t n)
{
	requests(n, -1);
}

static void
fio(uint64_t n)
{
	const struct buf *b = &file[0].b;
	uint64_t requests = 0;

	MUST(!n || !memcmp(b->p, "fio version ", 12));
	lines(b);
	for (const char *p = (const char *)b->p, *nl; *p; p = nl + 1) {
		size_t words = 1;

		nl = strchr(p, '\n');
		for (const char *s = p; s < nl; s++)
			words += *s == ' ';
		requests += memmem(p, (size_t)(nl - p), " read ", 6) ||
			    memmem(p, (size_t)(nl - p), " write ", 7);
		MUST(words >= 2 && words <= 5);
	}
	MUST(requests <= n); /* the others are about files, or sync */
}

/* --actions QDC adds records. */
static void
blktrace(uint64_t n)
{
	const struct buf *b = &file[0].b;
	uint64_t last = 0, queued = 0;

	MUST(b->n % 48 == 0);
	for (size_t i = 0; i < b->n; i += 48) {
		const uint8_t *p = b->p + i;

		MUST(le(p, 4) == 0x65617407 && le(p + 4, 4) == i / 48 + 1);
		MUST(le(p + 8, 8) >= last);
		last = le(p + 8, 8);
		queued += le(p + 28, 2) == 1;
	}
	MUST(queued == n);
}

static void
parquet(uint64_t n)
{
	const struct buf *b = &file[0].b;

	MUST(b->n > 12 && !memcmp(b->p, "PAR1", 4) && !memcmp(b->p + b->n - 4, "PAR1", 4));
	MUST(le(b->p + b->n - 8, 4) <= b->n - 12);
	(void)n;
}

/* Messages follow each other up to the end, and record batches have all rows. */
static void
arrow(uint64_t n)
{
	const uint8_t *p = file[0].b.p, *end = p + file[0].b.n, *table, *fields, *batch;
	uint64_t rows = 0, size, body;

	for (;; p += 8 + size + body) {
		MUST(end - p >= 8 && le(p, 4) == UINT32_MAX);
		size = le(p + 4, 4);
		if (!size)
			break;
		MUST(size % 8 == 0 && size < (uint64_t)(end - p));
		table = p + 8 + le(p + 8, 4);
		fields = table - le(table, 4);
		body = le(fields + 10, 2) ? le(table + le(fields + 10, 2), 8) : 0;
		MUST(body % 8 == 0 && body <= (uint64_t)(end - p) - 8 - size);
		if (table[le(fields + 6, 2)] != 3)
			continue;
		batch = table + le(fields + 8, 2);
		batch += le(batch, 4);
		rows += le(batch + le(batch - le(batch, 4) + 4, 2), 8);
	}
	MUST(p + 8 == end && rows == n);
}

static void
libcachesim(uint64_t n)
{
	uint64_t all = lines(&file[0].b);

	MUST(all >= n + (n > 0));
	rows(all - (all > 0), ',');
}

/* The next access is the next one. */
static void
oracle(uint64_t n)
{
	const struct buf *b = &file[0].b;

	MUST(b->n % 24 == 0 && b->n / 24 >= n);
	for (size_t i = 0; i < b->n; i += 24) {
		uint64_t next = le(b->p + i + 16, 8);
		size_t k = i + 24;

		while (k < b->n && memcmp(b->p + k + 4, b->p + i + 4, 8) != 0)
			k += 24;
		MUST(no_next || next == (k < b->n ? k / 24 + 1 : UINT64_MAX));
	}
}

static void
ctf(uint64_t n)
{
	const struct buf *b = written("stream"), *m = written("metadata");
	uint64_t last = 0;
	size_t at = 0;

	MUST(lines(m) > 0 && !memcmp(m->p, "/* CTF 1.8 */\n", 14));
	MUST(!n == !b->n);
	while (at < b->n) {
		const uint8_t *p = b->p + at;
		uint64_t bits = le(p + 24, 8);

		MUST(b->n - at > 40 && le(p, 4) == 0xc1fc1fc1);
		MUST(bits == le(p + 32, 8) && bits % 8 == 0 && bits > 40 * 8);
		MUST(bits / 8 <= b->n - at);
		MUST(le(p + 8, 8) >= last && le(p + 16, 8) >= le(p + 8, 8));
		MUST(le(p + 42, 8) == le(p + 8, 8));
		last = le(p + 16, 8);
		at += bits / 8;
	}
	/* Every class is there once, and whole. */
	at = 0;
	for (const char *p = strstr((const char *)m->p, "\nevent {"); p;
	     p = strstr(p + 1, "\nevent {"))
		MUST(strtoul(strstr(p, " id = ") + 6, NULL, 10) == at++);
}

static void
paraver(uint64_t n)
{
	const struct buf *b = written("trace.prv");
	const char *p = (const char *)b->p;
	unsigned long long length = 0, last = 0, time;
	uint64_t events = 0, all = lines(b);
	unsigned task, thread;

	MUST(lines(written("trace.row")) > 0 && lines(written("trace.pcf")) > 0);
	MUST(sscanf(p, "#Paraver (01/01/70 at 00:00):%llu_ns:0:1:", &length) == 1);
	for (p = strchr(p, '\n') + 1; --all; p = strchr(p, '\n') + 1) {
		unsigned type, value;

		MUST(sscanf(p, "2:0:1:%u:%u:%llu:%u:%u", &task, &thread, &time, &type,
			    &value) == 5);
		MUST(time >= last && time <= length && task && thread);
		MUST(type == 1 || type == 2);
		last = time;
		/* An end writes what is around it again, and no more. */
		events += type == 2;
	}
	MUST(events <= n && !*p);
}

/* A number of 7 bits a byte. */
static uint64_t
varint(const uint8_t **p, const uint8_t *end)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		v |= (uint64_t)(**p & 0x7f) << shift;
		if (!(*(*p)++ & 0x80))
			return v;
	}
	abort();
}

/* Fields of a message; of packets and events, what they are. */
static void
message(const uint8_t *p, const uint8_t *end, unsigned depth, uint64_t of[5])
{
	while (p < end) {
		uint64_t field = varint(&p, end), v = 0;

		switch (field & 7) {
		case 0: v = varint(&p, end); break;
		case 1: p += 8; break;
		case 2:
			v = varint(&p, end);
			MUST(v <= (uint64_t)(end - p));
			if ((depth == 0 && field >> 3 == 1) ||
			    (depth == 1 && field >> 3 == 11))
				message(p, p + v, depth + 1, of);
			p += v;
			break;
		default: abort();
		}
		if (depth == 2 && field >> 3 == 9) {
			MUST(v >= 1 && v <= 4);
			of[v]++;
		}
	}
	MUST(p == end);
}

static void
perfetto(uint64_t n)
{
	uint64_t of[5] = {0};

	message(file[0].b.p, file[0].b.p + file[0].b.n, 0, of);
	/* Begins and moments; as many ends as begins. */
	MUST(of[1] == of[2] && of[1] + of[3] == n);
}

static const struct {
	const char *target;
	void (*check)(uint64_t n);
} checks[] = {
    {"chrome", chrome},	    {"jsonl", jsonl},
    {"csv", csv},	    {"tsv", tsv},
    {"mqsim", disk},	    {"disksim", disk},
    {"din", din},	    {"fio", fio},
    {"blktrace", blktrace}, {"libcachesim", libcachesim},
    {"oracle", oracle},	    {"ctf", ctf},
    {"parquet", parquet},   {"arrow", arrow},
    {"paraver", paraver},   {"perfetto", perfetto},
};

/* The target's form, and how many events it was given. */
static const struct form *real;
static uint64_t given;

static void
count_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	given += n;
	real->put(k, s, b, pick, n);
}

/* The options of `bits` that the target takes; the expression that chooses events. */
static const char *
options(struct export_options *to, struct write_options *w, unsigned bits)
{
	unsigned takes = to->target->takes;

	to->cells.numbers = takes & TAKES(NUMBERS) && bits & 1;
	to->v2 = takes & TAKES(V2) && bits & 1;
	to->file = takes & TAKES(FILE) && bits & 2 ? "/f" : NULL;
	to->actions = takes & TAKES(ACTIONS) && bits & 1 ? "QDC" : NULL;
	to->no_next = no_next = takes & TAKES(NO_NEXT) && bits & 1;
	to->cells.null = takes & TAKES(NULL) && bits & 1 ? "NA" : NULL;
	w->absolute = takes & TAKES(ABSOLUTE) && bits & 2;
	if (takes & TAKES(FIELDS) && bits & 4)
		to->cells.fields =
		    "time, loc1, event, size, x, kb = size / 1024, d = end - prev.time";
	if (takes & TAKES(COUNTERS) && bits & 4)
		to->counters = "size, rate = size / dur, x, late = time";
	if (takes & TAKES(SPLIT) && bits & 4) {
		to->split = 4096;
		return "size < 100K"; /* of each page there is a line */
	}
	return bits & 8 ? "size > 100 or dur? or x?" : NULL;
}

/* Writes the events of the file `path`. */
static int export(const struct target *t, unsigned bits, char *path)
{
	struct export_options to = {.target = t, .block = 1};
	struct write_options w = {.of = &to};
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .hz = bits & 16 ? 1000 : 0};
	struct event_copy p = {.test = options(&to, &w, bits)};
	struct sink *k = &p.sink;
	struct form form = *t->form;
	int status;

	real = t->form;
	given = 0;
	form.put = count_put;
	w.form = &form;
	event_copy_parse(&p);
	k->opt = w;
	out_memory(&k->out, &file[0].b);
	sink_begin(k, expr_need(p.expr), &opt);
	status = export_read(&p, &opt, &path, 1);
	status = event_copy_finish(&p, &opt, status);
	if (form.close(k) != ST_OK)
		status = ST_TROUBLE;
	out_flush(&k->out);
	out_memory_close(&k->out);
	expr_free(p.expr);
	while (opt.values) {
		struct format_values *v = opt.values;

		opt.values = v->next;
		free(v->options);
		free(v);
	}
	return status;
}

/* Takes the files of a directory; each ends with a NUL behind it. */
static void
take_files(const struct target *t)
{
	if (!t->form->directory) {
		nfiles = 1;
		snprintf(file[0].name, sizeof file[0].name, "%s", t->name);
	}
	for (size_t i = 0; i < nfiles; i++) {
		struct stat st;
		size_t n;

		if (t->form->directory) {
			if (fstat(file[i].fd, &st) < 0)
				abort();
			n = (size_t)st.st_size;
			file[i].b.n = 0;
			if (pread(file[i].fd, buf_room(&file[i].b, n + 1), n, 0) !=
			    (ssize_t)n)
				abort();
			file[i].b.n = n;
			close(file[i].fd);
		}
		*buf_room(&file[i].b, 1) = '\0';
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int input = -1;
	static char path[64];
	static size_t ntargets;
	const struct target *t;
	int status;

	if (input < 0) {
		if (!getenv("FUZZ_SAY"))
			warn_skip(UINT_MAX);
		input = memfd_create("in", 0);
		if (input < 0)
			abort();
		snprintf(path, sizeof path, "/proc/self/fd/%d", input);
		while (target_name(ntargets))
			ntargets++;
	}
	if (size < 2)
		return 0;
	t = target_named(target_name(data[0] % ntargets));
	if (ftruncate(input, 0) < 0 ||
	    pwrite(input, data + 2, size - 2, 0) != (ssize_t)size - 2)
		abort();
	nfiles = 0;
	file[0].b.n = 0;
	status = export(t, data[1], path);
	take_files(t);
	for (size_t i = 0; i < sizeof checks / sizeof *checks && status == ST_OK; i++)
		if (!strcmp(checks[i].target, t->name))
			checks[i].check(given);
	return 0;
}
