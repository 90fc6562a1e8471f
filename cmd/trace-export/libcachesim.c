/* libcachesim.c - requests to a cache as comma-separated values, for libCacheSim's cachesim and others:
 * "time,op,loc,obj,size". The object is LOC:ADDR, LOC:PAGE with --split, or the value of -K. */
#include "base/put.h"
#include "input/cached_text.h"
#include "trace-export/export_pages.h"
#include "view/view_request.h"

const struct op_name cache_operations[] = {
    {"get gets gat gats get_lease", OP_READ},
    {"set put add replace cas append prepend incr decr update insert", OP_WRITE},
    {0}};

struct csim {
	struct tally tally;
	struct text_cache places; /* "LOC,LOC:"; with -K "LOC," */
	struct buf object, cell;  /* for -K */
	struct second_cache second;
	uint64_t split;
	bool begun;
};

static void
libcachesim_begin(struct sink *k, struct read_options *opt)
{
	struct csim *x = tally_open(k, opt, sizeof *x);

	x->split = export_asked(k)->split;
	if (!x->split)
		x->tally.block = 1;
}

static void
libcachesim_head(struct sink *k, struct source *s)
{
	struct csim *x = k->state;

	(void)s;
	if (!x->begun)
		out_str(&k->out, "time,op,loc,obj,size\n");
	x->begun = true;
}

/* Appends n bytes at p, escaped by `put`. A comma becomes \x2c and a quote \x22, so that no field needs quotes. */
static void
add_cell(struct csim *x, struct buf *b, uint8_t *put(uint8_t *, const void *, size_t),
	 const char *p, size_t n)
{
	x->cell.n = 0;
	buf_to(&x->cell, put(buf_room(&x->cell, 4 * n), p, n));
	for (size_t i = 0; i < x->cell.n; i++)
		if (x->cell.p[i] == ',' || x->cell.p[i] == '"')
			buf_str(b, x->cell.p[i] == ',' ? "\\x2c" : "\\x22");
		else
			buf_byte(b, (char)x->cell.p[i]);
}

static void
new_place(struct csim *x, const struct source *s, uint32_t loc)
{
	const struct str *str = &s->t.str.v[loc];
	struct buf b = {0};

	for (int k = 0; k < (x->tally.object ? 1 : 2); k++) {
		add_cell(x, &b, put_name, str->s, str->len);
		buf_byte(&b, k ? ':' : ',');
	}
	cached_text_set(&x->places, loc, &b);
	buf_free(&b);
}

static void
libcachesim_put(struct sink *k, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n)
{
	struct csim *x = k->state;
	struct out *o = &k->out;
	uint8_t *p = out_room(o);
	struct val_env env = {.clock = s->head.clock, .mem = &x->tally.texts};
	struct val v;
	struct export_request q;
	struct page_range g;

	tally_bind(&x->tally, s);
	cached_text_bind(&x->places, s);
	if (!tally_objects(&x->tally, s, b, pick, n))
		return;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);

		if (!tally_request(&x->tally, r, &q) || !tally_object(&x->tally, i, &v))
			continue;
		if (x->tally.object) {
			v = val_to_text(&env, &v);
			x->object.n = 0;
			add_cell(x, &x->object, put_escaped, v.s, v.len);
		}
		if (!pages_of(&g, r, &q, x->split)) {
			tally_skip(&x->tally, SKIP_LARGE);
			continue;
		}
		if (unlikely(!x->places.v[r->loc].p))
			new_place(x, s, r->loc);
		for (uint64_t page = 0; page < g.n; page++) {
			p = out_room_at(o, p);
			if (x->tally.ticks)
				p = put_u64(p, (uint64_t)r->time);
			else
				p = put_ns(p, &x->second, r->time);
			memcpy(p, q.op == OP_WRITE ? ",write," : ",read, ", 7);
			p += q.op == OP_WRITE ? 7 : 6;
			p = cached_text_put(o, p, &x->places.v[r->loc]);
			p = x->tally.object ? out_bytes_at(o, p, x->object.p, x->object.n)
					    : put_u64(p, g.first + page);
			*p++ = ',';
			p = put_u64(p, g.size);
			*p++ = '\n';
		}
		tally_event(&x->tally, r);
	}
	o->p = p;
	if (o->line)
		out_flush(o);
}

static int
close_csim(struct sink *k)
{
	struct csim *x = k->state;

	cached_text_free(&x->places);
	buf_free(&x->object);
	buf_free(&x->cell);
	return tally_form_close(k);
}

static const struct form form = {.begin = libcachesim_begin,
				 .head = libcachesim_head,
				 .put = libcachesim_put,
				 .join = tally_join,
				 .close = close_csim};

const struct target target_libcachesim = {
    .name = "libcachesim",
    .about = "requests to a cache as time,op,loc,obj,size: cachesim of libCacheSim",
    .takes = TAKES(BLOCK) | TAKES(SPLIT) | TAKES(OBJECT),
    .carries = NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE,
    .needs = HAS_ADDR | HAS_SIZE,
    .ops = OP_READ | OP_WRITE | OP_FETCH,
    .names = cache_operations,
    .wide = true,
    .form = &form,
};
