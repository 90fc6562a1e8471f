/* rules.h - which events begin and end something: by expressions, those of a format or
 * those that were given, or by the rows of a format's schema. */
#ifndef SPOOR_PAIR_RULES_H
#define SPOOR_PAIR_RULES_H

#include "input/cache.h"
#include "pair/keys.h"
#include "pair/pair.h"

/* The effect of an event on states by the rows of a schema: those that have a `leave`, and values,
 * which last until the next of their kind. */
struct row_role {
	uint16_t state; /* their number, from 1; 0: nothing */
	bool begins, ends;
	bool point;	    /* it may end none */
	const char *fields; /* of the row, where some are keys, by notes; else NULL */
};

struct row_roles {
	struct strtab names; /* of events */
	struct row_role *v;  /* of each */
	size_t cap;
};

/* The acts of an event. */
enum pair_act {
	PAIR_BEGINS,
	PAIR_ENDS,
	PAIR_DROPS, /* what was begun has no end after it */
	PAIR_ACTS
};

/* The acts of an event: for each act, bits of the rules by which it does so. */
struct pair_does {
	uint32_t by[PAIR_ACTS];
	bool one; /* it begins or ends something by one rule, and that is all */
};

struct pair_rule {
	struct expr *on[PAIR_ACTS]; /* NULL: nothing does */
	struct keys *keys;
	/* The lists of a format's rule: what is begun or ended; which of it; both as the
	 * fields of a view, if there are any. */
	struct view *list;
	bool all; /* see schema_pair */
	const char *nothing;
	const uint8_t *types[PAIR_ACTS]; /* where the types of events decide: expr_types */
};

/* The acts of the events of a type. */
struct pair_role {
	struct pair_does does;
	struct row_role row;
	bool any;
	bool parts; /* it has arguments behind its fixed part */
};

struct pair_rules {
	const struct pair_options *opt;
	struct pair_rule rule[PAIR_RULES];
	unsigned n;
	const char *name[PAIR_RULES]; /* of pairs; NULL: the begin's */
	struct keys keys[PAIR_RULES]; /* [0] is everybody's where rules were given */
	const struct schema *schema;  /* whose the rules are; NULL: they were given */
	bool by_schema;
	bool by_row; /* there are no rules: rows say what states are */
	bool none_said;
	struct row_roles rows;
	struct pair_role *role; /* by type */
	struct cache role_cache;
	bool by_type; /* types decide, and roles say */
	/* The state of a batch: the numbers of the events that do something; what, if types do not
	 * decide. */
	uint32_t pick[BATCH];
	struct pair_does does[BATCH];
};

/* Returns what the event r, the j-th one picked, does. */
static inline const struct pair_does *
pair_rules_does(const struct pair_rules *r, uint32_t j, uint32_t type)
{
	return r->by_type ? &r->role[type].does : &r->does[j];
}

/* Takes the rules that options give, if they do. They stay the caller's. */
void pair_rules_start(struct pair_rules *r, const struct pair_options *o);
/* Returns which fields readers must fill in: NEED_*. */
unsigned pair_rules_need(const struct pair_rules *r);
/* Under a new head of s: where no rules were given, those of its format. True where ends
 * take the oldest begin. */
bool pair_rules_head(struct pair_rules *r, struct source *s);
/* Finds out which events of a batch of s do something: r->pick and r->does. Gives how many
 * do. */
uint32_t pair_rules_mark(struct pair_rules *r, struct source *s, const struct batch *b);
/* Writes what an event begins or ends by a rule that has a list, as elements with commas between,
 * in b: all where it is no end, or does not say which. */
void pair_rules_list(const struct pair_rule *rule, struct source *s, const struct rec *r,
		     bool ends, struct buf *b);
/* The next element of such a list; false behind the last. */
bool pair_rules_element(struct span *rest, struct span *e);
/* At the end of all input: ST_TROUBLE where a name was that of no field; frees all. */
int pair_rules_finish(struct pair_rules *r);

#endif
