/* report_formats.h - the formats of the inputs, and the pictures for each. */
#ifndef SPOOR_REPORT_FORMATS_H
#define SPOOR_REPORT_FORMATS_H

#include "run/inputs.h"
#include "trace-report/page.h"

/* A format, and the kinds of trace-plot that can draw it. In a table of formats the last row has no name: it is
 * for formats that the table lacks. */
struct format_row {
	const char *name, *about, *pictures;
};

/* Reads the head of the inputs into the page, by another program. Returns the row of the first input's format in the
 * table `known`; its last row if the format is not there or the inputs cannot be read. Reports only that a program could
 * not be run; other errors are reported by the programs that read everything. */
const struct format_row *look(struct page *p, const struct format_row *known);

/* Inputs of one format. */
struct format_group {
	const struct format_row *format;
	char **read, **shown; /* operands for programs, and as the user typed them */
	size_t n;
};

/* Divides the operands by format: `shown` are those that the user typed for common.path. Returns how many groups
 * there are; 1 if all inputs have one format, are read as one, or have more than GROUPS_MOST formats. Inputs whose
 * names end alike are taken to have one format. The arrays of a single group may be common.path and `shown`
 * themselves; new arrays are never freed. */
size_t format_groups(const struct format_row *known, const struct format_row *first,
		     char **shown, struct format_group group[GROUPS_MOST]);

#endif
