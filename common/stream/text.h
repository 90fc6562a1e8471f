/* text.h - the text stream: one line an event. spoor-stream(5) is its specification. */
#ifndef SPOOR_TEXT_H
#define SPOOR_TEXT_H

#include "base/put.h"
#include "input/cached_text.h"

struct text_plan;
struct text_labels;

/* A writer of text streams. Zero it, set `out`, `header` and `absolute`, then put batches.
 * text_free frees it. */
struct text_writer {
	struct out *out;
	bool header;   /* -H */
	bool absolute; /* -A: times with the origin added */
	bool piece;    /* another writer writes the header and the end */

	struct text_plan *plan; /* plans by type */
	struct cache plan_cache;
	/* List of the texts of labels, valid as long as the plans. */
	struct text_labels *labels;
	struct text_cache places, symbols;
	unsigned head_serial;
	struct second_cache second, dur_second;
	bool open;	 /* a header was written, but not its end */
	bool headed;	 /* a header was written for some input */
	uint64_t events; /* events since the header */
	struct buf scratch;
};

/* Writes the events pick[0..n) of b, a batch of s, or its first n events if pick is NULL. A new head of s is
 * written first if the writer or the source has headers, or if an earlier source had one. */
void text_put(struct text_writer *w, struct source *s, const struct batch *b,
	      const uint32_t *pick, uint32_t n);
/* Writes events as text_put does, for a source that is a text stream itself: copies its
 * lines (NEED_RAW). */
void text_copy(struct text_writer *w, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n);
/* Ends a stream that has a header: writes ##end, or, if error is not NULL, ##error with this reason and the number
 * of lost events. */
void text_finish(struct text_writer *w, uint64_t lost, const char *error);
/* Frees the writer's memory; the output stays open. */
void text_free(struct text_writer *w);
/* Writes the header of s, even if no event follows. */
void text_head(struct text_writer *w, struct source *s);

#endif
