/* critical.c - see critical.h. The events of the path are made in critical_put.c. */
#include <stdlib.h>
#include <string.h>

#include "match/critical.h"

/* Bound: trace-match | names of calls of --critical | different names | 16384 | different names of calls: the others are named other */
#define NAMES_MOST 16384
/* Limit of the calls that are searched for the one before a thread's first call, in all searches together. */
/* Bound: trace-match | calls searched before threads of --critical | calls that begin later | 32768, and 64 for each call | threads begin before too many calls */
#define SEARCH_LEAST 32768
#define SEARCH_EACH 64

/* Returns the number of the name of event r's type. */
static uint32_t
name_of(struct critical *c, const struct source *s, const struct rec *r)
{
	CACHE(c->name_of, c->name_cache, s, s->t.ntypes);
	if (unlikely(!c->name_of[r->type])) {
		const struct type *ty = &s->t.type[r->type];
		uint32_t name = NAME_OTHER;

		if (!c->name.n) {
			strtab_id(&c->name, "compute", 7);
			strtab_id(&c->name, "other", 5);
		}
		if (c->name.n < NAMES_MOST + NAMES_OWN)
			name = strtab_id(&c->name, ty->event, ty->event_len);
		else
			strtab_find(&c->name, ty->event, ty->event_len, &name);
		c->name_of[r->type] = name + 1;
	}
	return c->name_of[r->type] - 1;
}

/* Returns the number of the thread of event r. */
static uint32_t
thread_of(struct critical *c, const struct source *s, const struct rec *r)
{
	CACHE(c->thread_of, c->thread_cache, s, r->loc + 1);
	if (unlikely(!c->thread_of[r->loc])) {
		const struct str *loc = &s->t.str.v[r->loc];

		c->thread_of[r->loc] = strtab_id(&c->thread, loc->s, loc->len) + 1;
	}
	return c->thread_of[r->loc] - 1;
}

/* Returns the call that a thread's first call follows: the last one of the process, by the order of the input, that
 * began no later. Returns 0 if there is none, or if the limit of all searches is reached. */
static uint64_t
before_thread(struct critical *c, const struct critical_rank *rank, uint64_t start)
{
	uint64_t i = rank->newest;

	while (i) {
		const struct critical_call *call = critical_calls_at(&c->calls, i, false);

		if (call->start <= start)
			break;
		if (c->searched >= SEARCH_LEAST + SEARCH_EACH * c->n) {
			c->unfound++;
			return 0;
		}
		c->searched++;
		i = call->before;
	}
	return i;
}

/* Returns the call that a call of the thread t follows. It is the previous one of the thread, except if the call of the
 * rank that ended last is from a thread that made all its calls since then. Such a thread was probably begun and joined
 * between the two calls. */
static uint64_t
before_call(struct critical *c, const struct critical_rank *rank, uint32_t thread,
	    uint64_t start)
{
	const struct critical_thread *t = &c->last[thread];

	if (!t->call)
		return before_thread(c, rank, start);
	if (unlikely(rank->thread != thread) && rank->end <= start &&
	    c->last[rank->thread].first >= t->end)
		return rank->call;
	return t->call;
}

uint64_t
critical_add(struct critical *c, const struct source *s, const struct rec *r, uint32_t proc,
	     uint64_t order, uint64_t start, uint64_t end)
{
	uint32_t thread = thread_of(c, s, r), name = name_of(c, s, r);
	struct critical_rank *rank;
	struct critical_thread *t;
	uint64_t i;

	GROW(c->last, c->last_cap, thread + 1);
	GROW(c->rank, c->rank_cap, proc + 1);
	t = &c->last[thread];
	rank = &c->rank[proc];
	/* The path needs calls of a thread in order of time. */
	if (t->call && start < t->start) {
		c->back++;
		start = t->start;
	}
	end = end > start ? end : start;
	i = critical_calls_add(&c->calls, &(struct critical_call){
					      .start = start,
					      .end = end,
					      .before = before_call(c, rank, thread, start),
					      .proc = proc,
					      .name = (uint16_t)name});
	c->n = i;
	c->unnamed += name == NAME_OTHER && c->name.n == NAMES_MOST + NAMES_OWN;
	if (!t->call)
		t->first = start;
	t->start = start;
	if (!t->call || end >= t->end) {
		t->call = i;
		t->end = end;
	}
	rank->newest = i;
	if (!rank->call || end >= rank->end) {
		rank->call = i;
		rank->end = end;
		rank->thread = thread;
	}
	if (!c->end_call || end > c->end || (end == c->end && order <= c->end_order)) {
		c->end_call = i;
		c->end = end;
		c->end_order = order;
	}
	return i;
}

void
critical_cause(struct critical *c, uint64_t call, uint64_t by, enum why why)
{
	uint64_t began = critical_calls_at(&c->calls, by, false)->start;
	const struct critical_call *p = critical_calls_at(&c->calls, call, false);
	uint64_t known = p->by;

	if (began <= p->start || began > p->end)
		return;
	if (known && critical_calls_at(&c->calls, known, false)->start >= began)
		return;
	critical_calls_at(&c->calls, call, true)->by = by;
	critical_calls_at(&c->calls, call, true)->why = (uint16_t)why;
}

/* ---- the way back ---- */

/* The stretch that was found last. It is not appended until the next one is known, because it may be the first one in
 * time on its rank, which has the reason of the change of ranks. */
struct following {
	struct critical *c;
	struct critical_call at; /* no stretch if start == end */
};

/* Appends the last stretch, and begins another one: a part of a call, or `name` is NAME_COMPUTE. Does nothing if it is
 * empty. */
static void
stretch(struct following *f, uint32_t proc, uint16_t name, uint64_t start, uint64_t end)
{
	if (start >= end)
		return;
	if (f->at.start < f->at.end)
		critical_calls_add(&f->c->calls, &f->at);
	f->at =
	    (struct critical_call){.start = start, .end = end, .proc = proc, .name = name};
}

/* Returns true if the path leaves the call number i, of which the part until `end` is on the path, for *by. A call is
 * left only once, so that calls which begin at one time cannot make a circle. */
static bool
leaves(struct critical *c, uint64_t i, uint64_t end, struct critical_call *by)
{
	const struct critical_call *call = critical_calls_at(&c->calls, i, false);

	if (!call->by)
		return false;
	*by = *critical_calls_at(&c->calls, call->by, false);
	if (by->start > end)
		return false;
	critical_calls_at(&c->calls, i, true)->by = 0;
	return true;
}

void
critical_follow(struct critical *c)
{
	struct following f = {.c = c};
	uint64_t i = c->end_call, now = c->end;

	while (i) {
		const struct critical_call call = *critical_calls_at(&c->calls, i, false);
		uint64_t end = call.end < now ? call.end : now;
		struct critical_call by;

		stretch(&f, call.proc, NAME_COMPUTE, end, now);
		if (!leaves(c, i, end, &by)) {
			stretch(&f, call.proc, call.name, call.start, end);
			now = call.start;
			i = call.before;
			continue;
		}
		stretch(&f, call.proc, call.name, by.start, end);
		if (f.at.why == WHY_NONE) {
			f.at.why = call.why;
			f.at.by = by.proc;
		}
		now = by.start;
		i = by.before;
	}
	if (f.at.start < f.at.end)
		critical_calls_add(&c->calls, &f.at);
}

void
critical_free(struct critical *c)
{
	critical_calls_free(&c->calls);
	strtab_free(&c->name);
	strtab_free(&c->thread);
	cache_free(c->name_of, &c->name_cache);
	cache_free(c->thread_of, &c->thread_cache);
	free(c->last);
	free(c->rank);
	*c = (struct critical){.n = 0};
}
