/*
 * json.c - records that are objects of JSON (RFC 8259): their members as cells, by dotted names.
 *
 * A record is read in one pass, which checks all of it; objects are entered only where a name leads into them, and never
 * by recursion. json_record is the definition; fast.h's way takes lines that have the members of the line before.
 */
#include <string.h>

#include "base/json.h"
#include "base/masks.h"
#include "base/num.h"
#include "delimited/json.h"

#define DEEPEST 1024	  /* brackets in a value that is not entered */
#define LEVELS 16	  /* objects that are entered, one in another */
#define NAME_LONGEST 1023 /* bytes of a name that leads to a value */
/* Bound: columns | members of a JSON object | that become cells or arguments | 1023 | more than 1023 members */
#define MEMBERS 1023

const char *const json_cut = "it ends before the object does";

static const uint8_t *
blank(const uint8_t *p, const uint8_t *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* The code point of the four hex digits at p; 65536: they are none. */
static unsigned
hex4(const uint8_t *p)
{
	unsigned v = 0;

	for (int i = 0; i < 4; i++) {
		if (hex_digit(p[i]) > 15)
			return 0x10000;
		v = v << 4 | hex_digit(p[i]);
	}
	return v;
}

/* Returns the bytes of the character at p, which begins with one of 0x80 or more, or 0 if it is not UTF-8. */
static unsigned
utf8(const uint8_t *p)
{
	unsigned n = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2, c = *p & (0x7fu >> n);

	if (*p < 0xc2 || *p > 0xf4)
		return 0;
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	return (n == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) ||
		       (n == 4 && (c < 0x10000 || c > 0x10ffff))
		   ? 0
		   : n;
}

/* Returns the place behind the string whose text begins at p; *plain stays true if it has no escapes. NULL, and *why: it
 * is none. */
static const uint8_t *
string_end(const uint8_t *p, const uint8_t *end, bool *plain, const char **why)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;

	for (;;) {
		uint64_t x = le64(p), quote = x ^ '"' * ones, escape = x ^ '\\' * ones, odd;
		unsigned n = 0;

		/* Bytes below 0x20, above 0x7f, quotes and backslashes: the lowest bit that is set is right. */
		odd = (((quote - ones) & ~quote) | ((escape - ones) & ~escape) |
		       ((x - 0x20 * ones) & ~x) | x) &
		      high;
		p += odd ? low_bit(odd) / 8 : 8;
		*why = json_cut;
		if (p >= end)
			return NULL;
		if (!odd)
			continue;
		if (*p == '"')
			return p + 1;
		if (*p >= 0x80) {
			*why = "a byte that is not UTF-8";
			n = utf8(p);
		} else if (*p == '\\') {
			*plain = false;
			*why = "no such escape";
			n = p[1] == 'u' ? 6 * (hex4(p + 2) < 0x10000)
			    : p[1] && strchr("\"\\/bfnrt", p[1]) ? 2
								 : 0;
		} else
			*why = "a control byte in a string";
		if (!n) {
			*why = end - p < 6 ? json_cut : *why;
			return NULL;
		}
		p += n;
	}
}

/* Writes the text of a string without its escapes; half a surrogate pair becomes U+FFFD. Returns the place behind. */
static uint8_t *
unescaped(uint8_t *to, struct span text)
{
	static const char from[] = "bfnrt", means[] = "\b\f\n\r\t";
	const uint8_t *p = text.p, *end = p + text.n;

	while (p < end) {
		unsigned c, low, n;
		const char *e;

		if (*p != '\\') {
			*to++ = *p++;
			continue;
		}
		e = strchr(from, p[1]);
		if (p[1] != 'u') {
			*to++ = e ? (uint8_t)means[e - from] : p[1];
			p += 2;
			continue;
		}
		c = hex4(p + 2);
		p += 6;
		if (c >= 0xd800 && c < 0xe000) {
			low = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2) : 0;
			if (c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				p += 6;
			} else
				c = 0xfffd;
		}
		n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		*to++ = (uint8_t)(n == 1 ? c : (0xf00u >> n & 0xff) | c >> 6 * (n - 1));
		while (--n)
			*to++ = (uint8_t)(0x80 | (c >> 6 * (n - 1) & 0x3f));
	}
	return to;
}

/* Passes a name and its colon. Returns the place of the value, and the name between its quotes in *name. */
static const uint8_t *
name_end(const uint8_t *p, const uint8_t *end, struct span *name, bool *plain,
	 const char **why)
{
	p = blank(p, end);
	*why = p == end ? json_cut : "a name in quotes is expected";
	if (p == end || *p != '"')
		return NULL;
	name->p = ++p;
	p = string_end(p, end, plain, why);
	if (!p)
		return NULL;
	name->n = (size_t)(p - 1 - name->p);
	p = blank(p, end);
	*why = p == end ? json_cut : "a colon is expected behind a name";
	return p < end && *p == ':' ? blank(p + 1, end) : NULL;
}

/* Passes a number, true, false or null. */
static const uint8_t *
scalar_end(const uint8_t *p, const uint8_t *end, const char **why)
{
	static const char *const words[] = {"true", "false", "null"};
	size_t n = json_number((const char *)p, (size_t)(end - p));

	for (int i = 0; i < 3 && !n; i++)
		if ((size_t)(end - p) >= strlen(words[i]) &&
		    !memcmp(p, words[i], strlen(words[i])))
			n = strlen(words[i]);
	if (n)
		return p + n;
	for (*why = "a value is expected"; p < end && strchr("+-.0123456789Ee", *p) && *p;)
		p++;
	*why = end - p < 5 ? json_cut : *why;
	return NULL;
}

/* Returns the place behind the value at p, which is all of it right; *plain as in string_end, of a string. */
static const uint8_t *
value_end(const uint8_t *p, const uint8_t *end, bool *plain, const char **why)
{
	uint64_t array[DEEPEST / 64]; /* which of the open brackets are: bits */
	unsigned depth = 0;
	struct span name;
	bool any;

	for (;;) {
		uint8_t c;

		p = blank(p, end);
		*why = json_cut;
		if (p == end)
			return NULL;
		c = *p;
		if (c == '{' || c == '[') {
			*why = "brackets are nested deeper than 1024";
			if (depth == DEEPEST)
				return NULL;
			p = blank(p + 1, end);
			/* A bracket of an array is [ and ]: two apart, as { and } are. */
			if (p == end || *p != c + 2) {
				uint64_t bit = 1ull << depth % 64;

				array[depth / 64] =
				    (depth % 64 ? array[depth / 64] & (bit - 1) : 0) |
				    (c == '[' ? bit : 0);
				depth++;
				if (c == '{' && !(p = name_end(p, end, &name, &any, why)))
					return NULL;
				continue;
			}
			p++;
		} else
			p = c == '"' ? string_end(p + 1, end, depth ? &any : plain, why)
				     : scalar_end(p, end, why);
		for (; p && depth; p++) {
			bool list = array[(depth - 1) / 64] >> (depth - 1) % 64 & 1;

			p = blank(p, end);
			*why = p == end ? json_cut : "a comma or a bracket is expected";
			if (p < end && *p == ',') {
				p++;
				if (!list)
					p = name_end(p, end, &name, &any, why);
				break;
			}
			if (p == end || *p != (list ? ']' : '}'))
				return NULL;
			depth--;
		}
		if (!p || !depth)
			return p;
	}
}

/* Returns true if the name n begins with the path, and goes on behind a point. */
static bool
leads(struct word n, const uint8_t *path, size_t len)
{
	return n.n > len && n.p[len] == '.' && !memcmp(n.p, path, len);
}

/* What a name means: its cell, from 0, or -1; whether it is another member that is an argument; whether names lead on
 * from it. */
struct meaning {
	int cell;
	bool other, enter;
};

static struct meaning
meaning(const struct delimited_layout *l, const uint8_t *path, size_t len)
{
	struct word all = l->members;
	bool in =
	    !all.n || (len > all.n && path[all.n] == '.' && !memcmp(path, all.p, all.n));
	struct meaning m = {-1, false, false};

	for (unsigned i = 0; i < l->nnames; i++) {
		if (l->names[i].n == len && !memcmp(l->names[i].p, path, len))
			m.cell = (int)i;
		m.enter |= leads(l->names[i], path, len);
	}
	m.other = l->others && in && m.cell < 0;
	m.enter |= m.other ||
		   (l->others && (leads(all, path, len) ||
				  (all.n && len == all.n && !memcmp(path, all.p, len))));
	return m;
}

/* The name was met before in the same object: what it said then does not count. */
static void
forget(struct delimited *c, uint32_t parent, struct span name)
{
	struct delimited_json *j = c->json;

	for (uint32_t i = 0; i < j->n; i++) {
		struct json_member *m = &j->m[i];

		if (m->parent != parent || m->name.n != name.n ||
		    memcmp(m->name.p, name.p, name.n) != 0 || m->dead)
			continue;
		j->twice = name;
		for (uint32_t k = i; k < m->behind; k++) {
			j->m[k].dead = true;
			if (j->m[k].cell >= 0)
				c->cell[j->m[k].cell].raw.p = NULL;
		}
	}
}

/* Text between quotes without its escapes, in c->unquoted, where there is room. */
static struct span
decoded(struct delimited *c, struct span text, bool plain)
{
	uint8_t *to = c->unquoted.p + c->unquoted.n;

	if (plain)
		return text;
	buf_to(&c->unquoted, unescaped(to, text));
	return (struct span){to, (size_t)(c->unquoted.p + c->unquoted.n - to)};
}

/* Returns an array of texts, numbers and words as they are with commas between, in c->unquoted. An array that this does not
 * tell exactly stays as it is. */
static struct span
list(struct delimited *c, struct span array)
{
	const uint8_t *p = blank(array.p + 1, array.p + array.n), *end = array.p + array.n,
		      *q;
	uint8_t *begin = c->unquoted.p + c->unquoted.n, *to = begin, *at;
	const char *why;
	bool plain;

	for (; *p != ']'; *to++ = ',') {
		bool text = *p == '"';

		if (strchr("{[n", *p))
			return array;
		q = text ? string_end(p + 1, end, &plain, &why) : scalar_end(p, end, &why);
		at = to;
		to = unescaped(to, (struct span){p + text, (size_t)(q - p) - 2 * text});
		if (to == at || memchr(at, ',', (size_t)(to - at)))
			return array;
		p = blank(q, end);
		p = *p == ',' ? blank(p + 1, end) : p;
	}
	to -= to > begin;
	buf_to(&c->unquoted, to);
	return (struct span){begin, (size_t)(to - begin)};
}

/* Takes a member whose name is known; its value begins at p. Returns the place behind it, or of the first name in it where
 * it is an object that is entered: *entered. */
static const uint8_t *
member(struct delimited *c, const uint8_t *p, const uint8_t *end, struct meaning is,
       struct json_member *m, bool *entered, const char **why)
{
	const uint8_t *value = p;
	bool plain = true;

	*entered = p < end && *p == '{' && is.enter;
	if (!*entered || is.cell >= 0) {
		p = value_end(p, end, &plain, why);
		if (!p)
			return NULL;
		m->value = (struct span){value, (size_t)(p - value)};
		if (*value == '"') {
			m->value = (struct span){value + 1, m->value.n - 2};
			m->value = decoded(c, m->value, plain);
		} else if (*value == '[') {
			m->value = list(c, m->value);
			m->none = !m->value.n;
		}
	}
	if (is.cell >= 0 && *value != 'n')
		c->cell[is.cell] = (struct delimited_cell){
		    m->value, *value == '"'
				  ? (struct span){value + 1, (size_t)(p - value) - 2}
				  : m->value};
	m->cell = is.cell;
	m->arg = is.other && !*entered && *value != 'n';
	return *entered ? value + 1 : p;
}

const char *
json_record(struct delimited *c, const uint8_t **at, const uint8_t *end)
{
	struct delimited_json *j = c->json;
	uint32_t in[LEVELS + 1] = {JSON_TOP}; /* the members that are entered */
	size_t path[LEVELS + 1] = {0}; /* and the bytes that lead to what is in them */
	const uint8_t *p = *at;
	unsigned depth = 0;
	const char *why;
	bool empty = true;

	memset(c->cell, 0, c->l->nnames * sizeof *c->cell);
	c->n = c->l->nnames;
	c->unquoted.n = j->n = 0;
	j->twice.p = NULL;
	if (p == end || *p != '{')
		return "it is no JSON object";
	buf_room(&c->unquoted, (size_t)(end - p));
	buf_room(&j->path, (LEVELS + 1) * (NAME_LONGEST + 1));
	for (p++;;) {
		struct json_member m = {.parent = in[depth]};
		bool plain = true, entered = false;
		struct meaning is = {-1, false, false};
		const uint8_t *name;
		size_t n;

		p = blank(p, end);
		if (empty && p < end && *p == '}')
			goto behind;
		p = name_end(p, end, &m.name, &plain, &why);
		if (!p)
			return why;
		m.name = decoded(c, m.name, plain);
		name = m.name.p;
		n = m.name.n;
		if (n <= NAME_LONGEST && path[depth] + n < (LEVELS + 1) * NAME_LONGEST) {
			if (depth) {
				memcpy(j->path.p + path[depth], name, n);
				name = j->path.p;
				n += path[depth];
			}
			is = meaning(c->l, name, n);
		} else if (c->l->others)
			return "a name is longer than 1023 bytes";
		is.enter &= depth < LEVELS;
		if (is.cell >= 0 || is.other || is.enter)
			forget(c, m.parent, m.name);
		p = member(c, p, end, is, &m, &entered, &why);
		empty = entered;
		if (!p)
			return why;
		if (is.cell >= 0 || is.other || entered) {
			if (j->n == MEMBERS)
				return "more than 1023 members";
			GROW(j->m, j->cap, j->n + 1u);
			m.behind = j->n + 1;
			j->m[j->n++] = m;
		}
		if (entered) {
			if (!depth)
				memcpy(j->path.p, name, n);
			j->path.p[n] = '.';
			path[++depth] = n + 1;
			in[depth] = j->n - 1;
			continue;
		}
	next:
		p = blank(p, end);
		if (p < end && *p == ',') {
			p++;
			continue;
		}
		if (p == end || *p != '}')
			return p == end ? json_cut : "a comma or a bracket is expected";
	behind:
		p++;
		if (!depth)
			break;
		j->m[in[depth--]].behind = j->n;
		goto next;
	}
	*at = p;
	return NULL;
}

const char *
json_line(struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	const char *why;

	if (c->json->read) {
		c->json->read = false;
		return NULL;
	}
	p = blank(p, end);
	why = json_record(c, &p, end);
	return why || blank(p, end) == end ? why : "something follows the object";
}

/* Returns the place of the array of events in the object that is entered at p, behind its bracket or a comma; of its
 * other bracket; or NULL: why. */
static const uint8_t *
outer(const uint8_t *p, const uint8_t *end, const char **why)
{
	struct span name;
	bool plain = true;

	for (;; p++) {
		p = name_end(p, end, &name, &plain, why);
		*why = p == end ? json_cut : *why;
		if (!p || p == end)
			return NULL;
		if (*p == '[' && name.n == 11 && !memcmp(name.p, "traceEvents", 11))
			return p;
		p = value_end(p, end, &plain, why);
		p = p ? blank(p, end) : NULL;
		*why = p == end ? json_cut : *why;
		if (!p || p == end || *p != ',')
			return p == end ? NULL : p;
	}
}

bool
json_is_array(struct source *s)
{
	struct in *in = &s->in;
	const uint8_t *p, *at;
	const char *why;
	size_t n;

	do {
		n = in_left(in);
		p = blank(in->p, in->end);
		why = json_cut;
		if (p < in->end) {
			at = *p == '{' ? outer(p + 1, in->end, &why) : p;
			if (at || why != json_cut)
				return at && *at == '[';
		}
		in_need(in, n < IN_LONGEST / 2 ? 2 * n + 1 : IN_LONGEST);
	} while (in_left(in) > n);
	return false;
}

/* Returns the place, from `p` on, of a line that begins with an object, perhaps behind a bracket or a comma; or `end`, and
 * then *kept is the begin of the last line. */
static const uint8_t *
next_line(const uint8_t *p, const uint8_t *end, const uint8_t **kept)
{
	for (;;) {
		p = memchr(p, '\n', (size_t)(end - p));
		*kept = p ? p : end;
		if (!p)
			return end;
		for (p++; p < end && *p && strchr(" \t\r,[", *p);)
			p++;
		if (p == end || *p == '{')
			return p;
	}
}

enum json_step
json_step(struct source *s, struct json_walk *w, size_t *at, size_t *behind,
	  const char **why)
{
	struct delimited *c = s->state;
	const uint8_t *p = blank(s->in.p + *at, s->in.end), *end = s->in.end, *q = p;
	bool plain = true;

	*at = (size_t)(p - s->in.p);
	if (p == end)
		return STEP_MORE;
	if (w->lost) {
		p = next_line(p, end, &q);
		w->lost = p == end;
		*at = (size_t)((p == end ? q : p) - s->in.p);
		return p == end ? STEP_MORE : STEP_ON;
	}
	if (*p == '{' && w->in != JSON_OUTER) {
		q = w->in == JSON_FILE ? outer(p + 1, end, why) : NULL;
		if (!q || *q != '[') {
			q = p;
			*why = json_record(c, &q, end);
			*behind = (size_t)(q - s->in.p);
			return !*why		  ? STEP_RECORD
			       : *why == json_cut ? STEP_MORE
						  : STEP_BAD;
		}
		w->outer = true;
		w->in = JSON_ARRAY;
	} else if (*p == '[' && w->in != JSON_OUTER) {
		w->outer &= w->in == JSON_ARRAY;
		w->in = JSON_ARRAY;
	} else if (*p == ']' && w->in == JSON_ARRAY)
		w->in = w->outer ? JSON_OUTER : JSON_FILE;
	else if (*p == '}' && w->in == JSON_OUTER)
		w->in = JSON_FILE;
	else if (*p == ',' && w->in == JSON_OUTER) {
		q = outer(p + 1, end, why);
		if (!q)
			return *why == json_cut ? STEP_MORE : STEP_BAD;
		w->in = *q == '[' ? JSON_ARRAY : JSON_OUTER;
		q -= *q == '}';
	} else if (*p != ',' || w->in != JSON_ARRAY) {
		if (value_end(p, end, &plain, why) || *why != json_cut)
			*why = "it is no JSON object";
		return *why == json_cut ? STEP_MORE : STEP_BAD;
	}
	*at = (size_t)(q + 1 - s->in.p);
	return STEP_ON;
}
