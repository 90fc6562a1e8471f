/* ovni_encode_place.c - finds the thread of each location, and of metadata. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "trace-convert/ovni_encode.h"
#include "ovni/ovni_trace.h"

#define LOOM_MOST 240 /* limit of a loom's name, in bytes of a file's name */
/* Limit of corrections; the reader refuses them, too. */
#define OFFSET_END (INT64_MAX / 4)

/* A loom, a process or a thread. */
struct whose {
	struct buf loom; /* name, with a NUL after it */
	unsigned parts;	 /* number of parts that were given */
	uint32_t pid, tid;
};

/* Sets *id to the number of a process or thread; "-" leaves it. Returns false if it is not such a number. */
static bool
id_of(const char *s, size_t n, uint32_t *id)
{
	uint64_t v;
	bool neg;

	if (n == 1 && *s == '-')
		return true;
	if (!encode_whole(s, n, false, &v, &neg) || neg || !v || v > INT_MAX)
		return false;
	*id = (uint32_t)v;
	return true;
}

/* Returns whether JSON and a directory can have a name: UTF-8, no control byte, no slash;
 * nor a backslash, since readers see an escape in the name of a directory. */
static bool
is_name(const uint8_t *p, size_t n)
{
	uint32_t c;
	size_t k;

	for (; n; p += k, n -= k)
		if (*p < ' ' || *p == 127 || *p == '/' || *p == '\\' ||
		    !(k = utf8_char(p, n, &c)))
			return false;
	return true;
}

/* Reads "LOOM", "LOOM/PID" or "LOOM/PID/TID"; a number alone is PID and TID. A part that is missing, or "-", is
 * node0, 1, and the number of the process. Returns false for any other text. */
static bool
parse(struct whose *w, const char *s, size_t n, bool escaped)
{
	const char *part[3] = {"-", "-", "-"}, *slash, *at = s;
	size_t len[3] = {1, 1, 1};
	uint64_t number;
	bool neg;

	w->parts = 0;
	if (encode_whole(s, n, false, &number, &neg)) {
		w->parts = 1;
		part[1] = s;
		len[1] = n;
	} else
		do {
			if (w->parts == 3)
				return false;
			slash = memchr(at, '/', (size_t)(s + n - at));
			part[w->parts] = at;
			len[w->parts++] = (size_t)((slash ? slash : s + n) - at);
			at = slash ? slash + 1 : at;
		} while (slash);
	if (!len[0] || (len[0] == 1 && *part[0] == '-')) {
		part[0] = "node0";
		len[0] = 5;
	}
	w->loom.n = 0;
	buf_add(&w->loom, part[0], len[0]);
	if (escaped)
		w->loom.n = unescape(w->loom.p, w->loom.p, len[0]);
	*buf_room(&w->loom, 1) = '\0';
	w->pid = 1;
	if (!is_name(w->loom.p, w->loom.n) || !id_of(part[1], len[1], &w->pid))
		return false;
	w->tid = w->pid;
	return id_of(part[2], len[2], &w->tid);
}

static uint32_t
loom_of(struct ovni_out *c, const struct whose *w)
{
	uint32_t id = strtab_id(&c->looms, w->loom.p, w->loom.n);

	GROW(c->loom, c->loomcap, (size_t)id + 1);
	return id;
}

/* Returns the name of a process in the tables, or, with a tid, of a thread. Valid until c->data changes. */
static const char *
table_name(struct ovni_out *c, const char *loom, size_t n, uint32_t pid, uint32_t tid)
{
	struct buf *b = &c->data;
	char ids[32];

	b->n = 0;
	buf_add(b, loom, n);
	if (tid)
		snprintf(ids, sizeof ids, "/%u/%u", pid, tid);
	else
		snprintf(ids, sizeof ids, "/%u", pid);
	buf_add(b, ids, strlen(ids) + 1);
	b->n--;
	return (const char *)b->p;
}

static struct ovni_out_thread *
thread_of(struct ovni_out *c, const struct whose *w)
{
	const char *name = table_name(c, (char *)w->loom.p, w->loom.n, w->pid, w->tid);
	uint32_t known = c->threads.n, id = strtab_id(&c->threads, name, strlen(name));
	struct ovni_out_thread *th;

	GROW(c->thread, c->threadcap, (size_t)id + 1);
	th = &c->thread[id];
	if (id == known)
		*th = (struct ovni_out_thread){
		    .loom = loom_of(c, w),
		    .pid = w->pid,
		    .tid = w->tid,
		    .node = ovni_tree_node(&c->tree, 0, name, strlen(name))};
	return th;
}

/* Returns whether the name of a loom is short enough for a directory. */
static bool
is_short(struct ovni_out *c, const char *loom)
{
	c->data.n = 0;
	ovni_put_part(&c->data, loom);
	return c->data.n <= LOOM_MOST;
}

/* Notes a pair of metadata about a loom, a process or a thread. */
static void
take_pair(struct ovni_out *c, struct whose *w, const char *key, const char *value)
{
	const char *colon = strchr(key, ':'), *path, *name;
	uint32_t loom;
	uint64_t v;
	bool neg;

	/* The name of a loom may have a colon as well. */
	for (; colon; colon = strchr(colon + 1, ':')) {
		path = colon + 1;
		if (parse(w, key, (size_t)(colon - key), false) &&
		    (w->parts > 1 || !strcmp(path, "clock_offset") ||
		     !strcmp(path, "raw_clock_offset")))
			break;
	}
	if (!colon || !is_short(c, (char *)w->loom.p))
		return;
	if (w->parts == 1) {
		loom = loom_of(c, w);
		if (encode_whole(value, strlen(value), false, &v, &neg) &&
		    (neg ? 0 - v : v) < (uint64_t)OFFSET_END)
			c->loom[loom].offset = (int64_t)v;
		c->loom[loom].raw = *path == 'r';
		c->loom[loom].corrected = true;
	} else if (w->parts == 2) {
		name = table_name(c, (char *)w->loom.p, w->loom.n, w->pid, 0);
		ovni_tree_set(&c->tree, ovni_tree_node(&c->tree, 0, name, strlen(name)),
			      path, value, true);
	} else if (!strcmp(path, "byte_order"))
		thread_of(c, w)->swap = !strcmp(value, HOST_BIG ? "little" : "big");
	else {
		ovni_tree_set(&c->tree, thread_of(c, w)->node, path, value, true);
		if (strstr(path, ".hwc."))
			strtab_id(&c->counters, value, strlen(value));
	}
}

/* Returns the key as it was before head_meta(), which writes = as \x3d. */
static const char *
plain_key(struct buf *b, const char *key)
{
	const char *at;

	b->n = 0;
	for (; (at = strstr(key, "\\x3d")); key = at + 4) {
		buf_add(b, key, (size_t)(at - key));
		buf_byte(b, '=');
	}
	buf_add(b, key, strlen(key) + 1);
	return (const char *)b->p;
}

void
ovni_out_head(struct encode *e)
{
	struct ovni_out *c = e->state;
	const struct head *h = &e->s->head;
	struct whose w = {0};
	struct buf key = {0};

	c->own = !strcmp(h->format, e->fmt->name);
	c->common |= !c->own;
	for (size_t i = 0; c->own && i < h->nmeta; i++)
		take_pair(c, &w, plain_key(&key, h->meta[i].key), h->meta[i].value);
	buf_free(&w.loom);
	buf_free(&key);
}

static void
encode_place_begin(struct ovni_out *c, struct ovni_out_thread *th)
{
	uint32_t version = th->swap ? swap32(1) : 1;
	struct buf *b = &c->data;
	char ids[64];

	if (th->begun)
		return;
	b->n = 0;
	buf_add(b, "loom.", 5);
	ovni_put_part(b, c->looms.v[th->loom].s);
	snprintf(ids, sizeof ids, "/proc.%u/thread.%u/stream.obs", th->pid, th->tid);
	buf_add(b, ids, strlen(ids) + 1);
	th->file = outfiles_add(&c->files, (char *)b->p);
	outfiles_bytes(&c->files, th->file, "ovni", 4);
	outfiles_bytes(&c->files, th->file, &version, 4);
	c->loom[th->loom].used = true;
	th->begun = true;
}

struct ovni_out_thread *
ovni_out_place(struct encode *e, uint32_t loc, const char **why)
{
	struct ovni_out *c = e->state;
	const struct str *s = &e->s->t.str.v[loc];
	struct ovni_out_thread *th = NULL;
	struct whose w = {0};

	if (!parse(&w, s->s, s->len, true))
		*why = "loc is not LOOM/PID/TID, with numbers from 1 to 2147483647";
	else if (!is_short(c, (char *)w.loom.p))
		*why = "the name of a loom is too long for a file";
	else {
		th = thread_of(c, &w);
		encode_place_begin(c, th);
		th->add = (uint64_t)e->s->head.origin;
		if (!c->loom[th->loom].raw)
			th->add -= (uint64_t)c->loom[th->loom].offset;
		c->of[loc] = (uint32_t)(th - c->thread) + 1;
	}
	buf_free(&w.loom);
	return th;
}

void
ovni_out_begin_all(struct encode *e)
{
	struct ovni_out *c = e->state;
	struct whose w = {0};

	/* A trace needs at least one thread. */
	if (!c->threads.n && parse(&w, "-", 1, false))
		thread_of(c, &w);
	buf_free(&w.loom);
	for (uint32_t i = 0; i < c->threads.n; i++) {
		struct ovni_out_thread *th = &c->thread[i];
		const struct str *loom = &c->looms.v[th->loom];
		const char *name = table_name(c, loom->s, loom->len, th->pid, 0);

		th->process = ovni_tree_find(&c->tree, 0, name, strlen(name));
		encode_place_begin(c, th);
	}
}
