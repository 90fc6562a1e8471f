/* list_items.c - the items of the lists that -g and -a take. A file of its own, which links nothing else. */
#include "stats/spec.h"

size_t
item_length(const char *s)
{
	bool quoted = false;
	int depth = 0;
	size_t n = 0;

	for (; s[n] && (s[n] != ',' || depth > 0 || quoted); n++) {
		if (s[n] == '"')
			quoted = !quoted;
		else if (quoted)
			n += s[n] == '\\' && s[n + 1];
		else
			depth += s[n] == '(' || s[n] == '{'   ? 1
				 : s[n] == ')' || s[n] == '}' ? -1
							      : 0;
	}
	return n;
}
