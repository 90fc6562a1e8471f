/* json_event.c - events of objects of JSON: their types and arguments, of any names; and those in an array. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "delimited/json.h"
#include "event/value.h"
#include "input/fault.h"

/* The kind that gives back exactly this text. */
static uint8_t
kind_of(const struct json_member *m)
{
	struct span text = m->value;
	bool neg = text.n && *text.p == '-';
	size_t n = text.n - neg;
	uint64_t v;

	if (m->none)
		return K_U8;
	if (!n || (text.p[neg] == '0' && n > 1) || digits_u64(text.p + neg, n, &v))
		return K_TEXT;
	if (!neg)
		return K_U64;
	return v && v <= (uint64_t)INT64_MAX + 1 ? K_I64 : K_TEXT;
}

/* Appends the name of an argument: the names that lead to the member, behind the layout's. */
static void
add_name(struct delimited *c, struct buf *b, const struct json_member *m)
{
	struct delimited_json *j = c->json;
	const struct json_member *chain[64];
	size_t n = 0, skip = c->l->members.n;
	struct span name;

	for (chain[n++] = m; m->parent != JSON_TOP && n < 64; chain[n++] = m)
		m = &j->m[m->parent];
	for (j->path.n = 0; n--;) {
		buf_add(&j->path, chain[n]->name.p, chain[n]->name.n);
		buf_add(&j->path, ".", n != 0);
	}
	name = (struct span){j->path.p, j->path.n};
	skip += skip != 0;
	/* trace-export writes names of columns so. */
	if (c->l->stream && name.n > 4 && !memcmp(name.p, "arg.", 4))
		skip = 4;
	name.p += skip;
	name.n -= skip;
	if (name.n)
		delimited_escaped(b, name, '=');
	else
		buf_add(b, "\"\"", 2);
	buf_byte(b, '\0');
}

/* The text of the field for a column; p = NULL: there is none. */
static struct span
text_of(const struct delimited *c, unsigned what)
{
	for (unsigned i = 0; i < c->l->nfields; i++)
		if (c->field[i].what == what)
			return c->arg[i];
	return (struct span){NULL, 0};
}

/* Makes a type of the signature: its arguments of fields, and of members from the byte `at` on. */
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
	struct span addr = text_of(c, C_ADDR);
	bool hex = c->l->stream && addr.n > 2 && addr.p[0] == '0' && addr.p[1] == 'x';
	uint32_t id, known = j->types.n;
	size_t at;

	for (unsigned i = 0; i < c->l->nfields; i++)
		hex |= c->field[i].what == C_ADDR && c->field[i].as == AS_HEX;
	b->n = 0;
	buf_add(b, c->name.p, c->name.n);
	buf_byte(b, hex ? 'x' : '-');
	for (unsigned i = 0; i < c->l->nfields && s->need & NEED_ARGS; i++)
		if (c->field[i].what == C_ARG)
			buf_byte(b, c->arg[i].p ? '+' : '-');
	buf_byte(b, '\0');
	at = b->n;
	for (uint32_t i = 0; i < j->n && s->need & NEED_ARGS && c->l->others; i++)
		if (j->m[i].arg && !j->m[i].dead) {
			buf_byte(b, (char)kind_of(&j->m[i]));
			add_name(c, b, &j->m[i]);
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
		uint64_t v = 0;

		if (!m->arg || m->dead)
			continue;
		n++;
		if (a->array) {
			rec_str(b, a, m->value.p, 0);
			continue;
		}
		if (a->kind == K_TEXT) {
			c->name.n = 0;
			value_str(&c->name, m->value.p, m->value.n);
			rec_str(b, a, c->name.p, c->name.n);
			continue;
		}
		digits_u64(m->value.p + (a->kind == K_I64), m->value.n - (a->kind == K_I64),
			   &v);
		v = a->kind == K_I64 ? 0 - v : v;
		memcpy((uint8_t *)rec_last(b) + a->off, &v, sizeof v);
	}
}

const char *
json_time(const struct delimited *c, struct span text, uint64_t *v)
{
	const char *why = NULL;
	struct num num;

	if (c->ticks)
		return digits_u64(text.p, text.n, v);
	if (!num_parse((const char *)text.p, text.n, NUM_BARE, &num, &why))
		return why;
	if (num.rounded)
		return "more than nine decimals";
	if (num.whole > INT64_MAX / 1000000000u ||
	    num.whole * 1000000000 + num.nano > (uint64_t)INT64_MAX + num.neg)
		return "longer than 292 years";
	*v = num.whole * 1000000000 + num.nano;
	*v = num.neg ? 0 - *v : *v;
	return NULL;
}

void
json_say_twice(struct source *s)
{
	struct delimited_json *j = ((struct delimited *)s->state)->json;
	char text[64];

	if (j->told || !j->twice.p)
		return;
	j->told = true;
	fault(s, NULL, COST_NONE, s->name, s->line,
	      "an object has %s twice: the last value counts, here and elsewhere",
	      quoted(text, j->twice.p, j->twice.n));
}

void
json_free(struct delimited_json *j)
{
	if (!j)
		return;
	free(j->m);
	buf_free(&j->path);
	buf_free(&j->signature);
	strtab_free(&j->types);
	free(j->type);
	free(j);
}

/* Takes n unread bytes as read. */
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

/* Reads more of the input, of which what is there does not suffice. False at its end. */
static bool
more(struct source *s, struct json_walk *w)
{
	struct in *in = &s->in;
	size_t n = in_left(in);

	if (n >= IN_LONGEST && !w->lost) {
		fault(s, NULL, COST_EVENT, s->name, s->line,
		      "an object is longer than %u MiB", IN_LONGEST >> 20);
		w->lost = true;
	}
	if (n >= IN_LONGEST)
		advance(s, n);
	/* Twice as much each time: an object is read from its begin again. */
	in_need(in, n < IN_LONGEST / 2 ? 2 * n + 1 : IN_LONGEST);
	if (in_left(in) > n || n >= IN_LONGEST)
		return in_left(in) > 0;
	if (n && !w->lost && !in->over)
		fault(s, NULL, COST_EVENT, s->name, s->line, "%s", json_cut);
	in->p = in->end;
	return false;
}

bool
json_next(struct source *s, struct batch *b, const struct line_reader *how)
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
			how->new_epoch(s);
		step = json_step(s, w, &at, &behind, &why);
		advance(s, at);
		if (step == STEP_RECORD) {
			behind -= at;
			j->read = true;
			how->line(s, b, s->in.p, s->in.p + behind);
			advance(s, behind);
		} else if (step == STEP_BAD) {
			fault(s, NULL, COST_EVENT, s->name, s->line,
			      "%s: reading goes on at the next line that begins with one",
			      why);
			w->lost = true;
		} else if (step == STEP_MORE && (b->n || !more(s, w)))
			break;
	}
	return b->n > 0;
}
