/* shape.c - lines that have a shape: finds the shape, joins the lines of an event, keeps values for later lines. */
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "delimited/delimited_wait.h"
#include "event/event.h"

/* Limit of the bytes that are searched for the end of an open line. */
#define OPEN_TRIED (64u << 10)

/* Returns the first shape of l that fits the line [p, end) and has a kind from..to, or NULL. */
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

/* Sets the cells of a record by the columns of its shape f. `joined`: the record was joined from several lines,
 * and w->who is its actor. */
static void
take_cells(struct delimited *c, const struct delimited_form *f, const struct span *text,
	   bool joined)
{
	const struct delimited_layout *l = c->l;
	struct span who;

	/* The columns of a record are cells by the numbers of their names. */
	c->n = l->nnames;
	memset(c->cell, 0, c->n * sizeof *c->cell);
	for (unsigned i = 0; i < f->n; i++)
		if (f->name[i] >= 0)
			c->cell[f->name[i]] =
			    (struct delimited_cell){trimmed(text[i]), text[i]};
	if (l->who < 0)
		return;
	who = joined ? c->wait->who : delimited_actor_of(c, f, text);
	if (who.n && !c->cell[l->who].text.p)
		c->cell[l->who] = (struct delimited_cell){who, who};
}

static void
hold(struct delimited *c, const struct delimited_form *f, const struct span *text)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->name[i] >= 0) {
			struct span held = trimmed(text[i]);

			c->held[f->name[i]].n = 0;
			buf_add(&c->held[f->name[i]], held.p, held.n);
		}
}

/* Handles the line [p, end), which has the shape f and is not a record by itself: notes lost events, actors that end,
 * and open lines. Returns its kind. */
static unsigned
no_line(struct delimited *c, const struct delimited_form *f, const struct span *text,
	const uint8_t *p, const uint8_t *end)
{
	struct waiting *w = c->wait;
	const struct span *last = &text[f->n ? f->n - 1 : 0];
	struct span who;
	uint32_t was;

	switch (f->kind) {
	case FORM_LOST:
		c->missing = 0;
		for (unsigned i = 0; i < f->n; i++)
			if (f->number[i])
				digits_u64(text[i].p, text[i].n, &c->missing);
		return FORM_LOST;
	case FORM_MOVED:
		was = delimited_actor_is(w, trimmed(*last), false);
		who = delimited_actor_of(c, f, text);
		if (who.n)
			w->actor[delimited_actor_is(w, who, true)].was = was + 1;
		return f->kind;
	case FORM_ENDED:
		who = delimited_actor_of(c, f, text);
		if (who.n)
			delimited_actor_is(w, who, false);
		return f->kind;
	case FORM_OPEN:
		while (!f->any[last - text])
			last--;
		w->open.n = w->tried = 0;
		buf_add(&w->open, p, (size_t)(end - p));
		w->open_n = (size_t)(last->p + last->n - p);
		return FORM_BEGUN;
	/* A line that the description names is expected, so it is not counted as a line without an event. */
	default: return f->kind == FORM_SKIP ? FORM_ENDED : f->kind;
	}
}

/* Does the work of delimited_shape for a line that is not mixed with another program's output. */
static unsigned
shape(struct delimited *c, const uint8_t **p, const uint8_t **end, const char **why)
{
	const struct delimited_layout *l = c->l;
	struct span text[FORM_COLUMNS];
	const struct delimited_form *f;
	bool joined = false;

	trim(p, end);
	f = shape_of(l, FORM_BEGUN, FORM_RESUMED, *p, *end, text);
	if (f && f->kind == FORM_BEGUN && !c->wait->ending) {
		*why = delimited_wait(c, f, *p, *end, text);
		return FORM_BEGUN;
	}
	if (f && f->kind == FORM_RESUMED) {
		*why = delimited_resume(c, f, text, p, end);
		if (*why && !shape_of(l, FORM_SKIP, FORM_SKIP, *p, *end, text))
			return FORM_RESUMED;
		if (*why) {
			*why = NULL;
			return FORM_SKIP;
		}
	}
	joined = c->wait->ending || (f && f->kind == FORM_RESUMED);
	f = shape_of(l, FORM_LINE, FORM_HEAD, *p, *end, text);
	if (f && f->kind == FORM_HEAD)
		hold(c, f, text);
	else if (f)
		take_cells(c, f, text, joined);
	if (f || *p == *end)
		return f ? f->kind : FORM_SKIP;
	f = shape_of(l, FORM_ENDED, FORM_OPEN, *p, *end, text);
	return f ? no_line(c, f, text, *p, *end) : FORM_NONE;
}

/* Returns true if the line begins like a record of that shape, up to its time. If times are absolute, the time
 * must be after 1973. */
static bool
begins_as(const struct delimited *c, const struct delimited_form *f, const uint8_t *p,
	  const uint8_t *end)
{
	const struct delimited_field *time = c->field;
	struct span text;
	const char *why;
	struct num v;

	while (time->what > C_END)
		time++;
	return f->kind == FORM_LINE &&
	       delimited_form_begins(f, time->ref[REF_AT].at - 1, p, end, &text) &&
	       num_parse((const char *)text.p, text.n, NUM_BARE, &v, &why) &&
	       (!c->l->absolute || v.whole >= DATED_LEAST / time->unit);
}

static bool
begins(const struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	const struct delimited_layout *l = c->l;

	trim(&p, &end);
	for (const struct delimited_form *f = l->form; f < l->form + l->nforms; f++)
		if (begins_as(c, f, p, end))
			return true;
	return false;
}

/* Returns the first place in the line from which on it begins like a record, after text of another program; or
 * NULL. */
static const uint8_t *
begin_within(const struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	const struct delimited_layout *l = c->l;

	for (const struct delimited_form *f = l->form; f < l->form + l->nforms; f++) {
		size_t n = f->before.n;

		while (n && f->before.p[n - 1] == ' ')
			n--;
		if (f->kind != FORM_LINE || !n)
			continue;
		for (const uint8_t *q = p;
		     (size_t)(end - q) > n &&
		     (q = memchr(q, *f->before.p, (size_t)(end - q) - n));
		     q++)
			if (!memcmp(q, f->before.p, n) && begins_as(c, f, q, end))
				return q;
	}
	return NULL;
}

/* Tries to continue the open line with the line [*p, *end). Returns false if the current line is to be read:
 * either the joined line, which [*p, *end) then is, or the line itself, because the open line is lost (c->torn).
 * Returns true if the line is text of another program. */
static bool
goes_on(struct delimited *c, const uint8_t **p, const uint8_t **end)
{
	struct waiting *w = c->wait;
	struct span text[FORM_COLUMNS];
	const uint8_t *from = *p, *to = *end;

	trim(&from, &to);
	c->torn = shape_of(c->l, FORM_LINE, FORM_MOVED, from, to, text) ||
		  begins(c, from, to) || begin_within(c, from, to);
	if (!c->torn) {
		w->open.n = w->open_n;
		buf_add(&w->open, *p, (size_t)(*end - *p));
		w->tried += w->open.n;
		from = w->open.p;
		to = from + w->open.n;
		trim(&from, &to);
		if (shape_of(c->l, FORM_LINE, FORM_RESUMED, from, to, text)) {
			*p = from;
			*end = to;
			w->open_n = 0;
			return false;
		}
		c->torn = w->tried > OPEN_TRIED;
	}
	if (c->torn)
		w->open_n = 0;
	return !c->torn;
}

unsigned
delimited_shape(struct delimited *c, const uint8_t **p, const uint8_t **end,
		const char **why)
{
	const struct delimited_layout *l = c->l;
	unsigned kind;

	if (!c->held) {
		c->held = xcalloc(l->nnames + 1, sizeof *c->held);
		c->wait = xcalloc(1, sizeof *c->wait);
	}
	*why = NULL;
	if (c->wait->open_n && goes_on(c, p, end))
		return FORM_SKIP;
	kind = shape(c, p, end, why);
	if (kind == FORM_NONE && l->open && !begins(c, *p, *end)) {
		const uint8_t *q = begin_within(c, *p, *end);

		if (!q)
			return FORM_SKIP;
		*p = q;
		kind = shape(c, p, end, why);
	}
	return kind;
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
	snprintf(c->why, sizeof c->why, "the line fits no line=");
	if (far)
		snprintf(c->why + strlen(c->why), sizeof c->why - strlen(c->why),
			 ": $%.*s%s and what follows it do not fit %s",
			 (int)(name.n < 32 ? name.n : 32), name.p, mark,
			 quoted(seen, far, (size_t)(end - far)));
	return c->why;
}
