/* rate_steps.c - joins bins of rates to usual steps: see rate.h. */
#include <stdlib.h>
#include <string.h>

#include "number/shares.h"
#include "trace-plot/rate.h"

#define STEPS_MOST 2000 /* limit of steps in a picture, before they are joined to columns */
#define STEPS_SPARSE \
	120	       /* up to this number, steps are not widened because of few events */
#define STEP_EVENTS 16 /* mean number of events of a step, if steps are many */
#define COLUMN_LEAST (2 * PX) /* a narrower column could fall between pixels */
#define FIXED 52	      /* bits of a sum in 1/2^fine */

uint64_t
rate_of(const struct rate_panel *a, struct i128 v, uint64_t span)
{
	if ((a->per.seconds && !i128_muldiv(v, i128_u64(a->per.seconds * 1000000000),
					    i128_u64(span), I128_NEAREST, &v)) ||
	    !i128_is_u64(v))
		return UINT64_MAX;
	return v.lo;
}

struct i128
rate_number(const struct rate_panel *a, uint64_t v)
{
	if (a->drop >= 64)
		return (struct i128){0, (int64_t)(v << (a->drop - 64))};
	return (struct i128){v << a->drop, a->drop ? (int64_t)(v >> (64 - a->drop)) : 0};
}

/* Returns the smallest usual step above `above` that has whole bins. */
static uint64_t
next_step(const struct bins *b, uint64_t above)
{
	uint64_t width = bins_width(b);

	if (!b->widths)
		return above < width ? width : above * 2;
	for (unsigned k = b->k; b->widths[k]; k++)
		for (uint64_t times = 1; times <= 2; times++)
			if (b->widths[k] * times > above)
				return b->widths[k] * times;
	return b->widths[b->k];
}

static uint64_t
steps_in(const struct plot *p, uint64_t step)
{
	return (uint64_t)bins_step(&p->bins, p->last, step) -
	       (uint64_t)bins_step(&p->bins, p->first, step) + 1;
}

/* Chooses the step, so that there are not too many steps, and, if there are many, not too few events in each.
 * Keeps --step. */
static void
choose_step(struct rate_panel *a, const struct plot *p)
{
	uint64_t next;

	a->step = bins_width(&p->bins);
	while (!p->opts.step) {
		uint64_t n = steps_in(p, a->step);

		next = next_step(&p->bins, a->step);
		if (next <= a->step || (n <= STEPS_MOST && (n <= STEPS_SPARSE ||
							    p->events / n >= STEP_EVENTS)))
			break;
		a->step = next;
	}
	a->lo = bins_step(&p->bins, p->first, a->step);
	a->n = (uint32_t)steps_in(p, a->step);
}

/* Returns the begin of step i, counted from the first event, even if events begin later than step 0. */
static uint64_t
step_at(const struct rate_panel *a, const struct plot *p, uint32_t i)
{
	return (uint64_t)p->bins.zero + ((uint64_t)a->lo + i) * a->step -
	       (uint64_t)p->first;
}

uint64_t
rate_begin_of(const struct rate_panel *a, const struct plot *p, uint32_t i)
{
	return i ? step_at(a, p, i) : 0;
}

/* Returns how much of steps [from, to) the events cover. The last event is followed by a mean gap; with
 * --spread by none, because the time lasts until its end. */
static uint64_t
covered(const struct rate_panel *a, const struct plot *p, uint32_t from, uint32_t to)
{
	uint64_t range = (uint64_t)p->last - (uint64_t)p->first;
	bool gap = p->events > 1 && !p->opts.spread;
	uint64_t end = add_most(range, gap ? range / (p->events - 1) : 1);
	uint64_t whole = step_at(a, p, to);

	end = to < a->n || end > whole ? whole : end;
	end -= rate_begin_of(a, p, from);
	return end ? end : 1;
}

/* Replaces steps [from, to) by their mean over the time that they cover. */
static void
even_out(struct rate_panel *a, const struct plot *p, uint32_t from, uint32_t to)
{
	uint64_t time = covered(a, p, from, to);

	for (uint32_t k = 0; k <= COLOURS; k++) {
		struct i128 sum = {0, 0};

		for (uint32_t i = from; i < to; i++)
			i128_add(sum, i128_u64(a->v[i * (COLOURS + 1) + k]), &sum);
		if (!i128_muldiv(sum, i128_u64(a->step), i128_u64(time), I128_NEAREST,
				 &sum) ||
		    !i128_is_u64(sum))
			sum = i128_u64(UINT64_MAX);
		for (uint32_t i = from; i < to; i++)
			a->v[i * (COLOURS + 1) + k] = sum.lo;
	}
}

/* Corrects the first and the last step, which are incomplete. A step of which less than half is covered is
 * joined with its neighbour. */
static void
even_ends(struct rate_panel *a, const struct plot *p)
{
	bool first = covered(a, p, 0, 1) < a->step / 2;
	bool last = covered(a, p, a->n - 1, a->n) < a->step / 2;

	if (a->n == 1 || ((first || last) && a->n <= 3)) {
		even_out(a, p, 0, a->n);
		return;
	}
	even_out(a, p, 0, 1 + first);
	even_out(a, p, a->n - 1 - last, a->n);
}

static unsigned
bits_of(struct i128 v)
{
	return v.hi   ? 128 - leading_zeros64((uint64_t)v.hi)
	       : v.lo ? 64 - leading_zeros64(v.lo)
		      : 0;
}

uint64_t
rate_axis(const struct rate_panel *a, struct plot_limit rate)
{
	const struct i128 billion = i128_u64(1000000000);
	struct i128 v;

	if (i128_muldiv(i128_u64(rate.whole), billion, i128_u64(1), I128_NEAREST, &v) &&
	    i128_add(v, i128_u64(rate.nano), &v) &&
	    (!a->per.seconds ||
	     i128_muldiv(v, i128_u64(a->step), i128_u64(a->per.seconds * 1000000000),
			 I128_NEAREST, &v)) &&
	    i128_muldiv(v, i128_u64(1ull << a->fine),
			i128_u64((a->unit == SCALE_NANO ? 1 : SHARES_ONE) << a->drop),
			I128_NEAREST, &v) &&
	    i128_is_u64(v))
		return v.lo;
	return UINT64_MAX;
}

uint64_t
rate_at(const struct rate_panel *a, uint64_t q)
{
	return rate_of(a, rate_number(a, q >> a->fine), a->step);
}

/* Sets the ends of the y axis. */
static void
choose_axis(struct rate_panel *a, const struct plot *p)
{
	static const struct rate_per pers[] = {{"", "", 0},
					       {"/s", " per second", 1},
					       {"/min", " per minute", 60},
					       {"/h", " per hour", 3600},
					       {"/day", " per day", 86400}};
	uint64_t least = UINT64_MAX, most = 1,
		 five = a->unit == SCALE_NANO ? 5 * SHARES_ONE : 5;
	bool limits = p->opts.max.set || p->opts.min.set;
	unsigned last = p->clock == CLOCK_NS && p->last > p->first ? 4 : 0;

	for (uint32_t i = 0; i < a->n * (COLOURS + 1); i++) {
		most = a->v[i] > most ? a->v[i] : most;
		least = a->v[i] && a->v[i] < least ? a->v[i] : least;
	}
	a->greatest = most;
	/* The first of second, minute, hour and day with which the greatest rate is at least 5. --max and --min are
	 * per second. */
	for (unsigned i = last != 0; i <= last; i++) {
		a->per = pers[i];
		a->highest = rate_of(a, rate_number(a, most), a->step);
		if (a->highest >= five || limits)
			break;
	}
	a->fine = most >> FIXED ? 0 : FIXED - bits_of(i128_u64(most));
	a->log = strchr(p->opts.log, 'y');
	a->most = p->opts.max.set ? rate_axis(a, p->opts.max) : most << a->fine;
	a->least = p->opts.min.set ? rate_axis(a, p->opts.min)
		   : a->log	   ? least << a->fine
				   : 0;
	a->most += !a->most;
	if (a->least >= a->most)
		a->least = a->log ? a->most / 10 : 0;
	a->least += a->log && !a->least;
}

static void
panel_make(struct rate_panel *a, const struct plot *p, bool bytes, const struct legend *l)
{
	uint32_t nnames = p->bins.nslots / RATE_SUMS, n = COLOURS + 1;

	*a = (struct rate_panel){.bytes = bytes,
				 .unit = bytes		  ? SCALE_BYTES
					 : p->opts.spread ? SCALE_NANO
							  : SCALE_COUNT,
				 .per = {"", "", 0},
				 .legend = l};
	choose_step(a, p);
	a->v = draw_room((size_t)a->n * n, sizeof *a->v);
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < nnames; k++) {
			const uint64_t *sums = bins_at(&p->bins, i) + RATE_SUMS * k;
			struct i128 *to = &a->total[l->of[k]];

			i128_add(*to, rate_amount(sums, bytes), to);
		}
	for (uint32_t k = 0; k < n; k++)
		i128_add(a->all, a->total[k], &a->all);
	a->drop = bits_of(a->all) > FIXED ? bits_of(a->all) - FIXED : 0;
	EACH_BIN (&p->bins, i) {
		int64_t step = bins_step(&p->bins, bins_low(&p->bins, i), a->step) - a->lo;

		for (uint32_t k = 0; k < nnames; k++) {
			struct i128 v =
			    rate_amount(bins_at(&p->bins, i) + RATE_SUMS * k, bytes);

			/* The lowest bin begins at the smallest number, and may be in a step before the first. */
			if (a->drop)
				i128_muldiv(v, i128_u64(1), rate_number(a, 1), I128_FLOOR,
					    &v);
			a->v[(step < 0 ? 0 : step) * n + l->of[k]] += v.lo;
		}
	}
	even_ends(a, p);
	choose_axis(a, p);
}

void
rate_columns(struct rate_panel *a, const struct plot *p, const struct frame *f)
{
	uint32_t most = (uint32_t)((f->right - f->left) / COLUMN_LEAST);
	int64_t last = INT64_MIN, each;

	a->wide = a->step;
	while (steps_in(p, a->wide) > most || a->wide % a->step) {
		uint64_t wide = next_step(&p->bins, a->wide);

		if (wide <= a->wide)
			break;
		a->wide = wide;
	}
	each = (int64_t)(a->wide / a->step);
	a->column = draw_room(a->n + 1, sizeof *a->column);
	for (uint32_t i = 0; i < a->n; i++) {
		int64_t at = floor_div((int64_t)((uint64_t)a->lo + i), each);

		if (at != last || !i)
			a->column[a->ncolumns++] = i;
		last = at;
	}
	a->column[a->ncolumns] = a->n;
}

unsigned
rate_panels(struct rate_panel a[2], const struct plot *p, struct legend *l)
{
	bool bytes = !p->opts.sum || strcmp(p->opts.sum, "count") != 0;
	bool events = !p->opts.sum || !strcmp(p->opts.sum, "count");
	uint32_t nnames = p->bins.nslots / RATE_SUMS;
	uint64_t *total = draw_room(nnames, sizeof *total);
	unsigned n = 0;

	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < nnames; k++) {
			const uint64_t *v = bins_at(&p->bins, i) + RATE_SUMS * k;
			struct i128 sum = rate_amount(v, !events);

			total[k] =
			    add_most(total[k], i128_is_u64(sum) ? sum.lo : UINT64_MAX);
		}
	legend_make(l, p, total, nnames);
	if (bytes) {
		panel_make(&a[0], p, true, l);
		if (!i128_zero(a[0].all) || !events)
			n = 1;
	}
	if (events)
		panel_make(&a[n++], p, false, l);
	return n;
}
