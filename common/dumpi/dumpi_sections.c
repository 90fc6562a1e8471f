/*
 * dumpi_sections.c - the sections after the body of a DUMPI file: header, footer, key/value pairs, labels of
 * counters, sizes of datatypes, addresses of functions, and the index of all of them.
 *
 * The index is the last 64 bytes of the file, or 56, 48 or 40 in older files: the magic, then the offsets of
 * sizes, addresses, labels (if the version has them), header, body, footer, keyval. 0 = no such section. New
 * sections are added at its front, so that its end stays the same.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dumpi/dumpi_trace.h"
#include "base/put.h"
#include "input/fault.h"

#define FOOTER_MAGIC 0xf007fee7u
/* Bytes at the end of the file in which the index is searched. */
#define INDEX_REACH 4096
/* Number of words of an index: the smallest of all versions, the one of the known sections, and a limit for
 * sections that later versions may add. */
#define WORDS_LEAST 5
#define WORDS_KNOWN 8
#define WORDS_MOST 64

static const char *const section_name[SECTIONS] = {
    "header",	      "footer",		"key/value pairs",
    "counter labels", "datatype sizes", "function addresses",
};

/* Limit of the length of each section; a longer one is damaged. */
static const uint32_t section_most[SECTIONS] = {
    1 << 19, 8 + DUMPI_COUNTED * 8, 1 << 20, 1 << 18, 4 + 65536 * 4, 1 << 22,
};

const uint8_t *
dumpi_take(struct dumpi_cur *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (c->bad || n > (uint64_t)(c->end - p)) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

uint32_t
dumpi_u32(struct dumpi_cur *c)
{
	const uint8_t *p = dumpi_take(c, 4);

	return p ? be32(p) : 0;
}

uint64_t
dumpi_u64(struct dumpi_cur *c)
{
	const uint8_t *p = dumpi_take(c, 8);

	return p ? be64(p) : 0;
}

struct span
dumpi_str16(struct dumpi_cur *c)
{
	const uint8_t *p = dumpi_take(c, 2);
	size_t n = p ? be16(p) : 0;

	p = dumpi_take(c, n);
	return (struct span){p, p ? n : 0};
}

/* Returns the length of the section k that begins at p, or 0 if the n bytes at p are not a whole section. */
static size_t
section_length(enum dumpi_section k, const uint8_t *p, size_t n)
{
	struct dumpi_cur c = {p, p + n, false};
	const uint8_t *version;
	uint32_t i, count;

	switch (k) {
	case SEC_HEADER:
		version = dumpi_take(&c, 3);
		dumpi_u64(&c);
		dumpi_str16(&c);
		dumpi_str16(&c);
		dumpi_take(&c, 4 * (uint64_t)dumpi_u32(&c));
		/* The size of the mesh exists since 0.5. dumpi2ascii does not expect it if there is no mesh, but
		 * recorders write its count of 0 in any case. */
		if (version && (version[0] || version[1] >= 5))
			dumpi_take(&c, 4 * (uint64_t)dumpi_u32(&c));
		break;
	case SEC_FOOTER:
		if (dumpi_u64(&c) != FOOTER_MAGIC)
			return 0;
		dumpi_take(&c, DUMPI_COUNTED * 8);
		break;
	case SEC_SIZES: dumpi_take(&c, 4 * (uint64_t)dumpi_u32(&c)); break;
	default:
		count = dumpi_u32(&c);
		for (i = 0; i < count && !c.bad; i++) {
			if (k == SEC_ADDRESSES)
				dumpi_u64(&c);
			if (k == SEC_KEYVAL)
				dumpi_str16(&c);
			dumpi_str16(&c);
		}
	}
	return c.bad ? 0 : (size_t)(c.p - p);
}

bool
dumpi_section_good(enum dumpi_section k, const struct buf *raw)
{
	return raw->n <= section_most[k] && section_length(k, raw->p, raw->n) == raw->n;
}

/* Reads up to n bytes at an offset of the trace, into *b if it is a file. Returns their place and number. */
static struct span
fetch(const struct dumpi_file *f, struct buf *b, uint64_t off, size_t n)
{
	size_t got;
	int err; /* bytes that cannot be read are treated as missing */

	if (f->fd < 0) {
		if (off < f->base || off - f->base > f->n)
			return (struct span){NULL, 0};
		off -= f->base;
		return (struct span){f->p + off, n < f->n - off ? n : f->n - (size_t)off};
	}
	if (off >= f->size)
		return (struct span){NULL, 0};
	if (n > f->size - off)
		n = (size_t)(f->size - off);
	b->n = 0;
	buf_room(b, n);
	got = in_at(f->fd, b->p, n, f->base + off, &err);
	return (struct span){b->p, got};
}

/* Reads the section at an offset, in ever larger parts until it is whole. Returns false if there is none. */
static bool
section_read(struct dumpi_sections *c, const struct dumpi_file *f, struct buf *b,
	     enum dumpi_section k, uint64_t off)
{
	size_t want = 4096, len;
	struct span s;

	for (;;) {
		s = fetch(f, b, off, want);
		len = s.n ? section_length(k, s.p, s.n) : 0;
		if (len || s.n < want || want >= section_most[k])
			break;
		want = want * 8 < section_most[k] ? want * 8 : section_most[k];
	}
	if (!len)
		return false;
	c->raw[k].n = 0;
	buf_add(&c->raw[k], s.p, len);
	if (k == SEC_HEADER)
		memcpy(c->version, s.p, 3);
	return true;
}

/* Takes the offsets from an index of so many words at p. Only n bytes of it may be present. */
static void
index_take(struct dumpi_sections *c, const uint8_t *p, size_t n, unsigned words)
{
	uint64_t word[WORDS_MOST] = {0};

	for (unsigned i = 0; i < words && 8 * (size_t)i + 8 <= n; i++)
		word[i] = be64(p + 8 * (size_t)i);
	c->words = words;
	c->off[SEC_HEADER] = word[words - 4];
	c->body = word[words - 3];
	c->off[SEC_FOOTER] = word[words - 2];
	c->off[SEC_KEYVAL] = word[words - 1];
	c->off[SEC_LABELS] = words > 5 ? word[words - 5] : 0;
	c->off[SEC_ADDRESSES] = words > 6 ? word[words - 6] : 0;
	c->off[SEC_SIZES] = words > 7 ? word[words - 7] : 0;
}

/* Finds the index: the magic near the end, together with the body's offset at its place. *odd is the number of
 * bytes that follow the index, or negative, the number that are missing from it; normally 0. If none is found,
 * takes the magic alone in one of the four usual places. Returns false if there is none either. */
static bool
index_find(struct dumpi_sections *c, const struct dumpi_file *f, struct buf *b,
	   int64_t *odd)
{
	uint64_t reach = f->size < INDEX_REACH ? f->size : INDEX_REACH;
	struct span s;
	size_t last, least;

	if (f->fd < 0 && reach > f->n)
		reach = f->n;
	s = fetch(f, b, f->size - reach, (size_t)reach);
	last = s.n < 32 ? 0 : s.n - 32;
	least = reach == f->size ? DUMPI_RECORDS : 0;
	for (size_t at = last; at > least; at--) {
		if (memcmp(s.p + at, DUMPI_MAGIC, 8) != 0)
			continue;
		/* Only the body can have this offset, so it confirms the index. */
		for (unsigned words = WORDS_LEAST; words <= WORDS_MOST; words++) {
			index_take(c, s.p + at, s.n - at, words);
			*odd = (int64_t)(s.n - at) - 8 * (int64_t)words;
			if (c->body == DUMPI_BODY)
				return true;
		}
	}
	*odd = 0;
	for (unsigned words = WORDS_KNOWN; words >= WORDS_LEAST; words--) {
		if (s.n >= 8 * words + least &&
		    !memcmp(s.p + s.n - 8 * words, DUMPI_MAGIC, 8)) {
			index_take(c, s.p + s.n - 8 * words, 8 * words, words);
			return true;
		}
	}
	memset(c->off, 0, sizeof c->off);
	c->words = 0;
	c->body = 0;
	return false;
}

/* Returns true if the section k, which was read at its offset in the index, is plausible together with the
 * sections read before: the header comes before the footer, all others after both, and no two overlap. */
static bool
section_fits(const struct dumpi_sections *c, enum dumpi_section k)
{
	uint64_t at = c->off[k], end = at + c->raw[k].n;

	if (k == SEC_HEADER && c->raw[SEC_FOOTER].n && end > c->off[SEC_FOOTER])
		return false;
	if (k > SEC_FOOTER && (at < c->off[SEC_FOOTER] || at < c->off[SEC_HEADER]))
		return false;
	for (unsigned i = 0; i < SECTIONS; i++)
		if (i != k && c->raw[i].n && at < c->off[i] + c->raw[i].n &&
		    c->off[i] < end)
			return false;
	return true;
}

void
dumpi_sections_load(struct dumpi_sections *c, const struct dumpi_file *f, struct source *s)
{
	struct buf b = {0};
	int64_t odd;

	c->loaded = true;
	if (!index_find(c, f, &b, &odd)) {
		fault(s, "dumpi-index", COST_STATUS, s->name, f->size,
		      "there is no index at the end: the run died, or the file was cut");
		buf_free(&b);
		return;
	}
	if (c->words > WORDS_KNOWN) {
		unsigned more = c->words - WORDS_KNOWN;

		fault(s, "dumpi-index", COST_NONE, s->name, f->size,
		      "the index names %u section%s that %s unknown", more,
		      more == 1 ? "" : "s", more == 1 ? "is" : "are");
	}
	if (odd)
		fault(s, "dumpi-index", COST_STATUS, s->name, f->size,
		      odd > 0 ? "%lld bytes follow the index"
			      : "the last %lld bytes of the index are missing",
		      (long long)(odd > 0 ? odd : -odd));
	if (c->body != DUMPI_BODY)
		fault(s, "dumpi-index-order", COST_STATUS, s->name, f->size,
		      "the index says that the body begins at offset %llu; it begins "
		      "at %d",
		      (unsigned long long)c->body, DUMPI_BODY);
	for (unsigned i = 0; i < SECTIONS; i++) {
		/* Read the footer first: its magic number makes it the most reliable. */
		unsigned k = i <= SEC_FOOTER ? SEC_FOOTER - i : i;

		if (!c->off[k]) {
			if (k == SEC_HEADER || k == SEC_FOOTER)
				fault(s, "dumpi-index-order", COST_STATUS, s->name, f->size,
				      "the index names no %s", section_name[k]);
			continue;
		}
		if (!section_read(c, f, &b, (enum dumpi_section)k, c->off[k]) ||
		    !section_fits(c, (enum dumpi_section)k)) {
			buf_free(&c->raw[k]);
			c->broken = true;
			fault(s,
			      c->off[k] >= f->size ? "dumpi-index-order"
			      : k == SEC_FOOTER	   ? "dumpi-footer-magic"
						   : "dumpi-sections",
			      COST_STATUS, s->name, c->off[k],
			      "no %s at the place in the index", section_name[k]);
		}
	}
	buf_free(&b);
}

void
dumpi_sections_follow(struct dumpi_sections *c, const struct dumpi_file *f, uint64_t at)
{
	struct buf b = {0};

	for (enum dumpi_section k = SEC_HEADER; k < SECTIONS; k++) {
		struct span s = fetch(f, &b, at, 8);

		/* The index may come after any of the sections. */
		if (s.n < 4 || (s.n == 8 && !memcmp(s.p, DUMPI_MAGIC, 8)))
			break;
		if (!c->raw[k].n && !section_read(c, f, &b, k, at))
			break;
		at += c->raw[k].n;
	}
	buf_free(&b);
}

uint64_t
dumpi_sections_limit(const struct dumpi_sections *c)
{
	const struct buf *header = &c->raw[SEC_HEADER];

	/* The header is reliable if it ends at the footer's offset, because the footer has a magic number. */
	if (header->n && c->off[SEC_HEADER] >= DUMPI_RECORDS &&
	    c->off[SEC_HEADER] + header->n == c->off[SEC_FOOTER])
		return c->off[SEC_HEADER];
	return c->raw[SEC_FOOTER].n && c->off[SEC_FOOTER] >= DUMPI_RECORDS
		   ? c->off[SEC_FOOTER]
		   : UINT64_MAX;
}

void
dumpi_sections_free(struct dumpi_sections *c)
{
	for (unsigned k = 0; k < SECTIONS; k++)
		buf_free(&c->raw[k]);
}

bool
dumpi_label(const struct dumpi_sections *c, uint32_t i, struct span *name)
{
	struct dumpi_cur cur = dumpi_cursor(&c->raw[SEC_LABELS]);

	if (i >= dumpi_u32(&cur))
		return false;
	for (uint32_t k = 0; k <= i; k++)
		*name = dumpi_str16(&cur);
	return !cur.bad;
}

struct each {
	dumpi_pair *each;
	void *arg;
};

static void
give_pair(const struct each *e, const char *section, const char *key, const void *value,
	  size_t n)
{
	e->each(e->arg, section, key, strlen(key), value, n);
}

static void
give_number(const struct each *e, const char *section, const char *key, int64_t v)
{
	uint8_t text[24 + PUT_SLACK];

	give_pair(e, section, key, text, (size_t)(put_i64(text, v) - text));
}

/* Adds a pair whose value is the next counted numbers with commas between, such as coordinates. */
static void
give_numbers(const struct each *e, const char *key, struct dumpi_cur *c)
{
	uint32_t n = dumpi_u32(c);
	struct buf b = {0};

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		if (i)
			buf_byte(&b, ',');
		buf_to(&b, put_i32(buf_room(&b, 24 + PUT_SLACK), (int32_t)dumpi_u32(c)));
	}
	give_pair(e, "header", key, b.p, b.n);
	buf_free(&b);
}

static void
each_header(const struct each *e, struct dumpi_cur *c)
{
	const uint8_t *v = dumpi_take(c, 3);
	uint8_t text[24 + PUT_SLACK], *p = text;
	struct span s;

	for (int i = 0; i < 3; i++) {
		if (i)
			*p++ = '.';
		p = put_u32(p, v[i]);
	}
	give_pair(e, "header", "version", text, (size_t)(p - text));
	p = put_u64(text, dumpi_u64(c));
	give_pair(e, "header", "starttime", text, (size_t)(p - text));
	s = dumpi_str16(c);
	give_pair(e, "header", "hostname", s.p, s.n);
	s = dumpi_str16(c);
	give_pair(e, "header", "username", s.p, s.n);
	give_numbers(e, "meshcrd", c);
	if (v[0] || v[1] >= 5)
		give_numbers(e, "meshsize", c);
}

static void
each_footer(const struct each *e, const uint8_t *p)
{
	for (int ignored = 0; ignored < 2; ignored++) {
		const uint8_t *q = p + 8 + (ignored ? 4 * DUMPI_COUNTED : 0);

		for (unsigned i = 0; i < DUMPI_COUNTED; i++)
			if (be32(q + 4 * (size_t)i))
				give_number(e, ignored ? "ignored" : "footer",
					    dumpi_calls[i].name, be32(q + 4 * (size_t)i));
	}
}

static void
each_size(const struct each *e, struct dumpi_cur *c)
{
	const struct labels *l = &dumpi_type_named("datatype", 8)->labels;
	uint32_t n = dumpi_u32(c);

	for (uint32_t i = 0; i < n; i++) {
		const char *name = label_of(l, i);
		char text[24 + PUT_SLACK];

		if (!name) {
			*put_u32((uint8_t *)text, i) = '\0';
			name = text;
		}
		give_number(e, "datatype", name, (int32_t)dumpi_u32(c));
	}
}

void
dumpi_sections_each(const struct dumpi_sections *sec, dumpi_pair *each, void *arg)
{
	struct each e = {each, arg};

	dumpi_table();
	for (unsigned k = 0; k < SECTIONS; k++) {
		const struct buf *raw = &sec->raw[k];
		struct dumpi_cur c = dumpi_cursor(raw);
		uint32_t n;

		if (!raw->n)
			continue;
		switch (k) {
		case SEC_HEADER: each_header(&e, &c); continue;
		case SEC_FOOTER: each_footer(&e, raw->p); continue;
		case SEC_SIZES: each_size(&e, &c); continue;
		}
		n = dumpi_u32(&c);
		for (uint32_t i = 0; i < n; i++) {
			uint8_t text[24 + PUT_SLACK];
			struct span key, value;

			if (k == SEC_ADDRESSES) {
				memcpy(text, "0x", 2);
				key.p = text;
				key.n = (size_t)(put_hex(text + 2, dumpi_u64(&c)) - text);
			} else if (k == SEC_LABELS) {
				key.p = text;
				key.n = (size_t)(put_u32(text, i) - text);
			} else {
				key = dumpi_str16(&c);
			}
			value = dumpi_str16(&c);
			each(arg,
			     k == SEC_ADDRESSES ? "function"
			     : k == SEC_LABELS	? "counter"
						: "keyval",
			     key.p, key.n, value.p, value.n);
		}
	}
}
