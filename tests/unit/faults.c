/*
 * faults - makes the first, the second, ... allocation, read or write of a program fail until none did
 * any more, and looks at each run. Of failing.c, which is preloaded, each program is loaded once.
 *
 *	faults [-e N -s PART] file LIBRARY WANT FILE old|new WHAT... -- PROGRAM ARGUMENT...
 *		The program prints to FILE, which held "old\n" or was not there. With status 0 it
 *		holds what WANT does; with 2 it is as it was, and there is a message; and nothing
 *		else ever lies beside it.
 *	faults sweep LIBRARY WANT alloc -- PROGRAM ARGUMENT...
 *		The same to its output; what is there with status 2 does not matter. Here the library
 *		makes all allocations fail in one run, see its sweep().
 *	faults [-e N -s PART] pipe LIBRARY WANT NOTHING WHAT... -- PROGRAM ... -- PROGRAM ... -- PROGRAM ...
 *		Each of three programs, one behind the other. Where the last one has status 0, it
 *		has printed what WANT holds; or, where another failed, what it prints of nothing.
 *	faults cut LIBRARY -- PROGRAM ... -- PROGRAM ...
 *		Allocations of the first, from one on, and all after it: the second knows that its
 *		stream is no whole one. Not every one: there are thousands.
 *
 * WHAT is alloc, read:ERRNO or write:ERRNO. With -e and -s only the first N, and from there on each that
 * is 1/PART larger than the one before. Prints how many faults there were. The first run that is wrong is
 * told in full, and the status is 1.
 */
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A run that takes longer hangs. */
#define SECONDS 60
#define STAGES 3

/* A program that waits for orders, with what one run of it did. */
struct stage {
	char **command;
	const char *name;      /* that its messages begin with */
	const char *from, *to; /* opened by each run; NULL: none */
	int link, messages;
	pid_t server;
	volatile pid_t pid;
	int status;   /* as a shell tells it */
	long reached; /* whether what should fail was */
};

static struct stage stages[STAGES];
static size_t nstages, failing;
static const char *library, *what;
static long n, how;
/* All in one run of the program, which is this process; or 0. */
static volatile pid_t sweeper;
#define REST 1 /* as in failing.c */
#define SWEEP 2
#define NOT_SWEPT 2
/* N is every one up to the first; then each is this part larger than the one before. */
static long every = LONG_MAX, part = 1;
static bool sweeps;
static volatile sig_atomic_t hangs;

/* The bytes of a file, with a 0 behind them. */
struct bytes {
	char *p;
	size_t n;
};

static _Noreturn void
trouble(const char *about)
{
	fprintf(stderr, "faults: %s: %s\n", about, strerror(errno));
	exit(2);
}

static struct bytes
read_fd(int fd, const char *about)
{
	struct stat st;
	struct bytes b;
	ssize_t k;

	if (fstat(fd, &st) < 0)
		trouble(about);
	b.p = malloc((size_t)st.st_size + 1);
	if (!b.p)
		trouble(about);
	for (b.n = 0; b.n < (size_t)st.st_size; b.n += (size_t)k) {
		k = pread(fd, b.p + b.n, (size_t)st.st_size - b.n, (off_t)b.n);
		if (k <= 0)
			trouble(about);
	}
	b.p[b.n] = '\0';
	return b;
}

static struct bytes
read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct bytes b;

	if (fd < 0)
		trouble(path);
	b = read_fd(fd, path);
	close(fd);
	return b;
}

static bool
equal(const struct bytes *a, const struct bytes *b)
{
	return a->n == b->n && !memcmp(a->p, b->p, a->n);
}

/* This run is wrong: says all that is known of it. */
static _Noreturn void
wrong(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s %ld", what, n);
	if (nstages > 1)
		fprintf(stderr, " of program %zu", failing);
	fputs(": ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	for (struct stage *s = stages; s < stages + nstages; s++) {
		struct bytes said = read_fd(s->messages, "messages");

		fputs(s > stages ? "  | " : "    ", stderr);
		for (char **word = s->command; *word; word++)
			fprintf(stderr, "%s ", *word);
		fprintf(stderr, "\n    status %d%s%s\n", s->status,
			said.n ? ", messages:\n" : "", said.p);
		free(said.p);
	}
	exit(1);
}

/* Where two files differ first. */
static _Noreturn void
differs(const char *path, const struct bytes *got, const struct bytes *want)
{
	size_t i = 0;

	while (i < got->n && i < want->n && got->p[i] == want->p[i])
		i++;
	wrong("status 0, and %s has %zu bytes where %zu are wanted; from byte %zu on\n"
	      "    %.200s\n    instead of\n    %.200s",
	      path, got->n, want->n, i, got->p + i, want->p + i);
}

/* Whether there is a message of the program's own. */
static bool
has_said(const struct stage *s)
{
	struct bytes b = read_fd(s->messages, "messages");
	size_t len = strlen(s->name);
	bool found = false;

	for (const char *p = b.p; p && !found; p = strchr(p, '\n')) {
		p += *p == '\n';
		found = !strncmp(p, s->name, len) && !strncmp(p + len, ": ", 2) &&
			p[len + 2] && p[len + 2] != '\n';
	}
	free(b.p);
	return found;
}

/* Everything that a run may wait for ends; and once more, should something begin to wait now. */
static void
end_run(int signal)
{
	(void)signal;
	hangs = hangs ? 2 : 1;
	for (struct stage *s = stages; s < stages + nstages; s++) {
		if (s->pid > 0)
			kill(s->pid, SIGKILL);
		if (hangs > 1 && s->server > 0)
			kill(s->server, SIGKILL);
	}
	if (hangs > 1 && sweeper > 0)
		kill(sweeper, SIGKILL);
	alarm(1);
}

/* Starts a program with the library: it waits for orders. */
static void
start(struct stage *s, size_t i)
{
	int ends[2];
	char name[32], link[16];

	s->name = strrchr(s->command[0], '/');
	s->name = s->name ? s->name + 1 : s->command[0];
	snprintf(name, sizeof name, "err.%zu", i);
	s->messages = open(name, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	if (s->messages < 0)
		trouble(name);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0 ||
	    fcntl(ends[0], F_SETFD, FD_CLOEXEC) < 0)
		trouble("socketpair");
	s->link = ends[0];
	s->server = fork();
	if (s->server < 0)
		trouble("fork");
	if (s->server > 0) {
		close(ends[1]);
		return;
	}
	snprintf(link, sizeof link, "%d", ends[1]);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(s->messages, 2) < 0 || setenv("LD_PRELOAD", library, 1) < 0 ||
	    setenv("FAIL_SERVE", link, 1) < 0 ||
	    (s->from && setenv("FAIL_IN", s->from, 1) < 0) ||
	    (s->to && setenv("FAIL_OUT", s->to, 1) < 0))
		_exit(126);
	execv(s->command[0], s->command);
	_exit(127);
}

static void
receive(struct stage *s, long answer[2])
{
	ssize_t k;

	do
		k = read(s->link, answer, 2 * sizeof *answer);
	while (k < 0 && errno == EINTR);
	if (k != (ssize_t)(2 * sizeof *answer))
		wrong("%s takes no orders", s->name);
}

/* From one program to the next: the ends of a pipe. The programs open them by these names in /proc. (Not FIFOs:
 * on Linux 6.18 one in some thousand opens of two ends went wrong, and a program waited for ever.) */
#define PIPES 2
#define FIRST_FD 20
#define READ_END(i) (FIRST_FD + 2 * (i))
#define WRITE_END(i) (FIRST_FD + 2 * (i) + 1)
static char end_names[2 * PIPES][40];
static int npipes;

static void
open_pipes(void)
{
	for (int i = 0; i < npipes; i++) {
		int ends[2];

		if (pipe(ends) < 0)
			trouble("pipe");
		for (int k = 0; k < 2; k++) {
			if (dup2(ends[k], READ_END(i) + k) < 0 ||
			    fcntl(READ_END(i) + k, F_SETFD, FD_CLOEXEC) < 0)
				trouble("pipe");
			close(ends[k]);
		}
	}
}

/* From the first program's pipe to the second one's. Whether there was anything. */
static bool
relay(int in, int out)
{
	static char buf[64 * 1024];
	bool any = false;
	ssize_t k, put;

	while ((k = read(in, buf, sizeof buf)) > 0) {
		any = true;
		for (ssize_t at = 0; at < k; at += put) {
			put = write(out, buf + at, (size_t)(k - at));
			if (put < 0)
				goto end; /* nobody reads any more */
		}
	}
end:
	close(in);
	close(out);
	return any;
}

/* A run in which number n fails. With `tee` bytes go from one program to the next through here.
 * Gives what relay does. */
static bool
run(bool tee)
{
	static const long none[3] = {0};
	const long order[3] = {*what == 'a' ? 0 : *what == 'r' ? 1 : 2, n, how};
	long answer[2];
	bool any = false;

	alarm(SECONDS);
	open_pipes();
	if (how == SWEEP && n == 1)
		sweeper = -1;
	for (size_t i = 0; i < nstages; i++) {
		stages[i].pid = 0;
		stages[i].status = -1;
		if (ftruncate(stages[i].messages, 0) < 0 ||
		    write(stages[i].link, i == failing ? order : none, sizeof order) < 0)
			trouble(stages[i].name);
	}
	if (sweeper < 0) {
		receive(&stages[0], answer);
		sweeper = (pid_t)answer[0];
	}
	for (size_t i = 0; i < nstages; i++) {
		receive(&stages[i], answer);
		stages[i].pid = (pid_t)answer[0];
	}
	/* They have what they need. */
	for (int i = 0; i < npipes; i++) {
		if (!tee || i > 0)
			close(READ_END(i));
		if (!tee || i == 0)
			close(WRITE_END(i));
	}
	if (tee)
		any = relay(READ_END(0), WRITE_END(1));
	for (struct stage *s = stages; s < stages + nstages; s++) {
		int status;

		receive(s, answer);
		s->pid = 0;
		status = (int)answer[0];
		s->status =
		    WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		s->reached = answer[1];
	}
	alarm(0);
	if (hangs)
		wrong("still ran after %d seconds, and was killed", SECONDS);
	return any;
}

/* What is printed; what the last of three programs prints of nothing. */
static struct bytes want, nothing;
static const struct bytes old_text = {(char *)"old\n", 4};
/* Where a program prints to; for MODE file also its directory, its name in there, and whether
 * it holds old_text before. */
static const char *target;
static char *directory;
static const char *name_in;
static bool old;

/* As before the first run. */
static void
put_back(void)
{
	int fd;

	if (!old) {
		if (unlink(target) < 0 && errno != ENOENT)
			trouble(target);
		return;
	}
	fd = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, old_text.p, old_text.n) != (ssize_t)old_text.n)
		trouble(target);
	close(fd);
}

/* No temporary is left. */
static void
check_names(void)
{
	DIR *d = opendir(directory);
	const struct dirent *e;

	if (!d)
		trouble(directory);
	while ((e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
		    (!old || strcmp(e->d_name, name_in) != 0))
			wrong("%s/%s is left", directory, e->d_name);
	closedir(d);
}

static void
check_bytes(void)
{
	struct bytes got = read_file(target);

	if (!equal(&got, &want))
		differs(target, &got, &want);
	free(got.p);
}

static void
check_print(void)
{
	int status = stages[0].status;

	if (status != 0 && status != 2)
		wrong("status %d", status);
	if (status == 2 && !has_said(&stages[0]))
		wrong("status 2 without a message");
	if (status == 0)
		check_bytes();
}

static void
check_file(void)
{
	int status = stages[0].status;
	bool there = access(target, F_OK) == 0;

	if (status == 0 && !there)
		wrong("status 0, and there is no %s", target);
	check_print();
	if (status == 2 && there != old)
		wrong("status 2, and %s is %s", target, there ? "there" : "gone");
	if (status == 2 && old) {
		struct bytes got = read_file(target);

		if (!equal(&got, &old_text))
			wrong("status 2, and %s is not as it was:\n%.200s", target, got.p);
		free(got.p);
	}
	if (status == 0)
		put_back();
	check_names();
}

/* Where one stopped before it wrote anything, there is no stream: that the shell has to look
 * at. */
static void
check_pipe(void)
{
	struct bytes got;
	bool all = true;

	for (struct stage *s = stages; s < stages + nstages; s++) {
		if (s->status != 0 && s->status != 1 && s->status != 2 &&
		    s->status != 128 + SIGPIPE)
			wrong("status %d of %s", s->status, s->name);
		if (s->status == 2 && !has_said(s))
			wrong("status 2 of %s without a message", s->name);
		all = all && s->status == 0;
	}
	if (stages[nstages - 1].status != 0)
		return;
	got = read_file(target);
	if (all || !equal(&got, &nothing))
		check_bytes();
	free(got.p);
}

/* Programs behind the first "--" of v, and between others. */
static void
take_stages(char **v)
{
	while (*v) {
		*v++ = NULL;
		if (nstages == STAGES || !*v)
			exit(2);
		stages[nstages++].command = v;
		while (*v && strcmp(*v, "--") != 0)
			v++;
	}
}

/* Calls check after each run. */
static long
each(char **whats, void (*check)(void))
{
	long faults = 0;

	for (failing = 0; failing < nstages; failing++)
		for (char **w = whats; *w; w++) {
			const char *colon = strchr(*w, ':');

			what = *w;
			how = colon ? atol(colon + 1) : sweeps ? SWEEP : 0;
			for (n = 1;; n += 1 + (n < every ? 0 : n / part)) {
				run(false);
				if (how == SWEEP && stages[0].reached == NOT_SWEPT) {
					how = 0;
					sweeper = 0;
					run(false);
				}
				check();
				if (!stages[failing].reached)
					break;
				faults++;
			}
			sweeper = 0;
			if (n == 1)
				wrong("nothing failed");
			for (struct stage *s = stages; s < stages + nstages; s++)
				if (s->status != 0)
					wrong("nothing failed, and %s has status %d",
					      s->name, s->status);
		}
	return faults;
}

/* The first allocations are made before any output, but for DUMPI some 2,000 for each file. */
static long
each_cut(void)
{
	long faults = 0;

	what = "alloc";
	how = REST;
	for (n = 20; n < 10000; n += 1 + n / (n < 1000 ? 20 : 50)) {
		bool any = run(true);
		struct bytes said;

		if (!stages[0].reached)
			break;
		/* Where it is stopped before it has written anything, there is no stream. */
		if (stages[0].status != 2 || !any)
			continue;
		faults++;
		if (stages[1].status != 2)
			wrong("%s does not know", stages[1].name);
		said = read_fd(stages[1].messages, "messages");
		if (!strstr(said.p, "cut off") && !strstr(said.p, "had trouble"))
			wrong("%s does not say so", stages[1].name);
		free(said.p);
	}
	return faults;
}

int
main(int argc, char **argv)
{
	const struct sigaction act = {.sa_handler = end_run}; /* no SA_RESTART */
	void (*check)(void) = check_print;
	char **v;
	long faults;
	int mode, c;

	while ((c = getopt(argc, argv, "+e:s:")) != -1)
		*(c == 'e' ? &every : &part) = atol(optarg);
	v = argv + optind;
	if (argc - optind < 3 || part < 1)
		return 2;
	mode = **v++;
	library = *v++;
	target = "out";
	if (mode != 'c')
		want = read_file(*v++);
	if (mode == 'f') {
		char *slash;

		target = *v++;
		old = !strcmp(*v++, "old");
		directory = strdup(target);
		slash = strrchr(directory, '/');
		*slash = '\0';
		name_in = slash + 1;
		put_back();
		check = check_file;
	} else if (mode == 'p') {
		nothing = read_file(*v++);
		check = check_pipe;
	}
	for (argv = v; *argv && strcmp(*argv, "--") != 0; argv++)
		;
	take_stages(argv);
	if (mode == 's') {
		sweeps = true;
		stages[0].to = target;
	} else if (mode != 'f') {
		npipes = PIPES;
		for (int i = 0; i < 2 * PIPES; i++)
			snprintf(end_names[i], sizeof end_names[i], "/proc/%ld/fd/%d",
				 (long)getpid(), FIRST_FD + i);
		stages[0].to = end_names[1];
		stages[1].from = end_names[mode == 'p' ? 0 : 2];
		stages[1].to = mode == 'p' ? end_names[3] : "/dev/null";
		stages[2].from = end_names[2];
		stages[2].to = target;
	}
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGALRM, &act, NULL);
	for (size_t i = 0; i < nstages; i++)
		start(&stages[i], i);
	faults = mode == 'c' ? each_cut() : each(v, check);
	for (size_t i = 0; i < nstages; i++) {
		close(stages[i].link);
		waitpid(stages[i].server, NULL, 0);
	}
	printf("%ld\n", faults);
	return 0;
}
