/* terminal.c - pictures of text: see terminal.h. */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/die.h"
#include "plot/palette.h"
#include "plot/terminal.h"

static unsigned
terminal_width(int fd)
{
	const char *asked = getenv("COLUMNS");
	unsigned long n = asked ? strtoul(asked, NULL, 10) : 0;
#ifdef TIOCGWINSZ
	struct winsize size;

	if (!n && ioctl(fd, TIOCGWINSZ, &size) == 0)
		n = size.ws_col;
#endif
	return n ? (unsigned)(n < 40 ? 40 : n > 500 ? 500 : n) : 80;
}

void
screen_open(struct screen *t, int fd, unsigned columns)
{
	const char *kind = getenv("TERM"), *no = getenv("NO_COLOR");

	/* Only which characters there are: numbers and messages stay as they are. */
	setlocale(LC_CTYPE, "");
	t->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	setlocale(LC_CTYPE, "C");
	t->w = columns ? columns : terminal_width(fd);
	t->h = t->w / 5;
	t->h = t->h < 6 ? 6 : t->h > 40 ? 40 : t->h;
	t->colour = isatty(fd) && !(no && *no) && kind && strcmp(kind, "dumb") != 0;
}

void
screen_put(struct screen *t, const char *s)
{
	buf_add(t->b, s, strlen(s));
}

void
screen_end(struct screen *t)
{
	screen_plain(t);
	while (t->b->n && t->b->p[t->b->n - 1] == ' ')
		t->b->n--;
	buf_byte(t->b, '\n');
}

/* The columns of a text, and its bytes: at most `most` columns. */
static size_t
fitting(const char *s, size_t most, size_t *columns)
{
	size_t n = 0, i = 0;

	for (; s[i]; i++)
		if ((s[i] & 0xc0) != 0x80 && n++ == most) {
			n--;
			break;
		}
	*columns = n;
	return i;
}

/* Without UTF-8 only ASCII is sure to be shown. */
static void
put_ascii(struct buf *b, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t c = 0;

		if (p[i] >> 6 == 2)
			continue;
		utf8_char(p + i, n - i, &c);
		buf_byte(b, c < 0x80			 ? (char)c
			    : c == 0xb5			 ? 'u' /* of microseconds */
			    : c == 0x2212 || c == 0x2013 ? '-'
							 : '?');
	}
}

void
screen_name(struct screen *t, const char *s, size_t most)
{
	size_t n, len = strnlen(s, 200), keep;
	char shown[4 * 200 + 1];

	*put_shown(shown, s, len) = '\0';
	keep = fitting(shown, most, &n);
	if (!t->utf8) {
		put_ascii(t->b, (uint8_t *)shown, keep);
		return;
	}
	buf_add(t->b, shown, keep);
}

void
screen_title(struct screen *t, struct buf *text)
{
	const char *s = buf_text(text);

	while (*s) {
		size_t n, len = fitting(s, t->w, &n), cut = len;
		struct buf line = {0};

		while (s[len] && cut && s[cut] != ' ')
			cut--;
		len = cut ? cut : len;
		buf_add(&line, s, len);
		buf_byte(&line, '\0');
		screen_name(t, (char *)line.p, t->w);
		screen_end(t);
		buf_free(&line);
		s += len + (s[len] == ' ');
	}
	buf_free(text);
}

void
screen_right(struct screen *t, const char *s, unsigned end)
{
	size_t n;

	fitting(s, end, &n);
	for (size_t i = n; i < end; i++)
		buf_byte(t->b, ' ');
	screen_name(t, s, end);
}

void
screen_colour(struct screen *t, uint32_t rgb)
{
	char text[24];
	unsigned c = colour_256(rgb);

	if (!t->colour || t->now == c)
		return;
	t->now = c;
	snprintf(text, sizeof text, "\033[38;5;%um", c);
	screen_put(t, text);
}

void
screen_plain(struct screen *t)
{
	if (t->now)
		screen_put(t, "\033[0m");
	t->now = 0;
}

void
screen_axis(struct screen *t, const char *label, unsigned at)
{
	size_t n, k, room = at - 2, head, tail;
	const char *text = label ? label : "";
	struct buf cut = {0};

	fitting(text, SIZE_MAX, &n);
	if (n > room) {
		head = fitting(text, room / 2, &k);
		tail = fitting(text, n - (room - k - 1), &k);
		buf_add(&cut, text, head);
		buf_byte(&cut, '~');
		buf_add(&cut, text + tail, strlen(text + tail) + 1);
		text = (char *)cut.p;
	}
	screen_right(t, text, at - 1);
	buf_free(&cut);
	screen_put(t, !t->utf8 ? (label ? " +" : " |") : label ? " ┤" : " │");
}

void
screen_foot(struct screen *t, unsigned at, unsigned w, const char *from, const char *to)
{
	size_t nf, nt;

	screen_right(t, "", at);
	screen_put(t, t->utf8 ? "└" : "+");
	for (unsigned i = 0; i < w; i++)
		screen_put(t, t->utf8 ? "─" : "-");
	screen_end(t);
	screen_right(t, "", at + 1);
	fitting(from, w, &nf);
	fitting(to, w, &nt);
	screen_name(t, from, w);
	screen_right(t, to, (unsigned)(w > nf ? w - nf : nt));
	screen_end(t);
}

void
screen_item(struct screen *t, uint32_t rgb, char letter, const char *name)
{
	screen_colour(t, rgb);
	buf_byte(t->b, letter);
	screen_plain(t);
	screen_put(t, " ");
	screen_name(t, name, LEGEND_NAME);
}

void
screen_shade(struct screen *t, uint64_t v, uint64_t of)
{
	static const char *const shade[] = {" ", "░", "▒", "▓", "█"};
	static const char *const plain[] = {" ", ".", ":", "*", "#"};
	uint64_t i = v ? 1 + scale_of(v, of, 3 * 2 + 1) / 2 : 0;

	screen_put(t, (t->utf8 ? shade : plain)[i > 4 ? 4 : i]);
}

void
screen_bar(struct screen *t, uint64_t eighths)
{
	static const char *const part[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

	for (uint64_t i = 0; i < eighths / 8; i++)
		screen_put(t, t->utf8 ? "█" : "#");
	if (t->utf8)
		screen_put(t, part[eighths % 8]);
	else if (eighths % 8 >= 4)
		screen_put(t, ":");
}
