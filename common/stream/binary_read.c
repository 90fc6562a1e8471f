/*
 * binary_read.c - reads the binary stream without copying: a batch points into the block.
 *
 * binary_blocks.c checks the tables when they are read, so each record needs only checks of its own length, type
 * and offsets. After a damaged record, the rest of its block is lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "input/fault.h"
#include "stream/binary_read.h"
#include "stream/rec_swap.h"

/* Checks the elements of an array of strings, or of numbers of strings. Returns false if one is invalid. */
static bool
elements_ok(const struct check *c, const struct rec *r, const uint8_t *p, uint32_t n,
	    uint32_t nstr)
{
	for (; n; n--, p += c->width)
		if (c->symbols ? ld32(p) >= nstr
			       : ld32(p) > r->len || ld32(p + 4) > r->len - ld32(p))
			return false;
	return true;
}

/* Checks the variable arguments of a record, and the numbers of its strings. Returns false if one is invalid. This
 * is done even if the consumer does not need arguments, so that counts do not depend on that. */
static bool
parts_ok(const struct check *c, uint32_t n, const struct rec *r, uint32_t nstr)
{
	for (; n; n--, c++) {
		const uint8_t *at = (const uint8_t *)r + c->off;
		uint32_t off = ld32(at);

		if (!c->width) {
			if (off >= nstr)
				return false;
			continue;
		}
		if (off > r->len || (uint64_t)ld32(at + 4) * c->width > r->len - off ||
		    (c->strings &&
		     !elements_ok(c, r, (const uint8_t *)r + off, ld32(at + 4), nstr)))
			return false;
	}
	return true;
}

/* Returns true if a record is valid. Its first len bytes must be readable. */
static INLINE bool
rec_ok(const struct checks *checks, const struct check *check, const struct rec *r,
       uint32_t len, uint32_t ntypes, uint32_t nstr)
{
	const struct checks *c;

	if (r->type >= ntypes)
		return false;
	c = &checks[r->type];
	return len >= c->fixed && r->loc < nstr && (r->has & c->may_not) == 0 &&
	       (c->must & ~r->has) == 0 &&
	       (!c->n || parts_ok(check + c->first, c->n, r, nstr));
}

/* After so many records of one length, the next ones are expected to have this length too. */
#define ALIKE 8

/* Adds records from p on to b, up to `most` in all, as long as they have the length len, so that the loop need not
 * wait for each length. Returns the place of the next record. */
static const uint8_t *
take_alike(const struct source *s, const uint8_t *p, const uint8_t *end, uint32_t len,
	   uint32_t most, struct batch *b)
{
	const struct binary *x = s->state;
	const struct checks *checks = x->checks;
	const struct check *check = x->check;
	const uint32_t ntypes = s->t.ntypes, nstr = s->t.str.n;
	uint32_t n = b->n, off = (uint32_t)(p - b->base);

	if ((size_t)(end - p) / len < most - n)
		most = n + (uint32_t)((size_t)(end - p) / len);
	for (; n < most; p += len, off += len) {
		const struct rec *r = (const struct rec *)(const void *)p;

		prefetch(p + 512);
		if (unlikely(r->len != len || !rec_ok(checks, check, r, len, ntypes, nstr)))
			break;
		b->off[n++] = off;
	}
	b->n = n;
	return p;
}

/* Adds records of the current block to the batch. */
static void
binary_read_take(struct source *s, struct batch *b)
{
	struct binary *x = s->state;
	const uint8_t *p = x->rec, *end = x->end;
	uint32_t most = x->records < BATCH ? x->records : BATCH, last = 0, alike = 0;

	b->base = p;
	while (b->n < most) {
		const struct rec *r = (const struct rec *)(const void *)p;

		/* The place of each record depends on the previous length, so the hardware cannot prefetch. */
		prefetch(p + 512);
		if (end - p < REC_HEAD)
			break;
		if (HOST_BIG) {
			uint32_t len = swap32(r->len), type = swap32(r->type);

			if (type < s->t.ntypes && len <= (size_t)(end - p) &&
			    len >= s->t.type[type].fixed)
				rec_swap((struct rec *)(uintptr_t)r, &s->t.type[type],
					 false);
		}
		if (unlikely(
			r->len > (size_t)(end - p) || r->len & 7 ||
			!rec_ok(x->checks, x->check, r, r->len, s->t.ntypes, s->t.str.n)))
			break;
		b->off[b->n++] = (uint32_t)(p - b->base);
		alike = r->len == last ? alike + 1 : 0;
		last = r->len;
		p += r->len;
		if (alike >= ALIKE && !HOST_BIG) {
			p = take_alike(s, p, end, last, most, b);
			alike = 0;
		}
	}
	x->rec = p;
}

/* Reports that the current block ends before its count of records, and counts the lost events. */
static void
block_broken(struct source *s)
{
	struct binary *x = s->state;

	if (x->cut && x->rec == x->end)
		return; /* the end of the input has a message of its own */
	fault(s, NULL, COST_EVENT, s->name, in_offset(&s->in, x->rec),
	      "a record is damaged: the %u left in its block are lost", x->records);
	s->faults.lost += x->records - 1;
	x->events += x->records;
}

static void
binary_open(struct source *s)
{
	s->state = xcalloc(1, sizeof(struct binary));
	/* The raw bytes cannot be copied: they have the numbers of their own stream. */
	s->raw = false;
}

/* Stops reading the stream, with the error `why`: the next block cannot be found, or would
 * be read with the wrong tables. Returns false. */
static bool
give_up(struct source *s, const char *why)
{
	struct binary *x = s->state;

	fault(s, NULL, COST_STATUS, s->name, in_offset(&s->in, s->in.p), "%s", why);
	x->ended = true; /* so no message about the end follows */
	s->stop = true;
	return false;
}

/* Begins to read a DATA block that is longer than the buffer in several parts: with many open inputs, each has a
 * small buffer. Returns false if the block is to be read whole. */
static bool
in_pieces(struct source *s, uint64_t bytes)
{
	struct binary *x = s->state;
	struct in *in = &s->in;

	if (!s->opt->room || HOST_BIG || bytes <= in->cap || le32(in->p) != BLOCK_DATA ||
	    !x->headed || x->ended || !in_need(in, DATA_HEAD))
		return false;
	x->blocks++;
	x->records = le32(in->p + 8);
	in->p += DATA_HEAD;
	x->left = bytes - DATA_HEAD;
	x->rec = x->end = in->p;
	return true;
}

/* Reads the next part of the block, from the first incomplete record on. Returns false if this record is damaged
 * or cut off. */
static bool
next_piece(struct source *s)
{
	struct binary *x = s->state;
	struct in *in = &s->in;
	uint64_t want = 4;

	if (x->end - x->rec >= 4 && le32(x->rec) <= (size_t)(x->end - x->rec))
		return false;
	x->left -= (uint64_t)(x->rec - in->p);
	in->p += x->rec - in->p;
	for (;;) {
		if (in_left(in) >= 4 && le32(in->p) <= x->left)
			want = le32(in->p);
		if (in_left(in) >= want || x->cut)
			break;
		x->cut = !in_more(in);
	}
	x->rec = in->p;
	x->end = in->p + (in_left(in) < x->left ? in_left(in) : (size_t)x->left);
	return !x->cut && in_left(in) >= 4 && le32(in->p) <= (size_t)(x->end - x->rec);
}

/* Reads the next block of the input. Returns false if there is none. */
static bool
next_block(struct source *s)
{
	struct binary *x = s->state;
	struct in *in = &s->in;
	uint64_t bytes;
	const char *why;
	char text[80];

	if (x->headed && !x->ended && (s->opt->slice || s->part.begin))
		binary_skip(s);
	if (x->cut || in_offset(in, in->p) >= s->part.end || !in_need(in, 8))
		return false;
	bytes = le32(in->p + 4);
	if (bytes < 8 || bytes & 7 || bytes > IN_LONGEST) {
		snprintf(text, sizeof text,
			 "a block of %llu bytes: the stream is damaged from here on",
			 (unsigned long long)bytes);
		return give_up(s, text);
	}
	if (in_pieces(s, bytes))
		return true;
	if (!in_need(in, (size_t)bytes)) {
		/* Whole records of a cut off data block are still valid. */
		x->cut = true;
		if (le32(in->p) != BLOCK_DATA || in_left(in) < DATA_HEAD || !x->headed)
			return false;
		x->blocks++;
		binary_data(x, in->p, in->end);
		return true;
	}
	if (le32(in->p) == BLOCK_DATA && bytes >= DATA_HEAD &&
	    in_offset(in, in->p) < s->part.begin) {
		x->blocks++;
		x->events += le32(in->p + 8);
		in->p += bytes;
		return true;
	}
	why = binary_block(s, in->p, in->p + bytes);
	if (why && le32(in->p) != BLOCK_DATA)
		return give_up(s, why);
	if (why)
		fault(s, NULL, COST_STATUS, s->name, in_offset(in, in->p), "%s", why);
	if (!x->rec)
		in->p += bytes;
	return true;
}

static bool
binary_next(struct source *s, struct batch *b)
{
	struct binary *x = s->state;

	batch_start(b);
	while (!s->stop) {
		if (x->records) {
			binary_read_take(s, b);
			x->records -= b->n;
			x->events += b->n;
			if (b->n)
				return true;
			if (x->left && next_piece(s))
				continue;
			block_broken(s);
			x->records = 0;
		}
		if (x->rec) {
			if (x->left)
				in_skip(&s->in, x->left);
			else
				s->in.p = (uint8_t *)(uintptr_t)x->end;
			x->left = 0;
			x->rec = NULL;
		}
		if (!next_block(s))
			return false;
	}
	return false;
}

static void
binary_end(struct source *s)
{
	const struct binary *x = s->state;

	if (!x->ended && s->in.eof && s->part.end == UINT64_MAX)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, CUT_OFF,
		      (unsigned long long)in_offset(&s->in, s->in.end));
}

static void
binary_close(struct source *s)
{
	struct binary *x = s->state;

	free(x->checks);
	free(x->check);
	free(x->index);
	free(x);
}

const struct format fmt_binary = {
    .name = "binary",
    .about = "the event stream, binary form",
    .stream = true,
    .open = binary_open,
    .next = binary_next,
    .end = binary_end,
    .close = binary_close,
    .cutting = &(const struct cutting){.cut_unit = 8, .reads_outside = OUTSIDE_BLOCK_HEADS},
};
