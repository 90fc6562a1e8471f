/* opens.c - how long files are open, and by several owners at once. An interval is from an open to the close of
 * the same descriptor by the same owner. */
#include <stdlib.h>

#include "trace-access/opens.h"
#include "base/hash.h"

/* Returns the opening of `desc` by the owner, or NULL. */
static struct opening *
opens_find(const struct opens *o, uint32_t owner, int64_t desc, uint32_t hash)
{
	uint32_t i;

	for (size_t at = hash; slots_next(&o->index, hash, &at, &i);)
		if (o->opening[i].owner == owner && o->opening[i].desc == desc)
			return &o->opening[i];
	return NULL;
}

static void
add_interval(struct opens *o, uint32_t file, uint32_t owner, int64_t from, int64_t to,
	     bool closed)
{
	*PUSH(o->interval, o->n, o->cap) = (struct interval){
	    .from = from, .to = to, .file = file, .owner = owner, .closed = closed};
}

void
opens_fact(struct access *x, const struct access_fact *f)
{
	struct opens *o = x->opens;
	struct opening *p;
	uint32_t hash;

	if (f->kind == FACT_OPEN && f->file != NOBODY) {
		struct access_file *file = &x->file[f->file];

		file->openers |= file->opens && file->opener != f->owner;
		file->opener = f->owner;
		file->opens++;
	}
	if (!f->has_desc || (f->kind != FACT_OPEN && f->kind != FACT_CLOSE))
		return;
	hash = hash_slot(hash_add(hash_add(0, f->owner), (uint64_t)f->desc));
	p = opens_find(o, f->owner, f->desc, hash);
	if (f->kind == FACT_OPEN) {
		/* The close is not in the trace. */
		if (p && p->open)
			add_interval(o, p->file, p->owner, p->time, p->time, false);
		if (!p) {
			slots_add(&o->index, hash, o->nopening);
			p = PUSH(o->opening, o->nopening, o->opening_cap);
		}
		*p = (struct opening){f->time, f->desc, f->owner, f->file, true};
	} else if (p && p->open) {
		add_interval(o, p->file, p->owner, p->time, f->time, true);
		p->open = false;
	}
}

static int
by_file(const void *x, const void *y)
{
	const struct interval *a = x, *b = y;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->owner < b->owner ? -1 : a->owner > b->owner;
}

/* Returns whether two owners have a file open at the same time. v has its intervals, sorted by begin. An
 * interval of length 0 does not count. */
static bool
overlap(const struct access *x, const struct interval *v, size_t n)
{
	/* Greatest end so far, and greatest end of another owner. */
	uint64_t end = 0, other = 0;
	uint32_t owner = NOBODY;

	for (size_t i = 0; i < n; i++) {
		uint64_t to = access_time(x, v[i].to);

		if (to == v[i].order)
			continue;
		if (owner != NOBODY && v[i].order < (v[i].owner == owner ? other : end))
			return true;
		if (v[i].owner == owner)
			end = to > end ? to : end;
		else if (owner == NOBODY || to > end) {
			other = end;
			end = to;
			owner = v[i].owner;
		} else
			other = to > other ? to : other;
	}
	return false;
}

void
opens_finish(struct access *x)
{
	struct opens *o = x->opens;
	size_t from = 0;

	for (uint32_t i = 0; i < o->nopening; i++) {
		const struct opening *p = &o->opening[i];

		if (p->open)
			add_interval(o, p->file, p->owner, p->time, x->greatest, false);
	}
	for (size_t i = 0; i < o->n; i++)
		o->interval[i].order = access_time(x, o->interval[i].from);
	if (o->n)
		qsort(o->interval, o->n, sizeof *o->interval, by_file);
	for (size_t i = 0; i < o->n; i++) {
		if (i + 1 < o->n && o->interval[i + 1].file == o->interval[i].file)
			continue;
		if (o->interval[i].file != NOBODY)
			x->file[o->interval[i].file].concurrent =
			    overlap(x, o->interval + from, i + 1 - from);
		from = i + 1;
	}
}

void
opens_free(struct access *x)
{
	if (!x->opens)
		return;
	free(x->opens->opening);
	slots_free(&x->opens->index);
	free(x->opens->interval);
	free(x->opens);
}
