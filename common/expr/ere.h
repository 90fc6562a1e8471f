/* ere.h - extended regular expressions of POSIX, within bounds of memory and time. */
#ifndef SPOOR_ERE_H
#define SPOOR_ERE_H

#include <stdbool.h>
#include <stddef.h>

struct ere;

/*
 * Compiles `text`. NULL with a reason in why where it is no regular expression, or one that
 * the library would need more for than its length lets expect: a repetition above 255, a
 * repetition of a repetition, a back reference.
 */
struct ere *ere_new(const char *text, char why[static 200]);
/* Whether a NUL-terminated text of n bytes matches somewhere. Dies where it is longer than
 * the library could take within the bounds of memory. */
bool ere_matches(struct ere *e, const char *s, size_t n);
void ere_free(struct ere *e); /* NULL is allowed */

#endif
