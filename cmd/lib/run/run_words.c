/* run_words.c - see run_words.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "run/run.h"
#include "run/run_words.h"

void
words_add(struct command_words *w, const char *word)
{
	*PUSH(w->v, w->n, w->cap) = (char *)(uintptr_t)word;
}

char **
words_end(struct command_words *w, const char *const *words)
{
	do
		words_add(w, *words);
	while (*words++);
	return w->v;
}

void
words_option(struct command_words *w, const char *name, const char *value)
{
	if (!value)
		return;
	words_add(w, name);
	words_add(w, value);
}

void
words_said(struct command_words *w, const char *without)
{
	const char *said = (const char *)common.said.p;

	for (size_t i = 0; i < common.said.n; i += strlen(said + i) + 1)
		if (!without || strcmp(said + i, without) != 0)
			words_add(w, said + i);
}

/* Returns word i of an option, as a program that reads traces completes it, or NULL after the last. */
static const char *
word_of(const char *option, size_t i)
{
	static char *argv[3] = {NULL};
	static struct run r = {.argv = argv, .in = -1};
	char *line, *word;

	if (!r.out.n) {
		argv[0] = xstrdup("trace-filter");
		argv[1] = xstrdup("--complete");
		run_all(&r, 1, 1);
		buf_byte(&r.out, '\0');
	}
	/* A letter, a name, an argument, a line of help, then the words. */
	line = strstr((char *)r.out.p, option);
	for (size_t k = 0; line && k < 4; k++)
		line = strchr(line + 1, '\t');
	if (!line)
		return NULL;
	for (line++; i--; line += *line == ' ')
		line += strcspn(line, " \t\n");
	word = xstrndup(line, strcspn(line, " \t\n"));
	return *word ? word : NULL;
}

const char *
run_format_word(size_t i)
{
	return word_of("\n-f\t", i);
}

const char *
run_option_word(size_t i)
{
	return word_of("\n-O\t", i);
}

const char *
run_option_list(void *own, const char *text)
{
	size_t n = strlen(text);
	struct run r = {.argv = (char *[]){(char *)(uintptr_t) "trace-filter",
					   (char *)(uintptr_t) "-O",
					   (char *)(uintptr_t)text, NULL},
			.in = -1,
			.inherit = true};

	(void)own;
	if (strcmp(text, "list") != 0 && (n < 5 || strcmp(text + n - 5, "=list") != 0))
		return NULL;
	run_all(&r, 1, 1);
	exit(r.status);
}
