/*
 * fuzz_delimited.c - the first line is a description of columns, or the name of a preset; the
 * rest are lines, which it must be able to read.
 */
#include "delimited/delimited.h"

static struct delimited_options delimited_of;
static struct format_values delimited_own = {.fmt = &fmt_delimited,
					     .options = &delimited_of};

#define FUZZ_FORMAT fmt_delimited
#define FUZZ_OWN &delimited_own
#define LLVMFuzzerTestOneInput fuzz_lines
#include "harness.h"
#undef LLVMFuzzerTestOneInput

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nl = size ? memchr(data, '\n', size) : NULL;
	size_t n = nl ? (size_t)(nl - data) : size;
	struct delimited_layout *l;
	char why[320];

	l = delimited_parse((const char *)data, n, why, sizeof why);
	delimited_of.given[0].layout = l;
	delimited_of.n = 1;
	if (l)
		fuzz_lines(data + n + (nl != NULL), size - n - (nl != NULL));
	delimited_free(l);
	return 0;
}
