/* opens.h - when files were open. */
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
	bool closed;	/* else it is not known when, or not by the end */
	uint64_t order; /* of `from`, in opens_finish */
};

struct opens {
	struct opening *opening;
	uint32_t nopening;
	size_t opening_cap;
	struct slots index; /* of openings, by owner and descriptor */
	struct interval
	    *interval; /* of each file one after the other, behind opens_finish */
	size_t n, cap;
};

#endif
