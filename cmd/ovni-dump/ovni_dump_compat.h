/* ovni_dump_compat.h - events as ovnidump -x prints them. */
#ifndef SPOOR_OVNI_COMPAT_H
#define SPOOR_OVNI_COMPAT_H

#include "input/source.h"

/* Writes the event r of s, whose bytes in the trace are `raw`, to o: its raw clock, model, category and
 * value, path, and payload in hex. */
void ovni_put_compat(struct source *s, struct out *o, const struct rec *r, struct span raw);

#endif
