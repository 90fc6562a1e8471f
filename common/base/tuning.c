/* tuning.c - see tuning.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
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
	if (!strncmp(text, "size=", 5)) {
		struct tuning_size *size =
		    PUSH(tuning.size, tuning.nsizes, tuning.size_cap);
		char *end;

		size->device = strtoull(text + 5, &end, 10);
		size->inode = strtoull(end + (*end == ':'), &end, 10);
		size->bytes = strtoull(end + (*end == ':'), NULL, 10);
		return true;
	}
	if (!strncmp(text, "file=", 5)) {
		struct tuning_file *file =
		    PUSH(tuning.file, tuning.nfiles, tuning.file_cap);
		char *end;

		file->fd = (int)strtol(text + 5, &end, 10);
		file->path = end + (*end == ':');
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

uint64_t
tuning_size(uint64_t device, uint64_t inode)
{
	for (size_t i = 0; i < tuning.nsizes; i++)
		if (tuning.size[i].device == device && tuning.size[i].inode == inode)
			return tuning.size[i].bytes;
	return UINT64_MAX;
}

int
tuning_file(const char *path)
{
	for (size_t i = 0; i < tuning.nfiles; i++)
		if (!strcmp(tuning.file[i].path, path))
			return tuning.file[i].fd;
	return -1;
}
