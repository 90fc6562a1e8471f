/* pair_wait.c - records that wait in memory, and in a temporary file beyond a limit. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/die.h"
#include "base/in.h"
#include "base/out.h"
#include "base/sandbox.h"
#include "base/tuning.h"
#include "pair/pair_wait.h"

#define CACHED (1u << 20) /* bytes of memory that are surely in the cache */
/* Bytes of late records in memory; beyond that they go to the file. */
#define LATE_MOST (16u << 20)
#define GIVE_MOST (1u << 20) /* bytes of records that are given from the file at a time */
#define WRITE_MOST (256u << 10)
#define READ_WINDOWS (256u << 10)
#define READ_LATE (16u << 10)
#define NUMBER 8 /* bytes of a record's number, which precedes the record in the file */

void
wait_start(struct wait *w, bool by_end, uint64_t limit)
{
	memset(w, 0, sizeof *w);
	w->by_end = by_end;
	w->most = tuning.wait ? tuning.wait : limit;
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

/* Copies the place `at` of a class to the end of the memory `to`, which has *n bytes. Returns the new place. */
static uint32_t
move(const struct wait *w, uint8_t *to, size_t *n, uint32_t at, unsigned class)
{
	uint32_t place = (uint32_t)(*n / 8);

	memcpy(to + *n, w->mem + (size_t)at * 8, wait_size(class));
	*n += wait_size(class);
	return place;
}

/* Copies all places in use to new memory without gaps. Called if most of the memory is free places of sizes that
 * are not requested any more. */
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

/* Makes room for `size` more bytes after the last place. Dies without memory. */
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
	/* The system can move pages without a copy, so small steps cost little. */
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
cmp_by_seq(const void *a, const void *b)
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
	qsort(v, *n, sizeof *v, cmp_by_seq);
	return v;
}

/* ---- records beyond the limit, in a temporary file ---- */

/* Adds a record to the heap of late records. Later records are already in the file. */
void
wait_late_add(struct wait *w, uint64_t number, uint32_t at)
{
	struct wait_late *v;
	size_t i = w->nlate++;

	w->late = v = grow(w->late, &w->latecap, w->nlate, sizeof *w->late);
	for (size_t up; i && v[up = (i - 1) / 2].number > number; i = up)
		v[i] = v[up];
	v[i] = (struct wait_late){number, at};
}

static struct wait_late
late_take(struct wait *w)
{
	struct wait_late *v = w->late, first = v[0], last = v[--w->nlate];
	size_t i = 0;

	for (size_t k; (k = 2 * i + 1) < w->nlate; i = k) {
		k += k + 1 < w->nlate && v[k + 1].number < v[k].number;
		if (v[k].number >= last.number)
			break;
		v[i] = v[k];
	}
	v[i] = last;
	return first;
}

static _Noreturn void
file_failed(int err)
{
	errno = err ? err : EIO;
	die("cannot use a temporary file for events that wait:");
}

/* Appends the bytes in w->out to the file, and empties w->out. Dies if that fails. */
static void
write_out(struct wait *w)
{
	int err;

	if (w->fd < 0 && (w->fd = sandbox_temporary()) < 0)
		file_failed(errno);
	if (out_at(w->fd, w->out.p, w->out.n, w->written, &err) < w->out.n)
		file_failed(err);
	w->written += w->out.n;
	w->out.n = 0;
}

/* Writes a complete record to the file, and frees its place. */
static void
write_rec(struct wait *w, uint64_t number, uint32_t at)
{
	const struct rec *r = wait_at(w, at);
	unsigned class = wait_class(r->len);
	uint8_t *p = buf_room(&w->out, NUMBER + r->len);

	st64(p, number);
	memcpy(p + NUMBER, r, r->len);
	w->out.n += NUMBER + r->len;
	w->held -= wait_size(class);
	wait_free_place(w, at, class);
	if (w->out.n >= WRITE_MOST)
		write_out(w);
}

static void
run_add(struct wait *w)
{
	struct wait_run *r = PUSH(w->run, w->nruns, w->runcap);

	r->number = UINT64_MAX;
	r->at = w->written;
	r->used = r->length = r->held.n = 0;
}

/* Writes all waiting records to the temporary file, except open ones. */
static COLD void
spill_waits(struct wait *w)
{
	size_t n = 0, run;
	uint64_t late = 0;

	w->out.n = 0;
	for (size_t i = w->old_at; i < w->nold; i++)
		if (w->open[w->old[i].open].tag >> 8 == w->old[i].number)
			w->old[n++] = w->old[i];
	w->nold = n;
	w->old_at = 0;
	for (size_t i = 0; i < w->nlate; i++)
		late += wait_at(w, w->late[i].at)->len;
	/* Many late records become a run of their own. */
	if (late > LATE_MOST || late > w->most / 4) {
		run = w->nruns;
		run_add(w);
		while (w->nlate) {
			struct wait_late l = late_take(w);

			write_rec(w, l.number, l.at);
		}
		write_out(w);
		w->run[run].end = w->written;
	}
	run = w->nruns;
	run_add(w);
	for (size_t i = w->head; i < w->entries; i++) {
		uint32_t e = w->entry[i];

		if (e < WAIT_GONE) {
			write_rec(w, w->base + i, e);
		} else if (e & WAIT_OPEN) {
			uint32_t open = e & ~WAIT_OPEN;

			*PUSH(w->old, w->nold, w->oldcap) =
			    (struct wait_old){w->open[open].tag >> 8, open};
		}
	}
	write_out(w);
	w->run[run].end = w->written;
	w->base += w->entries;
	w->head = w->entries = 0;
	w->filed = true;
}

/* Reads more of a run until its next record is whole in memory. At the end of the run, sets r->number to
 * UINT64_MAX. */
static void
run_load(struct wait *w, struct wait_run *r, size_t side)
{
	size_t left = r->held.n - r->used, need = NUMBER + REC_HEAD;

	for (;;) {
		size_t n = r->end - r->at < side ? (size_t)(r->end - r->at) : side, got;
		int err = 0;

		if (left >= NUMBER + REC_HEAD) {
			const uint8_t *p = r->held.p + r->used;

			r->number = ld64(p);
			r->length = ld32(p + NUMBER);
			need = NUMBER + r->length;
			if (left >= need)
				return;
			n = need - left > n ? need - left : n;
		}
		if (!n) {
			r->number = UINT64_MAX;
			buf_free(&r->held);
			r->used = 0;
			return;
		}
		if (left && r->used)
			memmove(r->held.p, r->held.p + r->used, left);
		r->held.n = left;
		r->used = 0;
		got = in_at(w->fd, buf_room(&r->held, n + REC_SLACK), n, r->at, &err);
		if (got < n || r->at + n > r->end)
			file_failed(err);
		r->held.n += n;
		r->at += n;
		left += n;
	}
}

/* Returns the run whose next record has the smallest number. Stores the second smallest number, late records
 * included, in *next. */
static struct wait_run *
first_run(struct wait *w, uint64_t *next)
{
	struct wait_run *first = NULL;

	*next = w->nlate ? w->late[0].number : UINT64_MAX;
	for (size_t i = 0; i < w->nruns; i++) {
		struct wait_run *r = &w->run[i];

		if (r->number == UINT64_MAX && (r->at < r->end || r->used < r->held.n))
			run_load(w, r, READ_LATE);
		if (first && r->number >= first->number) {
			*next = r->number < *next ? r->number : *next;
			continue;
		}
		if (first)
			*next = first->number < *next ? first->number : *next;
		first = r;
	}
	return first;
}

/* Fills b with the next records of the file, and late records, that precede all open records. Returns false if
 * there are none. */
static bool
next_of_file(struct wait *w, struct batch *b)
{
	uint64_t before, next;
	struct wait_run *r;

	/* The number of the oldest open record, or the first number of the window. */
	while (w->old_at < w->nold &&
	       w->open[w->old[w->old_at].open].tag >> 8 != w->old[w->old_at].number)
		w->old_at++;
	before = w->old_at < w->nold ? w->old[w->old_at].number : w->base;
	r = first_run(w, &next);
	w->out.n = 0;
	while (b->n < BATCH && w->out.n < GIVE_MOST) {
		bool late = w->nlate && (!r || w->late[0].number < r->number);
		uint64_t number = late ? w->late[0].number : r ? r->number : UINT64_MAX;
		const struct rec *from;
		uint32_t len;

		if (number >= before)
			break;
		from = late ? wait_at(w, w->late[0].at)
			    : (const void *)(r->held.p + r->used + NUMBER);
		len = from->len;
		memcpy(buf_room(&w->out, len + REC_SLACK), from, len);
		b->off[b->n++] = (uint32_t)w->out.n;
		w->out.n += len;
		if (late) {
			struct wait_late l = late_take(w);

			w->held -= wait_size(wait_class(len));
			wait_free_place(w, l.at, wait_class(len));
			next = w->nlate ? w->late[0].number : UINT64_MAX;
			r = first_run(w, &next);
		} else {
			r->used += NUMBER + r->length;
			run_load(w, r, w->nruns < 64 ? READ_WINDOWS : READ_LATE);
			if (r->number > next)
				r = first_run(w, &next);
		}
	}
	b->base = w->out.p;
	if (!b->n && before == w->base && !w->nlate && (!r || r->number == UINT64_MAX)) {
		/* All records of the file were given. */
		for (size_t i = 0; i < w->nruns; i++)
			buf_free(&w->run[i].held);
		w->nruns = w->nold = w->old_at = 0;
		w->written = 0;
		w->filed = false;
	}
	return b->n > 0;
}

/* ---- giving records ---- */

/* Fills b with the complete records of the window before the first open one. */
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
	/* Frees the places of the records that were given last. */
	for (uint32_t i = 0; i < w->ngiven; i++) {
		unsigned class = wait_class(wait_at(w, w->given[i])->len);

		w->held -= wait_size(class);
		wait_free_place(w, w->given[i], class);
	}
	w->ngiven = 0;
	if (unlikely(w->filed) && next_of_file(w, b))
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
		spill_waits(w);
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
