/* report.h - an answer as it is written: its table, or what a person wants to know first.
 */
#ifndef SPOOR_REPORT_H
#define SPOOR_REPORT_H

#include "output/rows.h"
#include "stats/answer.h"

/*
 * Writes an answer. The table of a question that has one is lines with TABs (style 0). A
 * report is for people within 80 columns (0), JSON ('J'), or lines of SECTION TAB KEY TAB
 * NAME TAB VALUE ('T'). False when rows without events had to be left out, which is said.
 */
bool report_put(struct answer *a, struct out *o, int style);

/* Names of columns, and a row for each group, in their order: no row without events. False
 * as above. */
bool stats_rows(struct stats *st, struct rows *r);

#endif
