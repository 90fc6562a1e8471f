/* rate.c - events, and bytes, per second over time by name. */
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "expr/filter.h"
#include "number/shares.h"
#include "stats/column.h"
#include "trace-plot/rate.h"

/* State of rate. If the format marks events that send, only their bytes count, as in a report: a message would
 * otherwise count three times, when it is sent, when its receive begins, and when the receive ends. In inputs
 * of other formats all bytes count. */
struct rate {
	unsigned head_serial; /* serial of the head that `sends` is for */
	struct expr *sends;   /* condition of events whose bytes count; NULL: all count */
	uint64_t widths[65];  /* --step, and its doublings */
};

#define MS UINT64_C(1000000)
#define S (1000 * MS)
#define MIN (60 * S)
#define H (60 * MIN)
#define D (24 * H)

/* Usual steps, each a multiple of the previous one. */
static const uint64_t clock_widths[] = {
    1,	    5,	    10,	    50,	     100,      500,	 1000,	   5000,     10000, 50000,
    100000, 500000, MS,	    5 * MS,  10 * MS,  50 * MS,	 100 * MS, 500 * MS, S,	    5 * S,
    15 * S, 30 * S, MIN,    5 * MIN, 15 * MIN, 30 * MIN, H,	   3 * H,    6 * H, 12 * H,
    D,	    5 * D,  10 * D, 50 * D,  100 * D,  500 * D,	 1000 * D, 5000 * D, 0};

static void
rate_close(struct plot *p)
{
	expr_free(((struct rate *)p->state)->sends);
}

static void
rate_open(struct plot *p)
{
	struct rate *m = xcalloc(1, sizeof *m);

	p->state = m;
	if (p->opts.sum && strcmp(p->opts.sum, "count") != 0 &&
	    strcmp(p->opts.sum, "sum(size)") != 0)
		die("-a %s: rate can only draw count or sum(size)", p->opts.sum);
	p->bins.most = RATE_BINS;
}

/* Sets the widths of bins from the clock and --step. */
static void
rate_begin(struct plot *p)
{
	struct rate *m = p->state;
	uint64_t step = p->opts.step;

	p->bins.widths = p->clock == CLOCK_NS ? clock_widths : NULL;
	if (!step)
		return;
	if (p->clock == CLOCK_TICKS && (p->opts.step_timed || step % S))
		die("--step: the clock counts ticks: give a whole number of ticks");
	if (p->clock == CLOCK_TICKS)
		step /= S;
	memset(m->widths, 0, sizeof m->widths);
	for (size_t i = 0; step <= INT64_MAX / 2 && i < 64; step *= 2)
		m->widths[i++] = step;
	p->bins.widths = m->widths;
	p->bins.zero =
	    p->clock == CLOCK_TICKS && m->widths[0] & (m->widths[0] - 1) ? INT64_MIN : 0;
}

/* Dies if the sums of --spread may exceed 64 bits. Returns true. */
static bool
rate_able(const struct plot *p)
{
	if (p->opts.spread && p->events > UINT64_MAX / SHARES_ONE)
		die("--spread: more than 18446744073 events: their sums are beyond 64 "
		    "bits");
	return true;
}

/* Divides an event over the bins that it covers, in the slots from `slot` on. */
static void
spread(struct plot *p, const struct rec *r, uint32_t slot, uint64_t bytes)
{
	int64_t from = r->time ^ p->flip, last = from, i, end;
	struct bins *b = &p->bins;
	struct shares count = {.left = SHARES_ONE}, size = {.left = bytes};

	if (r->has & HAS_DUR && r->dur > 0)
		last = from > INT64_MAX - (r->dur - 1) ? INT64_MAX : from + r->dur - 1;
	bins_row(b, from);
	bins_row(b, last);
	p->last = last > p->last ? last : p->last;
	i = bins_index(b, from);
	end = bins_index(b, last);
	if (i < end) {
		uint64_t first = (uint64_t)bins_low(b, i + 1) - (uint64_t)from;

		shares_open(&count, SHARES_ONE, first, bins_width(b), (uint64_t)r->dur);
		shares_open(&size, bytes, first, bins_width(b), (uint64_t)r->dur);
	}
	for (bool more = true; more; i += more) {
		uint64_t *sum = bins_at(b, i) + slot;

		more = i < end;
		bytes = shares_take(&size, !more);
		sum[RATE_EVENTS] += shares_take(&count, !more);
		sum[RATE_BYTES] += (uint32_t)bytes;
		sum[RATE_HIGH] += bytes >> 32;
	}
}

static void
rate_add(struct plot *p, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	uint32_t id[BATCH], most, room[BATCH], sent = 0;
	struct rate *m = p->state;
	const uint32_t *bytes = NULL;

	if (!names_of(&p->key, s, b, pick, n, id))
		return;
	if (m->head_serial != s->head_serial) {
		const char *test = rate_sent(p, traits_source(s));

		m->head_serial = s->head_serial;
		expr_free(m->sends);
		m->sends = test ? expr_parse(test) : NULL;
	}
	if (m->sends && !expr_choose(m->sends, s, b, room, &bytes, &sent))
		return;
	most = p->key.text.n;
	while (!bins_slots(&p->bins, RATE_SUMS * most))
		most = p->bins.nslots / RATE_SUMS;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t event = pick ? pick[i] : i;
		uint32_t slot = RATE_SUMS * (likely(id[i] < most) ? id[i] : 0);
		const struct rec *r = batch_rec(b, event);
		uint64_t size, *sum;

		/* Both lists are in the order of the batch. */
		for (; sent && *bytes < event; bytes++)
			sent--;
		size = !m->sends || (sent && *bytes == event) ? r->size : 0;
		if (p->opts.spread) {
			spread(p, r, slot, size);
			continue;
		}
		sum = bins_row(&p->bins, r->time ^ p->flip) + slot;
		sum[RATE_EVENTS]++;
		sum[RATE_BYTES] += (uint32_t)size;
		sum[RATE_HIGH] += size >> 32;
	}
	p->events += n;
}

static void
rate_bins(struct plot *p, struct table *t)
{
	uint32_t n = p->bins.nslots / RATE_SUMS, *order = names_sorted(&p->key, n);
	struct swide parts = {.neg = false};
	struct buf *b;

	bins_head(t, "time", "end", plot_key(p), "count",
		  rate_sent(p, p->traits) ? "sent" : "sum(size)");
	EACH_BIN (&p->bins, i)
		for (uint32_t k = 0; k < n; k++) {
			const uint64_t *sum = bins_at(&p->bins, i) + RATE_SUMS * order[k];

			if (!(sum[RATE_EVENTS] | sum[RATE_BYTES] | sum[RATE_HIGH]))
				continue;
			put_bin(t, p, i);
			table_text(t, p->key.text.v[order[k]].s);
			if (p->opts.spread) {
				b = table_cell(t);
				parts.m = wide_u64(sum[RATE_EVENTS]);
				buf_to(b, swide_put(buf_room(b, WIDE_DIGITS + PUT_SLACK),
						    &parts, 9, true));
			} else
				table_u64(t, sum[RATE_EVENTS]);
			b = table_cell(t);
			buf_to(b, i128_put(buf_room(b, 40 + PUT_SLACK),
					   rate_amount(sum, true)));
			table_row(t);
		}
}

const struct plot_kind kind_rate = {
    .name = "rate",
    .about = "events and bytes per second over time",
    .time = true,
    .need = NEED_SIZE,
    .key = "event",
    .log = "y",
    .linear = "xy",
    .why = "has an axis of time, which is always linear",
    .steps = true,
    .open = rate_open,
    .begin = rate_begin,
    .add = rate_add,
    .able = rate_able,
    .sums = RATE_SUMS,
    .each = sums_each,
    .slot = sums_slot,
    .mark = mark_time,
    .svg = rate_svg,
    .terminal = rate_terminal,
    .bins = rate_bins,
    .free = rate_close,
};
