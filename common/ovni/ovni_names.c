/*
 * ovni_names.c - names of numbers in events.
 *
 * Metadata name the types and values of marks, and the counters. Types of tasks get their labels, and tasks their
 * types, in events of any thread of the process. They are learned before events are handed out, because a task may
 * run in a stream that comes before the one in which it was made. The type of each task takes 2 bytes in a page of
 * consecutive tasks. Pages that are not in use are in a temporary file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/num.h"
#include "base/sandbox.h"
#include "input/fault.h"
#include "ovni/ovni_trace.h"

/* Bound: ovni | types, tasks and labels | labels in metadata and events | 131072 | too many types, tasks or labels */
#define NAMES_MOST (1u << 17) /* limit of the entries of the map */
#define TEXT_MOST (8u << 20)  /* limit of the bytes of all texts */
#define TYPES_MOST ((1u << 16) - 1)
#define COUNTERS_MOST 64 /* limit of the counters of an event */
/* Bound: ovni | a label | its bytes | 4096 bytes | too many types, tasks or labels */
#define LABEL_MOST 4096 /* limit of the bytes of a label */
#define COUNTER_MOST 64 /* limit of the bytes of a counter's name */
#define PAGE_TASKS (OVNI_PAGE / 2)
/* Number of pages from which on prefetching them for a batch pays. */
#define TASK_PAGES_MANY 16
#define TASK_PAGES 4096 /* pages in memory: 16 MiB, for 8 million tasks */

/* Kinds of key in the map. The bits below a kind hold the number of a process; 0 means any
 * process. */
/* WHAT_TYPE times a model's letter: the value of a typeid is the number of its type. WHAT_TASKS plus the letter: the
 * value of a number of tasks is a page. */
#define WHAT_TYPE (1ull << 32)
#define WHAT_TASKS (1ull << 40)
#define WHAT_TITLE (1ull << 41)
#define WHAT_LABEL (1ull << 42) /* plus a mark's type times 2^32 */

/* A cache entry: true in `stop` if the search for names must look at events that begin with these four bytes. */
struct name_search {
	uint32_t head;
	bool stop;
};
#define KNOWN 256

void
ovni_names_open(struct source *s)
{
	struct ovni *o = s->state;
	struct ovni_names *a = o->names = xcalloc(1, sizeof *a);

	strtab_id(&a->text, "", 0);
	strtab_id(&a->process, "", 0);
	a->tasks.fd = -1;
}

void
ovni_names_free(struct ovni *o)
{
	struct ovni_names *a = o->names;

	for (size_t i = 0; i < a->nlist; i++)
		free(a->list[i]);
	free(a->list);
	free(a->map);
	slots_free(&a->map_index);
	free(a->sym);
	strtab_free(&a->text);
	strtab_free(&a->process);
	if (a->tasks.fd >= 0)
		close(a->tasks.fd);
	ovni_pages_free(&a->tasks);
	free(a);
}

static uint32_t
map_hash(uint64_t what, uint64_t id)
{
	return hash_slot(hash_add(hash_add(0, what), id));
}

/* Returns the value of an entry, or NULL if there is none. */
static uint32_t *
mapped(const struct ovni_names *a, uint64_t what, uint64_t id)
{
	uint32_t hash = map_hash(what, id), i;

	for (size_t at = hash; slots_next(&a->map_index, hash, &at, &i);)
		if (a->map[i].what == what && a->map[i].id == id)
			return &a->map[i].value;
	return NULL;
}

static void
full(struct source *s, struct ovni_names *a, const char *path)
{
	if (!a->full)
		fault(s, NULL, COST_STATUS, path, 0,
		      "too many types, tasks or labels: some events have none");
	a->full = true;
}

/* Returns the value of an entry, which is added if it is new; NULL if there are too many. */
static uint32_t *
entry(struct ovni_names *a, uint64_t what, uint64_t id)
{
	uint32_t *v = mapped(a, what, id);

	if (v || a->nmap == NAMES_MOST)
		return v;
	slots_add(&a->map_index, map_hash(what, id), a->nmap);
	*PUSH(a->map, a->nmap, a->mapcap) = (struct ovni_name){.what = what, .id = id};
	return &a->map[a->nmap - 1].value;
}

/* Returns the number of a text, which is added if it is new; 0 if it is empty, too long, or the texts are too
 * many. */
static uint32_t
text(struct ovni_names *a, const void *p, size_t n)
{
	if (!n || n > LABEL_MOST || a->text.bytes > TEXT_MOST)
		return 0;
	return strtab_id(&a->text, p, n);
}

static uint32_t
process_of(struct ovni_names *a, struct ovni_stream *st)
{
	struct buf b = {0};

	/* A stream whose process is unknown gets a process of its own. */
	if (!st->pid)
		buf_add(&b, st->path, strlen(st->path));
	else {
		if (st->loom)
			buf_add(&b, st->loom, strlen(st->loom));
		buf_byte(&b, '\n');
		buf_add(&b, st->pid, strlen(st->pid));
	}
	st->process = strtab_id(&a->process, b.p, b.n);
	buf_free(&b);
	return st->process;
}

/* Notes a name of a mark's type or value: the first name is for all processes; a process with another name gets
 * its own entry. */
static void
name_mark(struct source *s, struct ovni_stream *st, uint64_t what, uint64_t id,
	  const char *value, size_t n)
{
	struct ovni_names *a = ((struct ovni *)s->state)->names;
	uint32_t said = text(a, value, n), *v;

	if (!said) {
		if (n)
			full(s, a, st->path);
		return;
	}
	a->marks = true;
	v = entry(a, what, id);
	if (v && *v && *v != said)
		v = entry(a, what | process_of(a, st), id);
	if (!v)
		full(s, a, st->path);
	else if (!*v)
		*v = said;
}

/* Reads a decimal number at *p, and moves *p after it and the point that must follow, unless it is the last.
 * Returns false if there is none. */
static bool
parse_id(const char **p, bool last, int64_t *v)
{
	bool neg = **p == '-';
	size_t n = strspn(*p + neg, "0123456789");
	uint64_t u;

	if (digits_u64((const uint8_t *)*p + neg, n, &u) || u > INT64_MAX ||
	    (*p)[neg + n] != (last ? '\0' : '.'))
		return false;
	*v = neg ? -(int64_t)u : (int64_t)u;
	*p += neg + n + !last;
	return true;
}

/* Notes the name of counter i of the list `which`, escaped for an argument. */
static void
name_counter(struct source *s, struct ovni_stream *st, unsigned which, uint64_t i,
	     const char *value, size_t n)
{
	struct ovni *o = s->state;
	struct ovni_counters *c = st->counters[which];
	char name[4 * COUNTER_MOST + 1], *p = name;

	if (i >= COUNTERS_MOST || !n)
		return;
	if (!c) {
		size_t rows = COUNTERS_MOST * sizeof *c->name;

		c = st->counters[which] = xcalloc(
		    1, sizeof *c + rows + 2 * (COUNTERS_MOST + 1) * sizeof *c->type);
		c->name = (const char **)(void *)(c + 1);
		c->type = (uint32_t *)(void *)((uint8_t *)(c + 1) + rows);
	}
	for (size_t k = 0; k < n && k < COUNTER_MOST; k++) {
		if (value[k] == '=') {
			memcpy(p, "\\x3d", 4);
			p += 4;
		} else
			p = (char *)put_escaped((uint8_t *)p, value + k, 1);
	}
	c->name[i] = arena_str(&o->mem, name, (size_t)(p - name));
}

void
ovni_names_meta(struct source *s, struct ovni_stream *st, const char *key,
		const char *value, size_t n)
{
	bool nosv = !strncmp(key, "nosv.hwc.", 9);
	const char *p = key + 10;
	int64_t type, v;

	if (nosv || !strncmp(key, "nanos6.hwc.", 11)) {
		p = key + (nosv ? 9 : 11);
		if (parse_id(&p, false, &v) && v >= 0 && !strcmp(p, "name"))
			name_counter(s, st, nosv ? 0 : 1, (uint64_t)v, value, n);
		return;
	}
	if (strncmp(key, "ovni.mark.", 10) != 0 || !parse_id(&p, false, &type) ||
	    type < 0 || type >= OVNI_MARKS)
		return;
	if (!strcmp(p, "title")) {
		name_mark(s, st, WHAT_TITLE, (uint64_t)type, value, n);
	} else if (!strncmp(p, "labels.", 7)) {
		p += 7;
		if (parse_id(&p, true, &v))
			name_mark(s, st, WHAT_LABEL | (uint64_t)type << 32, (uint64_t)v,
				  value, n);
	}
}

/* Completes the counters of a stream after all were read: counters without a name are numbered, and streams with
 * equal counters share one list. */
void
ovni_names_share(struct ovni *o, struct ovni_stream *st)
{
	struct ovni_names *a = o->names;

	for (unsigned w = 0; w < 2; w++) {
		struct ovni_counters *c = st->counters[w];
		size_t i;

		if (!c)
			continue;
		for (c->n = COUNTERS_MOST; !c->name[c->n - 1];)
			c->n--;
		for (uint32_t k = 0; k < c->n; k++) {
			char name[16];
			int n = snprintf(name, sizeof name, "counter%u", (unsigned)k);

			if (!c->name[k])
				c->name[k] = arena_str(&o->mem, name, (size_t)n);
		}
		for (i = 0; i < a->nlist; i++) {
			uint32_t k = 0;

			while (a->list[i]->n == c->n && k < c->n &&
			       !strcmp(a->list[i]->name[k], c->name[k]))
				k++;
			if (k == c->n)
				break;
		}
		if (i < a->nlist) {
			free(c);
			st->counters[w] = a->list[i];
			continue;
		}
		*PUSH(a->list, a->nlist, a->listcap) = c;
		a->counters = true;
	}
}

struct ovni_counters *
ovni_names_counters(const struct ovni_stream *st, const struct ovni_event *e)
{
	return e && e->counters ? st->counters[e->mcv[0] == '6'] : NULL;
}

/* Returns the place of a task's type. With `make`, the page for it is made if there is
 * none. Returns NULL if there is no page, or no further page can be made (full() reports
 * this). */
static uint16_t *
task(struct source *s, struct ovni_stream *st, uint64_t model, uint32_t id, bool make)
{
	struct ovni *o = s->state;
	struct ovni_names *a = o->names;
	uint64_t what = WHAT_TASKS | model * WHAT_TYPE | st->process;
	uint32_t *n = mapped(a, what, id / PAGE_TASKS);
	uint16_t *v;

	if (!n) {
		if (!make)
			return NULL;
		if (a->tasks.fd < 0) {
			int fd = a->full ? -1 : sandbox_temporary();

			if (fd < 0) {
				full(s, a, st->path);
				return NULL;
			}
			ovni_pages_open(s, &a->tasks, fd, TASK_PAGES);
		}
		if (!(n = entry(a, what, id / PAGE_TASKS))) {
			full(s, a, st->path);
			return NULL;
		}
		*n = (uint32_t)a->tasks.n;
	}
	v = (uint16_t *)(void *)ovni_pages_get(&a->tasks, *n);
	if (make)
		a->tasks.slot[*n & (TASK_PAGES - 1)].dirty = true;
	return v + id % PAGE_TASKS;
}

/* Returns the number of a type of tasks; 0 if there is none. With `make` adds it if it is new; 0 then means that
 * there are too many. */
static uint32_t
names_type_of(struct source *s, struct ovni_stream *st, uint64_t model, uint32_t id,
	      bool make)
{
	struct ovni_names *a = ((struct ovni *)s->state)->names;
	uint64_t what = model * WHAT_TYPE | st->process;
	uint32_t *v = make ? entry(a, what, id) : mapped(a, what, id);

	if (!make)
		return v ? *v : 0;
	if (v && !*v && a->ntypes < TYPES_MOST)
		*v = ++a->ntypes;
	if (!v || !*v) {
		full(s, a, st->path);
		return 0;
	}
	return *v;
}

/* Takes an event that labels a type of tasks, or gives a task its type (e->names). */
static void
names_event(struct source *s, struct ovni_stream *st, const struct ovni_event *e,
	    const uint8_t *data, size_t n)
{
	struct ovni_names *a = ((struct ovni *)s->state)->names;
	uint64_t model = (uint8_t)e->mcv[0];
	uint32_t type;

	if (n < 5)
		return;
	if (!st->process)
		process_of(a, st);
	if (e->arg[1].kind == K_STR) {
		const uint8_t *nul = memchr(data + 4, '\0', n - 4);
		size_t len = nul ? (size_t)(nul - data - 4) : n - 4;
		uint32_t label = text(a, data + 4, len);

		if (len && !label)
			full(s, a, st->path);
		if (label && (type = names_type_of(s, st, model, ovni_u32(st, data), true)))
			a->type[type] = label;
	} else if (n >= 8 &&
		   (type = names_type_of(s, st, model, ovni_u32(st, data + 4), true))) {
		uint16_t *v = task(s, st, model, ovni_u32(st, data), true);

		if (v)
			*v = (uint16_t)type;
	}
}

/* Skips events that are whole in memory, name nothing, and are normal. */
static void
pass_others(struct ovni_cursor *c, struct name_search known[KNOWN])
{
	const uint8_t *p = c->p;
	uint64_t last = c->last;

	while (p < c->fast) {
		uint32_t head = ld32(p);
		struct name_search *k = &known[head * OVNI_HASH >> 24];
		uint64_t clock = ld64(p + 4), key = clock + c->add;

		if (unlikely(k->head != head)) {
			const struct ovni_event *e = ovni_event(p + 1);

			k->head = head;
			k->stop = head & (OVNI_RESERVED | OVNI_JUMBO) ||
				  !ovni_printable(p) || (e && e->names) ||
				  !memcmp(p + 1, "OU[", 3);
		}
		if (k->stop || (key | clock) >= OVNI_KEYS)
			break;
		last = key > last ? key : last;
		p += ovni_size(head);
	}
	c->p = p;
	c->last = last;
}

bool
ovni_names_find(struct source *s, struct ovni_stream *st)
{
	struct name_search known[KNOWN] = {{.stop = true}}; /* the entry of head 0 */
	struct ovni_cursor *c;
	struct ovni_frame f;
	bool regions = false;

	/* A pipe that could not be copied cannot be read twice. */
	if (st->failed || (st->in && !st->in->eof))
		return false;
	c = ovni_cursor_new(st, 0, UINT64_MAX);
	c->quiet = true;
	c->stop = UINT64_MAX;
	for (;;) {
		const struct ovni_event *e;

		pass_others(c, known);
		if (c->p >= c->fast && ovni_refill(s, c))
			continue;
		if (!ovni_settle(s, c, &f))
			break;
		e = ovni_event(f.p + 1);
		regions |= !memcmp(f.p + 1, "OU[", 3);
		if (e && e->names)
			names_event(s, st, e, f.data, f.cut ? 0 : (size_t)f.ndata);
		c->last = ovni_key(c, f.clock);
		ovni_pass(s, c, &f);
	}
	ovni_cursor_free(c);
	return regions;
}

/* Returns the number of a text's string in this epoch plus 1, or 0 for text 0. */
static uint32_t
symbol(struct source *s, uint32_t n)
{
	struct ovni_names *a = ((struct ovni *)s->state)->names;

	if (!n)
		return 0;
	CACHE(a->sym, a->sym_cache, s, n + 1);
	if (!a->sym[n])
		a->sym[n] = strtab_id(&s->t.str, a->text.v[n].s, a->text.v[n].len) + 1;
	return a->sym[n];
}

/* Returns the name of a mark in its process, or the one for all processes; 0 if there is none. */
static uint32_t
mark_text(const struct ovni_names *a, const struct ovni_stream *st, uint64_t what,
	  uint64_t id)
{
	const uint32_t *v = mapped(a, what | st->process, id);

	if (!v)
		v = mapped(a, what, id);
	return v ? *v : 0;
}

void
ovni_names_of(struct source *s, struct ovni_stream *st, const uint8_t *data, size_t n,
	      uint32_t sym[2])
{
	struct ovni_names *a = ((struct ovni *)s->state)->names;
	uint32_t type;
	uint64_t v;

	sym[0] = sym[1] = 0;
	if (n < 12 || (type = ovni_u32(st, data + 8)) >= OVNI_MARKS)
		return;
	if (!st->process)
		process_of(a, st);
	v = ovni_u64(st, data);
	sym[0] = symbol(s, mark_text(a, st, WHAT_TITLE, type));
	sym[1] = symbol(s, mark_text(a, st, WHAT_LABEL | (uint64_t)type << 32, v));
}

bool
ovni_names_many(const struct ovni *o)
{
	return o->names->tasks.n >= TASK_PAGES_MANY;
}

void
ovni_names_fetch(const struct source *s, const struct ovni_stream *st,
		 const struct ovni_event *e, uint32_t id)
{
	const struct ovni_names *a = ((const struct ovni *)s->state)->names;
	uint64_t model = (uint8_t)e->mcv[0];
	const uint32_t *n;

	if (!a->tasks.mem || e->labelled != OVNI_TASK)
		return;
	n = mapped(a, WHAT_TASKS | model * WHAT_TYPE | st->process, id / PAGE_TASKS);
	if (n)
		prefetch(a->tasks.mem + (size_t)(*n & (TASK_PAGES - 1)) * OVNI_PAGE +
			 id % PAGE_TASKS * 2);
}

uint32_t
ovni_names_label(struct source *s, struct ovni_stream *st, const struct ovni_event *e,
		 uint32_t id, struct ovni_task *last)
{
	struct ovni_names *a = ((struct ovni *)s->state)->names;
	uint8_t model = (uint8_t)e->mcv[0];
	const uint16_t *v;
	uint32_t type, sym;

	if (last->id == id && last->model == model && last->epoch == s->t.epoch &&
	    e->labelled == OVNI_TASK)
		return last->sym;
	if (!st->process)
		process_of(a, st);
	if (e->labelled == OVNI_TYPE)
		type = names_type_of(s, st, model, id, false);
	else
		type = (v = task(s, st, model, id, false)) ? *v : 0;
	sym = symbol(s, a->type[type]);
	if (e->labelled == OVNI_TASK)
		*last = (struct ovni_task){id, sym, s->t.epoch, model};
	return sym;
}
