/* delimited_wait.c - keeps begun lines until the lines that resume them. */
#include <stdlib.h>
#include <string.h>

#include "delimited/delimited_wait.h"

#define WAIT_KEYS 65536 /* limit of the keys; half as many lines can wait at a time */
#define WAIT_BYTES (64u << 20) /* limit of the bytes of all lines that wait */

/* Returns the text of the column of f that has the number `name`; n = 0 if f has none. */
static struct span
column_named(const struct delimited_form *f, const struct span *text, int name)
{
	for (unsigned i = 0; name >= 0 && i < f->n; i++)
		if (f->name[i] == name)
			return trimmed(text[i]);
	return (struct span){NULL, 0};
}

static void
some_add(struct some *some, uint32_t id, bool more)
{
	some->n += more ? 1 : UINT32_MAX;
	some->sum += more ? id : 0 - id;
}

uint32_t
delimited_actor_is(struct waiting *w, struct span who, bool acts)
{
	uint32_t id;

	/* `who` may point into the table, which is emptied only if `who` is not in it. */
	if (w->actors.n == WAIT_KEYS && !strtab_find(&w->actors, who.p, who.n, &id)) {
		memset(w->actor, 0, w->actors.n * sizeof *w->actor);
		strtab_free(&w->actors);
		w->acting = (struct some){0};
	}
	id = strtab_id(&w->actors, who.p, who.n);
	GROW(w->actor, w->actor_cap, id + 1u);
	if (w->actor[id].acts != acts)
		some_add(&w->acting, id, acts);
	w->actor[id].acts = acts;
	return id;
}

static struct span
actor_name(const struct waiting *w, uint32_t id)
{
	return (struct span){(const uint8_t *)w->actors.v[id].s, w->actors.v[id].len};
}

struct span
delimited_actor_of(const struct delimited *c, const struct delimited_form *f,
		   const struct span *text)
{
	struct waiting *w = c->wait;
	struct span who = column_named(f, text, c->l->who);

	if (who.n)
		delimited_actor_is(w, who, true);
	else if (w->acting.n == 1)
		who = actor_name(w, w->acting.sum);
	return who;
}

/* Sets w->key to the key of a line: its actor, and the columns that both lines name. */
static void
key_of(const struct delimited *c, const struct delimited_form *f, const struct span *text,
       struct span who)
{
	struct buf *key = &c->wait->key;

	key->n = 0;
	buf_add(key, who.p, who.n);
	for (int name = 0; name < (int)c->l->nnames; name++)
		if (c->l->same >> name & 1) {
			struct span same = column_named(f, text, name);

			buf_byte(key, '\n');
			buf_add(key, same.p, same.n);
		}
}

/* Adds the begun line of key k to the lines that differ only in their actor, or removes it. */
static void
count_alike(struct waiting *w, uint32_t k, bool more)
{
	size_t who = w->begun[k].who;
	uint32_t id = strtab_id(&w->rests, w->keys.v[k].s + who, w->keys.v[k].len - who);

	GROW(w->alike, w->alike_cap, id + 1u);
	some_add(&w->alike[id], k, more);
}

static void
shape_forget(struct waiting *w, uint32_t k)
{
	struct begun *b = &w->begun[k];

	if (!b->line.n)
		return;
	count_alike(w, k, false);
	w->bytes -= b->line.n;
	w->lines--;
	buf_free(&b->line);
}

/* Drops the keys of lines that no longer wait. They get new numbers if they come again. */
static void
forget_keys(struct waiting *w)
{
	struct waiting old = *w;

	memset(&w->keys, 0, sizeof w->keys);
	w->begun = NULL;
	w->cap = 0;
	if (w->rests.n)
		memset(w->alike, 0, w->rests.n * sizeof *w->alike);
	strtab_free(&w->rests);
	for (uint32_t i = 0; i < old.keys.n; i++) {
		const struct str *key = &old.keys.v[i];
		uint32_t k;

		if (!old.begun[i].line.n)
			continue;
		k = strtab_id(&w->keys, key->s, key->len);
		GROW(w->begun, w->cap, k + 1u);
		w->begun[k] = old.begun[i];
		count_alike(w, k, true);
	}
	strtab_free(&old.keys);
	free(old.begun);
}

const char *
delimited_wait(struct delimited *c, const struct delimited_form *f, const uint8_t *p,
	       const uint8_t *end, const struct span *text)
{
	struct waiting *w = c->wait;
	const uint8_t *stop = text[f->n - 1].p + text[f->n - 1].n;
	struct span who = delimited_actor_of(c, f, text);
	struct begun *b;
	uint32_t key;
	bool twice;

	if (w->lines == WAIT_KEYS / 2 || w->bytes > WAIT_BYTES)
		return "too many unfinished lines wait to be resumed";
	if (w->keys.n == WAIT_KEYS)
		forget_keys(w);
	while (end - stop > 1 && delimited_is_blank(stop[0]) && delimited_is_blank(stop[1]))
		stop++;
	key_of(c, f, text, who);
	key = strtab_id(&w->keys, w->key.p, w->key.n);
	GROW(w->begun, w->cap, key + 1u);
	b = &w->begun[key];
	twice = b->line.n > 0;
	shape_forget(w, key);
	buf_add(&b->line, p, (size_t)(end - p));
	b->n = (size_t)(stop - p);
	b->who = who.n;
	w->bytes += b->line.n;
	w->lines++;
	count_alike(w, key, true);
	return twice ? "a previous unfinished line is never resumed" : NULL;
}

/* Finds the begun line for w->key, whose first bytes are `who`: the line of this actor, else of the actor whose
 * place it took, else one without an actor. If `who` is empty, finds the line only if it is the only candidate.
 * Returns false if there is none. */
static bool
begun_by(struct waiting *w, struct span who, uint32_t *k)
{
	const uint8_t *rest = w->key.p + who.n;
	size_t n = w->key.n - who.n;
	uint32_t id;
	struct span was = {NULL, 0};
	struct buf *key = &w->joined;

	if (strtab_find(&w->keys, w->key.p, w->key.n, k) && w->begun[*k].line.n)
		return true;
	if (!who.n)
		return strtab_find(&w->rests, rest, n, &id) && w->alike[id].n == 1 &&
		       (*k = w->alike[id].sum, true);
	/* The table of actors may have been emptied in the meantime. */
	if (strtab_find(&w->actors, who.p, who.n, &id) && w->actor[id].was &&
	    w->actor[id].was <= w->actors.n)
		was = actor_name(w, w->actor[id].was - 1);
	key->n = 0;
	buf_add(key, was.p, was.n);
	buf_add(key, rest, n);
	if (strtab_find(&w->keys, key->p, key->n, k) && w->begun[*k].line.n)
		return true;
	return strtab_find(&w->keys, rest, n, k) && w->begun[*k].line.n;
}

const char *
delimited_resume(struct delimited *c, const struct delimited_form *f,
		 const struct span *text, const uint8_t **p, const uint8_t **end)
{
	struct waiting *w = c->wait;
	struct span who = delimited_actor_of(c, f, text);
	unsigned last = f->n - 1; /* the last column that is not among the key's */
	uint32_t k;

	key_of(c, f, text, who);
	if (!begun_by(w, who, &k))
		return "the line that this line resumes is missing";
	while (last && (f->name[last] < 0 || c->l->same >> f->name[last] & 1 ||
			f->name[last] == c->l->who))
		last--;
	last = last ? last : f->n - 1;
	w->joined.n = 0;
	buf_add(&w->joined, w->begun[k].line.p, w->begun[k].n);
	buf_add(&w->joined, text[last].p, text[last].n);
	w->who =
	    who.n ? who : (struct span){(const uint8_t *)w->keys.v[k].s, w->begun[k].who};
	shape_forget(w, k);
	*p = w->joined.p;
	*end = *p + w->joined.n;
	return NULL;
}

bool
delimited_shape_left(struct delimited *c, struct span *line)
{
	struct waiting *w = c->wait;

	c->torn |= w && w->open_n;
	while (w && w->left < w->keys.n) {
		uint32_t k = w->left++;
		struct begun *b = &w->begun[k];

		if (!b->line.n)
			continue;
		w->ending = true;
		w->open_n = 0;
		w->who = (struct span){(const uint8_t *)w->keys.v[k].s, b->who};
		w->joined.n = 0;
		buf_add(&w->joined, b->line.p, b->line.n);
		buf_byte(&w->joined, '\n');
		shape_forget(w, k);
		*line = (struct span){w->joined.p, w->joined.n};
		return true;
	}
	return false;
}

void
delimited_shape_forget(struct delimited *c)
{
	struct waiting *w = c->wait;

	c->torn = false;
	for (unsigned i = 0; c->held && i < c->l->nnames; i++)
		buf_free(&c->held[i]);
	for (uint32_t i = 0; w && i < w->keys.n; i++)
		buf_free(&w->begun[i].line);
	if (!w)
		return;
	strtab_free(&w->keys);
	strtab_free(&w->rests);
	strtab_free(&w->actors);
	free(w->begun);
	free(w->alike);
	free(w->actor);
	buf_free(&w->joined);
	buf_free(&w->key);
	buf_free(&w->open);
	memset(w, 0, sizeof *w);
}

void
delimited_shape_free(struct delimited *c)
{
	delimited_shape_forget(c);
	free(c->held);
	free(c->wait);
}
