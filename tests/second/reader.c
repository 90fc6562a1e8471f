/*
 * reader.c - a second reader of binary streams: standard input becomes a text stream.
 *
 * Written from spoor-stream(5) alone and without any code of spoor, so that the page is
 * proven to say enough. Slow and plain. With -H it writes a header, as trace-filter -tH
 * does. Exit status 2 where the stream is damaged, cut off, or tells of lost events.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 16777216u
#define RECORD_HEAD 48u

enum {
	HAS_ADDR = 1,
	HAS_SIZE = 2,
	HAS_DUR = 4
};

enum {
	U8 = 1,
	I8 = 5,
	I64 = 8,
	X32 = 9,
	X64 = 10,
	NS = 11,
	F64 = 12,
	SYM = 13,
	STR = 14,
	BYTES = 15,
	CONST = 16,
	TEXT = 17
};

struct str {
	const uint8_t *p;
	uint32_t n;
};

struct label {
	int64_t value;
	struct str name;
};

struct arg {
	unsigned kind;
	bool array;
	uint32_t off;
	struct str name, text;
	struct label *label;
	uint32_t nlabels;
};

struct type {
	uint32_t must, may, hex, fixed, nargs;
	struct str event;
	struct arg *arg;
};

/* Everything read is kept until the end: strings point into the input. */
static const uint8_t *input;
static size_t input_n;

static struct str *string;
static uint32_t nstrings;
static struct type *type;
static uint32_t ntypes;

static struct {
	bool begun, ended, ticks;
	int64_t origin;
	struct str format, *loc;
	uint32_t nloc, nmeta;
	struct str *meta; /* key, value, key, ... */
	uint64_t blocks, records;
} head;

static bool want_header;
static bool written;	 /* the header at hand */
static uint64_t printed; /* events since then */
static bool trouble;
static uint64_t lost;
static struct str reason;

static void *
more(void *p, size_t n, size_t size)
{
	/* Grown by one at a time, to a power of two. */
	if (n & (n - 1))
		return p;
	p = realloc(p, (n ? 2 * n : 1) * size);
	if (!p)
		abort();
	return p;
}

static void
complain(const char *why)
{
	static char first[160];

	fprintf(stderr, "reader: %s\n", why);
	trouble = true;
	if (!reason.p) {
		reason.n = (uint32_t)snprintf(first, sizeof first, "%s", why);
		reason.p = (const uint8_t *)first;
	}
}

/* A cursor over a block; past the end everything is 0 and bad is set. */
struct cur {
	const uint8_t *p, *end;
	bool bad;
};

static uint64_t
number(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = bytes; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

static uint64_t
take(struct cur *c, unsigned bytes)
{
	if ((size_t)(c->end - c->p) < bytes) {
		c->bad = true;
		c->p = c->end;
		return 0;
	}
	c->p += bytes;
	return number(c->p - bytes, bytes);
}

static uint32_t
u32(struct cur *c)
{
	return (uint32_t)take(c, 4);
}

static struct str
str(struct cur *c)
{
	struct str s = {NULL, u32(c)};

	if (s.n > (size_t)(c->end - c->p)) {
		c->bad = true;
		s.n = 0;
	}
	s.p = c->p;
	c->p += s.n;
	return s;
}

static bool
is(struct str s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

/* Text. */

static void
escape(struct str s, bool backslash, bool comma)
{
	for (uint32_t i = 0; i < s.n; i++) {
		uint8_t c = s.p[i];

		if (c <= 0x20 || c == 0x7f || (c == '\\' && backslash) ||
		    (c == ',' && comma))
			printf("\\x%02x", c);
		else
			putchar(c);
	}
}

static void
put_name(struct str s)
{
	escape(s, false, false);
}

static void
put_string(struct str s, bool in_array)
{
	if (!s.n)
		fputs("\"\"", stdout);
	else if (is(s, "-"))
		fputs("\\x2d", stdout);
	else if (is(s, "\"\""))
		fputs("\\x22\"", stdout);
	else
		escape(s, true, in_array);
}

static void
put_seconds(int64_t ns)
{
	uint64_t u = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	printf("%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", u / 1000000000,
	       u % 1000000000);
}

static void
put_time(uint64_t t)
{
	if (head.ticks)
		printf("%" PRIu64, t);
	else
		put_seconds((int64_t)t);
}

static void
put_double(const uint8_t *p)
{
	uint64_t bits = number(p, 8);
	char text[40];
	int digits, exponent;
	double d;

	memcpy(&d, &bits, 8);
	if (isnan(d)) {
		printf("nan");
		return;
	}
	for (digits = 1; digits < 17; digits++) {
		snprintf(text, sizeof text, "%.*e", digits - 1, d);
		if (strtod(text, NULL) == d)
			break;
	}
	snprintf(text, sizeof text, "%.*e", digits - 1, d);
	exponent = isfinite(d) ? atoi(strchr(text, 'e') + 1) : 0;
	printf("%.*g", exponent <= 15 && exponent >= digits ? exponent + 1 : digits, d);
}

static unsigned
size_of(unsigned kind)
{
	static const unsigned char size[] = {0, 1, 2, 4, 8, 1, 2, 4, 8,
					     4, 8, 8, 8, 4, 8, 8, 0, 8};

	return size[kind];
}

static bool
is_part(const struct arg *a)
{
	return a->array || a->kind == STR || a->kind == BYTES || a->kind == TEXT;
}

/* What a part names. */
static struct str
part(const uint8_t *rec, const uint8_t *p)
{
	return (struct str){rec + number(p, 4), (uint32_t)number(p + 4, 4)};
}

/* One value that is no part, or an element of an array. */
static void
put_value(const uint8_t *rec, const struct arg *a, const uint8_t *p)
{
	unsigned size = size_of(a->kind);
	uint64_t v = number(p, size);

	if (a->kind >= I8 && a->kind <= I64 && size < 8 && v >> (size * 8 - 1))
		v |= UINT64_MAX << (size * 8);
	for (uint32_t i = 0; i < a->nlabels; i++)
		if (a->label[i].value == (int64_t)v) {
			put_string(a->label[i].name, a->array);
			return;
		}
	switch (a->kind) {
	case X32:
	case X64: printf("0x%" PRIx64, v); break;
	case NS: put_seconds((int64_t)v); break;
	case F64: put_double(p); break;
	case SYM: put_string(string[v], a->array); break;
	case STR: put_string(part(rec, p), a->array); break;
	default:
		if (a->kind >= I8 && a->kind <= I64)
			printf("%" PRId64, (int64_t)v);
		else
			printf("%" PRIu64, v);
	}
}

static void
put_arg(const uint8_t *rec, const struct arg *a)
{
	const uint8_t *p = rec + a->off;
	struct str s;

	putchar('\t');
	put_name(a->name);
	putchar('=');
	if (a->kind == CONST) {
		put_name(a->text);
		return;
	}
	if (!is_part(a)) {
		put_value(rec, a, p);
		return;
	}
	s = part(rec, p);
	if (a->array) {
		for (uint32_t i = 0; i < s.n; i++) {
			if (i)
				putchar(',');
			put_value(rec, a, s.p + (size_t)i * size_of(a->kind));
		}
	} else if (a->kind == STR)
		put_string(s, false);
	else if (a->kind == TEXT)
		put_name(s);
	else {
		fputs("0x", stdout);
		for (uint32_t i = 0; i < s.n; i++)
			printf("%02x", s.p[i]);
	}
}

static void
put_header(void)
{
	if (written)
		return;
	written = true;
	printed = 0;
	if (!want_header)
		return;
	fputs("##spoor\t1\n##format\t", stdout);
	put_name(head.format);
	fputs("\n##clock\t", stdout);
	if (head.ticks)
		fputs("ticks\n", stdout);
	else {
		fputs("s\torigin=", stdout);
		put_seconds(head.origin);
		putchar('\n');
	}
	for (uint32_t i = 0; i < head.nloc; i++) {
		fputs(i ? "/" : "##loc\t", stdout);
		put_name(head.loc[i]);
		if (i + 1 == head.nloc)
			putchar('\n');
	}
	for (uint32_t i = 0; i < head.nmeta; i++) {
		fputs("##meta\t", stdout);
		escape(head.meta[2 * i], true, false);
		putchar('=');
		put_string(head.meta[2 * i + 1], false);
		putchar('\n');
	}
	fputs("#time\tloc\tevent\taddr\tsize\tdur\targs\n", stdout);
}

static void
put_end(bool error)
{
	if (!want_header || !written)
		return;
	printf("##%s\tevents=%" PRIu64, error ? "error" : "end", printed);
	if (error) {
		printf("\tlost=%" PRIu64 "\treason=", lost);
		put_string(reason, false);
	}
	putchar('\n');
}

static void
put_record(const uint8_t *r)
{
	const struct type *t = &type[number(r + 4, 4)];
	uint32_t loc = (uint32_t)number(r + 8, 4), has = (uint32_t)number(r + 12, 4);

	put_header();
	put_time(number(r + 16, 8));
	putchar('\t');
	if (loc && !string[loc].n)
		fputs("\"\"", stdout);
	else
		put_name(string[loc]);
	putchar('\t');
	put_name(t->event);
	if (!(has & HAS_ADDR))
		fputs("\t-", stdout);
	else
		printf(t->hex ? "\t0x%" PRIx64 : "\t%" PRIu64, number(r + 24, 8));
	if (has & HAS_SIZE)
		printf("\t%" PRIu64 "\t", number(r + 32, 8));
	else
		fputs("\t-\t", stdout);
	if (has & HAS_DUR)
		put_time(number(r + 40, 8));
	else
		putchar('-');
	for (uint32_t i = 0; i < t->nargs; i++)
		put_arg(r, &t->arg[i]);
	putchar('\n');
	printed++;
}

/* Blocks. Each gives NULL, or what is wrong. */

static void
numbers_anew(void)
{
	static const uint8_t dash = '-';

	nstrings = ntypes = 0;
	string = more(string, nstrings, sizeof *string);
	string[nstrings++] = (struct str){&dash, 1};
}

static const char *
head_block(struct cur *c)
{
	uint32_t flags;

	if (c->end - c->p < 8 || memcmp(c->p, "SPOOR\r\n\x1a", 8) != 0)
		return "no magic";
	c->p += 8;
	if (u32(c) != 1)
		return "another version";
	flags = u32(c);
	if (flags & 1 && head.ended)
		return "a stream goes on that has ended";
	numbers_anew();
	if (flags & 1 && head.begun)
		return NULL;
	if (head.begun && !head.ended)
		complain("a stream was cut off before another");
	if (printed) {
		put_end(false);
		printed = 0;
		written = false;
	}
	head.begun = true;
	head.ended = false;
	head.blocks = head.records = 0;
	head.ticks = u32(c) != 0;
	head.nloc = u32(c);
	head.origin = (int64_t)take(c, 8);
	head.nmeta = u32(c);
	head.format = str(c);
	if (head.nloc > 8 || head.nmeta > LONGEST / 8)
		return "a bad head";
	head.loc = calloc(head.nloc + 1, sizeof *head.loc);
	head.meta = calloc(2 * (size_t)head.nmeta + 1, sizeof *head.meta);
	if (!head.loc || !head.meta)
		abort();
	for (uint32_t i = 0; i < head.nloc; i++)
		head.loc[i] = str(c);
	for (uint32_t i = 0; i < 2 * head.nmeta && !c->bad; i++)
		head.meta[i] = str(c);
	return c->bad ? "a bad head" : NULL;
}

static const char *
str_block(struct cur *c)
{
	uint32_t first = u32(c), n = u32(c);

	if (first != nstrings)
		return "strings out of order";
	for (; n && !c->bad; n--) {
		string = more(string, nstrings, sizeof *string);
		string[nstrings] = str(c);
		for (uint32_t i = 0; i < nstrings && nstrings < 1000; i++)
			if (string[i].n == string[nstrings].n &&
			    !memcmp(string[i].p, string[nstrings].p, string[i].n))
				return "a string comes twice";
		nstrings++;
	}
	return c->bad ? "a bad block of strings" : NULL;
}

static bool
arg_of(struct cur *c, struct arg *a, uint32_t *off)
{
	uint32_t bits = u32(c), size, align;

	a->kind = bits & 255;
	a->array = bits >> 8 & 1;
	a->off = u32(c);
	a->nlabels = u32(c);
	a->name = str(c);
	if (!a->kind || a->kind > TEXT || bits >> 9 || !a->name.n ||
	    memchr(a->name.p, '=', a->name.n))
		return false;
	if (a->array && (a->kind == BYTES || a->kind == CONST || a->kind == TEXT))
		return false;
	if (a->nlabels && (a->kind > X64 || a->nlabels > (size_t)(c->end - c->p) / 12))
		return false;
	a->label = calloc((size_t)a->nlabels + 1, sizeof *a->label);
	if (!a->label)
		abort();
	for (uint32_t i = 0; i < a->nlabels; i++) {
		a->label[i].value = (int64_t)take(c, 8);
		a->label[i].name = str(c);
		if (i && a->label[i].value <= a->label[i - 1].value)
			return false;
	}
	if (a->kind == CONST)
		a->text = str(c);
	size = a->array ? 8 : size_of(a->kind);
	align = is_part(a) ? 4 : size ? size : 1;
	*off = (*off + align - 1) / align * align;
	if (a->off != *off)
		return false;
	*off += size;
	return !c->bad;
}

static const char *
type_block(struct cur *c)
{
	uint32_t id = u32(c), flags = u32(c), off = RECORD_HEAD;
	struct type t = {.must = flags & 7};

	t.hex = flags >> 16 & 1;
	t.fixed = u32(c);
	t.nargs = u32(c);
	t.event = str(c);
	if (id != ntypes)
		return "types out of order";
	if (c->bad || !t.event.n || is(t.event, "-") ||
	    t.nargs > (size_t)(c->end - c->p) / 16)
		return "a bad type";
	t.arg = calloc((size_t)t.nargs + 1, sizeof *t.arg);
	if (!t.arg)
		abort();
	t.may = t.must | (flags >> 8 & 7);
	for (uint32_t i = 0; i < t.nargs; i++)
		if (!arg_of(c, &t.arg[i], &off))
			return "a bad argument";
	if (t.fixed != (off + 7) / 8 * 8)
		return "a bad length of a type";
	type = more(type, ntypes, sizeof *type);
	type[ntypes++] = t;
	return NULL;
}

static bool
part_ok(uint64_t len, const uint8_t *p, uint64_t size)
{
	uint64_t off = number(p, 4), n = number(p + 4, 4);

	return off + n * size <= len;
}

static bool
arg_ok(const uint8_t *r, uint64_t len, const struct arg *a)
{
	const uint8_t *p = r + a->off;
	struct str s;

	if (a->kind == CONST)
		return true;
	if (!is_part(a))
		return a->kind != SYM || number(p, 4) < nstrings;
	if (!part_ok(len, p, a->array ? size_of(a->kind) : 1))
		return false;
	s = part(r, p);
	for (uint32_t i = 0; a->array && i < s.n; i++) {
		if (a->kind == SYM && number(s.p + 4 * (size_t)i, 4) >= nstrings)
			return false;
		if (a->kind == STR && !part_ok(len, s.p + 8 * (size_t)i, 1))
			return false;
	}
	return true;
}

static bool
record_ok(const uint8_t *r, const uint8_t *end)
{
	const struct type *t;
	uint64_t len;
	uint32_t has;

	if ((size_t)(end - r) < RECORD_HEAD || number(r + 4, 4) >= ntypes ||
	    number(r + 8, 4) >= nstrings)
		return false;
	t = &type[number(r + 4, 4)];
	len = number(r, 4);
	has = (uint32_t)number(r + 12, 4);
	if (len < t->fixed || len % 8 || len > (size_t)(end - r) ||
	    (has & t->must) != t->must || has & ~t->may)
		return false;
	for (uint32_t i = 0; i < t->nargs; i++)
		if (!arg_ok(r, len, &t->arg[i]))
			return false;
	return true;
}

/* `cut`: the block ends with the input, before its time. */
static void
data_block(struct cur *c, bool cut)
{
	uint32_t n = u32(c);
	const uint8_t *r;

	take(c, 4);
	take(c, 8);
	take(c, 8);
	if (c->bad) {
		complain("a data block is too short");
		return;
	}
	for (r = c->p; n; n--, r += number(r, 4)) {
		if (!record_ok(r, c->end)) {
			if (!(cut && r == c->end)) {
				complain("a bad record");
				lost += n;
				head.records += n;
			}
			return;
		}
		put_record(r);
		head.records++;
	}
}

static const char *
block(const uint8_t *p, uint32_t bytes)
{
	struct cur c = {p + 8, p + bytes, false};
	const char *why = NULL;
	uint64_t blocks, records, n;
	struct str where;

	if (!memcmp(p, "HEAD", 4))
		why = head_block(&c);
	else if (!head.begun || head.ended)
		return "a block outside of a stream";
	else if (!memcmp(p, "STR ", 4))
		why = str_block(&c);
	else if (!memcmp(p, "TYPE", 4))
		why = type_block(&c);
	else if (!memcmp(p, "DATA", 4))
		data_block(&c, false);
	else if (!memcmp(p, "LOST", 4)) {
		n = take(&c, 8);
		where = str(&c);
		if (c.bad)
			return "a bad LOST block";
		lost += n;
		trouble = true;
		if (!reason.p)
			reason = where;
		fprintf(stderr, "reader: the producer had trouble: %.*s\n", (int)where.n,
			(const char *)where.p);
	} else if (!memcmp(p, "END ", 4)) {
		blocks = take(&c, 8);
		records = take(&c, 8);
		head.ended = true;
		if (c.bad || blocks != head.blocks || records != head.records)
			complain("the counts at the end differ");
	}
	head.blocks++;
	return why;
}

static void
stream(void)
{
	const uint8_t *p = input, *end = input + input_n;

	while (end - p >= 8) {
		uint64_t bytes = number(p + 4, 4);
		const char *why;

		if (bytes < 8 || bytes % 8 || bytes > LONGEST) {
			complain("a block of a bad length");
			return;
		}
		if (bytes > (size_t)(end - p)) {
			/* Whole records of a block that was cut off are still good. */
			if (head.begun && !memcmp(p, "DATA", 4) && end - p >= 32)
				data_block(&(struct cur){p + 8, end, false}, true);
			break;
		}
		why = block(p, (uint32_t)bytes);
		if (why) {
			complain(why);
			return;
		}
		p += bytes;
	}
	if (!head.ended)
		complain("the stream was cut off");
	else if (p != end)
		complain("bytes behind the end");
}

static void
slurp(void)
{
	uint8_t *p = NULL;
	size_t cap = 0, got;

	do {
		cap += 1 << 20;
		p = realloc(p, cap);
		if (!p)
			abort();
		got = fread(p + input_n, 1, cap - input_n, stdin);
		input_n += got;
	} while (got);
	input = p;
}

int
main(int argc, char **argv)
{
	want_header = argc > 1 && !strcmp(argv[1], "-H");
	slurp();
	stream();
	if (head.begun)
		put_header();
	put_end(trouble);
	if (fflush(stdout) || ferror(stdout))
		trouble = true;
	return trouble ? 2 : 0;
}
