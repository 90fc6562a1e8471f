/* view_request.c - see view_request.h. */
#include <string.h>
#include <strings.h>

#include "input/fault.h"
#include "view/view_request.h"

uint8_t
op_of(const struct type *ty)
{
	static const struct {
		const char *name;
		uint8_t op;
	} ops[] = {
	    {"r", OP_READ},	 {"read", OP_READ}, {"w", OP_WRITE},
	    {"write", OP_WRITE}, {"i", OP_FETCH},   {"fetch", OP_FETCH},
	};

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (strlen(ops[i].name) == ty->event_len &&
		    !strncasecmp(ops[i].name, ty->event, ty->event_len))
			return ops[i].op;
	return 0;
}

uint64_t
source_addr_unit(const struct source *s, uint64_t said)
{
	uint64_t block = meta_block(&s->head);

	return block ? block : strcmp(s->head.format, "-") ? 1 : said;
}

uint64_t
source_addr_bytes(struct source *s, const struct batch *b)
{
	uint64_t unit = source_addr_unit(s, 0);

	for (uint32_t i = 0; !unit && !s->faults.unit_reported && i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);

		if (!(r->has & HAS_ADDR) || s->t.type[r->type].addr_hex)
			continue;
		s->faults.unit_reported = true;
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "the stream has no header: assuming that addr counts bytes; write it "
		      "with -H to record the unit");
	}
	return unit ? unit : 1;
}

_Noreturn void
source_no_unit(const struct source *s)
{
	die("%s: the unit of addr is unknown: give --addr-unit 1 or 512, or write the "
	    "stream with -H",
	    s->name);
}
