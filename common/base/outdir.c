/* outdir.c - the directory of -o, and the process that makes its files and names it. */
#define _GNU_SOURCE /* O_PATH */
#include <dirent.h>
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
#include "base/outdir.h"
#include "base/pass.h"

#ifndef O_PATH
#define O_PATH O_RDONLY /* of a directory */
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

struct outdir {
	char *path, *name; /* name: the last component */
	int parent;	   /* the directory that it lies in */
	int dir;	   /* the directory itself, of the helper */
	char tmp[32];	   /* its name until the end */
	int link;	   /* to the helper */
	pid_t helper;
	char **made; /* of the helper: all that it has made, in order */
	size_t nmade, cap;
};

static struct outdir *open_dir;

/* What the program asks for: bytes of the name behind it, or ASK_NAME. */
#define ASK_NAME UINT32_MAX

static bool
read_all(int fd, void *to, size_t n)
{
	uint8_t *p = to;

	while (n) {
		ssize_t k = read(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

static bool
send_all(int fd, const void *from, size_t n)
{
	const uint8_t *p = from;

	while (n) {
		ssize_t k = send(fd, p, n, MSG_NOSIGNAL);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

static void
note_made(struct outdir *d, const char *name)
{
	*PUSH(d->made, d->nmade, d->cap) = xstrdup(name);
}

/* Makes the file, and the directories in its name. -1 with errno set. */
static int
make_file(struct outdir *d, char *name)
{
	char *at = name, *slash;
	int fd;

	for (; (slash = strchr(at, '/')); at = slash + 1) {
		*slash = '\0';
		if (mkdirat(d->dir, name, 0777) == 0)
			note_made(d, name);
		else if (errno != EEXIST)
			return -1;
		*slash = '/';
	}
	fd = openat(d->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	if (fd >= 0)
		note_made(d, name);
	else if (errno == EEXIST)
		fd = openat(d->dir, name, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	return fd;
}

/* Removes all that was made. */
static void
remove_all(struct outdir *d)
{
	while (d->nmade) {
		const char *name = d->made[--d->nmade];

		if (unlinkat(d->dir, name, 0) < 0)
			unlinkat(d->dir, name, AT_REMOVEDIR);
	}
	unlinkat(d->parent, d->tmp, AT_REMOVEDIR);
}

/* The helper: does what it is asked until the program ends, however that is. No signal but
 * SIGKILL reaches it. */
static _Noreturn void
help(struct outdir *d)
{
	const int keep[] = {d->link, d->parent, d->dir};
	char name[PATH_MAX];
	uint32_t n;

	pass_keep(keep, 3);
	while (read_all(d->link, &n, sizeof n)) {
		int fd, err;

		if (n == ASK_NAME) {
			err =
			    renameat(d->parent, d->tmp, d->parent, d->name) < 0 ? errno : 0;
			if (err)
				remove_all(d);
			send_all(d->link, &err, sizeof err);
			_exit(0);
		}
		if (n >= sizeof name || !read_all(d->link, name, n))
			break;
		name[n] = '\0';
		fd = make_file(d, name);
		err = fd < 0 ? errno : 0;
		if (!pass_send(d->link, &err, sizeof err, fd))
			break;
		if (fd >= 0)
			close(fd);
	}
	remove_all(d);
	_exit(0);
}

static void
end_helper(struct outdir *d)
{
	close(d->link);
	while (waitpid(d->helper, NULL, 0) < 0 && errno == EINTR)
		;
}

/* At exit: what is still open is not kept. */
static void
abandon(void)
{
	if (open_dir)
		end_helper(open_dir);
}

static void
free_dir(struct outdir *d)
{
	int saved = errno;

	if (d->parent >= 0)
		close(d->parent);
	if (d->dir >= 0)
		close(d->dir);
	free(d->path);
	free(d);
	errno = saved;
}

/* Whether nothing is there, or an empty directory, which the new one will replace. */
static bool
is_free(const char *path)
{
	struct stat st;
	const struct dirent *e;
	DIR *dir;
	unsigned n = 0;

	if (lstat(path, &st) < 0)
		return errno == ENOENT;
	if (!S_ISDIR(st.st_mode)) {
		errno = EEXIST;
		return false;
	}
	dir = opendir(path);
	if (!dir)
		return false;
	while ((e = readdir(dir)) && n < 3)
		n++; /* "." and ".." */
	closedir(dir);
	errno = ENOTEMPTY;
	return n < 3;
}

/* Makes the directory beside its place. */
static bool
make_directory(struct outdir *d)
{
	char *slash;
	size_t n = strlen(d->path);
	int made = -1;

	while (n > 1 && d->path[n - 1] == '/')
		d->path[--n] = '\0';
	slash = strrchr(d->path, '/');
	d->name = slash ? slash + 1 : d->path;
	if (!*d->name || !strcmp(d->name, ".") || !strcmp(d->name, "..")) {
		errno = EEXIST;
		return false;
	}
	if (!is_free(d->path))
		return false;
	if (slash)
		*slash = '\0';
	d->parent = open(slash ? slash == d->path ? "/" : d->path : ".",
			 O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (d->parent < 0)
		return false;
	for (unsigned i = 0; i < 10000 && made < 0; i++) {
		snprintf(d->tmp, sizeof d->tmp, ".spoor.%ld.%u", (long)getpid(), i);
		made = mkdirat(d->parent, d->tmp, 0777);
		if (made < 0 && errno != EEXIST)
			break;
	}
	if (made < 0)
		return false;
	d->dir = openat(d->parent, d->tmp, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	return d->dir >= 0;
}

/* Forks the helper. */
static bool
begin(struct outdir *d)
{
	int ends[2], err;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	d->helper = fork();
	if (d->helper == 0) {
		close(ends[0]);
		d->link = ends[1];
		help(d);
	}
	err = errno;
	close(ends[1]);
	if (d->helper < 0)
		close(ends[0]);
	d->link = ends[0];
	errno = err;
	return d->helper > 0;
}

struct outdir *
outdir_open(const char *path)
{
	struct outdir *d = xcalloc(1, sizeof *d);
	sigset_t all, before;
	bool made;

	d->path = xstrdup(path);
	d->parent = d->dir = -1;
	/* Until the process is there, nobody would remove the directory. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	made = make_directory(d) && begin(d);
	if (!made && d->dir >= 0)
		unlinkat(d->parent, d->tmp, AT_REMOVEDIR);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!made) {
		free_dir(d);
		return NULL;
	}
	open_dir = d;
	atexit(abandon);
	return d;
}

/* Whether a name stays within the directory. */
static bool
is_inside(const char *name)
{
	for (;; name++) {
		size_t n = strcspn(name, "/");

		if (!n || (n == 1 && *name == '.') || (n == 2 && !memcmp(name, "..", 2)))
			return false;
		name += n;
		if (!*name)
			return true;
	}
}

int
outdir_file(struct outdir *d, const char *name)
{
	size_t len = strlen(name);
	uint32_t n = (uint32_t)len;
	int err, fd;

	if (len >= PATH_MAX || !is_inside(name)) {
		errno = len >= PATH_MAX ? ENAMETOOLONG : EINVAL;
		return -1;
	}
	if (!send_all(d->link, &n, sizeof n) || !send_all(d->link, name, n)) {
		errno = EIO;
		return -1;
	}
	if (!pass_receive(d->link, &err, sizeof err, &fd))
		err = EIO; /* it was killed */
	errno = err ? err : EMFILE;
	return fd;
}

bool
outdir_close(struct outdir *d, bool keep)
{
	uint32_t ask = ASK_NAME;
	int err = 0;

	if (keep &&
	    (!send_all(d->link, &ask, sizeof ask) || !read_all(d->link, &err, sizeof err)))
		err = EIO; /* it was killed */
	end_helper(d);
	open_dir = NULL;
	free_dir(d);
	errno = err;
	return err == 0;
}
