/* ovni_table.c - ovni_events.h made ready for use. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "ovni/ovni.h"

#define POINT OVNI_POINT
#define ENTER OVNI_ENTER
#define LEAVE OVNI_LEAVE
#define EVENT(m, r, p, n, a) {.mcv = m, .partner = p, .role = r, .name = n, .spec = a},

static struct ovni_event event[] = {
#include "ovni/ovni_events.h"
};
#define EVENTS (sizeof event / sizeof *event)

/* Slots by a hash of the three bytes: row + 1. More than twice the rows, so probes are few.
 */
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
	die("ovni: the table has a type that there is not: %s", s);
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
	for (size_t i = 0; i < EVENTS; i++) {
		unsigned h = hash((const uint8_t *)event[i].mcv);

		if (!*event[i].mcv)
			continue;
		while (slot[h])
			h = (h + 1) % SLOTS;
		slot[h] = (uint16_t)(i + 1);
		read_spec(&event[i]);
	}
	for (size_t i = 0; i < EVENTS; i++)
		if (event[i].role != OVNI_POINT)
			event[i].other = find((const uint8_t *)event[i].partner);
}

static const struct ovni_event *
find(const uint8_t mcv[3])
{
	for (unsigned h = hash(mcv); slot[h]; h = (h + 1) % SLOTS)
		if (!memcmp(event[slot[h] - 1].mcv, mcv, 3))
			return &event[slot[h] - 1];
	return NULL;
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
	/* Endings of names: of threads, tasks and the like, whose events have no partner.
	 */
	static const struct {
		const char *end;
		int way;
	} points[] = {{".execute", 1}, {".resume", 1}, {".pause", -1}, {".end", -1}};
	const struct ovni_event *e = n == 3 ? ovni_event((const uint8_t *)mcv) : NULL;
	const char *of, *dot;
	int way = 0;

	if (!e)
		return 0;
	/* Both sides of a state have the name of the one that enters. */
	of = e->role == OVNI_LEAVE ? e->other->name : e->name;
	dot = strrchr(of, '.');
	if (e->role != OVNI_POINT) {
		way = e->role == OVNI_ENTER ? 1 : -1;
		if (strcmp(dot, ".enter") != 0)
			dot = of + strlen(of);
	}
	for (size_t i = 0; !way && i < sizeof points / sizeof *points; i++)
		if (!strcmp(dot, points[i].end))
			way = points[i].way;
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
