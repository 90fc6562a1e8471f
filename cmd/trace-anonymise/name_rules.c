/* name_rules.c - see name_rules.h */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt.h"
#include "event/event.h"
#include "trace-anonymise/name_rules.h"

/* Returns true if the word w[0..n) is in a list, whose words are divided by bytes of `between`. May be NULL. */
static bool
in_list(const char *list, const char *between, const char *w, size_t n)
{
	for (; list && *list; list += strspn(list, between)) {
		size_t len = strcspn(list, between);

		if (len == n && !memcmp(list, w, n))
			return true;
		list += len;
	}
	return false;
}

static bool
has_word(const char *list, const char *w)
{
	return in_list(list, " ", w, strlen(w));
}

bool
choice_asked(const struct name_choice *c, const char *name)
{
	size_t n = strlen(name);

	return in_list(c->also, ",", name, n) && !in_list(c->never, ",", name, n);
}

void
choice_begin(struct name_choice *c, const struct source *s)
{
	const struct format *f = format_named(common.read.known, s->head.format);

	c->schema = f ? f->schema : NULL;
	for (c->row = c->rules; c->row->format; c->row++)
		if (!strcmp(c->row->format, s->head.format))
			break;
}

/* Returns true if the schema's field is of strings: str, str32, char[80]. */
static bool
is_string(const struct schema_field *f)
{
	return (f->type.n >= 3 && !memcmp(f->type.p, "str", 3)) || word_is(f->type, "char");
}

/* Returns true if the event is one of a row's: its name, or one of several with | between. */
static bool
is_event(const struct schema_row *row, const struct type *ty)
{
	size_t n = ty->event_len;

	return in_list(row->event, "|", ty->event, n) ||
	       (row->leave && in_list(row->leave, "|", ty->event, n));
}

/* Finds a field by its name in the rows of an event, or, with `any`, in all rows. Returns how its text has names, and -1
 * if there is no such field. */
static int
schema_mode(const struct schema *s, const struct type *ty, const char *name, bool any)
{
	int mode = -1;

	for (size_t i = 0; i < s->n; i++) {
		const char *at = schema_row(s, i)->fields;
		struct schema_field f;

		if (!any && !is_event(schema_row(s, i), ty))
			continue;
		while (at && schema_field(&at, &f))
			if (word_is(f.name, name)) {
				if (!is_string(&f))
					mode = mode < 0 ? MODE_KEEP : mode;
				else if (f.type.p[f.type.n - 1] == '*' ||
					 (f.count.p && f.type.p[0] == 's'))
					return MODE_LIST;
				else
					return MODE_NAME;
			}
	}
	return mode;
}

/* Arguments of system calls, and their results: names stand in quotes, flags and numbers do not. */
#define QUOTED "args ret"
/* Texts that say how something is done in many formats of lines. */
#define COMMON_KEEP "error flags op type mode status state success method rw"

enum name_mode
choice_of_arg(const struct name_choice *c, const struct type *ty, const struct arg *a)
{
	bool text =
	    a->kind == K_SYM || a->kind == K_STR || a->kind == K_TEXT || a->kind == K_CONST;
	int mode;

	if (in_list(c->never, ",", a->name, strlen(a->name)))
		return MODE_KEEP;
	if (choice_asked(c, a->name) || has_word(c->row->numbers, a->name))
		return text ? MODE_NAME : kind_is_int(a->kind) ? MODE_NUMBER : MODE_KEEP;
	if (has_word(c->row->keep, a->name))
		return MODE_KEEP;
	mode = c->schema ? schema_mode(c->schema, ty, a->name, false) : -1;
	if (c->schema && mode < 0)
		mode = schema_mode(c->schema, ty, a->name, true);
	if (mode == MODE_KEEP || (mode < 0 && !text))
		return MODE_KEEP;
	if (mode > 0)
		return text		      ? (enum name_mode)mode
		       : kind_is_int(a->kind) ? MODE_NUMBER
					      : MODE_KEEP;
	if (!c->schema && has_word(QUOTED, a->name))
		return MODE_QUOTED;
	return !c->schema && has_word(COMMON_KEEP, a->name) ? MODE_KEEP : MODE_WORD;
}

bool
choice_of_loc(const struct name_choice *c, const struct head *h, unsigned i)
{
	const char *part = i < h->nlocparts ? h->locpart[i] : "loc";

	if (in_list(c->never, ",", part, strlen(part)) ||
	    in_list(c->never, ",", "loc", strlen("loc")))
		return false;
	return !c->schema || has_word(c->row->loc, part) || !strcmp(part, "trace") ||
	       choice_asked(c, part) || choice_asked(c, "loc");
}

/* Returns the last part of a key of metadata that does not begin with a digit. */
static const char *
last_part(const char *key, size_t *n)
{
	const char *end = key + strlen(key), *p;

	for (;;) {
		for (p = end; p > key && p[-1] != '.';)
			p--;
		*n = (size_t)(end - p);
		if (p == key || !isdigit((unsigned char)*p))
			return p;
		end = p - 1;
	}
}

enum name_mode
choice_of_meta(const struct name_choice *c, const char *key, const char *value)
{
	/* Facts that readers of our formats need, and notes of writers of streams. */
	static const char keep[] =
	    "layout order tail part times clock unit counter case newline";
	size_t n;
	const char *part = last_part(key, &n);

	if (in_list(c->never, ",", part, n) || in_list(keep, " ", part, n) ||
	    in_list(c->row->keep, " ", part, n))
		return MODE_KEEP;
	if (in_list(c->row->numbers, " ", part, n))
		return MODE_NUMBER;
	if (in_list(c->also, ",", part, n))
		return MODE_NAME;
	return !*value || text_is_number(value, strlen(value)) ? MODE_KEEP : MODE_NAME;
}

bool
choice_is_word(const struct name_choice *c, const char *s, size_t n)
{
	return !n || in_list(c->row->words, " ", s, n);
}

size_t
choice_key(const struct name_choice *c, const char *key)
{
	for (const char *p = key, *dot; (dot = strchr(p, '.')); p = dot + 1)
		if (in_list(c->row->keys, " ", p, (size_t)(dot - p)))
			return (size_t)(dot + 1 - key);
	return strlen(key);
}

const char *
choice_class(const struct name_choice *c, const char *name)
{
	static const char *const known[][2] = {
	    {"hostname", "host"},    {"node", "host"},	     {"loom", "host"},
	    {"username", "user"},    {"user_id", "user"},    {"uid", "user"},
	    {"filename", "file"},    {"fileprefix", "file"}, {"command", "program"},
	    {"commands", "program"}, {"comm", "program"},    {"args", "name"},
	    {"ret", "name"},
	};
	static char class[64];
	const char *list = c->row->classes;
	size_t n;

	name = last_part(name, &n);
	for (; list && *list; list += strspn(list, " ")) {
		size_t len = strcspn(list, " ");
		const char *is = memchr(list, '=', len);

		if ((size_t)(is - list) == n && !memcmp(list, name, n)) {
			n = len - (size_t)(is + 1 - list);
			name = is + 1;
			break;
		}
		list += len;
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i][0]) == n && !memcmp(known[i][0], name, n)) {
			name = known[i][1];
			n = strlen(name);
			break;
		}
	while (n > 1 && isdigit((unsigned char)name[n - 1]))
		n--;
	if (n > sizeof class - 1)
		n = sizeof class - 1;
	for (size_t i = 0; i < n; i++)
		class[i] = name[i];
	class[n] = '\0';
	/* The name goes into streams as it is. */
	for (char *p = class; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-')
			*p = '_';
	return class;
}

/* Returns true if the text without commas s[0..n) is a number, as text_is_number. */
static bool
is_number(const char *s, size_t n)
{
	size_t dots = 0;
	char copy[64], *end;

	if (!n || n >= sizeof copy)
		return false;
	memcpy(copy, s, n);
	copy[n] = '\0';
	if (strspn(copy, "0123456789.+-:") == n && strpbrk(copy, "0123456789")) {
		for (size_t i = 0; i < n; i++)
			dots += copy[i] == '.';
		return dots < 3;
	}
	/* strtod knows inf and nan, which are words here. */
	if (!isdigit((unsigned char)copy[*copy == '-']))
		return false;
	strtod(copy, &end);
	return !*end;
}

bool
text_is_number(const char *s, size_t n)
{
	const char *comma;

	for (; (comma = memchr(s, ',', n)); n -= (size_t)(comma + 1 - s), s = comma + 1)
		if (!is_number(s, (size_t)(comma - s)))
			return false;
	return is_number(s, n);
}
