/* delimited_wait.h - lines that are begun and wait for their rest, and who acts: for shape.c. */
#ifndef SPOOR_DELIMITED_WAIT_H
#define SPOOR_DELIMITED_WAIT_H

#include "delimited/delimited.h"

/* Some of a table's entries: how many, and the sum of their numbers, which is the number of the
 * only one. */
struct some {
	uint32_t n, sum;
};

/* Lines that are begun, by who acts and what else both lines name. */
struct waiting {
	struct strtab keys; /* of key_of */
	struct begun {
		struct buf line; /* n = 0: none waits */
		size_t n;	 /* bytes of it that go on */
		size_t who;	 /* bytes of its key that say who */
	} * begun;
	size_t cap;
	size_t bytes, lines; /* that wait */
	bool ending;	     /* no line has a rest any more; the next of these: */
	uint32_t left;
	struct buf joined, key;
	/* The lines that wait, by their keys without who. */
	struct strtab rests;
	struct some *alike;
	size_t alike_cap;
	/* Those who have acted and have not ended. */
	struct strtab actors;
	struct actor {
		bool acts;
		uint32_t was; /* whose place it took, by number + 1 */
	} * actor;
	size_t actor_cap;
	struct some acting;
	struct span who; /* who began the line that is put together; n = 0: unknown */
	/* A line that ends in a later one. */
	struct buf open;
	size_t open_n; /* bytes of it that go on; 0: there is none */
	size_t tried;  /* bytes that were looked at for its end */
};

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

/* Notes whether `who` acts from now on or has ended, and returns its number. */
uint32_t delimited_actor_is(struct waiting *w, struct span who, bool acts);
/* Returns who acts in the line: the one that it names, or the only one who acts; n = 0 if unknown. */
struct span delimited_actor_of(const struct delimited *c, const struct delimited_form *f,
			       const struct span *text);
/* Keeps the begun line [p, end), up to the end of its last column, until a later line resumes it. Blanks after the
 * column, except the last, belong to it. Returns NULL, or the error: too many lines wait, or the line before it was
 * not resumed. */
const char *delimited_wait(struct delimited *c, const struct delimited_form *f,
			   const uint8_t *p, const uint8_t *end, const struct span *text);
/* Joins the begun line with the last column of the line that resumes it. [*p, *end) is the joined line, valid until
 * the next call. Returns NULL, or the error if no begun line waits. */
const char *delimited_resume(struct delimited *c, const struct delimited_form *f,
			     const struct span *text, const uint8_t **p,
			     const uint8_t **end);

#endif
