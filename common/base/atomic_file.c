/* atomic_file.c - the file or the directory of -o, and the process that names it: see atomic_file.h. */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH */
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
#include "base/made.h"
#include "base/fd_pass.h"
#include "base/atomic_file.h"

/* Limit of links that are followed one after another; Linux has the same limit. */
#define LINKS_MOST 40
#ifndef O_PATH
#define O_PATH O_RDONLY /* enough to open a directory */
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

struct atomic_file {
	char *path;	  /* path of the file, after all links are followed */
	const char *name; /* last component of path */
	bool directory;
	int parent;   /* descriptor of the directory that contains the file */
	int fd;	      /* descriptor of the file or directory itself */
	char tmp[32]; /* temporary name; "" if there is none */
	int link;     /* socket to the helper */
	pid_t helper;
	struct made_files made; /* used in the helper: files made in the directory */
	struct atomic_file *next;
};

/* List of the files and directories that are still open. */
static struct atomic_file *open_wholes;

/* The program begins a request to the helper with the length of a file's name, which follows, or with one of these
 * values. */
#define ASK_NAME UINT32_MAX
#define ASK_END (UINT32_MAX - 1)

/* Sends n bytes from `p` to a socket if `send_them`, otherwise reads n bytes to `p`. Returns false if it fails. */
static bool
transfer(int fd, const void *p, size_t n, bool send_them)
{
	for (uint8_t *at = (uint8_t *)(uintptr_t)p; n;) {
		ssize_t k = send_them ? send(fd, at, n, MSG_NOSIGNAL) : read(fd, at, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		at += k;
		n -= (size_t)k;
	}
	return true;
}

/* Returns the path to which all links in the last component of `path` lead; for a directory, without slashes at its
 * end. The file need not exist. The caller frees the path. Returns NULL with errno set if there are errors. */
static char *
link_end(const char *path, bool directory)
{
	char *at = xstrdup(path);

	for (unsigned i = 0; i < LINKS_MOST; i++) {
		char to[PATH_MAX], *slash, *next;
		size_t len = strlen(at), dir;
		ssize_t n;

		while (directory && len > 1 && at[len - 1] == '/')
			at[--len] = '\0';
		n = readlink(at, to, sizeof to - 1);
		slash = strrchr(at, '/');
		dir = slash ? (size_t)(slash - at) + 1 : 0;
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

/* Makes a file or a directory under a free temporary name next to its final place; if `self` is not NULL, links
 * the open file `self` there instead. Returns a descriptor (0 for a directory or a link), or -1 with errno set.
 * w->tmp is the name, "" after an error. */
static int
make_beside(struct atomic_file *w, const char *self)
{
	int got = -1;

	for (unsigned i = 0; i < 10000 && got < 0 && (!i || errno == EEXIST); i++) {
		snprintf(w->tmp, sizeof w->tmp, ".spoor.%ld.%u", (long)getpid(), i);
		if (self)
			got = linkat(AT_FDCWD, self, w->parent, w->tmp, AT_SYMLINK_FOLLOW);
		else if (w->directory)
			got = mkdirat(w->parent, w->tmp, 0777);
		else
			got = openat(w->parent, w->tmp,
				     O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	}
	if (got < 0)
		*w->tmp = '\0';
	return got;
}

/* Returns the descriptor of a new file for writing, or -1 with errno set. The file has a temporary name only if
 * the system cannot make files without a name. */
static int
make_file(struct atomic_file *w)
{
#ifdef O_TMPFILE
	int fd = openat(w->parent, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0) {
		char self[64];

		/* give_name links the file through /proc, so /proc must show it. */
		snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
		if (access(self, F_OK) == 0)
			return fd;
		close(fd);
	}
#endif
	return make_beside(w, NULL);
}

/* Gives the new file fd the mode and owner of `old`; if `old` is NULL, the mode of a newly created file. Returns
 * false with errno set. */
static bool
set_mode(int fd, const struct stat *old)
{
	mode_t mask;

	if (!old) {
		mask = umask(0);
		umask(mask);
		return fchmod(fd, 0666 & ~mask) == 0;
	}
	/* Only root can give a file to another owner. Without that right, the set-user-ID and set-group-ID bits
	 * are dropped. */
	if ((old->st_uid != geteuid() || old->st_gid != getegid()) &&
	    fchown(fd, old->st_uid, old->st_gid) < 0)
		return fchmod(fd, old->st_mode & 0777) == 0;
	return fchmod(fd, old->st_mode & 07777) == 0;
}

/* Removes the temporary file or directory, with all files that the helper has made in it. */
static void
remove_all(struct atomic_file *w)
{
	made_remove(&w->made, w->fd);
	if (*w->tmp)
		unlinkat(w->parent, w->tmp, w->directory ? AT_REMOVEDIR : 0);
}

/* Gives the file or directory its final name. Returns 0, or the errno. */
static int
give_name(struct atomic_file *w)
{
	int err;

	if (!*w->tmp) {
		char self[64];

		snprintf(self, sizeof self, "/proc/self/fd/%d", w->fd);
		if (linkat(AT_FDCWD, self, w->parent, w->name, AT_SYMLINK_FOLLOW) == 0)
			return 0;
		/* linkat cannot replace a file: link to a temporary name, then rename. */
		if (errno != EEXIST || make_beside(w, self) < 0)
			return errno;
	}
	if (renameat(w->parent, w->tmp, w->parent, w->name) == 0)
		return 0;
	err = errno;
	remove_all(w);
	return err;
}

static struct atomic_file *helping; /* the helper's own file; NULL in the program */

/* Ends the helper if it exits early, which happens only when memory is exhausted. */
static void
stop_helping(void)
{
	remove_all(helping);
	_exit(ENOMEM);
}

/* Runs the helper: answers requests until the program ends, for whatever reason, then exits. Only SIGKILL can stop
 * the helper, because all signals are blocked. It does not trust the program, which reads untrusted input: it
 * makes no files for an output that is a file, and ends at the first invalid request. */
static _Noreturn void
help(struct atomic_file *w)
{
	const int keep[] = {w->link, w->parent, w->fd};
	char name[PATH_MAX];
	uint32_t n = 0;

	/* An open descriptor here would keep another helper, or a compressor, from noticing the end of its input. */
	fd_keep_only(keep, 3);
	helping = w;
	if (atexit(stop_helping) != 0)
		stop_helping();
	while (transfer(w->link, &n, sizeof n, false)) {
		int fd, err;

		if (n == ASK_NAME)
			_exit(give_name(w));
		if (!w->directory || n >= sizeof name ||
		    !transfer(w->link, name, n, false) || memchr(name, '\0', n))
			break;
		name[n] = '\0';
		fd = made_file(&w->made, w->fd, name);
		err = fd < 0 ? errno : 0;
		if (!fd_send(w->link, &err, sizeof err, fd))
			break;
		if (fd >= 0)
			close(fd);
	}
	remove_all(w);
	_exit(EIO);
}

/* Sends the helper its last request, and waits until it ends. Returns 0, or the helper's errno. */
static int
end_helper(struct atomic_file *w, uint32_t ask)
{
	int status = 0;

	/* Closing the link would be enough for ASK_END, unless another process has it open too. */
	transfer(w->link, &ask, sizeof ask, true);
	close(w->link);
	while (waitpid(w->helper, &status, 0) < 0)
		if (errno != EINTR)
			return EIO;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EIO; /* it was killed */
}

/* Removes, at exit, all files and directories that are still open. */
static void
abandon(void)
{
	for (; open_wholes; open_wholes = open_wholes->next)
		end_helper(open_wholes, ASK_END);
}

/* Forks the helper. Returns false with errno set if it fails. */
static bool
whole_begin(struct atomic_file *w)
{
	int ends[2], err;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	w->helper = fork();
	if (w->helper == 0) {
		close(ends[0]);
		w->link = ends[1];
		help(w);
	}
	err = errno;
	close(ends[1]);
	if (w->helper < 0)
		close(ends[0]);
	w->link = ends[0];
	errno = err;
	return w->helper > 0;
}

static void
free_whole(struct atomic_file *w)
{
	int saved = errno;

	if (w->parent >= 0)
		close(w->parent);
	free(w->path);
	free(w);
	errno = saved;
}

/* Returns true if nothing exists at `path`, or an empty directory, which the new directory will replace. Otherwise
 * sets errno. */
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
		n++; /* counts "." and ".." too */
	closedir(dir);
	errno = ENOTEMPTY;
	return n < 3;
}

/* Opens the parent directory of w->path as w->parent, and sets w->name. Cuts w->path at its last slash. Returns
 * false with errno set. */
static bool
open_parent(struct atomic_file *w)
{
	char *slash = strrchr(w->path, '/');

	w->name = slash ? slash + 1 : w->path;
	if (!*w->name ||
	    (w->directory && (!strcmp(w->name, ".") || !strcmp(w->name, "..")))) {
		errno = w->directory ? EEXIST : EISDIR;
		return false;
	}
	if (w->directory && !is_free(w->path))
		return false;
	if (slash)
		*slash = '\0';
	w->parent = open(slash ? slash == w->path ? "/" : w->path : ".",
			 O_PATH | O_DIRECTORY | O_CLOEXEC);
	return w->parent >= 0;
}

/* Dies if another open file or directory will have the same name in the same directory. */
static void
one_of_a_name(const struct atomic_file *w)
{
	struct stat here, there;

	for (const struct atomic_file *o = open_wholes; o; o = o->next)
		if (!strcmp(o->name, w->name) && fstat(o->parent, &there) == 0 &&
		    fstat(w->parent, &here) == 0 && same_file(&here, &there))
			die("%s: two outputs cannot have one name", w->name);
}

/* Makes the file or directory, and forks the helper. `old` is the file to be replaced, or NULL. Returns false with
 * errno set. */
static bool
make(struct atomic_file *w, const struct stat *old)
{
	int err;

	if (!w->directory)
		w->fd = make_file(w);
	else if (make_beside(w, NULL) == 0)
		w->fd = openat(w->parent, w->tmp,
			       O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (w->fd >= 0 && (w->directory || set_mode(w->fd, old)) && whole_begin(w))
		return true;
	err = errno;
	remove_all(w);
	if (w->fd >= 0)
		close(w->fd);
	errno = err;
	return false;
}

/* Begins the file or directory `path`, and takes over `path`, which it frees. Returns what atomic_open returns. */
static int
open_temporary(char *path, bool directory, const struct stat *old, struct atomic_file **to)
{
	struct atomic_file *w = xcalloc(1, sizeof *w);
	static bool at_exit;
	sigset_t all, before;
	bool made;

	w->path = path;
	w->directory = directory;
	w->parent = w->fd = -1;
	/* A signal must not end the process between making the temporary name and forking the helper, which
	 * removes it. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	made = open_parent(w) && (one_of_a_name(w), make(w, old));
	if (made) {
		w->next = open_wholes;
		*to = open_wholes = w;
		if (!at_exit)
			atexit(abandon);
		at_exit = true;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!made) {
		free_whole(w);
		return -1;
	}
	if (!directory)
		return w->fd;
	close(w->fd);
	return 0;
}

int
atomic_open(const char *path, bool directory, struct atomic_file **w)
{
	struct stat st, behind, out;
	bool old = stat(path, &st) == 0;
	char *at;

	*w = NULL;
	if (directory)
		return (at = link_end(path, true)) ? open_temporary(at, true, NULL, w) : -1;
	/* A device, a pipe or an open file (/dev/stdout) cannot be replaced:
	 * write to it. */
	if (old && fstat(1, &out) == 0 && same_file(&st, &out))
		return fcntl(1, F_DUPFD_CLOEXEC, 3);
	if (old && !S_ISREG(st.st_mode))
		return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	at = link_end(path, false);
	if (!at)
		return -1;
	if (old && (stat(at, &behind) < 0 || !same_file(&st, &behind))) {
		free(at); /* /dev/fd/N whose file was removed */
		return open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
	}
	return open_temporary(at, false, old ? &st : NULL, w);
}

int
atomic_add_file(struct atomic_file *w, const char *name)
{
	size_t len = strlen(name);
	uint32_t n = (uint32_t)len;
	int err, fd;

	if (len >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!transfer(w->link, &n, sizeof n, true) || !transfer(w->link, name, n, true)) {
		errno = EIO;
		return -1;
	}
	if (!fd_receive(w->link, &err, sizeof err, &fd))
		err = EIO; /* the helper was killed */
	errno = err ? err : EMFILE;
	return fd;
}

bool
atomic_close(struct atomic_file *w, bool keep)
{
	int err = end_helper(w, keep ? ASK_NAME : ASK_END);

	for (struct atomic_file **o = &open_wholes; *o; o = &(*o)->next)
		if (*o == w) {
			*o = w->next;
			break;
		}
	free_whole(w);
	errno = err;
	return !keep || err == 0;
}
