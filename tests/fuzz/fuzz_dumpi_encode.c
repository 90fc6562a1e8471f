/*
 * fuzz_dumpi_encode.c - events of whatever the bytes are, as a directory of DUMPI.
 *
 * What was written without trouble our own reader must find good, with as many events, and
 * what it reads is written again as the same files. A difference is an abort.
 */
#include <limits.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_formats.h"
#include "dumpi/dumpi_trace.h"
#include "output/sink.h"
#include "trace-convert/dumpi_encode.h"

extern const struct encoder dumpi_encoder;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FILES 64
static char base[64], first[80], second[80];
static char path[FILES][512], meta[FILES][512];
static size_t npaths, nmetas;

/* The events of s in the directory `dir`; *n = how many were read. False where there was
 * trouble. */
static bool
convert(const uint8_t *data, size_t size, const char *dir, uint64_t *n)
{
	static struct batch b;
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .only = data ? NULL : &fmt_dumpi};
	const struct encode_options how = {.encoder = &dumpi_encoder,
					   .format = fmt_dumpi.settings->defaults};
	struct write_options w = {
	    .form = &form_encode, .directory = "dumpi", .path = dir, .of = &how};
	const char *from[FILES];
	struct sink k;
	struct source s;
	bool trouble;

	for (size_t i = 0; i < FILES; i++)
		from[i] = nmetas ? meta[i] : path[i];
	*n = 0;
	sink_open(&k, &w);
	sink_begin(&k, 0, &opt);
	trouble = data ? !source_memory(&s, &opt, "fuzz", data, size)
		       : !source_open(&s, &opt, from, nmetas ? nmetas : npaths);
	if (!trouble) {
		while (source_next(&s, &b))
			sink_put(&k, &s, &b, NULL, b.n);
		*n = s.count.events;
		source_end(&s);
		sink_end(&k, &s);
		trouble = s.trouble;
		source_close(&s);
	}
	return sink_close(&k, trouble ? ST_TROUBLE : ST_OK) == ST_OK;
}

/* Lists the files below `dir`, in the order of their names; removes them if asked to. */
static void
list(const char *dir, bool remove)
{
	struct dirent **e;
	int n = scandir(dir, &e, NULL, alphasort);
	char name[512];
	struct stat st;

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof name, "%s/%s", dir, e[i]->d_name);
		if (*e[i]->d_name != '.' && stat(name, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				list(name, remove);
			else if (remove)
				unlink(name);
			else if (strstr(e[i]->d_name, ".meta") && nmetas < FILES)
				strcpy(meta[nmetas++], name);
			else if (npaths < FILES)
				strcpy(path[npaths++], name);
		}
		free(e[i]);
	}
	if (n >= 0)
		free(e);
	if (remove)
		rmdir(dir);
}

/* Whether the file of the first directory is like that of the second. */
static bool
alike(const char *name)
{
	char other[600], a[4096], b[4096];
	FILE *f = fopen(name, "rb"), *g;
	bool same = f != NULL;
	size_t n, m;

	snprintf(other, sizeof other, "%s%s", second, name + strlen(first));
	g = fopen(other, "rb");
	same &= g != NULL;
	while (same && (n = fread(a, 1, sizeof a, f)) + (m = fread(b, 1, sizeof b, g)) > 0)
		same = n == m && !memcmp(a, b, n);
	if (f)
		fclose(f);
	if (g)
		fclose(g);
	return same;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t events, read;

	if (!*base) {
		const char *tmp = getenv("TMPDIR");

		snprintf(base, sizeof base, "%.40s/fuzz.%ld", tmp ? tmp : "/tmp",
			 (long)getpid());
		snprintf(first, sizeof first, "%s.a", base);
		snprintf(second, sizeof second, "%s.b", base);
		if (!getenv("FUZZ_SAY"))
			warn_skip(UINT_MAX);
	}
	if (!convert(data, size, first, &events))
		return 0;
	npaths = nmetas = 0;
	list(first, false);
	if (npaths && npaths < FILES) {
		if (!convert(NULL, 0, second, &read) || read != events)
			abort();
		for (size_t i = 0; i < npaths; i++)
			if (!alike(path[i]))
				abort();
		for (size_t i = 0; i < nmetas; i++)
			if (!alike(meta[i]))
				abort();
		list(second, true);
	}
	list(first, true);
	return 0;
}
