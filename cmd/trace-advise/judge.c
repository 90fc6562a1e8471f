/* judge.c - runs the commands of all rules for a trace, and judges their tables: see advise.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/opt.h"
#include "input/cached_text.h"
#include "run/inputs.h"
#include "run/run.h"
#include "summary/command.h"
#include "trace-advise/advise.h"

#define COLUMNS_MOST 16 /* columns of a table that a rule can name */
#define WORDS_MOST 64	/* words of a command without its inputs */
#define REASONS_MOST 8
#define LONG_ENOUGH 10 /* seconds of a trace with bursts */
#define TWO_GROUPS "two groups"

/* A table that a program printed: names of columns, and the cells of the row that is judged. */
struct table_row {
	char *name[COLUMNS_MOST], *cell[COLUMNS_MOST];
	size_t n;
	size_t rows; /* number of rows of the table */
};

/* A command: one program, or two with a pipe between. */
struct command {
	struct buf text;  /* without inputs */
	struct buf shown; /* with inputs, as the user can type it */
	struct run *run;  /* its last program */
	struct buf words; /* its words, each with a NUL */
	char *argv[2][WORDS_MOST];
};

/* Returns the cell of the column; NULL if the table lacks the column or the row the cell. */
static const char *
cell_of(const struct table_row *t, const char *name, size_t n)
{
	for (size_t i = 0; i < t->n; i++)
		if (strlen(t->name[i]) == n && !memcmp(t->name[i], name, n))
			return t->cell[i] && strcmp(t->cell[i], "-") != 0 ? t->cell[i]
									  : NULL;
	return NULL;
}

/* Returns the number of the column in the row; NAN if there is none. */
static double
number_of(const struct table_row *t, const char *name)
{
	const char *cell = cell_of(t, name, strlen(name));
	char *end;
	double v = cell ? strtod(cell, &end) : NAN;

	return cell && end > cell && !*end ? v : NAN;
}

/* Divides a line into cells. Returns their number; cells beyond COLUMNS_MOST are left out. */
static size_t
split_cells(char *line, char *cell[COLUMNS_MOST])
{
	size_t n = 0;

	for (char *tab; line && n < COLUMNS_MOST; line = tab) {
		tab = strchr(line, '\t');
		if (tab)
			*tab++ = '\0';
		cell[n++] = line;
	}
	return n;
}

/* A histogram of durations by powers of two: ends of intervals and counts. */
struct duration_bars {
	double low[128], count[128];
	size_t n;
};

/* Divides the bars into two groups: from bar `at` on, and before it. If `valley`, bar at - 1 is in neither group. Returns
 * the share of the smaller group, and stores the number of the highest bar of each in `peak`. Returns 0 if the valley
 * is higher than a quarter of a peak. */
static double
part_bars(const struct duration_bars *h, size_t at, bool valley, size_t peak[2])
{
	double sum[2] = {0, 0}, low = valley ? h->count[at - 1] : 0;

	peak[0] = 0;
	peak[1] = at;
	for (size_t i = 0; i < h->n; i++) {
		unsigned side = i >= at;

		if (valley && i == at - 1)
			continue;
		sum[side] += h->count[i];
		if (h->count[i] > h->count[peak[side]])
			peak[side] = i;
	}
	if (low * 4 > h->count[peak[0]] || low * 4 > h->count[peak[1]])
		return 0;
	return fmin(sum[0], sum[1]) / (sum[0] + sum[1] + low);
}

/* Reads a histogram and makes a row of its two groups: the share of the smaller one, the begin of each peak, and the
 * number of values. Returns false if the histogram is empty. */
static bool
two_groups(char *text, struct table_row *t)
{
	static char *const names[] = {"share", "first", "second", "n"};
	static char cells[4][40];
	struct duration_bars h = {.n = 0};
	double most = 0, all = 0;
	size_t peak[2], best[2] = {0, 0};

	for (char *line = text, *next; line && *line && h.n < 128; line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : NULL;
		if (sscanf(line, "%lf\t%lf", &h.low[h.n], &h.count[h.n]) == 2)
			all += h.count[h.n++];
	}
	for (size_t at = 1; at < h.n; at++)
		for (unsigned valley = 0; valley < 2; valley++) {
			double share;

			/* Without a bar between them, the groups need an empty interval. */
			if (valley ? at < 2 : h.low[at] < 3 * h.low[at - 1])
				continue;
			share = part_bars(&h, at, valley, peak);
			if (share <= most)
				continue;
			most = share;
			memcpy(best, peak, sizeof best);
		}
	snprintf(cells[0], sizeof cells[0], "%.9g", most);
	snprintf(cells[1], sizeof cells[1], "%.9g", h.n ? h.low[best[0]] : 0);
	snprintf(cells[2], sizeof cells[2], "%.9g", h.n ? h.low[best[1]] : 0);
	snprintf(cells[3], sizeof cells[3], "%.0f", all);
	t->n = 4;
	for (size_t i = 0; i < 4; i++) {
		t->name[i] = names[i];
		t->cell[i] = cells[i];
	}
	return h.n > 0;
}

/* Reads the table that a program printed and chooses the row for the rule: the one with the greatest number, or the one
 * named r->row. `text` ends with a NUL and is changed.
 * Returns false if there is no such row. */
static bool
read_row(char *text, const struct advice_rule *r, struct table_row *t)
{
	const char *pick = r->pick ? r->pick : r->column;
	char *line = text + (*text == '#'), *next;
	struct table_row row;
	double most = NAN;
	bool found = false;

	if (r->row && !strcmp(r->row, TWO_GROUPS))
		return two_groups(text, t);
	next = strchr(line, '\n');
	if (!next)
		return false;
	*next++ = '\0';
	t->rows = 0;
	t->n = split_cells(line, t->name);
	row = *t;
	for (line = next; *line; line = next) {
		double v;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		row.rows++;
		memset(row.cell, 0, sizeof row.cell);
		split_cells(line, row.cell);
		if (r->row && (!row.cell[0] || strcmp(row.cell[0], r->row) != 0))
			continue;
		v = number_of(&row, pick);
		/* Without numbers, the first row has at least the number of events. */
		if (!found || (!isnan(v) && (isnan(most) || v > most))) {
			most = v;
			*t = row;
			found = true;
		}
	}
	t->rows = row.rows;
	return found;
}

/* Appends a number with three digits. `text` is the cell. */
static void
put_cell(struct buf *b, const char *text, bool percent)
{
	char number[40], *end;
	double v = strtod(text, &end);

	if (percent)
		/* Almost all is not all. */
		snprintf(number, sizeof number,
			 v >= 0.995 && v < 1 ? "%.4g %%"
			 : v >= 0.0995	     ? "%.0f %%"
					     : "%.2g %%",
			 v * 100);
	else if (!*text || *end || !strpbrk(text, ".e")) {
		struct buf raw = {0};

		text_raw(&raw, text, strlen(text));
		buf_add(b, raw.p, raw.n);
		buf_free(&raw);
		return;
	} else
		snprintf(number, sizeof number, fabs(v) >= 999.5 ? "%.0f" : "%.3g", v);
	buf_str(b, number);
}

/* Returns the message of a rule with the numbers of the row. */
static char *
message_of(const struct advice_rule *r, const struct table_row *t)
{
	struct buf b = {0};

	for (const char *p = r->words; *p; p++) {
		size_t n = *p == '{' ? strcspn(p, "}") - 1 : 0;
		bool percent = n && p[n] == '%';
		const char *cell;

		if (!n) {
			buf_byte(&b, *p);
			continue;
		}
		cell = p[1] == '1' ? r->size : cell_of(t, p + 1, n - percent);
		put_cell(&b, cell ? cell : "?", percent);
		p += n + 1;
	}
	buf_byte(&b, '\0');
	return (char *)b.p;
}

/* Judges one rule by what its program printed. Returns the reason why it cannot be judged, or NULL. */
static const char *
judge_rule(struct advices *f, const char *file, const struct advice_rule *r,
	   const struct trace_facts *facts, const struct command *c)
{
	char *text =
	    xstrndup(c->run->out.n ? (const char *)c->run->out.p : "", c->run->out.n);
	const char *why = NULL;
	struct table_row row = {.n = 0};
	double v, count, far;

	if (!read_row(text, r, &row)) {
		/* --having of the command may have dropped all rows. */
		if (r->row || row.rows || c->run->status != ST_OK)
			why = "no such values";
		goto end;
	}
	v = number_of(&row, r->column);
	count = r->count ? number_of(&row, r->count) : facts->events;
	if (count < r->least)
		goto end;
	if (isnan(v) || isnan(count)) {
		why = "no such values";
		goto end;
	}
	far = r->side == '>' ? v - r->threshold : r->threshold - v;
	if (far > 0)
		*PUSH(f->v, f->n, f->cap) = (struct advice){
		    .rule = r,
		    .file = file,
		    .message = message_of(r, &row),
		    .command = xstrndup((const char *)c->shown.p, c->shown.n),
		    .value = v};
end:
	free(text);
	return why;
}

/* Divides the text of a command into the words of its programs. Returns the number of programs. */
static size_t
make_words(struct command *c)
{
	size_t programs = 1, n = 0;
	char *to;

	buf_byte(&c->text, '\0');
	c->text.n--;
	to = (char *)buf_room(&c->words, c->text.n + 1);
	for (const char *p = (const char *)c->text.p; *p;) {
		bool quoted = false;

		if (*p == '|') {
			c->argv[0][n] = NULL;
			programs = 2;
			n = 0;
			p += 2;
			continue;
		}
		c->argv[programs - 1][n++] = to;
		for (; *p && (quoted || *p != ' '); p++)
			if (*p == '\'')
				quoted = !quoted;
			else
				*to++ = *p;
		*to++ = '\0';
		p += *p == ' ';
	}
	c->argv[programs - 1][n] = NULL;
	return programs;
}

/* Writes the command as the user can type it. */
static void
show_command(struct command *c, char *file)
{
	const struct asker asker = {.said = (const char *)common.said.p,
				    .nsaid = common.said.n,
				    .paths = &file,
				    .n = 1};
	const char *text = (const char *)c->text.p, *bar = strstr(text, " | ");

	buf_add(&c->shown, text, bar ? (size_t)(bar - text) : c->text.n);
	command_inputs(&c->shown, &asker);
	buf_str(&c->shown, bar ? bar : "");
}

/* Adds the programs of a command to the runs. The first gets the inputs. */
static void
add_runs(struct command *c, struct run *run, size_t *n)
{
	size_t programs = make_words(c);

	for (size_t i = 0; i < programs; i++) {
		struct run *r = &run[(*n)++];
		struct command_words w = {0};

		for (char **word = c->argv[i]; *word; word++)
			words_add(&w, *word);
		if (i)
			words_add(&w, NULL);
		else
			end_words(&w);
		*r = (struct run){
		    .argv = w.v, .in = i ? -1 : input_again(), .pipes = i + 1 < programs};
		c->run = r;
	}
}

/* Returns true if the message only says that the trace lacks what is asked for: by a rule, or else by look(). */
static bool
is_absence(const char *line, size_t n, bool of_rule)
{
	static const char *const absent[] = {
	    "no event had a ", "-O durations: no input is ", "-O cpu: no input is "};

	for (size_t i = 0; i < (of_rule ? sizeof absent / sizeof *absent : 1); i++) {
		size_t len = strlen(absent[i]);

		if (n >= len && !memcmp(line, absent[i], len))
			return true;
	}
	return false;
}

/* Reports each message of a program once, without the name of the program, except that the trace lacks something. Of a
 * program that runs for a rule (of_rule), reports errors only. Returns true if there was an error. */
static bool
report_messages(struct strtab *said, const struct run *r, bool of_rule)
{
	const char *line = r->err.n ? (const char *)r->err.p : "", *end = line + r->err.n;
	size_t name = strlen(*r->argv);
	bool trouble = false;

	if (of_rule && r->status != ST_TROUBLE)
		return false;
	for (const char *next; line < end; line = next) {
		size_t n = (size_t)(end - line), known = said->n;

		next = memchr(line, '\n', n);
		n = next ? (size_t)(next - line) : n;
		next = line + n + 1;
		if (n > name + 2 && !memcmp(line, *r->argv, name) && line[name] == ':') {
			line += name + 2;
			n -= name + 2;
		}
		if (is_absence(line, n, of_rule))
			continue;
		trouble = true;
		strtab_id(said, line, n);
		if (said->n > known)
			warn("%.*s", (int)n, line);
	}
	return r->status == ST_TROUBLE && (trouble || !r->err.n);
}

/* Reads the format of the trace, the number of its events, and which columns they have. Returns false if it has no
 * events. */
static bool
look(struct advices *f, struct strtab *said, struct trace_facts *facts)
{
	static char format[40];
	static const struct advice_rule probe = {.column = "events"};
	struct command c[2] = {{.text = {0}}, {.text = {0}}};
	struct run run[2];
	struct table_row row;
	size_t n = 0;
	char *at;

	buf_str(&c[0].text, "trace-filter -H --head 1 'event?'");
	buf_str(&c[1].text,
		"trace-stats -a 'events = count, sizes = count(size), addrs = "
		"count(addr), durs = count(dur), places = distinct(loc), span'");
	add_runs(&c[0], run, &n);
	add_runs(&c[1], run, &n);
	run_all(run, 2, 2);
	/* The head has errors of its own only if reading failed just there. */
	/* Errors that both programs meet are reported by the one that reads everything. */
	if (report_messages(said, &run[1], false) ||
	    (run[0].status == ST_TROUBLE && report_messages(said, &run[0], false)))
		f->trouble = true;
	buf_byte(&run[0].out, '\0');
	buf_byte(&run[1].out, '\0');
	at = strstr((char *)run[0].out.p, "##format\t");
	format[0] = '\0';
	if (at)
		sscanf(at, "##format\t%39s", format);
	*facts = (struct trace_facts){.format = format};
	if (read_row((char *)run[1].out.p, &probe, &row)) {
		facts->events = number_of(&row, "events");
		facts->places = number_of(&row, "places");
		facts->seconds = number_of(&row, "span");
		facts->has = (number_of(&row, "sizes") > 0 ? NEEDS_SIZE : 0u) |
			     (number_of(&row, "addrs") > 0 ? NEEDS_ADDR : 0u) |
			     (number_of(&row, "durs") > 0 ? NEEDS_DUR : 0u) |
			     (facts->seconds >= LONG_ENOUGH ? NEEDS_SECONDS : 0u) |
			     (facts->places > 1 ? NEEDS_PLACES : 0u);
	}
	for (size_t i = 0; i < 2; i++) {
		run_free(&run[i]);
		free(run[i].argv);
		buf_free(&c[i].text);
		buf_free(&c[i].words);
	}
	return facts->events > 0;
}

/* Reasons why rules were not judged, and how many rules each. */
struct reasons {
	const char *why[REASONS_MOST];
	unsigned n[REASONS_MOST];
};

static void
not_judged(struct reasons *r, const char *why)
{
	for (size_t i = 0; why && i < REASONS_MOST; i++)
		if (!r->why[i] || !strcmp(r->why[i], why)) {
			r->why[i] = why;
			r->n[i]++;
			return;
		}
}

/* Returns the reason why the trace lacks what a rule needs, or NULL. */
static const char *
lacks(const struct advice_rule *r, const struct trace_facts *facts)
{
	unsigned missing = r->needs & ~facts->has;

	return missing & NEEDS_DUR	 ? "no durations"
	       : missing & NEEDS_ADDR	 ? "no addresses"
	       : missing & NEEDS_SIZE	 ? "no sizes"
	       : missing & NEEDS_SECONDS ? "shorter than 10 seconds"
	       : missing		 ? "a single place"
					 : NULL;
}

/* Finds the command of a rule among n, or makes it. Returns its number. */
static size_t
command_for(struct command *c, size_t *n, const struct advice_rule *r,
	    const struct trace_facts *facts)
{
	struct buf text = {0};
	size_t i = 0;

	rule_command(&text, r, facts);
	while (i < *n &&
	       (c[i].text.n != text.n || memcmp(c[i].text.p, text.p, text.n) != 0))
		i++;
	if (i < *n)
		buf_free(&text);
	else
		c[(*n)++].text = text;
	return i;
}

/* Returns the format by whose rules a format is judged. */
static const char *
judged_as(const char *format)
{
	for (size_t i = 0; i < nrules; i++)
		if (rule_suits(&rules[i], format))
			return format;
	return request_format;
}

void
judge(struct advices *f, char *file, char *const *ignored, unsigned at_once)
{
	struct command *c = xcalloc(nrules, sizeof *c);
	struct run *run = xcalloc(2 * nrules, sizeof *run);
	size_t *which = xcalloc(nrules, sizeof *which), ncommands = 0, nruns = 0;
	const char *known;
	struct reasons reasons = {.n = {0}};
	struct trace_facts facts;
	struct strtab said = {0};

	if (!look(f, &said, &facts))
		goto end;
	known = judged_as(facts.format);
	for (size_t i = 0; i < nrules; i++) {
		const struct advice_rule *r = &rules[i];

		which[i] = SIZE_MAX;
		if (!rule_suits(r, known) || matches_any(ignored, r->id))
			continue;
		if (lacks(r, &facts))
			not_judged(&reasons, lacks(r, &facts));
		else
			which[i] = command_for(c, &ncommands, r, &facts);
	}
	for (size_t i = 0; i < ncommands; i++) {
		add_runs(&c[i], run, &nruns);
		show_command(&c[i], file);
	}
	run_all(run, nruns, at_once);
	for (size_t i = 0; i < nruns; i++)
		f->trouble |= report_messages(&said, &run[i], true);
	for (size_t i = 0; i < nrules; i++)
		if (which[i] != SIZE_MAX)
			not_judged(&reasons,
				   judge_rule(f, file, &rules[i], &facts, &c[which[i]]));
	for (size_t i = 0; i < REASONS_MOST && reasons.why[i]; i++)
		warn("%s: %s: %u rule%s not judged", file, reasons.why[i], reasons.n[i],
		     reasons.n[i] == 1 ? "" : "s");
	for (size_t i = 0; i < nruns; i++) {
		run_free(&run[i]);
		free(run[i].argv);
	}
	for (size_t i = 0; i < ncommands; i++) {
		buf_free(&c[i].text);
		buf_free(&c[i].shown);
		buf_free(&c[i].words);
	}
end:
	strtab_free(&said);
	free(which);
	free(run);
	free(c);
}
