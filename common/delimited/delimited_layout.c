/* delimited_layout.c - parses the fields of a description of columns, which columns-layout(5) defines. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "delimited/parse.h"

const char *const delimited_columns[C_ARG] = {
    [C_TIME] = "time", [C_END] = "end",	  [C_LOC] = "loc", [C_EVENT] = "event",
    [C_ADDR] = "addr", [C_SIZE] = "size", [C_DUR] = "dur",
};

bool COLD
delimited_bad(struct delimited_parser *p, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(p->why, p->size, "%u: %s", p->line, text);
	return false;
}

bool COLD
delimited_bad_word(struct delimited_parser *p, struct word w, const char *why)
{
	char all[64], text[64];

	if (!w.n || w.n == p->all.n)
		return delimited_bad(p, "%s: %s", quoted(all, p->all.p, p->all.n), why);
	return delimited_bad(p, "%s: %s: %s", quoted(all, p->all.p, p->all.n),
			     quoted(text, w.p, w.n), why);
}

struct word
delimited_cut(struct word *w, const char *stop)
{
	struct word first = {w->p, 0};

	while (first.n < w->n && !strchr(stop, w->p[first.n]))
		first.n++;
	w->p += first.n;
	w->n -= first.n;
	return first;
}

bool
delimited_take(struct word *w, char c)
{
	if (!w->n || *w->p != c)
		return false;
	w->p++;
	w->n--;
	return true;
}

static bool
is_name(struct word w)
{
	for (size_t i = 0; i < w.n; i++)
		if (!delimited_name_byte(w.p[i], i))
			return false;
	return w.n && w.n < sizeof((struct delimited_field *)0)->name;
}

bool
delimited_column(struct delimited_parser *p, struct word *w, unsigned *n)
{
	struct word digits = *w;
	uint64_t v;

	while (w->n && *w->p >= '0' && *w->p <= '9')
		delimited_take(w, *w->p);
	digits.n -= w->n;
	if (digits_u64((const uint8_t *)digits.p, digits.n, &v) || !v || v >= COLUMNS_MOST)
		return delimited_bad_word(p, digits, "a column is a number from 1 to 1023");
	*n = (unsigned)v;
	return true;
}

/* Reads a $ and a column into *r: a number, which may be negative, or a name of the header or of a shape. Returns false
 * after an error. */
static bool
reference(struct delimited_parser *p, struct word *w, struct delimited_ref *r)
{
	bool back, brace;
	unsigned n;

	delimited_take(w, '$');
	back = delimited_take(w, '-');
	brace = !back && delimited_take(w, '{');
	if (brace) {
		r->name = delimited_cut(w, "}");
		return (delimited_take(w, '}') && r->name.n) ||
		       delimited_bad_word(p, r->name, "} is expected after a name");
	}
	if (w->n && (*w->p < '0' || *w->p > '9') && !back) {
		r->name = delimited_cut(w, "-+|:*{?/= ");
		return r->name.n ||
		       delimited_bad_word(p, *w, "a column is expected after $");
	}
	if (!delimited_column(p, w, &n))
		return false;
	r->at = back ? -(int)n : (int)n;
	return true;
}

/* Reports that w is not a column. Returns false. */
static bool COLD
no_column(struct delimited_parser *p, struct word w)
{
	char why[64];

	if (!w.n)
		return delimited_bad_word(
		    p, w,
		    "a column is expected: $3; a shell leaves it as it is in "
		    "single quotes");
	if (!is_name(w) && (w.n > 9 || memchr("0123456789", *w.p, 10) == NULL))
		return delimited_bad_word(
		    p, w, "a column is expected: $3, $-1, $name, ${a name}");
	snprintf(why, sizeof why, "a column is expected: $%.*s", (int)w.n, w.p);
	return delimited_bad_word(p, w, why);
}

static bool
type(struct delimited_parser *p, struct word *w, struct delimited_field *f)
{
	struct word as = delimited_cut(w, "-*{?/");

	f->point = f->what == C_ARG && (word_is(as, "iso") || word_is(as, "time"));
	if (word_is(as, "iso") && (f->what <= C_END || f->what == C_DUR || f->point))
		f->as = AS_ISO;
	else if (word_is(as, "clock") && f->what <= C_END) {
		f->as = AS_ISO;
		f->clock = true;
	} else if (word_is(as, "hex") &&
		   (f->what == C_ADDR || f->what == C_SIZE || f->what == C_ARG))
		f->as = AS_HEX;
	else if (f->point) {
		f->as = AS_TIME;
		f->unit = 1000000000;
	} else
		return delimited_bad_word(
		    p, as,
		    "a type is iso, clock or time of a time, or hex of addr or size");
	return true;
}

/* Reads $COLUMN[+$COLUMN[+$COLUMN]][:TYPE] into f->ref, from ref[at] on. Returns false after an error. */
static bool
column(struct delimited_parser *p, struct word *w, struct delimited_field *f, unsigned at)
{
	unsigned as = f->as, i = at;
	char by = '+';

	do {
		if (!w->n || *w->p != '$')
			return no_column(p, *w);
		if (i == at + REF_JOINED)
			return delimited_bad_word(p, *w, "a date has at most 3 columns");
		if (!reference(p, w, &f->ref[i++]))
			return false;
		by = i == at + 1 && w->n && *w->p == '|' ? '|' : by;
	} while (delimited_take(w, by));
	f->either = by == '|';
	if (f->either && (at != REF_AT || f->as != AS_TEXT))
		return delimited_bad_word(p, *w, "only texts have several columns with |");
	/* $3- is column 3 and the rest of the line; $3-$2 is a difference. */
	if (at == REF_AT && w->n && *w->p == '-' && (w->n == 1 || w->p[1] != '$'))
		f->rest = delimited_take(w, '-');
	if (!delimited_take(w, ':'))
		return true;
	if (!type(p, w, f))
		return false;
	return at == REF_AT || as == f->as || as != AS_ISO ||
	       delimited_bad_word(p, *w, "one column is a date, the other one is not");
}

/* Reads what follows a *: a number, a unit of time, or both. Returns false after an error. */
static bool
unit(struct delimited_parser *p, struct word *w, struct delimited_field *f)
{
	static const char units[][4] = {"ns", "us", "ms", "s", "B"};
	struct word text = delimited_cut(w, "{?/"), name = text;
	uint64_t n = 1, of = 1;
	size_t i = 0;

	if (f->as == AS_ISO || f->as == AS_HEX)
		return delimited_bad_word(p, text,
					  "dates and hexadecimal numbers have no unit");
	while (name.n && *name.p >= '0' && *name.p <= '9')
		delimited_take(&name, *name.p);
	if (name.n < text.n && digits_u64((const uint8_t *)text.p, text.n - name.n, &n))
		n = 0;
	for (i = 0; name.n && i < 5 && !word_is(name, units[i]); i++)
		of *= i < 3 ? 1000 : 1;
	if (i == 5 || !n || !text.n)
		return delimited_bad_word(
		    p, text,
		    "a unit is a whole number, ns, us, ms, s, B, or both, as "
		    "in *100ns");
	if (i == 4)
		of = 1;
	f->as = name.n && i < 4			? AS_TIME
		: f->what == C_ARG && !f->point ? AS_NUMBER
						: f->as;
	if (n > COLUMNS_UNIT_MOST / of)
		return delimited_bad_word(p, text, "a unit is at most 10s, or 10000000000");
	f->unit = n * of;
	return true;
}

/* Reads a map {FROM:TO,...}. FROM alone keeps the value, FROM: means that the line is not a record, and * matches all
 * other values. Returns false after an error. */
static bool
map(struct delimited_parser *p, struct word *w, struct delimited_field *f)
{
	struct delimited_layout *l = p->l;

	f->pair = l->npairs;
	do {
		struct delimited_pair pair = {.from = delimited_cut(w, ":,}")};

		pair.to = pair.from;
		if (delimited_take(w, ':')) {
			pair.to = delimited_cut(w, ",}");
			pair.drop = !pair.to.n;
		}
		if (word_is(pair.from, "*")) {
			if (f->others)
				return delimited_bad_word(p, pair.from,
							  "* may be given once");
			f->others = true;
			f->drops = pair.drop;
			if (!word_is(pair.to, "*") && !pair.drop)
				f->other = pair.to;
			continue;
		}
		if (pair.to.p == pair.from.p && memchr(pair.from.p, '=', pair.from.n))
			return delimited_bad_word(p, pair.from,
						  "names stand after a colon: {Read:R}");
		if (l->npairs == COLUMNS_PAIRS)
			return delimited_bad(p, "more than %d names of values",
					     COLUMNS_PAIRS);
		l->pair[l->npairs++] = pair;
	} while (delimited_take(w, ','));
	f->npairs = l->npairs - f->pair;
	return delimited_take(w, '}') || delimited_bad_word(p, *w, "} is missing");
}

/* Reads what follows a ?: perhaps another ?, and a condition $COLUMN=TEXT. Returns false after an error. */
static bool
parse_absent(struct delimited_parser *p, struct word *w, struct delimited_field *f)
{
	f->absent = 1;
	if (delimited_take(w, '?'))
		f->absent = 2;
	/* finish_settings refuses a time that may be absent, unless it comes from a head= line. */
	if (f->what == C_EVENT)
		return delimited_bad_word(p, *w, NO_TIME);
	if (!w->n || *w->p != '$')
		return true;
	if (!reference(p, w, &f->ref[REF_WHEN]))
		return false;
	if (!delimited_take(w, '='))
		return delimited_bad_word(p, *w, "= is expected");
	f->is = delimited_cut(w, "");
	return true;
}

/* Checks that the parts of a field's value go together. `as` is the way of reading before its type and unit were
 * read. Returns false after an error. */
static bool
makes_sense(struct delimited_parser *p, struct word w, struct delimited_field *f,
	    unsigned as)
{
	bool time = f->as == AS_TIME || f->as == AS_ISO;

	if (f->as == AS_TIME && f->what != C_ARG && as != AS_TIME)
		return delimited_bad_word(p, w, "ns, us, ms and s are units of times");
	f->less = delimited_is_ref(&f->ref[REF_LESS]);
	f->joined = (!f->either && delimited_is_ref(&f->ref[REF_AT + 1])) ||
		    delimited_is_ref(&f->ref[REF_LESS + 1]);
	f->fits = (uint8_t)(f->as == AS_TIME ? UNIT_TIME : UNIT_SIZE);
	if (f->less && (!time || f->what <= C_END))
		return delimited_bad_word(
		    p, w, "only durations are a difference: dur=$2-$1, x=$2-$1*s");
	if (f->what == C_DUR && f->as == AS_ISO && !f->less)
		return delimited_bad_word(
		    p, w, "a duration is a difference of dates: $End-$Start:iso");
	if (f->joined && (f->as != AS_ISO || f->rest))
		return delimited_bad_word(p, w,
					  "only dates have several columns: $1+$2:iso");
	if (w.n && *w.p == '{' && (f->as != AS_TEXT || f->rest))
		return delimited_bad_word(p, w, "numbers have no names of values");
	f->point &= !f->less;
	return true;
}

/* Reads COLUMN[-|-COLUMN][*UNIT][{MAP}][?[?][$COLUMN=TEXT]], each COLUMN with its type. Returns false after an
 * error. */
bool
delimited_field_value(struct delimited_parser *p, struct word *w, struct delimited_field *f)
{
	unsigned as = f->as;

	if (!column(p, w, f, REF_AT) ||
	    (delimited_take(w, '-') && !column(p, w, f, REF_LESS)) ||
	    (delimited_take(w, '*') && !unit(p, w, f)) || !makes_sense(p, *w, f, as) ||
	    (delimited_take(w, '{') && !map(p, w, f)) ||
	    (delimited_take(w, '?') && !parse_absent(p, w, f)))
		return false;
	if (w->n && !(f->what == C_LOC && *w->p == '/'))
		return delimited_bad_word(p, *w,
					  w->n > 1 && *w->p == ',' && w->p[1] == '$'
					      ? "a date in two columns is $1+$2:iso"
					  : *w->p == ','
					      ? "blanks stand between words, no commas"
					      : "no text can follow here");
	return true;
}

static struct delimited_field *
new_field(struct delimited_parser *p, unsigned what)
{
	struct delimited_layout *l = p->l;
	struct delimited_field *f = &l->field[l->nfields];

	if (l->nfields == COLUMNS_FIELDS)
		return delimited_bad(p, "more than %d fields", COLUMNS_FIELDS), NULL;
	l->nfields++;
	*f = (struct delimited_field){.what = (uint8_t)what, .preset = !p->line};
	f->as = what <= C_END || what == C_DUR	   ? AS_TIME
		: what == C_ADDR || what == C_SIZE ? AS_NUMBER
						   : AS_TEXT;
	f->unit = f->as == AS_TIME ? 1000000000 : 1;
	return f;
}

/* Reads loc=[NAME:]VALUE[/[NAME:]VALUE...]. Returns false after an error. */
static bool
loc(struct delimited_parser *p, struct word w)
{
	unsigned n = 0, named = 0;

	do {
		struct delimited_field *f = new_field(p, C_LOC);
		struct word name;

		if (!f)
			return false;
		if (n++ == LOC_PARTS)
			return delimited_bad(p, "loc has at most %d parts", LOC_PARTS);
		if (w.n && *w.p != '$') {
			name = delimited_cut(&w, ":");
			if (!is_name(name) || !delimited_take(&w, ':'))
				return delimited_bad_word(
				    p, name, "a name is expected before the colon");
			memcpy(f->name, name.p, name.n);
			named++;
		}
		if (!delimited_field_value(p, &w, f))
			return false;
		if (f->as != AS_TEXT)
			return delimited_bad(p, "loc cannot be a number");
	} while (delimited_take(&w, '/'));
	return !named || named == n ||
	       delimited_bad(p, "all parts of loc have names, or none");
}

/* Removes the fields of the preset that the new field replaces. Returns false if the user's description already
 * has the field. */
static bool
replace(struct delimited_parser *p, struct word name, unsigned what)
{
	struct delimited_layout *l = p->l;

	for (unsigned i = 0; i < l->nfields; i++) {
		struct delimited_field *f = &l->field[i];

		if (what == C_ARG ? f->what != what || !word_is(name, f->name)
				  : f->what != what && (f->what > C_END || what > C_END))
			continue;
		if (!f->preset && f->what != what)
			continue;
		if (!f->preset)
			return delimited_bad_word(p, name, "the field is there already");
		p->optional -= what == C_ARG && f->absent;
		memmove(f, f + 1, (--l->nfields - i) * sizeof *f);
		i--;
	}
	return true;
}

bool
delimited_field(struct delimited_parser *p, struct word name, struct word w)
{
	unsigned what = 0;
	struct delimited_field *f;

	while (what < C_ARG && !word_is(name, delimited_columns[what]))
		what++;
	/* libCacheSim writes options such as time-col=2. */
	if (what == C_ARG && !is_name(name))
		return delimited_bad_word(
		    p, name,
		    name.n > 4 && !memcmp(name.p + name.n - 4, "-col", 4)
			? "write time=$2 addr=$5 event=R, with your columns"
			: "not a name of at most 31 letters and digits");
	if (!replace(p, name, what))
		return false;
	if (what == C_LOC)
		return loc(p, w);
	f = new_field(p, what);
	if (!f)
		return false;
	if (what == C_ARG)
		memcpy(f->name, name.p, name.n);
	if (what == C_EVENT && w.n && *w.p != '$') {
		f->constant = w;
		if (word_is(w, "-"))
			return delimited_bad_word(p, w, "no event has this name");
		return true;
	}
	if (what == C_TIME && word_is(w, "line"))
		f->as = AS_LINE;
	else if (!delimited_field_value(p, &w, f))
		return false;
	p->iso |= f->as == AS_ISO && f->what <= C_END && !f->clock;
	p->clock |= f->clock;
	p->date |= f->as == AS_ISO && f->point;
	p->optional += what == C_ARG && f->absent;
	if (p->optional > COLUMNS_OPTIONAL)
		return delimited_bad(p, "more than %d arguments that may be absent",
				     COLUMNS_OPTIONAL);
	return true;
}
