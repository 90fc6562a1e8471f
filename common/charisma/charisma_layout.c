/* charisma_layout.c - types, records and presets, and what a compiler makes of them. */
#include <stdio.h>
#include <string.h>

#include "charisma/charisma_layout.h"

/* How long a row's field is. */
enum {
	ONE,
	NAME = -1, /* TRACE_NAME_LENGTH */
	PATH = -2,
	MANY = -3, /* the field before counts it */
	STAMP = 80,
};

struct row {
	uint8_t type;
	int8_t count;
	const char *name;
};

#define OPEN_ROWS                                                                          \
	{TYPE_CHAR, NAME, "name"}, {TYPE_CHAR, PATH, "path"}, {TYPE_FILE, ONE, "file_id"}, \
	    {TYPE_DESC, ONE, "file_desc"}, {TYPE_BIGINT, ONE, "file_size"},                \
	    {TYPE_TIME, ONE, "creation_date"},                                             \
	{                                                                                  \
		TYPE_BYTE, ONE, "open_flags"                                               \
	}
#define START                                    \
	{TYPE_U_SHORT, ONE, "record_type"},      \
	{                                        \
		TYPE_TIMESTAMP, ONE, "timestamp" \
	}
#define BY_APP                           \
	{                                \
		TYPE_APP, ONE, "appl_id" \
	}
#define BY_CLIENT                             \
	{                                     \
		TYPE_CLIENT, ONE, "client_id" \
	}
#define END                \
	{                  \
		0, 0, NULL \
	}

static const struct row header_rows[] = {
    {TYPE_U_SHORT, ONE, "record_type"},
    {TYPE_TIME, ONE, "start_date"},
    {TYPE_LONG, ONE, "gmt_offset"},
    {TYPE_TIMESTAMP, ONE, "timestamp"},
    {TYPE_U_LONG, ONE, "SystemId"},
    {TYPE_BYTE, ONE, "system_type"},
    {TYPE_INT, ONE, "md_version"},
    {TYPE_CHAR, STAMP, "release_data"},
    {TYPE_INT, ONE, "num_processors"},
    {TYPE_INT, ONE, "memory_per_proc"},
    {TYPE_INT, ONE, "num_disks"},
    {TYPE_INT, ONE, "num_IO_nodes"},
    {TYPE_INT, ONE, "memory_per_disk"},
    {TYPE_DOUBLE, ONE, "timestamp_unit"},
    END,
};
static const struct row load_rows[] = {
    START,
    {TYPE_CHAR, NAME, "name"},
    {TYPE_CHAR, PATH, "path"},
    {TYPE_USER, ONE, "user_id"},
    {TYPE_U_LONG, ONE, "initial_load_size"},
    BY_APP,
    {TYPE_U_SHORT, ONE, "num_clients"},
    {TYPE_CLIENT, MANY, "clients"},
    END,
};
static const struct row exit_rows[] = {START, BY_APP, END};
static const struct row member_rows[] = {START, BY_APP, BY_CLIENT, END};
static const struct row app_open_rows[] = {START, BY_APP, OPEN_ROWS, END};
static const struct row client_open_rows[] = {START, BY_CLIENT, OPEN_ROWS, END};
static const struct row app_close_rows[] = {
    START, BY_APP, {TYPE_DESC, ONE, "file_desc"}, {TYPE_BIGINT, ONE, "file_size"}, END};
static const struct row client_close_rows[] = {
    START, BY_CLIENT, {TYPE_DESC, ONE, "file_desc"}, {TYPE_BIGINT, ONE, "file_size"}, END};
static const struct row rw_rows[] = {
    {TYPE_U_SHORT, ONE, "record_type"},
    {TYPE_TIMESTAMP, ONE, "starttime"},
    {TYPE_TIMESTAMP, ONE, "endtime"},
    {TYPE_DESC, ONE, "file_desc"},
    {TYPE_BYTE, ONE, "operation_type"},
    {TYPE_ASYNC, ONE, "async_id"},
    BY_APP,
    {TYPE_U_SHORT, ONE, "num_clients"},
    {TYPE_REQUEST, MANY, "requests"},
    END,
};
/* The iPSC/860 had removed two fields; its records have exactly one request. */
static const struct row rw_short_rows[] = {
    {TYPE_U_SHORT, ONE, "record_type"}, {TYPE_TIMESTAMP, ONE, "starttime"},
    {TYPE_TIMESTAMP, ONE, "endtime"},	{TYPE_DESC, ONE, "file_desc"},
    {TYPE_BYTE, ONE, "operation_type"}, {TYPE_ASYNC, ONE, "async_id"},
    {TYPE_REQUEST, ONE, "requests"},	END,
};
static const struct row resize_rows[] = {
    START,
    BY_CLIENT,
    {TYPE_FILE, ONE, "file_id"},
    {TYPE_BIGINT, ONE, "original_size"},
    {TYPE_BIGINT, ONE, "new_size"},
    END,
};
static const struct row link_rows[] = {START,
				       BY_CLIENT,
				       {TYPE_FILE, ONE, "file_id"},
				       {TYPE_U_SHORT, ONE, "new_link_count"},
				       END};
static const struct row async_rows[] = {
    {TYPE_U_SHORT, ONE, "record_type"},
    {TYPE_TIMESTAMP, ONE, "call_time"},
    {TYPE_TIMESTAMP, ONE, "end_time"},
    {TYPE_ASYNC, ONE, "async_id"},
    BY_CLIENT,
    BY_APP,
    END,
};
/* The descriptor's type is TraceFileId there, as the header has it. */
static const struct row fcntl_rows[] = {
    START,
    BY_CLIENT,
    {TYPE_FILE, ONE, "file_desc"},
    {TYPE_INT, ONE, "request"},
    {TYPE_INT, ONE, "arg"},
    END,
};
static const struct row request_rows[] = {
    {TYPE_BIGINT, ONE, "offset"},
    {TYPE_U_LONG, ONE, "memory_offset"},
    {TYPE_BIGINT, ONE, "IO_size"},
    BY_CLIENT,
    END,
};
/* Two bytes of bit fields lie between client_id and duration. */
static const struct row comp_rows[] = {
    {TYPE_BYTE, ONE, "record_type"},
    {TYPE_BYTE, ONE, "client_id"},
    {TYPE_U_LONG, ONE, "duration"},
    END,
};

/* In the order of the header file's structs. */
static const struct generic {
	uint8_t kind;
	const char *name, *cname;
	const struct row *rows;
} generic[] = {
    {KIND_HEADER, "header", "TraceHeaderRecord", header_rows},
    {KIND_APP_LOAD, "app-load", "TraceAppLoadRecord", load_rows},
    {KIND_APP_EXIT, "app-exit", "TraceAppExitRecord", exit_rows},
    {KIND_JOIN, "join", "TraceClientJoinRecord", member_rows},
    {KIND_LEAVE, "leave", "TraceClientLeaveRecord", member_rows},
    {KIND_APP_OPEN, "app-open", "TraceAppOpenRecord", app_open_rows},
    {KIND_APP_CLOSE, "app-close", "TraceAppCloseRecord", app_close_rows},
    {KIND_CLIENT_OPEN, "client-open", "TraceClientOpenRecord", client_open_rows},
    {KIND_CLIENT_CLOSE, "client-close", "TraceClientCloseRecord", client_close_rows},
    {KIND_REQUEST, "TraceIORequest", "TraceIORequest", request_rows},
    {KIND_RW, "rw", "TraceRWRecord", rw_rows},
    {KIND_ASYNC_END, "async-end", "TraceAsynchEndRecord", async_rows},
    {KIND_TRUNCATE, "truncate", "TraceTruncRecord", resize_rows},
    {KIND_EXTEND, "extend", "TraceExtendRecord", resize_rows},
    {KIND_LINK, "link", "TraceLinkRecord", link_rows},
    {KIND_UNLINK, "unlink", "TraceUnlinkRecord", link_rows},
    {KIND_FCNTL, "fcntl", "TraceFcntlRecord", fcntl_rows},
    {KIND_COMP_RW, "comp-rw", "CompRWRecord", comp_rows},
};
#define NGENERIC (sizeof generic / sizeof *generic)

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
set_rows(struct layout *l, struct layout_record *r, const struct row *row)
{
	r->repeat = false;
	for (r->nfields = 0; row->name; row++, r->nfields++) {
		struct layout_field *f = &r->field[r->nfields];

		memset(f, 0, sizeof *f);
		copy_name(f->name, row->name);
		f->type = row->type;
		f->array = row->count != ONE && row->count != MANY;
		f->count = row->count == NAME	? l->name_length
			   : row->count == PATH ? l->path_length
			   : row->count > 0	? (uint32_t)row->count
						: 1;
		if (row->count == MANY) {
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
	for (l->nrecords = 0; l->nrecords < NGENERIC; l->nrecords++) {
		const struct generic *g = &generic[l->nrecords];
		struct layout_record *r = &l->record[l->nrecords];

		memset(r, 0, offsetof(struct layout_record, field));
		r->kind = g->kind;
		r->number = g->kind < KINDS_GENERIC ? g->kind : 0;
		copy_name(r->name, g->name);
		copy_name(r->cname, g->cname);
		set_rows(l, r, g->rows);
	}
}

static uint32_t
round_up(uint32_t v, uint32_t to)
{
	return (v + to - 1) / to * to;
}

static uint32_t
alignment(const struct layout *l, unsigned type)
{
	uint32_t a = l->type[type].align;

	return l->cap && a > l->cap ? l->cap : a;
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
		uint32_t a = t->class == CLASS_STRUCT ? e->align : alignment(l, f->type);

		/* The compressed record's two bytes of bit fields. */
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

	/* The element first: records hold it. */
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

/* A preset is a base and what differs from it. */
static const struct preset {
	const char *name;
	char order;
	bool lp64;
	uint8_t cap;
	bool two_words; /* 8-byte types are two longs: aligned as these */
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
				set_rows(l, &l->record[i], rw_short_rows);
	}
	layout_compute(l);
	return true;
}

static void
dump_row(struct out *o, const char *layout, const char *record, const char *field,
	 uint32_t off, uint32_t size)
{
	char text[4 * LAYOUT_NAME];

	snprintf(text, sizeof text, "%s\t%s\t%s\t%u\t%u\n", layout, record, field,
		 (unsigned)off, (unsigned)size);
	out_str(o, text);
}

void
layout_dump(const struct layout *l, struct out *o)
{
	out_str(o, "preset\trecord\tfield\toffset\tsize\n");
	for (uint32_t i = 0; i < l->nrecords; i++) {
		const struct layout_record *r = &l->record[i];

		for (uint32_t k = 0; k < r->nfields; k++)
			dump_row(o, l->name, r->cname, r->field[k].name, r->field[k].off,
				 r->field[k].size);
		if (r->kind == KIND_COMP_RW)
			dump_row(o, l->name, r->cname, "fields", r->size, 0);
		dump_row(o, l->name, r->cname, "(sizeof)", 0, r->size);
	}
}

int
layout_type(const struct layout *l, const char *name, size_t n)
{
	for (uint32_t i = 0; i < l->ntypes; i++)
		if (strlen(l->type[i].name) == n && !memcmp(l->type[i].name, name, n))
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
	for (size_t i = 0; i < NGENERIC; i++)
		if (generic[i].kind < KINDS_GENERIC && strlen(generic[i].name) == n &&
		    !memcmp(generic[i].name, name, n))
			return generic[i].kind;
	return KIND_OTHER;
}

const char *
layout_kind_name(unsigned kind)
{
	for (size_t i = 0; i < NGENERIC; i++)
		if (generic[i].kind == kind)
			return generic[i].name;
	return "";
}

struct load
layout_load_of(const struct layout *l, const struct layout_field *f, uint32_t at, bool big)
{
	struct load v = {.none = true};
	const struct layout_type *t;
	bool word;

	if (!f)
		return v;
	t = &l->type[f->type];
	v.none = false;
	v.off = at + f->off;
	v.shift = (uint8_t)(64 - 8 * t->size);
	v.sign = t->class == CLASS_SIGNED && t->size < 8 ? 1ull << (8 * t->size - 1) : 0;
	/* C's own long of 64 bits is one word; any other integer of 8 bytes is
	 * made of two. */
	word = t->size == 8 && t->class != CLASS_FLOAT &&
	       !(f->type >= TYPE_U_LONG && f->type <= TYPE_TIME);
	if (word && ((l->words == WORDS_HIGH && !big) || (l->words == WORDS_LOW && big)))
		v.rotate = 32;
	return v;
}
