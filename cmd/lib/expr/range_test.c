/*
 * range_test.c - values of plain fields. The text of a field defines its value; integers and kept values only give
 * the same faster.
 */
#include <string.h>

#include "event/value.h"
#include "expr/range_test.h"
#include "input/cached_text.h"

/* Returns n * 10^-9 as a value: whole if it is a whole number. */
static struct val
of_nano(int64_t n)
{
	if (n % 1000000000 == 0)
		return val_i64(n / 1000000000);
	return (struct val){.kind = VAL_DECIMAL, .n = i128_i64(n)};
}

/* Returns the value of text[0..n), as in a stream. plain: as a text. A text is kept in mem. */
static struct val
of_text(struct engine *g, bool plain, const void *text, size_t n, struct arena *mem)
{
	struct buf *b = &g->scratch;
	struct val v;

	text_raw(b, text, n);
	v = plain ? val_text((const char *)b->p, b->n)
		  : val_of_text((const char *)b->p, b->n);
	if (v.kind == VAL_TEXT)
		v.s = arena_str(mem, v.s, v.len);
	return v;
}

/* Reads a whole number or a decimal of up to 18 digits, which most are. Returns false for anything else. */
static bool
short_number(const uint8_t *p, size_t n, struct val *v)
{
	const uint8_t *end = p + n;
	bool neg = n && *p == '-';
	int64_t x = 0;
	unsigned places = 0;

	p += neg;
	if (p == end || end - p > 18 || (unsigned)(*p - '0') > 9)
		return false;
	for (; p < end && (unsigned)(*p - '0') <= 9; p++)
		x = 10 * x + (*p - '0');
	if (p == end) {
		*v = val_i64(neg ? -x : x);
		return true;
	}
	if (*p++ != '.' || p == end || end - p > 9 || x > INT64_MAX / 1000000000 - 1)
		return false;
	for (; p < end; p++, places++) {
		if ((unsigned)(*p - '0') > 9)
			return false;
		x = 10 * x + (*p - '0');
	}
	for (; places < 9; places++)
		x *= 10;
	*v = of_nano(neg ? -x : x);
	return true;
}

/* Returns the value of a field from its text; a text is kept in mem. */
static struct val
by_text(struct engine *g, const struct field *f, const struct rec *r, struct arena *mem)
{
	struct buf text = {0};
	struct val v = {.kind = VAL_NONE};
	const uint8_t *p;
	uint32_t n;

	if (f->load == LOAD_TEXT && f->arg->kind == K_TEXT && !f->arg->array &&
	    rec_span(r, f->arg, &p, &n) && short_number(p, n, &v))
		return v;
	if (f->load == LOAD_TEXT && f->arg->labels && !f->arg->array &&
	    kind_is_int(f->arg->kind)) {
		uint64_t x = value_int((const uint8_t *)r + f->arg->off, f->arg->kind);
		bool sign = f->arg->kind >= K_I8 && f->arg->kind <= K_I64;

		if (!label_of(f->arg->labels, (int64_t)x))
			return sign ? val_i64((int64_t)x) : val_u64(x);
	}
	buf_room(&text, 1);
	if (field_text(&text, &g->s->head, &g->s->t, r, f))
		v = of_text(g, f->kind == FIELD_EVENT || f->kind == FIELD_LOC, text.p,
			    text.n, mem);
	buf_free(&text);
	return v;
}

struct val
range_test_val(struct engine *g, size_t asked, const struct rec *r)
{
	const struct field *f = view_field(g->view, r->type, asked);
	struct memo *m = &g->memo[asked];
	uint64_t x;

	switch (f->load) {
	case LOAD_NONE: break;
	case LOAD_INT:
	case LOAD_END:
		if (!field_load(f, r, &x))
			break;
		if (field_is_time(f->kind))
			return val_time((int64_t)x, g->s->head.clock);
		if (f->number == K_NS)
			return of_nano((int64_t)x);
		return f->sign ? val_i64((int64_t)x) : val_u64(x);
	case LOAD_CONST:
	case LOAD_STRING:
		if (!m->known) {
			m->load = f->load;
			m->kind = f->kind;
			m->part = f->part;
		}
		/* A value that depends only on the number of a string or a type is kept. */
		if (m->load == f->load && m->kind == f->kind && m->part == f->part) {
			uint32_t number = f->load == LOAD_CONST
					      ? r->type
					      : ld32((const uint8_t *)r + f->off);

			if (number >= m->known_cap || !m->known[number]) {
				GROW(m->v, m->cap, (size_t)number + 1);
				GROW(m->known, m->known_cap, (size_t)number + 1);
				m->v[number] = by_text(g, f, r, &g->memo_mem);
				m->known[number] = 1;
			}
			return m->v[number];
		}
		return by_text(g, f, r, &g->mem);
	default: return by_text(g, f, r, &g->mem);
	}
	return (struct val){.kind = VAL_NONE};
}

struct val
range_test_compared(struct engine *g, size_t asked, const struct rec *r, struct val v)
{
	double nano = v.r * 1e9;
	struct val text;

	if (v.kind != VAL_REAL)
		return v;
	/* Most reals have more than nine decimals, and are exact already. */
	if (nano > -1e15 && nano < 1e15 &&
	    (double)(int64_t)(nano < 0 ? nano - .5 : nano + .5) / 1e9 != v.r)
		return v;
	text = range_test_text(g, asked, r);
	return text.kind == VAL_TEXT ? val_exact(text.s, text.len) : v;
}

struct val
range_test_text(struct engine *g, size_t asked, const struct rec *r)
{
	struct val v = {.kind = VAL_NONE};
	struct buf text = {0};

	buf_room(&text, 1);
	if (field_text(&text, &g->s->head, &g->s->t, r,
		       view_field(g->view, r->type, asked)))
		v = of_text(g, true, text.p, text.n, &g->mem);
	buf_free(&text);
	return v;
}

struct val
range_test_field(struct engine *g, const struct node *node, const struct rec *r)
{
	size_t asked = g->tree->fields[node->left].asked;
	struct val v;

	if (node->op == N_TEXT)
		return range_test_text(g, asked, r);
	v = range_test_val(g, asked, r);
	return node->variant ? range_test_compared(g, asked, r, v) : v;
}
