/*
 * encode.h - shared by the files that write events as an ovni trace:
 *
 * encode.c        events as records of their threads' streams
 * encode_place.c  locations and metadata: which threads there are
 * encode_json.c   metadata as a tree, written as JSON; clock-offsets.txt
 */
#ifndef SPOOR_OVNI_ENCODE_H
#define SPOOR_OVNI_ENCODE_H

#include "outfiles/outfiles.h"
#include "trace-convert/encode.h"
#include "input/cache.h"
#include "ovni/ovni.h"

/* An object, or a value, of some metadata. Number 0 stands for none. */
struct ovni_node {
	uint32_t first, last, next; /* of its children; its next sibling */
	const char *value;	    /* NULL of an object */
};

/* The nodes of all threads and processes. Node i is string i of `names`: its parent's
 * number, and its name. */
struct ovni_tree {
	struct strtab names;
	struct ovni_node *v;
	size_t cap;
	struct arena mem;
};

struct ovni_out_loom {
	bool used;	/* a thread is in it */
	bool cpus;	/* there is a list of its processors */
	int64_t offset; /* what was added to its clocks, or is to be: raw */
	bool corrected, raw;
	uint64_t ncpus; /* that events tell of */
};

struct ovni_out_thread {
	uint64_t add;		      /* its clock = the event's time + add */
	uint64_t last;		      /* the greatest clock so far */
	size_t file;		      /* of its stream, once it is begun */
	uint32_t loom, node, process; /* nodes: of the thread, of its process; 0: none */
	uint32_t pid, tid;
	uint32_t models; /* bit i: it has events of the i-th of ovni_out_models */
	bool begun;
	bool swap;   /* its stream has the other byte order */
	bool region; /* behind OU[, before OU] */
};

struct ovni_out {
	struct outfiles files;
	struct ovni_out_thread *thread;
	size_t threadcap;
	struct strtab threads; /* "loom/pid/tid", by the number of the thread */
	struct strtab looms;
	struct ovni_out_loom *loom;
	size_t loomcap;
	struct ovni_tree tree;
	struct strtab counters; /* names of hardware counters */
	bool own;		/* the events at hand are of an ovni trace, by their head */
	bool common;		/* some events came without a head that tells of clocks */
	/* By location of the epoch: the number of its thread, and 1; 0: not looked at yet. */
	uint32_t *of;
	struct cache of_cache;
	struct buf data; /* the payload of an event */
};

struct ovni_out_model {
	char letter;
	const char *name, *version; /* as release 1.14.0 has it */
};

#define OVNI_OUT_MODELS 8
extern const struct ovni_out_model ovni_out_models[OVNI_OUT_MODELS];

/* encode_place.c */
/* Takes the metadata of the head e->s->head. */
void ovni_out_head(struct encode *e);
/* The thread of a location, whose stream is begun; NULL, with the reason, where a location
 * is none. Good until the next call. */
struct ovni_out_thread *ovni_out_place(struct encode *e, uint32_t loc, const char **why);
/* Behind all events: begins the stream of every thread that metadata tell of and that has
 * none; of one thread where there is none. */
void ovni_out_begin_all(struct encode *e);

/* encode_json.c */
/* The node called name[0..n) below `parent`, or a root, parent 0. 0 where there is none. */
uint32_t ovni_tree_find(const struct ovni_tree *t, uint32_t parent, const char *name,
			size_t n);
/* Returns that node, and makes it if there is none. */
uint32_t ovni_tree_node(struct ovni_tree *t, uint32_t parent, const char *name, size_t n);
/* Sets the value of a dotted path below `root`. Without `again` one that is there stays.
 * A path that would be both object and value, or too deep for a reader, is left out. */
void ovni_tree_set(struct ovni_tree *t, uint32_t root, const char *path, const char *value,
		   bool again);
/* Writes stream.json of every thread, and clock-offsets.txt. */
void ovni_out_meta(struct encode *e);

#endif
