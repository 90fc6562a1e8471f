/*
 * fmt_delimited.c - lines of text in columns, which -O columns= describes.
 *
 * The slow path, delimited_slow, is the definition; delimited_line (delimited_line.h) reads lines of plain numbers
 * and of names that the slow path has met.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "delimited/delimited_json.h"
#include "delimited/delimited_line.h"
#include "event/value.h"
#include "input/chunk.h"
#include "input/fault.h"

SIMD_RUNS(delimited_fast, COLUMNS_LOOP, columns_fast_avx2, columns_fast_avx2);

/* Returns the type of the event whose name is in c->name, with the arguments that the line has. Makes the type if
 * it is new. */
static uint32_t
delimited_type_of(struct source *s)
{
	struct delimited *c = s->state;
	struct delimited_fast *f = &c->fast;
	uint32_t id, *number;
	struct arg args[COLUMNS_FIELDS];
	struct type ty = {.event = (const char *)c->name.p,
			  .event_len = (uint32_t)c->name.n,
			  .args = args};
	unsigned optional = 0, absent = s->need & NEED_ARGS ? c->absent : 0;

	if (c->l->stream || (c->l->others && s->need & NEED_ARGS))
		return json_type_of(s);
	c->event = id = strtab_id(&c->events, c->name.p, c->name.n);
	GROW(f->type, f->types, ((size_t)id + 1) << f->optional);
	number = &f->type[((size_t)id << f->optional) + absent];
	if (*number)
		return *number - 1;
	for (unsigned i = 0; i < c->l->nfields; i++) {
		const struct delimited_field *v = &c->field[i];
		unsigned has = v->what == C_ADDR   ? HAS_ADDR
			       : v->what == C_SIZE ? HAS_SIZE
			       : v->what == C_DUR  ? HAS_DUR
						   : 0;

		*(v->absent ? &ty.may : &ty.must) |= (uint8_t)has;
		ty.addr_hex |= v->what == C_ADDR && v->as == AS_HEX;
		if (v->what != C_ARG || !(s->need & NEED_ARGS) ||
		    (v->absent && absent >> optional++ & 1))
			continue;
		args[ty.nargs++] = delimited_arg(v);
	}
	*number = type_add(&s->t, &ty) + 1;
	s->t.bytes += sizeof *f->type << f->optional;
	return *number - 1;
}

static void
delimited_new_epoch(struct source *s)
{
	struct delimited *c = s->state;

	tables_reset(&s->t);
	strtab_free(&c->events);
	delimited_forget(&c->fast);
	if (c->json)
		strtab_free(&c->json->types);
}

/* Sets the arguments of the last record of b. */
static void
add_args(struct source *s, struct batch *b)
{
	struct delimited *c = s->state;
	const struct type *ty = &s->t.type[rec_last(b)->type];

	unsigned n = 0;

	for (unsigned i = 0; i < c->l->nfields && n < ty->nargs; i++) {
		const struct delimited_field *f = &c->field[i];
		const struct arg *a = &ty->args[n];

		if (f->what != C_ARG || (f->absent && !c->arg[i].p))
			continue;
		n++;
		if (f->as != AS_TEXT) {
			uint64_t v =
			    c->value[i] - (f->point ? (uint64_t)c->fast.origin : 0);

			memcpy((uint8_t *)rec_last(b) + a->off, &v, 8);
			continue;
		}
		c->name.n = 0;
		value_str(&c->name, c->arg[i].p, c->arg[i].n);
		rec_str(b, a, c->name.p, c->name.n);
	}
	if (c->l->others)
		json_args(s, b, n);
}

/* Sets the columns of the record r from the fields. */
static void
set_columns(struct source *s, struct rec *r)
{
	struct delimited *c = s->state;

	for (unsigned i = 0; i < c->l->nfields; i++) {
		bool there = c->arg[i].p != NULL;
		uint64_t v = c->value[i];

		switch (c->field[i].what) {
		case C_TIME:
		case C_END:
			r->time = time_plus(CLOCK_NS, r->time, (int64_t)v - c->fast.origin);
			break;
		case C_ADDR:
			r->addr = v;
			r->has |= there ? HAS_ADDR : 0;
			break;
		case C_SIZE:
			r->size = v;
			r->has |= there ? HAS_SIZE : 0;
			break;
		case C_DUR:
			r->dur = (int64_t)v;
			r->time =
			    c->fast.ends ? time_plus(CLOCK_NS, r->time, -r->dur) : r->time;
			r->has |= there ? HAS_DUR : 0;
			break;
		case C_LOC:
			if (!r->loc && s->need & NEED_LOC)
				r->loc = strtab_id(&s->t.str, c->loc.p, c->loc.n);
			break;
		default: break;
		}
	}
}

static bool
no_record(struct source *s, const uint8_t *p)
{
	struct delimited *c = s->state;

	while (*p == ' ' || *p == '\t')
		p++;
	/* The first line of a file may have the names of the columns, so do not count it. */
	c->other += s->part.begin || s->line > 1 || c->l->json;
	s->faults.pending_summary |= c->other;
	c->odd |= *p >= '0' && *p <= '9';
	c->some |= *p != '#';
	return true;
}

/* Returns true if all columns with numbers have words in this line instead, and there is at least one such column. */
static bool
has_words_for_numbers(struct delimited *c, const uint8_t *end)
{
	bool some = false;

	for (unsigned i = 0; i < c->l->nfields; i++) {
		struct span text = delimited_text(c, &c->field[i], REF_AT, end);

		if (c->field[i].as == AS_TEXT || c->field[i].as == AS_LINE || !text.n)
			continue;
		if (*text.p <= '@' && !memchr("#(<", *text.p, 3))
			return false;
		some = true;
	}
	return some;
}

/* Returns true for a line that begins with #, unless records may begin so. */
static bool
is_comment(const struct delimited_layout *l, const uint8_t *p, const uint8_t *end)
{
	for (const struct delimited_form *f = l->form; f < l->form + l->nforms; f++)
		if (f->kind == FORM_LINE && f->before.n && *f->before.p == '#')
			return false;
	while (p < end && delimited_is_blank(*p))
		p++;
	return p < end && *p == '#';
}

/* Skips a line that is a comment, or that has the names of the columns. Returns false if it is neither. */
static bool
skips(struct source *s, const uint8_t *p, const uint8_t *end)
{
	struct delimited *c = s->state;
	bool names;

	if (is_comment(c->l, p, end))
		return no_record(s, p);
	names = !c->some && !c->l->header && !c->l->json && !s->part.begin &&
		has_words_for_numbers(c, end);
	c->some = true;
	return names;
}

/* Reports a bad line: `which` is the number of the field, `why` the error. Returns true. */
static bool
bad_line(struct source *s, const uint8_t *p, const uint8_t *end, unsigned which,
	 const char *why)
{
	struct delimited *c = s->state;
	const struct delimited_field *f = &c->field[which];
	struct span text = {NULL, 0};
	char shown[64];

	if (!c->l->bytes && skips(s, p, end))
		return true;
	if (which < c->l->nfields) {
		int at = f->ref[c->wrong].at;

		text = delimited_text(c, f, c->wrong, end);
		fault(s, NULL, COST_EVENT, s->name, s->line, "%s %.*s%.*d (%s): %s%s%s",
		      c->l->json ? "member" : "column",
		      c->l->json && at ? (int)c->l->names[at - 1].n : 0,
		      c->l->json && at ? c->l->names[at - 1].p : "", c->l->json ? 0 : 1,
		      c->l->json ? 0 : at,
		      f->what == C_ARG ? f->name : delimited_columns[f->what],
		      text.p ? quoted(shown, text.p, text.n) : "", text.p ? ": " : "", why);
	} else
		fault(s, NULL, COST_EVENT, s->name, s->line, "%s", why);
	if (c->l->hint && !c->l->absolute && !c->hinted)
		fault(s, NULL, COST_NONE, s->name, NOWHERE, "%s", c->l->hint);
	c->hinted = true;
	return true;
}

/* Adds a record whose fields have been read to b. */
static void
make_record(struct source *s, struct batch *b)
{
	struct delimited *c = s->state;
	struct rec *r;

	c->some = true;
	for (unsigned i = 0; i < c->l->nfields; i++)
		if (c->field[i].what == C_EVENT) {
			c->name.n = 0;
			buf_to(&c->name, put_escaped(buf_room(&c->name, 4 * c->arg[i].n),
						     c->arg[i].p, c->arg[i].n));
		}
	r = rec_new(b, &s->t, delimited_type_of(s));
	set_columns(s, r);
	if (!c->fast.planned)
		delimited_plan(s, c->n);
	if (!c->fast.off)
		delimited_meet(c, r->loc);
	if (s->need & NEED_ARGS)
		add_args(s, b);
}

/* Reads the fields from the columns of the line or bytes [p, end), and adds the record to b or reports the error.
 * Returns true. */
static bool
add_record(struct source *s, struct batch *b, const uint8_t *p, const uint8_t *end)
{
	struct delimited *c = s->state;
	const char *why;
	unsigned which;

	if (c->l->lines)
		c->line =
		    s->line + (c->l->bytes ? s->part.begin / c->l->bytes : fault_line(s));
	why = delimited_fields(c, end, &which);
	if (c->dropped)
		return no_record(s, p);
	if (why)
		return bad_line(s, p, end, which, why);
	if (c->fast.object)
		delimited_learn(c, p, end);
	make_record(s, b);
	return true;
}

/* Reports that a line of FORM_OPEN has no end. */
static void COLD
torn(struct source *s)
{
	struct delimited *c = s->state;

	c->torn = false;
	fault(s, NULL, COST_EVENT, s->name, s->line, "the previous line has no end");
}

/* Counts the events that the recorder lost according to the line. Returns true. */
static bool COLD
lost(struct source *s)
{
	struct delimited *c = s->state;

	c->recorder += c->missing;
	c->places += !c->missing;
	s->faults.lost += c->missing;
	s->faults.upstream += c->missing;
	return s->faults.pending_summary = true;
}

/* Reads a line of any kind, and adds its record to b. Returns true. */
static bool
delimited_slow(struct source *s, struct batch *b, uint8_t *line, uint8_t *line_end)
{
	struct delimited *c = s->state;
	const uint8_t *p = line, *end = line_end;
	const char *why;
	unsigned which = delimited_line_cells(c, &p, &end, &why);

	if (c->torn)
		torn(s);
	if (c->json && c->json->twice.p && !c->json->told) {
		char text[64];

		c->json->told = true;
		fault(s, NULL, COST_NONE, s->name, s->line,
		      "an object has %s twice: the last value counts, here and elsewhere",
		      quoted(text, c->json->twice.p, c->json->twice.n));
	}
	if (!s->part.begin && s->line == c->header_line)
		return true;
	if (which == FORM_SKIP)
		return delimited_is_empty(line, line_end) || no_record(s, p);
	if (why && is_comment(c->l, p, end))
		return no_record(s, p);
	c->some |= why != NULL;
	if (why)
		return fault(s, NULL, COST_EVENT, s->name, s->line, "%s", why), true;
	if (which == FORM_LOST)
		return lost(s);
	if (which != FORM_LINE)
		return true;
	return add_record(s, b, p, end);
}

static void COLD
cannot(struct source *s, const char *why, const char *word)
{
	fault(s, NULL, COST_STATUS, s->name, NOWHERE, why, word);
	s->stop = true;
}

static void
delimited_open(struct source *s)
{
	struct delimited *c = xcalloc(1, sizeof *c);
	const char *other;
	char block[24], hint[COLUMNS_HINT];

	s->state = c;
	source_clock(s, CLOCK_NS);
	c->l = delimited_choose(s, true, &c->mine, hint);
	if (!c->l) {
		cannot(s, "%s",
		       *hint
			   ? hint
			   : "-O columns=NAME says what the columns are (-O columns=list; "
			     "columns-layout(5))");
		return;
	}
	other = delimited_other(c->l->preset, s->name);
	if (other) {
		cannot(s, "its name is that of another log: -O columns=%s", other);
		return;
	}
	s->part.cut_unit = c->l->bytes ? c->l->bytes : c->l->cut;
	s->raw = c->l->cut;
	memcpy(c->field, c->l->field, c->l->nfields * sizeof *c->field);
	c->record = c->l->record.ref[REF_AT].at;
	c->record_if = c->l->record.ref[REF_WHEN].at;
	c->run = runs[simd_best()];
	delimited_skip_mark(s);
	if (c->l->json) {
		c->json = xcalloc(1, sizeof *c->json);
		c->json->array = json_is_array(s);
		s->raw = !c->json->array;
		s->part.cut_unit = s->raw;
	}
	if (!delimited_begin(s)) {
		s->stop = true;
		return;
	}
	if (!delimited_counts(c))
		delimited_plan(s, 0);
	for (unsigned i = 0; i < c->l->nfields; i++) {
		const struct delimited_field *f = &c->field[i];

		c->fast.ends |= f->what == C_END;
		c->fast.optional += f->what == C_ARG && f->absent;
		c->parts += f->what == C_LOC;
		if (f->what == C_LOC && *f->name)
			s->head.locpart[s->head.nlocparts++] = f->name;
	}
	s->head.origin = c->fast.origin;
	if (c->ticks)
		source_clock(s, CLOCK_TICKS);
	if (c->l->block) {
		snprintf(block, sizeof block, "%llu", (unsigned long long)c->l->block);
		head_meta(&s->head, &s->meta, "block", block);
	}
	if (c->l->lines)
		head_meta(&s->head, &s->meta, TIMES_KEY, TIMES_MADE_UP);
	delimited_new_epoch(s);
}

static const uint8_t *
delimited_fast(struct source *s, struct batch *b, const uint8_t *p, const uint8_t *end)
{
	struct delimited *c = s->state;

	/* The slow path must read the first line, which may be a header. */
	if (c->fast.off || !c->fast.planned ||
	    (c->header_line && !s->part.begin && !s->line))
		return p;
	c->fast.p = p;
	c->fast.end = end;
	c->fast.b = b;
	if (c->fast.args) {
		/* Few lines need little memory: small inputs are common. */
		size_t lines = (size_t)(end - p) / 32 + 1, most = BATCH - b->n;

		buf_room(&b->own, (lines < most ? lines : most) * 2 * REC_HEAD +
				      FAST_RECORD + REC_SLACK);
		b->base = b->own.p;
	}
	c->run(&c->fast);
	return c->fast.p;
}

/* Fills the batch b with binary records. Returns false at the end of the input. */
static bool
bytes_next(struct source *s, struct batch *b)
{
	struct delimited *c = s->state;
	size_t size = c->l->bytes;

	batch_start(b);
	while (!batch_full(b) && !s->stop) {
		uint32_t n = b->n;

		if (tables_full(&s->t) && b->n)
			break;
		if (tables_full(&s->t))
			delimited_new_epoch(s);
		/* Reading more would move the bytes to which records of b point. */
		if (in_left(&s->in) < size && (b->n || !in_need(&s->in, size)))
			break;
		s->line++;
		if (delimited_integer_fields(c, s->in.p))
			make_record(s, b);
		else {
			delimited_integers(c, s->in.p);
			add_record(s, b, s->in.p, s->in.p + size);
		}
		if (b->n > n)
			b->raw[n] = (struct span){s->in.p, size};
		s->in.p += size;
	}
	if (b->n || s->stop || !in_left(&s->in))
		return b->n > 0;
	s->line++;
	fault(s, NULL, COST_EVENT, s->name, s->line, "the last record has %zu of %zu bytes",
	      in_left(&s->in), size);
	s->in.p = s->in.end;
	return false;
}

static bool
delimited_next(struct source *s, struct batch *b)
{
	static const struct line_reader how = {delimited_new_epoch, delimited_slow,
					       delimited_fast};
	struct delimited *c = s->state;
	struct span line;
	bool some;

	if (c->l->bytes)
		return bytes_next(s, b);
	/* The mark comes at the begin of the file, also when a part is read from there again. */
	if (!in_offset(&s->in, s->in.p))
		delimited_skip_mark(s);
	if (c->json && c->json->array)
		return json_next(s, b, &how);
	some = lines_next(s, b, &how);
	if (some || s->stop)
		return some;
	/* At the end of the input, hand out the begun lines that were not resumed. */
	batch_start(b);
	while (!batch_full(b) && delimited_shape_left(c, &line))
		delimited_slow(s, b, (uint8_t *)(uintptr_t)line.p,
			       (uint8_t *)(uintptr_t)line.p + line.n - 1);
	if (c->torn)
		torn(s);
	return b->n > 0;
}

static void COLD
say_lost(struct source *s)
{
	const struct delimited *c = s->state;
	char n[24] = "";

	if (c->recorder)
		snprintf(n, sizeof n, " %llu", (unsigned long long)c->recorder);
	fault(s, NULL, COST_STATUS, s->name, NOWHERE, "the recorder lost%s event%s%s", n,
	      c->recorder == 1 ? "" : "s",
	      !c->places    ? ""
	      : c->recorder ? ", and others whose number is unknown"
			    : ", whose number is unknown");
}

static void
delimited_end(struct source *s)
{
	const struct delimited *c = s->state;
	/* Another preset reads such lines. */
	bool others = c->l->hint && !c->l->absolute;

	for (unsigned i = 0; s->count.events && c->held && i < c->l->nfields; i++)
		if (c->field[i].what == C_TIME && c->field[i].absent &&
		    !c->held[c->field[i].ref[REF_AT].held - 1].n)
			fault(s, NULL, COST_NONE, s->name, NOWHERE,
			      "no line has a time: all times are 0");
	if (c->other)
		fault(s, NULL, COST_NONE, s->name, NOWHERE, "%llu line%s held no event%s%s",
		      (unsigned long long)c->other, c->other == 1 ? "" : "s",
		      others ? ": " : "", others ? c->l->hint : "");
	if (c->recorder || c->places)
		say_lost(s);
	/* If there is no event at all from the begin of a file, the preset does not fit. */
	if (c->l->preset >= 0 && !s->part.begin && !s->count.events &&
	    (c->odd || c->other || s->faults.lost))
		delimited_no_such(s);
}

static void
delimited_close(struct source *s)
{
	struct delimited *c = s->state;

	free(c->cell);
	delimited_shape_free(c);
	delimited_free(c->mine);
	strtab_free(&c->events);
	delimited_plan_free(&c->fast);
	buf_free(&c->unquoted);
	buf_free(&c->loc);
	buf_free(&c->name);
	json_free(c->json);
	free(c);
}

static const struct format_option options[] = {
    {0, "columns", "NAME", "columns of text: a preset (list), a description, or its file",
     .at = offsetof(struct delimited_options, text),
     .file_at = offsetof(struct delimited_options, file), .words = delimited_presets,
     .means = delimited_meanings, .chooses = delimited_chosen,
     .then = delimited_take_option},
    {0},
};

static const struct delimited_options defaults = {NULL, NULL, {{NULL, NULL}}, 0};

/* Returns true if events are in order of time. A log is written as things happen, but if its times are the
 * ends of events, the begins are not in order. */
static bool
delimited_in_order(const struct source *s)
{
	const struct delimited *c = s->state;

	return !c->fast.ends && !c->l->lines && c->l->cut;
}

const char *
delimited_requests(const struct source *s)
{
	const struct delimited *c = s->state;

	return delimited_advice(c->l->preset);
}

const struct format fmt_delimited = {
    .name = "columns",
    .about = "lines of text in columns, which -O columns= describes",
    .settings = &(const struct format_settings){options, &defaults, sizeof defaults},
    .text = true,
    .open = delimited_open,
    .next = delimited_next,
    .end = delimited_end,
    .close = delimited_close,
    .inputs = &(const struct format_inputs){.claims = delimited_claims},
    .cutting = &(const struct cutting){.cut_unit = 1, .in_order = delimited_in_order},
};
