/* access_jobs.c - which node runs which job: the nodes that its load names, and nodes that join, until they
 * leave or the job ends. Requests of app:N belong to job N. */
#include <stdlib.h>
#include <string.h>

#include "trace-access/access_jobs.h"

/* Returns the job and the node with that name. */
static struct named_things *
named(struct access *x, uint32_t name)
{
	struct jobs *j = x->jobs;

	GROW(j->named, j->named_cap, name + 1);
	return &j->named[name];
}

/* Adds a job with that name. */
static struct access_job *
add_job(struct access *x, uint32_t name)
{
	struct jobs *j = x->jobs;
	struct access_job *job = PUSH(j->job, j->n, j->cap);

	*job = (struct access_job){.name = name};
	named(x, name)->job = (uint32_t)j->n;
	return job;
}

/* Returns the job with that name, which may be new. */
static struct access_job *
job_named(struct access *x, uint32_t name)
{
	uint32_t i = named(x, name)->job;

	return i ? &x->jobs->job[i - 1] : add_job(x, name);
}

/* Returns the job of an owner: `job` by its name, or the job that the owner is in; NULL if unknown. */
static struct access_job *
job_at(struct access *x, uint32_t owner, uint32_t job)
{
	uint32_t i = job != NOBODY ? named(x, job)->job : named(x, owner)->in;

	return i ? &x->jobs->job[i - 1] : NULL;
}

static uint32_t
job_number(const struct access *x, const struct access_job *job)
{
	return (uint32_t)(job - x->jobs->job);
}

static void
leave(struct access *x, uint32_t node, int64_t time)
{
	struct named_things *m = named(x, node), *all = x->jobs->named;
	struct access_job *job;

	if (!m->in)
		return;
	job = &x->jobs->job[m->in - 1];
	if (access_before(x, m->since, time)) {
		struct wide took = wide_u64((uint64_t)time - (uint64_t)m->since);

		job->time = wide_add(&job->time, &took);
	}
	*(m->before ? &all[m->before - 1].next : &job->first) = m->next;
	if (m->next)
		all[m->next - 1].before = m->before;
	m->in = m->next = m->before = 0;
}

static void
join(struct access *x, struct access_job *job, uint32_t node, int64_t time)
{
	uint32_t in = job_number(x, job) + 1;
	struct named_things *m;

	leave(x, node, time);
	m = named(x, node);
	job->nodes += m->last != in;
	m->in = m->last = in;
	m->since = time;
	m->next = job->first;
	if (m->next)
		x->jobs->named[m->next - 1].before = node + 1;
	job->first = node + 1;
}

static void
end_job(struct access *x, struct access_job *job, int64_t time)
{
	while (job->first)
		leave(x, job->first - 1, time);
	job->running = false;
	job->ended = true;
	job->to = time;
}

static void
load(struct access *x, const struct access_fact *f)
{
	struct access_job *job = job_named(x, f->job);

	if (job->running)
		end_job(x, job, f->time);
	if (job->loaded || job->ended || job->first)
		job = add_job(x, f->job);
	job->loaded = job->running = true;
	job->from = f->time;
	for (size_t i = 0, n; i < f->nclients; i += n + 1) {
		const char *p = f->clients + i;

		n = strcspn(p, ",");
		if (n)
			join(x, job, strtab_id(&x->names, p, n), f->time);
	}
}

static void
unlinked(struct access *x, const struct access_fact *f)
{
	struct access_file *file = &x->file[f->file];
	struct access_job *job = job_at(x, f->owner, f->job);

	x->jobs->unlinked += !file->unlinked;
	if (!file->unlinked && job && file->creator == job_number(x, job)) {
		file->temporary = true;
		job->temporary++;
	}
	file->unlinked = true;
}

static void
opened(struct access *x, const struct access_fact *f)
{
	struct access_file *file = &x->file[f->file];
	struct access_job *job = job_at(x, f->owner, f->job);
	uint32_t key[2] = {0, f->file}, known = x->jobs->seen.n;

	if (job) {
		key[0] = job_number(x, job);
		job->opens++;
		job->files += strtab_id(&x->jobs->seen, key, sizeof key) == known;
	}
	if (f->creates && file->creator == NOBODY) {
		x->jobs->created++;
		file->creator = NOBODY - 1;
		if (job) {
			job->created++;
			file->creator = job_number(x, job);
		}
	}
}

void
jobs_fact(struct access *x, const struct access_fact *f)
{
	switch (f->kind) {
	case FACT_LOAD:
		if (f->job != NOBODY)
			load(x, f);
		break;
	case FACT_EXIT:
		if (f->job != NOBODY) {
			struct access_job *job = job_named(x, f->job);

			if (!job->ended)
				end_job(x, job, f->time);
		}
		break;
	case FACT_JOIN:
		if (f->job != NOBODY)
			join(x, job_named(x, f->job), f->owner, f->time);
		break;
	case FACT_LEAVE: leave(x, f->owner, f->time); break;
	case FACT_UNLINK:
		if (f->file != NOBODY && f->gone)
			unlinked(x, f);
		break;
	case FACT_OPEN:
		if (f->file != NOBODY)
			opened(x, f);
		break;
	default: break;
	}
}

void
jobs_request(struct access *x, const struct access_request *r)
{
	struct access_job *job = job_at(x, r->node, NOBODY);

	if (!job)
		return;
	job->requests++;
	job->bytes[r->write] += r->size;
}

/* Change of the number of running jobs at a time. */
struct change {
	uint64_t at; /* as access_time() */
	int more;
};

static int
by_time(const void *x, const void *y)
{
	const struct change *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	/* A job of length 0 begins before it ends. */
	return b->more - a->more;
}

void
jobs_finish(struct access *x)
{
	struct jobs *j = x->jobs;
	struct change *v = xcalloc(2 * j->n + 1, sizeof *v);
	uint64_t before = access_time(x, x->least);
	size_t n = 0, running = 0;

	for (size_t i = 0; i < j->n; i++) {
		struct access_job *job = &j->job[i];

		/* Jobs that began before the trace, or end after it, count for the time of the trace. */
		if (!job->loaded)
			job->from = x->least;
		if (!job->ended)
			end_job(x, job, x->greatest);
		v[n++] = (struct change){access_time(x, job->from), 1};
		v[n++] = (struct change){access_time(x, job->to), -1};
	}
	qsort(v, n, sizeof *v, by_time);
	for (size_t i = 0; i <= n && x->any; i++) {
		uint64_t at = i < n ? v[i].at : access_time(x, x->greatest);

		GROW(j->level, j->level_cap, running + 1);
		j->level[running] += at - before;
		j->nlevels = running + 1 > j->nlevels ? running + 1 : j->nlevels;
		before = at;
		if (i < n)
			running += v[i].more > 0 ? 1 : SIZE_MAX;
	}
	free(v);
	for (uint32_t i = 0; i < x->nfiles; i++) {
		if (!x->file[i].temporary)
			continue;
		j->temporary++;
		for (unsigned w = 0; w < 2; w++)
			j->bytes[w] += x->file[i].bytes[w];
	}
}

void
jobs_free(struct access *x)
{
	struct jobs *j = x->jobs;

	if (!j)
		return;
	free(j->job);
	free(j->named);
	free(j->level);
	strtab_free(&j->seen);
	free(j);
}
