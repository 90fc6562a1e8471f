/* dumpi_encode.c - events as DUMPI records, each in the file of its rank. */
#include <stdlib.h>
#include <string.h>

#include "trace-convert/dumpi_encode.h"
#include "event/value.h"

#define SECOND 1000000000

/* Reads a decimal number below `most` at *p, which '/' or the end must follow. Moves *p after both. Returns
 * false if there is none. */
static bool
take_part(const char **p, const char *end, uint32_t most, uint32_t *v)
{
	const char *slash = memchr(*p, '/', (size_t)(end - *p)), *z = slash ? slash : end;
	uint64_t n;

	if (digits_u64((const uint8_t *)*p, (size_t)(z - *p), &n) || n >= most)
		return false;
	*v = (uint32_t)n;
	*p = slash ? slash + 1 : end;
	return true;
}

/* Finds the rank and thread of a location, [job/]rank[/thread]. */
static COLD void
find_spot(const struct encode *e, uint32_t loc)
{
	struct dumpi_out *c = e->state;
	struct spot *at = &c->spot[loc];
	const struct str *s = &e->s->t.str.v[loc];
	const char *p = s->s, *end = p + s->len, *second = memchr(p, '/', s->len);
	uint32_t job = 0, rank = 0, thread = 0;
	bool named, jobs = c->jobs;

	jobs |= second && memchr(second + 1, '/', (size_t)(end - second - 1)) != NULL;
	at->why = "loc is not the number of a rank and a thread";
	if (jobs && !take_part(&p, end, DUMPI_JOBS_OUT, &job))
		return;
	named = *p != '-';
	if (!named)
		p += p + 1 < end && p[1] == '/' ? 2 : 1;
	if ((named && !take_part(&p, end, DUMPI_RANKS_OUT, &rank)) ||
	    (p < end && !take_part(&p, end, UINT16_MAX + 1, &thread)) || p != end)
		return;
	at->rank = dumpi_out_rank(c, jobs ? (int64_t)job : -1,
				  named || c->foreign ? (int64_t)rank : -1);
	at->why = at->rank ? NULL : "there are too many ranks";
	at->thread = (uint16_t)thread;
}

/* Returns the second that contains t, which is likely `near` or the next one. */
static INLINE int64_t
second_of(int64_t t, int64_t near)
{
	uint64_t since = (uint64_t)t - (uint64_t)near * SECOND;

	if (likely(since < SECOND))
		return near;
	return t >= 0 ? t / SECOND : -((-(t + 1)) / SECOND) - 1;
}

/* The current record. */
struct dumpi_build {
	struct encode *e;
	struct dumpi_out *c;
	struct dumpi_out_plan *pl;
	const struct rec *r;
	struct out_rank *k;
	int64_t sec[2]; /* second of the return, by clock */
	bool has[2];	/* the clock has a time */
};

/* Chooses the second from which a clock counts, at its first time. Returns NULL, or why it cannot count from
 * one. */
static const char *
begin_clock(struct out_rank *k, unsigned which, int64_t start, int64_t stop)
{
	struct out_clock *cl = &k->clock[which];
	int64_t first = second_of(start < stop ? start : stop, 0), since;

	if (cl->told) {
		since = second_of(stop, first) - cl->bias;
		if (since >= 0 && since <= UINT16_MAX)
			return NULL;
	}
	/* The bias precedes the records, and may be written already. */
	if (k->written)
		return "the time is more than 18 hours from the begin of the clock";
	if (first < 0)
		return "the time is before 0";
	if (first > INT32_MAX)
		return "the time is more than 2,147,483,647 seconds";
	cl->bias = first;
	dumpi_big32(k->waits.p + DUMPI_BODY + 4 * (size_t)which, (uint32_t)first);
	return NULL;
}

/* Writes the times of a call. Returns NULL, or why it cannot. */
static INLINE const char *
put_clock(struct dumpi_build *m, unsigned which, int64_t start, int64_t dur, uint8_t *p)
{
	struct out_rank *k = m->k;
	struct out_clock *cl = &k->clock[which];
	int64_t stop = time_plus(CLOCK_NS, start, dur), a, z, on;
	const char *why;

	if (unlikely(!cl->begun) && (why = begin_clock(k, which, start, stop)))
		return why;
	a = second_of(start, cl->bias + cl->last);
	z = second_of(stop, a);
	m->sec[which] = z - cl->bias;
	on = m->sec[which] - (cl->begun ? cl->last : 0);
	if (unlikely((uint64_t)(z - a) > UINT16_MAX))
		return dur < 0 ? "the call returns before it begins"
			       : "the call takes more than 18 hours";
	/* Times of one thread never go back; the reader expects other threads only after it has seen one. */
	if (unlikely(on < 0 || on > UINT16_MAX - DUMPI_BACK)) {
		if (m->sec[which] < 0)
			return "the call returns before the clock begins";
		if (on > 0 && (on > UINT16_MAX || k->threads))
			return "the call returns more than 18 hours after the previous one";
		if (on < 0 && (!k->threads || on < -DUMPI_BACK))
			return "the call returns seconds before the previous one";
	}
	big16(p, (uint32_t)(a - cl->bias));
	dumpi_big32(p + 2, (uint32_t)(start - a * SECOND));
	big16(p + 6, (uint32_t)m->sec[which]);
	dumpi_big32(p + 8, (uint32_t)(stop - z * SECOND));
	m->has[which] = true;
	return NULL;
}

/* Sets *t to the time in an argument, in ns. Returns false if it is missing, or not a time. */
static inline bool
time_arg(const struct dumpi_build *m, const struct field *f, int64_t *t)
{
	uint64_t v;
	bool neg;

	if (likely(f->load == LOAD_INT && f->number == K_NS)) {
		field_load(f, m->r, (uint64_t *)t);
		return true;
	}
	if (f->kind == FIELD_NONE || !encode_number(m->e, m->r, f, true, &v, &neg))
		return false;
	*t = (int64_t)v;
	return true;
}

/* Writes the times of both clocks at *p, and moves *p after them. Returns NULL, or why it cannot. */
static INLINE const char *
put_times(struct dumpi_build *m, uint8_t **p)
{
	struct dumpi_out *c = m->c;
	const struct rec *r = m->r;
	int64_t origin = m->e->s->head.clock == CLOCK_NS ? m->e->s->head.origin : 0;
	int64_t start = time_plus(CLOCK_NS, r->time, origin), cpu = 0, cpudur = 0;
	bool timed =
	    r->has & HAS_DUR || c->foreign || (m->k->timed && m->k->after != r->time);
	const char *why = NULL;

	if (unlikely(c->clock == CLOCK_IS_NUMBER))
		return NULL;
	/* With the CPU's clock alone the event's own times are its times; the arguments repeat them. */
	if (unlikely(c->clock == CLOCK_IS_CPU && timed)) {
		why = put_clock(m, CPU, start, r->dur, *p);
		*p += 12;
	} else if (time_arg(m, &m->pl->cpu, &cpu)) {
		time_arg(m, &m->pl->cpudur, &cpudur);
		why = put_clock(m, CPU, cpu, cpudur, *p);
		*p += 12;
	}
	if (unlikely(why))
		return why;
	if (likely(timed && c->clock == CLOCK_IS_WALL)) {
		why = put_clock(m, WALL, start, r->dur, *p);
		*p += 12;
	}
	return why;
}

/* Appends the counters to k->waits. Returns NULL, or why it cannot. */
static const char *
put_counters(struct dumpi_build *m)
{
	const struct dumpi_out_plan *pl = m->pl;
	struct buf *b = &m->k->waits;
	uint8_t *p = buf_room(b, 1 + 16 * (size_t)pl->nperf + DUMPI_OUT_ROOM);

	*p++ = (uint8_t)pl->nperf;
	for (uint32_t i = 0; i < 2 * pl->nperf; i++) {
		struct field f;
		uint64_t v = 0;
		bool neg;

		if (pl->perf[i]) {
			f = field_of_arg(pl->perf[i]);
			if (!encode_number(m->e, m->r, &f, false, &v, &neg))
				return "a counter is not a whole number";
		}
		p = big64(p, v);
	}
	buf_to(b, p);
	return NULL;
}

/* Returns the bits of the record's mask, except the bits of times. */
static INLINE unsigned
mask_of(const struct dumpi_out_plan *pl, const struct out_rank *k, unsigned thread)
{
	unsigned mask = k->mask & (MASK_THREAD | MASK_STATUS);

	mask |= thread ? MASK_THREAD : 0;
	if (pl->has_status)
		mask = (mask & MASK_THREAD) | (!pl->gives_status    ? 0u
					       : mask & MASK_STATUS ? mask & MASK_STATUS
								    : MASK_STATUS);
	if (pl->nperf || (k->mask & MASK_PERF && !k->nlabels))
		mask |= MASK_PERF;
	return mask;
}

/* Notes what later records need to know of this one. */
static INLINE void
note_record(struct dumpi_build *m, unsigned mask)
{
	struct out_rank *k = m->k;
	const struct rec *r = m->r;

	for (unsigned i = CPU; i <= WALL; i++)
		if (m->has[i]) {
			k->clock[i].begun = true;
			k->clock[i].last = m->sec[i];
		}
	k->after = time_plus(CLOCK_NS, r->time, r->dur);
	k->timed |= m->has[m->c->clock == CLOCK_IS_WALL];
	if (unlikely(!k->count)) {
		k->count = xcalloc(DUMPI_CALLS, sizeof *k->count);
		k->mask = (uint8_t)mask; /* later records follow the first one */
	}
	k->count[m->pl->call]++;
}

/* Writes r. Returns NULL, or why it is not written. */
static INLINE const char *
encode_call(struct encode *e, struct dumpi_out_plan *pl, const struct rec *r,
	    const struct spot *at)
{
	struct dumpi_build m = {e, e->state, pl, r, at->rank, {0, 0}, {false, false}};
	struct out_rank *k = m.k;
	const struct out_steps *steps;
	const char *why;
	uint8_t *p, *mask;
	unsigned bits;

	if (unlikely(pl->call == DUMPI_CALLS))
		return "MPI has no call of this name";
	if (unlikely(!k))
		return at->why;
	if (unlikely(!k->begun))
		dumpi_out_begin(m.c, k);
	/* Old files end there. */
	if (unlikely(k->finalized) && pl->call == 0)
		return "MPI_Send follows MPI_Finalize";
	steps = pl->of[k->layout->index];
	if (unlikely(!steps || pl->labels != k->labels))
		steps = dumpi_out_steps(e, pl, k, r->type);
	p = k->waits.p + k->waits.n;
	if (unlikely(k->waits.cap - k->waits.n < DUMPI_OUT_ROOM))
		p = buf_room(&k->waits, DUMPI_OUT_ROOM);
	k->threads |= at->thread != 0;
	bits = mask_of(pl, k, at->thread);
	p = big16(p, pl->call);
	mask = p++;
	if (bits & MASK_THREAD)
		p = big16(p, at->thread);
	why = put_times(&m, &p);
	bits |= (m.has[CPU] ? MASK_CPU : 0u) | (m.has[WALL] ? MASK_WALL : 0u);
	*mask = (uint8_t)bits;
	buf_to(&k->waits, p);
	if (!why && unlikely(bits & MASK_PERF))
		why = put_counters(&m);
	if (!why)
		why = dumpi_out_args(e, pl, steps, k, r);
	if (unlikely(why))
		return why;
	k->finalized |= pl->call == 125;
	note_record(&m, bits);
	return NULL;
}

static void
dumpi_put(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t n)
{
	struct dumpi_out *c = e->state;
	uint64_t addrs = 0;

	CACHE(c->spot, c->spot_cache, e->s, e->s->t.str.n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);
		struct dumpi_out_plan *pl = encode_plan(e, r->type);
		struct spot *spot = &c->spot[r->loc];
		const char *why;
		size_t before;

		if (unlikely(!spot->rank && !spot->why))
			find_spot(e, r->loc);
		before = spot->rank && spot->rank->begun ? spot->rank->waits.n : 0;
		why = encode_call(e, pl, r, spot);
		if (unlikely(why)) {
			encode_skip(e, b, at, why);
			if (spot->rank && spot->rank->begun)
				spot->rank->waits.n = before ? before : DUMPI_RECORDS;
			continue;
		}
		addrs += r->has & HAS_ADDR;
		if (unlikely(spot->rank->waits.n >= spot->rank->full))
			dumpi_out_flush(e, spot->rank);
	}
	encode_drop(e, "addr", addrs);
}

const struct encoder dumpi_encoder = {
    .format = &fmt_dumpi,
    .need = (NEED_COLUMNS & ~NEED_ADDR & ~NEED_SIZE) | NEED_ARGS,
    .directory = true,
    .state = sizeof(struct dumpi_out),
    .plan_size = sizeof(struct dumpi_out_plan),
    .head = dumpi_out_head,
    .plan = dumpi_out_plan,
    .put = dumpi_put,
    .end = dumpi_out_end,
    .close = dumpi_out_close,
};
