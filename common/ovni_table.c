/* ovni_table.c - ovni_events.h made ready for use. */
#include <stdio.h>
#include <string.h>

#include "die.h"
#include "ovni.h"

#define POINT OVNI_POINT
#define ENTER OVNI_ENTER
#define LEAVE OVNI_LEAVE
#define EVENT(m, r, p, n, a) \
	{.mcv = m, .partner = p, .role = r, .jumbo = a[0] == '+', .name = n, .spec = a},

static struct ovni_event event[] = {
#include "ovni_events.h"
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

static void
prepare(void)
{
	for (size_t i = 0; i < EVENTS; i++) {
		unsigned h = hash((const uint8_t *)event[i].mcv);

		while (slot[h])
			h = (h + 1) % SLOTS;
		slot[h] = (uint16_t)(i + 1);
		read_spec(&event[i]);
	}
	for (size_t i = 0; i < EVENTS; i++)
		if (event[i].role != OVNI_POINT)
			event[i].other = ovni_event((const uint8_t *)event[i].partner);
}

const struct ovni_event *
ovni_event(const uint8_t mcv[3])
{
	static bool ready;
	unsigned h = hash(mcv);

	if (!ready) {
		ready = true;
		prepare();
	}
	for (; slot[h]; h = (h + 1) % SLOTS)
		if (!memcmp(event[slot[h] - 1].mcv, mcv, 3))
			return &event[slot[h] - 1];
	return NULL;
}

const struct ovni_event *
ovni_events(size_t *n)
{
	ovni_event((const uint8_t *)"OHx");
	*n = EVENTS;
	return event;
}
