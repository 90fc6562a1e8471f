/*
 * advise.h - rules about traces, and findings (trace-advise).
 *
 * A rule is a row of a table: a command of other programs, a column of the table that it prints, and a threshold. Other
 * programs read the trace and count; here the row of the table is chosen, and its number is compared.
 */
#ifndef SPOOR_ADVISE_H
#define SPOOR_ADVISE_H

#include "base/mem.h"
#include "findings/findings.h"

/* Columns of events that a rule needs. */
enum rule_needs {
	NEEDS_SIZE = 1,
	NEEDS_ADDR = 2,
	NEEDS_DUR = 4,
	NEEDS_SECONDS = 8, /* the trace lasts 10 seconds or more */
	NEEDS_PLACES = 16, /* it has several places */
};

/* A rule. */
struct advice_rule {
	const char *id, *formats; /* formats: names with blanks between */
	enum severity severity;
	unsigned needs;
	/*
	 * A shell command without its inputs, which are operands of its first program. In it stand %R for the test of
	 * requests, %r of reads, %w of writes, %M of events about metadata; %1 for `size`; %N for the number of
	 * places, %S for the seconds that the trace lasts, %W for a hundredth of them.
	 */
	const char *command;
	const char *row; /* the first cell of the row that is judged; NULL: see `pick` */
	/* Column whose greatest number chooses the row; NULL = `column`. */
	const char *pick;
	const char *column; /* the number that is judged */
	char side;	    /* '>': it is found above the threshold; '<': below */
	double threshold;
	const char *size; /* limit in the command; NULL = none */
	/* Column with the number that must be `least`; NULL = the events of the trace. */
	const char *count;
	double least;
	/* Message: {COLUMN} is its number or text, {COLUMN%} its number in percent, {1} `size`. */
	const char *words;
	const char *source; /* origin of the threshold */
};

/* The rules, and their number. Options change thresholds. */
extern struct advice_rule rules[];
extern const size_t nrules;

/* Tests for the events of a format; the last row, without a name, is for the other formats. */
struct request_tests {
	const char *format, *all, *reads, *writes, *metadata;
};
extern const struct request_tests request_tests[];
/* The format by whose rules events of an unknown format are judged. */
extern const char *const request_format;

/* Facts about a trace, which decide which rules can be judged. */
struct trace_facts {
	const char *format;
	double events, places, seconds;
	unsigned has; /* of enum rule_needs */
};

/* A finding. Its texts, and the array of findings, are never freed. */
struct advice {
	const struct advice_rule *rule;
	const char *file;
	char *message, *command;
	double value;
};

struct advices {
	struct advice *v;
	size_t n, cap;
	bool trouble; /* something was wrong with an input or a program */
};

/* Appends the command of a rule for that trace, without inputs; each %X is replaced. */
void rule_command(struct buf *b, const struct advice_rule *r,
		  const struct trace_facts *facts);
/* Returns true if the rule is for the format. */
bool rule_suits(const struct advice_rule *r, const char *format);
/* Sets a number of all rules that match: name[0..n) is `ID`, `ID.least` or `ID.size`, and ID may be a pattern.
 * Returns NULL, or a constant error message, with all rules unchanged: if no rule matches, or if the value is not a
 * number in range. */
const char *rule_set(const char *name, size_t n, const char *value);

/* Appends to f, which begins as zeros, what it finds in the trace common.path[0], whose name is `file` in findings
 * and commands, by all rules except those of `ignored` (globs up to NULL). Runs at most `at_once` programs at a time.
 * Reports with warn() which rules were not judged, and errors of the programs; after an error f->trouble is true.
 * `file` must stay valid. */
void judge(struct advices *f, char *file, char *const *ignored, unsigned at_once);
/* Returns true if the name matches one of the globs, up to NULL. */
bool matches_any(char *const *globs, const char *name);

/* Sorts findings, the worst first: by severity, then by how far the number is beyond the threshold. */
void sort_findings(struct advices *f);
/* Removes the findings that the baseline, a file with the text output of another run, has. Reports how many of its
 * lines no longer occur. Dies if it cannot be read. */
void drop_known(struct advices *f, const char *baseline);
enum style {
	STYLE_TEXT,
	STYLE_JSON,
	STYLE_CSV,
	STYLE_SARIF
};
/* Opens `path`, or standard output if it is NULL, for findings. Dies if it cannot be opened. */
void open_findings(struct findings *to, enum style style, const char *path);
/* Writes all findings in their order. The caller ends with findings_end. */
void put_findings(const struct advices *f, enum style style, struct findings *to);
/* Writes the table of all rules. */
void put_rules(struct out *o);
/* Writes what one rule is. Returns false if there is no rule of that name. */
bool explain_rule(const char *id, struct out *o);

#endif
