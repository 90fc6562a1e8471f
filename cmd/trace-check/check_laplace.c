/* check_laplace.c - the rules of Laplace about references, and about both kinds of trace: see check_laplace.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "laplace/laplace.h"
#include "trace-check/check_laplace.h"

/* Clocks of the inputs so far: of references, and of kernel events. */
static struct clock_range {
	uint64_t first, last;
	bool any;
} clocks[2];
static bool told_apart; /* the two were found to be disjoint */

static const char *const args[] = {LAPLACE_ARGS(LIST_TEXT) NULL};

static void
laplace_begin(struct check_run *c)
{
	if (c->s->fmt == &fmt_laplace && laplace_is_big(c->s))
		find_at(c, BAD_REF_ORDER, in_file(c->s->name),
			"the records are big-endian; the machine of such traces was "
			"little-endian");
}

/* Returns the letter of a reference, or 0 for a kernel event. */
static uint8_t
letter_of(struct check_run *c, struct laplace_check *x, const struct rec *r)
{
	const struct type *ty = &c->s->t.type[r->type];

	CACHE(x->type, x->type_cache, c->s, r->type + (size_t)1);
	if (!x->type[r->type])
		x->type[r->type] =
		    ty->event_len == 1 ? (uint8_t)(1 + (uint8_t)*ty->event) : 1;
	return x->type[r->type] - 1;
}

/* Returns true if the line of a reference is in canonical form: single blanks, small hexadecimal digits, no leading
 * zeros. */
static bool
is_canonical(const struct span *raw)
{
	const uint8_t *end = raw->p + raw->n, *p = raw->p + 1;

	end -= end > raw->p && end[-1] == '\n';
	for (unsigned field = 1; field < 5; field++) {
		const uint8_t *begin = ++p;

		if (begin >= end || begin[-1] != ' ')
			return false;
		while (p < end && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f')))
			p++;
		if (p == begin || (*begin == '0' && p != begin + 1))
			return false;
	}
	return p == end;
}

/* Looks at the length and address of a reference. */
static void
check_range(struct check_run *c, struct laplace_check *x, const struct rec *r,
	    uint8_t letter)
{
	uint64_t n = r->size;
	bool aligns = n == 2 || n == 4 || n == 8;

	if (!n || (n > 16 && n != 32 && n != 64))
		find(c, BAD_REF_LENGTH,
		     "a length of " U64 ": 1 to 16, 32 or 64 is expected", n);
	if (r->addr + n > 1ull << 32)
		find(c, BAD_REF_WRAP,
		     "address " X64 " and length " U64 " go beyond 32 bits", r->addr, n);
	if (n && r->addr / PAGE != (r->addr + n - 1) / PAGE)
		find(c, BAD_REF_CROSS, "the reference crosses a page at " X64,
		     (r->addr / PAGE + 1) * PAGE);
	if (letter == 'i' && n > 15)
		find(c, BAD_REF_FETCH,
		     "a fetch of " U64 " bytes: an instruction has at most 15", n);
	if (letter != 'i' && aligns) {
		x->sized++;
		x->unaligned += r->addr % n != 0;
	}
}

static void
take_reference(struct check_run *c, struct laplace_check *x, const struct rec *r,
	       uint8_t letter)
{
	if (letter != 'r' && letter != 'w' && letter != 'i' && !x->letters[letter]) {
		x->letters[letter] = 1;
		find(c, BAD_REF_TYPE, "type %c is none of r, w and i (said once)", letter);
	}
	check_range(c, x, r, letter);
	if (!is_stream(c) && c->s->fmt->text && !is_canonical(&c->b->raw[c->i]))
		find(c, BAD_TEXT_FORM,
		     "the line is not in the form `r 4132ff93 4 1015a 80b1d32`");
	if (wants(c, BAD_REF_MAPPED) && !strcmp(argument_text(c, A_REGION), "none"))
		find(c, BAD_REF_MAPPED, "no mapping has the address " X64, r->addr);
}

static void
laplace_batch(struct check_run *c)
{
	struct laplace_check *x = c->own;

	for (c->i = 0; c->i < c->b->n; c->i++) {
		const struct rec *r = batch_rec(c->b, c->i);
		uint8_t letter = letter_of(c, x, r);
		struct clock_range *clock = &clocks[!letter];
		uint64_t time = (uint64_t)r->time;

		c->here = NOT_KNOWN;
		/* Readers of native traces report this themselves. */
		if (is_stream(c) && x->any && time < x->last && !x->back) {
			x->back = true;
			find(c, letter ? BAD_REF_TIME : BAD_TIME,
			     "the clock goes back here (said once)");
		}
		x->any = true;
		x->last = time;
		if (letter)
			take_reference(c, x, r, letter);
		else if (!kernel_take(c))
			continue; /* it has no time of its own */
		clock->first = !clock->any || time < clock->first ? time : clock->first;
		clock->last = !clock->any || time > clock->last ? time : clock->last;
		clock->any = true;
	}
}

static void
laplace_end(struct check_run *c)
{
	const struct clock_range *refs = &clocks[0], *kernel = &clocks[1];
	struct laplace_check *x = c->own;

	if (x->unaligned)
		find_at(c, BAD_REF_ALIGN, in_file(c->s->name),
			U64 " of " U64
			    " loads and stores of 2, 4 or 8 bytes are not aligned "
			    "(%.1f %%)",
			x->unaligned, x->sized,
			100.0 * (double)x->unaligned / (double)x->sized);
	if (refs->any && kernel->any && !told_apart &&
	    (refs->last < kernel->first || kernel->last < refs->first)) {
		told_apart = true;
		find_at(c, BAD_MERGE_CLOCK, in_file(c->s->name),
			"references last from " U64 " to " U64 ", kernel events from " U64
			" to " U64,
			refs->first, refs->last, kernel->first, kernel->last);
	}
	cache_free(x->type, &x->type_cache);
	free(x->region);
}

const struct checker check_laplace = {
    .formats = " laplace laplace-text laplace-merge ",
    .rules = (const struct rule[]){LAPLACE_RULES(RULE_ROW){0}},
    .own_size = sizeof(struct laplace_check),
    .maps = kernel_maps,
    .events = kernel_events,
    .args = args,
    .need = NEED_ARGS,
    .begin = laplace_begin,
    .batch = laplace_batch,
    .end = laplace_end,
};
