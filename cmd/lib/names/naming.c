/* naming.c - see naming.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/num.h"
#include "names/naming.h"

/* A key that was read. */
struct known_key {
	char *path;
	uint64_t key[2];
};

/* Converts 32 hexadecimal digits to bytes. Returns false if some byte is not a digit. */
static bool
hex_key(const uint8_t *text, uint8_t to[NAMING_KEY])
{
	for (size_t i = 0; i < NAMING_KEY; i++) {
		unsigned high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);

		if (high > 15 || low > 15)
			return false;
		to[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

/* Reads the key of a file as naming_key does. */
static void
read_key(const char *path, uint64_t key[2])
{
	uint8_t text[2 * NAMING_KEY + 2], bytes[NAMING_KEY];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(text, 1, sizeof text, f) : 0;
	bool good;

	if (!f || ferror(f) || fclose(f) != 0)
		die("%s:", path);
	good = n == NAMING_KEY;
	if (good)
		memcpy(bytes, text, n);
	else if (n == 2 * NAMING_KEY || (n == 2 * NAMING_KEY + 1 && text[n - 1] == '\n'))
		good = hex_key(text, bytes);
	if (!good)
		die("%s: a key has 16 bytes or 32 hexadecimal digits: make one with "
		    "head -c 16 /dev/urandom",
		    path);
	key[0] = le64(bytes);
	key[1] = le64(bytes + 8);
}

void
naming_key(const char *path, uint64_t key[2])
{
	/* Threads parse an expression again, when files can no longer be opened. */
	static struct known_key *known;
	static size_t n, cap;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(known[i].path, path)) {
			memcpy(key, known[i].key, sizeof known[i].key);
			return;
		}
	read_key(path, key);
	*PUSH(known, n, cap) = (struct known_key){xstrdup(path), {key[0], key[1]}};
}

uint32_t
naming_class(struct naming *x, const char *p, size_t n)
{
	for (uint32_t i = 0; i < x->nclasses; i++)
		if (strlen(x->class[i].prefix) == n && !memcmp(x->class[i].prefix, p, n))
			return i;
	*PUSH(x->class, x->nclasses, x->cap) =
	    (struct name_class){.prefix = xstrndup(p, n)};
	return (uint32_t)x->nclasses - 1;
}

/* Returns the number of a text in its class, from 1. */
static uint64_t
number_text(struct naming *x, struct name_class *c, const void *s, size_t n)
{
	uint32_t before = c->texts.n, id = strtab_id(&c->texts, s, n);

	x->names += c->texts.n - before;
	if (x->names > NAMING_MOST)
		die("more than %u different names: use --key-file, or hash(x, FILE)",
		    NAMING_MOST);
	return (uint64_t)id + 1;
}

void
naming_put(struct naming *x, uint32_t class, const void *s, size_t n, struct buf *to)
{
	struct name_class *c = &x->class[class];
	char text[24];

	if (!x->keyed || x->keeps)
		snprintf(text, sizeof text, "%llu",
			 (unsigned long long)number_text(x, c, s, n));
	if (x->keyed)
		snprintf(text, sizeof text, "-%016llx",
			 (unsigned long long)siphash24(x->key, s, n));
	buf_str(to, c->prefix);
	buf_str(to, text);
}

uint64_t
naming_number(struct naming *x, uint32_t class, const void *s, size_t n)
{
	uint64_t number = 0;

	x->class[class].numbers = true;
	if (!x->keyed || x->keeps)
		number = number_text(x, &x->class[class], s, n);
	return x->keyed ? siphash24(x->key, s, n) >> 33 : number;
}

void
naming_free(struct naming *x)
{
	for (size_t i = 0; i < x->nclasses; i++) {
		free(x->class[i].prefix);
		strtab_free(&x->class[i].texts);
	}
	free(x->class);
	*x = (struct naming){0};
}
