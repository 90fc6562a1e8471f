/* darshan.c - see darshan.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-access/darshan.h"

static const uint64_t size_most[] = {
    100,	1024,	     10240,	   102400,	  1048576,
    4ull << 20, 10ull << 20, 100ull << 20, 1024ull << 20, UINT64_MAX,
};

/* Returns the counters of a file, which may be new. */
static struct darshan *
darshan_of(struct access *x, uint32_t file)
{
	struct access_file *f = &x->file[file];

	if (!f->darshan)
		f->darshan = xcalloc(1, sizeof *f->darshan);
	return f->darshan;
}

static struct darshan_value *
find_value(struct darshan_values *c, uint64_t v)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].v == v)
			return &c->v[i];
	return NULL;
}

/* Counts a value. New values are ignored if there are too many; 0 takes a place as well, but is not written. */
static void
count_value(struct darshan_values *c, uint64_t v)
{
	struct darshan_value *known = find_value(c, v);

	if (known)
		known->n++;
	else if (c->n < DARSHAN_VALUES) {
		GROW_SMALL(c->v, c->cap, c->n + 1);
		c->v[c->n++] = (struct darshan_value){v, 1};
	}
}

static int
most_frequent(const void *x, const void *y)
{
	const struct darshan_value *a = x, *b = y;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return a->v > b->v ? -1 : a->v < b->v;
}

void
darshan_settle(struct darshan_values *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (!v->v[i].v)
			v->v[i].n = 0;
	if (v->n)
		qsort(v->v, v->n, sizeof *v->v, most_frequent);
}

/* Adds the time of a request; overlapping times count once. */
static void
add_time(struct access *x, struct darshan *d, struct flow *f,
	 const struct access_request *r)
{
	unsigned w = r->write;
	int64_t end = time_plus(x->clock, r->time, r->dur), from = r->time;
	uint64_t took;

	if ((f->moved[w] & 2) && access_before(x, from, f->busy_until[w]))
		from = f->busy_until[w];
	if (!access_before(x, from, end))
		return;
	took = (uint64_t)end - (uint64_t)from;
	f->busy_until[w] = end;
	f->moved[w] |= 2;
	f->time += took;
	d->time[w] += took;
}

/* Extends the time of requests to `begin` and `end`. */
static void
add_span(const struct access *x, struct darshan *d, unsigned w, int64_t begin, int64_t end)
{
	if (!d->any[w] || access_before(x, begin, d->first[w]))
		d->first[w] = begin;
	if (!d->any[w] || access_before(x, d->last[w], end))
		d->last[w] = end;
	d->any[w] = true;
}

static void
add_times(struct access *x, struct darshan *d, struct flow *f,
	  const struct access_request *r)
{
	unsigned w = r->write;
	int64_t end = r->timed ? time_plus(x->clock, r->time, r->dur) : r->time;

	add_span(x, d, w, r->time, end);
	if (!r->timed)
		return;
	d->timed[w] = true;
	add_time(x, d, f, r);
	if (r->dur > 0 && (uint64_t)r->dur > d->longest[w]) {
		d->longest[w] = (uint64_t)r->dur;
		d->longest_size[w] = r->size;
	}
}

void
darshan_request(struct access *x, const struct access_request *r)
{
	struct darshan *d = darshan_of(x, r->file);
	struct flow *f = &x->flow[r->flow];
	unsigned w = r->write, bin = 0;
	/* Last byte + 1; before the first request, byte 0 + 1. (A request of no bytes at byte 0 leaves 0.) */
	uint64_t next = f->moved[w] & 1 ? f->last_byte[w] : 1;
	bool above = r->at >= next;

	d->requests[w]++;
	d->bytes[w] += r->size;
	d->sequential[w] += above;
	d->consecutive[w] += r->at == next;
	count_value(&d->strides, r->at > 0 && above && next != 1 ? r->at - next : 0);
	f->last_byte[w] = r->at + r->size;
	f->moved[w] |= 1;
	if (r->at + r->size && r->at + r->size - 1 > d->max_byte[w])
		d->max_byte[w] = r->at + r->size - 1;
	while (r->size > size_most[bin])
		bin++;
	d->sizes[w][bin]++;
	count_value(&d->accesses, r->size);
	d->mem_not_aligned += r->unaligned;
	d->file_not_aligned += r->at % x->q.align != 0;
	d->switches += f->before == 1 + !r->write;
	add_times(x, d, f, r);
	f->before = (uint8_t)(1 + r->write);
	f->bytes += r->size;
}

void
darshan_open(struct access *x, uint32_t file, uint32_t flow)
{
	darshan_of(x, file);
	for (unsigned w = 0; w < 2; w++)
		x->flow[flow].moved[w] &= 2;
}

/* Returns whether a took less time than b, or more if `more`; if both took the same, whether its name is before
 * b's name. */
static bool
before(const struct access *x, const struct flow *a, const struct flow *b, bool more)
{
	if (a->time != b->time)
		return more ? a->time > b->time : a->time < b->time;
	return natural_order(x->names.v[a->node].s, x->names.v[b->node].s) < 0;
}

struct darshan_ranks *
darshan_ranks(const struct access *x)
{
	struct darshan_ranks *v = xcalloc(x->nfiles + 1, sizeof *v);

	for (uint32_t i = 0; i < x->nflows; i++) {
		const struct flow *f = &x->flow[i];
		struct darshan_ranks *r = &v[f->file];
		struct wide time = wide_u64(f->time), bytes = wide_u64(f->bytes);
		struct wide t2 = wide_mul(&time, &time), b2 = wide_mul(&bytes, &bytes);

		if (!f->before)
			continue;
		if (!r->n || before(x, f, &x->flow[r->fastest], false))
			r->fastest = i;
		if (!r->n || before(x, f, &x->flow[r->slowest], true))
			r->slowest = i;
		r->n++;
		r->time = wide_add(&r->time, &time);
		r->bytes = wide_add(&r->bytes, &bytes);
		r->square_time = wide_add(&r->square_time, &t2);
		r->square_bytes = wide_add(&r->square_bytes, &b2);
	}
	return v;
}

static void
add_values(struct darshan_values *to, const struct darshan_values *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct darshan_value *known = find_value(to, from->v[i].v);

		if (known)
			known->n += from->v[i].n;
		else
			*PUSH(to->v, to->n, to->cap) = from->v[i];
	}
}

void
darshan_add(const struct access *x, struct darshan *to, const struct darshan *from)
{
	for (unsigned w = 0; w < 2; w++) {
		to->requests[w] += from->requests[w];
		to->bytes[w] += from->bytes[w];
		to->consecutive[w] += from->consecutive[w];
		to->sequential[w] += from->sequential[w];
		to->time[w] += from->time[w];
		if (from->max_byte[w] > to->max_byte[w])
			to->max_byte[w] = from->max_byte[w];
		if (from->longest[w] > to->longest[w]) {
			to->longest[w] = from->longest[w];
			to->longest_size[w] = from->longest_size[w];
		}
		for (unsigned k = 0; k < DARSHAN_SIZES; k++)
			to->sizes[w][k] += from->sizes[w][k];
		to->timed[w] |= from->timed[w];
		if (from->any[w])
			add_span(x, to, w, from->first[w], from->last[w]);
	}
	to->switches += from->switches;
	to->mem_not_aligned += from->mem_not_aligned;
	to->file_not_aligned += from->file_not_aligned;
	add_values(&to->strides, &from->strides);
	add_values(&to->accesses, &from->accesses);
}

void
darshan_clear(struct darshan *d)
{
	free(d->strides.v);
	free(d->accesses.v);
}

void
darshan_free(struct access *x)
{
	for (uint32_t i = 0; i < x->nfiles; i++) {
		if (x->file[i].darshan)
			darshan_clear(x->file[i].darshan);
		free(x->file[i].darshan);
	}
}
