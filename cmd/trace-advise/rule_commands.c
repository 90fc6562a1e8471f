/* rule_commands.c - the commands of rules, and the options that change rules: see advise.h. */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "trace-advise/advise.h"

#define SIZE_TEXT 20 /* bytes of a size in an option */

bool
rule_suits(const struct advice_rule *r, const char *format)
{
	size_t n = strlen(format);

	for (const char *p = r->formats; *p; p += *p == ' ') {
		size_t len = strcspn(p, " ");

		if (len == n && !memcmp(p, format, n))
			return true;
		p += len;
	}
	return false;
}

bool
matches_any(char *const *globs, const char *name)
{
	for (; *globs; globs++)
		if (!fnmatch(*globs, name, 0))
			return true;
	return false;
}

/* Returns the test of requests in that format: all ('R'), reads ('r'), writes ('w'), or of calls about metadata
 * ('M'). */
static const char *
test_of(char which, const char *format)
{
	const struct request_tests *t = request_tests;

	while (t->format && strcmp(t->format, format) != 0)
		t++;
	return which == 'R'   ? t->all
	       : which == 'r' ? t->reads
	       : which == 'w' ? t->writes
			      : t->metadata;
}

void
rule_command(struct buf *b, const struct advice_rule *r, const struct trace_facts *facts)
{
	char number[40];

	for (const char *p = r->command; *p; p++) {
		char c = *p == '%' ? p[1] : '\0';

		number[0] = '\0';
		if (c == '1')
			snprintf(number, sizeof number, "%s", r->size);
		else if (c == 'N')
			snprintf(number, sizeof number, "%.0f", facts->places);
		else if (c == 'S')
			snprintf(number, sizeof number, "%.9f", facts->seconds);
		else if (c == 'W')
			snprintf(number, sizeof number, "%.0fns",
				 fmax(ceil(facts->seconds * 1e7), 1));
		if (!number[0] && (!c || !strchr("RrwM", c))) {
			buf_byte(b, *p);
			continue;
		}
		buf_str(b, number[0] ? number : test_of(c, facts->format));
		p++;
	}
}

/* Sets one number of a rule. Returns false if the rule has no size. */
static bool
set_one(struct advice_rule *r, const char *what, const char *value, double number)
{
	if (!strcmp(what, "least"))
		r->least = number;
	else if (*what)
		r->size = r->size ? xstrdup(value) : r->size;
	else
		r->threshold = number;
	return !*what || r->size || !strcmp(what, "least");
}

const char *
rule_set(const char *name, size_t n, const char *value)
{
	char *glob = xstrndup(name, n), *what = strrchr(glob, '.');
	bool found = false, known, size;
	const char *why = NULL;
	struct num v;

	if (what)
		*what++ = '\0';
	else
		what = glob + n;
	size = !strcmp(what, "size");
	known = !*what || size || !strcmp(what, "least");
	if (!known)
		why = "a name ends with .least, .size or nothing";
	else if (!num_parse(value, strlen(value), NUM_TYPED, &v, &why))
		why = why ? why : "a number is expected";
	else if (v.neg || (size && (v.nano || strlen(value) >= SIZE_TEXT)))
		why = "out of range";
	for (size_t i = 0; !why && i < nrules; i++)
		if (!fnmatch(glob, rules[i].id, 0))
			found |=
			    set_one(&rules[i], what, value, (double)v.whole + v.nano / 1e9);
	free(glob);
	return why || found ? why : "no rule has this; --list prints all rules";
}

void
put_rules(struct out *o)
{
	char line[400];

	out_str(o, "#rule\tseverity\tfound\tsize\tleast\tformats\tsource\n");
	for (size_t i = 0; i < nrules; i++) {
		const struct advice_rule *r = &rules[i];

		snprintf(line, sizeof line, "%s\t%s\t%c %.9g\t%s\t%.9g\t%s\t%s\n", r->id,
			 level_name(r->severity), r->side, r->threshold,
			 r->size ? r->size : "-", r->least, r->formats, r->source);
		out_str(o, line);
	}
}

bool
explain_rule(const char *id, struct out *o)
{
	const struct trace_facts none = {.format = "", .places = 4, .seconds = 100};
	const struct advice_rule *r = rules;
	struct buf b = {0};
	char line[400];

	while (r < rules + nrules && strcmp(r->id, id) != 0)
		r++;
	if (r == rules + nrules)
		return false;
	snprintf(line, sizeof line, "%s: %s\n", r->id, r->words);
	out_str(o, line);
	snprintf(line, sizeof line, "severity\t%s\nformats\t%s\nfound if\t%s %c %.9g\n",
		 level_name(r->severity), r->formats, r->column, r->side, r->threshold);
	out_str(o, line);
	snprintf(line, sizeof line, "and\t%s >= %.9g\n", r->count ? r->count : "events",
		 r->least);
	out_str(o, line);
	if (r->size) {
		snprintf(line, sizeof line, "size\t%s\n", r->size);
		out_str(o, line);
	}
	out_str(o, "source\t");
	out_str(o, r->source);
	out_str(o, "\ncommand\t");
	rule_command(&b, r, &none);
	out_bytes(o, b.p, b.n);
	out_str(o, " FILE\n");
	buf_free(&b);
	return true;
}
