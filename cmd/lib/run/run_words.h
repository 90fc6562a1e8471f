/* run_words.h - the command line of another program, and the options about inputs that are only passed on to it. */
#ifndef SPOOR_RUN_WORDS_H
#define SPOOR_RUN_WORDS_H

#include "cli/opt.h"

/* Words of a command. The words themselves are not copied: they must live as long as v, which the caller frees with
 * free(). */
struct command_words {
	char **v;
	size_t n, cap;
};

/* Adds a word; NULL ends the words. */
void words_add(struct command_words *w, const char *word);
/* Adds all words up to NULL, and the NULL. Returns w->v. */
char **words_end(struct command_words *w, const char *const *words);
/* Adds an option, such as "-e" or "--key", and its value; nothing if the value is NULL. */
void words_option(struct command_words *w, const char *name, const char *value);
/* Adds the options about inputs that the user gave, except the option `without`, such as "--by-time"; NULL: all.
 * `without` must have no value. */
void words_said(struct command_words *w, const char *without);

/* For completion, returns word i of the option -f or -O of a program that reads traces; NULL after the last. */
const char *run_format_word(size_t i);
const char *run_option_word(size_t i);
/* Takes -O. If its value asks for a list, runs a program that can print the list, and exits. Returns NULL. */
const char *run_option_list(void *own, const char *text);

/* Rows of options that are passed to the programs which read the inputs. These programs check the values. RUN_INPUT_ROWS
 * also has --by-time. */
#define RUN_FORMAT_ROWS                                                               \
	{'f',                                                                         \
	 "format",                                                                    \
	 "NAME",                                                                      \
	 "the input's format; otherwise it is found out",                             \
	 .word = run_format_word,                                                     \
	 .kept = true},                                                               \
	    {'O',                                                                     \
	     "option",                                                                \
	     "NAME[=VALUE]",                                                          \
	     "an option of a format; -O list prints all",                             \
	     .take = run_option_list,                                                 \
	     .word = run_option_word,                                                 \
	     .kept = true},                                                           \
	    {0, "unordered", NULL, "SPC: times may go back", .kept = true},           \
	{                                                                             \
		0, "follow-links", NULL, "ovni: links that lead out of a trace, too", \
		    .kept = true                                                      \
	}
#define RUN_INPUT_ROWS                                                          \
	RUN_FORMAT_ROWS,                                                        \
	{                                                                       \
		0, "by-time", NULL, "read all inputs as one, in order of time", \
		    "chunk follow", .kept = true                                \
	}

#endif
