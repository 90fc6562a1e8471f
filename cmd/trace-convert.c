/* trace-convert - write events as a trace of another format */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/formats.h"
#include "cli/opt.h"
#include "input/encode.h"
#include "output/pass.h"

enum {
	O_BLOCK = OPT_LONG,
};

static const struct opt opts[] = {
    {'F', "target", "FORMAT", "the format to write", NULL},
    {O_BLOCK, "block", "BYTES", "what addr counts in a stream that does not say", NULL},
    {'e', "expr", "EXPR", "only the events that EXPR is true for", NULL},
    {0},
};

/* The i-th format that can be written, from 0; NULL behind the last. */
static const struct format *
target(size_t i)
{
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->encoder && i-- == 0)
			return *f;
	return NULL;
}

static const char *
target_name(size_t i)
{
	const struct format *f = target(i);

	return f ? f->name : NULL;
}

static const struct opt_words words[] = {
    {'F', false, target_name},
    {0},
};

static const struct program program = {
    .about = "write events as a trace of another format",
    .operands = "-F FORMAT [FILE...]",
    .examples =
	{"trace-convert -F spc -e 'asu = 0' Financial1.spc > asu0.spc",
	 "spc-cat -H Financial1.spc | awk '!/^[0-9]/ || NR % 2' | trace-convert -F spc"},
    .opts = opts,
    .words = words,
    .reads = true,
};

/* -F: the format of that name, which is empty where none was given. */
static const struct format *
named(const char *name)
{
	char list[256] = "";

	if (!*name)
		opt_die("the format to write is missing: -F FORMAT");
	for (size_t i = 0; target(i); i++) {
		if (!strcmp(target(i)->name, name))
			return target(i);
		strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
		strncat(list, target(i)->name, sizeof list - strlen(list) - 1);
	}
	opt_die("-F %s: no format that can be written (%s)", name, list);
}

/* The options of the target that -O gave are those of the output: the inputs are read as if
 * they were not given. */
static const void *
take_options(struct common *c, const struct format *f)
{
	const void *options = f->options ? format_options(&c->read, f) : NULL;

	for (struct format_values **at = &c->read.values, *v; (v = *at); at = &v->next)
		if (v->fmt == f) {
			*at = v->next;
			free(v);
			break;
		}
	return options;
}

int
main(int argc, char **argv)
{
	static struct common c;
	const char *to = "";
	struct pass p = {.test = NULL};
	int o, status;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1)
		if (o == O_BLOCK)
			c.write.block = num_option("--block", optarg, 1, 1u << 30);
		else
			*(o == 'F' ? &to : &p.test) = optarg;
	c.write.form = &form_encode;
	c.write.encode = named(to);
	c.write.encode_options = take_options(&c, c.write.encode);
	pass_parse(&p);
	opt_in_order(&c, expr_in_order(p.expr));
	pass_begin(&p, &c.write, 0, &c.read);
	status = pass_read(&p, &c.read, argv + optind, (size_t)(argc - optind));
	return pass_close(&p, pass_finish(&p, &c.read, status));
}
