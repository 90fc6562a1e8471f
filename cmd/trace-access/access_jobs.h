/* access_jobs.h - jobs, the nodes that run them, and what these do. */
#ifndef SPOOR_JOBS_H
#define SPOOR_JOBS_H

#include "trace-access/access.h"
#include "number/wide.h"

struct access_job {
	uint32_t name; /* in x->names */
	bool loaded, running, ended;
	int64_t from, to;
	uint32_t first; /* of the nodes in it, number + 1 */
	uint64_t
	    nodes; /* that joined; one that left and came back without another job counts once */
	struct wide time; /* of all its nodes */
	uint64_t opens, files /* different ones */, created, temporary;
	uint64_t requests, bytes[2];
};

/* The things that have a name: numbers + 1; 0 = nothing. */
struct named_things {
	uint32_t job; /* the last job of that name */
	uint32_t
	    in; /* the job that a node of that name is in; the last one that it was in; */
	uint32_t last;
	uint32_t next, before; /* the others in it */
	int64_t since;
};

struct jobs {
	struct access_job *job;
	size_t n, cap;
	struct named_things *named;
	size_t named_cap;
	struct strtab seen; /* a job and a file that it has opened */
	uint64_t created, unlinked, temporary,
	    bytes[2];	 /* files; bytes of temporary ones */
	uint64_t *level; /* behind jobs_finish: time while so many jobs ran */
	size_t nlevels, level_cap;
};

#endif
