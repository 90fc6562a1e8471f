/* shape.c - lines that have a shape: which one, what they say of others, and which belong together. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "delimited/delimited.h"

#define WAIT_KEYS 65536	       /* and half as many lines that wait at once */
#define WAIT_BYTES (64u << 20) /* of all of them */

/* Lines that are begun, by what stands in their first column. */
struct waiting {
	struct strtab keys;
	struct begun {
		struct buf line; /* n = 0: none waits */
		size_t n;	 /* bytes of it that go on */
	} * begun;
	size_t cap;
	size_t bytes, lines; /* that wait */
	bool ending;	     /* no line has a rest any more; the next of these: */
	uint32_t left;
	struct buf joined;
};

static void
trim(const uint8_t **p, const uint8_t **end)
{
	while (*p < *end && delimited_is_blank(**p))
		++*p;
	while (*end > *p && delimited_is_blank((*end)[-1]))
		--*end;
}

static void
shape_forget(struct waiting *w, struct begun *b)
{
	w->bytes -= b->line.n;
	w->lines -= b->line.n > 0;
	buf_free(&b->line);
}

/* Keys of lines that went on are new ones when they come again. */
static void
forget_keys(struct waiting *w)
{
	struct waiting old = *w;

	memset(&w->keys, 0, sizeof w->keys);
	w->begun = NULL;
	w->cap = 0;
	for (uint32_t i = 0; i < old.keys.n; i++) {
		const struct str *key = &old.keys.v[i];
		uint32_t k;

		if (!old.begun[i].line.n)
			continue;
		k = strtab_id(&w->keys, key->s, key->len);
		GROW(w->begun, w->cap, k + 1u);
		w->begun[k] = old.begun[i];
	}
	strtab_free(&old.keys);
	free(old.begun);
}

/* The line [p, end) up to the end of its last column waits for one whose first column is the same. NULL, or why not. */
static const char *
shape_begin(struct delimited *c, const struct delimited_form *f, const uint8_t *p,
	    const uint8_t *end, const struct span *text)
{
	struct waiting *w = c->wait;
	const struct span *last = &text[f->n - 1];
	struct begun *b;
	uint32_t key;
	bool twice;

	if (w->lines == WAIT_KEYS / 2 || w->bytes > WAIT_BYTES)
		return "too many lines wait for the ones that they go on in";
	if (w->keys.n == WAIT_KEYS)
		forget_keys(w);
	key = strtab_id(&w->keys, text[0].p, text[0].n);
	GROW(w->begun, w->cap, key + 1u);
	b = &w->begun[key];
	twice = b->line.n > 0;
	shape_forget(w, b);
	buf_add(&b->line, p, (size_t)(end - p));
	b->n = (size_t)(last->p + last->n - p);
	w->bytes += b->line.n;
	w->lines++;
	return twice ? "the line before that is begun does not go on" : NULL;
}

/* The line that was begun and what is last in this one are [*p, *end). NULL, or why there is none. */
static const char *
resume(struct delimited *c, const struct delimited_form *f, const struct span *text,
       const uint8_t **p, const uint8_t **end)
{
	struct waiting *w = c->wait;
	uint32_t key;

	if (!strtab_find(&w->keys, text[0].p, text[0].n, &key) || !w->begun[key].line.n)
		return "the line that it goes on from is not there";
	w->joined.n = 0;
	buf_add(&w->joined, w->begun[key].line.p, w->begun[key].n);
	buf_add(&w->joined, text[f->n - 1].p, text[f->n - 1].n);
	shape_forget(w, &w->begun[key]);
	*p = w->joined.p;
	*end = *p + w->joined.n;
	return NULL;
}

/* A column of anything, without blanks around. */
static struct span
trimmed(struct span text)
{
	const uint8_t *p = text.p, *end = p + text.n;

	trim(&p, &end);
	return (struct span){p, (size_t)(end - p)};
}

/* The first shape of l of a kind from..to that the line has; NULL: none. */
static const struct delimited_form *
shape_of(const struct delimited_layout *l, unsigned from, unsigned to, const uint8_t *p,
	 const uint8_t *end, struct span *text)
{
	for (const struct delimited_form *f = l->form; f < l->form + l->nforms; f++)
		if (f->kind >= from && f->kind <= to &&
		    delimited_form_fits(f, p, end, text))
			return f;
	return NULL;
}

unsigned
delimited_shape(struct delimited *c, const uint8_t **p, const uint8_t **end,
		const char **why)
{
	const struct delimited_layout *l = c->l;
	struct span text[FORM_COLUMNS];
	const struct delimited_form *f;

	if (!c->held) {
		c->held = xcalloc(l->nnames + 1, sizeof *c->held);
		c->wait = xcalloc(1, sizeof *c->wait);
	}
	*why = NULL;
	trim(p, end);
	f = shape_of(l, FORM_BEGUN, FORM_RESUMED, *p, *end, text);
	if (f && f->kind == FORM_BEGUN && !c->wait->ending) {
		*why = shape_begin(c, f, *p, *end, text);
		return FORM_BEGUN;
	}
	if (f && f->kind == FORM_RESUMED) {
		*why = resume(c, f, text, p, end);
		if (*why)
			return FORM_RESUMED;
	}
	f = shape_of(l, FORM_LINE, FORM_HEAD, *p, *end, text);
	if (f && f->kind == FORM_HEAD) {
		for (unsigned i = 0; i < f->n; i++)
			if (f->name[i] >= 0) {
				struct span held = trimmed(text[i]);

				c->held[f->name[i]].n = 0;
				buf_add(&c->held[f->name[i]], held.p, held.n);
			}
		return FORM_HEAD;
	}
	if (f) {
		/* The columns of a record are cells by the numbers of their names. */
		c->n = l->nnames;
		memset(c->cell, 0, c->n * sizeof *c->cell);
		for (unsigned i = 0; i < f->n; i++)
			if (f->name[i] >= 0)
				c->cell[f->name[i]] =
				    (struct delimited_cell){trimmed(text[i]), text[i]};
		return FORM_LINE;
	}
	if (*p == *end)
		return FORM_SKIP;
	return shape_of(l, FORM_SKIP, FORM_SKIP, *p, *end, text) ? FORM_SKIP : FORM_NONE;
}

const char *
delimited_shape_why(struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	const struct delimited_layout *l = c->l;
	const uint8_t *far = NULL;
	struct word name = {0};
	const char *mark = "";
	char seen[64];

	trim(&p, &end);
	for (const struct delimited_form *f = l->form; f < l->form + l->nforms; f++) {
		struct span text[FORM_COLUMNS] = {0};

		if (f->kind != FORM_LINE || delimited_form_fits(f, p, end, text))
			continue;
		for (unsigned i = 0; i < f->n; i++)
			if (text[i].p && (!far || text[i].p >= far)) {
				far = text[i].p;
				name = f->name[i] < 0 ? (struct word){"", 0}
						      : l->names[f->name[i]];
				mark = f->number[i] ? "#" : f->any[i] ? "-" : "";
			}
	}
	snprintf(c->why, sizeof c->why, "it has no shape that a line= tells");
	if (far)
		snprintf(c->why + strlen(c->why), sizeof c->why - strlen(c->why),
			 ": $%.*s%s and what follows it do not fit %s",
			 (int)(name.n < 32 ? name.n : 32), name.p, mark,
			 quoted(seen, far, (size_t)(end - far)));
	return c->why;
}

bool
delimited_shape_left(struct delimited *c, struct span *line)
{
	struct waiting *w = c->wait;

	while (w && w->left < w->keys.n) {
		struct begun *b = &w->begun[w->left++];

		if (!b->line.n)
			continue;
		w->ending = true;
		w->joined.n = 0;
		buf_add(&w->joined, b->line.p, b->line.n);
		buf_byte(&w->joined, '\n');
		shape_forget(w, b);
		*line = (struct span){w->joined.p, w->joined.n};
		return true;
	}
	return false;
}

void
delimited_shape_forget(struct delimited *c)
{
	struct waiting *w = c->wait;

	for (unsigned i = 0; c->held && i < c->l->nnames; i++)
		buf_free(&c->held[i]);
	for (uint32_t i = 0; w && i < w->keys.n; i++)
		buf_free(&w->begun[i].line);
	if (!w)
		return;
	strtab_free(&w->keys);
	free(w->begun);
	buf_free(&w->joined);
	memset(w, 0, sizeof *w);
}

void
delimited_shape_free(struct delimited *c)
{
	delimited_shape_forget(c);
	free(c->held);
	free(c->wait);
}
