/* lines.h - reads text: passes whole lines of the buffer to the format. */
#ifndef SPOOR_LINES_H
#define SPOOR_LINES_H

#include "base/masks.h"
#include "input/source.h"

/* How a format reads its lines. */
struct line_reader {
	/* Resets the tables, and forgets all numbers of types and strings. */
	void (*new_epoch)(struct source *s);
	/*
	 * Makes a record of the line [p, end), which has no newline or carriage return at its end, or reports its
	 * error. Returns false if the events before the line must be handed over first: the line then comes again.
	 */
	bool (*line)(struct source *s, struct batch *b, uint8_t *p, uint8_t *end);
	/* Reads lines of the common shape from [p, end), which has whole lines, while the batch has room and
	 * b->own has REC_HEAD bytes. Returns the first line that it did not read. NULL = no fast path. */
	const uint8_t *(*fast)(struct source *s, struct batch *b, const uint8_t *p,
			       const uint8_t *end);
};

/* Fills the batch b with the functions of `reader`. Implements format.next for formats that read lines. Sets
 * s->line and the raw lines, and begins a new epoch when the tables are full. Returns false at the end. */
bool lines_next(struct source *s, struct batch *b, const struct line_reader *reader);

/*
 * Reads until the buffer begins with a whole line, for a caller that reads the lines itself. Returns the place after
 * the last newline in the buffer, or NULL at the end of the input. A last line without a newline gets one. A line
 * longer than IN_LONGEST is reported and skipped.
 */
const uint8_t *lines_fill(struct source *s);

/* Returns the number, from 0, of the first line of p[0..n) for which `is` returns true; for sniffers. Looks at the
 * first 20 lines. Returns -1 if `is` is true for none of them. With `most`, also returns -1 if, from the first
 * such line on, `is` is false for more lines than it is true for. `is` gets the line without its newline. A last
 * line without a newline counts only with `whole`, which means that no bytes follow. */
int lines_first(const uint8_t *p, size_t n, bool whole,
		bool (*is)(const uint8_t *p, const uint8_t *end), bool most);

/* Returns the number of lines of the common shape, without arguments, that the batch has room for. */
static inline uint32_t
lines_room(const struct batch *b)
{
	size_t room = (b->own.cap - b->own.n - REC_SLACK) / REC_HEAD;

	return room < BATCH - b->n ? (uint32_t)room : BATCH - b->n;
}

/* Runs the loop of a fast path. f is a struct with p and end (whole lines) and b (the batch). masks_of is a mask
 * maker. `line` is an expression over p (the line), m (its masks) and r (the record to fill); its value is the
 * length of the line, or 0 if the slow parser must read the line. The loop then stops with p at that line. */
#define LINES_LOOP(f, masks_of, sep, line)                                  \
	do {                                                                \
		struct batch *b_ = (f)->b;                                  \
		uint32_t n_ = b_->n, at_ = (uint32_t)b_->own.n;             \
		const uint32_t most_ = n_ + lines_room(b_);                 \
		const uint8_t *p = (f)->p, *const end_ = (f)->end;          \
		uint8_t *const own_ = b_->own.p;                            \
		struct masks m;                                             \
		while (n_ < most_ && p < end_) {                            \
			struct rec *r = (struct rec *)(void *)(own_ + at_); \
			size_t len_;                                        \
			masks_of(p, sep, &m);                               \
			len_ = line;                                        \
			if (unlikely(!len_))                                \
				break;                                      \
			b_->off[n_] = at_;                                  \
			b_->raw[n_] = (struct span){p, len_};               \
			at_ += REC_HEAD;                                    \
			n_++;                                               \
			p += len_;                                          \
		}                                                           \
		b_->n = n_;                                                 \
		b_->own.n = at_;                                            \
		(f)->p = p;                                                 \
	} while (0)

#endif
