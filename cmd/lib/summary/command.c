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
command_events(struct buf *b, const struct asker *asker, const char *test)
{
	struct buf both = {0};

	if (asker->test && test)
		for (const char *const *s =
			 (const char *const[]){"(", asker->test, ") and (", test, ")",
					       NULL};
		     *s; s++)
			buf_str(&both, *s);
	buf_byte(&both, '\0');
	command_option(b, "-e",
		       both.n > 1    ? (const char *)both.p
		       : asker->test ? asker->test
				     : test);
	command_option(b, "-k", asker->key);
	buf_free(&both);
}

void
command_inputs(struct buf *b, const struct asker *asker)
{
	size_t from;

	for (size_t i = 0; i < asker->nsaid; i += strlen(asker->said + i) + 1)
		command_word(b, asker->said + i);
	if (asker->n && asker->paths[0][0] == '-' && asker->paths[0][1])
		command_word(b, "--");
	from = b->n;
	for (size_t i = 0; i < asker->n; i++) {
		command_word(b, asker->paths[i]);
		if (b->n - from > OPERANDS_MOST && i + 1 < asker->n) {
			buf_str(b, " ... # and ");
			buf_to(b, put_u64(buf_room(b, 20 + PUT_SLACK), asker->n - i - 1));
			buf_str(b, " more");
			return;
		}
	}
}
