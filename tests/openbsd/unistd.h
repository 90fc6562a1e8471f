/* unistd.h - what OpenBSD's has beyond POSIX's: for those who ask for it by its name. */
#include_next <unistd.h>
#if defined(_BSD_SOURCE)
int pledge(const char *promises, const char *execpromises);
int unveil(const char *path, const char *permissions);
#endif
