/* laplace_merge_state.h - processes and address spaces, from the kernel's events: which process runs, which
 * space it has, and what is mapped there. */
#ifndef SPOOR_LAPLACE_STATE_H
#define SPOOR_LAPLACE_STATE_H

#include "laplace/laplace.h"
#include "laplace-merge/laplace_merge_pages.h"

#define NOBODY \
	UINT32_MAX /* instead of the number of a process or a space that is unknown */

struct laplace_process {
	uint64_t pid;
	uint32_t space; /* number of its space, or NOBODY */
	uint32_t name;	/* program that it runs, in canon.names; 0: unknown */
	uint64_t named; /* number of the exec event that set `name`; 0: none */
};

struct space {
	uint64_t id;
	tree root;
	uint32_t name; /* program of the last exec in it */
	uint64_t named;
};

struct laplace_state {
	struct canon canon;
	struct strtab pids, ids; /* numbers of processes and spaces, by their 8 bytes */
	struct laplace_process *process;
	struct space *space;
	size_t processcap, spacecap;
	uint32_t current; /* running process, or NOBODY */
	uint64_t execs;
	uint64_t no_range; /* events D whose range ends before it begins */
};

/* An event of the kernel with the values of its record. */
struct kernel_event {
	uint8_t tag; /* tag of its line; 0: a reference, not an event */
	uint64_t time;
	bool has_pid;
	uint64_t pid, addr, size;
	uint64_t arg[4]; /* numbers that are not columns, in the order of the line */
	struct span name;
	/* Numbers of the process, of its space, and of the program that it runs, after the event; for an exit,
	 * before it. */
	uint32_t process, space, runs;
	uint32_t file; /* number of the file, if the event names one; else NOBODY */
};

/* Initializes t: nothing is known. */
void laplace_state_start(struct laplace_state *t);
/* Reads the values of record r of the source s into *e. `raw` is the record's line. e->name points into r. */
void kernel_event_read(struct kernel_event *e, const struct source *s, const struct rec *r,
		       struct span raw);
/* Applies an event to the state, and sets the last four members of *e. */
void laplace_state_apply(struct laplace_state *t, struct kernel_event *e);
/* Returns the number of the space with this id of the kernel. The space is added if it is new. */
uint32_t laplace_state_space(struct laplace_state *t, uint64_t id);
/* Sets the space of a process from now on. `process` is a number, not NOBODY. `space` is the id of the kernel; the
 * space is added if it is new. */
void laplace_state_learn(struct laplace_state *t, uint32_t process, uint64_t space);
/* Returns the program that a process runs: a number in canon.names; 0: unknown. */
uint32_t laplace_state_name(const struct laplace_state *t, const struct laplace_process *p);
/* Frees all memory of t. */
void laplace_state_free(struct laplace_state *t);

#endif
