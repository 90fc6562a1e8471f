/* check_run.c - which rules are checked, and what becomes of a finding: see check.h. */
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "input/fault.h"
#include "input/trace.h"
#include "trace-check/check.h"

/* Rules of all formats: errors of reading that belong to no other rule. */
#define INPUT_RULES(R)                                                                \
	R(INPUT_DAMAGE, "input-damage", LEVEL_ERROR, BASIS_MODEL, 0,                  \
	  "Everything in the input can be read", "a stream that ends within a block") \
	R(INPUT_NOTE, "input-note", LEVEL_NOTE, BASIS_MODEL, 0,                       \
	  "A reader finds nothing worth a message", "metadata that are not understood")
enum {
	INPUT_RULES(RULE_NAME)
};
static const struct rule input_rows[] = {INPUT_RULES(RULE_ROW)};
static const struct rules input_rules = {input_rows,
					 sizeof input_rows / sizeof *input_rows};

static const struct checker *const checkers[] = {
    &check_spc, &check_charisma, &check_laplace, &check_ovni, &check_dumpi,
};
#define CHECKERS (sizeof checkers / sizeof *checkers)
#define TABLES (CHECKERS + 1)
/* All rules are fewer. */
#define RULES_MOST 320
/* By table: the states of its rules. The last table is input_rules. */
static struct rule_state *states[TABLES];

static const struct rules *
table(size_t i)
{
	return i < CHECKERS ? checkers[i]->rules : &input_rules;
}

void
check_begin(struct check_run *c)
{
	static struct rule_state all[RULES_MOST];
	size_t n = 0;

	for (size_t t = 0; t < TABLES; t++) {
		const struct rules *rules = table(t);

		states[t] = all + n;
		n += rules->n;
		for (size_t i = 0; i < rules->n; i++) {
			states[t][i].on = !(rules->rule[i].flags & RULE_OFF);
			states[t][i].level = rules->rule[i].level;
		}
	}
	c->severity = LEVEL_WARNING;
	c->most = 10;
}

bool
rule_words(size_t i, struct finding_rule *r)
{
	for (size_t t = 0; t < TABLES; i -= table(t++)->n)
		if (i < table(t)->n) {
			const struct rule *rule = &table(t)->rule[i];

			*r = (struct finding_rule){rule->id, rule->must, NULL, rule->level};
			return true;
		}
	return false;
}

const char *
check_select(struct check_run *c, const char *rules, bool on)
{
	static char why[120];
	bool any;

	(void)c;
	for (const char *p = rules, *end; *p; p = end + (*end == ',')) {
		char *glob, *level;
		enum severity set = LEVEL_NOTE;

		end = p + strcspn(p, ",");
		glob = xstrndup(p, (size_t)(end - p));
		level = strchr(glob, '=');
		if (level) {
			*level++ = '\0';
			if (level_named(&set, level)) {
				free(glob);
				return "RULE=note, RULE=warning or RULE=error is expected";
			}
		}
		any = false;
		for (size_t t = 0; t < TABLES; t++)
			for (size_t i = 0; i < table(t)->n; i++)
				if (!strcmp(glob, "all") ||
				    !fnmatch(glob, table(t)->rule[i].id, 0)) {
					states[t][i].on = on;
					if (level)
						states[t][i].level = set;
					any = true;
				}
		snprintf(why, sizeof why, "no rule is called %.60s: see --list", glob);
		free(glob);
		if (!any)
			return why;
	}
	return NULL;
}

/* Counts a finding. Returns true if it is to be written. */
static bool
counts(struct check_run *c, const struct rule *rule, struct rule_state *state,
       enum severity *level)
{
	*level = c->cut && rule->flags & RULE_END ? LEVEL_NOTE : state->level;
	c->found[*level]++;
	c->worse |= *level >= c->severity;
	/* One finding says that the trace was cut; those about its end are only counted. */
	if (*level < c->severity || *level < state->level ||
	    (c->most && state->said >= c->most)) {
		state->more++;
		return false;
	}
	state->said++;
	return !c->quiet;
}

/* Returns true if the rule is not checked, or if the finding needs no text, because it is only counted. */
static bool
needs_no_text(struct check_run *c, const struct rule *rule, struct rule_state *state)
{
	enum severity level;

	if (!state->on || (c->part && rule->flags & RULE_WHOLE))
		return true;
	if (c->known.line.n || !c->most || state->said < c->most)
		return false;
	counts(c, rule, state, &level);
	return true;
}

/* Writes a finding of a rule that is checked, or counts it. */
static void
found(struct check_run *c, const struct rule *rule, struct rule_state *state,
      struct trace_place at, struct trace_place other, const char *text)
{
	struct finding f = {rule->id, state->level, at, other, text, NULL};

	if (!baseline_has(&c->known, &f) && counts(c, rule, state, &f.level))
		findings_put(&c->out, &f);
}

static void
find_text(struct check_run *c, unsigned rule, struct trace_place at,
	  struct trace_place other, const char *fmt, va_list ap)
{
	char text[512];

	if (needs_no_text(c, &c->rules->rule[rule], &c->state[rule]))
		return;
	vsnprintf(text, sizeof text, fmt, ap);
	found(c, &c->rules->rule[rule], &c->state[rule], at, other, text);
}

void
find_with(struct check_run *c, unsigned rule, struct trace_place at,
	  struct trace_place other, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	find_text(c, rule, at, other, fmt, ap);
	va_end(ap);
}

void
find(struct check_run *c, unsigned rule, struct trace_place at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	find_text(c, rule, at, (struct trace_place){0}, fmt, ap);
	va_end(ap);
}

void
check_limit(struct check_run *c, const char *what, uint64_t most)
{
	if (!c->limited)
		warn("more than %llu %s: not all rules were checked to the end",
		     (unsigned long long)most, what);
	c->limited = true;
}

/* Takes an error of a reader: see read_options.found. */
static void
take_fault(void *check, struct source *s, const char *rule, int cost, const char *file,
	   uint64_t n, const char *text)
{
	struct check_run *c = check;
	struct trace_place at = {file, s->fmt->text ? AT_LINE : AT_OFFSET, n};
	size_t t = CHECKERS, i = cost == COST_NONE;

	if (n == NOWHERE)
		at = in_file(file);
	for (size_t k = 0; rule && t == CHECKERS && k < CHECKERS; k++)
		for (size_t r = 0; r < table(k)->n; r++)
			if (!strcmp(table(k)->rule[r].id, rule)) {
				t = k;
				i = r;
			}
	/* At its end a reader sums up errors; a checker that looks for them itself has their places. */
	if (n == NOWHERE && !strcmp(file, s->name) &&
	    (states[t][i].input == s->id ||
	     (t < CHECKERS && !(table(t)->rule[i].flags & RULE_READ))))
		return;
	if (n != NOWHERE)
		states[t][i].input = s->id;
	if (!needs_no_text(c, &table(t)->rule[i], &states[t][i]))
		found(c, &table(t)->rule[i], &states[t][i], at, (struct trace_place){0},
		      text);
}

/* Returns the number of lines that begin in [p, end). */
static uint64_t
lines_in(const uint8_t *p, const uint8_t *end)
{
	uint64_t n = 0;

	for (; p < end; n++) {
		const uint8_t *nl = memchr(p, '\n', (size_t)(end - p));

		p = nl ? nl + 1 : end;
	}
	return n;
}

struct trace_place
place_of(struct check_run *c, struct source *s, const struct batch *b, uint32_t i)
{
	const struct span *raw = &b->raw[i];
	bool ours = raw->p >= s->in.buf && raw->p < s->in.end;

	/* The records of a batch, and the lines between them, are all in the buffer. */
	if (s->fmt->text && ours) {
		/* Records are most often asked for in their order: count from the last one. */
		if (c->line_before != c->before || c->line_at > raw->p) {
			c->line = s->line + fault_line(s) + 1 - lines_in(raw->p, s->in.p);
			c->line_before = c->before;
		} else
			c->line += lines_in(c->line_at, raw->p);
		c->line_at = raw->p;
		return at_line(s->name, c->line);
	}
	if (!is_stream(s) && ours)
		return at_offset(s->name, in_offset(&s->in, raw->p));
	return (struct trace_place){s->name, AT_EVENT, c->before + i + 1};
}

/* Ends the events under a head. */
static void
end_head(struct check_run *c, struct source *s)
{
	if (c->now)
		c->now->end(c, c->own, s);
	c->now = NULL;
	c->cut = false;
}

/* Begins the events under the head of s, if its format has a checker. */
static void
begin_head(struct check_run *c, struct source *s)
{
	char name[sizeof s->head.format + 2];

	end_head(c, s);
	c->head = s->head_serial;
	snprintf(name, sizeof name, " %s ", s->head.format);
	for (size_t i = 0; i < CHECKERS && !c->now; i++)
		if (strstr(checkers[i]->formats, name)) {
			c->now = checkers[i];
			c->rules = c->now->rules;
			c->state = states[i];
			c->own = c->now->begin(c, s);
		}
}

static void
begin_input(void *check, struct source *s)
{
	struct check_run *c = check;

	c->files++;
	c->before = 0;
	c->line_before = UINT64_MAX;
	if (!is_stream(s))
		begin_head(c, s);
}

static bool
take_batch(void *check, struct source *s, const struct batch *b)
{
	struct check_run *c = check;

	if (!c->now || c->head != s->head_serial)
		begin_head(c, s);
	if (c->now && c->now->batch && !c->reads)
		c->now->batch(c, c->own, s, b);
	c->before += b->n;
	c->events += b->n;
	return true;
}

static void
end_input(void *check, struct source *s)
{
	end_head(check, s);
}

/* Writes, for each rule of which findings were not written, how many. */
static void
say_more(struct check_run *c)
{
	for (size_t t = 0; t < TABLES; t++)
		for (size_t i = 0; i < table(t)->n; i++) {
			const struct rule_state *state = &states[t][i];

			if (state->said && state->more && !c->quiet)
				warn("%llu more of %s %s not shown",
				     (unsigned long long)state->more, table(t)->rule[i].id,
				     state->more == 1 ? "is" : "are");
		}
}

int
check_read(struct check_run *c, struct read_options *read, char *const *paths, size_t n)
{
	struct consumer to = {
	    .batch = take_batch, .whole = begin_input, .end = end_input, .arg = c};
	unsigned rules = 0;
	int status;

	read->found = take_fault;
	read->found_arg = c;
	read->head_done = end_input;
	read->head_arg = c;
	read->need = 0;
	for (size_t t = 0; t < CHECKERS; t++)
		for (size_t i = 0; i < table(t)->n; i++)
			if (states[t][i].on && !(table(t)->rule[i].flags & RULE_READ))
				read->need |= NEED_COLUMNS | NEED_RAW | checkers[t]->need;
	c->reads = !read->need;
	status = trace_each(read, paths, n, &to);
	/* On a terminal the summary comes last. */
	out_flush(&c->out.out);
	say_more(c);
	for (size_t t = 0; t < TABLES; t++) {
		for (size_t i = 0; i < table(t)->n; i++)
			rules += states[t][i].said + states[t][i].more > 0;
	}
	if (!c->quiet && rules)
		warn("%llu input%s, %llu event%s: %llu error%s, %llu warning%s, %llu "
		     "note%s, of "
		     "%u rule%s",
		     (unsigned long long)c->files, c->files == 1 ? "" : "s",
		     (unsigned long long)c->events, c->events == 1 ? "" : "s",
		     (unsigned long long)c->found[LEVEL_ERROR],
		     c->found[LEVEL_ERROR] == 1 ? "" : "s",
		     (unsigned long long)c->found[LEVEL_WARNING],
		     c->found[LEVEL_WARNING] == 1 ? "" : "s",
		     (unsigned long long)c->found[LEVEL_NOTE],
		     c->found[LEVEL_NOTE] == 1 ? "" : "s", rules, rules == 1 ? "" : "s");
	if (baseline_left(&c->known))
		warn("%llu finding%s of the baseline no longer occur%s",
		     (unsigned long long)baseline_left(&c->known),
		     baseline_left(&c->known) == 1 ? "" : "s",
		     baseline_left(&c->known) == 1 ? "s" : "");
	return status != ST_OK || c->limited ? ST_TROUBLE : c->worse ? ST_NONE : ST_OK;
}

/* Writes what a rule is, in lines. */
static void
explain(struct out *o, const struct rule *r)
{
	static const char *const basis[] = {
	    "the document of the format says so",
	    "the tool of the format's authors refuses what breaks it",
	    "the MPI standard says so",
	    "it follows from what the fields mean",
	    "experience: what breaks it is most often a mistake",
	};

	out_str(o, r->id);
	out_str(o, ": ");
	out_str(o, level_name(r->level));
	out_str(o, r->flags & RULE_OFF ? ", if -W names it\n  " : "\n  ");
	out_str(o, r->must);
	out_str(o, ".\n  Why: ");
	out_str(o, basis[r->basis]);
	out_str(o, ".\n  A violation: ");
	out_str(o, r->example);
	out_str(o, "\n");
	if (r->flags & RULE_WHOLE)
		out_str(o, "  Not checked with --part.\n");
	if (r->flags & RULE_END)
		out_str(o, "  Only counted in a trace that was cut.\n");
	if (r->flags & RULE_BYTES)
		out_str(o, "  Not checked in a stream.\n");
}

static void
list_rule(struct out *o, const struct rule *r)
{
	out_str(o, r->id);
	out_str(o, "\t");
	out_str(o, level_name(r->level));
	out_str(o, r->flags & RULE_OFF ? "\toff\t" : "\ton\t");
	out_str(o, r->must);
	out_str(o, "\n");
}

bool
rules_list(struct out *o, char *const *only, bool long_form)
{
	bool all = true;

	for (size_t k = 0; k == 0 || (*only && only[k]); k++) {
		bool any = false;

		for (size_t t = 0; t < TABLES; t++)
			for (size_t i = 0; i < table(t)->n; i++) {
				const struct rule *r = &table(t)->rule[i];

				if (*only && fnmatch(only[k], r->id, 0))
					continue;
				any = true;
				(long_form ? explain : list_rule)(o, r);
			}
		if (!any)
			warn("no rule is called %s: see --list", only[k]);
		all &= any;
	}
	return all;
}

const char *
check_take_capacity(void *check, const char *text)
{
	struct check_run *c = check;
	const char *is = strchr(text, '=');
	uint64_t asu = 0;

	if (!is || digits_u64((const uint8_t *)text, (size_t)(is - text), &asu) ||
	    asu > UINT32_MAX)
		return "ASU=SIZE is expected, such as 0=17GB";
	*PUSH(c->capacity, c->ncapacities, c->capacity_cap) = (struct capacity){
	    (uint32_t)asu, num_option("--capacity", is + 1, 0, UINT64_MAX)};
	return NULL;
}
