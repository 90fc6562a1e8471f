/* columns.c - see columns.h. A first reading finds the columns and their types, unless all of them are columns
 * of every event. */
#include <stdlib.h>

#include "base/put.h"
#include "cli/opt.h"
#include "event/value.h"
#include "trace-export/columning.h"
#include "view/view_request.h"

/* Limit of rows in a group, and bytes of values after which it ends. */
#define ROWS_MOST (128u << 10)
#define BYTES_MOST (6u << 20)
/* Bound: trace-export parquet, arrow | columns | names of arguments | 4096 | different arguments: left out the others */
#define COLUMNS_MOST 4096

/* Forgets texts by key, when numbers of strings and texts begin anew. */
static void
forget_known(struct columns_form *t)
{
	for (size_t i = 0; i < t->is.n; i++)
		if (t->is.col[i].known)
			memset(t->is.col[i].known, 0, KNOWN * sizeof(struct column_known));
}

/* Adds a column: a field, computed value `at`, or an argument. */
static void
add_column(struct columns_form *t, const char *label, const char *field, bool computed,
	   size_t at)
{
	struct export_column *c = PUSH(t->is.col, t->is.n, t->is.cap);

	*c = (struct export_column){.computed = computed, .at = at};
	if (field) {
		c->at = view_add(&t->view, field, strlen(field), true);
		c->kind = (uint8_t)field_column(field, strlen(field));
	}
	text_raw(&t->raw, label, strlen(label));
	columns_utf8(&c->name, t->raw.p, t->raw.n);
}

/* Adds an argument to the plan of the current type. */
static void
column_add_arg(void *arg, const char *label, const struct field *f)
{
	struct columns_form *t = arg;
	uint32_t id;

	if (!strtab_find(&t->args, label, strlen(label), &id)) {
		t->too_many |= t->learning && t->args.n == COLUMNS_MOST;
		t->lost += !t->learning && !t->too_many; /* the input has changed */
		if (!t->learning || t->too_many)
			return;
		id = strtab_id(&t->args, label, strlen(label));
		add_column(t, label, NULL, false, 0);
	}
	t->making->v[t->making->n++] = (struct column_arg){(uint32_t)t->fixed + id, *f};
}

static const struct plan *
plan_of(struct columns_form *t, const struct source *s, uint32_t type)
{
	struct plan *pl = &t->plan[type];

	if (pl->made || t->chosen)
		return pl;
	t->making = pl;
	pl->made = true;
	pl->v = arena_get(&t->plan_cache.mem, s->t.type[type].nargs * sizeof *pl->v);
	type_args(&s->t.type[type], column_add_arg, t);
	return pl;
}

/* Appends a pair of metadata: with a text, or, if `text` is NULL, a number. */
static void
add_fact(struct buf *b, const char *key, const char *text, unsigned kind, uint64_t number)
{
	buf_add(b, key, strlen(key) + 1);
	if (text)
		buf_str(b, text);
	else
		buf_to(b, value_put_int(buf_room(b, 32 + PUT_SLACK), kind, number));
	buf_byte(b, '\0');
}

/* Notes the source of a batch, before its events. */
static void
bind(struct columns_form *t, const struct source *s)
{
	bool absolute = t->is.sink->opt.absolute, dated = absolute && head_dated(&s->head);
	bool differs;
	struct buf b = {0};

	if (t->head_serial != s->head_serial) {
		add_fact(&b, "spoor.format", s->head.format, 0, 0);
		add_fact(&b, "spoor.clock", s->head.clock == CLOCK_NS ? "ns" : "ticks", 0,
			 0);
		add_fact(&b, "spoor.origin", NULL, K_I64,
			 absolute ? 0 : (uint64_t)s->head.origin);
		add_fact(&b, "spoor.addr_unit", NULL, K_U64, source_addr_unit(s, 0));
		differs = t->head_serial && (b.n != t->heads_facts.n ||
					     memcmp(b.p, t->heads_facts.p, b.n) != 0);
		t->late |= differs && !t->mixed && t->is.facts.n;
		t->mixed |= differs;
		t->ticks = t->head_serial ? t->ticks : s->head.clock == CLOCK_TICKS;
		t->dated = dated && (t->dated || !t->head_serial);
		buf_free(&t->heads_facts);
		t->heads_facts = b;
	}
	if (t->head_serial != s->head_serial || t->epoch != s->t.epoch)
		forget_known(t);
	t->head_serial = s->head_serial;
	t->epoch = s->t.epoch;
	t->shift = head_shift(&s->head, absolute);
	view_bind(&t->view, &s->t, &s->head, s->head_serial, s->fmt->text);
	cache_bound(&t->plan_cache);
	CACHE(t->plan, t->plan_cache, s, s->t.ntypes);
}

unsigned
columns_facts(struct export_columns *is)
{
	const struct columns_form *t = (const struct columns_form *)is;
	struct buf *b = &is->facts;
	bool known = t->head_serial && !t->mixed;

	b->n = 0;
	if (known)
		buf_add(b, t->heads_facts.p, t->heads_facts.n);
	buf_add(b, "spoor.units", 12);
	for (size_t i = 0; i < is->n; i++) {
		const struct export_column *c = &is->col[i];

		if (c->type != COLUMN_NS && c->kind != FIELD_SIZE)
			continue;
		if (b->p[b->n - 1])
			buf_byte(b, ',');
		buf_add(b, c->name.p, c->name.n);
		buf_str(b, c->type == COLUMN_NS ? "=ns" : "=bytes");
	}
	buf_byte(b, '\0');
	add_fact(b, "spoor.version", opt_version(), 0, 0);
	return known ? 6 : 2;
}

/* Chooses the types, and begins to write. */
static void
start_columns(struct columns_form *t)
{
	t->begun = true;
	t->learning = false;
	cache_forget(&t->plan_cache);
	for (size_t i = 0; i < t->is.n; i++) {
		columns_type(t, &t->is.col[i]);
		if (t->is.col[i].type == COLUMN_TEXT)
			t->is.col[i].known = xcalloc(KNOWN, sizeof(struct column_known));
	}
	t->writer->head(&t->is);
}

/* Writes the group, if it has rows, and begins a new one. */
static void
end_group(struct columns_form *t)
{
	for (size_t i = 0; i < t->is.n && t->is.rows; i++)
		if (t->is.col[i].rows < t->is.rows)
			columns_level(&t->is.col[i], t->is.rows - 1, 0);
	if (t->is.rows)
		t->writer->group(&t->is);
	t->is.total += t->is.rows;
	t->is.rows = 0;
	t->bytes = 0;
	for (size_t i = 0; i < t->is.n; i++) {
		struct export_column *c = &t->is.col[i];

		c->value.n = c->level.n = c->chars = 0;
		c->rows = c->have = 0;
		strtab_free(&c->texts);
	}
	forget_known(t);
}

/* Takes n selected events of a batch. */
static void
take_events(struct columns_form *t, const struct source *s, const struct rec *const *rec,
	    uint32_t n, const uint32_t *pick)
{
	const struct values *v = t->learning ? &t->first : &t->values;
	uint32_t row = t->is.rows;

	for (size_t i = 0; i < t->fixed; i++) {
		struct export_column *c = &t->is.col[i];

		if (t->learning ? c->kind != 0
				: !c->computed && columns_take_64(t, c, rec, n))
			continue;
		for (uint32_t k = 0; k < n; k++) {
			uint32_t j = values_at(v, pick ? pick[k] : k, k);

			if (!t->learning &&
			    (c->kind == FIELD_LOC || c->kind == FIELD_EVENT))
				k += columns_take_texts(t, c, rec + k, n - k, row + k);
			if (k == n)
				break;

			if (c->computed)
				columns_take(t, c, s, rec[k], NULL, j, row + k);
			else
				columns_take(t, c, s, rec[k],
					     view_field(&t->view, rec[k]->type, c->at), 0,
					     row + k);
		}
	}
	for (uint32_t k = 0; k < n && !t->chosen; k++) {
		const struct plan *pl = plan_of(t, s, rec[k]->type);

		for (uint32_t i = 0; i < pl->n; i++)
			columns_take(t, &t->is.col[pl->v[i].column], s, rec[k], &pl->v[i].f,
				     0, row + k);
	}
	if (!t->learning)
		t->is.rows += n;
}

static void
take_batch(struct columns_form *t, struct source *s, const struct batch *b,
	   const uint32_t *pick, uint32_t n)
{
	const struct rec *rec[BATCH];

	if (!values_put(t->learning ? &t->first : &t->values, s, b, pick, n))
		return;
	bind(t, s);
	for (uint32_t i = 0; i < n; i++)
		rec[i] = batch_rec(b, pick ? pick[i] : i);
	take_events(t, s, rec, n, pick);
	t->bytes += n * t->is.n;
	if (!t->learning && (t->is.rows > ROWS_MOST - BATCH || t->bytes > BYTES_MOST))
		end_group(t);
}

static void
columns_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	    uint32_t n)
{
	take_batch(k->state, s, b, pick, n);
	if (k->out.line)
		out_flush(&k->out);
}

void
columns_learn(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	      uint32_t n)
{
	struct columns_form *t = k->state;

	t->learning = true;
	values_see(&t->first, s, b);
	take_batch(t, s, b, pick, n);
}

static void
columns_begin(struct sink *k, struct read_options *opt)
{
	const struct row_writer_options *asked = row_writer_asked(k);
	struct columns_form *t = k->state = xcalloc(1, sizeof *t);
	struct exprs *list;
	const char *name;
	bool computed = false;

	t->is.sink = k;
	t->writer = export_asked(k)->target->columns;
	t->is.state = xcalloc(1, t->writer->size);
	t->chosen = asked->fields;
	if (t->chosen) {
		list = exprs_parse(asked->fields, PARSE_LIST, NULL);
		for (size_t i = 0; i < exprs_tree(list)->nlets; i++) {
			const struct expr_let *let = &exprs_tree(list)->lets[i];

			add_column(t, let->label, let->field, !let->field, i);
			computed |= !let->field;
		}
		if (computed) {
			values_begin(&t->values, list, asked->keys, opt);
			list = exprs_parse(asked->fields, PARSE_LIST, NULL);
			values_begin(&t->first, list, asked->keys, opt);
		} else
			exprs_free(list);
	}
	for (size_t i = 0; i < FIELD_DUR && !t->chosen; i++) {
		name = field_column_name(i);
		add_column(t, name, name, false, 0);
	}
	t->fixed = t->is.n;
	opt->need |= view_need(&t->view) | (t->chosen ? 0 : NEED_ALL);
}

bool
columns_once(const struct sink *k)
{
	const struct columns_form *t = k->state;
	bool once = t->chosen;

	for (size_t i = 0; i < t->is.n; i++)
		once &= t->is.col[i].kind != 0;
	return once;
}

static void
columns_head(struct sink *k, struct source *s)
{
	struct columns_form *t = k->state;

	bind(t, s);
	if (!t->begun)
		start_columns(t);
}

static void
columns_see(struct sink *k, struct source *s, const struct batch *b)
{
	values_see(&((struct columns_form *)k->state)->values, s, b);
}

static int
columns_close(struct sink *k)
{
	struct columns_form *t = k->state;
	const struct view *v = &t->view;
	int status = values_close(&t->values, k);

	if (!t->begun && !k->trouble)
		start_columns(t);
	if (t->begun) {
		end_group(t);
		t->writer->end(&t->is);
	}
	if (t->too_many)
		warn("more than 4096 different arguments: left out the others; use -F or "
		     "-T jsonl");
	if (t->late)
		warn("wrote the metadata of the first input: others differ in format, "
		     "clock, origin or unit");
	if (t->lost)
		warn("%llu values are left out: the type of their column, or 64 MiB, has "
		     "no room",
		     (unsigned long long)t->lost);
	if (t->too_many || t->late || t->lost)
		status = ST_TROUBLE;
	for (size_t i = 0; i < v->n && v->ntypes && t->chosen && !k->cut && !k->part; i++)
		if (!t->values.list && !(v->name[i].seen & SEEN_FIELD)) {
			view_missing(v, v->name[i].name);
			status = ST_TROUBLE;
		}
	t->writer->free(&t->is);
	for (size_t i = 0; i < t->is.n; i++) {
		buf_free(&t->is.col[i].name);
		buf_free(&t->is.col[i].value);
		buf_free(&t->is.col[i].level);
		strtab_free(&t->is.col[i].texts);
		free(t->is.col[i].known);
	}
	free(t->is.col);
	free(t->is.state);
	exprs_free(t->first.list);
	strtab_free(&t->args);
	view_free(&t->view);
	cache_free(t->plan, &t->plan_cache);
	buf_free(&t->is.facts);
	buf_free(&t->heads_facts);
	buf_free(&t->text);
	buf_free(&t->raw);
	buf_free(&t->utf8);
	free(t);
	return status;
}

const struct form form_columns = {
    .need = NEED_ORDER,
    .binary = true,
    .begin = columns_begin,
    .head = columns_head,
    .see = columns_see,
    .put = columns_put,
    .close = columns_close,
};

void
columns_pack(struct buf *b, unsigned bits, const uint8_t *p, size_t width, unsigned shift,
	     size_t n)
{
	size_t size = (n + 7) / 8 * bits;
	uint8_t *to = memset(buf_room(b, size + 8), 0, size + 8);
	uint64_t mask = (1ull << bits) - 1, held = 0;
	unsigned have = 0;

	for (size_t i = 0; i < n; i++, p += width) {
		held |= ((width == 4 ? le32(p) : *p) >> shift & mask) << have;
		for (have += bits; have >= 32; have -= 32, held >>= 32, to += 4)
			st_le32(to, (uint32_t)held);
	}
	st_le64(to, held);
	b->n += size;
}
