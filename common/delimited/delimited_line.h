/* delimited_line.h - the fast path for lines in columns: one pass over a line by masks. Numbers are read in place,
 * and names must be known from the slow path. Any other line is left to the slow path, which is the definition. */
#ifndef SPOOR_DELIMITED_LINE_H
#define SPOOR_DELIMITED_LINE_H

#include "base/num.h"
#include "delimited/fast.h"

/* Returns the number that the n <= 19 digits before `end` write. */
static INLINE uint64_t
delimited_digits(const uint8_t *end, unsigned n)
{
	uint64_t v;

	if (n <= 8)
		return digits_before(end, n);
	v = digits16_before(end, n < 16 ? n : 16);
	return n <= 16 ? v : v + digits_before(end - 16, n - 16) * 10000000000000000u;
}

/* Reads the number of op from p[0..n) into *v. Bit i of nd is set if p[i] is not a digit. Returns false if only the
 * slow path can read the number. Returns true, with *v unchanged, if the whole part of the number has at most
 * op->idle digits, because the consumer does not need the number then. */
static INLINE bool
delimited_op(const struct delimited_op *op, const uint8_t *p, unsigned n, uint64_t nd,
	     uint64_t *v)
{
	unsigned whole = n, frac;
	uint64_t nano = 0;

	if (nd) {
		whole = low_bit(nd);
		frac = n - whole - 1;
		if (nd & (nd - 1) || p[whole] != op->point || frac - 1 > 8)
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
	*v = delimited_digits(p + whole, whole);
	if (unlikely(*v > op->most))
		return false;
	*v = *v * op->unit + nano;
	return true;
}

/* Reads the hexadecimal number p[0..n), perhaps with 0x in front, into *v. Returns false if it is not one or has
 * more than 16 digits. */
static INLINE bool
delimited_hex_op(const uint8_t *p, unsigned n, uint64_t *v)
{
	uint64_t sum = 0;

	if (n > 2 && *p == '0' && (p[1] | 0x20) == 'x') {
		p += 2;
		n -= 2;
	}
	if (n > 16)
		return false;
	for (unsigned i = 0; i < n; i++) {
		unsigned d = hex_digit(p[i]);

		if (d > 15)
			return false;
		sum = sum << 4 | d;
	}
	*v = sum;
	return true;
}

/* The offsets of the columns in a line, and a bit for each byte that is not a digit. */
struct delimited_split {
	uint16_t at[FAST_COLUMNS], to[FAST_COLUMNS];
	uint64_t nd[FAST_WORDS + 1];
	unsigned n, end; /* n: columns; end: length of the line without its end of line */
	bool quoted;	 /* the quotes of some texts were removed */
};

typedef void masks_fn(const uint8_t *p, uint8_t sep, struct masks *m);

/* Splits the line at p at its separators. Returns its length with the newline, or 0 if only the slow path can read
 * it. m has the masks of its first 64 bytes; masks_of makes the masks of later bytes. */
static INLINE unsigned
delimited_separated(const struct delimited_fast *f, const uint8_t *p, struct masks m,
		    masks_fn *masks_of, struct delimited_split *s)
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

/* Splits the line at p at its blanks, as delimited_separated does at separators. */
static INLINE unsigned
delimited_blank(const struct delimited_fast *f, const uint8_t *p, struct masks m,
		masks_fn *masks_of, struct delimited_split *s)
{
	unsigned n = 0, word = 0, nl;
	uint64_t in = 0; /* 1 if the previous byte belongs to a column */

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
		/* The carriage return may be a column of its own, or the end of the last column. */
		if (!s->n || s->to[s->n - 1] == nl) {
			if (!s->n || s->at[s->n - 1] == s->end)
				return 0;
			s->to[s->n - 1] = (uint16_t)s->end;
		}
	}
	return nl + 1;
}

/* Removes the quotes around the column [*at, *to). Returns false if there is no closing quote, or a quote inside. */
static INLINE bool
delimited_unquote(const uint8_t *p, uint16_t *at, uint16_t *to)
{
	unsigned a = *at + 1u, z = *to - 1u;

	if (a > z || p[z] != '"' || memchr(p + a, '"', z - a))
		return false;
	*at = (uint16_t)a;
	*to = (uint16_t)z;
	return true;
}

/* Finds the values of the JSON line p[0..end). Returns false if it has other members than o. */
static INLINE bool
delimited_object(const struct delimited_object *o, const uint8_t *p, unsigned end,
		 struct delimited_split *s)
{
	unsigned at = 0;

	for (const struct delimited_piece *k = o->piece;; k++) {
		unsigned n = 0, w, more;

		if (at + k->n > end || memcmp(p + at, o->bytes + k->at, k->n) != 0)
			return false;
		at += k->n;
		if (k + 1 == o->piece + o->n)
			return at == end;
		if (k->text) {
			const uint8_t *quote = memchr(p + at, '"', end - at);

			n = quote ? (unsigned)(quote - p) - at : 0;
		} else {
			/* A number must not have leading zeros, and needs digits on both sides of a point. */
			w = at >> 6;
			uint64_t nd = s->nd[w] >> (at & 63) | s->nd[w + 1]
								  << 1 << (63 - (at & 63));

			n = low_bit(nd);
			if (!n || n > 62 || (n > 1 && p[at] == '0'))
				return false;
			more = p[at + n] == '.' ? 1 + low_bit(nd >> n >> 1) : 0;
			if (more == 1 || n + more > 62)
				return false;
			n += more;
		}
		if (k->col < FAST_COLUMNS) {
			s->at[k->col] = (uint16_t)at;
			s->to[k->col] = (uint16_t)(at + n);
		}
		at += n;
	}
}

/* Finds the values of the JSON line at p, if it has the members of an object that was learned. Returns its length
 * with the newline, or 0 if only the slow path can read the line. */
static INLINE unsigned
delimited_objects(const struct delimited_fast *f, const uint8_t *p, struct masks m,
		  masks_fn *masks_of, struct delimited_split *s)
{
	unsigned word = 0, end, odd = 0;

	for (;; masks_of(p + 64 * word, '"', &m)) {
		s->nd[word] = m.nondigit;
		if (m.newline)
			break;
		if (++word == FAST_WORDS)
			return 0;
	}
	s->nd[word + 1] = 0;
	s->n = f->want;
	s->end = end = 64 * word + low_bit(m.newline);
	for (unsigned i = 0; i < end; i++)
		odd |= (p[i] < ' ') | (p[i] >= 0x7f) | (p[i] == '\\');
	for (unsigned i = 0; !odd && i < f->objects; i++) {
		memset(s->at, 0, f->want * sizeof *s->at);
		memset(s->to, 0, f->want * sizeof *s->to);
		if (delimited_object(&f->object[i], p, end, s))
			return end + 1;
	}
	return 0;
}

/* Splits the line at p into *s: JSON, separated or with blanks. Returns its length with the newline, or 0 if only the
 * slow path can read the line. */
static INLINE unsigned
delimited_split(const struct delimited_fast *f, const uint8_t *p, struct masks m,
		masks_fn *masks_of, struct delimited_split *s, bool common)
{
	unsigned len = f->object	  ? delimited_objects(f, p, m, masks_of, s)
		       : common || f->sep ? delimited_separated(f, p, m, masks_of, s)
					  : delimited_blank(f, p, m, masks_of, s);

	s->quoted = false;
	if (f->object)
		return len;
	if (unlikely(!len || ((common || f->exact) && s->n != f->want)))
		return 0;
	/* Missing columns are empty. */
	for (unsigned i = s->n; i < f->want; i++)
		s->at[i] = s->to[i] = (uint16_t)s->end;
	for (unsigned i = 0; i < f->ntexts; i++) {
		uint16_t *at = &s->at[f->text[i]], *to = &s->to[f->text[i]];
		uint8_t c = p[*at];

		if (likely(c > '"') || *at >= *to)
			continue;
		/* A quote may follow blanks. */
		if (c == ' ' || (c == '\t' && f->sep != '\t') ||
		    (c == '"' && (common || !delimited_unquote(p, at, to))))
			return 0;
		s->quoted |= c == '"';
	}
	return len;
}

/* Returns true if the line has the condition's column, and the column has one of its words. */
static inline bool
delimited_if(const struct delimited_when *when, const uint8_t *p,
	     const struct delimited_split *s)
{
	unsigned i = when->col - 1u, at, to;

	if (i >= s->n)
		return false;
	at = s->at[i];
	for (to = s->to[i]; to > at && (p[to - 1] == ' ' || p[to - 1] == '\t');)
		to--;
	return delimited_is(when->is, p + at, to - at);
}

/* Returns true if p[0..n) is written without quotes or escapes. */
static INLINE bool
delimited_plain(const uint8_t *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (p[i] <= ' ' || p[i] >= 0x7f || p[i] == '\\')
			return false;
	return n > 2 || (n && *p != '-' && *p != '"');
}

/* Writes the arguments of the record r. Returns the record's length, or 0 if only the slow path can read the line. */
static inline unsigned
delimited_args(const struct delimited_fast *f, const uint8_t *p,
	       const struct delimited_split *s, const uint64_t *value, uint32_t absent,
	       struct rec *r)
{
	const struct type *ty = &f->t->type[r->type];
	unsigned len = (ty->fixed + 7) & ~7u, k = 0;

	for (unsigned i = 0; i < f->nargs; i++) {
		const struct delimited_fast_arg *a = &f->arg[i];
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
			if (!delimited_plain(from, part.n))
				return 0;
		}
		memcpy(to, &part, sizeof part);
		memset((uint8_t *)r + len + (part.n & ~7u), 0, 8);
		memcpy((uint8_t *)r + len, from, part.n);
		len += (part.n + 7) & ~7u;
	}
	return len;
}

/* Sets in *absent the bits of text arguments that the line lacks, and in `value` the numbers of those with a map.
 * Returns false if only the slow path can read the line. */
static inline bool
delimited_texts(const struct delimited_fast *f, const uint8_t *p,
		const struct delimited_split *s, uint64_t *value, uint32_t *absent)
{
	for (unsigned i = 0; i < f->nargs; i++) {
		const struct delimited_fast_arg *a = &f->arg[i];
		unsigned n = (a->rest ? s->end : s->to[a->col]) - s->at[a->col], id;

		if (!a->text || a->gone)
			continue;
		if (a->absent && (!n || (n == 1 && p[s->at[a->col]] == '-') ||
				  (a->when.col && !delimited_if(&a->when, p, s)))) {
			*absent |= a->optional;
			continue;
		}
		if (a->col >= s->n)
			return false;
		if (!a->mapped)
			continue;
		id = delimited_known(&a->known, p + s->at[a->col], n, false);
		if (!id)
			return false;
		value[i] = id - 1;
	}
	return true;
}

/* Returns true if the line at p begins with one of the texts of skip=. */
static inline bool
delimited_skips(const struct delimited_fast *f, const uint8_t *p)
{
	while (!f->sep && (*p == ' ' || *p == '\t'))
		p++;
	for (unsigned i = 0; i < f->nskips; i++)
		if (!memcmp(p, f->skip[i].p, f->skip[i].n))
			return true;
	return false;
}

/* Reads the number of op in the line into *v, as delimited_op does; hexadecimal numbers too, unless `common`. Returns
 * false if only the slow path can read the number. */
static INLINE bool
delimited_read(const struct delimited_op *op, const uint8_t *p,
	       const struct delimited_split *s, uint64_t *v, bool common)
{
	unsigned a = s->at[op->col], n = s->to[op->col] - a, w = a >> 6, shift = a & 63;

	if (unlikely(n > 63 || !n))
		return false;
	if (!common && unlikely(op->hex))
		return delimited_hex_op(p + a, n, v);
	return delimited_op(
	    op, p + a, n,
	    (s->nd[w] >> shift | s->nd[w + 1] << 1 << (63 - shift)) & ((1ull << n) - 1), v);
}

/* Returns true if the number of op, which is optional, is missing in the line. */
static INLINE bool
delimited_absent(const struct delimited_op *op, const uint8_t *p,
		 const struct delimited_split *s)
{
	unsigned a = s->at[op->col], z = s->to[op->col];

	return z <= a || (z == a + 1 && p[a] == '-') ||
	       (op->when.col && !delimited_if(&op->when, p, s));
}

/* Reads the line at p, with the masks m of its first 64 bytes, into *r. Returns its length with the newline, or 0 if
 * only the slow path can read the line. With `common` (see delimited_fast) it calls no function, which is faster. */
static INLINE unsigned
delimited_line(struct delimited_fast *f, const uint8_t *p, struct masks m,
	       masks_fn *masks_of, struct rec *r, bool common)
{
	struct delimited_split s;
	uint64_t got[FAST_CHECK + 1];
	unsigned len, has = 0;
	uint32_t absent = f->absent, event = 0, type;

	if (!common && f->nskips && delimited_skips(f, p))
		return 0;
	len = delimited_split(f, p, m, masks_of, &s, common);
	if (unlikely(!len))
		return 0;
	r->loc = f->loc_id;
	if (f->event >= 0) {
		event = delimited_known(&f->events, p + s.at[f->event],
					(size_t)(s.to[f->event] - s.at[f->event]), common);
		if (unlikely(!event || (unsigned)f->event >= s.n))
			return 0;
		event--;
	}
	if (f->loc >= 0) {
		uint32_t id =
		    delimited_known(&f->locs, p + s.at[f->loc],
				    (size_t)(s.to[f->loc_last] - s.at[f->loc]), common);
		/* If a place consists of several quoted columns, only the outer quotes were removed, so it is not
		 * the known name. */
		if (unlikely(!id || (unsigned)f->loc_last >= s.n ||
			     (s.quoted && f->loc != f->loc_last)))
			return 0;
		r->loc = id - 1;
	}
	got[C_TIME] = got[C_ADDR] = got[C_SIZE] = got[C_DUR] = 0;
	for (unsigned i = 0; i < f->nops; i++) {
		const struct delimited_op *op = &f->op[i];

		if (op->absent && delimited_absent(op, p, &s)) {
			/* A quoted text may have separators. */
			if (f->sep && p[s.at[op->col]] == '"')
				return 0;
			if (op->what >= C_ARG && op->what < FAST_CHECK)
				absent |= f->arg[op->what - C_ARG].optional;
			continue;
		}
		/* A number in quotes is read without them. */
		while (unlikely(!delimited_read(op, p, &s, &got[op->what], common)))
			if (common || !f->sep || p[s.at[op->col]] != '"' ||
			    !delimited_unquote(p, &s.at[op->col], &s.to[op->col]))
				return 0;
		has |= op->has;
	}
	if (unlikely(got[C_TIME] < f->base || (got[C_TIME] - f->base) >> 63))
		return 0;
	if (!common && f->nargs &&
	    unlikely(!delimited_texts(f, p, &s, got + C_ARG, &absent)))
		return 0;
	absent = !common && f->args ? absent : 0;
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
	if (!common && f->args) {
		r->len = delimited_args(f, p, &s, got + C_ARG, absent, r);
		if (unlikely(!r->len))
			return 0;
	}
	return len;
}

/* Reads a line that the common case cannot read, with all that the fast path can do. */
static NOINLINE unsigned
delimited_again(struct delimited_fast *f, const uint8_t *p, struct masks m,
		masks_fn *masks_of, struct rec *r)
{
	return delimited_line(f, p, m, masks_of, r, false);
}

/* Reads the line at p as delimited_line does. Tries the common case first, in which no function is called. */
static INLINE unsigned
delimited_common(struct delimited_fast *f, const uint8_t *p, struct masks m,
		 masks_fn *masks_of, struct rec *r)
{
	unsigned len = delimited_line(f, p, m, masks_of, r, true);

	return likely(len) ? len : delimited_again(f, p, m, masks_of, r);
}

/* Limit of the bytes of a record with arguments, whose texts all come from one line. */
#define FAST_RECORD (REC_HEAD + 16 * FAST_ARGS + FAST_ARGS * (64 * FAST_WORDS + 16))

/* Does what LINES_LOOP does, for records that are longer than their head. */
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
			len_ = delimited_line(f, p_, m_, masks_of, r_, false);          \
			if (unlikely(!len_))                                            \
				break;                                                  \
			b_->off[b_->n] = (uint32_t)b_->own.n;                           \
			b_->raw[b_->n++] = (struct span){p_, len_};                     \
			b_->own.n += r_->len;                                           \
			p_ += len_;                                                     \
		}                                                                       \
		(f)->p = p_;                                                            \
	} while (0)

#define COLUMNS_LOOP(f, masks_of)                                                \
	do {                                                                     \
		if ((f)->args)                                                   \
			COLUMNS_ARGS_LOOP(f, masks_of);                          \
		else if ((f)->common)                                            \
			LINES_LOOP(f, masks_of, (f)->sep,                        \
				   delimited_common(f, p, m, masks_of, r));      \
		else                                                             \
			LINES_LOOP(f, masks_of, (f)->sep ? (f)->sep : ' ',       \
				   delimited_line(f, p, m, masks_of, r, false)); \
	} while (0)

#endif
