/* trace-export - write events for other programs */
#include <unistd.h>

#include "base/num.h"
#include "cli/opt.h"
#include "event/field.h"
#include "export/read.h"

enum {
	O_LIST = OPT_LONG + EXPORT_OPTIONS,
};

/* First those of targets, in the order of enum export_option. */
static const struct opt opts[] = {
    {OPT_LONG + EXPORT_FIELDS, "fields", "LIST", "only these fields and values", NULL},
    {OPT_LONG + EXPORT_NULL, "null", "TEXT", "TEXT stands for what is absent", NULL},
    {OPT_LONG + EXPORT_SAFE, "safe-cells", NULL,
     "csv, tsv: no text is a formula of a spreadsheet", NULL},
    {OPT_LONG + EXPORT_NUMBERS, "numbers", NULL,
     "large numbers of JSON as numbers, not as strings", NULL},
    {'A', "absolute", NULL, "absolute times", NULL},
    {OPT_LONG + EXPORT_FILE, "file", "FILE", "fio: one file, not one for each loc", NULL},
    {OPT_LONG + EXPORT_V2, "v2", NULL, "fio: an iolog of version 2", NULL},
    {OPT_LONG + EXPORT_ACTIONS, "actions", "LIST",
     "blktrace: Q, or QDC: also issue and completion", NULL},
    {OPT_LONG + EXPORT_BLOCK, "block", "BYTES",
     "what addr counts in a stream that does not say", NULL},
    {OPT_LONG + EXPORT_SPLIT, "split", "SIZE", "one request for each page of SIZE", NULL},
    {OPT_LONG + EXPORT_NO_NEXT, "no-next", NULL, "oracle: the next access is -1", NULL},
    {'C', "counters", "LIST", "perfetto, chrome: these values as counters", NULL},
    {'F', "target", "TARGET", "the target, one of --list; the default is perfetto", NULL},
    {'e', "expr", "EXPR", "only the events that EXPR is true for", NULL},
    {'k', "key", "LIST", "the key of prev, nth and total; default is loc", NULL},
    {O_LIST, "list", NULL, "print what targets there are, read nothing", "F e k"},
    OPT_THREADS_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const char *
target_word(size_t i)
{
	return targets[i] ? targets[i]->name : NULL;
}

static const char *
action_word(size_t i)
{
	return i == 0 ? "Q" : i == 1 ? "QDC" : NULL;
}

static const struct opt_words words[] = {
    {'F', false, target_word},
    {OPT_LONG + EXPORT_FIELDS, true, field_column_name},
    {OPT_LONG + EXPORT_ACTIONS, false, action_word},
    {'k', true, field_column_name},
    {0},
};

static const struct program program = {
    .about = "write events for other programs",
    .operands = "[FILE...]",
    .examples = {"trace-export -o solver.pftrace solver.meta    # for ui.perfetto.dev",
		 "trace-export -F csv -e 'size > 8K' Financial1.spc"},
    .opts = opts,
    .words = words,
    .reads = true,
};

static int
list(const struct common *c)
{
	const char *names[EXPORT_OPTIONS];
	struct sink sink;

	for (unsigned i = 0; i < EXPORT_OPTIONS; i++)
		names[i] = opts[i].name;
	sink_open(&sink, &c->write);
	targets_print(&sink.out, names);
	return sink_close(&sink, ST_OK);
}

/* The target of -F, which must take the options `given`. */
static const struct target *
find_target(const char *name, unsigned given)
{
	const struct target *t = target_named(name);
	unsigned refused = t ? given & ~t->takes : 0;

	if (!t)
		opt_die("-F %s: no such target (--list prints all)", name);
	for (unsigned i = 0; refused >> i; i++)
		if (refused >> i & 1)
			opt_die("-F %s takes no --%s", name, opts[i].name);
	return t;
}

int
main(int argc, char **argv)
{
	static struct common c;
	struct export_options to = {0};
	const char *name = "perfetto";
	unsigned given = 0;
	struct pass p = {.test = NULL};
	int o, status;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		for (unsigned i = 0; i < EXPORT_OPTIONS; i++)
			given |= opts[i].c == o ? 1u << i : 0;
		switch (o) {
		case OPT_LONG + EXPORT_FIELDS: c.write.fields = optarg; break;
		case OPT_LONG + EXPORT_NULL: c.write.null = optarg; break;
		case OPT_LONG + EXPORT_SAFE: c.write.safe = true; break;
		case OPT_LONG + EXPORT_NUMBERS: c.write.numbers = true; break;
		case 'C': to.counters = optarg; break;
		case OPT_LONG + EXPORT_FILE: to.file = optarg; break;
		case OPT_LONG + EXPORT_V2: to.v2 = true; break;
		case OPT_LONG + EXPORT_ACTIONS: to.actions = optarg; break;
		case OPT_LONG + EXPORT_BLOCK:
			c.write.block = num_option("--block", optarg, 1, 1u << 30);
			break;
		case OPT_LONG + EXPORT_SPLIT:
			to.split = num_option("--split", optarg, 1, 1ull << 40);
			break;
		case OPT_LONG + EXPORT_NO_NEXT: to.no_next = true; break;
		case 'A': c.write.absolute = true; break;
		case 'F': name = optarg; break;
		case 'e': p.test = optarg; break;
		case 'k': c.write.keys = optarg; break;
		case O_LIST: return list(&c);
		}
	}
	to.target = find_target(name, given);
	c.write.form = to.target->form;
	c.write.export = &to;
	p.keys = c.write.keys;
	pass_parse(&p);
	opt_in_order(&c, expr_in_order(p.expr));
	if (to.target->lasts && c.read.chunks)
		opt_die("-F %s takes no --chunk", name);
	pass_begin(&p, &c.write, 0, &c.read);
	status = export_read(&p, &c.read, argv + optind, (size_t)(argc - optind));
	return pass_close(&p, pass_finish(&p, &c.read, status));
}
