/*
 * binary_blocks.c - reads the blocks of the binary stream: head, strings, types, lost events, the end. For a DATA
 * block, finds the begin of its records.
 *
 * The length of each block is checked when it is read, and the offsets of a type when the type is read. The checks
 * that records of a type need are noted then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "input/fault.h"
#include "stream/binary_read.h"

/* Limits of the tables of one stream without a new HEAD. Our writers stay below them. */
/* Bound: binary stream | strings | strings | 4194304 | twice the same, or too many */
#define STRINGS_MOST (1u << 22)
/* Bound: binary stream | bytes of strings | strings | 64 MiB | twice the same, or too many */
#define STRING_BYTES_MOST (64u << 20)
#define TYPES_MOST (1u << 20)
/* Bound: binary stream | bytes of types | types | 32 MiB | types are out of order or too many */
#define TYPE_BYTES_MOST (32u << 20)

/* A cursor over a block. Once it has reached the end, every value is 0 and bad is set. */
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

/* Returns a copy in mem of the next string, with the bytes escaped that a name must not have. */
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
		return "the version of the stream is unknown";
	flags = get32(c);
	tables_reset(&s->t);
	x->type_bytes = 0;
	x->nchecks = 0;
	if (flags & 1 && x->headed)
		return x->ended ? "the head goes on with a stream that has ended" : NULL;
	if (x->headed && (s->opt->chunks || s->opt->opened_before)) {
		fault(
		    s, NULL, COST_STATUS, s->name, in_offset(&s->in, s->in.p),
		    "another stream begins: several in one file cannot be cut into parts");
		s->stop = true;
		return NULL;
	}
	if (x->headed) {
		if (!x->ended)
			fault(s, NULL, COST_STATUS, s->name, NOWHERE,
			      CUT_OFF ": another begins here",
			      (unsigned long long)in_offset(&s->in, s->in.p));
		source_head_done(s);
		s->head_serial = serial();
	}
	head_free(h);
	arena_free(&s->meta);
	x->headed = true;
	x->ended = false;
	x->blocks = 1; /* the HEAD itself */
	x->events = 0;
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

/* Reads n labels. Sets c->bad if they are not sorted by value, as the search needs. */
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

/* Adds the checks that every record of the type must pass. */
static void
add_checks(struct binary *x, const struct type *ty, uint32_t id)
{
	GROW(x->checks, x->checks_cap, id + 1);
	x->checks[id] =
	    (struct checks){x->nchecks, 0, ty->fixed, ty->must, ~(uint32_t)ty->may};
	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];
		bool part = kind_is_part(a);

		if (!part && a->kind != K_SYM)
			continue;
		*PUSH(x->check, x->nchecks, x->check_cap) = (struct check){
		    a->off,
		    !part      ? 0
		    : a->array ? kind_width(a->kind)
			       : 1,
		    a->array && (a->kind == K_STR || a->kind == K_SYM), a->kind == K_SYM};
		x->checks[id].n++;
	}
}

/* Reads an argument of a type. Sets c->bad if it is invalid. */
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
		c->bad = true; /* the text form could not write such a name */
	ty.nargs = nargs;
	ty.args = args = xcalloc(nargs, sizeof *args);
	for (uint32_t i = 0; i < nargs && !c->bad; i++)
		get_arg(s, c, &args[i]);
	if (!c->bad) {
		got = type_add(&s->t, &ty);
		/* The offsets follow from the kinds alone. The stream has them for simple readers. */
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

const char *
binary_data(struct binary *x, const uint8_t *p, const uint8_t *end)
{
	if (end - p < DATA_HEAD)
		return "a data block is too short";
	x->records = le32(p + 8);
	x->rec = p + DATA_HEAD;
	x->end = end;
	return NULL;
}

const char *
binary_block(struct source *s, const uint8_t *p, const uint8_t *end)
{
	struct binary *x = s->state;
	struct cur c = {p + 8, end, false};
	uint32_t kind = le32(p);
	uint64_t lost, blocks, events;
	struct span where;

	if (kind != BLOCK_HEAD && (!x->headed || x->ended))
		return "a block stands outside of a stream: a HEAD block is expected";
	x->blocks++;
	switch (kind) {
	case BLOCK_HEAD: return head_block(s, &c);
	case BLOCK_STR: return str_block(s, &c);
	case BLOCK_TYPE: return type_block(s, &c);
	case BLOCK_DATA: return binary_data(x, p, end);
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
