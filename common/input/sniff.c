/* sniff.c - the format that an input is of. */
#include <stdio.h>
#include <string.h>

#include "base/pack.h"
#include "input/sniff.h"

/* A format must be recognised by its first bytes, this many at most. */
#define SNIFF_MOST (256 * 1024)
/* Magic numbers lie within so many bytes; what tells binary formats without one, within so
 * many; what tells formats of text, within so many lines (lines_first). */
#define SNIFF_MAGIC 16
#define SNIFF_BINARY (4 * 1024)
#define SNIFF_LINES 20
/* A magic number, or what the first line tells. */
#define SNIFF_SURE 70

const struct format *
format_named(const struct format *const *known, const char *name)
{
	for (; known && *known; known++)
		if (!strcmp((*known)->name, name))
			return *known;
	return NULL;
}

const struct format *
format_of(const struct format *const *known, const char *name)
{
	static const struct format none = {.name = ""};
	const struct format *f = format_named(known, name);

	return f ? f : &none;
}

/* What people feed by mistake, by its first bytes: what to say of it, written to `text`; or NULL.
 * Or why there are no more of them. */
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
			 "offset 0: it is compressed by %s%s: %s FILE | ...", k->program,
			 in->unpack ? " once more" : "", k->cat);
	else if (n >= 4 && !memcmp(in->p, "PK\x03\x04", 4))
		return "offset 0: it is a zip archive: unzip -p FILE | ...";
	else if (n > 262 && !memcmp(in->p + 257, "ustar", 5))
		return "offset 0: it is a tar archive: tar -xOf FILE MEMBER | ...";
	return in->err || k ? text : NULL;
}

/* The surest of the formats for the first n bytes; 0 and NULL where none is. Where two are
 * equally sure, the earlier one wins. */
static const struct format *
surest(const struct format *const *known, const struct in *in, size_t n, bool whole,
       int *most)
{
	const struct format *best = NULL;

	*most = 0;
	for (; *known; known++) {
		int sure = (*known)->sniff ? (*known)->sniff(in->p, n, whole) : 0;

		if (sure > *most) {
			*most = sure;
			best = *known;
		}
	}
	return best;
}

const struct format *
format_sniff(const struct format *const *known, struct in *in)
{
	static const size_t place[] = {SNIFF_MAGIC, SNIFF_BINARY, SNIFF_MOST};
	size_t i = 0, seen = 0, lines = 0, stop, n;
	const struct format *f;
	int sure;

	while (i < sizeof place / sizeof *place) {
		const uint8_t *nl = NULL;

		stop = place[i] < in_left(in) ? place[i] : in_left(in);
		if (lines < SNIFF_LINES && seen < stop)
			nl = memchr(in->p + seen, '\n', stop - seen);
		seen = nl ? (size_t)(nl - in->p) + 1 : stop;
		/* At the very last place: whether more follow. */
		if (!nl && in_left(in) < place[i] + (place[i] == SNIFF_MOST)) {
			if (in_more(in))
				continue;
			return surest(known, in, in_left(in), true, &sure);
		}
		lines += nl != NULL;
		n = nl ? seen : place[i++];
		f = surest(known, in, n, false, &sure);
		if (sure >= SNIFF_SURE || n == SNIFF_MOST ||
		    (f && (f->text ? lines == SNIFF_LINES : n >= SNIFF_BINARY)))
			return f;
	}
	return NULL;
}

/* The format f; NULL, with a message, where a program that decodes one format is given another. */
static const struct format *
expected(const struct source *s, const struct format *f)
{
	const struct format *expect = s->opt->expect;

	if (!expect || f == expect)
		return f;
	if (!s->opt->quiet)
		warn("%s: this is %s (%s), not %s", s->name, f->name, f->about,
		     expect->name);
	return NULL;
}

/* The format that takes the path itself, or NULL. */
static const struct format *
format_taking(const struct source *s, const char *path)
{
	const struct format *const only[] = {s->opt->only, NULL};
	const struct format *const *f = *only ? only : s->opt->known;

	for (; *f; f++)
		if ((*f)->takes && (*f)->takes(path, s->opt))
			return *f;
	return NULL;
}

/* What an input without a byte is: a text stream, or the first of the formats. */
static const struct format *
of_nothing(const struct format *const *known)
{
	for (size_t i = 0; known[i]; i++)
		if (known[i]->stream && known[i]->text)
			return known[i];
	return *known;
}

/* The format that claims the input, see format.h; NULL: none does. */
static const struct format *
claiming(struct source *s, bool last, char hint[256])
{
	const struct format *const *f = s->opt->known;

	for (*hint = '\0'; f && *f; f++)
		if ((*f)->claims && (*f)->claims(s, last, hint))
			return *f;
	return NULL;
}

/* The format f, which is asked for; NULL, with a message, where the system has not the program
 * that decompresses the input. */
static const struct format *
only(const struct source *s, const struct format *f)
{
	char text[PACK_SAID + 64];
	const char *why = s->in.err ? NULL : foreign(&s->in, text);

	if (why && !s->opt->quiet)
		warn("%s: %s", s->name, why);
	return why ? NULL : f;
}

/* The format of what no format's bytes are; NULL, with a message, where there is none. */
static const struct format *
claimed_last(struct source *s)
{
	char text[PACK_SAID + 64], own[256] = "";
	const char *hint = foreign(&s->in, text);
	/* What was read before an error is read all the same. */
	bool ours = !hint || s->in.err;
	const struct format *f = ours ? claiming(s, true, own) : NULL;

	if (f)
		return expected(s, f);
	if (s->opt->expect && ours)
		return s->opt->expect; /* broken as it may be */
	if (!s->opt->quiet && hint)
		warn("%s: %s", s->name, hint);
	else if (!s->opt->quiet)
		warn("%s: no known format begins like this (%s)", s->name,
		     *own ? own : "-f FORMAT sets one");
	return NULL;
}

const struct format *
format_find(struct source *s, const char *path)
{
	const struct format *f = format_taking(s, path);
	char hint[256];

	if (f)
		return expected(s, f);
	if (!in_open_room(&s->in, path, s->opt->room)) {
		if (!s->opt->quiet)
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
		return expected(s, f);
	if (s->in.err || (s->in.eof && in_left(&s->in) == 0)) /* it is of any format */
		return s->opt->expect ? s->opt->expect : of_nothing(s->opt->known);
	f = format_sniff(s->opt->known, &s->in);
	if (f)
		return expected(s, f);
	if (s->in.over) /* a signal came while the first bytes were waited for */
		return s->opt->expect ? s->opt->expect : of_nothing(s->opt->known);
	return claimed_last(s);
}
