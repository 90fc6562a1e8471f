/* chunk.c - restricts a source to a part of its file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/chunk.h"
#include "input/slice.h"

/* Returns the length of the lines at the beginning of the input that begin with '#', and counts the lines. Every
 * part of a text stream needs all of them. */
static size_t
header_length(struct source *s)
{
	struct in *in = &s->in;
	size_t at = 0;

	s->part.header_lines = 0;
	while (in_need(in, at + 1) && in->p[at] == '#') {
		const uint8_t *nl = memchr(in->p + at, '\n', in_left(in) - at);

		if (nl) {
			at = (size_t)(nl - in->p) + 1;
			s->part.header_lines++;
		} else if (!in_more(in))
			break;
	}
	return at;
}

/* Reads the first event of the file, which is in another part. The event gives the time from which --hz counts,
 * and the clock of a text stream whose header does not name it. */
static void
find_first(struct source *s)
{
	struct read_options opt = *s->opt;
	const struct source *like = opt.opened_before;
	struct batch *b;
	struct source all;

	if (like) {
		s->scale.first = like->scale.first;
		s->scale.first_set = like->scale.first_set;
		s->part.file_clock = like->head.clock;
		s->part.file_clock_known = true;
		return;
	}
	b = xcalloc(1, sizeof *b);
	opt.chunks = 0;
	opt.slice = NULL;
	opt.follow = false;
	opt.hz = 0;
	opt.quiet = true;
	opt.need |= NEED_TIME;
	if (source_start(&all, &opt, &s->name, 1)) {
		if (source_next(&all, b)) {
			s->scale.first = (uint64_t)batch_rec(b, 0)->time;
			s->scale.first_set = true;
			s->part.file_clock = all.head.clock;
			s->part.file_clock_known = true;
		}
		source_close(&all);
	}
	buf_free(&b->own);
	free(b);
}

/* Returns true if the slice can be found by a search in the input. The input must be a regular file, which is
 * opened once more. */
static bool
searched(const struct source *s)
{
	const struct cutting *cut = format_cutting(s->fmt);
	struct stat st;

	return s->opt->slice && s->part.cut_unit && cut->in_order && cut->in_order(s) &&
	       s->in.buf && s->in.fd > 0 && !s->stop && fstat(s->in.fd, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

/* Sets [*begin, *end) to the bytes or streams of the slice and of the part K/N. *end is UINT64_MAX for the end of
 * the file. Returns false, with a message, if the part cannot be made. */
static bool
bounds(struct source *s, uint64_t *begin, uint64_t *end)
{
	unsigned k = s->opt->chunk, n = s->opt->chunks, grain = s->part.cut_unit;
	uint64_t from, size;
	struct stat st;

	*begin = 0;
	*end = UINT64_MAX;
	s->slice.searched = searched(s);
	if (s->slice.searched && !slice_find(s, begin, end)) {
		s->slice.searched = false;
		if (!s->opt->quiet)
			warn(
			    "%s: times go back: reading the whole file for --from and --to",
			    s->name);
	}
	if (!n)
		return true;
	if (s->part.streams) {
		*begin = chunk_share(s->part.streams, k - 1, n);
		if (k < n)
			*end = chunk_share(s->part.streams, k, n);
		return true;
	}
	if (!grain) {
		warn("%s: --chunk: the format %s cannot be cut into parts%s", s->name,
		     s->fmt->name,
		     format_inputs(s->fmt)->many
			 ? ", but by streams where their order in time does not count"
			 : "");
		return false;
	}
	if (!s->in.buf || fstat(s->in.fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		warn("%s: --chunk: only a regular file can be cut into parts", s->name);
		return false;
	}
	from = *begin;
	size = *end == UINT64_MAX ? (uint64_t)st.st_size : *end;
	*begin =
	    chunk_align(s->in.fd, grain, from + chunk_share(size - from, k - 1, n), size);
	if (k < n)
		*end = chunk_align(s->in.fd, grain, from + chunk_share(size - from, k, n),
				   size);
	if (*begin == UINT64_MAX || (k < n && *end == UINT64_MAX)) {
		warn("%s: read:", s->name);
		return false;
	}
	return true;
}

/* Makes s read the bytes or streams [begin, end), after the `header` bytes in its buffer. Returns false, with a
 * message, if lseek fails. */
static bool
place_part(struct source *s, size_t header, uint64_t begin, uint64_t end)
{
	struct in *in = &s->in;

	s->part.begin = begin;
	s->part.end = end;
	if (s->part.streams)
		s->part.stream = begin;
	if (format_cutting(s->fmt)->reads_outside || s->part.streams)
		return true;
	if (lseek(in->fd, (off_t)begin, SEEK_SET) < 0) {
		warn("%s: seek:", s->name);
		return false;
	}
	in->end = in->p + header;
	in->base = begin - (uint64_t)(in->end - in->buf);
	in->left = end == UINT64_MAX ? end : end - begin;
	in->eof = false;
	return true;
}

bool
chunk_cut(struct source *s)
{
	uint64_t begin, end;
	size_t header = 0;

	if (!bounds(s, &begin, &end))
		return false;
	if (!s->opt->chunks && !begin && end == UINT64_MAX)
		return true;
	if (s->fmt->stream && s->fmt->text) {
		header = header_length(s);
		/* The whole header belongs to the first part, so that no line of it is read twice. */
		begin = s->opt->chunk > 1 && begin < header ? header : begin;
		end = end < header ? header : end;
		header = begin ? header : 0;
	}
	if (!place_part(s, header, begin, end))
		return false;
	if (begin && (s->opt->hz || (s->fmt->stream && s->fmt->text)))
		find_first(s);
	return true;
}

bool
chunk_move(struct source *s, uint64_t begin, uint64_t end)
{
	bool fresh = !s->part.begin && s->opt->opened_before;
	size_t header = 0;

	if (fresh) {
		if (s->fmt->stream && s->fmt->text)
			header = header_length(s);
		find_first(s);
	} else
		s->part.header_lines = 0;
	s->line = 0;
	s->part.lines_counted = false;
	s->part.lines_before = 0;
	return place_part(s, header, begin, end);
}
