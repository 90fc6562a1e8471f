/* choose.c - chooses the layout of an input: the one that -O columns= gives for it, or a preset that its lines
 * fit. */
#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "delimited/delimited.h"

/* A layout is tried with the first TRY_LINES lines that are not comments, in at most TRY_BYTES bytes. */
#define TRY_LINES 20
#define TRY_BYTES (64u << 10)

/* Extended regular expressions of a line that must be among the first ones before the preset is proposed: other
 * logs with numbers in columns would fit these presets too. */
static const struct {
	const char *preset, *ere;
} evidence[] = {
    {"biosnoop",
     "^ *(TIME\\(s\\)|[0-9]+\\.[0-9]+ .* [RWDFUNM][A-Z]* +-?[0-9]+ +[0-9]+ +[0-9.]+ *$)"},
    {"biosnoop-queue", "^ *(TIME\\(s\\)|[0-9]+\\.[0-9]+ .* [RWDFUNM][A-Z]* +-?[0-9]+ "
		       "+[0-9]+ +[0-9.]+ +[0-9.]+ *$)"},
    {"biosnoop-clock", "^ *(TIMESTAMP +COMM |[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3} .* "
		       "[RWDFUNM][A-Z]* +-?[0-9]+ +[0-9]+ +[0-9.]+ *$)"},
    {"blkparse*", "^ *[0-9]+,[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+\\.[0-9]{9} +[0-9]+ +[A-Zm]"},
    {"cloudphysics", "^([12],|version)"},
    {"din", "^ *[0-5rwimcvRWIMCV] +(0[xX])?[0-9]+[a-fA-F][0-9a-fA-F]+( |\r?$)"},
    {"disksim", "^[0-9]+\\.[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +1?8?[0-7] *\r?$"},
    {"dramsim", "^0x[0-9a-fA-F]+ +(READ|WRITE|IFETCH|BOFF|P_[A-Z_]+) +[0-9]+ *\r?$"},
    {"fio-*", "^[0-9]+, [0-9]+, [0-2], "},
    {"lackey", "^(I  | [LSM] )[0-9a-f]{8,16},[0-9]+$"},
    {"log4j", "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}[.,][0-9]{3} .*"
	      "(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)[] ]"},
    {"mqsim", "^[0-9]+ [0-9]+ [0-9]+ [0-9]+ [01] *\r?$"},
    {"prospero", "^[0-9]+ [RWrw] [0-9]+ [0-9]+ *\r?$"},
    {"tencent", "^[0-9]{10},[0-9]+,[0-9]+,[01],[0-9]+\r?$"},
};

/* Calls of strace without times that have a date. */
#define UNDATED                                                                   \
	"^ *(\\[pid +[0-9]+\\] |[0-9]+ +)?([0-9]+(:[0-9]+:[0-9.]+|\\.[0-9]{6})? " \
	")?[a-z_0-9]+\\(.*\\) += [-0-9?]"

/* Returns true if a line of p[0..n) matches the extended regular expression. */
static bool
has_line(const char *ere, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;
	regex_t re;
	bool found = false;

	if (regcomp(&re, ere, REG_EXTENDED | REG_NOSUB))
		return false;
	while (p < end && !found) {
		const uint8_t *nl = memchr(p, '\n', (size_t)(end - p)),
			      *stop = nl ? nl : end;
		char *line = xstrndup((const char *)p, (size_t)(stop - p));

		found = !regexec(&re, line, 0, NULL, 0);
		free(line);
		p = nl ? nl + 1 : end;
	}
	regfree(&re);
	return found;
}

/* Returns true if a line of p[0..n) matches the preset's expression in `evidence`, or if the preset has none. */
static bool
has_evidence(const char *preset, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < sizeof evidence / sizeof *evidence; i++)
		if (!fnmatch(evidence[i].preset, preset, 0))
			return has_line(evidence[i].ere, p, n);
	return true;
}

/* Returns the number of bytes of the first TRY_LINES lines of the input, not counting comments and empty lines. */
static size_t
first_lines(struct source *s)
{
	struct in *in = &s->in;
	size_t at = 0, n = 0, have;
	const uint8_t *nl;

	/* Look at no more than TRY_BYTES, so that the result does not depend on the sizes of reads. */
	do {
		have = in_left(in) < TRY_BYTES ? in_left(in) : TRY_BYTES;
		while (n < TRY_LINES && at < have &&
		       (nl = memchr(in->p + at, '\n', have - at))) {
			const uint8_t *end = nl - (nl > in->p + at && nl[-1] == '\r');

			n += in->p[at] != '#' && !delimited_is_empty(in->p + at, end);
			at = (size_t)(nl - in->p) + 1;
		}
	} while (n < TRY_LINES && have < TRY_BYTES && in_more(in));
	return n < TRY_LINES && have < TRY_BYTES ? have : at;
}

/* Returns true if the preset l reads the lines p[0..n), with at most one error in five lines. */
static bool
fits(const struct source *s, const struct delimited_layout *l, const uint8_t *p, size_t n)
{
	struct delimited_try tried;

	/* Binary records and JSON objects need not end at the end of a line. */
	if (l->bytes || l->json) {
		n = in_left(&s->in) < TRY_BYTES ? in_left(&s->in) : TRY_BYTES;
		n -= l->bytes ? n % l->bytes : 0;
	}
	tried = delimited_try(s, l, p, n);
	return tried.records && tried.whole && tried.wrong * 4 <= tried.records &&
	       (!l->open || tried.other <= 4 * tried.records) &&
	       (!l->absolute || tried.dated);
}

/* Returns the layout of the only preset that the lines p[0..n) can belong to; the caller frees it. With `guess` the
 * lines need not have what only this preset has. Returns NULL if there is none or more than one, with advice in
 * `hint`. */
static struct delimited_layout *
own_preset(const struct source *s, const uint8_t *p, size_t n, bool guess,
	   char hint[COLUMNS_HINT])
{
	struct delimited_layout *found = NULL, *fitting = NULL;
	unsigned sure = 0, all = 0;
	size_t at = (size_t)snprintf(hint, COLUMNS_HINT, "its lines fit");

	for (int i = 0; delimited_presets[i]; i++) {
		const char *name = delimited_presets[i];
		char why[320];
		struct delimited_layout *l =
		    delimited_parse(name, strlen(name), why, sizeof why);

		if (!delimited_other(i, s->name) &&
		    (!l->bytes || delimited_named(i, s->name)) &&
		    has_evidence(name, p, n) && fits(s, l, p, n)) {
			if (at < COLUMNS_HINT)
				at += (size_t)snprintf(hint + at, COLUMNS_HINT - at,
						       "%s -O columns=%s", all ? " or" : "",
						       name);
			all++;
			if (delimited_sure(i, p, n) || delimited_named(i, s->name)) {
				delimited_free(found);
				found = l;
				l = NULL;
				sure++;
			} else {
				delimited_free(fitting);
				fitting = l;
				l = NULL;
			}
		}
		delimited_free(l);
	}
	if (!all)
		snprintf(
		    hint, COLUMNS_HINT, "%s",
		    !n || memchr(p, 0, n) ? ""
		    : has_line(UNDATED, p, n)
			? "lines of strace need the times of -ttt: columns-layout(5) has "
			  "awk lines for others"
			: "-O columns=NAME says what its columns are, "
			  "-O columns=auto guesses: columns-layout(5)");
	if (guess && all == 1 && !sure) {
		found = fitting;
		fitting = NULL;
		sure++;
	}
	delimited_free(fitting);
	if (sure == 1)
		return found;
	delimited_free(found);
	return NULL;
}

/* Returns the layout that an option gives for the file `path`, or else the one for all inputs, or NULL. */
static const struct delimited_given *
given(const struct delimited_options *o, const char *path)
{
	const struct delimited_given *all = NULL;
	const char *base = strrchr(path, '/');

	for (const struct delimited_given *g = o->given; g < o->given + o->n; g++) {
		if (g->file && (!fnmatch(g->file, path, 0) ||
				(base && !fnmatch(g->file, base + 1, 0))))
			return g;
		if (!g->file && (!g->layout || g->layout->preset < 0))
			all = g;
	}
	return all;
}

/* Returns the first preset of the options that reads the first lines of s. If none does, returns the first preset
 * if `last`, and else NULL. */
static const struct delimited_layout *
asked_preset(struct source *s, const struct delimited_options *o, bool last)
{
	const struct delimited_layout *first = NULL;
	size_t n = 0;

	for (const struct delimited_given *g = o->given; g < o->given + o->n; g++) {
		if (g->file)
			continue;
		if (!first && !(last && o->n == 1))
			n = first_lines(s);
		first = first ? first : g->layout;
		if (!n || delimited_try(s, g->layout, s->in.p, n).records)
			return g->layout;
	}
	return last ? first : NULL;
}

const struct delimited_layout *
delimited_choose(struct source *s, bool last, struct delimited_layout **mine,
		 char hint[COLUMNS_HINT])
{
	const struct delimited_options *o = format_options(s->opt, &fmt_delimited);
	const struct delimited_given *g = given(o, s->name);
	const struct delimited_layout *l = NULL;
	size_t n;

	*mine = NULL;
	if (g && g->layout)
		return g->layout;
	if (!g)
		l = asked_preset(s, o, last);
	if (l || (!g && !last))
		return l;
	n = first_lines(s);
	*mine = own_preset(s, s->in.p, n, g != NULL, hint);
	if (g)
		delimited_guess(s, *mine);
	return *mine;
}

bool
delimited_claims(struct source *s, bool last, char hint[COLUMNS_HINT])
{
	struct delimited_layout *mine;
	bool claims = delimited_choose(s, last, &mine, hint) != NULL;

	delimited_free(mine);
	return claims;
}

bool
delimited_chosen(const void *options)
{
	const struct delimited_options *o = options;

	for (unsigned i = 0; i < o->n; i++)
		if (!o->given[i].file &&
		    (!o->given[i].layout || o->given[i].layout->preset < 0))
			return true;
	return false;
}

void
delimited_take_option(void *options, const char *what)
{
	struct delimited_options *o = options;

	if (o->n == COLUMNS_GIVEN)
		die("%s: only %d descriptions can be given", what, COLUMNS_GIVEN);
	o->given[o->n++] = (struct delimited_given){
	    o->file, strcmp(o->text, "auto") != 0 ? delimited_load(o->text, what) : NULL};
	for (unsigned i = 0; i + 1 < o->n; i++)
		if (!o->file && !o->given[i].file && delimited_chosen(o))
			die("%s: a description is for all inputs; use -O columns:FILE=... "
			    "for one input",
			    what);
}
