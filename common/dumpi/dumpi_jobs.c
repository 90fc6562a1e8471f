/* dumpi_jobs.c - divides the files of ranks into jobs: if a rank number occurs twice, the files are of several
 * jobs, and each of them gets its own place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dumpi/dumpi_trace.h"
#include "input/fault.h"

#define MISSING_SAID 10

/* Rules for files of one job, each stricter than the previous one: all files; files with the same last part of the
 * prefix, because each host may have written into its own directory; files with the same prefix; each file alone. */
enum by {
	BY_ALL,
	BY_NAME,
	BY_PREFIX,
	BY_PATH
};

/* A rank, its index in the list, and the rule by which it is compared. */
struct job_rank {
	const struct dumpi_rank *r;
	size_t i;
	enum by by;
};

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns the part of the rank's path that is equal for all ranks of a job, by the rule `by`. */
static struct span
job_key(const struct dumpi_rank *r, enum by by)
{
	const char *from = by == BY_NAME ? last_part(r->name) : r->name;
	size_t n = by == BY_ALL ? 0 : strlen(from);

	if (n && by != BY_PATH && r->number >= 0)
		n = (size_t)(strrchr(from, '-') - from);
	return (struct span){(const uint8_t *)from, n};
}

static int
compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
compare_keys(const struct job_rank *x, const struct job_rank *y)
{
	struct span a = job_key(x->r, x->by), b = job_key(y->r, y->by);
	int c = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return c ? c : compare(a.n, b.n);
}

/* Compares two struct job_rank for qsort: by key, then by rank number, then by the order in the list. */
static int
by_key(const void *a, const void *b)
{
	const struct job_rank *x = a, *y = b;
	int c = compare_keys(x, y);

	if (!c)
		c = x->r->number < y->r->number ? -1 : x->r->number > y->r->number;
	return c ? c : compare(x->i, y->i);
}

/* Removes ranks whose file is in the list before under the same name, and reports that. Returns the number of
 * ranks left. */
static size_t
drop_doubles(struct source *s, struct dumpi_rank *v, size_t n)
{
	struct strtab files = {0};
	struct buf key = {0};
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct dumpi_file *f = &v[i].file;
		const char *name = last_part(v[i].name);

		key.n = 0;
		buf_add(&key, &f->dev, sizeof f->dev);
		buf_add(&key, &f->ino, sizeof f->ino);
		buf_add(&key, name, strlen(name));
		if (strtab_id(&files, key.p, key.n) == kept) {
			v[kept++] = v[i];
			continue;
		}
		if (i == kept) /* report only the first one */
			fault(s, NULL, COST_NONE, v[i].name, NOWHERE,
			      "the file is named more than once, but read once");
		free((char *)(uintptr_t)v[i].name);
	}
	strtab_free(&files);
	buf_free(&key);
	return kept;
}

struct job_finder {
	struct source *s;
	size_t *first; /* for each rank, the index of the first rank of its job */
	struct job_rank *item;
	size_t n, holes;
};

/* Reports the ranks that are missing between the ranks a and b. */
static void
tell_hole(struct job_finder *f, const struct dumpi_rank *a, const struct dumpi_rank *b)
{
	if (a->number < 0 || b->number - a->number <= 1 || f->holes++ >= MISSING_SAID)
		return;
	if (b->number - a->number == 2)
		fault(f->s, "dumpi-ranks", COST_STATUS, b->name, NOWHERE,
		      "rank %lld is missing between %lld and %lld",
		      (long long)a->number + 1, (long long)a->number, (long long)b->number);
	else
		fault(f->s, "dumpi-ranks", COST_STATUS, b->name, NOWHERE,
		      "ranks %lld to %lld are missing between %lld and %lld",
		      (long long)a->number + 1, (long long)b->number - 1,
		      (long long)a->number, (long long)b->number);
}

/* Makes a job of all items with equal keys, unless a rank number occurs twice among them: such items are left in
 * f->item. */
static void
group(struct job_finder *f, enum by by)
{
	struct job_rank *v = f->item;
	size_t left = 0, a, z, least;
	bool twice;

	for (size_t i = 0; i < f->n; i++)
		v[i].by = by;
	qsort(v, f->n, sizeof *v, by_key);
	for (a = 0; a < f->n; a = z) {
		twice = false;
		least = v[a].i;
		for (z = a + 1; z < f->n && compare_keys(&v[a], &v[z]) == 0; z++) {
			twice |= v[z].r->number == v[z - 1].r->number;
			least = v[z].i < least ? v[z].i : least;
		}
		twice &= by != BY_PATH;
		for (size_t i = a; i < z; i++) {
			if (twice)
				v[left++] = v[i];
			else
				f->first[v[i].i] = least;
			if (!twice && i > a)
				tell_hole(f, v[i - 1].r, v[i].r);
		}
	}
	f->n = left;
}

struct dumpi_job *
dumpi_job_add(struct dumpi_jobs *jobs, const char *name, size_t n)
{
	struct dumpi_job *j = PUSH(jobs->v, jobs->n, jobs->cap);

	j->name = xstrndup(name, n);
	return j;
}

size_t
dumpi_jobs_find(struct source *s, struct dumpi_rank *v, size_t n, struct dumpi_jobs *jobs)
{
	struct job_finder f = {.s = s};

	if (!n)
		return 0;
	n = drop_doubles(s, v, n);
	f.item = xcalloc(n, sizeof *f.item);
	f.first = xcalloc(n, sizeof *f.first);
	for (f.n = 0; f.n < n; f.n++)
		f.item[f.n] = (struct job_rank){&v[f.n], f.n, BY_ALL};
	group(&f, BY_ALL);
	if (f.n) {
		for (enum by by = BY_NAME; by <= BY_PATH; by++)
			group(&f, by);
		for (size_t i = 0; i < n; i++) {
			struct span key = job_key(&v[i], BY_PREFIX);

			if (f.first[i] == i)
				dumpi_job_add(jobs, (const char *)key.p, key.n);
			v[i].job = f.first[i] == i ? jobs->n - 1 : v[f.first[i]].job;
		}
	}
	free(f.item);
	free(f.first);
	return n;
}

size_t
dumpi_rank_text(char text[DUMPI_RANK_TEXT], const struct dumpi_jobs *jobs,
		const struct dumpi_rank *r)
{
	int n = jobs->n > 1 ? snprintf(text, DUMPI_RANK_TEXT, "%zu/", r->job) : 0;

	if (r->number < 0)
		text[n++] = '-';
	else
		n += snprintf(text + n, DUMPI_RANK_TEXT - (size_t)n, "%lld",
			      (long long)r->number);
	return (size_t)n;
}

void
dumpi_jobs_free(struct dumpi_jobs *jobs)
{
	for (size_t i = 0; i < jobs->n; i++) {
		free(jobs->v[i].name);
		dumpi_meta_free(&jobs->v[i].meta);
	}
	free(jobs->v);
}
