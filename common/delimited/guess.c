/*
 * guess.c - -O columns=auto: the description that the first lines of an input seem to have, to be mended by
 * hand. The separator is the one that gives most lines the same number of columns; what they are is told by the names
 * of a header, or by their values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/date.h"
#include "base/die.h"
#include "delimited/delimited.h"

#define LINES 1000
#define COLUMNS 64
#define VALUES 32 /* that a column of names has, at most */
#define SHOWN 3

enum role {
	R_NONE,
	R_TIME,
	R_EVENT,
	R_ADDR,
	R_SIZE,
	R_DUR,
	R_LOC
};

/* What names of columns mean, without signs and units: up to a blank each. */
static const char *const meanings[] = {
    [R_TIME] =
	"time timestamp ts t start starttime begin when date datetime optime arrival "
	"arrivaltime ",
    [R_EVENT] = "op optype operation type iotype event name rw rwbs opcode action call cmd "
		"method syscall func function request requesttype ",
    [R_ADDR] = "offset addr address lba lbn block sector fileoffset iooffset pos off ",
    [R_SIZE] = "size length len bytes nbytes iosize requestsize sizebytes objectsize "
	       "requestiosizebytes ",
    [R_DUR] = "latency lat dur duration elapsed response responsetime servicetime ",
    [R_LOC] =
	"host hostname node device dev disk disknumber volume volumeid lun cpu core rank "
	"pid tid thread file filename path asu client server user ",
};

struct guess_column {
	struct span name;			       /* of the header */
	uint64_t numbers, whole, dates, absent, later; /* of its values: how many are */
	uint64_t least, most, last;
	bool blocks;	      /* all are multiples of 512 */
	struct strtab values; /* VALUES + 1 at most */
	enum role role;
	const char *unit;
};

struct guess {
	struct delimited c;
	struct delimited_layout l;
	struct span line[LINES];
	size_t nlines, first; /* `first`: behind a header */
	unsigned n;	      /* columns of most lines */
	uint64_t rows;	      /* lines with so many */
	struct guess_column col[COLUMNS];
};

static void
take_lines(struct guess *g, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;

	while (p < end && g->nlines < LINES) {
		const uint8_t *nl = memchr(p, '\n', (size_t)(end - p)),
			      *stop = nl ? nl : end;
		size_t len = (size_t)(stop - p) - (stop > p && stop[-1] == '\r');

		if (len)
			g->line[g->nlines++] = (struct span){p, len};
		p = nl ? nl + 1 : end;
	}
}

static unsigned
cells(struct guess *g, size_t line)
{
	const struct span *s = &g->line[line];

	return delimited_cells(&g->c, s->p, s->p + s->n) ? 0 : g->c.n;
}

/* How many columns most lines have with that separator, and in *rows how many lines these are. */
static unsigned
mode_of(struct guess *g, uint8_t sep, uint64_t *rows)
{
	uint64_t count[COLUMNS + 1] = {0};
	unsigned best = 0;

	g->l.sep = sep;
	for (size_t i = 0; i < g->nlines; i++) {
		unsigned n = cells(g, i);

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

		/* Blanks stand in text, too. */
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
	if (!is_number(t, &v, &left))
		return;
	k->least = !k->numbers || v < k->least ? v : k->least;
	k->most = v > k->most ? v : k->most;
	k->later += !k->numbers || v >= k->last;
	k->last = v;
	k->numbers++;
	k->whole += !left;
	k->blocks &= v % 512 == 0;
}

/* The first line is names where none of its cells is a number or a date, but a column of the others is. */
static void
find_header(struct guess *g)
{
	bool names, numbers = false;
	uint64_t v, left;

	if (*g->line[0].p == '#') {
		g->line[0].p++;
		g->line[0].n--;
	}
	names = cells(g, 0) == g->n;
	for (unsigned i = 0; names && i < g->n; i++) {
		struct span t = g->c.cell[i].text;

		names = t.n && !is_number(t, &v, &left) && date_ns(t.p, t.n, false, &v);
		g->col[i].name = t;
	}
	for (size_t line = 1; names && line < g->nlines && !numbers; line++)
		for (unsigned i = 0, n = cells(g, line); i < n; i++)
			numbers |= is_number(g->c.cell[i].text, &v, &left);
	g->first = names && numbers;
	for (unsigned i = 0; i < g->n && !g->first; i++)
		g->col[i].name = (struct span){NULL, 0};
}

/* The name without signs and capitals, and without a unit at its end, which goes to k->unit. */
static void
plain_name(struct guess_column *k, char name[40])
{
	static const char *const units[] = {"ns", "us", "ms"};
	size_t n = 0, stop = k->name.n;

	for (size_t i = 0; i < 3; i++)
		for (size_t at = 1; at + 2 <= k->name.n; at++)
			if (!memcmp(k->name.p + at, units[i], 2) &&
			    memchr("_( [", k->name.p[at - 1], 4) &&
			    (at + 2 == k->name.n || memchr(")]", k->name.p[at + 2], 2))) {
				k->unit = units[i];
				stop = at - 1;
			}
	for (size_t i = 0; i < stop && n < 38; i++) {
		char c = (char)k->name.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 32);
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			name[n++] = c;
	}
	name[n] = '\0';
}

static bool
is_meant(const char *list, const char *name)
{
	size_t n = strlen(name);
	const char *at = list;

	while (n && (at = strstr(at, name)) != NULL) {
		if ((at == list || at[-1] == ' ') && at[n] == ' ')
			return true;
		at += n;
	}
	return false;
}

static bool
all_numbers(const struct guess_column *k)
{
	return k->numbers && !k->dates;
}

/* Roles by the names of a header: the first column of each, but all places. */
static void
by_names(struct guess *g)
{
	bool taken[R_LOC + 1] = {false};

	for (unsigned i = 0; i < g->n; i++) {
		struct guess_column *k = &g->col[i];
		char name[40];

		plain_name(k, name);
		for (unsigned r = R_TIME; r <= R_LOC && !k->role; r++) {
			bool number = r != R_EVENT && r != R_LOC;

			if (!is_meant(meanings[r], name) || (taken[r] && r != R_LOC) ||
			    (number && !k->numbers && !(r == R_TIME && k->dates)))
				continue;
			k->role = r;
			taken[r] = true;
		}
	}
}

/* The column that is best for a role by `worth`, which is 0 where it cannot be; NULL: none. */
static struct guess_column *
best(struct guess *g, enum role role, uint64_t (*worth)(const struct guess_column *k))
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

/* The unit of numbers that are times since 1970 or 1601, by their size; NULL: they are none. */
static const char *
time_unit(const struct guess_column *k, unsigned *epoch)
{
	static const struct {
		uint64_t from, to; /* the years 1990 to 2100 */
		const char *unit;
		unsigned epoch;
	} known[] = {
	    {631152000, 4102444800, "s", 1970},
	    {631152000000, 4102444800000, "ms", 1970},
	    {631152000000000, 4102444800000000, "us", 1970},
	    {631152000000000000, 4102444800000000000, "ns", 1970},
	    {122756256000000000, 157469184000000000, "100ns", 1601},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (k->numbers && k->least >= known[i].from && k->most < known[i].to) {
			*epoch = known[i].epoch;
			return known[i].unit;
		}
	return NULL;
}

static uint64_t
time_worth(const struct guess_column *k)
{
	unsigned epoch;

	if (k->dates)
		return 5;
	if (!all_numbers(k) || k->most == k->least)
		return 0;
	if (time_unit(k, &epoch))
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

static uint64_t
size_worth(const struct guess_column *k)
{
	return all_numbers(k) && k->blocks && k->whole == k->numbers && k->most > 0 &&
		       k->most <= 1u << 30
		   ? UINT64_MAX - k->most
		   : 0;
}

static uint64_t
addr_worth(const struct guess_column *k)
{
	return all_numbers(k) && k->whole == k->numbers && k->values.n > VALUES ? k->most
										: 0;
}

/* ---- the description ---- */

static bool
is_plain(struct span name)
{
	bool plain = name.n > 0 && name.n < 31;

	for (size_t k = 0; k < name.n; k++)
		plain &= delimited_name_byte((char)name.p[k], k);
	return plain;
}

static void
put_column(const struct guess *g, unsigned i)
{
	struct span name = g->col[i].name;
	bool plain = is_plain(name);

	if (!name.p || memchr(name.p, '}', name.n))
		printf("$%u", i + 1);
	else
		printf(plain ? "$%.*s" : "${%.*s}", (int)name.n, (const char *)name.p);
}

/* Reads and writes have the names that other formats give them. */
static void
put_event(const struct guess_column *k)
{
	bool some = false;

	for (uint32_t i = 0; i < k->values.n; i++) {
		const char *v = k->values.v[i].s;

		if (strcasecmp(v, "read") != 0 && strcasecmp(v, "write") != 0)
			continue;
		printf("%s%s:%s", some ? "," : "{", v, (*v | 0x20) == 'r' ? "R" : "W");
		some = true;
	}
	if (k->absent)
		printf("%s:none", some ? "," : "{");
	if (some || k->absent)
		printf(",*}");
}

static void
put_time(const struct guess_column *k)
{
	unsigned epoch;
	const char *unit = time_unit(k, &epoch);

	if (k->dates)
		printf(":iso");
	else if (unit ? strcmp(unit, "s") != 0 : k->unit != NULL)
		printf("*%s", unit ? unit : k->unit);
	if (unit)
		printf(" epoch=%u", epoch);
}

static void
put_argument(const struct guess *g, unsigned i)
{
	const struct guess_column *k = &g->col[i];
	char name[40];

	if (is_plain(k->name))
		snprintf(name, sizeof name, "%.*s", (int)k->name.n,
			 (const char *)k->name.p);
	else
		snprintf(name, sizeof name, "column%u", i + 1);
	/* The names of the fields themselves mean these. */
	printf("%s%s=",
	       is_meant("time end loc event addr size dur line head skip begun resumed "
			"sep header record columns epoch block ",
			name)
		   ? "x_"
		   : "",
	       name);
	put_column(g, i);
	if (k->numbers && k->whole == k->numbers && !k->dates)
		printf("*1");
}

/* That values may be absent, or no numbers. */
static void
put_absent(const struct guess *g, const struct guess_column *k, unsigned *optional)
{
	bool number =
	    k->role == R_ADDR || k->role == R_SIZE || k->role == R_DUR ||
	    (k->role == R_NONE && k->numbers && k->whole == k->numbers && !k->dates);
	bool mixed = number && k->numbers + k->absent < g->rows - g->first;

	if (k->role == R_TIME || k->role == R_EVENT || (!k->absent && !mixed) ||
	    (k->role == R_NONE && *optional == COLUMNS_OPTIONAL))
		return;
	*optional += k->role == R_NONE;
	printf(mixed ? "??" : "?");
}

static void
put_fields(struct guess *g)
{
	static const char *const names[] = {
	    [R_TIME] = "time", [R_EVENT] = "event", [R_ADDR] = "addr",
	    [R_SIZE] = "size", [R_DUR] = "dur",	    [R_LOC] = "loc"};
	unsigned optional = 0;
	bool has[R_LOC + 1] = {false};
	char name[40];

	for (unsigned i = 0; i < g->n; i++) {
		struct guess_column *k = &g->col[i];

		if (k->role == R_LOC && has[R_LOC])
			k->role = R_NONE;
		has[k->role] = true;
		if (k->role == R_NONE)
			put_argument(g, i);
		else {
			printf("%s=", names[k->role]);
			if (k->role == R_LOC && is_plain(k->name))
				printf("%.*s:", (int)k->name.n, (const char *)k->name.p);
			put_column(g, i);
		}
		if (k->role == R_TIME)
			put_time(k);
		if (k->role == R_EVENT)
			put_event(k);
		if (k->role == R_DUR && k->unit)
			printf("*%s", k->unit);
		put_absent(g, k, &optional);
		/* A comment with some of the values. */
		printf("\t#");
		for (uint32_t v = 0; v < k->values.n && v < SHOWN; v++) {
			char shown[64];

			printf("%s %s", v ? "," : "",
			       quoted(shown, k->values.v[v].s, k->values.v[v].len));
		}
		printf("%s\n", k->values.n > SHOWN ? ", ..." : "");
		plain_name(k, name);
		if (k->role == R_ADDR && is_meant("lba lbn block sector ", name))
			printf("block=512\t# addr counts these, by its name\n");
	}
	if (!has[R_TIME])
		printf("time=line\t# no column is a time\n");
	if (!has[R_EVENT])
		printf("event=event\t# no column has names\n");
}

static _Noreturn void
done(void)
{
	if (fflush(stdout) || ferror(stdout))
		die("<stdout>: write:");
	exit(ST_OK);
}

void
delimited_guess(struct source *s, const struct delimited_layout *preset)
{
	static const char *const words[] = {"comma", "tab", "semicolon", "|", "blank"};
	static const char seps[] = ",\t;|";
	struct guess *g = xcalloc(1, sizeof *g);
	int depth = 0;

	if (preset) {
		printf("# its lines are those of -O columns=%s, which says\n",
		       delimited_presets[preset->preset]);
		for (const char *p = delimited_meanings[preset->preset]; *p; p++) {
			depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
			putchar(*p == ' ' && !depth ? '\n' : *p);
		}
		putchar('\n');
		done();
	}
	in_need(&s->in, 64u << 10);
	take_lines(g, s->in.p, in_left(&s->in));
	g->c.l = &g->l;
	g->c.want = COLUMNS_MOST;
	g->c.cell = xcalloc(COLUMNS_MOST + 1, sizeof *g->c.cell);
	if (g->nlines)
		find_separator(g);
	if (!g->n)
		die("%s: no separator gives its lines columns: line={...} describes "
		    "others (columns-layout(5))",
		    s->name);
	find_header(g);
	for (unsigned i = 0; i < g->n; i++)
		g->col[i].blocks = true;
	for (size_t line = g->first; line < g->nlines; line++) {
		unsigned n = cells(g, line);

		for (unsigned i = 0; n == g->n && i < n; i++)
			count_value(&g->col[i], g->c.cell[i].text);
	}
	if (g->first)
		by_names(g);
	best(g, R_TIME, time_worth);
	best(g, R_EVENT, event_worth);
	if (!g->first && best(g, R_SIZE, size_worth))
		best(g, R_ADDR, addr_worth);
	printf("# guessed from %zu lines of %s\nsep=%s\n", g->nlines, s->name,
	       words[g->l.sep ? strchr(seps, g->l.sep) - seps : 4]);
	if (g->first)
		printf("header\n");
	put_fields(g);
	done();
}
