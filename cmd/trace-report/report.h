/*
 * report.h - the first page about a trace (trace-report): what it is, its totals, the pictures that fit
 * its format, the tables of the report, what was lost, and the command that makes each.
 *
 * One reading feeds the statistics and all pictures. Which pictures they are is known with the first
 * events: struct format says.
 */
#ifndef SPOOR_REPORT_H
#define SPOOR_REPORT_H

#include "trace-plot/plot.h"
#include "summary/summary.h"

#define PICTURES_MOST 6

/* As it was asked. */
struct report_options {
	struct plot_options plot; /* -e, -k, --from, --to, -j, --colours, --size, --theme */
	const char *title;	  /* or NULL */
	bool access;		  /* tables of trace-access and trace-reuse as well */
	unsigned columns;	  /* of a terminal; 0: it is found out */
	const char *said;	  /* common.said, of nsaid bytes */
	size_t nsaid;
	char *const *paths; /* of n inputs; none: standard input */
	size_t n;
};

/* What is counted: each thread has its own. */
struct counts {
	struct answer answer; /* answer_done and answer_stitch take it */
	struct report_options how;
	struct question q;
	char format[16];
	const struct format *fmt; /* NULL: none of that name */
	struct plot *plot[PICTURES_MOST];
	unsigned nplots;
	bool lasts[PICTURES_MOST]; /* it draws states, not their begins and ends */
	bool begun;
	/* Parts do not add up: a picture has none, or inputs differ. */
	bool whole;
	struct buf about; /* of the first input: lines of a name, a TAB and a value */
};

struct report {
	struct counts counts;
	struct locality *locality; /* NULL: it was not asked for */
	struct expr *before;	   /* while it is read: of events before their states */
	struct strtab messages;	   /* each once, the first of them */
	struct strtab notes;	   /* others that a picture says itself */
	uint32_t more;		   /* others */
	bool damaged;		   /* the status is ST_TROUBLE */
};

/*
 * Reads the inputs once, sets in `opt` what it needs of them, and finds out what can be drawn.
 * Gives ST_NONE where there were no events, else ST_OK; or ST_TROUBLE if anything was wrong.
 * From here on messages are kept for the page, and each is printed once. Dies where an
 * expression is wrong, with --from and --to in it.
 */
int report_read(struct report *p, const struct report_options *how,
		struct read_options *opt);
/* Hands the sections of trace-access and trace-reuse to `take`, which frees them. */
void locality_sections(const struct report *p, section_taker *take, void *arg);
/* Whether there is anything to show. */
bool report_any(const struct report *p);
/* Writes it as a document of its own, or for a terminal. */
void report_html(struct report *p, struct out *o);
void report_text(struct report *p, struct out *o);
void report_free(struct report *p);

/* For the two. */

/* What the trace is called: --title, the first input, or standard input; in b. */
const char *report_title(const struct report *p, struct buf *b);
/* What it is of, in a few words. */
const char *report_about(const struct report *p);
/* Appends the command, in one line, that makes picture i; all tables of trace-stats (0), trace-access (1),
 * trace-reuse (2). */
void report_plot_command(struct buf *b, const struct report *p, unsigned i);
void report_table_command(struct buf *b, const struct report *p, unsigned which);
/* Which events are shown, as a condition, in b or as it was typed; NULL: all. */
const char *report_only(const struct report *p, struct buf *b);

#endif
