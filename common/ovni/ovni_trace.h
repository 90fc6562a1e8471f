/*
 * ovni_trace.h - shared by the files of the ovni reader:
 *
 *	find.c	finds the streams of a trace, and their looms, processes and threads
 *	ovni_meta.c	reads the JSON files and clock-offsets.txt
 *	check.c	reports impossible metadata, and clocks that cannot be compared
 *	stream.c	reads a stream event by event, around damage
 *	scan.c	finds unordered regions before events are handed out
 *	runs.c	sorts the ordered parts of such regions by time
 *	ovni_state*.c	makes one event of the enter and the leave of a state (-D)
 *	ovni_names.c	keeps labels of task types and marks, names of counters
 *	ovni_pages.c	uses a temporary file as memory
 *	ovni_plan.c	makes records of events
 *	take.c	does the same in fast loops
 *	ovni_merge.c	merges all streams into batches
 *	ovni_pieces.c	hands out the bytes of an event
 *	fmt_ovni.c	the struct format
 */
#ifndef SPOOR_OVNI_TRACE_H
#define SPOOR_OVNI_TRACE_H

#include "base/bytes.h"
#include "base/hash.h"
#include "base/slots.h"
#include "input/cache.h"
#include "input/merge.h"
#include "ovni/ovni.h"

/* Limit of the length of an event, which must fit into memory. A longer one, which only jumbo data can make, loses
 * its data. */
#define OVNI_LONGEST (IN_LONGEST - 64)

/* Clocks and keys from here on are not times: a record has 63 bits for a time. */
#define OVNI_KEYS (1ull << 63)

struct ovni_counters;

struct ovni_stream {
	const char *path;  /* path to open; "<stdin>" for standard input */
	const char *root;  /* path of the command line below which it was found */
	const char *shown; /* path below that directory, as ovnidump shows it */
	const char *loom, *pid, *tid; /* not escaped; NULL = unknown */
	/* Metadata of its process, not escaped; NULL = unknown. */
	const char *app_id, *rank;
	const char *json, *proc_json; /* expected paths of its metadata; NULL = none */
	int64_t offset;		      /* offset of its clock in ns */
	bool corrected;		      /* clock-offsets.txt has a row for it */
	uint64_t add;		      /* key of an event = its clock + add */
	uint32_t loc;		      /* number of "loom/pid/tid" in this epoch */
	/* header: it has one; swap: its byte order is not the machine's */
	bool header, swap;
	bool obs;      /* its name requires a header */
	bool failed;   /* it cannot be read */
	bool meta_bad; /* its metadata, or its process's, cannot be read */
	bool back_said, high_said, late_said;
	uint64_t first; /* key of its first event; UINT64_MAX if there is none */
	int fd;		/* -1 = it is opened for each read */
	bool keep_fd;	/* the caller closes it */
	uint64_t start; /* offset of the stream in fd */
	uint64_t size;	/* bytes when it was opened; UINT64_MAX = unknown */
	/* Input to read instead of fd; with in->eof all of it is in memory. */
	struct in *in;
	uint64_t first_stop; /* offset of its first run; 0 = none */
	uint32_t process;    /* number of its process; 0 = not yet known */
	/* Names of its counters in the metadata: of nOS-V, of Nanos6; or NULL. */
	struct ovni_counters *counters[2];
};

/* A run: some events of an unordered region that are in order, or all events between two
 * regions. Each run is merged like a stream of its own. */
struct ovni_run {
	uint64_t key;	   /* key of its first event */
	uint32_t stream;   /* number of its stream */
	bool behind;	   /* it follows a region, and is not part of one */
	uint64_t from, to; /* first offset, and offset of the end */
};

/* A part of the runs in the order of their keys. The next ones, v[at..n), are in memory. */
struct ovni_chunk {
	struct ovni_run *v;
	size_t at, n;
	/* Place in the temporary file, and number of the runs that follow. */
	uint64_t from, left;
};

/* All runs of a trace: in memory, and if there are too many, in a temporary file. */
struct ovni_runs {
	struct ovni_run *held;
	size_t n, cap;
	int fd; /* temporary file; -1 = none */
	bool failed;
	uint64_t written;
	struct ovni_chunk *chunk; /* heap of chunks by the key of their next run */
	size_t nchunks, chunkcap;
	struct ovni_run *room; /* memory for the runs that are read from the chunks */
};

/* A cursor: a place in a stream, and the bytes in memory from there on. */
struct ovni_cursor {
	/* These members come first, because the merge of a thousand cursors reads them at every turn. */
	const uint8_t *p;
	const uint8_t *end;
	/* Limit of the fast path: an event that begins before it is whole in memory. */
	const uint8_t *fast;
	uint64_t last; /* greatest key so far */
	uint64_t add;
	uint32_t loc;
	bool eof;
	bool region; /* the place is inside a region: after OU[, before OU] */
	bool in_run; /* the whole cursor is a run of a region */
	bool quiet;  /* no messages: it only looks ahead */
	bool longer; /* the buffer was made longer for one event */
	struct ovni_stream *st;
	uint8_t *buf;
	size_t cap;	 /* bytes of buf */
	uint64_t base;	 /* offset of buf[0] */
	uint64_t stop;	 /* offset of its end, where the next run begins */
	uint64_t from;	 /* offset of the run; 0 = it begins with the stream */
	uint32_t stream; /* number of the stream with -D, else 0 */
};

/* An event in the buffer of a cursor. */
struct ovni_frame {
	const uint8_t *p;
	uint64_t size; /* length of the event; if `cut`, it is not whole in memory */
	const uint8_t *data;
	uint64_t ndata; /* bytes of payload or jumbo data */
	uint64_t clock;
	bool jumbo, cut;
};

/* A plan for events that begin with the same four bytes: flags, model, category, value. If their records differ
 * only in time, place and up to 16 bytes of payload, the rest of the record is prepared here, and the fast path
 * fills in the differences. */
struct ovni_plan {
	/* The four bytes if the fast path may use the plan; otherwise other bytes. */
	_Alignas(64) uint32_t fast;
	uint32_t key;
	uint32_t size; /* bytes of the event */
	uint32_t type;
	/* First 8 bytes of arguments, if they are a struct part; else 0. */
	uint64_t part;
	uint64_t mask[2]; /* masks for 16 bytes of payload */
	uint32_t len;	  /* bytes of the record */
	uint32_t to;	  /* offset of the payload in the record */
	uint32_t proto;	  /* offset in ovni.proto of a record of this type */
	uint32_t variant; /* index of its first type in ovni.variant: see ovni_plan.c */
};

#define OVNI_HASH 0x9E3779B1u
#define OVNI_PLANS 8192 /* limit of the plans of an epoch: some MB of tables */
/* Four bytes that no event begins with; marks an unused slot. */
#define OVNI_NONE UINT32_MAX

/* A temporary file used as memory: its pages are zero at first, and some of them are held in memory. An error is
 * reported once, and the written pages are lost. */
#define OVNI_PAGE 4096
struct ovni_pages {
	struct source *s;
	int fd;
	bool failed;
	unsigned held; /* number of pages in memory, a power of two */
	uint64_t n;    /* number of pages that were used */
	uint8_t *mem;
	struct {
		uint64_t page;
		bool dirty;
	} * slot; /* slot i is page number i of mem */
};

/* Names of counters, and the types of records that have these counters. */
struct ovni_counters {
	uint32_t n, epoch;
	const char **name;
	/* 2 * (n + 1) types: by the number of counters that are present, and if bytes follow them. */
	uint32_t *type;
};

/* Names of numbers in events: labels of task types, titles and labels of marks. */
struct ovni_names {
	struct strtab text;    /* texts of all names; text 0 = no name */
	struct strtab process; /* processes by "loom\npid" */
	/* Number of each text's string in the epoch plus 1, by text. */
	uint32_t *sym;
	struct cache sym_cache;
	struct ovni_name {
		uint64_t what, id;
		uint32_t value;
	} * map;
	struct slots map_index;
	uint32_t nmap;
	size_t mapcap;
	bool marks, counters, full;
	struct ovni_counters **list; /* all lists */
	size_t nlist, listcap;
	struct ovni_pages tasks; /* a u16 for each task: its type */
	uint32_t ntypes;
	uint32_t type[1u << 16]; /* text of each type's label */
};

struct ovni {
	struct ovni_options opt;
	unsigned need;
	bool merged; /* in order of time; otherwise one stream after the other */
	/* Only event names are needed: events of one kind share a record. */
	bool types_only;
	struct arena mem;
	struct ovni_stream *st;
	size_t n, cap;
	int64_t least_offset;
	bool meta_read; /* the metadata were read, and their errors reported */
	/* The trace may be of release 1.0.0; this was not reported yet. */
	bool maybe_old;
	bool unsynced;		  /* a path of the command line has no clock-offsets.txt */
	bool unpacked;		  /* a stream was compressed */
	struct strtab loom_names; /* for check.c, while metadata are read */
	struct ovni_loom *loom;
	size_t loomcap;
	unsigned remarks;
	uint64_t origin;	    /* key of time 0 */
	size_t open_most, open_now; /* limit and number of open descriptors */

	/* Cursors that are being merged, in the order of events with equal keys. */
	struct ovni_cursor **act;
	const uint8_t **place; /* address of each cursor's next event, for prefetching */
	size_t nact, actcap;
	struct ovni_runs runs;
	uint64_t floor;	       /* key of the last event handed out */
	struct ovni_run *turn; /* runs that begin now */
	size_t turncap;
	struct ovni_states *states; /* NULL without -D */

	struct ovni_names *names;

	struct merge m;
	uint64_t *head; /* keys of the next events, for m */
	size_t room;	/* usual bytes of a cursor's buffer */

	struct ovni_plan *plan;
	unsigned plan_bits, nplans;
	/* Numbers of types plus 1, by the number of arguments, rest and labels. */
	uint32_t *variant;
	size_t nvariants, variantcap;
	struct buf proto;
};

/* Functions of find.c. */
/* Numbers all locations, in the same way in every epoch. */
void ovni_number_locs(struct source *s);
/* Appends a part of a location, "-" for NULL. The part is escaped, and its slashes too,
 * because slashes separate the parts. */
void ovni_put_part(struct buf *b, const char *p);
/* Returns true if `path` is a directory with a stream below it. Implements format_inputs.takes. */
bool ovni_takes(const char *path, const struct read_options *opt);
/* Returns true if ovni_takes does, unless the directory's name shows that it is a part of a
 * trace: loom.X, proc.X, thread.X. */
bool ovni_alone(const char *path, const struct read_options *opt);
/* Adds to s the streams of `path`: those below a directory, or the file itself, which is opened later
 * (ovni_open_stream). Reports directories and links that cannot be read; adds nothing if there is no stream. */
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

/* Functions of ovni_meta.c. */
/* Sets the loom, pid and tid of each stream. Calls fn(arg, ...) for each pair of metadata; fn may be NULL. */
void ovni_load_meta(struct source *s, ovni_meta_fn *fn, void *arg);
/* Reads the clock-offsets.txt of the trace that contains `root`, a path of the command line. Sets o->unsynced if there
 * is none. Reports a file that cannot be read, and invalid rows, which correct nothing. */
void ovni_load_offsets(struct source *s, const char *root);

/* Functions of check.c. */
/* Reports, by fault(), an error that loses no event and leaves the exit status (COST_NONE), in the file or directory
 * `name`. `rule` is the id of the rule that is broken, or NULL. Only the first ten are reported. */
void ovni_remark(struct source *s, const char *rule, const char *name, const char *fmt, ...)
    PRINTF(4, 5) COLD;
/* The processors that the metadata of a process list. */
struct ovni_cpus {
	/* Index in the high half, the system's number in the low half; UINT32_MAX if
	 * missing. */
	uint64_t *v;
	size_t n, cap;
	bool given;  /* the metadata have a list */
	bool broken; /* the list is invalid or too long */
};
/* Checks the list *c of the process of st, and empties it. `one`: only one process of a loom
 * may have such a list. */
void ovni_check_cpus(struct source *s, const struct ovni_stream *st, struct ovni_cpus *c,
		     bool one);
/* Returns true if two streams belong to the same process. */
bool ovni_same_process(const struct ovni_stream *a, const struct ovni_stream *b);
/* Reports metadata that are missing or contradict each other. Must be called after all metadata were read. */
void ovni_check_meta(struct source *s);
/* Reports clocks that cannot be compared. Must be called after all first keys were found. */
void ovni_check_clocks(struct source *s);

/* Functions of stream.c. */
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
/* Returns the key by which an event with this clock is merged: its corrected clock, but not less than the key of
 * the previous event of c. If the clock is not a time, returns the latter. */
static inline uint64_t
ovni_key(const struct ovni_cursor *c, uint64_t clock)
{
	uint64_t key = clock + c->add;

	return key > c->last && (key | clock) < OVNI_KEYS ? key : c->last;
}
/* Replaces the bytes of an event that is too long for memory. No event begins with such flags. */
struct ovni_long {
	uint8_t flags; /* OVNI_RESERVED */
	uint32_t stream;
	uint64_t at, size;
};
/* Returns true if `raw` has an event's native bytes, not a struct ovni_long. */
static inline bool
ovni_at_hand(struct span raw)
{
	return raw.n != sizeof(struct ovni_long) || *raw.p != OVNI_RESERVED;
}
/* Returns the offset of the cursor in its stream. */
static inline uint64_t
ovni_offset(const struct ovni_cursor *c)
{
	return c->base + (uint64_t)(c->p - c->buf);
}

/* Returns true if model, category and value of the event at p are printable, as in every known event. */
static inline bool
ovni_printable(const uint8_t *p)
{
	return p[1] > ' ' && p[1] < 127 && p[2] > ' ' && p[2] < 127 && p[3] > ' ' &&
	       p[3] < 127;
}

/* Returns the bytes of an event without jumbo data, from its flags. The higher bits of `flags` are ignored, so its
 * first four bytes can be passed. */
static inline uint32_t
ovni_size(uint32_t flags)
{
	uint32_t nibble = flags & 15;

	return OVNI_EVENT + nibble + (nibble != 0);
}

/* Returns the number at p in the stream's byte order. */
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

/* Limit of a pause within a trace: 13 days in ns. */
#define OVNI_PAUSE (1ull << 50)

/* Functions of take.c. */
/* Takes at most `most` events of a cursor with keys less than `below`. Implements merge.take. Returns the key of
 * the next event, or MERGE_END at the end. */
uint64_t ovni_take(struct source *s, struct ovni_cursor *c, uint64_t below, uint32_t most);
/* Returns the key of a cursor's next event, or MERGE_END at its end. */
uint64_t ovni_head(struct source *s, struct ovni_cursor *c);

/* Functions of ovni_merge.c. */
/* Begins to merge the streams from number `from` up to `to`. Must be called after their regions and runs were
 * found. */
void ovni_start_merge(struct source *s, size_t from, size_t to);
/* Limit of the runs that are merged at one time: half a KB each. Beyond it, further runs come late. */
#define OVNI_WAIT (1u << 16)
/* Fills the batch b. Implements format.next. Returns false at the end. */
bool ovni_next(struct source *s, struct batch *b);

/* Functions of scan.c. */
/* Finds the unordered regions of stream number `stream`, and adds their runs to the trace. `sure`: the
 * stream is known to have some. */
void ovni_scan(struct source *s, size_t stream, bool sure);

/* Functions of ovni_state.c. */
/* Begins -D. Must be called after all streams were found. */
void ovni_states_start(struct source *s);
/* Frees all memory of -D; does nothing if it has not begun. */
void ovni_states_free(struct ovni *o);
/* Returns true if records that wait use the types and strings of the tables. */
bool ovni_states_hold(const struct ovni *o);
/* Marks all open states as records that stay open, at the end of the trace, or of a stream if streams are read one after
 * the other (-s). The next ovni_states_next hands the records out. */
void ovni_states_end(struct source *s);
/* Fills the batch b with -D. `next` reads the records without -D, whose rec.dur is the number of their stream.
 * Returns false at the end. */
bool ovni_states_next(struct source *s, struct batch *b,
		      bool (*next)(struct source *s, struct batch *b));

/* Functions of ovni_pages.c. */
/* Initializes p. fd is the temporary file, `held` the number of pages in memory. */
void ovni_pages_open(struct source *s, struct ovni_pages *p, int fd, unsigned held);
/* Returns the page with that number, valid until the next call. If the caller changes the page, it must set
 * `dirty` in slot page % held. */
uint8_t *ovni_pages_get(struct ovni_pages *p, uint64_t page);
/* Frees the memory of p. The file stays open. */
void ovni_pages_free(struct ovni_pages *p);

/* Functions of ovni_names.c. */
/* Finds the types of all tasks of a stream, for -D, before events are handed out. Returns true if the stream has
 * unordered regions. */
bool ovni_names_find(struct source *s, struct ovni_stream *st);
/* Initializes o->names without any name. */
void ovni_names_open(struct source *s);
/* Frees all names. */
void ovni_names_free(struct ovni *o);
/* Takes a value of n bytes from the metadata of st; `key` is its whole dotted name. The loom and process of st
 * must be known. */
void ovni_names_meta(struct source *s, struct ovni_stream *st, const char *key,
		     const char *value, size_t n);
/* Names the unnamed counters of st, and lets streams with equal names share one list. Must be called after all
 * metadata of st were taken. */
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
/* Returns true if there are so many tasks that prefetching the tasks of a batch pays. */
bool ovni_names_many(const struct ovni *o);
/* Prefetches into the cache what ovni_names_label needs of a task. */
void ovni_names_fetch(const struct source *s, const struct ovni_stream *st,
		      const struct ovni_event *e, uint32_t id);
/* Returns the names of the counters of an event e of st; NULL if the metadata have none. */
struct ovni_counters *ovni_names_counters(const struct ovni_stream *st,
					  const struct ovni_event *e);

/* Calls fn(arg, p, n, at) for each part of an event's bytes: n bytes, from byte `at` of the event on
 * (ovni_pieces.c). `raw` is the native event, or a struct ovni_long with its place. Reports missing bytes. */
void ovni_each_piece(struct source *s, struct span raw,
		     void (*fn)(void *arg, const uint8_t *p, size_t n, uint64_t at),
		     void *arg);

/* Functions of runs.c. */
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
/* Compares two runs for qsort: by stream, then by their place in it. */
int ovni_run_order(const void *a, const void *b);
/* Removes all runs; memory and file are kept for other runs. */
void ovni_runs_clear(struct ovni_runs *r);
/* Frees the runs and closes their file. */
void ovni_runs_free(struct ovni_runs *r);

/* Functions of ovni_plan.c. */
/* Removes all plans, for a new epoch. */
void ovni_plans_reset(struct ovni *o);
/* Returns the plan for events that begin with the four bytes `key`, made if it is new, valid until the next call. More
 * than OVNI_PLANS are possible until the reader begins the next epoch, which removes all plans. */
const struct ovni_plan *ovni_plan_of(struct source *s, uint32_t key);
/* Returns the plan for `key` if it exists and the fast path may use it, else NULL. */
const struct ovni_plan *ovni_fast_plan(const struct ovni *o, uint32_t key);
/* Appends a record for the event f of c, of any shape, to o->m.area. `key` is its merge key. Returns the record's
 * offset. */
uint32_t ovni_record(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f,
		     uint64_t key);

/* Returns the factor of the hash that places plans, which depends on the process's random key. Its highest bit is
 * set so that two consecutive numbers never hash to one slot: see no_plan. */
static inline uint32_t
ovni_factor(void)
{
	return (OVNI_HASH ^ (uint32_t)(hash_key[1] >> 32)) | 0x80000001u;
}

/* Returns the slot at which the search for `key` begins. */
static inline const struct ovni_plan *
ovni_plan_slot(const struct ovni *o, uint32_t key)
{
	return &o->plan[key * ovni_factor() >> (32 - o->plan_bits)];
}

#endif
