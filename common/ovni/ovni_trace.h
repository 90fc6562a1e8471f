/*
 * ovni_trace.h - shared by the files of the ovni reader:
 *
 * find.c    finds the streams of a trace, and whose they are
 * ovni_meta.c    reads the JSON files and clock-offsets.txt
 * check.c   reports impossible metadata, and clocks that cannot be compared
 * stream.c  reads a stream event by event, around damage
 * scan.c    finds unordered regions before events are given
 * runs.c    sorts the stretches of such regions by time
 * ovni_state*.c  makes one event of the enter and the leave of a state (-D)
 * ovni_names.c   keeps labels of task types and marks, names of counters
 * ovni_pages.c   uses a temporary file as memory
 * ovni_plan.c    makes records out of events
 * take.c    the same in fast loops
 * ovni_merge.c   merges all streams into batches
 * ovni_pieces.c  gives the bytes of an event
 * fmt_ovni.c     the struct format
 */
#ifndef SPOOR_OVNI_TRACE_H
#define SPOOR_OVNI_TRACE_H

#include "base/bytes.h"
#include "base/hash.h"
#include "base/slots.h"
#include "input/cache.h"
#include "input/merge.h"
#include "ovni/ovni.h"

/* An event must fit into memory whole; of a longer one (jumbo data only) the data is left
 * out. */
#define OVNI_LONGEST (IN_LONGEST - 64)

/* Clocks and keys from here on are no times: a record has 63 bits for one. */
#define OVNI_KEYS (1ull << 63)

struct ovni_counters;

struct ovni_stream {
	const char *path;  /* to be opened; for messages where it is standard input */
	const char *root;  /* the path of the command line that it was found by */
	const char *shown; /* below the directory that was given, as ovnidump shows it */
	const char *loom, *pid, *tid; /* as they are; NULL: not known */
	const char *app_id, *rank;    /* the same of its process */
	const char *json, *proc_json; /* where its metadata should lie; NULL: nowhere */
	int64_t offset;		      /* of its clock, ns */
	bool corrected;		      /* clock-offsets.txt tells that */
	uint64_t add;		      /* key of an event = its clock + add */
	uint32_t loc;		      /* number of "loom/pid/tid" in this epoch */
	bool header, swap;	      /* has a header; is of the other byte order */
	bool obs;		      /* by its name it must have a header */
	bool failed;		      /* cannot be read */
	bool meta_bad;		      /* its metadata, or its process's, cannot be read */
	bool back_said, high_said, late_said;
	uint64_t first; /* key of its first event; UINT64_MAX where there is none */
	int fd;		/* -1: opened for each read */
	bool keep_fd;	/* not ours to close */
	uint64_t start; /* offset of the stream in fd */
	uint64_t size;	/* bytes, as it was when opened; UINT64_MAX: not known */
	struct in *in;	/* an input to read instead; it is whole in memory if in->eof */
	uint64_t first_stop; /* offset of its first run; 0: it has none */
	uint32_t process;    /* number of its process; 0: not yet known */
	/* The names of its counters of nOS-V and of Nanos6, by its metadata. */
	struct ovni_counters *counters[2];
};

/* A run: some events of an unordered region that are in order, or all events between two
 * regions. Each run is merged like a stream of its own. */
struct ovni_run {
	uint64_t key;	   /* of its first event */
	uint32_t stream;   /* whose it is */
	bool behind;	   /* a region, not in it */
	uint64_t from, to; /* offsets */
};

/* Some runs in the order of their keys, of which the first n are at hand. */
struct ovni_chunk {
	struct ovni_run *v;
	size_t at, n;
	uint64_t from, left; /* in the temporary file: what follows them */
};

/* All runs of a trace: in memory, and in a temporary file where they are more. */
struct ovni_runs {
	struct ovni_run *held;
	size_t n, cap;
	int fd; /* -1: none yet */
	bool failed;
	uint64_t written;
	struct ovni_chunk *chunk; /* a heap by the first key, when they are given */
	size_t nchunks, chunkcap;
	struct ovni_run *room; /* for the runs that are read of the chunks */
};

/* A place in a stream, with the bytes in memory from there on. */
struct ovni_cursor {
	/* These first: the merge of a thousand cursors reads them at every turn. */
	const uint8_t *p;
	const uint8_t *end;
	const uint8_t *fast; /* an event that begins before it needs no check of lengths */
	uint64_t last;	     /* the greatest key so far */
	uint64_t add;
	uint32_t loc;
	bool eof;
	bool region; /* behind OU[, before OU] */
	bool in_run; /* all of it is in a region */
	bool quiet;  /* says nothing: a look ahead */
	bool longer; /* its buffer was made longer for one event */
	struct ovni_stream *st;
	uint8_t *buf;
	size_t cap;	 /* of buf */
	uint64_t base;	 /* offset of buf[0] */
	uint64_t stop;	 /* offset of its end, where another run begins */
	uint64_t from;	 /* offset of the run, 0: the stream itself */
	uint32_t stream; /* its number, with -D; else 0 */
};

/* An event in the buffer of a cursor. */
struct ovni_frame {
	const uint8_t *p;
	uint64_t size; /* of all of it; more than is in memory when `cut` */
	const uint8_t *data;
	uint64_t ndata; /* payload, or jumbo data */
	uint64_t clock;
	bool jumbo, cut;
};

/*
 * The record for events that begin with the same four bytes: flags, model, category, value.
 * If these records differ only in time, place and up to 16 bytes of payload, the record is
 * ready here, and the fast path fills these in.
 */
struct ovni_plan {
	/* The four bytes if the fast path may follow the plan; else other ones. */
	_Alignas(64) uint32_t fast;
	uint32_t key;
	uint32_t size; /* of the event */
	uint32_t type;
	uint64_t part;	  /* first 8 bytes of arguments, where they are a struct part */
	uint64_t mask[2]; /* of the payload */
	uint32_t len;	  /* of the record */
	uint32_t to;	  /* where the payload goes */
	uint32_t proto;	  /* a record of this type, among ovni.proto */
	uint32_t variant; /* number of the first type that varies: see ovni_plan.c */
};

#define OVNI_HASH 0x9E3779B1u
#define OVNI_PLANS 8192	     /* event kinds of one epoch: some MB of tables */
#define OVNI_NONE UINT32_MAX /* all flags set: no event has that; no record lies there */

/*
 * A temporary file as memory: pages that are zero at first, some of them held. An error is
 * reported once, and the pages written are lost.
 */
#define OVNI_PAGE 4096
struct ovni_pages {
	struct source *s;
	int fd;
	bool failed;
	unsigned held; /* pages in memory, a power of two */
	uint64_t n;    /* pages below it have been used */
	uint8_t *mem;
	struct {
		uint64_t page;
		bool dirty;
	} * slot; /* each in its own place of mem */
};

/* Names of counters, and the types of records that have as many counters. */
struct ovni_counters {
	uint32_t n, epoch;
	const char **name;
	uint32_t *
	    type; /* 2 * (n + 1): by number of counters present, and whether bytes follow */
};

/* Names of numbers in events: labels of task types, titles and labels of marks. */
struct ovni_names {
	struct strtab text;    /* 0: no name */
	struct strtab process; /* by "loom\npid" */
	uint32_t *sym;	       /* by text: its number in the epoch, plus 1 */
	struct cache sym_cache;
	struct ovni_name {
		uint64_t what, id;
		uint32_t value;
	} * map;
	struct slots map_index;
	uint32_t nmap;
	size_t mapcap;
	bool marks, counters, full;
	struct ovni_counters **list; /* all that there are */
	size_t nlist, listcap;
	struct ovni_pages tasks; /* u16 for each task: its type */
	uint32_t ntypes;
	uint32_t type[1u << 16]; /* text of each */
};

struct ovni {
	struct ovni_options opt;
	unsigned need;
	bool merged;	 /* in order of time, else one stream after the other */
	bool types_only; /* only event names are needed: records are shared */
	struct arena mem;
	struct ovni_stream *st;
	size_t n, cap;
	int64_t least_offset;
	bool meta_read;		  /* its faults have been said */
	bool maybe_old;		  /* may be of release 1.0.0; no hint was given yet */
	bool unsynced;		  /* a path has no clock-offsets.txt */
	bool unpacked;		  /* a stream was compressed */
	struct strtab loom_names; /* check.c: while metadata are read */
	struct ovni_loom *loom;
	size_t loomcap;
	unsigned remarks;
	uint64_t origin;	    /* key of time 0 */
	size_t open_most, open_now; /* descriptors */

	struct ovni_cursor **act; /* being merged, in the order of ties */
	const uint8_t **place; /* the address of the next event of each, for prefetching */
	size_t nact, actcap;
	struct ovni_runs runs;
	uint64_t floor;	       /* key of the last event given */
	struct ovni_run *turn; /* those that begin now */
	size_t turncap;
	struct ovni_states *states; /* -D */

	struct ovni_names *names;

	struct merge m;
	uint64_t *head; /* keys of m */
	size_t room;	/* bytes of a cursor's buffer, as a rule */

	struct ovni_plan *plan;
	unsigned plan_bits, nplans;
	uint32_t *variant; /* types by how much of the payload was there */
	size_t nvariants, variantcap;
	struct buf proto;
};

/* find.c */
/* Gives all locations their numbers, the same ones in every epoch. */
void ovni_number_locs(struct source *s);
/* Appends a part of a location, "-" for NULL. The part is escaped, and its slashes too,
 * because slashes separate the parts. */
void ovni_put_part(struct buf *b, const char *p);
/* Returns whether `path` is a directory with a stream below it: format.takes. */
bool ovni_takes(const char *path, const struct read_options *opt);
/* Returns true if ovni_takes does, unless the directory's name says that it is a part of a
 * trace: loom.X, proc.X, thread.X. */
bool ovni_alone(const char *path, const struct read_options *opt);
/* Adds to s the streams of `path`: those below a directory, or the file itself. */
void ovni_find(struct source *s, const char *path);
/*
 * Returns 0 if the file `path` may be read; `root` is the path of the command line that it
 * belongs to. Returns EXDEV if `path` is a link that leads out of the directory `root`, or
 * out of its own directory if root is NULL or no directory. Otherwise returns the errno of
 * resolving it.
 */
int ovni_may_read(const struct source *s, const char *root, const char *path);
/* Returns the text of an error of ovni_may_read, for a message. */
const char *ovni_why(int err);
/* Drops, with a message, every stream that an earlier path leads to as well. */
void ovni_once(struct source *s);
/* Sorts the streams by path, byte for byte. This is the order of events with equal
 * clocks. */
void ovni_sort(struct ovni *o);

/* ovni_meta.c */
/* Finds out loom, pid, tid and clock offset of each stream. Calls fn(arg, ...) for each pair
 * of metadata; fn may be NULL. */
void ovni_load_meta(struct source *s, ovni_meta_fn *fn, void *arg);
/* Reads the clock-offsets.txt of the trace that `root`, a path of the command line, is in. */
void ovni_load_offsets(struct source *s, const char *root);

/* check.c */
/* Reports an error without a cost (see fault.h) in the file or directory `name`. Only the
 * first ten are reported. */
void ovni_remark(struct source *s, const char *rule, const char *name, const char *fmt, ...)
    PRINTF(4, 5) COLD;
/* The processors that the metadata of a process list. */
struct ovni_cpus {
	/* Index in the high half, the system's number in the low half; UINT32_MAX if
	 * missing. */
	uint64_t *v;
	size_t n, cap;
	bool given;  /* there is a list */
	bool broken; /* it is none, or too long */
};
/* Checks the list *c of the process of st, and empties it. `one`: only one process of a loom
 * may have such a list. */
void ovni_check_cpus(struct source *s, const struct ovni_stream *st, struct ovni_cpus *c,
		     bool one);
/* Returns whether two streams are of the same process. */
bool ovni_same_process(const struct ovni_stream *a, const struct ovni_stream *b);
/* Reports what is missing in the metadata or stated twice. Call it when all metadata are
 * read. */
void ovni_check_meta(struct source *s);
/* Reports clocks that cannot be compared. Call it when all first keys are known. */
void ovni_check_clocks(struct source *s);

/* stream.c */
/* Opens a stream and reads its header. Reports a stream that cannot be read
 * (st->failed). */
void ovni_open_stream(struct source *s, struct ovni_stream *st);
/* Closes the stream's file. */
void ovni_close_stream(struct ovni *o, struct ovni_stream *st);
/* Reads bytes [at, at + n) of a stream to `to`. Returns how many there were: fewer at the
 * end or after an error, which is reported once. */
size_t ovni_read(struct source *s, struct ovni_stream *st, void *to, size_t n, uint64_t at);
/* Copies the input of st, a pipe, into a temporary file, so that it can be read twice.
 * Returns false, with a message, if this fails. */
bool ovni_spool(struct source *s, struct ovni_stream *st);
/* Returns a new cursor over bytes [from, to) of a stream. ovni_cursor_free frees it. */
struct ovni_cursor *ovni_cursor_new(struct ovni_stream *st, uint64_t from, uint64_t to);
/* Frees a cursor. */
void ovni_cursor_free(struct ovni_cursor *c);
/* Sets *f to the next whole event of c, without moving past it. Damage is reported and
 * skipped. Returns false at the end. */
bool ovni_settle(struct source *s, struct ovni_cursor *c, struct ovni_frame *f);
/* Moves c past the event f that ovni_settle returned. */
void ovni_pass(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f);
/* Reads more bytes for the fast path. Returns false if there are none. */
bool ovni_refill(struct source *s, struct ovni_cursor *c);
/* Returns true if the next event must be waited for (--follow). */
bool ovni_waits(const struct source *s, struct ovni_cursor *c);
/*
 * The key that an event with this clock is merged by: its corrected clock, but never less
 * than the key of an event before it in c. A clock that is no time gives that key too.
 */
static inline uint64_t
ovni_key(const struct ovni_cursor *c, uint64_t clock)
{
	uint64_t key = clock + c->add;

	return key > c->last && (key | clock) < OVNI_KEYS ? key : c->last;
}
/* Stands in place of the bytes of an event that is too long for memory. No event begins
 * with such flags. */
struct ovni_long {
	uint8_t flags; /* OVNI_RESERVED */
	uint32_t stream;
	uint64_t at, size;
};
/* Returns whether `raw` is an event's native bytes, not a struct ovni_long. */
static inline bool
ovni_at_hand(struct span raw)
{
	return raw.n != sizeof(struct ovni_long) || *raw.p != OVNI_RESERVED;
}
/* The offset of the cursor in its stream. */
static inline uint64_t
ovni_offset(const struct ovni_cursor *c)
{
	return c->base + (uint64_t)(c->p - c->buf);
}

/* Returns whether model, category and value of the event at p are printable, as in every known
 * event. */
static inline bool
ovni_printable(const uint8_t *p)
{
	return p[1] > ' ' && p[1] < 127 && p[2] > ' ' && p[2] < 127 && p[3] > ' ' &&
	       p[3] < 127;
}

/* Bytes of an event without jumbo data, by its flags, or its first four bytes where the lowest are these. */
static inline uint32_t
ovni_size(uint32_t flags)
{
	uint32_t nibble = flags & 15;

	return OVNI_EVENT + nibble + (nibble != 0);
}

/* The number at p in the stream's byte order. */
static inline uint32_t
ovni_u32(const struct ovni_stream *st, const uint8_t *p)
{
	return st->swap ? swap32(ld32(p)) : ld32(p);
}

static inline uint64_t
ovni_u64(const struct ovni_stream *st, const uint8_t *p)
{
	return st->swap ? swap64(ld64(p)) : ld64(p);
}

/* No pause within a trace is longer: 13 days. */
#define OVNI_PAUSE (1ull << 50)

/* take.c */
/*
 * Takes at most `most` events of a cursor whose key is below `below` (merge.take). Gives
 * the key of its next event; MERGE_END at its end.
 */
uint64_t ovni_take(struct source *s, struct ovni_cursor *c, uint64_t below, uint32_t most);
/* The key of a cursor's next event; MERGE_END at its end. */
uint64_t ovni_head(struct source *s, struct ovni_cursor *c);

/* ovni_merge.c */
/* Begins to merge the streams from number `from` up to `to`. To be called when their regions
 * and runs are known. */
void ovni_start_merge(struct source *s, size_t from, size_t to);
/* Runs that are merged at one time: half a KB each. With more, the next ones come late. */
#define OVNI_WAIT (1u << 16)
/* format.next. */
bool ovni_next(struct source *s, struct batch *b);

/* scan.c */
/* Finds the unordered regions of stream number `stream`, and adds their runs to those of the
 * trace. `sure`: it is known to have some. */
void ovni_scan(struct source *s, size_t stream, bool sure);

/* ovni_state.c */
/* -D: begins, when all streams are known. */
void ovni_states_start(struct source *s);
/* Frees all; before that, nothing need have begun. */
void ovni_states_free(struct ovni *o);
/* Returns whether there are records whose types and strings must stay. */
bool ovni_states_hold(const struct ovni *o);
/* All states that are open stay so: the end of the trace, or with -s of a stream. */
void ovni_states_end(struct source *s);
/* format.next with -D; `next` gives the records without it, which have the number of their
 * stream in rec.dur. */
bool ovni_states_next(struct source *s, struct batch *b,
		      bool (*next)(struct source *s, struct batch *b));

/* ovni_pages.c */
/* Begins: fd is the temporary file, `held` the number of pages in memory. */
void ovni_pages_open(struct source *s, struct ovni_pages *p, int fd, unsigned held);
/* The page of that number, good until the next call. Its slot is page % held; a caller that
 * changes the page sets `dirty` there. */
uint8_t *ovni_pages_get(struct ovni_pages *p, uint64_t page);
/* Frees the memory; the file stays open. */
void ovni_pages_free(struct ovni_pages *p);

/* ovni_names.c */
/* -D: finds the types of all tasks of a stream, before events are given. Gives whether it has
 * unordered regions. */
bool ovni_names_find(struct source *s, struct ovni_stream *st);
/* Begins without names. */
void ovni_names_open(struct source *s);
/* Frees all names. */
void ovni_names_free(struct ovni *o);
/* Takes a value of n bytes from the metadata of st; key is its whole dotted name. The loom
 * and process of st must be known. */
void ovni_names_meta(struct source *s, struct ovni_stream *st, const char *key,
		     const char *value, size_t n);
/* Fills the gaps in the names of the counters of st, and lets streams with equal names
 * share one list. Call it when all metadata of st were taken. */
void ovni_names_share(struct ovni *o, struct ovni_stream *st);
/*
 * Sets sym to the labels of a mark, an event of st with n bytes of arguments at data:
 * sym[0] is the title, sym[1] the label of the value. Each is the number of a string of the
 * epoch, plus 1, or 0 if there is none.
 */
void ovni_names_of(struct source *s, struct ovni_stream *st, const uint8_t *data, size_t n,
		   uint32_t sym[2]);
/* The last task of a thread. Cached, because most tasks have several events in a row. */
struct ovni_task {
	uint32_t id, sym;
	unsigned epoch;
	uint8_t model;
};
/* Returns the label of the type of a task, or of a type (e->labelled): the number of a
 * string of the epoch, plus 1, or 0 if there is none. `last` is the caller's cache for this
 * stream, zero at first. */
uint32_t ovni_names_label(struct source *s, struct ovni_stream *st,
			  const struct ovni_event *e, uint32_t id, struct ovni_task *last);
/* Returns true if there are so many tasks that prefetching those of a batch pays. */
bool ovni_names_many(const struct ovni *o);
/* Prefetches into the cache what ovni_names_label needs of a task. */
void ovni_names_fetch(const struct source *s, const struct ovni_stream *st,
		      const struct ovni_event *e, uint32_t id);
/* Returns the names of the counters of an event e of st; NULL if the metadata have none. */
struct ovni_counters *ovni_names_counters(const struct ovni_stream *st,
					  const struct ovni_event *e);

/* ovni_pieces.c: calls fn(arg, p, n, at) for each piece of an event's bytes: n bytes, from byte
 * `at` of the event on. `raw` is the native event, or a struct ovni_long with its place.
 * Reports bytes that are missing. */
void ovni_each_piece(struct source *s, struct span raw,
		     void (*fn)(void *arg, const uint8_t *p, size_t n, uint64_t at),
		     void *arg);

/* runs.c */
/* Makes room for n more runs of st, at most OVNI_RUNS. Returns false, with a message, if
 * there is none. */
#define OVNI_RUNS (1u << 17)
bool ovni_runs_room(struct source *s, struct ovni_runs *r, const struct ovni_stream *st,
		    size_t n);
/* Adds a run. ovni_runs_room must have made room for it. */
void ovni_runs_add(struct ovni_runs *r, struct ovni_run run);
/* Sorts the runs. No runs may be added afterwards; ovni_runs_next gives them by key. */
void ovni_runs_start(struct source *s, struct ovni_runs *r);
/* Returns the key of the next run; MERGE_END if there is none. */
uint64_t ovni_runs_key(const struct ovni_runs *r);
/* Returns the next run. There must be one. */
struct ovni_run ovni_runs_next(struct source *s, struct ovni_runs *r);
/* For qsort: compares two runs by stream, then by their place in it. */
int ovni_run_order(const void *a, const void *b);
/* Removes all runs; memory and file are kept for other runs. */
void ovni_runs_clear(struct ovni_runs *r);
/* Frees the runs and closes their file. */
void ovni_runs_free(struct ovni_runs *r);

/* ovni_plan.c */
/* Forgets all plans, for a new epoch. */
void ovni_plans_reset(struct ovni *o);
/* Returns the plan for events that begin with the four bytes `key`, made if it is new. */
const struct ovni_plan *ovni_plan_of(struct source *s, uint32_t key);
/* Returns the plan for `key` if it exists and the fast path may follow it, else NULL. */
const struct ovni_plan *ovni_fast_plan(const struct ovni *o, uint32_t key);
/*
 * Appends a record for the event f of c, of any shape, to o->m.area. `key` is its merge
 * key. Returns the record's offset.
 */
uint32_t ovni_record(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f,
		     uint64_t key);

/* Returns the factor of the hash that places plans, which depends on the process's random
 * key. Its upper bit is set so that two consecutive numbers never hash to one slot: see
 * no_plan. */
static inline uint32_t
ovni_factor(void)
{
	return (OVNI_HASH ^ (uint32_t)(hash_key[1] >> 32)) | 0x80000001u;
}

static inline const struct ovni_plan *
ovni_plan_slot(const struct ovni *o, uint32_t key)
{
	return &o->plan[key * ovni_factor() >> (32 - o->plan_bits)];
}

#endif
