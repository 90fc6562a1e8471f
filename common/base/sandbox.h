/* sandbox.h - rights that a program gives up before it reads bytes of strangers. */
#ifndef SPOOR_SANDBOX_H
#define SPOOR_SANDBOX_H

/*
 * From here on the process can open files for reading only, and neither makes, removes,
 * renames nor executes any, nor opens network connections: Landlock on Linux (from 5.13;
 * each later version of it takes away more), pledge and unveil on OpenBSD, nothing
 * elsewhere or where the system refuses. What is open stays as it is. `temporaries` says
 * how many times sandbox_temporary will be called. A second call does nothing.
 */
void sandbox_enter(unsigned temporaries);

/*
 * A file without a name, empty, for reading and writing, in $TMPDIR or /tmp. Within the
 * sandbox it is one of those opened beforehand. -1 with errno set where there is none.
 */
int sandbox_temporary(void);

#endif
