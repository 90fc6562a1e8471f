/*
 * delimited_form.c - shapes of lines: text with columns in it, such as "$pid $time $event($args-) = $ret".
 *
 * A column goes up to the first place where the next text fits: it is one word, with # a number, or with - any
 * text. If a line does not fit, only the last column of any text is tried with later ends: an earlier end of a
 * previous column leaves at least as much room for the rest.
 */
#include <string.h>

#include "base/put.h"
#include "delimited/parse.h"

/* Limit of the comparisons for each byte of a line. Beyond it the line does not fit, so that a hostile line does
 * not take quadratic time. */
#define WORK 64

struct form_match {
	const struct delimited_form *f;
	const uint8_t *begin, *end;
	uint64_t work;
};

static bool
digit(uint8_t c)
{
	return (c >= '0' && c <= '9') || c == '.';
}

/* Returns the place after the text w at p, or NULL if the text is not there. A blank in w matches one or more blanks,
 * or none at either end of the line. */
static const uint8_t *
behind(struct form_match *m, struct word w, const uint8_t *p)
{
	for (size_t i = 0; i < w.n; i++) {
		if (!m->work--)
			return m->work = 0, NULL;
		if (w.p[i] != ' ') {
			if (p == m->end || *p++ != (uint8_t)w.p[i])
				return NULL;
			continue;
		}
		if (p > m->begin && p < m->end && !delimited_is_blank(*p))
			return NULL;
		while (p < m->end && delimited_is_blank(*p))
			p++;
	}
	return p;
}

/* Returns true if the text w may begin at q, by its first byte. */
static inline bool
may(const struct form_match *m, struct word w, const uint8_t *q)
{
	if (q == m->begin || q == m->end)
		return true;
	return *w.p == ' ' ? delimited_is_blank(*q) : *q == (uint8_t)*w.p;
}

/* Returns the end of column i: the first place at or after q where the text after the column begins, or NULL. *after
 * is the end of the text. */
static const uint8_t *
stop_of(struct form_match *m, unsigned i, const uint8_t *q, const uint8_t **after)
{
	struct word next = m->f->after[i];
	bool word = !m->f->any[i], last = i + 1 == m->f->n && !next.n;
	bool number = m->f->number[i];

	if (last && !word)
		return *after = m->end;
	for (; q <= m->end && m->work; q++, m->work--) {
		if (!word && *next.p != ' ') {
			/* Skip with memchr: most bytes of any text are not the one that follows. */
			q = memchr(q, *next.p, (size_t)(m->end - q));
			if (!q)
				return NULL;
		}
		*after = last		   ? (q == m->end ? q : NULL)
			 : may(m, next, q) ? behind(m, next, q)
					   : NULL;
		if (*after)
			return q;
		if (q < m->end &&
		    ((word && delimited_is_blank(*q)) || (number && !digit(*q))))
			return NULL;
	}
	return NULL;
}

/* Returns true if the first byte and the last word of f can match the line. */
static inline bool
ends_fit(const struct delimited_form *f, const uint8_t *p, const uint8_t *end)
{
	struct word last = f->n ? f->after[f->n - 1] : f->before;
	size_t n = 0;

	while (n < last.n && last.p[last.n - 1 - n] != ' ')
		n++;
	return p < end && (size_t)(end - p) >= n &&
	       (!f->before.n || *f->before.p == ' ' || *p == (uint8_t)*f->before.p) &&
	       (!n || !memcmp(end - n, last.p + last.n - n, n));
}

/* Returns true if column i may begin at p: a word needs a byte that is not a blank, a number needs a digit. */
static inline bool
may_begin(const struct delimited_form *f, unsigned i, const uint8_t *p, const uint8_t *end)
{
	return f->any[i] ||
	       (p < end && (f->number[i] ? digit(*p) : !delimited_is_blank(*p)));
}

bool
delimited_form_fits(const struct delimited_form *f, const uint8_t *p, const uint8_t *end,
		    struct span text[FORM_COLUMNS])
{
	struct form_match m = {f, p, end, WORK * ((uint64_t)(end - p) + WORK)};
	const uint8_t *q = NULL, *stop;
	unsigned i = 0, any = FORM_COLUMNS; /* the last column of any text, so far */

	if (!ends_fit(f, p, end))
		return false;
	p = behind(&m, f->before, p);
	if (!p)
		return false;
	for (;;) {
		if (i == f->n && p == end)
			return true;
		if (i < f->n) {
			text[i].p = p;
			stop = may_begin(f, i, p, end)
				   ? stop_of(&m, i, q ? q : p + !f->any[i], &q)
				   : NULL;
			if (stop) {
				any = f->any[i] ? i : any;
				text[i++] = (struct span){p, (size_t)(stop - p)};
				p = q;
				q = NULL;
				continue;
			}
			if (f->any[i])
				return false;
		}
		if (any == FORM_COLUMNS)
			return false;
		i = any;
		p = text[i].p;
		q = p + text[i].n + 1;
	}
}

bool
delimited_form_begins(const struct delimited_form *f, int name, const uint8_t *p,
		      const uint8_t *end, struct span *text)
{
	struct form_match m = {f, p, end, WORK * ((uint64_t)(end - p) + WORK)};

	p = behind(&m, f->before, p);
	for (unsigned i = 0; p && i < f->n && may_begin(f, i, p, end); i++) {
		const uint8_t *from = p, *stop = stop_of(&m, i, p + !f->any[i], &p);

		if (!stop)
			return false;
		*text = (struct span){from, (size_t)(stop - from)};
		if (f->name[i] == name)
			return true;
	}
	return false;
}

int
delimited_name_of(struct delimited_layout *l, struct word name)
{
	unsigned i = 0;

	while (i < l->nnames &&
	       (l->names[i].n != name.n || memcmp(l->names[i].p, name.p, name.n) != 0))
		i++;
	if (i == FORM_NAMES)
		return -1;
	l->names[i] = name;
	l->nnames += i == l->nnames;
	return (int)i;
}

/* Parses a column after its $: a name, perhaps in braces, and perhaps a - or a #. Returns false after an error. */
static bool
form_column(struct delimited_layout *l, struct delimited_form *f, struct word *w)
{
	bool brace = delimited_take(w, '{');
	struct word name = {w->p, 0};

	for (; w->n && delimited_name_byte(*w->p, name.n); name.n++)
		delimited_take(w, *w->p);
	if ((brace && (!name.n || !delimited_take(w, '}'))) || f->n == FORM_COLUMNS)
		return false;
	f->name[f->n] = -1;
	if (name.n && (f->name[f->n] = delimited_name_of(l, name)) < 0)
		return false;
	f->any[f->n] = delimited_take(w, '-');
	f->number[f->n] = !f->any[f->n] && delimited_take(w, '#');
	f->n++;
	return true;
}

const char *
delimited_form_parse(struct delimited_layout *l, unsigned kind, struct word w)
{
	struct delimited_form *f = &l->form[l->nforms];
	bool any = false, named = false;

	if (l->nforms == FORMS)
		return "there are more than 64 shapes of lines";
	if (w.n < 2 || *w.p != '{' || w.p[w.n - 1] != '}')
		return "braces are expected around the shape: {$time $event}";
	w.p++;
	w.n -= 2;
	f->kind = (uint8_t)kind;
	while (w.n) {
		struct word *text = f->n ? &f->after[f->n - 1] : &f->before;

		*text = delimited_cut(&w, "$");
		if (f->n && w.n && !text->n)
			return "text is expected between two columns";
		if (delimited_take(&w, '$') && !form_column(l, f, &w))
			return "a column is $name or ${name}, at most 16 in a shape, and "
			       "64 names in all";
	}
	for (unsigned i = 0; i < f->n; i++) {
		any |= f->any[i];
		named |= f->name[i] >= 0 && i + 1 < f->n;
	}
	if ((kind == FORM_BEGUN || kind == FORM_RESUMED) && (!named || !f->any[f->n - 1]))
		return "the shape needs a column with a name before the last column, and "
		       "a - after the last";
	if ((kind == FORM_OPEN && !any) || (kind == FORM_MOVED && !f->n))
		return kind == FORM_OPEN ? "the shape must have a column with a -"
					 : "the shape must have a column";
	l->nforms++;
	return NULL;
}

void
delimited_escaped(struct buf *b, struct span text, char also)
{
	/* The pointer of an absent text is NULL. */
	if (!text.n)
		return;
	for (const uint8_t *p = text.p, *end = p + text.n, *stop; p < end; p = stop + 1) {
		stop = also ? memchr(p, also, (size_t)(end - p)) : NULL;
		stop = stop ? stop : end;
		buf_to(b, put_escaped(buf_room(b, 4 * (size_t)(stop - p) + 4), p,
				      (size_t)(stop - p)));
		if (stop < end) {
			buf_add(b, "\\x", 2);
			buf_add(b, put_hex2[*stop], 2);
		}
	}
}
