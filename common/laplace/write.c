/* write.c - references and events of the kernel as native text, and as pages. */
#include "laplace/line.h"
#include "laplace/merge.h"

static void
put_lines(struct out *o, const struct laplace_step *step)
{
	const uint8_t *r = step->refs;
	uint8_t *p = o->p;

	for (uint32_t i = 0; i < step->n; i++, r += LAPLACE_RECORD) {
		p = out_room_at(o, p);
		p = laplace_put_line(p, *r, le64(r + 1), r[9], le32(r + 10), le32(r + 14));
	}
	o->p = p;
}

static void
put_pages(struct out *o, const struct laplace_step *step)
{
	const uint8_t *r = step->refs;
	uint8_t *p = o->p;

	for (uint32_t i = 0; i < step->n; i++, r += LAPLACE_RECORD) {
		p = out_room_at(o, p);
		p[0] = *r >= 'a' && *r <= 'z' ? *r & 0xdf : *r;
		p[1] = ' ';
		p = laplace_put32(p + 2, step->page[i]);
		*p++ = '\n';
	}
	o->p = p;
}

static void
write_all(struct laplace_merge *m, struct out *o, bool pages)
{
	struct laplace_step step;

	laplace_line_start();
	while (laplace_merge_next(m, &step, BATCH)) {
		if (step.refs)
			(pages ? put_pages : put_lines)(o, &step);
		else if (!pages)
			out_bytes(o, step.raw.p, step.raw.n);
		if (o->line)
			out_flush(o);
	}
}

void
laplace_write_text(struct laplace_merge *m, struct out *o)
{
	write_all(m, o, false);
}

void
laplace_write_pages(struct laplace_merge *m, struct out *o)
{
	write_all(m, o, true);
}
