/* schema.c - parses the rows that describe records. */
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
