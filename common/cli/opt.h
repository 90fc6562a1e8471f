/*
 * opt.h - options from a table: the same rows feed getopt_long, --help and shell
 * completion.
 */
#ifndef SPOOR_OPT_H
#define SPOOR_OPT_H

#include <stdbool.h>

#include "input/slice.h"
#include "output/sink.h"

/* The values of the options that all programs share, and the operands. opt_read fills it. */
struct common {
	struct read_options read;
	struct write_options write;
	/* Slice that read.slice points to, if --from or --to is given. */
	struct time_slice slice;
	/* The options about reading, with their arguments, for a command that must read the
	 * inputs in the same way (laplace-merge's workers, scripts). Each word ends with a
	 * NUL. */
	struct buf said;
	char **path; /* operands: the inputs */
	size_t n;
};
extern struct common common;

struct opt {
	int c;		  /* letter; 0 = the option has only a long name */
	const char *name; /* long name */
	const char *arg;  /* name of its argument; NULL = none; "[=X]" = optional */
	const char *help; /* help text of one line; NULL = not in --help */
	/* Names of options that cannot be used together with this one, in the form that
	 * opt_any() takes. A test (--expr and others that select events) lists itself: it
	 * can be given once, and the error message shows how to join two of them. */
	const char *against;
	/* The option sets each of these that is not NULL: a flag to true; a text to the argument (a `list` to
	 * all arguments with commas between); a number to the argument, a whole number from `least` to
	 * `most`; the form of the output. */
	bool *flag;
	const char **text;
	uint64_t *number;
	unsigned *count;
	uint64_t least, most;
	const struct form *form;
	/* Called with `to` and the argument, or NULL if there is no argument. Returns NULL,
	 * or an error message about the argument, which is printed at once and not freed. */
	const char *(*take)(void *to, const char *arg);
	void *to;
	/* Returns the i-th word (from 0) that the argument can be, for shell completion;
	 * NULL after the last word. */
	const char *(*word)(size_t i);
	/* the argument is a list with commas between; if the option is given again, its argument is appended */
	bool list;
	bool kept; /* common.said includes it */
};

/* Stands instead of a letter: the row is the option of this name that a format defines, as -O NAME is. */
#define OPT_OF_FORMAT (-1)
#define OPT_EXPR_ROW(text_)                                                           \
	{                                                                             \
		'e', "expr", "EXPR", "only the events that EXPR is true for", "expr", \
		    .text = text_                                                     \
	}
#define OPT_KEY_ROW(text_)                                                            \
	{                                                                             \
		'k', "key", "LIST", "the key of prev, nth and total; default is loc", \
		    .text = text_, .word = field_column_name, .list = true            \
	}
#define OPT_THREADS_ROW                                                                    \
	{                                                                                  \
		'j', "threads", "N", "read with N threads", .count = &common.read.threads, \
							    .least = 1, .most = 256        \
	}
#define OPT_UNORDERED_ROW                                                                \
	{                                                                                \
		OPT_OF_FORMAT, "unordered", NULL, "SPC: times may go back", .kept = true \
	}

struct program {
	const char *about;    /* description, the same as the manual page's .Nd */
	const char *operands; /* operands for --help, such as "[FILE...]" */
	/* returns the i-th word that the first operand can be, for completion; or NULL */
	const char *(*operand)(size_t i);
	const char *examples[2];  /* commands for --help */
	const struct opt *opts;	  /* ends with {0} */
	bool reads;		  /* it has the options about inputs */
	const struct opt *writes; /* output_opts, or NULL */
	/* The format of a decoder: each of the format's options is an option of the program too, and -f accepts no
	 * other format. NULL = the program reads any format. */
	const struct format *decodes;
	/* The reason why the program needs whole inputs: --chunk is refused with it, and not in --help. NULL = it
	 * can read a part. */
	const char *whole;
	bool fields_not; /* it uses no fields, so it has no --label */
	bool two_lists;	 /* a -- may separate two lists of operands */
};

/* The options about the form of the output, for program.writes. */
extern const struct opt output_opts[];

/*
 * Starts a program: reads the command line, sets the variables that the options name, and
 * fills `common`. --help and --version print and exit. A wrong option ends the program with
 * a message and the status ST_TROUBLE.
 */
void opt_read(const struct program *p, int argc, char **argv);
/* Returns the first option in the command line that is among `names`, which are letters or
 * long names separated by blanks; NULL if none of them was given. The option is returned as
 * it is written (-x, --name), in a static buffer. */
const char *opt_any(const char *names);
/* Does all the work of a decoder: reads all inputs as the options say, and writes their
 * events to the output. `threads` is sink_threads if option -j was given, else NULL.
 * Returns the exit status. */
int decoder_main(const struct threads *(*threads)(struct sink *));
/* Prints an error message about the command line and a hint at --help, and exits with
 * ST_TROUBLE. */
_Noreturn void opt_die(const char *fmt, ...) PRINTF(1, 2);
/* Returns the version of spoor, as --version prints it. It is a function, so that a new version recompiles only
 * one file. */
const char *opt_version(void);
#define OPT_LIST 256
/* Writes the words to `to` with commas between, for a message; words beyond its size are
 * skipped. Returns `to`. */
const char *opt_list(char to[static OPT_LIST], const char *word(size_t i));

#endif
