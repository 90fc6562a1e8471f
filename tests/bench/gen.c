/*
 * gen - write a large trace for benchmarks: gen FORMAT EVENTS [SEED]
 *
 * groups16 and groups280: SPC of 10,000 units at random, with so many different sizes.
 *
 * The same arguments give the same bytes everywhere. SPC is shaped like a public OLTP
 * trace: 24 units, sizes mostly of a few KB, a quarter reads, arrivals about 1 ms apart on
 * a coarse clock.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rnd.h"

static void
spc(uint64_t n)
{
	static const unsigned sizes[] = {512,	1024,  2048,  3072,   3584,  4096,
					 4096,	8192,  8192,  8192,   13312, 16384,
					 24576, 32768, 65536, 1137664};
	uint64_t us = 0;

	while (n--) {
		uint64_t r = rnd();

		us += r % 5 ? 0 : rnd() % 10000;
		printf("%u,%u,%u,%c,%llu.%06llu\n", (unsigned)(r >> 8 & 0xffff) % 24,
		       (unsigned)(r >> 24 & 0x1ffffff), sizes[r >> 52 & 15],
		       r >> 60 < 4 ? 'r' : 'w', (unsigned long long)(us / 1000000),
		       (unsigned long long)(us % 1000000));
	}
}

static void
groups(uint64_t n, unsigned sizes)
{
	uint64_t us = 0;

	while (n--) {
		uint64_t r = rnd();

		us += r % 5 ? 0 : rnd() % 10000;
		printf("%u,%u,%u,%c,%llu.%06llu\n", (unsigned)(r >> 8 & 0xffffff) % 10000,
		       (unsigned)(r >> 24 & 0x1ffffff),
		       512 * (1 + (unsigned)(r >> 48 & 0xffff) % sizes),
		       r >> 60 < 4 ? 'r' : 'w', (unsigned long long)(us / 1000000),
		       (unsigned long long)(us % 1000000));
	}
}

/* `tasks`: references of 16 spaces in turn, which stay near each other as those of programs do:
 * nine of ten in 64 pages, most others in 1024. Else they are anywhere. */
static void
laplace(uint64_t n, int tasks)
{
	static const char letter[] = "iiiirrwi";
	static const uint8_t lengths[] = {1, 2, 3, 4, 4, 4, 4, 8};
	uint64_t time = 0x1000000000u;
	uint32_t space = 0x1015a;

	while (n--) {
		uint64_t r = rnd();
		uint8_t rec[18];
		uint32_t addr = (uint32_t)(r >> 32) & (r & 1 ? 0xfffffff : 0x804ffff);

		if (r % 100000 == 0)
			space = 0x10000 + (uint32_t)(rnd() & (tasks ? 0xf : 0xfff));
		if (tasks && r % 1000 > 0)
			addr = 0x8000000 + (addr & (r % 10 ? 0x3ffff : 0x3fffff));
		time += r >> 8 & 3;
		rec[0] = (uint8_t)letter[r >> 3 & 7];
		for (int i = 0; i < 8; i++)
			rec[1 + i] = (uint8_t)(time >> 8 * i);
		rec[9] = lengths[r >> 16 & 7];
		for (int i = 0; i < 4; i++) {
			rec[10 + i] = (uint8_t)(space >> 8 * i);
			rec[14 + i] = (uint8_t)(addr >> 8 * i);
		}
		fwrite(rec, 1, sizeof rec, stdout);
	}
}

int
main(int argc, char **argv)
{
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

	state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	if (argc > 2 && !strcmp(argv[1], "spc"))
		spc(n);
	else if (argc > 2 && !strncmp(argv[1], "groups", 6))
		groups(n, (unsigned)atoi(argv[1] + 6));
	else if (argc > 2 && !strcmp(argv[1], "laplace"))
		laplace(n, 0);
	else if (argc > 2 && !strcmp(argv[1], "tasks"))
		laplace(n, 1);
	else {
		fprintf(stderr,
			"usage: gen spc|groups16|groups280|laplace|tasks EVENTS [SEED]\n");
		return 2;
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
