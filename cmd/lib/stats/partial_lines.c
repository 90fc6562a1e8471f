/* partial_lines.c - the lines of a partial: every line adds to what it names. */
#include <stdio.h>
#include <string.h>

#include "stats/inside.h"
#include "stats/partial_reader.h"

static _Noreturn void
no_line(const struct reader *r)
{
	partial_refuse(r, "not a line of a partial");
}

/* The value at the line's end. */
static uint64_t
value(const struct reader *r)
{
	return partial_number(r, r->number);
}

static uint32_t
file_named(const struct reader *r, struct stats *st, size_t i)
{
	const char *file = partial_word(r, i);

	return strtab_id(&st->files, file, strlen(file));
}

/* Where a line of a column goes. */
struct partial_place {
	struct stats *st;
	struct column *col;
	size_t c;   /* number of the column */
	uint32_t g; /* and of the group */
	unsigned k; /* the class of the values, of lines that have one */
	unsigned bits;
};

/* n, sum, min and max of a class. */
static void
on_tally(const struct reader *r, const struct partial_place *to)
{
	struct column *col = to->col;
	struct tally more = {0};
	const char *what = r->word[1];
	uint64_t sum[2];

	if (!strcmp(what, "sum")) {
		partial_words(r, r->number, sum, 2);
		more.lo = sum[0];
		more.hi = sum[1];
	} else if (!strcmp(what, "n"))
		more.n = value(r);
	else if (!strcmp(what, "min"))
		more.not_min = ~value(r);
	else
		more.max = value(r);
	GROW(col->num[to->k], col->num_cap[to->k], to->st->ngroups);
	tally_merge(&col->num[to->k][to->g], &more);
}

static void
on_squares(const struct reader *r, const struct partial_place *to)
{
	struct column *col = to->col;
	struct square more;

	partial_words(r, r->number, more.w, 3);
	GROW(col->square[to->k], col->square_cap[to->k], to->st->ngroups);
	square_merge(&col->square[to->k][to->g], &more);
}

static void
on_value(const struct reader *r, const struct partial_place *to)
{
	hists_room(&to->col->hist[to->k], to->st->ngroups);
	hists_add_times(&to->col->hist[to->k], to->g, partial_at(r, 3), value(r), to->bits);
}

static void
on_bucket(const struct reader *r, const struct partial_place *to)
{
	uint64_t index = partial_at(r, 3);

	if (index > hist_index(UINT64_MAX, to->bits))
		partial_refuse(r, "no such bucket");
	hists_room(&to->col->hist[to->k], to->st->ngroups);
	hists_add_bucket(&to->col->hist[to->k], to->g, (uint32_t)index, value(r), to->bits);
}

static void
on_member(const struct reader *r, const struct partial_place *to)
{
	const char *text = partial_word(r, 2);
	struct datum d = datum_of_text(text, strlen(text));

	set_add(&to->col->set[to->g], &d);
}

static void
on_register(const struct reader *r, const struct partial_place *to)
{
	uint64_t index = partial_at(r, 2), rank = value(r);

	if (index >= 1u << SET_BITS || rank > 64)
		partial_refuse(r, "no such register");
	set_add_register(&to->col->set[to->g], (uint32_t)index, (unsigned)rank);
}

static void
on_pages(const struct reader *r, const struct partial_place *to)
{
	pages_add_word(&to->col->pages[to->g], partial_at(r, 2), value(r), to->col->keep);
}

static void
on_limit(const struct reader *r, const struct partial_place *to)
{
	struct pages other = {.sampled = true, .beyond = ~value(r)};

	pages_merge(&to->col->pages[to->g], &other, to->col->keep);
}

static void
on_top(const struct reader *r, const struct partial_place *to)
{
	const char *text = partial_word(r, 3);
	struct datum d = datum_of_text(text, strlen(text));

	top_add(&to->col->top[to->g], &d, value(r), partial_at(r, 2));
}

static void
on_missed(const struct reader *r, const struct partial_place *to)
{
	to->col->top[to->g].missed += value(r);
}

static void
on_end(const struct reader *r, const struct partial_place *to)
{
	const char *text = partial_word(r, 4);
	bool first = *r->word[1] == 'f';
	struct ends *ends = &to->col->ends[to->g];
	struct end e = {.any = true,
			.file = file_named(r, to->st, 2),
			.begin = partial_at(r, 3),
			.seq = value(r),
			.datum = datum_of_text(text, strlen(text))};

	end_merge(first ? &ends->first : &ends->last, &e, first, &to->st->files);
}

static void
on_segment(const struct reader *r, const struct partial_place *to)
{
	bool inside = to->st->spec->col[to->c].kind == COL_INSIDE;
	const char *more = r->nwords > 6 ? r->word[6] : NULL;
	int64_t first = partial_signed(r, partial_word(r, 5));

	segment_add(
	    to->st,
	    &(struct segment){.group = to->g,
			      .file = file_named(r, to->st, 2),
			      .col = (uint32_t)to->c,
			      .seq = more && inside ? (uint32_t)partial_number(r, more) : 0,
			      .begin = partial_at(r, 3),
			      .end = partial_at(r, 4),
			      .first = first,
			      .last = partial_signed(r, r->number),
			      .began = more && !inside ? partial_signed(r, more) : first});
}

/* The lines of a column: what must be kept of it, and which name a class of values. */
enum class_of {
	ANY,	/* there is none */
	CLASS,	/* one of all */
	NUMBER, /* one that is not of texts */
};

static const struct column_line {
	const char *what;
	unsigned acc; /* 0: of every column */
	enum class_of class;
	void (*add)(const struct reader *r, const struct partial_place *to);
} column_lines[] = {
    {"n", ACC_NUM, CLASS, on_tally},
    {"sum", ACC_NUM, CLASS, on_tally},
    {"min", ACC_NUM, CLASS, on_tally},
    {"max", ACC_NUM, CLASS, on_tally},
    {"squares", ACC_SQUARE, NUMBER, on_squares},
    {"value", ACC_HIST, NUMBER, on_value},
    {"bucket", ACC_HIST, NUMBER, on_bucket},
    {"member", ACC_SET, ANY, on_member},
    {"register", ACC_SET, ANY, on_register},
    {"pages", ACC_PAGES, ANY, on_pages},
    {"limit", ACC_PAGES, ANY, on_limit},
    {"top", ACC_TOP, ANY, on_top},
    {"missed", ACC_TOP, ANY, on_missed},
    {"first", ACC_ENDS, ANY, on_end},
    {"last", ACC_ENDS, ANY, on_end},
    {"segment", 0, ANY, on_segment},
};

static unsigned
class_named(const struct reader *r, const char *s)
{
	for (unsigned k = 0; k < CLASSES; k++)
		if (!strcmp(partial_class[k], s))
			return k;
	partial_refuse(r, "no such class of values: %.40s", s);
}

static void
column_line(const struct reader *r, struct stats *st)
{
	uint64_t c = partial_at(r, 0);
	const char *what = partial_word(r, 1);
	struct partial_place to = {.st = st, .g = r->group};
	size_t i;

	if (c >= st->spec->ncols)
		partial_refuse(r, "no such column");
	to.c = (size_t)c;
	to.col = &st->col[c];
	to.bits = spec_bits(st->spec, to.c);
	for (i = 0; i < sizeof column_lines / sizeof *column_lines; i++) {
		const struct column_line *l = &column_lines[i];

		if (strcmp(l->what, what) != 0 || (st->spec->col[c].acc & l->acc) != l->acc)
			continue;
		if (l->class != ANY)
			to.k = class_named(r, partial_word(r, 2));
		if (l->class == NUMBER && to.k == TEXTS)
			partial_refuse(r, "texts have no %s", what);
		column_room(st, to.c);
		l->add(r, &to);
		return;
	}
	partial_refuse(r, "the question has no use for %.40s", what);
}

/* "gap V", "size V": the only one there is; "gap *": there are several. */
static unsigned
one_line(const struct reader *r, unsigned known, uint64_t *v)
{
	const char *s = partial_word(r, 1);
	bool many = !strcmp(s, "*"), neg = *s == '-';

	return one_add(known, v,
		       many  ? ONE_MANY
		       : neg ? ONE_NEG
			     : ONE_POS,
		       many ? 0 : partial_number(r, s + neg));
}

/* Of a file and a node. */
static void
file_line(const struct reader *r, struct files *f)
{
	struct file_node *a =
	    r->group != NO_FILE ? &f->v[r->group] : &(struct file_node){0};
	const char *what = partial_word(r, 0);
	uint64_t w[2];

	for (unsigned i = 0; i <= FILE_BYTES; i++)
		if (!strcmp(what, partial_file[i])) {
			partial_words(r, r->number, w, i == FILE_BYTES ? 2 : 1);
			if (r->group != NO_FILE)
				files_count(f, r->group, i, w[0],
					    i == FILE_BYTES ? w[1] : 0);
			return;
		}
	if (!strcmp(what, "did"))
		a->did |= partial_at(r, 1) & (FILE_READ | FILE_WRITTEN);
	else if (!strcmp(what, "gap"))
		a->gaps = 3 & one_line(r, a->gaps, &a->gap);
	else if (!strcmp(what, "size"))
		a->sizes = 3 & one_line(r, a->sizes, &a->size);
	else
		no_line(r);
}

void
partial_group_line(const struct reader *r)
{
	struct stats *st = r->last;
	bool segment = r->nwords > 1 && !strcmp(r->word[1], "segment");

	if (st->access && r->group == NO_FILE && segment)
		return;
	if (st->access && !segment)
		file_line(r, st->access);
	else if (*partial_word(r, 0) == '&' && r->a->more)
		r->a->more->line(r->a->more_arg, r);
	else if (!strcmp(r->word[0], "count"))
		st->count[r->group] += value(r);
	else if (!strcmp(r->word[0], "sure") && st->missed) {
		GROW(st->sure, st->sure_cap, st->ngroups);
		st->sure[r->group] += value(r);
	} else
		column_line(r, st);
}

/* The second word of a field about times. */
static enum clock
clock_word(const struct reader *r)
{
	const char *name = partial_word(r, 1);

	if (strcmp(name, "ns") != 0 && strcmp(name, "ticks") != 0)
		partial_refuse(r, "a clock that is neither ns nor ticks");
	return strcmp(name, "ns") != 0 ? CLOCK_TICKS : CLOCK_NS;
}

static void
on_clock(const struct reader *r, struct stats *st)
{
	enum clock clock = clock_word(r);

	if (st->any && st->clock != clock && spec_one_clock(st->spec))
		partial_refuse(r, "its clock counts other units than that of the partials "
				  "before");
	value(r);
	st->clock = clock;
	st->any = true;
	if (!stats_origin(st))
		partial_refuse(r, "windows cannot begin at a time of another clock");
}

/* The first or the last time. */
static void
on_time(const struct reader *r, struct stats *st)
{
	enum clock clock = clock_word(r);
	uint64_t t = clock == CLOCK_NS ? (uint64_t)partial_signed(r, r->number) : value(r);

	t ^= time_flip(clock);
	st->tmin = !st->timed || t < st->tmin ? t : st->tmin;
	st->tmax = !st->timed || t > st->tmax ? t : st->tmax;
	st->timed = true;
}

static void
on_left_out(const struct reader *r, struct stats *st)
{
	st->missed += value(r);
}

static void
on_shift(const struct reader *r, struct stats *st)
{
	uint64_t shift = value(r);

	if (shift > (st->access ? FILES_SHIFT_MOST : PANE_SHIFT_MOST) ||
	    !(st->spec->pane || st->access))
		partial_refuse(r, "impossible panes or files");
	if (st->access)
		files_thin(st, (unsigned)shift);
	else
		stats_coarsen(st, (unsigned)shift);
}

static void
on_keep(const struct reader *r, struct stats *st)
{
	uint64_t i = partial_at(r, 1), keep = value(r);

	if (i >= st->spec->ncols || keep < pages_keep(UINT32_MAX) || keep > PAGES_EXACT)
		partial_refuse(r, "no such column, or impossible pages");
	column_keep(&st->col[i], (uint32_t)keep);
}

static void
on_seen(const struct reader *r, struct stats *st)
{
	uint64_t i = partial_at(r, 1), as = value(r);

	if (i >= st->view.n || !as || as > (SEEN_FIELD | SEEN_EVENT))
		partial_refuse(r, "no such column");
	st->view.name[i].seen |= (uint8_t)as;
}

static void
on_name(const struct reader *r, struct stats *st)
{
	value(r);
	strtab_id(&st->view.known, partial_word(r, 1), strlen(partial_word(r, 1)));
}

static void
on_part(const struct reader *r, struct stats *st)
{
	cover_add(st, &(struct cover){.file = file_named(r, st, 1),
				      .begin = partial_at(r, 2),
				      .end = value(r)});
}

static const struct {
	const char *what;
	void (*add)(const struct reader *r, struct stats *st);
} table_lines[] = {
    {"clock", on_clock},     {"begin", on_time},  {"end", on_time},
    {"missed", on_left_out}, {"shift", on_shift}, {"keep", on_keep},
    {"seen", on_seen},	     {"name", on_name},	  {"part", on_part},
};

/* What is of the whole answer. */
static void
answer_line(const struct reader *r, struct answer *a, const char *what)
{
	uint64_t n;

	if (!strcmp(what, "lost"))
		a->lost += value(r);
	else if (!strcmp(what, "madeup"))
		a->made_up |= value(r) != 0;
	else if (!strcmp(what, "trouble")) {
		value(r);
		answer_trouble(a, partial_unescaped(r, 1));
	} else if (!strcmp(what, "asked")) {
		n = value(r);
		answer_asked(a, partial_unescaped(r, 1), n != 0);
	} else if (!strcmp(what, "format") && r->nwords > 1) {
		value(r);
		if (strcmp(r->word[1], a->format) > 0)
			snprintf(a->format, sizeof a->format, "%s", r->word[1]);
	} else
		no_line(r);
}

void
partial_table_line(const struct reader *r)
{
	const char *what = partial_word(r, 0);

	if (!r->key[1]) {
		answer_line(r, r->a, what);
		return;
	}
	for (size_t i = 0; i < sizeof table_lines / sizeof *table_lines; i++)
		if (!strcmp(table_lines[i].what, what)) {
			table_lines[i].add(r, partial_table(r, r->key[1]));
			return;
		}
	no_line(r);
}
