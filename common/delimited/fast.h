/* fast.h - what the quick way through lines in columns knows: its plan, and names. delimited_line.h has the way. */
#ifndef SPOOR_DELIMITED_FAST_H
#define SPOOR_DELIMITED_FAST_H

#include "event/event.h"
#include "event/schema.h"
#include "input/lines.h"

/* The part of an event that a field becomes. */
enum delimited_what {
	C_TIME,
	C_END, /* the time at which it ended: time is this less dur */
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
	AS_NUMBER, /* times `unit`, a whole number then */
	AS_HEX,	   /* with 0x or without */
	AS_TIME,   /* times `unit` ns */
	AS_ISO,	   /* a date and a time of day */
	AS_LINE,   /* none: the number of the line, in s */
};

/* The columns that a field may name: its own, the ones that are taken off, and that of its condition. A date may have
 * up to REF_JOINED columns. */
#define REF_JOINED 3
enum {
	REF_AT,
	REF_LESS = REF_JOINED,
	REF_WHEN = 2 * REF_JOINED,
	REFS
};

struct delimited_ref {
	int at; /* column from 1; from the end if negative; 0: there is none */
	unsigned
	    held; /* a name that a line before it tells, from 1; 0: it stands in its line */
	struct word name; /* of the header, or of a shape; p = NULL where it has a number */
};

/* Returns true if the description names a column there. */
static inline bool
delimited_is_ref(const struct delimited_ref *r)
{
	return r->at || r->held || r->name.p;
}

struct delimited_field {
	uint8_t what, as;
	uint8_t absent; /* 1: it may be missing, empty or "-"; 2: or no number */
	bool rest;	/* up to the end of the line */
	bool point;	/* an argument: a time as `time` is one, and no duration */
	bool others;	/* what the map does not have: `other` */
	bool drops;	/* these make the line no record */
	bool preset;	/* that of a preset, which others may replace */
	bool joined;	/* its columns, or those taken off, are several */
	bool either;	/* its text is that of the first of several that is there */
	bool less;	/* a difference */
	uint8_t fits;	/* enum unit that its numbers may have */
	struct delimited_ref ref[REFS]; /* without the first: `constant` */
	struct word is;			/* of its condition: see delimited_is */
	char name[32];			/* of an argument, of a part of loc; may be empty */
	struct word constant;		/* the event itself */
	struct word other;		/* n = 0: as it stands */
	uint64_t unit;
	unsigned pair, npairs; /* its map */
};

#define FAST_COLUMNS 32 /* of a line, at most */
#define FAST_WORDS 4	/* of 64 bytes */
#define FAST_KEY 16	/* bytes of a name that is found without a hash of it all */
#define FAST_ARGS 16

/* A field is absent unless this column is `is`. */
struct delimited_when {
	uint8_t col; /* from 1; 0: there is no such condition */
	struct word is;
};

/* A number. */
struct delimited_op {
	uint8_t col, absent, has; /* has: HAS_* that it sets */
	uint8_t point;		  /* stands in front of decimals; a digit: it has none */
	bool hex;
	uint8_t what; /* enum delimited_what; C_ARG + i: argument i; FAST_CHECK: nobody's */
	uint8_t idle; /* nobody needs it, and so many digits do not exceed it */
	uint64_t unit, most; /* most: of the whole part */
	struct delimited_when when;
};
#define FAST_CHECK (C_ARG + FAST_ARGS)

/* Names that the slow path has met: what stood there, and its number + 1. */
struct delimited_known {
	struct delimited_name {
		uint64_t key[2];
		uint32_t len, id;
	} * v;
	uint32_t size;	      /* a power of two */
	struct strtab longer; /* names of more than FAST_KEY bytes */
	uint32_t *longer_id;
	size_t longer_cap;
};

/* An argument. */
struct delimited_fast_arg {
	uint8_t col, absent;
	bool text, rest, mapped;
	bool gone;	   /* no line has it */
	uint32_t optional; /* its bit among those that may be absent, or 0 */
	struct delimited_when when;
	struct delimited_known known; /* of one with a map: numbers of `texts` */
};

/* Objects of JSON that have the same members in the same order: what stands before each value, and its column. */
#define FAST_OBJECTS 8
#define FAST_PIECES 48
struct delimited_object {
	struct delimited_piece {
		uint16_t at, n; /* in bytes[] */
		uint8_t col;	/* FAST_COLUMNS: none */
		bool text;
	} piece[FAST_PIECES];
	unsigned
	    n; /* the last piece has no value: it ends the line; more than there is room for: it is none */
	unsigned end; /* of the last value */
	uint8_t bytes[64 * FAST_WORDS];
};

struct delimited_fast {
	const uint8_t *p, *end; /* whole lines */
	struct batch *b;
	const struct tables *t;
	uint8_t sep;
	bool off, planned;
	bool
	    common; /* only columns between separators, no arguments, nothing but decimal numbers */
	bool exact;    /* lines have `want` columns, no more and no less */
	unsigned want; /* columns */
	const struct word *skip;
	unsigned nskips;
	unsigned nops, nargs, ntexts;
	bool args; /* somebody needs them */
	struct delimited_op op[FAST_COLUMNS];
	uint8_t text[FAST_COLUMNS]; /* columns that are no numbers, or conditions look at */
	struct delimited_fast_arg arg[FAST_ARGS];
	struct strtab texts;	  /* of arguments with a map, as they are written */
	int loc, loc_last, event; /* columns from 0; -1: none */
	uint32_t absent;	  /* arguments that no line has: bits */
	uint32_t loc_id;	  /* without such a column */
	/* Type + 1 by an event's number and the optional arguments that are absent. */
	uint32_t *type;
	size_t types;
	unsigned optional; /* arguments */
	bool ends;
	uint64_t base;	/* time 0 */
	int64_t origin; /* from that */
	struct delimited_known locs, events;
	struct delimited_object
	    *object;	  /* FAST_OBJECTS of them: lines are objects of JSON */
	unsigned objects; /* that were learned */
	bool learned;	  /* of them is the line at hand */
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

/* Returns the number + 1 of the name p[0..n), or 0 if it is unknown. With `common` a name of more than FAST_KEY bytes
 * is always unknown. */
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

/* Returns true if p[0..n) is like one of the words of a condition, which `is` has with | between them. */
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
