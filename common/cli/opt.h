/*
 * opt.h - options from a table: the same rows feed getopt_long, --help and shell
 * completion.
 */
#ifndef SPOOR_OPT_H
#define SPOOR_OPT_H

#include <stdbool.h>

#include "input/slice.h"
#include "output/sink.h"

/* What the options that many programs share have said. */
struct common {
	struct read_options read;
	struct write_options write;
	struct time_slice slice; /* of read, where --from or --to is given */
	/* Those about how inputs are read, as they were written, for a command that is to read
	 * them alike: each word ends with a NUL. */
	struct buf said;
};

struct opt {
	int c;		  /* the letter; from OPT_LONG on there is only the long name */
	const char *name; /* long name */
	const char *arg;  /* name of its argument; NULL = none; "[=X]": optional */
	const char *help; /* one line */
	/* Options that contradict it, with blanks between: letters, or long names of those
	 * that have none. One of the two says so. NULL = none. */
	const char *against;
};

#define OPT_LONG 256
/* In place of a letter: the option of that name of some format, as -O has it. */
#define OPT_OF_FORMAT (OPT_LONG * 8)
#define OPT_OPERAND (-1)
#define OPT_THREADS_ROW                                          \
	{                                                        \
		'j', "threads", "N", "read with N threads", NULL \
	}
#define OPT_UNORDERED_ROW                                                        \
	{                                                                        \
		OPT_OF_FORMAT, "unordered", NULL, "SPC: times may go back", NULL \
	}

/* The words that an option takes as its argument, for completion. */
struct opt_words {
	int c;			       /* the option, or OPT_OPERAND: the first operand */
	bool list;		       /* it takes several, with commas between */
	const char *(*word)(size_t i); /* the i-th, from 0; NULL behind the last */
};

struct program {
	const char *about;	       /* as the man page's .Nd */
	const char *operands;	       /* "[FILE...]" */
	const char *examples[2];       /* commands for --help */
	const struct opt *opts;	       /* ends with c = 0 */
	const struct opt_words *words; /* the same; or NULL */
	bool reads;		       /* takes the options about inputs */
	bool writes;		       /* and those about the form of the output */
	/* A decoder's format: each of its options is one of the program's as well, and -f
	 * can name no other. NULL = any format is read. */
	const struct format *decodes;
	/* Why no part of an input can be read alone: --chunk is refused, and --help has none.
	 * NULL = it can. */
	const char *whole;
	bool two_lists; /* a -- may stand between operands of two kinds */
};

/*
 * Gives the next option of argv[0..argc) that is the program's own: its `c`, with its
 * argument in optarg; -1 at the operands (argv[optind]...). Options that programs share,
 * and those of formats, go into *common, which lives as long as the program. --help and
 * --version print and exit. A bad option ends the program with a message and ST_TROUBLE.
 */
int opt_next(const struct program *p, struct common *common, int argc, char **argv);
/* The whole of a decoder's work: all inputs, as the options say, into the output. Gives the
 * exit status. */
int cat_run(const struct common *c, char *const *paths, size_t n);
/* A message about the command line, and where to find help; exits with ST_TROUBLE. */
_Noreturn void opt_die(const char *fmt, ...) PRINTF(1, 2);
/* Dies with --chunk where an expression is asked of all events `in_order` (expr_in_order). */
void opt_in_order(const struct common *c, bool in_order);

#ifndef SPOOR_VERSION
#define SPOOR_VERSION "unknown" /* the Makefile has it */
#endif

/* Whether an only operand must be a file rather than an expression: nothing is piped in, or
 * its name has a point or a slash. */
bool opt_must_be_file(const char *name);

#endif
