/* moment.h - dates, and lengths of time, as text. */
#ifndef SPOOR_MOMENT_H
#define SPOOR_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#define DATE_TEXT 48
/* Writes ns, the nanoseconds after 1970 (or before 1970 if `before`), as YYYY-MM-DDThh:mm:ssZ; with nine decimals
 * of the seconds if `fine`. */
void date_text(uint64_t ns, bool before, bool fine, char to[DATE_TEXT]);

/* Writes a length of time for people to `to`, and returns `to`: four digits, rounded, or more if the whole seconds
 * or days have more. neg: with a minus sign. */
#define SPAN_TEXT 48
char *span_text(char to[static SPAN_TEXT], uint64_t ns, bool neg);

#endif
