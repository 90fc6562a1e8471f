/* rec_swap.h - converts records to the other byte order, for machines that are not little-endian. */
#ifndef SPOOR_REC_SWAP_H
#define SPOOR_REC_SWAP_H

#include "event/event.h"

/* Swaps the bytes of every number of r, a record of type ty, in place. `out`: from the machine's order to the
 * stream's, else from the stream's. The caller has checked that the record lies within its len bytes; parts
 * outside are left alone. */
void rec_swap(struct rec *r, const struct type *ty, bool out);

#endif
