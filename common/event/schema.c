/* schema.c - the rows that say what records hold: taken apart, and printed. */
#include <stdio.h>
#include <string.h>

#include "event/schema.h"

const struct schema_row *
schema_row(const struct schema *s, size_t i)
{
	return (const void *)((const char *)s->rows + i * s->width);
}

bool
word_is(struct word w, const char *s)
{
	return strlen(s) == w.n && !memcmp(w.p, s, w.n);
}

bool
schema_field(const char **at, struct schema_field *f)
{
	const char *p = *at, *bracket;

	if (!*p)
		return false;
	*f = (struct schema_field){.type = {p, strcspn(p, " ")}};
	bracket = memchr(p, '[', f->type.n);
	if (bracket) {
		f->count = (struct word){bracket + 1, strcspn(bracket + 1, "]")};
		f->type.n = (size_t)(bracket - p);
	}
	p += strcspn(p, " ") + 1;
	f->name = (struct word){p, strcspn(p, ":,")};
	p += f->name.n;
	p += *p == ':';
	f->notes = (struct word){p, strcspn(p, ",")};
	p += f->notes.n;
	*at = p + strspn(p, ", ");
	return true;
}

bool
schema_note(struct word *notes, struct word *note)
{
	const char *colon = notes->n ? memchr(notes->p, ':', notes->n) : NULL;

	*note = *notes;
	if (colon)
		note->n = (size_t)(colon - notes->p);
	notes->p += note->n + (colon != NULL);
	notes->n -= note->n + (colon != NULL);
	return note->n > 0;
}

unsigned
schema_kind(struct word type)
{
	static const struct {
		const char *name;
		enum kind kind;
	} kinds[] = {
	    {"u8", K_U8},   {"u16", K_U16}, {"u32", K_U32}, {"u64", K_U64},
	    {"i8", K_I8},   {"i16", K_I16}, {"i32", K_I32}, {"i64", K_I64},
	    {"x32", K_X32}, {"x64", K_X64}, {"ns", K_NS},   {"str", K_STR},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (word_is(type, kinds[i].name))
			return kinds[i].kind;
	return 0;
}

void
schema_name(const struct schema_row *row, bool leave, char to[SCHEMA_NAME])
{
	const char *name = row->name ? row->name : "", *slash = strchr(name, '/');
	int n = (int)(slash ? (size_t)(slash - name) : strlen(name));

	if (slash && leave) {
		while (n && name[n - 1] != '.')
			n--;
		snprintf(to, SCHEMA_NAME, "%.*s%s", n, name, slash + 1);
	} else {
		snprintf(to, SCHEMA_NAME, "%.*s%s", n, name,
			 slash || !row->leave ? ""
			 : leave	      ? ".leave"
					      : ".enter");
	}
}

void
schema_head(struct out *o)
{
	out_str(o, "format\tevent\tcode\tname\trole\tpair\tfields\tsize\tpeer\tabout\n");
}

/* A column of a line; `-` where there is nothing. */
static void
schema_put(struct out *o, struct word w, char end)
{
	if (w.n)
		out_bytes(o, w.p, w.n);
	else
		out_str(o, "-");
	out_bytes(o, &end, 1);
}

static void
put_str(struct out *o, const char *s)
{
	schema_put(o, (struct word){s, s ? strlen(s) : 0}, '\t');
}

/* The fields as NAME:TYPE:NOTE..., with blanks between; those of a row that is a type stand
 * in its place. Gives how many. */
static unsigned
put_fields(struct out *o, const struct schema *s, const char *fields, unsigned n)
{
	struct schema_field f;

	while (schema_field(&fields, &f)) {
		const char *inner = NULL;
		struct word type = f.type;

		for (size_t i = 0; i < s->n && !inner; i++) {
			const struct schema_row *row = schema_row(s, i);

			if (!row->about && row->name && word_is(type, row->name))
				inner = row->fields;
		}
		if (inner) {
			n = put_fields(o, s, inner, n);
			continue;
		}
		if (n++)
			out_str(o, " ");
		out_bytes(o, f.name.p, f.name.n);
		out_str(o, ":");
		type.n = strcspn(type.p, " ");
		out_bytes(o, type.p, type.n);
		if (f.notes.n)
			out_str(o, ":");
		out_bytes(o, f.notes.p, f.notes.n);
	}
	return n;
}

/* One event of a row: event and code are words of the row's lists. */
static void
put_event(struct out *o, const char *format, const struct schema *s,
	  const struct schema_row *row, bool leave, struct word event, struct word code)
{
	char name[SCHEMA_NAME];

	schema_name(row, leave, name);
	put_str(o, format);
	schema_put(o, event, '\t');
	schema_put(o, code, '\t');
	put_str(o, name);
	put_str(o, leave ? "leave" : row->leave ? "enter" : row->value ? "value" : NULL);
	put_str(o, leave ? row->event : row->leave);
	if (!put_fields(o, s, row->fields, 0))
		out_str(o, "-");
	out_str(o, "\t");
	put_str(o, row->size);
	put_str(o, row->peer);
	schema_put(o, (struct word){row->about, strlen(row->about)}, '\n');
}

void
schema_print(struct out *o, const char *format, const struct schema *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct schema_row *row = schema_row(s, i);
		struct word event, code;
		char number[24];

		if (!row->about)
			continue;
		snprintf(number, sizeof number, "%zu", i);
		for (const char *p = row->event; *p; p += event.n + (p[event.n] == '|')) {
			event = (struct word){p, strcspn(p, "|")};
			code = row->code     ? (struct word){row->code, strlen(row->code)}
			       : s->numbered ? (struct word){number, strlen(number)}
					     : event;
			put_event(o, format, s, row, false, event, code);
		}
		if (row->leave) {
			event = (struct word){row->leave, strlen(row->leave)};
			put_event(o, format, s, row, true, event, event);
		}
	}
}
