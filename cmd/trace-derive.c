/* trace-derive - write events with computed arguments and columns */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "cli/opt.h"
#include "event/field.h"
#include "expr/derive.h"
#include "output/pass.h"

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "only the events that EXPR is true for", NULL},
    {'k', "key", "LIST", "the key of prev, nth and total; default is loc", NULL},
    {OPT_LONG, "meta", "KEY=VALUE", "set metadata of the header; none with no VALUE", NULL},
    OPT_THREADS_ROW,
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
	struct pass pass;
	char *definitions;
	struct derive *derive;
	struct pair *meta;
	size_t nmeta, meta_cap;
};

static bool
batch(void *arg, struct source *s, const struct batch *b)
{
	struct work *w = arg;
	const struct batch *out;
	const uint32_t *pick;
	uint32_t room[BATCH], n;
	struct source *made;

	if (!expr_choose(w->pass.expr, s, b, room, &pick, &n))
		return true;
	made = derive_run(w->derive, s, b, pick, n, &out);
	if (made)
		sink_put(&w->pass.sink, made, out, NULL, out->n);
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
static char *
definitions(int argc, char **argv, int *at)
{
	struct buf text = {0};

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
	return (char *)text.p;
}

/* KEY=VALUE. */
static struct pair
meta(char *text)
{
	char *equals = strchr(text, '=');

	if (equals && equals > text) {
		*equals = '\0';
		return (struct pair){text, equals + 1};
	}
	opt_die("--meta: %s: KEY=VALUE is expected", text);
}

/* Parses what is computed of each event. Gives whether events must be seen in order. */
static bool
parse(struct work *w)
{
	struct exprs *l = exprs_parse(w->definitions, PARSE_LIST | PARSE_DEFINES, NULL);

	if (w->pass.keys)
		exprs_key(l, exprs_key_parse(w->pass.keys));
	w->derive = derive_new(l);
	for (size_t i = 0; i < w->nmeta; i++)
		derive_meta(w->derive, w->meta[i].key, w->meta[i].value);
	return exprs_in_order(l);
}

static void
open_own(void *arg, const void *like)
{
	struct work *own = arg;
	const struct work *whole = like;

	own->definitions = whole->definitions;
	own->meta = whole->meta;
	own->nmeta = whole->nmeta;
	parse(own);
}

static bool
add_own(void *arg, void *from)
{
	struct work *w = arg, *own = from;

	derive_merge(w->derive, own->derive);
	return true;
}

static void
close_own(void *arg)
{
	derive_free(((struct work *)arg)->derive);
}

int
main(int argc, char **argv)
{
	static struct common c;
	static struct work w;
	struct pass_kind kind = {sizeof w, batch,     NULL, open_own,
				 add_own,  close_own, false};
	int o, at, status;
	bool in_order;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		if (o == OPT_LONG)
			*PUSH(w.meta, w.nmeta, w.meta_cap) = meta(optarg);
		else
			*(o == 'k' ? &w.pass.keys : &w.pass.test) = optarg;
	}
	at = optind;
	w.definitions = definitions(argc, argv, &at);
	in_order = parse(&w);
	opt_in_order(&c, in_order);
	pass_parse(&w.pass);
	opt_in_order(&c, expr_in_order(w.pass.expr));
	pass_begin(&w.pass, &c.write, derive_need(w.derive), &c.read);
	/* No line is written as it stood. */
	c.read.streams_pass = false;
	kind.alone = in_order;
	w.pass.kind = &kind;
	status = pass_read(&w.pass, &c.read, argv + at, (size_t)(argc - at));
	status = pass_finish(&w.pass, &c.read, status);
	if (derive_finish(w.derive) != ST_OK && !c.read.chunks)
		status = ST_TROUBLE;
	status = pass_close(&w.pass, status);
	derive_free(w.derive);
	free(w.meta);
	free(w.definitions);
	return status;
}
