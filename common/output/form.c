/* form.c - the forms that are streams, or the records of the input. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "event/import.h"
#include "output/sink.h"
#include "stream/binary.h"
#include "stream/text.h"

/* The state of the forms that write a stream. */
struct streams {
	struct text_writer text;
	struct binary_writer binary;
	/* Binary: the records of a piece are kept, and get the numbers of the whole's tables
	 * when they are joined; so do those that are put behind them. NULL: no piece was joined. */
	struct tables *held;
	struct import import;
	struct buf kept, kept_at; /* and their places, uint32_t */
	unsigned
	    kept_epoch; /* of the source's tables, when a piece was kept or joined first */
};

/* The state of k, which is made when it is first asked for. */
static struct streams *
streams(struct sink *k)
{
	struct streams *x = k->state;

	if (!x) {
		x = k->state = xcalloc(1, sizeof *x);
		x->text = (struct text_writer){.out = &k->out,
					       .header = k->opt.header && !k->whole,
					       .absolute = k->opt.absolute,
					       .piece = k->whole != NULL};
		x->binary.out = &k->out;
		x->binary.absolute = k->opt.absolute;
	}
	return x;
}

/* Ends what binary pieces of an input began. */
static void
let_go(struct streams *x)
{
	if (x->held)
		tables_free(x->held);
	free(x->held);
	x->held = NULL;
	import_free(&x->import);
	memset(&x->import, 0, sizeof x->import);
	buf_free(&x->kept);
	buf_free(&x->kept_at);
}

static int
close_streams(struct sink *k)
{
	struct streams *x = k->state;

	if (x) {
		let_go(x);
		text_free(&x->text);
		binary_free(&x->binary);
	}
	free(x);
	k->state = NULL;
	return ST_OK;
}

bool
sink_has_header(struct sink *k)
{
	return streams(k)->text.open;
}

/* Why events were lost under the head at hand; NULL where none were. */
static const char *
lost_why(const struct source *s)
{
	return s->faults.where[0] ? s->faults.where : NULL;
}

static void
head_text(struct sink *k, struct source *s)
{
	struct streams *x = streams(k);

	text_head(&x->text, s);
}

static void
put_text(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	struct streams *x = streams(k);

	text_put(&x->text, s, b, pick, n);
}

static void
end_text(struct sink *k, struct source *s)
{
	struct streams *x = streams(k);

	text_finish(&x->text, s->faults.lost - s->faults.lost_before, lost_why(s));
}

static bool
join_text(struct sink *k, struct sink *piece)
{
	struct streams *x = streams(k), *p = streams(piece);

	x->text.events += p->text.events;
	p->text.events = 0;
	return true;
}

const struct form form_text = {
    .need = NEED_ALL,
    .head = head_text,
    .put = put_text,
    .end = end_text,
    .join = join_text,
    .close = close_streams,
};

/* Whose numbers have begun anew has those that it would have in one reading. */
static void
own_numbers(struct sink *k, const struct source *s)
{
	struct streams *x = streams(k);

	if (x->held && x->kept_epoch != s->t.epoch)
		let_go(x);
}

static void
head_binary(struct sink *k, struct source *s)
{
	struct streams *x = streams(k);
	struct source whole = *s;

	sink_no_terminal(k);
	own_numbers(k, s);
	if (x->held)
		whole.t = *x->held;
	binary_head(&x->binary, &whole);
}

/* Copies records to the end of `to`, and their places there to the end of x->kept_at. */
static void
keep(struct sink *k, struct buf *to, const struct batch *b, const uint32_t *pick,
     uint32_t n)
{
	struct streams *x = streams(k);
	uint32_t *at = (uint32_t *)(void *)buf_room(&x->kept_at, n * sizeof *at);

	x->kept_at.n += n * sizeof *at;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);

		at[i] = (uint32_t)to->n;
		if (unlikely(to->cap - to->n < (size_t)r->len + REC_SLACK))
			buf_room(to, r->len + REC_SLACK);
		rec_copy(to->p + to->n, (const uint8_t *)r, r->len);
		to->n += r->len;
	}
}

/*
 * Writes the records that `from`, k or a piece of it, has kept, with the numbers of x->held, which the strings and types
 * of all events get in the order in which they come, as they would in one reading.
 */
static void
put_kept(struct sink *k, struct sink *from)
{
	struct streams *x = streams(k), *p = streams(from);
	const struct tables *t = &from->source->t;
	struct buf *kept = from == k ? &x->kept : from->out.memory;
	const uint32_t *at = (const uint32_t *)(const void *)p->kept_at.p;
	size_t n = p->kept_at.n / sizeof *at;
	struct source whole = *k->source;
	struct batch b = {.base = kept->p};
	bool same;

	if (tables_full(x->held))
		tables_reset(x->held);
	import_all(&p->import, t);
	same = import_same(&p->import, t);
	for (; n; n -= b.n, at += b.n) {
		b.n = n < BATCH ? (uint32_t)n : BATCH;
		memcpy(b.off, at, b.n * sizeof *at);
		for (uint32_t i = 0; i < b.n && !same; i++) {
			struct rec *r = (struct rec *)(void *)(kept->p + at[i]);

			import_rec(&p->import, t, &t->type[r->type], r,
				   p->import.type[r->type] - 1);
		}
		whole.t = *x->held;
		binary_put(&x->binary, &whole, &b, NULL, b.n);
	}
	kept->n = p->kept_at.n = 0;
}

static void
put_binary(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	struct streams *x = streams(k);
	struct buf *to = k->out.memory;

	if (k->whole) {
		/* Where the numbers change within a piece, it is read again. */
		s->trouble |= to->n && x->kept_epoch != s->t.epoch;
		x->kept_epoch = s->t.epoch;
		keep(k, to, b, pick, n);
		return;
	}
	own_numbers(k, s);
	if (x->held) {
		keep(k, &x->kept, b, pick, n);
		put_kept(k, k);
	} else
		binary_put(&x->binary, s, b, pick, n);
}

static bool
join_binary(struct sink *k, struct sink *piece)
{
	struct streams *x = streams(k), *p = streams(piece);

	if (!piece->source)
		return true;
	if (!x->held) {
		x->held = xcalloc(1, sizeof *x->held);
		x->kept_epoch = k->source->t.epoch;
		tables_reset(x->held);
		x->import.types = x->import.strings = x->held;
		import_all(&x->import, &k->source->t);
		x->binary.epoch = x->held->epoch;
	}
	p->import.types = p->import.strings = x->held;
	p->import.shared = &x->import;
	put_kept(k, piece);
	return true;
}

static void
end_binary(struct sink *k, struct source *s)
{
	struct streams *x = streams(k);

	binary_finish(&x->binary, s->faults.lost - s->faults.lost_before, lost_why(s));
}

const struct form form_binary = {
    .need = NEED_ALL,
    .binary = true,
    .head = head_binary,
    .put = put_binary,
    .end = end_binary,
    .join = join_binary,
    .close = close_streams,
};

/* The form that an input's own is; a header is of text. */
static const struct form *
form_of(const struct sink *k, const struct source *s)
{
	return s->fmt->stream && !s->fmt->text && !k->opt.header ? &form_binary
								 : &form_text;
}

/* A line or a record is copied as it stands, unless its time changes. */
static void
begin_input(struct sink *k, struct read_options *opt)
{
	opt->streams_pass = !k->opt.absolute && !opt->hz;
	opt->need_stream = opt->need | NEED_RAW | (k->opt.header ? NEED_ALL : 0);
	opt->need |= NEED_ALL;
}

static void
head_input(struct sink *k, struct source *s)
{
	k->threads.pays = form_of(k, s) != &form_binary;
	form_of(k, s)->head(k, s);
}

static bool
join_input(struct sink *k, struct sink *piece)
{
	return !k->source || form_of(k, k->source)->join(k, piece);
}

static void
put_input(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	struct streams *x = streams(k);

	if (s->fmt->stream && s->fmt->text && s->opt->streams_pass)
		text_copy(&x->text, s, b, pick, n);
	else
		form_of(k, s)->put(k, s, b, pick, n);
}

static void
end_input(struct sink *k, struct source *s)
{
	form_of(k, s)->end(k, s);
}

const struct form form_input = {
    .begin = begin_input,
    .head = head_input,
    .put = put_input,
    .end = end_input,
    .join = join_input,
    .close = close_streams,
};

static bool
join_none(struct sink *k, struct sink *piece)
{
	(void)k;
	(void)piece;
	return true;
}

const struct form form_none = {.join = join_none};
