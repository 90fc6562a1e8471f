/* fd_pass.c - descriptors from process to process. */
#define _GNU_SOURCE /* CMSG_SPACE */
#if defined(__OpenBSD__)
#define _BSD_SOURCE /* CMSG_LEN */
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd_pass.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* After so many descriptors in a row that are not open, no more are expected. */
#define NONE_MOST 32

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int))];
};

bool
fd_send(int link, const void *p, size_t n, int fd)
{
	union control c;
	struct iovec v = {(void *)(uintptr_t)p, n};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
	ssize_t put;

	if (fd >= 0) {
		struct cmsghdr *h;

		memset(&c, 0, sizeof c);
		m.msg_control = c.bytes;
		m.msg_controllen = sizeof c.bytes;
		h = CMSG_FIRSTHDR(&m);
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(h), &fd, sizeof fd);
	}
	do
		put = sendmsg(link, &m, MSG_NOSIGNAL);
	while (put < 0 && errno == EINTR);
	return put == (ssize_t)n;
}

bool
fd_receive(int link, void *p, size_t n, int *fd)
{
	union control c;
	struct iovec v = {p, n};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = c.bytes,
			   .msg_controllen = sizeof c.bytes};
	const struct cmsghdr *h;
	ssize_t got;

	*fd = -1;
	do
		got = recvmsg(link, &m, MSG_WAITALL);
	while (got < 0 && errno == EINTR);
	h = got > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	if (h && h->cmsg_type == SCM_RIGHTS) {
		memcpy(fd, CMSG_DATA(h), sizeof *fd);
		fcntl(*fd, F_SETFD, FD_CLOEXEC);
	}
	return got == (ssize_t)n;
}

void
fd_keep_only(const int *keep, size_t n)
{
	for (int fd = 0, none = 0; none < NONE_MOST; fd++) {
		size_t i = 0;

		while (i < n && keep[i] != fd)
			i++;
		if (i < n || close(fd) == 0 || errno != EBADF)
			none = 0;
		else
			none++;
	}
}
