/*
 * fmt_laplace_text.c - reads Laplace's text: kernel events, and memory references as text.
 *
 * A record is a tag, a timestamp of the processor's cycle counter, and the fields of the tag. All numbers are
 * hexadecimal. Source: the description of Laplace's basic trace format for the tags and for examples; kVMTrace, a
 * later tracer by the same author that logs the same events, for the meaning and the order of the fields. A file
 * name is the rest of its line. The trace ends with a line that begins with `c`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "input/fault.h"
#include "input/lines.h"
#include "laplace/laplace.h"

/* clang-format off */
#define INODE "u64 inode, u64 major, u64 minor"

/* The first row is the references, which may also have other letters. The others are kernel events; their fields
 * are those after the timestamp. */
static const struct schema_row rows[] = {
{.event = "r|w|i",
	.fields = "u8 type:event, u64 timestamp:time, u8 length:size, x32 space:loc, x32 address:addr",
	.size = "length", .about = "A memory reference: r reads, w writes, i fetches an instruction."},
{.event = "schedule", .code = "s", .fields = "u64 pid:loc",
	.about = "The processor goes on with a process."},
{.event = "fork", .code = "F", .fields = "u64 pid:loc, u64 parent",
	.about = "A process or thread is made."},
{.event = "exit", .code = "T", .fields = "u64 pid:loc",
	.about = "A process ends."},
{.event = "exec", .code = "X", .fields = "u64 pid:loc, " INODE ", str file",
	.about = "A process runs another program."},
{.event = "space", .code = "A", .fields = "u64 pid:loc, x64 space",
	.about = "A process gets an address space."},
{.event = "dup-range", .code = "D",
	.fields = "x64 source, x64 target, x64 start:addr, x64 stop",
	.about = "A range of one space is shared with a copy."},
{.event = "mmap", .code = "M",
	.fields = "u64 pid:loc, x64 address:addr, u64 length:size, " INODE ", u64 offset, str file",
	.size = "length", .about = "A file is mapped."},
{.event = "mmap-anon", .code = "m", .fields = "u64 pid:loc, x64 address:addr, u64 length:size",
	.size = "length", .about = "Memory without a file is mapped."},
{.event = "shmat", .code = "S",
	.fields = "u64 pid:loc, x64 address:addr, u64 length:size, u64 shm",
	.size = "length", .about = "Shared memory is mapped."},
{.event = "munmap", .code = "U", .fields = "u64 pid:loc, x64 address:addr, u64 length:size",
	.size = "length", .about = "A range is unmapped."},
{.event = "unmap-all", .code = "u", .fields = "x64 space",
	.about = "An address space is given up."},
{.event = "cow", .code = "C", .fields = "u64 pid:loc, x64 address:addr",
	.about = "A shared page is copied on a write."},
{.event = "buffer-alloc", .code = "B", .fields = "x64 address:addr",
	.about = "The kernel takes a page as a buffer."},
{.event = "buffer-free", .code = "b", .fields = "x64 address:addr",
	.about = "The kernel frees such a page."},
{.event = "cache-alloc", .code = "P", .fields = "x64 address:addr, " INODE ", u64 offset",
	.about = "A page of a file comes into the cache."},
{.event = "cache-free", .code = "p", .fields = "x64 address:addr",
	.about = "A page leaves the cache."},
{.event = "open", .code = "(", .fields = "u64 pid:loc, " INODE ", str file",
	.about = "A process opens a file."},
{.event = "close", .code = ")", .fields = "u64 pid:loc, " INODE,
	.about = "A process closes a file."},
{.event = "read", .code = "<", .fields = "u64 pid:loc, " INODE ", u64 offset:addr, u64 length:size",
	.size = "length", .about = "A process reads from a file."},
{.event = "write", .code = ">", .fields = "u64 pid:loc, " INODE ", u64 offset:addr, u64 length:size",
	.size = "length", .about = "A process writes to a file."},
{.event = "delete", .code = "-", .fields = INODE,
	.about = "A file is deleted."},
{.event = "end", .code = "c", .fields = "",
	.about = "The trace ends; without a time of its own."},
};
/* clang-format on */
#define ROWS (sizeof rows / sizeof *rows)

const struct schema laplace_schema = {.rows = rows, .n = 1, .width = sizeof *rows};
/* A file may be opened again before it is closed; the pairing takes any of these opens. */
static const struct schema_pair pairs[] = {
    {.begin = "open", .end = "close", .keys = "pid,inode,major,minor"},
    {.begin = "fork", .end = "exit", .keys = "pid"},
    {.begin = "mmap or mmap-anon or shmat", .end = "munmap", .keys = "pid,addr"},
};
static const struct schema text_schema = {.rows = rows,
					  .n = ROWS,
					  .width = sizeof *rows,
					  .pairs = pairs,
					  .npairs = sizeof pairs / sizeof *pairs};

/* Bytes of the first line that are enough to recognise it. */
#define LINE_SHORT 4096

struct laplace_text {
	struct laplace_row record[ROWS];
	const struct laplace_row *by_tag[256];
	/* Type + 1 of references and of kernel records, by first byte. */
	uint32_t type[2][256];
	bool references; /* every line is a reference */
	bool kernel, ended, back_said, behind_said;
	uint64_t last;
};

static unsigned
count_words(const uint8_t *p, const uint8_t *end)
{
	unsigned n = p < end;

	for (; p < end; p++)
		n += *p == ' ';
	return n;
}

/* Parses the line [p, end) of reference text, without its newline, into *r. Returns NULL, or the reason why the
 * line is not a reference. */
static const char *
parse(const uint8_t *p, const uint8_t *end, struct reference *r)
{
	struct laplace_words w = {p, end > p && end[-1] == '\r' ? end - 1 : end};
	struct span f;
	uint64_t v[4];
	const char *why;

	if (count_words(p, w.end) != 5)
		return "a reference has five fields: type timestamp length space address";
	f = laplace_word(&w);
	if (f.n != 1 || !laplace_letter(*f.p))
		return "a reference begins with one letter";
	for (int i = 0; i < 4; i++)
		if ((why = laplace_hex(laplace_word(&w), &v[i])))
			return why;
	if (v[1] > 255)
		return "the length is greater than ff";
	if (v[2] > UINT32_MAX || v[3] > UINT32_MAX)
		return "skipped: a space or an address exceeds the 32 bits of a binary "
		       "record";
	*r = (struct reference){*p, v[0], (uint8_t)v[1], (uint32_t)v[2], (uint32_t)v[3]};
	return NULL;
}

/* Returns the row of the kernel record on this line, or NULL if the line is not a kernel
 * record. The letter T alone does not decide: references of a later tracer use it too. */
static const struct laplace_row *
kernel_of(const struct laplace_text *c, const uint8_t *p, const uint8_t *end)
{
	const struct laplace_row *k = c->by_tag[*p];

	if (c->references || !k || (k->tag == 'T' && count_words(p, end) == 5))
		return NULL;
	if (k->tag == 'c')
		return laplace_is_end(p, end) ? k : NULL;
	return end - p == 1 || p[1] == ' ' ? k : NULL;
}

void
laplace_compile(struct laplace_row *k, const struct schema_row *row)
{
	const char *at = row->fields;
	struct schema_field f;

	*k = (struct laplace_row){.tag = row->code ? (uint8_t)*row->code : 0,
				  .event = row->code ? row->event : "a reference"};
	while (schema_field(&at, &f)) {
		unsigned kind = schema_kind(f.type);

		if (word_is(f.notes, "event") || word_is(f.notes, "time"))
			continue; /* every record has these */
		k->field[k->n++] = (struct laplace_field){
		    .place = word_is(f.notes, "loc")	? P_LOC
			     : word_is(f.notes, "addr") ? P_ADDR
			     : word_is(f.notes, "size") ? P_SIZE
			     : kind == K_STR		? P_REST
							: P_ARG,
		    .kind = kind,
		    .name = f.name,
		};
	}
}

static void
laplace_text_open(struct source *s)
{
	const struct laplace_text_options *o = format_options(s->opt, s->fmt);
	struct laplace_text *c = xcalloc(1, sizeof *c);
	const uint8_t *nl;

	while (!(nl = memchr(s->in.p, '\n', in_left(&s->in))) &&
	       in_left(&s->in) < LINE_SHORT && in_more(&s->in))
		;
	s->state = c;
	c->references = o->references || s->opt->expect == s->fmt;
	for (size_t i = 0; i < ROWS; i++) {
		laplace_compile(&c->record[i], &rows[i]);
		if (rows[i].code)
			c->by_tag[c->record[i].tag] = &c->record[i];
	}
	/* loc is a process in the kernel's trace, an address space in a reference trace. */
	s->head.locpart[0] =
	    in_left(&s->in) && kernel_of(c, s->in.p, nl ? nl : s->in.end) ? "pid" : "space";
	s->head.nlocparts = 1;
	source_clock(s, CLOCK_TICKS);
}

static uint32_t
laplace_text_type_of(struct source *s, const struct laplace_row *k, uint8_t first)
{
	struct laplace_text *c = s->state;
	uint32_t *id = &c->type[k->tag != 0][first];
	struct arg args[LAPLACE_FIELDS];
	char names[LAPLACE_FIELDS][16], letter[4];
	struct type ty = {.event = k->event, .args = args};

	if (*id)
		return *id - 1;
	memset(args, 0, sizeof args);
	ty.event_len = (uint32_t)strlen(k->event);
	if (!k->tag) {
		ty.event = letter;
		ty.event_len = (uint32_t)(put_escaped((uint8_t *)letter, &first, 1) -
					  (uint8_t *)letter);
	}
	for (const struct laplace_field *f = k->field; f < k->field + k->n; f++) {
		switch (f->place) {
		case P_LOC: break;
		case P_ADDR:
			ty.must |= HAS_ADDR;
			ty.addr_hex = f->kind != K_U64;
			break;
		case P_SIZE: ty.must |= HAS_SIZE; break;
		default:
			snprintf(names[ty.nargs], sizeof *names, "%.*s", (int)f->name.n,
				 f->name.p);
			args[ty.nargs] =
			    (struct arg){.name = names[ty.nargs], .kind = (uint8_t)f->kind};
			ty.nargs++;
			break;
		}
	}
	*id = type_add(&s->t, &ty) + 1;
	return *id - 1;
}

/* The values of a record's fields after the first byte. */
struct record_fields {
	uint64_t time, v[LAPLACE_FIELDS];
	struct span file;
};

/* Reads the fields of row k from the words w into *to. Returns false, with a message, if a word is wrong. */
static bool
read_fields(struct source *s, const struct laplace_row *k, struct laplace_words *w,
	    struct record_fields *to)
{
	struct span f = laplace_word(w);
	const char *why = laplace_hex(f, &to->time);
	char text[64];

	if (why) {
		fault(s, k->tag ? "laplace-hex" : "laplace-tag", COST_EVENT, s->name,
		      s->line, "field 2 (timestamp): %s: %s", quoted(text, f.p, f.n), why);
		return false;
	}
	to->file.n = 0;
	for (unsigned i = 0; i < k->n; i++) {
		if (k->field[i].place == P_REST) {
			f = to->file = (struct span){w->p, (size_t)(w->end - w->p)};
			why = f.n ? NULL : "a name is missing";
			w->p = w->end;
		} else {
			f = laplace_word(w);
			why = laplace_hex(f, &to->v[i]);
			if (k->field[i].kind == K_U8 && to->v[i] > 255 && !why)
				why = "greater than ff";
		}
		if (why) {
			fault(s,
			      !k->tag ? f.n ? "laplace-text-width" : "laplace-tag"
			      : f.n   ? "laplace-hex"
				      : "laplace-fields",
			      COST_EVENT, s->name, s->line, "field %u (%.*s) of %s: %s: %s",
			      i + 3, (int)k->field[i].name.n, k->field[i].name.p, k->event,
			      quoted(text, f.p, f.n), why);
			return false;
		}
	}
	if (w->p < w->end || (!to->file.n && w->end[-1] == ' ')) {
		fault(s, k->tag ? "laplace-fields" : "laplace-tag", COST_EVENT, s->name,
		      s->line, "more fields than %s has: %s", k->event,
		      quoted(text, w->p, (size_t)(w->end - w->p)));
		return false;
	}
	return true;
}

static void
record_line(struct source *s, struct batch *b, const struct laplace_row *k,
	    const uint8_t *p, const uint8_t *end)
{
	struct laplace_text *c = s->state;
	struct laplace_words w = {p + (end - p > 1 ? 2 : 1), end};
	struct record_fields f;
	const struct arg *a;
	struct rec *r;
	char text[24];
	int n;

	c->kernel |= k->tag != 0;
	if (k->tag == 'c') {
		/* The end has no timestamp: it gets the time of the last record. */
		c->ended = true;
		rec_new(b, &s->t, laplace_text_type_of(s, k, *p))->time = (int64_t)c->last;
		return;
	}
	if (!read_fields(s, k, &w, &f))
		return;
	r = rec_new(b, &s->t, laplace_text_type_of(s, k, *p));
	if (f.time < c->last)
		laplace_clock_back(s, s->line, &c->back_said);
	c->last = f.time;
	r->time = (int64_t)f.time;
	a = s->t.type[r->type].args;
	for (unsigned i = 0; i < k->n; i++) {
		switch (k->field[i].place) {
		case P_LOC:
			if (!(s->need & NEED_LOC))
				break;
			n = snprintf(text, sizeof text,
				     k->field[i].kind == K_U64 ? "%llu" : "0x%llx",
				     (unsigned long long)f.v[i]);
			r->loc = strtab_id(&s->t.str, text, (size_t)n);
			break;
		case P_ADDR: r->addr = f.v[i]; break;
		case P_SIZE: r->size = f.v[i]; break;
		case P_REST:
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
	memset(c->type, 0, sizeof c->type);
}

static bool
laplace_text_line(struct source *s, struct batch *b, uint8_t *p, uint8_t *end)
{
	struct laplace_text *c = s->state;
	const struct laplace_row *k = p < end ? kernel_of(c, p, end) : NULL;
	char text[64];

	/* Records after the end: probably another trace was appended to the file. */
	if (p < end && c->ended) {
		c->ended = false;
		if (!c->behind_said)
			fault(s, "laplace-end-after", COST_NONE, s->name, s->line,
			      "records follow the end of the trace (c)");
		c->behind_said = true;
	}
	if (p == end)
		fault(s, "laplace-fields", COST_EVENT, s->name, s->line,
		      "an empty line is no record");
	else if (!k && (!laplace_letter(*p) || (end - p > 1 && p[1] != ' ')))
		fault(s, "laplace-tag", COST_EVENT, s->name, s->line,
		      "%s: a reference begins with one letter",
		      quoted(text, p, (size_t)(end - p)));
	else
		record_line(s, b, k ? k : c->record, p, end);
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

static const struct format_option options[] = {
    {0, "references", NULL, "every line is a memory reference",
     .at = offsetof(struct laplace_text_options, references)},
    {0},
};

static const struct laplace_text_options defaults;

const struct format fmt_laplace_text = {
    .name = "laplace-text",
    .about = "Laplace: kernel events and memory references, text",
    .settings = &(const struct format_settings){options, &defaults, sizeof defaults},
    .text = true,
    .open = laplace_text_open,
    .next = laplace_text_next,
    .end = laplace_text_end,
    .schema = &text_schema,
};

size_t
laplace_read_lines(struct source *s, uint8_t *to, size_t most, bool big, uint64_t *first)
{
	const uint8_t *end, *p, *nl;
	struct reference r;
	size_t n = 0;

	while (!n && !s->stop && (end = lines_fill(s))) {
		source_progress(s);
		for (p = s->in.p; p < end && n < most && !s->stop; p = nl + 1) {
			const char *why;
			char text[64];

			nl = memchr(p, '\n', (size_t)(end - p));
			why = parse(p, nl, &r);
			if (why && n)
				break;
			s->line++;
			if (why) {
				fault(s, "laplace-text-form", COST_EVENT, s->name, s->line,
				      "%s: %s", quoted(text, p, (size_t)(nl - p)), why);
				continue;
			}
			*first = n ? *first : s->line;
			laplace_store(to + LAPLACE_RECORD * n++, &r, big);
		}
		s->in.p = (uint8_t *)(uintptr_t)p;
	}
	s->count.events += n;
	return n;
}
