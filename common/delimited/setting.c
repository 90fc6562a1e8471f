/*
 * setting.c - parses the description of columns, which columns-layout(5) defines, from the command line, a preset
 * or a file.
 *
 * A description has words with blanks or newlines between; a blank inside braces is part of a word; # at the begin
 * of a word starts a comment up to the end of the line. If the first word is the name of a preset, the preset's
 * description replaces it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/in.h"
#include "base/num.h"
#include "delimited/parse.h"

#define FILE_LONGEST (64u << 10)
/* Nanoseconds from 1601, the origin of Windows times, to 1970. */
#define WINDOWS_UNIX (11644473600u * 1000000000ull)

static bool
separator(struct delimited_parser *p, struct word w)
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
		return delimited_bad_word(p, w, "sep=tab is expected");
	p->l->sep = w.n == 1 ? (uint8_t)*w.p : 0;
	return (w.n == 1 && *w.p > ' ' && *w.p < 0x7f && *w.p != '"' &&
		!delimited_name_byte(*w.p, 0) && !(*w.p >= '0' && *w.p <= '9')) ||
	       delimited_bad_word(p, w,
				  "comma, tab, semicolon, blank or a sign is expected");
}

/* Reads columns=N or columns=N-M. Returns false after an error. */
static bool
delimited_of(struct delimited_parser *p, struct word w)
{
	struct delimited_layout *l = p->l;

	if (!delimited_column(p, &w, &l->least))
		return false;
	l->most = l->least;
	if (delimited_take(&w, '-') && !delimited_column(p, &w, &l->most))
		return false;
	if (w.n || l->most < l->least || l->most == COLUMNS_MOST - 1)
		return delimited_bad_word(p, w,
					  "columns: N or N-M is expected, at most 1022");
	snprintf(l->count, sizeof l->count,
		 l->most > l->least ? "%u to %u columns are expected"
				    : "%u columns are expected",
		 l->least, l->most);
	return true;
}

/* Reads bytes=u4,i8,...: the integers of a record. Returns false after an error. */
static bool
integers(struct delimited_parser *p, struct word w)
{
	struct delimited_layout *l = p->l;

	for (l->nints = l->bytes = 0; w.n; delimited_take(&w, ',')) {
		struct word one = delimited_cut(&w, ",");
		unsigned width = one.n == 2 ? (unsigned)one.p[1] - '0' : 0;

		if ((width != 1 && width != 2 && width != 4 && width != 8) ||
		    (*one.p != 'u' && *one.p != 'i') || l->nints == COLUMNS_INTS)
			return delimited_bad_word(
			    p, one,
			    "u or i and 1, 2, 4 or 8 bytes are expected, at most 32 times");
		l->ints[l->nints++] = (struct delimited_int){(uint8_t)width, *one.p == 'i',
							     (uint16_t)l->bytes};
		l->bytes += width;
	}
	return l->nints || delimited_bad_word(p, w, "integers are expected: u4,u8");
}

/* Reads a setting whose value is a shape, such as line=. *known is false if the name is not such a setting.
 * Returns false then, and after an error. */
static bool
shape(struct delimited_parser *p, struct word name, struct word w, bool *known)
{
	static const char *const kinds[] = {
	    [FORM_LINE] = "line",   [FORM_HEAD] = "head",	[FORM_SKIP] = "skip",
	    [FORM_BEGUN] = "begun", [FORM_RESUMED] = "resumed", [FORM_ENDED] = "ended",
	    [FORM_MOVED] = "moved", [FORM_LOST] = "lost",	[FORM_OPEN] = "open"};
	unsigned kind = 0;
	const char *why;

	while (kind <= FORM_OPEN && !word_is(name, kinds[kind]))
		kind++;
	*known = kind <= FORM_OPEN;
	if (!*known)
		return false;
	why = delimited_form_parse(p->l, kind, w);
	return !why || delimited_bad_word(p, w, why);
}

static bool
setting(struct delimited_parser *p, struct word name, struct word w, bool *known)
{
	struct delimited_layout *l = p->l;
	uint64_t n;

	*known = true;
	if (word_is(name, "sep"))
		return separator(p, w);
	if (word_is(name, "decimal")) {
		l->comma = word_is(w, "comma");
		return l->comma || word_is(w, "point") ||
		       delimited_bad_word(p, w,
					  "decimal=point or decimal=comma is expected");
	}
	if (word_is(name, "skip") && (!w.n || *w.p != '{')) {
		if (!w.n || l->nskips == COLUMNS_SKIPS)
			return delimited_bad(
			    p, "skip: the begin of a line is expected, at most %d",
			    COLUMNS_SKIPS);
		l->skip[l->nskips++] = w;
		return true;
	}
	if (word_is(name, "record")) {
		l->record = (struct delimited_field){.what = C_ARG};
		return delimited_field_value(p, &w, &l->record);
	}
	if (word_is(name, "epoch")) {
		l->absolute = true;
		l->base = word_is(w, "1601") ? WINDOWS_UNIX : 0;
		return l->base || word_is(w, "1970") ||
		       delimited_bad_word(
			   p, w, "epoch=1970 of Unix or epoch=1601 of Windows is expected");
	}
	if (word_is(name, "columns"))
		return delimited_of(p, w);
	if (word_is(name, "bytes"))
		return integers(p, w);
	if (word_is(name, "block")) {
		if (digits_u64((const uint8_t *)w.p, w.n, &n) || !n || n > 1u << 30)
			return delimited_bad_word(
			    p, w, "block: not a number from 1 to 1073741824");
		l->block = n;
		return true;
	}
	return shape(p, name, w, known);
}

static bool
one_word(struct delimited_parser *p, struct word w)
{
	struct word name = delimited_cut(&w, "=");
	bool known;

	p->all = (struct word){name.p, name.n + w.n};
	if (word_is(p->all, "header"))
		return p->l->header = true;
	if (word_is(p->all, "json") || word_is(p->all, "json=stream")) {
		p->l->stream = w.n;
		return p->l->json = true;
	}
	if (word_is(name, "*")) {
		p->l->others = true;
		p->l->members = (struct word){w.p + 2, w.n > 2 ? w.n - 2 : 0};
		return !w.n || (w.n > 2 && w.p[1] == '$') ||
		       delimited_bad_word(p, w, "* or *=$MEMBER is expected");
	}
	if (!delimited_take(&w, '='))
		return delimited_bad_word(p, name, "NAME=VALUE is expected");
	if (setting(p, name, w, &known) || known)
		return !*p->why;
	return delimited_field(p, name, w);
}

/* Returns the number of that name plus 1 if a shape of that kind has such a column, else 0. */
static int
name_number(const struct delimited_layout *l, struct word name, unsigned kind)
{
	for (unsigned i = 0; i < l->nforms; i++)
		for (unsigned k = 0; l->form[i].kind == kind && k < l->form[i].n; k++) {
			int n = l->form[i].name[k];

			if (n >= 0 && l->names[n].n == name.n &&
			    !memcmp(l->names[n].p, name.p, name.n))
				return n + 1;
		}
	return 0;
}

/* Looks up the columns that one field names, in the shapes or the JSON members. Returns false after an error. */
static bool
find_names(struct delimited_parser *p, struct delimited_field *f)
{
	struct delimited_layout *l = p->l;

	for (unsigned i = 0; i < REFS; i++) {
		struct delimited_ref *r = &f->ref[i];
		char name[64];

		if (l->bytes && (r->at > (int)l->nints || -r->at > (int)l->nints))
			return delimited_bad(p, "a record of bytes= has %u columns",
					     l->nints);
		if (r->at && (l->shaped || l->json))
			return delimited_bad(
			    p, l->json ? "members of JSON have names, not numbers"
				       : "columns of a line= have names, not numbers");
		if (!r->name.p)
			continue;
		if (l->json && !(r->at = 1 + delimited_name_of(l, r->name)))
			return delimited_bad(p, "more than %d names", FORM_NAMES);
		r->at = l->shaped ? name_number(l, r->name, FORM_LINE) : r->at;
		if (!r->at && i != REF_WHEN)
			r->held = (unsigned)name_number(l, r->name, FORM_HEAD);
		if (l->shaped && !r->at && !r->held)
			return delimited_bad(p, "no line= has a column %s",
					     quoted(name, r->name.p, r->name.n));
		if (r->at || r->held)
			r->name.p = NULL;
	}
	return true;
}

/* Returns true if a shape of begun= has a column of that name. */
static bool
is_begun(const struct delimited_layout *l, int name)
{
	for (unsigned i = 0; name >= 0 && i < l->nforms; i++)
		for (unsigned k = 0; l->form[i].kind == FORM_BEGUN && k < l->form[i].n; k++)
			if (l->form[i].name[k] == name)
				return true;
	return false;
}

/* Finds the properties of all shapes, and resolves the names of all fields. *names is the number of columns that
 * are named in a header. Returns false after an error. */
static bool
find_shapes(struct delimited_parser *p, unsigned *names)
{
	struct delimited_layout *l = p->l;

	/* The day of a time of day follows from all times before it. */
	l->cut = !p->clock;
	l->who = -1;
	for (unsigned i = 0; i < l->nforms; i++) {
		const struct delimited_form *f = &l->form[i];

		l->shaped |= f->kind == FORM_LINE;
		l->open |= f->kind == FORM_OPEN;
		l->cut &=
		    f->kind == FORM_LINE || f->kind == FORM_SKIP || f->kind == FORM_LOST;
		for (unsigned k = 0; f->kind == FORM_BEGUN && l->who < 0 && k < f->n; k++)
			l->who = f->name[k];
	}
	for (unsigned i = 0; i < l->nforms; i++)
		for (unsigned k = 0;
		     l->form[i].kind == FORM_RESUMED && k + 1 < l->form[i].n; k++)
			if (l->form[i].name[k] != l->who && is_begun(l, l->form[i].name[k]))
				l->same |= (uint64_t)1 << l->form[i].name[k];
	for (unsigned i = 0; i <= l->nfields; i++) {
		struct delimited_field *f = i < l->nfields ? &l->field[i] : &l->record;

		if (!find_names(p, f))
			return false;
		for (unsigned k = 0; k < REFS; k++)
			*names += f->ref[k].name.p != NULL;
	}
	return true;
}

/* Turns end= into a duration if there is a time= too: the end less the time. Returns false after an error. */
static bool
find_dur(struct delimited_parser *p)
{
	struct delimited_layout *l = p->l;
	struct delimited_field *of[C_ARG] = {NULL}, *end;

	for (unsigned i = 0; i < l->nfields; i++)
		if (l->field[i].what < C_ARG)
			of[l->field[i].what] = &l->field[i];
	end = of[C_END];
	if (!end || !of[C_TIME])
		return !end || !end->absent ||
		       delimited_bad(
			   p,
			   "time= is not given, so end= must have a value in each record");
	if (of[C_DUR] && !of[C_DUR]->preset)
		return delimited_bad(p, "time=, end= and dur=: leave one of them out");
	if (of[C_TIME]->as != end->as || of[C_TIME]->unit != end->unit)
		return delimited_bad(p, "time= and end= must have the same type and unit");
	end->what = C_DUR;
	end->less = true;
	end->joined |= of[C_TIME]->joined;
	memcpy(&end->ref[REF_LESS], of[C_TIME]->ref, REF_JOINED * sizeof *end->ref);
	if (of[C_DUR])
		memmove(of[C_DUR], of[C_DUR] + 1,
			(size_t)(&l->field[--l->nfields] - of[C_DUR]) * sizeof *end);
	return true;
}

/* Reports if the description lacks a time, an event, the duration that an end needs, or a time for dates. Returns
 * false then. */
static bool
is_whole(struct delimited_parser *p, bool time, bool event, bool ends, bool args)
{
	if (!time || !event)
		return delimited_bad(
		    p, "%s is missing%s", time ? "event=" : "time=",
		    args ? "; names other than time, end, loc, event, addr, size and "
			   "dur are arguments"
			 : "");
	if (ends)
		return delimited_bad(p, "end= needs dur= or time=");
	return !p->date || p->iso || p->l->absolute ||
	       delimited_bad(p, "an argument is a date: time must be one, or epoch=1970");
}

/* Reports settings that contradict each other. `rest`: a field has the rest of a line. Returns false if there are
 * any. */
static bool
are_together(struct delimited_parser *p, bool rest)
{
	struct delimited_layout *l = p->l;

	if (l->others && !l->json)
		return delimited_bad(p, "* is for members of JSON: write json, too");
	if (l->json &&
	    (l->header || l->shaped || !l->cut || l->bytes || l->most || l->comma || rest))
		return delimited_bad(p, "objects of JSON have members, and no columns");
	if (l->bytes && (l->header || l->nforms || l->nskips || rest))
		return delimited_bad(p, "records of bytes have no lines");
	return !l->shaped || !l->header ||
	       delimited_bad(p, "lines that have a shape have no header");
}

/* Completes the layout after all words have been read. Returns false after an error. */
static bool
finish_settings(struct delimited_parser *p)
{
	struct delimited_layout *l = p->l;
	bool time = false, event = false, dur = false, end = false, args = false,
	     rest = false;
	unsigned names = 0;

	if (!find_dur(p) || !find_shapes(p, &names))
		return false;
	for (unsigned i = 0; i < l->nfields; i++) {
		if (l->field[i].what == C_TIME && l->field[i].absent &&
		    !l->field[i].ref[REF_AT].held)
			return delimited_bad(p, "time: " NO_TIME);
		time |= l->field[i].what <= C_END;
		end |= l->field[i].what == C_END;
		event |= l->field[i].what == C_EVENT;
		dur |= l->field[i].what == C_DUR;
		l->lines |= l->field[i].as == AS_LINE;
		args |= l->field[i].what == C_ARG;
		rest |= l->field[i].rest;
		/* An address in blocks is not in bytes. */
		if (l->field[i].what == C_ADDR && l->block > 1)
			l->field[i].fits = UNIT_NONE;
	}
	if (!is_whole(p, time, event, end && !dur, args))
		return false;
	if ((p->iso || p->date) && l->base)
		return delimited_bad(p, "dates have no epoch=1601");
	l->absolute |= p->iso;
	l->header |= names > 0;
	return are_together(p, rest);
}

/* Returns the next word of the text at *s, and moves *s after it; n = 0 if there is none. */
static struct word
next_word(const char **s, unsigned *line)
{
	struct word w;
	int depth = 0;

	for (;; ++*s) {
		if (**s == '#')
			*s += strcspn(*s, "\n");
		if (!**s || !strchr(" \t\r\n", **s))
			break;
		*line += **s == '\n';
	}
	for (w.p = *s; **s && **s != '\n' && (depth > 0 || !strchr(" \t\r", **s)); ++*s)
		depth += **s == '{' ? 1 : **s == '}' ? -1 : 0;
	w.n = (size_t)(*s - w.p);
	return w;
}

/* Returns the number of the preset with that name, or -1. */
static int
preset_named(struct word w)
{
	for (int i = 0; w.n && delimited_presets[i]; i++)
		if (word_is(w, delimited_presets[i]))
			return i;
	return -1;
}

static bool
all_words(struct delimited_parser *p, const char *s)
{
	unsigned none = 0, *line = p->line ? &p->line : &none;
	struct word w;

	while ((w = next_word(&s, line)).n)
		if (!one_word(p, w))
			return false;
	return true;
}

struct delimited_layout *
delimited_parse(const char *text, size_t n, char *why, size_t size)
{
	struct delimited_layout *l = xcalloc(1, sizeof *l);
	struct delimited_parser p = {.l = l, .why = why, .size = size};
	const char *rest = l->text = xstrndup(text, n);
	unsigned line = 1;

	*why = '\0';
	l->sep = ',';
	l->preset = preset_named(next_word(&rest, &line));
	if (l->preset >= 0) {
		l->hint = delimited_hints[l->preset];
		all_words(&p, delimited_meanings[l->preset]);
		p.line = line;
	} else
		rest = l->text;
	p.line = p.line ? p.line : 1;
	if (all_words(&p, rest) && finish_settings(&p))
		return l;
	delimited_free(l);
	return NULL;
}

void
delimited_free(struct delimited_layout *l)
{
	if (l)
		free(l->text);
	free(l);
}

struct delimited_layout *
delimited_load(const char *text, const char *what)
{
	struct delimited_layout *l;
	char why[320];
	struct in in;

	if (strchr(text, '=') ||
	    preset_named((struct word){text, strcspn(text, " \t\n")}) >= 0) {
		l = delimited_parse(text, strlen(text), why, sizeof why);
		if (!l)
			die("%s: %s", what, strchr(why, ' ') + 1);
		return l;
	}
	if (!in_open(&in, text))
		die("%s: %s: no preset, no description, and no file:", what, text);
	in_need(&in, FILE_LONGEST + 1);
	if (in.err || in_left(&in) > FILE_LONGEST)
		die("%s: %s", text, in.err ? strerror(in.err) : "longer than 64 KiB");
	l = delimited_parse((const char *)in.p, in_left(&in), why, sizeof why);
	if (!l)
		die("%s:%s", in.name, why);
	in_close(&in);
	return l;
}
