/* formats.h - the table of formats: the only file that names them all. */
#ifndef SPOOR_FORMATS_H
#define SPOOR_FORMATS_H

#include "input/format.h"

/* Every format: F(NAME) is struct format fmt_NAME. If two are equally sure of an input, the
 * earlier one wins. */
#define FORMATS(F)      \
	F(binary)       \
	F(text)         \
	F(dumpi)        \
	F(charisma)     \
	F(spc)          \
	F(ovni)         \
	F(laplace_text) \
	F(laplace)      \
	F(delimited)

#define DECLARED(name) extern const struct format fmt_##name;
FORMATS(DECLARED)
#undef DECLARED

extern const struct format *const formats[]; /* ends with NULL: for read_options.known */

#endif
