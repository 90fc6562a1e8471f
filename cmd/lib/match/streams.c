/*
 * streams.c - finds the receive of each send.
 *
 * A stream is the messages of one sender, receiver, communicator and tag. Its n-th send meets the n-th receive
 * that was posted for it, because messages do not overtake each other. A receive of any source or any tag belongs
 * to a stream as soon as its status tells the stream. Until then, later receives that may have the same envelope
 * have no place either: they wait in a list of their receiver, in the order in which they were posted.
 */
#include <stdlib.h>

#include "match/matching.h"

/* Limit of the receives in a list that are searched at once. Later ones wait for the end of the run. */
/* Bound: trace-match | receives searched at once | receives that are open | 65536 | - */
#define WALK_MOST 65536

static inline size_t
bucket_of(const struct match *x, uint32_t comm, uint32_t from, uint32_t to, int32_t tag)
{
	uint64_t h = (uint64_t)from << 32 | to;

	h = (h ^ ((uint64_t)(uint32_t)tag << 32 | comm) * 0x9e3779b97f4a7c15u) *
	    0xd6e8feb86659fd93u;
	return (h ^ h >> 32) * 0xd6e8feb86659fd93u >> 32 & (x->nbuckets - 1);
}

static uint32_t
stream_find(const struct match *x, uint32_t comm, uint32_t from, uint32_t to, int32_t tag)
{
	uint32_t i = x->nbuckets ? x->bucket[bucket_of(x, comm, from, to, tag)] : 0;

	for (; i; i = stream_at(x, i - 1)->chain) {
		const struct message_stream *s = stream_at(x, i - 1);

		if (s->from == from && s->to == to && s->tag == tag && s->comm == comm)
			return i - 1;
	}
	return NO_OP;
}

static void
more_buckets(struct match *x)
{
	uint32_t *old = x->bucket;
	size_t n = x->nbuckets;

	x->nbuckets = n ? 2 * n : 1024;
	x->bucket = xcalloc(x->nbuckets, sizeof *x->bucket);
	for (size_t k = 0; k < n; k++)
		for (uint32_t i = old[k], next; i; i = next) {
			struct message_stream *s = stream_at(x, i - 1);
			uint32_t *to =
			    &x->bucket[bucket_of(x, s->comm, s->from, s->to, s->tag)];

			next = s->chain;
			s->chain = *to;
			*to = i;
		}
	free(old);
}

uint32_t
stream_of(struct match *x, uint32_t comm, uint32_t from, uint32_t to, int32_t tag)
{
	uint32_t i = stream_find(x, comm, from, to, tag), *b;

	if (i != NO_OP)
		return i;
	if (x->streams >= x->nbuckets)
		more_buckets(x);
	i = pool_take(&x->stream, sizeof(struct message_stream));
	b = &x->bucket[bucket_of(x, comm, from, to, tag)];
	*stream_at(x, i) = (struct message_stream){.chain = *b,
						   .comm = comm,
						   .from = from,
						   .to = to,
						   .tag = tag,
						   .sent = NO_OP,
						   .posted = NO_OP};
	*b = i + 1;
	x->streams++;
	return i;
}

/* Frees a stream if nothing waits in it. */
static void
streams_forget(struct match *x, uint32_t i)
{
	struct message_stream *s = stream_at(x, i);
	uint32_t *at;

	if (s->sent != NO_OP || s->posted != NO_OP || s->open || x->ending)
		return;
	at = &x->bucket[bucket_of(x, s->comm, s->from, s->to, s->tag)];
	while (*at != i + 1)
		at = &stream_at(x, *at - 1)->chain;
	*at = s->chain;
	pool_give(&x->stream, i, sizeof *s);
	x->streams--;
}

/* ---- pairs ---- */

/* Returns the first send of a stream that was not cancelled, or NO_OP. Drops those before it. */
static uint32_t
first_sent(struct match *x, struct message_stream *s)
{
	while (s->sent != NO_OP && sent_at(x, s->sent)->flags & OP_GONE) {
		uint32_t i = s->sent;

		s->sent = sent_at(x, i)->next;
		sent_at(x, i)->flags &= ~(unsigned)OP_QUEUED;
		match_drop_sent(x, i);
	}
	return s->sent;
}

static uint32_t
first_posted(struct match *x, struct message_stream *s)
{
	while (s->posted != NO_OP && posted_at(x, s->posted)->flags & OP_GONE) {
		uint32_t i = s->posted;

		s->posted = posted_at(x, i)->next;
		posted_at(x, i)->flags &= ~(unsigned)OP_QUEUED;
		match_drop_posted(x, i);
	}
	return s->posted;
}

/* Returns true if the operation may have been cancelled, or may still be. */
static bool
in_doubt(const struct match *x, unsigned flags)
{
	return flags & OP_MAYBE || (!(flags & (OP_DONE | OP_FREED)) && !x->ending);
}

void
stream_pairs(struct match *x, uint32_t i)
{
	struct message_stream *s = stream_at(x, i);

	for (;;) {
		uint32_t a = first_sent(x, s), b = first_posted(x, s);

		if (a == NO_OP || b == NO_OP)
			break;
		if (in_doubt(x, sent_at(x, a)->flags) ||
		    in_doubt(x, posted_at(x, b)->flags))
			break;
		s->sent = sent_at(x, a)->next;
		s->posted = posted_at(x, b)->next;
		sent_at(x, a)->flags &= ~(unsigned)OP_QUEUED;
		posted_at(x, b)->flags &= ~(unsigned)OP_QUEUED;
		match_pair(x, a, b);
	}
	streams_forget(x, i);
}

void
stream_try(struct match *x, uint32_t comm, uint32_t from, uint32_t to, int32_t tag)
{
	uint32_t i = stream_find(x, comm, from, to, tag);

	if (i != NO_OP)
		stream_pairs(x, i);
}

void
stream_send(struct match *x, uint32_t sent)
{
	struct sent *o = sent_at(x, sent);
	const struct sent_rec *r = sent_rec(x, o);
	uint32_t i = stream_of(x, o->comm, o->from, o->to, r->tag);
	struct message_stream *s = stream_at(x, i);

	o->next = NO_OP;
	o->flags |= OP_QUEUED;
	if (s->sent == NO_OP)
		s->sent = sent;
	else
		sent_at(x, s->last_sent)->next = sent;
	s->last_sent = sent;
	if (s->posted != NO_OP && !x->ending)
		stream_pairs(x, i);
}

static void
stream_append(struct match *x, uint32_t posted)
{
	struct posted *p = posted_at(x, posted);
	uint32_t i = stream_of(x, p->comm, p->from, p->at, p->tag);
	struct message_stream *s = stream_at(x, i);

	p->next = NO_OP;
	p->flags = (p->flags & ~(unsigned)OP_LISTED) | OP_QUEUED;
	if (s->posted == NO_OP)
		s->posted = posted;
	else
		posted_at(x, s->last_posted)->next = posted;
	s->last_posted = posted;
	if (s->sent != NO_OP && !x->ending)
		stream_pairs(x, i);
}

/* ---- receives of any source or tag ---- */

void
stream_opens(struct match *x, const struct posted *p, int by)
{
	uint32_t i = stream_of(x, p->comm, p->from, p->at, p->tag);
	struct member *m = comm_member(&x->comms, x->comms.comm[p->comm], p->at);

	stream_at(x, i)->open += (uint32_t)by;
	m->unknown += (uint32_t)by;
	streams_forget(x, i);
}

static bool
is_open(const struct match *x, uint32_t comm, uint32_t from, uint32_t to, int32_t tag)
{
	uint32_t i = stream_find(x, comm, from, to, tag);

	return i != NO_OP && stream_at(x, i)->open;
}

bool
stream_open(const struct match *x, uint32_t comm, uint32_t from, uint32_t to, int32_t tag)
{
	return is_open(x, comm, NO_PROC, to, ANY_TAG) ||
	       is_open(x, comm, NO_PROC, to, tag) || is_open(x, comm, from, to, ANY_TAG);
}

void
stream_post(struct match *x, uint32_t posted)
{
	struct posted *p = posted_at(x, posted);
	struct member *m = comm_member(&x->comms, x->comms.comm[p->comm], p->at);

	if (!(p->flags & OP_OPEN) &&
	    (!m->unknown || !stream_open(x, p->comm, p->from, p->at, p->tag))) {
		stream_append(x, posted);
		return;
	}
	p->flags |= OP_LISTED;
	p->next = NO_OP;
	if (m->first == NO_OP)
		m->first = posted;
	else
		posted_at(x, m->last)->next = posted;
	m->last = posted;
	if (p->flags & OP_OPEN)
		stream_opens(x, p, 1);
}

/* Returns true if the pattern of an open receive matches `from` and `tag`, an envelope or a pattern. */
static bool
takes(const struct posted *p, uint32_t from, int32_t tag)
{
	return (p->from == NO_PROC || p->from == from) &&
	       (p->tag == ANY_TAG || p->tag == tag);
}

static bool
is_blocked(const struct match *x, const struct member *m, uint32_t posted, unsigned *steps)
{
	const struct posted *p = posted_at(x, posted);

	for (uint32_t i = m->first; i != posted; i = posted_at(x, i)->next) {
		const struct posted *q = posted_at(x, i);

		if (++*steps > WALK_MOST ||
		    (q->flags & OP_OPEN && takes(q, p->from, p->tag)))
			return true;
	}
	return false;
}

void
stream_settle(struct match *x, uint32_t posted, uint32_t from, int32_t tag)
{
	const struct posted was = {.from = from, .tag = tag};
	struct posted *p = posted_at(x, posted);
	struct member *m = comm_member(&x->comms, x->comms.comm[p->comm], p->at);
	uint32_t before = NO_OP, next;
	unsigned steps = 0;
	bool behind = false;

	for (uint32_t i = m->first; i != NO_OP && ++steps < WALK_MOST; i = next) {
		p = posted_at(x, i);
		next = p->next;
		behind |= i == posted;
		if (behind && p->flags & OP_OPEN && takes(p, from, tag))
			return;
		if (!behind || p->flags & OP_OPEN ||
		    (i != posted && !takes(&was, p->from, p->tag)) ||
		    (!(p->flags & OP_GONE) && is_blocked(x, m, i, &steps))) {
			before = i;
			continue;
		}
		if (before == NO_OP)
			m->first = next;
		else
			posted_at(x, before)->next = next;
		if (m->last == i)
			m->last = before;
		if (p->flags & OP_GONE) {
			p->flags &= ~(unsigned)OP_LISTED;
			match_drop_posted(x, i);
		} else {
			stream_append(x, i);
		}
	}
}

void
streams_free(struct match *x)
{
	FREE(x->bucket);
	free(x->stream.v);
	x->nbuckets = 0;
	x->streams = 0;
	x->stream = (struct pool){0};
}
