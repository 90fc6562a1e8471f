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

/* Returns the row whose magic the n bytes at p begin with, or NULL. *more becomes true if no magic matches
 * but more bytes could complete one, otherwise false. */
const struct pack *pack_of(const uint8_t *p, size_t n, bool *more);
/* Returns the row whose `name` the path ends with, as in "a.tar.gz"; NULL if the path is not that of an archive. */
const struct pack *pack_archive(const char *path);
/* Returns the row for the content of fd at its current offset, or NULL if the content is not compressed or fd is a
 * pipe. The offset stays. */
const struct pack *pack_of_file(int fd);
/* Returns true if `path` ("-" is standard input) is a regular file that is not compressed. */
bool pack_plain(const char *path);
/* Returns the row whose `suffix` the path of an output file ends with, as in "a.csv.gz", or NULL if there is none. */
const struct pack *pack_named(const char *path);

/* A program of the table that runs. */
struct pack_process {
	const struct pack *pack;
	const char *option;
	pid_t pid;
	int says; /* what it writes to standard error */
};

/*
 * Starts the program of `k`, found by PATH, with that option, from the descriptor `in` to `out`. All other descriptors
 * of this process must be close-on-exec. The program does not get the environment's variables that would give it
 * options. Returns 0, and the caller must call filter_end; or the errno if the program does not start. The caller
 * closes `in` and `out` in both cases. `option` must stay valid until filter_end.
 */
int filter_start(struct pack_process *f, const struct pack *k, const char *option, int in,
		 int out);
/* Waits until the program ends; with `early`, kills it first. `said` is its error message and status; empty if there
 * was no error, or with `early`. */
void filter_end(struct pack_process *f, bool early, char said[PACK_SAID]);

#endif
