/* listing.h - what a program prints of its own tables, without any input. */
#ifndef SPOOR_LISTING_H
#define SPOOR_LISTING_H

#include "cli/opt.h"

/* --events: writes the events of one format, or of all; without `events` --functions: the
 * functions of expressions. Gives the status. */
int listing_print(bool events);

#endif
