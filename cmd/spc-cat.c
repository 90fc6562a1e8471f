/* spc-cat - print the requests of SPC block I/O traces */
#include "cli/opt.h"
#include "cli/formats.h"

static const struct opt opts[] = {
    {'n', "native", NULL, "write SPC, canonical: upper-case opcode, no blanks", "t b H A",
     .form = &form_native},
    OPT_THREADS_ROW,
    {0},
};

static const struct program program = {
    .about = "print the requests of SPC block I/O traces",
    .operands = "[FILE...]",
    .examples = {"spc-cat Financial1.spc | head",
		 "spc-cat Financial1.spc | awk '$3 == \"W\" { n += $5 } END { print n }'"},
    .opts = opts,
    .reads = true,
    .writes = true,
    .decodes = &fmt_spc,
};

int
main(int argc, char **argv)
{
	opt_read(&program, argc, argv);
	return cat_run();
}
