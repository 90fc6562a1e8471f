/* rec_swap.h - records in the other byte order: for machines that are not little-endian. */
#ifndef SPOOR_REC_SWAP_H
#define SPOOR_REC_SWAP_H

#include "event/event.h"

/*
 * Swaps every number of a record in place. `out`: from the machine's order to the stream's
 * (the places of variable parts are read before they are swapped), else the other way. The
 * record lies within its len bytes, which the caller has checked; parts outside are left.
 */
void rec_swap(struct rec *r, const struct type *ty, bool out);

#endif
