/* value.h - writes a value of an event as text, as in a column or an argument. */
#ifndef SPOOR_VALUE_H
#define SPOOR_VALUE_H

#include "event/event.h"

/* Appends the text of an argument. The text has no blank or control byte. Appends nothing if
 * the bytes lie outside of the record, or if a symbol's number is not in t. */
void value_arg(struct buf *b, const struct tables *t, const struct rec *r,
	       const struct arg *a);
/* Appends a string as a value: escaped, `""` when empty, `\x2d` for "-". */
void value_str(struct buf *b, const void *p, size_t n);
/*
 * Appends a double: the fewest digits that read back as the same number. An exponent is
 * written only if the decimal exponent is below -4 or above 15. Special values are nan
 * (never with a sign), inf and -inf.
 */
void value_double(struct buf *b, double d);
/* Returns the integer at p, the place of an argument of this kind (K_U8 to K_NS), sign extended. */
uint64_t value_int(const void *p, unsigned kind);
/* Writes v, a result of value_int, at p as the text of an integer or time of this kind. p must
 * have room for 32 + PUT_SLACK bytes. Returns the place after the text. */
uint8_t *value_put_int(uint8_t *p, unsigned kind, uint64_t v);
/* Appends a time: seconds with nine decimals, or ticks. */
void value_time(struct buf *b, enum clock clock, int64_t t);
/*
 * Reads the time or duration p[0..n) into *t: ticks if `ticks`, else seconds with at most nine
 * decimals. Returns NULL, or the error in static memory; then *t may have changed. A time that
 * does not fit in *t is an error.
 */
const char *value_read_time(bool ticks, const uint8_t *p, size_t n, int64_t *t);
/* Returns the argument of that name, or NULL. */
const struct arg *arg_named(const struct type *ty, const char *name);

#endif
