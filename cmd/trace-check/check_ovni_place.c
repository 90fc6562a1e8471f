/* check_ovni_place.c - threads of ovni by name, and places of their events: see check_ovni.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "trace-check/check_ovni.h"

struct ovni_thread *
thread_named(struct ovni_check *x, const char *name, size_t n)
{
	uint32_t known = x->names.n, id;
	const char *end = name + n, *loom, *process;
	struct ovni_thread *t;

	if (strtab_find(&x->names, name, n, &id))
		return &x->thread[id];
	if (known == OVNI_THREADS) {
		check_limit(x->c, "threads", OVNI_THREADS);
		return NULL;
	}
	id = strtab_id(&x->names, name, n);
	GROW(x->thread, x->thread_cap, id + 1u);
	t = &x->thread[id];
	*t = (struct ovni_thread){.name = x->names.v[id].s, .cpu = -2};
	loom = memchr(name, '/', n);
	loom = loom ? loom : end;
	t->loom = strtab_id(&x->looms, name, (size_t)(loom - name));
	process = loom < end ? memchr(loom + 1, '/', (size_t)(end - loom - 1)) : NULL;
	process = process ? process : end;
	t->process = strtab_id(&x->processes, name, (size_t)(process - name));
	if (process == end ||
	    digits_u64((const uint8_t *)process + 1, (size_t)(end - process - 1), &t->tid))
		return t;
	if (!map_find(&x->ids, id_key(ID_TID, t->loom), t->tid, 0)) {
		struct map_entry *e = map_add(x->c, &x->ids, id_key(ID_TID, t->loom),
					      t->tid, 0, (struct trace_place){0});

		if (e)
			e->v[0] = id;
	}
	return t;
}

uint64_t
mark_now(struct ovni_check *x, const struct ovni_thread *t)
{
	const struct ovni *o = x->s->state;
	struct trace_place at;

	/* A region that is sorted has another order in the file, so the clock is the mark. */
	if (t->st)
		return t->st->first_stop
			   ? (uint64_t)batch_rec(x->b, x->i)->time + o->origin - t->st->add
			   : t->n;
	at = place_of(x->c, x->s, x->b, x->i);
	x->marked = true;
	x->place_kind = at.kind;
	return at.n;
}

/* Returns the place of an event of t in its stream. */
static struct trace_place
file_place(struct ovni_check *x, const struct ovni_thread *t, uint64_t mark)
{
	struct source *s = x->s;
	struct ovni_stream *st = &((struct ovni *)s->state)->st[t->stream];
	struct trace_place at = in_file(st->path);
	struct stream_point from = {st->header ? OVNI_HEADER : 0, 0};
	bool by_clock = st->first_stop;
	uint64_t n = 1;
	struct ovni_cursor *c;
	struct ovni_frame f;

	if (!t->npoints)
		return at;
	for (size_t lo = 0, hi = t->npoints; lo < hi;) {
		size_t mid = (lo + hi) / 2;
		/* The clock of a region falls behind for less than two points, or else the search begins too late. */
		bool below =
		    by_clock ? t->point[mid].clock < mark : mid * POINT_EVENTS < mark;

		if (below) {
			from = t->point[mid];
			n = mid * POINT_EVENTS + 1;
			lo = mid + 1;
		} else
			hi = mid;
	}
	c = ovni_cursor_new(st, from.offset, UINT64_MAX);
	c->stop = UINT64_MAX;
	c->quiet = true;
	c->last = from.clock ? from.clock + c->add : 0;
	for (; at.kind == IN_FILE && ovni_settle(s, c, &f); n++) {
		if (by_clock ? f.clock == mark : n == mark)
			at = at_offset(st->path, ovni_offset(c));
		c->last = ovni_key(c, f.clock);
		ovni_pass(s, c, &f);
	}
	ovni_cursor_free(c);
	return at;
}

/* Returns the place of the event of t with that mark; 0 is the whole file. */
static struct trace_place
place_at(struct ovni_check *x, const struct ovni_thread *t, uint64_t mark)
{
	if (t->st)
		return mark ? file_place(x, t, mark) : in_file(t->st->path);
	if (!mark || !x->marked)
		return in_file(x->s->name);
	return (struct trace_place){x->s->name, x->place_kind, mark};
}

void
say(struct ovni_check *x, unsigned rule, const struct ovni_thread *t, uint64_t mark,
    const struct ovni_thread *other, uint64_t other_mark, const char *fmt, ...)
{
	const struct rule_state *state = &x->c->state[rule];
	struct trace_place at = {0}, second = {0};
	char text[400];
	va_list ap;

	if (!state->on)
		return;
	/* A finding that is only counted needs no place, and finding the place takes time. */
	if (!x->c->most || state->said < x->c->most) {
		at = place_at(x, t, mark);
		if (other && other_mark)
			second = place_at(x, other, other_mark);
	} else
		at = in_file(x->s->name);
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	/* The thread is not in the place. */
	if (t->st)
		find_with(x->c, rule, at, second, "%s", text);
	else
		find_with(x->c, rule, at, second, "%.100s: %s", t->name, text);
}
