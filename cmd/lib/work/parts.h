/*
 * parts.h - partials: what was counted as lines of text, to be added to others. A header comes
 * first, and a trailer last that counts the lines between them.
 */
#ifndef SPOOR_PARTS_H
#define SPOOR_PARTS_H

#include "base/die.h"
#include "base/mem.h"
#include "base/out.h"

struct parts_writer {
	struct out *o;
	struct buf line; /* what the next lines begin with */
	uint64_t lines;	 /* so many were written */
};

/*
 * Writes a line: what w->line holds, then `format`, in which %u is a uint64_t, %i an int64_t, %w a
 * struct wide *, %b a struct buf *, %s a C string, %e one that is escaped, %n a name, see put_name.
 */
void parts_line(struct parts_writer *w, const char *format, ...);

struct parts_reader {
	const char *name; /* of the file, for messages */
	/* Takes a line of `reader`, the struct that begins with this one; *end may be written. */
	void (*take)(void *reader, char *p, char *end);
	/* Of the file at hand: the number of the line; lines of data, and how many trailers
	 * count; whether there was a header, and a trailer. */
	uint64_t line, lines, announced;
	bool header, trailer;
};

/* Says what is wrong with the line at hand, with its place, and exits. */
#define parts_refuse(r, ...) die_at((r)->name, (r)->line, __VA_ARGS__)
/* Takes all lines of the file `path`, "-" = standard input; false if the last one has no end. Dies
 * if the file cannot be read. */
bool parts_read(struct parts_reader *r, const char *path);
/* Cuts p where `sep` stands: the parts into word[0..most). Gives how many there are; most + 1 if there
 * are more. */
size_t parts_cut(char *p, char sep, char **word, size_t most);

#endif
