/* flame.c - the time in each stack of states: a state that lasts within another one is below it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-plot/plot.h"

#define DEPTH \
	64 /* limit of states of a location at once; beyond it the outermost are dropped */
#define NODES (1u << 14) /* limit of stacks; further ones are merged */
#define TABLE (4 * NODES)
#define REST 1u		      /* node of the merged stacks */
#define ROOT (NAMES_MOST + 2) /* names of -y have numbers from here on */

/* A stack: a state within another stack. Number 0 is the empty stack. Number REST counts as one of the others. */
struct stack {
	uint32_t parent, name;
	uint32_t below, beside; /* first stack within it; next stack within its parent */
	uint32_t depth;		/* 1 for the outermost */
	uint64_t all;		/* time in it, and in stacks within it */
	uint64_t begin;		/* where it is drawn, as a time */
};

/* Sums of a stack, in the only bin. */
enum {
	STACK_SELF, /* time in it alone, without stacks within it */
	STACK_COUNT,
	STACK_SLOTS,
};

/* Returns the number of states that begin within another one and end after it. It is stored as the count of the
 * empty stack. */
static uint64_t *
crossing(const struct plot *p)
{
	return p->bins.v + STACK_COUNT;
}

struct flame {
	struct names root; /* names of -y, on top of stacks */
	struct stack *node;
	uint32_t n, *table; /* number of nodes; hash table of node + 1 */
};

static uint64_t *
stack_sums(const struct plot *p, uint32_t node)
{
	return p->bins.v + (size_t)node * STACK_SLOTS;
}

static void
flame_open(struct plot *p)
{
	struct flame *m = xcalloc(1, sizeof *m);

	if (p->opts.sum && strcmp(p->opts.sum, "sum(dur)") != 0)
		die("-a %s: flame can only draw sum(dur)", p->opts.sum);
	p->state = m;
	m->node = xcalloc(NODES + 1, sizeof *m->node);
	m->table = xcalloc(TABLE, sizeof *m->table);
	m->n = 2;
	m->node[REST].depth = 1;
	names_open(&p->row, "loc", 0);
	p->bins.fixed = 1;
	bins_slots(&p->bins, NODES * STACK_SLOTS);
	bins_row(&p->bins, 0);
	if (!p->opts.y)
		return;
	names_open(&m->root, p->opts.y, NAMES_MOST);
	p->own_names = &m->root;
}

/* Returns the stack of the state `name` within the stack `parent`, which may be new; REST if there is no room. */
static uint32_t
node_of(struct flame *m, uint32_t parent, uint32_t name)
{
	uint32_t i =
	    (uint32_t)(((uint64_t)parent << 32 | name) * 0x9e3779b97f4a7c15u >> 48) % TABLE;

	if (parent == REST)
		return REST;
	for (; m->table[i]; i = (i + 1) % TABLE) {
		const struct stack *d = &m->node[m->table[i] - 1];

		if (d->parent == parent && d->name == name)
			return m->table[i] - 1;
	}
	if (m->n == NODES || m->node[parent].depth == DEPTH)
		return REST;
	m->node[m->n] = (struct stack){
	    .parent = parent, .name = name, .depth = m->node[parent].depth + 1};
	m->table[i] = m->n + 1;
	return m->n++;
}

/* Counts a state of a location: while it lasts, the states around it are not counted. */
static void
flame_state(void *plot, const struct ordered_state *s)
{
	struct plot *p = plot;
	struct flame *m = p->state;
	struct nest_loc *around = nest_around(&p->nest, s->loc, s->from, s->to);
	uint32_t node = 0;
	int64_t at = s->from;

	if (around->n) {
		const struct nest_state *in = &nest_states(&p->nest, around)[around->n - 1];

		node = in->tag;
		*crossing(p) += in->end < s->to;
	} else if (p->own_names)
		node = node_of(m, 0, s->root + ROOT);
	node = node_of(m, node, s->name);
	p->others |= node == REST;
	stack_sums(p, node)[STACK_COUNT]++;
	stack_sums(p, node)[STACK_SELF] += (uint64_t)s->to - (uint64_t)s->from;
	for (uint32_t k = around->n; k-- > 0 && at < s->to;) {
		const struct nest_state *in = &nest_states(&p->nest, around)[k];
		int64_t end = in->end < s->to ? in->end : s->to;

		if (end <= at)
			continue;
		stack_sums(p, in->tag)[STACK_SELF] -= (uint64_t)end - (uint64_t)at;
		at = end;
	}
	nest_push(&p->nest, s->loc, s->from, s->to, node, DEPTH);
}

static const char *
node_name(const struct plot *p, uint32_t i)
{
	const struct flame *m = p->state;
	const struct stack *d = &m->node[i];

	if (i == REST)
		return "(other stacks)";
	return d->name >= ROOT ? m->root.text.v[d->name - ROOT].s
			       : p->key.text.v[d->name].s;
}

/* Appends the names of a stack from outside in, each followed by `behind`, or after its length if `behind` is
 * empty. */
static void
put_path(struct buf *b, const struct plot *p, uint32_t i, const char *behind)
{
	const char *name = node_name(p, i);

	if (!i)
		return;
	put_path(b, p, ((const struct flame *)p->state)->node[i].parent, behind);
	if (!*behind)
		put_format(b, "%zu:", strlen(name));
	put_all(b, name, behind);
}

/* Calls `with` for each sum of each stack. The row is the stack around it, which may be empty, the name its
 * own. The merged stacks have other numbers of sums. */
static void
flame_each(struct plot *p, plot_with *with, void *arg)
{
	const struct flame *m = p->state;
	struct buf path = {0};

	for (uint32_t i = 1; i < m->n; i++) {
		put_path(&path, p, m->node[i].parent, "");
		buf_text(&path);
		for (uint32_t k = 0; k < STACK_SLOTS; k++)
			with(arg, i * STACK_SLOTS + k, (const char *)path.p,
			     node_name(p, i), i == REST ? STACK_SLOTS + k : k);
	}
	with(arg, STACK_COUNT, "", "", 2 * STACK_SLOTS);
	buf_free(&path);
}

/* Returns the stack of the state named name[0..n) within another. */
static uint32_t
node_named(struct plot *p, uint32_t parent, const char *name, size_t n)
{
	struct flame *m = p->state;

	if (p->own_names && !parent)
		return node_of(m, 0, names_id(&m->root, name, n) + ROOT);
	return node_of(m, parent, names_id(&p->key, name, n));
}

static uint32_t
flame_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	uint32_t node = 0;

	if (sum == 2 * STACK_SLOTS)
		return STACK_COUNT;
	while (*lane && strcmp(lane, "-") != 0) {
		char *at;
		unsigned long n = strtoul(lane, &at, 10);

		if (*at++ != ':' || n > strlen(at))
			return NO_SLOT;
		node = node_named(p, node, at, n);
		lane = at + n;
	}
	node = sum < STACK_SLOTS ? node_named(p, node, name, strlen(name)) : REST;
	p->others |= node == REST;
	return sum < 2 * STACK_SLOTS ? node * STACK_SLOTS + sum % STACK_SLOTS : NO_SLOT;
}

/* Returns false, after a message, if more than 1 % of all events, and more than half of the nested states, end
 * after the state that they began in. Then they are not stacks, but requests that overlap in one place. */
static bool
flame_able(const struct plot *p)
{
	const struct flame *m = p->state;
	uint64_t n = *crossing(p), within = stack_sums(p, REST)[STACK_COUNT];

	for (uint32_t i = REST + 1; i < m->n; i++)
		if (m->node[i].depth > (p->own_names ? 2 : 1))
			within += stack_sums(p, i)[STACK_COUNT];
	if (n <= p->events / 100 || n <= within / 2)
		return true;
	warn("flame: no stacks: %s of %s %s overlap others of their %s; use "
	     "trace-stats -g event -a 'sum(dur)'",
	     scaled(SCALE_EXACT, n), scaled(SCALE_EXACT, p->events), p->words->events,
	     p->words->place);
	return false;
}

struct sorted {
	const char *name;
	uint64_t all;
	uint32_t node, parent;
};

/* Compares: smaller first, since each is then put before its siblings. */
static int
by_all(const void *x, const void *y)
{
	const struct sorted *a = x, *b = y;

	if (a->all != b->all)
		return a->all < b->all ? -1 : 1;
	return -natural_order(a->name, b->name);
}

/* Sums up the time of stacks within each stack, and sorts the stacks within each: the greatest first. */
static void
sum_up(const struct plot *p)
{
	struct flame *m = p->state;
	struct sorted *o = draw_room(m->n, sizeof *o);
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		m->node[i].all = stack_sums(p, i)[STACK_SELF];
		m->node[i].below = m->node[i].beside = 0;
	}
	/* A stack has a greater number than its parent. */
	for (uint32_t i = m->n; i-- > 1;)
		m->node[m->node[i].parent].all =
		    add_most(m->node[m->node[i].parent].all, m->node[i].all);
	for (uint32_t i = 1; i < m->n; i++)
		if (m->node[i].all)
			o[n++] = (struct sorted){node_name(p, i), m->node[i].all, i,
						 m->node[i].parent};
	qsort(o, n, sizeof *o, by_all);
	for (uint32_t i = 0; i < n; i++) {
		m->node[o[i].node].beside = m->node[o[i].parent].below;
		m->node[o[i].parent].below = o[i].node;
	}
}

/* Returns the next of all stacks, parents first, or 0 after the last. */
static uint32_t
next_node(const struct flame *m, uint32_t i)
{
	if (m->node[i].below)
		return m->node[i].below;
	while (i && !m->node[i].beside)
		i = m->node[i].parent;
	return m->node[i].beside;
}

#define BOXES 1200u /* limit of boxes: the widest are drawn */

struct flame_drawing {
	struct legend legend;
	uint64_t least; /* stacks with less time are not drawn */
	unsigned depth;
	int64_t each; /* height of a box */
};

/* Returns the time of the stacks directly within i that are too narrow to be drawn; *first is the first of them. */
static uint64_t
rest_of(const struct flame_drawing *d, const struct flame *m, uint32_t i, uint32_t *first)
{
	uint32_t k = m->node[i].below;
	uint64_t rest = 0;

	/* The widest comes first. */
	while (k && m->node[k].all >= d->least)
		k = m->node[k].beside;
	*first = k;
	for (; k; k = m->node[k].beside)
		rest += m->node[k].all;
	return rest;
}

static void
drawing_make(struct flame_drawing *d, const struct plot *p, uint64_t parts)
{
	struct flame *m = p->state;
	uint64_t *total = draw_room(ROOT, sizeof *total);
	uint64_t *all = draw_room(m->n, sizeof *all);
	uint32_t i = 0, k;

	sum_up(p);
	memset(d, 0, sizeof *d);
	for (uint32_t j = 1; j < m->n; j++) {
		all[j] = m->node[j].all;
		if (m->node[j].name < ROOT)
			total[m->node[j].name] += stack_sums(p, j)[STACK_SELF];
	}
	legend_make(&d->legend, p, total, p->key.text.n);
	qsort(all, m->n, sizeof *all, u64_descending);
	d->least = m->node[0].all / parts + 1;
	if (m->n > BOXES && all[BOXES] >= d->least)
		d->least = all[BOXES] + 1;
	do {
		const struct stack *at = &m->node[i];
		unsigned to = at->depth + (rest_of(d, m, i, &k) >= d->least);

		if (at->all >= d->least && to > d->depth)
			d->depth = to;
		if (at->below)
			m->node[at->below].begin = at->begin;
		if (at->beside)
			m->node[at->beside].begin = at->begin + at->all;
	} while ((i = next_node(m, i)));
}

static unsigned
node_colour(const struct flame_drawing *d, const struct plot *p, uint32_t i)
{
	const struct flame *m = p->state;

	if (i == REST || m->node[i].name >= ROOT)
		return COLOURS;
	return d->legend.colour[d->legend.of[m->node[i].name]];
}

/* Returns the x of a time. */
static int64_t
time_x(const struct flame *m, const struct frame *f, uint64_t time)
{
	uint64_t wide = (uint64_t)(f->right - f->left);

	return f->left + (int64_t)scale_of(time, m->node[0].all, wide);
}

/* Draws a box with its tooltip, and its name if it fits. */
static void
draw_box(const struct flame_drawing *d, const struct plot *p, struct buf *b,
	 const struct frame *f, uint32_t i)
{
	const struct flame *m = p->state;
	const struct stack *at = &m->node[i];
	int64_t x = time_x(m, f, at->begin), end = time_x(m, f, at->begin + at->all);
	int64_t y = f->top + (at->depth - 1) * d->each;
	unsigned colour = node_colour(d, p, i);
	size_t fits = (size_t)(end - x) / (SVG_COLUMN * PX / 10);
	uint64_t tenths = scale_of(at->all, m->node[0].all, 1000);

	end = end - x > 3 * PX ? end - PX / 2 : end;
	/* Without class k a box has some ink even if it covers the centre of no pixel. */
	svg_path(b, end - x < 24 * PX / 10 ? "c%u" : "c%u k", colour);
	svg_point(b, 'M', x, y);
	svg_box(b, end > x ? end - x : 1, d->each * 19 / 20);
	/* For example "main; read · 1.2 s · 12 %", with at most 80 bytes for the name. */
	svg_path_end(b, formatted("%.80s · %s · %u.%u %%, alone %s", node_name(p, i),
				  scaled(time_unit(p), at->all), (unsigned)tenths / 10,
				  (unsigned)tenths % 10,
				  scaled(time_unit(p), stack_sums(p, i)[STACK_SELF])));
	if (fits > 3 && d->each >= 11 * PX)
		svg_text(b, x + 4 * PX, y + d->each / 2 + 4 * PX, colour_ink[colour],
			 SVG_START, node_name(p, i), fits - 1);
}

/* Returns the title, and sets *said to totals and limits. */
static const char *
flame_title(const struct plot *p, const struct legend *l, const char **said)
{
	const struct flame *m = p->state;
	uint64_t rest = stack_sums(p, REST)[STACK_COUNT], stacks = 0;
	const char *title = "Where the time goes, stack by stack";

	/* Names of -y are around stacks, not stacks. */
	for (uint32_t i = REST + 1; i < m->n; i++)
		stacks += m->node[i].name < ROOT;
	*said = joined(scaled(time_unit(p), m->node[0].all), " in ",
		       scaled(SCALE_EXACT, stacks), stacks == 1 ? " stack" : " stacks");
	if (rest)
		*said = joined(*said, ", ", scaled(SCALE_EXACT, rest),
			       " events of further stacks put together");
	if (*crossing(p))
		*said = joined(*said, ", ", scaled(SCALE_EXACT, *crossing(p)),
			       " that end after what they began in");
	return l->n ? joined(title, ": ", share_text(l->total[0], m->node[0].all), " in ",
			     legend_name(l, p, 0))
		    : title;
}

static void
flame_svg(struct plot *p, struct buf *b)
{
	const struct flame *m = p->state;
	unsigned w = p->opts.w ? p->opts.w : 960, h;
	int64_t margin = (frame_narrow(p) ? 8 : 24) * PX;
	struct frame f = {margin, w * PX - margin, frame_top(p, 74, 8), 0};
	const enum measure_unit unit = time_unit(p);
	const char *title, *said;
	struct flame_drawing d;
	uint32_t i = 0, k;
	int64_t below;

	drawing_make(&d, p, (uint64_t)(w - 48) * 2);
	below = legend_high(&d.legend, p, f.right - f.left, &unit) + 24 * PX;
	d.each = 20 * PX;
	if (p->opts.h && f.top + d.depth * d.each + below > p->opts.h * PX)
		d.each = lanes_height(p, d.depth, f.top + below);
	f.bottom = f.top + d.depth * d.each;
	h = frame_height(p, (unsigned)((f.bottom + below) / PX) + 4);
	title = flame_title(p, &d.legend, &said);
	frame_begin(p, b, w, h, title, said);
	legend_svg(&d.legend, p, b, f.left, f.right, f.bottom + 24 * PX, &unit);
	do {
		uint64_t rest = rest_of(&d, m, i, &k);

		if (i && m->node[i].all >= d.least)
			draw_box(&d, p, b, &f, i);
		/* Stacks that are too narrow for a box share one. */
		if (rest >= d.least)
			svg_rect(b, "c8", time_x(m, &f, m->node[k].begin),
				 f.top + m->node[i].depth * d.each,
				 time_x(m, &f, rest) - f.left, d.each * 19 / 20);
	} while ((i = next_node(m, i)));
}

static void
flame_terminal(struct plot *p, struct screen *t)
{
	const struct flame *m = p->state;
	const char *title, *said;
	struct flame_drawing d;
	unsigned lines;

	drawing_make(&d, p, UINT64_MAX);
	title = flame_title(p, &d.legend, &said);
	screen_title(t, joined(title, ": ", said));
	lines = d.depth < t->h ? d.depth : t->h;
	for (unsigned line = 1; line <= lines; line++) {
		unsigned at = 0;

		for (uint32_t i = next_node(m, 0); i; i = next_node(m, i)) {
			uint64_t begin = m->node[i].begin;
			unsigned x = (unsigned)scale_of(begin, m->node[0].all, t->w);
			unsigned end = (unsigned)scale_of(begin + m->node[i].all,
							  m->node[0].all, t->w);
			size_t n;

			/* A stack that is too narrow has a column, if the column is still empty. */
			end = end > x || x == t->w ? end : x + 1;
			if (m->node[i].depth != line || end <= at)
				continue;
			x = x < at ? at : x;
			screen_right(t, "", x - at);
			at = end;
			screen_colour(t, colour_dark[node_colour(&d, p, i)]);
			screen_put(t, t->utf8 ? "▌" : "|");
			n = screen_name(t, node_name(p, i), end - x - 1);
			for (unsigned k = x + 1 + (unsigned)n; k < end; k++)
				screen_put(t, t->utf8 ? "░" : "-");
			screen_plain(t);
		}
		screen_end(t);
	}
	legend_screen(&d.legend, p, t, time_unit(p));
}

static void
flame_bins(struct plot *p, struct table *t)
{
	const struct flame *m = p->state;

	sum_up(p);
	bins_head(t, "stack", "count", "self", "all");
	for (uint32_t i = next_node(m, 0); i; i = next_node(m, i)) {
		put_path(table_cell(t), p, m->node[i].parent, ";");
		put_all(&t->line, node_name(p, i));
		table_u64(t, stack_sums(p, i)[STACK_COUNT]);
		put_amount(t, stack_sums(p, i)[STACK_SELF], p->clock == CLOCK_NS);
		put_amount(t, m->node[i].all, p->clock == CLOCK_NS);
		table_row(t);
	}
}

static void
flame_close(struct plot *p)
{
	struct flame *m = p->state;

	free(m->node);
	free(m->table);
	names_free(&m->root);
}

const struct plot_kind kind_flame = {
    .name = "flame",
    .about = "the time in each stack of states",
    .need = NEED_LOC | NEED_DUR,
    .lasts = true,
    .key = "state",
    .log = "",
    .linear = "x",
    .why = "has one axis, x, which is the time and always linear: leave --log out",
    .open = flame_open,
    .nest = flame_state,
    .each = flame_each,
    .slot = flame_slot,
    .able = flame_able,
    .svg = flame_svg,
    .terminal = flame_terminal,
    .bins = flame_bins,
    .free = flame_close,
};
