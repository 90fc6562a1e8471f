/* text_plan.h - the plans by which text_write.c makes lines, and texts that are kept. */
#ifndef SPOOR_TEXT_PLAN_H
#define SPOOR_TEXT_PLAN_H

#include "stream/text.h"

#define LIT 32

/* An argument, and before it those that are the same in every record of the type. */
struct arg_segment {
	uint8_t lit[2 * LIT]; /* "\tname=", or "\tconstant=text\tname=" */
	uint32_t n;	      /* its length, or 0: longer, so take the name itself */
	uint32_t off;
	uint8_t kind;  /* 0: the general way; K_CONST: nothing but the literal; or G_* */
	uint8_t width; /* of an integer */
	const struct arg *arg;
	const struct text_labels *labels; /* NULL, or texts of small values */
	struct second_cache second;	  /* K_NS: each such argument has its own clock */
};

/* Kinds of segment besides those of arguments. */
enum {
	G_LABEL = K_KINDS, /* an integer, some of whose values have names */
	G_LABEL16,	   /* the same of kind K_I16, and K_I32 */
	G_LABEL32,
	G_ARRAY, /* of integers */
};

struct text_plan {
	bool built;
	uint8_t event[LIT]; /* "EVENT\t" */
	uint32_t event_n;   /* 0: longer */
	bool fixed;	    /* exactly addr and size, no arguments: the commonest shape */
	bool bare;	    /* no addr, size or dur: the three "-" are in event[] */
	uint32_t nsegments;
	bool many; /* segments: a line may not fit in what one look at the buffer gives */
	struct arg_segment *segment;
};

/* The names of an integer's values, where they are few and near to each other. */
struct text_labels {
	struct text_labels *next;
	const struct labels *of;
	int64_t lo;
	uint32_t n;
	struct {
		uint8_t text[LIT - 4];
		uint32_t n; /* 0: no name */
	} v[];
};

/* A line is begun with OUT_SLACK bytes of room; each part looks that this much is left. */
#define PART (2 * LIT + 96)
/* So many, behind the columns (512 bytes at the most), fit into what one look at the buffer
 * gives. */
#define SEGMENTS_FEW ((OUT_SLACK - 512) / PART)

/* A type's plan, a location's text with the TABs around it, a symbol's: made when they are needed
 * first. */
COLD void text_plan_build(struct text_writer *w, struct text_plan *pl,
			  const struct type *ty);
COLD void text_place_build(struct text_writer *w, const struct tables *t, uint32_t loc);
COLD void text_symbol_build(struct text_writer *w, const struct tables *t,
			    const struct rec *r, const struct arg *a, uint32_t sym);

#endif
