/* rec_swap.c - converts records to the other byte order. */
#include "base/bytes.h"
#include "stream/rec_swap.h"

static void
swap_at(uint8_t *p, uint32_t width)
{
	if (width == 2)
		st16(p, swap16(ld16(p)));
	else if (width == 4)
		st32(p, swap32(ld32(p)));
	else if (width == 8)
		st64(p, swap64(ld64(p)));
}

static void
swap_part(uint8_t *p)
{
	swap_at(p, 4);
	swap_at(p + 4, 4);
}

void
rec_swap(struct rec *r, const struct type *ty, bool out)
{
	uint8_t *base = (uint8_t *)r;
	uint32_t len = out ? r->len : swap32(r->len);

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];
		uint8_t *p = base + a->off;
		uint32_t width = kind_width(a->kind);
		struct part part;

		if (!kind_is_part(a)) {
			swap_at(p, width);
			continue;
		}
		if (!out)
			swap_part(p);
		memcpy(&part, p, sizeof part);
		if (out)
			swap_part(p);
		if (!a->array || part.off > len ||
		    (uint64_t)part.n * width > len - part.off)
			continue;
		for (uint32_t k = 0; k < part.n; k++) {
			if (a->kind == K_STR)
				swap_part(base + part.off + k * 8);
			else
				swap_at(base + part.off + k * width, width);
		}
	}
	for (uint32_t i = 0; i < 16; i += 4)
		swap_at(base + i, 4);
	for (uint32_t i = 16; i < REC_HEAD; i += 8)
		swap_at(base + i, 8);
}
