/* findings.c - the three forms of a finding: see findings.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/opt.h"
#include "findings/findings.h"
#include "table/table.h"

static const char *const levels[] = {"note", "warning", "error", NULL};

const char *
level_name(size_t i)
{
	return levels[i];
}

const char *
level_named(void *level, const char *name)
{
	for (size_t i = 0; levels[i]; i++)
		if (!strcmp(levels[i], name)) {
			*(enum severity *)level = (enum severity)i;
			return NULL;
		}
	return "note, warning or error is expected";
}

/* Appends the text; bytes that could control a terminal become \xHH. */
static void
add_shown(struct buf *b, const char *text)
{
	size_t n = strlen(text);

	buf_to(b, (uint8_t *)put_shown((char *)buf_room(b, 4 * n), text, n));
}

static void
add_number(struct buf *b, uint64_t n)
{
	char text[24];

	buf_add(b, text,
		(size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)n));
}

/* Appends a place as FILE:LINE, `FILE: offset N`, `FILE: event N`, or FILE. */
static void
add_place(struct buf *b, const struct trace_place *at)
{
	static const char *const before[] = {"", ":", ": offset ", ": event "};

	add_shown(b, at->file);
	buf_str(b, before[at->kind]);
	if (at->kind != IN_FILE)
		add_number(b, at->n);
}

/* Appends the level, the text and the rule. */
static void
add_message(struct buf *b, const struct finding *f)
{
	buf_str(b, level_name(f->level));
	buf_str(b, ": ");
	add_shown(b, f->text);
}

static void
put_text(struct buf *b, const struct finding *f)
{
	add_place(b, &f->at);
	buf_str(b, ": ");
	add_message(b, f);
	if (f->other.file) {
		buf_str(b, " (");
		add_place(b, &f->other);
		buf_byte(b, ')');
	}
	buf_str(b, " [");
	buf_str(b, f->rule);
	buf_str(b, "]\n");
	if (f->command) {
		buf_str(b, "    ");
		add_shown(b, f->command);
		buf_byte(b, '\n');
	}
}

/* Appends `,"NAME":"TEXT"`, without the comma if `first`. */
static void
add_member(struct buf *b, const char *name, const char *text, bool first)
{
	if (!first)
		buf_byte(b, ',');
	json_string(b, name, strlen(name));
	buf_byte(b, ':');
	json_string(b, text, strlen(text));
}

static void
add_count(struct buf *b, const char *name, uint64_t n)
{
	buf_str(b, name);
	add_number(b, n);
}

static void
add_json_place(struct buf *b, const struct trace_place *at)
{
	static const char *const name[] = {"", ",\"line\":", ",\"offset\":", ",\"event\":"};

	add_member(b, "file", at->file, true);
	if (at->kind != IN_FILE)
		add_count(b, name[at->kind], at->n);
}

static void
put_json(struct buf *b, const struct finding *f)
{
	buf_byte(b, '{');
	add_json_place(b, &f->at);
	add_member(b, "severity", level_name(f->level), false);
	add_member(b, "rule", f->rule, false);
	add_member(b, "message", f->text, false);
	if (f->other.file) {
		buf_str(b, ",\"related\":[{");
		add_json_place(b, &f->other);
		buf_str(b, "}]");
	}
	if (f->command)
		add_member(b, "command", f->command, false);
	buf_str(b, "}\n");
}

/* Appends the name of a file as a URI has it. */
static void
add_uri(struct buf *b, const char *file)
{
	for (const char *p = file; *p; p++) {
		char code[8];

		if ((*p >= '0' && *p <= '9') ||
		    ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') || strchr("/-._~", *p))
			buf_byte(b, *p);
		else {
			snprintf(code, sizeof code, "%%%02X", (unsigned)(uint8_t)*p);
			buf_str(b, code);
		}
	}
}

/* Appends a location of SARIF. An event is the n-th object: it has no place in bytes. */
static void
add_location(struct buf *b, const struct trace_place *at)
{
	static const char *const name[] = {"", "\"startLine\":", "\"byteOffset\":", ""};

	buf_str(b, "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
	add_uri(b, at->file);
	buf_str(b, "\"}");
	if (at->kind == AT_LINE || at->kind == AT_OFFSET) {
		buf_str(b, ",\"region\":{");
		add_count(b, name[at->kind], at->n);
		buf_byte(b, '}');
	}
	buf_byte(b, '}');
	if (at->kind == AT_EVENT) {
		add_count(b, ",\"logicalLocations\":[{\"name\":\"event ", at->n);
		buf_str(b, "\"}]");
	}
	buf_byte(b, '}');
}

/* Appends a text of SARIF: {"text":TEXT}. */
static void
add_words(struct buf *b, const char *name, const char *text)
{
	buf_str(b, ",\"");
	buf_str(b, name);
	buf_str(b, "\":{");
	add_member(b, "text", text, true);
	buf_byte(b, '}');
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Appends what names a finding in a baseline: file, rule and text, with # in place of each number in the text. */
static void
add_key(struct buf *b, const char *file, size_t nfile, const char *text, size_t ntext)
{
	buf_add(b, file, nfile);
	buf_byte(b, '\n');
	for (size_t i = 0; i < ntext; i++) {
		bool number =
		    is_digit(text[i]) || (text[i] == '.' && i && is_digit(text[i - 1]) &&
					  i + 1 < ntext && is_digit(text[i + 1]));

		if (!number)
			buf_byte(b, text[i]);
		else if (!i || b->p[b->n - 1] != '#')
			buf_byte(b, '#');
	}
}

static void
finding_key(struct buf *b, const struct finding *f)
{
	struct buf file = {0}, text = {0};

	add_shown(&file, f->at.file);
	add_message(&text, f);
	if (f->other.file) {
		buf_str(&text, " (");
		add_place(&text, &f->other);
		buf_byte(&text, ')');
	}
	buf_str(&text, " [");
	buf_str(&text, f->rule);
	buf_byte(&text, ']');
	add_key(b, (char *)file.p, file.n, (char *)text.p, text.n);
	buf_free(&file);
	buf_free(&text);
}

static void
put_sarif(struct buf *b, const struct finding *f, bool first)
{
	struct buf key = {0};

	if (!first)
		buf_str(b, ",\n");
	buf_byte(b, '{');
	add_member(b, "ruleId", f->rule, true);
	add_member(b, "level", level_name(f->level), false);
	add_words(b, "message", f->text);
	buf_str(b, ",\"locations\":[");
	add_location(b, &f->at);
	buf_byte(b, ']');
	if (f->other.file) {
		buf_str(b, ",\"relatedLocations\":[");
		add_location(b, &f->other);
		buf_byte(b, ']');
	}
	finding_key(&key, f);
	buf_byte(&key, '\0');
	buf_str(b, ",\"partialFingerprints\":{");
	add_member(b, "baseline/v1", (char *)key.p, true);
	buf_byte(b, '}');
	if (f->command) {
		buf_str(b, ",\"properties\":{");
		add_member(b, "command", f->command, true);
		buf_byte(b, '}');
	}
	buf_byte(b, '}');
	buf_free(&key);
}

void
findings_begin(struct findings *to, enum findings_style style, const char *path,
	       bool (*rule)(size_t i, struct finding_rule *r))
{
	struct finding_rule r;
	struct buf *b = &to->line;

	*to = (struct findings){.style = style};
	if (!out_open(&to->out, path))
		die("%s:", path);
	if (style != FINDINGS_SARIF)
		return;
	buf_str(
	    b, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":"
	       "\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{");
	add_member(b, "name", prog_name(), true);
	add_member(b, "version", opt_version(), false);
	buf_str(b, ",\"rules\":[");
	for (size_t i = 0; rule(i, &r); i++) {
		buf_str(b, i ? ",\n{" : "\n{");
		add_member(b, "id", r.id, true);
		add_words(b, "shortDescription", r.words);
		if (r.help)
			add_words(b, "help", r.help);
		buf_str(b, ",\"defaultConfiguration\":{");
		add_member(b, "level", level_name(r.level), true);
		buf_str(b, "}}");
	}
	buf_str(b, "]}},\"columnKind\":\"utf16CodeUnits\",\"results\":[\n");
	out_bytes(&to->out, b->p, b->n);
	b->n = 0;
}

void
findings_put(struct findings *to, const struct finding *f)
{
	struct buf *b = &to->line;

	b->n = 0;
	if (to->style == FINDINGS_TEXT)
		put_text(b, f);
	else if (to->style == FINDINGS_JSON)
		put_json(b, f);
	else
		put_sarif(b, f, !to->n);
	out_bytes(&to->out, b->p, b->n);
	to->n++;
}

int
findings_end(struct findings *to, int status)
{
	if (to->style == FINDINGS_SARIF)
		out_str(&to->out, to->n ? "\n]}]}\n" : "]}]}\n");
	buf_free(&to->line);
	/* A finding is no trouble of the output. */
	return out_close(&to->out, status == ST_TROUBLE ? status : ST_OK) == ST_OK
		   ? status
		   : ST_TROUBLE;
}

/* Returns the end of the file's name in a line, without its place, and sets *text to the level and what follows it.
 * Returns NULL if the line is no finding. */
static const char *
split_line(const char *line, const char **text)
{
	const char *at = NULL, *digits;

	for (size_t i = 0; levels[i]; i++) {
		char word[16];
		const char *found;

		snprintf(word, sizeof word, ": %s: ", levels[i]);
		found = strstr(line, word);
		if (found && (!at || found < at))
			at = found;
	}
	if (!at)
		return NULL;
	*text = at + 2;
	for (digits = at; digits > line && digits[-1] >= '0' && digits[-1] <= '9'; digits--)
		;
	if (digits == at)
		return at;
	if (digits - line > 9 && !memcmp(digits - 9, ": offset ", 9))
		return digits - 9;
	if (digits - line > 8 && !memcmp(digits - 8, ": event ", 8))
		return digits - 8;
	return digits > line && digits[-1] == ':' ? digits - 1 : at;
}

void
baseline_read(struct baseline *b, const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	struct buf key = {0};

	if (!f)
		die("%s:", path);
	while ((n = getline(&line, &room, f)) > 0) {
		const char *text, *file;

		line[n - (line[n - 1] == '\n')] = '\0';
		file = split_line(line, &text);
		if (!file)
			continue;
		key.n = 0;
		add_key(&key, line, (size_t)(file - line), text, strlen(text));
		strtab_id(&b->line, key.p, key.n);
	}
	if (ferror(f))
		die("%s:", path);
	GROW(b->met, b->cap, b->line.n);
	buf_free(&key);
	free(line);
	fclose(f);
}

bool
baseline_has(struct baseline *b, const struct finding *f)
{
	struct buf key = {0};
	uint32_t id;
	bool has;

	if (!b->line.n)
		return false;
	finding_key(&key, f);
	has = strtab_find(&b->line, key.p, key.n, &id);
	if (has)
		b->met[id] = true;
	buf_free(&key);
	return has;
}

uint64_t
baseline_left(const struct baseline *b)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < b->line.n; i++)
		n += !b->met[i];
	return n;
}

void
baseline_free(struct baseline *b)
{
	strtab_free(&b->line);
	free(b->met);
	*b = (struct baseline){0};
}
