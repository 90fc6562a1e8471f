/* dumpi_write.c - writes a DUMPI file of selected records: records and sections are copied, the footer's counts
 * and the index are new. Also writes the end of any DUMPI file. */
#include <string.h>

#include "dumpi/dumpi.h"
#include "dumpi/make.h"
#include "input/fault.h"

static void
add64(struct buf *b, uint64_t v)
{
	dumpi_add32(b, (uint32_t)(v >> 32));
	dumpi_add32(b, (uint32_t)v);
}

/* Adds a footer: the numbers of calls that are written, and of calls that were not recorded, which are copied from
 * the section `raw`. */
static void
add_footer(struct buf *b, const struct buf *raw, const uint32_t *written)
{
	uint32_t ignored[DUMPI_COUNTED] = {0}, total = 0;

	add64(b, 0xf007fee7);
	for (unsigned i = 0; i < DUMPI_COUNTED; i++)
		if (raw->n)
			ignored[i] = be32(raw->p + 8 + 4 * ((size_t)i + DUMPI_COUNTED));
	for (unsigned i = 0; i < DUMPI_COUNTED - 1; i++) {
		dumpi_add32(b, written[i] + ignored[i]);
		total += written[i] + ignored[i];
	}
	dumpi_add32(b, total);
	for (unsigned i = 0; i < DUMPI_COUNTED; i++)
		dumpi_add32(b, ignored[i]);
}

/* Appends a copy of a section. Returns its offset, 0 if there is none. */
static uint64_t
add_section(struct buf *b, uint64_t at, const struct buf *raw)
{
	at += b->n;
	if (!raw->n)
		return 0;
	buf_add(b, raw->p, raw->n);
	return at;
}

void
dumpi_tail(struct buf *b, uint64_t at, const struct dumpi_sections *sec,
	   const uint32_t *written, unsigned layout)
{
	static const uint8_t version[DUMPI_LAYOUTS][3] = {
	    {13, 0, 0}, {0, 6, 8}, {0, 6, 7}, {0, 6, 2}, {0, 6, 1},
	};
	static const uint8_t zeros[20]; /* time, two empty strings, no mesh */
	unsigned words = sec->words && sec->words < 8 ? sec->words : 8;
	uint64_t off[8] = {0};
	static const uint8_t end[2] = {DUMPI_END >> 8, DUMPI_END & 255};

	/* Offsets in the order from the index's end: keyval, footer, body, header, labels, addresses, sizes. */
	at -= b->n;
	buf_add(b, end, 2);
	off[3] = at + b->n;
	/* A run that died left no header: write one of the newest version with the same layout of records. */
	if (!add_section(b, at, &sec->raw[SEC_HEADER])) {
		buf_add(b, version[layout], 3);
		buf_add(b, zeros, sizeof zeros);
	}
	off[2] = DUMPI_BODY;
	off[1] = at + b->n;
	add_footer(b, &sec->raw[SEC_FOOTER], written);
	off[0] = add_section(b, at, &sec->raw[SEC_KEYVAL]);
	if (!off[0])
		dumpi_add32(b, 0); /* as libdumpi does; the index does not name it */
	else if (sec->words && !sec->off[SEC_KEYVAL])
		off[0] = 0;
	off[4] = add_section(b, at, &sec->raw[SEC_LABELS]);
	off[6] = add_section(b, at, &sec->raw[SEC_SIZES]);
	off[5] = add_section(b, at, &sec->raw[SEC_ADDRESSES]);
	buf_add(b, DUMPI_MAGIC, 8);
	for (unsigned i = words - 1; i-- > 0;)
		add64(b, off[i]);
}

static void
write_put(struct dumpi *c, struct out *o, const void *p, size_t n)
{
	out_bytes(o, p, n);
	c->body += n;
}

void
dumpi_native_begin(struct source *s, struct out *o)
{
	struct dumpi *c = s->state;
	uint8_t lead[DUMPI_RECORDS] = DUMPI_MAGIC;

	if (c->nranks != 1)
		die("%s: -n writes one rank; write these %zu with trace-convert -T dumpi "
		    "-o DIR",
		    s->name, c->nranks);
	c->body = 0;
	memset(c->written, 0, sizeof c->written);
	dumpi_big32(lead + DUMPI_BODY, (uint32_t)c->rank->cpu_bias);
	dumpi_big32(lead + DUMPI_BODY + 4, (uint32_t)c->rank->wall_bias);
	write_put(c, o, lead, sizeof lead);
}

void
dumpi_native_put(struct source *s, struct out *o, const struct rec *r, struct span raw)
{
	struct dumpi *c = s->state;
	unsigned call = be16(raw.p);

	(void)r;
	c->written[call == 290 ? 0 : call]++;
	write_put(c, o, raw.p, raw.n);
}

void
dumpi_native_end(struct source *s, struct out *o)
{
	struct dumpi *c = s->state;
	const struct dumpi_rank *r = c->rank;
	struct buf b = {0};

	if (r->sec.words > 8)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "unknown sections are not written");
	dumpi_tail(&b, c->body, &r->sec, c->written, r->layout ? r->layout->index : 0);
	write_put(c, o, b.p, b.n);
	buf_free(&b);
}
