/* check_mpi_odd.c - reports what is wrong with the current call: see check_mpi.h. */
#include <stdarg.h>
#include <stdio.h>

#include "trace-check/check_mpi.h"

static void
odd_at(struct mpi_check *x, unsigned rule, struct trace_place other, const char *fmt,
       va_list ap)
{
	char text[400];

	vsnprintf(text, sizeof text, fmt, ap);
	find_with(x->c, rule, mpi_here(x), other, "%s: %s", dumpi_calls[x->k].name, text);
}

void
odd(struct mpi_check *x, unsigned rule, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	odd_at(x, rule, (struct trace_place){0}, fmt, ap);
	va_end(ap);
}

void
odd_with(struct mpi_check *x, unsigned rule, struct trace_place other, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	odd_at(x, rule, other, fmt, ap);
	va_end(ap);
}
