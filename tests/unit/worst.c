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

#define KIND(name) (!strcmp(kind, name))

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

/* Strings of four bytes each, the least that tells so many apart. */
static void
binary_short(long n)
{
	for (long i = 1; i < n; i += 1000) {
		block("STR ", 8 + 1000 * 8);
		le32((uint32_t)i);
		le32(1000);
		for (long k = i; k < i + 1000; k++) {
			le32(4);
			for (int c = 0; c < 24; c += 6)
				putchar((int)('0' + (k >> c & 63)));
		}
		fill(8 + 1000 * 8);
	}
}

static void
be(uint64_t v, int bytes)
{
	while (bytes--)
		putchar((int)(v >> (8 * bytes) & 255));
}

static void
le16(uint32_t v)
{
	putchar((int)(v & 255));
	putchar((int)(v >> 8 & 255));
}

static void
zeros(long n)
{
	while (n-- > 0)
		putchar(0);
}

/* Magic, version and header record of CHARISMA's layout lp64-le. */
static void
charisma_head(void)
{
	le32(0x01234567);
	le32(1);
	le64(0);	 /* record_type, what fills up */
	le64(760086413); /* start_date */
	le64(0);
	le64(1000); /* timestamp */
	le64(1);
	putchar(1); /* system_type */
	zeros(3);
	le32(1);
	zeros(80);
	for (int i = 0; i < 5; i++)
		le32(8);
	zeros(4);
	le64(0x3eb0c6f7a0b5ed8d); /* timestamp_unit: 1e-06 */
}

/* The beginning of a record: its type and its time. */
static void
charisma_record(uint32_t type, uint64_t at)
{
	le16(type);
	zeros(6);
	le64(1000 + at);
}

#define CLIENTS 65535 /* as many as the records can count */

static int
charisma(const char *kind, long n)
{
	charisma_head();
	for (long i = 0; i < n; i++) {
		if (KIND("charisma-load")) { /* a load of 65,535 clients */
			charisma_record(1, (uint64_t)i);
			zeros(32 + 256 + 4 + 4 + 8);
			le32((uint32_t)i);
			le16(CLIENTS);
			zeros(2);
			for (long k = 0; k < CLIENTS; k++)
				le32((uint32_t)(i * CLIENTS + k));
			zeros(4);
		} else if (KIND("charisma-requests")) { /* 65,535 requests in a record */
			charisma_record(9, (uint64_t)i);
			le64(1001 + (uint64_t)i);
			zeros(16);
			le16(CLIENTS);
			zeros(6);
			for (long k = 0; k < CLIENTS; k++) {
				le64((uint64_t)k);
				le64(0);
				le64(512);
				le64((uint64_t)k);
			}
		} else if (KIND("charisma-joins")) { /* n clients */
			charisma_record(3, (uint64_t)i);
			le32(1);
			le32((uint32_t)i);
		} else if (KIND("charisma-opens") || KIND("charisma-short")) {
			/* n files that nobody closes, of long names or short ones */
			charisma_record(6, (uint64_t)i);
			le32((uint32_t)i);
			if (KIND("charisma-short"))
				putchar('a'), zeros(31), putchar('b'), zeros(255);
			else
				printf("%032ld%0256ld", i, i);
			le32((uint32_t)i);
			le32((uint32_t)i);
			zeros(4 + 8 + 8 + 8);
		} else if (KIND("charisma-async")) { /* n requests that never end */
			charisma_record(9, (uint64_t)i);
			le64(0);
			le32((uint32_t)i);
			le32(1);
			le32((uint32_t)i);
			le32(1);
			le16(1);
			zeros(6);
			le64((uint64_t)i);
			le64(0);
			le64(512);
			le64((uint64_t)i);
		} else
			return 2;
	}
	return 0;
}

static int
dumpi(const char *kind, long n)
{
	fputs("\xff\xaa\xdd\x44\x55\x4d\x50\x49", stdout);
	be(0, 8);
	if (KIND("dumpi-arrays")) { /* MPI_Waitall of 250,000 requests */
		for (long i = 0; i < n; i++) {
			be(18, 2);
			be(0, 1);
			be(250000, 4);
			be(250000, 4);
			zeros(4 * 250000);
		}
	} else if (KIND("dumpi-claim")) { /* of 2^32-1, in n bytes */
		be(18, 2);
		be(0, 1);
		be(0xffffffff, 4);
		be(0xffffffff, 4);
		zeros(n);
	} else
		return 2;
	return 0;
}

static int
ovni(const char *kind, long n)
{
	fputs("ovni", stdout);
	le32(1);
	if (KIND("ovni-claim")) { /* a jumbo event of 2^32-1 bytes, in n bytes */
		fputs("\x13OUx", stdout);
		le64(1);
		le32(0xffffffff);
		zeros(n);
	} else if (KIND("ovni-backwards")) { /* a clock that only goes back */
		for (long i = 0; i < n; i++) {
			putchar(0);
			fputs("OB.", stdout);
			le64((uint64_t)(n - i) << 10);
		}
	} else if (KIND("ovni-regions")) { /* a region for each event, long after it */
		for (long i = 0; i < n; i++) {
			putchar(0);
			fputs(i % 3 == 0 ? "OU[" : i % 3 == 1 ? "KO[" : "OU]", stdout);
			le64((uint64_t)(i % 3 == 1 ? i : n + i) << 4);
		}
	} else
		return 2;
	return 0;
}

/* Metadata of an ovni stream. */
static int
json(const char *kind, long n)
{
	fputs("{\"version\":3,\"ovni\":{\"tid\":1,\"pid\":1,\"loom\":\"l\"},\"x\":",
	      stdout);
	if (KIND("json-depth"))
		repeat("[", n);
	else if (KIND("json-keys"))
		for (long i = 0; i < n; i++)
			printf("%s\"k%ld\":%ld", i ? "," : "{", i, i);
	else if (KIND("json-string"))
		for (putchar('"'); n > 0; n -= 6)
			fputs("\\u20ac", stdout);
	else
		return 2;
	return 0;
}

/* A partial without its first line, which says the question. */
static int
partial(const char *kind, long n)
{
	if (KIND("partial-line")) {
		fputs("a=", stdout);
		repeat("7777777777777777", n / 16);
	} else if (KIND("partial-groups")) {
		for (long i = 0; i < n; i++)
			printf("a=l%ld\tcount\t1\n", i);
		printf("~\tlines\t%ld\n", n);
	} else if (KIND("partial-parts")) { /* of files, each in two */
		for (long i = 0; i < n; i++)
			printf("%%a\tpart f%ld %ld\t%ld\n", i / 2, i % 2 * 5,
			       i % 2 * 5 + 5);
		printf("~\tlines\t%ld\n", n);
	} else
		return 2;
	return 0;
}

/*
 * A name of 16 letters whose hash was the same for all of them when hashes had no key:
 * eight bytes at a time, exclusive or, a multiplication, and a shift. The second eight are
 * what the first leave, so that nothing remains. NULL where those are no bytes of a name.
 */
static const char *
colliding(uint64_t *number)
{
	static char name[17];
	uint64_t w = 0, h = 16 * 0x9E3779B97F4A7C15u, left = (*number)++;

	for (int i = 0; i < 8; i++, left /= 26) {
		name[i] = (char)('A' + left % 26);
		w |= (uint64_t)(unsigned char)name[i] << 8 * i;
	}
	h = (h ^ w) * 0xD6E8FEB86659FD93u;
	h ^= h >> 32;
	for (int i = 0; i < 8; i++) {
		unsigned char c = (unsigned char)(h >> 8 * i);

		if (c <= ' ' || c == 0x7f || strchr("\\=/,#-", c))
			return NULL;
		name[8 + i] = (char)c;
	}
	return name;
}

static int
collide(const char *kind, long n)
{
	uint64_t number = 0;

	if (KIND("collide-binary"))
		binary_head();
	for (long i = 0; i < n;) {
		const char *name = colliding(&number);

		if (!name)
			continue;
		if (KIND("collide-loc"))
			printf("%ld.0\t%s\te\t1\t2\t-\n", i, name);
		else if (KIND("collide-event"))
			printf("%ld.0\tl\t%s\t1\t2\t-\n", i, name);
		else if (KIND("collide-name"))
			printf("%ld.0\tl\te\t1\t2\t-\t%s=1\n", i, name);
		else if (KIND("collide-value"))
			printf("%ld.0\tl\te\t1\t2\t-\tk=%s\n", i, name);
		else if (KIND("collide-binary")) {
			block("STR ", 8 + 20);
			le32((uint32_t)i + 1);
			le32(1);
			str(name);
			fill(8 + 20);
		} else
			return 2;
		i++;
	}
	return 0;
}

/*
 * Numbers that were chosen to have one place in a table (chosen-KIND), and as many that were
 * not (random-KIND). The constants are those that tables had, or that caches in front of
 * tables have.
 */
#define GOLDEN64 0x9E3779B97F4A7C15u
#define GOLDEN32 0x9E3779B1u
#define CODES 8000

static uint64_t
mix64(uint64_t v)
{
	v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9u;
	v = (v ^ v >> 27) * 0x94D049BB133111EBu;
	return v ^ v >> 31;
}

/* Of an odd number, modulo 2^64. */
static uint64_t
inverse(uint64_t a)
{
	uint64_t x = a;

	for (int i = 0; i < 5; i++)
		x *= 2 - a * x;
	return x;
}

static uint64_t
unmix64(uint64_t v)
{
	v = (v ^ v >> 31 ^ v >> 62) * inverse(0x94D049BB133111EBu);
	v = (v ^ v >> 27 ^ v >> 54) * inverse(0xBF58476D1CE4E5B9u);
	return v ^ v >> 30 ^ v >> 60;
}

/* Eight letters. */
static uint64_t
letters(uint64_t i)
{
	uint64_t w = 0;

	for (int k = 0; k < 8; k++, i /= 26)
		w = w << 8 | ('a' + i % 26);
	return w;
}

/* The i-th number of a kind; false where that is none. */
static int
candidate(const char *kind, int any, uint64_t i, uint64_t *v)
{
	*v = mix64(i);
	if (KIND("mixed") && !any) /* the hash of values, whose low bits are zero */
		*v = unmix64(i << 45);
	else if (KIND("multiplied") && !any)
		*v = i * inverse(GOLDEN64);
	else if (KIND("spaces") && !any)
		*v = i * inverse(GOLDEN32);
	else if ((KIND("clients") || KIND("files")) && !any)
		*v = KIND("files") ? i << 20 : i << 20 ^ i << 10;
	else if (KIND("windows") && !any)
		*v = i << 20;
	else if (KIND("pages") && !any)
		*v = 0 - (i << 45);
	else if (KIND("names")) {
		*v = letters(any ? *v : i);
		return any || ((*v ^ '\t' * 3) * GOLDEN64) >> 54 == 0; /* with its TAB */
	} else if (KIND("texts")) { /* what the second half must be, too */
		*v = letters(i);
		for (uint64_t w = mix64(GOLDEN64 ^ 16 ^ *v); w && !any; w >>= 8)
			if ((w & 255) <= ' ' || (w & 255) >= 127 ||
			    strchr("\\=/,#-", (int)(w & 255)))
				return 0;
	} else if (KIND("codes")) {
		uint64_t x = any ? *v >> 8 : i;

		*v = (x & 15) | (33 + (x >> 4) % 46) << 8 | (33 + (x >> 10) % 94) << 16 |
		     (33 + (x >> 17) % 94) << 24;
		return any || (uint32_t)(*v * GOLDEN32) >> 16 < 96;
	} else if (KIND("ids")) {
		*v = any ? *v & 65535 : i;
		return any || (uint32_t)(*v * 0x9e300001u) >> 26 < 2;
	}
	return 1;
}

static void
async_request(uint64_t at, uint32_t async, uint32_t app)
{
	charisma_record(9, at);
	le64(0);
	le32(1);
	le32(1);
	le32(async);
	le32(app);
	le16(1);
	zeros(6);
	le64(0);
	le64(0);
	le64(512);
	le64(1);
}

static int
chosen(const char *kind, long n)
{
	static uint64_t v[CODES];
	int any = !strncmp(kind, "random-", 7), many;

	kind += 7;
	many = KIND("codes") ? CODES : KIND("ids") ? 1000 : 500;
	for (uint64_t i = 1, got = 0; got < (uint64_t)many; i++)
		got += (uint64_t)candidate(kind, any, i, &v[got]);
	if (KIND("codes")) {
		fputs("ovni", stdout);
		le32(1);
	} else if (KIND("ids")) {
		fputs("\xff\xaa\xdd\x44\x55\x4d\x50\x49", stdout);
		be(0, 8);
	} else if (KIND("asyncs") || KIND("clients") || KIND("files"))
		charisma_head();
	for (long i = 0; i < n; i++) {
		uint64_t x = v[i % many], at = (uint64_t)i;

		if (KIND("mixed") || KIND("multiplied"))
			printf("%ld.0\tl\te\t-\t%llu\t-\n", i, (unsigned long long)x);
		else if (KIND("names") || KIND("texts")) {
			uint64_t rest = any ? x : mix64(GOLDEN64 ^ 16 ^ x);

			printf("%ld.0\t", i);
			if (KIND("texts"))
				fputs("l\te\t-\t-\t-\tk=", stdout);
			le64(x);
			if (KIND("texts"))
				le64(rest);
			else
				fputs("\te\t-\t-\t-", stdout);
			putchar('\n');
		} else if (KIND("windows"))
			printf("%llu.0\tl%ld\te\t-\t-\t-\n",
			       (unsigned long long)(x & 0x1ffffffff), i / many);
		else if (KIND("pages"))
			printf("e=0\t3 pages %llu\t1\n",
			       (unsigned long long)(any ? mix64(at)
							: 0 - (at + 1) * (1ull << 45)));
		else if (KIND("wraps")) /* counters that all went past 2^32 */
			printf("a=\t0 bucket i %ld\t%s\n", 100000 + i,
			       any ? "1234567890" : "12345678901");
		else if (KIND("spaces")) {
			putchar('r');
			le64(at);
			putchar(4);
			le32((uint32_t)x);
			le32((uint32_t)i * 16);
		} else if (KIND("codes")) {
			le32((uint32_t)x);
			le64(at << 4);
			zeros(x & 15 ? (long)(x & 15) + 1 : 0);
		} else if (KIND("ids")) { /* MPI_Isend, and once all are there MPI_Wait */
			if (i >= many) {
				be(13, 2);
				be(0, 1);
				be(x, 4);
			}
			be(8, 2);
			be(0, 1);
			be(1, 4);
			be(1, 2);
			be(1, 4);
			be(1, 4);
			be(2, 2);
			be(x, 4);
		} else if (KIND("asyncs")) /* of one number, each of another application */
			async_request(at, any ? (uint32_t)mix64(at) : 7, (uint32_t)i);
		else if (KIND("clients")) {
			charisma_record(3, at);
			le32(1);
			le32((uint32_t)x);
		} else if (KIND("files")) { /* open, all three numbers are chosen */
			charisma_record(6, at);
			le32((uint32_t)x);
			putchar('a'), zeros(31), putchar('b'), zeros(255);
			le32((uint32_t)x);
			le32((uint32_t)x);
			zeros(4 + 8 + 8 + 8);
		} else
			return 2;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static const char line[] = "0.000000000\tl\te\t1\t2\t-\n";
	const char *kind = argc == 3 ? argv[1] : "";
	long n = argc == 3 ? atol(argv[2]) : 0;
	int bad = 0;
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
	} else if (KIND("laplace-refs")) { /* binary: every one in a space of its own */
		for (long i = 0; i < n; i++) {
			putchar('r');
			le64((uint64_t)i);
			putchar(4);
			le32((uint32_t)i);
			le32((uint32_t)i * 16);
		}
	} else if (KIND("laplace-line")) {
		puts("r 1 4 1 10");
		repeat("r 1 4 1 10 ", n / 11);
	} else if (KIND("binary-strings")) {
		binary_head();
		binary_strings(n);
	} else if (KIND("binary-short")) { /* n strings of four bytes */
		binary_head();
		binary_short(n);
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
	} else if (!strncmp(kind, "charisma-", 9))
		bad = charisma(kind, n);
	else if (!strncmp(kind, "dumpi-", 6))
		bad = dumpi(kind, n);
	else if (!strncmp(kind, "ovni-", 5))
		bad = ovni(kind, n);
	else if (!strncmp(kind, "json-", 5))
		bad = json(kind, n);
	else if (!strncmp(kind, "partial-", 8))
		bad = partial(kind, n);
	else if (!strncmp(kind, "collide-", 8))
		bad = collide(kind, n);
	else if (!strncmp(kind, "chosen-", 7) || !strncmp(kind, "random-", 7))
		bad = chosen(kind, n);
	else
		bad = 2;
	if (bad)
		fputs("usage: worst KIND N\n", stderr);
	return bad || fflush(stdout) || ferror(stdout) ? 2 : 0;
}
