/* sandbox.c - Landlock, pledge and unveil. */
#define _GNU_SOURCE /* syscall, O_PATH */
#if defined(__OpenBSD__)
#define _BSD_SOURCE /* pledge, unveil */
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__OpenBSD__)
#include <sys/resource.h>
#endif
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "base/sandbox.h"

#define TEMPORARIES_MOST 16

static bool entered;
/* Descriptors of temporary files that were not asked for yet. */
static int spare[TEMPORARIES_MOST];
static unsigned nspare;

static int
make_temporary(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!dir || !*dir)
		dir = "/tmp";
#ifdef O_TMPFILE
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
#endif
	if ((size_t)snprintf(path, sizeof path, "%s/spoor.XXXXXX", dir) >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkstemp(path);
	if (fd >= 0) {
		unlink(path);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	return fd;
}

int
sandbox_temporary(void)
{
	if (nspare)
		return spare[--nspare];
	if (!entered)
		return make_temporary();
	errno = EACCES;
	return -1;
}

#if defined(__linux__) && defined(SYS_landlock_create_ruleset) && defined(O_PATH)

/* Rights of landlock(7). The rights to read files and directories are not restricted. */
enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_REG = 1 << 8,
	MAKE_OTHERS = 1 << 6 | 1 << 7 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12,
	TRUNCATE = 1 << 14,
	IOCTL_DEV = 1 << 15,
	TCP = 1 << 0 | 1 << 1, /* bind, connect */
	/* Abstract Unix sockets, and signals to other processes. */
	SCOPED = 1 << 0 | 1 << 1,
};
#define VERSION 1u

/* An older kernel takes this structure if the members that it does not know are zero. */
struct ruleset {
	uint64_t fs, net, scoped;
};

static void
restrict_self(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, VERSION);
	struct ruleset set = {.fs = EXECUTE | WRITE_FILE | REMOVE_DIR | REMOVE_FILE |
				    MAKE_REG | MAKE_OTHERS};
	int fd;

	if (version < 1)
		return;
	if (version >= 3)
		set.fs |= TRUNCATE;
	if (version >= 4)
		set.net = TCP;
	if (version >= 5)
		set.fs |= IOCTL_DEV;
	if (version >= 6)
		set.scoped = SCOPED;
	fd = (int)syscall(SYS_landlock_create_ruleset, &set, sizeof set, 0u);
	if (fd < 0)
		return;
	syscall(SYS_landlock_restrict_self, fd, 0u);
	close(fd);
}

#elif defined(__OpenBSD__)

static void
restrict_self(void)
{
	struct rlimit r;

	/* Many streams are open at once, and no pledge promise in use allows raising the limit of descriptors
	 * later. */
	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
	if (unveil("/", "r") == 0)
		unveil(NULL, NULL);
	/* Descriptors are sent to the processes that have more rights (atomic_file.h, unpack.h), and come back. */
	pledge("stdio rpath sendfd recvfd", NULL);
}

#else

static void
restrict_self(void)
{
}

#endif

void
sandbox_enter(unsigned temporaries)
{
	int saved = errno;

	if (entered)
		return;
	for (; nspare < temporaries && nspare < TEMPORARIES_MOST; nspare++) {
		spare[nspare] = make_temporary();
		if (spare[nspare] < 0)
			break;
	}
	entered = true;
#if defined(__linux__)
	prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
#endif
	restrict_self();
	errno = saved;
}
