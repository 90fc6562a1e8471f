/* derive_type.h - the types of derived events, for derive.c and derive_type.c. */
#ifndef SPOOR_DERIVE_TYPE_H
#define SPOOR_DERIVE_TYPE_H

#include "import/import.h"
#include "expr/derive.h"

/* The shape of a value is the kind of its argument, or SHAPE_NONE. The shapes of all values decide the type of an
 * event. */
#define SHAPE_NONE 0
#define SHAPE_MIXED 255

/* A value of the list. */
struct derived_value {
	char *name;
	enum field_kind column; /* the column that it sets, or FIELD_NONE */
	bool dropped;		/* `NAME =` alone */
	/* an argument whose value is a plain field: its text is copied */
	bool copied;
	uint64_t unfit; /* number of events whose column could not hold it */
};

/* An argument of a type while the type is made. */
struct arg_slot {
	struct arg arg;
	const struct arg *from; /* argument of the native type; NULL: a value */
	size_t value;
	bool gone;
};

/* An argument that is kept. */
struct copy {
	const struct arg *from, *to;
};

/* How the events of a native type become events of a derived type. */
struct derive_plan {
	uint32_t type;
	uint32_t from_fixed, to_fixed;
	/* All native arguments keep their offsets, and new ones follow: everything after the fixed part is copied
	 * at once. If false, each argument is copied. */
	bool whole;
	uint32_t ncopies;
	/* the arguments to copy; with `whole`, only variable ones */
	struct copy *copies;
	uint32_t *off;	 /* by value: offset of its argument, 0: none */
	uint8_t *shapes; /* by value: SHAPE_NONE or a kind */
};

struct derive {
	struct exprs *list;
	struct derived_value *value;
	size_t n;
	bool copies; /* some value is a plain field */
	bool sets;   /* some value sets or drops a column */
	/* number of the value that sets loc; n: none. `event`: the same for the event's name. */
	size_t loc;
	size_t event;

	struct source src; /* the source that derive_run returns */
	struct head head;
	/* set: metadata from derive_meta; meta: the metadata of the current head */
	struct pair *set, *meta;
	size_t nset, set_cap, meta_cap;
	/* metadata of the input, from which `meta` was made */
	const struct pair *meta_of;
	/* The derived tables have their own string numbers. Else a binary stream would contain the strings of
	 * dropped arguments. */
	bool own;
	bool drops; /* some type has a symbol that a value replaces or drops */
	struct tables t;
	/* of the source's tables and head, from which the derived ones were made */
	unsigned epoch, head_serial;
	struct arena mem; /* memory of plans */
	size_t plan_bytes;
	/* a native type, shapes, and the event's name; by number, `plan` is the plan */
	struct strtab keys;
	struct derive_plan *plan;
	size_t plan_cap;
	struct strtab made; /* contents of types; by number, made_type is the type */
	uint32_t *made_type;
	size_t made_cap;
	uint32_t looked;     /* native types below this number have been examined */
	struct strtab given; /* contents of native types */
	/* by number in `given`: how many types have these contents */
	uint32_t *given_n;
	size_t given_cap;
	/* by native type: how many earlier types have the same contents */
	uint32_t *same;
	size_t same_cap;
	uint32_t *last; /* by native type: the plan used last, plus 1; 0: none */
	size_t last_cap;
	uint32_t filled;      /* native types below this number have a plan */
	struct import import; /* imports strings, if `own` */
	struct arg_slot *slots;
	size_t slot_cap;

	const struct vec **vec; /* the values of the current batch */
	uint8_t *shapes;	/* the shapes of the current event */
	/* shapes of all plans in `last`; SHAPE_MIXED: they differ */
	uint8_t *last_shapes;
	struct buf scratch, name, key;
	struct batch out;
};

/* By column: its HAS_*, or 0. */
extern const uint8_t derive_bits[FIELD_COLUMNS + 1];
/* Dies if a column cannot hold what the value measures. */
void derive_check_column(const struct expr_tree *t, const struct expr_let *l,
			 enum field_kind column);
/* Prepares d for a batch of s. Starts the types and plans anew if the tables of s are new, or if they have grown
 * too much. */
void derive_begin(struct derive *d, const struct source *s);
/* Returns the number of the plan for events of a native type with these shapes, and the event name name[0..n),
 * escaped (NULL: the type's own). Returns UINT32_MAX if a batch has too many types. */
uint32_t derive_plan(struct derive *d, const struct source *s, uint32_t type,
		     const uint8_t *shapes, const char *name, size_t n);
/* Frees types and plans. */
void derive_forget(struct derive *d);

/* Copies everything after the fixed part of `from` to the last record made, and corrects the places of variable
 * arguments. Returns false as derive_copy_each does. */
bool derive_copy_whole(struct derive *d, const struct derive_plan *p,
		       const struct rec *from);
/* Copies each argument that is kept to the last record made. Returns false if variable arguments share bytes, so
 * that their copies would be much longer than the record. */
bool derive_copy_each(struct derive *d, const struct derive_plan *p,
		      const struct rec *from);

#endif
