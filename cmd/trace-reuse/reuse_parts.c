/* reuse_parts.c - joins the parts of inputs that threads have read: see reuse.h.
 *
 * Within a part, all distances are right except for the first reference to each key. First references are
 * touched, in their order, on the stack of all previous parts; then the keys of the part in the order of their
 * last references, which leaves the stack as it is after the part (Niu, Dinan, Lu, Sadayappan: "PARDA", IPDPS
 * 2012). */
#include <stdlib.h>
#include <string.h>

#include "trace-reuse/reuse.h"

void
reuse_part_begin(void *reuse)
{
	((struct reuse *)reuse)->in_part = true;
}

/* Stores the stack as a part, and empties it. */
static void
freeze(struct reuse *x, const struct source *s, uint32_t group)
{
	struct curve *c = &x->curve[group];
	uint32_t *order = lru_order(&c->lru);
	struct reuse_part *p = PUSH(x->part, x->nparts, x->part_cap);
	struct lru empty = {.flat = c->lru.flat};
	const char *file = s->name;
	uint32_t id;

	if (x->partial && s->head.input) {
		/* The name is freed before the part is written. */
		id = strtab_id(&x->part_files, s->head.input, strlen(s->head.input));
		file = x->part_files.v[id].s;
	}
	*p = (struct reuse_part){.file = file,
				 .begin = s->part.begin,
				 .group = group,
				 .first = c->first,
				 .nfirst = c->nfirst,
				 .last = xcalloc(c->lru.n + 1, sizeof *p->last),
				 .nlast = c->lru.n};
	for (uint32_t i = 0; i < c->lru.n; i++) {
		const struct lru_key *k = &c->lru.key[order[i]];

		p->last[i] = (struct reuse_key){.block = k->block, .space = k->space};
	}
	x->held += c->lru.n;
	free(order);
	lru_free(&c->lru);
	c->lru = empty;
	c->first = NULL;
	c->nfirst = c->first_cap = 0;
}

void
reuse_part_end(void *reuse, struct source *s)
{
	struct reuse *x = reuse;

	result_done(&x->ids, s);
	for (uint32_t g = 0; x->in_part && g < x->ncurves; g++)
		if (x->curve[g].nfirst)
			freeze(x, s, g);
}

/* Changes the key k of `from` to the numbers of spaces, or of texts, in x. */
static void
renumber(struct reuse *x, const struct reuse *from, const uint32_t *spaces,
	 struct reuse_key *k)
{
	if (spaces)
		k->space = spaces[k->space];
	else if (k->space == REUSE_TEXT)
		k->block = strtab_id(&x->texts, from->texts.v[k->block].s,
				     from->texts.v[k->block].len);
}

static void
take_part(struct reuse *x, const struct reuse *from, const struct reuse_part *p,
	  const uint32_t *groups, const uint32_t *spaces)
{
	struct reuse_part *to = PUSH(x->part, x->nparts, x->part_cap);

	*to = *p;
	to->group = groups[p->group];
	to->first = xcalloc(p->nfirst + 1, sizeof *to->first);
	to->last = xcalloc(p->nlast + 1, sizeof *to->last);
	memcpy(to->first, p->first, p->nfirst * sizeof *to->first);
	memcpy(to->last, p->last, p->nlast * sizeof *to->last);
	for (size_t i = 0; i < to->nfirst; i++)
		renumber(x, from, spaces, &to->first[i]);
	for (uint32_t i = 0; i < to->nlast; i++)
		renumber(x, from, spaces, &to->last[i]);
}

static void
add_curve(struct curve *to, const struct curve *from)
{
	to->events += from->events;
	for (unsigned w = 0; w < REUSE_WAYS; w++) {
		struct reuse_level *at = &to->at[to->level];
		const struct reuse_level *more = &from->at[from->level];

		to->references[w] += from->references[w];
		for (uint64_t d = 0, k; (k = reuse_next(more, w, &d));)
			*reuse_count_of(at, w, d) += k;
	}
}

void
reuse_merge(void *reuse, const void *other)
{
	struct reuse *x = reuse;
	const struct reuse *from = other;
	const struct stats *theirs = &from->ids.st[0];
	struct stats *st = &x->ids.st[0];
	size_t nk = st->spec->nkeys;
	uint32_t *groups = xcalloc(from->ncurves + 1, sizeof *groups), key[SPEC_KEYS];
	uint32_t *spaces = x->q.value ? NULL : xcalloc(theirs->text.n + 1, sizeof *spaces);

	result_merge(&x->ids, &from->ids);
	for (uint32_t i = 0; i < from->nids; i++) {
		uint32_t id;

		for (size_t k = 0; k < nk; k++)
			key[k] =
			    keytab_from(&st->text, &theirs->text, theirs->key[i * nk + k]);
		id = stats_group(st, key, 0);
		reuse_ids(x);
		groups[from->group[i]] = x->group[id];
		if (spaces)
			spaces[reuse_space(from, i)] = key[nk - 1];
	}
	for (uint32_t g = 0; g < from->ncurves; g++)
		add_curve(&x->curve[groups[g]], &from->curve[g]);
	for (size_t i = 0; i < from->nparts; i++)
		take_part(x, from, &from->part[i], groups, spaces);
	if (x->value)
		exprs_merge(x->value, from->value);
	x->without += from->without;
	x->advice = x->advice ? x->advice : from->advice;
	x->beyond += from->beyond;
	x->unknown += from->unknown;
	x->events += from->events;
	x->full |= from->full;
	free(groups);
	free(spaces);
}

/* Sets *at to the number of the part's file among the inputs. Returns false if several inputs have its name.
 * Parts of partial results have no number; they are sorted by name. */
static bool
part_index(const struct reuse *x, const struct reuse_part *p, size_t *at)
{
	size_t found = !x->npaths;

	for (size_t i = 0; i < x->npaths; i++)
		if (!strcmp(x->paths[i], p->file)) {
			*at = i;
			found++;
		}
	return found == 1;
}

struct part_place {
	size_t file;
	const struct reuse_part *part;
};

static int
cmp_by_part(const void *x, const void *y)
{
	const struct part_place *a = x, *b = y;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (strcmp(a->part->file, b->part->file) != 0)
		return strcmp(a->part->file, b->part->file);
	return a->part->begin < b->part->begin ? -1 : a->part->begin > b->part->begin;
}

bool
reuse_stitch(void *reuse, bool say)
{
	struct reuse *x = reuse;
	struct part_place *v;
	bool good = true;

	(void)say;
	if (x->partial)
		return true;
	v = xcalloc(x->nparts + 1, sizeof *v);
	for (size_t i = 0; i < x->nparts && good; i++) {
		v[i].part = &x->part[i];
		good = part_index(x, v[i].part, &v[i].file);
	}
	if (good)
		qsort(v, x->nparts, sizeof *v, cmp_by_part);
	for (size_t i = 0; i < x->nparts && good; i++) {
		const struct reuse_part *p = v[i].part;
		struct curve *c = &x->curve[p->group];
		uint64_t since;

		for (size_t k = 0; k < p->nfirst; k++)
			reuse_count(c, p->first[k].way,
				    lru_touch(&c->lru, p->first[k].space, p->first[k].block,
					      0, &since));
		for (size_t k = 0; k < p->nlast; k++)
			lru_touch(&c->lru, p->last[k].space, p->last[k].block, 0, &since);
		good = !x->q.most || c->lru.n <= x->q.most;
	}
	free(v);
	/* If a single thread would have exceeded a limit, one thread reads the inputs again. */
	for (uint32_t g = 0; g < x->ncurves; g++)
		x->kept += x->curve[g].lru.n;
	good &= x->kept <= reuse_room(x);
	return good;
}
