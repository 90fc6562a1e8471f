/*
 * records.c - reads the records of one rank in order, up to the end of its body.
 *
 *	u16 call, u8 mask, [u16 thread], [cpu times], [wall times], [perf], arguments
 *	times: u16 s, u32 ns at the call, the same at its return; perf: u8 n, n x (u64, u64)
 */
#include "dumpi/make.h"
#include "input/fault.h"

static void
end_body(struct dumpi_rank *r, bool whole)
{
	r->in->p += whole ? 2 : 0; /* skip the end mark */
	r->end = in_offset(r->in, r->in->p);
	r->in->end += r->hidden; /* the sections follow */
	r->hidden = 0;
	r->ended = true;
	r->whole = whole;
}

static const char *
call_name(const struct dumpi_view *v)
{
	return v->call < DUMPI_CALLS ? dumpi_calls[v->call].name : "?";
}

/* Returns true if all bytes of the body have been read. */
static bool
all_read(const struct dumpi_rank *r)
{
	return r->in->eof || in_offset(r->in, r->in->end) >= r->limit;
}

/* Reads more bytes for a record that is not whole. Returns true if they may have come. Otherwise reports the
 * error, ends the body, and returns false. */
static bool
go_on(struct source *s, struct dumpi_rank *r, const struct dumpi_view *v)
{
	uint64_t at = in_offset(r->in, r->in->p), left = in_left(r->in);
	unsigned long long records = r->records;

	if (!all_read(r) && v->need <= DUMPI_LONGEST && v->need <= r->limit - at) {
		dumpi_more(s, r);
		return true;
	}
	if (r->in->err)
		;
	else if (all_read(r) && !left)
		fault(s, "dumpi-end", COST_STATUS, r->name, at,
		      "the body has no end mark; %llu whole records", records);
	else if (v->need > DUMPI_LONGEST)
		fault(s, "dumpi-torn", COST_EVENT, r->name, at,
		      "%s: a length of %llu bytes is impossible; the body ends here after "
		      "%llu whole records",
		      call_name(v), (unsigned long long)v->need, records);
	else
		fault(s, "dumpi-torn", COST_EVENT, r->name, at,
		      "%s: the record is cut off: %llu bytes are there, it has at least "
		      "%llu; "
		      "%llu whole records before it",
		      left < 2 ? "the last" : call_name(v),
		      (unsigned long long)(r->limit == UINT64_MAX ? left : r->limit - at),
		      (unsigned long long)v->need, records);
	end_body(r, false);
	return false;
}

/* Returns the rule that bytes break which are no record. Without an index the file was cut, so that a record may be. */
static const char *
rule_of(const struct dumpi_rank *r)
{
	return r->finalized			? "dumpi-end"
	       : r->sec.loaded && !r->sec.words ? "dumpi-torn"
						: "dumpi-call";
}

const uint8_t *
dumpi_next(struct source *s, struct dumpi_rank *r, struct dumpi_view *v,
	   const uint8_t **base, bool *quick, size_t *len, bool stay)
{
	const struct dumpi_plan *plan;
	struct in *in = r->in;

	while (!r->ended) {
		const uint8_t *p = in->p;

		if (likely(in_left(in) > DUMPI_QUICK && !r->finalized) &&
		    (*len = dumpi_quick(r->layout, p, &plan, base)) != 0) {
			*quick = true;
			return p;
		}
		*quick = false;
		/* After reading more of a file, the fast path can go on. For a pipe, use the bytes that came
		 * first. */
		if (in_left(in) <= DUMPI_QUICK && in->cap > 4 * DUMPI_QUICK && !stay &&
		    r->file.fd >= 0 && !all_read(r) && dumpi_more(s, r))
			continue;
		switch (dumpi_parse(r->layout, p, in_left(in), v)) {
		case DUMPI_WHOLE:
			if (v->call == 0 && r->finalized) { /* old streams end like this */
				end_body(r, true);
				return NULL;
			}
			r->finalized |= v->call == 125;
			if (v->mask & ~MASK_KNOWN && !r->maskbits) {
				r->maskbits = true;
				fault(s, "dumpi-mask", COST_STATUS, r->name,
				      in_offset(in, p),
				      "%s: mask 0x%02x has unknown bits (said once)",
				      call_name(v), v->mask);
			}
			*len = v->len;
			return p;
		case DUMPI_SHORT:
			if (r->finalized && in_left(in) >= 2 && be16(p) == 0 &&
			    all_read(r)) {
				end_body(r, true);
				return NULL;
			}
			if (stay || !go_on(s, r, v))
				return NULL;
			break;
		case DUMPI_STOP: end_body(r, true); return NULL;
		default:
			fault(
			    s, rule_of(r), COST_EVENT, r->name, in_offset(in, p),
			    "call %u%s%s: %s; the body ends here after %llu whole records",
			    v->call, v->call < DUMPI_CALLS ? " " : "",
			    v->call < DUMPI_CALLS ? call_name(v) : "", v->why,
			    (unsigned long long)r->records);
			end_body(r, false);
		}
	}
	return NULL;
}
