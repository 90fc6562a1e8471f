/* chrome.c - the JSON of Chrome's tracing: one object per event, times in microseconds.
 *
 * Readers take a time with its fraction as a double. Times count from the trace's origin, so that they are
 * exact for 52 days. There is no displayTimeUnit, because some readers multiply by it. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/put.h"
#include "event/value.h"
#include "cells/row_writer.h"
#include "table/table.h"
#include "trace-export/track_drawing.h"

#define LITERAL(p, s) (memcpy(p, s, sizeof s - 1), (p) + sizeof s - 1)
/* Bound: trace-export chrome | flows | values of flow | 262144 | flows only (status 0) */
#define FLOWS_MOST (1u << 18) /* limit of flows that are drawn: they take 16 MiB */

struct chrome {
	struct track_drawing drawing;
	struct row_writer cells; /* of each event, from its category on */
	bool any;		 /* an object was written */
	struct out *out;
	struct buf text;
	struct view flow;      /* the argument `flow` */
	struct strtab flows;   /* flows that have begun */
	uint64_t flows_missed; /* events of flows that are not drawn */
};

/* Begins another object. */
static void
next(struct chrome *x)
{
	out_str(x->out, x->any ? ",\n" : "\n");
	x->any = true;
}

/* Writes an object that names a process or a thread. */
static void
put_meta(struct chrome *x, const char *what, uint32_t process, uint32_t thread,
	 const char *name, uint32_t lane)
{
	uint8_t *p;

	next(x);
	out_str(x->out, "{\"ph\":\"M\",\"pid\":");
	p = put_u32(out_room(x->out), tracks_pid(process));
	if (thread)
		p = put_u32(LITERAL(p, ",\"tid\":"), thread);
	x->out->p = p;
	out_str(x->out, ",\"name\":\"");
	out_str(x->out, what);
	out_str(x->out, "\",\"args\":{\"name\":");
	x->text.n = 0;
	row_writer_text(&x->cells, &x->text, name, strlen(name), true);
	if (lane) {
		x->text.n--;
		buf_add(&x->text, " (", 2);
		buf_to(&x->text, put_u32(buf_room(&x->text, 32), lane + 1));
		buf_add(&x->text, ")\"", 2);
	}
	out_bytes(x->out, x->text.p, x->text.n);
	out_str(x->out, "}}");
}

static void
new_process(void *arg, uint32_t process, const char *name)
{
	put_meta(arg, "process_name", process, 0, name, 0);
}

static void
new_lane(void *arg, const struct track_place *p, uint32_t n)
{
	struct chrome *x = arg;
	uint32_t first = p->lane[0].tid;
	uint8_t *q;

	put_meta(x, "thread_name", p->process, p->lane[n].tid, p->name, n);
	/* Viewers that support it show the lanes of a place below each other. */
	next(x);
	out_str(x->out, "{\"ph\":\"M\",\"pid\":");
	q = put_u32(out_room(x->out), tracks_pid(p->process));
	q = LITERAL(q, ",\"tid\":");
	x->out->p = put_u32(q, p->lane[n].tid);
	out_str(x->out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":");
	x->out->p = put_u32(out_room(x->out), first == tracks_pid(p->process) ? 0 : first);
	out_str(x->out, "}}");
}

/* Appends the text before the times of an event. An object with the name of its place precedes it, so it begins
 * with a comma. */
static void
lane_text(void *arg, const struct track_place *place, const struct track_lane *l,
	  bool lasts, struct buf *to)
{
	uint8_t *p = buf_room(to, 200);

	(void)arg;
	p = lasts ? LITERAL(p, ",\n{\"ph\":\"X\",\"pid\":")
		  : LITERAL(p, ",\n{\"ph\":\"i\",\"s\":\"t\",\"pid\":");
	p = put_u32(p, tracks_pid(place->process));
	p = LITERAL(p, ",\"tid\":");
	p = put_u32(p, l->tid);
	buf_to(to, LITERAL(p, ",\"ts\":"));
}

/* Writes ns nanoseconds, not below 0, as microseconds. */
static INLINE uint8_t *
put_us(uint8_t *p, uint64_t ns)
{
	uint64_t us = ns / 1000;

	p = put_u64(p, us);
	memcpy(p, put_d4[ns - us * 1000], 4);
	*p = '.';
	return p + 4;
}

/* Writes a point of a flow: an arrow goes from each event of a flow to the next one. */
static void
put_flow(struct chrome *x, const struct rec *r, const struct track_place *place,
	 uint32_t tid, int64_t begin)
{
	const struct field *f = view_field(&x->flow, r->type, 0);
	uint32_t before = x->flows.n, known;
	uint64_t id;
	uint8_t *p;

	if (!field_load(f, r, &id))
		return;
	if (before == FLOWS_MOST && !strtab_find(&x->flows, &id, sizeof id, &known)) {
		x->flows_missed++;
		return;
	}
	known = strtab_id(&x->flows, &id, sizeof id);
	next(x);
	p = out_room(x->out);
	p = known == before ? LITERAL(p, "{\"ph\":\"s\",\"pid\":")
			    : LITERAL(p, "{\"ph\":\"t\",\"bp\":\"e\",\"pid\":");
	p = put_u32(p, tracks_pid(place->process));
	p = LITERAL(p, ",\"tid\":");
	p = put_u32(p, tid);
	p = LITERAL(p, ",\"ts\":");
	p = put_us(p, (uint64_t)begin);
	p = LITERAL(p, ",\"cat\":\"flow\",\"name\":\"flow\",\"id\":\"0x");
	p = put_hex(p, id);
	x->out->p = LITERAL(p, "\"}");
}

/* Writes one event. Returns SKIPS, or why it is not written. */
static enum skip
chrome_event(struct chrome *x, struct source *s, const struct rec *r)
{
	bool lasts = r->has & HAS_DUR;
	int64_t begin, end;
	struct track_place *place;
	const struct track_lane *l;
	enum skip skip = drawing_event(&x->drawing, s, r, &begin, &end, &place, &l);
	uint8_t *p;

	if (unlikely(skip != SKIPS))
		return skip;
	p = cached_text_put(x->out, out_room(x->out), lasts ? &l->slice : &l->moment);
	p = put_us(p, (uint64_t)begin);
	if (lasts) {
		p = LITERAL(p, ",\"dur\":");
		p = put_us(p, (uint64_t)(end - begin));
	}
	x->out->p = row_writer_one(&x->cells, p, s, r);
	if (unlikely(x->flow.name->seen & SEEN_FIELD))
		put_flow(x, r, place, l->tid, begin);
	return SKIPS;
}

/* Writes a value of -C: draw_counter. */
static void
put_counter(void *arg, const struct track_place *place, size_t i, const char *label,
	    int64_t time, const char *text, bool whole)
{
	struct chrome *x = arg;
	uint8_t *p;

	(void)i;
	(void)whole;
	next(x);
	out_str(x->out, "{\"ph\":\"C\",\"pid\":");
	p = put_u32(out_room(x->out), tracks_pid(place->process));
	p = LITERAL(p, ",\"ts\":");
	x->out->p = put_us(p, (uint64_t)time);
	out_str(x->out, ",\"name\":");
	x->text.n = 0;
	json_string(&x->text, label, strlen(label));
	out_bytes(x->out, x->text.p, x->text.n);
	out_str(x->out, ",\"args\":{\"value\":");
	out_str(x->out, text);
	out_str(x->out, "}}");
}

static void
chrome_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	struct chrome *x = k->state;

	view_bind(&x->flow, &s->t, &s->head, s->head_serial, s->fmt->text);
	row_writer_bind(&x->cells, s);
	drawing_bind(&x->drawing, s, b, pick, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);

		drawing_done(&x->drawing, s, r, chrome_event(x, s, r), at, i);
	}
	if (k->out.line)
		out_flush(&k->out);
}

static void
chrome_begin(struct sink *k, struct read_options *opt)
{
	struct chrome *x = k->state = xcalloc(1, sizeof *x);
	struct row_writer *c = &x->cells;

	drawing_begin(&x->drawing, k, opt,
		      &(struct track_writer){new_process, new_lane, lane_text, NULL, x},
		      put_counter, x);
	x->out = &k->out;
	c->out = &k->out;
	c->style = CELLS_CHROME;
	c->numbers = export_asked(k)->cells.numbers;
	c->args = true;
	c->name = drawing_name;
	row_writer_column(c, "addr", "addr", 0);
	row_writer_column(c, "size", "size", 0);
	view_add(&x->flow, "arg.flow", 8, false);
}

/* Writes the facts of the first input. */
static void
chrome_head(struct sink *k, struct source *s)
{
	struct chrome *x = k->state;
	struct buf b = {0};

	if (x->drawing.headed)
		return;
	x->drawing.headed = true;
	out_str(&k->out, "{\"otherData\":{\"format\":");
	x->text.n = 0;
	row_writer_text(&x->cells, &x->text, s->head.format, strlen(s->head.format), true);
	out_bytes(&k->out, x->text.p, x->text.n);
	if (s->head.origin) {
		value_time(&b, CLOCK_NS, s->head.origin);
		out_str(&k->out, ",\"origin\":\"");
		out_bytes(&k->out, b.p, b.n);
		out_str(&k->out, "\"");
		buf_free(&b);
	}
	out_str(&k->out, "},\"traceEvents\":[");
}

static int
close_chrome(struct sink *k)
{
	struct chrome *x = k->state;
	int status;

	if (!x->drawing.headed)
		out_str(&k->out, "{\"traceEvents\":[");
	out_str(&k->out, "\n]}\n");
	status = drawing_close(&x->drawing, k);
	if (x->flows_missed)
		warn("chrome: drew arrows of the first %u flows only; %llu events of other "
		     "flows have none",
		     FLOWS_MOST, (unsigned long long)x->flows_missed);
	view_free(&x->flow);
	strtab_free(&x->flows);
	row_writer_free(&x->cells);
	buf_free(&x->text);
	free(x);
	return status;
}

static const struct form form_chrome = {
    .need = NEED_ALL,
    .begin = chrome_begin,
    .head = chrome_head,
    .see = drawing_see,
    .put = chrome_put,
    .close = close_chrome,
};

const struct target target_chrome = {
    .name = "chrome",
    .about = "the same as JSON: chrome://tracing, Perfetto, speedscope",
    .takes = TAKES(COUNTERS) | TAKES(NUMBERS),
    .carries = NEED_COLUMNS | NEED_ARGS,
    .lasts = true,
    .form = &form_chrome,
};
