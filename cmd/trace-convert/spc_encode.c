/* spc_encode.c - events as SPC records.
 *
 * The canonical form: an upper-case opcode, no blanks, six decimals of the time, or nine if six are not enough,
 * and a newline after each line, also the last one: it is unknown whether the last event is the last of the
 * trace, or of a slice that others follow. The reader notes in the metadata how the first record of a trace
 * differs, so that the trace is written as it was. */
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "trace-convert/encode.h"
#include "spc/spc.h"
#include "view/view_request.h"

/* First time that no reader accepts. */
#define TIME_END (INT64_MAX / 1000000000 * 1000000000)

struct spc_plan {
	char op[4];	 /* ",W,"; empty if the event is neither R nor W */
	bool plain;	 /* it can be written, and has no optional fields */
	uint32_t nextra; /* number of the last xN; NULL in extra: it is missing */
	const struct arg **extra;
};

struct spc_encode_state {
	const struct spc_options *o;
	bool lower; /* opcodes are lower-case */
	bool crlf;  /* lines end in CR LF */
	/* How many of nine decimals are dropped if all of them are 0, and a mask of them in the last eight
	 * bytes. */
	unsigned cut;
	uint64_t cut_bytes;
	int64_t last;
	struct second_cache second;
	struct buf line; /* optional fields of one event */
};

static void
spc_begin(struct encode *e)
{
	((struct spc_encode_state *)e->state)->o = e->options;
}

static void
spc_head(struct encode *e)
{
	struct spc_encode_state *c = e->state;
	const struct head *h = &e->s->head;
	const char *value = head_value(h, "spc.case");

	c->lower = value && !strcmp(value, "lower");
	/* A trace that was SPC keeps its block size; other traces get blocks of 512 bytes. */
	if (!e->unit)
		e->unit = c->o->block		      ? (uint64_t)c->o->block
			  : !strcmp(h->format, "spc") ? head_addr_unit(h)
						      : SPC_BLOCK;
	value = head_value(h, "spc.newline");
	c->crlf = value && !strncmp(value, "crlf", 4);
	value = head_value(h, "spc.decimals");
	c->cut = 9 - SPC_DECIMALS;
	if (value && *value >= '1' && *value <= '9' && !value[1])
		c->cut = (unsigned)('9' - *value);
	c->cut_bytes = 0;
	for (unsigned i = 0; i < c->cut; i++)
		((uint8_t *)&c->cut_bytes)[7 - i] = 0xff;
}

/* Returns the number of an optional field from its name, from 1, or 0 if it is none. */
static uint32_t
optional_number(const char *name)
{
	uint64_t n;

	if (*name != 'x' || name[1] == '0' ||
	    digits_u64((const uint8_t *)name + 1, strlen(name) - 1, &n) ||
	    n > SPC_OPTIONAL_MOST)
		return 0;
	return (uint32_t)n;
}

static void
spc_plan(struct encode *e, const struct type *ty, void *plan)
{
	const struct spc_encode_state *c = e->state;
	struct spc_plan *pl = plan;
	uint8_t op = op_of(ty);

	if (op & (OP_READ | OP_WRITE))
		memcpy(pl->op, op == OP_WRITE ? ",W," : ",R,", 4);
	if (pl->op[1] && c->lower)
		pl->op[1] |= 0x20;
	for (uint32_t i = 0; i < ty->nargs; i++) {
		uint32_t n = optional_number(ty->args[i].name);

		pl->nextra = n > pl->nextra ? n : pl->nextra;
	}
	pl->plain = !pl->nextra && pl->op[0] && e->s->head.clock == CLOCK_NS;
	if (!pl->nextra)
		return;
	pl->extra = arena_zeros(&e->plan_cache.mem, pl->nextra * sizeof *pl->extra);
	for (uint32_t i = 0; i < ty->nargs; i++) {
		uint32_t n = optional_number(ty->args[i].name);

		if (n)
			pl->extra[n - 1] = &ty->args[i];
	}
}

/* Writes the optional fields of r to c->line. Returns NULL, or why they could not be read back. */
static const char *
optional_fields(struct encode *e, const struct spc_plan *pl, const struct rec *r)
{
	struct spc_encode_state *c = e->state;
	struct span v;

	c->line.n = 0;
	for (uint32_t i = 0; i < pl->nextra; i++) {
		buf_byte(&c->line, ',');
		if (!pl->extra[i])
			continue;
		if (!encode_text(e, r, pl->extra[i], &v))
			return "an argument is damaged";
		if (v.n && (memchr(v.p, '\n', v.n) ||
			    (i + 1 < SPC_OPTIONAL_MOST && memchr(v.p, ',', v.n))))
			return "an optional field has a comma or a newline";
		buf_add(&c->line, v.p, v.n);
	}
	if (c->line.n && c->line.p[c->line.n - 1] == '\r' && !c->crlf)
		return "the last optional field ends in a carriage return";
	if (c->line.n > IN_LONGEST - 256)
		return "the line would be too long";
	return NULL;
}

/* Returns NULL, or why r is not written. */
static const char *
refused(struct encode *e, const struct spc_plan *pl, const struct rec *r)
{
	if (!pl->op[0])
		return "an SPC record must be R or W";
	if (e->s->head.clock == CLOCK_TICKS)
		return "the time counts ticks of unknown length; give --hz N";
	if (r->time < 0)
		return "the time is before 0";
	if (r->time >= TIME_END)
		return "the time is later than 292 years";
	if (!(r->has & HAS_ADDR))
		return "no addr";
	if (encode_place(e, r->loc)->kind > PLACE_NUMBER)
		return "loc is not a number, as an ASU is";
	return pl->nextra ? optional_fields(e, pl, r) : NULL;
}

/* Writes ns as seconds with the usual number of decimals, or nine if these are not enough. */
static INLINE uint8_t *
put_seconds(struct spc_encode_state *c, uint8_t *p, int64_t ns)
{
	p = put_ns(p, &c->second, ns);
	return p - ((ld64(p - 8) ^ 0x3030303030303030u) & c->cut_bytes ? 0 : c->cut);
}

static void
spc_put(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t n)
{
	struct spc_encode_state *c = e->state;
	struct out *o = e->out;
	uint8_t *p = out_room(o);
	uint64_t durs = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);
		const struct spc_plan *pl = encode_plan(e, r->type);
		const struct encode_place *asu = encode_place(e, r->loc);

		if (unlikely(!pl->plain || !(r->has & HAS_ADDR) ||
			     asu->kind > PLACE_NUMBER ||
			     (uint64_t)r->time >= (uint64_t)TIME_END)) {
			const char *why = refused(e, pl, r);

			if (why) {
				encode_skip(e, b, at, why);
				continue;
			}
		}
		if (unlikely(r->time < c->last) && !c->o->unordered)
			encode_wrong(e, b, at, "the time goes back");
		c->last = r->time;
		durs += (r->has & HAS_DUR) != 0;
		p = out_room_at(o, p);
		p = put_u64(p, asu->number);
		*p++ = ',';
		p = put_u64(p, r->addr);
		*p++ = ',';
		p = put_u64(p, r->size);
		memcpy(p, pl->op, 4);
		p = put_seconds(c, p + 3, r->time);
		if (unlikely(pl->nextra))
			p = out_bytes_at(o, p, c->line.p, c->line.n);
		if (unlikely(c->crlf))
			*p++ = '\r';
		*p++ = '\n';
	}
	o->p = p;
	encode_drop(e, "dur", durs);
}

static void
spc_close(struct encode *e)
{
	buf_free(&((struct spc_encode_state *)e->state)->line);
}

const struct encoder spc_encoder = {
    .format = &fmt_spc,
    .need = NEED_ALL,
    .state = sizeof(struct spc_encode_state),
    .plan_size = sizeof(struct spc_plan),
    .begin = spc_begin,
    .head = spc_head,
    .plan = spc_plan,
    .put = spc_put,
    .close = spc_close,
};
