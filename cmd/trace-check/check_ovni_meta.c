/* check_ovni_meta.c - the rules of ovni about metadata: see check_ovni.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-check/check_ovni.h"

/* Models, with the version that release 1.14.0 of the emulator reads. */
static const struct {
	char letter;
	const char *name;
	unsigned major, minor;
} models[] = {{'O', "ovni", 1, 1},  {'6', "nanos6", 1, 1}, {'V', "nosv", 2, 7},
	      {'D', "nodes", 1, 0}, {'K', "kernel", 1, 0}, {'T', "tampi", 1, 0},
	      {'M', "mpi", 1, 0},   {'P', "openmp", 1, 2}};
#define MODELS (sizeof models / sizeof *models)

/* The metadata that each thread has since version 3. */
#define OWN_KEYS 5
static const char *const own_keys[OWN_KEYS] = {"part", "tid", "pid", "loom", "app_id"};

/* Returns the place of the metadata of t, which may be NULL. */
static struct trace_place
meta_place(const struct ovni_check *x, const struct ovni_thread *t)
{
	const struct ovni_stream *st = t ? t->st : NULL;
	const char *json = st && st->json ? st->json : st ? st->proc_json : NULL;

	return in_file(json ? json : st ? st->path : x->s->name);
}

void
meta_require(struct ovni_check *x, char model)
{
	size_t i = 0;

	while (i < MODELS - 1 && models[i].letter != model)
		i++;
	x->t->requires |= model_bit(model);
	find_at(x->c, BAD_META_REQUIRE, meta_place(x, x->t),
		"ovni.require lacks %s, of which %.200s has events", models[i].name,
		x->t->name);
}

/* Takes ovni.require.MODEL = X.Y.Z. */
static void
take_require(struct ovni_check *x, struct ovni_thread *t, const char *model,
	     const char *version)
{
	char *end;
	unsigned long major = strtoul(version, &end, 10),
		      minor = *end == '.' ? strtoul(end + 1, &end, 10) : 0;

	for (size_t i = 0; i < MODELS; i++) {
		if (strcmp(models[i].name, model) != 0)
			continue;
		t->requires |= model_bit(models[i].letter);
		/* Traces of version 2 are for the emulators of their time. */
		if (t->version && !strcmp(t->version, "2"))
			return;
		if (*end != '.' || major != models[i].major || minor > models[i].minor)
			find_at(x->c, BAD_META_REQUIRE, x->meta_at,
				"version %.20s of %s: %u.0 to %u.%u are known", version,
				model, models[i].major, models[i].major, models[i].minor);
	}
}

/* Sets *to, or reports under `rule` that it has another value. */
static void
take_same(struct ovni_check *x, unsigned rule, const char **to, const char *value,
	  const char *what)
{
	if (*to && strcmp(*to, value) != 0)
		find_at(x->c, rule, x->meta_at, "%.100s is %.60s, but elsewhere %.60s",
			what, value, *to);
	*to = *to ? *to : value;
}

/* Takes the pair `path` = value, ovni.mark.TYPE.rest, of t. */
static void
take_mark(struct ovni_check *x, const struct ovni_thread *t, const char *path,
	  const char *value)
{
	char *rest;
	unsigned long type = strtoul(path + strlen("ovni.mark."), &rest, 10);
	struct mark_type *k = &x->marks[type % OVNI_MARKS];
	struct map_entry *e;
	const char *label;

	k->any = t;
	if (type >= OVNI_MARKS)
		find_at(x->c, BAD_MARK_DEF, x->meta_at, "%.100s: types are 0 to 99", path);
	else if (!strcmp(rest, ".title"))
		take_same(x, BAD_MARK_DEF, &k->title, value, path);
	else if (!strcmp(rest, ".chan_type")) {
		if (strcmp(value, "single") != 0 && strcmp(value, "stack") != 0)
			find_at(x->c, BAD_MARK_DEF, x->meta_at,
				"%.100s is %.20s, not single or stack", path, value);
		take_same(x, BAD_MARK_DEF, &k->chan, value, path);
	} else if (!strncmp(rest, ".labels.", 8)) {
		e = map_put(x->c, LABELS, strtoull(rest + 8, NULL, 10), type);
		label = (const char *)(uintptr_t)e->v[LABEL];
		take_same(x, BAD_MARK_DEF, &label, value, path);
		e->v[LABEL] = (uintptr_t)label;
	}
}

/* Takes the pair PLACE:path = value; t is the place, a thread or a process. */
static void
take_pair(struct ovni_check *x, struct ovni_thread *t, const char *path, const char *value)
{
	const char *own = !strncmp(path, "ovni.", 5) ? path + 5 : t->is_thread ? "" : path;
	struct ovni_thread *process = &x->thread[t->process];
	const char **to;
	size_t n = strlen(path);
	struct map_entry *e;

	x->meta_at = meta_place(x, t);
	if ((!strncmp(own, "cpus.", 5) || !strncmp(own, "loom_cpus.", 10)) && n > 6 &&
	    !strcmp(path + n - 6, ".index")) {
		e = map_put(x->c, CPUS, strtoull(value, NULL, 10), t->loom);
		e->v[LISTED] = 1;
		x->thread[t->loom].has_cpus = e->live;
	}
	to = !strcmp(own, "app_id")   ? &process->app_id
	     : !strcmp(own, "rank")   ? &process->rank
	     : !strcmp(own, "nranks") ? &process->nranks
				      : NULL;
	if (to)
		take_same(x, BAD_META_SAME, to, value, path);
	if (!t->is_thread)
		return;
	process->any = t;
	for (unsigned i = 0; i < OWN_KEYS; i++)
		if (!strcmp(own, own_keys[i]))
			t->keys |= (uint8_t)(1u << i);
	if (!strcmp(path, "version"))
		t->version = value;
	else if (!strcmp(own, "finished"))
		t->finished = !strcmp(value, "1");
	else if (!strncmp(own, "require.", 8))
		take_require(x, t, own + 8, value);
	else if (!strncmp(own, "mark.", 5))
		take_mark(x, t, path, value);
	else if (!strcmp(own, "lib.version"))
		take_same(x, BAD_META_LIB, &x->lib, value, path);
}

/* Looks at the metadata of process p, after all were taken. */
static void
check_process(struct ovni_check *x, const struct ovni_thread *p)
{
	const char *rank = p->rank, *of = p->nranks;
	uint64_t app = p->app_id ? strtoull(p->app_id, NULL, 10) : 0, r, n;
	struct trace_place at = meta_place(x, p->any);
	struct map_entry *e;

	if (p->app_id && (!app || *p->app_id == '-'))
		find_at(x->c, BAD_META_KEYS, at, "app_id is %.20s, not above 0", p->app_id);
	if (!rank && !of)
		return;
	r = rank ? strtoull(rank, NULL, 10) : 0;
	n = of ? strtoull(of, NULL, 10) : 0;
	/* A number with a sign becomes a large one. */
	if (!rank || r >= n) {
		find_at(x->c, BAD_META_RANK, at, "rank is %.20s, nranks %.20s",
			rank ? rank : "missing", of ? of : "missing");
		return;
	}
	e = map_put(x->c, RANKS, r, app);
	if (e->v[RANK_PROCESS])
		find_at(x->c, BAD_META_NRANKS, at, "process %.100s has rank %.20s, too",
			x->thread[e->v[RANK_PROCESS] - 1].name, rank);
	e->v[RANK_PROCESS] = thread_number(x, p) + 1;
	e = map_put(x->c, RANKS_OF, app);
	if (!e->v[RANKS_SEEN]++)
		e->at = at;
	e->v[RANKS_WANTED] = n;
}

/* Looks at the path of a stream. */
static void
check_path(struct check_run *c, const struct ovni_stream *st)
{
	const char *loom = NULL;
	char want[1400];
	size_t n;

	for (const char *p = st->path; (p = strstr(p, "loom.")); p++)
		loom = p == st->path || p[-1] == '/' ? p : loom;
	if (!loom || !strstr(loom, "/proc.") || !strstr(loom, "/thread.") ||
	    (st->loom && strchr(st->loom, '/')))
		find_at(c, BAD_DIRS, in_file(st->path),
			"not loom.NAME/proc.PID/thread.TID");
	else if (st->loom && st->pid && st->tid) {
		snprintf(want, sizeof want, "loom.%.1023s/proc.%.150s/thread.%.150s",
			 st->loom, st->pid, st->tid);
		n = strlen(want);
		if (strncmp(loom, want, n) != 0 ||
		    (loom[n] && loom[n] != '/' && loom[n] != '.'))
			find_at(c, BAD_PATH, in_file(st->path), "the metadata are of %s",
				want);
	}
}

/* Looks at the metadata of t, after all were taken. */
static void
check_thread(struct ovni_check *x, const struct ovni_thread *t)
{
	if (!t->version || (t->st && t->st->meta_bad))
		return;
	if (!t->finished)
		find_at(x->c, BAD_META_FINISHED, meta_place(x, t),
			"ovni.finished is not 1: the run of %.200s died", t->name);
	x->c->cut |= !t->finished;
	for (unsigned i = 0; !strcmp(t->version, "3") && i < OWN_KEYS; i++)
		/* The reader itself reports that a process has no app_id. */
		if (!(t->keys >> i & 1) && (!t->st || i < OWN_KEYS - 1))
			find_at(x->c, BAD_META_KEYS, meta_place(x, t), "ovni.%s is missing",
				own_keys[i]);
}

void
meta_check(struct ovni_check *x)
{
	const struct head *h = &x->s->head;
	const struct ovni *o = x->s->state;
	const struct map_entry *e = NULL;

	for (size_t i = 0; i < h->nmeta; i++) {
		const char *key = h->meta[i].key;
		size_t n = strcspn(key, ":"), loom = strcspn(key, "/");
		struct ovni_thread *t;

		if (!key[n] || loom > n || !(t = thread_named(x, key, n)))
			continue;
		t->is_thread |= t->process != thread_number(x, t);
		take_pair(x, t, key + n + 1, h->meta[i].value);
	}
	for (uint32_t i = 0; i < x->names.n; i++) {
		check_thread(x, &x->thread[i]);
		check_process(x, &x->thread[i]);
	}
	while ((e = map_next(x->c, RANKS_OF, e)))
		if (e->v[RANKS_SEEN] != e->v[RANKS_WANTED])
			find_at(x->c, BAD_META_NRANKS, e->at,
				"application %u has " U64 " ranks; " U64 " are there",
				(unsigned)e->key[0], e->v[RANKS_WANTED], e->v[RANKS_SEEN]);
	for (unsigned i = 0; i < OVNI_MARKS; i++)
		if (!x->marks[i].title != !x->marks[i].chan)
			find_at(x->c, BAD_MARK_DEF, meta_place(x, x->marks[i].any),
				"mark type %u has no %s", i,
				x->marks[i].title ? "chan_type" : "title");
	for (size_t i = 0; !is_stream(x->c) && i < o->n; i++)
		check_path(x->c, &o->st[i]);
}
