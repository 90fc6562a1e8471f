/* tracks.c - see tracks.h */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "trace-export/tracks.h"

void
tracks_bind(struct tracks *t, const struct source *s)
{
	CACHE(t->at, t->at_cache, s, s->t.str.n);
}

/* Returns the number of a thread from its name, the n bytes at s. If the first thread of a process has no
 * number, the process counts its threads. */
static uint32_t
tid_of(struct tracks *t, uint32_t process, const char *s, size_t n)
{
	bool first = process > t->counted_cap || !t->counted[process - 1], number;
	uint32_t *counted;
	uint64_t v;

	GROW(t->counted, t->counted_cap, process);
	counted = &t->counted[process - 1];
	number =
	    !digits_u64((const uint8_t *)s, n, &v) && v < TID_MOST && (n == 1 || *s != '0');
	if (first)
		*counted = number ? UINT32_MAX : 1;
	if (number && *counted == UINT32_MAX)
		return v ? (uint32_t)v : tracks_pid(process);
	return number || *counted == UINT32_MAX ? 2 * TID_MOST + t->ids + 1 : (*counted)++;
}

static void
new_lane(struct tracks *t, struct track_place *p, uint32_t tid)
{
	struct track_lane *l;

	GROW_SMALL(p->lane, p->cap, p->lanes + 1);
	p->lane[p->lanes++] =
	    (struct track_lane){.id = ++t->ids, .tid = tid, .begin = INT64_MIN};
	l = &p->lane[p->lanes - 1];
	if (t->to.lane)
		t->to.lane(t->to.arg, p, p->lanes - 1);
	if (!t->to.text)
		return;
	t->text.n = 0;
	t->to.text(t->to.arg, p, l, false, &t->text);
	l->moment = cached_text_copy(&t->mem, &t->text);
	t->text.n = 0;
	t->to.text(t->to.arg, p, l, true, &t->text);
	l->slice = cached_text_copy(&t->mem, &t->text);
}

struct track_place *
tracks_new_place(struct tracks *t, const struct source *s, uint32_t loc)
{
	const struct head *h = &s->head;
	const struct str *str = &s->t.str.v[loc < s->t.str.n ? loc : 0];
	const char *last = str->s, *slash = NULL;
	uint32_t before = t->places.n, process, id;
	unsigned part = 0;
	bool alone;

	for (const char *p = str->s; p < str->s + str->len; p++)
		if (*p == '/') {
			part++;
			slash = p;
		}
	t->name.n = 0;
	if (slash) {
		last = slash + 1;
		buf_add(&t->name, str->s, (size_t)(slash - str->s));
	} else
		buf_str(&t->name, h->format);
	if (h->clock == CLOCK_TICKS)
		buf_add(&t->name, " (ticks)", 8);
	id = t->processes.n;
	process = strtab_id(&t->processes, t->name.p, t->name.n) + 1;
	if (process > id && t->to.process)
		t->to.process(t->to.arg, process, t->processes.v[id].s);
	t->name.n = 0;
	alone = !slash;
	if (part < h->nlocparts && part < LOC_PARTS) {
		alone |= !strcmp(h->locpart[part], "rank");
		buf_str(&t->name, h->locpart[part]);
		buf_byte(&t->name, ' ');
	}
	buf_add(&t->name, last, (size_t)(str->s + str->len - last));
	/* One name in two processes is two places. */
	buf_byte(&t->name, '\0');
	buf_add(&t->name, &process, sizeof process);
	id = strtab_id(&t->places, t->name.p, t->name.n);
	GROW(t->place, t->cap, t->places.n);
	if (id == before) {
		t->place[id] = (struct track_place){.process = process,
						    .name = t->places.v[id].s,
						    .inner = slash,
						    .alone = alone};
		new_lane(t, &t->place[id],
			 tid_of(t, process, last, (size_t)(str->s + str->len - last)));
	}
	if (loc < t->at_cache.cap)
		t->at[loc] = id + 1;
	return &t->place[id];
}

static void
pop(struct tracks *t, struct track_lane *l)
{
	int64_t end = l->end[--l->n];

	if (t->to.end)
		t->to.end(t->to.arg, l, end);
}

struct track_lane *
tracks_lane(struct tracks *t, struct track_place *p, int64_t begin, int64_t end)
{
	struct track_lane *l;

	for (uint32_t i = 0;; i++) {
		if (i == p->lanes) {
			if (i == LANES_MOST)
				return NULL;
			new_lane(t, p, 2 * TID_MOST + t->ids + 1);
		}
		l = &p->lane[i];
		/* A lane does not know what it had at an earlier time. */
		if (unlikely(begin < l->begin))
			continue;
		while (l->n && l->end[l->n - 1] <= begin)
			pop(t, l);
		if (likely(!l->n || end <= l->end[l->n - 1]))
			break;
	}
	l->begin = begin;
	if (unlikely(l->n == l->cap))
		GROW_SMALL(l->end, l->cap, l->n + 1);
	l->end[l->n++] = end;
	return l;
}

void
tracks_end(struct tracks *t)
{
	for (uint32_t i = 0; i < t->places.n; i++)
		for (uint32_t k = 0; k < t->place[i].lanes; k++)
			while (t->place[i].lane[k].n)
				pop(t, &t->place[i].lane[k]);
}

void
tracks_close(struct tracks *t)
{
	for (uint32_t i = 0; i < t->places.n; i++) {
		for (uint32_t k = 0; k < t->place[i].lanes; k++)
			free(t->place[i].lane[k].end);
		free(t->place[i].lane);
	}
	free(t->place);
	free(t->at);
	free(t->counted);
	strtab_free(&t->processes);
	strtab_free(&t->places);
	arena_free(&t->mem);
	buf_free(&t->name);
	buf_free(&t->text);
}
