/* command.c - see command.h. */
#include <string.h>

#include "base/put.h"
#include "summary/command.h"

#define OPERANDS_MOST 1500 /* bytes of operands that are shown */

void
command_word(struct buf *b, const char *s)
{
	buf_byte(b, ' ');
	buf_word(b, s);
}

void
command_option(struct buf *b, const char *name, const char *value)
{
	if (!value)
		return;
	command_word(b, name);
	command_word(b, value);
}

void
command_events(struct buf *b, const struct asker *how, const char *test)
{
	struct buf both = {0};

	if (how->test && test)
		for (const char *const *s =
			 (const char *const[]){"(", how->test, ") and (", test, ")", NULL};
		     *s; s++)
			buf_str(&both, *s);
	buf_byte(&both, '\0');
	command_option(b, "-e",
		       both.n > 1  ? (const char *)both.p
		       : how->test ? how->test
				   : test);
	command_option(b, "-k", how->key);
	buf_free(&both);
}

void
command_inputs(struct buf *b, const struct asker *how)
{
	size_t from;

	for (size_t i = 0; i < how->nsaid; i += strlen(how->said + i) + 1)
		command_word(b, how->said + i);
	if (how->n && how->paths[0][0] == '-' && how->paths[0][1])
		command_word(b, "--");
	from = b->n;
	for (size_t i = 0; i < how->n; i++) {
		command_word(b, how->paths[i]);
		if (b->n - from > OPERANDS_MOST && i + 1 < how->n) {
			buf_str(b, " ... # and ");
			buf_to(b, put_u64(buf_room(b, 20 + PUT_SLACK), how->n - i - 1));
			buf_str(b, " more");
			return;
		}
	}
}
