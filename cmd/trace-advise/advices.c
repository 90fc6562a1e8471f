/* advices.c - sorts findings, drops known ones, writes them: see advise.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "table/table.h"
#include "trace-advise/advise.h"

/* Returns how many times as far as its threshold the number of a finding is. */
static double
beyond(const struct advice *f)
{
	double least = f->rule->side == '>' ? f->rule->threshold : f->value,
	       most = f->rule->side == '>' ? f->value : f->rule->threshold;

	return least > 0 ? most / least : HUGE_VAL;
}

/* Compares two findings for qsort: the worse first, then in the order of the array. */
static int
worse(const void *x, const void *y)
{
	const struct advice *a = *(const struct advice *const *)x,
			    *b = *(const struct advice *const *)y;
	double far_a = beyond(a), far_b = beyond(b);

	if (a->rule->severity != b->rule->severity)
		return a->rule->severity < b->rule->severity ? 1 : -1;
	if (far_a < far_b || far_a > far_b)
		return far_a < far_b ? 1 : -1;
	return a < b ? -1 : a > b;
}

void
sort_findings(struct advices *f)
{
	struct advice **order = xcalloc(f->n + 1, sizeof(struct advice *)),
		      *sorted = xcalloc(f->n + 1, sizeof *sorted);

	for (size_t i = 0; i < f->n; i++)
		order[i] = &f->v[i];
	qsort(order, f->n, sizeof *order, worse);
	for (size_t i = 0; i < f->n; i++)
		sorted[i] = *order[i];
	free(order);
	free(f->v);
	f->v = sorted;
	f->cap = f->n + 1;
}

/* Returns what the writers of findings take. */
static struct finding
as_finding(const struct advice *x)
{
	return (struct finding){.rule = x->rule->id,
				.level = x->rule->severity,
				.at = {x->file, IN_FILE, 0},
				.text = x->message,
				.command = x->command};
}

void
drop_known(struct advices *f, const char *path)
{
	struct baseline known = {0};
	size_t left = 0;
	uint64_t gone;

	baseline_read(&known, path);
	for (size_t i = 0; i < f->n; i++) {
		struct finding as = as_finding(&f->v[i]);

		if (!baseline_has(&known, &as))
			f->v[left++] = f->v[i];
	}
	f->n = left;
	gone = baseline_left(&known);
	if (gone)
		warn("%s: %llu of %u findings no longer occur", path,
		     (unsigned long long)gone, (unsigned)known.line.n);
	baseline_free(&known);
}

/* Writes the findings as CSV or as lines of JSON. */
static void
put_table(const struct advices *f, enum table_style style, struct out *o)
{
	static const char *const names[] = {"file",    "severity", "rule",	"message",
					    "command", "value",	   "threshold", NULL};
	struct table t = {.out = o, .style = style, .texts = 5};
	char number[40];

	table_texts(&t, names);
	table_head(&t);
	for (size_t i = 0; i < f->n; i++) {
		const struct advice *x = &f->v[i];

		table_name(&t, x->file);
		table_text(&t, level_name(x->rule->severity));
		table_text(&t, x->rule->id);
		table_name(&t, x->message);
		table_name(&t, x->command);
		snprintf(number, sizeof number, "%.9g", x->value);
		table_text(&t, number);
		snprintf(number, sizeof number, "%.9g", x->rule->threshold);
		table_text(&t, number);
		table_row(&t);
	}
	table_end(&t);
}

static bool
rule_words(size_t i, struct finding_rule *r)
{
	if (i < nrules)
		*r = (struct finding_rule){rules[i].id, rules[i].words, rules[i].source,
					   rules[i].severity};
	return i < nrules;
}

void
open_findings(struct findings *to, enum style style, const char *path)
{
	findings_begin(to, style == STYLE_SARIF ? FINDINGS_SARIF : FINDINGS_TEXT, path,
		       rule_words);
}

void
put_findings(const struct advices *f, enum style style, struct findings *to)
{
	if (style == STYLE_CSV || style == STYLE_JSON) {
		put_table(f, style == STYLE_CSV ? TABLE_CSV : TABLE_LINES, &to->out);
		return;
	}
	for (size_t i = 0; i < f->n; i++) {
		struct finding as = as_finding(&f->v[i]);

		findings_put(to, &as);
	}
}
