/* check_state.h - what checkers share: arguments of events as numbers, and bounded maps. */
#ifndef SPOOR_CHECK_STATE_H
#define SPOOR_CHECK_STATE_H

#include "base/slots.h"
#include "findings/findings.h"
#include "input/cache.h"
#include "view/field.h"

struct check_run;

/* A list of names is a macro LIST(R) with a row R(NAME, "text") for each: an enum and an array. */
#define LIST_NAME(name, text) name,
#define LIST_TEXT(name, text) text,

/* The events and arguments that a checker knows, by type of event. */
struct arguments {
	const char *const *events; /* names of events, up to NULL; others are not known */
	const char *const
	    *args; /* names of columns, parts of loc, and arguments, up to NULL */
	struct arguments_plan {
		bool known;
		int event; /* index in `events`, or -1 */
		struct field *arg;
	} * plan;
	struct cache plan_cache;
	struct buf text;
};

/* Returns the index of the current event in the checker's `events`, or -1. */
int event_index(struct check_run *c);
/* Sets *to to argument `arg` of the current event, an index in the checker's `args`: a whole number, also one that a text
 * stream wrote in decimal or with 0x. Returns false if the event has none. */
bool argument_number(struct check_run *c, unsigned arg, uint64_t *to);
/* Returns argument `arg` of the current event as a stream writes it, or "" if it has none. The text is valid until the next
 * call of these functions. */
const char *argument_text(struct check_run *c, unsigned arg);
/* Returns the text of any field of the current event. words_number() sets *to to the whole number that a text is: the
 * two are what argument_text() and argument_number() do. */
const char *field_words(struct check_run *c, const struct field *f);
bool words_number(const char *text, uint64_t *to);

#define MAPS 8 /* maps of a checker */
#define MAP_KEYS 3
#define MAP_VALUES 4

/* Names what a map holds, for the message of check_limit, and limits the number of entries. */
struct map_kind {
	const char *what;
	uint32_t most;
};

struct map_entry {
	uint64_t key[MAP_KEYS], v[MAP_VALUES];
	struct trace_place at; /* where it was made */
	bool live;	       /* the map has it */
};

/* A map from three numbers to four. */
struct number_map {
	struct map_kind kind;
	struct slots index;
	struct map_entry *e;
	struct map_entry spare; /* what a full map gives instead of a new entry */
	size_t n, cap;		/* entries ever made at once */
	uint32_t free; /* first free entry + 1, whose key[0] is the next one; 0 = none */
	uint32_t live;
};

/* Returns the entry of a key in map m of the checker, or NULL. The key is one to three numbers; those not given are 0.
 * Adding an entry makes others invalid. */
#define map_find(c, m, ...) map_find_key(&(c)->map[m], MAP_KEY(__VA_ARGS__, 0, 0, 0))
/* Adds a key that is not in the map, with c->here as its place and values of 0. Returns its entry. After check_limit(),
 * if the map is full, that is an entry which is not live, and which the map does not keep. */
#define map_add(c, m, ...) map_add_key(c, m, MAP_KEY(__VA_ARGS__, 0, 0, 0))
/* Returns the entry of a key, which is added as map_add does if it is missing. */
#define map_put(c, m, ...) map_put_key(c, m, MAP_KEY(__VA_ARGS__, 0, 0, 0))
#define MAP_KEY(k0, k1, k2, ...) k0, k1, k2
struct map_entry *map_find_key(const struct number_map *m, uint64_t k0, uint64_t k1,
			       uint64_t k2);
struct map_entry *map_add_key(struct check_run *c, unsigned m, uint64_t k0, uint64_t k1,
			      uint64_t k2);
struct map_entry *map_put_key(struct check_run *c, unsigned m, uint64_t k0, uint64_t k1,
			      uint64_t k2);
/* Returns the entry after e in the map, which may be removed before the next call; the first one if e is NULL; or NULL. */
struct map_entry *map_next(const struct check_run *c, unsigned m,
			   const struct map_entry *e);
/* Removes an entry, if it is live. */
void map_drop(struct check_run *c, unsigned m, struct map_entry *e);

#endif
