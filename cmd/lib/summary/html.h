/* html.h - sections of a report as HTML that is also well-formed XML, for a page that holds them. */
#ifndef SPOOR_HTML_H
#define SPOOR_HTML_H

#include "summary/section.h"

/* Appends a text of a trace or of a command line as text or a value of an attribute: the bytes that a terminal
 * may show, others as \xHH; at most `most` bytes of it, and a mark where there are more. */
void html_text(struct buf *b, const char *s, size_t most);
#define HTML_WHOLE SIZE_MAX
/* Appends s: a table of names and values; or a table below its title, with its command below. From `limit` bytes of
 * b on rows are left out, which is said. */
void html_section(struct buf *b, const struct section *s, size_t limit);

#endif
