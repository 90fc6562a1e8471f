/* view.c - looks up the requested names in the types of events, and reports names that no event has. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "base/num.h"
#include "view/traits.h"
#include "view/view.h"

size_t
view_add(struct view *v, const char *name, size_t n, bool either)
{
	struct view_name add = {.name = xcalloc(2, n + 1), .bytes = n + 1};

	memcpy(add.name, name, n);
	if (either && memchr(name, '|', n)) {
		add.bytes *= 2;
		for (size_t i = 0; i < n; i++)
			add.name[n + 1 + i] = name[i] == '|' ? '\0' : name[i];
	}
	*PUSH(v->name, v->n, v->cap) = add;
	return v->n - 1;
}

void
view_free(struct view *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->name[i].name);
	free(v->name);
	free(v->field);
	strtab_free(&v->known);
}

unsigned
view_need(const struct view *v)
{
	unsigned need = 0;

	for (size_t i = 0; i < v->n; i++)
		need |= field_need(v->name[i].name);
	return need;
}

/* An entry in the list of names that marks a text stream: its loc has a first part. */
#define BARE "loc1"
/* Limits of the names kept for a hint, because an input may have a new one in every line. */
#define NAMES_MOST 4096
#define NAME_BYTES_MOST (1u << 18)

/* Adds the names of a type's fields and of loc's parts to `names`, up to the limits. text: as for view_bind. */
static void
note_names(struct strtab *names, const struct head *h, const struct type *ty, bool text)
{
	for (uint32_t i = 0;
	     i < ty->nargs && names->n < NAMES_MOST && names->bytes < NAME_BYTES_MOST; i++)
		strtab_id(names, ty->args[i].name, strlen(ty->args[i].name));
	for (unsigned i = 0; i < h->nlocparts; i++)
		strtab_id(names, h->locpart[i], strlen(h->locpart[i]));
	if (text && (h->given || !strcmp(h->format, "-")))
		strtab_id(names, BARE, strlen(BARE));
}

static inline bool
is_hex(const struct field *f)
{
	return f->number == K_X32 || f->number == K_X64;
}

/* Returns true if one loop can load both fields. */
static bool
alike(const struct field *a, const struct field *b)
{
	return a->load == b->load && a->bit == b->bit && a->off == b->off &&
	       a->shift == b->shift && a->sign == b->sign &&
	       (a->number == K_NS) == (b->number == K_NS);
}

/* Returns the field of a type: one of its records, or the class that its format defines. */
static struct field
name_to_field(const char *name, const struct head *h, const struct type *ty)
{
	const struct traits *t = traits_of(h->format);
	struct field f = field_find(name, h, ty);

	return f.kind || !t->class || strcmp(name, "class") != 0
		   ? f
		   : field_of_arg(t->class(ty->event));
}

bool
view_bind(struct view *v, const struct tables *t, const struct head *h,
	  unsigned head_serial, bool text)
{
	bool anew = v->epoch != t->epoch || v->head_serial != head_serial;

	if (anew) {
		v->epoch = t->epoch;
		v->head_serial = head_serial;
		v->ntypes = 0;
	}
	GROW(v->field, v->field_cap, t->ntypes * v->n);
	for (; v->ntypes < t->ntypes; v->ntypes++) {
		const struct type *ty = &t->type[v->ntypes];

		note_names(&v->known, h, ty, text);
		for (size_t i = 0; i < v->n; i++) {
			struct view_name *name = &v->name[i];
			struct field f = {.kind = FIELD_NONE};

			/* If the name has alternatives, separated by |, the first that the
			 * type has counts. */
			for (size_t at = 0; at < name->bytes && !f.kind;
			     at += strlen(name->name + at) + 1)
				f = name_to_field(name->name + at, h, ty);
			v->field[v->ntypes * v->n + i] = f;
			name->seen |=
			    (uint8_t)((f.kind ? SEEN_FIELD : 0) |
				      (strcmp(ty->event, name->name) ? 0 : SEEN_EVENT));
			if (!v->ntypes)
				name->same = f;
			else if (!alike(&name->same, &f))
				name->same.load = LOAD_MIXED;
			else if (is_hex(&name->same) != is_hex(&f))
				name->same.number = 0;
		}
	}
	return anew;
}

void
view_merge(struct view *v, const struct view *from)
{
	for (size_t i = 0; i < v->n; i++)
		v->name[i].seen |= from->name[i].seen;
	for (uint32_t i = 0; i < from->known.n; i++)
		strtab_id(&v->known, from->known.v[i].s, from->known.v[i].len);
}

unsigned
name_distance(const char *a, const char *b)
{
	unsigned row[32], n = (unsigned)strnlen(b, 32);

	if (n > 31)
		return UINT32_MAX;
	for (unsigned i = 0; i <= n; i++)
		row[i] = i;
	for (; *a; a++) {
		unsigned diagonal = row[0]++;

		for (unsigned i = 1; i <= n; i++) {
			bool other =
			    tolower((unsigned char)*a) != tolower((unsigned char)b[i - 1]);
			unsigned up = row[i], best = diagonal + other;

			best = up + 1 < best ? up + 1 : best;
			best = row[i - 1] + 1 < best ? row[i - 1] + 1 : best;
			diagonal = up;
			row[i] = best;
		}
	}
	return row[n];
}

/* Number of names that a message lists. */
#define LISTED 20

/* Appends `before`, if b is not empty, and the name, escaped, because names of a binary stream may hold any bytes.
 * A name with a sign, as a-b, gets double quotes, which keep it one name in an expression. */
static void
add_name(struct buf *b, const char *before, const char *name)
{
	size_t n = strlen(name), quote = 0;

	for (size_t i = 0; i < n; i++)
		quote |= ispunct((unsigned char)name[i]) && !strchr("_.", name[i]);
	buf_add(b, before, b->n ? strlen(before) : 0);
	buf_add(b, "\"", quote);
	buf_to(b, put_name(buf_room(b, 4 * n), name, n));
	buf_add(b, "\"", quote);
}

static int
by_name(const void *a, const void *b)
{
	const struct str *const *x = a, *const *y = b;

	return strcmp((*x)->s, (*y)->s);
}

/* Appends the columns and the names that were met, NUL-terminated. The names are sorted, because threads meet them
 * in any order. */
static void
list_names(struct buf *b, const struct strtab *names)
{
	const struct str **sorted = xcalloc(names->n + 1, sizeof(void *));
	uint32_t more = 0;
	char rest[40] = "";

	for (size_t i = 0; i < FIELD_COLUMNS; i++)
		add_name(b, ", ", field_column_name(i));
	for (uint32_t i = 0; i < names->n; i++)
		sorted[i] = &names->v[i];
	qsort(sorted, names->n, sizeof *sorted, by_name);
	for (uint32_t i = 0, n = 0; i < names->n; i++) {
		if (field_column(sorted[i]->s, sorted[i]->len) ||
		    !strcmp(sorted[i]->s, BARE))
			continue;
		if (n++ < LISTED)
			add_name(b, ", ", sorted[i]->s);
		else
			more++;
	}
	free(sorted);
	if (more)
		snprintf(rest, sizeof rest, " and %u more", (unsigned)more);
	buf_add(b, rest, strlen(rest) + 1);
}

/* Returns the name or column that is nearest to `name`: they differ only in case, or in at most one letter in
 * three. NULL if there is none. */
static const char *
nearest_name(const struct strtab *names, const char *name)
{
	unsigned least = (unsigned)(strnlen(name, 32) / 3) + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < FIELD_COLUMNS + names->n; i++) {
		const char *to = i < FIELD_COLUMNS ? field_column_name(i)
						   : names->v[i - FIELD_COLUMNS].s;
		unsigned d = name_distance(name, to);

		/* At equal distance a column wins, then the first name by its bytes, because threads meet the
		 * names in any order. */
		if (d < least ||
		    (d == least && i >= FIELD_COLUMNS && nearest &&
		     !field_column(nearest, strlen(nearest)) && strcmp(to, nearest) < 0)) {
			least = d;
			nearest = to;
		}
	}
	return nearest;
}

/* Returns true if the n bytes are the name of a field, or a number. */
static bool
is_operand(const struct strtab *names, const char *s, size_t n)
{
	struct num num;
	uint32_t id;

	return n && (field_column(s, n) || strtab_find(names, s, n, &id) ||
		     num_parse(s, n, NUM_TYPED, &num, NULL));
}

/* Returns the operator if the name is arithmetic without blanks, as size*2; else 0. */
static char
operator_in(const struct strtab *names, const char *name)
{
	size_t n = strcspn(name, "+-*/%");
	const char *right = name[n] ? name + n + 1 : name + n;

	right += name[n] == '/' && *right == '/';
	return is_operand(names, name, n) && is_operand(names, right, strlen(right))
		   ? name[n]
		   : 0;
}

static bool
is_event(const struct view *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->name[i].seen & SEEN_EVENT && !strcmp(v->name[i].name, name))
			return true;
	return false;
}

void
view_missing(const struct view *v, const char *name)
{
	const struct strtab *names = &v->known;
	const char *nearest = nearest_name(names, name), *bare = "";
	char op = operator_in(names, name), hint[120] = "";
	struct buf list = {0}, near = {0};
	uint32_t id;

	if (!strcmp(name, "gap"))
		snprintf(hint, sizeof hint,
			 ": gap is made by trace-stats -a alone, as in max(gap)");
	else if (op)
		snprintf(hint, sizeof hint,
			 ": without blanks around it, \"%c\" is part of a name; blanks "
			 "around %c make it arithmetic",
			 op, op);
	else if (*name == '-' && is_operand(names, name + 1, strlen(name + 1)))
		snprintf(hint, sizeof hint,
			 ": only numbers have a minus sign, write 0 - NAME");
	else if (is_event(v, name))
		snprintf(hint, sizeof hint,
			 ": it is an event; where a value is computed, a text needs "
			 "double quotes");
	else if (nearest) {
		buf_add(&near, " ", 1);
		add_name(&near, "(the nearest name is ", nearest);
		buf_add(&near, ")", 1);
	}
	/* Only if no better reason is known. */
	if (!*hint && !nearest && strtab_find(names, BARE, strlen(BARE), &id))
		bare = "; a text stream keeps fewer names than its trace had: write it "
		       "with -b";
	buf_add(&near, "", 1);
	list_names(&list, names);
	warn("no event had a field %s%s%s; there were %s%s", name, hint,
	     (const char *)near.p, (const char *)list.p, bare);
	buf_free(&near);
	buf_free(&list);
}
