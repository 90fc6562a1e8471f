/*
 * table - a table in another style.
 *
 *	table tabs|csv|json|lines [TEXTS] < TABLE
 *
 * The first line of TABLE has the names of the columns, the others are rows, with TABs
 *between cells.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "table/table.h"

int
main(int argc, char **argv)
{
	static const char *const style[] = {"tabs", "csv", "json", "lines"};
	struct table t = {.texts = argc > 2 ? (unsigned)atoi(argv[2]) : 0};
	struct out o;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	prog_start(argv[0]);
	if (!out_open(&o, NULL))
		die("<stdout>:");
	t.out = &o;
	while (argc > 1 && strcmp(style[t.style], argv[1]) != 0)
		t.style++;
	for (int i = 0; (n = getline(&line, &cap, stdin)) > 0; i++) {
		for (char *p = line, *tab; p; p = tab) {
			tab = strchr(p, '\t');
			if (tab)
				*tab++ = '\0';
			else
				line[n - 1] = '\0';
			if (i)
				table_text(&t, p);
			else
				table_name(&t, p);
		}
		if (i)
			table_row(&t);
		else
			table_head(&t);
	}
	table_end(&t);
	free(line);
	return out_close(&o, ST_OK);
}
