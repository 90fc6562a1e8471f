/* fd_pass.h - descriptors that a program and its forked helper send each other. */
#ifndef SPOOR_FD_PASS_H
#define SPOOR_FD_PASS_H

#include <stdbool.h>
#include <stddef.h>

/* Sends the n > 0 bytes at p over the socket `link`, and with them the descriptor fd (-1: none). Returns false with
 * errno set if it fails. */
bool fd_send(int link, const void *p, size_t n, int fd);
/* Receives n bytes to p. *fd becomes the descriptor that came with them, or -1. Returns false if receiving fails, with
 * errno set, or if fewer bytes came because the other end is closed, without errno. The caller closes *fd in all cases
 * if it is not -1. */
bool fd_receive(int link, void *p, size_t n, int *fd);
/* Closes all descriptors that are not among the n at `keep`. A forked process calls it so that it holds no file or
 * pipe open whose end another process waits for. */
void fd_keep_only(const int *keep, size_t n);

#endif
