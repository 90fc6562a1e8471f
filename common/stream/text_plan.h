/* text_plan.h - the plans by which text_write.c writes lines, and cached texts. */
#ifndef SPOOR_TEXT_PLAN_H
#define SPOOR_TEXT_PLAN_H

#include "stream/text.h"

#define LIT 32

/* A segment of a line: an argument, and before it the constant arguments. */
struct arg_segment {
	uint8_t lit[2 * LIT]; /* "\tname=", or "\tconstant=text\tname=" */
	uint32_t n;	      /* length of lit; 0 = too long: use the name of `arg` */
	uint32_t off;
	uint8_t kind;  /* 0 = the general way; K_CONST = only the literal; or G_* */
	uint8_t width; /* bytes of an integer */
	const struct arg *arg;
	const struct text_labels *labels; /* texts of small values, or NULL */
	struct second_cache second;	  /* K_NS: each such argument has its own cache */
};

/* Kinds of segments in addition to the kinds of arguments. */
enum {
	G_LABEL = K_KINDS, /* an integer with names for some values */
	G_LABEL16,	   /* the same, of kind K_I16; G_LABEL32: of kind K_I32 */
	G_LABEL32,
	G_ARRAY, /* an array of integers */
};

struct text_plan {
	bool built;
	uint8_t event[LIT]; /* "EVENT\t" */
	uint32_t event_n;   /* its length; 0 = too long */
	/* It has addr and size, but no dur and no arguments: the most common shape. */
	bool fixed;
	bool bare; /* no addr, size or dur: the three "-" are in event[] */
	uint32_t nsegments;
	bool many; /* the line may need more room than one check of the buffer gives */
	struct arg_segment *segment;
};

/* The names of an integer's values, if the values are few and close together. */
struct text_labels {
	struct text_labels *next;
	const struct labels *of;
	int64_t lo;
	uint32_t n;
	struct {
		uint8_t text[LIT - 4];
		uint32_t n; /* length; 0 = no name */
	} v[];
};

/* Room for a segment. A line begins with OUT_SLACK bytes of room; with many segments each checks that so much is
 * left. */
#define PART (2 * LIT + 96)
/* Number of segments that fit, after the columns (at most 512 bytes), into the room that one check of the buffer
 * gives. */
#define SEGMENTS_FEW ((OUT_SLACK - 512) / PART)

/* Builds a type's plan, the text of a location with the TABs around it, or the text of a symbol, when it is first
 * needed. */
COLD void text_plan_build(struct text_writer *w, struct text_plan *pl,
			  const struct type *ty);
COLD void text_place_build(struct text_writer *w, const struct tables *t, uint32_t loc);
COLD void text_symbol_build(struct text_writer *w, const struct tables *t,
			    const struct rec *r, const struct arg *a, uint32_t sym);

#endif
