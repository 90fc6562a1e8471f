/* diff_ask.c - asks trace-stats for the table of each run: see diff.h. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "input/cached_text.h"
#include "run/run_words.h"
#include "stats/spec.h"
#include "trace-diff/diff.h"

#define PARTIAL \
	"#\tspoor-stats " /* a partial result begins with it, and its question follows */
#define HEAD "1000"	  /* events that decide the default question */
/* Bound: trace-diff | the table of a run | groups | 16 MiB | its table is longer than */
#define TABLE_MOST RUN_KEPT
/* The first aggregate of a trace, which is not shown. */
#define SPAN "diff_span = count / rate,"

/* Returns true if the input may be read twice: it is a file or a directory with a name. */
static bool
rereadable(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && !stat(path, &st) &&
	       (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* Finds out which inputs are partial results, and what they answer. */
static void
find_partials(struct diff *d)
{
	for (size_t i = 0; i < d->nruns; i++) {
		static char text[1 << 16];
		struct diff_run *r = &d->run[i];
		int fd = rereadable(r->path)
			     ? open(r->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
			     : -1;
		ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
		char *end;

		if (fd >= 0)
			close(fd);
		text[n > 0 ? n : 0] = '\0';
		if (!strncmp(text, PARTIAL, strlen(PARTIAL)) &&
		    (end = strchr(text + 2, '\t')))
			r->asked = xstrndup(text + 2, (size_t)(end - text - 2));
	}
}

/* Returns the value of a word NAME=VALUE of a question, or NULL if it has no such word. */
static const char *
word_of(const char *asked, const char *name)
{
	size_t n = strlen(name);
	struct buf b = {0};

	for (const char *p = strchr(asked, ' '); p; p = strchr(p + 1, ' '))
		if (!strncmp(p + 1, name, n) && p[1 + n] == '=') {
			text_raw(&b, p + n + 2, strcspn(p + n + 2, " "));
			return (const char *)b.p;
		}
	return NULL;
}

/* Adds the options of the question, with these aggregates. */
static void
add_question(struct command_words *w, const struct diff *d, const char *aggs)
{
	words_option(w, "-g", d->keys);
	words_option(w, "-a", aggs);
	words_option(w, "-w", d->window);
	words_option(w, "-k", d->key);
	words_option(w, "--accuracy", d->accuracy);
}

/* Sets the question by the first events of an input: calls of MPI by their names, or else all events together. */
static void
default_question(struct diff *d)
{
	static struct buf aggs;
	bool sizes = false, durations = false, read = false;

	for (size_t i = 0; i < d->nruns && !read; i++) {
		struct command_words w = {0};
		struct run r = {.in = -1};
		char size[32], dur[32];

		if (!rereadable(d->run[i].path))
			continue;
		words_add(&w, "trace-filter");
		words_said(&w, "--by-time");
		r.argv = words_end(&w, (const char *const[]){"-H", "--head", HEAD, "--",
							     d->test ? d->test : "event?",
							     d->run[i].path, NULL});
		run_all(&r, 1, 1);
		buf_byte(&r.out, '\0');
		if (strstr((char *)r.out.p, "##format\tdumpi\n"))
			d->keys = "event";
		for (char *p = (char *)r.out.p; p; p = strchr(p, '\n')) {
			p += *p == '\n';
			if (*p == '#' ||
			    sscanf(p, "%*s %*s %*s %*s %31s %31s", size, dur) != 2)
				continue;
			sizes |= *size != '-';
			durations |= *dur != '-';
			read = true;
		}
		run_free(&r);
		free(w.v);
	}
	buf_str(&aggs, "count");
	buf_str(&aggs, d->keys ? ",sum(dur)" : sizes ? ",sum(size)" : "");
	if (read && !d->keys)
		buf_str(&aggs, durations ? ",p50,p99(dur)" : ",p50,p99(gap)");
	buf_byte(&aggs, '\0');
	d->aggs = (const char *)aggs.p;
}

/* Sets the question to that of a partial result. */
static void
same_question(struct diff *d, const struct diff_run *r)
{
	if (strstr(r->asked, " report "))
		die("%s: the partial result is of a report: write it with -g or -a",
		    r->path);
	d->keys = word_of(r->asked, "keys");
	d->aggs = word_of(r->asked, "aggregates");
	d->window = word_of(r->asked, "window");
	d->key = word_of(r->asked, "key");
	d->accuracy = word_of(r->asked, "accuracy");
}

/* Prints the messages of trace-stats, unless they are those of the run before. */
static void
print_messages(const struct run *r)
{
	static struct cell_text printed;
	struct cell_text all = {(const char *)r->err.p, r->err.n};

	if (all.n && !text_is(all, printed) && fwrite(all.s, 1, all.n, stderr) < all.n)
		warn("trace-stats had an error");
	printed = all;
}

/* Dies if trace-stats refuses the question, or if a partial result answers another one. */
static void
check_question(const struct diff *d)
{
	struct command_words w = {0};
	struct run r = {.program = "trace-stats", .in = -1};
	size_t n;

	words_add(&w, prog_name());
	add_question(&w, d, d->aggs);
	words_option(&w, "-e", d->test);
	words_said(&w, NULL);
	r.argv = words_end(&w, (const char *const[]){"-p", "/dev/null", NULL});
	run_all(&r, 1, 1);
	/* The question comes before the errors of the empty input. */
	if (!r.out.n) {
		print_messages(&r);
		exit(ST_TROUBLE);
	}
	buf_byte(&r.out, '\0');
	n = strcspn((char *)r.out.p + 2, "\t");
	for (size_t i = 0; i < d->nruns; i++) {
		const char *asked = d->run[i].asked;

		if (asked && (strlen(asked) != n || memcmp(asked, r.out.p + 2, n) != 0))
			die("%s: the partial result answers another question: %s; "
			    "the question is: %.*s",
			    d->run[i].path, asked, (int)n, (char *)r.out.p + 2);
	}
	run_free(&r);
	free(w.v);
}

/* Makes the command that prints the table of a run. */
static void
ask_table(const struct diff *d, struct diff_run *run, struct run *r)
{
	static struct buf aggs; /* with the span before them */
	struct command_words w = {0};

	*r = (struct run){.program = "trace-stats", .in = -1, .tells = d->progress};
	words_add(&w, prog_name());
	words_option(&w, "--having", d->having);
	run->skip = d->nkeys;
	if (run->asked)
		words_add(&w, "-m");
	else {
		if (!aggs.n) {
			buf_str(&aggs, d->window ? "" : SPAN);
			buf_str(&aggs, d->aggs ? d->aggs : "count");
			buf_byte(&aggs, '\0');
		}
		add_question(&w, d, (const char *)aggs.p);
		run->skip += !d->window;
		words_option(&w, "-e", d->test);
		words_said(&w, NULL);
	}
	r->argv = words_end(&w, (const char *const[]){"--tsv",
						      d->progress ? "--progress" : "--tsv",
						      "--", run->path, NULL});
	if (!strcmp(run->path, "-"))
		r->in = dup(0);
}

/* Sets the names of the columns. */
static void
take_names(struct diff *d, const struct diff_run *r, const char *p)
{
	unsigned n = 1;

	for (const char *s = p; *s != '\n'; s++)
		n += *s == '\t';
	d->name = xcalloc(n, sizeof *d->name);
	for (unsigned i = 0; i < n; i++)
		if (i < d->nkeys || i >= r->skip)
			d->name[d->ncolumns++] = row_cell(p, i);
	d->ncolumns -= d->nkeys;
}

/* Takes the table of a run. Leaves rows.s NULL if the input could not be read. */
static void
take_table(struct diff *d, struct diff_run *r, struct run *from)
{
	struct buf span = {0};
	char *rows;

	buf_byte(&from->out, '\0');
	rows = strchr((char *)from->out.p, '\n');
	if (from->lost)
		warn("%s: its table is longer than %u MiB: use fewer keys, or --having",
		     r->path, TABLE_MOST >> 20);
	if (from->lost || !rows || (from->status == ST_TROUBLE && !rows[1]))
		return;
	r->rows = (struct cell_text){rows + 1, strlen(rows + 1)};
	if (!d->name)
		take_names(d, r, (char *)from->out.p);
	/* The span is printed as a double, which is rounded to nanoseconds here. */
	for (const char *p = rows + 1; *p && r->skip > d->nkeys && !span.n;
	     p += strcspn(p, "\n") + 1)
		if (!text_is(row_cell(p, d->nkeys), absent))
			value_ratio(&span, (struct cell_text){"1", 1},
				    row_cell(p, d->nkeys), 9);
	r->span = (struct cell_text){(char *)span.p, span.n};
}

/* Divides the counts and sums of a run by its span. */
static void
divide(const struct diff *d, struct diff_run *r)
{
	struct buf b = {0};
	unsigned i = 0;

	for (const char *p = r->rows.s; *p; p++) {
		struct cell_text cell = row_cell(p, 0);

		if (i >= r->skip && name_grows(d->name[d->nkeys + i - r->skip]))
			value_ratio(&b, r->span, cell, 9);
		else
			buf_add(&b, cell.s, cell.n);
		p += cell.n;
		buf_byte(&b, *p);
		i = *p == '\n' ? 0 : i + 1;
	}
	buf_byte(&b, '\0');
	r->rows = (struct cell_text){(char *)b.p, b.n - 1};
}

/* Reports spans that differ by more than 1 %, or divides by them. */
static void
use_spans(struct diff *d)
{
	static const struct num none, factor = {.whole = 1, .nano = 10000000};
	struct cell_text span[2 * RUNS_MOST];
	size_t n = 0;

	for (size_t i = 0; i < d->nruns; i++)
		if (d->run[i].span.n)
			span[n++] = d->run[i].span;
		else if (d->per_second)
			opt_die("--per-second: %s: the span is unknown%s", d->run[i].path,
				d->run[i].asked
				    ? ": write the partial result with rate or rate(f)"
				    : "");
	for (size_t i = 0; i < d->nruns && d->per_second; i++)
		divide(d, &d->run[i]);
	value_sort(span, n);
	if (n > 1 && !d->per_second &&
	    value_differs(span[0], span[n - 1], &none, &factor) >= 0)
		warn("the spans differ: %.*s and %.*s; counts and sums are of different "
		     "times (--per-second)",
		     (int)span[0].n, span[0].s, (int)span[n - 1].n, span[n - 1].s);
}

void
diff_question(struct diff *d)
{
	const struct diff_run *partial = NULL;

	find_partials(d);
	for (size_t i = d->nruns; i--;)
		partial = d->run[i].asked ? &d->run[i] : partial;
	if (!d->keys && !d->aggs && !d->window)
		(partial ? (void)same_question(d, partial) : default_question(d));
	check_question(d);
	d->nkeys = d->window ? 1 : 0;
	for (const char *s = d->keys; s && *s; s += item_length(s), s += *s == ',')
		d->nkeys++;
}

int
diff_ask(struct diff *d)
{
	static struct run process[2 * RUNS_MOST];
	size_t n = 0, nold = 0;
	int status = ST_OK;

	for (size_t i = 0; i < d->nruns; i++)
		ask_table(d, &d->run[i], &process[i]);
	run_all(process, d->nruns, 2);
	for (size_t i = 0; i < d->nruns; i++) {
		print_messages(&process[i]);
		take_table(d, &d->run[i], &process[i]);
		if (process[i].status == ST_TROUBLE)
			status = ST_TROUBLE;
		if (!d->run[i].rows.s)
			continue;
		nold += i < d->nold;
		d->run[n++] = d->run[i];
	}
	d->nold = nold;
	d->nruns = n;
	use_spans(d);
	return status;
}
