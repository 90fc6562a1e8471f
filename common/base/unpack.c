/* unpack.c - the process that runs decompressors, and the requests to it. */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/fd_pass.h"
#include "base/sandbox.h"
#include "base/unpack.h"

/* Limit of decompressors that run at the same time. */
#define JOBS_MOST 1024

enum ask {
	ASK_PIPE,
	ASK_FILE,
	ASK_END,
	ASK_STOP,
	ASK_ENDED, /* the answer has n = 1 if the decompressor has ended */
	ASK_NONE   /* ends the process */
};

/* A message between the two processes: a request or its answer. */
struct message {
	int ask, row; /* row: number of the program in packs */
	long id;
	size_t n; /* number of bytes already read from the pipe, which are in `said` */
	char said[PACK_SAID]; /* in an answer: the error, or "" */
};

/* A running decompressor. If bytes of its pipe were read before, a feeder process passes these and the rest on to
 * it. id 0 = unused. */
struct unpack_job {
	long id;
	struct pack_process filter;
	pid_t feeder;
};

static int asking = -1; /* socket to the second process, or -1 */
static pid_t asked;

/* Writes the n bytes at p to `to`, then all bytes that come from fd, and exits. */
static _Noreturn void
feed(int fd, int to, const char *p, size_t n)
{
	char buf[64 * 1024];
	ssize_t k = 0, got = (ssize_t)n;

	memcpy(buf, p, n);
	while (got > 0 || (got < 0 && errno == EINTR)) {
		for (ssize_t at = 0; at<got; at += k> 0 ? k : 0) {
			k = write(to, buf + at, (size_t)(got - at));
			if (k < 0 && errno != EINTR)
				_exit(1);
		}
#ifdef SPLICE_F_MOVE
		/* splice moves bytes from pipe to pipe without a copy. If fd is not a pipe, splice fails and read
		 * is used. */
		while ((got = splice(fd, NULL, to, NULL, 1 << 20, SPLICE_F_MOVE)) > 0)
			;
		if (!got)
			break;
#endif
		got = read(fd, buf, sizeof buf);
	}
	_exit(got < 0);
}

/* Forks a process that feeds a decompressor. Returns the descriptor for the decompressor to read, or -1 with errno
 * set. */
static int
start_feeder(struct unpack_job *j, int fd, const struct message *m)
{
	int ends[2];

	if (pipe(ends) < 0)
		return -1;
	j->feeder = fork();
	if (j->feeder == 0) {
		const int keep[] = {fd, ends[1]};

		fd_keep_only(keep, 2);
		feed(fd, ends[1], m->said, m->n < PACK_MAGIC ? m->n : PACK_MAGIC);
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	if (j->feeder < 0)
		close(ends[0]);
	return j->feeder < 0 ? -1 : ends[0];
}

static void
end_job(struct unpack_job *j, bool early, char said[PACK_SAID])
{
	filter_end(&j->filter, early, said);
	if (j->feeder > 0) {
		kill(j->feeder, SIGKILL);
		while (waitpid(j->feeder, NULL, 0) < 0 && errno == EINTR)
			;
	}
	*j = (struct unpack_job){0};
}

/* Starts a decompressor of fd. Returns the descriptor to read the content from; or -1 with the error in m->said,
 * "" if the program is not installed. */
static int
start_job(struct unpack_job *j, struct message *m, int fd)
{
	const struct pack *k = &packs[m->row];
	int ends[2] = {-1, -1}, in = fd, err = 0;

	*j = (struct unpack_job){0};
	if (m->n)
		in = start_feeder(j, fd, m);
	m->said[0] = '\0';
	if (in >= 0 && m->ask == ASK_FILE && (ends[1] = sandbox_temporary()) < 0) {
		snprintf(m->said, sizeof m->said,
			 "cannot decompress without a temporary file: %s (TMPDIR names the "
			 "directory)",
			 strerror(errno));
		err = ENOENT;
	} else if (in < 0 || (m->ask == ASK_PIPE && pipe(ends) < 0))
		err = errno;
	else {
		if (ends[0] >= 0)
			fcntl(ends[0], F_SETFD, FD_CLOEXEC);
		fcntl(ends[1], F_SETFD, FD_CLOEXEC);
		err = filter_start(&j->filter, k, k->get ? k->get : "-dc", in, ends[1]);
	}
	if (in != fd && in >= 0)
		close(in);
	if (err && err != ENOENT && err != EACCES)
		snprintf(m->said, sizeof m->said, "%s does not start: %s", k->program,
			 strerror(err));
	if (!err && m->ask == ASK_FILE) {
		end_job(j, false, m->said);
		return ends[1];
	}
	if (ends[1] >= 0)
		close(ends[1]);
	if (!err) {
		m->id = j->id = j->filter.pid;
		return ends[0];
	}
	if (ends[0] >= 0)
		close(ends[0]);
	if (j->feeder > 0)
		kill(j->feeder, SIGKILL);
	*j = (struct unpack_job){0};
	return -1;
}

/* Returns true if the process has ended. Its status can still be waited for. */
static bool
has_ended(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	       info.si_pid == pid;
}

/* Runs the second process: answers requests until the program ends, for whatever reason, then exits. */
static _Noreturn void
help(int link)
{
	struct unpack_job *jobs = xcalloc(JOBS_MOST, sizeof *jobs), *j;
	struct message m = {0};
	int fd, rows = 0, got;

	while (packs[rows].program)
		rows++;
	fd_keep_only(&link, 1);
	/* Pipes must not get the descriptors 0 to 2, which a decompressor uses. */
	while (dup(link) < 2)
		;
	/* The input may have taken control of the program that asks. So the process ends at the first invalid
	 * request, such as one for an unknown job. */
	while (fd_receive(link, &m, sizeof m, &fd) && m.ask >= 0 && m.ask < ASK_NONE) {
		bool starts = m.ask == ASK_PIPE || m.ask == ASK_FILE;

		if (starts ? m.id || fd < 0 || m.row < 0 || m.row >= rows : m.id <= 0)
			break;
		for (j = jobs; j < jobs + JOBS_MOST && j->id != (starts ? 0 : m.id); j++)
			;
		got = -1;
		if (j == jobs + JOBS_MOST && !starts)
			break;
		if (j == jobs + JOBS_MOST)
			snprintf(m.said, sizeof m.said,
				 "more than %d compressed inputs at once", JOBS_MOST);
		else if (starts)
			got = start_job(j, &m, fd);
		else if (m.ask == ASK_ENDED)
			m.n = has_ended(j->filter.pid);
		else
			end_job(j, m.ask == ASK_STOP, m.said);
		if (fd >= 0)
			close(fd);
		if (!fd_send(link, &m, sizeof m, got))
			break;
		if (got >= 0)
			close(got);
	}
	for (j = jobs; j < jobs + JOBS_MOST; j++)
		if (j->id)
			end_job(j, true, m.said);
	_exit(0);
}

/* Ends the second process at exit. Closing the socket would be enough, unless another process has it open too. */
static void
end_asked(void)
{
	const struct message m = {.ask = ASK_NONE};

	fd_send(asking, &m, sizeof m, -1);
	close(asking);
	while (waitpid(asked, NULL, 0) < 0 && errno == EINTR)
		;
}

void
unpack_begin(void)
{
	int ends[2];

	if (asking >= 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return;
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	asked = fork();
	if (asked == 0)
		help(ends[1]);
	close(ends[1]);
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	if (asked < 0) {
		close(ends[0]);
		return;
	}
	asking = ends[0];
	atexit(end_asked);
}

static int
ask(struct message *m, int fd)
{
	int got = -1;

	if (asking >= 0 && fd_send(asking, m, sizeof *m, fd) &&
	    fd_receive(asking, m, sizeof *m, &got))
		return got;
	snprintf(m->said, sizeof m->said, "the process that decompresses has ended");
	return -1;
}

int
unpack_open(struct unpack *u, const struct pack *k, int fd, const void *first, size_t n,
	    bool file)
{
	struct message m = {
	    .ask = file ? ASK_FILE : ASK_PIPE, .row = (int)(k - packs), .n = n};
	int got;

	if (n)
		memcpy(m.said, first, n);
	unpack_begin();
	got = ask(&m, fd);
	memcpy(u->said, m.said, sizeof u->said);
	u->id = got >= 0 ? m.id : 0;
	return got;
}

bool
unpack_ended(const struct unpack *u)
{
	struct message m = {.ask = ASK_ENDED, .id = u->id};

	ask(&m, -1);
	return m.n || *m.said;
}

void
unpack_end(struct unpack *u, bool early)
{
	struct message m = {.ask = early ? ASK_STOP : ASK_END, .id = u->id};

	if (!u->id)
		return;
	ask(&m, -1);
	u->id = 0;
	memcpy(u->said, m.said, sizeof u->said);
}

int
unpack_file(int fd, char said[PACK_SAID])
{
	const struct pack *k = pack_of_file(fd);
	struct unpack u = {0};
	int got = k ? unpack_open(&u, k, fd, NULL, 0, true) : -1;

	memcpy(said, u.said, PACK_SAID);
	if (got < 0 && k && !*said)
		snprintf(said, PACK_SAID,
			 "cannot decompress the input: %s is not installed", k->program);
	if (got < 0)
		return fd;
	close(fd);
	return got;
}
