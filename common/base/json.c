/* json.c - see json.h. json_value is one loop, with a stack of the open brackets. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/json.h"
#include "base/num.h"

struct level {
	bool array, inner; /* inner: inside another bracket */
	size_t path;	   /* length of the path of this bracket */
	size_t number;	   /* index of the next element */
};

const char *const json_cut = "the text ends where more is expected";

static const char *
blank(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Returns how many of the four bytes at p are hex digits, and their value in *v. */
static unsigned
hex4(const char *p, const char *end, unsigned *v)
{
	unsigned n = 0;

	for (*v = 0; n < 4 && p + n < end && hex_digit((uint8_t)p[n]) < 16; n++)
		*v = *v << 4 | hex_digit((uint8_t)p[n]);
	return n;
}

/* Returns the bytes of the character at p, which begins with one of 0x80 or more, or 0 if it is not UTF-8. */
static unsigned
utf8(const char *p, const char *end)
{
	/* n is the length; `least` and `most` limit the second byte. */
	unsigned c = (uint8_t)*p,
		 n = c >= 0xf0	 ? 4
		     : c >= 0xe0 ? 3
				 : 2,
		 least = c == 0xe0   ? 0xa0
			 : c == 0xf0 ? 0x90
				     : 0x80,
		 most = c == 0xed   ? 0x9f
			: c == 0xf4 ? 0x8f
				    : 0xbf;

	if (c < 0xc2 || c > 0xf4)
		return 0;
	for (unsigned i = 1; i < n && p + i < end; i++, least = 0x80, most = 0xbf)
		if ((uint8_t)p[i] < least || (uint8_t)p[i] > most)
			return 0;
	return n;
}

/* Returns the place after the string whose text begins at p. Sets *plain to false if the string has escapes.
 * Returns NULL and sets *why if it is not a valid string. */
static const char *
string_end(const char *p, const char *end, bool *plain, const char **why)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;

	for (;;) {
		unsigned n = 0, code;

		/* Skip eight bytes at a time if all are from 0x20 to 0x7f, and neither a quote nor a backslash. */
		while (end - p >= 8) {
			uint64_t x = ld64(p), quote = x ^ '"' * ones,
				 escape = x ^ '\\' * ones;

			if ((((quote - ones) & ~quote) | ((escape - ones) & ~escape) |
			     ((x - 0x20 * ones) & ~x) | x) &
			    high)
				break;
			p += 8;
		}
		while (p < end && *p != '"' && *p != '\\' && (uint8_t)*p - 0x20u < 0x60)
			p++;
		*why = json_cut;
		if (p == end)
			return NULL;
		if (*p == '"')
			return p + 1;
		if ((uint8_t)*p >= 0x80) {
			*why = "a byte is not UTF-8";
			n = utf8(p, end);
		} else if (*p != '\\')
			*why = "a string has a control byte";
		else if (end - p > 1 && p[1] == 'u') {
			*why = "four hex digits are expected after \\u";
			n = 2 + hex4(p + 2, end, &code);
			n = n == 6 || p + n == end ? 6 : 0;
		} else {
			*why = "the escape is unknown";
			n = end - p < 2 || (p[1] && strchr("\"\\/bfnrt", p[1])) ? 2 : 0;
		}
		*plain &= *p != '\\';
		*why = n > (size_t)(end - p) ? json_cut : *why;
		if (!n || *why == json_cut)
			return NULL;
		p += n;
	}
}

size_t
json_plain(const char *p, const char *end)
{
	bool plain = true;
	const char *why, *stop = string_end(p, end, &plain, &why);

	return stop && plain ? (size_t)(stop - 1 - p) : SIZE_MAX;
}

/* Appends the text between quotes without its escapes to the buffer, which has room. Returns its place, and its
 * length in *n. */
static const char *
unescaped(struct buf *b, const char *p, size_t *n)
{
	static const char from[] = "bfnrt", means[] = "\b\f\n\r\t";
	const char *end = p + *n;
	uint8_t *begin = b->p + b->n, *to = begin;

	while (p < end) {
		unsigned c, low, more;
		const char *e;

		if (*p != '\\') {
			*to++ = (uint8_t)*p++;
			continue;
		}
		e = strchr(from, p[1]);
		p += 2;
		if (p[-1] != 'u') {
			*to++ = (uint8_t)(e ? means[e - from] : p[-1]);
			continue;
		}
		hex4(p, end, &c);
		p += 4;
		if (c >= 0xd800 && c < 0xe000) {
			low = 0;
			if (c < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u')
				hex4(p + 2, end, &low);
			p += low >= 0xdc00 && low < 0xe000 ? 6 : 0;
			c = low >= 0xdc00 && low < 0xe000
				? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00)
				: 0xfffd;
		}
		more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
		*to++ = (uint8_t)(more ? (0xf80u >> more & 0xff) | c >> 6 * more : c);
		while (more--)
			*to++ = (uint8_t)(0x80 | (c >> 6 * more & 0x3f));
	}
	buf_to(b, to);
	*n = (size_t)(to - begin);
	return (const char *)begin;
}

/* Skips a name and its colon. Returns the place after the colon, and the name between its quotes in *name and *n;
 * or NULL, and the error in *why. */
static const char *
name_end(const char *p, const char *end, const char **name, size_t *n, bool *plain,
	 const char **why)
{
	p = blank(p, end);
	*why = p == end ? json_cut : "a name in quotes is expected";
	if (p == end || *p != '"')
		return NULL;
	*name = ++p;
	p = string_end(p, end, plain, why);
	if (!p)
		return NULL;
	*n = (size_t)(p - 1 - *name);
	p = blank(p, end);
	*why = p == end ? json_cut : "a colon is expected";
	return p < end && *p == ':' ? p + 1 : NULL;
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

/* Skips a number, true, false or null. Returns the place after it; or NULL, and the error in *why. */
static const char *
scalar_end(const char *p, const char *end, const char **why)
{
	static const char *const words[] = {"true", "false", "null"};
	size_t left = (size_t)(end - p), n = json_number(p, left);

	for (int i = 0; i < 3 && !n; i++)
		if (!memcmp(p, words[i], left < strlen(words[i]) ? left : strlen(words[i])))
			n = strlen(words[i]);
	if (n && n <= left)
		return p + n;
	while (p < end && *p && strchr("+-.0123456789Ee", *p))
		p++;
	*why = n || p == end ? json_cut : "no value";
	return NULL;
}

/* Reads the name of the next value of an object, or counts the next element of an array, and sets the value's name
 * and path. Returns the place after the name; or NULL, and the error in *why. */
static const char *
enter(struct json *j, struct level *l, const char *p, const char *end, struct json_item *v,
      const char **why)
{
	uint8_t *to = j->path.p + l->path;
	bool plain = true;

	if (l->array) {
		v->name = j->number;
		v->name_n =
		    (size_t)snprintf(j->number, sizeof j->number, "%zu", l->number++);
	} else if (!(p = name_end(p, end, &v->name, &v->name_n, &plain, why)))
		return NULL;
	if (!plain)
		v->name = unescaped(&j->text, v->name, &v->name_n);
	*why = "the names that lead to a value are too long";
	if (v->name_n + l->path + 2 > JSON_PATH)
		return NULL;
	if (l->inner)
		*to++ = '.';
	memcpy(to, v->name, v->name_n);
	v->path_n = (size_t)(to - j->path.p) + v->name_n;
	j->path.p[v->path_n] = '\0';
	return p;
}

/* State of one call of json_value. */
struct json_visit_state {
	json_visit *visit;
	void *arg;
	struct json_item v;
	struct level level[JSON_DEEPEST];
	unsigned depth;
	/* whole: begin of an object or array that is not entered, or NULL */
	const char *whole, *why;
};

static void
visit_item(struct json_visit_state *w, enum json_kind kind, const char *text, size_t n)
{
	if (w->whole)
		return;
	w->v.kind = kind;
	w->v.text = text;
	w->v.n = n;
	w->visit(w->arg, &w->v);
}

/* Skips a string, a number or a word, and calls the visitor for it. Returns the place after it, or NULL with
 * w->why set. */
static const char *
scalar(struct json_visit_state *w, struct json *j, const char *p, const char *end)
{
	bool plain = true, text = *p == '"';
	const char *stop =
	    text ? string_end(p + 1, end, &plain, &w->why) : scalar_end(p, end, &w->why);
	size_t n = stop ? (size_t)(stop - p) - 2 * (size_t)text : 0;
	const char *is = p + text;

	if (stop && !plain && !w->whole)
		is = unescaped(&j->text, is, &n);
	if (stop)
		visit_item(w,
			   text	       ? JSON_STRING
			   : *p >= 'a' ? JSON_WORD
				       : JSON_NUMBER,
			   is, n);
	return stop;
}

/* Skips an opening bracket. Sets *empty, and skips the closing bracket too, if nothing is between them. */
static const char *
bracket(struct json_visit_state *w, const char *p, const char *end, bool *empty)
{
	const char *stop = blank(p + 1, end);

	w->v.kind = JSON_OPEN;
	w->v.text = p;
	if (!w->whole && !w->visit(w->arg, &w->v))
		w->whole = p;
	w->why = "brackets are nested too deep";
	if (w->depth == (w->whole ? JSON_DEEPEST : JSON_DEPTH))
		return NULL;
	*empty = stop < end && *stop == *p + 2; /* ']' is '[' + 2, and '}' is '{' + 2 */
	if (*empty) {
		visit_item(w, JSON_EMPTY, *p == '{' ? "{}" : "[]", 2);
		return stop + 1;
	}
	w->level[w->depth] = (struct level){*p == '[', w->depth > 0, w->v.path_n, 0};
	w->depth++;
	return p + 1;
}

/* Skips the closing brackets after a value, and a comma. Returns NULL when json_value ends: w->why is the error,
 * NULL after the last bracket. *at is the place. */
static const char *
behind(struct json_visit_state *w, const char *p, const char *end, const char **at)
{
	for (;; p++) {
		if (w->whole && w->depth == w->v.depth) {
			const char *from = w->whole;

			w->whole = NULL;
			visit_item(w, JSON_WHOLE, from, (size_t)(p - from));
		}
		*at = p;
		w->why = NULL;
		if (!w->depth)
			return NULL;
		*at = p = blank(p, end);
		w->why = p == end ? json_cut : "a comma or a closing bracket is expected";
		if (p < end && *p == ',')
			return p + 1;
		if (p == end || *p != (w->level[w->depth - 1].array ? ']' : '}'))
			return NULL;
		w->depth--;
	}
}

const char *
json_value(struct json *j, const char **at, const char *end, json_visit *visit, void *arg)
{
	struct json_visit_state w;
	const char *p = *at, *name;
	size_t n;

	w.visit = visit;
	w.arg = arg;
	w.v = (struct json_item){.path = (char *)buf_room(&j->path, JSON_PATH)};
	w.depth = 0;
	w.whole = NULL;
	j->path.p[0] = '\0';
	j->text.n = 0;
	buf_room(&j->text, (size_t)(end - p));
	for (;;) {
		struct level *l;
		bool empty = true;

		*at = p = blank(p, end);
		if (p == end)
			return json_cut;
		w.v.depth = w.whole ? w.v.depth : w.depth;
		p = *p == '{' || *p == '[' ? bracket(&w, p, end, &empty)
					   : scalar(&w, j, p, end);
		if (p && empty)
			p = behind(&w, p, end, at);
		if (!p)
			return w.why;
		*at = p = blank(p, end);
		l = &w.level[w.depth - 1];
		if (!w.whole)
			p = enter(j, l, p, end, &w.v, &w.why);
		else if (!l->array)
			p = name_end(p, end, &name, &n, &empty, &w.why);
		if (!p)
			return w.why;
	}
}

struct leaf_visit {
	json_leaf *fn;
	void *arg;
	struct buf value;
};

static bool
leaf(void *arg, const struct json_item *v)
{
	struct leaf_visit *l = arg;

	if (v->kind == JSON_OPEN || strlen(v->path) != v->path_n)
		return true;
	l->value.n = 0;
	buf_add(&l->value, v->text, v->n);
	buf_byte(&l->value, '\0');
	l->fn(l->arg, v->path, v->kind, (const char *)l->value.p, v->n);
	return true;
}

const char *
json_read(const char *text, size_t n, json_leaf *fn, void *arg, size_t *at, bool *object)
{
	struct json j = {.text = {0}};
	struct leaf_visit l = {.fn = fn, .arg = arg};
	const char *p = text, *end = text + n, *why = "too long";

	if (n <= JSON_MOST)
		why = json_value(&j, &p, end, leaf, &l);
	if (object)
		*object = n && *blank(text, end - 1) == '{';
	p = why ? p : blank(p, end);
	*at = (size_t)(p - text);
	buf_free(&j.text);
	buf_free(&j.path);
	buf_free(&l.value);
	return why ? why : p < end ? "something follows the value" : NULL;
}
