/* targets.c - the table of targets. */
#include <string.h>

#include "view/field.h"
#include "trace-export/export.h"

#define TARGETS(T)     \
	T(perfetto)    \
	T(chrome)      \
	T(csv)         \
	T(tsv)         \
	T(jsonl)       \
	T(parquet)     \
	T(arrow)       \
	T(fio)         \
	T(blktrace)    \
	T(libcachesim) \
	T(oracle)      \
	T(mqsim)       \
	T(disksim)     \
	T(din)         \
	T(ctf)         \
	T(paraver)

#define DECLARED(name) extern const struct target target_##name;
TARGETS(DECLARED)
#undef DECLARED

#define ROW(name) &target_##name,
static const struct target *const targets[] = {TARGETS(ROW) NULL};

const struct target *
target_named(const char *name)
{
	for (size_t i = 0; targets[i]; i++)
		if (!strcmp(targets[i]->name, name))
			return targets[i];
	return NULL;
}

const char *
target_name(size_t i)
{
	return targets[i] ? targets[i]->name : NULL;
}

#define ALL (NEED_COLUMNS | NEED_ARGS)

/* Writes a word of a list with commas. */
static void
targets_add(struct out *o, const char *word, bool *any)
{
	out_str(o, *any ? "," : "\t");
	out_str(o, word);
	*any = true;
}

void
targets_print(struct out *o, const char *const names[EXPORT_OPTIONS])
{
	out_str(o, "target\tcarries\toptions\tabout\n");
	for (size_t i = 0; targets[i]; i++) {
		const struct target *t = targets[i];
		bool any = false, all = !(ALL & ~t->carries);
		const char *word;

		out_str(o, t->name);
		if (all)
			targets_add(o, "all", &any);
		for (size_t k = 0; !all && (word = field_column_name(k)); k++)
			if (field_column(word, strlen(word)) < FIELD_END &&
			    !(field_need(word) & ~t->carries))
				targets_add(o, word, &any);
		if (!all && t->carries & NEED_ARGS)
			targets_add(o, "args", &any);
		any = false;
		for (unsigned k = 0; k < EXPORT_OPTIONS; k++)
			if (t->takes >> k & 1)
				targets_add(o, names[k], &any);
		out_str(o, any ? "\t" : "\t-\t");
		out_str(o, t->about);
		out_str(o, "\n");
	}
}
