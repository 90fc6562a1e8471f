/* cat.c - what all decoders do: events from the inputs to the output. */
#include "cli/opt.h"
#include "output/pass.h"

int
cat_run(void)
{
	struct read_options opt = common.read;
	struct pass p = {.test = NULL};

	pass_begin(&p, &common.write, 0, &opt);
	return pass_close(&p, pass_read(&p, &opt, common.path, common.n));
}
