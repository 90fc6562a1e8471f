/* dumpi2txt_compat.c - the text that dumpi2ascii prints, byte for byte: the calls. Arrays and strings are in
 * compat_value.c, everything else in a file in compat_file.c.
 *
 * A call's text is a list of segments, made when the call is first seen: a literal with everything between two
 * values, and how the value after it is written. Accidents of dumpi2ascii are copied, too: of a count that is
 * stored twice the second one is printed, and arguments that only root has are 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dumpi2txt/dumpi2txt_compat.h"
#include "dumpi/make.h"
#include "input/fault.h"

#define SEGMENTS (DUMPI_ARGS + 1)

struct compat_plan {
	char enter[LIT + 16]; /* "MPI_Send entering at walltime " */
	uint32_t enter_n;
	struct compat_seg seg[SEGMENTS];
};

struct compat {
	struct source *s;
	struct out *o;
	struct dumpi_rank *r;
	struct compat_plan *plan[DUMPI_CALLS]; /* for the rank's layout */
	unsigned layout;
	struct texts *texts[64]; /* by number of the type */
	struct second_cache wall, cpu;
};

/* ---- building ---- */

/* Returns the argument whose count is printed: the last stored array with that count, because reading an array
 * sets its count; or else the count itself. */
static int8_t
counted_by(const struct dumpi_layout *l, const struct dumpi_call *k, int count)
{
	int8_t last = (int8_t)count;

	for (int i = 0; i < k->nargs; i++) {
		const struct dumpi_arg *a = &k->arg[i];

		if (a->len == count && i > count && !(a->one & l->old) &&
		    a->shape != SHAPE_STATUS && a->shape != SHAPE_STRS)
			last = (int8_t)i;
	}
	return last;
}

static enum write
writes(const struct dumpi_layout *l, unsigned call, const struct dumpi_arg *a)
{
	switch (a->shape) {
	case SHAPE_ARRAY: return a->one & l->old ? W_PADDED : W_NUMBERS;
	case SHAPE_ROWS: return W_ROWS;
	case SHAPE_STR: return W_STR;
	case SHAPE_STRS: return W_STRS;
	case SHAPE_STRARRAY: return W_STRARRAY;
	case SHAPE_STRROWS: return W_STRROWS;
	case SHAPE_STATUS: return W_STATUS;
	}
	if (call > 290)
		return W_FUNCTION;
	if (a->type->width == 8)
		return W_I64;
	if (a->type->width < 4)
		return W_HANDLE;
	if (strstr(a->type->name, "request"))
		return W_REQUEST;
	return a->type->labels.n ? W_RANK : W_I32;
}

static struct compat_plan *
plan_new(struct compat *c, unsigned call)
{
	const struct dumpi_call *k = &dumpi_calls[call];
	const struct dumpi_layout *l = c->r->layout;
	struct compat_plan *pl = xcalloc(1, sizeof *pl);
	struct compat_seg *g = pl->seg;
	const struct dumpi_type *first = dumpi_type_named("i32", 3);

	pl->enter_n =
	    (uint32_t)snprintf(pl->enter, LIT, "%s entering at walltime ", k->name);
	for (unsigned i = 0; i < k->nargs; i++) {
		const struct dumpi_arg *a = &k->arg[k->print[i]];
		int count;

		if (a->only) /* dumpi2ascii skips it */
			continue;
		g->arg = k->print[i];
		g->type = a->type;
		g->write = (uint8_t)writes(l, call, a);
		g->many = a->brackets;
		count = g->write == W_I32 ? g->arg : a->len;
		g->count = count < 0 ? -1 : counted_by(l, k, count);
		if (g->write == W_HANDLE) {
			struct texts **t = &c->texts[a->type - first];

			if (!*t)
				*t = xcalloc(1, sizeof **t);
			g->texts = *t;
		}
		g->n = (uint32_t)snprintf(
		    (char *)g->lit, LIT, "\n%s %s%s",
		    g->write == W_FUNCTION ? "int" : a->type->decl, a->name,
		    (g->write >= W_NUMBERS && g->write != W_STATUS) || a->brackets ? "["
										   : "=");
		g++;
	}
	g->write = W_END;
	g->n =
	    (uint32_t)snprintf((char *)g->lit, LIT, "\n%s returning at walltime ", k->name);
	return pl;
}

/* ---- writing ---- */

static INLINE uint8_t *
compat_time(uint8_t *p, struct second_cache *s, const uint8_t *q, int32_t bias)
{
	uint64_t v;
	int32_t sec;

	if (!q) {
		memcpy(p, "0.000000000", 11);
		return p + 11;
	}
	v = be64(q - 2);
	sec = (int32_t)((uint32_t)(v >> 32 & UINT16_MAX) + (uint32_t)bias);
	if (unlikely(sec < 0 || (uint32_t)v >= 1000000000))
		return p + snprintf((char *)p, 40, "%d.%09d", (int)sec, (int)(int32_t)v);
	return put_ns(p, s, (int64_t)sec * 1000000000 + (uint32_t)v);
}

/* Writes "S.NS, cputime S.NS seconds in thread T.\n", at the start or the end of a call. */
static INLINE uint8_t *
put_moment(struct compat *c, uint8_t *p, const uint8_t *wall, const uint8_t *cpu,
	   uint32_t thread)
{
	p = compat_time(p, &c->wall, wall, c->r->wall_bias);
	memcpy(p, ", cputime        ", 16);
	p += 10;
	p = compat_time(p, &c->cpu, cpu, c->r->cpu_bias);
	memcpy(p, " seconds in thre", 16);
	memcpy(p + 16, "ad              ", 16);
	p = put_u32(p + 19, thread);
	*p++ = '.';
	return p;
}

static COLD uint8_t *
put_counters(struct compat *c, uint8_t *p, const struct dumpi_view *v, bool out)
{
	if (!v->nperf)
		return p;
	p = put_word(compat_room(c->o, p), "\nPerfcounters: [");
	for (unsigned i = 0; i < v->nperf; i++) {
		struct span name = {(const uint8_t *)"", 0};

		if (i)
			p = put_word(p, ", ");
		dumpi_label(&c->r->sec, i, &name);
		p = out_bytes_at(c->o, p, name.p, name.n);
		*p++ = '=';
		p = put_i64(p, (int64_t)be64(v->perf + 16 * (size_t)i + (out ? 8 : 0)));
		p = compat_room(c->o, p);
	}
	*p++ = ']';
	return p;
}

static COLD uint8_t *
make_handle(uint8_t *p, const struct dumpi_type *t, struct texts *texts, int64_t v)
{
	uint8_t *q = put_i64(p, v);

	*q++ = ' ';
	*q++ = '(';
	q = put_word(q, dumpi_word(t, v));
	*q++ = ')';
	if (v >= 0 && v < NAMED && q - p <= 48) {
		memcpy(texts->v[v].text, p, (size_t)(q - p));
		texts->v[v].n = (uint32_t)(q - p);
	}
	return q;
}

static inline uint8_t *
put_handle(uint8_t *p, const struct compat_seg *g, const uint8_t *a)
{
	int64_t v = 0;

	if (a)
		v = g->type->width == 2	    ? (int16_t)be16(a)
		    : g->type->kind == K_I8 ? (int8_t)*a
					    : *a;
	if (likely((uint64_t)v < NAMED && g->texts->v[v].n)) {
		memcpy(p, g->texts->v[v].text, 16);
		memcpy(p + 16, g->texts->v[v].text + 16, 16);
		memcpy(p + 32, g->texts->v[v].text + 32, 16);
		return p + g->texts->v[v].n;
	}
	return make_handle(p, g->type, g->texts, v);
}

/* Writes one record. arg: its arguments, NULL if not stored; v: NULL if there are no counters. */
static INLINE uint8_t *
compat_record(struct compat *c, uint8_t *p, const uint8_t *rec, unsigned call,
	      const uint8_t *const *arg, const struct dumpi_view *v)
{
	struct compat_plan *pl = c->plan[call];
	uint32_t thread = rec[2] & MASK_THREAD ? be16(rec + 3) : 0, cut = 0;
	const uint8_t *cpu, *wall;
	const struct compat_seg *g;

	dumpi_times(rec, &cpu, &wall);
	if (unlikely(!pl))
		pl = c->plan[call] = plan_new(c, call);
	copy16s(p, (const uint8_t *)pl->enter, pl->enter_n);
	p = put_moment(c, p + pl->enter_n, wall, cpu, thread);
	if (unlikely(v && v->nperf))
		p = put_counters(c, p, v, false);
	for (g = pl->seg;; g++) {
		const uint8_t *a = arg[g->arg], *n;

		copy16s(p, g->lit + cut, g->n - cut);
		p += g->n - cut;
		cut = 0;
		if (g->write == W_END)
			break;
		n = g->count >= 0 && arg[g->count] ? arg[g->count] : a;
		switch (g->write) {
		case W_I32: p = put_int(p, n ? be32(n) : 0); break;
		case W_HANDLE: p = put_handle(p, g, a); break;
		case W_REQUEST:
			*p++ = '[';
			p = put_int(p, a ? be32(a) : 0);
			*p++ = ']';
			break;
		default:
			/* The length of an array that is not stored is in its count. */
			if (g->count >= 0 && !arg[g->count]) {
				int8_t len = dumpi_calls[call].arg[g->arg].len;

				n = len >= 0 ? arg[len] : NULL;
			}
			p = dumpi_compat_value(c->o, c->r, p, g, a, n ? be32(n) : 0);
			cut = g->write == W_ROWS;
		}
	}
	p = put_moment(c, p, wall ? wall + 6 : NULL, cpu ? cpu + 6 : NULL, thread);
	if (unlikely(v && v->nperf))
		p = put_counters(c, p, v, true);
	*p++ = '\n';
	return p;
}

static void
compat_body(struct compat *c)
{
	struct dumpi_rank *r = c->r;
	struct in *in = r->in;
	uint8_t *p = out_room(c->o);

	while (!c->s->stop) {
		const uint8_t *rec = in->p, *base[DUMPI_PARTS + 1], *args[DUMPI_ARGS];
		const uint8_t *const *arg = args;
		struct dumpi_view view, *v = NULL;
		const struct dumpi_plan *pl;
		unsigned call;
		bool quick;
		size_t len;

		if (likely(in_left(in) > DUMPI_QUICK && !r->finalized) &&
		    (len = dumpi_quick(r->layout, rec, &pl, base)) != 0) {
			prefetch(rec + 512);
			call = be16(rec);
			args[0] = NULL;
			for (unsigned i = 0; i < dumpi_calls[call].nargs; i++)
				args[i] = dumpi_arg_at(pl, base, i);
		} else {
			rec = dumpi_next(c->s, r, &view, base, &quick, &len, false);
			if (!rec)
				break;
			if (quick)
				continue; /* it has read on: try the quick way again */
			v = &view;
			call = view.call;
			arg = view.arg;
		}
		if (unlikely(p >= c->o->lim))
			p = compat_room(c->o, p);
		p = compat_record(c, p, rec, call, arg, v);
		in->p += len;
		r->records++;
		r->count[call]++;
	}
	c->o->p = p;
}

void
dumpi_compat(struct source *s, struct out *o, bool all)
{
	const struct dumpi_rank *only = dumpi_nranks(s) == 1 ? dumpi_rank(s, 0) : NULL;
	struct compat c = {.s = s, .o = o};

	if (all && only && !only->sec.loaded && !only->ended) {
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "--compat=all begins with the header, which stands at "
		      "the end of this pipe");
		return;
	}
	for (size_t i = 0; i < dumpi_nranks(s); i++) {
		c.r = dumpi_rank(s, i);
		if (!c.r->layout)
			continue;
		if (c.r->layout->index != c.layout) {
			for (unsigned k = 0; k < DUMPI_CALLS; k++) {
				FREE(c.plan[k]);
			}
			c.layout = c.r->layout->index;
		}
		if (all)
			dumpi_compat_header(o, c.r);
		compat_body(&c);
		dumpi_finish(s, c.r);
		s->count.events += c.r->records;
		if (all)
			dumpi_compat_sections(o, c.r);
	}
	for (unsigned k = 0; k < DUMPI_CALLS; k++)
		free(c.plan[k]);
	for (unsigned k = 0; k < 64; k++)
		free(c.texts[k]);
}
