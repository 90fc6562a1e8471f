/* trace-report - write the first page about a trace */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "base/put.h"
#include "cli/opt.h"
#include "input/cached_text.h"
#include "trace-report/report_formats.h"
#include "view/field.h"

#define MESSAGES_MOST 50
#define THREADS_TEXT 24
#define FINDINGS_MOST "5"
/* Inputs with more bytes get findings by --findings only: they take several times as long as the page. */
#define FINDINGS_BYTES (32ull << 20)

static const char *test, *keys, *title, *size, *theme = "auto";
static bool access_too, findings_too, terminal, progress;
static unsigned columns, colours;

const char *const rule_pictures[][2] = {
    {"io-burst", "rate"},	  {"io-tail", "heat"},
    {"io-groups", "heat"},	  {"io-small", "hist"},
    {"spc-small", "hist"},	  {"io-metadata", "timeline"},
    {"io-straggler", "timeline"}, {"mpi-", "timeline"},
    {"ovni-", "timeline"},	  {"", "addr"}};

static const struct format_row formats_known[] = {
    {"charisma", "CHARISMA: parallel file systems, binary",
     "rate addr heat hist timeline matrix"},
    {"dumpi", "DUMPI: MPI calls, binary", "timeline rate heat hist matrix"},
    {"laplace", "Laplace: memory references, binary", "rate addr matrix hist"},
    {"laplace-text", "Laplace: kernel events and memory references, text",
     "rate addr matrix hist"},
    {"laplace-merge", "Laplace: memory references and kernel events, put together",
     "rate addr matrix hist"},
    {"ovni", "ovni: events of a parallel program's threads, binary",
     "timeline flame rate heat hist"},
    {"spc", "SPC: block I/O, text", "rate addr heat hist"},
    {NULL, "Events of a format that the input does not tell",
     "rate timeline addr heat hist matrix"},
};

static const char *
theme_word(size_t i)
{
	static const char *const words[] = {"auto", "light", "dark", NULL};

	return words[i];
}

static const char *
set_theme(void *to, const char *arg)
{
	for (size_t i = 0; theme_word(i); i++)
		if (!strcmp(theme_word(i), arg))
			theme = arg;
	(void)to;
	return theme == arg ? NULL : "auto, light or dark is expected";
}

/* Reads --size: WxH. */
static const char *
set_size(void *to, const char *arg)
{
	size_t w = strspn(arg, "0123456789"),
	       h = arg[w] == 'x' ? strspn(arg + w + 1, "0123456789") : 0;

	(void)to;
	size = arg;
	return w && h && !arg[w + 1 + h] ? NULL : "WxH is expected, in pixels";
}

/* Options about inputs are passed to the programs that read them, which check their values. */
static const struct opt opts[] = {
    OPT_EXPR_ROW(&test),
    OPT_KEY_ROW(&keys),
    {0, "access", NULL, "add tables of trace-access and trace-reuse", "chunk follow",
     .flag = &access_too},
    {0, "findings", NULL, "add findings, of a large input, too", "chunk follow e k",
     .flag = &findings_too},
    OPT_THREADS_ROW,
    {0, "terminal", NULL, "for the terminal, as where the output is one", "size theme",
     .flag = &terminal},
    {0, "width", "N", "columns of a picture on the terminal", .count = &columns,
     .least = 40, .most = 500},
    {0, "size", "WxH", "pixels of a picture, or mm, cm, in, pt: 84mmx55mm",
     .take = set_size},
    {0, "title", "TEXT", "the title", .text = &title},
    {0, "theme", "THEME", "auto (as the reader prefers), light or dark", .take = set_theme,
     .word = theme_word},
    {0, "colours", "N", "colours of names, the last for all others (8)", .count = &colours,
     .least = 1, .most = 8},
    {0, "progress", NULL, "tell every second how far the run is", .flag = &progress},
    RUN_INPUT_ROWS,
    {0},
};

static const struct program program = {
    .about = "write the first page about a trace",
    .operands = "[FILE...]",
    .examples = {"trace-report solver.meta > solver.html",
		 "trace-report --terminal Financial1.spc"},
    .opts = opts,
    .reads = true,
};

/* Dies if -o names a picture, which this program does not write. */
static void
no_picture(const char *path)
{
	static const char *const names[] = {"pdf", "ps", "png", "jpg", "svg"};
	const char *dot = path ? strrchr(path, '.') : NULL;

	for (size_t i = 0; dot && i < sizeof names / sizeof *names; i++)
		if (!strcmp(dot + 1, names[i]))
			die("-o %s: writes HTML: use -o %.*s.html, and print that from a "
			    "browser",
			    path, (int)(dot - path), path);
}

static struct run runs[PARTS_MOST];
static struct command_words words_of[PARTS_MOST];

/* Adds a part of the page. */
static void
add_part(struct page *p, enum part_kind kind, const char *name, size_t n)
{
	static const char *const program_of[] = {
	    "trace-stats", "trace-plot", "trace-access", "trace-reuse", "trace-advise"};
	static char number[16], width[16], threads[16];
	struct page_part *part = &p->part[p->nparts];
	struct command_words *w = &words_of[p->nparts];
	bool picture = kind == PART_PICTURE;

	*part = (struct page_part){.kind = kind, .run = &runs[p->nparts++]};
	buf_str(&part->command, program_of[kind]);
	words_add(w, program_of[kind]);
	if (picture) {
		part->name = xstrndup(name, n);
		command_word(&part->command, part->name);
		words_add(w, part->name);
	}
	command_events(&part->command, &p->asker, NULL);
	words_option(w, "-e", test);
	words_option(w, "-k", keys);
	snprintf(number, sizeof number, "%u", colours);
	snprintf(width, sizeof width, "%u", columns);
	snprintf(threads, sizeof threads, "%u",
		 common.read.threads ? common.read.threads : 1);
	if (picture) {
		const char *option[][2] = {
		    {"--colours", colours ? number : NULL},
		    {"--size", size},
		    {"--theme", strcmp(theme, "auto") ? theme : NULL}};

		for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
			command_option(&part->command, option[i][0], option[i][1]);
			words_option(w, option[i][0], option[i][1]);
		}
		if (terminal) {
			words_add(w, "--terminal");
			words_option(w, "--width", columns ? width : NULL);
		}
	} else if (kind == PART_FINDINGS) {
		command_option(&part->command, "--head", FINDINGS_MOST);
		words_option(w, "--head", FINDINGS_MOST);
		words_option(w, "--severity", "error");
	} else if (kind != PART_CURVE && !terminal)
		words_add(w, "--html");
	if (kind != PART_ACCESS && kind != PART_FINDINGS)
		words_option(w, "-j", threads);
	if (kind == PART_TABLES && progress) {
		words_add(w, "--progress");
		part->run->tells = true;
	}
	command_inputs(&part->command, &p->asker);
	part->run->argv = end_words(w);
	part->run->in = input_again();
}

/* Keeps each new message of a program, without its name, and prints it. */
static void
take_messages(struct page *p, const struct page_part *part)
{
	const struct run *r = part->run;
	bool trouble = (part->kind != PART_PICTURE && part->kind != PART_FINDINGS) ||
		       (r->status == ST_TROUBLE && !p->damaged);
	const char *line = r->err.n ? (const char *)r->err.p : "", *end = line + r->err.n;
	size_t name = strlen(*r->argv);

	/* Other parts read the same inputs. */
	if (part->kind == PART_FINDINGS && p->found_only)
		return;
	for (const char *next; line < end; line = next) {
		size_t n = (size_t)(end - line);
		uint32_t id;

		next = memchr(line, '\n', n);
		n = next ? (size_t)(next - line) : n;
		next = line + n + 1;
		if (n > name + 2 && !memcmp(line, *r->argv, name) && line[name] == ':' &&
		    line[name + 1] == ' ') {
			line += name + 2;
			n -= name + 2;
		}
		if (!n || strtab_find(&p->messages, line, n, &id) ||
		    strtab_find(&p->notes, line, n, &id))
			continue;
		strtab_id(trouble ? &p->messages : &p->notes, line, n);
		warn("%.*s", (int)n, line);
	}
	p->damaged |= r->status == ST_TROUBLE;
}

/* Returns the title of the page. */
static const char *
title_of(void)
{
	static struct buf b;
	const char *path = common.n ? *common.path : "-", *name;
	size_t n = strlen(path);

	if (title)
		return title;
	if (!common.n)
		return "A trace from standard input";
	while (n > 1 && path[n - 1] == '/')
		n--;
	for (name = path + n; name > path && (name[-1] != '/' || name == path + n); name--)
		;
	buf_add(&b, name, (size_t)(path + n - name));
	if (common.n > 1) {
		buf_str(&b, " and ");
		buf_to(&b, put_u64(buf_room(&b, 20 + PUT_SLACK), common.n - 1));
		buf_str(&b, " more");
	}
	buf_byte(&b, '\0');
	return (const char *)b.p;
}

/* Returns the condition of the events that are shown; NULL: all. */
static const char *
only(void)
{
	static struct buf b;
	const struct time_slice *slice = common.read.slice;

	if (!slice)
		return test;
	if (test)
		for (const char *const *s = (const char *const[]){"(", test, ")", NULL}; *s;
		     s++)
			buf_str(&b, *s);
	if (slice->from.set) {
		buf_str(&b, b.n ? " and time >= " : "time >= ");
		buf_str(&b, slice->from.text);
	}
	if (slice->to.set) {
		buf_str(&b, b.n ? " and time < " : "time < ");
		buf_str(&b, slice->to.text);
	}
	buf_byte(&b, '\0');
	return (const char *)b.p;
}

/* Shows all parts on a terminal, then the messages. Returns whether there was an event. */
static bool
show_parts(struct page *p, struct out *o)
{
	bool any = false;

	for (size_t i = 0; i < p->nparts; i++)
		p->part[i].run->inherit = true;
	page_live(p, o);
	for (size_t i = 0; i < p->nparts; i++) {
		any |= p->part[i].kind == PART_PICTURE && p->part[i].run->status == ST_OK;
		take_messages(p, &p->part[i]);
	}
	return any;
}

/* Runs the programs of all parts, and removes the pictures that have nothing to draw. */
static void
make_parts(struct page *p, unsigned at_once)
{
	size_t n = 0;

	run_all(runs, p->nparts, at_once);
	for (size_t i = 0; i < p->nparts; i++) {
		struct page_part *part = &p->part[i];

		if (part->kind == PART_PICTURE && part->run->status == ST_NONE)
			continue;
		take_messages(p, part);
		p->part[n++] = *part;
	}
	p->nparts = n;
}

/* Adds the pictures for each format of the inputs; `shown` are the operands that the user typed. */
static void
add_pictures(struct page *p, char **shown)
{
	static struct format_group group[GROUPS_MOST];
	static struct buf about;
	size_t groups = format_groups(formats_known, look(p, formats_known), shown, group);
	char **paths = common.path;
	size_t n = common.n;
	struct asker asker = p->asker;

	for (size_t i = 0; i < groups; i++) {
		const struct format_group *g = &group[i];

		buf_str(&about, i ? "; " : "");
		buf_str(&about, g->format->about);
		common.path = g->read;
		common.n = g->n;
		p->asker.paths = g->shown;
		p->asker.n = g->n;
		for (const char *s = g->format->pictures; *s; s += *s == ' ') {
			size_t len = strcspn(s, " ");

			add_part(p, PART_PICTURE, s, len);
			if (groups > 1) {
				p->part[p->nparts - 1].format = g->format->about;
				p->part[p->nparts - 1].group = (unsigned)i;
			}
			s += len;
		}
	}
	common.path = paths;
	common.n = n;
	p->asker = asker;
	buf_byte(&about, '\0');
	p->about = (const char *)about.p;
}

/* Runs without the sandbox, because no trace is read here. The programs that are started enter it. */
int
main(int argc, char **argv)
{
	static struct page page;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct out out;
	char **shown;
	bool any = false;
	int status = ST_OK;

	opt_read(&program, argc, argv);
	put_init();
	/* The commands are the same without it. */
	common.n -= common.n == 1 && !strcmp(*common.path, "-");
	no_picture(common.write.path);
	page.title = title_of();
	signal(SIGUSR1, SIG_IGN);
	if (common.read.follow)
		opt_die("--follow: a page is about inputs that have ended; trace-stats "
			"--follow "
			"shows windows as they come");
	check_options(test, keys);
	if (!out_open(&out, common.write.path))
		die("%s:", common.write.path);
	shown = xcalloc(common.n + 1, sizeof *shown);
	memcpy(shown, common.path, common.n * sizeof *shown);
	page.damaged = !keep_inputs();
	terminal |= out.tty;
	page.only = only();
	page.theme = theme;
	page.asker = (struct asker){.test = test,
				    .key = keys,
				    .said = (const char *)common.said.p,
				    .nsaid = common.said.n,
				    .paths = shown,
				    .n = common.n};
	add_part(&page, PART_TABLES, NULL, 0);
	add_pictures(&page, shown);
	if (access_too) {
		add_part(&page, PART_ACCESS, NULL, 0);
		add_part(&page, PART_CURVE, NULL, 0);
	}
	page.found_only = !findings_too;
	if (findings_too || (!terminal && !test && !keys && !common.read.chunks &&
			     !common.read.slice && inputs_below(FINDINGS_BYTES)))
		add_part(&page, PART_FINDINGS, NULL, 0);
	if (out.tty)
		any = show_parts(&page, &out);
	else
		make_parts(&page, processors > 1 ? (unsigned)processors : 1);
	for (size_t i = 0; i < page.nparts; i++)
		any |= page.part[i].run->out.n > 0;
	status = page.damaged ? ST_TROUBLE : ST_OK;
	if (any && !out.tty)
		(terminal ? page_text : page_html)(&page, &out);
	else if (!any) {
		warn("no events: there is nothing to show");
		status = status == ST_OK ? ST_NONE : status;
	}
	return out_close(&out, status);
}
