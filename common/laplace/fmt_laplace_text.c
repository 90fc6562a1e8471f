/*
 * fmt_laplace_text.c - Laplace's text: the kernel's events, and memory references as text.
 *
 * A record is a tag, a timestamp of the processor's cycle counter, and fields by its tag;
 * all numbers are hexadecimal. Source: the description of Laplace's basic trace format for
 * tags and examples; the meaning and order of the fields from kVMTrace, the same author's
 * later tracer, which logs the same events. A file name is the rest of its line. The trace
 * ends with a line that begins with `c`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/fault.h"
#include "input/lines.h"
#include "laplace/laplace.h"

/* What a field of a kernel record becomes. */
enum place {
	P_END,
	P_PID,	  /* loc, in decimal */
	P_ADDR,	  /* addr, an address: in hex */
	P_OFFSET, /* addr, an offset in a file: in decimal */
	P_SIZE,	  /* size */
	P_DEC,	  /* an argument, written in decimal */
	P_HEX,	  /* an argument, written in hex */
	P_FILE,	  /* an argument: the rest of the line */
};

struct kernel_field {
	enum place place;
	const char *name; /* of an argument; of a column, what a message calls it */
};

#define FIELDS 8

static const struct kernel_event {
	uint8_t tag;
	const char *event;
	struct kernel_field field[FIELDS + 1];
} kernel_events[] = {
#define PID                  \
	{                    \
		P_PID, "pid" \
	}
#define ADDR                      \
	{                         \
		P_ADDR, "address" \
	}
#define SIZE                     \
	{                        \
		P_SIZE, "length" \
	}
#define INODE                               \
	{P_DEC, "inode"}, {P_DEC, "major"}, \
	{                                   \
		P_DEC, "minor"              \
	}
#define FILENAME               \
	{                      \
		P_FILE, "file" \
	}
    {'s', "schedule", {PID}},
    {'F', "fork", {PID, {P_DEC, "parent"}}},
    {'T', "exit", {PID}},
    {'X', "exec", {PID, INODE, FILENAME}},
    {'A', "space", {PID, {P_HEX, "space"}}},
    {'D', "dup-range", {{P_HEX, "source"}, {P_HEX, "target"}, ADDR, {P_HEX, "stop"}}},
    {'M', "mmap", {PID, ADDR, SIZE, INODE, {P_DEC, "offset"}, FILENAME}},
    {'m', "mmap-anon", {PID, ADDR, SIZE}},
    {'S', "shmat", {PID, ADDR, SIZE, {P_DEC, "shm"}}},
    {'U', "munmap", {PID, ADDR, SIZE}},
    {'u', "unmap-all", {{P_HEX, "space"}}},
    {'C', "cow", {PID, ADDR}},
    {'B', "buffer-alloc", {ADDR}},
    {'b', "buffer-free", {ADDR}},
    {'P', "cache-alloc", {ADDR, INODE, {P_DEC, "offset"}}},
    {'p', "cache-free", {ADDR}},
    {'(', "open", {PID, INODE, FILENAME}},
    {')', "close", {PID, INODE}},
    {'<', "read", {PID, INODE, {P_OFFSET, "offset"}, SIZE}},
    {'>', "write", {PID, INODE, {P_OFFSET, "offset"}, SIZE}},
    {'-', "delete", {INODE}},
    {'c', "end", {{P_END, NULL}}},
#undef PID
#undef ADDR
#undef SIZE
#undef INODE
#undef FILENAME
};
/* Bytes that tell of a first line what it is. */
#define LINE_SHORT 4096
#define KERNEL_EVENTS (sizeof kernel_events / sizeof *kernel_events)

struct laplace_text {
	const struct kernel_event *by_tag[256];
	uint32_t kernel_type[KERNEL_EVENTS]; /* + 1 */
	uint32_t reference_type[256];	     /* + 1 */
	bool references;		     /* every line is one */
	bool kernel, ended, back_said, behind_said;
	uint64_t last;
};

/* A cursor over the blank-separated words of a line. */
struct words {
	const uint8_t *p, *end;
};

static struct span
word(struct words *w)
{
	const uint8_t *start = w->p, *blank;

	blank = start < w->end ? memchr(start, ' ', (size_t)(w->end - start)) : NULL;
	w->p = blank ? blank + 1 : w->end;
	return (struct span){start, (size_t)((blank ? blank : w->end) - start)};
}

static const char *
hex_number(struct span f, uint64_t *v)
{
	*v = 0;
	if (!f.n)
		return "a hexadecimal number is missing";
	for (; f.n > 16 && *f.p == '0'; f.n--)
		f.p++;
	if (f.n > 16)
		return "longer than 64 bits";
	for (size_t i = 0; i < f.n; i++) {
		unsigned c = f.p[i] | 0x20u;
		unsigned d = f.p[i] >= '0' && f.p[i] <= '9' ? f.p[i] - (unsigned)'0'
			     : c >= 'a' && c <= 'f'	    ? c - 'a' + 10
							    : 16;

		if (d > 15)
			return "not a hexadecimal number";
		*v = *v << 4 | d;
	}
	return NULL;
}

static unsigned
count_words(const uint8_t *p, const uint8_t *end)
{
	unsigned n = p < end;

	for (; p < end; p++)
		n += *p == ' ';
	return n;
}

/* Five words: letter, timestamp, length, space, address. Wide ones are what merged traces
 * hold. */
static const char *
parse_wide(const uint8_t *p, const uint8_t *end, uint64_t v[4])
{
	struct words w = {p, end};
	struct span f = word(&w);
	const char *why;

	if (f.n != 1 || *f.p < '!' || *f.p > '~')
		return "a reference begins with one letter";
	if (count_words(p, end) != 5)
		return "a reference has five fields: type timestamp length space address";
	for (int i = 0; i < 4; i++)
		if ((why = hex_number(word(&w), &v[i])))
			return why;
	return v[1] > 255 ? "the length is greater than ff" : NULL;
}

const char *
laplace_parse(const uint8_t *p, const uint8_t *end, struct reference *r)
{
	uint64_t v[4];
	const char *why;

	if (p < end && end[-1] == '\r')
		end--;
	why = parse_wide(p, end, v);
	if (why)
		return why;
	if (v[2] > UINT32_MAX || v[3] > UINT32_MAX)
		return "a space or an address is wider than the 32 bits of a binary record";
	*r = (struct reference){*p, v[0], (uint8_t)v[1], (uint32_t)v[2], (uint32_t)v[3]};
	return NULL;
}

static bool
is_end(const uint8_t *p, const uint8_t *end)
{
	if (p == end || *p != 'c')
		return false;
	for (p++; p < end && (*p == '-' || *p == ' ' || *p == '\r'); p++)
		;
	return p == end;
}

/* Whether a line is a kernel record; the letter T stands in references of a later tracer as
 * well. */
static const struct kernel_event *
kernel_of(const struct laplace_text *c, const uint8_t *p, const uint8_t *end)
{
	const struct kernel_event *k = c->by_tag[*p];

	if (c->references || !k || (k->tag == 'T' && count_words(p, end) == 5))
		return NULL;
	if (k->tag == 'c')
		return is_end(p, end) ? k : NULL;
	return end - p == 1 || p[1] == ' ' ? k : NULL;
}

static bool
looks_like_record(const uint8_t *p, const uint8_t *end)
{
	struct words w = {p, end};
	uint64_t v;

	if (end > p && end[-1] == '\r')
		w.end--;
	if (is_end(p, end))
		return true;
	if (word(&w).n != 1 || *p < '!' || *p > '~' || *p == '#')
		return false;
	if (hex_number(word(&w), &v))
		return false;
	return w.p < w.end && !hex_number(word(&w), &v);
}

static int
laplace_text_sniff(const uint8_t *p, size_t n, bool whole)
{
	int line = lines_first(p, n, whole, looks_like_record);

	return line < 0 ? 0 : line ? 45 : 70;
}

static void
laplace_text_open(struct source *s)
{
	const struct laplace_options *o = s->opt->own;
	struct laplace_text *c = xcalloc(1, sizeof *c);
	const uint8_t *nl;

	while (!(nl = memchr(s->in.p, '\n', in_left(&s->in))) &&
	       in_left(&s->in) < LINE_SHORT && in_more(&s->in))
		;
	s->state = c;
	c->references = o && o->references;
	for (size_t i = 0; i < KERNEL_EVENTS; i++)
		c->by_tag[kernel_events[i].tag] = &kernel_events[i];
	/* loc is a process in the kernel's trace, an address space in a reference trace. */
	s->head.locpart[0] =
	    in_left(&s->in) && kernel_of(c, s->in.p, nl ? nl : s->in.end) ? "pid" : "space";
	s->head.nlocparts = 1;
	source_clock(s, CLOCK_TICKS);
}

static uint32_t
reference_type(struct source *s, uint8_t letter)
{
	struct laplace_text *c = s->state;
	char name[4];
	struct type ty = {.must = HAS_ADDR | HAS_SIZE, .addr_hex = true, .event = name};

	if (!c->reference_type[letter]) {
		ty.event_len =
		    (uint32_t)(put_escaped((uint8_t *)name, &letter, 1) - (uint8_t *)name);
		c->reference_type[letter] = type_add(&s->t, &ty) + 1;
	}
	return c->reference_type[letter] - 1;
}

static uint32_t
kernel_type(struct source *s, const struct kernel_event *k)
{
	struct laplace_text *c = s->state;
	uint32_t *id = &c->kernel_type[k - kernel_events];
	struct arg args[FIELDS];
	struct type ty = {.event = k->event, .args = args};

	if (*id)
		return *id - 1;
	memset(args, 0, sizeof args);
	ty.event_len = (uint32_t)strlen(k->event);
	for (const struct kernel_field *f = k->field; f->place; f++) {
		struct arg *a = &args[ty.nargs];

		switch (f->place) {
		case P_ADDR:
			ty.must |= HAS_ADDR;
			ty.addr_hex = true;
			break;
		case P_OFFSET: ty.must |= HAS_ADDR; break;
		case P_SIZE: ty.must |= HAS_SIZE; break;
		case P_DEC:
			*a = (struct arg){.name = f->name, .kind = K_U64};
			ty.nargs++;
			break;
		case P_HEX:
			*a = (struct arg){.name = f->name, .kind = K_X64};
			ty.nargs++;
			break;
		case P_FILE:
			*a = (struct arg){.name = f->name, .kind = K_STR};
			ty.nargs++;
			break;
		default: break;
		}
	}
	*id = type_add(&s->t, &ty) + 1;
	return *id - 1;
}

static void
set_time(struct source *s, struct rec *r, uint64_t time)
{
	struct laplace_text *c = s->state;

	if (time < c->last)
		laplace_clock_back(s, s->line, &c->back_said);
	c->last = time;
	r->time = (int64_t)time;
}

static uint32_t
number_loc(struct source *s, const char *fmt, uint64_t v)
{
	char text[24];

	return strtab_id(&s->t.str, text,
			 (size_t)snprintf(text, sizeof text, fmt, (unsigned long long)v));
}

static void
reference_line(struct source *s, struct batch *b, const uint8_t *p, const uint8_t *end)
{
	uint64_t v[4];
	const char *why = parse_wide(p, end, v);
	char text[64];
	struct rec *r;

	if (why) {
		fault(s, "laplace-tag", COST_EVENT, s->name, s->line, "%s: %s",
		      quoted(text, p, (size_t)(end - p)), why);
		return;
	}
	r = rec_new(b, &s->t, reference_type(s, *p));
	set_time(s, r, v[0]);
	r->size = v[1];
	r->addr = v[3];
	if (s->need & NEED_LOC)
		r->loc = number_loc(s, "0x%llx", v[2]);
}

/* What the fields of a kernel record say, behind its tag. */
struct kernel_fields {
	uint64_t time, v[FIELDS];
	struct span file;
	unsigned n;
};

/* Reads them from the words behind the tag; false, with a message, where they are wrong. */
static bool
kernel_fields(struct source *s, const struct kernel_event *k, struct words *w,
	      struct kernel_fields *to)
{
	struct span f = word(w);
	const char *why = hex_number(f, &to->time);
	char text[64];

	if (why) {
		fault(s, "laplace-hex", COST_EVENT, s->name, s->line,
		      "field 2 (timestamp): %s: %s", quoted(text, f.p, f.n), why);
		return false;
	}
	to->file.n = 0;
	for (to->n = 0; k->field[to->n].place; to->n++) {
		if (k->field[to->n].place == P_FILE) {
			f = to->file = (struct span){w->p, (size_t)(w->end - w->p)};
			why = f.n ? NULL : "a name is missing";
			w->p = w->end;
		} else {
			f = word(w);
			why = hex_number(f, &to->v[to->n]);
		}
		if (why) {
			fault(s, "laplace-hex", COST_EVENT, s->name, s->line,
			      "field %u (%s) of %s: %s: %s", to->n + 3,
			      k->field[to->n].name, k->event, quoted(text, f.p, f.n), why);
			return false;
		}
	}
	if (w->p < w->end || (!to->file.n && w->end[-1] == ' ')) {
		fault(s, "laplace-fields", COST_EVENT, s->name, s->line,
		      "more fields than %s has: %s", k->event,
		      quoted(text, w->p, (size_t)(w->end - w->p)));
		return false;
	}
	return true;
}

static void
kernel_line(struct source *s, struct batch *b, const struct kernel_event *k,
	    const uint8_t *p, const uint8_t *end)
{
	struct laplace_text *c = s->state;
	struct words w = {p + (end - p > 1 ? 2 : 1), end};
	struct kernel_fields f;
	const struct arg *a;
	struct rec *r;

	c->kernel = true;
	if (k->tag == 'c') {
		c->ended = true; /* it has no timestamp: that of the last record stands */
		rec_new(b, &s->t, kernel_type(s, k))->time = (int64_t)c->last;
		return;
	}
	if (!kernel_fields(s, k, &w, &f))
		return;
	r = rec_new(b, &s->t, kernel_type(s, k));
	set_time(s, r, f.time);
	a = s->t.type[r->type].args;
	for (unsigned i = 0; i < f.n; i++) {
		switch (k->field[i].place) {
		case P_PID:
			if (s->need & NEED_LOC)
				r->loc = number_loc(s, "%llu", f.v[i]);
			break;
		case P_ADDR:
		case P_OFFSET: r->addr = f.v[i]; break;
		case P_SIZE: r->size = f.v[i]; break;
		case P_FILE:
			rec_str(b, a++, f.file.p, f.file.n);
			r = rec_last(b);
			break;
		default: memcpy((uint8_t *)r + a++->off, &f.v[i], 8); break;
		}
	}
}

static void
laplace_text_new_epoch(struct source *s)
{
	struct laplace_text *c = s->state;

	tables_reset(&s->t);
	memset(c->kernel_type, 0, sizeof c->kernel_type);
	memset(c->reference_type, 0, sizeof c->reference_type);
}

/* A record behind the one that ends the trace, as of another trace that was put there. */
static void
behind_end(struct source *s)
{
	struct laplace_text *c = s->state;

	c->ended = false;
	if (!c->behind_said)
		fault(s, "laplace-end-after", COST_NONE, s->name, s->line,
		      "records follow the end of the trace (c)");
	c->behind_said = true;
}

static bool
laplace_text_line(struct source *s, struct batch *b, uint8_t *p, uint8_t *end)
{
	const struct kernel_event *k = p < end ? kernel_of(s->state, p, end) : NULL;

	if (p < end && ((struct laplace_text *)s->state)->ended)
		behind_end(s);

	if (p == end)
		fault(s, "laplace-fields", COST_EVENT, s->name, s->line,
		      "an empty line is no record");
	else if (k)
		kernel_line(s, b, k, p, end);
	else
		reference_line(s, b, p, end);
	return true;
}

static bool
laplace_text_next(struct source *s, struct batch *b)
{
	static const struct line_reader how = {laplace_text_new_epoch, laplace_text_line,
					       NULL};

	return lines_next(s, b, &how);
}

static void
laplace_text_end(struct source *s)
{
	const struct laplace_text *c = s->state;

	if (c->kernel && !c->ended && s->in.eof && s->in.p == s->in.end)
		fault(s, "laplace-end", COST_STATUS, s->name, NOWHERE,
		      "the kernel trace was cut off: it does not end with a line c");
}

static void
laplace_text_close(struct source *s)
{
	free(s->state);
}

const struct format fmt_laplace_text = {
    .name = "laplace-text",
    .about = "Laplace: kernel events and memory references, text",
    .text = true,
    .native = true,
    .sniff = laplace_text_sniff,
    .open = laplace_text_open,
    .next = laplace_text_next,
    .end = laplace_text_end,
    .close = laplace_text_close,
};
