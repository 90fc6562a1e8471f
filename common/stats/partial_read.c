/* partial_read.c - reading and merging partials: every line adds to what it names. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/partial.h"
#include "stats/partial_names.h"

#define WORDS 12

/* One line, cut at its TABs; the field also at its blanks. All end with NUL. */
struct reader {
	const char *name;
	uint64_t line;
	char *key, *number;
	char *word[WORDS];
	size_t nwords;
	bool header, trailer;	   /* seen one in this file */
	uint64_t lines, announced; /* of data, in this file */
	struct buf last_key;
	struct stats *last; /* the table of last_key */
	uint32_t group;
};

static _Noreturn void PRINTF(2, 3) refuse(const struct reader *r, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	die("%s:%llu: %s", r->name, (unsigned long long)r->line, text);
}

static uint64_t
number(const struct reader *r, const char *s)
{
	uint64_t v = 0;

	if (!*s)
		refuse(r, "a number is missing");
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || v > (UINT64_MAX - (uint64_t)(*s - '0')) / 10)
			refuse(r, "not a number of 64 bits: %.40s", s);
		v = v * 10 + (uint64_t)(*s - '0');
	}
	return v;
}

static int64_t
signed_number(const struct reader *r, const char *s)
{
	bool neg = *s == '-';
	uint64_t v = number(r, s + neg);

	if (v > (uint64_t)INT64_MAX + neg)
		refuse(r, "not a number of 64 bits: %.40s", s);
	return (int64_t)(neg ? 0 - v : v);
}

static void
words_of(const struct reader *r, const char *s, uint64_t *w, size_t n)
{
	struct wide v;

	if (!wide_parse(s, strlen(s), &v) || !wide_to_words(&v, w, n))
		refuse(r, "not a number of %zu bits: %.40s", 64 * n, s);
}

static const char *
word(const struct reader *r, size_t i)
{
	if (i >= r->nwords)
		refuse(r, "words are missing in the second field");
	return r->word[i];
}

/* The table that a letter names. */
static struct stats *
table(const struct reader *r, struct answer *a, char letter)
{
	if (letter < 'a' || (size_t)(letter - 'a') >= a->ntables)
		refuse(r, "not a line of a partial: no such table");
	return &a->st[letter - 'a'];
}

/* The option NAME=VALUE of a header; unescaped, or NULL. */
static char *
option(const struct reader *r, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < r->nwords; i++) {
		char *s = r->word[i];

		if (!strncmp(s, name, n) && s[n] == '=') {
			s += n + 1;
			s[unescape((uint8_t *)s, s, strlen(s))] = '\0';
			return xstrdup(s);
		}
	}
	return NULL;
}

/* A header: the question of an answer that has none yet, else the same again. */
static void
header(struct reader *r, struct answer *a, bool *opened, const char *field)
{
	struct question q = {.empty = true};
	struct buf mine = {0};
	char *bits, *empty, *own[3];

	if (strncmp(field, PARTIAL_MAGIC " ", sizeof PARTIAL_MAGIC) != 0)
		refuse(r, "not a partial of trace-stats -p, or of another version");
	if (*opened) {
		partial_question(&mine, &a->q);
		buf_add(&mine, "", 1);
		if (strcmp((char *)mine.p, field) != 0)
			refuse(r, "this partial answers another question: %.200s",
			       field + sizeof PARTIAL_MAGIC);
		buf_free(&mine);
		return;
	}
	q.report = r->nwords > 2 && !strcmp(r->word[2], "report");
	q.keys = own[0] = option(r, "keys");
	q.aggs = own[1] = option(r, "aggregates");
	q.window = own[2] = option(r, "window");
	bits = option(r, "accuracy");
	empty = option(r, "empty");
	q.bits = bits ? (unsigned)strtoul(bits, NULL, 10) : 0;
	q.empty = !empty;
	free(bits);
	free(empty);
	if (q.bits < 1 || q.bits > 16)
		refuse(r, "the header is damaged");
	answer_open(a, &q);
	memcpy(a->own, own, sizeof own);
	*opened = true;
	partial_question(&mine, &q);
	buf_add(&mine, "", 1);
	if (strcmp((char *)mine.p, field) != 0)
		refuse(r, "not a partial of this version: %.200s", field);
	buf_free(&mine);
}

/* The group of a key TABLE=[PANE ]TEXT... */
static void
find_group(struct reader *r, struct answer *a)
{
	struct stats *st = table(r, a, r->key[0]);
	size_t n = strlen(r->key), nk = st->spec->nkeys, k = 0;
	uint32_t texts[SPEC_KEYS];
	const char *text[SPEC_KEYS];
	int64_t pane = 0;
	char *p = r->key + 2, *end;

	if (r->last && !r->last->access && r->last_key.n == n &&
	    !memcmp(r->last_key.p, r->key, n))
		return;
	r->last_key.n = 0;
	buf_add(&r->last_key, r->key, n);
	if (st->spec->pane) {
		end = strchr(p, ' ');
		if (end)
			*end = '\0';
		pane = strcmp(p, "*") != 0 ? signed_number(r, p) : NO_PANE;
		p = end ? end + 1 : NULL;
	} else if (!nk) {
		if (*p)
			refuse(r, "a key where there is none to be: %.40s", p);
		p = NULL;
	}
	for (; p; p = end) {
		end = strchr(p, ' ');
		if (end)
			*end++ = '\0';
		if (k == nk)
			refuse(r, "the key has more than %zu parts", nk);
		text[k++] = p;
	}
	if (k != nk)
		refuse(r, "the key has %zu parts of %zu", k, nk);
	r->last = st;
	if (st->access) {
		r->group =
		    files_find(st, text[0], strlen(text[0]), text[1], strlen(text[1]));
		return;
	}
	stats_bound(st);
	for (k = 0; k < nk; k++)
		texts[k] = strtab_id(&st->text, text[k], strlen(text[k]));
	r->group = stats_group(st, texts, stats_pane_floor(st, pane));
}

static unsigned
class_named(const struct reader *r, const char *s)
{
	for (unsigned k = 0; k < CLASSES; k++)
		if (!strcmp(partial_class[k], s))
			return k;
	refuse(r, "no such class of values: %.40s", s);
}

#define ROOM(what, k)   \
	(col->what[k] = \
	     grow(col->what[k], &col->what##_cap[k], st->ngroups, sizeof *col->what[k]))

/* What is kept by class. False where the word is none of it. */
static bool
class_line(const struct reader *r, struct stats *st, size_t c, const char *what)
{
	struct column *col = &st->col[c];
	uint32_t g = r->group;
	unsigned k, bits = spec_bits(st->spec, c), acc = st->spec->col[c].acc;
	struct tally t = {0}, *to;
	uint64_t w[3];

	if (strcmp(what, "n") != 0 && strcmp(what, "sum") != 0 &&
	    strcmp(what, "min") != 0 && strcmp(what, "max") != 0 &&
	    strcmp(what, "squares") != 0 && strcmp(what, "value") != 0 &&
	    strcmp(what, "bucket") != 0)
		return false;
	k = class_named(r, word(r, 2));
	if (k == TEXTS && strlen(what) > 3)
		refuse(r, "texts have no %s", what);
	if (!strcmp(what, "squares") && acc & ACC_SQUARE) {
		struct square *s = ROOM(square, k);
		struct square more;

		words_of(r, r->number, more.w, 3);
		square_merge(&s[g], &more);
	} else if (!strcmp(what, "value") && acc & ACC_HIST) {
		hists_room(&col->hist[k], st->ngroups);
		hists_add_times(&col->hist[k], g, number(r, word(r, 3)),
				number(r, r->number), bits);
	} else if (!strcmp(what, "bucket") && acc & ACC_HIST) {
		uint64_t index = number(r, word(r, 3));

		if (index > hist_index(UINT64_MAX, bits))
			refuse(r, "no such bucket");
		hists_room(&col->hist[k], st->ngroups);
		hists_add_bucket(&col->hist[k], g, (uint32_t)index, number(r, r->number),
				 bits);
	} else if (acc & ACC_NUM && strlen(what) <= 3) {
		to = ROOM(num, k);
		if (*what == 'n')
			t.n = number(r, r->number);
		else if (*what == 's') {
			words_of(r, r->number, w, 2);
			t.lo = w[0];
			t.hi = w[1];
		} else if (what[1] == 'i')
			t.not_min = ~number(r, r->number);
		else
			t.max = number(r, r->number);
		tally_merge(&to[g], &t);
	} else
		refuse(r, "the question has no use for %s", what);
	return true;
}

static void
column_line(const struct reader *r, struct stats *st)
{
	uint64_t n = number(r, word(r, 0));
	size_t c = (size_t)n;
	const char *what = word(r, 1);
	struct column *col;
	uint32_t g = r->group;
	unsigned acc;

	if (n >= st->spec->ncols)
		refuse(r, "no such column");
	if (class_line(r, st, c, what))
		return;
	col = &st->col[c];
	acc = st->spec->col[c].acc;
	column_room(st, c);
	if (!strcmp(what, "member") && acc & ACC_SET) {
		struct datum d = {.class = (uint8_t)class_named(r, word(r, 2))};

		if (d.class == TEXTS) {
			d.text = (char *)(uintptr_t)word(r, 3);
			d.v = strlen(d.text);
		} else
			d.v = number(r, word(r, 3));
		set_add(&col->set[g], &d);
	} else if (!strcmp(what, "register") && acc & ACC_SET) {
		uint64_t index = number(r, word(r, 2)), rank = number(r, r->number);

		if (index >= 1u << SET_BITS || rank > 64)
			refuse(r, "no such register");
		set_add_register(&col->set[g], (uint32_t)index, (unsigned)rank);
	} else if (!strcmp(what, "pages") && acc & ACC_PAGES) {
		pages_add_word(&col->pages[g], number(r, word(r, 2)), number(r, r->number),
			       col->keep);
	} else if (!strcmp(what, "limit") && acc & ACC_PAGES) {
		struct pages other = {.sampled = true, .beyond = ~number(r, r->number)};

		pages_merge(&col->pages[g], &other, col->keep);
	} else if (!strcmp(what, "top") && acc & ACC_TOP) {
		const char *text = word(r, 3);
		struct datum d = datum_of_text(text, strlen(text));

		top_add(&col->top[g], &d, number(r, r->number), number(r, word(r, 2)));
	} else if (!strcmp(what, "missed") && acc & ACC_TOP) {
		col->top[g].missed += number(r, r->number);
	} else if ((!strcmp(what, "first") || !strcmp(what, "last")) && acc & ACC_ENDS) {
		const char *file = word(r, 2), *text = word(r, 4);
		struct end e = {.any = true,
				.file = strtab_id(&st->files, file, strlen(file)),
				.begin = number(r, word(r, 3)),
				.seq = number(r, r->number),
				.datum = datum_of_text(text, strlen(text))};

		if (*what == 'f')
			end_merge(&col->first[g], &e, true, &st->files);
		else
			end_merge(&col->last[g], &e, false, &st->files);
	} else if (!strcmp(what, "segment")) {
		const char *file = word(r, 2);

		segment_add(st,
			    &(struct segment){
				.group = g,
				.file = strtab_id(&st->files, file, strlen(file)),
				.col = (uint32_t)c,
				.seq = r->nwords > 6 ? (uint32_t)number(r, r->word[6]) : 0,
				.begin = number(r, word(r, 3)),
				.end = number(r, word(r, 4)),
				.first = signed_number(r, word(r, 5)),
				.last = signed_number(r, r->number)});
	} else
		refuse(r, "the question has no use for %.40s", what);
}

/* "gap V", "size V": the only one there is; "gap *": there are several. */
static unsigned
one_line(const struct reader *r, unsigned known, uint64_t *v)
{
	const char *s = word(r, 1);
	bool many = !strcmp(s, "*"), neg = *s == '-';

	return one_add(known, v,
		       many  ? ONE_MANY
		       : neg ? ONE_NEG
			     : ONE_POS,
		       many ? 0 : number(r, s + neg));
}

/* Of a file and a node. */
static void
file_line(const struct reader *r, struct files *f)
{
	struct file_node *a =
	    r->group != NO_FILE ? &f->v[r->group] : &(struct file_node){0};
	const char *what = word(r, 0);
	uint64_t w[2], v;

	for (unsigned i = 0; i <= FILE_BYTES; i++)
		if (!strcmp(what, partial_file[i])) {
			words_of(r, r->number, w, i == FILE_BYTES ? 2 : 1);
			if (r->group != NO_FILE)
				files_count(f, r->group, i, w[0],
					    i == FILE_BYTES ? w[1] : 0);
			return;
		}
	if (!strcmp(what, "did"))
		a->did |= number(r, word(r, 1)) & (FILE_READ | FILE_WRITTEN);
	else if (!strcmp(what, "gap")) {
		v = a->gap;
		a->gaps = 3 & one_line(r, a->gaps, &v);
		a->gap = v;
	} else if (!strcmp(what, "size")) {
		v = a->size;
		a->sizes = 3 & one_line(r, a->sizes, &v);
		a->size = v;
	} else
		refuse(r, "not a line of a partial");
}

static void
group_line(struct reader *r, struct answer *a)
{
	find_group(r, a);
	if (r->last->access && r->group == NO_FILE && r->nwords > 1 &&
	    !strcmp(r->word[1], "segment"))
		return;
	if (r->last->access && !(r->nwords > 1 && !strcmp(r->word[1], "segment")))
		file_line(r, r->last->access);
	else if (!strcmp(word(r, 0), "count"))
		r->last->count[r->group] += number(r, r->number);
	else if (!strcmp(r->word[0], "sure") && r->last->missed) {
		struct stats *st = r->last;

		st->sure = grow(st->sure, &st->sure_cap, st->ngroups, sizeof *st->sure);
		st->sure[r->group] += number(r, r->number);
	} else
		column_line(r, r->last);
}

/* Of a line that says all by being there. */
static void
any_number(const struct reader *r)
{
	number(r, r->number);
}

/* The second word of a field about times. */
static enum clock
clock_word(const struct reader *r)
{
	const char *name = word(r, 1);

	if (strcmp(name, "ns") != 0 && strcmp(name, "ticks") != 0)
		refuse(r, "a clock that is neither ns nor ticks");
	return strcmp(name, "ns") != 0 ? CLOCK_TICKS : CLOCK_NS;
}

/* %, %a, %b, ...: what is not of a single group. */
static void
table_line(const struct reader *r, struct answer *a)
{
	const char *what = word(r, 0);
	struct stats *st;

	if (!r->key[1]) {
		if (!strcmp(what, "lost"))
			a->lost += number(r, r->number);
		else if (!strcmp(what, "trouble") || !strcmp(what, "asked")) {
			char *text = (char *)(uintptr_t)word(r, 1);

			text[unescape((uint8_t *)text, text, strlen(text))] = '\0';
			if (*what == 'a')
				answer_asked(a, text, number(r, r->number) != 0);
			else if (any_number(r), true)
				answer_trouble(a, text);
		} else if (!strcmp(what, "format") && r->nwords > 1) {
			any_number(r);
			if (strcmp(r->word[1], a->format) > 0)
				snprintf(a->format, sizeof a->format, "%s", r->word[1]);
		} else
			refuse(r, "not a line of a partial");
		return;
	}
	st = table(r, a, r->key[1]);
	if (!strcmp(what, "clock")) {
		enum clock clock = clock_word(r);

		if (st->any && st->clock != clock && spec_one_clock(st->spec))
			refuse(r, "its clock counts other units than that of the partials "
				  "before");
		any_number(r);
		st->clock = clock;
		st->any = true;
	} else if (!strcmp(what, "begin") || !strcmp(what, "end")) {
		enum clock clock = clock_word(r);
		uint64_t t = clock == CLOCK_NS ? (uint64_t)signed_number(r, r->number)
					       : number(r, r->number);

		t ^= time_flip(clock);
		st->tmin = !st->timed || t < st->tmin ? t : st->tmin;
		st->tmax = !st->timed || t > st->tmax ? t : st->tmax;
		st->timed = true;
	} else if (!strcmp(what, "missed")) {
		st->missed += number(r, r->number);
	} else if (!strcmp(what, "shift")) {
		uint64_t shift = number(r, r->number);

		if (shift > (st->access ? FILES_SHIFT_MOST : PANE_SHIFT_MOST) ||
		    !(st->spec->pane || st->access))
			refuse(r, "panes or files that cannot be");
		if (st->access)
			files_thin(st, (unsigned)shift);
		else
			stats_coarsen(st, (unsigned)shift);
	} else if (!strcmp(what, "keep")) {
		uint64_t i = number(r, word(r, 1)), keep = number(r, r->number);

		if (i >= st->spec->ncols || keep < pages_keep(UINT32_MAX) ||
		    keep > PAGES_EXACT)
			refuse(r, "no such column, or pages that cannot be");
		column_keep(&st->col[i], (uint32_t)keep);
	} else if (!strcmp(what, "seen")) {
		uint64_t i = number(r, word(r, 1)), as = number(r, r->number);

		if (i >= st->spec->ncols + st->spec->nkeys || !as ||
		    as > (SEEN_FIELD | SEEN_EVENT))
			refuse(r, "no such column");
		st->seen[i] |= (uint8_t)as;
	} else if (!strcmp(what, "name")) {
		any_number(r);
		strtab_id(&st->names, word(r, 1), strlen(word(r, 1)));
	} else if (!strcmp(what, "part")) {
		struct cover c = {.file =
				      strtab_id(&st->files, word(r, 1), strlen(word(r, 1))),
				  .begin = number(r, word(r, 2)),
				  .end = number(r, r->number)};

		if (r->nwords > 3) {
			c.ordered = true;
			c.first = number(r, word(r, 3));
			c.last = number(r, word(r, 4));
		}
		cover_add(st, &c);
	} else
		refuse(r, "not a line of a partial");
}

/* Cuts a line: [p, end), of which end[0] may be written. */
static void
line(struct reader *r, struct answer *a, bool *opened, char *p, char *end)
{
	char *tab, *field;
	struct buf whole = {0};

	r->line++;
	*end = '\0';
	if (memchr(p, '\0', (size_t)(end - p)))
		refuse(r, "not a partial: a NUL byte");
	r->key = p;
	tab = strchr(p, '\t');
	field = tab ? tab + 1 : NULL;
	r->number = field ? strchr(field, '\t') : NULL;
	if (!r->number || strchr(r->number + 1, '\t'))
		refuse(r, "not a partial of trace-stats: KEY, FIELD and INTEGER with TABs "
			  "between are expected");
	*tab = '\0';
	*r->number++ = '\0';
	buf_add(&whole, field, strlen(field) + 1);
	r->nwords = 0;
	while (field && r->nwords < WORDS) {
		r->word[r->nwords++] = field;
		field = strchr(field, ' ');
		if (field)
			*field++ = '\0';
	}
	if (field)
		refuse(r, "too many words in the second field");
	if (!strcmp(r->key, "#")) {
		header(r, a, opened, (char *)whole.p);
		r->header = true;
	} else if (!strcmp(r->key, "~")) {
		if (strcmp(r->word[0], "lines") != 0)
			refuse(r, "not a line of a partial");
		r->announced += number(r, r->number);
		r->trailer = true;
	} else {
		if (!r->header)
			refuse(r, "not a partial: its header is missing (was it sorted "
				  "without LC_ALL=C?)");
		r->lines++;
		if (r->key[0] == '%')
			table_line(r, a);
		else if (r->key[0] && r->key[1] == '=')
			group_line(r, a);
		else
			refuse(r, "not a line of a partial");
	}
	buf_free(&whole);
}

void
partial_read(struct answer *a, bool *opened, const char *path)
{
	struct reader r = {0};
	struct in in;

	if (!in_open(&in, path))
		die("%s:", path);
	r.name = in.name;
	for (;;) {
		uint8_t *nl = memchr(in.p, '\n', in_left(&in));

		if (nl) {
			line(&r, a, opened, (char *)in.p, (char *)nl);
			in.p = nl + 1;
			continue;
		}
		if (in_more(&in))
			continue;
		if (in.err)
			die("%s: read: %s", r.name, strerror(in.err));
		if (in_left(&in)) {
			r.line++;
			refuse(&r, "the partial is cut: the last line has no end");
		}
		break;
	}
	in_close(&in);
	if (!r.line)
		die("%s: not a partial: it is empty, and also of no events a partial has "
		    "its "
		    "first and last line",
		    r.name);
	if (!r.trailer)
		refuse(&r, "the partial is cut: its trailer is missing");
	if (r.lines != r.announced || !r.header)
		refuse(&r,
		       "the partial is cut, or lines were added: its trailers count %llu "
		       "lines, there are %llu",
		       (unsigned long long)r.announced, (unsigned long long)r.lines);
	buf_free(&r.last_key);
}

static _Noreturn void
contradiction(const char *what)
{
	die("the partials are damaged: %s", what);
}

/* Of files. */
static void
check_files(const struct files *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct wide requests = files_counted(f, i, FILE_REQUESTS),
			    later = files_counted(f, i, FILE_LATER),
			    higher = files_counted(f, i, FILE_HIGHER),
			    behind = files_counted(f, i, FILE_BEHIND);

		if (wide_cmp(&later, &requests) > 0 || wide_cmp(&behind, &later) > 0 ||
		    wide_cmp(&higher, &requests) > 0)
			contradiction("more requests of a kind than there are");
		if (wide_zero(&requests) != !f->v[i].did)
			contradiction("requests that neither read nor write");
	}
}

/* Of one group and column. */
static void
check_column(const struct stats *st, size_t c, uint32_t g)
{
	uint64_t counted[CLASSES] = {0};
	struct slice *v;
	size_t n;

	v = column_slices(&st->col[c], g, spec_bits(st->spec, c), &n);
	for (size_t i = 0; i < n; i++)
		counted[v[i].low.class] += v[i].count;
	free(v);
	for (unsigned k = 0; k < CLASSES; k++) {
		const struct tally *t = column_tally(&st->col[c], k, g);

		if (!t->n && (t->lo || t->hi || t->not_min || t->max))
			contradiction("a sum, a least or a greatest value of no values");
		if (k != TEXTS && st->spec->col[c].acc & ACC_HIST && !counted[k] != !t->n)
			contradiction(
			    "values without a distribution, or one without values");
	}
}

void
partial_check(const struct answer *a)
{
	for (size_t i = 0; i < a->ntables; i++) {
		const struct stats *st = &a->st[i];

		if (!st->any && (st->ngroups || st->timed || st->missed))
			contradiction("a table does not tell its clock");
		if (st->access)
			check_files(st->access);
		for (uint32_t g = 0; g < st->ngroups; g++) {
			/* What hangs on the event before is kept for all windows together,
			 * and nothing else is. */
			bool together = st->pane && st->pane[g] == NO_PANE;

			if (!st->count[g] && !together)
				contradiction("a group has no count");
			if (st->count[g] && together)
				contradiction("events are in no window");
			if (st->pane && !together && !stats_pane_possible(st, st->pane[g]))
				contradiction("a window is beyond all times");
			for (size_t c = 0; c < st->spec->ncols; c++)
				check_column(st, c, g);
		}
	}
}
