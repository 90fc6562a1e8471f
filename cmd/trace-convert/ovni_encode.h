/* ovni_encode.h - shared by the files that write events as an ovni trace:
 *
 * ovni_encode.c: events as records of their threads' streams
 * ovni_encode_place.c: locations and metadata: which threads exist
 * ovni_encode_json.c: metadata as a tree, written as JSON; clock-offsets.txt */
#ifndef SPOOR_OVNI_ENCODE_H
#define SPOOR_OVNI_ENCODE_H

#include "outfiles/outfiles.h"
#include "trace-convert/encode.h"
#include "input/cache.h"
#include "ovni/ovni.h"

/* An object, or a value, of some metadata. Node 0 is none. */
struct ovni_node {
	uint32_t first, last, next; /* its children, and its next sibling */
	const char *value;	    /* NULL for an object */
};

/* Nodes of all threads and processes. Node i is string i of `names`: the number of its parent, and its name. */
struct ovni_tree {
	struct strtab names;
	struct ovni_node *v;
	size_t cap;
	struct arena mem;
};

struct ovni_out_loom {
	bool used;	/* some thread is in it */
	bool cpus;	/* it has a list of processors */
	int64_t offset; /* what was added to its clocks, or, if `raw`, must be added */
	bool corrected, raw;
	uint64_t ncpus; /* number of processors that events name */
};

struct ovni_out_thread {
	uint64_t add;  /* clock of an event = its time + add */
	uint64_t last; /* greatest clock so far */
	size_t file;   /* file of its stream, if begun */
	/* node: of the thread; process: node of its process, 0: none */
	uint32_t loom, node, process;
	uint32_t pid, tid;
	uint32_t models; /* bit i: it has events of ovni_out_models[i] */
	bool begun;
	bool swap;   /* its stream has the other byte order */
	bool region; /* between OU[ and OU] */
};

struct ovni_out {
	struct outfiles files;
	struct ovni_out_thread *thread;
	size_t threadcap;
	struct strtab threads; /* "loom/pid/tid", by number of the thread */
	struct strtab looms;
	struct ovni_out_loom *loom;
	size_t loomcap;
	struct ovni_tree tree;
	struct strtab counters; /* names of hardware counters */
	bool own;		/* the current head is of an ovni trace */
	/* some heads were of other traces, so that clocks are not corrected */
	bool common;
	/* By location: number of its thread + 1; 0: not yet looked at. */
	uint32_t *of;
	struct cache of_cache;
	struct buf data; /* payload of the current event */
};

struct ovni_out_model {
	char letter;
	const char *name, *version; /* as in release 1.14.0 */
};

#define OVNI_OUT_MODELS 8
extern const struct ovni_out_model ovni_out_models[OVNI_OUT_MODELS];

/* encode_place.c */
/* Takes the metadata of the head e->s->head. */
void ovni_out_head(struct encode *e);
/* Returns the thread of a location, and begins its stream; or NULL, with the reason in *why. Valid until the
 * next call. */
struct ovni_out_thread *ovni_out_place(struct encode *e, uint32_t loc, const char **why);
/* Begins the streams of all threads that metadata names and that have none, after all events; if there is no
 * thread, of one thread. */
void ovni_out_begin_all(struct encode *e);

/* encode_json.c */
/* Returns the node called name[0..n) below `parent`, or the root of that name if `parent` is 0; 0 if there is
 * none. */
uint32_t ovni_tree_find(const struct ovni_tree *t, uint32_t parent, const char *name,
			size_t n);
/* Returns the same node as ovni_tree_find(), and makes it if there is none. */
uint32_t ovni_tree_node(struct ovni_tree *t, uint32_t parent, const char *name, size_t n);
/* Sets the value at a dotted path below `root`; an existing value is replaced only if `again`. Does nothing if
 * the path would be both object and value, or is too deep for a reader. */
void ovni_tree_set(struct ovni_tree *t, uint32_t root, const char *path, const char *value,
		   bool again);
/* Writes stream.json of every thread, and clock-offsets.txt. */
void ovni_out_meta(struct encode *e);

#endif
