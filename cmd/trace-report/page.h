/*
 * page.h - the first page about a trace (trace-report): what it is, its totals, the pictures that fit its format,
 * tables, what was lost, and the command that makes each.
 *
 * Other programs read the trace, and print all of it: trace-stats, trace-plot, trace-access, trace-reuse.
 */
#ifndef SPOOR_PAGE_H
#define SPOOR_PAGE_H

#include "base/out.h"
#include "run/run.h"
#include "summary/command.h"

#define PICTURES_MOST 6
#define GROUPS_MOST 4 /* formats of the inputs */
#define PARTS_MOST (GROUPS_MOST * PICTURES_MOST + 3)

/* A program that makes a part of the page. */
enum part_kind {
	PART_TABLES, /* trace-stats: the summary, then tables that have their commands with them */
	PART_PICTURE, /* trace-plot */
	PART_ACCESS,  /* trace-access */
	PART_CURVE,   /* trace-reuse */
};

struct page_part {
	enum part_kind kind;
	const char *name; /* of the kind of picture */
	const char *
	    format; /* of a picture if the inputs have several formats: what it is of; else NULL */
	unsigned group;	    /* the number of that format in the page */
	struct buf command; /* as a shell reads it */
	struct run *run;
};

struct page {
	struct asker asker;
	const char *only;  /* which events are shown, as a condition; NULL: all */
	const char *title; /* --title, or the name of the first input */
	const char *about; /* what the format is */
	const char *theme; /* auto, light or dark */
	struct buf
	    head; /* what the input says of itself: lines of a name, a TAB and a value */
	struct page_part part[PARTS_MOST];
	size_t nparts;
	/* Each message once: what was lost or suspicious; and all others, which pictures show. */
	struct strtab messages, notes;
	bool damaged; /* something was wrong */
};

/*
 * Makes all programs read the same bytes: a pipe is copied to a file without a name in TMPDIR, and its operand replaced
 * by /dev/fd/N; a compressed file is unpacked to one; a file that grows is read up to its present size. Dies if there
 * is no room. Returns false, after a message, if a compressed file is not whole.
 */
bool keep_inputs(void);
/* Returns the options, up to NULL, with which a program reads the inputs so. */
char *const *input_options(void);
/* Returns standard input, or the copy of it, opened once more; -1 if it is no input. */
int input_again(void);
/* Writes the page as a document of its own, or for a terminal. */
void page_html(const struct page *p, struct out *o);
void page_text(const struct page *p, struct out *o);
/* Runs the programs of the parts, which print to our standard output, a terminal, one after the other, and writes their
 * commands. */
void page_live(const struct page *p, struct out *o);

#endif
