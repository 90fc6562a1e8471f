/* clocking.h - shared by clocks.c and clocks_fit.c. */
#ifndef SPOOR_CLOCKING_H
#define SPOOR_CLOCKING_H

#include "base/mem.h"
#include "match/clocks.h"

#define NO_HOST UINT32_MAX
#define NO_LINK SIZE_MAX
#define PPB \
	1000000000 /* drifts are multiples of its reciprocal, as --scale of trace-merge has nine decimals */

/* A message: when it was sent, and how much later it was received, in ns of two clocks, each since its base. */
struct clock_point {
	double at, gap;
};

/* From one host to another. */
struct link {
	uint32_t from, to;
	uint64_t messages;
	struct clock_point *v; /* of these, those that may decide: see link_add */
	size_t n, cap, full;
	double least;	/* what the sender's offset is above the receiver's at most */
	size_t decides; /* the point that says so */
};

struct host {
	uint64_t base; /* its first call: its times count from there */
	uint64_t ranks, messages;
	/* At t it is t + drift * t + offset at the first host, whose times count from its base. Drifts are known within
	 * bounds, or are not: then these are infinite. So are those of offsets. */
	double drift, drift_least, drift_most;
	double offset, least, most;
	double lo, hi; /* in the making */
	bool fixed;    /* the offset is known, within its bounds */
	/* The link from the host that its drift was measured by; NO_LINK: messages connect it with none that is right. */
	size_t by;
	size_t way; /* in the making */
};

struct clocks_net {
	struct host *host;
	size_t n, cap;
	struct link *link;
	size_t nlinks,
	    link_cap; /* two for each pair, one behind the other: there and back */
};

/* A message more. */
void link_add(struct link *l, double at, double gap);
/* Finds drifts and offsets of all hosts; that of `first` is right. False where no offsets and drifts suit all messages. */
bool clocks_fit(struct clocks_net *net, uint32_t first);

#endif
