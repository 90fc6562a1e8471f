/* fast.h - the data of the fast path for lines in columns: its plan, and names. delimited_line.h has the code. */
#ifndef SPOOR_DELIMITED_FAST_H
#define SPOOR_DELIMITED_FAST_H

#include "event/event.h"
#include "event/schema.h"
#include "input/lines.h"

/* The part of an event that a field becomes. */
enum delimited_what {
	C_TIME,
	C_END, /* the time of the event's end: time is the end less dur */
	C_LOC,
	C_EVENT,
	C_ADDR,
	C_SIZE,
	C_DUR,
	C_ARG,
};

/* The way in which the text of a field is read. */
enum delimited_as {
	AS_TEXT,
	AS_NUMBER, /* a whole number, after it is multiplied by `unit` */
	AS_HEX,	   /* with 0x or without */
	AS_TIME,   /* multiplied by `unit`, in ns */
	AS_ISO,	   /* a date and a time of day */
	AS_LINE,   /* no text: the line number, in s */
};

/* The columns that a field may name: its own, the subtracted ones, and the column of its condition. A date may
 * have up to REF_JOINED columns. */
#define REF_JOINED 3
enum {
	REF_AT,
	REF_LESS = REF_JOINED,
	REF_WHEN = 2 * REF_JOINED,
	REFS
};

struct delimited_ref {
	int at; /* column from 1; negative: from the end; 0 = none */
	/* Number plus 1 of a name whose value comes from an earlier line; 0 = it is in this line. */
	unsigned held;
	/* Name in the header or in a shape; p = NULL if the column has a number. */
	struct word name;
};

/* Returns true if the description names a column here. */
static inline bool
delimited_is_ref(const struct delimited_ref *r)
{
	return r->at || r->held || r->name.p;
}

struct delimited_field {
	uint8_t what, as;
	uint8_t absent; /* 1: it may be missing, empty or "-"; 2: also not a number */
	bool rest;	/* it goes up to the end of the line */
	bool point;	/* an argument that is a time, not a duration */
	bool clock;	/* a time of day without a date */
	bool others;	/* the map has a value for all other texts: `other` */
	bool drops;	/* all other texts make the line no record */
	bool preset;	/* it comes from a preset; the user's description may replace it */
	bool joined;	/* its columns, or the subtracted ones, are joined */
	bool either;	/* its text is the first present one of several columns */
	bool less;	/* it is a difference */
	uint8_t fits;	/* enum unit that its numbers may have */
	struct delimited_ref ref[REFS]; /* if the first is not set: `constant` */
	struct word is;			/* values of its condition: see delimited_is */
	/* Name of an argument or of a part of loc; may be empty. */
	char name[32];
	struct word constant; /* name of the event, if it is not in a column */
	struct word other;    /* n = 0: keep the text */
	uint64_t unit;
	unsigned pair, npairs; /* its map: index of the first pair, number of pairs */
};

#define FAST_COLUMNS 32 /* limit of the columns of a line */
#define FAST_WORDS 4	/* limit of the length of a line, in words of 64 bytes */
/* Limit of the bytes of a name that is found by its bytes instead of a hash. */
#define FAST_KEY 16
#define FAST_ARGS 16

/* A condition: the field is absent unless this column is one of `is`. */
struct delimited_when {
	uint8_t col; /* from 1; 0 = no condition */
	struct word is;
};

/* A number to read. `has`: HAS_* that it sets. */
struct delimited_op {
	uint8_t col, absent, has; /* has: HAS_* that it sets */
	uint8_t point;		  /* byte before the decimals; a digit = no decimals */
	bool hex;
	/* Enum delimited_what; C_ARG + i = argument i; FAST_CHECK = only checked. */
	uint8_t what;
	/* The consumer does not need it, and a number of so many digits cannot be too large. */
	uint8_t idle;
	uint64_t unit, most; /* most: limit of the whole part */
	struct delimited_when when;
};
#define FAST_CHECK (C_ARG + FAST_ARGS)

/* Names that the slow path has met: their bytes, and their numbers plus 1. */
struct delimited_known {
	struct delimited_name {
		uint64_t key[2];
		uint32_t len, id;
	} * v;
	uint32_t size;	      /* number of places, a power of two */
	struct strtab longer; /* names of more than FAST_KEY bytes */
	uint32_t *longer_id;
	size_t longer_cap;
};

/* An argument to read. */
struct delimited_fast_arg {
	uint8_t col, absent;
	bool text, rest, mapped;
	bool gone;	   /* no line has it */
	uint32_t optional; /* its bit among the optional arguments, or 0 */
	struct delimited_when when;
	struct delimited_known known; /* for an argument with a map: numbers in `texts` */
};

/* JSON objects with the same members in the same order: the bytes before each value, and its column. */
#define FAST_OBJECTS 8
#define FAST_PIECES 48
struct delimited_object {
	struct delimited_piece {
		uint16_t at, n; /* at, n: offset and length in bytes[] */
		uint8_t col;	/* FAST_COLUMNS = not needed */
		bool text;
	} piece[FAST_PIECES];
	/* Number of pieces. The last piece has no value: it ends the line. The shape of an object
	 * with more than FAST_PIECES pieces is not remembered: each such object is parsed. */
	unsigned n;
	unsigned end; /* end of the last value */
	uint8_t bytes[64 * FAST_WORDS];
};

struct delimited_fast {
	const uint8_t *p, *end; /* whole lines to read */
	struct batch *b;
	const struct tables *t;
	uint8_t sep;
	bool off, planned;
	/* Only columns between separators, no arguments, and only decimal numbers. */
	bool common;
	bool exact;    /* lines have exactly `want` columns */
	unsigned want; /* number of columns to read */
	const struct word *skip;
	unsigned nskips;
	unsigned nops, nargs, ntexts;
	bool args; /* the consumer needs arguments */
	struct delimited_op op[FAST_COLUMNS];
	/* Columns that are not numbers, or that conditions need. */
	uint8_t text[FAST_COLUMNS];
	struct delimited_fast_arg arg[FAST_ARGS];
	struct strtab texts;	  /* texts of arguments with a map, escaped */
	int loc, loc_last, event; /* indexes of columns from 0; -1 = none */
	uint32_t absent;	  /* bits of the arguments that no line has */
	uint32_t loc_id;	  /* number of loc if it has no column */
	/* Number of the type plus 1, by the number of the event and the bits of absent arguments. */
	uint32_t *type;
	size_t types;
	unsigned optional; /* number of optional arguments */
	bool ends;
	uint64_t base;	/* subtracted from all times */
	int64_t origin; /* time of the first record, relative to `base` */
	struct delimited_known locs, events;
	struct delimited_object
	    *object;	  /* FAST_OBJECTS of them if lines are JSON objects, else NULL */
	unsigned objects; /* number of objects that were learned */
	bool learned;	  /* the current line is one of the learned objects */
};

/* Reads lines from f->p into f->b by AVX2, up to the first one that only the slow path can read, which becomes f->p.
 * The processor must have AVX2. */
void columns_fast_avx2(struct delimited_fast *f);

/* Returns the first of the two places of a name of n <= FAST_KEY bytes, and its bytes in `key`. */
static INLINE struct delimited_name *
delimited_slot(const struct delimited_known *k, const uint8_t *p, size_t n, uint64_t key[2])
{
	unsigned low = n < 8 ? (unsigned)n : 8, high = n > 8 ? (unsigned)n - 8 : 0;
	uint64_t h;

#define FIRST_BYTES(w, n)                       \
	((n) == 8   ? (w)                       \
	 : HOST_BIG ? (w) & ~(~0ull >> 8 * (n)) \
		    : (w) & ((1ull << 8 * (n)) - 1))
	key[0] = FIRST_BYTES(ld64(p), low);
	key[1] = high ? FIRST_BYTES(ld64(p + 8), high) : 0;
	h = (key[0] ^ key[1] * 0xff51afd7ed558ccdu ^ n) * 0x9e3779b97f4a7c15u;
	return &k->v[(h >> 40 ^ h >> 20) & (k->size - 1)];
}

/* Returns the number of the name p[0..n) plus 1, or 0 if it is unknown. With `common` a name of more than FAST_KEY
 * bytes is always unknown. */
static INLINE uint32_t
delimited_known(const struct delimited_known *k, const uint8_t *p, size_t n, bool common)
{
	uint64_t key[2];
	const struct delimited_name *s;
	uint32_t id;

	if (unlikely(n > FAST_KEY))
		return !common && strtab_find(&k->longer, p, n, &id) ? k->longer_id[id] : 0;
	s = delimited_slot(k, p, n, key);
	/* A name has two places. */
	if (unlikely(s->key[0] != key[0] || s->key[1] != key[1] || s->len != n))
		s = &k->v[(s - k->v) ^ 1];
	return s->key[0] == key[0] && s->key[1] == key[1] && s->len == n ? s->id : 0;
}

/* Returns true if p[0..n) equals w, or, if w ends with `*`, begins with the rest of w. */
static inline bool
delimited_like(struct word w, const uint8_t *p, size_t n)
{
	bool begins = w.n && w.p[w.n - 1] == '*';
	size_t k = w.n - begins;

	return (begins ? n >= k : n == k) && !memcmp(p, w.p, k);
}

/* Returns true if p[0..n) is like one of the words of a condition. `is` has the words with | between them. */
static inline bool
delimited_is(struct word is, const uint8_t *p, size_t n)
{
	const char *w = is.p, *const end = w + is.n, *stop;

	for (; w <= end; w = stop + 1) {
		for (stop = w; stop < end && *stop != '|';)
			stop++;
		if (delimited_like((struct word){w, (size_t)(stop - w)}, p, n))
			return true;
	}
	return false;
}

#endif
