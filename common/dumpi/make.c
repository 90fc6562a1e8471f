/* make.c - makes events of DUMPI records: their columns, batches of them, the merge of ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dumpi/make.h"
#include "input/fault.h"

void
dumpi_epoch(struct source *s, struct dumpi *c)
{
	tables_reset(&s->t);
	dumpi_makers_free(c);
	memset(c->bare, 0, sizeof c->bare);
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &c->rank[i];

		memset(r->loc, 0, sizeof r->loc);
		r->labels = r->sec.raw[SEC_LABELS].n
				? strtab_id(&s->t.str, r->sec.raw[SEC_LABELS].p,
					    r->sec.raw[SEC_LABELS].n)
				: 0;
		for (size_t k = 0; k < r->naddress; k++)
			r->address[k].sym = 0;
	}
}

/* Returns the number of the string for loc of a thread that is not in its slot, and puts it there. */
static COLD uint32_t
loc_of(struct source *s, const struct dumpi *c, struct dumpi_rank *r, uint32_t thread)
{
	char text[DUMPI_RANK_TEXT + 16];
	size_t n = dumpi_rank_text(text, &c->jobs, r);

	if (c->threads || thread)
		n += (size_t)snprintf(text + n, sizeof text - n, "/%u", (unsigned)thread);
	r->loc[thread & 7].thread = thread;
	r->loc[thread & 7].loc = strtab_id(&s->t.str, text, n);
	return r->loc[thread & 7].loc;
}

static COLD uint32_t
bare_type(struct source *s, struct dumpi *c, unsigned call, bool recv)
{
	const char *name = dumpi_calls[call].name;
	struct arg arg = {.name = "recv_bytes", .kind = K_U64};
	struct type ty = {.event = name,
			  .event_len = (uint32_t)strlen(name),
			  .nargs = recv,
			  .args = &arg};

	ty.may = HAS_SIZE | HAS_DUR;
	c->bare[recv][call] = type_add(&s->t, &ty) + 1;
	return c->bare[recv][call] - 1;
}

static COLD void
tell_odd_time(struct source *s, const struct dumpi_rank *r, const uint8_t *p)
{
	unsigned call = be16(p);

	fault(s, "dumpi-nsec", COST_STATUS, r->name, in_offset(r->in, p),
	      "%s: the nanoseconds of a time are a second or more",
	      dumpi_calls[call == 290 ? 0 : call].name);
}

/* Updates the clocks by the record at p, and sets r->key and r->dur. Returns false if the record has no time of
 * the trace's clock. */
static INLINE bool
take_times(struct source *s, const struct dumpi *c, struct dumpi_rank *r, const uint8_t *p,
	   bool args)
{
	const uint8_t *cpu, *wall;
	bool known = true, timed = true;
	int64_t start = 0;

	dumpi_times(p, &cpu, &wall);
	if (unlikely(p[2] & MASK_THREAD && be16(p + 3) != 0))
		r->threads = true;
	if (cpu && (args || s->need & NEED_RECV || c->clock == CLOCK_IS_CPU)) {
		known = dumpi_clock(&r->cpu, cpu, r->threads, &start, &r->cpu_dur);
		r->cpu_start = (int64_t)((uint64_t)start +
					 (uint64_t)(int64_t)r->cpu_bias * 1000000000u);
	}
	if (likely(c->clock == CLOCK_IS_WALL) && likely(wall != NULL)) {
		known &= dumpi_clock(&r->wall, wall, r->threads, &start, &r->dur);
	} else if (c->clock == CLOCK_IS_CPU && cpu) {
		start = (int64_t)((uint64_t)r->cpu_start -
				  (uint64_t)(int64_t)r->cpu_bias * 1000000000u);
		r->dur = r->cpu_dur;
	} else {
		timed = false;
	}
	if (unlikely(!known))
		tell_odd_time(s, r, p);
	if (unlikely(!timed)) {
		/* Records are in the order of their returns: this call returned after the previous one. */
		r->key = c->clock == CLOCK_IS_NUMBER
			     ? (int64_t)r->records
			     : (int64_t)((uint64_t)r->key + (uint64_t)r->dur);
		r->dur = 0;
		r->untimed++;
		return false;
	}
	r->key = (int64_t)((uint64_t)start - (uint64_t)r->shift);
	return true;
}

/* Reports once per rank that a memory limit for its handles was reached. */
static inline void
tell_full(struct source *s, struct dumpi_rank *r)
{
	if (likely(!r->tells->full || r->full))
		return;
	r->full = true;
	fault(s, NULL, COST_STATUS, r->name, in_offset(r->in, r->in->p),
	      "too many pending requests, datatypes or communicators: calls may lack "
	      "size or gpeer (said once)");
}

/* A flag in addition to the bits of MAKE_*: the size of the event is known. */
#define TOLD_SIZE MAKE_VARIANTS

/* Computes the bytes of a record that dumpi_parse has read (v is not NULL) or that has no simple rule, as moves_of
 * does. The record may define handles for later ones. */
static unsigned
moves_general(struct source *s, struct dumpi *c, struct dumpi_rank *r,
	      const struct dumpi_call *k, const struct dumpi_plan *pl,
	      const uint8_t *const *base, const struct dumpi_view *v, uint64_t *bytes)
{
	const uint8_t *arg[DUMPI_ARGS];
	const struct dumpi_moves *m = &r->moves;

	for (unsigned i = 0; i < k->nargs; i++)
		arg[i] = v ? v->arg[i] : dumpi_arg_at(pl, base, i);
	dumpi_moves(r->tells, r->layout, k, arg, &r->moves);
	c->lacking += m->lacking && s->need & NEED_SIZE;
	tell_full(s, r);
	*bytes = m->size;
	return (m->size_told ? TOLD_SIZE : 0) | (m->recv_told ? MAKE_RECV : 0) |
	       (k->does == DOES_START && m->same ? MAKE_MORE : 0);
}

/* Computes the bytes that Wait or Waitall received, as moves_of does. */
static INLINE unsigned
moves_wait(struct source *s, struct dumpi_rank *r, const struct dumpi_plan *pl,
	   const uint8_t *const *base, uint64_t *bytes)
{
	const uint8_t *ids = dumpi_arg_at(pl, base, pl->ids),
		      *status = dumpi_arg_at(pl, base, pl->status);
	struct dumpi_received got = {0, false, false};
	uint32_t n = 1, statuses = status ? be32(status) : 0;

	if (!pl->one) {
		n = be32(ids);
		ids += 4;
	}
	for (uint32_t i = 0; i < n; i++)
		dumpi_receive(
		    r->tells, ids + 4 * (size_t)i,
		    i < statuses ? status + 4 + (size_t)i * r->layout->status : NULL, &got);
	tell_full(s, r);
	*bytes = got.bytes;
	return got.some && !got.untold ? TOLD_SIZE : 0;
}

/* Computes the bytes that a record moves, and stores those that are the event's size in *bytes. Returns the flags
 * TOLD_SIZE, if they are known; and MAKE_RECV and MAKE_MORE, if r->moves has values for arguments. */
static INLINE unsigned
moves_of(struct source *s, struct dumpi *c, struct dumpi_rank *r, unsigned call,
	 const struct dumpi_plan *pl, const uint8_t *const *base,
	 const struct dumpi_view *v, uint64_t *bytes)
{
	uint32_t count, size, n = 0;

	if (!v && pl->bytes == BYTES_WAIT)
		return moves_wait(s, r, pl, base, bytes);
	if (v || pl->bytes == BYTES_GENERAL)
		return moves_general(s, c, r, &dumpi_calls[call], pl, base, v, bytes);
	count = be32(base[0] + pl->count);
	size = dumpi_sizeof(r->tells, be16(base[0] + pl->datatype));
	if (pl->bytes == BYTES_STATUS_PAIR) {
		const uint8_t *p = dumpi_arg_at(pl, base, pl->status);

		n = be32(p);
		count = n ? be32(p + 4) : count;
		size = n ? 1 : pl->sole ? DUMPI_NO_SIZE : size;
		if (n && (int32_t)be32(p + 8) < 0)
			count = 0; /* the source was MPI_PROC_NULL */
	}
	if (unlikely(size == DUMPI_NO_SIZE || n > 1))
		return moves_general(s, c, r, &dumpi_calls[call], pl, base, v, bytes);
	if (unlikely((int32_t)be32(base[0] + pl->peer) < pl->null))
		count = 0;
	*bytes = (uint64_t)count * size;
	if (pl->does)
		dumpi_request_new(r->tells, be32(base[0] + pl->request), pl->does);
	if (unlikely(count > INT32_MAX))
		return 0;
	if (!pl->both)
		return TOLD_SIZE;
	r->moves.recv = *bytes;
	return TOLD_SIZE | MAKE_RECV;
}

/* Stores in r->gpeer the rank in MPI_COMM_WORLD of the peer of the record at p; v is as in emit, and `started` means
 * a Start with a known peer. Returns MAKE_GPEER, or 0 if there is no peer or its rank is unknown. The parameters are
 * few because most records need no gpeer. */
static unsigned
gpeer_of(struct source *s, struct dumpi_rank *r, const uint8_t *p,
	 const struct dumpi_view *v, bool started)
{
	const struct dumpi_call *k = &dumpi_calls[v ? v->call : be16(p)];
	const uint8_t *base[DUMPI_PARTS + 1];
	const struct dumpi_plan *pl = NULL;
	uint32_t peer = (uint32_t)r->moves.peer;
	uint16_t comm = r->moves.comm;
	const uint8_t *arg[3], *status;
	int at[3] = {k->peer, k->comm, k->peer_flag};

	if (k->peer >= 0 && k->comm >= 0) {
		if (!v)
			dumpi_quick(r->layout, p, &pl, base);
		for (int i = 0; i < 3; i++)
			arg[i] = at[i] < 0 ? NULL
				 : v	   ? v->arg[at[i]]
					   : dumpi_arg_at(pl, base, (unsigned)at[i]);
		status =
		    k->peer_status < 0 || !(p[2] & MASK_STATUS) || (arg[2] && !be32(arg[2]))
			? NULL
		    : v ? v->arg[k->peer_status]
			: dumpi_arg_at(pl, base, (unsigned)k->peer_status);
		peer = dumpi_peer(arg[0], status);
		comm = be16(arg[1]);
	} else if (k->does != DOES_START || !started) {
		return 0;
	}
	r->gpeer = dumpi_peers_rank(r->tells, comm, peer);
	tell_full(s, r);
	return r->gpeer != NO_PROC ? MAKE_GPEER : 0;
}

/* Returns the place for the next event, with room for the longest event that a record of `len` bytes can make. */
static inline uint8_t *
room_for(struct batch *b, size_t len, unsigned fixed)
{
	size_t most = fixed + len + 64 * DUMPI_ARGS + REC_SLACK;

	if (unlikely(b->own.cap - b->own.n < most))
		buf_room(&b->own, most);
	return b->own.p + b->own.n;
}

/* Reports once per rank that a record has more counters than there are names. No value is lost. */
static COLD void
nameless(struct source *s, struct dumpi_rank *r, unsigned counters)
{
	/* For a pipe the names were not read yet, which was reported. */
	if (r->nameless || !r->sec.loaded)
		return;
	r->nameless = true;
	fault(s, "dumpi-perf-labels", COST_NONE, r->name, in_offset(r->in, r->in->p),
	      "a call has %u counters, but the file names %u: the others are called perf%u "
	      "and so on",
	      counters, r->nlabels, r->nlabels);
}

/* Returns the variant of a record's maker: which optional arguments it has. */
static INLINE unsigned
variant_of(const struct dumpi_rank *r, unsigned call, unsigned mask, unsigned told,
	   const struct dumpi_view *v)
{
	const struct dumpi_call *k = &dumpi_calls[call];
	unsigned variant = (mask & MASK_CPU ? MAKE_CPU : 0) |
			   (mask & MASK_STATUS ? MAKE_STATUS : 0) |
			   (told & (MAKE_RECV | MAKE_MORE | MAKE_GPEER));

	if (v && k->cond_a != k->cond_b && v->arg[k->cond_a] && v->arg[k->cond_b] &&
	    be32(v->arg[k->cond_a]) == be32(v->arg[k->cond_b]))
		variant |= MAKE_MORE;
	if (v && call > 290 && dumpi_address_find(r, be64(v->args)))
		variant |= MAKE_MORE;
	return variant;
}

static INLINE const struct dumpi_maker *
maker_of(struct source *s, struct dumpi *c, struct dumpi_rank *r, unsigned call,
	 unsigned variant, const struct dumpi_view *v)
{
	struct dumpi_maker **t = c->maker[r->layout->index], *m;

	if (unlikely(v && v->nperf))
		return dumpi_maker_perf(s, c, r, call, variant, v->nperf);
	if (unlikely(!t || !(m = t[call * MAKE_VARIANTS + variant])))
		return dumpi_maker_first(s, c, r, call, variant);
	return m;
}

/* Returns the number of the string for loc of the record at p. */
static INLINE uint32_t
loc_at(struct source *s, const struct dumpi *c, struct dumpi_rank *r, const uint8_t *p)
{
	uint32_t thread = p[2] & MASK_THREAD ? be16(p + 3) : 0;

	return likely(r->loc[thread & 7].thread == thread && r->loc[thread & 7].loc)
		   ? r->loc[thread & 7].loc
		   : loc_of(s, c, r, thread);
}

/* Adds an event for the record at p to the batch. `base` is from dumpi_quick, or `v` from dumpi_parse (otherwise
 * NULL). `timed`: r->key and r->dur are times of a clock. */
static INLINE void
emit(struct source *s, struct dumpi *c, struct dumpi_rank *r, struct batch *b,
     const uint8_t *p, size_t len, const struct dumpi_plan *pl, const uint8_t *const *base,
     const struct dumpi_view *v, bool timed, const bool args)
{
	unsigned need = s->need, call = v ? v->call : be16(p), told = 0;
	uint32_t type, end = REC_HEAD, has = timed ? HAS_DUR : 0;
	uint64_t bytes = 0;
	struct rec *rec;
	uint8_t *to;

	if (r->tells && pl->bytes)
		told = moves_of(s, c, r, call, pl, base, v, &bytes);
	if (unlikely(v && v->nperf > r->nlabels))
		nameless(s, r, v->nperf);
	if (args) {
		if (unlikely(c->gpeer))
			told |= gpeer_of(s, r, p, v, told & MAKE_MORE);
		const struct dumpi_maker *m =
		    maker_of(s, c, r, call, variant_of(r, call, p[2], told, v), v);

		to = room_for(b, m->strings ? 4 * len : len, m->fixed);
		type = m->type;
		for (uint32_t i = REC_HEAD; i < m->fixed; i += REC_SLACK)
			memset(to + i, 0, REC_SLACK);
		end = dumpi_make_args(s, r, m, to, v ? v->args : base[0],
				      v ? v->perf : NULL, v ? v->nperf : 0);
	} else {
		bool recv = need & NEED_RECV && told & MAKE_RECV &&
			    dumpi_receives(&dumpi_calls[call]);

		uint32_t known = c->bare[recv][call];

		to = room_for(b, 0, REC_HEAD);
		type = known ? known - 1 : bare_type(s, c, call, recv);
		if (recv) {
			st64(to + REC_HEAD, r->moves.recv);
			end += sizeof r->moves.recv;
		}
	}
	rec = (struct rec *)(void *)to;
	rec->len = end;
	rec->type = type;
	rec->loc = need & NEED_LOC ? loc_at(s, c, r, p) : 0;
	rec->has = has | (told & TOLD_SIZE ? HAS_SIZE : 0);
	rec->time = r->key;
	rec->addr = 0;
	rec->size = told & TOLD_SIZE ? bytes : 0;
	rec->dur = timed ? r->dur : 0;
	b->raw[b->n] = (struct span){p, len};
	b->off[b->n++] = (uint32_t)b->own.n;
	b->own.n += end;
	r->records++;
	r->count[call]++;
}

/* Reads a record with dumpi_next, and adds its event to b if dumpi_quick cannot read it. Returns false if no
 * record is available now. */
static bool
fill_slow(struct source *s, struct dumpi *c, struct dumpi_rank *r, struct batch *b)
{
	const uint8_t *base[DUMPI_PARTS + 1], *p;
	const bool args = s->need & NEED_ARGS;
	const struct dumpi_plan *pl;
	struct dumpi_view v;
	bool quick, timed;
	size_t len;

	p = dumpi_next(s, r, &v, base, &quick, &len, s->need & NEED_RAW && b->n);
	if (!p)
		return false;
	if (quick) /* dumpi_next has read more bytes, so the fast path goes on */
		return true;
	timed = take_times(s, c, r, p, args);
	pl = dumpi_plan_of(r->layout, v.call, v.mask);
	if (args)
		emit(s, c, r, b, p, len, pl, NULL, &v, timed, true);
	else
		emit(s, c, r, b, p, len, pl, NULL, &v, timed, false);
	r->in->p += len;
	return true;
}

/* Fills the batch b with events of the rank r, until b is full, the body ends, or unread bytes must move. */
static INLINE void
fill(struct source *s, struct dumpi *c, struct dumpi_rank *r, struct batch *b,
     const bool args)
{
	const bool times = args || s->need & (NEED_TIME | NEED_DUR);
	const struct dumpi_layout *l = r->layout;
	struct in *in = r->in;
	/* Local variables are faster: the place of each record depends on the length of the previous one. */
	const uint8_t *p = in->p, *end = in->end;

	while (!batch_full(b)) {
		const uint8_t *base[DUMPI_PARTS + 1];
		const struct dumpi_plan *pl;
		bool timed = false;
		size_t len;

		if (unlikely(end - p <= DUMPI_QUICK || r->finalized) ||
		    (len = dumpi_quick(l, p, &pl, base)) == 0) {
			if (!fill_slow(s, c, r, b))
				return;
			p = in->p;
			end = in->end;
			continue;
		}
		prefetch(p + 512);
		if (times)
			timed = take_times(s, c, r, p, args);
		emit(s, c, r, b, p, len, pl, base, NULL, timed, args);
		p += len;
		in->p = (uint8_t *)(uintptr_t)p;
	}
}

/* Makes sure that the rank's next record is whole in its buffer, and sets r->key and r->timed. Returns false if
 * there is none. */
static bool
peek(struct source *s, struct dumpi *c, struct dumpi_rank *r)
{
	const uint8_t *base[DUMPI_PARTS + 1], *p;
	struct dumpi_view v;
	bool quick;
	size_t len;

	p = dumpi_next(s, r, &v, base, &quick, &len, false);
	if (!p) {
		if (r->end)
			dumpi_finish(s, r);
		return false;
	}
	r->timed = take_times(s, c, r, p, s->need & NEED_ARGS);
	return true;
}

/* Adds an event for the record that peek has found. Returns the length of the record. */
static size_t
make_take(struct source *s, struct dumpi *c, struct dumpi_rank *r, struct batch *b)
{
	const uint8_t *base[DUMPI_PARTS + 1], *p = r->in->p;
	struct dumpi_view view, *v = NULL;
	const struct dumpi_plan *pl;
	size_t len =
	    in_left(r->in) > DUMPI_QUICK ? dumpi_quick(r->layout, p, &pl, base) : 0;

	if (!len) {
		v = &view;
		dumpi_parse(r->layout, p, in_left(r->in), v);
		len = v->len;
		pl = dumpi_plan_of(r->layout, v->call, v->mask);
	}
	if (s->need & NEED_ARGS)
		emit(s, c, r, b, p, len, pl, base, v, r->timed, true);
	else
		emit(s, c, r, b, p, len, pl, base, v, r->timed, false);
	return len;
}

/* Limit of the bytes of records that are taken before one is handed out. */
#define AREA_MOST (4u << 20)

/* Returns the key of the rank's next record in the merge: an unsigned number in the order of times. */
static uint64_t
key_of(const struct dumpi_rank *r)
{
	uint64_t key = (uint64_t)r->key ^ 1ull << 63;

	return key < MERGE_END ? key : MERGE_END - 1;
}

/* Takes records of rank i for the merge (merge.take). A record with an earlier time than the previous one in its
 * file follows that record directly. With --strict it takes one record at a time, so that a broken record stops
 * the reading only after all earlier records of other ranks. */
static void
take_some(void *ctx, uint32_t i, uint64_t below, uint32_t most)
{
	struct source *s = ctx;
	struct dumpi *c = s->state;
	struct dumpi_rank *r = &c->rank[i];
	struct merge *m = &c->merge;
	struct batch *b = c->taken;
	uint64_t key = c->key[i];
	size_t len;

	b->own = m->area;
	do {
		merge_add(m, key, (uint32_t)b->own.n);
		b->n = 0;
		len = make_take(s, c, r, b);
		if (m->raw) {
			uint8_t *to = buf_room(&b->own, merge_raw_size(len));

			st64(to, len);
			memcpy(to + MERGE_RAW, r->in->p, len);
			b->own.n += merge_raw_size(len);
		}
		r->in->p += len;
		if (!peek(s, c, r))
			key = MERGE_END;
		else if (key_of(r) > key)
			key = key_of(r);
		m->full = s->opt->strict || b->own.n > AREA_MOST || tables_full(&s->t);
	} while (key < below && --most && !m->full);
	m->area = b->own;
	b->own = (struct buf){0};
	c->key[i] = key;
}

/* Fills a batch from all ranks in order of time: of the next records of all ranks, the one whose call began first.
 * Returns false at the end. */
static bool
merged(struct source *s, struct dumpi *c, struct batch *b)
{
	struct merge *m = &c->merge;

	if (!c->taken) {
		c->taken = xcalloc(1, sizeof *c->taken);
		c->key = xcalloc(c->nranks, sizeof *c->key);
		*m = (struct merge){.take = take_some,
				    .ctx = s,
				    .head = c->key,
				    .n = (uint32_t)c->nranks,
				    .limit = MERGE_END,
				    .raw = s->need & NEED_RAW};
		for (size_t i = 0; i < c->nranks; i++) {
			struct dumpi_rank *r = &c->rank[i];

			c->key[i] = !r->ended && peek(s, c, r) ? key_of(r) : MERGE_END;
		}
	}
	if (m->at == m->ready) {
		merge_keep(m);
		if (!merge_waiting(m) && tables_full(&s->t))
			dumpi_epoch(s, c);
		if (!merge_next(m))
			return false;
	}
	merge_give(m, b);
	return true;
}

bool
dumpi_batch(struct source *s, struct batch *b)
{
	struct dumpi *c = s->state;

	batch_start(b);
	if (c->merged)
		return merged(s, c, b);
	if (tables_full(&s->t))
		dumpi_epoch(s, c);
	buf_room(&b->own, BATCH * 2 * REC_HEAD + REC_SLACK);
	while (!b->n && !s->stop && s->part.stream < c->nranks &&
	       s->part.stream < s->part.end) {
		struct dumpi_rank *r = &c->rank[s->part.stream];

		if (s->need & NEED_ARGS)
			fill(s, c, r, b, true);
		else
			fill(s, c, r, b, false);
		if (b->n || !r->ended)
			break;
		if (r->end)
			dumpi_finish(s, r);
		dumpi_bytes_shut(r);
		s->part.stream++;
	}
	b->base = b->own.p;
	return b->n > 0;
}
