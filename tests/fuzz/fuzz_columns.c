/*
 * fuzz_columns.c - the first line is a description of columns, or the name of a preset; the
 * rest are lines, which it must be able to read.
 */
#include "columns/columns.h"

static struct columns_options columns_of;
static struct format_values columns_own = {.fmt = &fmt_columns, .options = &columns_of};

#define FUZZ_FORMAT fmt_columns
#define FUZZ_OWN &columns_own
#define LLVMFuzzerTestOneInput fuzz_lines
#include "harness.h"
#undef LLVMFuzzerTestOneInput

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nl = size ? memchr(data, '\n', size) : NULL;
	size_t n = nl ? (size_t)(nl - data) : size;
	struct columns_layout *l;
	char why[320];

	l = columns_parse((const char *)data, n, why, sizeof why);
	columns_of.given[0].layout = l;
	columns_of.n = 1;
	if (l)
		fuzz_lines(data + n + (nl != NULL), size - n - (nl != NULL));
	columns_free(l);
	return 0;
}
