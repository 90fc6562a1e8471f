/*
 * failing - to be preloaded: what the system grants less of than a program hopes for.
 *
 *	FAIL_SHORT=N    a read or write transfers N bytes at the most
 *	FAIL_INTR=1     every other read or write is interrupted by a signal
 *	FAIL_SERVE=FD   runs the program again and again: faults.c, at the other end of the
 *	                socket FD, orders which allocation, read or write fails each time
 *	FAIL_IN=FILE, FAIL_OUT=FILE  are opened anew each time, as input and as output
 *
 * For glibc, whose own allocator has names that can be called from here; with -DIO_ONLY
 * allocations are left alone, as sanitizers want them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* musl's headers have them as other names of pread and pwrite. */
#undef pread64
#undef pwrite64

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t align, size_t n);

/* Something that is counted, and the count at which it fails; 0: never. */
struct counted {
	long done, at;
};

/* Allocations, reads and writes, in the order of faults.c. */
static struct counted counts[3];
#define ALLOCATIONS (&counts[0])
#define READS (&counts[1])
#define WRITES (&counts[2])

/* How an allocation fails: REST, and all after it; SWEEP: see sweep(). How a read or write
 * does: what errno tells. */
#define REST 1
#define SWEEP 2
static long how;
static long shortest, interrupted;
/* Shared with all processes of the program: whether what should fail was reached. */
static int *reached;
#define NOT_SWEPT 2 /* and that it could not be found out */
/* Of the process that sweeps: to faults.c. */
static int sweeper = -1;
static pid_t sweeper_pid;
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, int64_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, int64_t);

static long
number(const char *name)
{
	const char *s = getenv(name);

	return s ? atol(s) : 0;
}

static void
open_as(int fd, const char *path, int flags)
{
	int got;

	if (!path)
		return;
	got = open(path, flags, 0666);
	if (got < 0 || dup2(got, fd) < 0)
		abort();
	close(got);
}

static void
answer(int fd, long first, long second)
{
	const long both[2] = {first, second};

	if (real_write(fd, both, sizeof both) < 0)
		_exit(0);
}

/* How a process ended. */
static int
ended(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/*
 * The program is loaded, its sanitizer ready, and nothing of its own has run: here a process is
 * forked for each order and goes on into main, so that the way here is paid once. There are
 * two answers: its number, when its input and output are open; its status, with *reached.
 */
static void
serve(int fd)
{
	const char *in = getenv("FAIL_IN"), *out = getenv("FAIL_OUT");
	long order[3];

	unsetenv("FAIL_SERVE"); /* not for what the program starts */
	reached = mmap(NULL, sizeof *reached, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (reached == MAP_FAILED)
		abort();
	while (real_read(fd, order, sizeof order) == sizeof order) {
		int status;
		pid_t pid;

		*reached = 0;
		pid = fork();
		if (pid == 0) {
			open_as(0, in, O_RDONLY);
			open_as(1, out, O_WRONLY | O_CREAT | O_TRUNC);
			answer(fd, getpid(), 0);
			how = order[2];
			if (how == SWEEP) {
				sweeper = fd;
				sweeper_pid = getpid();
				return;
			}
			counts[order[0]].at = order[1];
			close(fd);
			return;
		}
		if (pid < 0)
			break;
		status = ended(pid);
		/* The last order to what has swept is answered here. */
		if (order[2] == SWEEP)
			answer(fd, pid, 0);
		answer(fd, status, *reached);
	}
	_exit(0);
}

__attribute__((constructor)) static void
begin(void)
{
	*(void **)&real_read = dlsym(RTLD_NEXT, "read");
	*(void **)&real_write = dlsym(RTLD_NEXT, "write");
	*(void **)&real_pread = dlsym(RTLD_NEXT, "pread64");
	*(void **)&real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
	shortest = number("FAIL_SHORT");
	interrupted = number("FAIL_INTR");
	if (getenv("FAIL_SERVE"))
		serve((int)number("FAIL_SERVE"));
}

/* Whether this one fails. Threads may come here. */
static int
fails(struct counted *c, long and_rest)
{
	long n;

	if (c->at <= 0)
		return 0;
	n = __atomic_add_fetch(&c->done, 1, __ATOMIC_RELAXED);
	if (n == c->at)
		__atomic_store_n(reached, 1, __ATOMIC_RELAXED);
	return n == c->at || (and_rest && n > c->at);
}

#ifndef IO_ONLY
/* What a process and the one that it is forked from have in common: where a file is read or
 * written, and of what is written its end. */
struct shared {
	off_t at, size;
};
#define FILES 32

static void
save(struct shared *v)
{
	for (int fd = 0; fd < FILES; fd++) {
		int mode = fd == 2 ? -1 : fcntl(fd, F_GETFL);
		struct stat st;

		v[fd] = (struct shared){-1, -1};
		if (mode < 0)
			continue;
		v[fd].at = lseek(fd, 0, SEEK_CUR);
		if ((mode & O_ACCMODE) != O_RDONLY && !fstat(fd, &st) &&
		    S_ISREG(st.st_mode))
			v[fd].size = st.st_size;
	}
}

static void
restore(const struct shared *v)
{
	for (int fd = 0; fd < FILES; fd++)
		if ((v[fd].size >= 0 && ftruncate(fd, v[fd].size) < 0) ||
		    (v[fd].at >= 0 && lseek(fd, v[fd].at, SEEK_SET) < 0))
			abort();
}

/*
 * All allocations in one run: a process is forked at each one, where it fails, while this one
 * waits and goes on as if nothing had been. Each then costs what follows it, most often an
 * end, and not what came before. Only for a program with one thread, and whose other
 * processes, if any, have nothing to do until its end; theirs do not fail.
 */
static int
sweep(void)
{
	static struct shared before[FILES];
	int fd = sweeper;
	long order[3];
	pid_t pid;

	if (getpid() != sweeper_pid)
		return 0;
	save(before);
	sweeper = -1; /* fork allocates, perhaps */
	pid = fork();
	if (pid == 0) {
		close(fd);
		return 1;
	}
	if (pid < 0)
		_exit(0);
	answer(fd, pid, 0); /* by which it can be killed */
	answer(fd, ended(pid), 1);
	/* Until it has been looked at. */
	if (real_read(fd, order, sizeof order) != sizeof order)
		_exit(0);
	restore(before);
	sweeper = fd;
	return 0;
}

int
pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*f)(void *), void *arg)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	if (sweeper >= 0)
		*reached = NOT_SWEPT;
	sweeper = -1;
	return real(thread, attr, f, arg);
}

static int
no_memory(void)
{
	int saved = errno, no = sweeper >= 0 ? sweep() : fails(ALLOCATIONS, how == REST);

	errno = saved;
	if (no)
		errno = ENOMEM;
	return no;
}

void *
malloc(size_t n)
{
	return no_memory() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return no_memory() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return no_memory() ? NULL : __libc_realloc(p, n);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return no_memory() ? NULL : __libc_memalign(align, n);
}

#endif

/* How many of n bytes; 0, with errno set, where it fails. */
static size_t
granted(size_t n, struct counted *c)
{
	static __thread int odd;

	if (fails(c, 0)) {
		errno = how ? (int)how : EIO;
		return 0;
	}
	if (interrupted && (odd = !odd)) {
		errno = EINTR;
		return 0;
	}
	return shortest && n > (size_t)shortest ? (size_t)shortest : n;
}

#define TRANSFER(n, counted, call)      \
	size_t k = granted(n, counted); \
	return !k && n ? -1 : call

ssize_t
read(int fd, void *p, size_t n)
{
	TRANSFER(n, READS, real_read(fd, p, k));
}

ssize_t
write(int fd, const void *p, size_t n)
{
	TRANSFER(n, WRITES, real_write(fd, p, k));
}

ssize_t
pread64(int fd, void *p, size_t n, int64_t off)
{
	TRANSFER(n, READS, real_pread(fd, p, k, off));
}

ssize_t
pread(int fd, void *p, size_t n, off_t off)
{
	TRANSFER(n, READS, real_pread(fd, p, k, off));
}

ssize_t
pwrite64(int fd, const void *p, size_t n, int64_t off)
{
	TRANSFER(n, WRITES, real_pwrite(fd, p, k, off));
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t off)
{
	TRANSFER(n, WRITES, real_pwrite(fd, p, k, off));
}
