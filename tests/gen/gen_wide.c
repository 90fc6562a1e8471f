/*
 * gen_wide - one stream of ovni that is beyond a bound of the reader, on standard output:
 *
 *	gen_wide regions N	N regions of two events that are not in order
 *	gen_wide open N		N states within each other that nothing leaves
 *	gen_wide labels N SIZE	N types of tasks, with labels of SIZE bytes, and a task of each
 *	gen_wide long SIZE	an event of SIZE bytes between two small ones
 *	gen_wide names N	events of N names, of no model
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t now = 1000;

static void
num(uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		putchar((int)(v >> (8 * i) & 255));
}

/* An event up to its payload of n bytes, which is jumbo data or not. */
static void
head(const char *mcv, uint64_t at, unsigned n, int jumbo)
{
	putchar(jumbo ? 0x13 : n ? (int)n - 1 : 0);
	fwrite(mcv, 1, 3, stdout);
	num(at, 8);
	if (jumbo)
		num(n, 4);
}

static void
task(uint64_t id, uint64_t type)
{
	head("VTc", now += 3, 8, 0);
	num(id, 4);
	num(type, 4);
	head("VTx", now += 3, 8, 0);
	num(id, 4);
	num(0, 4);
	head("VTe", now += 3, 8, 0);
	num(id, 4);
	num(0, 4);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	unsigned n = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	unsigned size = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;

	fwrite("ovni\1\0\0\0", 1, 8, stdout);
	head("OHx", now, 16, 0);
	num(0, 4);
	num(1, 4);
	num(7, 8);
	for (unsigned i = 0; i < n; i++) {
		if (!strcmp(what, "regions")) {
			head("OU[", now += 100, 0, 0);
			head("OB.", now - i % 977 * 90, 0, 0);
			head("OB.", now - i % 53, 0, 0);
			head("OU]", now += 100, 0, 0);
		} else if (!strcmp(what, "open")) {
			head("VAs", now += 1 + i % 5, 0, 0);
		} else if (!strcmp(what, "names")) {
			char mcv[4] = {(char)(33 + i % 90), (char)(33 + i / 90 % 90),
				       (char)(33 + i / 8100 % 90), 0};

			head(mcv, now += 5, 0, 0);
		} else if (!strcmp(what, "labels")) {
			head("VYc", now += 7, 4 + size + 1, 1);
			num(i + 1, 4);
			for (unsigned k = 0; k < size; k++)
				putchar("abcdefghijklmnopqrstuvwxyz"[(i / (k % 7 + 1) + k) %
								     26]);
			putchar(0);
			task(i + 1, i + 1);
		} else if (!strcmp(what, "long")) {
			head("OB.", now += 9, 0, 0);
			head("VYc", now += 9, n, 1);
			num(5, 4);
			for (unsigned k = 4; k < n; k++)
				putchar(k + 1 < n ? 'x' : 0);
			head("OB.", now += 9, 0, 0);
			break;
		}
	}
	head("OHe", now + 1000, 0, 0);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
