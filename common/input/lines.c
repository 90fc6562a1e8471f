/* lines.c - reads whole lines. */
#include <string.h>

#include "input/fault.h"
#include "input/lines.h"

#define LINE_SHORT 32 /* bytes; most lines have more, so that the room is enough */

static const uint8_t *
last_newline(const uint8_t *from, const uint8_t *end)
{
	while (end > from)
		if (*--end == '\n')
			return end;
	return NULL;
}

/* Reports the line at the front of the input as too long, and skips it. */
static void
skip_long_line(struct source *s)
{
	struct in *in = &s->in;
	const uint8_t *nl = NULL;

	s->line++;
	fault(s, NULL, COST_EVENT, s->name, s->line, "the line is longer than %u MiB",
	      IN_LONGEST >> 20);
	do {
		in->p = in->end;
		if (!in_more(in))
			return;
		nl = memchr(in->p, '\n', in_left(in));
	} while (!nl);
	in->p = (uint8_t *)(uintptr_t)nl + 1;
}

const uint8_t *
lines_fill(struct source *s)
{
	struct in *in = &s->in;
	const uint8_t *nl = last_newline(in->p, in->end);
	size_t seen;

	while (!nl) {
		seen = in_left(in);
		if (in_more(in)) {
			nl = last_newline(in->p + seen, in->end);
			continue;
		}
		if (!in->eof) {
			skip_long_line(s);
			if (s->stop)
				return NULL;
			nl = last_newline(in->p, in->end);
			continue;
		}
		/* An unfinished line does not count if the decompressor failed, or if the file is still
		 * being written. */
		if ((in->unpack && in->err) || in->over)
			in->p = in->end;
		if (in->p == in->end)
			return NULL;
		*in->end = '\n'; /* the buffer has a margin */
		in->completed = true;
		nl = in->end++;
	}
	return nl + 1;
}

/* Reads lines of [p, end) until the batch is full. Returns the first line that is left. */
static uint8_t *
lines_take(struct source *s, struct batch *b, const struct line_reader *reader, uint8_t *p,
	   uint8_t *end)
{
	while (p < end && !batch_full(b) && !s->stop) {
		uint8_t *nl, *stop;
		uint32_t n;

		/* Begins a new epoch right after the line that fills the tables, so that the result does not
		 * depend on the size of reads. */
		if (tables_full(&s->t)) {
			if (b->n)
				break;
			reader->new_epoch(s);
		}
		if (reader->fast) {
			/* Take less room for a small input: there may be thousands of them. */
			size_t lines = (size_t)(end - p) / LINE_SHORT + 1,
			       most = BATCH + 1 - b->n;

			buf_room(&b->own,
				 (lines < most ? lines : most) * REC_HEAD + REC_SLACK);
			b->base = b->own.p;
			n = b->n;
			p = (uint8_t *)(uintptr_t)reader->fast(s, b, p, end);
			s->line += b->n - n;
			if (p == end || b->n == BATCH)
				break;
		}
		nl = memchr(p, '\n', (size_t)(end - p));
		stop = nl > p && nl[-1] == '\r' ? nl - 1 : nl;
		n = b->n;
		s->line++;
		if (!reader->line(s, b, p, stop)) {
			s->line--;
			break;
		}
		if (b->n > n)
			b->raw[n] = (struct span){p, (size_t)(nl + 1 - p)};
		p = nl + 1;
	}
	return p;
}

bool
lines_next(struct source *s, struct batch *b, const struct line_reader *reader)
{
	const uint8_t *end;

	batch_start(b);
	while (!b->n && !s->stop && (end = lines_fill(s)))
		s->in.p = lines_take(s, b, reader, s->in.p, (uint8_t *)(uintptr_t)end);
	return b->n > 0;
}

int
lines_first(const uint8_t *p, size_t n, bool whole,
	    bool (*is)(const uint8_t *p, const uint8_t *end), bool most)
{
	const uint8_t *end = p + n;
	int first = -1, good = 0, others = 0;

	for (int i = 0; i < 20 && p < end; i++) {
		const uint8_t *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nl && !whole)
			break;
		if (is(p, nl ? nl : end)) {
			first = first < 0 ? i : first;
			good++;
		} else
			others += first >= 0;
		if (!nl)
			break;
		p = nl + 1;
	}
	return most && good < others ? -1 : first;
}
