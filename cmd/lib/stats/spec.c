/* spec.c - the question to trace-stats: its keys and columns, and the fields that they need. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "expr/filter.h"
#include "stats/accumulator.h"

#define NEED_REQUESTS (NEED_ADDR | NEED_SIZE | NEED_ORDER)

/* The fields that each kind of column needs; for COL_FIELD its name decides. */
static const struct {
	const char *name;
	unsigned need;
	bool chains; /* values depend on the previous event */
	bool bytes;  /* values depend on the unit of addr */
} kinds[] = {
    [COL_GAP] = {"gap", NEED_TIME | NEED_ORDER, true, false},
    [COL_INSIDE] = {SPEC_INSIDE, NEED_TIME | NEED_DUR | NEED_ORDER, true, false},
    [COL_PAGES] = {".pages", NEED_REQUESTS, false, true},
    [COL_SEQUENTIAL] = {".sequential", NEED_REQUESTS, true, true},
    [COL_UNALIGNED] = {".unaligned", NEED_REQUESTS, false, true},
    [COL_ENTER] = {".enter", 0, false, false},
    [COL_EVENT] = {".event", 0, false, false},
};

static enum col_kind
kind_of(const char *name)
{
	for (size_t i = COL_GAP; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].name, name))
			return (enum col_kind)i;
	return COL_FIELD;
}

bool
spec_own(const char *name, size_t n)
{
	for (size_t i = COL_PAGES; i <= COL_UNALIGNED; i++)
		if (strlen(kinds[i].name) == n && !memcmp(kinds[i].name, name, n))
			return true;
	return false;
}

void
spec_key(struct spec *p, const char *name, size_t n)
{
	*PUSH(p->key, p->nkeys, p->key_cap) = xstrndup(name, n);
}

const char *
spec_text(const struct spec *p, const char *name)
{
	for (size_t i = 0; i < p->ncomputed; i++)
		if (!strcmp(p->computed[i].name, name))
			return p->computed[i].text;
	return name;
}

struct shown *
spec_show(struct spec *p, const char *label)
{
	struct shown *out = PUSH(p->shown, p->nshown, p->shown_cap);

	*out = (struct shown){.label = xstrdup(label)};
	return out;
}

struct col *
spec_col_add(struct spec *p, const char *name)
{
	struct col *col = PUSH(p->col, p->ncols, p->col_cap);

	*col = (struct col){.name = xstrdup(name), .kind = kind_of(name)};
	p->chains |= kinds[col->kind].chains;
	p->bytes |= kinds[col->kind].bytes;
	return col;
}

bool
same_events(const char *when, const char *other)
{
	return when && other ? !strcmp(when, other) : when == other;
}

size_t
spec_col_named(const struct spec *p, const char *name, const char *when)
{
	size_t i = 0;

	for (; i < p->ncols; i++) {
		const struct col *c = &p->col[i];

		if (!strcmp(c->name, name) && !c->div && same_events(c->when, when))
			break;
	}
	return i;
}

int
spec_col(struct spec *p, const char *name, const char *when, unsigned acc)
{
	size_t i = spec_col_named(p, name, when);

	if (i == p->ncols)
		spec_col_add(p, name)->when = when ? xstrdup(when) : NULL;
	p->col[i].acc |= p->col[i].kind == COL_PAGES ? ACC_PAGES : acc;
	p->ends |= (acc & ACC_ENDS) != 0;
	return (int)i;
}

void
spec_free(struct spec *p)
{
	for (size_t i = 0; i < p->nkeys; i++) {
		free(p->key[i]);
		free(p->key_label[i]);
	}
	for (size_t i = 0; i < p->naggs; i++) {
		free(p->agg[i].text);
		free(p->agg[i].plain);
	}
	for (size_t i = 0; i < p->nshown; i++)
		free(p->shown[i].label);
	for (size_t i = 0; i < p->ncomputed; i++)
		free(p->computed[i].text);
	exprs_free(p->rows);
	free(p->computed);
	free(p->shown);
	free(p->agg_of);
	for (size_t i = 0; i < p->ncols; i++) {
		free(p->col[i].name);
		free(p->col[i].when);
	}
	free(p->when);
	free(p->key);
	free(p->agg);
	free(p->col);
	memset(p, 0, sizeof *p);
}

unsigned
spec_bits(const struct spec *p, size_t col)
{
	return p->col[col].div ? SPEC_BITS_INTERVALS : p->bits;
}

static unsigned
expr_text_need(const char *text)
{
	struct expr *e = expr_parse(text);
	unsigned need = expr_need(e);

	expr_free(e);
	return need;
}

/* Returns the columns of events that a column needs: NEED_*. */
static unsigned
col_need(const struct col *c)
{
	if (c->kind != COL_FIELD)
		return kinds[c->kind].need;
	return *c->name == *COMPUTED ? 0 : field_need(c->name);
}

bool
spec_key_input(const struct spec *p, size_t i)
{
	return !strcmp(p->key[i], SPEC_INPUT);
}

bool
spec_by_input(const struct spec *p)
{
	for (size_t i = 0; i < p->nkeys; i++)
		if (spec_key_input(p, i))
			return true;
	return false;
}

unsigned
spec_need(const struct spec *p)
{
	unsigned need = expr_text_need(p->when);

	for (size_t i = 0; i < p->nkeys; i++)
		if (strcmp(p->key[i], SPEC_STATE) != 0 && *p->key[i] != *COMPUTED)
			need |= field_need(p->key[i]);
	for (size_t i = 0; i < p->ncols; i++)
		need |= col_need(&p->col[i]) | expr_text_need(p->col[i].when);
	for (size_t i = 0; i < p->naggs; i++)
		need |= p->agg[i].is->kind == AGG_RATE ? NEED_TIME : 0;
	return need | (p->window ? NEED_TIME : 0) | (p->spread ? NEED_DUR : 0) |
	       (p->depths ? NEED_TIME | NEED_ORDER : 0) | (p->ends ? NEED_ORDER : 0);
}
