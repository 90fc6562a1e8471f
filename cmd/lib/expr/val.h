/*
 * val.h - a value of an expression, and the operators and functions on values. This is the definition; the loops
 * over batches (batch.c) are a faster way to the same results.
 */
#ifndef SPOOR_VAL_H
#define SPOOR_VAL_H

#include "number/i128.h"
#include "event/event.h"

enum val_kind {
	VAL_NONE,    /* absent */
	VAL_WHOLE,   /* an integer */
	VAL_TIME,    /* ns, or ticks */
	VAL_DECIMAL, /* number of 10^-9, exact: from an argument or a constant */
	VAL_REAL,
	VAL_TEXT, /* bytes, without the escapes of a stream */
	VAL_KINDS
};

struct val {
	uint8_t kind;  /* enum val_kind */
	struct i128 n; /* for VAL_WHOLE, VAL_TIME, VAL_DECIMAL; magnitude below 2^127 */
	/* VAL_REAL: the number, finite. VAL_TIME: a fraction to add to n, from 0 to below 1; only rows of tables
	 * have such times (val_env.rests). Else 0. */
	double r;
	const char *s; /* VAL_TEXT: len bytes, then a NUL */
	size_t len;
};

/* The operators on two values. */
enum val_op {
	VAL_ADD,
	VAL_SUB,
	VAL_MUL,
	VAL_DIV,   /* / */
	VAL_FLOOR, /* // */
	VAL_MOD,   /* % */
	/* // and / for two times, or // for a time and a plain number, which counts as a time. In ticks, either
	 * may be a part of a tick. */
	VAL_PARTS,
	VAL_RATIO
};

extern const char *const val_op_name[VAL_RATIO + 1];

/* The results of comparing two values. */
enum val_order {
	VAL_LESS = -1,
	VAL_EQUAL = 0,
	VAL_GREATER = 1,
	VAL_OTHER = 2, /* a number and a text: neither equal, nor less, nor greater */
};

/* The surroundings of a computation. New texts are in `mem` until the caller frees or resets it. */
struct val_env {
	enum clock clock;
	struct arena *mem;
	int64_t origin; /* ns from 1970 to time 0; 0: times do not count from a date */
	bool rests;	/* do not round time * number and time / number to ns or ticks */
};

/* Returns an integer as a value; val_i64 and val_u64 one of 64 bits; val_time a time of n ns or ticks. */
struct val val_whole(struct i128 n);
struct val val_i64(int64_t n);
struct val val_u64(uint64_t n);
struct val val_time(int64_t n, enum clock clock);
/* Returns a double as a value: absent if it is not finite; -0 becomes 0. */
struct val val_real(double r);
/* Returns a text as a value. The bytes, and a NUL after them, must live as long as the value. */
struct val val_text(const char *s, size_t n);
/* Returns the value of an argument or a part of loc from its text s[0..n), unescaped, with a NUL after it: a whole
 * number, a decimal of up to nine places, a real, or else the text itself. */
struct val val_of_text(const char *s, size_t n);
/* Returns the value of a text for a comparison. Unlike val_of_text, whole numbers are exact below 2^127, and so is
 * a number with an exponent and at most nine decimals. */
struct val val_exact(const char *s, size_t n);
/* Returns v for arithmetic: a whole number that fits neither int64_t nor uint64_t becomes the nearest double. */
struct val val_narrow(const struct val *v);
/* Sets *bits to the bits of a whole number; a negative one has its two's complement. Returns false for any other
 * value. */
bool val_bits(const struct val *v, uint64_t *bits);

/* Returns the value of a text, as val_of_text does; returns any other value unchanged. */
struct val val_number(const struct val *v);

/* Returns a op b. With a time, a number in + - % and VAL_PARTS counts seconds (ticks; also parts of a tick); with
 * the other operators it is a number. Absent if the operation is not possible. */
struct val val_arith(const struct val_env *env, enum val_op op, const struct val *a,
		     const struct val *b);
/* Returns false if a plain number, as a time, would be rounded to whole ns or ticks. */
bool val_whole_time(const struct val_env *env, const struct val *v);
/* Returns a plain number as a time, in seconds or ticks; a time unchanged; an absent value for a text. */
struct val val_as_time(const struct val_env *env, const struct val *v);
/* Returns a complete sum; absent, with *over set, if it is not in -2^63 .. 2^64-1. */
struct val val_fit(const struct val *v, bool *over);
/* Compares two present values exactly. A time counts as its ns or ticks. */
enum val_order val_cmp(const struct val *a, const struct val *b);
/* Returns VAL_LESS, VAL_EQUAL or VAL_GREATER for a number below, equal to or above 0. */
enum val_order val_order_of(int c);
/* Returns true if the value is a number or a time other than 0. */
bool val_true(const struct val *v);

/* Appends the value's text as people read it, without escapes; nothing if it is absent. */
void val_put(struct buf *b, const struct val_env *env, const struct val *v);
/* Returns the value's text, in env->mem. */
struct val val_to_text(const struct val_env *env, const struct val *v);

/* Returns the 64-bit hash of the function hash(), equal on all machines and in all versions. */
uint64_t val_hash(const struct val_env *env, const struct val *v);

#endif
