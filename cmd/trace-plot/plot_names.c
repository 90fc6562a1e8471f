/* plot_names.c - names of events by number: see plot_names.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/plot_names.h"
#include "trace-plot/scale.h"
#include "view/traits.h"

void
names_open(struct names *t, const char *expr, uint32_t most)
{
	const struct expr_tree *tree;
	const char *field = expr;

	t->of = NAMES_STATE;
	t->most = most;
	if (strcmp(expr, "state") != 0) {
		t->list = exprs_parse(expr, 0, NULL);
		tree = exprs_tree(t->list);
		if (tree->nlets != 1)
			die("%s: one expression is expected, not a list", expr);
		field = tree->lets[0].field;
		t->of = field && !strcmp(field, "event") ? NAMES_EVENT
			: field && !strcmp(field, "loc") ? NAMES_LOC
							 : NAMES_EXPR;
		t->inputs = field && !strcmp(field, "input");
	}
	if (most)
		strtab_id(&t->text, NAMES_OTHERS, strlen(NAMES_OTHERS));
}

uint32_t
names_id(struct names *t, const void *p, size_t n)
{
	uint32_t id;

	if (!t->most || t->text.n <= t->most)
		return strtab_id(&t->text, p, n);
	if (strtab_find(&t->text, p, n, &id))
		return id;
	t->more = true;
	return 0;
}

/* Returns the number of a name of an input. The name may be damaged, so TABs and NULs are escaped. */
static uint32_t
input_id(struct names *t, const void *p, size_t n)
{
	uint8_t *to;

	t->scratch.n = 0;
	to = buf_room(&t->scratch, 4 * n);
	return names_id(t, to, (size_t)(put_name(to, p, n) - to));
}

/* Gives all inputs their numbers, in the order of the operands. */
static void
number_inputs(struct names *t, const struct read_options *opt)
{
	struct buf name = {0};

	for (size_t i = 0; i < opt->operands; i++) {
		name.n = 0;
		operand_name(opt, i, &name);
		input_id(t, name.p, name.n);
	}
	buf_free(&name);
}

/* Returns the number of the name of type i, or of location i. */
static uint32_t
name_of(struct names *t, const struct source *s, uint32_t i)
{
	const struct type *ty = &s->t.type[i];
	char state[STATE_ROOM];

	if (t->of == NAMES_LOC)
		return input_id(t, s->t.str.v[i].s, s->t.str.v[i].len);
	if (t->of == NAMES_STATE && source_state(s, ty, state))
		return input_id(t, state, strlen(state));
	return input_id(t, ty->event, ty->event_len);
}

static bool
computed(struct names *t, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n, uint32_t *id)
{
	struct arena mem = {0};
	const struct val_env env = {.clock = s->head.clock, .mem = &mem};
	const struct vec *v;

	if (!exprs_run(t->list, s, b, pick, n))
		return false;
	if (t->inputs && t->text.n <= 1)
		number_inputs(t, s->opt);
	v = exprs_vec(t->list, 0);
	for (uint32_t j = 0; j < n; j++) {
		struct val one = vec_val(v, j);
		uint8_t *to;
		size_t m;

		t->scratch.n = 0;
		val_put(&t->scratch, &env, &one);
		if (!t->scratch.n)
			buf_byte(&t->scratch, '-');
		/* Names are stored as they are written: with TABs escaped. */
		m = t->scratch.n;
		to = buf_room(&t->scratch, 4 * m);
		id[j] = names_id(t, to, (size_t)(put_escaped(to, t->scratch.p, m) - to));
	}
	arena_free(&mem);
	return true;
}

bool
names_of(struct names *t, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n, uint32_t *id)
{
	size_t want = t->of == NAMES_LOC ? s->t.str.n : s->t.ntypes;

	if (t->of == NAMES_EXPR)
		return computed(t, s, b, pick, n, id);
	CACHE(t->known, t->known_cache, s, want);
	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(b, pick ? pick[j] : j);
		uint32_t i = t->of == NAMES_LOC ? r->loc : r->type;

		if (unlikely(!t->known[i]))
			t->known[i] = name_of(t, s, i) + 1;
		id[j] = t->known[i] - 1;
	}
	return true;
}

struct name_id {
	const char *text;
	uint32_t id;
};

static int
by_text(const void *a, const void *b)
{
	return natural_order(((const struct name_id *)a)->text,
			     ((const struct name_id *)b)->text);
}

uint32_t *
names_order(const struct strtab *t, uint32_t n)
{
	struct name_id *v = draw_room(n + 1, sizeof *v);
	uint32_t *order = draw_room(n + 1, sizeof *order);

	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct name_id){t->v[i].s, i};
	qsort(v, n, sizeof *v, by_text);
	for (uint32_t i = 0; i < n; i++)
		order[i] = v[i].id;
	return order;
}

uint32_t *
names_sorted(const struct names *t, uint32_t n)
{
	uint32_t *order = names_order(&t->text, n);

	for (uint32_t i = 0; t->inputs && i < n; i++)
		order[i] = i;
	return order;
}

/* Returns true if the text may have a character that reads from right to left, as in Hebrew and Arabic. */
static bool
right_to_left(const char *s)
{
	for (; *s; s++) {
		uint8_t a = (uint8_t)s[0], b = (uint8_t)s[1];

		if ((a >= 0xd7 && a < 0xe0) || (a == 0xe0 && b >= 0xa0 && b < 0xa4) ||
		    (a == 0xef && b >= 0xac && b < 0xbc) ||
		    (a == 0xf0 && (b == 0x90 || b == 0x9e)))
			return true;
	}
	return false;
}

void
names_shown(struct strtab *t, bool escaped)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const char *s = t->v[i].s;
		size_t n = t->v[i].len;
		bool rtl = right_to_left(s);
		char *to;

		if (!rtl && !(escaped && strchr(s, '\\')))
			continue;
		t->v[i].s = to = arena_get(&t->mem, n + 2);
		for (size_t k = 0; k < n; k++) {
			bool blank = escaped && !strncmp(s + k, "\\x20", 4);

			if (blank || (escaped && !strncmp(s + k, "\\x5c", 4))) {
				*to++ = blank ? ' ' : '\\';
				k += 3;
			} else
				*to++ = s[k];
		}
		if (rtl)
			*to++ = RTL_END;
		*to = '\0';
		t->v[i].len = (uint32_t)(to - t->v[i].s);
	}
}

void
names_free(struct names *t)
{
	exprs_free(t->list);
	strtab_free(&t->text);
	buf_free(&t->scratch);
	free(t->known);
	*t = (struct names){0};
}
