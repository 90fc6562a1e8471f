/* access.h - how regular access is: by file, by node and by block.
 *
 * A request is an event that reads or writes and has addr and size. Its file is the argument `file`, or the
 * location if the trace has no files (a disk, an address space); its node is the location. A flow is all
 * requests of one node to one file. Events must come in order of time. */
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
	unsigned sections; /* a bit for each enum access_section */
	/* sections were named; otherwise sections about missing facts are skipped */
	bool chosen;
	const char *file; /* key of files, or NULL */
	const char *node;
	uint64_t block; /* bytes */
	uint64_t align; /* FILE_ALIGNMENT, bytes */
	uint64_t near;	/* limit of a gap within a stream, in bytes */
	uint64_t keys;	/* limit of blocks that are kept */
	/* limit of streams of a file, and of ends of requests, that are kept */
	unsigned memory;
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
	bool write, timed; /* timed: it has a dur */
	bool unaligned;	   /* its address in memory is not aligned */
	int64_t time, dur;
	uint64_t at, size; /* bytes; at + size fits */
};

/* Facts about files and jobs from other events. */
enum fact_kind {
	FACT_NONE,
	FACT_OPEN, /* about a file, as are the next ones up to FACT_UNLINK */
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
	uint32_t owner; /* number of its location */
	uint32_t file;	/* number of its file, or NOBODY */
	bool has_desc;
	int64_t desc;
	bool creates; /* an open may create the file */
	bool gone;    /* an unlink removes the last name */
	uint32_t job; /* number of its job, or NOBODY */
	const char *clients;
	size_t nclients; /* for a load: length of the list of its nodes */
};

/* sharing.c: a set of bytes. */
struct range {
	uint64_t at, end;
};

struct ranges {
	struct range *v;
	size_t n, cap;
};

/* patterns.c: requests of a flow, both reads and writes, that may be a run. */
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
	uint64_t last, end;    /* address of the previous request, and its end */
	struct access_run run; /* the last requests, which may be a run */
	/* Last runs, which may be a nested run: the last run, the step between runs, and their number. */
	struct access_run outer;
	uint64_t outer_step;
	uint32_t nouter;
	bool outer_back;
	/* For darshan.c: */
	uint64_t last_byte[2]; /* last byte + 1, read and written */
	/* 1: there was a request; 2: busy_until is set */
	uint8_t moved[2];
	uint8_t before; /* 0, or 1 + write of the previous request */
	int64_t busy_until[2];
	uint64_t time, bytes;
	struct ranges touched; /* for sharing.c */
};

/* Up to four different values, and whether there were more. */
struct few {
	uint64_t v[4];
	uint8_t below[4]; /* 1: the value is -v */
	uint8_t n;	  /* number of values; 5: more than four */
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
	uint64_t seed;	/* seed of the fixed hash of its blocks */
	uint8_t did;	/* bits: 1 read, 2 written */
	uint32_t nodes; /* number of nodes with requests */
	uint64_t opens, requests, later, sequential, consecutive, bytes[2];
	struct few gaps, sizes;
	/* For opens.c: */
	uint32_t opener; /* owner of the last open, or NOBODY */
	/* openers: several owners opened it; concurrent: at the same time */
	bool openers;
	bool concurrent;
	uint32_t creator; /* job that created it, or NOBODY */
	bool unlinked, temporary;
	/* For sharing.c and access_blocks.c, set at the end: */
	uint64_t touched, shared, blocks, shared_blocks;
	struct darshan *darshan;
};

struct access {
	struct query_result ids; /* its groups are the flows, for result_done() */
	struct access_question q;
	char *keys, *said; /* texts of the expressions of `ids` and `facts` */
	struct exprs *facts;
	struct strtab files, names; /* names of files; names of nodes, owners and jobs */
	struct access_file *file;
	size_t file_cap;
	uint32_t nfiles;
	struct flow *flow; /* by number of the flow */
	size_t flow_cap;
	uint32_t nflows;
	struct strtab flows; /* numbers of file and node, as bytes */
	uint32_t *flow_of;   /* flow of each group of `ids` */
	size_t flow_of_cap;
	uint32_t ngroups;
	size_t nranges; /* number of ranges in all flows */
	bool too_many;	/* there were too many ranges, and all were dropped */
	bool has_files; /* some event names its file */
	enum clock clock;
	bool any;
	const char *advice;	 /* source_requests() of the last input that has some */
	int64_t least, greatest; /* smallest and greatest time */
	uint64_t requests;
	/* Events without addr, size or file; events that exceed 2^64 bytes or have too many blocks. */
	uint64_t without, beyond;
	/* State of the current input. */
	struct kind_of *kind; /* by type */
	struct cache kind_cache;
	struct arena mem;

	struct run_count runs[RUN_KINDS];
	struct blocks *blocks;
	struct opens *opens;
	struct jobs *jobs;
	struct seeks *seeks;
};

/* Begins. Dies if the question is wrong. The texts of q must live as long as x; the caller calls access_free(). */
void access_open(struct access *x, const struct access_question *q);
/* Returns whether -e and the keys must be computed in order. */
bool access_in_order(const struct access *x);
/* Reads inputs in order of time, and counts the events for which e is true. Returns ST_OK or ST_TROUBLE. */
int access_read(struct access *x, struct read_options *read, char *const *paths, size_t n,
		struct expr *e);
/* Completes the counts after the last event, and reports what was left out. Returns ST_OK or ST_TROUBLE. */
int access_finish(struct access *x);
/* Frees what x holds. */
void access_free(struct access *x);

/* Returns the numbers of all files: sorted by name, or with the most requests first. The caller frees them. */
uint32_t *access_file_order(const struct access *x, bool busiest);
/* Returns t as an unsigned number that can be compared. */
static inline uint64_t
access_time(const struct access *x, int64_t t)
{
	return (uint64_t)t ^ time_flip(x->clock);
}
/* Returns true if the time a is before the time b. */
static inline bool
access_before(const struct access *x, int64_t a, int64_t b)
{
	return access_time(x, a) < access_time(x, b);
}
/* Returns the class of a file: what was done to it. */
enum file_class file_class(const struct access_file *f);

/* The functions *_request() take a request, *_fact() a fact, in order of time. *_finish() complete the counts at the end,
 * and *_free() free the memory of a part. */
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
