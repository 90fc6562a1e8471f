/* extra.c - what the sections of a format count. */
#include <string.h>

#include "stats/extra.h"

/* What must be kept of a column for a cell to be shown. */
static unsigned
acc_of(enum extra_show show)
{
	switch (show) {
	case SHOW_P50:
	case SHOW_P90:
	case SHOW_P99: return ACC_NUM | ACC_HIST;
	case SHOW_DISTINCT: return ACC_SET;
	case SHOW_PAGES: return ACC_PAGES;
	default: return ACC_NUM;
	}
}

/* A group counts its events anyhow. */
static void
add_col(struct spec *p, struct extra_values v, unsigned acc)
{
	if (v.field && (v.when || strcmp(v.field, EXTRA_EVENTS) != 0))
		spec_col(p, v.field, v.when, acc);
}

void
extra_spec(const struct extra *x, struct spec *p, unsigned bits)
{
	*p = (struct spec){.bits = bits, .when = x->when ? xstrdup(x->when) : NULL};
	spec_key(p, x->key, strlen(x->key));
	if (x->each)
		spec_key(p, x->each, strlen(x->each));
	p->files = x->files;
	if (x->files) {
		/* What is kept of parts of files for each other: see files_link. */
		spec_col(p, ".higher", NULL, ACC_NUM);
		spec_col(p, ".interval", NULL, ACC_NUM);
		return;
	}
	for (const struct extra_cell *c = x->cell; c->name; c++) {
		add_col(p, c->of, acc_of(c->show));
		add_col(p, c->over, ACC_NUM);
		if (c->show == SHOW_OF_SPAN)
			spec_col(p, "end", NULL, ACC_NUM);
	}
}

uint64_t
extra_version(void)
{
	uint64_t all = 0;
	size_t n;
	const struct extra *x = extra_table(&n);

	for (size_t i = 0; i < n; i++) {
		struct spec p;

		extra_spec(&x[i], &p, SPEC_BITS);
		all = mix64(all ^ hash64(x[i].format, strlen(x[i].format)));
		if (p.when)
			all = mix64(all ^ hash64(p.when, strlen(p.when)));
		for (size_t k = 0; k < p.nkeys; k++)
			all = mix64(all ^ hash64(p.key[k], strlen(p.key[k])));
		for (size_t c = 0; c < p.ncols; c++) {
			const char *when = p.col[c].when ? p.col[c].when : "";
			/* Pages have the number that they had when reports were new. */
			unsigned acc = p.col[c].acc == ACC_PAGES ? 64 : p.col[c].acc;

			all = mix64(all ^ hash64(p.col[c].name, strlen(p.col[c].name)));
			all = mix64(all ^ hash64(when, strlen(when)) ^ acc);
		}
		spec_free(&p);
	}
	return all;
}

bool
extra_takes(const struct extra *x, const char *format)
{
	size_t n = strlen(format);

	for (const char *s = x->format; *s; s += strcspn(s, " "), s += *s == ' ')
		if (strcspn(s, " ") == n && !memcmp(s, format, n))
			return true;
	return false;
}

unsigned
extra_need(const struct source *s)
{
	size_t n;
	const struct extra *x = extra_table(&n);
	unsigned need = 0;

	for (size_t i = 0; i < n; i++) {
		struct spec spec;

		if (!extra_takes(&x[i], s->head.format))
			continue;
		extra_spec(&x[i], &spec, SPEC_BITS);
		need |= spec_need(&spec);
		spec_free(&spec);
	}
	return need;
}
