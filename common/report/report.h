/* report.h - the report: an overview of a trace for people. */
#ifndef SPOOR_REPORT_H
#define SPOOR_REPORT_H

#include "stats/answer.h"

/*
 * Writes the report a to o: for people within 80 columns (style 0), as JSON ('J'), or as
 * lines of SECTION TAB KEY TAB NAME TAB VALUE ('T').
 */
void report_put(struct answer *a, struct out *o, int style);

#endif
