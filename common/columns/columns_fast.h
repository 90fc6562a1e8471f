/*
 * columns_fast.h - the quick way through lines in columns: one pass over a line by masks, in which numbers are read where
 * they stand, and names are those that the slow path has met. Whatever is odd in a line makes it one of the slow path,
 * which is the definition.
 */
#ifndef SPOOR_COLUMNS_FAST_H
#define SPOOR_COLUMNS_FAST_H

#include "event/event.h"
#include "event/schema.h"
#include "input/lines.h"

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
	struct word is; /* see columns_is */
	int at;		/* column from 1; from the end if negative; 0: `constant` */
	char name[32];	/* of an argument, of a part of loc; may be empty */
	struct word header;   /* the column's name; p = NULL where it has a number */
	struct word constant; /* the event itself */
	struct word other;    /* n = 0: as it stands */
	uint64_t unit;
	unsigned pair, npairs; /* its map */
};

#define FAST_COLUMNS 32 /* of a line, at most */
#define FAST_WORDS 4	/* of 64 bytes */
#define FAST_KEY 16	/* bytes of a name that is found without a hash of it all */
#define FAST_ARGS 16

/* A field is absent unless this column is `is`. */
struct columns_when {
	uint8_t col; /* from 1; 0: there is no such condition */
	struct word is;
};

/* A number. */
struct columns_op {
	uint8_t col, absent, has; /* has: HAS_* that it sets */
	bool time;		  /* a point may be in it */
	bool hex;
	uint8_t what; /* enum columns_what; C_ARG + i: argument i; FAST_CHECK: nobody's */
	uint8_t idle; /* nobody needs it, and so many digits do not exceed it */
	uint64_t unit, most; /* most: of the whole part */
	struct columns_when when;
};
#define FAST_CHECK (C_ARG + FAST_ARGS)

/* Names that the slow path has met: what stood there, and its number + 1. */
struct columns_known {
	struct columns_name {
		uint64_t key[2];
		uint32_t len, id;
	} * v;
	uint32_t size;	      /* a power of two */
	struct strtab longer; /* names of more than FAST_KEY bytes */
	uint32_t *longer_id;
	size_t longer_cap;
};

/* An argument. */
struct columns_fast_arg {
	uint8_t col, absent;
	bool text, rest, mapped;
	bool gone;	   /* no line has it */
	uint32_t optional; /* its bit among those that may be absent, or 0 */
	struct columns_when when;
	struct columns_known known; /* of one with a map: numbers of `texts` */
};

struct columns_fast {
	const uint8_t *p, *end; /* whole lines */
	struct batch *b;
	const struct tables *t;
	uint8_t sep;
	bool off, planned;
	bool exact;    /* lines have `want` columns, no more and no less */
	unsigned want; /* columns */
	const struct word *skip;
	unsigned nskips;
	unsigned nops, nargs;
	bool args; /* somebody needs them */
	struct columns_op op[FAST_COLUMNS];
	struct columns_fast_arg arg[FAST_ARGS];
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
	uint32_t id;

	if (unlikely(n > FAST_KEY))
		return strtab_find(&k->longer, p, n, &id) ? k->longer_id[id] : 0;
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

/* The same of hexadecimal digits. */
static INLINE bool
columns_hex_op(const uint8_t *p, unsigned n, uint64_t *v)
{
	uint64_t sum = 0;

	if (n > 16)
		return false;
	for (unsigned i = 0; i < n; i++) {
		unsigned d = p[i] - 0u - '0', c = (p[i] | 0x20u) - 'a';

		if (d > 9 && c > 5)
			return false;
		sum = sum << 4 | (d <= 9 ? d : c + 10);
	}
	*v = sum;
	return true;
}

/* Where the columns of a line are, and its bytes that are no digits. */
struct columns_split {
	uint16_t at[FAST_COLUMNS], to[FAST_COLUMNS];
	uint64_t nd[FAST_WORDS + 1];
	unsigned n, end; /* columns; the line's end, without what ends it */
	bool quoted;	 /* some were in quotes */
};

typedef void masks_fn(const uint8_t *p, uint8_t sep, struct masks *m);

/*
 * Columns between separators, of the line at p. Gives the line's length, or 0 where it is not of the common shape.
 * masks_of makes further masks: m has those of the first 64 bytes.
 */
static INLINE unsigned
columns_separated(const struct columns_fast *f, const uint8_t *p, struct masks m,
		  masks_fn *masks_of, struct columns_split *s)
{
	unsigned n = 0, word = 0, begin = 0, nl;

	for (;; masks_of(p + 64 * word, f->sep, &m)) {
		uint64_t sep = m.newline ? m.sep & (m.newline ^ (m.newline - 1)) : m.sep;

		s->nd[word] = m.nondigit;
		for (; sep && n < f->want; sep &= sep - 1) {
			s->to[n] = (uint16_t)(64 * word + low_bit(sep));
			s->at[n++] = (uint16_t)(begin + (p[begin] == ' '));
			begin = s->to[n - 1] + 1u;
		}
		if (m.newline)
			break;
		if (++word == FAST_WORDS)
			return 0;
	}
	s->nd[word + 1] = 0;
	nl = 64 * word + low_bit(m.newline);
	s->end = nl - (nl > begin && p[nl - 1] == '\r');
	if (n < f->want) {
		s->at[n] = (uint16_t)(begin + (p[begin] == ' '));
		s->to[n++] = (uint16_t)s->end;
	} else if (f->exact) {
		return 0;
	}
	s->n = n;
	return nl + 1;
}

/* Columns with blanks between. */
static INLINE unsigned
columns_blank(const struct columns_fast *f, const uint8_t *p, struct masks m,
	      masks_fn *masks_of, struct columns_split *s)
{
	unsigned n = 0, word = 0, nl;
	uint64_t in = 0; /* 1: the byte before is of a column */

	for (;; masks_of(p + 64 * word, ' ', &m)) {
		struct masks tab;
		uint64_t of, edges;

		masks_of(p + 64 * word, '\t', &tab);
		of = ~(m.sep | tab.sep);
		if (m.newline)
			of &= (m.newline & -m.newline) - 1;
		edges = of ^ (of << 1 | in);
		in = of >> 63;
		s->nd[word] = m.nondigit;
		for (; edges && n < 2 * f->want; edges &= edges - 1)
			*(n & 1 ? &s->to[n >> 1] : &s->at[n >> 1]) =
			    (uint16_t)(64 * word + low_bit(edges)),
							       n++;
		if (edges && f->exact)
			return 0;
		if (m.newline)
			break;
		if (++word == FAST_WORDS)
			return 0;
	}
	s->nd[word + 1] = 0;
	nl = 64 * word + low_bit(m.newline);
	s->end = nl;
	s->n = n >> 1;
	if (nl && p[nl - 1] == '\r') {
		s->end--;
		/* It may be a column of its own, or the end of one that is the last. */
		if (!s->n || s->to[s->n - 1] == nl) {
			if (!s->n || s->at[s->n - 1] == s->end)
				return 0;
			s->to[s->n - 1] = (uint16_t)s->end;
		}
	}
	return nl + 1;
}

/* A column in quotes, without any in it, is what is between them. False: it is odd. */
static INLINE bool
columns_unquote(const uint8_t *p, uint16_t *at, uint16_t *to)
{
	unsigned a = *at + 1u, z = *to - 1u;

	if (a > z || p[z] != '"' || memchr(p + a, '"', z - a))
		return false;
	*at = (uint16_t)a;
	*to = (uint16_t)z;
	return true;
}

/* Where the wanted columns of the line are: its length, or 0. */
static INLINE unsigned
columns_split(const struct columns_fast *f, const uint8_t *p, struct masks m,
	      masks_fn *masks_of, struct columns_split *s)
{
	unsigned len = f->sep ? columns_separated(f, p, m, masks_of, s)
			      : columns_blank(f, p, m, masks_of, s);

	if (unlikely(!len || (f->exact && s->n != f->want)))
		return 0;
	s->quoted = false;
	/* What is missing is empty. */
	for (unsigned i = s->n; i < f->want; i++)
		s->at[i] = s->to[i] = (uint16_t)s->end;
	for (unsigned i = 0; f->sep && i < s->n; i++) {
		uint8_t c = p[s->at[i]];

		if (likely(c > '"') || s->at[i] >= s->to[i])
			continue;
		/* Blanks may have a quote behind them. */
		if (c == ' ' || (c == '\t' && f->sep != '\t') ||
		    (c == '"' && !columns_unquote(p, &s->at[i], &s->to[i])))
			return 0;
		s->quoted |= c == '"';
	}
	return len;
}

/* Whether the text is one of the words of a condition, which have a | between; one with a * at
 * its end is all that begin so. */
static inline bool
columns_is(struct word is, const uint8_t *p, size_t n)
{
	const char *w = is.p, *const end = w + is.n, *stop;

	for (; w <= end; w = stop + 1) {
		size_t k;
		bool begins;

		for (stop = w; stop < end && *stop != '|';)
			stop++;
		begins = stop > w && stop[-1] == '*';
		k = (size_t)(stop - w) - begins;
		if ((begins ? n >= k : n == k) && !memcmp(p, w, k))
			return true;
	}
	return false;
}

/* Whether the line has the column of a condition, and it says that there is such a field. */
static inline bool
columns_if(const struct columns_when *when, const uint8_t *p, const struct columns_split *s)
{
	unsigned i = when->col - 1u, at, to;

	if (i >= s->n)
		return false;
	at = s->at[i];
	for (to = s->to[i]; to > at && (p[to - 1] == ' ' || p[to - 1] == '\t');)
		to--;
	return columns_is(when->is, p + at, to - at);
}

/* A text that is written as it stands. */
static INLINE bool
columns_plain(const uint8_t *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (p[i] <= ' ' || p[i] >= 0x7f || p[i] == '\\')
			return false;
	return n > 2 || (n && *p != '-' && *p != '"');
}

/* Arguments of the record r: its length, or 0 where the slow path must have the line. */
static inline unsigned
columns_args(const struct columns_fast *f, const uint8_t *p, const struct columns_split *s,
	     const uint64_t *value, uint32_t absent, struct rec *r)
{
	const struct type *ty = &f->t->type[r->type];
	unsigned len = (ty->fixed + 7) & ~7u, k = 0;

	for (unsigned i = 0; i < f->nargs; i++) {
		const struct columns_fast_arg *a = &f->arg[i];
		uint8_t *to;
		struct part part;
		const uint8_t *from;

		if (absent & a->optional)
			continue;
		to = (uint8_t *)r + ty->args[k++].off;
		if (!a->text) {
			memcpy(to, &value[i], 8);
			continue;
		}
		from = p + s->at[a->col];
		part = (struct part){len, (uint32_t)(s->to[a->col] - s->at[a->col])};
		if (a->mapped) {
			from = (const uint8_t *)f->texts.v[value[i]].s;
			part.n = f->texts.v[value[i]].len;
		} else {
			if (a->rest) {
				unsigned end = s->end;

				while (end > s->at[a->col] &&
				       (p[end - 1] == ' ' || p[end - 1] == '\t'))
					end--;
				part.n = end - s->at[a->col];
			}
			if (!columns_plain(from, part.n))
				return 0;
		}
		memcpy(to, &part, sizeof part);
		memset((uint8_t *)r + len + (part.n & ~7u), 0, 8);
		memcpy((uint8_t *)r + len, from, part.n);
		len += (part.n + 7) & ~7u;
	}
	return len;
}

/* Which of the arguments that are texts are absent: bits into *absent; numbers of those with a map into value. False:
 * the slow path must have the line. */
static inline bool
columns_texts(const struct columns_fast *f, const uint8_t *p, const struct columns_split *s,
	      uint64_t *value, uint32_t *absent)
{
	for (unsigned i = 0; i < f->nargs; i++) {
		const struct columns_fast_arg *a = &f->arg[i];
		unsigned n = (a->rest ? s->end : s->to[a->col]) - s->at[a->col], id;

		if (!a->text || a->gone)
			continue;
		if (a->absent && (!n || (n == 1 && p[s->at[a->col]] == '-') ||
				  (a->when.col && !columns_if(&a->when, p, s)))) {
			*absent |= a->optional;
			continue;
		}
		if (a->col >= s->n)
			return false;
		if (!a->mapped)
			continue;
		id = columns_known(&a->known, p + s->at[a->col], n);
		if (!id)
			return false;
		value[i] = id - 1;
	}
	return true;
}

/* Whether the line begins as those that are skipped. */
static inline bool
columns_skips(const struct columns_fast *f, const uint8_t *p)
{
	while (!f->sep && (*p == ' ' || *p == '\t'))
		p++;
	for (unsigned i = 0; i < f->nskips; i++)
		if (!memcmp(p, f->skip[i].p, f->skip[i].n))
			return true;
	return false;
}

/* The line at p, with its masks m, into *r: its length, or 0 where the slow path must have
 * it. */
static INLINE unsigned
columns_line(struct columns_fast *f, const uint8_t *p, struct masks m, masks_fn *masks_of,
	     struct rec *r)
{
	struct columns_split s;
	uint64_t got[FAST_CHECK + 1];
	unsigned len, has = 0;
	uint32_t absent = f->absent, event = 0, type;

	if (f->nskips && columns_skips(f, p))
		return 0;
	len = columns_split(f, p, m, masks_of, &s);
	if (unlikely(!len))
		return 0;
	r->loc = f->loc_id;
	if (f->event >= 0) {
		event = columns_known(&f->events, p + s.at[f->event],
				      (size_t)(s.to[f->event] - s.at[f->event]));
		if (unlikely(!event || (unsigned)f->event >= s.n))
			return 0;
		event--;
	}
	if (f->loc >= 0) {
		uint32_t id = columns_known(&f->locs, p + s.at[f->loc],
					    (size_t)(s.to[f->loc_last] - s.at[f->loc]));
		/* Several in quotes, of which only the outer ones are left out, may be others. */
		if (unlikely(!id || (unsigned)f->loc_last >= s.n ||
			     (s.quoted && f->loc != f->loc_last)))
			return 0;
		r->loc = id - 1;
	}
	got[C_TIME] = got[C_ADDR] = got[C_SIZE] = got[C_DUR] = 0;
	for (unsigned i = 0; i < f->nops; i++) {
		const struct columns_op *op = &f->op[i];
		unsigned a = s.at[op->col], n = s.to[op->col] - a, w = a >> 6,
			 shift = a & 63;
		uint64_t bits;

		if (op->absent && (s.to[op->col] <= a || (n == 1 && p[a] == '-') ||
				   (op->when.col && !columns_if(&op->when, p, &s)))) {
			if (op->what >= C_ARG && op->what < FAST_CHECK)
				absent |= f->arg[op->what - C_ARG].optional;
			continue;
		}
		if (unlikely(n > 63 || !n))
			return 0;
		if (unlikely(op->hex)) {
			if (!columns_hex_op(p + a, n, &got[op->what]))
				return 0;
			has |= op->has;
			continue;
		}
		bits = (s.nd[w] >> shift | s.nd[w + 1] << 1 << (63 - shift)) &
		       ((1ull << n) - 1);
		if (unlikely(!columns_op(op, p + a, n, bits, &got[op->what])))
			return 0;
		has |= op->has;
	}
	if (unlikely(got[C_TIME] < f->base || (got[C_TIME] - f->base) >> 63))
		return 0;
	if (f->nargs && unlikely(!columns_texts(f, p, &s, got + C_ARG, &absent)))
		return 0;
	absent = f->args ? absent : 0;
	if (unlikely(((size_t)event << f->optional) + absent >= f->types))
		return 0;
	type = f->type[((size_t)event << f->optional) + absent];
	if (unlikely(!type))
		return 0;
	r->type = type - 1;
	r->time = (int64_t)(got[C_TIME] - f->base) - f->origin;
	if (f->ends)
		r->time = time_plus(CLOCK_NS, r->time, -(int64_t)got[C_DUR]);
	r->len = REC_HEAD;
	r->has = has;
	r->addr = got[C_ADDR];
	r->size = got[C_SIZE];
	r->dur = (int64_t)got[C_DUR];
	if (f->args) {
		r->len = columns_args(f, p, &s, got + C_ARG, absent, r);
		if (unlikely(!r->len))
			return 0;
	}
	return len;
}

/* Bytes that a record with arguments may take: their texts are all of one line. */
#define FAST_RECORD (REC_HEAD + 16 * FAST_ARGS + FAST_ARGS * (64 * FAST_WORDS + 16))

/* LINES_LOOP, with records that are longer. */
#define COLUMNS_ARGS_LOOP(f, masks_of)                                                  \
	do {                                                                            \
		struct batch *b_ = (f)->b;                                              \
		const uint8_t *p_ = (f)->p, *const end_ = (f)->end;                     \
		while (b_->n < BATCH && p_ < end_ &&                                    \
		       b_->own.cap - b_->own.n >= FAST_RECORD + REC_SLACK) {            \
			struct rec *r_ = (struct rec *)(void *)(b_->own.p + b_->own.n); \
			struct masks m_;                                                \
			size_t len_;                                                    \
			masks_of(p_, (f)->sep ? (f)->sep : ' ', &m_);                   \
			len_ = columns_line(f, p_, m_, masks_of, r_);                   \
			if (unlikely(!len_))                                            \
				break;                                                  \
			b_->off[b_->n] = (uint32_t)b_->own.n;                           \
			b_->raw[b_->n++] = (struct span){p_, len_};                     \
			b_->own.n += r_->len;                                           \
			p_ += len_;                                                     \
		}                                                                       \
		(f)->p = p_;                                                            \
	} while (0)

#define COLUMNS_LOOP(f, masks_of)                                          \
	do {                                                               \
		if ((f)->args)                                             \
			COLUMNS_ARGS_LOOP(f, masks_of);                    \
		else                                                       \
			LINES_LOOP(f, masks_of, (f)->sep ? (f)->sep : ' ', \
				   columns_line(f, p, m, masks_of, r));    \
	} while (0)

#endif
