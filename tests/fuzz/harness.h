/*
 * harness.h - one decoder over (buffer, length): everything is decoded, printed, and thrown
 * away. A format of the table has a harness without being told. One that needs more is a
 * file fuzz_NAME.c that defines FUZZ_FORMAT (a struct format, or nothing to find it out)
 * and perhaps FUZZ_OWN (its options, a struct format_values), and includes this.
 * fuzz/main.c replays files with it where there is no libFuzzer.
 */
#include <limits.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_formats.h"
#include "output/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sink text, binary;
	static struct batch b;
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL | NEED_RAW};
	struct source s;

	if (!text.out.buf) {
		struct write_options w = {
		    .form = &form_text, .header = true, .path = "/dev/null"};

		warn_skip(UINT_MAX);
		sink_open(&text, &w);
		w.form = &form_binary;
		sink_open(&binary, &w);
	}
#ifdef FUZZ_FORMAT
	opt.only = &FUZZ_FORMAT;
#endif
#ifdef FUZZ_OWN
	opt.values = FUZZ_OWN;
#endif
	if (!source_memory(&s, &opt, "fuzz", data, size))
		return 0;
	while (source_next(&s, &b)) {
		sink_put(&text, &s, &b, NULL, b.n);
		sink_put(&binary, &s, &b, NULL, b.n);
	}
	source_end(&s);
	sink_end(&text, &s);
	sink_end(&binary, &s);
	source_close(&s);
	return 0;
}
