/* rules.c - decides which events begin and end something: see rules.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "event/schema.h"
#include "event/value.h"
#include "input/fault.h"
#include "pair/pairing.h"

void
pair_rules_start(struct pair_rules *r, const struct pair_options *o)
{
	r->opt = o;
	r->n = o->begin.n;
	r->by_schema = !o->begin.n;
	for (unsigned i = 0; i < r->n; i++) {
		r->rule[i].on[PAIR_BEGINS] = expr_parse(o->begin.v[i]);
		r->rule[i].on[PAIR_ENDS] = expr_parse(o->end.v[i]);
		r->rule[i].keys = &r->keys[0];
		r->name[i] = o->name.n == 1 ? o->name.v[0] : o->name.v[i];
	}
	if (!r->by_schema)
		keys_parse(&r->keys[0], o->keys ? o->keys : "loc");
}

unsigned
pair_rules_need(const struct pair_rules *r)
{
	unsigned need = NEED_TIME | NEED_DUR;

	if (r->by_schema)
		return NEED_ALL;
	need |= keys_need(&r->keys[0]);
	for (unsigned i = 0; i < r->n; i++)
		need |= expr_need(r->rule[i].on[PAIR_BEGINS]) |
			expr_need(r->rule[i].on[PAIR_ENDS]);
	return need;
}

static void
free_rules(struct pair_rules *r)
{
	for (unsigned i = 0; i < r->n; i++) {
		struct pair_rule *rule = &r->rule[i];

		for (unsigned k = 0; k < PAIR_ACTS; k++)
			expr_free(rule->on[k]);
		if (rule->list) {
			view_free(rule->list);
			free(rule->list);
		}
		*rule = (struct pair_rule){0};
	}
	for (unsigned i = 0; i < PAIR_RULES; i++) {
		keys_free(&r->keys[i]);
		r->keys[i] = (struct keys){0};
	}
	r->n = 0;
}

static void
row_roles_free(struct row_roles *r)
{
	strtab_free(&r->names);
	FREE(r->v);
	r->cap = 0;
}

static void
add_row(struct row_roles *r, const char *event, struct row_role role)
{
	uint32_t known = r->names.n, id = strtab_id(&r->names, event, strlen(event));

	GROW(r->v, r->cap, id + 1);
	if (id == known)
		r->v[id] = role;
}

/* Returns the number of the kind of a value: values whose names are equal up to the last dot are of one kind.
 * Returns 0 if the row has no such kind. */
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

/* Takes the rows of a schema, which may be NULL. */
static void
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
			add_row(r, row->event, role);
			role.begins = false;
			role.ends = true;
			add_row(r, row->leave, role);
			continue;
		}
		dot = row->name ? strrchr(row->name, '.') : NULL;
		role.state = kind_of(s, i);
		role.ends = role.point = true;
		role.begins = row->value;
		if (role.state && (row->value || (dot && !strcmp(dot, ".end"))))
			add_row(r, row->event, role);
	}
}

static COLD void
of_format(struct pair_rules *r, struct source *s)
{
	const struct format *f = format_named(s->opt->known, s->head.format);
	const struct schema *schema = f ? f->schema : NULL;

	row_roles_set(&r->rows, schema);
	if ((!schema || (!schema->npairs && !r->rows.names.n)) && !r->none_said) {
		r->none_said = true;
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      strcmp(s->head.format, "-")
			  ? "the format %s has no events that are pairs: give --begin and "
			    "--end"
			  : "a text stream without header%.0s does not say its format: "
			    "give --begin and --end",
		      s->head.format);
	}
	if (r->schema == schema)
		return;
	free_rules(r);
	r->schema = schema;
	for (size_t i = 0; schema && i < schema->npairs && i < PAIR_RULES; i++) {
		const struct schema_pair *from = &schema->pairs[i];
		struct pair_rule *rule = &r->rule[r->n++];

		rule->on[PAIR_BEGINS] = expr_parse(from->begin);
		rule->on[PAIR_ENDS] = expr_parse(from->end);
		rule->on[PAIR_DROPS] = from->dropped ? expr_parse(from->dropped) : NULL;
		rule->keys = &r->keys[i];
		keys_parse(rule->keys, r->opt->keys ? r->opt->keys : from->keys);
		rule->all = from->all;
		rule->nothing = from->nothing;
		if (from->each) {
			rule->list = xcalloc(1, sizeof *rule->list);
			view_add(rule->list, from->each, strlen(from->each), true);
			view_add(rule->list, from->chosen, strlen(from->chosen), true);
		}
		r->name[i] = r->opt->name.v[0];
	}
	if (schema && !schema->npairs)
		keys_parse(&r->keys[0], r->opt->keys ? r->opt->keys : "loc");
	r->name[0] = r->opt->name.v[0];
}

bool
pair_rules_head(struct pair_rules *r, struct source *s)
{
	if (r->by_schema) {
		of_format(r, s);
		r->by_row = r->rows.names.n && !r->n;
	}
	return r->opt->queue || (r->schema && r->schema->queue);
}

/* Returns true if an event does anything. Sets d->one. */
static bool
does_any(struct pair_does *d)
{
	uint32_t begins = d->by[PAIR_BEGINS], ends = d->by[PAIR_ENDS];

	d->one = !d->by[PAIR_DROPS] && !begins != !ends &&
		 !((begins | ends) & ((begins | ends) - 1));
	return (begins | ends | d->by[PAIR_DROPS]) != 0;
}

/* Returns what the events of a type do, if the type alone decides. */
static struct pair_role
role_of(const struct pair_rules *r, const struct tables *t, uint32_t type)
{
	const struct type *ty = &t->type[type];
	struct pair_role role = {.parts = ty->holds & HOLDS_PARTS};
	uint32_t id;

	for (unsigned i = 0; i < r->n && r->by_type; i++)
		for (unsigned k = 0; k < PAIR_ACTS; k++)
			if (r->rule[i].on[k] && r->rule[i].types[k][type])
				role.does.by[k] |= 1u << i;
	role.any = does_any(&role.does);
	if (r->by_row) {
		if (strtab_find(&r->rows.names, ty->event, ty->event_len, &id))
			role.row = r->rows.v[id];
		role.any = role.row.state != 0 || r->opt->keep;
	}
	return role;
}

/* Finds out whether types decide, and sets the roles of all types. */
static void
set_roles(struct pair_rules *r, struct source *s, const struct batch *b)
{
	bool by_type = true;
	uint32_t type;

	for (unsigned i = 0; i < r->n; i++)
		for (unsigned k = 0; k < PAIR_ACTS; k++) {
			struct pair_rule *rule = &r->rule[i];

			rule->types[k] = rule->on[k] ? expr_types(rule->on[k], s, b) : NULL;
			by_type &= !rule->on[k] || rule->types[k];
		}
	if (r->by_type != by_type)
		cache_forget(&r->role_cache);
	r->by_type = by_type;
	CACHE(r->role, r->role_cache, s, s->t.ntypes);
	while (cache_next(&r->role_cache, s->t.ntypes, &type))
		r->role[type] = role_of(r, &s->t, type);
}

/* Finds out what each event of a batch does, by running the expressions. Returns the number of events that do
 * something. */
static uint32_t
mark_each(struct pair_rules *r, struct source *s, const struct batch *b)
{
	uint32_t n = 0;

	memset(r->does, 0, b->n * sizeof *r->does);
	for (unsigned i = 0; i < r->n; i++)
		for (unsigned k = 0; k < PAIR_ACTS; k++) {
			n = r->rule[i].on[k] ? expr_run(r->rule[i].on[k], s, b, r->pick)
					     : 0;
			while (n)
				r->does[r->pick[--n]].by[k] |= 1u << i;
		}
	for (uint32_t i = 0; i < b->n; i++) {
		bool any = does_any(&r->does[i]);

		r->pick[n] = i;
		r->does[n] = r->does[i];
		n += any;
	}
	return n;
}

/* Removes the picked events that cannot be held, and reports them. A damaged stream may have arguments that share
 * bytes: with new numbers these would change each other. Returns the number of events left. */
static uint32_t
whole_ones(struct pair_rules *r, struct source *s, const struct batch *b, uint32_t n)
{
	uint32_t k = 0;

	for (uint32_t j = 0; j < n; j++) {
		const struct rec *e = batch_rec(b, r->pick[j]);
		const struct type *ty = &s->t.type[e->type];

		r->pick[k] = r->pick[j];
		r->does[k] = *pair_rules_does(r, j, e->type);
		if (!r->role[e->type].parts || pair_types_whole(ty, e))
			k++;
		else
			fault(
			    s, NULL, COST_EVENT, s->name, NOWHERE,
			    "event %llu is skipped: some of its arguments share their "
			    "bytes",
			    (unsigned long long)(s->count.events - b->n + r->pick[j] + 1));
	}
	return k;
}

uint32_t
pair_rules_mark(struct pair_rules *r, struct source *s, const struct batch *b)
{
	bool parts = false;
	uint32_t n = 0;

	set_roles(r, s, b);
	if (!r->by_type) {
		parts = true;
		n = mark_each(r, s, b);
	}
	for (uint32_t i = 0; i < b->n && r->by_type; i++) {
		const struct pair_role *role = &r->role[batch_rec(b, i)->type];

		r->pick[n] = i;
		n += role->any;
		parts |= role->parts;
	}
	for (unsigned i = 0; i < r->n; i++)
		if (r->rule[i].list)
			view_bind(r->rule[i].list, &s->t, &s->head, s->head_serial,
				  s->fmt->text);
	return parts ? whole_ones(r, s, b, n) : n;
}

bool
pair_rules_element(struct span *rest, struct span *e)
{
	const uint8_t *comma;

	if (!rest->n)
		return false;
	comma = memchr(rest->p, ',', rest->n);
	e->p = rest->p;
	e->n = comma ? (size_t)(comma - rest->p) : rest->n;
	rest->p += e->n + (comma != NULL);
	rest->n -= e->n + (comma != NULL);
	return true;
}

/* Appends to b the elements of `list` whose numbers are in `chosen`, each followed by a comma. */
static void
choose_among(struct span list, struct span chosen, struct buf *b)
{
	struct span *at = NULL, e;
	size_t n = 0, cap = 0;
	uint64_t i;

	while (pair_rules_element(&list, &e))
		*PUSH(at, n, cap) = e;
	while (pair_rules_element(&chosen, &e)) {
		if (digits_u64(e.p, e.n, &i) || i >= n)
			continue;
		buf_add(b, at[i].p, at[i].n);
		buf_byte(b, ',');
	}
	free(at);
}

void
pair_rules_list(const struct pair_rule *rule, struct source *s, const struct rec *r,
		bool ends, struct buf *b)
{
	struct buf list = {0}, chosen = {0};
	const struct field *of = view_field(rule->list, r->type, 0);
	const struct field *which = view_field(rule->list, r->type, 1);

	if (!which->kind || !ends) {
		field_text(b, &s->head, &s->t, r, of);
		return;
	}
	field_text(&list, &s->head, &s->t, r, of);
	field_text(&chosen, &s->head, &s->t, r, which);
	choose_among((struct span){list.p, list.n}, (struct span){chosen.p, chosen.n}, b);
	buf_free(&list);
	buf_free(&chosen);
}

int
pair_rules_finish(struct pair_rules *r)
{
	int status = r->by_schema ? ST_OK : keys_finish(&r->keys[0]);

	for (unsigned i = 0; i < r->n && !r->by_schema; i++)
		for (unsigned k = 0; k < PAIR_DROPS; k++)
			if (expr_finish(r->rule[i].on[k], false) != ST_OK)
				status = ST_TROUBLE;
	free_rules(r);
	row_roles_free(&r->rows);
	free(r->role);
	return status;
}
