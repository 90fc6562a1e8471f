/* run_stream.c - waits for a program whose output the caller reads: see run.h. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/die.h"
#include "run/run.h"

void
run_close(struct run *r, bool early)
{
	int opts;

	while (waitpid(r->pid, &opts, 0) < 0)
		if (errno != EINTR)
			die("%s:", *r->argv);
	r->status = WIFEXITED(opts) && WEXITSTATUS(opts) <= ST_NONE ? ST_OK : ST_TROUBLE;
	if (early && WIFSIGNALED(opts) && WTERMSIG(opts) == SIGPIPE)
		r->status = ST_OK;
	if (WIFEXITED(opts) && WEXITSTATUS(opts) == NO_PROGRAM)
		warn("%s was not found beside this program, or in PATH", r->program);
	else if (r->status != ST_OK && WIFSIGNALED(opts))
		warn("%s was ended by a signal: %s", r->program, strsignal(WTERMSIG(opts)));
}
