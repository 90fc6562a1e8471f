/* outfile.c - the file of -o, and the process that names it. */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/outfile.h"
#include "base/pass.h"

/* Links one behind another that are followed: as many as the system follows. */
#define LINKS_MOST 40
#ifndef O_PATH
#define O_PATH O_RDONLY /* of a directory */
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

struct outfile {
	char *path;	  /* behind all links */
	const char *name; /* its last component */
	int dir;	  /* the directory that it lies in */
	char tmp[32];	  /* the name that it has until then; "" where it has none */
	int link;	  /* to the process that names it */
	pid_t namer;
	struct outfile *next;
};

/* All that are open. */
static struct outfile *open_files;

/* The path that `path` leads to when its last component is a link, and so on. NULL with
 * errno set. The file need not be there. */
static char *
follow(const char *path)
{
	char *at = xstrdup(path);

	for (unsigned i = 0; i < LINKS_MOST; i++) {
		char to[PATH_MAX], *slash = strrchr(at, '/'), *next;
		ssize_t n = readlink(at, to, sizeof to - 1);
		size_t dir = slash ? (size_t)(slash - at) + 1 : 0;

		if (n < 0) {
			if (errno == EINVAL || errno == ENOENT) /* no link, or nothing */
				return at;
			break;
		}
		to[n] = '\0';
		if (*to == '/')
			dir = 0;
		next = xmalloc(dir + (size_t)n + 1);
		memcpy(next, at, dir);
		memcpy(next + dir, to, (size_t)n + 1);
		free(at);
		at = next;
		errno = ELOOP;
	}
	free(at);
	return NULL;
}

static bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A file to write to in f->dir, with a name only where it cannot do without. */
static int
make_file(struct outfile *f)
{
	int fd = -1;

#ifdef O_TMPFILE
	fd = openat(f->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (fd >= 0) {
		char self[64];

		/* It is named by what /proc shows of it. */
		snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
		if (access(self, F_OK) == 0)
			return fd;
		close(fd);
		fd = -1;
	}
#endif
	for (unsigned i = 0; i < 10000 && fd < 0; i++) {
		snprintf(f->tmp, sizeof f->tmp, ".spoor.%ld.%u", (long)getpid(), i);
		fd = openat(f->dir, f->tmp, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

/* The older file's mode and owner, or what a new one has. False with errno set. */
static bool
set_mode(int fd, const struct stat *old)
{
	mode_t mask;

	if (!old) {
		mask = umask(0);
		umask(mask);
		return fchmod(fd, 0666 & ~mask) == 0;
	}
	/* For another's file only root can; without it, no right goes along that was given
	 * to the owner's programs. */
	if ((old->st_uid != geteuid() || old->st_gid != getegid()) &&
	    fchown(fd, old->st_uid, old->st_gid) < 0)
		return fchmod(fd, old->st_mode & 0777) == 0;
	return fchmod(fd, old->st_mode & 07777) == 0;
}

/* 0, or what errno tells. */
static int
give_name(struct outfile *f, int fd)
{
	int err;

	if (!*f->tmp) {
		char self[64];
		int got = -1;

		snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
		if (linkat(AT_FDCWD, self, f->dir, f->name, AT_SYMLINK_FOLLOW) == 0)
			return 0;
		/* No link replaces a file: it gets another name first. */
		for (unsigned i = 0; i < 10000 && got < 0 && errno == EEXIST; i++) {
			snprintf(f->tmp, sizeof f->tmp, ".spoor.%ld.%u", (long)getpid(), i);
			got = linkat(AT_FDCWD, self, f->dir, f->tmp, AT_SYMLINK_FOLLOW);
		}
		if (got < 0)
			return errno;
	}
	if (renameat(f->dir, f->tmp, f->dir, f->name) == 0)
		return 0;
	err = errno;
	unlinkat(f->dir, f->tmp, 0);
	return err;
}

/*
 * The process that names the file: it waits for a byte. 'y': give it its name, and tell how
 * that went. The end, however it came: what has a name loses it. No signal but SIGKILL
 * reaches it.
 */
static _Noreturn void
name_it(struct outfile *f, int fd)
{
	const int keep[] = {f->link, f->dir, fd};
	char byte;
	ssize_t n;

	/* Another such process waits for the end of its own, and a compressor too. */
	pass_keep(keep, 3);
	do
		n = read(f->link, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1 && byte == 'y') {
		int err = give_name(f, fd);

		if (send(f->link, &err, sizeof err, MSG_NOSIGNAL) < 0)
			_exit(1);
	} else if (*f->tmp)
		unlinkat(f->dir, f->tmp, 0);
	_exit(0);
}

/* Ends the process: it has done its work, or shall not do it. */
static void
end_namer(struct outfile *f)
{
	/* Its end alone would do, if no other process holds the link open. */
	if (send(f->link, "n", 1, MSG_NOSIGNAL) < 0)
		errno = 0;
	close(f->link);
	while (waitpid(f->namer, NULL, 0) < 0 && errno == EINTR)
		;
}

/* At exit: what is still open is not written. */
static void
abandon(void)
{
	for (; open_files; open_files = open_files->next)
		end_namer(open_files);
}

/* Makes the file and forks the process. -1 with errno set. */
static int
begin(struct outfile *f, const struct stat *old)
{
	int fd = make_file(f), ends[2], err;

	if (fd < 0)
		return -1;
	if (set_mode(fd, old) && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
		fcntl(ends[0], F_SETFD, FD_CLOEXEC);
		f->namer = fork();
		if (f->namer == 0) {
			close(ends[0]);
			f->link = ends[1];
			name_it(f, fd);
		}
		err = errno;
		close(ends[1]);
		if (f->namer > 0) {
			f->link = ends[0];
			return fd;
		}
		close(ends[0]);
		errno = err;
	}
	err = errno;
	close(fd);
	if (*f->tmp)
		unlinkat(f->dir, f->tmp, 0);
	errno = err;
	return -1;
}

static void
free_file(struct outfile *f)
{
	int saved = errno;

	if (f->dir >= 0)
		close(f->dir);
	free(f->path);
	free(f);
	errno = saved;
}

/* The directory of f->path, which may be cut in place of a copy. */
static bool
open_directory(struct outfile *f)
{
	char *slash = strrchr(f->path, '/');

	f->name = slash ? slash + 1 : f->path;
	if (!*f->name) {
		errno = EISDIR;
		return false;
	}
	if (slash)
		*slash = '\0';
	f->dir = open(slash ? slash == f->path ? "/" : f->path : ".",
		      O_PATH | O_DIRECTORY | O_CLOEXEC);
	return f->dir >= 0;
}

/* Opens f, whose path is known. -1 with errno set: then f is freed. */
static int
start(struct outfile *f, const struct stat *old)
{
	sigset_t all, before;
	static bool at_exit;
	int fd;

	if (!open_directory(f)) {
		f->dir = -1;
		free_file(f);
		return -1;
	}
	/* Until the process is there, nobody would remove a file with a name. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	fd = begin(f, old);
	if (fd >= 0) {
		f->next = open_files;
		open_files = f;
		if (!at_exit)
			atexit(abandon);
		at_exit = true;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (fd < 0)
		free_file(f);
	return fd;
}

int
outfile_open(const char *path, struct outfile **file)
{
	struct stat st, behind, out;
	bool old = stat(path, &st) == 0;
	struct outfile *f;
	char *at;
	int fd;

	*file = NULL;
	/* A device, a pipe or an open file (/dev/stdout) cannot be replaced:
	 * write to it. */
	if (old && fstat(1, &out) == 0 && same_file(&st, &out))
		return fcntl(1, F_DUPFD_CLOEXEC, 3);
	if (old && !S_ISREG(st.st_mode))
		return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	at = follow(path);
	if (!at)
		return -1;
	if (old && (stat(at, &behind) < 0 || !same_file(&st, &behind))) {
		free(at); /* /dev/fd/N of a file that has lost its name */
		return open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
	}
	f = xcalloc(1, sizeof *f);
	f->path = at;
	fd = start(f, old ? &st : NULL);
	if (fd >= 0)
		*file = f;
	return fd;
}

bool
outfile_close(struct outfile *f, bool keep)
{
	int err = 0;
	ssize_t n = 0;

	if (keep) {
		if (send(f->link, "y", 1, MSG_NOSIGNAL) == 1)
			do
				n = recv(f->link, &err, sizeof err, MSG_WAITALL);
			while (n < 0 && errno == EINTR);
		if (n != sizeof err)
			err = EIO; /* it was killed */
	}
	end_namer(f);
	for (struct outfile **o = &open_files; *o; o = &(*o)->next)
		if (*o == f) {
			*o = f->next;
			break;
		}
	free_file(f);
	errno = err;
	return err == 0;
}
