/* value.c - what stands in a column as a number or a time. */
#include "base/num.h"
#include "columns/columns.h"

#define BILLION 1000000000u

/* Most numbers: up to 18 digits, perhaps a point, and up to 9 more. False: it is none of these. */
static bool
plain(const uint8_t *p, size_t n, struct num *num)
{
	const uint8_t *end = p + n, *begin = p;
	uint32_t scale = BILLION;

	*num = (struct num){0};
	for (; p < end && *p - 0u - '0' <= 9; p++)
		num->whole = num->whole * 10 + (*p - 0u - '0');
	if (p == begin || p > begin + 18 || p == end)
		return p == end && p > begin && p <= begin + 18;
	if (*p++ != '.' || p == end || end > p + 9)
		return false;
	for (; p < end && *p - 0u - '0' <= 9; p++)
		num->nano += (*p - 0u - '0') * (scale /= 10);
	return p == end;
}

/* What is no number: what to do about it, or what num_parse says. */
static COLD const char *
no_number(const uint8_t *p, size_t n, const char *why)
{
	size_t digits = 0;

	while (digits < n && *p - 0u - '0' <= 9)
		digits++, p++;
	if (n == digits || n < 2)
		return why;
	if (!digits && *p == '+' && p[1] - 0u - '0' <= 9)
		return "not a number: remove the +";
	if (!digits && *p == '.' && p[1] - 0u - '0' <= 9)
		return "not a number: a digit must stand in front of the point";
	if (!digits && *p == '<')
		return "not a number: remove the signs around it";
	if (digits && *p == ',')
		return "not a number: remove the commas, a point is in front of decimals";
	if (digits && *p != '.' && *p != ' ' && (*p | 0x20) - 0u - 'a' < 26 &&
	    (*p | 0x20) != 'e' && (*p | 0x20) != 'x')
		return "not a number: remove the unit behind it (numfmt --from=iec does)";
	return why;
}

const char *
columns_number(const uint8_t *p, size_t n, uint64_t unit, uint64_t *v, uint64_t *left)
{
	const char *why = "it is empty";
	struct num num;

	if (!n)
		return why;
	if (!plain(p, n, &num) && !num_parse((const char *)p, n, false, &num, &why))
		return no_number(p, n, why);
	if (num.neg && (num.whole || num.nano))
		return "less than 0";
	*left = num.nano * unit;
	if (num.whole > UINT64_MAX / unit ||
	    num.whole * unit > UINT64_MAX - *left / BILLION)
		return "greater than 2^64-1, in its unit";
	*v = num.whole * unit + *left / BILLION;
	*left %= BILLION;
	/* It is not whole by what was rounded away, either. */
	if (num.rounded && !*left)
		*left = 1;
	return NULL;
}

const char *
columns_hex(const uint8_t *p, size_t n, uint64_t *v)
{
	*v = 0;
	for (; n > 16 && *p == '0'; n--)
		p++;
	if (!n || n > 16)
		return n ? "more than 16 hexadecimal digits" : "it is empty";
	for (; n; p++, n--) {
		unsigned c = *p | 0x20u;
		unsigned d = *p >= '0' && *p <= '9' ? *p - 0u - '0'
			     : c >= 'a' && c <= 'f' ? c - 'a' + 10
						    : 16;

		if (d > 15)
			return "not a hexadecimal number";
		*v = *v << 4 | d;
	}
	return NULL;
}
