/* rows_order.c - rows in the order of some of their columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "output/rows.h"

/* A row. Its key is so made that memcmp orders rows; the line follows it. */
struct waiting_row {
	uint8_t *key;
	size_t nkey, nline;
	uint64_t place; /* among all rows */
};

/* Of more rows than these, those that are not wanted are dropped while others come. */
#define SPARE 4096

/* What a cell is, as the first byte of its part of a key. Turned around (down) all are below
 * NOTHING, and so are both ends of a part. */
enum {
	NEGATIVE = 0x10,
	POSITIVE = 0x20,
	TEXT = 0x30,
	NOTHING = 0xff,
};

static size_t
digits(const char *p, const char *end)
{
	const char *at = p;

	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return (size_t)(at - p);
}

/* The number [-] digits [. digits], with any number of them: the more digits before the
 * point, the greater. Nothing is appended where it is none. */
static bool
add_decimal(struct buf *b, const char *p, const char *end)
{
	bool neg = p < end && *p == '-';
	const char *whole = p + neg, *part;
	size_t n = digits(whole, end), nwhole = n, npart = 0, start = b->n;

	part = whole + n;
	if (n && part < end && *part == '.') {
		npart = digits(++part, end);
		n = npart;
	}
	if (!n || part + npart != end)
		return false;
	for (; nwhole && *whole == '0'; nwhole--)
		whole++;
	while (npart && part[npart - 1] == '0')
		npart--;
	neg &= nwhole + npart > 0;
	buf_byte(b, POSITIVE);
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_byte(b, (char)(nwhole >> shift));
	buf_add(b, whole, nwhole);
	buf_add(b, part, npart);
	buf_byte(b, 0);
	if (neg) {
		b->p[start] = NEGATIVE;
		for (size_t i = start + 1; i < b->n; i++)
			b->p[i] = (uint8_t)~b->p[i];
	}
	return true;
}

static void
add_key(struct buf *b, const char *p, size_t n, bool down)
{
	struct num num;
	char text[48];
	size_t start = b->n;

	if (n == 1 && *p == '-') {
		buf_byte(b, (char)NOTHING);
		return;
	}
	if (!add_decimal(b, p, p + n)) {
		/* In hexadecimal, or with an exponent. */
		if (num_parse(p, n, false, &num, NULL)) {
			int k =
			    snprintf(text, sizeof text, "%s%llu.%09u", num.neg ? "-" : "",
				     (unsigned long long)num.whole, (unsigned)num.nano);

			add_decimal(b, text, text + k);
		} else {
			buf_byte(b, TEXT);
			buf_add(b, p, n);
			buf_byte(b, 0);
		}
	}
	for (size_t i = start; down && i < b->n; i++)
		b->p[i] = (uint8_t)~b->p[i];
}

static int
kept_cmp(const void *x, const void *y)
{
	const struct waiting_row *a = x, *b = y;
	int c = memcmp(a->key, b->key, a->nkey < b->nkey ? a->nkey : b->nkey);

	/* No part of a key begins another, so equal bytes are equal keys. */
	return c ? c : a->place < b->place ? -1 : 1;
}

static void
add_kept(struct rows *r, struct waiting_row k, const uint8_t *key, const uint8_t *line)
{
	k.key = arena_get(&r->mem, k.nkey + k.nline);
	memcpy(k.key, key, k.nkey);
	memcpy(k.key + k.nkey, line, k.nline);
	*PUSH(r->kept, r->nkept, r->kept_cap) = k;
}

/* Puts the rows in order, and drops those beyond what is wanted, with their memory. */
static void
trim(struct rows *r)
{
	struct arena old = r->mem;
	size_t n = r->nkept;

	qsort(r->kept, n, sizeof *r->kept, kept_cmp);
	if (!r->most || n <= r->most)
		return;
	r->mem = (struct arena){0};
	r->nkept = 0;
	while (r->nkept < r->most) {
		struct waiting_row k = r->kept[r->nkept];

		add_kept(r, k, k.key, k.key + k.nkey);
	}
	arena_free(&old);
}

void
rows_keep(struct rows *r)
{
	size_t nline = r->line.n;

	for (size_t i = 0; i < r->nby; i++) {
		const char *p = (const char *)r->line.p, *end = p + nline, *tab;

		for (unsigned k = 0;
		     (tab = memchr(p, '\t', (size_t)(end - p))) && k < r->by[i].column; k++)
			p = tab + 1;
		add_key(&r->to, p, (size_t)((tab ? tab : end) - p), r->by[i].down);
	}
	add_kept(
	    r, (struct waiting_row){.nkey = r->to.n, .nline = nline, .place = r->places++},
	    r->to.p, r->line.p);
	r->columns = r->cells;
	r->line.n = r->to.n = 0;
	r->cells = 0;
	if (r->most && r->nkept >= SPARE && r->nkept / 2 >= r->most)
		trim(r);
}

void
rows_flush(struct rows *r)
{
	if (r->nkept)
		trim(r);
	for (size_t i = 0; i < r->nkept; i++) {
		r->cells = r->columns;
		buf_add(&r->line, r->kept[i].key + r->kept[i].nkey, r->kept[i].nline);
		rows_write(r);
	}
	free(r->kept);
	arena_free(&r->mem);
	r->kept = NULL;
	r->nkept = r->kept_cap = 0;
}
