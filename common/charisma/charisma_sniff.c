/* charisma_sniff.c - recognises a CHARISMA trace by its magic number. */
#include "charisma/charisma_trace.h"
#include "input/sniff.h"

static int
charisma_sniff(const uint8_t *p, size_t n, bool whole)
{
	if (n < 4 || (n < CHARISMA_FRAME && !whole))
		return 0;
	if (le32(p) == CHARISMA_MAGIC || be32(p) == CHARISMA_MAGIC)
		return 95;
	/* The reader refuses such a trace, with a message that names the command to undo the exchange. */
	return le32(p) == CHARISMA_EXCHANGED || be32(p) == CHARISMA_EXCHANGED ? 60 : 0;
}

const struct sniffer sniff_charisma = {
    .format = "charisma",
    .what = "a CHARISMA trace",
    .program = "charisma-dump",
    .sniff = charisma_sniff,
};
