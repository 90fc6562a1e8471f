/*
 * sniff.h - which format an input has, by its first bytes.
 *
 * Recognising a format is apart from reading it: every program links the sniffers of all formats,
 * which are small, and the readers of those that it reads. So a decoder can name the program that
 * reads a file which it does not.
 */
#ifndef SPOOR_SNIFF_H
#define SPOOR_SNIFF_H

#include "input/source.h"

#define SNIFFERS_MOST 32 /* in a list of sniffers */

/* How one format is recognised. */
struct sniffer {
	const char *format;  /* its name, as in struct format */
	const char *what;    /* for a message: "an SPC trace" */
	const char *program; /* the program that decodes it */
	bool text;
	/*
	 * Returns how sure it is that the first n bytes p of an input are of this format, from 0
	 * (no) to 100. `whole` is true if no bytes follow. A sniffer that needs more bytes returns 0.
	 * From 70 on it is believed at once; below, once sniff.c has shown it all that it looks at.
	 */
	int (*sniff)(const uint8_t *p, size_t n, bool whole);
};

/*
 * Returns the sniffer in the list `sniffers` (up to NULL) that is surest of the first bytes of
 * `in`, the earlier one of two that are equally sure, or NULL if none fits. It looks at more and
 * more bytes, up to places that the bytes themselves decide, so that the answer does not depend
 * on the size of a read. It answers as soon as it is sure, by a magic number or the first line, so
 * that live pipes need not wait.
 */
const struct sniffer *format_sniff(const struct sniffer *const *sniffers, struct in *in);
/*
 * Returns the format of the input at `path`, among those that s->opt allows. Opens s->in, unless
 * the format takes the path itself. Returns NULL, with a message, if there is none. In every case the caller must
 * close s->in by in_close if s->in.buf is set.
 */
const struct format *format_find(struct source *s, const char *path);

#endif
