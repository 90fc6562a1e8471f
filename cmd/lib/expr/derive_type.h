/* derive_type.h - the types of derived events: what derive.c and derive_type.c share. */
#ifndef SPOOR_DERIVE_TYPE_H
#define SPOOR_DERIVE_TYPE_H

#include "import/import.h"
#include "expr/derive.h"

/* How one value is an argument: NONE, or a kind. The bytes of all values are the signature of a type. */
#define SHAPE_NONE 0
#define SHAPE_MIXED 255

/* One of the list. */
struct derived_value {
	char *name;
	enum field_kind column; /* that it sets, or FIELD_NONE */
	bool dropped;		/* NAME = alone */
	bool copied;		/* an argument that is a field: its text as it stands */
	uint64_t unfit;		/* events whose column could not hold it */
};

/* An argument of a type in the making. */
struct arg_slot {
	struct arg arg;
	const struct arg *from; /* of the native type; NULL: a value */
	size_t value;
	bool gone;
};

/* An argument that stays. */
struct copy {
	const struct arg *from, *to;
};

/* How the events of a native type become those of a type of our own. */
struct derive_plan {
	uint32_t type;
	uint32_t from_fixed, to_fixed;
	/* All native arguments stay at their places, before those that are new: what lies
	 * behind the fixed part is copied whole. Else each argument is copied. */
	bool whole;
	uint32_t ncopies;
	struct copy *copies; /* of a whole one: those that hold places */
	uint32_t *off;	     /* by value: the place of its argument, 0: none */
	uint8_t *shapes;     /* by value: SHAPE_NONE or a kind */
};

struct derive {
	struct exprs *list;
	struct derived_value *value;
	size_t n;
	bool copies; /* some value is the text of a field */
	bool sets;   /* some value sets or drops a column */
	size_t loc;  /* the value that sets loc, and event: n where none does */
	size_t event;

	struct source src; /* handed out */
	struct head head;
	struct pair *set, *meta; /* metadata that are given; all of the head at hand */
	size_t nset, set_cap, meta_cap;
	const struct pair *meta_of; /* those it was made of */
	/* Strings are numbered anew: else the binary stream would tell those of arguments
	 * that were dropped. */
	bool own;
	bool drops; /* some type has such an argument */
	struct tables t;
	unsigned epoch, head_serial; /* of the source's that ours were made of */
	struct arena mem;	     /* of plans */
	size_t plan_bytes;
	struct strtab keys; /* native type, shapes, the event's name: number of a plan */
	struct derive_plan *plan;
	size_t plan_cap;
	struct strtab made; /* contents of types: its number in made_type */
	uint32_t *made_type;
	size_t made_cap;
	uint32_t looked;     /* native types below were looked at: */
	struct strtab given; /* their contents, */
	uint32_t *given_n;   /* how many have them, */
	size_t given_cap;
	uint32_t *same; /* and how many before each */
	size_t same_cap;
	uint32_t *last; /* by native type: 1 + the plan that was used last, or 0 */
	size_t last_cap;
	uint32_t filled;      /* native types below have a plan */
	struct import import; /* where `own`: of strings */
	struct arg_slot *slots;
	size_t slot_cap;

	const struct vec **vec; /* of the batch at hand */
	uint8_t *shapes;	/* of the event at hand */
	uint8_t *last_shapes;	/* of all plans in `last`; SHAPE_MIXED: they differ */
	struct buf scratch, name, key;
	struct batch out;
};

/* HAS_* of a column, or 0. */
extern const uint8_t derive_bits[FIELD_COLUMNS + 1];
/* Dies where a column cannot be set to what the value measures. */
void derive_check_column(const struct expr_tree *t, const struct expr_let *l,
			 enum field_kind column);
/* Looks whether what was made is of the tables and the head of s as they are, and begins
 * anew where it is not, or has grown too much. */
void derive_begin(struct derive *d, const struct source *s);
/*
 * The number of the plan for events of the native type with these shapes, and the event
 * name[0..n) (NULL: the type's own), as it is written. UINT32_MAX: a batch has too many.
 */
uint32_t derive_plan(struct derive *d, const struct source *s, uint32_t type,
		     const uint8_t *shapes, const char *name, size_t n);
/* Frees types and plans. */
void derive_forget(struct derive *d);

/* The arguments of `from`, all of them, into the record made last, which has places for
 * more: what lies behind the fixed part moves. False: see derive_copy_each. */
bool derive_copy_whole(struct derive *d, const struct derive_plan *p,
		       const struct rec *from);
/* Each argument that stays into the record made last. False where parts lie over each other,
 * and would make it much longer than it was. */
bool derive_copy_each(struct derive *d, const struct derive_plan *p,
		      const struct rec *from);

#endif
