/*
 * json.h - a small strict reader of JSON (RFC 8259): no tree, a call for each leaf; and
 * what a writer needs.
 *
 * Depth and size are bounded, nothing is allocated but one buffer of text, and input is
 * never recursed on.
 */
#ifndef SPOOR_JSON_H
#define SPOOR_JSON_H

#include <stdbool.h>
#include <stddef.h>

#define JSON_DEPTH 32
/* Bound: ovni | one stream.json | its bytes | 4 MiB | too long */
#define JSON_MOST (4u << 20) /* bytes of a text */
#define JSON_PATH 1024	     /* bytes of a leaf's path */

enum json_kind {
	JSON_STRING,
	JSON_NUMBER,
	JSON_WORD,  /* true, false, null */
	JSON_EMPTY, /* {} or [] */
};

/*
 * A leaf: the names and numbers that lead to it, with '.' between
 * ("ovni.loom_cpus.0.index"), and its value, a string's escapes undone; NUL-terminated
 * besides its length.
 */
typedef void json_leaf(void *arg, const char *path, enum json_kind kind, const char *value,
		       size_t n);

/*
 * Reads all of text[0..n) and calls fn(arg, ...) for each leaf in order. Gives NULL, or the
 * reason why the text is no JSON, with its offset in *at; the leaves before it have been
 * given by then. *object (may be NULL) says whether the whole is an object.
 */
const char *json_read(const char *text, size_t n, json_leaf *fn, void *arg, size_t *at,
		      bool *object);

/* How many of the n bytes at s are a number as JSON writes it; 0 where they begin with
 * none. */
size_t json_number(const char *s, size_t n);

#endif
