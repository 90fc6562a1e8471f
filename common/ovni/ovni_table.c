/* ovni_table.c - compiles the rows of events.h into events, and finds them by their letters. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "ovni/ovni.h"

enum row_kind {
	POINT,
	STATE,
	VALUE,
};

#define ROW(m, l, k, n, f, a)                                                          \
	{                                                                              \
		.event = m, .leave = (k) == STATE ? (l) : NULL, .value = (k) == VALUE, \
		.name = n, .fields = f, .about = a                                     \
	}

static const struct schema_row rows[] = {
#include "ovni/events.h"
};
#define ROWS (sizeof rows / sizeof *rows)

const struct schema ovni_schema = {.rows = rows, .n = ROWS, .width = sizeof *rows};

/* Events of release 1.0.0 whose letters mean other events in later releases: M was OpenMP, and T the first TAMPI.
 * Both were removed in 1.1.0; 1.3.0 gave M to MPI and T to a new TAMPI. */
static const struct schema_row old_rows[] = {
    ROW("MT[", "MT]", STATE, "openmp.task", "", NULL),
    ROW("MP[", "MP]", STATE, "openmp.parallel", "", NULL),
    ROW("TS[", "TS]", STATE, "tampi.send", "", NULL),
    ROW("TR[", "TR]", STATE, "tampi.recv", "", NULL),
    ROW("Ts[", "Ts]", STATE, "tampi.isend", "", NULL),
    ROW("Tr[", "Tr]", STATE, "tampi.irecv", "", NULL),
    ROW("TV[", "TV]", STATE, "tampi.wait", "", NULL),
    ROW("TW[", "TW]", STATE, "tampi.waitall", "", NULL),
};
#define OLD_ROWS (sizeof old_rows / sizeof *old_rows)

/* Events of releases of which no trace was available. They are not in the printed list of events. */
static const struct schema_row unseen_rows[] = {
    ROW("6WC", "", POINT, "nanos6.hwc.counters", "i64[] value:jumbo", NULL),
};

/* The compiled events; a pair of enter and leave makes two. */
static struct ovni_event event[2 * (ROWS + OLD_ROWS) + 1];
static size_t nevents;

/* The channels by the first letters of their events. A longer prefix must come before a shorter one. */
static const struct {
	char start[4];
	enum ovni_counts counts;
} channels[] = {
    {"6H", OVNI_ALWAYS}, {"6P", OVNI_RUNNING}, {"6t", OVNI_NEVER},  {"6", OVNI_ACTIVE},
    {"D", OVNI_ACTIVE},	 {"K", OVNI_ALWAYS},   {"M", OVNI_RUNNING}, {"OF", OVNI_ALWAYS},
    {"OH", OVNI_NEVER},	 {"OU", OVNI_NEVER},   {"PBs", OVNI_NEVER}, {"PP", OVNI_ACTIVE},
    {"PQ", OVNI_ACTIVE}, {"P", OVNI_ACTIVE},   {"T", OVNI_ACTIVE},  {"VP", OVNI_RUNNING},
    {"V", OVNI_ACTIVE},
};

/* Hash table of the three letters: index of the event plus 1. It has more than twice as many slots as events, so
 * searches are short. */
#define SLOTS 1024
static uint16_t slot[SLOTS];

static unsigned
hash(const uint8_t m[3])
{
	uint32_t v = (uint32_t)(m[0] | m[1] << 8 | m[2] << 16);

	return v * 0x9E3779B1u >> 22;
}

static void
set_fields(struct ovni_event *e, const struct schema_row *row)
{
	const char *at = row->fields;
	struct schema_field f;

	while (schema_field(&at, &f)) {
		unsigned kind = schema_kind(f.type);

		if (e->nargs == OVNI_ARGS || f.name.n >= sizeof e->arg->name || !kind)
			die("ovni: the table has a bad row: %s", e->mcv);
		e->arg[e->nargs].kind = kind;
		memcpy(e->arg[e->nargs++].name, f.name.p, f.name.n);
		e->jumbo |= word_is(f.notes, "jumbo");
		e->counters = f.count.p;
	}
}

/* Sets the channel and label of an event. `mcv` has the letters of the event that enters, also for a leave. */
static void
set_channel(struct ovni_event *e, const char *mcv)
{
	if (!memcmp(mcv, "OM", 2)) {
		e->chan = OVNI_CHAN_MARK;
		e->counts = OVNI_ACTIVE;
		e->labelled = OVNI_MARK;
		return;
	}
	for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
		if (strncmp(mcv, channels[i].start, strlen(channels[i].start)) != 0)
			continue;
		e->chan = (uint8_t)i;
		e->counts = (uint8_t)channels[i].counts;
		break;
	}
	if (e->nargs && !e->jumbo)
		e->labelled = !strcmp(e->arg[0].name, "taskid")	  ? OVNI_TASK
			      : !strcmp(e->arg[0].name, "typeid") ? OVNI_TYPE
								  : OVNI_NO_LABEL;
	e->names =
	    e->nargs == 2 && (e->arg[1].kind == K_STR || !strcmp(e->arg[1].name, "typeid"));
}

/* Adds the event of a row, or with `leave` its leave, to the table, and returns it. */
static struct ovni_event *
table_add(const struct schema_row *row, bool leave)
{
	struct ovni_event *e = &event[nevents++];
	unsigned h;

	memcpy(e->mcv, leave ? row->leave : row->event, 3);
	e->role = leave	       ? OVNI_LEAVE
		  : row->leave ? OVNI_ENTER
		  : row->value ? OVNI_VALUE
			       : OVNI_POINT;
	schema_name(row, leave, e->name);
	set_fields(e, row);
	set_channel(e, row->event);
	for (h = hash((const uint8_t *)e->mcv); slot[h]; h = (h + 1) % SLOTS)
		;
	slot[h] = (uint16_t)nevents;
	return e;
}

static void
add_rows(const struct schema_row *row, size_t n, bool but_old)
{
	for (; n; n--, row++) {
		struct ovni_event *e;

		if (but_old && (*row->event == 'M' || *row->event == 'T'))
			continue;
		e = table_add(row, false);
		if (row->leave) {
			e->other = table_add(row, true);
			event[nevents - 1].other = e;
		}
	}
}

static bool old;

void
ovni_release_old(void *options, const char *what)
{
	(void)options;
	(void)what;
	old = true;
}

static void
prepare(void)
{
	add_rows(rows, ROWS, old);
	if (old)
		add_rows(old_rows, OLD_ROWS, false);
	add_rows(unseen_rows, 1, false);
}

const struct ovni_event *
ovni_event(const uint8_t mcv[3])
{
	static pthread_once_t ready = PTHREAD_ONCE_INIT;

	/* Threads that read parts of a stream may call this at the same time. */
	pthread_once(&ready, prepare);
	for (unsigned h = hash(mcv); slot[h]; h = (h + 1) % SLOTS)
		if (!memcmp(event[slot[h] - 1].mcv, mcv, 3))
			return &event[slot[h] - 1];
	return NULL;
}

const struct ovni_event *
ovni_events(size_t *n)
{
	ovni_event((const uint8_t *)"OHx");
	*n = nevents;
	return event;
}

bool
ovni_old_name(const uint8_t mcv[3], char name[SCHEMA_NAME])
{
	for (size_t i = 0; i < OLD_ROWS; i++) {
		const struct schema_row *row = &old_rows[i];
		bool leave = !memcmp(row->leave, mcv, 3);

		if (!leave && memcmp(row->event, mcv, 3) != 0)
			continue;
		schema_name(row, leave, name);
		return true;
	}
	return false;
}
