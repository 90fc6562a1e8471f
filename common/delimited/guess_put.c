/* guess_put.c - prints the description for -O columns=auto, one field a line with some of its values. */
#include <string.h>
#include <strings.h>

#include "base/die.h"
#include "delimited/guess.h"

#define SHOWN 3 /* number of values of a column in a comment */

static bool
is_plain_name(struct span name)
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
	bool plain = is_plain_name(name);

	if (!name.p || g->numbered || memchr(name.p, '}', name.n))
		fprintf(g->out, "$%u", i + 1);
	else
		fprintf(g->out, plain ? "$%.*s" : "${%.*s}", (int)name.n,
			(const char *)name.p);
}

/* Writes a map that gives reads and writes the names that they have in other formats. */
static void
put_event_column(const struct guess *g, const struct guess_column *k)
{
	bool some = false;

	for (uint32_t i = 0; i < k->values.n; i++) {
		const char *v = k->values.v[i].s;

		if (strcasecmp(v, "read") != 0 && strcasecmp(v, "write") != 0)
			continue;
		fprintf(g->out, "%s%s:%s", some ? "," : "{", v,
			(*v | 0x20) == 'r' ? "R" : "W");
		some = true;
	}
	if (k->absent)
		fprintf(g->out, "%s:none", some ? "," : "{");
	if (some || k->absent)
		fprintf(g->out, ",*}");
}

static void
put_unit(const struct guess *g, const char *unit)
{
	if (strcmp(unit, "s") != 0)
		fprintf(g->out, "*%s", unit);
}

static void
put_time_column(const struct guess *g, const struct guess_column *k)
{
	unsigned epoch;
	const char *unit = guess_time_unit(k, &epoch);

	if (k->dates || k->days)
		fprintf(g->out, ":iso");
	else if (unit || k->unit)
		put_unit(g, unit ? unit : k->unit);
	if (unit)
		fprintf(g->out, " epoch=%u", epoch);
}

static void
put_argument(const struct guess *g, unsigned i)
{
	const struct guess_column *k = &g->col[i];
	char name[40];

	if (is_plain_name(k->name))
		snprintf(name, sizeof name, "%.*s", (int)k->name.n,
			 (const char *)k->name.p);
	else
		snprintf(name, sizeof name, "column%u", i + 1);
	/* Avoid names that mean a field or a setting. */
	fprintf(
	    g->out, "%s%s=",
	    guess_is_meant("time end loc event addr size dur line head skip begun resumed "
			   "sep header record columns epoch block ",
			   name)
		? "x_"
		: "",
	    name);
	put_column(g, i);
	if (k->numbers && k->unit && !k->dates)
		fprintf(g->out, "*%s", k->unit);
	else if (k->numbers && k->whole == k->numbers && !k->dates)
		fprintf(g->out, k->hex == k->numbers ? ":hex" : "*1");
}

/* Writes ? or ?? if values of the column may be absent or not numbers. */
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
	fprintf(g->out, mixed ? "??" : "?");
}

/* Returns the unit of the column of times. */
static const char *
unit_of_times(const struct guess *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		const struct guess_column *k = &g->col[i];
		unsigned epoch;
		const char *unit = guess_time_unit(k, &epoch);

		if (k->role == R_TIME && !k->dates && (unit || k->unit))
			return unit ? unit : k->unit;
	}
	return "s";
}

/* Writes the unit or form that follows the column number of field i. Returns true if the unit is guessed. */
static bool
put_role(const struct guess *g, unsigned i)
{
	const struct guess_column *k = &g->col[i];
	bool guessed = k->role == R_DUR && !k->unit && k->whole == k->numbers;

	if (k->role == R_TIME && k->days) {
		fputc('+', g->out);
		put_column(g, i + 1);
	}
	if (k->role == R_TIME)
		put_time_column(g, k);
	if (k->role == R_EVENT)
		put_event_column(g, k);
	if (k->role == R_DUR && (k->unit || guessed))
		put_unit(g, k->unit ? k->unit : unit_of_times(g));
	if (k->role == R_ADDR && k->hex == k->numbers)
		fprintf(g->out, ":hex");
	return guessed;
}

/* Writes a comment with some of the values. */
static void
put_values(const struct guess *g, const struct guess_column *k, bool guessed)
{
	fprintf(g->out, guessed ? "\t# unit guessed:" : "\t#");
	for (uint32_t v = 0; v < k->values.n && v < SHOWN; v++) {
		char shown[64];

		fprintf(g->out, "%s %s", v ? "," : "",
			quoted(shown, k->values.v[v].s, k->values.v[v].len));
	}
	fprintf(g->out, "%s\n", k->values.n > SHOWN ? ", ..." : "");
}

void
guess_put_fields(struct guess *g)
{
	static const char *const names[] = {
	    [R_TIME] = "time", [R_EVENT] = "event", [R_ADDR] = "addr",
	    [R_SIZE] = "size", [R_DUR] = "dur",	    [R_LOC] = "loc"};
	unsigned optional = 0;
	bool has[R_LOC + 1] = {false}, guessed;
	char name[40];

	for (unsigned i = 0; i < g->n; i++) {
		struct guess_column *k = &g->col[i];

		if (k->role == R_LOC && has[R_LOC])
			k->role = R_NONE;
		if (k->role == R_CLOCK || (k->role == R_NONE && g->l.json))
			continue;
		has[k->role] = true;
		if (k->role == R_NONE)
			put_argument(g, i);
		else {
			fprintf(g->out, "%s=", names[k->role]);
			if (k->role == R_LOC && is_plain_name(k->name))
				fprintf(g->out, "%.*s:", (int)k->name.n,
					(const char *)k->name.p);
			put_column(g, i);
		}
		guessed = put_role(g, i);
		put_absent(g, k, &optional);
		put_values(g, k, guessed);
		guess_plain_name(k, name);
		if (k->role == R_ADDR && guess_is_meant("lba lbn block sector ", name))
			fprintf(g->out, "block=512\t# addr counts these, by its name\n");
	}
	if (g->l.json)
		fprintf(g->out, "*\n");
	if (!has[R_TIME])
		fprintf(g->out, "time=line\t# no column is a time\n");
	if (!has[R_EVENT])
		fprintf(g->out, "event=event\t# no column has names\n");
}
