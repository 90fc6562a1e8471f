/* check_ovni_file.c - the rules of ovni about the bytes of a stream: see check_ovni.h. */
#include <string.h>

#include "base/die.h"
#include "trace-check/check_ovni.h"

#define DAY 86400000000000ull
#define LABEL_MOST 512 /* bytes of a label that are too many for the emulator */
#define GOOD 4096u     /* slots for kinds of events that were found good */

struct file_state {
	struct check_run *c;
	struct ovni_stream *st;
	uint64_t n, first, last; /* events, and clocks */
	uint64_t inside;	 /* events in the current region */
	uint64_t region;	 /* offset of the current region, plus 1; 0 = none */
	bool tail, unsorted;	 /* said for the stream; for the region */
	uint32_t good[GOOD];	 /* first four bytes, by their hash */
};

/* Returns the two slots of the events that begin with these four bytes. */
static uint32_t *
good_slots(struct file_state *k, uint32_t head)
{
	return &k->good[head * OVNI_HASH >> 20 & ~1u];
}

/* Looks at the n bytes of data at p of a jumbo event, which has a label after four bytes. */
static void
check_label(struct check_run *c, const char *mcv, const uint8_t *p, size_t n,
	    struct trace_place at)
{
	size_t end = 4 + strnlen((const char *)p + 4, n - 4), i = end, len = 1;
	uint32_t code;

	while (i < n && !p[i])
		i++;
	if (end == n || i < n)
		find_at(c, BAD_STRING, at, "the label of %s %s", mcv,
			i < n ? "is not the last argument" : "does not end with a NUL");
	for (i = 4; i < end && p[i] >= ' ' && p[i] != 127 && len; i += len)
		len = utf8_char(p + i, end - i, &code);
	if (i < end || !len || end >= LABEL_MOST + 4)
		find_at(c, BAD_LABEL, at, "the label of %s %s", mcv,
			i < end && len ? "has a control character"
			: !len	       ? "is not UTF-8"
				       : "is 512 bytes or longer");
}

/* Looks at the payload of an event. Returns true if events with the same four bytes are as good. */
static bool
check_payload(struct file_state *k, const struct ovni_frame *f, struct trace_place at)
{
	const struct ovni_event *e = ovni_event(f->p + 1);
	const struct ovni_counters *counters;
	uint64_t want = 0;

	/* The library's own test gives OB. some jumbo data. */
	if (!e || e->mcv[1] == 'B')
		return !f->jumbo;
	counters = k->st->counters[*e->mcv == '6'];
	for (unsigned i = 0; i < e->nargs; i++)
		want += kind_width(e->arg[i].kind);
	if (f->jumbo != e->jumbo)
		find_at(k->c, BAD_JUMBO_KIND, at, "%s %s a jumbo event", e->mcv,
			f->jumbo ? "must not be" : "must be");
	else if (e->counters && (!counters || f->ndata != 8ull * counters->n))
		find_at(k->c, BAD_HWC, at,
			"%s has " U64 " bytes; the metadata name %u counters", e->mcv,
			f->ndata, counters ? counters->n : 0);
	else if (e->jumbo && !e->counters && f->ndata >= 5 && !f->cut)
		check_label(k->c, e->mcv, f->data, (size_t)f->ndata, at);
	/* Tasks of nOS-V had no bodies before its release 2.0. */
	else if (!e->counters && !f->cut && f->ndata != want &&
		 (want != 8 || f->ndata != 4 || *e->mcv != 'V' || e->names))
		find_at(k->c, BAD_PAYLOAD, at, "%s has " U64 " bytes of payload, not " U64,
			e->mcv, f->ndata, want);
	else
		return !e->jumbo;
	return false;
}

/* Looks at an event that pass_good does not take. */
static void
check_event(struct file_state *k, const struct ovni_frame *f, struct trace_place at)
{
	uint8_t region = f->p[1] == 'O' && f->p[2] == 'U' ? f->p[3] : 0;
	bool inside = k->region && region != ']', back, tail;
	uint32_t *slot = good_slots(k, ld32(f->p));

	if (!k->n++)
		k->first = k->last = f->clock;
	back = f->clock < k->last;
	tail = f->clock < k->first && !inside;
	if (region == ']' && k->region && !k->inside)
		find_at(k->c, BAD_REGION_EMPTY, at_offset(at.file, k->region - 1),
			"the region has no event");
	if (tail && !k->tail)
		find_at(k->c, BAD_OLD_TAIL, at,
			"the clock is less than the first of the stream (said once)");
	else if (back && inside && !k->unsorted)
		find_at(k->c, BAD_REGION_UNSORTED, at,
			"the clock goes back in a region (said once for each)");
	else if (!back && f->clock < OVNI_KEYS && f->clock - k->last > DAY)
		find_at(k->c, BAD_CLOCK_WILD, at, "the clock jumps by %.1f h",
			(double)(f->clock - k->last) / 3.6e12);
	k->tail |= tail;
	if (f->clock < OVNI_KEYS && (!back || !inside))
		k->last = f->clock;
	if (check_payload(k, f, at) && !region) {
		slot[1] = slot[0];
		slot[0] = ld32(f->p);
	}
	k->unsorted |= back;
	k->inside++;
	k->region = inside ? k->region : 0;
	if (region != '[')
		return;
	k->region = at.n + 1;
	k->inside = 0;
	k->unsorted = false;
}

/* Passes events of kinds that were found good, up to the next point or region, as long as their clocks are in order. */
static void
pass_good(struct file_state *k, struct ovni_cursor *c)
{
	while (c->p < c->fast && k->n % POINT_EVENTS && !k->region) {
		uint32_t head = ld32(c->p);
		const uint32_t *slot = good_slots(k, head);
		uint64_t clock = ld64(c->p + 4);

		if ((slot[0] != head && slot[1] != head) || clock - k->last > DAY)
			break;
		k->last = clock;
		k->n++;
		c->p += ovni_size(head);
	}
}

void
file_check(struct ovni_check *x, struct ovni_thread *t)
{
	struct ovni_stream *st = t->st;
	struct file_state k = {.c = x->c, .st = st};
	struct ovni_cursor *c;
	struct ovni_frame f;

	/* A pipe cannot be read twice. */
	if (!st || st->failed || x->s->opt->follow || (st->in && !st->in->eof))
		return;
	memset(k.good, 0xff, sizeof k.good);
	c = ovni_cursor_new(st, st->header ? OVNI_HEADER : 0, UINT64_MAX);
	c->stop = UINT64_MAX;
	c->quiet = true;
	while (ovni_settle(x->s, c, &f)) {
		if (k.n % POINT_EVENTS == 0 && x->npoints++ < POINTS_MOST)
			*PUSH(t->point, t->npoints, t->point_cap) =
			    (struct stream_point){ovni_offset(c), k.last};
		check_event(&k, &f, at_offset(st->path, ovni_offset(c)));
		c->last = ovni_key(c, f.clock);
		ovni_pass(x->s, c, &f);
		pass_good(&k, c);
		c->last = ovni_key(c, k.last);
	}
	ovni_cursor_free(c);
}
