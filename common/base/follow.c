/* follow.c - see follow.h. */
#define _GNU_SOURCE /* inotify_init1, IN_CLOEXEC */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include "base/die.h"
#include "base/follow.h"

static volatile sig_atomic_t over;
/* Pipe to which the signal handler writes a byte, so that a signal that comes just before the wait also ends it. */
static int wake[2] = {-1, -1};
static int changes = -1;

static void
on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	over = 1;
	if (write(wake[1], "", 1) < 0) /* the pipe is full, so the wait ends anyway */
		errno = saved;
}

void
follow_start(void)
{
	struct sigaction sa;

	if (pipe(wake) < 0)
		return;
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_signal; /* no SA_RESTART */
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
#ifdef __linux__
	changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
#endif
}

bool
follow_over(void)
{
	return over != 0;
}

bool
follow_appears(const char *name)
{
	struct pollfd p = {.fd = wake[0], .events = POLLIN};
	bool said = false;
	struct stat st;

	while (!over && stat(name, &st) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
		if (!said)
			warn("waiting for %s", name);
		said = true;
		poll(&p, 1, 50);
	}
	return !over;
}

/* Asks inotify to report changes of the file, and new files in its folder, because another file may take its name. */
static void
watch(const char *name)
{
#ifdef __linux__
	const char *slash = strrchr(name, '/');
	char *folder;

	if (changes < 0)
		return;
	folder = slash > name ? strndup(name, (size_t)(slash - name))
			      : strdup(slash ? "/" : ".");
	/* Adding a watch twice does no harm, so there is no need to remember it. */
	inotify_add_watch(changes, name,
			  IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF);
	if (folder)
		inotify_add_watch(changes, folder, IN_CREATE | IN_MOVED_TO);
	free(folder);
#else
	(void)name;
#endif
}

/* Returns the state of the file without waiting. Sets *none, and returns FOLLOW_MORE, if nothing has changed. */
static enum follow
look_now(int fd, const char *name, uint64_t at, bool *none)
{
	struct stat now, named;

	*none = false;
	if (over)
		return FOLLOW_OVER;
	if (fstat(fd, &now) == 0 && (uint64_t)now.st_size > at)
		return FOLLOW_MORE;
	if (fstat(fd, &now) == 0 && (uint64_t)now.st_size < at)
		return FOLLOW_REPLACED;
	if (stat(name, &named) == 0 &&
	    (named.st_ino != now.st_ino || named.st_dev != now.st_dev)) {
		/* Bytes written before the file was replaced are read first. */
		if (fstat(fd, &now) == 0 && (uint64_t)now.st_size > at)
			return FOLLOW_MORE;
		return FOLLOW_REPLACED;
	}
	*none = true;
	return FOLLOW_MORE;
}

enum follow
follow_wait(int fd, const char *name, uint64_t at)
{
	struct pollfd p[2] = {{.fd = wake[0], .events = POLLIN},
			      {.fd = changes, .events = POLLIN}};
	char told[4096];
	enum follow how;
	bool none;

	for (;;) {
		/* The watch comes before the look, so that a change between the two is noticed. */
		watch(name);
		how = look_now(fd, name, at, &none);
		if (!none)
			return how;
		poll(p, changes < 0 ? 1 : 2, changes < 0 ? 20 : 1000);
		while (changes >= 0 && read(changes, told, sizeof told) > 0)
			;
	}
}
