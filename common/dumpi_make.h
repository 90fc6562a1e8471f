/* dumpi_make.h - what fmt_dumpi.c and dumpi_make.c share: the state of an open DUMPI trace.
 */
#ifndef SPOOR_DUMPI_MAKE_H
#define SPOOR_DUMPI_MAKE_H

#include "dumpi.h"

/* What an event's time is. */
enum dumpi_clock_is {
	CLOCK_IS_WALL,
	CLOCK_IS_CPU,	 /* where there is no wall clock */
	CLOCK_IS_NUMBER, /* no times at all: the record's number */
};

struct dumpi_maker;

struct dumpi_head {
	int64_t key;
	uint32_t rank;
};

struct dumpi {
	struct dumpi_rank *rank;
	size_t nranks, at; /* at: the one that is read, where they are not merged */
	bool merge, align;
	bool wall, cpu, threads; /* what the first records have */
	enum dumpi_clock_is clock;
	struct dumpi_maker **maker[DUMPI_LAYOUTS]; /* by call and variant */
	struct dumpi_maker *perf;		   /* of records with counters: a list */
	uint32_t bare[DUMPI_CALLS];		   /* types without arguments, + 1 */
	struct dumpi_head *heap; /* merging: the ranks by their next record's time */
	size_t nheap;
	bool heads;		       /* the heap is filled */
	struct buf raw;		       /* merging: native records of a batch */
	uint32_t written[DUMPI_CALLS]; /* -n: records by call */
	uint64_t body;		       /* -n: bytes written */
};

/* A later return less than this before the last one is a clock that goes back, or threads;
 * anything else is a wrap of the 16 bits. */
#define DUMPI_BACK 60

/*
 * Start and duration, in ns since the bias, of the times at q. *sec: the seconds of the
 * last return, which the 16 bits go on from; 2 bytes in front of q are readable.
 */
static INLINE void
dumpi_clock(int64_t *sec, const uint8_t *q, int64_t *start, int64_t *dur)
{
	uint64_t a = be64(q - 2), z = be64(q + 4);
	uint16_t on = (uint16_t)((uint16_t)(z >> 32) - (uint16_t)*sec);
	uint16_t took = (uint16_t)((uint16_t)(z >> 32) - (uint16_t)(a >> 32));
	int64_t seconds = took;

	*sec += on;
	if (unlikely(on > UINT16_MAX - DUMPI_BACK))
		*sec -= 65536;
	if (unlikely(took > UINT16_MAX - DUMPI_BACK))
		seconds -= 65536;
	/* Unsigned: a hostile file may go beyond 292 years. */
	*dur = seconds * 1000000000 + (int64_t)(uint32_t)z - (int64_t)(uint32_t)a;
	*start = (int64_t)((uint64_t)*sec * 1000000000u + (uint32_t)z - (uint64_t)*dur);
}

/* Fills a batch: the format's `next`. */
bool dumpi_batch(struct source *s, struct batch *b);
/* Numbers of types and strings start anew. */
void dumpi_epoch(struct source *s, struct dumpi *c);
void dumpi_makers_free(struct dumpi *c);

#endif
