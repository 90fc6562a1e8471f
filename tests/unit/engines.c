/*
 * engines - random expressions give the same by loops over batches as event by event.
 *
 *	engines SEED COUNT FILE...
 *
 * Of each file, COUNT lists over its own fields are made up and run both ways: the values,
 * their kinds, and how many did not fit 64 bits must be equal. Those that are no
 * expressions (two units) are left out. Prints how many were held against each other.
 */
#include "fuzz/dies.h"

#include <string.h>

#include "cli/formats.h"
#include "expr/engine.h"

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

/* Runs the tree at hand over the whole file both ways. */
static uint64_t
compare(const char *path)
{
	static struct batch b;
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL, .quiet = true};
	struct view view[2] = {{0}, {0}};
	struct engine quick, slow;
	struct source s;
	uint64_t values = 0;
	uint32_t chosen[BATCH];

	engine_ask(&tree, &view[0]);
	engine_ask(&tree, &view[1]);
	engine_open(&quick, &tree, &view[0], false);
	engine_open(&slow, &tree, &view[1], true);
	if (!source_open(&s, &opt, &path, 1))
		die("%s: cannot be read", path);
	while (source_next(&s, &b)) {
		uint32_t n = 0, keep = 1 + rnd(8);

		/* Without any, some, or all of a batch. */
		for (uint32_t i = 0; i < b.n; i++)
			if (keep == 8 || rnd(keep) == 0)
				chosen[n++] = i;
		if (view_bind(&view[0], &s.t, &s.head, s.heads, s.fmt->text))
			engine_forget(&quick);
		if (view_bind(&view[1], &s.t, &s.head, s.heads, s.fmt->text))
			engine_forget(&slow);
		if (engine_clash(&quick, &s))
			break;
		engine_run(&quick, &s, &b, keep == 7 ? NULL : chosen, keep == 7 ? b.n : n);
		engine_run(&slow, &s, &b, keep == 7 ? NULL : chosen, keep == 7 ? b.n : n);
		for (size_t i = 0; i < tree.nlets; i++) {
			engine_let(&quick, i);
			engine_let(&slow, i);
			for (uint32_t j = 0; j < quick.all.n; j++, values++) {
				struct val x = vec_val(&quick.lets[i].reg.v, j),
					   y = vec_val(&slow.lets[i].reg.v, j);

				if (!same(&x, &y))
					differs(path, s.count.events - b.n + j, i, &x, &y,
						&quick.env);
			}
		}
	}
	for (size_t i = 0; i <= tree.nlets; i++)
		if (quick.overs[i] != slow.overs[i]) {
			printf("%s: %llu and %llu do not fit: %s\n", path,
			       (unsigned long long)quick.overs[i],
			       (unsigned long long)slow.overs[i], (const char *)text.p);
			fflush(stdout);
			_Exit(1);
		}
	source_end(&s);
	source_close(&s);
	engine_close(&quick);
	engine_close(&slow);
	view_free(&view[0]);
	view_free(&view[1]);
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
	warn_quiet();
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
