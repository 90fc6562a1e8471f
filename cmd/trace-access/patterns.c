/* patterns.c - sequential, consecutive and strided requests.
 *
 * A request of a flow after its first is sequential if it begins above the begin of the previous one, and
 * consecutive if it begins at the end of the previous one (Kotz, Nieuwejaar: "Dynamic file-access
 * characteristics of a production parallel scientific workload", 1994). The gap is from that end to the begin.
 *
 * A run is three or more successive requests of a flow with one size and one difference of addresses; a request
 * is in one run at most, the first that it fits. A nested run is three or more successive runs with equal
 * numbers of requests, sizes and differences, and one difference of their begins. */
#include <stdlib.h>

#include "trace-access/access.h"

#define LEAST_RUN 3

/* Adds (v, below) to the values of f. */
static void
few_add(struct few *f, uint64_t v, bool below)
{
	for (unsigned i = 0; i < f->n && i < 4; i++)
		if (f->v[i] == v && f->below[i] == below)
			return;
	if (f->n < 4) {
		f->v[f->n] = v;
		f->below[f->n] = below;
	}
	f->n = f->n < 5 ? (uint8_t)(f->n + 1) : 5;
}

enum file_class
file_class(const struct access_file *f)
{
	return f->did == 3   ? CLASS_BOTH
	       : f->did == 2 ? CLASS_WRITTEN
	       : f->did	     ? CLASS_READ
			     : CLASS_OPENED;
}

static void
count_run(struct run_count *c, uint64_t runs, uint64_t n)
{
	c->runs++;
	c->requests += n;
	c->longest = runs > c->longest ? runs : c->longest;
}

static void
end_outer(struct access *x, struct flow *f)
{
	if (f->nouter >= LEAST_RUN)
		count_run(&x->runs[RUN_NESTED], f->nouter,
			  (uint64_t)f->nouter * f->outer.n);
	f->nouter = 0;
}

/* Adds a run that has ended, and that began at `at`, to nested runs. */
static void
add_outer(struct access *x, struct flow *f, uint64_t at)
{
	const struct access_run *r = &f->run, *before = &f->outer;
	uint64_t step = at - before->at;
	bool back = at < before->at;

	if (f->nouter && (before->n != r->n || before->size != r->size ||
			  before->step != r->step || before->back != r->back))
		end_outer(x, f);
	if (f->nouter > 1 && (step != f->outer_step || back != f->outer_back)) {
		end_outer(x, f);
		/* The previous run may begin the next nested run. */
		f->nouter = 1;
	}
	if (f->nouter) {
		f->outer_step = step;
		f->outer_back = back;
	}
	f->outer = *r;
	f->outer.at = at;
	f->nouter++;
}

/* Ends the run of the last requests. */
static void
end_run(struct access *x, struct flow *f)
{
	const struct access_run *r = &f->run;
	enum run_kind kind = !r->step		  ? RUN_SAME
			     : r->back		  ? RUN_BACKWARD
			     : r->step == r->size ? RUN_CONSECUTIVE
						  : RUN_STRIDED;

	if (r->n < LEAST_RUN) {
		/* Runs of a nested run are adjacent. */
		end_outer(x, f);
		return;
	}
	count_run(&x->runs[kind], r->n, r->n);
	add_outer(x, f, r->at);
}

static void
add_to_run(struct access *x, struct flow *f, const struct access_request *q)
{
	struct access_run *r = &f->run;
	uint64_t step = q->at - f->last;
	bool back = q->at < f->last;

	if (r->n && r->size == q->size &&
	    (r->n == 1 || (r->step == step && r->back == back))) {
		r->step = step;
		r->back = back;
		r->n++;
		return;
	}
	if (r->n > 1)
		end_run(x, f);
	else if (r->n)
		end_outer(x, f);
	if (r->n && r->n < LEAST_RUN && r->size == q->size)
		*r = (struct access_run){f->last, step, q->size, 2, back};
	else
		*r = (struct access_run){q->at, 0, q->size, 1, false};
}

void
patterns_request(struct access *x, const struct access_request *q)
{
	struct flow *f = &x->flow[q->flow];
	struct access_file *file = &x->file[q->file];

	file->did |= q->write ? 2 : 1;
	file->nodes += !f->any;
	file->requests++;
	file->bytes[q->write] += q->size;
	few_add(&file->sizes, q->size, false);
	if (f->any) {
		bool below = q->at < f->end;

		file->later++;
		file->sequential += q->at > f->last;
		file->consecutive += q->at == f->end;
		few_add(&file->gaps, below ? f->end - q->at : q->at - f->end, below);
	}
	add_to_run(x, f, q);
	f->any = true;
	f->last = q->at;
	f->end = q->at + q->size;
}

void
patterns_finish(struct access *x)
{
	for (uint32_t i = 0; i < x->nflows; i++) {
		if (x->flow[i].run.n >= LEAST_RUN)
			end_run(x, &x->flow[i]);
		end_outer(x, &x->flow[i]);
	}
}
