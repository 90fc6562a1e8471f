/* match.c - see match.h: turns events into calls, and reports at the end of a run. */
#include <stdlib.h>

#include "input/fault.h"
#include "match/matching.h"

/* Bound: trace-match | events that wait in memory | events after an open one | 64 MiB | - */
#define WAIT_MOST (64u << 20) /* bytes of events that wait in memory */

struct match *
match_new(const struct match_options *o, const struct pair_sink *to)
{
	struct match *x = xcalloc(1, sizeof *x);

	x->opt = *o;
	x->to = *to;
	x->comms.match = x;
	x->calls.more = collective_calls;
	if (o->clocks)
		x->clocks = clocks_new();
	if (o->critical) {
		x->critical = xcalloc(1, sizeof *x->critical);
		critical_calls_start(&x->critical->calls);
	}
	/* With --critical no event waits for an earlier one, because none is written before the end. */
	wait_start(&x->wait, o->by_end || o->critical, WAIT_MOST);
	tables_reset(&x->out.t);
	if (o->watch) /* note number 0 stands for none */
		pool_take(&x->notes, o->watch->note_size);
	return x;
}

static void
match_flush(struct match *x)
{
	while (wait_next(&x->wait, &x->batch))
		if (!x->clocks)
			x->to.put(x->to.arg, &x->out, &x->batch);
}

/* ---- heads ---- */

/* Takes over a new head of s. */
static void
take_head(struct match *x, struct source *s)
{
	struct head *h = &x->out.head;
	const char *clock = head_value(&s->head, "clock");

	pair_sink_head(&x->out, s);
	/* In a run with times of processors, the times of ranks do not compare. */
	x->waits = h->clock == CLOCK_NS && !(clock && !strncmp(clock, "cpu time", 8));
	comms_head(&x->comms, h);
	if (x->clocks)
		clocks_head(x->clocks, h);
}

/* ---- events ---- */

const struct call *
match_read(struct match *x, struct source *s, const struct rec *r)
{
	struct call *c = &x->call;
	struct site at = {0};
	struct proc *p;

	if (unlikely(x->out.head_serial != s->head_serial))
		take_head(x, s);
	at.proc = comms_at(&x->comms, s, r);
	at.start = time_of(x, r->time);
	p = &x->comms.proc[at.proc];
	at.rec = ++p->records;
	if (at.rec == 1 && x->clocks) {
		/* must come first: it may move the strings */
		uint32_t loc = put_loc(x, at.proc);

		clocks_proc(x->clocks, at.proc, (uint64_t)p->job << 32 | p->rank,
			    x->out.t.str.v[loc].s, at.start);
	}
	at.end = r->has & HAS_DUR ? time_of(x, time_plus(s->head.clock, r->time, r->dur))
				  : at.start;
	/* With --critical no record's number is written: at.rec is the number of the call. */
	if (x->critical && x->waits)
		at.rec = critical_add(x->critical, s, r, at.proc,
				      (uint64_t)p->job << 32 | p->rank, at.start, at.end);
	calls_read(&x->calls, s, r, c);
	x->at = at;
	return c;
}

uint32_t
match_proc(const struct match *x)
{
	return x->at.proc;
}

struct comms *
match_comms(struct match *x)
{
	return &x->comms;
}

void
match_call(struct match *x, const struct rec *r, const void *note)
{
	const struct call *c = &x->call;

	if (c->kind == CALL_OTHER)
		return;
	x->known += !x->clocks || c->kind <= CALL_CANCEL;
	if (!x->name[c->which])
		x->name[c->which] = put_str(x, c->event) + 1;
	x->at.call = x->name[c->which] - 1;
	x->at.note = note ? note_copy(x, note) : 0;
	if (c->kind <= CALL_CANCEL)
		requests_call(x, &x->at, c, r);
	else
		collective_call(x, &x->at, c, r->has & HAS_SIZE ? &r->size : NULL);
	note_hold(x, x->at.note, -1);
}

uint32_t
match_notes(const struct match *x)
{
	return x->live_notes;
}

void
match_take(struct match *x, struct source *s, const struct batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		match_read(x, s, batch_rec(b, i));
		match_call(x, batch_rec(b, i), 0);
	}
	x->events += b->n;
	match_flush(x);
}

/* ---- messages ---- */

static unsigned long long
ull(uint64_t v)
{
	return v;
}

static void
tell_left(struct source *s, const struct left_over *l, enum cost cost, const char *what)
{
	if (l->sends | l->receives)
		fault(s, NULL, cost, s->name, NOWHERE,
		      "%llu send%s (%llu bytes), %llu receive%s: %s", ull(l->sends),
		      l->sends == 1 ? "" : "s", ull(l->bytes), ull(l->receives),
		      l->receives == 1 ? "" : "s", what);
}

static void
tell_one(struct source *s, uint64_t n, enum cost cost, const char *what)
{
	if (n)
		fault(s, NULL, cost, s->name, NOWHERE, "%s: %llu", what, ull(n));
}

#define MISSING_SAID 8 /* number of ranks that a message lists */

static int
cmp_by_record(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Counts the ranks without a call in all jobs, and reports them. Returns their number. */
static uint64_t
missing(const struct match *x, struct source *s)
{
	uint64_t *seen = xcalloc(x->comms.nprocs + 1, sizeof *seen), n = 0;
	char list[MISSING_SAID * 12 + 8] = "";
	size_t nseen = 0, at = 0;

	for (size_t i = 0; i < x->comms.nprocs; i++)
		if (x->comms.proc[i].records)
			seen[nseen++] =
			    (uint64_t)x->comms.proc[i].job << 32 | x->comms.proc[i].rank;
	qsort(seen, nseen, sizeof *seen, cmp_by_record);
	seen[nseen] = UINT64_MAX;
	for (uint64_t job = 0; job < x->comms.njobs; job++)
		for (uint64_t rank = 0; rank < x->comms.job[job].size; rank++) {
			size_t used = strlen(list);

			while (seen[at] < (job << 32 | rank))
				at++;
			if (seen[at] != (job << 32 | rank) && n++ < MISSING_SAID)
				snprintf(list + used, sizeof list - used, "%s%llu",
					 used ? ", " : "", ull(rank));
		}
	free(seen);
	if (n && !x->opt.watch)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, "%llu rank%s missing: %s%s",
		      ull(n), n == 1 ? " is" : "s are", list,
		      n > MISSING_SAID ? ", ..." : "");
	return n;
}

static void
match_report(struct match *x, struct source *s)
{
	static const struct {
		enum cost cost;
		const char *what;
	} left[LEFTS] = {
	    [LEFT_ALONE] = {COST_STATUS, "no partner is in the trace"},
	    [LEFT_AMBIGUOUS] =
		{COST_STATUS,
		 "ambiguous: receives of any source or tag without status, which may have "
		 "taken others"},
	    [LEFT_UNKNOWN] = {COST_STATUS,
			      "the members of their communicator are not known"},
	    [LEFT_FOREIGN] = {COST_NONE, "with processes of another job: left apart"},
	    [LEFT_INCOMPLETE] = {COST_NONE, "never completed"},
	};
	const struct match_counts *c = &x->count;

	if (x->events && !x->known)
		fault(
		    s, NULL, COST_STATUS, s->name, NOWHERE,
		    "no call of MPI sends, receives or is collective: nothing is matched");
	if (x->known && !x->waits)
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "%s: durations and waits are not computed",
		      x->out.head.clock == CLOCK_TICKS
			  ? "times are ticks"
			  : "times are those of processors, not of a clock");
	for (unsigned i = 0; i < LEFTS; i++)
		tell_left(s, &c->left[i], left[i].cost, left[i].what);
	tell_one(s, c->differ, COST_STATUS,
		 "the two sides of messages have different sizes");
	tell_one(s, c->requests, COST_NONE,
		 "completions or starts have no send or receive, such as those of files");
	tell_one(s, c->deep, COST_STATUS,
		 "searches for a request ended after 4096 others of the same number");
	tell_one(s, x->known ? x->comms.odd : 0, COST_STATUS,
		 "places are no ranks from 0 to 1048575, and count as the last rank");
	tell_one(
	    s, x->comms.beyond, COST_STATUS,
	    "communicators or groups name too many ranks, so their members are unknown");
	tell_one(s, x->comms.differ, COST_STATUS,
		 "calls do not fit the communicators of other ranks");
	tell_one(s, c->mixed, COST_STATUS,
		 "members of one collective operation called different ones");
	tell_one(s, c->partial, COST_STATUS,
		 "collective operations lack some of their members");
	tell_one(s, c->unknown, COST_STATUS,
		 "collective calls have an unknown communicator, window or file");
	tell_one(s, c->apart, COST_NONE,
		 "collective calls include processes of another job, and are not matched");
	if (c->back && !x->clocks)
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "%llu messages were received before they were sent, by up to %.9f s: "
		      "clocks differ; see --clocks",
		      ull(c->back), (double)c->back_by * 1e-9);
}

/* ---- */

static void
free_run(struct match *x)
{
	void *match = x->comms.match;

	comms_free(&x->comms);
	x->comms.match = match;
	streams_free(x);
	free(x->sent.v);
	free(x->posted.v);
	free(x->persistent.v);
	free(x->notes.v);
	x->sent = x->posted = x->persistent = x->notes = (struct pool){0};
	x->live_notes = 0;
	if (x->opt.watch)
		pool_take(&x->notes, x->opt.watch->note_size);
	memset(&x->count, 0, sizeof x->count);
	memset(x->message_type, 0, sizeof x->message_type);
	memset(x->collective_type, 0, sizeof x->collective_type);
	memset(x->name, 0, sizeof x->name);
	x->events = x->known = 0;
	x->ending = false;
	if (x->critical) {
		critical_free(x->critical);
		FREE(x->stretch_type);
		x->stretch_type_cap = 0;
	}
}

void
match_end(struct match *x, struct source *s)
{
	uint64_t gone;

	if (x->out.head_serial != s->head_serial)
		take_head(x, s);
	gone = missing(x, s);
	match_ending(x, !gone && !s->trouble);
	if (!x->opt.watch)
		match_report(x, s);
	if (x->clocks && !x->waits)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "--clocks: the times are not those of a clock");
	else if (x->clocks && !clocks_put(x->clocks, x->opt.clocks))
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "found no clock offsets and drifts that suit all messages: a clock "
		      "may have jumped");
	if (x->opt.watch) {
		free_run(x);
		return;
	}
	match_flush(x);
	if (x->critical)
		critical_put(x, s);
	pair_sink_end(&x->to, &x->out, s);
	free_run(x);
	if (x->critical)
		critical_calls_start(&x->critical->calls);
}

void
match_free(struct match *x)
{
	free_run(x);
	clocks_free(x->clocks);
	FREE(x->critical);
	wait_free(&x->wait);
	calls_free(&x->calls);
	call_free(&x->call);
	tables_free(&x->out.t);
	free(x->notes.v);
	free(x);
}
