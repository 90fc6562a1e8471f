/* clocks.c - see clocks.h: collects hosts and messages, and writes the results. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/in.h"
#include "base/put.h"
#include "base/sandbox.h"
#include "event/value.h"
#include "match/clocking.h"

#define HOSTNAME ".header.hostname"
/* Bound: trace-match | messages of --clocks in memory | messages | 1048576 | - */
#define SEEN_MOST (1u << 20) /* messages in memory; more go to a temporary file */

struct clock_process {
	uint32_t host, number; /* number of the process in order, from 1 */
	uint64_t order, first;
	int64_t offset;
	bool known;
};

struct seen {
	uint32_t from, to;
	uint64_t start, end;
};

struct clocks {
	struct strtab places; /* places in the metadata, keys of host_of */
	uint32_t *host_of;
	size_t host_of_cap;
	struct strtab hosts, pairs; /* keys of net.host and net.link */
	struct clocks_net net;
	struct clock_process *proc;
	size_t procs;
	struct seen *seen;
	size_t nseen, seen_cap;
	int fd;
	uint64_t spilled; /* number of messages in the file */
};

struct clocks *
clocks_new(void)
{
	struct clocks *c = xcalloc(1, sizeof *c);

	c->fd = -1;
	return c;
}

/* Forgets everything, but keeps the temporary file and the buffer. */
static void
clocks_forget(struct clocks *c)
{
	struct clocks empty = {.seen = c->seen, .seen_cap = c->seen_cap, .fd = c->fd};

	strtab_free(&c->places);
	strtab_free(&c->hosts);
	strtab_free(&c->pairs);
	free(c->host_of);
	free(c->net.host);
	for (size_t i = 0; i < c->net.nlinks; i++)
		free(c->net.link[i].v);
	free(c->net.link);
	free(c->proc);
	*c = empty;
}

void
clocks_free(struct clocks *c)
{
	if (!c)
		return;
	clocks_forget(c);
	free(c->seen);
	if (c->fd >= 0)
		close(c->fd);
	free(c);
}

/* ---- input ---- */

static uint32_t
host_id(struct clocks *c, const void *name, size_t n)
{
	uint32_t id = strtab_id(&c->hosts, name, n);

	GROW(c->net.host, c->net.cap, id + 1u);
	c->net.n = c->hosts.n;
	return id;
}

void
clocks_head(struct clocks *c, const struct head *h)
{
	const size_t tail = strlen(HOSTNAME);

	for (size_t i = 0; i < h->nmeta; i++) {
		const char *key = h->meta[i].key, *host = h->meta[i].value;
		size_t n = strlen(key);
		uint32_t place;

		if (n <= tail || strcmp(key + n - tail, HOSTNAME) != 0 || !*host)
			continue;
		place = strtab_id(&c->places, key, n - tail);
		GROW(c->host_of, c->host_of_cap, place + 1u);
		c->host_of[place] = host_id(c, host, strlen(host));
	}
}

void
clocks_proc(struct clocks *c, uint32_t proc, uint64_t order, const char *place,
	    uint64_t start)
{
	struct buf name = {0};
	struct clock_process *p;
	struct host *h;
	uint32_t at;

	GROW(c->proc, c->procs, proc + 1u);
	p = &c->proc[proc];
	*p = (struct clock_process){.order = order, .first = start, .known = true};
	if (strtab_find(&c->places, place, strlen(place), &at)) {
		p->host = c->host_of[at];
	} else {
		buf_add(&name, "rank ", 5);
		buf_str(&name, place);
		p->host = host_id(c, name.p, name.n);
		buf_free(&name);
	}
	h = &c->net.host[p->host];
	if (!h->ranks++)
		h->base = start;
}

static void
file_failed(int err)
{
	errno = err ? err : EIO;
	die("--clocks: cannot use a temporary file for messages:");
}

static void
spill_messages(struct clocks *c)
{
	size_t n = c->nseen * sizeof *c->seen;
	int err;

	if (c->fd < 0 && (c->fd = sandbox_temporary()) < 0)
		file_failed(errno);
	if (out_at(c->fd, c->seen, n, c->spilled * sizeof *c->seen, &err) < n)
		file_failed(err);
	c->spilled += c->nseen;
	c->nseen = 0;
}

/* Returns the link from one host to another, which is added if it is new. The two directions of a pair are side by
 * side; the one from the lower number is first. */
static struct link *
link_of(struct clocks *c, uint32_t from, uint32_t to)
{
	uint32_t key[2] = {from < to ? from : to, from < to ? to : from};
	size_t at = 2 * (size_t)strtab_id(&c->pairs, key, sizeof key);

	GROW(c->net.link, c->net.link_cap, at + 2);
	if (at == c->net.nlinks) {
		c->net.nlinks += 2;
		for (int i = 0; i < 2; i++) {
			c->net.link[at + (size_t)i].from = key[i];
			c->net.link[at + (size_t)i].to = key[!i];
		}
	}
	return &c->net.link[at + (from > to)];
}

void
clocks_message(struct clocks *c, uint32_t from, uint32_t to, uint64_t start, uint64_t end)
{
	uint32_t a = c->proc[from].host, b = c->proc[to].host;
	struct host *ha = &c->net.host[a], *hb = &c->net.host[b];
	double at = (double)(int64_t)(start - ha->base);

	if (c->nseen == SEEN_MOST)
		spill_messages(c);
	*PUSH(c->seen, c->nseen, c->seen_cap) = (struct seen){from, to, start, end};
	if (a == b)
		return;
	ha->messages++;
	hb->messages++;
	link_add(link_of(c, a, b), at, (double)(int64_t)(end - hb->base) - at);
}

/* ---- output ---- */

/* Returns the nearest integer, halves up, also below 0, so that whole differences stay the same. A number beyond
 * 64 bits becomes the last that fits. */
static int64_t
nearest(double v)
{
	double up = v + 0.5;

	if (up >= 0x1p63)
		return INT64_MAX;
	if (up < -0x1p63)
		return INT64_MIN;
	return (int64_t)up - (up < 0 && (double)(int64_t)up != up);
}

/* Returns a + b modulo 2^64. Times are within 292 years of each other. */
static int64_t
clocks_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Returns the time that trace-merge makes of t with the written options. */
static uint64_t
moved(const struct clocks *c, const struct clock_process *p, uint64_t t)
{
	double since = (double)(int64_t)(t - p->first);

	return t + (uint64_t)nearest(c->net.host[p->host].drift * since) +
	       (uint64_t)p->offset;
}

static void
count_back(const struct clocks *c, const struct seen *v, size_t n, uint64_t back[2])
{
	for (size_t i = 0; i < n; i++) {
		back[0] += (int64_t)(v[i].end - v[i].start) < 0;
		back[1] += (int64_t)(moved(c, &c->proc[v[i].to], v[i].end) -
				     moved(c, &c->proc[v[i].from], v[i].start)) < 0;
	}
}

/* Counts the messages that were received before they were sent, by the input's times (back[0]) and with the
 * options (back[1]). Returns the number of all messages. */
static uint64_t
count_all(struct clocks *c, uint64_t back[2])
{
	count_back(c, c->seen, c->nseen, back);
	for (uint64_t at = 0; at < c->spilled; at += SEEN_MOST) {
		int err;

		if (in_at(c->fd, c->seen, SEEN_MOST * sizeof *c->seen, at * sizeof *c->seen,
			  &err) < SEEN_MOST * sizeof *c->seen)
			file_failed(err);
		count_back(c, c->seen, SEEN_MOST, back);
	}
	return c->spilled + c->nseen;
}

static void
put_after(struct out *o, char before, const char *s)
{
	o->p = out_bytes_at(o, out_room(o), &before, 1);
	out_str(o, s);
}

/* Writes a time of v nanoseconds after `plus`, or "-" if v is infinite: unknown. */
static void
put_time(struct out *o, char before, double v, int64_t plus)
{
	struct buf b = {0};

	if (isinf(v))
		buf_add(&b, "-", 1);
	else
		value_time(&b, CLOCK_NS, clocks_add(plus, nearest(v)));
	buf_byte(&b, '\0');
	put_after(o, before, (const char *)b.p);
	buf_free(&b);
}

/* Writes a TAB and a drift in millionths; "-" if unknown. */
static void
put_drift(struct out *o, double v)
{
	char text[32] = "-";

	if (!isinf(v))
		snprintf(text, sizeof text, "%.3f", v * 1e6 + 0.0);
	put_after(o, '\t', text);
}

static void
put_count(struct out *o, char before, uint64_t n)
{
	uint8_t *p = out_room(o);

	*p++ = (uint8_t)before;
	o->p = put_u64(p, n);
}

/* Writes the row of a host: the offset to add to its times at its first call, and its drift. */
static void
put_host(const struct clocks *c, struct out *o, uint32_t at, uint32_t first)
{
	const struct host *h = &c->net.host[at];
	int64_t plus = (int64_t)(c->net.host[first].base - h->base);
	bool measured = h->by != NO_LINK;

	put_after(o, '#', c->hosts.v[at].s);
	put_count(o, '\t', h->ranks);
	put_count(o, '\t', h->messages);
	put_time(o, '\t', h->offset, plus);
	put_time(o, '\t', measured ? h->least : INFINITY, plus);
	put_time(o, '\t', measured ? h->most : INFINITY, plus);
	put_drift(o, h->drift);
	put_drift(o, measured ? h->drift_least : INFINITY);
	put_drift(o, measured ? h->drift_most : INFINITY);
	put_after(o, '\t', h->by == NO_LINK ? "-" : c->hosts.v[c->net.link[h->by].from].s);
	out_str(o, "\n");
}

/* Writes the options with which trace-merge corrects the file of a process, or nothing if its clock is right.
 * Returns true if its times are scaled. */
static bool
put_options(const struct clocks *c, struct out *o, const struct clock_process *p)
{
	uint64_t scale = (uint64_t)(PPB + nearest(c->net.host[p->host].drift * PPB));

	if (p->offset) {
		out_str(o, "--offset=");
		put_count(o, '@', p->number);
		put_time(o, '=', 0, p->offset);
		out_str(o, "s\n");
	}
	if (scale != PPB) {
		out_str(o, "--scale=");
		put_count(o, '@', p->number);
		put_time(o, '=', 0, (int64_t)scale);
		out_str(o, "\n");
	}
	return scale != PPB;
}

static int
by_order(const void *a, const void *b)
{
	const struct clock_process *const *x = a, *const *y = b;

	return (*x)->order < (*y)->order ? -1 : (*x)->order > (*y)->order;
}

/* Returns the processes in order, and their number in *n. The caller frees the array. */
static struct clock_process **
in_order(struct clocks *c, uint32_t *n)
{
	struct clock_process **v = xcalloc(c->procs + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < c->procs; i++)
		if (c->proc[i].known)
			v[(*n)++] = &c->proc[i];
	qsort(v, *n, sizeof *v, by_order);
	for (uint32_t i = 0; i < *n; i++)
		v[i]->number = i + 1;
	return v;
}

bool
clocks_put(struct clocks *c, struct out *o)
{
	uint64_t back[2] = {0}, messages;
	struct clock_process **v;
	uint32_t n;
	bool fits, scaled = false;

	v = in_order(c, &n);
	fits = !n || clocks_fit(&c->net, v[0]->host);
	for (uint32_t i = 0; i < n; i++) {
		/* The offset that corrects the times of the process at its first call. */
		const struct host *h = &c->net.host[v[i]->host];
		double since = (double)(int64_t)(v[i]->first - h->base);

		v[i]->offset = clocks_add((int64_t)(c->net.host[v[0]->host].base - h->base),
					  nearest(h->offset + h->drift * since));
	}
	messages = count_all(c, back);
	out_str(o, "#host\tranks\tmessages\toffset\tleast\tmost\tdrift_"
		   "ppm\tleast\tmost\tmeasured_by\n");
	for (uint32_t i = 0; i < n; i++) {
		if (c->net.host[v[i]->host].ranks)
			put_host(c, o, v[i]->host, v[0]->host);
		c->net.host[v[i]->host].ranks = 0;
	}
	put_count(o, '#', messages);
	out_str(o, " messages; received before sent:");
	put_count(o, ' ', back[0]);
	out_str(o, ", with these options");
	put_count(o, ' ', back[1]);
	out_str(o, "\n");
	for (uint32_t i = 0; i < n; i++)
		scaled |= put_options(c, o, v[i]);
	if (scaled)
		out_str(o, "--scale-dur\n");
	free(v);
	clocks_forget(c);
	return fits && !back[1];
}
