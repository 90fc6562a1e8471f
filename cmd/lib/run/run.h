/*
 * run.h - runs other programs of spoor and reads what they print.
 *
 * Call run_all before the sandbox is entered: a sandboxed process cannot execute a program. Each child enters its
 * own.
 *
 *     struct run r = {.argv = (char *[]){"trace-stats", "--", "./x.csv", NULL}, .in = -1};
 *     run_all(&r, 1, 2); ... r.status, r.out, r.err ... run_free(&r);
 */
#ifndef SPOOR_RUN_H
#define SPOOR_RUN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/mem.h"

#define NO_PROGRAM 127 /* exit status of a child that could not execute its program */
#define RUN_KEPT \
	(16u << 20) /* bytes of an output that are kept; a longer output is an error */

/* One program to run, and its result. Zero it, then set the members above the first blank line. */
struct run {
	char **argv; /* arguments, up to NULL; the first is the program's name */
	/* the program to execute, whose messages then begin with argv[0]; NULL: argv[0] */
	const char *program;
	int in;	      /* descriptor of standard input, which run_all closes; -1: empty */
	bool inherit; /* it shares the standard output of this process */
	/* the next run of the array reads its standard output; run_all then needs at_once of at least 2 */
	bool pipes;
	/* it runs with --progress: such lines are printed at once, and not kept */
	bool tells;

	int status; /* exit status; ST_TROUBLE if it could not be run, or was killed */
	struct buf out, err;
	pid_t pid;
	bool lost;   /* a part of its output was lost */
	int from[2]; /* pipes of standard output and standard error; -1: closed */
};

/* Runs the programs r[0..n), at most `at_once` at a time, and waits for all. Each is looked for in the folder of
 * this program, then in PATH. If one cannot be run, the last line of its `err` gives the reason. */
void run_all(struct run *r, size_t n, unsigned at_once);
/* Starts a program, with pipes for its standard output, unless r->inherit is set, and for its standard error if
 * `messages` is set; the caller reads the pipes r->from. */
void run_start(struct run *r, bool messages);
/* Waits for the program of run_start, whose output the caller has closed, and sets r->status. `early`: the caller has not
 * read all of the output, so the status is also ST_OK if SIGPIPE ended the program. */
void run_close(struct run *r, bool early);
/* Frees the texts `out` and `err` of r. */
void run_free(struct run *r);

#endif
