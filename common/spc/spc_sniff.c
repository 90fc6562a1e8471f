/* spc_sniff.c - recognises SPC by its lines. */
#include "input/sniff.h"
#include "spc/spc.h"

/* Returns true if the line begins with "ASU,LBA,size,opcode,", followed by a byte that may begin a number. */
static bool
looks_like_record(const uint8_t *p, const uint8_t *end)
{
	unsigned field = 0;

	if (p == end || *p < '0' || *p > '9')
		return false;
	for (; p < end; p++) {
		if (*p == ',' && ++field == 3) {
			for (p++; p < end && spc_blank(*p); p++)
				;
			return end - p > 2 &&
			       ((p[0] & 0xdf) == 'R' || (p[0] & 0xdf) == 'W') &&
			       p[1] == ',' && p[2] <= '9';
		}
		if (!(*p >= '0' && *p <= '9') && *p != ',' && !spc_blank(*p))
			return false;
	}
	return false;
}

/* Returns 90 if the first line is a record, 50 if only one of the next lines is. */
static int
spc_sniff(const uint8_t *p, size_t n, bool whole)
{
	int line = lines_first(p, n, whole, looks_like_record, true);

	return line < 0 ? 0 : line ? 50 : 90;
}

const struct sniffer sniff_spc = {
    .format = "spc",
    .what = "an SPC trace",
    .program = "spc-cat",
    .text = true,
    .sniff = spc_sniff,
};
