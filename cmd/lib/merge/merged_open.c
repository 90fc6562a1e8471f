/* merged_open.c - opens all inputs, and gives each its resort window and its share of memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pack.h"
#include "merge/merged_state.h"

#define WINDOWS_MOST (32u << 20)      /* bytes of all windows, if no option sets them */
#define WINDOWS_ASKED (1536ull << 20) /* bytes of all windows that an option sets */
#define SPARE_MOST (6u << 20)
/* Bound: trace-merge | events of a resort window | events of a pipe | 65536 | later than the resort window */
#define WINDOW 65536 /* events of the window of an input that is read once */
#define WINDOW_LEAST 1024
#define WINDOW_EVENT 128     /* average bytes of an event in a window */
#define DESCRIPTORS 16	     /* descriptors kept for other purposes than inputs */
#define ROOM_ALL (16u << 20) /* bytes of the buffers of all inputs */
#define ROOM_LEAST (8u << 10)

/* Returns true if the input is in order, except for events that its reader reports as errors. */
static bool
tells(const struct source *s)
{
	const struct cutting *cut = format_cutting(s->fmt);

	return cut->marks_disorder && cut->in_order(s);
}

/* Sets the size of an input's window, by the options or by `late`, the result of a first pass (may be NULL). */
static void
set_window(struct merged *m, struct merge_input *in, const struct lateness *late)
{
	const struct merge_settings *opts = m->opts;

	in->w.spare = &m->spare;
	in->blocks = 1;
	if (opts->records_set)
		in->w.records = opts->records;
	else if (opts->span_set) {
		in->w.by_span = true;
		in->w.span = opts->span;
		in->w.records = UINT32_MAX / 2;
	} else if (late)
		in->w.records = late->records;
	else if (!tells(&in->s))
		in->w.records = UINT64_MAX; /* share_windows decides */
	if (in->w.records > UINT32_MAX / 2 && in->w.records != UINT64_MAX)
		in->w.records = UINT32_MAX / 2;
	in->windowed = in->w.records > 0;
}

/* Divides the memory among the windows. */
static void
share_windows(struct merged *m)
{
	bool asked = m->opts->records_set || m->opts->span_set, told = false;
	uint64_t k = 0, most, records;

	for (size_t i = 0; i < m->n; i++)
		k += m->in[i]->windowed;
	most = k ? (asked ? WINDOWS_ASKED : WINDOWS_MOST) / k : 0;
	records = most / WINDOW_EVENT;
	records = records > WINDOW	   ? WINDOW
		  : records < WINDOW_LEAST ? WINDOW_LEAST
					   : records;
	if (most < WINDOW_LEAST * WINDOW_EVENT)
		most = WINDOW_LEAST * WINDOW_EVENT;
	for (size_t i = 0; i < m->n; i++) {
		struct merge_input *in = m->in[i];

		in->w.most = (size_t)most;
		in->w.spare_most = (size_t)(SPARE_MOST / (k + 1));
		if (in->w.records != UINT64_MAX)
			continue;
		in->w.records = records;
		if (records < WINDOW && !told && !m->opt.quiet)
			warn("%llu inputs are read once: the resort window of each is %llu "
			     "events",
			     (unsigned long long)k, (unsigned long long)records);
		told = true;
	}
}

/* Returns true if a path can be opened again: a regular file or a directory. */
static bool
merge_again(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* Reads an input once and measures its lateness in *late, and its time zero. Returns false, without a message, if
 * the input cannot be opened. */
static bool
merged_look(struct merged *m, const char *const *paths, size_t n, struct lateness *late,
	    struct merge_input *in)
{
	struct read_options quiet = m->opt;
	struct batch *b = xcalloc(1, sizeof *b);
	struct source s;
	unsigned head_serial = 0, head = 0;
	bool opened;

	quiet.quiet = true;
	quiet.head_done = NULL;
	quiet.need = NEED_TIME | NEED_ORDER;
	quiet.need |= m->opts->zero ? m->opts->zero_need : NEED_PREVIEW;
	opened = source_open(&s, &quiet, paths, n);
	while (opened && source_next(&s, b)) {
		uint64_t flip = time_flip(s.head.clock);
		int64_t shift = head_shift(&s.head, true);

		head_serial += s.head_serial != head;
		head = s.head_serial;
		for (uint32_t i = 0; i < b->n; i++) {
			int64_t t = batch_rec(b, i)->time;

			if (unlikely(shift))
				t = time_plus(CLOCK_NS, t, shift);
			lateness_add(late, (uint64_t)t ^ flip);
		}
		if (m->opts->zero && !in->zero_set) {
			uint32_t i = m->opts->zero(&s, b);

			in->zero_set = i < b->n;
			in->zero = in->zero_set ? batch_rec(b, i)->time : 0;
		}
	}
	in->in_order = head_serial == 1 && !late->late;
	if (opened)
		source_close(&s);
	buf_free(&b->own);
	free(b);
	return opened;
}

/* Returns true if there are more inputs than descriptors. Dies if there are more inputs that must stay open. */
static bool
many_files(const struct merged *m)
{
	struct rlimit r;
	uint64_t stay = 0, most;
	struct stat st;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
		return false;
	most = r.rlim_cur > DESCRIPTORS ? (uint64_t)r.rlim_cur - DESCRIPTORS : 1;
	if (m->npaths <= most)
		return false;
	for (size_t i = 0; i < m->npaths; i++)
		stay += stat(m->paths[i], &st) == 0 && !S_ISDIR(st.st_mode) &&
			!pack_plain(m->paths[i]);
	if (stay > most)
		die("%llu inputs are pipes, or compressed, and must stay open, but this "
		    "process "
		    "may open %llu (ulimit -n)",
		    (unsigned long long)stay, (unsigned long long)most);
	return true;
}

/* Returns the bytes of an input's buffer, so that all buffers together leave memory for windows. */
static size_t
room_of(const struct merged *m)
{
	size_t room = ROOM_ALL / m->npaths & ~(size_t)4095;

	return room > IN_SIZE ? IN_SIZE : room < ROOM_LEAST ? ROOM_LEAST : room;
}

/* Opens the input that begins at paths[at]. Returns the number of paths that belong to it. */
static size_t
open_input(struct merged *m, size_t at)
{
	struct merge_input *in = xcalloc(1, sizeof *in);
	const char *const *paths = m->paths + at;
	bool again, asked = m->opts->records_set || m->opts->span_set;
	struct lateness late = {0};
	size_t n;

	in->number = m->n + 1;
	if (!source_open(&in->s, &m->opt, paths, m->npaths - at)) {
		source_missing(&m->out, paths[0]);
		m->stop |= m->opt.strict;
		free(in);
		return 1;
	}
	n = in->s.npaths;
	again = true;
	for (size_t i = 0; i < n; i++)
		again &= merge_again(paths[i]);
	if (m->opts->zero && !again)
		die("%s: --align-event reads inputs twice: each must be a file",
		    in->s.name);
	if (m->opts->zero || (!asked && again && !tells(&in->s)))
		again = merged_look(m, paths, n, &late, in);
	else {
		again = false;
		in->in_order = !asked && tells(&in->s);
	}
	if (again && m->opts->zero && !in->zero_set)
		die("%s: --align-event: no event matches", in->s.name);
	/* Readers of directories and of several files close their files themselves. */
	if (m->shut && in->s.in.buf && !format_inputs(in->s.fmt)->many)
		in_shut(&in->s.in);
	if (m->opts->shift)
		in->shift = m->opts->shift[at];
	set_window(m, in, again ? &late : NULL);
	lateness_free(&late);
	in->open = in->more = true;
	in->b = xcalloc(1, sizeof *in->b);
	in->import.types = in->import.strings = &m->held;
	in->import.shared = &m->all;
	*PUSH(m->in, m->n, m->cap) = in;
	return n;
}

/* Sets the format of the merged source: the format of all inputs, without its reader, or "mixed". */
static void
set_format(struct merged *m)
{
	const struct format *f = m->n ? m->in[0]->s.fmt : NULL;
	bool same = true;

	for (size_t i = 1; i < m->n; i++)
		same &= m->in[i]->s.fmt == f;
	if (f && same)
		m->fmt = *f;
	else
		m->fmt = (struct format){.name = "mixed", .about = "several formats"};
	m->fmt.open = NULL;
	m->fmt.next = NULL;
	m->fmt.end = m->fmt.close = NULL;
	m->out.fmt = &m->fmt;
}

/* Opens all inputs, reads their first batches, and makes the head. */
void
merged_open(struct merged *m)
{
	tables_reset(&m->out.t);
	tables_reset(&m->held);
	m->all.types = m->all.strings = &m->held;
	m->give.types = m->give.strings = &m->out.t;
	m->out.in.fd = -1;
	m->out.opt = &m->opt;
	m->out.name = m->npaths == 1 ? m->paths[0] : "(merged)";
	m->out.paths = m->paths;
	m->out.npaths = m->npaths;
	m->out.id = serial();
	m->out.head_serial = serial();
	m->out.part.end = UINT64_MAX;
	m->out.need = m->opt.need;
	m->shut = many_files(m);
	m->opt.room = room_of(m);
	for (size_t at = 0; at < m->npaths && !m->stop;)
		at += open_input(m, at);
	share_windows(m);
	for (size_t i = 0; i < m->n; i++)
		if (merged_read(m, m->in[i]))
			m->in[i]->first = batch_rec(m->in[i]->b, 0)->time;
	if (m->n == 1)
		m->out.name = m->in[0]->s.name;
	merged_head(m);
	set_format(m);
	m->started = true;
	m->flip = time_flip(m->out.head.clock);
	m->head = xcalloc(m->n + 1, sizeof *m->head);
	for (size_t i = 0; i < m->n; i++)
		m->head[i] = merged_key(m, m->in[i]);
	m->m.take = merged_take;
	m->m.ctx = m;
	m->m.head = m->head;
	m->m.n = (uint32_t)m->n;
	m->m.limit = MERGE_END;
}
