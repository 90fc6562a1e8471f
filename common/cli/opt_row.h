/* opt_row.h - the options of the running program: opt.c fills the table, opt_next.c finds options in it. */
#ifndef SPOOR_OPT_ROW_H
#define SPOOR_OPT_ROW_H

#include "base/mem.h"
#include "cli/opt.h"

#define OPTS_MOST 64

struct opt_row {
	struct opt o;
	/* The format and its option, if the row is an option of a format. */
	const struct format *fmt;
	const struct format_option *of;
	bool given;
	struct buf list; /* arguments so far, if the option is a list */
};

/* The options of the program, including those that programs share. */
extern struct opt_row opt_row[OPTS_MOST];
extern int opt_rows;

/* Returns the next option of the command line, or NULL after the last one; its argument is in optarg. Dies if the
 * option is unknown or an argument is missing. After NULL, all operands follow the options in argv, from optind
 * on. With `two_lists`, a -- between operands stays. */
struct opt_row *opt_next(int argc, char **argv, bool two_lists);

#endif
