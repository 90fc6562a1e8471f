/* delimited_wait.h - begun lines that wait for their rest, and actors (processes or threads): for shape.c. */
#ifndef SPOOR_DELIMITED_WAIT_H
#define SPOOR_DELIMITED_WAIT_H

#include "delimited/delimited.h"

/* A set of numbers, as its size and the sum of its members: if there is only one member, the sum is its number. */
struct some {
	uint32_t n, sum;
};

/* The begun lines, by their actor and the other columns that both lines name, and all actors. */
struct waiting {
	struct strtab keys; /* keys made by key_of */
	struct begun {
		struct buf line; /* n = 0: no line waits */
		size_t n;	 /* bytes of the line to which the rest is appended */
		size_t who;	 /* bytes of its key that are the actor */
	} * begun;
	size_t cap;
	size_t bytes, lines; /* of all lines that wait */
	/* The input has ended: `left` is the next key whose line is handed out without a rest. */
	bool ending;
	uint32_t left;
	struct buf joined, key;
	/* The lines that wait, by their keys without the actor. */
	struct strtab rests;
	struct some *alike;
	size_t alike_cap;
	/* The actors that have acted and have not ended. */
	struct strtab actors;
	struct actor {
		bool acts;
		uint32_t was; /* number plus 1 of the actor whose place it took; 0 = none */
	} * actor;
	size_t actor_cap;
	struct some acting;
	struct span who; /* actor of the joined line; n = 0: unknown */
	/* The line of FORM_OPEN that ends in a later line. */
	struct buf open;
	size_t open_n; /* bytes of it to which the rest is appended; 0 = no line is open */
	size_t tried;  /* bytes that were searched for its end */
};

/* Moves *p and *end over the blanks around a text. */
static inline void
trim(const uint8_t **p, const uint8_t **end)
{
	while (*p < *end && delimited_is_blank(**p))
		++*p;
	while (*end > *p && delimited_is_blank((*end)[-1]))
		--*end;
}

/* Returns the text without the blanks around it. */
static inline struct span
trimmed(struct span text)
{
	const uint8_t *p = text.p, *end = p + text.n;

	trim(&p, &end);
	return (struct span){p, (size_t)(end - p)};
}

/* Notes that the actor `who` acts from now on, or, without `acts`, has ended. Returns its number. */
uint32_t delimited_actor_is(struct waiting *w, struct span who, bool acts);
/* Returns the actor of the line: the one that it names, or the only one that acts; n = 0 if unknown. */
struct span delimited_actor_of(const struct delimited *c, const struct delimited_form *f,
			       const struct span *text);
/* Keeps the begun line [p, end), up to the end of its last column, until a later line resumes it. Blanks after the
 * column, except the last, belong to it. Returns NULL, or the error in static memory: too many lines wait, or the
 * previous begun line with the same key was not resumed, and is dropped. */
const char *delimited_wait(struct delimited *c, const struct delimited_form *f,
			   const uint8_t *p, const uint8_t *end, const struct span *text);
/* Joins the begun line with the last column of the line that resumes it. [*p, *end) is the joined line, valid until
 * the next call. Returns NULL, or the error in static memory if no begun line waits. */
const char *delimited_resume(struct delimited *c, const struct delimited_form *f,
			     const struct span *text, const uint8_t **p,
			     const uint8_t **end);

#endif
