/*
 * opt.h - options from a table: the same rows feed getopt_long, --help and shell
 * completion.
 */
#ifndef SPOOR_OPT_H
#define SPOOR_OPT_H

#include <stdbool.h>

#include "input/slice.h"
#include "output/sink.h"

/* What the command line says for all programs alike. */
struct common {
	struct read_options read;
	struct write_options write;
	struct time_slice slice; /* of read, where --from or --to is given */
	/* Those about how inputs are read, as they were written, for a command that is to read
	 * them alike: each word ends with a NUL. */
	struct buf said;
	char **path; /* the operands */
	size_t n;
};
extern struct common common;

struct opt {
	int c;		  /* the letter; 0: there is only the long name */
	const char *name; /* long name */
	const char *arg;  /* name of its argument; NULL = none; "[=X]": optional */
	const char *help; /* one line; NULL: --help has none */
	/* Options that contradict it, as opt_any takes them. A test names itself here: it can be given once,
	 * and the message shows how to join two of them. */
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
	/* And called with `to` and the argument, NULL if there is none. Gives NULL, or what is wrong with it. */
	const char *(*take)(void *to, const char *arg);
	void *to;
	/* The words that the argument may be, for completion: the i-th, from 0; NULL behind
	 * the last. */
	const char *(*word)(size_t i);
	bool list; /* the argument is a list with commas between; a second one adds to it */
	bool kept; /* in common.said */
};

/* In place of a letter: the option of that name of some format, as -O has it. */
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
	const char *about;		  /* as the man page's .Nd */
	const char *operands;		  /* "[FILE...]" */
	const char *(*operand)(size_t i); /* the words that the first may be; or NULL */
	const char *examples[2];	  /* commands for --help */
	const struct opt *opts;		  /* ends with {0} */
	bool reads;			  /* takes the options about inputs */
	const struct opt *writes;	  /* output_opts, or NULL */
	/* A decoder's format: each of its options is one of the program's as well, and -f
	 * can name no other. NULL = any format is read. */
	const struct format *decodes;
	/* Why no part of an input can be read alone: --chunk is refused, and --help has none.
	 * NULL = it can. */
	const char *whole;
	bool fields_not; /* it asks for no fields: it has no --label */
	bool two_lists;	 /* a -- may stand between operands of two kinds */
};

/* The options about the form of the output, for program.writes. */
extern const struct opt output_opts[];

/*
 * The beginning of a program: what its options set is set, `common` is filled. --help and
 * --version print and exit. A bad option ends the program with a message and ST_TROUBLE.
 */
void opt_read(const struct program *p, int argc, char **argv);
/* Of options, by their letters or long names, with blanks between: the first that
 * was given, as it is written (-x, --name); NULL: none was. */
const char *opt_any(const char *names);
/* The whole of a decoder's work: all inputs, as the options say, into the output; with option -j
 * `threads` is sink_threads, else NULL. Gives the exit status. */
int cat_run(const struct threads *(*threads)(struct sink *));
/* A message about the command line, and where to find help; exits with ST_TROUBLE. */
_Noreturn void opt_die(const char *fmt, ...) PRINTF(1, 2);
/* The version of spoor, as --version prints it: only one file is made anew for it. */
const char *opt_version(void);
#define OPT_LIST 256
/* The words with commas between, for a message, as far as there is room. */
const char *opt_list(char to[static OPT_LIST], const char *word(size_t i));

#endif
