/*
 * gen_pairs - write the text of begins and ends for benchmarks: gen_pairs OPEN EVENTS [SEED]
 *
 * B begins and E ends something at an address, in eight places; OPEN of them are open at a
 * time. Those that are open are ended nearly in the order in which they began, up to 16
 * others are passed over. The same arguments give the same bytes everywhere.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "rnd.h"

int
main(int argc, char **argv)
{
	uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, at = 0, ns = 0;
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, first = 0;
	uint64_t *open = calloc(most ? most : 1, sizeof *open);

	state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	if (!most || !open) {
		fprintf(stderr, "usage: gen_pairs OPEN EVENTS [SEED]\n");
		return 2;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t r = rnd(), a;
		int end = at - first == most || (at > first && n - i <= at - first) ||
			  (most > 1 && at - first > most / 10 * 9 && r >> 63);

		ns += r & 1023;
		if (!end) {
			open[at % most] = at * 8;
			a = at++ * 8;
		} else {
			uint64_t k =
			    first + (r >> 32) % (at - first < 16 ? at - first : 16);

			a = open[k % most];
			open[k % most] = open[first % most];
			first++;
		}
		printf("%llu.%09llu\t%u\t%c\t%llu\t4096\t-\n",
		       (unsigned long long)(ns / 1000000000),
		       (unsigned long long)(ns % 1000000000), (unsigned)(a >> 3 & 7),
		       end ? 'E' : 'B', (unsigned long long)a);
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
