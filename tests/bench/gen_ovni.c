/*
 * gen_ovni - write a large ovni trace for benchmarks: gen_ovni DIR STREAMS EVENTS RUN
 * [SEED]
 *
 * One clock for all; threads take turns at random, each for 1 to 2 * RUN - 1 events, so
 * that RUN = 1 deals every event at random. What they do is shaped like a run of nOS-V:
 * tasks are created, submitted, scheduled, executed; 15.6 bytes an event. The same
 * arguments give the same bytes everywhere (little-endian).
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rnd.h"

struct thread {
	uint8_t *p; /* its stream, as far as it is not written */
	size_t n;
	unsigned step;
	uint32_t task;
	char path[4096];
};

#define HELD 8192

static void
write_out(struct thread *t, const char *mode)
{
	FILE *f = fopen(t->path, mode);

	if (!f || fwrite(t->p, 1, t->n, f) != t->n || fclose(f)) {
		perror(t->path);
		exit(2);
	}
	t->n = 0;
}

static void
put(struct thread *t, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		t->p[t->n++] = (uint8_t)(v >> 8 * i);
}

static void
event(struct thread *t, uint64_t clock)
{
	/* The letters, and how many u32 of payload. */
	static const struct {
		char mcv[4];
		unsigned payload;
	} loop[] = {{"VU[", 0}, {"VTc", 2}, {"VU]", 0}, {"VAs", 0}, {"VAS", 0}, {"VS[", 0},
		    {"VSs", 0}, {"VS]", 0}, {"VS@", 0}, {"VTx", 2}, {"VMa", 0}, {"VMA", 0},
		    {"VTp", 2}, {"VPr", 0}, {"VTr", 2}, {"VMf", 0}, {"VMF", 0}, {"VTe", 2},
		    {"VAw", 0}, {"VAW", 0}, {"OAs", 1}, {"VTx", 2}, {"VTe", 2}, {"OB.", 0}};
	unsigned k = t->step++ % (sizeof loop / sizeof *loop);

	if (t->n + 32 > HELD)
		write_out(t, "ab");
	t->p[t->n++] = (uint8_t)(loop[k].payload ? 4 * loop[k].payload - 1 : 0);
	memcpy(t->p + t->n, loop[k].mcv, 3);
	t->n += 3;
	put(t, clock, 8);
	if (k == 0)
		t->task = (uint32_t)(rnd() % 1000000);
	if (loop[k].payload)
		put(t, loop[k].payload == 1 ? rnd() % 64 : t->task, 4);
	if (loop[k].payload == 2)
		put(t, rnd() % 8, 4);
}

static void
start(struct thread *t, const char *dir, unsigned i)
{
	char path[2048];
	FILE *f;

	snprintf(path, sizeof path, "%s/loom.node%u.1/proc.%u/thread.%u", dir, i / 512,
		 1000 + i / 64, 10000 + i);
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(path, 0777);
		*p = '/';
	}
	mkdir(path, 0777);
	snprintf(t->path, sizeof t->path, "%s/stream.json", path);
	f = fopen(t->path, "w");
	if (!f) {
		perror(t->path);
		exit(2);
	}
	fprintf(
	    f,
	    "{\"version\": 3, \"ovni\": {\"part\": \"thread\", \"tid\": %u, \"pid\": %u, "
	    "\"loom\": \"node%u.1\", \"app_id\": 1, "
	    "\"loom_cpus\": [{\"index\": 0, \"phyid\": 0}], \"require\": {\"nosv\": "
	    "\"2.7.0\"}, "
	    "\"finished\": 1}}\n",
	    10000 + i, 1000 + i / 64, i / 512);
	fclose(f);
	snprintf(t->path, sizeof t->path, "%s/stream.obs", path);
	t->p = malloc(HELD);
	t->step = i * 7;
	memcpy(t->p, "ovni\1\0\0\0", 8);
	t->n = 8;
	write_out(t, "wb");
}

int
main(int argc, char **argv)
{
	unsigned streams = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	uint64_t n = argc > 3 ? strtoull(argv[3], NULL, 10) : 0, clock = 1000000000000;
	uint64_t run = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	struct thread *t = calloc(streams ? streams : 1, sizeof *t);

	if (!t || !streams || !run) {
		fprintf(stderr, "usage: gen_ovni DIR STREAMS EVENTS RUN [SEED]\n");
		return 2;
	}
	state = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
	for (unsigned i = 0; i < streams; i++)
		start(&t[i], argv[1], i);
	while (n) {
		struct thread *turn = &t[rnd() % streams];
		uint64_t k = 1 + rnd() % (2 * run - 1);

		for (; k && n; k--, n--) {
			clock += 20 + rnd() % 200;
			event(turn, clock);
		}
	}
	for (unsigned i = 0; i < streams; i++)
		write_out(&t[i], "ab");
	free(t);
	return 0;
}
