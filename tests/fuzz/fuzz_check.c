/* fuzz_check.c - a trace is held against all rules, with every finding written; its first byte says in which form. */
#define _GNU_SOURCE /* memfd_create */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli_formats.h"
#include "own_files.h"
#include "trace-check/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct check_run c;
	struct read_options opt = {.known = formats, .sniffers = sniffers};
	char path[32];
	char *const paths[] = {path};
	int fd;

	if (!size)
		return 0;
	fd = memfd_create("input", 0);
	if (fd < 0 || write(fd, data + 1, size - 1) != (ssize_t)size - 1)
		abort();
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	warn_skip(UINT_MAX);
	c = (struct check_run){0};
	check_begin(&c);
	if (check_select(&c, "all", true))
		abort();
	c.severity = LEVEL_NOTE;
	c.most = 0;
	findings_begin(&c.out, *data % 3, "/dev/null", rule_words);
	findings_end(&c.out, check_read(&c, &opt, paths, 1));
	close(fd);
	return 0;
}
