/* html.c - see html.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/put.h"
#include "input/cached_text.h"
#include "summary/html.h"

#define NAME_MOST 60 /* most bytes of the name of a row */

static void
html_shortened(struct buf *b, const char *s, size_t n, size_t most)
{
	size_t cut = n < most ? n : most;
	struct buf shown = {0};

	while (cut < n && cut && ((uint8_t)s[cut] & 0xc0) == 0x80)
		cut--;
	buf_to(&shown, (uint8_t *)put_shown((char *)buf_room(&shown, 4 * cut), s, cut));
	for (size_t i = 0; i < shown.n; i++)
		switch (shown.p[i]) {
		case '&': buf_str(b, "&amp;"); break;
		case '<': buf_str(b, "&lt;"); break;
		case '>': buf_str(b, "&gt;"); break;
		case '"': buf_str(b, "&quot;"); break;
		case '\'': buf_str(b, "&apos;"); break;
		case 0xef:
			/* U+FFFE and U+FFFF are not allowed in XML. */
			if (shown.p[i + 1] == 0xbf && shown.p[i + 2] >= 0xbe) {
				buf_str(b, shown.p[i + 2] == 0xbe ? "\\xef\\xbf\\xbe"
								  : "\\xef\\xbf\\xbf");
				i += 2;
				break;
			}
			/* fallthrough */
		default: buf_byte(b, (char)shown.p[i]);
		}
	buf_str(b, cut < n ? "…" : "");
	buf_free(&shown);
}

void
html_text(struct buf *b, const char *s, size_t most)
{
	html_shortened(b, s, strlen(s), most);
}

/* Appends a cell, unescaped from its form in a stream. */
static void
put_cell(struct buf *b, const char *cell, size_t most)
{
	struct buf raw = {0};

	text_raw(&raw, cell, strlen(cell));
	html_shortened(b, (const char *)raw.p, raw.n, most);
	buf_free(&raw);
}

/* Appends a whole number with commas, or any other text as it is. Returns true if it is a whole number. */
static bool
html_number(struct buf *b, const char *v)
{
	size_t n = strspn(v, "0123456789");

	for (size_t i = 0; i < n; i++) {
		buf_byte(b, v[i]);
		if (i + 1 < n && (n - 1 - i) % 3 == 0)
			buf_byte(b, ',');
	}
	put_cell(b, v + n, HTML_WHOLE);
	return n && !v[n];
}

/* Appends v with three digits, or more before the point, then `behind`. */
static void
put_short(struct buf *b, double v, const char *behind)
{
	char text[400], *point;

	snprintf(text, sizeof text, "%.*f", v < 10 ? 2 : v < 100 ? 1 : 0, v);
	point = strchr(text, '.');
	if (!point) {
		html_number(b, text);
		text[0] = '\0';
	}
	buf_str(b, text);
	buf_str(b, behind);
}

/* Appends a number of bytes, in the largest unit in which it is at least 1. */
static void
put_size(struct buf *b, double v, const char *a_second)
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	size_t i = 0;

	for (; v >= 1024 && i + 1 < sizeof unit / sizeof *unit; i++)
		v /= 1024;
	put_short(b, v, " ");
	buf_str(b, unit[i]);
	buf_str(b, a_second);
}

/* Returns the number of the pair with this name, as text; NULL if there is none. */
static const char *
pair_of(const struct section *s, const char *name)
{
	for (size_t i = 0; i < s->nrows; i++)
		if (!strcmp(s->cell[2 * i].shown, name) &&
		    s->cell[2 * i + 1]
			    .shown[strspn(s->cell[2 * i + 1].shown, "0123456789.")] == '\0')
			return s->cell[2 * i + 1].shown;
	return NULL;
}

/* Appends a length of time in seconds, in the unit that people use for it. */
static void
put_span(struct buf *b, double s)
{
	if (s >= 172800)
		put_short(b, s / 86400, " days");
	else if (s >= 7200)
		put_short(b, s / 3600, " h");
	else if (s >= 120)
		put_short(b, s / 60, " min");
	else if (s >= 1 || s == 0)
		put_short(b, s, " s");
	else
		put_short(b, s * 1000, " ms");
}

/* Appends a rate per second with at most four digits; per day if it is below 0.01 per second. */
static void
put_rate(struct buf *b, double v)
{
	double step = 1;

	while (v / step >= 10000)
		step *= 10;
	v = step > 1 ? (double)(unsigned)(v / step + 0.5) * step : v;
	put_short(b, v < 0.01 ? v * 86400 : v, v < 0.01 ? "/day" : "/s");
}

/* Appends a sentence with the number of events, their span, and their rate. */
static void
put_sentence(struct buf *b, const struct section *s)
{
	const char *events = pair_of(s, "events"), *span = pair_of(s, "span"),
		   *rate = pair_of(s, "events/s"), *bytes = pair_of(s, "bytes/s");
	double length = span ? strtod(span, NULL) : 0;

	if (!events)
		return;
	buf_str(b, "<p class=\"first\">");
	html_number(b, events);
	buf_str(b, !strcmp(events, "1") ? " event" : " events");
	if (length > 0) {
		buf_str(b, " in ");
		put_span(b, length);
		if (rate) {
			buf_str(b, ": ");
			put_rate(b, strtod(rate, NULL));
		}
		if (bytes) {
			buf_str(b, ", ");
			put_size(b, strtod(bytes, NULL), "/s");
		}
	}
	buf_str(b, "</p>\n");
}

static void
put_pairs(struct buf *b, const struct section *s)
{
	put_sentence(b, s);
	buf_str(b, "<table class=\"pairs\">\n<tbody>\n");
	for (size_t i = 0; i < s->nrows; i++) {
		const char *name = s->cell[2 * i].shown, *v = s->cell[2 * i + 1].shown;
		bool bad = !strcmp(name, "skipped") || !strncmp(name, "miss", 4) ||
			   strstr(name, "unknown");
		bool bytes = (!bad && strstr(name, "bytes")) || !strcmp(name, "sent") ||
			     !strcmp(name, "received"),
		     span = !strcmp(name, "span"), rate = strstr(name, "/s"), whole;

		buf_str(b, bad ? "<tr class=\"bad\"><th scope=\"row\">"
			       : "<tr><th scope=\"row\">");
		html_text(b, name, HTML_WHOLE);
		/* The exact value of a span or a rate is its tooltip. */
		buf_str(b, span || rate ? "</th><td title=\"" : "</th><td>");
		whole = html_number(b, v);
		buf_str(b, span ? " s\">" : rate ? "\">" : "");
		if (span)
			put_span(b, strtod(v, NULL));
		else if (rate && !bytes)
			put_rate(b, strtod(v, NULL));
		else if (rate)
			put_size(b, strtod(v, NULL), "/s");
		else if (whole && bytes && strlen(v) > 4) {
			buf_str(b, " <span class=\"quiet\">");
			put_size(b, strtod(v, NULL), "");
			buf_str(b, "</span>");
		}
		buf_str(b, "</td></tr>\n");
	}
	buf_str(b, "</tbody>\n</table>\n");
}

/* Appends the title: its first clause is the heading, the rest explains. */
static void
put_title(struct buf *b, const struct section *s)
{
	size_t n, skip;
	const char *title = section_heading(s, &n);
	char *first;

	for (skip = n; n && title[n - 1] == ' '; n--)
		;
	first = xstrndup(title, n);
	buf_str(b, "<h3>");
	html_text(b, first, HTML_WHOLE);
	buf_str(b, "</h3>\n");
	free(first);
	title += skip + (title[skip] != '(' && title[skip]);
	title += strspn(title, " \n");
	if (!*title)
		return;
	buf_str(b, "<p class=\"quiet\">");
	for (; *title; title += n + (title[n] == '\n')) {
		n = strcspn(title, "\n");
		first = xstrndup(title, n);
		html_text(b, first, HTML_WHOLE);
		buf_str(b, title[n] ? " " : "</p>\n");
		free(first);
	}
}

static void
put_row(struct buf *b, const struct section *s, const struct cell *row)
{
	const char *name = cell_raw(row);
	/* The name for people is another one, not the beginning of the name. */
	bool other = strncmp(row->shown, name, strlen(row->shown)) != 0;

	buf_str(b, "<tr><th scope=\"row\"");
	if (strlen(name) > NAME_MOST || other) {
		buf_str(b, " title=\"");
		put_cell(b, name, HTML_WHOLE);
		buf_byte(b, '"');
	}
	buf_byte(b, '>');
	put_cell(b, other ? row->shown : name, NAME_MOST);
	buf_str(b, "</th>");
	for (unsigned i = 1; i < s->ncolumns; i++) {
		const char *v = row[i].shown;
		size_t n = strlen(v);
		/* A share gets a bar in its background. */
		bool bar =
		    n > 1 && n < 8 && v[n - 1] == '%' && strspn(v, "0123456789.") == n - 1;

		buf_str(b, bar ? "<td class=\"bar\" style=\"--w:" : "<td>");
		buf_str(b, bar ? v : "");
		buf_str(b, bar ? "\">" : "");
		if (v[strspn(v, "0123456789")])
			put_cell(b, v, HTML_WHOLE);
		else
			html_number(b, v);
		buf_str(b, "</td>");
	}
	buf_str(b, "</tr>\n");
}

void
html_section(struct buf *b, const struct section *s, size_t limit)
{
	size_t shown = 0;
	char text[96];

	if (s->pairs) {
		put_pairs(b, s);
		return;
	}
	buf_str(b, "<div class=\"wide\" tabindex=\"0\">\n<table>\n<caption>");
	put_title(b, s);
	buf_str(b, "</caption>\n<thead>\n<tr>");
	for (unsigned i = 0; i < s->ncolumns; i++) {
		buf_str(b, "<th scope=\"col\">");
		html_text(b, s->heading[i] ? s->heading[i] : s->column[i], HTML_WHOLE);
		buf_str(b, "</th>");
	}
	buf_str(b, "</tr>\n</thead>\n<tbody>\n");
	for (; shown < s->nrows && b->n < limit; shown++)
		put_row(b, s, s->cell + shown * s->ncolumns);
	buf_str(b, "</tbody>\n</table>\n");
	if (shown < s->nrows) {
		snprintf(text, sizeof text,
			 "<p class=\"bad\">%zu rows are left out here: the command prints "
			 "all.</p>\n",
			 s->nrows - shown);
		buf_str(b, text);
	}
	if (section_note(s)) {
		buf_str(b, "<p class=\"quiet\">");
		html_text(b, section_note(s), HTML_WHOLE);
		buf_str(b, "</p>\n");
	}
	if (s->command.n) {
		char *command = xstrndup((const char *)s->command.p, s->command.n);

		buf_str(b, "<pre><code>");
		html_text(b, command, HTML_WHOLE);
		buf_str(b, "</code></pre>\n");
		free(command);
	}
	buf_str(b, "</div>\n");
}
