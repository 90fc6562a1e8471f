/* guess.c - -O columns=auto: guesses a description from the first lines of an input, for the user to correct. The
 * separator is the one that gives most lines the same number of columns. The role of each column follows from the
 * names of a header, or else from the values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/date.h"
#include "base/die.h"
#include "delimited/guess.h"
#include "delimited/delimited_json.h"
#include "input/sniff.h"

/* Collects the lines that are neither empty nor comments. */
static void
take_lines(struct guess *g, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;

	while (p < end && g->nlines < LINES) {
		const uint8_t *nl = memchr(p, '\n', (size_t)(end - p)),
			      *stop = nl ? nl : end;
		size_t len = (size_t)(stop - p) - (stop > p && stop[-1] == '\r');

		if (len && *p == '#' && !g->nlines)
			g->comment = (struct span){p + 1, len - 1};
		else if (*p != '#' && !delimited_is_empty(p, p + len))
			g->line[g->nlines++] = (struct span){p, len};
		p = nl ? nl + 1 : end;
	}
}

static unsigned
cells(struct guess *g, const struct span *s)
{
	return delimited_cells(&g->c, s->p, s->p + s->n) ? 0 : g->c.n;
}

/* Returns the number of columns that most lines have with that separator, and in *rows the number of these lines. */
static unsigned
mode_of(struct guess *g, uint8_t sep, uint64_t *rows)
{
	uint64_t count[COLUMNS + 1] = {0};
	unsigned best = 0;

	g->l.sep = sep;
	for (size_t i = 0; i < g->nlines; i++) {
		unsigned n = cells(g, &g->line[i]);

		count[n <= COLUMNS ? n : 0]++;
	}
	for (unsigned n = 2; n <= COLUMNS; n++)
		best = count[n] && count[n] >= count[best] * (best > 0) ? n : best;
	*rows = best ? count[best] : 0;
	return best;
}

static void
find_separator(struct guess *g)
{
	static const uint8_t seps[] = {',', '\t', ';', '|', 0};
	uint8_t sep = 0;

	for (size_t i = 0; i < sizeof seps; i++) {
		uint64_t rows;
		unsigned n = mode_of(g, seps[i], &rows);

		/* Blanks are in texts too, so other separators are preferred. */
		if (!n || rows * 10 < g->nlines * 8 || (!seps[i] && g->n > 2) || n <= g->n)
			continue;
		g->n = n;
		g->rows = rows;
		sep = seps[i];
	}
	g->l.sep = sep;
}

static bool
is_number(struct span t, uint64_t *v, uint64_t *left)
{
	return !delimited_number(t.p, t.n, 1, v, left);
}

static bool
looks_like_clock(struct span t)
{
	return t.n >= 8 && t.p[2] == ':' && t.p[5] == ':';
}

static void
count_value(struct guess_column *k, struct span t)
{
	uint64_t v, left = 0;

	if (!t.n || (t.n == 1 && *t.p == '-')) {
		k->absent++;
		return;
	}
	if (k->values.n <= VALUES)
		strtab_id(&k->values, t.p, t.n);
	if (!date_ns(t.p, t.n, false, &v)) {
		k->dates++;
		return;
	}
	k->days += t.n == 10 && t.p[4] == '-' && t.p[7] == '-';
	k->clocks += looks_like_clock(t);
	if (!is_number(t, &v, &left))
		return;
	k->least = !k->numbers || v < k->least ? v : k->least;
	k->most = v > k->most ? v : k->most;
	k->later += !k->numbers || v >= k->last;
	k->last = v;
	k->numbers++;
	k->hex += t.n > 2 && (t.p[1] | 0x20) == 'x';
	k->whole += !left;
	k->blocks &= v % 512 == 0;
}

/* Returns true if the line has all columns, with names in them: no cell is a number or a date. */
static bool
take_names(struct guess *g, const struct span *line)
{
	uint64_t v, left;
	bool names = line->n && cells(g, line) >= g->n;

	for (unsigned i = 0; names && i < g->n; i++) {
		struct span t = g->c.cell[i].text;

		names = t.n && !is_number(t, &v, &left) && date_ns(t.p, t.n, false, &v);
		g->col[i].name = t;
	}
	return names;
}

/* Finds a header: the first line, or a comment before it, is a header if it has names where a column of the other
 * lines has numbers. */
static void
find_header(struct guess *g)
{
	bool names = take_names(g, &g->line[0]), numbers = false;
	uint8_t sep = g->l.sep;
	uint64_t v, left;

	for (size_t line = 1; names && line < g->nlines && !numbers; line++)
		for (unsigned i = 0, n = cells(g, &g->line[line]); i < n; i++)
			numbers |= is_number(g->c.cell[i].text, &v, &left) ||
				   looks_like_clock(g->c.cell[i].text);
	g->first = names && numbers;
	if (g->first)
		return;
	/* Names with commas between may be above columns with blanks between. */
	g->numbered = sep != ',' && g->comment.n && memchr(g->comment.p, ',', g->comment.n);
	g->l.sep = g->numbered ? ',' : sep;
	names = take_names(g, &g->comment);
	g->l.sep = sep;
	if (names)
		return;
	for (unsigned i = 0; i < g->n; i++)
		g->col[i].name = (struct span){NULL, 0};
}

/* Finds a column of dates followed by one of times of day: they are the time together. */
static void
take_clock(struct guess *g)
{
	uint64_t rows = g->rows - g->first;

	for (unsigned i = 0; i + 1 < g->n; i++)
		if (g->col[i].days == rows && g->col[i + 1].clocks == rows) {
			g->col[i].role = R_TIME;
			g->col[i + 1].role = R_CLOCK;
			return;
		}
}

static bool
all_numbers(const struct guess_column *k)
{
	return k->numbers && !k->dates;
}

/* Sets roles by the names of a header: the first column for each role, and all columns for loc. */
static void
by_names(struct guess *g)
{
	bool taken[R_LOC + 1] = {false};

	for (unsigned i = 0; i < g->n; i++)
		taken[R_TIME] |= g->col[i].role == R_TIME;
	for (unsigned i = 0; i < g->n; i++) {
		struct guess_column *k = &g->col[i];
		char name[40];

		guess_plain_name(k, name);
		for (unsigned r = R_TIME; r <= R_LOC && !k->role; r++) {
			bool number = r != R_EVENT && r != R_LOC;

			if (!guess_is_meant(meanings[r], name) ||
			    (taken[r] && r != R_LOC) ||
			    (number && !k->numbers && !(r == R_TIME && k->dates)))
				continue;
			k->role = r;
			taken[r] = true;
		}
	}
}

/* Sets the role of the column that is best for it, and returns the column. `worth` is 0 for a column that cannot
 * have the role. Returns NULL if none can, or if a column has the role already. */
static struct guess_column *
best(struct guess *g, enum column_role role,
     uint64_t (*worth)(const struct guess_column *k))
{
	struct guess_column *found = NULL;

	for (unsigned i = 0; i < g->n; i++) {
		if (g->col[i].role == role)
			return NULL;
		if (!g->col[i].role && worth(&g->col[i]) &&
		    (!found || worth(&g->col[i]) > worth(found)))
			found = &g->col[i];
	}
	if (found)
		found->role = role;
	return found;
}

static uint64_t
time_worth(const struct guess_column *k)
{
	unsigned epoch;

	if (k->dates)
		return 5;
	if (!all_numbers(k) || k->hex || k->most == k->least)
		return 0;
	if (guess_time_unit(k, &epoch))
		return 4;
	return k->later * 20 < k->numbers * 19 ? 0 : k->whole < k->numbers ? 3 : 2;
}

static uint64_t
event_worth(const struct guess_column *k)
{
	static const char words[] = " r w read write rs ws get set put t trim open close ";
	uint64_t known = 0;

	if (k->numbers || k->dates || !k->values.n || k->values.n > VALUES)
		return 0;
	for (uint32_t i = 0; i < k->values.n; i++) {
		char word[16] = " ";
		size_t n = 1;

		for (const char *s = k->values.v[i].s; *s && n < 13; s++)
			word[n++] = (char)(*s >= 'A' && *s <= 'Z' ? *s + 32 : *s);
		word[n++] = ' ';
		word[n] = '\0';
		known += strstr(words, word) != NULL;
	}
	return 1 + known * 100 / k->values.n;
}

/* Sizes have few different values, and none is 0. */
static uint64_t
size_worth(const struct guess_column *k)
{
	return all_numbers(k) && !k->hex && k->blocks && k->whole == k->numbers &&
		       k->least && k->most <= 1u << 30
		   ? ((uint64_t)(VALUES + 2 - k->values.n) << 32) - k->most
		   : 0;
}

static uint64_t
addr_worth(const struct guess_column *k)
{
	return all_numbers(k) && k->whole == k->numbers && k->values.n > VALUES ? k->most
										: 0;
}

static uint64_t
hex_worth(const struct guess_column *k)
{
	return all_numbers(k) && k->hex == k->numbers ? k->hex : 0;
}

/* Counts the members of the lines, which are JSON objects, as values of columns. Returns false if the first line
 * is not an object. */
static bool
take_objects(struct guess *g)
{
	struct delimited_json *j = g->c.json = xcalloc(1, sizeof *j);

	g->l.others = true;
	for (size_t line = 0; line < g->nlines; line++) {
		const uint8_t *p = g->line[line].p;

		if (json_line(&g->c, p, p + g->line[line].n) && !line)
			return false;
		for (uint32_t i = 0; i < j->n; i++) {
			const char *name = (const char *)j->names.p + j->m[i].at;
			size_t len = strlen(name);
			unsigned k = 0;

			while (k < g->n && !(g->col[k].name.n == len &&
					     !memcmp(g->col[k].name.p, name, len)))
				k++;
			if (!j->m[i].arg || j->m[i].dead || k == COLUMNS)
				continue;
			if (k == g->n) {
				g->n++;
				name = xstrndup(name, len);
				g->col[k].name = (struct span){(const uint8_t *)name, len};
			}
			g->col[k].seen++;
			count_value(&g->col[k], j->m[i].value);
		}
	}
	g->rows = g->nlines;
	for (unsigned k = 0; k < g->n; k++)
		g->col[k].absent += g->rows - g->col[k].seen;
	return g->l.json = g->n > 0;
}

/* Prints the description, and the number of lines that it cannot read. Ends the program. */
static _Noreturn void
done(struct guess *g, const struct source *s)
{
	struct delimited_try tried = {0};
	char *text, why[320];
	struct delimited_layout *l;

	if (fclose(g->out))
		die("out of memory");
	text = g->text;
	l = delimited_parse(text, g->size, why, sizeof why);
	if (l)
		tried = delimited_try(s, l, s->in.p, g->bytes);
	printf("# guessed from %zu lines of %s\n", g->nlines, s->name);
	if (tried.wrong)
		printf("# it does not read %llu of them\n",
		       (unsigned long long)tried.wrong);
	fputs(text, stdout);
	if (fflush(stdout) || ferror(stdout))
		die("<stdout>: write:");
	exit(ST_OK);
}

/* Prints a preset, one word a line. Ends the program. */
static _Noreturn void
put_preset(const struct delimited_layout *l)
{
	int depth = 0;

	printf("# its lines are those of -O columns=%s, which says\n",
	       delimited_presets[l->preset]);
	for (const char *p = delimited_meanings[l->preset]; *p; p++) {
		depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
		putchar(*p == ' ' && !depth ? '\n' : *p);
	}
	putchar('\n');
	if (fflush(stdout) || ferror(stdout))
		die("<stdout>: write:");
	exit(ST_OK);
}

/* Prints how the columns are separated, and which lines are not records. */
static void
put_form(struct guess *g, bool named)
{
	static const char *const words[] = {"comma", "tab", "semicolon", "|", "blank"};
	static const char seps[] = ",\t;|";

	if (g->l.json)
		fprintf(g->out, "json\n");
	else
		fprintf(g->out, "sep=%s\n",
			words[g->l.sep ? strchr(seps, g->l.sep) - seps : 4]);
	if (g->comment.p && (g->first || g->numbered || !named))
		fprintf(g->out, "skip=#\n");
	if (named && !g->numbered && !g->l.json)
		fprintf(g->out, "header\n");
}

void
delimited_guess(struct source *s, const struct delimited_layout *preset)
{
	struct guess *g = xcalloc(1, sizeof *g);
	bool named;
	const struct sniffer *known =
	    preset ? NULL : format_sniff(s->opt->sniffers, &s->in);

	if (preset)
		put_preset(preset);
	if (known)
		die("%s: this is %s: -O columns= is for other formats", s->name,
		    known->what);
	in_need(&s->in, 64u << 10);
	g->bytes = in_left(&s->in) < 64u << 10 ? in_left(&s->in) : 64u << 10;
	take_lines(g, s->in.p, g->bytes);
	g->c.l = &g->l;
	g->c.want = COLUMNS_MOST;
	g->c.cell = xcalloc(COLUMNS_MOST + 1, sizeof *g->c.cell);
	for (unsigned i = 0; i < COLUMNS; i++)
		g->col[i].blocks = true;
	if (g->nlines && !take_objects(g))
		find_separator(g);
	if (!g->n)
		die("%s: found no separator of columns; describe the lines by line={...} "
		    "(columns-layout(5))",
		    s->name);
	if (!g->l.json)
		find_header(g);
	for (size_t line = g->first; line < g->nlines && !g->l.json; line++) {
		unsigned n = cells(g, &g->line[line]);

		for (unsigned i = 0; n == g->n && i < n; i++)
			count_value(&g->col[i], g->c.cell[i].text);
	}
	take_clock(g);
	named = g->col[0].name.p != NULL;
	if (named)
		by_names(g);
	best(g, R_TIME, time_worth);
	best(g, R_EVENT, event_worth);
	if ((!named || g->numbered) && best(g, R_SIZE, size_worth))
		best(g, R_ADDR, addr_worth);
	best(g, R_ADDR, hex_worth);
	g->out = open_memstream(&g->text, &g->size);
	if (!g->out)
		die("out of memory");
	put_form(g, named);
	guess_put_fields(g);
	done(g, s);
}
