/* export_again.c - reads inputs twice. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/out.h"
#include "base/sandbox.h"
#include "input/trace.h"

/* Returns whether standard input is used and is a pipe, which must be copied. Dies if another path is a pipe. */
static bool
has_pipe(char *const *paths, size_t n)
{
	bool used = n == 0;
	struct stat st;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(paths[i], "-"))
			used = true;
		else if (stat(paths[i], &st) == 0 && !S_ISREG(st.st_mode) &&
			 !S_ISDIR(st.st_mode))
			die("%s: is read twice, so it must be a file, or standard input",
			    paths[i]);
	return used && fstat(0, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

off_t
trace_keep(struct read_options *opt, char *const *paths, size_t n)
{
	static const char *const standard_input[] = {"-"};
	static uint8_t buf[64 * 1024];
	bool copy = has_pipe(paths, n);
	ssize_t got = 1;
	uint64_t at = 0;
	int fd, err;

	if (opt->follow)
		die("--follow: this output must read the input twice, but a file that "
		    "grows can be read only once");
	opt->rereads = 1;
	opt->own_temporaries += copy;
	inputs_begin(opt, n ? (const char *const *)paths : standard_input, n ? n : 1);
	if (!copy)
		return lseek(0, 0, SEEK_CUR);
	fd = sandbox_temporary();
	while (fd >= 0 && got) {
		got = read(0, buf, sizeof buf);
		if (got < 0 && errno != EINTR)
			die("<stdin>: read:");
		if (got <= 0)
			continue;
		if (out_at(fd, buf, (size_t)got, at, &err) < (size_t)got) {
			errno = err;
			die("<stdin>: its copy in a temporary file: write:");
		}
		at += (uint64_t)got;
	}
	if (fd < 0 || dup2(fd, 0) < 0 || lseek(0, 0, SEEK_SET) != 0)
		die("<stdin>: a temporary file for its copy:");
	close(fd);
	return 0;
}

void
trace_again(off_t at)
{
	if (at >= 0)
		lseek(0, at, SEEK_SET);
}
