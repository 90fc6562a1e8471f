/* sandbox.h - gives up rights before a program reads any input. */
#ifndef SPOOR_SANDBOX_H
#define SPOOR_SANDBOX_H

/* Restricts the process: from here on it can open files for reading only. It cannot make, remove, rename or
 * execute a file, nor open a network connection. Linux does this by Landlock (from 5.13; each later version takes
 * away more), OpenBSD by pledge and unveil. On other systems, or if the system refuses, nothing changes. Open
 * files stay as they are. `temporaries` is the number of later calls of sandbox_temporary. A second call does
 * nothing. */
void sandbox_enter(unsigned temporaries);

/*
 * Returns the descriptor of an empty file without a name, for reading and writing, in $TMPDIR or /tmp. After
 * sandbox_enter it is one of the files that sandbox_enter opened. The caller closes the descriptor. Returns -1 with
 * errno set if there is no such file.
 */
int sandbox_temporary(void);

#endif
