/* again.c - inputs that can be read only once are kept, so that each program reads them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "cli/opt.h"
#include "trace-report/page.h"

/* A pipe, kept whole: each reader opens it again. */
static int kept_input = -1;

/* Copies what a descriptor gives to a file without a name. Returns it. */
static int
keep(int from, const char *name)
{
	static uint8_t block[1 << 16];
	int to = sandbox_temporary();
	ssize_t n;

	if (to < 0)
		die("a temporary file in TMPDIR:");
	while ((n = read(from, block, sizeof block)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("%s:", name);
		for (ssize_t done = 0, k; done < n; done += k)
			if ((k = write(to, block + done, (size_t)(n - done))) < 0)
				die("a temporary file in TMPDIR:");
	}
	return to;
}

/* Opens standard input, or what was kept of it, once more. */
static int
open_again(void)
{
	char path[48];
	off_t at = lseek(0, 0, SEEK_CUR);
	int fd;

	snprintf(path, sizeof path, "/dev/fd/%d", kept_input);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("%s:", path);
	if (!kept_input)
		lseek(fd, at, SEEK_SET);
	return fd;
}

void
keep_inputs(void)
{
	struct stat st;
	bool input = !common.n;

	for (size_t i = 0; i < common.n; i++) {
		const char *path = common.path[i];
		int fd;

		if (!strcmp(path, "-"))
			input = true;
		else if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
			char name[48];
			int to;

			fd = open(path, O_RDONLY | O_CLOEXEC);
			if (fd < 0)
				die("%s:", path);
			to = keep(fd, path);
			close(fd);
			fcntl(to, F_SETFD, 0);
			snprintf(name, sizeof name, "/dev/fd/%d", to);
			common.path[i] = xstrdup(name);
		}
	}
	if (input)
		kept_input = !fstat(0, &st) && S_ISREG(st.st_mode) ? 0 : keep(0, "<stdin>");
}

int
input_again(void)
{
	return kept_input < 0 ? -1 : open_again();
}
