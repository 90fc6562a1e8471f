/* rnd.h - the generators' random numbers: splitmix64, the same everywhere for the same
 * state. */
#include <stdint.h>

static uint64_t state = 1;

static uint64_t
rnd(void)
{
	uint64_t z = state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}
