/*
 * helpers.c WHAT - speaks to the two helper processes as a program would that its input has taken over.
 * WHAT is `directory` or `file`, with the path of -o, or `unpack` with a compressed file. Prints what it got.
 *
 * Links: libspoor.a. The helpers' protocol is in atomic_file.c and unpack.c; the socket is the one that appears in
 * /proc/self/fd.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/pack.h"
#include "base/fd_pass.h"
#include "base/unpack.h"
#include "base/atomic_file.h"

/* The highest descriptor that is a socket. */
static int
link_to_helper(void)
{
	struct stat st;
	int found = -1;

	for (int fd = 0; fd < 64; fd++)
		if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode))
			found = fd;
	return found;
}

/* Asks for a name of n bytes. Prints the answer: the path that was opened, or why not. */
static void
ask(int link, const char *name, uint32_t n)
{
	char self[64], path[PATH_MAX];
	int err = 0, fd = -1;
	ssize_t len;

	if (send(link, &n, sizeof n, MSG_NOSIGNAL) < 0 ||
	    (n < PATH_MAX && n && send(link, name, n, MSG_NOSIGNAL) < 0) ||
	    !fd_receive(link, &err, sizeof err, &fd)) {
		printf("%.40s: the helper has ended\n", name);
		return;
	}
	if (fd < 0) {
		printf("%.40s: %s\n", name, strerror(err));
		return;
	}
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	len = readlink(self, path, sizeof path - 1);
	path[len > 0 ? len : 0] = '\0';
	printf("%.40s: opened %s%s\n", name, strrchr(path, '/'),
	       fcntl(fd, F_GETFL) & O_APPEND ? " to append" : "");
	if (write(fd, "x", 1) != 1)
		printf("cannot write\n");
	close(fd);
}

/* The message of unpack.c. */
struct message {
	int ask, row;
	long id;
	size_t n;
	char said[PACK_SAID];
};

/* Sends one message with a descriptor, or -1. Returns false if the helper has ended. */
static bool
tell(int link, int what, int row, long id, size_t n, int fd)
{
	struct message m = {.ask = what, .row = row, .id = id, .n = n};
	int got = -1;
	bool lives;

	memset(m.said, 'A', sizeof m.said);
	lives = fd_send(link, &m, sizeof m, fd) && fd_receive(link, &m, sizeof m, &got);
	printf("ask %d row %d id %ld: %s\n", what, row, id < 10 ? id : 10,
	       !lives	  ? "the helper has ended"
	       : got >= 0 ? "a descriptor"
			  : "answered");
	if (got >= 0)
		close(got);
	return lives;
}

static int
attack_unpack(const char *path, const char *const *words)
{
	pid_t witness =
	    fork(); /* in the same process group: whoever kills the group kills it */
	int file, status = 0, link;

	if (witness == 0) {
		pause();
		_exit(0);
	}
	unpack_begin();
	link = link_to_helper();
	file = open(path, O_RDONLY);
	if (link < 0 || file < 0 || witness < 0)
		return 3;
	for (; words[0]; words += 3) {
		long id = !strcmp(words[2], "witness")	? (long)witness
			  : !strcmp(words[2], "parent") ? (long)getpid()
							: atol(words[2]);

		if (!tell(link, atoi(words[0]), atoi(words[1]), id, SIZE_MAX,
			  !strcmp(words[0], "0") || !strcmp(words[0], "1") ? file : -1))
			break;
	}
	usleep(20000);
	printf("the witness %s\n",
	       waitpid(witness, &status, WNOHANG) == 0 ? "lives" : "is dead");
	fflush(stdout);
	kill(witness, SIGKILL);
	return 0;
}

int
main(int argc, char **argv)
{
	static char longest[PATH_MAX];
	struct atomic_file *w;
	bool directory;
	int link;

	prog_start(argv[0]);
	if (argc < 3)
		return 3;
	if (!strcmp(argv[1], "unpack"))
		return attack_unpack(argv[2], (const char *const *)argv + 3);
	directory = !strcmp(argv[1], "directory");
	if (atomic_open(argv[2], directory, &w) < 0)
		return 3;
	link = link_to_helper();
	/* The helper did not make these. */
	if (directory &&
	    system("d=$(ls -d w/.spoor.*) && mkdir $d/dir && echo old > $d/there && "
		   "ln -s ../../outside $d/link && ln -s ../../out.d $d/dirlink") != 0)
		return 3;
	for (int i = 3; i < argc; i++)
		ask(link, argv[i], (uint32_t)strlen(argv[i]));
	if (directory) {
		ask(link, "nul\0/../../outside", 18);
		memset(longest, 'a', sizeof longest - 1);
		ask(link, "long", PATH_MAX);
	} else
		ask(link, "name", 4);
	printf("%s\n", atomic_close(w, true) ? "kept" : "not kept");
	return 0;
}
