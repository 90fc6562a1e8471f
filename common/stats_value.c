/* stats_value.c - the values of a batch into the columns of their groups. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "num.h"
#include "stats.h"
#include "value.h"

struct binding
stats_bind(const struct source *s, const char *name, const struct type *ty)
{
	bool ns = s->head.clock == CLOCK_NS;
	struct binding b = {.how = BIND_WORD,
			    .class = ns ? NANO_POS : INT_POS,
			    .sign = ns,
			    .field = field_find(name, &s->head, ty)};
	const struct arg *a = b.field.arg;

	switch (b.field.kind) {
	case FIELD_NONE: b.how = BIND_NONE; break;
	case FIELD_TIME: b.off = offsetof(struct rec, time); break;
	case FIELD_DUR:
		b.off = offsetof(struct rec, dur);
		b.bit = HAS_DUR;
		break;
	case FIELD_END:
		b.how = BIND_END;
		b.bit = HAS_DUR;
		break;
	case FIELD_ADDR:
	case FIELD_SIZE:
		b.bit = b.field.kind == FIELD_ADDR ? HAS_ADDR : HAS_SIZE;
		b.off = b.field.kind == FIELD_ADDR ? offsetof(struct rec, addr)
						   : offsetof(struct rec, size);
		b.hex = b.field.kind == FIELD_ADDR && ty->addr_hex;
		b.class = INT_POS;
		b.sign = false;
		break;
	case FIELD_ARG:
		if (a->array || a->labels || (!kind_is_int(a->kind) && a->kind != K_NS)) {
			b.how = BIND_TEXT;
			break;
		}
		b.how = kind_width(a->kind) == 8 ? BIND_WORD : BIND_NUMBER;
		b.off = a->off;
		b.hex = a->kind == K_X32 || a->kind == K_X64;
		b.class = a->kind == K_NS ? NANO_POS : INT_POS;
		b.sign = a->kind == K_NS || (a->kind >= K_I8 && a->kind <= K_I64);
		break;
	default: b.how = BIND_TEXT; break;
	}
	if (b.bit && !(ty->may & b.bit))
		b.how = BIND_NONE;
	else if (ty->must & b.bit)
		b.bit = 0;
	return b;
}

static INLINE void
tally_add(struct tally *a, uint64_t v)
{
	a->n++;
	a->lo += v;
	a->hi += a->lo < v;
	if (unlikely(~v > a->not_min))
		a->not_min = ~v;
	if (unlikely(v > a->max))
		a->max = v;
}

/* Many values of one group: kept in registers. */
static void
tally_run(struct tally *a, const uint64_t *v, uint32_t n)
{
	struct tally t = *a;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t x = v[i], not_x = ~x;

		t.lo += x;
		t.hi += t.lo < x;
		t.not_min = not_x > t.not_min ? not_x : t.not_min;
		t.max = x > t.max ? x : t.max;
	}
	t.n += n;
	*a = t;
}

bool
one_group(const uint32_t *g, uint32_t n)
{
	uint32_t differ = 0;

	if (g[0] != g[n - 1])
		return false;
	for (uint32_t i = 1; i < n; i++)
		differ |= g[i] ^ g[0];
	return !differ;
}

static void
square_add(struct square *s, uint64_t v)
{
	uint64_t lo, hi;

	mul64(v, v, &lo, &hi);
	s->w[0] += lo;
	hi += s->w[0] < lo; /* at most 2^64 - 2 before */
	s->w[1] += hi;
	s->w[2] += s->w[1] < hi;
}

#define ROOM(what, class)                                                                \
	(col->what[class] = grow(col->what[class], &col->what##_cap[class], st->ngroups, \
				 sizeof *col->what[class]))

/* Where values become numbers of intervals: hist(size,1K). */
static void
divide(const struct col *c, unsigned class, uint64_t *to, const uint64_t *v, uint32_t n)
{
	uint64_t by = c->div;

	if (class >= NANO_POS && !c->div_time)
		by = by > UINT64_MAX / 1000000000 ? UINT64_MAX : by * 1000000000;
	for (uint32_t i = 0; i < n; i++)
		/* Down, also below zero: -1 is in the interval that ends at 0. */
		to[i] = v[i] / by + (class % 2 && v[i] % by != 0);
}

/* More groups than the caches hold: every one is fetched ahead. */
#define GROUPS_NEAR 1000
#define AHEAD 64

static void
add_far(struct hist *hist, const uint32_t *g, const uint64_t *v, uint32_t n, unsigned bits)
{
#if defined(__GNUC__)
	for (uint32_t i = 0; i < n; i++)
		__builtin_prefetch(&hist[g[i]]);
#endif
	for (uint32_t from = 0; from < n; from += AHEAD) {
		uint32_t to = from + AHEAD < n ? from + AHEAD : n;

		for (uint32_t i = from; i < to; i++)
			hist_fetch(&hist[g[i]], v[i], bits);
		for (uint32_t i = from; i < to; i++)
			hist_add(&hist[g[i]], v[i], bits);
	}
}

void
column_values(struct stats *st, size_t c, unsigned class, const uint32_t *g,
	      const uint64_t *v, uint32_t n)
{
	const struct col *spec = &st->spec->col[c];
	struct column *col = &st->col[c];
	unsigned bits = st->spec->bits;
	uint64_t divided[BATCH];

	if (!n)
		return;
	if (spec->acc & ACC_NUM) {
		struct tally *num = ROOM(num, class);

		if (spec->kind == COL_SEQUENTIAL || spec->kind == COL_UNALIGNED)
			/* 0 or 1: nobody asks for the least and the greatest. */
			for (uint32_t i = 0; i < n; i++) {
				num[g[i]].n++;
				num[g[i]].lo += v[i];
			}
		else if (one_group(g, n))
			tally_run(&num[g[0]], v, n);
		else
			for (uint32_t i = 0; i < n; i++)
				tally_add(&num[g[i]], v[i]);
	}
	if (class == TEXTS)
		return;
	if (spec->acc & ACC_SQUARE) {
		struct square *square = ROOM(square, class);

		for (uint32_t i = 0; i < n; i++)
			square_add(&square[g[i]], v[i]);
	}
	if (spec->acc & ACC_HIST) {
		struct hist *hist = ROOM(hist, class);

		if (spec->div) {
			divide(spec, class, divided, v, n);
			v = divided;
		}
		if (st->ngroups <= GROUPS_NEAR)
			for (uint32_t i = 0; i < n; i++)
				hist_add(&hist[g[i]], v[i], bits);
		else
			add_far(hist, g, v, n, bits);
	}
}

/* A signed value into the class of its sign. */
static void
add_signed(struct stats *st, size_t c, unsigned class, uint32_t g, uint64_t v)
{
	if ((int64_t)v < 0)
		column_values(st, c, class + 1, &g, &(uint64_t){0 - v}, 1);
	else
		column_values(st, c, class, &g, &v, 1);
}

/* The class of a text, and its magnitude. */
static unsigned
class_of_text(const uint8_t *p, size_t n, uint64_t *v)
{
	struct num num;

	*v = 0;
	if (!n || !num_parse((const char *)p, n, false, &num, NULL))
		return TEXTS;
	if (memchr(p, '.', n) && num.whole < UINT64_MAX / 1000000000) {
		*v = num.whole * 1000000000 + num.nano;
		return num.neg && *v ? NANO_NEG : NANO_POS;
	}
	*v = num.whole;
	return num.neg && *v ? INT_NEG : INT_POS;
}

struct datum
datum_of_text(const char *p, size_t n)
{
	struct datum d = {0};

	d.class = (uint8_t)class_of_text((const uint8_t *)p, n, &d.v);
	if (d.class == TEXTS) {
		d.v = n;
		d.text = (char *)(uintptr_t)p;
	} else if (n > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
		d.class = INT_HEX;
	return d;
}

/* The magnitude's bits with the class in: so equal numbers are equal in every form. */
uint64_t
datum_hash(const struct datum *d)
{
	static const uint64_t tag[] = {[INT_NEG] = 0x6a09e667f3bcc908u,
				       [NANO_POS] = 0xbb67ae8584caa73bu,
				       [NANO_NEG] = 0x3c6ef372fe94f82bu,
				       [INT_HEX] = 0};

	return d->class == TEXTS ? hash64(d->text, (size_t)d->v)
				 : mix64(d->v ^ tag[d->class]);
}

/* The value of one event; false when it has none. A text lies in st->scratch. */
static bool
value_of(struct stats *st, const struct source *s, const struct rec *r,
	 const struct binding *b, struct datum *d)
{
	uint64_t v;

	if (b->bit & ~r->has)
		return false;
	switch (b->how) {
	case BIND_NONE: return false;
	case BIND_WORD: v = ld64((const uint8_t *)r + b->off); break;
	case BIND_NUMBER:
		v = value_int((const uint8_t *)r + b->off, b->field.arg->kind);
		break;
	case BIND_END: v = (uint64_t)r->time + (uint64_t)r->dur; break;
	default:
		st->scratch.n = 0;
		if (!field_text(&st->scratch, s, r, b->field))
			return false;
		*d = datum_of_text((const char *)st->scratch.p, st->scratch.n);
		return true;
	}
	*d = (struct datum){.class = b->hex ? INT_HEX : b->class, .v = v};
	if (b->sign && (int64_t)v < 0) {
		d->class ++;
		d->v = 0 - v;
	}
	return true;
}

/* Files in the order of their names, then parts, then events. */
bool
end_before(const struct strtab *files, uint32_t file, uint64_t begin, uint64_t seq,
	   const struct end *e)
{
	if (file != e->file)
		return strcmp(files->v[file].s, files->v[e->file].s) < 0;
	return begin != e->begin ? begin < e->begin : seq < e->seq;
}

static void
end_set(struct end *e, uint32_t file, uint64_t begin, uint64_t seq, const struct datum *d)
{
	datum_free(&e->datum);
	*e = (struct end){true, file, begin, seq, datum_copy(d)};
}

/* A value as such: for distinct, top, mode, first, last. */
static void
add_datum(struct stats *st, size_t c, uint32_t g, uint64_t begin, uint64_t seq,
	  const struct datum *d)
{
	struct column *col = &st->col[c];
	unsigned acc = st->spec->col[c].acc;
	uint64_t hash = datum_hash(d);

	if (acc & ACC_SET)
		set_add(&col->set[g], hash);
	if (acc & ACC_TOP)
		top_add(&col->top[g], hash, d, 1, 0);
	if (acc & ACC_ENDS) {
		struct end *first = &col->first[g], *last = &col->last[g];

		if (!first->any || end_before(&st->files, st->file, begin, seq, first))
			end_set(first, st->file, begin, seq, d);
		if (!last->any || !end_before(&st->files, st->file, begin, seq, last))
			end_set(last, st->file, begin, seq, d);
	}
}

/* Room for all groups. */
void
column_room(struct stats *st, size_t c)
{
	struct column *col = &st->col[c];
	unsigned acc = st->spec->col[c].acc;
	uint32_t n = st->ngroups;

	if (acc & ACC_SET)
		col->set = grow(col->set, &col->set_cap, n, sizeof *col->set);
	if (acc & ACC_PAGES)
		col->pages = grow(col->pages, &col->pages_cap, n, sizeof *col->pages);
	if (acc & ACC_TOP) {
		size_t from = col->top_cap;

		col->top = grow(col->top, &col->top_cap, n, sizeof *col->top);
		for (; from < col->top_cap; from++)
			col->top[from].cap = TOP_CAP(st->spec->top);
	}
	if (acc & ACC_ENDS) {
		col->first = grow(col->first, &col->first_cap, n, sizeof *col->first);
		col->last = grow(col->last, &col->last_cap, n, sizeof *col->last);
	}
}

void
column_one(struct stats *st, size_t c, uint32_t g, struct value v, uint64_t begin,
	   uint64_t seq)
{
	struct datum d = {.class = (uint8_t)v.class, .v = v.v};

	column_values(st, c, v.class, &g, &v.v, 1);
	column_room(st, c);
	add_datum(st, c, g, begin, seq, &d);
}

static void
add_data(struct stats *st, const struct source *s, size_t c, const uint8_t *base,
	 const uint32_t *off, uint32_t n, const uint32_t *g)
{
	size_t nc = st->spec->ncols;
	struct datum d;

	column_room(st, c);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = (const struct rec *)(const void *)(base + off[i]);

		if (value_of(st, s, r, &st->bound[r->type * nc + c], &d))
			add_datum(st, c, g[i], s->begin, ++st->seq, &d);
	}
}

static void
add_one(struct stats *st, const struct source *s, const struct rec *r, size_t c, uint32_t g)
{
	struct datum d;

	if (!value_of(st, s, r, &st->bound[r->type * st->spec->ncols + c], &d))
		return;
	column_values(st, c, d.class == INT_HEX ? INT_POS : d.class, &g, &d.v, 1);
}

void
column_add(struct stats *st, const struct source *s, size_t c, const uint8_t *base,
	   const uint32_t *off, uint32_t n, const uint32_t *g)
{
	const struct binding *b = &st->same[c];
	uint64_t v[BATCH], negative = 0;
	uint32_t g2[BATCH], at = b->off, k = 0;

	if (b->how == BIND_NONE)
		return;
	if (st->spec->col[c].acc & (ACC_SET | ACC_TOP | ACC_ENDS))
		add_data(st, s, c, base, off, n, g);
	if (!(st->spec->col[c].acc & (ACC_NUM | ACC_SQUARE | ACC_HIST)))
		return;
	if (b->how != BIND_WORD) {
		for (uint32_t i = 0; i < n; i++)
			add_one(st, s, (const struct rec *)(const void *)(base + off[i]), c,
				g[i]);
		return;
	}
	if (!b->bit) {
		for (uint32_t i = 0; i < n; i++) {
			v[i] = ld64(base + off[i] + at);
			negative |= v[i];
		}
		k = n;
	} else {
		for (uint32_t i = 0; i < n; i++) {
			const struct rec *r =
			    (const struct rec *)(const void *)(base + off[i]);

			v[k] = ld64((const uint8_t *)r + at);
			negative |= v[k];
			g2[k] = g[i];
			k += (r->has & b->bit) != 0;
		}
		g = g2;
	}
	if (!b->sign || !(negative >> 63)) {
		column_values(st, c, b->class, g, v, k);
		return;
	}
	for (uint32_t i = 0; i < k; i++)
		add_signed(st, c, b->class, g[i], v[i]);
}

#define PAGE 4096

void
column_blocks(struct stats *st, size_t c, const uint8_t *base, const uint32_t *off,
	      uint32_t n, const uint32_t *g)
{
	uint64_t v[BATCH], block = st->block;
	bool pages = st->spec->col[c].kind == COL_PAGES;
	uint32_t to[BATCH], k = 0;

	column_room(st, c);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = (const struct rec *)(const void *)(base + off[i]);
		uint64_t begin = r->addr * block, end = begin + r->size;

		if ((r->has & (HAS_ADDR | HAS_SIZE)) != (HAS_ADDR | HAS_SIZE))
			continue;
		if (!pages) {
			to[k] = g[i];
			v[k++] = ((begin | end) & (PAGE - 1)) != 0;
		} else if (end > begin)
			pages_add(&st->col[c].pages[g[i]], begin / PAGE, (end - 1) / PAGE);
	}
	column_values(st, c, INT_POS, to, v, k);
}

void
column_free(struct column *c)
{
	for (unsigned k = 0; k < CLASSES; k++)
		free(c->num[k]);
	for (unsigned k = 0; k < TEXTS; k++) {
		for (size_t g = 0; g < c->hist_cap[k]; g++)
			hist_free(&c->hist[k][g]);
		free(c->hist[k]);
		free(c->square[k]);
	}
	for (size_t g = 0; g < c->set_cap; g++)
		set_free(&c->set[g]);
	for (size_t g = 0; g < c->top_cap; g++)
		top_free(&c->top[g]);
	for (size_t g = 0; g < c->first_cap; g++)
		datum_free(&c->first[g].datum);
	for (size_t g = 0; g < c->last_cap; g++)
		datum_free(&c->last[g].datum);
	for (size_t g = 0; g < c->pages_cap; g++)
		pages_free(&c->pages[g]);
	free(c->pages);
	free(c->set);
	free(c->top);
	free(c->first);
	free(c->last);
	free(c->chain);
}
