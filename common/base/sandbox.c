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

#include "base/die.h"
#include "base/sandbox.h"

#define TEMPORARIES_MOST 16

static bool entered;
static int spare[TEMPORARIES_MOST]; /* descriptors of temporaries not yet asked for */
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

/* The directory that a path lies in; to be freed. */
static char *
directory_of(const char *path)
{
	char *dir = xstrdup(path), *slash = strrchr(dir, '/');

	if (!slash)
		strcpy(dir, *dir ? "." : "");
	else if (slash == dir)
		dir[1] = '\0';
	else
		*slash = '\0';
	return dir;
}

#if defined(__linux__) && defined(SYS_landlock_create_ruleset) && defined(O_PATH)

/* Rights as landlock(7) numbers them. Those to read files and directories are not handled:
 * they stay. */
enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_REG = 1 << 8,
	MAKE_OTHERS = 1 << 6 | 1 << 7 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12,
	TRUNCATE = 1 << 14,
	IOCTL_DEV = 1 << 15,
	TCP = 1 << 0 | 1 << 1,	  /* bind, connect */
	SCOPED = 1 << 0 | 1 << 1, /* abstract Unix sockets, signals: of others */
};
#define RULE_PATH_BENEATH 1
#define VERSION 1u

/* The kernel takes a shorter structure of an older version where the rest is zero. */
struct ruleset {
	uint64_t fs, net, scoped;
};

struct path_beneath {
	uint64_t allowed;
	int32_t fd;
};

static void
restrict_self(const char *dir)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, VERSION);
	struct ruleset set = {.fs = EXECUTE | WRITE_FILE | REMOVE_DIR | REMOVE_FILE |
				    MAKE_REG | MAKE_OTHERS};
	struct path_beneath rule = {.allowed = MAKE_REG | REMOVE_FILE};
	bool ok = true;
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
	if (dir) {
		rule.fd = open(dir, O_PATH | O_CLOEXEC);
		ok = rule.fd >= 0 &&
		     syscall(SYS_landlock_add_rule, fd, RULE_PATH_BENEATH, &rule, 0u) == 0;
		if (rule.fd >= 0)
			close(rule.fd);
	}
	/* Without the rule the output could not get its name. */
	if (ok)
		syscall(SYS_landlock_restrict_self, fd, 0u);
	close(fd);
}

#elif defined(__OpenBSD__)

static void
restrict_self(const char *dir)
{
	struct rlimit r;

	/* Many streams are open at once, and no promise of ours allows to ask for more
	 * descriptors. */
	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
	/* The output's first: without it the others would take away its name. */
	if ((!dir || unveil(dir, "rc") == 0) && unveil("/", "r") == 0)
		unveil(NULL, NULL);
	pledge(dir ? "stdio rpath cpath" : "stdio rpath", NULL);
}

#else

static void
restrict_self(const char *dir)
{
	(void)dir;
}

#endif

void
sandbox_enter(const char *output, unsigned temporaries)
{
	int saved = errno;
	char *dir;

	if (entered)
		return;
	for (; nspare < temporaries && nspare < TEMPORARIES_MOST; nspare++) {
		spare[nspare] = make_temporary();
		if (spare[nspare] < 0)
			break;
	}
	entered = true;
	dir = output ? directory_of(output) : NULL;
#if defined(__linux__)
	prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
#endif
	restrict_self(dir);
	free(dir);
	errno = saved;
}
