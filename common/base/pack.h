/* pack.h - compressed files: their magic bytes, the suffixes of their names, and the programs of the system that
 * read and write them. */
#ifndef SPOOR_PACK_H
#define SPOOR_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pack {
	/* first bytes of such a file; NULL if only its name can show it (`name`) */
	const char *magic;
	size_t n;
	/* Program that decompresses with the option `get`, and compresses with -c, from standard input to standard
	 * output. NULL ends the table. */
	const char *program;
	const char *cat; /* command for users that prints such a file */
	/* Suffix of files of -o that are compressed; NULL = only read. */
	const char *suffix;
	const char *get; /* option to decompress; NULL = -dc */
	/* Suffix of an archive, whose members are read one after another. */
	const char *name;
};

#define PACK_MAGIC 6 /* bytes of the longest magic */
#define PACK_SAID 256

extern const struct pack packs[];

/* Returns the row whose magic the n bytes at p begin with, or NULL. *more becomes true if no magic matches
 * but more bytes could complete one, otherwise false. */
const struct pack *pack_of(const uint8_t *p, size_t n, bool *more);
/* Returns the row whose `name` the path ends with, as in "a.tar.gz"; NULL if the path does not name an archive. */
const struct pack *pack_archive(const char *path);
/* Returns the row for the content of fd at its current offset, or NULL if the content is not compressed or fd is a
 * pipe. The offset stays. */
const struct pack *pack_of_file(int fd);
/* Returns true if `path` ("-" is standard input) is a regular file that is not compressed. */
bool pack_plain(const char *path);
/* Returns the row whose `suffix` the path of an output file ends with, as in "a.csv.gz", or NULL if there is none. */
const struct pack *pack_named(const char *path);

/* A running program of the table. */
struct pack_process {
	const struct pack *pack;
	const char *option;
	pid_t pid;
	int says; /* pipe with its standard error */
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
