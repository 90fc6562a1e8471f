/* page.h - the first page about a trace (trace-report): its format, its totals, the pictures that fit its
 * format, tables, what was lost, and the commands.
 *
 * Other programs read the trace and print everything: trace-stats, trace-plot, trace-access, trace-reuse. */
#ifndef SPOOR_PAGE_H
#define SPOOR_PAGE_H

#include "base/out.h"
#include "run/run.h"
#include "summary/command.h"

#define PICTURES_MOST 6
#define GROUPS_MOST 4 /* limit of formats of the inputs */
#define PARTS_MOST (GROUPS_MOST * PICTURES_MOST + 4)

/* A program that makes a part of the page. */
enum part_kind {
	PART_TABLES,  /* trace-stats: the summary, then tables with their commands */
	PART_PICTURE, /* trace-plot */
	PART_ACCESS,  /* trace-access */
	PART_CURVE,   /* trace-reuse */
	PART_FINDINGS /* trace-advise */
};

struct page_part {
	enum part_kind kind;
	const char *name; /* kind of the picture */
	/* for a picture, if the inputs have several formats: its format; else NULL */
	const char *format;
	unsigned group;	    /* number of that format in the page */
	struct buf command; /* in shell syntax */
	struct run *run;
};

/* Begins of names of rules of trace-advise, and the kind of picture that shows what they are about. The last one is
 * empty and fits all. */
extern const char *const rule_pictures[][2];

struct page {
	struct asker asker;
	const char *only;  /* condition of the events that are shown; NULL: all */
	const char *title; /* --title, or the name of the first input */
	const char *about; /* description of the format */
	const char *theme; /* auto, light or dark */
	struct buf head;   /* metadata of the input: lines with name, TAB and value */
	struct page_part part[PARTS_MOST];
	size_t nparts;
	/* Messages without repetition: what was lost or suspicious; and remarks that pictures show. */
	struct strtab messages, notes;
	bool damaged; /* there were errors */
	/* The findings were not asked for: the page says nothing if there are none. */
	bool found_only;
};

/* Writes the page as an HTML document; page_text() writes it for a terminal. */
void page_html(const struct page *p, struct out *o);
void page_text(const struct page *p, struct out *o);
/* Runs the programs of the parts one after the other, with our standard output, a terminal, and writes their commands.
 * A program that cannot be run or fails sets its run.status, and the others still run (run_all). */
void page_live(const struct page *p, struct out *o);

#endif
