/*
 * trace.h - DUMPI: the table of calls compiled, records found and taken apart, sections.
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
/* The same for one with arrays of strings, which take more room in an event than here. */
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

/* What old versions stored in another way. */
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

/* A row of the table, as it is written in calls.h. */
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
	WHERE_OTHERS,	 /* but at root */
	WHERE_NOT_FIRST, /* but at rank 0 */
};

/* One way to tell a call's bytes; argument numbers, -1 = not used. */
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

/* The number of a call. */
static inline unsigned
dumpi_number(const struct dumpi_call *k)
{
	return (unsigned)(k - dumpi_calls);
}

void dumpi_table(void); /* fills dumpi_calls from the table; may be called again */
extern const struct schema dumpi_schema; /* of struct dumpi_row, by the calls' numbers */
const struct dumpi_type *dumpi_type_named(const char *name, size_t n);

/* Which bytes a record of one call has; the usual shape is numbers and counted arrays. */
struct dumpi_plan {
	bool complex; /* the interpreter takes it */
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
/* The layout by number: 0 is the newest. It lives as long as the program. */
const struct dumpi_layout *dumpi_layout(unsigned index);
/* How an argument lies in records of this layout, enum dumpi_shape, or -1: not at all. */
int dumpi_shape_in(const struct dumpi_layout *l, const struct dumpi_arg *a);
/* The number of the layout of a version. */
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
 * The interpreter: the definition of a record. Takes the record at p apart into *v; reads no
 * byte behind p[0..n). Gives DUMPI_WHOLE, or why there is no whole record.
 */
int dumpi_parse(const struct dumpi_layout *l, const uint8_t *p, size_t n,
		struct dumpi_view *v);
/* The quick way needs this many readable bytes: it checks nothing but
 * the arrays' counts. */
#define DUMPI_QUICK 4096
#define DUMPI_QUICK_ARRAY 64

/* The bytes of a record in front of its arguments, by its mask (of MASK_QUICK). */
static inline unsigned
dumpi_prefix(unsigned mask)
{
	/* 12 bytes for either of the two clocks */
	return 3 + (mask >> 5 & 2) + (0x180c0c00u >> (mask << 1 & 24) & 0xff);
}

/* The times of a record: NULL where there are none of that clock. */
static INLINE void
dumpi_times(const uint8_t *p, const uint8_t **cpu, const uint8_t **wall)
{
	const uint8_t *q = p + 3 + (p[2] >> 5 & 2);

	*cpu = p[2] & MASK_CPU ? q : NULL;
	*wall = p[2] & MASK_WALL ? q + (p[2] & MASK_CPU) * 3 : NULL;
}

/* The plan of records of a call below DUMPI_CALLS with such a mask. */
static INLINE const struct dumpi_plan *
dumpi_plan_of(const struct dumpi_layout *l, unsigned call, unsigned mask)
{
	return &l->plan[(mask & MASK_STATUS) != 0][call];
}

/*
 * The length of a record of common shape, with DUMPI_QUICK readable bytes at p; else 0, and
 * the interpreter has it. base[0] becomes the start of its arguments, base[k] the place
 * behind its array k-1, *plan its plan.
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

/* An argument of a record that dumpi_quick took; NULL: not stored. */
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
	uint64_t body;		  /* what the index says of it */
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

/* Finds the index of f and reads every section that it names into *c. Faults are reported
 * for s. */
void dumpi_sections_load(struct dumpi_sections *c, const struct dumpi_file *f,
			 struct source *s);
/* Reads the sections that are still missing and stand one after the other behind the body,
 * from offset `at` on. */
void dumpi_sections_follow(struct dumpi_sections *c, const struct dumpi_file *f,
			   uint64_t at);
/* The offset at which the body must have ended, as the sections prove; UINT64_MAX if they do
 * not. */
uint64_t dumpi_sections_limit(const struct dumpi_sections *c);
/* Returns whether the bytes are that section, whole and no longer than one may be. */
bool dumpi_section_good(enum dumpi_section k, const struct buf *raw);
/* Frees what c holds. */
void dumpi_sections_free(struct dumpi_sections *c);
/* Calls each(arg, section, key, value) for all pairs of all sections, in the file's order. */
void dumpi_sections_each(const struct dumpi_sections *c, dumpi_pair *each, void *arg);
/* *name = the name of counter i; false if it has none. */
bool dumpi_label(const struct dumpi_sections *c, uint32_t i, struct span *name);

/* A bounded cursor over a section. Past the end it gives zeros and sets bad. */
struct dumpi_cur {
	const uint8_t *p, *end;
	bool bad;
};
/* A cursor at the beginning of a section. */
static inline struct dumpi_cur
dumpi_cursor(const struct buf *raw)
{
	static const uint8_t nothing[1];
	const uint8_t *p = raw->n ? raw->p : nothing;

	return (struct dumpi_cur){p, p + raw->n, false};
}

/* The next n bytes; c moves behind them. NULL if there are fewer: then c->bad is set, and
 * every later call fails too. */
const uint8_t *dumpi_take(struct dumpi_cur *c, uint64_t n);
/* The next number of 4 or 8 bytes, 0 if it is not there; the next string with its length of
 * 16 bits in front, empty if it is not there. */
uint32_t dumpi_u32(struct dumpi_cur *c);
uint64_t dumpi_u64(struct dumpi_cur *c);
struct span dumpi_str16(struct dumpi_cur *c);

extern const struct format fmt_dumpi;

/* Options of the format. */
struct dumpi_options {
	bool serial;   /* rank after rank */
	bool gpeer;    /* events get the rank in the world of their peer */
	int64_t align; /* not 0: every rank's MPI_Init at the same origin */
	int64_t rank;  /* of a file whose name does not tell; -1 = not said */
	/* Where sizes of built-in datatypes come from that the trace does not tell: lp64,
	 * or a trace of another rank; NULL = nowhere. */
	const char *sizes;
	bool look; /* no option: only what tells of communicators is read, see peers.c */
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

/* meta.c: reads a .meta file. */
struct dumpi_meta {
	char *text; /* cut into the strings below */
	struct dumpi_pair {
		const char *key, *value;
	} * pair; /* in the file's order, without the blanks around them */
	size_t n, cap;
	size_t odd; /* the first line that is no key=value, from 1; 0 = there is none */
};

/* Reads the .meta file `path` of a run into *m. False if its name does not end in .meta, it
 * is no regular file or is not of a DUMPI run. If it cannot be read, errno is then not 0. */
bool dumpi_meta_read(struct dumpi_meta *m, const char *path);
/* The first value of a key, or NULL. */
const char *dumpi_meta_value(const struct dumpi_meta *m, const char *key);
/* Frees what m holds. */
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

/* jobs.c. Adds a job called name[0..n), and gives it. */
struct dumpi_job *dumpi_job_add(struct dumpi_jobs *jobs, const char *name, size_t n);
/*
 * Finds out which of the ranks v[0..n), which no .meta file names, belong to the same job. There are several
 * jobs only if a rank's number comes twice. Removes files that are
 * listed twice, and reports numbers that are missing between others. Gives the new number
 * of ranks.
 */
size_t dumpi_jobs_find(struct source *s, struct dumpi_rank *v, size_t n,
		       struct dumpi_jobs *jobs);
/* Frees what jobs holds. */
void dumpi_jobs_free(struct dumpi_jobs *jobs);

/* ranks.c: files of ranks, and their merge. */
/* Reads more of a rank's file; false if nothing came. Unread bytes move. */
bool dumpi_more(struct source *s, struct dumpi_rank *r);
/* Opens the first of s->paths that are ranks of one trace: fills *ranks, *n of them, and
 * *jobs, and reports ranks that are missing. Gives how many paths it took; 0 = the trace is
 * s->in itself. */
size_t dumpi_ranks_open(struct source *s, struct dumpi_rank **ranks, size_t *n,
			struct dumpi_jobs *jobs);
/* Closes a rank's file and frees what r holds. */
void dumpi_rank_close(struct dumpi_rank *r);
/* Returns whether `path` is the .meta file of a run: format.takes. */
bool dumpi_takes(const char *path, const struct read_options *opt);
/* The rank by the name of the file `path`, NAME-0007.bin; -1 if the name has none. */
int64_t dumpi_rank_of(const char *path);
/* Writes the first part of loc for rank r: its number, or job/number if there are several
 * jobs; `-` for an unknown number. Gives the length. */
#define DUMPI_RANK_TEXT 48
size_t dumpi_rank_text(char text[DUMPI_RANK_TEXT], const struct dumpi_jobs *jobs,
		       const struct dumpi_rank *r);

/* fmt_dumpi.c: for a program that reads in its own way. */
/* The number of ranks of s; rank i < n; the jobs. */
size_t dumpi_nranks(const struct source *s);
struct dumpi_rank *dumpi_rank(const struct source *s, size_t i);
const struct dumpi_jobs *dumpi_jobs(const struct source *s);
/*
 * The next whole record of a rank: gives its place, and its bytes in *len. If the quick way
 * took it (*quick), base is filled as dumpi_quick does, else v. NULL at the end of the body;
 * faults are reported. Unread bytes may move, unless `stay`: then NULL with r->ended false
 * means that they have to move first.
 */
const uint8_t *dumpi_next(struct source *s, struct dumpi_rank *r, struct dumpi_view *v,
			  const uint8_t **base, bool *quick, size_t *len, bool stay);
/* rank_open.c. To be called at the end of a rank's body: reads the sections of a pipe, and compares the
 * footer's counts. */
void dumpi_finish(struct source *s, struct dumpi_rank *r);

/* A number in the file's byte order; gives the place behind. */
static inline uint8_t *
dumpi_big32(uint8_t *p, uint32_t v)
{
	st32(p, HOST_BIG ? v : swap32(v));
	return p + 4;
}

static inline void
dumpi_add32(struct buf *b, uint32_t v)
{
	buf_to(b, dumpi_big32(buf_room(b, 4), v));
}

/*
 * write.c: appends to b what follows the records of a file, from its offset `at` on:
 * the sections of sec, of which the header may be missing and the footer tells the calls
 * that were not recorded; and the index, with the words of sec or, where it has none, all.
 * written: the records by call; layout: their number.
 */
void dumpi_tail(struct buf *b, uint64_t at, const struct dumpi_sections *sec,
		const uint32_t *written, unsigned layout);

#endif
