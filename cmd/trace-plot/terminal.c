/* terminal.c - pictures of text: see terminal.h. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/die.h"
#include "trace-plot/palette.h"
#include "trace-plot/terminal.h"

/* Returns the nearest of the 256 colours of a terminal. */
static unsigned
colour_256(uint32_t rgb)
{
	unsigned at = 16;

	for (int shift = 16; shift >= 0; shift -= 8) {
		unsigned v = rgb >> shift & 255, level = v < 48	   ? 0
							 : v < 115 ? 1
								   : (v - 35) / 40;

		at += level * (shift == 16 ? 36 : shift == 8 ? 6 : 1);
	}
	return at;
}

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

	/* Only the character set is the user's: numbers and messages stay as they are. */
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
	buf_str(t->b, s);
}

/* Returns the columns of a character: 0 for combining ones, 2 for wide ones. */
static unsigned
char_columns(uint32_t c)
{
	static const uint32_t range[][3] = {
	    {0x300, 0x36f, 0},	   {0x483, 0x489, 0},	  {0x591, 0x5bd, 0},
	    {0x610, 0x61a, 0},	   {0x64b, 0x65f, 0},	  {0x1100, 0x115f, 2},
	    {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0},	  {0x200b, 0x200e, 0},
	    {0x20d0, 0x20f0, 0},   {0x2e80, 0x303e, 2},	  {0x3041, 0xa4cf, 2},
	    {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},	  {0xfe00, 0xfe0f, 0},
	    {0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},	  {0xfeff, 0xfeff, 0},
	    {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},	  {0x1f300, 0x1f64f, 2},
	    {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
	};

	for (size_t i = 0; i < sizeof range / sizeof *range; i++)
		if (c >= range[i][0] && c <= range[i][1])
			return range[i][2];
	return 1;
}

/* Returns how many of the n bytes of a text fit in `most` columns, and sets *columns to the columns that they
 * need. */
static size_t
fitting(const char *s, size_t n, size_t most, size_t *columns)
{
	size_t i = 0, len;
	uint32_t c;

	for (*columns = 0; i < n; i += len) {
		unsigned wide;

		len = utf8_char((const uint8_t *)s + i, n - i, &c);
		len = len ? len : 1;
		wide = char_columns(c);
		if (*columns + wide > most)
			break;
		*columns += wide;
	}
	return i;
}

void
screen_end(struct screen *t)
{
	size_t n, room, at = t->line, keep;
	struct buf *b = t->b;

	screen_plain(t);
	/* Cut the line to the width; codes of colours have no width. */
	for (room = t->w; at < b->n; at += keep) {
		size_t text = 0;

		while (at + text < b->n && b->p[at + text] != '\033')
			text++;
		keep = fitting((char *)b->p + at, text, room, &n);
		room -= n;
		memmove(b->p + at + keep, b->p + at + text, b->n - at - text);
		b->n -= text - keep;
		while (at + keep < b->n && b->p[at + keep++] != 'm')
			;
	}
	while (b->n > t->line && b->p[b->n - 1] == ' ')
		b->n--;
	buf_byte(b, '\n');
	t->line = b->n;
	t->items = 0;
}

/* Returns a text of a trace as this terminal can show it: only ASCII without UTF-8. */
static const char *
safe_text(const struct screen *t, const char *s)
{
	struct buf b = {0};
	size_t n, to = 0;

	for (;; s += n + 1) {
		n = strcspn(s, (char[]){RTL_END, 0});
		buf_to(&b, (uint8_t *)put_shown((char *)buf_room(&b, 4 * n), s, n));
		if (!s[n])
			break;
		buf_str(&b, t->utf8 ? RTL_SHOWN : "");
	}
	for (size_t i = 0, len; !t->utf8 && i < b.n; i += len) {
		uint32_t c;

		len = utf8_char(b.p + i, b.n - i, &c);
		b.p[to++] = c < 0x80			 ? (uint8_t)c
			    : c == 0xb5			 ? 'u' /* micro sign */
			    : c == 0x2212 || c == 0x2013 ? '-'
							 : '?';
	}
	b.n = t->utf8 ? b.n : to;
	return draw_text(&b);
}

/* Returns a text of a trace, made safe, in at most `room` columns. A longer text loses its middle to a ~. */
static const char *
middle_cut(const struct screen *t, const char *s, size_t room)
{
	const char *text = safe_text(t, s);
	size_t n, k, all = strlen(text), tail;
	struct buf b = {0};

	fitting(text, all, SIZE_MAX, &n);
	if (n <= room)
		return text;
	buf_add(&b, text, fitting(text, all, room / 2, &k));
	buf_byte(&b, '~');
	/* Another wide character may have to go. */
	for (size_t left = n - (room - k - 1);; left++) {
		tail = fitting(text, all, left, &n);
		if (n == left)
			break;
	}
	buf_str(&b, text + tail);
	return draw_text(&b);
}

size_t
screen_wide(const struct screen *t, const char *s, size_t most)
{
	const char *text = safe_text(t, s);
	size_t n;

	fitting(text, strlen(text), most, &n);
	return n;
}

size_t
screen_name(struct screen *t, const char *s, size_t most)
{
	const char *text = safe_text(t, s);
	size_t n, len = fitting(text, strlen(text), most, &n);

	buf_add(t->b, text, len);
	if (text[len] && t->utf8 && s[strlen(s) - 1] == RTL_END)
		screen_put(t, RTL_SHOWN);
	return n;
}

void
screen_title(struct screen *t, const char *text)
{
	for (const char *s = safe_text(t, text); *s;) {
		size_t n, all = strlen(s), len = fitting(s, all, t->w, &n), cut = len;

		while (s[len] && cut && s[cut] != ' ')
			cut--;
		len = cut ? cut : len;
		buf_add(t->b, s, len);
		screen_end(t);
		s += len + (s[len] == ' ');
	}
}

void
screen_right(struct screen *t, const char *s, unsigned end)
{
	for (size_t n = screen_wide(t, s, end); n < end; n++)
		buf_byte(t->b, ' ');
	screen_name(t, s, end);
}

void
screen_colour(struct screen *t, uint32_t rgb)
{
	unsigned c = colour_256(rgb);

	if (!t->colour || t->now == c)
		return;
	t->now = c;
	put_format(t->b, "\033[38;5;%um", c);
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
	const char *text = middle_cut(t, label ? label : "", at - 2);
	size_t n;

	for (fitting(text, strlen(text), at - 1, &n); n < at - 1; n++)
		buf_byte(t->b, ' ');
	screen_put(t, text);
	screen_put(t, !t->utf8 ? (label ? " +" : " |") : label ? " ┤" : " │");
}

void
screen_foot(struct screen *t, unsigned at, unsigned w, const char *from, const char *to)
{
	size_t n;

	screen_right(t, "", at);
	screen_put(t, t->utf8 ? "└" : "+");
	for (unsigned i = 0; i < w; i++)
		screen_put(t, t->utf8 ? "─" : "-");
	screen_end(t);
	screen_right(t, "", at + 1);
	n = screen_name(t, from, w);
	screen_right(t, to, (unsigned)(w - n));
	screen_end(t);
}

void
screen_item(struct screen *t, uint32_t rgb, char letter, const char *name,
	    const char *total)
{
	size_t behind = screen_wide(t, total, 30) + (*total != 0);
	/* The name has the columns that the total leaves in a line. */
	size_t room = t->w - 2 - behind < LEGEND_NAME ? t->w - 2 - behind : LEGEND_NAME;
	size_t n = 2 + screen_wide(t, name, room) + behind;

	if (t->items && t->items + n > t->w)
		screen_end(t);
	t->items += n + 2;
	screen_colour(t, rgb);
	buf_byte(t->b, letter);
	screen_plain(t);
	put_all(t->b, " ", middle_cut(t, name, room), *total ? " " : "");
	screen_name(t, total, 30);
	screen_put(t, "  ");
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
