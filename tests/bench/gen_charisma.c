/*
 * gen_charisma - write a large CHARISMA trace: gen_charisma PRESET REQUESTS [SEED [MIX
 * [TAIL]]]
 *
 * The same arguments give the same bytes everywhere. Jobs of 64 clients load, open a file
 * each, read or write REQUESTS requests in all, close, leave. MIX 0 (the default) has only
 * synchronous requests of one client; MIX 1 makes one in eight asynchronous, one in
 * sixteen of a whole application with eight clients, and has every other record type. TAIL
 * 1 and 2: arrays end as `tail idiom` and `tail nopad` say.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma_layout.h"

#include "rnd.h"

#define CLIENTS 64 /* of a job; few in a small trace */
#define JOB 100000 /* requests of a job */

static struct layout layout;
static uint64_t now = 954722123457;
static unsigned clients = CLIENTS;
static uint8_t rec[1 << 16];

static void
store(uint32_t off, uint32_t size, bool two_words, uint64_t v)
{
	bool big = layout.order == 'b';

	if (two_words && size == 8 && layout.words == WORDS_LOW && big)
		v = v << 32 | v >> 32;
	for (uint32_t i = 0; i < size; i++)
		rec[off + i] = (uint8_t)(v >> 8 * (big ? size - 1 - i : i));
}

/* Sets a field; what a layout does not have is left out. */
static void
set_at(const struct layout_record *r, uint32_t at, const char *name, uint64_t v)
{
	const struct layout_field *f = layout_field(r, name);

	if (f)
		store(at + f->off, f->size, f->type >= TYPE_TIMESTAMP, v);
}

static void
set(unsigned kind, const char *name, uint64_t v)
{
	set_at(layout_kind(&layout, kind), 0, name, v);
}

static void
set_text(unsigned kind, const char *name, const char *text)
{
	const struct layout_field *f = layout_field(layout_kind(&layout, kind), name);

	strncpy((char *)rec + f->off, text, f->size);
}

static void
begin(unsigned kind)
{
	memset(rec, 0, 2048);
	set(kind, "record_type", kind);
	set(kind, "timestamp", now);
}

static void
put(unsigned kind, uint64_t n)
{
	fwrite(rec, 1, layout_bytes(&layout, layout_kind(&layout, kind), n), stdout);
	now += 50;
}

static void
header(void)
{
	double unit = 1e-6;
	uint64_t bits;
	uint32_t frame[2] = {0x01234567, 1};

	memcpy(&bits, &unit, sizeof bits);
	for (int i = 0; i < 2; i++) {
		store(0, 4, false, frame[i]);
		fwrite(rec, 1, 4, stdout);
	}
	begin(KIND_HEADER);
	set(KIND_HEADER, "start_date", 760086413);
	set(KIND_HEADER, "gmt_offset", (uint64_t)-18000);
	set(KIND_HEADER, "SystemId", 2170756858);
	set(KIND_HEADER, "system_type", 3);
	set(KIND_HEADER, "md_version", 1);
	set_text(KIND_HEADER, "release_data", "benchmark");
	set(KIND_HEADER, "num_processors", 128);
	set(KIND_HEADER, "memory_per_proc", 32);
	set(KIND_HEADER, "num_disks", 10);
	set(KIND_HEADER, "num_IO_nodes", 10);
	set(KIND_HEADER, "memory_per_disk", 760);
	set(KIND_HEADER, "timestamp_unit", bits);
	put(KIND_HEADER, 1);
}

static void
job_begin(uint64_t app)
{
	const struct layout_record *load = layout_kind(&layout, KIND_APP_LOAD);
	const struct layout_field *list = &load->field[load->nfields - 1];
	char name[64];

	begin(KIND_APP_LOAD);
	set_text(KIND_APP_LOAD, "name", "solver");
	set_text(KIND_APP_LOAD, "path", "/usr/bench/bin");
	set(KIND_APP_LOAD, "user_id", 500 + app % 20);
	set(KIND_APP_LOAD, "initial_load_size", 82037);
	set(KIND_APP_LOAD, "appl_id", app);
	set(KIND_APP_LOAD, "num_clients", clients);
	for (uint32_t i = 0; i < clients; i++)
		store(list->off + i * load->element, load->element, false,
		      app * CLIENTS + i);
	put(KIND_APP_LOAD, clients);
	for (uint32_t i = 0; i < clients; i++) {
		begin(KIND_CLIENT_OPEN);
		set(KIND_CLIENT_OPEN, "client_id", app * CLIENTS + i);
		snprintf(name, sizeof name, "out.%03u", (unsigned)i);
		set_text(KIND_CLIENT_OPEN, "name", name);
		set_text(KIND_CLIENT_OPEN, "path", "/cfs/bench");
		set(KIND_CLIENT_OPEN, "file_id", 4194304 + app * CLIENTS + i);
		set(KIND_CLIENT_OPEN, "file_desc", 3);
		set(KIND_CLIENT_OPEN, "creation_date", 760086413);
		set(KIND_CLIENT_OPEN, "open_flags", 2 | 8);
		put(KIND_CLIENT_OPEN, 1);
	}
	begin(KIND_APP_OPEN);
	set(KIND_APP_OPEN, "appl_id", app);
	set_text(KIND_APP_OPEN, "name", "field.dat");
	set_text(KIND_APP_OPEN, "path", "/cfs/bench");
	set(KIND_APP_OPEN, "file_id", 4194303 - app);
	set(KIND_APP_OPEN, "file_desc", 64);
	set(KIND_APP_OPEN, "open_flags", 1);
	put(KIND_APP_OPEN, 1);
}

static void
job_end(uint64_t app)
{
	for (uint32_t i = 0; i < clients; i++) {
		begin(KIND_CLIENT_CLOSE);
		set(KIND_CLIENT_CLOSE, "client_id", app * CLIENTS + i);
		set(KIND_CLIENT_CLOSE, "file_desc", 3);
		set(KIND_CLIENT_CLOSE, "file_size", 1 << 20);
		put(KIND_CLIENT_CLOSE, 1);
	}
	begin(KIND_APP_CLOSE);
	set(KIND_APP_CLOSE, "appl_id", app);
	set(KIND_APP_CLOSE, "file_desc", 64);
	put(KIND_APP_CLOSE, 1);
	begin(KIND_APP_EXIT);
	set(KIND_APP_EXIT, "appl_id", app);
	put(KIND_APP_EXIT, 1);
}

/* n requests of one record, from that offset on; op as operation_type. */
static void
request(uint64_t app, uint64_t client, unsigned op, uint64_t n, uint64_t offset,
	uint64_t size, uint64_t async)
{
	const struct layout_record *r = layout_kind(&layout, KIND_RW);
	const struct layout_record *e = layout_kind(&layout, KIND_REQUEST);
	uint32_t at = r->field[r->nfields - 1].off;
	uint64_t took = 200 + rnd() % 3000;

	begin(KIND_RW);
	set(KIND_RW, "starttime", now - took);
	set(KIND_RW, "endtime", op & 1 ? 0 : now);
	set(KIND_RW, "file_desc", op & 4 ? 3 : 64);
	set(KIND_RW, "operation_type", op);
	set(KIND_RW, "async_id", async);
	set(KIND_RW, "appl_id", app);
	set(KIND_RW, "num_clients", n);
	for (uint64_t i = 0; i < n; i++, at += e->size) {
		set_at(e, at, "offset", offset + i * size);
		set_at(e, at, "memory_offset", 1572864 + (offset & 0xffff));
		set_at(e, at, "IO_size", size);
		set_at(e, at, "client_id", client + i);
	}
	put(KIND_RW, n);
}

static void
async_end(uint64_t app, uint64_t client, uint64_t async)
{
	begin(KIND_ASYNC_END);
	set(KIND_ASYNC_END, "call_time", now - 100);
	set(KIND_ASYNC_END, "end_time", now);
	set(KIND_ASYNC_END, "async_id", async);
	set(KIND_ASYNC_END, "client_id", client);
	set(KIND_ASYNC_END, "appl_id", app);
	put(KIND_ASYNC_END, 1);
}

/* The record types that are rare. */
static void
rare(uint64_t app, uint64_t client, unsigned which)
{
	static const unsigned kinds[] = {KIND_JOIN, KIND_LEAVE,	 KIND_EXTEND, KIND_TRUNCATE,
					 KIND_LINK, KIND_UNLINK, KIND_FCNTL};
	unsigned kind = kinds[which % 7];

	begin(kind);
	set(kind, "appl_id", app);
	set(kind, "client_id", kind <= KIND_LEAVE ? client + 1000000 : client);
	set(kind, "file_id", 4194304 + client);
	set(kind, "file_desc", 3);
	set(kind, "original_size", 4096);
	set(kind, "new_size", 1 << 20);
	set(kind, "new_link_count", which & 1);
	set(kind, "request", 3);
	put(kind, 1);
}

int
main(int argc, char **argv)
{
	static const uint64_t sizes[] = {64, 256, 512, 512, 1024, 4096, 4096, 65536};
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, app = 0;
	uint64_t offset[CLIENTS] = {0};
	bool mix = argc > 4 && atoi(argv[4]);

	if (argc < 3 || !layout_preset(&layout, argv[1])) {
		fprintf(stderr,
			"usage: gen_charisma PRESET REQUESTS [SEED [MIX [TAIL]]]\n");
		return 2;
	}
	clients = n < 1000 ? 2 : CLIENTS;
	state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	layout.tail = argc > 5 ? (enum layout_tail)atoi(argv[5]) : TAIL_PAD;
	header();
	for (uint64_t i = 0; i < n; i++) {
		uint64_t r = rnd(), who = r >> 8 & (clients - 1), size = sizes[r >> 16 & 7];
		uint64_t client = (app + (i % JOB == 0)) * CLIENTS + who;
		unsigned op = 4 | (r >> 20 & 2), kind = mix ? r >> 24 & 15 : 15;

		if (i % JOB == 0) {
			if (app)
				job_end(app);
			job_begin(++app);
		}
		if (kind < 2) {
			request(app, client, op | 1, 1, offset[who], size, i & 0xffff);
			async_end(app, client, i & 0xffff);
		} else if (kind == 2 && layout_kind(&layout, KIND_RW)->repeat)
			request(app, app * CLIENTS, r >> 20 & 2, 8, i * 4096, 512, 0);
		else if (kind == 3 && i % 7 == 0)
			rare(app, client, (unsigned)(r >> 28 & 0xff));
		else
			request(app, client, op, 1, offset[who], size, 0);
		offset[who] += size;
	}
	job_end(app);
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
