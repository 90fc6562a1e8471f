/*
 * naming.h - new names in place of those that a trace holds: file1, file2, ..., or a hash with a secret key.
 *
 *	struct naming n = {.keyed = true};
 *
 *	naming_key(path, n.key);
 *	class = naming_class(&n, "file", 4);
 *	naming_put(&n, class, text, len, &b);
 *	naming_free(&n);
 *
 * Without a key, equal texts of one class get one name, in order of first use, and the texts stay in memory. With a
 * key a name depends on the text and the key alone, so that names agree between runs and machines.
 */
#ifndef SPOOR_NAMING_H
#define SPOOR_NAMING_H

#include "base/mem.h"

#define NAMING_KEY 16

/* Bound: trace-anonymise and alias() | new names | different texts | 4194304 | different names: use --key-file, or hash(x, FILE) */
#define NAMING_MOST (1u << 22)

/* A class of names, which share a prefix and a count. */
struct name_class {
	char *prefix;
	bool numbers; /* naming_number makes these names */
	struct strtab
	    texts; /* a name ends with the number of its text, plus 1; empty with a key */
};

/* Zeroed struct = no classes, numbered names. */
struct naming {
	bool keyed;
	bool keeps; /* with a key: keep the texts all the same, for a table of names */
	uint64_t key[2];
	struct name_class *class;
	size_t nclasses, cap;
	uint64_t names; /* texts in all classes */
};

/* Reads the key from the file `path`: 16 bytes, or 32 hexadecimal digits and a newline. Dies with a message if the file
 * has anything else. The second call for a path returns the key of the first one, without reading. */
void naming_key(const char *path, uint64_t key[2]);
/* Returns the number of the class with the prefix p[0..n), which is added if it is new. */
uint32_t naming_class(struct naming *x, const char *p, size_t n);
/* Appends to `to` the name of the text s[0..n) in a class. Dies if there are more than NAMING_MOST texts. */
void naming_put(struct naming *x, uint32_t class, const void *s, size_t n, struct buf *to);
/* Returns a new number in place of the number whose digits are s[0..n), which are not checked: the number of the text
 * in its class, from 1, or with a key 31 bits of the hash. Dies if there are more than NAMING_MOST texts. */
uint64_t naming_number(struct naming *x, uint32_t class, const void *s, size_t n);
/* Frees all memory of x. */
void naming_free(struct naming *x);

#endif
