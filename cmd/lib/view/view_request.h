/* view_request.h - requests to storage: their operation, and the unit of their addr. */
#ifndef SPOOR_REQUEST_H
#define SPOOR_REQUEST_H

#include "input/source.h"

/* Operations of requests. The events are called r, read, w, write, i or fetch, in upper or lower case. */
enum op {
	OP_READ = 1,
	OP_WRITE = 2,
	OP_FETCH = 4, /* fetch of an instruction */
};

/* Returns the operation of events of a type, an enum op, or 0. */
uint8_t op_of(const struct type *ty);

/* Returns the bytes of the unit of addr: as the metadata say; without such metadata 1, or `said` if the format of the
 * input is unknown too. Returns 0, for unknown, only if `said` is 0. */
uint64_t source_addr_unit(const struct source *s, uint64_t said);
/* Returns the unit for programs that count bytes. If the unit is unknown, returns 1, and prints a message once if an
 * event of the batch has an addr. */
uint64_t source_addr_bytes(struct source *s, const struct batch *b);
/* Reports that addr would be written as bytes although its unit is unknown, and exits. */
_Noreturn void source_no_unit(const struct source *s);

#endif
