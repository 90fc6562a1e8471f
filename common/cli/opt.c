/* opt.c - the command line. */
#define _GNU_SOURCE /* getopt_long */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/formats.h"
#include "cli/opt.h"
#include "input/merged.h"
#include "input/turns.h"

enum {
	O_VERSION = OPT_LONG * 4, /* behind the programs' own */
	O_COMPLETE,
	O_LINE,
	O_PROGRESS,
	O_HZ,
	O_STRICT,
	O_CHUNK,
	O_BY_TIME,
	O_FROM,
	O_FOLLOW,
	O_TO,
};

/* Shared options; a program has them by its `reads` and `writes`. */
static const struct opt input_opts[] = {
    {'f', "format", "NAME", "the input's format; otherwise it is found out", NULL},
    {'O', "option", "NAME[=VALUE]", "an option of a format; -O list prints all", NULL},
    {O_HZ, "hz", "N", "a clock of ticks runs at N per second", NULL},
    {O_CHUNK, "chunk", "K/N", "read only the K-th of N parts of the input", NULL},
    {O_FROM, "from", "TIME", "only events from this time on", NULL},
    {O_TO, "to", "TIME", "only events before it", NULL},
    {O_FOLLOW, "follow", NULL, "wait for more at the end of the file, until SIGINT",
     "by-time chunk"},
    {O_BY_TIME, "by-time", NULL, "read all inputs as one, in order of time", "chunk n"},
    {O_STRICT, "strict", NULL, "stop at the first broken record", NULL},
    {OPT_OF_FORMAT, "follow-links", NULL, "ovni: links that lead out of a trace, too",
     NULL},
    {O_PROGRESS, "progress", NULL, "tell every second how far the run is", NULL},
    {0},
};
static const struct opt output_opts[] = {
    {'t', "text", NULL, "write the text stream", "b"},
    {'b', "binary", NULL, "write the binary stream", NULL},
    {'H', "header", NULL, "with a header: format, clock, names, metadata", NULL},
    {'A', "absolute", NULL, "absolute times", NULL},
    {0},
};
static const struct opt always_opts[] = {
    {'o', "output", "FILE", "write to FILE, which appears when all went well", NULL},
    {O_LINE, "line-buffered", NULL, "flush output as events come in", NULL},
    {'h', "help", NULL, "this text", NULL},
    {O_VERSION, "version", NULL, "the version", NULL},
    {O_COMPLETE, "complete", NULL, NULL, NULL},
    {0},
};

#define OPTS_MOST 64

struct all_opts {
	struct row {
		struct opt o;
		/* Where it is a format's option. */
		const struct format *fmt;
		const struct format_option *of;
	} v[OPTS_MOST];
	int n;
};

/* Adds those of names that are not there yet. */
static void
add_opts(struct all_opts *all, const struct opt *o)
{
	for (; o && o->c; o++) {
		struct row *r = all->v, *end = all->v + all->n;

		while (r < end && strcmp(r->o.name, o->name) != 0)
			r++;
		if (r < end || all->n == OPTS_MOST)
			continue;
		r->o = *o;
		if (o->c == OPT_OF_FORMAT)
			r->of =
			    format_option_named(formats, o->name, strlen(o->name), &r->fmt);
		all->n++;
	}
}

/*
 * Leaves out of --help parts, where inputs are needed whole, and options of formats that a decoder
 * does not read, which change nothing.
 */
static void
hide(struct all_opts *all, const struct program *p)
{
	for (struct row *r = all->v; r < all->v + all->n; r++)
		if (r->o.c == O_CHUNK ? p->whole != NULL
				      : r->of && p->decodes && r->fmt != p->decodes)
			r->o.help = NULL;
}

/* The options of a decoder's format. */
static void
add_format(struct all_opts *all, const struct format *f)
{
	for (const struct format_option *o = f->options; o && o->name; o++)
		all->v[all->n++] = (struct row){.o = {o->letter ? o->letter : OPT_OF_FORMAT,
						      o->name, o->arg, o->help, NULL},
						.fmt = f,
						.of = o};
}

static void
gather(struct all_opts *all, const struct program *p)
{
	all->n = 0;
	add_opts(all, p->opts);
	if (p->decodes)
		add_format(all, p->decodes);
	if (p->writes)
		add_opts(all, output_opts);
	if (p->reads)
		add_opts(all, input_opts);
	add_opts(all, always_opts);
	hide(all, p);
}

static void
help(const struct program *p, const struct all_opts *all)
{
	bool has_expr = strstr(p->operands, "EXPR") != NULL;

	printf("usage: %s [OPTIONS] %s\n%s\n\n", prog_name(), p->operands, p->about);
	for (int i = 0; i < all->n; i++) {
		const struct opt *o = &all->v[i].o;
		char left[64];

		if (!o->help)
			continue;
		has_expr |= o->arg && strstr(o->arg, "EXPR");
		snprintf(left, sizeof left, "%c%c%c --%s%s%s", o->c < OPT_LONG ? '-' : ' ',
			 o->c < OPT_LONG ? o->c : ' ', o->c < OPT_LONG ? ',' : ' ', o->name,
			 o->arg && *o->arg != '[' ? " " : "", o->arg ? o->arg : "");
		printf("  %-26s %s\n", left, o->help);
	}
	printf("\nexamples:\n  %s\n  %s\n\nSee %s(1), %sand spoor(7).\n", p->examples[0],
	       p->examples[1], prog_name(),
	       has_expr ? "spoor-expr(7) for expressions, " : "");
}

static const char *
format_word(size_t i)
{
	return formats[i] ? formats[i]->name : NULL;
}

/* The words of an option; with word = NULL where none are fixed. */
static struct opt_words
words_of(const struct program *p, int c)
{
	for (const struct opt_words *w = p->words; w && w->c; w++)
		if (w->c == c)
			return *w;
	return (struct opt_words){c, false, c == 'f' && p->reads ? format_word : NULL};
}

/* All options of formats: a line each, or for completion NAME, NAME= and NAME=WORD with blanks. */
static void
print_options(bool lines)
{
	const char *blank = "";

	for (size_t i = 0; formats[i]; i++)
		for (const struct format_option *o = formats[i]->options; o && o->name;
		     o++) {
			char text[64];

			snprintf(text, sizeof text, "%s%s%s", o->name, o->arg ? "=" : "",
				 o->arg && lines ? o->arg : "");
			if (lines)
				printf("%-16s %-13s %s\n", text, formats[i]->name, o->help);
			else
				printf("%s%s", blank, text);
			blank = " ";
			for (size_t k = 0; !lines && o->words && o->words[k]; k++)
				printf(" %s%s", text, o->words[k]);
		}
}

static void
put_words(const char *word(size_t i))
{
	for (size_t k = 0; word && word(k); k++)
		printf("%s%s", k ? " " : "", word(k));
}

/*
 * --complete: what a shell's completion is made of. A line for the operands, with the words that the first may be,
 * then one for each option: letter, long name, argument, help, the words that it may be, and a comma if
 * it may be a list of them; with TABs between.
 */
static void
complete(const struct program *p, const struct all_opts *all)
{
	printf("\t\t%s\t%s\t", p->operands, p->about);
	put_words(words_of(p, OPT_OPERAND).word);
	puts("\t");
	for (int i = 0; i < all->n; i++) {
		const struct opt *o = &all->v[i].o;
		const struct format_option *of = all->v[i].of;
		struct opt_words w;

		if (!o->help)
			continue;
		if (o->c < OPT_LONG)
			printf("-%c", o->c);
		printf("\t--%s\t%s\t%s\t", o->name, o->arg ? o->arg : "", o->help);
		w = words_of(p, o->c);
		put_words(w.word);
		for (size_t k = 0; of && of->words && of->words[k]; k++)
			printf("%s%s", k ? " " : "", of->words[k]);
		if (o->c == 'O')
			print_options(false);
		printf("\t%s\n", w.list ? "," : "");
	}
}

static _Noreturn void
finish(void)
{
	if (fflush(stdout) || ferror(stdout))
		die("<stdout>: write:");
	exit(ST_OK);
}

void
opt_die(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	die("%s (try %s --help)", text, prog_name());
}

static const struct format *
named_format(const char *name)
{
	const struct format *f = format_named(formats, name);
	char list[256] = "";

	if (f)
		return f;
	for (size_t i = 0; formats[i]; i++) {
		strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
		strncat(list, formats[i]->name, sizeof list - strlen(list) - 1);
	}
	opt_die("-f %s: no such format (%s)", name, list);
}

/* An option of a format, written as `what`. */
static void
set_option(struct read_options *opt, const struct format *f, const struct format_option *o,
	   const char *what, const char *file, const char *text)
{
	if (o->words && !strcmp(text, "list")) {
		for (size_t i = 0; o->words[i]; i++)
			printf("%s%s%s\n", o->words[i], o->means ? "\t" : "",
			       o->means ? o->means[i] : "");
		finish();
	}
	format_set(opt, f, o, what, file, text);
}

static const struct format_option *
named_option(const char *text, size_t n, const struct format **f)
{
	const struct format_option *o = format_option_named(formats, text, n, f);

	if (o)
		return o;
	opt_die("-O %s: no format has such an option (-O list)", text);
}

/* -O: "NAME", "NAME=VALUE" or "NAME:FILE=VALUE". */
static void
format_option(struct read_options *opt, const char *text)
{
	size_t n = strcspn(text, "="), name = strcspn(text, ":=");
	const char *file = name < n ? xstrndup(text + name + 1, n - name - 1) : NULL;
	const struct format_option *o;
	const struct format *f;
	char what[64];

	if (!strcmp(text, "list")) {
		print_options(true);
		finish();
	}
	o = named_option(text, name, &f);
	if (file && !o->file_at)
		opt_die("-O %s: it is for no single file", o->name);
	if (!o->arg && text[n])
		opt_die("-O %s: it takes no value", o->name);
	if (o->arg && !text[n])
		opt_die("-O %s: a value is missing: %s=%s", o->name, o->name, o->arg);
	snprintf(what, sizeof what, "-O %s", o->name);
	set_option(opt, f, o, what, file, text + n + 1);
	for (struct format_values *v = opt->values; v; v = v->next)
		if (v->fmt == f)
			v->asked |= 1u << (o - f->options);
}

#define CHUNKS_MOST 1000000

/* --chunk: "K/N". */
static void
chunk_option(struct read_options *opt, const char *text)
{
	char *end;
	unsigned long k = strtoul(text, &end, 10), n = 0;

	if (end > text && *end == '/' && end[1] >= '0' && end[1] <= '9')
		n = strtoul(end + 1, &end, 10);
	if (*end || !k || k > n || n > CHUNKS_MOST || *text < '0' || *text > '9')
		opt_die("--chunk %s: K/N is expected, K from 1 to N (at most %d)", text,
			CHUNKS_MOST);
	opt->chunk = (unsigned)k;
	opt->chunks = (unsigned)n;
}

/* --from and --to. */
static void
slice_option(struct common *c, const char *what, bool from)
{
	const char *why = slice_time(from ? &c->slice.from : &c->slice.to, optarg);

	if (why)
		opt_die("%s %s: %s", what, optarg, why);
	c->read.slice = &c->slice;
}

/* True where the option is a shared one. */
static bool
shared(const struct program *p, struct common *c, int o)
{
	switch (o) {
	case 't':
	case 'b':
	case 'n':
		if (p->writes)
			c->write.form = o == 't'   ? &form_text
					: o == 'b' ? &form_binary
						   : &form_native;
		return p->writes;
	case 'H': return p->writes ? (c->write.header = true) : false;
	case 'A': return p->writes ? (c->write.absolute = true) : false;
	case 'f': return p->reads ? (c->read.only = named_format(optarg), true) : false;
	case 'O': return p->reads ? (format_option(&c->read, optarg), true) : false;
	case O_HZ: c->read.hz = num_hertz("--hz", optarg, 1, 18000000000u); return true;
	case O_CHUNK: return chunk_option(&c->read, optarg), true;
	case O_FROM: return slice_option(c, "--from", true), true;
	case O_TO: return slice_option(c, "--to", false), true;
	case O_FOLLOW: return c->read.follow = c->write.line = true;
	case O_BY_TIME: c->read.merge = &merge_by_time; return true;
	case O_STRICT: return c->read.strict = true;
	case O_PROGRESS: progress_every(1); return true;
	case 'j': c->read.threads = (unsigned)num_option("-j", optarg, 1, 256); return true;
	case 'o': c->write.path = optarg; return true;
	case O_LINE: return c->write.line = true;
	default: return false;
	}
}

/* Whether `o` says that it goes against `other`. */
static bool
against(const struct opt *o, const struct opt *other)
{
	for (const char *p = o->against; p && *p; p += *p == ' ') {
		size_t n = strcspn(p, " ");

		if (other->c < OPT_LONG
			? n == 1 && *p == other->c
			: n == strlen(other->name) && !memcmp(p, other->name, n))
			return true;
		p += n;
	}
	return false;
}

/* How an option is written: -x, or --name. */
static const char *
written(const struct opt *o, char to[static 32])
{
	if (o->c < OPT_LONG)
		snprintf(to, 32, "-%c", o->c);
	else
		snprintf(to, 32, "--%s", o->name);
	return to;
}

/* Notes that an option was given; dies where one contradicts it that was given before. */
static void
give(const struct all_opts *all, bool given[], int at)
{
	const struct opt *o = &all->v[at].o;
	char one[32], other[32];

	for (int i = 0; i < all->n; i++)
		if (given[i] && (against(o, &all->v[i].o) || against(&all->v[i].o, o)))
			opt_die(i == at ? "only one %s can be"
					: "%s and %s contradict each other",
				written(&all->v[i].o, one), written(o, other));
	given[at] = true;
}

/* All options have been read. */
static void
check_options(const struct program *p, struct common *c)
{
	c->read.processors = turns_processors();
	if (c->read.chunks && p->whole)
		opt_die("--chunk: %s", p->whole);
	if (!c->read.expect)
		c->read.expect = p->decodes;
	if (c->read.expect && c->read.only && c->read.only != c->read.expect)
		opt_die("-f %s: only %s is read here", c->read.only->name,
			c->read.expect->name);
}

/* The options as getopt_long has them. */
static void
for_getopt(const struct all_opts *all, struct option *longs, char *shorts)
{
	/* It stops at operands: "+" (see next); errors are told in our words: ":". */
	*shorts++ = '+';
	*shorts++ = ':';
	for (int i = 0; i < all->n; i++) {
		const struct opt *row = &all->v[i].o;

		longs[i] = (struct option){row->name,
					   !row->arg	      ? no_argument
					   : *row->arg == '[' ? optional_argument
							      : required_argument,
					   NULL, row->c};
		if (row->c < OPT_LONG) {
			*shorts++ = (char)row->c;
			if (row->arg)
				*shorts++ = ':';
		}
	}
	opterr = 0;
}

/* Notes an option in c->said. */
static void
note(struct common *c, const struct opt *o)
{
	char what[32];

	written(o, what);
	buf_add(&c->said, what, strlen(what) + 1);
	if (o->arg)
		buf_add(&c->said, optarg, strlen(optarg) + 1);
}

/*
 * getopt_long, which finds options behind operands as well: those stand as they were behind all options in the
 * end. Its own way to do that loses the place of a -- between two lists of operands.
 */
static int
next(const struct program *p, int argc, char **argv, const char *shorts,
     const struct option *longs, int *at)
{
	static int n; /* operands, put at the beginning of argv */
	int o, before;

	for (;;) {
		before = optind;
		o = getopt_long(argc, argv, shorts, longs, at);
		if (o != -1 || optind >= argc || optind != before)
			break;
		argv[1 + n++] = argv[optind++];
	}
	if (o == -1) {
		/* It read a --. */
		optind -= optind != before && p->two_lists && n > 0;
		optind -= n;
		memmove(argv + optind, argv + 1, (size_t)n * sizeof *argv);
		n = 0;
	}
	return o;
}

int
opt_next(const struct program *p, struct common *common, int argc, char **argv)
{
	static struct all_opts all;
	static struct option longs[OPTS_MOST + 1];
	static char shorts[2 * OPTS_MOST + 2];
	static bool ready, given[OPTS_MOST];
	int o;

	common->read.known = formats;
	if (!ready) {
		gather(&all, p);
		for_getopt(&all, longs, shorts);
		ready = true;
	}
	for (;;) {
		const char *word;
		char what[32];
		int at = -1;

		o = next(p, argc, argv, shorts, longs, &at);
		word = argv[optind - 1];
		/* Its argument may be a word of its own. */
		if (at >= 0 && optarg == word)
			word = argv[optind - 2];
		/* A script that abbreviates breaks when an option is added. */
		if (at >= 0 && strcspn(word + 2, "=") != strlen(longs[at].name))
			opt_die("unknown option %s (--%s?)", word, longs[at].name);
		switch (o) {
		case -1: check_options(p, common); return -1;
		case '?':
			if (optopt && optopt < OPT_LONG)
				opt_die("unknown option -%c", optopt);
			opt_die("unknown option, or one too many arguments: %s",
				argv[optind - 1]);
		case ':': opt_die("%s needs an argument", argv[optind - 1]);
		case 'h': help(p, &all); finish();
		case O_VERSION:
			printf("%s (spoor) " SPOOR_VERSION "\n", prog_name());
			finish();
		case O_COMPLETE: complete(p, &all); finish();
		default:
			while (at < 0 || all.v[at].o.c != o)
				at++;
			give(&all, given, at);
			if (p->reads && (o == 'f' || o == 'O' || o >= O_HZ))
				note(common, &all.v[at].o);
			if (all.v[at].of)
				set_option(&common->read, all.v[at].fmt, all.v[at].of,
					   written(&all.v[at].o, what), NULL, optarg);
			else if (!shared(p, common, o))
				return o;
		}
	}
}

void
opt_in_order(const struct common *c, bool in_order)
{
	if (c->read.chunks && in_order)
		opt_die("--chunk reads a part alone, and prev, nth and total need all "
			"events before");
}

bool
opt_must_be_file(const char *name)
{
	struct stat st;

	return strpbrk(name, "./") || fstat(0, &st) != 0 || S_ISCHR(st.st_mode);
}
