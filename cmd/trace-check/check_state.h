/* check_state.h - what checkers share: arguments of events as numbers, and bounded maps. */
#ifndef SPOOR_CHECK_STATE_H
#define SPOOR_CHECK_STATE_H

#include "base/slots.h"
#include "trace-check/check.h"
#include "input/cache.h"
#include "view/field.h"

/* The events and arguments that a checker knows, by type of event. Set `events` and `args`, up to NULL; the rest is
 * zero at first. */
struct arguments {
	const char *const *events; /* names of events; those without one are not known */
	const char *const *args;   /* names of columns, parts of loc, and arguments */
	struct arguments_plan {
		bool known;
		int event; /* index in `events`, or -1 */
		struct field *arg;
	} * plan;
	struct cache plan_cache;
	struct buf text;
};

/* Returns the index of r's event in v->events, or -1. */
int event_index(struct arguments *v, const struct source *s, const struct rec *r);
/* Sets *to to argument `arg`, an index in v->args: a whole number, also one that a text stream wrote in decimal or with
 * 0x. Returns false if r has none. */
bool argument_number(struct arguments *v, const struct source *s, const struct rec *r,
		     unsigned arg, uint64_t *to);
/* Returns argument `arg` as a stream writes it, valid until the next call for this v, or NULL if r has none. */
const char *argument_text(struct arguments *v, const struct source *s, const struct rec *r,
			  unsigned arg);
/* Frees what v holds. */
void arguments_free(struct arguments *v);

#define MAP_KEYS 3
#define MAP_VALUES 4

/* A map from three numbers to four. Zeroed struct with `what` and `most` = empty. */
struct number_map {
	const char *what; /* for the message of check_limit */
	uint32_t most;	  /* limit of the entries */
	struct slots index;
	struct map_entry {
		uint64_t key[MAP_KEYS], v[MAP_VALUES];
		struct trace_place at; /* where it was made */
		bool live;
	} * e;
	size_t n, cap; /* entries ever made at once */
	uint32_t free; /* first free entry + 1, whose key[0] is the next one; 0 = none */
	uint32_t live;
};

/* Returns the values of a key, or NULL if it is not in the map. Adding an entry makes them invalid. */
struct map_entry *map_find(const struct number_map *m, uint64_t a, uint64_t b, uint64_t c);
/* Adds a key that is not in the map, made at `at`; its values are 0. Returns its entry, or NULL after check_limit() if the
 * map is full. */
struct map_entry *map_add(struct check_run *c, struct number_map *m, uint64_t a, uint64_t b,
			  uint64_t d, struct trace_place at);
/* Returns the entry of a key, which is added if it is missing; or NULL as map_add does. */
struct map_entry *map_put(struct check_run *c, struct number_map *m, uint64_t a, uint64_t b,
			  uint64_t d, struct trace_place at);
/* Removes an entry. */
void map_drop(struct number_map *m, struct map_entry *e);
/* Frees what m holds. */
void map_free(struct number_map *m);

#endif
