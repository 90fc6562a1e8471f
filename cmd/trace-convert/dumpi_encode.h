/* encode.h - what the parts of the DUMPI encoder share: the files of ranks, what
 * metadata tell of them, and how an event becomes a record. */
#ifndef SPOOR_DUMPI_ENCODE_H
#define SPOOR_DUMPI_ENCODE_H

#include "outfiles/outfiles.h"
#include "dumpi/make.h"
#include "base/num.h"
#include "trace-convert/encode.h"
#include "input/cache.h"

#define DUMPI_RANKS_OUT 65536 /* ranks are below; so are threads */
#define DUMPI_JOBS_OUT 10000
#define DUMPI_RANKS_ALL 131072 /* of all jobs */
#define OUT_PATH 256

/* 16 and 64 bits in the order of the file; each gives the place behind. */
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

/* The facts that metadata tell of a rank, or of all ranks. */
struct meta_facts {
	struct dumpi_sections sec; /* those that they tell; of the footer what is ignored */
	int32_t bias[2];	   /* in seconds: of the CPU clock, of the wall clock */
	uint8_t mask;		   /* of the first record */
	bool has_bias, has_mask;
	bool used; /* a rank or a job goes by it */
	struct meta_facts *next;
};

enum {
	CPU,
	WALL
};

struct out_rank {
	int64_t number; /* -1: the file's name has none */
	struct out_job *job;
	struct meta_facts own;
	const struct meta_facts *shared; /* holds where its own does not tell */
	const struct dumpi_layout *layout;
	uint32_t labels;  /* number of its set of names of counters */
	uint32_t *count;  /* records by call; NULL: none yet */
	struct buf waits; /* bytes that are not written yet */
	uint64_t written;
	size_t file;	  /* the number of its file, and 1; 0: there is none yet */
	size_t full;	  /* so many bytes may wait */
	uint32_t nlabels; /* counters that have a name */
	uint8_t mask;	  /* of the first record, as metadata tell */
	bool begun;	  /* the lead-in is there */
	bool fed;	  /* metadata told of it */
	bool threads;	  /* there was a thread other than 0 */
	bool finalized;
	struct out_clock {
		bool begun, told;   /* told: metadata tell the bias */
		int64_t bias, last; /* seconds; last: of the last return, since the bias */
	} clock[2];
	/* The time that a reader gives to a record without one: in ns, of the stream. */
	bool timed;
	int64_t after;
};

struct out_job {
	int64_t number; /* -1: there is one only */
	const struct meta_facts *shared;
	struct buf meta;    /* lines of the .meta file */
	bool told, foreign; /* metadata told of it; no DUMPI file did */
	uint32_t most;	    /* one more than the greatest rank */
	uint32_t numprocs;  /* as metadata tell; 0 = they do not */
	size_t numprocs_at; /* where that belongs in `meta`; 0 = there is no such line */
	char prefix[200];   /* of its files */
};

/* A location looked up. */
struct spot {
	struct out_rank *rank;
	const char *why; /* there is none */
	uint16_t thread;
};

struct dumpi_out {
	struct strtab ids; /* job and rank: their place */
	struct out_rank **rank;
	size_t nranks, cap;
	struct out_job **job;
	size_t njobs, jobs_cap;
	struct meta_facts *shared; /* of the head at hand, in a list of all */
	struct strtab labels;
	enum dumpi_clock_is clock;
	bool foreign; /* the head at hand is not DUMPI's */
	bool jobs;    /* its locations begin with a job */
	struct outfiles files;
	struct spot *spot;
	struct cache spot_cache;
	struct buf text, tmp[5]; /* of the arguments at hand */
};

/* How an argument of a record is made. */
enum step_code {
	STEP_INT,   /* a number in the event of the same width */
	STEP_VALUE, /* a number of another kind, or its name */
	STEP_CONST,
	STEP_COUNT, /* how many elements arg[0] has */
	STEP_SIZE,  /* the event's size */
	STEP_RANK,
	STEP_ARRAY,
	STEP_ROWS, /* arg[1]: elements in each */
	STEP_STR,
	STEP_STRS,
	STEP_STRARRAY,
	STEP_STRROWS,
	STEP_STATUS, /* arg: bytes, source, cancelled, error, tag */
};

struct dumpi_step {
	uint8_t code, number; /* which argument */
	uint8_t width, shift;
	uint8_t lies;		  /* bits: which of arg lies in the event as it is needed */
	uint32_t off;		  /* STEP_INT: in the event */
	const struct arg *arg[5]; /* of the event; NULL: it has none */
	uint64_t value;
};

struct dumpi_out_plan {
	uint16_t call; /* DUMPI_CALLS: there is none of that name */
	bool has_status, gives_status;
	uint32_t labels, nperf;
	struct field cpu, cpudur;
	const struct arg **perf;
	struct out_steps {
		unsigned n;
		struct dumpi_step step[DUMPI_ARGS];
	} * of[DUMPI_LAYOUTS];
};

/* encode_args.c. The encoder's plan. */
void dumpi_out_plan(struct encode *e, const struct type *ty, void *plan);
/* The steps of records as this rank lays them out; and which arguments of the event are
 * counters, in pl->perf. */
const struct out_steps *dumpi_out_steps(struct encode *e, struct dumpi_out_plan *pl,
					const struct out_rank *k, uint32_t type);
/* Appends the arguments to k->waits, which has room for DUMPI_OUT_ROOM bytes more. NULL, or
 * why that is not possible; some of them are then there. */
#define DUMPI_OUT_ROOM 256
const char *dumpi_out_args(struct encode *e, const struct dumpi_out_plan *pl,
			   const struct out_steps *steps, struct out_rank *k,
			   const struct rec *r);

/* encode_head.c. Takes what the metadata of e->s->head tell. */
void dumpi_out_head(struct encode *e);

/* encode_files.c. The section of a rank, or an empty one. */
const struct buf *dumpi_out_section(const struct out_rank *k, enum dumpi_section s);
/* The rank of a job; NULL where there are too many. The job. Both are
 * made if they are new. */
struct out_rank *dumpi_out_rank(struct dumpi_out *c, int64_t job, int64_t rank);
struct out_job *dumpi_out_job(struct dumpi_out *c, int64_t number);
/* The rank is written from now on. */
void dumpi_out_begin(struct dumpi_out *c, struct out_rank *k);
/* Writes what waits. */
void dumpi_out_flush(struct encode *e, struct out_rank *k);
/* Ends all files, and makes those that are still missing. */
void dumpi_out_end(struct encode *e);
void dumpi_out_close(struct encode *e);

#endif
