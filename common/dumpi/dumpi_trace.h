/*
 * dumpi_trace.h - DUMPI: the table of calls compiled, records found and taken apart, sections.
 *
 * A file: magic, body (records), header, footer, keyval, labels of counters, sizes of
 * datatypes, addresses of functions, index. Everything is big-endian; a record has no
 * length, so that only a walk over its arguments finds the next. Source: the public
 * description of DUMPI, and what files of libdumpi 0.2 to 13 hold where that is wrong
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
#define DUMPI_BODY 8	  /* where the body begins: two biases, then records */
#define DUMPI_RECORDS 16  /* where the records begin */
#define DUMPI_CALLS 294	  /* labels of records: 0 to 293 */
#define DUMPI_COUNTED 291 /* of which the footer counts these; the last one is a total */
#define DUMPI_END 293	  /* ends the body */
#define DUMPI_ARGS 12	  /* the most that a call has is 11 */
#define DUMPI_PARTS 6	  /* variable parts that a plan can hold */
/* A longer record is damage: MPI_Alltoallw among 200,000 ranks has 4 MB. */
#define DUMPI_LONGEST (4u * 1024 * 1024)
/* The limit for a record with arrays of strings, which need more bytes in an event than in the file. */
#define DUMPI_STRINGS (1024 * 1024)

/* Bits of a record's mask. */
enum {
	MASK_STATUS = 3, /* either bit: statuses are stored */
	MASK_CPU = 4,
	MASK_WALL = 8,
	MASK_THREAD = 0x40,
	MASK_PERF = 0x80,
	MASK_KNOWN = 0xcf,
	MASK_QUICK = 0x4f,
};

/* The differences of old versions. */
enum {
	OLD_INIT = 1,	/* before 0.6.2: MPI_Init has one more number */
	OLD_TAG = 2,	/* before 0.6.3: statuses have no tag */
	OLD_CART = 4,	/* before 0.6.8: MPI_Cart_get's coords are one number */
	OLD_STRUCT = 8, /* before 0.6.9: MPI_Type_struct's indices are one number */
};

/* How an argument lies in the file. */
enum dumpi_shape {
	SHAPE_ONE,	/* a number */
	SHAPE_ARRAY,	/* u32 n, n numbers */
	SHAPE_ROWS,	/* u32 n, n arrays */
	SHAPE_STR,	/* u32 n, n bytes */
	SHAPE_STRS,	/* strings, counted by an argument before */
	SHAPE_STRARRAY, /* u32 n, n strings */
	SHAPE_STRROWS,	/* u32 n, n arrays of strings */
	SHAPE_STATUS,	/* u32 n, n statuses; absent altogether where the mask says so */
};

/* A row of the table, as it is written in dumpi_calls.h. */
struct dumpi_row {
	struct schema_row row;
	const char *recv, *print; /* NULL where there is nothing to say */
	enum dumpi_does does;
};

struct dumpi_type {
	const char *name;
	uint8_t width;	  /* bytes in the file; 0 = by shape */
	uint8_t kind;	  /* enum kind in an event */
	const char *decl; /* dumpi2ascii's word for the type */
	struct labels labels;
	/* dumpi2ascii's words for values above and below those with a name, or NULL. */
	const char *above, *below;
};

struct dumpi_arg {
	char name[24];
	const struct dumpi_type *type;
	uint8_t shape;
	int8_t len;	   /* the argument that counts this array, or -1 */
	bool brackets;	   /* status[]: an array also for MPI */
	bool cond;	   /* stored only where cond_a and cond_b are equal */
	uint8_t one, only; /* OLD_*: stored as one number, stored at all */
};

/* At which ranks a rule holds. */
enum dumpi_where {
	WHERE_ALL,
	WHERE_ROOT,
	WHERE_OTHERS,	 /* all except root */
	WHERE_NOT_FIRST, /* all except rank 0 */
};

/* One rule for a call's bytes; the members are argument numbers, -1 = not used. */
struct dumpi_bytes {
	int8_t flag;		/* an argument that must not be 0 */
	int8_t count, datatype; /* number or array, times the datatype's size */
	int8_t status;		/* the sum of its bytes */
	uint8_t where;		/* enum dumpi_where */
	bool own;		/* of the array only this rank's element */
	bool all;		/* for each rank of the communicator */
};

struct dumpi_call {
	const char *name; /* NULL: no such call */
	uint8_t nargs, nbytes, nrecv;
	uint8_t does; /* enum dumpi_does */
	struct dumpi_arg arg[DUMPI_ARGS];
	int8_t cond_a, cond_b;
	uint8_t print[DUMPI_ARGS]; /* dumpi2ascii's order */
	struct dumpi_bytes bytes[2], recv[2];
	int8_t peer, peer_status, peer_flag; /* arguments, or -1 */
	bool from;			     /* the peer is a source */
	/* Arguments, or -1. */
	int8_t source, comm, root, commrank, commsize, newcomm;
};

extern struct dumpi_call dumpi_calls[DUMPI_CALLS];

/* Returns the number of a call. */
static inline unsigned
dumpi_number(const struct dumpi_call *k)
{
	return (unsigned)(k - dumpi_calls);
}

void dumpi_table(void); /* fills dumpi_calls from the table; may be called again */
extern const struct schema dumpi_schema; /* of struct dumpi_row, by the calls' numbers */
/* Returns the type called name[0..n), or NULL. */
const struct dumpi_type *dumpi_type_named(const char *name, size_t n);

/* The layout of a call's records, if they have the usual shape: numbers and counted arrays. */
struct dumpi_plan {
	bool complex; /* only dumpi_parse can read it */
	uint8_t n;    /* counted arrays */
	uint16_t pre; /* bytes before the first of them */
	struct {
		uint8_t width, fix; /* of an element; of the numbers behind the array */
	} part[DUMPI_PARTS];
	uint8_t bytes;	/* how to find its bytes: BYTES_* */
	uint8_t status; /* the argument with the statuses */
	uint8_t ids;	/* BYTES_WAIT: the argument with the requests */
	bool one;	/* which are one */
	bool both;	/* as many are received as sent */
	bool sole;	/* BYTES_STATUS_PAIR: only the status tells the bytes */
	uint8_t does;	/* DOES_SEND or DOES_RECV: a request is made, else 0 */
	/* Places in front of the arrays. */
	uint16_t count, datatype, peer, request;
	int32_t null; /* a peer below this is MPI_PROC_NULL */
	struct {
		uint8_t base;	/* 0: the arguments' start; k: behind array k-1 */
		uint8_t absent; /* statuses that the mask leaves out */
		uint16_t off;
	} at[DUMPI_ARGS];
};

enum {
	BYTES_NONE,
	BYTES_PAIR,	   /* count times datatype, both in front */
	BYTES_STATUS_PAIR, /* a status's, else count times datatype */
	BYTES_WAIT,	   /* all of some requests complete, with their statuses */
	BYTES_GENERAL,	   /* dumpi_moves finds them; or the record changes what is known */
};

/* How records of one range of versions are laid out. */
struct dumpi_layout {
	uint8_t old;				/* OLD_* */
	uint8_t index;				/* 0 to DUMPI_LAYOUTS - 1 */
	uint8_t status;				/* bytes of one */
	struct dumpi_plan plan[2][DUMPI_CALLS]; /* without and with statuses */
};

#define DUMPI_LAYOUTS 5
/* Returns the layout with that number; 0 is the newest. It is never freed. */
const struct dumpi_layout *dumpi_layout(unsigned index);
/* Returns the enum dumpi_shape of the argument a in records of this layout, or -1 if it is not stored. */
int dumpi_shape_in(const struct dumpi_layout *l, const struct dumpi_arg *a);
/* Returns the number of the layout of a version. */
unsigned dumpi_layout_of(const uint8_t version[3]);

/* A record taken apart. */
struct dumpi_view {
	uint16_t call; /* 290 has become 0 */
	uint8_t mask, nperf;
	const uint8_t *perf;		/* NULL where there is none */
	const uint8_t *args;		/* where the arguments begin */
	const uint8_t *arg[DUMPI_ARGS]; /* NULL: not stored */
	size_t len;
	uint64_t need;	 /* DUMPI_SHORT: bytes that it has at least */
	const char *why; /* DUMPI_BAD */
};

enum {
	DUMPI_WHOLE,
	DUMPI_SHORT, /* it goes on behind the n bytes */
	DUMPI_BAD,   /* this is no record */
	DUMPI_STOP,  /* the label that ends the body */
};

/*
 * Splits the record at p into *v; reads only p[0..n). Returns DUMPI_WHOLE, or the enum value for the reason why there
 * is no whole record: v->need is set for DUMPI_SHORT, v->why for DUMPI_BAD. This function defines what a record is;
 * dumpi_quick is only faster.
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
	/* 12 bytes for either of the two clocks */
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

/* The sections behind the body. */
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
	unsigned words;		  /* of the index, from 5 on; 0 = there is none */
	uint64_t off[SECTIONS];	  /* 0 = the index names none */
	uint64_t body;		  /* its offset in the index */
	struct buf raw[SECTIONS]; /* as they stand in the file, checked; n = 0: not there */
	uint8_t version[3];	  /* 0.0.0 without a header */
	bool loaded, broken;	  /* broken: the index was wrong about one of them */
};

/* The place of the sections: a file, read by pread, or memory. */
struct dumpi_file {
	int fd;	       /* -1: memory */
	uint64_t base; /* fd: where the trace begins; memory: which offset p has */
	uint64_t size; /* of the whole trace */
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
/* Return the next number of 4 or 8 bytes, or 0 if there are fewer bytes; and the next string, which follows its
 * length of 16 bits, or an empty one if it is cut. */
uint32_t dumpi_u32(struct dumpi_cur *c);
uint64_t dumpi_u64(struct dumpi_cur *c);
struct span dumpi_str16(struct dumpi_cur *c);

extern const struct format fmt_dumpi;

/* Options of the format. */
struct dumpi_options {
	bool serial;   /* rank after rank */
	bool gpeer;    /* events get the rank in the world of their peer */
	int64_t align; /* not 0: every rank's MPI_Init at the same origin */
	int64_t rank;  /* of a file whose name does not have it; -1 = not given */
	/* The source of the sizes of built-in datatypes that the trace lacks: lp64,
	 * or a trace of another rank; NULL = there is none. */
	const char *sizes;
	bool look; /* no option: only records about communicators are read, see peers.c */
};

struct dumpi;

/* One file, the trace of one rank. */
struct dumpi_rank {
	const char *name; /* for messages, and the path */
	int64_t number;	  /* -1: not known */
	size_t job;	  /* which of the jobs, where there are several */
	struct in *in;	  /* the source's own, or `own` */
	struct in own;
	size_t room;   /* own buffer: its usual size */
	bool unpacked; /* it was compressed */
	bool told;     /* a message has said why its bytes are not those of the file */
	struct dumpi_file file;
	uint64_t limit; /* the body lies before this offset; UINT64_MAX = not known */
	size_t hidden;	/* bytes behind in->end that were read before that was known */
	struct dumpi_sections sec;
	const struct dumpi_layout *layout;
	int32_t cpu_bias, wall_bias;
	int64_t cpu, wall; /* seconds of the last return, the bias counted in */
	int64_t shift;	   /* ns to be taken from every time */
	uint64_t untimed;  /* records without the clock that the others have */
	int64_t key, dur;  /* of the record at hand: its time, how long it took */
	bool timed;	   /* the next record has a time of the clock */
	int64_t first[2];  /* the first wall time and cpu time, INT64_MAX = none */
	int64_t cpu_start, cpu_dur;
	uint64_t records;
	struct dumpi_known *tells; /* NULL: nobody asks for it */
	struct dumpi_moves moves;  /* of the record at hand */
	bool full;		   /* a limit was met, and a message has said so */
	uint32_t nlabels;	   /* how many counters have names */
	bool nameless;		   /* some have none, and a message has said so */
	uint32_t count[DUMPI_CALLS];
	uint32_t gpeer;	   /* of the record at hand, see MAKE_GPEER */
	bool known;	   /* the layout comes from the header, it is not guessed */
	bool finalized;	   /* MPI_Finalize was seen */
	bool ended, whole; /* the body is over; it ended where it should */
	bool maskbits;	   /* unknown bits of a mask were told */
	bool threads;	   /* there are several: returns may be out of order */
	uint64_t end;	   /* where the body ended: the place behind its label */
	uint32_t labels;   /* number of its set of counter names */
	struct {
		uint32_t thread, loc; /* loc 0: free */
	} loc[8];
	struct dumpi_address {
		uint64_t address;
		uint32_t n, sym; /* sym 0: not yet in the tables */
		const uint8_t *name;
	} * address; /* sorted */
	size_t naddress;
};

/* dumpi_meta.c: reads a .meta file. */
struct dumpi_meta {
	char *text; /* cut into the strings below */
	struct dumpi_meta_pair {
		const char *key, *value;
	} * pair; /* in the file's order, without the blanks around them */
	size_t n, cap;
	size_t odd; /* the first line that is no key=value, from 1; 0 = there is none */
};

/* Reads the .meta file `path` of a run into *m. Returns false if its name does not end in .meta, it
 * is no regular file or is not of a DUMPI run. If it cannot be read, errno is then not 0. The caller frees *m with
 * dumpi_meta_free in any case. */
bool dumpi_meta_read(struct dumpi_meta *m, const char *path);
/* Returns the first value of a key, or NULL. */
const char *dumpi_meta_value(const struct dumpi_meta *m, const char *key);
/* Frees all memory of m. */
void dumpi_meta_free(struct dumpi_meta *m);

/* One run of a program: the ranks of a .meta file, or files of ranks
 * that belong together. */
struct dumpi_job {
	char *name;		/* its .meta file, or the prefix of its files */
	struct dumpi_meta meta; /* empty where there is no such file */
};

struct dumpi_jobs {
	struct dumpi_job *v;
	size_t n, cap; /* n: from 2 on an event's loc begins with the job's number */
};

/* dumpi_jobs.c. Adds a job called name[0..n), and returns it. Pointers to other jobs become invalid. */
struct dumpi_job *dumpi_job_add(struct dumpi_jobs *jobs, const char *name, size_t n);
/*
 * Divides the ranks v[0..n), which no .meta file names, into jobs. There are several
 * jobs only if two files have the same rank. Removes files that are
 * listed twice, and reports missing ranks. Returns the new number of ranks.
 */
size_t dumpi_jobs_find(struct source *s, struct dumpi_rank *v, size_t n,
		       struct dumpi_jobs *jobs);
/* Frees all memory of the jobs. */
void dumpi_jobs_free(struct dumpi_jobs *jobs);

/* ranks.c: files of ranks, and their merge. */
/* Reads more of a rank's file. Returns false if no bytes came. Unread bytes move in the buffer. */
bool dumpi_more(struct source *s, struct dumpi_rank *r);
/* Opens the first of s->paths that are ranks of one trace: fills *ranks, *n of them, and
 * *jobs, and reports missing ranks. Returns the number of paths that it used; 0 = the trace is
 * s->in itself. */
size_t dumpi_ranks_open(struct source *s, struct dumpi_rank **ranks, size_t *n,
			struct dumpi_jobs *jobs);
/* Closes a rank's file and frees all memory of r. */
void dumpi_rank_close(struct dumpi_rank *r);
/* Returns true if `path` is the .meta file of a run: format_inputs.takes. */
bool dumpi_takes(const char *path, const struct read_options *opt);
/* Returns the rank in the file name of `path`, such as 7 in NAME-0007.bin, or -1 if it has none. */
int64_t dumpi_rank_of(const char *path);
/* Writes the first part of loc for rank r: its number, or job/number if there are several
 * jobs; `-` for an unknown number. Returns the length. */
#define DUMPI_RANK_TEXT 48
size_t dumpi_rank_text(char text[DUMPI_RANK_TEXT], const struct dumpi_jobs *jobs,
		       const struct dumpi_rank *r);

/* fmt_dumpi.c: for a program that reads in its own way. */
/* Return the number of ranks of s, rank i of them, and the jobs. */
size_t dumpi_nranks(const struct source *s);
struct dumpi_rank *dumpi_rank(const struct source *s, size_t i);
const struct dumpi_jobs *dumpi_jobs(const struct source *s);
/*
 * Returns the place of the next whole record of a rank, and stores its length in *len. *quick becomes true, and base
 * is set, if dumpi_quick has read the record; otherwise v is set. Returns NULL at the end of the body. Errors are
 * reported. Unread bytes may move in the buffer, except with `stay`: NULL while r->ended is false then means that
 * they must move first.
 */
const uint8_t *dumpi_next(struct source *s, struct dumpi_rank *r, struct dumpi_view *v,
			  const uint8_t **base, bool *quick, size_t *len, bool stay);
/* rank_open.c. To be called at the end of a rank's body: reads the sections of a pipe, and compares the
 * footer's counts. */
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

/*
 * dumpi_write.c: appends to b the end of a file, from its offset `at` on: the end mark of the body, the sections of sec,
 * and the index. A missing header is made. The footer has the counts of `written`, by call, and those of calls that
 * were not recorded. The index has as many words as sec->words, or all if that is 0. `layout` is the number of the
 * records' layout.
 */
void dumpi_tail(struct buf *b, uint64_t at, const struct dumpi_sections *sec,
		const uint32_t *written, unsigned layout);

#endif
