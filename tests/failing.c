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
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern long syscall(long number, ...);

static long at = -1, rest, shortest, interrupted, done;

static long
number(const char *name)
{
	const char *s = getenv(name);

	return s ? atol(s) : 0;
}

__attribute__((constructor)) static void
begin(void)
{
	at = number("FAIL_ALLOC");
	rest = number("FAIL_REST");
	shortest = number("FAIL_SHORT");
	interrupted = number("FAIL_INTR");
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
	if (n == at)
		syscall(SYS_write, 9, "x", (size_t)1);
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

static ssize_t
transfer(long call, int fd, const void *p, size_t n, off_t off)
{
	size_t k = granted(n);

	if (!k && n) {
		errno = EINTR;
		return -1;
	}
	return call == SYS_pread64 ? syscall(call, fd, p, k, off) : syscall(call, fd, p, k);
}

ssize_t
read(int fd, void *p, size_t n)
{
	return transfer(SYS_read, fd, p, n, 0);
}

ssize_t
write(int fd, const void *p, size_t n)
{
	return transfer(SYS_write, fd, p, n, 0);
}

ssize_t
pread(int fd, void *p, size_t n, off_t off)
{
	return transfer(SYS_pread64, fd, p, n, off);
}
