/* delimited_begin.c - finds the names of columns and the origin of times before the first record is read. */
#include <string.h>

#include "base/die.h"
#include "delimited/delimited_json.h"
#include "input/fault.h"

/* For a preset with a hint about its times, limit of the bytes before the first record. */
#define LOOK_MOST (1u << 20)

/* Returns the number of the column with that name in the current line, from 1; 0 if there is none. */
static int
header_column(const struct delimited *c, struct word name)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->cell[i].text.n == name.n &&
		    !memcmp(c->cell[i].text.p, name.p, name.n))
			return (int)i + 1;
	return 0;
}

/* Looks up the layout's names in the line [p, end), which may be a comment. A value that may be absent does not need
 * its column. Returns false if another name is missing. Prints a message for each missing name, unless the line is a
 * comment, or a preset can do without the column. */
static bool
find_names(struct source *s, const uint8_t *p, const uint8_t *end)
{
	struct delimited *c = s->state;
	const char *why;
	bool all = true, comment = p < end && *p == '#';
	struct delimited_ref record[REFS];

	memcpy(record, c->l->record.ref, sizeof record);
	p += comment;
	why = delimited_cells(c, p, end);
	for (unsigned i = 0; !why && i <= c->l->nfields; i++)
		for (unsigned k = 0; k < REFS; k++) {
			struct delimited_ref *r =
			    i < c->l->nfields ? &c->field[i].ref[k] : &record[k];
			char shown[64];
			bool may;

			if (!r->name.p || (r->at = header_column(c, r->name)) != 0)
				continue;
			may = i < c->l->nfields && c->field[i].absent;
			if (may)
				r->at = -COLUMNS_MOST; /* before the first column */
			all &= may;
			if (!comment && !(may && c->field[i].preset))
				fault(s, NULL, may ? COST_NONE : COST_STATUS, s->name,
				      NOWHERE, "the first line has no column %s%s",
				      quoted(shown, r->name.p, r->name.n),
				      may ? "; its value is absent" : "");
		}
	c->record = record[REF_AT].at;
	c->record_if = record[REF_WHEN].at;
	if (why && !comment)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, "the first line: %s", why);
	return !why && all;
}

/* Sets the number of columns to read of each line, and makes room for them. */
static void
set_want(struct delimited *c, unsigned all)
{
	unsigned want = all;

	for (unsigned i = 0; i < (c->l->nfields + 1) * REFS; i++) {
		int at = i < c->l->nfields * REFS ? c->field[i / REFS].ref[i % REFS].at
			 : i % REFS == REF_AT	  ? c->record
			 : i % REFS == REF_WHEN	  ? c->record_if
						  : (int)c->l->most;

		want = at < 0 ? COLUMNS_MOST : at > (int)want ? (unsigned)at : want;
	}
	want = c->l->bytes ? c->l->nints : c->l->shaped || c->l->json ? c->l->nnames : want;
	want += want == c->l->most;
	c->want = want;
	c->cell = xrealloc(c->cell, want + 1, sizeof *c->cell);
}

/* Sets c->ticks by the current line, which is the first record: if its time has no point, times are ticks. */
static void
set_clock(struct delimited *c)
{
	for (unsigned i = 0; c->l->stream && i < c->l->nfields; i++) {
		struct span text = delimited_text(c, &c->field[i], REF_AT, NULL);

		if (c->field[i].what == C_TIME)
			c->ticks = text.p && !memchr(text.p, '.', text.n);
	}
}

/* Sets the origin of times to the time of the current line, which is the first record. */
static void
set_origin(struct delimited *c)
{
	for (unsigned i = 0; c->l->absolute && i < c->l->nfields; i++)
		if (c->field[i].what <= C_END)
			c->fast.origin = (int64_t)c->value[i];
}

/* Reads the names of the columns from the line [p, end), and sets *header to false. Empty lines, and comments
 * without the names, are skipped: *header stays true. Returns false, with a message, if a name is missing. */
static bool
take_header(struct source *s, const uint8_t *p, const uint8_t *end, uint64_t line,
	    bool *header)
{
	struct delimited *c = s->state;

	if (delimited_is_empty(p, end) || delimited_skipped(c, p, end))
		return true;
	set_want(c, COLUMNS_MOST);
	*header = !find_names(s, p, end);
	c->header_line = line;
	set_want(c, 1);
	return !*header || *p == '#';
}

/* Sets the clock and the origin by the line [p, end), and returns true, if the line is a record. Otherwise returns
 * false. */
static bool
is_first(struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	const char *why;
	unsigned which;

	if (delimited_line_cells(c, &p, &end, &why) != FORM_LINE || why)
		return false;
	set_clock(c);
	if (delimited_fields(c, end, &which) || c->dropped)
		return false;
	set_origin(c);
	return true;
}

/* Finds the first record of a JSON array, and sets the clock and the origin by it. */
static void
look_into_array(struct source *s)
{
	struct delimited *c = s->state;
	struct json_walk w = {0};
	size_t at = 0, behind;
	const char *why;
	enum json_step step;

	while ((step = json_step(s, &w, &at, &behind, &why)) != STEP_MORE ||
	       json_more(&s->in)) {
		w.lost |= step == STEP_BAD;
		c->json->read = step == STEP_RECORD;
		if (step == STEP_RECORD && is_first(c, s->in.p + at, s->in.p + behind))
			return;
		at = step == STEP_RECORD ? behind : at;
	}
}

/* Finds the columns' names, and the time of the first record, from which all times count. Looks at the begin of
 * the file even if only a part is read. Returns false, with a message, if no line names the columns. */
static bool
look_ahead(struct source *s)
{
	struct delimited *c = s->state;
	size_t at = 0;
	uint64_t line = 0;
	bool header = c->l->header, dated = c->l->hint && c->l->absolute, found = false;

	if (c->json && c->json->array) {
		if (c->l->absolute || c->l->stream)
			look_into_array(s);
		return true;
	}
	while (header || c->l->absolute || c->l->stream) {
		const uint8_t *p = s->in.p + at, *end, *nl;

		nl = at < in_left(&s->in) ? memchr(p, '\n', in_left(&s->in) - at) : NULL;
		if (!nl && in_more(&s->in))
			continue;
		p = s->in.p + at;
		end = nl ? nl : s->in.end;
		if (p == s->in.end || (dated && at > LOOK_MOST))
			break;
		at = (size_t)(end - s->in.p) + (nl != NULL);
		end -= end > p && end[-1] == '\r';
		line++;
		if (header) {
			if (!take_header(s, p, end, line, &header))
				return false;
			continue;
		}
		if (!is_first(c, p, end))
			continue;
		found = true;
		break;
	}
	delimited_shape_forget(c);
	if (header && line) {
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, "no line names its columns");
		return false;
	}
	if (found || !dated || !line)
		return true;
	fault(s, NULL, COST_STATUS, s->name, NOWHERE, "no line fits -O columns=%s: %s",
	      delimited_presets[c->l->preset], c->l->hint);
	return false;
}

void COLD
delimited_no_such(struct source *s)
{
	const struct delimited *c = s->state;

	fault(s, NULL, COST_STATUS, s->name, NOWHERE,
	      "the lines do not fit -O columns=%s%s%s", delimited_presets[c->l->preset],
	      c->l->hint ? ": " : "", c->l->hint ? c->l->hint : "");
}

void
delimited_skip_mark(struct source *s)
{
	if ((in_left(&s->in) || in_more(&s->in)) && *s->in.p == 0xef &&
	    in_need(&s->in, 3) && !memcmp(s->in.p, "\xef\xbb\xbf", 3))
		s->in.p += 3;
}

/* Returns false, with a message, if the begin of the input does not match the preset, or if only carriage
 * returns end the lines. */
static bool
begins_well(struct source *s)
{
	const struct delimited *c = s->state;
	struct in *in = &s->in;
	const uint8_t *cr;
	size_t n;

	while (!(n = in_left(in)) || (!memchr(in->p, '\n', n) && n < IN_SIZE / 2))
		if (!in_more(in))
			break;
	if (n && !delimited_begins(c->l->preset, in->p, n)) {
		delimited_no_such(s);
		return false;
	}
	cr = n && !memchr(in->p, '\n', n) ? memchr(in->p, '\r', n) : NULL;
	if (!cr || cr + 1 == in->end || in->end[-1] != '\r')
		return true;
	fault(s, NULL, COST_STATUS, s->name, NOWHERE,
	      "lines end in carriage returns: convert it first with tr '\\r' '\\n'");
	return false;
}

bool
delimited_begin(struct source *s)
{
	struct delimited *c = s->state;
	unsigned which;

	set_want(c, 1);
	if (!c->l->bytes)
		return begins_well(s) && look_ahead(s);
	if (c->l->absolute && in_need(&s->in, c->l->bytes)) {
		delimited_integers(c, s->in.p);
		if (!delimited_fields(c, s->in.p, &which))
			set_origin(c);
	}
	return true;
}
