/* plot.h - pictures of a trace. Each kind is a struct plot_kind, in a file of its own: it takes events into
 * bins, and draws the bins as SVG or for a terminal, or writes them as a table. */
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

/* The options: texts as they were typed, or NULL. */
struct plot_options {
	const char *y;	 /* -y: measured value; for timeline, key of the rows */
	const char *key; /* -g: key of the colours */
	const char *sum; /* -a: count, or sum(FIELD) */
	const char *title;
	unsigned colours; /* number of names with a colour of their own */
	enum svg_theme theme;
	bool absolute; /* -A: times by the clock */
	unsigned w, h; /* units of 1/12 of the font's height; 0: the kind's default */
	struct svg_paper paper;
	bool plain; /* --no-title */
	const char *caption;
	char log[4], linear[4]; /* --log, --linear: letters of axes */
	uint64_t step;		/* --step in 10^-9 s, or 10^-9 ticks; 0: not given */
	bool step_timed;	/* --step has a unit of time */
	bool spread;		/* --spread: events count in all bins that they cover */
	struct plot_limit {
		bool set;
		uint64_t whole;
		uint32_t nano;
	} max, min; /* --max, --min: ends of the value axis */
	/* --linear for the value axis: steps of values have one size */
	bool even;
	const char *test, *keys;	/* -e, -k */
	const struct time_slice *slice; /* --from and --to; or NULL */
	bool partial, merge;		/* -p, -m */
	bool all;			/* --all, which tables imply */
	/* Only events with from <= time < to are drawn (flipped times); if `to` is INT64_MAX there is no end.
	 * `beyond` is the number of the other events. */
	struct plot_part {
		bool set;
		int64_t from, to;
		uint64_t beyond;
	} part;
	const char *arrows; /* --arrows: a file of messages */
	struct mark *mark;  /* --mark */
	size_t marks;
};

/* Returns word i of --theme, or NULL after the last word. */
const char *plot_theme_word(size_t i);
/* Reads the value of --size, --font or --theme into the struct plot_options at `opts`. Returns NULL, or what is
 * expected, in static memory. */
const char *plot_size(void *opts, const char *text);
const char *plot_font(void *opts, const char *text);
const char *plot_theme(void *opts, const char *text);
/* Dies if -o names a file of a format that no program writes (PNG, PDF), and says how to make one. plot_axes()
 * adds the letters of --log or --linear to the string at `axes`, and returns NULL, or what is expected. */
void plot_no_picture(void);
const char *plot_axes(void *axes, const char *text);
/* Reads the value of --step; plot_limit() reads the value of --max or --min into the struct plot_limit at `limit`.
 * Both return NULL, or what is expected, in static memory. */
const char *plot_step(void *opts, const char *text);
const char *plot_limit(void *limit, const char *text);
/* Adds the marks of a list "X=TEXT,..." of --mark. Returns NULL, or the error in static memory; the marks before the
 * wrong one are then added. */
const char *plot_mark(void *opts, const char *list);

typedef void plot_with(void *arg, uint32_t slot, const char *lane, const char *name,
		       unsigned sum);

struct plot_kind {
	const char *name, *about;
	unsigned need; /* NEED_*, besides what the options' expressions need */
	/* draws states: readers join the begin and the end of a state to one event */
	bool lasts;
	bool points; /* if no event lasts, draws the events without a duration */
	bool time;   /* bins are time, and reach over all events, also the ones left out */
	bool measures;	/* measures p->y, a number */
	bool rows;	/* -y is the key of rows (it always is if `lasts` is set) */
	unsigned lanes; /* limit of rows, or columns, that are kept apart: lanes.h */
	/* default of -g; NULL: takes no -g, or, with `panels`, has no default */
	const char *key;
	bool panels;	/* -g makes small pictures, one below the other */
	uint32_t names; /* limit of names of -g; 0: NAMES_MOST */
	unsigned sums;	/* for sums_each() and sums_slot() */
	/* Axes that --log and --linear take, and the message for other axes. `value` is the letter of the value
	 * axis if it can be logarithmic and linear, else 0. */
	const char *log, *linear, *why;
	char value;
	bool steps; /* takes --step, --spread, --max and --min */
	/* Return NEED_*, for the kind's own names, and for the format of s; may be NULL. */
	unsigned (*need_more)(const struct plot *p);
	unsigned (*need_of)(const struct source *s);
	/* Finds *x of a mark within the frame. Returns NULL, or why the mark has no x, in static memory. If the
	 * member is NULL, the kind takes no --mark. */
	const char *(*mark)(const struct plot *p, const struct frame *f,
			    const struct slice_time *at, int64_t *x);
	/* Reads tables instead of traces; a kind with it has no `add`. Returns ST_*. */
	int (*read)(struct plot *p, char *const *paths, size_t n);
	/* Sets up the state and the bins of the kind, after plot_open() has set the defaults. */
	void (*open)(struct plot *p);
	/* Takes note of the format, when it is known; may be NULL. */
	void (*begin)(struct plot *p);
	/* Takes events pick[0..n) of b, a batch of s; if pick is NULL, the first n. If `lasts` is set, the
	 * kind has `nest` instead. */
	void (*add)(struct plot *p, struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n);
	/* Takes a state, as order.take does; `plot` is the struct plot. */
	void (*nest)(void *plot, const struct ordered_state *s);
	/* Takes an event without a duration, at the flipped time `time`; may be NULL. */
	void (*moment)(struct plot *p, uint32_t loc, int64_t time);
	/* Calls `with` for each slot in use: with the names of its row and of its series, or "", and the number
	 * of its sum. */
	void (*each)(struct plot *p, plot_with *with, void *arg);
	/* Returns the slot of the sum with these names, which may be new, or NO_SLOT if there is no such sum. */
	uint32_t (*slot)(struct plot *p, const char *lane, const char *name, unsigned sum);
	/* Returns whether the counts can be drawn; prints why not. May be NULL. */
	bool (*able)(const struct plot *p);
	/* Only if `measures` is set. Values with fractions are on an axis of 2^-FINE. `fined` is called before
	 * drawing: if no value had a fraction, it makes the axis one of whole numbers, else it sets y.unit.
	 * `whole` makes the axis one of whole numbers as soon as bins are too few for the values; may be NULL. */
	void (*fined)(struct plot *p);
	void (*whole)(struct plot *p);
	/* Draw the plot. The bins are settled and not empty. */
	void (*svg)(struct plot *p, struct buf *b);
	void (*terminal)(struct plot *p, struct screen *t);
	/* writes the names of columns, and the rows */
	void (*bins)(struct plot *p, struct table *t);
	void (*free)(struct plot *p); /* frees what the state holds; may be NULL */
};

/* All kinds, up to NULL. */
extern const struct plot_kind *const kinds[];
extern const struct plot_kind kind_rate, kind_heat, kind_timeline, kind_hist, kind_matrix,
    kind_addr, kind_flame, kind_line;
/* Returns the kind with that name, or NULL. */
const struct plot_kind *kind_named(const char *name);
/* Returns NULL, or which option the kind does not take, as the end of a message that begins with the kind's name. The
 * text is in static memory. */
const char *plot_refuses(const struct plot_kind *kind, const struct plot_options *opts);
/* Sets w and h from --size and --font. Dies if there is no room for a picture. */
void plot_paper(struct plot_options *opts);

/* A number of each event: a column, or an expression. */
struct measured {
	enum field_kind column; /* FIELD_NONE: an expression, in `list` */
	struct exprs *list;
	const char *name;
	enum measure_unit unit;
	/* true: a value is v + nano / 10^9; false: fractions are cut off */
	bool fine;
	uint64_t v[BATCH];
	uint32_t nano[BATCH];
	bool there[BATCH];
	uint64_t absent, below; /* events without a value; events with a value below 0 */
	uint64_t fractions;	/* events whose value is not a whole number */
};

/* Bound: trace-plot | names of -g | names of events | 384 | - */
#define NAMES_MOST 384

/* Numbers of events by block of time. */
struct density {
	struct touched_pages blocks;
	uint64_t count[TOUCHED_MOST]; /* by row */
};

struct plot {
	const struct plot_kind *kind;
	struct plot_options opts;
	bool own; /* the texts of the options are freed with the plot */
	struct names key;
	struct names row;	 /* names of rows, if rows have names */
	struct names *own_names; /* names of the outermost state, or NULL */
	struct measured y;
	/* FIELD of -a sum(FIELD), for kinds that can add up any field */
	struct measured sum;
	struct bins bins;
	/* Distributions for percentiles: one for each name of the key, or for all events, as group 0. */
	struct stats_column found;
	struct density density;
	/* Events before and after opts.part: number, first and last time. */
	struct plot_beyond {
		uint64_t n;
		int64_t first, last;
	} beyond[2];
	/* remarks: what is left out, and which options would show it; or NULL */
	char *note;
	struct state_nest nest; /* current states, by number of the row's name */
	struct order order;	/* sorts states that come in any order */
	struct plot_held {
		uint32_t row;
		struct nest_span span;
	} * held; /* from partial results: when something lasted in a row */
	size_t nheld, held_cap;
	/* the inputs must be read again, sorted; `said` messages were printed */
	bool again;
	unsigned said;
	bool points; /* no event lasts */
	bool whole;  /* bins of fractions were changed to whole numbers: plot_kind.whole */
	bool shared; /* which names share a row depends on the order of events */
	bool others; /* which names became others depends on the order of events */
	void *state; /* state of the kind, freed with the plot */
	const struct traits *traits; /* traits of `format` */
	char format[16];
	const struct format_words *words;
	enum clock clock;
	/* times are stored as time ^ flip, so that ticks compare as signed numbers */
	int64_t flip;
	/* origin of all inputs in ns since 1970; 0: unknown, or different origins */
	int64_t origin;
	/* mixed: some inputs have another clock or format, and are not drawn */
	bool any, mixed;
	bool mix;     /* partial results have several formats */
	bool made_up; /* some input has made-up times */
	/* source.head_serial of the last head that was checked for made_up */
	unsigned head_serial;
	/* flipped times of the first and last event; states count to their end */
	int64_t first, last;
	unsigned coarse;       /* how often the SVG was larger than SVG_MOST */
	uint64_t events;       /* events drawn */
	struct arrows *arrows; /* messages of --arrows, or NULL; freed with the plot */
	struct strtab sources; /* names of the inputs, without folders */
	unsigned source_id;
};

/* Begins a picture. Dies if an expression is wrong. */
void plot_open(struct plot *p, const struct plot_kind *kind,
	       const struct plot_options *opts);
/* Sets the measured value to y: if -y is not given, it is unknown before the first events. */
void plot_measure_as(struct plot *p, const char *y);
/* Notes the origin of another input. Must be called before p->any is set. */
void plot_origin(struct plot *p, int64_t origin);
/* Returns false if -A is given, but the times do not all count from one date. (frame.c) */
bool plot_dated(const struct plot *p);
/* Notes the format and the clock of another input. Must be called before p->any is set. */
void plot_source(struct plot *p, const char *format, enum clock clock);
/* Reads the inputs at paths[0..n), or standard input if n is 0, and counts the events that the options select.
 * Sets in `opt` what it needs. Returns ST_OK, or ST_TROUBLE after an error, or if no event had a field that was
 * asked for. */
int plot_read(struct plot *p, struct read_options *opt, char *const *paths, size_t n);
/* Returns whether the counts do not depend on the order of events, so that counts of threads can be added
 * (work/work.h). */
bool plot_exact(const void *plot);
/* Completes the counts after all inputs. Returns false if there is nothing to draw, after a message. */
bool plot_done(struct plot *p);
/* Writes a picture with the reason why nothing is drawn. */
void plot_empty(const struct plot *p, struct out *o);
/* Writes the picture as SVG; plot_terminal() for a terminal `columns` wide; plot_bins() its numbers as a table. */
void plot_svg(struct plot *p, struct out *o);
void plot_terminal(struct plot *p, struct out *o, unsigned columns);
void plot_bins(struct plot *p, enum table_style style, struct out *o);
/* Frees what a plot holds, but not the struct. */
void plot_free(void *plot);

/* The functions below are for kinds. */

/* Implement plot_kind.each and .slot for kinds whose slots are plot_kind.sums sums of each name. */
void sums_each(struct plot *p, plot_with *with, void *arg);
uint32_t sums_slot(struct plot *p, const char *lane, const char *name, unsigned sum);
/* Returns the word for n events: "calls", or "call" if n is 1. */
static inline const char *
events_of(const struct plot *p, uint64_t n)
{
	return n == 1 ? p->words->event : p->words->events;
}

/* Returns the expression of -g, or the kind's default, or NULL. */
static inline const char *
plot_key(const struct plot *p)
{
	return p->opts.key ? p->opts.key : p->kind->key;
}

/* Returns whether colours show numbers, not their logarithms: --linear z. */
static inline bool
plot_even_colours(const struct plot *p)
{
	return strchr(p->opts.linear, 'z');
}

/* Sets y to the column or expression `text`, of -y or -a. Dies if it is wrong. */
void measure_open(struct measured *y, const char *text);
/* Sets p->sum from -a. Dies if -a is neither count nor sum(FIELD). */
void measure_sum(struct plot *p);
/* Computes the values of n events: y->v[i] if y->there[i]. Returns false if the expression does not apply to
 * this source. */
bool measure_run(struct measured *y, struct source *s, const struct batch *b,
		 const uint32_t *pick, uint32_t n);
/* Returns the fraction of value i in 2^-FINE. */
static inline uint32_t
measure_part(const struct measured *y, uint32_t i)
{
	return y->fine ? (uint32_t)(((uint64_t)y->nano[i] << FINE) / 1000000000) : 0;
}
/* Returns what event i adds to a sum: its value, or 1 if events are counted. */
static inline uint64_t
measure_weight(const struct measured *sum, uint32_t i)
{
	return !sum->list ? 1 : sum->there[i] ? sum->v[i] : 0;
}

/* The names that have a colour: the n names with the greatest totals. */
struct legend {
	uint32_t n; /* number of names; entry n is for the others */
	bool others;
	uint32_t name[COLOURS + 1];   /* numbers of the names; UINT32_MAX for the others */
	unsigned colour[COLOURS + 1]; /* numbers of colours */
	uint64_t total[COLOURS + 1];
	uint8_t *of; /* entry in this legend, by number of the name */
};

/* Makes the legend of names with the totals total[0..n), in the memory of draw_room(). */
void legend_make(struct legend *l, const struct plot *p, const uint64_t *total, uint32_t n);
/* Returns the name of entry i, or "others". */
const char *legend_name(const struct legend *l, const struct plot *p, uint32_t i);
/* Draws the legend in rows of swatches and names, with totals in `unit` unless it is NULL, from x to `right`,
 * the first row at y. Returns the y below the rows. */
int64_t legend_svg(const struct legend *l, const struct plot *p, struct buf *b, int64_t x,
		   int64_t right, int64_t y, const enum measure_unit *unit);
/* Returns the height that legend_svg() needs in a width of `wide`. */
int64_t legend_high(const struct legend *l, const struct plot *p, int64_t wide,
		    const enum measure_unit *unit);
/* Writes the legend below the picture in a terminal, with totals in `unit`. */
void legend_screen(const struct legend *l, const struct plot *p, struct screen *t,
		   enum measure_unit unit);

/* Counts events at n flipped times. density_block() counts n events in block `at` of 2^j, and returns false if
 * there is no such block. (density.c) */
void density_add(struct density *c, const int64_t *time, uint32_t n);
bool density_block(struct density *c, unsigned j, uint64_t at, uint64_t n);
/* Finds a small part of the time that contains nearly all events. Returns false if there is none. */
bool density_part(const struct plot *p, struct plot_part *part);
/* Returns whether only the part is drawn: in the whole picture it would have less than five pixels of 960, and
 * nearly all states are within it. */
bool density_cuts(const struct plot *p, const struct plot_part *part);
/* Returns that nearly all events are in a small part of the time, and which options draw it; or, if opts.part is set,
 * how many events are outside of that part. Returns "" if neither is so. */
const char *density_report(const struct plot *p);

/* The area of a picture within its axes: hundredths of a pixel. */
struct frame {
	int64_t left, right, top, bottom;
};

/* Returns the height of a picture without its caption, in pixels: from --size, or else h. */
unsigned frame_height(const struct plot *p, unsigned h);
/* Returns whether a picture has no room for names on the right, so that they are below. */
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
/* Draws the name of a value axis, which reads upwards. */
void frame_y(struct buf *b, const struct frame *f, const char *name);
/* Writes the beginning of a picture: its title, and a line about the inputs that ends with `cell`. */
void frame_begin(const struct plot *p, struct buf *b, unsigned w, unsigned h,
		 const char *title, const char *cell);
/* Draws the axis of time below a frame; with `grid`, also lines over the frame's height. */
void frame_time(const struct plot *p, struct buf *b, const struct frame *f, bool grid);
/* Returns the name of the axis of p->y. */
static inline const char *
measure_axis(const struct plot *p)
{
	return p->y.column == FIELD_DUR	   ? "duration"
	       : p->y.column == FIELD_SIZE ? "size"
					   : p->y.name;
}
/* Returns a title for p->y, such as "How long MPI calls take". */
const char *measure_title(const struct plot *p);
/* Counts n values of p->y for percentiles, value i in group[i] of `ngroups`; in group 0 if group[i] is too
 * large, or if group is NULL. percentiles_merge() adds the counts of another plot, group g to map[g], or to 0
 * if map is NULL. (percentiles.c) */
void percentiles_add(struct plot *p, const uint32_t *group, uint32_t ngroups, uint32_t n);
void percentiles_merge(struct plot *to, const struct plot *from, const uint32_t *map);
/* The median and the 99th percentile. percentiles_of() computes them for the groups g with of[g] = place, or for all
 * groups if `of` is NULL. */
struct percentile_pair {
	struct class_value p50, p99;
};
struct percentile_pair percentiles_of(const struct plot *p, const uint8_t *of,
				      uint32_t place);

/* Returns a percentile as text; percentiles_title() ": 4.917 us at the median, 4.002 ms at p99". */
const char *percentile_text(const struct plot *p, struct class_value v);
const char *percentiles_title(const struct plot *p);
/* Writes all distributions to a partial result. percentiles_line() reads one such line, and returns false if it
 * is malformed. */
void percentiles_lines(const struct plot *p, struct parts_writer *w);
bool percentiles_line(struct plot *p, const char *name, const char *word, uint64_t v,
		      uint64_t times);
/* Finds the x of a mark, for kinds whose x is time: plot_kind.mark. Returns NULL, or the error in static memory.
 * (marks.c) */
const char *mark_time(const struct plot *p, const struct frame *f,
		      const struct slice_time *at, int64_t *x);
/* Draws the marks over a frame: lines, and texts in rows, so that no two overlap. Reports marks outside of the
 * frame, and texts without room. marks_screen() prints the texts below w columns from column `at` on, with a ^
 * at each mark. */
void marks_svg(const struct plot *p, struct buf *b, const struct frame *f);
void marks_screen(const struct plot *p, struct screen *t, unsigned at, unsigned w);
/* Returns the x of a flipped time within the frame. */
int64_t frame_x(const struct plot *p, const struct frame *f, int64_t time);
/* Style of a number at a round place of an axis, and at an end of the axis. */
#define TICK "t n"
#define TICK_END "e t n"
/* Style of the bar behind a number at an edge, and of a bar that differs from the others. */
#define BAR "b0"
#define BAR_APART "b1"
/* Draws a line over the frame's width at y, and left of it `text`, in style TICK or TICK_END. */
void frame_mark(struct buf *b, const struct frame *f, int64_t y, const char *style,
		const char *text);
/* Limit of a lane's name left of a frame, in columns. lane_name() returns the name of a lane; lanes_width()
 * returns the width that the names of n lanes need. */
#define LANE_NAME 24
/* Returns the height of each of n lanes; `other` is the height of everything above and below them. */
int64_t lanes_height(const struct plot *p, uint32_t n, int64_t other);
/* Returns n if every n-th lane has its name beside it: more than 1 if a lane, whose height is `each`, is lower
 * than letters. */
static inline uint32_t
lanes_named(int64_t each)
{
	return (uint32_t)((11 * PX + each - 1) / each);
}
const char *lane_name(const struct plot *p, const struct lane *lane);
int64_t lanes_width(const struct plot *p, const struct lane *lane, uint32_t n);
/* Columns of a time axis, 2^shift bins each. */
struct time_columns {
	unsigned shift;
	int64_t lo; /* first column; it begins with bin lo << shift */
	uint32_t n;
	uint64_t width; /* ns or ticks of a column */
};
/* Returns columns of as few bins as possible, at most `most` columns. */
struct time_columns columns_of(const struct bins *b, uint32_t most);
/* Returns the sum of slot `slot` over the bins of column i. */
uint64_t columns_sum(const struct bins *b, const struct time_columns *c, uint32_t i,
		     uint32_t slot);
/* Begins a window of SVG over the frame: x counts columns, y is from 0 to `high`. The window includes a margin left
 * and right of the frame. */
void frame_window(const struct plot *p, struct buf *b, const struct frame *f,
		  const struct time_columns *c, int64_t high, int64_t margin);
/* Returns the unit of a length of time. */
static inline enum measure_unit
time_unit(const struct plot *p)
{
	return p->clock == CLOCK_NS ? SCALE_TIME : SCALE_TICKS;
}
/* Returns the time from the first event to the last, at least 1. */
uint64_t span_of(const struct plot *p);
/* Returns a time since the origin. far_text() returns a time outside of the picture, with three digits;
 * column_text() the begin of column i. */
const char *time_text(const struct plot *p, int64_t time);
const char *far_text(const struct plot *p, int64_t time);
const char *column_text(const struct plot *p, const struct time_columns *c, uint32_t i);
/* Returns v as a share of `all`: "13 %". */
const char *share_text(uint64_t v, uint64_t all);
/* Prints the axis of time, and the marks, on a terminal, below w columns from column `at` on. */
void screen_time(const struct plot *p, struct screen *t, unsigned at, unsigned w);
/* Draws a scale of the colours that shade() gives numbers from `least` to `most`, at x, from `top` to at most
 * `bottom`. Each letter of `styles` is a strip: v for the colours of numbers, or the digit of a colour with
 * shades o0, o1... */
void shades_svg(struct buf *b, int64_t x, int64_t top, int64_t bottom,
		enum measure_unit unit, uint64_t least, uint64_t most, const char *label,
		const char *styles);
/* For tables: bins_head() writes the names of columns; put_bin() writes cells with begin and end of bin i;
 * put_amount() writes a number, or a time in ns. */
#define bins_head(t, ...) \
	(table_texts((t), (const char *const[]){__VA_ARGS__, NULL}), table_head(t))
void put_bin(struct table *t, const struct plot *p, int64_t i);
void put_amount(struct table *t, uint64_t v, bool time);
/* Writes both ends of row i of the values of p->y. */
void put_bounds(struct table *t, const struct plot *p, const struct rows *rows, uint32_t i);

#endif
