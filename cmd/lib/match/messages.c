/* messages.c - see matching.h: sends and receives, from their calls to their streams. */
#include "match/matching.h"

/* Adds a send to its stream once its communicator is known. Counts it as left over if c is NULL, which means never
 * known. */
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
		left_send(x, i, c == &x->comms.foreign ? LEFT_FOREIGN : LEFT_UNKNOWN);
		match_free_sent(x, i);
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
	s->note = at->note;
	note_hold(x, at->note, 1);
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
		match_free_sent(x, i);
		return;
	}
	if (s->flags & OP_CANCEL && c->rec) {
		if (!c->has)
			s->flags |= OP_MAYBE;
		else if (c->cancelled == 1)
			s->flags |= OP_GONE;
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
		left_receive(x, i, c == &x->comms.foreign ? LEFT_FOREIGN : LEFT_UNKNOWN);
		match_free_posted(x, i);
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

	/* -1 is any source, and also MPICH's MPI_PROC_NULL. */
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
			     .note = at->note,
			     .rec = at->rec,
			     .start = at->start};
	note_hold(x, at->note, 1);
	if (x->opt.left)
		match_open(x, at, &p->open, REC_HEAD);
	if (comm)
		comms_when(&x->comms, comm, bind_posted, (void *)(uintptr_t)i);
	else
		bind_posted(x, NULL, (void *)(uintptr_t)i);
	return i;
}

/* Sets source, tag, size and flags of a receive from its status. */
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
		match_free_posted(x, i);
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
