/* date.h - dates as people and logs write them: ISO 8601. */
#ifndef SPOOR_DATE_H
#define SPOOR_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * *ns = nanoseconds since 1970 of the date in p[0..n): YYYY-MM-DDThh:mm:ss, a blank or a T
 * between, digits of a fraction or not, then Z, +hh:mm, -hh:mm, perhaps behind a blank, or nothing, which is UTC. A
 * `brief` one may end behind the day or the minute. NULL, or what is expected.
 */
const char *date_ns(const uint8_t *p, size_t n, bool brief, uint64_t *ns);

#endif
