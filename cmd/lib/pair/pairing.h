/* pairing.h - shared by the files of the engine: pair.c and types.c. */
#ifndef SPOOR_PAIRING_H
#define SPOOR_PAIRING_H

#include "import/import.h"
#include "pair/rules.h"
#include "pair/pairs.h"

/* A type of records that are held. */
struct held_type {
	uint32_t room;	 /* of its records in the past, beyond their length */
	uint32_t couple; /* the one used last, and 1 */
};

/* How the arguments of an end compare with those of a begin. */
struct couple {
	uint32_t begin, end; /* held types; end: NO_END where there is none */
	unsigned rule, flags;
	uint32_t n;
	struct differ {
		const struct arg *begin, *end; /* begin: NULL where it has none */
		uint8_t kind;
	} * v;
	uint32_t made;	/* the type used last, and 1 */
	uint64_t *mask; /* of that */
};

/* A type of events that are given: of a couple, and which arguments of the end differ. */
struct made_type {
	uint32_t type;
	uint32_t delta; /* bytes of the fixed part more than the begin's */
	uint32_t self;	/* where it goes; 0: nowhere */
	uint32_t n;
	struct copied {
		const struct arg *from;
		uint32_t to;
	} * v;
};

#define NO_END UINT32_MAX
#define RECORD_OPEN 0x80000000u /* in a held record's type: it is open */

enum {
	MADE_PAIR = 1,	/* has a duration */
	MADE_SELF = 2,	/* has self= */
	MADE_BEGIN = 4, /* unpaired=begin */
	MADE_END = 8,	/* unpaired=end */
};

struct pair_types {
	struct tables held;   /* types of records that are held; no strings */
	struct import import; /* of what comes */
	struct held_type *type;
	size_t typecap;
	uint32_t ntypes;
	struct strtab couples, mades; /* by what they are made of */
	struct couple *couple;
	size_t couplecap;
	struct made_type *made;
	size_t madecap;
	struct buf key;
	uint64_t *mask;
	size_t maskcap;
	const char *const *name; /* of each rule; NULL: the begin's */
};

/* Begins with no types. */
void pair_types_start(struct pair_types *t, struct source *out);
/* Forgets all. */
void pair_types_reset(struct pair_types *t);
/* Frees all. */
void pair_types_free(struct pair_types *t);
/* The held type of an event's type in s. */
uint32_t pair_types_new(struct pair_types *t, const struct source *s, uint32_t type);
static inline uint32_t
pair_types_held(struct pair_types *t, const struct source *s, uint32_t type)
{
	uint32_t n = type < t->import.typecap ? t->import.type[type] : 0;

	return n ? n - 1 : pair_types_new(t, s, type);
}
/* The couple of a begin's type that was used last, if it is that one; else NULL. */
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
/*
 * The type of a pair of the record r, of a held type, and of the end e, of type `te` of s;
 * e is NULL where there is no end.
 */
const struct made_type *pair_types_find(struct pair_types *t, struct source *out,
					const struct source *s, const struct rec *r,
					uint32_t held, const struct rec *e, unsigned rule,
					unsigned flags);
/* Returns the type of a pair; if the last couple of r's type is the one, and its end has no arguments, it
 * is its type. */
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
/* Returns whether the arguments of a record have bytes of their own, no more than it has: else it
 * cannot be held. ty is its type. */
bool pair_types_whole(const struct type *ty, const struct rec *r);
/* How long the record r becomes with the arguments of e. */
uint32_t pair_types_length(const struct made_type *m, const struct rec *r,
			   const struct rec *e);
/* Makes r, which lies in so many bytes, of the type m, with the arguments of e. */
void pair_types_fill(struct pair_types *t, const struct made_type *m, struct rec *r,
		     uint32_t held, const struct source *s, const struct rec *e);

struct pairing {
	struct pair_options opt;
	struct pair_sink to;
	struct pair_rules rules;
	struct pairs p;
	struct pair_types t;
	struct source out; /* our own: tables; all else is the input's */
	size_t names_most, types_most;
	uint64_t key[BATCH]; /* of the events of a batch that do something */
	uint64_t alone[2];   /* begins, ends without partner under this head */
	bool told_many;
	struct import import; /* while tables start anew */
	struct tables old;
	struct tables old_held;
	struct batch batch;
};

#endif
