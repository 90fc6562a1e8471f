/* form.c - the forms that are streams, or the records of the input. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "input/lateness.h"
#include "output/sink.h"

/* Why events were lost under the head at hand; NULL where none were. */
static const char *
lost_why(const struct source *s)
{
	return s->lost_where[0] ? s->lost_where : NULL;
}

static void
head_text(struct sink *k, struct source *s)
{
	text_head(&k->text, s);
}

static void
put_text(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	text_put(&k->text, s, b, pick, n);
}

static void
end_text(struct sink *k, struct source *s)
{
	char most[32], line[96];

	/* Of a merged stream: how many events came too late, and how late at most. */
	if (s->late && k->text.open) {
		lateness_text(most, s->head.clock, s->late_by);
		snprintf(line, sizeof line, "##late\tevents=%llu\tmost=%s\n",
			 (unsigned long long)s->late, most);
		out_str(&k->out, line);
	}
	text_finish(&k->text, s->lost - s->lost_before, lost_why(s));
}

static bool
join_text(struct sink *k, struct sink *piece)
{
	k->text.events += piece->text.events;
	piece->text.events = 0;
	return true;
}

const struct form form_text = {
    .need = NEED_ALL,
    .head = head_text,
    .put = put_text,
    .end = end_text,
    .join = join_text,
};

/* Whose numbers have begun anew has those that it would have in one reading. */
static void
own_numbers(struct sink *k, const struct source *s)
{
	if (k->held && k->kept_epoch != s->t.epoch)
		sink_let_go(k);
}

static void
head_binary(struct sink *k, struct source *s)
{
	struct source whole = *s;

	sink_no_terminal(k);
	own_numbers(k, s);
	if (k->held)
		whole.t = *k->held;
	binary_head(&k->binary, &whole);
}

/* Copies records to the end of `to`, and their places there to the end of k->kept_at. */
static void
keep(struct sink *k, struct buf *to, const struct batch *b, const uint32_t *pick,
     uint32_t n)
{
	uint32_t *at = (uint32_t *)(void *)buf_room(&k->kept_at, n * sizeof *at);

	k->kept_at.n += n * sizeof *at;
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
 * Writes the records that `from`, k or a piece of it, has kept, with the numbers of k->held, which the strings and types
 * of all events get in the order in which they come, as they would in one reading.
 */
static void
put_kept(struct sink *k, struct sink *from)
{
	const struct tables *t = &from->source->t;
	struct buf *kept = from == k ? &k->kept : from->out.memory;
	const uint32_t *at = (const uint32_t *)(const void *)from->kept_at.p;
	size_t n = from->kept_at.n / sizeof *at;
	struct source whole = *k->source;
	struct batch b = {.base = kept->p};
	bool same;

	if (tables_full(k->held))
		tables_reset(k->held);
	import_all(&from->import, t);
	same = import_same(&from->import, t);
	for (; n; n -= b.n, at += b.n) {
		b.n = n < BATCH ? (uint32_t)n : BATCH;
		memcpy(b.off, at, b.n * sizeof *at);
		for (uint32_t i = 0; i < b.n && !same; i++) {
			struct rec *r = (struct rec *)(void *)(kept->p + at[i]);

			import_rec(&from->import, t, &t->type[r->type], r,
				   from->import.type[r->type] - 1);
		}
		whole.t = *k->held;
		binary_put(&k->binary, &whole, &b, NULL, b.n);
	}
	kept->n = from->kept_at.n = 0;
}

static void
put_binary(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	struct buf *to = k->out.memory;

	if (k->whole) {
		/* Where the numbers change within a piece, it is read again. */
		s->trouble |= to->n && k->kept_epoch != s->t.epoch;
		k->kept_epoch = s->t.epoch;
		keep(k, to, b, pick, n);
		return;
	}
	own_numbers(k, s);
	if (k->held) {
		keep(k, &k->kept, b, pick, n);
		put_kept(k, k);
	} else
		binary_put(&k->binary, s, b, pick, n);
}

static bool
join_binary(struct sink *k, struct sink *piece)
{
	if (!piece->source)
		return true;
	if (!k->held) {
		k->held = xcalloc(1, sizeof *k->held);
		k->kept_epoch = k->source->t.epoch;
		tables_reset(k->held);
		k->import.types = k->import.strings = k->held;
		import_all(&k->import, &k->source->t);
		k->binary.epoch = k->held->epoch;
	}
	piece->import.types = piece->import.strings = k->held;
	piece->import.shared = &k->import;
	put_kept(k, piece);
	return true;
}

static void
end_binary(struct sink *k, struct source *s)
{
	binary_finish(&k->binary, s->lost - s->lost_before, lost_why(s));
}

const struct form form_binary = {
    .need = NEED_ALL,
    .binary = true,
    .head = head_binary,
    .put = put_binary,
    .end = end_binary,
    .join = join_binary,
};

/* Once an input, also where several heads are in it. */
static void
head_native(struct sink *k, struct source *s)
{
	if (k->begun == s->id)
		return;
	if (!s->native)
		die("%s: the format %s has no native form that can be written", s->name,
		    s->fmt->name);
	if (!s->fmt->text)
		sink_no_terminal(k);
	if (s->fmt->native_begin)
		s->fmt->native_begin(s, &k->out);
	k->begun = s->id;
}

static void
put_native(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;

		if (s->fmt->native_put)
			s->fmt->native_put(s, &k->out, batch_rec(b, at), b->raw[at]);
		else
			out_bytes(&k->out, b->raw[at].p, b->raw[at].n);
	}
	if (k->out.line)
		out_flush(&k->out);
}

static void
end_native(struct sink *k, struct source *s)
{
	if (s->fmt->native_end)
		s->fmt->native_end(s, &k->out);
}

static bool
join_none(struct sink *k, struct sink *piece)
{
	(void)k;
	(void)piece;
	return true;
}

const struct form form_native = {
    .need = NEED_ORDER | NEED_RAW,
    .head = head_native,
    .put = put_native,
    .end = end_native,
    .join = join_none,
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
	if (s->fmt->stream && s->fmt->text && s->opt->streams_pass)
		text_copy(&k->text, s, b, pick, n);
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
};

const struct form form_none = {.join = join_none};
