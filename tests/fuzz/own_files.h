/* own_files.h - a harness opens and writes files for as long as it runs: the library's sandbox is left out. */
#include <sys/mman.h>

#include "base/sandbox.h"

void
sandbox_enter(unsigned temporaries)
{
	(void)temporaries;
}

int
sandbox_temporary(void)
{
	return memfd_create("temporary", 0);
}
