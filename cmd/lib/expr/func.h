/* func.h - the functions of expressions, in one table for the parser, the engine and the manual page. */
#ifndef SPOOR_FUNC_H
#define SPOOR_FUNC_H

#include "expr/ere.h"
#include "expr/val.h"
#include "names/naming.h"

/* The quantities that values measure, as the parser knows them: see spoor-expr(7). */
enum measure {
	/* no unit: seconds if used with a time, a number if used with a number */
	M_PLAIN,
	M_NUMBER, /* addr, size, counts, ratios */
	M_TIME,	  /* time, dur, end, constants with units of time */
	M_TEXT,	  /* never a number: event, loc, quoted strings */
};

/* Data of a call that is the same for all events. func_prepare makes it, func_end frees it. Not for several
 * threads at once. */
struct func_call {
	struct ere *re;	       /* for sub, if its second argument is a constant */
	struct pattern *last;  /* for sub otherwise: the expression compiled last */
	struct naming *naming; /* for alias: memory of its names */
	uint32_t class;	       /* for alias: the class of its names */
	bool keyed;	       /* for hash: there is a key */
	uint64_t key[2];
};

/* The arguments of a call, v[0..n), all present. */
struct func_args {
	const struct val_env *env;
	const struct func_call *call;
	const struct val *v;
	size_t n;
};

struct func {
	const char *name;
	uint8_t least, most; /* numbers of arguments; most 255: no limit */
	/* enum measure, or FUNC_JOINED: what its arguments measure */
	uint8_t result;
	/* with at most this many arguments, all must be numbers, not times */
	uint8_t number;
	/* if, coalesce: the engine decides which arguments are computed */
	bool lazy;
	const char *args;  /* for messages and the manual page: "x, step" */
	const char *about; /* for the manual page: one line */
	struct val (*call)(const struct func_args *a); /* NULL if lazy */
};

#define FUNC_JOINED 255

/* Returns the function whose name is the n bytes, or NULL. */
const struct func *func_find(const char *name, size_t n);
/* Returns true if the first argument is a text, so that a field is taken as it is in a stream. */
bool func_of_text(const struct func *f);
/* Returns the i-th function, from 0; NULL after the last. */
const struct func *func_nth(size_t i);
/* Fills in *c for a call with n arguments: constant[i] is the i-th argument if it is a constant, else NULL.
 * Returns false, with a reason in why, if the constant argument number *wrong (from 0) is never valid. */
bool func_prepare(const struct func *f, struct func_call *c,
		  const struct val *const *constant, size_t n, size_t *wrong,
		  char why[static 200]);
/* Frees what *c holds. A zeroed struct holds nothing. */
void func_end(struct func_call *c);
/* Returns true if the function numbers the texts that it sees, so that events must come in order. */
bool func_numbers(const struct func *f);
/* Prints the table of functions, with a line of headings, for trace-filter --functions. */
void func_print(struct out *o);

#endif
