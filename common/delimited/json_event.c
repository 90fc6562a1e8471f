/* json_event.c - events of JSON objects: their types and arguments; and objects in an array. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "delimited/delimited_json.h"
#include "event/value.h"
#include "input/fault.h"

struct arg
delimited_arg(const struct delimited_field *f)
{
	return (struct arg){.name = f->name,
			    .kind = f->as == AS_TEXT	 ? K_TEXT
				    : f->as == AS_NUMBER ? K_U64
				    : f->as == AS_HEX	 ? K_X64
							 : K_NS};
}

/* Adds a type with the signature's arguments: fields, and then members, which begin at byte `at` of
 * the signature. Returns its number. */
static uint32_t
new_type(struct source *s, bool hex, size_t at)
{
	struct delimited *c = s->state;
	struct buf *b = &c->json->signature;
	struct arg *args = xcalloc(COLUMNS_FIELDS + c->json->n, sizeof *args);
	struct type ty = {.event = (const char *)c->name.p,
			  .event_len = (uint32_t)c->name.n,
			  .may = HAS_ALL,
			  .addr_hex = hex,
			  .args = args};
	uint32_t type;

	for (unsigned i = 0; i < c->l->nfields && s->need & NEED_ARGS; i++)
		if (c->field[i].what == C_ARG && c->arg[i].p)
			args[ty.nargs++] = delimited_arg(&c->field[i]);
	for (; at < b->n; at += strlen((const char *)b->p + at) + 1)
		args[ty.nargs++] = (struct arg){.kind = b->p[at],
						.array = b->p[at] == K_U8,
						.name = (const char *)b->p + at + 1};
	type = type_add(&s->t, &ty);
	free(args);
	return type;
}

uint32_t
json_type_of(struct source *s)
{
	struct delimited *c = s->state;
	struct delimited_json *j = c->json;
	struct buf *b = &j->signature;
	bool hex = false;
	uint32_t id, known = j->types.n;
	size_t at;

	b->n = 0;
	buf_add(b, c->name.p, c->name.n);
	for (unsigned i = 0; i < c->l->nfields; i++) {
		const struct delimited_field *f = &c->field[i];
		struct span text = c->arg[i];

		if (f->what == C_ADDR)
			hex = f->as == AS_HEX || (c->l->stream && text.n > 2 &&
						  text.p[0] == '0' && text.p[1] == 'x');
		if (f->what == C_ARG)
			buf_byte(b, text.p && s->need & NEED_ARGS ? '+' : '-');
	}
	buf_byte(b, hex ? 'x' : '-');
	buf_byte(b, '\0');
	at = b->n;
	for (uint32_t i = 0; i < j->n && s->need & NEED_ARGS && c->l->others; i++)
		if (j->m[i].arg && !j->m[i].dead) {
			buf_byte(b, j->m[i].none ? K_U8 : K_TEXT);
			buf_str(b, (const char *)j->names.p + j->m[i].at);
			buf_byte(b, '\0');
		}
	id = strtab_id(&j->types, b->p, b->n);
	if (id < known)
		return j->type[id];
	GROW(j->type, j->ntypes, id + 1u);
	return j->type[id] = new_type(s, hex, at);
}

void
json_args(struct source *s, struct batch *b, unsigned n)
{
	struct delimited *c = s->state;
	const struct delimited_json *j = c->json;
	const struct type *ty = &s->t.type[rec_last(b)->type];

	for (uint32_t i = 0; i < j->n && n < ty->nargs; i++) {
		const struct json_member *m = &j->m[i];
		const struct arg *a = &ty->args[n];

		if (!m->arg || m->dead)
			continue;
		n++;
		c->name.n = 0;
		if (!m->none)
			value_str(&c->name, m->value.p, m->value.n);
		rec_str(b, a, c->name.p, c->name.n);
	}
}

void
json_free(struct delimited_json *j)
{
	if (!j)
		return;
	json_known_free(j);
	free(j->m);
	buf_free(&j->text.text);
	buf_free(&j->text.path);
	buf_free(&j->names);
	buf_free(&j->signature);
	strtab_free(&j->types);
	free(j->type);
	free(j);
}

/* Skips n unread bytes, and counts their lines. */
static void
advance(struct source *s, size_t n)
{
	const uint8_t *end = s->in.p + n, *p = s->in.p;

	while ((p = memchr(p, '\n', (size_t)(end - p)))) {
		s->line++;
		p++;
	}
	s->in.p += n;
}

/* Reads more of the input. An object that is too long is skipped with a message. Returns false at the end. */
static bool
more(struct source *s, struct json_walk *w)
{
	struct in *in = &s->in;

	if (in_left(in) >= IN_LONGEST) {
		fault(s, NULL, COST_EVENT, s->name, s->line,
		      "an object is longer than %u MiB", IN_LONGEST >> 20);
		w->lost = true;
		return true;
	}
	if (json_more(in))
		return true;
	if (in_left(in) && !in->over)
		fault(s, NULL, COST_EVENT, s->name, s->line, "%s", json_cut);
	in->p = in->end;
	return false;
}

bool
json_next(struct source *s, struct batch *b, const struct line_reader *reader)
{
	struct delimited_json *j = ((struct delimited *)s->state)->json;
	struct json_walk *w = &j->walk;

	s->line += !s->line;
	batch_start(b);
	while (!batch_full(b) && !s->stop && !(b->n && tables_full(&s->t))) {
		size_t at = 0, behind = 0;
		const char *why = NULL;
		enum json_step step;

		if (tables_full(&s->t))
			reader->new_epoch(s);
		step = json_step(s, w, &at, &behind, &why);
		advance(s, at);
		if (step == STEP_RECORD) {
			behind -= at;
			j->read = true;
			reader->line(s, b, s->in.p, s->in.p + behind);
			advance(s, behind);
		} else if (step == STEP_BAD) {
			fault(s, NULL, COST_EVENT, s->name, s->line,
			      "%s: the rest of the line is skipped", why);
			w->lost = true;
		} else if (step == STEP_MORE && (b->n || !more(s, w)))
			break;
	}
	return b->n > 0;
}
