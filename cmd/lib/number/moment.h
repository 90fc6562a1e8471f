/* moment.h - dates, and lengths of time, as text. */
#ifndef SPOOR_MOMENT_H
#define SPOOR_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#define DATE_TEXT 48
/* Writes ns since (or before) 1970 as YYYY-MM-DDThh:mm:ssZ, `fine` with nine digits of a fraction. */
void date_text(uint64_t ns, bool before, bool fine, char to[DATE_TEXT]);

/* A length of time for people, in `to`, which it gives: four digits, rounded, or more of whole seconds or
 * days. */
#define SPAN_TEXT 48
char *span_text(char to[static SPAN_TEXT], uint64_t ns, bool neg);

#endif
