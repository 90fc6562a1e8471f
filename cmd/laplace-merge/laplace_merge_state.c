/* laplace_merge_state.c - processes, address spaces, regions. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "laplace-merge/laplace_merge_state.h"

void
laplace_state_start(struct laplace_state *t)
{
	memset(t, 0, sizeof *t);
	t->current = NOBODY;
	strtab_id(&t->canon.names, "", 0); /* number 0 is no name */
}

void
laplace_state_free(struct laplace_state *t)
{
	canon_free(&t->canon);
	strtab_free(&t->pids);
	strtab_free(&t->ids);
	free(t->process);
	free(t->space);
}

static uint32_t
process_of(struct laplace_state *t, uint64_t pid)
{
	uint32_t known = t->pids.n, n = strtab_id(&t->pids, &pid, sizeof pid);

	if (n == known) {
		GROW(t->process, t->processcap, (size_t)n + 1);
		t->process[n] = (struct laplace_process){.pid = pid, .space = NOBODY};
	}
	return n;
}

uint32_t
laplace_state_space(struct laplace_state *t, uint64_t id)
{
	uint32_t known = t->ids.n, n = strtab_id(&t->ids, &id, sizeof id);

	if (n == known) {
		GROW(t->space, t->spacecap, (size_t)n + 1);
		t->space[n] = (struct space){.id = id};
	}
	return n;
}

uint32_t
laplace_state_name(const struct laplace_state *t, const struct laplace_process *p)
{
	const struct space *s = p->space == NOBODY ? NULL : &t->space[p->space];

	return s && s->named > p->named ? s->name : p->name;
}

void
kernel_event_read(struct kernel_event *e, const struct source *s, const struct rec *r,
		  struct span raw)
{
	const struct type *ty = &s->t.type[r->type];
	const uint8_t *p;
	uint32_t n, numbers = 0;

	memset(e, 0, sizeof *e);
	/* The name of a reference is its letter, or an escape. */
	e->tag = ty->event_len == 1 || *ty->event == '\\' ? 0 : *raw.p;
	e->time = (uint64_t)r->time;
	e->has_pid = r->loc != 0;
	e->pid = e->has_pid ? strtoull(s->t.str.v[r->loc].s, NULL, 10) : 0;
	e->addr = r->addr;
	e->size = r->size;
	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];

		if (a->kind == K_STR) {
			if (rec_span(r, a, &p, &n))
				e->name = (struct span){p, n};
		} else if (numbers < 4)
			e->arg[numbers++] = ld64((const uint8_t *)r + a->off);
	}
}

/* Sets [*from, *to) to the pages of the bytes [start, start + length) that references can reach. */
static void
pages_of(uint64_t start, uint64_t length, uint32_t *from, uint32_t *to)
{
	uint64_t last = start + (length - 1);

	*from = *to = 0;
	if (!length || start >> PAGE_BITS >= TREE_PAGES)
		return;
	if (last < start || last >> PAGE_BITS >= TREE_PAGES)
		last = ((uint64_t)TREE_PAGES << PAGE_BITS) - 1;
	*from = (uint32_t)(start >> PAGE_BITS);
	*to = (uint32_t)(last >> PAGE_BITS) + 1;
}

/* Maps the range of the event to a region, or to REGION_NONE. */
static void
map(struct laplace_state *t, const struct kernel_event *e, uint32_t region)
{
	uint32_t from, to;
	tree *root;

	if (e->space == NOBODY)
		return;
	root = &t->space[e->space].root;
	pages_of(e->addr, e->size, &from, &to);
	*root = tree_set(&t->canon.trees, *root, region, from, to);
}

static void
duplicate(struct laplace_state *t, const struct kernel_event *e)
{
	uint64_t start = e->addr, stop = e->arg[2];
	uint32_t from, to, source, target;
	tree *root;

	if (stop <= start) {
		t->no_range++;
		return;
	}
	source = laplace_state_space(t, e->arg[0]);
	target = laplace_state_space(t, e->arg[1]);
	pages_of(start, stop - start, &from, &to);
	root = &t->space[target].root;
	*root = tree_set(&t->canon.trees, *root, t->space[source].root, from, to);
}

void
laplace_state_learn(struct laplace_state *t, uint32_t process, uint64_t space)
{
	struct laplace_process *p = &t->process[process];
	uint32_t n = laplace_state_space(t, space);

	/* Programs that ran in the space before did not run in this process. */
	p->name = laplace_state_name(t, p);
	p->named = ++t->execs;
	p->space = n;
}

static void
clear_space(struct laplace_state *t, uint64_t id)
{
	uint32_t n = laplace_state_space(t, id); /* may move t->space */
	struct space *s = &t->space[n];

	tree_drop(&t->canon.trees, s->root);
	s->root = 0;
}

/* Begins a process as a thread of its parent. */
static void
begin_process(struct laplace_state *t, uint32_t child, uint64_t parent)
{
	uint32_t n = process_of(t, parent);
	struct laplace_process *c = &t->process[child];
	const struct laplace_process *p = &t->process[n];

	*c = (struct laplace_process){c->pid, p->space, laplace_state_name(t, p),
				      ++t->execs};
}

static void
exec(struct laplace_state *t, struct laplace_process *p, uint32_t name)
{
	p->name = name;
	p->named = ++t->execs;
	if (p->space != NOBODY) {
		t->space[p->space].name = name;
		t->space[p->space].named = t->execs;
	}
}

void
laplace_state_apply(struct laplace_state *t, struct kernel_event *e)
{
	struct canon *canon = &t->canon;

	e->process = e->has_pid ? process_of(t, e->pid) : NOBODY;
	e->space = e->has_pid ? t->process[e->process].space : NOBODY;
	e->file = NOBODY;
	if (e->tag && memchr("XMP()<>-", e->tag, 8)) {
		e->file = canon_file(canon, e->arg[1], e->arg[2], e->arg[0]);
		if (e->name.n)
			canon_name(canon, e->file, e->name.p, e->name.n);
	}
	switch (e->tag) {
	case 's': t->current = e->process; break;
	case 'F': begin_process(t, e->process, e->arg[0]); break;
	case 'A': laplace_state_learn(t, e->process, e->arg[0]); break;
	case 'T':
		e->runs = laplace_state_name(t, &t->process[e->process]);
		t->process[e->process] =
		    (struct laplace_process){.pid = e->pid, .space = NOBODY};
		return;
	case 'X': exec(t, &t->process[e->process], canon->object_name[e->file]); break;
	case 'M':
		map(t, e, canon_region(canon, REGION_FILE, e->file, e->addr, e->arg[3]));
		break;
	case 'm': map(t, e, REGION_ANON); break;
	case 'S':
		map(t, e,
		    canon_region(canon, REGION_SHM, canon_shm(canon, e->arg[0]), e->addr,
				 0));
		break;
	case 'U': map(t, e, REGION_NONE); break;
	case 'u': clear_space(t, e->arg[0]); break;
	case 'D': duplicate(t, e); break;
	case 'C':
		if (e->space != NOBODY)
			canon_copy(canon, &t->space[e->space].root, t->space[e->space].id,
				   e->addr, e->time);
		break;
	case 'P': canon_bind(canon, e->addr, e->file, e->arg[3]); break;
	case 'p': canon_unbind(canon, e->addr); break;
	}
	if (e->has_pid) {
		e->space = t->process[e->process].space;
		e->runs = laplace_state_name(t, &t->process[e->process]);
	}
}
