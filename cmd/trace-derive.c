/* trace-derive - write events with computed arguments and columns */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "cli/opt.h"
#include "event/field.h"
#include "expr/derive.h"
#include "expr/expr.h"
#include "input/trace.h"
#include "output/sink.h"

#define NO_CHUNK \
	"--chunk reads a part alone, and prev, nth and total need all events before"

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "only the events that EXPR is true for", NULL},
    {'k', "key", "LIST", "the key of prev, nth and total; default is loc", NULL},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct opt_words words[] = {
    {'k', true, field_column_name},
    {0},
};

static const struct program program = {
    .about = "write events with computed arguments and columns",
    .operands = "NAME=EXPR... [FILE...]",
    .opts = opts,
    .words = words,
    .reads = true,
    .writes = true,
    .two_lists = true,
};

struct work {
	struct expr *expr;
	struct derive *derive;
	struct sink sink;
};

static bool
batch(void *arg, struct source *s, const struct batch *b)
{
	struct work *w = arg;
	const struct batch *out;
	uint32_t pick[BATCH], n = b->n;
	struct source *made;

	if (w->expr) {
		n = expr_run(w->expr, s, b, pick);
		if (expr_refused(w->expr))
			return true;
	}
	made = derive_run(w->derive, s, b, w->expr ? pick : NULL, n, &out);
	if (made)
		sink_put(&w->sink, made, out, NULL, out->n);
	return true;
}

static void
end(void *arg, struct source *s)
{
	struct work *w = arg;

	sink_end(&w->sink, s);
}

/* Whether an operand begins with NAME=; a word with a slash is the path of a file. */
static bool
is_definition(const char *s)
{
	size_t n = 0;

	if (*s == '"') {
		for (n = 1; s[n] && s[n] != '"'; n++)
			n += s[n] == '\\' && s[n + 1];
		n += s[n] == '"';
	} else
		n = strcspn(s, " \t\n()!=<>~&|,{}\"/");
	s += n;
	s += strspn(s, " \t\n");
	return n && *s == '=' && s[1] != '=';
}

/* The definitions argv[*at]... as one list; *at becomes the place of the first
 * file. */
static struct exprs *
definitions(int argc, char **argv, int *at)
{
	struct buf text = {0};
	struct exprs *l;

	for (; *at < argc && is_definition(argv[*at]); ++*at) {
		if (text.n)
			buf_add(&text, ", ", 2);
		buf_add(&text, argv[*at], strlen(argv[*at]));
	}
	if (!text.n)
		opt_die("a definition is missing: NAME=EXPR");
	if (*at < argc && !strcmp(argv[*at], "--"))
		++*at;
	buf_byte(&text, '\0');
	l = exprs_parse((const char *)text.p, PARSE_LIST | PARSE_DEFINES, NULL);
	buf_free(&text);
	return l;
}

int
main(int argc, char **argv)
{
	static struct common c;
	const char *keys = NULL, *test = NULL;
	struct exprs *list;
	struct work w = {0};
	int o, at, status;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1)
		*(o == 'k' ? &keys : &test) = optarg;
	at = optind;
	list = definitions(argc, argv, &at);
	if (keys)
		exprs_key(list, exprs_key_parse(keys));
	if (c.read.chunks && exprs_in_order(list))
		opt_die(NO_CHUNK);
	w.expr = test ? expr_parse(test) : NULL;
	if (w.expr && keys)
		expr_key(w.expr, exprs_key_parse(keys));
	if (w.expr && c.read.chunks && expr_in_order(w.expr))
		opt_die(NO_CHUNK);
	w.derive = derive_new(list, NULL, DERIVE_COLUMNS, NULL, 0);
	sink_open(&w.sink, &c.write);
	sink_begin(&w.sink, derive_need(w.derive) | (w.expr ? expr_need(w.expr) : 0),
		   &c.read);
	/* No line is written as it stood. */
	c.read.streams_pass = false;
	status = trace_each(&c.read, argv + at, (size_t)(argc - at),
			    &(struct consumer){batch, NULL, end, &w});
	/* Another part may have a field that this one lacks. */
	if (w.expr && expr_finish(w.expr, false) != ST_OK && !c.read.chunks)
		status = ST_TROUBLE;
	if (derive_finish(w.derive, false) != ST_OK && !c.read.chunks)
		status = ST_TROUBLE;
	status = sink_close(&w.sink, status);
	if (w.expr)
		expr_free(w.expr);
	derive_free(w.derive);
	return status;
}
