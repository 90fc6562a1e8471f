/* legend.c - the names and numbers that colours stand for. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/plot.h"

struct legend_rank {
	uint64_t total;
	const char *name;
	uint32_t at;
};

static int
by_total(const void *x, const void *y)
{
	const struct legend_rank *a = x, *b = y;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return natural_order(a->name, b->name);
}

void
legend_make(struct legend *l, const struct plot *p, const uint64_t *total, uint32_t n)
{
	struct legend_rank *r = draw_room(n + 1, sizeof *r);
	uint32_t most = p->opts.colours, m = 0;
	uint64_t rest = total[0];

	*l = (struct legend){.of = draw_room(n + 1, 1)};
	/* Number 0 is NAMES_OTHERS. */
	for (uint32_t i = 1; i < n; i++)
		if (total[i])
			r[m++] = (struct legend_rank){total[i], p->key.text.v[i].s, i};
	/* Inputs stay in their order if each has a colour. */
	if (!p->key.inputs || m > most || rest)
		qsort(r, m, sizeof *r, by_total);
	/* If there are more names than colours, the last colour is for the others. */
	l->n = m <= most && !rest ? m : m < most - 1 ? m : most > 1 ? most - 1 : 1;
	l->n = l->n > m ? m : l->n;
	l->total[l->n] = rest;
	for (uint32_t i = 0; i < m; i++) {
		uint32_t k = i < l->n ? i : l->n;

		l->of[r[i].at] = (uint8_t)k;
		l->name[k] = r[i].at;
		l->colour[k] = k;
		l->total[k] += r[i].total;
	}
	l->of[0] = (uint8_t)l->n;
	l->others = l->total[l->n];
	if (l->others) {
		l->name[l->n] = UINT32_MAX;
		l->colour[l->n] = COLOURS;
	}
}

const char *
legend_name(const struct legend *l, const struct plot *p, uint32_t i)
{
	return l->name[i] == UINT32_MAX ? "others" : p->key.text.v[l->name[i]].s;
}

int64_t
legend_high(const struct legend *l, const struct plot *p, int64_t wide,
	    const enum measure_unit *unit)
{
	struct buf b = {0};
	int64_t high = legend_svg(l, p, &b, 0, wide, 0, unit);

	buf_free(&b);
	return high;
}

int64_t
legend_svg(const struct legend *l, const struct plot *p, struct buf *b, int64_t x,
	   int64_t right, int64_t y, const enum measure_unit *unit)
{
	int64_t at = x;

	for (uint32_t i = 0; i < l->n + l->others; i++) {
		const char *name = legend_name(l, p, i);
		const char *total = unit ? scaled(*unit, l->total[i]) : "";
		int64_t wide =
		    svg_width(name, LEGEND_NAME) + svg_width(total, 30) + 40 * PX;

		if (at + wide > right && at > x) {
			at = x;
			y += 19 * PX;
		}
		if (p->kind->lasts)
			svg_swatch(b, l->colour[i], at, y - 4 * PX);
		else
			svg_sample(b, l->colour[i], at - 8 * PX, y - 4 * PX);
		/* The name and its total are one text, so that they stay together. */
		svg_to_text(b, at + 16 * PX, y);
		buf_byte(b, '>');
		svg_about(b, svg_fits(name, LEGEND_NAME) ? NULL : name);
		svg_escape(b, name, LEGEND_NAME, true);
		if (unit)
			put_all(b, "<tspan dx=\"5\" class=\"s n\">", total, "</tspan>");
		put_all(b, "</text>\n");
		at += wide;
	}
	return y + 19 * PX;
}

void
legend_screen(const struct legend *l, const struct plot *p, struct screen *t,
	      enum measure_unit unit)
{
	for (uint32_t i = 0; i < l->n + l->others; i++)
		screen_item(t, colour_dark[l->colour[i]], i < l->n ? (char)('A' + i) : '+',
			    legend_name(l, p, i), scaled(unit, l->total[i]));
	screen_end(t);
}

void
shades_svg(struct buf *b, int64_t x, int64_t top, int64_t bottom, enum measure_unit unit,
	   uint64_t least, uint64_t most, const char *label, const char *styles)
{
	int64_t last = top - 20 * PX, h = (bottom - top) / STEPS;
	int64_t n = (int64_t)strlen(styles), w = (8 + 6 * n) * PX / (n + !n);
	bool two = unit == SCALE_BYTES;

	h = h > 12 * PX ? 12 * PX : h < 3 * PX ? 3 * PX : h;
	svg_text(b, x, top - 12 * PX, "t", SVG_START, label, 12);
	/* If all numbers are equal there is one colour. */
	for (unsigned i = least < most ? 0 : STEPS - 1; i < STEPS; i++) {
		int64_t y = top + (int64_t)(STEPS - 1 - i) * h;
		uint64_t v = 1;

		for (int64_t k = 0; k < n; k++)
			svg_rect(b,
				 styles[k] == 'v' ? formatted("v%u k", i)
						  : formatted("c%c o%u k", styles[k], i),
				 x + k * w, y, w, h);
		/* The smallest number of that colour that is 1, 2 or 5 and zeros, or a power of two. */
		for (unsigned k = 0;
		     v <= most && v && (v < least || shade(v, least, most) < i); k++)
			v = k % 3 == 1 && !two ? v / 2 * 5 : v * 2;
		if (i == STEPS - 1 || (!i && v > least))
			v = i ? most : least;
		else if (v > most || !v || shade(v, least, most) != i ||
			 (last > top - 20 * PX && last - y < 24 * PX) ||
			 (y - top < 24 * PX && i))
			continue;
		svg_text(b, x + n * w + 6 * PX, y + h / 2 + 4 * PX, "t n", SVG_START,
			 scaled(unit, v), 12);
		last = y;
	}
}
