/*
 * plot.h - pictures of a trace. Each kind is a struct plot_kind, in a file of its own: it takes events
 * into bins, and draws these as SVG, for a terminal, or writes them as a table.
 */
#ifndef SPOOR_PLOT_H
#define SPOOR_PLOT_H

#include "table/table.h"
#include "trace-plot/bins.h"
#include "trace-plot/touched_pages.h"
#include "trace-plot/lanes.h"
#include "trace-plot/plot_names.h"
#include "trace-plot/plot_nest.h"
#include "trace-plot/plot_order.h"
#include "trace-plot/scale.h"
#include "trace-plot/svg.h"
#include "trace-plot/terminal.h"
#include "stats/column.h"
#include "work/work_parts.h"
#include "input/slice.h"
#include "view/traits.h"

struct plot;
struct frame;

#define NO_SLOT UINT32_MAX

/* The question as it was asked: texts of options, or NULL. */
struct plot_options {
	const char *y;	 /* -y: what is measured; of timeline, what has a row */
	const char *key; /* -g: what has a colour */
	const char *sum; /* -a: count, or sum(FIELD) */
	const char *title;
	unsigned colours; /* that many names have one of their own */
	enum svg_theme theme;
	bool absolute; /* -A: times by the clock */
	unsigned w, h; /* units of 1/12 of the font's height; 0: the kind's */
	struct svg_paper paper;
	bool plain; /* --no-title */
	const char *caption;
	char log[4], linear[4]; /* --log, --linear: letters of axes */
	uint64_t step;		/* --step: 10^-9 of it; 0: it was not given */
	bool step_timed;	/* it has a unit of time */
	bool spread;		/* events count in all bins that they cover */
	struct plot_limit {
		bool set;
		uint64_t whole;
		uint32_t nano;
	} max, min;			/* --max, --min: ends of the axis of values */
	bool even;			/* values are in steps of one size: --linear */
	const char *test, *keys;	/* -e, -k */
	const struct time_slice *slice; /* --from and --to; or NULL */
	bool partial, merge;		/* -p, -m */
	bool all;			/* --all; a table has all events, too */
	/* Events with from <= time < to are drawn, flipped; the greatest `to` is no end. How many are beyond. */
	struct plot_part {
		bool set;
		int64_t from, to;
		uint64_t beyond;
	} part;
	const char *arrows; /* --arrows: a file of messages */
	struct mark *mark;  /* --mark */
	size_t marks;
};

/* The i-th word that --theme takes, from 0; NULL behind the last. */
const char *plot_theme_word(size_t i);
/* Take the value of --size, of --theme, of --log or --linear, whose letters are added to `axes`. Give NULL,
 * or where it is wrong what is expected. */
const char *plot_size(void *opts, const char *text);
const char *plot_font(void *opts, const char *text);
const char *plot_theme(void *opts, const char *text);
/* Dies if -o names a file of a kind of picture that no program writes, and says how to make one. */
void plot_no_picture(void);
const char *plot_axes(void *axes, const char *text);
/* Take the values of --step, and of --max or --min, a struct plot_limit. Give NULL, or what is expected. */
const char *plot_step(void *opts, const char *text);
const char *plot_limit(void *limit, const char *text);
/* Adds the marks of a list "X=TEXT,..." of --mark. Returns NULL, or what is wrong. */
const char *plot_mark(void *opts, const char *list);

typedef void plot_with(void *arg, uint32_t slot, const char *lane, const char *name,
		       unsigned sum);

struct plot_kind {
	const char *name, *about;
	unsigned need; /* NEED_*, besides what the options' expressions need */
	bool lasts;    /* begins and ends of one thing are to be made one event */
	bool points;   /* where nothing lasts, what does not is drawn */
	bool
	    time; /* bins are of time: they hold all events, also those that are left out */
	bool measures;	/* it has a y: a number */
	bool rows;	/* -y names what has a row, besides where something lasts */
	unsigned lanes; /* its rows, or columns, that are kept apart: lanes.h */
	const char
	    *key;    /* the default of -g; NULL: it takes none, or if `panels` has none */
	bool panels; /* -g makes small pictures, one below the other */
	uint32_t names; /* of -g, that are kept apart; 0: NAMES_MOST */
	/* Axes that --log and --linear take, and why not the others. Values are on axis `value`,
	 * where both is possible: else 0. */
	const char *log, *linear, *why;
	char value;
	bool steps; /* takes --step, --spread, --max and --min */
	/* NEED_* for the kind's own names, and for those of one format; or NULL. */
	unsigned (*need_more)(const struct plot *p);
	unsigned (*need_of)(const struct source *s);
	/* Finds *x of a mark within the frame. Returns NULL, or why it has none. NULL: the kind has no marks. */
	const char *(*mark)(const struct plot *p, const struct frame *f,
			    const struct slice_time *at, int64_t *x);
	/* Reads tables in place of traces: then the kind has no `add`. ST_*. */
	int (*read)(struct plot *p, char *const *paths, size_t n);
	/* The defaults are set. */
	void (*open)(struct plot *p);
	/* The format is known; may be NULL. */
	void (*begin)(struct plot *p);
	/* Takes events pick[0..n) of b, a batch of s (NULL: the first n). */
	void (*add)(struct plot *p, struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n);
	/* Takes a state of a struct plot, as order.take does; only where `lasts` is set. */
	void (*nest)(void *plot, const struct ordered_state *s);
	/* Calls `with` for each slot in use: the names of its row and its series, or "", and
	 * the number of its sum. */
	void (*each)(struct plot *p, plot_with *with, void *arg);
	/* The slot of that, which may be new; NO_SLOT where there is no such sum. */
	uint32_t (*slot)(struct plot *p, const char *lane, const char *name, unsigned sum);
	/* Returns whether what was counted can be drawn; says why not. May be NULL. */
	bool (*able)(const struct plot *p);
	/* Only where `measures` is set. Values with fractions are on an axis of 2^-FINE. If there are none,
	 * `fined` makes it one of whole numbers before anything is drawn; else it sets y.unit. `whole`
	 * makes it one of whole numbers as soon as an axis of bins is too short for the values; may be
	 * NULL. */
	void (*fined)(struct plot *p);
	void (*whole)(struct plot *p);
	/* Draws. The bins are settled, and there are some. */
	void (*svg)(struct plot *p, struct buf *b);
	void (*terminal)(struct plot *p, struct screen *t);
	void (*bins)(struct plot *p, struct table *t); /* its names and rows */
	void (*free)(struct plot *p); /* what its state holds; may be NULL */
};

/* All kinds, up to NULL. */
extern const struct plot_kind *const kinds[];
extern const struct plot_kind kind_rate, kind_heat, kind_timeline, kind_hist, kind_matrix,
    kind_addr, kind_flame, kind_line;
/* The kind of that name, or NULL. */
const struct plot_kind *kind_named(const char *name);
/* NULL, or what of the options a kind does not take, as a message says it behind its name. */
const char *plot_refuses(const struct plot_kind *kind, const struct plot_options *opts);
/* Sets w and h from --size and --font. Dies if there is no room for a picture. */
void plot_paper(struct plot_options *opts);

/* A number of each event: a column or an expression. */
struct measured {
	enum field_kind column; /* FIELD_NONE: the list */
	struct exprs *list;
	const char *name;
	enum measure_unit unit;
	/* Fractions count: a value is v + nano / 10^9. Where it is false they are cut off. */
	bool fine;
	uint64_t v[BATCH];
	uint32_t nano[BATCH];
	bool there[BATCH];
	uint64_t absent, below; /* events without, and with a value below 0 */
	uint64_t fractions;	/* events whose value is no whole number */
};

/* Bound: trace-plot | names of -g | names of events | 384 | - */
#define NAMES_MOST 384

/* When events are: so many in each block of time. */
struct density {
	struct touched_pages blocks;
	uint64_t count[TOUCHED_MOST]; /* by row */
};

struct plot {
	const struct plot_kind *kind;
	struct plot_options opts;
	bool own; /* the texts of the question are the plot's */
	struct names key;
	struct names row;	 /* of what has a row, where names have one */
	struct names *own_names; /* those that only the kind has, or NULL */
	struct measured y;
	struct measured sum; /* the FIELD of -a sum(FIELD), where any may be added up */
	struct bins bins;
	/* For kinds that write percentiles: those of each name of the key, or of all events, as group 0. */
	struct stats_column found;
	struct density density;
	/* Events before opts.part and after it: how many, and from when to when. */
	struct plot_beyond {
		uint64_t n;
		int64_t first, last;
	} beyond[2];
	struct buf note;	/* what is left out, and what a part would show */
	struct state_nest nest; /* where something lasts, by number of a row's name */
	struct order order;	/* of states that come in any order */
	struct plot_held {
		uint32_t row;
		struct nest_span span;
	} * held; /* of partials: where something lasted in one of them */
	size_t nheld, held_cap;
	bool again; /* the inputs are to be read again, in order, after so many messages */
	unsigned said;
	bool points; /* nothing lasts */
	bool
	    whole; /* bins of fractions have become those of whole numbers: plot_kind.whole */
	bool shared; /* which names share a row hangs on the order of events */
	bool others; /* what is put together as others does so */
	void *state; /* the kind's own, to be freed */
	const struct traits *traits; /* and of the format of that name: */
	char format[16];
	const struct format_words *words;
	enum clock clock;
	int64_t flip; /* times are kept as time ^ flip, so that those of ticks compare */
	int64_t
	    origin; /* of all inputs in ns since 1970; 0 where they have none, or others */
	bool any, mixed;       /* clocks with different units, or formats: not drawn */
	bool mix;	       /* partials are of several formats */
	bool made_up;	       /* times of some input were made up */
	unsigned head_serial;  /* source.heads of the head that was looked at for that */
	int64_t first, last;   /* times of events, flipped; of what lasts, to its end */
	unsigned coarse;       /* so often was the SVG larger than SVG_MOST */
	uint64_t events;       /* drawn */
	uint64_t seen;	       /* handed over, with those that -e left out */
	struct arrows *arrows; /* or NULL: arrows.h; to be freed */
	struct strtab sources; /* what the inputs are called, without folders */
	unsigned source_id;
};

/* Begins a picture. Dies where an expression is wrong. */
void plot_open(struct plot *p, const struct plot_kind *kind,
	       const struct plot_options *opts);
/* Returns which fields the readers must fill in: NEED_*. */
unsigned plot_need(const struct plot *p);
/* Makes of what was not asked, and not known before the first events, the y. */
void plot_measure_as(struct plot *p, const char *y);
/* Notes the origin of one more input. To be called before p->any is set. */
void plot_origin(struct plot *p, int64_t origin);
/* frame.c: whether -A has what it needs. */
bool plot_dated(const struct plot *p);
/* Notes the format of one more input. To be called before p->any is set. */
void plot_source(struct plot *p, const char *format, enum clock clock);
/* Takes events pick[0..n) of b, a batch of s; of its first n if pick is NULL. */
void plot_add(void *plot, struct source *s, const struct batch *b, const uint32_t *pick,
	      uint32_t n);
/* Takes those events of the inputs at paths[0..n), none means standard input, that the
 * options choose. Sets in `opt` what it needs of them. ST_TROUBLE also where no
 * event had a field. */
int plot_read(struct plot *p, struct read_options *opt, char *const *paths, size_t n);
/* Returns which fields the readers of s must fill in besides, for a kind: NEED_*. */
unsigned plot_need_of(const struct plot_kind *kind, const struct source *s);
/* Returns whether the sums of parts of one input, cut anywhere, add up to those of the whole. */
bool plot_in_parts(const struct plot *p);
/* For threads (work/work.h): whether what it counted does not hang on the order of events; adds
 * all that `from` has counted, which is of no use then. */
bool plot_exact(const void *plot);
void plot_merge(void *to, const void *from);
/* Behind all inputs: false if there is nothing to draw, which is said. */
bool plot_done(struct plot *p);
/* Writes a picture that says why nothing is drawn. */
void plot_empty(const struct plot *p, struct out *o);
void plot_svg(struct plot *p, struct out *o);
void plot_terminal(struct plot *p, struct out *o, unsigned columns);
void plot_bins(struct plot *p, enum table_style style, struct out *o);
void plot_free(void *plot);

/* For kinds. */

/* A list of the kind's own, or NULL, has the key of -k. */
void plot_keyed(const struct plot *p, struct exprs *list);

/* "calls", or "call" of one. */
static inline const char *
events_of(const struct plot *p, uint64_t n)
{
	return n == 1 ? p->words->event : p->words->events;
}

/* Counts an event as one that lasts, if it lasts any time, and puts s, its state, in order, with its end. */
static inline void
plot_lasts(struct plot *p, const struct rec *r, struct ordered_state *s)
{
	s->to = r->dur <= 0		       ? s->from
		: s->from > INT64_MAX - r->dur ? INT64_MAX
					       : s->from + r->dur;
	if (s->to == s->from) {
		p->y.below++;
		return;
	}
	p->last = s->to - 1 > p->last ? s->to - 1 : p->last;
	p->events++;
	order_add(&p->order, s);
}

/* The expression of -g, or the kind's. */
static inline const char *
plot_key(const struct plot *p)
{
	return p->opts.key ? p->opts.key : p->kind->key;
}

/* Returns whether a colour stands for a number, not for its logarithm. */
static inline bool
plot_even_colours(const struct plot *p)
{
	return strchr(p->opts.linear, 'z');
}

/* The column of -y or -a, or its expression. Dies where it is wrong. */
void measure_open(struct measured *y, const char *text);
/* Opens p->sum as -a asks; dies where that is neither count nor sum(FIELD). */
void measure_sum(struct plot *p);
/* The numbers of n events as y->v where y->there. False if they cannot be asked of this source. */
bool measure_run(struct measured *y, struct source *s, const struct batch *b,
		 const uint32_t *pick, uint32_t n);
/* The parts of 2^-FINE behind the point of the i-th. */
static inline uint32_t
measure_part(const struct measured *y, uint32_t i)
{
	return y->fine ? (uint32_t)(((uint64_t)y->nano[i] << FINE) / 1000000000) : 0;
}
/* Returns the value of the i-th event that is added up: 1 where events are counted. */
static inline uint64_t
measure_weight(const struct measured *sum, uint32_t i)
{
	return !sum->list ? 1 : sum->there[i] ? sum->v[i] : 0;
}

/* The names that have a colour: of these, the n with the greatest totals. */
struct legend {
	uint32_t n; /* names; perhaps the others behind them */
	bool others;
	uint32_t name[COLOURS + 1];   /* their numbers; of the others, UINT32_MAX */
	unsigned colour[COLOURS + 1]; /* a number of a colour */
	uint64_t total[COLOURS + 1];
	uint8_t *of; /* by name: its place here */
};

/* The legend of names with the totals total[0..n); legend_free frees it. */
void legend_make(struct legend *l, const struct plot *p, const uint64_t *total, uint32_t n);
void legend_free(struct legend *l);
const char *legend_name(const struct legend *l, const struct plot *p, uint32_t i);
/* Draws it in rows of swatches and names, with their totals where `unit` is not NULL, from x to right, the first at
 * y. Gives the y below. */
int64_t legend_svg(const struct legend *l, const struct plot *p, struct buf *b, int64_t x,
		   int64_t right, int64_t y, const enum measure_unit *unit);
/* The height of these rows. */
int64_t legend_high(const struct legend *l, const struct plot *p, int64_t wide,
		    const enum measure_unit *unit);
void legend_screen(const struct legend *l, const struct plot *p, struct screen *t,
		   enum measure_unit unit);

/* density.c: counts events at n times, flipped. n in block `at` of 2^j, false where there is none such. Each
 * block. */
void density_add(struct density *c, const int64_t *time, uint32_t n);
bool density_block(struct density *c, unsigned j, uint64_t at, uint64_t n);
void density_each(const struct density *c, void (*take)(void *arg, uint64_t at, uint64_t n),
		  void *arg);
/* Finds the small part of the time that nearly all events are in. Returns false if there is none. */
bool density_part(const struct plot *p, struct plot_part *part);
/* Returns whether the part alone is drawn: it would have less than five pixels of 960, and nearly all that lasts is there. */
bool density_cuts(const struct plot *p, const struct plot_part *part);
/* Says so if there is one, and which options draw that alone; or which events are beyond opts.part. */
bool density_report(const struct plot *p, struct buf *b);

/* The part of a picture that has the axes: hundredths of a pixel. */
struct frame {
	int64_t left, right, top, bottom;
};

/* The height of a picture without its caption; `h` where none was asked. */
unsigned frame_height(const struct plot *p, unsigned h);
/* Returns whether a picture has no room for names on the right: they stand below. */
static inline bool
frame_narrow(const struct plot *p)
{
	return p->opts.w && p->opts.w < 480;
}
/* Returns the left edge of a frame that has numbers on its left. */
static inline int64_t
frame_left(const struct plot *p)
{
	return frame_narrow(p) ? 70 * PX : 92 * PX;
}
/* Returns y, or `plain` in a picture without a title. Both are pixels from the top; the result is in hundredths. */
static inline int64_t
frame_top(const struct plot *p, unsigned y, unsigned plain)
{
	return (p->opts.plain ? plain : y) * PX;
}
/* The name of an axis of values, which reads upwards. */
void frame_y(struct buf *b, const struct frame *f, const char *name);
/* Writes the beginning: title, and a line about the source with `cell` behind it. Frees both. */
void frame_begin(const struct plot *p, struct buf *b, unsigned w, unsigned h,
		 struct buf *title, struct buf *cell);
/* The axis of time below a frame, with lines over its height where `grid`. */
void frame_time(const struct plot *p, struct buf *b, const struct frame *f, bool grid);
/* Returns the name of the axis of p->y. */
static inline const char *
measure_axis(const struct plot *p)
{
	return p->y.column == FIELD_DUR	   ? "duration"
	       : p->y.column == FIELD_SIZE ? "size"
					   : p->y.name;
}
/* Appends "How long MPI calls take", or the like, of p->y. */
void measure_title(const struct plot *p, struct buf *b);
/* percentiles.c: counts for percentiles the n values of p->y that are there, each of its group[i], of which
 * there are ngroups: others, and all if it is NULL, of group 0; adds those of another plot, of group g
 * to map[g], or 0. */
void percentiles_add(struct plot *p, const uint32_t *group, uint32_t ngroups, uint32_t n);
void percentiles_merge(struct plot *to, const struct plot *from, const uint32_t *map);
/* The percentiles of groups g with from <= of[g] < to, or of all if of is NULL. */
struct percentile_pair {
	struct class_value p50, p99;
};
struct percentile_pair percentiles_of(const struct plot *p, const uint8_t *of,
				      uint32_t from, uint32_t to);

/* Appends one of them, and what is behind it. */
void percentiles_put(struct buf *b, const struct plot *p, struct class_value v,
		     const char *behind);
/* Appends ": 4.917 us at the median, 4.002 ms at p99". */
void percentiles_title(const struct plot *p, struct buf *b);
/* Writes all to a partial; takes a line of one, false if it is none. */
void percentiles_lines(const struct plot *p, struct parts_writer *w);
bool percentiles_line(struct plot *p, const char *name, const char *word, uint64_t v,
		      uint64_t times);
/* marks.c: plot_kind.mark where x is time. */
const char *mark_time(const struct plot *p, const struct frame *f,
		      const struct slice_time *at, int64_t *x);
/* Draws the marks over a frame: lines, and texts in rows, so that no two overlap. Reports which marks are outside of x,
 * and which text has no room; lines below w columns behind column `at`, with a ^ at each mark. */
void marks_svg(const struct plot *p, struct buf *b, const struct frame *f);
void marks_screen(const struct plot *p, struct screen *t, unsigned at, unsigned w);
/* x of a time, flipped, within the frame. */
int64_t frame_x(const struct plot *p, const struct frame *f, int64_t time);
/* The style of a number at a round place of an axis, and at an end of it. */
#define TICK "t n"
#define TICK_END "e t n"
/* The style of the bar behind a number at an edge, and of one that stands apart from the others. */
#define BAR "b0"
#define BAR_APART "b1"
/* A line over the frame's width at y, what it stands for left of it: `text`, in one of these styles. */
void frame_mark(struct buf *b, const struct frame *f, int64_t y, const char *style,
		const char *text);
/* Appends the name of a lane; what those of n lanes need left of a frame, each cut to LANE_NAME columns. */
#define LANE_NAME 24
/* The height of each of n lanes; `other` is that of what else is above and below them. */
int64_t lanes_height(const struct plot *p, uint32_t n, int64_t other);
/* One of so many lanes has its name beside it: of those that are lower than letters not all. */
static inline uint32_t
lanes_named(int64_t each)
{
	return (uint32_t)((11 * PX + each - 1) / each);
}
void lane_name(const struct plot *p, const struct lane *lane, struct buf *text);
int64_t lanes_width(const struct plot *p, const struct lane *lane, uint32_t n);
/* The y axis of a frame from 0 to `most`, with some five marks; `behind` as scale_put has it. */
void frame_scale(struct buf *b, const struct frame *f, enum measure_unit unit,
		 uint64_t most, const char *behind);
/* A time axis of 2^shift bins a column. */
struct time_columns {
	unsigned shift;
	int64_t lo; /* the first: bin lo << shift */
	uint32_t n;
	uint64_t width; /* ns or ticks of one */
};
/* Joins bins to at most `most` columns, as few bins each as possible. */
struct time_columns columns_of(const struct bins *b, uint32_t most);
/* Sums of column i over its bins of slot `slot`. */
uint64_t columns_sum(const struct bins *b, const struct time_columns *c, uint32_t i,
		     uint32_t slot);
/* Begins a window of svg over the frame whose units are columns, and h0 down. */
void frame_window(const struct plot *p, struct buf *b, const struct frame *f,
		  const struct time_columns *c, int64_t h0);
/* Returns the unit of a length of time. */
static inline enum measure_unit
time_unit(const struct plot *p)
{
	return p->clock == CLOCK_NS ? SCALE_TIME : SCALE_TICKS;
}
/* From the first event to the last, at least 1. */
uint64_t span_of(const struct plot *p);
/* Appends a time since the origin; one outside of the picture, with three digits. */
void put_time(struct buf *b, const struct plot *p, int64_t time);
void put_far(struct buf *b, const struct plot *p, int64_t time);
/* Appends when column i of those begins: " · 1.2 s". */
void put_column(struct buf *b, const struct plot *p, const struct time_columns *c,
		uint32_t i);
/* Appends which share v is of all: "13 %". */
void put_share(struct buf *b, uint64_t v, uint64_t all);
/* Prints the axis of time on a terminal: below w columns from column `at` on. */
void screen_time(const struct plot *p, struct screen *t, unsigned at, unsigned w);
/* A scale of the colours of numbers from least to most at x, from top to bottom at most: shade() of
 * them. Side by side for each of the styles: v, the colours of numbers, or the digit of a colour with shades o0, o1... */
void shades_svg(struct buf *b, int64_t x, int64_t top, int64_t bottom,
		enum measure_unit unit, uint64_t least, uint64_t most, const char *label,
		const char *styles);
/* For tables: the names of the columns; cells with when bin i begins and ends; a number, or a time of
 * ns. */
#define bins_head(t, ...) \
	(table_texts((t), (const char *const[]){__VA_ARGS__, NULL}), table_head(t))
void put_bin(struct table *t, const struct plot *p, int64_t i);
void put_amount(struct table *t, uint64_t v, bool time);
/* Writes the two ends of row i of the values of p->y. */
void put_bounds(struct table *t, const struct plot *p, const struct rows *rows, uint32_t i);

#endif
