/*
 * sandbox - what a decoder that has been taken over could do: a program of the library
 *opens its output and its inputs, then tries to do harm.
 *
 *	sandbox TRACE /OUTPUT DIRECTORY
 *	sandbox version
 *
 * DIRECTORY holds a file "old", and OUTPUT's one "neighbour". Prints each attempt that
 *succeeded, or whose error is not that it was forbidden; then writes OUTPUT. The other form
 *prints which version of Landlock the kernel has, 0 for none.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/cli_formats.h"
#include "input/trace.h"
#include "base/out.h"
#include "base/sandbox.h"

static void
attempt(const char *what, long result)
{
	if (result >= 0)
		printf("%s: it succeeded\n", what);
	else if (errno != EACCES && errno != EPERM && errno != EXDEV)
		printf("%s: %s\n", what, strerror(errno));
}

static void
network(long version)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (version < 4 || fd < 0)
		return;
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	attempt("connect", connect(fd, (struct sockaddr *)&a, sizeof a));
	attempt("bind", bind(fd, (struct sockaddr *)&a, sizeof a));
	close(fd);
}

static bool
count(void *arg, struct source *s, const struct batch *b)
{
	(void)s;
	*(uint64_t *)arg += b->n;
	return true;
}

int
main(int argc, char **argv)
{
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL};
	char *const no_args[] = {(char *)(uintptr_t) "true", NULL};
	long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, 1u);
	struct out o;
	uint64_t events = 0;
	const struct consumer to = {.batch = count, .arg = &events};
	int status;

	if (argc == 2 && !strcmp(argv[1], "version")) {
		printf("%ld\n", version < 0 ? 0 : version);
		return 0;
	}
	if (argc != 4)
		return 2;
	prog_start(argv[0]);
	if (!out_open(&o, argv[2]))
		return 2;
	status = trace_each(&opt, argv + 1, 1, &to);
	if (chdir(argv[3]) < 0)
		return 2;
	attempt("create", open("new", O_WRONLY | O_CREAT, 0666));
	attempt("create to read", open("new", O_RDONLY | O_CREAT, 0666));
	attempt("write", open("old", O_WRONLY));
	attempt("write and read", open("old", O_RDWR));
	attempt("append", open("old", O_WRONLY | O_APPEND));
	attempt("temporary", open(".", O_TMPFILE | O_RDWR, 0600));
	attempt("the library's temporary", sandbox_temporary());
	if (version >= 3)
		attempt("truncate", truncate("old", 0));
	attempt("unlink", unlink("old"));
	attempt("rename", rename("old", "other"));
	attempt("link", link("old", "other"));
	attempt("symlink", symlink("old", "other"));
	attempt("mkdir", mkdir("other", 0777));
	attempt("rmdir", rmdir("directory"));
	attempt("mkfifo", mkfifo("other", 0666));
	attempt("a socket", mknod("other", S_IFSOCK | 0600, 0));
	attempt("a character device", mknod("other", S_IFCHR | 0600, 0));
	attempt("a block device", mknod("other", S_IFBLK | 0600, 0));
	attempt("the terminal", open("/dev/null", O_WRONLY));
	attempt("execute", execve("/bin/true", no_args, no_args + 1));
	network(version);
	if (open("old", O_RDONLY) < 0)
		printf("read: %s\n", strerror(errno));
	/* Beside the output there is no other right. */
	*strrchr(argv[2], '/') = '\0';
	if (chdir(argv[2]) < 0)
		return 2;
	attempt("write beside the output", open("neighbour", O_WRONLY));
	attempt("create beside the output", open("other", O_WRONLY | O_CREAT, 0666));
	attempt("unlink beside the output", unlink("neighbour"));
	attempt("rename beside the output", rename("neighbour", "other"));
	attempt("link beside the output", link("neighbour", "other"));
	attempt("symlink beside the output", symlink("neighbour", "other"));
	attempt("mkdir beside the output", mkdir("other", 0777));
	out_str(&o, events ? "events\n" : "none\n");
	return out_close(&o, status);
}
