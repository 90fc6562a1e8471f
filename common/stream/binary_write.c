/* binary_write.c - writes events as blocks of records. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "input/fault.h"
#include "stream/binary.h"
#include "stream/rec_swap.h"

#define SYMS_MANY 1 /* not an offset: see binary_writer.syms */

static void
add32(struct buf *b, uint32_t v)
{
	v = HOST_BIG ? swap32(v) : v;
	buf_add(b, &v, 4);
}

static void
add64(struct buf *b, uint64_t v)
{
	v = HOST_BIG ? swap64(v) : v;
	buf_add(b, &v, 8);
}

/* Replaces a number that add32 has written at `at`. */
static void
set32(uint8_t *at, uint32_t v)
{
	st32(at, HOST_BIG ? swap32(v) : v);
}

static void
add_str(struct buf *b, const char *s, size_t n)
{
	add32(b, (uint32_t)n);
	buf_add(b, s, n);
}

/* Begins a block at the end of b. Returns its offset in b. */
static size_t
block_start(struct buf *b, uint32_t kind)
{
	size_t at = b->n;

	add32(b, kind);
	add32(b, 0);
	return at;
}

/* Ends the block that begins at offset `at`: pads it to a multiple of 8 bytes, and sets its length. */
static void
block_close(struct binary_writer *w, struct buf *b, size_t at)
{
	static const uint8_t zeros[8];

	buf_add(b, zeros, -(b->n - at) & 7);
	if (b->n - at > IN_LONGEST)
		die("a type, a name or the metadata is too long for the binary stream");
	set32(b->p + at + 4, (uint32_t)(b->n - at));
	w->blocks++;
}

static void
binary_write_put(struct binary_writer *w, const void *p, size_t n)
{
	out_bytes(w->out, p, n);
	w->bytes += n;
}

static void
block_out(struct binary_writer *w)
{
	block_close(w, &w->scratch, 0);
	binary_write_put(w, w->scratch.p, w->scratch.n);
	w->scratch.n = 0;
}

/* Adds the entry b to the entry a before it. */
static void
entry_add(struct index_entry *a, const struct index_entry *b)
{
	a->end = b->end;
	a->tmin = a->tmin < b->tmin ? a->tmin : b->tmin;
	a->tmax = a->tmax > b->tmax ? a->tmax : b->tmax;
	a->events += b->events;
	a->blocks += b->blocks;
	a->names += b->names;
}

/* Adds the DATA block that was written last, and the other blocks before it, to the index. */
static void
index_data(struct binary_writer *w)
{
	uint32_t blocks = (uint32_t)(w->blocks - w->indexed);
	struct index_entry one = {
	    .end = w->bytes,
	    .tmin = w->tmin ^ w->flip,
	    .tmax = w->tmax ^ w->flip,
	    .events = w->records,
	    .blocks = blocks,
	    .names = blocks - 1,
	};

	if (!w->in_entry)
		w->now = (struct index_entry){.tmin = UINT64_MAX};
	entry_add(&w->now, &one);
	w->data_blocks++;
	w->indexed = w->blocks;
	if (++w->in_entry < w->per)
		return;
	w->in_entry = 0;
	*PUSH(w->index, w->nindex, w->index_cap) = w->now;
	if (w->nindex < INDEX_MOST)
		return;
	for (size_t i = 0; i < w->nindex; i += 2) {
		w->index[i / 2] = w->index[i];
		entry_add(&w->index[i / 2], &w->index[i + 1]);
	}
	w->nindex /= 2;
	w->per *= 2;
}

/* Writes the index, if there are enough DATA blocks. Returns its length in bytes. */
static uint64_t
index_out(struct binary_writer *w)
{
	struct buf *b = &w->scratch;
	uint64_t before = w->bytes;

	if (w->data_blocks < INDEX_FROM)
		return 0;
	if (w->in_entry)
		*PUSH(w->index, w->nindex, w->index_cap) = w->now;
	block_start(b, BLOCK_INDEX);
	for (size_t i = 0; i < w->nindex; i++) {
		const struct index_entry *e = &w->index[i];

		add64(b, e->end);
		add64(b, e->tmin ^ w->flip);
		add64(b, e->tmax ^ w->flip);
		add64(b, e->events);
		add32(b, e->blocks);
		add32(b, e->names);
	}
	block_out(w);
	return w->bytes - before;
}

/* Ends the current STR block. */
static void
strings_close(struct binary_writer *w)
{
	if (!w->strings)
		return;
	set32(w->strs.p + w->strings_at + 12, w->strings);
	block_close(w, &w->strs, w->strings_at);
	w->strings = 0;
}

static void
data_out(struct binary_writer *w)
{
	uint8_t *p = w->block;
	struct {
		uint32_t kind, bytes, records, zero;
		uint64_t tmin, tmax;
	} head = {BLOCK_DATA, (uint32_t)w->n, w->records, 0, w->tmin, w->tmax};

	if (!w->records)
		return;
	if (HOST_BIG) {
		head.kind = swap32(head.kind);
		head.bytes = swap32(head.bytes);
		head.records = swap32(head.records);
		head.tmin = swap64(head.tmin);
		head.tmax = swap64(head.tmax);
	}
	memcpy(p, &head, DATA_HEAD);
	strings_close(w);
	binary_write_put(w, w->strs.p, w->strs.n);
	binary_write_put(w, w->types.p, w->types.n);
	w->strs.n = w->types.n = 0;
	binary_write_put(w, p, w->n);
	w->blocks++;
	w->events += w->records;
	index_data(w);
	w->records = 0;
	w->n = DATA_HEAD;
}

void
binary_head(struct binary_writer *w, struct source *s)
{
	const struct head *h = &s->head;
	bool again = w->open && w->head_serial == s->head_serial;
	struct buf *b;

	if (w->open && !again)
		binary_finish(w, 0, NULL);
	data_out(w);
	b = &w->scratch;
	block_start(b, BLOCK_HEAD);
	buf_add(b, BINARY_MAGIC, 8);
	add32(b, BINARY_VERSION);
	add32(b, again); /* flag 1: the stream goes on, and only the numbers start anew */
	add32(b, h->clock == CLOCK_TICKS);
	add32(b, h->nlocparts);
	add64(b, w->absolute ? 0 : (uint64_t)h->origin);
	add32(b, (uint32_t)h->nmeta);
	add_str(b, h->format, strlen(h->format));
	for (unsigned i = 0; i < h->nlocparts; i++)
		add_str(b, h->locpart[i], strlen(h->locpart[i]));
	for (size_t i = 0; i < h->nmeta; i++) {
		add_str(b, h->meta[i].key, strlen(h->meta[i].key));
		add_str(b, h->meta[i].value, strlen(h->meta[i].value));
	}
	block_out(w);
	w->flip = time_flip(h->clock);
	w->per = w->per ? w->per : 1;
	w->open = true;
	w->head_serial = s->head_serial;
	w->epoch = s->t.epoch;
	w->nstr = 1; /* string 0, "-", is known */
	w->ntypes = 0;
}

/* Writes all new strings up to number id before the block of the first record that uses them; types_upto does the
 * same for types. So the bytes of the stream depend on the records alone, not on the division into batches. */
static COLD void
strings_upto(struct binary_writer *w, const struct tables *t, uint32_t id)
{
	for (; w->nstr <= id && w->nstr < t->str.n; w->nstr++) {
		if (w->strings && w->strs.n - w->strings_at >= BINARY_BLOCK / 2)
			strings_close(w);
		if (!w->strings) {
			w->strings_at = block_start(&w->strs, BLOCK_STR);
			add32(&w->strs, w->nstr);
			add32(&w->strs, 0);
		}
		add_str(&w->strs, t->str.v[w->nstr].s, t->str.v[w->nstr].len);
		w->strings++;
	}
}

static COLD void
types_upto(struct binary_writer *w, const struct tables *t, uint32_t id)
{
	struct buf *b = &w->types;

	GROW(w->syms, w->syms_cap, id + 1);
	for (; w->ntypes <= id; w->ntypes++) {
		const struct type *ty = &t->type[w->ntypes];
		size_t at = block_start(b, BLOCK_TYPE);

		w->syms[w->ntypes] = 0;
		add32(b, w->ntypes);
		add32(b, ty->must | (uint32_t)ty->may << 8 | (uint32_t)ty->addr_hex << 16);
		add32(b, ty->fixed);
		add32(b, ty->nargs);
		add_str(b, ty->event, ty->event_len);
		for (uint32_t i = 0; i < ty->nargs; i++) {
			const struct arg *a = &ty->args[i];

			if (a->kind == K_SYM)
				w->syms[w->ntypes] =
				    w->syms[w->ntypes] || a->array ? SYMS_MANY : a->off;
			add32(b, a->kind | (uint32_t)a->array << 8);
			add32(b, a->off);
			add32(b, a->labels ? a->labels->n : 0);
			add_str(b, a->name, strlen(a->name));
			for (uint32_t k = 0; a->labels && k < a->labels->n; k++) {
				add64(b, (uint64_t)a->labels->v[k].value);
				add_str(b, a->labels->v[k].name,
					strlen(a->labels->v[k].name));
			}
			if (a->kind == K_CONST)
				add_str(b, a->text, strlen(a->text));
		}
		block_close(w, b, at);
	}
}

/* Returns the greatest number of a string among a record's arguments. */
static uint32_t
greatest_sym(const struct type *ty, const struct rec *r)
{
	uint32_t most = 0, n, id;
	const uint8_t *p;

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];

		if (a->kind != K_SYM)
			continue;
		p = (const uint8_t *)r + a->off;
		n = 1;
		if (a->array && !rec_span(r, a, &p, &n))
			continue;
		for (; n; n--, p += 4) {
			id = ld32(p);
			most = id > most ? id : most;
		}
	}
	return most;
}

/* Writes the types and strings that a record uses, if they are not written yet, so that a reader knows them when
 * it reads the record. */
static inline void
names_out(struct binary_writer *w, const struct tables *t, const struct rec *r)
{
	uint32_t syms;

	if (unlikely(r->type >= w->ntypes))
		types_upto(w, t, r->type);
	syms = w->syms[r->type];
	if (unlikely(r->loc >= w->nstr))
		strings_upto(w, t, r->loc);
	if (unlikely(syms)) {
		uint32_t id = syms == SYMS_MANY ? greatest_sym(&t->type[r->type], r)
						: ld32((const uint8_t *)r + syms);

		if (unlikely(id >= w->nstr))
			strings_upto(w, t, id);
	}
}

/* Writes the current DATA block, so that a record of `len` bytes has room in a new one. Returns false, after a
 * message, if the record is too long for any block: the event is lost. */
static COLD bool
block_room(struct binary_writer *w, struct source *s, uint32_t len)
{
	data_out(w);
	if (len > IN_LONGEST - DATA_HEAD) {
		fault(s, NULL, COST_EVENT, s->name, NOWHERE,
		      "an event of %u bytes is too long for the binary stream: skipped",
		      len);
		return false;
	}
	if (len > w->cap - DATA_HEAD) {
		w->cap = len + DATA_HEAD;
		w->block = xrealloc(w->block, w->cap + REC_SLACK, 1);
	}
	return true;
}

void
binary_put(struct binary_writer *w, struct source *s, const struct batch *b,
	   const uint32_t *pick, uint32_t n)
{
	int64_t shift = head_shift(&s->head, w->absolute);
	uint64_t flip, tmin, tmax;
	uint32_t records;
	uint8_t *to, *end;
	bool fits;

	if (w->head_serial != s->head_serial || w->epoch != s->t.epoch)
		binary_head(w, s);
	if (!w->block) {
		w->cap = BINARY_BLOCK;
		w->block = xmalloc(w->cap + REC_SLACK);
		w->n = DATA_HEAD;
	}
	flip = time_flip(s->head.clock);
	tmin = w->records ? w->tmin ^ flip : UINT64_MAX;
	tmax = w->records ? w->tmax ^ flip : 0;
	records = w->records;
	to = w->block + w->n;
	end = w->block + w->cap;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint64_t time = (uint64_t)r->time ^ flip;

		if (unlikely(r->len > (size_t)(end - to))) {
			w->n = (size_t)(to - w->block);
			w->records = records;
			w->tmin = tmin ^ flip;
			w->tmax = tmax ^ flip;
			fits = block_room(w, s, r->len);
			to = w->block + DATA_HEAD;
			end = w->block + w->cap;
			records = 0;
			tmin = UINT64_MAX;
			tmax = 0;
			if (!fits)
				continue;
		}
		if (unlikely(shift)) /* the clock is then CLOCK_NS */
			time = (uint64_t)time_plus(CLOCK_NS, r->time, shift) ^ flip;
		names_out(w, &s->t, r);
		rec_copy(to, (const uint8_t *)r, r->len);
		if (unlikely(shift))
			((struct rec *)(void *)to)->time = (int64_t)(time ^ flip);
		if (HOST_BIG)
			rec_swap((struct rec *)(void *)to, &s->t.type[r->type], true);
		to += r->len;
		tmin = time < tmin ? time : tmin;
		tmax = time > tmax ? time : tmax;
		records++;
	}
	w->n = (size_t)(to - w->block);
	w->records = records;
	w->tmin = tmin ^ flip;
	w->tmax = tmax ^ flip;
	if (w->out->line) {
		data_out(w);
		out_flush(w->out);
	}
}

void
binary_finish(struct binary_writer *w, uint64_t lost, const char *error)
{
	struct buf *b = &w->scratch;
	uint64_t index;

	data_out(w);
	if (error) {
		block_start(b, BLOCK_LOST);
		add64(b, lost);
		add_str(b, error, strlen(error));
		block_out(w);
	}
	index = index_out(w);
	block_start(b, BLOCK_END);
	add64(b, w->blocks);
	add64(b, w->events);
	if (index)
		add64(b, index);
	block_out(w);
	w->open = false;
	w->blocks = w->events = w->bytes = w->data_blocks = w->indexed = 0;
	w->nindex = w->in_entry = w->per = 0;
}

void
binary_free(struct binary_writer *w)
{
	free(w->block);
	free(w->syms);
	free(w->index);
	buf_free(&w->strs);
	buf_free(&w->types);
	buf_free(&w->scratch);
	memset(w, 0, sizeof *w);
}
