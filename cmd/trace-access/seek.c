/* seek.c - near-sequential streams, and seek distances.
 *
 * A request continues a stream of its file, of the last used ones, if it begins at the end of the stream, or at
 * most `near` bytes after it; of several streams it continues the nearest. Otherwise it begins a stream. The
 * distance of a request is from the end of the previous request to its begin; the nearest is the smallest such
 * distance to any of the last requests, which distinguishes interleaved streams from seeks (Ahmad: "Easy and
 * efficient disk I/O workload characterization in VMware ESX Server", IISWC 2007). */
#include <stdlib.h>

#include "trace-access/seek.h"
#include "base/compiler.h"

static void
end_stream(struct seek *s, const struct seek_stream *t)
{
	if (t->requests < 2)
		return;
	s->streams++;
	s->in_streams += t->requests;
	s->stream_bytes += t->bytes;
	s->longest = t->requests > s->longest ? t->requests : s->longest;
}

static void
follow_streams(const struct access *x, struct seek *s, const struct access_request *r)
{
	struct seek_stream *best = NULL, *oldest = NULL;

	for (uint32_t i = 0; i < s->nstreams; i++) {
		struct seek_stream *t = &s->stream[i];

		if (r->at >= t->end && r->at - t->end <= x->q.near &&
		    (!best || t->end > best->end ||
		     (t->end == best->end && t->used > best->used)))
			best = t;
		if (!oldest || t->used < oldest->used)
			oldest = t;
	}
	if (!best) {
		if (s->nstreams < x->q.memory) {
			GROW_SMALL(s->stream, s->stream_cap, s->nstreams + 1);
			best = &s->stream[s->nstreams++];
		} else
			end_stream(s, best = oldest);
		*best = (struct seek_stream){0};
	}
	best->end = r->at + r->size;
	best->requests++;
	best->bytes += r->size;
	best->used = s->requests;
}

static unsigned
bin_of(uint64_t distance, bool back)
{
	unsigned k;

	if (!distance)
		return SEEK_ZERO;
	k = 64 - leading_zeros64(distance);
	return back ? SEEK_ZERO - k : SEEK_ZERO + k;
}

static void
measure(struct access *x, struct seek *s, const struct access_request *r)
{
	struct seeks *all = x->seeks;
	uint64_t least = UINT64_MAX, d;
	bool back = false;

	for (uint32_t i = 0; i < s->nends; i++) {
		/* From the last one back: of two equally near ones, the later one. */
		uint64_t end = s->end[(s->next + x->q.memory - 1 - i) % x->q.memory];

		d = r->at < end ? end - r->at : r->at - end;
		if (i == 0) {
			all->n++;
			all->distance[bin_of(d, r->at < end)]++;
			s->sequential += d == 0;
		}
		if (i == 0 || d < least) {
			least = d;
			back = r->at < end;
		}
	}
	if (s->nends)
		all->nearest[bin_of(least, back)]++;
	GROW_SMALL(s->end, s->end_cap, s->next + 1);
	s->end[s->next] = r->at + r->size;
	s->next = (s->next + 1) % x->q.memory;
	s->nends += s->nends < x->q.memory;
}

void
seek_request(struct access *x, const struct access_request *r)
{
	struct seek *s;

	GROW(x->seeks->v, x->seeks->cap, r->file + 1);
	s = &x->seeks->v[r->file];
	s->requests++;
	follow_streams(x, s, r);
	measure(x, s, r);
}

void
seek_finish(struct access *x)
{
	for (size_t i = 0; i < x->seeks->cap; i++) {
		struct seek *s = &x->seeks->v[i];

		for (uint32_t k = 0; k < s->nstreams; k++)
			end_stream(s, &s->stream[k]);
		s->nstreams = 0;
	}
}

void
seek_free(struct access *x)
{
	if (!x->seeks)
		return;
	for (size_t i = 0; i < x->seeks->cap; i++) {
		free(x->seeks->v[i].stream);
		free(x->seeks->v[i].end);
	}
	free(x->seeks->v);
	free(x->seeks);
}
