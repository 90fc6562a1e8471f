/* match_put.c - the events that trace-match writes: messages, and operations left over. */
#include "base/bytes.h"
#include "match/matching.h"

uint32_t
put_str(struct match *x, const char *s)
{
	return strtab_id(&x->out.t.str, s, strlen(s));
}

uint32_t
put_loc(struct match *x, uint32_t proc)
{
	struct proc *p = &x->comms.proc[proc];
	const struct str *job = &x->comms.job_names.v[p->job];
	char text[300];
	int n;

	if (!p->loc) {
		n = snprintf(text, sizeof text, "%.*s%s%u",
			     job->len < 256 ? (int)job->len : 256, job->s,
			     job->len ? "/" : "", p->rank);
		p->loc = strtab_id(&x->out.t.str, text, (size_t)n) + 1;
	}
	return p->loc - 1;
}

uint32_t
put_message_type(struct match *x, unsigned more)
{
	struct arg args[12] = {
	    {.name = "to", .kind = K_U32},	  {.name = "tag", .kind = K_I32},
	    {.name = "comm", .kind = K_SYM},	  {.name = "send_call", .kind = K_SYM},
	    {.name = "recv_call", .kind = K_SYM}, {.name = "srec", .kind = K_U64},
	    {.name = "rrec", .kind = K_U64},
	};
	static const struct arg optional[] = {{.name = "sdone", .kind = K_U64},
					      {.name = "rdone", .kind = K_U64},
					      {.name = "late_sender", .kind = K_NS},
					      {.name = "late_receiver", .kind = K_NS}};
	struct type ty = {.event = "message",
			  .event_len = 7,
			  .may = HAS_SIZE | HAS_DUR,
			  .nargs = 7,
			  .args = args};

	if (x->message_type[more])
		return x->message_type[more] - 1;
	/* The first type has all arguments, so that a binary stream declares those that no message of this run
	 * has. */
	if (x->waits && more != MORE_ALL)
		put_message_type(x, MORE_ALL);
	for (unsigned k = 0; k < 4; k++)
		if (more >> k & 1)
			args[ty.nargs++] = optional[k];
	x->message_type[more] = type_add(&x->out.t, &ty) + 1;
	return x->message_type[more] - 1;
}

/* A rare event, as a list of named arguments. */
struct putting {
	struct arg arg[10];
	uint64_t value[10];
	unsigned n;
};

static void
putting_add(struct putting *p, const char *name, uint8_t kind, uint64_t value)
{
	p->arg[p->n] = (struct arg){.name = name, .kind = kind};
	p->value[p->n++] = value;
}

/* Completes an open event with this name and these arguments. */
static void
put_event_of(struct match *x, uint32_t open, const char *event, const struct putting *p)
{
	struct type ty = {.event = event,
			  .event_len = (uint32_t)strlen(event),
			  .may = HAS_SIZE | HAS_DUR,
			  .nargs = p->n,
			  .args = p->arg};
	uint32_t id = 0, len;
	struct rec *r;

	/* There are few types, so a linear search is enough. */
	while (id < x->out.t.ntypes) {
		const struct type *known = &x->out.t.type[id];
		unsigned same = 0;

		while (same < p->n && same < known->nargs &&
		       !strcmp(known->args[same].name, p->arg[same].name))
			same++;
		if (!strcmp(known->event, event) && same == p->n && known->nargs == p->n)
			break;
		id++;
	}
	if (id == x->out.t.ntypes)
		id = type_add(&x->out.t, &ty);
	len = (x->out.t.type[id].fixed + 7) & ~7u;
	/* Drop the arguments that the event had. */
	wait_rec(&x->wait, open)->len = REC_HEAD;
	r = wait_grow(&x->wait, open, len);
	r->type = id;
	r->len = len;
	for (unsigned i = 0; i < p->n; i++) {
		uint8_t *to = (uint8_t *)r + x->out.t.type[id].args[i].off;

		if (kind_width(p->arg[i].kind) == 8)
			st64(to, p->value[i]);
		else
			st32(to, (uint32_t)p->value[i]);
	}
	wait_done(&x->wait, open);
}

static const char *const left_why[LEFTS] = {[LEFT_ALONE] = "alone",
					    [LEFT_AMBIGUOUS] = "ambiguous",
					    [LEFT_UNKNOWN] = "unknown-comm",
					    [LEFT_FOREIGN] = "other-job",
					    [LEFT_INCOMPLETE] = "incomplete"};

void
put_left_send(struct match *x, struct sent *s, enum left why)
{
	const struct sent_rec *r = sent_rec(x, s);
	bool apart = s->flags & OP_APART;
	struct putting p = {0};

	putting_add(&p, "why", K_SYM, put_str(x, left_why[why]));
	putting_add(&p, apart ? "dest" : "to", K_U32, r->to);
	putting_add(&p, "tag", K_I32, (uint32_t)r->tag);
	if (!apart)
		putting_add(&p, "comm", K_SYM, r->comm);
	putting_add(&p, "call", K_SYM, r->send_call);
	putting_add(&p, "rec", K_U64, r->srec);
	if (s->flags & OP_DONE)
		putting_add(&p, "done", K_U64, s->done);
	put_event_of(x, s->open, "send", &p);
	s->open = WAIT_NONE;
}

void
put_left_receive(struct match *x, struct posted *o, enum left why)
{
	struct rec *r = wait_rec(&x->wait, o->open);
	bool apart = o->flags & OP_APART;
	struct putting p = {0};

	if (o->bytes >= 0) {
		r->has |= HAS_SIZE;
		r->size = (uint64_t)o->bytes;
	}
	putting_add(&p, "why", K_SYM, put_str(x, left_why[why]));
	if (o->from != NO_PROC)
		putting_add(&p, apart ? "source" : "from", K_U32,
			    apart ? o->from : x->comms.proc[o->from].rank);
	if (o->tag != ANY_TAG)
		putting_add(&p, "tag", K_I32, (uint32_t)o->tag);
	if (!apart)
		putting_add(&p, "comm", K_SYM, put_str(x, x->comms.comm[o->comm]->name));
	putting_add(&p, "call", K_SYM, o->call);
	putting_add(&p, "rec", K_U64, o->rec);
	if (o->flags & OP_DONE)
		putting_add(&p, "done", K_U64, o->done);
	put_event_of(x, o->open, "receive", &p);
	o->open = WAIT_NONE;
}

void
put_left_message(struct match *x, struct sent *s, const struct posted *p)
{
	const struct sent_rec *r = sent_rec(x, s);
	struct putting v = {0};

	putting_add(&v, "why", K_SYM, put_str(x, "bytes-differ"));
	putting_add(&v, "to", K_U32, r->to);
	putting_add(&v, "tag", K_I32, (uint32_t)r->tag);
	putting_add(&v, "comm", K_SYM, r->comm);
	putting_add(&v, "send_call", K_SYM, r->send_call);
	putting_add(&v, "recv_call", K_SYM, p->call);
	putting_add(&v, "srec", K_U64, r->srec);
	putting_add(&v, "rrec", K_U64, p->rec);
	putting_add(&v, "received", K_U64, (uint64_t)p->bytes);
	put_event_of(x, s->open, "message", &v);
	s->open = WAIT_NONE;
}
