/*
 * inputs.h - gives all programs that run.h starts the same bytes of the inputs, common.path[0..common.n), and the options
 * about them.
 */
#ifndef SPOOR_INPUTS_H
#define SPOOR_INPUTS_H

#include <stdbool.h>

#include "run/run_words.h"

/*
 * Makes all programs read the same bytes: a pipe is copied to a file without a name in TMPDIR, and its operand replaced
 * by /dev/fd/N; a compressed file is unpacked to one; a file that grows is read up to its present size. Dies if there
 * is no room. Returns false, after a message, if a compressed file is not whole.
 */
bool keep_inputs(void);
/* Returns true if the files of all inputs, also within directories, have at most `most` bytes together. Standard input
 * and pipes count after keep_inputs(). */
bool inputs_below(uint64_t most);
/* Returns a new descriptor of standard input, or of its copy, which the caller closes; -1 if it is not an input. Dies if
 * it cannot be opened. */
int input_again(void);

/* Adds the options about inputs and common.path[0..common.n), ends the words with NULL and returns w->v. trace-filter does
 * not get --by-time. */
char **end_words(struct command_words *w);

/* Exits with the message of a program that reads if an option about inputs, the expression `test` or the keys are
 * wrong. NULL: no expression, no keys. */
void check_options(const char *test, const char *keys);

#endif
