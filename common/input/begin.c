/* begin.c - prepares reading, before the first input is opened. */
#include <string.h>

#include "base/die.h"
#include "base/pack.h"
#include "base/sandbox.h"
#include "base/unpack.h"
#include "input/trace.h"

bool
names_others(const struct read_options *opt, const char *path)
{
	const char *dot = strrchr(path, '.'), *index;

	for (size_t i = 0; dot && opt->known && opt->known[i]; i++) {
		index = format_inputs(opt->known[i])->index;
		if (index && !strcmp(dot, index))
			return true;
	}
	return false;
}

void
inputs_name(struct read_options *opt, const char *const *paths, size_t n)
{
	if (opt->labels && opt->labels != n)
		die("--label names %zu input%s, but there %s %zu: write one name for each, "
		    "with commas between",
		    opt->labels, opt->labels == 1 ? "" : "s", n == 1 ? "is" : "are", n);
	opt->operand = paths;
	opt->operands = n;
}

void
inputs_begin(const struct read_options *opt, const char *const *paths, size_t n)
{
	const struct format *f = opt->only ? opt->only : opt->expect;
	/* Counts the temporary files that inputs may need. A regular file needs some only because of an option or
	 * in a decoder. `others` is true if files may be read that are not among the paths. */
	bool others = opt->values || opt->states;
	unsigned most = 0, inputs = opt->expect || others;

	if (f)
		most = format_inputs(f)->temporaries;
	for (size_t i = 0; !f && opt->known[i]; i++)
		if (format_inputs(opt->known[i])->temporaries > most)
			most = format_inputs(opt->known[i])->temporaries;
	for (size_t i = 0; i < n; i++) {
		bool plain = pack_plain(paths[i]);

		inputs += !plain;
		others |= !plain || names_others(opt, paths[i]);
	}
	if (others)
		unpack_begin();
	progress_start();
	sandbox_enter(inputs * most * (1 + opt->rereads) + opt->own_temporaries);
}
