/*
 * laplace_processes.c - a file for each task, in a directory for each address space; and one for
 * the kernel.
 *
 * The kernel's file is open all the time, and of the others those that were written to last.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/die.h"
#include "base/outdir.h"
#include "event/event.h"
#include "laplace/laplace_line.h"
#include "laplace/laplace_merge.h"

#define OPEN_MOST 48
#define ROOM (64 * 1024) /* bytes that wait for a file */
#define LINE_MOST 64	 /* of a reference */
#define KERNEL 0	 /* the number of its file */

struct task_file {
	uint64_t space, pid;
	bool has_space;
	int fd;
	uint32_t name;	  /* what the process runs: among canon.names */
	uint64_t used;	  /* when it was asked for last */
	struct buf waits; /* bytes, while it is open */
};

struct files {
	struct laplace_merge *merge;
	struct outdir *dir;
	const char *path; /* of dir, for messages */
	struct strtab ids;
	struct task_file *file;
	size_t cap;
	uint32_t open[OPEN_MOST]; /* numbers of those that are open, the kernel's aside */
	uint32_t nopen;
	uint64_t uses;
};

static void
name_of(const struct files *f, uint32_t n, char to[64])
{
	const struct task_file *t = &f->file[n];

	if (n == KERNEL)
		snprintf(to, 64, "kernel");
	else if (t->has_space)
		snprintf(to, 64, "%llx/%llx", (unsigned long long)t->space,
			 (unsigned long long)t->pid);
	else
		snprintf(to, 64, "unknown/%llx", (unsigned long long)t->pid);
}

static void
flush(struct files *f, uint32_t n)
{
	struct task_file *t = &f->file[n];
	const uint8_t *p = t->waits.p;
	char name[64];

	while (t->waits.n) {
		ssize_t k = write(t->fd, p, t->waits.n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0) {
			name_of(f, n, name);
			die("%s/%s: write:", f->path, name);
		}
		p += k;
		t->waits.n -= (size_t)k;
	}
}

static void
close_file(struct files *f, uint32_t n)
{
	struct task_file *t = &f->file[n];
	char name[64];

	flush(f, n);
	buf_free(&t->waits);
	if (close(t->fd) < 0) {
		name_of(f, n, name);
		die("%s/%s: close:", f->path, name);
	}
	t->fd = -1;
}

static void
open_file(struct files *f, uint32_t n)
{
	struct task_file *t = &f->file[n];
	char name[64];

	name_of(f, n, name);
	t->fd = outdir_file(f->dir, name);
	if (t->fd < 0)
		die("%s/%s:", f->path, name);
}

/* The file n is open from now on; that which was used the longest ago is closed for it. */
static void
make_open(struct files *f, uint32_t n)
{
	uint32_t at = f->nopen;

	if (at == OPEN_MOST) {
		at = 0;
		for (uint32_t i = 1; i < OPEN_MOST; i++)
			if (f->file[f->open[i]].used < f->file[f->open[at]].used)
				at = i;
		close_file(f, f->open[at]);
	} else
		f->nopen++;
	f->open[at] = n;
	open_file(f, n);
}

/* The number of the open file of a task in a space. */
static uint32_t
file_of(struct files *f, const uint64_t *space, uint64_t pid)
{
	const uint64_t key[3] = {space != NULL, space ? *space : 0, pid};
	uint32_t known = f->ids.n, n = strtab_id(&f->ids, key, sizeof key) + 1;

	if (n > known) {
		GROW(f->file, f->cap, (size_t)n + 1);
		f->file[n] = (struct task_file){
		    .space = key[1], .pid = pid, .has_space = space != NULL, .fd = -1};
	}
	if (f->file[n].fd < 0)
		make_open(f, n);
	f->file[n].used = ++f->uses;
	return n;
}

/* Room for `bytes` more in the file, which waits for as much as it holds. */
static uint8_t *
room(struct files *f, uint32_t n, size_t bytes)
{
	struct buf *b = &f->file[n].waits;

	if (unlikely(b->n + bytes > ROOM))
		flush(f, n);
	return buf_room(b, bytes);
}

/* Notes what the task runs, if that is known. */
static void
note_name(struct files *f, uint32_t n, uint32_t name)
{
	if (name)
		f->file[n].name = name;
}

static void
put_refs(struct files *f, const struct laplace_step *step)
{
	const struct laplace_state *t = &f->merge->state;
	const uint8_t *r = step->refs;
	uint32_t n = KERNEL;
	uint64_t space = UINT64_MAX;

	for (uint32_t i = 0; i < step->n; i++, r += LAPLACE_RECORD) {
		uint32_t to = KERNEL, addr = le32(r + 14);
		uint8_t *p;

		if (t->current != NOBODY && !laplace_is_kernel(f->merge, step->region[i])) {
			if (le32(r + 10) != space) {
				space = le32(r + 10);
				n = file_of(f, &space, t->process[t->current].pid);
				note_name(f, n,
					  laplace_state_name(t, &t->process[t->current]));
			}
			to = n;
		}
		p = laplace_put_begin(room(f, to, LINE_MOST), *r, le64(r + 1), r[9]);
		p = laplace_put32(p, addr >> PAGE_BITS);
		*p = ' ';
		p = laplace_put32(p + 1, step->page[i]);
		*p++ = '\n';
		buf_to(&f->file[to].waits, p);
	}
}

static void
put_event(struct files *f, const struct laplace_step *step)
{
	const struct laplace_state *t = &f->merge->state;
	const struct kernel_event *e = &step->event;
	uint32_t n = KERNEL;

	if (e->has_pid) {
		n = file_of(f, e->space == NOBODY ? NULL : &t->space[e->space].id, e->pid);
		note_name(f, n, e->runs);
	}
	memcpy(room(f, n, step->raw.n), step->raw.p, step->raw.n);
	f->file[n].waits.n += step->raw.n;
}

/* The side table: directory, file and name of each task. */
static void
put_table(struct files *f)
{
	const struct strtab *names = &f->merge->state.canon.names;
	struct buf b = {0};
	uint8_t *p;

	for (uint32_t n = KERNEL + 1; n <= f->ids.n; n++) {
		const struct str *name = &names->v[f->file[n].name];

		p = buf_room(&b, 64 + 4 * (size_t)name->len);
		name_of(f, n, (char *)p);
		*strchr((char *)p, '/') = '\t';
		p += strlen((char *)p);
		*p++ = '\t';
		if (name->len)
			p = put_escaped(p, name->s, name->len);
		else
			*p++ = '-';
		*p++ = '\n';
		buf_to(&b, p);
	}
	f->file[KERNEL].waits = b;
	f->file[KERNEL].fd = outdir_file(f->dir, "processes");
	if (f->file[KERNEL].fd < 0)
		die("%s/processes:", f->path);
	close_file(f, KERNEL);
}

void
laplace_write_processes(struct laplace_merge *m, struct outdir *dir, const char *path)
{
	struct files f = {.merge = m, .dir = dir, .path = path};
	struct laplace_step step;

	laplace_line_start();
	GROW(f.file, f.cap, 1);
	open_file(&f, KERNEL);
	while (laplace_merge_next(m, &step, BATCH)) {
		if (step.refs)
			put_refs(&f, &step);
		else
			put_event(&f, &step);
	}
	close_file(&f, KERNEL);
	for (uint32_t i = 0; i < f.nopen; i++)
		close_file(&f, f.open[i]);
	put_table(&f);
	strtab_free(&f.ids);
	free(f.file);
}
