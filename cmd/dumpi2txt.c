/* dumpi2txt - print the MPI calls of DUMPI traces */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dumpi/dumpi.h"
#include "input/fault.h"
#include "input/trace.h"
#include "cli/opt.h"
#include "cli/formats.h"
#include "output/sink.h"

enum {
	O_COMPAT = OPT_LONG,
};

static const struct opt opts[] = {
    {'n', "native", NULL, "write one rank's whole records as a DUMPI file", "t b H A"},
    {'M', "metadata", NULL, "print all but the calls: section, key, value",
     "t b n H A compat by-time"},
    {O_COMPAT, "compat", "[=all]", "print what dumpi2ascii -S prints, or -a",
     "t b n H A compat by-time"},
    {0},
};

static const struct program program = {
    .about = "print the MPI calls of DUMPI traces",
    .operands = "[FILE...]",
    .examples =
	{"dumpi2txt solver.meta | head",
	 "dumpi2txt -b solver.meta | trace-stats -e 'MPI_Wait*' -g rank -a 'sum(dur)'"},
    .opts = opts,
    .reads = true,
    .writes = true,
    .decodes = &fmt_dumpi,
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
put_metadata(void *arg, struct source *s)
{
	struct sink *k = arg;
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

static void
put_compat(void *arg, struct source *s)
{
	struct sink *k = arg;

	dumpi_compat(s, &k->out, false);
}

static void
put_compat_all(void *arg, struct source *s)
{
	struct sink *k = arg;

	if (late(s))
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "--compat=all begins with the header, which stands at "
		      "the end of this pipe");
	else
		dumpi_compat(s, &k->out, true);
}

/* What is no stream of events: all inputs, in our own way. */
static int
print_own(struct common *c, void (*put)(void *arg, struct source *s), char *const *paths,
	  size_t n)
{
	struct sink k;

	c->read.need = put == put_metadata ? 0 : NEED_ARGS;
	sink_open(&k, &c->write);
	return sink_close(&k, trace_each(&c->read, paths, n,
					 &(struct consumer){.whole = put, .arg = &k}));
}

int
main(int argc, char **argv)
{
	static struct common c;
	void (*own)(void *arg, struct source *s) = NULL;
	int o;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'M': own = put_metadata; break;
		case O_COMPAT:
			if (optarg && strcmp(optarg, "all") != 0)
				opt_die("--compat=%s: nothing or all is expected", optarg);
			own = optarg ? put_compat_all : put_compat;
			break;
		}
	}
	if (!own)
		return cat_run(&c, argv + optind, (size_t)(argc - optind));
	return print_own(&c, own, argv + optind, (size_t)(argc - optind));
}
