/* points.c - a timeline in which nothing lasts: how many events each location has when. */
#include <string.h>

#include "trace-plot/raster.h"
#include "trace-plot/timeline.h"

#define LANE 10 /* units of a window for a lane, one of them for its gap */

struct point_grid {
	struct time_columns c;
	struct raster r; /* a line for each lane */
	struct members members;
};

static void
grid_make(struct point_grid *g, struct plot *p, int64_t wide)
{
	struct timeline *t = p->state;
	uint32_t slot[LANES_ROOM + 1];

	*g = (struct point_grid){.c = timeline_columns(p, wide)};
	for (uint32_t l = 0; l < t->lanes.n; l++)
		slot[l] = t->slot[t->lanes.lane[l].row][POINT] - 1u;
	raster_sums(&g->r, &p->bins, &g->c, t->nrows, slot, t->of, t->lanes.n);
	raster_shade(&g->r);
	raster_edges(&g->r);
	for (uint32_t y = 0; y < t->nrows; y++) {
		g->r.left[y] = lane_name(p, &t->row[y]);
		g->r.right[y] = scaled(SCALE_COUNT, raster_line(&g->r, y));
	}
	members_make(&g->members, p, &g->c);
}

/* Returns the title: "How many requests 3 units have, over time". */
static const char *
points_title(const struct plot *p)
{
	const struct timeline *t = p->state;
	uint32_t n = lanes_places(t->row, t->nrows);

	return joined("How many ", p->words->events, " ", scaled(SCALE_EXACT, n), " ",
		      n == 1 ? p->words->place : p->words->places,
		      n == 1 ? " has, over time" : " have, over time");
}

static const char *
points_told(const struct plot *p, void *of, uint32_t x, uint32_t y)
{
	const struct point_grid *g = of;
	uint64_t v = g->r.v[y * g->r.w + x];

	return joined(svg_short(g->r.left[y]), " · ", scaled(SCALE_EXACT, v), " ",
		      events_of(p, v), " · ", column_text(p, &g->c, x));
}

void
points_svg(struct plot *p, struct buf *b)
{
	unsigned w = p->opts.w ? p->opts.w : 960, h, n;
	struct frame f = {.right = (w - (frame_narrow(p) ? 120 : 160)) * PX,
			  .top = frame_top(p, 78, 8)};
	int64_t each;
	struct point_grid g;

	timeline_rows(p);
	n = ((struct timeline *)p->state)->nrows;
	each = lanes_height(p, n, f.top + 52 * PX);
	f.left = lanes_width(p, ((struct timeline *)p->state)->row, n);
	grid_make(&g, p, f.right - f.left);
	f.bottom = f.top + n * each;
	h = (unsigned)(f.bottom / PX) + 52;
	h = frame_height(p, h < 330 ? 330 : h);
	frame_begin(
	    p, b, w, h, points_title(p),
	    joined("each column is ", scaled(time_unit(p), g.c.width),
		   timeline_said(p, ", a line from the smallest to the greatest", "")));
	svg_rect(b, "f", f.left, f.top, f.right - f.left, f.bottom - f.top);
	frame_time(p, b, &f, true);
	frame_window(p, b, &f, &g.c, (int64_t)n * LANE * PX, COLUMN_LEAST);
	raster_svg(&g.r, b,
		   &(struct tiles){0, 0, PX, LANE * PX, .below = PX, .alone = true,
				   .told = points_told, .p = p, .of = &g,
				   .unit = SCALE_EXACT, .what = p->words->events});
	for (uint32_t l = 0; l < n; l++)
		members_draw(&g.members, p, b, l, &f, l * LANE, LANE - 1);
	svg_end(b);
	for (uint32_t l = 0; l < n; l += lanes_named(each)) {
		int64_t y = f.top + l * each + each / 2 + 4 * PX;

		svg_text(b, f.left - 10 * PX, y, "", SVG_END, g.r.left[l], LANE_NAME);
		svg_text(b, f.right + 50 * PX, y, "n", SVG_END, g.r.right[l], 10);
	}
	marks_svg(p, b, &f);
	shades_svg(b, f.right + 58 * PX, f.top + 24 * PX, f.bottom + 46 * PX, SCALE_COUNT,
		   1, g.r.most, p->words->events, "v");
}

void
points_terminal(struct plot *p, struct screen *t)
{
	unsigned at = 17, wide = 0, w;
	struct point_grid g;

	timeline_rows(p);
	grid_make(&g, p, INT64_MAX);
	for (uint32_t y = 0; y < g.r.h; y++) {
		size_t n = strlen(g.r.right[y]);

		wide = n > wide ? (unsigned)n : wide;
	}
	w = t->w - at - wide - 2;
	screen_title(t, points_title(p));
	raster_screen(&g.r, p, t, at, w, wide + 1);
	screen_time(p, t, at, w);
}
