/* pack.c - the table of compressions, and starting their programs. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/in.h"
#include "base/pack.h"

extern char **environ;

const struct pack packs[] = {
    {"\x1f\x8b\x08", 3, "gzip", "zcat", ".gz", NULL, NULL},
    {"BZh", 3, "bzip2", "bzcat", ".bz2", NULL, NULL},
    {"\xfd\x37zXZ\0", 6, "xz", "xzcat", ".xz", NULL, NULL},
    {"\x5d\0\0", 3, "xz", "xzcat", NULL, NULL, NULL}, /* .lzma */
    {"\x28\xb5\x2f\xfd", 4, "zstd", "zstdcat", ".zst", NULL, NULL},
    {"\x50\x2a\x4d\x18", 4, "zstd", "zstdcat", NULL, NULL,
     NULL}, /* skippable frame, as pzstd writes */
    {"\x04\x22\x4d\x18", 4, "lz4", "lz4cat", ".lz4", NULL, NULL},
    {"\x02\x21\x4c\x18", 4, "lz4", "lz4cat", NULL, NULL, NULL}, /* lz4 -l */
    {NULL, 0, "tar", "tar -xOf", NULL, "-xOf-", ".tar"},
    {NULL, 0, "tar", "tar -xOf", NULL, "-xzOf-", ".tgz"},
    {NULL, 0, "tar", "tar -xOf", NULL, "-xzOf-", ".tar.gz"},
    {NULL, 0, "tar", "tar -xOf", NULL, "-xjOf-", ".tar.bz2"},
    {NULL, 0, "tar", "tar -xOf", NULL, "-xJOf-", ".tar.xz"},
    {NULL, 0, "tar", "tar -xOf", NULL, "-xOIzstd", ".tar.zst"},
    {0},
};

const struct pack *
pack_of(const uint8_t *p, size_t n, bool *more)
{
	*more = false;
	for (const struct pack *k = packs; k->program; k++) {
		if (!k->magic || memcmp(p, k->magic, n < k->n ? n : k->n) != 0)
			continue;
		if (n >= k->n)
			return k;
		*more = true;
	}
	return NULL;
}

/* Returns true if `path` ends with `with` and is longer. Returns false if `with` is NULL. */
static bool
ends(const char *path, const char *with)
{
	size_t n = strlen(path), len = with ? strlen(with) : n;

	return n > len && !strcmp(path + n - len, with);
}

const struct pack *
pack_archive(const char *path)
{
	for (const struct pack *k = packs; k->program; k++)
		if (ends(path, k->name))
			return k;
	return NULL;
}

const struct pack *
pack_of_file(int fd)
{
	uint8_t p[PACK_MAGIC] = {0};
	off_t at = lseek(fd, 0, SEEK_CUR);
	bool more;
	int err;

	return at < 0 ? NULL
		      : pack_of(p, in_at(fd, p, sizeof p, (uint64_t)at, &err), &more);
}

bool
pack_plain(const char *path)
{
	struct stat st;
	bool named = strcmp(path, "-") != 0, plain;
	int fd = 0;

	if ((named ? stat(path, &st) : fstat(0, &st)) != 0 || !S_ISREG(st.st_mode))
		return false;
	if (named && pack_archive(path))
		return false;
	if (named && (fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) < 0)
		return true;
	plain = !pack_of_file(fd);
	if (named)
		close(fd);
	return plain;
}

const struct pack *
pack_named(const char *path)
{
	for (const struct pack *k = packs; k->program; k++)
		if (ends(path, k->suffix))
			return k;
	return NULL;
}

/* Returns the environment without the variables that give options to these programs. The caller frees the array. */
static char **
environment(void)
{
	static const char *const no[] = {"GZIP=", "BZIP",  "XZ_", "ZSTD_",
					 "LZ4_",  "TAPE=", "TAR_"};
	size_t n = 0, to = 0, k;
	char **env;

	while (environ && environ[n])
		n++;
	env = xcalloc(n + 1, sizeof *env);
	for (size_t i = 0; i < n; i++) {
		for (k = 0; k < sizeof no / sizeof *no; k++)
			if (!strncmp(environ[i], no[k], strlen(no[k])))
				break;
		if (k == sizeof no / sizeof *no)
			env[to++] = environ[i];
	}
	return env;
}

int
filter_start(struct pack_process *f, const struct pack *k, const char *option, int in,
	     int out)
{
	char *argv[] = {(char *)(uintptr_t)k->program, (char *)(uintptr_t)option, NULL};
	posix_spawn_file_actions_t todo;
	int says[2], err;
	char **env;

	if (pipe(says) < 0)
		return errno;
	/* The program's messages are read only after it has ended. So writing them must not block: messages that
	 * do not fit into the pipe are lost. */
	fcntl(says[0], F_SETFD, FD_CLOEXEC);
	fcntl(says[1], F_SETFD, FD_CLOEXEC);
	fcntl(says[1], F_SETFL, O_NONBLOCK);
	*f = (struct pack_process){k, option, -1, says[0]};
	env = environment();
	err = posix_spawn_file_actions_init(&todo);
	if (!err) {
		err = posix_spawn_file_actions_adddup2(&todo, in, 0);
		err = err ? err : posix_spawn_file_actions_adddup2(&todo, out, 1);
		err = err ? err : posix_spawn_file_actions_adddup2(&todo, says[1], 2);
		err = err ? err : posix_spawnp(&f->pid, k->program, &todo, NULL, argv, env);
		posix_spawn_file_actions_destroy(&todo);
	}
	free(env);
	close(says[1]);
	if (err)
		close(says[0]);
	return err;
}

void
filter_end(struct pack_process *f, bool early, char said[PACK_SAID])
{
	char text[PACK_SAID / 2], *line = text;
	int status = 0, code;
	pid_t got;
	ssize_t n;

	if (early)
		kill(f->pid, SIGKILL);
	do
		got = waitpid(f->pid, &status, 0);
	while (got < 0 && errno == EINTR);
	/* A child of the program may hold the other end open. */
	fcntl(f->says, F_SETFL, O_NONBLOCK);
	n = read(f->says, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	close(f->says);
	*said = '\0';
	/* bzip2 reports trailing bytes, but exits with 0. */
	if (early || (got == f->pid && status == 0 && !*text))
		return;
	line += strspn(line, "\n");
	line[strcspn(line, "\n")] = '\0';
	code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	snprintf(said, PACK_SAID, "%s%s%s %s: %s %d%s", line, *line ? " (" : "",
		 f->pack->program, f->option,
		 WIFSIGNALED(status) ? "killed by signal" : "status",
		 got == f->pid ? code : -1, *line ? ")" : "");
}
