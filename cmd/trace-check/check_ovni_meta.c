/* check_ovni_meta.c - the rules of ovni about metadata: see check_ovni.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "trace-check/check_ovni.h"

/* Models in the order of MODELS, with the version that release 1.14.0 of the emulator reads. */
static const struct {
	const char *name;
	unsigned major, minor;
} models[] = {{"ovni", 1, 1},	{"nanos6", 1, 1}, {"nosv", 2, 7}, {"nodes", 1, 0},
	      {"kernel", 1, 0}, {"tampi", 1, 0},  {"mpi", 1, 0},  {"openmp", 1, 2}};

/* Metadata that each thread has. */
static const char *const own_keys[] = {"part", "tid", "pid", "loom"};
#define OWN_ALL 15

/* Metadata of a process, on which its threads agree. */
static const char *const shared_keys[] = {"app_id", "rank", "nranks"};
enum {
	APP,
	RANK,
	NRANKS,
	SHARED
};

struct ovni_process {
	const char *value[SHARED];
	uint32_t thread; /* one of its threads, plus 1 */
};

struct meta_check {
	struct ovni_check *x;
	struct ovni_process *process; /* by number in x->processes */
	size_t process_cap;
	const char *lib;	/* version of libovni of the first thread */
	unsigned long bad_mark; /* the last type of marks that does not exist */
};

/* Returns the place of the metadata of t. */
static struct trace_place
meta_place(const struct ovni_check *x, const struct ovni_thread *t)
{
	const struct ovni_stream *st = t ? t->st : NULL;

	return in_file(!st	       ? x->s->name
		       : st->json      ? st->json
		       : st->proc_json ? st->proc_json
				       : st->path);
}

void
meta_require(struct ovni_check *x, struct ovni_thread *t, unsigned model)
{
	t->require_said |= (uint8_t)(1u << model);
	find(x->c, BAD_META_REQUIRE, meta_place(x, t),
	     "thread %.200s has events of %s, but ovni.require does not name it", t->name,
	     models[model].name);
}

/* Takes ovni.require.MODEL = X.Y.Z. */
static void
take_require(struct ovni_check *x, struct ovni_thread *t, const char *model,
	     const char *version)
{
	for (unsigned i = 0; i < NMODELS; i++) {
		char *end;
		unsigned long major = strtoul(version, &end, 10),
			      minor = *end == '.' ? strtoul(end + 1, &end, 10) : 0;

		if (strcmp(models[i].name, model) != 0)
			continue;
		t->requires |= (uint8_t)(1u << i);
		if (*end != '.' || major != models[i].major || minor > models[i].minor)
			find(x->c, BAD_META_REQUIRE, meta_place(x, t),
			     "version %.20s of %s: %u.0 to %u.%u is expected", version,
			     model, models[i].major, models[i].major, models[i].minor);
	}
}

/* Sets *to, or reports that it has another value. */
static void
take_same(struct meta_check *m, const struct ovni_thread *t, const char **to,
	  const char *value, unsigned long type, const char *name)
{
	if (*to && strcmp(*to, value) != 0)
		find(m->x->c, BAD_MARK_DEF, meta_place(m->x, t),
		     "mark type %lu: %s %.60s, but %.60s in another thread or value", type,
		     name, value, *to);
	*to = *to ? *to : value;
}

/* Takes ovni.mark.TYPE.path. */
static void
take_mark(struct meta_check *m, const struct ovni_thread *t, const char *text,
	  const char *value)
{
	struct ovni_check *x = m->x;
	char *path;
	unsigned long type = strtoul(text, &path, 10);
	struct mark_type *k = &x->mark[type % OVNI_MARKS];
	struct map_entry *e;

	if (path == text || *path != '.' || type >= OVNI_MARKS) {
		if (type != m->bad_mark)
			find(x->c, BAD_MARK_DEF, meta_place(x, t),
			     "mark type %.20s: 0 to %d are expected", text, OVNI_MARKS - 1);
		m->bad_mark = type;
		return;
	}
	if (!k->title && !k->chan)
		k->thread = thread_number(x, t);
	if (!strcmp(path, ".title"))
		take_same(m, t, &k->title, value, type, "title");
	else if (!strcmp(path, ".chan_type")) {
		if (strcmp(value, "single") != 0 && strcmp(value, "stack") != 0)
			find(x->c, BAD_MARK_DEF, meta_place(x, t),
			     "mark type %lu: chan_type %.20s: single or stack is expected",
			     type, value);
		take_same(m, t, &k->chan, value, type, "chan_type");
	} else if (!strncmp(path, ".labels.", 8) &&
		   (e = map_put(x->c, &x->ids, id_key(ID_LABEL, (uint32_t)type),
				strtoull(path + 8, NULL, 10), 0,
				(struct trace_place){0}))) {
		const char *label = (const char *)(uintptr_t)e->v[0];

		take_same(m, t, &label, value, type, "label");
		e->v[0] = (uintptr_t)label;
	}
}

/* Takes the pair PLACE:path = value; t is the thread of the place, or NULL for a process. */
static void
take_pair(struct meta_check *m, struct ovni_thread *t, uint32_t loom, uint32_t process,
	  const char *path, const char *value)
{
	struct ovni_check *x = m->x;
	const char *own = !strncmp(path, "ovni.", 5) ? path + 5 : t ? "" : path;
	const char *cpus = !strncmp(own, "loom_", 5) ? own + 5 : own;
	size_t n = strlen(path);
	struct ovni_process *p;

	GROW(m->process, m->process_cap, process + 1u);
	p = &m->process[process];
	if (!strncmp(cpus, "cpus.", 5) && n > 6 && !strcmp(path + n - 6, ".index")) {
		struct map_entry *e;

		for (int i = 0; i < 2; i++) {
			/* The entry INT64_MIN: the loom has a list. */
			e = map_put(x->c, &x->ids, id_key(ID_CPU, loom),
				    i ? (uint64_t)INT64_MIN : strtoull(value, NULL, 10), 0,
				    (struct trace_place){0});
			if (e)
				e->v[0] = 1;
		}
		return;
	}
	for (unsigned i = 0; i < SHARED; i++) {
		if (strcmp(own, shared_keys[i]) != 0)
			continue;
		if (p->value[i] && t && strcmp(p->value[i], value) != 0)
			find(x->c, BAD_META_SAME, meta_place(x, t),
			     "%s is %.20s, but %.20s in another thread of the process", own,
			     value, p->value[i]);
		p->value[i] = p->value[i] ? p->value[i] : value;
	}
	if (!t)
		return;
	p->thread = thread_number(x, t) + 1;
	for (unsigned i = 0; i < sizeof own_keys / sizeof *own_keys; i++)
		if (!strcmp(own, own_keys[i]))
			t->keys |= (uint8_t)(1u << i);
	if (!strcmp(path, "version")) {
		t->metadata = true;
		t->version = value;
	} else if (!strcmp(own, "finished"))
		t->finished = !strcmp(value, "1");
	else if (!strncmp(own, "require.", 8))
		take_require(x, t, own + 8, value);
	else if (!strncmp(own, "mark.", 5))
		take_mark(m, t, own + 5, value);
	else if (!strcmp(own, "lib.version")) {
		if (m->lib && strcmp(m->lib, value) != 0)
			find(x->c, BAD_META_LIB, meta_place(x, t),
			     "libovni %.40s wrote this, and %.40s another thread", value,
			     m->lib);
		m->lib = m->lib ? m->lib : value;
	}
}

/* Looks at the metadata of a thread, after all were taken. */
static void
check_thread(struct meta_check *m, const struct ovni_thread *t)
{
	struct ovni_check *x = m->x;
	const struct ovni_process *p = &m->process[t->process];
	struct trace_place at = meta_place(x, t);

	if (!t->finished) {
		find(x->c, BAD_META_FINISHED, at,
		     "ovni.finished is not 1: the run of thread %.200s was cut", t->name);
		x->c->cut = true;
	}
	if (strcmp(t->version, "3") != 0)
		return;
	for (unsigned i = 0; i < sizeof own_keys / sizeof *own_keys; i++)
		if (!(t->keys >> i & 1))
			find(x->c, BAD_META_KEYS, at, "ovni.%s is missing", own_keys[i]);
	if (p->value[APP] ? strtol(p->value[APP], NULL, 10) <= 0 : !t->st)
		find(x->c, BAD_META_KEYS, at,
		     "ovni.app_id is %.20s: a number above 0 is "
		     "expected",
		     p->value[APP] ? p->value[APP] : "missing");
}

/* Looks at the rank of a process. */
static void
check_rank(struct meta_check *m, uint32_t process)
{
	struct ovni_check *x = m->x;
	const struct ovni_process *p = &m->process[process];
	struct trace_place none = {0}, at;
	const char *rank = p->value[RANK], *of = p->value[NRANKS];
	uint32_t app;
	uint64_t r, n;
	struct map_entry *e;

	at = meta_place(x, p->thread ? &x->thread[p->thread - 1] : NULL);
	if (!rank && !of)
		return;
	if (!rank || !of) {
		find(x->c, BAD_META_RANK, at, "%s is missing, but %s is there",
		     rank ? "nranks" : "rank", rank ? "rank" : "nranks");
		return;
	}
	if (digits_u64((const uint8_t *)rank, strlen(rank), &r) ||
	    digits_u64((const uint8_t *)of, strlen(of), &n) || r >= n) {
		find(x->c, BAD_META_RANK, at, "rank %.20s of %.20s", rank, of);
		return;
	}
	app = (uint32_t)strtoul(p->value[APP] ? p->value[APP] : "0", NULL, 10);
	e = map_put(x->c, &x->ids, id_key(ID_RANK, app), r, 0, none);
	if (e && e->v[0])
		find(x->c, BAD_META_NRANKS, at,
		     "rank %.20s of application %u is process %.100s, too", rank, app,
		     x->processes.v[e->v[0] - 1].s);
	else if (e) {
		e->v[0] = process + 1;
		e = map_put(x->c, &x->ids, id_key(ID_RANK, app), 0, 1, at);
		if (e) {
			e->v[0]++;
			e->v[1] = n;
		}
	}
}

/* Looks at the path of a stream. */
static void
check_path(struct ovni_check *x, const struct ovni_stream *st)
{
	static const char *const parts[] = {"/thread.", "/proc.", "/loom."};
	const char *want[] = {st->tid, st->pid, st->loom};
	char *path = xstrdup(st->path), *slash = strrchr(path, '/');
	unsigned i = 0;

	if (slash && !strcmp(slash, "/stream.obs"))
		*slash = '\0';
	else if (strlen(path) > 4 && !strcmp(path + strlen(path) - 4, ".obs"))
		path[strlen(path) - 4] = '\0';
	for (; i < 3 && (slash = strrchr(path, '/')); i++) {
		size_t n = strlen(parts[i]);

		if (strncmp(slash, parts[i], n) != 0)
			break;
		if (want[i] && strcmp(slash + n, want[i]) != 0)
			find(x->c, BAD_PATH, in_file(st->path),
			     "the path has %.100s, but the metadata %.100s", slash + 1,
			     want[i]);
		*slash = '\0';
	}
	free(path);
	if (i < 2 || (i == 2 && slash) || (st->loom && strchr(st->loom, '/')))
		find(x->c, BAD_DIRS, in_file(st->path),
		     "the path is not loom.NAME/proc.PID/thread.TID");
}

void
meta_check(struct ovni_check *x)
{
	const struct head *h = &x->s->head;
	const struct ovni *o = x->s->state;
	struct meta_check m = {.x = x, .bad_mark = OVNI_MARKS - 1};

	for (size_t i = 0; i < h->nmeta; i++) {
		const char *key = h->meta[i].key, *colon = strchr(key, ':');
		const char *slash = colon ? memchr(key, '/', (size_t)(colon - key)) : NULL,
			   *next;
		struct ovni_thread *t = NULL;
		uint32_t loom, process;

		if (!slash)
			continue;
		next = memchr(slash + 1, '/', (size_t)(colon - slash - 1));
		if (next && !(t = thread_named(x, key, (size_t)(colon - key))))
			break;
		loom = strtab_id(&x->looms, key, (size_t)(slash - key));
		process =
		    strtab_id(&x->processes, key, (size_t)((next ? next : colon) - key));
		take_pair(&m, t, loom, process, colon + 1, h->meta[i].value);
	}
	GROW(m.process, m.process_cap, x->processes.n + (size_t)1);
	for (uint32_t i = 0; i < x->names.n; i++)
		if (x->thread[i].metadata &&
		    !(x->thread[i].st && x->thread[i].st->meta_bad))
			check_thread(&m, &x->thread[i]);
	for (uint32_t i = 0; i < x->processes.n; i++)
		check_rank(&m, i);
	for (size_t i = 0; i < x->ids.n; i++) {
		const struct map_entry *e = &x->ids.e[i];

		if (e->key[0] >> 32 == ID_RANK && e->key[2] && e->v[0] != e->v[1])
			find(x->c, BAD_META_NRANKS, e->at,
			     "application %u has %llu ranks, but %llu are there",
			     (unsigned)e->key[0], (unsigned long long)e->v[1],
			     (unsigned long long)e->v[0]);
	}
	for (unsigned i = 0; i < OVNI_MARKS; i++)
		if (!x->mark[i].title != !x->mark[i].chan)
			find(x->c, BAD_MARK_DEF,
			     meta_place(x, &x->thread[x->mark[i].thread]),
			     "mark type %u has no %s", i,
			     x->mark[i].title ? "chan_type" : "title");
	for (size_t i = 0; !is_stream(x->s) && i < o->n; i++)
		check_path(x, &o->st[i]);
	free(m.process);
}
