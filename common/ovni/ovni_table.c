/* ovni_table.c - ovni_events.h made ready for use. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "ovni/ovni.h"

#define POINT OVNI_POINT
#define ENTER OVNI_ENTER
#define LEAVE OVNI_LEAVE
#define VALUE OVNI_VALUE
#define EVENT(m, r, p, n, a) {.mcv = m, .partner = p, .role = r, .name = n, .spec = a},

static struct ovni_event event[] = {
#include "ovni/ovni_events.h"
};
#define EVENTS (sizeof event / sizeof *event)

/* Of releases that we have not seen the like of: not in the list of events. */
static struct ovni_event nanos6_counters = {
    .mcv = "6WC", .name = "nanos6.hwc.counters", .spec = "+ i64 value"};

/* The channels by what their events begin with; a longer beginning stands before a shorter
 * one. */
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

/* Slots by a hash of the three bytes: row + 1. More than twice the rows, so
 * probes are few. */
#define SLOTS 1024
static uint16_t slot[SLOTS];

static unsigned
hash(const uint8_t m[3])
{
	uint32_t v = (uint32_t)(m[0] | m[1] << 8 | m[2] << 16);

	return v * 0x9E3779B1u >> 22;
}

static enum kind
kind_named(const char *s, size_t n)
{
	static const struct {
		const char *name;
		enum kind kind;
	} kinds[] = {{"u8", K_U8},   {"u16", K_U16}, {"u32", K_U32},
		     {"u64", K_U64}, {"i8", K_I8},   {"i16", K_I16},
		     {"i32", K_I32}, {"i64", K_I64}, {"str", K_STR}};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strlen(kinds[i].name) == n && !memcmp(kinds[i].name, s, n))
			return kinds[i].kind;
	die("ovni: the table has an unknown type: %s", s);
}

static void
read_spec(struct ovni_event *e)
{
	const char *s = e->spec;

	e->jumbo = *s == '+';
	s += strspn(s, "+ ");
	while (*s) {
		size_t n = strcspn(s, " "), name = strcspn(s + n + 1, ",");

		if (e->nargs == OVNI_ARGS || name >= sizeof e->arg->name)
			die("ovni: the table has a bad row: %s", e->mcv);
		e->arg[e->nargs].kind = kind_named(s, n);
		memcpy(e->arg[e->nargs].name, s + n + 1, name);
		e->nargs++;
		s += n + 1 + name;
		s += strspn(s, ", ");
	}
}

/* Channel and label of a row. */
static void
place(struct ovni_event *e)
{
	/* A leave lies where its enter does. */
	const char *mcv = e->role == OVNI_LEAVE ? e->partner : e->mcv;

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
	e->counters = e->mcv[1] == 'W' && e->mcv[2] == 'C' && e->jumbo;
	if (e->nargs && !e->jumbo)
		e->labelled = !strcmp(e->arg[0].name, "taskid")	  ? OVNI_TASK
			      : !strcmp(e->arg[0].name, "typeid") ? OVNI_TYPE
								  : OVNI_NO_LABEL;
	e->names =
	    e->nargs == 2 && (e->arg[1].kind == K_STR || !strcmp(e->arg[1].name, "typeid"));
}

static const struct ovni_event *find(const uint8_t mcv[3]);

static bool old;

void
ovni_release_old(void)
{
	old = true;
}

static void
prepare(void)
{
	if (old)
		ovni_old_rows(event, EVENTS);
	read_spec(&nanos6_counters);
	place(&nanos6_counters);
	for (size_t i = 0; i < EVENTS; i++) {
		unsigned h = hash((const uint8_t *)event[i].mcv);

		if (!*event[i].mcv)
			continue;
		while (slot[h])
			h = (h + 1) % SLOTS;
		slot[h] = (uint16_t)(i + 1);
		read_spec(&event[i]);
		place(&event[i]);
	}
	for (size_t i = 0; i < EVENTS; i++)
		if (*event[i].partner)
			event[i].other = find((const uint8_t *)event[i].partner);
}

static const struct ovni_event *
find(const uint8_t mcv[3])
{
	for (unsigned h = hash(mcv); slot[h]; h = (h + 1) % SLOTS)
		if (!memcmp(event[slot[h] - 1].mcv, mcv, 3))
			return &event[slot[h] - 1];
	return memcmp(nanos6_counters.mcv, mcv, 3) ? NULL : &nanos6_counters;
}

const struct ovni_event *
ovni_event(const uint8_t mcv[3])
{
	static pthread_once_t ready = PTHREAD_ONCE_INIT;

	/* Threads that read parts of a stream ask at the same time. */
	pthread_once(&ready, prepare);
	return find(mcv);
}

int
ovni_state(const char *mcv, size_t n, char name[STATE_NAME])
{
	/* Endings of names: of threads, tasks and the like, which are
	 * paused and resumed. */
	static const struct {
		const char *end;
		int way;
	} points[] = {{".execute", 1}, {".resume", 1}, {".pause", -1}, {".end", -1}};
	const struct ovni_event *e = n == 3 ? ovni_event((const uint8_t *)mcv) : NULL;
	const char *of, *dot;
	int way = 0;

	if (!e)
		return 0;
	dot = strrchr(e->name, '.');
	of = e->name;
	for (size_t i = 0; !way && i < sizeof points / sizeof *points; i++)
		if (!strcmp(dot, points[i].end))
			way = points[i].way;
	if (!way && e->other) {
		/* Both sides of a state have the name of the one that enters. */
		way = e->role == OVNI_ENTER ? 1 : -1;
		of = way < 0 ? e->other->name : e->name;
		dot = strrchr(of, '.');
		if (strcmp(dot, ".enter") != 0)
			dot = of + strlen(of);
	}
	if (way)
		snprintf(name, STATE_NAME, "%.*s", (int)(dot - of), of);
	return way;
}

const struct ovni_event *
ovni_events(size_t *n)
{
	ovni_event((const uint8_t *)"OHx");
	*n = EVENTS;
	return event;
}
