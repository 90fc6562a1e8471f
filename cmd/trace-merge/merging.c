/* merging.c - see merging.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/in.h"
#include "base/num.h"
#include "trace-merge/merging.h"
#include "cli/opt.h"

static const char *const align_words[] = {
    [ALIGN_ORIGIN] = "origin", [ALIGN_FIRST] = "first", [ALIGN_NONE] = "none"};

const char *
merging_align_word(size_t i)
{
	return i < 3 ? align_words[i] : NULL;
}

const char *
merging_resort(void *options, const char *text)
{
	struct merge_settings *opts = options;
	size_t n = strlen(text);
	const char *why = "below 0";
	struct num v;

	opts->span_set = opts->records_set = opts->in_ticks = false;
	if (!strcmp(text, "auto"))
		return NULL;
	opts->in_ticks = n > 5 && !strcmp(text + n - 5, "ticks");
	if (opts->in_ticks)
		n -= 5;
	if (!num_parse(text, n, NUM_TYPED, &v, &why) || v.neg)
		opt_die("--resort %s: %s", text, why);
	if (opts->in_ticks && v.unit != UNIT_NONE)
		opt_die("--resort %s: a time, a number of events, or auto is expected",
			text);
	if (v.unit != UNIT_TIME && v.nano)
		opt_die("--resort %s: a number of events is whole; a time has a unit: %ss",
			text, text);
	if (v.unit == UNIT_TIME && v.whole > INT64_MAX / 1000000000)
		opt_die("--resort %s: beyond 292 years", text);
	opts->span_set = v.unit == UNIT_TIME || opts->in_ticks;
	opts->records_set = !opts->span_set;
	opts->records = v.whole;
	opts->span = v.unit == UNIT_TIME ? v.whole * 1000000000 + v.nano : v.whole;
	if (opts->records_set && v.whole > 1u << 30)
		opt_die("--resort %s: more than %u events", text, 1u << 30);
	return NULL;
}

const char *
merging_align(void *options, const char *text)
{
	struct merge_settings *opts = options;

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(text, align_words[i])) {
			opts->align = (enum merge_align)i;
			return NULL;
		}
	opt_die("--align must be first, origin or none, not %s", text);
}

void
merging_list(const char *list, void (*add)(void *arg, const char *path), void *arg)
{
	struct in in;
	struct buf b = {0};
	char sep;

	if (!in_open(&in, list))
		die("%s:", list);
	while (in_left(&in) || in_more(&in)) {
		buf_add(&b, in.p, in_left(&in));
		in.p = in.end;
	}
	if (in.err)
		die("%s: read: %s", list, in_why(&in));
	in_close(&in);
	sep = b.n && memchr(b.p, '\0', b.n) ? '\0' : '\n';
	buf_byte(&b, sep);
	for (size_t at = 0; at < b.n;) {
		const uint8_t *end = memchr(b.p + at, sep, b.n - at);
		size_t n = (size_t)(end - (b.p + at));

		if (n)
			add(arg, xstrndup((const char *)b.p + at, n));
		at += n + 1;
	}
	buf_free(&b);
}

/* Returns the number of the input that FILE= or @N= names, and sets *value to the text after it. Names may
 * contain any character, so the longest name that matches is meant. Dies if there is none. */
static size_t
input_named(const char *const *path, size_t n, const char *what, const char *text,
	    const char **value)
{
	size_t found = n, longest = 0;
	unsigned long number;
	char *end;

	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(path[i]);

		if (len <= longest || strncmp(text, path[i], len) != 0 || text[len] != '=')
			continue;
		found = i;
		longest = len;
	}
	*value = text + longest + 1;
	if (found < n)
		return found;
	if (*text == '@' && text[1] >= '0' && text[1] <= '9') {
		number = strtoul(text + 1, &end, 10);
		*value = end + 1;
		if (*end == '=' && number && number <= n)
			return number - 1;
	}
	opt_die("--%s %s: FILE=VALUE or @N=VALUE is expected, of one of the %zu inputs",
		what, text, n);
}

void
merging_shift(struct merge_shift *shift, const char *const *path, size_t n,
	      const char *text, bool scale)
{
	const char *what = scale ? "scale" : "offset", *value, *why = "";
	size_t i = input_named(path, n, what, text, &value);
	struct merge_shift *s = &shift[i];
	struct num v;

	value += *value == '+';
	if (!num_parse(value, strlen(value), scale ? NUM_BARE : NUM_TYPED, &v, &why))
		opt_die("--%s %s: %s", what, text, why);
	if (scale ? s->scale_set : s->offset_set)
		opt_die("--%s %s: the value is set twice", what, text);
	if (!scale) {
		if (v.unit == UNIT_SIZE)
			opt_die("--offset %s: a time is expected", text);
		s->offset_set = true;
		s->offset = v;
		return;
	}
	if (v.neg || !(v.whole || v.nano) || v.whole >= 1000000000)
		opt_die("--scale %s: a number above 0 and below 1000000000 is expected",
			text);
	s->scale_set = true;
	s->scale = v;
}
