/* access_sections.h - what trace-access prints. */
#ifndef SPOOR_ACCESS_SECTIONS_H
#define SPOOR_ACCESS_SECTIONS_H

#include "trace-access/access.h"
#include "summary/section.h"

struct access_options {
	bool
	    report; /* all sections that were asked for, for people; else one, as a table */
	enum table_style style;
	bool bare; /* a table without names */
	bool html; /* a report: as HTML */
};

/* The number of the section of that name, or ACCESS_SECTIONS; the name of a section, NULL behind
 * the last. */
enum access_section access_section(const char *name);
const char *access_section_name(size_t i);
/* Writes what was asked for; x is finished. */
void access_put(struct access *x, const struct access_options *opts, struct out *o);

/* The name of each enum file_class. */
extern const char *const class_name[CLASSES_OF_FILES];

/* files.c: each writes a section. */
void put_file(const struct access *x, struct section *s);
void put_darshan(const struct access *x, struct section *s);

#endif
