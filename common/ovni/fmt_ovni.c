/*
 * fmt_ovni.c - ovni: streams of events of the threads of a parallel program.
 *
 *	stream	[ 'o' 'v' 'n' 'i'  u32 version ]  events
 *	event	u8 flags  u8 model  u8 category  u8 value  u64 clock  payload
 *	flags	low nibble n: n + 1 bytes of payload, or no payload if n is 0;
 *		0x10, jumbo: n is 3, and the payload is a u32 and so many bytes of data
 *
 * The byte order is the writer's; nothing is aligned, and there is no end mark. Source: the trace specification of
 * libovni, version 1, and traces of its releases.
 *
 * All streams of a source are one trace, merged by corrected clock. If clocks are equal, the stream with the
 * lesser path comes first.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/fault.h"
#include "input/sniff.h"
#include "ovni/ovni_trace.h"
#include "base/put.h"
#include "base/sandbox.h"

/* Bound: ovni | metadata of all streams | stream.json | 4 MiB | the metadata exceed 4096 KiB */
#define META_MOST (4u << 20) /* limit of the metadata in a header, in bytes */
/* Bound: ovni | app_id and rank of processes | processes | 4 MiB | app_id and rank exceed */
#define RANKS_MOST (4u << 20) /* limit of app_id and rank of all processes, in bytes */
/* Bytes that a stream's reader, which has a limit too, adds to a pair. */
#define PAIR_MORE 96

/* Returns true if the next operand `path` belongs to the same trace as s. */
static bool
also(const struct source *s, const char *path)
{
	uint8_t p[512];
	struct stat st;
	size_t n = 0;
	FILE *f;

	if (!strcmp(path, "-"))
		return false;
	/* A pipe cannot be read twice, so it is a trace of its own. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return false;
	if (s->opt->only || s->opt->expect || ovni_takes(path, s->opt))
		return true;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || !(f = fopen(path, "rb")))
		return false;
	n = fread(p, 1, sizeof p, f);
	fclose(f);
	return sniff_ovni.sniff(p, n, n < sizeof p) > 0;
}

/* Adds the input that is already open as the only stream: a pipe, standard input, memory. */
static void
add_input(struct source *s)
{
	struct ovni *o = s->state;
	struct ovni_stream *st = PUSH(o->st, o->n, o->cap);
	struct stat sb;

	st->path = st->shown = s->name;
	st->fd = -1;
	if (!s->opt->follow && s->in.fd >= 0 && fstat(s->in.fd, &sb) == 0 &&
	    S_ISREG(sb.st_mode)) {
		off_t at = lseek(s->in.fd, 0, SEEK_CUR);

		st->fd = s->in.fd;
		st->keep_fd = true;
		st->start = (uint64_t)at - in_left(&s->in);
		return;
	}
	/* The byte order and the first clock can be found in the first bytes. */
	in_need(&s->in, OVNI_HEADER + OVNI_EVENT);
	in_have(&s->in, 2048);
	st->in = &s->in;
	st->keep_fd = true;
	if (!s->opt->follow && !s->in.eof && (o->merged || o->opt.pairs) &&
	    !ovni_spool(s, st))
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "cannot make a temporary file: unordered regions are not sorted");
}

static void
find_all(struct source *s)
{
	struct ovni *o = s->state;
	size_t n = 1;

	while (n < s->npaths && also(s, s->paths[n]))
		n++;
	s->npaths = n;
	if (s->in.buf) {
		struct stat sb;

		if (s->opt->follow || !strcmp(s->paths[0], "-") || s->in.fd < 0 ||
		    fstat(s->in.fd, &sb) < 0 || !S_ISREG(sb.st_mode)) {
			add_input(s);
			s->npaths = 1;
			return;
		}
		in_shut(&s->in); /* it is opened again by its name */
	}
	for (size_t i = 0; i < n; i++) {
		size_t from = o->n;

		ovni_find(s, s->paths[i]);
		if (o->n == from)
			fault(s, NULL, COST_STATUS, s->name, NOWHERE,
			      "found no ovni stream");
	}
	if (n > 1)
		ovni_once(s);
	ovni_sort(o);
}

/* Returns the key of a stream's first event whose clock is a time; UINT64_MAX if there is none in the first bytes. */
static uint64_t
first_key(struct source *s, struct ovni_stream *st)
{
	struct ovni_cursor *c;
	struct ovni_frame f;
	uint64_t key = UINT64_MAX, clock;
	uint8_t p[OVNI_EVENT];

	if (st->failed ||
	    ovni_read(s, st, p, sizeof p, st->header ? OVNI_HEADER : 0) < sizeof p)
		return key;
	clock = ovni_u64(st, p + 4);
	if (clock < OVNI_KEYS &&
	    ((!(*p & OVNI_RESERVED) && ovni_printable(p)) || (st->in && !st->in->eof)))
		return clock + st->add;
	if (st->in && !st->in->eof)
		return key;
	/* The stream begins with damage, so search further. */
	c = ovni_cursor_new(st, 0, UINT64_MAX);
	c->quiet = true;
	while (key == UINT64_MAX && ovni_settle(s, c, &f)) {
		if (f.clock < OVNI_KEYS)
			key = f.clock + st->add;
		ovni_pass(s, c, &f);
	}
	ovni_cursor_free(c);
	return key;
}

/* Sets the number that is added to each stream's clock, at least 0. Time 0 becomes the earliest first event. */
static void
set_clocks(struct source *s)
{
	struct ovni *o = s->state;

	o->least_offset = 0;
	for (size_t i = 0; i < o->n && !o->opt.raw_clock; i++)
		if (o->st[i].offset < o->least_offset)
			o->least_offset = o->st[i].offset;
	for (size_t i = 0; i < o->n; i++)
		o->st[i].add =
		    o->opt.raw_clock ? 0 : (uint64_t)(o->st[i].offset - o->least_offset);
	o->origin = UINT64_MAX;
	for (size_t i = 0; i < o->n; i++) {
		uint64_t key = o->st[i].first = first_key(s, &o->st[i]);

		o->origin = key < o->origin ? key : o->origin;
	}
	if (o->origin >= OVNI_KEYS)
		o->origin = 0;
	s->head.origin = (int64_t)(o->origin + (uint64_t)o->least_offset);
	ovni_check_clocks(s);
}

static void
raise_limit(const struct source *s, struct ovni *o)
{
	struct rlimit r;

	o->open_most = 200;
	if (getrlimit(RLIMIT_NOFILE, &r) < 0)
		return;
	if (r.rlim_cur < r.rlim_max && r.rlim_cur < o->n + 64) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
		getrlimit(RLIMIT_NOFILE, &r);
	}
	o->open_most = r.rlim_cur > 64 ? (size_t)r.rlim_cur - 48 : 8;
	if (s->opt->separate || source_shares(s))
		o->open_most = 0;
}

struct collect {
	struct source *s;
	size_t bytes;
};

static void
to_head(void *arg, const char *key, const char *value)
{
	struct collect *c = arg;
	const char *name = strrchr(key, ':');

	/* rank_pairs adds these pairs after the others. */
	if (name && (!strcmp(name, ":app_id") || !strcmp(name, ":rank")))
		return;
	if (c->bytes > META_MOST)
		return;
	c->bytes += strlen(key) + strlen(value) + PAIR_MORE;
	if (c->bytes <= META_MOST)
		head_meta(&c->s->head, &c->s->meta, key, value);
	else
		fault(c->s, NULL, COST_STATUS, c->s->name, NOWHERE,
		      "the metadata exceed %u KiB: the rest is not kept", META_MOST >> 10);
}

/* Adds the app_id and rank of each process to the head's metadata, if the trace has them:
 * they are fields of the process's events, in every layout. */
static void
rank_pairs(struct source *s)
{
	const struct ovni *o = s->state;
	size_t bytes = 0;

	for (size_t i = 0; i < o->n; i++) {
		const struct ovni_stream *st = &o->st[i], *last = i ? st - 1 : NULL;
		const struct pair pairs[] = {{"app_id", st->app_id}, {"rank", st->rank}};
		char key[1280];

		if (last && ovni_same_process(st, last))
			continue;
		for (int k = 0; k < 2; k++) {
			if (!pairs[k].value)
				continue;
			snprintf(key, sizeof key, "%.1023s/%.200s:%s",
				 st->loom ? st->loom : "-", st->pid ? st->pid : "-",
				 pairs[k].key);
			bytes += strlen(key) + PAIR_MORE;
			if (bytes > RANKS_MOST) {
				fault(s, NULL, COST_STATUS, s->name, NOWHERE,
				      "app_id and rank exceed %u KiB: the fields are "
				      "missing from %.200s on",
				      RANKS_MOST >> 10, st->path);
				return;
			}
			head_meta(&s->head, &s->meta, key, pairs[k].value);
		}
	}
}

/* Calls fn for the clock offset of each loom that has a row in clock-offsets.txt:
 * `clock_offset` if it was added to the loom's clocks, `raw_clock_offset` if it was not
 * (raw_clock). */
static void
offset_pairs(const struct ovni *o, ovni_meta_fn *fn, void *arg)
{
	struct strtab seen = {0};

	for (size_t i = 0; i < o->n; i++) {
		const struct ovni_stream *st = &o->st[i];
		char key[1200], value[32];
		uint32_t n = seen.n;

		if (!st->corrected || !st->loom ||
		    strtab_id(&seen, st->loom, strlen(st->loom)) < n)
			continue;
		snprintf(key, sizeof key, "%.1000s:%sclock_offset", st->loom,
			 o->opt.raw_clock ? "raw_" : "");
		snprintf(value, sizeof value, "%lld", (long long)st->offset);
		fn(arg, key, value);
	}
	strtab_free(&seen);
}

/* Calls fn for each stream with the uncommon byte order, and for streams of threads without events, whose byte
 * order nothing else shows. */
static void
order_pairs(const struct ovni *o, ovni_meta_fn *fn, void *arg)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct ovni_stream *st = &o->st[i];
		char key[1500];
		bool big = st->swap != HOST_BIG;

		if (!big && (st->failed || !st->tid || st->size > (st->header ? 8 : 0)))
			continue;
		snprintf(key, sizeof key, "%.1000s/%.200s/%.200s:byte_order",
			 st->loom ? st->loom : "-", st->pid ? st->pid : "-",
			 st->tid ? st->tid : "-");
		fn(arg, key, big ? "big" : "little");
	}
}

void
ovni_meta(struct source *s, ovni_meta_fn *fn, void *arg)
{
	ovni_load_meta(s, fn, arg);
	offset_pairs(s->state, fn, arg);
}

/* Sets the number of bytes that a cursor reads at a time: all cursors together take 2 MiB, as long as that gives
 * each of them 8 KiB to 64 KiB; above 1,024 streams each gets 4 KiB. Below 4 KiB a read would cost more than
 * copying its bytes. */
static void
set_room(struct ovni *o)
{
	size_t n = 64u << 10;

	while (n > 8u << 10 && n * o->n > 2u << 20)
		n /= 2;
	o->room = o->n > 1024 ? 4u << 10 : n;
}

/* Declares the streams, if they can be read one after the other, and again. */
static void
share_streams(struct source *s)
{
	const struct ovni *o = s->state;
	uint64_t bytes = 0;

	if (o->opt.pairs || o->unpacked)
		return;
	for (size_t i = 0; i < o->n; i++)
		bytes += o->st[i].failed ? 0 : o->st[i].size;
	source_streams(s, o->n, bytes);
}

static void
ovni_open(struct source *s)
{
	struct ovni *o = xcalloc(1, sizeof *o);
	struct collect c = {.s = s};

	s->state = o;
	o->opt = *(const struct ovni_options *)format_options(s->opt, s->fmt);
	o->opt.pairs |= s->opt->states || o->opt.cpu;
	o->need = s->need | (o->opt.cpu ? NEED_ARGS | NEED_ORDER : 0);
	o->m.raw = o->need & NEED_RAW;
	/* States are always paired in order of time. */
	o->merged =
	    (o->need & NEED_ORDER || o->opt.pairs) && !o->opt.serial && !s->opt->follow;
	o->types_only = !o->merged && !o->opt.pairs &&
			!(o->need & (NEED_TIME | NEED_LOC | NEED_SIZE | NEED_DUR |
				     NEED_ARGS | NEED_RAW));
	o->runs.fd = -1;
	put_init();
	ovni_plans_reset(o);
	s->head.nlocparts = 3;
	s->head.locpart[0] = "loom";
	s->head.locpart[1] = "pid";
	s->head.locpart[2] = "tid";
	source_clock(s, CLOCK_NS);
	find_all(s);
	set_room(o);
	raise_limit(s, o);
	ovni_names_open(s);
	ovni_load_meta(s, to_head, &c);
	for (size_t i = 0; i < o->n; i++)
		ovni_names_share(o, &o->st[i]);
	for (size_t i = 0; i < s->npaths; i++)
		ovni_load_offsets(s, s->paths[i]);
	offset_pairs(o, to_head, &c);
	rank_pairs(s);
	ovni_number_locs(s);
	for (size_t i = 0; i < o->n; i++)
		ovni_open_stream(s, &o->st[i]);
	order_pairs(o, to_head, &c);
	set_clocks(s);
	if (o->opt.pairs && s->opt->follow)
		die("%s: --follow: durations (-D) need the whole trace", s->name);
	if (o->opt.pairs)
		ovni_states_start(s);
	/* ovnidump does not sort regions, so ovni-dump with its options does not either. */
	for (size_t i = 0; i < o->n && !o->opt.paths; i++) {
		bool names = o->opt.pairs && o->need & NEED_ARGS;
		bool regions = names && ovni_names_find(s, &o->st[i]);

		if (o->merged && (!names || regions))
			ovni_scan(s, i, regions);
	}
	if (o->merged)
		ovni_start_merge(s, 0, o->n);
	else
		share_streams(s);
}

static void
ovni_close(struct source *s)
{
	struct ovni *o = s->state;

	for (size_t i = 0; i < o->nact; i++)
		ovni_cursor_free(o->act[i]);
	for (size_t i = 0; i < o->n; i++)
		ovni_close_stream(o, &o->st[i]);
	ovni_states_free(o);
	merge_free(&o->m);
	buf_free(&o->proto);
	free(o->act);
	free(o->place);
	free(o->head);
	ovni_runs_free(&o->runs);
	free(o->turn);
	free(o->plan);
	free(o->variant);
	free(o->st);
	ovni_names_free(o);
	arena_free(&o->mem);
	free(o);
}

static const char *const old_releases[] = {"1.0", "1.0.0", NULL};

static const struct format_option options[] = {
    {'s', "serial", NULL, "one rank or stream after the other, not by time",
     .at = offsetof(struct ovni_options, serial)},
    {'N', "names", NULL,
     "with a dotted name of each event: name=", .at = offsetof(struct ovni_options, names)},
    {'D', "durations", NULL, "make one event with a duration of enter and leave",
     .at = offsetof(struct ovni_options, pairs)},
    {0, "cpu", NULL, "durations, cut where a thread changes its CPU: cpu=",
     .at = offsetof(struct ovni_options, cpu)},
    {0, "raw-clock", NULL, "do not apply clock-offsets.txt",
     .at = offsetof(struct ovni_options, raw_clock)},
    {0, "release", "VERSION", "1.0: M and T are the letters of release 1.0.0",
     .at = offsetof(struct ovni_options, old), .words = old_releases,
     .then = ovni_release_old},
    {0, "follow-links", NULL, "ovni: links that lead out of a trace, too",
     .at = offsetof(struct ovni_options, follow_links)},
    {0},
};

static const struct ovni_options defaults;

const struct format fmt_ovni = {
    .name = "ovni",
    .about = "ovni: events of a parallel program's threads, binary",
    .settings = &(const struct format_settings){options, &defaults, sizeof defaults},
    .open = ovni_open,
    .next = ovni_next,
    .close = ovni_close,
    .schema = &ovni_schema,
    .inputs =
	&(const struct format_inputs){
	    .takes = ovni_takes, .many = true, .is_single = ovni_alone, .temporaries = 4},
};
