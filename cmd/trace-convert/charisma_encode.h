/* charisma_encode.h - shared by the parts of the CHARISMA encoder: charisma_encode.c writes records,
 * charisma_encode_header.c chooses the layout and writes the header record. */
#ifndef SPOOR_CHARISMA_ENCODE_H
#define SPOOR_CHARISMA_ENCODE_H

#include "charisma/charisma_trace.h"
#include "trace-convert/encode.h"

struct charisma_out {
	struct layout l;
	bool big;
	bool begun; /* magic, version and a header record are written */
	struct charisma_clock clock;
	int64_t start; /* date in the header, in seconds */
	int64_t first; /* time, as the input's column has it, of the header's time stamp */
	/* numbers that mean "no client" and "no application", extended to 64 bits */
	uint64_t no_client, no_app;
	/* Record of several requests that is not complete, or NULL. */
	const struct layout_record *many;
	struct buf record; /* bytes of that record, or of a long record */
	uint64_t requests; /* requests in that record */
	uint64_t last, of; /* the last request was request=LAST/OF */
};

/* Stores v at p as field f, so that load_num() loads it. Returns false if v does not fit. The caller checks
 * numbers that are below 0 or above 2^63 with charisma_sign_fits(). */
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
	/* The number has the first bytes, or the bytes after the shifted ones. */
	if (shift == 0)
		st64(p, kept);
	else
		memcpy(p, (uint8_t *)&kept + (big ? shift / 8 : 0), 8 - shift / 8);
	return true;
}

/* Returns the bits of d for field f, of CLASS_FLOAT. */
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
	FROM_NUMBER, /* a column, or an argument that is an integer */
	FROM_VALUE,  /* an argument that may be an integer */
	FROM_FLOAT,
	FROM_TEXT,
	FROM_FLAGS, /* names of bits, or a number */
	FROM_OPERATION,
	FROM_TIME,
	FROM_END,
	FROM_DUR,
	FROM_STAMP, /* an argument: seconds with decimals, or a time stamp */
	FROM_CLIENT,
	FROM_APP, /* the location, if it is an application */
};

struct charisma_step {
	uint8_t from, class;
	bool element; /* the field is in a request */
	/* FROM_APP: the record has no client, so a number alone is an application */
	bool sole;
	uint32_t bytes;
	struct load_spec to;
	struct field field;
};

/* How a type of event becomes one kind of record. */
struct record_shape {
	const struct layout_record *rec; /* NULL: no record of this kind */
	/* a record with the values that all events share, `bytes` long */
	uint8_t *blank;
	uint32_t bytes; /* size of a record with one request */
	/* number of steps; the first nfixed are not for a request */
	uint32_t nsteps, nfixed;
	struct charisma_step *step;
	/* The record has fields for these. */
	bool columns, client, app; /* columns: addr, size and dur */
};

/* Further parts of a compressed request: the file descriptor; then, for the stride in memory, the size and the
 * stride in the file, an index or a value. */
enum comp_arg {
	COMP_FD,
	COMP_INDEX,
	COMP_VALUE = COMP_INDEX + 3,
	COMP_ARGS = COMP_VALUE + 3
};

struct charisma_out_plan {
	/* as records of a client, and of an application: see by */
	struct record_shape of[2];
	struct record_shape comp; /* shape of a compressed request, without comp_arg */
	struct field comp_arg[COMP_ARGS];
	bool header, rw, write;
	bool both;	       /* both shapes exist */
	struct field by;       /* argument that chooses the shape, if the event has it */
	struct field op;       /* argument operation_type */
	struct field request;  /* argument I/N: one of several requests of a record */
	struct field elements; /* argument with the clients */
	int8_t by_is;	       /* shape of all events: 0 or 1; -1: each event has its own */
	/* operation_type of all events; UINT64_MAX: each event has its own */
	uint64_t op_is;
};

/* Shared by the steps of one event. */
struct charisma_build {
	struct encode *e;
	const struct rec *r;
	uint64_t op;
};

/* Takes n steps for the record at p and the request at q; one of them may be NULL if no step needs it. Returns
 * NULL, or why a step is not possible. (charisma_encode_values.c) */
const char *charisma_out_steps(const struct charisma_build *m,
			       const struct charisma_step *s, uint32_t n, uint8_t *p,
			       uint8_t *q);
/* Writes a request as a compressed record; pl->comp.rec must not be NULL. Returns NULL, or why it is not possible, in
 * static memory, and writes nothing then. (charisma_encode_comp.c) */
const char *charisma_out_comp(const struct charisma_build *m,
			      const struct charisma_out_plan *pl);
/* Sets *v to the flags text[0..n), names with commas between: of open_flags if `open`, otherwise of operation_type.
 * Returns false if a word is neither a name nor a number. */
bool charisma_flags(const char *text, size_t n, bool open, uint64_t *v);
/* Sets *v to the flags that an argument names, of open_flags if `open`, otherwise of operation_type. Returns
 * NULL, or why not. */
const char *charisma_out_flags(const struct charisma_build *m, const struct field *f,
			       bool open, uint64_t *v);
/* Fills the plan of a type; implements encoder.plan. Its memory is in e->plan_cache.mem, and lives as long as the plan.
 * A type that fits no record gets of[].rec == NULL; its events are reported and not written. */
void charisma_out_plan(struct encode *e, const struct type *ty, void *plan);
/* Returns whether a field of that class has room for the sign of a number v, which is below 0 if `neg`. */
static inline bool
charisma_sign_fits(unsigned class, uint64_t v, bool neg)
{
	return !(v >> 63) || neg == (class == CLASS_SIGNED);
}

/* Chooses the layout. Dies if it is unknown. */
void charisma_out_layout(struct encode *e);
/* Writes the beginning of a trace: magic, version and header record; or, if `begun`, another header record. The
 * values are the arguments of r, an event `header` of type ty; or, if r is NULL or lacks them, metadata, or else
 * defaults. Returns NULL, or what was wrong with a value that was replaced by its default, in static memory. */
const char *charisma_out_header(struct encode *e, const struct rec *r,
				const struct type *ty);

#endif
