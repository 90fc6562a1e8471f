/*
 * gen_random - CHARISMA records at random: gen_random LAYOUT CLIENTS RECORDS SEED [UNIT [BIG]]
 *
 * LAYOUT is a preset, or a file that describes one. What ties records together (clients,
 * applications, descriptors, files, numbers of asynchronous requests) is of few values, so that
 * loads, opens, requests, their ends and closes meet in every order, sensible or not; with so
 * many CLIENTS. Other numbers are now and then any at all. UNIT is the header's timestamp_unit
 * (1e-6). BIG: a layout of no order of its own is written big-endian. The same arguments give
 * the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "charisma/charisma_layout.h"

#include "../bench/rnd.h"

static struct layout layout;
static bool big;
static uint64_t now = 954722123457;
static unsigned clients;
static uint64_t gone; /* clients that do nothing more: of many, a dozen at a time does */
static double unit = 1e-6;
static uint8_t rec[1 << 20];

static unsigned
below(unsigned n)
{
	return (unsigned)(rnd() >> 33) % n;
}

static bool
now_and_then(unsigned n)
{
	return below(n) == 0;
}

static void
store(const struct layout_field *f, uint32_t at, uint64_t v)
{
	const struct layout_type *ty = &layout.type[f->type];
	unsigned size = ty->size;
	/* As the reader has it: which types are of two words is told by their size. */
	struct load_spec l = layout_load_of(&layout, f, 0, big);

	if (l.rotate)
		v = v << 32 | v >> 32;
	for (unsigned i = 0; i < size; i++)
		rec[at + f->off + i] = (uint8_t)(v >> 8 * (big ? size - 1 - i : i));
}

static uint64_t
number_of(const char *name, unsigned kind, unsigned op, uint64_t n)
{
	static const unsigned sizes[] = {0, 1, 512, 512, 4096, 4096, 65536, 3000000000};

	if (!strcmp(name, "record_type"))
		return kind;
	if (!strcmp(name, "num_clients"))
		return n;
	if (!strcmp(name, "operation_type"))
		return op;
	if (!strcmp(name, "appl_id"))
		return now_and_then(6) ? (uint64_t)layout.no_app : below(4);
	if (!strcmp(name, "client_id"))
		return now_and_then(9) ? (uint64_t)layout.no_client
				       : gone + below(clients < 1000 ? clients : 12);
	if (!strcmp(name, "file_desc"))
		return 3 + below(3);
	if (!strcmp(name, "file_id"))
		return 4194300 + gone + below(8);
	if (!strcmp(name, "async_id"))
		return below(5);
	if (!strcmp(name, "timestamp") || !strcmp(name, "starttime") ||
	    !strcmp(name, "end_time"))
		return now;
	if (!strcmp(name, "call_time"))
		return now - below(900);
	if (!strcmp(name, "endtime"))
		return op & 1 && !now_and_then(8)
			   ? 0
			   : now + below(4000) - (now_and_then(20) ? 5000 : 0);
	if (!strcmp(name, "offset"))
		return now_and_then(30) ? rnd() : 512 * below(2000);
	if (!strcmp(name, "IO_size"))
		return now_and_then(50) ? rnd() : sizes[below(8)];
	return now_and_then(9) ? rnd() : below(40);
}

static void
fill(const struct layout_record *r, uint32_t at, unsigned number, unsigned op, uint64_t n)
{
	for (uint32_t i = 0; i < r->nfields; i++) {
		const struct layout_field *f = &r->field[i];
		const struct layout_type *ty = &layout.type[f->type];
		double d = below(1000) / 8.0;
		float single = (float)d;
		uint64_t bits;
		uint32_t low;

		if (ty->class == CLASS_STRUCT)
			continue;
		if (ty->class == CLASS_CHAR) {
			uint32_t full = now_and_then(12)
					    ? f->size
					    : 1 + below(f->size < 9 ? f->size : 9);

			for (uint32_t k = 0; k < full; k++)
				rec[at + f->off + k] =
				    (uint8_t)(now_and_then(60) ? rnd()
							       : 'a' + (k ? k : below(4)));
		} else if (ty->class == CLASS_FLOAT) {
			memcpy(&bits, &d, sizeof d);
			memcpy(&low, &single, sizeof low);
			store(f, at, ty->size == 4 ? low : bits);
		} else
			store(f, at, number_of(f->name, number, op, n));
	}
}

/* A record of which the last field is there n times, if it may be. */
static void
put(const struct layout_record *r, uint64_t n)
{
	const struct layout_record *e = layout_kind(&layout, KIND_REQUEST);
	const struct layout_field *last = r->nfields ? &r->field[r->nfields - 1] : NULL;
	unsigned op = now_and_then(40) ? below(256) : below(8);

	if (r->kind != KIND_RW || now_and_then(4) || op & 1)
		now += below(400);
	else /* for the quick way: one request after the other */
		op = op & 2 ? op : 4;
	n = r->repeat ? n : 1;
	memset(rec, 0, sizeof rec / 8);
	fill(r, 0, r->number, op, n);
	for (uint64_t i = 0; last && i < n; i++) {
		uint32_t at = last->off + (uint32_t)i * r->element;

		if (layout.type[last->type].class == CLASS_STRUCT)
			fill(e, at, 0, op, n);
		else if (r->repeat) {
			struct layout_field one = *last;

			one.off = 0;
			store(&one, at, number_of("client_id", 0, 0, 0));
		}
	}
	fwrite(rec, 1, layout_bytes(&layout, r, n), stdout);
}

/* The compressed record: four bytes, a duration, and as many numbers as its bits tell. */
static void
put_compressed(const struct layout_record *r)
{
	unsigned fields;

	memset(rec, 0, 256);
	rec[0] = (uint8_t)layout.comp;
	rec[1] = (uint8_t)below(clients);
	rec[2] = (uint8_t)rnd();
	rec[3] = (uint8_t)rnd();
	if (big)
		fields = (rec[3] & 1 ? 1u : 2u) + !(rec[2] & 3) + !(rec[3] >> 6) +
			 !(rec[3] >> 4 & 3);
	else
		fields = (rec[3] >> 7 ? 1u : 2u) + !(rec[2] >> 6) + !(rec[3] & 3) +
			 !(rec[3] >> 2 & 3);
	store(layout_field(r, "duration"), 0, below(3000));
	for (unsigned i = 0; i < 4 * fields; i++)
		rec[r->size + i] = (uint8_t)(i % 4 < 2 ? below(3) : 0);
	fwrite(rec, 1, r->size + 4 * fields, stdout);
}

static void
header(void)
{
	const struct layout_record *r = layout_kind(&layout, KIND_HEADER);
	uint64_t bits;
	uint32_t low;
	float single = (float)unit;
	static const struct {
		const char *name;
		uint64_t v;
	} set[] = {
	    {"record_type", 0},	    {"start_date", 760086413}, {"gmt_offset", 0 - 18000ull},
	    {"SystemId", 4026543},  {"system_type", 3},	       {"md_version", 1},
	    {"num_processors", 64}, {"memory_per_proc", 32},   {"num_disks", 10},
	    {"num_IO_nodes", 10},   {"memory_per_disk", 760}};
	const struct layout_field *f;

	memset(rec, 0, 4096);
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		if ((f = layout_field(r, set[i].name)))
			store(f, 0, set[i].v);
	if ((f = layout_field(r, "timestamp")))
		store(f, 0, now);
	if ((f = layout_field(r, "release_data")))
		memcpy(rec + f->off, "at random", 9);
	memcpy(&bits, &unit, sizeof bits);
	memcpy(&low, &single, sizeof low);
	if ((f = layout_field(r, "timestamp_unit")))
		store(f, 0, f->size == 4 ? low : bits);
	fwrite(rec, 1, layout_bytes(&layout, r, 1), stdout);
}

static void
frame(uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		putchar((int)(v >> 8 * (big ? 3 - i : i) & 255));
}

int
main(int argc, char **argv)
{
	/* How often each kind comes: of 64. */
	static const uint8_t often[] = {1, 3, 1, 3, 2, 4, 9, 1, 2, 24, 1, 1, 1, 1, 8, 2};

	if (argc < 5)
		return 2;
	if (!layout_preset(&layout, argv[1]))
		layout_load(&layout, argv[1]);
	clients = (unsigned)atoi(argv[2]);
	state = strtoull(argv[4], NULL, 10);
	unit = argc > 5 ? strtod(argv[5], NULL) : unit;
	big = layout.order ? layout.order == 'b' : argc > 6;
	frame(0x01234567);
	frame(1);
	header();
	for (int n = atoi(argv[3]), i = 0; i < n; i++) {
		const struct layout_record *r = &layout.record[below(layout.nrecords)];
		unsigned times = below(64), most = clients < 200 ? clients : 200;

		gone = clients < 1000 ? 0 : (uint64_t)i * clients / (unsigned)n;
		if (r->kind < KINDS_GENERIC && times >= 16) {
			unsigned k = below(64), at = 0;

			for (; k >= often[at]; at++)
				k -= often[at];
			if (layout_kind(&layout, at))
				r = layout_kind(&layout, at);
		}
		if (r->kind == KIND_HEADER) {
			if (now_and_then(8))
				header();
		} else if (r->kind == KIND_COMP_RW) {
			if (layout.comp >= 0)
				put_compressed(r);
		} else if (r->kind == KIND_OPAQUE) {
			memset(rec, 0, r->size);
			rec[!big ? 0 : 1] = (uint8_t)r->number;
			rec[big ? 0 : 1] = (uint8_t)(r->number >> 8);
			fwrite(rec, 1, r->size, stdout);
		} else if (r->kind == KIND_RW) {
			for (unsigned k = now_and_then(4) ? 9 : 1; k--;)
				put(r, now_and_then(6) ? below(9) : 1);
		} else if (r->kind != KIND_REQUEST)
			put(r, 1 + below(most));
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
