/*
 * fmt_spc.c - SPC: block I/O in ASCII, one line a request.
 *
 *	ASU,LBA,size,opcode,timestamp[,optional...]
 *
 * Source: "SPC trace file format specification", revision 1.0.1, and what public traces do.
 * The slow parser, spc_slow, is the definition; spc_line (spc.h) takes what most lines look
 *like.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "lines.h"
#include "spc.h"

/* The thousandth optional field holds all that follow it. */
#define OPTIONAL_MOST 1000

struct spc {
	struct spc_fast fast;
	uint32_t asu[SPC_ASUS];
	unsigned epoch;
	uint32_t *with[2]; /* type + 1 by opcode and number of optional fields */
	size_t cap[2];
	bool rounded;
	int64_t first; /* time of the first record */
	void (*run)(struct spc_fast *f);
};

static const char *const field_name[] = {"ASU", "LBA", "size", "opcode", "timestamp"};

static bool
looks_like_record(const uint8_t *p, const uint8_t *end)
{
	unsigned field = 0;

	if (p == end || *p < '0' || *p > '9')
		return false;
	for (; p < end; p++) {
		if (*p == ',' && ++field == 3) {
			for (p++; p < end && (*p == ' ' || *p == '\t'); p++)
				;
			return end - p > 1 &&
			       ((p[0] & 0xdf) == 'R' || (p[0] & 0xdf) == 'W') &&
			       p[1] == ',';
		}
		if (!(*p >= '0' && *p <= '9') && *p != ',' && *p != ' ' && *p != '\t')
			return false;
	}
	return false;
}

/* Sure when the first line is a record; less so when one of the next twenty is. */
static int
spc_sniff(const uint8_t *p, size_t n, bool whole)
{
	int line = lines_first(p, n, whole, looks_like_record);

	return line < 0 ? 0 : line ? 50 : 90;
}

static uint32_t
type_of(struct source *s, bool write, size_t noptional)
{
	struct spc *c = s->state;
	struct type ty = {.event = write ? "W" : "R", .event_len = 1};
	struct arg *args;
	char(*names)[24];
	uint32_t id;

	c->with[write] =
	    grow(c->with[write], &c->cap[write], noptional + 1, sizeof **c->with);
	if (c->with[write][noptional])
		return c->with[write][noptional] - 1;
	args = xcalloc(noptional, sizeof *args);
	names = xcalloc(noptional, sizeof *names);
	for (size_t i = 0; i < noptional; i++) {
		snprintf(names[i], sizeof *names, "x%zu", i + 1);
		args[i].name = names[i];
		args[i].kind = K_STR;
	}
	ty.must = HAS_ADDR | HAS_SIZE;
	ty.args = args;
	ty.nargs = (uint32_t)noptional;
	id = type_add(&s->t, &ty);
	free(names);
	free(args);
	c->with[write][noptional] = id + 1;
	return id;
}

/* All numbers of the last epoch are void. */
static void
start_epoch(struct source *s)
{
	struct spc *c = s->state;

	for (int w = 0; w < 2; w++) {
		if (c->with[w])
			memset(c->with[w], 0, c->cap[w] * sizeof **c->with);
		c->fast.type[w] = type_of(s, w, 0);
	}
	memset(c->asu, 0, sizeof c->asu);
}

static uint32_t
asu_loc(struct source *s, uint64_t asu)
{
	struct spc *c = s->state;
	char text[24];
	uint32_t id = asu < SPC_ASUS ? c->asu[asu] : 0;

	if (!id) {
		id = strtab_id(
		    &s->t.str, text,
		    (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)asu));
		if (asu < SPC_ASUS)
			c->asu[asu] = id;
	}
	return id;
}

/* A field that is wrong: "field N (NAME): "TEXT": reason". */
static bool
bad_field(struct source *s, unsigned n, const uint8_t *p, const uint8_t *end,
	  const char *why)
{
	char text[64];

	source_bad(s, s->line, "field %u (%s): %s: %s", n, field_name[n - 1],
		   quoted(text, p, (size_t)(end - p)), why);
	return false;
}

/* A number of digits only. NULL, or what is wrong. */
static const char *
whole_number(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
	if (p == end)
		return "a number is missing";
	for (*v = 0; p < end; p++) {
		if (*p < '0' || *p > '9')
			return *p == ' ' || *p == '\t'
				   ? "a blank may only stand before a field"
				   : "not a whole number";
		if (*v > (UINT64_MAX - (uint64_t)(*p - '0')) / 10)
			return "greater than 2^64-1";
		*v = *v * 10 + (uint64_t)(*p - '0');
	}
	return NULL;
}

/* `s.d`, both parts required, to nanoseconds; *more where digits beyond the ninth were
 * rounded. */
static const char *
timestamp(const uint8_t *p, const uint8_t *end, int64_t *ns, bool *more)
{
	const uint8_t *dot = p == end ? NULL : memchr(p, '.', (size_t)(end - p));
	uint64_t sec, frac = 0;
	const char *why = whole_number(p, dot ? dot : end, &sec);
	unsigned digits = 0;
	bool up = false;

	if (!why && !dot)
		return "no point: seconds and a fraction are expected";
	if (why)
		return why;
	if (dot + 1 == end)
		return "digits are expected after the point";
	for (p = dot + 1; p < end; p++) {
		if (*p < '0' || *p > '9')
			return *p == ' ' || *p == '\t'
				   ? "a blank may only stand before a field"
				   : "not a number";
		if (digits < 9)
			frac = frac * 10 + (uint64_t)(*p - '0');
		else if (digits == 9)
			up = *p >= '5';
		digits++;
	}
	for (unsigned i = digits; i < 9; i++)
		frac *= 10;
	*more |= digits > 9;
	if (sec > (uint64_t)INT64_MAX / 1000000000 - 1)
		return "later than 292 years";
	*ns = (int64_t)(sec * 1000000000 + frac + up);
	return NULL;
}

static const uint8_t *
skip_blanks(const uint8_t *p, const uint8_t *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* One line, [p, end) without its newline, of any shape; raw is the line as it stood. */
static bool
spc_slow(struct source *s, struct batch *b, const uint8_t *p, const uint8_t *end,
	 struct span raw)
{
	struct spc *c = s->state;
	struct span field[5];
	const uint8_t *rest;
	const char *why = NULL;
	uint64_t asu, lba, size;
	int64_t time;
	size_t noptional = 0;
	bool write, more = false;
	char text[64];
	struct rec *r;

	if (end > p && end[-1] == '\r')
		end--;
	if (p == end)
		return source_bad(s, s->line, "an empty line is no record"), false;
	rest = p;
	for (unsigned i = 0; i < 5; i++) {
		const uint8_t *comma;

		if (i && rest == NULL) {
			source_bad(s, s->line, "field %u (%s) is missing: %s", i + 1,
				   field_name[i], quoted(text, p, (size_t)(end - p)));
			return false;
		}
		if (i)
			rest = skip_blanks(rest, end);
		comma = rest == end ? NULL : memchr(rest, ',', (size_t)(end - rest));
		field[i] = (struct span){rest, (size_t)((comma ? comma : end) - rest)};
		rest = comma ? comma + 1 : NULL;
	}
#define FIELD(i) field[(i)-1].p, field[(i)-1].p + field[(i)-1].n
	if ((why = whole_number(FIELD(1), &asu)))
		return bad_field(s, 1, FIELD(1), why);
	if ((why = whole_number(FIELD(2), &lba)))
		return bad_field(s, 2, FIELD(2), why);
	if ((why = whole_number(FIELD(3), &size)))
		return bad_field(s, 3, FIELD(3), why);
	if (field[3].n != 1 || !strchr("RrWw", *field[3].p) || !*field[3].p)
		return bad_field(s, 4, FIELD(4), "R or W is expected");
	write = (*field[3].p & 0xdf) == 'W';
	if ((why = timestamp(FIELD(5), &time, &more)))
		return bad_field(s, 5, FIELD(5), why);
	if (time < c->fast.last)
		return bad_field(s, 5, FIELD(5), "the time goes back");
#undef FIELD
	if (more && !c->rounded) {
		c->rounded = true;
		source_remark(s, s->line,
			      "fractions of a second are rounded to nine digits");
	}
	c->fast.last = time;
	if (rest && c->fast.need & NEED_ARGS) {
		const uint8_t *q = rest;

		for (noptional = 1; noptional < OPTIONAL_MOST; noptional++) {
			q = q == end ? NULL : memchr(q, ',', (size_t)(end - q));
			if (!q)
				break;
			q++;
		}
	}
	r = rec_new(b, &s->t,
		    noptional ? type_of(s, write, noptional) : c->fast.type[write]);
	b->raw[b->n - 1] = raw;
	r->time = time;
	if (c->fast.need & NEED_LOC)
		r->loc = asu_loc(s, asu);
	r->addr = lba;
	r->size = size;
	for (size_t i = 0; i < noptional; i++) {
		const uint8_t *comma =
		    i + 1 < noptional ? memchr(rest, ',', (size_t)(end - rest)) : end;

		rec_str(b, &s->t.type[rec_last(b)->type].args[i], rest,
			(size_t)(comma - rest));
		rest = comma + 1;
	}
	return true;
}

static void
run_slow(struct spc_fast *f)
{
	(void)f;
}

static void
run_plain(struct spc_fast *f)
{
	SPC_FAST_LOOP(f, masks_plain);
}

#if defined(__SSE2__)
static void
run_sse2(struct spc_fast *f)
{
	SPC_FAST_LOOP(f, masks_sse2);
}
#endif

static void (*const runs[])(struct spc_fast *f) = {
    run_slow,
    run_plain,
#if defined(__SSE2__)
    run_sse2,
#endif
#if HAVE_AVX2
    spc_fast_avx2,
#endif
};

static void
spc_open(struct source *s)
{
	const struct spc_options *o = s->opt->own;
	struct spc *c = xcalloc(1, sizeof *c);
	char block[16];

	s->state = c;
	c->epoch = s->t.epoch;
	c->fast.need = s->need;
	c->fast.asu = c->asu;
	c->fast.last = INT64_MIN;
	c->run = runs[simd_best()];
	start_epoch(s);
	s->head.locpart[0] = "asu";
	s->head.nlocparts = 1;
	source_clock(s, CLOCK_NS);
	snprintf(block, sizeof block, "%u", o ? o->block : 512);
	head_meta(&s->head, &s->meta, "block", block);
}

static void
new_epoch(struct source *s)
{
	tables_reset(&s->t);
	start_epoch(s);
}

static bool
spc_next(struct source *s, struct batch *b)
{
	struct spc *c = s->state;
	const uint8_t *end;

	if (tables_full(&s->t))
		new_epoch(s);
	batch_start(b);
	buf_room(&b->own, (BATCH + 1) * REC_HEAD + REC_SLACK);
	b->base = b->own.p;
	while (!b->n && !s->stop) {
		end = lines_fill(s);
		if (!end)
			break;
		c->fast.p = s->in.p;
		c->fast.end = end;
		c->fast.b = b;
		while (c->fast.p < end && !batch_full(b) && !s->stop) {
			const uint8_t *p, *nl;

			c->fast.lines = 0;
			c->run(&c->fast);
			s->line += c->fast.lines;
			p = c->fast.p;
			if (p == end || b->n == BATCH)
				break;
			nl = memchr(p, '\n', (size_t)(end - p));
			s->line++;
			spc_slow(s, b, p, nl, (struct span){p, (size_t)(nl + 1 - p)});
			c->fast.p = nl + 1;
			/* Behind the line that fills them, however the input comes. */
			if (tables_full(&s->t)) {
				if (b->n)
					break;
				new_epoch(s);
			}
			buf_room(&b->own, (BATCH + 1 - b->n) * REC_HEAD + REC_SLACK);
			b->base = b->own.p;
		}
		s->in.p = (uint8_t *)(uintptr_t)c->fast.p;
	}
	if (!s->events && b->n)
		c->first = batch_rec(b, 0)->time;
	return b->n > 0;
}

static bool
spc_times(const struct source *s, uint64_t *first, uint64_t *last)
{
	const struct spc *c = s->state;

	*first = (uint64_t)c->first ^ 1ull << 63;
	*last = (uint64_t)c->fast.last ^ 1ull << 63;
	return s->events > 0;
}

static void
spc_close(struct source *s)
{
	struct spc *c = s->state;

	free(c->with[0]);
	free(c->with[1]);
	free(c);
}

/* The record as it stood, or the same without what may be written in two ways. */
static void
spc_native_put(struct source *s, struct out *o, const struct rec *r, struct span raw)
{
	const struct spc_options *opt = s->opt->own;
	const uint8_t *p = raw.p, *end = p + raw.n;
	unsigned field = 1;

	(void)r;
	if (!opt || !opt->canonical) {
		out_bytes(o, raw.p, raw.n);
		return;
	}
	end -= raw.n > 1 && end[-2] == '\r' ? 2 : 1;
	for (; p < end && field < 6; p++) {
		uint8_t *q = out_room(o);

		if (*p == ',')
			field++;
		if (*p == ' ' || *p == '\t')
			continue;
		*q++ = field == 4 && *p != ',' ? *p & 0xdf : *p;
		o->p = q;
	}
	out_bytes(o, p, (size_t)(end - p));
	out_bytes(o, "\n", 1);
}

const struct format fmt_spc = {
    .name = "spc",
    .about = "SPC: block I/O, text",
    .text = true,
    .native = true,
    .sniff = spc_sniff,
    .open = spc_open,
    .next = spc_next,
    .close = spc_close,
    .grain = 1,
    .times = spc_times,
    .native_put = spc_native_put,
};
