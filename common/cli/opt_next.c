/* opt_next.c - finds the options of a command line: see opt_row.h. */
#define _GNU_SOURCE /* getopt_long */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/opt_row.h"

struct opt_row opt_row[OPTS_MOST];
int opt_rows;

void
opt_die(const char *fmt, ...)
{
	char text[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	die("%s (try %s --help)", text, prog_name());
}

const char *
opt_list(char to[static OPT_LIST], const char *word(size_t i))
{
	*to = '\0';
	for (size_t i = 0; word(i); i++) {
		strncat(to, i ? ", " : "", OPT_LIST - strlen(to) - 1);
		strncat(to, word(i), OPT_LIST - strlen(to) - 1);
	}
	return to;
}

#define LONG 256 /* getopt_long's value for all long options */

/* Fills the options in the form that getopt_long takes. */
static void
for_getopt(struct option *longs, char *shorts)
{
	/* '+' stops getopt_long at the first operand (see next); ':' makes it print no messages. */
	*shorts++ = '+';
	*shorts++ = ':';
	for (int i = 0; i < opt_rows; i++) {
		const struct opt *o = &opt_row[i].o;

		longs[i] = (struct option){o->name,
					   !o->arg	    ? no_argument
					   : *o->arg == '[' ? optional_argument
							    : required_argument,
					   NULL, LONG};
		if (o->c > 0) {
			*shorts++ = (char)o->c;
			if (o->arg)
				*shorts++ = ':';
		}
	}
	opterr = 0;
}

/* Calls getopt_long so that it finds options after operands too: at the end all operands follow the options in
 * argv, in their order. getopt_long's own way to do this loses the place of a -- between two lists of operands. */
static int
next(int argc, char **argv, bool two_lists, const char *shorts, const struct option *longs,
     int *at)
{
	static int n; /* number of operands that were moved to the begin of argv */
	int o, before;

	for (;;) {
		before = optind;
		o = getopt_long(argc, argv, shorts, longs, at);
		if (o != -1 || optind >= argc || optind != before)
			break;
		argv[1 + n++] = argv[optind++];
	}
	if (o == -1) {
		/* getopt_long has read a --. */
		optind -= optind != before && two_lists && n > 0;
		optind -= n;
		memmove(argv + optind, argv + 1, (size_t)n * sizeof *argv);
		n = 0;
	}
	return o;
}

/* Returns ": write --NAME" if other programs use this name for an option of this program, otherwise "". */
static const char *
meant(const char *word)
{
	static const char *const names[][2] = {
	    {"limit", ": write --head"},	{"top", ": write --head"},
	    {"where", ": write --expr"},	{"group-by", ": write --group"},
	    {"select", ": write --aggregates"}, {"order-by", ": write --sort"},
	    {"jobs", ": write --threads"}};
	size_t n = strcspn(word, "=");

	if (!strcmp(word, "--by-time"))
		return ": trace-merge FILE... writes events in order of time";
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (const struct opt_row *r = opt_row; r < opt_row + opt_rows; r++)
			if (n > 2 && strlen(names[i][0]) == n - 2 &&
			    !strncmp(word + 2, names[i][0], n - 2) && r->o.name &&
			    !strcmp(r->o.name, names[i][1] + 10))
				return names[i][1];
	return "";
}

struct opt_row *
opt_next(int argc, char **argv, bool two_lists)
{
	static struct option longs[OPTS_MOST + 1];
	static char shorts[2 * OPTS_MOST + 2];
	const char *word;
	int o, at = -1;

	if (!*shorts)
		for_getopt(longs, shorts);
	o = next(argc, argv, two_lists, shorts, longs, &at);
	if (o == -1)
		return NULL;
	word = argv[optind - 1];
	/* The argument may be a separate word. */
	if (at >= 0 && optarg == word)
		word = argv[optind - 2];
	/* Refuse abbreviations: a script that uses one would break when an option is added. */
	if (at >= 0 && strcspn(word + 2, "=") != strlen(longs[at].name))
		opt_die("unknown option %s (--%s?)", word, longs[at].name);
	if (o == '?' && optopt >= '0' && optopt <= '9')
		opt_die(
		    "unknown option -%c: write -- before an expression that begins with -",
		    optopt);
	if (o == '?' && optopt && optopt < LONG)
		opt_die("unknown option -%c", optopt);
	if (o == '?' && optopt)
		opt_die("%s: the option takes no argument", argv[optind - 1]);
	if (o == '?')
		opt_die("unknown option %s%s", argv[optind - 1], meant(argv[optind - 1]));
	if (o == ':')
		opt_die("%s needs an argument", argv[optind - 1]);
	while (at < 0 || (o != LONG && opt_row[at].o.c != o))
		at++;
	return &opt_row[at];
}
