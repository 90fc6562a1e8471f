/* listing.c - prints the tables of events and functions. */
#include <stdio.h>
#include <string.h>

#include "trace-filter/listing.h"
#include "event/schema.h"
#include "expr/func.h"
#include "output/sink.h"

/* Writes a column of a line, - if it is empty. */
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

/* Writes the fields as NAME:TYPE:NOTE..., with blanks between; a field whose type is another row is replaced by
 * the fields of that row. n is the number of fields before. Returns the number of fields after. */
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

/* Writes a line for one event of a row; event and code are words of the row's lists. */
static void
list_type(struct out *o, const char *format, const struct schema *s,
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

/* Prints a line for each event of a format, as trace-filter(1) describes for --events. */
static void
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
			list_type(o, format, s, row, false, event, code);
		}
		if (row->leave) {
			event = (struct word){row->leave, strlen(row->leave)};
			list_type(o, format, s, row, true, event, event);
		}
	}
}

int
listing_print(bool events)
{
	struct sink sink;

	sink_open(&sink, &common.write);
	if (events)
		out_str(
		    &sink.out,
		    "format\tevent\tcode\tname\trole\tpair\tfields\tsize\tpeer\tabout\n");
	else
		func_print(&sink.out);
	for (size_t i = 0; events && common.read.known[i]; i++) {
		const struct format *f = common.read.known[i];

		if (f->schema && (!common.read.only || common.read.only == f))
			schema_print(&sink.out, f->name, f->schema);
	}
	return sink_close(&sink, ST_OK);
}
