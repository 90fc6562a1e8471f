/* opt.c - the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "base/tuning.h"
#include "cli/cli_formats.h"
#include "cli/opt_row.h"
#include "input/threads.h"

struct common common = {.read = {.known = formats, .sniffers = sniffers}};

static const struct program *program;
static const char **labels; /* names of --label */

static _Noreturn void
finish(void)
{
	if (fflush(stdout) || ferror(stdout))
		die("<stdout>: write:");
	exit(ST_OK);
}

/* Writes the option as the user writes it, -x or --name, and returns `to`. */
static const char *
written(const struct opt *o, char to[static 32])
{
	if (o->c > 0)
		snprintf(to, 32, "-%c", o->c);
	else
		snprintf(to, 32, "--%s", o->name);
	return to;
}

static const char *
help(void *own, const char *none)
{
	bool has_expr = strstr(program->operands, "EXPR") != NULL;

	(void)own, (void)none;
	printf("usage: %s [OPTIONS] %s\n%s\n\n", prog_name(), program->operands,
	       program->about);
	for (int i = 0; i < opt_rows; i++) {
		const struct opt *o = &opt_row[i].o;
		char left[64];

		if (!o->help)
			continue;
		has_expr |= o->arg && strstr(o->arg, "EXPR");
		snprintf(left, sizeof left, "%c%c%c --%s%s%s", o->c > 0 ? '-' : ' ',
			 o->c > 0 ? o->c : ' ', o->c > 0 ? ',' : ' ', o->name,
			 o->arg && *o->arg != '[' ? " " : "", o->arg ? o->arg : "");
		printf("  %-26s %s\n", left, o->help);
	}
	printf("\nexamples:\n  %s\n  %s\n\nSee %s(1), %sand spoor(7).\n",
	       program->examples[0], program->examples[1], prog_name(),
	       has_expr ? "spoor-expr(7) for expressions, " : "");
	finish();
}

#ifndef SPOOR_VERSION
#define SPOOR_VERSION "unknown" /* the Makefile defines it */
#endif

const char *
opt_version(void)
{
	return SPOOR_VERSION;
}

static const char *
version(void *own, const char *none)
{
	(void)own, (void)none;
	printf("%s (spoor) %s\n", prog_name(), opt_version());
	finish();
}

static const char *
format_word(size_t i)
{
	return formats[i] ? formats[i]->name : NULL;
}

/* Prints all options of formats: with `lines` one a line, else for completion NAME, NAME= and NAME=WORD with
 * blanks between. */
static void
print_options(bool lines)
{
	const char *blank = "";

	for (size_t i = 0; formats[i]; i++)
		for (const struct format_option *o = format_option_rows(formats[i]);
		     o && o->name; o++) {
			const struct format *const *first = formats;
			char text[64];

			/* Completion needs each name once. */
			if (!lines &&
			    format_option_named(&first, o->name, strlen(o->name)) != o)
				continue;
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

/* Prints the table for shell completion (--complete). The first line has the operands, with the words that the
 * first operand may be. Then each option has one: letter, long name, argument, help, the words that its argument
 * may be, and a comma if it may be a list of them; TABs are between. */
static const char *
complete(void *own, const char *none)
{
	(void)own, (void)none;
	printf("\t\t%s\t%s\t", program->operands, program->about);
	put_words(program->operand);
	puts("\t");
	for (int i = 0; i < opt_rows; i++) {
		const struct opt *o = &opt_row[i].o;
		const struct format_option *of = opt_row[i].of;

		if (!o->help)
			continue;
		if (o->c > 0)
			printf("-%c", o->c);
		printf("\t--%s\t%s\t%s\t", o->name, o->arg ? o->arg : "", o->help);
		put_words(o->word);
		for (size_t k = 0; of && of->words && of->words[k]; k++)
			printf("%s%s", k ? " " : "", of->words[k]);
		if (o->c == 'O')
			print_options(false);
		printf("\t%s\n", o->list ? "," : "");
	}
	finish();
}

static const char *
only(void *own, const char *name)
{
	char list[OPT_LIST];

	(void)own;
	common.read.only = format_named(formats, name);
	if (common.read.only)
		return NULL;
	if (program->decodes)
		opt_die("-f %s: only %s is read here", name, opt_list(list, format_word));
	opt_die("-f %s: no such format (%s)", name, opt_list(list, format_word));
}

/* Sets an option of a format. `what` is the option as the user wrote it, for messages. */
static void
set_option(const struct format *f, const struct format_option *o, const char *what,
	   const char *file, const char *text)
{
	if (o->words && !strcmp(text, "list")) {
		for (size_t i = 0; o->words[i]; i++)
			printf("%s%s%s\n", o->words[i], o->means ? "\t" : "",
			       o->means ? o->means[i] : "");
		finish();
	}
	format_set(&common.read, f, o, what, file, text);
}

/* Handles -O: "NAME", "NAME=VALUE" or "NAME:FILE=VALUE". */
static const char *
option(void *own, const char *text)
{
	size_t n = strcspn(text, "="), name = strcspn(text, ":=");
	const char *file = name < n ? xstrndup(text + name + 1, n - name - 1) : NULL;
	const struct format *const *f = formats;
	const struct format_option *o = format_option_named(&f, text, name);
	char what[64];

	(void)own;
	if (!strcmp(text, "list")) {
		print_options(true);
		finish();
	}
	if (!o)
		opt_die("-O %s: no format has such an option (-O list)", text);
	if (file && !o->file_at)
		opt_die("-O %s: the option cannot be set for a single file", o->name);
	if (!o->arg && text[n])
		opt_die("-O %s: the option takes no value", o->name);
	if (o->arg && !text[n])
		opt_die("-O %s: a value is missing: %s=%s", o->name, o->name, o->arg);
	snprintf(what, sizeof what, "-O %s", o->name);
	for (; o; f++, o = format_option_named(&f, text, name)) {
		set_option(*f, o, what, file, text + n + 1);
		for (struct format_values *v = common.read.values; v; v = v->next)
			if (v->fmt == *f)
				v->asked |= 1u << (o - (*f)->settings->options);
	}
	return NULL;
}

#define CHUNKS_MOST 1000000

/* Handles --chunk: "K/N". */
static const char *
chunk(void *own, const char *text)
{
	char *end;
	unsigned long k = strtoul(text, &end, 10), n = 0;

	(void)own;
	if (end > text && *end == '/' && end[1] >= '0' && end[1] <= '9')
		n = strtoul(end + 1, &end, 10);
	if (*end || !k || k > n || n > CHUNKS_MOST || *text < '0' || *text > '9')
		opt_die("--chunk %s: K/N is expected, K from 1 to N (at most %d)", text,
			CHUNKS_MOST);
	common.read.chunk = (unsigned)k;
	common.read.chunks = (unsigned)n;
	return NULL;
}

/* Handles --label: names with commas between. */
static const char *
label(void *own, const char *list)
{
	char *p = xstrdup(list), *end;
	static size_t cap;

	(void)own;
	for (; p; p = end ? end + 1 : NULL) {
		end = strchr(p, ',');
		if (end)
			*end = '\0';
		if (!*p)
			return "a name is empty";
		*PUSH(labels, common.read.labels, cap) = p;
	}
	common.read.label = labels;
	return NULL;
}

/* Handles --from and --to. */
static const char *
limit(void *to, const char *text)
{
	struct slice_time *t = to;
	const char *why;

	common.read.slice = &common.slice;
	t->back = !strncmp(text, "end-", 4);
	why = slice_time(t, text + (t->back ? 4 : 0));
	t->text = text;
	return !why && t->back && (t->date || t->num.neg)
		   ? "a number of seconds or ticks is expected after end-"
		   : why;
}

static const char *
hertz(void *to, const char *text)
{
	*(uint64_t *)to = num_hertz("--hz", text, 1, 18000000000u);
	return NULL;
}

static const char *
tune(void *own, const char *text)
{
	(void)own;
	return tuning_set(text) ? NULL : "no such NAME=VALUE";
}

static const char *
follow(void *own, const char *none)
{
	(void)own;
	common.read.follow = common.write.line = true;
	return none;
}

static const char *
tell_progress(void *own, const char *none)
{
	(void)own;
	progress_every(1);
	return none;
}

/* Options that programs share. A program gets them by its `reads` and `writes`. */
static const struct opt input_opts[] = {
    {'f', "format", "NAME", "the input's format; otherwise it is found out", .take = only,
     .word = format_word, .kept = true},
    {'O', "option", "NAME[=VALUE]", "an option of a format; -O list prints all",
     .take = option, .kept = true},
    {0, "hz", "N", "a clock of ticks runs at N per second", .take = hertz,
     .to = &common.read.hz, .kept = true},
    {0, "chunk", "K/N", "read only the K-th of N parts of the input", .take = chunk,
     .kept = true},
    {0, "from", "TIME", "only events from this time, or from end-1s, on", .take = limit,
     .to = &common.slice.from, .kept = true},
    {0, "to", "TIME", "only events before it", .take = limit, .to = &common.slice.to,
     .kept = true},
    {0, "follow", NULL, "wait for more at the end of the file, until SIGINT", "chunk",
     .take = follow, .kept = true},
    {0, "strict", NULL, "stop at the first broken record", .flag = &common.read.strict,
     .kept = true},
    {OPT_OF_FORMAT, "follow-links", NULL, "ovni: links that lead out of a trace, too",
     .kept = true},
    {0, "progress", NULL, "tell every second how far the run is", .take = tell_progress},
    {0},
};
static const struct opt label_opts[] = {
    {0, "label", "NAMES", "names of the inputs, for the field input", "merge",
     .take = label, .kept = true},
    {0},
};
static const struct opt always_opts[] = {
    {'o', "output", "FILE", "write to FILE, which appears when all went well",
     .text = &common.write.path},
    {0, "line-buffered", NULL, "flush output as events come in",
     .flag = &common.write.line},
    {'h', "help", NULL, "this text", .take = help},
    {0, "version", NULL, "the version", .take = version},
    {0, "complete", NULL, NULL, .take = complete},
    {0, "tune", "NAME=VALUE", NULL, .take = tune},
    {0},
};

/* Adds the options whose names are not in the table yet. */
static void
add_opts(const struct opt *o)
{
	for (; o && o->name; o++) {
		struct opt_row *r = opt_row, *end = opt_row + opt_rows;

		while (r < end && strcmp(r->o.name, o->name) != 0)
			r++;
		if (r < end || opt_rows == OPTS_MOST)
			continue;
		r->o = *o;
		if (o->c == OPT_OF_FORMAT) {
			const struct format *const *f = formats;

			r->of = format_option_named(&f, o->name, strlen(o->name));
			r->fmt = *f;
		}
		/* Skip the option if no format that this program reads has it. */
		opt_rows += o->c != OPT_OF_FORMAT || r->of;
	}
}

/* Adds the options of a decoder's format. */
static void
add_format(const struct format *f)
{
	for (const struct format_option *o = format_option_rows(f); o && o->name; o++)
		opt_row[opt_rows++] =
		    (struct opt_row){.o = {o->letter ? o->letter : OPT_OF_FORMAT, o->name,
					   o->arg, o->help, .against = NULL},
				     .fmt = f,
				     .of = o};
}

static void
gather(void)
{
	add_opts(program->opts);
	if (program->decodes)
		add_format(program->decodes);
	add_opts(program->writes);
	if (program->reads && !program->decodes && !program->fields_not)
		add_opts(label_opts);
	if (program->reads)
		add_opts(input_opts);
	add_opts(always_opts);
	/* --help does not show --chunk if the program needs whole inputs. */
	for (struct opt_row *r = opt_row; r < opt_row + opt_rows; r++)
		if (r->o.take == chunk && program->whole)
			r->o.help = NULL;
}

/* Returns true if opt_any accepts the word of n bytes as a name of the option. */
static bool
is_named(const struct opt *o, const char *word, size_t n)
{
	return (o->c > 0 && n == 1 && *word == o->c) ||
	       (n == strlen(o->name) && !memcmp(word, o->name, n));
}

/* Returns true if o->against names `other`. */
static bool
against(const struct opt *o, const struct opt *other)
{
	for (const char *p = o->against; p && *p; p += *p == ' ') {
		size_t n = strcspn(p, " ");

		if (is_named(other, p, n))
			return true;
		p += n;
	}
	return false;
}

const char *
opt_any(const char *names)
{
	static char text[32];

	for (const char *p = names; *p; p += *p == ' ') {
		size_t n = strcspn(p, " ");

		for (int i = 0; i < opt_rows; i++)
			if (opt_row[i].given && is_named(&opt_row[i].o, p, n))
				return written(&opt_row[i].o, text);
		p += n;
	}
	return NULL;
}

/* Dies because the test o was given twice; arg is its second argument. */
static _Noreturn void
give_twice(const struct opt *o, const char *arg)
{
	static const char *const join[] = {") and (", ") or ("};
	struct buf b = {0}, both = {0};
	char name[32];

	written(o, name);
	buf_str(&b, " is given twice");
	for (size_t i = 0; i < 2; i++) {
		both.n = 0;
		buf_byte(&both, '(');
		buf_str(&both, *o->text);
		buf_str(&both, join[i]);
		buf_str(&both, arg);
		buf_add(&both, ")", 2);
		buf_str(&b, i ? " or " : ": ");
		buf_str(&b, name);
		buf_byte(&b, ' ');
		buf_word(&b, (const char *)both.p);
	}
	buf_byte(&b, '\0');
	opt_die("%s%s", name, (const char *)b.p);
}

/* Notes that an option was given. Dies if it contradicts an option that was given before. */
static void
mark_given(struct opt_row *r)
{
	char one[32], other[32];

	if (r->given && against(&r->o, &r->o))
		give_twice(&r->o, optarg);
	for (struct opt_row *i = opt_row; i < opt_row + opt_rows; i++)
		if (i->given && (against(&r->o, &i->o) || against(&i->o, &r->o)))
			opt_die("%s and %s contradict each other", written(&i->o, one),
				written(&r->o, other));
	r->given = true;
	if (!r->o.kept)
		return;
	written(&r->o, one);
	buf_add(&common.said, one, strlen(one) + 1);
	if (r->o.arg)
		buf_add(&common.said, optarg, strlen(optarg) + 1);
}

/* Appends arg to the list of r. Returns the whole list. */
static const char *
join_argument(struct opt_row *r, const char *arg)
{
	if (r->list.n)
		r->list.p[r->list.n - 1] = ',';
	buf_add(&r->list, arg, strlen(arg) + 1);
	return (const char *)r->list.p;
}

/* Sets the variables of the option, or calls its function. */
static void
set(struct opt_row *r, const char *arg)
{
	const struct opt *o = &r->o;
	const char *why;
	char what[32];

	written(o, what);
	if (r->of)
		set_option(r->fmt, r->of, what, NULL, arg);
	if (o->flag)
		*o->flag = true;
	if (o->text)
		*o->text = o->list ? join_argument(r, arg) : arg;
	if (o->number)
		*o->number = num_option(what, arg, o->least, o->most);
	if (o->count)
		*o->count = (unsigned)num_option(what, arg, o->least, o->most);
	if (o->form)
		common.write.form = o->form;
	why = o->take ? o->take(o->to, arg) : NULL;
	if (why)
		opt_die("%s %s: %s", what, arg, why);
}

/* Checks the options against each other, after all have been read. */
static void
check_options(void)
{
	common.read.processors = threads_processors();
	if (common.read.chunks && program->whole)
		opt_die("--chunk: %s", program->whole);
	if (!common.read.expect)
		common.read.expect = program->decodes;
	if (common.read.expect && common.read.only &&
	    common.read.only != common.read.expect)
		opt_die("-f %s: only %s is read here", common.read.only->name,
			common.read.expect->name);
}

void
opt_read(const struct program *p, int argc, char **argv)
{
	prog_start(argv[0]);
	program = p;
	gather();
	for (struct opt_row *r; (r = opt_next(argc, argv, program->two_lists));) {
		mark_given(r);
		set(r, optarg);
	}
	check_options();
	common.path = argv + optind;
	common.n = (size_t)(argc - optind);
}
