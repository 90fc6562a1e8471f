/* cli_formats.h - the tables of formats: the only files outside a format's own that name it. */
#ifndef SPOOR_CLI_FORMATS_H
#define SPOOR_CLI_FORMATS_H

#include "input/format.h"

/* Formats that are recognised by their first bytes: F(NAME) is struct sniffer sniff_NAME and struct
 * format fmt_NAME. If two sniffers are equally sure of an input, the earlier one wins. */
#define SNIFFED(F)      \
	F(binary)       \
	F(text)         \
	F(dumpi)        \
	F(charisma)     \
	F(spc)          \
	F(ovni)         \
	F(laplace_text) \
	F(laplace)

/* Every format. Columns of text have no sniffer: their reader guesses what nothing else recognised. */
#define FORMATS(F) SNIFFED(F) F(delimited)

#define DECLARED(name) extern const struct format fmt_##name;
FORMATS(DECLARED)
#undef DECLARED

/* The formats that this program reads, up to NULL: for read_options.known. All of FORMATS, unless
 * the Makefile has a line for the program, as for decoders, which link no other reader. */
extern const struct format *const formats[];

/* All sniffers, up to NULL: for read_options.sniffers. Every program links them. */
extern const struct sniffer *const sniffers[];

#endif
