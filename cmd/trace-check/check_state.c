/* check_state.c - arguments as numbers, and maps: see check_state.h. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "trace-check/check_state.h"

static const struct arguments_plan *
arguments_plan(struct arguments *v, const struct source *s, const struct rec *r)
{
	const struct type *ty = &s->t.type[r->type];
	struct arguments_plan *p;
	size_t n = 0;

	CACHE(v->plan, v->plan_cache, s, r->type + (size_t)1);
	p = &v->plan[r->type];
	if (likely(p->known))
		return p;
	while (v->args[n])
		n++;
	p->known = true;
	p->event = -1;
	for (int i = 0; v->events[i] && p->event < 0; i++)
		if (!strcmp(v->events[i], ty->event))
			p->event = i;
	p->arg = arena_zeros(&v->plan_cache.mem, n * sizeof *p->arg);
	for (size_t i = 0; i < n; i++)
		p->arg[i] = field_find(v->args[i], &s->head, ty);
	return p;
}

int
event_index(struct arguments *v, const struct source *s, const struct rec *r)
{
	return arguments_plan(v, s, r)->event;
}

const char *
argument_text(struct arguments *v, const struct source *s, const struct rec *r,
	      unsigned arg)
{
	const struct field *f = &arguments_plan(v, s, r)->arg[arg];

	v->text.n = 0;
	if (f->kind == FIELD_NONE || !field_text(&v->text, &s->head, &s->t, r, f))
		return NULL;
	buf_byte(&v->text, '\0');
	return (const char *)v->text.p;
}

bool
argument_number(struct arguments *v, const struct source *s, const struct rec *r,
		unsigned arg, uint64_t *to)
{
	const struct field *f = &arguments_plan(v, s, r)->arg[arg];
	const char *text;
	size_t n;
	bool neg;

	if (field_load(f, r, to))
		return true;
	text = argument_text(v, s, r, arg);
	if (!text)
		return false;
	n = strlen(text);
	if (n > 2 && text[0] == '0' && text[1] == 'x')
		return !hex_u64((const uint8_t *)text + 2, n - 2, to);
	neg = *text == '-';
	if (digits_u64((const uint8_t *)text + neg, n - neg, to))
		return false;
	*to = neg ? 0 - *to : *to;
	return true;
}

void
arguments_free(struct arguments *v)
{
	cache_free(v->plan, &v->plan_cache);
	buf_free(&v->text);
}

static uint32_t
key_hash(uint64_t a, uint64_t b, uint64_t c)
{
	return hash_slot(hash_add(hash_add(hash_add(0, a), b), c));
}

struct map_entry *
map_find(const struct number_map *m, uint64_t a, uint64_t b, uint64_t c)
{
	uint32_t hash = key_hash(a, b, c), i;

	for (size_t at = hash; slots_next(&m->index, hash, &at, &i);)
		if (m->e[i].key[0] == a && m->e[i].key[1] == b && m->e[i].key[2] == c)
			return &m->e[i];
	return NULL;
}

struct map_entry *
map_add(struct check_run *c, struct number_map *m, uint64_t a, uint64_t b, uint64_t d,
	struct trace_place at)
{
	uint32_t i;

	if (m->live == m->most) {
		check_limit(c, m->what, m->most);
		return NULL;
	}
	if (m->free) {
		i = m->free - 1;
		m->free = (uint32_t)m->e[i].key[0];
	} else {
		i = (uint32_t)m->n;
		PUSH(m->e, m->n, m->cap);
	}
	m->e[i] = (struct map_entry){.key = {a, b, d}, .at = at, .live = true};
	slots_add(&m->index, key_hash(a, b, d), i);
	m->live++;
	return &m->e[i];
}

struct map_entry *
map_put(struct check_run *c, struct number_map *m, uint64_t a, uint64_t b, uint64_t d,
	struct trace_place at)
{
	struct map_entry *e = map_find(m, a, b, d);

	return e ? e : map_add(c, m, a, b, d, at);
}

void
map_drop(struct number_map *m, struct map_entry *e)
{
	uint32_t i = (uint32_t)(e - m->e);

	slots_drop(&m->index, key_hash(e->key[0], e->key[1], e->key[2]), i);
	*e = (struct map_entry){.key = {m->free}};
	m->free = i + 1;
	m->live--;
}

void
map_free(struct number_map *m)
{
	slots_free(&m->index);
	free(m->e);
}
