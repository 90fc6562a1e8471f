/* check_laplace.c - the rules of Laplace about references, and about both kinds of trace: see check_laplace.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "laplace/laplace.h"
#include "trace-check/check_laplace.h"

static const struct rule rows[] = {LAPLACE_RULES(RULE_ROW)};
static const struct rules rules = {rows, sizeof rows / sizeof *rows};

#define PAGE 4096u

/* Clocks of the inputs so far: of references, and of kernel events. */
static struct clock_range {
	uint64_t first, last;
	bool any;
} clocks[2];
static bool told_apart; /* the two were found to be disjoint */

struct laplace_check {
	struct laplace_kernel *kernel;
	bool kernels; /* the input has kernel events */
	uint64_t last;
	bool any, back;
	uint8_t letters[256]; /* types that were told */
	uint8_t *type; /* by type of event: 1 + its letter; 0 = not known yet; 1 = none */
	struct cache type_cache;
	uint64_t sized, unaligned; /* loads and stores of 2, 4 or 8 bytes */
	struct arguments values;
};

static const char *const no_events[] = {NULL};
static const char *const reference_args[] = {"region", NULL};

static void *
laplace_begin(struct check_run *c, struct source *s)
{
	struct laplace_check *x = xcalloc(1, sizeof *x);

	x->kernel = kernel_new();
	x->values.events = no_events;
	x->values.args = reference_args;
	if (s->fmt == &fmt_laplace && laplace_is_big(s))
		find(c, BAD_REF_ORDER, in_file(s->name),
		     "the records are big-endian; the machine of such traces was "
		     "little-endian");
	return x;
}

/* Returns the letter of a reference, or 0 for a kernel event. */
static uint8_t
letter_of(struct laplace_check *x, struct source *s, const struct rec *r)
{
	const struct type *ty = &s->t.type[r->type];

	CACHE(x->type, x->type_cache, s, r->type + (size_t)1);
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
check_range(struct check_run *c, struct laplace_check *x, struct source *s,
	    const struct batch *b, uint32_t i, uint8_t letter)
{
	const struct rec *r = batch_rec(b, i);
	uint64_t n = r->size;
	bool aligns = n == 2 || n == 4 || n == 8;

	if (!n || (n > 16 && n != 32 && n != 64))
		find(c, BAD_REF_LENGTH, place_of(c, s, b, i),
		     "a length of %llu: 1 to 16, 32 or 64 is expected",
		     (unsigned long long)n);
	if (r->addr + n > 1ull << 32)
		find(c, BAD_REF_WRAP, place_of(c, s, b, i),
		     "address 0x%llx and length %llu go beyond 32 bits",
		     (unsigned long long)r->addr, (unsigned long long)n);
	if (n && r->addr / PAGE != (r->addr + n - 1) / PAGE && wants(c, BAD_REF_CROSS))
		find(c, BAD_REF_CROSS, place_of(c, s, b, i),
		     "the reference crosses a page at 0x%llx",
		     (unsigned long long)((r->addr / PAGE + 1) * PAGE));
	if (letter == 'i' && n > 15 && wants(c, BAD_REF_FETCH))
		find(c, BAD_REF_FETCH, place_of(c, s, b, i),
		     "a fetch of %llu bytes: an instruction has at most 15",
		     (unsigned long long)n);
	if (letter != 'i' && aligns) {
		x->sized++;
		x->unaligned += r->addr % n != 0;
	}
}

static void
take_reference(struct check_run *c, struct laplace_check *x, struct source *s,
	       const struct batch *b, uint32_t i, uint8_t letter)
{
	const char *region;

	if (letter != 'r' && letter != 'w' && letter != 'i' && !x->letters[letter]) {
		x->letters[letter] = 1;
		find(c, BAD_REF_TYPE, place_of(c, s, b, i),
		     "type %c is none of r, w and i (said once)", letter);
	}
	check_range(c, x, s, b, i, letter);
	if (!is_stream(s) && s->fmt->text && !is_canonical(&b->raw[i]))
		find(c, BAD_TEXT_FORM, place_of(c, s, b, i),
		     "the line is not in the form `r 4132ff93 4 1015a 80b1d32`");
	if (wants(c, BAD_REF_MAPPED) &&
	    (region = argument_text(&x->values, s, batch_rec(b, i), 0)) &&
	    !strcmp(region, "none"))
		find(c, BAD_REF_MAPPED, place_of(c, s, b, i),
		     "no mapping has the address 0x%llx",
		     (unsigned long long)batch_rec(b, i)->addr);
}

static void
laplace_batch(struct check_run *c, void *state, struct source *s, const struct batch *b)
{
	struct laplace_check *x = state;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);
		uint8_t letter = letter_of(x, s, r);
		struct clock_range *clock = &clocks[!letter];
		uint64_t time = (uint64_t)r->time;

		/* Readers of native traces report this themselves. */
		if (is_stream(s) && x->any && time < x->last && !x->back) {
			x->back = true;
			find(c, letter ? BAD_REF_TIME : BAD_TIME, place_of(c, s, b, i),
			     "the clock goes back here (said once)");
		}
		x->any = true;
		x->last = time;
		if (letter)
			take_reference(c, x, s, b, i, letter);
		else if (!kernel_take(c, x->kernel, s, b, i))
			continue; /* it has no time of its own */
		clock->first = !clock->any || time < clock->first ? time : clock->first;
		clock->last = !clock->any || time > clock->last ? time : clock->last;
		clock->any = true;
	}
}

static void
laplace_end(struct check_run *c, void *state, struct source *s)
{
	struct laplace_check *x = state;

	if (x->unaligned)
		find(c, BAD_REF_ALIGN, in_file(s->name),
		     "%llu of %llu loads and stores of 2, 4 or 8 bytes are not aligned "
		     "(%.1f %%)",
		     (unsigned long long)x->unaligned, (unsigned long long)x->sized,
		     100.0 * (double)x->unaligned / (double)x->sized);
	if (clocks[0].any && clocks[1].any && !told_apart &&
	    (clocks[0].last < clocks[1].first || clocks[1].last < clocks[0].first)) {
		told_apart = true;
		find(c, BAD_MERGE_CLOCK, in_file(s->name),
		     "references last from %llu to %llu, kernel events from %llu to %llu",
		     (unsigned long long)clocks[0].first,
		     (unsigned long long)clocks[0].last,
		     (unsigned long long)clocks[1].first,
		     (unsigned long long)clocks[1].last);
	}
	kernel_free(x->kernel);
	arguments_free(&x->values);
	cache_free(x->type, &x->type_cache);
	free(x);
}

const struct checker check_laplace = {" laplace laplace-text laplace-merge ",
				      &rules,
				      NEED_ARGS,
				      laplace_begin,
				      laplace_batch,
				      laplace_end};
