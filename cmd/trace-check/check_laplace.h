/* check_laplace.h - the rules of Laplace, by file: check_laplace.c holds those about references, laplace_kernel.c those
 * about kernel events. */
#ifndef SPOOR_CHECK_LAPLACE_H
#define SPOOR_CHECK_LAPLACE_H

#include "trace-check/check.h"
#include "trace-check/rules_laplace.h"

/* clang-format off */
#define LAPLACE_ARGS(R) \
	R(A_PID, "loc") R(A_ADDR, "addr") R(A_SIZE, "size") R(A_PARENT, "parent") R(A_SPACE, "space") \
	R(A_SOURCE, "source") R(A_TARGET, "target") R(A_STOP, "stop") R(A_INODE, "inode") \
	R(A_MAJOR, "major") R(A_MINOR, "minor") R(A_OFFSET, "offset") R(A_REGION, "region")

enum { LAPLACE_RULES(RULE_NAME) };
enum { LAPLACE_ARGS(LIST_NAME) };
/* clang-format on */

/* Bytes of a page. */
#define PAGE 4096u

struct laplace_check {
	uint64_t last; /* time of the last event */
	bool any, back;
	uint8_t letters[256]; /* types that were told */
	uint8_t *type; /* by type of event: 1 + its letter; 0 = not known yet; 1 = none */
	struct cache type_cache;
	uint64_t sized, unaligned; /* loads and stores of 2, 4 or 8 bytes */
	/* Kernel events: mapped ranges of spaces, in order of space and begin. */
	struct mapped_region *region;
	size_t nregions, region_cap;
	uint64_t running, forks;
	bool any_running;
	/* The events of the task in progress since its last `space`, for the order of an exec. */
	uint64_t exec_pid;
	unsigned exec_steps;
};

extern const char *const kernel_events[];
extern const struct map_kind kernel_maps[];
/* Takes the current event. Returns false if it is no kernel event. */
bool kernel_take(struct check_run *c);

#endif
