/* findings.c - sorts findings, drops known ones, writes them: see advise.h. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "table/table.h"
#include "trace-advise/advise.h"

const char *
severity_name(size_t s)
{
	static const char *const names[] = {"note", "warning", "error"};

	return names[s];
}

/* Returns how many times as far as its threshold the number of a finding is. */
static double
beyond(const struct finding *f)
{
	double least = f->rule->side == '>' ? f->rule->threshold : f->value,
	       most = f->rule->side == '>' ? f->value : f->rule->threshold;

	return least > 0 ? most / least : HUGE_VAL;
}

/* Compares two findings for qsort: the worse first, then in the order of the array. */
static int
worse(const void *x, const void *y)
{
	const struct finding *a = *(const struct finding *const *)x,
			     *b = *(const struct finding *const *)y;
	double far_a = beyond(a), far_b = beyond(b);

	if (a->rule->severity != b->rule->severity)
		return a->rule->severity < b->rule->severity ? 1 : -1;
	if (far_a < far_b || far_a > far_b)
		return far_a < far_b ? 1 : -1;
	return a < b ? -1 : a > b;
}

void
sort_findings(struct findings *f)
{
	struct finding **order = xcalloc(f->n + 1, sizeof(struct finding *)),
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

/* Appends n bytes, made safe for a terminal. */
static void
put_safe(struct buf *b, const char *text, size_t n)
{
	buf_to(b, (uint8_t *)put_shown((char *)buf_room(b, 4 * n + 1), text, n));
}

/* Appends the line of a finding, without a newline. */
static void
put_line(struct buf *b, const struct finding *f)
{
	put_safe(b, f->file, strlen(f->file));
	buf_str(b, ": ");
	buf_str(b, severity_name(f->rule->severity));
	buf_str(b, ": ");
	put_safe(b, f->message, strlen(f->message));
	buf_str(b, " [");
	buf_str(b, f->rule->id);
	buf_str(b, "]");
}

/* Makes the key of a finding in a baseline from its line: numbers after the name of the file become #. */
static void
fold_line(struct buf *key, const char *line, size_t n)
{
	size_t file = n;

	for (size_t s = 0; s <= ERROR; s++) {
		char mark[16];
		size_t len =
		    (size_t)snprintf(mark, sizeof mark, ": %s: ", severity_name(s));

		for (size_t i = 0; i + len <= n && i < file; i++)
			if (!memcmp(line + i, mark, len))
				file = i;
	}
	key->n = 0;
	for (size_t i = 0; i < n; i++) {
		bool digit = i > file && isdigit((unsigned char)line[i]);
		bool point = i > file && line[i] == '.' && key->n &&
			     key->p[key->n - 1] == '#' && i + 1 < n &&
			     isdigit((unsigned char)line[i + 1]);

		if (!digit && !point)
			buf_byte(key, line[i]);
		else if (digit && !(key->n && key->p[key->n - 1] == '#'))
			buf_byte(key, '#');
	}
}

/* Reads the lines of findings of a baseline. Dies if it cannot be read. */
static void
read_known(struct strtab *known, const char *path)
{
	FILE *in = fopen(path, "r");
	struct buf key = {0};
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!in)
		die("--baseline: %s:", path);
	while ((n = getline(&line, &cap, in)) > 0) {
		n -= line[n - 1] == '\n';
		if (!n || isspace((unsigned char)*line))
			continue;
		fold_line(&key, line, (size_t)n);
		strtab_id(known, key.p, key.n);
	}
	if (ferror(in))
		die("--baseline: %s:", path);
	fclose(in);
	free(line);
	buf_free(&key);
}

void
drop_known(struct findings *f, const char *baseline)
{
	struct strtab known = {0};
	struct buf line = {0}, key = {0};
	size_t left = 0;
	uint32_t gone, id;
	bool *seen;

	read_known(&known, baseline);
	gone = known.n;
	seen = xcalloc(known.n + 1, sizeof *seen);
	for (size_t i = 0; i < f->n; i++) {
		line.n = 0;
		put_line(&line, &f->v[i]);
		fold_line(&key, (const char *)line.p, line.n);
		if (!strtab_find(&known, key.p, key.n, &id)) {
			f->v[left++] = f->v[i];
			continue;
		}
		gone -= !seen[id];
		seen[id] = true;
	}
	f->n = left;
	if (gone)
		warn("%s: %u of %u findings no longer occur", baseline, (unsigned)gone,
		     (unsigned)known.n);
	free(seen);
	strtab_free(&known);
	buf_free(&line);
	buf_free(&key);
}

static void
put_text(const struct findings *f, struct out *o)
{
	struct buf b = {0};

	for (size_t i = 0; i < f->n; i++) {
		put_line(&b, &f->v[i]);
		buf_str(&b, "\n    ");
		put_safe(&b, f->v[i].command, strlen(f->v[i].command));
		buf_byte(&b, '\n');
	}
	if (b.n)
		out_bytes(o, b.p, b.n);
	buf_free(&b);
}

/* Writes the findings as CSV or as lines of JSON. */
static void
put_table(const struct findings *f, enum table_style style, struct out *o)
{
	static const char *const names[] = {"file",    "severity", "rule",	"message",
					    "command", "value",	   "threshold", NULL};
	struct table t = {.out = o, .style = style, .texts = 5};
	char number[40];

	table_texts(&t, names);
	table_head(&t);
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->v[i];

		table_name(&t, x->file);
		table_text(&t, severity_name(x->rule->severity));
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

/* Appends the name of a file as a URI. */
static void
put_uri(struct buf *b, const char *path)
{
	buf_byte(b, '"');
	for (const char *p = path; *p; p++) {
		char c = *p;

		if (isalnum((unsigned char)c) || strchr("/-._~", c))
			buf_byte(b, c);
		else {
			char code[8];

			snprintf(code, sizeof code, "%%%02X", (unsigned)(unsigned char)c);
			buf_str(b, code);
		}
	}
	buf_byte(b, '"');
}

static void
put_string(struct buf *b, const char *before, const char *text)
{
	buf_str(b, before);
	json_string(b, text, strlen(text));
}

/* Writes the findings as one run of SARIF 2.1.0. */
static void
put_sarif(const struct findings *f, struct out *o)
{
	struct buf b = {0}, line = {0}, key = {0};

	buf_str(&b, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", "
		    "\"version\": \"2.1.0\", \"runs\": [{\"tool\": {\"driver\": {\"name\": "
		    "\"trace-advise\", \"rules\": [\n");
	for (size_t i = 0; i < nrules; i++) {
		put_string(&b, i ? ",\n{\"id\": " : "{\"id\": ", rules[i].id);
		put_string(&b, ", \"shortDescription\": {\"text\": ", rules[i].words);
		put_string(&b, "}, \"help\": {\"text\": ", rules[i].source);
		put_string(&b, "}, \"defaultConfiguration\": {\"level\": ",
			   severity_name(rules[i].severity));
		buf_str(&b, "}}");
	}
	buf_str(&b, "]}}, \"results\": [");
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->v[i];
		char number[60];

		line.n = 0;
		put_line(&line, x);
		fold_line(&key, (const char *)line.p, line.n);
		put_string(&b, i ? ",\n{\"ruleId\": " : "\n{\"ruleId\": ", x->rule->id);
		snprintf(number, sizeof number, ", \"ruleIndex\": %zu",
			 (size_t)(x->rule - rules));
		buf_str(&b, number);
		put_string(&b, ", \"level\": ", severity_name(x->rule->severity));
		put_string(&b, ", \"message\": {\"text\": ", x->message);
		buf_str(&b, "}, \"locations\": [{\"physicalLocation\": "
			    "{\"artifactLocation\": {\"uri\": ");
		put_uri(&b, x->file);
		buf_str(&b, "}}}], \"partialFingerprints\": {\"spoor/v1\": ");
		json_string(&b, key.p, key.n);
		put_string(&b, "}, \"properties\": {\"command\": ", x->command);
		snprintf(number, sizeof number, ", \"value\": %.9g}}", x->value);
		buf_str(&b, number);
	}
	buf_str(&b, "]}]}\n");
	out_bytes(o, b.p, b.n);
	buf_free(&b);
	buf_free(&line);
	buf_free(&key);
}

void
put_findings(const struct findings *f, enum style style, struct out *o)
{
	if (style == STYLE_SARIF)
		put_sarif(f, o);
	else if (style != STYLE_TEXT)
		put_table(f, style == STYLE_CSV ? TABLE_CSV : TABLE_LINES, o);
	else
		put_text(f, o);
}
