/* layout_dump.c - prints a layout as a table of offsets: see charisma_layout.h. */
#include <stdio.h>

#include "charisma/charisma_layout.h"

static void
dump_row(struct out *o, const char *layout, const char *record, const char *field,
	 uint32_t off, uint32_t size)
{
	char text[4 * LAYOUT_NAME];

	snprintf(text, sizeof text, "%s\t%s\t%s\t%u\t%u\n", layout, record, field,
		 (unsigned)off, (unsigned)size);
	out_str(o, text);
}

void
layout_dump(const struct layout *l, struct out *o)
{
	out_str(o, "preset\trecord\tfield\toffset\tsize\n");
	for (uint32_t i = 0; i < l->nrecords; i++) {
		const struct layout_record *r = &l->record[i];

		for (uint32_t k = 0; k < r->nfields; k++)
			dump_row(o, l->name, r->cname, r->field[k].name, r->field[k].off,
				 r->field[k].size);
		if (r->kind == KIND_COMP_RW)
			dump_row(o, l->name, r->cname, "fields", r->size, 0);
		dump_row(o, l->name, r->cname, "(sizeof)", 0, r->size);
	}
}
