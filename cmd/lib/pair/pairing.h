/* pairing.h - the state of the engine, for pair.c and types.c. */
#ifndef SPOOR_PAIRING_H
#define SPOOR_PAIRING_H

#include "import/import.h"
#include "pair/rules.h"
#include "pair/pairs.h"

/* A type of the records that are held. */
struct held_type {
	uint32_t room;	 /* spare bytes that its records have needed so far */
	uint32_t couple; /* number of the couple used last, plus 1 */
};

/* How the arguments of an end compare with the arguments of a begin, for one type of each. */
struct couple {
	uint32_t begin, end; /* held types; end: NO_END if there is none */
	unsigned rule, flags;
	uint32_t n;
	struct differ {
		/* begin: NULL if the begin has no such argument */
		const struct arg *begin, *end;
		uint8_t kind;
	} * v;
	uint32_t made;	/* type used last, plus 1 */
	uint64_t *mask; /* set of differing arguments for that type */
};

/* A type of the events that are given: made for a couple and a set of differing arguments of the end. */
struct made_type {
	uint32_t type;
	uint32_t delta; /* bytes by which the fixed part is longer than the begin's */
	uint32_t self;	/* offset of self=; 0: none */
	uint32_t n;
	struct copied {
		const struct arg *from;
		uint32_t to;
	} * v;
};

#define NO_END UINT32_MAX
#define RECORD_OPEN 0x80000000u /* in a held record's type: the record is open */

enum {
	MADE_PAIR = 1,	/* has a duration */
	MADE_SELF = 2,	/* has self= */
	MADE_BEGIN = 4, /* unpaired=begin */
	MADE_END = 8,	/* unpaired=end */
};

struct pair_types {
	struct tables held;   /* types of held records; no strings */
	struct import import; /* imports the input's records */
	struct held_type *type;
	size_t typecap;
	uint32_t ntypes;
	struct strtab couples, mades; /* keys of `couple` and `made` */
	struct couple *couple;
	size_t couplecap;
	struct made_type *made;
	size_t madecap;
	struct buf key;
	uint64_t *mask;
	size_t maskcap;
	const char *const *name; /* by rule: name of its pairs; NULL: the begin's name */
};

/* Initializes t without types. The strings of held records go to the tables of `out`. */
void pair_types_start(struct pair_types *t, struct source *out);
/* Removes all types. */
void pair_types_reset(struct pair_types *t);
/* Frees what t holds. */
void pair_types_free(struct pair_types *t);
/* Returns the held type for a type of s, which is added if it is new. */
uint32_t pair_types_new(struct pair_types *t, const struct source *s, uint32_t type);
static inline uint32_t
pair_types_held(struct pair_types *t, const struct source *s, uint32_t type)
{
	uint32_t n = type < t->import.typecap ? t->import.type[type] : 0;

	return n ? n - 1 : pair_types_new(t, s, type);
}
/* Returns the couple that was used last with the type `begin`, if it has these members; else NULL. */
static inline struct couple *
pair_types_last(const struct pair_types *t, uint32_t begin, uint32_t end, unsigned rule,
		unsigned flags)
{
	uint32_t last = t->type[begin].couple;
	struct couple *c;

	if (unlikely(!last || last > t->couples.n))
		return NULL;
	c = &t->couple[last - 1];
	return likely(c->begin == begin && c->end == end && c->rule == rule &&
		      c->flags == flags)
		   ? c
		   : NULL;
}
/* Returns the type of a pair: of the record r, of the held type `held`, and its end e, an event of s. e is NULL if
 * there is no end. The type is made if it is new; the pointer is valid until the next call. */
const struct made_type *pair_types_find(struct pair_types *t, struct source *out,
					const struct source *s, const struct rec *r,
					uint32_t held, const struct rec *e, unsigned rule,
					unsigned flags);
/* Returns the type of a pair, as pair_types_find does, but faster if the couple used last with r's type fits and
 * its end has no arguments. */
static inline const struct made_type *
pair_types_made(struct pair_types *t, struct source *out, const struct source *s,
		const struct rec *r, uint32_t held, const struct rec *e, unsigned rule,
		unsigned flags)
{
	uint32_t end = e ? pair_types_held(t, s, e->type) : NO_END;
	const struct couple *c = pair_types_last(t, held, end, rule, flags);

	if (likely(c && !c->n && c->made))
		return &t->made[c->made - 1];
	return pair_types_find(t, out, s, r, held, e, rule, flags);
}
/* Returns true if the arguments of a record of type ty do not share bytes and do not exceed the record. Only such
 * a record can be held. */
bool pair_types_whole(const struct type *ty, const struct rec *r);
/* Returns the length of the record r once it has the arguments of e. */
uint32_t pair_types_length(const struct made_type *m, const struct rec *r,
			   const struct rec *e);
/* Turns r, which must have room for pair_types_length bytes, into type m with the arguments of e. */
void pair_types_fill(struct pair_types *t, const struct made_type *m, struct rec *r,
		     uint32_t held, const struct source *s, const struct rec *e);

struct pairing {
	struct pair_options opt;
	struct pair_sink to;
	struct pair_rules rules;
	struct pairs p;
	struct pair_types t;
	struct source out; /* own tables; the rest is the input's */
	size_t names_most, types_most;
	uint64_t key[BATCH]; /* by event of the batch that does something: its key */
	uint64_t alone[2];   /* begins, and ends, without a partner under this head */
	bool told_many;
	struct import import; /* imports records into the new tables in new_tables */
	struct tables old;
	struct tables old_held;
	struct batch batch;
};

#endif
