/* access_spread.c - see access_spread.h. */
#include <stdlib.h>

#include "trace-access/access_spread.h"
#include "base/die.h"

void
spread_add(struct spread *s, uint32_t row, uint64_t v, uint64_t times)
{
	struct spread_row *r;
	uint64_t low, high;

	GROW(s->row, s->cap, row + 1);
	hists_room(&s->hists, row + 1);
	hists_add_times(&s->hists, row, v, times, SPREAD_BITS);
	r = &s->row[row];
	r->least = !r->n || v < r->least ? v : r->least;
	r->greatest = v > r->greatest ? v : r->greatest;
	mul64(v, times, &low, &high);
	r->sum[0] += low;
	/* no overflow: the high half of a product is not all ones */
	high += r->sum[0] < low;
	r->sum[1] += high;
	r->sum[2] += r->sum[1] < high;
	r->n += times;
}

uint64_t
spread_percentile(const struct spread *s, uint32_t row, unsigned percent)
{
	size_t n, i = 0;
	struct bucket *b = hists_buckets(&s->hists, row, SPREAD_BITS, &n);
	uint64_t all = s->row[row].n,
		 want = all / 100 * percent + (all % 100 * percent + 99) / 100,
		 seen = b[0].count, v;

	while (seen < want && i + 1 < n)
		seen += b[++i].count;
	v = b[i].low + (b[i].high - b[i].low) / 2;
	v = v < s->row[row].least ? s->row[row].least : v;
	v = v > s->row[row].greatest ? s->row[row].greatest : v;
	free(b);
	return v;
}

void
spread_free(struct spread *s)
{
	hists_free(&s->hists);
	free(s->row);
}
