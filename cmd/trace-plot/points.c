/* points.c - a timeline where nothing lasts: how many events each location has when. */
#include "trace-plot/raster.h"
#include "trace-plot/timeline.h"

#define LANE 10 /* units of a window for a lane, of which one is its gap */

struct grid {
	struct columns c;
	const struct lane *lane;
	struct raster r; /* a line for each */
};

static void
grid_make(struct grid *g, struct plot *p)
{
	struct timeline *t = p->state;
	uint32_t slot[LANES_MOST], n;

	lanes_fit(&t->lanes, LANES_MOST);
	g->lane = t->lanes.lane;
	n = t->lanes.n;
	for (uint32_t l = 0; l < n; l++)
		slot[l] = t->slot[g->lane[l].row][POINT] - 1;
	g->c = columns_of(&p->bins, n * BINS_MOST > 8192 ? 8192 / n : BINS_MOST);
	raster_sums(&g->r, &p->bins, &g->c, slot, n);
	raster_shade(&g->r);
}

/* "How many requests 3 units have, over time" */
static void
points_title(const struct plot *p, struct buf *b)
{
	uint32_t n = lanes_places(&((struct timeline *)p->state)->lanes);

	put_all(b, "How many ", p->words->events, " ", scaled(SCALE_EXACT, n), " ",
		n == 1 ? p->words->place : p->words->places,
		n == 1 ? " has, over time" : " have, over time");
}

/* What stands beside a lane: its name, how many events it has. */
static bool
points_edge(const struct plot *p, void *of, uint32_t y, struct buf *left, struct buf *right)
{
	const struct grid *g = of;

	lane_name(p, &g->lane[y], left);
	scale_put(right, SCALE_COUNT, raster_line(&g->r, y), "");
	return true;
}

static void
points_told(const struct plot *p, void *of, uint32_t x, uint32_t y, struct buf *text)
{
	const struct grid *g = of;
	uint64_t v = g->r.v[y * g->r.w + x];
	struct buf name = {0};

	lane_name(p, &g->lane[y], &name);
	svg_put_short(text, buf_text(&name));
	put_all(text, " · ", scaled(SCALE_EXACT, v), " ", events_of(p, v));
	buf_free(&name);
	put_column(text, p, &g->c, x);
}

void
points_svg(struct plot *p, struct buf *b)
{
	unsigned w = p->how.w ? p->how.w : 960, h, each, n;
	struct buf title = {0}, said = {0};
	struct frame f = {.right = (w - 160) * PX, .top = 78 * PX};
	struct grid g;

	grid_make(&g, p);
	n = g.r.h;
	each = lanes_height(p, n, 130);
	f.left = lanes_width(p, g.lane, n);
	f.bottom = f.top + (int64_t)(n * each) * PX;
	h = (unsigned)(f.bottom / PX) + 52;
	points_title(p, &title);
	put_all(&said, "each column is ", scaled(time_unit(p), g.c.width));
	frame_begin(p, b, w, h < 330 ? 330 : h, &title, &said);
	svg_rect(b, "f", f.left, f.top, f.right - f.left, f.bottom - f.top);
	frame_time(p, b, &f, true);
	frame_window(p, b, &f, &g.c, (int64_t)n * LANE * PX);
	raster_svg(&g.r, b,
		   &(struct tiles){.w = PX,
				   .h = LANE * PX,
				   .below = PX,
				   .told = points_told,
				   .p = p,
				   .of = &g,
				   .unit = SCALE_EXACT,
				   .what = p->words->events});
	svg_end(b);
	for (uint32_t l = 0; l < n && each >= 11; l++) {
		int64_t y = f.top + (int64_t)(l * each + each / 2 + 4) * PX;

		points_edge(p, &g, l, &title, &said);
		svg_text(b, f.left - 10 * PX, y, "", SVG_END, buf_text(&title), LANE_NAME);
		svg_text(b, f.right + 50 * PX, y, "n", SVG_END, buf_text(&said), 10);
	}
	marks_svg(p, b, &f);
	shades_svg(b, f.right + 72 * PX, 102 * PX, f.bottom + 46 * PX, SCALE_COUNT, 1,
		   g.r.most, p->words->events);
	raster_free(&g.r);
	buf_free(&title);
	buf_free(&said);
}

void
points_terminal(struct plot *p, struct screen *t)
{
	unsigned at = 17, w = t->w - at - 7;
	struct buf text = {0};
	struct grid g;

	grid_make(&g, p);
	points_title(p, &text);
	screen_title(t, &text);
	raster_screen(&g.r, t, at, w, 7, points_edge, p, &g);
	screen_time(p, t, at, w);
	marks_screen(p, t, at, w);
	raster_free(&g.r);
}
