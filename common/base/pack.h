/*
 * pack.h - compressed files: what they begin with, what their names end with, and the
 * programs of the system that read and write them.
 */
#ifndef SPOOR_PACK_H
#define SPOOR_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pack {
	const char *magic; /* NULL: the end of a name tells, `name` */
	size_t n;
	/* With `get` it decompresses, with -c it compresses, standard input to output. NULL ends
	 * the table. */
	const char *program;
	const char *cat;    /* the command of people that prints such a file */
	const char *suffix; /* of a file that -o compresses; NULL = only read */
	const char *get;    /* NULL: -dc */
	const char *name;   /* of archives: their members are read one after the other */
};

#define PACK_MAGIC 6 /* bytes of the longest magic */
#define PACK_SAID 256

extern const struct pack packs[];

/* The row of what begins with the n bytes at p; NULL for none. *more: none yet, but more bytes
 * may tell. */
const struct pack *pack_of(const uint8_t *p, size_t n, bool *more);
/* The row of an archive of that name, or NULL. */
const struct pack *pack_archive(const char *path);
/* The row of the file that fd stands in; NULL for none, and where it cannot be looked into
 * without taking bytes. It stays where it is. */
const struct pack *pack_of_file(int fd);
/* Returns whether `path` is a regular file that is read as it stands; "-" is standard input. */
bool pack_plain(const char *path);
/* The row for the name of a file of -o, or NULL. */
const struct pack *pack_named(const char *path);

/* A program of the table that runs. */
struct filter {
	const struct pack *pack;
	const char *option;
	pid_t pid;
	int says; /* what it writes to standard error */
};

/*
 * Runs the program of `k`, found by PATH, with that option, from the descriptor `in` to `out`,
 * and with no other: all of this process must be close-on-exec. The environment's variables
 * that would give it options are kept from it. An errno; 0 = it runs, and filter_end waits
 * for it.
 */
int filter_start(struct filter *f, const struct pack *k, const char *option, int in,
		 int out);
/* Waits for its end; with `early`, ends it. What it said, and its status, go to `said`: empty
 * if all was well, or `early`. */
void filter_end(struct filter *f, bool early, char said[PACK_SAID]);

#endif
