/*
 * cpu - the CPU time of a command: cpu RUNS COMMAND [ARG...]
 *
 * Runs it RUNS times with output to /dev/null; prints the least user + system seconds,
 * the greatest peak memory in KiB of a run, and the least seconds on the clock. The least, since whatever disturbs a run makes
 * it slower.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[1]) : 0, status = 0;
	double least = 0, shortest = 0;
	long peak = 0;

	if (runs < 1) {
		fputs("usage: cpu RUNS COMMAND [ARG...]\n", stderr);
		return 2;
	}
	for (int i = 0; i < runs; i++) {
		struct rusage u;
		double began = now(), t;
		pid_t pid = fork();

		if (pid == 0) {
			dup2(open("/dev/null", O_WRONLY), 1);
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		if (pid < 0 || wait4(pid, &status, 0, &u) < 0)
			return 2;
		if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
			fprintf(stderr, "cpu: %s failed\n", argv[2]);
			return 2;
		}
		began = now() - began;
		if (i == 0 || began < shortest)
			shortest = began;
		t = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
		if (i == 0 || t < least)
			least = t;
		if (u.ru_maxrss > peak)
			peak = u.ru_maxrss;
	}
	printf("%.4f %ld %.4f\n", least, peak, shortest);
	return 0;
}
