/* slice.c - implements slice.h. */
#include <string.h>

#include "base/date.h"
#include "input/fault.h"
#include "input/slice.h"

#define BILLION 1000000000u

const char *
slice_time(struct slice_time *t, const char *text)
{
	const char *why = NULL;

	t->set = true;
	t->text = text;
	t->date = strlen(text) > 4 && text[4] == '-';
	if (t->date)
		return date_ns((const uint8_t *)text, strlen(text), true, &t->ns);
	if (!num_parse(text, strlen(text), NUM_TYPED, &t->num, &why))
		return why;
	return t->num.unit == UNIT_SIZE ? "a time is expected, not a size" : NULL;
}

const char *
slice_clock(const struct head *h, const struct slice_time *t, uint64_t *v, bool *all)
{
	const struct num *n = &t->num;
	uint64_t ns, flip = time_flip(h->clock);

	*all = false;
	if (h->clock == CLOCK_TICKS && (t->date || n->unit))
		return "the clock counts ticks: a number without a unit, or --hz, is "
		       "needed";
	if (t->back) {
		ns = h->clock == CLOCK_TICKS	       ? n->whole
		     : n->whole < UINT64_MAX / BILLION ? n->whole * BILLION + n->nano
						       : UINT64_MAX;
		*v = t->end > ns ? t->end - ns : 0;
		return NULL;
	}
	if (h->clock == CLOCK_TICKS) {
		*all = !n->neg && n->nano && n->whole == UINT64_MAX;
		*v = n->neg ? 0 : n->whole + (n->nano && !*all);
		return NULL;
	}
	if (t->date) {
		if (!head_dated(h))
			return "times of this input do not count from a date";
		*v = (uint64_t)time_plus(CLOCK_NS, (int64_t)t->ns, -h->origin) ^ flip;
		return NULL;
	}
	ns = n->whole * BILLION + n->nano;
	if (n->whole > INT64_MAX / BILLION || ns > INT64_MAX) {
		*all = !n->neg;
		ns = n->neg ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
	}
	*v = (n->neg ? -ns : ns) ^ flip;
	return NULL;
}

bool
slice_ready(struct source *s, const struct time_slice *slice)
{
	const char *option = "--from", *why = NULL;
	uint64_t from = 0, to = 0;
	bool after = false, all = true;

	if (s->slice.head_serial == s->head_serial)
		return true;
	s->slice.head_serial = s->head_serial;
	if (slice->last) {
		s->slice.least = s->slice.most = UINT64_MAX;
		return true;
	}
	if (slice->from.set)
		why = slice_clock(&s->head, &slice->from, &from, &after);
	if (!why && slice->to.set) {
		option = "--to";
		why = slice_clock(&s->head, &slice->to, &to, &all);
	}
	if (why) {
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, "%s: %s", option, why);
		s->stop = true;
		return false;
	}
	s->slice.least = from;
	s->slice.most = all ? UINT64_MAX : to - 1;
	if (after || (!all && !to)) {
		s->slice.least = 1;
		s->slice.most = 0;
	}
	return true;
}

uint32_t
slice_pick(struct source *s, const struct time_slice *slice, const struct batch *b,
	   uint32_t room[BATCH], const uint32_t **pick, uint32_t n)
{
	uint64_t flip = time_flip(s->head.clock);
	uint32_t k = 0;

	if (!slice_ready(s, slice))
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = *pick ? (*pick)[i] : i;
		uint64_t v = (uint64_t)batch_rec(b, at)->time ^ flip;

		room[k] = at;
		k += v >= s->slice.least && v <= s->slice.most;
	}
	*pick = room;
	return k;
}

bool
slice_keep(struct source *s, const struct time_slice *slice, struct batch *b)
{
	uint64_t flip = time_flip(s->head.clock), last = s->slice.last;
	uint32_t n = 0;
	bool back = false;

	if (!slice_ready(s, slice)) {
		b->n = 0;
		return false;
	}
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t v = (uint64_t)batch_rec(b, i)->time ^ flip;

		back |= v < last;
		last = v > last ? v : last;
		b->off[n] = b->off[i];
		b->raw[n] = b->raw[i];
		n += v >= s->slice.least && v <= s->slice.most;
	}
	b->n = n;
	s->slice.last = last;
	if (unlikely(back && s->slice.searched)) {
		s->slice.searched = false;
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "times go back here: other events of --from and --to may be missing; "
		      "--unordered reads all");
	}
	return true;
}
