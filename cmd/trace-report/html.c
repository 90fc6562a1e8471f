/*
 * html.c - the page as one document: HTML that is also well-formed XML, without script, and nothing from
 * elsewhere. Below a megabyte whatever the input: what would be beyond is left out, which is said.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-report/report.h"

#define PICTURES_BYTES 600000
#define TABLES_BYTES 250000
#define NAME_MOST 60	 /* characters of the name of a row */
#define WHOLE (1u << 24) /* of a text that is not cut */

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
    "figure{margin:0 0 2rem}figure>svg{display:block;max-width:100%;height:auto}\n"
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
    "nav{display:none}.wide{overflow:visible}figure,tr,pre{break-inside:avoid}"
    "h2,h3,thead{break-after:avoid}}\n";

/* Where a page is made. */
struct writer {
	struct report *page;
	struct buf *b;
	struct buf summary, tables;
	size_t left_out; /* rows of tables */
};

/* A text of a trace or a command line. */
static void
put_text(struct buf *b, const char *s)
{
	svg_escape(b, s, strlen(s), WHOLE);
}

static void
put_command(struct buf *b, struct buf *command)
{
	put_all(b, "<pre><code>");
	put_text(b, buf_text(command));
	put_all(b, "</code></pre>\n");
}

static void
put_head(struct writer *w, const char *title)
{
	enum svg_theme theme = w->page->counts.how.plot.theme;
	struct buf *b = w->b;

	put_all(b,
		"<!DOCTYPE html>\n"
		"<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
		"<title>");
	svg_escape(b, title, strlen(title), 200);
	put_all(b, "</title>\n<style>\n:root{color-scheme:");
	put_all(b, theme == SVG_AUTO   ? "light dark}\n"
		   : theme == SVG_DARK ? "dark}\n"
				       : "light}\n");
	put_all(b, style_light);
	if (theme != SVG_LIGHT) {
		put_all(b, theme == SVG_AUTO ? "@media(prefers-color-scheme:dark){" : "",
			style_dark, theme == SVG_AUTO ? "}\n" : "");
	}
	put_all(b, style);
	svg_style(b, theme);
	put_all(b, "\n</style>\n</head>\n<body>\n<header>\n<h1>");
	svg_escape(b, title, strlen(title), 200);
	put_all(b, "</h1>\n<p class=\"quiet\">");
	put_text(b, report_about(w->page));
	put_all(b, "</p>\n");
}

/* What was chosen of the trace, its totals, and what its head says. */
static void
put_about(struct writer *w)
{
	const struct counts *c = &w->page->counts;
	struct buf text = {0}, *b = w->b;
	const char *only = report_only(w->page, &text);
	const char *p = c->about.n ? (const char *)c->about.p : "", *end = p + c->about.n;

	put_all(b, "<section id=\"summary\">\n<h2>Summary</h2>\n");
	if (only) {
		put_all(b, "<p>Only events that this is true for: <code>");
		put_text(b, only);
		put_all(b, "</code></p>\n");
	}
	put_all(b, "<div class=\"side\">\n");
	buf_add(b, w->summary.p, w->summary.n);
	if (p < end)
		put_all(b,
			"<table class=\"pairs\">\n<caption class=\"quiet\">What its head "
			"says</caption>\n<tbody>\n");
	while (p < end) {
		const char *tab = memchr(p, '\t', (size_t)(end - p));
		const char *stop = memchr(tab, '\n', (size_t)(end - tab));

		put_all(b, "<tr><th scope=\"row\">");
		svg_escape(b, p, (size_t)(tab - p), NAME_MOST);
		put_all(b, "</th><td>");
		svg_escape(b, tab + 1, (size_t)(stop - tab - 1), 200);
		put_all(b, "</td></tr>\n");
		p = stop + 1;
	}
	put_all(b, c->about.n ? "</tbody>\n</table>\n</div>\n</section>\n"
			      : "</div>\n</section>\n");
	buf_free(&text);
}

/* What was lost or suspicious; in red at the top where something was lost. */
static void
put_messages(struct writer *w)
{
	const struct report *p = w->page;
	struct buf *b = w->b;

	put_all(b,
		p->damaged ? "<section class=\"damage\" id=\"lost\">\n"
			   : "<section id=\"lost\">\n",
		"<h2>Lost or suspicious</h2>\n");
	if (p->damaged)
		put_all(
		    b,
		    "<p>Something was wrong with what was read. All numbers and pictures "
		    "here are of what could be read.</p>\n");
	else if (!p->messages.n)
		put_all(b, "<p>Nothing was found.</p>\n");
	put_all(b, p->messages.n ? "<ul>\n" : "");
	for (uint32_t i = 0; i < p->messages.n; i++) {
		put_all(b, "<li>");
		svg_escape(b, p->messages.v[i].s, p->messages.v[i].len, 500);
		put_all(b, "</li>\n");
	}
	if (p->more) {
		put_all(b, "<li>and ");
		scale_put_commas(b, p->more);
		put_all(b, " more</li>\n");
	}
	put_all(b, p->messages.n ? "</ul>\n</section>\n" : "</section>\n");
}

static void
put_pictures(struct writer *w)
{
	struct counts *c = &w->page->counts;
	size_t all = 0;

	put_all(w->b, "<section id=\"pictures\">\n<h2>Pictures</h2>\n");
	if (!c->nplots)
		put_all(w->b, "<p>There is nothing to draw.</p>\n");
	for (unsigned i = 0; i < c->nplots; i++) {
		struct plot *p = c->plot[i];
		struct buf picture = {0}, command = {0};

		p->how.part = p->kind->name;
		p->kind->svg(p, &picture);
		svg_end(&picture);
		all += picture.n;
		put_all(w->b, "<figure>\n");
		if (all <= PICTURES_BYTES)
			buf_add(w->b, picture.p, picture.n);
		else {
			all -= picture.n;
			put_all(w->b,
				"<p>One more picture would make this page larger than "
				"a megabyte:</p>\n");
		}
		report_plot_command(&command, w->page, i);
		put_all(w->b, "<figcaption>");
		put_command(w->b, &command);
		put_all(w->b, "</figcaption>\n</figure>\n");
		buf_free(&picture);
		buf_free(&command);
	}
	put_all(w->b, "</section>\n");
}

/* Tables. */

/* The summary: whole numbers with commas, sizes and times also as people say them. */
static void
put_summary(struct writer *w, const struct section *s)
{
	struct buf *b = &w->summary;

	put_all(b, "<table class=\"pairs\">\n<tbody>\n");
	for (size_t i = 0; i < s->nrows; i++) {
		const char *name = s->cell[2 * i].shown, *v = s->cell[2 * i + 1].shown;
		size_t digits = strspn(v, "0123456789");
		bool bad = !strcmp(name, "skipped") || !strcmp(name, "missed") ||
			   !strncmp(name, "missing", 7);
		uint64_t n = strtoull(v, NULL, 10);

		put_all(b, bad ? "<tr class=\"bad\"><th scope=\"row\">"
			       : "<tr><th scope=\"row\">");
		put_text(b, name);
		put_all(b, "</th><td>");
		/* Of more digits the value is not in n. */
		if (digits && digits < 19) {
			scale_put_commas(b, n);
			v += digits;
		}
		put_text(b, v);
		put_all(b, !strcmp(name, "span") ? " s" : "");
		if ((strstr(name, "bytes") || !strcmp(name, "sent") ||
		     !strcmp(name, "received")) &&
		    digits > 4 && digits < 19) {
			put_all(b, " <span class=\"quiet\">");
			scale_put(b, SCALE_BYTES, n, strstr(name, "/s") ? "/s" : "");
			put_all(b, "</span>");
		}
		put_all(b, "</td></tr>\n");
	}
	put_all(b, "</tbody>\n</table>\n");
}

/* Its first clause is the heading, the rest explains. */
static void
put_table_title(struct buf *b, const struct section *s)
{
	const char *title = s->title ? s->title : "Events";
	size_t n = strcspn(title, ":;.(\n");
	const char *rest = title + n;

	put_all(b, "<h3>");
	while (n && title[n - 1] == ' ')
		n--;
	svg_escape(b, title, n, 200);
	put_all(b, "</h3>\n");
	rest += *rest != '(' && *rest != '\0';
	rest += strspn(rest, " \n");
	if (!*rest)
		return;
	put_all(b, "<p class=\"quiet\">");
	for (; *rest; rest += n + (rest[n] == '\n')) {
		n = strcspn(rest, "\n");
		svg_escape(b, rest, n, 300);
		put_all(b, rest[n] ? " " : "</p>\n");
	}
}

static void
put_value(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	/* A share has a bar behind it. */
	if (n > 1 && n < 8 && strspn(s, "0123456789.") == n - 1 && s[n - 1] == '%') {
		put_all(b, "<td class=\"bar\" style=\"--w:", s, "\">");
	} else
		put_all(b, "<td>");
	put_text(b, s);
	put_all(b, "</td>");
}

static void
put_row(struct buf *b, const struct section *s, const struct cell *row)
{
	const char *name = cell_raw(row);

	put_all(b, "<tr><th scope=\"row\"");
	if (strlen(name) > NAME_MOST) {
		put_all(b, " title=\"");
		put_text(b, name);
		buf_byte(b, '"');
	}
	buf_byte(b, '>');
	svg_escape(b, name, strlen(name), NAME_MOST);
	put_all(b, "</th>");
	for (unsigned i = 1; i < s->ncolumns; i++)
		put_value(b, row[i].shown);
	put_all(b, "</tr>\n");
}

static void
put_table(struct writer *w, const struct section *s)
{
	struct buf *b = &w->tables;

	put_all(b, "<div class=\"wide\" tabindex=\"0\">\n<table>\n<caption>");
	put_table_title(b, s);
	put_all(b, "</caption>\n<thead>\n<tr>");
	for (unsigned i = 0; i < s->ncolumns; i++) {
		put_all(b, "<th scope=\"col\">");
		put_text(b, s->heading[i] ? s->heading[i] : s->column[i]);
		put_all(b, "</th>");
	}
	put_all(b, "</tr>\n</thead>\n<tbody>\n");
	for (size_t i = 0; i < s->nrows; i++)
		if (b->n < TABLES_BYTES)
			put_row(b, s, s->cell + i * s->ncolumns);
		else
			w->left_out++;
	put_all(b, "</tbody>\n</table>\n");
	if (section_note(s)) {
		put_all(b, "<p class=\"quiet\">");
		put_text(b, section_note(s));
		put_all(b, "</p>\n");
	}
	put_all(b, "</div>\n");
}

/* For summary_sections. */
static void
take_section(void *arg, struct section *s)
{
	struct writer *w = arg;

	if (s->nrows && s->pairs)
		put_summary(w, s);
	else if (s->nrows)
		put_table(w, s);
	section_free(s);
}

static void
put_tables(struct writer *w)
{
	struct buf command = {0};

	put_all(w->b, "<section id=\"tables\">\n<h2>Tables</h2>\n");
	if (w->left_out) {
		put_all(w->b, "<p class=\"bad\">");
		scale_put_commas(w->b, w->left_out);
		put_all(w->b,
			" rows are left out, so that this page stays below a megabyte: the "
			"command prints all.</p>\n");
	}
	for (unsigned i = 0; i < (w->page->locality ? 3 : 1); i++) {
		command.n = 0;
		report_table_command(&command, w->page, i);
		put_command(w->b, &command);
	}
	put_all(w->b, "<div class=\"side\">\n");
	buf_add(w->b, w->tables.p, w->tables.n);
	put_all(w->b, "</div>\n</section>\n</body>\n</html>\n");
	buf_free(&command);
}

void
report_html(struct report *p, struct out *o)
{
	struct buf b = {0}, title = {0};
	struct writer w = {.page = p, .b = &b};

	summary_sections(&p->counts.answer, take_section, &w);
	locality_sections(p, take_section, &w);
	put_head(&w, report_title(p, &title));
	put_all(
	    &b,
	    "<nav><a href=\"#summary\">Summary</a><a href=\"#pictures\">Pictures</a><a "
	    "href=\"#tables\">Tables</a><a href=\"#lost\">Lost or suspicious</a></nav>\n"
	    "</header>\n");
	if (p->damaged)
		put_messages(&w);
	put_about(&w);
	if (!p->damaged)
		put_messages(&w);
	put_pictures(&w);
	put_tables(&w);
	out_bytes(o, b.p, b.n);
	buf_free(&w.summary);
	buf_free(&w.tables);
	buf_free(&title);
	buf_free(&b);
}
