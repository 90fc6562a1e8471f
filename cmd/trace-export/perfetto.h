/* perfetto.h - shared by the parts of the target perfetto: perfetto.c writes events, perfetto_annotate.c their
 * annotations, perfetto_packets.c packets and names for both. */
#ifndef SPOOR_PERFETTO_H
#define SPOOR_PERFETTO_H

#include "base/bytes.h"
#include "trace-export/track_drawing.h"
#include "input/cache.h"

/* Limit of a text: no viewer shows more. */
/* Bound: trace-export perfetto | one text | its bytes | 65536 bytes | cut after (status 0) */
#define TEXT_MOST 65536
#define NUMBER 10 /* limit of bytes of a number */
#define KEPT 40	  /* limit of bytes of a value that is kept */
#define ROOM 256  /* bytes of a few fields */
#define SLACK 32  /* bytes after data that copy16s() may read and write */

/* Numbers of fields with their wire types: 0 a number, 1 eight bytes, 2 a length and bytes. */
#define FIELD(number, wire) ((number) << 3 | (wire))
enum {
	TRACE_PACKET = FIELD(1, 2),

	PACKET_CLOCKS = FIELD(6, 2),
	PACKET_TIME = FIELD(8, 0),
	PACKET_SEQUENCE = FIELD(10, 0),
	PACKET_EVENT = FIELD(11, 2),
	PACKET_NAMES = FIELD(12, 2),
	PACKET_FLAGS = FIELD(13, 0),
	PACKET_TRACK = FIELD(60, 2),
	FLAG_CLEARED = 1, /* no names were sent before */
	FLAG_NEEDS = 2,	  /* uses names that were sent */

	CLOCKS_CLOCK = FIELD(1, 2),
	CLOCK_ID = FIELD(1, 0),
	CLOCK_TIME = FIELD(2, 0),
	ID_REALTIME = 1,
	ID_BOOTTIME = 6, /* clock of packets that do not name one */

	NAMES_CATEGORY = FIELD(1, 2),
	NAMES_EVENT = FIELD(2, 2),
	NAMES_ANNOTATION = FIELD(3, 2),
	NAME_ID = FIELD(1, 0),
	NAME_TEXT = FIELD(2, 2),

	TRACK_UUID = FIELD(1, 0),
	TRACK_NAME = FIELD(2, 2),
	TRACK_PROCESS = FIELD(3, 2),
	TRACK_THREAD = FIELD(4, 2),
	TRACK_PARENT = FIELD(5, 0),
	TRACK_COUNTER = FIELD(8, 2),
	PROCESS_PID = FIELD(1, 0),
	PROCESS_NAME = FIELD(6, 2),
	THREAD_PID = FIELD(1, 0),
	THREAD_TID = FIELD(2, 0),
	THREAD_NAME = FIELD(5, 2),

	EVENT_CATEGORY = FIELD(3, 0),
	EVENT_ANNOTATION = FIELD(4, 2),
	EVENT_TYPE = FIELD(9, 0),
	EVENT_NAME = FIELD(10, 0),
	EVENT_TRACK = FIELD(11, 0),
	EVENT_COUNTER = FIELD(30, 0),
	EVENT_FLOW_OLD = FIELD(36, 0), /* for version 20 */
	EVENT_REAL_COUNTER = FIELD(44, 1),
	EVENT_FLOW = FIELD(47, 1),
	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4,

	ANNOTATION_NAME = FIELD(1, 0),
	ANNOTATION_UINT = FIELD(3, 0),
	ANNOTATION_INT = FIELD(4, 0),
	ANNOTATION_REAL = FIELD(5, 1),
	ANNOTATION_TEXT = FIELD(6, 2),
};

/* Numbers of tracks of processes and counters are above the numbers of lanes. */
#define UUID_PROCESS (1ull << 32)
#define UUID_COUNTER (2ull << 32)

enum annotation_kind {
	A_UINT, /* unsigned, 64 bits */
	A_INT,	/* any other integer */
	A_NS,
	A_SYM,
	A_KEPT, /* a few bytes of the record determine the value; the last value is kept */
	A_TEXT, /* any other value, by its text */
};

struct annotation {
	struct field f;
	uint8_t kind;	/* enum annotation_kind */
	bool flow;	/* the value names a flow */
	uint8_t width;	/* A_KEPT: bytes in the record */
	uint8_t kept_n; /* bytes in `kept`; 0: nothing is kept */
	uint8_t name_n;
	/* EVENT_ANNOTATION, a byte for its length, and the number of its name: name_n bytes. */
	uint8_t name[2 * NUMBER];
	uint64_t key; /* A_KEPT: bytes of the record that `kept` is for */
	uint8_t kept[KEPT + SLACK];
};

struct perfetto_plan {
	uint32_t n, head_n;
	/* category and name of the event; head_n = 0: not yet made */
	uint8_t head[2 * SLACK];
	struct annotation *v;
};

struct perfetto {
	struct track_drawing drawing;
	struct buf packets;	 /* packets that are not yet written */
	struct buf packet, body; /* being made; empty between calls */
	struct buf value, text, raw;
	struct strtab categories, events, names; /* names that were sent */
	uint32_t category;
	struct perfetto_plan *plan; /* by type */
	struct cache plan_cache;
	struct perfetto_plan *making;
	struct text_cache symbols; /* values of annotations of symbols */
	uint64_t cut;		   /* texts that were too long */
	uint8_t *counted;	   /* by process and counter: 1 if its track was sent */
	size_t ncounted;
};

/* Returns p with room for n more bytes after it, in x->packets, which may move. */
static inline uint8_t *
perfetto_room(struct perfetto *x, uint8_t *p, size_t n)
{
	struct buf *b = &x->packets;
	size_t at = (size_t)(p - b->p);

	if (unlikely(b->cap - at < n))
		buf_room(b, at - b->n + n);
	return b->p + at;
}

/* Writes a number in seven bits a byte, and returns the position after it; 8 bytes are written, or more if it
 * is longer. Most numbers are spread over the bytes at once, because branches on their length are mispredicted. */
static inline uint8_t *
perfetto_varint(uint8_t *p, uint64_t v)
{
	unsigned n = ((70 - leading_zeros64(v | 1)) * 37) >> 8; /* bits / 7, rounded up */

	if (unlikely(v >> 56)) {
		for (; v >= 128; v >>= 7)
			*p++ = (uint8_t)v | 128;
		*p++ = (uint8_t)v;
		return p;
	}
	v = (v & 0xfffffff) | (v & 0xfffffff0000000) << 4;
	v = (v & 0x3fff00003fff) | (v & 0xfffc0000fffc000) << 2;
	v = (v & 0x7f007f007f007f) | (v & 0x3f803f803f803f80) << 1;
	v |= 0x8080808080808080 & ((1ull << (8 * n - 8)) - 1);
	st_le64(p, v);
	return p + n;
}

/* Writes the number v as `field` (number << 3 | wire type), and returns the position after it. put_fixed and put_real write
 * 8 bytes, put_real those of a double. */
static inline uint8_t *
put_field(uint8_t *p, unsigned field, uint64_t v)
{
	return perfetto_varint(perfetto_varint(p, field), v);
}

static inline uint8_t *
put_fixed(uint8_t *p, unsigned field, uint64_t v)
{
	p = perfetto_varint(p, field);
	st_le64(p, v);
	return p + 8;
}

static inline uint8_t *
put_real(uint8_t *p, unsigned field, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return put_fixed(p, field, bits);
}

/* Appends a field with a number. perfetto_bytes() appends a field with n bytes. */
void perfetto_field(struct buf *b, unsigned field, uint64_t v);
void perfetto_bytes(struct buf *b, unsigned field, const void *p, size_t n);
/* Sets x->text to the n bytes at p as UTF-8, without a limit of the length. A byte that is not UTF-8 becomes the
 * character with its number. */
void perfetto_utf8(struct perfetto *x, const uint8_t *p, size_t n);
/* Appends to b a field with the name s, whose escapes, those of a stream, are decoded. Uses x->raw and x->text. */
void perfetto_put_name(struct perfetto *x, struct buf *b, unsigned field, const char *s);
/* Sends a packet with the message x->packet, and empties x->packet. */
void perfetto_send(struct perfetto *x, unsigned field, unsigned flags);
/* Appends the message x->body to x->packet, and empties x->body. */
void perfetto_put_body(struct perfetto *x, unsigned field);
/* Returns the number of a name, from 1. Sends the name if it is new. */
uint32_t perfetto_name(struct perfetto *x, struct strtab *t, unsigned field, const char *s);

/* Makes the plan of a type of event in *pl. The memory of pl->v belongs to x->plan_cache. */
void perfetto_plan(struct perfetto *x, struct perfetto_plan *pl, const struct source *s,
		   const struct type *ty);
/* Writes annotation a with the integer v, as `field`. Returns the position after it. */
static INLINE uint8_t *
put_int(struct perfetto *x, uint8_t *p, const struct annotation *a, unsigned field,
	uint64_t v)
{
	uint8_t *start = p = perfetto_room(x, p, ROOM);

	memcpy(p, a->name, 16);
	p += a->name_n;
	*p = (uint8_t)field;
	p = perfetto_varint(p + 1, v);
	start[1] = (uint8_t)(p - start - 2);
	return p;
}

/* Writes annotation a of r at p, a place in x->packets, and the flow that it names; nothing if r lacks
 * the argument. Returns the position after it in x->packets, which may have moved. */
uint8_t *perfetto_annotate(struct perfetto *x, uint8_t *p, const struct source *s,
			   const struct rec *r, struct annotation *a);

#endif
