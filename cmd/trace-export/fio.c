/* fio.c - requests as an iolog of fio, which replays them: version 3, with a time in microseconds before each
 * request, or version 2, with lines that make fio wait. Each file is added and opened before its first request,
 * and closed at the end, unless events of the trace do that. */
#include "base/masks.h"
#include "base/put.h"
#include "input/cached_text.h"
#include "trace-export/tally.h"
#include "view/view_request.h"

/* Limit of a name in fio, in bytes. */
#define NAME_MOST 255
/* Bound: trace-export fio | files | places | 65536 | more than 65536 locs */
#define FILES_MOST 65536
#define FOLDER "/spoor/"

struct fio {
	struct tally tally;
	bool v2, begun;
	const char *file;    /* --replay-file */
	struct strtab files; /* files of the log */
	struct buf state;    /* enum log_state of each file, a byte */
	uint32_t shut;	     /* files that are not open */
	/* number of closes in the log, or, in a part, before the part */
	uint64_t closes;
	/* By loc: " FILE ", without the first blank in version 2; empty if the loc cannot have a file. */
	struct text_cache places;
	uint64_t first, waited; /* v2: time of the first event in ns; last wait in ms */
};

/* State of a file in the log: not named yet, added, or open. */
enum log_state {
	NEW,
	ADDED,
	OPEN
};

/* Words of operations, by the number of their bit. */
static const struct {
	char text[12];
	uint8_t n;
} words[] = {{"read ", 5}, {"write ", 6}, {"", 0},
	     {"trim ", 5}, {"sync ", 5},  {"datasync ", 9}};

static const struct op_name operations[] = {{"trim discard", OP_TRIM},
					    {"sync fsync", OP_SYNC},
					    {"datasync fdatasync", OP_DATASYNC},
					    {"add", OP_ADD},
					    {"open", OP_OPEN},
					    {"close", OP_CLOSE},
					    {0}};

static void
fio_begin(struct sink *k, struct read_options *opt)
{
	struct fio *f = tally_open(k, opt, sizeof *f);

	f->v2 = export_asked(k)->v2;
	f->first = UINT64_MAX;
	f->file = export_asked(k)->file;
	/* A part begins with the files of the whole. */
	if (k->whole) {
		const struct fio *whole = k->whole->state;

		f->shut = whole->shut;
		f->closes = whole->closes;
		for (uint32_t i = 0; i < whole->files.n; i++)
			strtab_id(&f->files, whole->files.v[i].s, whole->files.v[i].len);
		buf_add(&f->state, whole->state.p, whole->state.n);
	}
	if (!f->file)
		return;
	f->tally.carries &= ~(unsigned)NEED_LOC;
	if (!*f->file || strpbrk(f->file, " \t\n") || strlen(f->file) > NAME_MOST)
		die("--replay-file %s: fio takes a name of at most %d bytes without a "
		    "blank",
		    f->file, NAME_MOST);
}

static void
fio_head(struct sink *k, struct source *s)
{
	struct fio *f = k->state;

	(void)s;
	if (!f->begun)
		out_str(&k->out, f->v2 ? "fio version 2 iolog\n" : "fio version 3 iolog\n");
	f->begun = true;
}

/* Writes "TIME FILE ACTION\n"; without a time in version 2. */
static void
put_action(struct sink *k, uint64_t us, const struct str *file, const char *action)
{
	const struct fio *f = k->state;
	struct out *o = &k->out;

	if (!f->v2) {
		o->p = put_u64(out_room(o), us);
		*o->p++ = ' ';
	}
	out_bytes(o, file->s, file->len);
	out_str(o, action);
}

/* Writes the actions that a file needs before the operation `op`: OP_ADD, OP_OPEN or OP_CLOSE; any other
 * operation needs an open file. `at` has the name of the file. */
static COLD void
set_state(struct sink *k, const struct cached_text *at, unsigned op, uint64_t us)
{
	struct fio *f = k->state;
	uint32_t id = strtab_id(&f->files, at->p + !f->v2, at->n - 1u - !f->v2);
	const struct str *name = &f->files.v[id];
	uint8_t *state = &f->state.p[id], before = *state;
	enum log_state want = op == OP_ADD ? ADDED : op == OP_CLOSE ? NEW : OPEN;

	for (; *state < want; ++*state)
		put_action(k, us, name, *state == NEW ? " add\n" : " open\n");
	if (op == OP_CLOSE && before == OPEN) {
		put_action(k, us, name, " close\n");
		*state = ADDED;
		f->closes++;
	}
	f->shut += before == OPEN;
	f->shut -= *state == OPEN;
	/* A part could not know the state of the file before it. */
	f->tally.again |= *state != before;
}

/* Finds the file of a loc: a name in a folder that does not exist, or --replay-file. */
static void
new_place(struct sink *k, const struct source *s, uint32_t loc)
{
	struct fio *f = k->state;
	const struct str *name = &s->t.str.v[loc];
	struct strtab *files = &f->files;
	struct buf b = {0}, text = {0};
	uint32_t id, before = files->n;

	if (f->file)
		buf_str(&b, f->file);
	else {
		buf_str(&b, FOLDER);
		buf_to(&b,
		       put_name(buf_room(&b, 4 * (size_t)name->len), name->s, name->len));
		for (size_t i = strlen(FOLDER); i < b.n; i++)
			if (b.p[i] == '/')
				b.p[i] = '-';
	}
	if (b.n <= NAME_MOST &&
	    (before < FILES_MOST || strtab_find(files, b.p, b.n, &id))) {
		id = strtab_id(files, b.p, b.n);
		if (files->n > before) {
			buf_byte(&f->state, NEW);
			f->shut++;
		}
		if (!f->v2)
			buf_byte(&text, ' ');
		buf_add(&text, b.p, b.n);
		buf_byte(&text, ' ');
	}
	cached_text_set(&f->places, loc, &text);
	buf_free(&b);
	buf_free(&text);
}

/* Writes a wait until the time of a request, in milliseconds since the first one, for version 2. */
static uint8_t *
put_wait(struct fio *f, struct out *o, uint8_t *p, const struct cached_text *at,
	 uint64_t ns)
{
	uint64_t ms;

	f->tally.again = true; /* a part does not know the first request */
	if (f->first == UINT64_MAX)
		f->first = ns;
	ms = (ns - f->first + 500000) / 1000000;
	if (ms <= f->waited)
		return p;
	f->waited = ms;
	p = cached_text_put(o, p, at);
	memcpy(p, "wait ", 5);
	p = put_u64(p + 5, ms);
	memcpy(p, " 0\n", 3);
	return out_room_at(o, p + 3);
}

static void
fio_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	uint32_t n)
{
	struct fio *f = k->state;
	struct tally *t = &f->tally;
	struct out *o = &k->out;
	uint8_t *p = out_room(o);
	bool v2 = f->v2;

	tally_bind(t, s);
	cached_text_bind(&f->places, s);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		const struct cached_text *at = &f->places.v[r->loc];
		struct export_request q;
		uint64_t us;

		if (!tally_request(t, r, &q))
			continue;
		/* fio would take a time of 0 as missing, and would not wait for the next one. */
		us = q.time / 1000 + 1;
		if (unlikely(!at->p))
			new_place(k, s, r->loc);
		if (unlikely(!at->n)) {
			tally_skip(t, SKIP_FILES);
			continue;
		}
		p = out_room_at(o, p);
		if (unlikely(v2))
			p = put_wait(f, o, p, at, q.time);
		if (unlikely(f->shut || q.op >= OP_ADD)) {
			o->p = p;
			set_state(k, at, q.op, us);
			p = out_room(o);
		}
		if (likely(q.op < OP_ADD)) {
			const unsigned word = low_bit(q.op);

			if (likely(!v2))
				p = put_u64(p, us);
			p = cached_text_put(o, p, at);
			memcpy(p, words[word].text, sizeof words[word].text);
			p = put_u64(p + words[word].n, q.addr);
			*p++ = ' ';
			p = put_u64(p, q.size);
			*p++ = '\n';
		}
		tally_event(t, r);
	}
	o->p = p;
	if (o->line)
		out_flush(o);
}

static int
close_fio(struct sink *k)
{
	struct fio *f = k->state;

	for (uint32_t i = 0; i < f->files.n && !k->whole; i++)
		if (f->state.p[i] == OPEN)
			put_action(k, (uint64_t)f->tally.last / 1000 + 1, &f->files.v[i],
				   " close\n");
	strtab_free(&f->files);
	buf_free(&f->state);
	cached_text_free(&f->places);
	return tally_form_close(k);
}

/* Joins a part. Returns false also if a file was closed after the part began. */
static bool
fio_join(struct sink *k, struct sink *piece)
{
	const struct fio *f = k->state, *p = piece->state;

	return f->closes == p->closes && tally_join(k, piece);
}

static const struct form form = {.begin = fio_begin,
				 .head = fio_head,
				 .put = fio_put,
				 .join = fio_join,
				 .close = close_fio};

const struct target target_fio = {
    .name = "fio",
    .about =
	"an iolog, whose requests fio replays (from version 3.31; --v2 for older ones)",
    .takes = TAKES(FILE) | TAKES(V2) | TAKES(BLOCK),
    .carries = NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE,
    .needs = HAS_ADDR | HAS_SIZE,
    .ops = OP_READ | OP_WRITE | OP_TRIM,
    .names = operations,
    .timed = true,
    .filled = true,
    .size_most = UINT32_MAX,
    .form = &form,
};
