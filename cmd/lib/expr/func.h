/* func.h - the functions of expressions, in one table: parser, engine and page use it. */
#ifndef SPOOR_FUNC_H
#define SPOOR_FUNC_H

#include "expr/ere.h"
#include "expr/val.h"
#include "names/naming.h"

/* The quantities that a value measures, as the parser knows them: see spoor-expr(7). */
enum measure {
	M_PLAIN,  /* no unit: seconds beside a time, a number beside a number */
	M_NUMBER, /* addr, size, counts, ratios */
	M_TIME,	  /* time, dur, end, constants with a unit of time */
	M_TEXT,	  /* never a number: event, loc, quoted strings */
};

/* Facts of a call that are the same for all events: func_prepare makes them, func_end
 * frees them. One thread at a time uses them. */
struct func_call {
	struct ere *re;	      /* of sub, where its second argument is a constant */
	struct pattern *last; /* of sub, else: the one compiled last */
	/* For alias: where its names are kept, and the class of these. For hash with a key: the key. */
	struct naming *naming;
	uint32_t class;
	bool keyed;
	uint64_t key[2];
};

/* A call's arguments v[0..n), all there. */
struct func_args {
	const struct val_env *env;
	const struct func_call *call;
	const struct val *v;
	size_t n;
};

struct func {
	const char *name;
	uint8_t least, most; /* arguments; most 255: any number */
	uint8_t result;	     /* enum measure, or FUNC_JOINED: that of its arguments */
	uint8_t number; /* with at most so many arguments, all must be numbers, no times */
	bool lazy;	/* if, coalesce: the engine decides which arguments count */
	const char *args;  /* for messages and the page: "x, step" */
	const char *about; /* for the page: one line */
	struct val (*call)(const struct func_args *a); /* NULL where lazy */
};

#define FUNC_JOINED 255

/* The function of n bytes of name, or NULL. */
const struct func *func_find(const char *name, size_t n);
/* Returns whether the first argument is a text: a field is taken as it stands in a stream. */
bool func_of_text(const struct func *f);
/* The i-th function, from 0; NULL behind the last. */
const struct func *func_nth(size_t i);
/*
 * Fills in *c for a call with n arguments: constant[i] is the i-th one where it is a
 * constant, else NULL. False, with a reason in why, where argument number *wrong (from 0)
 * is a constant that no call can take.
 */
bool func_prepare(const struct func *f, struct func_call *c,
		  const struct val *const *constant, size_t n, size_t *wrong,
		  char why[static 200]);
/* Frees what *c holds. A zeroed one holds nothing. */
void func_end(struct func_call *c);
/* Returns true if the function counts the texts that it sees, so that events must come in order. */
bool func_numbers(const struct func *f);
/* Prints a line of names and one for each function, as trace-filter(1) has --functions. */
void func_print(struct out *o);

#endif
