/* report_formats.c - see report_formats.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/num.h"
#include "cli/opt.h"
#include "input/cached_text.h"
#include "trace-report/report_formats.h"

#define META_MOST 16	     /* limit of lines of metadata that are shown */
#define FIRST_DAY 315532800u /* 1980: a smaller number is not a time of day */
#define NAMES_MOST 16	     /* limit of kinds of names whose format is detected */

/* Returns the row of the format with that name, or the last row if the name is unknown. */
static const struct format_row *
find_format(const struct format_row *known, const char *name)
{
	const struct format_row *f = known;

	while (f->name && strcmp(f->name, name) != 0)
		f++;
	return f;
}

/* Writes the date of a time in seconds. Returns false if it is not a date. */
static bool
date_of(char text[40], int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	return seconds >= FIRST_DAY && seconds < INT64_C(1) << 33 && gmtime_r(&t, &tm) &&
	       strftime(text, 40, "%Y-%m-%d %H:%M:%S UTC", &tm);
}

/* Adds a line of the head to the page. Lines about one place are skipped: there may be thousands. */
static void
about_line(struct page *p, char *line, unsigned *n)
{
	char *key = line + strlen("##meta\t"), *value = strchr(line, '='), date[40];
	struct buf raw = {0}, all = {0};
	uint64_t seconds;

	if (!strncmp(line, "##clock\t", 8) && value &&
	    date_of(date, strtoll(value + 1, NULL, 10))) {
		buf_str(&p->head, "time 0 is\t");
		buf_str(&p->head, date);
		buf_byte(&p->head, '\n');
	}
	if (strncmp(line, "##meta\t", 7) != 0 || !value || *n == META_MOST ||
	    isdigit((unsigned char)*key) || memchr(key, ':', (size_t)(value - key)))
		return;
	*value++ = '\0';
	text_raw(&raw, key, strlen(key));
	buf_add(&all, raw.p, raw.n);
	buf_byte(&all, '\t');
	text_raw(&raw, value, strlen(value));
	buf_add(&all, raw.p, raw.n);
	/* A start in whole seconds, as in DUMPI. */
	if (strstr(key, "time") &&
	    !digits_u64((const uint8_t *)value, strlen(value), &seconds) &&
	    seconds <= INT64_MAX && date_of(date, (int64_t)seconds)) {
		buf_str(&all, " (");
		buf_str(&all, date);
		buf_byte(&all, ')');
	}
	/* A value must stay on one line. */
	for (size_t i = 0; i < all.n; i++)
		all.p[i] = all.p[i] == '\n' || !all.p[i] ? ' ' : all.p[i];
	buf_add(&p->head, all.p, all.n);
	buf_byte(&p->head, '\n');
	buf_free(&raw);
	buf_free(&all);
	++*n;
}

/* Returns the command that prints the head of the inputs and their first event. */
static char **
ask_head(struct command_words *w)
{
	words_add(w, "trace-filter");
	words_add(w, "-H");
	words_option(w, "--head", "1");
	words_add(w, "event?");
	return end_words(w);
}

/* Reads the head of the inputs by a program. Returns the row of their format. */
const struct format_row *
look(struct page *p, const struct format_row *known)
{
	struct command_words w = {0};
	struct run r = {.in = input_again()};
	char format[32] = "";
	unsigned n = 0;

	r.argv = ask_head(&w);
	run_all(&r, 1, 1);
	buf_byte(&r.out, '\0');
	/* Other errors are reported by the programs that read the whole input. */
	if (r.lost) {
		warn("%.*s", (int)r.err.n - 1, (const char *)r.err.p);
		p->damaged = true;
	}
	for (char *line = (char *)r.out.p, *end; *line; line = end + 1) {
		end = line + strcspn(line, "\n");
		if (!*end)
			break;
		*end = '\0';
		if (!strncmp(line, "##format\t", 9))
			snprintf(format, sizeof format, "%s", line + 9);
		about_line(p, line, &n);
	}
	run_free(&r);
	free(w.v);
	return find_format(known, format);
}

/* Returns the extension of a name from its last point on, or the whole name. */
static const char *
ending(const char *path)
{
	static const char *const packed[] = {".gz", ".bz2", ".xz", ".zst", ".lz4"};
	const char *name = strrchr(path, '/'), *dot;

	name = name && name[1] ? name + 1 : path;
	dot = strrchr(name, '.');
	for (size_t i = 0; dot && dot > name && i < sizeof packed / sizeof *packed; i++)
		if (!strcmp(dot, packed[i])) {
			while (--dot > name && *dot != '.')
				;
			break;
		}
	return dot ? dot : name;
}

/* Finds the formats of common.path[which[0..n)]. */
static void
find_formats(const struct format_row *known, const size_t *which, size_t n,
	     const struct format_row **format)
{
	struct command_words w[NAMES_MOST] = {{0}};
	struct run r[NAMES_MOST] = {{.in = -1}};
	char **paths = common.path;
	size_t npaths = common.n;

	common.n = 1;
	for (size_t i = 0; i < n; i++) {
		common.path = &paths[which[i]];
		r[i] = (struct run){.argv = ask_head(&w[i]), .in = -1};
	}
	common.path = paths;
	common.n = npaths;
	run_all(r, n, 2);
	for (size_t i = 0; i < n; i++) {
		char *at, name[32] = "";

		buf_byte(&r[i].out, '\0');
		at = strstr((char *)r[i].out.p, "##format\t");
		if (at)
			sscanf(at, "##format\t%31s", name);
		format[i] = find_format(known, name);
		run_free(&r[i]);
		free(w[i].v);
	}
}

/* Returns true if an option is about all inputs together. */
static bool
together(void)
{
	const char *said = (const char *)common.said.p;

	for (size_t i = 0; i < common.said.n; i += strlen(said + i) + 1)
		if (!strcmp(said + i, "--by-time") || !strcmp(said + i, "--label"))
			return true;
	return false;
}

size_t
format_groups(const struct format_row *known, const struct format_row *first, char **shown,
	      struct format_group group[GROUPS_MOST])
{
	const struct format_row *format[NAMES_MOST];
	size_t which[NAMES_MOST], n = 0, groups = 0;

	group[0] = (struct format_group){first, common.path, shown, common.n};
	if (common.n < 2 || together())
		return 1;
	for (size_t i = 0, k; i < common.n && n < NAMES_MOST; i++) {
		for (k = 0;
		     k < n && strcmp(ending(shown[i]), ending(shown[which[k]])) != 0;)
			k++;
		if (k == n)
			which[n++] = i;
	}
	find_formats(known, which, n, format);
	for (size_t i = 0, k, g; i < common.n; i++) {
		for (k = 0;
		     k < n && strcmp(ending(shown[i]), ending(shown[which[k]])) != 0;)
			k++;
		k = k < n ? k : 0;
		for (g = 0; g < groups && group[g].format != format[k];)
			g++;
		if (g == GROUPS_MOST)
			return group[0] = (struct format_group){first, common.path, shown,
								common.n},
			       1;
		if (g == groups)
			group[groups++] = (struct format_group){
			    format[k], xcalloc(common.n, sizeof(char *)),
			    xcalloc(common.n, sizeof(char *)), 0};
		group[g].read[group[g].n] = common.path[i];
		group[g].shown[group[g].n++] = shown[i];
	}
	return groups;
}
