/*
 * fmt_charisma.c - CHARISMA: requests to a parallel file system, binary.
 *
 *	0        4          8
 *	magic    version 1  header record, then records without any length field
 *
 * Records are C structs as they lay in some machine's memory (charisma_layout.h). Source: the CHARISMA project's
 * generic header file. All bytes after a record that cannot be read are lost, because only a record's type shows
 * where the next one begins.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma_trace.h"
#include "input/fault.h"

/* Points that a second header record must have (charisma_header_points) to be taken for one. */
#define HEADER_SURE 8

/* Reports an oddity: number of cases, and the first offset. Prints nothing if there were none. */
static void
tell(struct source *s, const char *rule, const struct oddity *o, const char *one,
     const char *many)
{
	if (o->n)
		fault(s, rule, COST_NONE, s->name, NOWHERE, "%llu %s (offset %llu%s)",
		      (unsigned long long)o->n, o->n == 1 ? one : many,
		      (unsigned long long)o->first, o->n == 1 ? "" : " is the first");
}

static void
charisma_end(struct source *s)
{
	const struct charisma *c = s->state;

	/* The layout is reported at the end: if the reader of the output closes it early, the program ends without
	 * messages. */
	if (c->say)
		fault(s, "charisma-layout", COST_NONE, s->name, NOWHERE,
		      "layout %s%s, because its records fit (-O preset or -O layout sets "
		      "another)",
		      c->l.name,
		      c->l.tail == TAIL_IDIOM	? ", tail idiom"
		      : c->l.tail == TAIL_NOPAD ? ", tail nopad"
						: "");
	if (c->opaque)
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "%llu machine-dependent record%s skipped",
		      (unsigned long long)c->opaque, c->opaque == 1 ? "" : "s");
	tell(s, "charisma-rw-one", &c->is_dense,
	     "client's request does not name exactly one client",
	     "clients' requests do not name exactly one client");
	tell(s, "charisma-rw-times", &c->backward, "request ends before it starts",
	     "requests end before they start");
	if (c->state.forgot)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "too many clients or open files at a time: earlier descriptors have "
		      "no file= and name= (%llu time%s)",
		      (unsigned long long)c->state.forgot, c->state.forgot == 1 ? "" : "s");
	if (c->unopened)
		fault(s, "charisma-fd-open", COST_NONE, s->name, NOWHERE,
		      "%llu request%s or close%s on descriptors not known to be open: they "
		      "have no file= and name=",
		      (unsigned long long)c->unopened, c->unopened == 1 ? "" : "s",
		      c->unopened == 1 ? "" : "s");
}

const struct layout *
charisma_layout(const struct source *s)
{
	const struct charisma *c = s->state;

	return s->fmt == &fmt_charisma && c && c->l.nrecords ? &c->l : NULL;
}

/* Updates the state by a record, for the records after it. */
static void
learn_record(struct charisma *c, const struct charisma_plan *pl, const uint8_t *p,
	     uint64_t n)
{
	struct charisma_state *st = &c->state;
	unsigned kind = pl->rec->kind;
	bool app = kind == KIND_APP_OPEN || kind == KIND_APP_CLOSE || kind == KIND_APP_EXIT;
	uint64_t id = 0, of = 0;

	if (!pl->app.from.none)
		of = field_num(c, &pl->app, p, p);
	if (!app && pl->has_client && !pl->client.element)
		id = field_num(c, &pl->client, p, p);
	else
		id = of;
	switch (kind) {
	case KIND_APP_LOAD: {
		const struct layout_field *f = &pl->rec->field[pl->rec->nfields - 1];
		struct load_spec client = layout_load_of(&c->l, f, 0, c->big);

		state_load(st, of);
		for (uint64_t i = 0; pl->rec->repeat && i < n; i++)
			state_join(st, load_num(p + i * pl->rec->element, &client, c->big),
				   of);
		break;
	}
	case KIND_JOIN: state_join(st, id, of); break;
	case KIND_LEAVE: state_leave(st, false, id); break;
	case KIND_APP_EXIT: state_leave(st, true, of); break;
	case KIND_APP_OPEN:
	case KIND_CLIENT_OPEN: {
		const uint8_t *name = p + pl->name.off;

		if (!c->files_on)
			break;
		/* Without a field `name`, name_bytes is 0. */
		state_open(st, app, id, field_num(c, &pl->desc, p, p),
			   pl->file.from.none ? 0 : field_num(c, &pl->file, p, p), name,
			   string_length(name, pl->name_bytes));
		break;
	}
	case KIND_APP_CLOSE:
	case KIND_CLIENT_CLOSE: {
		struct descriptor *d =
		    state_find(st, app, id, field_num(c, &pl->desc, p, p));

		if (d)
			state_close(st, d);
		break;
	}
	default: break;
	}
}

/* The result of a step of the walk over records. */
enum walk_step {
	WALK_ON,
	WALK_HAND_OUT, /* the batch must be handed out before the buffer can move */
	WALK_END,
};

/* Stops reading, because nothing after this place can be read. Prints the last messages. */
static enum walk_step
walk_ends(struct source *s)
{
	s->stop = true;
	if (!s->opt->quiet)
		charisma_end(s);
	return WALK_END;
}

/* Reads more of the input, if the batch is empty: otherwise the buffer must not move. */
static enum walk_step
want(struct source *s, const struct batch *b)
{
	if (b->n)
		return WALK_HAND_OUT;
	return in_more(&s->in) ? WALK_ON : WALK_END;
}

static enum walk_step
cut_off(struct source *s, const struct charisma_plan *pl, uint64_t bytes)
{
	uint64_t here = in_offset(&s->in, s->in.p);
	size_t left = in_left(&s->in);

	if (s->in.err)
		return walk_ends(s);
	/* A load that needs so many more bytes has a wrong number of clients. */
	fault(s,
	      pl && pl->rec->kind == KIND_APP_LOAD && bytes > left + CHARISMA_WINDOW
		  ? "charisma-clients"
		  : "charisma-torn",
	      COST_EVENT, s->name, here,
	      "%s%s record is cut off: %llu bytes are needed, the input ends after %zu, "
	      "at offset %llu",
	      pl ? "the " : "a", pl ? pl->rec->name : "", (unsigned long long)bytes, left,
	      (unsigned long long)(here + left));
	return walk_ends(s);
}

static enum walk_step
unreadable(struct source *s, const struct charisma_plan *pl, uint64_t n)
{
	struct charisma *c = s->state;
	const uint8_t *p = s->in.p;

	if (pl)
		fault(s, "charisma-torn", COST_EVENT, s->name, in_offset(&s->in, p),
		      "the %s record counts %llu elements: no record can be that long",
		      pl->rec->name, (unsigned long long)n);
	else
		fault(s, "charisma-type", COST_EVENT, s->name, in_offset(&s->in, p),
		      "record type %u is not in the layout %s: reading stops here; define "
		      "the type in a layout file (-L)",
		      charisma_type(p, c->big), c->l.name);
	return walk_ends(s);
}

/* Starts anew at a second header record, or stops reading if the record makes no sense. */
static enum walk_step
header_again(struct source *s, struct batch *b, uint64_t bytes)
{
	struct charisma *c = s->state;
	uint64_t here = in_offset(&s->in, s->in.p);

	if (b->n)
		return WALK_HAND_OUT; /* a batch has events of one segment only */
	if (charisma_header_points(&c->l, s->in.p, c->big) < HEADER_SURE) {
		fault(s, "charisma-header-again", COST_EVENT, s->name, here,
		      "a second header record, or zeros: reading stops here");
		return walk_ends(s);
	}
	fault(s, "charisma-header-again", COST_STATUS, s->name, here,
	      "a second header record begins: times start anew");
	if (s->stop)
		return walk_ends(s);
	head_free(&s->head);
	snprintf(s->head.format, sizeof s->head.format, "%s", s->fmt->name);
	s->head_serial = serial();
	charisma_begin(s, s->in.p, bytes);
	fast_make(s);
	c->first = true;
	return WALK_ON;
}

/* Moves to the next record. */
static void
step_over(struct source *s, uint64_t bytes)
{
	struct charisma *c = s->state;

	s->in.p += bytes;
	c->at_request = 0;
	c->async_known = false;
}

static enum walk_step
requests(struct source *s, struct batch *b, struct charisma_plan *pl, uint64_t n,
	 uint64_t bytes)
{
	struct charisma *c = s->state;
	const uint8_t *p = s->in.p;
	uint64_t op;

	op = field_num(c, &pl->op, p, pl->rec->repeat ? element_of(pl, p, 0) : p);
	if (!c->async_known) {
		c->async_has = false;
		if (op & 1 && c->async_on && !pl->async.from.none) {
			switch (async_find(s, &c->async_end)) {
			case ASYNC_DONE: c->async_has = true; break;
			case ASYNC_NONE: break;
			case ASYNC_MORE:
				return want(s, b) == WALK_HAND_OUT ? WALK_HAND_OUT
								   : WALK_ON;
			}
		}
		c->async_known = true;
	}
	if (!pl->time.from.none)
		c->comp_time = field_num(c, &pl->time, p, p) ^ c->clock.bias;
	do {
		if (batch_full(b))
			return WALK_HAND_OUT;
		plan_event(s, b, pl, p, c->at_request, n);
		b->raw[b->n - 1] = (struct span){p, bytes};
	} while (++c->at_request < n);
	step_over(s, bytes);
	return WALK_ON;
}

/* Reads one record of any kind, or the next requests of a record. Adds its events to b. */
static enum walk_step
record(struct source *s, struct batch *b)
{
	struct charisma *c = s->state;
	size_t left = in_left(&s->in);
	const uint8_t *p = s->in.p;
	const struct charisma_plan *found;
	struct charisma_plan *pl;
	uint64_t n, bytes;
	enum walk_step w;

	if (!left)
		return want(s, b);
	switch (charisma_measure(c, p, left, &found, &n, &bytes)) {
	case MEASURE_UNKNOWN: return unreadable(s, NULL, 0);
	case MEASURE_LONG: return unreadable(s, found, n);
	default: break;
	}
	if (bytes > left) {
		w = want(s, b);
		return w == WALK_END ? cut_off(s, found, bytes) : w;
	}
	if (!found) {
		comp_event(s, b, p);
		b->raw[b->n - 1] = (struct span){p, bytes};
		step_over(s, bytes);
		return WALK_ON;
	}
	pl = &c->plan[found - c->plan];
	if (pl->rec->kind == KIND_OPAQUE) {
		c->opaque++;
		step_over(s, bytes);
		return WALK_ON;
	}
	if (pl->rec->kind == KIND_HEADER && !c->first) {
		w = header_again(s, b, bytes);
		if (w != WALK_ON)
			return w;
		pl = &c->plan[c->known[KIND_HEADER] - 1];
	}
	if (pl->rec->kind == KIND_RW)
		return requests(s, b, pl, n, bytes);
	c->first = false;
	plan_event(s, b, pl, p, 0, n);
	b->raw[b->n - 1] = (struct span){p, bytes};
	if (c->files_on || c->async_on)
		learn_record(c, pl, p, n);
	step_over(s, bytes);
	return WALK_ON;
}

/* Returns true if the current record begins before c->limit. */
static bool
within(const struct source *s)
{
	const struct charisma *c = s->state;

	return c->at_request || in_offset(&s->in, s->in.p) < c->limit;
}

/* Fills a batch. Returns false at the end of the input. */
static bool
walk(struct source *s, struct batch *b)
{
	struct charisma *c = s->state;
	enum walk_step w = WALK_ON;

	if (tables_full(&s->t)) {
		tables_reset(&s->t);
		plans_forget(c);
	}
	batch_start(b);
	while (w == WALK_ON && !s->stop && !batch_full(b) && within(s)) {
		if (!c->at_request && s->faults.silent)
			fast_skip(s);
		else if (!c->at_request)
			fast_run(s, b);
		if (!batch_full(b) && within(s))
			w = record(s, b);
	}
	return w != WALK_END;
}

/* Reads the records before a part without messages or events: they define the files and clients in the part. */
static void
skip(struct source *s, struct batch *b)
{
	struct charisma *c = s->state;
	struct oddity is_dense = c->is_dense, backward = c->backward;
	uint64_t opaque = c->opaque, unopened = c->unopened, forgot = c->state.forgot;

	s->faults.silent = true;
	while (!s->stop && within(s) && walk(s, b))
		;
	s->faults.silent = false;
	c->is_dense = is_dense;
	c->backward = backward;
	c->opaque = opaque;
	c->unopened = unopened;
	c->state.forgot = forgot;
	c->header_due = false;
	c->say &= s->opt->chunk < 2;
}

static bool
charisma_next(struct source *s, struct batch *b)
{
	struct charisma *c = s->state;

	c->limit = s->part.begin;
	if (in_offset(&s->in, s->in.p) < s->part.begin)
		skip(s, b);
	c->limit = s->part.end;
	walk(s, b);
	s->faults.pending_summary =
	    c->opaque || c->unopened || c->is_dense.n || c->backward.n || c->state.forgot;
	return b->n > 0;
}

static void
charisma_close(struct source *s)
{
	struct charisma *c = s->state;

	plans_free(c);
	state_free(&c->state);
	async_free(&c->async);
	free(c->header);
	free(c);
}

/* Reads or makes the layout of -L or --preset, once for all inputs. */
static void
take_layout(void *options, const char *what)
{
	struct charisma_options *o = options;
	struct layout *l = xcalloc(1, sizeof *l);

	if (o->layout)
		die("%s: only one layout can be chosen", what);
	if (o->file)
		layout_load(l, o->file);
	else
		layout_preset(l, layout_presets[o->preset - 1]);
	o->layout = l;
}

static const struct format_option options[] = {
    {'L', "layout", "FILE", "the layout in FILE; otherwise it is found out",
     .at = offsetof(struct charisma_options, file), .then = take_layout},
    {0, "preset", "NAME", "the layout of that name; 'list' prints all names",
     .at = offsetof(struct charisma_options, preset), .words = layout_presets,
     .then = take_layout},
    {0, "no-state", NULL, "no file= and name=, no asynchronous durations",
     .at = offsetof(struct charisma_options, no_state)},
    {0, "async-window", "N", "look N requests ahead for an end (64K)",
     .at = offsetof(struct charisma_options, async_window), .most = 1 << 30},
    {0, "local", NULL, "with -A: the machine's local time, by gmt_offset",
     .at = offsetof(struct charisma_options, local)},
    {0},
};

static const struct charisma_options defaults = {.async_window = CHARISMA_WINDOW};

const struct format fmt_charisma = {
    .name = "charisma",
    .about = "CHARISMA: parallel file systems, binary",
    .settings = &(const struct format_settings){options, &defaults, sizeof defaults},
    .open = charisma_open,
    .next = charisma_next,
    .end = charisma_end,
    .close = charisma_close,
    .schema = &charisma_schema,
    .cutting = &(const struct cutting){.cut_unit = 2, .reads_outside = OUTSIDE_ALL},
};
