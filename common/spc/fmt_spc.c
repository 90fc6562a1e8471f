/*
 * fmt_spc.c - reads SPC traces: block I/O in ASCII, one line per request.
 *
 *	ASU,LBA,size,opcode,timestamp[,optional...]
 *
 * Source: "SPC trace file format specification", revision 1.0.1, and public traces. The slow parser, spc_slow,
 * defines what is accepted; spc_line (spc.h) reads lines of the most common shape.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/num.h"
#include "event/schema.h"
#include "input/fault.h"
#include "spc/spc.h"

/* Value of fast.last before the first record. */
#define NO_LAST INT64_MIN
/* Bytes before a part that are searched for the last record. If they hold no whole line, more bytes are read, up
 * to the longest line. */
#define LOOK_BACK (16 * 1024)
/* Bytes of the first line that are enough to see how it is written. */
#define LINE_SHORT 4096

struct spc {
	struct spc_fast fast;
	uint32_t asu[SPC_ASUS];
	uint32_t *with[2]; /* type + 1, by opcode and number of optional fields */
	size_t cap[2];
	bool rounded;
	/* Digits of the last record's time after the ninth decimal, without zeros at the
	 * end. If there are any, fast.last is one more than the nine decimals give. */
	struct buf tail;
	uint64_t back; /* records whose time goes back */
	void (*run)(struct spc_fast *f);
};

static uint32_t
spc_type_of(struct source *s, bool write, size_t noptional)
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

static void
spc_new_epoch(struct source *s)
{
	struct spc *c = s->state;

	tables_reset(&s->t);
	for (int w = 0; w < 2; w++) {
		if (c->with[w])
			memset(c->with[w], 0, c->cap[w] * sizeof **c->with);
		c->fast.type[w] = spc_type_of(s, w, 0);
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

enum {
	F_ASU,
	F_LBA,
	F_SIZE,
	F_OPCODE,
	F_TIME,
	FIELDS
};

static const char *const field_name[FIELDS] = {"ASU", "LBA", "size", "opcode", "timestamp"};
/* The rule that is broken if the field is wrong. */
static const char *const field_rule[FIELDS] = {"spc-asu", "spc-lba", "spc-size",
					       "spc-opcode", "spc-time-form"};
static const char blank[] = "a blank may only stand before a field";

/* Reports that field i is wrong: 'field N (NAME): "TEXT": reason'. Returns false. */
static bool
bad_field(struct source *s, unsigned i, const struct span f[FIELDS], const char *why)
{
	const char *rule = field_rule[i];
	char text[64];

	if (why == blank)
		rule = i == F_ASU && spc_blank(*f[i].p) ? "spc-blank-start"
							: "spc-blank-place";
	else if (i == F_TIME && f[i].n && (*f[i].p < '0' || *f[i].p > '9'))
		rule = "spc-time-sign";
	fault(s, rule, COST_EVENT, s->name, s->line, "field %u (%s): %s: %s", i + 1,
	      field_name[i], quoted(text, f[i].p, f[i].n), why);
	return false;
}

/* Reads n digits into *v. Returns NULL, or what is wrong with the number. */
static const char *
whole_number(const uint8_t *p, size_t n, uint64_t *v)
{
	const char *why = digits_u64(p, n, v);

	while (why && n && *p >= '0' && *p <= '9')
		p++, n--;
	return why && n && spc_blank(*p) ? blank : why;
}

/* Reads a time `s.d`, of which both parts are required. Sets *ns to the time in nanoseconds, not rounded, and
 * *tail to the decimals after the ninth. Returns NULL, or what is wrong with the time. */
static const char *
timestamp(struct span f, int64_t *ns, struct span *tail)
{
	const uint8_t *dot = f.n ? memchr(f.p, '.', f.n) : NULL, *p, *end = f.p + f.n;
	uint64_t sec, frac = 0;
	const char *why = whole_number(f.p, dot ? (size_t)(dot - f.p) : f.n, &sec);
	size_t digits;

	if (why)
		return why;
	if (!dot)
		return "no decimal point: write 0.0 for 0";
	if (dot + 1 == end)
		return "digits are expected after the point";
	for (p = dot + 1; p < end; p++) {
		if (*p < '0' || *p > '9')
			return spc_blank(*p) ? blank : "not a number";
		if (p - dot <= 9)
			frac = frac * 10 + (uint64_t)(*p - '0');
	}
	for (digits = (size_t)(end - dot) - 1; digits < 9; digits++)
		frac *= 10;
	*tail = (struct span){end - (digits - 9), digits - 9};
	if (sec > (uint64_t)INT64_MAX / 1000000000 - 1)
		return "later than 292 years";
	*ns = (int64_t)(sec * 1000000000 + frac);
	return NULL;
}

/* Splits the line [p, end) into its fields. Sets *rest to the bytes after them, or to NULL if nothing follows.
 * Returns false, with a message, if a field is missing. */
static bool
split_fields(struct source *s, const uint8_t *p, const uint8_t *end, struct span f[FIELDS],
	     const uint8_t **rest)
{
	const uint8_t *q = p, *comma;
	char text[64];

	for (unsigned i = 0; i < FIELDS; i++) {
		if (!q) {
			fault(s, *p == '#' ? "spc-comment" : "spc-fields", COST_EVENT,
			      s->name, s->line, "field %u (%s) is missing: %s", i + 1,
			      field_name[i], quoted(text, p, (size_t)(end - p)));
			return false;
		}
		while (i && q < end && spc_blank(*q))
			q++;
		comma = q == end ? NULL : memchr(q, ',', (size_t)(end - q));
		f[i] = (struct span){q, (size_t)((comma ? comma : end) - q)};
		q = comma ? comma + 1 : NULL;
	}
	*rest = q;
	return true;
}

/* Returns the number of optional fields from p on. The last of them has the rest of the line. */
static size_t
count_optional(const uint8_t *p, const uint8_t *end)
{
	size_t n = 1;

	for (; n < SPC_OPTIONAL_MOST; n++, p++) {
		p = p == end ? NULL : memchr(p, ',', (size_t)(end - p));
		if (!p)
			break;
	}
	return n;
}

/* Reports a time that is earlier than the last one, and notes the time as the last. `tail` is the decimals after
 * the ninth. */
static void
in_order(struct source *s, const struct span f[FIELDS], int64_t ns, struct span tail)
{
	struct spc *c = s->state;
	int64_t last = c->fast.last - (c->tail.n != 0);
	char text[64];
	size_t n;
	int more;

	if (c->fast.free)
		return;
	while (tail.n && tail.p[tail.n - 1] == '0')
		tail.n--;
	n = tail.n < c->tail.n ? tail.n : c->tail.n;
	more = n ? memcmp(tail.p, c->tail.p, n) : 0;
	if (ns < last || (ns == last && (more < 0 || (more == 0 && tail.n < c->tail.n)))) {
		c->back++;
		fault(s, "spc-time-order", COST_STATUS, s->name, s->line,
		      "field %u (%s): %s: the time goes back", F_TIME + 1,
		      field_name[F_TIME], quoted(text, f[F_TIME].p, f[F_TIME].n));
	}
	c->fast.last = ns + (tail.n != 0);
	c->tail.n = 0;
	if (tail.n)
		buf_add(&c->tail, tail.p, tail.n);
}

/* Reads the fields into *r and *asu, and sets r->type to 1 for a write. Returns false, with a message, if a field
 * is wrong. */
static bool
read_fields(struct source *s, const struct span f[FIELDS], struct rec *r, uint64_t *asu)
{
	struct spc *c = s->state;
	const char *why;
	struct span tail;

	if ((why = whole_number(f[F_ASU].p, f[F_ASU].n, asu)))
		return bad_field(s, F_ASU, f, why);
	if ((why = whole_number(f[F_LBA].p, f[F_LBA].n, &r->addr)))
		return bad_field(s, F_LBA, f, why);
	if ((why = whole_number(f[F_SIZE].p, f[F_SIZE].n, &r->size)))
		return bad_field(s, F_SIZE, f, why);
	if (f[F_OPCODE].n != 1 || !memchr("RrWw", *f[F_OPCODE].p, 4))
		return bad_field(s, F_OPCODE, f, "R or W is expected");
	r->type = (*f[F_OPCODE].p & 0xdf) == 'W';
	if ((why = timestamp(f[F_TIME], &r->time, &tail)))
		return bad_field(s, F_TIME, f, why);
	/* Compares times before they are rounded. */
	in_order(s, f, r->time, tail);
	if (tail.n && !c->rounded && c->fast.need & NEED_TIME) {
		c->rounded = true;
		fault(s, "spc-time-digits", COST_NONE, s->name, s->line,
		      "fractions of a second are rounded to nine digits");
	}
	r->time += tail.n && *tail.p >= '5';
	return true;
}

/* Parses a line of any shape. Defines what the fast parsers must accept. */
static bool
spc_slow(struct source *s, struct batch *b, uint8_t *p, uint8_t *end)
{
	struct spc *c = s->state;
	struct span f[FIELDS];
	const uint8_t *rest, *comma;
	struct rec read = {0}, *r;
	size_t noptional = 0;
	uint64_t asu;

	if (p == end)
		return fault(s, "spc-blank-line", COST_EVENT, s->name, s->line,
			     "an empty line is no record"),
		       true;
	if (!split_fields(s, p, end, f, &rest) || !read_fields(s, f, &read, &asu))
		return true;
	if (rest && c->fast.need & NEED_ARGS)
		noptional = count_optional(rest, end);
	r = rec_new(b, &s->t, spc_type_of(s, read.type, noptional));
	r->time = read.time;
	if (c->fast.need & NEED_LOC)
		r->loc = asu_loc(s, asu);
	r->addr = read.addr;
	r->size = read.size;
	for (size_t i = 0; i < noptional; i++, rest = comma + 1) {
		comma = i + 1 < noptional ? memchr(rest, ',', (size_t)(end - rest)) : end;
		rec_str(b, &s->t.type[rec_last(b)->type].args[i], rest,
			(size_t)(comma - rest));
	}
	return true;
}

SIMD_RUNS(spc_fast, SPC_FAST_LOOP, spc_fast_avx2, spc_fast_avx512);

/* Notes in the metadata how the first record differs from what the encoder writes, so that the encoder can write
 * it in the same way: its case, its decimals, carriage returns. */
static void
note_form(struct source *s)
{
	const uint8_t *p, *end, *dot;
	unsigned field = 0, digits = 0;
	char number[8];

	while (!(end = memchr(s->in.p, '\n', in_left(&s->in))) &&
	       in_left(&s->in) < LINE_SHORT && in_more(&s->in))
		;
	end = end ? end : s->in.end;
	for (p = s->in.p; p < end && field < 3; p++)
		field += *p == ',';
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p == end || !(dot = memchr(p, '.', (size_t)(end - p))) ||
	    !memchr("RWrw", *p, 4))
		return;
	if (*p & 0x20)
		head_meta(&s->head, &s->meta, "spc.case", "lower");
	while (++dot < end && *dot >= '0' && *dot <= '9' && digits < 10)
		digits++;
	if (digits && digits < 10 && digits != SPC_DECIMALS) {
		snprintf(number, sizeof number, "%u", digits);
		head_meta(&s->head, &s->meta, "spc.decimals", number);
	}
	if (end < s->in.end && end[-1] == '\r')
		head_meta(&s->head, &s->meta, "spc.newline", "crlf");
}

static void
spc_open(struct source *s)
{
	const struct spc_options *o = format_options(s->opt, s->fmt);
	struct spc *c = xcalloc(1, sizeof *c);
	char block[16];

	s->state = c;
	c->fast.need = s->need;
	c->fast.asu = c->asu;
	c->fast.last = NO_LAST;
	c->fast.ahead = BATCH;
	c->fast.free = o->unordered ? INT64_MIN : 0;
	c->run = runs[simd_best()];
	spc_new_epoch(s);
	s->head.locpart[0] = "asu";
	s->head.nlocparts = 1;
	source_clock(s, CLOCK_NS);
	snprintf(block, sizeof block, "%lld", (long long)(o->block ? o->block : SPC_BLOCK));
	head_meta(&s->head, &s->meta, "block", block);
	note_form(s);
}

static const uint8_t *
spc_fast(struct source *s, struct batch *b, const uint8_t *p, const uint8_t *end)
{
	struct spc *c = s->state;

	c->fast.p = p;
	c->fast.end = end;
	c->fast.b = b;
	c->run(&c->fast);
	if (c->fast.p != p)
		c->tail.n = 0;
	return c->fast.p;
}

/* Sets the last time to the time of the last record among the lines [p, p + n) before the part. */
static void
last_time(struct source *s, const uint8_t *p, size_t n)
{
	struct spc *c = s->state, *from;
	struct read_options opt = {.only = s->fmt, .quiet = true};
	struct batch *b = xcalloc(1, sizeof *b);
	struct source lines;

	if (source_memory(&lines, &opt, s->name, p, n)) {
		from = lines.state;
		while (source_next(&lines, b))
			;
		c->fast.last = from->fast.last;
		c->tail.n = 0;
		if (from->tail.n)
			buf_add(&c->tail, from->tail.p, from->tail.n);
		source_close(&lines);
	}
	buf_free(&b->own);
	free(b);
}

/* Finds the time of the last record before the part, so that the first record of the part is checked as in the
 * whole file. All parts together then report what the whole file reports. */
static void
look_back(struct source *s)
{
	struct spc *c = s->state;
	uint64_t end = s->part.begin;
	size_t n = LOOK_BACK, got;
	uint8_t *buf = NULL, *p, *q;
	int err;

	c->fast.last = NO_LAST;
	while (end && c->fast.last == NO_LAST) {
		n = end < n ? (size_t)end : n;
		buf = xrealloc(buf, n, 1);
		got = in_at(s->in.fd, buf, n, end - n, &err);
		if (got < n)
			break; /* reading the part reports the error */
		/* Use only whole lines. */
		p = buf;
		if (n < end) {
			p = memchr(buf, '\n', n);
			p = p ? p + 1 : buf + n;
		}
		for (q = buf + n; q > buf && q[-1] != '\n'; q--)
			;
		if (p < q) {
			last_time(s, p, (size_t)(q - p));
			end -= n - (size_t)(p - buf);
		} else if (n < end && n <= IN_LONGEST)
			n = 2 * n < IN_LONGEST ? 2 * n : IN_LONGEST + LOOK_BACK;
		else
			break;
	}
	free(buf);
}

static bool
spc_next(struct source *s, struct batch *b)
{
	static const struct line_reader reader = {spc_new_epoch, spc_slow, spc_fast};
	struct spc *c = s->state;

	if (s->part.begin && !c->fast.free && !s->line)
		look_back(s);
	return lines_next(s, b, &reader);
}

static void
spc_end(struct source *s)
{
	const struct spc *c = s->state;

	if (c->back)
		fault(s, "spc-time-order", COST_NONE, s->name, NOWHERE,
		      "kept %llu record%s although the time goes back (--unordered accepts "
		      "that)",
		      (unsigned long long)c->back, c->back == 1 ? "" : "s");
}

static void
spc_close(struct source *s)
{
	struct spc *c = s->state;

	free(c->with[0]);
	free(c->with[1]);
	buf_free(&c->tail);
	free(c);
}

static const struct format_option options[] = {
    {0, "block", "N", "bytes of a block, for the metadata (512)",
     .at = offsetof(struct spc_options, block), .least = 1, .most = 1 << 30},
    {0, "unordered", NULL, "SPC: times may go back",
     .at = offsetof(struct spc_options, unordered)},
    {0},
};

static const struct spc_options defaults = {0};

static const struct schema_row row = {
    .event = "R|W",
    .fields = "u32 asu:loc, u64 lba:addr, u64 size:size, str opcode:event, "
	      "ns timestamp:time, str x1:optional",
    .size = "size",
    .about = "A request to a storage unit: R reads, W writes.",
};
static const struct schema spc_schema = {.rows = &row, .n = 1, .width = sizeof row};

/* Returns true unless --unordered is given, which allows times to go back. */
static bool
spc_in_order(const struct source *s)
{
	const struct spc_options *o = format_options(s->opt, s->fmt);

	return !o->unordered;
}

const struct format fmt_spc = {
    .name = "spc",
    .about = "SPC: block I/O, text",
    .settings = &(const struct format_settings){options, &defaults, sizeof defaults},
    .text = true,
    .open = spc_open,
    .next = spc_next,
    .end = spc_end,
    .close = spc_close,
    .schema = &spc_schema,
    .cutting = &(const struct cutting){.cut_unit = 1,
				       .in_order = spc_in_order,
				       .marks_disorder = true},
};
