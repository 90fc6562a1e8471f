/*
 * gen_runs - writes the runs that the examples of the pages ask about: gen_runs DIR
 *
 * DIR/solver.meta and its four files, DUMPI: ranks in a row swap borders with their
 * neighbours, add up a number now and then, and send their parts to rank 0. Rank 2 has more
 * to do than the others.
 *
 * DIR/tasks, ovni: two processes of two threads that run tasks under nOS-V.
 *
 * Always the same bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t state = 1;

static unsigned
rnd(unsigned n)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (unsigned)(state >> 33) % n;
}

static FILE *
create(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(path, 0777);
		*p = '/';
	}
	f = fopen(path, "wb");
	if (!f) {
		perror(path);
		exit(2);
	}
	return f;
}

/* DUMPI */

#define RANKS 4
#define ROUNDS 8
#define CALLS 291
#define MICROSECOND 1000u
#define MILLISECOND 1000000u
#define COMM_WORLD 2
#define DOUBLE 14
#define BORDER 1000
#define PART 40000

enum {
	SEND,
	RECV,
	ISEND = 8,
	IRECV = 12,
	WAITALL = 18,
	ALLREDUCE = 65,
	INIT = 124,
	FINALIZE = 125,
	STREAM_END = 293
};

static struct rank {
	FILE *f;
	uint64_t now, written; /* its clock in ns */
	uint32_t count[CALLS], request;
} rank[RANKS];

static void
be(struct rank *r, uint64_t v, unsigned bytes)
{
	r->written += bytes;
	while (bytes--)
		putc((int)(v >> 8 * bytes & 255), r->f);
}

static void
str(struct rank *r, const char *s, unsigned width)
{
	be(r, strlen(s), width);
	for (; *s; s++)
		be(r, (uint8_t)*s, 1);
}

static void
times(struct rank *r, uint64_t start, uint64_t stop)
{
	be(r, start / 1000000000, 2);
	be(r, start % 1000000000, 4);
	be(r, stop / 1000000000, 2);
	be(r, stop % 1000000000, 4);
}

/* A record up to its arguments, of a call that begins now and returns at `stop`, of which
 * it computes for at most 2 us. */
static void
call(struct rank *r, unsigned which, uint64_t stop)
{
	uint64_t busy = stop - r->now < 2 * MICROSECOND ? stop - r->now : 2 * MICROSECOND;

	be(r, which, 2);
	be(r, 0x0f, 1); /* both times, statuses */
	times(r, r->now, r->now + busy);
	times(r, r->now, stop);
	r->now = stop + 100 + rnd(200);
	r->count[which]++;
	r->count[CALLS - 1]++;
}

static void
message(struct rank *r, unsigned which, unsigned count, unsigned peer, unsigned tag,
	uint64_t took)
{
	call(r, which, r->now + took);
	be(r, count, 4);
	be(r, DOUBLE, 2);
	be(r, peer, 4);
	be(r, tag, 4);
	be(r, COMM_WORLD, 2);
}

static void
status(struct rank *r, unsigned bytes, unsigned source, unsigned tag)
{
	be(r, bytes, 4);
	be(r, source, 4);
	be(r, 0, 2);
	be(r, tag, 4);
}

/* Borders to both neighbours. posted: when each rank had its messages under way. */
static void
post(unsigned i, unsigned round, uint64_t posted[RANKS])
{
	struct rank *r = &rank[i];

	for (unsigned k = 0; k < RANKS; k++) {
		if (k + 1 != i && k != i + 1)
			continue;
		message(r, IRECV, BORDER, k, round, 800 + rnd(400));
		be(r, 100 + r->request++, 4);
		message(r, ISEND, BORDER, k, round, 2500 + rnd(1500));
		be(r, 100 + r->request++, 4);
	}
	posted[i] = r->now;
}

static void
wait_all(unsigned i, unsigned round, const uint64_t posted[RANKS])
{
	struct rank *r = &rank[i];
	unsigned n = i && i < RANKS - 1 ? 4 : 2, at = r->request - n;
	uint64_t stop = r->now;

	for (unsigned k = 0; k < RANKS; k++)
		if ((k + 1 == i || k == i + 1) && posted[k] > stop)
			stop = posted[k];
	call(r, WAITALL, stop + 4 * MICROSECOND + rnd(2000));
	be(r, n, 4);
	be(r, n, 4);
	for (unsigned k = 0; k < n; k++)
		be(r, 100 + at + k, 4);
	be(r, n, 4);
	for (unsigned k = 0; k < n; k++) /* those of sends are empty */
		status(r, k % 2 ? 0 : 8 * BORDER, k % 2 ? i : (i && k < 2 ? i - 1 : i + 1),
		       round);
}

static void
all_reduce(void)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < RANKS; i++)
		last = rank[i].now > last ? rank[i].now : last;
	for (unsigned i = 0; i < RANKS; i++) {
		call(&rank[i], ALLREDUCE, last + 9 * MICROSECOND + rnd(1000));
		be(&rank[i], 1, 4);
		be(&rank[i], DOUBLE, 2);
		be(&rank[i], 3, 1); /* MPI_SUM */
		be(&rank[i], COMM_WORLD, 2);
	}
}

static void
finish(struct rank *r)
{
	uint64_t header, footer, sizes;

	be(r, STREAM_END, 2);
	header = r->written;
	be(r, 13 << 16, 3);
	be(r, 1700000000, 8);
	str(r, "node0", 2);
	str(r, "user", 2);
	be(r, 0, 8);
	footer = r->written;
	be(r, 0xf007fee7, 8);
	for (unsigned i = 0; i < CALLS; i++)
		be(r, r->count[i], 4);
	for (unsigned i = 0; i < CALLS; i++)
		be(r, 0, 4);
	be(r, 0, 4);
	sizes = r->written;
	be(r, DOUBLE + 1, 4);
	for (unsigned i = 0; i <= DOUBLE; i++)
		be(r, i == DOUBLE ? 8 : 0, 4);
	be(r, 0xffaadd44554d5049, 8);
	be(r, sizes, 8);
	be(r, 0, 8);
	be(r, 0, 8);
	be(r, header, 8);
	be(r, 8, 8);
	be(r, footer, 8);
	be(r, 0, 8);
	fclose(r->f);
}

static void
solver(const char *dir)
{
	FILE *meta = create(dir, "solver.meta");
	uint64_t posted[RANKS];

	fprintf(meta,
		"hostname=node0\nnumprocs=%d\nusername=user\nstartime=1700000000\n"
		"fileprefix=solver\nversion=13\nsubversion=0\nsubsubversion=0\n",
		RANKS);
	fclose(meta);
	for (unsigned i = 0; i < RANKS; i++) {
		char name[64];

		snprintf(name, sizeof name, "solver-%04u.bin", i);
		rank[i].f = create(dir, name);
		be(&rank[i], 0xffaadd44554d5049, 8);
		be(&rank[i], 0, 4);
		be(&rank[i], 8000, 4);
		rank[i].now = MILLISECOND + rnd(MILLISECOND);
		call(&rank[i], INIT, 40 * MILLISECOND + rnd(50000));
		be(&rank[i], 1, 4);
		str(&rank[i], "solver", 4);
	}
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < RANKS; i++) {
			rank[i].now += (i == 2 ? 9 : 6) * MILLISECOND + rnd(MILLISECOND);
			post(i, round, posted);
		}
		for (unsigned i = 0; i < RANKS; i++)
			wait_all(i, round, posted);
		if (round % 2)
			all_reduce();
	}
	for (unsigned i = 1; i < RANKS; i++) {
		uint64_t took = 90 * MICROSECOND + rnd(9000);

		message(&rank[0], RECV, PART, i, 99, took);
		be(&rank[0], 1, 4);
		status(&rank[0], 8 * PART, i, 99);
		message(&rank[i], SEND, PART, 0, 99, took);
	}
	for (unsigned i = 0; i < RANKS; i++) {
		call(&rank[i], FINALIZE, rank[i].now + 2 * MILLISECOND + rnd(50000));
		finish(&rank[i]);
	}
}

/* ovni, layout 3 */

static void
le(FILE *f, uint64_t v, unsigned bytes)
{
	for (; bytes--; v >>= 8)
		putc((int)(v & 255), f);
}

/* An event with n numbers of 4 bytes as its payload. */
static void
event(FILE *f, const char *mcv, uint64_t clock, unsigned n, unsigned a, unsigned b)
{
	putc(n ? (int)(4 * n - 1) : 0, f);
	fwrite(mcv, 1, 3, f);
	le(f, clock, 8);
	if (n > 0)
		le(f, a, 4);
	if (n > 1)
		le(f, b, 4);
	for (unsigned i = 2; i < n; i++)
		le(f, 0, 4);
}

static void
task_type(FILE *f, uint64_t clock, unsigned id, const char *label)
{
	putc(0x13, f); /* jumbo, with its size of 4 bytes */
	fwrite("VYc", 1, 3, f);
	le(f, clock, 8);
	le(f, 4 + strlen(label) + 1, 4);
	le(f, id, 4);
	fwrite(label, 1, strlen(label) + 1, f);
}

static FILE *
stream(const char *dir, unsigned pid, unsigned tid)
{
	char name[200];
	FILE *f;

	snprintf(name, sizeof name, "tasks/loom.node0/proc.%u/thread.%u/stream.json", pid,
		 tid);
	f = create(dir, name);
	fprintf(f,
		"{\"version\":3,\"ovni\":{\"part\":\"thread\",\"tid\":%u,\"pid\":%u,"
		"\"loom\":\"node0\",\"app_id\":1,",
		tid, pid);
	if (pid == tid)
		fprintf(f, "\"rank\":%u,\"nranks\":2,", pid / 100 - 1);
	if (tid == 100) { /* one process lists the processors of the loom */
		fputs("\"loom_cpus\":[", f);
		for (unsigned i = 0; i < 4; i++)
			fprintf(f, "%s{\"index\":%u,\"phyid\":%u}", i ? "," : "", i, i);
		fputs("],", f);
	}
	fputs("\"require\":{\"nosv\":\"2.7.0\"},\"finished\":1}}\n", f);
	fclose(f);
	memcpy(name + strlen(name) - 4, "obs", 4);
	f = create(dir, name);
	fwrite("ovni", 1, 4, f);
	le(f, 1, 4);
	return f;
}

/* One process: its main thread makes the tasks and talks to the other process, its worker
 * runs them. */
static void
process(const char *dir, unsigned pid, unsigned cpu)
{
	FILE *main = stream(dir, pid, pid), *worker = stream(dir, pid, pid + 1);
	uint64_t t = 5000000 + rnd(10000), w;

	event(main, "OHx", t, 4, cpu, ~0u);
	task_type(main, t + 900, 1, "solve");
	task_type(main, t + 1500, 2, "pack");
	w = t + 6000;
	event(worker, "OHx", w, 4, cpu + 1, pid);
	t += 8000;
	for (unsigned task = 1; task <= 6; task++) {
		event(main, "VTc", t, 2, task, task % 3 ? 1 : 2);
		event(main, "VAs", t + 400, 0, 0, 0);
		event(main, "VAS", t += 1000 + rnd(800), 0, 0, 0);
		w = t > w ? t + 300 : w + 700;
		event(worker, "VTx", w, 2, task, 1);
		if (task == 4) { /* another process gets its CPU */
			event(worker, "KCO", w + 3000, 0, 0, 0);
			event(worker, "KCI", w += 24000, 0, 0, 0);
		}
		event(worker, "VTe", w += task % 3 ? 30000 + rnd(9000) : 6000 + rnd(900), 2,
		      task, 1);
		t += 500;
	}
	event(main, "OHp", t, 0, 0, 0);
	event(main, "OHr", w + 2000, 0, 0, 0);
	event(worker, "OHp", w + 1500, 0, 0, 0);
	t = w + 3000;
	event(main, "MS[", t, 0, 0, 0);
	event(main, "MS]", t += 4000 + rnd(1000), 0, 0, 0);
	event(main, "MR[", t += 300, 0, 0, 0);
	event(main, "MR]", t += 15000 + rnd(20000), 0, 0, 0);
	event(worker, "OHr", t + 800, 0, 0, 0);
	event(worker, "OHe", t + 1800, 0, 0, 0);
	event(main, "OHe", t + 3000, 0, 0, 0);
	fclose(main);
	fclose(worker);
}

int
main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: gen_runs DIR\n");
		return 2;
	}
	solver(argv[1]);
	process(argv[1], 100, 0);
	process(argv[1], 200, 2);
	return 0;
}
