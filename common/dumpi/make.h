/* make.h - the state of an open DUMPI trace, shared by fmt_dumpi.c,
 * rank_open.c, make.c, maker.c and bytes.c. */
#ifndef SPOOR_DUMPI_MAKE_H
#define SPOOR_DUMPI_MAKE_H

#include "dumpi/trace.h"
#include "input/merge.h"
#include "mpi/comms.h"

/* The kind of an event's time. */
enum dumpi_clock_is {
	CLOCK_IS_WALL,
	CLOCK_IS_CPU,	 /* where there is no wall clock */
	CLOCK_IS_NUMBER, /* no times at all: the record's number */
};

/* Variants of a record. */
enum {
	MAKE_CPU = 1,
	MAKE_STATUS = 2,
	/* The arguments that only root has; the name of a function; of Start the peer. */
	MAKE_MORE = 4,
	MAKE_RECV = 8,	 /* the bytes that it receives */
	MAKE_GPEER = 16, /* the peer's rank in the world */
	MAKE_VARIANTS = 32,
};

#define DUMPI_OPS (DUMPI_ARGS + 7)

struct dumpi_maker {
	uint32_t type, fixed;
	unsigned nops;
	bool strings;	   /* has arrays of strings: 5 bytes may become 16 */
	bool peer_status;  /* the peer is the source in the status, if there is a status */
	int32_t peer_flag; /* and where this number is not 0; -1 = always */
	struct dumpi_op {
		uint8_t code;
		uint8_t n, bytes; /* OP_RUN: moves, bytes of the record that it takes */
		uint16_t dst, x;
	} op[DUMPI_OPS];
	struct dumpi_move {
		uint64_t mask; /* the number's bits, of the 8 bytes that end with it */
		int16_t src;   /* where these begin, from the run's start */
		uint16_t dst;  /* its place in the event */
	} move[DUMPI_OPS];
	/* Of records with counters only. */
	struct dumpi_maker *next;
	uint32_t key, labels;
	uint8_t nperf;
};

struct dumpi {
	struct dumpi_rank *rank;
	size_t nranks;
	struct dumpi_jobs jobs;
	bool merged, align;
	bool look;		 /* see struct dumpi_options */
	bool gpeer;		 /* events have gpeer= */
	bool wall, cpu, threads; /* what the first records have */
	enum dumpi_clock_is clock;
	struct dumpi_maker **maker[DUMPI_LAYOUTS]; /* by call and variant */
	struct dumpi_maker *perf;		   /* of records with counters: a list */
	/* Types, + 1, of records without arguments, and of those with recv_bytes alone. */
	uint32_t bare[2][DUMPI_CALLS];
	size_t room;	   /* what struct dumpi_known of all ranks may still take */
	uint32_t *builtin; /* --sizes: of built-in datatypes, or NULL */
	uint64_t lacking;  /* calls of unknown size: a built-in datatype has none */
	/* Where ranks are merged: by the time of the record that comes next in each. */
	struct merge merge;
	uint64_t *key;		       /* the time, as the merge has it */
	struct batch *taken;	       /* where one record becomes an event */
	uint32_t written[DUMPI_CALLS]; /* -n: records by call */
	uint64_t body;		       /* -n: bytes written */
	struct dumpi_peers *peers;     /* NULL: nobody asks for what it tells */
};

/* Returns the peer of a call: the source in a status, where there is one, or the rank at `arg`. status may be
 * NULL. */
static inline uint32_t
dumpi_peer(const uint8_t *arg, const uint8_t *status)
{
	uint32_t source;

	if (!status || !be32(status))
		return be32(arg);
	source = be32(status + 8);
	/* From nobody, as the MPI library has it. */
	return source > INT32_MAX ? (uint32_t)-2 : source;
}

/* Returns whether what a call tells of bytes besides its size is what it receives; else it is what a request is for. */
static inline bool
dumpi_receives(const struct dumpi_call *k)
{
	return k->does != DOES_START && k->does != DOES_INIT && k->does != DOES_INIT_RECV;
}

/* The communicators of a run, by the records of all ranks. */
struct dumpi_peers {
	struct comms comms;
	bool full; /* there are more than were noted */
};

/* peers.c: reads the run of s for what its ranks tell of communicators, and lets its ranks know it. NULL: nobody asks
 * for it. */
struct dumpi_peers *dumpi_peers_open(const struct source *s);
/* comm.c. Returns the rank in the world of a peer of w, or NO_PROC. */
uint32_t dumpi_peers_rank(struct dumpi_known *w, uint16_t comm, uint32_t peer);
void dumpi_peers_close(struct dumpi_peers *x);

/* Records stand in order of the calls' return, so that the 16 bits of the seconds tell a
 * gap of up to 65,535 s. Only of several threads a return may come late: by less than so
 * many seconds. */
#define DUMPI_BACK 60

/*
 * Start and duration, in ns since the bias, of the times at q. *sec: the seconds of the
 * last return, which the 16 bits go on from; threads: there are several; 2 bytes in front
 * of q are readable. False where a number of nanoseconds is a second or more.
 */
static INLINE bool
dumpi_clock(int64_t *sec, const uint8_t *q, bool threads, int64_t *start, int64_t *dur)
{
	uint64_t a = be64(q - 2), z = be64(q + 4);
	uint16_t on = (uint16_t)((uint16_t)(z >> 32) - (uint16_t)*sec);
	uint16_t took = (uint16_t)((uint16_t)(z >> 32) - (uint16_t)(a >> 32));

	/* No time is before the bias. */
	if (unlikely(on > UINT16_MAX - DUMPI_BACK) && threads && *sec + on >= 65536)
		*sec -= 65536;
	*sec += on;
	/* Unsigned: a hostile file may go beyond 292 years. */
	*dur = (int64_t)took * 1000000000 + (int64_t)(uint32_t)z - (int64_t)(uint32_t)a;
	*start = (int64_t)((uint64_t)*sec * 1000000000u + (uint32_t)z - (uint64_t)*dur);
	return (uint32_t)a < 1000000000 && (uint32_t)z < 1000000000;
}

/* bytes.c. Sizes of built-in datatypes, by their numbers, on a machine where int has 4
 * bytes, long and pointers 8, long double 16. */
extern const uint32_t dumpi_lp64[DUMPI_BUILTIN];
/* The bytes of calls: begins for a trace; begins for a rank, and ends; frees; prints
 * the messages at the end of the trace. */
void dumpi_bytes_begin(struct source *s, struct dumpi *c);
void dumpi_bytes_open(struct source *s, struct dumpi *c, struct dumpi_rank *r);
void dumpi_bytes_shut(struct dumpi_rank *r);
void dumpi_bytes_close(struct dumpi *c);
void dumpi_bytes_end(struct source *s);

/* rank_open.c. The only rank, which is the source's own input: finds out where it can be
 * sought, and how long it is. */
void dumpi_rank_place(struct source *s, struct dumpi_rank *r);
/* Opens a rank: reads what stands around its body, as far as it can be read before it, and
 * chooses the layout of its records. What cannot be read is reported, and r->ended is set. */
void dumpi_rank_open(struct source *s, struct dumpi_rank *r);

/* Fills a batch: the format's `next`. */
bool dumpi_batch(struct source *s, struct batch *b);
/* Forgets all numbers of types and strings: a new epoch begins. */
void dumpi_epoch(struct source *s, struct dumpi *c);

/* maker.c. Makes the maker of records of that call and variant (MAKE_* bits), as rank
 * r lays them out. */
struct dumpi_maker *dumpi_maker_first(struct source *s, struct dumpi *c,
				      struct dumpi_rank *r, unsigned call,
				      unsigned variant);
/* The maker of such records with nperf counters; made if it is new. */
struct dumpi_maker *dumpi_maker_perf(struct source *s, struct dumpi *c,
				     struct dumpi_rank *r, unsigned call, unsigned variant,
				     unsigned nperf);
/* Makes the arguments of the event at rec out of those of the record at q, and of its nperf
 * counters at perf. Gives the event's length. Reads and writes up to 8 bytes more than it
 * needs. */
uint32_t dumpi_make_args(struct source *s, struct dumpi_rank *r,
			 const struct dumpi_maker *m, uint8_t *rec, const uint8_t *q,
			 const uint8_t *perf, unsigned nperf);
/* Writes the name of counter i as that of an argument: no blank, no '=', of bounded
 * length. */
#define DUMPI_COUNTER 136
void dumpi_counter_name(const struct dumpi_sections *sec, uint32_t i,
			char name[DUMPI_COUNTER]);
/* Frees all makers. */
void dumpi_makers_free(struct dumpi *c);
/* The function or annotation at an address, or NULL. */
struct dumpi_address *dumpi_address_find(const struct dumpi_rank *r, uint64_t address);

#endif
