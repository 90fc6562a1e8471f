/* ere.h - POSIX extended regular expressions with limits on memory and time. */
#ifndef SPOOR_ERE_H
#define SPOOR_ERE_H

#include <stdbool.h>
#include <stddef.h>

struct ere;

/* Compiles `text`. Returns NULL, with a reason in why, if it is no regular expression, or if the library would
 * need far more memory for it than its length suggests: a repetition above 255, a repetition of a repetition, a
 * back reference. The caller frees the result with ere_free. */
struct ere *ere_new(const char *text, char why[static 200]);
/* Returns true if the expression matches somewhere in the n bytes at s, which must be followed by a NUL. Dies if
 * the text is too long for the limit of memory. */
bool ere_matches(struct ere *e, const char *s, size_t n);
/* Returns what ere_matches does, and sets s[*from..*to) to the first match, the longest at its position. */
bool ere_find(struct ere *e, const char *s, size_t n, size_t *from, size_t *to);
/* Frees e, which may be NULL. */
void ere_free(struct ere *e);

#endif
