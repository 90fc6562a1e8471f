/* try.c - measures how well a layout reads the first lines of an input. */
#include <stdlib.h>

#include "base/die.h"
#include "delimited/delimited.h"

/* Range of plausible times in ns: the years 1990 to 2100. */
#define YEAR_1990 631152000000000000
#define YEAR_2100 4102444800000000000

struct delimited_try
delimited_try(const struct source *s, const struct delimited_layout *l, const uint8_t *p,
	      size_t n)
{
	struct delimited_options own = {.given = {{NULL, l}}, .n = 1};
	struct format_values values = {.fmt = &fmt_delimited, .options = &own};
	struct read_options opt = {
	    .only = &fmt_delimited, .quiet = true, .need = NEED_TIME, .values = &values};
	struct batch *b = xcalloc(1, sizeof *b);
	struct delimited_try tried = {0};
	struct source lines;

	if (source_memory(&lines, &opt, s->name, p, n)) {
		while (source_next(&lines, b))
			tried.records += b->n;
		/* Events that the recorder lost are not errors of lines. */
		tried.wrong =
		    lines.faults.lost - ((const struct delimited *)lines.state)->recorder;
		tried.other = ((const struct delimited *)lines.state)->other;
		tried.whole = !lines.trouble || lines.faults.lost;
		tried.dated =
		    lines.head.origin >= YEAR_1990 && lines.head.origin < YEAR_2100;
		source_close(&lines);
	}
	buf_free(&b->own);
	free(b);
	return tried;
}
