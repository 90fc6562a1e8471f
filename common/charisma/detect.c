/*
 * detect.c - finds the preset that a trace was written with; finds the length of a record.
 *
 * Nothing in a trace names its layout. Each preset of the trace's byte order is tried: it reads the header record,
 * whose values have known ranges, and walks the next records; a wrong layout soon meets an unknown type. The
 * padding after a record with an array is unknown as well; for each preset all ways are tried, the usual one
 * first.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma_trace.h"

#define WALK_MOST 1000	      /* limit of records in a walk */
#define POINTS_HEADER 20      /* for each of the header's ten points */
#define POINTS_TIME 10	      /* for a clock that has run less than centuries */
#define POINTS_CLEAN 200      /* for a walk without errors */
#define POINTS_RECORD_MOST 90 /* limit of the points for records, one each */
#define POINTS_ENOUGH 180     /* nine of the header's ten points, or a clean walk */
/* In ticks of an unknown unit: about a year, if a tick is 32 ns. */
#define TIME_NEAR (1ull << 50)
#define DAY 86400 /* seconds */
/* If a walk meets an unknown type, but so many records before are correct, the layout is still right: the trace is
 * damaged. */
#define WALKED_SURE 3

static bool
in_range(const struct layout *l, const uint8_t *p, bool big, const char *name,
	 int64_t least, int64_t most)
{
	struct load_spec f = layout_header_load(l, name, big);
	int64_t v;

	if (f.none)
		return true;
	v = (int64_t)load_num(p, &f, big);
	return v >= least && v <= most;
}

static bool
printable(const uint8_t *p, uint32_t n)
{
	for (uint32_t i = 0; i < n && p[i]; i++)
		if (p[i] < ' ' || p[i] > '~')
			return false;
	return true;
}

int
charisma_header_points(const struct layout *l, const uint8_t *p, bool big)
{
	static const char *const counts[] = {"num_processors", "memory_per_proc",
					     "num_disks", "num_IO_nodes",
					     "memory_per_disk"};
	const struct layout_field *f =
	    layout_field(layout_kind(l, KIND_HEADER), "release_data");
	struct load_spec unit = layout_header_load(l, "timestamp_unit", big);
	int points = 0, good = 0;
	uint64_t bits;
	double d;

	points += 2 * in_range(l, p, big, "system_type", 1, 8);
	points += in_range(l, p, big, "gmt_offset", -50400, 50400);
	points += in_range(l, p, big, "start_date", 1, UINT32_MAX);
	points += in_range(l, p, big, "md_version", 0, 1000);
	points += !f || printable(p + f->off, f->size);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		good += in_range(l, p, big, counts[i], 0, 1 << 20);
	points += good == 5 ? 2 : good > 2;
	bits = load_num(p, &unit, big);
	memcpy(&d, &bits, sizeof d);
	if (unit.shift || (isfinite(d) && d >= 1e-10 && d <= 1))
		points += 2;
	return points;
}

enum measure_result
charisma_measure(const struct charisma *c, const uint8_t *p, size_t left,
		 const struct charisma_plan **plan, uint64_t *n, uint64_t *bytes)
{
	const struct charisma_plan *pl = NULL;
	unsigned type;

	*n = 1;
	*plan = NULL;
	*bytes = c->l.comp >= 0 && left && *p == c->l.comp ? 4 : 2;
	if (left < *bytes)
		return MEASURE_MORE;
	if (*bytes == 4) {
		*bytes = comp_bytes(c, p);
		return MEASURED;
	}
	type = charisma_type(p, c->big);
	if (type < 256) {
		if (c->known[type])
			pl = &c->plan[c->known[type] - 1];
	} else {
		const struct layout_record *r = layout_record(&c->l, type);

		pl = r ? &c->plan[r - c->l.record] : NULL;
	}
	if (!pl)
		return MEASURE_UNKNOWN;
	*plan = pl;
	if (!pl->rec->repeat) {
		*bytes = layout_bytes(&c->l, pl->rec, 1);
		return MEASURED;
	}
	*bytes = pl->rec->fixed;
	if (left < *bytes)
		return MEASURE_MORE;
	*n = load_num(p, &pl->count, c->big);
	if (*n > IN_LONGEST / 2 / pl->rec->element)
		return MEASURE_LONG;
	*bytes = layout_bytes(&c->l, pl->rec, *n);
	return MEASURED;
}

/* Returns true if the record at p is plausible: its strings are printable, and its time is at most a day before
 * the header's and at most a year after. `day` is a day in ticks, 0 if the unit is unknown. */
static bool
looks_right(const struct charisma *c, const struct charisma_plan *pl, const uint8_t *p,
	    uint64_t day)
{
	const struct layout_record *r = pl->rec;

	if (r->kind == KIND_HEADER)
		return charisma_header_points(&c->l, p, c->big) >= 8;
	for (uint32_t i = 0; i < r->nfields; i++)
		if (c->l.type[r->field[i].type].class == CLASS_CHAR &&
		    !printable(p + r->field[i].off, r->field[i].size))
			return false;
	if (!pl->time.from.none && !pl->time.element) {
		uint64_t t = load_num(p, &pl->time.from, c->big);

		if (t - c->clock.zero > (day ? 366 * day : TIME_NEAR) &&
		    c->clock.zero - t > (day ? day : TIME_NEAR))
			return false;
	}
	return true;
}

/* The result of reading the records after the header by a layout. */
struct layout_walk {
	unsigned records, odd; /* number of records, and of implausible ones */
	bool clean; /* the walk reached the end of the bytes, or WALK_MOST records */
	/* the walk stopped at an unknown type, or a record that is too long */
	bool lost;
};

/* Walks over the records in [p, end). `day` is a day in ticks, 0 if the unit is unknown. */
static struct layout_walk
walk_records(struct charisma *c, const uint8_t *p, const uint8_t *end, bool whole,
	     uint64_t day)
{
	struct layout_walk w = {0};
	uint64_t count, bytes;

	for (; p < end && w.records < WALK_MOST; p += bytes) {
		const struct charisma_plan *pl;
		enum measure_result m =
		    charisma_measure(c, p, (size_t)(end - p), &pl, &count, &bytes);

		w.lost = m == MEASURE_UNKNOWN || m == MEASURE_LONG;
		if (w.lost)
			return w;
		if (m == MEASURE_MORE || bytes > (size_t)(end - p)) {
			/* The record goes on after `end`: check its beginning. */
			if (m == MEASURED && pl && pl->rec->fixed <= (size_t)(end - p)) {
				w.odd += !looks_right(c, pl, p, day);
				w.lost = whole && pl->rec->repeat;
			}
			w.clean = !whole;
			return w;
		}
		w.records++;
		if (pl && !looks_right(c, pl, p, day)) {
			w.odd++;
			/* The reader would stop at such a header. */
			w.lost = pl->rec->kind == KIND_HEADER;
			if (w.lost)
				return w;
		}
	}
	w.clean = true;
	return w;
}

/*
 * Returns the points of the layout in c->l for p[0..n), the bytes after the magic number and the version; its header
 * record has `sum` points. *right is the number of records that look right. The points are too few if the walk ends
 * at an unknown type, in a record that is too long, or in records that look wrong.
 */
static int
points(struct charisma *c, int sum, const uint8_t *p, size_t n, bool whole, unsigned *right)
{
	const struct layout_record *h = layout_kind(&c->l, KIND_HEADER);
	struct load_spec unit_at = layout_header_load(&c->l, "timestamp_unit", c->big);
	double unit = unit_at.none ? 0 : load_float(p, &unit_at, c->big);
	uint64_t size = layout_bytes(&c->l, h, 1);
	struct layout_walk w;

	*right = 0;
	/* Do not walk: the walk could not add enough points. */
	if (n < size || sum < POINTS_HEADER * HEADER_POINTS / 2)
		return n < size ? 0 : sum;
	memset(c->known, 0, sizeof c->known);
	plans_make(c, false);
	w = walk_records(c, p + size, p + n, whole,
			 unit >= 1e-10 && unit <= 1 ? (uint64_t)(DAY / unit) : 0);
	plans_free(c);
	*right = w.records > w.odd ? w.records - w.odd : 0;
	w.clean = w.clean && 4 * w.odd <= w.records;
	if ((w.lost && *right < WALKED_SURE) || (!w.clean && 2 * w.odd > *right))
		sum = sum < POINTS_ENOUGH ? sum : POINTS_ENOUGH - 1;
	if (w.clean)
		sum += POINTS_CLEAN;
	if (sum < POINTS_ENOUGH)
		return sum;
	return sum + (int)(*right < POINTS_RECORD_MOST ? *right : POINTS_RECORD_MOST);
}

/* The best preset so far. */
struct choice {
	int points;
	unsigned right; /* number of plausible records */
	char tie[256];	/* other presets that are as good, each as " and NAME" */
};

/* Tries a preset with each of the tails. If it is better than `best`, updates *best and *l. */
static void
try_preset(struct charisma *c, const char *preset, const uint8_t *p, size_t n, bool whole,
	   struct choice *best, struct layout *l)
{
	enum layout_tail tail = TAIL_PAD;
	unsigned right, most_right = 0;
	int most = 0, header;

	layout_preset(&c->l, preset);
	if (n - 8 < layout_kind(&c->l, KIND_HEADER)->fixed)
		return;
	c->clock.zero = header_num(&c->l, p + 8, "timestamp", c->big);
	header = POINTS_HEADER * charisma_header_points(&c->l, p + 8, c->big) +
		 (c->clock.zero >> 56 == 0 ? POINTS_TIME : 0);
	for (int t = TAIL_PAD; t <= TAIL_NOPAD; t++) {
		int got;

		c->l.tail = (enum layout_tail)t;
		got = points(c, header, p + 8, n - 8, whole, &right);
		if (got > most) {
			most = got;
			most_right = right;
			tail = (enum layout_tail)t;
		}
	}
	if (most > best->points) {
		best->points = most;
		best->right = most_right;
		c->l.tail = tail;
		*l = c->l;
		best->tie[0] = '\0';
	} else if (most == best->points && most) {
		size_t at = strlen(best->tie);

		snprintf(best->tie + at, sizeof best->tie - at, " and %s", c->l.name);
	}
}

bool
charisma_detect(struct layout *l, const uint8_t *p, size_t n, bool whole, bool big,
		char *why, size_t whysize)
{
	struct charisma *c = xcalloc(1, sizeof *c);
	struct choice best = {0};
	int order = big ? 'b' : 'l';

	c->big = big;
	for (size_t i = 0; layout_presets[i]; i++)
		if (layout_preset_order(layout_presets[i]) == order)
			try_preset(c, layout_presets[i], p, n, whole, &best, l);
	free(c);
	if (best.points >= POINTS_ENOUGH && !best.tie[0])
		return true;
	if (best.points >= POINTS_ENOUGH)
		snprintf(why, whysize,
			 "the layouts %s%s fit equally well: give -O preset or -O layout",
			 l->name, best.tie);
	else if (!best.points)
		snprintf(why, whysize,
			 "the header record is cut off, or no preset fits it");
	else
		snprintf(why, whysize,
			 "no preset fits the header and the next records%s%s%s: "
			 "give -O preset or -O layout",
			 best.right ? " (" : "", best.right ? l->name : "",
			 best.right ? " comes nearest)" : "");
	if (!best.points || best.tie[0])
		memset(l, 0, sizeof *l);
	return false;
}
