/* charisma_layout.c - types, records and presets; computes offsets as a compiler does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma_layout.h"

/* clang-format off */
#define START "u_short record_type:event, TimestampType timestamp:time, "
#define APP "TraceAppId appl_id"
#define CLIENT "TraceClientId client_id"
#define OPEN "char[NAME] name, char[PATH] path, TraceFileId file_id, " \
	"TraceFileDesc file_desc, BigInt file_size, time_t creation_date, byte open_flags"
#define CLOSE "TraceFileDesc file_desc, BigInt file_size"
#define RESIZE "TraceFileId file_id, BigInt original_size, BigInt new_size"
#define LINK "TraceFileId file_id, u_short new_link_count"
#define REQUEST "u_short record_type:event, TimestampType starttime:time, " \
	"TimestampType endtime:dur, TraceFileDesc file_desc, byte operation_type, " \
	"TraceAsyncId async_id, "

/* The records of the generic header. The note `count` marks a field that counts the elements of the next field. */
static const struct charisma_row {
	struct schema_row row;
	uint8_t kind;
	const char *cname; /* name of the struct in the header */
} rows[] = {
{{.event = "header", .code = "0", .name = "header",
	.fields = "u_short record_type:event, time_t start_date, long gmt_offset, "
		"TimestampType timestamp, u_long SystemId, byte system_type, int md_version, "
		"char[80] release_data, int num_processors, int memory_per_proc, int num_disks, "
		"int num_IO_nodes, int memory_per_disk, double timestamp_unit",
	.about = "Begins a trace: the machine, its clock and the date."},
	KIND_HEADER, "TraceHeaderRecord"},
{{.event = "app-load", .code = "1", .name = "app-load",
	.fields = START "char[NAME] name, char[PATH] path, TraceUserId user_id, "
		"u_long initial_load_size, " APP ":loc, u_short num_clients:count, "
		"TraceClientId[num_clients] clients",
	.about = "An application is loaded on its clients."},
	KIND_APP_LOAD, "TraceAppLoadRecord"},
{{.event = "app-exit", .code = "2", .name = "app-exit", .fields = START APP ":loc",
	.about = "An application ends."},
	KIND_APP_EXIT, "TraceAppExitRecord"},
{{.event = "join", .code = "3", .name = "join", .fields = START APP ", " CLIENT ":loc",
	.about = "A client joins an application."},
	KIND_JOIN, "TraceClientJoinRecord"},
{{.event = "leave", .code = "4", .name = "leave", .fields = START APP ", " CLIENT ":loc",
	.about = "A client leaves its application."},
	KIND_LEAVE, "TraceClientLeaveRecord"},
{{.event = "open", .code = "5", .name = "app-open", .fields = START APP ":loc, " OPEN,
	.about = "An application as a whole opens a file: by=app."},
	KIND_APP_OPEN, "TraceAppOpenRecord"},
{{.event = "close", .code = "7", .name = "app-close", .fields = START APP ":loc, " CLOSE,
	.about = "An application as a whole closes a file: by=app."},
	KIND_APP_CLOSE, "TraceAppCloseRecord"},
{{.event = "open", .code = "6", .name = "client-open",
	.fields = START CLIENT ":loc, " OPEN,
	.about = "A client opens a file: by=client."},
	KIND_CLIENT_OPEN, "TraceClientOpenRecord"},
{{.event = "close", .code = "8", .name = "client-close",
	.fields = START CLIENT ":loc, " CLOSE,
	.about = "A client closes a file: by=client."},
	KIND_CLIENT_CLOSE, "TraceClientCloseRecord"},
{{.name = "TraceIORequest",
	.fields = "BigInt offset:addr, u_long memory_offset, BigInt IO_size:size, "
		CLIENT ":loc"},
	KIND_REQUEST, "TraceIORequest"},
{{.event = "read|write", .code = "9", .name = "rw",
	.fields = REQUEST APP ", u_short num_clients:count, "
		"TraceIORequest[num_clients] requests",
	.size = "IO_size",
	.about = "A request for a part of a file; a record may hold several."},
	KIND_RW, "TraceRWRecord"},
{{.event = "async-end", .code = "14", .name = "async-end",
	.fields = "u_short record_type:event, TimestampType call_time, "
		"TimestampType end_time:time, TraceAsyncId async_id, " CLIENT ":loc, " APP,
	.about = "An asynchronous request ended, and was waited for."},
	KIND_ASYNC_END, "TraceAsynchEndRecord"},
{{.event = "truncate", .code = "11", .name = "truncate",
	.fields = START CLIENT ":loc, " RESIZE,
	.about = "A file is made shorter."},
	KIND_TRUNCATE, "TraceTruncRecord"},
{{.event = "extend", .code = "10", .name = "extend",
	.fields = START CLIENT ":loc, " RESIZE,
	.about = "A file is made longer."},
	KIND_EXTEND, "TraceExtendRecord"},
{{.event = "link", .code = "12", .name = "link", .fields = START CLIENT ":loc, " LINK,
	.about = "A file gets one name more."},
	KIND_LINK, "TraceLinkRecord"},
{{.event = "unlink", .code = "13", .name = "unlink", .fields = START CLIENT ":loc, " LINK,
	.about = "A file loses a name."},
	KIND_UNLINK, "TraceUnlinkRecord"},
/* The type of file_desc is TraceFileId here, as in the header. */
{{.event = "fcntl", .code = "15", .name = "fcntl",
	.fields = START CLIENT ":loc, TraceFileId file_desc, int request, int arg",
	.about = "A client asks for something else of a file."},
	KIND_FCNTL, "TraceFcntlRecord"},
/* Two bytes of bit fields lie between client_id and duration. */
{{.name = "comp-rw",
	.fields = "byte record_type:event, byte client_id:loc, u_long duration:dur"},
	KIND_COMP_RW, "CompRWRecord"},
};
/* clang-format on */
#define ROWS (sizeof rows / sizeof *rows)
/* The iPSC/860 had removed two fields; each of its RW records has exactly one request. */
#define IPSC_RW REQUEST "TraceIORequest requests"

static const struct schema_pair pairs[] = {
    {.begin = "open", .end = "close", .keys = "loc,by,file_desc"},
    {.begin = "(read or write) and operation_type ~ ASYNCHRONOUS and by = client",
     .end = "async-end and by = client",
     .keys = "loc,async_id"},
    /* A record of an application's requests, one for each client, becomes as many events. */
    {.begin = "(read or write) and operation_type ~ ASYNCHRONOUS and by = app",
     .end = "async-end and by = app",
     .keys = "appl_id,async_id",
     .all = true},
};
const struct schema charisma_schema = {.rows = rows,
				       .n = ROWS,
				       .width = sizeof *rows,
				       .pairs = pairs,
				       .npairs = sizeof pairs / sizeof *pairs};

static const struct layout_type stock[TYPES_STOCK] = {
    [TYPE_U_SHORT] = {"u_short", CLASS_UNSIGNED, 2, 2},
    [TYPE_SHORT] = {"short", CLASS_SIGNED, 2, 2},
    [TYPE_U_INT] = {"u_int", CLASS_UNSIGNED, 4, 4},
    [TYPE_INT] = {"int", CLASS_SIGNED, 4, 4},
    [TYPE_U_LONG] = {"u_long", CLASS_UNSIGNED, 4, 4},
    [TYPE_LONG] = {"long", CLASS_SIGNED, 4, 4},
    [TYPE_TIME] = {"time_t", CLASS_SIGNED, 4, 4},
    [TYPE_FLOAT] = {"float", CLASS_FLOAT, 4, 4},
    [TYPE_DOUBLE] = {"double", CLASS_FLOAT, 8, 8},
    [TYPE_BYTE] = {"byte", CLASS_UNSIGNED, 1, 1},
    [TYPE_CHAR] = {"char", CLASS_CHAR, 1, 1},
    [TYPE_TIMESTAMP] = {"TimestampType", CLASS_UNSIGNED, 8, 8},
    [TYPE_BIGINT] = {"BigInt", CLASS_UNSIGNED, 8, 8},
    [TYPE_USER] = {"TraceUserId", CLASS_SIGNED, 4, 4},
    [TYPE_APP] = {"TraceAppId", CLASS_SIGNED, 4, 4},
    [TYPE_CLIENT] = {"TraceClientId", CLASS_SIGNED, 4, 4},
    [TYPE_FILE] = {"TraceFileId", CLASS_UNSIGNED, 4, 4},
    [TYPE_DESC] = {"TraceFileDesc", CLASS_SIGNED, 4, 4},
    [TYPE_ASYNC] = {"TraceAsyncId", CLASS_SIGNED, 4, 4},
    [TYPE_REQUEST] = {"TraceIORequest", CLASS_STRUCT, 0, 1},
};

static void
copy_name(char *to, const char *from)
{
	size_t n = strlen(from);

	if (n >= LAYOUT_NAME)
		n = LAYOUT_NAME - 1;
	memcpy(to, from, n);
	to[n] = '\0';
}

static void
set_fields(struct layout *l, struct layout_record *r, const char *fields)
{
	struct schema_field in;

	r->repeat = false;
	for (r->nfields = 0; schema_field(&fields, &in); r->nfields++) {
		struct layout_field *f = &r->field[r->nfields];

		memset(f, 0, sizeof *f);
		memcpy(f->name, in.name.p, in.name.n);
		f->type = (uint8_t)layout_type(l, in.type.p, in.type.n);
		f->count = 1;
		if (!in.count.p)
			continue;
		f->count = word_is(in.count, "NAME") ? l->name_length
			   : word_is(in.count, "PATH")
			       ? l->path_length
			       : (uint32_t)strtoul(in.count.p, NULL, 10);
		f->array = f->count;
		if (!f->array) { /* the previous field counts the elements */
			f->count = 1;
			r->repeat = true;
			r->counter = (uint8_t)(r->nfields - 1);
		}
	}
}

void
layout_base(struct layout *l, bool lp64)
{
	memset(l, 0, offsetof(struct layout, record)); /* records are cleared when taken */
	l->lp64 = lp64;
	l->name_length = 32;
	l->path_length = 256;
	l->no_app = l->no_client = -1;
	l->comp = -1;
	memcpy(l->type, stock, sizeof stock);
	l->ntypes = TYPES_STOCK;
	for (int t = TYPE_U_LONG; lp64 && t <= TYPE_TIME; t++)
		l->type[t].size = l->type[t].align = 8;
	for (l->nrecords = 0; l->nrecords < ROWS; l->nrecords++) {
		const struct charisma_row *g = &rows[l->nrecords];
		struct layout_record *r = &l->record[l->nrecords];

		memset(r, 0, offsetof(struct layout_record, field));
		r->kind = g->kind;
		r->number = g->kind < KINDS_GENERIC ? g->kind : 0;
		copy_name(r->name, g->row.name);
		copy_name(r->cname, g->cname);
		set_fields(l, r, g->row.fields);
	}
}

static uint32_t
round_up(uint32_t v, uint32_t to)
{
	return (v + to - 1) / to * to;
}

static const char *
compute(struct layout *l, struct layout_record *r)
{
	const struct layout_record *e = layout_kind(l, KIND_REQUEST);
	uint32_t off = 0, last = 0;

	r->align = 1;
	for (uint32_t i = 0; i < r->nfields; i++) {
		struct layout_field *f = &r->field[i];
		const struct layout_type *t = &l->type[f->type];
		uint32_t size = t->class == CLASS_STRUCT ? e->size : t->size;
		uint32_t a = t->class == CLASS_STRUCT	   ? e->align
			     : l->cap && t->align > l->cap ? l->cap
							   : t->align;

		/* Skip the two bytes of bit fields in the compressed record. */
		if (r->kind == KIND_COMP_RW && i == 2)
			off += 2;
		off = round_up(off, a);
		if (f->count > LAYOUT_LONGEST / size || off > LAYOUT_LONGEST)
			return "the record is longer than 1 MiB";
		f->off = last = off;
		f->size = f->count * size;
		off += f->size;
		r->align = a > r->align ? a : r->align;
		r->element = r->repeat ? size : 0;
	}
	if (off > LAYOUT_LONGEST)
		return "the record is longer than 1 MiB";
	r->fixed = r->repeat ? last : off;
	r->size = round_up(off, r->align);
	return NULL;
}

const char *
layout_compute(struct layout *l)
{
	const char *why = NULL;

	/* Compute the request element first: other records contain it. */
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < l->nrecords && !why; i++)
			if (l->record[i].kind != KIND_OPAQUE &&
			    (l->record[i].kind == KIND_REQUEST) == !pass)
				why = compute(l, &l->record[i]);
	return why;
}

uint64_t
layout_bytes(const struct layout *l, const struct layout_record *r, uint64_t n)
{
	uint64_t end = r->fixed;

	if (r->kind == KIND_OPAQUE)
		return r->size;
	if (!r->repeat)
		return l->tail == TAIL_NOPAD ? r->fixed : r->size;
	if (l->tail == TAIL_IDIOM)
		return r->size + n * r->element - r->element;
	end += n * r->element;
	return l->tail == TAIL_NOPAD ? end : (end + r->align - 1) / r->align * r->align;
}

/* A preset: a base, and the differences from it. */
static const struct preset {
	const char *name;
	char order;
	bool lp64;
	uint8_t cap;
	bool two_words; /* 8-byte types are two longs, and are aligned like longs */
	bool ipsc;
	enum layout_words words;
} presets[] = {
    {"ipsc860", 'l', false, 0, true, true, WORDS_ORDER},
    {"ilp32-le-a8", 'l', false, 0, false, false, WORDS_ORDER},
    {"ilp32-le-a4", 'l', false, 4, false, false, WORDS_ORDER},
    {"cm5", 'b', false, 0, false, false, WORDS_ORDER},
    {"ilp32-be-esize", 'b', false, 0, true, false, WORDS_ORDER},
    {"ilp32-be-esize-lowfirst", 'b', false, 0, true, false, WORDS_LOW},
    {"lp64-le", 'l', true, 0, false, false, WORDS_ORDER},
    {"lp64-be", 'b', true, 0, false, false, WORDS_ORDER},
    {"packed-ilp32-le", 'l', false, 1, false, false, WORDS_ORDER},
    {"packed-ilp32-be", 'b', false, 1, false, false, WORDS_ORDER},
    {"packed-lp64-le", 'l', true, 1, false, false, WORDS_ORDER},
    {"packed-lp64-be", 'b', true, 1, false, false, WORDS_ORDER},
};
#define NPRESETS (sizeof presets / sizeof *presets)

const char *const layout_presets[NPRESETS + 1] = {
    "ipsc860",	       "ilp32-le-a8",
    "ilp32-le-a4",     "cm5",
    "ilp32-be-esize",  "ilp32-be-esize-lowfirst",
    "lp64-le",	       "lp64-be",
    "packed-ilp32-le", "packed-ilp32-be",
    "packed-lp64-le",  "packed-lp64-be",
};

static const struct preset *
find_preset(const char *name)
{
	for (size_t i = 0; i < NPRESETS; i++)
		if (!strcmp(presets[i].name, name))
			return &presets[i];
	return NULL;
}

int
layout_preset_order(const char *name)
{
	const struct preset *p = find_preset(name);

	return p ? p->order : 0;
}

bool
layout_preset(struct layout *l, const char *name)
{
	const struct preset *p = find_preset(name);

	if (!p)
		return false;
	layout_base(l, p->lp64);
	copy_name(l->name, p->name);
	l->order =
	    p->order; /* NOLINT(bugprone-signed-char-misuse,cert-str34-c): a letter */
	l->cap = p->cap;
	l->words = p->words;
	if (p->two_words)
		l->type[TYPE_TIMESTAMP].align = l->type[TYPE_BIGINT].align = 4;
	if (p->ipsc) {
		l->type[TYPE_USER].size = l->type[TYPE_USER].align = 2;
		l->type[TYPE_USER].class = CLASS_UNSIGNED;
		for (uint32_t i = 0; i < l->nrecords; i++)
			if (l->record[i].kind == KIND_RW)
				set_fields(l, &l->record[i], IPSC_RW);
	}
	layout_compute(l);
	return true;
}

int
layout_type(const struct layout *l, const char *name, size_t n)
{
	for (uint32_t i = 0; i < l->ntypes; i++)
		if (word_is((struct word){name, n}, l->type[i].name))
			return (int)i;
	return -1;
}

const struct layout_record *
layout_record(const struct layout *l, unsigned number)
{
	for (uint32_t i = 0; i < l->nrecords; i++)
		if (l->record[i].number == number && l->record[i].kind != KIND_REQUEST &&
		    l->record[i].kind != KIND_COMP_RW)
			return &l->record[i];
	return NULL;
}

const struct layout_record *
layout_kind(const struct layout *l, unsigned kind)
{
	for (uint32_t i = 0; i < l->nrecords; i++)
		if (l->record[i].kind == kind)
			return &l->record[i];
	return NULL;
}

const struct layout_field *
layout_field(const struct layout_record *r, const char *name)
{
	for (uint32_t i = 0; r && i < r->nfields; i++)
		if (!strcmp(r->field[i].name, name))
			return &r->field[i];
	return NULL;
}

unsigned
layout_kind_named(const char *name, size_t n)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].kind < KINDS_GENERIC &&
		    word_is((struct word){name, n}, rows[i].row.name))
			return rows[i].kind;
	return KIND_OTHER;
}

const struct schema_row *
layout_row(unsigned kind)
{
	size_t i = 0;

	while (i < ROWS - 1 && rows[i].kind != kind)
		i++;
	return &rows[i].row;
}

struct load_spec
layout_load_of(const struct layout *l, const struct layout_field *f, uint32_t at, bool big)
{
	struct load_spec v = {.none = true};
	const struct layout_type *t;
	bool word;

	if (!f)
		return v;
	t = &l->type[f->type];
	v.none = false;
	v.off = at + f->off;
	v.shift = (uint8_t)(64 - 8 * t->size);
	v.sign = t->class == CLASS_SIGNED && t->size < 8 ? 1ull << (8 * t->size - 1) : 0;
	/* C's own long of 64 bits is one word. Any other integer of 8 bytes is made of two words, whose order may
	 * differ. */
	word = t->size == 8 && t->class != CLASS_FLOAT &&
	       !(f->type >= TYPE_U_LONG && f->type <= TYPE_TIME);
	if (word && ((l->words == WORDS_HIGH && !big) || (l->words == WORDS_LOW && big)))
		v.rotate = 32;
	return v;
}

struct load_spec
layout_header_load(const struct layout *l, const char *name, bool big)
{
	return layout_load_of(l, layout_field(layout_kind(l, KIND_HEADER), name), 0, big);
}
