/*
 * laplace_kernel.c - the rules of Laplace about kernel events: see check_laplace.h.
 *
 * A task, a space, a file or a mapping may be older than the trace, so each is known from the first event that names it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "trace-check/check_laplace.h"

enum kernel_kind {
	E_SCHEDULE,
	E_FORK,
	E_EXIT,
	E_EXEC,
	E_SPACE,
	E_DUP,
	E_MMAP,
	E_ANON,
	E_SHMAT,
	E_MUNMAP,
	E_UNMAP_ALL,
	E_COW,
	E_BUFFER,
	E_BUFFER_FREE,
	E_CACHE,
	E_CACHE_FREE,
	E_OPEN,
	E_CLOSE,
	E_READ,
	E_WRITE,
	E_DELETE,
	E_END
};
static const char *const events[] = {
    "schedule",	    "fork",	   "exit",	  "exec",	"space",     "dup-range",
    "mmap",	    "mmap-anon",   "shmat",	  "munmap",	"unmap-all", "cow",
    "buffer-alloc", "buffer-free", "cache-alloc", "cache-free", "open",	     "close",
    "read",	    "write",	   "delete",	  "end",	NULL};

enum kernel_arg {
	A_PID,
	A_ADDR,
	A_SIZE,
	A_PARENT,
	A_SPACE,
	A_SOURCE,
	A_TARGET,
	A_STOP,
	A_INODE,
	A_MAJOR,
	A_MINOR,
	A_OFFSET,
	ARGS
};
static const char *const args[] = {"loc",    "addr",   "size", "parent", "space",
				   "source", "target", "stop", "inode",	 "major",
				   "minor",  "offset", NULL};

#define PAGE 4096u
/* Bound: trace-check | tasks, spaces, files and pages of Laplace | kernel events | 131072 of each | more than 131072 */
#define STATES (1u << 17)
/* Bound: trace-check | mapped regions of Laplace | kernel events | 65536 | more than 65536 mapped regions */
#define REGIONS (1u << 16)

/* A mapped range of a space. shared: another space has a copy of it. */
struct mapped_region {
	uint64_t space, begin, end;
	bool shared;
};

struct laplace_kernel {
	struct arguments values;
	struct number_map task;	      /* pid: dead, space, was given a space, was forked */
	struct number_map space;      /* space: given after the last fork */
	struct number_map page;	      /* page frame: event that took it */
	struct number_map cached;     /* inode, device, offset: page */
	struct number_map file;	      /* inode, device: opens of all tasks, deleted */
	struct number_map open;	      /* pid, inode, device: opens */
	struct number_map copied;     /* space, page */
	struct mapped_region *region; /* in order of space and begin */
	size_t nregions, region_cap;
	bool maps; /* a rule about regions is checked: each change moves those behind it */
	uint64_t running, forks;
	bool any_running;
	/* The events of the task in progress since its last `space`, for the order of an exec. */
	uint64_t exec_pid;
	unsigned exec_steps;
};

struct laplace_kernel *
kernel_new(void)
{
	struct laplace_kernel *k = xcalloc(1, sizeof *k);
	struct number_map *maps[] = {&k->task, &k->space, &k->page,  &k->cached,
				     &k->file, &k->open,  &k->copied};
	static const char *const what[] = {"tasks",	     "spaces", "pages",
					   "pages of files", "files",  "open files",
					   "copied pages"};

	k->values.events = events;
	k->values.args = args;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		*maps[i] = (struct number_map){.what = what[i], .most = STATES};
	return k;
}

void
kernel_free(struct laplace_kernel *k)
{
	struct number_map *maps[] = {&k->task, &k->space, &k->page,  &k->cached,
				     &k->file, &k->open,  &k->copied};

	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		map_free(maps[i]);
	arguments_free(&k->values);
	free(k->region);
	free(k);
}

/* An event with its arguments. */
struct laplace_event {
	enum kernel_kind event;
	struct trace_place at;
	uint64_t a[ARGS];
	bool has[ARGS];
	uint64_t device;
};

/* Returns the index of the first region of a space that ends after `begin`, or of the place where it would be. */
static size_t
region_at(const struct laplace_kernel *k, uint64_t space, uint64_t begin)
{
	size_t low = 0, high = k->nregions;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct mapped_region *r = &k->region[mid];

		if (r->space < space || (r->space == space && r->end <= begin))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool
overlaps(const struct laplace_kernel *k, size_t i, uint64_t space, uint64_t begin,
	 uint64_t end)
{
	(void)begin;
	return i < k->nregions && k->region[i].space == space && k->region[i].begin < end;
}

static void
region_insert(struct check_run *c, struct laplace_kernel *k, size_t i,
	      struct mapped_region r)
{
	if (k->nregions == REGIONS) {
		check_limit(c, "mapped regions", REGIONS);
		return;
	}
	GROW(k->region, k->region_cap, k->nregions + 1);
	memmove(&k->region[i + 1], &k->region[i], (k->nregions - i) * sizeof r);
	k->region[i] = r;
	k->nregions++;
}

/* Takes a range out of the regions. Returns true if a region had a part of it. */
static bool
unmap(struct check_run *c, struct laplace_kernel *k, uint64_t space, uint64_t begin,
      uint64_t end)
{
	size_t i = region_at(k, space, begin);
	bool any = false;

	while (overlaps(k, i, space, begin, end)) {
		struct mapped_region r = k->region[i];

		any = true;
		memmove(&k->region[i], &k->region[i + 1], (--k->nregions - i) * sizeof r);
		if (r.end > end)
			region_insert(c, k, i,
				      (struct mapped_region){space, end, r.end, r.shared});
		if (r.begin < begin)
			region_insert(
			    c, k, i++,
			    (struct mapped_region){space, r.begin, begin, r.shared});
	}
	return any;
}

/* Returns the space of a task, or a number of its own if it is not known. */
static uint64_t
space_of(const struct laplace_kernel *k, uint64_t pid)
{
	const struct map_entry *task = map_find(&k->task, pid, 0, 0);

	return task && task->v[1] ? task->v[1] : pid | 1ull << 63;
}

/* Notes that an event names a task. */
static void
take_task(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	uint64_t pid = e->a[A_PID];
	struct map_entry *task = map_find(&k->task, pid, 0, 0);

	if (e->event == E_FORK)
		return;
	if (!task) {
		/* A task that is older than the trace is scheduled before it acts. */
		if (k->any_running && e->event != E_SCHEDULE)
			find(c, BAD_PID_KNOWN, e->at,
			     "process %llu was neither forked nor scheduled before",
			     (unsigned long long)pid);
		map_add(c, &k->task, pid, 0, 0, e->at);
	} else if (task->v[0] && e->event == E_EXIT)
		find_with(c, BAD_EXIT_ONCE, e->at, task->at, "process %llu exits again",
			  (unsigned long long)pid);
	else if (task->v[0] &&
		 (e->event != E_SCHEDULE || (k->any_running && k->running == pid))) {
		find_with(c, BAD_PID_DEAD, e->at, task->at,
			  "%s of process %llu after its exit", events[e->event],
			  (unsigned long long)pid);
		task->v[0] = 0;
	}
	if (wants(c, BAD_RUNNING) && k->any_running && pid != k->running &&
	    (e->event == E_MMAP || e->event == E_ANON || e->event == E_SHMAT ||
	     e->event == E_READ || e->event == E_WRITE || e->event == E_OPEN ||
	     e->event == E_EXEC || e->event == E_COW))
		find(c, BAD_RUNNING, e->at,
		     "%s of process %llu, while process %llu is scheduled",
		     events[e->event], (unsigned long long)pid,
		     (unsigned long long)k->running);
}

static void
take_schedule(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	struct map_entry *task = map_find(&k->task, e->a[A_PID], 0, 0);

	if (k->any_running && k->running == e->a[A_PID] && wants(c, BAD_SCHEDULE_SAME))
		find(c, BAD_SCHEDULE_SAME, e->at, "process %llu runs already",
		     (unsigned long long)e->a[A_PID]);
	if (task && task->v[3] && !task->v[2] && wants(c, BAD_FORK_SPACE))
		find_with(c, BAD_FORK_SPACE, e->at, task->at,
			  "process %llu is scheduled without a space",
			  (unsigned long long)e->a[A_PID]);
	if (task)
		task->v[3] = 0;
	k->running = e->a[A_PID];
	k->any_running = true;
}

static void
take_fork(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	uint64_t pid = e->a[A_PID];
	struct map_entry *task = map_find(&k->task, pid, 0, 0);

	if (pid == e->a[A_PARENT])
		find(c, BAD_FORK_NEW, e->at, "process %llu forks itself",
		     (unsigned long long)pid);
	else if (task && !task->v[0])
		find_with(c, BAD_FORK_NEW, e->at, task->at,
			  "process %llu is forked, and is alive already",
			  (unsigned long long)pid);
	if (task)
		map_drop(&k->task, task);
	task = map_add(c, &k->task, pid, 0, 0, e->at);
	if (task) {
		task->v[1] = space_of(k, e->a[A_PARENT]);
		task->v[3] = 1;
	}
	k->forks++;
}

/* A process gets a space. */
static void
take_space(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	struct map_entry *task = map_find(&k->task, e->a[A_PID], 0, 0), *space;

	if (task) {
		task->v[1] = e->a[A_SPACE];
		task->v[2] = 1;
	}
	space = map_put(c, &k->space, e->a[A_SPACE], 0, 0, e->at);
	if (space)
		space->v[0] = k->forks;
	k->exec_pid = e->a[A_PID];
	k->exec_steps = 1;
}

static void
take_exit(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	struct map_entry *task = map_find(&k->task, e->a[A_PID], 0, 0);
	uint64_t space;
	bool others = false;

	if (!task)
		return;
	space = task->v[1];
	for (size_t i = 0; wants(c, BAD_EXIT_UNMAP) && i < k->task.n && !others; i++)
		others = k->task.e[i].live && &k->task.e[i] != task && !k->task.e[i].v[0] &&
			 k->task.e[i].v[1] == space;
	if (space && task->v[2] && !others && map_find(&k->space, space, 0, 0) &&
	    wants(c, BAD_EXIT_UNMAP))
		find(c, BAD_EXIT_UNMAP, e->at,
		     "the last process of space 0x%llx exits, and the space was not "
		     "unmapped",
		     (unsigned long long)space);
	task->v[0] = 1;
	task->at = e->at;
}

static void
take_dup(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	uint64_t from = e->a[A_SOURCE], to = e->a[A_TARGET], begin = e->a[A_ADDR],
		 end = e->a[A_STOP];
	const struct map_entry *space = map_find(&k->space, to, 0, 0);
	size_t i;

	if (from == to || begin >= end || (begin | end) % PAGE)
		find(c, BAD_DUP, e->at, "a range 0x%llx to 0x%llx %s",
		     (unsigned long long)begin, (unsigned long long)end,
		     from == to	    ? "is copied into its own space"
		     : begin >= end ? "has no bytes"
				    : "is not of whole pages");
	if (!space || space->v[0] != k->forks)
		find(c, BAD_DUP_SPACE, e->at,
		     "space 0x%llx was not given to a process since the last fork",
		     (unsigned long long)to);
	if (begin >= end || from == to || !k->maps)
		return;
	i = region_at(k, from, begin);
	if (overlaps(k, i, from, begin, end))
		k->region[i].shared = true;
	else
		region_insert(c, k, i, (struct mapped_region){from, begin, end, true});
	unmap(c, k, to, begin, end);
	region_insert(c, k, region_at(k, to, begin),
		      (struct mapped_region){to, begin, end, true});
}

/* A range is mapped, or unmapped. */
static void
take_range(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	uint64_t begin = e->a[A_ADDR], n = e->a[A_SIZE], space = space_of(k, e->a[A_PID]);
	size_t i = region_at(k, space, begin);

	if (begin % PAGE || n % PAGE || !n || begin + n < begin ||
	    (e->event == E_MMAP && e->a[A_OFFSET] % PAGE)) {
		find(c, BAD_MAP_ALIGN, e->at, "%s of 0x%llx bytes at 0x%llx%s",
		     events[e->event], (unsigned long long)n, (unsigned long long)begin,
		     !n			 ? ": no bytes"
		     : begin + n < begin ? ": beyond the end of memory"
					 : ": not whole pages");
		return;
	}
	if (!k->maps)
		return;
	if (e->event == E_MUNMAP) {
		if (!unmap(c, k, space, begin, begin + n))
			find(c, BAD_UNMAP, e->at,
			     "0x%llx bytes at 0x%llx are unmapped, and were not mapped",
			     (unsigned long long)n, (unsigned long long)begin);
		return;
	}
	if (overlaps(k, i, space, begin, begin + n))
		find(c, BAD_OVERLAP, e->at,
		     "%s over the region at 0x%llx, which was not unmapped",
		     events[e->event], (unsigned long long)k->region[i].begin);
	unmap(c, k, space, begin, begin + n);
	region_insert(c, k, region_at(k, space, begin),
		      (struct mapped_region){space, begin, begin + n, false});
}

static void
take_unmap_all(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	struct map_entry *space = map_find(&k->space, e->a[A_SPACE], 0, 0);

	if (!space && wants(c, BAD_SPACE_LIVE))
		find(c, BAD_SPACE_LIVE, e->at,
		     "space 0x%llx is given up, and no process was given it",
		     (unsigned long long)e->a[A_SPACE]);
	unmap(c, k, e->a[A_SPACE], 0, UINT64_MAX);
	if (space)
		map_drop(&k->space, space);
}

static void
take_cow(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	uint64_t space = space_of(k, e->a[A_PID]), page = e->a[A_ADDR];
	size_t i = region_at(k, space, page);
	bool shared = overlaps(k, i, space, page, page + 1) && k->region[i].shared;

	if (!wants(c, BAD_COW))
		return;
	if (!shared || map_find(&k->copied, space, page, 0))
		find(c, BAD_COW, e->at, "page 0x%llx is copied, and %s",
		     (unsigned long long)page,
		     shared ? "was before" : "no range with it is shared");
	else
		map_add(c, &k->copied, space, page, 0, e->at);
}

/* A page of the kernel is taken or freed. */
static void
take_page(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	bool takes = e->event == E_BUFFER || e->event == E_CACHE;
	struct map_entry *page = map_find(&k->page, e->a[A_ADDR], 0, 0), *at;

	if (takes && page) {
		find_with(c, BAD_CACHE, e->at, page->at,
			  "page 0x%llx is allocated, and was not freed",
			  (unsigned long long)e->a[A_ADDR]);
		page->v[0] = e->event;
		return;
	}
	if (takes) {
		page = map_add(c, &k->page, e->a[A_ADDR], 0, 0, e->at);
		if (page)
			page->v[0] = e->event;
	} else if (page) {
		if (page->v[0] + 1 != (uint64_t)e->event)
			find_with(c, BAD_CACHE_KIND, e->at, page->at,
				  "%s of a page that %s took", events[e->event],
				  events[page->v[0]]);
		map_drop(&k->page, page);
	}
	if (e->event != E_CACHE || !wants(c, BAD_CACHE_PAGE))
		return;
	at = map_find(&k->cached, e->a[A_INODE], e->device, e->a[A_OFFSET]);
	if (at && map_find(&k->page, at->v[0], 0, 0))
		find_with(c, BAD_CACHE_PAGE, e->at, at->at,
			  "this page of the file is at 0x%llx, too",
			  (unsigned long long)at->v[0]);
	at = map_put(c, &k->cached, e->a[A_INODE], e->device, e->a[A_OFFSET], e->at);
	if (at)
		at->v[0] = e->a[A_ADDR];
}

/* An event names a file. */
static void
take_file(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	uint64_t inode = e->a[A_INODE];
	struct map_entry *file = map_put(c, &k->file, inode, e->device, 0, e->at), *open;

	if (!file)
		return;
	if (e->event == E_DELETE) {
		file->v[1] = 1;
		file->at = e->at;
		return;
	}
	if (file->v[1] && e->event != E_OPEN && !file->v[0])
		find_with(c, BAD_DELETED, e->at, file->at,
			  "%s of inode %llu, which was deleted", events[e->event],
			  (unsigned long long)inode);
	file->v[1] = 0;
	open = map_find(&k->open, e->a[A_PID], inode, e->device);
	if (e->event == E_OPEN) {
		file->v[0]++;
		open = open ? open
			    : map_add(c, &k->open, e->a[A_PID], inode, e->device, e->at);
		if (open)
			open->v[0]++;
	} else if (e->event == E_CLOSE) {
		if (!open && wants(c, BAD_CLOSE))
			find(c, BAD_CLOSE, e->at,
			     "process %llu closes inode %llu, and has not opened it",
			     (unsigned long long)e->a[A_PID], (unsigned long long)inode);
		file->v[0] -= file->v[0] > 0;
		if (open && !--open->v[0])
			map_drop(&k->open, open);
	} else if (e->event == E_READ || e->event == E_WRITE) {
		if (!file->v[0] && wants(c, BAD_IO_OPEN))
			find(c, BAD_IO_OPEN, e->at, "%s of inode %llu, which is not open",
			     events[e->event], (unsigned long long)inode);
		if (!e->a[A_SIZE] && wants(c, BAD_IO_ZERO))
			find(c, BAD_IO_ZERO, e->at, "a %s of no bytes", events[e->event]);
	}
}

/* Holds the order of an exec: the process gets a space, maps its stack, gives up the old space, and maps the program. */
static void
take_exec(struct check_run *c, struct laplace_kernel *k, const struct laplace_event *e)
{
	if (e->event == E_EXEC && wants(c, BAD_EXEC_ORDER) &&
	    (k->exec_pid != e->a[A_PID] || k->exec_steps != 7))
		find(c, BAD_EXEC_ORDER, e->at,
		     "exec of process %llu without a new space, its stack, and mappings",
		     (unsigned long long)e->a[A_PID]);
	if (e->event == E_ANON && e->a[A_PID] == k->exec_pid)
		k->exec_steps |= 2;
	if (e->event == E_UNMAP_ALL)
		k->exec_steps |= 4;
	if (e->event == E_EXEC)
		k->exec_steps = 0;
}

bool
kernel_take(struct check_run *c, struct laplace_kernel *k, struct source *s,
	    const struct batch *b, uint32_t i)
{
	const struct rec *r = batch_rec(b, i);
	int event = event_index(&k->values, s, r);
	struct laplace_event e = {.event = (enum kernel_kind)event};

	if (event < 0 || event == E_END)
		return false;
	k->maps = wants(c, BAD_UNMAP) || wants(c, BAD_OVERLAP) || wants(c, BAD_COW);
	e.at = place_of(c, s, b, i);
	for (unsigned a = 0; a < ARGS; a++)
		e.has[a] = argument_number(&k->values, s, r, a, &e.a[a]);
	e.device = e.a[A_MAJOR] << 32 | (e.a[A_MINOR] & UINT32_MAX);
	if (e.has[A_PID])
		take_task(c, k, &e);
	switch (e.event) {
	case E_SCHEDULE: take_schedule(c, k, &e); break;
	case E_FORK: take_fork(c, k, &e); break;
	case E_EXIT: take_exit(c, k, &e); break;
	case E_SPACE: take_space(c, k, &e); break;
	case E_DUP: take_dup(c, k, &e); break;
	case E_MMAP:
	case E_ANON:
	case E_SHMAT:
	case E_MUNMAP: take_range(c, k, &e); break;
	case E_UNMAP_ALL: take_unmap_all(c, k, &e); break;
	case E_COW: take_cow(c, k, &e); break;
	default: break;
	}
	if (e.event >= E_COW && e.event <= E_CACHE_FREE) {
		if (e.a[A_ADDR] % PAGE)
			find(c, BAD_PAGE, e.at, "page address 0x%llx is none",
			     (unsigned long long)e.a[A_ADDR]);
		if (e.event != E_COW)
			take_page(c, k, &e);
	}
	if (e.event >= E_OPEN)
		take_file(c, k, &e);
	take_exec(c, k, &e);
	return true;
}
