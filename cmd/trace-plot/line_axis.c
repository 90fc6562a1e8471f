/* line_axis.c - the axes of line: linear or logarithmic, with ticks at round numbers. */
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "trace-plot/plot_line.h"

/* Returns log2(v), v > 0, to 2^-16: the same on every machine. */
static double
log_of(double v)
{
	double e = 0, part = 1;

	for (; v >= 2; e++)
		v /= 2;
	for (; v < 1; e--)
		v *= 2;
	for (unsigned i = 0; i < 16; i++) {
		v *= v;
		part /= 2;
		if (v >= 2) {
			v /= 2;
			e += part;
		}
	}
	return e;
}

int64_t
line_at(const struct axis *a, double v)
{
	double lo = a->log ? log_of(a->lo) : a->lo, hi = a->log ? log_of(a->hi) : a->hi;
	double range = hi / 2 - lo / 2, at;

	at = (a->log ? log_of(v) : v) / 2 - lo / 2;
	return a->from + (range > 0 ? (int64_t)(at / range * (double)(a->to - a->from))
				    : (a->to - a->from) / 2);
}

void
line_axis(struct axis *a, const struct plot *p, char name, bool itself)
{
	bool able = a->lo > 0 && a->unit != Q_DATE;

	a->log = able && itself && a->hi / 100 >= a->lo;
	if (strchr(p->opts.linear, name))
		a->log = false;
	if (strchr(p->opts.log, name)) {
		a->log = able;
		if (!able)
			warn("--log %c: there are %s: it is linear", name,
			     a->unit == Q_DATE ? "dates" : "values of 0 or below");
	}
}

const char *
line_number(const struct axis *a, double step, double v)
{
	static const char *const units[][8] = {
	    [Q_NUMBER] = {"", " k", " M", " G", " T", " P", " E"},
	    [Q_TIME] = {" ns", " us", " ms", " s"},
	    [Q_BYTES] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"},
	    [Q_SHARE] = {" %"},
	};
	static const double least[] = {
	    [Q_NUMBER] = 1, [Q_TIME] = 1e-9, [Q_BYTES] = 1, [Q_SHARE] = 0.01};
	const char *const *u = units[a->unit];
	double lo = fabs(a->lo), hi = fabs(a->hi), of = least[a->unit];
	struct buf b = {0};
	double size = step > 0 ? (lo > hi ? lo : hi) : v != 0 ? fabs(v) : hi;

	size = a->unit == Q_NUMBER && ((lo < 9999.5 && hi < 9999.5) || v == 0)
		   ? 1
		   : size * (1 + 1e-9);
	for (double by = a->unit == Q_BYTES ? 1024 : 1000; u[1] && of * by <= size; u++)
		of *= by;
	size = fabs(v /= of);
	put_format(&b,
		   step > 0 && size < 1e9	 ? "%.12g%s"
		   : size < 999.5 || size >= 1e9 ? "%.4g%s"
						 : "%.0f%s",
		   v, *u);
	return draw_text(&b);
}

static void
ticks_log(const struct axis *a, unsigned most, struct tick_list *t)
{
	double octaves = log_of(a->hi) - log_of(a->lo), step = 1,
	       by = a->unit == Q_BYTES ? 2 : 10;
	unsigned every = (unsigned)(octaves / (by > 2 ? 3 : 1)) / most + 1;
	unsigned parts = by > 2 && octaves < 10 ? 3 : 1;

	while (step > a->lo)
		step /= by;
	for (unsigned n = 0; step <= a->hi && n < 1200; step *= by, n++)
		for (unsigned k = 0; k < parts && n % every == 0; k++) {
			double v = step * (k == 2 ? 5 : k + 1);

			if (v >= a->lo && v <= a->hi && t->n < TICKS)
				t->v[t->n++] = v;
		}
}

void
line_ticks(const struct axis *a, unsigned most, struct tick_list *t)
{
	static const double part[] = {1, 2, 5, 10};
	double range = a->hi - a->lo, step = 1, at, by = a->unit == Q_BYTES ? 2 : 10;
	unsigned k = 0;

	*t = (struct tick_list){.n = 0};
	if (!(range > 0) || range - range != 0) {
		t->v[t->n++] = a->lo;
		return;
	}
	if (a->log) {
		ticks_log(a, most, t);
		return;
	}
	while (step * most < range)
		step *= by;
	while (step / by * most >= range)
		step /= by;
	for (step /= by > 2 ? 10 : 1; k < 3 && by > 2 && step * part[k] * most < range;)
		k++;
	t->step = step *= part[k];
	at = a->lo / step;
	at = at < 9e15 && at > -9e15 ? (double)(int64_t)at : at;
	for (unsigned n = 0; at * step <= a->hi && n < 100; at++, n++)
		if (at * step >= a->lo)
			t->v[t->n++] = at * step;
}
