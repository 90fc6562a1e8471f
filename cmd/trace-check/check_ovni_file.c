/* check_ovni_file.c - the rules of ovni about the bytes of a stream: see check_ovni.h. */
#include <string.h>

#include "base/die.h"
#include "trace-check/check_ovni.h"

/* A clock further from the one before is probably damaged. */
#define DAY 86400000000000ull
#define LABEL_MOST 512
/* First four bytes of events that were found good: a cache, by their hash. */
#define GOOD 4096u

struct stream_check {
	struct check_run *c;
	const struct ovni_stream *st;
	uint64_t first, last; /* clocks */
	uint64_t n;
	uint64_t inside;     /* events in the current region */
	uint64_t region;     /* offset of the current region, plus 1; 0 = none */
	bool tail, unsorted; /* said for the stream; for the region */
	uint32_t good[GOOD];
};

static uint32_t *
good_slot(struct stream_check *k, uint32_t head)
{
	return &k->good[head * OVNI_HASH >> 20];
}

/* Looks at the data of a jumbo event, f->data[0..f->ndata). */
static void
check_jumbo(struct stream_check *k, const struct ovni_event *e, const struct ovni_frame *f,
	    struct trace_place at)
{
	const struct ovni_counters *counters = k->st->counters[*e->mcv == '6'];
	const uint8_t *p = f->data + 4, *end = f->data + f->ndata, *nul;
	uint32_t code;

	if (e->counters) {
		if (!counters || !counters->n || f->ndata != 8ull * counters->n)
			find(k->c, BAD_HWC, at,
			     "%s has %llu bytes, and the metadata %u counters", e->mcv,
			     (unsigned long long)f->ndata, counters ? counters->n : 0);
		return;
	}
	if (f->ndata < 5) {
		find(k->c, BAD_PAYLOAD, at, "%s has %llu bytes of data: no label", e->mcv,
		     (unsigned long long)f->ndata);
		return;
	}
	nul = memchr(p, 0, (size_t)(end - p));
	if (!nul) {
		find(k->c, BAD_STRING, at, "the label of %s does not end with a NUL",
		     e->mcv);
		nul = end;
	}
	for (const uint8_t *q = nul; q < end; q++)
		if (*q) {
			find(k->c, BAD_STRING, at, "%llu bytes follow the label of %s",
			     (unsigned long long)(end - nul - 1), e->mcv);
			break;
		}
	if (nul - p >= LABEL_MOST)
		find(k->c, BAD_LABEL, at,
		     "a label of %llu bytes: fewer than %d are expected",
		     (unsigned long long)(nul - p), LABEL_MOST);
	for (size_t i = 0, n; p + i < nul; i += n) {
		n = utf8_char(p + i, (size_t)(nul - p) - i, &code);
		if (n && p[i] >= ' ' && p[i] != 127)
			continue;
		find(k->c, BAD_LABEL, at, "byte 0x%02x of the label is %s", p[i],
		     n ? "a control character" : "not UTF-8");
		break;
	}
}

/* Looks at the payload of an event. Returns true if all events with these four bytes are good. */
static bool
check_payload(struct stream_check *k, const struct ovni_frame *f, struct trace_place at)
{
	const struct ovni_event *e = ovni_event(f->p + 1);
	uint64_t want = 0;

	if (!e)
		return !f->jumbo;
	if (f->jumbo != e->jumbo) {
		find(k->c, BAD_JUMBO_KIND, at, "%s is%s a jumbo event, but must%s be one",
		     e->mcv, f->jumbo ? "" : " not", e->jumbo ? "" : " not");
		return false;
	}
	if (e->jumbo) {
		if (!f->cut)
			check_jumbo(k, e, f, at);
		return false;
	}
	for (unsigned i = 0; i < e->nargs; i++)
		want += kind_width(e->arg[i].kind);
	/* Before release 2.0 of nOS-V its tasks had no bodies. */
	if (f->ndata == want ||
	    (f->ndata == 4 && want == 8 && *e->mcv == 'V' && e->labelled && !e->names))
		return true;
	find(k->c, BAD_PAYLOAD, at, "%s has %llu bytes of payload: %llu are expected",
	     e->mcv, (unsigned long long)f->ndata, (unsigned long long)want);
	return false;
}

/* Looks at the clock of an event. */
static void
check_clock(struct stream_check *k, const struct ovni_frame *f, struct trace_place at)
{
	bool back = f->clock < k->last;

	if (k->n && f->clock < k->first && !k->region && !k->tail && f->clock < OVNI_KEYS) {
		k->tail = true;
		find(k->c, BAD_OLD_TAIL, at,
		     "the clock %llu is less than the first one, %llu (said once)",
		     (unsigned long long)f->clock, (unsigned long long)k->first);
	} else if (k->n && !back && f->clock - k->last > DAY && f->clock < OVNI_KEYS)
		find(k->c, BAD_CLOCK_WILD, at, "the clock jumps by %.1f h",
		     (double)(f->clock - k->last) / 3.6e12);
	else if (back && k->region && !k->unsorted) {
		k->unsorted = true;
		find(k->c, BAD_REGION_UNSORTED, at,
		     "the clock goes back from %llu to %llu in a region (said once for a "
		     "region)",
		     (unsigned long long)k->last, (unsigned long long)f->clock);
	}
	if (!k->n)
		k->first = f->clock;
	if (!back && f->clock < OVNI_KEYS)
		k->last = f->clock;
}

/* Looks at an event that is not of a kind that was found good, or not in order. */
static void
check_event(struct stream_check *k, const struct ovni_frame *f, struct trace_place at)
{
	bool region = !memcmp(f->p + 1, "OU", 2);

	if (region && f->p[3] == ']') {
		if (k->region && !k->inside)
			find(k->c, BAD_REGION_EMPTY, at_offset(at.file, k->region - 1),
			     "the region has no event");
		k->region = 0;
	}
	check_clock(k, f, at);
	if (check_payload(k, f, at) && !region)
		*good_slot(k, ld32(f->p)) = ld32(f->p);
	if (region && f->p[3] == '[') {
		k->region = at.n + 1;
		k->inside = 0;
		k->unsorted = false;
	} else
		k->inside++;
	k->n++;
}

/* Passes events of kinds that were found good, as long as their clocks are in order. */
static void
pass_good(struct stream_check *k, struct ovni_thread *t, struct ovni_cursor *c)
{
	const uint8_t *p = c->p;

	/* The next point, and a region, stop this. */
	while (p < c->fast && k->n % POINT_EVENTS && k->n && !k->region) {
		uint32_t head = ld32(p);
		uint64_t clock = ld64(p + 4);

		if (*good_slot(k, head) != head || clock - k->last > DAY)
			break;
		k->last = clock;
		k->n++;
		p += ovni_size(head);
	}
	(void)t;
	c->p = p;
}

void
file_check(struct ovni_check *x, struct ovni_thread *t)
{
	struct source *s = x->s;
	struct ovni_stream *st;
	struct stream_check k = {.c = x->c};
	struct ovni_cursor *c;
	struct ovni_frame f;

	if (!t->st)
		return;
	k.st = st = &((struct ovni *)s->state)->st[t->stream];
	/* A pipe cannot be read twice. */
	if (st->failed || s->opt->follow || (st->in && !st->in->eof))
		return;
	memset(k.good, 0xff, sizeof k.good);
	c = ovni_cursor_new(st, 0, UINT64_MAX);
	c->stop = UINT64_MAX;
	c->quiet = true;
	while (ovni_settle(s, c, &f)) {
		if (k.n % POINT_EVENTS == 0 && x->npoints++ < POINTS_MOST)
			*PUSH(t->point, t->npoints, t->point_cap) =
			    (struct stream_point){ovni_offset(c), k.last};
		check_event(&k, &f, at_offset(st->path, ovni_offset(c)));
		c->last = ovni_key(c, f.clock);
		ovni_pass(s, c, &f);
		pass_good(&k, t, c);
		c->last = ovni_key(c, k.last);
	}
	ovni_cursor_free(c);
}
