/*
 * differential - every way to read lines gives the same events and the same messages.
 *
 *	differential FORMAT FILE...
 *	differential -DESCRIPTION FILE...
 *
 * A description is that of columns.
 *
 * The lines of the files, in their order, are mutated (a byte set to any of 256 values, inserted, deleted,
 * or a piece of another line put in), half of them or one of 8, 32 or 128, from a fixed seed; as many are made up of columns of
 * any length with a point or a dash anywhere. Each batch of them is read by the slow parser
 * alone and by each fast path before it. What comes out is compared by a hash.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/tuning.h"
#include "cli/cli_formats.h"
#include "delimited/delimited.h"
#include "event/value.h"
#include "input/source.h"

#define ROUNDS 64 /* a multiple of 32; SPOOR_FULL makes it 1,024 */
#define LINES 700

static uint64_t state = 20260720;
static struct delimited_options layout;
static struct format_values values = {.fmt = &fmt_delimited, .options = &layout};

static uint64_t
rnd(uint64_t n)
{
	uint64_t z = state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (z ^ z >> 31) % n;
}

static uint64_t
mix(uint64_t h, const void *p, size_t n)
{
	return (h ^ hash_bytes(p, n)) * 0x9E3779B97F4A7C15u;
}

/* A hash of all that reading gives: events in full, raw lines, what was lost, the first
 * message. */
static uint64_t
digest(const struct format *f, const char *simd, unsigned need, const struct buf *in)
{
	static struct batch b;
	struct read_options opt = {.need = need | NEED_RAW, .only = f, .values = &values};
	struct buf text = {0};
	struct source s;
	uint64_t h = 1;

	tuning.simd = simd;
	/* The memory of a batch holds what the batch before left there. */
	buf_room(&b.own, (BATCH + 1) * REC_HEAD + REC_SLACK);
	memset(b.own.p, 0xa5, b.own.cap);
	if (!source_memory(&s, &opt, "input", in->p, in->n))
		abort();
	while (source_next(&s, &b)) {
		for (uint32_t i = 0; i < b.n; i++) {
			const struct rec *r = batch_rec(&b, i);
			const struct type *ty = &s.t.type[r->type];

			h = mix(h, ty->event, ty->event_len);
			h = mix(h, &r->has, sizeof r->has);
			if (need & NEED_TIME)
				h = mix(h, &r->time, 8);
			if (need & NEED_LOC)
				h = mix(h, s.t.str.v[r->loc].s, s.t.str.v[r->loc].len);
			if (need & NEED_ADDR)
				h = mix(h, &r->addr, 8);
			if (need & NEED_SIZE)
				h = mix(h, &r->size, 8);
			if (need & NEED_DUR)
				h = mix(h, &r->dur, 8);
			for (uint32_t k = 0; need & NEED_ARGS && k < ty->nargs; k++) {
				text.n = 0;
				value_arg(&text, &s.t, r, &ty->args[k]);
				h = mix(h, text.p, text.n);
			}
			h = mix(h, b.raw[i].p, b.raw[i].n);
		}
	}
	h = mix(h, &s.line, sizeof s.line);
	h = mix(h, &s.head.origin, sizeof s.head.origin);
	h = mix(h, &s.faults.lost, sizeof s.faults.lost);
	h = mix(h, &s.faults.n_messages, sizeof s.faults.n_messages);
	h = mix(h, s.faults.where, strlen(s.faults.where));
	source_end(&s);
	source_close(&s);
	buf_free(&text);
	return h;
}

/* Leaves lines out as long as the difference stays. */
static void
shrink(const struct format *f, const char *simd, unsigned need, struct buf *in)
{
	struct buf less = {0};

	for (size_t at = 0, end; at < in->n;) {
		uint8_t *nl = memchr(in->p + at, '\n', in->n - at);

		end = nl ? (size_t)(nl - in->p) + 1 : in->n;
		less.n = 0;
		buf_add(&less, in->p, at);
		buf_add(&less, in->p + end, in->n - end);
		if (digest(f, "slow", need, &less) != digest(f, simd, need, &less)) {
			memcpy(in->p, less.p, less.n);
			in->n = less.n;
		} else
			at = end;
	}
	buf_free(&less);
}

struct line {
	const uint8_t *p;
	size_t n;
};

static void
mutated(struct buf *out, const struct line *l, const struct line *other)
{
	size_t start = out->n, len, at;

	buf_add(out, l->p, l->n);
	for (uint64_t k = 1 + rnd(2); k; k--) {
		len = out->n - start;
		at = start + (len ? rnd(len) : 0);
		switch (rnd(4)) {
		case 0:
			if (len)
				out->p[at] = (uint8_t)rnd(256);
			break;
		case 1:
			buf_room(out, 1);
			memmove(out->p + at + 1, out->p + at, out->n - at);
			out->p[at] = "0123456789,.\t -RrWwx\n="[rnd(22)];
			out->n++;
			break;
		case 2:
			if (len) {
				memmove(out->p + at, out->p + at + 1, out->n - at - 1);
				out->n--;
			}
			break;
		default:
			buf_add(out, other->p + rnd(other->n + 1), 0);
			buf_add(out, other->p, rnd(other->n + 1));
		}
	}
	buf_add(out, "\n", 1);
}

static void
digits(struct buf *out, uint64_t n)
{
	while (n--)
		buf_add(out, &"0123456789"[rnd(10)], 1);
}

/* A line whose columns are, three of four, what `shape` names: seconds, a number, an
 * operation; else anything of digits, one point, a dash. */
static void
made_up(struct buf *out, const char *shape, char sep)
{
	for (const char *c = shape; *c; c++) {
		if (c > shape)
			buf_add(out, &sep, 1);
		switch (rnd(4) ? *c : rnd(8) ? 'a' : '-') {
		case 't':
			digits(out, 1 + rnd(8));
			buf_add(out, ".", 1);
			digits(out, rnd(8) ? 9 : rnd(11));
			break;
		case 'n': digits(out, 1 + rnd(rnd(2) ? 8 : 16)); break;
		case 'o': buf_add(out, &"RW"[rnd(2)], 1); break;
		case 'a':
			digits(out, rnd(12));
			if (!rnd(2))
				buf_add(out, ".", 1);
			digits(out, rnd(10));
			break;
		case '-': buf_add(out, "-", 1);
		}
	}
	buf_add(out, "\n", 1);
}

int
main(int argc, char **argv)
{
	static const char *const ways[] = {"plain", "sse2", "avx2", ""};
	bool columns = argc > 2 && *argv[1] == '-';
	const struct format *f = columns    ? &fmt_delimited
				 : argc > 2 ? format_named(formats, argv[1])
					    : NULL;
	struct buf all = {0}, in = {0};
	struct line *lines = NULL;
	size_t n = 0, cap = 0;
	int rounds = getenv("SPOOR_FULL") ? 16 * ROUNDS : ROUNDS;

	if (!f)
		return 2;
	if (columns) {
		layout.given[0].layout = delimited_load(argv[1] + 1, "differential");
		layout.n = 1;
	}
	warn_skip(UINT_MAX);
	for (int i = 2; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		size_t got;

		if (!file)
			return 2;
		while ((got = fread(buf_room(&all, 65536), 1, 65536, file)))
			all.n += got;
		fclose(file);
	}
	for (uint8_t *p = all.p, *nl; p < all.p + all.n; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(all.p + all.n - p));
		if (!nl)
			break;
		lines = grow(lines, &cap, n + 1, sizeof *lines);
		lines[n++] = (struct line){p, (size_t)(nl - p)};
	}
	for (int round = 0; round < rounds; round++) {
		static const unsigned needs[] = {NEED_ALL, NEED_COLUMNS, NEED_SIZE, 0};
		static const uint64_t rares[] = {2, 8, 32, 128};
		unsigned need = needs[round / 2 % 4];
		uint64_t rare = rares[round / 8 % 4];
		size_t first = rnd(n);
		uint64_t want;

		in.n = 0;
		for (unsigned i = 0; i < LINES; i++)
			if (round % 2 && rnd(rare))
				buf_add(&in, lines[(first + i) % n].p,
					lines[(first + i) % n].n + 1);
			else if (round % 2)
				mutated(&in, &lines[(first + i) % n], &lines[rnd(n)]);
			else if (f == format_named(formats, "spc"))
				made_up(&in, "nnnot", ',');
			else if (columns)
				made_up(&in, "tnonnnn", layout.given[0].layout->sep);
			else
				made_up(&in, "tnonnt", '\t');
		want = digest(f, "slow", need, &in);
		for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
			if (digest(f, ways[w], need, &in) == want)
				continue;
			printf("round %d: %s differs from the slow parser, need %u\n",
			       round, *ways[w] ? ways[w] : "the default", need);
			shrink(f, ways[w], need, &in);
			fwrite(in.p, 1, in.n, stdout);
			return 1;
		}
	}
	printf("%d lines\n", rounds * LINES);
	free(lines);
	buf_free(&all);
	buf_free(&in);
	return 0;
}
