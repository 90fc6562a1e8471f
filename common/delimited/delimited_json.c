/* delimited_json.c - records that are JSON objects: their members as cells and arguments, in lines or in an array. */
#include <string.h>

#include "delimited/delimited_json.h"
#include "input/fault.h"

#define LEVELS 16 /* nested objects that are entered */
/* Bound: columns | members of a JSON object | that become cells or arguments | 1023 | more than 1023 members */
#define MEMBERS 1023

static const char *const no_object = "the value is no JSON object";

static const uint8_t *
blank(const uint8_t *p, const uint8_t *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Returns the number of the cell with that path, or -1. Sets *arg if the member is an argument although no field names
 * it. */
static int
meaning(const struct delimited_layout *l, const char *path, size_t n, bool *arg)
{
	struct word all = l->members;

	*arg = false;
	for (unsigned i = 0; i < l->nnames; i++)
		if (l->names[i].n == n && !memcmp(l->names[i].p, path, n))
			return (int)i;
	*arg = l->others &&
	       (!all.n || (n > all.n && path[all.n] == '.' && !memcmp(path, all.p, all.n)));
	return -1;
}

/* Appends to c->json->names the escaped name of the argument with that path, and a NUL. */
static void
add_name(const struct delimited *c, const char *path, size_t n)
{
	struct buf *b = &c->json->names;
	size_t skip = c->l->members.n ? c->l->members.n + 1 : 0;

	/* trace-export writes arguments with this prefix. */
	if (c->l->stream && n > 4 && !memcmp(path, "arg.", 4))
		skip = 4;
	if (n == skip)
		buf_add(b, "\"\"", 2);
	delimited_escaped(b, (struct span){(const uint8_t *)path + skip, n - skip}, '=');
	buf_byte(b, '\0');
}

/* Marks an earlier member of the same object with that name, and all members in it, as dead: the last one counts. */
static void
forget(struct delimited *c, uint32_t parent, struct span name)
{
	struct delimited_json *j = c->json;
	uint32_t i = 0;

	while (i < j->n && (j->m[i].parent != parent || j->m[i].name.n != name.n ||
			    j->m[i].dead || memcmp(j->m[i].name.p, name.p, name.n) != 0))
		i++;
	if (i == j->n)
		return;
	j->twice = name;
	for (uint32_t k = i; k < j->n && (k == i || j->m[k].depth > j->m[i].depth); k++) {
		j->m[k].dead = true;
		if (j->m[k].cell >= 0)
			c->cell[j->m[k].cell].raw.p = NULL;
	}
}

/* Notes for the fast path the place where a value of the line ends. */
static void
take_fast(struct delimited *c, const struct json_item *v, int cell)
{
	const uint8_t *line = c->json->line;
	bool text = v->kind == JSON_STRING;

	if (!c->fast.object || !(text || v->kind == JSON_NUMBER || v->kind == JSON_WHOLE))
		return;
	delimited_piece(c, line, (const uint8_t *)v->text, text, cell);
	c->fast.object[c->fast.objects].end =
	    v->kind == JSON_WHOLE ? UINT32_MAX
				  : (unsigned)((const uint8_t *)v->text + v->n - line);
}

/* Takes a value of a record: the json_visit of json_record. */
static bool
take_item(void *arg, const struct json_item *v)
{
	struct delimited *c = arg;
	struct delimited_json *j = c->json;
	struct json_member *m;
	bool entered = v->kind == JSON_OPEN, none = v->kind == JSON_WORD && *v->text == 'n',
	     is_arg;
	int cell;

	if (!v->depth || v->kind == JSON_EMPTY)
		return true;
	cell = meaning(c->l, v->path, v->path_n, &is_arg);
	/* An object that a field names is one value. */
	if (entered && (cell >= 0 || *v->text == '[' || v->depth > LEVELS))
		return false;
	take_fast(c, v, cell);
	json_gap(j, v, cell < 0 && !is_arg ? UINT32_MAX : j->n);
	if (cell < 0 && !is_arg && !entered)
		return true;
	j->full |= j->n == MEMBERS;
	if (j->full)
		return false;
	GROW(j->m, j->cap, j->n + 1u);
	m = &j->m[j->n];
	*m = (struct json_member){
	    .name = {(const uint8_t *)v->name, v->name_n},
	    .value = {(const uint8_t *)v->text, v->n},
	    .parent = v->depth > 1 ? j->in[v->depth] : JSON_TOP,
	    .depth = v->depth,
	    .cell = cell,
	    .at = j->names.n,
	    .arg = is_arg && !entered && !none,
	};
	m->none = v->kind == JSON_WHOLE && *v->text == '[' &&
		  *blank(m->value.p + 1, m->value.p + v->n) == ']';
	forget(c, m->parent, m->name);
	if (m->arg)
		add_name(c, v->path, v->path_n);
	if (cell >= 0 && !none)
		c->cell[cell] = (struct delimited_cell){m->value, m->value};
	if (entered)
		j->in[v->depth + 1] = j->n;
	j->n++;
	return true;
}

const char *
json_record(struct delimited *c, const uint8_t **at, const uint8_t *end)
{
	struct delimited_json *j = c->json;
	const char *p = (const char *)*at, *why = no_object;
	const uint8_t *behind;

	memset(c->cell, 0, (c->l->nnames + 1) * sizeof *c->cell);
	c->n = c->l->nnames;
	j->n = 0;
	j->names.n = 0;
	j->line = *at;
	if (c->fast.object)
		c->fast.object[c->fast.objects].n = 0;
	j->full = false;
	j->twice.p = NULL;
	/* The fast path learns from the calls of json_value, so do not use json_recall. */
	if (!c->fast.object && (behind = json_recall(c, end))) {
		*at = behind;
		return NULL;
	}
	j->ngaps = 0;
	j->stop = j->line;
	j->end = end;
	j->odd = false;
	if (*at < end && **at == '{')
		why = json_value(&j->text, &p, (const char *)end, take_item, c);
	*at = (const uint8_t *)p;
	if (!why)
		json_learn(j, *at);
	return !why && j->full ? "more than 1023 members" : why;
}

const char *
json_line(struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	const char *why;

	if (c->json->read) {
		c->json->read = false;
		return NULL;
	}
	p = blank(p, end);
	why = json_record(c, &p, end);
	return why || blank(p, end) == end ? why : "something follows the object";
}

/* Stores in *arg the place of the array `traceEvents` of the object. */
static bool
find_array(void *arg, const struct json_item *v)
{
	const uint8_t **at = arg;

	if (v->depth == 1 && v->kind == JSON_OPEN && *v->text == '[' &&
	    v->path_n == strlen("traceEvents") &&
	    !memcmp(v->path, "traceEvents", v->path_n))
		*at = (const uint8_t *)v->text;
	return !v->depth;
}

/* Returns the place of the array of events in the object at p, or NULL. *why is the error, or NULL. */
static const uint8_t *
outer(struct delimited *c, const uint8_t *p, const uint8_t *end, const char **why)
{
	const uint8_t *array = NULL;
	const char *at = (const char *)p;

	*why = json_value(&c->json->text, &at, (const char *)end, find_array, &array);
	return array;
}

bool
json_more(struct in *in)
{
	size_t n = in_left(in);

	/* Double the bytes each time, because an object is read from its begin again. */
	in_need(in, n < IN_LONGEST / 2 ? 2 * n + 1 : IN_LONGEST);
	return in_left(in) > n;
}

bool
json_is_array(struct source *s)
{
	const uint8_t *p;
	const char *why;

	do {
		p = blank(s->in.p, s->in.end);
		why = json_cut;
		if (p < s->in.end &&
		    (*p == '[' || (*p == '{' && outer(s->state, p, s->in.end, &why))))
			return true;
	} while (why == json_cut && (p == s->in.end || *p == '{') && json_more(&s->in));
	return false;
}

/* Skips the rest of a line that has an error. */
static enum json_step
pass_line(struct source *s, struct json_walk *w, size_t *at)
{
	const uint8_t *p = memchr(s->in.p + *at, '\n', (size_t)(s->in.end - s->in.p) - *at);

	w->lost = !p;
	*at = (size_t)((p ? p + 1 : s->in.end) - s->in.p);
	return STEP_ON;
}

enum json_step
json_step(struct source *s, struct json_walk *w, size_t *at, size_t *behind,
	  const char **why)
{
	struct delimited *c = s->state;
	const uint8_t *p = blank(s->in.p + *at, s->in.end), *end = s->in.end, *q = p;
	const char *value = (const char *)p;

	*at = (size_t)(p - s->in.p);
	if (p == end)
		return STEP_MORE;
	if (w->lost)
		return pass_line(s, w, at);
	if (*p == '{' && w->in != JSON_OUTER) {
		q = w->in == JSON_FILE ? outer(c, p, end, why) : NULL;
		if (!q) {
			q = p;
			*why = json_record(c, &q, end);
			*behind = (size_t)(q - s->in.p);
			return !*why		  ? STEP_RECORD
			       : *why == json_cut ? STEP_MORE
						  : STEP_BAD;
		}
		w->outer = true;
		w->in = JSON_ARRAY;
	} else if (*p == '[' && w->in != JSON_OUTER) {
		w->outer &= w->in == JSON_ARRAY;
		w->in = JSON_ARRAY;
	} else if (*p == ']' && w->in == JSON_ARRAY)
		w->in = w->outer ? JSON_OUTER : JSON_FILE;
	else if (*p == '}' && w->in == JSON_OUTER)
		w->in = JSON_FILE;
	else if ((*p != ',' || w->in == JSON_FILE) && (*p != ':' || w->in != JSON_OUTER)) {
		*why =
		    json_value(&c->json->text, &value, (const char *)end, find_array, &q);
		if (*why == json_cut)
			return STEP_MORE;
		/* Skip the other members after the array. */
		if (*why || w->in != JSON_OUTER) {
			*why = *why && w->in == JSON_OUTER ? *why : no_object;
			return STEP_BAD;
		}
		q = (const uint8_t *)value - 1;
	}
	*at = (size_t)(q + 1 - s->in.p);
	return STEP_ON;
}
