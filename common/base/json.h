/*
 * json.h - a strict reader of JSON (RFC 8259): no tree, a call for each value; and what a writer needs.
 *
 * Depth and size are bounded, nothing is allocated but two buffers, and input is never recursed on. Half a surrogate pair
 * becomes U+FFFD.
 */
#ifndef SPOOR_JSON_H
#define SPOOR_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

#define JSON_DEPTH 32	  /* brackets that are entered, one in another */
#define JSON_DEEPEST 1024 /* and in a value that is not */
/* Bound: ovni | one stream.json | its bytes | 4 MiB | too long */
#define JSON_MOST (4u << 20) /* bytes of a text */
#define JSON_PATH 1024	     /* bytes of a value's path */

enum json_kind {
	JSON_STRING,
	JSON_NUMBER,
	JSON_WORD,  /* true, false, null */
	JSON_EMPTY, /* {} or [], entered */
	JSON_OPEN,  /* { or [, which may be entered */
	JSON_WHOLE, /* an object or an array that was not */
};

/* A value. */
struct json_item {
	enum json_kind kind;
	/* The names and numbers that lead to it, with '.' between ("ovni.loom_cpus.0.index"), and a NUL. */
	const char *path;
	size_t path_n;
	/* Its own name without escapes. That of an element of an array is good during the call, others until the next
	 * json_value. */
	const char *name;
	size_t name_n;
	unsigned depth;	  /* brackets that it is in */
	const char *text; /* of a string without escapes; else as it stands */
	size_t n;
};

/* Takes a value. Returns, of JSON_OPEN, true if what is in it is to be taken, too; false: it comes again, as JSON_WHOLE. */
typedef bool json_visit(void *arg, const struct json_item *v);

/* Buffers of a reader. Zeroed struct = empty; buf_free frees each. */
struct json {
	struct buf text, path;
	char number[24]; /* of an element */
};

/* What json_value says of a text that may only go on. */
extern const char *const json_cut;

/*
 * Reads the value at *at, up to `end`, calls visit(arg, ...) for it and for each value in it, in order, and sets *at to the
 * place behind it. Returns NULL, or what is wrong, and sets *at to the place of that.
 */
const char *json_value(struct json *j, const char **at, const char *end, json_visit *visit,
		       void *arg);

/*
 * A leaf: a value that is no bracket, or an empty one; its path, and the value, which is NUL-terminated besides its length.
 */
typedef void json_leaf(void *arg, const char *path, enum json_kind kind, const char *value,
		       size_t n);

/*
 * Reads all of text[0..n) and calls fn(arg, ...) for each leaf in order, except for those whose path has a NUL. Gives NULL,
 * or the reason why the text is no JSON, with its offset in *at; the leaves before it have been
 * given by then. *object (may be NULL) says whether the whole is an object.
 */
const char *json_read(const char *text, size_t n, json_leaf *fn, void *arg, size_t *at,
		      bool *object);

/* How many of the n bytes at s are a number as JSON writes it; 0 where they begin with
 * none. */
size_t json_number(const char *s, size_t n);
/* Returns the bytes between the quotes of a string without escapes whose text begins at p, or SIZE_MAX if it is none. */
size_t json_plain(const char *p, const char *end);

#endif
