/* formats.h - every format's one symbol. */
#ifndef SPOOR_FORMATS_H
#define SPOOR_FORMATS_H

#include "event/format.h"

extern const struct format fmt_text, fmt_binary; /* the event stream */
extern const struct format fmt_spc;
extern const struct format fmt_ovni;
extern const struct format fmt_laplace, fmt_laplace_text;
extern const struct format fmt_charisma;
extern const struct format fmt_dumpi;

#endif
