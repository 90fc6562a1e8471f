/*
 * charisma_layout_file.c - a layout's text form, as charisma-layout(5) has it.
 *
 * A line is words between blanks; # begins a comment. Lines apply in their order, base
 * first, so that a type stands before the record that uses it; offsets are computed when
 * all is read.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/in.h"
#include "charisma/charisma_layout.h"

#define WORDS 8
/* A layout of every record there is has some 10 KB. */
#define FILE_LONGEST (1u << 20)

struct parser {
	struct layout *l;
	unsigned line;
	struct word w[WORDS];
	unsigned nw;
	struct layout_record *open; /* the record or struct whose fields follow */
	unsigned open_line;
	bool first, base, tail, words, align; /* seen */
	char *why;
	size_t whysize;
};

static bool PRINTF(2, 3) bad(struct parser *p, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(p->why, p->whysize, "%u: %s", p->line, text);
	return false;
}

/* A word for messages: at most 40 bytes, printable. */
static const char *
show(const struct word *w)
{
	static char text[44];
	size_t n = w->n < 40 ? w->n : 40;

	for (size_t i = 0; i < n; i++)
		text[i] = w->p[i] >= ' ' && w->p[i] <= '~' ? w->p[i] : '?';
	memcpy(text + n, w->n > 40 ? "..." : "", w->n > 40 ? 4 : 1);
	return text;
}

static bool
is_name(const struct word *w)
{
	if (!w->n || w->n >= LAYOUT_NAME || (*w->p >= '0' && *w->p <= '9'))
		return false;
	for (size_t i = 0; i < w->n; i++) {
		char c = w->p[i];

		if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && !(c >= '0' && c <= '9') &&
		    c != '_' && c != '-' && c != '.')
			return false;
	}
	return true;
}

/* A whole number, decimal or 0x and hex, with a sign when least allows it. */
static bool
number(struct parser *p, const struct word *w, int64_t least, int64_t most, int64_t *v)
{
	char text[24], *end;
	const char *at;
	bool hex;

	if (w->n && w->n < sizeof text) {
		memcpy(text, w->p, w->n);
		text[w->n] = '\0';
		at = text + (*text == '-');
		hex = at[0] == '0' && (at[1] | 0x20) == 'x';
		errno = 0;
		*v = strtoll(text, &end, hex ? 16 : 10); /* a 0 in front is no octal */
		if (!*end && !errno && (*text == '-' || (*text >= '0' && *text <= '9')) &&
		    *v >= least && *v <= most)
			return true;
	}
	return bad(p, "%s: a number from %lld to %lld is expected", show(w),
		   (long long)least, (long long)most);
}

static bool
expect(struct parser *p, unsigned least, unsigned most, const char *form)
{
	return p->nw >= least && p->nw <= most ? true : bad(p, "expected: %s", form);
}

static bool
once(struct parser *p, bool *seen)
{
	if (*seen)
		return bad(p, "a second line of %s", show(&p->w[0]));
	return *seen = true;
}

static bool
base_line(struct parser *p)
{
	struct layout keep;
	bool lp64 = p->nw == 2 && word_is(p->w[1], "lp64");

	if (!expect(p, 2, 2, "base ilp32|lp64"))
		return false;
	if (!lp64 && !word_is(p->w[1], "ilp32"))
		return bad(p, "base %s: ilp32 or lp64 is expected", show(&p->w[1]));
	if (p->base)
		return bad(p, "a second line of base");
	if (p->l->ntypes)
		return bad(p, "base must come before all that builds on it");
	memcpy(keep.name, p->l->name, sizeof keep.name);
	layout_base(p->l, lp64);
	memcpy(p->l->name, keep.name, sizeof keep.name);
	return p->base = true;
}

static bool
align_line(struct parser *p)
{
	int64_t v;

	if (!once(p, &p->align) || !expect(p, 2, 3, "align natural|packed|max N"))
		return false;
	if (p->nw == 2 && word_is(p->w[1], "natural"))
		p->l->cap = 0;
	else if (p->nw == 2 && word_is(p->w[1], "packed"))
		p->l->cap = 1;
	else if (p->nw == 3 && word_is(p->w[1], "max")) {
		if (!number(p, &p->w[2], 1, 16, &v))
			return false;
		if (v & (v - 1))
			return bad(p, "align max %lld: a power of two is expected",
				   (long long)v);
		p->l->cap = (unsigned)v;
	} else
		return bad(p, "expected: align natural|packed|max N");
	return true;
}

/* u8, s4, f8: class and bytes. */
static bool
type_code(struct parser *p, const struct word *w, struct layout_type *t)
{
	char c = w->n == 2 ? w->p[0] : 0;
	int size = w->n == 2 ? w->p[1] - '0' : 0;

	t->class = c == 's' ? CLASS_SIGNED : c == 'f' ? CLASS_FLOAT : CLASS_UNSIGNED;
	if ((c != 'u' && c != 's' && c != 'f') ||
	    (size != 4 && size != 8 && (c == 'f' || (size != 1 && size != 2))))
		return bad(p, "%s: u1 u2 u4 u8 s1 s2 s4 s8 f4 or f8 is expected", show(w));
	t->size = t->align = (uint8_t)size;
	return true;
}

static bool
type_line(struct parser *p)
{
	struct layout *l = p->l;
	struct layout_type t = {.name = ""};
	int64_t align;
	int at;

	if (!expect(p, 3, 5, "type NAME u1..u8|s1..s8|f4|f8 [align N]") || p->nw == 4)
		return p->nw == 4 ? bad(p, "expected: type NAME CODE [align N]") : false;
	if (!is_name(&p->w[1]))
		return bad(p, "%s: not a name", show(&p->w[1]));
	if (!type_code(p, &p->w[2], &t))
		return false;
	if (p->nw == 5) {
		if (!word_is(p->w[3], "align"))
			return bad(p, "%s: align is expected", show(&p->w[3]));
		if (!number(p, &p->w[4], 1, 16, &align))
			return false;
		if (align & (align - 1))
			return bad(p, "align %lld: a power of two is expected",
				   (long long)align);
		t.align = (uint8_t)align;
	}
	at = layout_type(l, p->w[1].p, p->w[1].n);
	if (at == TYPE_CHAR || at == TYPE_REQUEST)
		return bad(p, "%s: this type is fixed", show(&p->w[1]));
	if (at == TYPE_U_SHORT && t.size != 2)
		return bad(p, "u_short: record types are numbers of 2 bytes");
	if (at >= 0 && (l->type[at].class == CLASS_FLOAT) != (t.class == CLASS_FLOAT))
		return bad(p, "%s: an integer cannot become a float, nor the reverse",
			   show(&p->w[1]));
	if (at < 0) {
		if (l->ntypes == LAYOUT_TYPES)
			return bad(p, "more than %d types", LAYOUT_TYPES);
		at = (int)l->ntypes++;
	}
	memcpy(t.name, p->w[1].p, p->w[1].n);
	l->type[at] = t;
	return true;
}

/* Names and paths that stand in records already follow. */
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
const_line(struct parser *p)
{
	struct layout *l = p->l;
	int64_t v;

	if (!expect(p, 3, 3, "const NAME VALUE"))
		return false;
	if (word_is(p->w[1], "TRACE_NAME_LENGTH")) {
		if (!number(p, &p->w[2], 1, 65536, &v))
			return false;
		set_length(l, "name", l->name_length = (uint32_t)v);
	} else if (word_is(p->w[1], "TRACE_PATH_LENGTH")) {
		if (!number(p, &p->w[2], 1, 65536, &v))
			return false;
		set_length(l, "path", l->path_length = (uint32_t)v);
	} else if (word_is(p->w[1], "NO_APP"))
		return number(p, &p->w[2], INT64_MIN, INT64_MAX, &l->no_app);
	else if (word_is(p->w[1], "NO_CLIENT"))
		return number(p, &p->w[2], INT64_MIN, INT64_MAX, &l->no_client);
	else if (word_is(p->w[1], "COMP_RW_RECORD")) {
		/* One byte, that a record type's first byte never is. */
		if (!number(p, &p->w[2], KINDS_GENERIC, 255, &v))
			return false;
		l->comp = (int)v;
	} else
		return bad(p,
			   "%s: TRACE_NAME_LENGTH, TRACE_PATH_LENGTH, NO_APP, NO_CLIENT or "
			   "COMP_RW_RECORD is expected",
			   show(&p->w[1]));
	return true;
}

static bool
tail_line(struct parser *p)
{
	if (!once(p, &p->tail) || !expect(p, 2, 2, "tail pad|idiom|nopad"))
		return false;
	if (word_is(p->w[1], "pad"))
		p->l->tail = TAIL_PAD;
	else if (word_is(p->w[1], "idiom"))
		p->l->tail = TAIL_IDIOM;
	else if (word_is(p->w[1], "nopad"))
		p->l->tail = TAIL_NOPAD;
	else
		return bad(p, "tail %s: pad, idiom or nopad is expected", show(&p->w[1]));
	return true;
}

static bool
words_line(struct parser *p)
{
	if (!once(p, &p->words) || !expect(p, 2, 2, "words high|low"))
		return false;
	if (word_is(p->w[1], "high"))
		p->l->words = WORDS_HIGH;
	else if (word_is(p->w[1], "low"))
		p->l->words = WORDS_LOW;
	else
		return bad(p, "words %s: high or low is expected", show(&p->w[1]));
	return true;
}

/* record NUMBER NAME [size BYTES] */
static bool
record_line(struct parser *p)
{
	struct layout *l = p->l;
	struct layout_record *r;
	int64_t num, size;
	unsigned kind;

	if (!expect(p, 3, 5, "record NUMBER NAME [size BYTES]") || p->nw == 4)
		return p->nw == 4 ? bad(p, "expected: record NUMBER NAME size BYTES")
				  : false;
	if (!number(p, &p->w[1], 0, 65535, &num))
		return false;
	if (!is_name(&p->w[2]))
		return bad(p, "%s: not a name", show(&p->w[2]));
	kind = layout_kind_named(p->w[2].p, p->w[2].n);
	if (num < KINDS_GENERIC && kind != (unsigned)num)
		return bad(p, "record %lld is %s", (long long)num,
			   layout_row((unsigned)num)->name);
	if (kind == KIND_HEADER && num)
		return bad(p, "the header record's number is 0");
	r = (struct layout_record *)(uintptr_t)layout_record(l, (unsigned)num);
	if (r && r->kind >= KINDS_GENERIC)
		return bad(p, "a second record of number %lld", (long long)num);
	if (!r && l->nrecords == LAYOUT_RECORDS)
		return bad(p, "more than %d records", LAYOUT_RECORDS);
	if (!r) {
		r = &l->record[l->nrecords++];
		memset(r, 0, sizeof *r);
	}
	r->number = (uint16_t)num;
	r->kind = (uint8_t)kind;
	r->nfields = 0;
	r->repeat = false;
	memset(r->name, 0, sizeof r->name);
	memcpy(r->name, p->w[2].p, p->w[2].n);
	if (!r->cname[0])
		memcpy(r->cname, r->name, sizeof r->cname);
	if (p->nw == 3) {
		p->open = r;
		p->open_line = p->line;
		return true;
	}
	if (!word_is(p->w[3], "size"))
		return bad(p, "%s: size is expected", show(&p->w[3]));
	if (kind == KIND_HEADER)
		return bad(p, "the header record cannot be opaque");
	if (!number(p, &p->w[4], 2, LAYOUT_LONGEST, &size))
		return false;
	r->kind = KIND_OPAQUE;
	r->size = r->fixed = (uint32_t)size;
	return true;
}

static bool
struct_line(struct parser *p)
{
	struct layout_record *r;

	if (!expect(p, 2, 2, "struct TraceIORequest"))
		return false;
	if (!word_is(p->w[1], "TraceIORequest"))
		return bad(p, "struct %s: only TraceIORequest can be described",
			   show(&p->w[1]));
	r = (struct layout_record *)(uintptr_t)layout_kind(p->l, KIND_REQUEST);
	r->nfields = 0;
	p->open = r;
	p->open_line = p->line;
	return true;
}

/* The number of a char array's elements: digits, or the name of a constant. */
static bool
array_length(struct parser *p, struct word w, uint32_t *n)
{
	int64_t v;

	if (word_is(w, "TRACE_NAME_LENGTH"))
		*n = p->l->name_length;
	else if (word_is(w, "TRACE_PATH_LENGTH"))
		*n = p->l->path_length;
	else if (number(p, &w, 1, 65536, &v))
		*n = (uint32_t)v;
	else
		return false;
	return true;
}

/* Fields that the reader computes with must be integers. */
static bool
must_be_integer(const char *name)
{
	static const char *const names[] = {
	    "timestamp", "starttime", "endtime",   "call_time",	     "end_time",
	    "client_id", "appl_id",   "file_desc", "operation_type", "async_id",
	    "file_id",	 "offset",    "IO_size",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* NAME[N]: the length, and the name without it. */
static bool
array_field(struct parser *p, struct word *name, struct layout_field *f, bool may)
{
	const char *bracket = memchr(name->p, '[', name->n);
	struct word len;

	if (!bracket)
		return true;
	len.p = bracket + 1;
	len.n = (size_t)(name->p + name->n - len.p);
	if (!len.n || len.p[len.n - 1] != ']')
		return bad(p, "%s: ] is missing", show(name));
	len.n--;
	if (!may)
		return bad(p, "%s: only char can be an array", show(name));
	if (!array_length(p, len, &f->count))
		return false;
	f->array = true;
	name->n = (size_t)(bracket - name->p);
	return true;
}

/* The last field of r, of type t, stands for as many as `counter` says. */
static bool
repeated_field(struct parser *p, struct layout_record *r, const struct word *counter,
	       const struct word *type, int t)
{
	uint32_t i = 0;

	while (i < r->nfields && !word_is(*counter, r->field[i].name))
		i++;
	if (i == r->nfields)
		return bad(p, "%s: no field of that name before", show(counter));
	if (p->l->type[r->field[i].type].class > CLASS_SIGNED || r->field[i].array)
		return bad(p, "%s: not an integer", show(counter));
	if (t == TYPE_CHAR || p->l->type[t].class == CLASS_FLOAT)
		return bad(p, "%s: cannot be repeated", show(type));
	r->repeat = true;
	r->counter = (uint8_t)i;
	return true;
}

/* TYPE NAME, TYPE NAME[N], repeat COUNTER TYPE NAME */
static bool
field_line(struct parser *p)
{
	struct layout_record *r = p->open;
	struct layout_field f = {.count = 1};
	bool repeat = word_is(p->w[0], "repeat");
	struct word type = p->w[repeat ? 2 : 0], name = p->w[repeat ? 3 : 1];
	int t;

	if (repeat ? !expect(p, 4, 4, "repeat COUNTER TYPE NAME")
		   : !expect(p, 2, 2, "TYPE NAME, or TYPE NAME[LENGTH]"))
		return false;
	if (r->repeat)
		return bad(p, "nothing can follow what is repeated");
	if (r->nfields == LAYOUT_FIELDS)
		return bad(p, "more than %d fields", LAYOUT_FIELDS);
	t = layout_type(p->l, type.p, type.n);
	if (t < 0)
		return bad(p, "%s: no such type", show(&type));
	f.type = (uint8_t)t;
	if (!array_field(p, &name, &f, !repeat && t == TYPE_CHAR))
		return false;
	if (!is_name(&name))
		return bad(p, "%s: not a name", show(&name));
	memcpy(f.name, name.p, name.n);
	if (layout_field(r, f.name))
		return bad(p, "a second field of name %s", f.name);
	if (must_be_integer(f.name) &&
	    (f.array || repeat || p->l->type[t].class > CLASS_SIGNED))
		return bad(p, "%s must be an integer", f.name);
	if (t == TYPE_REQUEST && r->kind != KIND_RW)
		return bad(p, "only a record of kind rw has requests");
	for (uint32_t i = 0; i < r->nfields; i++)
		if (r->field[i].type == TYPE_REQUEST && (repeat || t == TYPE_REQUEST))
			return bad(p, "a record has one TraceIORequest, alone or repeated");
	if (repeat && !repeated_field(p, r, &p->w[1], &type, t))
		return false;
	r->field[r->nfields++] = f;
	return true;
}

/* What the reader relies on. */
static bool
end_line(struct parser *p)
{
	static const char *const needed[KINDS_GENERIC][3] = {
	    [KIND_HEADER] = {"timestamp", "timestamp_unit"},
	    [KIND_APP_OPEN] = {"appl_id", "file_desc"},
	    [KIND_CLIENT_OPEN] = {"client_id", "file_desc"},
	    [KIND_APP_CLOSE] = {"appl_id", "file_desc"},
	    [KIND_CLIENT_CLOSE] = {"client_id", "file_desc"},
	    [KIND_RW] = {"starttime", "operation_type"},
	    [KIND_ASYNC_END] = {"end_time"},
	};
	struct layout_record *r = p->open;

	if (!expect(p, 1, 1, "end"))
		return false;
	p->open = NULL;
	if (r->kind == KIND_REQUEST)
		return r->nfields ? true : bad(p, "a struct without fields");
	if (!r->nfields || strcmp(r->field[0].name, "record_type") ||
	    r->field[0].type != TYPE_U_SHORT)
		return bad(p, "record %u does not begin with u_short record_type",
			   (unsigned)r->number);
	for (int i = 0; r->kind < KINDS_GENERIC && i < 3 && needed[r->kind][i]; i++)
		if (!layout_field(r, needed[r->kind][i]))
			return bad(p, "record %u (%s) has no field %s", (unsigned)r->number,
				   r->name, needed[r->kind][i]);
	if (r->kind == KIND_HEADER) {
		const struct layout_field *f = layout_field(r, "timestamp_unit");

		if (p->l->type[f->type].class != CLASS_FLOAT)
			return bad(p, "timestamp_unit must be a float or a double");
		if (r->repeat)
			return bad(p, "nothing is repeated in the header record");
	}
	return true;
}

static bool
directive(struct parser *p)
{
	static const struct {
		const char *name;
		bool (*run)(struct parser *p);
	} known[] = {
	    {"align", align_line},   {"type", type_line}, {"const", const_line},
	    {"record", record_line}, {"tail", tail_line}, {"words", words_line},
	    {"struct", struct_line},
	};

	if (!p->first) {
		p->first = true;
		return p->nw == 2 && word_is(p->w[0], "charisma-layout") &&
			       word_is(p->w[1], "1")
			   ? true
			   : bad(p, "the first line must be: charisma-layout 1");
	}
	if (p->open)
		return word_is(p->w[0], "end") ? end_line(p) : field_line(p);
	if (word_is(p->w[0], "base"))
		return base_line(p);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!word_is(p->w[0], known[i].name))
			continue;
		if (!p->base)
			return bad(p, "base ilp32 or base lp64 must come first");
		return known[i].run(p);
	}
	return bad(p,
		   "%s: base, align, type, const, record, struct, tail or words is "
		   "expected",
		   show(&p->w[0]));
}

/* Splits [s, end) into words. */
static bool
split(struct parser *p, const char *s, const char *end)
{
	p->nw = 0;
	for (;;) {
		while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
			s++;
		if (s == end || *s == '#')
			return true;
		if (p->nw == WORDS)
			return bad(p, "more than %d words", WORDS);
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
	struct parser p = {.l = l, .why = why, .whysize = whysize};
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
		return bad(&p, "the file is empty");
	if (p.open)
		return bad(&p, "the end of the record that begins at line %u is missing",
			   p.open_line);
	if (!p.base)
		return bad(&p, "there is no base line");
	wrong = layout_compute(l);
	return wrong ? bad(&p, "%s", wrong) : true;
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
		die("%s: %s", path, in.err ? strerror(in.err) : "longer than 1 MiB");
	base = base ? base + 1 : path;
	n = strcspn(base, ".");
	snprintf(l->name, sizeof l->name, "%.*s", (int)(n < 32 ? n : 32), base);
	if (!*l->name)
		snprintf(l->name, sizeof l->name, "custom");
	if (!layout_parse(l, (const char *)in.p, in_left(&in), why, sizeof why))
		die("%s:%s", in.name, why);
	in_close(&in);
}
