/* output_pieces.c - an output that several threads write in parts. */
#include "output/sink.h"

void
sink_piece(void *piece, void *of, struct buf *to)
{
	const struct sink *whole = of;
	struct sink *k = piece;
	struct read_options asked = {.need = 0};

	*k = (struct sink){.opt = whole->opt, .part = true, .whole = whole};
	out_memory(&k->out, to);
	if (k->opt.form->begin)
		k->opt.form->begin(k, &asked);
}

enum turn
sink_join(void *whole, void *piece)
{
	struct sink *k = whole, *from = piece;

	out_flush(&from->out);
	return k->opt.form->join(k, from) ? TURN_ON : TURN_ALONE;
}

void
sink_drop(void *piece)
{
	struct sink *k = piece;

	if (k->opt.form->close)
		k->opt.form->close(k);
	out_memory_close(&k->out);
}

const struct threads *
sink_threads(struct sink *k)
{
	k->threads =
	    (struct threads){.read = threads_read,
			     .size = sizeof *k,
			     .open = sink_piece,
			     .merge = sink_join,
			     .close = sink_drop,
			     .out = &k->out,
			     .silent = k->opt.form == &form_none,
			     .as_input = k->opt.form == &form_input && !k->opt.header};
	return k->opt.form->join ? &k->threads : NULL;
}
