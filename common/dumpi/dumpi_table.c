/* dumpi_table.c - compiles the table of calls: arguments, plans; and parses records in the general way. */
#include <stdlib.h>
#include <string.h>

#include "dumpi/dumpi_trace.h"

#include "dumpi/dumpi_calls.h"

struct dumpi_call dumpi_calls[DUMPI_CALLS];
/* Pairs of calls that begin and complete requests. MPI libraries give one id to several pending requests: the
 * oldest completes first. If a request is freed, its completion is not recorded. */
static const struct schema_pair pairs[] = {
    {.begin = "MPI_Isend or MPI_Ibsend or MPI_Issend or MPI_Irsend or MPI_Irecv or "
	      "MPI_Start or MPI_Startall",
     .end = "MPI_Wait or MPI_Waitall or MPI_Waitany or MPI_Waitsome or MPI_Testsome or "
	    "(MPI_Test or MPI_Testall or MPI_Testany) and flag != 0",
     .keys = "job,rank",
     .each = "requests|request",
     .chosen = "indices|index",
     .nothing = "MPI_REQUEST_NULL",
     .dropped = "MPI_Request_free"},
};
const struct schema dumpi_schema = {.rows = dumpi_rows,
				    .n = DUMPI_CALLS,
				    .width = sizeof *dumpi_rows,
				    .numbered = true,
				    .received = true,
				    .pairs = pairs,
				    .npairs = sizeof pairs / sizeof *pairs,
				    .queue = true};

const struct dumpi_type *
dumpi_type_named(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof dumpi_types / sizeof *dumpi_types; i++)
		if (word_is((struct word){name, n}, dumpi_types[i].name))
			return &dumpi_types[i];
	return NULL;
}

/* Dies because a row of the table cannot be compiled, which is an error in the program. */
static _Noreturn void
bad_row(const struct dumpi_call *c, const char *p)
{
	die("table of DUMPI calls: %s: %s", c->name, p);
}

static int8_t
arg_of(const struct dumpi_call *c, const char *p, size_t n)
{
	for (uint8_t i = 0; i < c->nargs; i++)
		if (word_is((struct word){p, n}, c->arg[i].name))
			return (int8_t)i;
	return -1;
}

static bool
starts(const char *p, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(p, with, strlen(with));
}

static uint8_t
old_before(const struct dumpi_call *c, const char *p, size_t n)
{
	static const struct {
		const char *version;
		uint8_t old;
	} known[] = {
	    {"0.6.2", OLD_INIT},
	    {"0.6.3", OLD_TAG},
	    {"0.6.8", OLD_CART},
	    {"0.6.9", OLD_STRUCT},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (word_is((struct word){p, n}, known[i].version))
			return known[i].old;
	bad_row(c, p);
}

static void
compile_type(struct dumpi_call *c, struct dumpi_arg *a, const char *p)
{
	size_t name = strcspn(p, "[* "), n = strcspn(p + name, " ");

	a->type = dumpi_type_named(p, name);
	if (!a->type)
		bad_row(c, p);
	a->brackets = n > 0;
	if (!strcmp(a->type->name, "status"))
		a->shape = SHAPE_STATUS;
	else if (a->type->kind == K_STR)
		a->shape = n == 0   ? SHAPE_STR
			   : n == 1 ? SHAPE_STRS
			   : n == 2 ? SHAPE_STRARRAY
				    : SHAPE_STRROWS;
	else
		a->shape = n == 0 ? SHAPE_ONE : n == 2 ? SHAPE_ARRAY : SHAPE_ROWS;
}

static void
compile_note(struct dumpi_call *c, struct dumpi_arg *a, struct word note)
{
	const char *p = note.p, *eq;
	size_t n = note.n;

	if (starts(p, n, "len=")) {
		a->len = arg_of(c, p + 4, strcspn(p + 4, "/:,"));
	} else if (starts(p, n, "if=") && (eq = strstr(p, "==")) != NULL) {
		a->cond = true;
		c->cond_a = arg_of(c, p + 3, (size_t)(eq - p) - 3);
		c->cond_b = arg_of(c, eq + 2, n - (size_t)(eq - p) - 2);
		if (c->cond_a < 0 || c->cond_b < 0)
			bad_row(c, p);
	} else if (starts(p, n, "one<")) {
		a->one = old_before(c, p + 4, n - 4);
	} else if (starts(p, n, "only<")) {
		a->only = old_before(c, p + 5, n - 5);
	} else if (!word_is(note, "out") && !word_is(note, "aux")) {
		bad_row(c, p);
	}
}

static void
compile_args(struct dumpi_call *c, const char *p)
{
	struct schema_field f;
	struct word note;

	while (schema_field(&p, &f)) {
		struct dumpi_arg *a = &c->arg[c->nargs];

		if (c->nargs == DUMPI_ARGS || f.name.n >= sizeof a->name)
			bad_row(c, f.name.p);
		memcpy(a->name, f.name.p, f.name.n);
		a->len = -1;
		compile_type(c, a, f.type.p);
		while (schema_note(&f.notes, &note))
			compile_note(c, a, note);
		c->nargs++;
	}
}

static void
compile_print(struct dumpi_call *c, const char *p)
{
	for (uint8_t i = 0; i < c->nargs; i++)
		c->print[i] = i;
	for (uint8_t i = 0; p && *p; i++) {
		size_t n = strcspn(p, ",");
		int8_t at = arg_of(c, p, n);

		if (at < 0 || i == c->nargs)
			bad_row(c, p);
		c->print[i] = (uint8_t)at;
		p += n;
		p += *p == ',';
	}
}

/* Compiles the rules p, with | between, into b. Returns their number. */
static uint8_t
compile_bytes(struct dumpi_call *c, struct dumpi_bytes *b, const char *p)
{
	static const char where[] = "=!^";
	uint8_t rules = 0;

	for (; p && *p; p += *p == '|', b++) {
		const char *is = strchr(where, *p);
		size_t n;

		if (rules++ == 2)
			bad_row(c, p);
		*b = (struct dumpi_bytes){
		    .flag = -1, .count = -1, .datatype = -1, .status = -1};
		if (is) {
			b->where = (uint8_t)(is - where + WHERE_ROOT);
			p++;
		}
		n = strcspn(p, "|?*[");
		if (p[n] == '?') {
			b->flag = arg_of(c, p, n);
			p += n + 1;
			n = strcspn(p, "|?*[");
		}
		if (p[n] == '*' || p[n] == '[') {
			b->own = p[n] == '[';
			b->count = arg_of(c, p, n);
			p += n + (b->own ? strlen("[rank]*") : 1);
			n = strcspn(p, "|*");
			b->datatype = arg_of(c, p, n);
			b->all = p[n] == '*';
			n += b->all ? strlen("*all") : 0;
		} else {
			b->status = arg_of(c, p, n);
		}
		p += n;
		if (b->status < 0 && (b->count < 0 || b->datatype < 0))
			bad_row(c, p);
	}
	return rules;
}

static void
compile_peer(struct dumpi_call *c, const char *p)
{
	const char *bar, *flag;

	c->peer = c->peer_status = c->peer_flag = -1;
	if (!p)
		return;
	if ((flag = strchr(p, '?')) != NULL) {
		c->peer_flag = arg_of(c, p, (size_t)(flag - p));
		p = flag + 1;
	}
	if ((bar = strchr(p, '|')) != NULL) {
		c->peer_status = arg_of(c, p, (size_t)(bar - p));
		p = bar + 1;
	}
	c->peer = arg_of(c, p, strlen(p));
	if (c->peer < 0)
		bad_row(c, p);
	c->from = !strcmp(c->arg[c->peer].type->name, "source");
}

void
dumpi_table(void)
{
	static bool ready;

	if (ready)
		return;
	ready = true;
	for (unsigned i = 0; i < DUMPI_CALLS; i++) {
		struct dumpi_call *c = &dumpi_calls[i];
		const struct dumpi_row *row = &dumpi_rows[i];

		c->name = row->row.event;
		compile_args(c, row->row.fields);
		compile_print(c, row->print);
		c->nbytes = compile_bytes(c, c->bytes, row->row.size);
		c->nrecv = compile_bytes(c, c->recv, row->recv);
		compile_peer(c, row->row.peer);
		c->does = (uint8_t)row->does;
		c->source = arg_of(c, "source", 6);
		c->comm = arg_of(c, "comm", 4);
		c->root = arg_of(c, "root", 4);
		c->commrank = arg_of(c, "commrank", 8);
		c->commsize = arg_of(c, "commsize", 8);
		c->newcomm = arg_of(c, "newcomm", 7);
		if (c->newcomm < 0)
			c->newcomm = arg_of(c, "parent", 6);
		if (c->newcomm < 0)
			c->newcomm = c->comm;
	}
}

int
dumpi_shape_in(const struct dumpi_layout *l, const struct dumpi_arg *a)
{
	if (a->only && !(l->old & a->only))
		return -1;
	return a->one & l->old ? SHAPE_ONE : a->shape;
}

/* Stores in *place the offset of an argument that is a number before all arrays. Returns false if it is not such
 * an argument. */
static bool
plan_place(const struct dumpi_plan *pl, const struct dumpi_call *c, int arg,
	   uint16_t *place)
{
	if (arg < 0 || pl->at[arg].base || pl->at[arg].absent ||
	    c->arg[arg].shape != SHAPE_ONE)
		return false;
	*place = pl->at[arg].off;
	return true;
}

/* Returns true if the rule is simply a count times a datatype. */
static bool
is_pair(const struct dumpi_bytes *b)
{
	return !b->where && !b->own && !b->all;
}

/* Plans a call whose bytes are only the count times the datatype of the rule b: sends, receives, and some
 * collectives. Returns false if there is more to it, or if an argument is not before the arrays. */
static bool
plan_pair(struct dumpi_plan *pl, const struct dumpi_call *c, const struct dumpi_bytes *b)
{
	const struct dumpi_bytes *r = c->recv;
	bool makes = c->does == DOES_SEND || c->does == DOES_RECV;

	if ((c->does && !makes) || b->flag >= 0 || !is_pair(b) ||
	    (b->count >= 0 && (!plan_place(pl, c, b->count, &pl->count) ||
			       !plan_place(pl, c, b->datatype, &pl->datatype))))
		return false;
	pl->both = c->nrecv == 1 && is_pair(r) && r->count == b->count &&
		   r->datatype == b->datatype;
	if (c->nrecv && !pl->both)
		return false;
	if (makes && !plan_place(pl, c, 5, &pl->request))
		return false;
	pl->does = makes ? c->does : 0;
	/* The peer below which a number means MPI_PROC_NULL. Without a peer, none does. */
	pl->null = c->peer < 0 ? INT32_MIN : c->from ? -1 : 0;
	pl->peer = pl->count;
	return c->peer < 0 || plan_place(pl, c, c->peer, &pl->peer);
}

/* Plans how the fast path finds the bytes that a call moves. */
static void
plan_bytes(struct dumpi_plan *pl, const struct dumpi_call *c, bool status)
{
	unsigned call = dumpi_number(c);
	bool first = c->bytes->status >= 0;

	pl->bytes = c->nbytes || c->does ? BYTES_GENERAL : BYTES_NONE;
	pl->one = call == 13;
	if (pl->complex)
		return;
	if (pl->one || call == 18) { /* Wait, Waitall */
		pl->ids = pl->one ? 0 : 1;
		pl->status = pl->one ? 1 : 2;
		pl->bytes = BYTES_WAIT;
		return;
	}
	/* With several statuses, or without the status that the rule needs, dumpi_moves must find the bytes. */
	pl->sole = first && c->nbytes == 1;
	if (!c->nbytes || (c->nbytes == 2 && !first) ||
	    (pl->sole && (!status || c->does)) ||
	    !plan_pair(pl, c, &c->bytes[c->nbytes - 1]))
		return;
	pl->status = first ? (uint8_t)c->bytes->status : 0;
	pl->bytes = first && status ? BYTES_STATUS_PAIR : BYTES_PAIR;
}

static void
make_dumpi_plan(struct dumpi_plan *pl, const struct dumpi_layout *l, unsigned call,
		bool status)
{
	const struct dumpi_call *c = &dumpi_calls[call];
	unsigned most = dumpi_prefix(0xff), off = 0;

	/* These calls are always left to dumpi_parse: in old streams a call 0 after MPI_Finalize ends the body. */
	pl->complex = call == 128 || call == 125 || call >= DUMPI_END - 3;
	for (unsigned i = 0; i < c->nargs; i++) {
		const struct dumpi_arg *a = &c->arg[i];
		int shape = dumpi_shape_in(l, a);

		pl->at[i].base = pl->n;
		pl->at[i].off = (uint16_t)off;
		if (a->cond || shape == SHAPE_ROWS || shape == SHAPE_STRS ||
		    shape == SHAPE_STRARRAY || shape == SHAPE_STRROWS)
			pl->complex = true;
		if (shape < 0 || (shape == SHAPE_STATUS && !status)) {
			pl->at[i].absent = 1;
		} else if (shape == SHAPE_ONE) {
			off += a->type->width;
			if (pl->n)
				pl->part[pl->n - 1].fix = (uint8_t)off;
			else
				pl->pre = (uint16_t)off;
		} else if (pl->n == DUMPI_PARTS) {
			pl->complex = true;
		} else {
			pl->part[pl->n++].width = shape == SHAPE_STATUS ? l->status
						  : shape == SHAPE_STR	? 1
									: a->type->width;
			off = 0;
		}
	}
	most += pl->pre;
	for (unsigned k = 0; k < pl->n; k++)
		most += 4u + DUMPI_QUICK_ARRAY * pl->part[k].width + pl->part[k].fix;
	if (most + 16 > DUMPI_QUICK)
		pl->complex = true;
	plan_bytes(pl, c, status);
}

const struct dumpi_layout *
dumpi_layout(unsigned index)
{
	static const uint8_t old[DUMPI_LAYOUTS] = {
	    0,
	    OLD_STRUCT,
	    OLD_STRUCT | OLD_CART,
	    OLD_STRUCT | OLD_CART | OLD_TAG,
	    OLD_STRUCT | OLD_CART | OLD_TAG | OLD_INIT,
	};
	static struct dumpi_layout *layout[DUMPI_LAYOUTS];
	struct dumpi_layout *l = layout[index];

	if (l)
		return l;
	dumpi_table();
	layout[index] = l = xcalloc(1, sizeof *l);
	l->index = (uint8_t)index;
	l->old = old[index];
	l->status = l->old & OLD_TAG ? 10 : 14;
	for (unsigned i = 0; i < DUMPI_CALLS; i++) {
		make_dumpi_plan(&l->plan[0][i], l, i, false);
		make_dumpi_plan(&l->plan[1][i], l, i, true);
	}
	return l;
}

unsigned
dumpi_layout_of(const uint8_t version[3])
{
	uint32_t v = (uint32_t)version[0] << 16 | (uint32_t)version[1] << 8 | version[2];

	return v >= 0x609 ? 0 : v >= 0x608 ? 1 : v >= 0x603 ? 2 : v >= 0x602 ? 3 : 4;
}

/* Returns true if k more bytes are present at q. Otherwise stores in v->need the length that the record has at
 * least. */
static bool
have(struct dumpi_view *v, const uint8_t *p, const uint8_t *q, const uint8_t *end,
     uint64_t k)
{
	if (k <= (uint64_t)(end - q))
		return true;
	v->need = (uint64_t)(q - p) + k;
	return false;
}

/* Skips n strings at q. Returns NULL if they are not whole, or, with v->why set, if they take more than
 * DUMPI_STRINGS bytes, which shows damage. */
static const uint8_t *
skip_strings(struct dumpi_view *v, const uint8_t *p, const uint8_t *q, const uint8_t *end,
	     uint64_t n)
{
	if (!have(v, p, q, end, 4 * n)) /* each has at least its length */
		return NULL;
	for (; n; n--) {
		if (!have(v, p, q, end, 4) || !have(v, p, q, end, 4 + (uint64_t)be32(q)))
			return NULL;
		q += 4 + (size_t)be32(q);
	}
	if (q - p > DUMPI_STRINGS) {
		v->why = "too many or too long strings";
		return NULL;
	}
	return q;
}

/* Skips an argument at q. Returns NULL if it is not whole, or, with v->why set, if it is invalid. */
static const uint8_t *
skip_arg(const struct dumpi_layout *l, struct dumpi_view *v, const struct dumpi_arg *a,
	 int shape, const uint8_t *p, const uint8_t *q, const uint8_t *end)
{
	uint64_t width = a->type->width, n;

	if (shape == SHAPE_ONE)
		return have(v, p, q, end, width) ? q + width : NULL;
	if (shape == SHAPE_STRS) {
		n = be32(v->arg[a->len]);
		if (n > INT32_MAX) {
			v->why = "a negative number of strings";
			return NULL;
		}
		return skip_strings(v, p, q, end, n);
	}
	if (!have(v, p, q, end, 4))
		return NULL;
	n = be32(q);
	switch (shape) {
	case SHAPE_STATUS: width = l->status; break;
	case SHAPE_STR: width = 1; break;
	case SHAPE_STRARRAY: return skip_strings(v, p, q + 4, end, n);
	case SHAPE_ROWS:
	case SHAPE_STRROWS:
		if (!have(v, p, q, end, 4 + 4 * n))
			return NULL;
		for (q += 4; n && q; n--) {
			uint64_t k;

			if (!have(v, p, q, end, 4))
				return NULL;
			k = be32(q);
			if (shape == SHAPE_STRROWS) {
				q = skip_strings(v, p, q + 4, end, k);
				continue;
			}
			if (!have(v, p, q, end, 4 + k * width))
				return NULL;
			q += 4 + k * width;
		}
		return q;
	}
	return have(v, p, q, end, 4 + n * width) ? q + 4 + n * width : NULL;
}

/* Skips the bytes between the mask and the arguments, and notes the counters among them. Returns the place of the
 * arguments, or NULL if there are too few bytes. */
static const uint8_t *
parse_prefix(struct dumpi_view *v, const uint8_t *p, const uint8_t *end)
{
	const uint8_t *q = p + 3;

	if (!have(v, p, q, end, dumpi_prefix(v->mask) - 3u))
		return NULL;
	q = p + dumpi_prefix(v->mask);
	if (v->mask & MASK_PERF) {
		if (!have(v, p, q, end, 1))
			return NULL;
		v->nperf = *q++;
		if (!have(v, p, q, end, 16u * v->nperf))
			return NULL;
		v->perf = q;
		q += 16u * v->nperf;
	}
	return q;
}

int
dumpi_parse(const struct dumpi_layout *l, const uint8_t *p, size_t n, struct dumpi_view *v)
{
	const uint8_t *q = p, *end = p + n;
	const struct dumpi_call *c;

	v->why = NULL;
	v->perf = NULL;
	v->nperf = 0;
	v->arg[0] = NULL;
	if (!have(v, p, q, end, 2))
		return DUMPI_SHORT;
	v->call = be16(p);
	if (v->call == DUMPI_END)
		return DUMPI_STOP;
	if (v->call == 290) /* an earlier number of MPI_Send */
		v->call = 0;
	if (v->call > DUMPI_END || v->call == 128) {
		v->why = "no call has this number";
		return DUMPI_BAD;
	}
	c = &dumpi_calls[v->call];
	if (!have(v, p, q, end, 3))
		return DUMPI_SHORT;
	v->mask = p[2];
	q = parse_prefix(v, p, end);
	if (!q)
		return DUMPI_SHORT;
	v->args = q;
	for (unsigned i = 0; i < c->nargs; i++) {
		const struct dumpi_arg *a = &c->arg[i];
		int shape = dumpi_shape_in(l, a);

		v->arg[i] = NULL;
		if (shape < 0 || (shape == SHAPE_STATUS && !(v->mask & MASK_STATUS)) ||
		    (a->cond && be32(v->arg[c->cond_a]) != be32(v->arg[c->cond_b])))
			continue;
		v->arg[i] = q;
		q = skip_arg(l, v, a, shape, p, q, end);
		if (!q)
			return v->why ? DUMPI_BAD : DUMPI_SHORT;
	}
	v->len = (size_t)(q - p);
	return DUMPI_WHOLE;
}
