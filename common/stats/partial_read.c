/* partial_read.c - reading and merging partials: files, headers, keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/partial.h"
#include "stats/partial_reader.h"

uint64_t
partial_number(const struct reader *r, const char *s)
{
	uint64_t v = 0;

	if (!*s)
		partial_refuse(r, "a number is missing");
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || v > (UINT64_MAX - (uint64_t)(*s - '0')) / 10)
			partial_refuse(r, "not a number of 64 bits: %.40s", s);
		v = v * 10 + (uint64_t)(*s - '0');
	}
	return v;
}

int64_t
partial_signed(const struct reader *r, const char *s)
{
	bool neg = *s == '-';
	uint64_t v = partial_number(r, s + neg);

	if (v > (uint64_t)INT64_MAX + neg)
		partial_refuse(r, "not a number of 64 bits: %.40s", s);
	return (int64_t)(neg ? 0 - v : v);
}

void
partial_words(const struct reader *r, const char *s, uint64_t *w, size_t n)
{
	struct wide v;

	if (!wide_parse(s, strlen(s), &v) || !wide_to_words(&v, w, n))
		partial_refuse(r, "not a number of %zu bits: %.40s", 64 * n, s);
}

const char *
partial_word(const struct reader *r, size_t i)
{
	if (i >= r->nwords)
		partial_refuse(r, "words are missing in the second field");
	return r->word[i];
}

struct stats *
partial_table(const struct reader *r, struct answer *a, char letter)
{
	if (letter < 'a' || (size_t)(letter - 'a') >= a->ntables)
		partial_refuse(r, "not a line of a partial: no such table");
	return &a->st[letter - 'a'];
}

/* The option NAME=VALUE of a header; unescaped, or NULL. */
static char *
option(const struct reader *r, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < r->nwords; i++) {
		char *s = r->word[i];

		if (!strncmp(s, name, n) && s[n] == '=') {
			s += n + 1;
			s[unescape((uint8_t *)s, s, strlen(s))] = '\0';
			return xstrdup(s);
		}
	}
	return NULL;
}

/* A header: the question of an answer that has none yet, else the same again. */
static void
header(struct reader *r, struct answer *a, bool *opened, const char *field)
{
	struct question q = {.empty = true};
	struct buf mine = {0};
	char *bits, *empty, *own[5];

	if (strncmp(field, PARTIAL_MAGIC " ", sizeof PARTIAL_MAGIC) != 0)
		partial_refuse(r, "not a partial of trace-stats -p, or of another version");
	if (*opened) {
		partial_question(&mine, &a->q);
		buf_add(&mine, "", 1);
		if (strcmp((char *)mine.p, field) != 0)
			partial_refuse(r, "this partial answers another question: %.200s",
				       field + sizeof PARTIAL_MAGIC);
		buf_free(&mine);
		return;
	}
	q.report = r->nwords > 2 && !strcmp(r->word[2], "report");
	q.keys = own[0] = option(r, "keys");
	q.aggs = own[1] = option(r, "aggregates");
	q.window = own[2] = option(r, "window");
	q.from = own[3] = option(r, "from");
	q.before = own[4] = option(r, "key");
	bits = option(r, "accuracy");
	empty = option(r, "empty");
	q.bits = bits ? (unsigned)strtoul(bits, NULL, 10) : 0;
	q.empty = !empty;
	free(bits);
	free(empty);
	if (q.bits < 1 || q.bits > 16)
		partial_refuse(r, "the header is damaged");
	answer_open(a, &q);
	memcpy(a->own, own, sizeof own);
	*opened = true;
	partial_question(&mine, &q);
	buf_add(&mine, "", 1);
	if (strcmp((char *)mine.p, field) != 0)
		partial_refuse(r, "not a partial of this version: %.200s", field);
	buf_free(&mine);
}

/* The group of a key TABLE=[PANE ]TEXT... */
static void
find_group(struct reader *r, struct answer *a)
{
	struct stats *st = partial_table(r, a, r->key[0]);
	size_t n = strlen(r->key), nk = st->spec->nkeys, k = 0;
	uint32_t texts[SPEC_KEYS];
	const char *text[SPEC_KEYS];
	int64_t pane = 0;
	char *p = r->key + 2, *end;

	if (r->last && !r->last->access && r->last_key.n == n &&
	    !memcmp(r->last_key.p, r->key, n))
		return;
	r->last_key.n = 0;
	buf_add(&r->last_key, r->key, n);
	if (st->spec->pane) {
		end = strchr(p, ' ');
		if (end)
			*end = '\0';
		pane = strcmp(p, "*") != 0 ? partial_signed(r, p) : NO_PANE;
		p = end ? end + 1 : NULL;
	} else if (!nk) {
		if (*p)
			partial_refuse(r, "a key that should be empty: %.40s", p);
		p = NULL;
	}
	for (; p; p = end) {
		end = strchr(p, ' ');
		if (end)
			*end++ = '\0';
		if (k == nk)
			partial_refuse(r, "the key has more than %zu parts", nk);
		text[k++] = p;
	}
	if (k != nk)
		partial_refuse(r, "the key has %zu parts of %zu", k, nk);
	r->last = st;
	if (st->access) {
		r->group =
		    files_find(st, text[0], strlen(text[0]), text[1], strlen(text[1]));
		return;
	}
	stats_bound(st);
	for (k = 0; k < nk; k++)
		texts[k] = keytab_id(&st->text, text[k], strlen(text[k]));
	r->group = stats_group(st, texts, stats_pane_floor(st, pane));
}

/* Cuts a line: [p, end), of which end[0] may be written. */
static void
line(struct reader *r, struct answer *a, bool *opened, char *p, char *end)
{
	char *tab, *field;
	struct buf whole = {0};

	r->line++;
	*end = '\0';
	if (memchr(p, '\0', (size_t)(end - p)))
		partial_refuse(r, "not a partial: a NUL byte");
	r->key = p;
	tab = strchr(p, '\t');
	field = tab ? tab + 1 : NULL;
	r->number = field ? strchr(field, '\t') : NULL;
	if (!r->number || strchr(r->number + 1, '\t'))
		partial_refuse(
		    r, "not a partial of trace-stats: KEY, FIELD and INTEGER with TABs "
		       "between are expected");
	*tab = '\0';
	*r->number++ = '\0';
	buf_add(&whole, field, strlen(field) + 1);
	r->nwords = 0;
	while (field && r->nwords < PARTIAL_WORDS) {
		r->word[r->nwords++] = field;
		field = strchr(field, ' ');
		if (field)
			*field++ = '\0';
	}
	if (field)
		partial_refuse(r, "too many words in the second field");
	if (!strcmp(r->key, "#")) {
		header(r, a, opened, (char *)whole.p);
		r->header = true;
	} else if (!strcmp(r->key, "~")) {
		if (strcmp(r->word[0], "lines") != 0)
			partial_refuse(r, "not a line of a partial");
		r->announced += partial_number(r, r->number);
		r->trailer = true;
	} else {
		if (!r->header)
			partial_refuse(
			    r, "not a partial: its header is missing (was it sorted "
			       "without LC_ALL=C?)");
		r->lines++;
		if (r->key[0] == '%')
			partial_table_line(r, a);
		else if (r->key[0] && r->key[1] == '=') {
			find_group(r, a);
			partial_group_line(r);
		} else
			partial_refuse(r, "not a line of a partial");
	}
	buf_free(&whole);
}

void
partial_read(struct answer *a, bool *opened, const char *path)
{
	struct reader r = {0};
	struct in in;

	if (!in_open(&in, path))
		die("%s:", path);
	r.name = in.name;
	for (;;) {
		uint8_t *nl = memchr(in.p, '\n', in_left(&in));

		if (nl) {
			line(&r, a, opened, (char *)in.p, (char *)nl);
			in.p = nl + 1;
			continue;
		}
		if (in_more(&in))
			continue;
		if (in.err)
			die("%s: read: %s", r.name, in_why(&in));
		if (in_left(&in)) {
			r.line++;
			partial_refuse(&r, "the partial is cut: the last line has no end");
		}
		break;
	}
	in_close(&in);
	if (!r.line)
		die("%s: not a partial: it is empty, and even without events a partial has "
		    "a first and a last line",
		    r.name);
	if (!r.trailer)
		partial_refuse(&r, "the partial is cut: its trailer is missing");
	if (r.lines != r.announced || !r.header)
		partial_refuse(
		    &r,
		    "the partial is cut, or lines were added: its trailers count %llu "
		    "lines, there are %llu",
		    (unsigned long long)r.announced, (unsigned long long)r.lines);
	buf_free(&r.last_key);
}
