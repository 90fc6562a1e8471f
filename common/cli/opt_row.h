/* opt_row.h - the options of the program that runs: opt.c fills the table, opt_next.c finds options in it. */
#ifndef SPOOR_OPT_ROW_H
#define SPOOR_OPT_ROW_H

#include "base/mem.h"
#include "cli/opt.h"

#define OPTS_MOST 64

struct opt_row {
	struct opt o;
	/* For a format's option. */
	const struct format *fmt;
	const struct format_option *of;
	bool given;
	struct buf list; /* where it is one: its arguments so far */
};

/* The options of the program, and those that programs share. */
extern struct opt_row opt_row[OPTS_MOST];
extern int opt_rows;

/*
 * Returns the next option of the command line, NULL after the last; its argument is in optarg. Dies if the option is
 * unknown, or if an argument is missing. Operands follow all options in argv then, from optind on. `two_lists`: a --
 * between operands stays.
 */
struct opt_row *opt_next(int argc, char **argv, bool two_lists);

#endif
