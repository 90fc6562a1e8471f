/* trace-filter - pass on the events that an expression is true for */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "die.h"
#include "expr.h"
#include "num.h"
#include "put.h"
#include "sink.h"
#include "table.h"

static const struct opt opts[] = {
    {'v', "invert", NULL, "pass on the events that do not match"},
    {'c', "count", NULL, "only print how many match"},
    {'q', "quiet", NULL, "print nothing; the status tells whether one matched"},
    {'m', "max", "N", "stop after N events that match"},
    {'F', "fields", "LIST", "write only these fields, as a table; absent is -"},
    {'n', "native", NULL, "write the native records as they stood"},
    {'d', "dump", NULL,
     "print the compiled expression, for every type of event in the input"},
    {0},
};

static const struct program program = {
    .about = "pass on the events that an expression is true for",
    .operands = "EXPR [FILE...]",
    .opts = opts,
    .reads = true,
    .writes = true,
};

struct filter {
	struct expr *expr;
	struct sink sink;
	struct table table;
	bool invert, count, quiet, fields;
	FILE *dump; /* -d: collected in memory, since output may go to a file of -o */
	char *dumped;
	size_t ndumped;
	uint64_t most, matched;
};

/* The numbers in 0..n that are not in pick[0..m), which is sorted. */
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

/* One batch. False when nothing more is wanted. */
static bool
filter(struct filter *f, struct source *s, const struct batch *b)
{
	uint32_t pick[BATCH], n = expr_run(f->expr, s, b, pick);

	if (f->invert)
		n = inverted(pick, n, b->n);
	if (n > f->most - f->matched)
		n = (uint32_t)(f->most - f->matched);
	f->matched += n;
	if (f->fields)
		table_put(&f->table, s, b, pick, n);
	else if (!f->count && !f->quiet && !f->dump)
		sink_put(&f->sink, s, b, pick, n);
	return f->matched < f->most && !(f->quiet && f->matched);
}

static void
on_end(struct source *s, void *arg)
{
	struct filter *f = arg;

	if (f->dump)
		expr_print_programs(f->expr, s, f->dump);
	else if (!f->count && !f->quiet && !f->fields)
		sink_end(&f->sink, s);
}

static void
check_options(const struct filter *f, const struct common *c, const char *fields)
{
	if (fields && (c->form == 'b' || c->form == 'n'))
		opt_die("-F contradicts -%c: it writes a table", c->form);
	if (f->count + f->quiet + (f->dump != NULL) > 1)
		opt_die("-c, -q and -d contradict each other");
	if (fields && f->count + f->quiet + (f->dump != NULL))
		opt_die("-F contradicts -c, -q and -d, which write no events");
}

int
main(int argc, char **argv)
{
	struct filter f = {.most = UINT64_MAX};
	struct common c = {0};
	struct batch *b;
	const char *fields = NULL;
	struct trace t;
	unsigned need;
	int o, status;

	prog_start(argv[0]);
	b = xcalloc(1, sizeof *b);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'v': f.invert = true; break;
		case 'c': f.count = true; break;
		case 'q': f.quiet = true; break;
		case 'd':
			if (!f.dump)
				f.dump = open_memstream(&f.dumped, &f.ndumped);
			if (!f.dump)
				die("out of memory");
			break;
		case 'm': f.most = num_option("-m", optarg, 0, UINT64_MAX); break;
		case 'F': fields = optarg; break;
		case 'n': opt_form(&c, 'n'); break;
		}
	}
	check_options(&f, &c, fields);
	if (optind == argc)
		opt_die("an expression is missing");
	f.expr = expr_parse(argv[optind++]);
	need = expr_need(f.expr);
	if (f.count || f.quiet || f.dump || fields)
		c.form = 't'; /* what is printed is text, whatever the input */
	sink_open(&f.sink, &c);
	if (fields) {
		f.fields = true;
		table_open(&f.table, &f.sink.out, fields, c.header);
		f.table.absolute = c.absolute;
		need |= table_need(&f.table) | NEED_ORDER;
	}
	if (f.count || f.quiet || f.dump || fields) {
		c.read.need = need;
		/* What -m cuts off must be the last, so the order counts. */
		c.read.need |= f.most < UINT64_MAX ? NEED_ORDER : 0;
	} else
		sink_needs(&f.sink, need, &c.read);
	if (f.dump)
		expr_print_tree(f.expr, f.dump);
	trace_open(&t, &c.read, argv + optind, (size_t)(argc - optind));
	t.done = on_end;
	t.done_arg = &f;
	while (f.most && trace_next(&t, b)) {
		if (!filter(&f, &t.src, b)) {
			t.src.stop = true;
			break;
		}
	}
	status = trace_close(&t);
	if (f.quiet && f.matched)
		return ST_OK;
	if (expr_finish(f.expr) != ST_OK || (fields && table_close(&f.table) != ST_OK))
		status = ST_TROUBLE;
	if (status == ST_OK && !f.matched && !f.dump)
		status = ST_NONE;
	if (f.count) {
		uint8_t *p = out_room(&f.sink.out);

		p = put_u64(p, f.matched);
		*p++ = '\n';
		f.sink.out.p = p;
	}
	if (f.dump) {
		if (fclose(f.dump) != 0)
			die("out of memory");
		out_bytes(&f.sink.out, f.dumped, f.ndumped);
		free(f.dumped);
	}
	status = sink_close(&f.sink, status);
	expr_free(f.expr);
	buf_free(&b->own);
	free(b);
	return status;
}
