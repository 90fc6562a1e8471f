/*
 * gen_dumpi.c - writes the DUMPI trace of one rank, for measuring: a solver's main loop,
 *again and again. MPI_Isend, MPI_Irecv, MPI_Wait, MPI_Waitall and MPI_Waitsome with arrays,
 * MPI_Allreduce; both times, thread and statuses stored.
 *
 *	gen_dumpi [RECORDS [SEED]] >FILE	default: 8643088 records, some 487 MB
 */
#define _XOPEN_SOURCE 700
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CALLS 291

static uint64_t state, written;
static uint32_t count[CALLS], ns, sec, left; /* left: the next request to wait for */

static uint32_t
random_below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 32) * n >> 32);
}

static void
put(uint64_t v, int bytes)
{
	while (bytes--)
		putchar_unlocked((int)(v >> (8 * bytes) & 255)), written++;
}

static void
put_str(const char *s, int width)
{
	const char *p;

	for (p = s; *p; p++)
		;
	put((uint64_t)(p - s), width);
	for (; *s; s++)
		put((uint8_t)*s, 1);
}

static void
step(uint32_t by)
{
	ns += by;
	if (ns >= 1000000000) {
		ns -= 1000000000;
		sec++;
	}
}

/* Start and end; the clock goes on by `took`. */
static void
put_times(uint32_t took)
{
	put(sec, 2);
	put(ns, 4);
	step(took);
	put(sec, 2);
	put(ns, 4);
}

static void
begin(unsigned call)
{
	uint32_t s, n, took = 300 + random_below(4000);

	put(call, 2);
	put(0x4f, 1);
	put(0, 2);
	step(200 + random_below(3000));
	s = sec;
	n = ns;
	put_times(took);
	sec = s;
	ns = n;
	put_times(took + random_below(100));
	count[call]++;
	count[CALLS - 1]++;
}

static void
put_status(void)
{
	put(8 * random_below(20000), 4);
	put(random_below(64), 4);
	put(0, 2);
	put(random_below(1000), 4);
}

static void
transfer(unsigned call, uint32_t request)
{
	static const uint16_t types[] = {14, 14, 14, 9, 13, 2};

	begin(call);
	put(random_below(20000), 4);
	put(types[random_below(6)], 2);
	put(random_below(64), 4);
	put(random_below(1000), 4);
	put(2, 2);
	put(request, 4);
}

/* Requests first, first + 1, ... n of them. Gives how many of the first completed. */
static uint32_t
wait_all(uint32_t first, uint32_t n, int some, int statuses)
{
	begin(some ? 20 : 18);
	put(n, 4);
	put(n, 4);
	for (uint32_t i = 0; i < n; i++)
		put(first + i, 4);
	if (some) {
		n = 1 + random_below(n);
		put(n, 4);
		put(n, 4);
		for (uint32_t i = 0; i < n; i++)
			put(i, 4);
	}
	put(statuses ? n : 0, 4);
	for (uint32_t i = 0; statuses && i < n; i++)
		put_status();
	return n;
}

/* The index has the places of all sections. */
static void
finish(void)
{
	static const int32_t size[28] = {0, 0,	1, 1, 1, 1, 4, 2, 2, 4,	 4,  8, 8, 4,
					 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};
	uint64_t header, footer, sizes;

	put(293, 2);
	header = written;
	put(13 << 16, 3);
	put(1700000000, 8);
	put_str("node0", 2);
	put_str("user", 2);
	put(0, 8);
	footer = written;
	put(0xf007fee7, 8);
	for (int i = 0; i < CALLS; i++)
		put(count[i], 4);
	for (int i = 0; i < CALLS; i++)
		put(0, 4);
	put(0, 4);
	sizes = written;
	put(28, 4);
	for (int i = 0; i < 28; i++)
		put((uint32_t)size[i], 4);
	fputs("\xff\xaa\xdd\x44UMPI", stdout);
	put(sizes, 8);
	put(0, 8);
	put(0, 8);
	put(header, 8);
	put(8, 8);
	put(footer, 8);
	put(0, 8);
}

int
main(int argc, char **argv)
{
	uint64_t records = argc > 1 ? strtoull(argv[1], NULL, 10) : 8643088;

	state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252u;
	fputs("\xff\xaa\xdd\x44UMPI", stdout);
	written = 8;
	put(5, 4);
	put(8000, 4);
	/* One exchange with six neighbours is 20 records; it completes its 12 requests. */
	for (uint64_t i = 0; i < records; i++) {
		uint32_t what = (uint32_t)(i % 20),
			 first = 2 + (uint32_t)(i / 20 * 12 % 60000);

		if (what < 12) {
			transfer(what < 6 ? 12 : 8, first + what);
		} else if (what < 14) {
			wait_all(first + 3 * (what - 12), 3, 0, 1);
		} else if (what == 14) {
			wait_all(first + 6, 2, 0, 0);
		} else if (what == 15) {
			left = first + 8 + wait_all(first + 8, 4, 1, 1);
		} else if (what < 19) {
			begin(13);
			put(left < first + 12 ? left++ : 1, 4);
			put(1, 4);
			put_status();
		} else {
			begin(65);
			put(1 + random_below(8), 4);
			put(14, 2);
			put(3, 1);
			put(2, 2);
		}
	}
	finish();
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
