/* text.c - the page for a terminal. */
#include <string.h>

#include "trace-report/report.h"

/* Appends text that may be of a trace, made safe, and ends the line. */
static void
line(struct buf *b, const char *before, const char *text)
{
	size_t n = strlen(text);

	buf_str(b, before);
	buf_to(b, (uint8_t *)put_shown((char *)buf_room(b, 4 * n), text, n));
	buf_byte(b, '\n');
}

static void
flush(struct out *o, struct buf *b)
{
	out_bytes(o, b->p, b->n);
	b->n = 0;
}

void
report_text(struct report *p, struct out *o)
{
	struct counts *c = &p->counts;
	struct buf b = {0}, text = {0}, title = {0};
	const char *only = report_only(p, &text);

	line(&b, "", report_title(p, &title));
	line(&b, "", report_about(p));
	if (only)
		line(&b, "only ", only);
	text.n = 0;
	if (p->damaged || p->messages.n)
		line(&b, "\n",
		     p->damaged ? "Lost or suspicious: all here is of what could be read"
				: "Lost or suspicious");
	for (uint32_t i = 0; i < p->messages.n; i++)
		line(&b, "  ", p->messages.v[i].s);
	if (p->more)
		line(&b, "  ", "and more");
	for (unsigned i = 0; i < c->nplots; i++) {
		buf_byte(&b, '\n');
		flush(o, &b);
		out_flush(o);
		plot_terminal(c->plot[i], o, c->how.columns);
		/* What follows may be of the trace, and has no colours. */
		out_flush(o);
		report_plot_command(&text, p, i);
		line(&b, "$ ", buf_text(&text));
	}
	buf_byte(&b, '\n');
	report_table_command(&text, p, 0);
	line(&b, "$ ", buf_text(&text));
	flush(o, &b);
	out_flush(o);
	o->tty = true;
	summary_text(&c->answer, o);
	for (unsigned i = 1; i < 3 && p->locality; i++) {
		buf_add(&b, "\n", i == 1);
		report_table_command(&text, p, i);
		line(&b, "$ ", buf_text(&text));
	}
	flush(o, &b);
	locality_sections(p, section_put, &(struct section_writer){.o = o});
	buf_free(&b);
	buf_free(&text);
	buf_free(&title);
}
