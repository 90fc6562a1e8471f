/* marks.c - --mark: vertical lines with texts. */
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "input/slice.h"
#include "trace-plot/plot.h"

#define MARK_COLUMNS 30u
#define MARK_HEIGHT (15 * PX)

struct mark {
	struct slice_time at;
	const char *text;
};

const char *
plot_mark(void *options, const char *list)
{
	struct plot_options *opts = options;
	static size_t cap;
	char *at = xstrdup(list), *next, *text;

	for (; at; at = next) {
		struct slice_time t = {0};
		const char *why;

		next = strchr(at, ',');
		if (next)
			*next++ = '\0';
		text = strchr(at, '=');
		if (!text || text == at || !text[1])
			return "X=TEXT is expected, and no comma in the text";
		*text++ = '\0';
		why = slice_time(&t, at);
		/* x of a table may be a size. */
		if (why && t.num.unit != UNIT_SIZE)
			return why;
		*PUSH(opts->mark, opts->marks, cap) = (struct mark){t, text};
	}
	return NULL;
}

const char *
mark_time(const struct plot *p, const struct frame *f, const struct slice_time *at,
	  int64_t *x)
{
	const struct head head = {.clock = p->clock, .origin = p->origin};
	uint64_t v = 0;
	bool all = false;
	const char *why = at->num.unit == UNIT_SIZE ? "a time is expected, not a size"
						    : slice_clock(&head, at, &v, &all);
	int64_t time = (int64_t)(v ^ time_flip(CLOCK_NS));

	if (!why && (all || time < p->first || time > p->last))
		why = "the time is outside of the picture";
	if (!why)
		*x = frame_x(p, f, time);
	return why;
}

/* A mark that is drawn. */
struct placed_mark {
	int64_t x, left, right; /* x of the line, and both ends of its text */
	unsigned row;		/* row of the text */
	const char *text;
};

/* Returns the marks within a frame, sorted by x, and sets *n to their number. Reports the others, unless
 * `said`. */
static struct placed_mark *
marks_within(const struct plot *p, const struct frame *f, uint32_t *n, bool said)
{
	struct placed_mark *v = draw_room(p->opts.marks + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < p->opts.marks; i++) {
		const struct mark *mark = &p->opts.mark[i];
		int64_t x = 0;
		const char *why = p->kind->mark(p, f, &mark->at, &x);
		uint32_t k = *n;

		if (why && !said)
			warn("--mark %s=%s: not drawn: %s", mark->at.text, mark->text, why);
		if (why)
			continue;
		for (; k && v[k - 1].x > x; k--)
			v[k] = v[k - 1];
		v[k] = (struct placed_mark){.x = x, .text = mark->text};
		++*n;
	}
	return v;
}

/* Returns the uppermost row of texts in which v[i] overlaps none of v[0..i). */
static unsigned
text_row(const struct placed_mark *v, uint32_t i)
{
	unsigned row = 0;

	for (uint32_t k = 0; k < i; k++)
		if (v[k].row == row && v[k].left < v[i].right && v[i].left < v[k].right) {
			row++;
			k = UINT32_MAX; /* start again */
		}
	return row;
}

void
marks_svg(const struct plot *p, struct buf *b, const struct frame *f)
{
	static bool said; /* messages were printed for the first frame */
	uint32_t n;
	struct placed_mark *v = marks_within(p, f, &n, said);

	for (uint32_t i = 0; i < n; i++) {
		svg_line(b, "k halo", v[i].x, f->top, v[i].x, f->bottom);
		svg_line(b, "k p5", v[i].x, f->top, v[i].x, f->bottom);
	}
	for (uint32_t i = 0; i < n; i++) {
		int64_t wide = svg_width(v[i].text, MARK_COLUMNS) + 4 * PX;

		v[i].left = v[i].x + 3 * PX;
		if (v[i].left + wide > f->right)
			v[i].left = v[i].x - 3 * PX - wide;
		v[i].right = v[i].left + wide;
		v[i].row = text_row(v, i);
		if (v[i].left < f->left ||
		    f->top + (int64_t)(v[i].row + 1) * MARK_HEIGHT > f->bottom) {
			if (!said)
				warn("--mark %s: the picture has no room for the text, "
				     "only for its line",
				     v[i].text);
			v[i].left = v[i].right = INT64_MIN;
			continue;
		}
		svg_rect(b, "f", v[i].left, f->top + (int64_t)v[i].row * MARK_HEIGHT + PX,
			 wide, MARK_HEIGHT - PX);
		svg_text(b, v[i].left + 2 * PX,
			 f->top + (int64_t)(v[i].row + 1) * MARK_HEIGHT - 4 * PX, "",
			 SVG_START, v[i].text, MARK_COLUMNS);
	}
	said = true;
}

void
marks_screen(const struct plot *p, struct screen *t, unsigned at, unsigned w)
{
	const struct frame f = {.right = w - 1};
	uint32_t n;
	struct placed_mark *v = marks_within(p, &f, &n, false);

	for (uint32_t i = 0; i < n; i++) {
		size_t wide = screen_wide(t, v[i].text, MARK_COLUMNS);
		bool before = (size_t)v[i].x + wide + 2 > w && (size_t)v[i].x > wide;

		screen_right(t, "",
			     at + (unsigned)v[i].x - (before ? (unsigned)wide + 1 : 0));
		screen_put(t, before ? "" : "^ ");
		screen_name(t, v[i].text, MARK_COLUMNS);
		screen_put(t, before ? " ^" : "");
		screen_end(t);
	}
}

void
screen_time(const struct plot *p, struct screen *t, unsigned at, unsigned w)
{
	screen_foot(t, at, w, time_text(p, p->first), time_text(p, p->last));
	marks_screen(p, t, at, w);
}
