/*
 * engines - random expressions give the same by loops over batches as by their definition, which is here: a node at a
 * time of the tree, with struct val alone, and what is known of the events before in a list of keys.
 *
 *	engines SEED COUNT FILE...
 *
 * Of each file, COUNT lists over its own fields are made up and run both ways: the values,
 * their kinds, and how many did not fit 64 bits must be equal. Those that are no
 * expressions (two units) are left out. Prints how many were held against each other.
 */
#include "fuzz/dies.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_formats.h"
#include "expr/range_test.h"

#define LONGEST 4000
#define LISTS 3

static uint64_t state;

static unsigned
rnd(unsigned n)
{
	uint64_t z = state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (unsigned)((z ^ z >> 31) % n);
}

static struct strtab names;
static struct buf text;

static void
add(const char *s)
{
	buf_add(&text, s, strlen(s));
}

static void
pick(const char *const *of, unsigned n)
{
	add(of[rnd(n)]);
}
#define PICK(...)                                              \
	do {                                                   \
		static const char *const of[] = {__VA_ARGS__}; \
		pick(of, sizeof of / sizeof *of);              \
	} while (0)

static void test(unsigned depth);

/* The definition at hand: it may ask for what is before it, and for its own prev. */
static unsigned definition;

static void
leaf(void)
{
	char name[20];

	switch (rnd(10)) {
	case 0:
		PICK("0", "1", "2", "3", "7", "8", "512", "1000", "4096", "-1", "-8", "0.5",
		     "1.25", "-3.000000001", "0x7fffffffffffffff", "1000000007",
		     "9223372036854775807", "18446744073709551615", "1e3",
		     "4611686018427387904");
		break;
	case 1: PICK("1us", "10ms", "2s", "512", "4K", "1M", "10MB/s"); break;
	case 2: PICK("nth", "time", "dur", "end", "size", "addr"); break;
	case 3:
		snprintf(name, sizeof name, "prev.x%u", rnd(definition + 1));
		add(name);
		break;
	case 4:
		snprintf(name, sizeof name, "x%u", definition ? rnd(definition) : 0);
		add(name);
		break;
	case 5:
		add("prev.");
		/* fallthrough */
	default: {
		const struct str *s = &names.v[rnd(names.n)];

		buf_add(&text, s->s, s->len);
	}
	}
}

static void
value(unsigned depth)
{
	if (!depth || !rnd(5)) {
		leaf();
		return;
	}
	switch (rnd(16)) {
	case 0:
		add("if(");
		test(depth - 1);
		add(", ");
		value(depth - 1);
		add(", ");
		value(depth - 1);
		add(")");
		return;
	case 1:
		PICK("coalesce(", "min(", "max(");
		value(depth - 1);
		add(", ");
		value(depth - 1);
		add(")");
		return;
	case 2:
		PICK("abs(", "hash(", "len(", "floor(", "log2(", "base(", "lower(",
		     "total(");
		value(depth - 1);
		add(")");
		return;
	case 3:
		PICK("bit(", "floor(");
		value(depth - 1);
		add(", ");
		value(depth - 1);
		add(")");
		return;
	case 4:
		add("(");
		test(depth - 1);
		add(")");
		return;
	default:
		add("(");
		value(depth - 1);
		PICK(" + ", " - ", " * ", " / ", " // ", " % ");
		value(depth - 1);
		add(")");
	}
}

static void
test(unsigned depth)
{
	switch (depth ? rnd(10) : 9) {
	case 0:
		add("(");
		test(depth - 1);
		PICK(" and ", " or ");
		test(depth - 1);
		add(")");
		return;
	case 1:
		add("not (");
		test(depth - 1);
		add(")");
		return;
	case 2:
		add("(");
		value(depth - 1);
		PICK(") in {", ") not in {");
		value(0);
		add(", ");
		value(depth - 1);
		PICK(" .. ", ", ");
		value(depth - 1);
		add("}");
		return;
	default:
		add("(");
		value(depth ? depth - 1 : 0);
		PICK(") = ", ") != ", ") < ", ") <= ", ") > ", ") >= ", ") & ", ") ~ ");
		if (text.p[text.n - 2] == '~')
			PICK("1", "a", "^-");
		else {
			add("(");
			value(depth ? depth - 1 : 0);
			add(")");
		}
	}
}

static void
list(void)
{
	unsigned n = 1 + rnd(LISTS);

	text.n = 0;
	for (unsigned i = 0; i < n; i++) {
		char name[20];

		definition = i;
		snprintf(name, sizeof name, "%sx%u = ", i ? ", " : "", i);
		add(name);
		value(1 + rnd(4));
	}
	buf_byte(&text, '\0');
	text.n--;
}

static struct expr_tree tree;

static void
parse(void *arg)
{
	(void)arg;
	expr_tree_parse(&tree, (const char *)text.p, PARSE_LIST | PARSE_DEFINES, NULL);
}

static bool
same(const struct val *a, const struct val *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VAL_NONE: return true;
	case VAL_REAL: return memcmp(&a->r, &b->r, sizeof a->r) == 0;
	case VAL_TEXT: return a->len == b->len && !memcmp(a->s, b->s, a->len);
	default: return a->n.hi == b->n.hi && a->n.lo == b->n.lo;
	}
}

static _Noreturn void
differs(const char *path, uint64_t event, size_t i, const struct val *a,
	const struct val *b, const struct val_env *env)
{
	struct buf shown = {0};

	val_put(&shown, env, a);
	buf_add(&shown, " | ", 3);
	val_put(&shown, env, b);
	printf("%s: event %llu, value %zu, kinds %d and %d (%lld): %.*s: %s\n", path,
	       (unsigned long long)event, i, a->kind, b->kind, (long long)b->n.lo,
	       (int)shown.n, (const char *)shown.p, (const char *)text.p);
	fflush(stdout);
	_Exit(1);
}

/* Knowledge of the events before with one key. */
struct known {
	uint64_t nth;
	struct val *field, *let,
	    *sum;   /* by field, definition and running sum of the tree */
	bool *lost; /* by running sum: no number can hold it */
};

/* The definition of the tree at hand, at one event. */
static struct {
	struct engine *g; /* whose fields are asked for */
	const struct rec *r;
	struct known *known;
	struct val *let, *total;
	uint64_t overs;
} now;

static const struct val none = {.kind = VAL_NONE};

static struct val
fit(const struct node *node, struct val v)
{
	bool over = false;

	if (!node->fits || node->op == N_FIELD || node->op == N_TEXT || node->op == N_CONST)
		return v;
	v = val_fit(&v, &over);
	now.overs += over;
	return v;
}

static struct val value_of(uint32_t n);

/* The value of the next operand of a node, of which there are some. */
static struct val
operand(const struct node *node, size_t *at)
{
	return value_of(node_operand(&tree, node, at));
}

/* A test of values; all its items are computed. */
static bool
passes(const struct node *node)
{
	const struct test *t = tree.tests[node->left];
	const struct val_env *env = &now.g->env;
	size_t at = 0;
	struct val left = operand(node, &at), a, b;
	bool there = left.kind != VAL_NONE, yes = false;

	if (t->op == OP_THERE)
		return there;
	if (t->op == OP_MATCH)
		return there && eval_matches(env, t->re, &left) != t->negate;
	for (size_t i = 0; i < t->nitems; i++) {
		const struct item *it = &t->items[i];

		a = operand(node, &at);
		b = it->range ? operand(node, &at) : a;
		if (left.kind == VAL_NONE || a.kind == VAL_NONE || b.kind == VAL_NONE) {
			there = false;
			continue;
		}
		if (it->range)
			yes |= eval_relation(env, OP_GE, &left, &a, it->quoted) &&
			       eval_relation(env, OP_LE, &left, &b, it->quoted);
		else
			yes |= eval_relation(env, t->op, &left, &a, it->quoted);
	}
	return t->negate ? there && !yes : yes;
}

/* A function, whose operands may be computed only as far as they are needed. */
static struct val
call(const struct node *node)
{
	struct val v[64], x = none;
	size_t at = 0;
	uint32_t n = 0, which;

	if (node->func->lazy && !strcmp(node->func->name, "if")) {
		x = operand(node, &at);
		which = node_operand(&tree, node, &at);
		if (val_true(&x))
			return value_of(which);
		return node->n > 2 ? operand(node, &at) : none;
	}
	for (; n < node->n; n++) {
		v[n] = operand(node, &at);
		if (node->func->lazy && v[n].kind != VAL_NONE)
			return v[n];
	}
	if (node->func->lazy)
		return none;
	for (uint32_t i = 0; i < n; i++)
		if (v[i].kind == VAL_NONE)
			return none;
	return node->func->call(&(struct func_args){&now.g->env, &node->call, v, n});
}

static struct val
value_of(uint32_t n)
{
	const struct node *node = &tree.nodes[n], *of = &tree.nodes[node->left];
	struct engine *g = now.g;
	struct val a, b;
	size_t at = 0;

	switch (node->op) {
	case N_LET: return now.let[node->left];
	case N_PREV:
		return of->op == N_FIELD ? now.known->field[of->left]
					 : now.known->let[of->left];
	case N_NTH: return val_i64((int64_t)now.known->nth);
	case N_TOTAL: return now.total[node->right];
	case N_AND:
	case N_OR:
		a = operand(node, &at);
		if (val_true(&a) != (node->op == N_OR))
			a = operand(node, &at);
		a = val_i64(val_true(&a));
		break;
	case N_NOT:
		a = operand(node, &at);
		a = val_i64(!val_true(&a));
		break;
	case N_TRUE:
		a = operand(node, &at);
		a = val_i64(val_true(&a));
		break;
	case N_VALUE: a = operand(node, &at); break;
	case N_TEST:
		if (node_operand(&tree, node, &at) == NO_NODE)
			a = val_i64(range_test_by_text(g, tree.tests[node->left], now.r));
		else
			a = val_i64(passes(node));
		break;
	case N_FIELD:
		a = range_test_val(g, tree.fields[node->left].asked, now.r);
		if (node->variant)
			a = range_test_compared(g, tree.fields[node->left].asked, now.r, a);
		break;
	case N_TEXT: a = range_test_text(g, tree.fields[node->left].asked, now.r); break;
	case N_CONST: a = tree.constants[node->left]; break;
	case N_ARITH:
		a = operand(node, &at);
		b = operand(node, &at);
		a = val_arith(&g->env, (enum val_op)node->variant, &a, &b);
		break;
	case N_AS_TIME: a = eval_as_time(&g->env, node, operand(node, &at)); break;
	case N_CALL: a = call(node); break;
	default: a = none;
	}
	return fit(node, a);
}

/* A running sum with one more value. */
static struct val
add_total(const struct node *node, struct val v)
{
	struct val *sum = &now.known->sum[node->right];
	bool *lost = &now.known->lost[node->right];

	if (!*lost && v.kind != VAL_NONE && v.kind != VAL_TEXT) {
		const struct val zero = val_i64(0);

		if (sum->kind != VAL_NONE || v.kind == VAL_DECIMAL)
			v = val_arith(&now.g->env, VAL_ADD,
				      sum->kind == VAL_NONE ? &zero : sum, &v);
		*sum = v;
		*lost = v.kind == VAL_NONE;
	}
	return *lost ? none : fit(node, *sum);
}

/* A copy of a value that stays. */
static struct val
kept(struct val v)
{
	static struct arena mem;

	if (v.kind == VAL_TEXT)
		v.s = arena_str(&mem, v.s, v.len);
	return v;
}

/* Computes all definitions at an event, whose values are in now.let then, and keeps what its key must know. */
static void
define(const struct rec *r)
{
	size_t let = 0;

	now.r = r;
	now.known->nth++;
	for (uint32_t n = 0; n < tree.nnodes; n++) {
		if (tree.nodes[n].op == N_TOTAL)
			now.total[tree.nodes[n].right] =
			    add_total(&tree.nodes[n], value_of(tree.nodes[n].left));
		let = engine_let_of(&tree, n, let);
		if (let < tree.nlets && tree.lets[let].root == n)
			now.let[let] = value_of(n);
	}
	for (uint32_t n = 0; n < tree.nnodes; n++) {
		const struct node *of = &tree.nodes[tree.nodes[n].left];

		if (tree.nodes[n].op != N_PREV)
			continue;
		if (of->op == N_FIELD)
			now.known->field[of->left] =
			    kept(range_test_val(now.g, tree.fields[of->left].asked, r));
		else
			now.known->let[of->left] = kept(now.let[of->left]);
	}
}

/* Runs the tree at hand over the whole file both ways. */
static uint64_t
compare(const char *path)
{
	static struct batch b;
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL, .quiet = true};
	struct view view = {0};
	struct strtab keys = {0};
	struct known *known = NULL;
	struct engine g;
	struct source s;
	uint64_t values = 0, overs = 0;
	uint32_t chosen[BATCH], nknown = 0;
	size_t cap = 0;

	engine_ask(&tree, &view);
	engine_open(&g, &tree, &view);
	now.g = &g;
	now.overs = 0;
	now.let = xcalloc(tree.nlets + 1, sizeof *now.let);
	now.total = xcalloc(tree.ntotals + 1, sizeof *now.total);
	if (!source_open(&s, &opt, &path, 1))
		die("%s: cannot be read", path);
	while (source_next(&s, &b)) {
		uint32_t n = 0, keep = 1 + rnd(8);

		/* Without any, some, or all of a batch. */
		for (uint32_t i = 0; i < b.n; i++)
			if (keep >= 7 || rnd(keep) == 0)
				chosen[n++] = i;
		if (view_bind(&view, &s.t, &s.head, s.head_serial, s.fmt->text))
			engine_forget(&g);
		if (engine_clash(&g, &s))
			break;
		engine_run(&g, &s, &b, keep == 7 ? NULL : chosen, n);
		for (size_t i = 0; i < tree.nlets; i++)
			engine_let(&g, i);
		for (uint32_t j = 0; j < n; j++) {
			const struct rec *r = batch_rec(&b, chosen[j]);
			const struct str *loc = r->loc ? &s.t.str.v[r->loc] : NULL;
			uint32_t key =
			    strtab_id(&keys, loc ? loc->s : "-", loc ? loc->len : 1);

			for (; nknown <= key; nknown++) {
				GROW(known, cap, nknown + 1);
				known[nknown].field =
				    xcalloc(tree.nfields + 1, sizeof(struct val));
				known[nknown].let =
				    xcalloc(tree.nlets + 1, sizeof(struct val));
				known[nknown].sum =
				    xcalloc(tree.ntotals + 1, sizeof(struct val));
				known[nknown].lost = xcalloc(tree.ntotals + 1, 1);
			}
			now.known = &known[key];
			define(r);
			for (size_t i = 0; i < tree.nlets; i++, values++) {
				struct val x = vec_val(&g.lets[i].vreg.v, j);

				if (!same(&x, &now.let[i]))
					differs(path, s.count.events - b.n + chosen[j], i,
						&x, &now.let[i], &g.env);
			}
		}
	}
	for (size_t i = 0; i <= tree.nlets; i++)
		overs += g.overs[i];
	if (overs != now.overs) {
		printf("%s: %llu and %llu do not fit: %s\n", path,
		       (unsigned long long)overs, (unsigned long long)now.overs,
		       (const char *)text.p);
		fflush(stdout);
		_Exit(1);
	}
	for (uint32_t i = 0; i < nknown; i++) {
		free(known[i].field);
		free(known[i].let);
		free(known[i].sum);
		free(known[i].lost);
	}
	free(known);
	free(now.let);
	free(now.total);
	strtab_free(&keys);
	source_end(&s);
	source_close(&s);
	engine_close(&g);
	view_free(&view);
	return values;
}

/* The names of the file's fields. */
static void
learn(const char *path)
{
	static struct batch b;
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL, .quiet = true};
	struct source s;

	strtab_free(&names);
	for (size_t i = 0; field_column_name(i); i++)
		strtab_id(&names, field_column_name(i), strlen(field_column_name(i)));
	if (!source_open(&s, &opt, &path, 1))
		die("%s: cannot be read", path);
	while (source_next(&s, &b))
		for (uint32_t i = 0; i < s.t.ntypes; i++)
			for (uint32_t k = 0; k < s.t.type[i].nargs; k++) {
				const char *name = s.t.type[i].args[k].name;

				if (names.n < 60 && !strpbrk(name, " ()\\,="))
					strtab_id(&names, name, strlen(name));
			}
	for (unsigned i = 0; i < s.head.nlocparts; i++)
		strtab_id(&names, s.head.locpart[i], strlen(s.head.locpart[i]));
	source_end(&s);
	source_close(&s);
}

int
main(int argc, char **argv)
{
	uint64_t lists = 0, values = 0;

	if (argc < 4)
		return 2;
	prog_start(argv[0]);
	warn_skip(UINT_MAX);
	state = strtoull(argv[1], NULL, 10);
	for (int i = 3; i < argc; i++) {
		learn(argv[i]);
		for (unsigned long k = strtoul(argv[2], NULL, 10); k--;) {
			list();
			if (!survives(parse, NULL))
				continue;
			values += compare(argv[i]);
			lists++;
			expr_tree_free(&tree);
		}
	}
	printf("%llu lists, %llu values\n", (unsigned long long)lists,
	       (unsigned long long)values);
	return values ? 0 : 1;
}
