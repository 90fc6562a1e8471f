/* tuning.c - see tuning.h. */
#include <stdlib.h>
#include <string.h>

#include "base/tuning.h"

struct tuning tuning;

bool
tuning_set(const char *text)
{
	static const struct {
		const char *name;
		uint64_t *to;
	} numbers[] = {
	    {"read=", &tuning.read}, {"wait=", &tuning.wait}, {"worth=", &tuning.worth}};

	if (!strncmp(text, "simd=", 5)) {
		tuning.simd = text + 5;
		return true;
	}
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		size_t n = strlen(numbers[i].name);

		if (strncmp(text, numbers[i].name, n) != 0)
			continue;
		*numbers[i].to = strtoull(text + n, NULL, 10);
		return true;
	}
	return false;
}
