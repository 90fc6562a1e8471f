/*
 * ovni_old.c - the letters that release 1.0.0 had for other events than later ones: M was
 * OpenMP, and T the first TAMPI. Both went with 1.1.0; 1.3.0 gave M to MPI and T to a new
 * TAMPI.
 */
#include <string.h>

#include "ovni/ovni.h"

/* Ours, for -N: a name of each pair, whose events differ in the bracket only. */
#define PAIR(mc, n)                                    \
	{mc "[", mc "]", OVNI_ENTER, n ".enter"},      \
	{                                              \
		mc "]", mc "[", OVNI_LEAVE, n ".leave" \
	}

static const struct {
	char mcv[4], partner[4];
	enum ovni_role role;
	const char *name;
} rows[] = {
    PAIR("MT", "openmp.task"), PAIR("MP", "openmp.parallel"), PAIR("TS", "tampi.send"),
    PAIR("TR", "tampi.recv"),  PAIR("Ts", "tampi.isend"),     PAIR("Tr", "tampi.irecv"),
    PAIR("TV", "tampi.wait"),  PAIR("TW", "tampi.waitall"),
};

#define ROWS (sizeof rows / sizeof *rows)

const char *
ovni_old_name(const uint8_t mcv[3])
{
	for (size_t i = 0; i < ROWS; i++)
		if (!memcmp(rows[i].mcv, mcv, 3))
			return rows[i].name;
	return NULL;
}

void
ovni_old_rows(struct ovni_event *e, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (e[i].mcv[0] != 'M' && e[i].mcv[0] != 'T')
			continue;
		e[i] = (struct ovni_event){.name = "", .spec = ""};
		if (k == ROWS)
			continue;
		memcpy(e[i].mcv, rows[k].mcv, sizeof e->mcv);
		memcpy(e[i].partner, rows[k].partner, sizeof e->partner);
		e[i].role = rows[k].role;
		e[i].name = rows[k++].name;
	}
}
