/* listing.c - the tables of events and functions. */
#include "trace-filter/listing.h"
#include "event/schema.h"
#include "expr/func.h"
#include "output/sink.h"

int
listing_print(bool events)
{
	struct sink sink;

	sink_open(&sink, &common.write);
	if (events)
		schema_head(&sink.out);
	else
		func_print(&sink.out);
	for (size_t i = 0; events && common.read.known[i]; i++) {
		const struct format *f = common.read.known[i];

		if (f->schema && (!common.read.only || common.read.only == f))
			schema_print(&sink.out, f->name, f->schema);
	}
	return sink_close(&sink, ST_OK);
}
