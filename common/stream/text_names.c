/* text_names.c - the tables of names for the fast path through text; they are small at first. */
#include <stdlib.h>

#include "base/die.h"
#include "stream/text_line.h"

const uint8_t name_window[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255,
				 255, 255, 255, 255, 255, 255, 255, 255};

static struct name_slot no_names[2];

void
name_forget(struct name_table *t)
{
	if (t->slot != no_names)
		free(t->slot);
	*t = (struct name_table){no_names, 1, 0x9E3779B97F4A7C15u};
}

/* Puts a name into its slot. Returns false if another name has the slot. */
static bool
name_put(struct name_table *t, struct name_slot name)
{
	struct name_slot *sl = name_slot(t, name.k0, name.k1);
	bool is_free = !sl->id1 || (sl->k0 == name.k0 && sl->k1 == name.k1);

	if (is_free)
		*sl = name;
	return is_free;
}

/* Makes a table of 2^bits slots with another factor and the names of `was`. Returns false if two of them need the
 * same slot. */
static bool
name_move(struct name_table *t, const struct name_table *was, unsigned bits)
{
	bool all = true;

	t->slot = xcalloc((size_t)1 << bits, sizeof *t->slot);
	t->bits = bits;
	t->factor = t->factor * 0xD1342543DE82EF95u + 2;
	for (size_t i = 0; i < (size_t)1 << was->bits; i++)
		if (was->slot[i].id1)
			all &= name_put(t, was->slot[i]);
	return all;
}

void
name_add(struct name_table *t, const uint8_t *p, size_t n, uint32_t id)
{
	struct name_table was = *t;
	struct name_slot name = {.id1 = id + 1};
	unsigned bits = was.bits < NAME_BITS_FIRST ? NAME_BITS_FIRST : was.bits;

	if (n > 16 || !n)
		return;
	name.k0 = ld64(p) & ld64(name_window + 16 - n);
	name.k1 = ld64(p + 8) & ld64(name_window + 24 - n);
	if (bits == was.bits && (name_put(t, name) || bits == NAME_BITS)) {
		*name_slot(t, name.k0, name.k1) = name;
		return;
	}
	for (unsigned i = 1; !name_move(t, &was, bits) || !name_put(t, name); i++) {
		if (bits == NAME_BITS && i >= NAME_TRIES)
			break;
		bits += i % NAME_TRIES == 0;
		free(t->slot);
	}
	if (was.slot != no_names)
		free(was.slot);
}
