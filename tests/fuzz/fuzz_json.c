/* fuzz_json.c - the JSON reader; what it gives must be sound text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
leaf(void *arg, const char *path, enum json_kind kind, const char *value, size_t n)
{
	(void)arg;
	(void)kind;
	if (strlen(path) >= JSON_PATH || value[n] != '\0')
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *why;
	size_t at;
	bool object;

	why = json_read((const char *)data, size, leaf, NULL, &at, &object);
	if (at > size || (!why && at != size))
		abort();
	return 0;
}
