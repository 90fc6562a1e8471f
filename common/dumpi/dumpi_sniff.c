/* dumpi_sniff.c - recognises a DUMPI file by its magic number. */
#include <string.h>

#include "dumpi/dumpi_trace.h"
#include "input/sniff.h"

static int
dumpi_sniff(const uint8_t *p, size_t n, bool whole)
{
	(void)whole;
	return n >= 8 && !memcmp(p, DUMPI_MAGIC, 8) ? 100 : 0;
}

const struct sniffer sniff_dumpi = {
    .format = "dumpi",
    .what = "a DUMPI trace",
    .program = "dumpi2txt",
    .sniff = dumpi_sniff,
};
