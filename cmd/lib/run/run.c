/* run.c - see run.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "run/run.h"

#define QUIET 500 /* ms to wait for output */

/* Appends the line "PROGRAM what more" to the messages of the program, r->err. */
static void
add_message(struct run *r, const char *what, const char *more)
{
	if (r->program) {
		buf_str(&r->err, *r->argv);
		buf_str(&r->err, ": ");
	}
	buf_str(&r->err, r->program ? r->program : *r->argv);
	buf_str(&r->err, what);
	buf_str(&r->err, more);
	buf_byte(&r->err, '\n');
}

/* Returns the path of `name` in the folder of this program, made in `path`; or `name`, so that execvp searches
 * PATH, if there is none. */
static const char *
beside(const char *name, char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	if (n <= 0)
		return name;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash || (size_t)(slash - path) + strlen(name) + 2 > size)
		return name;
	strcpy(slash + 1, name);
	return access(path, X_OK) ? name : path;
}

/* Executes the program in a child process. */
static _Noreturn void
become(struct run *r, const int to[2])
{
	char path[4096];
	int in = r->in < 0 ? open("/dev/null", O_RDONLY) : r->in;

	if (dup2(in, 0) < 0 || (to[0] >= 0 && dup2(to[0], 1) < 0) ||
	    (to[1] >= 0 && dup2(to[1], 2) < 0))
		_exit(NO_PROGRAM);
	execvp(beside(r->program ? r->program : *r->argv, path, sizeof path), r->argv);
	_exit(NO_PROGRAM);
}

void
run_start(struct run *r, bool messages)
{
	int to[2] = {-1, -1}, ends[2];

	r->from[0] = r->from[1] = -1;
	for (unsigned i = r->inherit; i < 1u + messages; i++) {
		if (pipe(ends) || fcntl(ends[0], F_SETFD, FD_CLOEXEC) < 0 ||
		    fcntl(ends[1], F_SETFD, FD_CLOEXEC) < 0)
			die("a pipe:");
		*(!i && r->pipes ? &r[1].in : &r->from[i]) = ends[0];
		to[i] = ends[1];
	}
	r->pid = fork();
	if (r->pid < 0)
		die("%s:", *r->argv);
	if (!r->pid)
		become(r, to);
	for (unsigned i = 0; i < 2; i++)
		if (to[i] >= 0)
			close(to[i]);
	if (r->in >= 0)
		close(r->in);
	r->in = -1;
}

/* Prints and removes the progress messages in r->err, from offset `from` on. */
static void
drop_progress(struct run *r, size_t from)
{
	buf_byte(&r->err, '\0');
	r->err.n--;
	for (char *line = (char *)r->err.p + from, *end; (end = strchr(line, '\n'));) {
		char *text = line + strlen(*r->argv) + 2;

		*end = '\0';
		if (text < end && strstr(text, " MB read, ")) {
			warn_progress("%s", text);
			memmove(line, end + 1,
				(size_t)(r->err.p + r->err.n + 1 - (uint8_t *)end - 1));
			r->err.n -= (size_t)(end + 1 - line);
		} else {
			*end = '\n';
			line = end + 1;
		}
	}
}

/* Reads once from pipe `which`: 0 is standard output, 1 standard error. Closes it at the end, after an error, or
 * if there is too much. */
static void
read_pipe(struct run *r, unsigned which)
{
	struct buf *b = which ? &r->err : &r->out;
	ssize_t n = read(r->from[which], buf_room(b, 65536), 65536);

	if (n < 0 && errno == EINTR)
		return;
	if (n > 0 && b->n + (size_t)n <= RUN_KEPT) {
		b->n += (size_t)n;
		if (which && r->tells)
			drop_progress(r, b->n - (size_t)n);
		return;
	}
	r->lost |= n != 0;
	if (n > 0)
		add_message(r, " prints more than can be kept", "");
	else if (n < 0)
		add_message(r, " cannot be read: ", strerror(errno));
	/* At the end; or so that the program notices that its output is no longer read. */
	close(r->from[which]);
	r->from[which] = -1;
}

/* Waits for the program and sets r->status. Without `wait`, returns at once if the program still runs. */
static void
finish_program(struct run *r, bool wait)
{
	int opts;
	pid_t pid;

	while ((pid = waitpid(r->pid, &opts, wait ? 0 : WNOHANG)) < 0)
		if (errno != EINTR)
			die("%s:", *r->argv);
	if (!pid)
		return;
	r->pid = 0;
	r->status = WIFEXITED(opts) ? WEXITSTATUS(opts) : ST_TROUBLE;
	if (WIFEXITED(opts) && r->status == NO_PROGRAM)
		add_message(r, " was not found beside this program, or in PATH", "");
	else if (WIFSIGNALED(opts))
		add_message(r, " was ended by a signal: ", strsignal(WTERMSIG(opts)));
	if (r->lost || (r->status != ST_OK && r->status != ST_NONE))
		r->status = ST_TROUBLE;
}

void
run_all(struct run *r, size_t n, unsigned at_once)
{
	struct pollfd *p = xcalloc(2 * at_once, sizeof *p);
	size_t *of = xcalloc(2 * at_once, sizeof *of), next = 0, first = 0;

	while (first < n) {
		nfds_t k = 0;
		size_t running = 0;

		for (size_t i = first; i < n; i++)
			running += i < next && r[i].pid;
		for (; next < n && running < at_once; running++)
			run_start(&r[next++], true);
		for (size_t i = first; i < next; i++)
			for (unsigned w = 0; w < 2 && r[i].pid; w++)
				if (r[i].from[w] >= 0) {
					of[k] = 2 * i + w;
					p[k++] = (struct pollfd){r[i].from[w], POLLIN, 0};
				}
		int ready = k ? poll(p, k, QUIET) : 1;

		if (ready < 0 && errno != EINTR)
			die("poll:");
		for (nfds_t i = 0; i < k && ready > 0; i++)
			if (p[i].revents)
				read_pipe(&r[of[i] / 2], of[i] % 2);
		/* Another process may hold a pipe open, which then never ends. A program that has exited prints no
		 * more. */
		for (size_t i = first; i < next; i++)
			if (r[i].pid && (!ready || (r[i].from[0] < 0 && r[i].from[1] < 0)))
				finish_program(&r[i], ready);
		while (first < next && !r[first].pid)
			first++;
	}
	free(p);
	free(of);
}

void
run_free(struct run *r)
{
	buf_free(&r->out);
	buf_free(&r->err);
}
