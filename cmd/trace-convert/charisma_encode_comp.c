/* charisma_encode_comp.c - a request as a COMP_RW_RECORD, whose layout comp.c shows. */
#include <string.h>

#include "base/put.h"
#include "trace-convert/charisma_encode.h"

/* Sets *v to the argument f of the event, a number from 0 to `most`. Returns false if there is no such number. */
static bool
comp_number(const struct charisma_build *m, const struct field *f, uint64_t most,
	    uint64_t *v)
{
	bool neg;

	return encode_number(m->e, m->r, f, false, v, &neg) && !neg && *v <= most;
}

const char *
charisma_out_comp(const struct charisma_build *m, const struct charisma_out_plan *pl)
{
	static const char no[] = "no addr, and not all numbers of a compressed request";
	const struct charisma_out *c = m->e->state;
	const struct field *of = pl->comp_arg;
	struct out *o = m->e->out;
	uint8_t *p = out_room(o), *f = p + pl->comp.bytes + 8;
	uint64_t fd = 0, index[3] = {0}, v;
	const char *why;

	memcpy(p, pl->comp.blank, pl->comp.bytes);
	if ((why = charisma_out_steps(m, pl->comp.step, pl->comp.nsteps, p, p)))
		return why;
	if (m->op > 7 || (of[COMP_FD].kind && !comp_number(m, &of[COMP_FD], 63, &fd)))
		return no;
	for (int i = 0; i < 3; i++) {
		if (comp_number(m, &of[COMP_INDEX + i], 3, &index[i]) && index[i])
			continue;
		index[i] = 0;
		if (!comp_number(m, &of[COMP_VALUE + i], UINT32_MAX, &v))
			return no;
		st32(f, c->big != HOST_BIG ? swap32((uint32_t)v) : (uint32_t)v);
		f += 4;
	}
	if (c->big) {
		p[2] = (uint8_t)(fd << 2 | index[0]);
		p[3] = (uint8_t)(index[1] << 6 | index[2] << 4 | m->op << 1);
	} else {
		p[2] = (uint8_t)(fd | index[0] << 6);
		p[3] = (uint8_t)(index[1] | index[2] << 2 | m->op << 4);
	}
	o->p = f;
	return NULL;
}
