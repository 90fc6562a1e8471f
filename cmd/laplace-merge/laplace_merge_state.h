/*
 * laplace_merge_state.h - processes and address spaces, by the kernel's events: which process runs, which
 * space it has, what is mapped there.
 */
#ifndef SPOOR_LAPLACE_STATE_H
#define SPOOR_LAPLACE_STATE_H

#include "laplace/laplace.h"
#include "laplace-merge/laplace_merge_pages.h"

#define NOBODY \
	UINT32_MAX /* in place of the number of a process or a space: it is not known */

struct laplace_process {
	uint64_t pid;
	uint32_t space; /* its number, or NOBODY */
	uint32_t name;	/* among canon.names: what it runs; 0 = not known */
	uint64_t named; /* by which of the exec events; 0 = none */
};

struct space {
	uint64_t id;
	tree root;
	uint32_t name; /* as the process that ran exec in it last */
	uint64_t named;
};

struct laplace_state {
	struct canon canon;
	struct strtab pids, ids; /* numbers of processes and spaces by their 8 bytes */
	struct laplace_process *process;
	struct space *space;
	size_t processcap, spacecap;
	uint32_t current; /* the process that runs, or NOBODY */
	uint64_t execs;
	uint64_t no_range; /* events D that end before they begin */
};

/* An event of the kernel, with the values of its record. */
struct kernel_event {
	uint8_t tag; /* of its line; 0: a reference, which is none */
	uint64_t time;
	bool has_pid;
	uint64_t pid, addr, size;
	uint64_t arg[4]; /* numbers that are no column, in the order of the line */
	struct span name;
	/* Numbers of the process, of its space, and of the name of what it runs, after the
	 * event; for an exit, before it. */
	uint32_t process, space, runs;
	uint32_t file; /* the object of an event that tells of a file; else NOBODY */
};

/* Initializes t: nothing is known yet. */
void laplace_state_start(struct laplace_state *t);
/* Reads the values of record r of the source s into *e. `raw` is the record's line. */
void kernel_event_read(struct kernel_event *e, const struct source *s, const struct rec *r,
		       struct span raw);
/* Applies an event to the state, and sets the last four members of *e. */
void laplace_state_apply(struct laplace_state *t, struct kernel_event *e);
/* Returns the number of a space, which is added if it is new. */
uint32_t laplace_state_space(struct laplace_state *t, uint64_t id);
/* Sets the space of a process from now on. */
void laplace_state_learn(struct laplace_state *t, uint32_t process, uint64_t space);
/* Returns the name of what a process runs: a number in canon.names, 0 = unknown. */
uint32_t laplace_state_name(const struct laplace_state *t, const struct laplace_process *p);
/* Frees all memory of t. */
void laplace_state_free(struct laplace_state *t);

#endif
