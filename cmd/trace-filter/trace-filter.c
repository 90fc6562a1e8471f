/* trace-filter - pass on the events that an expression is true for */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "base/put.h"
#include "trace-filter/listing.h"
#include "view/field.h"
#include "cells/row_writer.h"
#include "cells/event_copy.h"
#include "dumpi/dumpi.h"
#include "trace-filter/natives.h"

struct filter_run {
	struct event_copy pass;
	bool invert, count, quiet;
	bool ended; /* by --head or -q: the input was not read to its end */
	FILE *dump; /* -d: collected in memory, since output may go to a file of -o */
	char *dumped;
	size_t ndumped;
	uint64_t most, matched;
};
static struct filter_run run = {.most = UINT64_MAX};
static bool dump, events, functions, csv, tsv, json;

/* Formats whose records -n does not just copy. */
static const struct native dumpi = {
    .format = "dumpi",
    .begin = dumpi_native_begin,
    .put = dumpi_native_put,
    .end = dumpi_native_end,
};
static const struct native *const natives[] = {&dumpi, &native_charisma, &native_ovni,
					       NULL};

static struct row_writer_options cells;

static const struct opt opts[] = {
    {'v', "invert", NULL, "pass on the events that do not match", .flag = &run.invert},
    {'c', "count", NULL, "only print how many match", "q F d", .flag = &run.count},
    {'q', "quiet", NULL, "print nothing; the status tells whether one matched", "F d",
     .flag = &run.quiet},
    {0, "head", "N", "write only the first N rows or events", .number = &run.most,
     .most = UINT64_MAX},
    {'F', "fields", "LIST", "write these fields and values, as columns", "d b n",
     .text = &cells.fields, .word = field_column_name, .list = true},
    {0, "csv", NULL, "the table as CSV", "b n", .flag = &csv},
    {0, "tsv", NULL, "the table with TABs, and no # before the names", "b n csv",
     .flag = &tsv},
    {'J', "json", NULL, "the output as JSON", "b n csv tsv", .flag = &json},
    OPT_KEY_ROW(&cells.keys),
    {'n', "native", NULL, "write the records in the input's own format", "t b H A",
     .form = &form_native},
    {0, "events", NULL, "print what events formats have, read nothing",
     "v c q head F n d b H A", .flag = &events},
    {0, "functions", NULL, "print the functions of expressions, read nothing",
     "v c q head F n d b H A events", .flag = &functions},
    {'d', "dump", NULL, "print what the expression was compiled to", .flag = &dump},
    OPT_THREADS_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "pass on the events that an expression is true for",
    .operands = "EXPR [FILE...]",
    .examples = {"trace-filter 'W and size >= 8K' Financial1.spc",
		 "trace-filter -c 'MPI_Wait* and dur > 1ms' solver.meta"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
};

/* Replaces pick[0..m), which is sorted, by the other numbers in 0..n. Returns how many there are. */
static uint32_t
inverted(uint32_t *pick, uint32_t m, uint32_t n)
{
	bool in[BATCH] = {false};
	uint32_t k = 0;

	for (uint32_t i = 0; i < m; i++)
		in[pick[i]] = true;
	for (uint32_t i = 0; i < n; i++)
		if (!in[i])
			pick[k++] = i;
	return k;
}

/* Takes one batch. Returns false if no more events are wanted. */
static bool
filter(void *arg, struct source *s, const struct batch *b)
{
	struct filter_run *f = arg;
	uint32_t pick[BATCH], n = expr_run(f->pass.expr, s, b, pick);

	if (expr_type_wrong(f->pass.expr))
		return true;
	if (f->invert)
		n = inverted(pick, n, b->n);
	if (n > f->most - f->matched)
		n = (uint32_t)(f->most - f->matched);
	f->matched += n;
	sink_see(&f->pass.sink, s, b);
	sink_put(&f->pass.sink, s, b, pick, n);
	f->ended = f->matched >= f->most || (f->quiet && f->matched);
	return !f->ended;
}

static void
filter_open_own(void *own)
{
	((struct filter_run *)own)->matched = 0;
}

static bool
add_own(void *arg, void *from)
{
	struct filter_run *f = arg, *own = from;

	f->matched += own->matched;
	f->ended = own->ended;
	own->matched = 0;
	return !f->ended;
}

static void
filter_end_input(void *arg, struct source *s)
{
	struct filter_run *f = arg;

	sink_end(&f->pass.sink, s);
	if (f->dump)
		expr_print_types(f->pass.expr, s, f->dump);
}

/* Writes what is known only at the end: the count and the dump. Returns the exit status:
 * `status`, unless nothing matched or fields are missing. */
static int
filter_finish(struct filter_run *f, int status)
{
	if (!f->ended)
		status = event_copy_finish(&f->pass, &common.read, status);
	if (f->count) {
		uint8_t *p = put_u64(out_room(&f->pass.sink.out), f->matched);

		*p++ = '\n';
		f->pass.sink.out.p = p;
	}
	if (f->dump) {
		if (fclose(f->dump) != 0)
			die("out of memory");
		out_bytes(&f->pass.sink.out, f->dumped, f->ndumped);
		free(f->dumped);
	}
	f->pass.sink.cut = f->ended;
	return status == ST_OK && !f->matched && !f->dump ? ST_NONE : status;
}

static void
choose_form(void)
{
	const char *table = csv ? "--csv" : tsv ? "--tsv" : json ? "-J" : NULL;

	common.write.of =
	    common.write.form == &form_native ? (const void *)natives : &cells;
	if (table && !cells.fields)
		opt_die("%s needs -F LIST, its columns", table);
	if (run.count || run.quiet || dump)
		common.write.form = &form_none;
	else if (cells.fields)
		common.write.form = csv	   ? &form_csv
				    : tsv  ? &form_tsv
				    : json ? &form_jsonl
					   : &form_fields;
}

/* Returns true if an only operand must be a file rather than an expression: nothing is piped in, or
 * its name has a point or a slash. */
static bool
must_be_file(const char *name)
{
	struct stat st;

	return strpbrk(name, "./") || fstat(0, &st) != 0 || S_ISCHR(st.st_mode);
}

int
main(int argc, char **argv)
{
	struct event_copy_kind kind = {
	    sizeof run, filter, filter_end_input, filter_open_own, add_own, NULL, false};
	bool file;
	int status;

	opt_read(&program, argc, argv);
	if (events || functions) {
		if (common.n)
			opt_die("--%s takes no operands: %s",
				events ? "events" : "functions", *common.path);
		return listing_print(events);
	}
	if (!common.n)
		opt_die("an expression is missing");
	run.pass.test = *common.path++;
	file = access(run.pass.test, F_OK) == 0;
	if (--common.n && file && access(*common.path, F_OK) != 0)
		opt_die("%s is a file, and %s is none: the expression comes first",
			run.pass.test, *common.path);
	if (!common.n && file && must_be_file(run.pass.test))
		opt_die("%s is a file: the expression comes first", run.pass.test);
	run.pass.keys = cells.keys;
	event_copy_parse(&run.pass);
	expr_refuse_parts(expr_in_order(run.pass.expr));
	choose_form();
	/* Events that --head cuts off must be the last ones, so the order counts. */
	event_copy_begin(&run.pass, &common.write, run.most < UINT64_MAX ? NEED_ORDER : 0,
			 &common.read);
	/* The dump begins with the tree. */
	if (dump) {
		run.dump = open_memstream(&run.dumped, &run.ndumped);
		if (!run.dump)
			die("out of memory");
		expr_print_tree(run.pass.expr, run.dump);
	}
	/* Even with --head 0, the beginning and the end of a stream are written. */
	kind.alone = dump || run.most < UINT64_MAX;
	run.pass.kind = &kind;
	status = event_copy_read(&run.pass, &common.read, common.path, common.n);
	if (file && !run.ended && !run.matched)
		warn("%s is also a file: the expression comes first", run.pass.test);
	if (run.quiet && run.matched)
		return ST_OK;
	return event_copy_close(&run.pass, filter_finish(&run, status));
}
