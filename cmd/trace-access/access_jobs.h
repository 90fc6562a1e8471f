/* access_jobs.h - jobs, the nodes that run them, and their requests. */
#ifndef SPOOR_JOBS_H
#define SPOOR_JOBS_H

#include "trace-access/access.h"
#include "number/wide.h"

struct access_job {
	uint32_t name; /* in x->names */
	bool loaded, running, ended;
	int64_t from, to;
	uint32_t first; /* first of the nodes in it, number + 1; 0: none */
	/* nodes that joined; a node that left and came back, without another job in between, counts once */
	uint64_t nodes;
	struct wide time; /* sum of the times of all its nodes */
	uint64_t opens, files /* different ones */, created, temporary;
	uint64_t requests, bytes[2];
};

/* A job and a node with one name. Members are numbers + 1; 0: none. */
struct named_things {
	uint32_t job; /* last job of that name */
	uint32_t in;  /* job that a node of that name is in */
	uint32_t last;
	uint32_t next, before; /* next and previous node in the job */
	int64_t since;
};

struct jobs {
	struct access_job *job;
	size_t n, cap;
	struct named_things *named;
	size_t named_cap;
	struct strtab seen; /* pairs of a job and a file that it opened */
	uint64_t created, unlinked, temporary,
	    bytes[2];	 /* numbers of files; bytes of temporary files */
	uint64_t *level; /* set by jobs_finish(): time in which this many jobs ran */
	size_t nlevels, level_cap;
};

#endif
