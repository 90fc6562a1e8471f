/* opt_output.c - the options of programs that write events. */
#include "cli/opt.h"

const struct opt output_opts[] = {
    {'t', "text", NULL, "write the text stream", "b", .form = &form_text},
    {'b', "binary", NULL, "write the binary stream", .form = &form_binary},
    {'H', "header", NULL, "with a header: format, clock, names, metadata",
     .flag = &common.write.header},
    {'A', "absolute", NULL, "absolute times", .flag = &common.write.absolute},
    {0},
};
