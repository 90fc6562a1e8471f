/*
 * gen_dumpi.c - DUMPI files with every call of the table, for the tests, and what events
 *they hold. The values are made here, from the table's rows alone; the reader has no part
 *in it.
 *
 *	gen_dumpi file [VERSION [WORDS [MASK [COUNTERS [CALLS [SEED [BACK]]]]]]]
 *		a file; VERSION as 0.6.1, WORDS of the index, CALLS as 0,18,124: only these;
 *		SEED of what is at random, where times go back now and then, by less than BACK
 *		seconds
 *	gen_dumpi script [...]		a file of the records on standard input: put_script
 *	gen_dumpi random [...]		a file of records at random
 *	gen_dumpi expect [...]		its events: name and arguments, without derived ones
 *	gen_dumpi table		the calls as TSV: index, name, arguments, print order
 *	gen_dumpi constants		names of values as TSV: type, value, name
 *	gen_dumpi types		TSV: type, bytes, signed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dumpi/dumpi_trace.h"

static bool text;   /* what is expected, not the file */
static bool script; /* the records come from standard input */
static bool chance; /* their values are at random, out of few */
static uint8_t version[3] = {13, 0, 0};
static unsigned words = 8, mask = 0x4f, counters;
static bool chosen[DUMPI_CALLS];
static const struct dumpi_layout *layout;
static uint64_t written;
static uint32_t count[DUMPI_CALLS], clock_ns, clock_s, back;

static uint64_t chance_state = 1;
static uint32_t chance_n; /* elements of the arrays of this record */

static uint32_t
below(uint32_t n)
{
	chance_state = chance_state * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(chance_state >> 33) % n;
}

static void
put(uint64_t v, unsigned bytes)
{
	if (text)
		return;
	written += bytes;
	while (bytes--)
		putchar((int)(v >> (8 * bytes) & 255));
}

static void
put_str(const char *s, unsigned width)
{
	put(strlen(s), width);
	for (; *s; s++)
		put((uint8_t)*s, 1);
}

/* A number as an event has it. */
static void
expect(const struct dumpi_type *t, unsigned call, int64_t v)
{
	const char *name;

	if (!text)
		return;
	switch (t->kind) {
	case K_U8: v = (uint8_t)v; break;
	case K_I8: v = (int8_t)v; break;
	case K_I16: v = (int16_t)v; break;
	case K_I32: v = (int32_t)v; break;
	}
	name = label_of(&t->labels, v);
	if (call > 290)
		printf("0x%llx", (unsigned long long)v);
	else if (name)
		printf("%s", name);
	else
		printf("%lld", (long long)v);
}

/* A string as a value: the few odd bytes that are used here. */
static void
expect_str(const char *s, bool element)
{
	if (!text)
		return;
	if (!*s)
		printf("\"\"");
	for (; *s; s++) {
		if (*s == '\t' || *s == '\\' || (*s == ',' && element))
			printf("\\x%02x", *s);
		else
			putchar(*s);
	}
}

static const char *
string_of(unsigned call, unsigned arg, unsigned i, bool second)
{
	static char s[64];

	if (second && i == 0 && call & 1)
		return "";
	snprintf(s, sizeof s, second ? "b,\\%u\t%u%u" : "a%u.%u.%u", call, arg, i);
	return s;
}

static int64_t
value_of(unsigned call, unsigned arg, const struct dumpi_type *t, unsigned i, bool second)
{
	const struct labels *l = &t->labels;

	if (chance) {
		/* Numbers that come again: of ranks, requests, datatypes, communicators. */
		if (below(40) == 0)
			return (int64_t)((uint64_t)below(1u << 31) << below(33)) - below(2);
		if (l->n && below(3) == 0)
			return l->v[below(l->n)].value;
		return (int64_t)below(below(3) ? 9 : 40) - (below(12) == 0);
	}
	if (call > 290)
		return second ? 0x7000000000 + call : 0x400000;
	/* A call to or from no rank has no bytes: that comes second. */
	if (!strcmp(t->name, "dest") || !strcmp(t->name, "source"))
		return second ? l->v[(call + i) % l->n].value : 1 + (int64_t)arg;
	if (l->n) /* a named one, then one beyond the names, negative where there is a sign
		   */
		return second ? (t->kind == K_U8 ? 200 : -77 - (int64_t)i)
			      : l->v[(call + arg + i) % l->n].value;
	return second ? -1 - (int64_t)(1000 * arg + call + i)
		      : (int64_t)(100000 * (uint64_t)i + 1000 * arg + call);
}

static uint32_t
elements(unsigned call, bool second)
{
	if (chance)
		return chance_n;
	return second ? call % 2 : 1 + call % 3;
}

/* Is this argument the number of some array of its call? */
static bool
counts(const struct dumpi_call *c, unsigned arg)
{
	for (unsigned i = 0; i < c->nargs; i++)
		if (c->arg[i].len == (int)arg)
			return true;
	return false;
}

static void
put_status(unsigned call, unsigned arg, uint32_t n)
{
	static const char *const field[] = {"bytes", "source", "cancelled", "error", "tag"};
	const char *name = dumpi_calls[call].arg[arg].name;
	unsigned fields = layout->old & OLD_TAG ? 4 : 5;

	put(n, 4);
	for (uint32_t i = 0; i < n; i++) {
		put(1000 + call + i, 4);
		put(i, 4);
		put(i & 1, 1);
		put(0xff, 1);
		if (fields == 5)
			put(7 + i, 4);
	}
	for (unsigned k = 0; text && k < fields; k++) {
		printf("\t%s.%s=", name, field[k]);
		for (uint32_t i = 0; i < n; i++)
			printf("%s%d", i ? "," : "",
			       (int)(k == 0   ? 1000 + call + i
				     : k == 1 ? i
				     : k == 2 ? i & 1
				     : k == 3 ? -1u
					      : 7 + i));
	}
}

static void
put_strings(unsigned call, unsigned arg, uint32_t n, bool second)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *s = string_of(call, arg, i, second);

		put_str(s, 4);
		if (i && text)
			putchar(',');
		expect_str(s, true);
	}
}

static void
put_arg(unsigned call, unsigned arg, bool second)
{
	const struct dumpi_call *c = &dumpi_calls[call];
	const struct dumpi_arg *a = &c->arg[arg];
	uint32_t n = elements(call, second);
	unsigned shape = a->one & layout->old ? (unsigned)SHAPE_ONE : a->shape;
	int64_t v;

	if ((a->only && !(a->only & layout->old)) || (a->cond && second))
		return;
	if (shape == SHAPE_STATUS) {
		if (mask & MASK_STATUS)
			put_status(call, arg, a->brackets ? n : !second);
		return;
	}
	if (text)
		printf("\t%s=", a->name);
	switch (shape) {
	case SHAPE_ONE:
		v = value_of(call, arg, a->type, 0, second);
		if (counts(c, arg))
			v = n;
		/* Root has the same rank as the first argument, others not. */
		if (c->cond_a != c->cond_b &&
		    ((int)arg == c->cond_a || (int)arg == c->cond_b))
			v = second ? (int64_t)arg : 5;
		put((uint64_t)v, a->type->width);
		expect(a->type, call, v);
		break;
	case SHAPE_ARRAY:
		put(n, 4);
		for (uint32_t i = 0; i < n; i++) {
			v = value_of(call, arg, a->type, i, second);
			put((uint64_t)v, a->type->width);
			if (i && text)
				putchar(',');
			expect(a->type, call, v);
		}
		break;
	case SHAPE_ROWS:
		put(n, 4);
		for (uint32_t i = 0; i < 3 * n; i++) {
			if (i % 3 == 0)
				put(3, 4);
			put(i, 4);
			if (text)
				printf("%s%u", i ? "," : "", (unsigned)i);
		}
		if (text)
			printf("\t%s.len=%s", a->name,
			       n == 0	? ""
			       : n == 1 ? "3"
			       : n == 2 ? "3,3"
					: "3,3,3");
		break;
	case SHAPE_STR: {
		const char *s = string_of(call, arg, 0, second);

		put_str(s, 4);
		expect_str(s, false);
		break;
	}
	case SHAPE_STRS: put_strings(call, arg, n, second); break;
	case SHAPE_STRARRAY:
		put(n, 4);
		put_strings(call, arg, n, second);
		break;
	case SHAPE_STRROWS:
		put(n, 4);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t row = back ? below(4) : 1;

			put(row, 4);
			if (i && text)
				putchar(',');
			put_strings(call, arg, row, second);
		}
		if (text)
			printf("\t%s.len=%s", a->name,
			       n == 0	? ""
			       : n == 1 ? "1"
			       : n == 2 ? "1,1"
					: "1,1,1");
		break;
	}
}

static void
put_times(uint32_t took)
{
	uint64_t start = clock_ns + 1000000000ull * clock_s, end = start + took;

	put(start / 1000000000, 2);
	put(start % 1000000000, 4);
	put(end / 1000000000, 2);
	put(end % 1000000000, 4);
}

/* A record up to its arguments. */
static void
put_head(unsigned call)
{
	put(call, 2);
	put(mask | (counters ? MASK_PERF : 0u), 1);
	if (mask & MASK_THREAD)
		put(chance ? below(4) : 0, 2);
	if (mask & MASK_CPU)
		put_times(chance ? below(900) : 800);
	if (mask & MASK_WALL)
		put_times(chance ? below(3000) : 1000);
	clock_ns += chance ? below(4000) : 2000;
	clock_s += chance && below(30) == 0 ? below(400) : 0;
	if (back && below(10) == 0)
		clock_s -= below(back);
	if (counters) {
		put(counters, 1);
		for (unsigned i = 0; i < 2 * counters; i++)
			put(call + i, 8);
	}
}

static void
put_record(unsigned call, bool second)
{
	put_head(call);
	if (text)
		printf("%s", dumpi_calls[call].name);
	for (unsigned i = 0; i < dumpi_calls[call].nargs; i++)
		put_arg(call, i, second);
	if (text) {
		if (call > 290 && !second && words > 6)
			printf("\tname=main\\x20loop");
		putchar('\n');
	}
	count[call]++;
}

/* One argument of a script's line: a number; numbers, with commas between; statuses as
 * BYTES:SOURCE:CANCELLED:TAG; `.` for none. */
static void
put_word(const struct dumpi_arg *a, unsigned shape, const char *word)
{
	bool none = !strcmp(word, ".");
	uint32_t n = !none;

	if (shape == SHAPE_STATUS && !(mask & MASK_STATUS))
		return;
	if (shape == SHAPE_ONE) {
		put((uint64_t)strtoll(word, NULL, 0), a->type->width);
		return;
	}
	for (const char *p = word; *p; p++)
		n += *p == ',';
	put(n, 4);
	for (; n; n--) {
		if (shape == SHAPE_STATUS) {
			int v[4] = {0};

			sscanf(word, "%d:%d:%d:%d", &v[0], &v[1], &v[2], &v[3]);
			put((uint64_t)v[0], 4);
			put((uint64_t)v[1], 4);
			put((uint64_t)v[2], 1);
			put(0, 1);
			if (!(layout->old & OLD_TAG))
				put((uint64_t)v[3], 4);
		} else {
			put((uint64_t)strtoll(word, NULL, 0), a->type->width);
		}
		word += strcspn(word, ",");
		word += *word == ',';
	}
}

/* Records of a script: a line each, the call's name and its stored arguments. */
static void
put_script(void)
{
	static char line[1 << 20];

	while (fgets(line, sizeof line, stdin)) {
		char *word[DUMPI_ARGS + 1] = {NULL}, *p = strtok(line, " \n");
		unsigned call = 0, n = 0;

		if (!p || *p == '#')
			continue;
		while (call < DUMPI_CALLS && strcmp(dumpi_calls[call].name, p) != 0)
			call++;
		while (n < DUMPI_ARGS && (p = strtok(NULL, " \n")) != NULL)
			word[n++] = p;
		if (call == DUMPI_CALLS) {
			fprintf(stderr, "gen_dumpi: no call %s\n", line);
			exit(2);
		}
		put_head(call);
		for (unsigned i = 0, k = 0; i < dumpi_calls[call].nargs; i++) {
			const struct dumpi_arg *a = &dumpi_calls[call].arg[i];

			if ((a->only && !(a->only & layout->old)) ||
			    (a->cond && strcmp(word[dumpi_calls[call].cond_a],
					       word[dumpi_calls[call].cond_b]) != 0))
				continue;
			put_word(a, a->one & layout->old ? (unsigned)SHAPE_ONE : a->shape,
				 k < n ? word[k] : "0");
			k++;
		}
		count[call]++;
	}
}

/* Records of all calls, those most often whose effects are kept: requests, datatypes,
 * communicators. What they are of changes from record to record. */
static void
put_chance(unsigned n)
{
	unsigned all = mask;

	while (n--) {
		unsigned call = below(3) ? below(60) : below(DUMPI_END);

		if (!chosen[call] || call == 128 || call == 290 || call == 125)
			continue;
		if (below(20) == 0)
			mask = all & below(256);
		chance_n = below(5);
		put_record(call, below(2));
		mask = all;
	}
}

static uint64_t
put_footer(void)
{
	uint64_t at = written;
	uint32_t total = 0;

	put(0xf007fee7, 8);
	/* One more was called of each, and one not recorded. */
	for (unsigned ignored = 0; ignored < 2; ignored++) {
		total = 0;
		for (unsigned i = 0; i < DUMPI_COUNTED - 1; i++) {
			put(ignored ? 1 : count[i] + 1, 4);
			total += ignored ? 1 : count[i] + 1;
		}
		put(total, 4);
	}
	return at;
}

static void
put_sections(void)
{
	uint64_t off[8] = {0};

	put(DUMPI_END, 2);
	off[3] = written;
	for (int i = 0; i < 3; i++)
		put(version[i], 1);
	put(1700000000, 8);
	put_str("host-1", 2);
	put_str("user", 2);
	put(2, 4);
	put(3, 4);
	put(4, 4);
	if (version[0] || version[1] >= 5) {
		put(2, 4);
		put(8, 4);
		put(9, 4);
	}
	off[2] = DUMPI_BODY;
	off[1] = put_footer();
	off[0] = written;
	put(1, 4);
	put_str("key one", 2);
	put_str("value\t1", 2);
	if (words > 5) {
		off[4] = written;
		put(counters, 4);
		for (unsigned i = 0; i < counters; i++)
			put_str(i ? "PAPI_L1_DCM" : "x y=1", 2);
	}
	if (words > 7) {
		off[6] = written;
		put(32, 4); /* datatype 9 has 9 bytes, and so on */
		for (unsigned i = 0; i < 32; i++)
			put(i, 4);
	}
	if (words > 6) {
		off[5] = written;
		put(2, 4);
		put(0x500000, 8);
		put_str("other", 2);
		put(0x400000, 8);
		put_str("main loop", 2);
	}
	for (int i = 0; i < 8; i++)
		put((uint8_t)DUMPI_MAGIC[i], 1);
	for (unsigned i = words - 1; i-- > 0;)
		put(off[i], 8);
}

static void
put_file(void)
{
	layout = dumpi_layout(dumpi_layout_of(version));
	for (int i = 0; i < 8; i++)
		put((uint8_t)DUMPI_MAGIC[i], 1);
	put(5, 4);
	put(1000, 4);
	for (int second = 0; second < 2 && !script && !chance; second++)
		for (unsigned i = 0; i < DUMPI_END; i++)
			if (chosen[i] && i != 128 && i != 290 && i != 125)
				put_record(i, second);
	if (script)
		put_script();
	if (chance)
		put_chance(1500);
	put_record(125, false);
	put_sections();
}

static void
put_table(void)
{
	for (unsigned i = 0; i < DUMPI_CALLS; i++) {
		const char *at = schema_row(&dumpi_schema, i)->fields;
		const struct dumpi_call *c = &dumpi_calls[i];
		struct schema_field f;

		printf("%u\t%s\t", i, c->name);
		for (unsigned k = 0; schema_field(&at, &f); k++) {
			struct word w, rest = f.notes;
			bool in = !schema_note(&rest, &w) ||
				  (!word_is(w, "out") && !word_is(w, "aux"));

			printf("%s%.*s:%.*s%s%s%.*s", k ? "," : "", (int)f.name.n, f.name.p,
			       (int)strcspn(f.type.p, " "), f.type.p, in ? ":in" : "",
			       f.notes.n ? ":" : "", (int)f.notes.n, f.notes.p);
		}
		printf(c->nargs ? "\t" : "-\t");
		for (unsigned k = 0; k < c->nargs; k++)
			if (!c->arg[c->print[k]].only)
				printf("%s%s", k ? "," : "", c->arg[c->print[k]].name);
		printf("%s\n", c->nargs ? "" : "-");
	}
}

static const char *const type_names[] = {
    "i32",	    "i64",	"comm",	     "group",	 "datatype",	"errhandler",
    "file",	    "info",	"keyval",    "win",	 "request",	"iorequest",
    "dest",	    "source",	"tag",	     "op",	 "combiner",	"comparison",
    "distribution", "filemode", "locktype",  "ordering", "threadlevel", "topology",
    "typeclass",    "whence",	"winassert", NULL,
};

static void
put_constants(void)
{
	for (int i = 0; type_names[i]; i++) {
		const struct dumpi_type *t =
		    dumpi_type_named(type_names[i], strlen(type_names[i]));

		for (uint32_t k = 0; k < t->labels.n; k++)
			printf("%s\t%lld\t%s\n", t->name, (long long)t->labels.v[k].value,
			       t->labels.v[k].name);
	}
}

static void
put_types(void)
{
	for (int i = 0; type_names[i]; i++) {
		const struct dumpi_type *t =
		    dumpi_type_named(type_names[i], strlen(type_names[i]));

		printf("%s\t%u\t%s\n", t->name, t->width, t->kind == K_U8 ? "no" : "yes");
	}
}

int
main(int argc, char **argv)
{
	unsigned v[3];

	dumpi_table();
	memset(chosen, argc <= 6, sizeof chosen);
	for (char *p = argc > 6 ? argv[6] : NULL; p; p = strchr(p, ',')) {
		p += *p == ',';
		chosen[strtoul(p, NULL, 10) % DUMPI_CALLS] = true;
	}
	if (argc > 2 && sscanf(argv[2], "%u.%u.%u", &v[0], &v[1], &v[2]) == 3)
		for (int i = 0; i < 3; i++)
			version[i] = (uint8_t)v[i];
	if (argc > 3)
		words = (unsigned)strtoul(argv[3], NULL, 0);
	if (argc > 4)
		mask = (unsigned)strtoul(argv[4], NULL, 0);
	if (argc > 5)
		counters = (unsigned)strtoul(argv[5], NULL, 0);
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "file") || !strcmp(argv[1], "expect") ||
	    !strcmp(argv[1], "script") || !strcmp(argv[1], "random")) {
		text = argv[1][0] == 'e';
		chance = argv[1][0] == 'r';
		chance_state = argc > 7 ? strtoull(argv[7], NULL, 10) : 1;
		script = argv[1][0] == 's';
		back = argc > 8 ? (uint32_t)strtoul(argv[8], NULL, 10) : 0;
		clock_s = back ? 65000 : 0; /* so that it also passes 16 bits */
		put_file();
	} else if (!strcmp(argv[1], "table")) {
		put_table();
	} else if (!strcmp(argv[1], "constants")) {
		put_constants();
	} else if (!strcmp(argv[1], "types")) {
		put_types();
	}
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
