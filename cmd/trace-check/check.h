/*
 * check.h - rules about traces, and the code that holds a trace against them.
 *
 * A rule is a row of the table of its format (rules_FORMAT.h). What a reader reports by fault() has the id of a rule,
 * too. A checker adds what a reader need not know: it takes the events of an input and calls find() for each that
 * breaks a rule.
 */
#ifndef SPOOR_CHECK_H
#define SPOOR_CHECK_H

#include "base/compiler.h"
#include "findings/findings.h"
#include "input/source.h"

/* The origin of a rule. */
enum basis {
	BASIS_SPEC,  /* a sentence of the format's document */
	BASIS_PEER,  /* the format's own tool refuses the violation */
	BASIS_MPI,   /* the MPI standard */
	BASIS_MODEL, /* it follows from what the fields mean */
	BASIS_SMELL  /* a guess, which experience supports */
};

enum {
	RULE_OFF = 1, /* not checked unless -W names it */
	RULE_END = 2, /* about the end of a trace: in a trace that was cut, only counted */
	RULE_WHOLE = 4, /* needs a whole trace: not checked with --part or --chunk */
	RULE_BYTES = 8, /* needs native bytes: not checked in a stream */
	RULE_READ = 16	/* the reader reports it */
};

struct rule {
	const char *id;
	enum severity level;
	enum basis basis;
	unsigned flags; /* RULE_* */
	const char *must;
	const char *example; /* a smallest violation */
};

/* A table of rules is a macro LIST(R) with a row R(NAME, id, level, basis, flags, must, example) for each. */
#define RULE_NAME(name, id, level, basis, flags, must, example) name,
#define RULE_ROW(name, id, level, basis, flags, must, example) \
	{id, level, basis, flags, must, example},

struct rules {
	const struct rule *rule;
	size_t n;
};

struct check_run;

/* The checks of a format. */
struct checker {
	const char *formats; /* names of formats, with a blank before and after each */
	const struct rules *rules;
	unsigned need; /* NEED_* of events, in addition to NEED_COLUMNS */
	/* Begins the events under a new head of s. Returns the state. With `need` 0, only files are checked here. */
	void *(*begin)(struct check_run *c, struct source *s);
	/* Takes a batch. NULL = needs no events. */
	void (*batch)(struct check_run *c, void *state, struct source *s,
		      const struct batch *b);
	/* Reports what only the end shows, and frees the state. */
	void (*end)(struct check_run *c, void *state, struct source *s);
};
extern const struct checker check_spc, check_charisma, check_laplace, check_ovni,
    check_dumpi;

/* The user's choices, and what was found. */
struct check_run {
	struct findings out;
	struct baseline known;
	uint64_t most;		/* --max: findings of one rule that are written; 0 = all */
	enum severity severity; /* --severity */
	bool part;		/* --part */
	bool quiet;		/* no findings are written */
	bool cut;   /* the current trace was cut: findings about its end are only counted */
	bool reads; /* only rules of readers are checked */
	bool limited; /* a limit of state was met */
	bool worse;   /* a finding of `severity` was written */
	uint64_t files, events;
	uint64_t found[LEVEL_ERROR + 1]; /* by level */
	const struct checker *now;
	const struct rules *rules; /* of `now` */
	struct rule_state *state;  /* of the rules of `now` */
	void *own;		   /* state of `now` */
	unsigned head;		   /* head_serial for which `own` was made */
	uint64_t before;	   /* events of the input before the current batch */
	/* For place_of: the line of the last place in the batch after line_before events. */
	const uint8_t *line_at;
	uint64_t line, line_before;
	/* --capacity: bytes of ASUs. */
	struct capacity {
		uint32_t asu;
		uint64_t bytes;
	} * capacity;
	size_t ncapacities, capacity_cap;
};

/* The state of a rule. */
struct rule_state {
	bool on;
	enum severity level;
	uint64_t said,
	    more; /* written, and not written because of --max or because the trace was cut */
	unsigned input; /* id of the source whose reader told the last one */
};

/* Returns true if the rule is checked: `rule` is a name of the table of the current checker. */
static inline bool
wants(const struct check_run *c, unsigned rule)
{
	return c->state[rule].on;
}
/* Reports that a rule of the current checker is broken at `at`. find_with also names a second place. Does nothing if the
 * rule is not checked. */
void find(struct check_run *c, unsigned rule, struct trace_place at, const char *fmt, ...)
    PRINTF(4, 5) COLD;
void find_with(struct check_run *c, unsigned rule, struct trace_place at,
	       struct trace_place other, const char *fmt, ...) PRINTF(5, 6) COLD;
/* Reports that a limit of state was met, so that not all rules were checked to the end; the status is then ST_TROUBLE.
 * Only the first call prints. `what` is what there is too much of, and `most` its limit. */
void check_limit(struct check_run *c, const char *what, uint64_t most) COLD;

/* Takes an argument of --capacity, ASU=SIZE such as 0=17GB; `check` is a struct check_run. Returns NULL, or a
 * constant error message. Dies if SIZE is malformed. */
const char *check_take_capacity(void *check, const char *text);
/* Stores the bytes of an ASU in *bytes. Returns false if --capacity does not name it. */
static inline bool
check_capacity(const struct check_run *c, uint32_t asu, uint64_t *bytes)
{
	for (size_t i = 0; i < c->ncapacities; i++)
		if (c->capacity[i].asu == asu) {
			*bytes = c->capacity[i].bytes;
			return true;
		}
	return false;
}

/* Returns the place of record i of the batch: its line in text, its offset in a file of bytes, its number in a binary
 * stream. */
struct trace_place place_of(struct check_run *c, struct source *s, const struct batch *b,
			    uint32_t i) COLD;
/* Returns the place of a whole file. */
static inline struct trace_place
in_file(const char *file)
{
	return (struct trace_place){file, IN_FILE, 0};
}
static inline struct trace_place
at_offset(const char *file, uint64_t offset)
{
	return (struct trace_place){file, AT_OFFSET, offset};
}
static inline struct trace_place
at_line(const char *file, uint64_t line)
{
	return (struct trace_place){file, AT_LINE, line};
}
/* Returns true if s is one of spoor's streams, so that native bytes are unknown. */
static inline bool
is_stream(const struct source *s)
{
	return s->fmt->stream;
}

/* Initializes c, which must be zeroed, and sets all rules to their defaults. Must be called before the options are
 * read. There is one set of rules: it belongs to the program, not to c. c->capacity and c->known are never freed. */
void check_begin(struct check_run *c);
/* Changes which rules are checked: `rules` is a list of ids or globs with commas between, each with =LEVEL if its
 * level changes. `on`: they are checked. Returns NULL, or an error message, which is valid until the next call; rules
 * before the wrong one are then changed. */
const char *check_select(struct check_run *c, const char *rules, bool on);
/* Reads inputs as trace_each does and writes findings to c->out, which the caller begins before and ends afterwards.
 * Returns the exit status. */
int check_read(struct check_run *c, struct read_options *read, char *const *paths,
	       size_t n);
/* Writes what --list and --explain ask for: all rules, or those that the globs `only`, up to NULL, name. Returns false if
 * a glob names no rule. */
bool rules_list(struct out *o, char *const *only, bool long_form);
/* Gives rule i of all tables, for findings_begin. Returns false after the last. */
bool rule_words(size_t i, struct finding_rule *r);

#endif
