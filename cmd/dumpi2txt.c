/* dumpi2txt - print the MPI calls of DUMPI traces */
#include <unistd.h>

#include "die.h"
#include "dumpi.h"
#include "formats.h"
#include "num.h"
#include "sink.h"

static const struct opt opts[] = {{0}};
static const struct program program = {
    .about = "print the MPI calls of DUMPI traces",
    .operands = "[FILE...]",
    .opts = opts,
    .reads = true,
    .writes = true,
};

int
main(int argc, char **argv)
{
	struct dumpi_options dumpi = {.rank = -1};
	struct common c = {0};
	int o;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1)
		;
	c.read.own = &dumpi;
	if (!c.read.only)
		c.read.only = &fmt_dumpi;
	return cat_run(&c, argv + optind, (size_t)(argc - optind));
}
