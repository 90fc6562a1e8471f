/*
 * fio.c - requests as an iolog of fio, which replays them: version 3, with a time in
 * microseconds before each, or version 2, which waits between them. Each file is added and
 * opened before its first request, and closed at the end.
 */
#include "base/put.h"
#include "input/kept.h"
#include "export/tally.h"

/* Bytes of a name that fio reads. */
#define NAME_MOST 255
/* Bound: trace-export fio | files | places | 65536 | different locs */
#define FILES_MOST 65536
#define FOLDER "/spoor/"

struct fio {
	struct tally tally;
	bool v2, begun;
	const char *file;    /* --file */
	struct strtab files; /* those that are open */
	/* By loc: " FILE ", without the first blank in version 2; nothing of a loc that can
	 * have no file. */
	struct kept places;
	uint64_t last; /* v2: time of the last request in us */
};

static void
fio_begin(struct sink *k, struct read_options *opt)
{
	struct fio *f = tally_open(k, opt, sizeof *f);

	f->v2 = k->opt.export->v2;
	f->file = k->opt.export->file;
	/* In a piece all files are open that were open before; it opens none. */
	if (k->whole) {
		const struct fio *whole = k->whole->state;

		for (uint32_t i = 0; i < whole->files.n; i++)
			strtab_id(&f->files, whole->files.v[i].s, whole->files.v[i].len);
	}
	if (!f->file)
		return;
	f->tally.carries &= ~(unsigned)NEED_LOC;
	if (!*f->file || strpbrk(f->file, " \t\n") || strlen(f->file) > NAME_MOST)
		die("--file %s: fio takes a name of at most %d bytes without a blank",
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

/* "TIME FILE ACTION\n", without a time in version 2. */
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

/* The file of a loc: a name in a folder that is not there, unless --file says another. */
static void
new_place(struct sink *k, const struct source *s, uint32_t loc, uint64_t us)
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
		f->tally.again |= files->n > before;
		if (files->n > before && !k->whole) {
			put_action(k, us, &files->v[id], " add\n");
			put_action(k, us, &files->v[id], " open\n");
		}
		if (!f->v2)
			buf_byte(&text, ' ');
		buf_add(&text, b.p, b.n);
		buf_byte(&text, ' ');
	}
	kept_set(&f->places, loc, &text);
	buf_free(&b);
	buf_free(&text);
}

/* Version 2: waits for what lies between a request and the one before. */
static uint8_t *
put_wait(struct fio *f, struct out *o, uint8_t *p, const struct kept_text *at, uint64_t us)
{
	uint64_t wait = us - f->last;

	f->last = us;
	f->tally.again = true; /* of a piece: the one before is not known */
	if (!wait)
		return p;
	p = kept_put(o, p, at);
	memcpy(p, "wait ", 5);
	p = put_u64(p + 5, wait);
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
	kept_bind(&f->places, s);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		const struct kept_text *at = &f->places.v[r->loc];
		struct request q;
		uint64_t us;

		if (!tally_request(t, r, &q))
			continue;
		us = q.time / 1000;
		if (unlikely(!at->p)) {
			o->p = p;
			new_place(k, s, r->loc, us);
			p = o->p;
		}
		if (unlikely(!at->n)) {
			tally_skip(t, SKIP_FILES);
			continue;
		}
		p = out_room_at(o, p);
		p = unlikely(v2) ? put_wait(f, o, p, at, us) : put_u64(p, us);
		p = kept_put(o, p, at);
		memcpy(p, q.op == OP_READ ? "read  " : "write ", 6);
		p = put_u64(p + (q.op == OP_READ ? 5 : 6), q.addr);
		*p++ = ' ';
		p = put_u64(p, q.size);
		*p++ = '\n';
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
		put_action(k, (uint64_t)f->tally.last / 1000, &f->files.v[i], " close\n");
	strtab_free(&f->files);
	kept_free(&f->places);
	return tally_form_close(k);
}

static const struct form form = {.begin = fio_begin,
				 .head = fio_head,
				 .put = fio_put,
				 .join = tally_join,
				 .close = close_fio};

const struct target target_fio = {
    .name = "fio",
    .about =
	"an iolog, whose requests fio replays (from version 3.31; --v2 for older ones)",
    .takes = TAKES(FILE) | TAKES(V2) | TAKES(BLOCK),
    .carries = NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE,
    .needs = HAS_ADDR | HAS_SIZE,
    .ops = OP_READ | OP_WRITE,
    .timed = true,
    .form = &form,
};
