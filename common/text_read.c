/*
 * text_read.c - the text stream, read back.
 *
 * text_slow is the definition; text_line (text_line.h) takes what most lines look like. An
 * argument keeps the text that it has, unless that is a plain integer: so a line that goes
 * through the binary stream comes out as it went in. Types are made for every combination
 * of event, argument names and kinds that comes by.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "put.h"
#include "text_line.h"

#define COLUMNS 6
#define META_MOST (1u << 20) /* bytes of metadata that are kept */
#define CUT_OFF "the stream was cut off: it has a header, but no ##end"

struct text {
	struct text_fast fast;
	struct strtab signature; /* event, hex or not, names and kinds of the arguments */
	uint32_t *type_of;	 /* signature -> type */
	size_t cap;
	struct buf scratch;
	struct arg *args; /* of the line at hand */
	struct span *value;
	size_t args_cap, value_cap;
	bool clock_known;
	bool spoor, ended; /* of the header that is in force: ##spoor, ##end or ##error */
	bool closed;	   /* ended after its ##spoor: not so where lines were sorted */
	bool events;	   /* since that header */
	size_t meta;	   /* bytes of metadata since then */
	void (*run)(struct text_fast *f);
};

const uint8_t name_window[32] = {255, 255, 255, 255, 255, 255, 255, 255,
				 255, 255, 255, 255, 255, 255, 255, 255};

static const char *const column_name[COLUMNS] = {"time", "loc",	 "event",
						 "addr", "size", "dur"};

static bool
looks_like_time(const uint8_t *p, size_t n)
{
	size_t i = n && *p == '-', dots = 0;

	if (i == n)
		return false;
	for (; i < n; i++) {
		if (p[i] == '.' && i)
			dots++;
		else if (p[i] < '0' || p[i] > '9')
			return false;
	}
	return dots < 2;
}

static bool
is_heading(const uint8_t *p, const uint8_t *end)
{
	return end - p >= 8 && !memcmp(p, "##spoor\t", 8);
}

/* A time, and five tabs at least. */
static bool
looks_like_event(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *q = p, *start = p;

	for (int tabs = 1; q < end && (q = memchr(q, '\t', (size_t)(end - q)));
	     tabs++, q++) {
		if (tabs == 1 && !looks_like_time(start, (size_t)(q - start)))
			return false;
		if (tabs == COLUMNS - 1)
			return true;
	}
	return false;
}

static int
text_sniff(const uint8_t *p, size_t n, bool whole)
{
	int line;

	if (lines_first(p, n, whole, is_heading) >= 0)
		return 100;
	line = lines_first(p, n, whole, looks_like_event);
	return line < 0 ? 0 : line ? 60 : 80;
}

static bool
bad_column(struct source *s, unsigned i, struct span f, const char *why)
{
	char text[64];

	source_bad(s, s->line, "field %u (%s): %s: %s", i + 1, column_name[i],
		   quoted(text, f.p, f.n), why);
	return false;
}

static const char *
parse_u64(const uint8_t *p, size_t n, uint64_t *v)
{
	*v = 0;
	if (!n)
		return "it is empty";
	for (; n; p++, n--) {
		if (*p < '0' || *p > '9')
			return "not a whole number";
		if (*v > (UINT64_MAX - (uint64_t)(*p - '0')) / 10)
			return "greater than 2^64-1";
		*v = *v * 10 + (uint64_t)(*p - '0');
	}
	return NULL;
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

/* A time or a duration in the clock of the stream: ticks, or seconds with up to nine
 * decimals. */
static const char *
parse_time(bool ticks, const uint8_t *p, size_t n, int64_t *t)
{
	bool neg = n && *p == '-';
	const uint8_t *dot;
	uint64_t sec, frac = 0;
	const char *why;
	size_t digits;

	if (ticks) {
		why = parse_u64(p, n, &sec);
		*t = (int64_t)sec;
		return why;
	}
	p += neg;
	n -= neg;
	dot = memchr(p, '.', n);
	why = parse_u64(p, dot ? (size_t)(dot - p) : n, &sec);
	if (why)
		return why;
	if (dot) {
		digits = n - (size_t)(dot + 1 - p);
		if (digits > 9)
			return "more than nine decimals";
		why = parse_u64(dot + 1, digits, &frac);
		if (why)
			return why;
		for (; digits < 9; digits++)
			frac *= 10;
	}
	if (sec > (uint64_t)INT64_MAX / 1000000000 ||
	    sec * 1000000000 + frac > (uint64_t)INT64_MAX + neg)
		return "beyond 292 years";
	*t = (int64_t)(neg ? 0 - (sec * 1000000000 + frac) : sec * 1000000000 + frac);
	return NULL;
}

/* The kind that gives back exactly this text. */
static unsigned
kind_of_text(const uint8_t *p, size_t n)
{
	bool neg = n && *p == '-';
	const uint8_t *q = p + neg, *end = p + n;
	uint64_t v;

	if (n == 0)
		return K_U8; /* an empty array */
	if (q == end || (*q == '0' && end - q > 1) ||
	    parse_u64(q, (size_t)(end - q), &v) != NULL)
		return K_TEXT;
	if (!neg)
		return K_U64;
	return v && v <= (uint64_t)INT64_MAX + 1 ? K_I64 : K_TEXT;
}

/* A name without what no name may hold: it goes into lines as it is. */
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

/* The type of a line whose arguments are in c->args. */
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
		buf_add(b, "\t", 1);
		buf_add(b, c->args[i].name, strlen(c->args[i].name));
		buf_add(b, "=", 1);
		buf_add(b, &c->args[i].kind, 1);
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
	c->type_of = grow(c->type_of, &c->cap, id + 1, sizeof *c->type_of);
	c->type_of[id] = type_add(&s->t, &ty);
	if (!nargs && !hex)
		name_add(c->fast.event, event.p, event.n, c->type_of[id]);
	return c->type_of[id];
}

/* Splits the arguments of a line into c->args and c->value. */
static bool
split_args(struct source *s, uint8_t *p, uint8_t *end, size_t *nargs)
{
	struct text *c = s->state;
	const uint8_t *nul = memchr(p, '\0', (size_t)(end - p));
	char text[64];

	*nargs = 0;
	while (p) {
		uint8_t *tab = memchr(p, '\t', (size_t)(end - p)), *stop = tab ? tab : end;
		uint8_t *eq = memchr(p, '=', (size_t)(stop - p));
		struct span v;

		if (!eq || eq == p) {
			source_bad(s, s->line, "argument %zu: %s: name=value is expected",
				   *nargs + 1, quoted(text, p, (size_t)(stop - p)));
			return false;
		}
		if (nul && memchr(p, '\0', (size_t)(eq - p))) {
			/* Here a name ends at its first NUL. */
			source_bad(s, s->line, "argument %zu: %s: a NUL in a name",
				   *nargs + 1, quoted(text, p, (size_t)(stop - p)));
			return false;
		}
		v = (struct span){eq + 1, (size_t)(stop - eq - 1)};
		c->args = grow(c->args, &c->args_cap, *nargs + 1, sizeof *c->args);
		c->value = grow(c->value, &c->value_cap, *nargs + 1, sizeof *c->value);
		c->args[*nargs] = (struct arg){.name = (char *)p,
					       .kind = (uint8_t)kind_of_text(v.p, v.n),
					       .array = v.n == 0};
		c->value[(*nargs)++] = v;
		p = tab ? tab + 1 : NULL;
	}
	return true;
}

static void
put_value(struct batch *b, const struct arg *a, struct span v)
{
	uint64_t n = 0;

	if (kind_is_part(a)) {
		rec_str(b, a, v.p, v.n);
		return;
	}
	parse_u64(v.p + (a->kind == K_I64), v.n - (a->kind == K_I64), &n);
	if (a->kind == K_I64)
		n = 0 - n;
	memcpy((uint8_t *)rec_last(b) + a->off, &n, sizeof n);
}

/* One line of events, [p, end) without its newline. */
static bool
text_slow(struct source *s, struct batch *b, uint8_t *p, uint8_t *end, struct span raw)
{
	struct text *c = s->state;
	struct span f[COLUMNS];
	uint8_t *rest = p;
	const char *why;
	struct rec r = {0};
	char text[64];
	bool hex;
	size_t nargs = 0;
	uint32_t type;

	if (end > p && end[-1] == '\r')
		end--;
	for (unsigned i = 0; i < COLUMNS; i++) {
		uint8_t *tab;

		if (!rest) {
			source_bad(s, s->line, "%u of the six columns are there: %s", i,
				   quoted(text, p, (size_t)(end - p)));
			return false;
		}
		tab = memchr(rest, '\t', (size_t)(end - rest));
		f[i] = (struct span){rest, (size_t)((tab ? tab : end) - rest)};
		rest = tab ? tab + 1 : NULL;
	}
	if (!c->clock_known) {
		source_clock(s, memchr(f[0].p, '.', f[0].n) ? CLOCK_NS : CLOCK_TICKS);
		c->fast.ticks = !memchr(f[0].p, '.', f[0].n);
		c->clock_known = true;
	}
	if ((why = parse_time(c->fast.ticks, f[0].p, f[0].n, &r.time)))
		return bad_column(s, 0, f[0], why);
	for (unsigned i = 1; i < 3; i++)
		if (!f[i].n)
			return bad_column(s, i, f[i], "it is empty");
	if (f[2].n == 1 && *f[2].p == '-')
		return bad_column(s, 2, f[2], "an event has a name");
	for (size_t i = 0; i < f[2].n; i++)
		if (f[2].p[i] <= ' ' || f[2].p[i] == 0x7f)
			return bad_column(s, 2, f[2],
					  "a blank or a control byte in a name");
#define ABSENT(i) (f[i].n == 1 && *f[i].p == '-')
	hex = f[3].n > 2 && f[3].p[0] == '0' && f[3].p[1] == 'x';
	if (!ABSENT(3)) {
		r.has |= HAS_ADDR;
		why = hex ? parse_hex(f[3].p + 2, f[3].n - 2, &r.addr)
			  : parse_u64(f[3].p, f[3].n, &r.addr);
		if (why)
			return bad_column(s, 3, f[3], why);
	}
	if (!ABSENT(4)) {
		r.has |= HAS_SIZE;
		if ((why = parse_u64(f[4].p, f[4].n, &r.size)))
			return bad_column(s, 4, f[4], why);
	}
	if (!ABSENT(5)) {
		r.has |= HAS_DUR;
		if ((why = parse_time(c->fast.ticks, f[5].p, f[5].n, &r.dur)))
			return bad_column(s, 5, f[5], why);
	}
	if (c->fast.need & NEED_LOC) { /* "-" is string 0 */
		r.loc = strtab_id(&s->t.str, f[1].p, f[1].n);
		name_add(c->fast.loc, f[1].p, f[1].n, r.loc);
	}
#undef ABSENT
	if (rest && c->fast.need & NEED_ARGS) {
		if (!split_args(s, rest, end, &nargs))
			return false;
		/* A name ends where its value begins; the line is whole again afterwards.
		 */
		for (size_t i = 0; i < nargs; i++)
			((uint8_t *)(uintptr_t)c->value[i].p)[-1] = '\0';
		type = find_type(s, f[2], hex, nargs);
		rec_new(b, &s->t, type);
		for (size_t i = 0; i < nargs; i++) {
			((uint8_t *)(uintptr_t)c->value[i].p)[-1] = '=';
			put_value(b, &s->t.type[type].args[i], c->value[i]);
		}
	} else {
		type = find_type(s, f[2], hex, 0);
		rec_new(b, &s->t, type);
	}
	r.len = rec_last(b)->len;
	r.type = type;
	memcpy(rec_last(b), &r, sizeof r);
	b->raw[b->n - 1] = raw;
	return true;
}

static bool
starts(struct span l, const char *word, struct span *rest)
{
	size_t n = strlen(word);

	if (l.n < n || memcmp(l.p, word, n) != 0 || (l.n > n && l.p[n] != '\t'))
		return false;
	*rest = (struct span){l.p + n + (l.n > n), l.n - n - (l.n > n)};
	return true;
}

/* A name of the header, as it is written: names stay so. */
static char *
name_str(struct source *s, struct span v)
{
	char *p = arena_get(&s->meta, 4 * v.n + 1);

	*put_name((uint8_t *)p, v.p, v.n) = '\0';
	return p;
}

static void
clock_line(struct source *s, struct span v)
{
	struct text *c = s->state;
	const uint8_t *o;

	c->fast.ticks = v.n >= 5 && !memcmp(v.p, "ticks", 5);
	c->clock_known = true;
	source_clock(s, c->fast.ticks ? CLOCK_TICKS : CLOCK_NS);
	o = memchr(v.p, '=', v.n);
	if (o && !c->fast.ticks)
		parse_time(false, o + 1, (size_t)(v.p + v.n - o - 1), &s->head.origin);
}

static void
meta_line(struct source *s, struct span v)
{
	struct text *c = s->state;
	char *key, *eq, *value;

	c->meta += v.n;
	if (c->meta > META_MOST) {
		source_note(s, s->line, "more than %u KiB of metadata: not kept",
			    META_MOST >> 10);
		return;
	}
	key = arena_str(&s->meta, (const char *)v.p, v.n);
	eq = strchr(key, '=');
	value = eq ? eq + 1 : key + v.n;
	if (eq)
		*eq = '\0';
	if (!strcmp(value, "\"\""))
		value[0] = '\0';
	key[unescape((uint8_t *)key, key, strlen(key))] = '\0';
	value[unescape((uint8_t *)value, value, strlen(value))] = '\0';
	head_meta(&s->head, &s->meta, key, value);
}

/* The value of NAME=value among the tab-separated fields of a header line. */
static bool
header_field(struct span l, const char *name, struct span *value)
{
	size_t n = strlen(name);
	const uint8_t *p = l.p, *end = l.p + l.n, *tab;

	for (; p < end; p = tab + 1) {
		tab = memchr(p, '\t', (size_t)(end - p));
		tab = tab ? tab : end;
		if ((size_t)(tab - p) > n && p[n] == '=' && !memcmp(p, name, n)) {
			*value = (struct span){p + n + 1, (size_t)(tab - p) - n - 1};
			return true;
		}
	}
	return false;
}

static void
error_line(struct source *s, struct span l)
{
	struct buf *b = &((struct text *)s->state)->scratch;
	struct span v, lost;
	uint64_t n = 0;
	size_t len;

	if (!header_field(l, "lost", &lost) || parse_u64(lost.p, lost.n, &n))
		n = 0;
	if (!header_field(l, "reason", &v))
		v = l;
	b->n = 0;
	len = unescape(buf_room(b, v.n), v.p, v.n);
	source_upstream(s, n, (const char *)b->p, len);
}

/* A new stream begins in the same input. */
static void
new_head(struct source *s)
{
	struct text *c = s->state;

	if (c->spoor && !c->ended)
		source_trouble(s, CUT_OFF " before line %llu", (unsigned long long)s->line);
	head_free(&s->head);
	arena_free(&s->meta);
	snprintf(s->head.format, sizeof s->head.format, "-");
	source_clock(s, CLOCK_NS);
	c->clock_known = c->fast.ticks = false;
	c->events = c->ended = c->closed = false;
	c->meta = 0;
	s->heads = serial();
}

/* A line that begins with '#'. False when it opens a new stream and the batch must go
 * first. */
static bool
header_line(struct source *s, struct batch *b, struct span l)
{
	struct text *c = s->state;
	struct head *h = &s->head;
	struct span v;

	if (l.n && l.p[l.n - 1] == '\r')
		l.n--;
	if (starts(l, "##spoor", &v)) {
		if (b->n)
			return false;
		if (c->events || c->closed)
			new_head(s);
		if (v.n != 1 || *v.p != '1')
			source_note(s, s->line,
				    "version %.*s of the stream is not known here",
				    (int)(v.n < 20 ? v.n : 20), (const char *)v.p);
		c->spoor = true;
		h->given = true;
	} else if (starts(l, "##end", &v)) {
		c->ended = true;
		c->closed = c->spoor;
	} else if (starts(l, "##error", &v)) {
		c->ended = true;
		c->closed = c->spoor;
		error_line(s, v);
	} else if (c->events || b->n) {
		/* The events are read already: it comes too late. */
	} else if (starts(l, "##format", &v)) {
		snprintf(h->format, sizeof h->format, "%s", name_str(s, v));
	} else if (starts(l, "##clock", &v)) {
		clock_line(s, v);
	} else if (starts(l, "##loc", &v)) {
		char *part = name_str(s, v), *next;

		for (h->nlocparts = 0; part && h->nlocparts < LOC_PARTS; part = next) {
			next = strchr(part, '/');
			if (next)
				*next++ = '\0';
			h->locpart[h->nlocparts++] = part;
		}
	} else if (starts(l, "##meta", &v))
		meta_line(s, v);
	return true;
}

static void
run_slow(struct text_fast *f)
{
	(void)f;
}

static void
run_plain(struct text_fast *f)
{
	TEXT_FAST_LOOP(f, masks_plain);
}

#if defined(__SSE2__)
static void
run_sse2(struct text_fast *f)
{
	TEXT_FAST_LOOP(f, masks_sse2);
}
#endif

static void (*const runs[])(struct text_fast *f) = {
    run_slow,
    run_plain,
#if defined(__SSE2__)
    run_sse2,
#endif
#if HAVE_AVX2
    text_fast_avx2,
#endif
};

static void
text_open(struct source *s)
{
	struct text *c = xcalloc(1, sizeof *c);

	s->state = c;
	c->fast.need = s->need;
	snprintf(s->head.format, sizeof s->head.format, "-");
	source_clock(s, CLOCK_NS);
	c->run = runs[simd_best()];
}

static void
new_epoch(struct source *s)
{
	struct text *c = s->state;

	tables_reset(&s->t);
	strtab_free(&c->signature);
	memset(c->fast.event, 0, sizeof c->fast.event);
	memset(c->fast.loc, 0, sizeof c->fast.loc);
}

static bool
text_next(struct source *s, struct batch *b)
{
	struct text *c = s->state;
	const uint8_t *end;

	if (tables_full(&s->t))
		new_epoch(s);
	batch_start(b);
	while (!b->n && !s->stop && (end = lines_fill(s))) {
		c->fast.p = s->in.p;
		c->fast.end = end;
		c->fast.b = b;
		while (c->fast.p < end && !batch_full(b) && !s->stop) {
			uint8_t *p, *nl;

			buf_room(&b->own, (BATCH + 1 - b->n) * REC_HEAD + REC_SLACK);
			b->base = b->own.p;
			c->fast.lines = 0;
			if (c->clock_known)
				c->run(&c->fast);
			s->line += c->fast.lines;
			p = (uint8_t *)(uintptr_t)c->fast.p;
			if (p == end || b->n == BATCH)
				break;
			nl = memchr(p, '\n', (size_t)(end - p));
			s->line++;
			if (*p == '#') {
				if (!header_line(s, b,
						 (struct span){p, (size_t)(nl - p)})) {
					s->line--;
					break;
				}
			} else
				text_slow(s, b, p, nl,
					  (struct span){p, (size_t)(nl + 1 - p)});
			c->fast.p = nl + 1;
			/* Behind the line that fills them, however the input comes. */
			if (tables_full(&s->t)) {
				if (b->n)
					break;
				new_epoch(s);
			}
		}
		s->in.p = (uint8_t *)(uintptr_t)c->fast.p;
	}
	c->events |= b->n > 0;
	return b->n > 0;
}

static void
text_end(struct source *s)
{
	const struct text *c = s->state;

	/* Of a file in parts, the last has the end. */
	if (c->spoor && !c->ended && s->in.eof && s->in.p == s->in.end &&
	    s->end == UINT64_MAX)
		source_trouble(s, CUT_OFF);
}

static void
text_close(struct source *s)
{
	struct text *c = s->state;

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
    .grain = 1,
    .native = true,
    .sniff = text_sniff,
    .open = text_open,
    .next = text_next,
    .end = text_end,
    .close = text_close,
};
