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
static const struct rule input_rules[] = {
    {"input-damage", LEVEL_ERROR, BASIS_MODEL, READ, "Everything in the input can be read",
     "a stream that ends within a block"},
    {"input-note", LEVEL_NOTE, BASIS_MODEL, READ, "A reader finds nothing worth a message",
     "metadata that are not understood"},
    {0}};
static const struct checker check_input = {.formats = "", .rules = input_rules};

static const struct checker *const checkers[] = {
    &check_spc, &check_charisma, &check_laplace, &check_ovni, &check_dumpi, &check_input,
};
#define CHECKERS (sizeof checkers / sizeof *checkers)

/* The states of the rules of all checkers, in this order, up to one without a rule; those of input_rules are the last. */
static struct rule_state states[320];
/* By checker: the state of its first rule. */
static struct rule_state *first_state[CHECKERS];

void
check_begin(struct check_run *c)
{
	struct rule_state *k = states;

	for (size_t i = 0; i < CHECKERS; i++) {
		first_state[i] = k;
		for (const struct rule *r = checkers[i]->rules; r->id; r++)
			*k++ = (struct rule_state){r, checkers[i], .on = !(r->flags & OFF),
						   .level = r->level};
	}
	c->severity = LEVEL_WARNING;
	c->most = 10;
}

bool
rule_words(size_t i, struct finding_rule *r)
{
	const struct rule *rule = states[i].rule;

	if (rule)
		*r = (struct finding_rule){rule->id, rule->must, NULL, rule->level};
	return rule;
}

const char *
check_select(struct check_run *c, const char *rules, bool on)
{
	static char why[120];

	(void)c;
	for (const char *p = rules, *end; *p; p = end + (*end == ',')) {
		char *glob, *level;
		enum severity set = LEVEL_NOTE;
		bool any = false;

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
		for (struct rule_state *k = states; k->rule; k++) {
			if (strcmp(glob, "all") != 0 && fnmatch(glob, k->rule->id, 0))
				continue;
			k->on = on;
			k->level = level ? set : k->level;
			any = true;
		}
		snprintf(why, sizeof why, "no rule is called %.60s: see --list", glob);
		free(glob);
		if (!any)
			return why;
	}
	return NULL;
}

/* Returns the level of a finding. One finding says that the trace was cut; those about its end are notes. */
static enum severity
level_of(const struct check_run *c, const struct rule_state *k)
{
	return c->cut && k->rule->flags & END ? LEVEL_NOTE : k->level;
}

/* Counts a finding. Returns true if it is to be written. */
static bool
counts(struct check_run *c, struct rule_state *k)
{
	enum severity level = level_of(c, k);

	c->found[level]++;
	c->worse |= level >= c->severity;
	if (level < c->severity || level < k->level || (c->most && k->said >= c->most)) {
		k->more++;
		return false;
	}
	k->said++;
	return !c->quiet;
}

/* Does the work of needs_text for a rule with the state k. With a baseline the text shows whether the finding is new, so
 * found() counts it. */
static bool
begin_finding(struct check_run *c, struct rule_state *k)
{
	c->finds = k;
	c->finding = (struct finding){.rule = k->rule->id, .level = level_of(c, k)};
	if (!k->on || (c->part && k->rule->flags & WHOLE))
		return false;
	return c->known.line.n || counts(c, k);
}

bool
needs_text(struct check_run *c, unsigned rule)
{
	return begin_finding(c, &c->state[rule]);
}

/* Writes the current finding. */
static void
found(struct check_run *c, const char *text)
{
	c->finding.text = text;
	if (!c->known.line.n ||
	    (!baseline_has(&c->known, &c->finding) && counts(c, c->finds)))
		findings_put(&c->out, &c->finding);
}

void
find_text(struct check_run *c, const char *fmt, ...)
{
	struct trace_place *at = &c->finding.at;
	const char *subject = NULL;
	char text[512];
	va_list ap;
	int n = 0;

	if (!at->file) {
		*at = c->here.file    ? c->here
		      : c->now->place ? c->now->place(c)
				      : event_place(c);
		subject = c->now->subject ? c->now->subject(c) : NULL;
	}
	if (subject)
		n = snprintf(text, sizeof text, "%.100s: ", subject);
	va_start(ap, fmt);
	vsnprintf(text + n, sizeof text - (size_t)n, fmt, ap);
	va_end(ap);
	found(c, text);
}

/* Takes an error of a reader: see read_options.found. */
static void
take_fault(void *check, struct source *s, const char *rule, int cost, const char *file,
	   uint64_t n, const char *text)
{
	struct check_run *c = check;
	struct trace_place at = {file, s->fmt->text ? AT_LINE : AT_OFFSET, n};
	struct rule_state *k = &first_state[CHECKERS - 1][cost == COST_NONE];

	for (struct rule_state *i = states; i->rule; i++)
		if (rule && !strcmp(i->rule->id, rule))
			k = i;
	/* At its end a reader sums up errors; a checker that looks for them itself has their places. */
	if (n == NOWHERE && !strcmp(file, s->name) &&
	    (k->input == s->id || !(k->rule->flags & READ)))
		return;
	if (n == NOWHERE)
		at = in_file(file);
	else
		k->input = s->id;
	if (begin_finding(c, k)) {
		c->finding.at = at;
		found(c, text);
	}
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
event_place(struct check_run *c)
{
	struct source *s = c->s;
	const struct span *raw = &c->b->raw[c->i];
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
		return (struct trace_place){s->name, AT_LINE, c->line};
	}
	if (!is_stream(c) && ours)
		return at_offset(s->name, in_offset(&s->in, raw->p));
	return (struct trace_place){s->name, AT_EVENT, c->before + c->i + 1};
}

/* Ends the events under a head. */
static void
end_head(struct check_run *c, struct source *s)
{
	c->s = s;
	c->b = NULL;
	if (c->now && c->now->end)
		c->now->end(c);
	for (size_t i = 0; i < MAPS; i++) {
		slots_free(&c->map[i].index);
		free(c->map[i].e);
	}
	cache_free(c->args.plan, &c->args.plan_cache);
	buf_free(&c->args.text);
	free(c->own);
	memset(c->map, 0, sizeof c->map);
	c->args = (struct arguments){0};
	c->own = NULL;
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
	c->here = NOT_KNOWN;
	snprintf(name, sizeof name, " %s ", s->head.format);
	for (size_t i = 0; i < CHECKERS && !c->now; i++)
		if (strstr(checkers[i]->formats, name)) {
			c->now = checkers[i];
			c->state = first_state[i];
		}
	if (!c->now)
		return;
	c->args = (struct arguments){.events = c->now->events, .args = c->now->args};
	for (size_t i = 0; c->now->maps && c->now->maps[i].what; i++)
		c->map[i].kind = c->now->maps[i];
	c->own = xcalloc(1, c->now->own_size);
	if (c->now->begin)
		c->now->begin(c);
}

static void
begin_input(void *check, struct source *s)
{
	struct check_run *c = check;

	c->files++;
	c->before = 0;
	c->line_before = UINT64_MAX;
	if (!s->fmt->stream)
		begin_head(c, s);
}

static bool
take_batch(void *check, struct source *s, const struct batch *b)
{
	struct check_run *c = check;

	if (!c->now || c->head != s->head_serial)
		begin_head(c, s);
	c->s = s;
	c->b = b;
	if (c->now && c->now->batch && !c->reads)
		c->now->batch(c);
	c->before += b->n;
	c->events += b->n;
	return true;
}

static void
end_input(void *check, struct source *s)
{
	end_head(check, s);
}

/* Writes, for each rule of which findings were not written, how many, and then the numbers of all. */
static void
sum_up(const struct check_run *c)
{
	const uint64_t *n = c->found;
	unsigned rules = 0;

	for (struct rule_state *k = states; k->rule; k++) {
		rules += k->said + k->more > 0;
		if (k->said && k->more)
			warn(U64 " more of %s %s not shown", k->more, k->rule->id,
			     k->more == 1 ? "is" : "are");
	}
	if (rules)
		warn(U64 " input%s, " U64 " event%s: " U64 " error%s, " U64
			 " warning%s, " U64 " note%s, of %u rule%s",
		     c->files, S(c->files), c->events, S(c->events), n[LEVEL_ERROR],
		     S(n[LEVEL_ERROR]), n[LEVEL_WARNING], S(n[LEVEL_WARNING]),
		     n[LEVEL_NOTE], S(n[LEVEL_NOTE]), rules, S(rules));
}

int
check_read(struct check_run *c, struct read_options *read, char *const *paths, size_t n)
{
	struct consumer to = {
	    .batch = take_batch, .whole = begin_input, .end = end_input, .arg = c};
	uint64_t left;
	int status;

	read->found = take_fault;
	read->found_arg = c;
	read->head_done = end_input;
	read->head_arg = c;
	read->need = 0;
	for (const struct rule_state *k = states; k->rule; k++)
		if (k->on && !(k->rule->flags & READ))
			read->need |= NEED_COLUMNS | NEED_RAW | k->of->need;
	c->reads = !read->need;
	status = trace_each(read, paths, n, &to);
	/* On a terminal the summary comes last. */
	out_flush(&c->out.out);
	if (!c->quiet)
		sum_up(c);
	left = baseline_left(&c->known);
	if (left)
		warn(U64 " finding%s of the baseline no longer occur%s", left, S(left),
		     left == 1 ? "s" : "");
	return status != ST_OK || c->limited ? ST_TROUBLE : c->worse ? ST_NONE : ST_OK;
}

/* Writes what a rule is: in lines, or in one line. */
static void
explain(struct out *o, const struct rule *r)
{
	static const char *const basis[] = {
	    [BASIS_SPEC] = "the document of the format says so",
	    [BASIS_PEER] = "the tool of the format's authors refuses what breaks it",
	    [BASIS_MPI] = "the MPI standard says so",
	    [BASIS_MODEL] = "it follows from what the fields mean",
	    [BASIS_SMELL] = "experience: what breaks it is most often a mistake",
	};
	char text[1024];

	snprintf(text, sizeof text,
		 "%s: %s%s\n  %s.\n  Why: %s.\n  A violation: %s\n%s%s%s", r->id,
		 level_name(r->level), r->flags & OFF ? ", if -W names it" : "", r->must,
		 basis[r->basis], r->example,
		 r->flags & WHOLE ? "  Not checked with --part.\n" : "",
		 r->flags & END ? "  Only counted in a trace that was cut.\n" : "",
		 r->flags & BYTES ? "  Not checked in a stream.\n" : "");
	out_str(o, text);
}

static void
list_rule(struct out *o, const struct rule *r)
{
	char text[1024];

	snprintf(text, sizeof text, "%s\t%s\t%s\t%s\n", r->id, level_name(r->level),
		 r->flags & OFF ? "off" : "on", r->must);
	out_str(o, text);
}

bool
rules_list(struct out *o, char *const *only, bool long_form)
{
	bool all = true;

	for (size_t i = 0; i == 0 || (*only && only[i]); i++) {
		bool any = false;

		for (struct rule_state *k = states; k->rule; k++)
			if (!*only || !fnmatch(only[i], k->rule->id, 0)) {
				any = true;
				(long_form ? explain : list_rule)(o, k->rule);
			}
		if (!any)
			warn("no rule is called %s: see --list", only[i]);
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
