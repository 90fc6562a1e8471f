/*
 * failing - to be preloaded: what the system grants less of than a program hopes for.
 *
 *	FAIL_ALLOC=N    the Nth allocation fails; FAIL_REST=1: and all after it
 *	FAIL_SHORT=N    a read or write transfers N bytes at the most
 *	FAIL_INTR=1     every other read or write is interrupted by a signal
 *
 * When an allocation has failed, a byte is written to descriptor 9. For glibc, whose own
 * allocator has names that can be called from here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

static long at, rest, shortest, interrupted, done;
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, int64_t);

static long
number(const char *name)
{
	const char *s = getenv(name);

	return s ? atol(s) : 0;
}

__attribute__((constructor)) static void
begin(void)
{
	*(void **)&real_read = dlsym(RTLD_NEXT, "read");
	*(void **)&real_write = dlsym(RTLD_NEXT, "write");
	*(void **)&real_pread = dlsym(RTLD_NEXT, "pread64");
	rest = number("FAIL_REST");
	shortest = number("FAIL_SHORT");
	interrupted = number("FAIL_INTR");
	at = number("FAIL_ALLOC"); /* the last: dlsym allocates */
}

/* An allocation: whether it fails. Threads may come here. */
static int
fails(void)
{
	long n;

	if (at <= 0)
		return 0;
	n = __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
	if (n != at && !(rest && n > at))
		return 0;
	if (n == at && real_write(9, "x", 1) < 0)
		abort();
	errno = ENOMEM;
	return 1;
}

void *
malloc(size_t n)
{
	return fails() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fails() ? NULL : __libc_realloc(p, n);
}

/* How many of n bytes; 0: interrupted. */
static size_t
granted(size_t n)
{
	static __thread int odd;

	if (interrupted && (odd = !odd))
		return 0;
	return shortest && n > (size_t)shortest ? (size_t)shortest : n;
}

#define TRANSFER(n, call)      \
	size_t k = granted(n); \
	if (!k && n) {         \
		errno = EINTR; \
		return -1;     \
	}                      \
	return call

ssize_t
read(int fd, void *p, size_t n)
{
	TRANSFER(n, real_read(fd, p, k));
}

ssize_t
write(int fd, const void *p, size_t n)
{
	TRANSFER(n, real_write(fd, p, k));
}

ssize_t
pread64(int fd, void *p, size_t n, int64_t off)
{
	TRANSFER(n, real_pread(fd, p, k, off));
}

ssize_t
pread(int fd, void *p, size_t n, off_t off)
{
	TRANSFER(n, real_pread(fd, p, k, off));
}
