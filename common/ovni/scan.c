/*
 * scan.c - searches a stream for unordered regions before its events are handed out.
 *
 * Kernel events are put into a stream long after they happened, between OU[ and OU]. To hand them out in time,
 * they must be known before: each part of a region that is in order becomes a run, which is merged like a stream
 * of its own, and so do the events after the region. Runs of one stream with equal keys are ordered by
 * their offsets. Most streams have no such region: searching for the three letters is as fast as reading memory,
 * and only a stream that has them is parsed.
 */
#include <stdlib.h>
#include <string.h>

#include "input/fault.h"
#include "ovni/ovni_trace.h"

#if HAVE_SSE2
#include <emmintrin.h>
#endif

#define PIECE (256u << 10)
/* Limit of the runs of a region; a region with more is not sorted. */
#define RUNS_MOST (1u << 16)

/* Bytes of an event that the search needs, from its flags on. */
#define LOOK OVNI_EVENT

/* Returns true if OU[ seems to begin at p. The letters alone would occur by chance every 16 MB, so the clock is
 * checked too. */
static bool
is_region(const struct ovni_stream *st, const uint8_t *p, uint64_t first)
{
	uint64_t clock = ovni_u64(st, p + 4);

	return !memcmp(p + 1, "OU[", 3) && !(*p & OVNI_RESERVED) &&
	       (clock - first < OVNI_PAUSE || first - clock < OVNI_PAUSE);
}

/* Returns true if a region begins among p[0..n). 64 + LOOK bytes after them must be readable. */
static bool
has_region(const struct ovni_stream *st, const uint8_t *p, size_t n, uint64_t first)
{
#if HAVE_SSE2
	const __m128i o = _mm_set1_epi8('O'), u = _mm_set1_epi8('U'),
		      b = _mm_set1_epi8('[');

	for (size_t i = 0; i < n; i += 64) {
		__m128i hit = _mm_setzero_si128();

		for (size_t k = i + 1; k < i + 65; k += 16) {
			const __m128i *q = (const __m128i *)(const void *)(p + k);
			__m128i x = _mm_cmpeq_epi8(_mm_loadu_si128(q), o);

			q = (const __m128i *)(const void *)(p + k + 1);
			x = _mm_and_si128(x, _mm_cmpeq_epi8(_mm_loadu_si128(q), u));
			q = (const __m128i *)(const void *)(p + k + 2);
			x = _mm_and_si128(x, _mm_cmpeq_epi8(_mm_loadu_si128(q), b));
			hit = _mm_or_si128(hit, x);
		}
		if (!_mm_movemask_epi8(hit))
			continue;
		for (size_t k = i; k < i + 64 && k < n; k++)
			if (is_region(st, p + k, first))
				return true;
	}
	return false;
#else
	const uint8_t *end = p + n + 1;

	for (const uint8_t *q = p + 1; (q = memchr(q, 'O', (size_t)(end - q))); q++)
		if (is_region(st, q - 1, first))
			return true;
	return false;
#endif
}

static bool
search(struct source *s, struct ovni_stream *st)
{
	struct ovni *o = s->state;
	/* Parts of whole pages are read to an aligned place; the last bytes of the previous part are kept before
	 * it. */
	uint8_t *room = buf_room(&o->m.area, 64 + PIECE + 128), *piece = room + 64;
	size_t kept = 0;
	uint64_t first = 0;

	for (uint64_t at = 0;; at += PIECE) {
		size_t n = ovni_read(s, st, piece, PIECE, at), all = kept + n;
		uint8_t *p = piece - kept;

		memset(piece + n, 0, 128);
		if (!at)
			first = ovni_u64(st, p + (st->header ? OVNI_HEADER : 0) + 4);
		if (has_region(st, p, all < LOOK ? 0 : all - LOOK + 1, first))
			return true;
		if (n < PIECE)
			return false;
		kept = LOOK;
		memcpy(piece - kept, piece + PIECE - kept, kept);
	}
}

struct scan {
	struct source *s;
	struct ovni *o;
	size_t stream;
	struct ovni_cursor *c;
	/* regions */
	struct ovni_run *run; /* runs of the current region */
	size_t nruns, runcap;
	uint64_t region_from, region_last, main_last;
	struct ovni_run behind; /* the run after the last region that was sorted */
	bool region, back, any_behind;
};

/* Ends at offset `to` the run after the last region that was sorted. */
static void
end_behind(struct scan *x, uint64_t to)
{
	x->behind.to = to;
	if (x->any_behind)
		ovni_runs_add(&x->o->runs, x->behind);
	x->any_behind = false;
}

/* Ends a region at offset `to`. If its events are earlier than previous ones, its runs are added, and the events
 * after it become a run too. */
static void
commit(struct scan *x, uint64_t to, uint64_t key)
{
	struct ovni_stream *st = &x->o->st[x->stream];

	if (x->back && x->nruns > RUNS_MOST)
		fault(x->s, NULL, COST_STATUS, st->path, x->region_from,
		      "a region has more than %u stretches of unordered events: the region "
		      "is not sorted",
		      RUNS_MOST);
	else if (x->back && x->nruns &&
		 ovni_runs_room(x->s, &x->o->runs, st, x->nruns + 2)) {
		if (x->any_behind)
			end_behind(x, x->region_from);
		else
			st->first_stop = x->region_from;
		for (size_t i = 0; i < x->nruns; i++) {
			x->run[i].to = i + 1 < x->nruns ? x->run[i + 1].from : to;
			ovni_runs_add(&x->o->runs, x->run[i]);
		}
		if (to == UINT64_MAX)
			return;
		x->any_behind = true;
		x->behind = (struct ovni_run){
		    .key = key > x->main_last && key < OVNI_KEYS ? key : x->main_last,
		    .stream = (uint32_t)x->stream,
		    .behind = true,
		    .from = to};
	} else if (x->region_last > x->main_last)
		x->main_last = x->region_last;
	x->region = false;
	x->nruns = 0;
	x->c->last = x->main_last;
}

static void
on_region_event(struct scan *x, uint64_t clock)
{
	uint64_t at = ovni_offset(x->c), key = clock + x->c->add;

	if ((clock | key) >= OVNI_KEYS) /* not a time: use the previous event's */
		key = x->nruns ? x->c->last : x->main_last;
	x->back |= key < x->main_last;
	/* In a hostile region, each event may begin a run: beyond the limit no more are added. */
	if ((!x->nruns || key < x->c->last) && x->nruns <= RUNS_MOST) {
		at = x->nruns ? at : x->region_from;
		*PUSH(x->run, x->nruns, x->runcap) = (struct ovni_run){
		    .key = key, .stream = (uint32_t)x->stream, .from = at};
	}
	x->c->last = key;
	x->region_last = key > x->region_last ? key : x->region_last;
}

static void
walk(struct scan *x)
{
	struct ovni_cursor *c = x->c;
	struct ovni_frame f;

	while (ovni_settle(x->s, c, &f)) {
		bool ou = f.p[1] == 'O' && f.p[2] == 'U';

		if (ou && f.p[3] == ']' && x->region)
			commit(x, ovni_offset(c), f.clock + c->add);
		if (x->region)
			on_region_event(x, f.clock);
		else
			c->last = ovni_key(c, f.clock);
		if (ou && f.p[3] == '[' && !x->region) {
			x->region = true;
			x->back = false;
			x->main_last = c->last;
			x->region_last = c->last = 0;
			ovni_pass(x->s, c, &f);
			x->region_from = ovni_offset(c);
			continue;
		}
		ovni_pass(x->s, c, &f);
	}
	if (x->region)
		commit(x, UINT64_MAX, 0);
	end_behind(x, UINT64_MAX);
}

void
ovni_scan(struct source *s, size_t stream, bool sure)
{
	struct ovni *o = s->state;
	struct scan x = {.s = s, .o = o, .stream = stream};

	if (o->st[stream].failed || (!sure && !search(s, &o->st[stream])))
		return;
	x.c = ovni_cursor_new(&o->st[stream], 0, UINT64_MAX);
	x.c->quiet = true;
	walk(&x);
	ovni_cursor_free(x.c);
	free(x.run);
}
