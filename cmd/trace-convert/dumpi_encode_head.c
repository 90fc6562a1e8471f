/* dumpi_encode_head.c - takes what the metadata of a stream has for the files to be written.
 *
 * Keys are the keys of fmt_dumpi.c: SECTION.NAME, after a rank and a point if the trace has several ranks,
 * which follow a job and a slash. Keys without a rank are for all ranks. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "trace-convert/dumpi_encode.h"

/* A pair of metadata, about a rank, about all ranks (rank ALL), or about a job (section "meta"). */
struct meta_pair {
	int64_t job, rank;
	size_t at; /* index in the head */
	const char *key, *value;
};

#define ALL INT64_MIN

/* Reads the number at *p, or - for -1, and moves *p after it. Returns false if there is none. */
static bool
take_number(const char **p, int64_t *v)
{
	const char *q = *p;

	if (*q == '-') {
		*v = -1;
		*p = q + 1;
		return true;
	}
	for (*v = 0; isdigit((unsigned char)*q) && *v < DUMPI_RANKS_OUT; q++)
		*v = *v * 10 + (*q - '0');
	if (q == *p || *v >= DUMPI_RANKS_OUT)
		return false;
	*p = q;
	return true;
}

/* Returns the pair with the job and the rank of its key. */
static struct meta_pair
fact_of(const struct pair *pair, bool jobs)
{
	struct meta_pair f = {-1, ALL, 0, pair->key, pair->value};
	const char *p = pair->key;
	int64_t n;

	if (!take_number(&p, &n))
		return f;
	if (*p == '/' && jobs) {
		f.job = n;
		p++;
		if (!take_number(&p, &n))
			return f;
	} else if (jobs && *p == '.' && !strncmp(p + 1, "meta.", 5)) {
		f.job = n;
		n = ALL;
	}
	if (*p == '.' && f.job < DUMPI_JOBS_OUT) {
		f.rank = n;
		f.key = p + 1;
	}
	return f;
}

static int
by_rank(const void *a, const void *b)
{
	const struct meta_pair *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

/* Pairs about one rank. */
struct facts {
	const struct meta_pair *v;
	size_t n;
};

/* Returns the rest of a key of that section, or NULL if the key is in another section. */
static const char *
key_in(const struct meta_pair *f, const char *section)
{
	size_t n = strlen(section);

	return !strncmp(f->key, section, n) && f->key[n] == '.' ? f->key + n + 1 : NULL;
}

static const char *
header_value(struct facts all, const char *name)
{
	const char *value = NULL, *key;

	for (size_t i = 0; i < all.n; i++)
		if ((key = key_in(&all.v[i], "header")) && !strcmp(key, name))
			value = all.v[i].value;
	return value;
}

static void
add16(struct buf *b, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	n = n > UINT16_MAX ? UINT16_MAX : n;
	big16(buf_room(b, 2 + n), (uint32_t)n);
	b->n += 2;
	buf_add(b, text ? text : "", n);
}

/* Returns a value as a whole number, 0 if it is not a number. */
static int64_t
parse_rank(const char *s, size_t n)
{
	uint64_t v;
	bool neg;

	return s && encode_whole(s, n, false, &v, &neg) ? (int64_t)v : 0;
}

/* Reads at most `most` numbers separated by `comma` into v. Returns how many. */
static unsigned
numbers(const char *s, char comma, int64_t *v, unsigned most)
{
	unsigned n = 0;

	for (; s && *s && n < most; n++) {
		size_t len = strcspn(s, (char[]){comma, '\0'});

		v[n] = parse_rank(s, len);
		s += len + (s[len] != '\0');
	}
	return n;
}

#define MESH_MOST 64

static void
add_mesh(struct buf *b, const char *text)
{
	int64_t v[MESH_MOST];
	unsigned n = numbers(text, ',', v, MESH_MOST);

	dumpi_add32(b, n);
	for (unsigned i = 0; i < n; i++)
		dumpi_add32(b, (uint32_t)v[i]);
}

static void
take_header(struct meta_facts *t, struct facts all)
{
	struct buf *b = &t->sec.raw[SEC_HEADER];
	const char *version = header_value(all, "version"),
		   *start = header_value(all, "starttime");
	int64_t v[3] = {13, 0, 0};

	for (size_t i = 0; i < all.n; i++)
		if (key_in(&all.v[i], "header"))
			b->n = 1;
	if (!b->n)
		return;
	b->n = 0;
	if (numbers(version, '.', v, 3) != 3 || (v[0] | v[1] | v[2]) >> 8)
		v[0] = 13, v[1] = v[2] = 0;
	for (unsigned i = 0; i < 3; i++)
		buf_byte(b, (char)(uint8_t)v[i]);
	buf_to(b, big64(buf_room(b, 8),
			(uint64_t)parse_rank(start, start ? strlen(start) : 0)));
	add16(b, header_value(all, "hostname"));
	add16(b, header_value(all, "username"));
	add_mesh(b, header_value(all, "meshcrd"));
	if (v[0] || v[1] >= 5)
		add_mesh(b, header_value(all, "meshsize"));
}

/* Takes the number of calls that were not recorded. Recorded calls are counted again. */
static void
take_ignored(struct meta_facts *t, const char *name, const char *value)
{
	struct buf *b = &t->sec.raw[SEC_FOOTER];

	for (unsigned i = 0; i < DUMPI_COUNTED; i++) {
		if (strcmp(dumpi_calls[i].name, name) != 0)
			continue;
		if (!b->n) {
			dumpi_add32(b, 0);
			dumpi_add32(b, 0xf007fee7);
			memset(buf_room(b, 8 * DUMPI_COUNTED), 0, 8 * DUMPI_COUNTED);
			b->n += 8 * DUMPI_COUNTED;
		}
		dumpi_big32(b->p + 8 + 4 * ((size_t)i + DUMPI_COUNTED),
			    (uint32_t)parse_rank(value, strlen(value)));
	}
}

static void
take_size(struct meta_facts *t, const char *name, const char *value)
{
	struct buf *b = &t->sec.raw[SEC_SIZES];
	const struct labels *l = &dumpi_type_named("datatype", 8)->labels;
	int64_t at = parse_rank(name, strlen(name));

	if (!isdigit((unsigned char)*name))
		at = -1;
	for (uint32_t i = 0; i < l->n && at < 0; i++)
		if (!strcmp(l->v[i].name, name))
			at = l->v[i].value;
	if (at < 0 || at > UINT16_MAX)
		return;
	while (b->n < 8 + 4 * (size_t)at)
		dumpi_add32(b, 0);
	dumpi_big32(b->p + 4 + 4 * at, (uint32_t)parse_rank(value, strlen(value)));
	dumpi_big32(b->p, (uint32_t)(b->n / 4 - 1));
}

/* Counts another element of a section that begins with its number of elements. Returns the section. */
static struct buf *
one_more(struct meta_facts *t, enum dumpi_section k)
{
	struct buf *b = &t->sec.raw[k];

	if (!b->n)
		dumpi_add32(b, 0);
	dumpi_big32(b->p, be32(b->p) + 1);
	return b;
}

static void
take_fact(struct meta_facts *t, const struct meta_pair *f)
{
	const char *name;
	char *copy, *at;
	struct buf *b;
	int64_t v[2];

	if ((name = key_in(f, "ignored"))) {
		take_ignored(t, name, f->value);
	} else if ((name = key_in(f, "keyval"))) {
		b = one_more(t, SEC_KEYVAL);
		/* Metadata cannot hold equals signs: they are escaped. */
		copy = at = xstrdup(name);
		while ((at = strstr(at, "\\x3d"))) {
			*at++ = '=';
			memmove(at, at + 3, strlen(at + 3) + 1);
		}
		add16(b, copy);
		free(copy);
		add16(b, f->value);
	} else if ((name = key_in(f, "counter"))) {
		add16(one_more(t, SEC_LABELS), f->value);
	} else if ((name = key_in(f, "datatype"))) {
		take_size(t, name, f->value);
	} else if ((name = key_in(f, "function"))) {
		b = one_more(t, SEC_ADDRESSES);
		buf_to(b, big64(buf_room(b, 8), (uint64_t)parse_rank(name, strlen(name))));
		add16(b, f->value);
	} else if (!strcmp(f->key, "body.bias") && numbers(f->value, ',', v, 2) == 2) {
		t->bias[CPU] = (int32_t)v[CPU];
		t->bias[WALL] = (int32_t)v[WALL];
		t->has_bias = true;
	} else if (!strcmp(f->key, "body.mask")) {
		t->mask = (uint8_t)parse_rank(f->value, strlen(f->value));
		t->has_mask = true;
	}
}

/* Makes the sections of a rank from its metadata. */
static void
take_rank(struct encode *e, struct meta_facts *t, struct facts all)
{
	take_header(t, all);
	for (size_t i = 0; i < all.n; i++)
		take_fact(t, &all.v[i]);
	for (unsigned k = 0; k < SECTIONS; k++) {
		struct buf *b = &t->sec.raw[k];

		if (!b->n || dumpi_section_good((enum dumpi_section)k, b))
			continue;
		buf_free(b);
		warn("%s: the metadata are too long for a DUMPI file: not written",
		     e->s->name);
		e->trouble = true;
	}
}

static bool
is_plain_line(const char *s)
{
	for (; *s; s++)
		if ((uint8_t)*s < ' ')
			return false;
	return true;
}

/* Adds a line to a job's .meta file, and takes its value. */
static void
take_meta(struct out_job *j, const char *key, const char *value)
{
	struct buf *b = &j->meta;
	const char *slash = strrchr(value, '/'), *last = slash ? slash + 1 : value;
	int64_t n;

	/* A reader accepts no more, and no line within a line. */
	if (!*key || *key == '#' || !is_plain_line(key) || !is_plain_line(value) ||
	    b->n + strlen(key) + strlen(value) > 60000 ||
	    (j->numprocs_at && !strcmp(key, "numprocs")))
		return;
	j->told = true;
	if (!strcmp(key, "fileprefix") && *last && *last != '.' &&
	    strlen(last) < sizeof j->prefix)
		strcpy(j->prefix, last);
	buf_add(b, key, strlen(key));
	buf_byte(b, '=');
	if (!strcmp(key, "numprocs")) {
		n = parse_rank(value, strlen(value));
		j->numprocs_at = b->n;
		j->numprocs = n > 0 && n <= DUMPI_RANKS_OUT ? (uint32_t)n : 0;
	} else {
		buf_add(b, value, strlen(value));
	}
	buf_byte(b, '\n');
}

static void
take_group(struct encode *e, const struct meta_pair *f, size_t n)
{
	struct dumpi_out *c = e->state;
	struct out_rank *k;
	struct out_job *j;
	const char *name;
	bool told;

	if (f->rank == ALL) {
		j = dumpi_out_job(c, f->job);
		told = j->told; /* by a previous input */
		for (size_t i = 0; i < n && !told; i++)
			if ((name = key_in(&f[i], "meta")))
				take_meta(j, name, f[i].value);
		if (f->job < 0)
			take_rank(e, c->shared, (struct facts){f, n});
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (key_in(&f[i], "header") == NULL && key_in(&f[i], "body") == NULL)
			continue;
		k = dumpi_out_rank(c, f->job, f->rank);
		if (!k || k->begun || k->fed)
			return;
		k->fed = true;
		take_rank(e, &k->own, (struct facts){f, n});
		return;
	}
}

void
dumpi_out_head(struct encode *e)
{
	const struct head *h = &e->s->head;
	struct dumpi_out *c = e->state;
	const char *clock = head_value(h, "clock");
	struct meta_pair *f = xcalloc(h->nmeta + 1, sizeof *f);
	size_t n, i, z;

	dumpi_table();
	c->foreign = strcmp(h->format, e->fmt->name) != 0;
	c->jobs = h->nlocparts && !strcmp(h->locpart[0], "job");
	c->clock = !clock || c->foreign		  ? CLOCK_IS_WALL
		   : !strncmp(clock, "cpu", 3)	  ? CLOCK_IS_CPU
		   : !strncmp(clock, "record", 6) ? CLOCK_IS_NUMBER
						  : CLOCK_IS_WALL;
	if (!c->shared || c->shared->used) {
		struct meta_facts *t = xcalloc(1, sizeof *t);

		t->next = c->shared;
		c->shared = t;
	} else {
		struct meta_facts *next = c->shared->next;

		dumpi_sections_free(&c->shared->sec);
		*c->shared = (struct meta_facts){.next = next};
	}
	n = c->foreign ? 0 : h->nmeta;
	for (i = 0; i < n; i++) {
		f[i] = fact_of(&h->meta[i], c->jobs);
		f[i].at = i;
	}
	qsort(f, n, sizeof *f, by_rank);
	for (i = 0; i < n; i = z) {
		for (z = i + 1; z < n && f[z].job == f[i].job && f[z].rank == f[i].rank;)
			z++;
		take_group(e, &f[i], z - i);
	}
	free(f);
}
