/* wait_file.c - records that wait, beyond a limit: in a temporary file. */
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
#include "pair/wait.h"

#define LATE_MOST (16u << 20) /* bytes of late records, then they go to the file */
#define GIVE_MOST (1u << 20)  /* bytes of records given from the file at a time */
#define WRITE_MOST (256u << 10)
#define READ_WINDOWS (256u << 10)
#define READ_LATE (16u << 10)
#define NUMBER 8 /* bytes of a record's number, before it in the file */

/* A record that later ones in the file have overtaken goes into the heap. */
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

/* The bytes in w->out to the file. */
static void
write_out(struct wait *w)
{
	int err;

	if (w->fd < 0 && (w->fd = sandbox_temporary()) < 0)
		die("a temporary file for events that wait:");
	if (out_at(w->fd, w->out.p, w->out.n, w->written, &err) < w->out.n) {
		errno = err;
		die("a temporary file for events that wait:");
	}
	w->written += w->out.n;
	w->out.n = 0;
}

/* A complete record goes to the file. */
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

static struct wait_run *
run_add(struct wait *w)
{
	struct wait_run *r;

	w->run = grow(w->run, &w->runcap, w->nruns + 1, sizeof *w->run);
	r = &w->run[w->nruns++];
	r->number = UINT64_MAX;
	r->at = w->written;
	r->used = r->length = r->held.n = 0;
	return r;
}

/* Late records are many: they become a run. */
static void
write_late(struct wait *w)
{
	size_t run = w->nruns;

	run_add(w);
	while (w->nlate) {
		struct wait_late l = late_take(w);

		write_rec(w, l.number, l.at);
	}
	write_out(w);
	w->run[run].end = w->written;
}

void
wait_file_spill(struct wait *w)
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
	if (late > LATE_MOST || late > w->most / 4)
		write_late(w);
	run = w->nruns;
	run_add(w);
	for (size_t i = w->head; i < w->entries; i++) {
		uint32_t e = w->entry[i];

		if (e < WAIT_GONE) {
			write_rec(w, w->base + i, e);
		} else if (e & WAIT_OPEN) {
			uint32_t open = e & ~WAIT_OPEN;

			w->old = grow(w->old, &w->oldcap, w->nold + 1, sizeof *w->old);
			w->old[w->nold++] = (struct wait_old){w->open[open].tag >> 8, open};
		}
	}
	write_out(w);
	w->run[run].end = w->written;
	w->base += w->entries;
	w->head = w->entries = 0;
	w->filed = true;
}

/* Reads on in a run, until its next record is whole in memory; at its end it has none. */
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
		if (got < n || r->at + n > r->end) {
			errno = err ? err : EIO;
			die("a temporary file for events that wait:");
		}
		r->held.n += n;
		r->at += n;
		left += n;
	}
}

/* The number of the oldest open record, or of the window's first. */
static uint64_t
oldest(struct wait *w)
{
	while (w->old_at < w->nold &&
	       w->open[w->old[w->old_at].open].tag >> 8 != w->old[w->old_at].number)
		w->old_at++;
	return w->old_at < w->nold ? w->old[w->old_at].number : w->base;
}

/* Everything of the file was given. */
static void
file_done(struct wait *w)
{
	for (size_t i = 0; i < w->nruns; i++)
		buf_free(&w->run[i].held);
	w->nruns = 0;
	w->nold = w->old_at = 0;
	w->written = 0;
	w->filed = false;
}

/* The run whose next record is first; *next: the number that the one after it has. */
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

bool
wait_file_next(struct wait *w, struct batch *b)
{
	uint64_t before = oldest(w), next;
	struct wait_run *r = first_run(w, &next);

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
	if (!b->n && before == w->base && !w->nlate && (!r || r->number == UINT64_MAX))
		file_done(w);
	return b->n > 0;
}
