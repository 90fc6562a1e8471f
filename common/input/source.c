/* source.c - reads one input, from its path to batches of events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "input/fault.h"
#include "input/slice.h"
#include "input/sniff.h"

/* Prints once that times of the head were made up, if any were. */
static void
say_made_up(struct source *s)
{
	if (s->faults.made_up_reported || s->opt->quiet || !head_made_up(&s->head))
		return;
	s->faults.made_up_reported = true;
	warn("%s: " TIMES_REMARK, s->name);
}

void
source_head_done(struct source *s)
{
	say_made_up(s);
	if (!s->opt->head_done)
		return;
	s->opt->head_done(s->opt->head_arg, s);
	s->faults.lost_before = s->faults.lost;
	s->faults.where[0] = '\0';
}

void
source_needs(struct source *s)
{
	if (s->opt->need_of)
		s->need |= s->opt->need_of(s);
	/* The message for a user who asks for the receive by name lists the other arguments. */
	if (s->need & NEED_RECV &&
	    (!(s->fmt->schema && s->fmt->schema->received) || s->opt->need & NEED_RECV))
		s->need |= NEED_ARGS;
	/* An argument, or a part of loc, may have this name: only a schema shows that none has. */
	if (s->need & NEED_INPUT && !s->fmt->schema)
		s->need |= NEED_ARGS | NEED_LOC;
}

void
operand_name(const struct read_options *opt, size_t i, struct buf *b)
{
	const char *name = opt->labels			  ? opt->label[i]
			   : strcmp(opt->operand[i], "-") ? opt->operand[i]
							  : "<stdin>";

	value_str(b, name, strlen(name));
}

/* Sets the name of the input. */
static void
name_input(struct source *s)
{
	/* A reader may open a path that is not an operand: the number is then beyond the operands. */
	uintptr_t at = (uintptr_t)s->paths - (uintptr_t)s->opt->operand;
	struct buf b = {0};

	if (at / sizeof *s->paths < s->opt->operands)
		operand_name(s->opt, at / sizeof *s->paths, &b);
	else
		value_str(&b, s->name, strlen(s->name));
	buf_byte(&b, '\0');
	s->head.input = s->input = (char *)b.p;
}

static void
source_begin(struct source *s)
{
	tables_reset(&s->t);
	name_input(s);
	snprintf(s->head.format, sizeof s->head.format, "%s", s->fmt->name);
	s->id = serial();
	s->head_serial = serial();
	s->part.end = UINT64_MAX;
	s->part.cut_unit = format_cutting(s->fmt)->cut_unit;
	s->raw = true;
	s->need =
	    s->fmt->stream && s->opt->streams_pass ? s->opt->need_stream : s->opt->need;
	if (s->opt->slice)
		s->need |= NEED_TIME;
	source_needs(s);
	s->fmt->open(s); /* may replace the format by another one */
	for (struct format_values *v = s->opt->values; v; v = v->next)
		if (v->fmt == s->fmt && !v->met)
			v->met = true;
}

bool
source_start(struct source *s, const struct read_options *opt, const char *const *paths,
	     size_t n)
{
	memset(s, 0, sizeof *s);
	s->in.fd = -1;
	s->opt = opt;
	s->name = paths[0];
	s->paths = paths;
	s->npaths = 1;
	s->fmt = format_find(s, paths[0]);
	if (!s->fmt) {
		if (s->in.buf)
			in_close(&s->in);
		return false;
	}
	while (!opt->separate && s->npaths < n &&
	       format_joins(s->fmt, paths[0], paths[s->npaths], opt) &&
	       format_joins(s->fmt, paths[s->npaths - 1], paths[s->npaths], opt))
		s->npaths++;
	source_begin(s);
	return true;
}

bool
source_memory(struct source *s, const struct read_options *opt, const char *name,
	      const void *p, size_t n)
{
	const struct sniffer *is;

	memset(s, 0, sizeof *s);
	s->opt = opt;
	s->name = name;
	s->paths = &s->name;
	s->npaths = 1;
	in_memory(&s->in, name, p, n);
	is = opt->only ? NULL : format_sniff(opt->sniffers, &s->in);
	s->fmt = is ? format_named(opt->known, is->format) : opt->only;
	if (!s->fmt) {
		in_close(&s->in);
		return false;
	}
	source_begin(s);
	return true;
}

void
source_clock(struct source *s, enum clock clock)
{
	s->scale.on = s->opt->hz && clock == CLOCK_TICKS;
	s->head.clock = s->scale.on ? CLOCK_NS : clock;
}

void
source_streams(struct source *s, uint64_t n, uint64_t bytes)
{
	/* With --hz, times count from the first event of all streams. */
	if (n < 2 || s->scale.on)
		return;
	s->part.streams = n;
	s->part.streams_size = bytes;
}

/* Returns t ticks in ns, at most the greatest time. Converts whole seconds first, then the rest: rest * 10^9 fits
 * if hz is below 1.8e10. */
static int64_t
scaled(uint64_t t, uint64_t hz)
{
	uint64_t ns = t / hz * 1000000000 + t % hz * 1000000000 / hz;

	return t / hz > INT64_MAX / 1000000000 || ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

/* Converts the ticks of a batch to nanoseconds since the first event, for --hz. */
static void
ticks_to_ns(struct source *s, struct batch *b)
{
	uint64_t hz = s->opt->hz;

	for (uint32_t i = 0; i < b->n; i++) {
		struct rec *r = (struct rec *)(uintptr_t)batch_rec(b, i);
		uint64_t t = (uint64_t)r->time;

		if (!s->scale.first_set) {
			s->scale.first = t;
			s->scale.first_set = true;
		}
		r->time = t < s->scale.first ? -scaled(s->scale.first - t, hz)
					     : scaled(t - s->scale.first, hz);
		r->dur = scaled((uint64_t)r->dur, hz);
	}
}

bool
source_next(struct source *s, struct batch *b)
{
	do {
		if (s->stop || !s->fmt->next(s, b))
			return false;
		s->count.events += b->n;
		if (s->scale.on)
			ticks_to_ns(s, b);
	} while (s->opt->slice && slice_keep(s, s->opt->slice, b) && !b->n);
	return b->n > 0;
}

void
source_say_progress(const struct source *s)
{
	uint64_t bytes =
	    s->count.bytes_before + (s->in.buf ? in_offset(&s->in, s->in.p) : 0);

	progress_due = 0;
	warn_progress("%s: %llu MB read, %llu events", s->name,
		      (unsigned long long)(bytes / 1000000),
		      (unsigned long long)(s->count.events_before + s->count.events));
}

void
source_end(struct source *s)
{
	uint64_t skipped;

	/* After an early stop, the end was not reached. */
	if (s->fmt->end && !s->in.err && !s->stop)
		s->fmt->end(s);
	if (!s->stop)
		in_finish(&s->in);
	if (s->in.err)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, "offset %llu: read: %s",
		      (unsigned long long)in_offset(&s->in, s->in.end), in_why(&s->in));
	say_made_up(s);
	if (s->opt->quiet)
		return;
	if (s->faults.n_messages > FAULTS_SAID)
		warn("%s: left out %u more such messages", s->name,
		     s->faults.n_messages - FAULTS_SAID);
	skipped = s->faults.lost - s->faults.upstream;
	if (skipped)
		warn("%s: %llu record%s skipped", s->name, (unsigned long long)skipped,
		     skipped == 1 ? "" : "s");
}

void
source_close(struct source *s)
{
	if (s->fmt->close)
		s->fmt->close(s);
	else
		free(s->state);
	if (s->in.buf)
		in_close(&s->in);
	head_free(&s->head);
	arena_free(&s->meta);
	tables_free(&s->t);
	free(s->input);
}
