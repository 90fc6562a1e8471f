/* blktrace.c - requests as the kernel's block layer traces them, for blkparse, btt, iowatcher and fio: records
 * of 48 bytes in order of time, in the byte order of x86.
 *
 * A record is a request that was queued (Q). With --actions QDC there are records of its issue to the device at
 * the same time (D), and of its completion (C) if the event has a dur. A completion waits in a heap until its
 * time. fio adds D and C to what it replays, so they are not the default. */
#include <stdlib.h>
#include <string.h>

#include "trace-export/dues.h"
#include "trace-export/tally.h"
#include "view/view_request.h"

#define RECORD 48
#define MAGIC 0x65617407u
#define MAJOR 8		 /* sd: 16 minors per disk */
#define DISK_MOST 0xffff /* 20 bits of minor */
/* Bound: trace-export blktrace | requests that wait for their end | requests that overlap | 65536 | requests were waiting */
#define WAITING_MOST 65536 /* limit of waiting completions */

/* Actions with their classes. */
enum {
	ACTION_Q = 1 | 1 << 4 << 16,
	ACTION_D = 7 | 1 << 6 << 16,
	ACTION_C = 8 | 1 << 7 << 16,
	DIR_READ = 1 << 16,
	DIR_WRITE = 2 << 16,
};

struct record {
	struct due due; /* with the record's time */
	uint64_t sector;
	uint32_t bytes, action, device;
};

struct blktrace {
	struct tally tally;
	bool complete;
	uint32_t sequence;
	uint64_t orders;
	struct dues waiting; /* completions: struct record */
	uint64_t early;	     /* completions written before their time */
};

const char *
blktrace_actions(size_t i)
{
	return i == 0 ? "Q" : i == 1 ? "QDC" : NULL;
}

static void
blktrace_begin(struct sink *k, struct read_options *opt)
{
	struct blktrace *x = tally_open(k, opt, sizeof *x);
	const char *actions = export_asked(k)->actions;

	x->complete = actions && !strcmp(actions, "QDC");
	if (actions && !x->complete && strcmp(actions, "Q") != 0)
		die("--actions %s: Q or QDC is expected", actions);
	if (x->complete)
		x->tally.carries |= NEED_DUR;
}

static INLINE uint8_t *
put_io_trace(struct blktrace *x, uint8_t *p, const struct record *r, uint32_t action)
{
	st_le32(p, MAGIC);
	st_le32(p + 4, ++x->sequence);
	st_le64(p + 8, r->due.time);
	st_le64(p + 16, r->sector);
	st_le32(p + 24, r->bytes);
	st_le32(p + 28, r->action + action);
	st_le32(p + 32, 0); /* process */
	st_le32(p + 36, r->device);
	st_le32(p + 40, 0); /* processor */
	st_le16(p + 44, 0); /* error */
	st_le16(p + 46, 0); /* bytes that follow */
	return p + RECORD;
}

/* Writes Q and D, and puts C into the heap. Before, writes the completions that are due. */
static uint8_t *
put_complete(struct blktrace *x, struct out *o, uint8_t *p, struct record *r,
	     const struct rec *ev)
{
	struct dues *w = &x->waiting;
	struct record done;

	while (w->n && (dues_first(w)->time <= r->due.time || w->n >= WAITING_MOST)) {
		dues_pop(w, &done, sizeof done);
		x->early += done.due.time > r->due.time;
		p = put_io_trace(x, out_room_at(o, p), &done, ACTION_C);
	}
	p = put_io_trace(x, out_room_at(o, p), r, ACTION_Q);
	if (!(ev->has & HAS_DUR) || ev->dur < 0)
		return p;
	p = put_io_trace(x, p, r, ACTION_D);
	r->due.time = (uint64_t)time_plus(CLOCK_NS, (int64_t)r->due.time, ev->dur);
	r->due.order = x->orders++;
	dues_push(w, r, sizeof *r);
	return p;
}

static void
blktrace_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	     uint32_t n)
{
	struct blktrace *x = k->state;
	struct tally *t = &x->tally;
	struct out *o = &k->out;
	uint8_t *p = out_room(o);

	tally_bind(t, s);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint32_t disk = tally_loc(t, s, r, DISK_MOST);
		struct export_request q;
		struct record to;

		if (unlikely(disk == LOC_NONE)) {
			tally_skip(t, SKIP_LOC);
			continue;
		}
		if (!tally_request(t, r, &q))
			continue;
		t->rounded += q.addr % SECTOR != 0;
		to = (struct record){
		    /* fio takes a time of 0 as missing, and does not wait for the next one. */
		    .due = {.time = q.time + 1},
		    .sector = q.addr / SECTOR,
		    .bytes = (uint32_t)q.size,
		    .action = q.op == OP_READ ? DIR_READ : DIR_WRITE,
		    .device = MAJOR << 20 | disk << 4,
		};
		if (x->complete)
			p = put_complete(x, o, p, &to, r);
		else
			p = put_io_trace(x, out_room_at(o, p), &to, ACTION_Q);
		tally_event(t, r);
	}
	o->p = p;
	if (o->line)
		out_flush(o);
}

static int
close_blktrace(struct sink *k)
{
	struct blktrace *x = k->state;
	struct record done;
	int status = ST_OK;

	while (x->waiting.n) {
		dues_pop(&x->waiting, &done, sizeof done);
		k->out.p = put_io_trace(x, out_room(&k->out), &done, ACTION_C);
	}
	if (x->early) {
		warn("blktrace: %llu completions stand before their time: more than %d "
		     "requests were waiting",
		     (unsigned long long)x->early, WAITING_MOST);
		status = ST_TROUBLE;
	}
	free(x->waiting.v);
	return tally_form_close(k) == ST_OK ? status : ST_TROUBLE;
}

static const struct form form = {
    .binary = true, .begin = blktrace_begin, .put = blktrace_put, .close = close_blktrace};

const struct target target_blktrace = {
    .name = "blktrace",
    .about = "a trace of the block layer, NAME.blktrace.0: blkparse, btt, iowatcher, fio",
    .takes = TAKES(ACTIONS) | TAKES(BLOCK),
    .carries = NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE,
    .needs = HAS_ADDR | HAS_SIZE,
    .ops = OP_READ | OP_WRITE,
    .timed = true,
    .size_most = UINT32_MAX,
    .form = &form,
};
