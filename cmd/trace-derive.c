/* trace-derive - write events with computed arguments and columns */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "cli/opt.h"
#include "event/field.h"
#include "expr/derive.h"
#include "expr/filter.h"
#include "input/trace.h"
#include "output/sink.h"

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
    .examples =
	{"trace-derive 'page = addr // 4K' refs.bin",
	 "trace-derive 'gap = time - prev.time' solver.meta | trace-stats -a 'p99(gap)'"},
    .opts = opts,
    .words = words,
    .reads = true,
    .writes = true,
    .two_lists = true,
};

struct work {
	struct sink sink;
	struct expr *expr;
	struct derive *derive;
};

static bool
batch(void *arg, struct source *s, const struct batch *b)
{
	struct work *w = arg;
	const struct batch *out;
	const uint32_t *pick;
	uint32_t room[BATCH], n;
	struct source *made;

	if (!expr_choose(w->expr, s, b, room, &pick, &n))
		return true;
	made = derive_run(w->derive, s, b, pick, n, &out);
	if (made)
		sink_put(&w->sink, made, out, NULL, out->n);
	return true;
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
	opt_in_order(&c, exprs_in_order(list));
	w.expr = expr_parse(test);
	expr_key(w.expr, keys);
	opt_in_order(&c, expr_in_order(w.expr));
	w.derive = derive_new(list);
	sink_open(&w.sink, &c.write);
	sink_begin(&w.sink, derive_need(w.derive) | expr_need(w.expr), &c.read);
	/* No line is written as it stood. */
	c.read.streams_pass = false;
	status = trace_each(&c.read, argv + at, (size_t)(argc - at),
			    &(struct consumer){batch, NULL, sink_end, &w});
	/* Another part may have a field that this one lacks. */
	if (expr_finish(w.expr, false) != ST_OK && !c.read.chunks)
		status = ST_TROUBLE;
	if (derive_finish(w.derive) != ST_OK && !c.read.chunks)
		status = ST_TROUBLE;
	status = sink_close(&w.sink, status);
	expr_free(w.expr);
	derive_free(w.derive);
	return status;
}
