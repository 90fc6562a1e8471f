/* fuzz_dumpi.c - see harness.h; besides, dumpi2ascii's text, metadata and the native form.
 */
#define FUZZ_FORMAT fmt_dumpi
#define LLVMFuzzerTestOneInput fuzz_events
#include "harness.h"
#undef LLVMFuzzerTestOneInput

#include "dumpi/dumpi.h"
#include "dumpi/dumpi_trace.h"
#include "output/native.h"

static const struct native dumpi = {
    .format = "dumpi",
    .begin = dumpi_native_begin,
    .put = dumpi_native_put,
    .end = dumpi_native_end,
};
static const struct native *const natives[] = {&dumpi, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
drop(void *arg, const char *section, const void *key, size_t nkey, const void *value,
     size_t nvalue)
{
	(void)section;
	*(size_t *)arg += nkey + nvalue + (nkey ? *(const uint8_t *)key : 0) +
			  (nvalue ? *(const uint8_t *)value : 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sink native;
	static struct batch b;
	static struct out o;
	struct read_options opt = {.need = NEED_ARGS, .only = &fmt_dumpi};
	struct source s;
	size_t sum = 0;

	fuzz_events(data, size);
	if (!o.buf) {
		struct write_options w = {
		    .form = &form_native, .of = natives, .path = "/dev/null"};

		out_open(&o, "/dev/null");
		sink_open(&native, &w);
	}
	if (source_memory(&s, &opt, "fuzz", data, size)) {
		dumpi_compat(&s, &o, true);
		source_end(&s);
		dumpi_sections_each(&dumpi_rank(&s, 0)->sec, drop, &sum);
		source_close(&s);
	}
	/* Nothing but what statistics need; then the records themselves. */
	opt.need = NEED_TIME | NEED_DUR | NEED_SIZE | NEED_RAW;
	if (source_memory(&s, &opt, "fuzz", data, size)) {
		while (source_next(&s, &b))
			sink_put(&native, &s, &b, NULL, b.n);
		source_end(&s);
		sink_end(&native, &s);
		source_close(&s);
	}
	return 0;
}
