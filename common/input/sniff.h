/*
 * sniff.h - recognises the format of an input by its first bytes.
 *
 * Recognising a format is separate from reading it. Every program links the sniffers of all formats, which are
 * small, and the readers of the formats that it reads. So a decoder can name the program that reads a file which
 * the decoder does not read.
 */
#ifndef SPOOR_SNIFF_H
#define SPOOR_SNIFF_H

#include "input/source.h"

#define SNIFFERS_MOST 32 /* most sniffers in a list */

/* How one format is recognised. */
struct sniffer {
	const char *format;  /* name of the format, as in struct format */
	const char *what;    /* name for messages: "an SPC trace" */
	const char *program; /* program that decodes the format */
	bool text;
	/* Returns how sure the sniffer is that the first n bytes p of an input are of this format, from 0 (no) to
	 * 100. `whole` is true if no bytes follow. A sniffer that needs more bytes returns 0. From 70 on the
	 * answer is accepted at once; a smaller one is accepted after all the bytes that sniff.c looks at. */
	int (*sniff)(const uint8_t *p, size_t n, bool whole);
};

/* Returns the sniffer in the list `sniffers` (up to NULL) that is surest of the first bytes of `in`, the earlier
 * one of two that are equally sure. Returns NULL if none fits. Looks at more and more bytes, up to positions that
 * only the bytes decide, so that the answer does not depend on the size of a read. Answers as soon as a magic
 * number or the first line makes it sure, so that live pipes do not wait. */
const struct sniffer *format_sniff(const struct sniffer *const *sniffers, struct in *in);
/* Returns the format of the input at `path`, among the formats that s->opt allows. Opens s->in, unless the format
 * reads the path itself. Returns NULL, with a message, if there is none. In every case the caller must close s->in
 * by in_close if s->in.buf is set. */
const struct format *format_find(struct source *s, const char *path);

#endif
