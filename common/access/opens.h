/* opens.h - when files were open. */
#ifndef SPOOR_OPENS_H
#define SPOOR_OPENS_H

#include "access/access.h"

struct opening {
	int64_t time, desc;
	uint32_t owner, file;
	bool used, open;
};

struct interval {
	int64_t from, to;
	uint32_t file, owner;
	bool closed;	/* else it is not known when, or not by the end */
	uint64_t order; /* of `from`, in opens_finish */
};

struct opens {
	struct opening *slot; /* by owner and descriptor */
	uint32_t nslots, nopen;
	struct interval
	    *interval; /* of each file one after the other, behind opens_finish */
	size_t n, cap;
	uint64_t unopened; /* closes of what was not open */
};

#endif
