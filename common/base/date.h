/* date.h - reads dates in the form of ISO 8601. */
#ifndef SPOOR_DATE_H
#define SPOOR_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the date p[0..n) into *ns, in nanoseconds since 1970. The date is YYYY-MM-DDThh:mm:ss, with a T or a blank
 * between, optional decimals, and an optional zone: Z, +hh:mm or -hh:mm, perhaps after a blank. Without a zone it is
 * UTC. With `brief` it may end after the day or the minute. A date before 1970 or after 2261 is an error. Returns NULL;
 * or the error in static memory, and leaves *ns as it was.
 */
const char *date_ns(const uint8_t *p, size_t n, bool brief, uint64_t *ns);

#endif
