/* dumpi2txt - print the MPI calls of DUMPI traces */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "dumpi/dumpi.h"
#include "event/formats.h"
#include "stream/sink.h"

enum {
	O_RANK = OPT_LONG,
	O_ALIGN,
	O_COMPAT,
	O_SIZES,
};

static const struct opt opts[] = {
    {'n', "native", NULL, "write one rank's whole records as a DUMPI file", "t b H A"},
    {'s', "serial", NULL, "rank after rank, not merged by time", NULL},
    {'M', "metadata", NULL, "print all but the calls: section, key, value",
     "t b n H A compat"},
    {O_RANK, "rank", "N", "the rank of a file whose name does not tell", NULL},
    {O_ALIGN, "align", "start", "times count from each rank's own MPI_Init", NULL},
    {O_SIZES, "sizes", "FILE", "sizes of MPI's datatypes: another rank's, or lp64", NULL},
    {O_COMPAT, "compat", "[=all]", "print what dumpi2ascii -S prints, or -a",
     "t b n H A compat"},
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

static void
put_pair(void *arg, const char *section, const void *key, size_t nkey, const void *value,
	 size_t nvalue)
{
	const struct span line[] = {
	    {(const uint8_t *)section, strlen(section)}, {key, nkey}, {value, nvalue}};

	sink_values(arg, line, 3);
}

/* The sections of all ranks. Those of a pipe, or without an index, come after the body. */
static void
put_metadata(struct source *s, struct sink *k)
{
	const struct dumpi_jobs *jobs = dumpi_jobs(s);
	static struct batch b;
	bool missing = false;
	char number[DUMPI_RANK_TEXT];

	for (size_t i = 0; i < dumpi_nranks(s); i++)
		missing |= !dumpi_rank(s, i)->sec.raw[SEC_HEADER].n ||
			   !dumpi_rank(s, i)->sec.raw[SEC_FOOTER].n;
	while (missing && source_next(s, &b))
		;
	for (size_t i = 0; i < jobs->n; i++) {
		const struct dumpi_job *j = &jobs->v[i];

		if (jobs->n > 1)
			put_pair(k, "job", number,
				 (size_t)snprintf(number, sizeof number, "%zu", i), j->name,
				 strlen(j->name));
		for (size_t m = 0; m < j->meta.n; m++)
			put_pair(k, "meta", j->meta.pair[m].key,
				 strlen(j->meta.pair[m].key), j->meta.pair[m].value,
				 strlen(j->meta.pair[m].value));
	}
	for (size_t i = 0; i < dumpi_nranks(s); i++) {
		const struct dumpi_rank *r = dumpi_rank(s, i);

		if (dumpi_nranks(s) > 1)
			put_pair(k, "rank", number, dumpi_rank_text(number, jobs, r),
				 r->name, strlen(r->name));
		dumpi_sections_each(&r->sec, put_pair, k);
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

/* What is no stream of events: all inputs, in our own way. */
static int
print_own(struct common *c, enum what what, char *const *paths, size_t n)
{
	struct trace t;
	struct sink k;

	c->form = 't';
	c->read.need = what == METADATA ? 0 : NEED_ARGS;
	sink_open(&k, c);
	trace_open(&t, &c->read, paths, n);
	while (trace_source(&t)) {
		if (what == METADATA)
			put_metadata(&t.src, &k);
		else if (what == COMPAT_ALL && late(&t.src))
			source_trouble(&t.src, "--compat=all begins with the header, which "
					       "stands at the end of this pipe");
		else
			dumpi_compat(&t.src, &k.out, what == COMPAT_ALL);
	}
	return sink_close(&k, trace_close(&t));
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
		case 'n': c.form = 'n'; break;
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
		case O_SIZES: dumpi.sizes = optarg; break;
		case O_COMPAT:
			if (optarg && strcmp(optarg, "all") != 0)
				opt_die("--compat=%s: nothing or all is expected", optarg);
			what = optarg ? COMPAT_ALL : COMPAT;
			break;
		}
	}
	if (dumpi.rank >= 0 && (argc - optind > 1 ||
				(argc > optind && fmt_dumpi.takes(argv[optind], &c.read))))
		opt_die("--rank is for one file");
	c.read.own = &dumpi;
	opt_expect(&c, &fmt_dumpi);
	if (what == EVENTS)
		return cat_run(&c, argv + optind, (size_t)(argc - optind));
	return print_own(&c, what, argv + optind, (size_t)(argc - optind));
}
