/* ere.h - extended regular expressions of POSIX, within bounds of memory and time. */
#ifndef SPOOR_ERE_H
#define SPOOR_ERE_H

#include <stdbool.h>
#include <stddef.h>

struct ere;

/*
 * Compiles `text`. NULL, with a reason in why, if it is no regular expression, or if the
 * library would need far more memory for it than its length suggests: a repetition above
 * 255, a repetition of a repetition, a back reference.
 */
struct ere *ere_new(const char *text, char why[static 200]);
/* Returns whether the expression matches somewhere in the n bytes at s, which a NUL follows. Dies
 * if the text is too long for the bounds of memory. */
bool ere_matches(struct ere *e, const char *s, size_t n);
/* Returns that, too, and sets s[*from..*to) to the first match, the longest of those that begin there. */
bool ere_find(struct ere *e, const char *s, size_t n, size_t *from, size_t *to);
/* Frees e, which may be NULL. */
void ere_free(struct ere *e);

#endif
