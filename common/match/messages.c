/* messages.c - see matching.h: sends and receives, from their calls to the event of their message. */
#include "match/matching.h"

/* ---- what becomes of them ---- */

static void
free_sent(struct match *x, uint32_t i)
{
	if (sent_at(x, i)->flags & OP_BOUND &&
	    !(sent_at(x, i)->flags & (OP_PENDING | OP_QUEUED)))
		pool_give(&x->sent, i, sizeof(struct sent));
}

static void
free_posted(struct match *x, uint32_t i)
{
	if (posted_at(x, i)->flags & OP_BOUND &&
	    !(posted_at(x, i)->flags & (OP_PENDING | OP_QUEUED | OP_LISTED)))
		pool_give(&x->posted, i, sizeof(struct posted));
}

void
match_drop_sent(struct match *x, uint32_t i)
{
	struct sent *s = sent_at(x, i);

	if (s->open != WAIT_NONE)
		wait_drop(&x->wait, s->open);
	s->open = WAIT_NONE;
	free_sent(x, i);
}

void
match_drop_posted(struct match *x, uint32_t i)
{
	struct posted *p = posted_at(x, i);

	if (p->open != WAIT_NONE)
		wait_drop(&x->wait, p->open);
	p->open = WAIT_NONE;
	free_posted(x, i);
}

void
left_send(struct match *x, uint32_t i, const char *why, struct left_over *count)
{
	struct sent *s = sent_at(x, i);

	count->sends++;
	count->bytes += wait_rec(&x->wait, s->open)->size;
	if (x->opt.left)
		put_left_send(x, s, why);
	else
		wait_drop(&x->wait, s->open);
	s->open = WAIT_NONE;
}

void
left_receive(struct match *x, uint32_t i, const char *why, struct left_over *count)
{
	struct posted *p = posted_at(x, i);

	count->receives++;
	if (x->opt.left)
		put_left_receive(x, p, why);
	p->open = WAIT_NONE;
}

static void
put_message(struct match *x, struct sent *s, const struct posted *p)
{
	bool waits = x->waits && p->flags & OP_DONE,
	     late = x->waits && s->flags & OP_DONE && s->flags & OP_SYNC;
	unsigned more = (s->flags & OP_DONE ? MORE_SDONE : 0) |
			(p->flags & OP_DONE ? MORE_RDONE : 0) |
			(waits ? MORE_LATE_SENDER : 0) | (late ? MORE_LATE_RECEIVER : 0);
	struct sent_rec from = {.r = {0}};
	struct message_rec *r = (void *)sent_rec(x, s);
	uint64_t start = time_of(x, r->r.time), value[4], *to;
	uint32_t len = (uint32_t)MESSAGE_LEAST;

	memcpy(&from, r, r->r.len);
	value[0] = s->done;
	value[1] = p->done;
	value[2] = less(least(start, p->ended), p->begun);
	value[3] = less(least(p->start, from.ended), from.begun);
	for (unsigned k = 0; k < 4; k++)
		len += 8 * (more >> k & 1);
	r = (void *)wait_grow(&x->wait, s->open, len);
	r->r.len = len;
	r->r.type = put_message_type(x, more);
	if (waits) {
		r->r.has |= HAS_DUR;
		r->r.dur = (int64_t)less(p->ended, start);
		x->count.back += p->ended < start;
		if (less(start, p->ended) > x->count.back_by)
			x->count.back_by = start - p->ended;
	}
	r->recv_call = p->call;
	r->pad = 0;
	r->srec = from.srec;
	r->rrec = p->rec;
	to = r->more;
	for (unsigned k = 0; k < 4; k++)
		if (more >> k & 1)
			*to++ = value[k];
	wait_done(&x->wait, s->open);
	s->open = WAIT_NONE;
}

void
match_pair(struct match *x, uint32_t a, uint32_t b)
{
	struct sent *s = sent_at(x, a);
	struct posted *p = posted_at(x, b);
	const struct rec *r = wait_rec(&x->wait, s->open);
	bool differ = p->bytes >= 0 && r->has & HAS_SIZE && (uint64_t)p->bytes != r->size;

	x->count.differ += differ;
	if (!(s->flags & (OP_DONE | OP_FREED))) {
		x->count.unfinished.sends++;
		x->count.unfinished.bytes += r->size;
	}
	x->count.unfinished.receives += !(p->flags & (OP_DONE | OP_FREED));
	if (x->clocks) {
		if (x->waits && p->flags & OP_DONE)
			clocks_message(x->clocks, s->from, p->at, time_of(x, r->time),
				       p->ended);
	} else if (x->opt.left) { /* what is odd about it */
		if (differ)
			put_left_message(x, s, p);
		else if (!(s->flags & (OP_DONE | OP_FREED)))
			put_left_send(x, s, "incomplete");
		if (!(p->flags & (OP_DONE | OP_FREED)))
			put_left_receive(x, p, "incomplete");
	} else {
		put_message(x, s, p);
	}
	/* Those that are incomplete are so to the end. */
	s->flags &= ~(unsigned)OP_PENDING;
	p->flags &= ~(unsigned)OP_PENDING;
	match_drop_sent(x, a);
	match_drop_posted(x, b);
}

/* A send's communicator is known, or never will be. */
static void
bind_sent(void *match, struct comm *c, void *arg)
{
	struct match *x = match;
	uint32_t i = (uint32_t)(uintptr_t)arg, to;
	struct sent *s = sent_at(x, i);
	struct sent_rec *r;

	s->flags |= OP_BOUND;
	if (s->flags & OP_GONE) {
		match_drop_sent(x, i);
		return;
	}
	r = sent_rec(x, s);
	to = c ? comm_peer(&x->comms, c, s->from, (int32_t)r->to) : NO_PROC;
	if (to == NO_PROC || !comm_member(&x->comms, c, s->from)) {
		s->flags |= OP_APART;
		if (c == &x->comms.foreign)
			left_send(x, i, "other-job", &x->count.foreign);
		else
			left_send(x, i, "unknown-comm", &x->count.unknown);
		free_sent(x, i);
		return;
	}
	r->to = x->comms.proc[to].rank;
	r->comm = put_str(x, c->name);
	s->to = to;
	s->comm = c->id;
	stream_send(x, i);
}

struct rec *
match_open(struct match *x, const struct site *at, uint32_t *open, size_t len)
{
	struct rec *r;

	if (!wait_room(&x->wait))
		die("more than 3 GiB of sends wait for their receives");
	*open = wait_open(&x->wait, (uint32_t)len);
	r = wait_rec(&x->wait, *open);
	memset(r, 0, len);
	r->len = (uint32_t)len;
	r->loc = put_loc(x, at->proc);
	r->time = (int64_t)time_of(x, (int64_t)at->start);
	return r;
}

uint32_t
match_send(struct match *x, const struct site *at, struct promise *comm, int64_t dest,
	   int64_t tag, const uint64_t *size, bool sync, bool pending)
{
	struct sent_rec *r;
	struct sent *s;
	uint32_t i;

	if (dest < 0)
		return NO_OP;
	i = pool_take(&x->sent, sizeof *s);
	s = sent_at(x, i);
	s->from = at->proc;
	s->flags = (pending ? OP_PENDING : OP_DONE) |
		   (sync || (x->opt.eager && size && *size > x->opt.limit) ? OP_SYNC : 0);
	s->done = at->rec;
	match_open(x, at, &s->open, s->flags & OP_SYNC ? sizeof *r : SENT_LEAST);
	r = sent_rec(x, s);
	if (size) {
		r->r.has = HAS_SIZE;
		r->r.size = *size;
	}
	if (s->flags & OP_SYNC) {
		r->begun = at->start;
		r->ended = at->end;
	}
	r->to = (uint32_t)dest;
	r->tag = (int32_t)tag;
	r->send_call = at->call;
	r->srec = at->rec;
	if (comm)
		comms_when(&x->comms, comm, bind_sent, (void *)(uintptr_t)i);
	else
		bind_sent(x, NULL, (void *)(uintptr_t)i);
	return i;
}

void
match_sent(struct match *x, uint32_t i, const struct completion *c)
{
	struct sent *s = sent_at(x, i);

	s->flags &= ~(unsigned)OP_PENDING;
	s->flags |= c->rec ? OP_DONE : OP_FREED;
	s->done = c->rec;
	if (s->flags & OP_SYNC && s->open != WAIT_NONE) {
		sent_rec(x, s)->begun = c->begun;
		sent_rec(x, s)->ended = c->ended;
	}
	if (s->flags & OP_APART) {
		free_sent(x, i);
		return;
	}
	if (s->flags & OP_CANCEL && c->rec) {
		if (!c->has)
			s->flags |= OP_MAYBE;
		else if (c->cancelled == 1) {
			s->flags |= OP_GONE;
		}
	}
	if (s->flags & OP_QUEUED) {
		const struct sent_rec *r = sent_rec(x, s);

		stream_try(x, s->comm, s->from, s->to, r->tag);
	} else if (s->flags & OP_GONE) {
		match_drop_sent(x, i);
	}
}

/* ---- receives ---- */

static void
bind_posted(void *match, struct comm *c, void *arg)
{
	struct match *x = match;
	uint32_t i = (uint32_t)(uintptr_t)arg;
	struct posted *p = posted_at(x, i);

	p->flags |= OP_BOUND;
	if (p->flags & OP_GONE) {
		match_drop_posted(x, i);
		return;
	}
	if (!c || !comm_member(&x->comms, c, p->at) ||
	    (p->from != NO_PROC &&
	     (p->from = comm_peer(&x->comms, c, p->at, p->from)) == NO_PROC)) {
		p->flags |= OP_APART;
		if (c == &x->comms.foreign)
			left_receive(x, i, "other-job", &x->count.foreign);
		else
			left_receive(x, i, "unknown-comm", &x->count.unknown);
		free_posted(x, i);
		return;
	}
	p->comm = c->id;
	if (p->from == NO_PROC || p->tag == ANY_TAG)
		p->flags |= OP_OPEN;
	stream_post(x, i);
}

uint32_t
match_receive(struct match *x, const struct site *at, struct promise *comm, int64_t source,
	      int64_t tag)
{
	struct posted *p;
	uint32_t i;

	/* -1 is any source, and MPICH's MPI_PROC_NULL. */
	if (source < -1)
		return NO_OP;
	i = pool_take(&x->posted, sizeof *p);
	p = posted_at(x, i);
	*p = (struct posted){.flags = OP_PENDING,
			     .open = WAIT_NONE,
			     .from = source < 0 ? NO_PROC : (uint32_t)source,
			     .at = at->proc,
			     .tag = (int32_t)tag,
			     .bytes = -1,
			     .call = at->call,
			     .rec = at->rec,
			     .start = at->start};
	if (x->opt.left)
		match_open(x, at, &p->open, REC_HEAD);
	if (comm)
		comms_when(&x->comms, comm, bind_posted, (void *)(uintptr_t)i);
	else
		bind_posted(x, NULL, (void *)(uintptr_t)i);
	return i;
}

/* What its status says of a receive. */
static void
read_status(struct match *x, struct posted *p, const struct completion *c)
{
	if (!c->has) {
		if (p->flags & OP_CANCEL)
			p->flags |= OP_MAYBE;
		return;
	}
	if ((p->flags & OP_CANCEL && c->cancelled == 1) || c->source < 0) {
		p->flags |= OP_GONE;
		return;
	}
	p->bytes = c->bytes >= 0 && c->bytes <= INT32_MAX ? (int32_t)c->bytes : -1;
	if (p->tag == ANY_TAG && c->tag >= 0)
		p->tag = (int32_t)c->tag;
	if (p->from != NO_PROC)
		return;
	if (!(p->flags & OP_BOUND))
		p->from = c->source < NUMBERS_MOST ? (uint32_t)c->source : NUMBERS_MOST;
	else
		p->from = comm_peer(&x->comms, x->comms.comm[p->comm], p->at, c->source);
}

void
match_received(struct match *x, uint32_t i, const struct completion *c)
{
	struct posted *p = posted_at(x, i), was = *p;

	p->flags &= ~(unsigned)OP_PENDING;
	p->flags |= c->rec ? OP_DONE : OP_FREED;
	p->done = c->rec;
	p->begun = c->begun;
	p->ended = c->ended;
	if (p->flags & OP_APART) {
		free_posted(x, i);
		return;
	}
	if (c->rec)
		read_status(x, p, c);
	if (!(p->flags & OP_BOUND))
		return;
	if (p->flags & OP_OPEN &&
	    (p->flags & OP_GONE || (p->from != NO_PROC && p->tag != ANY_TAG))) {
		p->flags &= ~(unsigned)OP_OPEN;
		stream_opens(x, &was, -1);
	}
	if (p->flags & OP_LISTED) {
		if (!(p->flags & OP_OPEN))
			stream_settle(x, i, was.from, was.tag);
	} else {
		stream_try(x, p->comm, p->from, p->at, p->tag);
	}
}
