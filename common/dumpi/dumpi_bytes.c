/* dumpi_bytes.c - sizes of datatypes that are known before a trace's first record: from its section of sizes, or
 * from --sizes. Reports calls whose sizes stay unknown. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "dumpi/make.h"
#include "input/fault.h"

const uint32_t dumpi_lp64[DUMPI_BUILTIN] = {DUMPI_NO_SIZE,
					    DUMPI_NO_SIZE,
					    1,
					    1,
					    1,
					    1,
					    4,
					    2,
					    2,
					    4,
					    4,
					    8,
					    8,
					    4,
					    8,
					    16,
					    8,
					    8,
					    8,
					    1,
					    0,
					    0,
					    8,
					    12,
					    12,
					    6,
					    8,
					    20};

/* Stores in to[] the sizes of built-in datatypes from the first rank that has a section of sizes. Returns false if
 * no rank has one. */
static bool
sizes_of(const struct dumpi *c, uint32_t *to)
{
	for (size_t i = 0; i < c->nranks; i++) {
		const struct buf *raw = &c->rank[i].sec.raw[SEC_SIZES];
		size_t n = raw->n ? raw->n / 4 - 1 : 0;

		for (size_t k = 0; k < n && k < DUMPI_BUILTIN; k++) {
			uint32_t v = be32(raw->p + 4 + 4 * k);

			to[k] = v && v <= INT32_MAX ? v : DUMPI_NO_SIZE;
		}
		if (n)
			return true;
	}
	return false;
}

void
dumpi_bytes_begin(struct source *s, struct dumpi *c)
{
	const struct dumpi_options *o = format_options(s->opt, s->fmt);
	struct read_options opt = {.only = s->fmt, .quiet = s->opt->quiet};
	struct source *from;
	bool told = false;

	c->room = DUMPI_KNOWN;
	if (!o->sizes)
		return;
	c->builtin = xcalloc(DUMPI_BUILTIN, sizeof *c->builtin);
	memcpy(c->builtin, dumpi_lp64, sizeof dumpi_lp64);
	if (!strcmp(o->sizes, "lp64"))
		return;
	for (size_t i = 0; i < DUMPI_BUILTIN; i++)
		c->builtin[i] = DUMPI_NO_SIZE;
	from = xcalloc(1, sizeof *from);
	if (source_open(from, &opt, &o->sizes, 1)) {
		told = sizes_of(from->state, c->builtin);
		source_close(from);
	}
	free(from);
	if (!told)
		fault(s, NULL, COST_STATUS, o->sizes, NOWHERE,
		      "-O sizes: the file has no sizes of datatypes");
}

/* Returns the number of ranks in the run of rank r, from its .meta file; 0 if it is unknown. */
static uint32_t
ranks_of(const struct dumpi *c, const struct dumpi_rank *r)
{
	const char *n = r->job < c->jobs.n
			    ? dumpi_meta_value(&c->jobs.v[r->job].meta, "numprocs")
			    : NULL;
	uint64_t v;

	return n && !digits_u64((const uint8_t *)n, strlen(n), &v) && v <= INT32_MAX
		   ? (uint32_t)v
		   : 0;
}

void
dumpi_bytes_open(struct source *s, struct dumpi *c, struct dumpi_rank *r)
{
	const struct buf *raw = &r->sec.raw[SEC_SIZES], *labels = &r->sec.raw[SEC_LABELS];
	const uint8_t *v = r->sec.version;

	r->nlabels = labels->n ? be32(labels->p) : 0;
	if (c->look || !(s->need & (NEED_SIZE | NEED_ARGS | NEED_RECV)))
		return;
	r->tells = xcalloc(1, sizeof *r->tells);
	dumpi_known_open(r->tells, r->number, ranks_of(c, r), raw->n ? raw->p + 4 : NULL,
			 raw->n ? raw->n / 4 - 1 : 0, c->builtin, &c->room);
	/* Before 0.6.7 only these bits of a request's number have a meaning. */
	if (r->known && !v[0] && (v[1] < 6 || (v[1] == 6 && v[2] < 7)))
		r->tells->id_mask = 0xff;
}

void
dumpi_bytes_shut(struct dumpi_rank *r)
{
	if (r->tells)
		dumpi_known_close(r->tells);
	FREE(r->tells);
}

void
dumpi_bytes_close(struct dumpi *c)
{
	for (size_t i = 0; i < c->nranks; i++)
		dumpi_bytes_shut(&c->rank[i]);
	free(c->builtin);
}

void
dumpi_bytes_end(struct source *s)
{
	const struct dumpi *c = s->state;

	if (c->lacking)
		fault(s, "dumpi-sizes", COST_NONE, s->name, NOWHERE,
		      "%llu call%s left without a size: sizes of MPI datatypes are "
		      "unknown; see -O sizes",
		      (unsigned long long)c->lacking, c->lacking == 1 ? "" : "s");
}
