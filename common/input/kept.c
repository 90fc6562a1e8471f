/* kept.c - see kept.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "input/kept.h"

struct kept_text
kept_copy(struct arena *mem, const struct buf *b)
{
	uint8_t *p = arena_get(mem, b->n + KEPT_FAST);

	if (b->n)
		memcpy(p, b->p, b->n);
	memset(p + b->n, 0, KEPT_FAST);
	return (struct kept_text){p, (uint32_t)b->n};
}

void
kept_bind(struct kept *k, const struct source *s)
{
	CACHE(k->v, k->cache, s, s->t.str.n);
}

struct kept_text
kept_set(struct kept *k, uint32_t id, const struct buf *b)
{
	return k->v[id] = kept_copy(&k->cache.mem, b);
}

void
kept_free(struct kept *k)
{
	cache_free(k->v, &k->cache);
}

void
text_raw(struct buf *b, const char *p, size_t n)
{
	b->n = 0;
	buf_room(b, n + 1);
	if (n != 2 || memcmp(p, "\"\"", 2) != 0)
		b->n = unescape(b->p, p, n);
	b->p[b->n] = '\0';
}

bool
arg_prefix(const char *name)
{
	return field_column(name, strlen(name)) || !strncmp(name, "arg.", 4);
}

void
type_args(const struct type *ty,
	  void (*add)(void *arg, const char *label, const struct field *f), void *arg)
{
	struct strtab met = {0};
	struct buf label = {0};

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const char *name = ty->args[i].name;
		struct field f = field_of_arg(&ty->args[i]);
		uint32_t n = met.n;

		if (strtab_id(&met, name, strlen(name)) != n)
			continue;
		label.n = 0;
		if (arg_prefix(name))
			buf_add(&label, "arg.", 4);
		buf_add(&label, name, strlen(name) + 1);
		add(arg, (const char *)label.p, &f);
	}
	buf_free(&label);
	strtab_free(&met);
}
