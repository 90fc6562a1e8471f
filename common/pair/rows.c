/* rows.c - states by the rows of a schema. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "pair/rows.h"

static void
add(struct row_roles *r, const char *event, struct row_role role)
{
	uint32_t known = r->names.n, id = strtab_id(&r->names, event, strlen(event));

	r->v = grow(r->v, &r->cap, id + 1, sizeof *r->v);
	if (id == known)
		r->v[id] = role;
}

/* Values whose names are the same up to the last point are of one kind; the number of that. */
static uint16_t
kind_of(const struct schema *s, size_t row)
{
	const char *name = schema_row(s, row)->name,
		   *dot = name ? strrchr(name, '.') : NULL;
	size_t n = dot ? (size_t)(dot - name) + 1 : 0;

	for (size_t i = 0; n && i < s->n; i++) {
		const struct schema_row *k = schema_row(s, i);

		if (k->value && k->name && !strncmp(k->name, name, n) &&
		    !strchr(k->name + n, '.'))
			return (uint16_t)(i + 1);
	}
	return 0;
}

void
row_roles_set(struct row_roles *r, const struct schema *s)
{
	row_roles_free(r);
	for (size_t i = 0; s && i < s->n; i++) {
		const struct schema_row *row = schema_row(s, i);
		struct row_role role = {.state = (uint16_t)(i + 1)};
		const char *dot;

		if (strstr(row->fields, ":key"))
			role.fields = row->fields;
		if (row->leave) {
			role.begins = true;
			add(r, row->event, role);
			role.begins = false;
			role.ends = true;
			add(r, row->leave, role);
			continue;
		}
		dot = row->name ? strrchr(row->name, '.') : NULL;
		role.state = kind_of(s, i);
		role.ends = role.point = true;
		role.begins = row->value;
		if (role.state && (row->value || (dot && !strcmp(dot, ".end"))))
			add(r, row->event, role);
	}
}

struct row_role
row_roles_of(const struct row_roles *r, const char *event, size_t n)
{
	uint32_t id;

	return strtab_find(&r->names, event, n, &id) ? r->v[id] : (struct row_role){0};
}

void
row_roles_free(struct row_roles *r)
{
	strtab_free(&r->names);
	free(r->v);
	r->v = NULL;
	r->cap = 0;
}
