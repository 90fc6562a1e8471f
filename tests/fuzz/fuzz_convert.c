/*
 * fuzz_convert.c - events of whatever the bytes are, as records of each format that can be
 * written.
 *
 * What was written without trouble our own reader must find good, with as many events. What
 * it reads is written again, and once more: the last two must be the same bytes. A
 * difference is an abort.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma_trace.h"
#include "cli/cli_formats.h"
#include "trace-convert/encode.h"
#include "laplace/laplace.h"
#include "output/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Options that say what the bytes alone may leave open. */
static struct layout layout;
static const struct charisma_options charisma = {.layout = &layout};
static const struct laplace_options laplace = {.order = ORDER_LITTLE};

static const void *
options_of(const struct format *f)
{
	return f == &fmt_charisma  ? (const void *)&charisma
	       : f == &fmt_laplace ? (const void *)&laplace
				   : f->settings->defaults;
}

/* The events of `in` as records of format `to`; *n = how many were read. `only`: the format
 * of `in`, or NULL. False where there was trouble, or no format knows `in`. */
static bool
convert(const struct buf *in, const struct format *only, const struct encoder *to,
	struct buf *out, uint64_t *n)
{
	static struct batch b;
	struct format_values own = {.fmt = only};
	struct read_options opt = {.known = formats, .sniffers = sniffers, .only = only};
	const struct encode_options how = {
	    .encoder = to, .format = options_of(to->format), .block = 512};
	struct sink k = {.opt = {.form = &form_encode, .of = &how}};
	struct source s;
	bool trouble;

	if (only && only->settings) {
		own.options = (void *)(uintptr_t)options_of(only);
		opt.values = &own;
	}
	out->n = *n = 0;
	out_memory(&k.out, out);
	sink_begin(&k, 0, &opt);
	trouble = !source_memory(&s, &opt, "fuzz", in->p, in->n);
	if (!trouble) {
		while (source_next(&s, &b))
			sink_put(&k, &s, &b, NULL, b.n);
		*n = s.count.events;
		source_end(&s);
		sink_end(&k, &s);
		trouble = s.trouble;
		source_close(&s);
	}
	trouble |= form_encode.close(&k) != ST_OK;
	out_flush(&k.out);
	out_memory_close(&k.out);
	return !trouble;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf in = {0}, first = {0}, second = {0}, third = {0};
	uint64_t events, read, again;

	if (!layout.nrecords) {
		warn_skip(UINT_MAX);
		layout_preset(&layout, "lp64-le");
	}
	buf_add(&in, data, size);
	for (size_t i = 0; encoders[i]; i++) {
		const struct encoder *to = encoders[i];
		const struct format *f = to->format;

		if (to->directory || !convert(&in, NULL, to, &first, &events) || !first.n)
			continue;
		if (!convert(&first, f, to, &second, &read) ||
		    !convert(&second, f, to, &third, &again))
			abort();
		/* A header record or an end may have been added. */
		if (read < events || read > events + 1 || again != read ||
		    second.n != third.n || memcmp(second.p, third.p, third.n) != 0)
			abort();
	}
	buf_free(&in);
	buf_free(&first);
	buf_free(&second);
	buf_free(&third);
	return 0;
}
