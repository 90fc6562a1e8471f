/* picture.c - writes a picture or a table, and reports what is left out: see plot.h. */
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "event/value.h"
#include "trace-plot/plot.h"

/* Adds a remark to the picture; if `said`, also prints it. */
static void
remark(struct plot *p, const char *text, bool said)
{
	char *before = p->note;

	p->note = xstrdup(before ? joined(before, "; ", text) : text);
	free(before);
	if (said)
		warn("%s", text);
}

/* Reports that n events are left out, in a message and in the picture: their value is below 0 if `below`, else
 * they have none. */
static void
left_out(struct plot *p, uint64_t n, bool below)
{
	const char *why = p->kind->lasts ? !below   ? " without a duration"
					   : n == 1 ? " that lasts no time"
						    : " that last no time"
					 : joined(below ? " with " : " without ",
						  p->y.name ? p->y.name : "an address",
						  below ? " below 0" : "");
	const char *what = joined(scaled(SCALE_EXACT, n), " ",
				  !p->kind->lasts ? events_of(p, n)
				  : n == 1	  ? "event"
						  : "events",
				  why);

	if (!n)
		return;
	remark(p, joined(what, " left out"), false);
	warn("%s %s left out", what, n == 1 ? "is" : "are");
}

/* Reports what the picture does not show. */
static void
say_note(struct plot *p)
{
	const char *report = density_report(p);

	if (p->made_up)
		remark(p, TIMES_REMARK, false);
	if (p->mix)
		remark(p, "traces of several formats, each with times of its own", false);
	if (*report)
		remark(p, report, true);
	left_out(p, p->y.absent, false);
	left_out(p, p->y.below, true);
	if (p->sum.fractions && p->opts.sum)
		remark(p,
		       joined(p->opts.sum, " leaves out the fractions of ",
			      scaled(SCALE_EXACT, p->sum.fractions), " ",
			      events_of(p, p->sum.fractions)),
		       true);
}

bool
plot_done(struct plot *p)
{
	char text[64];

	if (!p->events && p->kind->points) {
		p->events = p->y.absent;
		p->y.absent = 0;
		p->points = p->events;
	}
	if (p->events) {
		bins_settle(&p->bins);
		if (p->y.fine)
			p->kind->fined(p);
		if (p->kind->time) {
			bins_reach(&p->bins, p->first);
			bins_reach(&p->bins, p->last);
		}
		say_note(p);
		return !p->kind->able || p->kind->able(p);
	}
	/* Programs are silent if there is no event at all. */
	if (!p->any)
		remark(p, "no event matched", false);
	else if (p->kind->lasts)
		remark(p,
		       joined("no ", p->words->event, " lasts: nothing to draw as ",
			      p->kind->name, " (rate draws what has no durations)"),
		       true);
	else
		remark(p,
		       joined("no ", p->words->event, " has ",
			      p->y.name ? quoted(text, p->y.name, strlen(p->y.name))
			      : p->kind->need & NEED_ADDR ? "an address and a size"
							  : "a time",
			      p->sum.list && p->opts.sum ? " and a part of " : "",
			      p->sum.list && p->opts.sum ? p->opts.sum : "",
			      ": nothing to draw"),
		       true);
	return false;
}

static void
write_out(struct out *o, struct buf *b)
{
	out_bytes(o, b->p, b->n);
	buf_free(b);
	draw_free();
}

/* Changes all names to what a picture shows. */
static void
texts_shown(struct plot *p)
{
	for (uint32_t i = 0;
	     !p->kind->read && !strcmp(plot_key(p) ? plot_key(p) : "", "event") &&
	     i < p->key.text.n;
	     i++) {
		struct str *v = &p->key.text.v[i];

		v->s = (char *)(uintptr_t)traits_event(p->traits, v->s);
		v->len = (uint32_t)strlen(v->s);
	}
	names_shown(&p->key.text, true);
	names_shown(&p->row.text, true);
	names_shown(&p->sources, false);
	if (p->own_names)
		names_shown(&p->own_names->text, true);
}

void
plot_svg(struct plot *p, struct out *o)
{
	struct buf b = {0};

	shade_linear(plot_even_colours(p));
	texts_shown(p);
	p->coarse = 0;
	do {
		b.n = 0;
		draw_free();
		svg_told(200u >> p->coarse);
		p->kind->svg(p, &b);
		svg_end(&b);
	} while (b.n > SVG_MOST && p->coarse++ < 6);
	write_out(o, &b);
}

void
plot_empty(const struct plot *p, struct out *o)
{
	struct buf b = {0};
	unsigned w = p->opts.w ? p->opts.w : 960, h = p->opts.h ? p->opts.h : 200;
	const char *title = p->opts.title ? p->opts.title : "Nothing to draw";
	const char *note = p->note ? p->note : "";

	svg_begin(&b, w, h, &p->opts.paper, p->opts.theme, title, note);
	svg_text(&b, 24 * PX, 32 * PX, "h", SVG_START, title, (w - 48) * 10 / 116);
	svg_text(&b, 24 * PX, 52 * PX, "s", SVG_START, note, (w - 48) * 10 / SVG_COLUMN);
	svg_end(&b);
	write_out(o, &b);
}

void
plot_terminal(struct plot *p, struct out *o, unsigned columns)
{
	struct buf b = {0};
	struct screen t = {.b = &b};

	screen_open(&t, o->fd, columns);
	shade_linear(plot_even_colours(p));
	texts_shown(p);
	p->kind->terminal(p, &t);
	if (p->note)
		screen_title(&t, p->note);
	/* The names of a trace are safe already; the codes of colours must stay. */
	o->tty = false;
	write_out(o, &b);
}

void
plot_bins(struct plot *p, enum table_style style, struct out *o)
{
	struct table t = {.out = o, .style = style};

	p->kind->bins(p, &t);
	table_end(&t);
	draw_free();
}

void
put_bin(struct table *t, const struct plot *p, int64_t i)
{
	int64_t from = bins_low(&p->bins, i), width = (int64_t)bins_width(&p->bins);
	/* The end may exceed 64 bits: it is then the last time. */
	int64_t upto = from > INT64_MAX - width ? INT64_MAX : from + width;

	value_time(table_cell(t), p->clock, from ^ p->flip);
	value_time(table_cell(t), p->clock, upto ^ p->flip);
}

void
put_amount(struct table *t, uint64_t v, bool time)
{
	if (time)
		value_time(table_cell(t), CLOCK_NS, (int64_t)v);
	else
		table_u64(t, v);
}

void
put_bounds(struct table *t, const struct plot *p, const struct rows *rows, uint32_t i)
{
	for (uint32_t k = i; k <= i + 1; k++) {
		struct rows r = *rows;
		/* Each end has its own precision. */
		bool nano = p->y.fine && rows_fine(&r, k) == SCALE_NANO;
		struct buf *b;

		r.one = p->y.fine && !nano ? 1 : r.one;
		if (!nano) {
			put_amount(t, rows_low(&r, k),
				   !p->y.fine && p->y.unit == SCALE_TIME);
			continue;
		}
		b = table_cell(t);
		buf_to(b, value_put(buf_room(b, 64 + PUT_SLACK),
				    (struct class_value){NANO_POS, rows_low(&r, k)}));
	}
}
