/* parquet.c - events as Apache Parquet without compression, with data pages of version 1.
 *
 * "PAR1", groups of rows, footer, le32 size of the footer, "PAR1"
 * group: for each column a page of all its texts, if it has texts, and a page of data
 * page: header; levels of repetition (lists only) and definition; values
 *
 * Headers and the footer are structs of Thrift's compact protocol. The footer's data about groups waits in
 * memory. */
#include "cli/opt.h"
#include "trace-export/columns.h"

/* Bound: trace-export parquet | what the footer says of groups | rows and columns | 64 MiB | take parts with --chunk */
#define FOOT_MOST (64u << 20)
#define DICTIONARY_MOST 65536
#define EXTREME_MOST 64 /* limit of texts in statistics, in bytes */

enum {
	PLAIN = 0,
	RLE = 3,
	RLE_DICTIONARY = 8
};

/* A struct that is being made. last: number of the last field, for the struct and the structs around it. */
struct thrift {
	struct buf b;
	int depth, last[8];
};

struct parquet {
	struct buf page;
	struct thrift head, foot;
	uint64_t at, groups; /* at: bytes written */
};

static void
put_varint(struct buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		buf_byte(b, (char)(v | 128));
	buf_byte(b, (char)v);
}

/*
 * Appends to a struct: fields by their numbers, each with a letter, or elements of a list, which are
 * letters without a number. v has their values.
 *	i l	an integer of 32 or 64 bits
 *	b	bytes: their address and number
 *	c t f	a byte; true; false
 *	{ }	begins and ends a struct
 *	S B I	a list of structs, bytes or integers: how many elements follow
 */
static void
thrift(struct thrift *o, const char *p, const uint64_t *v)
{
	static const char letters[] = "tfcilbSBI{", types[] = "\1\2\3\5\6\10\11\11\11\14";
	struct buf *b = &o->b;

	for (int id = 0; *p; id = 0, p++) {
		for (; *p >= '0' && *p <= '9'; p++)
			id = id * 10 + *p - '0';
		if (id) {
			int step = id - o->last[o->depth];

			buf_byte(b,
				 (char)(step << 4 | types[strchr(letters, *p) - letters]));
			o->last[o->depth] = id;
		}
		switch (*p) {
		case 'i':
		case 'l': put_varint(b, *v << 1 ^ (*v >> 63 ? UINT64_MAX : 0)), v++; break;
		case 'c': buf_byte(b, (char)*v++); break;
		case 'b':
			put_varint(b, v[1]);
			buf_add(b, (const void *)(uintptr_t)v[0], (size_t)v[1]);
			v += 2;
			break;
		case '{': o->last[++o->depth] = 0; break;
		case '}':
			buf_byte(b, 0);
			o->depth--;
			break;
		case 'S':
		case 'B':
		case 'I':
			buf_byte(b, (char)(0xf0 | (*p == 'S' ? 12 : *p == 'B' ? 8 : 5)));
			put_varint(b, *v++);
			break;
		}
	}
}
#define V(...) ((const uint64_t[]){__VA_ARGS__})
#define TEXT(p, n) (uint64_t)(uintptr_t)(p), (n)

static void
emit(struct export_columns *t, struct buf *b)
{
	out_bytes(&t->sink->out, b->p, b->n);
	((struct parquet *)t->state)->at += b->n;
	b->n = 0;
}

/* Writes the page, and then the bytes of `more`, which may be NULL. */
static void
put_page(struct export_columns *t, bool data, uint64_t entries, uint64_t encoding,
	 struct buf *more)
{
	struct parquet *x = t->state;
	uint64_t n = x->page.n + (more ? more->n : 0);

	if (data)
		thrift(&x->head, "{1i2i3i5{1i2i3i4i}}",
		       V(0, n, n, entries, encoding, RLE, RLE));
	else
		thrift(&x->head, "{1i2i3i7{1i2i}}", V(2, n, n, entries, encoding));
	emit(t, &x->head.b);
	emit(t, &x->page);
	if (more)
		emit(t, more);
}

/* Appends `bits` bits of each level, as one run if all are equal. */
static void
put_levels(struct buf *b, const struct export_column *c, unsigned bits, unsigned shift)
{
	size_t n = c->level.n, at = b->n;

	buf_add(b, "\0\0\0", 4);
	if (!c->list && (c->have == n || !c->have)) {
		put_varint(b, n << 1);
		buf_byte(b, c->have ? LEVEL_VALUE : 0);
	} else {
		put_varint(b, (n + 7) / 8 << 1 | 1);
		columns_pack(b, bits, c->level.p, 1, shift, n);
	}
	st_le32(b->p + at, (uint32_t)(b->n - at - 4));
}

static void
parquet_text(struct buf *b, const struct str *s)
{
	st_le32(buf_room(b, 4), s->len);
	b->n += 4;
	buf_add(b, s->s, s->len);
}

/* Writes the pages of a column. Returns the offset of the page of data. */
static uint64_t
put_pages(struct export_columns *t, struct export_column *c, bool dictionary)
{
	struct parquet *x = t->state;
	struct buf *b = &x->page;
	unsigned bits = 1;
	uint64_t at;

	for (uint32_t i = 0; i < c->texts.n && dictionary; i++)
		parquet_text(b, &c->texts.v[i]);
	if (dictionary)
		put_page(t, false, c->texts.n, PLAIN, NULL);
	at = x->at;
	if (c->list)
		put_levels(b, c, 1, 2);
	put_levels(b, c, c->list ? 2 : 1, 0);
	if (c->type != COLUMN_TEXT) {
		put_page(t, true, c->level.n, PLAIN, &c->value);
		return at;
	}
	for (size_t i = 0; i < c->have && !dictionary; i++)
		parquet_text(b, column_text(c, i));
	if (dictionary) {
		while (1u << bits < c->texts.n)
			bits++;
		buf_byte(b, (char)bits);
		put_varint(b, ((uint64_t)c->have + 7) / 8 << 1 | 1);
		columns_pack(b, bits, c->value.p, 4, 0, c->have);
	}
	put_page(t, true, c->level.n, dictionary ? RLE_DICTIONARY : PLAIN, NULL);
	return at;
}

static int
compare(const struct str *a, const struct str *b)
{
	int order = memcmp(a->s, b->s, a->len < b->len ? a->len : b->len);

	return order ? order : a->len < b->len ? -1 : a->len > b->len;
}

/* Returns a number as an integer with the same order. The function is its own inverse. */
static int64_t
ordered(const struct export_column *c, int64_t v)
{
	if (c->type == COLUMN_UINT64)
		return v ^ INT64_MIN;
	return c->type == COLUMN_DOUBLE && v < 0 ? v ^ INT64_MAX : v;
}

/* Sets `ends` to the smallest and the greatest number of c, as bytes of the file. Returns false if one is NaN. */
static bool
number_ends(const struct export_column *c, uint64_t ends[2])
{
	const int64_t infinity = 0x7ff0000000000000;
	int64_t least = INT64_MAX, most = INT64_MIN, v;

	for (size_t i = 0; i < c->have; i++) {
		v = ordered(c, (int64_t)le64(c->value.p + 8 * i));
		least = v < least ? v : least;
		most = v > most ? v : most;
	}
	if (c->type == COLUMN_DOUBLE) {
		if (most > infinity || least < ~infinity)
			return false;
		least = least ? least : -1; /* a zero may have either sign */
		most = most == -1 ? 0 : most;
	}
	st_le64(&ends[0], (uint64_t)ordered(c, least));
	st_le64(&ends[1], (uint64_t)ordered(c, most));
	return true;
}

/* Appends the statistics of a column: number of entries without a value, greatest and smallest value. */
static void
put_statistics(struct thrift *o, const struct export_column *c)
{
	uint64_t ends[2], none = c->level.n - c->have;
	struct str least = {(char *)&ends[0], 8}, most = {(char *)&ends[1], 8};
	bool known = c->have && (c->type == COLUMN_TEXT || number_ends(c, ends));

	for (uint32_t i = 0; i < c->texts.n; i++) {
		const struct str *s = &c->texts.v[i];

		least = !i || compare(s, &least) < 0 ? *s : least;
		most = !i || compare(s, &most) > 0 ? *s : most;
	}
	known &= least.len <= EXTREME_MOST && most.len <= EXTREME_MOST;
	thrift(o, known ? "12{3l5b6b}" : "12{3l}",
	       V(none, TEXT(most.s, most.len), TEXT(least.s, least.len)));
}

/* Returns the physical type: INT64, DOUBLE or BYTE_ARRAY. */
static uint64_t
physical(const struct export_column *c)
{
	return c->type == COLUMN_TEXT ? 6 : c->type == COLUMN_DOUBLE ? 5 : 2;
}

static void
parquet_head(struct export_columns *t)
{
	struct parquet *x = t->state;

	buf_str(&x->page, "PAR1");
	emit(t, &x->page);
}

static void
parquet_group(struct export_columns *t)
{
	struct parquet *x = t->state;
	struct thrift *o = &x->foot;
	uint64_t begin = x->at;

	thrift(o, "{1S", V(t->n));
	for (size_t i = 0; i < t->n; i++) {
		struct export_column *c = &t->col[i];
		bool text = c->type == COLUMN_TEXT && c->have;
		bool dictionary = text && c->texts.n <= DICTIONARY_MOST;
		uint64_t from = x->at, data = put_pages(t, c, dictionary), n = x->at - from;

		thrift(o, "{2l3{1i2I", V(from, physical(c), 2));
		thrift(o, "ii3B",
		       V(dictionary ? RLE_DICTIONARY : PLAIN, RLE, c->list ? 3 : 1));
		thrift(o, c->list ? "bbb" : "b",
		       V(TEXT(c->name.p, c->name.n), TEXT("list", 4), TEXT("element", 7)));
		thrift(o, "4i5l6l7l9l", V(0, c->level.n, n, n, data));
		if (dictionary)
			thrift(o, "11l", V(from));
		put_statistics(o, c);
		thrift(o, "}}", NULL);
	}
	thrift(o, "2l3l}", V(x->at - begin, t->rows));
	x->groups++;
	if (o->b.n > FOOT_MOST)
		die("parquet: the footer has no room for more rows: take parts with "
		    "--chunk");
}

/* Appends the element of the schema for a column; a list has three. */
static void
put_schema(struct thrift *o, const struct export_column *c)
{
	static const char *const logical[] = {[COLUMN_TEXT] = "6i10{1{}}}",
					      [COLUMN_UINT64] = "6i10{10{1c2f}}}",
					      [COLUMN_DATE] = "10{8{1t2{3{}}}}}",
					      [COLUMN_NS] = "}",
					      [COLUMN_INT64] = "}",
					      [COLUMN_DOUBLE] = "}"};

	if (c->list)
		thrift(o, "{3i4b5i6i10{3{}}}{3i4b5i}{1i3i4b",
		       V(1, TEXT(c->name.p, c->name.n), 1, 3, 2, TEXT("list", 4), 1,
			 physical(c), 0, TEXT("element", 7)));
	else
		thrift(o, "{1i3i4b", V(physical(c), 1, TEXT(c->name.p, c->name.n)));
	thrift(o, logical[c->type],
	       V(c->type == COLUMN_TEXT ? 0 : 14, 64)); /* UTF8, UINT_64 */
}

static void
parquet_end(struct export_columns *t)
{
	struct parquet *x = t->state;
	struct thrift *o = &x->head;
	uint64_t from = x->at, elements = t->n + 1;
	const char *key, *value, *end;
	char by[64];

	snprintf(by, sizeof by, "spoor version %s", opt_version());
	for (size_t i = 0; i < t->n; i++)
		elements += t->col[i].list ? 2 : 0;
	thrift(o, "{1i2S{4b5i}", V(2, elements, TEXT("event", 5), t->n));
	for (size_t i = 0; i < t->n; i++)
		put_schema(o, &t->col[i]);
	thrift(o, "3l4S", V(t->total, x->groups));
	emit(t, &o->b);
	emit(t, &x->foot.b);
	thrift(o, "5S", V(columns_facts(t)));
	key = (const char *)t->facts.p;
	for (end = key + t->facts.n; key < end; key = value + strlen(value) + 1) {
		value = key + strlen(key) + 1;
		thrift(o, "{1b2b}", V(TEXT(key, strlen(key)), TEXT(value, strlen(value))));
	}
	thrift(o, "6b7S", V(TEXT(by, strlen(by)), t->n));
	/* the values are sorted in the order of their type */
	for (size_t i = 0; i < t->n; i++)
		thrift(o, "{1{}}", NULL);
	thrift(o, "}", NULL);
	emit(t, &o->b);
	st_le32(buf_room(&x->page, 4), (uint32_t)(x->at - from));
	x->page.n = 4;
	buf_str(&x->page, "PAR1");
	emit(t, &x->page);
}

static void
parquet_free(struct export_columns *t)
{
	struct parquet *x = t->state;

	buf_free(&x->page);
	buf_free(&x->head.b);
	buf_free(&x->foot.b);
}

static const struct columns_writer writer = {sizeof(struct parquet), parquet_head,
					     parquet_group, parquet_end, parquet_free};

const struct target target_parquet = {
    .name = "parquet",
    .about = "Apache Parquet: DuckDB, pandas, polars, R, Spark",
    .takes = TAKES(FIELDS) | TAKES(ABSOLUTE),
    .carries = NEED_COLUMNS | NEED_ARGS,
    .form = &form_columns,
    .columns = &writer,
    .once = columns_once,
    .learn = columns_learn,
};
