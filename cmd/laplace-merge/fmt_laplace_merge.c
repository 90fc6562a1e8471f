/* fmt_laplace_merge.c - references and events of the kernel as one source of events, whose location is
 * pid/space. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "import/import.h"
#include "laplace-merge/laplace_merge_run.h"

/* Types of references differ by the kind of region of their page. */
enum page_kind {
	IN_NONE,
	IN_ANON,
	IN_FILE, /* with a known name */
	IN_FILE_WITHOUT_NAME,
	IN_SHM,
	VARIANTS
};

#define REF_MOST (REC_HEAD + 16) /* bytes of a reference's record */

struct laplace_merged {
	struct laplace_merge merge;
	struct laplace_step step;
	struct import import; /* for the kernel's records */
	/* Numbers in the tables of this source + 1; 0: none yet. */
	uint32_t type[VARIANTS][256]; /* types of references, by letter */
	struct longer file[256];      /* types of events that get a file=, by tag */
	uint32_t *name;		      /* strings, by number of a file's name */
	size_t namecap;
	/* Last location that was made. */
	uint64_t pid, space;
	bool has_pid, has_space;
	uint32_t loc;
};

struct laplace_merge *
laplace_merge_of(const struct source *s)
{
	struct laplace_merged *c = s->state;

	return &c->merge;
}

static void
merged_open(struct source *s)
{
	struct laplace_merged *c = xcalloc(1, sizeof *c);

	s->state = c;
	s->head.locpart[0] = "pid";
	s->head.locpart[1] = "space";
	s->head.nlocparts = 2;
	source_clock(s, CLOCK_TICKS);
	c->import = (struct import){.types = &s->t, .strings = &s->t};
	laplace_merge_open(&c->merge, s);
}

/* Returns the location pid/space, with - for an unknown part. */
static uint32_t
loc_of(struct source *s, struct laplace_merged *c, const uint64_t *pid,
       const uint64_t *space)
{
	char text[64];
	int n;

	if (!pid && !space)
		return 0;
	if (c->loc && c->has_pid == !!pid && c->has_space == !!space &&
	    (!pid || *pid == c->pid) && (!space || *space == c->space))
		return c->loc;
	n = pid ? snprintf(text, sizeof text, "%llu/", (unsigned long long)*pid)
		: snprintf(text, sizeof text, "-/");
	n += space ? snprintf(text + n, sizeof text - (size_t)n, "0x%llx",
			      (unsigned long long)*space)
		   : snprintf(text + n, sizeof text - (size_t)n, "-");
	c->loc = strtab_id(&s->t.str, text, (size_t)n);
	c->has_pid = pid != NULL;
	c->has_space = space != NULL;
	c->pid = pid ? *pid : 0;
	c->space = space ? *space : 0;
	return c->loc;
}

/* Returns the string of a file's name. */
static uint32_t
name_string(struct source *s, struct laplace_merged *c, uint32_t name)
{
	const struct str *str = &c->merge.state.canon.names.v[name];

	GROW(c->name, c->namecap, (size_t)name + 1);
	if (!c->name[name])
		c->name[name] = strtab_id(&s->t.str, str->s, str->len) + 1;
	return c->name[name] - 1;
}

static uint32_t
laplace_merge_type_of(struct source *s, struct laplace_merged *c, enum page_kind v,
		      uint8_t letter)
{
	static const char *const regions[] = {"none", "anon", "file", "file", "shm"};
	struct arg args[3] = {{.name = "page", .kind = K_U64}};
	struct type ty = {
	    .must = HAS_ADDR | HAS_SIZE, .addr_hex = true, .args = args, .nargs = 1};
	char name[4];

	ty.event = name;
	ty.event_len =
	    (uint32_t)(put_escaped((uint8_t *)name, &letter, 1) - (uint8_t *)name);
	if (v == IN_FILE)
		args[ty.nargs++] = (struct arg){.name = "file", .kind = K_SYM};
	args[ty.nargs++] =
	    (struct arg){.name = "region", .kind = K_CONST, .text = regions[v]};
	c->type[v][letter] = type_add(&s->t, &ty) + 1;
	return c->type[v][letter] - 1;
}

static enum page_kind
variant_of(const struct laplace_merged *c, uint32_t region, uint32_t *name)
{
	const struct region *r;

	if (region < REGION_FILE)
		return region == REGION_ANON ? IN_ANON : IN_NONE;
	r = &c->merge.state.canon.region[region];
	*name = canon_region_name(&c->merge.state.canon, r);
	return r->kind == REGION_SHM ? IN_SHM : *name ? IN_FILE : IN_FILE_WITHOUT_NAME;
}

static void
put_refs(struct source *s, struct batch *b)
{
	struct laplace_merged *c = s->state;
	const struct laplace_step *step = &c->step;
	const struct laplace_state *t = &c->merge.state;
	const uint64_t *pid = t->current == NOBODY ? NULL : &t->process[t->current].pid;
	const uint8_t *p = step->refs;
	uint8_t *to = buf_room(&b->own, (size_t)step->n * REF_MOST + REC_SLACK),
		*begin = b->own.p;
	uint32_t region = UINT32_MAX, name = 0, file = 0, space = 0, loc = 0;
	enum page_kind v = IN_NONE;

	b->base = begin;
	for (uint32_t i = 0; i < step->n; i++, p += LAPLACE_RECORD) {
		struct rec *r = (struct rec *)(void *)to;
		uint32_t type;

		if (unlikely(step->region[i] != region)) {
			region = step->region[i];
			v = variant_of(c, region, &name);
			file = v == IN_FILE ? name_string(s, c, name) : 0;
		}
		if (unlikely(le32(p + 10) != space || !i)) {
			uint64_t wide = space = le32(p + 10);

			loc = loc_of(s, c, pid, &wide);
		}
		type = c->type[v][*p];
		r->type = likely(type) ? type - 1 : laplace_merge_type_of(s, c, v, *p);
		r->len = v == IN_FILE ? REC_HEAD + 16 : REC_HEAD + 8;
		r->loc = loc;
		r->has = HAS_ADDR | HAS_SIZE;
		r->time = (int64_t)le64(p + 1);
		r->addr = le32(p + 14);
		r->size = p[9];
		r->dur = 0;
		st64(to + REC_HEAD, step->page[i]);
		st64(to + REC_HEAD + 8, 0);
		st32(to + REC_HEAD + 8, file); /* in the slack if there is no file */
		b->off[b->n++] = (uint32_t)(to - begin);
		to += r->len;
	}
	b->own.n = (size_t)(to - begin);
}

static void
batch_event(struct source *s, struct batch *b)
{
	struct laplace_merged *c = s->state;
	const struct laplace_step *step = &c->step;
	const struct kernel_event *e = &step->event;
	const struct laplace_state *t = &c->merge.state;
	const struct tables *from = &c->merge.kernel.t;
	const struct rec *r = step->rec;
	const struct type *ty;
	uint32_t name = e->file == NOBODY || e->name.n ? 0 : t->canon.object_name[e->file];
	uint32_t type;
	struct rec *to;

	if (!r) {
		type = type_add(&s->t, &(struct type){.event = "end", .event_len = 3});
		rec_new(b, &s->t, type)->time = (int64_t)e->time;
		return;
	}
	ty = &from->type[r->type];
	import_from(&c->import, from);
	type = import_type(&c->import, from, r->type);
	b->off[b->n++] = (uint32_t)b->own.n;
	to = memcpy(buf_room(&b->own, r->len + 8 + REC_SLACK), r, r->len);
	b->base = b->own.p;
	import_rec(&c->import, from, ty, to, type);
	if (name) {
		struct longer *l = &c->file[e->tag];

		if (!l->type)
			*l =
			    type_longer(&s->t, type,
					&(struct arg){.name = "file", .kind = K_SYM}, 1, 0);
		st32(rec_longer(&s->t, to, l), name_string(s, c, name));
	}
	b->own.n += to->len;
	if (e->has_pid)
		to->loc = loc_of(s, c, &e->pid,
				 e->space == NOBODY ? NULL : &t->space[e->space].id);
}

static bool
merged_next(struct source *s, struct batch *b)
{
	struct laplace_merged *c = s->state;

	batch_start(b);
	if (tables_full(&s->t)) {
		tables_reset(&s->t);
		memset(c->type, 0, sizeof c->type);
		memset(c->file, 0, sizeof c->file);
		if (c->namecap)
			memset(c->name, 0, c->namecap * sizeof *c->name);
		c->loc = 0;
	}
	while (!batch_full(b) && laplace_merge_next(&c->merge, &c->step, BATCH - b->n)) {
		if (c->step.refs)
			put_refs(s, b);
		else
			batch_event(s, b);
	}
	return b->n > 0;
}

static void
merged_end(struct source *s)
{
	struct laplace_merged *c = s->state;

	laplace_merge_end(&c->merge);
}

static void
merged_close(struct source *s)
{
	struct laplace_merged *c = s->state;

	laplace_merge_close(&c->merge);
	import_free(&c->import);
	free(c->name);
	free(c);
}

static bool
merged_takes(const char *path, const struct read_options *opt)
{
	(void)path;
	(void)opt;
	return true;
}

static const struct laplace_merge_options defaults = {.kernel_base = 0xc0000000};

const struct format fmt_laplace_merge = {
    .name = "laplace-merge",
    .about = "Laplace: memory references and kernel events",
    .settings = &(const struct format_settings){NULL, &defaults, sizeof defaults},
    .open = merged_open,
    .next = merged_next,
    .end = merged_end,
    .close = merged_close,
    .inputs = &(const struct format_inputs){.takes = merged_takes, .many = true},
};
