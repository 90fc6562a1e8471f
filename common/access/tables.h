/* tables.h - what trace-access prints. */
#ifndef SPOOR_ACCESS_TABLES_H
#define SPOOR_ACCESS_TABLES_H

#include "access/access.h"
#include "output/table.h"

struct access_how {
	bool
	    report; /* all sections that were asked for, for people; else one, as a table */
	bool tabs;  /* a report as lines with TABs */
	enum table_style style;
	bool bare; /* a table without names */
};

/* The number of the section of that name, or ACCESS_SECTIONS; the name of a section, NULL behind
 * the last. */
enum access_section access_section(const char *name);
const char *access_section_name(size_t i);
/* Writes what was asked for; x is finished. */
void access_put(struct access *x, const struct access_how *how, struct out *o);

/* files.c: each writes a section. */
struct sheet;
void put_file(const struct access *x, struct sheet *s);
void put_darshan(const struct access *x, struct sheet *s);

#endif
