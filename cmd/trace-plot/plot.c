/* plot.c - from events to a picture: see plot.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/fault.h"
#include "input/trace.h"
#include "trace-plot/plot.h"
#include "work/work.h"

const struct plot_kind *const kinds[] = {&kind_rate,  &kind_heat,   &kind_timeline,
					 &kind_hist,  &kind_matrix, &kind_addr,
					 &kind_flame, &kind_line,   NULL};

const struct plot_kind *
kind_named(const char *name)
{
	for (size_t i = 0; kinds[i]; i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

/* Lists of expressions of a plot; each may be NULL. */
#define LISTS 5u
static struct exprs *
list_of(const struct plot *p, unsigned i)
{
	struct exprs *const list[LISTS] = {p->key.list, p->row.list, p->y.list, p->sum.list,
					   p->own_names ? p->own_names->list : NULL};

	return list[i];
}

void
sums_each(struct plot *p, plot_with *with, void *arg)
{
	unsigned sums = p->kind->sums;

	for (uint32_t i = 0; i < p->bins.nslots; i++)
		with(arg, i, "", p->key.text.v[i / sums].s, i % sums);
}

uint32_t
sums_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	unsigned sums = p->kind->sums;
	uint32_t id = names_id(&p->key, name, strlen(name));

	(void)lane;
	if (sum >= sums)
		return NO_SLOT;
	return bins_slots(&p->bins, sums * (id + 1)) ? sums * id + sum : sum;
}

void
plot_open(struct plot *p, const struct plot_kind *kind, const struct plot_options *opts)
{
	memset(p, 0, sizeof *p);
	p->kind = kind;
	p->opts = *opts;
	if (!p->opts.colours || p->opts.colours > COLOURS)
		p->opts.colours = COLOURS;
	p->words = traits_of("")->words;
	p->opts.even |= kind->value && strchr(opts->linear, kind->value);
	p->nest.keep = opts->partial;
	if (plot_key(p) && !kind->read)
		names_open(&p->key, plot_key(p), kind->names ? kind->names : NAMES_MOST);
	if (kind->measures && opts->y)
		measure_open(&p->y, opts->y);
	p->bins.bytes = 4u << 20;
	p->beyond[0] = p->beyond[1] = (struct plot_beyond){0, INT64_MAX, INT64_MIN};
	p->order.take = kind->nest;
	p->order.arg = p;
	kind->open(p);
	for (unsigned i = 0; i < LISTS; i++)
		if (list_of(p, i) && opts->keys)
			exprs_key(list_of(p, i), exprs_key_parse(opts->keys));
}

/* Returns which fields the readers must fill in: NEED_*. */
static unsigned
plot_need(const struct plot *p)
{
	unsigned need = p->kind->need | NEED_TIME;

	for (unsigned i = 0; i < LISTS; i++)
		need |= list_of(p, i) ? exprs_need(list_of(p, i)) : 0;
	if (p->kind->need_more)
		need |= p->kind->need_more(p);
	if (!p->y.list && p->kind->measures)
		need |= NEED_DUR | NEED_SIZE;
	need |= p->opts.spread ? NEED_DUR : 0;
	return need;
}

/* Changes the unit of times to ticks, if the clock counts ticks. */
static void
measure_ticks(struct measured *y, enum clock clock)
{
	if (clock == CLOCK_TICKS && y->unit == SCALE_TIME)
		y->unit = SCALE_TICKS;
}

void
plot_measure_as(struct plot *p, const char *y)
{
	measure_open(&p->y, y);
	measure_ticks(&p->y, p->clock);
}

void
plot_source(struct plot *p, const char *format, enum clock clock)
{
	const struct traits *f = traits_of(format);

	if (p->any)
		return;
	p->clock = clock;
	p->flip = (int64_t)(time_flip(CLOCK_NS) ^ time_flip(clock));
	snprintf(p->format, sizeof p->format, "%s", format);
	p->traits = f;
	p->words = f->words;
	if (f->state_words && (p->kind->lasts || p->kind->measures))
		p->words = f->state_words;
	measure_ticks(&p->y, clock);
	measure_ticks(&p->sum, clock);
	if (p->kind->begin)
		p->kind->begin(p);
}

void
plot_origin(struct plot *p, int64_t origin)
{
	if (!p->any)
		p->origin = origin;
	else if (p->origin != origin)
		p->origin = 0;
}

/* Notes a new input at its first events. Reports an input with another clock or format, which is not drawn. */
static void
new_source(struct plot *p, struct source *s, const struct rec *r)
{
	const char *name = strrchr(s->name, '/');

	p->source_id = s->id;
	if (p->any &&
	    (p->clock != s->head.clock || strcmp(p->format, s->head.format) != 0)) {
		if (p->clock != s->head.clock)
			warn("%s: not drawn: the clock has another unit than the previous "
			     "inputs'",
			     s->name);
		else
			warn("%s: its format is %s, that of those before %s: it is "
			     "not drawn (a picture is of one format)",
			     s->name, s->head.format, p->format);
		p->mixed = s->trouble = true;
		return;
	}
	plot_source(p, s->head.format, s->head.clock);
	plot_origin(p, s->head.origin);
	name = name && name[1] ? name + 1 : s->name;
	if (strcmp(s->name, "<stdin>") != 0)
		strtab_id(&p->sources, name, strlen(name));
	if (!p->any && p->kind->measures && !p->opts.y)
		plot_measure_as(p, p->words->y	      ? p->words->y
				   : r->has & HAS_DUR ? "dur"
						      : "size");
}

/* Counts n events beyond an end of the part, from `first` to `last`. */
static void
add_beyond(struct plot_beyond *far, uint64_t n, int64_t first, int64_t last)
{
	far->n += n;
	far->first = first < far->first ? first : far->first;
	far->last = last > far->last ? last : far->last;
}

/* Writes the events of the part to `room`, and counts the others. Returns how many are in the part. */
static uint32_t
keep_part(struct plot *p, const struct batch *b, const uint32_t *pick, uint32_t n,
	  uint32_t room[BATCH])
{
	const struct plot_part *part = &p->opts.part;
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		int64_t t = batch_rec(b, at)->time ^ p->flip;
		bool after = t >= part->to && part->to < INT64_MAX;

		room[k] = at;
		if (t < part->from || after)
			add_beyond(&p->beyond[after], 1, t, t);
		else
			k++;
	}
	return k;
}

/* Adds the states of events to p->order. A state that lasts no time is counted in p->y.below instead. */
static void
add_states(struct plot *p, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	uint32_t id[BATCH], loc[BATCH], root[BATCH] = {0};

	if (!names_of(&p->key, s, b, pick, n, id) ||
	    !names_of(&p->row, s, b, pick, n, loc) ||
	    (p->own_names && !names_of(p->own_names, s, b, pick, n, root)))
		return;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		int64_t from = r->time ^ p->flip, to = from;

		if (unlikely(!(r->has & HAS_DUR))) {
			p->y.absent++;
			if (p->kind->moment)
				p->kind->moment(p, loc[i], from);
			continue;
		}
		if (r->dur > 0)
			to = from > INT64_MAX - r->dur ? INT64_MAX : from + r->dur;
		if (to == from) {
			p->y.below++;
			continue;
		}
		p->last = to - 1 > p->last ? to - 1 : p->last;
		p->events++;
		order_add(&p->order, &(struct ordered_state){.from = from,
							     .to = to,
							     .loc = loc[i],
							     .name = (uint16_t)id[i],
							     .root = (uint16_t)root[i]});
	}
}

static void
plot_add(void *plot, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	struct plot *p = plot;
	int64_t first, last, time[BATCH];
	uint32_t room[BATCH];

	s->stop |= p->again;
	if (!n || p->again)
		return;
	if (p->source_id != s->id)
		new_source(p, s, batch_rec(b, pick ? *pick : 0));
	if (p->any && (p->clock != s->head.clock || strcmp(p->format, s->head.format) != 0))
		return;
	first = p->any ? p->first : INT64_MAX;
	last = p->any ? p->last : INT64_MIN;
	p->any = true;
	if (p->opts.part.set) {
		n = keep_part(p, b, pick, n, room);
		pick = room;
	}
	if (p->head_serial != s->head_serial) {
		p->head_serial = s->head_serial;
		p->made_up |= head_made_up(&s->head);
	}
	for (uint32_t i = 0; i < n; i++) {
		int64_t t = batch_rec(b, pick ? pick[i] : i)->time ^ p->flip;

		time[i] = t;
		first = t < first ? t : first;
		last = t > last ? t : last;
	}
	p->first = first;
	p->last = last;
	if (p->kind->time || p->kind->lasts)
		density_add(&p->density, time, n);
	if (p->kind->lasts)
		add_states(p, s, b, pick, n);
	else
		p->kind->add(p, s, b, pick, n);
	/* Messages from now on belong to the second reading. */
	p->again = p->order.direct && p->nest.back;
	if (p->again) {
		s->stop = true;
		p->said = warn_said();
		warn_skip(UINT_MAX);
	}
}

/* Returns whether an input can be cut anywhere, so that the sums of its parts add up to the sums of the whole. */
static bool
plot_in_parts(const struct plot *p)
{
	/* A state of one part may last into the next part. */
	bool parts = !p->kind->lasts;

	for (unsigned i = 0; i < LISTS; i++)
		parts = parts && !(list_of(p, i) && exprs_in_order(list_of(p, i)));
	return parts;
}

/* Opens an empty plot with the options of another one. */
static void
plot_like(void *plot, const void *other)
{
	const struct plot *like = other;
	struct plot_options opts = like->opts;

	plot_open(plot, like->kind, &opts);
}

bool
plot_exact(const void *plot)
{
	const struct plot *p = plot;

	return !p->key.more && !p->row.more && !p->shared && !p->others && !p->mixed;
}

/* Maps the slots of one plot to slots of another. */
struct slot_map {
	struct plot *to;
	uint32_t *of;
};

static void
map_slot(void *arg, uint32_t slot, const char *lane, const char *name, unsigned sum)
{
	struct slot_map *s = arg;

	s->of[slot] = s->to->kind->slot(s->to, lane, name, sum);
}

/* Adds all counts of another plot, which must not be used afterwards. */
static void
plot_merge(void *plot, const void *other)
{
	struct plot *to = plot, *from = (struct plot *)(uintptr_t)other;
	struct slot_map slots = {to, NULL};
	struct touched_block block[TOUCHED_MOST];
	uint32_t blocks = touched_all(&from->density.blocks, block);

	if (!from->any)
		return;
	if (to->any && (to->clock != from->clock || strcmp(to->format, from->format) != 0))
		to->mixed = true;
	plot_source(to, from->format, from->clock);
	plot_origin(to, from->origin);
	if (!to->any && from->y.name && !to->y.name)
		plot_measure_as(to, from->y.name);
	for (uint32_t i = 0; i < from->sources.n; i++)
		strtab_id(&to->sources, from->sources.v[i].s, from->sources.v[i].len);
	to->first = to->any && to->first < from->first ? to->first : from->first;
	to->last = to->any && to->last > from->last ? to->last : from->last;
	to->any = true;
	for (unsigned i = 0; i < 2; i++)
		add_beyond(&to->beyond[i], from->beyond[i].n, from->beyond[i].first,
			   from->beyond[i].last);
	to->made_up |= from->made_up;
	to->events += from->events;
	to->y.absent += from->y.absent;
	to->y.below += from->y.below;
	to->y.fractions += from->y.fractions;
	to->sum.fractions += from->sum.fractions;
	if (to->whole != from->whole)
		to->kind->whole(to->whole ? from : to);
	for (unsigned i = 0; i < LISTS; i++)
		if (list_of(from, i))
			exprs_merge(list_of(to, i), list_of(from, i));
	slots.of = xcalloc(from->bins.nslots + 1, sizeof *slots.of);
	/* Twice: when slots are joined for a new one, slots that were mapped before have moved. */
	from->kind->each(from, map_slot, &slots);
	from->kind->each(from, map_slot, &slots);
	bins_merge(&to->bins, &from->bins, slots.of);
	for (uint32_t i = 0; i < blocks; i++)
		density_block(&to->density, from->density.blocks.j, block[i].at,
			      from->density.count[block[i].row]);
	/* Percentiles are by name; slots are by name and row. */
	for (uint32_t g = 0; to->kind->panels && plot_key(to) && g < from->key.text.n; g++)
		slots.of[g] =
		    names_id(&to->key, from->key.text.v[g].s, from->key.text.v[g].len);
	percentiles_merge(to, from, plot_key(to) ? slots.of : NULL);
	free(slots.of);
}

/* Returns NEED_ORDER if s has states: the states of a location must come in the order of their begins. */
static unsigned
need_of(const struct source *s)
{
	return traits_source(s)->state ? NEED_ORDER : 0;
}

/* Returns whether an input is a pipe, or may be one, so that it cannot be read again. */
static bool
read_once(const struct read_options *opt, char *const *paths, size_t n)
{
	bool once = !n || opt->follow;
	struct stat st;

	for (size_t i = 0; i < n; i++)
		once |= !strcmp(paths[i], "-") ||
			(stat(paths[i], &st) == 0 && !S_ISREG(st.st_mode) &&
			 !S_ISDIR(st.st_mode));
	return once;
}

/* Reads the inputs once, from their begin to their end. */
static int
read_all(struct plot *p, const struct read_options *opt, char *const *paths, size_t n)
{
	static const struct work_kind kind = {sizeof *p,  plot_like, plot_add,
					      plot_exact, NULL,	     plot_merge,
					      NULL,	  plot_free, NULL};
	const struct plot_options *opts = &p->opts;
	const char *asked[LISTS] = {opts->key, opts->y, opts->y, opts->sum, NULL};
	struct expr *e = expr_parse(opts->test);
	struct read_options need = *opt;
	int status;

	expr_key(e, opts->keys);
	need.need = plot_need(p) | expr_need(e);
	status = work_read(&kind, p, &need, paths, n, p->kind->each && plot_in_parts(p), e,
			   opts->test);
	if (p->again) {
		expr_free(e);
		return status;
	}
	if (p->mixed)
		status = ST_TROUBLE;
	order_end(&p->order);
	if (p->order.late) {
		warn("%s late %s of a pipe overlap others of the same %s: write "
		     "the pipe to a file",
		     scaled(SCALE_EXACT, p->order.late), events_of(p, p->order.late),
		     p->words->place);
		status = ST_TROUBLE;
	}
	/* Report fields that no event had, except in a partial result: another part may have them. */
	if (expr_finish(e, opts->partial) != ST_OK)
		status = ST_TROUBLE;
	/* Defaults are not reported, only options that were given. */
	for (unsigned i = 0; i < LISTS; i++)
		if (asked[i] && list_of(p, i) &&
		    exprs_finish(list_of(p, i), opts->partial || opts->part.set) != ST_OK)
			status = ST_TROUBLE;
	expr_free(e);
	return status;
}

/* Reads all inputs again; `said` messages, which were printed before, are not repeated. With `holds`, all
 * states are sorted before the first is taken. */
static int
read_again(struct plot *p, const struct read_options *opt, char *const *paths, size_t n,
	   unsigned said, bool holds)
{
	const struct plot_kind *kind = p->kind;
	struct plot_options opts = p->opts;
	int status;

	plot_free(p);
	plot_open(p, kind, &opts);
	p->order.holds = holds;
	warn_skip(said);
	status = read_all(p, opt, paths, n);
	warn_skip(0);
	return status;
}

int
plot_read(struct plot *p, struct read_options *opt, char *const *paths, size_t n)
{
	unsigned said = warn_said();
	struct plot_part part;
	bool cut = !p->opts.all && !p->opts.partial;
	uint64_t drawn;
	int status, again;

	if (p->kind->read)
		return p->kind->read(p, paths, n);
	/* States are drawn, not their begin and end events. */
	opt->states = (plot_need(p) & NEED_DUR) && !p->opts.spread;
	opt->need_of = p->kind->lasts ? need_of : p->kind->need_of;
	p->order.direct = !read_once(opt, paths, n);
	cut &= p->kind->time && p->order.direct;
	opt->own_temporaries += p->kind->lasts * (1u + cut);
	opt->rereads = p->kind->lasts + cut;
	status = read_all(p, opt, paths, n);
	if (p->again)
		status = read_again(p, opt, paths, n, p->said - said, true);
	/* Nearly all drawn events must be in the part, not nearly all events that were read. */
	drawn = p->events ? p->events : p->y.absent;
	if (!cut || !density_part(p, &part) || part.beyond > drawn / 100 ||
	    !density_cuts(p, &part))
		return status;
	p->opts.part = part;
	again = read_again(p, opt, paths, n, warn_said() - said, p->order.holds);
	return again == ST_OK ? status : again;
}

void
plot_free(void *plot)
{
	struct plot *p = plot;

	free(p->arrows);
	free(p->note);
	names_free(&p->key);
	names_free(&p->row);
	exprs_free(p->y.list);
	exprs_free(p->sum.list);
	nest_free(&p->nest);
	order_free(&p->order);
	free(p->held);
	bins_free(&p->bins);
	column_free(&p->found);
	strtab_free(&p->sources);
	if (p->kind->free)
		p->kind->free(p);
	free(p->state);
	if (p->own) {
		free((char *)p->opts.y);
		free((char *)p->opts.key);
		free((char *)p->opts.sum);
	}
}
