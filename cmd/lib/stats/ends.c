/* ends.c - the first and the last value of a group. */
#include <string.h>

#include "stats/accumulator.h"

/* Compares places in the input: files in the order of their names, then parts, then events. */
static bool
end_before(const struct strtab *files, const struct end *a, const struct end *b)
{
	if (a->file != b->file)
		return strcmp(files->v[a->file].s, files->v[b->file].s) < 0;
	return a->begin != b->begin ? a->begin < b->begin : a->seq < b->seq;
}

/* *to = the first, or the last, of *to and *from. */
static void
add(struct end *to, const struct end *from, bool first, const struct strtab *files)
{
	bool same =
	    to->file == from->file && to->begin == from->begin && to->seq == from->seq;

	/* Of two inputs of one name, the lesser and the greater: whatever the order. */
	if (to->any && same && (datum_cmp(&from->datum, &to->datum) < 0) != first)
		return;
	if (to->any && !same && end_before(files, from, to) != first)
		return;
	datum_free(&to->datum);
	*to = *from;
	to->datum = datum_copy(&from->datum);
}

static void
take(const struct stats *st, void *element, const struct end *value)
{
	struct ends *e = element;

	add(&e->first, value, true, &st->files);
	add(&e->last, value, false, &st->files);
}

static void
merge(const struct place *place, const struct place *from)
{
	struct ends *to = place->element, e = *(const struct ends *)from->element;

	if (!e.first.any)
		return;
	e.first.file = from->of_file[e.first.file];
	e.last.file = from->of_file[e.last.file];
	add(&to->first, &e.first, true, &place->st->files);
	add(&to->last, &e.last, false, &place->st->files);
}

static void
clear(void *element)
{
	struct ends *e = element;

	datum_free(&e->first.datum);
	datum_free(&e->last.datum);
}

static void
put_end(struct parts_writer *w, const struct stats *st, uint64_t c, const char *what,
	const struct end *e)
{
	struct buf text = {0};

	if (!e->any)
		return;
	datum_put(&text, &e->datum);
	parts_line(w, "%u %s %s %u %b\t%u", c, what, st->files.v[e->file].s, e->begin,
		   &text, e->seq);
	buf_free(&text);
}

static void
write_ends(struct parts_writer *w, const struct place *of)
{
	const struct ends *e = of->element;

	put_end(w, of->st, of->c, "first", &e->first);
	put_end(w, of->st, of->c, "last", &e->last);
}

static void
read_end(const struct reader *r, const struct place *to)
{
	struct ends *ends = to->element;
	bool first = *r->word[1] == 'f';
	struct end e = {true, partial_file_named(r, to->st, 2), partial_at(r, 3),
			partial_value(r), partial_datum(r, 4)};

	add(first ? &ends->first : &ends->last, &e, first, &to->st->files);
}

const struct accumulator acc_ends = {sizeof(struct ends), 1,
				     .take = take,	  .merge = merge,
				     .clear = clear,	  .write = write_ends,
				     .read = read_end,	  .lines = {"first", "last"}};
