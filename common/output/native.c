/* native.c - writes records in the format of their input. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/native.h"
#include "output/sink.h"

/* Returns the functions for the format of s, or an empty struct, which copies records, if k has none for the
 * format. Dies if the format has no native form. */
static const struct native *
native_of(const struct sink *k, const struct source *s)
{
	static const struct native copy;
	const struct native *const *n = k->opt.of;

	if (!s->raw)
		die("%s: the format %s has no native form that can be written", s->name,
		    s->fmt->name);
	while (n && *n && strcmp((*n)->format, s->fmt->name) != 0)
		n++;
	return n && *n ? *n : &copy;
}

/* Begins the output of an input. Does nothing for further heads of the same input. */
static void
head_native(struct sink *k, struct source *s)
{
	const struct native *n;
	unsigned *begun = k->state;

	if (!begun)
		begun = k->state = xcalloc(1, sizeof *begun);
	if (*begun == s->id)
		return;
	n = native_of(k, s);
	if (!s->fmt->text)
		sink_no_terminal(k);
	if (n->begin)
		n->begin(s, &k->out);
	*begun = s->id;
}

static void
put_native(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	const struct native *to = native_of(k, s);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;

		if (to->put)
			to->put(s, &k->out, batch_rec(b, at), b->raw[at]);
		else
			out_bytes(&k->out, b->raw[at].p, b->raw[at].n);
	}
	if (k->out.line)
		out_flush(&k->out);
}

static void
end_native(struct sink *k, struct source *s)
{
	const struct native *n = native_of(k, s);

	if (n->end)
		n->end(s, &k->out);
}

static bool
join_native(struct sink *k, struct sink *piece)
{
	(void)k;
	(void)piece;
	return true;
}

static int
close_native(struct sink *k)
{
	free(k->state);
	return ST_OK;
}

const struct form form_native = {
    .need = NEED_ORDER | NEED_RAW,
    .head = head_native,
    .put = put_native,
    .end = end_native,
    .join = join_native,
    .close = close_native,
};
