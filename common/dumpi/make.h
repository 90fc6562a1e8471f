/* make.h - the state of an open DUMPI trace, shared by fmt_dumpi.c,
 * rank_open.c, make.c, maker.c and dumpi_bytes.c. */
#ifndef SPOOR_DUMPI_MAKE_H
#define SPOOR_DUMPI_MAKE_H

#include "dumpi/dumpi_trace.h"
#include "input/merge.h"
#include "mpi/comms.h"

/* The kind of clock of an event's time. */
enum dumpi_clock_is {
	CLOCK_IS_WALL,
	CLOCK_IS_CPU,	 /* CPU time, if there is no wall clock */
	CLOCK_IS_NUMBER, /* the number of the record, if there are no times */
};

/* Variants of a call's records. */
enum {
	MAKE_CPU = 1,
	MAKE_STATUS = 2,
	/* The arguments that only root has; or the name of a function; or for Start, the peer. */
	MAKE_MORE = 4,
	MAKE_RECV = 8,	 /* the bytes received */
	MAKE_GPEER = 16, /* the peer's rank in MPI_COMM_WORLD */
	MAKE_VARIANTS = 32,
};

#define DUMPI_OPS (DUMPI_ARGS + 7)

struct dumpi_maker {
	uint32_t type, fixed;
	unsigned nops;
	/* It has arrays of strings: 5 bytes in the file may become 16 in the event. */
	bool strings;
	bool peer_status;  /* the peer is the source in the status, if there is one */
	int32_t peer_flag; /* offset of a number that must not be 0 for that; -1 = none */
	struct dumpi_op {
		uint8_t code;
		/* For OP_RUN: number of moves, and bytes of the record that they read. */
		uint8_t n, bytes;
		uint16_t dst, x;
	} op[DUMPI_OPS];
	struct dumpi_move {
		uint64_t mask; /* bits of the number among the 8 bytes that end with it */
		int16_t src;   /* offset of these 8 bytes from the run's start */
		uint16_t dst;  /* offset of the number in the event */
	} move[DUMPI_OPS];
	/* Only for records with counters: */
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
	bool wall, cpu, threads; /* clocks and threads that the first records have */
	enum dumpi_clock_is clock;
	struct dumpi_maker **maker[DUMPI_LAYOUTS]; /* makers by call and variant */
	/* List of makers for records with counters. */
	struct dumpi_maker *perf;
	/* Numbers of types plus 1: [0] without arguments, [1] with recv_bytes alone. */
	uint32_t bare[2][DUMPI_CALLS];
	/* Bytes that struct dumpi_known of all ranks may still allocate. */
	size_t room;
	uint32_t *builtin; /* sizes of built-in datatypes from --sizes, or NULL */
	/* Number of calls whose size is unknown because of a built-in datatype. */
	uint64_t lacking;
	/* Merges the ranks by the times of their next records. */
	struct merge merge;
	uint64_t *key;		       /* times of the next records, as keys of the merge */
	struct batch *taken;	       /* batch in which a record becomes an event */
	uint32_t written[DUMPI_CALLS]; /* -n: number of records written, by call */
	uint64_t body;		       /* -n: number of bytes written */
	struct dumpi_peers *peers;     /* communicators of all ranks; NULL = not needed */
};

/* Returns the peer of a call: the source in its first status, or the rank at `arg` if there is no status. `status`
 * may be NULL. */
static inline uint32_t
dumpi_peer(const uint8_t *arg, const uint8_t *status)
{
	uint32_t source;

	if (!status || !be32(status))
		return be32(arg);
	source = be32(status + 8);
	/* MPI libraries have different negative numbers for MPI_PROC_NULL; all become -2. */
	return source > INT32_MAX ? (uint32_t)-2 : source;
}

/* Returns true if the second number of bytes of a call is what the call itself receives. Otherwise it belongs to a
 * request. */
static inline bool
dumpi_receives(const struct dumpi_call *k)
{
	return k->does != DOES_START && k->does != DOES_INIT && k->does != DOES_INIT_RECV;
}

/* The communicators of a run, from the records of all ranks. */
struct dumpi_peers {
	struct comms comms;
	bool full; /* a memory limit was reached */
};

/* Reads the whole run of s once to learn the communicators of all ranks (peers.c). Returns them, to be freed by
 * dumpi_peers_close, or NULL if no event needs gpeer=. */
struct dumpi_peers *dumpi_peers_open(const struct source *s);
/* Returns the rank in MPI_COMM_WORLD of the rank `peer` of the communicator `comm`, or NO_PROC if it is unknown
 * (comm.c). */
uint32_t dumpi_peers_rank(struct dumpi_known *w, uint16_t comm, uint32_t peer);
/* Frees x; NULL is allowed. */
void dumpi_peers_close(struct dumpi_peers *x);

/* Seconds by which the return of a call of another thread may be late. Records are in the order of the calls'
 * returns, so the 16 stored bits of the seconds are enough for gaps of up to 65,535 s; only returns of several
 * threads can be out of order. */
#define DUMPI_BACK 60

/*
 * Computes the start, in ns since the bias, and the duration, in ns, from the times at q. The 2 bytes before q must
 * be readable. *sec is the second of the last return, to which the stored 16 bits are relative; it becomes the second
 * of this return. `threads`: the rank has several threads. Returns false if a number of nanoseconds is a second or
 * more.
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
	/* In unsigned arithmetic: a hostile file may exceed 292 years. */
	*dur = (int64_t)took * 1000000000 + (int64_t)(uint32_t)z - (int64_t)(uint32_t)a;
	*start = (int64_t)((uint64_t)*sec * 1000000000u + (uint32_t)z - (uint64_t)*dur);
	return (uint32_t)a < 1000000000 && (uint32_t)z < 1000000000;
}

/* The sizes of built-in datatypes, by their numbers, on a machine where int has 4 bytes, long and pointers 8, long
 * double 16 (dumpi_bytes.c). */
extern const uint32_t dumpi_lp64[DUMPI_BUILTIN];
/* Handles the sizes of datatypes: _begin prepares a trace and _open a rank, _shut ends a rank, _close frees the
 * memory of the trace, and _end prints the messages at its end. */
void dumpi_bytes_begin(struct source *s, struct dumpi *c);
void dumpi_bytes_open(struct source *s, struct dumpi *c, struct dumpi_rank *r);
void dumpi_bytes_shut(struct dumpi_rank *r);
void dumpi_bytes_close(struct dumpi *c);
void dumpi_bytes_end(struct source *s);

/* Sets r->file for the only rank r, which is the input of s itself: the descriptor, if it can be read at any
 * offset, and the size (rank_open.c). */
void dumpi_rank_place(struct source *s, struct dumpi_rank *r);
/* Opens a rank: reads the sections around its body, except those after it in a pipe, and
 * chooses the layout of its records. If it cannot be read, reports that and sets r->ended. */
void dumpi_rank_open(struct source *s, struct dumpi_rank *r);

/* Fills the batch b. Implements format.next. Returns false at the end. */
bool dumpi_batch(struct source *s, struct batch *b);
/* Begins a new epoch: forgets all numbers of types and strings. */
void dumpi_epoch(struct source *s, struct dumpi *c);

/* Returns a new maker for records of that call and variant (MAKE_* bits) in the layout of the rank r (maker.c).
 * dumpi_makers_free frees it. */
struct dumpi_maker *dumpi_maker_first(struct source *s, struct dumpi *c,
				      struct dumpi_rank *r, unsigned call,
				      unsigned variant);
/* Returns the maker for such records with nperf counters, which is made if it is new. It lives until
 * dumpi_makers_free. */
struct dumpi_maker *dumpi_maker_perf(struct source *s, struct dumpi *c,
				     struct dumpi_rank *r, unsigned call, unsigned variant,
				     unsigned nperf);
/* Writes the arguments of the event at rec, from the arguments of the record at q and its nperf
 * counters at perf. Returns the event's length. Reads and writes up to 8 bytes more than it
 * needs. */
uint32_t dumpi_make_args(struct source *s, struct dumpi_rank *r,
			 const struct dumpi_maker *m, uint8_t *rec, const uint8_t *q,
			 const uint8_t *perf, unsigned nperf);
/* Writes the name of counter i as an argument's name: without blanks and '=', and less than DUMPI_COUNTER bytes long. */
#define DUMPI_COUNTER 136
void dumpi_counter_name(const struct dumpi_sections *sec, uint32_t i,
			char name[DUMPI_COUNTER]);
/* Frees all makers. */
void dumpi_makers_free(struct dumpi *c);
/* Returns the function or annotation at an address, or NULL. */
struct dumpi_address *dumpi_address_find(const struct dumpi_rank *r, uint64_t address);

#endif
