/* listing.h - prints tables of the program itself, without any input. */
#ifndef SPOOR_LISTING_H
#define SPOOR_LISTING_H

#include "cli/opt.h"

/* Prints the events of one format, or of all formats (--events), or, if not `events`, the functions of
 * expressions (--functions). Returns the status. */
int listing_print(bool events);

#endif
