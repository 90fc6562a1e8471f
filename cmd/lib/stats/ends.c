/* ends.c - the first and the last value of a group. */
#include <string.h>

#include "stats/accumulator.h"

/* Returns true if a comes before b in the input: files by name, then parts, then events. */
static bool
end_before(const struct strtab *files, const struct end_value *a, const struct end_value *b)
{
	if (a->file != b->file)
		return strcmp(files->v[a->file].s, files->v[b->file].s) < 0;
	return a->begin != b->begin ? a->begin < b->begin : a->seq < b->seq;
}

/* Sets *to to the first, or the last, of *to and *from. */
static void
add(struct end_value *to, const struct end_value *from, bool first,
    const struct strtab *files)
{
	bool same =
	    to->file == from->file && to->begin == from->begin && to->seq == from->seq;

	/* Two inputs may have one name: then the smaller value is the first, the greater the last, so that the
	 * order does not matter. */
	if (to->any && same && (datum_cmp(&from->datum, &to->datum) < 0) != first)
		return;
	if (to->any && !same && end_before(files, from, to) != first)
		return;
	datum_free(&to->datum);
	*to = *from;
	to->datum = datum_copy(&from->datum);
}

static void
end_add(const struct stats *st, void *element, const struct end_value *value)
{
	struct end_value *e = element;

	add(&e[0], value, true, &st->files);
	add(&e[1], value, false, &st->files);
}

static void
ends_merge(const struct place *to, const struct place *from)
{
	const struct end_value *of = from->element;

	for (unsigned i = 0; i < 2 && of->any; i++) {
		struct end_value e = of[i];

		e.file = from->of_file[e.file];
		add((struct end_value *)to->element + i, &e, i == 0, &to->st->files);
	}
}

static void
clear(void *element)
{
	struct end_value *e = element;

	datum_free(&e[0].datum);
	datum_free(&e[1].datum);
}

static void
write_ends(struct parts_writer *w, const struct place *of)
{
	const struct end_value *e = of->element;
	struct buf text = {0};

	for (unsigned i = 0; i < 2 && e->any; i++, e++) {
		text.n = 0;
		datum_put(&text, &e->datum);
		parts_line(w, "%u %s %s %u %b\t%u", (uint64_t)of->c, of->is->lines[i],
			   of->st->files.v[e->file].s, e->begin, &text, e->seq);
	}
	buf_free(&text);
}

static void
read_end(const struct partial_reader *r, const struct place *to)
{
	bool first = *r->word[1] == 'f';
	struct end_value e = {true, partial_file_named(r, to->st, 2), partial_at(r, 3),
			      partial_value(r), partial_datum(r, 4)};

	add((struct end_value *)to->element + !first, &e, first, &to->st->files);
}

const struct accumulator acc_ends = {2 * sizeof(struct end_value),
				     1,
				     .take = end_add,
				     .merge = ends_merge,
				     .clear = clear,
				     .write = write_ends,
				     .read = read_end,
				     .lines = {"first", "last"}};
