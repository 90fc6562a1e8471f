/*
 * fuzz_reuse.c - events of a trace of any format, as trace-reuse and trace-access count them.
 *
 * The first byte of the input chooses the program and its options, the second more of them; the rest is the trace.
 * A curve that rises, misses that are more than the references, or a rest beyond all distances that is not what
 * is cold, is an abort. Needs memory files (Linux).
 */
#define _GNU_SOURCE
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "own_files.h"
#include "dies.h"
#include "trace-access/access_sections.h"
#include "cli/cli_formats.h"
#include "merge/merged.h"
#include "trace-reuse/tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(what)                                                                     \
	do {                                                                           \
		if (!(what)) {                                                         \
			fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #what); \
			abort();                                                       \
		}                                                                      \
	} while (0)

#define PICK(list, i) ((list)[(i) % (sizeof(list) / sizeof *(list))])

static unsigned option[2];
static int input = -1;
static char path[32];

/* A fall by halves of the sample is an estimate: what is beyond a size is right at the multiples of 2^level. */
static void
look_at(const struct curve *c)
{
	uint64_t all = curve_references(c, REUSE_WAYS), cold = curve_cold(c, REUSE_WAYS),
		 last = UINT64_MAX, d = 1;

	MUST(c->level || curve_warm(c, REUSE_WAYS) + cold == all);
	for (; d && last; d *= 2) {
		uint64_t now = curve_beyond(c, REUSE_WAYS, d);

		MUST(now <= last);
		MUST(now ==
		     curve_beyond(c, REUSE_READ, d) + curve_beyond(c, REUSE_WRITE, d));
		last = now;
	}
	MUST(!last);
}

static const enum reuse_table tables[] = {REUSE_CURVE, REUSE_HIST, REUSE_WORKING_SET,
					  REUSE_WINDOWS, REUSE_SUMMARY};

static void
reuse(void *arg)
{
	static const char *const groups[] = {NULL, "loc", "event,size", "time"};
	static const char *const values[] = {NULL, NULL, "addr", "event",
					     "addr // 4096 + prev.size"};
	static const uint32_t most[] = {0, 0, 16, 300, 1u << 16};
	static const uint64_t block[] = {4096, 1, 512, 1000, 1ull << 40};
	enum reuse_table table = PICK(tables, option[1] >> 3);
	bool aet = option[1] >> 6 == 1 && table == REUSE_CURVE;
	bool curve = table == REUSE_CURVE || table == REUSE_HIST;
	struct reuse_question q = {
	    .policy = option[1] >> 6 == 3 && curve ? REUSE_OPT : REUSE_LRU,
	    .groups = PICK(groups, option[0] >> 1),
	    .value = PICK(values, option[0] >> 3),
	    .most = PICK(most, option[0] >> 5),
	    .block = PICK(block, option[1]),
	    .weight = option[0] & 128 ? "size" : NULL,
	    .times = aet || table == REUSE_WORKING_SET || table == REUSE_SUMMARY,
	    .counts = table == REUSE_SUMMARY,
	    .flat = aet || table == REUSE_WORKING_SET || table == REUSE_WINDOWS,
	    .window = table == REUSE_WINDOWS ? "1" : NULL,
	};
	struct reuse_options how = {.table = table};
	struct read_options opt = {.known = formats, .sniffers = sniffers};
	char *const paths[] = {path};
	struct reuse x;
	struct out o;

	(void)arg;
	q.objects = how.objects = option[1] >> 6 == 2 && curve && q.value;
	if (q.objects && !q.weight && table == REUSE_CURVE && option[0] & 1)
		q.policy = REUSE_LRU_ENTRY;
	q.times |= q.policy != REUSE_LRU;
	q.most = q.policy != REUSE_LRU ? 0 : q.most;
	reuse_sizes(&how, "log", q.block);
	if (q.objects || q.policy != REUSE_LRU)
		reuse_edges(&how, &q);
	reuse_open(&x, &q);
	reuse_read(&x, &opt, paths, 1, NULL, NULL);
	out_memory(&o, NULL);
	reuse_put(&x, &how, &o);
	for (size_t g = 0; g < x.ncurves && !q.flat; g++)
		look_at(&x.curve[g]);
	reuse_check(&x);
	out_memory_close(&o);
	reuse_free(&x);
	free(how.at);
	free(how.edge);
}

static void
regular(void *arg)
{
	struct access_question q = ACCESS_DEFAULTS;
	struct access_options how = {.report = true,
				     .style = option[0] & 2 ? TABLE_TSV : TABLE_TABS};
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .merge = &merge_by_time.is};
	char *const paths[] = {path};
	struct access x;
	struct out o;

	(void)arg;
	q.sections = (1u << ACCESS_SECTIONS) - 1;
	/* A million blocks, as it keeps them otherwise, are more than the meter allows. */
	q.keys = option[0] & 4 ? 16 : 1u << 16;
	q.memory = option[0] & 8 ? 1 : STREAMS_MOST;
	q.block = option[1] & 1 ? 1 : 4096;
	access_open(&x, &q);
	access_read(&x, &opt, paths, 1, NULL);
	access_finish(&x);
	out_memory(&o, NULL);
	access_put(&x, &how, &o);
	out_memory_close(&o);
	access_free(&x);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (input < 0) {
		warn_skip(UINT_MAX);
		input = memfd_create("in", 0);
		if (input < 0)
			abort();
		snprintf(path, sizeof path, "/proc/self/fd/%d", input);
	}
	if (size < 2)
		return 0;
	option[0] = data[0];
	option[1] = data[1];
	if (ftruncate(input, 0) < 0 ||
	    pwrite(input, data + 2, size - 2, 0) != (ssize_t)(size - 2))
		abort();
	if (!survives(option[0] & 1 ? regular : reuse, NULL)) {
		for (int fd = input + 1; fd < input + 16; fd++)
			close(fd);
	}
	return 0;
}
