/* spc-cat - print the requests of SPC block I/O traces */
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "cli/opt.h"
#include "cli/formats.h"
#include "spc/spc.h"
#include "output/sink.h"

enum {
	O_BLOCK = OPT_LONG
};

static const struct opt opts[] = {
    {'n', "native", NULL, "write SPC, canonical: upper-case opcode, no blanks", "t b H A"},
    {O_BLOCK, "block", "N", "bytes of a block, for the metadata (512)", NULL},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "print the requests of SPC block I/O traces",
    .operands = "[FILE...]",
    .opts = opts,
    .reads = true,
    .writes = true,
};

int
main(int argc, char **argv)
{
	struct spc_options spc = {512, true};
	struct common c = {0};
	int o;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'n': c.write.form = &form_native; break;
		case O_BLOCK:
			spc.block = (uint32_t)num_option("--block", optarg, 1, 1 << 30);
			break;
		}
	}
	c.read.own = &spc;
	opt_expect(&c, &fmt_spc);
	return cat_run(&c, argv + optind, (size_t)(argc - optind));
}
