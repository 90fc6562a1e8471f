/*
 * main.c - drives a harness without libFuzzer.
 *
 *	harness FILE...		replays each file
 *	harness -m FILE...	also replays every truncation of it, and every byte set to one of
 *				these in turn: its inverse, 0, 0x7f, 0x80 and 0xff; with SPOOR_FULL to all
 *	harness -w FILE...	also sets every four bytes to the greatest numbers that they hold
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of exactly n bytes, so that the sanitizer sees the first one read behind it. */
static void
one(const uint8_t *p, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	if (!copy)
		abort();
	if (n)
		memcpy(copy, p, n);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

static size_t
mutate(uint8_t *p, size_t n)
{
	size_t runs = 0, some = getenv("SPOOR_FULL") ? 5 : 1;

	for (size_t i = 0; i < n; i++, runs++)
		one(p, i);
	for (size_t i = 0; i < n; i++) {
		const uint8_t old = p[i], values[] = {(uint8_t)~old, 0, 0xff, 0x7f, 0x80};

		for (size_t k = 0; k < some; k++) {
			p[i] = values[(2 * i + k) % 5];
			one(p, n);
		}
		p[i] = old;
		runs += some;
	}
	return runs;
}

/* Counts and lengths of 2^32-1 and 2^31-1, in either byte order. */
static size_t
claim(uint8_t *p, size_t n)
{
	static const char *const words[] = {"\xff\xff\xff\xff", "\x7f\xff\xff\xff",
					    "\xff\xff\xff\x7f"};
	size_t runs = 0;

	for (size_t i = 0; i + 4 <= n; i++) {
		uint8_t old[4];

		memcpy(old, p + i, 4);
		for (size_t k = 0; k < sizeof words / sizeof *words; k++, runs++) {
			memcpy(p + i, words[k], 4);
			one(p, n);
		}
		memcpy(p + i, old, 4);
	}
	return runs;
}

int
main(int argc, char **argv)
{
	int mutations = argc > 1 && !strcmp(argv[1], "-m");
	int claims = argc > 1 && !strcmp(argv[1], "-w");
	size_t runs = 0;

	for (int i = 1 + mutations + claims; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		uint8_t *p = NULL;
		size_t n = 0, got;

		if (!f) {
			perror(argv[i]);
			return 2;
		}
		do {
			p = realloc(p, n + 65536);
			if (!p)
				return 2;
			got = fread(p + n, 1, 65536, f);
			n += got;
		} while (got);
		fclose(f);
		one(p, n);
		runs++;
		if (mutations)
			runs += mutate(p, n);
		if (claims)
			runs += claim(p, n);
		free(p);
	}
	printf("%zu runs\n", runs);
	return 0;
}
