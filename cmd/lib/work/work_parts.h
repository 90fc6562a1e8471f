/*
 * work_parts.h - partial results: counts as lines of text, which another run adds up. A header comes first, a
 * trailer last; the trailer gives the number of lines between them.
 */
#ifndef SPOOR_PARTS_H
#define SPOOR_PARTS_H

#include "base/die.h"
#include "base/mem.h"
#include "base/out.h"

struct parts_writer {
	struct out *o;
	struct buf line; /* the beginning of the next lines */
	uint64_t lines;	 /* number of lines written */
};

/*
 * Writes a line: the contents of w->line, then `format`, in which %u is a uint64_t, %i an
 * int64_t, %w a struct wide *, %b a struct buf *, %s a C string, %e a C string to be
 * escaped, %n a name, see put_name.
 */
void parts_line(struct parts_writer *w, const char *format, ...);

struct parts_reader {
	const char *name; /* name of the file, for messages */
	/* Called with each line of data. `reader` is the struct that begins with this one;
	 * *end may be written. */
	void (*take)(void *reader, char *p, char *end);
	/* Counts in the current file: the number of the line; the lines of data, and how
	 * many of them the trailers give; whether there was a header, and a trailer. */
	uint64_t line, lines, announced;
	bool header, trailer;
};

/* Prints an error about the current line, with its place, and exits. */
#define parts_refuse(r, ...) die_at((r)->name, (r)->line, __VA_ARGS__)
/* Reads all lines of the file `path`, "-" = standard input. Returns false if the last line
 * is incomplete. Dies if the file cannot be read. */
bool parts_read(struct parts_reader *r, const char *path);
/* Splits p at each `sep`, in place, and stores the parts in word[0..most). Returns how many
 * there are; most + 1 if there are more. */
size_t parts_cut(char *p, char sep, char **word, size_t most);

#endif
