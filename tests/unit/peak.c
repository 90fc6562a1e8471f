/*
 * peak - CPU time and peak memory of a command over several inputs: peak DIR NAME... -- COMMAND [ARG...]
 *
 * Runs it once over each of DIR/NAME..., as its last argument, with output and messages to /dev/null; where
 * DIR/NAME/many is a directory, over all files there. Prints seconds and KiB of each run in one line, and
 * "- -" where there is no such input. Beyond 6 GB there is no memory: this machine's is not to be eaten
 * up. Fails if the command does not end in two minutes, or by itself with a status of 2 at most.
 */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pid;

static void
end(int sig)
{
	(void)sig;
	kill(pid, SIGKILL);
}

static void
run(char **command)
{
	struct rlimit none = {0, 0}, memory = {6144000000, 6144000000};
	int null = open("/dev/null", O_WRONLY);

	dup2(null, 1);
	dup2(null, 2);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_AS, &memory);
	execvp(command[0], command);
	_exit(127);
}

int
main(int argc, char **argv)
{
	char path[4096], **command;
	struct rusage u;
	struct stat st;
	glob_t files;
	int names = 2, n, status;

	while (names < argc && strcmp(argv[names], "--"))
		names++;
	if (names + 1 >= argc) {
		fputs("usage: peak DIR NAME... -- COMMAND [ARG...]\n", stderr);
		return 2;
	}
	n = argc - names - 1;
	signal(SIGALRM, end);
	for (int i = 2; i < names; i++) {
		snprintf(path, sizeof path, "%s/%s", argv[1], argv[i]);
		if (stat(path, &st)) {
			fputs("- - ", stdout);
			continue;
		}
		snprintf(path, sizeof path, "%s/%s/many/*", argv[1], argv[i]);
		files.gl_offs = (size_t)n;
		if (glob(path, GLOB_DOOFFS, NULL, &files)) {
			snprintf(path, sizeof path, "%s/%s", argv[1], argv[i]);
			glob(path, GLOB_DOOFFS, NULL, &files);
		}
		command = files.gl_pathv;
		for (int k = 0; k < n; k++)
			command[k] = argv[names + 1 + k];
		fflush(stdout);
		if ((pid = fork()) == 0)
			run(command);
		alarm(120);
		if (pid < 0 || wait4(pid, &status, 0, &u) < 0)
			return 2;
		alarm(0);
		if (!WIFEXITED(status) || WEXITSTATUS(status) > 2)
			return 1;
		printf("%.4f %ld ",
		       (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
			   (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6,
		       u.ru_maxrss);
	}
	putchar('\n');
	return 0;
}
