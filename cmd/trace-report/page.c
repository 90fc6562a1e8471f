/* page.c - the page as one document: HTML that is also well-formed XML, without scripts or outside references.
 * It is smaller than a megabyte; a picture that would make it larger is left out, with a remark. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "summary/html.h"
#include "trace-report/page.h"

#define PICTURES_BYTES 600000
#define TITLE_MOST 200
#define MESSAGES_MOST 50
#define CURVE_COLUMNS 4 /* columns of the table of trace-reuse */

static const char style_light[] =
    ":root{--fg:#24292f;--bg:#fff;--quiet:#59636e;--line:#d1d9e0;--soft:#f6f8fa;"
    "--tint:#cfe3f5;--bad:#b3261e;--badsoft:#fdecea}\n";
static const char style_dark[] =
    ":root{--fg:#e6edf3;--bg:#0d1117;--quiet:#9198a1;--line:#2b323b;--soft:#151b23;"
    "--tint:#1d3a55;--bad:#ff9a8f;--badsoft:#3a1512}\n";
static const char style[] =
    "body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:1000px;color:var(--fg);"
    "background:var(--bg);font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",\"DejaVu "
    "Sans\",Arial,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.7rem;line-height:1.25;margin:0;overflow-wrap:anywhere}\n"
    "h2{font-size:1.25rem;margin:2.5rem 0 .75rem;padding-bottom:.3rem;border-bottom:1px "
    "solid var(--line)}\n"
    "h3{font-size:1rem;margin:1.5rem 0 .25rem}p{margin:.25rem "
    "0}a{color:inherit}nav{margin-top:.5rem}nav a{margin-right:1rem}\n"
    "figure{margin:0 0 2rem}figure>svg{display:block;max-width:100%;height:auto}"
    "@media screen and "
    "(max-width:920px){figure{overflow-x:auto}figure>svg{max-width:none}}\n"
    ".first{font-size:1.1rem;flex-basis:100%}\n"
    ".quiet{color:var(--quiet)}.bad{color:var(--bad)}\n"
    "pre{margin:.5rem 0 0;padding:.5rem "
    ".75rem;background:var(--soft);border-radius:6px;font:13px/1.45 "
    "ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;white-space:pre-wrap;"
    "overflow-wrap:anywhere}\n"
    ".damage{margin:1.25rem 0;padding:.75rem 1rem;color:var(--bad);"
    "background:var(--badsoft);border:1px solid var(--bad);border-radius:6px}"
    ".damage h2{margin:0;border:0;padding:0;font-size:1.05rem}\n"
    "ul{margin:.5rem 0;padding-left:1.25rem}li{overflow-wrap:anywhere}\n"
    ".side{display:flex;flex-wrap:wrap;gap:0 3.5rem;align-items:flex-start}"
    ".wide{overflow-x:auto;max-width:100%}caption{text-align:left}table{border-collapse:"
    "collapse;"
    "font-variant-numeric:tabular-nums;font-size:14px;margin:.5rem 0}"
    "th,td{padding:.2rem .75rem .2rem 0;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}thead th{color:var(--quiet);"
    "font-weight:600;vertical-align:bottom}"
    "th:first-child{text-align:left;padding-right:1.5rem;font-weight:500}"
    "th+th,th+td,td+td{padding-left:.75rem}"
    ".pairs td{text-align:left;white-space:normal;overflow-wrap:anywhere}\n"
    ".bar{background:linear-gradient(to right,var(--tint) var(--w),transparent 0)}\n"
    "@media print{body{max-width:none;padding:0;font-size:10pt}table,pre{font-size:8pt}"
    "nav{display:none}.wide{overflow:visible}figure,tr,pre{break-inside:avoid}figure{break-"
    "after:page}"
    "h2,h3,thead{break-after:avoid}}\n";

/* Appends a command in the page's form. */
static void
put_command(struct buf *b, const struct buf *command)
{
	char *text = xstrndup((const char *)command->p, command->n);

	buf_str(b, "<pre><code>");
	html_text(b, text, HTML_WHOLE);
	buf_str(b, "</code></pre>\n");
	free(text);
}

/* Finds the first `what` in n bytes at p. Returns the position after it, or NULL. */
static const uint8_t *
behind(const uint8_t *p, size_t n, const char *what)
{
	size_t len = strlen(what);

	for (const uint8_t *end = p + n; (size_t)(end - p) >= len; p++)
		if (!memcmp(p, what, len))
			return p + len;
	return NULL;
}

/* Appends the style of a picture, which all pictures share. */
static void
put_picture_style(struct buf *b, const struct page *p)
{
	for (size_t i = 0; i < p->nparts; i++) {
		const struct buf *out = &p->part[i].run->out;
		const uint8_t *from = p->part[i].kind == PART_PICTURE
					  ? behind(out->p, out->n, "<style>\n")
					  : NULL;
		const uint8_t *to =
		    from ? behind(from, out->n - (size_t)(from - out->p), "</style>\n")
			 : NULL;

		if (to) {
			buf_add(b, from, (size_t)(to - from) - strlen("</style>\n"));
			return;
		}
	}
}

/* Appends a picture without its style; its two ids, t and d, begin with the name of its kind. */
static void
put_picture(struct buf *b, const struct page_part *part)
{
	static const char *const places[] = {"aria-labelledby=\"", " ", "id=\"", "id=\""};
	const struct buf *out = &part->run->out;
	const uint8_t *p = out->p, *end = p + out->n, *to;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		to = behind(p, (size_t)(end - p), places[i]);
		if (!to)
			break;
		buf_add(b, p, (size_t)(to - p));
		buf_str(b, part->name);
		if (part->group)
			buf_byte(b, (char)('0' + (int)part->group));
		p = to;
	}
	to = behind(p, (size_t)(end - p), "<style>\n");
	if (to) {
		buf_add(b, p, (size_t)(to - p) - strlen("<style>\n"));
		to = behind(to, (size_t)(end - to), "</style>\n");
		p = to ? to : end;
	}
	buf_add(b, p, (size_t)(end - p));
}

/* Appends a remark instead of the part, if its program failed. */
static void
put_failure(struct buf *b, const struct page_part *part)
{
	if (part->run->status == ST_TROUBLE && !part->run->out.n)
		buf_str(
		    b,
		    "<p class=\"bad\">This part could not be made: the reason stands among "
		    "what was lost.</p>\n");
}

static void
put_head(struct buf *b, const struct page *p)
{
	bool by_reader = !strcmp(p->theme, "auto"), dark = !strcmp(p->theme, "dark");

	buf_str(b,
		"<!DOCTYPE html>\n"
		"<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
		"<title>");
	html_text(b, p->title, TITLE_MOST);
	buf_str(b, "</title>\n<style>\n:root{color-scheme:");
	buf_str(b, by_reader ? "light dark}\n" : dark ? "dark}\n" : "light}\n");
	buf_str(b, style_light);
	if (by_reader || dark) {
		buf_str(b, by_reader ? "@media(prefers-color-scheme:dark){" : "");
		buf_str(b, style_dark);
		buf_str(b, by_reader ? "}\n" : "");
	}
	buf_str(b, style);
	put_picture_style(b, p);
	buf_str(b, "</style>\n</head>\n<body>\n<header>\n<h1>");
	html_text(b, p->title, TITLE_MOST);
	buf_str(b, "</h1>\n<p class=\"quiet\">");
	html_text(b, p->about, HTML_WHOLE);
	buf_str(b, "</p>\n<nav><a href=\"#summary\">Summary</a><a "
		   "href=\"#pictures\">Pictures</a><a href=\"#tables\">Tables</a><a "
		   "href=\"#lost\">Reading</a></nav>\n</header>\n");
}

/* Returns the start of the tables of trace-stats, after its summary. */
static const uint8_t *
tables_of(const struct run *r)
{
	const uint8_t *at = behind(r->out.p, r->out.n, "</table>\n");

	return at ? at : r->out.p;
}

/* Appends the condition of events, and the totals. */
static void
put_about(struct buf *b, const struct page *p)
{
	const struct run *r = p->part[0].run;

	buf_str(b, "<section id=\"summary\">\n<h2>Summary</h2>\n");
	if (p->only) {
		buf_str(b, "<p>Only events that this is true for: <code>");
		html_text(b, p->only, HTML_WHOLE);
		buf_str(b, "</code></p>\n");
	}
	buf_str(b, "<div class=\"side\">\n");
	put_failure(b, &p->part[0]);
	buf_add(b, r->out.p, (size_t)(tables_of(r) - r->out.p));
	buf_str(b, "</div>\n</section>\n");
}

/* Returns the part with the findings, or NULL. */
static const struct page_part *
findings_of(const struct page *p)
{
	const struct page_part *last = &p->part[p->nparts - 1];

	return last->kind == PART_FINDINGS && (last->run->out.n || !p->found_only) ? last
										   : NULL;
}

/* Appends the findings, with links to pictures that show them. */
static void
put_page_findings(struct buf *b, const struct page *p)
{
	const struct page_part *found = findings_of(p);
	char *text, *line, *next;

	if (!found)
		return;
	buf_str(b, "<section id=\"findings\">\n<h2>Findings</h2>\n");
	put_failure(b, found);
	text = xstrndup(found->run->out.n ? (const char *)found->run->out.p : "",
			found->run->out.n);
	buf_str(b, *text ? "<ul>\n" : "<p>No rule found anything.</p>\n");
	/* Two lines for each: the finding and its command. */
	for (line = text; *line; line = next) {
		char *end = line + strcspn(line, "\n"), *rule;
		const char *kind = NULL;
		struct buf command = {0};

		next = end + (*end != '\0');
		*end = '\0';
		rule = strrchr(line, '[');
		for (size_t i = 0; !kind; i++)
			if (!strncmp(rule ? rule + 1 : "", rule_pictures[i][0],
				     strlen(rule_pictures[i][0])))
				kind = rule_pictures[i][1];
		buf_str(b, "<li>");
		html_text(b, line, HTML_WHOLE);
		for (size_t i = 0; i < p->nparts; i++)
			if (p->part[i].kind == PART_PICTURE && !p->part[i].group &&
			    !strcmp(p->part[i].name, kind)) {
				buf_str(b, " <a href=\"#p-");
				buf_str(b, kind);
				buf_str(b, "\">picture</a>");
			}
		line = next + strspn(next, " ");
		end = line + strcspn(line, "\n");
		next = end + (*end != '\0');
		buf_add(&command, line, (size_t)(end - line));
		put_command(b, &command);
		buf_free(&command);
		buf_str(b, "</li>\n");
	}
	buf_str(b, *text ? "</ul>\n" : "");
	put_command(b, &found->command);
	buf_str(b, "</section>\n");
	free(text);
}

/* Appends the metadata of the trace. */
static void
put_meta(struct buf *b, const struct page *p)
{
	char *head = xstrndup(p->head.n ? (const char *)p->head.p : "", p->head.n),
	     *line = head;

	if (*line)
		buf_str(b, "<section id=\"head\">\n<h2>What its head says</h2>\n"
			   "<table class=\"pairs\">\n<tbody>\n");
	while (*line) {
		char *tab = strchr(line, '\t'), *stop = strchr(tab, '\n');

		*tab = *stop = '\0';
		buf_str(b, "<tr><th scope=\"row\">");
		html_text(b, line, 60);
		buf_str(b, "</th><td>");
		html_text(b, tab + 1, 200);
		buf_str(b, "</td></tr>\n");
		line = stop + 1;
	}
	buf_str(b, p->head.n ? "</tbody>\n</table>\n</section>\n" : "");
	free(head);
}

/* Appends what was lost or suspicious, in red if something was lost. */
static void
put_messages(struct buf *b, const struct page *p)
{
	uint32_t n = p->messages.n < MESSAGES_MOST ? p->messages.n : MESSAGES_MOST;
	char more[48];

	buf_str(b, p->damaged ? "<section class=\"damage\" id=\"lost\">\n"
			      : "<section id=\"lost\">\n");
	buf_str(b,
		p->damaged || n ? "<h2>Lost or suspicious</h2>\n" : "<h2>Reading</h2>\n");
	if (p->damaged)
		buf_str(
		    b,
		    "<p>Something was wrong with what was read. All numbers and pictures "
		    "here are of what could be read.</p>\n");
	else if (!n)
		buf_str(b, "<p>Every record was read.</p>\n");
	buf_str(b, n ? "<ul>\n" : "");
	for (uint32_t i = 0; i < n; i++) {
		buf_str(b, "<li>");
		html_text(b, p->messages.v[i].s, 500);
		buf_str(b, "</li>\n");
	}
	snprintf(more, sizeof more, "<li>and %u more</li>\n",
		 (unsigned)(p->messages.n - n));
	buf_str(b, p->messages.n > n ? more : "");
	buf_str(b, n ? "</ul>\n</section>\n" : "</section>\n");
}

static void
put_pictures(struct buf *b, const struct page *p)
{
	/* Kinds of pictures, and their captions. */
	static const char *const captions[] = {
	    "rate How many come in a second, and what they move; each counts where it "
	    "begins.",
	    "heat How many there are of each size or duration, over time; lines are "
	    "percentiles of windows of time.",
	    "timeline In which states each row is, as shares of the time of a column.",
	    "hist How many there are of each size or duration, and the share that is no "
	    "greater.",
	    "matrix From whom to whom; sums are at the edges.",
	    "addr Which addresses are touched when; darker where there is more.",
	    "flame Where the time goes: below a state is what lasts within it.",
	};

	const char *format = NULL;
	size_t all = 0, shown = 0;

	buf_str(b, "<section id=\"pictures\">\n<h2>Pictures</h2>\n");
	for (size_t i = 0; i < p->nparts; i++) {
		const struct page_part *part = &p->part[i];

		if (part->kind != PART_PICTURE)
			continue;
		if (part->format && part->format != format) {
			format = part->format;
			buf_str(b, "<h3>");
			html_text(b, format, HTML_WHOLE);
			buf_str(b, "</h3>\n");
		}
		shown++;
		buf_str(b, "<figure");
		if (findings_of(p) && !part->group) {
			buf_str(b, " id=\"p-");
			buf_str(b, part->name);
			buf_byte(b, '"');
		}
		buf_str(b, ">\n");
		put_failure(b, part);
		if (all + part->run->out.n <= PICTURES_BYTES) {
			all += part->run->out.n;
			put_picture(b, part);
		} else
			buf_str(b, "<p>One more picture would make this page larger than a "
				   "megabyte:</p>\n");
		buf_str(b, "<figcaption>");
		for (size_t k = 0; k < sizeof captions / sizeof *captions; k++)
			if (!strncmp(captions[k], part->name, strlen(part->name)))
				buf_str(b, strchr(captions[k], ' ') + 1);
		put_command(b, &part->command);
		buf_str(b, "</figcaption>\n</figure>\n");
	}
	buf_str(b,
		shown ? "</section>\n" : "<p>There is nothing to draw.</p>\n</section>\n");
}

/* Appends the lines of trace-reuse as a table. */
static void
put_curve(struct buf *b, const struct page_part *part)
{
	struct section s = {
	    .name = "cache",
	    .title = "References that a cache of so many blocks would miss (LRU)"};
	char *text = xstrndup((const char *)part->run->out.p, part->run->out.n),
	     *line = text;

	for (bool names = *line == '#'; *line; names = false) {
		char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');

		*end = '\0';
		for (char *cell = line + names, *tab; cell; cell = tab) {
			tab = strchr(cell, '\t');
			if (tab)
				*tab++ = '\0';
			if (names && s.ncolumns < CURVE_COLUMNS)
				s.column[s.ncolumns++] = cell;
			else if (!names && s.at < s.ncolumns)
				section_text(&s, cell);
		}
		if (!names)
			section_row(&s);
		line = next;
	}
	buf_add(&s.command, part->command.p, part->command.n);
	if (s.nrows)
		html_section(b, &s, SIZE_MAX);
	section_free(&s);
	free(text);
}

static void
put_tables(struct buf *b, const struct page *p)
{
	buf_str(b, "<section id=\"tables\">\n<h2>Tables</h2>\n<div class=\"side\">\n");
	for (size_t i = 0; i < p->nparts; i++) {
		const struct page_part *part = &p->part[i];
		const struct run *r = part->run;

		if (part->kind == PART_PICTURE || part->kind == PART_FINDINGS)
			continue;
		if (i)
			put_failure(b, part);
		if (part->kind == PART_TABLES)
			buf_add(b, tables_of(r),
				r->out.n - (size_t)(tables_of(r) - r->out.p));
		else if (part->kind == PART_CURVE)
			put_curve(b, part);
		else {
			buf_add(b, r->out.p, r->out.n);
			put_command(b, &part->command);
		}
	}
	buf_str(b, "</div>\n</section>\n");
}

void
page_html(const struct page *p, struct out *o)
{
	struct buf b = {0};

	put_head(&b, p);
	if (p->damaged)
		put_messages(&b, p);
	put_about(&b, p);
	put_page_findings(&b, p);
	if (!p->damaged)
		put_messages(&b, p);
	put_pictures(&b, p);
	put_tables(&b, p);
	put_meta(&b, p);
	buf_str(&b, "</body>\n</html>\n");
	out_bytes(o, b.p, b.n);
	buf_free(&b);
}

/* Appends text that may come from a trace, made safe, and ends the line. */
static void
page_line(struct buf *b, const char *before, const void *text, size_t n)
{
	buf_str(b, before);
	buf_to(b, (uint8_t *)put_shown((char *)buf_room(b, 4 * n), text, n));
	buf_byte(b, '\n');
}

/* Appends what a program printed for a terminal. */
static void
put_lines(struct buf *b, const struct buf *out)
{
	const char *p = out->n ? (const char *)out->p : "", *end = p + out->n, *next;

	for (; p < end; p = next + 1) {
		for (next = p; next < end && *next != '\n' && *next != '\t';)
			next++;
		page_line(b, "", p, (size_t)(next - p));
		if (next < end && *next == '\t')
			b->p[b->n - 1] = '\t';
	}
}

/* Appends the subject of the page. */
static void
put_subject(struct buf *b, const struct page *p)
{
	page_line(b, "", p->title, strlen(p->title));
	page_line(b, "", p->about, strlen(p->about));
	if (p->only)
		page_line(b, "only ", p->only, strlen(p->only));
}

/* Returns part k in the order for a terminal: the tables of trace-stats come after the pictures. */
static const struct page_part *
shown_as(const struct page *p, size_t k)
{
	size_t pictures = 0;

	while (1 + pictures < p->nparts && p->part[1 + pictures].kind == PART_PICTURE)
		pictures++;
	return &p->part[k < pictures ? k + 1 : k == pictures ? 0 : k];
}

void
page_live(const struct page *p, struct out *o)
{
	struct buf b = {0};

	put_subject(&b, p);
	for (size_t k = 0; k < p->nparts; k++) {
		const struct page_part *part = shown_as(p, k);
		bool picture = part->kind == PART_PICTURE;

		buf_byte(&b, '\n');
		if (!picture)
			page_line(&b, "$ ", part->command.p, part->command.n);
		out_bytes(o, b.p, b.n);
		out_flush(o);
		b.n = 0;
		run_all(part->run, 1, 1);
		if (picture && part->run->status == ST_OK)
			page_line(&b, "$ ", part->command.p, part->command.n);
	}
	out_bytes(o, b.p, b.n);
	buf_free(&b);
}

void
page_text(const struct page *p, struct out *o)
{
	struct buf b = {0};

	put_subject(&b, p);
	if (p->damaged || p->messages.n)
		buf_str(&b,
			p->damaged
			    ? "\nLost or suspicious: all here is of what could be read\n"
			    : "\nLost or suspicious\n");
	for (uint32_t i = 0; i < p->messages.n && i < MESSAGES_MOST; i++)
		page_line(&b, "  ", p->messages.v[i].s, p->messages.v[i].len);
	if (p->messages.n > MESSAGES_MOST)
		buf_str(&b, "  and more\n");
	for (size_t k = 0; k < p->nparts; k++) {
		const struct page_part *part = shown_as(p, k);
		bool picture = part->kind == PART_PICTURE;

		buf_byte(&b, '\n');
		if (picture)
			put_lines(&b, &part->run->out);
		page_line(&b, "$ ", part->command.p, part->command.n);
		if (!picture)
			put_lines(&b, &part->run->out);
	}
	out_bytes(o, b.p, b.n);
	buf_free(&b);
}
