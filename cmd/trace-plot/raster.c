/* raster.c - cells of a picture: see raster.h. */
#include <string.h>

#include "trace-plot/raster.h"

void
raster_sums(struct raster *r, const struct bins *b, const struct time_columns *c,
	    uint32_t lines, const uint32_t *slot, const uint32_t *line, uint32_t n)
{
	*r = (struct raster){.w = c->n, .h = lines, .least = 1, .most = 1};
	r->v = draw_room((size_t)r->h * r->w, sizeof *r->v);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t x = 0; x < r->w; x++) {
			uint64_t *v = &r->v[(line ? line[i] : i) * r->w + x];

			*v = add_most(*v, columns_sum(b, c, x, slot[i]));
			r->most = *v > r->most ? *v : r->most;
		}
}

void
raster_edges(struct raster *r)
{
	r->left = draw_room(r->h, sizeof *r->left);
	r->right = draw_room(r->h, sizeof *r->right);
}

void
raster_range(struct raster *r)
{
	r->least = UINT64_MAX;
	for (size_t i = 0; i < (size_t)r->h * r->w; i++) {
		r->least = r->v[i] && r->v[i] < r->least ? r->v[i] : r->least;
		r->most = r->v[i] > r->most ? r->v[i] : r->most;
	}
}

void
raster_shade(struct raster *r)
{
	r->classes = STEPS * (r->inks ? r->inks : 1);
	r->c = draw_room((size_t)r->h * r->w, 1);
	for (size_t i = 0; i < (size_t)r->h * r->w; i++)
		if (r->v[i])
			r->c[i] = (uint8_t)(shade(r->v[i], r->least, r->most) + 1 +
					    (r->inks ? i / r->w % r->inks * STEPS : 0));
}

uint64_t
raster_line(const struct raster *r, uint32_t y)
{
	uint64_t sum = 0;

	for (uint32_t x = 0; x < r->w; x++)
		sum = add_most(sum, r->v[y * r->w + x]);
	return sum;
}

static void
begin_class(const struct raster *r, struct buf *b, unsigned class, bool alone)
{
	if (r->inks)
		svg_path(b, "c%u o%u k", r->ink[(class - 1) / STEPS].colour,
			 (class - 1) % STEPS);
	else
		svg_path(b, alone ? "v%u" : "v%u k", class - 1);
}

static struct strip
strip_of(const struct tiles *k, uint32_t y)
{
	return k->strips ? k->strips[y]
			 : (struct strip){k->top + k->h * y, k->h - k->below};
}

/* Returns whether a cell of a line has no neighbours. */
static bool
is_alone(const struct raster *r, const uint8_t *c, uint32_t x)
{
	return (!x || !c[x - 1]) && (x + 1 == r->w || !c[x + 1]);
}

/* Draws the rectangles of a class: only cells without neighbours if `alone`, else the others; all of them
 * unless k->alone. Returns false if there are none. */
static bool
draw_class(const struct raster *r, struct buf *b, const struct tiles *k, unsigned class,
	   bool alone)
{
	int64_t x0 = 0, y0 = 0;
	bool open = false;

	for (uint32_t y = 0; y < r->h; y++) {
		const uint8_t *c = r->c + (size_t)y * r->w;

		for (uint32_t x = 0, n; x < r->w; x += n ? n : 1) {
			int64_t left = k->left + k->w * x, top = strip_of(k, y).top;

			for (n = 0; x + n < r->w && c[x + n] == class && !(n && k->gap);)
				n++;
			if (!n || (k->alone && alone != is_alone(r, c, x)))
				continue;
			if (!open)
				begin_class(r, b, class, alone);
			svg_point(b, open && k->relative ? 'm' : 'M', left - x0, top - y0);
			svg_box(b, k->w * n - k->gap, strip_of(k, y).h);
			open = true;
			x0 = k->relative ? left : 0;
			y0 = k->relative ? top : 0;
		}
	}
	return open;
}

/* Returns the numbers of a class: "3 to 5 calls". */
static const char *
class_numbers(const struct raster *r, const struct tiles *k, unsigned class)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < (size_t)r->h * r->w; i++)
		if (r->c[i] == class) {
			least = r->v[i] < least ? r->v[i] : least;
			most = r->v[i] > most ? r->v[i] : most;
		}
	return joined(least < most ? joined(scaled(k->unit, least), " to ") : "",
		      scaled(k->unit, most), " ",
		      k->what == k->p->words->events ? events_of(k->p, most) : k->what,
		      r->inks ? " " : "", r->inks ? r->ink[(class - 1) / STEPS].name : "");
}

void
raster_svg(const struct raster *r, struct buf *b, const struct tiles *k)
{
	bool coarse = k->p->coarse;
	uint32_t cells = 0;

	for (uint32_t i = 0; i < r->h * r->w; i++)
		cells += r->c[i] != 0;
	coarse |= cells > TOLD_MOST;
	for (unsigned i = 0; coarse && i < r->classes << k->alone; i++) {
		unsigned class = (i >> k->alone) + 1;

		if (draw_class(r, b, k, class, k->alone && i % 2))
			svg_path_end(b, class_numbers(r, k, class));
	}
	for (uint32_t i = 0; !coarse && i < r->h * r->w; i++) {
		uint32_t x = i % r->w, y = i / r->w;
		struct strip s = strip_of(k, y);

		if (!r->c[i])
			continue;
		begin_class(r, b, r->c[i], k->alone && is_alone(r, r->c + i - x, x));
		svg_point(b, 'M', k->left + k->w * x, s.top);
		svg_box(b, k->w - k->gap, s.h);
		svg_path_end(b, k->told(k->p, k->of, x, y));
	}
}

static void
put_class(const struct raster *r, struct screen *t, unsigned c)
{
	const struct ink *ink =
	    c && r->ink ? &r->ink[(c - 1) / (r->inks ? STEPS : 1)] : NULL;

	if (c && !ink && !t->colour) {
		screen_shade(t, c, r->classes);
		return;
	}
	if (ink && ink->colour == PLAIN)
		screen_plain(t);
	else if (c)
		screen_colour(t, ink ? colour_dark[ink->colour] : step_dark[c - 1]);
	if (c && r->inks)
		screen_shade(t, (c - 1) % STEPS + 1, STEPS);
	else if (c && t->colour && t->utf8 && !r->letters && !(ink && ink->colour == PLAIN))
		screen_put(t, "█");
	else
		buf_byte(t->b, ink ? ink->letter : c ? '#' : ' ');
}

/* Returns a name, or, if it does not fit in `room` columns, the name without the word "locations". */
static const char *
fitting(const struct plot *p, const struct screen *t, const char *name, size_t room)
{
	const char *one = p->words->place, *several = p->words->places;
	size_t n = strcspn(name, " ");

	if (!one || !several || n < strlen(one) || strncmp(name, several, n) != 0)
		return name;
	return name[n] && screen_wide(t, name, room + 1) > room ? name + n + 1 : name;
}

void
raster_screen(const struct raster *r, const struct plot *p, struct screen *t, unsigned at,
	      unsigned w, unsigned right)
{
	for (uint32_t y = 0; y < r->h; y++) {
		const uint8_t *c = r->c + (size_t)y * r->w;
		const char *left = r->left[y];

		screen_axis(t, left ? fitting(p, t, left, at - 2) : NULL, at);
		for (unsigned x = 0; x < w; x++) {
			uint32_t from = (uint32_t)((uint64_t)x * r->w / w);
			uint32_t to = (uint32_t)((uint64_t)(x + 1) * r->w / w);
			unsigned best = c[from];

			for (uint32_t i = from; i < to; i++)
				best = c[i] > best ? c[i] : best;
			put_class(r, t, best);
		}
		screen_plain(t);
		if (r->right[y])
			screen_right(t, r->right[y], right);
		screen_end(t);
	}
}
