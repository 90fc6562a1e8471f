/* check_state.c - arguments as numbers, and maps: see check_state.h. */
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/num.h"
#include "trace-check/check.h"

void
check_limit(struct check_run *c, const char *what, uint64_t most)
{
	if (!c->limited)
		warn("more than " U64 " %s: not all rules were checked to the end", most,
		     what);
	c->limited = true;
}

static const struct arguments_plan *
arguments_plan(struct check_run *c)
{
	struct arguments *v = &c->args;
	uint32_t type = batch_rec(c->b, c->i)->type;
	const struct type *ty = &c->s->t.type[type];
	struct arguments_plan *p;
	size_t n = 0;

	CACHE(v->plan, v->plan_cache, c->s, type + (size_t)1);
	p = &v->plan[type];
	if (likely(p->known))
		return p;
	while (v->args[n])
		n++;
	p->known = true;
	p->event = -1;
	for (int i = 0; v->events && v->events[i] && p->event < 0; i++)
		if (!strcmp(v->events[i], ty->event))
			p->event = i;
	p->arg = arena_zeros(&v->plan_cache.mem, n * sizeof *p->arg);
	for (size_t i = 0; i < n; i++)
		p->arg[i] = field_find(v->args[i], &c->s->head, ty);
	return p;
}

int
event_index(struct check_run *c)
{
	return arguments_plan(c)->event;
}

const char *
field_words(struct check_run *c, const struct field *f)
{
	struct buf *text = &c->args.text;

	text->n = 0;
	if (f->kind == FIELD_NONE ||
	    !field_text(text, &c->s->head, &c->s->t, batch_rec(c->b, c->i), f))
		return "";
	buf_byte(text, '\0');
	return (const char *)text->p;
}

bool
words_number(const char *text, uint64_t *to)
{
	size_t n = strlen(text);
	bool neg = *text == '-';

	if (n > 2 && text[0] == '0' && text[1] == 'x')
		return !hex_u64((const uint8_t *)text + 2, n - 2, to);
	if (digits_u64((const uint8_t *)text + neg, n - neg, to))
		return false;
	*to = neg ? 0 - *to : *to;
	return true;
}

const char *
argument_text(struct check_run *c, unsigned arg)
{
	return field_words(c, &arguments_plan(c)->arg[arg]);
}

bool
argument_number(struct check_run *c, unsigned arg, uint64_t *to)
{
	const struct field *f = &arguments_plan(c)->arg[arg];

	return field_load(f, batch_rec(c->b, c->i), to) ||
	       words_number(field_words(c, f), to);
}

/* Returns a hash. Keys whose first numbers come after one another, as numbers of requests do, have hashes in blocks of four
 * after one another: half a cache line of the index. */
static inline uint32_t
key_hash(uint64_t k0, uint64_t k1, uint64_t k2)
{
	uint64_t hash = hash_add(hash_add(hash_add(0, k0 >> 2), k1), k2);

	return (hash_slot(hash) & ~3u) + (k0 & 3);
}

struct map_entry *
map_find_key(const struct number_map *m, uint64_t k0, uint64_t k1, uint64_t k2)
{
	uint32_t hash = key_hash(k0, k1, k2), i;

	for (size_t at = hash; slots_next(&m->index, hash, &at, &i);)
		if (m->e[i].key[0] == k0 && m->e[i].key[1] == k1 && m->e[i].key[2] == k2)
			return &m->e[i];
	return NULL;
}

struct map_entry *
map_add_key(struct check_run *c, unsigned number, uint64_t k0, uint64_t k1, uint64_t k2)
{
	struct number_map *m = &c->map[number];
	const struct map_entry made = {.key = {k0, k1, k2}, .at = c->here, .live = true};
	uint32_t i;

	if (m->live == m->kind.most) {
		check_limit(c, m->kind.what, m->kind.most);
		m->spare = made;
		m->spare.live = false;
		return &m->spare;
	}
	if (m->free) {
		i = m->free - 1;
		m->free = (uint32_t)m->e[i].key[0];
	} else {
		i = (uint32_t)m->n;
		PUSH(m->e, m->n, m->cap);
	}
	m->e[i] = made;
	m->live++;
	slots_add(&m->index, key_hash(k0, k1, k2), i);
	return &m->e[i];
}

struct map_entry *
map_put_key(struct check_run *c, unsigned m, uint64_t k0, uint64_t k1, uint64_t k2)
{
	struct map_entry *e = map_find_key(&c->map[m], k0, k1, k2);

	return e ? e : map_add_key(c, m, k0, k1, k2);
}

struct map_entry *
map_next(const struct check_run *c, unsigned m, const struct map_entry *e)
{
	const struct number_map *map = &c->map[m];
	size_t i = e ? (size_t)(e - map->e) + 1 : 0;

	while (i < map->n && !map->e[i].live)
		i++;
	return i < map->n ? &map->e[i] : NULL;
}

void
map_drop(struct check_run *c, unsigned number, struct map_entry *e)
{
	struct number_map *m = &c->map[number];
	uint32_t i = (uint32_t)(e - m->e);

	if (!e->live)
		return;
	slots_drop(&m->index, key_hash(e->key[0], e->key[1], e->key[2]), i);
	*e = (struct map_entry){.key = {m->free}};
	m->free = i + 1;
	m->live--;
}
