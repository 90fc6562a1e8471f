/* sniff.h - the format that an input is of, by its first bytes. */
#ifndef SPOOR_SNIFF_H
#define SPOOR_SNIFF_H

#include "input/source.h"

/*
 * Looks at the first bytes of `in` as they become more, up to places that the bytes
 * themselves tell: so the answer does not hang on how many of them one read gave. It comes
 * as soon as it is sure, for live pipes: by a magic number, or by the first line. Gives one
 * of the formats up to NULL, or NULL where none fits.
 */
const struct format *format_sniff(const struct format *const *known, struct in *in);
/*
 * The format of the input that lies at `path`, as s->opt allows. s->in is opened, unless
 * the format takes the path itself. NULL, with a message, where there is none.
 */
const struct format *format_find(struct source *s, const char *path);

#endif
