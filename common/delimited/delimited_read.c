/* delimited_read.c - splits a line into columns, and reads the fields from the columns. */
#include <string.h>

#include "base/date.h"
#include "base/num.h"
#include "delimited/delimited_json.h"
#include "event/value.h"

#define BILLION 1000000000u

/* Reads a number of the most common form: up to 18 digits, perhaps a point, and up to 9 more digits. Returns false
 * for any other text. */
static bool
plain(const uint8_t *p, size_t n, struct num *num)
{
	const uint8_t *end = p + n, *begin = p;
	uint32_t scale = BILLION;

	*num = (struct num){0};
	for (; p < end && *p - 0u - '0' <= 9; p++)
		num->whole = num->whole * 10 + (*p - 0u - '0');
	if (p == begin || p > begin + 18 || p == end)
		return p == end && p > begin && p <= begin + 18;
	if (*p++ != '.' || p == end || end > p + 9)
		return false;
	for (; p < end && *p - 0u - '0' <= 9; p++)
		num->nano += (*p - 0u - '0') * (scale /= 10);
	return p == end;
}

/* Returns an error message for text that is not a number, with advice, or `why`, the error of num_parse. */
static COLD const char *
no_number(const uint8_t *p, size_t n, const char *why)
{
	size_t digits = num_digits((const char *)p, (const char *)p + n);

	if (n == digits || n < 2)
		return why;
	if (!digits && *p == '+' && p[1] - 0u - '0' <= 9)
		return "not a number: remove the +";
	if (!digits && *p == '.' && p[1] - 0u - '0' <= 9)
		return "not a number: a digit must stand in front of the point";
	if (!digits && *p == '<')
		return "not a number: remove the signs around it";
	if (digits && digits < n && p[digits] == ',')
		return "not a number: remove the commas, or write decimal=comma";
	while (n && (*p - 0u - '0' <= 9 || *p == '.' || *p == ' '))
		n--, p++;
	/* Only letters, or the bytes of a micro sign, can be an attempt to write a unit. */
	return *why == 'n' && (!n || ((*p | 0x20) - 0u - 'a' >= 26 && *p < 0x80))
		   ? "not a number"
		   : why;
}

/* Reads a number with its unit, perhaps after a blank; with `comma`, a comma precedes the decimals. Returns NULL,
 * or the error. *scaled becomes true if it is a size in a larger unit than B. */
static COLD const char *
as_written(const uint8_t *p, size_t n, bool comma, struct num *num, bool *scaled)
{
	const char *why = NULL, *s = (const char *)p;
	char room[64];
	size_t len = 0;

	if (comma && memchr(p, '.', n))
		return "not a number: it has a point in spite of decimal=comma";
	for (size_t i = 0; n <= sizeof room && i < n; i++)
		if (s[i] != ' ' || i + 1 == n || p[i + 1] - 0u - '0' <= 9)
			room[len++] = s[i] == ',' && comma ? '.' : s[i];
	s = len ? room : s;
	len = len ? len : n;
	if (!num_parse(s, len, NUM_DATA, num, &why))
		return no_number(p, n, why);
	*scaled = num->unit == UNIT_SIZE &&
		  (s[len - 1] != 'B' || !num_digits(s + len - 2, s + len));
	return NULL;
}

/* Does what delimited_number does. The number may have a unit of the kind `fits`, which replaces `unit`. */
static const char *
measure(const uint8_t *p, size_t n, uint64_t unit, enum unit fits, bool comma, uint64_t *v,
	uint64_t *left)
{
	const char *why = "the value is empty";
	bool scaled = false;
	struct num num;

	if (!n || ((comma || !plain(p, n, &num)) &&
		   (why = as_written(p, n, comma, &num, &scaled)) != NULL))
		return why;
	if (num.neg && (num.whole || num.nano))
		return "less than 0";
	if (num.unit != UNIT_NONE && num.unit != fits)
		return fits == UNIT_TIME   ? "a size stands where a time is expected"
		       : fits == UNIT_SIZE ? "a time stands where a size is expected"
					   : "not a number: remove the unit after it";
	unit = num.unit == UNIT_TIME ? BILLION : num.unit == UNIT_SIZE ? 1 : unit;
	*left = num.nano * unit;
	if (num.whole > UINT64_MAX / unit ||
	    num.whole * unit > UINT64_MAX - *left / BILLION)
		return "greater than 2^64-1, in its unit";
	*v = num.whole * unit + *left / BILLION;
	*left %= BILLION;
	/* The writer has rounded a number such as 1.2G, so round it to bytes. But 1.2 and 1.2B are not whole
	 * numbers of bytes. */
	if (scaled) {
		*v += *left >= BILLION / 2 && *v < UINT64_MAX;
		*left = 0;
	} else if (num.rounded && !*left)
		/* The part that was rounded away makes it a fraction as well. */
		*left = 1;
	return NULL;
}

const char *
delimited_number(const uint8_t *p, size_t n, uint64_t unit, uint64_t *v, uint64_t *left)
{
	return measure(p, n, unit, UNIT_NONE, false, v, left);
}

/* Sets *text to the quoted column that begins at q, after its first quote; a doubled quote becomes one. Returns
 * the place after the column, or NULL if there is no closing quote. */
static const uint8_t *
unquote(struct delimited *c, const uint8_t *q, const uint8_t *end, struct span *text)
{
	const uint8_t *begin = q, *quote;
	size_t at = c->unquoted.n;

	while ((quote = q < end ? memchr(q, '"', (size_t)(end - q)) : NULL) &&
	       quote + 1 < end && quote[1] == '"') {
		buf_add(&c->unquoted, q, (size_t)(quote + 1 - q));
		q = quote + 2;
	}
	if (!quote)
		return NULL;
	*text = (struct span){begin, (size_t)(quote - begin)};
	if (c->unquoted.n > at) {
		/* The buffer has room for the whole line. */
		buf_add(&c->unquoted, q, (size_t)(quote - q));
		*text = (struct span){c->unquoted.p + at, c->unquoted.n - at};
	}
	return quote + 1;
}

/* A bit for each separator in the 64 bytes at `base`. */
struct separators {
	const uint8_t *base;
	uint64_t bits;
};

static inline void
find_separators(struct separators *f, const uint8_t *p, uint8_t sep)
{
	struct masks m, tabs;

	f->base = p;
	masks_here(p, sep ? sep : ' ', &m);
	f->bits = m.sep;
	if (!sep) {
		masks_here(p, '\t', &tabs);
		f->bits |= tabs.sep;
	}
}

/* Returns the first separator at or after p, or `end` if there is none before it. */
static inline const uint8_t *
next_sep(struct separators *f, const uint8_t *p, const uint8_t *end, uint8_t sep)
{
	while (p < end) {
		uint64_t bits = p < f->base + 64 ? f->bits >> (p - f->base) : 0;

		if (bits) {
			p += low_bit(bits);
			return p < end ? p : end;
		}
		p = p < f->base + 64 ? f->base + 64 : p;
		if (p < end)
			find_separators(f, p, sep);
	}
	return end;
}

const char *
delimited_cells(struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	uint8_t sep = c->l->sep;
	const uint8_t *stop, *after = end;
	struct separators f;

	find_separators(&f, p, sep);

	c->n = 0;
	c->unquoted.n = 0;
	buf_room(&c->unquoted, (size_t)(end - p));
	for (; c->n < c->want; p = after + 1) {
		struct delimited_cell *v = &c->cell[c->n];

		while (p < end && (sep == '\t' ? *p == ' ' : delimited_is_blank(*p)))
			p++;
		if (!sep && p == end)
			return NULL;
		if (sep && p < end && *p == '"') {
			after = unquote(c, p + 1, end, &v->text);
			if (!after)
				return "a quote is not closed in this line";
			while (after < end && *after != sep && delimited_is_blank(*after))
				after++;
			if (after < end && *after != sep)
				return "text follows a quoted column";
		} else {
			after = next_sep(&f, p, end, sep);
			for (stop = after; stop > p && delimited_is_blank(stop[-1]);)
				stop--;
			v->text = (struct span){p, (size_t)(stop - p)};
		}
		v->raw = (struct span){p, (size_t)(after - p)};
		c->n++;
		if (after == end)
			return NULL;
	}
	return c->want == COLUMNS_MOST ? "more than 1023 columns" : NULL;
}

/* Returns the index of column `at` in the current line, from 0; negative if there is none. */
static int
cell_of(const struct delimited *c, int at)
{
	if (at < 0)
		return (int)c->n + at;
	return at <= (int)c->n ? at - 1 : -1;
}

static bool
is_none(struct span text)
{
	return !text.n || (text.n == 1 && *text.p == '-');
}

/* Returns the text of one column; p = NULL if the column is missing. */
static INLINE struct span
text_at(const struct delimited *c, const struct delimited_ref *r)
{
	int i = cell_of(c, r->at);

	if (r->held && c->held)
		return (struct span){c->held[r->held - 1].p, c->held[r->held - 1].n};
	if (i < 0 || !c->cell[i].raw.p)
		return (struct span){NULL, 0};
	return c->cell[i].text;
}

/* Joins the columns of a date: a day, a time of day, digits of its fraction, a zone. */
static COLD struct span
joined(struct delimited *c, const struct delimited_ref *r)
{
	struct span all = {c->joined, 0};

	for (unsigned i = 0; i < REF_JOINED && delimited_is_ref(&r[i]); i++) {
		struct span text = text_at(c, &r[i]);
		const char *p = (const char *)text.p;

		if (is_none(text) || text.n >= sizeof c->joined - all.n)
			return text;
		if (i)
			c->joined[all.n++] =
			    num_digits(p, p + text.n) == text.n ? '.' : ' ';
		memcpy(c->joined + all.n, text.p, text.n);
		all.n += text.n;
	}
	return all;
}

struct span
delimited_text(struct delimited *c, const struct delimited_field *f, unsigned which,
	       const uint8_t *end)
{
	const struct delimited_ref *r = &f->ref[which];
	struct span text;

	if (f->joined && delimited_is_ref(&r[1]))
		return joined(c, r);
	text = text_at(c, r);
	for (unsigned i = 1; f->either && i < REF_JOINED && is_none(text); i++)
		if (delimited_is_ref(&r[i]))
			text = text_at(c, &r[i]);
	if (f->rest && text.p && !r->held) {
		text.p = c->cell[cell_of(c, r->at)].raw.p;
		while (end > text.p && delimited_is_blank(end[-1]))
			end--;
		text.n = (size_t)(end - text.p);
	}
	return text;
}

/* Replaces *text by its value in the field's map. Sets *drop if the map makes the line no record. Returns false if
 * the map does not have the text. */
static bool
mapped(const struct delimited *c, const struct delimited_field *f, struct span *text,
       bool *drop)
{
	for (unsigned i = f->pair; i < f->pair + f->npairs; i++) {
		const struct delimited_pair *m = &c->l->pair[i];

		if (delimited_like(m->from, text->p, text->n)) {
			if (m->to.p != m->from.p)
				*text = (struct span){(const uint8_t *)m->to.p, m->to.n};
			*drop |= m->drop;
			return true;
		}
	}
	*drop |= f->drops;
	if (f->others && f->other.n)
		*text = (struct span){(const uint8_t *)f->other.p, f->other.n};
	return f->others || !f->npairs;
}

/* Reads a time of day into *v, as the time since the midnight before the first one. A time may be
 * up to an hour before the previous one; one that goes back further is on the next day. Returns NULL, or the error. */
static COLD const char *
clock_time(struct delimited *c, struct span text, uint64_t *v)
{
	static const char epoch[] = "1970-01-01 ";
	const uint64_t hour = 3600 * (uint64_t)BILLION;
	uint8_t date[sizeof epoch + 40];
	const char *why;

	if (text.n > 40)
		return "not a time of day";
	memcpy(date, epoch, sizeof epoch - 1);
	memcpy(date + sizeof epoch - 1, text.p, text.n);
	why = date_ns(date, sizeof epoch - 1 + text.n, false, v);
	if (why)
		return "not a time of day, as 23:59:59.5";
	if (*v + hour < c->clock)
		c->day++;
	else if (c->day && *v >= c->clock + 23 * hour)
		c->day--;
	c->clock = *v;
	*v += c->day * 24 * hour;
	return NULL;
}

/* Reads the number, date or duration of a field from its text into *v. Returns NULL, or the error. */
static const char *
parse_number(struct delimited *c, const struct delimited_field *f, struct span text,
	     uint64_t *v)
{
	uint64_t left = 0;
	const char *why;

	/* The integers of a binary record come as decimal digits. */
	if (f->as == AS_HEX && !c->l->bytes) {
		bool mark = text.n > 2 && *text.p == '0' && (text.p[1] | 0x20) == 'x';

		return hex_u64(text.p + 2 * mark, text.n - 2 * mark, v);
	}
	if (f->clock)
		return clock_time(c, text, v);
	if (f->as == AS_ISO) {
		why = date_ns(text.p, text.n, false, v);
		return why && !date_ns(text.p, text.n, true, v)
			   ? "no seconds: if they are in the next column, write $1+$2:iso"
			   : why;
	}
	why = measure(text.p, text.n, f->unit, (enum unit)f->fits, c->l->comma, v, &left);
	if (why)
		return why;
	if (f->as != AS_TIME)
		return left ? "not a whole number" : NULL;
	*v += left >= 500000000 && *v < UINT64_MAX;
	return NULL;
}

/* Converts a time to the time since l->base. Returns NULL, or the error; `why` is the error of reading it, or
 * NULL. */
static const char *
time_since(const struct delimited *c, const struct delimited_field *f, const char *why,
	   uint64_t *v)
{
	bool point = f->what <= C_END || f->point;

	if (why && *why != 'g')
		return why;
	if (!why && point && f->as == AS_TIME) {
		if (*v < c->l->base)
			return "the time is before 1970";
		*v -= c->l->base;
	}
	if (!why && *v <= INT64_MAX)
		return NULL;
	return !point	    ? "longer than 292 years"
	       : c->l->base ? "longer than 292 years: is its unit right?"
			    : "longer than 292 years: has it another unit, as *ms, *us or "
			      "*100ns, or "
			      "epoch=1601?";
}

/* Appends a part of loc to c->loc. */
static void
add_loc(struct delimited *c, struct span text, bool first)
{
	struct buf *b = &c->loc;

	if (!first)
		buf_byte(b, '/');
	else
		b->n = 0;
	if (!text.n)
		buf_byte(b, '-');
	/* Escape a / in one of several parts, because it is the separator. */
	delimited_escaped(b, text, c->parts > 1 ? '/' : '\0');
}

/* Returns true if column `at` is one of `is`, or if there is no condition (at is 0). */
static bool
applies(const struct delimited *c, int at, struct word is)
{
	int i = cell_of(c, at);

	return !at || (i >= 0 && c->cell[i].text.p &&
		       delimited_is(is, c->cell[i].text.p, c->cell[i].text.n));
}

/* Reads field i of a line, a number, into c->value[i], and subtracts the field's other column. Returns NULL, or
 * the error. */
static const char *
value_number(struct delimited *c, unsigned i, struct span text)
{
	const struct delimited_field *f = &c->field[i];
	bool time = f->as == AS_TIME || f->as == AS_ISO;
	const char *why = parse_number(c, f, text, &c->value[i]);
	uint64_t less;

	if (c->l->stream && f->what != C_ARG && time)
		return value_read_time(c->ticks, text.p, text.n, (int64_t *)&c->value[i]);
	if (f->less && !why) {
		text = delimited_text(c, f, REF_LESS, NULL);
		if (!text.p)
			return "the subtracted column is missing";
		why = parse_number(c, f, text, &less);
		c->wrong = why ? REF_LESS : REF_AT;
		if (!why && less > c->value[i])
			return "less than the subtracted column";
		c->value[i] -= why ? 0 : less;
	}
	return time ? time_since(c, f, why, &c->value[i]) : why;
}

/* Reads field i of a line, whose cell is *text, into c->value[i], or replaces *text by its value in the map. *gone
 * becomes true if the line lacks the field, and may. Returns NULL, or the error. */
static const char *
value(struct delimited *c, unsigned i, struct span *text, bool *gone)
{
	const struct delimited_field *f = &c->field[i];
	const char *why = NULL;

	c->value[i] = 0;
	*gone = false;
	if (f->as == AS_LINE) {
		c->value[i] = c->line * 1000000000;
		return c->line > INT64_MAX / 1000000000 ? "longer than 292 years" : NULL;
	}
	*gone = f->absent && (is_none(*text) || !applies(c, f->ref[REF_WHEN].at, f->is));
	if (*gone)
		return NULL;
	if (!text->p)
		return "this column is missing";
	if (f->as != AS_TEXT)
		why = value_number(c, i, *text);
	else if (!mapped(c, f, text, &c->dropped))
		why = "not one of the names of values";
	else if (f->what == C_EVENT && !c->dropped && is_none(*text))
		why = "the value is empty";
	if (!why || f->absent != 2)
		return why;
	*gone = true;
	c->value[i] = 0;
	return NULL;
}

/* Returns true if a map makes the line no record. Other errors of the line are then ignored. */
static bool
drops(struct delimited *c, const uint8_t *end)
{
	for (unsigned i = 0; i < c->l->nfields && !c->dropped; i++) {
		const struct delimited_field *f = &c->field[i];
		struct span text = delimited_text(c, f, REF_AT, end);

		if (f->npairs && f->as == AS_TEXT && text.p)
			mapped(c, f, &text, &c->dropped);
	}
	return c->dropped;
}

const char *
delimited_fields(struct delimited *c, const uint8_t *end, unsigned *which)
{
	bool first = true;

	c->absent = 0;
	c->wrong = REF_AT;
	c->dropped = false;
	*which = c->l->nfields;
	if (c->l->most && (c->n < c->l->least || c->n > c->l->most))
		return c->l->count;
	for (unsigned i = 0, optional = 0; i < c->l->nfields; i++) {
		const struct delimited_field *f = &c->field[i];
		struct span text =
		    f->constant.p
			? (struct span){(const uint8_t *)f->constant.p, f->constant.n}
			: delimited_text(c, f, REF_AT, end);
		const char *why;
		bool gone;

		*which = i;
		why = value(c, i, &text, &gone);
		/* In strace logs without -ttt a pid is in the place of the time, and with -r a difference. */
		if (!why && c->l->hint && c->l->absolute && f->what == C_TIME &&
		    c->value[i] < DATED_LEAST)
			why = "no time since 1970";
		if (why)
			return drops(c, end) ? NULL : why;
		if (gone)
			text = (struct span){NULL, 0};
		if (f->what == C_LOC) {
			add_loc(c, text, first);
			first = false;
		}
		if (f->what == C_ARG && f->absent)
			c->absent |= (unsigned)gone << optional++;
		c->arg[i] = text;
	}
	return NULL;
}

bool
delimited_skipped(const struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	while (!c->l->sep && p < end && delimited_is_blank(*p))
		p++;
	for (unsigned i = 0; i < c->l->nskips; i++)
		if ((size_t)(end - p) >= c->l->skip[i].n &&
		    !memcmp(p, c->l->skip[i].p, c->l->skip[i].n))
			return true;
	return false;
}

/* Returns true if the line [p, end), whose cells are set, is a record by skip= and record=. */
static bool
is_record(const struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	int i = c->record ? cell_of(c, c->record) : -1;
	uint64_t v, left;
	const char *why;

	if (delimited_skipped(c, p, end))
		return false;
	if (!c->record)
		return true;
	if (i < 0 || !c->cell[i].text.p || !applies(c, c->record_if, c->l->record.is))
		return false;
	/* A number that does not fit ("greater than ..." or "less than ...") is still a number. */
	why = measure(c->cell[i].text.p, c->cell[i].text.n, 1, UNIT_NONE, c->l->comma, &v,
		      &left);
	return !why || *why == 'g' || *why == 'l';
}

unsigned
delimited_line_cells(struct delimited *c, const uint8_t **p, const uint8_t **end,
		     const char **why)
{
	unsigned kind = FORM_NONE;

	*why = NULL;
	if (delimited_is_empty(*p, *end))
		return FORM_SKIP;
	if (c->l->nforms)
		kind = delimited_shape(c, p, end, why);
	if (kind == FORM_NONE && c->l->json) {
		*why = json_line(c, *p, *end);
		kind = FORM_LINE;
	}
	if (kind == FORM_NONE && !c->l->shaped) {
		*why = delimited_cells(c, *p, *end);
		kind = FORM_LINE;
	}
	if ((kind == FORM_LINE && !(*why && c->l->json) && !is_record(c, *p, *end)) ||
	    (kind == FORM_NONE && delimited_skipped(c, *p, *end)))
		kind = FORM_SKIP;
	if (kind == FORM_NONE)
		*why = delimited_shape_why(c, *p, *end);
	return kind;
}
