/* inputs.c - see inputs.h. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "base/tuning.h"
#include "base/unpack.h"
#include "cli/opt.h"
#include "run/inputs.h"
#include "run/run.h"

/* Standard input, or its copy, which each program opens again. -1: no operand names it. */
static int standard_input = -1;
/* Options for the programs, up to NULL: sizes of files that may grow, and copies of compressed files. */
static char **options;
static size_t noptions, option_cap;

/* Copies a descriptor to a file without a name. Returns the descriptor of the copy. */
static int
copy(int from, const char *name)
{
	static uint8_t block[1 << 16];
	int to = sandbox_temporary();
	ssize_t n;

	if (to < 0)
		die("a temporary file in TMPDIR:");
	while ((n = read(from, block, sizeof block)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("%s:", name);
		for (ssize_t done = 0, k; done < n; done += k)
			if ((k = write(to, block + done, (size_t)(n - done))) < 0)
				die("a temporary file in TMPDIR:");
	}
	fcntl(to, F_SETFD, 0);
	lseek(to, 0, SEEK_SET);
	return to;
}

static void
tune(const char *format, ...)
{
	struct buf b = {0};
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	va_start(ap, format);
	vsnprintf((char *)buf_room(&b, (size_t)n + 1), (size_t)n + 1, format, ap);
	va_end(ap);
	GROW(options, option_cap, noptions + 3);
	options[noptions++] = (char *)(uintptr_t) "--tune";
	options[noptions++] = (char *)b.p;
	options[noptions] = NULL;
}

/* Returns an uncompressed copy of the compressed file fd; fd itself if it is not compressed, or if the system
 * lacks the program for it. Sets *good to false, after a message, if the file is not whole. */
static int
unpacked(int fd, const char *path, bool *good)
{
	const struct pack *k = pack_archive(path);
	struct unpack u = {0};
	int from = -1;

	k = k ? k : pack_of_file(fd);
	if (k) {
		unpack_begin();
		from = unpack_open(&u, k, fd, NULL, 0, false);
	}
	if (from >= 0) {
		fd = copy(from, path);
		close(from);
		unpack_end(&u, false);
	}
	if (*u.said)
		warn("%s: %s", path, u.said);
	*good &= !*u.said;
	return fd;
}

/* Makes programs read the file only up to its present size. */
static void
note_size(const struct stat *st)
{
	uint64_t told = tuning_size((uint64_t)st->st_dev, (uint64_t)st->st_ino);

	tune("size=%llu:%llu:%llu", (unsigned long long)st->st_dev,
	     (unsigned long long)st->st_ino,
	     (unsigned long long)(told < UINT64_MAX ? told : (uint64_t)st->st_size));
}

/* Opens standard input, or its copy, again. */
static int
open_again(void)
{
	char path[48];
	off_t at = lseek(0, 0, SEEK_CUR);
	int fd;

	snprintf(path, sizeof path, "/dev/fd/%d", standard_input);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("%s:", path);
	if (!standard_input)
		lseek(fd, at, SEEK_SET);
	return fd;
}

/* Makes programs read the copy of a compressed file instead of it, and a plain file up to its present size.
 * Returns false if a compressed file is not whole. */
static bool
keep_file(const char *path, const struct stat *st)
{
	int told = tuning_file(path), fd, plain;
	bool good = true;

	note_size(st);
	/* The program that started this one has a copy. */
	if (told >= 0) {
		tune("file=%d:%s", told, path);
		return true;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	plain = unpacked(fd, path, &good);
	if (plain != fd)
		tune("file=%d:%s", plain, path);
	close(fd);
	return good;
}

/* Copies a pipe. Returns the name of the copy. */
static char *
keep_pipe(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char name[48];

	if (fd < 0)
		die("%s:", path);
	snprintf(name, sizeof name, "/dev/fd/%d", copy(fd, path));
	close(fd);
	return xstrdup(name);
}

bool
keep_inputs(void)
{
	bool input = !common.n, good = true;
	struct stat st;

	for (size_t i = 0; i < common.n; i++) {
		const char *path = common.path[i];

		if (!strcmp(path, "-"))
			input = true;
		else if (stat(path, &st) || S_ISDIR(st.st_mode))
			continue;
		else if (S_ISREG(st.st_mode))
			good &= keep_file(path, &st);
		else
			common.path[i] = keep_pipe(path);
	}
	if (!input)
		return good;
	if (!fstat(0, &st) && S_ISREG(st.st_mode)) {
		note_size(&st);
		standard_input = 0;
	} else
		standard_input = copy(0, "<stdin>");
	standard_input = unpacked(standard_input, "<stdin>", &good);
	return good;
}

/* Returns the options, up to NULL, for programs that read the inputs. */
static char *const *
input_options(void)
{
	static char *const none[] = {NULL};

	return options ? options : none;
}

static uint64_t counted; /* bytes of the files that nftw has visited */

static int
count_bytes(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)path;
	(void)at;
	counted += type == FTW_F ? (uint64_t)st->st_size : 0;
	return 0;
}

bool
inputs_below(uint64_t most)
{
	struct stat st;

	counted =
	    standard_input >= 0 && !fstat(standard_input, &st) ? (uint64_t)st.st_size : 0;
	for (size_t i = 0; i < common.n; i++) {
		char *path = xstrdup(common.path[i]), *name = strrchr(path, '/');
		size_t n = strlen(path);

		/* Such a file names files beside it. */
		if (n > 5 && !strcmp(path + n - 5, ".meta"))
			strcpy(name ? name : path, name ? "" : ".");
		if (strcmp(path, "-") != 0)
			nftw(*path ? path : "/", count_bytes, 16, 0);
		free(path);
	}
	return counted <= most;
}

int
input_again(void)
{
	return standard_input < 0 ? -1 : open_again();
}

char **
end_words(struct command_words *w)
{
	bool filter = !strcmp(*w->v, "trace-filter");

	words_said(w, filter ? "--by-time" : NULL);
	for (char *const *option = input_options(); *option; option++)
		words_add(w, *option);
	if (common.n)
		words_add(w, "--");
	for (size_t i = 0; i < common.n; i++)
		words_add(w, common.path[i]);
	words_add(w, NULL);
	return w->v;
}

void
check_options(const char *test, const char *keys)
{
	char *none[] = {(char *)(uintptr_t) "/dev/null"}, **paths = common.path;
	size_t n = common.n;
	struct command_words w = {0};
	struct run r = {.in = -1};
	char *text, *hint;

	common.path = none;
	common.n = 1;
	words_add(&w, "trace-stats");
	words_option(&w, "-e", test);
	words_option(&w, "-k", keys);
	r.argv = end_words(&w);
	common.path = paths;
	common.n = n;
	run_all(&r, 1, 1);
	buf_byte(&r.err, '\0');
	text = (char *)r.err.p + strlen(*r.argv);
	/* If a program could not be run, its part of the page says so. With -f, some formats report the empty file. */
	if (r.status == ST_TROUBLE && *text == ':' &&
	    strncmp(text, ": /dev/null: ", 13) != 0) {
		hint = strstr(text, " (try ");
		if (hint) {
			*hint = '\0';
			opt_die("%s", text + 2);
		}
		/* The message may have a caret below the expression. */
		fprintf(stderr, "%s%s", prog_name(), text);
		exit(ST_TROUBLE);
	}
	run_free(&r);
	free(w.v);
}
