/* tables.c - the sections of trace-access: see tables.h. */
#include <stdlib.h>
#include <string.h>

#include "access/blocks.h"
#include "access/jobs.h"
#include "access/opens.h"
#include "access/seek.h"
#include "access/sheet.h"
#include "access/tables.h"
#include "base/compiler.h"

static const char *const class_name[] = {"opened", "read", "written", "both", "all"};

/* What all files of a class add up to. */
struct of_class {
	uint64_t files, shared, opened_by_several, concurrent;
	uint64_t requests, later, sequential, consecutive;
	uint64_t bytes, shared_bytes, blocks, shared_blocks;
	uint64_t gaps[5], sizes[5];
};

static void
add_to_class(struct of_class *c, const struct file *f)
{
	c->files++;
	c->shared += f->nodes > 1;
	c->opened_by_several += f->openers;
	c->concurrent += f->concurrent;
	c->requests += f->requests;
	c->later += f->later;
	c->sequential += f->sequential;
	c->consecutive += f->consecutive;
	c->bytes += f->touched;
	c->shared_bytes += f->shared;
	c->blocks += f->blocks;
	c->shared_blocks += f->shared_blocks;
	c->gaps[f->gaps.n < 5 ? f->gaps.n : 4]++;
	c->sizes[f->sizes.n < 5 ? f->sizes.n : 4]++;
}

/* Of each class, and of all. */
static void
classes_of(const struct access *x, struct of_class c[CLASSES_OF_FILES])
{
	memset(c, 0, CLASSES_OF_FILES * sizeof *c);
	for (uint32_t i = 0; i < x->nfiles; i++) {
		add_to_class(&c[file_class(&x->file[i])], &x->file[i]);
		add_to_class(&c[CLASS_ALL], &x->file[i]);
	}
}

/* The cells of each class that has files. */
static void
each_class(const struct access *x, struct sheet *s,
	   void (*put)(const struct access *x, struct sheet *s, const struct of_class *c))
{
	struct of_class c[CLASSES_OF_FILES];

	sheet_head(s);
	classes_of(x, c);
	for (unsigned i = 0; i < CLASSES_OF_FILES; i++) {
		if (!c[i].files)
			continue;
		sheet_text(s, class_name[i]);
		put(x, s, &c[i]);
		sheet_row(s);
	}
}

static void
cells_of_class(const struct access *x, struct sheet *s, const struct of_class *c)
{
	(void)x;
	sheet_numbers(s, c->files, c->shared, c->requests, c->later, c->sequential);
	sheet_share(s, c->sequential, c->later);
	sheet_u64(s, c->consecutive);
	sheet_share(s, c->consecutive, c->later);
}

static void
put_classes(const struct access *x, struct sheet *s)
{
	sheet_columns(s, (const char *const[]){"class", "files", "shared", "requests",
					       "later", "sequential", "sequential_share",
					       "consecutive", "consecutive_share", NULL});
	each_class(x, s, cells_of_class);
}

static void
put_distinct(const struct access *x, struct sheet *s)
{
	struct of_class c[CLASSES_OF_FILES];

	sheet_columns(s, (const char *const[]){"of", "0", "1", "2", "3", "4+", NULL});
	sheet_head(s);
	classes_of(x, c);
	for (unsigned i = 0; i < 2 * CLASSES_OF_FILES; i++) {
		const struct of_class *of = &c[i / 2];

		if (!of->files)
			continue;
		sheet_words(s, class_name[i / 2], i % 2 ? "sizes" : "gaps");
		for (unsigned k = 0; k < 5; k++)
			sheet_u64(s, i % 2 ? of->sizes[k] : of->gaps[k]);
		sheet_row(s);
	}
}

static void
put_runs(const struct access *x, struct sheet *s)
{
	static const char *const name[] = {
	    [RUN_CONSECUTIVE] = "consecutive", [RUN_STRIDED] = "strided",
	    [RUN_BACKWARD] = "backward",       [RUN_SAME] = "same-place",
	    [RUN_NESTED] = "nested",
	};

	sheet_columns(
	    s, (const char *const[]){"run", "runs", "requests", "share", "longest", NULL});
	sheet_head(s);
	for (unsigned i = 0; i < RUN_KINDS; i++) {
		sheet_text(s, name[i]);
		sheet_u64(s, x->runs[i].runs);
		sheet_u64(s, x->runs[i].requests);
		sheet_share(s, x->runs[i].requests, x->requests);
		sheet_u64(s, x->runs[i].longest);
		sheet_row(s);
	}
}

static void
cells_of_sharing(const struct access *x, struct sheet *s, const struct of_class *c)
{
	(void)x;
	sheet_numbers(s, c->files, c->shared, c->opened_by_several, c->concurrent);
}

static void
put_sharing(const struct access *x, struct sheet *s)
{
	sheet_columns(s, (const char *const[]){"class", "files", "shared",
					       "opened_by_several", "at_once", NULL});
	each_class(x, s, cells_of_sharing);
}

static void
cells_of_touched(const struct access *x, struct sheet *s, const struct of_class *c)
{
	if (x->too_many) {
		for (unsigned k = 0; k < 3; k++)
			sheet_none(s);
	} else {
		sheet_u64(s, c->bytes);
		sheet_u64(s, c->shared_bytes);
		sheet_share(s, c->shared_bytes, c->bytes);
	}
	sheet_u64(s, c->blocks);
	sheet_u64(s, c->shared_blocks);
	sheet_share(s, c->shared_blocks, c->blocks);
	sheet_sample(s, x->blocks->level);
}

static void
put_touched(const struct access *x, struct sheet *s)
{
	sheet_columns(s, (const char *const[]){"class", "bytes", "shared_bytes",
					       "bytes_share", "blocks", "shared_blocks",
					       "blocks_share", NULL});
	sheet_sample_column(s);
	each_class(x, s, cells_of_touched);
	if (x->too_many)
		sheet_limit(s, 1, "too many ranges");
	sheet_sampled(s, x->blocks->level, 4);
}

static const char *const of_spread[] = {"p50", "mean", "p90", "p99", "greatest", NULL};

/* The cells of a row of s, in the order of of_spread; true where percentiles are not exact. */
static bool
put_spread(struct sheet *s, const struct spread *of, uint32_t row)
{
	const struct spread_row *r = row < of->cap ? &of->row[row] : NULL;
	struct wide sum;

	if (!r || !r->n) {
		for (size_t i = 0; of_spread[i]; i++)
			sheet_none(s);
		return false;
	}
	sum = wide_words(r->sum, 3);
	sheet_time(s, spread_percentile(of, row, 50));
	sheet_times(s, &sum, r->n);
	sheet_time(s, spread_percentile(of, row, 90));
	sheet_time(s, spread_percentile(of, row, 99));
	sheet_time(s, r->greatest);
	return !hists_exact(&of->hists, row);
}

static void
put_opens(const struct access *x, struct sheet *s)
{
	const struct opens *o = x->opens;
	struct spread closed = {0};
	uint64_t left[CLASSES_OF_FILES] = {0}, n[CLASSES_OF_FILES] = {0};
	bool inexact = false;

	sheet_columns(s, (const char *const[]){"class", "opens", "left_open", NULL});
	sheet_columns(s, of_spread);
	sheet_head(s);
	for (size_t i = 0; i < o->n; i++) {
		const struct interval *v = &o->interval[i];
		unsigned class =
		    v->file == NOBODY ? CLASS_OPENED : file_class(&x->file[v->file]);

		for (unsigned k = class;; k = CLASS_ALL) {
			n[k]++;
			left[k] += !v->closed;
			if (v->closed)
				spread_add(&closed, k, (uint64_t)v->to - (uint64_t)v->from,
					   1);
			if (k == CLASS_ALL)
				break;
		}
	}
	for (unsigned i = 0; i < CLASSES_OF_FILES && n[CLASS_ALL]; i++) {
		if (!n[i])
			continue;
		sheet_text(s, class_name[i]);
		sheet_u64(s, n[i]);
		sheet_u64(s, left[i]);
		inexact |= put_spread(s, &closed, i);
		sheet_row(s);
	}
	if (inexact)
		sheet_within(s, "0.39 %", 3);
	spread_free(&closed);
}

static void
put_concurrency(const struct access *x, struct sheet *s)
{
	const struct jobs *j = x->jobs;
	struct wide all = {0};

	sheet_columns(s, (const char *const[]){"jobs", "time", "share", NULL});
	sheet_head(s);
	for (size_t i = 0; i < j->nlevels; i++) {
		struct wide v = wide_u64(j->level[i]);

		all = wide_add(&all, &v);
	}
	for (size_t i = 0; i < j->nlevels && j->n; i++) {
		uint64_t words = 0;

		if (!j->level[i])
			continue;
		wide_to_words(&all, &words, 1);
		sheet_u64(s, i);
		sheet_time(s, j->level[i]);
		sheet_share(s, j->level[i], words);
		sheet_row(s);
	}
}

static void
put_job(const struct access *x, struct sheet *s)
{
	const struct jobs *j = x->jobs;

	sheet_columns(s, (const char *const[]){"job", "begin", "time", "nodes", "files",
					       "requests", "read", "written", "opens",
					       "created", "temporary", "node_time", NULL});
	sheet_head(s);
	for (size_t i = 0; i < j->n && !sheet_full(s); i++) {
		const struct job *job = &j->job[i];

		sheet_name(s, &x->names.v[job->name]);
		sheet_begin(s, job->from);
		sheet_time(s, (uint64_t)job->to - (uint64_t)job->from);
		sheet_numbers(s, job->nodes, job->files, job->requests, job->bytes[0],
			      job->bytes[1], job->opens, job->created, job->temporary);
		sheet_times(s, &job->time, 1);
		sheet_row(s);
	}
}

static void
put_temporary(const struct access *x, struct sheet *s)
{
	const struct jobs *j = x->jobs;

	sheet_columns(s, (const char *const[]){"files", "created", "unlinked", "temporary",
					       "read", "written", NULL});
	sheet_head(s);
	if (!j->created && !j->unlinked)
		return;
	sheet_text(s, "all");
	sheet_numbers(s, j->created, j->unlinked, j->temporary, j->bytes[0], j->bytes[1]);
	sheet_row(s);
}

static void
put_streams(const struct access *x, struct sheet *s)
{
	uint32_t *order = access_file_order(x, s->report && s->people);

	sheet_columns(s, (const char *const[]){"file", "requests", "sequential",
					       "sequential_share", "streams", "in_streams",
					       "stream_share", "bytes", "longest", NULL});
	sheet_head(s);
	for (uint32_t i = 0; i < x->nfiles && !sheet_full(s); i++) {
		const struct seek *k =
		    order[i] < x->seeks->cap ? &x->seeks->v[order[i]] : NULL;

		if (!k || !k->requests)
			continue;
		sheet_name(s, &x->files.v[order[i]]);
		sheet_u64(s, k->requests);
		sheet_u64(s, k->sequential);
		sheet_share(s, k->sequential, k->requests - 1);
		sheet_u64(s, k->streams);
		sheet_u64(s, k->in_streams);
		sheet_share(s, k->in_streams, k->requests);
		sheet_u64(s, k->stream_bytes);
		sheet_u64(s, k->longest);
		sheet_row(s);
	}
	free(order);
}

static void
put_seek(const struct access *x, struct sheet *s)
{
	const struct seeks *k = x->seeks;

	sheet_columns(s, (const char *const[]){"distance", "requests", "share", "nearest",
					       "nearest_share", NULL});
	sheet_head(s);
	for (unsigned i = 0; i < SEEK_BINS; i++) {
		unsigned n = i < SEEK_ZERO ? SEEK_ZERO - i : i - SEEK_ZERO;

		if (!k->distance[i] && !k->nearest[i])
			continue;
		sheet_signed(s, n ? 1ull << (n - 1) : 0, i < SEEK_ZERO);
		sheet_u64(s, k->distance[i]);
		sheet_share(s, k->distance[i], k->n);
		sheet_u64(s, k->nearest[i]);
		sheet_share(s, k->nearest[i], k->n);
		sheet_row(s);
	}
}

static void
put_hot(const struct access *x, struct sheet *s)
{
	static const char *const way[] = {"read", "write", "all"};
	static const struct {
		const char *name;
		unsigned of_1000;
	} part[] = {{"0.1%", 1},  {"1%", 10},	{"10%", 100},
		    {"20%", 200}, {"50%", 500}, {"100%", 1000}};
	unsigned level = x->blocks->level;

	sheet_columns(
	    s, (const char *const[]){"hottest", "blocks", "references", "share", NULL});
	sheet_sample_column(s);
	sheet_head(s);
	for (unsigned w = 0; w < 3; w++) {
		size_t n;
		uint64_t *v = blocks_counts(x->blocks, w, &n), all = 0;

		for (size_t i = 0; i < n; i++)
			all += v[i];
		for (size_t i = 0, k = 0, sum = 0; n && i < sizeof part / sizeof *part;
		     i++) {
			size_t upto = n / 1000 * part[i].of_1000 +
				      (n % 1000 * part[i].of_1000 + 999) / 1000;

			while (k < upto)
				sum += v[k++];
			sheet_words(s, way[w], part[i].name);
			sheet_u64(s, (uint64_t)upto << level);
			sheet_u64(s, sum << level);
			sheet_share(s, sum, all);
			sheet_sample(s, level);
			sheet_row(s);
		}
		free(v);
	}
	sheet_sampled(s, level, 1);
}

static void
put_after(const struct access *x, struct sheet *s)
{
	static const char *const name[] = {[AFTER_RAR] = "read-read",
					   [AFTER_RAW] = "write-read",
					   [AFTER_WAR] = "read-write",
					   [AFTER_WAW] = "write-write"};
	const struct spread *of = &x->blocks->after;
	uint64_t all = 0;
	bool inexact = false;

	sheet_columns(s, (const char *const[]){"after", "times", "share", NULL});
	sheet_columns(s, of_spread);
	sheet_sample_column(s);
	sheet_head(s);
	for (unsigned i = 0; i < AFTERS && i < of->cap; i++)
		all += of->row[i].n;
	for (unsigned i = 0; i < AFTERS && x->blocks->n; i++) {
		sheet_text(s, name[i]);
		sheet_u64(s, i < of->cap ? of->row[i].n : 0);
		sheet_share(s, i < of->cap ? of->row[i].n : 0, all);
		inexact |= put_spread(s, of, i);
		sheet_sample(s, x->blocks->level);
		sheet_row(s);
	}
	sheet_sampled(s, x->blocks->level, 1);
	if (inexact)
		sheet_within(s, "0.39 %", 3);
}

static const struct {
	const char *name, *title;
	void (*put)(const struct access *x, struct sheet *s);
	unsigned columns; /* that people see; 0 = all */
} section[] = {
    [ACCESS_CLASSES] =
	{"classes",
	 "Files by what was done to them. Later requests of a node in a file,\n"
	 "those above the one before, those that begin where that ended",
	 put_classes, 0},
    [ACCESS_DISTINCT] = {"distinct",
			 "Files by how many different gaps and sizes their requests have",
			 put_distinct, 0},
    [ACCESS_RUNS] =
	{"runs",
	 "Runs: three requests of a node in a file or more, of one size and one\n"
	 "difference of addresses; nested: runs of such runs",
	 put_runs, 0},
    [ACCESS_SHARING] =
	{"sharing",
	 "Files with requests of several nodes, opened by several, and by several\n"
	 "at once",
	 put_sharing, 0},
    [ACCESS_TOUCHED] =
	{"touched",
	 "Distinct bytes and blocks that requests touch, and those that requests\n"
	 "of several nodes do",
	 put_touched, 0},
    [ACCESS_OPENS] = {"opens", "How long files were open", put_opens, 0},
    [ACCESS_CONCURRENCY] = {"concurrency", "Jobs that ran at the same time",
			    put_concurrency, 0},
    [ACCESS_JOB] = {"job", "Jobs", put_job, 8},
    [ACCESS_TEMPORARY] = {"temporary",
			  "Temporary files: created and unlinked by one job; their bytes",
			  put_temporary, 0},
    [ACCESS_STREAMS] =
	{"streams",
	 "Requests that begin where the one before ended; near-sequential streams",
	 put_streams, 0},
    [ACCESS_SEEK] =
	{"seek",
	 "Seek distances, in bytes: from the end of the request before, and from\n"
	 "the nearest end of the last ones",
	 put_seek, 0},
    [ACCESS_HOT] = {"hot", "References to the blocks that are referenced most", put_hot, 0},
    [ACCESS_AFTER] = {"after", "Times from one reference to a block to the next", put_after,
		      0},
    [ACCESS_FILE] = {"file", "The busiest files", put_file, 8},
    [ACCESS_DARSHAN] = {"darshan", "Darshan's counters, of all files", put_darshan, 0},
};

const char *
access_section_name(size_t i)
{
	return i < ACCESS_SECTIONS ? section[i].name : NULL;
}

enum access_section
access_section(const char *name)
{
	size_t i = 0;

	while (i < ACCESS_SECTIONS && strcmp(section[i].name, name) != 0)
		i++;
	return (enum access_section)i;
}

void
access_grids(struct access *x, bool people, void (*put)(void *arg, struct grid *g),
	     void *arg)
{
	for (unsigned i = 0; i < ACCESS_SECTIONS; i++) {
		struct sheet s = {.report = true,
				  .people = people,
				  .most = section[i].columns,
				  .clock = x->clock,
				  .grid = {.name = section[i].name,
					   .title = section[i].title,
					   .bar = -1}};

		if (!(x->q.sections >> i & 1))
			continue;
		section[i].put(x, &s);
		put(arg, &s.grid);
	}
}

/* A report on its way out. */
struct report_out {
	const struct access_how *how;
	struct out *o;
	bool first;
};

static void
put_grid(void *arg, struct grid *g)
{
	struct report_out *r = arg;

	if (g->nrows) {
		if (r->how->style == TABLE_JSON)
			grid_json(r->o, g, r->first);
		else if (r->how->tabs)
			grid_tabs(r->o, g);
		else
			grid_people(r->o, g, false);
		r->first = false;
	}
	grid_free(g);
}

void
access_put(struct access *x, const struct access_how *how, struct out *o)
{
	struct report_out r = {how, o, true};
	bool json = how->style == TABLE_JSON;

	if (!how->report) {
		struct sheet s = {
		    .rows = {.out = o, .style = how->style, .bare = how->bare},
		    .clock = x->clock};

		section[trailing_zeros64(x->q.sections)].put(x, &s);
		table_end(&s.rows);
		if (json)
			out_str(o, "\n");
		return;
	}
	if (json)
		out_str(o, "{");
	access_grids(x, !json && !how->tabs, put_grid, &r);
	if (json)
		out_str(o, "}\n");
}
