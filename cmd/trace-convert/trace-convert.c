/* trace-convert - write events as a trace of another format */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_formats.h"
#include "cli/opt.h"
#include "trace-convert/encode.h"
#include "cells/event_copy.h"

static struct event_copy pass;
static struct encode_options settings;
static const char *to = "";

/* Returns the name of the i-th format that can be written, from 0, or NULL after the last. */
static const char *
target_name(size_t i)
{
	return encoders[i] ? encoders[i]->format->name : NULL;
}

static const struct opt opts[] = {
    {'T', "target", "NAME", "the format to write", .text = &to, .word = target_name},
    {0, "addr-unit", "SIZE", "what addr counts where the input does not say",
     .number = &settings.block, .least = 1, .most = 1u << 30},
    OPT_EXPR_ROW(&pass.test),
    {0},
};

static const struct program program = {
    .about = "write events as a trace of another format",
    .operands = "-T NAME [FILE...]",
    .examples =
	{"trace-convert -T spc -e 'asu = 0' Financial1.spc > asu0.spc",
	 "spc-cat -H Financial1.spc | awk '!/^[0-9]/ || NR % 2' | trace-convert -T spc"},
    .opts = opts,
    .reads = true,
};

/* Returns the encoder of the format `name`, the argument of -T, which is empty if there was none. Dies
 * if no format of that name can be written. */
static const struct encoder *
named(const char *name)
{
	char list[OPT_LIST];

	if (!*name)
		opt_die("the format to write is missing: -T NAME");
	for (size_t i = 0; encoders[i]; i++)
		if (!strcmp(encoders[i]->format->name, name))
			return encoders[i];
	opt_die("-T %s: no format that can be written (%s)", name,
		opt_list(list, target_name));
}

/* Returns the options of the target in -O, and removes them from the inputs' options, so that the inputs are
 * read without them. */
static const void *
take_options(const struct format *f)
{
	const void *options = f->settings ? format_options(&common.read, f) : NULL;

	for (struct format_values **at = &common.read.values, *v; (v = *at); at = &v->next)
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
	int status;

	opt_read(&program, argc, argv);
	common.write.form = &form_encode;
	common.write.of = &settings;
	settings.encoder = named(to);
	if (settings.encoder->directory)
		common.write.directory = settings.encoder->format->name;
	settings.format = take_options(settings.encoder->format);
	event_copy_parse(&pass);
	expr_refuse_parts(expr_in_order(pass.expr));
	event_copy_begin(&pass, &common.write, 0, &common.read);
	status = event_copy_read(&pass, &common.read, common.path, common.n);
	return event_copy_close(&pass, event_copy_finish(&pass, &common.read, status));
}
