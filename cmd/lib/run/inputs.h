/*
 * inputs.h - gives all programs that run.h starts the same bytes of the inputs, common.path[0..common.n), and the options
 * about them.
 */
#ifndef SPOOR_INPUTS_H
#define SPOOR_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes all programs read the same bytes: a pipe is copied to a file without a name in TMPDIR, and its operand replaced
 * by /dev/fd/N; a compressed file is unpacked to one; a file that grows is read up to its present size. Dies if there
 * is no room. Returns false, after a message, if a compressed file is not whole.
 */
bool keep_inputs(void);
/* Returns a new descriptor of standard input, or of its copy, which the caller closes; -1 if it is not an input. Dies if
 * it cannot be opened. */
int input_again(void);

/* Words of a command. The words themselves are not copied: they must live as long as v, which the caller frees with
 * free(). */
struct command_words {
	char **v;
	size_t n, cap;
};

/* Adds a word; NULL ends the words. */
void add(struct command_words *w, const char *word);
/* Adds an option and its value; nothing if the value is NULL. */
void add_option(struct command_words *w, const char *name, const char *value);
/* Adds the options about inputs and common.path[0..common.n), ends the words with NULL and returns w->v. trace-filter does
 * not get --by-time. */
char **end_words(struct command_words *w);

/* Rows of options about inputs for a program that reads none itself: -f and -O. */
#define OPT_INPUT_FORMAT_ROWS                                                   \
	{'f',                                                                   \
	 "format",                                                              \
	 "NAME",                                                                \
	 "the input's format; otherwise it is found out",                       \
	 .word = format_name,                                                   \
	 .kept = true},                                                         \
	{                                                                       \
		'O', "option", "NAME[=VALUE]",                                  \
		    "an option of a format; -O list prints all",                \
		    .take = option_of_format, .word = option_name, .kept = true \
	}
/* Return the i-th name of a format or of an option of -O, as a program that reads traces completes it; NULL after the
 * last. */
const char *format_name(size_t i);
const char *option_name(size_t i);
/* Reads the argument of -O. For a list, runs a program that can print it, and exits. Returns NULL. */
const char *option_of_format(void *own, const char *text);
/* Exits with the message of a program that reads if an option about inputs, the expression `test` or the keys are
 * wrong. NULL: no expression, no keys. */
void check_options(const char *test, const char *keys);

#endif
