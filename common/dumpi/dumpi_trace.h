/*
 * dumpi_trace.h - DUMPI: the compiled table of calls, finding and parsing records, sections.
 *
 * A file has: magic, body (records), header, footer, keyval, labels of counters, sizes of datatypes, addresses of
 * functions, index. All numbers are big-endian. A record has no length, so only parsing its arguments finds the
 * next one. Source: the public description of DUMPI, and files of libdumpi 0.2 to 13 where they differ from it
 * (dumpi-trace(5)).
 */
#ifndef SPOOR_DUMPI_TRACE_H
#define SPOOR_DUMPI_TRACE_H

#include "base/bytes.h"
#include "base/die.h"
#include "event/event.h"
#include "event/schema.h"
#include "input/source.h"
#include "dumpi/dumpi.h"
#include "dumpi/known.h"

#define DUMPI_MAGIC "\xff\xaa\xdd\x44\x55\x4d\x50\x49"
#define DUMPI_BODY 8	  /* offset of the body: two biases, then records */
#define DUMPI_RECORDS 16  /* offset of the records */
#define DUMPI_CALLS 294	  /* numbers of calls: 0 to 293 */
#define DUMPI_COUNTED 291 /* calls with a count in the footer; the last one is a total */
#define DUMPI_END 293	  /* number that ends the body */
#define DUMPI_ARGS 12	  /* room for the arguments of a call; the largest number is 11 */
#define DUMPI_PARTS 6	  /* limit of the variable parts in a plan */
/* Limit of the length of a record; a longer one is damaged. MPI_Alltoallw among 200,000 ranks has 4 MB. */
#define DUMPI_LONGEST (4u * 1024 * 1024)
/* Limit of a record with arrays of strings, which take more bytes in an event than in the file. */
#define DUMPI_STRINGS (1024 * 1024)

/* Bits of a record's mask. */
enum {
	MASK_STATUS = 3, /* statuses are stored if either bit is set */
	MASK_CPU = 4,
	MASK_WALL = 8,
	MASK_THREAD = 0x40,
	MASK_PERF = 0x80,
	MASK_KNOWN = 0xcf,
	MASK_QUICK = 0x4f,
};

/* Differences between old versions. */
enum {
	OLD_INIT = 1,	/* before 0.6.2: MPI_Init has one more number */
	OLD_TAG = 2,	/* before 0.6.3: statuses have no tag */
	OLD_CART = 4,	/* before 0.6.8: MPI_Cart_get's coords are one number */
	OLD_STRUCT = 8, /* before 0.6.9: MPI_Type_struct's indices are one number */
};

/* The form in which an argument is stored in the file. */
enum dumpi_shape {
	SHAPE_ONE,	/* a number */
	SHAPE_ARRAY,	/* u32 n, n numbers */
	SHAPE_ROWS,	/* u32 n, n arrays */
	SHAPE_STR,	/* u32 n, n bytes */
	SHAPE_STRS,	/* strings, whose number is an earlier argument */
	SHAPE_STRARRAY, /* u32 n, n strings */
	SHAPE_STRROWS,	/* u32 n, n arrays of strings */
	SHAPE_STATUS,	/* u32 n, n statuses; not stored if the mask has no MASK_STATUS */
};

/* A row of the table in dumpi_calls.h. */
struct dumpi_row {
	struct schema_row row;
	const char *recv, *print; /* NULL if there is none */
	enum dumpi_does does;
};

struct dumpi_type {
	const char *name;
	uint8_t width;	  /* bytes in the file; 0 = it depends on the shape */
	uint8_t kind;	  /* enum kind of the argument in an event */
	const char *decl; /* dumpi2ascii's name of the type */
	struct labels labels;
	/* dumpi2ascii's words for values above and below those with a name, or NULL. */
	const char *above, *below;
};

struct dumpi_arg {
	char name[24];
	const struct dumpi_type *type;
	uint8_t shape;
	int8_t len;    /* number of the argument that counts this array, or -1 */
	bool brackets; /* written as status[]: an array in MPI too */
	bool cond;     /* stored only if cond_a and cond_b are equal */
	/* OLD_*: versions in which it is stored as one number; versions to which it is limited */
	uint8_t one, only;
};

/* The ranks at which a rule applies. */
enum dumpi_where {
	WHERE_ALL,
	WHERE_ROOT,
	WHERE_OTHERS,	 /* all except root */
	WHERE_NOT_FIRST, /* all except rank 0 */
};

/* One rule for a call's bytes; the members are argument numbers, -1 = not used. */
struct dumpi_bytes {
	int8_t flag; /* an argument that must not be 0 */
	/* A number or an array, multiplied by the datatype's size. */
	int8_t count, datatype;
	int8_t status; /* the statuses whose bytes are added up */
	uint8_t where; /* enum dumpi_where */
	bool own;      /* use only this rank's element of the array */
	bool all;      /* multiply by the number of ranks of the communicator */
};

struct dumpi_call {
	const char *name; /* NULL = no such call */
	uint8_t nargs, nbytes, nrecv;
	uint8_t does; /* enum dumpi_does */
	struct dumpi_arg arg[DUMPI_ARGS];
	int8_t cond_a, cond_b;
	uint8_t print[DUMPI_ARGS]; /* order of arguments in dumpi2ascii */
	struct dumpi_bytes bytes[2], recv[2];
	int8_t peer, peer_status, peer_flag; /* numbers of arguments, or -1 */
	bool from;			     /* the peer is a source */
	/* Numbers of arguments, or -1. */
	int8_t source, comm, root, commrank, commsize, newcomm;
};

extern struct dumpi_call dumpi_calls[DUMPI_CALLS];

/* Returns the number of a call. */
static inline unsigned
dumpi_number(const struct dumpi_call *k)
{
	return (unsigned)(k - dumpi_calls);
}

void dumpi_table(void); /* fills dumpi_calls from the table; a second call does nothing */
/* Rows are struct dumpi_row, indexed by the calls' numbers. */
extern const struct schema dumpi_schema;
/* Returns the type called name[0..n), or NULL. */
const struct dumpi_type *dumpi_type_named(const char *name, size_t n);

/* A plan for reading the records of a call quickly, if they consist of numbers and counted arrays. */
struct dumpi_plan {
	bool complex; /* only dumpi_parse can read such a record */
	uint8_t n;    /* number of counted arrays */
	uint16_t pre; /* bytes before the first array */
	struct {
		/* width: bytes of an element; fix: bytes of the numbers after the array */
		uint8_t width, fix;
	} part[DUMPI_PARTS];
	uint8_t bytes;	/* BYTES_*: the way to find the bytes moved */
	uint8_t status; /* number of the argument with the statuses */
	uint8_t ids;	/* BYTES_WAIT: number of the argument with the requests */
	bool one;	/* the argument is one request, not an array */
	bool both;	/* the call receives as many bytes as it sends */
	bool sole;	/* BYTES_STATUS_PAIR: only the status has the bytes */
	uint8_t does;	/* DOES_SEND or DOES_RECV if the call makes a request, else 0 */
	/* Offsets of numbers before the arrays. */
	uint16_t count, datatype, peer, request;
	int32_t null; /* a peer below this is MPI_PROC_NULL */
	struct {
		/* 0: the offset is from the start of the arguments; k: from the end of array k-1 */
		uint8_t base;
		uint8_t absent; /* statuses that are not stored according to the mask */
		uint16_t off;
	} at[DUMPI_ARGS];
};

enum {
	BYTES_NONE,
	BYTES_PAIR, /* count times datatype, both before the arrays */
	/* The bytes of a status if there is one, else count times datatype. */
	BYTES_STATUS_PAIR,
	/* The bytes of all requests that a call completes, from the statuses. */
	BYTES_WAIT,
	/* dumpi_moves finds the bytes, or the record changes what is known */
	BYTES_GENERAL,
};

/* The layout of records of one range of versions. */
struct dumpi_layout {
	uint8_t old;	/* OLD_* */
	uint8_t index;	/* 0 to DUMPI_LAYOUTS - 1 */
	uint8_t status; /* bytes of one status */
	/* [0]: without statuses, [1]: with statuses */
	struct dumpi_plan plan[2][DUMPI_CALLS];
};

#define DUMPI_LAYOUTS 5
/* Returns the layout with that number; 0 is the newest. It is never freed. */
const struct dumpi_layout *dumpi_layout(unsigned index);
/* Returns the enum dumpi_shape of the argument a in records of this layout, or -1 if it is not stored. */
int dumpi_shape_in(const struct dumpi_layout *l, const struct dumpi_arg *a);
/* Returns the number of the layout of a version. */
unsigned dumpi_layout_of(const uint8_t version[3]);

/* A parsed record. */
struct dumpi_view {
	uint16_t call; /* number of the call; 290 has become 0 */
	uint8_t mask, nperf;
	const uint8_t *perf;		/* counters, or NULL */
	const uint8_t *args;		/* begin of the arguments */
	const uint8_t *arg[DUMPI_ARGS]; /* place of each argument; NULL = not stored */
	size_t len;
	uint64_t need;	 /* DUMPI_SHORT: smallest possible length of the record */
	const char *why; /* DUMPI_BAD: the error */
};

enum {
	DUMPI_WHOLE,
	DUMPI_SHORT, /* it is longer than the n bytes */
	DUMPI_BAD,   /* this is not a record */
	DUMPI_STOP,  /* this is the end mark of the body */
};

/*
 * Splits the record at p into *v; reads only p[0..n). Returns DUMPI_WHOLE, or the enum value for the reason why there
 * is not a whole record: v->need is set for DUMPI_SHORT, v->why for DUMPI_BAD. This function defines what a record
 * is; dumpi_quick is only faster.
 */
int dumpi_parse(const struct dumpi_layout *l, const uint8_t *p, size_t n,
		struct dumpi_view *v);
/* dumpi_quick needs this many readable bytes, because it checks only
 * the counts of arrays. */
#define DUMPI_QUICK 4096
#define DUMPI_QUICK_ARRAY 64

/* Returns the number of bytes before the arguments of a record with that mask, of the bits MASK_QUICK. */
static inline unsigned
dumpi_prefix(unsigned mask)
{
	/* each of the two clocks takes 12 bytes */
	return 3 + (mask >> 5 & 2) + (0x180c0c00u >> (mask << 1 & 24) & 0xff);
}

/* Stores the places of the times of the record at p, NULL for a clock that it does not have. */
static INLINE void
dumpi_times(const uint8_t *p, const uint8_t **cpu, const uint8_t **wall)
{
	const uint8_t *q = p + 3 + (p[2] >> 5 & 2);

	*cpu = p[2] & MASK_CPU ? q : NULL;
	*wall = p[2] & MASK_WALL ? q + (p[2] & MASK_CPU) * 3 : NULL;
}

/* Returns the plan for records of a call, which is less than DUMPI_CALLS, with that mask. */
static INLINE const struct dumpi_plan *
dumpi_plan_of(const struct dumpi_layout *l, unsigned call, unsigned mask)
{
	return &l->plan[(mask & MASK_STATUS) != 0][call];
}

/*
 * Returns the length of the record at p, which must have DUMPI_QUICK readable bytes; or 0 if only dumpi_parse can
 * read it. base[0] becomes the start of its arguments, base[k] the place after its array k-1, *plan its plan.
 */
static INLINE size_t
dumpi_quick(const struct dumpi_layout *l, const uint8_t *p, const struct dumpi_plan **plan,
	    const uint8_t **base)
{
	unsigned call = be16(p), mask = p[2];
	const struct dumpi_plan *pl;
	const uint8_t *q;

	if (unlikely(call >= DUMPI_END || mask & ~(unsigned)MASK_QUICK))
		return 0;
	*plan = pl = dumpi_plan_of(l, call, mask);
	if (unlikely(pl->complex))
		return 0;
	q = p + dumpi_prefix(mask);
	base[0] = q;
	q += pl->pre;
	for (unsigned k = 0; k < pl->n; k++) {
		uint32_t n = be32(q);

		if (unlikely(n > DUMPI_QUICK_ARRAY))
			return 0;
		q += 4 + n * pl->part[k].width;
		base[k + 1] = q;
		q += pl->part[k].fix;
	}
	return (size_t)(q - p);
}

/* Returns the place of argument i of a record that dumpi_quick has read, or NULL if it is not stored. */
static INLINE const uint8_t *
dumpi_arg_at(const struct dumpi_plan *pl, const uint8_t *const *base, unsigned i)
{
	return pl->at[i].absent ? NULL : base[pl->at[i].base] + pl->at[i].off;
}

/* The sections after the body. */
enum dumpi_section {
	SEC_HEADER,
	SEC_FOOTER,
	SEC_KEYVAL,
	SEC_LABELS,
	SEC_SIZES,
	SEC_ADDRESSES,
	SECTIONS
};

struct dumpi_sections {
	/* Words of the index, at least 5; 0 = there is no index. */
	unsigned words;
	uint64_t off[SECTIONS];	  /* offsets from the index; 0 = no such section */
	uint64_t body;		  /* offset of the body in the index */
	struct buf raw[SECTIONS]; /* bytes of each section, checked; n = 0: missing */
	uint8_t version[3];	  /* 0.0.0 if there is no header */
	bool loaded, broken;	  /* broken: the index has a wrong offset of a section */
};

/* The place of the sections: a file, read by pread, or memory. */
struct dumpi_file {
	int fd; /* -1 = memory */
	/* fd: offset of the trace in the file; memory: offset of p in the trace */
	uint64_t base;
	uint64_t size; /* size of the whole trace */
	const uint8_t *p;
	size_t n;
	uint64_t dev, ino; /* device and inode, if it is one of several files */
};

/* Finds the index of f and reads every section that it names into *c. Errors are reported
 * for s. The caller frees *c with dumpi_sections_free. */
void dumpi_sections_load(struct dumpi_sections *c, const struct dumpi_file *f,
			 struct source *s);
/* Reads the sections that are still missing from the bytes after the body, where they follow one another from offset
 * `at`. */
void dumpi_sections_follow(struct dumpi_sections *c, const struct dumpi_file *f,
			   uint64_t at);
/* Returns the offset before which the body must end because a section begins there, or UINT64_MAX if it is unknown. */
uint64_t dumpi_sections_limit(const struct dumpi_sections *c);
/* Returns true if the bytes are a whole section k within its limit of length. */
bool dumpi_section_good(enum dumpi_section k, const struct buf *raw);
/* Frees all memory of c. */
void dumpi_sections_free(struct dumpi_sections *c);
/* Calls each(arg, section, key, value) for all pairs of all sections, in the file's order. */
void dumpi_sections_each(const struct dumpi_sections *c, dumpi_pair *each, void *arg);
/* Stores the name of counter i in *name. Returns false if it has none. */
bool dumpi_label(const struct dumpi_sections *c, uint32_t i, struct span *name);

/* A cursor over a section. Reading after its end gives zeros and sets `bad`. */
struct dumpi_cur {
	const uint8_t *p, *end;
	bool bad;
};
/* Returns a cursor at the beginning of a section. */
static inline struct dumpi_cur
dumpi_cursor(const struct buf *raw)
{
	static const uint8_t nothing[1];
	const uint8_t *p = raw->n ? raw->p : nothing;

	return (struct dumpi_cur){p, p + raw->n, false};
}

/* Returns the next n bytes and moves c to the byte after them. Returns NULL and sets c->bad if there are fewer;
 * every later call fails too. */
const uint8_t *dumpi_take(struct dumpi_cur *c, uint64_t n);
/* Reads the next number of 4 or 8 bytes, or the next string after its length of 16 bits, and moves c after it.
 * Returns 0 or an empty string if there are too few bytes. */
uint32_t dumpi_u32(struct dumpi_cur *c);
uint64_t dumpi_u64(struct dumpi_cur *c);
struct span dumpi_str16(struct dumpi_cur *c);

extern const struct format fmt_dumpi;

/* Options of the format. */
struct dumpi_options {
	bool serial;   /* read one rank after the other */
	bool gpeer;    /* events get gpeer=, the rank of their peer in MPI_COMM_WORLD */
	int64_t align; /* not 0: times of every rank count from its MPI_Init */
	int64_t rank;  /* rank of a file whose name does not show it; -1 = not given */
	/* Source of the sizes of built-in datatypes that the trace lacks: lp64, or a trace of another rank; NULL =
	 * none. */
	const char *sizes;
	bool look; /* not an option: read only records about communicators, for peers.c */
};

struct dumpi;

/* One file, the trace of one rank. */
struct dumpi_rank {
	const char *name; /* path, also for messages */
	int64_t number;	  /* -1 = unknown */
	size_t job;	  /* index of its job, if there are several */
	struct in *in;	  /* the source's input, or `own` */
	struct in own;
	size_t room;   /* usual size of the buffer of `own` */
	bool unpacked; /* the file was compressed */
	bool told;     /* a message has reported that decompressing failed */
	struct dumpi_file file;
	uint64_t limit; /* the body ends before this offset; UINT64_MAX = unknown */
	size_t hidden;	/* bytes after in->end that were read before `limit` was known */
	struct dumpi_sections sec;
	const struct dumpi_layout *layout;
	int32_t cpu_bias, wall_bias;
	int64_t cpu, wall; /* second of the last return, relative to the bias */
	int64_t shift;	   /* ns that are subtracted from every time */
	uint64_t untimed;  /* number of records without the clock of the trace */
	int64_t key, dur;  /* time and duration of the current record */
	bool timed;	   /* the time of the next record comes from a clock */
	int64_t first[2];  /* first wall time and first cpu time, INT64_MAX = none */
	int64_t cpu_start, cpu_dur;
	uint64_t records;
	struct dumpi_known *tells; /* handles of the rank; NULL = not needed */
	struct dumpi_moves moves;  /* bytes of the current record */
	/* A memory limit was reached, and a message has reported it. */
	bool full;
	uint32_t nlabels; /* number of counters with names */
	/* A counter has no name, and a message has reported it. */
	bool nameless;
	uint32_t count[DUMPI_CALLS];
	uint32_t gpeer;	   /* gpeer of the current record, see MAKE_GPEER */
	bool known;	   /* the layout comes from the header and is not guessed */
	bool finalized;	   /* MPI_Finalize was read */
	bool ended, whole; /* the body has ended; it ended with its end mark */
	bool maskbits;	   /* a mask with unknown bits was reported */
	/* The rank has several threads, so returns may be out of order. */
	bool threads;
	uint64_t end;	 /* offset of the end of the body, after its end mark */
	uint32_t labels; /* number of the string with its counters' names */
	struct {
		uint32_t thread, loc; /* loc 0 = free */
	} loc[8];
	struct dumpi_address {
		uint64_t address;
		uint32_t n, sym; /* sym 0 = not in the tables yet */
		const uint8_t *name;
	} * address; /* sorted by address */
	size_t naddress;
};

/* A .meta file (dumpi_meta.c). */
struct dumpi_meta {
	char *text; /* the file's text, cut into the strings below */
	struct dumpi_meta_pair {
		const char *key, *value;
	} * pair; /* in the file's order, without blanks around */
	size_t n, cap;
	size_t odd; /* number of the first line without KEY=VALUE, from 1; 0 = none */
};

/* Reads the .meta file `path` of a run into *m. Returns false if its name does not end in .meta, if it is not a
 * regular file, or if it does not belong to a DUMPI run. If it cannot be read, errno is then not 0. The caller
 * frees *m with dumpi_meta_free in any case. */
bool dumpi_meta_read(struct dumpi_meta *m, const char *path);
/* Returns the first value of a key, or NULL. */
const char *dumpi_meta_value(const struct dumpi_meta *m, const char *key);
/* Frees all memory of m. */
void dumpi_meta_free(struct dumpi_meta *m);

/* A job: one run of a program. Its ranks are the ranks of a .meta file, or of files that belong together. */
struct dumpi_job {
	char *name;		/* path of the .meta file, or prefix of the ranks' files */
	struct dumpi_meta meta; /* empty if there is no .meta file */
};

struct dumpi_jobs {
	struct dumpi_job *v;
	/* n: if it is 2 or more, an event's loc begins with the job's number */
	size_t n, cap;
};

/* Adds a job called name[0..n), and returns it (dumpi_jobs.c). Pointers to other jobs become invalid. */
struct dumpi_job *dumpi_job_add(struct dumpi_jobs *jobs, const char *name, size_t n);
/* Divides the ranks v[0..n), which no .meta file names, into jobs. There are several jobs only if two files have
 * the same rank. Removes files that are listed twice, and reports missing ranks. Returns the new number of ranks. */
size_t dumpi_jobs_find(struct source *s, struct dumpi_rank *v, size_t n,
		       struct dumpi_jobs *jobs);
/* Frees all memory of the jobs. */
void dumpi_jobs_free(struct dumpi_jobs *jobs);

/* ranks.c: the files of ranks. */
/* Reads more of a rank's file. Returns false at the end of the file and after a read error, which r->in->err holds.
 * An error of a file that the rank opened itself is also reported for s. Unread bytes move in the buffer. */
bool dumpi_more(struct source *s, struct dumpi_rank *r);
/* Opens the first of s->paths that are ranks of one trace: fills *ranks, *n of them, and *jobs, and reports missing
 * ranks and files that cannot be opened. Returns the number of paths that it used; 0 = the trace is s->in itself, and
 * *ranks and *n are unchanged. The caller closes each rank with dumpi_rank_close, frees *ranks with free(), and *jobs
 * with dumpi_jobs_free. */
size_t dumpi_ranks_open(struct source *s, struct dumpi_rank **ranks, size_t *n,
			struct dumpi_jobs *jobs);
/* Closes a rank's file and frees all memory of r. */
void dumpi_rank_close(struct dumpi_rank *r);
/* Returns true if `path` is the .meta file of a run. Implements format_inputs.takes. */
bool dumpi_takes(const char *path, const struct read_options *opt);
/* Returns the rank in the file name of `path`, such as 7 in NAME-0007.bin, or -1 if it has none. */
int64_t dumpi_rank_of(const char *path);
/* Writes the first part of loc for rank r: its number, or job/number if there are several
 * jobs; `-` for an unknown number. Returns the length. */
#define DUMPI_RANK_TEXT 48
size_t dumpi_rank_text(char text[DUMPI_RANK_TEXT], const struct dumpi_jobs *jobs,
		       const struct dumpi_rank *r);

/* fmt_dumpi.c: for programs that read the records themselves. */
/* Returns the number of ranks of s, its rank i, or its jobs. */
size_t dumpi_nranks(const struct source *s);
struct dumpi_rank *dumpi_rank(const struct source *s, size_t i);
const struct dumpi_jobs *dumpi_jobs(const struct source *s);
/* Returns the place of the next whole record of a rank, and stores its length in *len. If dumpi_quick has read the
 * record, *quick becomes true and base is set; otherwise v is set. Returns NULL at the end of the body. Errors are
 * reported. Unread bytes may move in the buffer. With `stay` they do not move: if NULL is returned and r->ended is
 * false, the caller must let them move first. */
const uint8_t *dumpi_next(struct source *s, struct dumpi_rank *r, struct dumpi_view *v,
			  const uint8_t **base, bool *quick, size_t *len, bool stay);
/* Ends a rank whose body has been read: reads the sections of a pipe, and compares the footer's counts
 * (rank_open.c). */
void dumpi_finish(struct source *s, struct dumpi_rank *r);

/* Writes v at p in the file's byte order. Returns the place after it. */
static inline uint8_t *
dumpi_big32(uint8_t *p, uint32_t v)
{
	st32(p, HOST_BIG ? v : swap32(v));
	return p + 4;
}

/* Appends v to b in the file's byte order. */
static inline void
dumpi_add32(struct buf *b, uint32_t v)
{
	buf_to(b, dumpi_big32(buf_room(b, 4), v));
}

/* Appends to b the end of a file, from its offset `at` on: the end mark of the body, the sections of sec, and the
 * index (dumpi_write.c). A missing header is made. The footer has the counts of `written`, by call, and the counts of
 * calls that were not recorded. The index has as many words as sec->words, or all if that is 0. `layout` is the
 * number of the records' layout. */
void dumpi_tail(struct buf *b, uint64_t at, const struct dumpi_sections *sec,
		const uint32_t *written, unsigned layout);

#endif
