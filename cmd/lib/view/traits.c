/* traits.c - the table of formats: see traits.h. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "delimited/delimited.h"
#include "ovni/ovni.h"
#include "view/traits.h"

/* Implements traits.state for ovni. The events .execute and .resume enter the state of a thread, task or
 * workshare, .pause and .end leave it. All other ENTER events of the schema enter, and LEAVE events leave. */
static int
ovni_state(const char *mcv, size_t n, char name[STATE_NAME])
{
	/* Endings of event names: of threads, tasks and the like, which can be paused and resumed. */
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
		/* Name the state after its entering event. */
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

static const char *
ovni_long_name(const char *mcv)
{
	const struct ovni_event *e =
	    strlen(mcv) == 3 ? ovni_event((const uint8_t *)mcv) : NULL;

	return e && *e->name ? e->name : NULL;
}

/* Words of class=, each with the patterns of its calls. The first word with a matching pattern counts. */
#define CLASS(word, patterns)                                                  \
	{                                                                      \
		{.name = "class", .kind = K_CONST, .text = (word)}, (patterns) \
	}
static const struct {
	struct arg arg;
	const char *patterns;
} classes[] = {
    CLASS("p2p", "*_*[sS]end*|*_*[rR]ecv*|*_Start*|*_*[pP]robe|*_Buffer*"),
    CLASS("wait", "*_Wait*|*_Test*|*_Request*|*_Cancel"),
    CLASS("collective",
	  "*_Barrier|*_Bcast|*_*ather*|*_*catter*|*_Alltoall*|*_*educe|*_*can"),
    CLASS("io", "*_File*|*_Register_datarep"),
    CLASS("rma", "*_Win*|*_Put|*_Get|*_Accumulate"),
    CLASS("comm", "*_*omm_*|*_Group*|*_Cart*|*_Graph*|*_Topo*|*_Dims*|*_Attr*|*_Keyval*"),
    CLASS("type", "*_Type*|*_*ack*|*_*ddress|*_Get_count|*_Get_elements"),
    CLASS("other", "*"),
};

/* Returns the argument class= of MPI calls with this name: p2p, wait, collective, io, rma, comm, type or other. */
static const struct arg *
call_class(const char *event)
{
	char pattern[32];

	for (size_t i = 0;; i++)
		for (const char *p = classes[i].patterns; *p; p += *p == '|') {
			snprintf(pattern, sizeof pattern, "%.*s", (int)strcspn(p, "|"), p);
			if (!fnmatch(pattern, event, 0))
				return &classes[i].arg;
			p += strlen(pattern);
		}
}

static const struct format_words any_words = {
    "events", "event", "locations", "location", NULL, "", NULL, WORDS_TOUCHES};
static const struct traits table[] = {
    {
	.format = "spc",
	.words =
	    &(const struct format_words){"requests", "request", "units", "unit", "size", "",
					 "What the storage moves",
					 "Which blocks are read and written, over time"},
	.missing = "missing ASUs",
    },
    {
	.format = "ovni",
	.words = &(const struct format_words){"events", "event", "threads", "thread", "dur",
					      "", NULL, WORDS_TOUCHES},
	.state_words = &(const struct format_words){"states", "state", "threads", "thread",
						    "dur", "", NULL, WORDS_TOUCHES},
	.durations = "-O durations, where the trace itself is read, makes them of pairs of "
		     "events",
	.state = ovni_state,
	.long_name = ovni_long_name,
    },
    {
	.format = "charisma",
	.words =
	    &(const struct format_words){"requests", "request", "nodes", "node", "size", "",
					 "What the parallel file system moves",
					 WORDS_TOUCHES},
	.arguments = "file_id file_size open_flags",
	.files = true,
    },
    {
	.format = "laplace",
	.words =
	    &(const struct format_words){"references", "reference", "processes", "process",
					 "size", "", "How fast the program uses memory",
					 "What the program touches, over time"},
    },
    {
	.format = "dumpi",
	.words =
	    &(const struct format_words){"calls", "call", "ranks", "rank", "dur", "MPI ",
					 "How often MPI is called, and for how much",
					 WORDS_TOUCHES},
	.sent = MPI_SENDS,
	.to = MPI_SENDS_TO,
	.class = call_class,
	.arguments = "recv_bytes",
    },
    {
	.format = "laplace-merge",
	.words = &any_words,
	.arguments = "file page region",
    },
    {
	.format = "columns",
	.words = &any_words,
	.requests = delimited_requests,
    },
};

const struct traits *
traits_of(const char *name)
{
	static const struct traits others = {.format = "", .words = &any_words};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i].format, name))
			return &table[i];
	return &others;
}

bool
traits_argument(const struct traits *t, const char *name, size_t n)
{
	for (const char *s = t->arguments; s && *s; s += strcspn(s, " "), s += *s == ' ')
		if (strcspn(s, " ") == n && !memcmp(s, name, n))
			return true;
	return false;
}

const struct traits *
traits_source(const struct source *s)
{
	return traits_of(s->head.format);
}

const char *
source_requests(const struct source *s)
{
	const struct traits *t;

	while (s->of)
		s = s->of;
	t = traits_of(s->fmt->name);
	return t->requests ? t->requests(s) : NULL;
}

const char *
traits_event(const struct traits *t, const char *event)
{
	const char *name = t->long_name ? t->long_name(event) : NULL;

	return name ? name : event;
}

bool
source_state(const struct source *s, const struct type *ty, char state[STATE_ROOM])
{
	const struct traits *t = traits_source(s);
	const struct format *f = format_named(s->opt->known, t->format);
	const struct schema *schema = f ? f->schema : NULL;

	if (!t->state)
		return false;
	if (t->state(ty->event, ty->event_len, state) > 0)
		return true;
	for (size_t i = 0; schema && i < schema->n; i++) {
		const struct schema_row *row = schema_row(schema, i);

		if (row->event &&
		    word_is((struct word){ty->event, ty->event_len}, row->event)) {
			schema_name(row, false, state);
			return *state;
		}
	}
	return false;
}
