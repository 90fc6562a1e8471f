/*
 * worst - inputs that cost the most: worst KIND N > FILE
 *
 * N is a number of bytes, locations, types, ... as KIND says. What the same arguments give
 * is the same everywhere.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
repeat(const char *s, long n)
{
	while (n-- > 0)
		fputs(s, stdout);
}

static void
le32(uint32_t v)
{
	for (int i = 0; i < 4; i++, v >>= 8)
		putchar((int)(v & 255));
}

static void
le64(uint64_t v)
{
	le32((uint32_t)v);
	le32((uint32_t)(v >> 32));
}

static void
str(const char *s)
{
	le32((uint32_t)strlen(s));
	fputs(s, stdout);
}

/* The head of a block whose body has n bytes, and what fills it up. */
static void
block(const char *kind, uint32_t n)
{
	fputs(kind, stdout);
	le32(8 + ((n + 7) & ~7u));
}

static void
fill(uint32_t n)
{
	for (; n & 7; n++)
		putchar(0);
}

static void
binary_head(void)
{
	block("HEAD", 8 + 16 + 8 + 4 + 5);
	fputs("SPOOR\r\n\x1a", stdout);
	le32(1);
	le32(0);
	le32(0);
	le32(0);
	le64(0);
	le32(0);
	str("x");
	fill(8 + 16 + 8 + 4 + 5);
}

/* A type with nargs arguments; each has 12 + 4 + 2 bytes and is an unsigned byte. */
static void
binary_type(uint32_t id, uint32_t nargs, uint32_t name)
{
	uint32_t n = 16 + 4 + 8 + nargs * 24;
	char text[16];

	block("TYPE", n);
	le32(id);
	le32(0);
	le32((48 + nargs + 7) & ~7u);
	le32(nargs);
	snprintf(text, sizeof text, "e%07u", (unsigned)name % 10000000);
	str(text);
	for (uint32_t i = 0; i < nargs; i++) {
		le32(1);
		le32(48 + i);
		le32(0);
		snprintf(text, sizeof text, "a%07u", (unsigned)i % 10000000);
		str(text);
	}
	fill(n);
}

static void
binary_strings(long n)
{
	char text[16];

	for (long i = 1; i < n; i += 1000) {
		block("STR ", 8 + 1000 * 12);
		le32((uint32_t)i);
		le32(1000);
		for (long k = 0; k < 1000; k++) {
			snprintf(text, sizeof text, "s%07ld", (i + k) % 10000000);
			str(text);
		}
		fill(8 + 1000 * 12);
	}
}

int
main(int argc, char **argv)
{
	static const char line[] = "0.000000000\tl\te\t1\t2\t-\n";
	const char *kind = argc == 3 ? argv[1] : "";
	long n = argc == 3 ? atol(argv[2]) : 0;
#define KIND(name) (!strcmp(kind, name))

	if (KIND("text-line")) { /* one line of n bytes */
		fputs(line, stdout);
		repeat("7777777777777777", n / 16);
	} else if (KIND("text-fields")) { /* the same of tabs */
		fputs(line, stdout);
		repeat("1\t1\t1\t1\t", n / 8);
	} else if (KIND("text-locations")) {
		for (long i = 0; i < n; i++)
			printf("%ld.000000000\tl%ld\te\t1\t2\t-\n", i, i);
	} else if (KIND("text-events")) {
		for (long i = 0; i < n; i++)
			printf("%ld.000000000\tl\te%ld\t1\t2\t-\n", i, i);
	} else if (KIND("text-names")) { /* of arguments */
		for (long i = 0; i < n; i++)
			printf("%ld.000000000\tl\te\t1\t2\t-\tk%ld=%ld\n", i, i, i);
	} else if (KIND("text-arguments")) { /* 100,000 in a line */
		fputs(line, stdout);
		for (long i = 0; i < n; i += 100000) {
			printf("%ld.000000000\tl\te\t1\t2\t-", i);
			for (int k = 0; k < 100000; k++)
				printf("\ta%d=%d", k, k);
			putchar('\n');
		}
	} else if (KIND("text-metadata")) {
		puts("##spoor\t1");
		for (long i = 0; i < n; i++)
			printf("##meta\tk%ld=v\n", i);
	} else if (KIND("text-heads")) {
		repeat("##spoor\t1\n##end\n", n);
	} else if (KIND("text-broken")) {
		fputs(line, stdout);
		repeat("x\n", n);
	} else if (KIND("spc-line")) {
		puts("1,2,512,r,1.5");
		repeat("1,2,512,r,1.5,", n / 14);
	} else if (KIND("spc-units")) {
		for (long i = 0; i < n; i++)
			printf("%ld,%ld,512,r,%ld.5\n", i, i, i);
	} else if (KIND("spc-optional")) { /* lines with 0 to 999 optional fields */
		for (long i = 0; i < n; i += 500) {
			printf("1,2,512,r,%ld.5", i);
			repeat(",x", i / 500 % 1000);
			putchar('\n');
		}
	} else if (KIND("laplace-spaces")) {
		for (long i = 0; i < n; i++)
			printf("r %ld 4 %lx 10\n", i, i & 0xffffffff);
	} else if (KIND("laplace-line")) {
		puts("r 1 4 1 10");
		repeat("r 1 4 1 10 ", n / 11);
	} else if (KIND("binary-strings")) {
		binary_head();
		binary_strings(n);
	} else if (KIND("binary-types")) {
		binary_head();
		for (long i = 0; i < n; i++)
			binary_type((uint32_t)i, 0, (uint32_t)i);
	} else if (KIND("binary-arguments")) { /* 10,000 in a type */
		binary_head();
		for (long i = 0; i < n; i += 10000)
			binary_type((uint32_t)(i / 10000), 10000, 1);
	} else if (KIND("binary-heads")) {
		for (long i = 0; i < n; i++)
			binary_head();
	} else if (KIND("binary-block")) { /* a length of nearly 2^32, and n bytes */
		binary_head();
		fputs("DATA", stdout);
		le32(0xfffffff8);
		repeat("\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f", n / 8);
	} else {
		fputs("usage: worst KIND N\n", stderr);
		return 2;
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
