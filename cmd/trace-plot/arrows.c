/* arrows.c - --arrows: messages over a timeline, from the row of the sender to the row of the receiver. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "input/trace.h"
#include "trace-plot/arrows.h"

/* Bound: trace-plot | messages | of --arrows | 1000 | - */
#define ARROWS 1000u

struct arrows {
	struct arrow {
		uint32_t from, to;  /* names of rows */
		int64_t begin, end; /* flipped, as times of the plot are */
	} v[2 * ARROWS];
	uint32_t n;
	uint64_t seen, lost; /* all messages; messages without a row, or of another time */
	struct names loc, to;
	struct plot *p;
};

static int
by_length(const void *a, const void *b)
{
	const struct arrow *x = a, *y = b;
	uint64_t n = (uint64_t)x->end - (uint64_t)x->begin,
		 m = (uint64_t)y->end - (uint64_t)y->begin;

	if (n != m)
		return n < m ? 1 : -1;
	if (x->begin != y->begin)
		return x->begin > y->begin ? 1 : -1;
	return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
				  : (x->to > y->to) - (x->to < y->to);
}

/* Keeps the ARROWS longest arrows. */
static void
cut(struct arrows *a)
{
	qsort(a->v, a->n, sizeof *a->v, by_length);
	a->n = a->n < ARROWS ? a->n : ARROWS;
}

/* Finds the name of a row that equals name `id` of `names`. Returns false if there is none. */
static bool
lane_row(const struct arrows *a, const struct names *names, uint32_t id, uint32_t *row)
{
	const struct str *name = &names->text.v[id];

	return strtab_find(&a->p->row.text, name->s, name->len, row);
}

static bool
arrows_add(void *arg, struct source *s, const struct batch *b)
{
	struct arrows *a = arg;
	uint32_t loc[BATCH], to[BATCH];

	if (s->head.clock != a->p->clock)
		die("--arrows %s: the clock has another unit than the trace's", s->name);
	if (!names_of(&a->loc, s, b, NULL, b->n, loc) ||
	    !names_of(&a->to, s, b, NULL, b->n, to))
		return true;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);
		struct arrow *v = &a->v[a->n];

		/* An event without a receiver is not a message. */
		if (!strcmp(a->to.text.v[to[i]].s, "-"))
			continue;
		a->seen++;
		v->begin = r->time ^ a->p->flip;
		v->end = time_plus(s->head.clock, r->time, r->has & HAS_DUR ? r->dur : 0) ^
			 a->p->flip;
		if (!lane_row(a, &a->loc, loc[i], &v->from) ||
		    !lane_row(a, &a->to, to[i], &v->to) || v->begin < a->p->first ||
		    v->end > a->p->last) {
			a->lost++;
			continue;
		}
		if (++a->n == 2 * ARROWS)
			cut(a);
	}
	return true;
}

int
arrows_read(struct plot *p, const struct read_options *opt, const char *path)
{
	struct read_options own = *opt;
	char *paths[] = {(char *)(uintptr_t)path};
	struct arrows *a = p->arrows = xcalloc(1, sizeof *a);
	int status;

	a->p = p;
	names_open(&a->loc, "loc", 0);
	names_open(&a->to, "to", 0);
	own.need = NEED_TIME | NEED_LOC | NEED_DUR | exprs_need(a->to.list);
	/* Options of the trace do not apply to the messages. */
	own.slice = NULL;
	own.only = NULL;
	own.values = NULL;
	own.merge = NULL;
	own.label = NULL;
	own.labels = own.chunks = 0;
	own.follow = false;
	status =
	    trace_each(&own, paths, 1, &(struct consumer){.batch = arrows_add, .arg = a});
	cut(a);
	if (!a->seen && status == ST_OK)
		warn("--arrows %s: no event has an argument to: give a file that "
		     "trace-match wrote",
		     path);
	if (a->lost)
		warn("--arrows %s: %s of %s messages are outside of the picture", path,
		     scaled(SCALE_EXACT, a->lost), scaled(SCALE_EXACT, a->seen));
	names_free(&a->loc);
	names_free(&a->to);
	return a->seen ? status : ST_TROUBLE;
}

const char *
arrows_said(const struct plot *p)
{
	const struct arrows *a = p->arrows;
	uint64_t all = a ? a->seen - a->lost : 0;

	return !a	    ? ""
	       : all > a->n ? joined(", arrows: the longest ", scaled(SCALE_EXACT, a->n),
				     " of ", scaled(SCALE_EXACT, all), " messages")
			    : joined(", arrows: ", scaled(SCALE_EXACT, a->n),
				     a->n == 1 ? " message" : " messages");
}

void
arrows_svg(const struct plot *p, struct buf *b, const struct frame *f,
	   int64_t (*middle)(const struct plot *p, const struct frame *f, uint32_t name))
{
	const struct arrows *a = p->arrows;

	for (unsigned part = 0; a && a->n && part < 3; part++) {
		/* First a halo, then the lines, then the heads. */
		svg_path(b, "%s", !part ? "w halo" : part == 1 ? "w p5" : "p5");
		for (uint32_t i = 0; i < a->n; i++) {
			const struct arrow *v = &a->v[i];
			int64_t x = frame_x(p, f, v->end), y = middle(p, f, v->to),
				up = middle(p, f, v->from) < y ? -5 * PX : 5 * PX;

			if (part < 2) {
				svg_point(b, 'M', frame_x(p, f, v->begin),
					  middle(p, f, v->from));
				svg_point(b, 'L', x, y);
			} else {
				svg_point(b, 'M', x, y);
				svg_point(b, 'L', x - 3 * PX, y + up);
				svg_to(b, 'H', x + 3 * PX);
				buf_byte(b, 'z');
			}
		}
		svg_path_end(b, part == 1 ? "messages" : NULL);
	}
}
