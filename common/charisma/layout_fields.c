/* layout_fields.c - the records of a layout's text form, and their fields: from a line of `record` or `struct` to
 * its `end`. Also functions for the words of any line. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charisma/layout_file.h"

bool
layout_bad(struct layout_parser *p, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(p->why, p->whysize, "%u: %s", p->line, text);
	return false;
}

const char *
layout_show(const struct word *w)
{
	static char text[44];
	size_t n = w->n < 40 ? w->n : 40;

	for (size_t i = 0; i < n; i++)
		text[i] = w->p[i] >= ' ' && w->p[i] <= '~' ? w->p[i] : '?';
	memcpy(text + n, w->n > 40 ? "..." : "", w->n > 40 ? 4 : 1);
	return text;
}

bool
layout_name(struct layout_parser *p, const struct word *w)
{
	bool good = w->n && w->n < LAYOUT_NAME && (*w->p < '0' || *w->p > '9');

	for (size_t i = 0; i < w->n; i++) {
		char c = w->p[i];

		good = good && (((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
				(c >= '0' && c <= '9') || memchr("_-.", c, 3));
	}
	return good ||
	       layout_bad(p, "%s: not a name: letters, digits, _ - .", layout_show(w));
}

bool
layout_number(struct layout_parser *p, const struct word *w, int64_t least, int64_t most,
	      int64_t *v)
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
		/* A leading 0 does not mean octal. */
		*v = strtoll(text, &end, hex ? 16 : 10);
		if (!*end && !errno && (*text == '-' || (*text >= '0' && *text <= '9')) &&
		    *v >= least && *v <= most)
			return true;
	}
	return layout_bad(p, "%s: a number from %lld to %lld is expected", layout_show(w),
			  (long long)least, (long long)most);
}

bool
layout_expect(struct layout_parser *p, unsigned least, unsigned most, const char *form)
{
	return p->nw >= least && p->nw <= most ? true : layout_bad(p, "expected: %s", form);
}

bool
layout_record_line(struct layout_parser *p)
{
	struct layout *l = p->l;
	struct layout_record *r;
	int64_t num, size;
	unsigned kind;

	if (!layout_expect(p, 3, 5, "record NUMBER NAME [size BYTES]"))
		return false;
	if (p->nw == 4)
		return layout_bad(p, "expected: record NUMBER NAME size BYTES");
	if (!layout_number(p, &p->w[1], 0, 65535, &num))
		return false;
	if (!layout_name(p, &p->w[2]))
		return false;
	kind = layout_kind_named(p->w[2].p, p->w[2].n);
	if (num < KINDS_GENERIC && kind != (unsigned)num)
		return layout_bad(p, "record %lld is %s", (long long)num,
				  layout_row((unsigned)num)->name);
	if (kind == KIND_HEADER && num)
		return layout_bad(p, "the header record's number is 0");
	r = (struct layout_record *)(uintptr_t)layout_record(l, (unsigned)num);
	if (r && r->kind >= KINDS_GENERIC)
		return layout_bad(p, "record %lld is there twice", (long long)num);
	if (!r && l->nrecords == LAYOUT_RECORDS)
		return layout_bad(p, "the layout has more than %d records", LAYOUT_RECORDS);
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
		return layout_bad(p, "%s: size is expected", layout_show(&p->w[3]));
	if (kind == KIND_HEADER)
		return layout_bad(p, "the header record cannot be opaque");
	if (!layout_number(p, &p->w[4], 2, LAYOUT_LONGEST, &size))
		return false;
	r->kind = KIND_OPAQUE;
	r->size = r->fixed = (uint32_t)size;
	return true;
}

bool
layout_struct_line(struct layout_parser *p)
{
	struct layout_record *r;

	if (!layout_expect(p, 2, 2, "struct TraceIORequest"))
		return false;
	if (!word_is(p->w[1], "TraceIORequest"))
		return layout_bad(p, "struct %s: only TraceIORequest can be described",
				  layout_show(&p->w[1]));
	r = (struct layout_record *)(uintptr_t)layout_kind(p->l, KIND_REQUEST);
	r->nfields = 0;
	p->open = r;
	p->open_line = p->line;
	return true;
}

/* Reads the length of a char array into *n: a number, or the name of a constant. Returns false after an error. */
static bool
array_length(struct layout_parser *p, struct word w, uint32_t *n)
{
	int64_t v;

	if (word_is(w, "TRACE_NAME_LENGTH"))
		*n = p->l->name_length;
	else if (word_is(w, "TRACE_PATH_LENGTH"))
		*n = p->l->path_length;
	else if (layout_number(p, &w, 1, 65536, &v))
		*n = (uint32_t)v;
	else
		return false;
	return true;
}

/* Returns true if the reader needs the field as an integer. */
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

/* Reads the length of NAME[N] into *f, and removes [N] from *name. Does nothing for a name without brackets.
 * Returns false after an error. */
static bool
array_field(struct layout_parser *p, struct word *name, struct layout_field *f, bool may)
{
	const char *bracket = memchr(name->p, '[', name->n);
	struct word len;

	if (!bracket)
		return true;
	len.p = bracket + 1;
	len.n = (size_t)(name->p + name->n - len.p);
	if (!len.n || len.p[len.n - 1] != ']')
		return layout_bad(p, "%s: ] is missing", layout_show(name));
	len.n--;
	if (!may)
		return layout_bad(p, "%s: only char can be an array", layout_show(name));
	if (!array_length(p, len, &f->count))
		return false;
	f->array = true;
	name->n = (size_t)(bracket - name->p);
	return true;
}

/* Marks the field that follows in r, whose type is t, as repeated: `counter` is the field that counts it. Returns
 * false after an error. */
static bool
repeated_field(struct layout_parser *p, struct layout_record *r, const struct word *counter,
	       const struct word *type, int t)
{
	uint32_t i = 0;

	while (i < r->nfields && !word_is(*counter, r->field[i].name))
		i++;
	if (i == r->nfields)
		return layout_bad(p, "%s: no field of that name before",
				  layout_show(counter));
	if (p->l->type[r->field[i].type].class > CLASS_SIGNED || r->field[i].array)
		return layout_bad(p, "%s: not an integer", layout_show(counter));
	if (t == TYPE_CHAR || p->l->type[t].class == CLASS_FLOAT)
		return layout_bad(p, "%s: cannot be repeated", layout_show(type));
	r->repeat = true;
	r->counter = (uint8_t)i;
	return true;
}

bool
layout_field_line(struct layout_parser *p)
{
	struct layout_record *r = p->open;
	struct layout_field f = {.count = 1};
	bool repeat = word_is(p->w[0], "repeat");
	struct word type = p->w[repeat ? 2 : 0], name = p->w[repeat ? 3 : 1];
	int t;

	if (repeat ? !layout_expect(p, 4, 4, "repeat COUNTER TYPE NAME")
		   : !layout_expect(p, 2, 2, "TYPE NAME, or TYPE NAME[LENGTH]"))
		return false;
	if (r->repeat)
		return layout_bad(p, "no field can follow a repeated field");
	if (r->nfields == LAYOUT_FIELDS)
		return layout_bad(p, "the record has more than %d fields", LAYOUT_FIELDS);
	t = layout_type(p->l, type.p, type.n);
	if (t < 0)
		return layout_bad(p, "%s: no such type", layout_show(&type));
	f.type = (uint8_t)t;
	if (!array_field(p, &name, &f, !repeat && t == TYPE_CHAR))
		return false;
	if (!layout_name(p, &name))
		return false;
	memcpy(f.name, name.p, name.n);
	if (layout_field(r, f.name))
		return layout_bad(p, "the field %s is there twice", f.name);
	if (must_be_integer(f.name) &&
	    (f.array || repeat || p->l->type[t].class > CLASS_SIGNED))
		return layout_bad(p, "%s must be an integer", f.name);
	if (t == TYPE_REQUEST && r->kind != KIND_RW)
		return layout_bad(p, "only a record of kind rw has requests");
	for (uint32_t i = 0; i < r->nfields; i++)
		if (r->field[i].type == TYPE_REQUEST && (repeat || t == TYPE_REQUEST))
			return layout_bad(
			    p, "a record has one TraceIORequest, alone or repeated");
	if (repeat && !repeated_field(p, r, &p->w[1], &type, t))
		return false;
	r->field[r->nfields++] = f;
	return true;
}

bool
layout_end_line(struct layout_parser *p)
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

	if (!layout_expect(p, 1, 1, "end"))
		return false;
	p->open = NULL;
	if (r->kind == KIND_REQUEST)
		return r->nfields ? true : layout_bad(p, "the struct has no fields");
	if (!r->nfields || strcmp(r->field[0].name, "record_type") ||
	    r->field[0].type != TYPE_U_SHORT)
		return layout_bad(p, "record %u does not begin with u_short record_type",
				  (unsigned)r->number);
	for (int i = 0; r->kind < KINDS_GENERIC && i < 3 && needed[r->kind][i]; i++)
		if (!layout_field(r, needed[r->kind][i]))
			return layout_bad(p, "record %u (%s) has no field %s",
					  (unsigned)r->number, r->name, needed[r->kind][i]);
	if (r->kind == KIND_HEADER) {
		const struct layout_field *f = layout_field(r, "timestamp_unit");

		if (p->l->type[f->type].class != CLASS_FLOAT)
			return layout_bad(p, "timestamp_unit must be a float or a double");
		if (r->repeat)
			return layout_bad(p, "the header record cannot repeat a field");
	}
	return true;
}
