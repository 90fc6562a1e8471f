/*
 * findings.h - writes findings about traces: as lines for people and editors, as JSON, or as SARIF.
 *
 *     FILE:4711: error: text (FILE:4710) [rule]
 *
 * A baseline is the text output of another run: findings that it has are known.
 */
#ifndef SPOOR_FINDINGS_H
#define SPOOR_FINDINGS_H

#include "base/mem.h"
#include "base/out.h"

enum severity {
	LEVEL_NOTE,
	LEVEL_WARNING,
	LEVEL_ERROR
};
/* Returns the name of level i, or NULL after the last. */
const char *level_name(size_t i);
/* Stores the level of that name in *level, an enum severity. Returns NULL, or a constant error message, with *level
 * unchanged. */
const char *level_named(void *level, const char *name);

/* A place in a file. */
struct trace_place {
	const char *file; /* NULL = no place */
	enum {
		IN_FILE, /* the whole file; `n` is 0 */
		AT_LINE,
		AT_OFFSET, /* in bytes */
		AT_EVENT   /* number of an event, from 1 */
	} kind;
	uint64_t n;
};

/* A finding. `other` is a second place that belongs to it; `command` is one that shows it, or NULL. */
struct finding {
	const char *rule;
	enum severity level;
	struct trace_place at, other;
	const char *text;
	const char *command;
};

enum findings_style {
	FINDINGS_TEXT,
	FINDINGS_JSON, /* an object a line */
	FINDINGS_SARIF /* version 2.1.0 */
};

/* An output of findings. */
struct findings {
	struct out out;
	enum findings_style style;
	uint64_t n; /* written so far */
	struct buf line;
};

/* A rule in the head of SARIF. */
struct finding_rule {
	const char *id, *words, *help; /* help: more about it, or NULL */
	enum severity level;
};

/* Initializes *to, and begins to write to `path`, or to standard output if it is NULL. Dies if it cannot be opened.
 * SARIF lists the rules that rule(i, &r) gives until it returns false. */
void findings_begin(struct findings *to, enum findings_style style, const char *path,
		    bool (*rule)(size_t i, struct finding_rule *r));
/* Writes a finding, whose texts are not kept. A write error shows only in findings_end. */
void findings_put(struct findings *to, const struct finding *f);
/* Writes the end, closes the output, and frees what `to` holds. Returns the exit status: `status`, or ST_TROUBLE if
 * writing failed. */
int findings_end(struct findings *to, int status);

/* Findings that are known. Zeroed struct = none. */
struct baseline {
	struct strtab line;
	bool *met; /* by number of the line: a finding was it */
	size_t cap;
};
/* Reads the text output of another run. Dies if it cannot be read. */
void baseline_read(struct baseline *b, const char *path);
/* Returns true if the baseline has a finding like f: file, rule and text are equal, except for numbers in the text. */
bool baseline_has(struct baseline *b, const struct finding *f);
/* Returns the number of findings of the baseline that baseline_has was not asked for. */
uint64_t baseline_left(const struct baseline *b);
/* Frees what b holds. */
void baseline_free(struct baseline *b);

#endif
