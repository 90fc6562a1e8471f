/* report.c - which pictures a format has, and one reading for them all: see report.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace-access/sections.h"
#include "base/num.h"
#include "base/progress.h"
#include "event/value.h"
#include "merge/merged.h"
#include "input/slice.h"
#include "input/trace.h"
#include "trace-report/report.h"
#include "trace-reuse/tables.h"
#include "work/work.h"

#define MESSAGES_MOST 50
#define META_MOST 16 /* lines of a head that are shown */

/* The kinds of a format, up to NULL or PICTURES_MOST, of which those are left out that have nothing to
 * draw. Formats look like the one whose name is theirs up to a '-': so do streams of several as one. */
static void
pictures_of(const char *format, const struct plot_kind *kind[PICTURES_MOST])
{
	char name[16];
	const char *at;

	snprintf(name, sizeof name, "%.*s", (int)strcspn(format, "-"), format);
	at = traits_of(name)->pictures;
	for (unsigned i = 0; i < PICTURES_MOST; i++) {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
		kind[i] = kind_named(name);
		at += strcspn(at, " ");
		at += *at == ' ';
	}
}

/* For read_options.need_of. */
static unsigned
need_of(const struct source *s)
{
	const struct plot_kind *kind[PICTURES_MOST];
	struct plot *p = xmalloc(sizeof *p);
	unsigned need = questions_need(s);

	pictures_of(s->head.format, kind);
	for (unsigned i = 0; i < PICTURES_MOST && kind[i]; i++) {
		plot_open(p, kind[i], &(struct plot_options){.y = NULL});
		need |= plot_need(p) | plot_need_of(kind[i], s);
		plot_free(p);
	}
	free(p);
	return need;
}

/* What the trace is. */

static void
about(struct counts *c, const char *name, const char *value)
{
	put_all(&c->about, name, "\t", value, "\n");
}

#define FIRST_DAY 315532800u /* 1980: what is before is no time of day */

/* The date at so many seconds; false where it is none. */
static bool
date_of(char text[40], int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	return seconds >= FIRST_DAY && seconds < INT64_C(1) << 33 && gmtime_r(&t, &tm) &&
	       strftime(text, 40, "%Y-%m-%d %H:%M:%S UTC", &tm);
}

/* The head of an input. What is of one place is left out: there may be thousands. */
static void
about_head(struct counts *c, const struct source *s)
{
	const struct head *h = &s->head;
	unsigned n = 0;
	char date[40];

	if (head_dated(h) && date_of(date, h->origin / 1000000000))
		about(c, "time 0 is", date);
	for (size_t i = 0; i < h->nmeta && n < META_MOST; i++) {
		const char *key = h->meta[i].key;
		char value[201], text[40];
		uint64_t seconds;

		if (strchr(key, ':') || (*key >= '0' && *key <= '9'))
			continue;
		snprintf(value, sizeof value, "%s", h->meta[i].value);
		/* A start in whole seconds, as of DUMPI. */
		if (strstr(key, "time") &&
		    !digits_u64((const uint8_t *)value, strlen(value), &seconds) &&
		    seconds <= INT64_MAX && date_of(text, (int64_t)seconds))
			snprintf(value, sizeof value, "%.20s (%s)", h->meta[i].value, text);
		about(c, key, value);
		n++;
	}
}

/* Opens the plots. */
static void
open_plots(struct counts *c, const char *format)
{
	const struct plot_kind *kind[PICTURES_MOST];

	pictures_of(format, kind);
	snprintf(c->format, sizeof c->format, "%s", format);
	c->begun = true;
	for (unsigned i = 0; i < PICTURES_MOST && kind[i]; i++) {
		struct plot *p = c->plot[c->nplots++] = xmalloc(sizeof *p);

		plot_open(p, kind[i], &c->how.plot);
		c->lasts[i] = plot_need(p) & NEED_DUR;
		c->whole |= !kind[i]->each || !plot_in_parts(p);
	}
}

static void
report_begin(struct counts *c, const struct source *s)
{
	if (c->begun)
		return;
	open_plots(c, s->head.format);
	c->fmt = format_named(s->opt->known, c->format);
	about_head(c, s);
}

/* What is counted. */

static void
counts_start(struct counts *c, const struct report_options *how)
{
	memset(c, 0, sizeof *c);
	c->how = *how;
	c->q = (struct question){.report = true, .bits = SPEC_BITS, .empty = true};
	answer_open(&c->answer, &c->q);
}

static void
counts_end(void *sums)
{
	struct counts *c = sums;

	answer_free(&c->answer);
	for (unsigned i = 0; i < c->nplots; i++) {
		plot_free(c->plot[i]);
		free(c->plot[i]);
	}
	buf_free(&c->about);
}

/* To the plots that draw states, or to all others. */
static void
add_plots(struct counts *c, bool lasts, struct source *s, const struct batch *b,
	  const uint32_t *pick, uint32_t n)
{
	for (unsigned i = 0; i < c->nplots; i++)
		if (c->lasts[i] == lasts)
			plot_add(c->plot[i], s, b, pick, n);
}

static void
counts_open(void *sums, const void *like)
{
	struct report_options how = ((const struct counts *)like)->how;

	counts_start(sums, &how);
}

/* Events as they are, but states that were made of them. */
static void
add_events(struct counts *c, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	report_begin(c, s);
	answer_add(&c->answer, s, b, pick, n);
	add_plots(c, false, s, b, pick, n);
}

static void
counts_add(void *sums, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	struct counts *c = sums;

	if (!n)
		return;
	report_begin(c, s);
	if (!s->before)
		add_events(c, s, b, pick, n);
	add_plots(c, true, s, b, pick, n);
}

static bool
counts_exact(const void *sums)
{
	const struct counts *c = sums;
	bool exact = !c->whole && answer_exact(&c->answer);

	for (unsigned i = 0; i < c->nplots; i++)
		exact = exact && plot_exact(c->plot[i]);
	return exact;
}

static void
counts_merge(void *to, const void *other)
{
	struct counts *c = to;
	const struct counts *from = other;

	answer_merge(&c->answer, &from->answer);
	if (!from->begun)
		return;
	if (!c->begun) {
		open_plots(c, from->format);
		c->fmt = from->fmt;
		buf_add(&c->about, from->about.p, from->about.n);
	}
	/* The first input says what the trace is. */
	c->whole |= strcmp(c->format, from->format) != 0 || c->about.n != from->about.n ||
		    memcmp(c->about.p, from->about.p, c->about.n) != 0;
	for (unsigned i = 0; i < c->nplots && !c->whole; i++)
		plot_merge(c->plot[i], from->plot[i]);
}

/* Begins and ends of states as they are, before those. */
static void
take_before(void *arg, struct source *s, const struct batch *b)
{
	struct report *p = arg;
	uint32_t room[BATCH], n;
	const uint32_t *pick;

	expr_choose(p->before, s, b, room, &pick, &n);
	if (s->opt->slice)
		n = slice_pick(s, s->opt->slice, b, room, &pick, n);
	if (n)
		add_events(&p->counts, s, b, pick, n);
}

/* Messages: where they are kept; but those of a picture that it says itself. */
static struct report *keeps;
static const struct plot *drawn;

static bool
keep_message(const char *text, size_t n)
{
	bool note = drawn && drawn->noting;
	uint32_t id;

	if (strtab_find(note ? &keeps->notes : &keeps->messages, text, n, &id))
		return false;
	if (note)
		strtab_id(&keeps->notes, text, n);
	else if (keeps->messages.n < MESSAGES_MOST)
		strtab_id(&keeps->messages, text, n);
	else
		keeps->more++;
	return true;
}

/* The format of an input of which states could be made; NULL: there was none. */
static const struct format *
met_states(const struct read_options *opt)
{
	for (const struct format_values *v = opt->values; v; v = v->next)
		if (v->met && traits_of(v->fmt->name)->state)
			return v->fmt;
	return NULL;
}

/* Keeps the plots that have something to draw; without those of states where these were not
 * made. */
static void
settle(struct counts *c, bool states)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->nplots; i++) {
		struct plot *p = c->plot[i];

		drawn = p;
		if (p->events && (states || !c->lasts[i]) && plot_done(p)) {
			c->plot[n++] = p;
			continue;
		}
		plot_free(p);
		free(p);
	}
	drawn = NULL;
	c->nplots = n;
}

struct locality {
	struct access access;
	struct reuse reuse;
};

/* Reads the inputs once more, for the tables of trace-access and trace-reuse. */
static int
locality_read(struct report *p, const struct read_options *opt)
{
	static const struct access_question q = ACCESS_DEFAULTS;
	const struct report_options *how = &p->counts.how;
	const struct reuse_question curve = {
	    .block = 4096, .most = 1u << 16, .before = how->plot.keys};
	struct access_question all = q;
	struct locality *l = p->locality = xcalloc(1, sizeof *l);
	struct read_options read = *opt;
	struct expr *e = expr_parse(how->plot.test);
	int status;

	expr_key(e, how->plot.keys);
	/* Not its rows by file and job. */
	all.sections = ACCESS_SUMMARY;
	access_open(&l->access, &all);
	read.merge = &merge_by_time.is;
	status = access_read(&l->access, &read, how->paths, how->n, e);
	status |= access_finish(&l->access);
	reuse_open(&l->reuse, &curve);
	read = *opt;
	status |= reuse_read(&l->reuse, &read, how->paths, how->n, e, how->plot.test);
	expr_free(e);
	return status ? ST_TROUBLE : ST_OK;
}

void
locality_sections(const struct report *p, section_taker *take, void *arg)
{
	struct section s;

	if (!p->locality)
		return;
	access_sections(&p->locality->access, true, take, arg);
	reuse_section(&p->locality->reuse, &s);
	take(arg, &s);
}

int
report_read(struct report *p, const struct report_options *how, struct read_options *opt)
{
	static const struct work_kind kind = {
	    sizeof(struct counts), counts_open,	  counts_add, counts_exact, answer_done,
	    counts_merge,	   answer_stitch, counts_end, NULL};
	struct counts *c = &p->counts;
	const char *text = how->plot.test;
	struct read_options again = *opt;
	struct expr *e = expr_parse(text);
	const struct format *stateless;
	int status;

	memset(p, 0, sizeof *p);
	counts_start(c, how);
	/* Those whose values say whether an input was of them: met_states. */
	for (const struct format *const *f = opt->known; *f; f++)
		if (traits_of((*f)->name)->state)
			format_values(opt, *f);
	/* The commands are the same. */
	c->how.n -= how->n == 1 && !strcmp(how->paths[0], "-");
	how = &c->how;
	p->before = expr_parse(text);
	expr_key(e, how->plot.keys);
	expr_key(p->before, how->plot.keys);
	keeps = p;
	warn_take(keep_message);
	/* Statistics are of begins and ends, unless states were asked for. */
	opt->before = opt->merge ? NULL : take_before;
	opt->before_arg = p;
	opt->need = answer_need(&c->answer) | expr_need(e);
	opt->need_of = need_of;
	status = work_read(&kind, c, opt, how->paths, how->n, true, e, text);
	if (e)
		expr_merge(e, p->before);
	if (expr_finish(e, false) != ST_OK)
		status = ST_TROUBLE;
	stateless = opt->merge ? met_states(opt) : NULL;
	if (stateless)
		warn("--by-time: states of %s are not drawn", stateless->name);
	settle(c, !stateless);
	if (!report_any(p)) {
		warn("no events: there is nothing to show");
		status = status == ST_OK ? ST_NONE : status;
	} else if (how->access && locality_read(p, &again) != ST_OK)
		status = ST_TROUBLE;
	p->damaged = status == ST_TROUBLE;
	expr_free(e);
	expr_free(p->before);
	return status;
}

bool
report_any(const struct report *p)
{
	return p->counts.nplots || p->counts.answer.st[REPORT_ALL].any;
}

void
report_free(struct report *p)
{
	warn_take(NULL);
	if (p->locality) {
		access_free(&p->locality->access);
		reuse_free(&p->locality->reuse);
		free(p->locality);
	}
	counts_end(&p->counts);
	strtab_free(&p->messages);
	strtab_free(&p->notes);
}
