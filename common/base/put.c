/* put.c - the tables for put.h, and rare cases. */

#include "base/put.h"

char put_d4[10000][4];
uint32_t put_d3[1000];
char put_hex2[256][2];

void
put_init(void)
{
	static const char hex[] = "0123456789abcdef";
	int i;

	if (put_hex2[255][0])
		return; /* filled already */

	for (i = 0; i < 10000; i++) {
		put_d4[i][0] = (char)('0' + i / 1000);
		put_d4[i][1] = (char)('0' + i / 100 % 10);
		put_d4[i][2] = (char)('0' + i / 10 % 10);
		put_d4[i][3] = (char)('0' + i % 10);
	}
	for (i = 0; i < 1000; i++) {
		int n = i > 99 ? 3 : i > 9 ? 2 : 1;
		char t[4] = {0};

		memcpy(t, put_d4[i] + 4 - n, (size_t)n);
		t[3] = (char)n;
		memcpy(&put_d3[i], t, 4);
	}
	for (i = 0; i < 256; i++) {
		put_hex2[i][0] = hex[i >> 4];
		put_hex2[i][1] = hex[i & 15];
	}
}

/* Handles times before 0, times in the last second of int64_t, and times in another second than the previous time. */
uint8_t *
put_ns_slow(uint8_t *p, struct second_cache *s, int64_t ns)
{
	if (ns < 0) {
		struct second_cache t = {0};
		uint64_t u = 0 - (uint64_t)ns;

		*p++ = '-';
		if (u <= INT64_MAX)
			return put_ns(p, &t, (int64_t)u);
		memcpy(p, "9223372036.854775808", 20);
		return p + 20;
	}
	if (ns >= INT64_MAX - INT64_MAX % 1000000000) {
		/* Do not keep this second in s: its base + 10^9 overflows, so the smallest times would seem to lie
		 * in it. */
		memcpy(p, "9223372036.", 11);
		p[11] = (uint8_t)('0' + ns % 1000000000 / 100000000);
		st64(p + 12, put_digits8((uint32_t)(ns % 100000000)));
		return p + 20;
	}
	s->base = ns - ns % 1000000000;
	s->n = (uint32_t)(put_u64((uint8_t *)s->text, (uint64_t)ns / 1000000000) -
			  (uint8_t *)s->text);
	s->text[s->n++] = '.';
	return put_ns(p, s, ns);
}
