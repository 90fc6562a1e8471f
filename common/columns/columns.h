/*
 * columns.h - lines of text in columns, as a description says what they are: its parsed
 * form, and the line parser that the fast paths share. columns-layout(5) has the language.
 */
#ifndef SPOOR_COLUMNS_H
#define SPOOR_COLUMNS_H

#include "event/schema.h"
#include "input/lines.h"

#define COLUMNS_FIELDS 64 /* of one description */
#define COLUMNS_PAIRS 512 /* names of values, in all maps */
#define COLUMNS_SKIPS 8
#define COLUMNS_MOST 1024  /* columns of a line */
#define COLUMNS_OPTIONAL 6 /* arguments that may be absent */

/* What a field becomes. */
enum columns_what {
	C_TIME,
	C_END, /* the time at which it ended: time is this less dur */
	C_LOC,
	C_EVENT,
	C_ADDR,
	C_SIZE,
	C_DUR,
	C_ARG,
};

/* How its text is read. */
enum columns_as {
	AS_TEXT,
	AS_NUMBER, /* times `unit`, a whole number then */
	AS_HEX,	   /* without 0x */
	AS_TIME,   /* times `unit` ns */
	AS_ISO,	   /* a date and a time of day */
};

struct columns_field {
	uint8_t what, as;
	uint8_t absent; /* 1: it may be missing, empty or "-"; 2: or no number */
	bool rest;	/* up to the end of the line */
	bool point;	/* an argument: a time as `time` is one, and no duration */
	bool others;	/* what the map does not have: `other` */
	int when;	/* it is absent unless this column is `is`; 0: no such condition */
	struct word is; /* behind `*` at its end: all that begins so */
	int at;		/* column from 1; from the end if negative; 0: `constant` */
	char name[32];	/* of an argument, of a part of loc; may be empty */
	struct word header;   /* the column's name; p = NULL where it has a number */
	struct word constant; /* the event itself */
	struct word other;    /* n = 0: as it stands */
	uint64_t unit;
	unsigned pair, npairs; /* its map */
};

struct columns_pair {
	struct word from, to;
	bool drop; /* the line is no record */
};

struct columns_layout {
	char *text;  /* that all words point into */
	uint8_t sep; /* 0: blanks */
	bool header; /* the first line is names */
	struct columns_field
	    record; /* only a line with a number there is a record; at 0: any is */
	struct word skip[COLUMNS_SKIPS]; /* lines that begin so are no records */
	unsigned nskips;
	bool
	    absolute; /* times are Unix times plus `base` ns; else from the trace's begin */
	uint64_t base;
	uint64_t block; /* bytes of the unit of addr, for the metadata */
	struct columns_field field[COLUMNS_FIELDS];
	unsigned nfields;
	struct columns_pair pair[COLUMNS_PAIRS];
	unsigned npairs;
	unsigned least, most; /* columns of a line; 0: as many as there are */
	char count[48];	      /* what is said of a line that has not so many */
	/* Of a preset: its number, and what is said once of lines that it cannot read. */
	int preset; /* -1: it is none */
	const char *hint;
};

struct columns_options {
	const char *text;
	const struct columns_layout *layout; /* NULL: none was given */
};

extern const struct format fmt_columns;

/* The presets' names, up to NULL, and what they stand for. */
extern const char *const columns_presets[], *const columns_meanings[];
/* What is said of lines that a preset cannot read, or NULL. */
extern const char *const columns_hints[];
/* The other preset for a file of that name, where preset i cannot be meant; else NULL. */
const char *columns_other(int i, const char *path);
/* Whether a file of preset i may begin with these bytes. */
bool columns_begins(int i, const uint8_t *p, size_t n);

/*
 * The description `text`, n bytes. NULL with "LINE: reason" in why[0..size) where it is none;
 * else to be freed by columns_free.
 */
struct columns_layout *columns_parse(const char *text, size_t n, char *why, size_t size);
void columns_free(struct columns_layout *l);
/* What -O columns= takes: a description, which has an =, the name of a preset, or a file
 * with a description. Dies where it is none; `what` is how the option was written. */
struct columns_layout *columns_load(const char *text, const char *what);

/*
 * n bytes at p as a number times unit: *v, and *left the rest in 10^-9. NULL, or the reason
 * why it is none. unit is at most COLUMNS_UNIT_MOST.
 */
#define COLUMNS_UNIT_MOST 10000000000u
const char *columns_number(const uint8_t *p, size_t n, uint64_t unit, uint64_t *v,
			   uint64_t *left);
/* The same of 16 hexadecimal digits at most. */
const char *columns_hex(const uint8_t *p, size_t n, uint64_t *v);
/* The fast path takes lines up to so many columns and bytes. */
#define FAST_COLUMNS 32
#define FAST_WORDS 4 /* of 64 bytes */
#define FAST_KEY 16  /* bytes of a name that it knows */

/* A number, as the fast path reads it. */
struct columns_op {
	uint8_t col, absent, has; /* has: HAS_* that it sets */
	bool time;		  /* a point may be in it */
	uint8_t what;
	uint8_t idle;	     /* nobody needs it, and so many digits do not exceed it */
	uint64_t unit, most; /* most: of the whole part */
};

/* Names that the slow path has met: what stood there, and its number + 1. */
struct columns_known {
	struct columns_name {
		uint64_t key[2];
		uint32_t len, id;
	} * v;
	uint32_t size; /* a power of two */
};

struct columns_fast {
	const uint8_t *p, *end; /* whole lines */
	struct batch *b;
	uint8_t sep;
	bool off;
	unsigned want; /* columns */
	unsigned nops, ntexts;
	struct columns_op op[FAST_COLUMNS];
	uint8_t text[FAST_COLUMNS]; /* columns that are none of these */
	int loc, loc_last, event;   /* columns from 0; -1: none */
	uint32_t type, loc_id;	    /* without such a column */
	bool ends;
	uint64_t base;	/* time 0 */
	int64_t origin; /* from that */
	struct columns_known locs, events;
};

void columns_fast_avx2(struct columns_fast *f);

static INLINE struct columns_name *
columns_slot(const struct columns_known *k, const uint8_t *p, size_t n, uint64_t key[2])
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

/* The number + 1 of the name at p, or 0. */
static INLINE uint32_t
columns_known(const struct columns_known *k, const uint8_t *p, size_t n)
{
	uint64_t key[2];
	const struct columns_name *s;

	if (unlikely(n > FAST_KEY))
		return 0;
	s = columns_slot(k, p, n, key);
	/* A name has two places. */
	if (unlikely(s->key[0] != key[0] || s->key[1] != key[1] || s->len != n))
		s = &k->v[(s - k->v) ^ 1];
	return s->key[0] == key[0] && s->key[1] == key[1] && s->len == n ? s->id : 0;
}

/* The number of n <= 19 digits before `end`. */
static INLINE uint64_t
columns_digits(const uint8_t *end, unsigned n)
{
	uint64_t v;

	if (n <= 8)
		return digits_before(end, n);
	v = digits16_before(end, n < 16 ? n : 16);
	return n <= 16 ? v : v + digits_before(end - 16, n - 16) * 10000000000000000u;
}

/* The number of op in n bytes at p, whose bits in nd are no digits. False: not of the
 * common shape. */
static INLINE bool
columns_op(const struct columns_op *op, const uint8_t *p, unsigned n, uint64_t nd,
	   uint64_t *v)
{
	unsigned whole = n, frac;
	uint64_t nano = 0;

	if (nd) {
		whole = low_bit(nd);
		frac = n - whole - 1;
		if (!op->time || nd & (nd - 1) || p[whole] != '.' || frac - 1 > 8)
			return false;
		if (whole - 1 < op->idle)
			return true;
		nano = (uint64_t)digits_left(p + whole + 1, frac < 8 ? frac : 8) * 10 +
		       (frac == 9 ? (uint64_t)(p[n - 1] - '0') : 0);
		nano = op->unit == 1000000000 ? nano
					      : (nano * op->unit + 500000000) / 1000000000;
	}
	if (whole - 1 < op->idle)
		return true;
	if (unlikely(whole - 1 > 18))
		return false;
	*v = columns_digits(p + whole, whole);
	if (unlikely(*v > op->most))
		return false;
	*v = *v * op->unit + nano;
	return true;
}

/*
 * Where each wanted column of the line at p begins and ends, and in nd its bytes that are no
 * digits. Gives the line's length, or 0 where it is not of the common shape. masks_of makes
 * further masks: m has those of the first 64 bytes.
 */
static INLINE unsigned
columns_split(const struct columns_fast *f, const uint8_t *p, struct masks m,
	      void (*masks_of)(const uint8_t *p, uint8_t sep, struct masks *m),
	      uint16_t at[FAST_COLUMNS], uint16_t to[FAST_COLUMNS],
	      uint64_t nd[FAST_WORDS + 1])
{
	unsigned n = 0, word = 0, begin = 0, nl;

	for (;; masks_of(p + 64 * word, f->sep, &m)) {
		uint64_t sep = m.newline ? m.sep & (m.newline ^ (m.newline - 1)) : m.sep;

		nd[word] = m.nondigit;
		for (; sep && n < f->want; sep &= sep - 1) {
			to[n] = (uint16_t)(64 * word + low_bit(sep));
			at[n++] = (uint16_t)(begin + (p[begin] == ' '));
			begin = to[n - 1] + 1u;
		}
		if (m.newline)
			break;
		if (++word == FAST_WORDS)
			return 0;
	}
	nd[word + 1] = 0;
	nl = 64 * word + low_bit(m.newline);
	if (n < f->want) {
		at[n] = (uint16_t)(begin + (p[begin] == ' '));
		to[n++] = (uint16_t)(nl - (nl > begin && p[nl - 1] == '\r'));
	}
	if (unlikely(n < f->want))
		return 0;
	/* A quote, or blanks that may have one behind them. (A number has none.) */
	for (unsigned i = 0; i < f->ntexts; i++) {
		const uint8_t *q = p + at[f->text[i]];

		if (unlikely(*q == '"' || *q == ' ' || (*q == '\t' && f->sep != '\t')))
			return 0;
	}
	return nl + 1;
}

/* The line at p, with its masks m, into *r: its length, or 0 where the slow path must have
 * it. */
static INLINE unsigned
columns_line(struct columns_fast *f, const uint8_t *p, struct masks m,
	     void (*masks_of)(const uint8_t *p, uint8_t sep, struct masks *m),
	     struct rec *r)
{
	uint16_t at[FAST_COLUMNS], to[FAST_COLUMNS];
	uint64_t nd[FAST_WORDS + 1], got[C_ARG + 1] = {0};
	unsigned len = columns_split(f, p, m, masks_of, at, to, nd), has = 0;

	if (unlikely(!len))
		return 0;
	r->type = f->type;
	r->loc = f->loc_id;
	if (f->event >= 0) {
		uint32_t id = columns_known(&f->events, p + at[f->event],
					    (size_t)(to[f->event] - at[f->event]));
		if (unlikely(!id))
			return 0;
		r->type = id - 1;
	}
	if (f->loc >= 0) {
		uint32_t id = columns_known(&f->locs, p + at[f->loc],
					    (size_t)(to[f->loc_last] - at[f->loc]));
		if (unlikely(!id))
			return 0;
		r->loc = id - 1;
	}
	for (unsigned i = 0; i < f->nops; i++) {
		const struct columns_op *op = &f->op[i];
		unsigned a = at[op->col], n = to[op->col] - a, w = a >> 6, s = a & 63;
		uint64_t bits;

		if (unlikely(to[op->col] <= a)) {
			if (!op->absent)
				return 0;
			continue;
		}
		if (unlikely(n > 63))
			return 0;
		bits = (nd[w] >> s | nd[w + 1] << 1 << (63 - s)) & ((1ull << n) - 1);
		if (unlikely(!columns_op(op, p + a, n, bits, &got[op->what])))
			return 0;
		has |= op->has;
	}
	if (unlikely(got[C_TIME] < f->base || (got[C_TIME] - f->base) >> 63))
		return 0;
	r->time = (int64_t)(got[C_TIME] - f->base) - f->origin;
	if (f->ends)
		r->time = time_plus(CLOCK_NS, r->time, -(int64_t)got[C_DUR]);
	r->len = REC_HEAD;
	r->has = has;
	r->addr = got[C_ADDR];
	r->size = got[C_SIZE];
	r->dur = (int64_t)got[C_DUR];
	return len;
}

/* A column of a line: what it says, and from there up to the separator. */
struct columns_cell {
	struct span text, raw;
};

/* Of one input. */
struct columns {
	struct columns_fast fast;
	const struct columns_layout *l;
	struct columns_field field[COLUMNS_FIELDS]; /* those of l, with all columns known */
	int record;    /* the column that has a number in every record; 0: none */
	unsigned want; /* columns of a line that are looked at */
	bool hinted;   /* the hint of a preset was said */
	struct columns_cell *cell;
	unsigned n; /* columns of the line at hand, at most `want` */
	/* Of the line at hand, for each field: its number, its text (p = NULL: absent). */
	uint64_t value[COLUMNS_FIELDS];
	struct span arg[COLUMNS_FIELDS];
	unsigned absent; /* which of the optional arguments: bits */
	bool dropped;	 /* its event makes it no record */
	struct buf unquoted, loc, name;
	struct strtab events;
	/* Type + 1 by an event's number and the optional arguments that are absent. */
	uint32_t *type;
	size_t types;
	unsigned optional; /* arguments */
	unsigned parts;	   /* of loc */
	uint64_t header_line;
	uint64_t other; /* lines that are no records, besides the first */
	void (*run)(struct columns_fast *f);
};

/* columns_read.c: the columns of the line [p, end) into c->cell. NULL, or what is wrong. */
const char *columns_cells(struct columns *c, const uint8_t *p, const uint8_t *end);
/* Whether the line begins as those that are skipped. */
bool columns_skipped(const struct columns *c, const uint8_t *p, const uint8_t *end);
/* Whether the line, whose cells are known, is a record by the rules for lines. */
bool columns_is_record(const struct columns *c, const uint8_t *p, const uint8_t *end);
/* The fields of the line. NULL, or what is wrong with the one whose number is *which. */
const char *columns_fields(struct columns *c, const uint8_t *end, unsigned *which);
/* What stands in a field's column; p = NULL where there is none. */
struct span columns_text(const struct columns *c, const struct columns_field *f,
			 const uint8_t *end);

/* columns_plan.c: plans the fast path of s by its fields; it stays off where these are more
 * than it can do. */
void columns_plan(struct source *s);
/* The fast path is to know that name, which means id. */
void columns_learn(struct columns_known *k, struct span name, uint32_t id);
/* It knows none any more. */
void columns_forget(struct columns_known *k);

#define COLUMNS_LOOP(f, masks_of) \
	LINES_LOOP(f, masks_of, (f)->sep, columns_line(f, p, m, masks_of, r))

#endif
