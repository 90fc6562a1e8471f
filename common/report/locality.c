/* locality.c - tables of trace-access and trace-reuse on the page: the inputs are read again for them. */
#include <stdlib.h>

#include "access/access.h"
#include "input/merged.h"
#include "report/report.h"
#include "reuse/reuse.h"

struct locality {
	struct access access;
	struct reuse reuse;
};

int
locality_read(struct report *p, const struct read_options *opt)
{
	static const struct merge_options in_time = {.align = ALIGN_ORIGIN, .pass = true};
	static const struct access_question q = ACCESS_DEFAULTS;
	static const struct reuse_question curve = {.block = 4096, .most = 1u << 16};
	const struct report_options *how = &p->counts.how;
	struct access_question all = q;
	struct locality *l = p->locality = xcalloc(1, sizeof *l);
	struct read_options read = *opt;
	struct expr *e = expr_parse(how->plot.test);
	int status;

	/* Not its rows by file and job. */
	all.sections = ACCESS_SUMMARY;
	access_open(&l->access, &all);
	if (!read.merge)
		read.merge = &in_time;
	status = access_read(&l->access, &read, how->paths, how->n, e);
	status |= access_finish(&l->access, read.known);
	reuse_open(&l->reuse, &curve);
	read = *opt;
	status |= reuse_read(&l->reuse, &read, how->paths, how->n, e, how->plot.test);
	expr_free(e);
	return status ? ST_TROUBLE : ST_OK;
}

void
locality_grids(const struct report *p, void (*put)(void *arg, struct grid *g), void *arg)
{
	struct grid g;

	if (!p->locality)
		return;
	access_grids(&p->locality->access, true, put, arg);
	reuse_grid(&p->locality->reuse, &g);
	put(arg, &g);
}

void
locality_free(struct report *p)
{
	if (!p->locality)
		return;
	access_free(&p->locality->access);
	reuse_free(&p->locality->reuse);
	free(p->locality);
}
