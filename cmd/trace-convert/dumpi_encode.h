/* dumpi_encode.h - shared by the parts of the DUMPI encoder: the files of ranks, the metadata about them, and
 * how an event becomes a record. */
#ifndef SPOOR_DUMPI_ENCODE_H
#define SPOOR_DUMPI_ENCODE_H

#include "outfiles/outfiles.h"
#include "dumpi/make.h"
#include "base/num.h"
#include "trace-convert/encode.h"
#include "input/cache.h"

#define DUMPI_RANKS_OUT 65536 /* limit of the numbers of ranks, and of threads */
#define DUMPI_JOBS_OUT 10000
#define DUMPI_RANKS_ALL 131072 /* limit of ranks in all jobs together */
#define OUT_PATH 256

/* Writes 16 bits in the order of the file, and returns the position after them; big64() writes 64 bits. */
static inline uint8_t *
big16(uint8_t *p, uint32_t v)
{
	st16(p, HOST_BIG ? (uint16_t)v : swap16((uint16_t)v));
	return p + 2;
}

static inline uint8_t *
big64(uint8_t *p, uint64_t v)
{
	st64(p, HOST_BIG ? v : swap64(v));
	return p + 8;
}

/* Metadata about a rank, or about all ranks. */
struct meta_facts {
	/* sections in the metadata; of the footer only ignored calls */
	struct dumpi_sections sec;
	int32_t bias[2]; /* seconds: of the CPU clock, of the wall clock */
	uint8_t mask;	 /* mask of the first record */
	bool has_bias, has_mask;
	bool used; /* a rank or a job uses it */
	struct meta_facts *next;
};

enum {
	CPU,
	WALL
};

struct out_rank {
	int64_t number; /* -1: the file's name has no number */
	struct out_job *job;
	struct meta_facts own;
	const struct meta_facts *shared; /* used for what `own` lacks */
	const struct dumpi_layout *layout;
	uint32_t labels;  /* number of the set of names of its counters */
	uint32_t *count;  /* records by call; NULL: none yet */
	struct buf waits; /* bytes that are not yet written */
	uint64_t written;
	size_t file;	  /* number of its file + 1; 0: no file yet */
	size_t full;	  /* limit of waiting bytes */
	uint32_t nlabels; /* number of counters with a name */
	uint8_t mask;	  /* mask of the first record, from metadata */
	bool begun;	  /* the lead-in is written */
	bool fed;	  /* there was metadata about it */
	bool threads;	  /* there was a thread other than 0 */
	bool finalized;
	struct out_clock {
		bool begun, told; /* told: metadata has the bias */
		/* in seconds; last: the last return, counted from the bias */
		int64_t bias, last;
	} clock[2];
	/* Time in ns that a reader gives to the next record without a time. */
	bool timed;
	int64_t after;
};

struct out_job {
	int64_t number; /* -1: the only job */
	const struct meta_facts *shared;
	struct buf meta; /* lines of the .meta file */
	/* told: there was metadata about it; foreign: it does not come from DUMPI files */
	bool told, foreign;
	uint32_t most;	    /* greatest rank + 1 */
	uint32_t numprocs;  /* number of ranks in the metadata; 0: unknown */
	size_t numprocs_at; /* place of that number in `meta`; 0: no such line */
	char prefix[200];   /* prefix of the names of its files */
};

/* A location that was looked up. */
struct spot {
	struct out_rank *rank;
	const char *why; /* why `rank` is NULL */
	uint16_t thread;
};

struct dumpi_out {
	struct strtab ids; /* ids of job and rank: index in `rank` */
	struct out_rank **rank;
	size_t nranks, cap;
	struct out_job **job;
	size_t njobs, jobs_cap;
	struct meta_facts *shared; /* of the current head, first in a list of all */
	struct strtab labels;
	enum dumpi_clock_is clock;
	bool foreign; /* the current head is not of a DUMPI trace */
	bool jobs;    /* locations begin with a job */
	struct outfiles files;
	struct spot *spot;
	struct cache spot_cache;
	struct buf text, tmp[5]; /* for the current arguments */
};

/* How an argument of a record is made. */
enum step_code {
	STEP_INT,   /* a number with the same width in the event */
	STEP_VALUE, /* a number of another width, or its name */
	STEP_CONST,
	STEP_COUNT, /* number of elements of arg[0] */
	STEP_SIZE,  /* size of the event */
	STEP_RANK,
	STEP_ARRAY,
	STEP_ROWS, /* arg[1]: number of elements in each row */
	STEP_STR,
	STEP_STRS,
	STEP_STRARRAY,
	STEP_STRROWS,
	STEP_STATUS, /* arg: bytes, source, cancelled, error, tag */
};

struct dumpi_step {
	uint8_t code, number; /* number of the argument */
	uint8_t width, shift;
	/* bits: which of arg[] have the event's bytes in the form that is needed */
	uint8_t lies;
	uint32_t off;		  /* STEP_INT: offset in the event */
	const struct arg *arg[5]; /* arguments of the event; NULL: the event lacks it */
	uint64_t value;
};

struct dumpi_out_plan {
	uint16_t call; /* DUMPI_CALLS: no call has this name */
	bool has_status, gives_status;
	uint32_t labels, nperf;
	struct field cpu, cpudur;
	const struct arg **perf;
	struct out_steps {
		unsigned n;
		struct dumpi_step step[DUMPI_ARGS];
	} * of[DUMPI_LAYOUTS];
};

/* Makes the plan of a type: encoder.plan. The memory of a plan belongs to e->plan_cache. (dumpi_encode_args.c) */
void dumpi_out_plan(struct encode *e, const struct type *ty, void *plan);
/* Returns the steps of records in the layout of rank k, which live as long as pl. Sets pl->perf to the arguments of the event that are
 * counters. */
const struct out_steps *dumpi_out_steps(struct encode *e, struct dumpi_out_plan *pl,
					const struct out_rank *k, uint32_t type);
/* Appends the arguments to k->waits, which must have room for DUMPI_OUT_ROOM more bytes; longer arguments make more
 * room. Returns NULL, or a constant text why it is not possible; some arguments may then be appended. */
#define DUMPI_OUT_ROOM 256
const char *dumpi_out_args(struct encode *e, const struct dumpi_out_plan *pl,
			   const struct out_steps *steps, struct out_rank *k,
			   const struct rec *r);

/* Takes the metadata of e->s->head. Ignores unknown keys. A malformed number counts as 0, a malformed version as
 * 13.0.0. Metadata about a rank that already had some, or whose file has begun, are ignored. A section that would be
 * too long is not written; a message reports this, and sets e->trouble. (dumpi_encode_head.c) */
void dumpi_out_head(struct encode *e);

/* Returns a section of a rank's file, which may be empty. It belongs to the rank or its job, and changes only with a
 * new head. (dumpi_encode_files.c) */
const struct buf *dumpi_out_section(const struct out_rank *k, enum dumpi_section s);
/* Returns a rank of a job, or NULL if there are too many (DUMPI_RANKS_ALL). dumpi_out_job() returns a job, never
 * NULL, without a check of its number. Both are made if they are new, and live until dumpi_out_close(). */
struct out_rank *dumpi_out_rank(struct dumpi_out *c, int64_t job, int64_t rank);
struct out_job *dumpi_out_job(struct dumpi_out *c, int64_t number);
/* Begins the file of a rank. */
void dumpi_out_begin(struct dumpi_out *c, struct out_rank *k);
/* Writes the waiting bytes of a rank. */
void dumpi_out_flush(struct encode *e, struct out_rank *k);
/* Ends all files, and makes the missing ones. */
void dumpi_out_end(struct encode *e);
/* Frees the memory of the encoder; ends no file. */
void dumpi_out_close(struct encode *e);

#endif
