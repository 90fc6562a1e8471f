/*
 * fuzz_expr.c - the input is a filter expression; a fixed set of events, which has every
 * kind of argument, passes through it.
 *
 * The same events stand in three forms: as a reader makes them, as the binary and as the
 * text stream, once with each clock. The expression must take the same ones of each: a
 * test of an integer is a range there, and a comparison of texts here. Needs memory files
 * (Linux).
 *
 * The input is parsed as lists, too: of columns, of definitions, of aggregates.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dies.h"
#include "cli/cli_formats.h"
#include "expr/filter.h"
#include "expr/expr_tree.h"
#include "output/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LONGEST (1u << 20)
#define EVENTS 96

static const struct label colours[] = {
    {-1, "none"}, {0, "red"}, {1, "green"}, {7, "a\\x20b"}};
static const struct labels colour = {colours, 4};

/* Values at the ends of all integers, and near what people write. */
static const uint64_t numbers[] = {0,
				   1,
				   7,
				   127,
				   128,
				   255,
				   512,
				   1000,
				   4096,
				   65535,
				   1u << 31,
				   UINT32_MAX,
				   1500000000,
				   1ull << 53,
				   INT64_MAX,
				   1ull << 63,
				   UINT64_MAX - 1,
				   UINT64_MAX};
#define NUMBERS (sizeof numbers / sizeof *numbers)
static const double doubles[] = {0, -0.0, 1, 1.5, -2.25, 1e300, 1e-300, 0.1};
static const char *const texts[] = {"",	   "-",	  "\"\"",     "x",    "a b",
				    "1",   "1.5", "-3",	      "0x10", "MPI_COMM_WORLD",
				    "a,b", "\\",  "\xc3\xa9", "nan",  "1e3"};
#define TEXTS_N (sizeof texts / sizeof *texts)

/* An argument of every kind, alone and as an array where a kind may be one. */
static void
types(struct tables *t)
{
	struct arg all[2 * K_KINDS], some[4];
	char names[2 * K_KINDS][8];
	struct type ty = {.event = "All", .event_len = 3, .may = HAS_ALL, .args = all};

	memset(all, 0, sizeof all);
	memset(some, 0, sizeof some);
	for (unsigned k = K_U8; k < K_TEXT; k++)
		for (int array = 0; array < (k <= K_F64 ? 2 : 1); array++) {
			struct arg *a = &all[ty.nargs];

			snprintf(names[ty.nargs], sizeof *names, "%c%u", array ? 'v' : 'k',
				 k);
			a->name = names[ty.nargs++];
			a->kind = (uint8_t)k;
			a->array = array;
			a->labels = k == K_I32 && !array ? &colour : NULL;
			a->text = "c";
		}
	type_add(t, &ty);
	some[0] = (struct arg){.name = "file", .kind = K_TEXT};
	some[1] = (struct arg){.name = "k2", .kind = K_I64};
	some[2] = (struct arg){.name = "size", .kind = K_U32};
	some[3] = (struct arg){.name = "k16", .kind = K_CONST, .text = "512"};
	ty = (struct type){.event = "Some\\x20one",
			   .event_len = 11,
			   .must = HAS_SIZE,
			   .may = HAS_SIZE | HAS_ADDR,
			   .addr_hex = true,
			   .nargs = 4,
			   .args = some};
	type_add(t, &ty);
	ty = (struct type){.event = "R", .event_len = 1, .must = HAS_ALL, .may = HAS_ALL};
	type_add(t, &ty);
}

static void
put_arg(struct batch *b, struct tables *t, const struct arg *a, unsigned i)
{
	uint64_t v = numbers[i % NUMBERS];
	double d = doubles[i % 8];
	const char *s = texts[i % TEXTS_N];
	uint8_t escaped[64];
	uint32_t sym;

	if (a->labels)
		v = (uint64_t)colours[i % 4].value + (i % 5 == 4);
	if (a->kind == K_CONST)
		return;
	if (a->kind == K_STR || a->kind == K_BYTES)
		rec_str(b, a, s, strlen(s));
	else if (a->kind == K_TEXT) {
		size_t n = (size_t)(put_escaped(escaped, s, strlen(s)) - escaped);

		rec_str(b, a, n ? (const void *)escaped : "\"\"", n ? n : 2);
	} else {
		unsigned width = kind_width(a->kind), n = a->array ? i % 4 : 1;
		uint8_t *p =
		    a->array ? rec_part(b, a, n, width) : (uint8_t *)rec_last(b) + a->off;

		for (unsigned k = 0; k < n; k++, p += width) {
			sym = strtab_id(&t->str, s, strlen(s));
			if (a->kind == K_F64)
				memcpy(p, &d, sizeof d);
			else if (a->kind == K_SYM)
				memcpy(p, &sym, sizeof sym);
			else if (width == 8)
				memcpy(p, &v, 8);
			else if (width == 4)
				memcpy(p, &(uint32_t){(uint32_t)v}, 4);
			else if (width == 2)
				memcpy(p, &(uint16_t){(uint16_t)v}, 2);
			else
				*p = (uint8_t)v;
		}
	}
}

static enum clock clock_of_all;

static void
kinds_open(struct source *s)
{
	s->head.clock = clock_of_all;
	s->head.locpart[0] = "rank";
	s->head.locpart[1] = "thread";
	s->head.nlocparts = 2;
	s->in.p = s->in.end;
	tables_reset(&s->t);
	types(&s->t);
}

static bool
kinds_next(struct source *s, struct batch *b)
{
	static const char *const locs[] = {"-", "0", "1/2", "7/x\\x20y/3", "12/0"};

	batch_start(b);
	for (unsigned i = 0; i < EVENTS && !s->state; i++) {
		const struct type *ty = &s->t.type[i % 3];
		struct rec *r = rec_new(b, &s->t, i % 3);

		r->loc = strtab_id(&s->t.str, locs[i % 5], strlen(locs[i % 5]));
		r->has = ty->must | (i / 3 & ty->may);
		/* Never UINT64_MAX ticks, nor beyond what a text stream says in seconds. */
		r->time = (int64_t)(i < 40 ? i * 500000000ull : numbers[i % 16]);
		r->addr = r->has & HAS_ADDR ? numbers[i % NUMBERS] : 0;
		r->size = r->has & HAS_SIZE ? numbers[i / 3 % NUMBERS] : 0;
		r->dur = r->has & HAS_DUR ? (int64_t)numbers[i / 2 % 15] : 0;
		for (uint32_t k = 0; k < ty->nargs; k++)
			put_arg(b, &s->t, &ty->args[k], i / 3 + k);
	}
	s->state = b; /* not twice */
	return b->n > 0;
}

static void
kinds_close(struct source *s)
{
	s->state = NULL;
}

static const struct format fmt_kinds = {.name = "kinds",
					.about = "",
					.open = kinds_open,
					.next = kinds_next,
					.close = kinds_close};

/* The events in their three forms by both clocks: opened once, and read. */
static struct stood {
	struct source s;
	struct batch b;
	struct read_options opt;
} forms[6];

static void
write_form(struct stood *from, const struct form *form, struct buf *to)
{
	struct write_options w = {.form = form, .header = true};
	struct sink k;
	int fd = memfd_create("form", 0);

	sink_open(&k, &w);
	k.out.fd = fd;
	sink_put(&k, &from->s, &from->b, NULL, from->b.n);
	sink_end(&k, &from->s);
	out_flush(&k.out);
	to->n = 0;
	if (fd < 0 || pread(fd, buf_room(to, (size_t)k.out.total), (size_t)k.out.total,
			    0) != (ssize_t)k.out.total)
		abort();
	to->n = (size_t)k.out.total;
	close(fd);
	free(k.out.buf);
	form_text.close(&k);
}

static void
read_form(struct stood *f, const struct format *fmt, const struct buf *from)
{
	f->opt = (struct read_options){
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL, .only = fmt};
	if (!source_memory(&f->s, &f->opt, "events", from->p, from->n) ||
	    !source_next(&f->s, &f->b) || f->b.n != EVENTS)
		abort();
}

static void
make_forms(void)
{
	struct buf bytes = {0};

	for (int clock = 0; clock < 2; clock++) {
		struct stood *f = &forms[3 * clock];

		clock_of_all = clock ? CLOCK_TICKS : CLOCK_NS;
		buf_add(&bytes, "x", 1);
		read_form(f, &fmt_kinds, &bytes);
		write_form(f, &form_binary, &bytes);
		read_form(f + 1, &fmt_binary, &bytes);
		write_form(f, &form_text, &bytes);
		read_form(f + 2, &fmt_text, &bytes);
	}
	buf_free(&bytes);
}

/* The names of aggregates, of every sort. */
static int
aggregate(const char *name, size_t n, bool bare)
{
	if (n == 5 && !memcmp(name, "count", n))
		return M_NUMBER;
	if (n == 3 && !bare && !memcmp(name, "all", n))
		return FUNC_JOINED | AGGREGATE_OF_ROWS;
	return n == 3 && !bare && (!memcmp(name, "sum", n) || !memcmp(name, "max", n))
		   ? FUNC_JOINED
		   : -1;
}

static FILE *nowhere;

struct list {
	const char *text;
	unsigned flags;
};

/* Parses a list; a node stands behind its operands, and every list is shown. */
static void
parse_list(void *arg)
{
	struct list *l = arg;
	struct expr_tree t;

	expr_tree_parse(&t, l->text, l->flags, l->flags & PARSE_DEFINES ? NULL : aggregate);
	for (uint32_t i = 0; i < t.nnodes; i++)
		if (t.nodes[i].op == N_ARITH &&
		    (t.nodes[i].left >= i || t.nodes[i].right >= i))
			abort();
	if (t.nnodes < 1000) /* a chain is shown in the square of its length */
		expr_tree_print(&t, nowhere);
	expr_tree_free(&t);
}

struct run {
	const char *text;
	unsigned clock;
	uint32_t pick[3][BATCH], n[3];
};

static void
run(void *arg)
{
	struct run *r = arg;
	struct expr *e = expr_parse(r->text);

	for (int i = 0; i < 3; i++) {
		struct stood *f = &forms[3 * r->clock + (unsigned)i];

		r->n[i] = expr_run(e, &f->s, &f->b, r->pick[i]);
	}
	expr_finish(e, false);
	expr_free(e);
}

static void
must_be_same(const struct run *r, int form)
{
	if (r->n[0] == r->n[form] &&
	    !memcmp(r->pick[0], r->pick[form], r->n[0] * sizeof(uint32_t)))
		return;
	for (int f = 0; f <= form; f += form) {
		fprintf(stderr, "form %d, clock %u:", f, r->clock);
		for (uint32_t i = 0; i < r->n[f]; i++)
			fprintf(stderr, " %u", r->pick[f][i]);
		fputc('\n', stderr);
	}
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct run r;
	static bool made;
	static char text[LONGEST + 1];

	if (!made) {
		warn_skip(UINT_MAX);
		make_forms();
		nowhere = fopen("/dev/null", "w");
		if (!nowhere)
			abort();
		made = true;
	}
	if (size > LONGEST)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	/* The C library's own: a pattern of nested counts or back-references takes for
	 * ever, as it does in grep -E. The expression is the user's, not the input's. */
	if ((strchr(text, '~') || strstr(text, "sub(")) &&
	    (strchr(text, '{') || strchr(text, '\\') || size > 200))
		return 0;
	for (int i = 0; i < 3; i++)
		survives(parse_list,
			 &(struct list){text, PARSE_LIST | (i == 1   ? PARSE_DEFINES
							    : i == 2 ? PARSE_GAP
								     : 0)});
	r.text = text;
	for (r.clock = 0; r.clock < 2; r.clock++)
		if (survives(run, &r)) {
			must_be_same(&r, 1);
			must_be_same(&r, 2);
		}
	return 0;
}
