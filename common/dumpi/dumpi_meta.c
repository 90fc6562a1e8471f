/* dumpi_meta.c - reads the .meta file of a run: lines of KEY=VALUE, some of libdumpi, others of users. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dumpi/dumpi_trace.h"

/* Limit of the size of a .meta file. Some 300 bytes are usual. */
#define META_MOST (64 * 1024)

/* A file whose name ends in .meta belongs to a DUMPI run if it has one of these keys. */
static const char *const own_keys[] = {
    "numprocs", "fileprefix", "startime",   "hostname",
    "username", "version",    "subversion", "subsubversion",
};

/* Returns the bytes of a regular file with a NUL after them, to be freed by the caller. Returns NULL if the file
 * is not regular, is too long or has a NUL; errno is not 0 if it cannot be read. */
static char *
read_text_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), err = 0;
	char *text = NULL;
	struct stat st;
	size_t n = 0;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < META_MOST) {
		text = xcalloc(1, META_MOST);
		n = in_at(fd, text, META_MOST - 1, 0, &err);
	}
	close(fd);
	if (text && (err || strlen(text) != n)) {
		FREE(text);
	}
	errno = err;
	return text;
}

/* Removes the blanks at both ends of [p, end), and writes a NUL at the new end. Returns the new begin. */
static char *
trimmed(char *p, char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return p;
}

static void
take_line(struct dumpi_meta *m, char *line, char *end, size_t number)
{
	char *is;

	line = trimmed(line, end);
	if (!*line || *line == '#')
		return;
	is = strchr(line, '=');
	end = line + strlen(line);
	if (!is || is == line) {
		m->odd = m->odd ? m->odd : number;
		return;
	}
	*PUSH(m->pair, m->n, m->cap) =
	    (struct dumpi_meta_pair){trimmed(line, is), trimmed(is + 1, end)};
}

bool
dumpi_meta_read(struct dumpi_meta *m, const char *path)
{
	size_t n = strlen(path), number = 0;
	char *p, *end;

	memset(m, 0, sizeof *m);
	errno = 0;
	if (n < 5 || strcmp(path + n - 5, ".meta") != 0 ||
	    !(m->text = read_text_file(path)))
		return false;
	for (p = m->text; p; p = end ? end + 1 : NULL) {
		end = strchr(p, '\n');
		take_line(m, p, end ? end : p + strlen(p), ++number);
	}
	for (size_t i = 0; i < sizeof own_keys / sizeof *own_keys; i++)
		if (dumpi_meta_value(m, own_keys[i]))
			return true;
	dumpi_meta_free(m);
	errno = 0;
	return false;
}

const char *
dumpi_meta_value(const struct dumpi_meta *m, const char *key)
{
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->pair[i].key, key))
			return m->pair[i].value;
	return NULL;
}

void
dumpi_meta_free(struct dumpi_meta *m)
{
	free(m->text);
	free(m->pair);
	memset(m, 0, sizeof *m);
}
