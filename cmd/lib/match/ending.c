/*
 * ending.c - decisions at the end of a run: the streams of receives that are still open, by counting; and the
 * operations left over.
 */
#include <stdlib.h>

#include "match/matching.h"

/* The streams from which the open receives of one receiver may have taken their messages. */
struct stream_verdict {
	uint32_t streams,
	    /* number of streams with more sends than receives; the last of them */
	    stream;
	uint64_t more;
	bool bad; /* the counts decide nothing */
};

/* Calls fn for each member that has receives in its list. */
static void
each_list(struct match *x, void (*fn)(struct match *x, struct member *m))
{
	for (size_t i = 0; i < x->comms.ncomms; i++)
		for (uint32_t k = 0; k < x->comms.comm[i]->nmembers; k++)
			if (x->comms.comm[i]->member[k].first != NO_OP)
				fn(x, &x->comms.comm[i]->member[k]);
}

/* Moves the receives of a list that no earlier open receive can affect to their streams. */
static void
bind_free(struct match *x, struct member *m)
{
	uint32_t next, i = m->first;

	m->first = m->last = NO_OP;
	/* Count the open patterns anew: stream_post adds those that come before. */
	for (uint32_t k = i; k != NO_OP; k = posted_at(x, k)->next)
		if (posted_at(x, k)->flags & OP_OPEN)
			stream_opens(x, posted_at(x, k), -1);
	for (; i != NO_OP; i = next) {
		next = posted_at(x, i)->next;
		posted_at(x, i)->flags &= ~(unsigned)OP_LISTED;
		if (posted_at(x, i)->flags & OP_GONE)
			match_drop_posted(x, i);
		else
			stream_post(x, i);
	}
}

static void
count_listed(struct match *x, struct member *m)
{
	for (uint32_t i = m->first; i != NO_OP; i = posted_at(x, i)->next) {
		const struct posted *p = posted_at(x, i);
		struct message_stream *of;

		if (p->flags & OP_OPEN)
			continue;
		of = stream_at(x, stream_of(x, p->comm, p->from, p->at, p->tag));
		if (p->flags & OP_MAYBE)
			of->maybe++;
		else
			of->listed++;
	}
}

/* Numbers of operations in a stream: sends and receives that were certainly not cancelled, and those that may have
 * been. */
struct counts {
	int64_t sends, receives, maybe_sent, maybe_posted;
};

static struct counts
count(const struct match *x, const struct message_stream *s, bool *bad)
{
	struct counts n = {0};

	for (uint32_t i = s->sent; i != NO_OP; i = sent_at(x, i)->next) {
		unsigned f = sent_at(x, i)->flags;

		n.maybe_sent += (f & OP_MAYBE) != 0;
		n.sends += !(f & (OP_GONE | OP_MAYBE));
	}
	for (uint32_t i = s->posted; i != NO_OP; i = posted_at(x, i)->next) {
		unsigned f = posted_at(x, i)->flags;

		n.maybe_posted += (f & OP_MAYBE) != 0;
		*bad |= !(f & (OP_DONE | OP_GONE));
		n.receives += !(f & (OP_GONE | OP_MAYBE));
	}
	return n;
}

static bool
is_stream(const struct message_stream *s)
{
	return s->from != NO_PROC && s->tag != ANY_TAG;
}

/* Returns the numbers of all streams in use, *n of them. The caller frees the array. */
static uint32_t *
all_streams(const struct match *x, size_t *n)
{
	uint32_t *v = xcalloc(x->streams + 1u, sizeof *v);

	*n = 0;
	for (size_t b = 0; b < x->nbuckets; b++)
		for (uint32_t i = x->bucket[b]; i; i = stream_at(x, i - 1)->chain)
			v[(*n)++] = i - 1;
	return v;
}

/* Decides an operation that may have been cancelled. gone: it was; there: it was not. */
static void
settle_maybe(uint32_t *flags, bool gone, bool there)
{
	if (*flags & OP_MAYBE && gone)
		*flags ^= OP_MAYBE | OP_GONE;
	else if (there)
		*flags &= ~(unsigned)OP_MAYBE;
}

/* Decides by counting whether the operations of a stream that may have been cancelled were: all of them, or none. */
static void
decide_cancelled(struct match *x, struct message_stream *s)
{
	bool bad = false;
	const struct counts n = count(x, s, &bad);

	if (!n.maybe_sent == !n.maybe_posted ||
	    stream_open(x, s->comm, s->from, s->to, s->tag))
		return;
	for (uint32_t i = s->sent; i != NO_OP && n.maybe_sent; i = sent_at(x, i)->next)
		settle_maybe(&sent_at(x, i)->flags, n.sends == n.receives,
			     n.sends + n.maybe_sent == n.receives);
	for (uint32_t i = s->posted; i != NO_OP && n.maybe_posted;
	     i = posted_at(x, i)->next)
		settle_maybe(&posted_at(x, i)->flags, n.sends == n.receives,
			     n.sends == n.receives + n.maybe_posted);
}

/* Decides the receives of a member that are open to the end: all took a message of one stream, or none took any. */
static void
decide(struct match *x, struct member *m, const struct stream_verdict *v)
{
	const struct message_stream *to = v->streams ? stream_at(x, v->stream) : NULL;
	uint32_t from = to ? to->from : 0;
	int32_t tag = to ? to->tag : 0;

	if (v->bad || v->streams > 1 || (to && v->more != m->unknown))
		return;
	for (uint32_t i = m->first; i != NO_OP && to; i = posted_at(x, i)->next) {
		const struct posted *p = posted_at(x, i);

		if (p->flags & OP_OPEN &&
		    ((p->from != NO_PROC && p->from != from) ||
		     (p->tag != ANY_TAG && p->tag != tag) || !(p->flags & OP_DONE)))
			return;
	}
	for (uint32_t i = m->first; i != NO_OP; i = posted_at(x, i)->next) {
		struct posted *p = posted_at(x, i);

		if (!(p->flags & OP_OPEN))
			continue;
		stream_opens(x, p, -1);
		p->flags &= ~(unsigned)OP_OPEN;
		if (to) {
			p->from = from;
			p->tag = tag;
		} else {
			if (!(p->flags & (OP_DONE | OP_FREED)))
				left_receive(x, i, LEFT_INCOMPLETE);
			p->flags |= OP_GONE;
		}
	}
	bind_free(x, m);
}

/* Finds the streams of receives that are open to the end, by counting. If all other receives of a receiver are
 * complete, the only stream with more sends than receives is theirs; if no stream has more, they took none. */
static void
by_counts(struct match *x)
{
	struct verdicts {
		struct stream_verdict *v; /* by number of the member */
		size_t cap;
	} *of = xcalloc(x->comms.ncomms + 1, sizeof *of);
	uint32_t *v;
	size_t n;

	each_list(x, count_listed);
	v = all_streams(x, &n);
	for (size_t k = 0; k < n; k++) {
		const struct message_stream *s = stream_at(x, v[k]);
		struct comm *c = x->comms.comm[s->comm];
		struct verdicts *members = &of[c->id];
		struct stream_verdict *d;
		struct counts in;
		size_t number;
		int64_t e;

		if (!is_stream(s) || !stream_open(x, s->comm, s->from, s->to, s->tag))
			continue;
		number = (size_t)(comm_member(&x->comms, c, s->to) - c->member);
		GROW(members->v, members->cap, number + 1);
		d = &members->v[number];
		/* e: number of sends without a receive of their own, except those that may have been cancelled. */
		in = count(x, s, &d->bad);
		e = in.sends - in.receives - (int64_t)s->listed;
		d->bad |=
		    e < 0 || (e > 0 && (s->maybe || in.maybe_sent || in.maybe_posted));
		if (e > 0) {
			d->streams++;
			d->stream = v[k];
			d->more = (uint64_t)e;
		}
	}
	for (size_t i = 0; i < x->comms.ncomms; i++) {
		struct comm *c = x->comms.comm[i];
		static const struct stream_verdict none = {0};

		for (uint32_t k = 0; k < c->nmembers; k++)
			if (c->member[k].unknown)
				decide(x, &c->member[k],
				       k < of[i].cap ? &of[i].v[k] : &none);
		free(of[i].v);
	}
	free(of);
	free(v);
}

/* Reports every operation of a stream that has no partner. */
static void
left_in(struct match *x, uint32_t stream)
{
	struct message_stream *s = stream_at(x, stream);
	bool open = is_stream(s) && stream_open(x, s->comm, s->from, s->to, s->tag);

	for (uint32_t i = s->sent; i != NO_OP; i = sent_at(x, i)->next) {
		if (sent_at(x, i)->flags & OP_GONE)
			continue;
		if (open || sent_at(x, i)->flags & OP_MAYBE ||
		    (s->posted != NO_OP && posted_at(x, s->posted)->flags & OP_MAYBE))
			left_send(x, i, LEFT_AMBIGUOUS);
		else
			left_send(x, i, LEFT_ALONE);
	}
	for (uint32_t i = s->posted; i != NO_OP; i = posted_at(x, i)->next) {
		unsigned f = posted_at(x, i)->flags;

		if (f & OP_GONE)
			continue;
		if (f & OP_MAYBE)
			left_receive(x, i, LEFT_AMBIGUOUS);
		else if (f & (OP_DONE | OP_FREED))
			left_receive(x, i, LEFT_ALONE);
		else
			left_receive(x, i, LEFT_INCOMPLETE);
	}
}

static void
left_listed(struct match *x, struct member *m)
{
	for (uint32_t i = m->first; i != NO_OP; i = posted_at(x, i)->next) {
		unsigned f = posted_at(x, i)->flags;

		if (f & OP_OPEN && !(f & (OP_DONE | OP_FREED)))
			left_receive(x, i, LEFT_INCOMPLETE);
		else
			left_receive(x, i, LEFT_AMBIGUOUS);
	}
}

void
match_ending(struct match *x, bool whole)
{
	uint32_t *v;
	size_t n;

	comms_end(&x->comms);
	collectives_end(x);
	x->ending = true;
	each_list(x, bind_free);
	if (whole)
		by_counts(x);
	v = all_streams(x, &n);
	for (size_t i = 0; i < n && whole; i++)
		decide_cancelled(x, stream_at(x, v[i]));
	for (size_t i = 0; i < n; i++)
		stream_pairs(x, v[i]);
	for (size_t i = 0; i < n; i++)
		left_in(x, v[i]);
	each_list(x, left_listed);
	free(v);
}
