/*
 * val.h - one value of an expression: what it is, and what operators and functions make of
 * values. This is the definition; the loops over batches (batch.c) are a quick way to
 * the same.
 */
#ifndef SPOOR_VAL_H
#define SPOOR_VAL_H

#include "number/i128.h"
#include "event/event.h"

enum val_kind {
	VAL_NONE,    /* absent */
	VAL_WHOLE,   /* an integer */
	VAL_TIME,    /* ns, or ticks */
	VAL_DECIMAL, /* counts 10^-9: exact, of an argument or a constant */
	VAL_REAL,
	VAL_TEXT, /* bytes, without the escapes of a stream */
	VAL_KINDS
};

struct val {
	uint8_t kind;  /* enum val_kind */
	struct i128 n; /* of WHOLE, TIME, DECIMAL; magnitude below 2^127 */
	/* REAL: the number, finite. TIME: what is added to n, from 0 to below 1; only a row of a
	 * table has such times (val_env.rests). Else 0. */
	double r;
	const char *s; /* of TEXT: len bytes, and a NUL behind */
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
	/* // and / of two times, or // of a time and a plain number, which counts as one: in ticks either may be
	 * a number, where it is a part of a tick. */
	VAL_PARTS,
	VAL_RATIO
};

extern const char *const val_op_name[VAL_RATIO + 1];

/* The results of a comparison of two values. */
enum val_order {
	VAL_LESS = -1,
	VAL_EQUAL = 0,
	VAL_GREATER = 1,
	VAL_OTHER = 2, /* a number and a text: they are not equal, and neither is less */
};

/* The surroundings of a computation. Texts that are made live in mem, until the caller frees or
 * resets it. */
struct val_env {
	enum clock clock;
	struct arena *mem;
	int64_t origin; /* nanoseconds since 1970 that times count from; 0: from no date */
	bool rests;	/* time * number and time / number are not rounded to ns or ticks */
};

/* The value of an integer; of an integer without sign; of so many ns or ticks. */
struct val val_whole(struct i128 n);
struct val val_i64(int64_t n);
struct val val_u64(uint64_t n);
struct val val_time(int64_t n, enum clock clock);
/* The value of a double: absent where it is not finite; -0 is 0. */
struct val val_real(double r);
/* A text; the bytes must live as long as the value, with a NUL behind. */
struct val val_text(const char *s, size_t n);
/*
 * The value of an argument or a part of loc by its text s[0..n), unescaped, with a NUL
 * behind it: a whole number, a decimal of up to nine places, a real, else the text itself.
 */
struct val val_of_text(const char *s, size_t n);
/* Returns the value of a text for a comparison. Other than val_of_text, whole numbers are exact below 2^127, and
 * so is a number with an exponent that has at most nine decimals. */
struct val val_exact(const char *s, size_t n);
/* Returns v for arithmetic: a whole number that fits neither int64_t nor uint64_t becomes the nearest double. */
struct val val_narrow(const struct val *v);
/* Sets *bits to the bits of a whole number; a negative one has its two's complement. Returns false for any other
 * value. */
bool val_bits(const struct val *v, uint64_t *bits);

/* Returns the value of a text, as val_of_text has it, and any other value as it is. */
struct val val_number(const struct val *v);

/* a op b. Beside a time, a number with + - % and VAL_PARTS is one of seconds (ticks), also of a part of a tick;
 * with * / // it is a number. Absent where it cannot be done. */
struct val val_arith(const struct val_env *env, enum val_op op, const struct val *a,
		     const struct val *b);
/* Returns false if a plain number, as a time, would be rounded to whole ns or ticks. */
bool val_whole_time(const struct val_env *env, const struct val *v);
/* A plain number as a time: seconds, or ticks; a time as it is; absent of a text. */
struct val val_as_time(const struct val_env *env, const struct val *v);
/* The complete sum: absent if it does not fit -2^63 .. 2^64-1; *over is set then. */
struct val val_fit(const struct val *v, bool *over);
/* How two values that are there compare, exactly. A time counts as its ns or ticks. */
enum val_order val_cmp(const struct val *a, const struct val *b);
/* Returns VAL_LESS, VAL_EQUAL or VAL_GREATER for a number below, equal to or above 0. */
enum val_order val_order_of(int c);
/* Returns the value as a test: whether it is a number, or a time, other than 0. */
bool val_true(const struct val *v);

/* Appends the value's text as a person reads it: no escapes; nothing if absent. */
void val_put(struct buf *b, const struct val_env *env, const struct val *v);
/* The value's text, in env->mem. */
struct val val_to_text(const struct val_env *env, const struct val *v);

/* The 64-bit hash that hash() gives, the same on every machine and in every version. */
uint64_t val_hash(const struct val_env *env, const struct val *v);

#endif
