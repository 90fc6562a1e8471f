/* check_ovni_place.c - threads of ovni by name, and places of their events: see check_ovni.h. */
#include <string.h>

#include "base/num.h"
#include "trace-check/check_ovni.h"

struct ovni_thread *
thread_named(struct ovni_check *x, const char *name, size_t n)
{
	const char *slash = memchr(name, '/', n), *end = name + n;
	const char *tid = slash ? memchr(slash + 1, '/', (size_t)(end - slash - 1)) : NULL;
	struct ovni_thread *t, *up = NULL;
	struct map_entry *e;
	uint64_t number;
	uint32_t id;

	if (strtab_find(&x->names, name, n, &id))
		return &x->thread[id];
	if (slash)
		up = thread_named(x, name, (size_t)((tid ? tid : slash) - name));
	if (x->names.n == OVNI_THREADS || (slash && !up)) {
		check_limit(x->c, "looms, processes and threads", OVNI_THREADS);
		return NULL;
	}
	t = &x->thread[id = strtab_id(&x->names, name, n)];
	t->name = x->names.v[id].s;
	t->loom = up ? up->loom : id;
	t->process = tid ? up->process : id;
	t->cpu = -2;
	if (tid &&
	    !digits_u64((const uint8_t *)tid + 1, (size_t)(end - tid - 1), &number)) {
		e = map_put(x->c, TIDS, number, t->loom);
		e->v[TID_THREAD] = e->v[TID_THREAD] ? e->v[TID_THREAD] : id + 1;
	}
	return t;
}

uint64_t
mark_slow(struct ovni_check *x)
{
	const struct ovni_stream *st = x->t->st;
	struct trace_place at;

	if (!x->c->b)
		return x->mark;
	/* A stream with a region that is sorted has another order in the file: the mark is the clock. */
	if (st)
		return (uint64_t)batch_rec(x->c->b, x->c->i)->time +
		       ((struct ovni *)x->s->state)->origin - st->add;
	at = event_place(x->c);
	x->place_kind = at.kind;
	return at.n;
}

/* Returns the place of the event of t with that mark, sought from a point on, or the whole file. */
static struct trace_place
sought(struct ovni_check *x, const struct ovni_thread *t, uint64_t mark, uint64_t point)
{
	struct ovni_stream *st = t->st;
	struct ovni_cursor *c = ovni_cursor_new(st, t->point[point].offset, UINT64_MAX);
	struct trace_place at = in_file(st->path);
	struct ovni_frame f;

	c->stop = UINT64_MAX;
	c->quiet = true;
	c->last = t->point[point].clock + c->add;
	for (uint64_t n = point * POINT_EVENTS + 1; ovni_settle(x->s, c, &f); n++) {
		if ((st->first_stop ? f.clock : n) == mark) {
			at = at_offset(st->path, ovni_offset(c));
			break;
		}
		c->last = ovni_key(c, f.clock);
		ovni_pass(x->s, c, &f);
	}
	ovni_cursor_free(c);
	return at;
}

/* Returns the place of the event of t with that mark; 0 is the whole file. */
static struct trace_place
place_at(struct ovni_check *x, const struct ovni_thread *t, uint64_t mark)
{
	struct trace_place at = {x->s->name, x->place_kind, mark};
	uint64_t point = (mark - 1) / POINT_EVENTS;

	if (!t->st || !mark || !t->npoints)
		return t->st || !mark ? in_file(t->st ? t->st->path : x->s->name) : at;
	point = point < t->npoints ? point : t->npoints - 1;
	if (!t->st->first_stop)
		return sought(x, t, mark, point);
	/* Regions that are sorted reach back a little, so this point is before the event, except in strange files. */
	for (point = t->npoints - 1; point && t->point[point].clock > mark; point--)
		;
	at = sought(x, t, mark, point ? point - 1 : 0);
	return at.kind == IN_FILE && point > 1 ? sought(x, t, mark, 0) : at;
}

struct trace_place
since(struct ovni_check *x, const struct ovni_thread *t, uint64_t mark)
{
	return mark ? place_at(x, t, mark) : NOT_KNOWN;
}

struct trace_place
ovni_place(struct check_run *c)
{
	struct ovni_check *x = c->own;

	return place_at(x, x->t, mark_now(x));
}
