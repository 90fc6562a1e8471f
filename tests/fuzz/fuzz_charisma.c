/*
 * fuzz_charisma.c - see harness.h. The last byte is no part of the trace: it is the number
 * of the preset that the rest is read by (modulo 12), or, below 16, has the layout found
 * out. Detection throws nearly every changed header away, and takes most of the time.
 */
#define FUZZ_FORMAT fmt_charisma
#define FUZZ_OWN own
#define LLVMFuzzerTestOneInput fuzz_events
#include "charisma/charisma_trace.h"

static struct format_values *own;

#include "harness.h"
#undef LLVMFuzzerTestOneInput

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PRESETS 12

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct layout layouts[PRESETS];
	static struct charisma_options options[PRESETS];
	static struct format_values values[PRESETS];

	for (int i = 0; i < PRESETS && !options[i].layout; i++) {
		if (!layout_preset(&layouts[i], layout_presets[i]))
			abort();
		options[i] = (struct charisma_options){.layout = &layouts[i],
						       .async_window = CHARISMA_WINDOW};
		values[i] =
		    (struct format_values){.fmt = &fmt_charisma, .options = &options[i]};
	}
	if (!size)
		return 0;
	own = data[size - 1] < 16 ? NULL : &values[data[size - 1] % PRESETS];
	return fuzz_events(data, size - 1);
}
