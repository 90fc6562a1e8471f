/* value.h - a value of an event as text, as a column or an argument is written. */
#ifndef SPOOR_VALUE_H
#define SPOOR_VALUE_H

#include "event/event.h"

/* Appends the text of an argument. Never a blank or a control byte. */
void value_arg(struct buf *b, const struct tables *t, const struct rec *r,
	       const struct arg *a);
/* Appends a string as a value: escaped, `""` when empty, `\x2d` for "-". */
void value_str(struct buf *b, const void *p, size_t n);
/*
 * Appends a double: the fewest digits that read back as the same one, with an exponent only
 * below -4 and above 15.
 */
void value_double(struct buf *b, double d);
/* The integer in an argument's place (K_U8 to K_NS), sign extended. */
uint64_t value_int(const void *p, unsigned kind);
/* One integer or time: value_int's result in the kind's notation. Gives
 * the place behind. */
uint8_t *value_put_int(uint8_t *p, unsigned kind, uint64_t v);
/* Appends a time: seconds with nine decimals, or ticks. */
void value_time(struct buf *b, enum clock clock, int64_t t);
/*
 * *t = the time or duration p[0..n): ticks if `ticks`, else seconds with up to nine
 * decimals. Gives NULL, or the reason why it is none.
 */
const char *value_read_time(bool ticks, const uint8_t *p, size_t n, int64_t *t);
/* The argument of that name, or NULL. */
const struct arg *arg_named(const struct type *ty, const char *name);

#endif
