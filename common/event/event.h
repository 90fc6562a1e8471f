/*
 * event.h - the event, in memory and in the binary stream.
 *
 * An event is a record: a fixed part of 48 bytes, then the arguments at the fixed offsets of its type, then the
 * parts of variable length. A reader makes records from its native format. The filter, the statistics and both
 * writers work on records only, and the binary stream is records in blocks. So there is one representation,
 * described by data (struct type): any value of a format other than the six columns is an argument, never a new
 * column.
 *
 * Numbers have the machine's own byte order. On a big-endian machine rec_swap.c converts them for the stream.
 */
#ifndef SPOOR_EVENT_H
#define SPOOR_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/out.h"

enum {
	HAS_ADDR = 1,
	HAS_SIZE = 2,
	HAS_DUR = 4,
	HAS_ALL = 7,
};

struct rec {
	uint32_t len;  /* bytes of the whole record, a multiple of 8 */
	uint32_t type; /* number of its struct type in the segment */
	/* Number of the string in the column loc, in escaped form; 0 = "-". */
	uint32_t loc;
	uint32_t has; /* HAS_*: the columns among addr, size and dur that the event has */
	/* Nanoseconds since the segment's origin; in a clock of ticks, ticks as a uint64_t. */
	int64_t time;
	uint64_t addr; /* 0 if absent, as are size and dur */
	uint64_t size; /* bytes */
	int64_t dur;   /* ns, or ticks */
};

#define REC_HEAD 48
/* Bytes after a record that may be read, so that it can be copied in large words. */
#define REC_SLACK 64

/* Kinds of argument. Binary streams contain the numbers: never change one. */
enum kind {
	K_U8 = 1,
	K_U16 = 2,
	K_U32 = 3,
	K_U64 = 4,
	K_I8 = 5,
	K_I16 = 6,
	K_I32 = 7,
	K_I64 = 8,
	K_X32 = 9, /* unsigned, written as 0x and hex */
	K_X64 = 10,
	K_NS = 11,    /* int64_t nanoseconds, written as seconds with nine decimals */
	K_F64 = 12,   /* written as the shortest decimal that reads back */
	K_SYM = 13,   /* uint32_t: number of a string of the segment */
	K_STR = 14,   /* struct part: bytes */
	K_BYTES = 15, /* struct part: bytes, written as 0x and two digits for each */
	K_CONST = 16, /* no bytes in the record: the text is in the type */
	/* struct part: a value copied from a text stream, with its escapes */
	K_TEXT = 17,
	K_KINDS
};

/* Position of a variable part, in bytes from the start of the record. n counts bytes, or elements of an array. */
struct part {
	uint32_t off;
	uint32_t n;
};

/* Properties of a type: at least one of its arguments has ... */
enum {
	HOLDS_PARTS = 1,      /* a variable length */
	HOLDS_SYMS = 2,	      /* the number of a string of the segment */
	HOLDS_SYM_ARRAYS = 4, /* an array of such numbers */
};

/* Name of one value of an integer argument. */
struct label {
	int64_t value;
	const char *name;
};

struct labels {
	const struct label *v;
	uint32_t n;
};

struct arg {
	const char *name;
	uint8_t kind;		     /* enum kind */
	bool array;		     /* a struct part that counts elements of this kind */
	uint32_t off;		     /* in the record; type_add computes it */
	const struct labels *labels; /* names of values, for integers only; or NULL */
	const char *text;	     /* the value of K_CONST, in escaped form */
};

/* A type of records: all its records have the same arguments at the same offsets. If native records may lack an
 * argument, the reader makes two types. Several types may have the same event name. */
struct type {
	/* Name of the event in escaped form: blanks, control bytes and backslash are \xHH. */
	const char *event;
	uint32_t event_len;
	/* HAS_*: columns that every record has, columns that some records have */
	uint8_t must, may;
	bool addr_hex; /* addr is written as 0x and hex */
	uint8_t holds; /* HOLDS_*; type_add computes it */
	/* Smallest length of a record: up to the end of the fixed arguments. */
	uint32_t fixed;
	uint32_t nargs;
	const struct arg *args;
};

enum clock {
	CLOCK_NS,    /* nanoseconds, written as seconds; int64_t */
	CLOCK_TICKS, /* an unknown unit: absolute, written as an integer; uint64_t */
};

/* Returns the XOR mask that makes times of this clock sort as unsigned numbers. */
static inline uint64_t
time_flip(enum clock clock)
{
	return clock == CLOCK_NS ? 1ull << 63 : 0;
}

struct pair {
	const char *key, *value;
};

#define LOC_PARTS 8

/* Facts about all events of a segment. */
struct head {
	char format[16];
	enum clock clock;
	/* Nanoseconds since 1970, or since the machine's start; 0 if times are relative. */
	int64_t origin;
	const char *locpart[LOC_PARTS]; /* names of the parts of loc */
	unsigned nlocparts;
	struct pair *meta;
	size_t nmeta, cap;
	/* The pairs of meta whose key is "PLACE:NAME", sorted by name and place. field.c makes the array when it
	 * is needed. */
	const struct pair **places;
	size_t nplaces, seen;
	bool given; /* the input had a header, so the output gets one too */
	/* Name of the input in escaped form, for the field `input`. NULL if there are several inputs. */
	const char *input;
};

/* Three years in nanoseconds: a smaller origin counts from the start of a machine, so it is not a date. */
#define DATED_LEAST 100000000000000000
/* Returns true if times count from a date. */
static inline bool
head_dated(const struct head *h)
{
	return h->clock == CLOCK_NS &&
	       (h->origin >= DATED_LEAST || (h->origin < 0 && h->origin > INT64_MIN));
}

/* Returns t + d in this clock; the smallest or the greatest time if the sum does not fit. */
static inline int64_t
time_plus(enum clock clock, int64_t t, int64_t d)
{
	uint64_t sum = (uint64_t)t + (uint64_t)d;

	if (clock == CLOCK_TICKS)
		return sum < (uint64_t)t ? -1 : (int64_t)sum; /* -1: all bits are set */
	if ((((uint64_t)t ^ sum) & ((uint64_t)d ^ sum)) >> 63)
		return t < 0 ? INT64_MIN : INT64_MAX;
	return (int64_t)sum;
}

/* Returns the nanoseconds that -A adds to every time: the origin. 0 without -A, and in a
 * clock of ticks, which are absolute already. */
static inline int64_t
head_shift(const struct head *h, bool absolute)
{
	return absolute && h->clock == CLOCK_NS ? h->origin : 0;
}

/* The tables to which the numbers in records refer. */
struct tables {
	struct type *type;
	uint32_t ntypes;
	uint8_t holds; /* HOLDS_* of any type */
	size_t typecap;
	struct strtab str; /* strings by number; 0 is "-" */
	struct arena mem;
	size_t bytes; /* bytes of types and their names */
	/* A serial() that changes when all numbers start anew: values that use the old numbers are then invalid. */
	unsigned epoch;
};

#define BATCH 512
/* Limit of the bytes of records in one batch. Further records go into the next batch. */
#define BATCH_BYTES (1u << 20)

struct span {
	const uint8_t *p;
	size_t n;
};

/* Some consecutive events of one segment. A batch is valid until the next one is read. */
struct batch {
	const uint8_t *base;
	uint32_t n;
	uint32_t off[BATCH];	/* record i is at base + off[i] */
	struct span raw[BATCH]; /* with NEED_RAW: the bytes of the native records */
	struct buf own; /* memory for records, unless base is in the input's buffer */
};

/* Returns record i < n of a batch. */
static inline const struct rec *
batch_rec(const struct batch *b, uint32_t i)
{
	return (const struct rec *)(const void *)(b->base + b->off[i]);
}

/* The parts of an event that a consumer needs. A reader may fill in more, but not less. */
enum {
	NEED_TIME = 1,
	NEED_LOC = 2,
	NEED_ADDR = 4,
	NEED_SIZE = 8,
	NEED_DUR = 16,
	NEED_ARGS = 32,
	NEED_RAW = 64,
	/* The argument recv_bytes alone: readers without schema.received see NEED_ARGS. */
	NEED_RECV = 256,
	NEED_ORDER = 128, /* events of several streams of one trace in order of time */
	/* For a first look: the consumer uses only the times. A reader may skip other checks, so it may return
	 * events of records that are damaged further on. */
	NEED_PREVIEW = 512,
	/* The argument gpeer of DUMPI's calls. The reader must read a trace twice for it, so only traces in files
	 * have it. */
	NEED_PEERS = 1024,
	/* The field `input`, which the code that merges inputs adds to each event. */
	NEED_INPUT = 2048,
	NEED_COLUMNS = 31,
	NEED_ALL = NEED_COLUMNS | NEED_ARGS | NEED_ORDER,
};

/* Returns a number that no other call in this process returns, for epochs and heads.
 * Threads may call it at the same time. */
unsigned serial(void);

/* Frees all; the tables are empty then. */
void tables_free(struct tables *t);
/* Drops all types and strings, and sets a new epoch: numbers start anew, with "-" as string 0.
 * Zeroed tables must be reset before their first use. */
void tables_reset(struct tables *t);
/* Returns true if a reader must start a new epoch before its next batch, to stay within its memory limit. */
bool tables_full(const struct tables *t);

/*
 * Adds a type and returns its number. Everything is copied except labels, which must live
 * as long as the tables (static, or in t->mem). type_add computes the offsets: each
 * argument lies at a multiple of its own size, in the order given.
 */
uint32_t type_add(struct tables *t, const struct type *ty);
/* Adds a type like `ty` with n more arguments after its own, and returns its number. `must`
 * adds to ty->must: columns (HAS_*) that all records of the new type have. Copies as
 * type_add does. `ty` may be a type of t, although adding moves t->type. */
uint32_t type_more(struct tables *t, const struct type *ty, const struct arg *more,
		   uint32_t n, uint8_t must);
/* How to turn records of one type into records of another type that has more arguments at the end. */
struct longer {
	uint32_t type; /* number of the longer type, plus 1; 0: not made yet */
	uint32_t more; /* bytes by which the fixed part of its records is longer */
	uint32_t at;   /* offset of its first additional argument */
};
/* Adds the longer type of the type number `type` by type_more, and returns how to convert records. */
struct longer type_longer(struct tables *t, uint32_t type, const struct arg *more,
			  uint32_t n, uint8_t must);
/* Appends bytes that identify the contents of a type: equal for two types that are alike. */
void type_key(struct buf *b, const struct type *ty);

/* Returns the bytes that one value of an enum kind, or one element of an array, takes in a record. For K_STR, K_BYTES
 * and K_TEXT this is the size of their struct part. Returns 0 for K_CONST and for an unknown kind. */
uint32_t kind_width(unsigned kind);
/* Returns true if the kind is an integer: K_U8 to K_X64. */
bool kind_is_int(unsigned kind);
/* Returns true if the argument's bytes are after the fixed part: its place in the fixed part is a struct part. */
bool kind_is_part(const struct arg *a);
/* Returns true if the argument is an array of strings, whose elements are struct parts as well. */
static inline bool
kind_is_strings(const struct arg *a)
{
	return a->array && a->kind == K_STR;
}

/* Returns the name of a value, or NULL if the value has none. l must not be NULL. */
const char *label_of(const struct labels *l, int64_t value);

/* Appends a pair of metadata; both strings are copied into mem. A key must not contain "=": see spoor-stream(5). */
void head_meta(struct head *h, struct arena *mem, const char *key, const char *value);
/* Returns the value of the last pair with this key, or NULL if there is none. */
const char *head_value(const struct head *h, const char *key);
/* Returns the metadata `block` if it is a number above 0, else 0. */
uint64_t meta_block(const struct head *h);
/* Returns the bytes of one unit of addr: the metadata `block`, or 1 without it. */
uint64_t head_addr_unit(const struct head *h);
/* Metadata for events whose trace has no times, so that the reader has made up some. */
#define TIMES_KEY "times"
#define TIMES_MADE_UP "made-up"
#define TIMES_REMARK "times were made up: one second a line"
/* Returns true if the metadata show that times were made up. */
static inline bool
head_made_up(const struct head *h)
{
	const char *times = head_value(h, TIMES_KEY);

	return times && !strcmp(times, TIMES_MADE_UP);
}
/* Frees the memory of the head and empties it, except for the name of the input. Strings stay in their arena. */
void head_free(struct head *h);

/* Making records: batch_start, then rec_new and rec_part for each record, until batch_full. Each call may move the
 * memory: a struct rec * is valid only until the next call. */
/* Returns true if the batch takes no further record. */
static inline bool
batch_full(const struct batch *b)
{
	return b->n == BATCH || b->own.n > BATCH_BYTES;
}

/* Empties the batch. */
static inline void
batch_start(struct batch *b)
{
	b->n = 0;
	b->own.n = 0;
}

/* Appends a record of the type to the batch, and returns it. Its fixed part is zero, except len, type, and has, which is
 * the type's `must`. */
struct rec *rec_new(struct batch *b, const struct tables *t, uint32_t type);
/* Appends n elements of `width` bytes to the last record of the batch, as its argument a.
 * Returns the place where the caller must write the elements. */
uint8_t *rec_part(struct batch *b, const struct arg *a, uint32_t n, uint32_t width);
/* Appends the n bytes at p to the last record of the batch, as its string argument a. */
void rec_str(struct batch *b, const struct arg *a, const void *p, size_t n);
/* Returns the last record of the batch. */
struct rec *rec_last(struct batch *b);

/* Copies one or more records, n bytes, in steps of half the slack, so `to` needs the slack too. Lengths differ
 * from record to record, and memcpy would branch on them. */
static inline void
rec_copy(uint8_t *to, const uint8_t *from, size_t n)
{
	for (size_t i = 0; i < n; i += REC_SLACK / 2)
		memcpy(to + i, from + i, REC_SLACK / 2);
}

/*
 * Adds `more` bytes, a multiple of 8, to the end of the fixed part of the record r, whose
 * type is ty, and sets them to zero: room for further arguments. The memory after r must
 * have room for them.
 */
void rec_widen(const struct type *ty, struct rec *r, uint32_t more);
/* Turns r into a record of the longer type, in place. The memory after r must have room
 * for l->more bytes. Returns the place of the first additional argument. */
static inline uint8_t *
rec_longer(const struct tables *t, struct rec *r, const struct longer *l)
{
	const struct type *ty = &t->type[r->type];

	/* Most records get two numbers. */
	if (likely(l->more == 16 && r->len == ty->fixed)) {
		memset((uint8_t *)r + ty->fixed, 0, 16);
		r->len += 16;
	} else if (l->more)
		rec_widen(ty, r, l->more);
	r->type = l->type - 1;
	return (uint8_t *)r + l->at;
}

/*
 * Sets *p and *n to the place and the number (bytes, or elements of an array) of the
 * variable argument a of r. Returns false, without setting them, if the bytes are not
 * within the record, as in a damaged binary stream.
 */
bool rec_span(const struct rec *r, const struct arg *a, const uint8_t **p, uint32_t *n);

/* Writes the n bytes at p as the text of a name or value: blank, control bytes, DEL and
 * backslash become \xHH. Writes at most 4 n bytes; returns the end of the text. */
uint8_t *put_escaped(uint8_t *to, const void *p, size_t n);
/* Writes a name that is already escaped: backslashes stay as they are; blank, control bytes and DEL become \xHH.
 * Used for names from an input, which may be damaged. Writes at most 4 n bytes; returns the end of the text. */
uint8_t *put_name(uint8_t *to, const void *p, size_t n);
/* Undoes put_escaped, in place or elsewhere (to may be p); returns the length. A backslash
 * that begins no \xHH stays as it is. */
size_t unescape(uint8_t *to, const void *p, size_t n);

#endif
