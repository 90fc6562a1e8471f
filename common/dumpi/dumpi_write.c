/*
 * dumpi_write.c - a DUMPI file of chosen records: they and the sections stand as they
 * stood, the footer's counts and the index are new.
 */
#include <string.h>

#include "dumpi/dumpi_make.h"
#include "input/fault.h"

static void
put(struct dumpi *c, struct out *o, const void *p, size_t n)
{
	out_bytes(o, p, n);
	c->body += n;
}

static void
put_big32(struct dumpi *c, struct out *o, uint32_t v)
{
	v = HOST_BIG ? v : swap32(v);
	put(c, o, &v, 4);
}

static void
put_big64(struct dumpi *c, struct out *o, uint64_t v)
{
	v = HOST_BIG ? v : swap64(v);
	put(c, o, &v, 8);
}

void
dumpi_native_begin(struct source *s, struct out *o)
{
	struct dumpi *c = s->state;

	if (c->nranks != 1)
		die("%s: a DUMPI file holds one rank: with -n give one file", s->name);
	c->body = 0;
	memset(c->written, 0, sizeof c->written);
	put(c, o, DUMPI_MAGIC, 8);
	put_big32(c, o, (uint32_t)c->rank->cpu_bias);
	put_big32(c, o, (uint32_t)c->rank->wall_bias);
}

void
dumpi_native_put(struct source *s, struct out *o, const struct rec *r, struct span raw)
{
	struct dumpi *c = s->state;
	unsigned call = be16(raw.p);

	(void)r;
	c->written[call == 290 ? 0 : call]++;
	put(c, o, raw.p, raw.n);
}

/* A header where the run left none: the version is the newest with the same records. */
static void
put_header(struct dumpi *c, struct out *o)
{
	static const uint8_t version[DUMPI_LAYOUTS][3] = {
	    {13, 0, 0}, {0, 6, 8}, {0, 6, 7}, {0, 6, 2}, {0, 6, 1},
	};
	static const uint8_t zeros[20]; /* time, two empty strings, no mesh */

	put(c, o, version[c->rank->layout ? c->rank->layout->index : 0], 3);
	put(c, o, zeros, sizeof zeros);
}

/* Calls that were made: those that are written, and those that were not recorded, which
 * stay as they were. */
static void
put_footer(struct dumpi *c, struct out *o)
{
	const struct buf *raw = &c->rank->sec.raw[SEC_FOOTER];
	uint32_t ignored[DUMPI_COUNTED] = {0}, total = 0;

	put_big64(c, o, 0xf007fee7);
	for (unsigned i = 0; i < DUMPI_COUNTED; i++)
		if (raw->n)
			ignored[i] = be32(raw->p + 8 + 4 * ((size_t)i + DUMPI_COUNTED));
	for (unsigned i = 0; i < DUMPI_COUNTED - 1; i++) {
		put_big32(c, o, c->written[i] + ignored[i]);
		total += c->written[i] + ignored[i];
	}
	put_big32(c, o, total);
	for (unsigned i = 0; i < DUMPI_COUNTED; i++)
		put_big32(c, o, ignored[i]);
}

/* A section as it stood; gives its offset, 0 = there is none. */
static uint64_t
put_section(struct dumpi *c, struct out *o, enum dumpi_section k)
{
	const struct buf *raw = &c->rank->sec.raw[k];
	uint64_t at = c->body;

	if (!raw->n)
		return 0;
	put(c, o, raw->p, raw->n);
	return at;
}

void
dumpi_native_end(struct source *s, struct out *o)
{
	struct dumpi *c = s->state;
	const struct dumpi_sections *sec = &c->rank->sec;
	unsigned words = sec->words && sec->words < 8 ? sec->words : 8;
	uint64_t off[8] = {0};
	static const uint8_t end[2] = {DUMPI_END >> 8, DUMPI_END & 255};

	if (sec->words > 8)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "unknown sections are not written");
	/* From the index's end: keyval, footer, body, header, labels, addresses, sizes. */
	put(c, o, end, 2);
	off[3] = c->body;
	if (!put_section(c, o, SEC_HEADER))
		put_header(c, o);
	off[2] = DUMPI_BODY;
	off[1] = c->body;
	put_footer(c, o);
	off[0] = put_section(c, o, SEC_KEYVAL);
	if (!off[0])
		put_big32(c, o, 0); /* libdumpi writes it, and does not name it */
	else if (sec->words && !sec->off[SEC_KEYVAL])
		off[0] = 0;
	off[4] = put_section(c, o, SEC_LABELS);
	off[6] = put_section(c, o, SEC_SIZES);
	off[5] = put_section(c, o, SEC_ADDRESSES);
	put(c, o, DUMPI_MAGIC, 8);
	for (unsigned i = words - 1; i-- > 0;)
		put_big64(c, o, off[i]);
}
