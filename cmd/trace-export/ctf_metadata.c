/* ctf_metadata.c - metadata about events: classes, their fields and names. */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells/row_writer.h"
#include "view/field.h"
#include "trace-export/ctf.h"

#define CLASS_BYTES (4u << 20) /* limit of the text of all classes */
#define SECOND 1000000000

void
ctf_raw(struct ctf *x, const uint8_t *p, size_t n)
{
	x->raw.n = 0;
	for (size_t i = 0; i < n; i++)
		if (p[i])
			buf_byte(&x->raw, (char)p[i]);
		else
			buf_add(&x->raw, "\\x00", 4);
	if (!n)
		buf_add(&x->raw, "\"\"", 2);
	buf_byte(&x->raw, '\0');
}

void
ctf_value(struct ctf *x, const void *s, size_t n)
{
	uint8_t *plain = xmalloc(n + 1);

	ctf_raw(x, plain, unescape(plain, s, n));
	free(plain);
}

/* Appends a string of TSDL, the language of metadata, from a name with the escapes of a stream. */
static void
add_quoted(struct ctf *x, const char *s)
{
	char octal[8];

	ctf_value(x, s, strlen(s));
	buf_byte(&x->text, '"');
	for (size_t i = 0; i + 1 < x->raw.n; i++) {
		uint8_t c = x->raw.p[i];

		if (c == '"' || c == '\\')
			buf_byte(&x->text, '\\');
		snprintf(octal, sizeof octal, c < ' ' ? "\\%03o" : "%c", c);
		buf_str(&x->text, octal);
	}
	buf_byte(&x->text, '"');
}

/* Sets *to to the identifier for an argument's name, with `behind` after it, unique in the class. It begins
 * with _, which readers drop, so that it is never a keyword. */
static void
set_identifier(struct ctf *x, struct buf *to, const char *name, const char *behind)
{
	char number[16];
	uint32_t id;
	size_t n;

	ctf_value(x, name, strlen(name));
	to->n = 0;
	/* The plain name, without escapes. */
	name = (const char *)x->raw.p;
	buf_str(to, field_column(name, strlen(name)) ? "_arg_" : "_");
	for (const uint8_t *p = x->raw.p; *p; p++)
		buf_byte(to, isalnum(*p) && *p < 128 ? (char)*p : '_');
	buf_str(to, behind);
	n = to->n;
	while (strtab_find(&x->identifiers, to->p, to->n, &id)) {
		to->n = n;
		snprintf(number, sizeof number, "_%u", ++x->same);
		buf_str(to, number);
	}
	strtab_id(&x->identifiers, to->p, to->n);
}

/* Adds the step that writes a field; joins adjacent copies. */
static void
add_step(struct ctf *x, struct ctf_step step)
{
	struct ctf_step *last = (struct ctf_step *)(void *)buf_room(&x->steps, sizeof step);

	if (step.kind == COPY && x->steps.n && last[-1].kind == COPY &&
	    last[-1].off + last[-1].n == step.off)
		last[-1].n += step.n;
	else
		buf_add(&x->steps, &step, sizeof step);
}

/* Names of the types of integers and reals, by enum kind. Times are nanoseconds. */
static const char *const names[K_KINDS] = {
    [K_U8] = "u8",   [K_U16] = "u16", [K_U32] = "u32", [K_U64] = "u64",
    [K_I8] = "i8",   [K_I16] = "i16", [K_I32] = "i32", [K_I64] = "i64",
    [K_X32] = "x32", [K_X64] = "x64", [K_NS] = "i64",  [K_F64] = "f64"};

/* Appends a range of an argument's numbers, which has the argument's name. */
static void
add_range(struct ctf *x, const struct arg *a, uint64_t from, uint64_t to)
{
	char range[64];

	add_quoted(x, a->name);
	if (*names[a->kind] == 'i')
		snprintf(range, sizeof range, " = %lld ... %lld", (long long)from,
			 (long long)to);
	else
		snprintf(range, sizeof range, " = %llu ... %llu", (unsigned long long)from,
			 (unsigned long long)to);
	buf_str(&x->text, range);
}

/* Appends the names of an argument's numbers. Readers show a number without a name as unknown, so ranges cover
 * all others, such as ranks beside MPI_ANY_SOURCE. */
static void
add_labels(struct ctf *x, const struct arg *a)
{
	unsigned bits = 8 * kind_width(a->kind);
	uint64_t least = *names[a->kind] == 'i' ? ~0ull << (bits - 1) : 0, from = 0,
		 top = ~0ull >> (64 - bits);
	uint32_t n = a->labels->n;
	uint64_t *v = xcalloc(n + 1, sizeof *v);
	char value[32];
	bool all = false;

	for (uint32_t i = 0; i < n; i++) {
		add_quoted(x, a->labels->v[i].name);
		snprintf(value, sizeof value, " = %lld, ",
			 (long long)a->labels->v[i].value);
		buf_str(&x->text, value);
		v[i] = (uint64_t)a->labels->v[i].value - least;
	}
	qsort(v, n, sizeof *v, u64_ascending);
	for (uint32_t i = 0; i < n && v[i] <= top && !all; i++) {
		if (v[i] > from) {
			add_range(x, a, from + least, v[i] - 1 + least);
			buf_str(&x->text, ", ");
		}
		all = v[i] == top;
		from = v[i] + 1;
	}
	if (!all)
		add_range(x, a, from + least, top + least);
	else
		x->text.n -= 2; /* the last comma and blank */
	free(v);
}

static void
ctf_add_arg(void *arg, const char *label, const struct field *f)
{
	struct ctf *x = arg;
	const struct arg *a = f->arg;
	const char *number = names[a->kind];
	struct ctf_step step = {TEXT, a->off, kind_width(a->kind), a};

	(void)label;
	set_identifier(x, &x->name, a->name, "");
	if (number && a->array) {
		step.kind = ARRAY;
		set_identifier(x, &x->length, a->name, "_length");
		buf_str(&x->text, " u32 ");
		buf_add(&x->text, x->length.p, x->length.n);
		buf_str(&x->text, ";");
	} else if (number)
		step.kind = COPY;
	buf_str(&x->text, !number ? " string" : a->labels ? " enum : " : " ");
	buf_str(&x->text, number ? number : "");
	if (number && a->labels) {
		buf_str(&x->text, " { ");
		add_labels(x, a);
		buf_str(&x->text, " }");
	}
	buf_str(&x->text, " ");
	buf_add(&x->text, x->name.p, x->name.n);
	if (step.kind == ARRAY) {
		buf_str(&x->text, "[");
		buf_add(&x->text, x->length.p, x->length.n);
		buf_str(&x->text, "]");
	}
	buf_str(&x->text, ";");
	if (a->kind == K_SYM && !a->array)
		step.kind = SYMBOL;
	if (a->kind == K_CONST) {
		ctf_value(x, a->text, strlen(a->text));
		step.kind = CONST;
		step.n = (uint32_t)x->raw.n;
		step.at = cached_text_copy(&x->class_cache.mem, &x->raw).p;
	}
	add_step(x, step);
}

void
ctf_class(struct ctf *x, const struct type *ty, unsigned has, struct event_class *c)
{
	static const struct {
		const char *field;
		unsigned has;
		uint32_t off;
	} columns[] = {
	    {" x64 _addr;", HAS_ADDR, offsetof(struct rec, addr)},
	    {" u64 _addr;", HAS_ADDR, offsetof(struct rec, addr)},
	    {" u64 _size;", HAS_SIZE, offsetof(struct rec, size)},
	    {" i64 _dur;", HAS_DUR, offsetof(struct rec, dur)},
	};
	uint32_t id;

	x->text.n = x->steps.n = 0;
	x->same = 1;
	buf_str(&x->text, "name = ");
	add_quoted(x, ty->event);
	buf_str(&x->text, "; fields := struct {");
	if (has & HAS_LOC) {
		buf_str(&x->text, " string _loc;");
		add_step(x, (struct ctf_step){LOC, offsetof(struct rec, loc), 4, NULL});
	}
	for (int i = ty->addr_hex ? 0 : 1; i < 4; i += i ? 1 : 2)
		if (has & columns[i].has) {
			buf_str(&x->text, columns[i].field);
			add_step(x, (struct ctf_step){COPY, columns[i].off, 8, NULL});
		}
	type_args(ty, ctf_add_arg, x);
	strtab_free(&x->identifiers);
	buf_str(&x->text, " };");
	c->n = (uint32_t)(x->steps.n / sizeof *c->step);
	c->step = arena_get(&x->class_cache.mem, x->steps.n + 1);
	if (x->steps.n)
		memcpy(c->step, x->steps.p, x->steps.n);
	c->id = CLASSES_MOST;
	if (strtab_find(&x->classes, x->text.p, x->text.n, &id) ||
	    (x->classes.n < CLASSES_MOST && x->classes.bytes + x->text.n <= CLASS_BYTES))
		c->id = strtab_id(&x->classes, x->text.p, x->text.n);
}

/* Writes the metadata before the classes. */
static void
put_head(struct ctf *x)
{
	int64_t offset = (int64_t)((uint64_t)x->head.origin - x->shift);
	int64_t rest = offset % SECOND + (offset % SECOND < 0 ? SECOND : 0);
	char line[200];

	out_str(&x->meta, "/* CTF 1.8 */\n");
	for (unsigned i = K_U8; i <= K_X64; i++) {
		snprintf(
		    line, sizeof line,
		    "typealias integer { size = %u; align = 8; signed = %s; base = %s; "
		    "} := %s;\n",
		    8 * kind_width(i), *names[i] == 'i' ? "true" : "false",
		    *names[i] == 'x' ? "hex" : "dec", names[i]);
		out_str(&x->meta, line);
	}
	out_str(&x->meta,
		"typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; "
		"} := f64;\n"
		"trace { major = 1; minor = 8; byte_order = ");
	out_str(&x->meta, HOST_BIG ? "be" : "le");
	out_str(&x->meta, "; packet.header := struct { u32 magic; u32 stream_id; }; };\n"
			  "env { tracer_name = \"spoor\"; format = ");
	x->text.n = 0;
	add_quoted(x, x->head.format);
	out_bytes(&x->meta, x->text.p, x->text.n);
	snprintf(
	    line, sizeof line,
	    "; };\nclock { name = %s; freq = 1000000000; offset_s = %lld; offset = %lld; "
	    "};\n",
	    x->head.clock == CLOCK_TICKS ? "ticks" : "clock",
	    (long long)((offset - rest) / SECOND), (long long)rest);
	out_str(&x->meta, line);
	snprintf(line, sizeof line,
		 "typealias integer { size = 64; align = 8; signed = false; map = "
		 "clock.%s.value; } := time;\n",
		 x->head.clock == CLOCK_TICKS ? "ticks" : "clock");
	out_str(&x->meta, line);
	out_str(&x->meta,
		"stream { id = 0; event.header := struct { u16 id; time timestamp; };\n"
		"\tpacket.context := struct { time timestamp_begin; time "
		"timestamp_end; u64 content_size; u64 packet_size; }; };\n");
}

void
ctf_metadata(struct ctf *x)
{
	char line[64];

	put_head(x);
	for (uint32_t i = 0; i < x->classes.n; i++) {
		snprintf(line, sizeof line, "event { stream_id = 0; id = %u; ", i);
		out_str(&x->meta, line);
		out_bytes(&x->meta, x->classes.v[i].s, x->classes.v[i].len);
		out_str(&x->meta, " };\n");
	}
}
