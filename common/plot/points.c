/* points.c - a timeline where nothing lasts: how many events each location has when. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/timeline.h"

#define LANE 10 /* units of a window for a lane, of which one is its gap */

struct grid {
	struct columns c;
	const struct lane *lane;
	uint32_t n;
	uint64_t *v, *sum, most; /* by lane, then by column; by lane */
};

static void
grid_make(struct grid *g, struct plot *p, uint32_t columns)
{
	struct timeline *t = p->state;

	lanes_fit(&t->lanes, LANES_MOST);
	g->n = t->lanes.n;
	g->lane = t->lanes.lane;
	g->most = 1;
	g->c = columns_of(&p->bins, g->n * columns > 8192 ? 8192 / g->n : columns);
	g->v = xcalloc((size_t)g->n * g->c.n, sizeof *g->v);
	g->sum = xcalloc(g->n, sizeof *g->sum);
	for (uint32_t l = 0; l < g->n; l++) {
		uint32_t slot = t->slot[g->lane[l].row][POINT];

		for (uint32_t i = 0; slot && i < g->c.n; i++) {
			uint64_t v = columns_sum(&p->bins, &g->c, i, slot - 1);

			g->v[l * g->c.n + i] = v;
			g->sum[l] += v;
			g->most = v > g->most ? v : g->most;
		}
	}
}

static void
grid_free(struct grid *g)
{
	free(g->v);
	free(g->sum);
}

/* "How many requests 3 units have, over time" */
static void
points_title(const struct plot *p, struct buf *b)
{
	uint32_t n = p->row.text.n;
	const char *of = n == 1 ? p->words->place : p->words->places;

	buf_add(b, "How many ", 9);
	buf_add(b, p->words->events, strlen(p->words->events));
	buf_byte(b, ' ');
	scale_put_commas(b, n);
	buf_byte(b, ' ');
	buf_add(b, of, strlen(of));
	buf_add(b, n == 1 ? " has, over time" : " have, over time", n == 1 ? 15 : 16);
}

/* The cells of one colour as one path; neighbours in a lane as one rectangle. */
static void
draw_step(struct buf *b, const struct grid *g, unsigned step)
{
	char text[64];
	bool open = false;

	for (uint32_t l = 0; l < g->n; l++)
		for (uint32_t i = 0, to; i < g->c.n; i = to + 1) {
			const uint64_t *v = g->v + l * g->c.n;

			for (to = i;
			     to < g->c.n && v[to] && shade(v[to], 1, g->most) == step;)
				to++;
			if (to == i)
				continue;
			if (!open) {
				sprintf(text, "v%u k", step);
				svg_path(b, text);
			}
			open = true;
			sprintf(text, "M%u %uh%uv%dh-%uz", i, l * LANE, to - i, LANE - 1,
				to - i);
			buf_add(b, text, strlen(text));
		}
	if (open)
		svg_path_end(b, NULL);
}

void
points_svg(struct plot *p, struct buf *b)
{
	unsigned w = p->how.w ? p->how.w : 960, each;
	struct buf title = {0}, said = {0};
	struct frame f = {.right = (w - 160) * PX, .top = 78 * PX};
	struct grid g;

	grid_make(&g, p, BINS_MOST);
	f.left = lanes_width(p, g.lane, g.n);
	each = g.n <= 4 ? 54 : g.n <= 8 ? 36 : g.n <= 16 ? 26 : g.n <= 32 ? 18 : 12;
	if (p->how.h)
		each = p->how.h > 130 + 4 * g.n ? (p->how.h - 130) / g.n : 4;
	f.bottom = f.top + (int64_t)(g.n * each) * PX;
	points_title(p, &title);
	buf_add(&said, "each column is ", 15);
	put_span(&said, p, g.c.width);
	frame_begin(p, b, w,
		    (unsigned)(f.bottom / PX) + 52 < 330 ? 330
							 : (unsigned)(f.bottom / PX) + 52,
		    buf_text(&title), buf_text(&said));
	svg_rect(b, "f", f.left, f.top, f.right - f.left, f.bottom - f.top);
	frame_time(p, b, &f, true);
	frame_window(p, b, &f, &g.c, (int64_t)g.n * LANE * PX);
	for (unsigned i = 0; i < STEPS; i++)
		draw_step(b, &g, i);
	svg_window_end(b);
	for (uint32_t l = 0; l < g.n && each >= 11; l++) {
		int64_t y = f.top + (int64_t)(l * each + each / 2 + 4) * PX;

		lanes_name(&g.lane[l], &p->row, p->words->place, p->words->places, &title);
		buf_text(&title);
		svg_text(b, f.left - 10 * PX, y, "", SVG_END, (char *)title.p, LANE_NAME);
		scale_put(&said, SCALE_COUNT, g.sum[l], "");
		svg_text(b, f.right + 50 * PX, y, "n", SVG_END, buf_text(&said), 10);
	}
	shades_svg(b, f.right + 72 * PX, 102 * PX, f.bottom + 46 * PX, SCALE_COUNT, 1,
		   g.most, p->words->events);
	grid_free(&g);
	buf_free(&title);
	buf_free(&said);
}

void
points_terminal(struct plot *p, struct screen *t)
{
	unsigned at = 17, w = t->w - at - 7;
	struct buf text = {0};
	struct grid g;

	grid_make(&g, p, BINS_MOST);
	points_title(p, &text);
	screen_title(t, buf_text(&text));
	for (uint32_t l = 0; l < g.n; l++) {
		const uint64_t *v = g.v + l * g.c.n;

		lanes_name(&g.lane[l], &p->row, p->words->place, p->words->places, &text);
		screen_axis(t, buf_text(&text), at);
		for (unsigned x = 0; x < w; x++) {
			uint64_t from = (uint64_t)x * g.c.n / w,
				 to = (uint64_t)(x + 1) * g.c.n / w;
			uint64_t best = v[from];

			for (uint64_t i = from; i < to; i++)
				best = v[i] > best ? v[i] : best;
			if (t->colour && best) {
				screen_colour(t, step_dark[shade(best, 1, g.most)]);
				screen_put(t, t->utf8 ? "█" : "#");
			} else
				screen_shade(t, best ? shade(best, 1, g.most) + 1 : 0,
					     STEPS);
		}
		screen_plain(t);
		scale_put(&text, SCALE_COUNT, g.sum[l], "");
		screen_right(t, buf_text(&text), 7);
		screen_end(t);
		text.n = 0;
	}
	screen_time(p, t, at, w);
	grid_free(&g);
	buf_free(&text);
}

void
points_bins(struct plot *p, struct out *o)
{
	struct timeline *t = p->state;

	lanes_fit(&t->lanes, LANES_MOST);
	out_str(o, "#time\tend\t");
	out_str(o, p->how.y ? p->how.y : "loc");
	out_str(o, "\tcount\n");
	for (int64_t i = p->bins.lo; i <= p->bins.hi; i++)
		for (uint32_t l = 0; l < t->lanes.n; l++) {
			const struct lane *lane = &t->lanes.lane[l];
			uint32_t slot = t->slot[lane->row][POINT];

			if (!slot || !bins_at(&p->bins, i)[slot - 1])
				continue;
			put_bin(o, p, i);
			lanes_put(lane, &p->row, o);
			put_cell(o, bins_at(&p->bins, i)[slot - 1], false, '\n');
		}
}
