/*
 * layout_file.c - reads a layout's text form, as charisma-layout(5) defines it. Records and their fields are in
 * layout_fields.c.
 *
 * A line has words between blanks; # begins a comment. Lines apply in their order, base first, so a type must come
 * before the record that uses it. Offsets are computed at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/in.h"
#include "charisma/layout_file.h"

/* Limit of the file's size. A layout of all records has some 10 KB. */
#define FILE_LONGEST (1u << 20)

static bool
once(struct layout_parser *p, bool *seen)
{
	if (*seen)
		return layout_bad(p, "%s stands twice", layout_show(&p->w[0]));
	return *seen = true;
}

static bool
base_line(struct layout_parser *p)
{
	char name[LAYOUT_NAME];
	bool lp64 = p->nw == 2 && word_is(p->w[1], "lp64");

	if (!layout_expect(p, 2, 2, "base ilp32|lp64"))
		return false;
	if (!lp64 && !word_is(p->w[1], "ilp32"))
		return layout_bad(p, "base %s: ilp32 or lp64 is expected",
				  layout_show(&p->w[1]));
	if (p->base)
		return layout_bad(p, "base stands twice");
	if (p->l->ntypes)
		return layout_bad(p, "base must come before all types");
	memcpy(name, p->l->name, sizeof name);
	layout_base(p->l, lp64);
	memcpy(p->l->name, name, sizeof name);
	return p->base = true;
}

static bool
align_line(struct layout_parser *p)
{
	int64_t v;

	if (!once(p, &p->align) || !layout_expect(p, 2, 3, "align natural|packed|max N"))
		return false;
	if (p->nw == 2 && word_is(p->w[1], "natural"))
		p->l->cap = 0;
	else if (p->nw == 2 && word_is(p->w[1], "packed"))
		p->l->cap = 1;
	else if (p->nw == 3 && word_is(p->w[1], "max")) {
		if (!layout_number(p, &p->w[2], 1, 16, &v))
			return false;
		if (v & (v - 1))
			return layout_bad(p, "align max %lld: a power of two is expected",
					  (long long)v);
		p->l->cap = (unsigned)v;
	} else
		return layout_bad(p, "expected: align natural|packed|max N");
	return true;
}

/* Reads a code such as u8, s4 or f8 into the class and size of *t. Returns false after an error. */
static bool
type_code(struct layout_parser *p, const struct word *w, struct layout_type *t)
{
	char c = w->n == 2 ? w->p[0] : 0;
	int size = w->n == 2 ? w->p[1] - '0' : 0;

	t->class = c == 's' ? CLASS_SIGNED : c == 'f' ? CLASS_FLOAT : CLASS_UNSIGNED;
	if ((c != 'u' && c != 's' && c != 'f') ||
	    (size != 4 && size != 8 && (c == 'f' || (size != 1 && size != 2))))
		return layout_bad(p, "%s: u1 u2 u4 u8 s1 s2 s4 s8 f4 or f8 is expected",
				  layout_show(w));
	t->size = t->align = (uint8_t)size;
	return true;
}

static bool
type_line(struct layout_parser *p)
{
	struct layout *l = p->l;
	struct layout_type t = {.name = ""};
	int64_t align;
	int at;

	if (!layout_expect(p, 3, 5, "type NAME u1..u8|s1..s8|f4|f8 [align N]"))
		return false;
	if (p->nw == 4)
		return layout_bad(p, "expected: type NAME CODE [align N]");
	if (!layout_name(p, &p->w[1]))
		return false;
	if (!type_code(p, &p->w[2], &t))
		return false;
	if (p->nw == 5) {
		if (!word_is(p->w[3], "align"))
			return layout_bad(p, "%s: align is expected",
					  layout_show(&p->w[3]));
		if (!layout_number(p, &p->w[4], 1, 16, &align))
			return false;
		if (align & (align - 1))
			return layout_bad(p, "align %lld: a power of two is expected",
					  (long long)align);
		t.align = (uint8_t)align;
	}
	at = layout_type(l, p->w[1].p, p->w[1].n);
	if (at == TYPE_CHAR || at == TYPE_REQUEST)
		return layout_bad(p, "%s: a layout cannot change this type",
				  layout_show(&p->w[1]));
	if (at == TYPE_U_SHORT && t.size != 2)
		return layout_bad(p, "u_short: record types are numbers of 2 bytes");
	if (at >= 0 && (l->type[at].class == CLASS_FLOAT) != (t.class == CLASS_FLOAT))
		return layout_bad(p,
				  "%s: an integer cannot become a float, nor the reverse",
				  layout_show(&p->w[1]));
	if (at < 0) {
		if (l->ntypes == LAYOUT_TYPES)
			return layout_bad(p, "more than %d types", LAYOUT_TYPES);
		at = (int)l->ntypes++;
	}
	memcpy(t.name, p->w[1].p, p->w[1].n);
	l->type[at] = t;
	return true;
}

/* Changes the length of the fields `name` or `path` in all records so far. */
static void
set_length(struct layout *l, const char *name, uint32_t n)
{
	for (uint32_t i = 0; i < l->nrecords; i++)
		for (uint32_t k = 0; k < l->record[i].nfields; k++)
			if (l->record[i].field[k].array &&
			    !strcmp(l->record[i].field[k].name, name))
				l->record[i].field[k].count = n;
}

static bool
const_line(struct layout_parser *p)
{
	struct layout *l = p->l;
	int64_t v;
	bool name;

	if (!layout_expect(p, 3, 3, "const NAME VALUE"))
		return false;
	name = word_is(p->w[1], "TRACE_NAME_LENGTH");
	if (name || word_is(p->w[1], "TRACE_PATH_LENGTH")) {
		if (!layout_number(p, &p->w[2], 1, 65536, &v))
			return false;
		*(name ? &l->name_length : &l->path_length) = (uint32_t)v;
		set_length(l, name ? "name" : "path", (uint32_t)v);
	} else if (word_is(p->w[1], "NO_APP"))
		return layout_number(p, &p->w[2], INT64_MIN, INT64_MAX, &l->no_app);
	else if (word_is(p->w[1], "NO_CLIENT"))
		return layout_number(p, &p->w[2], INT64_MIN, INT64_MAX, &l->no_client);
	else if (word_is(p->w[1], "COMP_RW_RECORD")) {
		/* One byte that is not the first byte of any record type. */
		if (!layout_number(p, &p->w[2], KINDS_GENERIC, 255, &v))
			return false;
		l->comp = (int)v;
	} else
		return layout_bad(
		    p,
		    "%s: TRACE_NAME_LENGTH, TRACE_PATH_LENGTH, NO_APP, NO_CLIENT or "
		    "COMP_RW_RECORD is expected",
		    layout_show(&p->w[1]));
	return true;
}

static bool
tail_line(struct layout_parser *p)
{
	if (!once(p, &p->tail) || !layout_expect(p, 2, 2, "tail pad|idiom|nopad"))
		return false;
	if (word_is(p->w[1], "pad"))
		p->l->tail = TAIL_PAD;
	else if (word_is(p->w[1], "idiom"))
		p->l->tail = TAIL_IDIOM;
	else if (word_is(p->w[1], "nopad"))
		p->l->tail = TAIL_NOPAD;
	else
		return layout_bad(p, "tail %s: pad, idiom or nopad is expected",
				  layout_show(&p->w[1]));
	return true;
}

static bool
words_line(struct layout_parser *p)
{
	if (!once(p, &p->words) || !layout_expect(p, 2, 2, "words high|low"))
		return false;
	if (word_is(p->w[1], "high"))
		p->l->words = WORDS_HIGH;
	else if (word_is(p->w[1], "low"))
		p->l->words = WORDS_LOW;
	else
		return layout_bad(p, "words %s: high or low is expected",
				  layout_show(&p->w[1]));
	return true;
}

static bool
directive(struct layout_parser *p)
{
	static const struct {
		const char *name;
		bool (*run)(struct layout_parser *p);
	} known[] = {
	    {"align", align_line},	    {"type", type_line}, {"const", const_line},
	    {"record", layout_record_line}, {"tail", tail_line}, {"words", words_line},
	    {"struct", layout_struct_line},
	};

	if (!p->first) {
		p->first = true;
		return p->nw == 2 && word_is(p->w[0], "charisma-layout") &&
			       word_is(p->w[1], "1")
			   ? true
			   : layout_bad(p, "the first line must be: charisma-layout 1");
	}
	if (p->open)
		return word_is(p->w[0], "end") ? layout_end_line(p) : layout_field_line(p);
	if (word_is(p->w[0], "base"))
		return base_line(p);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!word_is(p->w[0], known[i].name))
			continue;
		if (!p->base)
			return layout_bad(p, "base ilp32 or base lp64 must come first");
		return known[i].run(p);
	}
	return layout_bad(p,
			  "%s: base, align, type, const, record, struct, tail or words is "
			  "expected",
			  layout_show(&p->w[0]));
}

/* Splits the line [s, end) into words. Returns false if there are too many. */
static bool
split(struct layout_parser *p, const char *s, const char *end)
{
	p->nw = 0;
	for (;;) {
		while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
			s++;
		if (s == end || *s == '#')
			return true;
		if (p->nw == WORDS)
			return layout_bad(p, "more than %d words", WORDS);
		p->w[p->nw].p = s;
		while (s < end && *s != ' ' && *s != '\t' && *s != '\r' && *s != '#')
			s++;
		p->w[p->nw].n = (size_t)(s - p->w[p->nw].p);
		p->nw++;
	}
}

bool
layout_parse(struct layout *l, const char *text, size_t n, char *why, size_t whysize)
{
	struct layout_parser p = {.l = l, .why = why, .whysize = whysize};
	const char *end = text + n, *nl, *wrong;

	l->ntypes = 0;
	for (; text < end; text = nl + 1) {
		nl = memchr(text, '\n', (size_t)(end - text));
		if (!nl)
			nl = end;
		p.line++;
		if (!split(&p, text, nl) || (p.nw && !directive(&p)))
			return false;
		if (nl == end)
			break;
	}
	if (!p.first)
		return layout_bad(&p, "the file is empty");
	if (p.open)
		return layout_bad(&p,
				  "the end of the record that begins at line %u is missing",
				  p.open_line);
	if (!p.base)
		return layout_bad(&p, "there is no base line");
	wrong = layout_compute(l);
	return wrong ? layout_bad(&p, "%s", wrong) : true;
}

void
layout_load(struct layout *l, const char *path)
{
	const char *base = strrchr(path, '/');
	char why[320];
	struct in in;
	size_t n;

	memset(l, 0, sizeof *l);
	if (!in_open(&in, path))
		die("%s:", path);
	in_need(&in, FILE_LONGEST + 1);
	if (in.err || in_left(&in) > FILE_LONGEST)
		die("%s: %s", path, in.err ? in_why(&in) : "the file is longer than 1 MiB");
	base = base ? base + 1 : path;
	n = strcspn(base, ".");
	snprintf(l->name, sizeof l->name, "%.*s", (int)(n < 32 ? n : 32), base);
	if (!*l->name)
		snprintf(l->name, sizeof l->name, "custom");
	if (!layout_parse(l, (const char *)in.p, in_left(&in), why, sizeof why))
		die("%s:%s", in.name, why);
	in_close(&in);
}
