/* charisma_open.c - reads the begin of a trace: magic number, layout, header record. */
#include <stdio.h>
#include <string.h>

#include "base/put.h"
#include "charisma/charisma_trace.h"
#include "event/value.h"
#include "input/fault.h"

/* The bytes that detection looks at, whatever the size of reads. One more byte, which the buffer has room for, shows
 * whether the input ends there. */
#define DETECT_BYTES (IN_SIZE - 1)

/* Reports why the trace cannot be read, and stops reading. Returns false. */
static bool
refuse(struct source *s, unsigned place, const char *why)
{
	fault(s,
	      place < 4	   ? "charisma-magic"
	      : place == 4 ? "charisma-version"
			   : "charisma-header",
	      COST_STATUS, s->name, NOWHERE, "offset %u: %s", place, why);
	s->stop = true;
	s->in.p = s->in.end;
	return false;
}

static bool
frame(struct source *s, struct charisma *c)
{
	const uint8_t *p;
	uint32_t version;

	in_need(&s->in, CHARISMA_FRAME);
	p = s->in.p;
	if (!in_left(&s->in))
		s->stop = true; /* an empty input has no events */
	else if (in_left(&s->in) < 4)
		refuse(s, (unsigned)in_left(&s->in), "the magic number is cut off");
	else if (le32(p) == CHARISMA_EXCHANGED || be32(p) == CHARISMA_EXCHANGED)
		refuse(s, 0,
		       "the magic number's 16-bit words are exchanged: run dd "
		       "conv=swab");
	else if (le32(p) != CHARISMA_MAGIC && be32(p) != CHARISMA_MAGIC)
		refuse(s, 0, "no CHARISMA trace: the magic number is missing");
	else if (in_left(&s->in) < CHARISMA_FRAME)
		refuse(s, (unsigned)in_left(&s->in), "the version number is cut off");
	else {
		c->big = be32(p) == CHARISMA_MAGIC;
		version = c->big ? be32(p + 4) : le32(p + 4);
		if (version == CHARISMA_VERSION)
			return true;
		refuse(s, 4,
		       version == 0x01000000
			   ? "the version number is in the other byte order than the magic"
			   : "unknown version: only version 1 is known");
	}
	return false;
}

/* Checks that the first record is a header record: its type, 0, is the same in both byte orders and in every
 * layout. Returns false with a message if it is not. */
static bool
has_header(struct source *s, const struct charisma *c)
{
	char why[128];
	unsigned type;

	if (!in_need(&s->in, CHARISMA_FRAME + 2))
		return refuse(s, CHARISMA_FRAME,
			      "the header record is missing: the input ends here");
	type = charisma_type(s->in.p + CHARISMA_FRAME, c->big);
	if (type == KIND_HEADER)
		return true;
	snprintf(why, sizeof why,
		 "the first record is of type %u: the header record, type 0, is missing",
		 type);
	return refuse(s, CHARISMA_FRAME, why);
}

/* Sets c->l to the layout that the user named, or to the preset that fits. Returns false with a message if none
 * fits. */
static bool
choose_layout(struct source *s, struct charisma *c, const struct charisma_options *o)
{
	const char *order = c->big ? "big" : "little";
	char why[512];
	bool whole;

	if (o->layout) {
		c->l = *o->layout;
		if (!c->l.order || (c->l.order == 'b') == c->big)
			return true;
		snprintf(why, sizeof why,
			 "the magic number is %s-endian, the layout %s is not", order,
			 c->l.name);
		return refuse(s, 0, why);
	}
	whole = !in_need(&s->in, DETECT_BYTES + 1);
	c->say = s->opt->expect == s->fmt;
	if (charisma_detect(&c->l, s->in.p, whole ? in_left(&s->in) : DETECT_BYTES, whole,
			    c->big, why, sizeof why))
		return true;
	/* A program that looks for errors takes the nearest layout, with which it can tell where they are. */
	if (!s->opt->found || !c->l.name[0])
		return refuse(s, CHARISMA_FRAME, why);
	fault(s, "charisma-layout", COST_NONE, s->name, NOWHERE, "%s", why);
	return true;
}

/* Adds one pair of metadata for each field of the header record. */
static void
metadata(struct source *s, const uint8_t *p)
{
	static const char *const tail[] = {"pad", "idiom", "nopad"};
	struct charisma *c = s->state;
	const struct layout_record *r = layout_kind(&c->l, KIND_HEADER);
	struct buf b = {0};

	head_meta(&s->head, &s->meta, "layout", c->l.name);
	head_meta(&s->head, &s->meta, "order", c->big ? "big" : "little");
	head_meta(&s->head, &s->meta, "tail", tail[c->l.tail]);
	for (uint32_t i = 1; i < r->nfields; i++) {
		const struct layout_field *f = &r->field[i];
		struct load_spec at = layout_load_of(&c->l, f, 0, c->big);
		enum type_class class = c->l.type[f->type].class;
		const struct labels *labels = charisma_labels(&c->l, f);
		const char *label =
		    labels ? label_of(labels, (int64_t)load_num(p, &at, c->big)) : NULL;

		b.n = 0;
		if (label)
			buf_add(&b, label, strlen(label));
		else if (class == CLASS_CHAR)
			buf_add(&b, p + f->off, string_length(p + f->off, f->size));
		else if (class == CLASS_FLOAT)
			value_double(&b, load_float(p, &at, c->big));
		else
			buf_to(&b, value_put_int(buf_room(&b, 32 + PUT_SLACK),
						 class == CLASS_SIGNED ? K_I64 : K_U64,
						 load_num(p, &at, c->big)));
		buf_byte(&b, '\0');
		head_meta(&s->head, &s->meta, f->name, (const char *)b.p);
	}
	buf_free(&b);
}

/* Converts seconds to nanoseconds. A result that does not fit becomes the nearest one that does. */
static int64_t
seconds(int64_t t)
{
	return t > INT64_MAX / 1000000000   ? INT64_MAX / 1000000000 * 1000000000
	       : t < INT64_MIN / 1000000000 ? INT64_MIN / 1000000000 * 1000000000
					    : t * 1000000000;
}

void
charisma_begin(struct source *s, const uint8_t *p, uint64_t bytes)
{
	struct charisma *c = s->state;
	const struct charisma_options *o = format_options(s->opt, s->fmt);
	struct charisma_clock *k = &c->clock;
	bool ticks = k->ticks;
	struct load_spec at = layout_header_load(&c->l, "timestamp_unit", c->big);
	double unit = load_float(p, &at, c->big);
	int64_t start = (int64_t)header_num(&c->l, p, "start_date", c->big);

	if (o->local)
		start += (int64_t)header_num(&c->l, p, "gmt_offset", c->big);
	k->bias = c->l.type[TYPE_TIMESTAMP].class == CLASS_SIGNED ? 1ull << 63 : 0;
	k->zero = header_num(&c->l, p, "timestamp", c->big) ^ k->bias;
	c->comp_time = k->zero;
	k->ticks = !charisma_unit(k, unit);
	if (k->ticks)
		fault(s, "charisma-unit", COST_STATUS, s->name,
		      in_offset(&s->in, p) + at.off,
		      "timestamp_unit is %g: times have an unknown unit (--hz "
		      "N gives seconds)",
		      unit);
	source_clock(s, k->ticks ? CLOCK_TICKS : CLOCK_NS);
	s->head.origin = k->ticks ? 0 : seconds(start);
	s->head.locpart[0] = "client";
	s->head.nlocparts = 1;
	metadata(s, p);
	c->header = xrealloc(c->header, bytes, 1);
	memcpy(c->header, p, bytes);
	c->header_n = bytes;
	c->header_due = true;
	if (!c->plan || ticks != k->ticks) {
		plans_free(c); /* the types of the old plans stay in the tables, unused */
		plans_make(c, true);
	}
}

void
charisma_open(struct source *s)
{
	const struct charisma_options *o = format_options(s->opt, s->fmt);
	struct charisma *c = xcalloc(1, sizeof *c);
	uint32_t window = (uint32_t)o->async_window;
	uint64_t size;

	s->state = c;
	c->need = s->need;
	c->native_last = UINT64_MAX;
	state_init(&c->state);
	source_clock(s, CLOCK_NS);
	if (!frame(s, c) || !has_header(s, c) || !choose_layout(s, c, o))
		return;
	c->files_on = !o->no_state && c->need & NEED_ARGS;
	c->async_on = !o->no_state && c->need & NEED_DUR && window;
	async_init(&c->async, window);
	c->no_client = number_of_none(&c->l, false, c->big);
	c->no_app = number_of_none(&c->l, true, c->big);
	size = layout_bytes(&c->l, layout_kind(&c->l, KIND_HEADER), 0);
	in_need(&s->in, CHARISMA_FRAME + size);
	s->in.p += CHARISMA_FRAME;
	if (in_left(&s->in) < size) {
		fault(s, "charisma-torn", COST_EVENT, s->name, CHARISMA_FRAME,
		      "the header record is cut off: it has %llu bytes, the input ends "
		      "at offset %llu",
		      (unsigned long long)size,
		      (unsigned long long)in_offset(&s->in, s->in.end));
		s->stop = true;
		return;
	}
	charisma_begin(s, s->in.p, size);
	fast_make(s);
	c->first = true;
}
