/* sheet.h - a section on its way out: as a table of its own, or as a part of a report. */
#ifndef SPOOR_SHEET_H
#define SPOOR_SHEET_H

#include "base/wide.h"
#include "event/event.h"
#include "output/table.h"
#include "summary/grid.h"

struct sheet {
	struct table rows;
	struct grid grid;
	bool report; /* into the grid; else rows, as they come */
	bool people; /* who want the first rows, and so many columns; 0 = all */
	unsigned most;
	enum clock clock;
	struct cell one; /* of rows: the cell in the making */
	bool open;
	unsigned column; /* of the next cell of the grid's last row */
	const char *const
	    *names; /* of the coming cells, each of which is a row with its name */
};

/* A column. */
void sheet_column(struct sheet *s, const char *name);
void sheet_columns(struct sheet *s, const char *const *names);
/* Behind the last of them. */
void sheet_head(struct sheet *s);
/* The next cells of a row. */
void sheet_name(struct sheet *s, const struct str *name);
void sheet_text(struct sheet *s, const char *text);
void sheet_words(struct sheet *s, const char *one, const char *two); /* with a - between */
void sheet_u64(struct sheet *s, uint64_t v);
void sheet_u64s(struct sheet *s, const uint64_t *v, size_t n);
#define sheet_numbers(s, ...)                            \
	sheet_u64s((s), (const uint64_t[]){__VA_ARGS__}, \
		   sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))
void sheet_signed(struct sheet *s, uint64_t v, bool below);
void sheet_time(struct sheet *s, uint64_t v); /* ns, or ticks */
void sheet_begin(struct sheet *s, int64_t time);
void sheet_times(struct sheet *s, const struct wide *v, uint64_t n); /* v / n */
void sheet_share(struct sheet *s, uint64_t part, uint64_t all);
void sheet_decimal(struct sheet *s, const struct wide *v, unsigned decimals);
void sheet_none(struct sheet *s);
/* The row has all its cells. */
void sheet_row(struct sheet *s);
/* Which share of all, one of 2^level, a row is of: a column and a cell of a table; in a report the
 * cell of that number in the row of limits. */
void sheet_sample_column(struct sheet *s);
void sheet_sample(struct sheet *s, unsigned level);
void sheet_sampled(struct sheet *s, unsigned level, unsigned column);
/* Behind all rows: why numbers of a column, from 0, are not exact or not there. */
void sheet_limit(struct sheet *s, unsigned column, const char *text);
/* Behind all rows: of the columns from number `column` on, those that are percentiles are so
 * far off at most. */
void sheet_within(struct sheet *s, const char *error, unsigned column);
/* Whether no further rows are wanted. */
bool sheet_full(const struct sheet *s);

#endif
