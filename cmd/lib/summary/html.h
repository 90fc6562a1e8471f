/* html.h - writes sections of a report as HTML that is also well-formed XML, for a page. */
#ifndef SPOOR_HTML_H
#define SPOOR_HTML_H

#include "summary/section.h"

/* Appends a text from a trace or a command line, as text or the value of an attribute. Bytes that a terminal must
 * not show become \xHH. Cuts the text at `most` bytes, and adds a mark. */
void html_text(struct buf *b, const char *s, size_t most);
#define HTML_WHOLE SIZE_MAX
/* Appends s: a table of names and values; or a title, a table and its command. Drops rows once b has `limit`
 * bytes, and adds a note. */
void html_section(struct buf *b, const struct section *s, size_t limit);

#endif
