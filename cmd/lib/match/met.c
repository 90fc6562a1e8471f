/* met.c - ends sends and receives: writes the event of their message, or counts those without a partner. */
#include "match/matching.h"

void
match_free_sent(struct match *x, uint32_t i)
{
	if (sent_at(x, i)->flags & OP_BOUND &&
	    !(sent_at(x, i)->flags & (OP_PENDING | OP_QUEUED))) {
		note_hold(x, sent_at(x, i)->note, -1);
		pool_give(&x->sent, i, sizeof(struct sent));
	}
}

void
match_free_posted(struct match *x, uint32_t i)
{
	if (posted_at(x, i)->flags & OP_BOUND &&
	    !(posted_at(x, i)->flags & (OP_PENDING | OP_QUEUED | OP_LISTED))) {
		note_hold(x, posted_at(x, i)->note, -1);
		pool_give(&x->posted, i, sizeof(struct posted));
	}
}

void
match_drop_sent(struct match *x, uint32_t i)
{
	struct sent *s = sent_at(x, i);

	if (s->open != WAIT_NONE)
		wait_drop(&x->wait, s->open);
	s->open = WAIT_NONE;
	match_free_sent(x, i);
}

void
match_drop_posted(struct match *x, uint32_t i)
{
	struct posted *p = posted_at(x, i);

	if (p->open != WAIT_NONE)
		wait_drop(&x->wait, p->open);
	p->open = WAIT_NONE;
	match_free_posted(x, i);
}

void
left_send(struct match *x, uint32_t i, enum left why)
{
	struct sent *s = sent_at(x, i);

	x->count.left[why].sends++;
	x->count.left[why].bytes += wait_rec(&x->wait, s->open)->size;
	if (s->note && why == LEFT_ALONE)
		x->opt.watch->alone(x->opt.watch->arg, note_at(x, s->note), true);
	if (x->opt.left)
		put_left_send(x, s, why);
	else
		wait_drop(&x->wait, s->open);
	s->open = WAIT_NONE;
}

void
left_receive(struct match *x, uint32_t i, enum left why)
{
	struct posted *p = posted_at(x, i);

	x->count.left[why].receives++;
	if (p->note && why == LEFT_ALONE)
		x->opt.watch->alone(x->opt.watch->arg, note_at(x, p->note), false);
	if (x->opt.left)
		put_left_receive(x, p, why);
	p->open = WAIT_NONE;
}

/* Counts a message that was received before it was sent. */
static void
count_back(struct match *x, uint64_t sent, uint64_t received)
{
	x->count.back += received < sent;
	if (less(sent, received) > x->count.back_by)
		x->count.back_by = sent - received;
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
		count_back(x, start, p->ended);
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

/* Records for the critical path who waited for whom: see critical.h. */
static void
critical_message(struct match *x, const struct sent *s, const struct posted *p)
{
	const struct sent_rec *r = sent_rec(x, s);

	if (p->flags & OP_DONE) {
		count_back(x, time_of(x, r->r.time), p->ended);
		critical_cause(x->critical, p->done, r->srec, WHY_LATE_SENDER);
	}
	if (s->flags & OP_DONE && s->flags & OP_SYNC)
		critical_cause(x->critical, s->done, p->rec, WHY_LATE_RECEIVER);
}

void
match_pair(struct match *x, uint32_t a, uint32_t b)
{
	struct sent *s = sent_at(x, a);
	struct posted *p = posted_at(x, b);
	const struct rec *r = wait_rec(&x->wait, s->open);
	struct left_over *incomplete = &x->count.left[LEFT_INCOMPLETE];
	bool differ = p->bytes >= 0 && r->has & HAS_SIZE && (uint64_t)p->bytes != r->size;

	x->count.differ += differ;
	if (!(s->flags & (OP_DONE | OP_FREED))) {
		incomplete->sends++;
		incomplete->bytes += r->size;
	}
	incomplete->receives += !(p->flags & (OP_DONE | OP_FREED));
	if (x->opt.watch) {
		if (s->note && p->note)
			x->opt.watch->message(x->opt.watch->arg, note_at(x, s->note),
					      note_at(x, p->note),
					      r->has & HAS_SIZE ? &r->size : NULL, p->bytes,
					      x->waits && p->flags & OP_DONE &&
						  p->ended < time_of(x, r->time));
	} else if (x->clocks) {
		if (x->waits && p->flags & OP_DONE)
			clocks_message(x->clocks, s->from, p->at, time_of(x, r->time),
				       p->ended);
	} else if (x->critical) {
		if (x->waits)
			critical_message(x, s, p);
	} else if (x->opt.left) { /* write what is odd about the message */
		if (differ)
			put_left_message(x, s, p);
		else if (!(s->flags & (OP_DONE | OP_FREED)))
			put_left_send(x, s, LEFT_INCOMPLETE);
		if (!(p->flags & (OP_DONE | OP_FREED)))
			put_left_receive(x, p, LEFT_INCOMPLETE);
	} else {
		put_message(x, s, p);
	}
	/* Incomplete operations stay so to the end. */
	s->flags &= ~(unsigned)OP_PENDING;
	p->flags &= ~(unsigned)OP_PENDING;
	match_drop_sent(x, a);
	match_drop_posted(x, b);
}
