/* same.c - see same.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/mem.h"
#include "input/trace.h"
#include "pair/keys.h"
#include "trace-merge/same.h"

#define NANO 1000000000u
/* Bound: trace-merge | events of --match | keys of an input | 1048576 | - */
#define MOST (1u << 20) /* limit of keys of an input */
/* With fewer pairs, only an offset is computed. */
#define DRIFTS 6
/* Rounds of the fit: each reduces the remaining error of the slope by far more than half. */
#define ROUNDS 10

struct noted {
	uint64_t hash; /* mix64() of the key, a bijection */
	int64_t time;
};

/* The events of an input. */
struct input {
	struct keys keys;
	uint64_t none; /* key of an event without one */
	struct noted *v;
	size_t n, cap;
	uint64_t most; /* hashes below this are kept */
	int64_t first; /* time of its first event, with or without a key */
	enum merge_align align;
	bool any;
	enum clock clock;
};

struct time_shift {
	int64_t x, d; /* x: time in this input; d: time in the first input - x */
};

static int
noted_cmp(const void *a, const void *b)
{
	const struct noted *x = a, *y = b;

	return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
				  : (x->time > y->time) - (x->time < y->time);
}

static int
pair_cmp(const void *a, const void *b)
{
	const struct time_shift *x = a, *y = b;

	return x->x != y->x ? (x->x < y->x ? -1 : 1) : (x->d > y->d) - (x->d < y->d);
}

static int
double_cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Keeps only the keys whose hash is in the lower half of the range. */
static COLD void
halve(struct input *in)
{
	size_t n = 0;

	in->most /= 2;
	for (size_t i = 0; i < in->n; i++)
		if (in->v[i].hash < in->most)
			in->v[n++] = in->v[i];
	in->n = n;
}

static bool
note_times(void *arg, struct source *s, const struct batch *b)
{
	struct input *in = arg;
	uint64_t key[BATCH];
	uint32_t pick[BATCH];
	int64_t flip; /* so that times in ticks compare, too */
	uint64_t plus;

	keys_bind(&in->keys, s);
	for (uint32_t i = 0; i < b->n; i++)
		pick[i] = i;
	keys_of(&in->keys, s, b, pick, b->n, key);
	in->clock = s->head.clock;
	flip = (int64_t)(time_flip(CLOCK_NS) ^ time_flip(in->clock));
	plus =
	    in->align != ALIGN_NONE && in->clock == CLOCK_NS ? (uint64_t)s->head.origin : 0;
	for (uint32_t i = 0; i < b->n; i++) {
		struct noted one = {
		    mix64(key[i]),
		    (int64_t)((uint64_t)(batch_rec(b, i)->time ^ flip) + plus)};

		if (!in->any)
			in->first = one.time;
		in->any = true;
		if (key[i] == in->none || one.hash >= in->most)
			continue;
		*PUSH(in->v, in->n, in->cap) = one;
		/* A value that comes twice no longer identifies an event, but must stay known as such. */
		while (in->n > MOST)
			halve(in);
	}
	return true;
}

/* Reads the events of an input with keys that no other of its events has, sorted by hash. */
static void
read_input(struct input *in, const struct read_options *opt, const char *keys,
	   enum merge_align align, const char *path)
{
	struct read_options own = *opt;
	struct stat st;
	char *paths[] = {(char *)(uintptr_t)path};
	size_t n = 0;

	*in = (struct input){.most = UINT64_MAX, .align = align};
	keys_parse(&in->keys, keys);
	in->none = keys_none(&in->keys);
	own.need = keys_need(&in->keys) | NEED_TIME;
	own.streams_pass = false;
	own.slice = NULL; /* in the clock of the output */
	own.quiet = true; /* the merge reports the errors */
	if (strcmp(path, "-") != 0 && stat(path, &st))
		die("%s:", path);
	if (!strcmp(path, "-") || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		die("%s: --match reads inputs twice: each must be a file", path);
	trace_each(&own, paths, 1, &(struct consumer){.batch = note_times, .arg = in});
	keys_finish(&in->keys);
	keys_free(&in->keys);
	if (in->n)
		qsort(in->v, in->n, sizeof *in->v, noted_cmp);
	for (size_t i = 0, end; i < in->n; i = end) {
		for (end = i + 1; end < in->n && in->v[end].hash == in->v[i].hash;)
			end++;
		if (end == i + 1)
			in->v[n++] = in->v[i];
	}
	in->n = n;
}

/* Returns the times of events in both inputs, sorted by time, and sets *n to their number. The caller frees
 * them. */
static struct time_shift *
find_pairs(const struct input *first, const struct input *in, size_t *n)
{
	struct time_shift *v = xcalloc(in->n + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0, k = 0; i < in->n; i++) {
		while (k < first->n && first->v[k].hash < in->v[i].hash)
			k++;
		if (k < first->n && first->v[k].hash == in->v[i].hash)
			v[(*n)++] = (struct time_shift){
			    in->v[i].time, (int64_t)((uint64_t)first->v[k].time -
						     (uint64_t)in->v[i].time)};
	}
	qsort(v, *n, sizeof *v, pair_cmp);
	return v;
}

/* Returns how far pair i is above a line with that slope through `at`. d0 keeps numbers small. */
static double
above(const struct time_shift *p, int64_t at, int64_t d0, double slope)
{
	return (double)((int64_t)((uint64_t)p->d - (uint64_t)d0)) -
	       slope * (double)(int64_t)((uint64_t)p->x - (uint64_t)at);
}

static double
median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, double_cmp);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Returns the slope of Tukey's line through the medians of the first and the last third. */
static double
find_slope(const struct time_shift *v, size_t n, int64_t at, int64_t d0, double *room)
{
	size_t third = n / 3;
	double slope = 0, way;

	way =
	    (double)(int64_t)((uint64_t)v[n - 1 - third / 2].x - (uint64_t)v[third / 2].x);
	for (int round = 0; way > 0 && round < ROUNDS; round++) {
		double low, high;

		for (size_t i = 0; i < third; i++)
			room[i] = above(&v[i], at, d0, slope);
		low = median(room, third);
		for (size_t i = 0; i < third; i++)
			room[i] = above(&v[n - third + i], at, d0, slope);
		high = median(room, third);
		slope += (high - low) / way;
	}
	return slope;
}

/* Returns v, in ns or ticks, as a number of the command line. */
static struct num
num_of(int64_t v, enum clock clock)
{
	uint64_t m = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	if (clock == CLOCK_TICKS)
		return (struct num){.whole = m, .neg = v < 0};
	return (struct num){.whole = m / NANO, .nano = (uint32_t)(m % NANO), .neg = v < 0};
}

static void
report_shift(const struct input *in, const char *name, size_t number,
	     const struct merge_shift *s, size_t n, double middle, double most)
{
	const char *unit = in->clock == CLOCK_NS ? " s" : " ticks";
	double each = in->clock == CLOCK_NS ? NANO : 1;

	warn("%s: %s--offset @%zu=%s%llu.%09u%s --scale @%zu=%u.%09u, by %zu event%s that "
	     "both "
	     "have; then half of them differ by at most %.3g%s, all by %.3g%s",
	     name,
	     in->align == ALIGN_FIRST  ? "--align first "
	     : in->align == ALIGN_NONE ? "--align none "
				       : "",
	     number, s->offset.neg ? "-" : "", (unsigned long long)s->offset.whole,
	     s->offset.nano, in->clock == CLOCK_NS ? "s" : "", number,
	     (unsigned)s->scale.whole, s->scale.nano, n, n == 1 ? "" : "s", middle / each,
	     unit, most / each, unit);
}

/* Returns the median distance of the pairs from the line with that slope, *offset above `at` and d0. Leaves the
 * sorted distances in `room`. */
static double
spread(const struct time_shift *v, size_t n, int64_t at, int64_t d0, double slope,
       double *room, double *offset)
{
	for (size_t i = 0; i < n; i++)
		room[i] = above(&v[i], at, d0, slope);
	*offset = median(room, n);
	for (size_t i = 0; i < n; i++)
		room[i] = fabs(room[i] - *offset);
	return median(room, n);
}

/* Sets the shift of input `number` by its pairs v[0..n). */
static void
fit(const char *name, size_t number, const struct input *first, const struct input *in,
    const struct time_shift *v, size_t n, struct merge_shift *s)
{
	double *room = xcalloc(n + 1, sizeof *room), slope = 0, flat, middle, offset;
	int64_t d0 = v[n / 2].d, nano;
	uint64_t base;

	if (n >= DRIFTS)
		slope = find_slope(v, n, in->first, d0, room);
	/* --scale has nine decimals, and is between 0 and 2 here. */
	nano = slope > -1 && slope < 1 ? (int64_t)llround(slope * NANO) : 0;
	flat = spread(v, n, in->first, d0, 0, room, &offset);
	middle = spread(v, n, in->first, d0, (double)nano / NANO, room, &offset);
	if (middle >= flat) {
		/* A drift brings the clocks no nearer. */
		nano = 0;
		middle = spread(v, n, in->first, d0, 0, room, &offset);
	}
	s->offset_set = true;
	/* If the first event of each input is at 0, this difference is already removed. */
	base = in->align == ALIGN_FIRST ? (uint64_t)in->first - (uint64_t)first->first : 0;
	s->offset =
	    num_of((int64_t)((uint64_t)d0 + (uint64_t)llround(offset) + base), in->clock);
	s->scale_set = nano != 0;
	s->scale = (struct num){.whole = nano >= 0,
				.nano = (uint32_t)(nano >= 0 ? nano : NANO + nano)};
	report_shift(in, name, number, s, n, middle, room[n - 1]);
	free(room);
}

void
same_clocks(const struct read_options *opt, const char *keys, enum merge_align align,
	    const char *const *path, size_t n, struct merge_shift *shift)
{
	struct input first, in;

	read_input(&first, opt, keys, align, path[0]);
	for (size_t i = 1; i < n; i++) {
		struct time_shift *v;
		size_t pairs;

		read_input(&in, opt, keys, align, path[i]);
		if (in.any && first.any && in.clock != first.clock)
			die("%s: the clock counts another unit than the clock of %s",
			    path[i], path[0]);
		v = find_pairs(&first, &in, &pairs);
		if (!pairs)
			die("--match %s: no event of %s matches one of %s", keys, path[i],
			    path[0]);
		fit(path[i], i + 1, &first, &in, v, pairs, &shift[i]);
		free(v);
		free(in.v);
	}
	free(first.v);
}
