/* trace-anonymise - write events with other names for people, hosts, paths and programs */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "cli/opt.h"
#include "event/value.h"
#include "input/trace.h"
#include "output/sink.h"
#include "trace-anonymise/anonymise.h"
#include "view/field.h"

/* Charisma's user numbers and machine number name somebody; by= and request= are made by its reader. */
static const struct name_rules rules[] = {
    {"ovni", .loc = "loom"},
    {"dumpi", .keep = "peer gpeer", .words = "<none> native internal external32",
     .keys = "keyval"},
    {"charisma", .numbers = "user_id SystemId", .keep = "by request system_type",
     .classes = "name=file"},
    {"laplace", .keep = "region"},
    {"laplace-text", .keep = "region"},
    {NULL},
};

static struct name_choice choice = {.rules = rules};
static const char *key_file, *map_file;

static const struct opt opts[] = {
    {0, "key-file", "FILE", "names end with a hash by the key in FILE", .text = &key_file},
    {0, "also", "LIST", "more fields with names", .text = &choice.also,
     .word = field_column_name, .list = true},
    {0, "keep", "LIST", "fields that stay as they are", .text = &choice.never,
     .word = field_column_name, .list = true},
    {0, "map", "FILE", "write the new names and the old ones to FILE", .text = &map_file},
    {0},
};

static const struct program program = {
    .about = "write events with other names for people, hosts, paths and programs",
    .operands = "[FILE...]",
    .examples = {"trace-anonymise -b solver.meta > share.spoor",
		 "trace-anonymise --keep label tasks | head -n 3"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
};

struct anonymising {
	struct sink sink;
	struct anonymise *a;
};

static bool
batch(void *arg, struct source *s, const struct batch *b)
{
	struct anonymising *x = arg;
	const struct batch *out;
	struct source *made = anonymise_batch(x->a, s, b, &out);

	sink_put(&x->sink, made, out, NULL, out->n);
	return true;
}

static void
end_of_input(void *arg, struct source *s)
{
	struct anonymising *x = arg;

	sink_end(&x->sink, anonymise_end(x->a, s));
}

/* Writes a line for each name: its class, the new name, the old one. Dies if that fails. */
static void
write_map(FILE *f, struct naming *naming)
{
	struct buf b = {0};

	for (uint32_t i = 0; i < naming->nclasses; i++) {
		const struct strtab *t = &naming->class[i].texts;

		for (uint32_t k = 0; k < t->n; k++) {
			b.n = 0;
			buf_str(&b, naming->class[i].prefix);
			buf_byte(&b, '\t');
			if (naming->class[i].numbers) {
				char digits[24];

				snprintf(digits, sizeof digits, "%llu",
					 (unsigned long long)naming_number(
					     naming, i, t->v[k].s, t->v[k].len));
				buf_str(&b, digits);
			} else
				naming_put(naming, i, t->v[k].s, t->v[k].len, &b);
			buf_byte(&b, '\t');
			value_str(&b, t->v[k].s, t->v[k].len);
			buf_byte(&b, '\n');
			fwrite(b.p, 1, b.n, f);
		}
	}
	if (ferror(f) || fclose(f) != 0)
		die("%s: write:", map_file);
	buf_free(&b);
}

int
main(int argc, char **argv)
{
	struct anonymising x = {0};
	struct naming naming = {0};
	FILE *map = NULL;
	int status;

	opt_read(&program, argc, argv);
	naming.keyed = key_file != NULL;
	naming.keeps = map_file != NULL;
	if (common.read.chunks && !naming.keyed)
		opt_die("--chunk needs --key-file: without a key, a name gets another "
			"number in "
			"each part");
	if (key_file)
		naming_key(key_file, naming.key);
	if (map_file) {
		/* The old names are for the user alone. */
		mode_t mask = umask(077);

		map = fopen(map_file, "w");
		umask(mask);
		if (!map)
			die("%s:", map_file);
	}
	sink_open(&x.sink, &common.write);
	sink_begin(&x.sink, NEED_ALL, &common.read);
	/* No line is written as it stood. */
	common.read.streams_pass = false;
	x.a = anonymise_new(&choice, &naming);
	status =
	    trace_each(&common.read, common.path, common.n,
		       &(struct consumer){.batch = batch, .end = end_of_input, .arg = &x});
	status = sink_close(&x.sink, status);
	if (map)
		write_map(map, &naming);
	anonymise_free(x.a);
	naming_free(&naming);
	return status;
}
