/* encode.h - what encode.c (records) and encode_header.c (the
 * header record, the layout) share. */
#ifndef SPOOR_CHARISMA_ENCODE_H
#define SPOOR_CHARISMA_ENCODE_H

#include "charisma/charisma_trace.h"
#include "trace-convert/encode.h"

struct charisma_out {
	struct layout l;
	bool big;
	bool begun; /* magic, version and a header record are written */
	struct charisma_clock clock;
	int64_t start; /* the header's date, seconds */
	int64_t first; /* the time, in the input's column, of the header's time stamp */
	uint64_t no_client, no_app; /* as 64 bits */
	/* The record of several requests that is not complete. */
	const struct layout_record *many;
	struct buf record; /* its bytes; or those of a long record */
	uint64_t requests; /* in it */
	uint64_t last, of; /* the last one was request=LAST/OF */
};

/* Stores v at p as field f, so that load_num loads it. False where it does not fit; below 0
 * or beyond 2^63 see charisma_sign_fits. */
static INLINE bool
charisma_store(uint8_t *p, const struct load_spec *f, uint64_t v, bool big)
{
	unsigned shift = f->shift;
	uint64_t kept = v << shift >> shift;

	if (unlikely(((kept ^ f->sign) - f->sign) != v))
		return false;
	p += f->off;
	kept = kept << f->rotate | kept >> (-f->rotate & 63);
	if (big != HOST_BIG)
		kept = swap64(kept);
	/* The bytes of the number are the first ones, or behind the shifted. */
	if (shift == 0)
		st64(p, kept);
	else
		memcpy(p, (uint8_t *)&kept + (big ? shift / 8 : 0), 8 - shift / 8);
	return true;
}

/* The bits of d in field f, of CLASS_FLOAT. */
static inline uint64_t
charisma_float_bits(double d, const struct load_spec *f)
{
	float single = (float)d;
	uint32_t low;
	uint64_t v;

	memcpy(&low, &single, sizeof low);
	memcpy(&v, &d, sizeof v);
	return f->shift ? low : v;
}

enum from {
	FROM_NUMBER, /* a column or an argument that is an integer */
	FROM_VALUE,  /* an argument that may be one */
	FROM_FLOAT,
	FROM_TEXT,
	FROM_FLAGS, /* names of bits, or a number */
	FROM_OPERATION,
	FROM_TIME,
	FROM_END,
	FROM_DUR,
	FROM_STAMP, /* an argument: seconds with decimals, or a time stamp as it stands */
	FROM_CLIENT,
	FROM_APP, /* the location, where it is one of an application */
};

struct charisma_step {
	uint8_t from, class;
	bool element; /* it goes into a request */
	bool
	    sole; /* FROM_APP: events have no client, so a number alone is an application */
	uint32_t bytes;
	struct load_spec to;
	struct field field;
};

/* A type of event as one kind of record. */
struct record_shape {
	const struct layout_record *rec; /* NULL: there is none */
	uint8_t *blank;			 /* `bytes` */
	uint32_t bytes;			 /* of a record with one request */
	uint32_t nsteps, nfixed;	 /* the first ones are not of a request */
	struct charisma_step *step;
	/* The record has fields for these. */
	bool columns, client, app; /* columns: addr, size and dur */
};

/* The further parts of a compressed request: the descriptor; for the stride in memory, the size
 * and the stride in the file an index, or the value. */
enum comp_arg {
	COMP_FD,
	COMP_INDEX,
	COMP_VALUE = COMP_INDEX + 3,
	COMP_ARGS = COMP_VALUE + 3
};

struct charisma_out_plan {
	struct record_shape of[2]; /* of a client, of an application: see by */
	struct record_shape
	    comp; /* of a compressed request, without what it holds besides: */
	struct field comp_arg[COMP_ARGS];
	bool header, rw, write;
	bool both;	       /* there are both kinds: */
	struct field by;       /* says which, if the event has it */
	struct field op;       /* operation_type */
	struct field request;  /* I/N: one of several in a record */
	struct field elements; /* clients */
	int8_t by_is;	       /* of all: 0 or 1; -1: each says */
	uint64_t op_is;	       /* of all; UINT64_MAX: each says */
};

/* The state that the steps of one event share. */
struct charisma_build {
	struct encode *e;
	const struct rec *r;
	uint64_t op;
};

/* encode_values.c: takes n steps for the record at p and the request at q, of which
 * one may be NULL where no step goes there. NULL, or why it is not possible. */
const char *charisma_out_steps(const struct charisma_build *m,
			       const struct charisma_step *s, uint32_t n, uint8_t *p,
			       uint8_t *q);
/* comp.c: writes a request as a compressed record; pl->comp has one. NULL, or why it
 * is not possible. */
const char *charisma_out_comp(const struct charisma_build *m,
			      const struct charisma_out_plan *pl);
/* Sets *v to the flags text[0..n), names with commas between: of open_flags if `open`, otherwise of operation_type.
 * Returns false if a word is neither a name nor a number. */
bool charisma_flags(const char *text, size_t n, bool open, uint64_t *v);
/* *v = the flags that an argument names: open_flags, or operation_type. NULL, or why not. */
const char *charisma_out_flags(const struct charisma_build *m, const struct field *f,
			       bool open, uint64_t *v);
/* Makes the plan of a type: encoder.plan. */
void charisma_out_plan(struct encode *e, const struct type *ty, void *plan);
/* Returns whether a field of that class has room for the sign of a number v, below 0 if `neg`. */
static inline bool
charisma_sign_fits(unsigned class, uint64_t v, bool neg)
{
	return !(v >> 63) || neg == (class == CLASS_SIGNED);
}

/* Chooses the layout; dies where it is not known. */
void charisma_out_layout(struct encode *e);
/*
 * Writes what a trace begins with, magic, version and header record; or, if `begun`, a
 * further header record. The values are arguments of r, an event `header` of type ty; or
 * where r is NULL or has none, metadata, else defaults. NULL, or what was wrong with a value
 * that became its default.
 */
const char *charisma_out_header(struct encode *e, const struct rec *r,
				const struct type *ty);

#endif
