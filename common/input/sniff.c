/* sniff.c - implements sniff.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/pack.h"
#include "input/sniff.h"

/* A format must be recognised by at most so many bytes at the beginning of a file. */
#define SNIFF_MOST (256 * 1024)
/* Limits for what sniffers look at: bytes for a magic number, bytes for a binary format without one, and lines for
 * a text format (lines_first). */
#define SNIFF_MAGIC 16
#define SNIFF_BINARY (4 * 1024)
#define SNIFF_LINES 20
/* Certainty of a magic number, or of a typical first line. */
#define SNIFF_SURE 70

const struct format_inputs *
format_inputs(const struct format *f)
{
	static const struct format_inputs none;

	return f->inputs ? f->inputs : &none;
}

/* Returns true if the names say that the path lies within the directory. */
static bool
within(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	while (n > 1 && directory[n - 1] == '/')
		n--;
	return !strncmp(path, directory, n) && path[n] == '/';
}

bool
format_joins(const struct format *f, const char *path, const char *next,
	     const struct read_options *opt)
{
	const struct format_inputs *i = format_inputs(f);

	return i->many && (!i->is_single || within(next, path) || within(path, next) ||
			   (!i->is_single(path, opt) && !i->is_single(next, opt)));
}

const struct cutting *
format_cutting(const struct format *f)
{
	static const struct cutting none;

	return f->cutting ? f->cutting : &none;
}

/* Returns true if p begins with the magic number of blktrace, 0x65617400 plus a version, in either byte order. */
static bool
is_blktrace(const uint8_t *p)
{
	return (p[0] && p[0] <= 8 && !memcmp(p + 1, "tae", 3)) ||
	       (p[3] && p[3] <= 8 && !memcmp(p, "eat", 3));
}

/* Returns a message for a file that people often pass by mistake, recognised by its first bytes, or for a read
 * error. Returns NULL otherwise. The message may be written to `text`. */
static const char *
foreign(const struct in *in, char text[PACK_SAID + 64])
{
	size_t n = in_left(in);
	bool more;
	const struct pack *k = pack_of(in->p, n, &more);

	if (in->err)
		snprintf(text, PACK_SAID + 64, "read: %s", in_why(in));
	else if (k && in->unpack && pack_archive(in->name))
		snprintf(text, PACK_SAID + 64,
			 "its members are compressed by %s: tar -xOf FILE MEMBER | ...",
			 k->program);
	else if (k)
		snprintf(text, PACK_SAID + 64,
			 "offset 0: this is compressed by %s%s: %s FILE | ...", k->program,
			 in->unpack ? " once more" : "", k->cat);
	else if (n >= 4 && is_blktrace(in->p))
		return "offset 0: this is a binary trace of blktrace: blkparse -i FILE | "
		       "...";
	else if (n >= 4 && !memcmp(in->p, "PK\x03\x04", 4))
		return "offset 0: this is a zip archive: unzip -p FILE | ...";
	else if (n > 262 && !memcmp(in->p + 257, "ustar", 5))
		return "offset 0: this is a tar archive: tar -xOf FILE MEMBER | ...";
	return in->err || k ? text : NULL;
}

/* Returns the sniffer that is surest of the first n bytes, the earlier one of two that are equally sure. Sets
 * *most to its certainty. Returns NULL and sets *most to 0 if none fits. */
static const struct sniffer *
surest(const struct sniffer *const *list, const struct in *in, size_t n, bool whole,
       int *most)
{
	const struct sniffer *best = NULL;

	*most = 0;
	for (; *list; list++) {
		int sure = (*list)->sniff(in->p, n, whole);

		if (sure > *most) {
			*most = sure;
			best = *list;
		}
	}
	return best;
}

const struct sniffer *
format_sniff(const struct sniffer *const *sniffers, struct in *in)
{
	static const size_t place[] = {SNIFF_MAGIC, SNIFF_BINARY, SNIFF_MOST};
	size_t i = 0, seen = 0, lines = 0, stop, n;
	const struct sniffer *f;
	int sure;

	while (i < sizeof place / sizeof *place) {
		const uint8_t *nl = NULL;

		stop = place[i] < in_left(in) ? place[i] : in_left(in);
		if (lines < SNIFF_LINES && seen < stop)
			nl = memchr(in->p + seen, '\n', stop - seen);
		seen = nl ? (size_t)(nl - in->p) + 1 : stop;
		/* At the last limit, also find out if more bytes follow. */
		if (!nl && in_left(in) < place[i] + (place[i] == SNIFF_MOST)) {
			if (in_more(in))
				continue;
			return surest(sniffers, in, in_left(in), true, &sure);
		}
		lines += nl != NULL;
		n = nl ? seen : place[i++];
		f = surest(sniffers, in, n, false, &sure);
		if (sure >= SNIFF_SURE || n == SNIFF_MOST ||
		    (f && (f->text ? lines == SNIFF_LINES : n >= SNIFF_BINARY)))
			return f;
	}
	return NULL;
}

/* Returns the reader of the format that `is` recognised. Returns NULL, with a message that names the program to
 * use, if this program does not read the format. */
static const struct format *
readable(const struct source *s, const struct sniffer *is)
{
	const struct read_options *opt = s->opt;
	const struct format *f = format_named(opt->known, is->format);

	if (f && (!opt->expect || f == opt->expect))
		return f;
	if (!opt->quiet)
		warn("%s: this is %s: use %s", s->name, is->what, is->program);
	return NULL;
}

/* Returns the format that reads the path itself (format_inputs.takes), or NULL. */
static const struct format *
format_taking(const struct source *s, const char *path)
{
	const struct format *const only[] = {s->opt->only, NULL};
	const struct format *const *f = *only ? only : s->opt->known;

	for (; *f; f++)
		if (format_inputs(*f)->takes && format_inputs(*f)->takes(path, s->opt))
			return *f;
	return NULL;
}

/* Returns the format for an empty input: the text stream, or the first format if there is none. */
static const struct format *
of_nothing(const struct format *const *known)
{
	for (size_t i = 0; known[i]; i++)
		if (known[i]->stream && known[i]->text)
			return known[i];
	return *known;
}

/* Returns the format that claims the input (format_inputs.claims), or NULL. */
static const struct format *
claiming(struct source *s, bool last, char hint[256])
{
	const struct format *const *f = s->opt->known;

	for (*hint = '\0'; f && *f; f++)
		if (format_inputs(*f)->claims && format_inputs(*f)->claims(s, last, hint))
			return *f;
	return NULL;
}

/* Returns f, the format of -f. Returns NULL, with a message, if another program must convert the input first, such
 * as one that decompresses it. */
static const struct format *
only(const struct source *s, const struct format *f)
{
	char text[PACK_SAID + 64];
	const char *why = s->in.err ? NULL : foreign(&s->in, text);

	if (why && !s->opt->quiet)
		warn("%s: %s", s->name, why);
	return why ? NULL : f;
}

/* Returns true if the sniffers of text formats had a whole line to look at. */
static bool
has_line(const struct in *in)
{
	return in->eof || memchr(in->p, '\n', in_left(in));
}

/* Returns true if the first bytes contain no control characters except tabs, line ends and escapes. */
static bool
looks_like_text(const struct in *in)
{
	size_t n = in_left(in) < SNIFF_BINARY ? in_left(in) : SNIFF_BINARY;

	for (size_t i = 0; i < n; i++)
		if (in->p[i] == 0x7f ||
		    (in->p[i] < ' ' && !memchr("\t\n\v\f\r\x1b", in->p[i], 6)))
			return false;
	return true;
}

/* Returns the format of an input that no sniffer recognised. A decoder accepts damaged binary input, and a first
 * line that is too long for sniffers. Returns NULL, with a message, if there is no such format. */
static const struct format *
claimed_last(struct source *s)
{
	char text[PACK_SAID + 64], own[256] = "";
	const char *hint = foreign(&s->in, text);
	/* The bytes before a read error may still be of a known format. */
	bool ours = !hint || s->in.err;
	const struct format *f = ours ? claiming(s, true, own) : NULL;

	if (f)
		return f;
	if (s->opt->expect && ours &&
	    !(s->opt->expect->text ? has_line(&s->in) : looks_like_text(&s->in)))
		return s->opt->expect;
	if (!s->opt->quiet && hint)
		warn("%s: %s", s->name, hint);
	else if (!s->opt->quiet && s->opt->expect)
		warn("%s: no known format: try trace-stats FILE (-f %s reads it anyway)",
		     s->name, s->opt->expect->name);
	else if (!s->opt->quiet)
		warn("%s: no known format begins like this (%s)", s->name,
		     *own ? own : "-f FORMAT sets one");
	return NULL;
}

const struct format *
format_find(struct source *s, const char *path)
{
	const struct format *f = format_taking(s, path);
	const struct sniffer *is;
	char hint[256];

	if (f)
		return f;
	if (!in_open_room(&s->in, path, s->opt->room)) {
		if (!s->opt->quiet && errno == EISDIR && s->opt->expect)
			warn("%s: is a directory: try trace-stats", path);
		else if (!s->opt->quiet)
			warn("%s:", path);
		s->in.buf = NULL;
		return NULL;
	}
	s->name = s->in.name;
	s->in.follow = s->opt->follow;
	in_more(&s->in);
	if (s->opt->only)
		return only(s, s->opt->only);
	f = claiming(s, false, hint);
	if (f)
		return f;
	if (s->in.err || (s->in.eof && in_left(&s->in) == 0)) /* it fits every format */
		return s->opt->expect ? s->opt->expect : of_nothing(s->opt->known);
	is = format_sniff(s->opt->sniffers, &s->in);
	if (is)
		return readable(s, is);
	if (s->in.over) /* a signal came while the first bytes were awaited */
		return s->opt->expect ? s->opt->expect : of_nothing(s->opt->known);
	return claimed_last(s);
}
