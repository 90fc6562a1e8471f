/* resort.c - see resort.h */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "merge/resort.h"

/* moves of the insertion sort, per record, before a merge sort takes over */
#define MOVES 8
#define RUN 16 /* records in each run that the merge sort begins with */

void
resort_room(struct buf *b, size_t n)
{
	size_t want = b->n + n;

	if (want <= b->cap)
		return;
	b->cap = want > b->cap * 2 ? want : b->cap * 2;
	b->p = xrealloc(b->p, b->cap, 1);
}

/* Sorts v[from..n) by insertion. Returns false if this takes more than `budget` moves; the array then holds all
 * entries, partly sorted. */
static bool
insertion(struct resort_entry *v, uint32_t from, uint32_t n, uint64_t budget)
{
	for (uint32_t i = from + 1; i < n; i++) {
		struct resort_entry e = v[i];
		uint32_t k = i;

		for (; k > from && v[k - 1].key > e.key; k--)
			v[k] = v[k - 1];
		v[k] = e;
		if (unlikely(i - k > budget))
			return false;
		budget -= i - k;
	}
	return true;
}

/* Merges from[0..mid) and from[mid..n), each sorted, into to[0..n). */
static void
merge_two(struct resort_entry *to, const struct resort_entry *from, uint32_t mid,
	  uint32_t n)
{
	uint32_t i = 0, k = mid;

	for (uint32_t j = 0; j < n; j++) {
		bool left = k == n || (i < mid && from[i].key <= from[k].key);

		to[j] = left ? from[i] : from[k];
		i += left;
		k += !left;
	}
}

static void
merge_sort(struct resort *w, struct resort_entry *v, uint32_t n)
{
	struct resort_entry *from = v, *to;

	GROW(w->spare->v, w->spare->cap, n);
	to = w->spare->v;
	for (uint32_t i = 0; i < n; i += RUN)
		insertion(v, i, n - i < RUN ? n : i + RUN, UINT64_MAX);
	for (uint64_t run = RUN; run < n; run *= 2) {
		struct resort_entry *was = from;

		for (uint64_t i = 0; i < n; i += 2 * run) {
			uint64_t left = n - i, mid = left < run ? left : run;

			merge_two(to + i, from + i, (uint32_t)mid,
				  (uint32_t)(left < 2 * run ? left : 2 * run));
		}
		from = to;
		to = was;
	}
	if (from != v)
		memcpy(v, from, n * sizeof *v);
}

/* Returns the index of the first entry of v[lo..hi), which are sorted, with a greater key. */
static uint32_t
first_behind(const struct resort_entry *v, uint32_t lo, uint32_t hi, uint64_t key)
{
	while (lo < hi) {
		uint32_t m = lo + (hi - lo) / 2;

		if (v[m].key > key)
			hi = m;
		else
			lo = m + 1;
	}
	return lo;
}

/* Merges v[0..mid) and v[mid..n), each sorted. */
static void
join(struct resort *w, uint32_t mid)
{
	struct resort_entry *v = w->v, *new;
	uint32_t lo = first_behind(v, w->at, mid, v[mid].key), count = w->n - mid,
		 to = w->n, i = mid;

	GROW(w->spare->v, w->spare->cap, count);
	new = w->spare->v;
	memcpy(new, v + mid, count * sizeof *new);
	while (count) {
		if (i > lo && v[i - 1].key > new[count - 1].key)
			v[--to] = v[--i];
		else
			v[--to] = new[--count];
	}
}

/* Removes the records that have left from the entries, and from the bytes if they waste too much memory. */
static void
sweep(struct resort *w)
{
	struct buf *to = &w->spare->bytes, bytes;
	size_t dead = w->bytes.n - w->live, most = 3 * w->live;

	if (w->at < w->n)
		memmove(w->v, w->v + w->at, (w->n - w->at) * sizeof *w->v);
	w->n -= w->at;
	w->sorted -= w->at;
	w->at = w->ready = 0;
	if (dead <= most && dead <= w->live / 4 + w->spare_most)
		return;
	to->n = 0;
	resort_room(to, w->live + REC_SLACK);
	for (uint32_t i = 0; i < w->n; i++) {
		memcpy(to->p + to->n, w->bytes.p + w->v[i].off, w->v[i].len);
		w->v[i].off = (uint32_t)to->n;
		to->n += w->v[i].len;
	}
	bytes = w->bytes;
	w->bytes = *to;
	*to = bytes;
}

/* Returns the number of records that may leave. */
static uint32_t
leavers(struct resort *w)
{
	uint32_t lo, by_number;
	size_t bytes = w->live;
	uint64_t key = w->max - (w->span < w->max ? w->span : w->max);

	by_number = w->n > w->records ? w->n - (uint32_t)w->records : 0;
	if (w->by_span) {
		lo = first_behind(w->v, 0, w->n, key);
		w->over |= by_number > lo;
		by_number = by_number > lo ? by_number : lo;
	}
	for (lo = 0; bytes > w->most && lo < w->n; lo++)
		bytes -= w->v[lo].len;
	w->over |= lo > by_number;
	return lo > by_number ? lo : by_number;
}

void
resort_sort(struct resort *w, bool all)
{
	uint32_t mid = w->sorted;

	if (mid < w->n) {
		if (!insertion(w->v, mid, w->n, (uint64_t)MOVES * (w->n - mid)))
			merge_sort(w, w->v + mid, w->n - mid);
		if (mid > w->at && w->v[mid].key < w->v[mid - 1].key)
			join(w, mid);
	}
	w->sorted = w->n;
	sweep(w);
	w->ready = all ? w->n : leavers(w);
	if (w->ready)
		w->floor = w->v[w->ready - 1].key;
}

void
resort_each(struct resort *w, void (*fn)(void *arg, struct rec *r), void *arg)
{
	for (uint32_t i = w->at; i < w->n; i++)
		fn(arg, (struct rec *)(void *)(w->bytes.p + w->v[i].off));
}

void
resort_free(struct resort *w)
{
	free(w->v);
	buf_free(&w->bytes);
	memset(w, 0, sizeof *w);
}
