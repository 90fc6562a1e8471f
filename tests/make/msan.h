/* msan.h - taken into each file for MemorySanitizer, which does not see what stat writes where the C
 * library is glibc 2.33 or later: all of it is written before. */
#include <string.h>
#include <sys/stat.h>

#define stat(path, st) (memset((st), 0, sizeof *(st)), stat((path), (st)))
#define fstat(fd, st) (memset((st), 0, sizeof *(st)), fstat((fd), (st)))
#define lstat(path, st) (memset((st), 0, sizeof *(st)), lstat((path), (st)))
#define fstatat(fd, path, st, how) (memset((st), 0, sizeof *(st)), fstatat((fd), (path), (st), (how)))
