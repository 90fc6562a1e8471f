/* ovni_encode_json.c - metadata as a tree, and as the JSON that libovni writes.
 *
 * The reader gives each value with its dotted path. The path, or the look of a value, shows whether it was a
 * number or a text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/json.h"
#include "table/table.h"
#include "trace-convert/ovni_encode.h"

#define DEPTH_MOST (JSON_DEPTH - 2)

const struct ovni_out_model ovni_out_models[OVNI_OUT_MODELS] = {
    {'O', "ovni", "1.1.0"},  {'6', "nanos6", "1.1.0"}, {'V', "nosv", "2.7.0"},
    {'D', "nodes", "1.0.0"}, {'K', "kernel", "1.0.0"}, {'T', "tampi", "1.0.0"},
    {'M', "mpi", "1.0.0"},   {'P', "openmp", "1.2.1"},
};

/* Makes the string of a node: its parent, and its name. */
static void
key_of(struct buf *b, uint32_t parent, const char *name, size_t n)
{
	b->n = 0;
	buf_add(b, &parent, sizeof parent);
	buf_add(b, name, n);
}

uint32_t
ovni_tree_find(const struct ovni_tree *t, uint32_t parent, const char *name, size_t n)
{
	struct buf b = {0};
	uint32_t id;
	bool found;

	key_of(&b, parent, name, n);
	found = strtab_find(&t->names, b.p, b.n, &id);
	buf_free(&b);
	return found ? id : 0;
}

uint32_t
ovni_tree_node(struct ovni_tree *t, uint32_t parent, const char *name, size_t n)
{
	struct buf b = {0};
	struct ovni_node *up;
	uint32_t known, id;

	if (!t->names.n) /* node 0 is none */
		strtab_id(&t->names, "", 0);
	known = t->names.n;
	key_of(&b, parent, name, n);
	id = strtab_id(&t->names, b.p, b.n);
	buf_free(&b);
	GROW(t->v, t->cap, (size_t)id + 1);
	if (id < known || !parent)
		return id;
	up = &t->v[parent];
	if (up->last)
		t->v[up->last].next = id;
	else
		up->first = id;
	up->last = id;
	return id;
}

void
ovni_tree_set(struct ovni_tree *t, uint32_t root, const char *path, const char *value,
	      bool again)
{
	uint32_t at = root, depth = 0;
	const char *dot = path;

	for (const char *p = path; *p; p++)
		depth += *p == '.';
	if (!*path || strlen(path) >= JSON_PATH || depth >= DEPTH_MOST)
		return;
	for (;; path = dot + 1) {
		if (t->v[at].value)
			return;
		dot = path + strcspn(path, ".");
		at = ovni_tree_node(t, at, path, (size_t)(dot - path));
		if (!*dot)
			break;
	}
	if (t->v[at].first || (t->v[at].value && !again))
		return;
	t->v[at].value = arena_str(&t->mem, value, strlen(value));
}

static const char *
json_name(const struct ovni_tree *t, uint32_t node, size_t *n)
{
	const struct str *s = &t->names.v[node];

	*n = s->len - sizeof(uint32_t);
	return s->s + sizeof(uint32_t);
}

/* Returns whether the word s[0..n) is one of `words`, which blanks separate. */
static bool
is_one_of(const char *words, const char *s, size_t n)
{
	for (; *words; words += strcspn(words, " "), words += *words == ' ')
		if (strcspn(words, " ") == n && !memcmp(words, s, n))
			return true;
	return false;
}

/* Returns whether a value is a text, although it may look like a number. */
static bool
is_text(const struct ovni_tree *t, uint32_t parent, uint32_t node)
{
	const char *name, *value = t->v[node].value;
	size_t n, len = strlen(value);

	name = json_name(t, node, &n);
	if (is_one_of("loom part title chan_type name", name, n))
		return true;
	name = json_name(t, parent, &n);
	if (is_one_of("lib require labels", name, n))
		return true;
	return !len || (json_number(value, len) != len &&
			!is_one_of("true false null {} []", value, len));
}

/* Returns whether the children of a node are the elements of an array, as processors are. */
static bool
is_array(const struct ovni_tree *t, uint32_t node)
{
	const char *name;
	char number[16];
	size_t n, k = 0;

	name = json_name(t, node, &n);
	if (!is_one_of("loom_cpus", name, n))
		return false;
	for (uint32_t c = t->v[node].first; c; c = t->v[c].next) {
		name = json_name(t, c, &n);
		if (snprintf(number, sizeof number, "%zu", k++) != (int)n ||
		    memcmp(number, name, n) != 0)
			return false;
	}
	return true;
}

static void
indent(struct buf *b, unsigned depth)
{
	buf_byte(b, '\n');
	while (depth--)
		buf_add(b, "    ", 4);
}

/* Appends a node as JSON. ovni_tree_set() limits the depth. */
static void
put_node(struct buf *b, const struct ovni_tree *t, uint32_t parent, uint32_t node,
	 unsigned depth)
{
	const struct ovni_node *at = &t->v[node];
	bool array = is_array(t, node);
	size_t n;

	if (at->value && is_text(t, parent, node)) {
		json_string(b, at->value, strlen(at->value));
		return;
	}
	if (at->value) {
		buf_add(b, at->value, strlen(at->value));
		return;
	}
	buf_byte(b, array ? '[' : '{');
	for (uint32_t c = at->first; c; c = t->v[c].next) {
		const char *name = json_name(t, c, &n);

		if (c != at->first)
			buf_byte(b, ',');
		indent(b, depth + 1);
		if (!array) {
			json_string(b, name, n);
			buf_add(b, ": ", 2);
		}
		put_node(b, t, node, c, depth + 1);
	}
	if (at->first)
		indent(b, depth);
	buf_byte(b, array ? ']' : '}');
}

static uint32_t
below(const struct ovni_tree *t, uint32_t node, const char *name)
{
	return node ? ovni_tree_find(t, node, name, strlen(name)) : 0;
}

static void
set_number(struct ovni_tree *t, uint32_t root, const char *path, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)v);
	ovni_tree_set(t, root, path, text, false);
}

/* Adds the processors of a loom: in an older trace from its process, or else as many as events name. */
static void
set_cpus(struct ovni_out *c, const struct ovni_out_thread *th, uint32_t ovni)
{
	struct ovni_tree *t = &c->tree;
	uint32_t from = below(t, th->process, "cpus"), to;
	char path[64];

	to = ovni_tree_node(t, ovni, "loom_cpus", 9);
	c->loom[th->loom].cpus = true;
	if (from && !t->v[from].value) {
		t->v[to] = (struct ovni_node){.first = t->v[from].first,
					      .last = t->v[from].last,
					      .next = t->v[to].next};
		return;
	}
	for (uint64_t i = 0; i == 0 || i < c->loom[th->loom].ncpus; i++) {
		snprintf(path, sizeof path, "ovni.loom_cpus.%llu.index",
			 (unsigned long long)i);
		set_number(t, th->node, path, i);
		snprintf(path, sizeof path, "ovni.loom_cpus.%llu.phyid",
			 (unsigned long long)i);
		set_number(t, th->node, path, i);
	}
}

/* Corrects loom, pid and tid in the metadata of a thread, if they are there. */
static void
identify(struct ovni_out *c, const struct ovni_out_thread *th)
{
	struct ovni_tree *t = &c->tree;
	uint32_t ovni = below(t, th->node, "ovni");
	char number[16];

	if (below(t, ovni, "loom"))
		ovni_tree_set(t, th->node, "ovni.loom", c->looms.v[th->loom].s, true);
	snprintf(number, sizeof number, "%u", th->pid);
	if (below(t, ovni, "pid"))
		ovni_tree_set(t, th->node, "ovni.pid", number, true);
	snprintf(number, sizeof number, "%u", th->tid);
	if (below(t, ovni, "tid"))
		ovni_tree_set(t, th->node, "ovni.tid", number, true);
}

/* Adds what a thread's metadata lacks, in the order of libovni. */
static void
complete_metadata(struct ovni_out *c, struct ovni_out_thread *th)
{
	static const char *const of_process[] = {"app_id", "rank", "nranks"};
	struct ovni_tree *t = &c->tree;
	uint32_t node = th->node, ovni, value;
	char path[64];

	ovni_tree_set(t, node, "version", "3", true);
	ovni_tree_set(t, node, "ovni.lib.version", "1.14.0", false);
	ovni_tree_set(t, node, "ovni.lib.commit", "unknown", false);
	ovni_tree_set(t, node, "ovni.part", "thread", false);
	set_number(t, node, "ovni.tid", th->tid);
	set_number(t, node, "ovni.pid", th->pid);
	ovni_tree_set(t, node, "ovni.loom", c->looms.v[th->loom].s, false);
	for (size_t i = 0; i < sizeof of_process / sizeof *of_process; i++) {
		value = below(t, th->process, of_process[i]);
		snprintf(path, sizeof path, "ovni.%s", of_process[i]);
		if (value && t->v[value].value)
			ovni_tree_set(t, node, path, t->v[value].value, false);
		else if (i == 0)
			ovni_tree_set(t, node, path, "1", false);
	}
	/* Each thread needs the first model, which has the begin and end of threads. */
	for (unsigned i = 0; i < OVNI_OUT_MODELS; i++) {
		snprintf(path, sizeof path, "ovni.require.%s", ovni_out_models[i].name);
		if (i == 0 || th->models >> i & 1)
			ovni_tree_set(t, node, path, ovni_out_models[i].version, false);
	}
	ovni = below(t, node, "ovni");
	if (!c->loom[th->loom].cpus)
		set_cpus(c, th, ovni);
	ovni_tree_set(t, node, "ovni.finished", "1", false);
}

/* Adds a file with the bytes b, and empties b. */
static void
put_file(struct ovni_out *c, const char *name, struct buf *b)
{
	outfiles_bytes(&c->files, outfiles_add(&c->files, name), b->p, b->n);
	b->n = 0;
}

static void
encode_json_add(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

/* Writes the offsets of clocks, if clocks were corrected, or if several hosts had one clock. */
static void
put_offsets(struct encode *e)
{
	struct ovni_out *c = e->state;
	struct strtab hosts = {0};
	struct buf b = {0};
	bool corrected = false;
	char row[160];

	for (uint32_t i = 0; i < c->looms.n; i++) {
		const struct str *s = &c->looms.v[i];
		size_t n = strcspn(s->s, ".");
		uint32_t known = hosts.n;
		long long offset = c->loom[i].offset;

		if (!c->loom[i].used || strtab_id(&hosts, s->s, n) < known)
			continue;
		corrected |= c->loom[i].corrected;
		if (!b.n)
			encode_json_add(&b, "rank  host  median  mean  deviation\n");
		snprintf(row, sizeof row, "%-5u ", known);
		encode_json_add(&b, row);
		buf_add(&b, s->s, n);
		snprintf(row, sizeof row, "  %lld  %lld.0  0.0\n", offset, offset);
		encode_json_add(&b, row);
	}
	if (corrected || (c->common && hosts.n > 1)) {
		for (uint32_t i = 0; i < hosts.n; i++)
			if (!hosts.v[i].len || strpbrk(hosts.v[i].s, " \t\r\n\v\f")) {
				warn("clock-offsets.txt: the name of a host is empty or "
				     "has a blank");
				e->trouble = true;
			}
		put_file(c, "clock-offsets.txt", &b);
	}
	strtab_free(&hosts);
	buf_free(&b);
}

void
ovni_out_meta(struct encode *e)
{
	struct ovni_out *c = e->state;
	struct buf b = {0};
	char name[4096];

	for (uint32_t i = 0; i < c->threads.n; i++) {
		const struct ovni_out_thread *th = &c->thread[i];
		uint32_t ovni = below(&c->tree, th->node, "ovni");

		c->loom[th->loom].cpus |= below(&c->tree, ovni, "loom_cpus") != 0;
	}
	for (uint32_t i = 0; i < c->threads.n; i++) {
		struct ovni_out_thread *th = &c->thread[i];
		const char *told;
		uint32_t version;

		identify(c, th);
		/* Metadata of today's version is complete. */
		version = below(&c->tree, th->node, "version");
		told = version ? c->tree.v[version].value : NULL;
		if (!told || strcmp(told, "3") != 0)
			complete_metadata(c, th);
		put_node(&b, &c->tree, 0, th->node, 0);
		snprintf(name, sizeof name, "%s", c->files.v[th->file].name);
		memcpy(strrchr(name, '.'), ".json", 6);
		if (b.n > JSON_MOST) {
			warn("%s: the metadata are more than a reader takes", name);
			e->trouble = true;
		}
		put_file(c, name, &b);
	}
	buf_free(&b);
	put_offsets(e);
}
