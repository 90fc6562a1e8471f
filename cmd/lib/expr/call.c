/* call.c - calls in expressions: functions, and total. */
#include <stdlib.h>
#include <string.h>

#include "expr/parser.h"

/* Returns true if the call whose parenthesis is at s has at most one argument. */
static bool
one_argument(const char *s)
{
	int depth = 0;

	for (; *s && !(depth == 1 && *s == ','); s++) {
		depth += *s == '(' || *s == '{' ? 1 : *s == ')' || *s == '}' ? -1 : 0;
		if (!depth)
			return true;
		if (*s == '"')
			for (s++; *s && *s != '"'; s++)
				s += *s == '\\' && s[1];
		if (!*s)
			return true;
	}
	return !*s;
}

static void
check_count(struct parser *p, const char *name, const char *args, size_t least, size_t most,
	    size_t n, size_t at)
{
	if (n >= least && n <= most)
		return;
	expr_die(p->t, at, "%s takes %s%zu argument%s: %s(%s)", name,
		 least == most ? ""
		 : n < least   ? "at least "
			       : "at most ",
		 n < least ? least : most, (n < least ? least : most) == 1 ? "" : "s", name,
		 args);
}

/* Chooses the class of the names of alias(): `prefix`, or if NULL the name of the field, or "name". */
static void
name_class_of(struct parser *p, struct func_call *c, const struct node *of,
	      const char *prefix)
{
	if (!prefix && (of->op == N_FIELD || of->op == N_TEXT))
		prefix = p->t->fields[of->left].name;
	if (!prefix)
		prefix = "name";
	c->naming = &p->t->naming;
	c->class = naming_class(c->naming, prefix, strlen(prefix));
	p->t->before = true;
}

static uint32_t
call_function(struct parser *p, const struct func *f, struct operand *v, size_t n,
	      size_t at)
{
	bool is_if = !strcmp(f->name, "if"), joined = f->result == FUNC_JOINED;
	uint8_t measure = f->result;
	const struct val **constant;
	struct node *first, *call;
	char why[200] = "";
	size_t wrong = 0;
	uint32_t node;

	check_count(p, f->name, f->args, f->least, f->most == 255 ? SIZE_MAX : f->most, n,
		    at);
	for (size_t i = 0; i < n; i++) {
		if (is_if && i == 0)
			v[i].node =
			    add_value(p, N_VALUE, test_of(p, &v[i]), M_PLAIN, v[i].at);
		else
			v[i].node = complete(p, value_of(p, &v[i], true));
		if ((joined && !f->lazy) || n <= f->number)
			no_text(p, &v[i], f->name);
		if (!f->lazy && !func_of_text(f) &&
		    !(i && f->result == M_NUMBER && !f->number))
			as_number(p, &v[i]);
		if (n <= f->number)
			no_time(p, &v[i], f->name);
	}
	if (!strcmp(f->name, "date"))
		p->t->date_text = arena_str(&p->t->mem, "date()", 6);
	/* A function of texts takes a field as it is in a stream: len(007) is 3. */
	first = &p->t->nodes[v->node];
	if (func_of_text(f) && first->op == N_FIELD && first->measure != M_TEXT)
		first->op = N_TEXT;
	if (joined)
		measure = measure_joined(p, v + is_if, n - is_if,
					 strcmp(f->name, "floor") ? 0 : 2);
	node = push_args(p, v, n);
	node = add_value(p, N_CALL, node, measure, at);
	call = &p->t->nodes[node];
	call->n = (uint32_t)n;
	call->func = f;
	/* Constants are known before any event, so they can be checked now. */
	constant = xcalloc(n + 1, sizeof(void *));
	for (size_t i = 0; i < n; i++)
		if (p->t->nodes[v[i].node].op == N_CONST)
			constant[i] = &p->t->constants[p->t->nodes[v[i].node].left];
	if (!func_prepare(f, &call->call, constant, n, &wrong, why))
		expr_die(p->t, v[wrong].at, "%s", why);
	if (func_numbers(f))
		name_class_of(p, &call->call, &p->t->nodes[v->node],
			      n > 1 ? constant[1]->s : NULL);
	free(constant);
	return complete(p, node);
}

static uint32_t
call_total(struct parser *p, struct operand *v, size_t n, size_t at)
{
	uint32_t node;

	check_count(p, "total", "x", 1, 1, n, at);
	v->node = complete(p, value_of(p, v, true));
	no_text(p, v, "total");
	as_number(p, v);
	p->t->before = true;
	node = add_value(p, N_TOTAL, v->node, p->t->nodes[v->node].measure, at);
	p->t->nodes[node].right = p->t->ntotals++;
	return complete(p, node);
}

static _Noreturn void
no_function(struct parser *p, const char *name, size_t at)
{
	/* sum, outside of aggregates, is the sum of all events so far: total. */
	const char *near = strcmp(name, "sum") ? NULL : "total", *to = "total";
	unsigned least = near ? 0 : (unsigned)strnlen(name, 32) / 3 + 1;
	char list[200] = "";

	if (!strcmp(name, "-"))
		expr_die(p->t, at, "only numbers have a minus sign: write 0 - (...)");
	if (strspn(name, "+*/%") == strlen(name))
		expr_die(p->t, at, "a value is expected before %s", name);
	for (size_t i = 0; to; to = func_nth(i) ? func_nth(i)->name : NULL, i++) {
		unsigned d = name_distance(name, to);

		if (d < least) {
			least = d;
			near = to;
		}
		if (strlen(list) + strlen(to) + 3 < sizeof list)
			strcat(strcat(list, *list ? ", " : ""), to);
	}
	if (near)
		expr_die(p->t, at, "there is no function %s; there is %s", name, near);
	expr_die(p->t, at, "there is no function %s; there are %s", name, list);
}

struct called
call_named(struct parser *p)
{
	const char *name = p->lex.word;
	size_t len = strlen(name);
	struct called c = {func_find(name, len),
			   p->aggregate ? p->aggregate(name, len, false) : -1};

	/* min and max are both functions and aggregates; with one argument they are aggregates. */
	if (c.f && c.measure >= 0 && !one_argument(p->t->text + p->lex.pos))
		c.measure = -1;
	if (!c.f && c.measure < 0 && strcmp(name, "total") != 0)
		no_function(p, name, p->lex.at);
	return c;
}

uint32_t
call_value(struct parser *p, const struct func *f, struct operand *v, size_t n, size_t at)
{
	return f ? call_function(p, f, v, n, at) : call_total(p, v, n, at);
}
