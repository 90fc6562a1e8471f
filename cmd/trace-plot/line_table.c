/* line_table.c - reads tables for `line`: lines with TABs, or CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/in.h"
#include "base/num.h"
#include "cli/opt.h"
#include "event/event.h"
#include "input/trace.h"
#include "trace-plot/plot_line.h"

/* Bound: trace-plot | columns of a table | of line | 256 | columns are ignored: only the first 256 */
#define TABLE_COLUMNS 256u

enum line_role {
	ROLE_NONE, /* not drawn */
	ROLE_KEY,  /* its texts make groups */
	ROLE_X,
	ROLE_Y,
	ROLE_POINTS, /* cells of x:y,x:y */
};

struct line_reading {
	struct plot *p;
	struct line *m;
	const char *name, *label; /* name is for messages, label for names of lines */
	size_t file;
	char separator; /* 0: unknown yet */
	bool begun;	/* roles are known */
	uint32_t n;	/* number of columns */
	enum line_role role[TABLE_COLUMNS];
	char column[TABLE_COLUMNS][NAME_MOST + 1];
	char *cell[TABLE_COLUMNS];
	bool named[TABLE_COLUMNS]; /* the axis of y knows the column's name and unit */
	unsigned long long row, beyond, bad,
	    again; /* again: the first row with the x of the previous row */
	double last_x;
	bool has_last;
	struct buf key;
};

static void
place_add(struct line_place *to, struct line_place from)
{
	to->low = from.low.y < to->low.y ? from.low : to->low;
	to->high = from.high.y > to->high.y ? from.high : to->high;
	to->last = from.last;
	to->first.gap |= from.first.gap;
}

void
line_halve(struct one *o)
{
	for (uint32_t i = 0; i < o->n; i += 2) {
		o->v[i / 2] = o->v[i];
		if (i + 1 < o->n)
			place_add(&o->v[i / 2], o->v[i + 1]);
	}
	o->n = (o->n + 1) / 2;
	o->each *= 2;
}

static void
point_add(struct line *m, struct one *o, double x, double y)
{
	const struct point at = {x, y, o->gap};
	const struct line_place one = {at, at, at, at};

	if (!o->v)
		o->v = xcalloc(LINE_ROOM, sizeof *o->v);
	if (!m->any) {
		m->ax.lo = m->ax.hi = x;
		m->ay.lo = m->ay.hi = y;
	}
	m->any = true;
	m->ax.lo = x < m->ax.lo ? x : m->ax.lo;
	m->ax.hi = x > m->ax.hi ? x : m->ax.hi;
	m->ay.lo = y < m->ay.lo ? y : m->ay.lo;
	m->ay.hi = y > m->ay.hi ? y : m->ay.hi;
	o->gap = false;
	o->each = o->each ? o->each : 1;
	if (o->n && o->in_last < o->each) {
		place_add(&o->v[o->n - 1], one);
		o->in_last++;
		return;
	}
	if (o->n == LINE_ROOM)
		line_halve(o);
	o->v[o->n++] = one;
	o->in_last = 1;
}

/* Reads a number, perhaps with a unit, which sets *unit. Returns 1 for a number, 0 for "-" or nothing, -1 for
 * another text. */
static int
parse_quantity(const char *text, double *v, enum quantity *unit)
{
	struct num of = {0};
	const char *why;
	char *end, one[16];
	int n;

	text += strspn(text, " ");
	if (!*text || !strcmp(text, "-"))
		return 0;
	*v = strtod(text, &end);
	end += end > text ? strspn(end, " ") : 0;
	if (!strcmp(end, "%")) {
		*unit = Q_SHARE;
		*v /= 100;
	} else if (*end) {
		n = snprintf(one, sizeof one, "1%.9s", end);
		if (strchr("eE.", *end) || end == text ||
		    !num_parse(one, (size_t)n, NUM_DATA, &of, &why) || of.unit == UNIT_NONE)
			return -1;
		*unit = of.unit == UNIT_TIME ? Q_TIME : Q_BYTES;
		*v *= (double)of.whole + of.nano / 1e9;
	}
	return *v - *v != 0 ? -1 : 1;
}

/* Reads x as parse_quantity() reads y, or as a date: then *v is ns since the first date of all tables. */
static int
number_x(struct line *m, const char *text, double *v, enum quantity *unit)
{
	uint64_t ns;
	int is = parse_quantity(text, v, unit);

	if (is >= 0 || date_ns((const uint8_t *)text, strlen(text), true, &ns) || ns >> 62)
		return is;
	*unit = Q_DATE;
	m->base = m->any || m->ax.unit == Q_DATE ? m->base : (int64_t)ns;
	*v = (double)((int64_t)ns - m->base);
	return 1;
}

/* Returns true if the cells of column i are points x:y. */
static bool
has_points(const struct line_reading *r, uint32_t i)
{
	double v[2] = {0};
	char after = 0;

	return strncmp(r->column[i], "top(", 4) != 0 &&
	       sscanf(r->cell[i], "%lf:%lf%c", &v[0], &v[1], &after) >= 2 &&
	       (!after || after == ',');
}

/* Returns the unit of a column, from its name, FIELD or AGGREGATE(FIELD), and its first cell, whose own unit is
 * `own`. Times have a fraction, unless they are ticks; the columns of trace-stats --long are times if they have
 * nine decimals. */
static enum quantity
unit_of(const char *name, const char *cell, enum quantity own)
{
	const char *open = strchr(name, '('), *field = open ? open + 1 : name;
	const char *point = strchr(cell, '.');
	char sum[24], of[24]; /* with blanks around the text */

	snprintf(sum, sizeof sum, " %.*s ", open ? (int)(open - name) : 0, name);
	snprintf(of, sizeof of, " %.*s ", (int)strcspn(field, ")"), field);
	if (own != Q_NUMBER)
		return own;
	if (!strcmp(sum, " share ") || !strcmp(of, " share "))
		return Q_SHARE;
	if (strstr(" count distinct ties top var rate ", sum))
		return Q_NUMBER;
	if (strstr(" size bytes ", of))
		return Q_BYTES;
	return point &&
		       (strstr(" dur time gap end window span ", of) ||
			(strstr(" value low ", of) && strspn(point + 1, "0123456789") == 9))
		   ? Q_TIME
		   : Q_NUMBER;
}

/* Notes the name and the unit of an axis, which it has if all its columns agree. */
static void
axis_name(struct axis *a, const char *name, enum quantity unit)
{
	if (!a->named) {
		a->named = true;
		a->unit = unit;
		snprintf(a->name, sizeof a->name, "%s", name);
	}
	a->unit = a->unit == unit ? unit : Q_NUMBER;
	if (strcmp(a->name, name) != 0)
		*a->name = '\0';
}

/* Reports a cell or row that is skipped, if it is the first; table_read() reports how many there are. */
static void
skip(struct line_reading *r, uint32_t i, const char *text)
{
	char t[64];

	if (!r->bad++)
		warn("%s:%llu: column %u%s%s: %s is skipped; write - for a missing number",
		     r->name, r->row, i + 1, *r->column[i] ? ", " : "", r->column[i],
		     quoted(t, text, strlen(text)));
}

/* Returns the line of a column and the current group, which may be new, or NULL if there are too many lines. */
static struct one *
line_of(struct line_reading *r, uint32_t column)
{
	struct line *m = r->m;
	struct one *o = m->one;

	for (; o < m->one + m->n; o++)
		if (o->file == r->file && o->column == column &&
		    !strcmp(o->group, (char *)r->key.p))
			return o;
	if (m->n == LINES)
		return NULL;
	m->n++;
	o->file = r->file;
	o->column = column;
	memcpy(o->group, r->key.p, r->key.n);
	snprintf(o->what, sizeof o->what, "%s", r->column[column]);
	if (!*o->what)
		snprintf(o->what, sizeof o->what, "%u", column + 1);
	snprintf(o->name, sizeof o->name, "%.200s%s%s", r->label,
		 *r->label && *o->group ? " " : "", o->group);
	o->steps = !strcmp(o->what, "share") || !strncmp(o->what, "cdf(", 4);
	return o;
}

/* Takes a cell of x:y,x:y. The line does not continue from an earlier cell. */
static void
points_take(struct line_reading *r, uint32_t i)
{
	struct one *o = line_of(r, i);
	const char *at = r->cell[i];

	r->m->more += !o;
	if (!o)
		return;
	o->gap = o->n != 0;
	for (char *end; *at; at = end + (*end == ',')) {
		double x = strtod(at, &end), y = 0;
		const char *from = end > at && *end == ':' ? end + 1 : NULL;

		if (from)
			y = strtod(from, &end);
		if (!from || end == from || (*end && *end != ',') || x - x != 0 ||
		    y - y != 0) {
			skip(r, i, at);
			return;
		}
		point_add(r->m, o, x, y);
	}
}

/* Returns true if -g names column i. */
static bool
asked(const struct line_reading *r, uint32_t i)
{
	const char *at = r->p->opts.key;
	size_t n = strlen(r->column[i]);

	for (; at && n; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncmp(at, r->column[i], n) && (!at[n] || at[n] == ','))
			return true;
	return false;
}

/* Roles of the columns before the current one. */
struct roles {
	uint32_t x, y; /* x: number of its column; y: number of lines */
	/* first column of values of trace-stats --long: columns before it are keys */
	uint32_t value;
	bool points; /* some column has points */
};

/* Returns the role of column i. `is` and `unit` are what number_x() returned for its first cell. */
static enum line_role
role_of(const struct line_reading *r, const struct roles *k, uint32_t i, int is,
	enum quantity unit)
{
	const char *name = r->column[i], *next = i + 1 < r->n ? r->column[i + 1] : "";
	bool long_key = k->value < r->n && i < k->value;

	if (k->points && has_points(r, i))
		return ROLE_POINTS;
	if (asked(r, i) || long_key || (is < 0 && !k->y) || (k->points && !i))
		return ROLE_KEY;
	if (is < 0 || k->points)
		return ROLE_NONE;
	if (k->x == UINT32_MAX)
		return ROLE_X;
	/* A date, the number beside a share, and the end of what x begins are not drawn. */
	return unit == Q_DATE || (i == k->value + 1 && !strcmp(next, "share")) ||
		       (i == k->x + 1 && (!strcmp(name, "end") || !strcmp(name, "below")))
		   ? ROLE_NONE
		   : ROLE_Y;
}

/* Notes the axes of a column of points, such as cdf(dur). */
static void
points_axes(struct line_reading *r, uint32_t i, enum quantity unit)
{
	const char *name = r->column[i], *open = strchr(name, '(');
	bool cdf = !strncmp(name, "cdf", 3);
	char x[NAME_MOST + 1];

	snprintf(x, sizeof x, "%s", open ? open + 1 : "x");
	x[strcspn(x, ",)")] = '\0';
	axis_name(&r->m->ax, x, unit);
	axis_name(&r->m->ay, cdf ? "share" : name, cdf ? Q_SHARE : Q_NUMBER);
}

/* Finds the role of each column from the first row of numbers, and the names and units of the axes. */
static void
roles_find(struct line_reading *r)
{
	struct roles k = {.x = UINT32_MAX, .value = UINT32_MAX};
	struct line *m = r->m;
	bool mixed = false, keys = false;
	double v;

	r->begun = true;
	for (uint32_t i = 0; i < r->n; i++) {
		k.points |= has_points(r, i);
		keys |= asked(r, i);
		if (i && !strcmp(r->column[i], "count") &&
		    (!strcmp(r->column[i - 1], "value") ||
		     !strcmp(r->column[i - 1], "low")))
			k.value = i - 1;
	}
	for (uint32_t i = 0; i < r->n && !mixed; i++) {
		const char *name = r->column[i];
		enum quantity own = Q_NUMBER, unit;
		int is = number_x(m, r->cell[i], &v, &own);

		unit = unit_of(name, r->cell[i], own);
		r->role[i] = role_of(r, &k, i, is, own);
		k.y += r->role[i] >= ROLE_Y;
		if (r->role[i] == ROLE_X) {
			k.x = i;
			mixed = m->any && (own == Q_DATE) != (m->ax.unit == Q_DATE);
			m->run |= own == Q_DATE || !strcmp(name, "window") ||
				  !strcmp(name, "time");
			axis_name(&m->ax, name, mixed ? m->ax.unit : unit);
		} else if (r->role[i] == ROLE_POINTS) {
			points_axes(r, i, unit);
		} else if (r->role[i] == ROLE_NONE && is < 0)
			warn("%s: column %u%s%s has no numbers and is not drawn", r->name,
			     i + 1, *name ? ", " : "", name);
	}
	keys |= !r->p->opts.key;
	r->bad += !k.y || !keys;
	if (!keys)
		warn("%s: -g %s: the table has no such column", r->name, r->p->opts.key);
	if (!k.y)
		warn("%s: not drawn: %s; x and each line need a column of numbers", r->name,
		     mixed ? "x is a date in one table, and a number in another"
		     : k.x == UINT32_MAX ? "no column has numbers"
					 : "only x has numbers");
}

/* Cuts a row into cells, without quotes and escapes. */
static void
cut_cell(struct line_reading *r, char *at)
{
	static char none[1];
	uint32_t n = 0;

	for (char *from = at, *to; at; from = at, n++) {
		bool quotes = false;

		for (to = from; *at && (quotes || *at != r->separator); at++) {
			if (r->separator == ',' && *at == '"') {
				if (!quotes || at[1] != '"') {
					quotes = !quotes;
					continue;
				}
				at++;
			}
			*to++ = *at;
		}
		at = *at ? at + 1 : NULL;
		*to = '\0';
		if (r->separator != ',')
			from[unescape((uint8_t *)from, from, (size_t)(to - from))] = '\0';
		if (n < TABLE_COLUMNS)
			r->cell[n] = from;
	}
	r->beyond = n > TABLE_COLUMNS && n - TABLE_COLUMNS > r->beyond ? n - TABLE_COLUMNS
								       : r->beyond;
	n = n < TABLE_COLUMNS ? n : TABLE_COLUMNS;
	if (!r->begun)
		r->n = n;
	for (; n < r->n; n++)
		r->cell[n] = none;
}

/* Finds x and the group of a row; the group becomes r->key. Returns false if the row has no x. */
static bool
row_begin(struct line_reading *r, double *x)
{
	enum quantity unit;
	int is = 0;

	r->key.n = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->role[i] == ROLE_KEY)
			put_all(&r->key, r->key.n ? " " : "", r->cell[i]);
		else if (r->role[i] == ROLE_X)
			is = number_x(r->m, r->cell[i], x, &unit);
		if (r->role[i] == ROLE_X && is < 0)
			skip(r, i, r->cell[i]);
	}
	if (!r->again && is > 0 && r->has_last && !r->key.n && *x == r->last_x)
		r->again = r->row;
	r->last_x = *x;
	r->has_last = is > 0;
	buf_byte(&r->key, '\0');
	return is > 0;
}

/* Takes a row of numbers. */
static void
row_take(struct line_reading *r)
{
	double x = 0, y;
	bool has_x = row_begin(r, &x);

	r->m->rows++;
	if (r->key.n > NAME_MOST) {
		skip(r, 0, "a name of more than 200 bytes");
		return;
	}
	for (uint32_t i = 0; i < r->n; i++) {
		struct one *o = r->role[i] == ROLE_Y ? line_of(r, i) : NULL;
		enum quantity unit = Q_NUMBER;
		int is = r->role[i] == ROLE_Y ? parse_quantity(r->cell[i], &y, &unit) : 0;

		if (r->role[i] == ROLE_POINTS)
			points_take(r, i);
		if (is < 0)
			skip(r, i, r->cell[i]);
		if (is > 0 && !r->named[i])
			axis_name(&r->m->ay, r->column[i],
				  unit_of(r->column[i], r->cell[i], unit));
		r->named[i] |= is > 0;
		r->m->more += !o && is > 0;
		if (o && has_x && is > 0)
			point_add(r->m, o, x, y);
		else if (o)
			o->gap = o->n != 0;
	}
}

/* Takes a line of the file, without its newline. */
static void
text_take(struct line_reading *r, char *text, size_t n)
{
	enum quantity unit = Q_NUMBER;
	bool sharp = *text == '#', first = !r->n;
	double v;

	n -= n && text[n - 1] == '\r';
	text[n] = '\0';
	if (!n || (sharp && !first))
		return;
	if (memchr(text, 0, n)) {
		r->column[0][0] = '\0';
		skip(r, 0, "a line with a byte 0");
		return;
	}
	if (!r->separator)
		r->separator = sharp || strchr(text, '\t')		      ? '\t'
			       : (first && strchr(text, ',')) || *text == '"' ? ','
									      : 0;
	cut_cell(r, text + (sharp && first));
	if (first &&
	    (sharp || (number_x(r->m, *r->cell, &v, &unit) < 0 && !has_points(r, 0)))) {
		for (uint32_t i = 0; i < r->n; i++)
			snprintf(r->column[i], sizeof r->column[i], "%s", r->cell[i]);
		return;
	}
	if (!r->begun)
		roles_find(r);
	row_take(r);
}

/* Returns the size of the record at in->p, including its newline, or 0 if more must be read. A quoted cell of
 * CSV may have several lines. */
static size_t
record_size(const struct in *in, bool csv)
{
	bool quotes = false;

	for (const uint8_t *p = in->p; p < in->end; p++) {
		quotes ^= csv && *p == '"';
		if (*p == '\n' && !quotes)
			return (size_t)(p - in->p) + 1;
	}
	return 0;
}

static int
table_read(struct line_reading *r, const char *path)
{
	struct buf text = {0};
	struct in in;
	size_t n;

	if (!in_open(&in, path)) {
		warn("%s:", path);
		return ST_TROUBLE;
	}
	r->name = in.name;
	strtab_id(&r->p->sources, in.name, strlen(in.name));
	for (;;) {
		n = record_size(&in, r->separator == ',');
		if (!n && in_more(&in))
			continue;
		if (!n && (!in_left(&in) || !in.eof))
			break;
		n = n ? n : in_left(&in);
		r->row++;
		text.n = 0;
		buf_add(&text, in.p, n);
		buf_byte(&text, '\0');
		text_take(r, (char *)text.p, n - (text.p[n - 1] == '\n'));
		in.p += n;
	}
	if (!in.eof)
		warn("%s:%llu: the line is longer than 16 MiB: the rest is not read",
		     in.name, r->row + 1);
	if (in.err)
		warn("%s: read: %s", in.name, in_why(&in));
	if (r->bad > 1)
		warn("%s: skipped %llu cells in total", in.name, r->bad);
	if (r->beyond)
		warn("%s: %llu columns are ignored: only the first %u are read", in.name,
		     r->beyond, TABLE_COLUMNS);
	if (r->again)
		warn("%s:%llu: x equals the previous row's; -g COLUMN draws a line for "
		     "each value",
		     in.name, r->again);
	n = !in.eof || in.err || r->bad || r->beyond;
	buf_free(&text);
	buf_free(&r->key);
	in_close(&in);
	return n ? ST_TROUBLE : ST_OK;
}

int
line_tables(struct plot *p, char *const *paths, size_t n)
{
	struct line *m = p->state;
	bool several = false;
	int status = ST_OK;

	for (size_t i = 0; i < n; i++) {
		struct line_reading *r = xcalloc(1, sizeof *r);

		r->p = p;
		r->m = m;
		r->file = i;
		r->label = common.read.labels ? common.read.label[i]
			   : n > 1	      ? paths[i]
					      : "";
		if (table_read(r, paths[i]) != ST_OK)
			status = ST_TROUBLE;
		free(r);
	}
	/* Names of columns are added if there are several, or no other names. */
	for (uint32_t i = 1; i < m->n; i++)
		several |= strcmp(m->one[i].what, m->one->what) != 0;
	for (struct one *o = m->one; o < m->one + m->n; o++) {
		size_t k = strlen(o->name);

		if (several || !k)
			snprintf(o->name + k, sizeof o->name - k, "%s%s", k ? " " : "",
				 o->what);
	}
	if (!m->any)
		warn("no numbers: nothing to draw");
	if (m->more) {
		warn("only %u lines are drawn; left out %llu points of further lines: "
		     "choose "
		     "columns with cut(1), rows with grep(1)",
		     LINES, (unsigned long long)m->more);
		status = ST_TROUBLE;
	}
	return status;
}
