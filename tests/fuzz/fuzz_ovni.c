/* fuzz_ovni.c - a stream with all its options: as it lies, merged, with durations. */
#include <limits.h>

#include "ovni/ovni.h"

#include "cli/cli_formats.h"
#include "output/sink.h"
#include "trace-filter/natives.h"

static const struct native *const natives[] = {&native_ovni, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
run(const uint8_t *data, size_t size, struct ovni_options *own, unsigned need)
{
	static struct sink text, binary, native;
	static struct batch b;
	struct format_values values = {.fmt = &fmt_ovni, .options = own};
	struct read_options opt = {.need = need, .values = &values, .only = &fmt_ovni};
	struct source s;

	if (!text.out.buf) {
		struct write_options w = {
		    .form = &form_text, .header = true, .path = "/dev/null"};

		warn_skip(UINT_MAX);
		sink_open(&text, &w);
		w.form = &form_binary;
		sink_open(&binary, &w);
		w.form = &form_native;
		w.of = natives;
		w.header = false;
		sink_open(&native, &w);
	}
	if (!source_memory(&s, &opt, "fuzz", data, size))
		return;
	while (source_next(&s, &b)) {
		if (!(need & NEED_ARGS))
			continue;
		sink_put(&text, &s, &b, NULL, b.n);
		sink_put(&binary, &s, &b, NULL, b.n);
		if (need & NEED_RAW)
			sink_put(&native, &s, &b, NULL, b.n);
	}
	source_end(&s);
	if (need & NEED_ARGS) {
		sink_end(&text, &s);
		sink_end(&binary, &s);
		sink_end(&native, &s);
	}
	source_close(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ovni_options lie = {.serial = true}, merged = {.names = true},
				   pairs = {.pairs = true}, cpu = {.cpu = true}, none;

	run(data, size, &lie, NEED_ALL | NEED_RAW);
	run(data, size, &merged, NEED_ALL | NEED_RAW);
	run(data, size, &none, 0);
	run(data, size, &pairs, NEED_ALL | NEED_RAW);
	run(data, size, &cpu, NEED_ALL);
	return 0;
}
