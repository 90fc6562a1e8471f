/*
 * fuzz_charisma_layout.c - the text form of layouts: whatever it says, what it makes can be
 * computed, dumped, and used to read a trace.
 */
#include <limits.h>
#include <stdlib.h>

#include "charisma/charisma_trace.h"
#include "cli/cli_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Magic and version, little-endian; then records of type 0 to 19 with rising bytes. */
static size_t
trace(uint8_t *p, size_t n)
{
	static const uint8_t frame[8] = {0x67, 0x45, 0x23, 0x01, 1};

	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(i % 7 == 3 ? i / 7 : 0);
	memcpy(p, frame, sizeof frame);
	memset(p + 8, 0, 2);
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct layout l;
	static struct out dump;
	static struct batch b;
	struct charisma_options options = {.layout = &l, .async_window = 8};
	struct format_values values = {.fmt = &fmt_charisma, .options = &options};
	struct read_options opt = {.need = NEED_ALL | NEED_RAW, .values = &values};
	uint8_t bytes[4096];
	struct source s;
	char why[320];

	if (!dump.buf) {
		warn_skip(UINT_MAX);
		out_open(&dump, "/dev/null");
	}
	memset(&l, 0, sizeof l);
	if (!layout_parse(&l, (const char *)data, size, why, sizeof why))
		return 0;
	layout_dump(&l, &dump);
	opt.only = &fmt_charisma;
	if (!source_memory(&s, &opt, "fuzz", bytes, trace(bytes, sizeof bytes)))
		return 0;
	while (source_next(&s, &b))
		;
	source_end(&s);
	source_close(&s);
	return 0;
}
