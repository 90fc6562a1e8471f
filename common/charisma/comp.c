/*
 * comp.c - COMP_RW_RECORD, the header file's example of a compressed request.
 *
 *	byte record_type, client_id;
 *	byte file_desc : 6, memstride_index : 2;
 *	byte size_index : 2, stride_index : 2, operation_type : 3, timestamp_delta : 1;
 *	unsigned long duration, fields[];
 *
 * Little-endian compilers fill a byte from bit 0, big-endian ones from bit 7. fields[] holds the time (four bytes
 * of difference from the previous request, or eight bytes), then the stride in memory, the size and the stride in
 * the file, each only if its index is 0. An index above 0 means a value that the writer remembered by rules that
 * the header does not define: so the event has only the index.
 */
#include <string.h>

#include "charisma/charisma_trace.h"

struct comp {
	unsigned client, fd, op;
	unsigned index[3]; /* memstride, size, stride */
	bool delta;
};

static struct comp
unpack(const struct charisma *c, const uint8_t *p)
{
	struct comp v = {.client = p[1]};

	if (c->big) {
		v.fd = p[2] >> 2;
		v.index[0] = p[2] & 3;
		v.index[1] = p[3] >> 6;
		v.index[2] = p[3] >> 4 & 3;
		v.op = p[3] >> 1 & 7;
		v.delta = p[3] & 1;
	} else {
		v.fd = p[2] & 63;
		v.index[0] = p[2] >> 6;
		v.index[1] = p[3] & 3;
		v.index[2] = p[3] >> 2 & 3;
		v.op = p[3] >> 4 & 7;
		v.delta = p[3] >> 7;
	}
	return v;
}

uint64_t
comp_bytes(const struct charisma *c, const uint8_t *p)
{
	struct comp v = unpack(c, p);
	unsigned fields = v.delta ? 1 : 2;

	for (int i = 0; i < 3; i++)
		fields += !v.index[i];
	return layout_kind(&c->l, KIND_COMP_RW)->size + 4u * fields;
}

static uint32_t
comp_type(struct source *s, const struct comp *v, bool bare)
{
	static const char *const value[3] = {"memstride", "IO_size", "stride"};
	static const char *const index[3] = {"memstride_index", "size_index",
					     "stride_index"};
	struct charisma *c = s->state;
	unsigned at = v->op | (unsigned)!v->index[1] << 3 | (unsigned)!v->index[0] << 4 |
		      (unsigned)!v->index[2] << 5;
	char flags[CHARISMA_NAMES];
	struct arg a[8] = {
	    {.name = "by", .kind = K_CONST, .text = v->op & 4 ? "client" : "app"},
	    {.name = "file_desc", .kind = K_U8},
	    {.name = "operation_type", .kind = K_CONST, .text = flags},
	};
	struct type ty = {.args = a, .nargs = bare ? 0 : 3, .may = HAS_DUR};

	if (c->comp_type[at])
		return c->comp_type[at] - 1;
	operation_names(flags, v->op);
	ty.event = v->op & 2 ? "write" : "read";
	ty.event_len = (uint32_t)strlen(ty.event);
	ty.must = v->index[1] ? 0 : HAS_SIZE;
	for (int i = 0; i < 3 && !bare; i++) {
		if (i == 1 && !v->index[i])
			continue; /* the size is in its column */
		a[ty.nargs].name = v->index[i] ? index[i] : value[i];
		a[ty.nargs++].kind = v->index[i] ? K_U8 : K_U32;
	}
	c->comp_type[at] = type_add(&s->t, &ty) + 1;
	return c->comp_type[at] - 1;
}

static uint32_t
word(const struct charisma *c, const uint8_t *p)
{
	return c->big ? be32(p) : le32(p);
}

void
comp_event(struct source *s, struct batch *b, const uint8_t *p)
{
	struct charisma *c = s->state;
	const struct layout_record *rec = layout_kind(&c->l, KIND_COMP_RW);
	struct layout_field stamp = {.type = TYPE_TIMESTAMP};
	struct load_spec time = layout_load_of(&c->l, &stamp, 0, c->big);
	struct load_spec duration =
	    layout_load_of(&c->l, layout_field(rec, "duration"), 0, c->big);
	struct comp v = unpack(c, p);
	bool bare = !(c->need & NEED_ARGS);
	uint32_t type = comp_type(s, &v, bare), values[3] = {0};
	const uint8_t *f = p + rec->size;
	uint64_t at, dur = load_num(p, &duration, c->big);
	const struct arg *a = s->t.type[type].args;
	struct rec *r;

	time.shift = 0;
	time.sign = 0;
	at = v.delta ? c->comp_time + word(c, f)
		     : load_num(f, &time, c->big) ^ c->clock.bias;
	f += v.delta ? 4 : 8;
	c->comp_time = at;
	for (int i = 0; i < 3; i++) {
		if (v.index[i])
			values[i] = v.index[i];
		else {
			values[i] = word(c, f);
			f += 4;
		}
	}
	r = rec_new(b, &s->t, type);
	r->loc = charisma_loc(s, false, v.client);
	if (c->clock.ticks) {
		r->time = (int64_t)(at ^ c->clock.bias);
		r->dur = (int64_t)dur;
		r->has |= dur <= INT64_MAX ? HAS_DUR : 0;
	} else {
		if (!clock_between(&c->clock, c->clock.zero, at, &r->time))
			r->time = at < c->clock.zero ? INT64_MIN : INT64_MAX;
		if (clock_between(&c->clock, 0, dur, &r->dur))
			r->has |= HAS_DUR;
	}
	if (r->has & HAS_SIZE)
		r->size = values[1];
	if (bare)
		return;
	*((uint8_t *)r + a[1].off) = (uint8_t)v.fd;
	for (int i = 0, k = 3; i < 3; i++) {
		if (i == 1 && !v.index[i])
			continue;
		if (v.index[i])
			*((uint8_t *)r + a[k].off) = (uint8_t)values[i];
		else
			memcpy((uint8_t *)r + a[k].off, &values[i], 4);
		k++;
	}
}
