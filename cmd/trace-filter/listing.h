/* listing.h - prints tables of the program itself, without any input. */
#ifndef SPOOR_LISTING_H
#define SPOOR_LISTING_H

#include "cli/opt.h"

/* Prints the events of all formats, or of the one that -f names (--events), or, if not `events`, the functions of
 * expressions (--functions). Writes to the output of the common options; dies if that cannot be opened. Returns the status of sink_close. */
int listing_print(bool events);

#endif
