/* wait.c - records that wait, in memory. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/die.h"
#include "pair/wait.h"

#define CACHED (1u << 20) /* bytes of memory that are in the cache in any case */

void
wait_start(struct wait *w, bool by_end, uint64_t limit)
{
	const char *most = getenv("SPOOR_WAIT"); /* for tests */

	memset(w, 0, sizeof *w);
	w->by_end = by_end;
	w->most = most ? strtoul(most, NULL, 10) : limit;
	w->fd = -1;
	w->open_free = WAIT_NONE;
}

void
wait_free(struct wait *w)
{
	if (w->fd >= 0)
		close(w->fd);
	for (size_t i = 0; i < w->nruns; i++)
		buf_free(&w->run[i].held);
	for (unsigned i = 0; i < WAIT_CLASSES; i++)
		free(w->free[i].v);
	free(w->run);
	free(w->mem);
	free(w->open);
	free(w->entry);
	free(w->late);
	free(w->old);
	buf_free(&w->out);
}

/* The bytes of a place of class c to the end of the memory `to`. Gives the new place. */
static uint32_t
move(const struct wait *w, uint8_t *to, size_t *n, uint32_t at, unsigned class)
{
	uint32_t place = (uint32_t)(*n / 8);

	memcpy(to + *n, w->mem + (size_t)at * 8, wait_size(class));
	*n += wait_size(class);
	return place;
}

/* All places in use, one behind the other: where most of the memory is free places of sizes
 * that nobody asks for. */
static void
compact(struct wait *w, size_t live)
{
	size_t cap = live + live / 2 + (1u << 20), n = 0;
	uint8_t *to = xmalloc(cap + REC_SLACK);

	for (size_t i = w->head; i < w->entries; i++)
		if (w->entry[i] < WAIT_GONE)
			w->entry[i] = move(w, to, &n, w->entry[i],
					   wait_class(wait_at(w, w->entry[i])->len));
	for (uint32_t i = 0; i < w->open_used; i++)
		if (w->open[i].tag != UINT64_MAX)
			w->open[i].at =
			    move(w, to, &n, w->open[i].at, (uint8_t)w->open[i].tag);
	for (size_t i = 0; i < w->nlate; i++)
		w->late[i].at = move(w, to, &n, w->late[i].at,
				     wait_class(wait_at(w, w->late[i].at)->len));
	free(w->mem);
	w->mem = to;
	w->cap = cap;
	w->n = n;
	w->lost = 0;
	for (unsigned i = 0; i < WAIT_CLASSES; i++)
		w->free[i].n = 0;
}

/* Room behind the places for `size` bytes more. */
static COLD void
more_memory(struct wait *w, size_t size)
{
	size_t live = w->n - w->lost;

	for (unsigned i = 0; i < WAIT_CLASSES; i++)
		live -= w->free[i].n * wait_size(i);
	if (live < w->n / 4 && w->n > 1u << 20 && !w->ngiven)
		compact(w, live);
	if (w->n + size <= w->cap)
		return;
	/* Pages move where the system can do that: small steps cost little. */
	w->cap = (w->n + size) / 8 * 9 + (1u << 16);
	if (w->cap > UINT32_MAX)
		w->cap = UINT32_MAX & ~7u;
	if (w->n + size > w->cap)
		die("out of memory: 4 GiB of events wait");
	w->mem = xrealloc(w->mem, w->cap + REC_SLACK, 1);
}

uint32_t
wait_new_place(struct wait *w, unsigned class)
{
	size_t size = wait_size(class);
	uint32_t at;

	if (unlikely(w->n + size > w->cap))
		more_memory(w, size);
	at = (uint32_t)(w->n / 8);
	w->n += size;
	return at;
}

struct rec *
wait_move(struct wait *w, uint32_t open, unsigned class)
{
	struct open *o = &w->open[open];
	unsigned was = (uint8_t)o->tag;
	uint32_t at = wait_place(w, class);

	memcpy(wait_at(w, at), wait_rec(w, open), wait_size(was));
	wait_free_place(w, o->at, was);
	o->at = at;
	o->tag = (o->tag & ~(uint64_t)255) | class;
	return wait_at(w, at);
}

void
wait_drop(struct wait *w, uint32_t open)
{
	const struct open *o = &w->open[open];
	uint64_t number = o->tag >> 8;

	wait_free_place(w, o->at, (uint8_t)o->tag);
	if (!w->by_end && number >= w->base)
		w->entry[number - w->base] = WAIT_GONE;
	wait_free_open(w, open);
}

static const struct wait *sorted_by;

static int
by_number(const void *a, const void *b)
{
	uint64_t x = sorted_by->open[*(const uint32_t *)a].tag;
	uint64_t y = sorted_by->open[*(const uint32_t *)b].tag;

	return x < y ? -1 : x > y;
}

uint32_t *
wait_opens(const struct wait *w, uint32_t *n)
{
	uint32_t *v = xmalloc(((size_t)w->opens + 1) * sizeof *v);

	*n = 0;
	for (uint32_t i = 0; i < w->open_used; i++)
		if (w->open[i].tag != UINT64_MAX)
			v[(*n)++] = i;
	sorted_by = w;
	qsort(v, *n, sizeof *v, by_number);
	return v;
}

/* The places of the records that were given last are free. */
static inline void
free_given(struct wait *w)
{
	for (uint32_t i = 0; i < w->ngiven; i++) {
		unsigned class = wait_class(wait_at(w, w->given[i])->len);

		w->held -= wait_size(class);
		wait_free_place(w, w->given[i], class);
	}
	w->ngiven = 0;
}

/* The complete records before all that is open into b. */
static inline void
next_of_window(struct wait *w, struct batch *b)
{
	const uint32_t *entry = w->entry;
	size_t i = w->head, end = w->entries;
	uint32_t k = 0;

	for (; i < end && k < BATCH && !(entry[i] & WAIT_OPEN); i++) {
		w->given[k] = entry[i];
		b->off[k] = entry[i] * 8;
		k += entry[i] != WAIT_GONE;
	}
	w->head = i;
	w->ngiven = b->n = k;
	for (i = 0; i < k && w->n > CACHED; i++) {
		touch(wait_at(w, w->given[i]));
		touch((const uint8_t *)wait_at(w, w->given[i]) + REC_HEAD - 1);
	}
}

bool
wait_next(struct wait *w, struct batch *b)
{
	batch_start(b);
	free_given(w);
	if (unlikely(w->filed) && wait_file_next(w, b))
		return true;
	if (!w->filed)
		next_of_window(w, b);
	b->base = w->mem;
	if (w->head > w->entries / 2) {
		w->entries -= w->head;
		memmove(w->entry, w->entry + w->head, w->entries * sizeof *w->entry);
		w->base += w->head;
		w->head = 0;
	}
	if (!b->n && w->held > w->most && !w->by_end)
		wait_file_spill(w);
	return b->n > 0;
}

bool
wait_empty(const struct wait *w)
{
	return !w->opens && !w->filed && w->head == w->entries && !w->ngiven;
}

void
wait_each(struct wait *w, void (*fn)(void *arg, struct rec *r), void *arg)
{
	for (size_t i = w->head; i < w->entries; i++)
		if (w->entry[i] < WAIT_GONE)
			fn(arg, wait_at(w, w->entry[i]));
	for (uint32_t i = 0; i < w->open_used; i++)
		if (w->open[i].tag != UINT64_MAX)
			fn(arg, wait_rec(w, i));
	for (size_t i = 0; i < w->nlate; i++)
		fn(arg, wait_at(w, w->late[i].at));
}
