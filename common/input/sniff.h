/* sniff.h - the format that an input is of, by its first bytes. */
#ifndef SPOOR_SNIFF_H
#define SPOOR_SNIFF_H

#include "input/source.h"

/*
 * The format in the list `known` (up to NULL) that the first bytes of `in` are of; NULL if
 * none fits. It looks at more and more bytes, up to places that the bytes themselves
 * decide, so that the answer does not depend on the size of a read. It answers as soon as
 * it is sure, by a magic number or the first line, so that live pipes need not wait.
 */
const struct format *format_sniff(const struct format *const *known, struct in *in);
/*
 * The format of the input at `path`, among those that s->opt allows. Opens s->in, unless
 * the format takes the path itself. NULL, with a message, if there is none.
 */
const struct format *format_find(struct source *s, const char *path);

#endif
