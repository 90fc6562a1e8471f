/* partial_lines.c - adds the lines of a partial result to what they name. */
#include <stdio.h>
#include <string.h>

#include "stats/accumulator.h"

static _Noreturn void
no_line(const struct partial_reader *r)
{
	partial_refuse(r, "not a line of a partial result");
}

static void
on_segment(const struct partial_reader *r, const struct place *to)
{
	bool inside = to->st->spec->col[to->c].kind == COL_INSIDE;
	const char *more = r->nwords > 6 ? r->word[6] : NULL;
	int64_t first = partial_signed(r, partial_word(r, 5));

	segment_add(
	    to->st,
	    &(struct segment){.group = to->g,
			      .file = partial_file_named(r, to->st, 2),
			      .col = (uint32_t)to->c,
			      .seq = more && inside ? (uint32_t)partial_number(r, more) : 0,
			      .begin = partial_at(r, 3),
			      .end = partial_at(r, 4),
			      .first = first,
			      .last = partial_signed(r, r->number),
			      .began = more && !inside ? partial_signed(r, more) : first});
}

static unsigned
class_named(const struct partial_reader *r, const char *s)
{
	for (unsigned k = 0; k < CLASSES; k++)
		if (!strcmp(partial_class[k], s))
			return k;
	partial_refuse(r, "no such class of values: %.40s", s);
}

/* Returns the accumulator in the set `acc` that has lines with this name. */
static unsigned
line_named(const struct partial_reader *r, unsigned acc, const char *what)
{
	for (; acc; acc &= acc - 1) {
		unsigned i = trailing_zeros64(acc);

		for (unsigned k = 0; k < 4 && accumulators[i]->lines[k]; k++)
			if (!strcmp(accumulators[i]->lines[k], what))
				return i;
	}
	partial_refuse(r, "the question has no use for %.40s", what);
}

static void
column_line(const struct partial_reader *r, struct stats *st)
{
	uint64_t c = partial_at(r, 0);
	const char *what = partial_word(r, 1);
	struct place to = {.st = st, .c = (size_t)c, .g = r->group};
	unsigned i;

	if (c >= st->spec->ncols)
		partial_refuse(r, "no such column");
	to.col = &st->col[c];
	if (!strcmp(what, "segment")) {
		on_segment(r, &to);
		return;
	}
	i = line_named(r, st->spec->col[c].acc, what);
	to.is = accumulators[i];
	if (to.is->arrays > 1)
		to.class = class_named(r, partial_word(r, 2));
	if (to.class >= to.is->arrays)
		partial_refuse(r, "texts have no %s", what);
	column_room(to.col, i, to.class, st->ngroups, to.is->size);
	to.element = column_kept(to.col, i, to.class, to.g, to.is->size);
	to.is->read(r, &to);
}

void
partial_group_line(const struct partial_reader *r)
{
	struct stats *st = r->last;

	if (*partial_word(r, 0) == '&' && r->a->more)
		r->a->more->line(r->a->more_arg, r);
	else if (!strcmp(r->word[0], "count"))
		st->count[r->group] += partial_value(r);
	else if (!strcmp(r->word[0], "sure") && st->over_count) {
		GROW(st->not_own, st->not_own_cap, st->ngroups);
		st->not_own[r->group] += partial_value(r);
	} else
		column_line(r, st);
}

/* Returns the clock in the second word of a field about times. */
static enum clock
clock_word(const struct partial_reader *r)
{
	const char *name = partial_word(r, 1);

	if (strcmp(name, "ns") != 0 && strcmp(name, "ticks") != 0)
		partial_refuse(r, "a clock that is neither ns nor ticks");
	return strcmp(name, "ns") != 0 ? CLOCK_TICKS : CLOCK_NS;
}

static void
on_clock(const struct partial_reader *r, struct stats *st)
{
	enum clock clock = clock_word(r);

	if (st->any && st->clock != clock && spec_one_clock(st->spec))
		partial_refuse(
		    r, "its clock counts other units than that of the partial results "
		       "before");
	partial_value(r);
	st->clock = clock;
	st->any = true;
	if (!stats_origin(st))
		partial_refuse(r, "windows cannot begin at a time of another clock");
}

/* Takes the first or the last time. */
static void
on_time(const struct partial_reader *r, struct stats *st)
{
	enum clock clock = clock_word(r);
	uint64_t t =
	    clock == CLOCK_NS ? (uint64_t)partial_signed(r, r->number) : partial_value(r);

	t ^= time_flip(clock);
	st->tmin = !st->timed || t < st->tmin ? t : st->tmin;
	st->tmax = !st->timed || t > st->tmax ? t : st->tmax;
	st->timed = true;
}

static void
on_left_out(const struct partial_reader *r, struct stats *st)
{
	st->over_count += partial_value(r);
}

static void
on_shift(const struct partial_reader *r, struct stats *st)
{
	uint64_t shift = partial_value(r);

	if (shift > PANE_SHIFT_MOST || !st->spec->pane)
		partial_refuse(r, "impossible panes");
	stats_coarsen(st, (unsigned)shift);
}

static void
on_keep(const struct partial_reader *r, struct stats *st)
{
	uint64_t i = partial_at(r, 1), keep = partial_value(r);

	if (i >= st->spec->ncols || keep < pages_keep(UINT32_MAX) || keep > PAGES_EXACT)
		partial_refuse(r, "no such column, or impossible pages");
	column_keep(&st->col[i], (uint32_t)keep);
}

static void
on_seen(const struct partial_reader *r, struct stats *st)
{
	uint64_t i = partial_at(r, 1), as = partial_value(r);

	if (i >= st->view.n || !as || as > (SEEN_FIELD | SEEN_EVENT))
		partial_refuse(r, "no such column");
	st->view.name[i].seen |= (uint8_t)as;
}

static void
on_name(const struct partial_reader *r, struct stats *st)
{
	partial_value(r);
	strtab_id(&st->view.known, partial_word(r, 1), strlen(partial_word(r, 1)));
}

static void
on_input(const struct partial_reader *r, struct stats *st)
{
	partial_at(r, 1);
	partial_value(r);
	strtab_id(&st->text.inputs, partial_word(r, 2), strlen(partial_word(r, 2)));
}

static void
on_part(const struct partial_reader *r, struct stats *st)
{
	cover_add(st, &(struct cover){.file = partial_file_named(r, st, 1),
				      .begin = partial_at(r, 2),
				      .end = partial_value(r)});
}

static const struct {
	const char *what;
	void (*add)(const struct partial_reader *r, struct stats *st);
} table_lines[] = {
    {"clock", on_clock}, {"begin", on_time},  {"end", on_time},	 {"missed", on_left_out},
    {"shift", on_shift}, {"keep", on_keep},   {"seen", on_seen}, {"name", on_name},
    {"part", on_part},	 {"input", on_input},
};

/* Takes a line about the whole answer. */
static void
result_line(const struct partial_reader *r, struct query_result *a, const char *what)
{
	uint64_t n;

	if (!strcmp(what, "lost"))
		a->lost += partial_value(r);
	else if (!strcmp(what, "madeup"))
		a->made_up |= partial_value(r) != 0;
	else if (!strcmp(what, "trouble")) {
		partial_value(r);
		result_trouble(a, partial_unescaped(r, 1));
	} else if (!strcmp(what, "asked")) {
		n = partial_value(r);
		result_asked(a, partial_unescaped(r, 1), n != 0);
	} else if (!strcmp(what, "format") && r->nwords > 1) {
		partial_value(r);
		result_format(a, r->word[1]);
	} else
		no_line(r);
}

void
partial_table_line(const struct partial_reader *r)
{
	const char *what = partial_word(r, 0);

	if (!r->key[1]) {
		result_line(r, r->a, what);
		return;
	}
	for (size_t i = 0; i < sizeof table_lines / sizeof *table_lines; i++)
		if (!strcmp(table_lines[i].what, what)) {
			table_lines[i].add(r, partial_table(r, r->key[1]));
			return;
		}
	no_line(r);
}
