/* trace-derive - write events with computed arguments and columns */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/opt.h"
#include "view/field.h"
#include "expr/derive.h"
#include "cells/event_copy.h"

struct derive_run {
	struct event_copy pass;
	char *definitions;
	struct derive *derive;
	struct pair *meta;
	size_t nmeta, meta_cap;
};

static struct derive_run whole;

/* Adds KEY=VALUE to whole.meta. Returns NULL, or what is expected. */
static const char *
meta(void *to, const char *text)
{
	size_t n = strcspn(text, "=");

	(void)to;
	if (!n || !text[n])
		return "KEY=VALUE is expected";
	*PUSH(whole.meta, whole.nmeta, whole.meta_cap) =
	    (struct pair){xstrndup(text, n), text + n + 1};
	return NULL;
}

static const struct opt opts[] = {
    OPT_EXPR_ROW(&whole.pass.test),
    OPT_KEY_ROW(&whole.pass.keys),
    {0, "meta", "KEY=VALUE", "set metadata of the header; none with no VALUE",
     .take = meta},
    OPT_THREADS_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "write events with computed arguments and columns",
    .operands = "NAME=EXPR... [FILE...]",
    .examples =
	{"trace-derive 'page = addr // 4K' refs.bin",
	 "trace-derive 'gap = time - prev.time' solver.meta | trace-stats -a 'p99(gap)'"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .two_lists = true,
};

static bool
batch(void *arg, struct source *s, const struct batch *b)
{
	struct derive_run *w = arg;
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

/* Returns whether an operand begins with NAME=; a word with a slash is the path of a file. */
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

/* Returns the definitions, which come first, as one list, and sets *at to the number of the first file. Dies if
 * there are none. The caller frees the list. */
static char *
definitions(size_t *at)
{
	struct buf text = {0};

	for (; *at < common.n && is_definition(common.path[*at]); ++*at) {
		if (text.n)
			buf_add(&text, ", ", 2);
		buf_add(&text, common.path[*at], strlen(common.path[*at]));
	}
	for (size_t i = *at; !text.n && i < common.n; i++)
		if (is_definition(common.path[i]))
			opt_die("%s: definitions come first, and then the files",
				common.path[i]);
	if (!text.n)
		opt_die("a definition is missing: NAME=EXPR");
	if (*at < common.n && !strcmp(common.path[*at], "--"))
		++*at;
	buf_byte(&text, '\0');
	return (char *)text.p;
}

/* Parses the definitions. Returns whether events must be seen in order. */
static bool
parse(struct derive_run *w)
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
derive_open_own(void *own)
{
	parse(own);
}

static bool
add_own(void *arg, void *from)
{
	struct derive_run *w = arg, *own = from;

	derive_merge(w->derive, own->derive);
	return true;
}

static void
close_own(void *arg)
{
	derive_free(((struct derive_run *)arg)->derive);
}

int
main(int argc, char **argv)
{
	struct event_copy_kind kind = {sizeof whole, batch,	NULL, derive_open_own,
				       add_own,	     close_own, false};
	int status;
	size_t at = 0;
	bool in_order;

	opt_read(&program, argc, argv);
	whole.definitions = definitions(&at);
	in_order = parse(&whole);
	expr_refuse_parts(in_order);
	event_copy_parse(&whole.pass);
	expr_refuse_parts(expr_in_order(whole.pass.expr));
	event_copy_begin(&whole.pass, &common.write, derive_need(whole.derive),
			 &common.read);
	/* No line is copied unchanged. */
	common.read.streams_pass = false;
	kind.alone = in_order;
	whole.pass.kind = &kind;
	status =
	    event_copy_read(&whole.pass, &common.read, common.path + at, common.n - at);
	status = event_copy_finish(&whole.pass, &common.read, status);
	if (derive_finish(whole.derive) != ST_OK && !common.read.chunks)
		status = ST_TROUBLE;
	status = event_copy_close(&whole.pass, status);
	derive_free(whole.derive);
	free(whole.definitions);
	return status;
}
