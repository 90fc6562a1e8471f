/* reuse_partial.c - partial results of trace-reuse: the parts of inputs that one process has read. A partial
 * result is one of the table of groups (stats/stats_partial.h), with further lines for its groups. FILE and
 * BEGIN name a part; the numbers at the end of lines are blocks, or, with -K, whole numbers in SPACE (enum in
 * reuse.h), or 0 after a TEXT.
 *
 * &events: N in the group
 * &references WAY: N
 * &distance WAY DISTANCE: N references that are not the first ones in a part
 * &first FILE BEGIN PLACE WAY [SPACE [TEXT]]: N, first reference number PLACE
 * &last FILE BEGIN PLACE WAY [SPACE [TEXT]]: N, last reference number PLACE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "trace-reuse/reuse.h"
#include "stats/partial_reader.h"

/* ---- writing ---- */

struct reuse_writer {
	struct reuse *x;
	struct parts_writer *out;
	struct strtab rows; /* row of the table, by curve and space */
	uint32_t *row;	    /* first row of each curve */
};

static void
put_key(struct reuse_writer *w, const struct reuse_part *p, const char *list, size_t place)
{
	const struct reuse_key *k = *list == 'f' ? &p->first[place] : &p->last[place];
	const struct stats *st = &w->x->ids.st[0];
	struct parts_writer *o = w->out;
	uint32_t key[2] = {p->group, k->space}, row = w->row[p->group];
	size_t n;

	if (!w->x->q.value)
		strtab_find(&w->rows, key, sizeof key, &row);
	partial_group(&o->line, st, 'a', row);
	n = o->line.n;
	buf_byte(&o->line, '&');
	buf_str(&o->line, list);
	buf_byte(&o->line, ' ');
	buf_to(&o->line, put_escaped(buf_room(&o->line, 4 * strlen(p->file)), p->file,
				     strlen(p->file)));
	if (!w->x->q.value)
		parts_line(o, " %u %u %u\t%u", p->begin, (uint64_t)place, (uint64_t)k->way,
			   k->block);
	else if (k->space != REUSE_TEXT)
		parts_line(o, " %u %u %u %u\t%u", p->begin, (uint64_t)place,
			   (uint64_t)k->way, (uint64_t)k->space, k->block);
	else
		parts_line(o, " %u %u %u %u %e\t0", p->begin, (uint64_t)place,
			   (uint64_t)k->way, (uint64_t)k->space, w->x->texts.v[k->block].s);
	o->line.n = n;
}

static void
put_curve(const struct reuse_writer *w, uint32_t group)
{
	const struct curve *c = &w->x->curve[group];
	const struct reuse_level *at = &c->at[c->level];
	struct parts_writer *o = w->out;

	partial_group(&o->line, &w->x->ids.st[0], 'a', w->row[group]);
	parts_line(o, "&events\t%u", c->events);
	for (unsigned way = 0; way < REUSE_WAYS; way++) {
		parts_line(o, "&references %u\t%u", (uint64_t)way, c->references[way]);
		for (uint64_t d = 0, k; (k = reuse_next(at, way, &d));)
			parts_line(o, "&distance %u %u\t%u", (uint64_t)way, d, k);
	}
}

static void
write_lines(void *reuse, struct parts_writer *out)
{
	struct reuse *x = reuse;
	struct reuse_writer w = {
	    .x = x, .out = out, .row = xcalloc(x->ncurves + 1, sizeof *w.row)};

	for (uint32_t i = x->nids; i-- > 0;)
		w.row[x->group[i]] = i;
	for (uint32_t i = 0; i < x->nids && !x->q.value; i++) {
		uint32_t key[2] = {x->group[i], reuse_space(x, i)};

		strtab_id(&w.rows, key, sizeof key);
	}
	for (uint32_t g = 0; g < x->ncurves; g++)
		put_curve(&w, g);
	for (size_t i = 0; i < x->nparts; i++) {
		const struct reuse_part *p = &x->part[i];

		for (size_t k = 0; k < p->nfirst; k++)
			put_key(&w, p, "first", k);
		for (size_t k = 0; k < p->nlast; k++)
			put_key(&w, p, "last", k);
	}
	strtab_free(&w.rows);
	free(w.row);
}

/* ---- reading ---- */

static const char *
next_number(const char *s, uint64_t *v)
{
	char *end;

	*v = strtoull(s, &end, 10);
	return *end == ',' ? end + 1 : end;
}

/* Reads the question of a header: block, keys, level, seed, whether there is a -K, and
 * the texts of -K and --weight. */
static void
opened(void *reuse)
{
	struct reuse *x = reuse;
	const char *s = x->ids.q.more;
	uint64_t v;

	s = next_number(s, &x->q.block);
	s = next_number(s, &v);
	x->q.most = (uint32_t)v;
	s = next_number(s, &v);
	x->q.level = (unsigned)v;
	s = next_number(s, &x->q.seed);
	s = next_number(s, &v);
	x->q.value = v ? s : NULL;
	x->values = *s ? xstrdup(s) : NULL;
	if (!x->q.block || x->q.level > 40)
		die("not a partial result of trace-reuse: %.80s", x->ids.q.more);
	reuse_begin(x);
}

static struct reuse_part *
part_of(struct reuse *x, const char *file, uint64_t begin, uint32_t group)
{
	uint64_t key[3] = {strtab_id(&x->part_files, file, strlen(file)), begin, group};
	uint32_t i = strtab_id(&x->part_keys, key, sizeof key);

	if (i == x->nparts)
		*PUSH(x->part, x->nparts, x->part_cap) = (struct reuse_part){
		    .file = x->part_files.v[key[0]].s, .begin = begin, .group = group};
	return &x->part[i];
}

static unsigned
way_at(const struct partial_reader *r, size_t i)
{
	uint64_t way = partial_at(r, i);

	if (way >= REUSE_WAYS)
		partial_refuse(r, "no such kind of reference");
	return (unsigned)way;
}

static void
on_key(struct reuse *x, const struct partial_reader *r, bool first)
{
	struct reuse_part *p =
	    part_of(x, partial_unescaped(r, 1), partial_at(r, 2), x->group[r->group]);
	struct reuse_key k = {.block = partial_number(r, r->number),
			      .place = partial_at(r, 3),
			      .way = way_at(r, 4)};

	k.space = x->q.value ? (uint32_t)partial_at(r, 5) : reuse_space(x, r->group);
	if (x->q.value && k.space > REUSE_TEXT)
		partial_refuse(r, "no such kind of value");
	if (x->q.value && k.space == REUSE_TEXT) {
		const char *s = partial_unescaped(r, 6);

		k.block = strtab_id(&x->texts, s, strlen(s));
	}
	if (first)
		*PUSH(p->first, p->nfirst, p->first_cap) = k;
	else
		*PUSH(p->last, p->nlast, p->last_cap) = k;
}

static void
take_line(void *reuse, const struct partial_reader *r)
{
	struct reuse *x = reuse;
	const char *what = r->word[0];
	struct curve *c;

	reuse_ids(x);
	c = &x->curve[x->group[r->group]];
	if (!strcmp(what, "&first") || !strcmp(what, "&last"))
		on_key(x, r, what[1] == 'f');
	else if (!strcmp(what, "&events"))
		c->events += partial_number(r, r->number);
	else if (!strcmp(what, "&references"))
		c->references[way_at(r, 1)] += partial_number(r, r->number);
	else if (!strcmp(what, "&distance"))
		*PUSH(x->counted, x->ncounted, x->counted_cap) =
		    (struct reuse_counted){x->group[r->group], way_at(r, 1),
					   partial_at(r, 2), partial_number(r, r->number)};
	else
		partial_refuse(r, "not a line of a partial result of trace-reuse");
}

static int
cmp_by_begin(const void *x, const void *y)
{
	const struct reuse_key *a = x, *b = y;

	return a->place < b->place ? -1 : a->place > b->place;
}

static void
settle_list(const struct reuse_part *p, struct reuse_key *v, size_t n)
{
	if (n)
		qsort(v, n, sizeof *v, cmp_by_begin);
	for (size_t i = 0; i < n; i++)
		if (v[i].place != i)
			die("%s: a partial result of this part lacks lines, or was given "
			    "twice",
			    p->file);
}

/* Sorts the lists of keys, and adds the distances, because lines come in any order. Dies if lines are missing. */
static void
settle(struct reuse *x)
{
	uint64_t *keys = xcalloc(x->ncurves + 1, sizeof *keys);

	for (size_t i = 0; i < x->nparts; i++) {
		const struct reuse_part *p = &x->part[i];

		settle_list(p, p->first, p->nfirst);
		settle_list(p, p->last, p->nlast);
		keys[p->group] += p->nlast;
	}
	for (size_t i = 0; i < x->ncounted; i++) {
		const struct reuse_counted *d = &x->counted[i];
		struct curve *c = &x->curve[d->group];
		struct reuse_level *at = &c->at[c->level];

		if (!d->distance || d->distance > keys[d->group])
			die("a partial result has a distance of more blocks than it has");
		*reuse_count_of(at, d->way, d->distance) += d->n;
	}
	free(keys);
}

static const struct result_more lines = {opened, take_line, write_lines};

static _Noreturn void
too_many(const struct reuse *x)
{
	die("-p: more than %u blocks need samples, which cannot be merged: use --exact or "
	    "more --keys",
	    x->q.most);
}

void
reuse_partial(struct reuse *x, const struct expr *e, int status, struct out *o)
{
	const char *y = x->values ? x->values : "", *field;
	size_t n = strlen(y) + 128;
	bool seen;

	if (x->full)
		too_many(x);
	if (!x->more) {
		x->more = xmalloc(n);
		snprintf(x->more, n, "%llu,%u,%u,%llu,%u,%s",
			 (unsigned long long)x->q.block, x->q.most, x->q.level,
			 (unsigned long long)x->q.seed, x->q.value != NULL, y);
		x->ids.q.more = x->more;
	}
	x->ids.more = &lines;
	x->ids.more_arg = x;
	partial_note(&x->ids, e, status);
	for (size_t i = 0; x->value && (field = exprs_field(x->value, i, &seen)); i++)
		result_asked(&x->ids, field, seen);
	partial_write(&x->ids, o);
}

int
reuse_partials(struct reuse *x, char *const *paths, size_t n, bool again)
{
	int status;

	memset(x, 0, sizeof *x);
	x->ids.more = &lines;
	x->ids.more_arg = x;
	status = partial_merge(&x->ids, paths, n, !again);
	reuse_ids(x);
	settle(x);
	x->partial = again;
	if (again)
		x->more = xstrdup(x->ids.q.more);
	else if (!reuse_stitch(x, false))
		too_many(x);
	return status;
}
