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
static const struct rule rows[] = {SPC_RULES(RULE_ROW)};
static const struct rules rules = {rows, sizeof rows / sizeof *rows};

/* The limit of the numbers of ASUs. */
/* Bound: trace-check | ASUs of SPC | their numbers | 65536 | more than 65536 ASUs */
#define ASUS (1u << 16)
/* A trace with fewer requests says nothing about its unit of time. */
#define ENOUGH 100

struct spc_check {
	uint8_t seen[ASUS];
	uint32_t
	    *asu; /* by number of the string of loc: the ASU, plus 1; 0 = not looked up */
	size_t asu_cap;
	unsigned epoch;
	uint64_t n, ties, crlf;
	int64_t least, most, last; /* times */
	uint8_t cases;		   /* bits: 1 = R or W, 2 = r or w */
	uint64_t block;
	struct trace_place place; /* of the last record */
};

static void *
spc_begin(struct check_run *c, struct source *s)
{
	struct spc_check *x = xcalloc(1, sizeof *x);

	(void)c;
	x->block = head_addr_unit(&s->head);
	return x;
}

/* Returns the ASU of a record. */
static uint32_t
asu_of(struct check_run *c, struct spc_check *x, struct source *s, uint32_t loc)
{
	uint64_t asu = 0;

	if (x->epoch != s->t.epoch && x->asu) {
		memset(x->asu, 0, x->asu_cap * sizeof *x->asu);
		x->epoch = s->t.epoch;
	}
	GROW(x->asu, x->asu_cap, loc + (size_t)1);
	if (!x->asu[loc]) {
		const struct str *text = &s->t.str.v[loc];

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
check_bytes(struct check_run *c, struct spc_check *x, struct source *s,
	    const struct batch *b, uint32_t i)
{
	const struct span raw = b->raw[i];
	const uint8_t *end = raw.p + raw.n, *p;
	unsigned field = 0;

	end -= end > raw.p && end[-1] == '\n';
	if (end > raw.p && end[-1] == '\r') {
		if (!x->crlf++)
			x->place = place_of(c, s, b, i);
		end--;
	}
	for (p = raw.p; p < end; p++) {
		field += *p == ',' && field < 5;
		if (*p - 0x20u > 0x5e && *p != '\t')
			break;
	}
	if (p < end)
		find(c, SPC_CHARSET, place_of(c, s, b, i),
		     "byte \\x%02x in field %u: a record is ASCII", *p, field + 1);
}

/* Looks at rules that are seldom broken, of one record. */
static void
check_record(struct check_run *c, struct spc_check *x, struct source *s,
	     const struct batch *b, uint32_t i, uint32_t asu)
{
	const struct rec *r = batch_rec(b, i);
	uint64_t room;

	if (r->addr >> 48 || r->addr > UINT64_MAX / x->block)
		find(c, SPC_LBA_HUGE, place_of(c, s, b, i),
		     "LBA %llu is beyond each disk: is it in bytes, or another field?",
		     (unsigned long long)r->addr);
	if (!r->size && wants(c, SPC_SIZE_ZERO))
		find(c, SPC_SIZE_ZERO, place_of(c, s, b, i), "the size is 0");
	if (r->size % x->block && wants(c, SPC_SIZE_BLOCK))
		find(c, SPC_SIZE_BLOCK, place_of(c, s, b, i),
		     "size %llu is no multiple of %llu", (unsigned long long)r->size,
		     (unsigned long long)x->block);
	if (check_capacity(c, asu, &room) &&
	    (r->addr > room / x->block || room - r->addr * x->block < r->size))
		find(c, SPC_CAPACITY, place_of(c, s, b, i),
		     "the request ends beyond the %llu bytes of ASU %u",
		     (unsigned long long)room, asu);
}

static void
spc_batch(struct check_run *c, void *state, struct source *s, const struct batch *b)
{
	struct spc_check *x = state;
	bool native = !is_stream(s);
	const struct span *last = &b->raw[b->n - 1];

	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);
		uint32_t asu = asu_of(c, x, s, r->loc);

		/* The reader of lines reports this itself. */
		if (!native && x->n && r->time < x->last)
			find(c, SPC_TIME_ORDER, place_of(c, s, b, i), "the time goes back");
		x->ties += x->n && r->time == x->last;
		x->least = !x->n || r->time < x->least ? r->time : x->least;
		x->most = !x->n++ || r->time > x->most ? r->time : x->most;
		x->last = r->time;
		check_record(c, x, s, b, i, asu);
	}
	if (native && has_odd_byte(b->raw[0].p, last->p + last->n))
		for (uint32_t i = 0; i < b->n; i++)
			check_bytes(c, x, s, b, i);
	for (uint32_t i = 0; native && wants(c, SPC_OPCODE_CASE) && i < b->n; i++) {
		const uint8_t *p = b->raw[i].p;

		for (unsigned field = 0; field < 3; p++)
			field += *p == ',';
		while (*p == ' ' || *p == '\t')
			p++;
		x->cases |= *p & 0x20 ? 2 : 1;
		if (x->cases == 3) {
			find(c, SPC_OPCODE_CASE, place_of(c, s, b, i),
			     "opcode %c: before they were in the other case", *p);
			x->cases = 4;
		}
	}
	if (native && s->in.completed && last->p + last->n == s->in.end)
		find(c, SPC_NEWLINE, place_of(c, s, b, b->n - 1),
		     "the last record does not end with a newline");
}

static void
spc_end(struct check_run *c, void *state, struct source *s)
{
	struct spc_check *x = state;
	struct trace_place file = in_file(s->name);
	uint32_t greatest = ASUS, missing = 0;
	uint64_t span = (uint64_t)x->most - (uint64_t)x->least, gaps = x->n ? x->n - 1 : 0;

	if (x->crlf)
		find(c, SPC_CRLF, x->place, "%llu record%s with a carriage return",
		     (unsigned long long)x->crlf, x->crlf == 1 ? " ends" : "s end");
	while (greatest && !x->seen[greatest - 1])
		greatest--;
	if (greatest && !x->seen[0])
		find(c, SPC_ASU_ZERO, file, "no record is of ASU 0");
	for (uint32_t i = 1; i < greatest; i++)
		missing += !x->seen[i];
	for (uint32_t i = 1; i < greatest && missing; i++)
		if (!x->seen[i]) {
			find(c, SPC_ASU_DENSE, file,
			     "no record is of ASU %u, but some are of %u%s", i,
			     greatest - 1,
			     missing > 1 ? ", and other ASUs are missing" : "");
			break;
		}
	if (gaps && span / 1000000000 / gaps >= 1000)
		find(c, SPC_TIME_UNIT, file,
		     "%llu s lie between two requests on average: are times in seconds?",
		     (unsigned long long)(span / 1000000000 / gaps));
	if (gaps >= ENOUGH && span && span / gaps < 100)
		find(c, SPC_TIME_UNIT, file,
		     "%llu requests in %llu ns: are times in seconds?",
		     (unsigned long long)x->n, (unsigned long long)span);
	if (gaps && x->ties * 2 >= gaps)
		find(c, SPC_TIME_TIES, file,
		     "%llu of %llu requests have the time of the one before",
		     (unsigned long long)x->ties, (unsigned long long)x->n);
	free(x->asu);
	free(x);
}

const struct checker check_spc = {" spc ", &rules, 0, spc_begin, spc_batch, spc_end};
