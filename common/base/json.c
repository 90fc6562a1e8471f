/* json.c - see json.h. The reader is one loop, with a stack of the open brackets. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/put.h"

struct level {
	bool array;
	size_t path;   /* length of the path that leads here */
	size_t number; /* of the next element */
};

struct json {
	const char *text;
	size_t n, at;
	json_leaf *fn;
	void *arg;
	struct level level[JSON_DEPTH];
	unsigned depth;
	char path[JSON_PATH];
	size_t pathlen;
	struct buf value;
};

static int
peek(struct json *j)
{
	while (j->at < j->n && strchr(" \t\n\r", j->text[j->at]) && j->text[j->at])
		j->at++;
	return j->at < j->n ? (unsigned char)j->text[j->at] : -1;
}

static bool
hex4(struct json *j, unsigned *v)
{
	*v = 0;
	for (int i = 0; i < 4; i++, j->at++) {
		unsigned d = j->at < j->n ? hex_digit((uint8_t)j->text[j->at]) : 16;

		if (d > 15)
			return false;
		*v = *v << 4 | d;
	}
	return true;
}

static void
add_utf8(struct buf *b, unsigned c)
{
	static const unsigned first[] = {0, 0, 0xc0, 0xe0, 0xf0};
	unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	buf_byte(b, (char)(first[n] | c >> 6 * (n - 1)));
	while (--n)
		buf_byte(b, (char)(0x80 | (c >> 6 * (n - 1) & 63)));
}

/* Behind "\u". */
static const char *
unicode(struct json *j)
{
	unsigned c, low;

	if (!hex4(j, &c))
		return "four hex digits are expected after \\u";
	if (c >= 0xdc00 && c < 0xe000)
		return "a second half of a surrogate pair without the first";
	if (c >= 0xd800 && c < 0xdc00) {
		if (j->n - j->at < 2 || j->text[j->at] != '\\' || j->text[j->at + 1] != 'u')
			return "half a surrogate pair";
		j->at += 2;
		if (!hex4(j, &low) || low < 0xdc00 || low >= 0xe000)
			return "half a surrogate pair";
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	add_utf8(&j->value, c);
	return NULL;
}

/* At the opening quote; the value goes to j->value. */
static const char *
string(struct json *j)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

	j->value.n = 0;
	for (j->at++; j->at < j->n;) {
		unsigned char c = (unsigned char)j->text[j->at];
		const char *e, *why;

		if (c == '"') {
			j->at++;
			buf_byte(&j->value, '\0');
			j->value.n--;
			return NULL;
		}
		if (c < 0x20)
			return "a control byte in a string";
		j->at++;
		if (c != '\\') {
			buf_byte(&j->value, (char)c);
			continue;
		}
		if (j->at == j->n)
			break;
		c = (unsigned char)j->text[j->at++];
		if (c == 'u') {
			if ((why = unicode(j)))
				return why;
			continue;
		}
		e = c ? strchr(from, c) : NULL;
		if (!e)
			return "no such escape";
		buf_byte(&j->value, to[e - from]);
	}
	return "a string without its end";
}

size_t
json_number(const char *s, size_t n)
{
	size_t i = 0, d;

	if (i < n && s[i] == '-')
		i++;
	d = num_digits(s + i, s + n);
	if (!d || (d > 1 && s[i] == '0'))
		return 0;
	i += d;
	if (i < n && s[i] == '.') {
		d = num_digits(s + i + 1, s + n);
		if (!d)
			return 0;
		i += 1 + d;
	}
	if (i < n && (s[i] | 0x20) == 'e') {
		i++;
		if (i < n && (s[i] == '+' || s[i] == '-'))
			i++;
		d = num_digits(s + i, s + n);
		if (!d)
			return 0;
		i += d;
	}
	return i;
}

static void
leaf(struct json *j, enum json_kind kind, const char *p, size_t n)
{
	if (p != (const char *)j->value.p) {
		j->value.n = 0;
		buf_add(&j->value, p, n);
		buf_byte(&j->value, '\0');
	}
	j->fn(j->arg, j->path, kind, (const char *)j->value.p, n);
}

/* A value that is no bracket. */
static const char *
scalar(struct json *j, int c)
{
	static const char *const words[] = {"true", "false", "null"};
	const char *p = j->text + j->at;
	size_t n = j->n - j->at, len;

	if (c == '"') {
		const char *why = string(j);

		if (!why)
			leaf(j, JSON_STRING, (const char *)j->value.p, j->value.n);
		return why;
	}
	len = json_number(p, n);
	if (len) {
		j->at += len;
		leaf(j, JSON_NUMBER, p, len);
		return NULL;
	}
	for (int i = 0; i < 3; i++) {
		len = strlen(words[i]);
		if (n >= len && !memcmp(p, words[i], len)) {
			j->at += len;
			leaf(j, JSON_WORD, p, len);
			return NULL;
		}
	}
	return c < 0 ? "the text ends where a value is expected" : "no value";
}

/* Appends a name to the path of the level on top. */
static const char *
enter(struct json *j, const char *name, size_t n)
{
	const struct level *l = &j->level[j->depth - 1];
	size_t at = l->path;

	if (n + at + 2 > sizeof j->path)
		return "the names that lead to a value are too long";
	if (at)
		j->path[at++] = '.';
	memcpy(j->path + at, name, n);
	j->pathlen = at + n;
	j->path[j->pathlen] = '\0';
	return NULL;
}

/* What stands before a value in the level on top: a name and a colon, or nothing. */
static const char *
before(struct json *j)
{
	struct level *l = &j->level[j->depth - 1];
	char text[24];
	const char *why;

	if (l->array)
		return enter(j, text,
			     (size_t)snprintf(text, sizeof text, "%zu", l->number++));
	if (peek(j) != '"')
		return "a name in quotes is expected";
	if ((why = string(j)))
		return why;
	if (memchr(j->value.p, '\0', j->value.n))
		return "a name with a NUL in it";
	if (peek(j) != ':')
		return "a colon is expected";
	j->at++;
	return enter(j, (const char *)j->value.p, j->value.n);
}

static const char *
read_all(struct json *j, bool *object)
{
	const char *why;
	int c = peek(j);

	*object = c == '{';
	for (;;) {
		/* A value begins here. */
		c = peek(j);
		if (c == '{' || c == '[') {
			if (j->depth == JSON_DEPTH)
				return "brackets are nested too deep";
			j->level[j->depth++] = (struct level){c == '[', j->pathlen, 0};
			j->at++;
			if (peek(j) != c + 2) { /* ']' is '[' + 2, and so the braces */
				if ((why = before(j)))
					return why;
				continue;
			}
			leaf(j, JSON_EMPTY, c == '{' ? "{}" : "[]", 2);
			j->depth--;
			j->at++;
		} else if ((why = scalar(j, c)))
			return why;
		/* Behind a value: close what closes, until a comma or the end. */
		for (;;) {
			struct level *l;

			c = peek(j);
			if (!j->depth)
				return c < 0 ? NULL : "something follows the value";
			l = &j->level[j->depth - 1];
			if (c == ',') {
				j->at++;
				if ((why = before(j)))
					return why;
				break;
			}
			if (c != (l->array ? ']' : '}'))
				return c < 0 ? "the text ends inside a bracket"
					     : "a comma or a closing bracket is expected";
			j->at++;
			j->depth--;
			j->pathlen = l->path;
			j->path[j->pathlen] = '\0';
		}
	}
}

const char *
json_read(const char *text, size_t n, json_leaf *fn, void *arg, size_t *at, bool *object)
{
	struct json j = {.text = text, .n = n, .fn = fn, .arg = arg};
	bool is_object = false;
	const char *why = n <= JSON_MOST ? read_all(&j, &is_object) : "too long";

	if (object)
		*object = is_object;
	*at = j.at;
	buf_free(&j.value);
	return why;
}
