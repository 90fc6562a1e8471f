/* clocking.h - hosts and links, for clocks.c and clocks_fit.c. */
#ifndef SPOOR_CLOCKING_H
#define SPOOR_CLOCKING_H

#include "base/mem.h"
#include "match/clocks.h"

#define NO_HOST UINT32_MAX
#define NO_LINK SIZE_MAX
#define PPB \
	1000000000 /* drifts are multiples of its reciprocal, as --scale of trace-merge has nine decimals */

/* A message: when it was sent, by the sender's clock since its base; and how much later it was received, by the
 * receiver's clock since its base. Both in ns. */
struct clock_point {
	double at, gap;
};

/* The messages from one host to another. */
struct link {
	uint32_t from, to;
	uint64_t messages;
	struct clock_point *v; /* the messages that may decide: see link_add */
	size_t n, cap, full;
	/* greatest difference of the sender's offset less the receiver's */
	double least;
	size_t decides; /* number of the point that sets this limit */
};

struct host {
	uint64_t base; /* time of its first call; its times count from there */
	uint64_t ranks, messages;
	/* Time t of this host is t + drift * t + offset on the clock of the first host, whose times count from its
	 * base. The members _least and _most, and least and most, are the limits of drift and offset; they are
	 * infinite if unknown. */
	double drift, drift_least, drift_most;
	double offset, least, most;
	double lo, hi; /* limits of offset, while they are computed */
	bool fixed;    /* the offset is decided */
	/* The link by which its drift was measured; NO_LINK: no messages connect it with a host whose clock is
	 * right. */
	size_t by;
	size_t way; /* link of the host in a contradiction, see clocks_fit.c */
};

struct clocks_net {
	struct host *host;
	size_t n, cap;
	struct link *link;
	size_t nlinks,
	    link_cap; /* two for each pair of hosts, side by side: there and back */
};

/* Adds a message to a link, which begins as zeros. Messages that cannot decide are dropped from time to time. The
 * owner of the link frees l->v with free() (clocks_free). */
void link_add(struct link *l, double at, double gap);
/* Sets the drift and the offset of all hosts in net->host; the clock of the host with the number `first` is right.
 * Returns false if no offsets and drifts suit all messages. */
bool clocks_fit(struct clocks_net *net, uint32_t first);

#endif
