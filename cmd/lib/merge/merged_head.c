/* merged_head.c - makes one head from the heads of all inputs: clocks, names, metadata. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "input/fault.h"
#include "merge/merged_state.h"
#include "view/view_request.h"

/* Bound: trace-merge | metadata of all inputs | metadata of inputs | 8 MiB | the metadata of all inputs exceed */
#define META_MOST (8u << 20) /* limit of metadata in the merged head, in bytes */
#define NANO 1000000000

/* Pairs of metadata, or keys, that are in the merged head; owner[i] is the number of the input that brought pair
 * or key i. */
struct head_pairs {
	struct strtab tab;
	size_t *owner;
	size_t cap;
};

/* Returns the number of the input that first brought these bytes; `mine`, the current input, if they are new. */
static size_t
owner_of(struct head_pairs *k, const void *p, size_t n, size_t mine)
{
	uint32_t known = k->tab.n, id = strtab_id(&k->tab, p, n);

	GROW(k->owner, k->cap, id + 1);
	if (id == known)
		k->owner[id] = mine;
	return k->owner[id];
}

static void
known_free(struct head_pairs *k)
{
	strtab_free(&k->tab);
	free(k->owner);
}

/* Adds a pair of metadata of an input to the merged head, unless an equal pair is there. If the key has another
 * value in another input, the input's number is appended to the key. Returns false if the limit is exceeded. */
static bool
add_pair(struct merged *m, const struct merge_input *in, struct head_pairs *pairs,
	 struct head_pairs *keys, const char *key, const char *value)
{
	struct head *h = &m->out.head;
	struct buf b = {0};
	char number[32];
	size_t owner;

	buf_add(&b, key, strlen(key) + 1);
	buf_add(&b, value, strlen(value));
	owner = owner_of(pairs, b.p, b.n, in->number);
	b.n = 0;
	if (owner == in->number) {
		buf_add(&b, key, strlen(key));
		if (owner_of(keys, key, strlen(key), in->number) != in->number) {
			snprintf(number, sizeof number, ".%zu", in->number);
			buf_add(&b, number, strlen(number));
		}
		buf_byte(&b, '\0');
		head_meta(h, &m->out.meta, (const char *)b.p, value);
	}
	buf_free(&b);
	return pairs->tab.bytes + keys->tab.bytes <= META_MOST;
}

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Reports that addr of `in` and of m->units have different units, and exits. */
static _Noreturn void
other_unit(const struct merged *m, const struct merge_input *in)
{
	die("addr counts units of %llu bytes in %s, of %llu in %s: use trace-merge "
	    "--same-unit",
	    (unsigned long long)m->units->unit, m->units->s.name,
	    (unsigned long long)in->unit, in->s.name);
}

void
merged_unit(const struct merged *m, struct merge_input *in)
{
	uint64_t unit;

	if (in->unit)
		other_unit(m, in);
	unit = m->units->unit / m->units->blocks;
	fault(&in->s, NULL, COST_NONE, in->s.name, NOWHERE,
	      "the stream has no header: assuming that addr counts units of %llu byte%s; "
	      "set the unit with --addr-unit",
	      (unsigned long long)unit, unit == 1 ? "" : "s");
	in->blocks = 1;
}

/* Sets by what the addr of each input is multiplied; 0 if this depends on its first addr. Returns the bytes that
 * addr counts in the output; 0 if unknown. */
static uint64_t
merge_blocks(struct merged *m)
{
	uint64_t all = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct merge_input *in = m->in[i];
		uint64_t block = meta_block(&in->s.head);

		in->unit = source_addr_unit(&in->s, m->opts->unit);
		if (!block && !strcmp(in->s.head.format, "-"))
			block = in->unit;
		if (block && !m->units)
			m->units = in;
		if (block && block != m->units->unit && !m->opts->rescale)
			other_unit(m, in);
		all = common_divisor(all, block);
	}
	for (size_t i = 0; all && m->opts->rescale && i < m->n; i++)
		all = common_divisor(all, m->in[i]->unit);
	for (size_t i = 0; i < m->n; i++)
		m->in[i]->blocks = all ? m->in[i]->unit / all : 1;
	return all;
}

static void
merge_meta(struct merged *m)
{
	uint64_t unit = merge_blocks(m);
	struct head_pairs pairs = {0}, keys = {0};
	bool room = true;
	char text[32];

	snprintf(text, sizeof text, "%llu", (unsigned long long)unit);
	if (unit && m->opts->unit)
		room = add_pair(m, m->in[0], &pairs, &keys, "block", text);
	for (size_t i = 0; i < m->n && room; i++) {
		struct source *s = &m->in[i]->s;
		const struct head *h = &s->head;

		for (size_t k = 0; k < h->nmeta && room; k++)
			room = add_pair(
			    m, m->in[i], &pairs, &keys, h->meta[k].key,
			    !strcmp(h->meta[k].key, "block") ? text : h->meta[k].value);
		if (!room)
			fault(s, NULL, COST_STATUS, s->name, NOWHERE,
			      "the metadata of all inputs exceed %u KiB: the rest is left "
			      "out",
			      META_MOST >> 10);
	}
	known_free(&pairs);
	known_free(&keys);
}

/* Returns true if the head of input i counts: the input has events, or no input has any. */
static bool
counts(const struct merged *m, size_t i)
{
	if (m->in[i]->any)
		return true;
	for (size_t k = 0; k < m->n; k++)
		if (m->in[k]->any)
			return false;
	return true;
}

static bool
same_places(const struct head *a, const struct head *b)
{
	if (a->nlocparts != b->nlocparts)
		return false;
	for (unsigned i = 0; i < a->nlocparts; i++)
		if (strcmp(a->locpart[i], b->locpart[i]) != 0)
			return false;
	return true;
}

/* Sets the format, the clock and the names of loc's parts in the merged head. Dies if clocks differ. */
static void
merge_names(struct merged *m)
{
	struct head *h = &m->out.head;
	const struct merge_input *first = NULL, *other = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct merge_input *in = m->in[i];

		h->given |= in->s.head.given;
		if (!counts(m, i))
			continue;
		if (!first) {
			first = in;
			snprintf(h->format, sizeof h->format, "%s", in->s.head.format);
			h->clock = in->s.head.clock;
			continue;
		}
		if (h->clock != in->s.head.clock)
			die("%s counts ticks and %s seconds: give --hz N, the ticks of a "
			    "second",
			    h->clock == CLOCK_TICKS ? first->s.name : in->s.name,
			    h->clock == CLOCK_TICKS ? in->s.name : first->s.name);
		if (strcmp(h->format, in->s.head.format) != 0)
			snprintf(h->format, sizeof h->format, "mixed");
		if (!other && !same_places(&first->s.head, &in->s.head))
			other = in;
	}
	if (m->opts->trace_loc)
		h->locpart[h->nlocparts++] = "trace";
	for (unsigned i = 0; first && !other && i < first->s.head.nlocparts; i++) {
		const char *name = first->s.head.locpart[i];

		if (h->nlocparts < LOC_PARTS)
			h->locpart[h->nlocparts++] =
			    arena_str(&m->out.meta, name, strlen(name));
	}
	if (other && (first->s.head.nlocparts || other->s.head.nlocparts) && !m->opt.quiet)
		warn("%s and %s name the parts of loc differently: the parts become loc1, "
		     "loc2, ...",
		     first->s.name, other->s.name);
}

/* Returns a time as a wide number: signed in ns, unsigned in ticks. */
static struct i128
wide_time(const struct merged *m, int64_t t)
{
	return m->out.head.clock == CLOCK_NS ? i128_i64(t) : i128_u64((uint64_t)t);
}

/* Returns the time t on the clock of the input's first head, scaled if --scale asks for it. */
static struct i128
scaled_time(const struct merged *m, const struct merge_input *in, int64_t t)
{
	const struct num *s = &in->shift.scale;
	struct i128 from = wide_time(m, in->first), by = wide_time(m, t), sum;

	i128_add(by, in->ahead, &by);
	if (!in->shift.scale_set)
		return by;
	i128_add(by, i128_neg(from), &by);
	/* At most 2^65 * 2^60 / 10^9, which fits. */
	i128_muldiv(by, i128_u64(s->whole * NANO + s->nano), i128_u64(NANO), I128_NEAREST,
		    &by);
	i128_add(from, by, &sum);
	return sum;
}

bool
merged_move(const struct merged *m, const struct merge_input *in, int64_t *t)
{
	struct i128 v;

	if (in->plain) {
		uint64_t sum = (uint64_t)*t + (uint64_t)in->plus;

		if ((((uint64_t)*t ^ sum) & ((uint64_t)in->plus ^ sum)) >> 63)
			return false;
		*t = (int64_t)sum;
		return true;
	}
	v = scaled_time(m, in, *t);
	if (!i128_add(v, in->add, &v) ||
	    !(m->out.head.clock == CLOCK_NS ? i128_is_i64(v) : i128_is_u64(v)))
		return false;
	*t = (int64_t)v.lo;
	return true;
}

/* Returns the --offset of an input in units of the clock, 0 if none. Dies if the clock counts ticks and the offset
 * is no number of ticks. */
static struct i128
offset_of(const struct merged *m, const struct merge_input *in)
{
	const struct num *o = &in->shift.offset;
	struct i128 v = {0, 0};

	if (!in->shift.offset_set)
		return v;
	if (m->out.head.clock == CLOCK_TICKS && (o->nano || o->unit != UNIT_NONE))
		die("%s: the clock counts ticks of unknown length: give --offset in ticks, "
		    "or --hz N",
		    in->s.name);
	i128_mul(i128_u64(o->whole), i128_u64(m->out.head.clock == CLOCK_NS ? NANO : 1),
		 &v);
	i128_add(v, i128_u64(o->nano), &v);
	return o->neg ? i128_neg(v) : v;
}

/* Sets what to add to the times of an input: `to` - `from` + --offset. */
static void
set_move(const struct merged *m, struct merge_input *in, struct i128 from, struct i128 to)
{
	struct i128 add = offset_of(m, in);

	i128_add(add, to, &add);
	i128_add(add, i128_neg(from), &add);
	in->add = add;
	in->moves = !i128_zero(add) || in->shift.scale_set;
	in->plain =
	    m->out.head.clock == CLOCK_NS && !in->shift.scale_set && i128_is_i64(add);
	in->plus = in->plain ? (int64_t)add.lo : 0;
}

static char *
origin_text(char text[40], int64_t origin)
{
	struct buf b = {0};

	value_time(&b, CLOCK_NS, origin);
	snprintf(text, 40, "%.*s", (int)b.n, (const char *)b.p);
	buf_free(&b);
	return text;
}

/* Returns the origin of the output: the earliest origin of an input. Dies if only some inputs have an origin. */
static int64_t
least_origin(const struct merged *m)
{
	const struct merge_input *relative = NULL, *absolute = NULL, *dated = NULL,
				 *boot = NULL;
	char text[40];

	for (size_t i = 0; i < m->n; i++) {
		const struct merge_input *in = m->in[i];

		/* The origin of an input without events counts too, so that a filter before the merge gives the
		 * same result as one after it. */
		if (!in->s.head.origin) {
			if (!relative && !in->shift.offset_set && counts(m, i))
				relative = in;
			continue;
		}
		if (!absolute || in->s.head.origin < absolute->s.head.origin)
			absolute = in;
		if (head_dated(&in->s.head))
			dated = in;
		else if (!in->shift.offset_set && counts(m, i))
			boot = in;
	}
	if (relative && absolute)
		die("%s counts from 0, but %s from an origin of %s s: use trace-merge "
		    "--align or --offset %s=TIME",
		    relative->s.name, absolute->s.name,
		    origin_text(text, absolute->s.head.origin), relative->s.name);
	if (boot && dated)
		die("%s counts from %s s of a clock, but %s from a date: use trace-merge "
		    "--align or --offset %s=TIME",
		    boot->s.name, origin_text(text, boot->s.head.origin), dated->s.name,
		    boot->s.name);
	return absolute ? absolute->s.head.origin : 0;
}

/* Returns the origin that all inputs share; 0 if they differ. */
static int64_t
same_origin(const struct merged *m)
{
	int64_t origin = m->n ? m->in[0]->s.head.origin : 0;

	for (size_t i = 1; i < m->n; i++)
		if (m->in[i]->s.head.origin != origin)
			return 0;
	return origin;
}

static enum merge_align
align_of(const struct merged *m)
{
	return m->opts->zero ? ALIGN_FIRST : m->opts->align;
}

void
merged_head(struct merged *m)
{
	struct i128 none = {0, 0};
	enum merge_align align = align_of(m);

	merge_names(m);
	merge_meta(m);
	if (m->out.head.clock == CLOCK_NS && align != ALIGN_FIRST)
		m->out.head.origin =
		    align == ALIGN_ORIGIN ? least_origin(m) : same_origin(m);
	for (size_t i = 0; i < m->n; i++) {
		struct merge_input *in = m->in[i];
		const struct head *h = &in->s.head;

		in->head_serial = in->s.head_serial;
		in->origin = h->origin;
		if (align == ALIGN_FIRST)
			set_move(m, in,
				 scaled_time(m, in, in->zero_set ? in->zero : in->first),
				 none);
		else if (align == ALIGN_ORIGIN && h->origin)
			set_move(m, in, i128_i64(m->out.head.origin), i128_i64(h->origin));
		else if (align == ALIGN_ORIGIN && in->shift.offset_set)
			set_move(m, in, i128_i64(m->out.head.origin), none);
		else
			set_move(m, in, none, none);
		in->changes = in->moves || in->blocks != 1;
	}
}

void
merged_next_head(struct merged *m, struct merge_input *in)
{
	const struct head *h = &in->s.head;
	enum merge_align align = align_of(m);

	in->head_serial = in->s.head_serial;
	if (h->clock != m->out.head.clock ||
	    source_addr_unit(&in->s, m->opts->unit) != in->unit ||
	    (align == ALIGN_ORIGIN && !h->origin != !in->origin)) {
		fault(&in->s, NULL, COST_STATUS, in->s.name, NOWHERE,
		      "a stream with another clock or unit of addr begins after event "
		      "%llu: the stream is not merged",
		      (unsigned long long)(in->s.count.events - in->b->n));
		in->s.faults.lost += in->b->n;
		in->s.stop = true;
		in->b->n = 0;
		return;
	}
	if (align != ALIGN_NONE && h->clock == CLOCK_NS && h->origin != in->origin) {
		struct i128 plus;

		i128_add(in->ahead, i128_i64(h->origin), &in->ahead);
		i128_add(in->ahead, i128_neg(i128_i64(in->origin)), &in->ahead);
		i128_add(in->ahead, in->add, &plus);
		in->moves = in->changes = true;
		in->plain = !in->shift.scale_set && i128_is_i64(plus);
		in->plus = in->plain ? (int64_t)plus.lo : 0;
		in->origin = h->origin;
	}
}
