/*
 * meter.c - what every harness of `make fuzz` is linked with: a meter around each input, and a mutator that knows
 * what traces are made of.
 *
 * An input that takes more than 64 MiB, or more than 2 ms of CPU a byte, is a find. Sanitizers and coverage make
 * what is measured up to twenty times as slow as the programs are, and a start takes its time: see `allowed`. Memory is
 * what is allocated besides that which stood before, so the harness's own buffers do not count.
 *
 * The mutator changes numbers that are written, as texts or in words of 2, 4 and 8 bytes: to those at both ends,
 * to those of other places (so that ranks, ids and addresses meet), to powers of two (sizes, blocks per request);
 * and it repeats a line or a record with one number growing (ranks, communicators, times). Every other time the
 * fuzzer's own changes are made.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"

#define MIB (1u << 20)
#define MEMORY_MOST (64 * MIB)
#define SLOWER 20

/* The linker has the fuzzer call the first, and the first call the harness: --wrap. */
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
int __sanitizer_install_malloc_and_free_hooks(void (*got)(const volatile void *, size_t),
					      void (*freed)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *p);

/* ---- the meter ---- */

/* The fuzzer has another thread, which allocates nothing to speak of. */
static int64_t held;
static volatile int measuring;

static void
got(const volatile void *p, size_t n)
{
	if (!measuring || !p)
		return;
	if (__atomic_add_fetch(&held, (int64_t)n, __ATOMIC_RELAXED) <= MEMORY_MOST)
		return;
	measuring = 0;
	fprintf(stderr, "meter: more than %u MiB are allocated\n", MEMORY_MOST / MIB);
	abort();
}

static void
freed(const volatile void *p)
{
	if (measuring && p)
		__atomic_sub_fetch(&held, (int64_t)__sanitizer_get_allocated_size(p),
				   __ATOMIC_RELAXED);
}

static double
allowed(size_t size)
{
	return 1 + 0.002 * SLOWER * (double)size;
}

int
__wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int inputs;
	clock_t begin;
	double took;
	int result;

	if (!inputs++) {
		/* The same each time; the key that there is without a choice spreads nothing. */
		hash_key[0] = 0x6a09e667f3bcc908u;
		hash_key[1] = 0x9e3779b97f4a7c15u;
		__sanitizer_install_malloc_and_free_hooks(got, freed);
	}
	held = 0;
	/* The first input makes what all share. */
	measuring = inputs > 1;
	begin = clock();
	result = __real_LLVMFuzzerTestOneInput(data, size);
	took = (double)(clock() - begin) / CLOCKS_PER_SEC;
	measuring = 0;
	if (took > allowed(size)) {
		fprintf(stderr, "meter: %.2f s of CPU for %zu bytes\n", took, size);
		abort();
	}
	return result;
}

/* ---- the mutator ---- */

static uint64_t state;

/* xorshift64*. */
static uint64_t
dice(uint64_t sides)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 2685821657736338717u >> 16) % sides;
}

static uint64_t
number(void)
{
	static const uint64_t at[] = {0,	  1,	      2,	  1048575,
				      1048576,	  INT32_MAX,  UINT32_MAX, INT64_MAX,
				      1ull << 63, UINT64_MAX, 4096,	  1000000000};

	switch (dice(4)) {
	case 0: return at[dice(sizeof at / sizeof *at)];
	case 1: return (1ull << dice(64)) - dice(2);
	case 2: return 0 - dice(100);
	default: return dice(100);
	}
}

/* Puts n bytes in place of `old` ones at p. */
static size_t
splice(uint8_t *data, size_t size, size_t most, size_t at, size_t old, const void *p,
       size_t n)
{
	if (size - old + n > most)
		return size;
	memmove(data + at + n, data + at + old, size - at - old);
	memcpy(data + at, p, n);
	return size - old + n;
}

static int
is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* A place where a number is written, and its length; 0 where none is found. */
static size_t
written(const uint8_t *data, size_t size, size_t *at)
{
	size_t n = 0;

	for (size_t i = dice(size), tried = 0; tried < size; tried++, i = (i + 1) % size)
		if (is_digit(data[i]) && (!i || !is_digit(data[i - 1]))) {
			while (i + n < size && is_digit(data[i + n]) && n < 20)
				n++;
			*at = i;
			return n;
		}
	return 0;
}

static size_t
as_text(char *room, uint64_t v)
{
	return (size_t)snprintf(room, 24, dice(4) ? "%llu" : "%lld", (unsigned long long)v);
}

static size_t
change_text(uint8_t *data, size_t size, size_t most)
{
	char room[24];
	size_t at = 0, from = 0, n = written(data, size, &at), k;

	if (!n)
		return size;
	if (dice(3)) {
		k = as_text(room, number());
		return splice(data, size, most, at, n, room, k);
	}
	k = written(data, size, &from);
	memcpy(room, data + from, k);
	return splice(data, size, most, at, n, room, k);
}

/* A line, up to 64 times, with one of its numbers growing from each to the next. */
static size_t
repeat_line(uint8_t *data, size_t size, size_t most)
{
	uint8_t line[1024];
	size_t i = dice(size), end, n, at = 0, k;
	uint64_t step = dice(3) ? 1 : number(), v;

	while (i && data[i - 1] != '\n')
		i--;
	for (end = i; end < size && data[end] != '\n';)
		end++;
	end += end < size;
	n = end - i;
	if (n < 2 || n > sizeof line - 32)
		return size;
	memcpy(line, data + i, n);
	k = written(line, n, &at);
	for (uint64_t times = 1 + dice(64); k && times--;) {
		char room[24];
		size_t w;

		memcpy(room, line + at, k);
		room[k] = '\0';
		v = strtoull(room, NULL, 10) + step;
		w = (size_t)snprintf(room, sizeof room, "%llu", (unsigned long long)v);
		if (n - k + w > sizeof line)
			break;
		n = splice(line, n, sizeof line, at, k, room, w);
		k = w;
		size = splice(data, size, most, end, 0, line, n);
		end = end + n <= size ? end + n : size;
	}
	return size;
}

static void
put_word(uint8_t *p, size_t n, uint64_t v, int big)
{
	for (size_t i = 0; i < n; i++)
		p[big ? n - 1 - i : i] = (uint8_t)(v >> (8 * i));
}

static size_t
change_word(uint8_t *data, size_t size, size_t most)
{
	size_t n = (size_t)2 << dice(3), at, from;

	(void)most;
	if (size < n)
		return size;
	at = dice(size - n + 1);
	from = dice(size - n + 1);
	if (dice(2))
		at &= ~(size_t)3;
	if (dice(3))
		put_word(data + at, n, number(), dice(2) > 0);
	else
		memmove(data + at, data + from, n);
	return size;
}

/* A record of 8 to 128 bytes, up to 64 times, one of its words growing. */
static size_t
repeat_record(uint8_t *data, size_t size, size_t most)
{
	uint8_t record[128];
	size_t n = 8 + 4 * dice(31), at, word, w;
	int big = dice(2) > 0;

	if (size < n)
		return size;
	at = dice(size - n + 1);
	memcpy(record, data + at, n);
	word = dice(n - 7);
	w = dice(2) ? 4 : 8;
	for (uint64_t times = 1 + dice(64), v = number(); times--; v++) {
		put_word(record + word, w, v, big);
		size = splice(data, size, most, at + n, 0, record, n);
	}
	return size;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	static size_t (*const change[2][3])(uint8_t *, size_t, size_t) = {
	    {change_text, change_text, repeat_line},
	    {change_word, change_word, repeat_record}};
	size_t printed = 0;

	state = seed * 0x9e3779b97f4a7c15u | 1;
	if (!size || dice(2))
		return LLVMFuzzerMutate(data, size, most);
	for (size_t i = 0; i < size; i++)
		printed += data[i] >= ' ' || data[i] == '\n' || data[i] == '\t';
	for (uint64_t times = 1 + dice(4); times--;)
		size = change[printed < size * 9 / 10][dice(3)](data, size, most);
	return size;
}
