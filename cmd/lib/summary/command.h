/* command.h - writes a shell command that asks one question of the same inputs again. */
#ifndef SPOOR_COMMAND_H
#define SPOOR_COMMAND_H

#include <stddef.h>

#include "base/mem.h"

/* The options and inputs of this run. */
struct asker {
	const char *test, *key; /* arguments of -e and -k, or NULL */
	const char *said;	/* common.said, nsaid bytes */
	size_t nsaid;
	char *const *paths; /* n inputs; none: standard input */
	size_t n;
};

/* Appends a blank and the word s, quoted for the shell if needed. */
void command_word(struct buf *b, const char *s);
/* Appends an option and its value. Appends nothing if value is NULL. */
void command_option(struct buf *b, const char *name, const char *value);
/* Appends -e with the test of `asker` and `test`, joined by "and", and -k. Each test may be NULL. */
void command_events(struct buf *b, const struct asker *asker, const char *test);
/* Appends the options about reading, and the inputs. */
void command_inputs(struct buf *b, const struct asker *asker);

#endif
