/*
 * charisma_trace.h - the CHARISMA reader: the declarations that its files share.
 *
 * charisma_open.c reads the begin of a trace, fmt_charisma.c walks the records, charisma_event.c makes events of
 * them by the plans of charisma_plan.c, fast.c is a fast path for the most common record.
 */
#ifndef SPOOR_CHARISMA_TRACE_H
#define SPOOR_CHARISMA_TRACE_H

#include "base/bytes.h"
#include "charisma/charisma.h"
#include "charisma/charisma_state.h"
#include "input/source.h"

/* A trace begins with these two 32-bit numbers, which have the byte order of the trace. */
#define CHARISMA_MAGIC 0x01234567u
#define CHARISMA_EXCHANGED \
	0x23016745u /* the magic number with its 16-bit words exchanged */
#define CHARISMA_VERSION 1
#define CHARISMA_FRAME 8 /* bytes of both numbers */
#define CHARISMA_WINDOW 65536
#define CHARISMA_NAMES 128 /* room for the names of all flags in a byte */

/* Begins to read s: the `open` of struct format. Sets s->state, which the `close` of the format frees. If the
 * trace cannot be read, fault() reports the error, and s->stop becomes true. */
void charisma_open(struct source *s);
/* Sets the clock, the origin and the metadata of s by the header record of `bytes` bytes at p. If timestamp_unit is
 * not usable, the clock counts ticks, and fault() reports this. */
void charisma_begin(struct source *s, const uint8_t *p, uint64_t bytes);

/*
 * Sets *l to the preset that fits best the trace whose first n bytes, including the magic number, are
 * at p. `whole` means that no bytes follow, `big` is the trace's byte order. Returns false, with the reason in
 * why[0..whysize), if no preset fits, or two fit equally well; *l is then the nearest preset, or has no name.
 */
bool charisma_detect(struct layout *l, const uint8_t *p, size_t n, bool whole, bool big,
		     char *why, size_t whysize);

/* Returns a measure of how well the header record at p fits the layout: 0 to HEADER_POINTS points, one for each
 * value within the range of all machines. */
#define HEADER_POINTS 10
int charisma_header_points(const struct layout *l, const uint8_t *p, bool big);

/* Writes the magic number and the version to o. */
static inline void
charisma_frame(struct out *o, bool big)
{
	uint32_t frame[2] = {CHARISMA_MAGIC, CHARISMA_VERSION};

	for (int i = 0; i < 2 && big != HOST_BIG; i++)
		frame[i] = swap32(frame[i]);
	out_bytes(o, frame, sizeof frame);
}

/* Returns the type of the record at p. */
static inline unsigned
charisma_type(const uint8_t *p, bool big)
{
	return big ? be16(p) : le16(p);
}

/* The clock of a trace, which converts time stamps to nanoseconds: * num / den, exact or rounded to the nearest. */
struct charisma_clock {
	bool ticks; /* the unit is unknown: time stamps are not converted */
	/* XOR mask that turns a signed time stamp into an unsigned one of the same order. */
	uint64_t bias;
	uint64_t zero; /* time stamp of the header record, with the bias applied */
	uint64_t num, den;
};

/* Sets num and den from a unit in seconds. Returns false if the unit is not usable: NaN, 0, or too large. */
bool charisma_unit(struct charisma_clock *k, double unit);
/* Stores in *ns ticks * num / den, rounded to the nearest. Returns false if it does not fit in 64 bits. */
bool charisma_scale_slow(const struct charisma_clock *k, uint64_t ticks, uint64_t *ns);

/* Stores in *ns the nanoseconds between two biased time stamps. Returns false if they do not fit. */
static inline bool
clock_between(const struct charisma_clock *k, uint64_t from, uint64_t to, int64_t *ns)
{
	bool back = to < from;
	uint64_t d = back ? from - to : to - from, v;

	if (likely(k->den == 1)) {
		if (unlikely(!times64(d, k->num, &v)))
			return false;
	} else if (!charisma_scale_slow(k, d, &v))
		return false;
	*ns = back ? -(int64_t)v : (int64_t)v;
	return v <= INT64_MAX;
}

/* Returns the number of the field f in the record at p, for layouts without exchanged words. Reads up to
 * seven bytes after the number. */
static INLINE uint64_t
load_straight(const uint8_t *p, const struct load_spec *f, bool big)
{
	uint64_t v = ld64(p + f->off);

	v = big == HOST_BIG ? v : swap64(v);
	if (!big)
		v <<= f->shift;
	v >>= f->shift;
	return (v ^ f->sign) - f->sign;
}

/* Returns the number of the field f in the record at p, for any layout. Reads up to seven bytes after the number. */
static INLINE uint64_t
load_num(const uint8_t *p, const struct load_spec *f, bool big)
{
	/* Only numbers of 8 bytes are rotated: they have no sign to extend. */
	uint64_t v = load_straight(p, f, big);

	return v << f->rotate | v >> (-f->rotate & 63);
}

/* Returns the value of the field f, whose type is of CLASS_FLOAT, in the record at p. */
static inline double
load_float(const uint8_t *p, const struct load_spec *f, bool big)
{
	uint64_t v = load_num(p, f, big);
	uint32_t low = (uint32_t)v;
	float single;
	double d;

	memcpy(&single, &low, sizeof single);
	memcpy(&d, &v, sizeof d);
	return f->shift ? (double)single : d;
}

/* Returns the length of the string in a char array of n bytes: up to its NUL, or all of it. */
static inline uint32_t
string_length(const uint8_t *p, uint32_t n)
{
	const uint8_t *nul = memchr(p, '\0', n);

	return nul ? (uint32_t)(nul - p) : n;
}

/* Returns the number in the field with that name of the header record at p, or 0 if there is no such field. */
static inline uint64_t
header_num(const struct layout *l, const uint8_t *p, const char *name, bool big)
{
	struct load_spec f = layout_header_load(l, name, big);

	return f.none ? 0 : load_num(p, &f, big);
}

/* Returns the layout's number for no client or, with `app`, no application, as load_num returns it. */
static inline uint64_t
number_of_none(const struct layout *l, bool app, bool big)
{
	struct layout_field id = {.type = app ? TYPE_APP : TYPE_CLIENT};
	struct load_spec f = layout_load_of(l, &id, 0, big);
	uint64_t v = (uint64_t)(app ? l->no_app : l->no_client) << f.shift >> f.shift;

	return (v ^ f.sign) - f.sign;
}

/* Variants of a record, each of which gets an event type of its own. */
enum variant {
	V_FILE = 1,  /* the file of the descriptor is known */
	V_MULTI = 2, /* one of several requests: request=i/n */
	V_EMPTY = 4, /* a record without requests: request=0/0 */
	/* The time stamps are arguments too, because the columns cannot hold them. */
	V_RAW = 8,
	V_NO_APP = 16, /* appl_id is NO_APP */
	V_APP = 32,    /* the end of a request of an application as a whole */
	V_BARE = 64,   /* the consumer needs no arguments */
	VARIANTS = 128,
};

enum arg_op {
	ARG_INT,
	ARG_FLOAT,
	ARG_STRING,
	ARG_ARRAY, /* the repeated field */
	ARG_TIME,  /* a second time stamp */
	ARG_STAMP, /* a time stamp as in the record, without conversion */
	ARG_CONST,
	ARG_REQUEST,
	ARG_FILE,
	ARG_NAME,
};

struct plan_arg {
	uint8_t op, kind;
	bool element; /* the field is in the request element */
	bool flags;   /* operation_type: its names are a constant of the type */
	uint8_t with; /* only in variants that have one of these bits; 0 = in all */
	uint8_t without;
	struct load_spec from;
	uint32_t count; /* length of a string */
	char name[LAYOUT_NAME];
	const char *text;
	const struct labels *labels;
};

/* A field that becomes a column. element: it is in the request, not in the record. */
struct source_field {
	struct load_spec from;
	bool element;
};

#define PLAN_ARGS (2 * LAYOUT_FIELDS + 12)

struct charisma_plan {
	const struct layout_record *rec;
	char event[4 * LAYOUT_NAME];
	bool has_client;
	struct source_field time, end, client, app, addr, size, op, async, desc, file;
	struct load_spec count; /* counter of the repeated field */
	struct load_spec name;	/* name of the file, in an open record */
	uint32_t name_bytes;
	uint32_t nargs;
	struct plan_arg *arg; /* array of PLAN_ARGS */
	const char *time_name;
	struct load_spec call; /* call_time of an async-end record */
	/* numbers of event types plus 1, 0 = not made yet; indexed by the variant or rw_index */
	uint32_t *type;
	uint32_t ntypes;
};

#define OPERATIONS 256
#define RW_VARIANTS 32 /* V_FILE to V_NO_APP */
/* Four more for events without arguments: read and write, each with and without a request. */
#define RW_TYPES (OPERATIONS * RW_VARIANTS + 4)

/* Returns the index in plan.type of an RW record with these bits of operation_type, in a variant
 * (bits of enum variant). */
static inline uint32_t
rw_index(unsigned op, unsigned variant)
{
	if (variant & V_BARE)
		return OPERATIONS * RW_VARIANTS + (op >> 1 & 1) +
		       (variant & V_EMPTY ? 2 : 0);
	return (op & 255) * RW_VARIANTS + (variant & (RW_VARIANTS - 1));
}

#define CLIENTS 1024 /* slots for the clients used most recently */

/* A client, and the descriptor that it used last. */
struct client {
	uint64_t id;
	uint32_t loc; /* number of the string; 0 = the slot is free */
	/* state.change at the lookup of fd; file and sym are valid while it is the same */
	uint32_t change;
	uint64_t fd, file;
	uint32_t sym;
};

/* Returns the slot of a client in charisma.client. */
static inline uint32_t
client_slot(uint64_t id)
{
	return (uint32_t)(id ^ id >> 10) % CLIENTS; /* client ids are dense */
}

/* An asynchronous request that waits for its end. */
struct async_request {
	uint64_t place; /* offset of its record in the input */
	/* Number of requests that the scout has seen, including this one. */
	uint64_t ordinal;
	uint64_t async, id, end;
	uint64_t next; /* number of the next request in the bucket, plus 1 */
	bool app, done, linked;
};

/* A client and its application, according to the records that the scout has read. */
struct scouted_client {
	uint64_t client, app;
	uint64_t place; /* offset of the load or join, plus 1; 0 = the slot is free */
};

struct async {
	uint64_t window, ahead; /* limits of the requests and of the bytes to read ahead */
	struct async_request *ring;
	uint64_t *bucket; /* number of the newest request plus 1, 0 = none */
	uint64_t head, tail;
	uint64_t cap; /* size of the ring and of the buckets, a power of 2 */
	uint64_t pos; /* offset of the scout */
	uint64_t requests;
	bool stuck; /* the scout cannot go on */
	/* Table of clients by number: the loads and joins between the reader and the scout. */
	struct scouted_client *member;
	uint64_t nmembers, members; /* used places, and all places, a power of 2 */
};

enum async_answer {
	ASYNC_NONE, /* the request has no end within the window */
	ASYNC_DONE,
	ASYNC_MORE, /* the caller must read more of the input and ask again */
};

/* A number to copy from a record to the event: `to` is the offset in the event. */
struct fast_move {
	struct load_spec from;
	uint32_t to;
};

/* An oddity that loses no record: number of cases, and offset of the first one. */
struct oddity {
	uint64_t n, first;
};

struct fast {
	/* the layout allows the fast path; it is usable once the slow path has made a type */
	bool possible;
	bool usable, args, files;
	unsigned variant;
	bool exchanged;	  /* the two words of numbers are exchanged */
	uint32_t bytes;	  /* of an RW record with one request */
	uint16_t type_is; /* record type as two bytes of the input */
	bool counted;
	struct load_spec count, start, end, addr, size, client, desc, app;
	uint32_t op_off;
	uint32_t nmoves;
	struct fast_move move[PLAN_ARGS];
	uint32_t file_to, name_to;
	uint32_t len; /* bytes of an event's record */
};

struct charisma {
	struct layout l;
	bool big;
	unsigned need;
	uint32_t nplans;
	struct charisma_plan *plan; /* one plan for each record of the layout */
	uint8_t known[256]; /* index plus 1 in l.record of the record with this number */
	struct charisma_plan *rw;
	struct charisma_clock clock;
	uint32_t comp_type[64];
	struct client client[CLIENTS];
	uint64_t no_client, no_app;
	bool files_on, async_on;
	struct charisma_state state;
	struct async async;
	/* For requests with an application's id, and for those with NO_APP. */
	struct fast fast[2];
	uint64_t comp_time; /* time of the previous request */
	/* Number of the next request in the record that is being read. */
	uint64_t at_request;
	uint64_t limit; /* records that begin at or after this offset are not read */
	bool async_known, async_has;
	uint64_t async_end;
	bool say;   /* report the layout, because the reader has found it */
	bool first; /* the next record is the header record that charisma_open has read */
	uint64_t opaque, unopened;
	struct oddity is_dense, backward;
	/* Native output. */
	uint8_t *header;
	size_t header_n;
	bool header_due;
	uint64_t native_last;
};

enum measure_result {
	MEASURED,
	MEASURE_MORE,	 /* *bytes must be read to know the length */
	MEASURE_UNKNOWN, /* the layout has no record of that type */
	MEASURE_LONG,	 /* longer than the longest record that can be read */
};

/* Finds the length of the record at p, of which `left` bytes were read, and stores it in *bytes. Sets *plan (NULL
 * for the compressed record) and *n, the number of repetitions (1 if nothing is repeated). */
enum measure_result charisma_measure(const struct charisma *c, const uint8_t *p,
				     size_t left, const struct charisma_plan **plan,
				     uint64_t *n, uint64_t *bytes);

/* Makes the plans of c->l: for finding the lengths of records, and with `events` also for making events. */
void plans_make(struct charisma *c, bool events);
/* Adds to b, which has room, one event for the record at p with the plan pl. i and n are the number of the request, from
 * 0, and of requests; for a record without requests 0 and the n of charisma_measure. */
void plan_event(struct source *s, struct batch *b, struct charisma_plan *pl,
		const uint8_t *p, uint64_t i, uint64_t n);
/* Returns the length in bytes of the compressed record at p, of which four bytes must be readable. */
uint64_t comp_bytes(const struct charisma *c, const uint8_t *p);
/* Adds to b the event of the compressed record at p. */
void comp_event(struct source *s, struct batch *b, const uint8_t *p);
/* Returns the names of the values of field f, or NULL. */
const struct labels *charisma_labels(const struct layout *l, const struct layout_field *f);
/* The names of the bits of open_flags and of operation_type, from the lowest bit on. */
extern const char *const charisma_open_flag[6], *const charisma_operation_flag[3];
/* Writes the names of the bits of operation_type `op`, with commas between. */
void operation_names(char to[CHARISMA_NAMES], unsigned op);
/* Removes all numbers of types and strings from the plans and caches. Must be called when a new epoch begins. */
void plans_forget(struct charisma *c);
/* Frees the plans; types that were made stay in the tables. */
void plans_free(struct charisma *c);
/* Returns the number of the string that is the loc of the client `id` or, with `app`, of the application `id`. */
uint32_t charisma_loc(struct source *s, bool app, uint64_t id);

/* Prepares the fast path for the layout. Must be called after plans_make. */
void fast_make(struct source *s);
/* Adds the events of RW records of the common shape to b. Stops before the first other record, and if b is full or no
 * whole record is in memory. */
void fast_run(struct source *s, struct batch *b);
/* Skips RW records of the common shape. Stops before the first record of another shape or one on which later records
 * depend, and if no whole record is in memory. */
void fast_skip(struct source *s);

/* Initializes a. `window` is the number of requests to look ahead; 0 = none. */
void async_init(struct async *a, uint32_t window);
/* Frees all memory of a. */
void async_free(struct async *a);
/* Looks for the end of the asynchronous request of the record at s->in.p. If it returns
 * ASYNC_DONE, *end is the end's biased time stamp. */
enum async_answer async_find(struct source *s, uint64_t *end);

/* Returns the place of request i of the record at p. */
static inline const uint8_t *
element_of(const struct charisma_plan *pl, const uint8_t *p, uint64_t i)
{
	const struct layout_record *r = pl->rec;

	return p + r->field[r->nfields - 1].off + i * r->element;
}

/* Returns the number of a column's field f in the record at p; e is its request. */
static inline uint64_t
field_num(const struct charisma *c, const struct source_field *f, const uint8_t *p,
	  const uint8_t *e)
{
	return load_num(f->element ? e : p, &f->from, c->big);
}

#endif
