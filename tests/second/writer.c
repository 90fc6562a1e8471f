/*
 * writer.c - a second writer of binary streams, from spoor-stream(5) alone.
 *
 *	writer all|ticks|again|two|empty|lost|odd
 *
 * Every kind of argument with its least, greatest and strangest values. `odd` is what no
 * writer need do and every reader must take: blocks of unknown kinds, bytes behind the last
 * field, parts that overlap and lie at odd places.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	U8 = 1,
	U16,
	U32,
	U64,
	I8,
	I16,
	I32,
	I64,
	X32,
	X64,
	NS,
	F64,
	SYM,
	STR,
	BYTES,
	CONST,
	TEXT
};
#define ARRAY 0x100u

static const uint8_t size_of[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 8, 4, 8, 8, 0, 8};

static uint8_t b[1 << 20]; /* the block in the making */
static size_t n;
static uint64_t blocks, records; /* of the stream */

static void
number(uint64_t v, unsigned bytes)
{
	for (; bytes--; v >>= 8)
		b[n++] = (uint8_t)v;
}

static void
at(size_t place, uint64_t v, unsigned bytes)
{
	for (; bytes--; v >>= 8)
		b[place++] = (uint8_t)v;
}

static void
u32(uint64_t v)
{
	number(v, 4);
}

static void
u64(uint64_t v)
{
	number(v, 8);
}

static void
bytes(const void *p, size_t len)
{
	memcpy(b + n, p, len);
	n += len;
}

static void
str(const char *s)
{
	u32(strlen(s));
	bytes(s, strlen(s));
}

static void
begin(const char *kind)
{
	n = 0;
	bytes(kind, 4);
	u32(0);
}

static void
end(void)
{
	while (n % 8)
		b[n++] = 0;
	at(4, n, 4);
	fwrite(b, 1, n, stdout);
	blocks++;
}

static void
head(const char *format, bool ticks, int64_t origin, bool again)
{
	if (!again)
		blocks = records = 0;
	begin("HEAD");
	bytes("SPOOR\r\n\x1a", 8);
	u32(1);
	u32(again);
	u32(ticks);
	u32(2);
	u64((uint64_t)origin);
	u32(4);
	str(format);
	str("host");
	str("rank");
	str("plain");
	str("value");
	str("a key");
	str("a\tvalue \\ with = and \xc3\xa9");
	str("empty");
	str("");
	str("dash");
	str("-");
	end();
}

static void
end_of_stream(void)
{
	begin("END ");
	u64(blocks);
	u64(records);
	end();
}

static const char *const strings[] = {
    "h0/r1",
    "a\\x20b/c\\x5cd",
    "MPI_COMM_WORLD",
    "",
    "x y,z\\",
    "\"\"",
    "a/place/whose/name/is/longer/than/sixty-four/bytes/so/that/nothing/short/fits",
    "/",
};

static void
string_block(void)
{
	begin("STR ");
	u32(1);
	u32(sizeof strings / sizeof *strings);
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
		str(strings[i]);
	end();
}

/* A type in the making: its arguments' offsets by the rule. */
static uint32_t off, args, type_number;
static size_t args_at, fixed_at;
static uint32_t place[64], fixed[64];

static void
type(const char *event, uint32_t must, uint32_t may, bool hex)
{
	begin("TYPE");
	u32(type_number);
	u32(must | may << 8 | (uint32_t)hex << 16);
	fixed_at = n;
	u32(0);
	args_at = n;
	u32(0);
	str(event);
	off = 48;
	args = 0;
}

static void
arg(uint32_t kind, const char *name, uint32_t nlabels)
{
	bool part = kind & ARRAY || kind == STR || kind == BYTES || kind == TEXT;
	uint32_t size = part ? 8 : size_of[kind & 255], align = part ? 4 : size ? size : 1;

	off = (off + align - 1) / align * align;
	u32(kind);
	u32(off);
	u32(nlabels);
	str(name);
	place[args++] = off;
	off += size;
}

static void
label(int64_t value, const char *name)
{
	u64((uint64_t)value);
	str(name);
}

static void
end_type(void)
{
	off = (off + 7) / 8 * 8;
	at(fixed_at, off, 4);
	at(args_at, args, 4);
	fixed[type_number++] = off;
	end();
}

/* A record in the making, in a DATA block. */
static size_t rec;
static uint32_t in_block;

static void
data(void)
{
	begin("DATA");
	u32(0);
	u32(0);
	u64(0);
	u64(0);
	in_block = 0;
}

static void
end_data(void)
{
	at(8, in_block, 4);
	records += in_block;
	end();
}

static void
record(uint32_t t, uint32_t loc, uint32_t has, uint64_t time, uint64_t addr, uint64_t size,
       uint64_t dur)
{
	rec = n;
	memset(b + n, 0, fixed[t]);
	n += 16;
	at(rec, fixed[t], 4);
	at(rec + 4, t, 4);
	at(rec + 8, loc, 4);
	at(rec + 12, has, 4);
	u64(time);
	u64(addr);
	u64(size);
	u64(dur);
	n = rec + fixed[t];
	in_block++;
}

static void
end_record(void)
{
	while (n % 8)
		b[n++] = 0;
	at(rec, n - rec, 4);
}

static void
value(uint32_t i, uint64_t v, unsigned width)
{
	at(rec + place[i], v, width);
}

static void
value_double(uint32_t i, double d)
{
	uint64_t bits;

	memcpy(&bits, &d, 8);
	value(i, bits, 8);
}

/* Where a part's bytes go: at a multiple of 8. */
static void
part(uint32_t i, uint32_t count)
{
	while (n % 8)
		b[n++] = 0;
	value(i, n - rec, 4);
	at(rec + place[i] + 4, count, 4);
}

static void
part_bytes(uint32_t i, const void *p, size_t len)
{
	part(i, (uint32_t)len);
	bytes(p, len);
}

/* The types are made in this order, so `place` is that of the last one; records of a type
 * come before the next type is made. */

static void
scalars(void)
{
	static const char *const name[] = {"",	  "u8",	 "u16", "u32", "u64", "i8",  "i16",
					   "i32", "i64", "x32", "x64", "ns",  "f64", "sym"};
	/* 1.0 is "1"; the least and greatest doubles; halves; what is no number. */
	const double doubles[] = {
	    0,
	    -0.0,
	    0.1,
	    1.0 / 3,
	    DBL_MAX,
	    DBL_MIN,
	    4.9406564584124654e-324,
	    123456789012345680.0,
	    1e15,
	    1e16,
	    -2.5e-7,
	    100,
	    1234567.5,
	    9007199254740994.0,
	    9.87e15,
	    1e-4,
	    INFINITY,
	    -INFINITY,
	    -strtod("nan", NULL), /* without its sign in text */
	    5e-5,
	    0.3,
	};

	type("scalars", 7, 7, true);
	arg(U8, "u8", 0);
	arg(CONST, "const", 0);
	str("as\\x20it=stands,");
	for (uint32_t k = U16; k <= SYM; k++)
		arg(k, name[k], 0);
	arg(I8, "last", 0);
	end_type();
	data();
	for (int least = 0; least < 2; least++) {
		record(0, 1, 7, least ? 0 : 1500000000, UINT64_MAX >> (least * 63),
		       UINT64_MAX, 1);
		value(0, least ? 0 : 255, 1);
		for (uint32_t i = 2; i < args - 1; i++) {
			uint32_t k = i, bits = size_of[k] * 8u;
			uint64_t v = UINT64_MAX >> (64 - bits);

			if (k == SYM)
				v = least ? 4 : 5;
			else if ((k >= I8 && k <= I64) || k == NS)
				v = least ? 1ull << (bits - 1) : v >> 1;
			else if (least)
				v = 0;
			value(i, v, size_of[k]);
		}
		value(args - 1, UINT64_MAX, 1);
	}
	for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
		record(0, 0, 7, i * 999999999, i, i, (uint64_t) - (int64_t)i);
		value_double(F64, doubles[i]);
		value(SYM, i % 9, 4);
		value(NS, (uint64_t) - (int64_t)i, 8);
		value(I8, (uint64_t) - (int64_t)i, 1);
	}
	end_data();
}

static void
parts(void)
{
	static const char *const text[] = {
	    "",	   "-",	       "\"\"",	     "--", "a b", "\\x41",  "\\",
	    "a,b", "\xc3\xa9", "\x7f\t\n\r", "=",  "\"",  "\"\"\"", "\\x2d"};
	uint8_t all[256];

	for (unsigned i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	type("parts", 0, 7, false);
	arg(STR, "str", 0);
	arg(U8, "between", 0);
	arg(BYTES, "bytes", 0);
	arg(TEXT, "text", 0);
	arg(CONST, "nothing", 0);
	str("");
	end_type();
	data();
	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		record(1, 2, (uint32_t)i & 7, i, i & 1 ? 7 : 0, i & 2 ? 8 : 0,
		       i & 4 ? 9 : 0);
		part_bytes(0, text[i], strlen(text[i]));
		value(1, i, 1);
		part_bytes(2, text[i], strlen(text[i]));
		part_bytes(3, text[i], strlen(text[i]));
		end_record();
	}
	record(1, 7, 0, (uint64_t)-1, 0, 0, 0);
	part_bytes(0, all, sizeof all);
	part_bytes(2, all, sizeof all);
	part_bytes(3, all, sizeof all);
	end_record();
	/* Longer than any buffer that a line might be made in. */
	record(1, 8, 0, 0, 0, 0, 0);
	part(0, 20000);
	memset(b + n, 'x', 20000);
	n += 20000;
	part(2, 9000);
	memset(b + n, 0xab, 9000);
	n += 9000;
	end_record();
	end_data();
}

static void
arrays(void)
{
	static const uint32_t counts[] = {0, 1, 3, 1500};

	type("arrays", 0, 0, false);
	for (uint32_t k = U8; k <= STR; k++) {
		char name[8];

		snprintf(name, sizeof name, "a%u", (unsigned)k);
		arg(k | ARRAY, name, 0);
	}
	end_type();
	for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
		data();
		record(2, 3, 0, c, 0, 0, 0);
		for (uint32_t k = U8; k < STR; k++) {
			part(k - 1, counts[c]);
			for (uint32_t i = 0; i < counts[c]; i++)
				number(k == SYM ? i % 9 : UINT64_MAX / (i + 1) - i,
				       size_of[k]);
		}
		part(STR - 1, counts[c]);
		{
			static const char *const text[] = {"",	  "a,b",  "-",
							   "x y", "\"\"", "\\"};
			size_t first = n, text_n = sizeof text / sizeof *text;

			n += 8 * (size_t)counts[c];
			for (uint32_t i = 0; i < counts[c]; i++) {
				const char *s = text[i % text_n];

				at(first + 8 * (size_t)i, n - rec, 4);
				at(first + 8 * (size_t)i + 4, strlen(s), 4);
				bytes(s, strlen(s));
			}
		}
		end_record();
		end_data();
	}
}

static void
labelled(void)
{
	type("labels", 0, 0, false);
	arg(U8, "u8", 3);
	label(0, "zero");
	label(1, "-");
	label(255, "");
	arg(I32, "i32", 4);
	label(INT32_MIN, "least");
	label(-1, "minus one");
	label(0, "a,b");
	label(7, "x\\y");
	arg(X32, "x32", 1);
	label(4294967295, "all");
	arg(U64, "u64", 2);
	label(-1, "greatest");
	label(5, "five");
	arg(U16 | ARRAY, "u16", 2);
	label(0, "a,b");
	label(2, "two");
	arg(I8 | ARRAY, "i8", 1);
	label(-2, "-");
	end_type();
	data();
	for (uint32_t i = 0; i < 9; i++) {
		static const int32_t i32[] = {INT32_MIN, -2, -1, 0, 1, 6, 7, 8, INT32_MAX};

		record(3, 1, 0, i, 0, 0, 0);
		value(0, i == 8 ? 255 : i, 1);
		value(1, (uint32_t)i32[i], 4);
		value(2, i & 1 ? UINT32_MAX : i, 4);
		value(3, i & 1 ? UINT64_MAX : i, 8);
		part(4, i);
		for (uint32_t k = 0; k < i; k++)
			number(k, 2);
		part(5, i);
		for (uint32_t k = 0; k < i; k++)
			number(0 - (uint64_t)k, 1);
		end_record();
	}
	end_data();
}

static void
names(void)
{
	type("an\\x20event\\x09whose-name-is-longer-than-thirty-two-bytes", 1, 7, false);
	arg(U32, "an-argument-whose-name-is-longer-than-thirty-two-bytes-as-well", 0);
	arg(U32, "an-argument-whose-name-is-longer-than-thirty-two-bytes-as-well", 0);
	arg(CONST, "c\\x3d", 0);
	str("0x10");
	end_type();
	type("bare", 0, 7, false);
	end_type();
	type("both", 3, 3, false);
	end_type();
	type("both", 3, 3, true);
	end_type();
	data();
	record(4, 1, 1, 0, 10000000000000000000u, 0, 0);
	value(0, 99999999, 4);
	value(1, 100000000, 4);
	for (uint32_t has = 0; has < 8; has++) {
		uint64_t v = 1;

		for (uint32_t i = 0; i < 21; i++, v *= 10) {
			record(5, has, has, v - 1, has & 1 ? v : 0, has & 2 ? v - 1 : 0,
			       has & 4 ? v : 0);
			if (has > 1)
				break;
		}
	}
	record(6, 4, 3, 1, 2, 3, 0);
	record(7, 4, 3, INT64_MAX, 2, 3, 0);
	record(7, 4, 3, 1ull << 63, 0, 0, 0);
	end_data();
}

static void
everything(bool ticks, int64_t origin, bool again)
{
	head("second", ticks, origin, again);
	type_number = 0;
	string_block();
	scalars();
	parts();
	arrays();
	labelled();
	names();
}

/* What a reader must take although no writer need write it. */
static void
odd(void)
{
	head("odd", false, -1, true); /* `again`, but in front of everything */
	begin("FOO!");
	u64(1);
	end();
	begin("STR ");
	u32(1);
	u32(1);
	str("x");
	bytes("what a later version says here", 30);
	end();
	begin("STR ");
	u32(2);
	u32(0);
	end();
	type_number = 0;
	type("odd", 0, 0, false);
	arg(STR, "one", 0);
	arg(U16 | ARRAY, "two", 0);
	arg(STR, "head", 0);
	arg(STR, "end", 0);
	end_type();
	data();
	record(0, 1, 0, 5, 0, 0, 0);
	bytes("\x01\x02\x03\x04\x05\x06\x07", 7);
	value(0, fixed[0] + 1, 4); /* overlaps the next, which begins at an odd place */
	at(rec + place[0] + 4, 4, 4);
	value(1, fixed[0] + 3, 4);
	at(rec + place[1] + 4, 2, 4);
	value(2, 4, 4); /* the type's number and loc */
	at(rec + place[2] + 4, 8, 4);
	value(3, fixed[0] + 8, 4); /* nothing, at the very end */
	end_record();
	bytes("bytes behind the last record", 28);
	end_data();
	begin("DATA"); /* no records at all */
	u32(0);
	u32(0);
	u64(0);
	u64(0);
	end();
	begin("\0\0\0\0");
	end();
	end_of_stream();
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "all") || !strcmp(what, "ticks")) {
		everything(*what == 't', *what == 't' ? 0 : 1384355564123456789, false);
		end_of_stream();
	} else if (!strcmp(what, "again")) {
		everything(false, 0, false);
		everything(true, 5, true);
		end_of_stream();
	} else if (!strcmp(what, "two")) {
		everything(true, 0, false);
		end_of_stream();
		everything(false, INT64_MIN, false);
		end_of_stream();
	} else if (!strcmp(what, "empty")) {
		head("-", false, 0, false);
		end_of_stream();
	} else if (!strcmp(what, "lost")) {
		everything(false, 0, false);
		for (unsigned i = 2; i < 4; i++) {
			begin("LOST");
			u64(i);
			str(i == 2 ? "in the first\tplace" : "in the second");
			end();
		}
		end_of_stream();
	} else if (!strcmp(what, "odd"))
		odd();
	else {
		fprintf(stderr, "usage: writer all|ticks|again|two|empty|lost|odd\n");
		return 2;
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
