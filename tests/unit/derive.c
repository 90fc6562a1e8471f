/*
 * derive - events with computed arguments, where programs cannot show it: parts that lie
 * over each other, and whose faults they are. Prints the events.
 */
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "cli/cli_formats.h"
#include "expr/derive.h"
#include "input/fault.h"
#include "output/sink.h"

static struct read_options opt;
static struct source s;
static struct batch b;
static struct sink k;

/* A source with a type of two texts and a number, and n events. */
static void
begin(uint32_t n)
{
	struct arg args[] = {{.name = "a", .kind = K_STR},
			     {.name = "b", .kind = K_STR},
			     {.name = "n", .kind = K_U16}};
	struct type ty = {.event = "E", .event_len = 1, .nargs = 3, .args = args};

	opt.known = formats;
	opt.sniffers = sniffers;
	s.opt = &opt;
	s.name = "made";
	s.fmt = &fmt_binary;
	s.head_serial = serial();
	tables_reset(&s.t);
	type_add(&s.t, &ty);
	batch_start(&b);
	for (uint32_t i = 0; i < n; i++) {
		rec_new(&b, &s.t, 0);
		memcpy((uint8_t *)rec_last(&b) + s.t.type[0].args[2].off, &(uint16_t){7},
		       2);
	}
	s.count.events = n;
}

static void
derive(const char *list)
{
	struct derive *d = derive_new(exprs_parse(list, PARSE_LIST | PARSE_DEFINES, NULL));
	const struct batch *out;
	struct source *made = derive_run(d, &s, &b, NULL, b.n, &out);

	sink_put(&k, made, out, NULL, out->n);
	fault(made, NULL, COST_STATUS, "made", NOWHERE, "a fault");
	out_flush(&k.out);
	printf("lost %u, trouble %d\n", (unsigned)s.faults.lost, s.trouble);
	fflush(stdout);
	derive_free(d);
	s.faults.lost = 0;
	s.trouble = false;
}

/* Both texts of the record made last become its first `n` bytes behind the fixed part. */
static void
share(uint32_t n)
{
	struct rec *r;
	struct part part;

	rec_str(&b, &s.t.type[0].args[0], "abcdefghijklmnop", 16);
	r = rec_last(&b);
	memcpy(&part, (uint8_t *)r + s.t.type[0].args[0].off, sizeof part);
	part.n = n;
	memcpy((uint8_t *)r + s.t.type[0].args[0].off, &part, sizeof part);
	memcpy((uint8_t *)r + s.t.type[0].args[1].off, &part, sizeof part);
}

int
main(int argc, char **argv)
{
	prog_start(argc ? argv[0] : "derive");
	sink_open(&k, &(struct write_options){.form = &form_text});
	begin(1);
	rec_str(&b, &s.t.type[0].args[0], "one", 3);
	rec_str(&b, &s.t.type[0].args[1], "two", 3);
	derive("x = n * 2");
	begin(1);
	share(3);
	derive("x = n * 2");
	derive("n =");
	/* 16 bytes that 5000 arguments share are no 80 KB. */
	begin(0);
	{
		static struct arg args[5000];
		struct type ty = {
		    .event = "E", .event_len = 1, .nargs = 5000, .args = args};

		for (int i = 0; i < 5000; i++)
			args[i] = (struct arg){.name = i ? "v" : "a", .kind = K_STR};
		type_add(&s.t, &ty);
		rec_new(&b, &s.t, 1);
		rec_str(&b, &s.t.type[1].args[0], "abcdefghijklmnop", 16);
		for (uint32_t i = 1; i < 5000; i++)
			memcpy((uint8_t *)rec_last(&b) + s.t.type[1].args[i].off,
			       (uint8_t *)rec_last(&b) + s.t.type[1].args[0].off, 8);
		s.count.events = 1;
	}
	derive("x = 1");
	return 0;
}
