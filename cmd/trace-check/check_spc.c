/* check_spc.c - the rules of SPC: see check.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "trace-check/check.h"
#include "trace-check/rules_spc.h"

enum {
	SPC_RULES(RULE_NAME)
};

/* The limit of the numbers of ASUs. */
/* Bound: trace-check | ASUs of SPC | their numbers | 65536 | more than 65536 ASUs */
#define ASUS (1u << 16)
/* A trace with fewer requests says nothing about its unit of time. */
#define ENOUGH 100

struct spc_check {
	uint8_t seen[ASUS];
	uint32_t
	    *asu; /* by number of the string of loc: the ASU, plus 1; 0 = not looked up */
	struct cache asu_cache;
	uint64_t n, ties, crlf;
	int64_t least, most, last; /* times */
	uint8_t cases;		   /* bits: 1 = R or W, 2 = r or w */
	uint64_t block;
	struct trace_place place; /* of the first carriage return */
};

/* Returns the ASU of a record. */
static uint32_t
asu_of(struct check_run *c, struct spc_check *x, uint32_t loc)
{
	const struct str *text = &c->s->t.str.v[loc];
	uint64_t asu = 0;

	CACHE(x->asu, x->asu_cache, c->s, loc + (size_t)1);
	if (!x->asu[loc]) {
		if (digits_u64((const uint8_t *)text->s, text->len, &asu) || asu >= ASUS) {
			check_limit(c, "ASUs", ASUS);
			asu = ASUS - 1;
		}
		x->asu[loc] = (uint32_t)asu + 1;
		x->seen[asu] = 1;
	}
	return x->asu[loc] - 1;
}

/* Returns true if a byte of [p, end) is other than printable ASCII, a newline or a tab. */
static bool
has_odd_byte(const uint8_t *p, const uint8_t *end)
{
	unsigned odd = 0;

	for (; p < end; p++)
		odd |= (unsigned)(*p - 0x20u > 0x5e) & (unsigned)(*p != '\n') &
		       (unsigned)(*p != '\t');
	return odd;
}

/* Looks at the bytes of a record. */
static void
check_bytes(struct check_run *c, struct spc_check *x)
{
	const struct span raw = c->b->raw[c->i];
	const uint8_t *end = raw.p + raw.n, *p;
	unsigned field = 0;

	end -= end > raw.p && end[-1] == '\n';
	if (end > raw.p && end[-1] == '\r') {
		if (!x->crlf++)
			x->place = event_place(c);
		end--;
	}
	for (p = raw.p; p < end; p++) {
		field += *p == ',' && field < 5;
		if (*p - 0x20u > 0x5e && *p != '\t')
			break;
	}
	if (p < end)
		find(c, SPC_CHARSET, "byte \\x%02x in field %u: a record is ASCII", *p,
		     field + 1);
}

/* Looks at rules that are seldom broken, of one record. */
static void
check_record(struct check_run *c, struct spc_check *x, const struct rec *r)
{
	uint32_t asu = asu_of(c, x, r->loc);

	if (r->addr >> 48 || r->addr > UINT64_MAX / x->block)
		find(c, SPC_LBA_HUGE,
		     "LBA " U64 " is beyond each disk: is it in bytes, or another field?",
		     r->addr);
	if (!r->size)
		find(c, SPC_SIZE_ZERO, "the size is 0");
	if (wants(c, SPC_SIZE_BLOCK) && r->size % x->block)
		find(c, SPC_SIZE_BLOCK, "size " U64 " is no multiple of " U64, r->size,
		     x->block);
	for (size_t i = 0; i < c->ncapacities; i++) {
		uint64_t room = c->capacity[i].bytes;

		if (c->capacity[i].asu == asu &&
		    (r->addr > room / x->block || room - r->addr * x->block < r->size))
			find(c, SPC_CAPACITY,
			     "the request ends beyond the " U64 " bytes of ASU %u", room,
			     asu);
	}
}

/* Looks at the case of a record's opcode. */
static void
check_case(struct check_run *c, struct spc_check *x)
{
	const uint8_t *p = c->b->raw[c->i].p;

	for (unsigned field = 0; field < 3; p++)
		field += *p == ',';
	while (*p == ' ' || *p == '\t')
		p++;
	x->cases |= *p & 0x20 ? 2 : 1;
	if (x->cases == 3) {
		find(c, SPC_OPCODE_CASE, "opcode %c: before they were in the other case",
		     *p);
		x->cases = 4;
	}
}

static void
spc_batch(struct check_run *c)
{
	struct spc_check *x = c->own;
	const struct batch *b = c->b;
	bool native = !is_stream(c), odd;
	const uint8_t *end = b->raw[b->n - 1].p + b->raw[b->n - 1].n;

	if (!x->block)
		x->block = head_addr_unit(&c->s->head);
	for (c->i = 0; c->i < b->n; c->i++) {
		const struct rec *r = batch_rec(b, c->i);

		/* The reader of lines reports this itself. */
		if (!native && x->n && r->time < x->last)
			find(c, SPC_TIME_ORDER, "the time goes back");
		x->ties += x->n && r->time == x->last;
		x->least = !x->n || r->time < x->least ? r->time : x->least;
		x->most = !x->n++ || r->time > x->most ? r->time : x->most;
		x->last = r->time;
		check_record(c, x, r);
	}
	if (!native)
		return;
	odd = has_odd_byte(b->raw[0].p, end);
	for (c->i = 0; odd && c->i < b->n; c->i++)
		check_bytes(c, x);
	for (c->i = 0; wants(c, SPC_OPCODE_CASE) && c->i < b->n; c->i++)
		check_case(c, x);
	c->i = b->n - 1;
	if (c->s->in.completed && end == c->s->in.end)
		find(c, SPC_NEWLINE, "the last record does not end with a newline");
}

static void
spc_end(struct check_run *c)
{
	struct spc_check *x = c->own;
	struct trace_place file = in_file(c->s->name);
	uint32_t greatest = ASUS, missing = 0, first = 0;
	uint64_t span = (uint64_t)x->most - (uint64_t)x->least, gaps = x->n ? x->n - 1 : 0;

	if (x->crlf)
		find_at(c, SPC_CRLF, x->place, U64 " record%s with a carriage return",
			x->crlf, x->crlf == 1 ? " ends" : "s end");
	while (greatest && !x->seen[greatest - 1])
		greatest--;
	if (greatest && !x->seen[0])
		find_at(c, SPC_ASU_ZERO, file, "no record is of ASU 0");
	for (uint32_t i = greatest; i-- > 1;)
		if (!x->seen[i]) {
			missing++;
			first = i;
		}
	if (missing)
		find_at(c, SPC_ASU_DENSE, file,
			"no record is of ASU %u, but some are of %u%s", first, greatest - 1,
			missing > 1 ? ", and other ASUs are missing" : "");
	if (gaps && span / 1000000000 / gaps >= 1000)
		find_at(c, SPC_TIME_UNIT, file,
			U64 " s lie between two requests on average: are times in seconds?",
			span / 1000000000 / gaps);
	if (gaps >= ENOUGH && span && span / gaps < 100)
		find_at(c, SPC_TIME_UNIT, file,
			U64 " requests in " U64 " ns: are times in seconds?", x->n, span);
	if (gaps && x->ties * 2 >= gaps)
		find_at(c, SPC_TIME_TIES, file,
			U64 " of " U64 " requests have the time of the one before", x->ties,
			x->n);
	cache_free(x->asu, &x->asu_cache);
}

const struct checker check_spc = {
    .formats = " spc ",
    .rules = (const struct rule[]){SPC_RULES(RULE_ROW){0}},
    .own_size = sizeof(struct spc_check),
    .batch = spc_batch,
    .end = spc_end,
};
