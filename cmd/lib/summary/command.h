/* command.h - a command that asks one question of the inputs at hand again, as a shell reads it. */
#ifndef SPOOR_COMMAND_H
#define SPOOR_COMMAND_H

#include <stddef.h>

#include "base/mem.h"

/* How the inputs were read. */
struct asker {
	const char *test, *key; /* -e, -k, or NULL */
	const char *said;	/* common.said, of nsaid bytes */
	size_t nsaid;
	char *const *paths; /* of n inputs; none: standard input */
	size_t n;
};

/* Appends a blank and the word s. */
void command_word(struct buf *b, const char *s);
/* Appends an option and its value, unless that is NULL. */
void command_option(struct buf *b, const char *name, const char *value);
/* Appends -e with the test of `asker` and with `test`, each of which may be NULL, and -k. */
void command_events(struct buf *b, const struct asker *asker, const char *test);
/* Appends how inputs are read, and which. */
void command_inputs(struct buf *b, const struct asker *asker);

#endif
