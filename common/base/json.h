/*
 * json.h - a strict reader of JSON (RFC 8259), which makes no tree but a call for each value; and functions for
 * writers. Depth and size are limited, only two buffers are allocated, and the reader does not recurse. Half a
 * surrogate pair becomes U+FFFD.
 */
#ifndef SPOOR_JSON_H
#define SPOOR_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

#define JSON_DEPTH 32	  /* nested brackets that the visitor enters */
#define JSON_DEEPEST 1024 /* nested brackets in a value that it does not enter */
/* Bound: ovni | one stream.json | its bytes | 4 MiB | too long */
#define JSON_MOST (4u << 20) /* bytes of a text */
#define JSON_PATH 1024	     /* bytes of a value's path */

enum json_kind {
	JSON_STRING,
	JSON_NUMBER,
	JSON_WORD,  /* true, false, null */
	JSON_EMPTY, /* {} or []: follows a JSON_OPEN for which the visitor returned true */
	JSON_OPEN,  /* { or [, which may be entered */
	JSON_WHOLE, /* an object or an array that the visitor did not enter */
};

/* A value. */
struct json_item {
	enum json_kind kind;
	/* The names and indexes that lead to the value, with '.' between ("ovni.loom_cpus.0.index"), and a NUL. The path is
	 * valid during the call. */
	const char *path;
	size_t path_n;
	/* The last name of the path, without escapes. The index of an element of an array is valid during the call, a
	 * name until the next json_value. */
	const char *name;
	size_t name_n;
	unsigned depth; /* number of brackets around the value */
	/* The n bytes of the value: of a string, without quotes and escapes; otherwise as they are in the input. They are
	 * valid until the next json_value, and while the input stays. n is not set for JSON_OPEN. */
	const char *text;
	size_t n;
};

/* Takes a value. The result matters only for JSON_OPEN: true enters the brackets, so that a call for each value in them
 * follows. After false, one call with JSON_WHOLE follows. */
typedef bool json_visit(void *arg, const struct json_item *v);

/* Buffers of a reader. Zeroed struct = empty; buf_free frees each. */
struct json {
	struct buf text, path;
	char number[24]; /* index of an element, as text */
};

/* The error of json_value for a text that ends inside a value: the text may go on after `end`. */
extern const char *const json_cut;

/*
 * Reads the value at *at, which must end before `end`, and calls visit(arg, ...) for the value and for each value in
 * it, in order. Returns NULL and sets *at to the byte after the value; or returns the error, in static memory, and
 * sets *at to its place.
 */
const char *json_value(struct json *j, const char **at, const char *end, json_visit *visit,
		       void *arg);

/*
 * Takes a leaf: a string, a number, a word, or an empty pair of brackets. The path and the value end with a NUL; the
 * value may have others.
 */
typedef void json_leaf(void *arg, const char *path, enum json_kind kind, const char *value,
		       size_t n);

/*
 * Reads all of text[0..n), one value, and calls fn(arg, ...) for each leaf in order, except for leaves whose path has
 * a NUL. Returns NULL; or the error, in static memory, with its offset in *at, after the calls for the leaves before
 * it. *object (`object` may be NULL) becomes true if the text is an object.
 */
const char *json_read(const char *text, size_t n, json_leaf *fn, void *arg, size_t *at,
		      bool *object);

/* Returns the length of the JSON number that s[0..n) begins with, or 0 if it begins with none. */
size_t json_number(const char *s, size_t n);
/* Returns the number of bytes from p, which is after the opening quote of a string, to the closing quote. Returns
 * SIZE_MAX if the string has escapes, is not valid, or does not end before `end`. */
size_t json_plain(const char *p, const char *end);

#endif
