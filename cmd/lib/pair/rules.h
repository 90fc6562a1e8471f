/*
 * rules.h - decides which events begin and end something: by expressions, from options or from the format, or by
 * the rows of the format's schema.
 */
#ifndef SPOOR_PAIR_RULES_H
#define SPOOR_PAIR_RULES_H

#include "input/cache.h"
#include "pair/keys.h"
#include "pair/pair.h"

/* The effect of an event by the rows of a schema. States are rows that have a `leave`, and values, which last
 * until the next value of their kind. */
struct row_role {
	uint16_t state; /* number of the state, from 1; 0: none */
	bool begins, ends;
	bool point;	    /* an event without a state to end is no error */
	const char *fields; /* the row's fields if notes mark some as keys; else NULL */
};

struct row_roles {
	struct strtab names; /* names of events */
	struct row_role *v;  /* by number of the name */
	size_t cap;
};

/* The acts of an event. */
enum pair_act {
	PAIR_BEGINS,
	PAIR_ENDS,
	PAIR_DROPS, /* the begin will have no end */
	PAIR_ACTS
};

/* The acts of an event: for each act, the set of rules by which the event does so. */
struct pair_does {
	uint32_t by[PAIR_ACTS];
	bool one; /* it only begins or ends something, by a single rule */
};

struct pair_rule {
	struct expr *on[PAIR_ACTS]; /* the expression of each act; NULL: no event */
	struct keys *keys;
	/* The lists of a format's rule, as the fields of a view: the things that begin or end, and which of them.
	 * NULL: no lists. */
	struct view *list;
	bool all; /* see schema_pair */
	const char *nothing;
	const uint8_t *types[PAIR_ACTS]; /* by type, if types decide: expr_types */
};

/* The acts of the events of a type. */
struct pair_role {
	struct pair_does does;
	struct row_role row;
	bool any;
	bool parts; /* it has arguments after its fixed part */
};

struct pair_rules {
	const struct pair_options *opt;
	struct pair_rule rule[PAIR_RULES];
	unsigned n;
	/* of the pairs of each rule; NULL: the begin's name */
	const char *name[PAIR_RULES];
	/* the keys of each rule; [0] is for all rules from options */
	struct keys keys[PAIR_RULES];
	const struct schema *schema; /* schema of the rules; NULL: from options */
	bool by_schema;
	bool by_row; /* there are no rules; the schema's rows define the states */
	bool none_said;
	struct row_roles rows;
	struct pair_role *role; /* by type */
	struct cache role_cache;
	bool by_type; /* roles of types decide for all events */
	/* The current batch: the numbers of the events that do something, and, if not by_type, what they do. */
	uint32_t pick[BATCH];
	struct pair_does does[BATCH];
};

/* Returns what the j-th event in r->pick does; `type` is its type. */
static inline const struct pair_does *
pair_rules_does(const struct pair_rules *r, uint32_t j, uint32_t type)
{
	return r->by_type ? &r->role[type].does : &r->does[j];
}

/* Takes the rules from options, if there are any. r uses o until pair_rules_finish. */
void pair_rules_start(struct pair_rules *r, const struct pair_options *o);
/* Returns the columns that readers must fill in: NEED_*. */
unsigned pair_rules_need(const struct pair_rules *r);
/* Takes the rules of the format under a new head of s, if the options give none. Returns true if ends take the
 * oldest begin. */
bool pair_rules_head(struct pair_rules *r, struct source *s);
/* Finds the events of a batch of s that do something: fills r->pick and r->does. Returns their number. */
uint32_t pair_rules_mark(struct pair_rules *r, struct source *s, const struct batch *b);
/* Appends to b, with commas between, the elements that r begins or ends by a rule with a list: only the elements
 * that end, if `ends` and the event has such a field; else all. */
void pair_rules_list(const struct pair_rule *rule, struct source *s, const struct rec *r,
		     bool ends, struct buf *b);
/* Sets *e to the next element of the list *rest, and advances *rest. Returns false at the end. */
bool pair_rules_element(struct span *rest, struct span *e);
/* Ends all input and frees what r holds. Returns ST_TROUBLE if a name was no field, else ST_OK. */
int pair_rules_finish(struct pair_rules *r);

#endif
