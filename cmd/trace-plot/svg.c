/* svg.c - SVG text: see svg.h. */
#include <string.h>

#include "base/die.h"
#include "base/put.h"
#include "trace-plot/scale.h"
#include "trace-plot/svg.h"

/* Appends v, in hundredths, as a number: "12.5", "-.07". */
static void
put_number(struct buf *b, int64_t v)
{
	uint64_t n = v < 0 ? 0 - (uint64_t)v : (uint64_t)v, part = n % PX;

	if (v < 0)
		buf_byte(b, '-');
	if (n >= PX || !part)
		buf_to(b, put_u64(buf_room(b, 24 + PUT_SLACK), n / PX));
	if (!part)
		return;
	buf_byte(b, '.');
	buf_byte(b, (char)('0' + part / 10));
	if (part % 10)
		buf_byte(b, (char)('0' + part % 10));
}

static void
attribute(struct buf *b, const char *name, int64_t v)
{
	put_all(b, " ", name, "=\"");
	put_number(b, v);
	buf_byte(b, '"');
}

static void
attributes(struct buf *b, int64_t x, int64_t y, int64_t w, int64_t h)
{
	attribute(b, "x", x);
	attribute(b, "y", y);
	attribute(b, "width", w);
	attribute(b, "height", h);
}

/* Widths of printable ASCII in tenths of a pixel at 12 px, for DejaVu Sans: hardly any font that browsers use
 * for text is wider. */
static const uint8_t ascii_width[] = {
    38, 48,  55, 101, 76, 114, 94, 33,	47, 47,	 60,  101, 38, 43,  38, 40, 76, 76,  76,
    76, 76,  76, 76,  76, 76,  76, 40,	40, 101, 101, 101, 64, 120, 82, 82, 84, 92,  76,
    69, 93,  90, 35,  35, 79,  67, 104, 90, 94,	 72,  94,  83, 76,  73, 88, 82, 119, 82,
    73, 82,  47, 40,  47, 101, 60, 60,	74, 76,	 66,  76,  74, 42,  76, 76, 33, 33,  69,
    33, 117, 76, 73,  76, 76,  49, 63,	47, 76,	 71,  98,  71, 71,  63, 76, 40, 76,  101};

struct letter {
	char shown[16];
	size_t n;	/* bytes of `shown` */
	unsigned width; /* in tenths of a pixel at 12 px */
};

/* Returns the character at *at as it is shown, and moves *at after it. */
static struct letter
next_letter(const uint8_t **at, const uint8_t *end)
{
	struct letter l = {.width = 0};
	uint32_t c = 0;
	size_t len = utf8_char(*at, (size_t)(end - *at), &c);

	if (**at == RTL_END) {
		l.n = strlen(strcpy(l.shown, RTL_SHOWN));
		++*at;
		return l;
	}
	/* XML forbids noncharacters: their bytes are shown. */
	if (!len || (c & 0xfffe) == 0xfffe)
		len = 1;
	l.n = (size_t)(put_shown(l.shown, *at, len) - l.shown);
	if (len > 1 && l.n == len)
		l.width = c < 0x370	 ? 76
			  : c < 0x1100	 ? 90
			  : c == 0x2026	 ? 120
			  : c < 0x2e80	 ? 101
			  : c >= 0x10000 ? 160
					 : 122;
	else
		for (size_t i = 0; i < l.n; i++)
			l.width += ascii_width[l.shown[i] - ' '];
	*at += len;
	return l;
}

/* Returns the position of the first letter that does not fit in `room` tenths of a pixel, and sets *used to the
 * width of the letters before it. */
static const uint8_t *
cut_at(const uint8_t *at, const uint8_t *end, uint64_t room, uint64_t *used)
{
	for (*used = 0; at < end;) {
		const uint8_t *next = at;
		unsigned width = next_letter(&next, end).width;

		if (*used + width > room)
			break;
		*used += width;
		at = next;
	}
	return at;
}

/* Returns where to cut a sentence that fits up to `cut`: there, or before a number that would lack digits or
 * its unit. */
static const uint8_t *
before_number(const uint8_t *p, const uint8_t *cut)
{
	const uint8_t *at = cut;
	bool digit = false;

	for (; at > p && (at[-1] != ' ' || at - 1 == p || (uint8_t)(at[-2] - '0') < 10);
	     at--)
		digit |= (uint8_t)(at[-1] - '0') < 10;
	return digit && at > p ? at : cut;
}

static void
put_letters(struct buf *b, const uint8_t *at, const uint8_t *end)
{
	static const char *const entity[] = {['<'] = "&lt;",
					     ['>'] = "&gt;",
					     ['&'] = "&amp;",
					     ['"'] = "&quot;",
					     ['\''] = "&apos;"};

	while (at < end) {
		struct letter l = next_letter(&at, end);
		uint8_t c = (uint8_t)*l.shown;

		if (l.n == 1 && c < sizeof entity / sizeof *entity && entity[c])
			put_all(b, entity[c]);
		else
			buf_add(b, l.shown, l.n);
	}
}

void
svg_escape(struct buf *b, const char *text, size_t most, bool name)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text), *cut;
	uint64_t room = most * SVG_COLUMN, used, rest;

	if (cut_at(at, end, room, &used) == end) {
		put_letters(b, at, end);
		return;
	}
	room -= room < 120 ? room : 120;
	if (!name) {
		cut = before_number(at, cut_at(at, end, room, &used));
		put_letters(b, at, cut);
		put_all(b, "…");
		return;
	}
	/* Names differ at their ends as often as at their beginnings. */
	used = most / 2 * SVG_COLUMN;
	cut = cut_at(at, end, used < room ? used : room, &used);
	put_letters(b, at, cut);
	put_all(b, "…");
	cut_at(cut, end, UINT64_MAX, &rest);
	while (rest > room - used)
		rest -= next_letter(&cut, end).width;
	put_letters(b, cut, end);
}

static void
put_colours(struct buf *b, const uint32_t *colour, const uint32_t *step,
	    const uint32_t *but, const uint32_t *but_step)
{
	for (unsigned i = 0; i <= COLOURS; i++)
		if (!but || but[i] != colour[i])
			put_format(b, ".c%u{fill:#%06x}.l%u{stroke:#%06x}", i,
				   (unsigned)colour[i], i, (unsigned)colour[i]);
	for (unsigned i = 0; i < STEPS; i++)
		if (!but_step || but_step[i] != step[i])
			put_format(b, ".v%u{fill:#%06x}", i, (unsigned)step[i]);
}

/* Dashes, so that lines differ without colours, and a line below others shows in their gaps. */
static const char *const dash[COLOURS] = {NULL,	  "10 5",    "3 4",	 "14 4 3 4",
					  "6 10", "2 3 8 3", "20 6 6 6", "3 12"};

/* Appends the style sheet that all pictures share. */
static void
svg_style(struct buf *b, enum svg_theme theme)
{
	put_all(b,
		".bg{fill:#fff}svg{font:12px system-ui,-apple-system,\"Segoe UI\",\"DejaVu "
		"Sans\",Arial,sans-serif;fill:#24292f}\n"
		".h{font-size:17px;font-weight:600}.s{fill:#59636e}.t{fill:#59636e;"
		"font-size:11px}.n{font-variant-numeric:tabular-nums}\n"
		".g{stroke:#d1d9e0;fill:none;shape-rendering:crispEdges}"
		".a{stroke:#818b98;fill:none;shape-rendering:crispEdges}"
		".k{shape-rendering:crispEdges}.f{fill:#f6f8fa}\n"
		".w{fill:none;stroke-width:1.75;stroke-linejoin:round}.q{opacity:.16}"
		".i,.j,.y{pointer-events:none}.i{fill:#000}.j,.y{fill:#fff}"
		".halo{stroke:#fff;stroke-width:4.5}.p5{stroke:#24292f}.p9{stroke:#d55e00}"
		".b0{fill:#e1e6eb}.b1{fill:#afb8c1}\n");
	put_colours(b, colour_light, step_light, NULL, NULL);
	for (unsigned i = 1; i < COLOURS; i++)
		put_format(b, ".l%u{stroke-dasharray:%s}", i, dash[i]);
	if (theme == SVG_LIGHT)
		return;
	put_all(b, theme == SVG_AUTO ? "\n@media(prefers-color-scheme:dark){" : "\n",
		".bg{fill:#0d1117}svg{fill:#e6edf3}.s,.t{fill:#9198a1}.g{stroke:#2b323b}"
		".a{stroke:#656c76}.f{fill:#151b23}.halo{stroke:#0d1117}.p5{stroke:#e6edf3}"
		".p9{stroke:#ff9d4d}.y{fill:#000}.b0{fill:#21262d}.b1{fill:#57606a}");
	put_colours(b, colour_dark, step_dark, colour_light, step_light);
	put_all(b, theme == SVG_AUTO ? "}" : "");
}

void
svg_begin(struct buf *b, unsigned w, unsigned h, const struct svg_paper *paper,
	  enum svg_theme theme, const char *title, const char *about)
{
	int64_t font = paper->font ? (int64_t)paper->font : 12 * PX;

	put_format(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\"", w,
		   h);
	if (*paper->width)
		put_all(b, " width=\"", paper->width, "\" height=\"", paper->height, "\"");
	else {
		attribute(b, "width", w * font / 12);
		attribute(b, "height", h * font / 12);
	}
	put_all(b, " role=\"img\" aria-labelledby=\"t d\">\n<title id=\"t\">");
	svg_escape(b, title, 200, false);
	put_all(b, "</title>\n<desc id=\"d\">");
	svg_escape(b, about, 1000, false);
	put_all(b, "</desc>\n<style>\n");
	svg_style(b, theme);
	put_all(b, "\n</style>\n<rect width=\"100%\" height=\"100%\" class=\"bg\"/>\n");
}

void
svg_end(struct buf *b)
{
	put_all(b, "</svg>\n");
}

const char *
svg_short(const char *name)
{
	size_t n = strlen(name), most = 40;

	if (n <= most)
		return name;
	while ((uint8_t)name[most] >> 6 == 2)
		most--;
	return formatted("%.*s…%s", (int)most, name,
			 name[n - 1] == RTL_END ? (char[]){RTL_END, 0} : "");
}

static size_t told = 200;

void
svg_told(size_t columns)
{
	told = columns;
}

void
svg_about(struct buf *b, const char *about)
{
	if (!about)
		return;
	put_all(b, "<title>");
	svg_escape(b, about, told, false);
	put_all(b, "</title>");
}

void
svg_to_text(struct buf *b, int64_t x, int64_t y)
{
	put_all(b, "<text");
	attribute(b, "x", x);
	attribute(b, "y", y);
}

void
svg_text(struct buf *b, int64_t x, int64_t y, const char *class, enum svg_anchor anchor,
	 const char *text, size_t most)
{
	static const char *const anchored[] = {"", " text-anchor=\"middle\"",
					       " text-anchor=\"end\""};

	svg_to_text(b, x, y);
	if (*class)
		put_all(b, " class=\"", class, "\"");
	put_all(b, anchored[anchor], ">");
	if (*class && class[strlen(class) - 1] == 'n')
		most = SIZE_MAX / SVG_COLUMN;
	svg_about(b, svg_fits(text, most) ? NULL : text);
	svg_escape(b, text, most, most <= SVG_NAME && *class != 'h' && *class != 's');
	put_all(b, "</text>\n");
}

void
svg_text_turned(struct buf *b, int64_t x, int64_t y, const char *class,
		enum svg_anchor anchor, const char *text, size_t most)
{
	put_all(b, "<g transform=\"translate");
	svg_point(b, '(', x, y);
	put_all(b, ")rotate(-90)\">");
	svg_text(b, 0, 0, class, anchor, text, most);
	put_all(b, "</g>\n");
}

void
svg_path_begin(struct buf *b, const char *class)
{
	put_all(b, "<path class=\"", class, "\" d=\"");
}

void
svg_path_end(struct buf *b, const char *about)
{
	put_all(b, about ? "\">" : "\"/>\n");
	svg_about(b, about);
	put_all(b, about ? "</path>\n" : "");
}

void
svg_to(struct buf *b, char command, int64_t v)
{
	buf_byte(b, command);
	put_number(b, v);
}

void
svg_point(struct buf *b, char command, int64_t x, int64_t y)
{
	svg_to(b, command, x);
	svg_to(b, ' ', y);
}

void
svg_box(struct buf *b, int64_t w, int64_t h)
{
	svg_to(b, 'h', w);
	svg_to(b, 'v', h);
	svg_to(b, 'h', -w);
	buf_byte(b, 'z');
}

void
svg_line(struct buf *b, const char *class, int64_t x1, int64_t y1, int64_t x2, int64_t y2)
{
	svg_path(b, "%s", class);
	svg_point(b, 'M', x1, y1);
	svg_point(b, 'L', x2, y2);
	svg_path_end(b, NULL);
}

void
svg_rect(struct buf *b, const char *class, int64_t x, int64_t y, int64_t w, int64_t h)
{
	put_all(b, "<rect class=\"", class, "\"");
	attributes(b, x, y, w, h);
	put_all(b, "/>\n");
}

void
svg_swatch(struct buf *b, unsigned c, int64_t x, int64_t y)
{
	svg_rect(b, formatted("c%u\" rx=\"2", c), x, y - 11 * PX / 2, 11 * PX, 11 * PX);
}

void
svg_sample(struct buf *b, unsigned c, int64_t x, int64_t y)
{
	svg_path(b, "l%u w", c);
	svg_point(b, 'M', x, y);
	svg_to(b, 'h', SVG_SAMPLE);
	svg_path_end(b, NULL);
}

void
svg_window(struct buf *b, int64_t x, int64_t y, int64_t w, int64_t h, int64_t x0,
	   int64_t w0, int64_t h0)
{
	put_all(b, "<svg");
	attributes(b, x, y, w, h);
	put_all(b, " viewBox=\"");
	put_number(b, x0);
	put_all(b, " 0");
	svg_point(b, ' ', w0, h0);
	put_all(b, "\" preserveAspectRatio=\"none\">\n");
}

bool
svg_fits(const char *text, size_t most)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text);
	uint64_t used;

	return cut_at(at, end, most * SVG_COLUMN, &used) == end;
}

int64_t
svg_width(const char *text, size_t most)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text);
	uint64_t used;

	if (cut_at(at, end, most * SVG_COLUMN, &used) != end)
		used = most * SVG_COLUMN;
	return (int64_t)used * PX / 10;
}
