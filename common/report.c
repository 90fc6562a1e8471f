/* report.c - the report of trace-stats. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "put.h"
#include "report.h"

#define LOCS 10

static void PRINTF(2, 3) print(struct out *o, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	out_str(o, text);
}

static const char *
text_of(char to[static 64], uint8_t *end)
{
	*end = '\0';
	return to;
}

/* A part of a whole as a percentage with one decimal. */
static double
percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void
put_span(const struct answer *r, struct out *o, uint64_t events)
{
	const struct stats *st = &r->st[REPORT_EVENT];
	uint64_t span = (uint64_t)st->tmax - (uint64_t)st->tmin;
	bool ns = st->clock == CLOCK_NS;
	struct value v = {ns ? NANO_POS : INT_POS, span};
	char a[64];

	print(o, "span     %s %s\n", text_of(a, value_put((uint8_t *)a, v)),
	      ns ? "s" : "ticks");
	if (ns && span)
		print(o, "rate     %.1f events/s\n", (double)events * 1e9 / (double)span);
}

static void
put_row(const struct stats *st, struct out *o, uint32_t g, uint64_t events, int width)
{
	const struct column *size = &st->col[0];
	const struct str *name = &st->text.v[st->key[g]];
	char sum[256], least[64], mean[64], most[64];
	struct value v;
	bool nano;

	print(o, "%-*.*s %12llu %5.1f%%", width, width, name->s,
	      (unsigned long long)st->count[g], percent(st->count[g], events));
	if (column_extreme(size, g, false, &v)) {
		struct swide s = column_sum(size, g, &nano);

		*swide_put((uint8_t *)sum, &s, 0, false) = '\0';
		*value_put((uint8_t *)least, v) = '\0';
		column_extreme(size, g, true, &v);
		*value_put((uint8_t *)most, v) = '\0';
		*mean_put((uint8_t *)mean, size, g) = '\0';
		mean[strcspn(mean, ".")] = '\0';
		print(o, " %16s %8s %8s %9s", sum, least, mean, most);
	}
	print(o, "\n");
}

/* The busiest first; equal ones in the order of their names. */
struct busy {
	uint64_t count;
	uint32_t place, group;
};

static int
busy_cmp(const void *x, const void *y)
{
	const struct busy *a = x, *b = y;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

void
report_put(struct answer *r, struct out *o, int style)
{
	uint32_t n, locs, *order = stats_order(&r->st[REPORT_EVENT], &n);
	uint32_t *loc_order = stats_order(&r->st[REPORT_LOC], &locs);
	struct busy *busy = xcalloc(locs, sizeof *busy);
	uint64_t events = 0;

	uint64_t lost = r->lost;
	(void)style;
	for (uint32_t i = 0; i < n; i++)
		events += r->st[REPORT_EVENT].count[order[i]];
	if (events) {
		print(o, "format   %s\n", r->format);
		print(o, "events   %llu\n", (unsigned long long)events);
		put_span(r, o, events);
	}
	if (lost)
		print(o, "skipped  %llu records\n", (unsigned long long)lost);
	if (events)
		print(o, "\n%-14s %12s %6s %16s %8s %8s %9s\n", "event", "count", "share",
		      "bytes", "least", "mean", "greatest");
	for (uint32_t i = 0; i < n; i++)
		put_row(&r->st[REPORT_EVENT], o, order[i], events, 14);
	for (uint32_t i = 0; i < locs; i++)
		busy[i] =
		    (struct busy){r->st[REPORT_LOC].count[loc_order[i]], i, loc_order[i]};
	qsort(busy, locs, sizeof *busy, busy_cmp);
	if (events)
		print(o, "\n%-14s %12s %6s %16s %8s %8s %9s\n", "location", "count",
		      "share", "bytes", "least", "mean", "greatest");
	for (uint32_t i = 0; i < locs && i < LOCS; i++)
		put_row(&r->st[REPORT_LOC], o, busy[i].group, events, 14);
	if (locs > LOCS)
		print(o, "... and %u more\n", locs - LOCS);
	free(order);
	free(loc_order);
	free(busy);
}
