/* options.c - stores and finds the options of formats: -O name=value. */
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "event/schema.h"
#include "input/format.h"

const struct format *
format_named(const struct format *const *known, const char *name)
{
	for (; known && *known; known++)
		if (!strcmp((*known)->name, name))
			return *known;
	return NULL;
}

static struct format_values *
values_of(const struct read_options *opt, const struct format *f)
{
	struct format_values *v = opt->values;

	while (v && v->fmt != f)
		v = v->next;
	return v;
}

const void *
format_options(const struct read_options *opt, const struct format *f)
{
	const struct format_values *v = values_of(opt, f);

	return v ? v->options : f->settings->defaults;
}

void *
format_values(struct read_options *opt, const struct format *f)
{
	struct format_values *v = values_of(opt, f);

	if (!v) {
		v = xcalloc(1, sizeof *v);
		v->fmt = f;
		v->options = xmalloc(f->settings->size);
		memcpy(v->options, f->settings->defaults, f->settings->size);
		v->next = opt->values;
		opt->values = v;
	}
	return v->options;
}

/* Returns the number of the word `text`, from 1. Dies if it is none of the option's words. */
static int64_t
word_number(const struct format_option *o, const char *what, const char *text)
{
	char list[256] = "";

	for (size_t i = 0; o->words[i]; i++) {
		if (!strcmp(o->words[i], text))
			return (int64_t)i + 1;
		strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
		strncat(list, o->words[i], sizeof list - strlen(list) - 1);
	}
	die("%s: %s: expected one of %s", what, text, list);
}

void
format_set(struct read_options *opt, const struct format *f, const struct format_option *o,
	   const char *what, const char *file, const char *text)
{
	void *options = format_values(opt, f);
	uint8_t *to = (uint8_t *)options + o->at;
	bool on = true;
	int64_t n;

	if (o->file_at)
		memcpy((uint8_t *)options + o->file_at, &file, sizeof file);
	if (!o->arg)
		memcpy(to, &on, sizeof on);
	else if (o->means || (!o->words && !o->most))
		memcpy(to, &text, sizeof text);
	else {
		n = o->words ? word_number(o, what, text)
			     : (int64_t)num_option(what, text, o->least, o->most);
		memcpy(to, &n, sizeof n);
	}
	if (o->then)
		o->then(options, what);
	if (o->chooses && !opt->only && o->chooses(options))
		opt->only = f;
}

const struct format_option *
format_option_named(const struct format *const **known, const char *name, size_t n)
{
	for (; **known; ++*known) {
		const struct format_option *o = format_option_rows(**known);

		for (; o && o->name; o++)
			if (word_is((struct word){name, n}, o->name))
				return o;
	}
	return NULL;
}

/* Returns true if an input was of a format that has an option of this name, or if the user named such a format. */
static bool
option_used(const struct read_options *opt, const char *name)
{
	for (const struct format_values *v = opt->values; v; v = v->next) {
		const struct format *const one[] = {v->fmt, NULL}, *const *known = one;

		if ((v->met || v->fmt == opt->only) &&
		    format_option_named(&known, name, strlen(name)))
			return true;
	}
	return false;
}

void
format_unused(const struct read_options *opt)
{
	for (const struct format_values *v = opt->values; v && !opt->quiet; v = v->next)
		for (size_t i = 0; v->asked >> i; i++) {
			const char *name = v->fmt->settings->options[i].name;

			if (v->asked >> i & 1 && !option_used(opt, name))
				warn("-O %s: no input is of the format %s", name,
				     v->fmt->name);
		}
}
