/*
 * charisma_layout.h - how a machine laid out CHARISMA's records.
 *
 * The records are C structs as they lay in memory, so offsets follow from the size and the alignment of the
 * machine's types. A layout has these types, and the records' fields by name; layout_compute finds the offsets as
 * a compiler does. The records are defined by the CHARISMA project's generic header file. The rules are the same in
 * every C ABI: a field is at the next multiple of its alignment, and the length of a struct is a multiple of its
 * greatest alignment.
 */
#ifndef SPOOR_CHARISMA_LAYOUT_H
#define SPOOR_CHARISMA_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/schema.h"

#define LAYOUT_NAME 40	 /* bytes of a name, including its NUL */
#define LAYOUT_FIELDS 32 /* limit of the fields of one record */
/* Limit of the records, including the request element and the compressed record. */
#define LAYOUT_RECORDS 48
#define LAYOUT_TYPES 40
/* Limit of the length of a record's fixed part. A layout may make names and paths of any length. */
#define LAYOUT_LONGEST (1u << 20)

enum type_class {
	CLASS_UNSIGNED,
	CLASS_SIGNED,
	CLASS_FLOAT,
	CLASS_CHAR,
	CLASS_STRUCT, /* the request element, TraceIORequest */
};

/* The types that every layout has: indexes in layout.type. */
enum {
	TYPE_U_SHORT,
	TYPE_SHORT,
	TYPE_U_INT,
	TYPE_INT,
	TYPE_U_LONG,
	TYPE_LONG,
	TYPE_TIME,
	TYPE_FLOAT,
	TYPE_DOUBLE,
	TYPE_BYTE,
	TYPE_CHAR,
	TYPE_TIMESTAMP,
	TYPE_BIGINT,
	TYPE_USER,
	TYPE_APP,
	TYPE_CLIENT,
	TYPE_FILE,
	TYPE_DESC,
	TYPE_ASYNC,
	TYPE_REQUEST,
	TYPES_STOCK
};

struct layout_type {
	char name[LAYOUT_NAME];
	/* align: as declared; the layout's `cap` may lower it */
	uint8_t class, size, align;
};

struct layout_field {
	char name[LAYOUT_NAME];
	uint8_t type;	/* index in layout.type */
	bool array;	/* a char array of `count` elements */
	uint32_t count; /* 1 if the field is not an array */
	uint32_t off, size;
};

/* The meaning of a record. The first sixteen are the generic header's type numbers. */
enum record_kind {
	KIND_HEADER,
	KIND_APP_LOAD,
	KIND_APP_EXIT,
	KIND_JOIN,
	KIND_LEAVE,
	KIND_APP_OPEN,
	KIND_CLIENT_OPEN,
	KIND_APP_CLOSE,
	KIND_CLIENT_CLOSE,
	KIND_RW,
	KIND_EXTEND,
	KIND_TRUNCATE,
	KIND_LINK,
	KIND_UNLINK,
	KIND_ASYNC_END,
	KIND_FCNTL,
	KINDS_GENERIC,
	KIND_REQUEST = KINDS_GENERIC, /* not a record: the element of requests[] */
	KIND_COMP_RW,
	KIND_OTHER,  /* machine-dependent; its fields are known */
	KIND_OPAQUE, /* machine-dependent; only its size is known */
};

struct layout_record {
	uint8_t kind;
	uint16_t number;
	char name[LAYOUT_NAME];	 /* name in layout files, such as "rw" */
	char cname[LAYOUT_NAME]; /* name of the struct in the header */
	uint32_t nfields;
	struct layout_field field[LAYOUT_FIELDS];
	bool repeat; /* the last field is repeated as often as field[counter] says */
	uint8_t counter;
	/* The rest is computed by layout_compute: */
	/* Bytes up to the end of the last field, or up to the start of a repeated one. */
	uint32_t fixed;
	uint32_t element; /* bytes of one repeated element; 0 if there is none */
	uint32_t align;
	/* The result of sizeof, with one element; for an opaque record, all its bytes. */
	uint32_t size;
};

enum layout_tail {
	/* the size of a struct that is declared with n elements, rounded up to the alignment */
	TAIL_PAD,
	TAIL_IDIOM, /* sizeof + (n-1) elements */
	TAIL_NOPAD, /* no padding after the last field or element */
};

enum layout_words {
	WORDS_ORDER, /* order of the two words of an 8-byte integer: as in the byte order */
	WORDS_HIGH,
	WORDS_LOW,
};

struct layout {
	char name[LAYOUT_NAME];
	int order; /* byte order: 'l', 'b', or 0 = as the magic number */
	bool lp64;
	unsigned cap; /* greatest alignment: 0 = natural, 1 = packed */
	enum layout_tail tail;
	enum layout_words words;
	uint32_t name_length, path_length;
	int64_t no_app, no_client;
	int comp; /* number of the compressed record, or -1 */
	uint32_t ntypes, nrecords;
	struct layout_type type[LAYOUT_TYPES];
	struct layout_record record[LAYOUT_RECORDS];
};

/* The generic header's records, in the order of its structs. */
extern const struct schema charisma_schema;
/* Fills a layout with the generic header's records, and the types of ILP32 or, with `lp64`, LP64. */
void layout_base(struct layout *l, bool lp64);
/*
 * Computes every offset and size from the types, constants and records. Must be called after
 * any change of these. Returns NULL, or the error in static memory: a record is too long.
 */
const char *layout_compute(struct layout *l);

/* Names of the presets, ending with NULL. A preset has the types of one machine. */
extern const char *const layout_presets[];
/* Sets *l to the preset called `name`, and computes it. Returns false if there is no such preset. */
bool layout_preset(struct layout *l, const char *name);
/* Returns the byte order of the preset called `name`, 'l' or 'b', or 0 if there is no such preset. */
int layout_preset_order(const char *name);

/*
 * Reads the text form of a layout (charisma-layout(5)), text[0..n), into *l. Returns false after an error, with
 * "LINE: REASON" in why[0..whysize).
 */
bool layout_parse(struct layout *l, const char *text, size_t n, char *why, size_t whysize);
/* Reads the layout in the file `path` into *l; the layout gets the name of the file. Dies with
 * "FILE:LINE: REASON" after an error. */
void layout_load(struct layout *l, const char *path);

/* Writes the layout to o as lines of preset, record, field, offset and size. */
void layout_dump(const struct layout *l, struct out *o);

/* Returns the number of the type called name[0..n), or -1. */
int layout_type(const struct layout *l, const char *name, size_t n);
/* Returns the record with that number, or NULL. Does not find the compressed one, whose number is one byte. */
const struct layout_record *layout_record(const struct layout *l, unsigned number);
/* Returns the first record of that kind, or NULL. */
const struct layout_record *layout_kind(const struct layout *l, unsigned kind);
/* Returns the field of r with that name, or NULL. */
const struct layout_field *layout_field(const struct layout_record *r, const char *name);
/* Returns the kind of record that a layout file calls name[0..n), or KIND_OTHER if the name is not of a generic
 * one. */
unsigned layout_kind_named(const char *name, size_t n);
/* Returns the row of a generic kind, which must be less than KINDS_GENERIC; its name is the one in layout files. */
const struct schema_row *layout_row(unsigned kind);

/* Returns the bytes of a record r with n repeated elements. */
uint64_t layout_bytes(const struct layout *l, const struct layout_record *r, uint64_t n);

/* A plan to load one number of a record without looking at its type: eight bytes are read, rotated and shifted. Up
 * to seven bytes after the number must be readable. */
struct load_spec {
	uint32_t off;
	uint8_t shift; /* 64 minus the bits of the number */
	/* 32 if the two words of the number are in the opposite order, else 0 */
	uint8_t rotate;
	bool none;     /* there is no such field */
	uint64_t sign; /* sign bit of a signed type, else 0 */
};

/* Returns the way to load the field f of a struct that begins `at` bytes into the record; `big` is the trace's byte
 * order. f may be NULL: the result has `none` set. */
struct load_spec layout_load_of(const struct layout *l, const struct layout_field *f,
				uint32_t at, bool big);
/* Returns the way to load the field with that name of the header record. If there is none, the result has `none` set. */
struct load_spec layout_header_load(const struct layout *l, const char *name, bool big);

#endif
