/* dumpi_encode_files.c - the files of a DUMPI directory: one for each rank, and a .meta file for each job.
 *
 * A file is written from its beginning to its end: the sections follow the records, and the biases before the
 * records come from metadata, or from the first record. So bytes wait for each rank, and go to the end of its
 * file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-convert/dumpi_encode.h"

/* Limits of waiting bytes: of all ranks, and of one rank at most and at least. */
#define WAITS_ALL (6u * 1024 * 1024)
#define WAITS_MOST (128u * 1024)
#define WAITS_LEAST 2048

const struct buf *
dumpi_out_section(const struct out_rank *k, enum dumpi_section s)
{
	return k->own.sec.raw[s].n || !k->shared ? &k->own.sec.raw[s]
						 : &k->shared->sec.raw[s];
}

struct out_job *
dumpi_out_job(struct dumpi_out *c, int64_t number)
{
	struct out_job *j;

	for (size_t i = 0; i < c->njobs; i++)
		if (c->job[i]->number == number)
			return c->job[i];
	*PUSH(c->job, c->njobs, c->jobs_cap) = j = xcalloc(1, sizeof *j);
	j->number = number;
	j->shared = c->shared;
	c->shared->used = true;
	j->foreign = c->foreign;
	strcpy(j->prefix, "dumpi");
	return j;
}

struct out_rank *
dumpi_out_rank(struct dumpi_out *c, int64_t job, int64_t rank)
{
	const int64_t key[2] = {job, rank};
	struct out_rank *k;
	uint32_t n;

	if (strtab_find(&c->ids, key, sizeof key, &n))
		return c->rank[n];
	if (c->nranks == DUMPI_RANKS_ALL)
		return NULL;
	strtab_id(&c->ids, key, sizeof key);
	*PUSH(c->rank, c->nranks, c->cap) = k = xcalloc(1, sizeof *k);
	k->number = rank;
	k->job = dumpi_out_job(c, job);
	k->shared = c->shared;
	c->shared->used = true;
	if (rank >= (int64_t)k->job->most)
		k->job->most = (uint32_t)rank + 1;
	return k;
}

static void
path_of(const struct out_job *j, int64_t rank, const char *end, char path[OUT_PATH])
{
	size_t n = 0;

	if (j->number >= 0)
		n = (size_t)snprintf(path, OUT_PATH, "%04d/", (int)j->number);
	n += (size_t)snprintf(path + n, OUT_PATH - n, "%s", j->prefix);
	if (rank >= 0)
		n += (size_t)snprintf(path + n, OUT_PATH - n, "-%04d", (int)rank);
	snprintf(path + n, OUT_PATH - n, "%s", end);
}

/* Writes the waiting bytes of a rank. */
static void
spill_rank(struct encode *e, struct out_rank *k)
{
	struct dumpi_out *c = e->state;
	char path[OUT_PATH];

	c->files.dir = e->dir;
	if (!k->file) {
		path_of(k->job, k->number, ".bin", path);
		k->file = outfiles_add(&c->files, path) + 1;
	}
	k->written += k->waits.n;
	outfiles_bytes(&c->files, k->file - 1, k->waits.p, k->waits.n);
	k->waits.n = 0;
}

/* Returns how many bytes may wait for each rank. */
static size_t
waits_of(const struct dumpi_out *c)
{
	size_t n = c->nranks ? WAITS_ALL / c->nranks : WAITS_MOST;

	return n > WAITS_MOST ? WAITS_MOST : n < WAITS_LEAST ? WAITS_LEAST : n;
}

void
dumpi_out_flush(struct encode *e, struct out_rank *k)
{
	size_t most = waits_of(e->state);

	spill_rank(e, k);
	/* There are more ranks now, or there was a long record. */
	if (k->waits.cap > 2 * most + DUMPI_OUT_ROOM)
		buf_free(&k->waits);
	k->full = most;
}

void
dumpi_out_begin(struct dumpi_out *c, struct out_rank *k)
{
	static const uint8_t newest[3] = {13, 0, 0};
	const struct buf *header = dumpi_out_section(k, SEC_HEADER),
			 *labels = dumpi_out_section(k, SEC_LABELS);
	const struct meta_facts *t = k->own.has_bias ? &k->own : k->shared;
	uint8_t lead[DUMPI_RECORDS] = DUMPI_MAGIC;

	k->begun = true;
	k->full = waits_of(c);
	k->layout = dumpi_layout(dumpi_layout_of(header->n ? header->p : newest));
	k->labels =
	    strtab_id(&c->labels, labels->n ? (const void *)labels->p : "", labels->n);
	for (unsigned i = CPU; i <= WALL; i++) {
		k->clock[i].told = t->has_bias;
		k->clock[i].bias = t->bias[i];
		dumpi_big32(lead + DUMPI_BODY + 4 * (size_t)i, (uint32_t)t->bias[i]);
	}
	t = k->own.has_mask ? &k->own : k->shared;
	k->mask = t->has_mask ? t->mask : MASK_STATUS;
	k->nlabels = labels->n ? be32(labels->p) : 0;
	buf_add(&k->waits, lead, sizeof lead);
}

/* Writes what follows a rank's records. */
static void
end_rank(struct encode *e, struct out_rank *k)
{
	static const uint32_t none[DUMPI_CALLS];
	static uint8_t zeros[4];
	struct dumpi_sections sec = {0};
	struct buf sizes = {0};

	if (!k->begun)
		dumpi_out_begin(e->state, k);
	for (unsigned i = 0; i < SECTIONS; i++)
		sec.raw[i] = *dumpi_out_section(k, (enum dumpi_section)i);
	/* Sizes of a usual machine, if the stream does not come from DUMPI files. */
	if (!sec.raw[SEC_SIZES].n && k->job->foreign) {
		dumpi_add32(&sizes, DUMPI_BUILTIN);
		for (unsigned i = 0; i < DUMPI_BUILTIN; i++)
			dumpi_add32(&sizes,
				    dumpi_lp64[i] == DUMPI_NO_SIZE ? 0 : dumpi_lp64[i]);
		sec.raw[SEC_SIZES] = sizes;
	}
	/* libdumpi writes these sections even if they are empty. */
	for (unsigned i = SEC_LABELS; i < SECTIONS; i++)
		if (!sec.raw[i].n)
			sec.raw[i] = (struct buf){zeros, sizeof zeros, 0};
	dumpi_tail(&k->waits, k->written + k->waits.n, &sec, k->count ? k->count : none,
		   k->layout->index);
	buf_free(&sizes);
	spill_rank(e, k);
	outfiles_end(&((struct dumpi_out *)e->state)->files, k->file - 1);
	buf_free(&k->waits);
	FREE(k->count);
}

/* Writes files without records for the missing ranks of a job. */
static void
add_missing(struct encode *e, const struct out_job *j)
{
	struct dumpi_out *c = e->state;

	for (uint32_t i = 0; i < j->most; i++) {
		const int64_t key[2] = {j->number, i};
		struct out_rank k = {.number = i, .shared = j->shared};
		uint32_t n;

		if (strtab_find(&c->ids, key, sizeof key, &n))
			continue;
		k.job = (struct out_job *)(uintptr_t)j;
		end_rank(e, &k);
	}
}

static void
end_job(struct encode *e, struct out_job *j)
{
	struct outfiles *files = &((struct dumpi_out *)e->state)->files;
	char path[OUT_PATH], text[400];
	size_t file;

	/* If the input has no .meta file, the output has none. */
	if (!j->most || (!j->told && !j->foreign))
		return;
	if (!j->told) {
		snprintf(text, sizeof text,
			 "hostname=<none>\nnumprocs=\nusername=<none>\nstartime=0\n"
			 "fileprefix=%s\nversion=13\nsubversion=0\nsubsubversion=0\n",
			 j->prefix);
		buf_add(&j->meta, text, strlen(text));
		j->numprocs_at = strlen("hostname=<none>\nnumprocs=");
	}
	if (!j->numprocs_at) {
		buf_add(&j->meta, "numprocs=\n", 10);
		j->numprocs_at = j->meta.n - 1;
	}
	j->most = j->numprocs > j->most ? j->numprocs : j->most;
	add_missing(e, j);
	snprintf(text, sizeof text, "%u", (unsigned)j->most);
	path_of(j, -1, ".meta", path);
	file = outfiles_add(files, path);
	outfiles_bytes(files, file, j->meta.p, j->numprocs_at);
	outfiles_bytes(files, file, text, strlen(text));
	outfiles_bytes(files, file, j->meta.p + j->numprocs_at, j->meta.n - j->numprocs_at);
	outfiles_end(files, file);
}

void
dumpi_out_end(struct encode *e)
{
	struct dumpi_out *c = e->state;

	for (size_t i = 0; i < c->nranks; i++)
		end_rank(e, c->rank[i]);
	for (size_t i = 0; i < c->njobs; i++)
		end_job(e, c->job[i]);
}

void
dumpi_out_close(struct encode *e)
{
	struct dumpi_out *c = e->state;
	struct meta_facts *t, *next;

	for (size_t i = 0; i < c->nranks; i++) {
		struct out_rank *k = c->rank[i];

		dumpi_sections_free(&k->own.sec);
		buf_free(&k->waits);
		free(k->count);
		free(k);
	}
	for (size_t i = 0; i < c->njobs; i++) {
		buf_free(&c->job[i]->meta);
		free(c->job[i]);
	}
	for (t = c->shared; t; t = next) {
		next = t->next;
		dumpi_sections_free(&t->sec);
		free(t);
	}
	for (unsigned i = 0; i < 5; i++)
		buf_free(&c->tmp[i]);
	buf_free(&c->text);
	outfiles_free(&c->files);
	strtab_free(&c->ids);
	strtab_free(&c->labels);
	free(c->rank);
	free(c->job);
	free(c->spot);
}
