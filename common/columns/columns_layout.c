/*
 * columns_layout.c - the description of columns, as columns-layout(5) has it, and where it
 * comes from: the command line, a preset, a file.
 *
 * It is words with blanks or newlines between; a blank between braces is part of the word,
 * # at the begin of a word a comment up to the end of the line.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/in.h"
#include "base/num.h"
#include "columns/columns.h"

#define FILE_LONGEST (64u << 10)
/* From 1601, when the time of Windows begins, to 1970. */
#define WINDOWS_UNIX (11644473600u * 1000000000ull)

struct parser {
	struct columns_layout *l;
	unsigned line;
	struct word all; /* the word at hand */
	char *why;
	size_t size;
	unsigned optional; /* arguments */
	bool iso, date;	   /* the time is a date; an argument is one */
};

static bool PRINTF(2, 3) COLD bad(struct parser *p, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(p->why, p->size, "%u: %s", p->line, text);
	return false;
}

/* Of the word at hand the part w is wrong. */
static bool
bad_word(struct parser *p, struct word w, const char *why)
{
	char all[64], text[64];

	if (!w.n || w.n == p->all.n)
		return bad(p, "%s: %s", quoted(all, p->all.p, p->all.n), why);
	return bad(p, "%s: %s: %s", quoted(all, p->all.p, p->all.n), quoted(text, w.p, w.n),
		   why);
}

/* Takes what stands before the first of the bytes `stop`, or all, off the front of w. */
static struct word
cut(struct word *w, const char *stop)
{
	struct word first = {w->p, 0};

	while (first.n < w->n && !strchr(stop, w->p[first.n]))
		first.n++;
	w->p += first.n;
	w->n -= first.n;
	return first;
}

static bool
take(struct word *w, char c)
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
		if (!((w.p[i] | 0x20) >= 'a' && (w.p[i] | 0x20) <= 'z') && w.p[i] != '_' &&
		    !(i && w.p[i] >= '0' && w.p[i] <= '9'))
			return false;
	return w.n && w.n < sizeof((struct columns_field *)0)->name;
}

static bool
column_number(struct parser *p, struct word *w, unsigned *n)
{
	struct word digits = *w;
	uint64_t v;

	while (w->n && *w->p >= '0' && *w->p <= '9')
		take(w, *w->p);
	digits.n -= w->n;
	if (digits_u64((const uint8_t *)digits.p, digits.n, &v) || !v || v >= COLUMNS_MOST)
		return bad_word(p, digits, "a column is a number from 1 to 1023");
	*n = (unsigned)v;
	return true;
}

/* Behind a $: a number, perhaps negative, or a name of the header. */
static bool
column(struct parser *p, struct word *w, struct columns_field *f)
{
	bool back = take(w, '-'), brace = !back && take(w, '{');
	unsigned n;

	if (brace) {
		f->header = cut(w, "}");
		if (!take(w, '}') || !f->header.n)
			return bad_word(p, f->header, "} is expected behind a name");
	} else if (w->n && (*w->p < '0' || *w->p > '9') && !back) {
		f->header = cut(w, "-:*{?/ ");
		if (!f->header.n)
			return bad_word(p, *w, "a column is expected behind $");
	} else {
		if (!column_number(p, w, &n))
			return false;
		f->at = back ? -(int)n : (int)n;
	}
	f->header.p = f->at ? NULL : f->header.p;
	f->rest = take(w, '-');
	return true;
}

/* Behind a *: a number, a unit of time, or both. */
static bool
unit(struct parser *p, struct word *w, struct columns_field *f)
{
	static const char units[][4] = {"ns", "us", "ms", "s", "B"};
	struct word text = cut(w, "{?/"), name = text;
	uint64_t n = 1, of = 1;
	size_t i = 0;

	if (f->as == AS_ISO || f->as == AS_HEX)
		return bad_word(p, text, "dates and hexadecimal numbers have no unit");
	while (name.n && *name.p >= '0' && *name.p <= '9')
		take(&name, *name.p);
	if (name.n < text.n && digits_u64((const uint8_t *)text.p, text.n - name.n, &n))
		n = 0;
	for (i = 0; name.n && i < 5 && !word_is(name, units[i]); i++)
		of *= i < 3 ? 1000 : 1;
	if (i == 5 || !n || !text.n)
		return bad_word(p, text,
				"a unit is a whole number, ns, us, ms, s, B, or both, as "
				"in *100ns");
	if (i == 4)
		of = 1;
	f->as = name.n && i < 4			? AS_TIME
		: f->what == C_ARG && !f->point ? AS_NUMBER
						: f->as;
	if (n > COLUMNS_UNIT_MOST / of)
		return bad_word(p, text, "a unit is at most 10s, or 10000000000");
	f->unit = n * of;
	return true;
}

/* {FROM:TO,...}: FROM alone stays, FROM: makes the line no record, * is all others. */
static bool
map(struct parser *p, struct word *w, struct columns_field *f)
{
	struct columns_layout *l = p->l;

	f->pair = l->npairs;
	do {
		struct columns_pair pair = {.from = cut(w, ":,}")};

		pair.to = pair.from;
		if (take(w, ':')) {
			pair.to = cut(w, ",}");
			pair.drop = !pair.to.n;
		}
		if (word_is(pair.from, "*")) {
			if (pair.drop || f->others)
				return bad_word(p, pair.from, "* stands once, for a name");
			f->others = true;
			if (!word_is(pair.to, "*"))
				f->other = pair.to;
			continue;
		}
		if (pair.to.p == pair.from.p && memchr(pair.from.p, '=', pair.from.n))
			return bad_word(p, pair.from,
					"names stand behind a colon: {Read:R}");
		if (pair.drop && f->what != C_EVENT)
			return bad_word(p, pair.from,
					"only an event can make a line no record");
		if (l->npairs == COLUMNS_PAIRS)
			return bad(p, "more than %d names of values", COLUMNS_PAIRS);
		l->pair[l->npairs++] = pair;
	} while (take(w, ','));
	f->npairs = l->npairs - f->pair;
	return take(w, '}') || bad_word(p, *w, "} is missing");
}

/* ?, ??, and $COLUMN=TEXT behind them. */
static bool
absent(struct parser *p, struct word *w, struct columns_field *f)
{
	unsigned n;
	bool back;

	f->absent = 1;
	if (take(w, '?'))
		f->absent = 2;
	if (f->what == C_EVENT || f->what <= C_END)
		return bad_word(p, *w, "no event is without a time and a name");
	if (!take(w, '$'))
		return true;
	back = take(w, '-');
	if (!column_number(p, w, &n))
		return false;
	f->when = back ? -(int)n : (int)n;
	if (!take(w, '='))
		return bad_word(p, *w, "= is expected");
	f->is = cut(w, "");
	return true;
}

static bool
type(struct parser *p, struct word *w, struct columns_field *f)
{
	struct word as = cut(w, "*{?/");

	f->point = f->what == C_ARG && (word_is(as, "iso") || word_is(as, "time"));
	if (word_is(as, "iso") && (f->what <= C_END || f->point))
		f->as = AS_ISO;
	else if (word_is(as, "hex") && (f->what == C_ADDR || f->what == C_ARG))
		f->as = AS_HEX;
	else if (f->point) {
		f->as = AS_TIME;
		f->unit = 1000000000;
	} else
		return bad_word(p, as, "iso of a time or hex of addr is expected");
	return true;
}

/* What stands there is no column. */
static bool COLD
no_column(struct parser *p, struct word w)
{
	char why[64];

	if (!w.n)
		return bad_word(p, w,
				"a column is expected: $3; a shell leaves it as it is in "
				"single quotes");
	if (!is_name(w) && (w.n > 9 || memchr("0123456789", *w.p, 10) == NULL))
		return bad_word(p, w, "a column is expected: $3, $-1, $name, ${a name}");
	snprintf(why, sizeof why, "a column is expected: $%.*s", (int)w.n, w.p);
	return bad_word(p, w, why);
}

/* $COLUMN[-][:iso|:time|:hex][*UNIT][{MAP}][?[?][$COLUMN=TEXT]] */
static bool
value(struct parser *p, struct word *w, struct columns_field *f)
{
	unsigned as = f->as;

	if (!take(w, '$'))
		return no_column(p, *w);
	if (!column(p, w, f) || (take(w, ':') && !type(p, w, f)))
		return false;
	if (take(w, '*') && !unit(p, w, f))
		return false;
	if (f->as == AS_TIME && f->what != C_ARG && as != AS_TIME)
		return bad_word(p, *w, "ns, us, ms and s are units of times");
	if (w->n && *w->p == '{' && (f->as != AS_TEXT || f->rest))
		return bad_word(p, *w, "numbers have no names of values");
	if ((take(w, '{') && !map(p, w, f)) || (take(w, '?') && !absent(p, w, f)))
		return false;
	if (w->n && !(f->what == C_LOC && *w->p == '/'))
		return bad_word(p, *w,
				*w->p == ',' ? "blanks stand between words, no commas"
					     : "this is too much");
	return true;
}

static struct columns_field *
new_field(struct parser *p, unsigned what)
{
	struct columns_layout *l = p->l;
	struct columns_field *f = &l->field[l->nfields];

	if (l->nfields == COLUMNS_FIELDS)
		return bad(p, "more than %d fields", COLUMNS_FIELDS), NULL;
	l->nfields++;
	f->what = (uint8_t)what;
	f->as = what <= C_END || what == C_DUR	   ? AS_TIME
		: what == C_ADDR || what == C_SIZE ? AS_NUMBER
						   : AS_TEXT;
	f->unit = f->as == AS_TIME ? 1000000000 : 1;
	return f;
}

/* loc=[NAME:]VALUE[/[NAME:]VALUE...] */
static bool
loc(struct parser *p, struct word w)
{
	unsigned n = 0, named = 0;

	do {
		struct columns_field *f = new_field(p, C_LOC);
		struct word name;

		if (!f)
			return false;
		if (n++ == LOC_PARTS)
			return bad(p, "loc has at most %d parts", LOC_PARTS);
		if (w.n && *w.p != '$') {
			name = cut(&w, ":");
			if (!is_name(name) || !take(&w, ':'))
				return bad_word(p, name,
						"no name of a part, with : behind it");
			memcpy(f->name, name.p, name.n);
			named++;
		}
		if (!value(p, &w, f))
			return false;
		if (f->as != AS_TEXT)
			return bad(p, "loc is no number");
	} while (take(&w, '/'));
	return !named || named == n || bad(p, "all parts of loc have names, or none");
}

/* libCacheSim has time-col=2. */
static bool COLD
no_name(struct parser *p, struct word name)
{
	bool col = name.n > 4 && !memcmp(name.p + name.n - 4, "-col", 4);

	return bad_word(p, name,
			col ? "write time=$2 addr=$5 event=R, with your columns"
			    : "not a name of at most 31 letters and digits");
}

static bool
field(struct parser *p, struct word name, struct word w)
{
	static const char *const columns[] = {
	    [C_TIME] = "time", [C_END] = "end",	  [C_LOC] = "loc", [C_EVENT] = "event",
	    [C_ADDR] = "addr", [C_SIZE] = "size", [C_DUR] = "dur",
	};
	struct columns_layout *l = p->l;
	unsigned what = 0;
	struct columns_field *f;

	while (what < C_ARG && !word_is(name, columns[what]))
		what++;
	if (what == C_ARG && !is_name(name))
		return no_name(p, name);
	for (unsigned i = 0; i < l->nfields; i++) {
		f = &l->field[i];
		if (what == C_ARG ? f->what == what && word_is(name, f->name)
				  : f->what == what || (f->what <= C_END && what <= C_END))
			return bad_word(p, name, "it is there already");
	}
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
			return bad_word(p, w, "no event has this name");
		return true;
	}
	if (!value(p, &w, f))
		return false;
	p->iso |= f->as == AS_ISO && !f->point;
	p->date |= f->as == AS_ISO && f->point;
	p->optional += what == C_ARG && f->absent;
	if (p->optional > COLUMNS_OPTIONAL)
		return bad(p, "more than %d arguments that may be absent",
			   COLUMNS_OPTIONAL);
	return true;
}

static bool
separator(struct parser *p, struct word w)
{
	static const struct {
		const char *name;
		uint8_t sep;
	} known[] = {{"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}, {"blank", 0}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (word_is(w, known[i].name)) {
			p->l->sep = known[i].sep;
			return true;
		}
	if (word_is(w, "\\t"))
		return bad_word(p, w, "sep=tab is expected");
	p->l->sep = w.n == 1 ? (uint8_t)*w.p : 0;
	return (w.n == 1 && *w.p > ' ' && *w.p < 0x7f && *w.p != '"' && !is_name(w) &&
		!(*w.p >= '0' && *w.p <= '9')) ||
	       bad_word(p, w, "comma, tab, semicolon, blank or a sign is expected");
}

/* columns=N or columns=N-M */
static bool
columns_of(struct parser *p, struct word w)
{
	struct columns_layout *l = p->l;

	if (!column_number(p, &w, &l->least))
		return false;
	l->most = l->least;
	if (take(&w, '-') && !column_number(p, &w, &l->most))
		return false;
	if (w.n || l->most < l->least || l->most == COLUMNS_MOST - 1)
		return bad_word(p, w, "columns: N or N-M is expected, at most 1022");
	snprintf(l->count, sizeof l->count,
		 l->most > l->least ? "%u to %u columns are expected"
				    : "%u columns are expected",
		 l->least, l->most);
	return true;
}

static bool
setting(struct parser *p, struct word name, struct word w, bool *known)
{
	struct columns_layout *l = p->l;
	uint64_t n;

	*known = true;
	if (word_is(name, "sep"))
		return separator(p, w);
	if (word_is(name, "skip")) {
		if (!w.n || l->nskips == COLUMNS_SKIPS)
			return bad(p, "skip: the begin of a line is expected, at most %d",
				   COLUMNS_SKIPS);
		l->skip[l->nskips++] = w;
		return true;
	}
	if (word_is(name, "record")) {
		l->record = (struct columns_field){.what = C_ARG};
		return value(p, &w, &l->record);
	}
	if (word_is(name, "epoch")) {
		l->absolute = true;
		l->base = word_is(w, "1601") ? WINDOWS_UNIX : 0;
		return l->base || word_is(w, "1970") ||
		       bad_word(p, w,
				"epoch=1970 of Unix or epoch=1601 of Windows is expected");
	}
	if (word_is(name, "columns"))
		return columns_of(p, w);
	if (word_is(name, "block")) {
		if (digits_u64((const uint8_t *)w.p, w.n, &n) || !n || n > 1u << 30)
			return bad_word(p, w, "block: not a number from 1 to 1073741824");
		l->block = n;
		return true;
	}
	return *known = false;
}

static bool
one_word(struct parser *p, struct word w)
{
	struct word name = cut(&w, "=");
	bool known;

	p->all = (struct word){name.p, name.n + w.n};
	if (word_is(p->all, "header"))
		return p->l->header = true;
	if (!take(&w, '='))
		return bad_word(p, name, "NAME=VALUE is expected");
	if (setting(p, name, w, &known) || known)
		return !*p->why;
	return field(p, name, w);
}

/* When all words are read. */
static bool
finish(struct parser *p)
{
	struct columns_layout *l = p->l;
	bool time = false, event = false, dur = false, end = false, args = false,
	     names = l->record.header.p;

	for (unsigned i = 0; i < l->nfields; i++) {
		time |= l->field[i].what <= C_END;
		end |= l->field[i].what == C_END;
		event |= l->field[i].what == C_EVENT;
		dur |= l->field[i].what == C_DUR;
		args |= l->field[i].what == C_ARG;
		names |= l->field[i].header.p != NULL;
	}
	if (!time || !event)
		return bad(p, "%s is missing%s", time ? "event=" : "time=",
			   args
			       ? "; names other than time, end, loc, event, addr, size and "
				 "dur are arguments"
			       : "");
	if (end && !dur)
		return bad(p, "end= needs dur=");
	if (p->date && !p->iso && !l->absolute)
		return bad(p, "dates of arguments need a time that is one, or epoch=1970");
	if ((p->iso || p->date) && l->base)
		return bad(p, "dates have no epoch=1601");
	l->absolute |= p->iso;
	l->header |= names;
	return true;
}

struct columns_layout *
columns_parse(const char *text, size_t n, char *why, size_t size)
{
	struct columns_layout *l = xcalloc(1, sizeof *l);
	struct parser p = {.l = l, .line = 1, .why = why, .size = size};
	const char *s, *end;
	bool good = true;

	*why = '\0';
	l->sep = ',';
	l->preset = -1;
	l->text = xstrndup(text, n);
	for (s = l->text, end = s + strlen(s); good && s < end;) {
		struct word w = {s, 0};
		int depth = 0;

		if (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n') {
			p.line += *s++ == '\n';
			continue;
		}
		if (*s == '#') {
			s += strcspn(s, "\n");
			continue;
		}
		for (; *s && *s != '\n' && (depth > 0 || !strchr(" \t\r", *s)); s++)
			depth += *s == '{' ? 1 : *s == '}' ? -1 : 0;
		w.n = (size_t)(s - w.p);
		good = one_word(&p, w);
	}
	if (good && finish(&p))
		return l;
	columns_free(l);
	return NULL;
}

void
columns_free(struct columns_layout *l)
{
	if (l)
		free(l->text);
	free(l);
}

struct columns_layout *
columns_load(const char *text, const char *what)
{
	struct columns_layout *l;
	char why[320];
	struct in in;
	int preset = 0;

	while (columns_presets[preset] && strcmp(columns_presets[preset], text) != 0)
		preset++;
	if (columns_presets[preset])
		text = columns_meanings[preset];
	if (strchr(text, '=')) {
		l = columns_parse(text, strlen(text), why, sizeof why);
		if (!l)
			die("%s: %s", what, strchr(why, ' ') + 1);
		if (text == columns_meanings[preset]) {
			l->preset = preset;
			l->hint = columns_hints[preset];
		}
		return l;
	}
	if (!in_open(&in, text))
		die("%s: %s: no preset, no description, and no file:", what, text);
	in_need(&in, FILE_LONGEST + 1);
	if (in.err || in_left(&in) > FILE_LONGEST)
		die("%s: %s", text, in.err ? strerror(in.err) : "longer than 64 KiB");
	l = columns_parse((const char *)in.p, in_left(&in), why, sizeof why);
	if (!l)
		die("%s:%s", in.name, why);
	in_close(&in);
	return l;
}
