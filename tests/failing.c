/*
 * failing - to be preloaded: what the system grants less of than a program hopes for.
 *
 *	FAIL_ALLOC=N    the Nth allocation fails; FAIL_REST=1: and all after it
 *	FAIL_READ=N     the Nth read fails with FAIL_ERRNO (5, EIO)
 *	FAIL_WRITE=N    the Nth write does
 *	FAIL_SHORT=N    a read or write transfers N bytes at the most
 *	FAIL_INTR=1     every other read or write is interrupted by a signal
 *
 * When an allocation, a read or a write has failed, a byte is written to descriptor 9. For
 * glibc, whose own allocator has names that can be called from here; with -DIO_ONLY
 * allocations are left alone, as sanitizers want them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
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

static struct counted allocations, reads, writes;
static long rest, shortest, interrupted, error;
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

__attribute__((constructor)) static void
begin(void)
{
	*(void **)&real_read = dlsym(RTLD_NEXT, "read");
	*(void **)&real_write = dlsym(RTLD_NEXT, "write");
	*(void **)&real_pread = dlsym(RTLD_NEXT, "pread64");
	*(void **)&real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
	reads.at = number("FAIL_READ");
	writes.at = number("FAIL_WRITE");
	error = number("FAIL_ERRNO");
	rest = number("FAIL_REST");
	shortest = number("FAIL_SHORT");
	interrupted = number("FAIL_INTR");
	allocations.at = number("FAIL_ALLOC"); /* the last: dlsym allocates */
}

/* Whether this one fails. Threads may come here. */
static int
fails(struct counted *c, long and_rest)
{
	long n;

	if (c->at <= 0)
		return 0;
	n = __atomic_add_fetch(&c->done, 1, __ATOMIC_RELAXED);
	if (n != c->at && !(and_rest && n > c->at))
		return 0;
	if (n == c->at && real_write(9, "x", 1) < 0)
		abort();
	return 1;
}

#ifndef IO_ONLY
static int
no_memory(void)
{
	int no = fails(&allocations, rest);

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
		errno = error ? (int)error : EIO;
		return 0;
	}
	if (interrupted && (odd = !odd)) {
		errno = EINTR;
		return 0;
	}
	return shortest && n > (size_t)shortest ? (size_t)shortest : n;
}

#define TRANSFER(n, counted, call)         \
	size_t k = granted(n, &(counted)); \
	return !k && n ? -1 : call

ssize_t
read(int fd, void *p, size_t n)
{
	TRANSFER(n, reads, real_read(fd, p, k));
}

ssize_t
write(int fd, const void *p, size_t n)
{
	TRANSFER(n, writes, real_write(fd, p, k));
}

ssize_t
pread64(int fd, void *p, size_t n, int64_t off)
{
	TRANSFER(n, reads, real_pread(fd, p, k, off));
}

ssize_t
pread(int fd, void *p, size_t n, off_t off)
{
	TRANSFER(n, reads, real_pread(fd, p, k, off));
}

ssize_t
pwrite64(int fd, const void *p, size_t n, int64_t off)
{
	TRANSFER(n, writes, real_pwrite(fd, p, k, off));
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t off)
{
	TRANSFER(n, writes, real_pwrite(fd, p, k, off));
}
