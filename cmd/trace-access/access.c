/* access.c - makes requests and facts from events, and hands them to the files that count them: see access.h. */

#include <stdlib.h>
#include <string.h>

#include "trace-access/access_blocks.h"
#include "trace-access/darshan.h"
#include "trace-access/access_jobs.h"
#include "trace-access/opens.h"
#include "trace-access/seek.h"
#include "base/hash.h"
#include "work/work.h"
#include "view/traits.h"
#include "view/view_request.h"

/* Sections that need the counts of each file. */
#define BIT(s) (1u << ACCESS_##s)
#define OF_PATTERNS                                                               \
	(BIT(CLASSES) | BIT(DISTINCT) | BIT(RUNS) | BIT(SHARING) | BIT(TOUCHED) | \
	 BIT(OPENS) | BIT(FILE) | BIT(TEMPORARY))
#define OF_SHARING (BIT(TOUCHED) | BIT(FILE))
#define OF_BLOCKS (BIT(TOUCHED) | BIT(FILE) | BIT(HOT) | BIT(AFTER))
#define OF_OPENS (BIT(SHARING) | BIT(OPENS) | BIT(FILE) | BIT(DARSHAN))
#define OF_JOBS (BIT(CONCURRENCY) | BIT(JOB) | BIT(TEMPORARY))
#define OF_SEEK (BIT(STREAMS) | BIT(SEEK))
/* Sections about traces with files. */
#define OF_FILES                                                                   \
	(BIT(CLASSES) | BIT(DISTINCT) | BIT(SHARING) | BIT(TOUCHED) | BIT(OPENS) | \
	 BIT(CONCURRENCY) | BIT(JOB) | BIT(TEMPORARY) | BIT(FILE) | BIT(DARSHAN))

static const struct {
	const char *event;
	enum fact_kind kind;
} facts[] = {
    {"open", FACT_OPEN},     {"close", FACT_CLOSE},   {"unlink", FACT_UNLINK},
    {"app-load", FACT_LOAD}, {"app-exit", FACT_EXIT}, {"join", FACT_JOIN},
    {"leave", FACT_LEAVE},
};

/* Arguments with facts, in the order of `said`. */
enum {
	SAID_FILE,
	SAID_DESC,
	SAID_FLAGS,
	SAID_LINKS,
	SAID_JOB,
	SAID_CLIENTS,
	SAID_SIZE
};
static const char said[] = ",file_desc,open_flags,new_link_count,appl_id,clients,file_size";

/* Facts about a type of event. */
struct kind_of {
	uint8_t fact; /* enum fact_kind */
	bool request, write;
	bool lost; /* it lacks the file that other types of its format have */
	struct field memory;
};

/* Dies if a key is neither a field, nor several fields with
 * between them. */
static void
field_only(const char *option, const char *key)
{
	if (key && key[strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_.|-")])
		die("%s %s: a field is expected", option, key);
}

void
access_open(struct access *x, const struct access_question *q)
{
	struct buf b = {0};
	struct query ask = {.aggs = "count", .bits = SPEC_BITS};
	const char *file = q->file ? q->file : "file|loc",
		   *node = q->node ? q->node : "loc";

	field_only("--file", q->file);
	field_only("--node", q->node);
	memset(x, 0, sizeof *x);
	x->q = *q;
	buf_str(&b, file);
	buf_byte(&b, ',');
	buf_add(&b, node, strlen(node) + 1);
	x->keys = (char *)b.p;
	ask.keys = x->keys;
	result_open(&x->ids, &ask);
	/* Opens and some other events have another name for the argument. */
	file = q->file ? q->file : "file_id|file";
	b = (struct buf){0};
	buf_str(&b, file);
	buf_add(&b, said, sizeof said);
	x->said = (char *)b.p;
	x->facts = exprs_parse(x->said, PARSE_LIST, NULL);
	if (q->sections & OF_BLOCKS)
		x->blocks = xcalloc(1, sizeof *x->blocks);
	if (q->sections & OF_OPENS)
		x->opens = xcalloc(1, sizeof *x->opens);
	if (q->sections & OF_JOBS)
		x->jobs = xcalloc(1, sizeof *x->jobs);
	if (q->sections & OF_SEEK)
		x->seeks = xcalloc(1, sizeof *x->seeks);
}

/* Returns the number of the file with that name, which may be new. */
static uint32_t
file_of(struct access *x, const void *p, size_t n)
{
	uint32_t i = strtab_id(&x->files, p, n);

	if (i == x->nfiles)
		*PUSH(x->file, x->nfiles, x->file_cap) = (struct access_file){
		    .seed = mix64(hash64(p, n)), .opener = NOBODY, .creator = NOBODY};
	return i;
}

/* Returns the number of the flow of a file and a node, which may be new. */
static uint32_t
flow_of(struct access *x, uint32_t file, uint32_t node)
{
	uint32_t key[2] = {file, node}, i = strtab_id(&x->flows, key, sizeof key);

	if (i == x->nflows)
		*PUSH(x->flow, x->nflows, x->flow_cap) =
		    (struct flow){.file = file, .node = node};
	return i;
}

/* Makes flows of the new groups of x->ids. */
static void
add_groups(struct access *x)
{
	const struct stats *st = &x->ids.st[0];

	for (; x->ngroups < st->ngroups; x->ngroups++) {
		const uint32_t *key = &st->key[2 * (size_t)x->ngroups];
		char room[KEY_SPACE];
		struct str s = keytab_text(&st->text, key[0], room);
		uint32_t file = file_of(x, s.s, s.len);

		s = keytab_text(&st->text, key[1], room);
		GROW(x->flow_of, x->flow_of_cap, x->ngroups + 1);
		x->flow_of[x->ngroups] = flow_of(x, file, strtab_id(&x->names, s.s, s.len));
	}
}

static struct kind_of
look_at(struct access *x, const struct source *s, const struct type *ty)
{
	uint8_t op = op_of(ty);
	struct kind_of k = {.request = op != 0, .write = op == OP_WRITE};
	bool has_file = field_find("file", &s->head, ty).kind != FIELD_NONE;

	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		if (!strcmp(ty->event, facts[i].event))
			k.fact = (uint8_t)facts[i].kind;
	k.lost = k.request && !x->q.file && !has_file && traits_source(s)->files;
	k.memory = field_find("memory_offset", &s->head, ty);
	x->has_files |= has_file || k.lost;
	return k;
}

/* Returns whether the event is a request with known bytes. Counts it if bytes are missing. */
static bool
is_request(struct access *x, const struct rec *r, uint64_t unit)
{
	const struct kind_of *k = &x->kind[r->type];

	if (!k->request)
		return false;
	if (k->lost || (r->has & (HAS_ADDR | HAS_SIZE)) != (HAS_ADDR | HAS_SIZE)) {
		x->without++;
		return false;
	}
	if (r->addr > UINT64_MAX / unit || r->size > UINT64_MAX - r->addr * unit) {
		x->beyond++;
		return false;
	}
	return true;
}

static void
count_request(struct access *x, const struct access_request *r)
{
	unsigned want = x->q.sections;

	x->requests++;
	if (want & OF_PATTERNS)
		patterns_request(x, r);
	if (want & OF_SHARING)
		sharing_request(x, r);
	if (want & BIT(DARSHAN))
		darshan_request(x, r);
	if (want & OF_JOBS)
		jobs_request(x, r);
	if (want & OF_SEEK)
		seek_request(x, r);
}

static void
add_request(struct access *x, const struct rec *e, uint32_t flow, uint64_t unit)
{
	const struct flow *f = &x->flow[flow];
	const struct kind_of *k = &x->kind[e->type];
	uint64_t memory = 0;
	struct access_request r = {.flow = flow,
				   .file = f->file,
				   .node = f->node,
				   .write = k->write,
				   .timed = e->has & HAS_DUR && e->dur >= 0,
				   .time = e->time,
				   .dur = e->dur,
				   .at = e->addr * unit,
				   .size = e->size};

	if (!x->requests && !x->q.chosen)
		x->q.sections &= x->has_files ? ~OF_SEEK : ~OF_FILES;
	if (k->memory.kind != FIELD_NONE && field_load(&k->memory, e, &memory))
		r.unaligned = memory % 8 != 0;
	if (x->q.sections & OF_BLOCKS && !blocks_request(x, &r))
		x->beyond++;
	else
		count_request(x, &r);
}

/* Sets *v to the text of value i of event j. Returns false if there is none. */
static bool
said_text(struct access *x, unsigned i, uint32_t j, struct val *v)
{
	struct val_env env = {.clock = x->clock, .mem = &x->mem};

	*v = vec_val(exprs_vec(x->facts, i), j);
	if (v->kind == VAL_NONE)
		return false;
	*v = val_to_text(&env, v);
	return true;
}

static bool
said_number(const struct access *x, unsigned i, uint32_t j, int64_t *n)
{
	struct val v = vec_val(exprs_vec(x->facts, i), j);

	*n = v.kind == VAL_WHOLE && i128_is_i64(v.n) ? (int64_t)v.n.lo : 0;
	return v.kind == VAL_WHOLE && i128_is_i64(v.n);
}

/* Returns whether a list with commas has the word. */
static bool
has_word(const struct val *v, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = v->s; (p = strstr(p, word)) != NULL; p += n)
		if ((p == v->s || p[-1] == ',') && (!p[n] || p[n] == ','))
			return true;
	return false;
}

static void
add_fact(struct access *x, const struct source *s, const struct rec *e, uint32_t j)
{
	const struct str *loc = &s->t.str.v[e->loc];
	struct access_fact f = {.kind = x->kind[e->type].fact,
				.time = e->time,
				.owner = strtab_id(&x->names, loc->s, loc->len),
				.file = NOBODY,
				.job = NOBODY};
	struct val v;
	int64_t n;

	if (f.kind <= FACT_UNLINK && said_text(x, SAID_FILE, j, &v))
		f.file = file_of(x, v.s, v.len);
	f.has_desc = said_number(x, SAID_DESC, j, &f.desc);
	if (said_text(x, SAID_FLAGS, j, &v))
		f.creates =
		    has_word(&v, "CREATE") ||
		    (has_word(&v, "TRUNC") && said_number(x, SAID_SIZE, j, &n) && !n);
	f.gone = said_number(x, SAID_LINKS, j, &n) && n == 0;
	if (!strncmp(loc->s, "app:", 4))
		f.job = strtab_id(&x->names, loc->s + 4, loc->len - 4);
	else if (said_text(x, SAID_JOB, j, &v))
		f.job = strtab_id(&x->names, v.s, v.len);
	if (said_text(x, SAID_CLIENTS, j, &v)) {
		f.clients = v.s;
		f.nclients = v.len;
	}
	if (x->opens)
		opens_fact(x, &f);
	if (x->jobs)
		jobs_fact(x, &f);
	if (x->q.sections & BIT(DARSHAN) && f.kind == FACT_OPEN && f.file != NOBODY)
		darshan_open(x, f.file, flow_of(x, f.file, f.owner));
}

static void
access_batch(void *access, struct source *s, const struct batch *b, const uint32_t *pick,
	     uint32_t n)
{
	struct access *x = access;
	uint64_t unit = source_addr_bytes(s, b);
	uint32_t fact[BATCH], request[BATCH], id[BATCH], nfacts = 0, nrequests = 0, type;

	CACHE(x->kind, x->kind_cache, s, s->t.ntypes);
	while (cache_next(&x->kind_cache, s->t.ntypes, &type))
		x->kind[type] = look_at(x, s, &s->t.type[type]);
	x->clock = s->head.clock;
	x->advice = source_requests(s) ? source_requests(s) : x->advice;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);

		if (!x->any || access_before(x, r->time, x->least))
			x->least = r->time;
		if (!x->any || access_before(x, x->greatest, r->time))
			x->greatest = r->time;
		x->any = true;
		if (x->kind[r->type].fact)
			fact[nfacts++] = at;
		else if (is_request(x, r, unit))
			request[nrequests++] = at;
	}
	if (nfacts && !exprs_run(x->facts, s, b, fact, nfacts))
		return;
	id[0] = UINT32_MAX;
	x->ids.st[0].numbers = id;
	if (nrequests)
		result_add(&x->ids, s, b, request, nrequests);
	x->ids.st[0].numbers = NULL;
	if (nrequests &&
	    id[0] == UINT32_MAX) /* a key does not apply to this input; reported already */
		return;
	add_groups(x);
	/* Take facts and requests in order of time. */
	for (uint32_t i = 0, k = 0; i < nfacts || k < nrequests;)
		if (k == nrequests || (i < nfacts && fact[i] < request[k])) {
			add_fact(x, s, batch_rec(b, fact[i]), i);
			i++;
		} else {
			add_request(x, batch_rec(b, request[k]), x->flow_of[id[k]], unit);
			k++;
		}
	arena_free(&x->mem);
}

bool
access_in_order(const struct access *x)
{
	return result_in_order(&x->ids);
}

int
access_read(struct access *x, struct read_options *read, char *const *paths, size_t n,
	    struct expr *e)
{
	static const struct work_kind kind = {
	    .size = sizeof *x, .add = access_batch, .done = result_done};

	read->need = result_need(&x->ids) | expr_need(e) | exprs_need(x->facts) |
		     NEED_ORDER | NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE | NEED_DUR;
	return work_read(&kind, x, read, paths, n, false, e, NULL);
}

int
access_finish(struct access *x)
{
	int status = result_check(&x->ids);
	uint64_t back = x->blocks ? x->blocks->back : 0;

	if (x->q.sections & OF_PATTERNS)
		patterns_finish(x);
	if (x->q.sections & OF_SHARING)
		sharing_finish(x);
	if (x->q.sections & OF_BLOCKS)
		blocks_finish(x);
	if (x->q.sections & OF_OPENS)
		opens_finish(x);
	if (x->q.sections & OF_JOBS)
		jobs_finish(x);
	if (x->q.sections & OF_SEEK)
		seek_finish(x);
	if (x->any && !x->requests && !x->without && !x->beyond)
		warn("no event is a read or a write with an addr and a size");
	if (x->advice && !x->requests)
		warn("%s", x->advice);
	if (x->without)
		warn("%llu request%s no addr, no size or no file: left out",
		     (unsigned long long)x->without, x->without == 1 ? " has" : "s have");
	if (x->beyond)
		warn(
		    "%llu request%s left out: too many blocks, or an end at 2^64 or beyond",
		    (unsigned long long)x->beyond, x->beyond == 1 ? " is" : "s are");
	if (back)
		warn("times go back: %llu time%s between references to a block left out",
		     (unsigned long long)back, back == 1 ? "" : "s");
	return x->beyond || back ? ST_TROUBLE : status;
}

void
access_free(struct access *x)
{
	blocks_free(x);
	darshan_free(x);
	opens_free(x);
	jobs_free(x);
	seek_free(x);
	for (uint32_t i = 0; i < x->nflows; i++)
		free(x->flow[i].touched.v);
	free(x->flow);
	free(x->flow_of);
	strtab_free(&x->flows);
	free(x->file);
	free(x->kind);
	free(x->keys);
	free(x->said);
	strtab_free(&x->files);
	strtab_free(&x->names);
	arena_free(&x->mem);
	exprs_free(x->facts);
	result_free(&x->ids);
}

struct placed_file {
	const char *name;
	uint64_t requests; /* for the busiest first; else 0 */
	uint32_t file;
};

static int
cmp_by_requests(const void *x, const void *y)
{
	const struct placed_file *a = x, *b = y;

	if (a->requests != b->requests)
		return a->requests > b->requests ? -1 : 1;
	return natural_order(a->name, b->name);
}

uint32_t *
access_file_order(const struct access *x, bool busiest)
{
	struct placed_file *v = xcalloc(x->nfiles + 1, sizeof *v);
	uint32_t *order = xcalloc(x->nfiles + 1, sizeof *order);

	for (uint32_t i = 0; i < x->nfiles; i++)
		v[i] = (struct placed_file){x->files.v[i].s,
					    busiest ? x->file[i].requests : 0, i};
	qsort(v, x->nfiles, sizeof *v, cmp_by_requests);
	for (uint32_t i = 0; i < x->nfiles; i++)
		order[i] = v[i].file;
	free(v);
	return order;
}
