/* paraver_names.c - the rows of a trace in order, and the names of rows, types and values. */
#include <stdio.h>
#include <stdlib.h>

#include "trace-export/paraver.h"
#include "stats/keytab.h"

/* A row: a lane of the first reading. */
struct paraver_row {
	const char *process, *name;
	bool alone, inner;
	uint32_t lane; /* number in its place, from 0 */
	uint32_t id;
	uint32_t task, thread; /* from 1 */
};

static int
row_order(const void *a, const void *b)
{
	const struct paraver_row *x = a, *y = b;
	int by = natural_order(x->process, y->process);

	by = by ? by : natural_order(x->name, y->name);
	return by ? by : (x->lane > y->lane) - (x->lane < y->lane);
}

/* Returns the rows in order, and sets *n to their number. The caller frees them. */
static struct paraver_row *
rows_of(const struct tracks *t, uint32_t *n)
{
	struct paraver_row *row = xcalloc(t->ids + 1, sizeof *row);
	uint32_t task = 0, thread = 0;

	*n = 0;
	for (uint32_t i = 0; i < t->places.n; i++)
		for (uint32_t k = 0; k < t->place[i].lanes; k++)
			row[(*n)++] = (struct paraver_row){
			    .process = t->processes.v[t->place[i].process - 1].s,
			    .name = t->place[i].name,
			    .alone = t->place[i].alone,
			    .inner = t->place[i].inner,
			    .lane = k,
			    .id = t->place[i].lane[k].id,
			};
	qsort(row, *n, sizeof *row, row_order);
	for (uint32_t i = 0; i < *n; i++) {
		const struct paraver_row *before = &row[i - (i > 0)];

		if (!i || row[i].process != before->process ||
		    ((row[i].alone || before->alone) && row[i].name != before->name)) {
			task++;
			thread = 0;
		}
		row[i].task = task;
		row[i].thread = ++thread;
	}
	return row;
}

/* Writes the names of rows. */
static void
put_names(struct out *o, const struct paraver_row *row, uint32_t n)
{
	char line[64];

	snprintf(line, sizeof line, "LEVEL TASK SIZE %u\n", n ? row[n - 1].task : 0);
	out_str(o, line);
	for (uint32_t i = 0; i < n; i++)
		if (row[i].thread == 1) {
			if (!row[i].alone || row[i].inner)
				out_str(o, row[i].process);
			if (row[i].alone && row[i].inner)
				out_str(o, "/");
			if (row[i].alone)
				out_str(o, row[i].name);
			out_str(o, "\n");
		}
	snprintf(line, sizeof line, "\nLEVEL THREAD SIZE %u\n", n);
	out_str(o, line);
	for (uint32_t i = 0; i < n; i++) {
		out_str(o, row[i].name);
		snprintf(line, sizeof line, row[i].lane ? " (%u)\n" : "\n",
			 row[i].lane + 1);
		out_str(o, line);
	}
}

void
paraver_head(struct paraver *x, struct atomic_file *dir)
{
	uint32_t n;
	struct paraver_row *row = rows_of(&x->first.tracks, &n);
	struct out names;
	char text[64];

	out_open_in(&names, dir, "trace.row");
	put_names(&names, row, n);
	out_close(&names, ST_OK);
	snprintf(text, sizeof text, "#Paraver (01/01/70 at 00:00):%lld_ns:0:1:%u(",
		 (long long)x->length, n ? row[n - 1].task : 0);
	out_str(&x->prv, text);
	x->lane = xcalloc(n + 1, sizeof *x->lane);
	x->lanes = n + 1;
	for (uint32_t i = 0; i < n; i++) {
		struct open_states *lane = &x->lane[row[i].id];

		lane->text_n =
		    (uint8_t)snprintf((char *)lane->text, sizeof lane->text,
				      "2:0:1:%u:%u:", row[i].task, row[i].thread);
		if (i + 1 < n && row[i + 1].task == row[i].task)
			continue;
		snprintf(text, sizeof text, "%u:1%s", row[i].thread, i + 1 < n ? "," : "");
		out_str(&x->prv, text);
	}
	out_str(&x->prv, ")\n");
	free(row);
	tracks_close(&x->first.tracks);
}

/* Writes a type to the .pcf. */
static void
put_type(struct out *o, uint32_t type, const char *name)
{
	char line[32];

	snprintf(line, sizeof line, "0 %u ", type);
	out_str(o, line);
	out_str(o, name);
	out_str(o, "\n");
}

/* Writes the numbers of texts with their names. */
static void
put_texts(struct out *o, const struct strtab *t)
{
	char line[32];

	out_str(o, "VALUES\n");
	for (uint32_t i = 0; i < t->n; i++) {
		snprintf(line, sizeof line, "%u ", i + 1);
		out_str(o, line);
		out_bytes(o, t->v[i].s, t->v[i].len);
		out_str(o, "\n");
	}
}

void
paraver_pcf(struct paraver *x, struct atomic_file *dir)
{
	struct out o;
	bool texts = false;

	out_open_in(&o, dir, "trace.pcf");
	out_str(&o, "DEFAULT_OPTIONS\n\nLEVEL THREAD\nUNITS NANOSEC\n\nEVENT_TYPE\n");
	put_type(&o, STATE, "state");
	put_type(&o, MOMENT, "moment");
	put_texts(&o, &x->events);
	for (uint32_t i = 0; i < x->types.n; i++) {
		const char *name = x->types.v[i].s;

		texts |= *name == 't';
		if (*name == 't')
			continue;
		out_str(&o, "\nEVENT_TYPE\n");
		put_type(&o, FIRST + i, name + 1);
		if (x->names[i].n) {
			out_str(&o, "VALUES\n");
			out_bytes(&o, x->names[i].p, x->names[i].n);
		}
	}
	/* All arguments that are texts share one list of values. */
	out_str(&o, texts ? "\nEVENT_TYPE\n" : "");
	for (uint32_t i = 0; i < x->types.n; i++)
		if (*x->types.v[i].s == 't')
			put_type(&o, FIRST + i, x->types.v[i].s + 1);
	if (texts)
		put_texts(&o, &x->texts);
	out_close(&o, ST_OK);
}
