/*
 * binary_read.c - the binary stream, read back without copying: a batch points into the
 * block.
 *
 * Every length of a block is checked when it comes in, every offset of a type when the type
 * comes in; of a record only its own length, type and place are left. What is damaged costs
 * the rest of its block.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "input/fault.h"
#include "stream/binary.h"
#include "stream/rec_swap.h"

/* More than this in one stream without a new HEAD is not ours, and not held. */
#define STRINGS_MOST (1u << 22)
#define STRING_BYTES_MOST (64u << 20)
#define TYPES_MOST (1u << 20)
#define TYPE_BYTES_MOST (32u << 20)

#define CUT_OFF "offset %llu: the stream was cut off: it has no END block"

/* What a record of a type must hold for one of its arguments. */
struct check {
	uint32_t off;
	/* Bytes of an element of its part; 0: it is the number of a string. */
	uint32_t width;
	bool strings; /* the elements are strings, or numbers of strings: */
	bool symbols;
};

/* Of a type: these checks, one behind the other. */
struct checks {
	uint32_t first, n;
};

struct binary {
	const uint8_t *rec, *end; /* the records of the DATA block that are still to come */
	uint32_t records;
	bool cut;   /* the block ends early: with the input */
	bool ended; /* END was seen, and nothing since */
	bool headed;
	uint64_t blocks, events;
	uint64_t type_bytes;   /* of TYPE blocks, since the numbers began */
	struct checks *checks; /* by type */
	struct check *check;
	uint32_t nchecks; /* since the numbers began: fewer than TYPE_BYTES_MOST / 16 */
	size_t checks_cap, check_cap;
};

/* A cursor over a block. It latches: past the end every value is 0 and bad is set. */
struct cur {
	const uint8_t *p, *end;
	bool bad;
};

static uint32_t
get32(struct cur *c)
{
	if (c->end - c->p < 4) {
		c->bad = true;
		return 0;
	}
	c->p += 4;
	return le32(c->p - 4);
}

static uint64_t
get64(struct cur *c)
{
	if (c->end - c->p < 8) {
		c->bad = true;
		return 0;
	}
	c->p += 8;
	return le64(c->p - 8);
}

static struct span
get_str(struct cur *c)
{
	size_t n = get32(c);
	const uint8_t *p = c->p;

	if (n > (size_t)(c->end - c->p)) {
		c->bad = true;
		n = 0;
	}
	c->p += n;
	return (struct span){p, n};
}

/* A string as the arena's, without what no name may hold. */
static char *
get_name(struct cur *c, struct arena *mem)
{
	struct span v = get_str(c);
	char *p = arena_get(mem, 4 * v.n + 1);

	*put_name((uint8_t *)p, v.p, v.n) = '\0';
	return p;
}

static char *
get_text(struct cur *c, struct arena *mem)
{
	struct span v = get_str(c);

	return arena_str(mem, (const char *)v.p, v.n);
}

static int
binary_sniff(const uint8_t *p, size_t n, bool whole)
{
	(void)whole;
	return n >= 16 && le32(p) == BLOCK_HEAD && !memcmp(p + 8, BINARY_MAGIC, 8) ? 100
										   : 0;
}

static const char *
head_block(struct source *s, struct cur *c)
{
	struct binary *x = s->state;
	struct head *h = &s->head;
	uint32_t version, flags, clock, nloc, nmeta;

	if (c->end - c->p < 8 || memcmp(c->p, BINARY_MAGIC, 8) != 0)
		return "the head has no magic number: the stream was damaged on its way";
	c->p += 8;
	version = get32(c);
	if (version != BINARY_VERSION)
		return "a version of the stream that is not known here";
	flags = get32(c);
	tables_reset(&s->t);
	x->type_bytes = 0;
	x->nchecks = 0;
	if (flags & 1 && x->headed)
		return x->ended ? "the head goes on with a stream that has ended" : NULL;
	if (x->headed) {
		if (!x->ended)
			fault(s, NULL, COST_STATUS, s->name, NOWHERE,
			      CUT_OFF ": another begins here",
			      (unsigned long long)in_offset(&s->in, s->in.p));
		source_head_done(s);
		s->heads = serial();
	}
	head_free(h);
	arena_free(&s->meta);
	x->headed = true;
	x->ended = false;
	x->blocks = x->events = 0;
	clock = get32(c);
	nloc = get32(c);
	h->origin = (int64_t)get64(c);
	nmeta = get32(c);
	source_clock(s, clock ? CLOCK_TICKS : CLOCK_NS);
	snprintf(h->format, sizeof h->format, "%s", get_name(c, &s->meta));
	source_needs(s);
	for (uint32_t i = 0; i < nloc && !c->bad; i++) {
		char *part = get_name(c, &s->meta);

		if (h->nlocparts < LOC_PARTS)
			h->locpart[h->nlocparts++] = part;
	}
	for (uint32_t i = 0; i < nmeta && !c->bad; i++) {
		char *key = get_text(c, &s->meta);

		head_meta(h, &s->meta, key, get_text(c, &s->meta));
	}
	return c->bad ? "the head block is damaged" : NULL;
}

static const char *
str_block(struct source *s, struct cur *c)
{
	uint32_t id = get32(c), n = get32(c);

	if (!c->bad && id != s->t.str.n)
		return "strings are out of order, twice the same, or too many";
	for (; n && !c->bad; id++, n--) {
		struct span v = get_str(c);

		if (c->bad)
			break;
		if (id >= STRINGS_MOST || s->t.str.bytes > STRING_BYTES_MOST ||
		    strtab_id(&s->t.str, v.p, v.n) != id)
			return "strings are out of order, twice the same, or too many";
	}
	return c->bad ? "a block of strings is damaged" : NULL;
}

/* Labels must be in order for the search. */
static const struct labels *
get_labels(struct source *s, struct cur *c, uint32_t n)
{
	struct labels *l = arena_get(&s->t.mem, sizeof *l);
	struct label *v;

	if (n > (size_t)(c->end - c->p) / 12) {
		c->bad = true;
		return NULL;
	}
	v = arena_get(&s->t.mem, n * sizeof *v);
	for (uint32_t i = 0; i < n; i++) {
		v[i].value = (int64_t)get64(c);
		v[i].name = get_text(c, &s->t.mem);
		if (i && v[i].value <= v[i - 1].value)
			c->bad = true;
	}
	*l = (struct labels){v, n};
	return l;
}

/* What must be looked at in every record of the type. */
static void
add_checks(struct binary *x, const struct type *ty, uint32_t id)
{
	x->checks = grow(x->checks, &x->checks_cap, id + 1, sizeof *x->checks);
	x->checks[id] = (struct checks){x->nchecks, 0};
	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];
		bool part = kind_is_part(a);

		if (!part && a->kind != K_SYM)
			continue;
		x->check = grow(x->check, &x->check_cap, x->nchecks + 1, sizeof *x->check);
		x->check[x->nchecks++] = (struct check){
		    a->off,
		    !part      ? 0
		    : a->array ? kind_width(a->kind)
			       : 1,
		    a->array && (a->kind == K_STR || a->kind == K_SYM), a->kind == K_SYM};
		x->checks[id].n++;
	}
}

/* An argument of a type; c->bad where there is none such. */
static void
get_arg(struct source *s, struct cur *c, struct arg *a)
{
	uint32_t kind = get32(c), nlabels;

	a->kind = (uint8_t)kind;
	a->array = kind >> 8 & 1;
	a->off = get32(c);
	nlabels = get32(c);
	a->name = get_name(c, &s->t.mem);
	if (a->kind == 0 || a->kind >= K_KINDS || kind >> 9 ||
	    (a->array && (a->kind == K_CONST || a->kind == K_BYTES || a->kind == K_TEXT)) ||
	    (nlabels && !kind_is_int(a->kind)) || !*a->name || strchr(a->name, '='))
		c->bad = true;
	if (nlabels && !c->bad)
		a->labels = get_labels(s, c, nlabels);
	if (a->kind == K_CONST)
		a->text = get_name(c, &s->t.mem);
}

static const char *
type_block(struct source *s, struct cur *c)
{
	struct binary *x = s->state;
	uint32_t id = get32(c), flags = get32(c), fixed = get32(c), nargs = get32(c), got;
	struct type ty = {.must = flags & HAS_ALL, .may = flags >> 8 & HAS_ALL};
	struct arg *args;

	x->type_bytes += (size_t)(c->end - c->p);
	if (id != s->t.ntypes || id >= TYPES_MOST || x->type_bytes > TYPE_BYTES_MOST ||
	    nargs > (size_t)(c->end - c->p) / 16)
		return "types are out of order or too many";
	ty.addr_hex = flags >> 16 & 1;
	ty.event = get_name(c, &s->t.mem);
	ty.event_len = (uint32_t)strlen(ty.event);
	if (!*ty.event || !strcmp(ty.event, "-"))
		c->bad = true; /* no line of text could say that */
	ty.nargs = nargs;
	ty.args = args = xcalloc(nargs, sizeof *args);
	for (uint32_t i = 0; i < nargs && !c->bad; i++)
		get_arg(s, c, &args[i]);
	if (!c->bad) {
		got = type_add(&s->t, &ty);
		/* Places follow from the kinds alone; the stream says them for simple
		 * readers. */
		for (uint32_t i = 0; i < nargs; i++)
			if (s->t.type[got].args[i].off != args[i].off)
				c->bad = true;
		if (s->t.type[got].fixed != fixed)
			c->bad = true;
		add_checks(x, &s->t.type[got], got);
	}
	free(args);
	return c->bad ? "a type block is damaged" : NULL;
}

static const char *
data_block(struct binary *x, const uint8_t *p, const uint8_t *end)
{
	if (end - p < DATA_HEAD)
		return "a data block is too short";
	x->records = le32(p + 8);
	x->rec = p + DATA_HEAD;
	x->end = end;
	return NULL;
}

/* One block, [p, end). NULL, or what is wrong with it. */
static const char *
block(struct source *s, const uint8_t *p, const uint8_t *end)
{
	struct binary *x = s->state;
	struct cur c = {p + 8, end, false};
	uint32_t kind = le32(p);
	uint64_t lost, blocks, events;
	struct span where;

	if (kind != BLOCK_HEAD && (!x->headed || x->ended))
		return "a block stands outside of a stream: a HEAD block is expected";
	if (kind == BLOCK_HEAD) {
		const char *why = head_block(s, &c);

		x->blocks++;
		return why;
	}
	x->blocks++;
	switch (kind) {
	case BLOCK_STR: return str_block(s, &c);
	case BLOCK_TYPE: return type_block(s, &c);
	case BLOCK_DATA: return data_block(x, p, end);
	case BLOCK_LOST:
		lost = get64(&c);
		where = get_str(&c);
		if (c.bad)
			return "a LOST block is damaged";
		source_upstream(s, lost, (const char *)where.p, where.n);
		return NULL;
	case BLOCK_END:
		blocks = get64(&c);
		events = get64(&c);
		x->ended = true;
		if (c.bad || blocks != x->blocks - 1 || events != x->events)
			fault(s, NULL, COST_STATUS, s->name, NOWHERE,
			      "the END block counts %llu blocks and %llu events, "
			      "here were %llu and %llu",
			      (unsigned long long)blocks, (unsigned long long)events,
			      (unsigned long long)(x->blocks - 1),
			      (unsigned long long)x->events);
		return NULL;
	default: return NULL; /* a kind of a later version */
	}
}

/* The elements of an array of strings, or of numbers of strings. */
static bool
elements_ok(const struct check *c, const struct rec *r, const uint8_t *p, uint32_t n,
	    uint32_t nstr)
{
	for (; n; n--, p += c->width)
		if (c->symbols ? ld32(p) >= nstr
			       : ld32(p) > r->len || ld32(p + 4) > r->len - ld32(p))
			return false;
	return true;
}

/*
 * The places of a record's variable arguments, and the numbers of its strings. Always,
 * whoever needs them or not: a count is of records that are good.
 */
static inline bool
parts_ok(const struct check *c, uint32_t n, const struct rec *r, uint32_t nstr)
{
	for (; n; n--, c++) {
		const uint8_t *at = (const uint8_t *)r + c->off;
		uint32_t off = ld32(at);

		if (!c->width) {
			if (off >= nstr)
				return false;
			continue;
		}
		if (off > r->len || (uint64_t)ld32(at + 4) * c->width > r->len - off ||
		    (c->strings &&
		     !elements_ok(c, r, (const uint8_t *)r + off, ld32(at + 4), nstr)))
			return false;
	}
	return true;
}

static bool
rec_ok(const struct source *s, const uint8_t *p, const uint8_t *end)
{
	const struct binary *x = s->state;
	const struct rec *r = (const struct rec *)(const void *)p;
	const struct type *ty;

	if (end - p < REC_HEAD || r->type >= s->t.ntypes)
		return false;
	ty = &s->t.type[r->type];
	return r->len <= (size_t)(end - p) && !(r->len & 7) && r->len >= ty->fixed &&
	       r->loc < s->t.str.n && !(r->has & ~(uint32_t)ty->may) &&
	       !(ty->must & ~r->has) &&
	       parts_ok(x->check + x->checks[r->type].first, x->checks[r->type].n, r,
			s->t.str.n);
}

/* Records of the block at hand into the batch. */
static void
take(struct source *s, struct batch *b)
{
	struct binary *x = s->state;
	const uint8_t *p = x->rec, *end = x->end;
	uint32_t n = 0, most = x->records < BATCH ? x->records : BATCH;

	b->base = p;
	while (n < most) {
		const struct rec *r = (const struct rec *)(const void *)p;

		/* The walk is a chain of lengths, which the hardware does not foresee. */
		prefetch(p + 512);
		if (HOST_BIG && end - p >= REC_HEAD) {
			uint32_t len = swap32(r->len), type = swap32(r->type);

			if (type < s->t.ntypes && len <= (size_t)(end - p) &&
			    len >= s->t.type[type].fixed)
				rec_swap((struct rec *)(uintptr_t)r, &s->t.type[type],
					 false);
		}
		if (unlikely(!rec_ok(s, p, end))) {
			x->rec = p;
			b->n = n;
			return;
		}
		b->off[n] = (uint32_t)(p - b->base);
		b->raw[n] = (struct span){p, r->len};
		p += r->len;
		n++;
	}
	x->rec = p;
	b->n = n;
}

/* The block at hand ends before its count says: why, and how many events that costs. */
static void
block_broken(struct source *s)
{
	struct binary *x = s->state;

	if (x->cut && x->rec == x->end)
		return; /* the end of the input is reported in its own words */
	fault(s, NULL, COST_EVENT, s->name, in_offset(&s->in, x->rec),
	      "a record is damaged: the %u left in its block are lost", x->records);
	s->lost += x->records - 1;
	x->events += x->records;
	x->records = 0;
}

static void
binary_open(struct source *s)
{
	struct binary *x = xcalloc(1, sizeof *x);

	x->check = grow(NULL, &x->check_cap, 1, sizeof *x->check);
	s->state = x;
}

/* What follows cannot be read: the next block cannot be found, or would be read with the
 * wrong tables. */
static bool
give_up(struct source *s, const char *why)
{
	struct binary *x = s->state;

	fault(s, NULL, COST_STATUS, s->name, in_offset(&s->in, s->in.p), "%s", why);
	x->ended = true; /* nothing more is said of the end */
	s->stop = true;
	return false;
}

/* The next block of the input. False where there is none. */
static bool
next_block(struct source *s)
{
	struct binary *x = s->state;
	struct in *in = &s->in;
	uint64_t bytes;
	const char *why;
	char text[80];

	if (x->cut || !in_need(in, 8))
		return false;
	bytes = le32(in->p + 4);
	if (bytes < 8 || bytes & 7 || bytes > IN_LONGEST) {
		snprintf(text, sizeof text,
			 "a block of %llu bytes: the stream is damaged from here on",
			 (unsigned long long)bytes);
		return give_up(s, text);
	}
	if (!in_need(in, (size_t)bytes)) {
		/* The whole records of the last data block are still good. */
		x->cut = true;
		if (le32(in->p) != BLOCK_DATA || in_left(in) < DATA_HEAD || !x->headed)
			return false;
		x->blocks++;
		data_block(x, in->p, in->end);
		return true;
	}
	why = block(s, in->p, in->p + bytes);
	if (why && le32(in->p) != BLOCK_DATA)
		return give_up(s, why);
	if (why)
		fault(s, NULL, COST_STATUS, s->name, in_offset(in, in->p), "%s", why);
	if (!x->rec)
		in->p += bytes;
	return true;
}

static bool
binary_next(struct source *s, struct batch *b)
{
	struct binary *x = s->state;

	batch_start(b);
	while (!s->stop) {
		if (x->records) {
			take(s, b);
			x->records -= b->n;
			x->events += b->n;
			if (b->n)
				return true;
			block_broken(s);
			x->records = 0;
		}
		if (x->rec) {
			s->in.p = (uint8_t *)(uintptr_t)x->end;
			x->rec = NULL;
		}
		if (!next_block(s))
			return false;
	}
	return false;
}

static void
binary_end(struct source *s)
{
	const struct binary *x = s->state;

	if (!x->ended && s->in.eof)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, CUT_OFF,
		      (unsigned long long)in_offset(&s->in, s->in.end));
}

static void
binary_close(struct source *s)
{
	struct binary *x = s->state;

	free(x->checks);
	free(x->check);
	free(x);
}

const struct format fmt_binary = {
    .name = "binary",
    .about = "the event stream, binary form",
    .stream = true,
    .sniff = binary_sniff,
    .open = binary_open,
    .next = binary_next,
    .end = binary_end,
    .close = binary_close,
};
