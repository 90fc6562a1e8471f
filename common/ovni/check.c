/* check.c - reports impossible metadata of a trace, and clocks that cannot be compared. No event is lost because
 * of these. */
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/fault.h"
#include "ovni/ovni_trace.h"

/* Remarks that are printed for one trace; further remarks are only counted. */
#define REMARKS 10
/* Limit of the processors of a loom that are checked. A loom with more is not checked. */
#define CPUS_MOST 8192
/* In ns. Clocks of two machines whose runs begin further apart were probably never synchronized. */
#define HOUR 3600000000000ull

/* The processors of one loom, from the metadata of all its processes. */
struct ovni_loom {
	const struct ovni_stream *st; /* one of the loom's streams */
	const char *pid;	      /* process of the last list */
	/* Processors as in struct ovni_cpus, sorted, each once. */
	uint64_t *v;
	size_t n, cap;
	bool given, several, empty, broken, no_phyid, many;
	bool unknown; /* the metadata of a process cannot be read */
};

void
ovni_remark(struct source *s, const char *rule, const char *name, const char *fmt, ...)
{
	struct ovni *o = s->state;
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (o->remarks++ < REMARKS)
		fault(s, rule, COST_NONE, name, NOWHERE, "%s", text);
}

/* Returns the loom of a stream. Looms with the same name below two paths of the command line are different. */
static struct ovni_loom *
loom_of(struct ovni *o, const struct ovni_stream *st)
{
	uint8_t key[1200];
	size_t n = strlen(st->loom), at = sizeof st->root;
	uint32_t known = o->loom_names.n, id;

	n = n < sizeof key - at ? n : sizeof key - at;
	memcpy(key, &st->root, at);
	memcpy(key + at, st->loom, n);
	id = strtab_id(&o->loom_names, key, at + n);
	if (id == known) {
		GROW(o->loom, o->loomcap, id + 1u);
		o->loom[id] = (struct ovni_loom){.st = st};
	}
	return &o->loom[id];
}

/* Adds a processor to the loom. Returns false if the loom already has it. */
static bool
add_cpu(struct ovni_loom *l, uint64_t cpu)
{
	size_t lo = 0, hi = l->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (l->v[mid] < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < l->n && l->v[lo] == cpu)
		return false;
	l->many |= l->n == CPUS_MOST;
	if (l->many)
		return true;
	GROW(l->v, l->cap, l->n + 1);
	memmove(l->v + lo + 1, l->v + lo, (l->n++ - lo) * sizeof *l->v);
	l->v[lo] = cpu;
	return true;
}

void
ovni_check_cpus(struct source *s, const struct ovni_stream *st, struct ovni_cpus *c,
		bool one)
{
	struct ovni_loom *l;
	bool other, twice = false;

	if (!c->given || !st->loom)
		return;
	l = loom_of(s->state, st);
	/* Threads of one process may all have the list of their process. */
	other = l->given && (!l->pid || !st->pid || strcmp(l->pid, st->pid) != 0);
	l->given = true;
	l->pid = st->pid;
	l->empty |= !c->n;
	l->broken |= c->broken;
	for (size_t i = 0; i < c->n && !l->many; i++) {
		l->broken |= c->v[i] >> 32 == UINT32_MAX;
		l->no_phyid |= (uint32_t)c->v[i] == UINT32_MAX;
		twice |= !add_cpu(l, c->v[i]);
	}
	/* In metadata of version 3 each process may list other processors. */
	l->several |= other && (one || twice);
}

/* Returns true if the path of the command line is a whole trace, not a loom or process
 * within one. Other parts of the loom may exist outside of such a path. */
static bool
whole(const struct ovni_stream *st)
{
	static const char *const parts[] = {"proc.", "thread.", "stream."};
	char *real = st->root ? realpath(st->root, NULL) : NULL;
	const char *slash = real ? strrchr(real, '/') : NULL;
	struct stat sb;
	bool all = slash && stat(real, &sb) == 0 && S_ISDIR(sb.st_mode);

	for (size_t i = 0; all && i < sizeof parts / sizeof *parts; i++)
		all = strncmp(slash + 1, parts[i], strlen(parts[i])) != 0;
	free(real);
	return all;
}

static int
cmp_u32(const void *a, const void *b)
{
	uint32_t x = (uint32_t) * (const uint64_t *)a, y = (uint32_t) * (const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Reports indexes that do not count from 0 without a gap, and processors with two indexes. */
static void
check_indexes(struct source *s, struct ovni_loom *l)
{
	const char *root = l->st->root, *loom = l->st->loom;

	for (size_t i = 0; i < l->n; i++) {
		unsigned index = (unsigned)(l->v[i] >> 32);

		if (index == i)
			continue;
		if (i && index == i - 1)
			ovni_remark(s, "ovni-cpu-index", root,
				    "loom %.200s: cpus %u and %u have the same index, %u",
				    loom, (unsigned)l->v[i - 1], (unsigned)l->v[i], index);
		else
			ovni_remark(s, "ovni-cpu-index", root,
				    "loom %.200s: none of the %zu cpus has index %zu", loom,
				    l->n, i);
		return;
	}
	qsort(l->v, l->n, sizeof *l->v, cmp_u32);
	for (size_t i = 1; i < l->n; i++) {
		if (cmp_u32(&l->v[i - 1], &l->v[i]) == 0) {
			ovni_remark(s, "ovni-cpu-phyid", root,
				    "loom %.200s: cpu %u has two indexes", loom,
				    (unsigned)l->v[i]);
			return;
		}
	}
}

static void
check_loom(struct source *s, struct ovni_loom *l)
{
	const char *root = l->st->root, *loom = l->st->loom;
	bool all = whole(l->st);

	if (!l->given) {
		if (all && !l->unknown)
			ovni_remark(s, "ovni-cpus", root,
				    "loom %.200s: no process lists its cpus", loom);
		return;
	}
	if (l->several)
		ovni_remark(
		    s, "ovni-cpus", root,
		    "loom %.200s: several processes list its cpus, where one should", loom);
	if (l->empty)
		ovni_remark(s, "ovni-cpus", root, "loom %.200s: the list of cpus is empty",
			    loom);
	if (l->broken)
		ovni_remark(s, "ovni-cpu-index", root,
			    "loom %.200s: a cpu has no index that is a number, 0 or more",
			    loom);
	if (l->no_phyid)
		ovni_remark(s, "ovni-cpu-phyid", root,
			    "loom %.200s: a cpu has no phyid that is a number, 0 or more",
			    loom);
	if (l->broken || l->no_phyid)
		return;
	if (all && !l->unknown && !l->many && l->n)
		check_indexes(s, l);
}

bool
ovni_same_process(const struct ovni_stream *a, const struct ovni_stream *b)
{
	return a->root == b->root && a->loom && b->loom && a->pid && b->pid &&
	       !strcmp(a->loom, b->loom) && !strcmp(a->pid, b->pid);
}

/* Copies app_id and rank to all streams of the process of stream i, if one of them has these. *bad becomes true if
 * the metadata of a stream cannot be read. Returns the number of the next process's first stream. */
static size_t
process(struct ovni *o, size_t i, bool *bad)
{
	struct ovni_stream *first = &o->st[i];
	size_t end = i;

	*bad = false;
	for (; end < o->n && (end == i || ovni_same_process(first, &o->st[end])); end++) {
		const struct ovni_stream *st = &o->st[end];

		first->app_id = first->app_id ? first->app_id : st->app_id;
		first->rank = first->rank ? first->rank : st->rank;
		*bad |= st->meta_bad;
	}
	for (size_t k = i + 1; k < end; k++) {
		o->st[k].app_id = first->app_id;
		o->st[k].rank = first->rank;
	}
	return end;
}

void
ovni_check_meta(struct source *s)
{
	struct ovni *o = s->state;
	bool bad;

	for (size_t i = 0, next; i < o->n; i = next) {
		const struct ovni_stream *st = &o->st[i];
		const char *json = st->proc_json ? st->proc_json : st->json;

		next = process(o, i, &bad);
		if (st->loom && json)
			loom_of(o, st)->unknown |= bad;
		if (json && !bad && !st->app_id)
			ovni_remark(s, "ovni-meta-keys", json,
				    "app_id, the number of the application, is missing");
	}
	for (size_t i = 0; i < o->loom_names.n; i++) {
		check_loom(s, &o->loom[i]);
		free(o->loom[i].v);
	}
	if (o->remarks > REMARKS)
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "left out %u more messages of this kind", o->remarks - REMARKS);
	o->remarks = 0;
	strtab_free(&o->loom_names);
	FREE(o->loom);
}

/* Returns the first stream that is from another machine than the first stream, and the latter in *first; NULL if
 * there is none. */
static const struct ovni_stream *
other_host(const struct ovni *o, const struct ovni_stream **first)
{
	size_t n = 0;

	*first = NULL;
	for (size_t i = 0; i < o->n; i++) {
		const struct ovni_stream *st = &o->st[i];

		if (!st->loom)
			continue;
		if (!*first) {
			*first = st;
			n = strcspn(st->loom, ".");
		} else if (strcspn(st->loom, ".") != n ||
			   strncmp((*first)->loom, st->loom, n) != 0)
			return st;
	}
	return NULL;
}

void
ovni_check_clocks(struct source *s)
{
	const struct ovni *o = s->state;
	const struct ovni_stream *host, *other, *least = NULL, *most = NULL;

	if (o->opt.raw_clock || !(o->need & (NEED_TIME | NEED_ORDER)))
		return;
	if (o->unsynced && (other = other_host(o, &host)))
		ovni_remark(s, "ovni-offsets-missing", s->name,
			    "looms %.100s and %.100s are of two machines: without "
			    "clock-offsets.txt times cannot be compared",
			    host->loom, other->loom);
	for (size_t i = 0; i < o->n; i++) {
		const struct ovni_stream *st = &o->st[i];

		if (st->first >= OVNI_KEYS)
			continue;
		least = !least || st->first < least->first ? st : least;
		most = !most || st->first > most->first ? st : most;
	}
	if (least && most->first - least->first >= HOUR)
		ovni_remark(s, "ovni-clock-gate", most->path,
			    "the first event is %.2f h after that of %.300s: the clocks "
			    "were probably set differently",
			    (double)(most->first - least->first) / (double)HOUR,
			    least->path);
}
