/* opens.h - the intervals in which files were open. */
#ifndef SPOOR_OPENS_H
#define SPOOR_OPENS_H

#include "trace-access/access.h"
#include "base/slots.h"

struct opening {
	int64_t time, desc;
	uint32_t owner, file;
	bool open;
};

struct interval {
	int64_t from, to;
	uint32_t file, owner;
	bool closed;	/* false: the close is unknown, or after the end of the trace */
	uint64_t order; /* `from` as an unsigned number, for opens_finish() */
};

struct opens {
	struct opening *opening;
	uint32_t nopening;
	size_t opening_cap;
	struct slots index;	   /* of openings, by owner and descriptor */
	struct interval *interval; /* sorted by file after opens_finish() */
	size_t n, cap;
};

#endif
