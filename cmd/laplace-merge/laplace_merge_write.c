/* laplace_merge_write.c - references and events of the kernel: as native text, as pages, or as a file for each
 * task, in a directory for each address space, and a file for the kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "outfiles/outfiles.h"
#include "event/event.h"
#include "laplace/laplace_line.h"
#include "laplace-merge/laplace_merge_run.h"

#define KERNEL 0 /* number of the kernel's file */

struct files {
	struct laplace_merge *merge;
	struct strtab ids;
	struct outfiles out;
	uint32_t *runs; /* program of the process of each file, in canon.names */
	size_t cap;
};

static void
add_file(struct files *f, const char *name)
{
	size_t n = outfiles_add(&f->out, name);

	GROW(f->runs, f->cap, n + 1); /* 0: unknown */
}

/* Returns the number of the file of a task in a space. Notes the program that the task runs, if it is known. */
static uint32_t
file_of(struct files *f, const uint64_t *space, uint64_t pid, uint32_t runs)
{
	const uint64_t key[3] = {space != NULL, space ? *space : 0, pid};
	uint32_t known = f->ids.n, n = strtab_id(&f->ids, key, sizeof key) + 1;
	char name[64];

	if (n > known) {
		if (space)
			snprintf(name, sizeof name, "%llx/%llx", (unsigned long long)*space,
				 (unsigned long long)pid);
		else
			snprintf(name, sizeof name, "unknown/%llx",
				 (unsigned long long)pid);
		add_file(f, name);
	}
	f->runs[n] = runs ? runs : f->runs[n];
	return n;
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
		struct outfiles_file *file;
		uint8_t *p;

		if (t->current != NOBODY && !laplace_is_kernel(f->merge, step->region[i])) {
			if (le32(r + 10) != space) {
				space = le32(r + 10);
				n = file_of(f, &space, t->process[t->current].pid,
					    laplace_state_name(t, &t->process[t->current]));
			}
			to = n;
		}
		file = &f->out.v[to];
		p = laplace_put_begin(outfiles_room(&f->out, file), *r, le64(r + 1), r[9]);
		p = laplace_put32(p, addr >> PAGE_BITS);
		*p = ' ';
		p = laplace_put32(p + 1, step->page[i]);
		*p++ = '\n';
		file->p = p;
	}
}

static void
write_event(struct files *f, const struct laplace_step *step)
{
	const struct laplace_state *t = &f->merge->state;
	const struct kernel_event *e = &step->event;
	uint32_t n = KERNEL;

	if (e->has_pid)
		n = file_of(f, e->space == NOBODY ? NULL : &t->space[e->space].id, e->pid,
			    e->runs);
	outfiles_bytes(&f->out, n, step->raw.p, step->raw.n);
}

/* Writes the table of processes: directory, file and program of each task. */
static void
write_table(struct files *f)
{
	const struct strtab *names = &f->merge->state.canon.names;
	size_t table = outfiles_add(&f->out, "processes");
	struct buf b = {0};
	uint8_t *p;

	for (uint32_t n = KERNEL + 1; n < table; n++) {
		const struct str *name = &names->v[f->runs[n]];

		p = buf_room(&b, 64 + 4 * (size_t)name->len);
		strcpy((char *)p, f->out.v[n].name);
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
	outfiles_bytes(&f->out, table, b.p, b.n);
	buf_free(&b);
}

void
laplace_write_processes(struct laplace_merge *m, struct atomic_file *dir, const char *path)
{
	struct files f = {.merge = m, .out = {.dir = dir, .where = path}};
	struct laplace_step step;

	laplace_line_start();
	add_file(&f, "kernel");
	while (laplace_merge_next(m, &step, BATCH)) {
		if (step.refs)
			put_refs(&f, &step);
		else
			write_event(&f, &step);
	}
	write_table(&f);
	outfiles_close(&f.out);
	strtab_free(&f.ids);
	free(f.runs);
}

static void
put_lines(struct out *o, const struct laplace_step *step)
{
	const uint8_t *r = step->refs;
	uint8_t *p = o->p;

	for (uint32_t i = 0; i < step->n; i++, r += LAPLACE_RECORD) {
		p = out_room_at(o, p);
		p = laplace_put_line(p, *r, le64(r + 1), r[9], le32(r + 10), le32(r + 14));
	}
	o->p = p;
}

static void
put_pages(struct out *o, const struct laplace_step *step)
{
	const uint8_t *r = step->refs;
	uint8_t *p = o->p;

	for (uint32_t i = 0; i < step->n; i++, r += LAPLACE_RECORD) {
		p = out_room_at(o, p);
		p[0] = *r >= 'a' && *r <= 'z' ? *r & 0xdf : *r;
		p[1] = ' ';
		p = laplace_put32(p + 2, step->page[i]);
		*p++ = '\n';
	}
	o->p = p;
}

void
laplace_write(struct laplace_merge *m, struct out *o, bool pages)
{
	struct laplace_step step;

	laplace_line_start();
	while (laplace_merge_next(m, &step, BATCH)) {
		if (step.refs)
			(pages ? put_pages : put_lines)(o, &step);
		else if (!pages)
			out_bytes(o, step.raw.p, step.raw.n);
		if (o->line)
			out_flush(o);
	}
}
