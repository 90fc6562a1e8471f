/* access_sections.c - the sections of trace-access: see access_sections.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-access/access_blocks.h"
#include "trace-access/access_jobs.h"
#include "trace-access/opens.h"
#include "trace-access/seek.h"
#include "trace-access/access_sections.h"
#include "base/compiler.h"

/* Limit of rows in a report for people. */
#define PEOPLE_ROWS 10

const char *const class_name[CLASSES_OF_FILES] = {"opened", "read", "written", "both",
						  "all"};

/* Notes the sampling rate for a column, after all rows of a report. */
static void
sampled_limit(struct section *s, unsigned level, unsigned column)
{
	if (level && !s->alone && s->nrows)
		section_limit(s, column, "1/%llu", 1ull << level);
}

/* Notes the error of percentiles, after all rows; for a single section as a message. */
static void
note_percentiles_within(struct section *s)
{
	if (s->alone)
		warn("percentiles: off by at most 0.39 %% of the value");
	for (unsigned i = 1; i < s->ncolumns && s->nrows; i++)
		if (*s->column[i] == 'p')
			section_limit(s, i, "0.39 %%");
}

static void
two_words(struct section *s, const char *one, const char *two)
{
	snprintf(section_cell(s)->shown, sizeof s->one.shown, "%s-%s", one, two);
}

/* Sums of all files of a class. */
struct of_class {
	uint64_t files, shared, opened_by_several, concurrent;
	uint64_t requests, later, sequential, consecutive;
	uint64_t bytes, shared_bytes, blocks, shared_blocks;
	uint64_t gaps[5], sizes[5];
};

static void
add_to_class(struct of_class *c, const struct access_file *f)
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

/* Adds up the files of each class, and of all classes. */
static void
classes_of(const struct access *x, struct of_class c[CLASSES_OF_FILES])
{
	memset(c, 0, CLASSES_OF_FILES * sizeof *c);
	for (uint32_t i = 0; i < x->nfiles; i++) {
		add_to_class(&c[file_class(&x->file[i])], &x->file[i]);
		add_to_class(&c[CLASS_ALL], &x->file[i]);
	}
}

/* Writes a row for each class that has files. */
static void
each_class(const struct access *x, struct section *s,
	   void (*put)(const struct access *x, struct section *s, const struct of_class *c))
{
	struct of_class c[CLASSES_OF_FILES];

	classes_of(x, c);
	for (unsigned i = 0; i < CLASSES_OF_FILES; i++) {
		if (!c[i].files)
			continue;
		section_text(s, class_name[i]);
		put(x, s, &c[i]);
		section_row(s);
	}
}

static void
cells_of_class(const struct access *x, struct section *s, const struct of_class *c)
{
	(void)x;
	section_numbers(s, c->files, c->shared, c->requests, c->later, c->sequential);
	section_share(s, c->sequential, c->later);
	section_u64(s, c->consecutive);
	section_share(s, c->consecutive, c->later);
}

static void
put_classes(const struct access *x, struct section *s)
{
	each_class(x, s, cells_of_class);
}

static void
put_distinct(const struct access *x, struct section *s)
{
	struct of_class c[CLASSES_OF_FILES];

	classes_of(x, c);
	for (unsigned i = 0; i < 2 * CLASSES_OF_FILES; i++) {
		const struct of_class *of = &c[i / 2];

		if (!of->files)
			continue;
		two_words(s, class_name[i / 2], i % 2 ? "sizes" : "gaps");
		for (unsigned k = 0; k < 5; k++)
			section_u64(s, i % 2 ? of->sizes[k] : of->gaps[k]);
		section_row(s);
	}
}

static void
put_runs(const struct access *x, struct section *s)
{
	static const char *const name[] = {
	    [RUN_CONSECUTIVE] = "consecutive", [RUN_STRIDED] = "strided",
	    [RUN_BACKWARD] = "backward",       [RUN_SAME] = "same-place",
	    [RUN_NESTED] = "nested",
	};

	for (unsigned i = 0; i < RUN_KINDS; i++) {
		section_text(s, name[i]);
		section_u64(s, x->runs[i].runs);
		section_u64(s, x->runs[i].requests);
		section_share(s, x->runs[i].requests, x->requests);
		section_u64(s, x->runs[i].longest);
		section_row(s);
	}
}

static void
cells_of_sharing(const struct access *x, struct section *s, const struct of_class *c)
{
	(void)x;
	section_numbers(s, c->files, c->shared, c->opened_by_several, c->concurrent);
}

static void
put_sharing(const struct access *x, struct section *s)
{
	each_class(x, s, cells_of_sharing);
}

static void
cells_of_touched(const struct access *x, struct section *s, const struct of_class *c)
{
	if (x->too_many) {
		for (unsigned k = 0; k < 3; k++)
			section_cell(s);
	} else {
		section_u64(s, c->bytes);
		section_u64(s, c->shared_bytes);
		section_share(s, c->shared_bytes, c->bytes);
	}
	section_u64(s, c->blocks);
	section_u64(s, c->shared_blocks);
	section_share(s, c->shared_blocks, c->blocks);
	section_sample(s, x->blocks->level);
}

static void
put_touched(const struct access *x, struct section *s)
{
	each_class(x, s, cells_of_touched);
	if (x->too_many && !s->alone && s->nrows)
		section_limit(s, 1, "too many ranges");
	sampled_limit(s, x->blocks->level, 4);
}

#define OF_SPREAD "p50", "mean", "p90", "p99", "greatest"

static void
put_percentile(struct section *s, const struct spread *of, uint32_t row, unsigned percent)
{
	section_time(s, spread_percentile(of, row, percent));
	if (!hists_exact(&of->hists, row))
		section_approximate(s);
}

/* Writes the cells of a row of `of`, in the order of OF_SPREAD. Returns true if percentiles are not exact. */
static bool
put_spread(struct section *s, const struct spread *of, uint32_t row)
{
	const struct spread_row *r = row < of->cap ? &of->row[row] : NULL;
	struct wide sum;

	if (!r || !r->n) {
		for (unsigned i = 0; i < 5; i++)
			section_cell(s);
		return false;
	}
	sum = wide_words(r->sum, 3);
	put_percentile(s, of, row, 50);
	section_mean(s, &sum, r->n);
	put_percentile(s, of, row, 90);
	put_percentile(s, of, row, 99);
	section_time(s, r->greatest);
	return !hists_exact(&of->hists, row);
}

static void
put_opens(const struct access *x, struct section *s)
{
	const struct opens *o = x->opens;
	struct spread closed = {0};
	uint64_t left[CLASSES_OF_FILES] = {0}, n[CLASSES_OF_FILES] = {0};
	bool inexact = false;

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
		section_text(s, class_name[i]);
		section_u64(s, n[i]);
		section_u64(s, left[i]);
		inexact |= put_spread(s, &closed, i);
		section_row(s);
	}
	if (inexact)
		note_percentiles_within(s);
	spread_free(&closed);
}

static void
put_concurrency(const struct access *x, struct section *s)
{
	const struct jobs *j = x->jobs;
	/* Time of all levels together. */
	uint64_t all = access_time(x, x->greatest) - access_time(x, x->least);

	for (size_t i = 0; i < j->nlevels && j->n; i++) {
		if (!j->level[i])
			continue;
		section_u64(s, i);
		section_time(s, j->level[i]);
		section_share(s, j->level[i], all);
		section_row(s);
	}
}

static void
put_job(const struct access *x, struct section *s)
{
	const struct jobs *j = x->jobs;

	for (size_t i = 0; i < j->n && !section_full(s); i++) {
		const struct access_job *job = &j->job[i];

		section_name(s, &x->names.v[job->name]);
		section_moment(s, job->from);
		section_time(s, (uint64_t)job->to - (uint64_t)job->from);
		section_numbers(s, job->nodes, job->files, job->requests, job->bytes[0],
				job->bytes[1], job->opens, job->created, job->temporary);
		section_mean(s, &job->time, 1);
		section_row(s);
	}
}

static void
put_temporary(const struct access *x, struct section *s)
{
	const struct jobs *j = x->jobs;

	if (!j->created && !j->unlinked)
		return;
	section_text(s, "all");
	section_numbers(s, j->created, j->unlinked, j->temporary, j->bytes[0], j->bytes[1]);
	section_row(s);
}

static void
put_streams(const struct access *x, struct section *s)
{
	uint32_t *order = access_file_order(x, s->people);

	for (uint32_t i = 0; i < x->nfiles && !section_full(s); i++) {
		const struct seek *k =
		    order[i] < x->seeks->cap ? &x->seeks->v[order[i]] : NULL;

		if (!k || !k->requests)
			continue;
		section_name(s, &x->files.v[order[i]]);
		section_u64(s, k->requests);
		section_u64(s, k->sequential);
		section_share(s, k->sequential, k->requests - 1);
		section_u64(s, k->streams);
		section_u64(s, k->in_streams);
		section_share(s, k->in_streams, k->requests);
		section_u64(s, k->stream_bytes);
		section_u64(s, k->longest);
		section_row(s);
	}
	free(order);
}

static void
put_seek(const struct access *x, struct section *s)
{
	const struct seeks *k = x->seeks;

	for (unsigned i = 0; i < SEEK_BINS; i++) {
		unsigned n = i < SEEK_ZERO ? SEEK_ZERO - i : i - SEEK_ZERO;

		if (!k->distance[i] && !k->nearest[i])
			continue;
		snprintf(section_cell(s)->shown, sizeof s->one.shown, "%s%llu",
			 i < SEEK_ZERO ? "-" : "", n ? 1ull << (n - 1) : 0);
		section_u64(s, k->distance[i]);
		section_share(s, k->distance[i], k->n);
		section_u64(s, k->nearest[i]);
		section_share(s, k->nearest[i], k->n);
		section_row(s);
	}
}

static void
put_hot(const struct access *x, struct section *s)
{
	static const char *const way[] = {"read", "write", "all"};
	static const struct {
		const char *name;
		unsigned of_1000;
	} part[] = {{"0.1%", 1},  {"1%", 10},	{"10%", 100},
		    {"20%", 200}, {"50%", 500}, {"100%", 1000}};
	unsigned level = x->blocks->level;

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
			two_words(s, way[w], part[i].name);
			section_u64(s, (uint64_t)upto << level);
			section_u64(s, sum << level);
			section_share(s, sum, all);
			section_sample(s, level);
			section_row(s);
		}
		free(v);
	}
	sampled_limit(s, level, 1);
}

static void
put_after(const struct access *x, struct section *s)
{
	static const char *const name[] = {[AFTER_RAR] = "read-read",
					   [AFTER_RAW] = "write-read",
					   [AFTER_WAR] = "read-write",
					   [AFTER_WAW] = "write-write"};
	const struct spread *of = &x->blocks->after;
	uint64_t all = 0;
	bool inexact = false;

	for (unsigned i = 0; i < AFTERS && i < of->cap; i++)
		all += of->row[i].n;
	for (unsigned i = 0; i < AFTERS && x->blocks->n; i++) {
		section_text(s, name[i]);
		section_u64(s, i < of->cap ? of->row[i].n : 0);
		section_share(s, i < of->cap ? of->row[i].n : 0, all);
		inexact |= put_spread(s, of, i);
		section_sample(s, x->blocks->level);
		section_row(s);
	}
	sampled_limit(s, x->blocks->level, 1);
	if (inexact)
		note_percentiles_within(s);
}

#define COLUMNS(...) ((const char *const[]){__VA_ARGS__, NULL})
static const struct {
	const char *name, *title;
	const char *const *columns; /* NULL: `put` writes them */
	void (*put)(const struct access *x, struct section *s);
	unsigned most; /* columns shown in reports; 0: all */
	bool sampled;  /* in a table, the last column is the sampling rate of a row */
} sections[] = {
    [ACCESS_CLASSES] =
	{"classes",
	 "Files by what was done to them. Later requests of a node in a file,\n"
	 "those above the one before, those that begin where that ended",
	 COLUMNS("class", "files", "shared", "requests", "later", "sequential",
		 "sequential_share", "consecutive", "consecutive_share"),
	 put_classes, 0, false},
    [ACCESS_DISTINCT] = {"distinct",
			 "Files by how many different gaps and sizes their requests have",
			 COLUMNS("of", "0", "1", "2", "3", "4+"), put_distinct, 0, false},
    [ACCESS_RUNS] =
	{"runs",
	 "Runs: three requests of a node in a file or more, of one size and one\n"
	 "difference of addresses; nested: runs of such runs",
	 COLUMNS("run", "runs", "requests", "share", "longest"), put_runs, 0, false},
    [ACCESS_SHARING] =
	{"sharing",
	 "Files with requests of several nodes, opened by several, and by several\n"
	 "at once",
	 COLUMNS("class", "files", "shared", "opened_by_several", "at_once"), put_sharing,
	 0, false},
    [ACCESS_TOUCHED] =
	{"touched",
	 "Distinct bytes and blocks that requests touch, and those that requests\n"
	 "of several nodes do",
	 COLUMNS("class", "bytes", "shared_bytes", "bytes_share", "blocks", "shared_blocks",
		 "blocks_share"),
	 put_touched, 0, true},
    [ACCESS_OPENS] = {"opens", "How long files were open",
		      COLUMNS("class", "opens", "left_open", OF_SPREAD), put_opens, 0,
		      false},
    [ACCESS_CONCURRENCY] = {"concurrency", "Jobs that ran at the same time",
			    COLUMNS("jobs", "time", "share"), put_concurrency, 0, false},
    [ACCESS_JOB] = {"job", "Jobs",
		    COLUMNS("job", "begin", "time", "nodes", "files", "requests", "read",
			    "written", "opens", "created", "temporary", "node_time"),
		    put_job, 8, false},
    [ACCESS_TEMPORARY] = {"temporary",
			  "Temporary files: created and unlinked by one job; their bytes",
			  COLUMNS("files", "created", "unlinked", "temporary", "read",
				  "written"),
			  put_temporary, 0, false},
    [ACCESS_STREAMS] =
	{"streams",
	 "Requests that begin where the one before ended; near-sequential streams",
	 COLUMNS("file", "requests", "sequential", "sequential_share", "streams",
		 "in_streams", "stream_share", "bytes", "longest"),
	 put_streams, 0, false},
    [ACCESS_SEEK] =
	{"seek",
	 "Seek distances, in bytes: from the end of the request before, and from\n"
	 "the nearest end of the last ones",
	 COLUMNS("distance", "requests", "share", "nearest", "nearest_share"), put_seek, 0,
	 false},
    [ACCESS_HOT] = {"hot", "References to the blocks that are referenced most",
		    COLUMNS("hottest", "blocks", "references", "share"), put_hot, 0, true},
    [ACCESS_AFTER] = {"after", "Times from one reference to a block to the next",
		      COLUMNS("after", "times", "share", OF_SPREAD), put_after, 0, true},
    [ACCESS_FILE] = {"file", "The busiest files",
		     COLUMNS("file", "class", "nodes", "requests", "sequential",
			     "consecutive", "read", "written", "later", "opens", "gaps",
			     "sizes", "bytes", "shared_bytes", "blocks", "shared_blocks"),
		     put_file, 8, true},
    [ACCESS_DARSHAN] = {"darshan", "Darshan's counters, of all files", NULL, put_darshan, 0,
			false},
};

const char *
access_section_name(size_t i)
{
	return i < ACCESS_SECTIONS ? sections[i].name : NULL;
}

enum access_section
access_section(const char *name)
{
	size_t i = 0;

	while (i < ACCESS_SECTIONS && strcmp(sections[i].name, name) != 0)
		i++;
	return (enum access_section)i;
}

static void
put_section(const struct access *x, unsigned i, struct section *s)
{
	s->name = sections[i].name;
	s->title = sections[i].title;
	s->most = sections[i].most;
	s->clock = x->clock;
	if (sections[i].columns) {
		section_columns(s, sections[i].columns);
		if (sections[i].sampled && s->alone)
			section_columns(s, COLUMNS("sample"));
		section_head(s);
	}
	sections[i].put(x, s);
}

/* Hands the sections that were asked for to `w`. */
static void
put_sections(const struct access *x, struct section_writer *w)
{
	bool people = !w->style || w->style == 'H';

	for (unsigned i = 0; i < ACCESS_SECTIONS; i++) {
		struct section s = {.people = people, .enough = people ? PEOPLE_ROWS : 0};

		if (!(x->q.sections >> i & 1))
			continue;
		put_section(x, i, &s);
		section_put(w, &s);
	}
}

void
access_put(struct access *x, const struct access_options *opts, struct out *o)
{
	bool json = opts->style == TABLE_JSON;
	struct section_writer w = {.o = o,
				   .style = json		       ? 'J'
					    : opts->html	       ? 'H'
					    : opts->style == TABLE_TSV ? 'S'
								       : 0};

	if (opts->report) {
		out_str(o, json ? "{" : "");
		put_sections(x, &w);
		out_str(o, json ? "}\n" : "");
	} else {
		struct table t = {.out = o, .style = opts->style, .bare = opts->bare};

		put_section(x, trailing_zeros64(x->q.sections),
			    &(struct section){.alone = &t});
		table_end(&t);
		out_str(o, json ? "\n" : "");
	}
}
