/* dumpi2txt - print the MPI calls of DUMPI traces */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "dumpi.h"
#include "formats.h"
#include "num.h"
#include "sink.h"
#include "value.h"

enum {
	O_RANK = OPT_LONG,
	O_ALIGN,
	O_COMPAT,
};

static const struct opt opts[] = {
    {'n', "native", NULL, "write a DUMPI file of one rank's whole records, index made new"},
    {'s', "serial", NULL, "rank after rank, not merged by time"},
    {'M', "metadata", NULL, "print what stands beside the calls: section, key, value"},
    {O_RANK, "rank", "N", "the rank of a file whose name does not tell"},
    {O_ALIGN, "align", "start", "times count from each rank's own MPI_Init"},
    {O_COMPAT, "compat", "[=all]", "print dumpi2ascii's text: its -S form, or its -a form"},
    {0},
};

static const struct program program = {
    .about = "print the MPI calls of DUMPI traces",
    .operands = "[FILE...]",
    .opts = opts,
    .reads = true,
    .writes = true,
};

enum what {
	EVENTS,
	METADATA,
	COMPAT,
	COMPAT_ALL,
};

/* One line of -M. */
static void
put_pair(void *arg, const char *section, const void *key, size_t nkey, const void *value,
	 size_t nvalue)
{
	struct out *o = arg;
	struct buf b = {0};

	buf_add(&b, section, strlen(section));
	buf_add(&b, "\t", 1);
	value_str(&b, key, nkey);
	buf_add(&b, "\t", 1);
	value_str(&b, value, nvalue);
	buf_add(&b, "\n", 1);
	out_bytes(o, b.p, b.n);
	buf_free(&b);
}

/* The sections of all ranks. Those of a pipe, or without an index, come after the body. */
static void
put_metadata(struct source *s, struct out *o)
{
	static struct batch b;
	bool missing = false;
	char number[32];

	for (size_t i = 0; i < dumpi_nranks(s); i++)
		missing |= !dumpi_rank(s, i)->sec.raw[SEC_HEADER].n ||
			   !dumpi_rank(s, i)->sec.raw[SEC_FOOTER].n;
	while (missing && source_next(s, &b))
		;
	for (size_t i = 0; i < dumpi_nranks(s); i++) {
		const struct dumpi_rank *r = dumpi_rank(s, i);

		if (dumpi_nranks(s) > 1)
			put_pair(o, "rank", number,
				 (size_t)snprintf(number, sizeof number, "%lld",
						  (long long)r->number),
				 r->name, strlen(r->name));
		dumpi_sections_each(&r->sec, put_pair, o);
	}
	buf_free(&b.own);
}

/* A pipe whose sections are not yet known. */
static bool
late(const struct source *s)
{
	return dumpi_nranks(s) == 1 && !dumpi_rank(s, 0)->sec.loaded &&
	       !dumpi_rank(s, 0)->ended;
}

static int
run(const struct common *c, enum what what, char *const *paths, size_t n)
{
	struct trace t;
	struct out o;
	int status;

	if (!out_open(&o, c->path))
		die("%s:", c->path);
	o.line |= c->line;
	trace_open(&t, &c->read, paths, n);
	while (trace_source(&t)) {
		if (t.src.fmt != &fmt_dumpi)
			source_trouble(&t.src, "not a DUMPI trace");
		else if (what == METADATA)
			put_metadata(&t.src, &o);
		else if (what == COMPAT_ALL && late(&t.src))
			source_trouble(&t.src, "--compat=all begins with the header, which "
					       "stands at the end of this pipe");
		else
			dumpi_compat(&t.src, &o, what == COMPAT_ALL);
	}
	status = trace_close(&t);
	if (c->path && status == ST_TROUBLE)
		warn("%s: not written, as not all went well (> keeps what there is)",
		     c->path);
	return out_close(&o, status != ST_TROUBLE) == ST_OK ? status : ST_TROUBLE;
}

int
main(int argc, char **argv)
{
	struct dumpi_options dumpi = {.rank = -1};
	struct common c = {0};
	enum what what = EVENTS;
	int o;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'n': opt_form(&c, 'n'); break;
		case 's': dumpi.serial = true; break;
		case 'M': what = METADATA; break;
		case O_RANK:
			dumpi.rank = (int64_t)num_option("--rank", optarg, 0, INT32_MAX);
			break;
		case O_ALIGN:
			if (strcmp(optarg, "start") != 0)
				opt_die("--align %s: only start is known", optarg);
			dumpi.align = true;
			break;
		case O_COMPAT:
			if (optarg && strcmp(optarg, "all") != 0)
				opt_die("--compat=%s: nothing or all is expected", optarg);
			what = optarg ? COMPAT_ALL : COMPAT;
			break;
		}
	}
	if (dumpi.rank >= 0 && argc - optind > 1)
		opt_die("--rank is for one file");
	c.read.own = &dumpi;
	if (!c.read.only)
		c.read.only = &fmt_dumpi;
	if (what == EVENTS)
		return cat_run(&c, argv + optind, (size_t)(argc - optind));
	c.read.need = what == METADATA ? 0 : NEED_ARGS;
	return run(&c, what, argv + optind, (size_t)(argc - optind));
}
