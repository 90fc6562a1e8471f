/* partial_words.c - the words and numbers in a line of a partial result. */
#include <string.h>

#include "base/num.h"
#include "stats/stats_partial.h"
#include "stats/partial_reader.h"

const char *const partial_class[CLASSES] = {
    [INT_POS] = "i", [INT_NEG] = "-i", [NANO_POS] = "n", [NANO_NEG] = "-n", [TEXTS] = "t"};

uint64_t
partial_number(const struct partial_reader *r, const char *s)
{
	uint64_t v = 0;

	if (!*s)
		partial_refuse(r, "a number is missing");
	if (digits_u64((const uint8_t *)s, strlen(s), &v))
		partial_refuse(r, "not a number of 64 bits: %.40s", s);
	return v;
}

int64_t
partial_signed(const struct partial_reader *r, const char *s)
{
	bool neg = *s == '-';
	uint64_t v = partial_number(r, s + neg);

	if (v > (uint64_t)INT64_MAX + neg)
		partial_refuse(r, "not a number of 64 bits: %.40s", s);
	return (int64_t)(neg ? 0 - v : v);
}

void
partial_words(const struct partial_reader *r, const char *s, uint64_t *w, size_t n)
{
	struct wide v;

	if (!wide_parse(s, strlen(s), &v) || !wide_to_words(&v, w, n))
		partial_refuse(r, "not a number of %zu bits: %.40s", 64 * n, s);
}

char *
partial_word(const struct partial_reader *r, size_t i)
{
	if (i >= r->nwords)
		partial_refuse(r, "words are missing in the second field");
	return r->word[i];
}

char *
partial_unescaped(const struct partial_reader *r, size_t i)
{
	char *s = partial_word(r, i);

	s[unescape((uint8_t *)s, s, strlen(s))] = '\0';
	return s;
}

uint64_t
partial_at(const struct partial_reader *r, size_t i)
{
	return partial_number(r, partial_word(r, i));
}

uint64_t
partial_value(const struct partial_reader *r)
{
	return partial_number(r, r->number);
}

struct datum
partial_datum(const struct partial_reader *r, size_t i)
{
	const char *text = partial_word(r, i);

	return datum_of_text(text, strlen(text));
}

uint32_t
partial_file_named(const struct partial_reader *r, struct stats *st, size_t i)
{
	const char *file = partial_word(r, i);

	return strtab_id(&st->files, file, strlen(file));
}

struct stats *
partial_table(const struct partial_reader *r, char letter)
{
	size_t i = (size_t)(letter - 'a');

	if (i >= r->a->ntables)
		partial_refuse(r, "not a line of a partial result: no such table");
	return &r->a->st[i];
}
