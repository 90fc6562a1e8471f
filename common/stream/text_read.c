/*
 * text_read.c - reads the text stream.
 *
 * event_line is the definition; text_line (text_line.h) reads lines of the common shape. An argument keeps its
 * text, unless the text is a plain integer, so a line does not change on its way through the binary stream. A type
 * is made for every combination of event, argument names and kinds in the input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "event/value.h"
#include "input/fault.h"
#include "stream/text_state.h"

enum text_column {
	COL_TIME,
	COL_LOC,
	COL_EVENT,
	COL_ADDR,
	COL_SIZE,
	COL_DUR,
	COLUMNS
};

static const char *const column_name[COLUMNS] = {"time", "loc",	 "event",
						 "addr", "size", "dur"};

static bool
bad_column(struct source *s, enum text_column i, const struct span f[COLUMNS],
	   const char *why)
{
	char text[64];

	fault(s, NULL, COST_EVENT, s->name, s->line, "field %u (%s): %s: %s", i + 1u,
	      column_name[i], quoted(text, f[i].p, f[i].n), why);
	return false;
}

static const char *
parse_hex(const uint8_t *p, size_t n, uint64_t *v)
{
	*v = 0;
	if (!n || n > 16)
		return "not a hexadecimal number of 64 bits";
	for (; n; p++, n--) {
		unsigned d = *p >= '0' && *p <= '9'   ? *p - (unsigned)'0'
			     : *p >= 'a' && *p <= 'f' ? *p - 'a' + 10u
						      : 16;

		if (d > 15)
			return "not a hexadecimal number";
		*v = *v << 4 | d;
	}
	return NULL;
}

/* Returns the kind of argument that is written as exactly this text. */
static unsigned
kind_of_text(const uint8_t *p, size_t n)
{
	bool neg = n && *p == '-';
	const uint8_t *q = p + neg, *end = p + n;
	uint64_t v;

	if (n == 0)
		return K_U8; /* an empty array */
	if (q == end || (*q == '0' && end - q > 1) ||
	    digits_u64(q, (size_t)(end - q), &v) != NULL)
		return K_TEXT;
	if (!neg)
		return K_U64;
	return v && v <= (uint64_t)INT64_MAX + 1 ? K_I64 : K_TEXT;
}

/* Returns the name with the bytes escaped that a name must not have, because names are written without escaping. */
static const char *
clean_name(struct source *s, const char *name)
{
	size_t n = strlen(name), i = 0;
	char *p;

	while (i < n && (uint8_t)name[i] > ' ' && name[i] != 0x7f)
		i++;
	if (i == n)
		return name;
	p = arena_get(&s->t.mem, 4 * n + 1);
	*put_name((uint8_t *)p, name, n) = '\0';
	return p;
}

/* Returns the type of a line whose arguments are in c->args, made if it is new. */
static uint32_t
find_type(struct source *s, struct span event, bool hex, size_t nargs)
{
	struct text *c = s->state;
	struct buf *b = &c->scratch;
	uint32_t id, known = c->signature.n;
	struct type ty = {0};

	b->n = 0;
	buf_add(b, event.p, event.n);
	buf_add(b, hex ? "\tx" : "\t-", 2);
	for (size_t i = 0; i < nargs; i++) {
		buf_byte(b, '\t');
		buf_add(b, c->args[i].name, strlen(c->args[i].name));
		buf_byte(b, '=');
		buf_byte(b, (char)c->args[i].kind);
	}
	id = strtab_id(&c->signature, b->p, b->n);
	if (id < known)
		return c->type_of[id];
	for (size_t i = 0; i < nargs; i++)
		c->args[i].name = clean_name(s, c->args[i].name);
	ty.event = (const char *)event.p;
	ty.event_len = (uint32_t)event.n;
	ty.may = HAS_ALL;
	ty.addr_hex = hex;
	ty.args = c->args;
	ty.nargs = (uint32_t)nargs;
	GROW(c->type_of, c->cap, id + 1);
	c->type_of[id] = type_add(&s->t, &ty);
	if (!nargs && !hex)
		name_add(&c->fast.event, event.p, event.n, c->type_of[id]);
	return c->type_of[id];
}

/* Splits the arguments of a line into c->args and c->value. Returns false after an error. */
static bool
split_args(struct source *s, uint8_t *p, uint8_t *end, size_t *nargs)
{
	struct text *c = s->state;
	const uint8_t *nul = memchr(p, '\0', (size_t)(end - p));
	const char *why;
	char text[64];

	*nargs = 0;
	while (p) {
		uint8_t *tab = memchr(p, '\t', (size_t)(end - p)), *stop = tab ? tab : end;
		uint8_t *eq = memchr(p, '=', (size_t)(stop - p));
		struct span v;

		why = NULL;
		if (!eq || eq == p)
			why = "name=value is expected";
		else if (nul && memchr(p, '\0', (size_t)(eq - p)))
			why = "a name has a NUL byte"; /* a C string ends at a NUL */
		if (why) {
			fault(s, NULL, COST_EVENT, s->name, s->line, "argument %zu: %s: %s",
			      *nargs + 1, quoted(text, p, (size_t)(stop - p)), why);
			return false;
		}
		v = (struct span){eq + 1, (size_t)(stop - eq - 1)};
		GROW(c->args, c->args_cap, *nargs + 1);
		GROW(c->value, c->value_cap, *nargs + 1);
		c->args[*nargs] = (struct arg){.name = (char *)p,
					       .kind = (uint8_t)kind_of_text(v.p, v.n),
					       .array = v.n == 0};
		c->value[(*nargs)++] = v;
		p = tab ? tab + 1 : NULL;
	}
	return true;
}

static void
set_arg(struct batch *b, const struct arg *a, struct span v)
{
	uint64_t n = 0;

	if (kind_is_part(a)) {
		rec_str(b, a, v.p, v.n);
		return;
	}
	digits_u64(v.p + (a->kind == K_I64), v.n - (a->kind == K_I64), &n);
	if (a->kind == K_I64)
		n = 0 - n;
	memcpy((uint8_t *)rec_last(b) + a->off, &n, sizeof n);
}

/* Splits a line into its columns. *rest is the place after them, NULL if the line ends. Returns false after an
 * error. */
static bool
split_columns(struct source *s, uint8_t *p, uint8_t *end, struct span f[COLUMNS],
	      uint8_t **rest)
{
	uint8_t *q = p, *tab;
	char text[64];

	for (unsigned i = 0; i < COLUMNS; i++) {
		if (!q) {
			fault(s, NULL, COST_EVENT, s->name, s->line,
			      "%u of the six columns are there: %s", i,
			      quoted(text, p, (size_t)(end - p)));
			return false;
		}
		tab = memchr(q, '\t', (size_t)(end - q));
		f[i] = (struct span){q, (size_t)((tab ? tab : end) - q)};
		q = tab ? tab + 1 : NULL;
	}
	*rest = q;
	return true;
}

static bool
is_absent(struct span f)
{
	return f.n == 1 && *f.p == '-';
}

/* Reads the columns that are numbers into r. *hex becomes true if addr is hexadecimal. Returns false after an
 * error. */
static bool
read_numbers(struct source *s, const struct span f[COLUMNS], struct rec *r, bool *hex)
{
	bool ticks = ((const struct text *)s->state)->fast.ticks;
	const char *why = value_read_time(ticks, f[COL_TIME].p, f[COL_TIME].n, &r->time);
	struct span addr = f[COL_ADDR];

	if (why)
		return bad_column(s, COL_TIME, f, why);
	*hex = addr.n > 2 && addr.p[0] == '0' && addr.p[1] == 'x';
	if (!is_absent(addr)) {
		r->has |= HAS_ADDR;
		why = *hex ? parse_hex(addr.p + 2, addr.n - 2, &r->addr)
			   : digits_u64(addr.p, addr.n, &r->addr);
		if (why)
			return bad_column(s, COL_ADDR, f, why);
	}
	if (!is_absent(f[COL_SIZE])) {
		r->has |= HAS_SIZE;
		why = digits_u64(f[COL_SIZE].p, f[COL_SIZE].n, &r->size);
		if (why)
			return bad_column(s, COL_SIZE, f, why);
	}
	if (!is_absent(f[COL_DUR])) {
		r->has |= HAS_DUR;
		why = value_read_time(ticks, f[COL_DUR].p, f[COL_DUR].n, &r->dur);
		if (why)
			return bad_column(s, COL_DUR, f, why);
	}
	return true;
}

/* Checks the columns that are names. Returns false after an error. */
static bool
check_names(struct source *s, const struct span f[COLUMNS])
{
	if (!f[COL_LOC].n)
		return bad_column(s, COL_LOC, f, "the value is empty");
	if (!f[COL_EVENT].n)
		return bad_column(s, COL_EVENT, f, "the value is empty");
	if (is_absent(f[COL_EVENT]))
		return bad_column(s, COL_EVENT, f, "an event must have a name");
	for (size_t i = 0; i < f[COL_EVENT].n; i++)
		if (f[COL_EVENT].p[i] <= ' ' || f[COL_EVENT].p[i] == 0x7f)
			return bad_column(s, COL_EVENT, f,
					  "a name has a blank or a control byte");
	return true;
}

/* Makes the record of a line with the arguments [p, end). Returns false after an error. */
static bool
read_args(struct source *s, struct batch *b, struct span event, bool hex, uint8_t *p,
	  uint8_t *end)
{
	struct text *c = s->state;
	size_t nargs;
	uint32_t type;

	if (!split_args(s, p, end, &nargs))
		return false;
	/* The = before a value is a NUL for a moment, to end the argument's name. */
	for (size_t i = 0; i < nargs; i++)
		((uint8_t *)(uintptr_t)c->value[i].p)[-1] = '\0';
	type = find_type(s, event, hex, nargs);
	rec_new(b, &s->t, type);
	for (size_t i = 0; i < nargs; i++) {
		((uint8_t *)(uintptr_t)c->value[i].p)[-1] = '=';
		set_arg(b, &s->t.type[type].args[i], c->value[i]);
	}
	return true;
}

/* Reads the line of an event in the general way, and adds its record to b. */
static void
event_line(struct source *s, struct batch *b, uint8_t *p, uint8_t *end)
{
	struct text *c = s->state;
	struct span f[COLUMNS];
	struct rec r = {0}, *to;
	uint8_t *rest;
	bool hex = false;

	if (!split_columns(s, p, end, f, &rest))
		return;
	if (!c->clock_known)
		c->fast.ticks = s->part.file_clock_known
				    ? s->part.file_clock == CLOCK_TICKS
				    : !memchr(f[COL_TIME].p, '.', f[COL_TIME].n);
	if (!check_names(s, f) || !read_numbers(s, f, &r, &hex))
		return;
	if (c->fast.need & NEED_LOC) { /* "-" is string 0 */
		r.loc = strtab_id(&s->t.str, f[COL_LOC].p, f[COL_LOC].n);
		name_add(&c->fast.loc, f[COL_LOC].p, f[COL_LOC].n, r.loc);
	}
	if (!rest || !(c->fast.need & NEED_ARGS))
		rec_new(b, &s->t, find_type(s, f[COL_EVENT], hex, 0));
	else if (!read_args(s, b, f[COL_EVENT], hex, rest, end))
		return;
	to = rec_last(b);
	r.len = to->len;
	r.type = to->type;
	*to = r;
	/* Set the clock only now: the line might have been invalid. */
	if (!c->clock_known)
		source_clock(s, c->fast.ticks ? CLOCK_TICKS : CLOCK_NS);
	c->clock_known = true;
}

SIMD_RUNS(text_fast, TEXT_FAST_LOOP, text_fast_avx2, text_fast_avx2);

static void
text_open(struct source *s)
{
	struct text *c = xcalloc(1, sizeof *c);

	s->state = c;
	name_forget(&c->fast.event);
	name_forget(&c->fast.loc);
	c->fast.need = s->need;
	snprintf(s->head.format, sizeof s->head.format, "-");
	source_clock(s, CLOCK_NS);
	c->run = runs[simd_best()];
}

static void
text_new_epoch(struct source *s)
{
	struct text *c = s->state;

	tables_reset(&s->t);
	strtab_free(&c->signature);
	name_forget(&c->fast.event);
	name_forget(&c->fast.loc);
}

static const uint8_t *
text_fast(struct source *s, struct batch *b, const uint8_t *p, const uint8_t *end)
{
	struct text *c = s->state;

	if (!c->clock_known)
		return p;
	c->fast.p = p;
	c->fast.end = end;
	c->fast.b = b;
	c->run(&c->fast);
	return c->fast.p;
}

static bool
text_slow(struct source *s, struct batch *b, uint8_t *p, uint8_t *end)
{
	if (p < end && *p == '#')
		return text_header_line(s, b, (struct span){p, (size_t)(end - p)});
	event_line(s, b, p, end);
	return true;
}

static bool
text_next(struct source *s, struct batch *b)
{
	static const struct line_reader how = {text_new_epoch, text_slow, text_fast};
	struct text *c = s->state;

	if (!lines_next(s, b, &how))
		return false;
	c->events = true;
	return true;
}

static void
text_end(struct source *s)
{
	const struct text *c = s->state;

	/* If the file is read in parts, only the last part has the end. */
	if (c->spoor && !c->ended && s->in.eof && s->in.p == s->in.end &&
	    s->part.end == UINT64_MAX)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, CUT_OFF);
}

static void
text_close(struct source *s)
{
	struct text *c = s->state;

	name_forget(&c->fast.event);
	name_forget(&c->fast.loc);
	strtab_free(&c->signature);
	buf_free(&c->scratch);
	free(c->type_of);
	free(c->args);
	free(c->value);
	free(c);
}

const struct format fmt_text = {
    .name = "text",
    .about = "the event stream, text form",
    .text = true,
    .stream = true,
    .open = text_open,
    .next = text_next,
    .end = text_end,
    .close = text_close,
    .cutting = &(const struct cutting){.cut_unit = 1},
};
