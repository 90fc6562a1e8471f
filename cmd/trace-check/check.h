/*
 * check.h - rules about traces, and the code that holds a trace against them.
 *
 * A rule is a row of the table of its format (rules_FORMAT.h). What a reader reports by fault() has the id of a rule,
 * too. A checker adds what a reader need not know: it takes the events of an input and calls find() for each that
 * breaks a rule.
 */
#ifndef SPOOR_CHECK_H
#define SPOOR_CHECK_H

#include <inttypes.h>

#include "base/compiler.h"
#include "findings/findings.h"
#include "input/source.h"
#include "trace-check/check_state.h"

/* The origin of a rule. */
enum basis {
	BASIS_SPEC,  /* a sentence of the format's document */
	BASIS_PEER,  /* the format's own tool refuses the violation */
	BASIS_MPI,   /* the MPI standard */
	BASIS_MODEL, /* it follows from what the fields mean */
	BASIS_SMELL  /* a guess, which experience supports */
};

/* Flags of a rule. */
enum {
	OFF = 1,   /* not checked unless -W names it */
	END = 2,   /* about the end of a trace: in a trace that was cut, only counted */
	WHOLE = 4, /* needs a whole trace: not checked with --part or --chunk */
	BYTES = 8, /* needs native bytes: not checked in a stream */
	READ = 16  /* the reader reports it */
};

struct rule {
	const char *id;
	enum severity level;
	enum basis basis;
	unsigned flags;
	const char *must;
	const char *example; /* a smallest violation */
};

/* A table of rules is a macro LIST(R) with a row R(NAME, id, level, basis, flags, must, example) for each. */
#define RULE_NAME(name, id, level, basis, flags, must, example) name,
#define RULE_ROW(name, id, level, basis, flags, must, example) \
	{id, LEVEL_##level, BASIS_##basis, flags, must, example},

/* The checks of a format. Their state is c->own, of own_size bytes, and the maps of c; both are zeros at first, and are
 * freed after `end`. A function that is NULL does nothing. */
struct checker {
	const char *formats;	  /* names of formats, with a blank before and after each */
	const struct rule *rules; /* up to one without an id */
	size_t own_size;
	const struct map_kind *maps;		 /* up to one without a name; NULL = none */
	const char *const *events, *const *args; /* see struct arguments */
	unsigned need; /* NEED_* of events, in addition to NEED_COLUMNS */
	/* Begins the events under a new head. With `need` of the options 0, only files are checked here. */
	void (*begin)(struct check_run *c);
	/* Takes a batch, c->b. */
	void (*batch)(struct check_run *c);
	/* Reports the findings that are known only after the last event. */
	void (*end)(struct check_run *c);
	/* Returns the place of the current event. NULL: event_place(). */
	struct trace_place (*place)(struct check_run *c);
	/* Returns a name with which findings about the current event begin, or NULL. */
	const char *(*subject)(const struct check_run *c);
};
extern const struct checker check_spc, check_charisma, check_laplace, check_ovni,
    check_dumpi;

/* The user's choices, what was found, and the current events. */
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
	struct rule_state *state; /* of the rules of `now` */
	struct finding finding;	  /* the current one, of the rule with the state `finds` */
	struct rule_state *finds;
	unsigned head;	 /* head_serial for which `own` was made */
	uint64_t before; /* events of the input before the current batch */
	/* For event_place: the line of the last place in the batch after line_before events. */
	const uint8_t *line_at;
	uint64_t line, line_before;
	/* --capacity: bytes of ASUs. */
	struct capacity {
		uint32_t asu;
		uint64_t bytes;
	} * capacity;
	size_t ncapacities, capacity_cap;
	/* For the functions of a checker: the current event is record i of batch b of s. `here` is its place, if the checker
	 * has set it. */
	struct source *s;
	const struct batch *b;
	uint32_t i;
	struct trace_place here;
	struct arguments args;
	struct number_map map[MAPS];
	void *own;
};

/* The state of a rule. */
struct rule_state {
	const struct rule *rule;
	const struct checker *of;
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

/* Conversions of uint64_t and int64_t in the texts of findings. */
#define U64 "%" PRIu64
#define X64 "0x%" PRIx64
#define I64 "%" PRId64
/* Returns the ending of a noun after the number n. */
#define S(n) ((n) == 1 ? "" : "s")

/* These report that a rule of the current checker is broken: find() by the current event, find_at() at a place; with a
 * second place, find_with() and find_both(). They do nothing if the rule is not checked. The places and the arguments of
 * the text are computed only if the finding is written. */
#define find(c, rule, ...) (needs_text(c, rule) ? find_text(c, __VA_ARGS__) : (void)0)
#define find_at(c, rule, place, ...)                                                  \
	(needs_text(c, rule) ? ((c)->finding.at = (place), find_text(c, __VA_ARGS__)) \
			     : (void)0)
#define find_with(c, rule, second, ...)                                                   \
	(needs_text(c, rule) ? ((c)->finding.other = (second), find_text(c, __VA_ARGS__)) \
			     : (void)0)
#define find_both(c, rule, place, second, ...)                                            \
	(needs_text(c, rule) ? ((c)->finding.at = (place), (c)->finding.other = (second), \
				find_text(c, __VA_ARGS__))                                \
			     : (void)0)
#define NOT_KNOWN ((struct trace_place){0})
/* Counts a finding if its rule is checked, and begins c->finding. Returns true if find_text() must write it. */
bool needs_text(struct check_run *c, unsigned rule) COLD;
/* Writes c->finding. Without a place it is about the current event. */
void find_text(struct check_run *c, const char *fmt, ...) PRINTF(2, 3) COLD;
/* Reports that a limit of state was met, so that not all rules were checked to the end; the status is then ST_TROUBLE.
 * Only the first call prints. `what` is what there is too much of, and `most` its limit. */
void check_limit(struct check_run *c, const char *what, uint64_t most) COLD;

/* Takes an argument of --capacity, ASU=SIZE such as 0=17GB; `check` is a struct check_run. Returns NULL, or a
 * constant error message. Dies if SIZE is malformed. */
const char *check_take_capacity(void *check, const char *text);

/* Returns the place of the current event: its line in text, its offset in a file of bytes, its number in a binary
 * stream. */
struct trace_place event_place(struct check_run *c) COLD;
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
/* Returns true if the input is one of spoor's streams, so that native bytes are unknown. */
static inline bool
is_stream(const struct check_run *c)
{
	return c->s->fmt->stream;
}

/* Initializes c, which must be zeroed, and sets all rules to their defaults. Must be called before the options are
 * read. There is one set of rules: it belongs to the program, not to c. c->capacity and c->known are never freed. */
void check_begin(struct check_run *c);
/* Changes which rules are checked: `rules` is a list of ids or globs with commas between, each with =LEVEL if its
 * level changes. `on`: they are checked. Returns NULL, or an error message, which is valid until the next call; rules
 * before the wrong one are then changed. */
const char *check_select(struct check_run *c, const char *rules, bool on);
/* Reads inputs as trace_each does and writes findings to c->out, which the caller begins before and ends afterwards.
 * Returns ST_TROUBLE if an input could not be opened or recognised or a limit of state was met, ST_NONE if c->worse,
 * otherwise ST_OK. */
int check_read(struct check_run *c, struct read_options *read, char *const *paths,
	       size_t n);
/* Writes what --list and --explain ask for: all rules, or those that the globs `only`, up to NULL, name. Returns false if
 * a glob names no rule. */
bool rules_list(struct out *o, char *const *only, bool long_form);
/* Gives rule i of all tables, for findings_begin. Returns false after the last. */
bool rule_words(size_t i, struct finding_rule *r);

#endif
