/* cat.c - what all decoders do: events from the inputs to the output. */
#include "cli/opt.h"
#include "output/pass.h"

int
cat_run(const struct common *c, char *const *paths, size_t n)
{
	struct read_options opt = c->read;
	struct pass p = {.test = NULL};

	pass_begin(&p, &c->write, 0, &opt);
	return pass_close(&p, pass_read(&p, &opt, paths, n));
}
