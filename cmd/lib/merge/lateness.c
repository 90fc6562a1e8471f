/* lateness.c - see lateness.h */
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "merge/lateness.h"

#define MARKS 65536 /* most marks; beyond, every other one is dropped */
#define SHIFT 6	    /* at first there is a mark for every 2^SHIFT events */

void
lateness_mark(struct lateness *l)
{
	if (!l->mark) {
		l->mark = xmalloc(MARKS * sizeof *l->mark);
		l->shift = SHIFT;
	}
	if (l->marks == MARKS) {
		for (size_t i = 0; i < MARKS / 2; i++)
			l->mark[i] = l->mark[2 * i];
		l->marks = MARKS / 2;
		l->shift++;
		if (l->n & ((1ull << l->shift) - 1))
			return;
	}
	l->mark[l->marks++] = l->max;
}

void
lateness_late(struct lateness *l, uint64_t key)
{
	size_t lo = 0, hi = l->marks, mid;
	uint64_t from;

	if (!l->late++)
		l->first = l->n + 1;
	if (l->max - key > l->by)
		l->by = l->max - key;
	/* Mostly the first later event is within the distance that is already known. */
	if (l->n > l->records) {
		mid = (size_t)((l->n - l->records - 1) >> l->shift) + 1;
		if (mid < l->marks && l->mark[mid] <= key)
			return;
	}
	/* The first event that is later lies between two marks. */
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->mark[mid] > key)
			hi = mid;
		else
			lo = mid + 1;
	}
	from = (lo ? lo - 1 : 0) << l->shift;
	if (l->n - from > l->records)
		l->records = l->n - from;
}

void
lateness_free(struct lateness *l)
{
	free(l->mark);
	*l = (struct lateness){0};
}

void
lateness_text(char to[32], enum clock clock, uint64_t by)
{
	if (clock == CLOCK_NS)
		snprintf(to, 32, "%llu.%09llu", (unsigned long long)(by / 1000000000),
			 (unsigned long long)(by % 1000000000));
	else
		snprintf(to, 32, "%llu", (unsigned long long)by);
}
