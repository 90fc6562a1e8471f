/*
 * access.h - how regular access is: by file, by node and by block.
 *
 * A request is an event that reads or writes and has addr and size. Its file is the argument `file`,
 * or the location where a trace has no files (a disk, an address space); its node is the location.
 * A flow is all requests of one node to one file. Events come in order of time.
 */
#ifndef SPOOR_ACCESS_H
#define SPOOR_ACCESS_H

#include "trace-access/access_spread.h"
#include "input/cache.h"
#include "stats/query_result.h"

enum access_section {
	ACCESS_CLASSES,
	ACCESS_DISTINCT,
	ACCESS_RUNS,
	ACCESS_SHARING,
	ACCESS_TOUCHED,
	ACCESS_OPENS,
	ACCESS_CONCURRENCY,
	ACCESS_JOB,
	ACCESS_TEMPORARY,
	ACCESS_STREAMS,
	ACCESS_SEEK,
	ACCESS_HOT,
	ACCESS_AFTER,
	ACCESS_FILE,
	ACCESS_DARSHAN,
	ACCESS_SECTIONS
};

/* The options. */
struct access_question {
	unsigned sections; /* a bit for each */
	bool chosen;	   /* they were named: else those of other traces are left out */
	const char *file;  /* what a file is, or NULL */
	const char *node;
	uint64_t block;	 /* bytes */
	uint64_t align;	 /* FILE_ALIGNMENT, bytes */
	uint64_t near;	 /* bytes that a stream may leave out */
	uint64_t keys;	 /* blocks that are kept */
	unsigned memory; /* streams of a file, and ends of requests, that are kept */
};

/* Bound: trace-access | blocks of all files | blocks of requests | --keys, 1048576 | - */
#define ACCESS_DEFAULTS                                                            \
	{                                                                          \
		.block = 4096, .align = 4096, .near = 64u << 10, .keys = 1u << 20, \
		.memory = 16                                                       \
	}
#define STREAMS_MOST 256
#define NOBODY UINT32_MAX

struct access_request {
	uint32_t flow, file, node;
	bool write, timed; /* dur is there */
	bool unaligned;	   /* in memory */
	int64_t time, dur;
	uint64_t at, size; /* bytes; at + size fits */
};

/* The facts that other events tell of files and jobs. */
enum fact_kind {
	FACT_NONE,
	FACT_OPEN, /* of a file, up to FACT_UNLINK */
	FACT_CLOSE,
	FACT_UNLINK,
	FACT_LOAD,
	FACT_EXIT,
	FACT_JOIN,
	FACT_LEAVE,
};

struct access_fact {
	enum fact_kind kind;
	int64_t time;
	uint32_t owner; /* its location */
	uint32_t file;	/* or NOBODY */
	bool has_desc;
	int64_t desc;
	bool creates; /* of an open */
	bool gone;    /* of an unlink: no name is left */
	uint32_t job; /* or NOBODY */
	const char *clients;
	size_t nclients; /* of a load: bytes of the list of its nodes */
};

/* sharing.c: a set of bytes. */
struct range {
	uint64_t at, end;
};

struct ranges {
	struct range *v;
	size_t n, cap;
};

/* patterns.c: of a flow, of requests of both kinds. */
struct access_run {
	uint64_t at, step, size;
	uint32_t n;
	bool back;
};
enum run_kind {
	RUN_CONSECUTIVE,
	RUN_STRIDED,
	RUN_BACKWARD,
	RUN_SAME,
	RUN_NESTED,
	RUN_KINDS
};
struct run_count {
	uint64_t runs, requests, longest;
};

struct flow {
	uint32_t file, node;
	bool any;
	uint64_t last, end;    /* of the request before: its address, and behind it */
	struct access_run run; /* the requests at the end that may be one */
	/* Runs at the end that may be a nested one: the last, how many, from one to the next. */
	struct access_run outer;
	uint64_t outer_step;
	uint32_t nouter;
	bool outer_back;
	/* darshan.c */
	uint64_t last_byte[2]; /* read and written: + 1 */
	uint8_t moved[2];      /* that there was one */
	uint8_t before;	       /* 0, or 1 + write of the request before */
	int64_t busy_until[2];
	uint64_t time, bytes;
	struct ranges touched; /* sharing.c */
};

/* Up to four values, and whether there were more. */
struct few {
	uint64_t v[4];
	uint8_t below[4]; /* v is a magnitude */
	uint8_t n;	  /* 5: more */
};

enum file_class {
	CLASS_OPENED,
	CLASS_READ,
	CLASS_WRITTEN,
	CLASS_BOTH,
	CLASS_ALL,
	CLASSES_OF_FILES
};

struct access_file {
	uint64_t seed;	/* of the fixed hash of its blocks */
	uint8_t did;	/* 1: read, 2: written */
	uint32_t nodes; /* that had requests */
	uint64_t opens, requests, later, sequential, consecutive, bytes[2];
	struct few gaps, sizes;
	/* opens.c */
	uint32_t opener; /* or NOBODY */
	bool openers;	 /* more than one; at the same time */
	bool concurrent;
	uint32_t creator; /* the job; or NOBODY */
	bool unlinked, temporary;
	/* sharing.c, at the end */
	uint64_t touched, shared, blocks, shared_blocks;
	struct darshan *darshan;
};

struct access {
	struct query_result ids; /* its groups are the flows; result_done takes it */
	struct access_question q;
	char *keys, *said; /* what the two below were asked */
	struct exprs *facts;
	struct strtab files, names; /* numbers of files; of nodes, owners and jobs */
	struct access_file *file;
	size_t file_cap;
	uint32_t nfiles;
	struct flow *flow; /* by number of its file and node */
	size_t flow_cap;
	uint32_t nflows;
	struct strtab flows; /* both numbers, as bytes */
	uint32_t *flow_of;   /* by group */
	size_t flow_of_cap;
	uint32_t ngroups;
	size_t nranges; /* of all flows; */
	bool too_many;	/* they were, and were dropped */
	bool has_files; /* some event says what file it is of */
	enum clock clock;
	bool any;
	const char *advice;	 /* source_requests, of the last input that has some */
	int64_t least, greatest; /* times */
	uint64_t requests;
	/* Events without addr or size, without file, beyond 2^64 bytes or of too many blocks. */
	uint64_t without, beyond;
	/* The state of the input at hand. */
	struct kind_of *kind; /* by type */
	struct cache kind_cache;
	struct arena mem;

	struct run_count runs[RUN_KINDS];
	struct blocks *blocks;
	struct opens *opens;
	struct jobs *jobs;
	struct seeks *seeks;
};

/* Begins; dies where the question is wrong. */
void access_open(struct access *x, const struct access_question *q);
/* Returns whether -e and the keys must be looked at in order. */
bool access_in_order(const struct access *x);
/* Reads inputs in order of time; only events that e is true for count. ST_OK or ST_TROUBLE. */
int access_read(struct access *x, struct read_options *read, char *const *paths, size_t n,
		struct expr *e);
/* Behind the last event: what can be said of all. Reports what was left out. */
int access_finish(struct access *x);
void access_free(struct access *x);

/* The numbers of all files: by their names, or with the most requests first; to be freed. */
uint32_t *access_file_order(const struct access *x, bool busiest);
/* t as it compares. */
static inline uint64_t
access_time(const struct access *x, int64_t t)
{
	return (uint64_t)t ^ time_flip(x->clock);
}
static inline bool
access_before(const struct access *x, int64_t a, int64_t b)
{
	return access_time(x, a) < access_time(x, b);
}
enum file_class file_class(const struct access_file *f);

/* Each takes a request, in order of time, or what an event says. */
void patterns_request(struct access *x, const struct access_request *r);
void patterns_finish(struct access *x);
void darshan_request(struct access *x, const struct access_request *r);
void darshan_free(struct access *x);
void sharing_request(struct access *x, const struct access_request *r);
void sharing_finish(struct access *x);
void opens_fact(struct access *x, const struct access_fact *f);
void opens_finish(struct access *x);
void opens_free(struct access *x);
void jobs_fact(struct access *x, const struct access_fact *f);
void jobs_request(struct access *x, const struct access_request *r);
void jobs_finish(struct access *x);
void jobs_free(struct access *x);
void seek_request(struct access *x, const struct access_request *r);
void seek_free(struct access *x);

#endif
