/*
 * laplace_kernel.c - the rules of Laplace about kernel events: see check_laplace.h.
 *
 * A task, a space, a file or a mapping may be older than the trace, so each is known from the first event that names it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "trace-check/check_laplace.h"

/* clang-format off */
/* Events: kind, name, the function that takes one, and true if only the scheduled process does this. The event that
 * frees a page follows the one that takes a page. */
#define KERNEL_EVENTS(R) \
	R(E_SCHEDULE, "schedule", take_schedule, false) R(E_FORK, "fork", take_fork, false) \
	R(E_EXIT, "exit", take_exit, false) R(E_EXEC, "exec", take_exec, true) \
	R(E_SPACE, "space", take_space, false) R(E_DUP, "dup-range", take_dup, false) \
	R(E_MMAP, "mmap", take_range, true) R(E_ANON, "mmap-anon", take_range, true) \
	R(E_SHMAT, "shmat", take_range, true) R(E_MUNMAP, "munmap", take_range, false) \
	R(E_UNMAP_ALL, "unmap-all", take_unmap_all, false) R(E_COW, "cow", take_cow, true) \
	R(E_BUFFER, "buffer-alloc", take_page, false) R(E_BUFFER_FREE, "buffer-free", take_page, false) \
	R(E_CACHE, "cache-alloc", take_page, false) R(E_CACHE_FREE, "cache-free", take_page, false) \
	R(E_OPEN, "open", take_file, true) R(E_CLOSE, "close", take_file, false) \
	R(E_READ, "read", take_file, true) R(E_WRITE, "write", take_file, true) \
	R(E_DELETE, "delete", take_file, false)
#define EVENT_KIND(kind, name, take, runs) kind,
#define EVENT_TEXT(kind, name, take, runs) name,
#define EVENT_TAKER(kind, name, take, runs) {take, runs},

enum kernel_kind { KERNEL_EVENTS(EVENT_KIND) };

/* Maps, with their keys, and the values of an entry. The keys of COPIED are a space and a page. */
enum { TASKS, SPACES, PAGES, CACHED, FILES, OPEN_FILES, COPIED };
enum { DEAD, TASK_SPACE, GIVEN, FORKED }; /* TASKS: pid. Its space, and whether an event gave one to it */
enum { GIVEN_AT };                        /* SPACES: space. Number of forks before a process got it */
enum { TAKER };                           /* PAGES: address. Event that took it */
enum { PAGE_AT };                         /* CACHED: inode, device, offset. Address of the page */
enum { ALL_OPENS, DELETED };              /* FILES: inode, device */
enum { OPENS };                           /* OPEN_FILES: pid, inode, device */
/* clang-format on */

const char *const kernel_events[] = {KERNEL_EVENTS(EVENT_TEXT) NULL};
/* Bound: trace-check | tasks, spaces, files and pages of Laplace | kernel events | 131072 of each | more than 131072 */
#define STATES (1u << 17)
const struct map_kind kernel_maps[] = {
    [TASKS] = {"tasks", STATES},	 [SPACES] = {"spaces", STATES},
    [PAGES] = {"pages", STATES},	 [CACHED] = {"pages of files", STATES},
    [FILES] = {"files", STATES},	 [OPEN_FILES] = {"open files", STATES},
    [COPIED] = {"copied pages", STATES}, {0},
};
/* Bound: trace-check | mapped regions of Laplace | kernel events | 65536 | more than 65536 mapped regions */
#define REGIONS (1u << 16)

/* A mapped range of a space. shared: another space has a copy of it. */
struct mapped_region {
	uint64_t space, begin, end;
	bool shared;
};

/* An event with its arguments. */
struct laplace_event {
	enum kernel_kind kind;
	const char *name;
	uint64_t pid, a[A_REGION];
	uint64_t device;
};

/* Returns true if a rule about regions is checked: each change of a region moves those behind it. */
static bool
wants_regions(const struct check_run *c)
{
	return wants(c, BAD_UNMAP) || wants(c, BAD_OVERLAP) || wants(c, BAD_COW);
}

/* Returns the first region of a space that ends after `begin`, or the place where it would be. */
static size_t
region_at(const struct laplace_check *x, uint64_t space, uint64_t begin)
{
	size_t low = 0, high = x->nregions;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct mapped_region *r = &x->region[mid];

		if (r->space < space || (r->space == space && r->end <= begin))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Returns true if region i, which ends after the begin of a range, is of the space and begins before `end`. */
static bool
overlaps(const struct laplace_check *x, size_t i, uint64_t space, uint64_t end)
{
	return i < x->nregions && x->region[i].space == space && x->region[i].begin < end;
}

static void
region_insert(struct check_run *c, size_t i, struct mapped_region r)
{
	struct laplace_check *x = c->own;

	if (x->nregions == REGIONS) {
		check_limit(c, "mapped regions", REGIONS);
		return;
	}
	GROW(x->region, x->region_cap, x->nregions + 1);
	memmove(&x->region[i + 1], &x->region[i], (x->nregions - i) * sizeof r);
	x->region[i] = r;
	x->nregions++;
}

/* Takes a range out of the regions. Returns true if a region had a part of it. */
static bool
unmap(struct check_run *c, uint64_t space, uint64_t begin, uint64_t end)
{
	struct laplace_check *x = c->own;
	size_t i = region_at(x, space, begin);
	bool any = false;

	for (; overlaps(x, i, space, end); any = true) {
		struct mapped_region r = x->region[i], left = r, right = r;

		left.end = begin;
		right.begin = end;
		memmove(&x->region[i], &x->region[i + 1], (--x->nregions - i) * sizeof r);
		if (r.end > end)
			region_insert(c, i, right);
		if (r.begin < begin)
			region_insert(c, i++, left);
	}
	return any;
}

/* Makes a range a region, and unmaps what was there. */
static void
map_range(struct check_run *c, struct mapped_region r)
{
	unmap(c, r.space, r.begin, r.end);
	region_insert(c, region_at(c->own, r.space, r.begin), r);
}

/* Returns the space of a task, or a number of its own if it is not known. */
static uint64_t
space_of(const struct check_run *c, uint64_t pid)
{
	const struct map_entry *task = map_find(c, TASKS, pid);

	return task && task->v[TASK_SPACE] ? task->v[TASK_SPACE] : pid | 1ull << 63;
}

/* Notes that an event other than a fork names a task; `runs`: only the scheduled process does what it does. */
static void
take_task(struct check_run *c, const struct laplace_event *e, bool runs)
{
	const struct laplace_check *x = c->own;
	struct map_entry *task = map_find(c, TASKS, e->pid);
	bool is_running = x->any_running && x->running == e->pid;

	if (!task) {
		/* A task that is older than the trace is scheduled before it acts. */
		if (x->any_running && e->kind != E_SCHEDULE)
			find(c, BAD_PID_KNOWN,
			     "process " U64 " was neither forked nor scheduled before",
			     e->pid);
		map_add(c, TASKS, e->pid);
	} else if (task->v[DEAD] && e->kind == E_EXIT)
		find_with(c, BAD_EXIT_ONCE, task->at, "process " U64 " exits again",
			  e->pid);
	else if (task->v[DEAD] && (e->kind != E_SCHEDULE || is_running)) {
		find_with(c, BAD_PID_DEAD, task->at, "%s of process " U64 " after its exit",
			  e->name, e->pid);
		task->v[DEAD] = 0;
	}
	if (runs && x->any_running && !is_running)
		find(c, BAD_RUNNING,
		     "%s of process " U64 ", while process " U64 " is scheduled", e->name,
		     e->pid, x->running);
}

static void
take_schedule(struct check_run *c, const struct laplace_event *e)
{
	struct laplace_check *x = c->own;
	struct map_entry *task = map_find(c, TASKS, e->pid);

	if (x->any_running && x->running == e->pid)
		find(c, BAD_SCHEDULE_SAME, "process " U64 " runs already", e->pid);
	if (task && task->v[FORKED] && !task->v[GIVEN])
		find_with(c, BAD_FORK_SPACE, task->at,
			  "process " U64 " is scheduled without a space", e->pid);
	if (task)
		task->v[FORKED] = 0;
	x->running = e->pid;
	x->any_running = true;
}

static void
take_fork(struct check_run *c, const struct laplace_event *e)
{
	struct laplace_check *x = c->own;
	struct map_entry *task = map_find(c, TASKS, e->pid);

	if (e->pid == e->a[A_PARENT])
		find(c, BAD_FORK_NEW, "process " U64 " forks itself", e->pid);
	else if (task && !task->v[DEAD])
		find_with(c, BAD_FORK_NEW, task->at,
			  "process " U64 " is forked, and is alive already", e->pid);
	if (task)
		map_drop(c, TASKS, task);
	task = map_add(c, TASKS, e->pid);
	task->v[TASK_SPACE] = space_of(c, e->a[A_PARENT]);
	task->v[FORKED] = 1;
	x->forks++;
}

/* Takes an event that gives a space to a process. */
static void
take_space(struct check_run *c, const struct laplace_event *e)
{
	struct laplace_check *x = c->own;
	struct map_entry *task = map_find(c, TASKS, e->pid);

	if (task) {
		task->v[TASK_SPACE] = e->a[A_SPACE];
		task->v[GIVEN] = 1;
	}
	map_put(c, SPACES, e->a[A_SPACE])->v[GIVEN_AT] = x->forks;
	x->exec_pid = e->pid;
	x->exec_steps = 1;
}

static void
take_exit(struct check_run *c, const struct laplace_event *e)
{
	struct map_entry *task = map_find(c, TASKS, e->pid);
	const struct map_entry *other = NULL;
	uint64_t space;

	if (!task)
		return;
	space = task->v[TASK_SPACE];
	if (wants(c, BAD_EXIT_UNMAP) && space && task->v[GIVEN] &&
	    map_find(c, SPACES, space)) {
		while ((other = map_next(c, TASKS, other)))
			if (other != task && !other->v[DEAD] &&
			    other->v[TASK_SPACE] == space)
				break;
		if (!other)
			find(c, BAD_EXIT_UNMAP,
			     "the last process of space " X64 " exits, and the space was "
			     "not unmapped",
			     space);
	}
	task->v[DEAD] = 1;
	task->at = c->here;
}

static void
take_dup(struct check_run *c, const struct laplace_event *e)
{
	uint64_t from = e->a[A_SOURCE], to = e->a[A_TARGET], begin = e->a[A_ADDR],
		 end = e->a[A_STOP];
	struct laplace_check *x = c->own;
	const struct map_entry *space = map_find(c, SPACES, to);
	size_t i;

	if (from == to || begin >= end || (begin | end) % PAGE)
		find(c, BAD_DUP, "a range " X64 " to " X64 " %s", begin, end,
		     from == to	    ? "is copied into its own space"
		     : begin >= end ? "has no bytes"
				    : "is not of whole pages");
	if (!space || space->v[GIVEN_AT] != x->forks)
		find(c, BAD_DUP_SPACE,
		     "space " X64 " was not given to a process since the last fork", to);
	if (begin >= end || from == to || !wants_regions(c))
		return;
	i = region_at(x, from, begin);
	if (overlaps(x, i, from, end))
		x->region[i].shared = true;
	else
		region_insert(c, i, (struct mapped_region){from, begin, end, true});
	map_range(c, (struct mapped_region){to, begin, end, true});
}

/* Takes an event that maps a range, or unmaps one. */
static void
take_range(struct check_run *c, const struct laplace_event *e)
{
	uint64_t begin = e->a[A_ADDR], n = e->a[A_SIZE], end = begin + n,
		 space = space_of(c, e->pid);
	struct laplace_check *x = c->own;
	size_t i = region_at(x, space, begin);

	if (e->kind == E_ANON && e->pid == x->exec_pid)
		x->exec_steps |= 2;
	if (begin % PAGE || n % PAGE || !n || end < begin ||
	    (e->kind == E_MMAP && e->a[A_OFFSET] % PAGE))
		find(c, BAD_MAP_ALIGN, "%s of " X64 " bytes at " X64 "%s", e->name, n,
		     begin,
		     !n		   ? ": no bytes"
		     : end < begin ? ": beyond the end of memory"
				   : ": not whole pages");
	else if (!wants_regions(c))
		return;
	else if (e->kind == E_MUNMAP) {
		if (!unmap(c, space, begin, end))
			find(c, BAD_UNMAP,
			     X64 " bytes at " X64 " are unmapped, and were not mapped", n,
			     begin);
	} else {
		if (overlaps(x, i, space, end))
			find(c, BAD_OVERLAP,
			     "%s over the region at " X64 ", which was not unmapped",
			     e->name, x->region[i].begin);
		map_range(c, (struct mapped_region){space, begin, end, false});
	}
}

static void
take_unmap_all(struct check_run *c, const struct laplace_event *e)
{
	struct map_entry *space = map_find(c, SPACES, e->a[A_SPACE]);
	struct laplace_check *x = c->own;

	if (!space)
		find(c, BAD_SPACE_LIVE,
		     "space " X64 " is given up, and no process was given it",
		     e->a[A_SPACE]);
	unmap(c, e->a[A_SPACE], 0, UINT64_MAX);
	if (space)
		map_drop(c, SPACES, space);
	x->exec_steps |= 4;
}

static void
check_page(struct check_run *c, uint64_t page)
{
	if (page % PAGE)
		find(c, BAD_PAGE, "page address " X64 " is none", page);
}

static void
take_cow(struct check_run *c, const struct laplace_event *e)
{
	uint64_t space = space_of(c, e->pid), page = e->a[A_ADDR];
	const struct laplace_check *x = c->own;
	size_t i = region_at(x, space, page);
	bool shared = overlaps(x, i, space, page + 1) && x->region[i].shared;

	if (!shared || map_find(c, COPIED, space, page))
		find(c, BAD_COW, "page " X64 " is copied, and %s", page,
		     shared ? "was before" : "no range with it is shared");
	else if (wants(c, BAD_COW))
		map_add(c, COPIED, space, page);
	check_page(c, page);
}

/* Looks whether a page of a file is in the cache already, at another address. */
static void
check_cached(struct check_run *c, const struct laplace_event *e)
{
	struct map_entry *at =
	    map_find(c, CACHED, e->a[A_INODE], e->device, e->a[A_OFFSET]);

	if (at && map_find(c, PAGES, at->v[PAGE_AT]))
		find_with(c, BAD_CACHE_PAGE, at->at,
			  "this page of the file is at " X64 ", too", at->v[PAGE_AT]);
	at = map_put(c, CACHED, e->a[A_INODE], e->device, e->a[A_OFFSET]);
	at->v[PAGE_AT] = e->a[A_ADDR];
}

/* Takes an event that takes a page of the kernel, or frees one. */
static void
take_page(struct check_run *c, const struct laplace_event *e)
{
	bool takes = e->kind == E_BUFFER || e->kind == E_CACHE, was_free;
	struct map_entry *page = map_find(c, PAGES, e->a[A_ADDR]);

	check_page(c, e->a[A_ADDR]);
	if (takes) {
		if (page)
			find_with(c, BAD_CACHE, page->at,
				  "page " X64 " is allocated, and was not freed",
				  e->a[A_ADDR]);
		was_free = !page;
		map_put(c, PAGES, e->a[A_ADDR])->v[TAKER] = e->kind;
		if (was_free && e->kind == E_CACHE && wants(c, BAD_CACHE_PAGE))
			check_cached(c, e);
	} else if (page) {
		if (page->v[TAKER] + 1 != e->kind)
			find_with(c, BAD_CACHE_KIND, page->at, "%s of a page that %s took",
				  e->name, kernel_events[page->v[TAKER]]);
		map_drop(c, PAGES, page);
	}
}

/* Takes an event that names a file. */
static void
take_file(struct check_run *c, const struct laplace_event *e)
{
	uint64_t inode = e->a[A_INODE];
	struct map_entry *file = map_put(c, FILES, inode, e->device),
			 *open = map_find(c, OPEN_FILES, e->pid, inode, e->device);
	bool io = e->kind == E_READ || e->kind == E_WRITE;

	if (!file->live)
		return;
	if (file->v[DELETED] && !file->v[ALL_OPENS] && e->kind != E_OPEN &&
	    e->kind != E_DELETE)
		find_with(c, BAD_DELETED, file->at,
			  "%s of inode " U64 ", which was deleted", e->name, inode);
	file->v[DELETED] = e->kind == E_DELETE;
	if (e->kind == E_DELETE)
		file->at = c->here;
	if (e->kind == E_OPEN) {
		file->v[ALL_OPENS]++;
		map_put(c, OPEN_FILES, e->pid, inode, e->device)->v[OPENS]++;
	} else if (e->kind == E_CLOSE) {
		if (!open)
			find(c, BAD_CLOSE,
			     "process " U64 " closes inode " U64 ", and has not opened it",
			     e->pid, inode);
		file->v[ALL_OPENS] -= file->v[ALL_OPENS] > 0;
		if (open && !--open->v[OPENS])
			map_drop(c, OPEN_FILES, open);
	}
	if (io && !file->v[ALL_OPENS])
		find(c, BAD_IO_OPEN, "%s of inode " U64 ", which is not open", e->name,
		     inode);
	if (io && !e->a[A_SIZE])
		find(c, BAD_IO_ZERO, "a %s of no bytes", e->name);
}

/* Checks the order of an exec: the process gets a space, maps its stack, gives up the old space, and maps the program. */
static void
take_exec(struct check_run *c, const struct laplace_event *e)
{
	struct laplace_check *x = c->own;

	if (x->exec_pid != e->pid || x->exec_steps != 7)
		find(c, BAD_EXEC_ORDER,
		     "exec of process " U64 " without a new space, its stack, and mappings",
		     e->pid);
	x->exec_steps = 0;
}

static const struct {
	void (*take)(struct check_run *c, const struct laplace_event *e);
	bool runs;
} takers[] = {KERNEL_EVENTS(EVENT_TAKER)};

bool
kernel_take(struct check_run *c)
{
	int kind = event_index(c);
	struct laplace_event e;
	bool has_pid;

	if (kind < 0)
		return false;
	e = (struct laplace_event){.kind = (enum kernel_kind)kind,
				   .name = kernel_events[kind]};
	c->here = event_place(c);
	has_pid = argument_number(c, A_PID, &e.pid);
	for (unsigned a = A_ADDR; a < A_REGION; a++)
		argument_number(c, a, &e.a[a]);
	e.device = e.a[A_MAJOR] << 32 | (e.a[A_MINOR] & UINT32_MAX);
	if (has_pid && kind != E_FORK)
		take_task(c, &e, takers[kind].runs);
	takers[kind].take(c, &e);
	return true;
}
