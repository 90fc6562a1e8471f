/*
 * run.h - programs of ours, started by another one, which reads what they print.
 *
 * Whoever runs them has not entered the sandbox, in which nothing can be executed; each child enters its own.
 *
 *	struct run r = {.argv = (char *[]){"trace-stats", "--", "./x.csv", NULL}, .in = -1};
 *
 *	run_all(&r, 1, 2); ... r.status, r.out, r.err ... run_free(&r);
 */
#ifndef SPOOR_RUN_H
#define SPOOR_RUN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/mem.h"

#define RUN_KEPT \
	(16u << 20) /* bytes of an output that are kept; whoever prints more has failed */

/* Zero it, set what stands above the first blank line. */
struct run {
	char **argv;  /* up to NULL; the first is the name of the program */
	int in;	      /* its standard input, which is closed here; -1: it is empty */
	bool inherit; /* its standard output is ours */
	bool
	    tells; /* it has --progress: such lines are no messages, and are printed at once */

	int status; /* as the program exits; ST_TROUBLE if it could not be run, or was killed */
	struct buf out, err;
	pid_t pid;
	bool lost;   /* a part of its output was */
	int from[2]; /* pipes of both outputs; -1: closed */
};

/* Runs r[0..n), at most `at_once` at a time, and waits for them all. A program stands beside this one, or else
 * in PATH. What keeps one from running is the last line of its `err`. */
void run_all(struct run *r, size_t n, unsigned at_once);
void run_free(struct run *r);

#endif
